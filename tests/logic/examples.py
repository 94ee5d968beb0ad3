"""Genuine certificates of every kind, small enough to be changed thousands of times."""

import functools
from collections.abc import Callable
from fractions import Fraction

from tests.logic import building
from tests.logic.building import Content, Json, Node, P, R, at_weights, instance, prove, q, signed, statement

EXCHANGED = {"image_of": 0, "features": [1, 0], "states": [[0, 1], [0, 1]], "classes": [0, 1]}
"""The renaming of two features of two states into each other."""

XOR = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]


def interval(low: int) -> list[str]:
    """Return the interval of width 10**-19 that begins at so many of them."""
    return [str(Fraction(end, 10**19)) for end in (low, low + 1)]


def refuted() -> Content:
    """The two best single features are not the best pair: xor and a hint."""
    formula = ["implies", ["<=", R(0), R(1)], ["<=", R(0), R(0, 1)]]
    values = [[R(0), "1/2"], [R(1), "1/2"], [R(0, 1), "0"]]
    return at_weights("refuted", XOR, instance("hint", formula, S=["X1"]), values, building.positive((2, 2)))


def realized() -> Content:
    formula = ["and", ["=", R(0), R(1)], ["<", R(0, 1), R(0)], ["iff", ["<", R(0), R()], ["<", q(0), P([0, None], 1)]]]
    values = [[R(0), "1/8"], [R(1), "1/8"], [R(0, 1), "0"], [R(), "3/8"], [q(0), "0"], [P([0, None], 1), "1/8"]]
    return at_weights("realized", [[[3, 0], [0, 1]], [[0, 1], [0, 3]]], instance("order", formula), values)


def irrational() -> Content:
    """H(Y) <= H(X) is false; log 2, a root, a product and a quotient take part."""
    entropy, log, root = ["H", [], True], ["log", q(2)], ["sqrt", ["/", P([0]), ["max", q("1/2"), P([1])]]]
    formula = [
        "or",
        ["<", entropy, ["H", [0], False]],
        ["<", ["+", log, log], entropy],
        ["<", ["*", root, root], root],
        ["<", ["/", q(0), P([1])], ["min", q(0), q(1)]],
    ]
    values = [
        [entropy, interval(6931471805599453094)],
        [["H", [0], False], "0"],
        [["+", log, log], interval(13862943611198906188)],
        [["*", root, root], "2"],
        [root, interval(14142135623730950488)],
        [["/", q(0), P([1])], "0"],
        [["min", q(0), q(1)], "0"],
    ]
    return at_weights("refuted", [[1, 1], [0, 0]], instance("entropies", formula), values)


def sparse_refuted() -> Content:
    """`refuted` as the cells above 0, where both assumptions hold and are named."""
    return building.sparse(signed(refuted(), assume=[]), "positive", "unique_maximum")


def sparse_irrational() -> Content:
    return building.sparse(irrational())


def _top(*states: int | None) -> Node:
    return ["max", P(states, 0), P(states, 1)]


def _farkas(facts: int, *maxima: tuple[int, int]) -> Json:
    """Return the first of some facts less the others, with maxima that are at least one of their arguments."""
    return {"farkas": [*([i, "-1" if i else "1"] for i in range(facts)), *([["M", k, y], "1"] for k, y in maxima)]}


MONOTONE: Json = {"split": ["max", 2], "cases": [_farkas(2, (0, y), (1, y)) for y in (0, 1)]}


def proved() -> Content:
    """Monotonicity for one feature, by its maxima."""
    content = statement("proved", (2,), 2, [], [instance("monotone", ["<=", R(0), R()], i="X1")])
    return signed(content, maxima=[_top(0), _top(1), _top(None)], proofs=[{"tree": MONOTONE}])


@functools.cache
def proved_with_images() -> Content:
    """Where no class is tied and all states are possible, a feature that changes no risk changes no classifier."""
    assume = building.positive((2,)) + building.unique_maximum((2,), 2)
    same, here, there = ["=", R(0), R()], [P([0], 0), P([0], 1)], [P([1], 0), P([1], 1)]
    formulas = [
        ["implies", same, ["iff", ["<", *here], ["<", *there]]],
        ["implies", same, ["iff", ["<", *there[::-1]], ["<", *here[::-1]]]],
        ["not", ["and", same, ["<", *here], ["<", *there[::-1]]]],
        ["not", ["and", same, ["<", *there], ["<", *here[::-1]]]],
    ]
    swap = {"features": [0], "states": [[1, 0]]}
    images = {1: {"image_of": 0, **swap, "classes": [1, 0]}, 3: {"image_of": 2, **swap, "classes": [0, 1]}}
    return prove((2,), 2, [instance("agree", formula) for formula in formulas], assume, images)


