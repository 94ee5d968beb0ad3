"""Entropy and mutual information of any sets of variables, exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._exact import Exact
from fstheory.distribution import Data, Sample, require_data
from fstheory.reals import LogSum
from fstheory.subsets import Subset, mask_of

__all__ = ["Cells", "conditional_entropy", "conditional_mutual_information", "entropy", "entropy_sum", "histogram"]
__all__ += ["information_lost", "mutual_information"]

Cells: TypeAlias = "npt.NDArray[Any]"


def _mask(d: Data, names: Iterable[str], argument: str) -> int:
    """Return the bitmask of some variables: bit i for feature i, the bit after the features' for the target."""
    return mask_of(names, (*d.features, d.target), argument)


def entropy_sum(d: Data, masks: Iterable[tuple[int, int]], base: Exact | None) -> LogSum:
    """Return ``sum(c H(M))`` over pairs (coefficient c, mask M of variables).

    With the total T and the cells n of the marginal of M, T H(M) = T log T - sum n log n. Cells that are 0 add nothing.
    """
    terms: Counter[int] = Counter()
    total = d.m if isinstance(d, Sample) else d.total
    for coefficient, mask in masks:
        terms[total] += coefficient * total
        for cell, times in histogram(_cells(d, mask)):
            terms[cell] -= coefficient * cell * times
    return LogSum.from_integer_terms(terms, denominator=total, base=base)


def _cells(d: Data, mask: int) -> Cells:
    """Return the weights of the marginal of some variables, in one row; of a sample the counts of what occurs."""
    if isinstance(d, Sample):
        target = len(d.features)
        counts = d._cells_at(mask & ~(1 << target))
        return counts.ravel() if mask >> target & 1 else counts.sum(axis=1)
    gone = tuple(axis for axis in range(d.weights.ndim) if not mask >> axis & 1)
    return np.asarray(d.weights.sum(axis=gone), dtype=d.weights.dtype).reshape(-1)


def histogram(cells: Cells) -> Iterable[tuple[int, int]]:
    """Return the distinct positive cells, each with the number of times it occurs."""
    if cells.dtype == object:
        return Counter(cell for cell in cells.tolist() if cell).items()
    values, times = np.unique(cells[cells > 0], return_counts=True)
    return zip(values.tolist(), times.tolist(), strict=True)


def entropy(d: Data, variables: Iterable[str], *, base: Exact | None = None) -> LogSum:
    """Return the joint entropy H(A) of some variables.

    Parameters
    ----------
    d : JointDistribution or Sample
    variables : iterable of names
        Features and, if wanted, the target; of no variables the entropy is 0.
    base : exact number above 1, optional
        Of the logarithm: 2 for bits; nats if not given.

    Returns
    -------
    LogSum
        H(A) = -sum p(a) log p(a) over the states a with p(a) > 0.

    Notes
    -----
    Complexity: one pass over the cells of `d`, or its distinct rows.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from fstheory import JointDistribution
    >>> d = JointDistribution([[1, 1], [2, 0]])
    >>> entropy(d, {"X1", "Y"}, base=2) == Fraction(3, 2)
    True
    >>> print(entropy(d, {"Y"}))
    2*log(2) - 3/4*log(3) ≈ 0.562335
    """
    require_data(d)
    return entropy_sum(d, [(1, _mask(d, variables, "variables"))], base)


def conditional_entropy(
    d: Data, variables: Iterable[str], given: Iterable[str], *, base: Exact | None = None
) -> LogSum:
    """Return the conditional entropy H(A | C) of some variables given others.

    Parameters
    ----------
    d : JointDistribution or Sample
    variables, given : iterables of names
        They may share variables; what is given has no entropy left.
    base : exact number above 1, optional
        2 for bits; nats if not given.

    Returns
    -------
    LogSum
        H(A | C) = H(A, C) - H(C): the mean of the entropies of A over the states of C that are possible.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.2.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.xor()  # Y = X1 xor X2
    >>> conditional_entropy(d, {"Y"}, {"X1"}, base=2) == 1, conditional_entropy(d, {"Y"}, {"X1", "X2"}) == 0
    (True, True)
    """
    require_data(d)
    a, c = _mask(d, variables, "variables"), _mask(d, given, "given")
    return entropy_sum(d, [(1, a | c), (-1, c)], base)


