"""Every word of `Model` against its definition, on odd distributions: zeros, ties, huge weights, no features."""

import functools
import itertools
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from fstheory import (
    JointDistribution,
    bayes_classifier,
    conditional_entropy,
    criteria,
    info,
    mutual_information,
    prove,
    refute,
)
from fstheory.checker.certificates import check_certificate
from fstheory.checker.statement import walk
from fstheory.errors import NotLinearError
from fstheory.logic.claims import Claim, claim
from fstheory.logic.evaluate import truth, value
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted
from fstheory.logic.vocabularies import READABLE, SetModel
from fstheory.measures.information import conditional_mutual_information, entropy
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import sqrt
from fstheory.selection.optimal import exhaustive_search
from fstheory.selection.questions import best_questions
from fstheory.selection.relevant import markov_blankets
from fstheory.testing import joint_distributions
from tests.logic.literal import World

DISTRIBUTIONS = joint_distributions(named=True)
SMALL = joint_distributions(named=True, huge=False)


@st.composite
def partial_states(draw: st.DrawFn, d: JointDistribution) -> dict[str, Hashable]:
    kept = [name for name in d.features if draw(st.booleans())]
    return {name: draw(st.sampled_from(d.states[name])) for name in kept}


@given(DISTRIBUTIONS)
def test_names_and_ranges(d: JointDistribution) -> None:
    m, w = Model(d), World(d)
    assert (m.features, m.order, m.classes) == (frozenset(d.features), d.features, d.classes)
    assert m.shape == Shape(d.cardinalities, len(d.classes))
    assert list(m.subsets()) == w.subsets()
    assert list(m.states()) == list(w.states())
    for S in w.subsets():
        assert sorted(m.subsets(S), key=sorted) == sorted(w.subsets(S), key=sorted)
        assert list(m.states(S)) == list(w.states(S))


def test_names_of_a_shape() -> None:
    m = Model(Shape((2, 3), 4))
    assert (m.order, m.classes, m.target) == (("X1", "X2"), (0, 1, 2, 3), "Y")
    assert [tuple(x.values()) for x in m.states()] == list(itertools.product(range(2), range(3)))
    assert (m.states(()), m.subsets("X2")) == (({},), (frozenset(), frozenset({"X2"})))


def test_value_of_a_label() -> None:
    m = Model(Shape((2,)))
    assert [m.value("X1", label) for label in (0, "3/8", Fraction(1, 2))] == [0, Fraction(3, 8), Fraction(1, 2)]


@given(st.data(), DISTRIBUTIONS)
def test_probability_and_risk(data: st.DataObject, d: JointDistribution) -> None:
    m, w, s = Model(d), World(d), data.draw(partial_states(d))
    assert value(m.probability(s), d) == w.p(s)
    for y in d.classes:
        assert value(m.probability(s, y), d) == w.p(s, ("is", y))
    assert value(m.probability(), d) == 1
    for S in w.subsets():
        assert value(m.risk(S), d) == w.risk(S)
    for name in d.features:
        assert value(m.risk(name), d) == w.risk([name])
    assert value(m.risk(), d) == w.risk(d.features)


@given(st.data(), joint_distributions(max_features=2, cardinalities=(1, 2), named=True))
def test_classifiers_and_their_risks(data: st.DataObject, d: JointDistribution) -> None:
    """Each function from the states to the classes occurs once."""
    m, w = Model(d), World(d)
    S = data.draw(st.sampled_from(m.subsets()))
    found = list(m.classifiers(S))
    tables = [tuple(g(s) for s in m.states(S)) for g in found]
    assert sorted(map(repr, tables)) == sorted(map(repr, itertools.product(d.classes, repeat=len(m.states(S)))))
    with pytest.raises(TypeError):
        found[0].table[next(iter(found[0].table))] = d.classes[0]  # type: ignore[index]
    g = data.draw(st.sampled_from(found))
    wrong = sum((w.p(s) - w.p(s, ("is", g(s))) for s in w.states(S)), Fraction(0))
    assert value(m.risk(g), d) == wrong
    assert truth(m.risk(S) <= m.risk(g), d)


