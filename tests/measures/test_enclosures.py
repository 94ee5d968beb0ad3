"""What the proof of the radius rests on."""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, SubsetTable
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.sweep import subset_sums
from fstheory.measures.information import additions, conditional_entropy_table, entropy_table, mutual_information_table
from fstheory.numbers.logsum import LogSum


def contain_the_values(table: SubsetTable[LogSum], masks: Iterable[int], digits: int = 40) -> float:
    """Compare the enclosures of some subsets with their exact values; return the largest radius of all."""
    column = table.column
    assert isinstance(column, EnclosedColumn)
    for mask in masks:
        low, high = table.value_at(mask).enclosure(digits)
        center, radius = Fraction(float(column.centers[mask])), Fraction(float(column.radii[mask]))
        assert center - radius <= low <= high <= center + radius
    return float(column.radii.max())


def arguments() -> np.ndarray:
    """Masses, their quotients, and what lies next to 1, where logarithms are hardest."""
    random = np.random.default_rng(0)
    near = 1 + np.concatenate([2.0 ** -np.arange(1, 53), -(2.0 ** -np.arange(1, 54))])
    wide = np.exp2(random.uniform(-81, 81, 20_000))
    counts = random.integers(1, 2**20, 5000) / 2**19
    return np.concatenate([near, wide, counts, 1 + random.uniform(0, 1e-3, 5000), random.uniform(0.5, 2, 20_000)])


def test_the_logarithm_of_this_platform() -> None:
    """It errs by 4 ulp at most, in long arrays and in short ones, whose loops differ."""
    x = arguments()
    found = np.concatenate([np.log(x[:-3]), *(np.log(x[-3 + i :][:1]) for i in range(3))])
    with ctx.workprec(160):
        for argument, value in zip(x.tolist(), found.tolist(), strict=True):
            error = abs(arb(value) - arb(argument).log())
            assert error <= 4 * math.ulp(value) or value == 0 == arb(argument).log(), argument


CARDINALITIES = [(), (2,), (5,), (2,) * 6, (2,) * 13, (3,) * 8, (7, 2, 4, 3, 5), (1, 2, 1, 3), (30, 2, 2, 2)]


WIDEST = pytest.param((6,) * 6, marks=pytest.mark.thorough)


@pytest.mark.parametrize("cardinalities", [*CARDINALITIES, (40, 30, 20), WIDEST])
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_no_term_goes_through_more_additions(cardinalities: tuple[int, ...], classes: int) -> None:
    """The sweep itself counts them: a sum is one deeper than its deeper part."""
    deeper = np.frompyfunc(lambda a, b: max(a, b) + 1, 2, 1)
    planes = np.zeros((classes, *cardinalities), dtype=object)

    def zero(cells: np.ndarray, out: np.ndarray) -> None:
        out[...] = 0

    depths = subset_sums(planes, zero, combine=np.add, collect=deeper)
    assert depths.max() <= additions(cardinalities, classes)

    def highest(cells: np.ndarray, out: np.ndarray) -> None:
        out[...] = cells[:1]

    masses = subset_sums(planes, highest, combine=deeper, collect=np.maximum)
    assert masses.max() <= sum(c - 1 for c in cardinalities)


@pytest.mark.parametrize("least", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_radius_of_sixteen_binary_features(least: int) -> None:
    d = JointDistribution(np.random.default_rng(0).integers(least, 1000, (2,) * 17))
    some = (0, 1, 2**15, 2**16 - 2, 2**16 - 1)
    assert contain_the_values(conditional_entropy_table(d), some) < (2e-13 if least == 0 else 3e-14)
    assert contain_the_values(mutual_information_table(d), ()) < 5e-13
    assert contain_the_values(entropy_table(d), ()) < 1e-12


@given(st.integers(60, 5000), st.integers(2, 4), st.integers(0, 2**32))
def test_a_total_of_any_size_costs_no_accuracy(bits: int, classes: int, seed: int) -> None:
    """Cells of all magnitudes at once, from a single unit to the whole total."""
    random = np.random.default_rng(seed)
    shape = (2, 3, classes)
    cells = [int(random.integers(1, 2**30)) << int(random.integers(0, bits)) for _ in range(math.prod(shape))]
    table = conditional_entropy_table(JointDistribution(np.array(cells, dtype=object).reshape(shape)))
    assert contain_the_values(table, range(4), 30) < 1e-12
