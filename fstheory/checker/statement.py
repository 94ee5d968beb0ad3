"""What a certificate speaks about: plain values from strangers, a shape, formulas, and what is true at weights."""

from __future__ import annotations

import itertools
import json
import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from fstheory.checker.numbers import Irrational, Number, add, compare, enclosure, logarithms, multiply, square_root
from fstheory.errors import CertificateError, InvalidTypeError, explain, show

MAX_BYTES = 2**26  # of the text
MAX_VALUES = 3_000_000  # numbers, strings, lists and objects
MAX_DEPTH = 250  # of lists and objects inside one another
MAX_BITS = 2048  # of a numerator or denominator, read or computed
MAX_FEATURES = 10
MAX_CELLS = 1024
MAX_STEPS = 10**8  # each well below a microsecond
MAX_STATES = 10**18  # of a feature, and of all together, where only the cells with weight are written
WIDTH = Fraction(1, 10**12)  # of the interval around an irrational value, at most

_Exact = TypeVar("_Exact", bound="int | Fraction")
ASSUMPTIONS = ("positive", "unique_maximum")  # that may be named instead of spelled out
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
    """Return the number, or refuse it if it is too long."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise wrong("a number", f"of at most {MAX_BITS} bits", number)
    return number


Node: TypeAlias = "tuple[Any, ...]"
Coefficient: TypeAlias = "int | Fraction"  # nearly all are integers, which are faster
Form: TypeAlias = (
    "dict[int, Coefficient]"  # by unknown: cells or risks and entropies, then maxima; ONE has the constant
)
Fact: TypeAlias = "tuple[str, Form]"  # (">", form) says that the form is above 0; also ">=" and "="

ONE = -1

LEAVES = {"q": 1, "P": 2, "R": 1, "H": 2, "t": 1}  # and how many parts each has; the others: least and most
COMPARISONS: dict[str, Callable[[int, int], bool]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
_TERMS = {"+": (0, math.inf), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
_TERMS |= {"max": (1, math.inf), "min": (1, math.inf)}
_FORMULAS = {"and": (0, math.inf), "or": (0, math.inf), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
_FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))


class Space:
    """What formulas speak about: so many features, and the variables of a cell, if there are cells."""

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
        """Return the numbers, in C order, of the cells of a partial state, in which None stands for any."""
        found = [0]
        for index, size in zip((*states, y), self.axes, strict=True):
            found = [cell * size + i for cell in found for i in (range(size) if index is None else (index,))]
        self.spend(2 * len(found))
        return found

    def states(self, features: Node) -> Iterable[Node]:
        """Return the states of a subset in lexicographic order, None at the other features."""
        return itertools.product(*(range(c) if i in features else (None,) for i, c in enumerate(self.cardinalities)))

    def tie(self, small: Iterable[int], large: Iterable[int]) -> Node:
        """Return that for each state of some features one class is a best one of all states of more of them in it."""
        states = []
        for s in self.states(tuple(small)):
            axes = zip(self.cardinalities, s, strict=True)
            inside = [range(c) if i in large and v is None else (v,) for i, (c, v) in enumerate(axes)]
            cells = [[("P", t, y) for y in self.classes] for t in itertools.product(*inside)]
            self.spend(len(cells) * len(self.classes) ** 2)
            beaten = [[("<=", o, cell[y]) for cell in cells for o in cell if o != cell[y]] for y in self.classes]
            states.append(("or", *(("and", *least) for least in beaten)))
        return ("and", *states)

    def risk(self, features: Node) -> Node:
        """Return the definition of a Bayes risk: 1 - sum over s of max over y of P(s, y)."""
        tops = (("max", *(("P", s, y) for y in self.classes)) for s in self.states(features))
        return ("+", ("q", "1"), *(("*", ("q", "-1"), top) for top in tops))

    def leaf(self, term: Node) -> Form | Node:
        """Return a probability as the sum of its cells, a Bayes risk as its definition."""
        require(term[0] != "H", "a term of a proof", "linear", term)
        return self.risk(term[1]) if term[0] == "R" else dict.fromkeys(self.cells(*term[1:]), 1)

    def fact(self, reference: Any, place: str) -> Fact:
        """Return what is true of every distribution."""
        match reference:
            case "total":
                return "=", {ONE: -1} | dict.fromkeys(range(self.size), Fraction(1))
            case ("p", cell):
                return ">=", {whole(0, self.size, cell, place): 1}
        facts_of_all = "['p', cell], ['M', k, j], ['whole', k], ['sum', k, parts] or 'total'"
        raise wrong(place, f"about numbered facts, {facts_of_all}", reference)

    def cases(self, split: Any, place: str) -> tuple[Node, ...]:
        """Refuse a split of what is no disjunction of the branch."""
        raise wrong(place, "['or', number] or ['max', number]", split)


def formulas(value: Any, shape: Space, place: str) -> dict[str, Node]:
    """Return the formulas of a list of instances, by where they stand."""
    found = {}
    for i, entry in enumerate(list_of(None, value, place)):
        instance = object_with(["name", "where", "formula"], entry, f"{place}[{i}]")
        require(type(instance["where"]) is dict, f"{place}[{i}].where", "an object", instance["where"])
        check_node(instance["formula"], "formula", shape, f"{place}[{i}].formula")
        found[f"{place}[{i}], {show(name(instance['name'], f'{place}[{i}].name'))},"] = instance["formula"]
    return found


def check_node(node: Any, what: str, shape: Space, place: str) -> None:
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


def _check_leaf(kind: str, parts: list[Any], shape: Space, place: str) -> None:
    if kind == "q":
        rational(parts[0], f"a constant in {place}")
    elif kind == "t":
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
        require(kind == "R" or type(parts[1]) is bool, f"the last part of H in {place}", "true or false", parts[-1])


def undivided(comparison: Node) -> Node | None:
    """Return a comparison of conditional probabilities, all with one condition b, multiplied by b; None of others.

    Where b is 0 they are 0, as 0 / 0 is.
    """
    kind, *sides = comparison
    conditions = {condition for side in sides for condition in _conditions(side)}
    if len(conditions) != 1 or (b := conditions.pop())[0] != "P" or None in (found := [_times(x, b) for x in sides]):
        return None
    (left, least), (right, most) = (pair for pair in found if pair)
    zero: Node = ("+",)
    return "or", ("and", ("<", zero, b), (kind, left, right)), ("and", ("=", b, zero), (kind, least, most))


def _is_number(term: Node) -> bool:
    return term[0] == "q" or (term[0] not in LEAVES and all(map(_is_number, term[1:])))


def _conditions(term: Node) -> Iterator[Node]:
    """Yield what a term divides by that is no number."""
    if term[0] not in LEAVES:
        yield from (condition for part in term[1:] for condition in _conditions(part))
        if term[0] == "/" and not _is_number(term[2]):
            yield term[2]


def _times(term: Node, b: Node) -> tuple[Node, Node] | None:
    """Return a term multiplied by b, and what it is where b is 0; None unless b cancels in all that is no number."""
    kind, *parts = term
    if _is_number(term):
        return ("*", term, b), term
    if kind == "/" and parts[1] == b:
        return (parts[0], ("+",)) if _is_within(parts[0], b) else None
    if kind in {"*", "/"} and sum(map(_is_number, parts)) == 1:
        found = [(part, part) if _is_number(part) else _times(part, b) for part in parts]
    elif kind in {"+", "max", "min"}:
        found = [_times(part, b) for part in parts]
    else:
        return None
    pairs = [pair for pair in found if pair]
    return ((kind, *(left for left, _ in pairs)), (kind, *(right for _, right in pairs))) if None not in found else None


def _is_within(term: Node, b: Node) -> bool:
    """Say whether a term adds up probabilities of parts of b, so that it is 0 where b is."""
    if term[0] == "+":
        return all(_is_within(part, b) for part in term[1:])
    pairs = zip((*term[1], term[2]), (*b[1], b[2]), strict=True) if term[0] == "P" else [(None, 0)]
    return all(fixed in (None, own) for own, fixed in pairs)


class Distribution:
    """Terms and formulas at a distribution: integer weights above 0 of some cells, over their total."""

    def __init__(self, shape: SampleSpace, cells: dict[Node, int]) -> None:
        self.shape, self.cells, self.total = shape, cells, sum(cells.values())
        self._known: dict[Node, Number] = {}
        self._marginals: dict[Node, dict[Node, int]] = {}
        self.parameters: dict[str, Any] = {}  # their values, as rationals are written

    def marginal(self, axes: Iterable[int]) -> dict[Node, int]:
        """Return the weights above 0 of the states of some variables, in which the class is the last one."""
        kept = tuple(axes)
        if kept in self._marginals:
            return self._marginals[kept]
        self.shape.spend(len(self.cells) * (10 + len(kept)))
        found: dict[Node, int] = {}
        for cell, weight in self.cells.items():
            state = tuple(cell[i] for i in kept)
            found[state] = found.get(state, 0) + weight
        if len(self.cells) <= MAX_CELLS:  # so that marginals of many cells are not kept by the thousand
            self._marginals[kept] = found
        return found

    def largest(self, axes: Iterable[int]) -> dict[Node, int]:
        """Return the weight of a most likely class, for each state above 0 of some features."""
        found: dict[Node, int] = {}
        for (*state, _), weight in self.marginal((*axes, self.shape.n)).items():
            found[tuple(state)] = max(weight, found.get(tuple(state), 0))
        return found

    def satisfies(self, assumption: str) -> bool:
        """Decide an assumption of Peña and Nilsson by its name."""
        largest = self.largest(range(self.shape.n))
        if assumption == "positive":
            return len(largest) == math.prod(self.shape.cardinalities)
        return sum(weight == largest[cell[:-1]] for cell, weight in self.cells.items()) == len(largest)

    def truth(self, formula: Node) -> bool:
        """Decide a formula. Of "and", "or" and "implies" no more parts than needed, from the left."""
        kind, *parts = formula
        if kind in COMPARISONS:
            left, right = map(self.value, parts)
            return self._compare(kind, left, right)
        if kind in {"and", "or"}:
            return all(map(self.truth, parts)) if kind == "and" else any(map(self.truth, parts))
        first = self.truth(parts[0])
        if kind == "not":
            return not first
        return first is self.truth(parts[1]) if kind == "iff" else not first or self.truth(parts[1])

    def value(self, term: Node) -> Number:
        """Return the value of a term: a Fraction wherever it is rational."""
        kind, *parts = term
        if kind in LEAVES:
            if term not in self._known:
                self._known[term] = self._leaf(kind, *parts)
            return self._known[term]
        values = [self.value(part) for part in parts]
        try:
            return self._combined(kind, values)
        except InvalidTypeError as error:  # a logarithm plus or times a root, say
            raise wrong(f"a term of {kind!r}", f"decidable ({error})", term) from error

    def _leaf(self, kind: str, first: Any, second: Any = None) -> Number:
        if kind in {"q", "t"}:
            return rational(first if kind == "q" else self.parameters.get(first), f"the value of {show(first)}")
        if kind == "P":
            at = {axis: index for axis, index in enumerate((*first, second)) if index is not None}
            return Fraction(self.marginal(at).get(tuple(at.values()), 0), self.total)
        if kind == "R":
            return 1 - Fraction(sum(self.largest(first).values()), self.total)
        alike = Counter(self.marginal((*first, *[self.shape.n] * second)).values())
        self.shape.spend(len(alike) * (1000 + len(alike)))  # before so many logarithms are added up
        shares = ((Fraction(weight, self.total), times) for weight, times in alike.items())
        return self._limited(logarithms((-times * share, share) for share, times in shares))

    def _combined(self, kind: str, values: list[Number]) -> Number:
        last: Number = Fraction(0)
        if kind == "+":
            for value in values:
                last = self._limited(add(last, value))
            return last
        last = values[-1]
        if kind in {"max", "min"}:
            for value in values:
                last = value if self._compare("<", *((last, value) if kind == "max" else (value, last))) else last
            return last
        if kind == "*":
            self.shape.spend(100 * _length(values[0]) * _length(last))
            return self._limited(multiply(values[0], last))
        if not isinstance(last, Fraction):
            raise wrong(f"the last part of {kind!r}", "rational, to be decided", _decimal(last))
        if kind == "/":
            require(last != 0 or values[0] == 0, "a divisor", "other than 0, unless 0 is divided", 0)
            return self._limited(multiply(values[0], 1 / last)) if last else last  # 0/0 = 0: null events do not count
        require(last > 0 or (last == 0 and kind == "sqrt"), f"the argument of {kind!r}", "in its domain", last)
        return self._limited(logarithms([(Fraction(1), last)]) if kind == "log" else square_root(last))

    def _compare(self, kind: str, left: Number, right: Number) -> bool:
        self.shape.spend(10 + 5000 * (_length(left) + _length(right)))  # to decide about logarithms takes long
        return COMPARISONS[kind](compare(left, right), 0)

    def _limited(self, number: Number) -> Number:
        """Return the number, or refuse it if it is long."""
        self.shape.spend(10 + 1000 * _length(number))
        if isinstance(number, Fraction):
            return bounded(number)
        for argument, coefficient in number.terms.items():
            bounded(coefficient), bounded(argument)
        bounded(number.constant)
        return number


def distribution(shape: SampleSpace, weights: Any, total: Any) -> Distribution:
    """Return the distribution with nested weights as a certificate has them."""
    return _in_lowest_terms(at_weights(shape, _flat(weights, shape.axes)), weights, total)


def at_weights(shape: SampleSpace, weights: Iterable[int]) -> Distribution:
    """Return the distribution with these weights of all cells, in C order."""
    places = itertools.product(*map(range, shape.axes))
    return Distribution(shape, {place: weight for place, weight in zip(places, weights, strict=True) if weight})


def sparse_distribution(shape: SampleSpace, cells: Any, total: Any) -> Distribution:
    """Return the distribution whose cells above 0 a certificate lists in order, each as x1, .., xn, y, weight."""
    found: dict[Node, int] = {}
    last: Node = ()
    for entry in list_of(None, cells, "cells"):
        *indices, weight = list_of(shape.n + 2, entry, "a part of cells")
        shape.spend(10 + len(entry))
        axes = zip(shape.axes, indices, strict=True)
        place = tuple(whole(0, size, index, "an index in cells") for size, index in axes)
        require(last < place, "cells", "in ascending order", entry)
        found[place] = whole(1, 2**MAX_BITS, weight, "a weight")
        last = place
    return _in_lowest_terms(Distribution(shape, found), cells, total)


def _in_lowest_terms(at: Distribution, written: Any, total: Any) -> Distribution:
    fits = type(total) is int and total == at.total > 0
    require(fits, "total", f"the sum of the weights, {show(at.total)}, and above 0", total)
    require(math.gcd(*at.cells.values()) == 1, "the weights", "in lowest terms", written)
    return at


def assumptions(value: Any) -> tuple[str, ...]:
    """Return the names of assumptions that are not spelled out."""
    named = list_of(None, value, "assumptions")
    known = all(named.count(name) == 1 and name in ASSUMPTIONS for name in named)
    require(known, "assumptions", f"some of {ASSUMPTIONS}", named)
    return named


def _flat(weights: Any, axes: Sequence[int]) -> list[int]:
    if not axes:
        return [whole(0, 2**MAX_BITS, weights, "a weight")]
    return [w for part in list_of(axes[0], weights, "a part of weights") for w in _flat(part, axes[1:])]


def _decimal(number: Irrational) -> str:
    """Return an irrational number as text, to twelve digits."""
    return f"about {float(enclosure(number, 128)[0]):.12g}"


def _length(number: Number) -> int:
    return 0 if isinstance(number, Fraction) else len(number.terms)


def require_values(values: Any, formula: Node, at: Distribution) -> None:
    """Require the exact value of each side of each comparison, in order of first appearance."""
    terms = tuple(dict.fromkeys(_sides(formula)))
    for i, (term, entry) in enumerate(zip(terms, list_of(len(terms), values, "values"), strict=True)):
        written, claimed = list_of(2, entry, f"values[{i}]")
        check_node(written, "term", at.shape, f"values[{i}]")  # True is no index, though it is equal to 1 for Python
        require(written == term, f"values[{i}]", f"about {show(term)}", written)
        number = at.value(term)
        if isinstance(number, Fraction):
            require(claimed == str(number), f"values[{i}]", f"'{number}', the value of {show(term)}", claimed)
        else:
            low, high = (rational(end, f"values[{i}]") for end in list_of(2, claimed, f"values[{i}]"))
            around = compare(low, number) < 0 < compare(high, number)
            require(around, f"values[{i}]", f"an interval around the value, {_decimal(number)}", claimed)
            require(high - low <= WIDTH, f"values[{i}]", f"an interval of width at most {WIDTH}", claimed)


def _sides(formula: Node) -> Iterable[Node]:
    if formula[0] in COMPARISONS:
        return formula[1:]
    return itertools.chain.from_iterable(map(_sides, formula[1:]))
