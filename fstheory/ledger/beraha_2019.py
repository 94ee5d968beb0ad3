"""Beraha et al. (2019): how much error the removal of features can cost, bounded by mutual information.

Information and the best predictors stand here; linear models and the stopping rules have files of their own.
"""

from __future__ import annotations

from fstheory.ledger import beraha_claims as said
from fstheory.ledger.beraha_2019_linear import LINEAR
from fstheory.ledger.beraha_2019_stopping import STOPPING
from fstheory.ledger.entry import BERAHA_2019 as PAPER
from fstheory.ledger.entry import Entry, Evidence, argued, exhausted, proved, refuted, surveyed

__all__ = ["ENTRIES"]

_PROOF = argued("information-bounds")
_SURVEYED = surveyed(
    "2 binary features with up to 12 people, and 10,000 random distributions of other shapes",
    "tests.bounds.check_claims",
    132_465,
)
_ALL = 9_197  # distributions of the family
_FEW = 1_951  # of the smaller family for long sums of logarithms


def _true(key: str, *more: Evidence, count: int = _ALL) -> tuple[Evidence, ...]:
    return (*more, exhausted(key, count))


_INFORMATION = (
    Entry.of(
        said.entropy_without_logarithm,
        PAPER,
        "equation 1",
        r"H(X) := E_X[p(X)]",
        evidence=(refuted("B-0h", "one person: the expectation is 1, the entropy 0"),),
        remark="A logarithm and a sign are missing in the first expression; the integral beside it is right.",
    ),
    Entry.of(
        said.entropy_with_logarithm,
        PAPER,
        "equation 1",
        r"H(X) = E_X[-\log p(X)]",
        evidence=_true("B-0hc", argued("information-bounds", "the definition"), count=_FEW),
        corrects="B-0h",
        printed=True,
    ),
    Entry.of(
        said.divergence_without_logarithm,
        PAPER,
        "Section II-B",
        r"D_{\mathrm{KL}}(p \| q) := E_X\Big[\frac{p(X)}{q(X)}\Big]",
        evidence=(refuted("B-0k", "one person: the expectation is 1, the divergence 0"),),
        remark="The logarithm is missing in the first expression; the integral beside it is right.",
    ),
    Entry.of(
        said.divergence_is_information,
        PAPER,
        "Section II-B",
        r"I(X; Y) = E_X[D_{\mathrm{KL}}(p(Y|X) \| p(Y))],\quad"
        r" D_{\mathrm{KL}}(p \| q) = E_X\Big[\log\frac{p(X)}{q(X)}\Big]",
        evidence=_true("B-0kc", argued("information-bounds", "the definition"), count=_FEW),
        corrects="B-0k",
        printed=True,
    ),
    Entry.of(
        said.information_by_entropies,
        PAPER,
        "Section II-B",
        r"I(X; Y) := H(Y) - H(Y|X) = \int\!\!\int p(x, y) \log\frac{p(x, y)}{p(x) p(y)} = I(Y; X)",
        evidence=_true("B-0m", argued("information-bounds", "the definition"), count=_FEW),
    ),
    Entry.of(
        said.conditional_information,
        PAPER,
        "Section II-B",
        r"I(X; Y|Z) = E_Z\big[E_X[D_{\mathrm{KL}}(p(Y|X, Z) \| p(Y|Z))]\big]"
        r" = \int p(z) \int\!\!\int p(x, y|z) \log\frac{p(x, y|z)}{p(x|z) p(y|z)}",
        evidence=_true("B-0i", argued("information-bounds", "the definition"), count=_FEW),
    ),
    Entry.of(
        said.chain_rule,
        PAPER,
        "equation 2",
        r"I(X; Y, Z) = I(X; Z) + I(X; Y|Z)",
        evidence=_true("B-0", _PROOF, _SURVEYED, count=_FEW),
    ),
    Entry.of(
        said.score_as_difference,
        PAPER,
        "Section II-B, Section IV",
        r"\nu(A) := I(Y; X_A | X_{\bar A}) = I(Y; X) - I(Y; X_{\bar A})",
        evidence=_true("B-0n", _PROOF, _SURVEYED, count=_FEW),
    ),
    Entry.of(
        said.score_is_additive,
        PAPER,
        "equations 15 and 16",
        r"\nu(A_{t+1}) = \nu(A_t) + I_t,\quad \nu(A_T) = \sum_{t=1}^{T-1} I_t",
        evidence=_true("B-0a", _PROOF, _SURVEYED, count=_FEW),
    ),
    Entry.of(
        said.determined_means_no_score,
        PAPER,
        "after Theorem 1, equation 5",
        r"x_{\bar A} \text{ determines } y \text{, or determines } x_A \Rightarrow \nu(A) = 0",
        evidence=_true("B-0z", argued("information-bounds", "exercise 1 of the chapter")),
        remark="Not conversely: of three independent coins X1, X2, Y neither happens, and the score is 0.",
    ),
)

