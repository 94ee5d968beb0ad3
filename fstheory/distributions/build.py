"""The parts of distributions: named variables, events, and integer weights from mass functions, counts and rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import is_, length_hint
from types import MappingProxyType
from typing import Any, NoReturn, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory import errors
from fstheory._support.exact import Exact, as_fraction, as_index, describe_total, integers_over
from fstheory._support.memory import AXES, enough_memory, require_axes, require_cells
from fstheory._support.result import FeatureData
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, first_of, require, require_type
from fstheory.lattice.subsets import default_features, feature_names, require_text
from fstheory.numbers.limbs import total_of

# -- Named variables: the features in order, the target, the states of each. Events are made of them.


Label: TypeAlias = Hashable
States: TypeAlias = "Mapping[str, Iterable[Label]]"

DEFAULT_TARGET = "Y"
DEEPEST = 16  # the largest depth of tuples within tuples in a label


@dataclass(frozen=True, slots=True)
class Variables:
    """The names and state labels of the axes of a weight array: the features in order, then the target."""

    features: tuple[str, ...]
    target: str
    labels: tuple[tuple[Label, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all axes, the target last."""
        return (*self.features, self.target)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states of each axis."""
        return tuple(map(len, self.labels))

    def named(self) -> dict[str, Any]:
        """Return the arguments that give another table these variables."""
        return {
            "features": self.features,
            "target": self.target,
            "states": dict(zip(self.names, self.labels, strict=True)),
        }

    def axis(self, name: str) -> int:
        """Return the axis of a variable."""
        try:
            return self.names.index(name)
        except ValueError:
            raise errors.unknown("variable", name, self.names) from None

    def state(self, axis: int, label: object) -> int:
        """Return the position of a state label on an axis."""
        try:
            return self.labels[axis].index(clean_label(label, f"the state of {self.names[axis]}"))
        except ValueError:
            raise errors.unknown(f"state of {self.names[axis]}", label, self.labels[axis]) from None

    def keep(self, axes: Sequence[int]) -> Variables:
        """Return the variables of the listed feature axes, and the target."""
        labels = (*(self.labels[i] for i in axes), self.labels[-1])
        return Variables(tuple(self.features[i] for i in axes), self.target, labels)


def fits_array(variables: Variables, cells: int) -> bool:
    """Return whether the table of all cells has at most so many cells, and no more axes than an array can have."""
    return len(variables.shape) <= AXES and math.prod(variables.shape) <= cells


class VariableData(FeatureData):
    """The base class of distributions and samples: the properties of their variables. Both are immutable."""

    __slots__ = ("_notes", "_variables")
    _variables: Variables
    _notes: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on what was done to the rows when they were read: bins, dropped rows, columns left out.

        Notes are ignored by comparisons.
        """
        return getattr(self, "_notes", ())

    def _with_notes(self, notes: tuple[str, ...]) -> Self:
        """Set the notes of a new object, which nobody else holds yet, and return it."""
        object.__setattr__(self, "_notes", notes)
        return self

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features, in the order of the axes."""
        return self._variables.features

    @property
    def target(self) -> str:
        """The name of the class variable."""
        return self._variables.target

    @property
    def states(self) -> Mapping[str, tuple[Label, ...]]:
        """The state labels of every variable, the target included, as a read-only mapping."""
        return MappingProxyType(dict(zip(self._variables.names, self._variables.labels, strict=True)))

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels of the classes."""
        return self._variables.labels[-1]

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """The number of states of each feature, in order, without the class."""
        return self._variables.shape[:-1]

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable; make a new one instead of setting {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable; {name!r} cannot be deleted")


def make_variables(
    shape: Sequence[int], features: Iterable[str] | None, target: str | None, states: States | None
) -> Variables:
    """Return the variables of an array of this shape. The defaults are X1.., Y, and the states 0, 1, ...."""
    names = _clean_names(len(shape) - 1, features, target)
    given = given_states(states, names)
    labels = []
    for name, size in zip(names, shape, strict=True):
        own = clean_labels(given[name], name) if name in given else tuple(range(size))
        needed = f"{size} labels, one for each weight on its axis"
        require(len(own) == size, f"states[{name!r}]", needed, own, "add or drop some")
        labels.append(own)
    return Variables(names[:-1], names[-1], tuple(labels))


def infer_states(
    keys: Iterable[Sequence[object]], width: int, names: Iterable[str] | None, target: str | None, states: States | None
) -> Variables:
    """Return the variables of keys (x1, .., xn, y). If no states are given, they are the labels that occur.

    Labels that occur are sorted if they are all strings or all integers, so that the order of the keys does not matter.
    Labels of mixed or other types stay in the order of their first occurrence.
    """
    cleaned = _clean_names(width - 1, names, target)
    seen: dict[str, dict[Label, Label]] = {name: {} for name in cleaned}
    for key in keys:
        for (name, labels), label in zip(seen.items(), key, strict=True):
            if not is_noted(labels, label):
                note_label(labels, clean_label(label, f"a state of {name}"), f"a state of {name}")
    return name_states(list(seen.values()), cleaned[:-1], cleaned[-1], states)


def name_states(
    found: Sequence[Iterable[Label]], names: Iterable[str] | None, target: str | None, states: States | None
) -> Variables:
    """Return the variables for lists of labels. If no states are given, the labels are sorted as in `infer_states`."""
    *features, last = _clean_names(len(found) - 1, names, target)
    given = given_states(states, [*features, last])
    labels = zip((*features, last), found, strict=True)
    cleaned = (clean_labels(given.get(name, sort_labels(own)), name) for name, own in labels)
    return Variables(tuple(features), last, tuple(cleaned))


def clean_label(label: object, argument: str) -> Label:
    """Return a hashable state label. A NumPy scalar, also in a tuple, becomes the Python value that it stands for."""
    return clean_each([label], argument)[0]


def clean_each(labels: Iterable[object], argument: str) -> list[Label]:
    """Return each label as `clean_label` does."""
    listed = list(labels)
    _require_shallow(listed, argument)
    cleaned = [_in_python(label) if isinstance(label, np.generic | tuple) else label for label in listed]
    for label in cleaned:
        try:
            hash(label)
        except TypeError:
            raise InvalidTypeError(explain(argument, "a hashable label", label, "use a string, int or tuple")) from None
        if is_missing(label):
            repair = "drop the rows with missing values or give them a label of their own"
            raise InvalidValueError(explain(argument, "a label", label, repair))
    return cleaned


def _in_python(label: Any) -> Any:
    """Return a label without NumPy scalars. A time with nanoseconds stays one of NumPy, because Python has none."""
    if isinstance(label, tuple):
        parts = tuple(map(_in_python, label))
        return label if all(map(is_, parts, label)) else parts
    if not isinstance(label, np.generic):
        return label
    if label.dtype.kind in "mM" and isinstance(label.item(), int):
        micro = label.astype(f"{label.dtype.kind}8[us]")
        return micro.item() if micro == label else label
    return label.item()


def _require_shallow(labels: Sequence[object], argument: str) -> None:
    """Refuse a label that is nested too deeply or contains text with control characters."""
    parts, depth = labels, 0
    while parts:
        if depth > DEEPEST:
            raise InvalidValueError(f"{argument} must be nested at most {DEEPEST} tuples deep, not more; shorten it")
        for part in parts:
            if isinstance(part, str):
                require_text(part, argument)
        parts = [inner for part in parts if isinstance(part, tuple) for inner in part]
        depth += 1


def is_noted(seen: Mapping[Label, Label], label: object) -> bool:
    """Return whether a text or an integer is in `seen`, so that it need not be looked at again."""
    return type(label) in (str, int) and type(seen.get(label)) is type(label)


def note_label(seen: dict[Label, Label], label: Label, argument: str) -> None:
    """Add a label to the labels in `seen`. Refuse a label that Python takes for another one: 1 == True."""
    first = seen.setdefault(label, label)
    if first is label or type(first) is type(label) is not tuple:
        return
    if repr(clean_label(first, argument)) != repr(clean_label(label, argument)):
        repair = "Python compares them as equal: rename one"
        raise InvalidValueError(explain(argument, f"the same as {first!r}, or unequal to it", label, repair))


def is_missing(label: object) -> bool:
    """Return whether a label is or contains a missing value: None, NaN, or NaT or NA of pandas."""
    if isinstance(label, tuple):
        return any(map(is_missing, label))
    try:
        return label is None or bool(label != label)  # NaN differs from itself
    except TypeError:  # a comparison of NA has no truth value
        return True


_LABEL = 200  # bytes per label while labels are cleaned: the peak for a million small integers, by tracemalloc


def clean_labels(labels: Iterable[object], name: str) -> tuple[Label, ...]:
    """Return the state labels of one variable. There must be at least one, and they must be distinct."""
    argument = f"states[{name!r}]"
    unordered = (bytes, set, frozenset)
    listed = errors.require_listed(labels, argument, "a list of labels", "write ['no', 'yes']", *unordered)
    require_cells([length_hint(listed)], argument, "name fewer states", _LABEL)
    cleaned = tuple(clean_each(listed, argument))
    require(cleaned, argument, "at least one label", cleaned, "name the states")
    seen: set[Label] = set()
    for label in cleaned:
        require(label not in seen, argument, "distinct labels", label, "name each state once")
        seen.add(label)
    return cleaned


def sort_labels(found: Iterable[Label]) -> list[Label]:
    """Return labels sorted if they are all strings or all integers, else in the given order."""
    labels = list(found)
    if len({type(label) for label in labels}) == 1 and isinstance(labels[0], str | int):
        return sorted(labels)  # type: ignore[type-var]
    return labels


def given_states(states: States | None, names: Sequence[str]) -> dict[str, Iterable[Label]]:
    """Return the states that a caller names. Each must belong to a variable."""
    given = {} if states is None else states
    require_type(given, Mapping, "states", "a mapping from names to labels", "write {'Y': ['a', 'b']}")
    for name in given:
        errors.require_known(name, "variable in states", names)
    return dict(given)


def _clean_names(n: int, features: Iterable[str] | None, target: str | None) -> tuple[str, ...]:
    names = default_features(n) if features is None else feature_names(features)
    require(len(names) == n, "features", f"{n} names, one for each feature axis", names, "name each axis")
    (last,) = (DEFAULT_TARGET,) if target is None else feature_names([target], "target")
    require(last not in names, "target", "a name that is not among the features", last, "rename one of them")
    return (*names, last)


Event: TypeAlias = "Mapping[str, Any]"
"""From the names of some variables to a state label or to a set of labels: the variable has one of them.

A set is always a set of labels. A label that is itself a frozenset is written as a set that contains it.
"""


NOTHING: Mapping[str, Any] = MappingProxyType({})


def with_keywords(
    given: Mapping[str, Any], named: Mapping[str, Any], argument: str, needed: str, repair: str
) -> dict[str, Any]:
    """Return a mapping from names of variables, with the variables that the call names as keywords."""
    require_type(given, Mapping, argument, needed, repair)
    twice = [name for name in named if name in given]
    require(not twice, argument, "of variables that no keyword names", given, "name each variable once")
    return {**given, **named}


def whole_event(event: Event, named: Mapping[str, Any], argument: str = "event") -> Event:
    """Return the event that a mapping and the keywords of a call describe together."""
    return with_keywords(event, named, argument, "a mapping from names to states", "write {'X1': {0, 1}}, say")


def mask_event(
    event: Event, variables: Variables, columns: Sequence[npt.NDArray[Any]] | None = None
) -> npt.NDArray[Any]:
    """Return an array that can be broadcast to the table: 1 in the cells of the event, and 0 in all others.

    If cells are listed by the columns of their states, return an array that can be broadcast to the list.
    """
    mask = np.ones((1,) * (len(variables.shape) if columns is None else 1), dtype=np.int64)
    for name, wanted in event.items():
        axis = variables.axis(name)
        place, repair = f"the state of {name}", "write several labels as a set"
        require(not isinstance(wanted, list), place, "a label or a set of labels", wanted, repair, InvalidTypeError)
        labels = wanted if isinstance(wanted, Set) else (wanted,)
        along = np.zeros(variables.shape[axis], dtype=np.int64)
        for label in labels:
            along[variables.state(axis, label)] = 1
        shape = [-1 if i == axis else 1 for i in range(len(variables.shape))]
        mask = mask * (along.reshape(shape) if columns is None else along[columns[axis]])
    return mask


# -- Weights: a nested table of exact numbers becomes one integer array in lowest terms.


Weights: TypeAlias = "npt.NDArray[Any]"
"""An int64 array if the total is below 2**63, otherwise an object array of Python ints."""

_WORD = 2**63


def integer_weights(table: object) -> Weights:
    """Return a nested table (lists, tuples or an array) of exact non-negative numbers as an array of integers.

    The integers are the numbers times their common denominator.
    """
    if isinstance(table, np.ma.MaskedArray) and table.mask.any():
        masked = int(table.mask.sum())
        raise InvalidValueError(explain("weights", "a table without masked entries", f"{masked} masked", "fill them"))
    array = _from_array(np.asarray(table)) if isinstance(table, np.ndarray) else _from_nested(table)
    if array.ndim == 0:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", table, "pass a list"))
    require(array.size, "weights", "an array with no empty axis", array.shape, "drop empty axes")
    negative = np.argwhere(array < 0)
    if len(negative):
        at = tuple(map(int, negative[0]))
        given = np.asarray(table, dtype=object)[at]
        raise InvalidValueError(explain(_place(at), "at least 0", given, "a weight is a count or a mass"))
    return array


@enough_memory("the table of all cells", "use fewer features or coarser states")
def lowest_terms(array: Weights) -> tuple[Weights, int]:
    """Return non-negative integer weights divided by their greatest common divisor, read-only, and their total."""
    total = total_of(array)
    divisor = reduce(math.gcd, array.flat) if array.dtype == object else int(np.gcd.reduce(array, axis=None))
    require(total, "the largest weight", "above 0", 0, "a distribution needs a total above 0")
    # The data of a view belong to another array and could be written there, so a view is copied.
    reduced = array if divisor == 1 and array.flags.owndata else array // divisor
    total //= divisor
    reduced = np.ascontiguousarray(reduced, dtype=np.int64 if total < _WORD else object)
    reduced.flags.writeable = False
    return reduced.view(), total  # unlike on the owner of the data, the flag cannot be set again on a view


def _from_array(array: npt.NDArray[Any]) -> Weights:
    if array.dtype.kind in "iu":
        wide = array.dtype.kind == "u" and array.dtype.itemsize == 8
        return array.astype(object if wide else np.int64)
    if array.dtype.kind in "fcb":
        raise InvalidTypeError(explain("weights", "exact numbers", array.dtype, "pass integers or a list of Fractions"))
    return _from_leaves(array.ravel().tolist(), array.shape)


def _from_nested(table: object) -> Weights:
    shape = _shape(table)
    leaves = [table]
    for depth in range(len(shape)):
        for entry in leaves:
            if not _is_list(entry) or len(entry) != shape[depth]:  # type: ignore[arg-type]
                raise InvalidValueError(explain("weights", f"a full table of shape {shape}", entry, "fill its rows"))
        leaves = [leaf for entry in leaves for leaf in entry]  # type: ignore[attr-defined]
    return _from_leaves(leaves, shape)


def _from_leaves(leaves: Sequence[object], shape: tuple[int, ...]) -> Weights:
    if all(type(leaf) is int for leaf in leaves):
        integers: list[int] = list(leaves)  # type: ignore[arg-type]
    else:
        exact: list[Fraction] = []
        for position, leaf in enumerate(leaves):
            if _is_list(leaf):
                raise InvalidValueError(explain("weights", f"a full table of shape {shape}", leaf, "fill its rows"))
            place = tuple(int(i) for i in np.unravel_index(position, shape))
            exact.append(as_fraction(leaf, _place(place)))
        integers, _ = integers_over(exact)
    small = max(map(abs, integers), default=0) < _WORD
    return np.array(integers, dtype=np.int64 if small else object).reshape(shape)


def _shape(table: object) -> tuple[int, ...]:
    """Return the shape of the first entries. Flattening checks that all entries have this shape."""
    shape: list[int] = []
    while _is_list(table):
        require_axes(len(shape) + 1, "weights")
        shape.append(len(table))  # type: ignore[arg-type]
        if not shape[-1]:
            break
        table = table[0]  # type: ignore[index]
    return tuple(shape)


def _is_list(entry: object) -> bool:
    return isinstance(entry, list | tuple | np.ndarray) and not (isinstance(entry, np.ndarray) and entry.ndim == 0)


def _place(at: tuple[int, ...]) -> str:
    return "weights" + "".join(f"[{i}]" for i in at)


# -- Integer weights from mass functions, counts, rows and conditional probabilities.


_MANY, _LISTED = 1000, 12

Key: TypeAlias = "tuple[Label, ...]"

# Keys are tuples of labels, and inner keys are labels. The type of the keys of a mapping is invariant. So a precise
# type here would make a type checker refuse a dict of tuples of strings.
Conditional: TypeAlias = "Mapping[Any, Mapping[Any, Exact]] | Callable[[Any], Mapping[Any, Exact]]"


def read_pmf(pmf: Mapping[Any, Exact], *, normalize: bool) -> dict[Key, Fraction]:
    """Return the checked cells of a probability mass function."""
    entries = {_key(key): _mass(value, f"pmf[{key!r}]") for key, value in _mapping(pmf, "pmf", "probability").items()}
    total = sum(entries.values())
    if not normalize:
        require_one(total, "pmf", "correct them or pass normalize=True")
    return entries


def read_counts(counts: Mapping[Any, int]) -> dict[Key, Fraction]:
    """Return the checked cells of a mapping of counts."""
    listed = _mapping(counts, "counts", "count").items()
    return {_key(key): Fraction(as_index(value, f"counts[{key!r}]")) for key, value in listed}


def pmf_of_conditional(prior: Mapping[Any, Exact], conditional: Conditional) -> dict[Key, Fraction]:
    """Return the probability mass function p(x) p(y|x)."""
    before = {_key(x): _mass(p, f"prior[{x!r}]") for x, p in _mapping(prior, "prior", "probability").items()}
    require_one(sum(before.values()), "prior")
    if not callable(conditional):
        _mapping(conditional, "conditional", "mapping {y: p(y|x)}")
    pmf: dict[Key, Fraction] = {}
    classes: dict[Label, Label] = {}
    for x, mass in before.items():
        if not mass:
            continue
        if not callable(conditional) and x not in conditional:
            raise InvalidValueError(explain("conditional", "given for every x with p(x) > 0", x, "add p(y|x) there"))
        given = conditional(x) if callable(conditional) else conditional[x]
        given = _mapping(given, f"conditional[{x!r}]", "probability")
        after = {y: _mass(p, f"conditional[{x!r}][{y!r}]") for y, p in given.items()}
        require_one(sum(after.values()), f"conditional[{x!r}]")
        for y in after:
            note_label(classes, y, f"a class of conditional[{x!r}]")
        pmf.update({(*x, y): mass * p for y, p in after.items()})
    some = next(iter(pmf))[-1]
    seen = {(*x, some): Fraction(0) for x in before}  # so that an x with p(x) = 0 keeps its place among the states
    return {**seen, **pmf}


def cells_of(
    entries: Mapping[Key, Fraction], names: Iterable[str] | None, target: str | None, states: States | None, what: str
) -> tuple[Sequence[npt.NDArray[Any]], list[int], Variables]:
    """Return the states of each cell by columns, the integer weights, and the variables, for masses of cells."""
    require(entries, what, "at least one cell", entries, "name the cells and their masses")
    width = require_rows(entries, what)
    variables = infer_states(entries, width, names, target, states)
    integers, _ = integers_over(entries.values())
    columns = []
    for axis, (labels, states_seen) in enumerate(zip(variables.labels, zip(*entries, strict=True), strict=True)):
        places = {label: i for i, label in enumerate(labels)}
        # A label of another type, or an unknown one, which is refused, is looked up by its value.
        known = ((places.get(x) if type(x) in (str, int) else None, x) for x in states_seen)
        found = [variables.state(axis, x) if place is None else place for place, x in known]
        columns.append(np.array(found, dtype=np.min_scalar_type(len(labels) - 1)))
    return columns, integers, variables


def require_rows(keys: Iterable[Any], what: str) -> int:
    """Return the length of keys (x1, .., xn, y). Refuse keys of different lengths."""
    width: int | None = None
    for key in keys:
        if not isinstance(key, tuple) or not key or len(key) != (width := width or len(key)):
            needed = "a tuple (x1, .., xn, y)" + (f" of length {width}" if width else "")
            raise InvalidValueError(explain(f"every key of {what}", needed, key, "complete it"))
    return width or 0


def coarser(variables: Variables, rows: int) -> str:
    """Return an advice how to make the table smaller. It names the variables with very many states."""
    counts = zip(variables.names, variables.shape, strict=True)
    fine = [f"{name!r} ({n})" for name, n in counts if n >= _MANY or (n > 2 and 2 * n > rows)]
    if not fine:
        return "use fewer features or coarser states"
    tools = "pandas.cut or scikit-learn's KBinsDiscretizer make ranges of numbers"
    return f"leave out or bin the columns with many states, {first_of(fine, _LISTED)}: {tools}"


def _mapping(value: Any, argument: str, what: str) -> Mapping[Any, Any]:
    return require_type(value, Mapping, argument, f"a mapping from states to their {what}", "pass a dict")


def _key(key: object) -> Key:
    return require_type(key, tuple, "a key", "a tuple of states, one for each variable", f"write ({key!r},)")


def _mass(value: object, argument: str) -> Fraction:
    return as_fraction(value, argument, at_least=0, repair="a probability is not negative")


def require_one(total: Fraction | int, argument: str, repair: str = "correct them") -> None:
    """Refuse probabilities whose sum is not exactly 1."""
    if total != 1:
        amount = describe_total(total)
        raise InvalidValueError(f"the probabilities of {argument} must sum to exactly 1, not {amount}; {repair}")
