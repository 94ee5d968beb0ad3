"""False statements with proofs that look right: each is refused for the reason that makes it wrong. And true ones."""

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from fstheory.checker.certificates import check_certificate
from fstheory.errors import CertificateError
from fstheory.logic.expressions import to_json
from fstheory.logic.statement import Shape
from tests.logic import examples
from tests.logic.building import Content, Json, Node, P, R, at_weights, instance, prove, q, rejected, signed, statement
from tests.logic.definition import is_valid
from tests.proofs import statements

P0, P1 = P([0]), P([1])
TOP = ["max", P0, P1]
HALF, THIRD, ONE, ZERO = q("1/2"), q("1/3"), q(1), q(0)


def farkas(*pairs: Json) -> Json:
    return {"tree": {"farkas": [list(pair) for pair in pairs]}}


def split(kind: str, number: Json, *cases: Json) -> Json:
    return {"tree": {"split": [kind, number], "cases": [case["tree"] for case in cases]}}


FARKAS = "proofs[0].tree.farkas must be "
SECOND = "proofs[0].tree.cases[1].farkas must be "
SPLIT, CASES = "proofs[0].tree.split must be ", "proofs[0].tree.cases must be a list of 2, not "
NONE = FARKAS + "a contradiction, not "
LEFT = FARKAS + "multipliers under which all unknowns cancel, not "
ABOVE = FARKAS + "with multipliers above 0, or not 0 for equations, not "
LINEAR = "a term of a proof must be linear"
FACTOR = LINEAR + ": with a constant factor, or a constant divisor other than 0, not ('"
A_FACT = FARKAS + 'one of ["M", maximum k, argument j], ["whole", maximum k], ["sum", maximum k, maxima m], "total", '
A_FACT += '["p", cell c], ["product", premises f], ["squared", term a], '
A_FACT += '["corner", "square", subset S], ["bits", subset S, flag g], not '
TO_0, TO_1 = FARKAS + "an integer from 0 to 0, not ", FARKAS + "an integer from 0 to 1, not "

# The negation of P0 <= 1/2 is fact 0: P0 - 1/2 > 0, and so on. All formulas below are false unless it says otherwise.
LOW, HIGH, FIRST, EQUAL = ["<=", P0, HALF], ["<=", HALF, P0], ["<=", TOP, P0], ["=", P0, HALF]
REST, TOTAL, ASSERTED = [["p", 1], "1"], ["total", "-1"], farkas([0, "1"])
BY_SUM, ONE_CASE = farkas([0, "1"], REST, TOTAL), split("max", 0, farkas([0, "1"], [1, "-1"]))
TWICE, TWO_ASSERTED = farkas([0, "1"], *[["total", "-1/2"]] * 2), split("or", 0, ASSERTED, ASSERTED)
BOTH_FALSE, SECOND_FACT = ["not", ["and", ["<", P0, ZERO], ["<", P1, ZERO]]], farkas([1, "1"], REST)
EITHER = ["or", ["<", P0, HALF], ["<", HALF, P0]]
DIFFERENCE, CONSTANT = ["max", P0, ["+", P0, ["*", q(-1), P1]]], ["max", P0, HALF]
NESTED, SWAPPED, HALVES = ["max", TOP, P0], ["max", P1, P0], ["max", ["*", HALF, P0]]
A_SPLIT = SPLIT + 'one of ["or", disjunction j], ["max", maximum k], not '
CELL, ARGUMENT = (
    FARKAS + '["p", cell c], not ',
    FARKAS + '["M", maximum k, argument j] with j the place of an argument, ',
)
WHOLE = FARKAS + '["whole", maximum k] with arguments that are sums of probabilities, not '
SUM = (
    FARKAS + '["sum", maximum k, maxima m] with arguments j of the maxima m whose sum is argument j of maximum k, not '
)
SAME: Content = {"image_of": 0, "features": [0], "states": [[0, 1]], "classes": [0]}


def bounded(k: int, *rest: Json, kind: str = "sum", by: str = "1") -> Json:
    """Return a contradiction by an upper bound of a maximum alone."""
    return farkas([[kind, k, *rest], by])