def proved_two_features() -> Content:
    """Monotonicity for two features of two states: by trees and renamed; and a part of a probability."""
    show = [
        instance("monotone", ["<=", R(0), R()], S=[], i="X1"),
        instance("monotone", ["<=", R(1), R()], S=[], i="X2"),
        instance("monotone", ["<=", R(0, 1), R(0)], S=["X1"], i="X2"),
        instance("part", ["<=", P([0, 1], 0), P([0, None])]),
        instance("part", ["<=", P([1, 1], 1), P([None, 1])]),
    ]
    all_of_it = {"image_of": 3, "features": [1, 0], "states": [[1, 0], [0, 1]], "classes": [1, 0]}
    maxima = [_top(0, None), _top(1, None), _top(None, None), *(_top(i, j) for i in (0, 1) for j in (0, 1))]
    leaves = [[_farkas(3, (3, a), (4, a), (5, b), (6, b)) for b in (0, 1)] for a in (0, 1)]
    second = {"split": ["max", 0], "cases": [{"split": ["max", 1], "cases": cases} for cases in leaves]}
    part = {"farkas": [[0, "1"], *([["p", cell], "1"] for cell in (0, 1, 3))]}
    proofs = [{"tree": MONOTONE}, EXCHANGED, {"tree": second}, {"tree": part}, all_of_it]
    return signed(statement("proved", (2, 2), 2, [], show), maxima=maxima, proofs=proofs)


@functools.cache
def proved_terms() -> Content:
    """Sums, products, quotients, min and max of probabilities, false and true, nested alternatives."""
    least, most = (["min", P([0]), P([1])], ["max", P([0]), P([1])])
    show = [
        instance("least", ["<=", ["*", q(2), least], q(1)]),
        instance("sum", ["=", ["+", least, most], ["/", q(3), ["+", q(1), q(2)]]]),
        instance("cases", ["or", ["iff", ["<", least, most], ["<", most, q("1/2")]], ["<=", q("1/2"), most], ["or"]]),
        instance("true", ["and"]),
        instance("not", ["not", ["and", ["<", P([0]), q("1/3")], ["not", ["<", q("2/3"), P([1])]]]]),
    ]
    return prove((2,), 1, show, [instance("no", ["not", ["or"]])])


@functools.cache
def proved_from_assumptions() -> Content:
    """Assumptions of every kind: P(X = 0) is below 1/8 or at least 1/2, and above 1/2 only if it is at least 3/4."""
    zero, one = P([0]), P([1])
    assume = [
        instance("gap", ["not", ["iff", ["<", zero, q("1/8")], ["<=", one, q("1/2")]]]),
        instance("jump", ["implies", ["<", q("1/2"), zero], ["<=", q("3/4"), zero]]),
        instance("same", ["iff", ["<", zero, q("1/4")], ["<", q("3/4"), one]]),
        instance("not", ["not", ["or", ["not", ["<=", zero, q(1)]], ["<", q(1), one]]]),
    ]
    ends = ["or", ["<", zero, q("1/8")], ["=", zero, q("1/2")], ["<=", q("3/4"), zero]]
    show = [
        instance("ends", ends),
        instance("ends", ["implies", ["<=", one, q("3/4")], ["not", ["<", zero, q("1/2")]]]),
        instance("both", ["iff", ["and", ["<", zero, q("1/4")], ["<", q("1/2"), zero]], ["not", ["or", ends]]]),
    ]
    return prove((2,), 1, show, assume)


def proved_by_bounds() -> Content:
    """Monotonicity for one feature, and that risks are not negative, each in one case: by upper bounds of maxima."""
    maxima = [["max", *(P([x], y) for y in range(2))] for x in (None, 0, 1)]
    show = [instance("monotone", ["<=", R(0), R()]), instance("not negative", ["<=", q(0), R(0)])]
    monotone = [[0, "1"], [["sum", 0, [1, 2]], "1"]]
    not_negative = [[0, "1"], ["total", "-1"], [["whole", 1], "1"], [["whole", 2], "1"]]
    proofs = [{"tree": {"farkas": pairs}} for pairs in (monotone, not_negative)]
    return signed(statement("proved", (2,), 2, [], show), maxima=maxima, proofs=proofs)


@functools.cache
def proved_by_class() -> Content:
    """Risks along inclusion, read by class: where a feature adds nothing to one that decides, and where it does."""
    assume = [instance("decides", ["=", R(0, 1), R(0)])]
    more = ["or", ["<", R(), R(1)], ["=", R(), R(0)], ["<", R(0, 1), R(1)]]
    formulas = [["implies", ["<=", R(), R(0)], ["=", R(0, 1), R(1)]], ["implies", ["<=", R(), R(1)], more]]
    return prove((2, 2), 2, [instance("same", formula) for formula in formulas], assume, kind="by_class")


@functools.cache
def vacuous() -> Content:
    """From assumptions that contradict each other, anything; also by an empty disjunction."""
    false = instance("false", ["or", ["or"], ["<", P([0]), q(0)]])
    return prove((2,), 1, [instance("anything", ["<", q(1), q(0)]), instance("no", ["or"])], [false])


def by_solvers() -> Content:
    content = statement("proved", (2, 2), 2, [], [instance("monotone", ["<=", R(0), R()])])
    return signed(content, evidence="solvers", solvers=["z3 5.4.0", "cvc5 1.4.2"])


AT_WEIGHTS: list[Callable[[], Content]] = [refuted, realized, irrational, sparse_refuted, sparse_irrational]
PROVED: list[Callable[[], Content]] = [proved, proved_with_images, proved_two_features, proved_terms]
PROVED += [proved_from_assumptions, proved_by_bounds, proved_by_class, vacuous]
