"""Files made to harm: whatever they hold, the answer is a CertificateError, before much work is done."""

import functools
import json
import os
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstheory.checker import reading
from fstheory.checker.certificates import check_certificate, check_certificate_text
from fstheory.errors import CertificateError
from tests.logic import examples
from tests.logic.building import Content, Json, P, at_weights, instance, q, rejected, signed, statement

TEXT = json.dumps(examples.refuted())
DEEP = "the certificate must be of at most 3000000 values, nested at most 250 deep, not "


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("", "the text must be JSON (Expecting value: line 1 column 1 (char 0)), not ''"),
        ("{}", "the certificate must be an object with 'format': 'fstheory certificate', not {}"),
        ("1e400", "a number must be an integer or a string 'p/q', not '1e400'"),
        ("NaN", "a number must be an integer or a string 'p/q', not 'NaN'"),
        ('{"a": 0.5}', "a number must be an integer or a string 'p/q', not '0.5'"),
        ('{"a": {"b": 1, "b": 1}}', "the keys of an object must be distinct, not 'b'"),
        ("1" * 5000, "the text must be JSON (Exceeds the limit (4300 digits) for integer string conversion"),
        ("1" * 1000, "a number must be of at most 2048 bits, not <an integer of 3319 bits>"),
        ("[" * 100_000, "the text must be JSON (maximum recursion depth exceeded"),
        ("[" * 400 + "]" * 400, DEEP + "'deeper'"),
        ('{"a":' * 400 + "1" + "}" * 400, DEEP + "'deeper'"),
        (TEXT + "{}", "the text must be JSON (Extra data"),
    ],
)
def test_text(broken: str, message: str) -> None:
    with pytest.raises(CertificateError) as error:
        check_certificate_text(broken)
    assert str(error.value).startswith(message)


class Four(int):
    """A subclass of int, which may behave differently."""


class Text(str):
    """A subclass of str, which may behave differently."""


ODD: list[Any] = [1.0, Fraction(1, 2), np.int64(1), np.bool_(True), b"1", {1}, object(), range(2), Four(4), Text("4")]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_values_that_json_does_not_have(odd: Any) -> None:
    rejected({**examples.refuted(), "total": odd}, "a value must be a string, an integer, true, false, null, a list or")


@pytest.mark.parametrize("key", [1, Text("more")])
def test_keys_that_json_does_not_have(key: Any) -> None:
    rejected({**examples.refuted(), key: 4}, "a key must be a string, not ")


def test_a_list_that_holds_itself() -> None:
    loop: list[Any] = []
    loop.append(loop)
    rejected({**examples.refuted(), "values": loop}, DEEP + "'deeper'")


def test_a_few_lists_that_are_many() -> None:
    """A list of the same list twice, thirty times over, has a thousand million parts."""
    many: list[Any] = [1]
    for _ in range(30):
        many = [many, many]
    with pytest.raises(CertificateError, match=r"of at most 30000 values, nested at most 250 deep, not 'more'"):
        reading.plain(many, max_values=30_000)


def test_a_text_and_a_file_that_are_too_long_or_no_object(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_bytes(b"")
    os.truncate(path, reading.MAX_BYTES + 1)
    rejected(path, f"the file must be of at most {reading.MAX_BYTES} bytes, not 'longer'")
    path.write_text("[]")
    rejected(path, "the certificate must be an object with a 'format', not []")
    with pytest.raises(CertificateError, match=f"the text must be of at most {reading.MAX_BYTES} characters, not "):
        check_certificate_text(TEXT + " " * reading.MAX_BYTES)
    assert check_certificate_text(TEXT + " " * 1000)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ([2] * 11, "shape.cardinalities must be at most 10 numbers, not "),
        ([32, 32], "shape must be of at most 1024 cells, not "),
        ([10**9], "a size in shape must be an integer from 1 to 1024, not 1000000000"),
    ],
)
def test_too_many_cells(shape: list[int], message: str) -> None:
    rejected(signed(statement("proved", shape, 2, [], []), maxima=[], proofs=[]), message)


# Work without end: in tests, a hundredth of the steps is enough


def proof(formula: Json, tree: Json, cardinalities: tuple[int, ...] = (2,), **more: Json) -> Content:
    content = statement("proved", cardinalities, 2, [], [instance("it", formula)])
    return {**content, "maxima": [], "proofs": [{"tree": tree}], **more}


def real(formula: Json, *values: Json, weights: Json = (1, 1)) -> Content:
    """Return a certificate that a formula is true at one distribution."""
    return at_weights("realized", list(weights), instance("it", formula), values)


