"""Reading and writing exact numbers: from text and Python values, and as text and LaTeX."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np

from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, explain, require

Exact: TypeAlias = "int | Fraction | Decimal | str | numbers.Rational"
"""An exact number as an argument: 3, Fraction(3, 8), Decimal("0.375"), "3/8" or "0.375"."""

_NUMBER = re.compile(
    r"\s*(?P<sign>[+-]?)(?=\.?\d)(?P<whole>\d*)(?:\.(?P<part>\d*))?(?:[eE](?P<exponent>[+-]?\d{1,5}))?"
    r"(?:\s*/\s*(?P<below>\d+))?\s*",
    re.ASCII,
)
_LARGEST = 2**53  # below this, every reader of JSON keeps integers exactly
_MOST_DIGITS = 4000  # CPython refuses to convert more than 4300

_Bound: TypeAlias = Fraction | int | None


def as_fraction(
    value: object,
    argument: str = "value",
    *,
    at_least: _Bound = None,
    above: _Bound = None,
    at_most: _Bound = None,
    below: _Bound = None,
    repair: str = "correct it",
) -> Fraction:
    """Return `value` as a Fraction if it is an exact number within the bounds, else refuse it.

    Floats are refused, because the float 0.1 is not 1/10. Booleans are refused too.
    """
    number = _read(value, argument)
    within = (at_least is None or number >= at_least) and (at_most is None or number <= at_most)
    if within and (above is None or number > above) and (below is None or number < below):
        return number
    bounds = {"at least": at_least, "above": above, "at most": at_most, "below": below}
    given = {words: exact_text(bound) for words, bound in bounds.items() if bound is not None}
    requirement = " and ".join(f"{words} {bound}" for words, bound in given.items())
    if list(given) == ["above", "below"]:
        requirement = f"strictly between {given['above']} and {given['below']}"
    elif list(given) == ["at least", "at most"]:
        requirement = f"between {given['at least']} and {given['at most']}"
    raise InvalidValueError(explain(argument, requirement, to_text(number, 0), repair))


def as_probability(value: object, argument: str) -> Fraction:
    """Return `value` as a Fraction if it is an exact number between 0 and 1, else refuse it."""
    return as_fraction(value, argument, at_least=0, at_most=1, repair="pass a probability such as '1/10'")


def _read(value: object, argument: str) -> Fraction:
    if isinstance(value, bool | np.bool_):
        raise InvalidTypeError(explain(argument, "an exact number", value, "pass 0 or 1 if a number is meant"))
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, str):
        return parse_fraction(value, argument)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InvalidValueError(explain(argument, "a finite number", value, "replace it"))
        return Fraction(value)
    if isinstance(value, numbers.Real):
        repair = f"a {type(value).__name__} is binary: write the decimal as a string ('0.1') or pass a Fraction"
        raise InvalidTypeError(explain(argument, "an exact number", value, repair))
    repair = "pass an int, a Fraction or text such as '3/8'"
    if getattr(value, "free_symbols", None):  # an expression of SymPy
        repair = "fs.polynomial_family takes weights with symbols, and give other symbols a value"
    raise InvalidTypeError(explain(argument, "an exact number", value, repair))


def parse_fraction(text: str, argument: str = "value") -> Fraction:
    """Return the exact number that a text such as ``"3/8"``, ``"0.05"``, ``"-2"`` or ``"1.5e-3"`` stands for.

    It may have any number of digits.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InvalidFormatError(explain(argument, "an exact number", text, "write it as '3/8' or '0.375'"))
    part = match["part"] or ""
    exponent = int(match["exponent"] or 0) - len(part)
    below = _digits_to_int(match["below"] or "1")
    if below == 0:
        raise InvalidFormatError(explain(argument, "a number with a denominator above 0", text, "correct it"))
    above = _digits_to_int(match["whole"] + part) * (-1 if match["sign"] == "-" else 1)
    return Fraction(above * 10 ** max(exponent, 0), below * 10 ** max(-exponent, 0))


def exact_text(value: Fraction | int) -> str:
    """Return a rational as the text ``"p/q"``, or ``"p"`` if it is an integer. It may have any number of digits."""
    above = _int_to_digits(value.numerator)
    return above if value.denominator == 1 else f"{above}/{_int_to_digits(value.denominator)}"


def numbers_as_text(data: Any) -> Any:
    """Return JSON data in which each fraction, and each integer that a reader of JSON may round, is a text."""
    if isinstance(data, dict):
        return {name: numbers_as_text(part) for name, part in data.items()}
    if isinstance(data, list):
        return [numbers_as_text(part) for part in data]
    if isinstance(data, Fraction) or (isinstance(data, int) and abs(data) >= _LARGEST):
        return exact_text(data)
    return data


class Irrational(Protocol):
    """An irrational number that can be written as text and as LaTeX."""

    def decimal(self, digits: int = 6) -> str: ...
    def to_latex(self) -> str: ...