#: What is wrong, a formula about a feature with two states, its proof, and how the message of the checker begins.
WRONG: list[tuple[str, Node, Json, str]] = [
    ("a negative multiplier", LOW, farkas([0, "-1"], [["p", 0], "1"]), ABOVE + "(0, '-1')"),
    ("a negative multiplier of p >= 0", HIGH, farkas([0, "1"], [["p", 0], "-1"]), ABOVE + "(('p', 0), '-1')"),
    ("a multiplier 0", LOW, farkas([0, "0"]), ABOVE + "(0, '0')"),
    ("an equation 0 times", LOW, farkas(["total", "0"]), ABOVE + "('total', '0')"),
    ("no facts", LOW, farkas(), NONE + "'0 >= 0'"),
    ("equations only", LOW, farkas(["total", "1"]), LEFT),
    ("0 >= 0 is no contradiction", ["<", P0, P0], ASSERTED, NONE + "'0 >= 0'"),
    ("strict where the fact is not", ["<", P0, ONE], BY_SUM, NONE + "'0 >= 0'"),
    ("a sum that is true", LOW, BY_SUM, NONE + "'1/2 > 0'"),
    ("a third of it", LOW, farkas([0, "1/3"], [["p", 1], "1/3"], ["total", "-1/3"]), NONE + "'1/6 > 0'"),
    ("an unknown is left", LOW, ASSERTED, LEFT),
    ("one fact twice", LOW, TWICE, FARKAS + "without facts that are used twice"),
    ("a fact that does not exist", LOW, farkas([1, "1"]), TO_0 + "1"),
    ("facts counted from the end", LOW, farkas([-1, "1"]), TO_0 + "-1"),
    ("True as a number", LOW, farkas([False, "1"]), TO_0 + "False"),
    ("cells counted from the end", LOW, farkas([["p", -1], "1"]), TO_1 + "-1"),
    ("a cell that does not exist", LOW, farkas([["p", 2], "1"]), TO_1 + "2"),
    ("an invented fact", LOW, farkas(["half", "1"]), A_FACT + "'half'"),
    ("p < 0", LOW, farkas([["p", 0, "<"], "1"]), CELL + "('p', 0, '<')"),
    ("a reference that is an object", ["or"], farkas([{"p": 0}, "1"]), A_FACT + "{'p': 0}"),
    ("M at most its argument", FIRST, farkas([0, "1"], [["M", 0, 0], "-1"]), ABOVE + "(('M', 0, 0), '-1')"),
    ("an argument that does not exist", FIRST, farkas([0, "1"], [["M", 0, 2], "1"]), ARGUMENT + "not ('M', 0, 2)"),
    ("the kind counted as an argument", FIRST, farkas([0, "1"], [["M", 0, -1], "1"]), FARKAS + "an integer from 0 to "),
    ("the bound turned around", FIRST, bounded(0, kind="whole", by="-1"), ABOVE + "(('whole', 0), '-1')"),
    ("whole of parts", FIRST, bounded(0, [], kind="whole"), FARKAS + '["whole", maximum k], not ' + "('whole', 0, ())"),
    ("a bound of a maximum not listed", FIRST, bounded(1, kind="whole"), TO_0 + "1"),
    ("a sum of nothing", FIRST, bounded(0, []), SUM + "('sum', 0, ())"),
    ("a sum of a maximum not listed", FIRST, bounded(0, [2]), TO_0 + "2"),
    ("a sum counted from the end", FIRST, bounded(0, [-1]), TO_0 + "-1"),
    ("a sum of an object", FIRST, bounded(0, {"1": 1}), FARKAS + "a list, not {'1': 1}"),
    ("a case of a maximum is missing", FIRST, ONE_CASE, CASES),
    ("a maximum of multiples is another one", ["<=", ["max", ["*", q(2), P0], P1], TOP], ASSERTED, LEFT),
    ("a maximum of more is another one", ["<=", ["max", ["+", P0, HALF], P1], TOP], ASSERTED, LEFT),
    ("a minimum is no maximum", ["<=", P0, ["min", P0, P1]], farkas([0, "1"], [["M", 0, 0], "1"]), LEFT),
    ("a constant maximum is not the least", ["<=", ["max", HALF, THIRD], THIRD], ASSERTED, NONE + "'1/6 > 0'"),
    ("a split that is none", LOW, split("not", 0), A_SPLIT + "('not', 0)"),
    ("a disjunction that is not there", LOW, split("or", 0), SPLIT + "absent, not 0"),
    ("counted from the end", EQUAL, split("or", -1, farkas(), farkas()), SPLIT + "an integer from 0"),
    ("no cases of a disjunction that has two", EQUAL, split("or", 0), CASES + "()"),
    ("only one case of a disjunction", ["=", P0, ONE], split("or", 0, BY_SUM), CASES),
    ("a fact of another case", ["and", ["<=", P0, ONE], LOW], split("or", 0, BY_SUM, BY_SUM), SECOND + "a contradict"),
    ("a fact of one case", ["and", BOTH_FALSE, LOW], split("or", 0, SECOND_FACT, SECOND_FACT), SECOND + "an integer"),
    ("an assumption that is not made", LOW, farkas([0, "1"], [1, "1"]), TO_0 + "1"),
    ("the assertion, not its negation", ["<", P0, ZERO], farkas([0, "1"], [["p", 0], "1"]), LEFT),
    ("a product of unknowns", ["<=", ["*", P0, P1], ZERO], ASSERTED, FACTOR + "*"),
    ("division by an unknown", ["<=", ["/", ONE, P1], ZERO], ASSERTED, "proofs[0].tree.farkas must be absent"),
    ("0/0 is not 1", ["=", ["/", ZERO, ZERO], ONE], TWO_ASSERTED, FACTOR + "/', ('q', Fraction(0, 1))"),
    ("1/0 is nothing", ["<", ZERO, ["/", P0, ZERO]], ASSERTED, FACTOR + "/"),
    ("a root", ["<=", ["sqrt", ONE], ZERO], ASSERTED, LINEAR + ", not ('sqrt', ('q', Fraction(1, 1)))"),
    ("an entropy", ["<=", ["H", [0], False], ZERO], ASSERTED, LINEAR + ", not ('H', (0,), False)"),
    ("a tree that is two", LOW, {"tree": {"farkas": [], **split("or", 0)["tree"]}}, "proofs[0].tree must be an obj"),
    ("no tree", LOW, {"tree": []}, "proofs[0].tree must be an object with the keys ['cases', 'split'], not ()"),
    ("no proof", LOW, {}, "proofs[0] must be an object with the keys ['tree'], not []"),
    ("an image of itself", LOW, SAME, "proofs[0].image_of must be absent, not 0"),
    ("an image of the last", LOW, {**SAME, "image_of": -1}, "proofs[0].image_of must be absent, not -1"),
]

