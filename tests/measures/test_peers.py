"""Against software by others: dit, scikit-learn's trees and pgmpy, whose answers are floats.

The oracle is tests/oracles/peers.json, made by the script beside it. Ours are exact, theirs are not, so here
alone two numbers may differ by a float's error; `TOLERANCE` is far above it and far below 1/total of every table.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution, bayes_risks
from fstheory.distributions import gallery
from fstheory.measures.information import conditional_entropy, conditional_mutual_information

ORACLES = Path(__file__).parents[1] / "oracles"
PEERS: dict[str, Any] = json.loads((ORACLES / "peers.json").read_text(encoding="utf-8"))
INFORMATION: dict[str, Any] = json.loads((ORACLES / "information.json").read_text(encoding="utf-8"))
PUBLISHED: dict[str, Any] = json.loads((ORACLES / "gallery_published.json").read_text(encoding="utf-8"))
TOLERANCE = Fraction(1, 10**10)


def near(exact: Fraction, theirs: float) -> bool:
    return abs(exact - Fraction(theirs)) < TOLERANCE


def load(entry: dict[str, Any]) -> JointDistribution:
    rows = entry["rows"] if "rows" in entry else PUBLISHED["tables"][entry["name"]]["rows"]
    *features, target = entry["columns"]
    return JointDistribution.from_counts({tuple(x): weight for *x, weight in rows}, features=features, target=target)


@pytest.mark.parametrize("peer", ["dit", "trees"])
@pytest.mark.parametrize("entry", PEERS["tables"], ids=lambda entry: entry["name"])
def test_risks(entry: dict[str, Any], peer: str) -> None:
    theirs = entry[peer]["risks"] if peer == "dit" else entry[peer]
    risks = bayes_risks(load(entry))
    assert len(theirs) == len(risks)
    for subset, value in theirs.items():
        assert near(risks[filter(None, subset.split(","))], value)


def test_the_tables_of_counts_are_the_gallery() -> None:
    loaded = {entry["name"]: load(entry) for entry in PEERS["tables"]}
    for name, d in (("titanic", gallery.titanic()), ("berkeley", gallery.berkeley())):
        assert dict(bayes_risks(loaded[name])) == dict(bayes_risks(d))


@pytest.mark.parametrize("answer", PEERS["asia"], ids=lambda a: f"{a['variable']} given {a['given']}")
def test_the_network(answer: dict[str, Any]) -> None:
    d = gallery.asia(answer["variable"])
    assert near(d.posterior(answer["given"])["yes"], answer["yes"])


@pytest.mark.parametrize("table", INFORMATION["tables"], ids=lambda table: f"seed {table['seed']}")
def test_dit_agrees(table: dict[str, Any]) -> None:
    d = JointDistribution.from_counts({tuple(row[:-1]): row[-1] for row in table["rows"]})
    names = [*d.features, d.target]
    for answer in table["answers"]:
        a, b, c = ([names[i] for i in answer[key]] for key in "abc")
        left = conditional_entropy(d, a, c, base=2)
        shared = conditional_mutual_information(d, a, b, c, base=2)
        assert abs(float(left) - answer["H(A | C)"]) < 1e-11
        assert abs(float(shared) - answer["I(A; B | C)"]) < 1e-11
