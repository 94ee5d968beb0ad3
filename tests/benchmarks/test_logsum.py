"""How long exact sums of logarithms take: built, rounded, compared, and found equal.

No time is asserted. Rivals, where there is one, run in the same process, and the ratio is recorded.
"""

import importlib
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.numbers.logsum import LogSum, log
from tests.benchmarks.rivals import seconds

mpmath: Any = importlib.import_module("mpmath")


def counts(cells: int, below: int = 10**6) -> list[int]:
    rng = random.Random(cells)
    return [rng.randrange(1, below) for _ in range(cells)]


def entropy(cells: list[int]) -> LogSum:
    total = sum(cells)
    terms = {count: -count * often for count, often in Counter(cells).items()}
    terms[total] = terms.get(total, 0) + total
    return LogSum.of_counts(Counter(terms), total)


def fresh(number: LogSum) -> LogSum:
    """Return a copy that remembers nothing."""
    return LogSum(number.terms, number.constant)


@pytest.mark.parametrize("cells", [1000, 100_000])
def test_the_entropy_of_a_table(benchmark: BenchmarkFixture, cells: int) -> None:
    """Beside mpmath with 50 digits, which proves nothing."""
    table = counts(cells)
    total = sum(table)
    value = benchmark(lambda: float(entropy(table)))

    def rival() -> Any:
        with mpmath.workdps(50):
            return mpmath.log(total) - mpmath.fsum(count * mpmath.log(count) for count in table) / total

    assert value == float(rival())
    benchmark.extra_info["mpmath, seconds"] = seconds(rival, rounds=1)


@pytest.mark.parametrize("cells", [1000, 100_000])
def test_equal_entropies_written_differently(benchmark: BenchmarkFixture, cells: int) -> None:
    """Arguments doubled, and tripled in the other: nothing cancels before it is factored."""
    table = counts(cells)
    total = sum(table)
    one, other = (
        LogSum.of_counts(Counter({total: total, **{f * n: -n * k for n, k in Counter(table).items()}}), 1)
        + total * log(f)
        for f in (2, 3)
    )
    assert benchmark.pedantic(lambda: one == other, rounds=3)


@pytest.mark.parametrize("digits", [40, 400, 4000])
def test_a_near_tie(benchmark: BenchmarkFixture, digits: int) -> None:
    one = entropy(counts(1000))
    other = one + Fraction(1, 10**digits)
    assert benchmark(lambda: fresh(one) < fresh(other))
