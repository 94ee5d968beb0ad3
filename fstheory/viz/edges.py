"""The edges of a Hasse diagram: which held subsets cover which, and whether the step costs anything."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fstheory.subsets import Masks, covers

__all__ = ["Edges", "cover_edges"]


class Edges(NamedTuple):
    """Covers among the subsets of a table, as positions in its array of masks.

    Attributes
    ----------
    lower, upper : ndarray of int64
        Positions of the smaller subset and of the subset with one feature more.
    step : ndarray of int64
        The sign of the change in value when that feature is removed: 0 if nothing is lost, 1 if the value rises,
        -1 if it falls.
    """

    lower: npt.NDArray[np.int64]
    upper: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]


def cover_edges(masks: Masks, ranks: npt.NDArray[np.int64], n: int) -> Edges:
    """Return every pair of held subsets that differ by one feature.

    Parameters
    ----------
    masks, ranks : ndarray of int64
        The held subsets, and the dense ranks of their values.
    n : int
        Number of features.

    Notes
    -----
    Time O(m n) for m subsets. A pair with a subset in between that is not held is no edge.

    Examples
    --------
    >>> cover_edges(np.array([0, 1, 2, 3]), np.array([1, 1, 0, 0]), 2).step.tolist()
    [0, 1, 1, 0]
    """
    place = {int(mask): i for i, mask in enumerate(masks)}
    pairs = [(i, place[above]) for mask, i in place.items() for above in covers(mask, n) if above in place]
    lower, upper = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Edges(lower, upper, np.sign(ranks[lower] - ranks[upper]).astype(np.int64))