def product_of(factors: int) -> Json:
    return functools.reduce(lambda term, _: ["*", q(BIG), term], range(factors), q(BIG))


BITS, BIG = "a number must be of at most 2048 bits", str(2**2000 + 1)
DENOMINATORS = [10**300 + 2 * i + 1 for i in range(1000)]
FRACTIONS = [q(f"{sign}1/{d}") for sign in ("", "-") for d in DENOMINATORS[:10]]
LONG_SUM = ["+", *(q(f"1/{BIG[:-5]}{i:05}") for i in range(10_001, 20_001, 2))]
NEVER, SOME = ["<", q(0), q(0)], ["<", P([None]), P([None], 0)]
CONTRADICTION: Json = {"farkas": [[0, "1"]]}

MULTIPLIERS = [[["p", i], f"1/{d}"] for i, d in enumerate(DENOMINATORS)]

#: What is computed on the way is bounded too: a million digits on the way to 0 would take long.
LONG: dict[str, Content] = {
    "an integer": proof(["<", q("9" * 700), q(0)], CONTRADICTION),
    "a denominator": proof(["<", q(f"1/{'9' * 700}"), q(0)], CONTRADICTION),
    "a multiplier": proof(["or"], {"farkas": [["total", "9" * 700]]}),
    "a product": proof(["<", product_of(100), q(0)], CONTRADICTION),
    "a value": real(["<", q(0), product_of(100)]),
    "a sum": real(["<", q(0), LONG_SUM]),
    "a sum that is 0": proof(["<=", ["+", *FRACTIONS], q(0)], CONTRADICTION),
    "no short common denominator": proof(["or"], {"farkas": MULTIPLIERS}, (512,)),
}


@pytest.mark.parametrize("what", LONG)
def test_long_numbers(what: str) -> None:
    rejected(signed(LONG[what]), BITS)


@pytest.mark.parametrize("irrational", [["log", q(2)], ["sqrt", q(2)]])
def test_coefficients_that_grow_and_shrink_again(irrational: Json) -> None:
    total = ["+", *(["*", fraction, irrational] for fraction in FRACTIONS)]
    rejected(real(["=", total, q(0)], [total, "0"], [q(0), "0"]), BITS)
    constant = ["+", irrational, *FRACTIONS, ["*", q(-1), irrational]]
    rejected(real(["=", constant, q(0)], [constant, "0"], [q(0), "0"]), BITS)
    few = ["+", *total[1:3], *total[11:13]]
    assert check_certificate(real(["=", few, q(0)], [few, "0"], [q(0), "0"]))


def facts_that_are_used() -> Content:
    """Use facts of a thousand terms each, in leaf after leaf."""
    nothing = ["<", P([None]), ["*", q(1), P([None])]]
    some = [["<", P([None], 0), P([None])], ["<", P([None]), P([None], 0)]]
    show = [instance("it", ["not", ["and", nothing, *(some * 50)]])] * 100
    tree = {"farkas": [[i, "1"] for i in range(101)]}
    return {**statement("proved", [512], 2, [], show), "maxima": [], "proofs": [{"tree": tree}] * 100}


def disjunctions_that_are_copied() -> Content:
    """Copy five thousand disjunctions into each of a thousand cases."""
    formula = ["not", ["and", ["or", *[NEVER] * 1000], *[["or", NEVER, NEVER]] * 5_000]]
    return proof(formula, {"split": ["or", 0], "cases": [CONTRADICTION] * 1000})


def facts_that_are_copied() -> Content:
    """Copy four thousand facts into each of a thousand cases."""
    tree = {"split": ["max", 0], "cases": [CONTRADICTION] * 1000}
    return proof(["not", ["and", *[NEVER] * 4_000]], tree, maxima=[["max", *[P([None], 0)] * 1000]])


def renamings() -> Content:
    assume = [instance("long", ["or", *(["<=", P([None, i % 2]), P([i % 2, None])] for i in range(4_000))])]
    first = {"tree": {"farkas": [[0, "1"], [["p", 0], "1"], [["p", 1], "1"]]}}
    content = statement("proved", [2, 2], 2, assume, [instance("it", ["<=", q(0), P([0, 0])])] * 600)
    return {**content, "maxima": [], "proofs": [first] + [{**examples.EXCHANGED, "features": [0, 1]}] * 599}


def entropies_that_are_hard_to_compare() -> Content:
    """Compare a thousand logarithms of long integers with themselves in another order."""
    numbers = random.Random(1)
    weights = [[numbers.getrandbits(1900) | 1 for _ in range(16)] for _ in range(64)]
    entropy = ["H", [0], True]
    chain = ["+", entropy, ["*", q(-1), ["+", entropy, ["log", q(2)]]]]
    return real(["and", *(["<", chain, q(i)] for i in range(2, 3000))], weights=weights)


