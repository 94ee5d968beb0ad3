"""Whatever a public call is asked, it ends soon after its time limit: it never works for long without a clock."""

import inspect
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import fstheory as fs
import fstheory.proofs.prover  # its import, which computes grids, is no part of a call
from fstheory import claim
from fstheory._support import progress
from fstheory.checker.reading import MAX_STEPS
from fstheory.errors import TooLargeError
from fstheory.logic import claims
from fstheory.logic.claims import _count, assignments, choose_domains
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Undecided
from fstheory.proofs import cases

MOST = 200_000  # calls of functions between two looks at the clock, and after the time limit


class Clockwork:
    """A clock that goes on by a second with each look at it, and counts the calls of functions in between."""

    def __init__(self, limit: int) -> None:
        self.now, self.limit, self.calls, self.after = 0, limit, 0, 0

    def monotonic(self) -> int:
        self.now, self.calls = self.now + 1, 0
        return self.now

    def count(self, _frame: object, event: str, _function: object) -> None:
        self.calls += event in {"call", "c_call"}
        self.after += event in {"call", "c_call"} and self.now > self.limit
        if max(self.calls, self.after) > MOST:
            sys.setprofile(None)
            raise AssertionError(f"more than {MOST:,} calls without a look at the clock, or after the time limit")


def price(m: Model) -> Any:
    return m.risk("X1") - m.risk("X2")


def told(m: Model) -> Any:
    return m.mutual_information("X1") >= m.mutual_information("X2")


GINI = claim(lambda m, S: m.gini(S) <= m.conditional_entropy(S), name="gini")
STATES = claim(lambda m: m.all(m.probability(x) > 0 for x in m.states()), name="states")
SUBSETS = claim(lambda m: m.all(m.risk(S) >= m.risk() for S in m.subsets()), name="subsets")
OWN = claim(lambda m, i: m.distribution.total > 0, name="own")
PN_3, PN_5, FANO = (fs.claims[name] for name in ("PN-3", "PN-5", "FA-1"))  # which reads the ledger
LINE = "X1X2X3X4 < X1X2X3 < X1X2X4 < X1X3X4 < X2X3X4 < X1X2 < X1X3 < X1X4 < X2X3 < X2X4 < X3X4 < X1 < X2 < X3 < X4 < {}"
SHARED, KNOWN = "X1 = X2 = X1X2 < {}", ["positive", "unique_maximum"]
NOISE = fs.Sample([(*map(int, f"{i**7 % 2**31:031b}"),) for i in range(1, 300)])
CALLS: dict[str, Callable[[float], Any]] = {
    "prove: up to 1,023 classes": lambda t: fs.prove(GINI, features=1, time_limit=t),
    "prove: many choices": lambda t: fs.prove(PN_3, cardinalities=(2,) * 8, time_limit=t),
    "prove: few choices": lambda t: fs.prove(PN_3, cardinalities=(2,) * 3, time_limit=t),
    "prove: many states": lambda t: fs.prove(STATES, cardinalities=(10,) * 6, time_limit=t),
    "prove: many subsets": lambda t: fs.prove(SUBSETS, cardinalities=(2,) * 20, time_limit=t),
    "prove: many features": lambda t: fs.prove(PN_5, features=8, time_limit=t),
    "prove: an entropy": lambda t: fs.prove(FANO, features=3, classes=2, time_limit=t),
    "refute: up to 1,023 classes": lambda t: fs.refute(GINI, features=1, time_limit=t),
    "refute: many classes": lambda t: fs.refute(GINI, cardinalities=(2,), classes=300, time_limit=t),
    "refute: many choices": lambda t: fs.refute(PN_3, cardinalities=(2,) * 6, time_limit=t),
    "refute: a function": lambda t: fs.refute(OWN, time_limit=t),
    "needed_assumptions": lambda t: fs.needed_assumptions(PN_3, cardinalities=(2,) * 6, time_limit=t),
    "needed_assumptions: small": lambda t: fs.needed_assumptions("PN-4", time_limit=t),
    "realize": lambda t: fs.realize(LINE, features=4, time_limit=t),
    "realize: impossible": lambda t: fs.realize(SHARED, cardinalities=(5, 5), classes=5, assume=KNOWN, time_limit=t),
    "referee": lambda t: fs.referee(PN_3, features=2, time_limit=t),
    "referee: states": lambda t: fs.referee(STATES, cardinalities=(2,) * 6, time_limit=t),
    "supremum": lambda t: fs.supremum(price, features=4, subject_to=lambda m: m.top("X1", m.shapley), time_limit=t),
    "supremum: informations": lambda t: fs.supremum(price, features=2, subject_to=told, time_limit=t),
    "all_solutions": lambda t: fs.all_solutions(NOISE, time_limit=t),
    "reasons": lambda t: fs.reasons(NOISE.empirical(), time_limit=t),
    "reasons: of one case": lambda t: fs.reasons(NOISE.empirical(), (0,) * 30, time_limit=t),
    "infimum: a shape": lambda t: fs.infimum(price, cardinalities=(2,) * 7, time_limit=t),
}


def test_every_public_call_with_a_time_limit_is_tried() -> None:
    functions = [one for one in (getattr(fs, name) for name in fs.__all__) if inspect.isfunction(one)]
    limited = {one.__name__ for one in functions if "time_limit" in inspect.signature(one).parameters}
    assert limited | {"infimum"} == {call.partition(":")[0] for call in CALLS}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("limit", [1, 40, 2_000, pytest.param(8_000, marks=pytest.mark.thorough)])
def test_every_call_ends_soon_after_its_time_limit(call: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clockwork(limit)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=clock.monotonic))
    sys.setprofile(clock.count)
    try:
        found = CALLS[call](limit / 4 if call.startswith("needed") else limit)  # it has two searches and two proofs
    finally:
        sys.setprofile(None)
    assert clock.now <= limit + 100
    assert not isinstance(found, Undecided) or {type(found.claim), type(found.reason)} == {str}


@pytest.mark.parametrize(
    ("cardinalities", "limit"),
    [((2,) * 14, "1,000,000 choices"), ((1,) * 63, "1,000,000 choices"), ((1,) * 100_001, "63 features")],
)
def test_a_shape_with_too_many_choices_is_refused_before_one_is_made(
    cardinalities: tuple[int, ...], limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "call", None)
    with pytest.raises(TooLargeError, match=limit):
        fs.prove(PN_3, cardinalities=cardinalities)


def test_the_checker_of_a_proof_has_no_more_steps_than_fit_into_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(cases, "check_certificate_text", lambda _, max_steps: asked.append(max_steps))
    for limit in (None, 50, 1_000):
        assert fs.prove("PN-M", cardinalities=(2, 2), time_limit=limit).status == "proved"
    assert asked[0] == asked[2] == MAX_STEPS > 50 * 10**6 >= asked[1] > 10**6


def test_subsets_are_counted_by_kinds() -> None:
    """The number of choices is that of a list of them, also where a state or a subset is one of an earlier subset."""
    for cardinalities in ((2, 3), (1, 2, 2)):
        model = Model(Shape(cardinalities))
        for where in ({"x": "state of S"}, {"x": "classifier of S"}, {"x": "feature of S", "T": "subset of S"}):
            domains = choose_domains(["S", *where], where)
            for disjoint in (False, True):
                listed = len(list(assignments(model, domains, "it", disjoint=disjoint)))
                assert _count(model, domains, {}, disjoint) == listed
    seconds = choose_domains(["S", "T", "U"], {})
    assert _count(Model(Shape((2,) * 14)), seconds, {}, disjoint=True) == 4**14
