"""False statements with proofs that look right: none is accepted, each for the reason that makes it wrong."""

from __future__ import annotations

import copy
import itertools
import re
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from fstheory.checker import check_certificate
from fstheory.errors import CertificateError
from tests.checker import examples
from tests.checker.building import Content, Json, Node, P, R, at_weights, instance, q, signed, statement
from tests.checker.prover import prove
from tests.checker.validity import is_valid

P0, P1 = P([0]), P([1])
TOP = ["max", P0, P1]
HALF, ONE, ZERO = q("1/2"), q(1), q(0)


class Wrong(NamedTuple):
    """A proof of one formula about a feature with two states, and what the checker says of it."""

    what: str
    formula: Node
    proof: Json
    message: str
    assume: tuple[Node, ...] = ()
    maxima: tuple[Node, ...] = (TOP,)
    classes: int = 1


def farkas(*pairs: Json) -> Json:
    return {"tree": {"farkas": [list(pair) for pair in pairs]}}


def split(kind: str, number: Json, *cases: Json) -> Json:
    return {"tree": {"split": [kind, number], "cases": [case["tree"] for case in cases]}}


FARKAS = "proofs[0].tree.farkas must be "
NONE = "a contradiction, not "
SECOND = "proofs[0].tree.cases[1].farkas must be "
END = "; the certificate is rejected"
LEFT = "multipliers under which all unknowns cancel, not "
ABOVE = FARKAS + "with multipliers above 0, or not 0 for equations, not "
LINEAR = "a term of a proof must be linear: with a constant factor, or a constant divisor other than 0, not "
A_FACT = "about numbered facts, ['p', cell], ['M', k, j] or 'total', not "