@given(st.data(), SMALL)
def test_entropies(data: st.DataObject, d: JointDistribution) -> None:
    m, w = Model(d), World(d)
    A, B, C = (data.draw(st.sampled_from(m.subsets())) for _ in range(3))
    for target in (False, True):
        found, logs = value(m.entropy(A, target=target), d), w.entropy(A, target=target)
        assert found == entropy(d, [*A, *([d.target] if target else [])])
        assert found == value(m.entropy({*A, *[d.target] * target}), d)
        assert found == LogSum([(coefficient, prime) for prime, coefficient in logs.items()])
    assert value(m.conditional_entropy(A), d) == conditional_entropy(d, [d.target], A)
    assert value(m.mutual_information(A), d) == mutual_information(d, [d.target], A)
    assert value(m.mutual_information(A, B), d) == conditional_mutual_information(d, [d.target], A, B)
    assert value(m.feature_information(A, B), d) == mutual_information(d, A, B)
    assert value(m.feature_information(A, B, C), d) == conditional_mutual_information(d, A, B, C)
    given_class = conditional_mutual_information(d, A, B, {*C, d.target})
    assert value(m.feature_information(A, B, {*C, m.target}), d) == given_class
    for known, information in ((C, conditional_mutual_information(d, A, B, C)), ({*C, m.target}, given_class)):
        assert truth(m.independent(A, B, known), d) is (information == 0)


@pytest.mark.parametrize(
    "measure", ["risk", "gini", "balanced", "auc", "explained", "entropy", "conditional_entropy", "mutual_information"]
)
def test_a_measure_is_that_of_all_features_unless_some_are_named(measure: str) -> None:
    """For one shape, for every number of states, and if the function of the claim is read once."""
    for m in (Model(Shape((2, 2))), Model(EverySize(2, 2)), SetModel()):
        if measure in READABLE or type(m) is Model:
            assert getattr(m, measure)().node == getattr(m, measure)(m.features).node


def test_logarithms_and_roots() -> None:
    d = JointDistribution([1, 2])
    m = Model(d)
    p = m.probability({}, 0)
    assert value(m.log(p), d) == -log(3)
    assert value(m.sqrt(p), d) == sqrt("1/3")
    assert value(m.sqrt(p) * m.sqrt(p), d) == Fraction(1, 3)
    assert value(m.sqrt(p) ** 2 - p, d) == 0
    assert value(m.log(1), d) == 0
    assert value(2 * m.log(2) / 2, d) == log(2)
    assert truth(m.log(2) < m.sqrt(2), d)
    assert value(m.maximum([m.log(2), m.sqrt(2), 1]), d) == sqrt(2)


@given(st.data(), DISTRIBUTIONS)
def test_predictions(data: st.DataObject, d: JointDistribution) -> None:
    """The first of several classes wins, also where p(s) = 0; as `BayesClassifier` has it."""
    m, w = Model(d), World(d)
    S = data.draw(st.sampled_from(m.subsets()))
    g, other = bayes_classifier(d, S), data.draw(partial_states(d))
    for s in w.states(S):
        said = [y for y in d.classes if truth(m.predicts(s, y), d)]
        assert said == [w.says(s)] == [g(s)]
        top = max(w.p(s, ("is", y)) for y in d.classes)
        best = [y for y in d.classes if w.p(s, ("is", y)) == top]
        assert [y for y in d.classes if truth(m.maximizes(s, y), d)] == best == list(g.maximizers(s))
        assert truth(m.same_prediction(s, other), d) is (w.says(s) == w.says(other))


@given(DISTRIBUTIONS)
def test_minimal_optimal(d: JointDistribution) -> None:
    m, w = Model(d), World(d)
    solutions = set(exhaustive_search(d).solutions)
    for S in m.subsets():
        minimal = w.risk(S) == w.risk(d.features) and all(
            w.risk(part) > w.risk(d.features) for part in w.subsets(S) if part < S
        )
        assert truth(m.minimal_optimal(S), d) is minimal is (S in solutions)


@given(DISTRIBUTIONS)
def test_relevance_and_the_markov_boundary(d: JointDistribution) -> None:
    """The words of the field, against the functions that search, and against the definition by posteriors."""
    m = Model(d)
    blankets = {
        S
        for S in m.subsets()
        if all(d.posterior(x) == d.posterior({i: x[i] for i in S}) for x in m.states() if d.probability(x))
    }
    assert {S for S in m.subsets() if truth(m.markov_blanket(S), d)} == blankets
    boundaries = {S for S in blankets if not any(part < S for part in blankets)}
    assert {S for S in m.subsets() if truth(m.markov_boundary(S), d)} == boundaries == {*markov_blankets(d)}
    strong = {i for i in d.features if m.features - {i} not in blankets}
    assert {i for i in d.features if truth(m.strongly_relevant(i), d)} == strong


