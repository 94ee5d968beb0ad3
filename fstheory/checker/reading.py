"""Reading untrusted values: plain JSON within limits, and the one way to reject a wrong value."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from fstheory.errors import CertificateError, explain

MAX_BYTES = 2**26  # of the text
MAX_VALUES = 3_000_000  # numbers, strings, lists and objects
MAX_DEPTH = 250  # of lists and objects inside one another
MAX_BITS = 2048  # of a numerator or denominator, read or computed

_Exact = TypeVar("_Exact", bound="int | Fraction")
_RATIONAL = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")


def wrong(place: str, requirement: str, value: object) -> CertificateError:
    """Return the error that names a value, what it must be, and what it was."""
    return CertificateError(explain(place, requirement, value, "the certificate is rejected"))


def require(condition: bool, place: str, requirement: str, value: object) -> None:
    """Reject the certificate if the condition is false."""
    if not condition:
        raise wrong(place, requirement, value)


def parse(text: str) -> Any:
    """Read JSON. Decimals and repeated keys are refused."""
    require(len(text) <= MAX_BYTES, "the text", f"of at most {MAX_BYTES} characters", len(text))
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_float=_no_decimal, parse_constant=_no_decimal)
    except CertificateError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError: also an integer of very many digits
        raise wrong("the text", f"JSON ({str(error)[:80]})", text) from error


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, part in pairs:
        require(key not in found, "the keys of an object", "distinct", key)
        found[key] = part
    return found


def _no_decimal(number: str) -> Any:
    raise wrong("a number", "an integer or a string 'p/q'", number)


def plain(value: Any, max_values: int = MAX_VALUES) -> Any:
    """Return a copy made of dicts, tuples, strings, integers, booleans and None, or refuse the value."""
    left = max_values

    def copied(value: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or depth > MAX_DEPTH:
            limit = f"of at most {max_values} values, nested at most {MAX_DEPTH} deep"
            raise wrong("the certificate", limit, "more" if left < 0 else "deeper")
        if type(value) is list or type(value) is tuple:
            parts: list[Any] = []
            for part in value:
                parts.append(copied(part, depth + 1))  # noqa: PERF401 (a comprehension may need two frames a level)
            return tuple(parts)
        if type(value) is dict:
            members: dict[str, Any] = {}
            for key, part in value.items():
                require(type(key) is str, "a key", "a string", key)
                members[key] = copied(part, depth + 1)
            return members
        if value is not None and type(value) not in {str, int, bool}:
            raise wrong("a value", "a string, an integer, true, false, null, a list or an object", value)
        return bounded(value) if type(value) is int else value

    return copied(value, 0)


def object_with(keys: Iterable[str], value: Any, place: str) -> dict[str, Any]:
    """Return an object that has exactly these keys."""
    expected = sorted(keys)
    require(type(value) is dict, place, f"an object with the keys {expected}", value)
    require(sorted(value) == expected, place, f"an object with the keys {expected}", sorted(value))
    return dict(value)


def list_of(length: int | None, value: Any, place: str) -> tuple[Any, ...]:
    """Return a list of this length, or of any length."""
    if type(value) is not tuple or length not in {None, len(value)}:
        raise wrong(place, "a list" if length is None else f"a list of {length}", value)
    return tuple(value)


def whole(least: int, below: int, value: Any, place: str) -> int:
    """Return an integer in ``range(least, below)``."""
    if type(value) is not int or not least <= value < below:
        raise wrong(place, f"an integer from {least} to {below - 1}" if least < below else "absent", value)
    return value


def name(value: Any, place: str) -> str:
    """Return a name: text that can be shown on one line."""
    require(type(value) is str and value != "" and value.isprintable(), place, "a name that can be printed", value)
    return str(value)


def rational(value: Any, place: str) -> Fraction:
    """Return a rational written as "p/q" in lowest terms, or as "p"."""
    match = _RATIONAL.fullmatch(value) if type(value) is str and len(value) <= MAX_BITS else None
    number = Fraction(int(match[1]), int(match[2] or 1)) if match else Fraction(0)
    if match is None or str(number) != value:
        raise wrong(place, "a rational 'p/q' or 'p' in lowest terms", value)
    return bounded(number)


def bounded(number: _Exact) -> _Exact:
    """Return the number. Raise an error if it is too long."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise wrong("a number", f"of at most {MAX_BITS} bits", number)
    return number


def certificate_digest(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a certificate without its digest, as JSON text: keys sorted, no spaces, ASCII."""
    rest = {key: part for key, part in content.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