# The negation of P0 <= 1/2 is fact 0: P0 - 1/2 > 0, and so on. All formulas below are false unless it says otherwise.
LOW, FIRST = ["<=", P0, HALF], ["<=", TOP, P0]
REST, TOTAL = [["p", 1], "1"], ["total", "-1"]
WRONG = [
    Wrong("a negative multiplier", LOW, farkas([0, "-1"], [["p", 0], "1"]), ABOVE + "(0, '-1')"),
    Wrong(
        "a negative multiplier of p >= 0",
        ["<=", HALF, P0],
        farkas([0, "1"], [["p", 0], "-1"]),
        ABOVE + "(('p', 0), '-1')",
    ),
    Wrong("a multiplier 0", LOW, farkas([0, "0"]), ABOVE + "(0, '0')"),
    Wrong("no facts", LOW, farkas(), FARKAS + NONE + "'0 >= 0'"),
    Wrong("equations only", LOW, farkas(["total", "1"]), FARKAS + LEFT + "(('total', '1'),)"),
    Wrong("0 >= 0 is no contradiction", ["<", P0, P0], farkas([0, "1"]), FARKAS + NONE + "'0 >= 0'"),
    Wrong("strict where the fact is not", ["<", P0, ONE], farkas([0, "1"], REST, TOTAL), FARKAS + NONE + "'0 >= 0'"),
    Wrong("a sum that is true", LOW, farkas([0, "1"], REST, TOTAL), FARKAS + NONE + "'1/2 > 0'"),
    Wrong("an unknown is left", LOW, farkas([0, "1"]), FARKAS + LEFT + "((0, '1'),)"),
    Wrong(
        "an equation times 2, written twice",
        LOW,
        farkas([0, "1"], ["total", "-1/2"], ["total", "-1/2"]),
        FARKAS + "without facts that are used twice, not 'total'",
    ),
    Wrong("a fact that does not exist", LOW, farkas([1, "1"]), FARKAS + "an integer from 0 to 0, not 1"),
    Wrong("facts counted from the end", LOW, farkas([-1, "1"]), FARKAS + "an integer from 0 to 0, not -1"),
    Wrong("True as a number", LOW, farkas([False, "1"]), FARKAS + "an integer from 0 to 0, not False"),
    Wrong("cells counted from the end", LOW, farkas([["p", -1], "1"]), FARKAS + "an integer from 0 to 1, not -1"),
    Wrong("a cell that does not exist", LOW, farkas([["p", 2], "1"]), FARKAS + "an integer from 0 to 1, not 2"),
    Wrong("an invented fact", LOW, farkas(["half", "1"]), FARKAS + A_FACT + "'half'"),
    Wrong("p < 0", LOW, farkas([["p", 0, "<"], "1"]), FARKAS + A_FACT + "('p', 0, '<')"),
    Wrong("a reference that is an object", ["or"], farkas([{"p": 0}, "1"]), FARKAS + A_FACT + "{'p': 0}"),
    Wrong("M at most its argument", FIRST, farkas([0, "1"], [["M", 0, 0], "-1"]), ABOVE + "(('M', 0, 0), '-1')"),
    Wrong(
        "an argument that does not exist",
        FIRST,
        farkas([0, "1"], [["M", 0, 2], "1"]),
        FARKAS + "an integer from 0 to 1, not 2",
    ),
    Wrong(
        "the kind counted as an argument",
        FIRST,
        farkas([0, "1"], [["M", 0, -1], "1"]),
        FARKAS + "an integer from 0 to 1, not -1",
    ),
    Wrong(
        "a maximum that is not listed", FIRST, farkas([0, "1"], [["M", 0, 0], "1"]), FARKAS + "absent, not 0", maxima=()
    ),
    Wrong(
        "a case of a maximum is missing",
        FIRST,
        split("max", 0, farkas([0, "1"], [1, "-1"])),
        "proofs[0].tree.cases must be a list of 2, not ({'farkas': ((0, '1'), (1, '-1'))},)",
    ),
    Wrong(
        "another, smaller maximum",
        FIRST,
        split("max", 0, farkas([0, "1"], [1, "-1"])),
        "proofs[0].tree.cases[0].farkas must be " + LEFT + "((0, '1'), (1, '-1'))",
        maxima=(["max", P0],),
    ),
    Wrong(
        "a maximum of multiples is another one",
        ["<=", ["max", ["*", q(2), P0], P1], TOP],
        farkas([0, "1"]),
        FARKAS + LEFT + "((0, '1'),)",
    ),
    Wrong(
        "a maximum of more is another one",
        ["<=", ["max", ["+", P0, HALF], P1], TOP],
        farkas([0, "1"]),
        FARKAS + LEFT + "((0, '1'),)",
    ),
    Wrong(
        "a minimum listed as a maximum",
        FIRST,
        split("max", 0, farkas([0, "1"])),
        "maxima[0] must be a 'max' node, not ('min', ('P', (0,), None))",
        maxima=(["min", P0],),
    ),
    Wrong(
        "a minimum is no maximum",
        ["<=", P0, ["min", P0, P1]],
        farkas([0, "1"], [["M", 0, 0], "1"]),
        FARKAS + LEFT + "((0, '1'), (('M', 0, 0), '1'))",
    ),
    Wrong(
        "a constant maximum is not the least of its arguments",
        ["<=", ["max", HALF, q("1/3")], q("1/3")],
        farkas([0, "1"]),
        FARKAS + NONE + "'1/6 > 0'",
    ),
    Wrong(
        "a split that is none",
        LOW,
        split("and", 0),
        "proofs[0].tree.split must be ['or', number] or ['max', number], not ('and', 0)",
    ),
    Wrong("a disjunction that is not there", LOW, split("or", 0), "proofs[0].tree.split must be absent, not 0"),
    Wrong(
        "a disjunction counted from the end",
        ["=", P0, HALF],
        split("or", -1, farkas(), farkas()),
        "proofs[0].tree.split must be an integer from 0 to 0, not -1",
    ),
    Wrong(
        "no cases of a disjunction that has two",
        ["=", P0, HALF],
        split("or", 0),
        "proofs[0].tree.cases must be a list of 2, not ()",
    ),
    Wrong(
        "only one case of a disjunction",
        ["=", P0, ONE],
        split("or", 0, farkas([0, "1"], REST, TOTAL)),
        "proofs[0].tree.cases must be a list of 2, not ({'farkas': ((0, '1'), (('p', 1), '1'), ('total', '-1'))},)",
    ),
    Wrong(
        "a fact of another case",
        ["and", ["<=", P0, ONE], LOW],
        split("or", 0, farkas([0, "1"], REST, TOTAL), farkas([0, "1"], REST, TOTAL)),
        SECOND + NONE + "'1/2 > 0'",
    ),
    Wrong(
        "a second fact, which only the other case has",
        ["and", ["not", ["and", ["<", P0, ZERO], ["<", P1, ZERO]]], LOW],
        split("or", 0, farkas([1, "1"], REST), farkas([1, "1"], REST)),
        SECOND + "an integer from 0 to 0, not 1",
    ),
    Wrong("an assumption that is not made", LOW, farkas([0, "1"], [1, "1"]), FARKAS + "an integer from 0 to 0, not 1"),
    Wrong(
        "the alternatives of an assumption taken together",
        ["or"],
        farkas([0, "1"], [1, "1"]),
        FARKAS + "absent, not 0",
        assume=(["or", ["<", P0, HALF], ["<", HALF, P0]],),
    ),
    Wrong(
        "the negation of an assumption", ["or"], farkas([0, "1"]), FARKAS + LEFT + "((0, '1'),)", assume=(["not", LOW],)
    ),
    Wrong(
        "the assertion, not its negation",
        ["<", P0, ZERO],
        farkas([0, "1"], [["p", 0], "1"]),
        FARKAS + LEFT + "((0, '1'), (('p', 0), '1'))",
    ),
    Wrong(
        "a product of unknowns",
        ["<=", ["*", P0, P1], ZERO],
        farkas([0, "1"]),
        LINEAR + "('*', ('P', (0,), None), ('P', (1,), None))",
    ),
    Wrong(
        "a division by an unknown",
        ["<=", ["/", ONE, P1], ZERO],
        farkas([0, "1"]),
        LINEAR + "('/', ('q', '1'), ('P', (1,), None))",
    ),
    Wrong(
        "0/0 is not 1",
        ["=", ["/", ZERO, ZERO], ONE],
        split("or", 0, farkas([0, "1"]), farkas([0, "1"])),
        LINEAR + "('/', ('q', '0'), ('q', '0'))",
    ),
    Wrong(
        "1/0 is nothing",
        ["<", ZERO, ["/", P0, ZERO]],
        farkas([0, "1"]),
        LINEAR + "('/', ('P', (0,), None), ('q', '0'))",
    ),
    Wrong(
        "a root",
        ["<=", ["sqrt", ONE], ZERO],
        farkas([0, "1"]),
        "a term of a proof must be linear, not ('sqrt', ('q', '1'))",
    ),
    Wrong(
        "an entropy",
        ["<=", ["H", [0], False], ZERO],
        farkas([0, "1"]),
        "a term of a proof must be linear, not ('H', (0,), False)",
    ),
    Wrong(
        "a tree that is two",
        LOW,
        {"tree": {"farkas": [], "split": ["or", 0], "cases": []}},
        "proofs[0].tree must be an object with the keys ['farkas'], not ['cases', 'farkas', 'split']",
    ),
    Wrong("no tree", LOW, {"tree": []}, "proofs[0].tree must be an object with the keys ['cases', 'split'], not ()"),
    Wrong("no proof", LOW, {}, "proofs[0] must be an object with the keys ['tree'], not []"),
    Wrong(
        "an image of itself",
        LOW,
        {"image_of": 0, "features": [0], "states": [[0, 1]], "classes": [0]},
        "proofs[0].image_of must be absent, not 0",
    ),
    Wrong(
        "an image of the last",
        LOW,
        {"image_of": -1, "features": [0], "states": [[0, 1]], "classes": [0]},
        "proofs[0].image_of must be absent, not -1",
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=[wrong.what for wrong in WRONG])
def test_a_wrong_proof_is_rejected(wrong: Wrong) -> None:
    content = statement(
        "proved",
        (2,),
        wrong.classes,
        [instance("assumed", formula) for formula in wrong.assume],
        [instance("shown", wrong.formula)],
    )
    content = signed(content, maxima=list(wrong.maxima), proofs=[wrong.proof])
    with pytest.raises(CertificateError) as error:
        check_certificate(content)
    assert str(error.value) == wrong.message + END


# Renamed proofs

CAPPED = [instance("cap", ["<=", P0, q("1/3")])]
SWAP = {"features": [0], "states": [[1, 0]], "classes": [0]}
FIRST_SWAPPED = {"image_of": 0, **SWAP}
NO_IMAGE = "proofs[1] must be a renaming of show[0] into show[1], not "


def renamed(**changes: Json) -> Content:
    """Return a proof of P0 <= 1/2 where that is so, and of another formula as its image."""
    parts: dict[str, Json] = {"assume": [], "formula": ["<=", P1, ONE], "image": {"image_of": 0, **SWAP}} | changes
    show = [instance("first", ["<=", P0, ONE]), instance("second", parts["formula"])]
    return prove((2,), 1, parts["assume"], show, {1: parts["image"]})


def test_the_renamed_proof_without_changes_is_right() -> None:
    assert check_certificate(renamed())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"formula": ["<=", P1, HALF]}, NO_IMAGE + """'["<=",["P",[1],null],["q","1"]]'"""),
        ({"image": {**FIRST_SWAPPED, "states": [[0, 1]]}}, NO_IMAGE + """'["<=",["P",[0],null],["q","1"]]'"""),
        ({"assume": CAPPED}, "proofs[1] must be a renaming of the assumptions into themselves, not 'into others'"),
        ({"image": {"image_of": 1, **SWAP}}, "proofs[1].image_of must be an integer from 0 to 0, not 1"),
        ({"image": {"image_of": 2, **SWAP}}, "proofs[1].image_of must be an integer from 0 to 0, not 2"),
        ({"image": {"image_of": False, **SWAP}}, "proofs[1].image_of must be an integer from 0 to 0, not False"),
        ({"image": {**FIRST_SWAPPED, "states": [[1, 1]]}}, "proofs[1].states must be a permutation, not (1, 1)"),
        ({"image": {**FIRST_SWAPPED, "states": [[1, -2]]}}, "proofs[1].states must be an integer from 0 to 1, not -2"),
        (
            {"image": {**FIRST_SWAPPED, "states": [[True, False]]}},
            "proofs[1].states must be an integer from 0 to 1, not True",
        ),
        ({"image": {**FIRST_SWAPPED, "states": [[1]]}}, "proofs[1].states must be a list of 2, not (1,)"),
        ({"image": {**FIRST_SWAPPED, "states": []}}, "proofs[1].states must be a list of 1, not ()"),
        ({"image": {**FIRST_SWAPPED, "classes": [1]}}, "proofs[1].classes must be an integer from 0 to 0, not 1"),
        ({"image": {**FIRST_SWAPPED, "features": []}}, "proofs[1].features must be a list of 1, not ()"),
        (
            {"image": {**FIRST_SWAPPED, "tree": {"farkas": []}}},
            "proofs[1] must be an object with the keys ['classes', 'features', 'image_of', 'states'], not "
            "['classes', 'features', 'image_of', 'states', 'tree']",
        ),
    ],
)
def test_a_wrong_renaming_is_rejected(changes: dict[str, Json], message: str) -> None:
    with pytest.raises(CertificateError) as error:
        check_certificate(renamed(**changes))
    assert str(error.value) == message + END


