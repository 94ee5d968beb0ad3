"""Claims: what their variables range over, and `check`, against the truth computed by the definitions."""

import copy
import itertools
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given

from fstheory import JointDistribution, conditional_mutual_information
from fstheory.checker.certificates import check_certificate
from fstheory.distributions import gallery
from fstheory.errors import ClaimError, TooLargeError
from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.entry import Entry
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Refuted, Vacuous
from fstheory.proofs.refutation import refute
from fstheory.testing import joint_distributions
from tests.logic.literal import World

# Claims in the language beside the same by the definitions: every choice of the variables, and whether it is true

BOTH = [positive, unique_maximum]


@claim
def monotone(m: Model, S: Any, i: Any) -> Any:
    return m.risk(S | {i}) <= m.risk(S)


@claim(assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: Any, T: Any, U: Any) -> Any:
    if m.features != S | T | U:
        return True
    return m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))


def _theorem_3(w: World, S: Any, T: Any, U: Any) -> bool:
    everything = frozenset(w.features)
    if everything != S | T | U or len(S) + len(T) + len(U) != len(everything):
        return True
    return (w.risk(everything) == w.risk(S | T) == w.risk(S | U)) is (w.risk(everything) == w.risk(S))


@claim(assume=[unique_maximum])
def likeliest_class_is_predicted(m: Model, x: Any, y: Any) -> Any:
    wins = m.all(m.probability(x, z) < m.probability(x, y) for z in m.classes if z != y)
    return m.implies(m.probability(x) > 0, m.iff(m.predicts(x, y), wins))


def _likeliest(w: World, x: Any, y: Any) -> bool:
    wins = all(w.p(x, ("is", z)) < w.p(x, ("is", y)) for z in w.classes if z != y)
    return w.p(x) == 0 or (w.says(x) == y) is wins


def _single(w: World, x: Any) -> bool:
    joint = [w.p(x, ("is", y)) for y in w.classes]
    return sum(joint) == 0 or joint.count(max(joint)) == 1


features_always_help = claim(lambda m, S, i: i in S or m.risk(S | {i}) < m.risk(S), name="features_always_help")
likely_state = claim(lambda m, S, s: m.probability(s) >= "1/9", where={"s": "state of S"}, name="likely_state")
posterior_of_first = claim(
    lambda m, x: m.probability(x, m.classes[0]) / m.probability(x) <= "2/3", assume=[positive], name="posterior"
)

Range = Callable[..., Iterable[Any]]
_SUBSET: Range = lambda w, *_: w.subsets()  # noqa: E731
_FEATURE: Range = lambda w, *_: w.features  # noqa: E731
_STATE: Range = lambda w, *before: w.states(*before)  # noqa: E731
_CLASS: Range = lambda w, *_: w.classes  # noqa: E731

CLAIMS: list[tuple[Claim, tuple[Range, ...], Callable[..., bool]]] = [
    (monotone, (_SUBSET, _FEATURE), lambda w, S, i: w.risk(S | {i}) <= w.risk(S)),
    (features_always_help, (_SUBSET, _FEATURE), lambda w, S, i: i in S or w.risk(S | {i}) < w.risk(S)),
    *((stated, (_SUBSET,) * 3, _theorem_3) for stated in (theorem_3, theorem_3.without(*BOTH))),
    (likeliest_class_is_predicted, (_STATE, _CLASS), _likeliest),
    (likely_state, (_SUBSET, _STATE), lambda w, S, s: 9 * w.p(s) >= 1),
    (posterior_of_first, (_STATE,), lambda w, x: 3 * w.p(x, ("is", w.classes[0])) <= 2 * w.p(x)),
    (positive, (_STATE,), lambda w, x: w.p(x) > 0),
    (unique_maximum, (_STATE,), _single),
]


def test_claims_and_entries_travel_by_pickle() -> None:
    assert pickle.loads(pickle.dumps(monotone)) == monotone  # the decorator put the claim in the function's place
    weaker = theorem_3.without("positive")
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


TIES = joint_distributions(max_weight=2, huge=False)


@pytest.mark.quick
@pytest.mark.parametrize(("stated", "ranges", "literal"), CLAIMS, ids=[row[0].title for row in CLAIMS])
@given(d=joint_distributions() | TIES | joint_distributions(positive=True, unique_maximum=True))
def test_verdict(stated: Claim, ranges: tuple[Range, ...], literal: Any, d: JointDistribution) -> None:
    w, verdict = World(d), stated.check(d)
    for assumption, holds in (("positive", lambda x: w.p(x) > 0), ("unique_maximum", lambda x: _single(w, x))):
        failing = [x for x in w.states() if not holds(x)]
        if assumption in [assumed.name for assumed in stated.assumptions] and failing:
            assert verdict == Vacuous(stated.title, assumption, (("x", failing[0]),))
            return
    choices: list[tuple[Any, ...]] = [()]
    for among in ranges:
        choices = [(*before, value) for before in choices for value in among(w, *before)]
    false = [choice for choice in choices if not literal(w, *choice)]
    if not false:
        assert verdict == Holds(stated.title, len(stated.statement(d).show))
        return
    assert isinstance(verdict, Refuted)
    assert verdict.distribution is d
    sorted_sets = [[sorted(v) if isinstance(v, frozenset) else v for v in choice] for choice in false]
    assert [value for _, value in verdict.where] in sorted_sets
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


