"""Batches against the evaluation of one distribution at a time: the same answer, at every distribution."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.proofs.batch import Array, CompiledStatement, CompiledTerm, Exact, exact_sum, quotient
from fstheory.proofs.enumeration import of_total
from tests.proofs import statements

KINDS = {
    "linear": statements.LINEAR, "rational": statements.RATIONAL, "entropies": statements.ENTROPIES,
    "all": statements.ALL,
}  # fmt: skip


def some_vectors(rng: Random, shape: Shape, total: int) -> Array:
    every = of_total(shape.cells, total)
    start = rng.randint(0, max(0, every.size - 30))
    return every.listed(start, min(start + 30, every.size))[0]


@pytest.mark.parametrize(
    ("bits", "width", "wider"), [(15, "int16", "int32"), (31, "int32", "int64"), (63, "int64", object)]
)
def test_magnitudes_up_to_the_largest_of_a_width_fit(bits: int, width: object, wider: object) -> None:
    most, more = (Exact.constant(Fraction(2**bits - 1 + i)) for i in (0, 1))
    assert (most.parts[1].dtype, more.parts[1].dtype) == (width, wider)
    assert exact_sum(most, more).parts[1].tolist() == [2 ** (bits + 1) - 1]


def test_a_quotient_by_what_no_float_reaches_is_unknown() -> None:
    half = Exact.constant(Fraction(1, 2)).approximate()
    for below in (2**10, 2**500, 2**1100):
        found = quotient(half, Exact.constant(Fraction(3, below))).unknown
        assert found is not None
        assert found.all() == (below > 2**400)


def statement_of(formula: Node, shape: Shape) -> Statement:
    return Statement("one", shape, (), (Instance("one", (), formula),))


def found(formula: Node, *vectors: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return at which weights of one binary feature a formula is known to be false, and at which that is left open."""
    batch = CompiledStatement(statement_of(formula, Shape((2,))))
    violated, undecided = batch.find(statements.columns(*vectors), sum(vectors[0]))
    return violated.tolist(), undecided.tolist()


def agree(statement: Statement, vectors: Array, total: int) -> set[int]:
    """Compare what is decided at once with the evaluation of one after the other; return what is not decided."""
    violated, undecided = (set(places.tolist()) for places in CompiledStatement(statement).find(vectors, total))
    assert not violated & undecided
    for place, weights in enumerate(vectors.T.tolist()):
        expected = statements.violated(statement, weights)
        if place not in undecided and expected is not None:
            assert expected is (place in violated), (statement, weights)
    return undecided


@pytest.mark.parametrize("kinds", KINDS)
@statements.seeds(15, 60)
def test_batches_and_single_distributions_agree(seed: int, kinds: str) -> None:
    rng = Random(f"{seed} {kinds}")
    shape = statements.shape(rng)
    statement = statements.statement(rng, shape, KINDS[kinds])
    total = rng.choice((1, 2, 3, 4, 7, 12, 30))
    undecided = agree(statement, some_vectors(rng, shape, total), total)
    assert kinds not in {"linear", "entropies"} or not undecided  # ties of entropies are ties of integers


def test_weights_of_any_size() -> None:
    """The integers grow from 16 bits to as many as it takes."""
    rng = Random(1)
    for bits in (14, 16, 30, 33, 60, 64, 100):
        shape = Shape((2,), 2)
        statement = statements.statement(rng, shape, statements.RATIONAL)
        vectors = np.array([[rng.getrandbits(bits) for _ in range(20)] for _ in range(3)], dtype=object)
        total = int(vectors.sum(axis=0).max()) + 1
        vectors = np.vstack([vectors, total - vectors.sum(axis=0)])
        if total < 2**62:
            vectors = vectors.astype(np.int64)
        agree(statement, vectors, total)


@pytest.mark.parametrize("power", [1, 4, 16])
def test_products_do_not_overflow(power: int) -> None:
    """The powers of probabilities of total 30,000 have hundreds of bits."""
    p: Node = ("P", (0,), 0)
    node: Node = ("q", Fraction(1))
    for _ in range(power):
        node = ("*", node, p)
    half = ("q", Fraction(1, 2**power))
    assert found(("<", node, half), [15_000, 0, 0, 15_000], [14_999, 1, 0, 15_000]) == ([0], [])


def test_near_ties_of_entropies() -> None:
    """H(X1) and H(Y) differ by 2e-8 or by nothing."""
    vectors = [[2500, 2501, 2500, 2499], [2500, 2500, 2501, 2499], [0, 5000, 5000, 0]]
    assert found(("<", ("H", (0,), False), ("H", (), True)), *vectors) == ([1, 2], [])


def test_ties_of_entropies_that_floats_do_not_see() -> None:
    """X and Y have the same weights in another order, and a sum of floats depends on the order."""
    rng = Random(11)
    shape = Shape((5,), 5)
    vectors = np.zeros((25, 400), dtype=np.int64)
    for column in range(400):
        order = rng.sample(range(5), 5)
        for x, y in enumerate(order):
            vectors[5 * x + y, column] = rng.randint(1, 40)
        vectors[order[0], column] += 300 - vectors[:, column].sum()
    x_first: Node = ("<", ("H", (0,), False), ("H", (), True))
    y_first: Node = ("<", ("H", (), True), ("H", (0,), False))
    for formula in (x_first, y_first, ("not", ("=", *x_first[1:]))):
        violated, undecided = CompiledStatement(statement_of(formula, shape)).find(vectors, 300)
        assert (len(violated), len(undecided)) == (400, 0)
        assert len(CompiledStatement(statement_of(("not", formula), shape)).find(vectors, 300)[0]) == 0


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


def test_assumptions_filter() -> None:
    positive = tuple(Instance("positive", (), ("<", ("q", Fraction(0)), ("P", (x,), None))) for x in (0, 1))
    batch = CompiledStatement(Statement("never", Shape((2,)), positive, (Instance("never", (), ("or",)),)))
    assert batch.find(statements.columns([1, 0, 0, 1], [1, 1, 0, 0]), 2)[0].tolist() == [0]


def test_the_values_of_a_slack_are_exact() -> None:
    slack = CompiledTerm(Shape((2,)), ("+", ("R", ()), ("*", ("q", Fraction(-1)), ("R", (0,)))))
    assert slack.values(statements.columns([3, 1, 1, 3], [1, 1, 2, 4], [4, 0, 0, 4]), 8).tolist() == [2, 0, 4]