#: The same, with other maxima in the certificate, and with assumptions.
OTHERS: list[tuple[str, Node, Json, str, list[Node], list[Node]]] = [
    ("a bound that may be too small", ["or"], bounded(0, kind="whole"), WHOLE + "('whole', ", [DIFFERENCE], []),
    ("a bound with a constant", ["or"], bounded(0, kind="whole"), WHOLE + "('whole', ", [CONSTANT], []),
    ("a bound by a maximum", ["or"], bounded(1, kind="whole"), WHOLE + "('whole', ", [TOP, NESTED], []),
    ("a sum of others that is none", FIRST, bounded(0, [1]), SUM + "('sum', 0, (1,))", [TOP, ["max", P0, P0]], []),
    ("a sum in another order", FIRST, bounded(0, [1]), SUM + "('sum', 0, (1,))", [TOP, SWAPPED], []),
    ("a sum of maxima of fewer", FIRST, bounded(0, [1, 1]), SUM + "('sum', 0, (1, 1))", [TOP, HALVES], []),
    ("a maximum not listed", FIRST, farkas([0, "1"], [["M", 0, 0], "1"]), FARKAS + "absent, not 0", [], []),
    ("another, smaller maximum", FIRST, ONE_CASE, "proofs[0].tree.cases[0]" + LEFT[14:], [["max", P0]], []),
    ("a minimum listed", FIRST, split("max", 0, ASSERTED), "maxima[0] must be a 'max' node", [["min", P0]], []),
    ("two alternatives together", ["or"], farkas([0, "1"], [1, "1"]), FARKAS + "absent, not 0", [], [EITHER]),
    ("the negation of an assumption", ["or"], ASSERTED, LEFT, [], [["not", LOW]]),
]


