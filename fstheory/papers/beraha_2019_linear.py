"""Beraha et al. (2019), Section III-B: linear models, Theorem 2 and Example 1.

Errors, weights and correlations are written with covariances; where a correlation is multiplied by standard
deviations, these are put together: sigma_Y rho(Y, X_i) is Cov(Y, X_i) / sigma_i.
"""

from __future__ import annotations

from fractions import Fraction

from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers import terms
from fstheory.papers.beraha_2019 import BERAHA_2019
from fstheory.papers.entry import Declarations
from fstheory.papers.terms import CLASS, covariance, inverse_entry, left_over, linear_error, regular, variance, weight

paper = Declarations(BERAHA_2019)

REGULAR = (regular,)


@claim
def sum_of_the_features(m: Model, x: terms.State) -> Formula | bool:
    """Say that Y is the sum of the features, with probability one."""
    sought = sum((m.value(name, label) for name, label in x.items()), Fraction(0))
    return m.all(m.probability(x, y) == 0 for y in m.classes if m.value("the class", y) != sought)


@claim
def each_determines_the_other(m: Model, i: str, j: str) -> Formula | bool:
    """Say that every feature is a function of every other one, with probability one."""
    return i == j or m.all(m.any(m.probability(a | b) == m.probability(a) for b in m.states(j)) for a in m.states(i))


@paper.claim("B-1l", "Sections I and III-B", assume=REGULAR, printed=False)
def theorem_1_for_linear_predictors(m: Model, A: frozenset[str]) -> Formula:
    r"""Theorem 1 holds for linear predictors, too: sigma(not A -> Y)^2 <= sigma(X -> Y)^2 + 2 B^2 nu(A).

    $$\sigma_{\bar A \to Y}^2 \le \sigma_{X \to Y}^2 + 2 B^2 \nu(A)$$
    The paper says that it does not hold, and is right.
    """
    return _cost(m, A) <= 2 * terms.largest(m) ** 2 * terms.score(m, A)


@paper.claim("B-E1", "Example 1", assume=(regular, sum_of_the_features, each_determines_the_other), corrects="B-E1b")
def example_1(m: Model, i: str) -> Formula | bool:
    r"""Let Y = X1 + X2, where X1 and X2 determine each other and neither is linear in the other.

    Then both scores are 0, and a linear model needs both features.

    $$\nu(\{X_1\}) = \nu(\{X_2\}) = 0,\quad \sigma_{X \to Y} = 0 < \sigma_{X_1 \to Y}, \sigma_{X_2 \to Y}$$
    A finite version of the printed example (B-E1n), whose two features determine each other as well. The scores are 0,
    not nearly 0.
    """
    useless = terms.score(m, frozenset({i})) == 0
    needed = (linear_error(m, m.features, CLASS) == 0) & (linear_error(m, m.features - {i}, CLASS) > 0)
    return len(m.order) != 2 or useless & needed


paper.entry("B-E1b", "Section II, Example 1")(r"""
Example 1 is a regression problem as Section II assumes them: there is a B with |Y| <= B almost surely.
$$|a Z + b e^Z| \le B,\ Z \sim \mathcal N(0, \sigma^2)$$
Only if a = b = 0. So Theorem 1, whose limits the example is to show, says nothing there; and as X determines a Y
without atoms, I(Y; X) is infinite, and nu(A) is no difference of informations. What it shows needs none of this: B-E1.
""")

paper.entry("B-E1n", "Example 1")(r"""
For X1 = Z normal with a large variance, X2 = e^Z and Y = a X1 + b X2, the squared correlations of both features with Y
are high, and that of the features is small.
$$\sigma^2 \gg 0 \Rightarrow \rho^2(X_1, Y), \rho^2(X_2, Y) \text{ high}, \rho^2(X_1, X_2) \text{ small}$$
For fixed a and b != 0 that of X1 and Y tends to 0 as the variance of Z grows; a would have to grow with it. And if the
features are hardly correlated, both squares cannot be high: their sum is hardly above 1.
""")


