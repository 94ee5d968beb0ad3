"""The theorem sheet: conclusions beside assumptions, decided as every instance one by one decides them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import ClaimError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.logic import claim
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.language import Model

DECIDED_BY_FEW = ["PN-B", "PN-2", "PN-2c", "PN-6", "PN-6b", "PN-7", "PN-R1", "B-3e"]
SHAPES = [(2, 2, 2), (3, 2), (2, 2, 3), (2, 3, 2), (4,), (2,)]  # the last number is that of the classes


def drawn(seed: int) -> fs.JointDistribution:
    """Return a small distribution. Most have ties, impossible states, or both."""
    generator = np.random.default_rng(seed)
    shape = SHAPES[seed % len(SHAPES)]
    weights = generator.integers(0, [2, 3, 9][seed % 3], size=shape)
    weights.flat[seed % weights.size] += 1
    return fs.JointDistribution(weights)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", DECIDED_BY_FEW)
def test_few_instances_decide_what_all_instances_decide(name: str) -> None:
    stated = fs.claims[name].stated()
    found = set()
    for seed in (*range(24), 51):  # the last one decides two of those that fail
        d = drawn(seed)
        few, _ = stated._first_false(stated._deciding_instances(Model(d)), Evaluation(d))
        every, _ = stated._first_false(stated._instances(Model(d)), Evaluation(d))
        assert (few is None) is (every is None), d
        found.add(few is None)
    # Without their assumptions some of these statements fail, so that the comparison compares something.
    assert found == ({True, False} if name in {"PN-2", "PN-6", "PN-6b", "PN-7", "PN-R1"} else {True})


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["copies", "xor", "ties"])
def test_the_sheet_agrees_with_the_verdicts_of_single_claims(name: str) -> None:
    d = fs.gallery.load(name)
    for row in fs.theorems(d):
        stated = row.entry.stated()
        try:
            verdict = stated.check(d)
            bare = stated.without(*row.entry.assumptions).check(d)
        except (ClaimError, TooLargeError):
            assert row.holds is None
            assert row.reason
            continue
        expected = {"holds": "holds", "refuted": "refuted"}.get(verdict.status)
        assert row.holds is (bare.status == "holds")
        assert row.verdict == (expected or ("holds anyway" if row.holds else "fails, as it may"))


@pytest.mark.thorough
def test_conclusions_on_the_titanic_hold_although_an_assumption_fails() -> None:
    sheet = fs.theorems("titanic")
    assert [sheet[id_].verdict for id_ in ("PN-3", "PN-4", "PN-5", "PN-6", "PN-7")] == ["holds anyway"] * 5
    assert sheet["PN-2"].verdict == "fails, as it may"  # an impossible state may have any class
    assert sheet["PN-4"].assumptions == "positive fails at x = (class=crew, sex=male, age=child)"
    assert "PN-4" in str(sheet)
    assert "5" in str(sheet)
    assert sheet["PE-1"].verdict == "refuted"
    assert "[false in general]" in str(sheet["PE-1"])


def test_an_assumption_that_is_spelled_out_fails_beside_its_conclusion() -> None:
    row = fs.theorems("titanic", ["KG-1"])["KG-1"]
    assert dict(row.failing) == {"independent_given_class": ()}
    assert row.verdict == "fails, as it may"
    assert row.entry.stated().check("titanic").status == "vacuous"


def test_the_slack_is_the_least_over_all_subsets() -> None:
    d = fs.JointDistribution([[[3, 1], [1, 3]], [[2, 2], [0, 5]]])
    row = fs.theorems(d, ["PN-M"])["PN-M"]
    risks = fs.bayes_risks(d)
    differences = [(risks[kept] - risks[kept | {i}], kept, i) for kept in risks for i in d.features]
    assert row.slack == min(difference for difference, _, _ in differences) == 0
    where = dict(row.where)
    assert risks[frozenset(where["S"])] == risks[frozenset({*where["S"], where["i"]})]
    row = fs.theorems(d, ["CH-1"])["CH-1"]
    assert isinstance(row.slack, Fraction)
    assert row.slack >= 0


@pytest.mark.thorough
def test_sixty_four_states_are_decided() -> None:
    d = fs.JointDistribution(np.random.default_rng(5).integers(1, 10**6, size=(2,) * 7))
    sheet = fs.theorems(d, ["PN-2", "PN-2c", "PN-3", "PN-4", "PN-5", "PN-6", "PN-6b", "PN-7", "FA-1", "B-3"])
    assert {row.verdict for row in sheet} == {"holds"}


def test_a_statement_that_is_too_long_says_so_and_the_others_are_decided() -> None:
    d = fs.JointDistribution(np.random.default_rng(5).integers(1, 10**6, size=(2,) * 7))
    sheet = fs.theorems(d, ["B-2", "PN-M"])
    assert sheet["B-2"].holds is None
    assert "at most 5 rows" in sheet["B-2"].conclusion
    assert sheet["PN-M"].holds


def test_a_sheet_is_a_table_and_json() -> None:
    sheet = fs.theorems("titanic", ["PN-4", "PN-M"])
    frame = sheet.to_frame()
    assert list(frame.index) == ["PN-4", "PN-M"]
    assert list(frame["verdict"]) == ["holds anyway", "holds"]
    rows = sheet.to_dict()["rows"]
    assert rows[0]["failing_assumptions"]["positive"]["x"]["age"] == "child"
    assert rows[1]["slack"] == "0"
    assert rows[1]["conclusion_holds"] is True
    assert len(sheet) == 2
    assert [row.entry.id for row in sheet] == ["PN-4", "PN-M"]


def test_the_entries_say_which_statements_are_theorems() -> None:
    marked = {entry.id for entry in fs.claims.values() if entry.theorem and entry.claim}
    assert {row.entry.id for row in fs.theorems("xor")} == marked
    assert {"PN-4", "FA-1", "KS-3b", "B-0a"} <= marked
    assert not {"PN-3a", "B-2f", "A-1", "SH-1"} & marked


def test_bad_ids_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="claim 'PN-44' does not exist"):
        fs.theorems("titanic", ["PN-44"])
    with pytest.raises(InvalidValueError, match="PN-1 must be a statement about a distribution"):
        fs.theorems("titanic", ["PN-1"])
    with pytest.raises(InvalidTypeError, match="ids must be an iterable of names"):
        fs.theorems("titanic", 4)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="theorem of the sheet"):
        fs.theorems("titanic", ["PN-4"])["PN-3"]


def test_a_claim_of_ones_own_is_decided_by_the_instances_that_it_names() -> None:
    asked = []

    def first_class(m: Model) -> list[tuple[object]]:
        asked.append(m.distribution)
        return [(m.classes[0],)]

    @claim(decided_by=first_class)
    def possible(m, y):  # type: ignore[no-untyped-def]
        return m.probability({}, y) > 0

    d = fs.JointDistribution([[1, 0], [1, 0]])
    assert possible.check(d)
    assert asked == [d]
    assert len(possible.statement(d).show) == 2  # a statement has all instances
