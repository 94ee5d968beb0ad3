"""Verdicts as values: what they say, whether they are true like True, and that nothing in them can be changed."""

import copy
import dataclasses
import itertools
import pickle
import re
from typing import Any

import pytest

from fstheory import JointDistribution, logic
from fstheory.errors import InvalidTypeError
from fstheory.logic.certificate import Certificate
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Refuted, Verdict

D = JointDistribution([[1, 2], [0, 3]])
SHAPE = Shape((2, 3), 2)
CERTIFICATE = Certificate({"kind": "refuted", "claim": "PN-4"})

WHERE: Any = (("S", ["X1"]), ("T", []), ("i", "X1"))

#: Whether it is true, and its text, which begins with the claim and the status.
VERDICTS: list[tuple[Verdict, bool | None, str]] = [
    (logic.Holds("PN-M", 1), True, "PN-M: holds, 1 instance"),
    (logic.Holds("PN-M", 1234), True, "PN-M: holds, 1,234 instances"),
    (logic.Vacuous("A", "B", (("x", {"X1": 0, "X2": "no"}),)), None, "A: vacuous, B fails at x = (X1=0, X2=no)"),
    (logic.Vacuous("PN-3", "binary", ()), None, "PN-3: vacuous, binary fails"),
    (Refuted("A", D, WHERE, CERTIFICATE, "all"), False, f"A: refuted at S = {{X1}}, T = {{}}, i = X1 by {D!r} (all)"),
    (Refuted("PN-4", D, (), CERTIFICATE, "the smallest"), False, f"PN-4: refuted by {D!r} (the smallest)"),
    (logic.Proved("A", SHAPE, "B", CERTIFICATE), True, f"A: proved for every distribution with {SHAPE} (B)"),
    (logic.Undecided("PN-3", SHAPE, "10 s are over"), None, f"PN-3: undecided for {SHAPE}, 10 s are over"),
    (logic.NotRefuted("PN-3", "totals to 6"), None, "PN-3: not refuted, searched totals to 6"),
    (logic.Realized("X1 < {}", D, CERTIFICATE), True, f"X1 < {{}}: realized by {D!r}"),
    (logic.Impossible("A", SHAPE, "B", CERTIFICATE), False, f"A: impossible for {SHAPE} (B)"),
]


@pytest.mark.parametrize(("verdict", "truth", "text"), VERDICTS)
def test_what_it_says(verdict: Verdict, truth: bool | None, text: str) -> None:
    assert str(verdict) == text
    assert text.partition(": ")[2].startswith(verdict.status)
    if truth is None:
        with pytest.raises(InvalidTypeError, match=f"^this verdict is neither true nor false .{re.escape(text)}"):
            bool(verdict)
    else:
        assert bool(verdict) is truth


NAMED = Instance("PN-M", (("S", ["X1"]), ("x", {"X1": 0}), ("g", [[[0], 1]])), ("and",))


@pytest.mark.parametrize("value", [*(row[0] for row in VERDICTS), NAMED, Statement("PN-M", SHAPE, (), (NAMED,)), SHAPE])
def test_it_is_a_value(value: Any) -> None:
    for twin in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(twin) is type(value)
        assert (twin == value) is True
        assert hash(twin) == hash(value)
        assert str(twin) == str(value)
    for field in dataclasses.fields(value):
        with pytest.raises(AttributeError):
            setattr(value, field.name, "another")
    assert "certificate" not in repr(value)


def test_different_verdicts_differ() -> None:
    others = Certificate({"kind": "refuted", "claim": "PN-5"})
    more = [Refuted("PN-4", D, (), others, "the smallest"), Refuted("PN-4", D, (("i", "X1"),), CERTIFICATE, "m")]
    for first, second in itertools.combinations([*(row[0] for row in VERDICTS), *more], 2):
        assert first != second


def test_shapes_and_instances() -> None:
    shape = Shape([2, 3], 4)  # type: ignore[arg-type]
    assert (shape.cardinalities, shape.classes, shape.features) == ((2, 3), 4, ("X1", "X2"))
    assert (shape.states, shape.cells, str(shape)) == (6, 24, "2 x 3 states, 4 classes")
    assert Shape((2,)) == Shape((2,), 2) != Shape((3,))
    assert (str(Shape((), 1)), Shape(()).cells) == ("1 state, 1 class", 2)
    assert str(NAMED) == "PN-M at S = {X1}, x = (X1=0), g = {{{0}, 1}}"