@pytest.mark.parametrize(
    ("formula", "proof", "message", "maxima", "assume"),
    [pytest.param(*row, id=name) for name, *row in (*((*row, [TOP], []) for row in WRONG), *OTHERS)],
)
def test_a_wrong_proof_is_rejected(
    formula: Node, proof: Json, message: str, maxima: list[Node], assume: list[Node]
) -> None:
    assumed = [instance("assumed", part) for part in assume]
    content = statement("proved", (2,), 1, assumed, [instance("shown", formula)])
    rejected(signed(content, maxima=maxima, proofs=[proof]), message)


# Renamed proofs

SWAP = {"features": [0], "states": [[1, 0]], "classes": [0]}
NO_IMAGE = "proofs[1] must be a renaming of show[0] into show[1], not "
OF_0 = "proofs[1].image_of must be an integer from 0 to 0, not "
STATES = "proofs[1].states must be "
FINE = ["<=", P1, ONE]


def renamed(assume: Sequence[Content] = (), formula: Node = FINE, image_of: Json = 0, **changes: Json) -> Content:
    """Return a proof of P0 <= 1 where that is so, and of another formula as its image."""
    show = [instance("first", ["<=", P0, ONE]), instance("second", formula)]
    return prove((2,), 1, show, assume, {1: {"image_of": image_of, **SWAP, **changes}})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"formula": ["<=", P1, HALF]}, NO_IMAGE + """'["<=",["P",[1],null],["q","1"]]'"""),
        ({"states": [[0, 1]]}, NO_IMAGE + """'["<=",["P",[0],null],["q","1"]]'"""),
        ({"image_of": 1}, OF_0 + "1"),
        ({"image_of": False}, OF_0 + "False"),
        ({"states": [[1, 1]]}, STATES + "a permutation, not (1, 1)"),
        ({"states": [[1, -2]]}, STATES + "an integer from 0 to 1, not -2"),
        ({"states": []}, STATES + "a list of 1, not ()"),
        ({"classes": [1]}, "proofs[1].classes must be an integer from 0 to 0, not 1"),
        ({"features": []}, "proofs[1].features must be a list of 1, not ()"),
        ({"tree": {"farkas": []}}, "proofs[1] must be an object with the keys ['classes', 'features', 'image_of', 's"),
    ],
)
def test_a_wrong_renaming_is_rejected(changes: dict[str, Json], message: str) -> None:
    rejected(renamed(**changes), message)


def test_an_image_of_an_image_is_rejected() -> None:
    show = [instance(str(i), ["<=", P([i % 2]), ONE]) for i in range(3)]
    content = prove((2,), 1, show, images={1: {"image_of": 0, **SWAP}, 2: {"image_of": 1, **SWAP}})
    rejected(content, "proofs[2].image_of must be the number of a tree, not 1;")


COPY = {"tree": {"image_of": 0, **SWAP}}
AT_MOST_1, LEAF = ["<=", TOP, ONE], farkas([0, "1"], [1, "-1"], REST, TOTAL)
UNEQUAL = ["not", ["and", ["or", ["<", P0, P1], ["<", P1, P0]], ["or", ["<=", HALF, P0], ["<=", HALF, P1]]]]
"""False: in the first case of the first "or" only the first case of the second is impossible."""

BELOW = split("or", 0, split("or", 1, farkas([0, "1"], [1, "2"], TOTAL), COPY), COPY)
IN_CASE, INTO = (
    "proofs[0].tree.cases[1] must be ",
    "a renaming of proofs[0].tree.cases[0] into proofs[0].tree.cases[1], not",
)


