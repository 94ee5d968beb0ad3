"""The one-shot method, Table 2: test every feature once, against all features."""

from __future__ import annotations

from fractions import Fraction

from fstheory.distribution import JointDistribution, require_distribution
from fstheory.selection.result import MinimalOptimal
from fstheory.selection.shrink import class_first, risk_of, without
from fstheory.selection.steps import RiskTest

__all__ = ["one_shot"]


def one_shot(d: JointDistribution) -> MinimalOptimal:
    """Return the features without which the risk rises, each alone left out of all: the one-shot method of Table 2.

    Parameters
    ----------
    d : JointDistribution

    Returns
    -------
    MinimalOptimal

    Notes
    -----
    Under both assumptions this is S* (Theorem 6). For every distribution it is the intersection of all
    solutions: if R(not Xi) = R(X), some solution lies within not Xi; and a solution that lacks Xi makes the
    risk of not Xi minimal. So it is a solution if and only if the solution is unique.

    Complexity: n passes over the table.

    References
    ----------
    Peña and Nilsson (2010), Table 2 and Theorem 6.

    Examples
    --------
    >>> from fstheory import gallery
    >>> result = one_shot(gallery.copies())  # each of two copies can be spared, but not both
    >>> sorted(result.features), result.risk, result.is_solution
    ([], Fraction(1, 2), False)
    """
    require_distribution(d)
    table, everything = class_first(d), frozenset(d.features)
    best: Fraction = risk_of(table, d.total)
    trace = tuple(
        RiskTest(everything, name, best, risk_of(without(table, i), d.total)) for i, name in enumerate(d.features)
    )
    kept = frozenset(test.candidate for test in trace if not test.removed)
    return MinimalOptimal(d, "one-shot", kept, trace, len(trace))
