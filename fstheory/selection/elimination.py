"""Backward elimination and forward selection by conditional mutual information, with the four stopping rules."""

from __future__ import annotations

from collections.abc import Iterable

from fstheory._rational import Exact
from fstheory.distribution import JointDistribution
from fstheory.selection.cmi_result import CMISelection
from fstheory.selection.cmi_walk import Walk
from fstheory.selection.error_bound import Problem
from fstheory.selection.stopping import StoppingRule

__all__ = ["cmi_elimination", "cmi_selection"]


def cmi_elimination(
    d: JointDistribution,
    stop: StoppingRule,
    *,
    problem: Problem = "classification",
    bound: Exact | None = None,
    order: Iterable[str] | None = None,
) -> CMISelection:
    """Remove features, each time the one that tells least about the class given the others.

    Parameters
    ----------
    d : JointDistribution
    stop : StoppingRule
        `ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule` or `FeatureCountRule`.
    problem : {'classification', 'regression'}
        Whether the error is the probability of a wrong class or the mean squared error; for regression the classes
        are numbers.
    bound : exact number, optional
        For regression, B with ``|Y| <= B``; the largest ``|y|`` that is possible, if not given.
    order : iterable of str, optional
        All features: of candidates that tell equally little the first in this order is removed.

    Returns
    -------
    CMISelection
        With the exact conditional mutual information of every candidate at each step, the error and the bounds on it.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        `stop` is no stopping rule or asks for too many features, the classes are no numbers for regression, `bound`
        is too small, or `order` does not name every feature once.

    Notes
    -----
    With `ErrorRule` the error is at most delta above that of all features, as printed and corrected, because
    nu(A) is the sum of the scores of the features removed; every decision is exact. The error after a removal
    is bounded by Theorem 3 (classification) or Theorem 1. Complexity: n(n + 1)/2 conditional entropies.

    References
    ----------
    Beraha et al. (2019), Section IV, Backward Elimination; Section VI for the stopping rules.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import ErrorRule, cmi_elimination
    >>> d = gallery.copies()
    >>> cmi_elimination(d, ErrorRule(0)).features, cmi_elimination(d, ErrorRule(0, printed=True)).features
    (('X2',), ('X1', 'X2'))
    """
    return Walk(d, stop, problem, bound, order, "backward").run()


def cmi_selection(
    d: JointDistribution,
    stop: StoppingRule,
    *,
    problem: Problem = "classification",
    bound: Exact | None = None,
    order: Iterable[str] | None = None,
) -> CMISelection:
    """Add features, each time the one that tells most about the class given those added.

    Parameters
    ----------
    d : JointDistribution
    stop : StoppingRule
        `ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule` or `FeatureCountRule`.
    problem : {'classification', 'regression'}
        Whether the error is the probability of a wrong class or the mean squared error; for regression the classes
        are numbers.
    bound : exact number, optional
        For regression, B with ``|Y| <= B``; the largest ``|y|`` that is possible, if not given.
    order : iterable of str, optional
        All features: of candidates that tell equally much the first in this order is added first.

    Returns
    -------
    CMISelection
        With the exact conditional mutual information of every candidate at each step, the error and the bounds on it.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        As of `cmi_elimination`.

    Notes
    -----
    With `ErrorRule` features are added until what the others still tell, nu = I(Y; X) - I(Y; selected), bounds the
    excess error by delta. As printed, the rule requires a gain of information instead, and its guarantee fails in
    general: see `guarantee`. Complexity: n(n + 1)/2 conditional entropies at most.

    References
    ----------
    Beraha et al. (2019), Section IV, Forward Selection.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import ErrorRule, cmi_selection
    >>> cmi_selection(gallery.titanic(), ErrorRule("1/4")).features
    ('sex', 'class')
    >>> cmi_selection(gallery.titanic(), ErrorRule("1/4", sharp=True)).features
    ('sex',)
    """
    return Walk(d, stop, problem, bound, order, "forward").run()