@pytest.mark.parametrize(
    ("formula", "proof", "message"),
    [
        (FIRST, split("max", 0, farkas([0, "1"], [1, "-1"]), COPY), IN_CASE + "a renaming of the assumptions into"),
        (UNEQUAL, BELOW, "proofs[0].tree.cases[0].cases[1] must be a renaming of the assumptions into themselves"),
        (AT_MOST_1, split("max", 0, LEAF, {"tree": COPY["tree"] | {"states": [[0, 1]]}}), IN_CASE + INTO),
        (AT_MOST_1, split("max", 0, LEAF, {"tree": COPY["tree"] | {"image_of": 1}}), "proofs[0].tree.cases[1].image_"),
        (AT_MOST_1, split("max", 0, COPY, LEAF), "proofs[0].tree.cases[0].image_of must be absent, not 0"),
    ],
)
def test_a_case_is_another_with_other_names_only_if_all_before_is_as_it_was(
    formula: Node, proof: Json, message: str
) -> None:
    content = statement("proved", (2,), 1, [], [instance("shown", formula)])
    rejected(signed(content, maxima=[TOP], proofs=[proof]), message)
    true = statement("proved", (2,), 1, [], [instance("shown", AT_MOST_1)])
    assert check_certificate(signed(true, maxima=[TOP], proofs=[split("max", 0, LEAF, COPY)]))


@pytest.mark.parametrize(
    ("axes", "part", "image", "renaming"),
    [
        ((2, 2, 2), [[0, 1], [0, None], 0], [[1, 1], [None, 1], 1], ([1, 0], [[1, 0], [0, 1]], [1, 0])),
        ((3, 3), [[0], [0], 1], [[1], [1], 0], ([0], [[1, 2, 0]], [2, 0, 1])),
        (
            (2, 3, 2, 1),
            [[0, 1, None], [0, None, None]],
            [[None, 2, 1], [None, None, 1]],
            ([2, 1, 0], [[1, 0], [1, 2, 0], [0, 1]], [0]),
        ),
    ],
)
def test_what_is_renamed_to_what(
    axes: tuple[int, ...], part: Json, image: Json, renaming: tuple[Json, Json, Json]
) -> None:
    """State v of feature i becomes state ``states[i][v]`` of feature ``features[i]``; the inverse is another one.

    The formula is that P(s, y) is at most P(t), with s, t and y given.
    """
    show = [instance("part", ["<=", P(s, *y), P(t)]) for s, t, *y in (part, image)]

    def inverse(permutation: list[int]) -> list[int]:
        return [permutation.index(i) for i in range(len(permutation))]

    features, states, moved = renaming
    back = inverse(features), [inverse(states[i]) for i in inverse(features)], inverse(moved)

    def proof(shown: list[Content], parts: tuple[Json, Json, Json]) -> Content:
        keys = ("image_of", "features", "states", "classes")
        return prove(axes[:-1], axes[-1], shown, images={1: dict(zip(keys, (0, *parts), strict=True))})

    assert check_certificate(proof(show, renaming))
    assert check_certificate(proof(show[::-1], back))
    if back != renaming:
        rejected(proof(show, back), "proofs[1] must be a renaming of show[0] into show[1]")


def test_features_are_renamed_and_sorted_if_they_are_of_one_cardinality() -> None:
    show = [instance("X1", ["<=", R(0, 1), R(0)]), instance("X2", ["<=", R(0, 1), R(1)])]
    assert check_certificate(prove((2, 2), 2, show, images={1: examples.EXCHANGED}))
    content = prove((2, 3), 2, show, images={1: {**examples.EXCHANGED, "states": [[0, 1], [0, 1, 2]]}})
    rejected(content, "proofs[1].features must be of equal cardinalities, not (1, 0);")


A, B = ["<=", P0, ONE], ["<=", ZERO, P1]


@pytest.mark.parametrize(
    ("formula", "exchanged", "same"),
    [
        (["and", A, B], ["and", B, A], True),
        (["implies", A, B], ["implies", B, A], False),
        (["<=", ["*", P0, HALF], ONE], ["<=", ["*", HALF, P0], ONE], True),
        (["<", ["/", P0, q(2)], ONE], ["<", ["/", q(2), P0], ONE], False),
        (["<=", P0, ONE], ["<=", ONE, P0], False),
        (["and", A, A], ["and", A], False),
    ],
)
def test_the_order_of_arguments_in_an_image(formula: Node, exchanged: Node, same: bool) -> None:
    """Two formulas are the same only up to the order where it means nothing; nothing else is done to them."""
    assert is_valid(statement("proved", (2,), 1, [], [instance("it", formula)]))
    content = prove((2,), 1, [instance("it", formula), instance("it", exchanged)], images={1: SAME})
    if same:
        assert check_certificate(content)
    else:
        rejected(content, NO_IMAGE)