_RELATIONS = (
    Entry.of(
        said.invariant_under_invertible_maps,
        PAPER,
        "Section I",
        r"I(f(X_i); Y) = I(X_i; Y) \text{ for invertible } f",
        evidence=_true("B-0r", _PROOF, count=_FEW),
        remark="Of finitely many states an invertible map is a permutation, and there is nothing to differentiate.",
    ),
    Entry.of(
        said.likelihood_and_score,
        PAPER,
        "Section I, Section V",
        r"\max_q E \log q(Y | X_{\bar A}) = E \log p(Y | X_{\bar A}) = -H(Y | X) - \nu(A)",
        evidence=_true("B-0l", _PROOF, count=_FEW),
        remark="The paper quotes it from Brown et al.: to maximize the conditional likelihood is to minimize the "
        "information lost. That is so for the distribution itself; a sample has estimates of both.",
    ),
)

_SQUARED_ERROR = (
    Entry.of(
        said.theorem_1,
        PAPER,
        "Theorem 1",
        r"\inf_{g: \mathcal X_{\bar A} \to \mathbb R} E\big[(Y - g(X_{\bar A}))^2\big] \le \sigma^2 + 2 B^2 \nu(A)",
        evidence=_true("B-1", _PROOF, _SURVEYED),
        corrects="B-1y",
        printed=True,
        remark="So read: the infimum is over predictors with any real values, or the target space is an interval.",
    ),
    Entry.of(
        said.theorem_1_into_the_target_space,
        PAPER,
        "Section III-A, Theorem 1",
        r"\inf_{g: \mathcal X_{\bar A} \to \mathcal Y} E\big[(Y - g(X_{\bar A}))^2\big] \le \sigma^2 + 2 B^2 \nu(A)",
        evidence=(refuted("B-1y", "a fair coin and a feature that tells nothing: 1/2 is no value of Y"),),
        remark="The word for word reading: the paper takes the infimum over all functions to the target space, any "
        "subset of the reals. If that has gaps the conditional mean, with which the proof begins, is not among them.",
    ),
    Entry.of(
        said.theorem_1_sharper,
        PAPER,
        "Theorem 1",
        r"\mathrm{MSE}(\bar A) \le \sigma^2 + \tfrac12 W^2 \nu(A)",
        evidence=_true("B-1s", _PROOF, _SURVEYED),
        corrects="B-1",
        remark="Since W <= 2B this is never weaker. The constant 1/2 is the best possible, see B-1x and the textbook.",
    ),
    Entry.of(
        said.theorem_1_sharper_still,
        PAPER,
        "Theorem 1",
        r"\mathrm{MSE}(\bar A) \le \sigma^2 + \tfrac{12}{25} W^2 \nu(A)",
        evidence=(refuted("B-1x", "five people, one feature"),),
        printed=False,
        remark="Not printed: it shows that B-1s is sharp. For a coin with P(Y=1|x) = 1/2 +- t the quotient of both "
        "sides tends to 1/2, so every smaller constant fails.",
    ),
    Entry.of(
        said.mean_square_of_the_means,
        PAPER,
        "Theorem 1, proof",
        r"\mathrm{MSE}(\bar A) = \sigma^2 + E\big(E[Y|X] - E[Y|X_{\bar A}]\big)^2",
        evidence=_true("B-1p", _PROOF),
    ),
    Entry.of(
        said.pinsker,
        PAPER,
        "Theorem 1, proof",
        r"\Big(\int |p(y|x) - p(y|x_{\bar A})| dy\Big)^2 = 4 D_{\mathrm{TV}}^2 \le 2 D_{\mathrm{KL}}",
        evidence=_true("B-1k", argued("information-bounds", "Pinsker's inequality"), count=_FEW),
    ),
    Entry.of(
        said.no_score_no_loss,
        PAPER,
        "after Theorem 1",
        r"\nu(A) = 0 \Rightarrow \mathrm{MSE}(\bar A) = \sigma^2",
        evidence=_true("B-1z", _PROOF),
    ),
)