def mutual_information(
    d: Data, a: Iterable[str], b: Iterable[str] | None = None, *, base: Exact | None = None
) -> LogSum:
    """Return the mutual information I(A; B) of two sets of variables: I(A; Y), about the class, if B is not given.

    Parameters
    ----------
    d : JointDistribution or Sample
    a, b : iterables of names, or one name
        B is the class if not given. They may share variables: I(A; A) = H(A).
    base : exact number above 1, optional
        2 for bits; nats if not given.

    Returns
    -------
    LogSum
        I(A; B) = H(A) + H(B) - H(A, B). It is 0 exactly if A and B are independent.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.3; Beraha et al. (2019), Section II.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.xor()
    >>> mutual_information(d, {"X1"}) == mutual_information(d, {"X1"}, {"X2"}) == 0
    True
    >>> mutual_information(d, {"X1", "X2"}, base=2) == 1
    True
    """
    return conditional_mutual_information(d, a, b, base=base)


def conditional_mutual_information(
    d: Data,
    a: Iterable[str],
    b: Iterable[str] | None = None,
    given: Iterable[str] = (),
    *,
    base: Exact | None = None,
) -> LogSum:
    """Return the conditional mutual information I(A; B | C): I(A; Y | C), about the class, if B is not given.

    Parameters
    ----------
    d : JointDistribution or Sample
    a, b, given : iterables of names
        B is the class if not given. Any of them may be empty, and they may share variables: what is given tells
        nothing more, and a variable of both A and B tells all about itself, I(A; A | C) = H(A | C).
    base : exact number above 1, optional
        2 for bits; nats if not given.

    Returns
    -------
    LogSum
        I(A; B | C) = H(A, C) + H(B, C) - H(A, B, C) - H(C), never negative. It is 0 exactly if A and B are
        independent given C.

    Notes
    -----
    Complexity: one pass over the cells of `d`, or its distinct rows, for each of the four entropies.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.5; Beraha et al. (2019), Section II.

    Examples
    --------
    >>> from fstheory import gallery
    >>> conditional_mutual_information(gallery.xor(), {"X1"}, given={"X2"}, base=2) == 1
    True
    """
    require_data(d)
    pairs = ((a, "a"), ((d.target,) if b is None else b, "b"), (given, "given"))
    first, second, c = (_mask(d, names, argument) for names, argument in pairs)
    return entropy_sum(d, [(1, first | c), (1, second | c), (-1, first | second | c), (-1, c)], base)


def information_lost(d: Data, removed: Subset, *, base: Exact | None = None) -> LogSum:
    """Return what is lost about the class when some features are removed: nu(A) = I(Y; X_A | the other features).

    Parameters
    ----------
    d : JointDistribution or Sample
    removed : iterable of feature names, or one name
        The features A that are given up.
    base : exact number above 1, optional
        2 for bits; nats, the unit of the paper's bounds, if not given.

    Returns
    -------
    LogSum
        H(Y | all other features) - H(Y | all features), never negative.

    References
    ----------
    Beraha, Metelli, Papini, Tirinzoni and Restelli, "Feature Selection via Mutual Information: New Theoretical
    Insights" (2019), Section III.

    Examples
    --------
    >>> from fstheory import gallery
    >>> information_lost(gallery.xor(), {"X1"}, base=2) == 1
    True
    """
    require_data(d)
    target = 1 << len(d.features)
    every = target - 1
    kept = every & ~mask_of(removed, d.features, "removed")
    return entropy_sum(d, [(1, kept | target), (-1, kept), (-1, every | target), (1, every)], base)
