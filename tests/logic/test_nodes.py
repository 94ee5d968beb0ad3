"""What claims are written with: what the operators simplify keeps its meaning, JSON keeps it too; sets of features."""

import copy
import itertools
import json
import operator
import pickle
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution, claim
from fstheory.checker.reading import plain, read_node
from fstheory.checker.statement import compared, walk
from fstheory.errors import InvalidValueError
from fstheory.logic import expressions
from fstheory.logic.evaluate import truth, value
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import FALSE, TRUE, ZERO, FeatureSet, Node, comparison, constant, product, to_json
from fstheory.logic.language import Model, spelled_out
from tests import literal
from tests.logic import definition
from tests.proofs import statements
from tests.proofs.every_size import checked

R0, R1 = ("R", (0,)), ("R", (1,))
HALF, LESS, MORE = constant(Fraction(1, 2)), ("<", R0, R1), ("<", R1, R0)


@given(st.integers(0, 10**9).map(Random))
def test_terms_and_formulas_mean_what_they_say(rng: Random) -> None:
    """Random ones against the definitions; and each operator on them, with numbers, True and False among the rest.

    The checker reads the same nodes, and gives them the same values by code of its own.
    """
    shape, kinds = statements.shape(rng), (*statements.LINEAR, "*")
    weights = [1, *rng.choices((0, 0, 1, 2, 3, 3**60), k=shape.cells - 1)]
    cells = itertools.product(*map(range, (*shape.cardinalities, shape.classes)))
    pmf: literal.Pmf = {cell: Fraction(w, sum(weights)) for cell, w in zip(cells, weights, strict=True)}
    d, m = shape.distribution(weights), Model(shape)
    at = checked(d)
    a, b = (expressions.Term(statements.term(rng, shape, kinds, 2)) for _ in range(2))
    f, g = (expressions.Formula(statements.formula(rng, shape, kinds, 2)) for _ in range(2))
    x, y = (definition.value(to_json(term.node), pmf) for term in (a, b))
    p, q = (definition.truth(to_json(formula.node), pmf) for formula in (f, g))
    n, half = rng.randint(0, 3), Fraction(1, 2)
    terms = [(a, x), (a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x), (abs(a), abs(x)), (a**n, x**n)]
    terms += [(m.maximum([a, b, half]), max(x, y, half)), (m.minimum([a, b]), min(x, y)), (m.sum([a, b, 1]), x + y + 1)]
    terms += [(1 + a, 1 + x), (a - 1, x - 1), ("1/2" - a, half - x), (2 * a, 2 * x), (a / 2, x / 2)]
    terms += [(2 / (a * a + 1), 2 / (x * x + 1)), (a / (b * b + 1), x / (y * y + 1))]
    for made, meant in terms:
        assert value(made.node, d) == at.value(made.node) == meant
    formulas = [(f, p), (~f, not p), (f & g, p and q), (f | g, p or q), (m.iff(f, g), p == q)]
    formulas += [
        (m.implies(f, g), q or not p),
        (f == g, p == q),
        (f != g, p != q),
        (m.all([f, g]), p and q),
        (m.any([f, g]), p or q),
    ]
    formulas += [(f & True, p), (f | False, p), (m.implies(f, False), not p), (m.iff(True, f), p)]
    formulas += [(a < b, x < y), (a <= b, x <= y), (a == b, x == y), (a != b, x != y), (a > b, x > y), (a >= b, x >= y)]
    formulas += [(a < half, x < half), (half <= a, half <= x), (a == half, x == half), (a != 0, x != 0)]
    for said, true in formulas:
        assert truth(said.node, d) is at.truth(said.node) is true
        written = json.loads(json.dumps(to_json(said.node)))
        assert said.node == expressions.from_json(written) == read_node(plain(written), "formula", at.shape, "it")


@pytest.mark.parametrize(
    ("made", "node"),
    [
        (expressions.total(R0), R0),
        (expressions.total(constant(1), R0, constant(-1)), R0),
        (expressions.total(("+", R0, R1), constant(2)), ("+", R0, R1, constant(2))),
        (expressions.difference(R0, HALF), ("+", R0, constant(Fraction(-1, 2)))),
        (expressions.difference(R0, R1), ("+", R0, ("*", constant(-1), R1))),
        (product(R0, HALF), ("*", HALF, R0)),
        (product(constant(2), ("*", HALF, R0)), R0),
        (product(constant(0), R0), ZERO),
        (product(constant(3), HALF), constant(Fraction(3, 2))),
        (product(R0, R1), ("*", R0, R1)),
        (expressions.quotient(R0, constant(2)), ("*", HALF, R0)),
        (expressions.quotient(R0, R1), ("/", R0, R1)),
        (expressions.quotient(R0, ZERO), ("/", R0, ZERO)),
        *((comparison(kind, R0, R0), same) for kind, same in (("<", FALSE), ("<=", TRUE), ("=", TRUE))),
        (comparison("=", constant(1), constant(2)), FALSE),
        (comparison("<=", constant(1), constant(2)), TRUE),
        (comparison("<=", constant(2), constant(1)), FALSE),
        (comparison("<", constant(2), constant(1)), FALSE),
        (expressions.conjunction(TRUE, FALSE), FALSE),
        (expressions.conjunction(LESS, TRUE), LESS),
        (expressions.disjunction(LESS, LESS), LESS),
        (expressions.disjunction(("or", LESS, MORE), FALSE), ("or", LESS, MORE)),
        (expressions.disjunction(LESS, TRUE), TRUE),
        *zip((expressions.negation(TRUE), expressions.negation(FALSE)), (FALSE, TRUE), strict=True),
        (expressions.negation(("not", LESS)), LESS),
    ],
)
def test_simplification(made: Node, node: Node) -> None:
    assert made == node