@paper.claim("B-E1r", "Example 1", corrects="B-E1n")
def two_high_correlations(m: Model) -> Formula | bool:
    r"""For two features, rho(X1, Y)^2 + rho(X2, Y)^2 <= 1 + |rho(X1, X2)|.

    So if they are hardly correlated, one of the squared correlations with Y is hardly above 1/2.

    $$\rho(X_1, Y)^2 + \rho(X_2, Y)^2 \le 1 + |\rho(X_1, X_2)|$$
    The example wants both correlations with Y to be high and that of the features to be small.
    """
    if len(m.order) != 2:
        return True
    first, second = m.order
    above = m.sum(covariance(m, i, CLASS) ** 2 / (variance(m, CLASS) * variance(m, i)) for i in m.order)
    shared = covariance(m, first, second) ** 2 / (variance(m, first) * variance(m, second))
    return above <= 1 + m.sqrt(shared)


@paper.claim("B-2", "Theorem 2, first part", assume=REGULAR)
def theorem_2(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| times the sum of w_i sigma(not A -> X_i) over A, w best weights.

    $$\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} w^*_i \sigma_{\bar A \to X_i}$$
    Step (8) of the proof takes w_i for the square root of w_i^2. The line before (6) should only subtract w_A'(W X +
    b), what the features kept predict of w_A'X_A; printed are plus-or-minus and -b. Added and subtracted is w_A'X_A, as
    the text after (8) says.
    """
    parts = m.sum(weight(m, i) * _deviation(m, A, i) for i in sorted(A))
    return not A or _deviation(m, A, CLASS) <= _least(m) + _size(m, A) * parts


@paper.claim("B-2c", "Theorem 2, first part", assume=REGULAR, corrects="B-2")
def theorem_2_with_absolute_values(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""Theorem 2, first part, with |w_i| in place of w_i.

    $$\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} |w^*_i| \sigma_{\bar A \to X_i}$$
    """
    return not A or _deviation(m, A, CLASS) <= _least(m) + _size(m, A) * _weighted(m, A)


