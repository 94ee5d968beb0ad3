"""What the variables of a claim range over, against the definition with itertools."""

import itertools
from typing import Any

import pytest

from fstheory import JointDistribution
from fstheory.errors import ClaimError, TooLargeError
from fstheory.logic.claims import claim
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape

SHAPE = Shape((2, 3), 2)
FEATURES = ("X1", "X2")
SUBSETS = [frozenset(c) for size in range(3) for c in itertools.combinations(FEATURES, size)]
STATES = [{"X1": i, "X2": j} for i in range(2) for j in range(3)]


def seen(shape: Shape | JointDistribution = SHAPE, *, names: str, **options: Any) -> list[tuple[Any, ...]]:
    """Return the values that a claim with these variables is asked about."""
    found: list[tuple[Any, ...]] = []
    noted: dict[str, Any] = {"found": found}
    exec(f"def body(m, {names}):\n    found.append(({names},))\n    return True", noted)
    claim(**options)(noted["body"]).statement(shape)
    return [tuple(dict(value) if hasattr(value, "items") else value for value in values) for values in found]


@pytest.mark.parametrize(
    ("names", "values"),
    [
        *((names, [FEATURES]) for names in ("i", "l", "k22")),
        *((names, [SUBSETS]) for names in ("A", "W", "S0")),
        *((names, [STATES]) for names in ("x", "u", "w1")),
        *((names, [(0, 1)]) for names in ("y2", "z")),
        ("S, i", [SUBSETS, FEATURES]),
    ],
)
def test_convention(names: str, values: list[Any]) -> None:
    assert seen(names=names) == list(itertools.product(*values))


def test_domains_of_a_subset() -> None:
    pairs = seen(names="S, a", where={"a": "feature of S"})
    assert pairs == [(S, name) for S in SUBSETS for name in FEATURES if name in S]
    pairs = seen(names="S, T", where={"T": "subset of S"})
    assert len(pairs) == 9
    assert set(pairs) == {(S, T) for S in SUBSETS for T in SUBSETS if T <= S}
    pairs = seen(names="S, s", where={"s": "state of S"})
    assert pairs == [(S, s) for S in SUBSETS for s in Model(SHAPE).states(S)]
    assert (frozenset({"X2"}), {"X2": 2}) in pairs
    found = seen(names="S, g", where={"g": "classifier of S"})
    assert [sum(S == T for T, _ in found) for S in SUBSETS] == [2, 4, 8, 64]
    assert len({tuple(g.table.items()) for S, g in found if len(S) == 2}) == 64


def test_any_name_with_where() -> None:
    assert seen(names="subset", where={"subset": "subset"}) == [(S,) for S in SUBSETS]
    assert seen(names="i", where={"i": "class"}) == [(0,), (1,)]  # where wins over the convention


def test_disjoint() -> None:
    triples = seen(names="S, i, T, U", disjoint=True)
    choices = itertools.product(SUBSETS, FEATURES, SUBSETS, SUBSETS)
    expected = {(S, i, T, U) for S, i, T, U in choices if not (S & T or S & U or T & U)}
    assert (len(triples), set(triples)) == (len(expected), expected)


def test_labels_that_are_sets_are_no_subsets() -> None:
    """A class may bear any hashable label; `disjoint` and the record look at the domain, not at the type."""
    d = JointDistribution([[1, 2]], states={"Y": [frozenset({"X1"}), "b"]})
    assert seen(d, names="y, S", disjoint=True) == [(y, S) for y in d.classes for S in (frozenset(), frozenset({"X1"}))]
    only = claim(lambda m, y: m.probability({}, y) == 1)
    assert only.statement(d).show[0].where == (("y", "frozenset({'X1'})"),)


def test_what_is_recorded() -> None:
    states: dict[str, list[Any]] = {"b": [(0, 1), "no"], "a": [True], "Y": [3, "x"]}
    d = JointDistribution([[[1, 1]], [[1, 1]]], features=["b", "a"], states=states)

    @claim(where={"s": "state of S", "g": "classifier of S"})
    def odd(m: Model, S: frozenset[str], s: Any, g: Any, i: str, y: Any) -> Any:
        return m.risk(g) == m.probability(s, y) if len(S) == 2 else True

    first = odd.statement(d).show[0]
    assert first.where == (
        ("S", ["b", "a"]),  # in the order of the features
        ("s", {"b": "(0, 1)", "a": True}),
        ("g", [[["(0, 1)", True], 3], [["no", True], 3]]),
        ("i", "b"),
        ("y", 3),
    )
    assert str(first).startswith("odd at S = {b, a}, s = (b=(0, 1), a=True), g = {")


def test_each_formula_once_and_none_that_is_true_anyway() -> None:
    statement = claim(lambda m, S, T: m.risk(S | T) <= m.risk(S)).statement(Shape((2, 2)))
    formulas = [named.formula for named in statement.show]
    pairs = {(S | T, S) for S in SUBSETS for T in SUBSETS if S | T != S}
    assert len(formulas) == len(set(formulas)) == len(pairs)


@pytest.mark.parametrize(
    ("names", "shape", "options"),
    [
        ("S, T, U, i", Shape((2,) * 7), {}),  # counted
        ("x", Shape((2,) * 20), {}),  # refused before anything is made
        ("S, g", Shape((2,) * 5), {"where": {"g": "classifier of S"}}),
        ("S, T", Shape((1,) * 21), {}),
    ],
)
def test_too_many(names: str, shape: Shape, options: Any) -> None:
    with pytest.raises(TooLargeError, match=r"^claim body.*the claim must be about at most 1,000,000 choices of its "):
        seen(shape, names=names, **options)


def test_a_state_cannot_be_changed_by_the_claim() -> None:
    """All instances share it; a change would silently alter what the others are about."""

    @claim
    def careless(m: Model, x: dict[str, int], y: int) -> Any:
        x["X1"] = 0
        return m.probability(x, y) >= 0

    with pytest.raises(ClaimError, match=r"claim careless \(.*test_domains.py, line \d+\), at x = .*: TypeError: "):
        careless.statement(SHAPE)
    free = (
        claim(lambda m, x: m.probability({**x, "X1": 0}) >= 0),
        claim(lambda m, x: m.probability(x | {"X1": 0}) >= 0),
    )
    assert [len(stated.statement(SHAPE).show) for stated in free] == [3, 3]