def test_the_words_of_the_field_are_proved_for_every_number_of_states() -> None:
    @claim
    def enough(m: Model, S: frozenset[str]) -> Formula | bool:
        return m.implies(m.markov_boundary(S), m.risk(S) == m.risk())

    @claim
    def needed(m: Model, S: frozenset[str], i: str) -> Formula | bool:
        return m.implies(m.markov_blanket(S) & m.strongly_relevant(i), i in S)

    assert prove(enough, features=2)
    assert prove(needed, features=2)
    assert isinstance(refute(other_way, cardinalities=(2, 2), classes=2), Refuted)


@claim
def other_way(m: Model, S: frozenset[str]) -> Formula | bool:
    """False: a solution of least risk need not tell all about the class."""
    return m.implies(m.risk(S) == m.risk(), m.markov_blanket(S))


def test_equal() -> None:
    d = JointDistribution([1, 2])
    m = Model(d)
    p, q = m.probability({}, 0), m.probability({}, 1)
    equal = [m.equal(), m.equal(p), m.equal(p, 1 - q, "1/3"), m.equal(p, p, q)]
    assert [truth(formula, d) for formula in equal] == [True, True, True, False]
    assert value(m.sum([]), d) == 0


@pytest.mark.parametrize(
    "quantity", ["H(X1)", "H(Y | X1, X2)", "I(Y; X1)", "I(X1; X2 | Y)", "I(X1; X2; Y) - 1/2 H(Y)", "H(X1, Y)"]
)
def test_notation(quantity: str) -> None:
    d = JointDistribution([[[2, 1], [0, 3]], [[1, 1], [4, 0]]])
    for base in (None, 2, 3, Fraction(5, 2)):
        expected = info(d, quantity) if base is None else info(d, quantity, base=base)
        assert value(Model(d).info(quantity, base=base), d) == expected
        assert truth(Model(d).info(quantity, base=base) <= "2/5", d) == (expected <= Fraction(2, 5))
    found = refute(claim(lambda m: m.info(quantity) <= "1/100"), cardinalities=(2, 2))
    assert isinstance(found, Refuted)
    assert check_certificate(found.certificate)


@given(SMALL, st.data())
def test_criteria_and_counts(d: JointDistribution, data: st.DataObject) -> None:
    m, S = Model(d), set(data.draw(st.permutations(d.features))[:2])
    assert value(m.gini(S), d) == criteria.gini().value(d, S)
    assert value(m.gini(), d) == criteria.gini().value(d, d.features)
    if all(truth(m.probability(y=y) > 0, d) for y in m.classes):
        assert value(m.balanced(S), d) == criteria.balanced().value(d, S)
        if len(m.classes) == 2:
            assert value(m.auc(S), d) == criteria.auc().value(d, S)
    formulas = [m.risk(S) <= Fraction(k, 6) for k in data.draw(st.lists(st.integers(0, 5), max_size=5))]
    true = sum(truth(formula, d) for formula in formulas)
    for least, most in itertools.product(range(7), (None, *range(6))):
        so_many = least <= true and (most is None or true <= most)
        assert truth(m.count(formulas, least, most), d) == so_many


def test_criteria_sum_over_possible_states() -> None:
    """A counterexample for every number of states may have 193,600 states, of which a few are possible."""
    d = JointDistribution.from_counts({(i, i * i % 97, i % 7, i % 3): 1 + i for i in range(60)})
    gini = Model(d, possible=True).gini()
    assert len(list(walk(gini.node))) < 60 * 60
    assert value(gini, d) == criteria.gini().value(d, d.features)


@pytest.mark.parametrize("rows", [1, 24])
def test_a_counterexample_with_impossible_states_is_one_of_the_claim(rows: int) -> None:
    """Its certificate once summed over the possible states, and so it stated another claim."""
    said = claim(lambda m: m.gini() + m.auc("X1") >= "9/8", name="said")
    found = said.check(JointDistribution.from_counts({(i, i * i % 97, i % 2): 1 for i in range(1, rows + 2)}))
    assert isinstance(found, Refuted)
    assert verify_certificate(found.certificate, said)