def test_an_image_of_an_image_is_rejected() -> None:
    show = [instance(str(i), ["<=", P([i % 2]), ONE]) for i in range(3)]
    content = prove((2,), 1, [], show, {1: {"image_of": 0, **SWAP}, 2: {"image_of": 1, **SWAP}})
    with pytest.raises(CertificateError, match=r"proofs\[2\]\.image_of must be the number of a tree, not 1;"):
        check_certificate(content)


@pytest.mark.parametrize(
    ("cardinalities", "classes", "formula", "image", "renaming"),
    [
        (
            (2, 2, 2),
            1,
            ["<=", P([0, 1, None]), P([0, None, None])],
            ["<=", P([None, 0, 1]), P([None, 0, None])],
            {"features": [1, 2, 0], "states": [[0, 1], [0, 1], [0, 1]], "classes": [0]},
        ),
        (
            (2, 2),
            2,
            ["<=", P([0, 1], 0), P([0, None])],
            ["<=", P([1, 1], 1), P([None, 1])],
            {"features": [1, 0], "states": [[1, 0], [0, 1]], "classes": [1, 0]},
        ),
        (
            (3,),
            3,
            ["<=", P([0], 1), P([0])],
            ["<=", P([1], 0), P([1])],
            {"features": [0], "states": [[1, 2, 0]], "classes": [2, 0, 1]},
        ),
        (
            (2, 3, 2),
            1,
            ["<=", P([0, 1, None]), P([0, None, None])],
            ["<=", P([None, 2, 1]), P([None, None, 1])],
            {"features": [2, 1, 0], "states": [[1, 0], [1, 2, 0], [0, 1]], "classes": [0]},
        ),
    ],
)
def test_what_is_renamed_to_what(
    cardinalities: tuple[int, ...], classes: int, formula: Node, image: Node, renaming: dict[str, Json]
) -> None:
    """State v of feature i becomes state ``states[i][v]`` of feature ``features[i]``; the inverse is another one."""
    show = [instance("first", formula), instance("second", image)]
    content = prove(cardinalities, classes, [], show, {1: {"image_of": 0, **renaming}})
    assert check_certificate(content)
    backwards = {
        "features": _inverse(renaming["features"]),
        "states": [_inverse(renaming["states"][i]) for i in _inverse(renaming["features"])],
        "classes": _inverse(renaming["classes"]),
    }
    other = prove(cardinalities, classes, [], show[::-1], {1: {"image_of": 0, **backwards}})
    assert check_certificate(other)
    if backwards != renaming:
        with pytest.raises(CertificateError, match="a renaming of show"):
            check_certificate(prove(cardinalities, classes, [], show, {1: {"image_of": 0, **backwards}}))


