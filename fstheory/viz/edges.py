"""The edges of a Hasse diagram: which held subsets cover which, what a step costs, and which steps cost nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fstheory.subsets import Masks, covers

__all__ = ["Edges", "cover_edges", "merge_nodes", "tie_groups"]


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
    """Return every pair of held subsets that differ by one feature."""
    place = {int(mask): i for i, mask in enumerate(masks)}
    pairs = [(i, place[above]) for mask, i in place.items() for above in covers(mask, n) if above in place]
    lower, upper = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Edges(lower, upper, np.sign(ranks[lower] - ranks[upper]).astype(np.int64))


def tie_groups(edges: Edges, m: int) -> list[tuple[int, ...]]:
    """Return the m subsets in groups that are joined by edges along which the value stays the same."""
    first = list(range(m))
    changed = True
    while changed:  # at most as often as the longest chain of ties
        before = list(first)
        for i, j, step in zip(*(part.tolist() for part in edges), strict=True):
            if step == 0:
                first[i] = first[j] = min(first[i], first[j])
        changed = first != before
    return [tuple(i for i in range(m) if first[i] == head) for head in sorted(set(first))]


def merge_nodes(edges: Edges, groups: list[tuple[int, ...]]) -> Edges:
    """Return the edges between groups of subsets, without those that a longer way along rising edges says as well."""
    node = {i: k for k, group in enumerate(groups) for i in group}
    merged = {
        (node[i], node[j]): step
        for i, j, step in zip(*(part.tolist() for part in edges), strict=True)
        if node[i] != node[j]
    }
    above: dict[int, set[int]] = {k: set() for k in range(len(groups))}
    for (i, j), step in merged.items():
        if step > 0:
            above[i].add(j)
    reached: dict[int, set[int]] = {}  # by two steps or more

    def reach(k: int) -> set[int]:
        if k not in reached:
            reached[k] = set().union(*(above[j] | reach(j) for j in above[k]))
        return reached[k]

    kept = [(i, j, step) for (i, j), step in sorted(merged.items()) if step <= 0 or j not in reach(i)]
    return Edges(*np.array(kept, dtype=np.int64).reshape(-1, 3).T)
