"""Entropy and mutual information of every feature subset, in one pass and decided exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from functools import partial

import numpy as np

from fstheory._exact import Exact, as_index
from fstheory._memory import enough_memory, require_cells
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.information.columns import class_entropy, class_information, feature_entropy, posteriors, state_weights
from fstheory.information.enclosures import Floats, class_entropies, feature_entropies
from fstheory.reals import LogSum, log
from fstheory.subsets import Masks
from fstheory.table import EnclosedColumn, SubsetTable

__all__ = ["conditional_entropy_table", "entropy_table", "mutual_information_table"]

_UNIT = 2.0**-53
_WHAT, _REPAIR = "the table of all subsets", "take the marginal of fewer features"

# Peaks by tracemalloc: 51 bytes a subset of binary features for `entropy_table`, 73 for the others with 2 classes,
# 134 with 4; where subsets are few, 24 a weight, or 46 of a weight that is an object.
_BYTES, _BYTES_A_WEIGHT, _BYTES_AN_OBJECT = 32, 26, 48


def conditional_entropy_table(
    d: JointDistribution, *, workers: int = 1, base: Exact | None = None
) -> SubsetTable[LogSum]:
    """Return H(Y | X_S), the entropy of the class that is left, for all 2**n feature subsets S.

    Parameters
    ----------
    d : JointDistribution
        Any cardinalities, any number of classes, weights of any size.
    workers : int
        Threads to use; the result does not depend on it.
    base : exact number above 1, optional
        2 for bits; nats if not given.

    Returns
    -------
    SubsetTable
        Small values are better. Each value is exact when it is asked for; orderings and ties are decided
        exactly, by floats with a proven error where they suffice.

    Raises
    ------
    TooLargeError
        The 2**n values do not fit in memory.

    Notes
    -----
    Complexity: prod(c_i + 1) logarithms for each class, 3**n for binary features. The floats err by less than
    1e-12 nats for 16 binary features; totals of any size are scaled, which costs no accuracy.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.2; Ahmed et al. (2015), where this is the
    criterion of the logarithmic measure.

    Examples
    --------
    >>> from fstheory import gallery
    >>> table = conditional_entropy_table(gallery.xor(), base=2)
    >>> print(table.ordering())
    X1X2 < {} = X1 = X2
    >>> table[{"X1"}] == 1
    True
    """
    _require(d, workers, base)
    with enough_memory(_WHAT, _REPAIR):
        enclosed = class_entropies(d.weights, d.total, workers=int(workers))
        column = _column(d, base, *enclosed, class_entropy, posteriors)
        return SubsetTable(d.features, column, name="conditional entropy", symbol="H")


def mutual_information_table(
    d: JointDistribution, *, workers: int = 1, base: Exact | None = None
) -> SubsetTable[LogSum]:
    """Return I(Y; X_S), what a feature subset S tells about the class, for all 2**n of them.

    Its parameters, what it refuses, and its complexity are those of `conditional_entropy_table`.

    Returns
    -------
    SubsetTable
        Large values are better. Each value is exact when it is asked for; orderings and ties are decided exactly.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.3; Beraha et al. (2019), Section II.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(mutual_information_table(gallery.xor()).ordering())
    {} = X1 = X2 < X1X2
    """
    _require(d, workers, base)
    with enough_memory(_WHAT, _REPAIR):
        centers, radius = class_entropies(d.weights, d.total, workers=int(workers))
        np.subtract(centers[0], centers, out=centers)
        radius = 2 * radius + 2 * _UNIT * math.log(len(d.classes))
        column = _column(d, base, centers, radius, class_information, posteriors)
        return SubsetTable(d.features, column, name="mutual information", symbol="I", larger_is_better=True)


def entropy_table(d: JointDistribution, *, workers: int = 1, base: Exact | None = None) -> SubsetTable[LogSum]:
    """Return H(X_S), the joint entropy of the features, for all 2**n feature subsets S.

    Its parameters, and what it refuses, are those of `conditional_entropy_table`. Complexity: prod(c_i + 1) logarithms.

    Returns
    -------
    SubsetTable
        Each value is exact when it is asked for; orderings and ties are decided exactly.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(entropy_table(gallery.xor()).ordering())
    {} < X1 = X2 < X1X2
    """
    _require(d, workers, base)
    with enough_memory(_WHAT, _REPAIR):
        enclosed = feature_entropies(d.weights, d.total, workers=int(workers))
        column = _column(d, base, *enclosed, feature_entropy, state_weights)
        return SubsetTable(d.features, column, name="entropy", symbol="H")


def _require(d: JointDistribution, workers: int, base: Exact | None) -> None:
    require_distribution(d)
    as_index(workers, "workers", at_least=1)
    LogSum(base=base)  # refuses what is no base
    per_weight = _BYTES_A_WEIGHT if d.weights.dtype != object else _BYTES_AN_OBJECT
    require_cells((2,) * len(d.features), _WHAT, _REPAIR, _BYTES, besides=per_weight * d.weights.size)


def _column(
    d: JointDistribution,
    base: Exact | None,
    centers: Floats,
    radius: float,
    exact: Callable[[JointDistribution, Exact | None, int], LogSum],
    certificates: Callable[[JointDistribution, Masks], Iterator[Hashable]],
) -> EnclosedColumn[LogSum]:
    """Change enclosures from nats to the unit of the base, and make a column of them."""
    if base is not None:
        unit = float(log(base))
        centers /= unit
        radius = 1.01 * radius / unit + 3 * _UNIT * float(np.abs(centers).max())  # unit and quotient are rounded
    radii, keys = np.full(len(centers), radius), np.arange(len(centers), dtype=np.int64)
    return EnclosedColumn(centers, radii, partial(exact, d, base), keys, certificates=partial(certificates, d))
