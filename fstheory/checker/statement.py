"""What a certificate speaks about: plain values from strangers, a shape, well-formed terms and formulas."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.errors import CertificateError, explain, show

MAX_BYTES = 2**26  # of the text
MAX_VALUES = 3_000_000  # numbers, strings, lists and objects
MAX_DEPTH = 250  # of lists and objects inside one another
MAX_BITS = 2048  # of a numerator or denominator, read or computed

_RATIONAL = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")


def wrong(place: str, requirement: str, value: object) -> CertificateError:
    """Return the error that says what must be what, and what it was."""
    return CertificateError(explain(place, requirement, value, "the certificate is rejected"))


def require(condition: bool, place: str, requirement: str, value: object) -> None:
    """Reject the certificate if the condition is false."""
    if not condition:
        raise wrong(place, requirement, value)


def parse(text: str) -> Any:
    """Read JSON without decimals and repeated keys."""
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


def plain(value: Any) -> Any:
    """Return a copy made of dicts, tuples, strings, integers, booleans and None, or refuse the value."""
    return _copy(value, [MAX_VALUES], 0)


def _copy(value: Any, left: list[int], depth: int) -> Any:
    left[0] -= 1
    if left[0] < 0 or depth > MAX_DEPTH:
        limit = f"of at most {MAX_VALUES} values, nested at most {MAX_DEPTH} deep"
        raise wrong("the certificate", limit, "more" if left[0] < 0 else "deeper")
    if type(value) is list or type(value) is tuple:
        parts: list[Any] = []
        for part in value:
            parts.append(_copy(part, left, depth + 1))  # noqa: PERF401 (a comprehension may need two frames a level)
        return tuple(parts)
    if type(value) is dict:
        members: dict[str, Any] = {}
        for key, part in value.items():
            require(type(key) is str, "a key", "a string", key)
            members[key] = _copy(part, left, depth + 1)
        return members
    if value is not None and type(value) not in {str, int, bool}:
        raise wrong("a value", "a string, an integer, true, false, null, a list or an object", value)
    if type(value) is int and value.bit_length() > MAX_BITS:
        raise wrong("a number", f"of at most {MAX_BITS} bits", value)
    return value


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


def bounded(number: Fraction) -> Fraction:
    """Return the number, or refuse it if it is too long."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise wrong("a number", f"of at most {MAX_BITS} bits", number)
    return number


MAX_FEATURES = 10
MAX_CELLS = 1024
MAX_STEPS = 10**8  # each well below a microsecond

Node: TypeAlias = "tuple[Any, ...]"

LEAVES = {"q": 1, "P": 2, "R": 1, "H": 2}  # with the number of their parts; the others with the least and the largest
COMPARISONS = ("<", "<=", "=")
_TERMS = {"+": (0, math.inf), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
_TERMS |= {"max": (1, math.inf), "min": (1, math.inf)}
_FORMULAS = {"and": (0, math.inf), "or": (0, math.inf), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
_FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))


class SampleSpace:
    """The cells of a table: the features are its first axes, in order, and the class is the last."""

    def __init__(self, value: Any) -> None:
        shape = object_with(["cardinalities", "classes"], value, "shape")
        sizes = list_of(None, shape["cardinalities"], "shape.cardinalities")
        require(len(sizes) <= MAX_FEATURES, "shape.cardinalities", f"at most {MAX_FEATURES} numbers", sizes)
        self.axes = tuple(whole(1, MAX_CELLS + 1, size, "a size in shape") for size in (*sizes, shape["classes"]))
        self.cardinalities, self.classes = self.axes[:-1], range(self.axes[-1])
        self.size = math.prod(self.axes)
        require(self.size <= MAX_CELLS, "shape", f"of at most {MAX_CELLS} cells", self.axes)
        self.steps = 0

    def __str__(self) -> str:
        return f"{' x '.join(map(str, self.cardinalities)) or 1} states and {len(self.classes)} classes"

    def spend(self, steps: int) -> None:
        """Count steps, so that no certificate keeps the checker busy for long."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise wrong("the check", f"of at most {MAX_STEPS} steps", "longer")

    def cells(self, states: Node, y: int | None) -> list[int]:
        """Return the numbers, in C order, of the cells of a partial state, in which None stands for any."""
        found = [0]
        for index, size in zip((*states, y), self.axes, strict=True):
            found = [cell * size + i for cell in found for i in (range(size) if index is None else (index,))]
        self.spend(2 * len(found))
        return found

    def states(self, features: Node) -> Iterable[Node]:
        """Return the states of a subset in lexicographic order, None at the other features."""
        return itertools.product(*(range(c) if i in features else (None,) for i, c in enumerate(self.cardinalities)))

    def risk(self, features: Node) -> Node:
        """Return the definition of a Bayes risk: 1 - sum over s of max over y of P(s, y)."""
        tops = (("max", *(("P", s, y) for y in self.classes)) for s in self.states(features))
        return ("+", ("q", "1"), *(("*", ("q", "-1"), top) for top in tops))


def formulas(value: Any, shape: SampleSpace, place: str) -> dict[str, Node]:
    """Return the formulas of a list of instances, by where they stand."""
    found = {}
    for i, entry in enumerate(list_of(None, value, place)):
        instance = object_with(["name", "where", "formula"], entry, f"{place}[{i}]")
        require(type(instance["where"]) is dict, f"{place}[{i}].where", "an object", instance["where"])
        check_node(instance["formula"], "formula", shape, f"{place}[{i}].formula")
        found[f"{place}[{i}], {show(name(instance['name'], f'{place}[{i}].name'))},"] = instance["formula"]
    return found


def check_node(node: Any, what: str, shape: SampleSpace, place: str) -> None:
    """Require a well-formed "term" or "formula"."""
    require(type(node) is tuple and len(node) > 0 and type(node[0]) is str, place, f"a {what}", node)
    kind, *parts = node
    if what == "term" and kind in LEAVES:
        require(len(parts) == LEAVES[kind], place, f"a {what}", node)
        _check_leaf(kind, parts, shape, place)
        return
    fewest, most = (_TERMS if what == "term" else _FORMULAS).get(kind, (1, 0))
    require(fewest <= len(parts) <= most, place, f"a {what}", node)
    for part in parts:
        check_node(part, "term" if kind in COMPARISONS else what, shape, place)


def _check_leaf(kind: str, parts: list[Any], shape: SampleSpace, place: str) -> None:
    n = len(shape.cardinalities)
    if kind == "q":
        rational(parts[0], f"a constant in {place}")
    elif kind == "P":
        states = list_of(n, parts[0], f"the states of P in {place}")
        for index, size in zip((*states, parts[1]), shape.axes, strict=True):
            whole(0, size, 0 if index is None else index, f"an index of P in {place}")
    else:
        features = [whole(0, n, i, f"a feature in {place}") for i in list_of(None, parts[0], f"features in {place}")]
        require(features == sorted(set(features)), f"the features in {place}", "ascending", parts[0])
        require(kind == "R" or type(parts[1]) is bool, f"the last part of H in {place}", "true or false", parts[-1])
