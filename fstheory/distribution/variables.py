"""The named variables of a distribution: features in order, the target, the states of each, and events made of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown
from fstheory.subsets import default_features, feature_names, require_text

__all__ = ["DEEPEST", "Event", "Label", "States", "Variables", "clean_label", "clean_labels", "infer_states"]
__all__ += ["is_missing", "make_variables", "mask_event", "name_states", "note_label"]

Label: TypeAlias = Hashable
States: TypeAlias = "Mapping[str, Iterable[Label]]"

DEFAULT_TARGET = "Y"
DEEPEST = 16  # tuples in tuples, of a label


@dataclass(frozen=True, slots=True)
class Variables:
    """Names and state labels of the axes of a weight array: the features in order, then the target."""

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

    def axis(self, name: str) -> int:
        """Return the axis of a variable."""
        try:
            return self.names.index(name)
        except ValueError:
            raise unknown("variable", name, self.names) from None

    def state(self, axis: int, label: object) -> int:
        """Return the position of a state label on an axis."""
        try:
            return self.labels[axis].index(clean_label(label, f"the state of {self.names[axis]}"))
        except ValueError:
            raise unknown(f"state of {self.names[axis]}", label, self.labels[axis]) from None

    def keep(self, axes: Sequence[int]) -> Variables:
        """Return the variables of the feature axes listed, and the target."""
        labels = (*(self.labels[i] for i in axes), self.labels[-1])
        return Variables(tuple(self.features[i] for i in axes), self.target, labels)


def make_variables(
    shape: Sequence[int], features: Iterable[str] | None, target: str | None, states: States | None
) -> Variables:
    """Name the axes of an array of this shape; what is not given is X1.., Y and 0, 1, ...."""
    names = _clean_names(len(shape) - 1, features, target)
    given = _given_states(states, names)
    labels = []
    for name, size in zip(names, shape, strict=True):
        own = clean_labels(given[name], name) if name in given else tuple(range(size))
        if len(own) != size:
            requirement = f"{size} labels, one for each weight on its axis"
            raise InvalidValueError(explain(f"states[{name!r}]", requirement, own, "add or drop some"))
        labels.append(own)
    return Variables(names[:-1], names[-1], tuple(labels))


def infer_states(
    keys: Iterable[Sequence[object]], width: int, names: Iterable[str] | None, target: str | None, states: States | None
) -> Variables:
    """Name the variables of keys (x1, .., xn, y); states not given are those that occur.

    Labels that occur are sorted when they are all strings or all integers, so that the order of the
    keys does not matter; labels of mixed or other types stay in the order of their first occurrence.
    """
    cleaned = _clean_names(width - 1, names, target)
    seen: dict[str, dict[Label, Label]] = {name: {} for name in cleaned}
    for key in keys:
        for (name, labels), label in zip(seen.items(), key, strict=True):
            note_label(labels, clean_label(label, f"a state of {name}"), f"a state of {name}")
    return name_states(list(seen.values()), cleaned[:-1], cleaned[-1], states)


def name_states(
    found: Sequence[Iterable[Label]], names: Iterable[str] | None, target: str | None, states: States | None
) -> Variables:
    """Name the variables whose labels were found, sorted as `infer_states` does it where no states are given."""
    *features, last = _clean_names(len(found) - 1, names, target)
    given = _given_states(states, [*features, last])
    labels = zip((*features, last), found, strict=True)
    cleaned = (clean_labels(given.get(name, _sorted(own)), name) for name, own in labels)
    return Variables(tuple(features), last, tuple(cleaned))


def clean_label(label: object, argument: str) -> Label:
    """Return a hashable state label, a NumPy scalar as the Python value it stands for."""
    item = getattr(label, "item", None)
    if item is not None and type(label).__module__ == "numpy":
        label = item()
    _require_shallow(label, argument)
    try:
        hash(label)
    except TypeError:
        raise InvalidTypeError(explain(argument, "a hashable label", label, "use a string, int or tuple")) from None
    if is_missing(label):
        repair = "drop the rows with missing values or give them a label of their own"
        raise InvalidValueError(explain(argument, "a label", label, repair))
    return label


def _require_shallow(label: object, argument: str) -> None:
    """Refuse a label that is nested deeply or holds text that cannot be written."""
    parts, depth = [label], 0
    while parts:
        if depth > DEEPEST:
            raise InvalidValueError(f"{argument} must be nested at most {DEEPEST} tuples deep, not more; shorten it")
        for part in parts:
            if isinstance(part, str):
                require_text(part, argument)
        parts = [inner for part in parts if isinstance(part, tuple) for inner in part]
        depth += 1


def note_label(seen: dict[Label, Label], label: Label, argument: str) -> None:
    """Add a label to those seen, or refuse one that Python takes for another: 1 == True."""
    first = seen.setdefault(label, label)
    if first is label or type(first) is type(label) is not tuple:
        return
    if repr(clean_label(first, argument)) != repr(clean_label(label, argument)):
        repair = "Python takes them for equal: rename one"
        raise InvalidValueError(explain(argument, f"the same as {first!r}, or unequal to it", label, repair))


def is_missing(label: object) -> bool:
    """Say whether a label stands for a missing value: None, NaN, pandas' NaT or NA; or has one as a part."""
    if isinstance(label, tuple):
        return any(map(is_missing, label))
    try:
        return label is None or bool(label != label)  # NaN differs from itself
    except TypeError:  # pandas' NA does not know
        return True