def decimal_text(value: Fraction | int | Irrational, digits: int = 6, rounding: str | None = None) -> str:
    """Return an exact number as a decimal, rounded to `digits` significant digits.

    A rational is rounded to the nearest decimal, or by `rounding`, a mode of the module `decimal`. A bound stays
    a bound if a lower one is printed with ROUND_FLOOR and an upper one with ROUND_CEILING.
    """
    if not isinstance(value, int | Fraction):
        return value.decimal(digits)
    above, below = value.numerator, value.denominator
    with localcontext(Context(digits, rounding, MIN_EMIN, MAX_EMAX)):
        if above.bit_length() + below.bit_length() <= 8 * _MOST_DIGITS:
            return str(Decimal(above) / Decimal(below))
        # Decimal takes quadratic time to read a long integer. So divide first by a power of ten that leaves few digits.
        places = digits + 3 - (above.bit_length() - below.bit_length()) * 30103 // 100000
        quotient, rest = divmod(abs(above) * 10 ** max(places, 0), below * 10 ** max(-places, 0))
        whole = 10 * quotient + (rest > 0)  # one more digit rounds halves right
        return str(Decimal(-whole if above < 0 else whole).scaleb(-places - 1))


def to_text(value: Any, digits: int = 4, longest: int = 40, *, formula: bool = True) -> str:
    """Return the text of an exact number for readers.

    If the exact text is short, it is given with a decimal of `digits` digits beside it (none if 0). Else the number is
    rounded. Without `formula`, an irrational number is rounded even if its formula is short.

    Examples
    --------
    >>> to_text(Fraction(1, 3)), to_text(Fraction(1, 3), 0), to_text(Fraction(3, 8)), to_text(Fraction(10**50 + 1, 7))
    ('1/3 ≈ 0.3333', '1/3', '3/8 = 0.375', '≈1.42857E+49')
    """
    if not formula and not isinstance(value, int | Fraction) and value.is_rational():
        value = value.as_fraction()
    if not isinstance(value, int | Fraction):
        text = str(value) if formula else ""
        return text if 0 < len(text) <= longest else f"≈{value.decimal()}"
    most = (value.numerator.bit_length() + value.denominator.bit_length()) * 3 // 10  # digits, never too many
    text = exact_text(value) if most <= longest else ""
    if not 0 < len(text) <= longest:
        return f"≈{decimal_text(value)}"
    if not digits or value.denominator == 1:
        return text
    decimal = decimal_text(value, digits)
    return f"{text} {'=' if parse_fraction(decimal) == value else '≈'} {decimal}"


def nearest_float(value: Any) -> float:
    """Return the float nearest to an exact number. It is infinite if the number is larger than every float."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def drawable(value: Any) -> float:
    """Return the float at which an exact number is drawn. A number that is too large for an axis is refused."""
    number = nearest_float(value)
    fits = abs(number) < 10.0**300  # a library that draws adds margins
    require(fits, "a value to draw", "below 1e300", to_text(value), "divide the losses or the labels by a power of ten")
    return number


def describe_total(total: Fraction | int) -> str:
    """Return the text of a sum of probabilities that is not 1, such that the difference to 1 is visible."""
    text = to_text(total, 0)
    if not text.startswith("≈"):
        return text
    return f"{text}, which is {to_text(abs(Fraction(total) - 1), 0)} too {'much' if total > 1 else 'little'}"


def integers_over(values: Iterable[Fraction | int]) -> tuple[list[int], int]:
    """Return integers and their smallest common denominator, which together equal `values`."""
    listed: Sequence[Fraction | int] = list(values)
    denominator = math.lcm(*{value.denominator for value in listed})
    return [value.numerator * (denominator // value.denominator) for value in listed], denominator


def as_index(
    value: object,
    argument: str,
    *,
    at_least: int = 0,
    at_most: int | None = None,
    repair: str | None = None,
    error: type[InvalidValueError] = InvalidValueError,
) -> int:
    """Return `value` as a Python int if it is an integer within the bounds, else refuse it.

    `repair` and `error` are used for a value above `at_most`.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidTypeError(explain(argument, "an integer", value, "pass a whole number"))
    if value < at_least:
        raise InvalidValueError(explain(argument, f"at least {at_least}", value, f"pass {at_least} or more"))
    if at_most is not None and value > at_most:
        raise error(explain(argument, f"at most {at_most:,}", value, repair or f"pass {at_most} or less"))
    return int(value)


def _digits_to_int(digits: str) -> int:
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    import flint

    return int(flint.fmpz(digits))


def _int_to_digits(value: int) -> str:
    if value.bit_length() <= 3 * _MOST_DIGITS:
        return str(value)
    import flint

    return str(flint.fmpz(value))


_SPECIAL = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_SPECIAL |= {character: "\\" + character for character in "{}_&%$#"}


def latex_fraction(value: Fraction) -> str:
    """Return a rational as exact LaTeX."""
    above, _, below = exact_text(value).partition("/")
    return rf"\frac{{{above}}}{{{below}}}" if below else above


