"""Exact values as short text, and exact round numbers for an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from fstheory._exact import format_fraction

__all__ = ["ValueTexts", "format_value", "power_text", "round_ticks", "value_texts"]

_SHORT = 9  # characters of a fraction that is written out: 1234/2201
_MOST_DIGITS = 9
_MINUS = "\N{MINUS SIGN}"
_TIMES = "\N{MULTIPLICATION SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class ValueTexts(NamedTuple):
    """Texts of values, and the significant digits of those that are rounded (0 if none is)."""

    texts: list[str]
    digits: int


def format_value(value: Fraction, digits: int = 4) -> str:
    """Write a value: exactly as a short fraction, else rounded half to even and marked with ``≈``."""
    if max(abs(value.numerator), value.denominator) < 10**_SHORT:  # else writing it out may take long
        exact = format_fraction(value)
        if len(exact) <= _SHORT:
            return exact
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=10**15, Emin=-(10**15))
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    exact_after_all = Fraction(rounded) == value  # 10**-12, say
    return _decimal_text(rounded) if exact_after_all else "≈" + _decimal_text(rounded)


def value_texts(values: Iterable[Fraction], digits: int = 4) -> ValueTexts:
    """Write values so that different values read differently, with more digits than asked where that needs them.

    Past nine significant digits two values may share a text; a picture still tells them apart by shade.
    """
    listed = list(values)
    texts = [format_value(value, digits) for value in listed]
    while len({text.removeprefix("≈") for text in texts}) < len(set(listed)) and digits < _MOST_DIGITS:
        digits += 1
        texts = [format_value(value, digits) for value in listed]
    return ValueTexts(texts, digits if any(text.startswith("≈") for text in texts) else 0)


def round_ticks(low: Fraction, high: Fraction, most: int = 8) -> list[tuple[Fraction, str]]:
    """Return exact round numbers in [low, high] for an axis, with their texts, at most `most` + 1 of them.

    They are the multiples of 1, 2 or 5 times a power of ten.
    """
    if low == high:
        return [(low, format_value(low))]
    step = _round_step((high - low) / most)
    ticks = [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    texts = _same_places([_exact_decimal(tick) for tick in ticks])
    if max(map(len, texts), default=0) > 10:  # a narrow range far from zero: its two ends say as much, in less room
        return [(low, format_value(low, 6)), (high, format_value(high, 6))]
    return list(zip(ticks, texts, strict=True))


def power_text(exponent: int) -> str:
    """Write a power of ten."""
    return "10" + str(exponent).translate(_SUPERSCRIPTS) if exponent else "1"


def _round_step(least: Fraction) -> Fraction:
    """Return the smallest 1, 2 or 5 times a power of ten that is not below `least`."""
    power = Fraction(10) ** (Decimal(least.numerator).adjusted() - Decimal(least.denominator).adjusted() - 1)
    steps: Sequence[Fraction] = [power * k for k in (1, 2, 5, 10, 20, 50, 100)]
    return next(step for step in steps if step >= least)


def _exact_decimal(value: Fraction) -> str:
    """Write a fraction whose decimal expansion ends."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    exact = Context(prec=10**6, Emax=10**15, Emin=-(10**15))
    return _decimal_text(exact.scaleb(Decimal((value * 10**places).numerator), -places).normalize(exact))


def _same_places(texts: list[str]) -> list[str]:
    """Write plain decimals with equally many places, zero excepted: 0.15, 0.20."""
    if any(_TIMES in text for text in texts):
        return texts
    places = max((len(text.partition(".")[2]) for text in texts), default=0)
    if not places:
        return texts
    return [
        text if text == "0" else f"{text.partition('.')[0]}.{text.partition('.')[2].ljust(places, '0')}"
        for text in texts
    ]


def _decimal_text(value: Decimal) -> str:
    """Write a decimal plainly, or with a power of ten where plain writing is long."""
    if value == 0:
        return "0"
    exponent = value.adjusted()
    if -4 <= exponent <= 5:
        return f"{value:f}".replace("-", _MINUS)
    digits = "".join(map(str, value.as_tuple().digits))
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    sign = _MINUS if value < 0 else ""
    return f"{sign}{mantissa}{_TIMES}10{str(exponent).translate(_SUPERSCRIPTS)}"