def _inverse(permutation: list[int]) -> list[int]:
    return [permutation.index(i) for i in range(len(permutation))]


def test_the_features_of_a_risk_are_renamed_and_sorted() -> None:
    show = [instance("X1", ["<=", R(0, 1), R(0)]), instance("X2", ["<=", R(0, 1), R(1)])]
    swap = {"image_of": 0, "features": [1, 0], "states": [[0, 1], [0, 1]], "classes": [0, 1]}
    assert check_certificate(prove((2, 2), 2, [], show, {1: swap}))


A, B = ["<=", P0, ONE], ["<=", ZERO, P1]


@pytest.mark.parametrize(
    ("formula", "exchanged", "same"),
    [
        (["and", A, B], ["and", B, A], True),
        (["or", A, B], ["or", B, A], True),
        (["iff", A, B], ["iff", B, A], True),
        (["implies", A, B], ["implies", B, A], False),
        (["=", ["+", P0, P1], ONE], ["=", ONE, ["+", P1, P0]], True),
        (["<=", ["*", P0, HALF], ONE], ["<=", ["*", HALF, P0], ONE], True),
        (["<=", ["max", P0, HALF], ONE], ["<=", ["max", HALF, P0], ONE], True),
        (["<=", ["min", P0, HALF], ONE], ["<=", ["min", HALF, P0], ONE], True),
        (["<", ["/", P0, q(2)], ONE], ["<", ["/", q(2), P0], ONE], False),
        (["<=", P0, ONE], ["<=", ONE, P0], False),
        (["<", P0, q(2)], ["<", q(2), P0], False),
        (["and", A, A], ["and", A], False),
        (["=", ["+", P0, P1, ZERO], ONE], ["=", ["+", ["+", P0, P1], ZERO], ONE], False),
    ],
)
def test_the_order_of_arguments_in_an_image(formula: Node, exchanged: Node, same: bool) -> None:
    """Two formulas are the same only up to the order where it means nothing; nothing else is done to them."""
    assert is_valid(statement("proved", (2,), 1, [], [instance("it", formula)]))
    itself = {"image_of": 0, "features": [0], "states": [[0, 1]], "classes": [0]}
    content = prove((2,), 1, [], [instance("it", formula), instance("it", exchanged)], {1: itself})
    if same:
        assert check_certificate(content)
    else:
        with pytest.raises(CertificateError, match=r"a renaming of show\[0\] into show\[1\]"):
            check_certificate(content)


