"""Tests of relative certainty gain by stated laws of n.. RCG, and how often they reject where labels are permuted.

Light and Margolin (1971) compare (N - 1)(k - 1) times the gain of N independent responses in G groups with the
chi-square law of (G - 1)(k - 1) degrees of freedom. Of this the printed test keeps the degrees and drops the factor
k - 1; and its groups, the neighborhoods, overlap, so that the responses are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, as_level, to_text
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result
from fstheory.distributions.rows import generator
from fstheory.errors import InvalidTypeError, TooLargeError, explain, import_optional, require_choice, require_type
from fstheory.numbers.enclosure import Enclosed, precisions, proven_order, rational_ball
from fstheory.numbers.roots import RootSum, sqrt
from fstheory.points.graphs import Edges, GraphKind, edges_of_rows, graph_of
from fstheory.points.permutations import LabelPermutations

if TYPE_CHECKING:
    from flint import arb
Test: TypeAlias = Literal["printed", "printed chi-square", "Light-Margolin", "moments", "moments chi-square"]

_PRECISION = 2**14  # bits up to which a comparison is tried
_GRID = 2**20  # coordinates of random points are integers below


def printed_z(value: Exact, size: int, classes: int) -> RootSum:
    r"""Return the printed Z of a value v of n.. RCG, exactly: :math:`(v - (n-1)(k-1)) / \sqrt{2(n-1)(k-1)}`.

    There are n points of k classes. Source: Sebban and Nock (2002), equation (10).

    Examples
    --------
    >>> print(printed_z("14/3", 4, 2))
    5/18*sqrt(6) ≈ 0.680414
    """
    mean = _degrees(size, classes)
    excess = as_fraction(value, "value") - mean
    return sqrt(excess**2 / (2 * mean)) * (-1 if excess < 0 else 1)


def printed_p_value(value: Exact, size: int, classes: int, *, law: Literal["normal", "chi-square"] = "normal") -> float:
    """Return the printed critical threshold of n.. RCG, by the normal law or by the chi-square law.

    For values that are far off it is 0 or 1 in floats: compare `printed_z` instead.

    Examples
    --------
    >>> round(printed_p_value("14/3", 4, 2), 4), round(printed_p_value("14/3", 4, 2, law="chi-square"), 4)
    (0.2481, 0.1979)
    """
    require_choice(law, "law", ("normal", "chi-square"))
    stats = import_optional("scipy.stats", "stats", "a p-value")
    z, tested = printed_z(value, size, classes), as_fraction(value, "value")
    try:
        if law == "normal":
            return float(stats.norm.sf(float(z)))
        return float(stats.chi2.sf(float(tested), _degrees(size, classes)))
    except OverflowError:
        return 0.0 if tested > 0 else 1.0


def rejection_threshold(
    permutations: LabelPermutations[Any], test: Test = "printed", alpha: Exact = "1/20"
) -> Enclosed:
    """Return the number above which a test of n.. RCG rejects; it compares with rationals exactly.

    It is irrational as far as anybody knows. A comparison that 2**14 bits do not decide raises `TooLargeError`.

    Parameters
    ----------
    permutations : LabelPermutations, the graph and the sizes of the classes
    test : {'printed', 'printed chi-square', 'Light-Margolin', 'moments', 'moments chi-square'}
        The law that n.. RCG is compared with: the printed normal one, (11); the printed chi-square law; that of
        (n.. - 1)(k - 1) RCG in Light and Margolin, chi-square of (n - 1)(k - 1) degrees of freedom; the normal law of
        the exact mean and variance; the multiple of a chi-square law that has both.
    alpha : exact number, the nominal size

    Examples
    --------
    >>> null = LabelPermutations(4, [(0, 1), (1, 2), (2, 3)], [2, 2])
    >>> threshold = rejection_threshold(null)
    >>> 7 < threshold < Fraction(71, 10), threshold.decimal()
    (True, '7.02905')
    """
    repair = "LabelPermutations(size, edges, counts) makes them"
    require_type(permutations, LabelPermutations, "permutations", "LabelPermutations", repair)
    require_choice(test, "test", get_args(Test))
    level = as_level(alpha, "alpha")
    if test.startswith("moments"):
        mean, variance = permutations.mean, permutations.variance
        if test == "moments" or not variance:
            return _Normal(mean, variance, level)
        return _ChiSquare(2 * mean**2 / variance, variance / (2 * mean), level)
    classes = len(permutations.counts)
    degrees = _degrees(permutations.size, classes)
    if test == "printed":
        return _Normal(Fraction(degrees), Fraction(2 * degrees), level)
    members = permutations.members
    return _ChiSquare(
        degrees, Fraction(members, (members - 1) * (classes - 1)) if "Light" in test else Fraction(1), level
    )


def _degrees(size: int, classes: int) -> int:
    return (as_index(size, "size", at_least=2) - 1) * (as_index(classes, "classes", at_least=2) - 1)


class _Threshold(Enclosed, Result):
    """A number that is exceeded with a probability under a stated law; compared with rationals only."""

    __slots__ = ("alpha",)

    alpha: Fraction

    def _rational_value(self) -> Fraction | None:
        return None

    def _order(self, other: Enclosed | Fraction) -> int | None:
        if type(other) is type(self) and self.__reduce__() == other.__reduce__():
            return 0
        number = other if isinstance(other, Fraction) else other._rational_value()
        if number is None:
            return None
        if (value := self._rational_value()) is not None:
            return (value > number) - (value < number)
        for precision in precisions():
            if order := proven_order(self._enclose(precision), rational_ball(number, precision)):
                return order
            if precision >= _PRECISION:
                break
        raise TooLargeError(explain("value", f"parted from the threshold by {_PRECISION} bits", number, "change alpha"))

    def __str__(self) -> str:
        return f"≈{self.decimal()}, exceeded with probability {to_text(self.alpha)} under the law of the test"


class _Normal(_Threshold):
    __slots__ = ("mean", "variance")
    _parts = ("mean", "variance", "alpha")

    def __init__(self, mean: Fraction, variance: Fraction, alpha: Fraction) -> None:
        self.mean, self.variance, self.alpha = mean, variance, alpha
        self._first_ball = None

    def _rational_value(self) -> Fraction | None:
        return self.mean if self.alpha == Fraction(1, 2) or not self.variance else None

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression."""
        import sympy

        deviations = sympy.erfinv(sympy.Rational(1 - 2 * self.alpha))
        return sympy.Rational(self.mean) + sympy.sqrt(sympy.Rational(2 * self.variance)) * deviations

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        precision += self.alpha.denominator.bit_length()  # else a level close to 0 or 1 would round to it
        with ctx.workprec(precision):
            deviations = rational_ball(1 - 2 * self.alpha, precision).erfinv()
            spread = rational_ball(2 * self.variance, precision).sqrt()
            return rational_ball(self.mean, precision) + deviations * spread


