"""Prescribed risks: had exactly, or refused for a reason that holds."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.errors import InvalidValueError
from fstheory.lattice.extensions import linear_extensions
from fstheory.selection.adversary import adversarial, adversarial_with_risks
from tests.literal import subsets
from tests.selection.literal_adversary import cells, meets_assumptions, risk

NAMES = ("X1", "X2", "X3", "X4")
Table = dict[frozenset[str], Fraction]


@st.composite
def tables_of_the_construction(draw: st.DrawFn) -> tuple[Table, Table]:
    """Risks that are sums of masses over supersets, with the masses."""
    names = NAMES[: draw(st.integers(0, 4))]
    masses = {subset: draw(st.fractions(0, 3, max_denominator=12)) for subset in subsets(names)}
    total = sum(masses.values()) * draw(st.fractions(2, 9, max_denominator=5)) or 1
    q = {subset: mass / total for subset, mass in masses.items()}
    return {s: sum((q[t] for t in q if s <= t), Fraction(0)) for s in q}, q


@given(tables_of_the_construction(), st.data())
def test_prescribed_risks_are_had(tables: tuple[Table, Table], data: st.DataObject) -> None:
    risks, masses = tables
    names = max(risks, key=len)
    sizes = data.draw(st.lists(st.integers(2, 4), min_size=len(names), max_size=len(names)))
    d = adversarial_with_risks(risks, cardinalities=sizes, classes=data.draw(st.integers(2, 3)))
    assert {subset: risk(d, subset) for subset in risks} == risks
    positive = all(mass > 0 for subset, mass in masses.items() if subset != names)
    assert all(sum(weights) > 0 for weights in cells(d).values()) == positive
    if risks[names] < Fraction(1, 2):
        assert all(w.count(max(w)) == 1 for w in cells(d).values() if sum(w))
        assert meets_assumptions(d) == positive


@st.composite
def monotone_tables(draw: st.DrawFn) -> Table:
    values: Table = {}
    for subset in reversed(subsets(NAMES[: draw(st.integers(1, 3))])):
        least = max((values[other] for other in values if other > subset), default=Fraction(0))
        values[subset] = least + draw(st.fractions(0, Fraction(1, 8), max_denominator=24))
    return values


@given(monotone_tables())
def test_refused_exactly_where_a_mass_would_be_negative(risks: Table) -> None:
    """By inclusion and exclusion, written out."""
    masses = {s: sum(((-1) ** (len(t) - len(s)) * risks[t] for t in risks if s <= t), start=Fraction(0)) for s in risks}
    possible = risks[frozenset()] <= Fraction(1, 2)
    if min(masses.values()) >= 0 and possible:
        d = adversarial_with_risks(risks)
        assert {subset: risk(d, subset) for subset in risks} == risks
        return
    with pytest.raises(InvalidValueError) as caught:
        adversarial_with_risks(risks)
    if possible:
        named = str(caught.value).split("not q = ")[1].split(";")[0]
        value, _, label = named.partition(" for ")
        subset = frozenset(label[i : i + 2] for i in range(0, len(label), 2) if label != "{}")
        assert masses[subset] == Fraction(value) < 0


def test_the_risks_of_an_adversarial_distribution_give_it_back() -> None:
    for order in linear_extensions(3):
        d = adversarial(order, cardinalities=(2, 3, 2))
        assert adversarial_with_risks([(s, risk(d, s)) for s in order], cardinalities=(2, 3, 2)) == d


@pytest.mark.parametrize(
    ("risks", "options", "weights"),
    [
        ({("X1",): "1/10", (): "3/10"}, {"classes": 3}, [[7, 1, 0], [0, 2, 0]]),  # a risk of all features above zero
        ({(): 0}, {}, [1, 0]),
        ({(): "1/2"}, {}, [1, 1]),
        ({("X1",): 0, (): 0}, {}, [[1, 0], [0, 0]]),
        ([(["X1"], 0), ([], "1/2")], {"cardinalities": [3]}, [[2, 0], [0, 1], [0, 1]]),
    ],
)
def test_extremes(risks: Any, options: dict[str, Any], weights: list[Any]) -> None:
    assert adversarial_with_risks(risks, **options).weights.tolist() == weights


def test_names_in_the_order_of_the_axes() -> None:
    risks: list[tuple[list[str], Any]] = [([], "2/5"), (["a"], "1/10"), (["b"], "1/5"), (["b", "a"], 0)]
    d = adversarial_with_risks(risks, features=["b", "a"], target="c")
    assert (d.features, d.target) == (("b", "a"), "c")
    assert risk(d, frozenset("a")) == Fraction(1, 10)
