"""The members against numbers that others have published, and against the second writing of their definitions."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fstheory import bayes_risks
from fstheory.distributions import gallery
from tests import literal

ORACLES = Path(__file__).parents[1] / "oracles"
PUBLISHED: dict[str, Any] = json.loads((ORACLES / "gallery_published.json").read_text(encoding="utf-8"))
COMPUTED: dict[str, Any] = json.loads((ORACLES / "gallery_risks.json").read_text(encoding="utf-8"))["members"]


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
    d = gallery.load(row["member"])
    value = literal.bayes_risk(d.to_pmf(), [i for i, name in enumerate(d.features) if name in row["subset"]])
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
    """Neither the definition nor the sweep ever saw this script."""
    d = gallery.load(name)
    table, found = literal.risks(d.to_pmf(), d.features), bayes_risks(d)
    for subset, value in COMPUTED[name]["risks"].items():
        names = frozenset(filter(None, subset.split(",")))
        assert table[names] == found[names] == Fraction(value), subset
    best = set(map(frozenset, COMPUTED[name]["minimal_optimal"]))
    assert literal.minimal_optimal(table) == set(found.minimal_sets()) == best


def test_the_script_knows_every_member_that_is_no_draw() -> None:
    assert {*COMPUTED} == {*gallery.names()} - {"random"}


def test_mutual_information_of_ahmed_in_bits() -> None:
    """The example prints 0.08 and 0.17 without a unit: these are bits (in nats it would be 0.06 and 0.12)."""
    d = gallery.ahmed_example_1()
    for name, printed in (("X1", 0.08), ("X2", 0.17)):
        terms = (
            (mass, d.probability({name: x}) * d.probability({"Y": y}))
            for (x, y), mass in d.marginal(name).to_pmf().items()
        )
        assert round(sum(float(mass) * math.log2(mass / apart) for mass, apart in terms), 2) == printed