class _ChiSquare(_Threshold):
    __slots__ = ("degrees", "factor")
    _parts = ("degrees", "factor", "alpha")

    def __init__(self, degrees: Fraction | int, factor: Fraction, alpha: Fraction) -> None:
        self.degrees, self.factor, self.alpha = Fraction(degrees), factor, alpha
        self._first_ball = None

    def _ball(self, precision: int) -> arb:
        from flint import arb, ctx

        stats = import_optional("scipy.stats", "stats", "a threshold of the chi-square law")
        guess = arb(float(stats.chi2.isf(float(self.alpha), float(self.degrees))))
        with ctx.workprec(precision + 64):
            half = rational_ball(self.degrees / 2, precision + 64)
            scale = arb(2) ** half * half.gamma()
            for _ in range(precision.bit_length()):  # Newton's method, from a float; what it finds is proven below
                density = (-guess / 2).exp() * guess ** (half - 1) / scale
                guess = (guess + (self._above(guess) - rational_ball(self.alpha, precision + 64)) / density).mid()
            radius = guess.abs_lower() * arb(2) ** -precision
            for _ in range(precision):
                low, high = (guess - radius).mid(), (guess + radius).mid()
                if self._order_of(low) < 0 < self._order_of(high):
                    return low.union(high) * rational_ball(self.factor, precision + 64)
                radius *= 2
        raise TooLargeError(explain("alpha", "between 10**-300 and 1 - 10**-15", self.alpha, "take another test"))

    def _above(self, point: arb) -> arb:
        """Enclose the probability of more than a point."""
        from flint import ctx

        return (point / 2).gamma_upper(rational_ball(self.degrees / 2, ctx.prec), regularized=1)

    def _order_of(self, point: arb) -> int:
        """Return the proven order of a point and the quantile, else 0."""
        return proven_order(rational_ball(self.alpha, 2 * _PRECISION), self._above(point))


