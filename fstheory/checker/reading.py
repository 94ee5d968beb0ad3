"""Reading untrusted values: plain JSON within limits, shapes, formulas, and the one way to reject a wrong value."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from fstheory.checker.statement import COMPARISONS, FORMULAS, LEAVES, TERMS, Form, Node
from fstheory.errors import CertificateError, explain, show

MAX_BYTES = 2**26  # of the text
MAX_VALUES = 3_000_000  # numbers, strings, lists and objects
MAX_DEPTH = 250  # of lists and objects inside one another
MAX_BITS = 2048  # of a numerator or denominator, read or computed

FINEST = 2**40  # the largest denominator of a cost, and of an end of an interval
MAX_FEATURES = 10
MAX_CELLS = 1024
MAX_STEPS = 10**8  # each well below a microsecond
MAX_STATES = 10**18  # of a feature and of all features together, if only the cells with weight are written
WIDTH = Fraction(1, 10**12)  # of the interval around an irrational value, at most

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


def cost(value: Any, place: str) -> str:
    """Return the text of the cost of a false positive. A false negative costs 1 less it."""
    number = rational(value, place)
    require(0 < number < 1 and number.denominator <= FINEST, place, f"between 0 and 1, in parts of 1/{FINEST}", value)
    return str(number)


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


class Space:
    """The space that formulas speak about: a number of features, and the variables of a cell if there are cells."""

    n: int
    axes: tuple[int, ...]
    left: int
    max_steps: int

    def spend(self, steps: int) -> None:
        """Count steps, so that no certificate keeps the checker busy for long."""
        self.left -= steps
        if self.left < 0:
            raise wrong("the check", f"of at most {self.max_steps} steps", "longer")


class SampleSpace(Space):
    """The cells of a table: the features are its first axes, in order, and the class is the last."""

    def __init__(self, value: Any, max_steps: int = MAX_STEPS, max_cells: int = MAX_CELLS) -> None:
        shape = object_with(["cardinalities", "classes"], value, "shape")
        sizes = list_of(None, shape["cardinalities"], "shape.cardinalities")
        require(len(sizes) <= MAX_FEATURES, "shape.cardinalities", f"at most {MAX_FEATURES} numbers", sizes)
        self.axes = tuple(whole(1, max_cells + 1, size, "a size in shape") for size in (*sizes, shape["classes"]))
        self.cardinalities, self.classes, self.n = self.axes[:-1], range(self.axes[-1]), len(sizes)
        self.size = math.prod(self.axes)
        require(self.size <= max_cells, "shape", f"of at most {max_cells} cells", self.axes)
        self.left, self.max_steps = max_steps, max_steps

    def __str__(self) -> str:
        return f"{' x '.join(map(str, self.cardinalities)) or 1} states and {len(self.classes)} classes"

    def cells(self, states: Node, y: int | None) -> list[int]:
        """Return the positions, in C order, of the cells of a partial state. None stands for any state of a feature."""
        found = [0]
        for index, size in zip((*states, y), self.axes, strict=True):
            found = [cell * size + i for cell in found for i in (range(size) if index is None else (index,))]
        self.spend(2 * len(found))
        return found

    def states(self, features: Collection[int], within: Node = ()) -> Iterator[Node]:
        """Yield the states of a subset in lexicographic order, None at the other features.

        Given the states of some features, yield only states that agree with them, and keep these.
        """
        fixed = enumerate(zip(self.cardinalities, within or (None,) * self.n, strict=True))
        return itertools.product(*(range(c) if i in features and v is None else (v,) for i, (c, v) in fixed))

    def tie(self, small: Collection[int], large: Collection[int]) -> Node:
        """Return the formula that in each state of `small` one class is best in all states of `large` within it."""
        states = []
        for s in self.states(small):
            cells = [[("P", t, y) for y in self.classes] for t in self.states(large, s)]
            self.spend(len(cells) * len(self.classes) ** 2)
            beaten = [[("<=", o, cell[y]) for cell in cells for o in cell if o != cell[y]] for y in self.classes]
            states.append(("or", *(("and", *least) for least in beaten)))
        return ("and", *states)

    def risk(self, features: Node) -> Node:
        """Return the definition of a Bayes risk: 1 - sum over s of max over y of P(s, y)."""
        tops = (("max", *(("P", s, y) for y in self.classes)) for s in self.states(features))
        return ("+", ("q", Fraction(1)), *(("*", ("q", Fraction(-1)), top) for top in tops))

    def leaf(self, term: Node) -> Form | Node:
        """Return a leaf by its definition: a probability as a sum of cells, a Bayes risk as 1 minus a sum of maxima."""
        require(term[0] in {"P", "R"}, "a term of a proof", "linear", term)
        return self.risk(term[1]) if term[0] == "R" else dict.fromkeys(self.cells(*term[1:]), 1)


def formulas(value: Any, shape: Space, place: str) -> dict[str, Node]:
    """Return the formulas of a list of instances, by their places in the certificate."""
    found = {}
    for i, entry in enumerate(list_of(None, value, place)):
        instance = object_with(["name", "where", "formula"], entry, f"{place}[{i}]")
        require(type(instance["where"]) is dict, f"{place}[{i}].where", "an object", instance["where"])
        formula = read_node(instance["formula"], "formula", shape, f"{place}[{i}].formula")
        found[f"{place}[{i}], {show(name(instance['name'], f'{place}[{i}].name'))},"] = formula
    return found


def read_node(written: Any, what: str, shape: Space, place: str) -> Node:
    """Return a "term" or "formula", in which constants are Fractions. Require that it is well-formed."""
    named = type(written) is tuple and len(written) > 0 and type(written[0]) is str
    kind, *parts = written if named else ("",)
    fewest, most = (TERMS if what == "term" else FORMULAS).get(kind, (1, 0))
    if not fewest <= len(parts) <= most:
        raise wrong(place, f"a {what}", written)
    if kind == "q":
        return kind, rational(parts[0], f"a constant in {place}")
    if kind in LEAVES:
        _check_leaf(kind, parts, shape, place)
        return tuple(written)
    what = "term" if kind in COMPARISONS else what
    return kind, *[read_node(part, what, shape, place) for part in parts]


def _check_leaf(kind: str, parts: list[Any], shape: Space, place: str) -> None:
    if kind == "t":
        name(parts[0], f"a parameter in {place}")
    elif kind == "P":
        require(len(shape.axes) > 0, place, "about risks and entropies, whatever the states", kind)
        states = list_of(shape.n, parts[0], f"the states of P in {place}")
        for index, size in zip((*states, parts[1]), shape.axes, strict=True):
            whole(0, size, 0 if index is None else index, f"an index of P in {place}")
    else:
        features = [
            whole(0, shape.n, i, f"a feature in {place}") for i in list_of(None, parts[0], f"features in {place}")
        ]
        require(features == sorted(set(features)), f"the features in {place}", "ascending", parts[0])
        if kind == "C":
            cost(parts[1], f"the cost of C in {place}")
        require(kind != "H" or type(parts[1]) is bool, f"the last part of H in {place}", "true or false", parts[-1])
