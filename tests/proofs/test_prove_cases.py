"""Proofs by cases: linear forms, multipliers, trees, and random statements, against the definitions."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import gcd
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fstheory._support.progress import Clock
from fstheory.errors import NotLinearError
from fstheory.logic.checker import check_certificate
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Proved, Refuted
from fstheory.papers.ledger import claims
from fstheory.proofs.cases import (
    CaseSplit,
    Counterexample,
    Leaf,
    Premise,
    ProofLimits,
    Split,
    always,
    branching_maxima,
    contradicts,
    cuts,
    multipliers,
)
from fstheory.proofs.linear import ONE, Case, Linear, Relation, Unknowns
from fstheory.proofs.prover import Prover, TreeWriter
from fstheory.proofs.solvers import Solver
from tests.literal import compositions
from tests.proofs.statements import LINEAR, formula, shape, statement, term, violated

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
    return weights, Evaluation(where.distribution(weights))


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


RELATIONS: list[Relation] = [">", ">=", "="]
numbers = st.fractions(-3, 3, max_denominator=4)


def premise(relation: Relation, constant: Fraction | int, **coefficients: Fraction | int) -> Premise:
    known = {"xyz".index(name): Fraction(c) for name, c in coefficients.items() if c}
    return Premise(("p", 0), Linear(Fraction(constant), known), relation)


@pytest.mark.parametrize(
    ("core", "factors"),
    [
        ([premise(">=", -1)], [1]),
        ([premise(">", 0)], [1]),
        ([premise("=", 2)], [-1]),
        ([premise(">=", 0, x=1), premise(">", 0, x=-3)], [3, 1]),
        ([premise("=", -1, x=1), premise(">=", Fraction(1, 2), x=-1)], [1, 1]),
        ([premise("=", -1, x=1), premise(">=", -2, x=1), premise(">=", 1, x=-1, y=1), premise(">=", -1, y=-2)], None),
    ],
)
def test_multipliers_of_contradictions(core: list[Premise], factors: list[int] | None) -> None:
    found = multipliers(core)
    assert contradicts(found)
    if factors is not None:
        assert [factor for _, factor in found] == factors


@given(st.data())
def test_premises_that_contradict_each_other_have_coprime_multipliers(data: st.DataObject) -> None:
    """Random premises, and one more that makes some sum of them impossible; also needless ones."""
    count = data.draw(st.integers(0, 4))
    core = [
        premise(data.draw(st.sampled_from(RELATIONS)), data.draw(numbers), x=data.draw(numbers), y=data.draw(numbers))
        for _ in range(count)
    ]
    total = Linear(Fraction(0))
    for part in core:
        total = total.plus(part.linear, Fraction(data.draw(st.integers(0, 3))))
    strict = data.draw(st.booleans())
    core.append(
        Premise(("p", 1), Linear(Fraction(0 if strict else -1)).plus(total, Fraction(-1)), ">" if strict else ">=")
    )
    found = multipliers(core)
    assert contradicts(found)
    assert gcd(*(factor for _, factor in found)) == 1


@given(st.lists(st.tuples(st.sampled_from(RELATIONS), numbers, numbers), max_size=5), numbers, numbers)
def test_premises_that_are_true_somewhere_have_none(
    rows: list[tuple[Relation, Fraction, Fraction]], x: Fraction, y: Fraction
) -> None:
    core = [premise(relation, -a * x - b * y + (1 if relation == ">" else 0), x=a, y=b) for relation, a, b in rows]
    with pytest.raises(ArithmeticError, match=f"{len(core)} premises do not contradict"):
        multipliers(core)


@pytest.mark.parametrize(
    "combination",
    [
        [],
        [(premise(">=", 1), 1)],
        [(premise(">=", 0), 1)],
        [(premise(">=", -1), -1)],
        [(premise(">", 0), 0)],
        [(premise(">=", -1, x=1), 1)],
        [(premise("=", 0), 1)],
        [(premise(">", 1), -1)],
        [(premise(">=", -1), 1), (premise(">", 5), 0)],
    ],
)
def test_what_is_no_contradiction(combination: list[tuple[Premise, int]]) -> None:
    assert not contradicts(combination)


@given(st.lists(st.tuples(st.sampled_from(RELATIONS), numbers, numbers, st.integers(-2, 2)), max_size=4), numbers)
def test_no_combination_of_what_is_true_somewhere_contradicts(
    rows: list[tuple[Relation, Fraction, Fraction, int]], x: Fraction
) -> None:
    true = [(premise(r, -a * x + (0 if r == "=" else abs(b)), x=a), factor) for r, a, b, factor in rows]
    assume(all(r != ">" or b for r, _, b, _ in rows))
    assert not contradicts(true)


NO_LIMIT = Clock(None, None)
SHAPES = [Shape((2, 2), 2), Shape((2, 2), 3), Shape((2, 3), 2)]


def theorem(name: str, where: Shape) -> Statement:
    return claims[name].stated().statement(where)


def leaves(tree: Any) -> list[Any]:
    """Return what the cases of a proof hold, as it was found or as it was written."""
    if isinstance(tree, Leaf) or "farkas" in getattr(tree, "keys", tuple)():
        return [tree]
    return [leaf for part in (tree.trees if isinstance(tree, Split) else tree["cases"]) for leaf in leaves(part)]


@pytest.mark.thorough
@pytest.mark.parametrize("where", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["PN-M", "PN-3", "PN-4", "PN-7"])
def test_what_is_written_contradicts_itself_and_has_the_size_that_was_said(name: str, where: Shape) -> None:
    statement = theorem(name, where)
    unknowns = Unknowns(where)
    for named in statement.show:
        split = CaseSplit(unknowns, statement.assumed, named.formula, NO_LIMIT)
        writer = TreeWriter(unknowns, NO_LIMIT)
        written = leaves(writer.write(split.root, split.tree()))  # requires that each contradicts itself
        assert len(written) == writer.cases
        assert sum(len(leaf["farkas"]) for leaf in written) == writer.references
        for leaf in written:
            references = [str(reference) for reference, _ in leaf["farkas"]]
            assert len(set(references)) == len(references)


def test_the_rule_for_sums_makes_monotonicity_one_step() -> None:
    where = Shape((2, 2, 2), 2)
    for named in theorem("PN-M", where).show:
        assert len(leaves(CaseSplit(Unknowns(where), [], named.formula, NO_LIMIT).tree())) == 1


def test_that_risks_are_not_negative_is_one_step() -> None:
    """Without upper bounds of maxima it would be as many cases as there are classifiers."""
    where = Shape((3,), 2)
    unknowns = Unknowns(where)
    split = CaseSplit(unknowns, [], ("<=", ("q", Fraction(0)), ("R", (0,))), NO_LIMIT)
    tree = split.tree()
    assert (len(leaves(tree)), len(leaves(TreeWriter(unknowns, NO_LIMIT).write(split.root, tree)))) == (1, 1)


def test_a_split_that_is_not_needed_leaves_no_trace() -> None:
    x, y = ("P", (0,), 0), ("P", (1,), 0)
    useless: Node = ("or", *(("=", x, ("q", Fraction(i, 7))) for i in (1, 2, 3)))
    largest: Node = ("max", x, y)
    attained: Node = ("or", ("=", largest, x), ("=", largest, y))
    first = ProofLimits(candidates=1)  # so that the first disjunction is split first
    split = CaseSplit(Unknowns(Shape((2,))), [useless], attained, NO_LIMIT, limits=first)
    assert split.root.disjunctions[0].options == useless[1:]
    waiting = [split.tree()]
    for tree in waiting:
        if isinstance(tree, Split):
            assert tree.of is not split.root.disjunctions[0]
            waiting.extend(tree.trees)
    assert split.leaves >= 2


def test_an_impossible_assumption_proves_everything() -> None:
    unknowns = Unknowns(Shape((2,)))
    split = CaseSplit(unknowns, [("or",)], ("<", ("R", ()), ("R", ())), NO_LIMIT)
    tree = split.tree()
    assert isinstance(tree, Split)
    assert TreeWriter(unknowns, NO_LIMIT).write(split.root, tree) == {"split": ["or", 0], "cases": []}


def test_a_counterexample_is_found_without_the_help_of_the_solver() -> None:
    unknowns = Unknowns(Shape((2,)))
    with pytest.raises(Counterexample) as caught:
        CaseSplit(unknowns, [], ("=", ("R", (0,)), ("R", ())), NO_LIMIT).tree()
    (a, b), (c, d) = caught.value.point[:2], caught.value.point[2:]
    assert a + b + c + d == 1
    assert max(a, b) + max(c, d) > max(a + c, b + d)


def test_a_wrong_leaf_is_not_written() -> None:
    unknowns = Unknowns(Shape((2,)))
    wrong = Leaf(((Premise(("p", 0), Linear(Fraction(0), {0: Fraction(1)}), ">="), 1),))
    with pytest.raises(ArithmeticError, match="does not contradict itself"):
        TreeWriter(unknowns, NO_LIMIT).write(Case(()), wrong)


def test_proofs_share_one_list_of_maxima() -> None:
    where = Shape((2, 2), 2)
    unknowns = Unknowns(where)
    writer = TreeWriter(unknowns, NO_LIMIT)
    for named in theorem("PN-M", where).show:
        split = CaseSplit(unknowns, [], named.formula, NO_LIMIT)
        writer.write(split.root, split.tree())
    assert len(writer.maxima) == len(set(writer.maxima)) == 9


MOST = 1000  # distributions looked at
fewer = settings(max_examples=max(1, (settings.default or settings()).max_examples // 3))


def small_distributions(where: Shape, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all distributions by increasing total, until there are too many."""
    for total in range(1, 7):
        most -= math.comb(total + where.cells - 1, total)
        if most < 0:
            return
        yield from compositions(total, where.cells)


