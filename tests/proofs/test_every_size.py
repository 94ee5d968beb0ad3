"""Claims for every number of states: what assumptions add, for how many features a proof is, counterexamples, time."""

import itertools
import math
import pickle
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from fstheory._support import progress
from fstheory._support.progress import Clock, OutOfTime
from fstheory.checker.certificates import check_certificate
from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError
from fstheory.logic.claims import Claim, Domain, claim, positive, unique_maximum
from fstheory.logic.evaluate import truth as truth_at
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import FeatureSet, Formula, SetNode, SymbolicSet, Term
from fstheory.logic.language import Model, spelled_out
from fstheory.logic.ledger import find_claim, verify_certificate
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted, Undecided, certificates_of
from fstheory.logic.vocabularies import read_once
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.every_size.evidence import features_that_suffice
from fstheory.proofs.prover import prove
from fstheory.proofs.refutation import decide, refute
from fstheory.testing import joint_distributions
from tests.logic.building import signed
from tests.proofs.every_size import as_content, is_theorem
from tests.steps import Steps

ZERO, HALF, NOTHING, BOTH = ("q", Fraction(0)), ("q", Fraction(1, 2)), ("R", ()), ("R", (0, 1))
SAID = {
    "zero": ("or", ("<", ZERO, ("R", (0,))), ("<", ZERO, ("R", (1,))), ("=", NOTHING, ZERO)),
    "best": ("or", ("<", BOTH, ("R", (0,))), ("<", BOTH, ("R", (1,))), ("=", NOTHING, BOTH)),
    "single": ("<", BOTH, HALF),
    "ceiling": ("<=", NOTHING, HALF),
    "strict": ("<", NOTHING, HALF),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("assume", "true"),
    [
        ([], []),
        ([positive], ["zero"]),
        ([unique_maximum], ["single"]),
        ([positive, unique_maximum], ["zero", "best", "single"]),
    ],
)
def test_each_assumption_alone_and_both_add_what_theorem_r_plus_says(assume: list[Claim], true: list[str]) -> None:
    made = {name: claim(lambda m, *, of=of: Formula(of), assume=assume, name=name) for name, of in SAID.items()}
    for classes, more in ((2, {"ceiling"}), (None, set())):
        proved = {name for name in SAID if prove(made[name], features=2, classes=classes).status == "proved"}
        assert proved == {*true, *more} - ({"single"} if classes is None else set())


def test_assumptions_are_known_by_what_they_say_and_compared() -> None:
    fake = claim(lambda m, S: m.risk(S) == 0, name="positive")
    weak = claim(lambda m, S, T: m.risk(S | T) <= m.risk(S), assume=[fake], name="weak")
    assert weak.by_name(EverySize(2)) == ()
    assert features_that_suffice(weak, EverySize(4)) is None  # what is assumed may be false of fewer features
    verdict = prove("PN-5", features=2)
    assert isinstance(verdict, Proved)
    content = dict(verdict.certificate)
    assert content["assumptions"] == ["positive", "unique_maximum"]
    assert check_certificate(signed(content, assumptions=[]))  # which is another statement
    with pytest.raises(CertificateError, match="must be about PN-5 with 2 features of any numbers of states"):
        verify_certificate(signed(content, assumptions=[]))


@pytest.mark.thorough
def test_more_cells_than_a_table_may_have_are_no_obstacle() -> None:
    @claim
    def below(m: Model) -> Formula:
        return m.risk() <= m.risk("X1")

    for features, classes in ((10, None), (9, 3), (1, 1023)):
        assert prove(below, features=features, classes=classes).status == "proved"
    for classes in (None, 801):  # features that told all of so many would have 801 states each
        refuted = prove(claim(lambda m: m.risk(()) <= "799/801"), features=3, classes=classes)
        assert isinstance(refuted, Refuted)
        assert refuted.distribution.weights.shape == (1, 1, 1, 801)


