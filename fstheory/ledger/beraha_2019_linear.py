"""Beraha et al. (2019), Section III-B: linear models, Theorem 2 and Example 1."""

from __future__ import annotations

from fstheory.ledger import beraha_linear_claims as said
from fstheory.ledger.entry import BERAHA_2019 as PAPER
from fstheory.ledger.entry import Entry, Evidence, argued, exhausted, realized, refuted, surveyed

__all__ = ["LINEAR"]

_PROOF = argued("information-bounds")
_SURVEYED = surveyed(
    "2 binary features with up to 12 people, and 10,000 random distributions of other shapes; besides these 30,000 "
    "with independent features",
    "tests.bounds.check_claims",
    132_465,
)
_ALL = 9_197  # distributions of the family
_REGULAR = 5_639  # of these, those with a regular covariance matrix
_ANY_WEIGHTS = {
    "regular": argued("information-bounds", "not needed: it holds for all best weights, where there are several"),
}
_THREE = "three people, (X1, X2) = (0, 1), (1, 0), (1, 1), and Y = 2 - X1 - X2"


def _true(key: str, *more: Evidence, count: int = _REGULAR) -> tuple[Evidence, ...]:
    return (*more, exhausted(key, count))


LINEAR: tuple[Entry, ...] = (
    Entry.of(
        said.theorem_1_for_linear_predictors,
        PAPER,
        "Sections I and III-B",
        r"\sigma_{\bar A \to Y}^2 \le \sigma_{X \to Y}^2 + 2 B^2 \nu(A)",
        evidence=(refuted("B-1l", "three people: X2 determines Y = 3 - 2 X1 - X2, but not linearly", (2, 3)),),
        printed=False,
        remark="The paper says that it does not hold, and is right.",
    ),
    Entry.of(
        said.example_1,
        PAPER,
        "Example 1",
        r"\nu(\{X_1\}) = \nu(\{X_2\}) = 0,\quad \sigma_{X \to Y} = 0 < \sigma_{X_1 \to Y}, \sigma_{X_2 \to Y}",
        evidence=(
            realized("B-E1", "three people, X1 = 0, 1, 2 and X2 = 0, 2, 1"),
            argued("information-bounds", "each feature tells what the other tells"),
            surveyed("features recoded at random", "tests.bounds.check_claims", 119_820),
        ),
        printed=False,
        remark="A finite version of the printed example (B-E1n), whose two features determine each other as well. The "
        "scores are 0, not nearly 0.",
    ),
    Entry(
        "B-E1n",
        PAPER,
        "Example 1",
        "For X1 = Z normal with a large variance, X2 = e^Z and Y = a X1 + b X2, the squared correlations of both "
        "features with Y are high, and that of the features is small.",
        r"Z \sim \mathcal N(0, \sigma^2),\ \sigma^2 \gg 0 \Rightarrow"
        r" \rho^2(X_1, Y), \rho^2(X_2, Y) \text{ high}, \rho^2(X_1, X_2) \text{ small}",
        evidence=(
            Evidence(
                "R",
                "a = b = 1 and variance 9: the squared correlation of X1 and Y is 0.0011",
                "docs/textbook/information-bounds.md",
            ),
        ),
        remark="For fixed a and b != 0 that of X1 and Y tends to 0 as the variance of Z grows; a would have to grow "
        "with it. And if the features are hardly correlated, both squares cannot be high: their sum is hardly above 1.",
    ),
    Entry.of(
        said.two_high_correlations,
        PAPER,
        "Example 1",
        r"\rho(X_1, Y)^2 + \rho(X_2, Y)^2 \le 1 + |\rho(X_1, X_2)|",
        evidence=_true(
            "B-E1r",
            argued("information-bounds", "the largest eigenvalue of a 2 x 2 correlation matrix"),
            count=_ALL,
        ),
        corrects="B-E1n",
        remark="The example wants both correlations with Y to be high and that of the features to be small.",
    ),
    Entry.of(
        said.theorem_2,
        PAPER,
        "Theorem 2, first part",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} w^*_i \sigma_{\bar A \to X_i}",
        evidence=(refuted("B-2", "two people, Y = 1 - X1: the weight is -1"),),
        remark="Step (8) of the proof takes w_i for the square root of w_i^2. The line before (6) should only subtract "
        "w_A'(W X + b), what the features kept predict of w_A'X_A; printed are plus-or-minus and -b. Added and "
        "subtracted is w_A'X_A, as the text after (8) says.",
    ),
    Entry.of(
        said.theorem_2_with_absolute_values,
        PAPER,
        "Theorem 2, first part",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} |w^*_i| \sigma_{\bar A \to X_i}",
        evidence=_true("B-2c", _PROOF, _SURVEYED),
        needs=_ANY_WEIGHTS,
        corrects="B-2",
    ),
    Entry.of(
        said.theorem_2_sharper,
        PAPER,
        "Theorem 2, first part",
        r"\sigma_{\bar A \to Y}^2 \le \sigma_{X \to Y}^2 + \Big(\sum_{i \in A} |w^*_i| \sigma_{\bar A \to X_i}\Big)^2",
        evidence=_true("B-2s", _PROOF, _SURVEYED),
        needs=_ANY_WEIGHTS,
        corrects="B-2c",
        remark="The factor sqrt|A| is not needed, and squares are added in place of roots.",
    ),
    Entry.of(
        said.theorem_2_exact,
        PAPER,
        "Theorem 2, first part",
        r"\sigma_{\bar A \to Y}^2 = \sigma_{X \to Y}^2 + w_A^{*\top} \Sigma_{A|\bar A}\, w^*_A",
        evidence=_true("B-2e", _PROOF, _SURVEYED),
        needs=_ANY_WEIGHTS,
        corrects="B-2s",
    ),
    Entry.of(
        said.closed_forms,
        PAPER,
        "Theorem 2, proof",
        r"W^* = \mathrm{Cov}[X_A, X_{\bar A}] \mathrm{Cov}[X_{\bar A}]^{-1},\quad"
        r" \sigma_{\bar A \to X_i}^2 = \mathrm{Var}[X_i]"
        r" - \mathrm{Cov}[X_i, X_{\bar A}] \mathrm{Cov}[X_{\bar A}]^{-1} \mathrm{Cov}[X_{\bar A}, X_i]",
        evidence=_true("B-2f", argued("information-bounds", "the normal equations")),
        needs={"regular": argued("information-bounds", "for the inverse to exist")},
    ),
    Entry.of(
        said.step_7,
        PAPER,
        "Theorem 2, proof, step 7",
        r"E\big(w_A^{*\top} r_A\big)^2 \le |A| \sum_{i \in A} w_i^{*2}\, \sigma_{\bar A \to X_i}^2",
        evidence=_true("B-2q", argued("information-bounds", "Cauchy and Schwarz, in each state")),
        needs=_ANY_WEIGHTS,
        remark="Right, and not needed: see B-2s.",
    ),
    Entry.of(
        said.weights_by_a_sum_over_removed,
        PAPER,
        "Theorem 2, proof",
        r"w^*_i = \sum_{j \in A} \mathrm{Cov}[X]^{-1}_{ij}\, \mathrm{Cov}[X_j, Y]",
        evidence=(refuted("B-2w", _THREE, (2, 2)),),
        remark="The sum must go over all features. Reading the inverse as that of the matrix of A alone does not help.",
    ),
    Entry.of(
        said.weights_by_a_sum_over_all,
        PAPER,
        "Theorem 2, proof",
        r"w^*_i = \sum_j \mathrm{Cov}[X]^{-1}_{ij}\, \mathrm{Cov}[X_j, Y]",
        evidence=_true("B-2wc", argued("information-bounds", "the normal equations")),
        corrects="B-2w",
        printed=True,
        remark="So in matrix form at the beginning of the proof.",
    ),
    Entry.of(
        said.weights_of_uncorrelated_features,
        PAPER,
        "Theorem 2, proof",
        r"\rho(X_i, X_j) = 0 \text{ in } A \Rightarrow w^*_i = \mathrm{Cov}[X_i, Y] / \mathrm{Var}[X_i]",
        evidence=(refuted("B-2v", f"{_THREE}; A has one feature", (2, 2)),),
    ),
    Entry.of(
        said.weights_of_features_uncorrelated_with_all,
        PAPER,
        "Theorem 2, proof",
        r"\rho(X_i, X_j) = 0 \text{ for all } j \ne i \Rightarrow w^*_i = \mathrm{Cov}[X_i, Y] / \mathrm{Var}[X_i]",
        evidence=_true("B-2vc", argued("information-bounds", "the normal equations")),
        corrects="B-2v",
    ),
    Entry.of(
        said.theorem_2_by_correlations,
        PAPER,
        "Theorem 2, second part",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|}\, \sigma_Y \sum_{i \in A} \rho(Y, X_i)"
        r" \Big(1 - \sum_{j \in \bar A} \rho(X_i, X_j)^2\Big)^{1/2}",
        evidence=(refuted("B-2u", "two people, Y = 1 - X1"),),
    ),
    Entry.of(
        said.theorem_2_by_absolute_correlations,
        PAPER,
        "Theorem 2, second part",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|}\, \sigma_Y \sum_{i \in A} |\rho(Y, X_i)|"
        r" \Big(1 - \sum_{j \in \bar A} \rho(X_i, X_j)^2\Big)^{1/2}",
        evidence=(refuted("B-2ua", f"{_THREE}; A = {{X1}}", (2, 2)),),
        remark="The proof takes the weights from B-2v. The footnote insists that features of A may be correlated with "
        "others, and just then it fails.",
    ),
    Entry.of(
        said.theorem_2_by_correlations_corrected,
        PAPER,
        "Theorem 2, second part",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sigma_Y \sum_{i \in A} |\rho(Y, X_i)|",
        evidence=_true("B-2uc", _PROOF, _SURVEYED),
        needs=_ANY_WEIGHTS,
        corrects="B-2u",
        remark="Nothing is asked of the correlations outside A.",
    ),
    Entry.of(
        said.theorem_2_by_correlations_exact,
        PAPER,
        "Theorem 2, second part",
        r"\sigma_{\bar A \to Y}^2 = \sigma_{X \to Y}^2 + \sigma_Y^2 \sum_{i \in A} \rho(Y, X_i)^2",
        evidence=_true("B-2ue", _PROOF, _SURVEYED),
        needs=_ANY_WEIGHTS,
        corrects="B-2uc",
    ),
    Entry.of(
        said.uncorrelated_is_irrelevant,
        PAPER,
        "after Theorem 2, Section VII",
        r"\rho(Y, X_i) = 0 \Rightarrow \sigma_{\neg X_i \to Y} = \sigma_{X \to Y}",
        evidence=(refuted("B-2z", "four people: X1 is uncorrelated with Y and needed beside X2", (2, 2)),),
        remark="Not printed as a formula: it is what the second part says of A = {X_i} and rho(Y, X_i) = 0, and what "
        "makes the correlation 'a suitable criterion for ranking and selecting features'.",
    ),
    Entry.of(
        said.correlation_is_dependence,
        PAPER,
        "after Theorem 2",
        r"\rho(X_i, Y) \ne 0 \Rightarrow I(X_i; Y) > 0",
        evidence=_true("B-2d", argued("information-bounds", "independent variables are uncorrelated"), count=_ALL),
    ),
    Entry.of(
        said.dependence_is_correlation,
        PAPER,
        "after Theorem 2",
        r"I(X_i; Y) > 0 \Rightarrow \rho(X_i, Y) \ne 0",
        evidence=(refuted("B-2dx", "three people, X1 = 0, 1, 1 and Y = 1, 0, 2", (2,), 3),),
        printed=False,
        remark="The paper says that the correlation is the weaker index, and is right.",
    ),
)
