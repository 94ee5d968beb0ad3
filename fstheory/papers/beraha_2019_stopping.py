"""Beraha et al. (2019), Section IV: backward elimination and forward selection, and when to stop.

A run is described by the features A that were moved before the last step T, and the feature i of that step. The sums
of scores grow, so the printed rule ends a run there exactly if the sum for A is below the threshold and that for A
and i is not. What is promised is monotone in delta. So wherever the language can say it, delta is gone: a promise
holds for all delta that end the run there exactly if it holds for the least (backward) or the largest (forward).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers import terms
from fstheory.papers.beraha_2019 import BERAHA_2019
from fstheory.papers.entry import Declarations
from fstheory.papers.terms import at_most_root

__all__ = [
    "DELTAS",
]
paper = Declarations(BERAHA_2019)

DELTAS = tuple(Fraction(text) for text in ("1/20", "1/10", "1/4", "21/50", "1/2", "1"))
"""The thresholds of Table I, and 0.42."""


@paper.claim("B-4", "Section IV, backward")
def backward_classification(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""Backward elimination as printed leaves features, those outside A_T, of a risk of at most epsilon + delta.

    $$\sum_{h=1}^{T-1} I_h < \tfrac12 \delta^2 \le \sum_{h=1}^{T} I_h \Rightarrow R(\bar A_T) \le \epsilon + \delta$$
    'Achieves an error of' means: of at most. A_T holds the features removed prior to step T, so i_T stays, and that is
    what the proof needs. That the scores are the least plays no part.
    """
    bound = at_most_root(m.risk(terms.others(m, A)) - m.risk(), 2 * terms.score(m, A))
    return i in A or m.implies(_ends_backward(m, A, i), bound)


