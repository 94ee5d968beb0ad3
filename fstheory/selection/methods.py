"""The minimal-optimal problem by any of its methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.selection.backward import backward_search
from fstheory.selection.exhaustive import exhaustive_search
from fstheory.selection.oneshot import one_shot
from fstheory.selection.resample import resampling
from fstheory.selection.result import Method, MinimalOptimal

__all__ = ["minimal_optimal"]

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
    InvalidTypeError, InvalidValueError, UnknownNameError
        The method is unknown, or `order` does not name every feature once or is given with another method.
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

    Complexity: at most n(n + 1)/2 passes over the table for backward search, n for one-shot and resampling, the
    3**n additions of `bayes_risks` (for binary features) for the exhaustive method.

    References
    ----------
    Peña and Nilsson (2010), Section 4.

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
    if not isinstance(method, str) or method not in get_args(Method):
        raise InvalidValueError(explain("method", f"one of {', '.join(get_args(Method))}", method, "correct it"))
    if method == "backward":
        return backward_search(d, order=order)
    if order is not None:
        raise InvalidValueError(
            explain("order", "left out unless the method is 'backward'", order, f"the method {method!r} has no order")
        )
    return _METHODS[method](d)
