"""All vectors of a total, in order, by rank; and which of them may be left out."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from fstheory.checker.statement import COMPARISONS
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.proofs.batch import Approximate, Array, CompiledStatement, Exact, compare, exact_sum, product, quotient
from fstheory.proofs.enumeration import LARGEST, Compositions, Target, Weights, _Choices, cell_moves, count, of_total
from tests.literal import compositions
from tests.proofs import statements
from tests.proofs.claims import monotone


def rank_of(weights: tuple[int, ...]) -> int:
    """Return the place of a vector among all those of its length and sum, in lexicographic order."""
    rank, left = 0, sum(weights)
    for place, weight in enumerate(weights[:-1]):
        after = len(weights) - place
        rank += count(after, left) - count(after, left - weight) if weight else 0
        left -= weight
    return rank


#: How long tables may be: where they are short, so are tails, and heads are made of heads and tails in turn.
short_tables = pytest.mark.parametrize("tails", [1, 5, 100, 2**16])


@short_tables
@pytest.mark.parametrize(("cells", "total"), [(1, 1), (1, 5), (2, 3), (3, 4), (4, 1), (5, 4), (6, 3)])
def test_any_range_of_all_vectors_in_order(cells: int, total: int, tails: int) -> None:
    expected = list(compositions(total, cells))
    vectors = Compositions(cells, total, (), tails)
    assert vectors.size == count(cells, total) == len(expected)
    assert [rank_of(vector) for vector in expected] == list(range(len(expected)))
    for start in range(0, len(expected), 5):
        for stop in [*range(start + 1, len(expected), 7), len(expected)]:
            assert list(map(tuple, vectors.listed(start, stop)[0].T.tolist())) == expected[start:stop]


def test_large_spaces_are_addressed_by_rank() -> None:
    """The middle of a list of 10**13 vectors, and the largest weight."""
    assert Compositions(1, LARGEST).listed(0, 1)[0].tolist() == [[LARGEST]]
    vectors = of_total(27, 14)
    assert vectors is of_total(27, 14)  # its tables are kept
    assert vectors.size == count(27, 14) > 10**10
    start = vectors.size // 2
    for offset, column in enumerate(vectors.listed(start, start + 5)[0].T.tolist()):
        assert rank_of(tuple(column)) == start + offset
        assert sum(column) == 14


@short_tables
@pytest.mark.parametrize(("cardinalities", "total"), [((2,), 5), ((3,), 4), ((2, 2), 4)])
def test_the_least_of_each_orbit_is_listed(cardinalities: tuple[int, ...], total: int, tails: int) -> None:
    shape = Shape(cardinalities)
    moves = cell_moves(monotone.statement(shape))
    size = count(shape.cells, total)
    every = list(compositions(total, shape.cells))
    vectors, ranks = Compositions(shape.cells, total, moves, tails).listed(0, size)
    listed = list(map(tuple, vectors.T.tolist()))
    least = {min(tuple(v[i] for i in move) for move in (*moves, tuple(range(len(v))))) for v in every}
    assert least <= set(listed) <= set(every)
    assert [every[rank] for rank in ranks] == listed == sorted(listed)


# Batches against the evaluation of one distribution at a time

KINDS = {name.lower(): getattr(statements, name) for name in ("LINEAR", "RATIONAL", "ENTROPIES", "ALL")}


def some_vectors(rng: Random, shape: Shape, *, large: bool) -> tuple[Array, int]:
    """Return weights of one total: a range of all of a small one, or a few of up to as many bits as it takes."""
    if not large:
        total = rng.choice((1, 2, 3, 4, 7, 12, 30))
        every = of_total(shape.cells, total)
        start = rng.randint(0, max(0, every.size - 30))
        return every.listed(start, min(start + 30, every.size))[0], total
    bits = rng.choice((14, 16, 30, 33, 60, 64, 100))
    vectors = np.array([[rng.getrandbits(bits) for _ in range(20)] for _ in range(shape.cells)], dtype=object)
    total = int(vectors.sum(axis=0).max()) + 1
    vectors[-1] += total - vectors.sum(axis=0)
    return vectors.astype(np.int64) if total < 2**62 else vectors, total


@pytest.mark.parametrize(
    ("bits", "width", "wider"), [(15, "int16", "int32"), (31, "int32", "int64"), (63, "int64", object)]
)
def test_magnitudes_up_to_the_largest_of_a_width_fit(bits: int, width: object, wider: object) -> None:
    most, more = (Exact.constant(Fraction(2**bits - 1 + i)) for i in (0, 1))
    assert (most.parts[1].dtype, more.parts[1].dtype) == (width, wider)
    assert exact_sum(most, more).parts[1].tolist() == [2 ** (bits + 1) - 1]


def test_a_quotient_by_0_or_by_what_no_float_reaches_is_unknown() -> None:
    """0/0 is 0. A denominator may be one that no narrow integer holds."""
    half = Exact.constant(Fraction(1, 2)).approximate()
    cases: list[tuple[Exact | Approximate, Fraction, bool]] = [
        *((half, Fraction(3, 2**power), power > 400) for power in (10, 500, 1100)),
        *((Exact.constant(number), Fraction(0), number > 0) for number in (Fraction(1, 10**12), Fraction(0))),
    ]
    for value, below, expected in cases:
        unknown = quotient(value, Exact.constant(below)).unknown
        assert (unknown is not None and bool(unknown.all())) == expected


def statement_of(formula: Node, shape: Shape) -> Statement:
    return Statement("one", shape, (), (Instance("one", (), formula),))


def found(formula: Node, *vectors: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return at which weights of one binary feature a formula is known to be false, and at which that is left open."""
    batch = CompiledStatement(statement_of(formula, Shape((2,))))
    violated, undecided = batch.find(statements.columns(*vectors), sum(vectors[0]))
    return violated.tolist(), undecided.tolist()


