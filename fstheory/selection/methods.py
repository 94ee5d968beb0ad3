"""The minimal-optimal problem by its methods: backward search, one-shot, exhaustive, resampling."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import get_args

from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.distribution.weights import Weights
from fstheory.errors import InvalidValueError, explain, require_choice
from fstheory.selection.greedy import feature_order
from fstheory.selection.resampling import resampling
from fstheory.selection.result import Method, MinimalOptimal, RiskTest, class_first, right_weight, without
from fstheory.subsets import indices_of, names_of

__all__ = ["backward_search", "exhaustive_search", "minimal_optimal", "one_shot"]


def backward_search(d: JointDistribution, *, order: Iterable[str] | None = None) -> MinimalOptimal:
    """Solve the minimal-optimal problem by backward search, exactly as in Table 1.

    Parameters
    ----------
    d : JointDistribution
    order : iterable of str, optional
        All features, in the order in which the index i of the table runs through them; that of
        ``d.features`` if not given.

    Returns
    -------
    MinimalOptimal
        Its `trace` holds every execution of line 5, its `iterations` counts those of line 3.

    Notes
    -----
    For every distribution the set returned is a solution: it has minimal risk by how the search works, and
    by monotonicity it contains no smaller set that has. Only that there is no other solution needs the two
    assumptions (Theorem 4). Where there are others, which one is found depends on the order.

    The return to i = 1 after a removal is never needed: a feature that could not be spared in a larger set
    cannot be spared in a smaller one. With it, line 3 is executed n times and once more for each feature
    that is removed and each that stands before it in the order, at most n(n + 3)/2 times.

    Complexity: at most n(n + 1)/2 tests, each a pass over the table of the features that are left. Source: Peña and
    Nilsson (2010), Table 1 and Theorem 5.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.recoded()  # X3 = X1 xor X2
    >>> [sorted(backward_search(d, order=order).features) for order in (["X1", "X2", "X3"], ["X3", "X1", "X2"])]
    [['X3'], ['X1', 'X2']]
    """
    require_distribution(d)
    sequence = feature_order(order, d.features)
    n, mask = len(sequence), 2 ** len(sequence) - 1  # 1: S = X
    table = class_first(d)
    best, trace, iterations, i = _risk(table, d.total), [], 0, 0  # 2: i = 1
    while i < n:  # 3
        iterations += 1
        feature = sequence[i]
        if mask >> feature & 1:  # 4
            shrunk = without(table, indices_of(mask).index(feature))
            trace.append(RiskTest(names_of(mask, d.features), d.features[feature], best, _risk(shrunk, d.total)))
            if trace[-1].removed:  # 5
                mask, table, i = mask & ~(1 << feature), shrunk, 0  # 6, 7
                continue
        i += 1  # 9, 11
    return MinimalOptimal(d, "backward", names_of(mask, d.features), tuple(trace), iterations)  # 12


def one_shot(d: JointDistribution) -> MinimalOptimal:
    """Return the features without which the risk rises, each alone left out of all: the one-shot method of Table 2.

    Notes
    -----
    Under both assumptions this is S* (Theorem 6). For every distribution it is the intersection of all
    solutions: if R(not Xi) = R(X), some solution lies within not Xi; and a solution that lacks Xi makes the
    risk of not Xi minimal. So it is a solution if and only if the solution is unique.

    Complexity: n passes over the table. Source: Peña and Nilsson (2010), Table 2 and Theorem 6.

    Examples
    --------
    >>> from fstheory import gallery
    >>> result = one_shot(gallery.copies())  # each of two copies can be spared, but not both
    >>> sorted(result.features), result.risk, result.is_solution
    ([], Fraction(1, 2), False)
    """
    require_distribution(d)
    table, everything = class_first(d), frozenset(d.features)
    best, risks = _risk(table, d.total), (_risk(without(table, i), d.total) for i in range(len(d.features)))
    trace = tuple(RiskTest(everything, name, best, risk) for name, risk in zip(d.features, risks, strict=True))
    kept = frozenset(test.candidate for test in trace if not test.removed)
    return MinimalOptimal(d, "one-shot", kept, trace, len(trace))


def _risk(table: Weights, total: int) -> Fraction:
    return 1 - Fraction(right_weight(table), total)


def exhaustive_search(d: JointDistribution) -> MinimalOptimal:
    """Return every solution of the minimal-optimal problem, whatever the distribution.

    Returns
    -------
    MinimalOptimal
        `solutions` holds every minimal set with minimal risk, by size and then lexicographically; `features` is
        the first of them.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory.

    Notes
    -----
    Complexity: the 3**n additions of `bayes_risks` (for binary features). Source: Peña and Nilsson (2010), Section 4
    and Theorem 4.

    Examples
    --------
    >>> from fstheory import gallery
    >>> [sorted(subset) for subset in exhaustive_search(gallery.recoded()).solutions]
    [['X3'], ['X1', 'X2']]
    """
    require_distribution(d)
    solutions = bayes_risks(d).minimal_sets()
    return MinimalOptimal(d, "exhaustive", solutions[0], (), 2 ** len(d.features), solutions)


_METHODS = {"one-shot": one_shot, "resampling": resampling, "exhaustive": exhaustive_search}


def minimal_optimal(
    d: JointDistribution, method: Method = "backward", *, order: Iterable[str] | None = None
) -> MinimalOptimal:
    """Find the minimal-optimal subset S*: minimal among the feature subsets that have minimal Bayes risk.

    Parameters
    ----------
    d : JointDistribution
    method : {'backward', 'one-shot', 'resampling', 'exhaustive'}
        Backward search (Table 1), one-shot (Table 2), the characterization of Theorem 7, or a look at
        every subset. See `backward_search`, `one_shot`, `resampling` and `exhaustive_search`.
    order : iterable of str, optional
        The order in which backward search tries the features, all of them.

    Returns
    -------
    MinimalOptimal
        With the set in `features`, the tests made in `trace`, and in `positive`, `unique_maximum` and `guaranteed`
        how far the theorems vouch for it. Printed, it says so.

    Raises
    ------
    TooLargeError
        The method is exhaustive and the 2**n risks do not fit in memory.

    Notes
    -----
    If p(x) > 0 and p(Y|x) has a single maximum for all x, the solution is unique and every method returns it
    (Theorems 4 to 7). Otherwise, for every distribution:

    - backward search ends at a solution, perhaps one of several;
    - one-shot returns the intersection of all solutions, so that its set has minimal risk if and only if
      there is just one;
    - resampling returns a superset of that intersection, and the same set if maxima are unique;
    - the exhaustive method returns all solutions.

    Complexity: at most n(n + 1)/2 passes over the table for backward search, n for one-shot and resampling, the 3**n
    additions of `bayes_risks` (for binary features) for the exhaustive method. Source: Peña and Nilsson (2010), Section
    4.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(minimal_optimal(gallery.xor(noise="1/10")))
    X1X2 by backward search (Table 1), Bayes risk 1/10 = 0.1
    <BLANKLINE>
    p(x) > 0 for every x: holds.
    p(Y|x) has a single maximum for every x with p(x) > 0: holds.
    Both assumptions hold, so this is S*, the only solution (Theorem 5).
    Here it is a solution, and the only one.
    <BLANKLINE>
    Tests:
      X1  R = 1/2 without it, above 1/10  kept
      X2  R = 1/2 without it, above 1/10  kept
    """
    require_choice(method, "method", get_args(Method))
    if method == "backward":
        return backward_search(d, order=order)
    if order is not None:
        repair = f"the method {method!r} has no order"
        raise InvalidValueError(explain("order", "left out unless the method is 'backward'", order, repair))
    return _METHODS[method](d)