def roots_that_multiply() -> Content:
    """Multiply (1 + sqrt 2)(1 + sqrt 3)(1 + sqrt 5).., which has twice as many terms with each factor."""
    primes = [p for p in range(2, 300) if all(p % d for d in range(2, p))]
    term = functools.reduce(lambda term, p: ["*", ["+", q(1), ["sqrt", q(p)]], term], primes, q(1))
    return real(["<", q(0), term])


def risks_of_many_cells(kind: str = "R") -> Content:
    """Ask for the risks of all subsets of ten features on four thousand cells of very many."""
    numbers = random.Random(1)
    subsets = [[i for i in range(10) if mask >> i & 1] for mask in range(1024)]
    places = sorted({tuple(numbers.randrange(50) for _ in range(10)) for _ in range(4000)})
    formula = ["and", *(["<", [kind, kept, *[True] * (kind == "H")], q(1000)] for kept in subsets)]
    content = statement("realized", [50] * 10, 2, [], [instance("it", formula)])
    cells = [[*place, i % 2, numbers.getrandbits(1900) | 1] for i, place in enumerate(places)]
    total = sum(cell[-1] for cell in cells)
    return signed(content, version=4, assumptions=[], cells=cells, total=total, values=[])


def entropies_of_many_cells() -> Content:
    return risks_of_many_cells("H")


ENDLESS: list[Callable[[], Content]] = [
    facts_that_are_used,
    disjunctions_that_are_copied,
    facts_that_are_copied,
    renamings,
    entropies_that_are_hard_to_compare,
    roots_that_multiply,
    risks_of_many_cells,
    entropies_of_many_cells,
]


@pytest.mark.parametrize("endless", ENDLESS)
@pytest.mark.one_in(6)
def test_work_without_end(endless: Callable[[], Content]) -> None:
    with pytest.raises(CertificateError, match="the check must be of at most 300000 steps, not 'longer'"):
        check_certificate(signed(endless()), max_steps=3 * 10**5)


def test_a_large_shape_costs_what_its_cells_cost() -> None:
    """There are 10**18 cells, two with weight, of which a formula with sums over all of them is true."""
    shape, sides = [10**6] * 2 + [10**5], [["R", [0, 1, 2]], ["R", []], ["H", [0, 1], True], P([None, 5, None])]
    content = statement("realized", shape, 10, [], [instance("it", ["=", sides[0], q(0)])])
    content |= {"version": 4, "assumptions": [], "cells": [[7, 5, 3, 9, 1], [10**6 - 1, 5, 3, 8, 1]], "total": 2}
    assert check_certificate(signed(content, values=[[sides[0], "0"], [q(0), "0"]]), max_steps=10**4)
    formula = ["and", *(["<=", side, q(1)] for side in sides)]
    content["show"] = [instance("it", formula)]
    log = [f"{end}/{10**12}" for end in (693147180559, 693147180560)]
    log = [str(Fraction(end)) for end in log]
    found = [[sides[0], "0"], [q(1), "1"], [sides[1], "1/2"], [sides[2], log], [sides[3], "1"]]
    assert check_certificate(signed(content, values=found), max_steps=10**5)


@pytest.mark.parametrize("depth", [240, 300, 2000])
def test_a_deep_formula_is_no_crash(depth: int) -> None:
    formula: Json = ["and"]
    for _ in range(depth):
        formula = ["not", formula]
    content = {**statement("realized", (), 2, [], [instance("it", formula)]), "weights": [1, 1], "total": 2}
    if depth <= 240:
        assert check_certificate(signed(content, values=[]))
    else:
        rejected({**content, "values": [], "digest": "?"}, DEEP)


def test_a_deep_tree_is_no_crash() -> None:
    content = examples.proved()
    tree = content["proofs"][0]["tree"]
    for _ in range(110):
        tree = {"split": ["max", 0], "cases": [CONTRADICTION, tree]}
    with pytest.raises(CertificateError, match=r"tree\.cases\[0\]\.farkas must be multipliers under which"):
        check_certificate(signed(content, proofs=[{"tree": tree}]))


def test_limits_are_those_that_are_documented() -> None:
    assert (reading.MAX_FEATURES, reading.MAX_CELLS, reading.MAX_STEPS) == (10, 1024, 10**8)
    assert (reading.MAX_BYTES, reading.MAX_VALUES, reading.MAX_DEPTH, reading.MAX_BITS) == (2**26, 3_000_000, 250, 2048)
