"""From one mass for each subset to the table of weights: the form that every construction here has.

The cell x belongs to the subset S of the features that are 0 in x. All of class 0 is at x = 0; class 1
has the mass q_S, spread over the cells of S; the other classes have nothing (equations 1 to 3 of the
paper). Then R(S) = P(S = 0, Y = 1) is the sum of q_T over the supersets T of S.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fstheory._memory import require_cells
from fstheory._rational import as_index
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.subsets import Masks

__all__ = ["cell_counts", "shape_of", "spread"]

_WORD = 2**63


def shape_of(cardinalities: Iterable[int] | None, classes: int, features: Sequence[str]) -> tuple[int, ...]:
    """Return the shape of the table, the classes last, or refuse it.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        A cardinality or the number of classes is no integer of at least 2, or there is not one for each feature.
    TooLargeError
        The table would not fit in memory.
    """
    n = len(features)
    if cardinalities is not None and (isinstance(cardinalities, str) or not isinstance(cardinalities, Iterable)):
        raise InvalidTypeError(
            explain("cardinalities", "a sequence, one for each feature", cardinalities, f"write {(2,) * min(n, 4)}")
        )
    sizes = (2,) * n if cardinalities is None else tuple(cardinalities)
    if len(sizes) != n:
        raise InvalidValueError(
            explain("cardinalities", f"{n} numbers of states, one for each feature", sizes, "add or drop some")
        )
    checked = [as_index(size, f"cardinalities[{i}]", at_least=2) for i, size in enumerate(sizes)]
    shape = (*checked, as_index(classes, "classes", at_least=2))
    # The table, the subset and the rank of each cell, and what the distribution makes of them
    require_cells(shape, "the distribution", "use fewer features, states or classes", 24)
    return shape


def cell_counts(cardinalities: Sequence[int]) -> list[int]:
    """Return how many cells each subset has, by mask: those where exactly its features are 0.

    Examples
    --------
    >>> cell_counts((2, 4))
    [3, 3, 1, 1]
    """
    counts = [1]
    for size in cardinalities:
        counts = [count * (size - 1) for count in counts] + counts
    return counts


def spread(
    masses: Sequence[int], class_0: int, shape: Sequence[int], features: Sequence[str], target: str | None
) -> JointDistribution:
    """Return the distribution with these integer masses, each spread over its cells as evenly as integers allow.

    Cells that get one unit more than others come first in lexicographic order.
    """
    total = class_0 + sum(masses)
    dtype = np.int64 if total < _WORD else object
    subset, rank = _subsets_and_ranks(shape[:-1])
    shares = [divmod(mass, count) for mass, count in zip(masses, cell_counts(shape[:-1]), strict=True)]
    evenly = np.array([share for share, _ in shares], dtype=dtype)
    larger = np.array([left for _, left in shares], dtype=np.int64)
    weights = np.zeros(tuple(shape), dtype=dtype)
    weights[..., 1] = evenly[subset] + (rank < larger[subset])
    weights[(0,) * len(shape)] = class_0
    return JointDistribution(weights, features=features, target=target)


def _subsets_and_ranks(cardinalities: Sequence[int]) -> tuple[Masks, Masks]:
    """Return, for each cell, the mask of the features that are 0 there, and its number among the cells of that mask."""
    n = len(cardinalities)
    subset = np.zeros(tuple(cardinalities), dtype=np.int64)
    rank = np.zeros_like(subset)
    for i, size in enumerate(cardinalities):
        state = np.arange(size).reshape([size if axis == i else 1 for axis in range(n)])
        subset |= (state == 0).astype(np.int64) << i
        rank *= np.where(state == 0, 1, size - 1)
        rank += np.maximum(state - 1, 0)
    return subset, rank