_CLASSIFICATION = (
    Entry.of(
        said.theorem_3,
        PAPER,
        "Theorem 3",
        r"R(\bar A) \le \epsilon + \sqrt{2 \nu(A)}",
        evidence=_true("B-3", _PROOF, _SURVEYED),
    ),
    Entry.of(
        said.theorem_3_sharper,
        PAPER,
        "Theorem 3",
        r"R(\bar A) \le \epsilon + \sqrt{\tfrac12 \nu(A)}",
        evidence=_true("B-3s", _PROOF, _SURVEYED),
        corrects="B-3",
        remark="Half of what is printed: the second of the two terms that the proof bounds by a total variation "
        "distance is 0 in the mean (B-3e). The constant 1/2 is the best possible, see B-3x and the textbook.",
    ),
    Entry.of(
        said.theorem_3_sharper_still,
        PAPER,
        "Theorem 3",
        r"R(\bar A) \le \epsilon + \sqrt{\tfrac{12}{25} \nu(A)}",
        evidence=(refuted("B-3x", "six people, one feature"),),
        printed=False,
        remark="Not printed: it shows that B-3s is sharp. For a coin with P(Y=1|x) = 1/2 +- t the quotient of t^2 and "
        "the score tends to 1/2, so every smaller constant fails.",
    ),
    Entry.of(
        said.theorem_3_by_variation,
        PAPER,
        "Theorem 3, proof",
        r"R(\bar A) \le \epsilon + E\, D_{\mathrm{TV}}(p(\cdot|X) \| p(\cdot|X_{\bar A}))",
        evidence=_true("B-3v", _PROOF, _SURVEYED),
        corrects="B-3",
        remark="The proof has twice the distance.",
    ),
    Entry.of(
        said.least_information,
        PAPER,
        "Theorem 3",
        r"\nu(A) \ge \log 2 - h\big(\tfrac12 + R(\bar A) - \epsilon\big) \text{ for two classes}",
        evidence=_true("B-3i", _PROOF, _SURVEYED),
        corrects="B-3",
        remark="The best bound by the score alone, reached for every excess by a coin. With more classes the least "
        "information has no closed form; see fs.bounds.least_information.",
    ),
    Entry.of(
        said.steps_of_theorem_3,
        PAPER,
        "Theorem 3, proof",
        r"\max_y p(y|x) - \max_y p(y|x_{\bar A}) \le D_{\mathrm{TV}},\quad"
        r" p(y'|x_{\bar A}) - p(y'|x) \le D_{\mathrm{TV}}",
        evidence=_true("B-3p", _PROOF),
    ),
    Entry.of(
        said.excess_of_a_bayes_classifier,
        PAPER,
        "Theorem 3, proof",
        r"R(\bar A) = \epsilon + \int p(x) \big(p(y^*|x) - p(y^*_{\bar A}|x)\big),\quad"
        r" E\big[p(y^*_{\bar A}|X_{\bar A}) - p(y^*_{\bar A}|X)\big] = 0",
        evidence=_true("B-3e", *proved("B-3e", ((2, 2), 2)), _PROOF),
        remark="The second equation is not printed; with it the theorem gains a factor 2.",
    ),
    Entry.of(
        said.root_is_the_better_dependence,
        PAPER,
        "after Theorem 3",
        r"\sqrt{2 \nu(A)} \le 2 B^2 \nu(A)",
        evidence=(refuted("B-3d", "three people, B = 1: a score of 0.174 allows 0.59 and 0.35"),),
        remark="The paper finds a 'slightly better dependence' in the square root. Of two numbers, a small score is "
        "less than its root. But the bounds are in different units, a probability and a square of Y: in the unit of Y "
        "itself Theorem 1 allows B sqrt(2 nu), which is a root as well, so neither dependence is the better one.",
    ),
)

ENTRIES: tuple[Entry, ...] = (
    *_INFORMATION,
    *_RELATIONS,
    *_SQUARED_ERROR,
    *LINEAR,
    *_CLASSIFICATION,
    *STOPPING,
)
"""The statements of the paper in their order, each followed by what corrects or sharpens it."""
