"""The members against numbers that others have published, and against the second writing of their definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from fstheory import JointDistribution, bayes_risks, gallery
from tests.gallery.literal import minimal_optimal, oracle, risks

PUBLISHED = oracle("gallery_published.json")
COMPUTED = oracle("gallery_risks.json")["members"]


def agrees(value: Fraction, printed: str, *, exact: bool) -> bool:
    """Say whether a value is the printed one: equal to a fraction, or rounded to the decimals it has."""
    if exact or "." not in printed:
        return value == Fraction(printed)
    return abs(value - Fraction(printed)) <= Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))


def label(row: dict[str, Any]) -> str:
    return f"{row['member']}-{row.get('event') or row.get('subset')}-{row.get('given')}"


@pytest.mark.parametrize("row", PUBLISHED["probabilities"], ids=label)
def test_published_probability(row: dict[str, Any]) -> None:
    d = gallery.load(row["member"])
    given = row.get("given", {})
    mass = d.probability({**row["event"], **given}) / (d.probability(given) if given else 1)
    assert agrees(mass, row["probability"], exact=row.get("exact", False)), mass


@pytest.mark.parametrize("row", PUBLISHED["risks"], ids=label)
def test_published_risk(row: dict[str, Any]) -> None:
    value = risks(gallery.load(row["member"]))[frozenset(row["subset"])]
    assert agrees(value, row["risk"], exact=False), value


@pytest.mark.parametrize("name", PUBLISHED["tables"])
def test_flat_table(name: str) -> None:
    """Every count of the flat table is the weight of its cell, and no cell is left over."""
    d = gallery.load(name)
    rows = PUBLISHED["tables"][name]["rows"]
    assert PUBLISHED["tables"][name]["columns"] == [*d.features, d.target, "count"]
    assert d.total == sum(row[-1] for row in rows)
    assert len(rows) == d.weights.size
    for *labels, count in rows:
        assert d.probability(dict(zip((*d.features, d.target), labels, strict=True))) == Fraction(count, d.total)


@pytest.mark.parametrize("name", COMPUTED)
def test_risks_by_an_independent_script(name: str) -> None:
    d = gallery.load(name)
    table = risks(d)
    for subset, value in COMPUTED[name]["risks"].items():
        assert table[frozenset(filter(None, subset.split(",")))] == Fraction(value), subset
    assert minimal_optimal(table) == set(map(frozenset, COMPUTED[name]["minimal_optimal"]))


def test_the_script_knows_every_member_that_is_no_draw() -> None:
    assert {*COMPUTED} == {*gallery.names()} - {"random"}


def test_mutual_information_of_ahmed_in_bits() -> None:
    """The example prints 0.08 and 0.17 without a unit: these are bits (in nats it would be 0.06 and 0.12)."""
    d = gallery.ahmed_example_1()
    found = {name: round(information(d.marginal([name])), 2) for name in d.features}
    assert found == {"X1": 0.08, "X2": 0.17}


def information(d: JointDistribution) -> float:
    """Return I(X; Y) in bits."""
    (name,) = d.features
    total = 0.0
    for (x, y), mass in d.to_pmf().items():
        if mass:
            total += float(mass) * math.log2(mass / d.probability({name: x}) / d.probability({d.target: y}))
    return total


@pytest.mark.parametrize("name", COMPUTED)
def test_the_fast_path_agrees_with_the_script(name: str) -> None:
    """The sweep never saw this script, nor the script the sweep."""
    table = bayes_risks(gallery.load(name))
    for subset, value in COMPUTED[name]["risks"].items():
        assert table[filter(None, subset.split(","))] == Fraction(value), subset
    assert set(table.minimal_sets()) == set(map(frozenset, COMPUTED[name]["minimal_optimal"]))