def test_an_assumption_too_few_or_too_many_is_no_renaming() -> None:
    """The assumptions of the image are as many as those of the source: neither may have more."""
    both = [instance("cap", ["<=", P([i]), q("9/10")]) for i in (0, 1)]
    assert check_certificate(renamed(assume=both))
    for one in both:
        rejected(
            renamed(assume=[one]), "proofs[1] must be a renaming of the assumptions into themselves, not 'into oth"
        )


@pytest.mark.parametrize(("low", "high"), [("1/2", "1/2"), ("0", "4/9"), ("8/9", "17/18"), ("1", "1"), ("1/2", "0")])
def test_assumptions_that_no_distribution_meets_are_doubted(low: str, high: str) -> None:
    """The share of a class is met at the level, the graded, the lopsided one and the single cell; the last nowhere."""
    share = P([None], 0)
    assumed = [instance("share", ["and", ["<=", q(low), share], ["<=", share, q(high)]])]
    checked = check_certificate(prove((2,), 2, [instance("it", ["<=", share, q(1)])], assumed))
    assert checked
    assert ("no distribution was met" in str(checked)) is (high == "0")


# Terms and indices that mean something to Python, and nothing here

INDEX = "an index of P in show[0].formula must be an integer from 0 to 1, not "
FEATURE = "a feature in show[0].formula must be an integer from 0 to 0, not "
TERM = "show[0].formula must be a term, not "
NUMBER = "a constant in show[0].formula must be a rational 'p/q' or 'p' in lowest terms, not "


@pytest.mark.parametrize(
    ("term", "message"),
    [
        *((["P", [index], None], f"{INDEX}{index!r}") for index in (-1, 2, True)),
        (["P", [0], 2], INDEX + "2"),
        (["P", [0, 0], None], "the states of P in show[0].formula must be a list of 1, not (0, 0)"),
        (["P", [0]], TERM + "('P', (0,))"),
        (["R", [0, 0]], "the features in show[0].formula must be ascending, not (0, 0)"),
        *((["R", [feature]], f"{FEATURE}{feature}") for feature in (1, -1, False)),
        (["R", 0], "features in show[0].formula must be a list, not 0"),
        (["R", [0], [0]], TERM + "('R', (0,), (0,))"),
        (["H", [0], 1], "the last part of H in show[0].formula must be true or false, not 1"),
        *(
            (["q", number], f"{NUMBER}{number!r}")
            for number in (1, "2/4", "1/0", "3/1", "-0", "0.5", " 1", "1\n", "+1", "1_0", "٣", "1/-2")
        ),
        *((term, TERM) for term in (["max"], ["*", HALF], ["*", HALF, HALF, HALF], ["-", HALF], ["<", ZERO, ONE])),
        *((term, TERM) for term in ([], None, [["q", "1"]], {"q": "1"})),
    ],
)
def test_malformed_terms(term: Any, message: str) -> None:
    shown = instance("it", ["or", ["<", term, ONE], ["and"]])
    content = statement("proved", (2,), 2, [], [shown])
    rejected(signed(content, maxima=[], proofs=[{"tree": {"farkas": []}}]), message)
    rejected(at_weights("realized", [[1, 1], [1, 1]], shown, []), message)


MALFORMED: list[Any] = [["not"], ["not", ["and"], ["and"]], ["implies", ["and"]], ["<", ONE], ["<", *[ONE] * 3]]
MALFORMED += [["true"], "and", ["and", ONE], ["R", [0]], [], None, True, [["and"]], {"and": []}]


@pytest.mark.parametrize("formula", MALFORMED, ids=str)
def test_malformed_formulas(formula: Any) -> None:
    proved: Content = {"maxima": [], "proofs": []}
    for evidence in (proved, {"evidence": "solvers", "solvers": ["z"]}):
        content = statement("proved", (2,), 2, [instance("it", ["not", formula])], [])
        with pytest.raises(CertificateError, match=r"assume\[0\]\.formula must be a (formula|term), not "):
            check_certificate(signed(content, **evidence))


# Proofs of other statements


def subtrees(tree: Json) -> list[Json]:
    return [tree, *itertools.chain.from_iterable(map(subtrees, tree.get("cases", [])))]


