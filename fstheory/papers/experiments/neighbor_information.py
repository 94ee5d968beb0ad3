"""Estimates of conditional mutual information by nearest neighbors, of a class and numbers: floats, never exact.

The estimator is that of Mesner and Shalizi, with the discrete metric on the classes: for each point the distance to
its k-th neighbor in its own class is measured with all features, and then it is counted how many points are that close
with some of them. The walks of Beraha et al. need hundreds of such estimates on the same points; they get them from
one matrix of distances for each feature.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import digamma

from fstheory._support.exact import as_index
from fstheory.errors import require
from fstheory.papers.experiments.gaussian import Floats, Integers, finite_numbers


def estimated_information(x: Any, y: Any, given: Any = None, *, neighbors: int = 5) -> float:
    """Estimate the conditional mutual information of numbers and a class, given other numbers, in nats.

    Parameters
    ----------
    x : array_like of float, shape (m,) or (m, a)
        The numbers: a row each of m points.
    y : array_like, shape (m,)
        Their classes, of any kind.
    given : array_like of float, shape (m,) or (m, b), optional
        The numbers that are known.
    neighbors : int
        How many of a point's own class; of a class with fewer points all others.

    Returns
    -------
    float
        An estimate of I(x; y | given). It may be below 0; nothing bounds its error.

    Notes
    -----
    Let r be the greatest difference in any coordinate of (x, given) between a point and its k-th nearest in its class.
    With n(x, z), n(z), n(y, z) the numbers of other points at most r away in (x, given), in `given`, and in `given`
    within the class, the estimate is the mean of psi(k) - psi(n(x, z)) - psi(n(y, z)) + psi(n(z)). Where r = 0, k is
    the number of points of the class at the same place. Complexity: k-d trees; O(m log m) in few dimensions, O(m**2) in
    many.

    References
    ----------
    Mesner and Shalizi, "Conditional mutual information estimation for mixed, discrete and continuous data", IEEE
    Transactions on Information Theory 67 (2021). Ross, "Mutual information between discrete and continuous data sets",
    PLoS ONE 9 (2014). Beraha et al. (2019) use Gao et al. (2017), without conditioning the same but for details.

    Examples
    --------
    >>> from fstheory.papers.experiments import TailProblem, estimated_information
    >>> problem = TailProblem(4, 4, "sum")
    >>> x, y = problem.sample(2000, 0)
    >>> round(estimated_information(x[:, 1], y, x[:, 0]), 2), round(problem.information(2) - problem.information(1), 2)
    (0.2, 0.2)
    """
    from scipy.spatial import cKDTree

    points = _points(x, "x")
    labels, k = _labels(y, points), as_index(neighbors, "neighbors", at_least=1)
    known = np.zeros((len(points), 0)) if given is None else _points(given, "given")
    _require_rows("given", len(known), points)
    both = np.column_stack([points, known])
    radius, inside, close = (np.empty(len(labels)) for _ in range(3))
    for label, size in enumerate(np.bincount(labels).tolist()):
        rows = labels == label
        tree, nearest = cKDTree(both[rows]), min(k, size - 1)
        radius[rows] = tree.query(both[rows], [nearest + 1], p=np.inf)[0][:, 0]  # the point itself is the first
        close[rows] = nearest
        alike = radius == 0.0
        close[rows & alike] = _counts(both[rows], both[rows & alike], radius[rows & alike])
        inside[rows] = _counts(known[rows], known[rows], radius[rows])
    return _estimate(close, _counts(both, both, radius), inside, _counts(known, known, radius))


def _counts(points: Floats, centers: Floats, radius: Floats) -> Floats:
    """Return how many points lie within a distance of each center, without the center itself, which is one of them."""
    from scipy.spatial import cKDTree

    if not points.shape[1] or not len(centers):
        return np.full(len(centers), len(points) - 1.0)
    found: Floats = cKDTree(points).query_ball_point(centers, radius, p=np.inf, return_length=True) - 1.0
    return found


def _points(values: Any, argument: str) -> Floats:
    found = finite_numbers(values, argument, 2)
    require(len(found), argument, "a row for each of some points", values, "draw some")
    return found.reshape(len(found), -1)


def _labels(values: Any, points: Floats) -> Integers:
    """Return the classes numbered from 0 on, or refuse those that are not one for each point, and each twice."""
    found = np.asarray(values)
    require(found.ndim == 1, "y", "a class for each point, in one dimension", found.shape, "flatten it")
    _require_rows("y", len(found), points)
    numbered: Integers = np.unique(found, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(numbered)
    require(sizes.min() > 1, "y", "at least 2 points of each class", sizes.tolist(), "draw more, or drop that point")
    return numbered


def _require_rows(argument: str, rows: int, points: Floats) -> None:
    needed = f"of {len(points)} points, as x is"
    require(rows == len(points), argument, needed, rows, "pass one for each row of x")


def neighbor_elimination(x: Any, y: Any, *, neighbors: int = 5) -> list[tuple[int, float]]:
    """Remove all features one by one, each time that of the least estimated information given those left.

    It returns the position of each, with its estimate, that of `estimated_information`; of equal ones the first goes.
    The distance to the k-th neighbor is the same for all features that may go next. Complexity: O(n**2 m**2), and
    8 m**2 (n + 4) bytes. Source: Beraha et al. (2019), Section IV, Backward Elimination.
    """
    walk = _Walk(x, y, neighbors)
    left, steps = list(range(len(walk.gaps))), list[tuple[int, float]]()
    while left:
        largest, second = _two_largest([walk.gaps[i] for i in left])
        radius, close = walk.reach(largest)
        near = largest <= radius
        with_all = walk.counts(near), walk.counts(near, within=True)
        pairs = np.nonzero(~near & (second <= radius))  # near without the one feature in which they differ most
        among = np.argmax([walk.gaps[i][pairs] for i in left], axis=0)
        alike = walk.labels[pairs[0]] == walk.labels[pairs[1]]
        scores = []
        for i in range(len(left)):
            mine = among == i
            more = (np.bincount(pairs[0][mine & kind], minlength=len(near)) for kind in (True, alike))
            known = [count + added for count, added in zip(with_all, more, strict=True)]
            scores.append(_estimate(close, with_all[0], known[1], known[0]))
        best = int(np.argmin(scores))
        steps.append((left.pop(best), scores[best]))
    return steps


def neighbor_selection(x: Any, y: Any, *, neighbors: int = 5) -> list[tuple[int, float]]:
    """Add all features one by one, each time that of the largest estimated information given those added.

    As `neighbor_elimination`; complexity: O(n m**2) a step. Source: as above, Forward Selection.
    """
    walk = _Walk(x, y, neighbors)
    free, steps = list(range(len(walk.gaps))), list[tuple[int, float]]()
    gap, both = np.zeros_like(walk.gaps[0]), np.empty_like(walk.gaps[0])
    while free:
        scores = []
        for i in free:
            np.maximum(gap, walk.gaps[i], out=both)
            radius, close = walk.reach(both)
            near, known = both <= radius, gap <= radius
            counts = walk.counts(near), walk.counts(known, within=True), walk.counts(known)
            scores.append(_estimate(close, *counts))
        best = int(np.argmax(scores))
        steps.append((free.pop(best), scores[best]))
        np.maximum(gap, walk.gaps[steps[-1][0]], out=gap)
    return steps


def _two_largest(gaps: list[Floats]) -> tuple[Floats, Floats]:
    """Return for each pair of points the largest and the second difference among features.

    Of a single feature the second is 0: without it all points are at the same place.
    """
    largest, second, lower = gaps[0].copy(), np.zeros_like(gaps[0]), np.empty_like(gaps[0])
    for gap in gaps[1:]:
        np.minimum(gap, largest, out=lower)
        np.maximum(second, lower, out=second)
        np.maximum(largest, gap, out=largest)
    return largest, second


def _estimate(close: Floats, both: Floats, inside: Floats, known: Floats) -> float:
    """Return the estimate from k, and how many are near in all features, in those known within the class, and those."""
    return float(np.mean(digamma(close) - digamma(both) - digamma(inside) + digamma(known)))


class _Walk:
    """Points sorted by class, and for each feature the differences between all pairs of them."""

    def __init__(self, x: Any, y: Any, neighbors: int) -> None:
        points, self.neighbors = _points(x, "x"), as_index(neighbors, "neighbors", at_least=1)
        labels = _labels(y, points)
        points, self.labels = points[np.argsort(labels, kind="stable")], np.sort(labels)
        self.gaps = np.abs(points.T[:, :, None] - points.T[:, None, :])
        ends = np.cumsum(np.bincount(labels)).tolist()
        self.blocks = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]

    def reach(self, gap: Floats) -> tuple[Floats, Floats]:
        """Return the distance to the k-th neighbor of each point in its class, as a column, and k."""
        radius, close = np.empty((len(gap), 1)), np.empty(len(gap))
        for block in self.blocks:
            within, nearest = gap[block, block], min(self.neighbors, block.stop - block.start - 1)
            radius[block, 0] = np.partition(within, nearest, axis=1)[:, nearest]  # a point is its own nearest
            alike = radius[block, 0] == 0.0
            close[block] = np.where(alike, (within == 0.0).sum(axis=1) - 1, nearest)
        return radius, close

    def counts(self, near: npt.NDArray[np.bool_], *, within: bool = False) -> Floats:
        """Return how many others are near each point, of all or of its class."""
        blocks = self.blocks if within else [slice(0, len(near))]
        found: Floats = np.concatenate([np.count_nonzero(near[block, block], axis=1) for block in blocks]) - 1.0
        return found