def require_right(what: Statement, *, second_opinion: bool = False) -> Proved | Refuted:
    verdict = Prover(what, Clock(None, None)).verdict(second_opinion=second_opinion)
    assert isinstance(verdict, Proved | Refuted)
    accepted = bool(check_certificate(verdict.certificate))
    if isinstance(verdict, Proved):
        assert accepted == verdict.evidence.startswith("case split")
        assert accepted or what.shape.cells > 12  # each maximum may double the cases
        assert not any(violated(what, weights) for weights in small_distributions(what.shape, MOST))
    else:
        assert accepted
        assert violated(what, [int(weight) for weight in verdict.distribution.weights.ravel()])
    return verdict


@fewer
@given(randoms)
def test_verdicts_on_random_statements(rng: Random) -> None:
    require_right(statement(rng, shape(rng), LINEAR), second_opinion=rng.random() < 0.3)


def orderings(rng: Random, where: Shape) -> Node:
    """Return a comparison of risks, or two of them, as the theorems have them."""
    n = len(where.cardinalities)
    risks = [("R", tuple(i for i in range(n) if mask >> i & 1)) for mask in range(2**n)]
    parts = [(rng.choice(("<", "<=", "=")), *rng.sample(risks, 2)) for _ in range(rng.randint(1, 3))]
    signed = [("not", part) if rng.random() < 0.4 else part for part in parts]
    return (rng.choice(("and", "or")), *signed)


@fewer
@given(randoms)
def test_verdicts_on_what_some_orderings_of_risks_say_of_others(rng: Random) -> None:
    where = Shape(rng.choice(((2, 2), (2, 2), (2, 3), (3, 2))), rng.choice((2, 2, 3)))
    formula: Node = ("implies", orderings(rng, where), orderings(rng, where))
    require_right(Statement("random", where, (), (Instance("random", (), formula),)))


@given(randoms)
def test_the_solvers_agree(rng: Random) -> None:
    what = statement(rng, shape(rng), LINEAR)
    unknowns, clock = Unknowns(what.shape), Clock(None, None)
    solvers = [Solver(unknowns, library) for library in ("z3", "cvc5")]
    for named in what.show:
        points = [solver.counterexample(what.assumed, named.formula, clock) for solver in solvers]
        assert (points[0] is None) == (points[1] is None)
        for point in points:
            if point is not None:
                scale = math.lcm(*(p.denominator for p in point))
                one = Statement("one", what.shape, what.assume, (named,))
                assert violated(one, [int(p * scale) for p in point])
