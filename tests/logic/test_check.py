"""`Claim.check`: Holds, Vacuous and Refuted, against the truth computed by the definitions."""

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, conditional_mutual_information
from fstheory.distributions import gallery
from fstheory.errors import ClaimError
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.evaluate import truth, value
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Refuted, Vacuous
from fstheory.papers.entry import Entry
from fstheory.papers.ledger import claims
from fstheory.testing import joint_distributions
from tests.logic.literal import World
from tests.logic.stated import BOTH, CLAIMS, monotone, no_classifier_is_better, single, theorem_3, theorem_4, violations


def test_claims_and_entries_travel_by_pickle() -> None:
    assert pickle.loads(pickle.dumps(monotone)) == monotone  # the decorator put the claim in the function's place
    weaker = unique_maximum if not theorem_3.assumptions else theorem_3.without("positive")
    assert pickle.loads(pickle.dumps(weaker)) == weaker
    for entry in claims.values():
        assert pickle.loads(pickle.dumps(entry)) is entry
    own = Entry("mine", claims["PN-3"].paper, "here", "words", "x", monotone, needs={"a": claims["PN-3"].evidence[0]})
    assert pickle.loads(pickle.dumps(own)) == own
    assert pickle.loads(pickle.dumps(claims)) is claims
    hidden = claim(lambda m: True, name="hidden")
    assert copy.deepcopy(hidden) == hidden
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(hidden)


def test_truth_and_value_take_what_a_model_returns() -> None:
    d = gallery.xor()
    m = Model(d)
    assert truth(m.risk() < m.risk(()), d) is truth((m.risk() < m.risk(())).node, d) is True
    assert truth(False, d) is False
    assert value(m.risk(()), d) == value(m.risk(()).node, d) == Fraction(1, 2)


def test_an_exception_that_cannot_be_told() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    @claim
    def raising(m: Any) -> Any:
        raise Mute

    with pytest.raises(ClaimError, match=r"Mute \(whose text cannot be had: its __str__ fails\)"):
        raising.check(gallery.xor())


def recorded(w: World, value: Any) -> Any:
    """Write a value as JSON has it."""
    return [name for name in w.features if name in value] if isinstance(value, frozenset) else value


FEW = joint_distributions(max_features=1)  # there are k**c classifiers over c states
TIES = joint_distributions(max_weight=2, huge=False)
MANY = joint_distributions() | TIES | joint_distributions(positive=True, unique_maximum=True)


@pytest.mark.parametrize(("stated", "ranges", "literal"), CLAIMS, ids=[row[0].title for row in CLAIMS])
@given(data=st.data())
def test_verdict(stated: Claim, ranges: Any, literal: Any, data: st.DataObject) -> None:
    d = data.draw(FEW if stated is no_classifier_is_better else MANY)
    w = World(d)
    verdict = stated.check(d)
    for assumption, holds in [("positive", lambda x: w.p(x) > 0), ("unique_maximum", lambda x: single(w, x))]:
        failing = [x for x in w.states() if not holds(x)]
        if assumption in [assumed.name for assumed in stated.assumptions] and failing:
            assert verdict == Vacuous(stated.title, assumption, (("x", failing[0]),))
            return
    false = violations(w, ranges, literal)
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
    verdict = claim(lambda m, i: m.mutual_information(i, m.features - {i}) == 0).check(d)
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
    text = str(some.without("unique_maximum").check(d))
    assert text == "some without unique_maximum: vacuous, positive fails at x = (X1=0, X2=1)"
    assert str(some.without(positive, unique_maximum).check(d)).startswith("some without positive without unique_m")


def test_no_more_is_spelled_out_than_needed() -> None:
    """Where an assumption fails, the claim is not looked at; it may have a million instances."""
    visited: list[str] = []

    @claim(assume=[positive])
    def noted(m: Model, i: Any) -> Any:
        visited.append(i)
        return m.risk(i) == 0

    assert isinstance(noted.check(JointDistribution([[[1, 1], [0, 0]]])), Vacuous)
    assert visited == []
    assert isinstance(noted.check(JointDistribution([[[1, 1], [1, 1]]])), Refuted)
    assert visited == ["X1"]


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
    for stated, *_ in CLAIMS:
        if stated is not no_classifier_is_better:
            mine, theirs = stated.statement(d), stated.statement(Shape(d.cardinalities, len(d.classes)))
            assert (mine.assumed, mine.shown) == (theirs.assumed, theirs.shown)