@pytest.mark.parametrize("kinds", KINDS)
@statements.seeds(20, 60)
@pytest.mark.one_in(4)
def test_batches_and_single_distributions_agree(seed: int, kinds: str) -> None:
    """What is decided at once, and the evaluation of one after the other."""
    rng = Random(f"{seed} {kinds}")
    shape = statements.shape(rng)
    statement = statements.statement(rng, shape, KINDS[kinds])
    large = kinds in {"linear", "rational"} and rng.random() < 0.4  # entropies of large weights take forever
    vectors, total = some_vectors(rng, shape, large=large)
    violated, undecided = (set(places.tolist()) for places in CompiledStatement(statement).find(vectors, total))
    assert not violated & undecided
    for place, weights in enumerate(vectors.T.tolist()):
        expected = statements.violated(statement, weights)
        if place not in undecided and expected is not None:
            assert expected is (place in violated), (statement, weights)
    assert kinds not in {"linear", "entropies"} or not undecided  # ties of entropies are ties of integers


def test_ties_of_entropies_that_floats_do_not_see() -> None:
    """X and Y have the same weights in another order, and a sum of floats depends on the order."""
    rng = Random(11)
    tables = np.zeros((400, 5, 5), dtype=np.int64)
    for table in tables:
        table[range(5), rng.sample(range(5), 5)] = [rng.randint(1, 40) for _ in range(5)]
        table[0] += (table[0] > 0) * (300 - table.sum())
    x, y = ("H", (0,), False), ("H", (), True)
    for formula in (("<", x, y), ("<", y, x), ("not", ("=", x, y))):
        for claimed, expected in ((formula, list(range(400))), (("not", formula), [])):
            batch = CompiledStatement(statement_of(claimed, Shape((5,), 5)))
            assert [part.tolist() for part in batch.find(tables.reshape(400, 25).T, 300)] == [expected, []]


def test_logarithms_between_two_floats() -> None:
    """What floats cannot tell is left open, and not guessed."""
    close, closer = (("q", Fraction(10**15 + more, 10**15)) for more in (1, 2))
    sides = ("log", closer), ("+", ("log", close), ("q", Fraction(1, 10**16)))
    assert found(("<", *sides), [1, 0, 0, 0])[1] == [0]


