"""Verdicts as values: what they say, whether they are true like True, and that nothing in them can be changed."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from typing import Any

import pytest

from fstheory import JointDistribution
from fstheory.errors import InvalidTypeError
from fstheory.logic import (
    Certificate,
    Holds,
    Impossible,
    Model,
    Named,
    NotRefuted,
    Proved,
    Realized,
    Refuted,
    Shape,
    Statement,
    Undecided,
    Vacuous,
    Verdict,
    claim,
)

D = JointDistribution([[1, 2], [0, 3]])
SHAPE = Shape((2, 3), 2)
CERTIFICATE = Certificate({"kind": "refuted", "claim": "PN-4"})

VERDICTS: list[tuple[Verdict, str, bool | None, str]] = [
    (Holds("PN-M", 1), "holds", True, "PN-M: holds, 1 instance"),
    (Holds("PN-M", 1234), "holds", True, "PN-M: holds, 1,234 instances"),
    (
        Vacuous("PN-3", "positive", (("x", {"X1": 0, "X2": "no"}),)),
        "vacuous",
        None,
        "PN-3: vacuous, positive fails at x = (X1=0, X2=no)",
    ),
    (Vacuous("PN-3", "binary", ()), "vacuous", None, "PN-3: vacuous, binary fails"),
    (
        Refuted("PN-4", D, (("S", ["X1"]), ("T", []), ("i", "X1")), CERTIFICATE, "the smallest"),
        "refuted",
        False,
        "PN-4: refuted at S = {X1}, T = {}, i = X1 by JointDistribution([[1, 2], [0, 3]]) (the smallest)",
    ),
    (
        Refuted("PN-4", D, (), CERTIFICATE, "the smallest"),
        "refuted",
        False,
        "PN-4: refuted by JointDistribution([[1, 2], [0, 3]]) (the smallest)",
    ),
    (
        Proved("PN-3", SHAPE, "case split", CERTIFICATE),
        "proved",
        True,
        "PN-3: proved for every distribution with 2 x 3 states, 2 classes (case split)",
    ),
    (
        Undecided("PN-3", SHAPE, "10 s are over"),
        "undecided",
        None,
        "PN-3: undecided for 2 x 3 states, 2 classes, 10 s are over",
    ),
    (NotRefuted("PN-3", "totals to 6"), "not refuted", None, "PN-3: not refuted, searched totals to 6"),
    (Realized("X1 < {}", D, CERTIFICATE), "realized", True, "X1 < {}: realized by JointDistribution([[1, 2], [0, 3]])"),
    (
        Impossible("{} < X1", Shape((), 1), "solvers", CERTIFICATE),
        "impossible",
        False,
        "{} < X1: impossible for 1 state, 1 class (solvers)",
    ),
]
IDS = [f"{row[1]} {i}" for i, row in enumerate(VERDICTS)]


@pytest.mark.parametrize(("verdict", "status", "truth", "text"), VERDICTS, ids=IDS)
def test_what_it_says(verdict: Verdict, status: str, truth: bool | None, text: str) -> None:
    assert verdict.status == status
    assert str(verdict) == text
    if truth is None:
        complaint = f"this verdict is neither true nor false ({text}); compare its status instead"
        with pytest.raises(InvalidTypeError, match=f"^{re.escape(complaint)}$"):
            bool(verdict)
    else:
        assert bool(verdict) is truth


@pytest.mark.parametrize("verdict", [row[0] for row in VERDICTS], ids=IDS)
def test_it_is_a_value(verdict: Any) -> None:
    for twin in (copy.copy(verdict), copy.deepcopy(verdict), pickle.loads(pickle.dumps(verdict))):
        assert type(twin) is type(verdict)
        assert (twin == verdict) is True
        assert hash(twin) == hash(verdict)
        assert str(twin) == str(verdict)
    for field in dataclasses.fields(verdict):
        with pytest.raises(AttributeError):
            setattr(verdict, field.name, "another")
    with pytest.raises((AttributeError, TypeError)):
        verdict.more = 1
    assert "certificate" not in repr(verdict)


def test_different_verdicts_differ() -> None:
    verdicts = [row[0] for row in VERDICTS]
    for i, first in enumerate(verdicts):
        for second in verdicts[i + 1 :]:
            assert first != second
    others = Certificate({"kind": "refuted", "claim": "PN-5"})
    assert Refuted("PN-4", D, (), CERTIFICATE, "m") != Refuted("PN-4", D, (), others, "m")
    assert Refuted("PN-4", D, (("i", "X1"),), CERTIFICATE, "m") != Refuted("PN-4", D, (), CERTIFICATE, "m")


def test_the_verdict_of_a_check_is_a_value_too() -> None:
    @claim
    def useless(m: Model, S: Any, x: Any) -> Any:
        return m.probability(x, 0) == 0 if S else True

    first, second = (useless.check(D) for _ in range(2))
    assert isinstance(first, Refuted)
    assert first == second == pickle.loads(pickle.dumps(first))
    assert len({first, second}) == 1


# Shapes, instances, statements


def test_shape() -> None:
    shape = Shape([2, 3], 4)  # type: ignore[arg-type]
    assert (shape.cardinalities, shape.classes, shape.features) == ((2, 3), 4, ("X1", "X2"))
    assert (shape.states, shape.cells, str(shape)) == (6, 24, "2 x 3 states, 4 classes")
    assert Shape((2,)) == Shape((2,), 2)
    assert len({Shape((2, 3)), Shape((2, 3)), Shape((3, 2))}) == 2
    assert str(Shape((), 1)) == "1 state, 1 class"
    assert Shape(()).cells == 2
    assert pickle.loads(pickle.dumps(shape)) == shape


def test_instances_and_statements_are_values() -> None:
    named = Named("PN-M", (("S", ["X1"]), ("x", {"X1": 0}), ("g", [[[0], 1]])), ("and",))
    assert str(named) == "PN-M at S = {X1}, x = (X1=0), g = {{{0}, 1}}"
    assert str(Named("PN-5", (), ("and",))) == "PN-5"
    statement = Statement("PN-M", SHAPE, (), (named,))
    for value in (named, statement):
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
        with pytest.raises(AttributeError):
            setattr(value, dataclasses.fields(value)[0].name, "another")
