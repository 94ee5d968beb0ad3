"""One change to a genuine certificate, the digest made anew, and what the checker says of it."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import pytest

from fstheory.errors import CertificateError
from fstheory.logic.checker import check_certificate
from tests.logic import examples
from tests.logic.building import Content, Json, P, q, rejected, signed
from tests.logic.mutations import Path, replaced

KEYS = ["assume", "claim", "digest", "format", "kind", "shape", "show", "total", "values", "version", "weights"]

Change: TypeAlias = tuple[Path, Json, str]
"""A place, what stands there afterwards, and how the message begins."""

DOUBLED = [[[2, 0], [0, 2]], [[0, 2], [2, 0]]]
AN_OBJECT, VERSION = "the certificate must be an object with ", "version must be 1 or 2, which this checker knows, not "
FORMAT = AN_OBJECT + "'format': 'fstheory certificate', not "
NAME, KIND = "must be a name that can be printed, not ", "kind must be 'refuted', 'realized' or 'proved', not "
SIZE, WEIGHT = "a size in shape must be an integer from 1 to 1024, not ", "a weight must be an integer from 0 to "
LOWEST = "must be a rational 'p/q' or 'p' in lowest terms, not "

WEIGHTS: list[Change] = [
    (("format",), "fstheory", FORMAT),
    (("version",), 3, VERSION + "3"),
    (("version",), "1", VERSION + "'1'"),
    (("version",), True, VERSION + "True"),
    (("kind",), "holds", KIND + "'holds'"),
    (("kind",), ["refuted"], KIND + "('refuted',)"),
    (("kind",), "realized", "show[0], 'hint', must be true at the weights, not False"),
    (("kind",), "proved", AN_OBJECT + "the keys ['assume', "),
    (("claim",), "", f"claim {NAME}''"),
    (("claim",), 3, f"claim {NAME}3"),
    (("claim",), "\x1b[2J", f"claim {NAME}'\\x1b[2J'"),
    (("claim",), "a\ud800", f"claim {NAME}'a\\ud800'"),
    (("more",), 1, AN_OBJECT + f"the keys {KEYS}, not "),
    (("shape",), [2, 2, 2], "shape must be an object with the keys ['cardinalities', 'classes'], not (2, 2, 2)"),
    (("shape", "classes"), 3, "a part of weights must be a list of 3, not (1, 0)"),
    (("shape", "classes"), 0, SIZE + "0"),
    (("shape", "cardinalities"), [2], WEIGHT),
    (("shape", "cardinalities"), [2, 3], "a part of weights must be a list of 3, not ((1, 0), (0, 1))"),
    (("shape", "cardinalities"), [2, True], SIZE + "True"),
    (("weights",), DOUBLED, "total must be the sum of the weights, 8, and above 0, not 4"),
    (("weights", 0, 0, 0), 2, "total must be the sum of the weights, 5, and above 0, not 4"),
    (("weights", 0, 0, 0), -1, WEIGHT),
    (("weights", 0, 0, 0), "1", WEIGHT),
    (("weights", 0, 0, 0), True, WEIGHT),
    (("weights", 0, 0), [1], "a part of weights must be a list of 2, not (1,)"),
    (("weights", 0, 0), [0, 1], "values[0] must be '1/4', the value of ('R', (0,)), not '1/2'"),
    (("total",), 8, "total must be the sum of the weights, 4, and above 0, not 8"),
    (("total",), "4", "total must be the sum of the weights, 4, and above 0, not '4'"),
    (("assume",), {}, "assume must be a list, not {}"),
    (("assume", 0), [], "assume[0] must be an object with the keys ['formula', 'name', 'where'], not ()"),
    (("assume", 0, "name"), None, f"assume[0].name {NAME}None"),
    (("assume", 0, "where"), [], "assume[0].where must be an object, not ()"),
    (("assume", 0, "formula", 0), "=", "assume[0], 'positive', must be true at the weights, not False"),
    (("assume", 3, "formula"), ["or"], "assume[3], 'positive', must be true at the weights, not False"),
    (("show",), [], "show must be a list of 1, not ()"),
    (("show", 0, "formula"), ["and"], "show[0], 'hint', must be false at the weights, not True"),
    (("show", 0, "formula"), ["or"], "values must be a list of 0, not "),
    (("show", 0, "formula", 2, 2), q("1/2"), "show[0], 'hint', must be false at the weights, not True"),
    (("show", 0, "formula", 2, 1), q("1/2"), "values must be a list of 4, not "),
    (("values",), [], "values must be a list of 3, not ()"),
    (("values", 0, 0), P([0, 0]), "values[0] must be about ('R', (0,)), not ('P', (0, 0), None)"),
    (("values", 0, 0), 1, "values[0] must be a term, not 1"),
    (("values", 0, 1), "1/4", "values[0] must be '1/2', the value of ('R', (0,)), not '1/4'"),
    (("values", 0, 1), "2/4", "values[0] must be '1/2', the value of ('R', (0,)), not '2/4'"),
    (("values", 0, 1), ["0", "1"], "values[0] must be '1/2', the value of ('R', (0,)), not ('0', '1')"),
    (("values", 2, 1), 0, "values[2] must be '0', the value of ('R', (0, 1)), not 0"),
    (("values", 0), ["1/2"], "values[0] must be a list of 2, not ('1/2',)"),
]

# A little too small and a little too large for the root of 2: 1.41421356237309504880168..
BELOW, ABOVE = (str(Fraction(digits, 10**19)) for digits in (14142135623730950488, 14142135623730950489))
AROUND = "values[4] must be an interval around 1.41421356237310, not "
IRRATIONAL: list[Change] = [
    (("values", 4, 1), "7/5", "values[4] must be a list of 2, not '7/5'"),
    (("values", 4, 1), ["0", "2"], "values[4] must be an interval of width at most 1/1000000000000, not ('0', '2')"),
    (("values", 4, 1), [ABOVE, "3/2"], AROUND + f"('{ABOVE}', '3/2')"),
    (("values", 4, 1), ["1", BELOW], AROUND + f"('1', '{BELOW}')"),
    (("values", 4, 1), ["2", "1"], AROUND + "('2', '1')"),
    (("values", 4, 1, 0), "2/2", f"values[4] {LOWEST}'2/2'"),
    (("values", 1, 1), ["-1/10000000000000", "1/10000000000000"], "values[1] must be '0', the value of "),
]

TREE, CASES = ("proofs", 0, "tree"), "proofs[0].tree.cases"
SPLIT, PAIR = (*TREE, "split"), (*TREE, "cases", 0, "farkas", 0)
LEFT = "multipliers under which all unknowns cancel, not "
PROOF: list[Change] = [
    (("proofs",), [], "proofs must be a list of 1, not ()"),
    (("maxima",), {}, "maxima must be a list, not {}"),
    (("maxima", 2), q(1), "maxima[2] must be a 'max' node, not ('q', '1')"),
    (("maxima", 2), ["max"], "maxima[2] must be a term, not ('max',)"),
    (("maxima", 2), ["max", P([2])], "an index of P in maxima[2] must be an integer from 0 to 1, not 2"),
    ((*SPLIT, 1), 0, f"{CASES}[0].farkas must be "),
    ((*SPLIT, 1), 3, "proofs[0].tree.split must be an integer from 0 to 2, not 3"),
    (SPLIT, ["max"], "proofs[0].tree.split must be a list of 2, not ('max',)"),
    ((*TREE, "cases", 1), {"farkas": [[0, "1"]]}, f"{CASES}[1].farkas must be {LEFT}((0, '1'),)"),
    (PAIR, [0], f"{CASES}[0].farkas must be a list of 2, not (0,)"),
    ((*PAIR, 1), 1, f"{CASES}[0].farkas {LOWEST}1"),
    ((*PAIR, 1), "2", f"{CASES}[0].farkas must be {LEFT}"),
    (("evidence",), "solvers", AN_OBJECT + "the keys ['assume', "),
    (("kind",), "refuted", AN_OBJECT + "the keys ['assume', "),
]

SOLVERS: list[Change] = [
    (("evidence",), "trust me", "evidence must be 'solvers' if it is given, not 'trust me'"),
    (("solvers",), [], "solvers must be a list of names, not []"),
    (("solvers",), "z3", "solvers must be a list, not 'z3'"),
    (("solvers", 0), "", f"solvers {NAME}''"),
    (("proofs",), [], AN_OBJECT + "the keys ['assume', "),
]


TABLES: list[tuple[Callable[[], Content], list[Change]]] = [
    (examples.refuted, WEIGHTS),
    (examples.irrational, IRRATIONAL),
    (examples.proved, PROOF),
    (examples.by_solvers, SOLVERS),
]


@pytest.mark.parametrize(
    ("example", "change"),
    [
        pytest.param(example, change, id=f"{example().get('kind')}-{i}-{'.'.join(map(str, change[0]))}")
        for example, changes in TABLES
        for i, change in enumerate(changes)
    ],
)
def test_a_change_is_named(example: Callable[[], Content], change: Change) -> None:
    path, new, message = change
    rejected(signed(dict(replaced(example(), path, new))), message)


def test_every_part_is_needed() -> None:
    for example in (*examples.AT_WEIGHTS, *examples.PROVED, examples.by_solvers):
        for key in example():
            rest = {k: part for k, part in example().items() if k != key}
            for content in (rest, signed(rest)) if key != "digest" else (rest,):
                with pytest.raises(CertificateError):
                    check_certificate(content)


def test_weights_in_lowest_terms() -> None:
    message = "the weights must be in lowest terms, not (((2, 0), (0, 2)), ((0, 2), (2, 0)));"
    rejected(signed(examples.refuted(), weights=DOUBLED, total=8), message)
    nothing = [[[0, 0], [0, 0]], [[0, 0], [0, 0]]]
    rejected(
        signed(examples.refuted(), weights=nothing, total=0),
        "total must be the sum of the weights, 0, and above 0, not 0;",
    )


@pytest.mark.parametrize("digest", [None, "", "0" * 64, 0, ["a"], examples.refuted()["digest"].upper()])
def test_the_digest_comes_first(digest: Json) -> None:
    """Whatever else is wrong, a changed file is called that."""
    changed = {**examples.refuted(), "digest": digest}
    for content in (changed, {**changed, "total": 5}):
        rejected(content, "digest must be that of the rest, which was changed, not ")


def test_two_values_in_the_wrong_order() -> None:
    first, second, third = examples.refuted()["values"]
    swapped = signed(examples.refuted(), values=[second, first, third])
    rejected(swapped, "values[0] must be about ('R', (0,)), not ('R', (1,))")