def latex_value(value: Fraction | Irrational) -> str:
    r"""Return an exact number as LaTeX."""
    return latex_fraction(value) if isinstance(value, Fraction) else value.to_latex()


def latex_approximation(decimal: str) -> str:
    r"""Return a rounded decimal as LaTeX."""
    digits, _, exponent = decimal.partition("E")
    return rf"\approx {digits}" + (rf" \cdot 10^{{{int(exponent)}}}" if exponent else "")


def latex_shown(exact: str, decimal: str, rational: Fraction | None) -> str:
    r"""Return a LaTeX formula that shows a number exactly and as a rounded decimal."""
    if exact == decimal or exact.startswith(r"\approx"):
        return f"${exact}$"
    equal = rational is not None and parse_fraction(decimal) == rational
    return f"${exact} = {decimal}$" if equal else f"${exact} {latex_approximation(decimal)}$"


def latex_text(text: object) -> str:
    r"""Return LaTeX for a text inside a formula, upright and with special characters escaped."""
    return rf"\text{{{latex_escaped(text)}}}"


def latex_escaped(text: object) -> str:
    """Return LaTeX for a text outside formulas, with special characters escaped."""
    return "".join(_SPECIAL.get(character, character) for character in str(text))


def latex_name(name: str) -> str:
    r"""Return LaTeX for the name of a variable inside a formula: X1 as X_1, other names upright."""
    indexed = re.fullmatch(r"([A-Za-z])(\d*)", name, re.ASCII)
    if indexed is None:
        return latex_text(name)
    letter, index = indexed.groups()
    return letter + (f"_{index}" if len(index) == 1 else f"_{{{index}}}" if index else "")


def as_level(value: object, argument: str = "confidence") -> Fraction:
    """Return `value` as a Fraction if it is an exact number strictly between 0 and 1, else refuse it."""
    return as_fraction(value, argument, above=0, below=1, repair="pass '19/20', say")


def binomial_interval(times: int, trials: int, confidence: Exact = "19/20") -> tuple[float, float]:
    """Return the exact (Clopper-Pearson) confidence interval of a probability.

    `times` is the number of successes in `trials` independent trials.
    """
    tail = float(1 - as_level(confidence)) / 2
    return _least(times, trials, tail), 1 - _least(trials - times, trials, tail)


def interval_text(low: float, high: float) -> str:
    """Return the ends of an interval with four decimals, rounded outwards."""
    below, above = math.floor(Fraction(low) * 10**4), math.ceil(Fraction(high) * 10**4)
    return f"{below / 10**4:.4f} to {above / 10**4:.4f}"


def _least(times: int, trials: int, tail: float) -> float:
    """Return the probability of success at which at least so many successes have the probability `tail` below 1/2."""
    successes = np.arange(times, min(trials, times + 10 * math.isqrt(trials) + 10))  # more are rarer than e^-200
    ratios = (trials - successes) / (successes + 1)
    ways = math.lgamma(trials + 1) - math.lgamma(times + 1) - math.lgamma(trials - times + 1)
    low, high = 0.0, times / trials  # at the mean, at least half of all outcomes are as large
    for _ in range(60 if times else 0):
        p = (low + high) / 2
        exactly = math.exp(ways + times * math.log(p) + (trials - times) * math.log1p(-p))
        at_least = exactly * (1 + np.cumprod(ratios * (p / (1 - p))).sum())
        low, high = (p, high) if at_least < tail else (low, p)
    return low


_SIGNS = {"{}": r"\emptyset", "{": r"\{", "}": r"\}", "|": r"\mid", "<=": r"\le", ">=": r"\ge", "*": r"\cdot"}
_SIGNS |= {"max": r"\max", "min": r"\min", "log": r"\log", "not": r"\neg", "and": r"\land", "or": r"\lor"}
_SIGNS |= {"implies": r"\Rightarrow", "iff": r"\Leftrightarrow"}
_SIGN = re.compile(r"{}|[{}|*]|<=|>=|\b(?:max|min|log|not|and|or|implies|iff)\b")


def latex_aligned(equations: Iterable[tuple[str, Any]]) -> str:
    r"""Return LaTeX with a line for each equation: its left side, and the exact number on its right side."""
    lines = (rf"{left} &= {latex_value(value)}" for left, value in equations)
    return r"\begin{aligned} " + r" \\ ".join(lines).replace(r"= \approx", r"\approx") + r" \end{aligned}"


def in_latex(line: str) -> str:
    """Return a line whose mathematics stand between dollar signs, for LaTeX."""
    words = line.split("$")
    for i in range(1, len(words), 2):
        signs = _SIGN.sub(lambda sign: _SIGNS[sign[0]], words[i])
        words[i] = re.sub(r"(?<!\\)\b[^\W\d]\w+", lambda name: latex_name(name[0]), signs)
    return "$".join(word if i % 2 else latex_escaped(word) for i, word in enumerate(words))
