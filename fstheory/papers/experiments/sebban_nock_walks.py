"""The forward walks of Sebban and Nock's experiments, the 10-nearest-neighbor rule, and what one drawing comes to."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import ndtr

from fstheory.papers.experiments.gaussian import Floats, Integers
from fstheory.papers.experiments.sebban_nock_data import SOURCES, Drawn
from fstheory.papers.experiments.steps import Step
from fstheory.points.graphs import GraphKind, graph_of, statistic
from fstheory.points.mixed import MixedPoints
from fstheory.points.permutations import LabelPermutations

__all__ = ["FOLDS", "METHODS", "NOISE_FEATURES", "NOISE_POINTS", "Walk", "draw_step", "noise_step", "predict_by_ten"]

METHODS = ("all", "MST printed", "MST moments", "1-NN printed", "1-NN moments", "accuracy", "Z")
"""What selects: nothing; the test as printed or with the moments of permuted labels, on two graphs; the wrapper; Z."""
FOLDS = 5
NOISE_POINTS, NOISE_FEATURES = 100, 10
_NEIGHBORS = 10


class Walk:
    """Forward walks on some points by several criteria; every subset of features is looked at once.

    All ties between distances go to the first points.
    """

    def __init__(self, data: Drawn) -> None:
        rows: Any = data.x.astype(int).tolist() if data.is_categorical else data.x.tolist()
        names = [f"X{i + 1}" for i in range(data.x.shape[1])]
        nominal = names if data.is_categorical else []
        points = MixedPoints(rows, data.y.tolist(), categorical=nominal, categories="overlap")
        self.labels = points.labels
        self._counts = tuple(Counter(points.labels).values())
        self._classes = np.unique(data.y, return_inverse=True)[1]
        self._squares = [points.squared_differences(name) for name in names]
        self._graphs: dict[tuple[GraphKind, int], tuple[Integers, int]] = {}
        self._scores: dict[tuple[str, int], Any] = {}

    def select(self, method: str) -> list[tuple[int, Any]]:
        """Return the features taken, each with what the subset then scores; the first is always taken."""
        taken: list[tuple[int, Any]] = []
        mask = 0
        while left := [i for i in range(len(self._squares)) if not mask >> i & 1]:
            scores = [self.score(method, mask | 1 << i) for i in left]
            best = max(range(len(left)), key=scores.__getitem__)
            if taken and scores[best] <= taken[-1][1]:
                break
            taken.append((left[best], scores[best]))
            mask |= 1 << left[best]
        return taken

    def score(self, method: str, mask: int) -> Any:
        """Return what a subset scores, the larger the better."""
        if (method, mask) not in self._scores:
            self._scores[method, mask] = self._score(method, mask)
        return self._scores[method, mask]

    def _score(self, method: str, mask: int) -> Any:
        graph: GraphKind = "mst" if method.startswith("MST") else "1nn"
        if (graph, mask) not in self._graphs:
            squares = functools.reduce(np.add, (square for i, square in enumerate(self._squares) if mask >> i & 1))
            self._graphs[graph, mask] = graph_of(squares, graph, "first"), self._correct(squares)
        edges, correct = self._graphs[graph, mask]
        if method == "accuracy":
            return correct
        if method == "Z":
            return -self._z(edges)
        value = statistic(edges, self.labels)
        if method.endswith("printed"):  # the printed z grows with it, whatever the graph
            return value
        null = LabelPermutations(len(self.labels), edges, self._counts)
        gap = value - null.mean
        return gap * abs(gap) / null.variance if null.variance else Fraction(0)

    def _correct(self, squares: Floats) -> int:
        """Return how many points have the class of their nearest neighbor."""
        apart = squares.copy()
        np.fill_diagonal(apart, np.inf)
        return int((self._classes[apart.argmin(axis=1)] == self._classes).sum())

    def _z(self, edges: Integers) -> float:
        """Return Schapire and Singer's Z in the place of the quadratic entropy: equation 14 in equation 6.

        Neighborhoods with equal counts are counted first, so that graphs with equal ones have equal floats.
        """
        size = len(self._classes)
        ends = np.concatenate([np.repeat(np.arange(size)[:, None], 2, axis=1), edges, edges[:, ::-1]])
        table = np.zeros((size, int(self._classes.max()) + 1), dtype=np.int64)
        np.add.at(table, (ends[:, 0], self._classes[ends[:, 1]]), 1)
        kinds, times = np.unique(np.sort(table, axis=1), axis=0, return_counts=True)
        total = kinds.sum(axis=1, keepdims=True)
        terms = np.sqrt(kinds * (total - kinds)).sum(axis=1) * times
        return float(terms.sum() / (total[:, 0] * times).sum())


def predict_by_ten(data: Drawn, train: Integers, test: Integers, mask: int) -> Integers:
    """Return the class of most of the ten nearest training points; of tied classes that of the nearest of them.

    Numbers are divided by four standard deviations of the training points; categories differ by 1.
    """
    x = data.x[:, [i for i in range(data.x.shape[1]) if mask >> i & 1]]
    known, asked = x[train], x[test]
    if data.is_categorical:
        squares = (asked[:, None] != known[None]).sum(axis=2).astype(float)
    else:
        scale = 4 * known.std(axis=0)
        scale[scale == 0] = 1.0
        squares = (((asked[:, None] - known[None]) / scale) ** 2).sum(axis=2)
    near = data.y[train][np.argsort(squares, axis=1, kind="stable")[:, :_NEIGHBORS]]
    hits = near[:, :, None] == np.arange(int(data.y.max()) + 1)
    rank = np.where(hits.any(axis=1), hits.argmax(axis=1), _NEIGHBORS)
    found: Integers = (hits.sum(axis=1) * (_NEIGHBORS + 1) - rank).argmax(axis=1)
    return found


def _mask(taken: Sequence[tuple[int, Any]]) -> int:
    return sum(1 << i for i, _ in taken)


def draw_step(name: str, points: int, seed: int, number: int) -> Step:
    """Return the step that draws some data, selects by all methods, and counts what ten neighbors get right."""

    def find(stop: threading.Event) -> list[list[str]]:
        key = (list(SOURCES).index(name), number)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        data = SOURCES[name].draw(rng, points)
        folds = np.array_split(rng.permutation(points), FOLDS)
        return [] if stop.is_set() else _rows(data, folds, stop)

    return Step(f"{name}, {points} points, drawing {number}", find, len(METHODS), 4, str.isdecimal)


def _rows(data: Drawn, folds: Sequence[Integers], stop: threading.Event) -> list[list[str]]:
    """Return for each method what is right with features selected in the folds, and before; which; how many there."""
    rows = {method: [0, 0, 0, 0] for method in METHODS}
    every = (1 << data.x.shape[1]) - 1
    whole = Walk(data)
    for method, row in rows.items():
        row[2] = every if method == "all" else _mask(whole.select(method))
    for fold in folds:
        train = np.sort(np.setdiff1d(np.arange(len(data.x)), fold))
        walk = Walk(Drawn(data.x[train], data.y[train], data.is_categorical))
        for method, row in rows.items():
            if stop.is_set():
                return []
            inside = every if method == "all" else _mask(walk.select(method))
            for place, mask in enumerate((inside, row[2])):
                row[place] += int((predict_by_ten(data, train, fold, mask) == data.y[fold]).sum())
            row[3] += inside.bit_count()
    return [[str(value) for value in row] for row in rows.values()]


def noise_step(seed: int, number: int) -> Step:
    """Return the step that draws noise with fair classes and counts the features that the walks on trees take.

    A row has four numbers: how many features; whether the probability that the test gives to the last z of the walk
    is below 1/20; whether the one it gives to the first is; and whether that is below 1/20 by the number of features.
    """

    def find(stop: threading.Event) -> list[list[str]]:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(len(SOURCES), number)))
        y = np.arange(NOISE_POINTS) % 2
        walk = Walk(Drawn(rng.standard_normal((NOISE_POINTS, NOISE_FEATURES)), y, is_categorical=False))
        rows = []
        for kind in ("MST printed", "MST moments"):
            taken = walk.select(kind)
            first, last = (_tail(kind, taken[place][1]) for place in (0, -1))
            below = (last < 1 / 20, first < 1 / 20, first < 1 / 20 / NOISE_FEATURES)
            rows.append([str(value) for value in (len(taken), *map(int, below))])
        return [] if stop.is_set() else rows

    return Step(f"noise {number}", find, 2, 4, str.isdecimal)


def _tail(kind: str, score: Fraction) -> float:
    """Return the probability that the normal test gives to a score, with the printed moments or the right ones."""
    if kind == "MST printed":
        freedom = NOISE_POINTS - 1
        return float(ndtr(-(float(score) - freedom) / (2 * freedom) ** 0.5))
    return float(ndtr(-float(np.sign(float(score))) * abs(float(score)) ** 0.5))