def test_looking_inside() -> None:
    formula: Node = ("and", LESS, ("not", ("=", ("max", R0, HALF), R0)), ("<=", R1, R0))
    assert compared(formula) == (R0, R1, ("max", R0, HALF))
    assert " ".join(node[0] for node in walk(formula)) == "and < R R not = max R q R <= R R"


@pytest.mark.parametrize(
    "node", [("q", Fraction(10**5000, 3)), ("H", (0, 2), True), ("/", ("log", HALF), ("sqrt", HALF))]
)
def test_json_keeps_a_node(node: Node) -> None:
    """Of those that no random formula has."""
    assert expressions.from_json(json.loads(json.dumps(to_json(node)))) == node


def test_quotients() -> None:
    d = JointDistribution([[0, 0], [1, 2]])
    nothing, first = ("P", (0,), None), ("P", (1,), 0)
    assert value(("/", nothing, nothing), d) == 0
    assert value(("/", first, ("P", (1,), None)), d) == Fraction(1, 3)
    with pytest.raises(InvalidValueError, match=r"a divisor in a claim must be other than 0, not 0; multiply it out"):
        value(("/", first, nothing), d)
    assert truth(("or", ("<=", nothing, ZERO), ("<", ("/", R0, nothing), HALF)), d)  # guarded


# Sets of features

ORDER = ("X3", "X1", "X10", "X2")
SETS = st.frozensets(st.sampled_from(ORDER))


@given(SETS, SETS)
def test_a_set_is_a_frozenset_in_order(a: frozenset[str], b: frozenset[str]) -> None:
    kept = FeatureSet(a, ORDER)
    assert (kept, hash(kept), len(kept)) == (a, hash(a), len(a))
    made = [(apply(kept, b), apply(a, b)) for apply in (operator.or_, operator.and_, operator.sub, operator.xor)]
    made += [(apply(b, kept), apply(b, a)) for apply in (operator.or_, operator.and_, operator.sub, operator.xor)]
    for name in ("union", "intersection", "difference", "symmetric_difference"):
        made.append((getattr(kept, name)(b), getattr(a, name)(b)))
    made += [(twin, a) for twin in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept)), kept.copy())]
    for found, expected in made:
        assert isinstance(found, FeatureSet)
        assert found == expected
        assert list(found) == [name for name in ORDER if name in expected]
    assert (kept <= b, kept < b, kept.isdisjoint(b)) == (a <= b, a < b, a.isdisjoint(b))


def test_unknown_names_come_last_and_a_name_is_no_set() -> None:
    assert list(FeatureSet({"X2", "b", "a"}, ORDER)) == ["X2", "a", "b"]
    with pytest.raises(TypeError):
        FeatureSet(ORDER, ORDER) - "X1"


def test_two_symbols_are_equal_if_each_contains_the_other() -> None:
    same = claim(lambda m, S, T: S == T, name="same")
    m = Model(EverySize(2))
    assert same.reading is not None
    for first, second in itertools.product(m.subsets(), repeat=2):
        assert spelled_out(same.reading, m, first, second).node == (TRUE if first == second else FALSE)


@pytest.mark.parametrize("factor", [1, 3, -1])
def test_a_product_with_an_information_in_bits_is_compared_as_it_is(factor: int) -> None:
    """The comparison is multiplied by log(2), also where another term than a number stands beside the information."""
    d = JointDistribution([[[5, 1], [1, 2]], [[1, 3], [2, 1]]])
    m = Model(d)
    risk, bits = m.risk("X1"), m.mutual_information("X1", base=2)
    near = Fraction(float(value(risk, d)) * float(value(bits, d)))
    for term in (factor * risk * bits, bits * risk * factor, factor * bits * risk, risk * (factor * bits)):
        for bound, is_below in ((near * Fraction(99, 100), True), (near * Fraction(101, 100), False)):
            assert truth(bound * factor < term, d) is (is_below if factor > 0 else not is_below)
    whole = (bits <= 3 * risk).node[2]
    assert whole == ("*", constant(3), ("*", ("log", constant(2)), risk.node))  # constants come first
