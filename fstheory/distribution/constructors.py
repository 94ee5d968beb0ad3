"""What distributions are made of: mass functions, counts, rows and conditional probabilities as integer weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from fstheory._exact import Exact, as_fraction, as_index, describe_total, integers_over, readable
from fstheory._memory import enough_memory, require_cells
from fstheory.distribution.variables import Label, States, Variables, clean_label, infer_states, is_missing, note_label
from fstheory.distribution.weights import Weights
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown
from fstheory.subsets import feature_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Conditional", "count_rows", "encode", "is_frame", "pmf_of_conditional", "read_counts", "read_frame"]
__all__ += ["read_pmf", "table_of"]


def is_frame(rows: object) -> TypeGuard[pd.DataFrame]:
    """Say whether `rows` is a pandas DataFrame, without importing pandas."""
    return any(kind.__name__ == "DataFrame" and kind.__module__.startswith("pandas") for kind in type(rows).__mro__)


def count_rows(rows: Iterable[Sequence[Label]]) -> Counter[tuple[Label, ...]]:
    """Count equal rows (x1, .., xn, y); refuse rows of unequal length and missing values."""
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise InvalidTypeError(explain("rows", "an iterable of rows (x1, .., xn, y)", rows, "pass a list of tuples"))
    counts: Counter[tuple[Label, ...]] = Counter()
    width: int | None = None
    seen: list[dict[Label, Label]] = []
    for number, row in enumerate(rows):
        # a set has no order, and of a dict one would count the keys
        if isinstance(row, str | bytes | Mapping | Set) or not isinstance(row, Iterable):
            raise InvalidTypeError(explain(f"rows[{number}]", "a sequence (x1, .., xn, y)", row, "pass a tuple"))
        key = tuple(row)
        if width is None:
            width, seen = len(key), [{} for _ in key]
        if len(key) != width:
            requirement = f"of length {width} like the first row"
            raise InvalidValueError(explain(f"rows[{number}]", requirement, key, "the table is ragged"))
        try:
            for column, label in enumerate(key):
                if is_missing(label):
                    raise InvalidValueError(explain(f"rows[{number}][{column}]", "a label", label, "drop the row"))
                note_label(seen[column], label, f"rows[{number}][{column}]")
            counts[key] += 1
        except TypeError:
            raise InvalidTypeError(explain(f"rows[{number}]", "made of hashable labels", key, "use strings")) from None
    if not counts:
        raise InvalidValueError(explain("rows", "at least one row", [], "an empirical distribution needs samples"))
    return counts


def read_frame(
    frame: pd.DataFrame, target: str | None, features: Iterable[str] | None
) -> tuple[list[list[Label]], list[str], dict[str, list[Label]]]:
    """Return the columns of a DataFrame, the target last, their names, and the categories declared."""
    columns = list(frame.columns)
    if target is None:
        raise InvalidValueError(f"target must be the name of a column, not left out; pass one of {columns}")
    chosen = [name for name in columns if name != target] if features is None else list(feature_names(features))
    for name in (target, *chosen):
        if name not in columns:
            raise unknown("column", name, columns)
        if columns.count(name) > 1:
            raise InvalidValueError(explain("columns", "distinct names", name, "rename one of them"))
    categories: dict[str, list[Label]] = {}
    for name in (*chosen, target):
        missing = frame[name].isna()
        if missing.any():
            found = f"{int(missing.sum())} (first in row {missing.to_list().index(True)})"
            raise InvalidValueError(f"column {name!r} must have no missing values, not {found}; drop those rows")
        dtype: Any = frame[name].dtype
        if hasattr(dtype, "categories"):
            categories[name] = list(dtype.categories)
    names = [*chosen, target]
    return [frame[name].tolist() for name in names], names, categories


def encode(values: Sequence[Label], argument: str) -> tuple[npt.NDArray[np.int64], list[Label]]:
    """Return the values of one column as positions in the list of its distinct labels, and that list."""
    places: dict[Label, int] = {}
    try:
        kinds = set(map(type, values))
        if len(kinds) > 1 or tuple in kinds:  # where Python could take a label for another
            seen: dict[Label, Label] = {}
            for value in values:
                note_label(seen, value, argument)
        codes = [places.setdefault(value, len(places)) for value in values]
    except TypeError:
        raise InvalidTypeError(f"{argument} must be made of hashable labels; use strings") from None
    return np.array(codes, dtype=np.int64), [clean_label(label, argument) for label in places]


_BYTES = 16  # a cell, of machine integers or objects: the peak of `from_counts` and of reading CSV, by tracemalloc
_MANY, _LISTED = 1000, 12

Key: TypeAlias = "tuple[Label, ...]"

# Keys are tuples of labels, and inner keys labels. The type of a mapping's keys is invariant, so to write that here
# would make a type checker refuse a dict of tuples of strings.
Conditional: TypeAlias = "Mapping[Any, Mapping[Any, Exact]] | Callable[[Any], Mapping[Any, Exact]]"


def read_pmf(pmf: Mapping[Any, Exact], *, normalize: bool) -> dict[Key, Fraction]:
    """Return the cells of a probability mass function, checked."""
    entries = {_key(key): _mass(value, f"pmf[{key!r}]") for key, value in _mapping(pmf, "pmf", "probability").items()}
    total = sum(entries.values())
    if not normalize:
        _require_one(total, "pmf", "correct them or pass normalize=True")
    return entries


def read_counts(counts: Mapping[Any, int]) -> dict[Key, Fraction]:
    """Return the cells that were counted, checked."""
    listed = _mapping(counts, "counts", "count").items()
    return {_key(key): Fraction(as_index(value, f"counts[{key!r}]")) for key, value in listed}


def pmf_of_conditional(prior: Mapping[Any, Exact], conditional: Conditional) -> dict[Key, Fraction]:
    """Return the mass function p(x) p(y|x)."""
    before = {_key(x): _mass(p, f"prior[{x!r}]") for x, p in _mapping(prior, "prior", "probability").items()}
    _require_one(sum(before.values()), "prior")
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
        _require_one(sum(after.values()), f"conditional[{x!r}]")
        for y in after:
            note_label(classes, y, f"a class of conditional[{x!r}]")
        pmf.update({(*x, y): mass * p for y, p in after.items()})
    some = next(iter(pmf))[-1]
    seen = {(*x, some): Fraction(0) for x in before}  # so that an x with p(x) = 0 is a state, too, and in its place
    return {**seen, **pmf}


def table_of(
    entries: Mapping[Key, Fraction], names: Iterable[str] | None, target: str | None, states: States | None, what: str
) -> tuple[Weights, Variables]:
    """Return the integer weights of all cells, and the variables."""
    if not entries:
        raise InvalidValueError(explain(what, "at least one cell", entries, "name the cells and their masses"))
    width = len(next(iter(entries)))
    for key in entries:
        if len(key) != width or not width:
            requirement = f"a tuple (x1, .., xn, y) of length {width}"
            raise InvalidValueError(explain(f"every key of {what}", requirement, key, "complete it"))
    variables = infer_states(entries, width, names, target, states)
    cells, repair = "the table of all cells", _coarser(variables, len(entries))
    require_cells(variables.shape, cells, repair, _BYTES)
    integers, _ = integers_over(entries.values())
    places = [{label: i for i, label in enumerate(labels)} for labels in variables.labels]
    with enough_memory(cells, repair):
        weights = np.zeros(variables.shape, dtype=np.int64 if sum(integers) < 2**63 else object)
        for key, weight in zip(entries, integers, strict=True):
            plain = (type(label) in (str, int) for label in key)
            cell = tuple(at.get(x, -1) if known else -1 for at, x, known in zip(places, key, plain, strict=True))
            if -1 in cell:  # another type, or unknown, which is told there
                cell = tuple(variables.state(axis, label) for axis, label in enumerate(key))
            weights[cell] += weight
        return weights, variables


def _coarser(variables: Variables, rows: int) -> str:
    """Say how to make the table smaller; a variable with nearly as many states as rows was measured, not classified."""
    counts = zip(variables.names, variables.shape, strict=True)
    fine = [f"{name!r} ({n})" for name, n in counts if n >= _MANY or (n > 2 and 2 * n > rows)]
    if not fine:
        return "use fewer features or coarser states"
    listed = ", ".join(fine[:_LISTED]) + (", ..." if len(fine) > _LISTED else "")
    tools = "pandas.cut or scikit-learn's KBinsDiscretizer make ranges of numbers"
    return f"leave out or bin the columns with many states, {listed}: {tools}"


def _mapping(value: Any, argument: str, what: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise InvalidTypeError(explain(argument, f"a mapping from states to their {what}", value, "pass a dict"))
    return value


def _key(key: object) -> Key:
    if not isinstance(key, tuple):
        raise InvalidTypeError(explain("a key", "a tuple of states, one for each variable", key, f"write ({key!r},)"))
    return key


def _mass(value: object, argument: str) -> Fraction:
    mass = as_fraction(value, argument)
    if mass < 0:
        raise InvalidValueError(explain(argument, "at least 0", readable(mass), "a probability is not negative"))
    return mass


def _require_one(total: Fraction | int, argument: str, repair: str = "correct them") -> None:
    if total != 1:
        amount = describe_total(total)
        raise InvalidValueError(f"the probabilities of {argument} must sum to exactly 1, not {amount}; {repair}")