@paper.claim("B-2s", "Theorem 2, first part", assume=REGULAR, corrects="B-2c")
def theorem_2_sharper(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""sigma(not A -> Y)^2 is at most sigma(X -> Y)^2 plus the square of the sum of |w_i| sigma(not A -> X_i).

    $$\sigma_{\bar A \to Y}^2 \le \sigma_{X \to Y}^2 + \Big(\sum_{i \in A} |w^*_i| \sigma_{\bar A \to X_i}\Big)^2$$
    The factor sqrt|A| is not needed, and squares are added in place of roots.
    """
    error = linear_error(m, terms.others(m, A), CLASS)
    return not A or error <= linear_error(m, m.features, CLASS) + _weighted(m, A) ** 2


@paper.claim("B-2e", "Theorem 2, first part", assume=REGULAR, corrects="B-2s")
def theorem_2_exact(m: Model, A: frozenset[str]) -> Formula:
    r"""sigma(not A -> Y)^2 = sigma(X -> Y)^2 + w' C w: C the covariances of what not A leaves of A, w their weights.

    $$\sigma_{\bar A \to Y}^2 = \sigma_{X \to Y}^2 + w_A^{*\top} \Sigma_{A|\bar A}\, w^*_A$$
    """
    kept = terms.others(m, A)
    quadratic = m.sum(weight(m, i) * weight(m, j) * left_over(m, kept, i, j) for i in sorted(A) for j in sorted(A))
    return linear_error(m, kept, CLASS) == linear_error(m, m.features, CLASS) + quadratic


@paper.claim("B-2f", "Theorem 2, proof", assume=REGULAR)
def closed_forms(m: Model, A: frozenset[str]) -> Formula:
    r"""The weights W = Cov[X_A, X_B] Cov[X_B]^-1, B the features outside A, leave what no X_j in B is correlated with.

    The error that remains of X_i is Var[X_i] - W_i Cov[X_B, X_i], and likewise for Y predicted from X_B.

    $$W^* = \mathrm{Cov}[X_A, X_{\bar A}] \mathrm{Cov}[X_{\bar A}]^{-1},\quad \sigma_{\bar A \to X_i}^2 =
    \mathrm{Var}[X_i] - \mathrm{Cov}[X_i, X_{\bar A}] \mathrm{Cov}[X_{\bar A}]^{-1} \mathrm{Cov}[X_{\bar A}, X_i]$$
    """
    kept = sorted(terms.others(m, A))
    found = []
    for target in (CLASS, *sorted(A)):
        rows = {j: m.sum(covariance(m, target, k) * inverse_entry(m, k, j, kept) for k in kept) for j in kept}
        found += [
            covariance(m, target, other) == m.sum(rows[j] * covariance(m, j, other) for j in kept) for other in kept
        ]
        explained = m.sum(rows[j] * covariance(m, j, target) for j in kept)
        found.append(linear_error(m, kept, target) == variance(m, target) - explained)
    return m.all(found)


@paper.claim("B-2q", "Theorem 2, proof, step 7", assume=REGULAR)
def step_7(m: Model, A: frozenset[str]) -> Formula:
    r"""Step (7): the error of w_A'X_A predicted from the others is at most |A| times the sum of w_i^2 sigma_i^2.

    Here sigma_i^2 is the error of X_i predicted from the others.

    $$E\big(w_A^{*\top} r_A\big)^2 \le |A| \sum_{i \in A} w_i^{*2}\, \sigma_{\bar A \to X_i}^2$$
    Right, and not needed: see B-2s.
    """
    kept, gone = terms.others(m, A), sorted(A)
    whole = m.sum(weight(m, i) * weight(m, j) * left_over(m, kept, i, j) for i in gone for j in gone)
    return whole <= len(gone) * m.sum(weight(m, i) ** 2 * linear_error(m, kept, i) for i in gone)


@paper.claim("B-2w", "Theorem 2, proof", assume=REGULAR)
def weights_by_a_sum_over_removed(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""w_i is the sum over j in A of the entry (i, j) of the inverse covariance matrix times Cov(X_j, Y), for i in A.

    $$w^*_i = \sum_{j \in A} \mathrm{Cov}[X]^{-1}_{ij}\, \mathrm{Cov}[X_j, Y]$$
    The sum must go over all features. Reading the inverse as that of the matrix of A alone does not help.
    """
    return i not in A or weight(m, i) == _inverse_times(m, i, A)


@paper.claim("B-2wc", "Theorem 2, proof", assume=REGULAR, corrects="B-2w", printed=True)
def weights_by_a_sum_over_all(m: Model, i: str) -> Formula:
    r"""w_i is the sum over all features j of the entry (i, j) of the inverse covariance matrix times Cov(X_j, Y).

    $$w^*_i = \sum_j \mathrm{Cov}[X]^{-1}_{ij}\, \mathrm{Cov}[X_j, Y]$$
    So in matrix form at the beginning of the proof.
    """
    return weight(m, i) == _inverse_times(m, i, m.features)


@paper.claim("B-2v", "Theorem 2, proof", assume=REGULAR)
def weights_of_uncorrelated_features(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""If the features of A are uncorrelated with each other, then w_i = Cov(X_i, Y) / Var(X_i) for i in A.

    $$\rho(X_i, X_j) = 0 \text{ in } A \Rightarrow w^*_i = \mathrm{Cov}[X_i, Y] / \mathrm{Var}[X_i]$$
    """
    return i not in A or m.implies(terms.uncorrelated(m, terms.pairs_within(A)), _own_weight(m, i))


@paper.claim("B-2vc", "Theorem 2, proof", assume=REGULAR, corrects="B-2v")
def weights_of_features_uncorrelated_with_all(m: Model, i: str) -> Formula:
    r"""If X_i is uncorrelated with all other features, then w_i = Cov(X_i, Y) / Var(X_i).

    $$\rho(X_i, X_j) = 0 \text{ for all } j \ne i \Rightarrow w^*_i = \mathrm{Cov}[X_i, Y] / \mathrm{Var}[X_i]$$
    """
    return m.implies(terms.uncorrelated(m, ((i, j) for j in sorted(m.features - {i}))), _own_weight(m, i))


@paper.claim("B-2u", "Theorem 2, second part", assume=REGULAR)
def theorem_2_by_correlations(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""Let the features of A be uncorrelated with each other, and those outside A with each other.

    Then sigma(not A -> Y) is at most sigma(X -> Y) + sqrt|A| sigma_Y times the sum over A of
    rho(Y, X_i) (1 - the sum of rho(X_i, X_j)^2 over not A)^(1/2).

    $$\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|}\, \sigma_Y \sum_{i \in A} \rho(Y, X_i) \Big(1 - \sum_{j
    \in \bar A} \rho(X_i, X_j)^2\Big)^{1/2}$$
    """
    return not A or _by_correlations(m, A, [covariance(m, CLASS, i) for i in sorted(A)])


@paper.claim("B-2ua", "Theorem 2, second part", assume=REGULAR)
def theorem_2_by_absolute_correlations(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""Theorem 2, second part, with |rho(Y, X_i)| in place of rho(Y, X_i).

    $$\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|}\, \sigma_Y \sum_{i \in A} |\rho(Y, X_i)| \Big(1 - \sum_{j
    \in \bar A} \rho(X_i, X_j)^2\Big)^{1/2}$$
    The proof takes the weights from B-2v. The footnote insists that features of A may be correlated with others, and
    just then it fails.
    """
    return not A or _by_correlations(m, A, [abs(covariance(m, CLASS, i)) for i in sorted(A)])


@paper.claim("B-2uc", "Theorem 2, second part", assume=REGULAR, corrects="B-2u")
def theorem_2_by_correlations_corrected(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""Let each feature of A be uncorrelated with all others.

    Then sigma(not A -> Y) is at most sigma(X -> Y) + sigma_Y times the sum over A of |rho(Y, X_i)|.

    $$\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sigma_Y \sum_{i \in A} |\rho(Y, X_i)|$$
    Nothing is asked of the correlations outside A.
    """
    parts = m.sum(m.sqrt(covariance(m, CLASS, i) ** 2 / variance(m, i)) for i in sorted(A))
    return not A or m.implies(_isolated(m, A), _deviation(m, A, CLASS) <= _least(m) + parts)


@paper.claim("B-2ue", "Theorem 2, second part", assume=REGULAR, corrects="B-2uc")
def theorem_2_by_correlations_exact(m: Model, A: frozenset[str]) -> Formula:
    r"""Let each feature of A be uncorrelated with all others.

    Then sigma(not A -> Y)^2 is sigma(X -> Y)^2 + sigma_Y^2 times the sum over A of rho(Y, X_i)^2.

    $$\sigma_{\bar A \to Y}^2 = \sigma_{X \to Y}^2 + \sigma_Y^2 \sum_{i \in A} \rho(Y, X_i)^2$$
    """
    lost = m.sum(covariance(m, CLASS, i) ** 2 / variance(m, i) for i in sorted(A))
    same = linear_error(m, terms.others(m, A), CLASS) == linear_error(m, m.features, CLASS) + lost
    return m.implies(_isolated(m, A), same)


@paper.claim("B-2z", "after Theorem 2, Section VII", assume=REGULAR)
def uncorrelated_is_irrelevant(m: Model, i: str) -> Formula:
    r"""A feature whose correlation with Y is 0 can be left out of a linear model at no cost.

    $$\rho(Y, X_i) = 0 \Rightarrow \sigma_{\neg X_i \to Y} = \sigma_{X \to Y}$$
    Not printed as a formula: it is what the second part says of A = {X_i} and rho(Y, X_i) = 0, and what makes the
    correlation 'a suitable criterion for ranking and selecting features'.
    """
    same = linear_error(m, m.features - {i}, CLASS) == linear_error(m, m.features, CLASS)
    return m.implies(covariance(m, CLASS, i) == 0, same)


@paper.claim("B-2y", "after Theorem 2, Section V", assume=REGULAR)
def correlated_is_redundant(m: Model, i: str, j: str) -> Formula | bool:
    r"""A feature X_i can be left out of a linear model at a cost of at most (1 - rho(X_i, X_j)^2) Var[Y].

    $$\sigma_{\neg X_i \to Y}^2 \le \sigma_{X \to Y}^2 + \big(1 - \rho(X_i, X_j)^2\big) \sigma_Y^2$$
    Not printed as a formula: 'a feature is redundant if it is highly correlated with the others'. Its weight counts as
    well (B-2e): of Y = W, X1 = Z and X2 = Z + eW, with Z and W uncorrelated, X2 is needed for all, however small e is.
    """
    cost, left = _cost(m, frozenset({i})), linear_error(m, {j}, i)
    return i == j or cost * variance(m, i) <= left * variance(m, CLASS)


@paper.claim("B-2d", "after Theorem 2", r"\rho(X_i, Y) \ne 0 \Rightarrow I(X_i; Y) > 0")
def correlation_is_dependence(m: Model, i: str) -> Formula:
    """Correlation is the weaker index: a feature that is correlated with Y tells something about it."""
    return m.implies(covariance(m, CLASS, i) != 0, m.mutual_information(i) > 0)


@paper.claim("B-2dx", "after Theorem 2", printed=False)
def dependence_is_correlation(m: Model, i: str) -> Formula:
    r"""A feature that tells something about Y is correlated with it.

    $$I(X_i; Y) > 0 \Rightarrow \rho(X_i, Y) \ne 0$$
    The paper says that the correlation is the weaker index, and is right.
    """
    return m.implies(m.mutual_information(i) > 0, covariance(m, CLASS, i) != 0)


def _least(m: Model) -> Term:
    return m.sqrt(linear_error(m, m.features, CLASS))


def _cost(m: Model, A: frozenset[str]) -> Term:
    return linear_error(m, terms.others(m, A), CLASS) - linear_error(m, m.features, CLASS)


def _deviation(m: Model, A: frozenset[str], variable: str | None) -> Term:
    """Return what the features outside A leave of a variable, as a standard deviation."""
    return m.sqrt(linear_error(m, terms.others(m, A), variable))


def _size(m: Model, A: frozenset[str]) -> Term:
    return m.sum([1]) if len(A) == 1 else m.sqrt(len(A))


def _weighted(m: Model, A: frozenset[str]) -> Term:
    return m.sum(abs(weight(m, i)) * _deviation(m, A, i) for i in sorted(A))


def _inverse_times(m: Model, i: str, features: frozenset[str]) -> Term:
    return m.sum(inverse_entry(m, i, j) * covariance(m, j, CLASS) for j in sorted(features))


def _own_weight(m: Model, i: str) -> Formula:
    return weight(m, i) == covariance(m, i, CLASS) / variance(m, i)


def _isolated(m: Model, A: frozenset[str]) -> Formula:
    return terms.uncorrelated(m, ((i, j) for i in sorted(A) for j in sorted(m.features - {i})))


def _by_correlations(m: Model, A: frozenset[str], with_target: list[Term]) -> Formula:
    kept = sorted(terms.others(m, A))
    parts = []
    for i, cross in zip(sorted(A), with_target, strict=True):
        seen = m.sum(covariance(m, i, j) ** 2 / (variance(m, i) * variance(m, j)) for j in kept)
        parts.append(cross * m.sqrt((1 - seen) / variance(m, i)))
    bound = _deviation(m, A, CLASS) <= _least(m) + _size(m, A) * m.sum(parts)
    return m.implies(terms.uncorrelated(m, terms.pairs_within(A, kept)), bound)
