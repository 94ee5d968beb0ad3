"""No changed certificate is accepted unless it is still true: single changes by hand, and thousands at random.

With the digest left as it was, every change is seen. With the digest made anew, what is still accepted is true.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import settings

from fstheory.checker.certificates import check_certificate
from fstheory.errors import CertificateError
from tests.logic import definition, examples
from tests.logic.building import Content, Json, P, q, rejected, signed
from tests.logic.mutants import Path, is_accepted, mutated, replaced

EXAMPLES = [*examples.AT_WEIGHTS, *examples.PROVED]
CHANGES = 10 * settings.default.max_examples if settings.default else 300

Change: TypeAlias = tuple[Path, Json, str]
"""A place, what stands there afterwards, and how the message begins."""


# One change by hand, the digest made anew

KEYS = ["assume", "claim", "digest", "format", "kind", "shape", "show", "total", "values", "version", "weights"]
AN_OBJECT, VERSION = "the certificate must be an object with ", "version must be 1 to 5, known to this checker, not "
NAME, KIND = (
    "must be a name that can be printed, not ",
    "kind must be 'refuted' or 'realized' or 'proved' in version 2, not ",
)
SIZE, WEIGHT = "a size in shape must be an integer from 1 to 1024, not ", "a weight must be an integer from 0 to "
TOTAL, LOWEST = "total must be the sum of the weights, 4", "must be a rational 'p/q' or 'p' in lowest terms, not "

WEIGHTS: list[Change] = [
    (("format",), "fstheory", AN_OBJECT + "'format': 'fstheory certificate', not "),
    (("version",), 6, VERSION + "6"),
    (("version",), 5, "kind must be 'proved' in version 5, not 'r"),
    (("version",), 4, AN_OBJECT + "the keys ['assume', 'assumptions', 'cells', "),
    (("version",), 3, "kind must be 'proved' in version 3, not 'r"),
    (("version",), True, VERSION + "True"),
    (("kind",), "holds", KIND + "'holds'"),
    (("kind",), "realized", "show[0], 'hint', must be true at the weights, not False"),
    (("kind",), "proved", AN_OBJECT + "the keys ['assume', "),
    (("claim",), "", f"claim {NAME}''"),
    (("claim",), "\x1b[2J", f"claim {NAME}'\\x1b[2J'"),
    (("more",), 1, AN_OBJECT + f"the keys {KEYS}, not "),
    (("shape",), [2, 2, 2], "shape must be an object with the keys ['cardinalities', 'classes'], not (2, 2, 2)"),
    (("shape", "classes"), 3, "a part of weights must be a list of 3, not (1, 0)"),
    (("shape", "classes"), 0, SIZE + "0"),
    (("shape", "cardinalities"), [2, True], SIZE + "True"),
    (("weights", 0, 0, 0), 2, "total must be the sum of the weights, 5, and above 0, not 4"),
    (("weights", 0, 0, 0), -1, WEIGHT),
    (("weights", 0, 0), [1], "a part of weights must be a list of 2, not (1,)"),
    (("weights", 0, 0), [0, 1], "values[0] must be '1/4', the value of ('R', (0,)), not '1/2'"),
    (("total",), 8, TOTAL + ", and above 0, not 8"),
    (("assume",), {}, "assume must be a list, not {}"),
    (("assume", 0, "name"), None, f"assume[0].name {NAME}None"),
    (("assume", 0, "where"), [], "assume[0].where must be an object, not ()"),
    (("assume", 3, "formula"), ["or"], "assume[3], 'positive', must be true at the weights, not False"),
    (("show",), [], "show must be a list of 1, not ()"),
    (("show", 0, "formula"), ["and"], "show[0], 'hint', must be false at the weights, not True"),
    (("show", 0, "formula"), ["or"], "values must be a list of 0, not "),
    (("values", 0, 0), P([0, 0]), "values[0] must be about ('R', (0,)), not ('P', (0, 0), None)"),
    (("values", 0, 0), 1, "values[0] must be a term, not 1"),
    (("values", 0, 1), "1/4", "values[0] must be '1/2', the value of ('R', (0,)), not '1/4'"),
    (("values", 2, 1), 0, "values[2] must be '0', the value of ('R', (0, 1)), not 0"),
    (("values", 0), ["1/2"], "values[0] must be a list of 2, not ('1/2',)"),
]

# A little too small and a little too large for the root of 2: 1.41421356237309504880168..
BELOW, ABOVE = (str(Fraction(digits, 10**19)) for digits in (14142135623730950488, 14142135623730950489))
AROUND = "values[4] must be an interval around the value, about 1.41421356237, not "
IRRATIONAL: list[Change] = [
    (("values", 4, 1), ["0", "2"], "values[4] must be an interval of width at most 1/1000000000000, not ('0', '2')"),
    (("values", 4, 1), [ABOVE, "3/2"], AROUND + f"('{ABOVE}', '3/2')"),
    (("values", 4, 1), ["1", BELOW], AROUND + f"('1', '{BELOW}')"),
    (("values", 4, 1, 0), "2/2", f"values[4] {LOWEST}'2/2'"),
    (("values", 1, 1), ["-1/10000000000000", "1/10000000000000"], "values[1] must be '0', the value of "),
]

TREE, CASES = ("proofs", 0, "tree"), "proofs[0].tree.cases"
SPLIT, PAIR = (*TREE, "split"), (*TREE, "cases", 0, "farkas", 0)
LEFT = "multipliers under which all unknowns cancel, not "
PROOF: list[Change] = [
    (("proofs",), [], "proofs must be a list of 1, not ()"),
    (("maxima",), {}, "maxima must be a list, not {}"),
    (("maxima", 2), q(1), "maxima[2] must be a 'max' node, not ('q', Fraction(1, 1))"),
    (("maxima", 2), ["max", P([2])], "an index of P in maxima[2] must be an integer from 0 to 1, not 2"),
    ((*SPLIT, 1), 0, f"{CASES}[0].farkas must be "),
    ((*SPLIT, 1), 3, "proofs[0].tree.split must be an integer from 0 to 2, not 3"),
    (SPLIT, ["max"], "proofs[0].tree.split must be [\"max\", maximum k], not ('max',)"),
    ((*TREE, "cases", 1), {"farkas": [[0, "1"]]}, f"{CASES}[1].farkas must be {LEFT}((0, '1'),)"),
    (PAIR, [0], f"{CASES}[0].farkas must be a list of 2, not (0,)"),
    ((*PAIR, 1), 1, f"{CASES}[0].farkas {LOWEST}1"),
    ((*PAIR, 1), "2", f"{CASES}[0].farkas must be {LEFT}"),
    (("evidence",), "solvers", AN_OBJECT + "the keys ['assume', "),
]

SOLVERS: list[Change] = [
    (("evidence",), "trust me", "evidence must be 'solvers' if it is given, not 'trust me'"),
    (("solvers",), [], "solvers must be a list of names, not []"),
    (("solvers",), "z3", "solvers must be a list, not 'z3'"),
    (("solvers", 0), "", f"solvers {NAME}''"),
    (("proofs",), [], AN_OBJECT + "the keys ['assume', "),
]

IN_ORDER = "cells must be in ascending order, not "
CELLS: list[Change] = [
    (("version",), 2, AN_OBJECT + "the keys ['assume', 'claim', "),
    (("version",), 3, "kind must be 'proved' in version 3, "),
    (("kind",), "proved", "kind must be 'refuted' or 'realized' in version 4, not 'proved'"),
    (("cells",), {}, "cells must be a list, not {}"),
    (("cells",), [], "total must be the sum of the weights, 0, and above 0, not 4"),
    (("cells", 1), [0, 0, 0, 1], IN_ORDER + "(0, 0, 0, 1)"),
    (("cells", 3), [0, 0, 1, 1], IN_ORDER + "(0, 0, 1, 1)"),
    (("cells", 3), [1, 1, 0], "a part of cells must be a list of 4, not (1, 1, 0)"),
    (("cells", 3, 0), 2, "an index in cells must be an integer from 0 to 1, not 2"),
    (("cells", 3, 0), True, "an index in cells must be an integer from 0 to 1, not True"),
    (("cells", 3, 3), 0, "a weight must be an integer from 1 to "),
    (("cells", 3, 3), 2, "total must be the sum of the weights, 5"),
    (("shape", "cardinalities", 0), 3, "positive must be true at the weights, not False"),
    (("shape", "cardinalities", 0), 10**12, "positive must be true at the weights, not False"),
    (("shape", "classes"), 10**18, "shape must be of at most 1000000000000000000 cells, not "),
    (("assumptions", 0), "independent", "assumptions must be some of ('positive', 'unique_maximum'), not "),
    (("assumptions", 0), "unique_maximum", "assumptions must be some of ('positive', 'unique_maximum'), not "),
    (("values", 2, 1), "1/2", "values[2] must be '0', the value of ('R', (0, 1)), not '1/2'"),
]

TABLES: list[tuple[Callable[[], Content], list[Change]]] = [
    (examples.refuted, WEIGHTS),
    (examples.sparse_refuted, CELLS),
    (examples.irrational, IRRATIONAL),
    (examples.proved, PROOF),
    (examples.by_solvers, SOLVERS),
]


@pytest.mark.parametrize(
    ("example", "change"),
    [
        pytest.param(example, change, id=f"{example.__name__}-{i}-{'.'.join(map(str, change[0]))}")
        for example, changes in TABLES
        for i, change in enumerate(changes)
    ],
)
def test_a_change_is_named(example: Callable[[], Content], change: Change) -> None:
    path, new, message = change
    rejected(signed(replaced(example(), path, new)), message)


@pytest.mark.parametrize("example", [*EXAMPLES, examples.by_solvers])
def test_every_part_is_needed(example: Callable[[], Content]) -> None:
    for key in example():
        rest = {k: part for k, part in example().items() if k != key}
        for content in (rest, signed(rest)) if key != "digest" else (rest,):
            with pytest.raises(CertificateError):
                check_certificate(content)


def test_weights_in_lowest_terms() -> None:
    doubled, nothing = ([[[a, 0], [0, a]], [[0, a], [a, 0]]] for a in (2, 0))
    message = "the weights must be in lowest terms, not (((2, 0), (0, 2)), ((0, 2), (2, 0)));"
    rejected(signed(examples.refuted(), weights=doubled, total=8), message)
    message = "total must be the sum of the weights, 0, and above 0, not 0;"
    rejected(signed(examples.refuted(), weights=nothing, total=0), message)


def test_a_tie_is_no_single_maximum_of_listed_cells() -> None:
    tied = signed(examples.sparse_irrational(), assumptions=["unique_maximum"])
    rejected(tied, "unique_maximum must be true at the weights, not False")


@pytest.mark.parametrize("digest", [None, "0" * 64, ["a"], examples.refuted()["digest"].upper()])
def test_the_digest_comes_first(digest: Json) -> None:
    """Whatever else is wrong, a changed file is called that."""
    changed = {**examples.refuted(), "digest": digest}
    for content in (changed, {**changed, "total": 5}):
        rejected(content, "digest must be that of the rest, which was changed, not ")


@pytest.mark.parametrize("example", [examples.irrational, examples.proved_with_images, examples.by_solvers])
def test_every_change_is_seen_by_the_digest(example: Callable[[], Content]) -> None:
    genuine, random = example(), Random(1)
    for _ in range(CHANGES):
        changed = mutated(genuine, random)
        assert json.dumps(changed, sort_keys=True) == json.dumps(genuine, sort_keys=True) or not is_accepted(changed)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_genuine_ones_are_true(example: Callable[[], Content]) -> None:
    assert definition.is_true(example())


@pytest.mark.thorough
@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("changes", [1, 2])
def test_a_changed_certificate_is_accepted_only_if_it_is_true(example: Callable[[], Content], changes: int) -> None:
    genuine, random, verdicts = example(), Random(changes), set()
    for _ in range(CHANGES):
        changed = genuine
        for _ in range(changes):
            changed = mutated(changed, random)
        verdicts.add(accepted := is_accepted(changed := signed(changed)))
        assert not accepted or definition.is_true(changed), changed
    assert False in verdicts
    assert changes > 1 or True in verdicts  # two changes rarely agree with each other


def test_changed_bounds_of_maxima_are_accepted_only_in_another_order() -> None:
    """Of all references to upper bounds that can stand for one of them, with any multiplier."""
    genuine, random = examples.proved_by_bounds(), Random(0)
    first, second = genuine["proofs"]
    for _ in range(CHANGES):
        parts = [random.randint(-1, 3) for _ in range(random.randint(0, 3))]
        reference = [random.choice(["sum", "whole", "M", "p"]), random.randint(-1, 3), parts][: random.randint(2, 3)]
        pair = [reference, random.choice(["1", "2", "-1"])]
        changed = signed(genuine, proofs=[{"tree": {"farkas": [first["tree"]["farkas"][0], pair]}}, second])
        assert is_accepted(changed) == (pair in [[["sum", 0, [1, 2]], "1"], [["sum", 0, [2, 1]], "1"]]), pair