@given(SMALL, st.integers(0, 3))
@settings(max_examples=20)
def test_policies(d: JointDistribution, k: int) -> None:
    m = Model(d)
    assert value(m.policy(k), d) == best_questions(d, budget=k).risk
    for i in d.features:
        asked = value(m.sum(m.policy(k, x) for x in m.states([i])), d)
        assert asked >= value(m.policy(k + 1), d)
        assert k or asked == value(m.risk([i]), d)
    if d.features and (k < 2 or k >= len(d.features)):
        assert value(Model(EverySize(len(d.features))).policy(k), d) == value(m.policy(k), d)


def test_policies_for_every_size() -> None:
    """Risks determine the policies of one question and of all questions, and no others."""
    assert isinstance(prove(claim(lambda m, i: m.policy(1) <= m.risk({i})), features=3), Proved)
    for k, known, message in ((2, None, "k must be 0, 1 or at least 3 .* not 2"), (1, {"X1": 0}, "asks about states")):
        with pytest.raises(NotLinearError, match=message):
            Model(EverySize(3)).policy(k, known)


def laws_of(d: JointDistribution, known: set[str], target: str) -> list[dict[Hashable, Fraction]]:
    """Return P(s, target = t) for each possible joint state s of some variables, summed cell by cell."""
    laws: dict[tuple[Hashable, ...], dict[Hashable, Fraction]] = {}
    for labels, p in d.to_pmf().items():
        cell = dict(zip((*d.features, d.target), labels, strict=True))
        law = laws.setdefault(tuple(cell[name] for name in sorted(known)), {})
        if p:
            law[cell[target]] = law.get(cell[target], Fraction(0)) + p
    return [law for law in laws.values() if law]


@given(SMALL, st.data())
def test_features_as_targets_and_as_functions(d: JointDistribution, data: st.DataObject) -> None:
    """Against the definitions, cell by cell. The class may be among the variables, also as the target."""
    target = data.draw(st.sampled_from([*d.features, d.target]))
    others = d.features if target == d.target else (*d.features, d.target)
    known = set(data.draw(st.permutations(others))[:2])
    laws = laws_of(d, known, target)
    risk = 1 - sum((max(law.values()) for law in laws), Fraction(0))
    purity = sum((p * p / sum(law.values()) for law in laws for p in law.values()), Fraction(0))
    for m in (Model(d), Model(d, possible=True)):
        assert value(m.risk(known, target=target), d) == risk
        assert value(m.gini(known, target=target), d) == 1 - purity
        assert truth(m.function(target, of=known), d) is (risk == 0)
        rest = set(d.features) - {target}
        assert value(m.risk(target=target), d) == value(m.risk(rest, target=target), d)
    if d.features:  # for every number of states, a function is one by its entropy
        m = Model(EverySize(len(d.features)))
        names = dict(zip((*d.features, d.target), (*m.order, m.target), strict=True))
        assert truth(m.function(names[target], of={names[name] for name in known}), d) is (risk == 0)


@given(SMALL, st.data())
def test_risks_of_changed_distributions(d: JointDistribution, data: st.DataObject) -> None:
    """The changed distribution is written down cell by cell, and then has the risk."""
    target = data.draw(st.sampled_from([*d.features, d.target]))
    others = d.features if target == d.target else (*d.features, d.target)
    known, m = set(data.draw(st.permutations(others))[:2]), Model(d)
    states = [*(d.classes if target == d.target else d.states[target])]
    k, laws = len(states), laws_of(d, known, target)

    def risk_of(changed: list[dict[Hashable, Fraction]]) -> Fraction:
        return 1 - sum((max(law.values()) for law in changed), Fraction(0))

    eta = Fraction(data.draw(st.integers(0, 4 * (k - 1))), 4 * k)
    noisy = [
        {y: sum(p * (1 - eta if y == z else eta / (k - 1)) for z, p in law.items()) for y in states}
        if k > 1
        else dict(law)
        for law in laws
    ]
    assert value(m.risk(known, target=target, noise=eta), d) == risk_of(noisy)  # type: ignore[arg-type]
    group = data.draw(st.sets(st.sampled_from(states)))
    merged = [
        {
            0: sum((p for y, p in law.items() if y in group), Fraction(0)),
            **{(y,): p for y, p in law.items() if y not in group},
        }
        for law in laws
    ]
    assert value(m.risk(known, target=target, merged=group), d) == risk_of(merged)
    parts = data.draw(st.lists(st.integers(0, 3), min_size=k, max_size=k).filter(any))
    prior = {y: Fraction(part, sum(parts)) for y, part in zip(states, parts, strict=True)}
    (whole,) = laws_of(d, set(), target)
    weighted = [{y: p * prior[y] / whole[y] for y, p in law.items()} for law in laws]
    assert value(m.risk(known, target=target, prior=prior), d) == risk_of(weighted)


