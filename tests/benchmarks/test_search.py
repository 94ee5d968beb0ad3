"""How many distributions a second the search for counterexamples looks at, for claims of three kinds."""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.logic.claims import Claim
from fstheory.logic.statement import Shape
from fstheory.proofs.enumeration import FormulaTarget, Piece, count
from fstheory.proofs.refutation import refute
from tests.proofs.claims import information_orders_as_risk, monotone, solution_is_unique


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