def test_features_of_other_cardinality_are_not_exchanged() -> None:
    show = [instance("X1", ["<=", R(0), R()]), instance("X2", ["<=", R(1), R()])]
    swap = {"image_of": 0, "features": [1, 0], "states": [[0, 1], [0, 1, 2]], "classes": [0, 1]}
    content = prove((2, 3), 2, [], show, {1: swap})
    with pytest.raises(CertificateError, match=r"proofs\[1\]\.features must be of equal cardinalities, not \(1, 0\);"):
        check_certificate(content)


def test_an_assumption_too_few_or_too_many_is_no_renaming() -> None:
    """The assumptions of the image are as many as those of the source: neither may have more."""
    both = [instance("cap", ["<=", P([i]), q("9/10")]) for i in (0, 1)]
    assert check_certificate(renamed(assume=both))
    for one in both:
        with pytest.raises(CertificateError, match="into others"):
            check_certificate(renamed(assume=[one]))


# Terms and indices that mean something to Python, and nothing here


@pytest.mark.parametrize(
    ("term", "message"),
    [
        (["P", [-1], None], "an index of P in show[0].formula must be an integer from 0 to 1, not -1"),
        (["P", [2], None], "an index of P in show[0].formula must be an integer from 0 to 1, not 2"),
        (["P", [0], 2], "an index of P in show[0].formula must be an integer from 0 to 1, not 2"),
        (["P", [0], -1], "an index of P in show[0].formula must be an integer from 0 to 1, not -1"),
        (["P", [True], None], "an index of P in show[0].formula must be an integer from 0 to 1, not True"),
        (["P", ["0"], None], "an index of P in show[0].formula must be an integer from 0 to 1, not '0'"),
        (["P", [], None], "the states of P in show[0].formula must be a list of 1, not ()"),
        (["P", [0, 0], None], "the states of P in show[0].formula must be a list of 1, not (0, 0)"),
        (["P", [0]], "show[0].formula must be a term, not ('P', (0,))"),
        (["R", [0, 0]], "the features in show[0].formula must be ascending, not (0, 0)"),
        (["R", [1]], "a feature in show[0].formula must be an integer from 0 to 0, not 1"),
        (["R", [-1]], "a feature in show[0].formula must be an integer from 0 to 0, not -1"),
        (["R", [False]], "a feature in show[0].formula must be an integer from 0 to 0, not False"),
        (["R", 0], "features in show[0].formula must be a list, not 0"),
        (["R", "0"], "features in show[0].formula must be a list, not '0'"),
        (["R", [0], [0]], "show[0].formula must be a term, not ('R', (0,), (0,))"),
        (["H", [0], 1], "the last part of H in show[0].formula must be true or false, not 1"),
        (["H", [0], None], "the last part of H in show[0].formula must be true or false, not None"),
        (["q", 1], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not 1"),
        (["q", "2/4"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '2/4'"),
        (["q", "1/0"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '1/0'"),
        (["q", "3/1"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '3/1'"),
        (["q", "-0"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '-0'"),
        (["q", "0.5"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '0.5'"),
        (["q", " 1"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not ' 1'"),
        (["q", "1\n"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '1\\n'"),
        (["q", "+1"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '+1'"),
        (["q", "1_0"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '1_0'"),
        (["q", "٣"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '٣'"),
        (["q", "1/-2"], "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not '1/-2'"),
        (["max"], "show[0].formula must be a term, not ('max',)"),
        (["*", HALF], "show[0].formula must be a term, not ('*', ('q', '1/2'))"),
        (
            ["*", HALF, HALF, HALF],
            "show[0].formula must be a term, not ('*', ('q', '1/2'), ('q', '1/2'), ('q', '1/2'))",
        ),
        (["-", HALF], "show[0].formula must be a term, not ('-', ('q', '1/2'))"),
        (["<", ZERO, ONE], "show[0].formula must be a term, not ('<', ('q', '0'), ('q', '1'))"),
        ([], "show[0].formula must be a term, not ()"),
        (None, "show[0].formula must be a term, not None"),
        ([["q", "1"]], "show[0].formula must be a term, not (('q', '1'),)"),
        ({"q": "1"}, "show[0].formula must be a term, not {'q': '1'}"),
    ],
)
def test_malformed_terms(term: Any, message: str) -> None:
    formula = ["or", ["<", term, ONE], ["and"]]
    content = statement("proved", (2,), 2, [], [instance("it", formula)])
    with pytest.raises(CertificateError) as error:
        check_certificate(signed(content, maxima=[], proofs=[{"tree": {"farkas": []}}]))
    assert str(error.value) == message + END
    with pytest.raises(CertificateError, match=re.escape(message)):
        check_certificate(at_weights("realized", [[1, 1], [1, 1]], instance("it", formula), []))


@pytest.mark.parametrize(
    "formula",
    [
        ["not"],
        ["not", ["and"], ["and"]],
        ["implies", ["and"]],
        ["iff"],
        ["<", ONE],
        ["<", ONE, ONE, ONE],
        ["true"],
        "and",
        ["and", ONE],
        ["R", [0]],
        ["+"],
        [],
        None,
        True,
        [["and"]],
        {"and": []},
    ],
)
def test_malformed_formulas(formula: Any) -> None:
    proved: Content = {"maxima": [], "proofs": []}
    for evidence in (proved, {"evidence": "solvers", "solvers": ["z"]}):
        content = statement("proved", (2,), 2, [instance("it", ["not", formula])], [])
        with pytest.raises(CertificateError, match=r"assume\[0\]\.formula must be a (formula|term), not "):
            check_certificate(signed(content, **evidence))


# Proofs of other statements


TERMS = [P([0, None]), P([None, 1], 0), P([0, 1]), R(), R(0), R(1), R(0, 1), HALF, q("1/4"), ONE, ZERO]


def random_formula(random: Random, depth: int = 2) -> Node:
    kind = random.choice(["<", "<=", "="] if depth == 0 else ["<", "<=", "=", "and", "or", "not", "implies", "iff"])
    if kind in {"<", "<=", "="}:
        return [kind, random.choice(TERMS), random.choice(TERMS)]
    parts = {"not": 1, "and": random.randrange(3), "or": random.randrange(3)}.get(kind, 2)
    return [kind, *(random_formula(random, depth - 1) for _ in range(parts))]


def subtrees(tree: Json) -> list[Json]:
    return [tree, *itertools.chain.from_iterable(map(subtrees, tree.get("cases", [])))]


def test_a_false_formula_is_proved_by_no_proof_of_a_true_one() -> None:
    """Every tree of a genuine certificate, and every part of one, is tried on false formulas."""
    genuine = examples.proved_two_features()
    trees = [part for proof in genuine["proofs"] if "tree" in proof for part in subtrees(proof["tree"])]
    random, false = Random(5), 0
    while false < settings.get_profile("dev").max_examples:
        content = {**copy.deepcopy(genuine), "show": [instance("it", random_formula(random))]}
        if is_valid(content):
            continue
        false += 1
        for tree in trees:
            with pytest.raises(CertificateError):
                check_certificate(signed(content, proofs=[{"tree": tree}]))


def test_random_true_formulas_are_proved_and_accepted() -> None:
    random, true = Random(6), 0
    while true < 10:
        show = [instance("it", random_formula(random))]
        if is_valid(statement("proved", (2, 2), 2, [], show)):
            true += 1
            assert check_certificate(prove((2, 2), 2, [], show))


# At one distribution

DIVISION = ["=", ["/", ZERO, P0], ONE]


@pytest.mark.parametrize(
    ("kind", "formula", "values", "message"),
    [
        ("realized", DIVISION, [], "show[0], 'it', must be true at the weights, not False"),
        ("realized", ["=", ["/", ONE, P0], ZERO], [], "a divisor must be other than 0, unless 0 is divided, not 0"),
        ("realized", ["<", ["log", P0], ZERO], [], "the argument of 'log' must be in its domain, not Fraction(0, 1)"),
        (
            "realized",
            ["<", ["sqrt", q(-1)], ONE],
            [],
            "the argument of 'sqrt' must be in its domain, not Fraction(-1, 1)",
        ),
        (
            "realized",
            ["<", ["sqrt", ["sqrt", q(2)]], q(2)],
            [],
            "the last part of 'sqrt' must be rational, to be decided, not 'sqrt(2) ≈ 1.41421'",
        ),
        (
            "refuted",
            ["<", ["/", ONE, ["log", q(2)]], ONE],
            [],
            "the last part of '/' must be rational, to be decided, not 'log(2) ≈ 0.693147'",
        ),
        ("refuted", ["<=", P0, P1], [], "show[0], 'it', must be false at the weights, not True"),
        ("refuted", ["<=", P1, P0], [], "values must be a list of 2, not ()"),
        (
            "refuted",
            ["or", ["<=", P1, P0], ["<", P1, ["/", ONE, ZERO]]],
            [],
            "a divisor must be other than 0, unless 0 is divided, not 0",
        ),
    ],
)
def test_wrong_at_one_distribution(kind: str, formula: Node, values: Json, message: str) -> None:
    with pytest.raises(CertificateError) as error:
        check_certificate(at_weights(kind, [[0, 0], [1, 2]], instance("it", formula), values))
    assert str(error.value) == message + END


def test_what_has_no_exact_form_is_refused() -> None:
    mixed = ["+", ["log", q(2)], ["sqrt", q(2)]]
    for term in (mixed, ["*", ["log", q(2)], ["log", q(3)]], ["*", ["sqrt", q(2)], ["log", q(3)]]):
        with pytest.raises(CertificateError, match=r"a term of '[+*]' must be decidable \(.*\), not "):
            check_certificate(at_weights("realized", [1, 1], instance("it", ["<", ZERO, term]), []))
