from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.errors import NotLinearError
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape
from fstheory.proofs.cases import always, branching_maxima, cuts
from fstheory.proofs.linear import ONE, Linear, Unknowns
from tests.proofs.statements import LINEAR, formula, shape, term

HALF: Node = ("q", Fraction(1, 2))
A: Node = ("P", (0,), 1)
R: Node = ("R", (0,))
randoms = st.integers(0, 10**9).map(Random)


def subsets(n: int) -> list[tuple[int, ...]]:
    return [kept for size in range(n + 1) for kept in combinations(range(n), size)]


def point_of(weights: list[int], unknowns: Unknowns) -> dict[int, int | Fraction]:
    cells = dict(enumerate(weights)) | {ONE: sum(weights)}
    return dict(unknowns.complete(cells, range(len(unknowns.maxima))))


def weights_and_evaluation(rng: Random, where: Shape) -> tuple[list[int], Evaluation]:
    weights = [rng.choice((0, 0, 1, 1, 2, 3, 7)) for _ in range(where.cells)]
    weights[rng.randrange(where.cells)] += 1
    return weights, Evaluation(JointDistribution(np.array(weights).reshape(*where.cardinalities, where.classes)))


@given(randoms)
def test_a_term_has_the_value_of_its_linear_form(rng: Random) -> None:
    where = shape(rng)
    unknowns, node = Unknowns(where), term(rng, where, LINEAR, 3)
    form = unknowns.linear(node)
    weights, at = weights_and_evaluation(rng, where)
    assert Fraction(form.at(point_of(weights, unknowns)), sum(weights)) == at.value(node)


@given(randoms, st.booleans())
def test_what_a_formula_adds_is_true_exactly_where_the_formula_is(rng: Random, positive: bool) -> None:
    where = shape(rng)
    node = formula(rng, where, LINEAR, 3)
    unknowns = Unknowns(where)
    case = unknowns.case([node if positive else ("not", node)])
    forms = list(case.forms())  # spells all disjuncts out, so that all maxima are known
    assert unknowns.maxima_in(forms) == tuple(sorted(unknowns.maxima_in(forms)))
    weights, at = weights_and_evaluation(rng, where)
    assert case.holds(point_of(weights, unknowns)) == (at.truth(node) == positive)


@given(randoms)
def test_what_is_always_true_is(rng: Random) -> None:
    where = shape(rng)
    unknowns = Unknowns(where)
    for kept in subsets(len(where.cardinalities)):
        unknowns.linear(("R", kept))
    unknowns.linear(term(rng, where, LINEAR, 3))
    maxima = range(len(unknowns.maxima))
    sums = cuts(unknowns, maxima)
    weights, _ = weights_and_evaluation(rng, where)
    point = point_of(weights, unknowns)
    for premise in (*always(unknowns, maxima), *sums):
        value = premise.linear.at(point)
        assert value == 0 if premise.relation == "=" else value >= 0
    for k in maxima:
        assert any(case.holds(point) for case in unknowns.cases_of_maximum(k))


@given(randoms)
def test_some_maximum_is_to_blame_for_what_is_true_only_in_the_relaxation(rng: Random) -> None:
    where = shape(rng)
    unknowns = Unknowns(where)
    constraints = [unknowns.constraint((rng.choice(("<", "<=", "=")), *(term(rng, where, LINEAR, 4) for _ in "ab")))]
    weights, _ = weights_and_evaluation(rng, where)
    real = point_of(weights, unknowns)
    relaxed, split = dict(real), set()
    for k in range(len(unknowns.maxima)):  # ascending, so that the arguments have their values
        more = rng.choice((0, 0, 1, 5))
        relaxed[unknowns.cells + k] = max(argument.at(relaxed) for argument in unknowns.arguments(k)) + more
        if not more and rng.random() < 0.5:
            split.add(k)
    broken = [constraint for constraint in constraints if constraint.holds(relaxed) and not constraint.holds(real)]
    found = list(branching_maxima(unknowns, broken, relaxed, real, split))
    assert bool(found) == bool(broken)
    assert not split & set(found)
    assert len(set(found)) == len(found)
    for k in found:
        assert relaxed[unknowns.cells + k] > real[unknowns.cells + k]


