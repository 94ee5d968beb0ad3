"""Nodes: what the operators simplify keeps its meaning, JSON keeps it too, and what is no node is refused."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.logic import expressions as nodes
from fstheory.logic.evaluate import truth, value
from fstheory.logic.expressions import (
    FALSE,
    TRUE,
    ZERO,
    Formula,
    Node,
    Term,
    comparison,
    constant,
    from_json,
    to_json,
    total,
)
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from tests.logic import expressions
from tests.logic.literal import World

R0: Node = ("R", (0,))
R1: Node = ("R", (1,))
HALF = constant(Fraction(1, 2))

LEAVES = expressions.leaves(("X1", "X2"), (2, 3), 3)
WEIGHT = st.integers(0, 3) | st.integers(0, 9).map(lambda a: (a << 80) + 1)
DISTRIBUTIONS = st.lists(WEIGHT, min_size=18, max_size=18).filter(any).map(lambda w: JointDistribution(nested(w)))


def nested(weights: list[int]) -> list[list[list[int]]]:
    """Arrange the weights of 2 x 3 states and 3 classes."""
    return [[weights[9 * i + 3 * j : 9 * i + 3 * j + 3] for j in range(3)] for i in range(2)]


@given(expressions.terms(LEAVES), DISTRIBUTIONS)
def test_terms_mean_what_they_say(tree: Any, d: JointDistribution) -> None:
    try:
        expected = expressions.read(tree, expressions.definitions(World(d)))
    except ZeroDivisionError:
        assume(False)
    made = expressions.read(tree, expressions.language(Model(d)))
    node = made.node if isinstance(made, Term) else constant(made)
    assert value(node, d) == expected
    assert node == from_json(json.loads(json.dumps(to_json(node))))


@given(expressions.formulas(LEAVES), DISTRIBUTIONS)
def test_formulas_mean_what_they_say(tree: Any, d: JointDistribution) -> None:
    try:
        expected = expressions.read(tree, expressions.definitions(World(d)))
    except ZeroDivisionError:
        assume(False)
    made = expressions.read(tree, expressions.language(Model(d)))
    node = made.node if isinstance(made, Formula) else TRUE if made else FALSE
    assert truth(node, d) is expected
    assert node == from_json(json.loads(json.dumps(to_json(node))))
    raw: Node = ("implies", node, ("not", node))  # kinds that a person's formula need not have
    assert truth(raw, d) is (not expected)


@given(expressions.formulas(LEAVES))
def test_what_is_simplified_stays_simplified(tree: Any) -> None:
    """No constant is left inside a junction, no junction in its like, no double negation, no part twice."""
    made = expressions.read(tree, expressions.language(Model(Shape((2, 3), 3))))
    assume(isinstance(made, Formula))
    for node in nodes.walk(made.node):
        kind, *parts = node
        if kind in {"and", "or"} and node is not made.node:
            assert len(parts) > 1 or node in (TRUE, FALSE)
        if kind in {"and", "or"}:
            assert kind not in [part[0] for part in parts]
            assert len(set(parts)) == len(parts)
        if kind == "not":
            assert parts[0][0] != "not"
        if kind in {"<", "<=", "="}:
            assert parts[0] != parts[1]
            assert not parts[0][0] == parts[1][0] == "q"


@pytest.mark.parametrize(
    ("made", "node"),
    [
        (total(), ZERO),
        (total(R0), R0),
        (total(constant(1), R0, constant(-1)), R0),
        (total(("+", R0, R1), constant(2)), ("+", R0, R1, constant(2))),
        (total(constant(1), constant(2)), constant(3)),
        (nodes.difference(R0, HALF), ("+", R0, constant(Fraction(-1, 2)))),
        (nodes.difference(R0, R1), ("+", R0, ("*", constant(-1), R1))),
        (nodes.product(R0, HALF), ("*", HALF, R0)),
        (nodes.product(constant(2), ("*", HALF, R0)), R0),
        (nodes.product(constant(0), R0), ZERO),
        (nodes.product(constant(3), HALF), constant(Fraction(3, 2))),
        (nodes.product(R0, R1), ("*", R0, R1)),
        (nodes.quotient(R0, constant(2)), ("*", HALF, R0)),
        (nodes.quotient(R0, R1), ("/", R0, R1)),
        (nodes.quotient(R0, ZERO), ("/", R0, ZERO)),
        (comparison("<", R0, R0), FALSE),
        (comparison("<=", R0, R0), TRUE),
        (comparison("=", constant(1), constant(1)), TRUE),
        (comparison("=", constant(1), constant(2)), FALSE),
        (comparison("<=", constant(1), constant(2)), TRUE),
        (comparison("<", constant(2), constant(1)), FALSE),
        (comparison("<=", constant(2), constant(1)), FALSE),
        (comparison("<", R0, R1), ("<", R0, R1)),
        (nodes.conjunction(), TRUE),
        (nodes.conjunction(TRUE, TRUE), TRUE),
        (nodes.conjunction(TRUE, FALSE), FALSE),
        (nodes.conjunction(("<", R0, R1), TRUE), ("<", R0, R1)),
        (nodes.disjunction(("<", R0, R1), ("<", R0, R1)), ("<", R0, R1)),
        (nodes.disjunction(), FALSE),
        (nodes.disjunction(("or", ("<", R0, R1), ("<", R1, R0)), FALSE), ("or", ("<", R0, R1), ("<", R1, R0))),
        (nodes.disjunction(("<", R0, R1), TRUE), TRUE),
        (nodes.negation(TRUE), FALSE),
        (nodes.negation(FALSE), TRUE),
        (nodes.negation(("not", ("<", R0, R1))), ("<", R0, R1)),
        (nodes.negation(("<", R0, R1)), ("not", ("<", R0, R1))),
    ],
)
def test_simplification(made: Node, node: Node) -> None:
    assert made == node


def test_looking_inside() -> None:
    formula: Node = ("and", ("<", R0, R1), ("not", ("=", ("max", R0, HALF), R0)), ("<=", R1, R0))
    assert nodes.comparison_terms(formula) == (R0, R1, ("max", R0, HALF))
    assert " ".join(node[0] for node in nodes.walk(formula)) == "and < R R not = max R q R <= R R"


@pytest.mark.parametrize(
    "node",
    [
        ("q", Fraction(-3, 8)), ("q", Fraction(10**5000, 3)), ("P", (0, None), None), ("P", (), 1), ("R", ()),
        ("H", (0, 2), True), ("/", ("log", HALF), ("sqrt", HALF)), ("min", R0), ("+",), TRUE, FALSE,
        ("implies", ("iff", TRUE, FALSE), ("<", R0, R1)),
    ],
)  # fmt: skip
def test_json_keeps_a_node(node: Node) -> None:
    text = json.dumps(to_json(node))
    assert from_json(json.loads(text)) == node


def test_quotients() -> None:
    d = JointDistribution([[0, 0], [1, 2]])
    nothing: Node = ("P", (0,), None)
    assert value(("/", nothing, nothing), d) == 0
    assert value(("/", ("P", (1,), 0), ("P", (1,), None)), d) == Fraction(1, 3)
    with pytest.raises(InvalidValueError, match=r"a divisor in a claim must be other than 0, not 0; multiply it out"):
        value(("/", ("P", (1,), 0), nothing), d)
    assert truth(("or", ("<=", nothing, ZERO), ("<", ("/", R0, nothing), HALF)), d)  # guarded


def test_one_cell_of_wide_weights() -> None:
    d = JointDistribution([[2**70, 1], [1, 1]])
    assert value(("P", (0,), 0), d) == Fraction(2**70, 2**70 + 3)
    assert value(("P", (None,), 1), d) == Fraction(2, 2**70 + 3)
