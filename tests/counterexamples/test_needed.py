"""Which assumptions are needed, each answer with its evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fstheory.checker import check_certificate
from fstheory.counterexamples.refute import needed_assumptions
from fstheory.errors import UnknownNameError
from fstheory.logic import Formula, Model, NotRefuted, Proved, Refuted, claim, positive, unique_maximum
from tests.counterexamples.claims import monotone
from tests.counterexamples.exhaustion import World, smallest


def positive_at(w: World) -> bool:
    return all(map(sum, w.marginal(w.features).values()))


def unique_at(w: World) -> bool:
    return all(sum(s) == 0 or s.count(max(s)) == 1 for s in w.marginal(w.features).values())


@pytest.mark.parametrize("identity", ["PN-3", "PN-4", "PN-5", "PN-6", "PN-7"])
def test_the_theorems_of_pena_and_nilsson(identity: str) -> None:
    """All need both assumptions but Theorem 5: the backward search returns a solution anyway."""
    answers = needed_assumptions(identity)
    assert list(answers) == ["positive", "unique_maximum"]
    for verdict in answers.values():
        assert isinstance(verdict, Proved if identity == "PN-5" else Refuted)
        checked = check_certificate(verdict.certificate)
        assert checked.kind == verdict.status
        if isinstance(verdict, Refuted):
            assert verdict.minimality.startswith("proved")


def test_the_smallest_distribution_with_two_solutions() -> None:
    answers: Any = needed_assumptions("PN-4")
    for name, other in {"positive": unique_at, "unique_maximum": positive_at}.items():

        def violated(w: World, assumed: Callable[[World], bool] = other) -> bool:
            return assumed(w) and sum(map(w.minimal_optimal, w.subsets)) > 1

        expected = smallest(violated, [((2,), 2), ((2, 2), 2)], 6)
        d = answers[name].distribution
        assert (d.cardinalities, len(d.classes), tuple(d.weights.ravel().tolist())) == expected


@claim(assume=[positive, unique_maximum])
def information_is_not_negative(m: Model, i: str) -> Formula:
    return m.mutual_information(i) >= 0


def test_what_cannot_be_proved_is_not_refuted() -> None:
    answers = needed_assumptions(information_is_not_negative, cardinalities=(2,))
    assert [type(verdict) for verdict in answers.values()] == [NotRefuted, NotRefuted]


def test_a_claim_without_assumptions_needs_none() -> None:
    assert needed_assumptions(monotone) == {}


def test_an_unknown_claim() -> None:
    with pytest.raises(UnknownNameError):
        needed_assumptions("PN-99")
