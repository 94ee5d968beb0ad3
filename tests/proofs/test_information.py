"""Statements about informations for every number of states: their proofs, counterexamples, and what stays open."""

import pytest

from fstheory.logic import Shape
from fstheory.logic.verdict import Refuted
from fstheory.proofs.enumeration import on_equal_points
from tests.proofs.information import NOT_SHANNON, PROVED, REFUTED, STATEMENTS, claim_of, features_in, follows


def test_a_linear_program_agrees() -> None:
    """By floats, and elemental inequalities written down anew; psitip 1.1.7 was asked too, and agrees on all."""
    pytest.importorskip("scipy")
    for text, verdict in STATEMENTS.items():
        assert follows(text) == (verdict == PROVED and text not in NOT_SHANNON), text


@pytest.mark.parametrize("text", [text for text, verdict in STATEMENTS.items() if verdict == REFUTED])
def test_a_counterexample_on_equal_points(text: str) -> None:
    claim, features = claim_of(text), features_in(text)
    shown = claim.statement(Shape((2,) * features)).shown
    for classes in (None, 2):
        d = next(on_equal_points([], shown, features, classes))
        assert isinstance(claim.check(d), Refuted), d
        assert len(d.classes) == (classes or len(d.classes))