@pytest.mark.parametrize("where", [Shape((2, 2), 2), Shape((2, 3), 2), Shape((2, 2, 2), 3)], ids=str)
def test_the_parts_of_a_sum_add_up_argument_by_argument(where: Shape) -> None:
    unknowns = Unknowns(where)
    n = len(where.cardinalities)
    for kept in subsets(n):
        unknowns.linear(("R", kept))
    references = [premise.reference for premise in cuts(unknowns, range(len(unknowns.maxima)))]
    assert [reference[1:] for reference in references if reference[0] == "whole"] == [  # type: ignore[index]
        (k,) for k in range(len(unknowns.maxima))
    ]
    found = [reference[1:] for reference in references if reference[0] == "sum"]  # type: ignore[index]
    for number, parts in found:
        for j, argument in enumerate(unknowns.arguments(number)):
            total = Linear(Fraction(0))
            for part in parts:
                total = total.plus(unknowns.arguments(part)[j])
            assert total == argument
    pairs = [(a, b) for a in subsets(n) for b in subsets(n) if set(a) < set(b)]
    assert len(found) == sum(int(np.prod([where.cardinalities[i] for i in a])) for a, _ in pairs)


def test_maxima_with_equal_arguments_are_one_and_constants_are_none() -> None:
    unknowns = Unknowns(Shape((2,), 2))
    same: Node = ("max", ("+", ("P", (0,), 0), ("P", (1,), 0)), ("P", (None,), 1))
    assert unknowns.linear(same) == unknowns.linear(("max", ("P", (None,), 0), ("P", (None,), 1)))
    assert len(unknowns.maxima) == 1
    assert unknowns.linear(("max", HALF, ("q", Fraction(1, 3)))) == Linear(Fraction(1, 2))
    assert unknowns.linear(("min", HALF, ("q", Fraction(1, 3)))) == Linear(Fraction(1, 3))
    assert len(unknowns.maxima) == 1


@pytest.mark.parametrize(
    ("node", "closed"),
    [
        (("*", ("+", HALF, ("q", Fraction(1))), A), Fraction(3, 2)),
        (("*", A, ("max", HALF, ("*", HALF, HALF))), Fraction(1, 2)),
        (("/", A, ("min", HALF, ("q", Fraction(2)))), Fraction(2)),
        (("*", ("/", ("q", Fraction(0)), ("q", Fraction(0))), A), Fraction(0)),
        (("*", ("/", HALF, ("q", Fraction(2))), A), Fraction(1, 4)),
        (("*", ("+", A, ("*", ("q", Fraction(-1)), A)), R), Fraction(0)),
    ],
)
def test_closed_factors_are_computed(node: Node, closed: Fraction) -> None:
    unknowns = Unknowns(Shape((2,), 2))
    assert unknowns.linear(node) == unknowns.linear(A).times(closed)


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (("*", R, A), "R({X1}) * P(X1=0, Y=1) is a product of two numbers that both depend on the distribution"),
        (("/", A, R), "P(X1=0, Y=1) / R({X1}) divides by a number that depends on the distribution"),
        (("/", A, ("+", HALF, ("q", Fraction(-1, 2)))), "P(X1=0, Y=1) / (1/2 + -1/2) divides by 0"),
        (("+", HALF, ("log", A)), "log(P(X1=0, Y=1)) is a logarithm"),
        (("max", HALF, ("sqrt", A)), "sqrt(P(X1=0, Y=1)) is a square root"),
        (("H", (0,), True), "H(X1, Y) is an entropy, which is a sum of logarithms"),
        (("*", ("log", ("q", Fraction(2))), A), "log(2) is a logarithm"),
        (("*", ("/", HALF, ("q", Fraction(0))), A), "1/2 / 0 divides by 0"),
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


def test_long_terms_are_cut_in_messages() -> None:
    where = Shape((2,) * 6, 2)
    many: Node = ("+", *(("P", (0,) * 6, 0) for _ in range(50)))
    with pytest.raises(NotLinearError) as caught:
        Unknowns(where).linear(("*", many, many))
    assert len(str(caught.value)) < 400