def test_random_formulas_are_proved_if_they_are_true() -> None:
    """Every tree of a genuine certificate, and every part of one, is tried on the false ones."""
    genuine = examples.proved_two_features()
    trees = [part for proof in genuine["proofs"] if "tree" in proof for part in subtrees(proof["tree"])]
    random, decided = Random(5), {True: 0, False: 0}
    while decided[False] < settings.get_profile("dev").max_examples or decided[True] < 10:
        show = [instance("it", to_json(statements.formula(random, Shape((2, 2)), statements.LINEAR, 2)))]
        content = {**genuine, "show": show}
        true = is_valid(content)
        decided[true] += 1
        if true:
            assert check_certificate(prove((2, 2), 2, show))
            continue
        for tree in trees:
            with pytest.raises(CertificateError):
                check_certificate(signed(content, proofs=[{"tree": tree}]))


@pytest.mark.parametrize(
    ("cardinalities", "classes", "formula"),
    [
        ((2,), 3, ["<=", R(0), R()]),
        ((), 2, ["<=", R(), HALF]),
        ((2,), 2, ["<=", ["max", R(), ["min", q("1/4"), R(0)]], HALF]),
        ((2,), 2, ["<=", ["*", ["max", HALF, THIRD], R(0)], ["*", ["min", ["max", HALF, THIRD], ONE], R()]]),
    ],
)
def test_proved(cardinalities: tuple[int, ...], classes: int, formula: Node) -> None:
    content = prove(cardinalities, classes, [instance("it", formula)])
    assert is_valid(content)
    assert check_certificate(content)


def test_maxima_may_be_written_in_other_ways() -> None:
    """An unknown belongs to the arguments of a maximum as linear forms, however they are written."""
    content = examples.proved()
    assert content["maxima"][0] == ["max", P([0], 0), P([0], 1)]
    sums = ["max", ["+", P([0], 0)], ["*", q(2), ["*", P([0], 1), HALF]]]
    assert check_certificate(signed(content, maxima=[sums, *content["maxima"][1:]]))
    assert check_certificate(signed(content, maxima=[*content["maxima"], TOP]))  # which no tree speaks of


# At one distribution

TRUE, FALSE = (
    "show[0], 'it', must be " + words for words in ("true at the weights, not ", "false at the weights, not ")
)
DIVISOR = "a divisor must be other than 0, unless 0 is divided, not 0"
ROOT, LOG = ["sqrt", q(2)], ["log", q(2)]
DOMAIN = "must be in its domain, not Fraction("
RATIONAL = "must be rational, to be decided, not "


@pytest.mark.parametrize(
    ("kind", "formula", "message"),
    [
        ("realized", ["=", ["/", ZERO, P0], ONE], TRUE + "False"),
        ("realized", ["=", ["/", ONE, P0], ZERO], DIVISOR),
        ("realized", ["<", ["log", P0], ZERO], f"the argument of 'log' {DOMAIN}0, 1)"),
        ("realized", ["<", ["sqrt", q(-1)], ONE], f"the argument of 'sqrt' {DOMAIN}-1, 1)"),
        ("realized", ["<", ["sqrt", ROOT], q(2)], f"the last part of 'sqrt' {RATIONAL}'about 1.41421356237'"),
        ("realized", ["<", ["/", ONE, LOG], ROOT], "a comparison by '<' must be decidable (a quotient or product"),
        ("realized", ["<", ["/", ONE, LOG], ONE], TRUE + "False"),
        ("refuted", ["<=", P0, P1], FALSE + "True"),
        ("refuted", ["<=", P1, P0], "values must be a list of 2, not ()"),
        ("refuted", ["or", ["<=", P1, P0], ["<", P1, ["/", ONE, ZERO]]], DIVISOR),
    ],
)
def test_wrong_at_one_distribution(kind: str, formula: Node, message: str) -> None:
    rejected(at_weights(kind, [[0, 0], [1, 2]], instance("it", formula), []), message)


def test_what_has_no_exact_form_is_refused() -> None:
    for term in (["+", LOG, ROOT], ["*", ROOT, ["log", q(3)]]):
        content = at_weights("realized", [1, 1], instance("it", ["<", ZERO, term]), [])
        rejected(content, f"a term of '{term[0]}' must be decidable (")