@dataclass(frozen=True, repr=False)
class TrueSize(Result):
    """How often a test of n.. RCG rejects where the labels are put to the points at random.

    Attributes
    ----------
    alpha : the nominal size
    threshold : n.. RCG above this is rejected; it is only shown, the decisions are exact
    size : the probability, exact as a Fraction and estimated as a float
    interval : the exact binomial 95% interval of an estimate, or None
    """

    test: Test
    alpha: Fraction
    threshold: float
    size: Fraction | float
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        text = f"{self.test} test of size {to_text(self.alpha)} rejects above {self.threshold:.6g}: "
        if isinstance(self.size, Fraction):
            return text + f"its true size is {to_text(self.size)}"
        low, high = self.interval or (0.0, 1.0)
        return text + f"its true size is estimated {self.size:.4f} (95%: {low:.4f} to {high:.4f})"


def true_size(law: LabelPermutations[Any], test: Test = "printed", alpha: Exact = "1/20") -> TrueSize:
    """Return how often a test of n.. RCG rejects where the labels are put to the points at random.

    Of a drawn law it is an estimate with an interval. The test and alpha are as in `rejection_threshold`.

    Examples
    --------
    >>> null = LabelPermutations(30, [(i, i + 1) for i in range(29)], [15, 15])
    >>> print(true_size(null))
    printed test of size 1/20 = 0.05 rejects above 41.5268: its true size is 3928031/77558760 ≈ 0.05065
    >>> print(true_size(null.sample(2000, rng=0)))
    printed test of size 1/20 = 0.05 rejects above 41.5268: its true size is estimated 0.0505 (95%: 0.0413 to 0.0610)
    """
    threshold = rejection_threshold(law, test, alpha)
    interval = law.size_interval(threshold) if law.trials else None
    return TrueSize(test, as_fraction(alpha, "alpha"), float(threshold), law.size_of(threshold), interval)


@dataclass(frozen=True, repr=False)
class TrueSizes(Result):
    """The true sizes of tests of n.. RCG on graphs of random points.

    The `sizes` are by graph, dimensions, points and number of classes: for each of the point sets that were drawn one
    size for each test.
    """

    sizes: Mapping[tuple[GraphKind, int, int, int], tuple[tuple[TrueSize, ...], ...]] = field(hash=False)

    def mean(self, graph: GraphKind, dimensions: int, points: int, classes: int, test: Test = "printed") -> float:
        """Return the mean over the point sets of the size of a test."""
        drawn = self.sizes[graph, dimensions, points, classes]
        return float(sum(size.size for sizes in drawn for size in sizes if size.test == test) / len(drawn))

    def __str__(self) -> str:
        tests = [size.test for size in next(iter(self.sizes.values()))[0]]
        lines = [
            "How often tests of n.. RCG reject where the labels are permuted",
            "  graph  dimensions  points  classes  " + "  ".join(tests),
        ]
        for (graph, dimensions, points, classes), drawn in self.sizes.items():
            cells = [f"{self.mean(graph, dimensions, points, classes, test):>{len(test)}.4f}" for test in tests]
            start = f"  {graph:<5}  {dimensions:>10}  {points:>6}  {classes:>7}  "
            lines.append(start + "  ".join(cells) + ("" if isinstance(drawn[0][0].size, Fraction) else "  (estimated)"))
        return "\n".join(lines)