@paper.claim("B-4r", "Section IV, backward")
def backward_regression(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""Backward elimination as printed leaves features of a squared error of at most sigma^2 + delta.

    $$\sum_{h < T} I_h < \delta/2B^2 \le \sum_{h \le T} I_h \Rightarrow \mathrm{MSE}(\bar A_T) \le \sigma^2 + \delta$$
    """
    bound = _squared_excess(m, terms.others(m, A)) <= _scale(m) * terms.score(m, A)
    return i in A or m.implies(_ends_backward(m, A, i), bound)


@paper.claim("B-4s", "Section IV, backward", corrects="B-4")
def any_removal_with_the_sharper_thresholds(m: Model, A: frozenset[str]) -> Formula:
    r"""Features removed in any order cost at most delta while nu <= 2 delta^2, or nu <= 2 delta / W^2 (regression).

    $$\nu(A) \le 2 \delta^2 \Rightarrow R(\bar A) \le \epsilon + \delta,\quad \nu(A) \le 2 \delta / W^2 \Rightarrow
    \mathrm{MSE}(\bar A) \le \sigma^2 + \delta$$
    For classification four times as much information may go as the printed rule allows.
    """
    kept, lost = terms.others(m, A), terms.score(m, A)
    return m.all(
        m.implies(lost <= 2 * delta**2, m.risk(kept) <= m.risk() + delta)
        & m.implies(terms.width(m) ** 2 * lost <= 2 * delta, _squared_excess(m, kept) <= delta)
        for delta in DELTAS
    )


@paper.claim("B-4z", "Section IV, backward")
def zero_threshold_removes(m: Model, i: str) -> Formula:
    r"""With delta = 0, backward elimination removes a first feature whose score is 0.

    $$\delta = 0,\ I_1 = 0 \Rightarrow i_1 \text{ is removed}$$
    The text says that delta = 0 corresponds to removing features as long as the scores are 0. As printed the rule stops
    at the first step, always. Section VI words it otherwise: stop when the bound is greater.
    """
    nothing = frozenset[str]()
    worthless = _removed_then(m, nothing, i) & (terms.score(m, frozenset({i})) == 0)
    return m.implies(worthless, terms.score(m, frozenset({i})) < Fraction(0) ** 2 / 2)  # the sum stays below


@paper.claim("B-4zc", "Section IV, backward", corrects="B-4z")
def zero_score_costs_nothing(m: Model, A: frozenset[str]) -> Formula:
    r"""Removing features while the sum is not above the threshold, for delta = 0 while nu = 0, costs nothing at all.

    $$\nu(A) = 0 \Rightarrow R(\bar A) = \epsilon,\ \mathrm{MSE}(\bar A) = \sigma^2$$
    The rule must be: stop when the sum is larger than the threshold. All guarantees hold with it.
    """
    kept = terms.others(m, A)
    return m.implies(terms.score(m, A) == 0, (m.risk(kept) == m.risk()) & (_squared_excess(m, kept) == 0))


@paper.claim("B-5d", "Section IV, forward")
def forward_error_introduced(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""Forward selection, even if it keeps i_T, introduces an error of at most delta, as its first line says.

    $$R(A_{T+1}) \le \epsilon + \delta$$
    Delta is introduced as 'the maximum error that the filter is allowed to introduce'. Forwards it is not: a larger
    delta asks for more features, and promises less error. (Equation 17 says 'given the remaining features' where it
    conditions on those selected.)
    """
    return i in A or m.all(m.implies(_stops(m, A, i, delta), m.risk(A | {i}) <= m.risk() + delta) for delta in DELTAS)


@paper.claim("B-5r", "Section IV, forward")
def forward_regression(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""Forward selection as printed selects A_T, of squared error at most sigma^2 - delta + 2 B^2 I(Y; X).

    $$\mathrm{MSE}(A_T) \le \sigma^2 - \delta + 2 B^2 I(Y; X)$$
    A_T holds the features selected prior to step T and lacks the one that reaches the threshold.
    """
    return i in A or m.implies(_gains(m, A, i), _squared_excess(m, A) <= _still_unknown(m, A | {i}))


@paper.claim("B-5ri", "Section IV, forward", corrects="B-5r")
def forward_regression_with_the_last(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""If the sum reaches the threshold, A_(T+1) has a squared error of at most sigma^2 - delta + 2 B^2 I(Y; X).

    $$I(Y; X_{A_{T+1}}) \ge \delta / (2B^2) \Rightarrow \mathrm{MSE}(A_{T+1}) \le \sigma^2 - \delta + 2B^2 I(Y; X)$$
    """
    return i in A or m.implies(_gains(m, A, i), _squared_excess(m, A | {i}) <= _still_unknown(m, A | {i}))


@paper.claim("B-5rn", "Section IV, forward")
def forward_regression_not_reached(m: Model) -> Formula | bool:
    r"""If the sum never reaches the threshold, the squared error is at most sigma^2 - delta + 2 B^2 I(Y; X).

    $$2 B^2 I(Y; X) < \delta \Rightarrow \mathrm{MSE}(X) \le \sigma^2 - \delta + 2 B^2 I(Y; X)$$
    If the sum never reaches the threshold, the promise is below what is possible.
    """
    information = _scale(m) * m.mutual_information(m.features)
    return m.all(
        m.implies(information < delta, _squared_excess(m, m.features) <= information - delta) for delta in DELTAS
    )


@paper.claim("B-5", "Section IV, forward")
def forward_classification(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""Forward selection as printed selects A_T, of risk at most epsilon - delta + sqrt(2 I(Y; X)).

    $$R(A_T) \le \epsilon - \delta + \sqrt{2 I(Y; X)}$$
    As for regression, A_T lacks the feature that reaches the threshold.
    """
    return i in A or m.all(m.implies(_stops(m, A, i, delta), _promised(m, A, delta)) for delta in DELTAS)


@paper.claim("B-5i", "Section IV, forward")
def forward_classification_with_the_last(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""Forward selection that keeps i_T, so A_(T+1), has a risk of at most epsilon - delta + sqrt(2 I(Y; X)).

    $$I(Y; X_{A_{T+1}}) \ge \tfrac12 \delta^2 \Rightarrow R(A_{T+1}) \le \epsilon - \delta + \sqrt{2 I(Y; X)}$$
    The proof is 'analogous' to regression, but sqrt(2 I - delta^2) is not sqrt(2 I) - delta. Seven people are the
    fewest for two binary features and a binary class, whatever delta is.
    """
    return i in A or m.all(m.implies(_stops(m, A, i, delta), _promised(m, A | {i}, delta)) for delta in DELTAS)


@paper.claim("B-5c", "Section IV, forward", corrects="B-5i")
def forward_classification_corrected(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""If the sum reaches the threshold, A_(T+1) has a risk of at most epsilon + sqrt(2 I(Y; X) - delta^2).

    $$I(Y; X_{A_{T+1}}) \ge \tfrac12 \delta^2 \Rightarrow R(A_{T+1}) \le \epsilon + \sqrt{2 I(Y; X) - \delta^2}$$
    """
    return i in A or _corrected(m, A, i, Fraction(2))


@paper.claim("B-5s", "Section IV, forward", corrects="B-5c")
def forward_classification_sharper(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""If the sum reaches the threshold, A_(T+1) has a risk of at most epsilon + sqrt(I(Y; X)/2 - delta^2/4).

    $$I(Y; X_{A_{T+1}}) \ge \delta^2 / 2 \Rightarrow R(A_{T+1}) \le \epsilon + \sqrt{I(Y; X) / 2 - \delta^2 / 4}$$
    """
    return i in A or _corrected(m, A, i, Fraction(1, 2))


@paper.claim("B-5n", "Section IV, forward")
def forward_classification_not_reached(m: Model) -> Formula | bool:
    r"""If the sum never reaches the threshold, all features have a risk of at most epsilon - delta + sqrt(2 I(Y; X)).

    $$\sqrt{2 I(Y; X)} < \delta \Rightarrow R(X) \le \epsilon - \delta + \sqrt{2 I(Y; X)}$$
    If the sum never reaches the threshold, the promise is below what is possible.
    """
    whole = m.mutual_information(m.features)
    return m.all(m.implies(2 * whole < delta**2, _promised(m, m.features, delta)) for delta in DELTAS)


@paper.claim("B-5t", "Section IV, forward, proof")
def selected_information(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    r"""I(Y; X_A) of A = A_T, the features selected prior to step T, is the sum of the scores up to step T.

    $$I(Y; X_{A_T}) = \sum_{t=1}^{T} I_t$$
    The step from the recursion to the sum: that of A_T ends at T - 1, as in equation 16.
    """
    same = m.mutual_information(A) == m.mutual_information(A) + m.mutual_information(i, A)
    return i in A or m.implies(_selected_then(m, A, i), same)


@paper.claim("B-5tc", "Section IV, forward, proof", r"I(Y; X_{A_{T+1}}) = \sum_{t=1}^{T} I_t", corrects="B-5t")
def selected_information_with_the_last(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    """I(Y; X_A) of A = A_(T+1) is the sum of the scores up to step T, in whatever order its features came."""
    return i in A or m.all(
        m.mutual_information(A | {i})
        == m.sum(m.mutual_information(j, (*order, i)[:step]) for step, j in enumerate((*order, i)))
        for order in itertools.permutations(sorted(A))
    )


paper.entry("B-6", "Section IV-A")(r"""
The estimator of Gao et al. is consistent when the samples and the neighbors both grow to infinity.
$$N, k \to \infty \Rightarrow \hat I_k \to I(X; Y)$$
The neighbors must become few among the samples, too. Section VI takes a fixed fraction c of them, and then it is not:
with X uniform on an interval of length s > 2/c and Y its integer part modulo 2 it tends to 0 or less, and I is log 2.
""")

paper.entry("B-6c", "Section IV-A", corrects="B-6")(r"""
For X and Y with finitely many values the estimator is consistent if k/N tends to 0, whether k grows or not.
$$\hat I_k \to I(X; Y) \text{ almost surely if } k / N \to 0$$
If each pair occurs more than k times it is below that of the sample, by less than the number of pairs through N.
""")

paper.entry("B-6k", "Section IV-A")(r"""
Where X and Y have a density, the estimator of Gao et al. is that of Kraskov et al.
$$\hat I_k = \psi(k) + \psi(N) - \overline{\psi(n_x) + \psi(n_y)}$$
Published with logarithms of N and of the numbers of near points, it is smaller on every sample without ties; in its
authors' program, with log N for psi(N) alone, larger by 1/(2N) or more. Where the numbers grow the difference vanishes.
""")


def _backward_score(m: Model, gone: frozenset[str], i: str) -> Term:
    return m.mutual_information(i, terms.others(m, gone | {i}))


def _forward_score(m: Model, chosen: frozenset[str], i: str) -> Term:
    return -m.mutual_information(i, chosen)  # the largest is the least of these


def _goes_next(m: Model, moved: frozenset[str], i: str, score: Callable[[Model, frozenset[str], str], Term]) -> Formula:
    """Say that no other feature has a smaller score once some are moved."""
    rivals = sorted(m.features - moved - {i})
    return m.all(score(m, moved, i) <= score(m, moved, j) for j in rivals)


def _are_moved(m: Model, A: frozenset[str], score: Callable[[Model, frozenset[str], str], Term]) -> Formula:
    """Say that a greedy run may move the features A first, in some order."""
    return m.any(
        m.all(_goes_next(m, frozenset(order[:step]), i, score) for step, i in enumerate(order))
        for order in itertools.permutations(sorted(A))
    )


def _removed_then(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that backward elimination may remove A and then look at i."""
    return _are_moved(m, A, _backward_score) & _goes_next(m, A, i, _backward_score)


def _ends_backward(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that for some delta backward elimination may stop at i, with A removed before."""
    return _removed_then(m, A, i) & (terms.score(m, A) < terms.score(m, A | {i}))


def _selected_then(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that forward selection may select A and then look at i."""
    return _are_moved(m, A, _forward_score) & _goes_next(m, A, i, _forward_score)


def _stops(m: Model, A: frozenset[str], i: str, delta: Fraction) -> Formula:
    """Say that forward selection for classification may stop at i, with A selected before."""
    reached = (m.mutual_information(A) < delta**2 / 2) & (m.mutual_information(A | {i}) >= delta**2 / 2)
    return reached & _selected_then(m, A, i)


def _promised(m: Model, selected: frozenset[str], delta: Fraction) -> Formula:
    """Say that the risk is at most epsilon - delta + sqrt(2 I(Y; X))."""
    return at_most_root(m.risk(selected) - m.risk() + delta, 2 * m.mutual_information(m.features))


def _corrected(m: Model, A: frozenset[str], i: str, factor: Fraction) -> Formula:
    """Say that A_(T+1) keeps the bound for the largest delta that stops there: delta^2 / 2 = I(Y; A_(T+1))."""
    unknown = m.mutual_information(m.features) - m.mutual_information(A | {i})
    return m.implies(_gains(m, A, i), at_most_root(m.risk(A | {i}) - m.risk(), factor * unknown))


def _gains(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that for some delta forward selection may stop at i, with A selected before."""
    return (m.mutual_information(A) < m.mutual_information(A | {i})) & _selected_then(m, A, i)


def _still_unknown(m: Model, selected: frozenset[str]) -> Term:
    """Return 2 B^2 I(Y; X) - delta for the largest delta that stops at these features."""
    return _scale(m) * (m.mutual_information(m.features) - m.mutual_information(selected))


def _squared_excess(m: Model, kept: frozenset[str]) -> Term:
    return terms.squared_error(m, kept) - terms.squared_error(m, m.features)


def _scale(m: Model) -> Term:
    return 2 * terms.largest(m) ** 2