def test_changes_of_the_distribution_are_proved_and_refuted() -> None:
    noisy = claim(lambda m, S: m.risk(S) <= m.risk(S, noise="1/10"), name="noisy")
    even = claim(
        lambda m, S, T: m.risk(S | T, prior={0: "1/2", 1: "1/2"}) <= m.risk(S, prior={0: "1/2", 1: "1/2"}), name="even"
    )
    coarse = claim(lambda m, S: m.risk(S, merged=[1, 2]) <= m.risk(S), name="coarse")
    sizes: list[tuple[Claim, dict[str, Any]]] = [
        (noisy, {"features": 2, "classes": 3}),
        (noisy, {"cardinalities": (2, 2)}),
    ]
    for said, size in [*sizes, (even, {"features": 2, "classes": 2}), (coarse, {"cardinalities": (2,), "classes": 3})]:
        found = prove(said, **size)
        assert isinstance(found, Proved)
        assert verify_certificate(found.certificate, said)
    for change in ({"prior": {0: "1/4", 1: "3/4"}}, {"noise": "1/4"}):
        same = claim(lambda m, *, change=change: m.risk("X1", **change) == m.risk("X1"), name="same")
        refuted = refute(same, cardinalities=(2,))
        assert isinstance(refuted, Refuted)
        assert verify_certificate(refuted.certificate, same)


@given(st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=8, max_size=8).filter(any), st.data())
def test_exclusive_or(weights: list[int], data: st.DataObject) -> None:
    """The first state of a variable is 0 and the second one is 1, whatever their labels."""
    table = [[weights[:2], weights[2:4]], [weights[4:6], weights[6:]]]
    d = JointDistribution(table, features=["a", "b"], states={"a": ["yes", "no"]})
    names = data.draw(st.permutations(["a", "b", d.target]))[: data.draw(st.integers(1, 3))]
    bits: dict[str, dict[Hashable, int]] = {"a": {"yes": 0, "no": 1}, "b": {0: 0, 1: 1}, d.target: {0: 0, 1: 1}}
    ones = [
        sum(bits[name][label] for name, label in zip(("a", "b", d.target), cell, strict=True) if name in names)
        for cell, p in d.to_pmf().items()
        if p
    ]
    assert truth(Model(d).xor(*names), d) is all(one % 2 == 0 for one in ones)


