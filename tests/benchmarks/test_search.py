"""How many distributions a second the search for counterexamples looks at, for claims of three kinds."""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.proofs.enumeration import FormulaTarget, Piece, count
from fstheory.proofs.refutation import refute

Names = frozenset[str]


@claim
def monotone(m: Model, S: Names, i: str) -> Formula:
    return m.risk(S | {i}) <= m.risk(S)


@claim(assume=[positive, unique_maximum])
def solution_is_unique(m: Model, S: Names, T: Names) -> Formula | bool:
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@claim
def information_orders_as_risk(m: Model, i: str, j: str) -> Formula:
    return m.implies(m.mutual_information(i) < m.mutual_information(j), m.risk(j) <= m.risk(i))


@pytest.mark.parametrize(
    ("searched", "cardinalities", "total"),
    [
        (monotone, (2, 2), 18),
        (solution_is_unique, (2, 2), 18),
        (solution_is_unique, (2, 2, 2), 8),
        (information_orders_as_risk, (2, 2), 14),
    ],
    ids=["one comparison", "two solutions", "three features", "entropies"],
)
def test_all_distributions_of_a_total(
    searched: Claim, cardinalities: tuple[int, ...], total: int, benchmark: BenchmarkFixture
) -> None:
    """Every vector of weights once, none left out for symmetry."""
    target = FormulaTarget(searched.statement(Shape(cardinalities)), moves=())
    vectors = count(target.shape.cells, total)
    benchmark.extra_info["distributions"] = vectors
    benchmark(target.search, Piece(total, 0, vectors))
    if benchmark.stats is not None:
        benchmark.extra_info["millions a second"] = round(vectors / benchmark.stats.stats.median / 1e6, 1)


@pytest.mark.parametrize("dropped", ["positive", "unique_maximum"])
def test_the_smallest_counterexample(dropped: str, benchmark: BenchmarkFixture) -> None:
    """From nothing to a certificate, all shapes up to 2 x 2 states included."""
    search: Callable[..., object] = refute
    benchmark(search, solution_is_unique, without=dropped)