def test_the_first_assumption_that_fails_is_named() -> None:
    d = JointDistribution([[[1, 1], [0, 0]], [[1, 0], [0, 1]]])
    some = claim(assume=[unique_maximum, positive], name="some")(lambda m: False)
    assert str(some.check(d)) == "some: vacuous, unique_maximum fails at x = (X1=0, X2=0)"
    text = "some without unique_maximum: vacuous, positive fails at x = (X1=0, X2=1)"
    assert str(some.without("unique_maximum").check(d)) == text
    assert isinstance(some.without(positive, unique_maximum).check(d), Refuted)


def test_no_more_is_spelled_out_than_needed() -> None:
    """Where an assumption fails, the claim is not looked at; else each instance once, until one is false."""
    visited: list[str] = []
    noted = claim(assume=[positive])(lambda m, i: visited.append(i) or m.risk(i) == 0)  # type: ignore[func-returns-value]
    assert isinstance(noted.check(JointDistribution([[[1, 1], [0, 0]]])), Vacuous)
    assert visited == []
    assert isinstance(noted.check(JointDistribution([[[1, 1], [1, 1]]])), Refuted)
    assert visited == ["X1"]


def test_a_claim_without_instances_holds() -> None:
    assert claim(lambda m, i: m.risk(i) == 1).check(JointDistribution([1, 2])) == Holds("<lambda>", 0)


def test_statement() -> None:
    statement, dropped = (stated.statement(Shape((2, 2), 3)) for stated in (theorem_3, theorem_3.without("positive")))
    assert (statement.claim, statement.shape) == ("theorem_3", Shape((2, 2), 3))
    assert [named.name for named in statement.assume] == ["positive"] * 4 + ["unique_maximum"] * 4
    states = [{"X1": i, "X2": j} for i in (0, 1) for j in (0, 1)]
    assert [dict(named.where)["x"] for named in statement.assume[4:]] == states
    assert (dropped.assume, dropped.show) == (statement.assume[4:], statement.show)


def test_claims_are_values() -> None:
    dropped = theorem_3.without("positive", positive, "positive")
    assert dropped == theorem_3.without(positive)
    assert hash(dropped) == hash(theorem_3.without(positive))
    assert (theorem_3.assumptions, dropped.assumptions) == ((positive, unique_maximum), (unique_maximum,))
    assert dropped.without("unique_maximum").title == "theorem_3 without positive without unique_maximum"
    with pytest.raises(AttributeError):
        theorem_3.name = "another"  # type: ignore[misc]


def test_a_claim_is_a_part_of_another() -> None:
    everywhere = claim(lambda m: m.all(positive(m, x) for x in m.states()))
    for d in (JointDistribution([[1, 1], [0, 1]]), JointDistribution([[1, 1], [0, 0]])):
        assert everywhere.check(d).status == positive.check(d).status


def test_statement_of_a_shape_and_of_a_distribution_are_alike() -> None:
    """Names differ, indices do not: so what is proved of a shape is true of its distributions."""
    d = gallery.titanic()
    for stated, *_ in CLAIMS:
        mine, theirs = stated.statement(d), stated.statement(Shape(d.cardinalities, len(d.classes)))
        assert (mine.assumed, mine.shown) == (theirs.assumed, theirs.shown)


def test_the_instance_shown_has_different_values_where_one_is_false() -> None:
    @claim
    def perfect(m: Model, i: str, j: str) -> Formula:
        return m.risk({i, j}) == 0

    @claim
    def undefined(m: Model, i: str, j: str) -> Formula:
        return 1 / (7 * m.risk(j) - 7 * m.risk(i) + 1) == 2  # at i = X1, j = X2 it has no value

    @claim
    def nowhere(m: Model, i: str, j: str) -> Formula:
        return 1 / (m.risk(i) if i == j else m.risk(i) - m.risk(i)) == 7

    d = JointDistribution([[[1, 1], [1, 1]], [[1, 0], [0, 1]]])
    verdict = perfect.check(d)
    assert isinstance(verdict, Refuted)
    assert (verdict.where, verdict.minimality) == ((("i", "X1"), ("j", "X2")), "at the distribution given")
    assert check_certificate(verdict.certificate)
    risks_differ = JointDistribution([[[0, 0], [1, 0]], [[0, 1], [3, 2]]])  # R(X1) = 3/7, R(X2) = 2/7
    for other, shown, alone in [(undefined, ("X2", "X1"), False), (nowhere, ("X1", "X1"), True)]:
        beside = other.check(risks_differ)
        assert isinstance(beside, Refuted)
        assert tuple(value for _, value in beside.where) == shown
        assert ("with: if i == j: return True" in beside.minimality) is alone
    found = refute(perfect)
    assert isinstance(found, Refuted)
    assert found.minimality.startswith("proved: ")
    assert found.minimality.endswith("with: if i == j: return True")


# What the variables of a claim range over, against the definition with itertools

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

    with pytest.raises(ClaimError, match=r"claim careless \(.*test_check.py, line \d+\), at x = .*: TypeError: "):
        careless.statement(SHAPE)
    free = (
        claim(lambda m, x: m.probability({**x, "X1": 0}) >= 0),
        claim(lambda m, x: m.probability(x | {"X1": 0}) >= 0),
    )
    assert [len(stated.statement(SHAPE).show) for stated in free] == [3, 3]