@claim
def target_is_monotone(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    return m.risk(S, target=i) <= m.risk((), target=i)


@claim
def risks_chain(m: Model, i: str, j: str) -> Formula | bool:
    """A prediction of the class by way of X_j errs at most where one of its two steps errs."""
    return m.risk(i) <= m.risk(j) + m.risk(i, target=j)


@claim
def risks_of_targets_agree(m: Model, i: str, j: str) -> Formula | bool:
    """False: the constant feature is predicted by the other one, and not the other way round."""
    return m.risk(i, target=j) == m.risk(j, target=i)


@claim
def function_adds_nothing(m: Model, i: str, j: str) -> Formula | bool:
    return m.implies(m.function(j, of=i), m.risk({i, j}) == m.risk(i))


@claim
def copies_of_both(m: Model, i: str, j: str) -> Formula | bool:
    """Of three with an exclusive or, each two tell the same."""
    others = m.features - {i}, m.features - {j}
    return m.implies(m.xor("X3", "X1", "X2"), m.equal(m.risk(), *map(m.risk, others)))


@claim
def one_of_two_tells_nothing(m: Model, i: str) -> Formula | bool:
    """False without independent features."""
    return m.implies(m.xor(m.target, "X1", "X2"), m.risk(i) == m.risk(()))


def test_targets_and_functions_are_proved_and_refuted() -> None:
    square = {"cardinalities": (2, 2)}
    true: list[tuple[Claim, dict[str, Any]]] = [
        (said, square) for said in (target_is_monotone, risks_chain, function_adds_nothing)
    ]
    true += [(function_adds_nothing, {"features": 2}), (copies_of_both, {"cardinalities": (2, 2, 2)})]
    for said, size in true:
        found = prove(said, **size)
        assert isinstance(found, Proved)
        assert verify_certificate(found.certificate, said)
    for said in (risks_of_targets_agree, one_of_two_tells_nothing):
        refuted = refute(said, cardinalities=(2, 2))
        assert isinstance(refuted, Refuted)
        assert verify_certificate(refuted.certificate, said)
    assert isinstance(refute(claim(lambda m: m.function("X2", of="X1"), name="f"), features=2), Refuted)


@pytest.mark.thorough
def test_a_policy_is_as_good_as_a_pair_and_may_be_better() -> None:
    better = claim(lambda m, i, j: m.policy(2) < m.risk({i, j}))
    found = prove(claim(lambda m, i, j: m.policy(2) <= m.risk({i, j})), cardinalities=(2, 2, 2))
    assert isinstance(found, Proved)
    assert check_certificate(found.certificate)
    assert isinstance(refute(better, cardinalities=(2, 2, 2)), Refuted)


def test_counts_are_linear() -> None:
    def two_halves(m: Model) -> Formula:
        return m.count([m.probability(x) > "1/2" for x in m.states()], at_most=1)

    assert isinstance(prove(Claim("two halves", two_halves, (), ()), cardinalities=(4,)), Proved)


def test_sums_are_written_with_informations_and_differences() -> None:
    def stated(m: Model) -> Formula:
        told = m.mutual_information("X1", given="X2") - m.entropy("X1")
        return m.independent("X1", "X2", given=["Y"]) & (2 * (m.risk(()) - m.risk()) <= told + "1/2")

    text = "I(X1; X2 | Y) = 0 and 2 R({}) - 2 R({X1, X2}) <= I(Y; X1 | X2) + 1/2 - H(X1)"
    d = JointDistribution([[[2, 1], [0, 3]], [[1, 1], [4, 0]]])
    verdict = claim(stated, name="both").check(d)
    assert isinstance(verdict, Refuted)
    assert verdict.certificate.statement["show"] == (text,)
    assert {"I(X1; X2 | Y)", "2 R({}) - 2 R({X1, X2})"} < verdict.values.keys()
    named = JointDistribution(d.weights, features=["sex", "age"], target="out")
    own = claim(lambda m: m.independent("sex", "out") & (m.sqrt(m.risk()) + 1 <= 0), name="own").check(named)
    assert isinstance(own, Refuted)
    assert [*own.values] == ["I(out; sex)", "sqrt(R({sex, age})) + 1"]


def test_named_terms() -> None:
    def stated(m: Model, S: frozenset[str], *, named: bool) -> Formula:
        call = m.let if named else lambda _, term: term
        gain = call("gain", m.risk(()) - m.risk(S) + 1)
        cost = call("cost", m.sum(m.probability(x) * m.probability(x) for x in m.states(S)))
        return m.risk() + gain * 2 + cost <= gain + "5/3"

    plain, short = (claim(functools.partial(stated, named=named), name="worth") for named in (False, True))
    d = JointDistribution([[[2, 1], [0, 3]], [[1, 1], [4, 0]]])
    page, line = plain.check(d), short.check(d)
    assert isinstance(page, Refuted)
    assert isinstance(line, Refuted)
    assert page == line
    assert page.certificate == line.certificate
    assert line.values == {"R({X1, X2}) + 2 gain + cost": "19/6", "gain + 5/3": "8/3"}
    assert not any("gain" in text for text in page.values)
    assert "terms" not in line.to_dict()


def test_the_entropy_with_the_class_is_not_taken_for_that_of_the_class() -> None:
    d = JointDistribution([[1, 1], [1, 1]])
    m = Model(d)
    with pytest.warns(
        UserWarning, match=r"entropy of all features and the class; write m.entropy\(m.target\) for H\(Y"
    ):
        joint = m.entropy(target=True)
    assert value(joint, d) == value(m.entropy(m.features, target=True), d) == 2 * value(m.entropy(m.target), d)
