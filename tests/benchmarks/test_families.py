"""How long a phase diagram takes, beside a literal one in fractions, or with SymPy, timed in the same run.

No time is asserted; that both find the same critical values is.
"""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from fstheory.selection.family import Family
from tests.benchmarks.rivals import record

T = sympy.Symbol("t")


def drawn(n: int, seed: int) -> fs.JointDistribution:
    source = random.Random(seed)
    return fs.JointDistribution(
        np.array([source.randrange(1, 100) for _ in range(2 ** (n + 1))]).reshape((2,) * (n + 1))
    )


def literal(first: fs.JointDistribution, second: fs.JointDistribution) -> list[Fraction]:
    """Cross all pairs of lines between all knots, in fractions, and keep where the order differs from a side's."""
    ends = [d.weights.astype(object) * Fraction(1, d.total) for d in (first, second)]
    n = len(first.features)
    tables = []
    for size in range(n + 1):
        for kept in itertools.combinations(range(n), size):
            rest = tuple(axis for axis in range(n) if axis not in kept)
            tables.append([d.sum(axis=rest).reshape(-1, 2) if rest else d.reshape(-1, 2) for d in ends])
    knots = {Fraction(0), Fraction(1)}
    for one, other in tables:
        for (a, b), (c, d) in zip(one.tolist(), other.tolist(), strict=True):
            if (a - b) * (c - d) < 0:
                knots.add((a - b) / ((a - b) - (c - d)))

    def values(t: Fraction) -> list[Fraction]:
        return [((1 - t) * one + t * other).max(axis=1).sum() for one, other in tables]

    ordered = sorted(knots)
    at = [values(t) for t in ordered]
    found = set()
    for (low, before), (high, after) in itertools.pairwise(zip(ordered, at, strict=True)):
        for i, j in itertools.combinations(range(len(before)), 2):
            left, right = before[i] - before[j], after[i] - after[j]
            if left != right and left * right <= 0:
                found.add(low + (high - low) * left / (left - right))
    return sorted(found - {Fraction(0), Fraction(1)})


@pytest.mark.parametrize("n", [4, 6])
def test_mixtures_of_two_distributions(benchmark: BenchmarkFixture, n: int) -> None:
    first, second = drawn(n, 1), drawn(n, 2)
    diagram = benchmark.pedantic(lambda: fs.phase_diagram(first, second), rounds=3)
    if n == 4 or not benchmark.disabled:
        assert list(diagram.critical_values) == literal(first, second)
    record(benchmark, "ratio to all pairs in fractions", lambda: literal(first, second), rounds=1)


def quartic(n: int, seed: int) -> Family:
    """Weights of degree 4: any number of each of the polynomials t**j (1 - t)**(4 - j)."""
    source, table = random.Random(seed), np.empty((2,) * (n + 1), dtype=object)
    for cell in np.ndindex(table.shape):
        table[cell] = sum(source.randrange(9) * T**j * (1 - T) ** (4 - j) for j in range(5))
    family: Family = fs.polynomial_family(table.tolist(), T)
    return family


def test_a_family_of_degree_four(benchmark: BenchmarkFixture) -> None:
    family = quartic(3, 4)
    diagram = benchmark.pedantic(lambda: fs.phase_diagram(family), rounds=3)
    assert len(diagram.critical_values) > 2

    def with_sympy() -> list[sympy.Expr]:
        """Isolate the roots of the same differences: where classes change places in a marginal, no risks yet."""
        found = []
        for _, table in fs.selection.family.marginals(family):
            for row in (table[:, :, 0] - table[:, :, 1]).T.tolist():
                found += sympy.Poly([int(c) for c in reversed(row)], T).intervals()
        return found

    record(benchmark, "ratio to the knots alone with SymPy", with_sympy)
