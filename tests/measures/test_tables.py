"""Tables: totals of any size, enclosures that enclose, agreement with what else there is, and pickling."""

from fractions import Fraction

import numpy as np
import pytest

from fstheory import JointDistribution
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.subsets import names_of
from fstheory.measures import criteria
from fstheory.measures.criterion import Criterion, _Values

NAMES = ["zero_one", "balanced", "logarithmic", "squared_error", "gini", "f_measure", "auc"]


def random_distribution(seed: int, shape: tuple[int, ...], largest: int) -> JointDistribution:
    """Return a distribution with about half of its weights 0, every class among the others."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 2**30, size=shape).astype(object) * largest // 2**30
    weights[rng.random(shape) < 0.5] = 0
    weights[(0,) * (len(shape) - 1)] = 1
    return JointDistribution(weights)


@pytest.mark.parametrize("largest", [3, 2**20, 2**27, 2**32, 2**45, 2**58, 2**64, 2**90])
@pytest.mark.parametrize("name", NAMES)
def test_a_table_holds_the_value_of_each_subset_for_totals_of_any_size(name: str, largest: int) -> None:
    criterion = criteria.as_criterion(name)
    for seed in range(4):
        d = random_distribution(seed, (2, 3, 2, 2), largest)
        table = criterion.table(d)
        for mask in range(8):
            subset = names_of(mask, d.features)
            assert table[subset] == criterion.value(d, subset)
            assert criterion.value(d, subset) == criterion.value(d.marginal(subset), subset)


@pytest.mark.parametrize("largest", [5, 2**27, 2**58, 2**62, 2**64, 2**200])
@pytest.mark.parametrize("criterion", [criteria.gini(), criteria.squared_error(), criteria.f_measure()])
def test_enclosures_enclose_and_are_narrow(criterion: Criterion[Fraction], largest: int) -> None:
    labels = [-(10**6), Fraction(1, 3), 10**6]
    for seed in range(10):
        classes = 2 if criterion == criteria.f_measure() else 3
        weights = random_distribution(seed, (3, 2, 2, 2, classes), largest).weights
        d = JointDistribution(weights, states={"Y": labels[-classes:]})
        column = criterion.table(d).column
        assert isinstance(column, EnclosedColumn)
        span = 4 * 10**12 if criterion == criteria.squared_error() else 1
        assert (column.radii < 1e-13 * span).all()
        for mask in range(16):
            error = abs(Fraction(column.centers[mask]) - criterion.value(d, names_of(mask, d.features)))
            assert error <= Fraction(column.radii[mask])


@pytest.mark.parametrize("number", [sign * (2**63 + off) for sign in (1, -1) for off in (-1, 0, 1)])
def test_fractions_about_as_long_as_a_machine_word_are_kept(number: int) -> None:
    for value in (Fraction(number, 2), Fraction(number), Fraction(1, number)):
        values = _Values(1)
        values[0] = value
        assert values[0] == value


def test_the_enclosure_does_not_hang_on_where_the_numbers_lie_nor_on_the_range_of_floats() -> None:
    for span in (Fraction(10**400), Fraction(1, 10**400), Fraction(10**200)):
        d = JointDistribution([[3, 1], [1, 3]], states={"Y": [0, span]})
        table = criteria.squared_error().table(d)
        assert table[{"X1"}] == criteria.squared_error().value(d, {"X1"}) == Fraction(3, 16) * span**2
        assert table.ranks.tolist() == [1, 0]
    made = (JointDistribution([[3, 1], [1, 3]], states={"Y": [low, low + 1]}) for low in (10**40, 0))
    shifted, near = (criteria.criterion_values(d, "squared_error") for d in made)
    assert dict(shifted) == dict(near)
    assert (shifted.column.radii == near.column.radii).all()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_named_after_its_criterion(name: str) -> None:
    criterion = criteria.as_criterion(name)
    assert criteria.as_criterion(criterion) is criterion == criteria.as_criterion(name)
    table = criterion.table(JointDistribution([[2, 1], [1, 3]]))
    assert (table.name, table.symbol) == (criterion.name, criterion.symbol)
    assert table.larger_is_better is criterion.larger_is_better


def test_names_tell_parameters_and_costs_may_have_many_digits() -> None:
    cost = Fraction(2**70 + 1, 2**71)
    assert set(criteria.cost_sensitive(cost).table(JointDistribution([[0, 0], [1, 0]])).values()) == {0}
    assert criteria.cost_sensitive(cost).value(JointDistribution([[1, 1]]), ()) == (1 - cost) / 2
    assert criteria.cost_sensitive("0.25").name == "cost-sensitive loss (c = 1/4)"
    assert criteria.f_measure(2).name == "F-measure (beta = 2)"
    assert criteria.f_measure_as_printed(2).name == "F-measure as printed (beta = 2)"
    assert criteria.loss_matrix([[0]], name="nothing").name == "nothing"