@pytest.mark.thorough
def test_what_is_read_once_is_true_for_every_number_of_features() -> None:
    @claim
    def one_helps(m: Model, S: frozenset[str]) -> Formula:
        return m.implies(m.risk() < m.risk(()), m.any(m.risk(i) < m.risk(()) for i in m.order))

    @claim
    def named(m: Model, S: frozenset[str]) -> Formula | bool:
        return ({"X2"} == S) | (m.risk(S) <= m.risk(()))

    @claim
    def union(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
        return (S <= T) | (m.risk(S | T) <= m.let("less", m.risk(S - T)))

    @claim
    def told(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
        return m.mutual_information(S, T) + m.entropy(S) >= m.entropy(S & T, target=True) - m.entropy(T - S)

    @claim
    def told_by_one(m: Model, S: frozenset[str]) -> Formula:
        return m.mutual_information({"X1"}, S) >= 0

    @claim
    def two_features(m: Model, i: str, j: str) -> Formula | bool:
        return (i == j) | m.independent(i, m.target, given=j) | (m.risk({i}) != m.risk())

    asked = (one_helps, named, union, told, told_by_one, two_features)
    assert [features_that_suffice(one, EverySize(3)) for one in asked] == [None, None, 4, 4, None, 3]
    assert [prove(one_helps, features=n).status for n in (1, 2)] == ["proved", "refuted"]
    enough = {"PN-M": 3, "PN-3": 3, "PN-3a": 3, "PN-4": 4, "PN-6": 3, "B-0": 4, "B-0n": 2, "B-0a": 3}
    assert {key: features_that_suffice(find_claim(key), EverySize(3)) for key in enough} == enough
    said = [str(prove("PN-3", features=n)).rpartition("; ")[2] for n in (2, 3)]
    assert said[0] == "and so, since it is proved for features=3, for every number of features from 1 on)"
    assert said[1] == "and so for every number of features from 1 on)"
    assert "for every number of features" in str(prove("PN-6", features=3))
    failed = "a proof for features=4, which was tried without success, would cover every number of features"
    assert failed in str(prove("PN-3b", features=2))
    assert prove("PN-3b", features=4).status == "refuted"

    @claim
    def of_three(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
        return m.risk(S | T | U) <= m.risk(S)

    assert "features=8, which was not tried, would cover every number of features" in str(prove(of_three, features=1))


def test_prove_takes_several_numbers_of_features_or_every_number() -> None:
    @claim
    def union(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
        return m.risk(S | T) <= m.risk(S)

    @claim
    def each_alone(m: Model) -> Formula:
        return m.minimum(m.risk(i) for i in m.order) >= m.risk()

    @claim
    def named(m: Model) -> Formula:
        return m.risk({"X1", "X3"}) <= m.risk("X1")

    @claim
    def of_one(m: Model) -> Formula:
        return m.implies(m.risk() < m.risk(()), m.any(m.risk(i) < m.risk(()) for i in m.order))

    found = prove(union, features="every")
    assert isinstance(found, Proved)
    assert str(found.shape).startswith("any number of features")
    assert found.evidence == (
        "case split; proved for features=1, 2, 3, 4, and so for every number of features from 1 on, as features in the "
        "same sets count as one"
    )
    assert [check_certificate(part.certificate).kind for part in found.parts] == ["proved"] * 4
    assert [part.shape for part in found.parts] == [EverySize(n) for n in (1, 2, 3, 4)]
    assert found.certificate == found.parts[-1].certificate
    assert pickle.loads(pickle.dumps(found)) == found
    several = prove(named, features=(4, 3), classes=2)
    assert isinstance(several, Proved)
    assert [len(part.shape.features) for part in several.parts] == [4, 3]
    assert str(several).startswith(
        "named: proved for every distribution with 4, 3 features of any numbers of states, 2"
    )
    assert prove(of_one, features="every").status == prove(of_one, features=range(1, 4)).status == "refuted"
    for one, proved in ((each_alone, "1, 2, 3, 4, 5"), (named, "3, 4, 5")):
        undecided = prove(one, features="every")
        assert isinstance(undecided, Undecided)
        assert str(undecided.shape).startswith("any number of features")
        assert f"it is proved for features={proved}; larger numbers are undecided, because the" in str(undecided)
        assert ", ".join(certificates_of(undecided)) == re.sub(r"\d", r"-\g<0>", proved)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("all", "features must be a number, several numbers or 'every', not 'all'; pass 'every'"),
        ((), "features must be at least one number, not .*; pass range"),
        ((2, 0), "features must be at least 1, not 0"),
        ([2.5], "features must be an integer, not 2.5"),
    ],
)
def test_prove_refuses_other_features(features: Any, message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        prove("PN-3", features=features)


def _entropy_of_a_risk(m: Model, r: Term) -> Term:
    return -r * m.log(r) - m.log(1 - r) * (1 - r)


def test_p_log_p_is_read_however_it_is_written() -> None:
    """Fano's inequality is FA-1, where 0 log 0 is written as 0. A plain product counts as 0, too."""

    @claim
    def fano(m: Model, S: frozenset[str]) -> Formula:
        return m.conditional_entropy(S) <= _entropy_of_a_risk(m, m.risk(S)) + m.risk(S) * m.log(2)

    @claim
    def guarded(m: Model, S: frozenset[str]) -> Formula:
        r, rest = m.risk(S), 1 - m.risk(S)
        written = m.log(r) * (2 * r) / -2 - rest * m.log(rest)
        return m.implies((r > 0) & (r < 1), m.conditional_entropy(S) <= written + m.log(2) * r)

    for one in (fano, guarded):
        proof = prove(one, features=1, classes=3)
        assert isinstance(proof, Proved)
        assert check_certificate(proof.certificate)
    assert fano.check(JointDistribution([[1, 0], [0, 1]])).status == "holds"  # the risk of X1 is 0
    assert prove(claim(lambda m: m.log(2) * m.entropy() <= m.entropy(), name="entropy"), features=1).status == "proved"
    assert prove(claim(lambda m: m.log(2) * m.gini(()) <= m.log(2), name="gini"), features=1).status == "proved"


PREMISES: dict[str, tuple[Callable[..., Any], bool]] = {
    "a premise": (lambda m: m.implies(m.risk(()) < m.risk("X1"), m.risk("X1") == 0), True),
    "for each": (lambda m, i: m.implies(m.risk(()) < m.risk(i), m.risk(i) == 0), True),
    "nested": (lambda m: m.implies(m.risk(()) > 0, m.implies(m.risk("X1") < 0, m.risk("X1") == 0)), True),
    "several": (lambda m: m.all(m.implies(m.risk(S) < 0, m.risk(()) == 0) for S in m.subsets()), True),
    "one holds": (lambda m: m.implies(m.risk("X1") < 0, False) & m.implies(m.risk("X1") < 1, m.risk(()) < 1), False),
    "it may hold": (lambda m: m.implies(m.risk("X1") == 0, m.risk("X1") <= m.risk(())), False),
    "no implication": (lambda m: m.risk("X1") <= m.risk(()), False),
    "a denial": (lambda m: m.implies(m.risk("X1") == 0, m.risk("X1") != 1), False),
    "it never holds, and a denial": (lambda m: m.implies(m.risk(()) < m.risk("X1"), m.risk("X1") != 1), True),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PREMISES)
def test_a_premise_that_never_holds_is_said(name: str) -> None:
    formula, never = PREMISES[name]
    assumed = claim(lambda m: m.risk("X1") < m.risk(()), name="useful")
    opposite = claim(lambda m: m.risk("X1") == m.risk(()), name="useless")
    both = claim(formula, name="it", assume=[assumed, opposite])
    searched = refute(claim(formula, name="it"), cardinalities=(2,), classes=2)
    assert ("vacuous: the premise never holds" in str(searched)) == never
    for size in ({"features": 1}, {"cardinalities": (2,)}):
        proof = prove(claim(formula, name="it"), **size)
        assert proof.status == "proved"
        assert ("vacuous: the premise never holds" in str(proof)) == never
        assert "vacuous: the premise never holds" in str(prove(both, **size))


@pytest.mark.parametrize("key", ["PN-M", "PN-3", "PN-3a", "PN-4", "PN-6", "B-0", "B-0n", "B-0a"])
def test_a_formula_that_was_read_says_what_the_function_says(key: str) -> None:
    read = find_claim(key)
    called = replace(read, _readings=[None])
    assert read.reading is not None
    for subject in (EverySize(1), EverySize(3, 2), Shape((2, 3), 3), gallery.xor()):
        formulas, others = (list(one.spelled_out(subject)[1]) for one in (read, called))
        assert formulas == others
        assert [(one.where, one.terms) for one in formulas] == [(one.where, one.terms) for one in others]
    assert pickle.loads(pickle.dumps(read)).reading == read.reading


def test_a_claim_is_read_once_and_then_is_what_was_read() -> None:
    calls = list[int]()

    def monotone(m: Model, S: frozenset[str]) -> Formula:
        calls.append(1)
        return m.risk() <= m.risk(S)

    read = claim(monotone)
    assert read.reading is None  # it changes a list
    node = claim(lambda m, S: m.risk() <= m.risk(S), name="monotone").reading
    calls.clear()
    once = replace(read, _readings=[node])
    assert prove(once, features=2).status == "proved"
    assert [once.check(gallery.xor()).status, once.without().check(gallery.copies(2)).status] == ["holds", "holds"]
    assert calls == []


# What a claim may try in order to be true for few features and false for more


def _true_of_few(size: Callable[..., Any]) -> Claim:
    def more_features_less_risk(m: Model, S: frozenset[str]) -> Formula:
        return m.risk(S) <= m.risk(()) if size(m, S) < 4 else m.risk(()) < m.risk(S)

    return claim(more_features_less_risk)


def _caught(asked: Callable[..., int], errors: type[BaseException]) -> Callable[..., int]:
    def size(m: Model, S: frozenset[str]) -> int:
        try:
            return asked(m, S)
        except errors:
            return 0

    return size


def _counted() -> Callable[..., int]:
    calls = 0

    def size(_: Model, S: frozenset[str]) -> int:
        nonlocal calls
        calls += 1
        return calls // 1000

    return size


def _matched(_: Model, S: frozenset[str]) -> int:
    match S:
        case frozenset():
            return len(S)
    return 0


def _noted(_: Model, S: frozenset[str]) -> int:
    _noted.count = _noted.count + 1  # type: ignore[attr-defined]
    return int(_noted.count > 1000)  # type: ignore[attr-defined]


_noted.count = 0  # type: ignore[attr-defined]
COUNTER = itertools.count()
TRICKS: dict[str, Callable[..., Any]] = {
    "len": lambda _, S: len(S),
    "a caught error": _caught(lambda _, S: len(S), TypeError),
    "any caught error": _caught(lambda _, S: len(S), BaseException),
    "suppressed": _caught(lambda _, S: frozenset.__len__(S), TypeError),
    "len of a closure": (lambda size: lambda _, S: size(S))(len),
    "a default": lambda _, S, *, size=len: size(S),
    "iteration": lambda _, S: sum(1 for _ in S),
    "unpacking": lambda _, S: [0, *S][-1] == "X4" and 9,
    "type(S)": lambda _, S: len(S) if type(S) is FeatureSet else 0,
    "its name": lambda _, S: len(S) if type(S).__name__ == "FeatureSet" else 0,
    "type(m)": lambda m, S: len(S) if type(m) is Model else 0,
    "isinstance": lambda _, S: len(S) if isinstance(S, frozenset) else 0,
    "__class__": lambda _, S: len(S) if S.__class__ is FeatureSet else 0,
    "__dict__": lambda _, S: 0 if S.__dict__ else len(S),
    "vars": lambda _, S: 0 if vars(S) else len(S),
    "getattr": lambda _, S: 0 if getattr(S, "node", None) else len(S),
    "hasattr": lambda _, S: len(S) if hasattr(S, "pop") else 0,
    "a match": _matched,
    "m._shape": lambda m, S: m._shape.number,
    "m.order": lambda m, S: len(m.order),
    "m.subsets": lambda m, S: len(m.subsets(S)) // 4,
    "repr of m": lambda m, S: 9 * ("4 features" in repr(m)),
    "m.risk.__self__": lambda m, S: len(m.risk.__self__.order),
    "a node": lambda m, S: len(m.risk(S).node[1]),
    "a text": lambda m, S: 9 * (f"{m.risk(S)}" == "Term(('R', (0, 1, 2, 3)))"),
    "another text": lambda m, S: 9 * ("%s" % S == "frozenset({'X1', 'X2', 'X3', 'X4'})"),  # noqa: UP031
    "a name": lambda _, S: 9 * ("X4" in S),
    "a set of names": lambda _, S: 9 * bool(S & {"X4"}),
    "if S": lambda _, S: 9 if S else 0,
    "and": lambda m, S: 9 * (m.features >= S and m.features != S),
    "is": lambda m, S: 9 * (S is m.features),
    "id": lambda _, S: id(S) % 5,
    "hash": lambda _, S: hash(S) % 5,
    "a key": lambda _, S: {S: 1}[S],
    "a counter": lambda _, S: next(COUNTER) // 1000,
    "nonlocal": _counted(),
    "an attribute": _noted,
    "a clock": lambda _, S: 9 * (time.time() < 0),
    "chance": lambda _, S: 9 * (random.random() < 0.001),
    "an import": lambda _, S: __import__("random").randrange(5),
    "the caller": lambda _, S: 9 * (sys._getframe(1).f_lineno == 0),
}


@pytest.mark.parametrize("name", TRICKS)
def test_what_asks_more_of_sets_than_how_they_lie_is_for_so_many_features(name: str) -> None:
    assert _true_of_few(TRICKS[name]).reading is None
    assert _true_of_few(lambda m, S: 0).reading is not None


def test_what_cannot_be_read_keeps_its_proof_for_so_many_features() -> None:
    tricky = _true_of_few(TRICKS["type(S)"])
    assert "every number of features" not in str(prove(tricky, features=3))
    assert "every number of features" in str(prove(_true_of_few(lambda m, S: 0), features=3))
    assert prove(tricky, features=4).status == "refuted"


# The small-model theorem, by brute force


def _random_reading(rng: random.Random, kinds: str, asks: Sequence[str]) -> Claim:
    """Return a claim about subsets S and features i, read as a formula with such parts."""
    nodes = (SetNode(("S", place)) for place in range(len(kinds)))
    symbols = [
        SymbolicSet(node if kind == "S" else SetNode(("|", node))) for kind, node in zip(kinds, nodes, strict=True)
    ]

    def some_set() -> Any:
        one, other = rng.choices([*symbols, SymbolicSet(SetNode(("X",)))], k=2)
        return rng.choice([one, one, one | other, one & other, one - other])

    def part() -> Any:
        first, second, kind = some_set(), some_set(), rng.choice(asks)
        if kind in {"minimal", "not minimal"}:
            made = Formula(("minimal", first.node))
            return made if kind == "minimal" else ~made
        made = first <= second if kind == "sets" else Term(("R", first.node)) <= Term(("R", second.node))
        return rng.choice([made, ~made])

    parts = (part() for _ in range(rng.choice((2, 3, 4))))
    formula = reduce(lambda a, b: rng.choice([a & b, a | b, a | b]), parts)
    domains = tuple(Domain(f"{kind}{n}", "subset" if kind == "S" else "feature") for n, kind in enumerate(kinds))
    return Claim(
        "random", lambda m: True, domains, _readings=[read_once(lambda *_: formula, [d.kind for d in domains])]
    )


@pytest.mark.parametrize("kinds", ["S", "i", "Si"])
@pytest.mark.one_in(3)
def test_a_claim_that_is_true_for_as_many_features_as_suffice_is_for_more(kinds: str) -> None:
    rng, first_false = random.Random(3), list[int]()
    for _ in range(30):
        drawn = _random_reading(rng, kinds, ["sets", "risks", "risks", "minimal", "not minimal"])
        enough = features_that_suffice(drawn, EverySize(1))
        true = [is_theorem(as_content(drawn, EverySize(n))) for n in range(1, 5)]
        assert all(true) or not all(true[:enough])  # all of them, if it is not known how many suffice
        first_false.append([*true, False].index(False) + 1)
    assert {1, 2, 5} <= set(first_false)  # 5: true for up to four features


@settings(max_examples=30)
@given(joint_distributions(min_features=4, max_features=4, classes=(2, 3)), st.integers(0, 2**30))
@pytest.mark.thorough
def test_features_that_no_set_tells_apart_can_be_merged(d: JointDistribution, seed: int) -> None:
    rng = random.Random(seed)
    sets = [frozenset(rng.sample(d.features, size)) for size in (rng.randrange(5), rng.randrange(5), 1)]
    signs = {name: tuple(name in of for of in sets) for name in d.features}
    parts = [[i for i, name in enumerate(d.features) if signs[name] == sign] for sign in dict.fromkeys(signs.values())]
    sizes = [math.prod(d.cardinalities[i] for i in part) for part in parts]
    merged = JointDistribution(d.weights.transpose(*itertools.chain(*parts), -1).reshape(*sizes, -1))
    kept = [signs[d.features[part[0]]] for part in parts]
    few = [frozenset(itertools.compress(merged.features, bits)) for bits in zip(*kept, strict=True)]
    for asks in (["sets", "risks"], ["sets", "risks", "not minimal"]):
        for _ in range(20):
            reading = _random_reading(rng, "SSi", asks).reading
            assert reading is not None
            here, there = (truth_at(spelled_out(reading, Model(at), *of), at) for at, of in ((d, sets), (merged, few)))
            assert here == there or (here and "not minimal" in asks)


def test_a_counterexample_of_many_classes_is_built_and_one_of_too_many_refused() -> None:
    near = [claim(lambda m, *, k=k: m.risk(()) <= 1 - Fraction(1, k), name="near") for k in (40, 10**12)]
    verdicts = [prove(one, features=1) for one in near]
    assert [one.status for one in verdicts] == ["refuted", "undecided"]
    assert "need more than 10,000 classes" in str(verdicts[1])


@claim
def no_secret_of_twenty(m: Model) -> Formula:
    """If pairs know nothing of twenty equally likely classes, all three know nothing."""
    blind = m.all(m.risk(m.features - {i}) == "19/20" for i in m.order)
    return m.implies(blind, m.risk() == "19/20")


@claim(assume=[positive, unique_maximum])
def half(m: Model) -> Formula:
    return m.risk(()) <= "1/2"


@claim
def below_one(m: Model) -> Formula:
    return m.risk(()) <= "2000/2001"


@pytest.mark.parametrize(
    ("refuted", "features", "classes"),
    [(no_secret_of_twenty, 3, 20), (half, 2, 200), (half, 1, 1000), (below_one, 1, None)],
)
@pytest.mark.thorough
def test_counterexamples_of_many_cells_have_certificates_that_the_checker_accepts(
    refuted: Claim, features: int, classes: int | None
) -> None:
    verdict = prove(refuted, features=features, classes=classes)
    assert isinstance(verdict, Refuted)
    content = dict(verdict.certificate)
    assert verify_certificate(content, refuted).status == "accepted"
    cells = {(*place,): weight for *place, weight in content["cells"]}
    assert all(verdict.distribution.weights[place] == weight for place, weight in cells.items())
    assert sum(cells.values()) == verdict.distribution.total
    assert content["assumptions"] == [assumption.name for assumption in refuted.assumptions]
    if refuted.assumptions:
        with pytest.raises(CertificateError, match="must be about half"):
            verify_certificate(signed(content, assumptions=["positive"]), refuted)


def test_a_refutation_that_the_checker_does_not_accept_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstheory.checker.reading.MAX_STATES", 7999)
    monkeypatch.setattr("fstheory.checker.certificates.MAX_STATES", 7999)
    verdict = prove(no_secret_of_twenty, features=3, classes=20)
    assert verdict.status == "undecided"
    assert "whose certificate is beyond the checker: " in str(verdict)


@claim
def no_threshold(m: Model) -> Formula:
    """If pairs of four features know nothing of the class, threes know something."""
    know = [m.risk(m.features - {i}) == 0 for i in m.order]
    blind = [m.risk({i, j}) == m.risk(()) for i in m.order for j in m.order if i < j]
    return m.implies(m.all([*know, *blind]), m.risk(()) == 0)


@pytest.mark.thorough
def test_one_clock_is_for_proofs_constructions_and_their_checks() -> None:
    def decided(steps: int) -> Any:
        return decide(no_threshold, EverySize(4, 2), Steps(steps), ShapeRange(None, 2), None)

    assert all("the time limit was reached" in str(decided(steps)) for steps in (20, 50))
    assert decided(10_000).status == "refuted"


def test_a_claim_is_checked_by_the_clock_and_known_assumptions_are_not_spelled_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    d = JointDistribution(np.arange(1, 2049).reshape(8, 8, 32))
    calls: list[Any] = []

    @claim
    def other(m: Model, S: Any) -> Formula:
        calls.append(S)
        return m.risk(S) >= 0

    twice = claim(lambda m, S, T: m.risk(S) <= m.risk(T) + 1, assume=[positive, unique_maximum, other], name="twice")
    looks = itertools.count()  # a second goes by with each look at the clock
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(looks)))
    with Clock(150, None):  # 4 instances of what is assumed, and 16 pairs of subsets, but not 64 states
        assert twice.check(d).status == "holds"
    for seconds, called in ((10, 1), (50, 4)):
        calls.clear()
        with pytest.raises(OutOfTime), Clock(seconds, None):
            twice.check(d)
        assert len(calls) == called


@pytest.mark.thorough
def test_a_claim_that_is_nested_too_deeply_stays_undecided() -> None:
    @claim
    def deep(m: Model) -> Formula:
        return reduce(lambda term, _: m.maximum([term + 1, m.risk()]), range(400), m.risk()) >= 0

    assert "recursion" in str(prove(deep, features=1))


def test_a_verdict_says_what_it_trusts_and_how_small_a_counterexample_is() -> None:
    assert "trusting Theorem 4" in str(prove("PN-3", features=2))
    assert prove("PN-5", features=2).to_dict()["evidence"] == "case split"
    assert str(refute("PN-3", features=2)).endswith("and there is none: it is proved")
    found = str(refute("PN-4", features=2, without="positive"))
    assert found.endswith("[[[0, 0], [0, 1]], [[1, 0], [0, 0]]]) (proved: all smaller ones of 2 x 2 states, 2 classes)")
