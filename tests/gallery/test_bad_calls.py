"""Bad calls of the gallery: what each raises, and the whole message."""

from __future__ import annotations

import re

import pytest

from fstheory import gallery
from fstheory.errors import FSTheoryError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError

TABLE: list[tuple[str, type[FSTheoryError], str]] = [
    ("monks(4)", UnknownNameError, r"problem 4 does not exist; use one of: 1, 2, 3"),
    ("monks('1')", InvalidTypeError, r"problem must be an integer, not '1'; pass a whole number"),
    ("monks(True)", InvalidTypeError, r"problem must be an integer, not True; pass a whole number"),
    (
        "monks(3, noise='6/5')",
        InvalidValueError,
        r"noise must be a probability, not '6/5'; pass a number from 0 to 1, such as '1/10'",
    ),
    (
        "led(noise=0.1)",
        InvalidTypeError,
        r"noise must be an exact number, not 0\.1; a float is binary: write the decimal as a string .*",
    ),
    ("led(target='odd')", UnknownNameError, r"target 'odd' does not exist; use one of: 'digit', 'parity'"),
    ("led(target=['digit'])", UnknownNameError, r"target \['digit'\] does not exist; use one of: 'digit', 'parity'"),
    ("asia('cancer')", UnknownNameError, r"target 'cancer' does not exist; use one of: 'asia', 'smoke', .*'dysp'"),
    ("parity(-1)", InvalidValueError, r"n must be at least 0, not -1; pass 0 or more"),
    ("parity(2, noise=-1)", InvalidValueError, r"noise must be a probability, not '-1'; .*"),
    (
        "parity(60)",
        TooLargeError,
        r"the table of all cells must fit in half of this machine's memory .*; ask for fewer features",
    ),
    ("copies(0)", InvalidValueError, r"n must be at least 1, not 0; pass 1 or more"),
    (
        "pena_nilsson_example_1(0)",
        InvalidValueError,
        r"p must be strictly between 0 and 1, not '0'; the example asks for p\(x\) > 0",
    ),
    ("with_copy(xor(), 'Y')", UnknownNameError, r"feature 'Y' does not exist; use one of: 'X1', 'X2'"),
    (
        "with_copy(xor(), 'X1', 'Y')",
        InvalidValueError,
        r"copy must be a new name, not 'Y'; the variables are X1, X2, Y",
    ),
    (
        "with_copy('xor', 'X1')",
        InvalidTypeError,
        r"d must be a JointDistribution, not 'xor'; pass gallery\.xor\(\), say",
    ),
    (
        "random(rng=None)",
        InvalidTypeError,
        r"rng must be an int or a random\.Random, not None; pass a seed such as rng=0",
    ),
    ("random(rng=0.5)", InvalidTypeError, r"rng must be an int or a random\.Random, not 0\.5; .*"),
    ("random(3)", InvalidTypeError, r"cardinalities must be a list of integers, not 3; write \(2, 2, 3\)"),
    ("random((2, 0))", InvalidValueError, r"cardinalities\[1\] must be at least 1, not 0; pass 1 or more"),
    ("random((2,), 0)", InvalidValueError, r"classes must be at least 1, not 0; pass 1 or more"),
    (
        "random((2,), zeros=4)",
        InvalidValueError,
        r"zeros must be at most 3 here, not 4; leave some cells to draw",
    ),
    ("random((2,), zeros=3, positive=True)", InvalidValueError, r"zeros must be at most 2 here, not 3; .*"),
    (
        "random((2,), ties=3)",
        InvalidValueError,
        r"ties must be at most 2 here, not 3; a tie takes a feature state and two classes",
    ),
    ("random((2,), 1, ties=1)", InvalidValueError, r"ties must be at most 0 here, not 1; .*"),
    (
        "random((2,), total=3, positive=True)",
        InvalidValueError,
        r"total must be at least 4, 1 for each cell to fill, not 3; raise total",
    ),
    ("random((2,), total=0)", InvalidValueError, r"total must be at least 1, not 0; pass 1 or more"),
    (
        "random(positive=1)",
        InvalidTypeError,
        r"positive must be True or False, not 1; pass positive=True to have p\(x\) > 0",
    ),
    (
        "random(classes=2**20000)",
        TooLargeError,
        r"the table of all cells must fit .* not need more than 2\*\*\d+ EiB for more than 2\*\*20003 cells; "
        r"ask for fewer features",
    ),
    (
        "copies(2**5000)",
        TooLargeError,
        r"the table of all cells must have at most 64 axes, not more than 2\*\*5000; use fewer features",
    ),
    ("parity(10**9)", TooLargeError, r"the table of all cells must have at most 64 axes, not 1000000001; .*"),
    ("asia(['dysp'])", UnknownNameError, r"target \['dysp'\] does not exist; use one of: .*"),
    ("with_copy(xor(), 'X1', ['X3'])", InvalidTypeError, r"copy must be named by strings, not \['X3'\]; use a string"),
    ("with_copy(xor(), 'X1', ' ')", InvalidValueError, r"copy must be named by non-empty strings, not ' '; name them"),
    ("with_copy(xor(), ['X1'])", UnknownNameError, r"feature \['X1'\] does not exist; use one of: 'X1', 'X2'"),
    ("random([2] * 60)", TooLargeError, r"the table of all cells must fit .*; ask for fewer features"),
]


@pytest.mark.parametrize(("call", "error", "message"), TABLE, ids=[call for call, *_ in TABLE])
def test_bad_call(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error) as caught:
        eval(call, {name: getattr(gallery, name) for name in gallery.__all__})
    assert type(caught.value) is error
    assert re.fullmatch(message, str(caught.value)), str(caught.value)
