"""Proofs by cases: linear forms, multipliers, trees, and random statements, against the definitions."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from fstheory._support.progress import Clock
from fstheory.checker.cases import by_class
from fstheory.checker.certificates import check_certificate
from fstheory.checker.forms import Forms, combined
from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import ONE, Form
from fstheory.errors import NotLinearError
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs import solvers
from fstheory.proofs.linear import Constraint, Relation, Unknowns, is_along_inclusion, value_at
from fstheory.proofs.prover import Prover
from tests import literal
from tests.proofs.statements import CONDITIONAL, LINEAR, evaluation, formula, shape, statement, term, violated

HALF: Node = ("q", Fraction(1, 2))
A: Node = ("P", (0,), 1)
R: Node = ("R", (0,))
randoms = st.integers(0, 10**9).map(Random)


@given(randoms, st.booleans())
def test_linear_forms_say_what_terms_and_formulas_say(rng: Random, positive: bool) -> None:
    where = shape(rng)
    unknowns, node, compared = Unknowns(where), term(rng, where, LINEAR, 3), formula(rng, where, LINEAR, 3)
    written = {"cardinalities": where.cardinalities, "classes": where.classes}
    assert unknowns.terms.form(node) == Forms(SampleSpace(written)).form(node)  # those that the checker verifies
    form, case = unknowns.terms.form(node), unknowns.case([compared if positive else ("not", compared)])
    assert unknowns.maxima_in(case.forms()) == tuple(sorted(unknowns.maxima_in(case.forms())))  # spells disjuncts out
    for kept in literal.subsets(range(len(where.cardinalities))):  # type: ignore[arg-type]
        unknowns.terms.form(("R", tuple(sorted(kept))))
    weights = [rng.choice((0, 0, 1, 1, 2, 3, 7)) for _ in range(where.cells)]
    weights[rng.randrange(where.cells)] += 1
    at, maxima = evaluation(where, weights), range(len(unknowns.terms.maxima_met))
    point = unknowns.complete(dict(enumerate(weights)) | {ONE: sum(weights)}, maxima)
    assert Fraction(value_at(form, point)) / sum(weights) == at.value(node)
    assert case.holds(point) == (at.truth(compared) == positive)
    for premise in (*solvers.always(unknowns, maxima), *solvers.cuts(unknowns, maxima)):
        value = value_at(premise.linear, point)
        assert value == 0 if premise.relation == "=" else value >= 0
    for k in maxima:
        assert any(case.holds(point) for case in unknowns.attained(k).cases)


def along_inclusion(rng: Random, features: int, depth: int) -> Node:
    if depth == 0 or rng.random() < 0.3:
        large = [i for i in range(features) if rng.random() < 0.7]
        pair = [("R", tuple(large)), ("R", tuple(i for i in large if rng.random() < 0.6))]
        return (rng.choice(("<", "<=", "=")), *rng.sample(pair, 2))
    kind = rng.choice(("and", "or", "not", "implies", "iff"))
    return (kind, *(along_inclusion(rng, features, depth - 1) for _ in range(1 if kind == "not" else 2)))


@given(randoms)
def test_formulas_along_inclusion_can_be_read_by_class(rng: Random) -> None:
    where = Shape(tuple(rng.choice((1, 2, 3)) for _ in range(rng.randint(0, 3))), rng.randint(1, 3))
    node, cells = along_inclusion(rng, len(where.cardinalities), 2), range(where.cells)
    assert is_along_inclusion(node)
    read = by_class(node, SampleSpace({"cardinalities": where.cardinalities, "classes": where.classes}))
    for _ in range(5):
        at = evaluation(where, [1 if i == 0 else rng.choice((0, 0, 1, 1, 2)) for i in rng.sample(cells, len(cells))])
        assert at.truth(read) == at.truth(node)


def test_only_risks_along_inclusion_are_read_by_class() -> None:
    fair = ("=", ("R", (0, 1)), ("R", (0,)))
    assert is_along_inclusion(("not", ("or", fair, ("<", ("R", ()), ("R", (0, 1))))))
    space = SampleSpace({"cardinalities": (2, 2), "classes": 2})
    for other in (("<", R, ("R", (1,))), ("<=", R, A), ("=", ("*", HALF, R), ("*", HALF, ("R", ()))), ("<", HALF, A)):
        assert not is_along_inclusion(("implies", fair, other))
        assert by_class(other, space) == other


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (("*", R, A), "R({X1}) * P(X1=0, Y=1) is a product of two numbers that are no constants"),
        (("*", R, ("t", "tau")), "R({X1}) * tau is a product of two numbers that are no constants"),
        (("/", A, R), "P(X1=0, Y=1) / R({X1}) divides by a number that is no constant"),
        (("/", R, A), "R({X1}) / P(X1=0, Y=1) divides"),
        (("/", ("P", (None,), 1), A), "P(Y=1) / P(X1=0, Y=1) divides"),
        (("+", R, ("/", A, A)), "P(X1=0, Y=1) / P(X1=0, Y=1) divides"),
        (("+", ("/", A, A), ("/", A, ("P", (0,), None))), "P(X1=0, Y=1) / P(X1=0, Y=1) divides"),
        (("*", ("/", A, A), ("/", A, A)), "P(X1=0, Y=1) / P(X1=0, Y=1) divides"),
        (("/", A, ("+", HALF, ("q", Fraction(-1, 2)))), "P(X1=0, Y=1) / (1/2 + -1/2) divides by 0"),
        (("+", HALF, ("log", A)), "log(P(X1=0, Y=1)) is a logarithm"),
        (("max", HALF, ("sqrt", A)), "sqrt(P(X1=0, Y=1)) is a square root"),
        (("H", (0,), True), "H(X1, Y) is an entropy, which is a sum of logarithms"),
    ],
)
def test_what_is_not_linear_is_refused_with_the_claim_the_instance_and_the_term(node: Node, words: str) -> None:
    hidden = ("or", ("<", A, HALF), ("not", ("iff", ("<=", A, R), ("=", HALF, node))))
    named = Instance("bound", (("i", "X1"),), hidden)
    with pytest.raises(NotLinearError) as caught:
        Unknowns(Shape((2,), 2)).require_linear(named, "bound")
    assert str(caught.value).startswith(f"bound at i = X1 is beyond linear arithmetic: {words}")
    with pytest.raises(NotLinearError, match=r"^A-1, by bound at i = X1, is beyond"):
        Unknowns(Shape((2,), 2)).require_linear(named, "A-1")


RELATIONS: list[Relation] = [">", ">=", "="]
numbers = st.fractions(-3, 3, max_denominator=4)


def premise(relation: Relation, constant: Fraction | int, **coefficients: Fraction | int) -> Constraint:
    form = {ONE: constant, **{"xyz".index(name): c for name, c in coefficients.items()}}
    return Constraint(combined([(1, form)]), relation, ("p", 0))


@given(st.data())
def test_premises_that_contradict_each_other_have_coprime_multipliers(data: st.DataObject) -> None:
    """Random premises, and one more that makes some sum of them impossible; also needless ones."""
    rows = st.lists(st.tuples(st.sampled_from(RELATIONS), numbers, numbers, numbers), max_size=4)
    core = [premise(relation, constant, x=x, y=y) for relation, constant, x, y in data.draw(rows)]
    known: Form = {ONE: -1 if (relation := data.draw(st.sampled_from(RELATIONS[:2]))) == ">=" else 0}
    total = combined([(1, known), *((-data.draw(st.integers(0, 3)), part.linear) for part in core)])
    found = solvers.multipliers([*core, Constraint(total, relation, ("p", 1))], NO_LIMIT)
    assert solvers.contradicts(found)
    assert math.gcd(*(factor for _, factor in found)) == 1


@given(st.lists(st.tuples(st.sampled_from(RELATIONS), numbers, numbers, st.integers(-2, 2)), max_size=5), numbers)
def test_premises_that_are_true_somewhere_do_not_contradict_each_other(
    rows: list[tuple[Relation, Fraction, Fraction, int]], x: Fraction
) -> None:
    slack: dict[Relation, Callable[[Fraction], Fraction]] = {">": lambda b: abs(b) + 1, ">=": abs, "=": lambda b: 0 * b}
    core = [premise(relation, slack[relation](b) - a * x, x=a) for relation, a, b, _ in rows]
    assert not solvers.contradicts([(part, factor) for part, (*_, factor) in zip(core, rows, strict=True)])
    with pytest.raises(ArithmeticError, match=f"{len(core)} premises do not contradict"):
        solvers.multipliers(core, NO_LIMIT)


NO_LIMIT = Clock(None, None)


def small_distributions(where: Shape, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all distributions by increasing total, until there are too many."""
    for total in range(1, 7):
        most -= math.comb(total + where.cells - 1, total)
        if most >= 0:
            yield from literal.compositions(total, where.cells)


@given(randoms)
def test_verdicts_on_random_statements(rng: Random) -> None:
    what = statement(rng, shape(rng), CONDITIONAL)
    verdict = Prover(what, NO_LIMIT).verdict(second_opinion=rng.random() < 0.3)
    assert isinstance(verdict, Proved | Refuted)
    accepted = bool(check_certificate(verdict.certificate))
    if isinstance(verdict, Proved):
        assert accepted == verdict.evidence.startswith("case split")
        assert accepted or what.shape.cells > 12  # each maximum may double the cases
        assert not any(violated(what, weights) for weights in small_distributions(what.shape, 1000))
    else:
        assert accepted
        assert violated(what, [int(weight) for weight in verdict.distribution.weights.ravel()])
