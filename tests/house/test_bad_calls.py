"""A table of bad calls: what each raises, and the whole message.

A message names the argument, what it must be, what it was, and the repair. A new refusal in the package
is a new row here. The call is text, evaluated with the names of `NAMES`; ``tmp`` is an empty folder.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import fstheory
from fstheory import _rational, subsets
from fstheory.errors import (
    FSTheoryError,
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    UnknownNameError,
)

NAMES = {
    "Decimal": Decimal,
    "Fraction": Fraction,
    "Path": Path,
    "fs": fstheory,
    "np": np,
    "rational": _rational,
    "subsets": subsets,
}


class BadCall(NamedTuple):
    """One row: the call, the exception, a pattern that the whole message matches."""

    call: str
    error: type[FSTheoryError]
    message: str


ABC = "('A', 'B', 'C')"

RATIONAL = [
    BadCall(
        "rational.as_fraction(0.1, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not 0\.1; "
        r"a float is binary: write the decimal as a string \('0\.1'\) or pass a Fraction",
    ),
    BadCall(
        "rational.as_fraction(np.float64(0.5), 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not .*0\.5\)?; a float64 is binary: .*",
    ),
    BadCall(
        "rational.as_fraction(True, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not True; pass 0 or 1 if a number is meant",
    ),
    BadCall(
        "rational.as_fraction(np.True_, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not .*True_?\)?; pass 0 or 1 if a number is meant",
    ),
    BadCall(
        "rational.as_fraction(None, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not None; pass an int, a Fraction, a Decimal or a string such as '3/8'",
    ),
    BadCall(
        "rational.as_fraction(Decimal('NaN'), 'alpha')",
        InvalidValueError,
        r"alpha must be a finite number, not Decimal\('NaN'\); replace it",
    ),
    BadCall(
        "rational.as_fraction('a half', 'alpha')",
        InvalidFormatError,
        r"alpha must be an exact number, not 'a half'; write it as '3/8' or '0\.375'",
    ),
    BadCall(
        "rational.as_fraction('1/0', 'alpha')",
        InvalidFormatError,
        r"alpha must be a number with a denominator above 0, not '1/0'; correct it",
    ),
    BadCall("rational.as_index(2.0, 'k')", InvalidTypeError, r"k must be an integer, not 2\.0; pass a whole number"),
    BadCall("rational.as_index(-1, 'k')", InvalidValueError, r"k must be at least 0, not -1; pass 0 or more"),
]

SUBSETS = [
    BadCall(
        f"subsets.mask_of('AB', {ABC})",
        InvalidTypeError,
        r"subset must be an iterable of feature names, not 'AB'; write \{'AB'\}",
    ),
    BadCall(
        f"subsets.mask_of(3, {ABC})",
        InvalidTypeError,
        r"subset must be an iterable of feature names, not 3; pass a set of names such as \{'X1'\}",
    ),
    BadCall(
        f"subsets.mask_of(['A', 'D'], {ABC})",
        UnknownNameError,
        r"feature 'D' does not exist; use one of: 'A', 'B', 'C'",
    ),
    BadCall(
        f"subsets.mask_of(['A', 'A'], {ABC})",
        InvalidValueError,
        r"subset must be made of distinct names, not 'A'; name each feature once",
    ),
    BadCall(
        f"subsets.parse_subset('A,D', {ABC})",
        InvalidFormatError,
        r"subset must be made of names among A, B, C, not 'A,D'; write \{A, B\} or, for X1\.\., X1X3",
    ),
]

TABLE = [*RATIONAL, *SUBSETS]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.call)
def test_bad_call(row: BadCall, tmp_path: Path) -> None:
    with pytest.raises(row.error) as caught:
        eval(row.call, {**NAMES, "tmp": tmp_path})
    message = str(caught.value)
    assert type(caught.value) is row.error, f"{type(caught.value).__name__} is more precise: write it in the table"
    assert re.fullmatch(row.message, message), message
    requirement, _, repair = message.partition("; ")
    assert requirement, "a message begins with what was asked for"
    assert repair, "a message ends with the repair, after a semicolon"
    assert "\n" not in message, "a message is one line"


@pytest.mark.parametrize("error", sorted({row.error for row in TABLE}, key=str))
def test_error_is_also_a_builtin(error: type[FSTheoryError]) -> None:
    """Whoever catches ValueError, TypeError, LookupError or OSError catches ours as well."""
    assert issubclass(error, ValueError | TypeError | LookupError | OSError | ImportError)


def test_no_row_stands_twice() -> None:
    calls = [row.call for row in TABLE]
    assert len(calls) == len(set(calls))