def true_sizes(
    *,
    graphs: Sequence[GraphKind] = ("mst", "1nn"),
    dimensions: Sequence[int] = (2, 5),
    points: Sequence[int] = (20, 40, 80),
    classes: Sequence[int] = (2, 3, 5),
    tests: Sequence[Test] = get_args(Test),
    rarest: Exact | None = None,
    alpha: Exact = "1/20",
    repeats: int = 3,
    trials: int = 10_000,
    rng: int | np.random.Generator = 0,
    progress: Progress = None,
) -> TrueSizes:
    """Return the true sizes of tests of n.. RCG on the graphs of random points.

    Parameters
    ----------
    graphs, dimensions, points, classes : sequences of which all combinations are taken
    tests : as in `rejection_threshold`
    rarest : exact number
        The share of the points that one class has, at least one point; the others, or without it all classes, are as
        equal as can be.
    alpha : exact number, the nominal size
    repeats : how many point sets, each uniform in a cube
    trials : labelings that are drawn where there are more than two classes; for two the law is exact
    rng : a seed, or a generator that is advanced
    progress : bool, or callable that is called with each line

    Examples
    --------
    >>> found = true_sizes(dimensions=[2], points=[20], classes=[2, 5], tests=["printed"], repeats=1, trials=99)
    >>> print(found)
    How often tests of n.. RCG reject where the labels are permuted
      graph  dimensions  points  classes  printed
      mst             2      20        2   0.0483
      mst             2      20        5   0.0000  (estimated)
      1nn             2      20        2   0.0539
      1nn             2      20        5   0.0000  (estimated)
    """
    source = generator(rng)
    found: dict[tuple[GraphKind, int, int, int], tuple[tuple[TrueSize, ...], ...]] = {}
    for name, listed in (("graphs", graphs), ("dimensions", dimensions), ("points", points), ("classes", classes)):
        if isinstance(listed, str) or not isinstance(listed, Sequence):
            raise InvalidTypeError(explain(name, "a list", listed, f"pass [{listed!r}]"))
    most = len(graphs) * len(dimensions) * len(points) * len(classes)
    with Clock(None, progress) as clock:
        clock.tell(f"takes {most:,} combinations")
        for graph, dimension, size in product(graphs, dimensions, points):
            require_choice(graph, "graphs", get_args(GraphKind))
            number = as_index(repeats, "repeats", at_least=1)
            drawn = [_random_graph(graph, dimension, size, source) for _ in range(number)]
            for k in classes:
                clock.count(len(found), most, "combinations")
                counts = _class_sizes(size, as_index(k, "classes", at_least=2), rarest)
                nulls = [LabelPermutations(size, edges, counts) for edges in drawn]
                laws: list[LabelPermutations[Any]] = [
                    null if k == 2 else null.sample(trials, rng=source) for null in nulls
                ]
                sizes = tuple(tuple(true_size(law, test, alpha) for test in tests) for law in laws)
                found[graph, dimension, size, k] = sizes
    return TrueSizes(MappingProxyType(found))


def _class_sizes(size: int, classes: int, rarest: Exact | None) -> list[int]:
    """Return the sizes of equal classes, or of one with a share of the points and equal others."""
    if rarest is not None:
        few = max(1, math.floor(as_level(rarest, "rarest") * size))
        return [few, *_class_sizes(size - few, classes - 1, None)]
    return [size // classes + (j < size % classes) for j in range(classes)]


def _random_graph(graph: GraphKind, dimensions: int, size: int, rng: np.random.Generator) -> Edges:
    """Return the graph of random points; ties of distances, of which there are hardly any, go to the first."""
    size, dimensions = as_index(size, "points", at_least=2), as_index(dimensions, "dimensions", at_least=1)
    if dimensions > (most := 2**63 // _GRID**2):  # else sums of squares leave 64 bits
        raise TooLargeError(explain("dimensions", f"at most {most:,}", dimensions, "take fewer"))
    places = rng.integers(0, _GRID, (size, dimensions))
    return edges_of_rows(graph_of(np.square(places[:, None] - places).sum(axis=-1), graph, "first"))
