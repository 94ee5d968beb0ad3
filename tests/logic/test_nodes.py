"""What claims are written with: what the operators simplify keeps its meaning, JSON keeps it too; sets of features."""

import copy
import json
import operator
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.logic.evaluate import truth, value
from fstheory.logic.expressions import (
    FALSE,
    TRUE,
    ZERO,
    FeatureSet,
    Formula,
    Node,
    Term,
    comparison,
    comparison_terms,
    conjunction,
    constant,
    difference,
    disjunction,
    from_json,
    negation,
    product,
    quotient,
    to_json,
    total,
    walk,
)  # fmt: skip
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from tests.logic import literal

R0, R1 = ("R", (0,)), ("R", (1,))
HALF, LESS, MORE = constant(Fraction(1, 2)), ("<", R0, R1), ("<", R1, R0)

LEAVES = literal.leaves(("X1", "X2"), (2, 3), 3)
WEIGHT = st.integers(0, 3) | st.integers(0, 9).map(lambda a: (a << 80) + 1)
DISTRIBUTIONS = st.lists(WEIGHT, min_size=18, max_size=18).filter(any).map(Shape((2, 3), 3).distribution)


@given(literal.terms(LEAVES) | literal.formulas(LEAVES), DISTRIBUTIONS)
def test_terms_and_formulas_mean_what_they_say(tree: Any, d: JointDistribution) -> None:
    try:
        expected = literal.read(tree, literal.definitions(literal.World(d)))
    except ZeroDivisionError:
        assume(False)
    made = literal.read(tree, literal.language(Model(d)))
    if isinstance(made, Formula | bool):
        node = made.node if isinstance(made, Formula) else TRUE if made else FALSE
        assert truth(node, d) is expected
        assert truth(("implies", node, ("not", node)), d) is (not expected)  # kinds that no formula need have
    else:
        node = made.node if isinstance(made, Term) else constant(made)
        assert value(node, d) == expected
    assert node == from_json(json.loads(json.dumps(to_json(node))))


@given(literal.formulas(LEAVES))
def test_what_is_simplified_stays_simplified(tree: Any) -> None:
    """No constant is left inside a junction, no junction in its like, no double negation, no part twice."""
    made = literal.read(tree, literal.language(Model(Shape((2, 3), 3))))
    assume(isinstance(made, Formula))
    for node in walk(made.node):
        kind, *parts = node
        if kind in {"and", "or"}:
            assert len(parts) != 1
            assert not {TRUE, FALSE} & set(parts)
            assert kind not in [part[0] for part in parts]
            assert len(set(parts)) == len(parts)
        assert kind != "not" or parts[0][0] != "not"
        assert kind not in {"<", "<=", "="} or (parts[0] != parts[1] and not parts[0][0] == parts[1][0] == "q")


@pytest.mark.parametrize(
    ("made", "node"),
    [
        (total(R0), R0),
        (total(constant(1), R0, constant(-1)), R0),
        (total(("+", R0, R1), constant(2)), ("+", R0, R1, constant(2))),
        (difference(R0, HALF), ("+", R0, constant(Fraction(-1, 2)))),
        (difference(R0, R1), ("+", R0, ("*", constant(-1), R1))),
        (product(R0, HALF), ("*", HALF, R0)),
        (product(constant(2), ("*", HALF, R0)), R0),
        (product(constant(0), R0), ZERO),
        (product(constant(3), HALF), constant(Fraction(3, 2))),
        (product(R0, R1), ("*", R0, R1)),
        (quotient(R0, constant(2)), ("*", HALF, R0)),
        (quotient(R0, R1), ("/", R0, R1)),
        (quotient(R0, ZERO), ("/", R0, ZERO)),
        *((comparison(kind, R0, R0), same) for kind, same in (("<", FALSE), ("<=", TRUE))),
        (comparison("=", constant(1), constant(2)), FALSE),
        (comparison("<=", constant(1), constant(2)), TRUE),
        (conjunction(LESS, TRUE), LESS),
        (disjunction(("or", LESS, MORE), FALSE), ("or", LESS, MORE)),
        (disjunction(LESS, TRUE), TRUE),
        *zip((negation(TRUE), negation(FALSE)), (FALSE, TRUE), strict=True),
    ],
)
def test_simplification(made: Node, node: Node) -> None:
    assert made == node


def test_looking_inside() -> None:
    formula: Node = ("and", LESS, ("not", ("=", ("max", R0, HALF), R0)), ("<=", R1, R0))
    assert comparison_terms(formula) == (R0, R1, ("max", R0, HALF))
    assert " ".join(node[0] for node in walk(formula)) == "and < R R not = max R q R <= R R"


@pytest.mark.parametrize(
    "node", [("q", Fraction(10**5000, 3)), ("H", (0, 2), True), ("/", ("log", HALF), ("sqrt", HALF))]
)
def test_json_keeps_a_node(node: Node) -> None:
    """Of those that no random formula has."""
    assert from_json(json.loads(json.dumps(to_json(node)))) == node


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
