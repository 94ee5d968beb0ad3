"""The law of n.. RCG, the relative certainty gain times n.., under random permutations of the labels.

Let q_i be the number of points in the neighborhood of point i, i included, and n.. the sum of the q_i. Let J be the
number of pairs of points with the same label, each weighted by the sum of 1/q_i over the neighborhoods that contain
both points. Then

    n.. RCG = n.. - (n.. - n - 2 J) / U_0.

U_0 does not change if labels are permuted. So the statistic is a join count. Its moments follow from the probabilities
that two points, three points, or both of two pairs of points have the same label.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, binomial_interval, to_text
from fstheory._support.memory import require_cells
from fstheory._support.result import Result, listing
from fstheory._support.work import Workers, map_chunks
from fstheory.distributions.rows import generator
from fstheory.errors import Message, Named, TooLargeError, explain, import_optional, require
from fstheory.lattice.columns import Integers
from fstheory.numbers.enclosure import Enclosed
from fstheory.numbers.roots import RootSum, sqrt
from fstheory.points.graphs import (
    Edges,
    adjacent,
    all_labelings,
    certainty,
    class_counts,
    distinct_edges,
    neighborhood_sizes,
    uncertainty,
)

if TYPE_CHECKING:
    from flint import nmod_poly


_WORD = 2**63  # primes are below


class _Vertex(NamedTuple):
    """A point of a rooted forest that is no leaf, or the root of its tree."""

    place: int
    size: int  # of its neighborhood
    is_root: bool
    leaves: int  # how many of its children are leaves
    children: tuple[int, ...]  # the others


def forest_mixtures(size: int, edges: Sequence[tuple[int, int]], ones: int) -> tuple[Fraction, list[int]]:
    r"""Count the labelings of the points of a forest with `ones` labels 1, by the value of their mixture.

    The mixture T is the sum over the points of :math:`2 c (q - c) / q`, for a neighborhood of q points of which c have
    the label 1. The result is a unit and a list. Entry e of the list counts the labelings with T = e * unit.
    """
    # Let P(z, x) be the sum of z**ones * x**(T / unit) over all labelings. It is computed from the leaves to the root,
    # by the label of a point and the label of its parent, as a polynomial in x, at roots of unity z modulo primes. The
    # values at these z give the wanted coefficient of z. Half of them are enough: P(1/z, x) = z**-size P(z, x).
    from flint import fmpz

    unit, values = _mixtures(size, edges)
    plan = list(_plan(size, edges))
    order = max(ones, size - ones) + 1
    labelings, modulus, found = math.comb(size, ones), 1, [0]
    for prime in _primes(order):
        counts = _modulo(plan, values, size, ones, order, prime)
        inverse = int(pow(fmpz(modulus), -1, fmpz(prime))) if modulus > 1 else 1
        found += [0] * (len(counts) - len(found))
        found = [old + modulus * ((new - old) * inverse % prime) for old, new in zip(found, counts, strict=True)]
        modulus *= prime
        if modulus > labelings:
            return unit, found
    raise AssertionError("there are more primes")


def forest_work(size: int, edges: Sequence[tuple[int, int]], ones: int) -> int:
    """Return the approximate time that `forest_mixtures` takes, in nanoseconds."""
    _, values = _mixtures(size, edges)
    plan = list(_plan(size, edges))
    runs = (max(ones, size - ones) // 2 + 1) * (math.comb(size, ones).bit_length() // 62 + 1)
    below: dict[int, int] = {}
    work = 0
    for vertex in plan:
        degree = values[vertex.size][vertex.size // 2] + vertex.leaves * values[2][1]
        rows = vertex.leaves + 1
        for child in vertex.children:
            least, degree = min(degree, below[child]) + 1, degree + below[child]
            work += 4 * rows * (500 + 8 * degree * least.bit_length())
            rows += 1
        work += 4 * rows * (300 + 2 * degree)
        below[vertex.place] = degree
    return runs * work


def _mixtures(size: int, edges: Sequence[tuple[int, int]]) -> tuple[Fraction, dict[int, list[int]]]:
    """Return a unit, and for each size of a neighborhood its mixture in that unit for each number of ones."""
    sizes = [1] * size
    for one, other in edges:
        sizes[one] += 1
        sizes[other] += 1
    common = math.lcm(*sizes)
    values = {q: [2 * c * (q - c) * common // q for c in range(q + 1)] for q in {2, *sizes}}
    step = math.gcd(*(value for row in values.values() for value in row))
    return Fraction(step, common), {q: [value // step for value in row] for q, row in values.items()}


def _plan(size: int, edges: Sequence[tuple[int, int]]) -> Iterator[_Vertex]:
    """Yield the points of a forest, children before parents. Leaves that have a parent are left out.

    Each tree has its root near its middle.
    """
    beside = adjacent(size, edges)
    seen = [False] * size
    for start in range(size):
        if not seen[start]:
            order = _walk(beside, _middle(beside, start))
            for place, parent in reversed(order):
                seen[place] = True
                below = [child for child in beside[place] if child != parent]
                if below or parent < 0:
                    inner = tuple(child for child in below if len(beside[child]) > 1)
                    yield _Vertex(place, len(beside[place]) + 1, parent < 0, len(below) - len(inner), inner)


def _walk(beside: list[list[int]], root: int) -> list[tuple[int, int]]:
    """Return the points of a tree with their parents, from the root on."""
    order, waiting = list[tuple[int, int]](), [(root, -1)]
    while waiting:
        place, parent = waiting.pop()
        order.append((place, parent))
        waiting += [(child, place) for child in beside[place] if child != parent]
    return order


def _middle(beside: list[list[int]], start: int) -> int:
    """Return a point of a tree none of whose branches has more than half of the points. So large products come last."""
    order = _walk(beside, start)
    below = dict.fromkeys((place for place, _ in order), 1)
    for place, parent in reversed(order[1:]):
        if 2 * below[place] >= len(order):
            return place
        below[parent] += below[place]
    return start


def _primes(order: int) -> Iterator[int]:
    """Yield large primes p such that there are roots of unity of this order modulo p."""
    from flint import fmpz

    for factor in range(_WORD // order - 1, 0, -1):
        if fmpz(factor * order + 1).is_prime():
            yield factor * order + 1


def _root_of_unity(order: int, prime: int) -> int:
    """Return a number whose multiplicative order modulo the prime is `order`."""
    parts = [part for part in range(2, order + 1) if order % part == 0]
    for base in range(2, prime):
        root = pow(base, (prime - 1) // order, prime)
        if all(pow(root, order // part, prime) != 1 for part in parts):
            return root
    raise AssertionError("the group is cyclic")


def _modulo(
    plan: list[_Vertex], values: dict[int, list[int]], size: int, ones: int, order: int, prime: int
) -> list[int]:
    from flint import nmod_poly

    root, total = _root_of_unity(order, prime), nmod_poly([0], prime)
    for power in range(order // 2 + 1):
        z = pow(root, power, prime)
        factor = pow(z, -ones, prime)
        if 2 * power % order:  # its inverse is another one
            factor += pow(z, ones - size, prime)
        total += _evaluated(plan, values, size, z, prime) * (factor % prime)
    total *= pow(order, -1, prime)
    return [int(count) for count in total.coeffs()]


def _evaluated(plan: list[_Vertex], values: dict[int, list[int]], size: int, z: int, prime: int) -> nmod_poly:
    """Return P(z, x) of `forest_mixtures` modulo a prime, for one z."""
    from flint import nmod_poly

    powers = [1]
    for _ in range(size):
        powers.append(powers[-1] * z % prime)
    product = nmod_poly([1], prime)
    below: dict[int, list[list[nmod_poly]]] = {}  # for each point, by the label of its parent and its own
    for vertex in plan:
        value = values[vertex.size]
        folded: list[list[nmod_poly]] = [[], []]
        for label in (0, 1):
            rows = [  # by the number of ones among the children
                nmod_poly([math.comb(vertex.leaves, c) % prime * powers[c + label]], prime).left_shift(
                    values[2][1] * (vertex.leaves - c if label else c)
                )
                for c in range(vertex.leaves + 1)
            ]
            for child in vertex.children:
                zero, one = below[child][label]
                middle = [rows[c] * zero + rows[c - 1] * one for c in range(1, len(rows))]
                rows = [rows[0] * zero, *middle, rows[-1] * one]
            for above in (0,) if vertex.is_root else (0, 1):
                shifted = (row.left_shift(value[c + label + above]) for c, row in enumerate(rows))
                folded[above].append(sum(shifted, nmod_poly([0], prime)))
        for child in vertex.children:
            del below[child]
        if vertex.is_root:
            product *= folded[0][0] + folded[0][1]
        else:
            below[vertex.place] = folded
    return product


Number = TypeVar("Number", Fraction, float)

_LABELED = 4_000_000  # points in all labelings that are enumerated
_NANOSECONDS = 120 * 10**9  # that the exact law of a forest may take
_BYTES = 200  # of a point and its neighborhood, at least
_CELLS = 2**20  # of a batch of labelings


@dataclass(frozen=True, repr=False, init=False)
class LabelPermutations(Result, Generic[Number]):
    """The law of a relative certainty gain on a graph if all permutations of the labels are equally likely.

    The statistic is n.. RCG: the relative certainty gain (see `relative_certainty_gain`) times n.., the sum of the
    sizes of all neighborhoods. Use the law to test whether a gain is larger than chance explains. Mean and variance are
    in closed form for every graph and any classes. The law itself is exact for two classes on a forest, by dynamic
    programming, and for few labelings, by enumeration. In all other cases `sample` estimates it. Probabilities are
    Fractions if the law is exact, and floats if it was sampled.

    Complexity: the law on a forest takes about n/4 evaluations for each 63 bits of the number of labelings. Each
    evaluation is a few products of polynomials. A minimum spanning tree of 80 points takes less than a second, and one
    of 150 points about 5 seconds. Source: Sebban and Nock (2002), Section 3.5, which states a chi-square law instead.

    Parameters
    ----------
    size : int
        The number of points, at least 2.
    edges : iterable of pairs
        The edges. Each is a pair of places of points.
    counts : iterable of int
        The number of points of each class. There must be at least two classes, and none may be empty.

    Attributes
    ----------
    drawn : mapping or None
        The number of random labelings with each value, in ascending order of the values. None for an exact law.

    Examples
    --------
    >>> null = LabelPermutations(4, [(0, 1), (1, 2), (2, 3)], [2, 2])
    >>> null.mean, null.variance
    (Fraction(2, 1), Fraction(32, 9))
    >>> for value, probability in null.law.items():
    ...     print(value, probability)
    2/3 2/3
    14/3 1/3
    >>> null.tail(4), null.engine
    (Fraction(1, 3), 'forest')
    """

    size: int
    edges: Edges
    counts: tuple[int, ...]
    drawn: Mapping[Fraction, int] | None = field(hash=False)

    def __init__(
        self: LabelPermutations[Fraction], size: int, edges: Iterable[tuple[int, int]], counts: Iterable[int]
    ) -> None:
        number = as_index(size, "size", at_least=2)
        require_cells((number,), "the neighborhoods of all points", "take fewer points", _BYTES)
        pairs = frozenset(map(tuple, distinct_edges(number, edges).tolist()))
        self.__dict__.update(size=number, edges=pairs, counts=class_counts(number, counts), drawn=None)

    def sample(
        self, trials: int, *, rng: int | np.random.Generator, executor: Workers = None
    ) -> LabelPermutations[float]:
        """Return an estimate of the law from random labelings.

        `trials` is the number of labelings. `rng` is a seed or a generator. `executor` has the workers.

        Examples
        --------
        >>> null = LabelPermutations(4, [(0, 1), (1, 2), (2, 3)], [2, 2])
        >>> drawn = null.sample(99, rng=0)
        >>> drawn.tail(4), drawn.p_value(4)
        (0.35353535353535354, 0.36)
        >>> low, high = drawn.interval(4)
        >>> low < null.tail(4) < high
        True
        """
        trials, source = as_index(trials, "trials", at_least=1), generator(rng)
        found: Counter[int] = Counter()
        batches = _random_labelings(self.counts, trials, source)
        for purities in map_chunks(self._purities, batches, executor=executor):
            found.update(purities)
        law: LabelPermutations[float] = object.__new__(LabelPermutations)
        drawn = MappingProxyType(self._values(found))
        law.__dict__.update(size=self.size, edges=self.edges, counts=self.counts, drawn=drawn)
        return law

    @cached_property
    def trials(self) -> int | None:
        """The number of labelings drawn. It is None for the exact law."""
        return None if self.drawn is None else sum(self.drawn.values())

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of points in each neighborhood."""
        return tuple(neighborhood_sizes(self.size, distinct_edges(self.size, self.edges)).tolist())

    @cached_property
    def members(self) -> int:
        """The sum n.. of the sizes: the number of points plus twice the number of edges.

        The statistic is at most n..
        """
        return sum(self.sizes)

    @cached_property
    def initial_uncertainty(self) -> Fraction:
        """The quadratic entropy U_0 of the classes."""
        return uncertainty(self.counts)

    @property
    def mean(self) -> Fraction:
        """The mean (n**2 - n..) / (n - 1), whatever the classes are. On a spanning tree it is n - 2."""
        return Fraction(self.size**2 - self.members, self.size - 1)

    @cached_property
    def variance(self) -> Fraction:
        """The exact variance of the statistic."""
        # The variance of J is a sum over two pairs of points: they are the same, share a point, or share none.
        n, total = self.size, Fraction(self.members - self.size, 2)
        same, rows = self._squared_weights
        sharing = rows - 2 * same
        apart = total**2 - same - sharing
        two, three, four = (sum(math.perm(count, m) for count in self.counts) for m in (2, 3, 4))
        twos = sum(math.perm(count, 2) ** 2 for count in self.counts)
        four += two * two - twos  # two points of one class and two of another
        square = sum(
            weight * Fraction(ways, math.perm(n, m))
            for weight, ways, m in ((same, two, 2), (sharing, three, 3), (apart, four, 4))
            if n >= m
        )
        mean = total * Fraction(two, math.perm(n, 2))
        return 4 * (square - mean**2) / self.initial_uncertainty**2

    def z(self, value: Exact) -> RootSum:
        """Return the exact distance of a value from the mean in standard deviations.

        If the variance is 0, an error is raised.

        Examples
        --------
        >>> null = LabelPermutations(4, [(0, 1), (1, 2), (2, 3)], [2, 2])
        >>> print(null.z("14/3"))
        sqrt(2) ≈ 1.41421
        """
        repair = "leave out edges, so that some labelings are better than others"
        require(self.variance, "edges", "a graph with a variance above 0", sorted(self.edges), repair)
        return standardized(as_fraction(value, "value") - self.mean, self.variance)

    @cached_property
    def engine(self) -> Literal["constant", "forest", "enumeration", "drawn"]:
        """The method by which the law is computed.

        Raises
        ------
        TooLargeError
            The exact law is out of reach: there are too many labelings to enumerate, and the graph is no forest with
            two classes, or takes minutes. All methods that need the law then raise this error. Call `sample` first.
        """
        if self.drawn is not None:
            return "drawn"
        if self._forest_work <= _NANOSECONDS:
            return "forest"
        if not self.variance:
            return "constant"
        if self._labelings * self.size <= _LABELED:
            return "enumeration"
        shown = f"{len(self.counts)} classes on {self.size} points with {len(self.edges)} edges"
        repair = Message(Named("estimate with .sample(10_000, rng=0), or take .mean and .variance"))
        raise TooLargeError(explain("counts", "two on a small forest, or few labelings", shown, repair))

    @property
    def seconds(self) -> float:
        """The approximate time that the law takes, in seconds."""
        if self.engine == "enumeration":
            return self._labelings * self.size / _LABELED
        return self._forest_work / 1e9 if self.engine == "forest" else 0.0

    @cached_property
    def law(self) -> Mapping[Fraction, Number]:
        """The probability of each value, in ascending order of the values. Exact probabilities sum to exactly 1."""
        values, reached = self._tally
        counts = (here - above for here, above in pairwise(reached))
        return MappingProxyType({value: self._share(count) for value, count in zip(values, counts, strict=True)})

    def at_least(self, value: Exact | Enclosed) -> int:
        """Return the number of labelings whose statistic is at least a value. For a sampled law, count the trials."""
        values, reached = self._tally
        return reached[bisect_left(values, _threshold(value, "value"))]

    def tail(self, value: Exact | Enclosed) -> Number:
        """Return the probability of a statistic at least as large as a value.

        If labelings were drawn, it is their share.
        """
        return self._share(self.at_least(value))

    def p_value(self, value: Exact | Enclosed) -> Number:
        """Return the p-value of an observed value: the tail. For a sampled law, the observed value counts as a trial.

        Under random labels the p-value is at most alpha with probability at most alpha, for any number of trials.
        """
        if self.trials is None:
            return self.tail(value)
        return (1 + self.at_least(value)) / (1 + self.trials)  # type: ignore[return-value]

    def interval(self, value: Exact | Enclosed, confidence: Exact = "19/20") -> tuple[float, float]:
        """Return the exact binomial (Clopper-Pearson) interval of the tail. For an exact law it is a single point."""
        return self._binomial(self.at_least(value), confidence)

    def __str__(self) -> str:
        rows = [("points", f"{self.size}"), ("edges", f"{len(self.edges)}")]
        rows += [("classes", ", ".join(map(str, self.counts))), ("mean", to_text(self.mean))]
        rows += [("variance", to_text(self.variance))]
        if self.drawn is not None:
            mean = sum(value * times for value, times in self.drawn.items()) / Fraction(self._ways)
            rows += [("trials", f"{self._ways:,}"), ("mean of the trials", f"{float(mean):.4f}")]
        return listing("n.. RCG where the labels are put to the points at random", rows)

    # How it is computed

    @property
    def _ways(self) -> int:
        """The number of labelings that the law counts."""
        return self._labelings if self.trials is None else self.trials

    def _share(self, ways: int) -> Number:
        return Fraction(ways, self._ways) if self.trials is None else ways / self.trials  # type: ignore[return-value]

    def _binomial(self, ways: int, confidence: Exact) -> tuple[float, float]:
        if self.trials is None:
            return (float(self._share(ways)),) * 2
        return binomial_interval(ways, self.trials, confidence)

    @property
    def _labelings(self) -> int:
        """The number of distinct labelings."""
        return math.prod(math.comb(sum(self.counts[: j + 1]), count) for j, count in enumerate(self.counts))

    @cached_property
    def _forest_work(self) -> float:
        """The approximate nanoseconds that the law of a forest takes. Infinite without a forest or two classes."""
        if len(self.counts) != 2:
            return math.inf
        graphs = import_optional("scipy.sparse.csgraph", "stats", "the law of a statistic on a graph")
        trees: int = graphs.connected_components(self._closed, directed=False, return_labels=False)
        if trees != self.size - len(self.edges):
            return math.inf
        return forest_work(self.size, sorted(self.edges), self.counts[1])

    @cached_property
    def _closed(self) -> Any:
        """The sparse matrix of the neighborhoods, each point in its own."""
        sparse = import_optional("scipy.sparse", "stats", "the law of a statistic on a graph")
        ends = np.array([*self.edges, *((i, i) for i in range(self.size))]).T
        proper = ends[:, : len(self.edges)]
        rows, columns = np.concatenate([ends, proper[::-1]], axis=1)
        return sparse.csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=(self.size, self.size))

    @cached_property
    def _kinds(self) -> tuple[Integers, Any, int, Integers]:
        """The distinct sizes q of neighborhoods, which point has which, their least common multiple L, and each L/q."""
        sparse = import_optional("scipy.sparse", "stats", "the law of a statistic on a graph")
        kinds, place = np.unique(self.sizes, return_inverse=True)
        common = math.lcm(*kinds.tolist())
        small = common * self.members < 2**62
        shares = np.array([common // q for q in kinds.tolist()], dtype=np.int64 if small else object)
        member = sparse.csr_array((np.ones(self.size, dtype=np.int64), (place, np.arange(self.size))))
        return kinds, member, common, shares

    @property
    def _squared_weights(self) -> tuple[Fraction, Fraction]:
        """The sum over all pairs of the squares of their weights, and over all points of the square of their sum."""
        kinds, member, common, shares = self._kinds
        exact = shares.astype(object)
        shared = (self._closed @ self._closed).tocoo()  # how many points two neighborhoods have in common
        place = member.T.tocsr().indices
        table = np.zeros((len(kinds),) * 2, dtype=np.int64)
        np.add.at(table, (place[shared.row], place[shared.col]), shared.data * (shared.data - 1))
        same = Fraction(int(exact @ table.astype(object) @ exact), 2 * common**2)
        around = (self._closed @ member.T).toarray().astype(object) @ exact  # the sum of L / q over the neighborhood
        rows = sum((size * common - int(less)) ** 2 for size, less in zip(self.sizes, around, strict=True))
        return same, Fraction(rows, common**2)

    def _purities(self, labels: Integers) -> list[int]:
        """Return the sum of all n_ij**2 / n_i of each row of labels, in units of 1/L."""
        _, member, _, shares = self._kinds
        squares = 0
        for code in range(len(self.counts)):
            squares = squares + member @ np.square(self._closed @ (labels == code).T.astype(np.int64))
        found: list[int] = (shares @ squares).tolist()
        return found

    def _least_purity(self, evidence: Fraction) -> int:
        """Return the least integer that, as the purity of a labeling, gives a signed square of z this large."""
        low, high, common = 0, self.members * self._kinds[2] + 1, self._kinds[2]
        while low < high:
            middle = (low + high) // 2
            value = certainty(self.members, Fraction(middle, common), self.initial_uncertainty)
            if signed_square(value - self.mean, self.variance) >= evidence:
                high = middle
            else:
                low = middle + 1
        return low

    def _values(self, purities: Mapping[int, int]) -> dict[Fraction, int]:
        """Replace purities by the values of the statistic, ascending. The counts stay."""
        common = self._kinds[2]
        gain = {
            key: certainty(self.members, Fraction(key, common), self.initial_uncertainty) for key in sorted(purities)
        }
        return {gain[key]: purities[key] for key in gain}

    @cached_property
    def _tally(self) -> tuple[tuple[Fraction, ...], tuple[int, ...]]:
        """The values in ascending order, and for each the number of labelings with this value or a larger one.

        The numbers end with a 0 for values above the last one.
        """
        counts = self._counted()
        values = sorted(value for value, count in counts.items() if count)
        from_above = accumulate((counts[value] for value in reversed(values)), initial=0)
        return tuple(values), tuple(from_above)[::-1]

    def _counted(self) -> Mapping[Fraction, int]:
        """Return the number of labelings with each value, computed by the engine."""
        if self.drawn is not None:
            return self.drawn
        if self.engine == "constant":
            return {self.mean: self._labelings}
        if self.engine == "forest":
            unit, counts = forest_mixtures(self.size, sorted(self.edges), self.counts[1])
            return {self.members - e * unit / self.initial_uncertainty: count for e, count in enumerate(counts)}
        found: Counter[int] = Counter()
        labels = all_labelings(self.counts)
        step = max(1, _CELLS // self.size)
        for start in range(0, len(labels), step):
            found.update(self._purities(labels[start : start + step]))
        return self._values(found)


def _random_labelings(counts: Sequence[int], trials: int, rng: np.random.Generator) -> Iterator[Integers]:
    """Yield random labelings with these numbers of the labels 0, 1, ... in batches. A row of a batch is a labeling."""
    labels = np.repeat(np.arange(len(counts)), counts)
    step = max(1, _CELLS // len(labels))
    for start in range(0, trials, step):
        yield rng.permuted(np.tile(labels, (min(step, trials - start), 1)), axis=1)


def standardized(gap: Fraction, variance: Fraction) -> RootSum:
    """Return z for a value with this gap to the mean: the gap divided by the standard deviation."""
    return sqrt(gap**2 / variance) * (-1 if gap < 0 else 1)


def signed_square(gap: Fraction, variance: Fraction) -> Fraction:
    """Return z times its absolute value, which has the same order as z. If nothing varies, it is 0."""
    return gap * abs(gap) / variance if variance else Fraction(0)


def labelings_with_a_gain(
    laws: Sequence[LabelPermutations[Fraction]], evidence: Fraction, trials: int, rng: np.random.Generator
) -> int:
    """Return the number of random labelings for which the largest z of several graphs is large.

    It is large if its signed square is at least `evidence`. Each labeling is used for all graphs, so that their
    statistics depend on each other as they do in the data. The comparison is exact: it compares integers.
    """
    least, hits = [law._least_purity(evidence) for law in laws], 0
    for drawn in _random_labelings(laws[0].counts, trials, rng):
        large = [[purity >= few for purity in law._purities(drawn)] for law, few in zip(laws, least, strict=True)]
        hits += int(np.any(large, axis=0).sum())
    return hits


def _threshold(value: Exact | Enclosed, argument: str) -> Any:
    return value if isinstance(value, Enclosed) else as_fraction(value, argument)
