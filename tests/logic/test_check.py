"""`Claim.check`: Holds, Vacuous and Refuted, against the truth computed by the definitions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstheory import JointDistribution, conditional_mutual_information, gallery
from fstheory.checker import check_certificate
from fstheory.logic import Claim, Holds, Model, Refuted, Shape, Vacuous, claim, positive, unique_maximum
from fstheory.testing import joint_distributions
from tests.logic.literal import World

BOTH = [positive, unique_maximum]
Choice = tuple[Any, ...]


@claim
def monotone(m: Model, S: Any, i: Any) -> Any:
    return m.risk(S | {i}) <= m.risk(S)


@claim
def features_always_help(m: Model, S: Any, i: Any) -> Any:
    return i in S or m.risk(S | {i}) < m.risk(S)


@claim(assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: Any, T: Any, U: Any) -> Any:
    if m.features != S | T | U:
        return True
    return m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))


@claim(assume=BOTH)
def theorem_4(m: Model, S: Any, T: Any) -> Any:
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@claim
def best_single_is_in_best_pair(m: Model, i: Any, S: Any) -> Any:
    if len(S) != 2 or i in S:
        return True
    best = m.all(m.risk(i) < m.risk(j) for j in m.order if j != i)
    return ~(best & m.all(m.risk(S) < m.risk(T) for T in m.subsets() if len(T) == 2 and i in T))


@claim(assume=[unique_maximum])
def likeliest_class_is_predicted(m: Model, x: Any, y: Any) -> Any:
    others = (z for z in m.classes if z != y)
    wins = m.all(m.probability(x, z) < m.probability(x, y) for z in others)
    return m.implies(m.probability(x) > 0, m.iff(m.predicts(x, y), wins))


@claim(where={"g": "classifier of S"})
def no_classifier_is_better(m: Model, S: Any, g: Any) -> Any:
    return len(S) > 1 or m.risk(S) <= m.risk(g)


@claim(where={"s": "state of S"})
def likely_state(m: Model, S: Any, s: Any) -> Any:
    return m.probability(s) >= "1/9"


@claim(where={"T": "subset of S"})
def half_as_bad(m: Model, S: Any, T: Any) -> Any:
    return 2 * m.risk(S) >= m.risk(T)


@claim(assume=[positive])
def posterior_of_first(m: Model, x: Any) -> Any:
    return m.probability(x, m.classes[0]) / m.probability(x) <= "2/3"


@claim
def independent_of_rest(m: Model, i: Any) -> Any:
    return m.mutual_information(i, m.features - {i}) == 0


@claim
def within_the_root(m: Model, i: Any) -> Any:
    return m.risk(i) - m.risk() <= m.sqrt(m.probability({}, m.classes[0]))


# The same by the definitions: every choice of the variables, and whether the claim is true for it.


def _pairs(w: World) -> Iterator[tuple[frozenset[str], str]]:
    return itertools.product(w.subsets(), w.features)


def _monotone(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, i), w.risk(S | {i}) <= w.risk(S)) for S, i in _pairs(w))


def _help(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, i), i in S or w.risk(S | {i}) < w.risk(S)) for S, i in _pairs(w))


def _theorem_3(w: World) -> Iterator[tuple[Choice, bool]]:
    everything = frozenset(w.features)
    for S, T, U in itertools.product(w.subsets(), repeat=3):
        if everything == S | T | U and len(S) + len(T) + len(U) == len(everything):
            least = w.risk(everything)
            yield (S, T, U), (least == w.risk(S | T) == w.risk(S | U)) is (least == w.risk(S))


def _theorem_4(w: World) -> Iterator[tuple[Choice, bool]]:
    good = [S for S in w.subsets() if w.risk(S) == w.risk(w.features)]
    minimal = [S for S in good if not any(T < S for T in good)]
    return (
        ((S, T), S == T or not (S in minimal and T in minimal)) for S, T in itertools.product(w.subsets(), repeat=2)
    )


def _best_single(w: World) -> Iterator[tuple[Choice, bool]]:
    pairs = [S for S in w.subsets() if len(S) == 2]
    for i, S in itertools.product(w.features, pairs):
        if i not in S:
            best = all(w.risk([i]) < w.risk([j]) for j in w.features if j != i)
            yield (i, S), not (best and all(w.risk(S) < w.risk(T) for T in pairs if i in T))


def _likeliest(w: World) -> Iterator[tuple[Choice, bool]]:
    for x, y in itertools.product(list(w.states()), w.classes):
        wins = all(w.p(x, ("is", z)) < w.p(x, ("is", y)) for z in w.classes if z != y)
        yield (x, y), w.p(x) == 0 or (w.says(x) == y) is wins


def _classifier(w: World) -> Iterator[tuple[Choice, bool]]:
    for S in w.subsets():
        if len(S) < 2:
            states = list(w.states(S))
            for said in itertools.product(w.classes, repeat=len(states)):
                right = sum((w.p(s, ("is", y)) for s, y in zip(states, said, strict=True)), Fraction(0))
                yield (S, said), w.risk(S) <= 1 - right


def _likely(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, s), w.p(s) >= Fraction(1, 9)) for S in w.subsets() for s in w.states(S))


def _half(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, T), 2 * w.risk(S) >= w.risk(T)) for S in w.subsets() for T in w.subsets() if T <= S)


def _posterior(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((x,), 3 * w.p(x, ("is", w.classes[0])) <= 2 * w.p(x)) for x in w.states())


def _root(w: World) -> Iterator[tuple[Choice, bool]]:
    slack = ((i, w.risk([i]) - w.risk(w.features)) for i in w.features)
    return (((i,), more**2 <= w.p({}, ("is", w.classes[0]))) for i, more in slack)


CLAIMS: list[tuple[Claim, Callable[[World], Iterator[tuple[Choice, bool]]]]] = [
    (monotone, _monotone),
    (features_always_help, _help),
    (theorem_3, _theorem_3),
    (theorem_4, _theorem_4),
    (theorem_3.without(*BOTH), _theorem_3),
    (theorem_4.without("positive"), _theorem_4),
    (best_single_is_in_best_pair, _best_single),
    (likeliest_class_is_predicted, _likeliest),
    (no_classifier_is_better, _classifier),
    (likely_state, _likely),
    (half_as_bad, _half),
    (posterior_of_first, _posterior),
    (within_the_root, _root),
    (positive, lambda w: (((x,), w.p(x) > 0) for x in w.states())),
    (unique_maximum, lambda w: (((x,), _single(w, x)) for x in w.states())),
]


def _single(w: World, x: Any) -> bool:
    joint = [w.p(x, ("is", y)) for y in w.classes]
    return sum(joint) == 0 or joint.count(max(joint)) == 1


def recorded(w: World, value: Any) -> Any:
    """Write a value as JSON has it."""
    return [name for name in w.features if name in value] if isinstance(value, frozenset) else value


FEW = joint_distributions(max_features=1)  # there are k**c classifiers over c states
TIES = joint_distributions(max_weight=2, huge=False)
MANY = joint_distributions() | TIES | joint_distributions(positive=True, unique_maximum=True)


@pytest.mark.parametrize(("stated", "literal"), CLAIMS, ids=[row[0].title for row in CLAIMS])
@given(data=st.data())
def test_verdict(stated: Claim, literal: Any, data: st.DataObject) -> None:
    d = data.draw(FEW if stated is no_classifier_is_better else MANY)
    w = World(d)
    assume(stated is not no_classifier_is_better or len(d.classes) ** d.weights[..., 0].size < 10**4)
    verdict = stated.check(d)
    for assumption, holds in [("positive", lambda x: w.p(x) > 0), ("unique_maximum", lambda x: _single(w, x))]:
        failing = [x for x in w.states() if not holds(x)]
        if assumption in [assumed.name for assumed in stated.assumptions] and failing:
            assert verdict == Vacuous(stated.title, assumption, (("x", failing[0]),))
            return
    false = [choice for choice, truth in literal(w) if not truth]
    if not false:
        assert isinstance(verdict, Holds)
        assert bool(verdict)
        assert verdict.instances == len(stated.statement(d).show)
        return
    assert isinstance(verdict, Refuted)
    assert not verdict
    assert verdict.distribution is d
    where = tuple(value for _, value in verdict.where)
    if stated is not no_classifier_is_better:
        assert where in [tuple(recorded(w, value) for value in choice) for choice in false]
    if d.total < 2**60:
        assert check_certificate(verdict.certificate).kind == "refuted"


@given(TIES)
def test_verdict_on_information(d: JointDistribution) -> None:
    """Logarithms are decided exactly, and their values are written as intervals."""
    verdict = independent_of_rest.check(d)
    rest = {i: [j for j in d.features if j != i] for i in d.features}
    dependent = [i for i in d.features if conditional_mutual_information(d, [i], [d.target], rest[i]) != 0]
    assert isinstance(verdict, Refuted if dependent else Holds)
    if isinstance(verdict, Refuted):
        assert verdict.where == (("i", dependent[0]),)
        assert check_certificate(verdict.certificate)


def test_both_ways_are_tried() -> None:
    """The distributions of these tests refute what can be refuted, and satisfy the assumptions."""
    assert isinstance(theorem_4.check(gallery.xor()), Vacuous) is False
    assert isinstance(theorem_4.without(*BOTH).check(gallery.copies()), Refuted)
    assert isinstance(theorem_4.check(gallery.copies()), Vacuous)
    assert isinstance(theorem_3.check(JointDistribution([[[2, 1], [1, 2]], [[1, 2], [2, 1]]])), Holds)


def test_the_first_assumption_that_fails_is_named() -> None:
    d = JointDistribution([[[1, 1], [0, 0]], [[1, 0], [0, 1]]])
    some = claim(assume=[unique_maximum, positive], name="some")(lambda m: False)
    assert str(some.check(d)) == "some: vacuous, unique_maximum fails at x = (X1=0, X2=0)"
    assert str(some.without("unique_maximum").check(d)) == (
        "some without unique_maximum: vacuous, positive fails at x = (X1=0, X2=1)"
    )
    verdict = some.without(positive, unique_maximum).check(d)
    assert isinstance(verdict, Refuted)
    assert verdict.where == ()


def test_no_more_is_spelled_out_than_needed() -> None:
    """Where an assumption fails, the claim is not looked at; it may have a million instances."""
    asked: list[str] = []

    @claim(assume=[positive])
    def noted(m: Model, i: Any) -> Any:
        asked.append(i)
        return m.risk(i) == 0

    assert isinstance(noted.check(JointDistribution([[[1, 1], [0, 0]]])), Vacuous)
    assert asked == []
    assert isinstance(noted.check(JointDistribution([[[1, 1], [1, 1]]])), Refuted)
    assert asked == ["X1"]


def test_a_claim_without_instances_holds() -> None:
    assert claim(lambda m, i: m.risk(i) == 1).check(JointDistribution([1, 2])) == Holds("<lambda>", 0)


def test_statement() -> None:
    statement = theorem_3.statement(Shape((2, 2), 3))
    assert (statement.claim, statement.shape) == ("theorem_3", Shape((2, 2), 3))
    assert [named.name for named in statement.assume] == ["positive"] * 4 + ["unique_maximum"] * 4
    assert [dict(named.where)["x"] for named in statement.assume[4:]] == [
        {"X1": i, "X2": j} for i in (0, 1) for j in (0, 1)
    ]
    dropped = theorem_3.without("positive").statement(Shape((2, 2), 3))
    assert dropped.assume == statement.assume[4:]
    assert dropped.show == statement.show


def test_claims_are_values() -> None:
    assert theorem_3.title == "theorem_3"
    dropped = theorem_3.without("positive", positive, "positive")
    assert dropped.title == "theorem_3 without positive"
    assert dropped == theorem_3.without(positive)
    assert hash(dropped) == hash(theorem_3.without(positive))
    assert dropped.assumptions == (unique_maximum,)
    assert dropped.without("unique_maximum").title == "theorem_3 without positive without unique_maximum"
    assert theorem_3.assumptions == (positive, unique_maximum)
    with pytest.raises(AttributeError):
        theorem_3.name = "another"  # type: ignore[misc]


def test_a_claim_is_a_part_of_another() -> None:
    @claim
    def everywhere(m: Model) -> Any:
        return m.all(positive(m, x) for x in m.states())

    for d in (JointDistribution([[1, 1], [0, 1]]), JointDistribution([[1, 1], [0, 0]])):
        assert everywhere.check(d).status == positive.check(d).status


def test_statement_of_a_shape_and_of_a_distribution_are_alike() -> None:
    """Names differ, indices do not: so what is proved of a shape is true of its distributions."""
    d = gallery.titanic()
    for stated, _ in CLAIMS:
        if stated is not no_classifier_is_better:
            mine, theirs = stated.statement(d), stated.statement(Shape(d.cardinalities, len(d.classes)))
            assert [named.formula for named in mine.assume] == [named.formula for named in theirs.assume]
            assert [named.formula for named in mine.show] == [named.formula for named in theirs.show]


@given(st.data())
def test_names_play_no_part(data: st.DataObject) -> None:
    d = data.draw(joint_distributions(named=True, huge=False, min_features=1))
    plain = JointDistribution(d.weights.tolist())
    for stated in (monotone, features_always_help, theorem_4, likely_state):
        assert stated.check(d).status == stated.check(plain).status