def test_undefined_values_are_left_open() -> None:
    """0/0 is 0; x/0, the logarithm of 0 and the root of a negative number are for the evaluation to refuse."""
    nothing, something = ("P", (0,), 0), ("P", (1,), 1)
    zero: Node = ("q", Fraction(0))
    at = [0, 1, 1, 1]
    assert found(("=", ("/", nothing, nothing), zero), at)[0] == []
    for term in (("/", something, nothing), ("log", nothing), ("sqrt", ("+", nothing, ("q", Fraction(-1))))):
        assert found(("<", term, zero), at)[1] == [0]
    assert found(("or", ("<", ("log", nothing), zero), ("=", nothing, zero)), at)[1] == []


def test_what_is_unknown_of_a_factor_is_unknown_of_the_product() -> None:
    known = Approximate(np.array([1.0, 2.0, 3.0]), 0.25, 3.0)
    partly = Approximate(np.array([2.0, -4.0, 1.0]), 0.5, 4.0, np.array([False, True, False]))
    for found in (product(known, partly), product(partly, known)):
        assert isinstance(found, Approximate)
        assert found.unknown is not None
        assert found.unknown.tolist() == [False, True, False]
        assert 0.25 * 4 + 3 * 0.5 <= found.radius < 2.6
    assert product(known, known).unknown is None


def test_points_are_counted_as_shares_of_all_points() -> None:
    """The bounds on numerators and denominators are as small as they can be, so that words do not overflow early."""
    choices = _Choices(((0, 0, 0, 0), (0, 0, 1, 1), (0, 1, 2, 3)), 1, None, ("<", ("R", (0,)), ("R", ())))
    counted = choices._counted(np.array([0, 3]))
    assert (counted.top, counted.below, counted.below_top) == (4, 4, 4)


@pytest.mark.parametrize("kind", ["<", "<=", "="])
def test_fractions_are_compared_whatever_their_denominators(kind: str) -> None:
    """Of two numbers with a denominator for each distribution, some have the same one, as an array or as its copy."""
    below, other = np.array([1, 2, 3, 4, 4]), np.array([2, 4, 3, 1, 8])
    pairs: list[tuple[Any, Any]] = [
        (below, below),
        (below, below.copy()),
        (below, other),
        (below, 3),
        (3, below),
        (2, 6),
        (5, 5),
    ]
    first, second = np.array([1, 1, 2, 0, -3]), np.array([1, 2, 1, 0, -6])
    for under, beneath in pairs:
        a, b = (Exact({1: over}, 9, down, 9) for over, down in ((first, under), (second, beneath)))
        ratios = zip(*(np.broadcast_to(part, 5).tolist() for part in (first, under, second, beneath)), strict=True)
        expected = [COMPARISONS[kind](Fraction(p, q), Fraction(r, s)) for p, q, r, s in ratios]
        found = compare(kind, a, b)
        assert found.yes.tolist() == expected
        assert found.no.tolist() == [not true for true in expected]


class _Known(Target):
    """A claim whose counterexamples are those with a weight above 2. Some are known, some are decided singly."""

    def __init__(self, known: list[int], single: list[int]) -> None:
        self.known, self.single = known, single

    def violated(self, weights: Weights) -> bool:
        return max(weights) > 2

    def find(self, vectors: Array, total: int) -> tuple[Array, Array]:
        return np.array(self.known, dtype=int), np.array(self.single, dtype=int)


@pytest.mark.parametrize(
    ("known", "single", "first"),
    [([], [0, 1, 2], (1, 3)), ([2], [0], (4, 0)), ([1, 2], [0], (1, 3)), ([2], [0, 1], (1, 3)), ([], [0], None)],
)
def test_the_first_counterexample_of_a_list(known: list[int], single: list[int], first: Weights | None) -> None:
    assert _Known(known, single).first([(2, 2), (1, 3), (4, 0)]) == first
