"""What cannot be a sum of logarithms, and what the refusal says."""

from __future__ import annotations

from fractions import Fraction  # noqa: F401  a name in the calls

import pytest

from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError
from fstheory.reals import LogSum, log  # noqa: F401  a name in the calls

BAD: list[tuple[str, type[FSTheoryError], str]] = [
    ("log(0)", InvalidValueError, "argument must be above 0, not 0; .*"),
    ('log("-1/2")', InvalidValueError, "argument must be above 0, not '-1/2'; .*"),
    ("log(0.5)", InvalidTypeError, "argument must be an exact number, not 0.5; .*"),
    ('log("half")', InvalidFormatError, "argument must be an exact number, .*"),
    ("log(True)", InvalidTypeError, "argument must be an exact number, not True; .*"),
    ("log(2, base=1)", InvalidValueError, "base must be above 1, not 1; pass 2 for bits.*"),
    ('log(2, base="1/2")', InvalidValueError, "base must be above 1, .*"),
    ("log(2, base=2.718)", InvalidTypeError, "base must be an exact number, .*"),
    ("LogSum({2: 1})", InvalidTypeError, "terms must be an iterable of pairs, .*from_integer_terms.*"),
    ('LogSum("ab")', InvalidTypeError, "terms must be an iterable of pairs, .*"),
    ("LogSum(3)", InvalidTypeError, "terms must be an iterable of pairs, .*"),
    ("LogSum([2])", InvalidTypeError, "each of the terms must be a pair, not 2; .*"),
    ("LogSum([(1, 2, 3)])", InvalidTypeError, "each of the terms must be a pair, .*"),
    ("LogSum([(0.5, 2)])", InvalidTypeError, "coefficient must be an exact number, .*"),
    ("LogSum([(0, 0)])", InvalidValueError, "argument must be above 0, not 0; .*"),
    ("LogSum((), 0.5)", InvalidTypeError, "constant must be an exact number, .*"),
    ("LogSum.of(0.5)", InvalidTypeError, ".* must be an exact number, .*"),
    ("LogSum.from_integer_terms([(1, 2)])", InvalidTypeError, "terms must be a mapping .*"),
    ("LogSum.from_integer_terms({0: 1})", InvalidValueError, "argument must be above 0, .*"),
    ("LogSum.from_integer_terms({-3: 1})", InvalidValueError, "argument must be above 0, .*"),
    ("LogSum.from_integer_terms({Fraction(1, 2): 1})", InvalidTypeError, "argument must be an integer, .*"),
    ("LogSum.from_integer_terms({2: 0.5})", InvalidTypeError, "coefficient must be an exact .*"),
    ("LogSum.from_integer_terms({2: 1}, denominator=0)", InvalidValueError, "denominator must be a positive .*"),
    ("log(2).enclosure(0)", InvalidValueError, "digits must be at least 1, not 0; .*"),
    ("log(2).enclosure(2.0)", InvalidTypeError, "digits must be an integer, .*"),
    ("log(2).decimal(0)", InvalidValueError, "digits must be at least 1, .*"),
    ("log(2).as_fraction()", InvalidValueError, "the number must be rational, not .*"),
    ("(1 + log(2)).in_base(2)", InvalidValueError, "the constant must be 0 to change .*, not .*; .*"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[call for call, _, _ in BAD])
def test_bad_calls(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        eval(call)


@pytest.mark.parametrize("digits", [10**7 + 1, 2**5000])
def test_more_digits_than_anyone_reads(digits: int) -> None:
    for ask in (log(2).enclosure, log(2).decimal):
        with pytest.raises(TooLargeError, match=r"digits must be at most 10000000, not .*; ask for fewer"):
            ask(digits)