def clean_labels(labels: Iterable[object], name: str) -> tuple[Label, ...]:
    """Return the distinct state labels of one variable, at least one."""
    argument = f"states[{name!r}]"
    if isinstance(labels, str | bytes | set | frozenset) or not isinstance(labels, Iterable):  # a set has no order
        raise InvalidTypeError(explain(argument, "a list of labels", labels, "write ['no', 'yes']"))
    cleaned = tuple(clean_label(label, argument) for label in labels)
    if not cleaned:
        raise InvalidValueError(explain(argument, "at least one label", cleaned, "name the states"))
    seen: set[Label] = set()
    for label in cleaned:
        if label in seen:
            raise InvalidValueError(explain(argument, "distinct labels", label, "name each state once"))
        seen.add(label)
    return cleaned


def _sorted(found: Iterable[Label]) -> list[Label]:
    labels = list(found)
    if len({type(label) for label in labels}) == 1 and isinstance(labels[0], str | int):
        return sorted(labels)  # type: ignore[type-var]
    return labels


def _given_states(states: States | None, names: Sequence[str]) -> dict[str, Iterable[Label]]:
    if not isinstance(states, Mapping | None):
        raise InvalidTypeError(explain("states", "a mapping from names to labels", states, "write {'Y': ['a', 'b']}"))
    for name in states or {}:
        if name not in names:
            raise unknown("variable in states", name, names)
    return dict(states or {})


def _clean_names(n: int, features: Iterable[str] | None, target: str | None) -> tuple[str, ...]:
    names = default_features(n) if features is None else feature_names(features)
    if len(names) != n:
        raise InvalidValueError(explain("features", f"{n} names, one for each feature axis", names, "name each axis"))
    (last,) = (DEFAULT_TARGET,) if target is None else feature_names([target], "target")
    if last in names:
        raise InvalidValueError(explain("target", "a name that is not among the features", last, "rename one of them"))
    return (*names, last)


Event: TypeAlias = "Mapping[str, Any]"
"""From the names of some variables to a state label, or to a set of labels any of which may occur.

A set is always a set of labels; a label that is itself a frozenset is written as a set of one.
"""


def mask_event(event: Event, variables: Variables) -> npt.NDArray[Any]:
    """Return 0 and 1 with one axis for each variable, broadcastable to the table: 1 where the event holds."""
    if not isinstance(event, Mapping):
        raise InvalidTypeError(explain("event", "a mapping from names to states", event, "write {'X1': {0, 1}}, say"))
    mask = np.ones((1,) * len(variables.shape), dtype=np.int64)
    for name, wanted in event.items():
        axis = variables.axis(name)
        if isinstance(wanted, list):
            repair = "write several labels as a set"
            raise InvalidTypeError(explain(f"the state of {name}", "a label or a set of labels", wanted, repair))
        labels = wanted if isinstance(wanted, Set) else (wanted,)
        along = np.zeros(variables.shape[axis], dtype=np.int64)
        for label in labels:
            along[variables.state(axis, label)] = 1
        mask = mask * along.reshape([-1 if i == axis else 1 for i in range(len(variables.shape))])
    return mask
