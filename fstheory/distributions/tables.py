"""Read tables, rows, pandas DataFrames and CSV files alike: columns of labels, and how often each row was seen."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import parse_fraction
from fstheory._support.files import as_path
from fstheory._support.memory import enough_memory
from fstheory.distributions.build import Label, clean_label, is_missing, note_label
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    as_names,
    explain,
    require,
    require_known,
)
from fstheory.lattice.subsets import feature_names, require_text

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 12

Column: TypeAlias = "tuple[npt.NDArray[np.int64], Sequence[Label]]"
"""The label of each row as a position in a list of distinct labels, and that list."""


class Table(NamedTuple):
    """The chosen columns of a table, the target last; equal rows may be repeated, and counts be 0."""

    names: tuple[str, ...]
    columns: Sequence[Column]
    counts: Sequence[int]
    states: Mapping[str, Sequence[Label]]  # those that were declared

    def counted(self) -> Counter[tuple[Label, ...]]:
        """Return how often each row of labels was seen."""
        counts: Counter[tuple[Label, ...]] = Counter()
        rows = zip(*([labels[code] for code in codes.tolist()] for codes, labels in self.columns), strict=True)
        for row, times in zip(rows, self.counts, strict=True):
            counts[row] += times
        return counts


def encode_rows(values: Sequence[Label], argument: str) -> Column:
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


# -- Rows that are listed.


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
        if len(key) != width:  # of each row: no text is made of those that are right
            needed = f"of length {width} like the first row"
            raise InvalidValueError(explain(f"rows[{number}]", needed, key, "the table is ragged"))
        try:
            for column, label in enumerate(key):
                if is_missing(label):
                    raise InvalidValueError(explain(f"rows[{number}][{column}]", "a label", label, "drop the row"))
                note_label(seen[column], label, f"rows[{number}][{column}]")
            counts[key] += 1
        except TypeError:
            raise InvalidTypeError(explain(f"rows[{number}]", "made of hashable labels", key, "use strings")) from None
    require(counts, "rows", "at least one row", [], "an empirical distribution needs samples")
    return counts


# -- DataFrames.


def is_frame(rows: object) -> TypeGuard[pd.DataFrame]:
    """Say whether `rows` is a pandas DataFrame, without importing pandas."""
    return any(kind.__name__ == "DataFrame" and kind.__module__.startswith("pandas") for kind in type(rows).__mro__)


def read_frame(frame: pd.DataFrame, target: str | None, features: Iterable[str] | None) -> Table:
    """Return the columns of a DataFrame; the categories of categorical columns are the states."""
    existing = list(frame.columns)
    if target is None:
        raise InvalidValueError(f"target must be the name of a column, not left out; pass one of {existing}")
    chosen = [name for name in existing if name != target] if features is None else feature_names(features)
    columns, states = [], {}
    for name in (*chosen, target):
        require_known(name, "column", existing)
        require(existing.count(name) == 1, "columns", "distinct names", name, "rename one of them")
        missing = frame[name].isna()
        if missing.any():
            found = f"{int(missing.sum())} (first in row {missing.to_list().index(True)})"
            raise InvalidValueError(f"column {name!r} must have no missing values, not {found}; drop those rows")
        dtype: Any = frame[name].dtype
        if hasattr(dtype, "categories"):
            states[name] = list(dtype.categories)
        columns.append(encode_rows(frame[name].tolist(), f"column {name!r}"))
    require(len(frame), "frame", "of at least one row", len(frame), "a sample is not empty")
    return Table((*chosen, target), columns, [1] * len(frame), states)


# -- CSV files.


def read_counted(
    path: str | os.PathLike[str],
    target: str | None,
    features: Iterable[str] | None,
    count: str | None,
    missing: Iterable[str],
    delimiter: str,
) -> Table:
    """Return the distinct rows of a CSV file, which is what memory is needed for; labels are texts."""
    counts: Counter[tuple[int, ...]] = Counter()
    with enough_memory(str(path), "count equal rows, or choose fewer columns"), open_text(path) as stream:
        names, seen, rows = _encoded(stream, str(path), target, features, count, missing, delimiter)
        for codes, times in rows:
            counts[codes] += times
        require(counts, str(path), "a table with samples", "its header alone", "add rows")
        columns = zip(np.array(list(counts), dtype=np.int64).T, map(list, seen), strict=True)
        return Table(names, list(columns), list(counts.values()), {})


def read_rows(
    path: str | os.PathLike[str],
    target: str | None,
    features: Iterable[str] | None = None,
    missing: Iterable[str] = (),
    delimiter: str = ",",
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the names of the features and the target, and the rows of a CSV file in their order, as texts."""
    with enough_memory(str(path), "choose fewer columns"), open_text(path) as stream:
        names, seen, rows = _encoded(stream, str(path), target, features, None, missing, delimiter)
        found = [codes for codes, _ in rows]
        require(found, str(path), "a table with samples", "its header alone", "add rows")
        labels = list(map(list, seen))
        return names, [tuple(map(list.__getitem__, labels, codes)) for codes in found]


_Row: TypeAlias = "tuple[str, Sequence[str]]"
"""Where a row starts, line 3 of people.csv, and its cells."""


def _encoded(
    stream: TextIO,
    path: str,
    target: str | None,
    features: Iterable[str] | None,
    count: str | None,
    missing: Iterable[str],
    delimiter: str,
) -> tuple[tuple[str, ...], list[dict[str, int]], Iterator[tuple[tuple[int, ...], int]]]:
    """Return the names of the columns chosen, what is seen in each while the rows are read, and the rows.

    A row is the places of its labels among those seen in their columns, and how often it was seen.
    """
    single = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '\r\n"'
    require(single, "delimiter", "one character", delimiter, "pass ',' or ';' or '\\t', say")
    if isinstance(missing, str):
        raise InvalidTypeError(explain("missing", "an iterable of texts", missing, f"write [{missing!r}]"))
    rows = _rows(stream, path, delimiter)
    line, header = next((row for row in rows if row[1]), (path, ()))
    columns = _choose(header, line, target, features, count)
    names = tuple(name for name in columns if name != count)
    seen: list[dict[str, int]] = [{} for _ in names]
    return names, seen, _codes(_full_rows(rows, len(header)), columns, seen, frozenset(missing))


def _rows(stream: TextIO, path: str, delimiter: str) -> Iterator[_Row]:
    """Yield the rows; a line with nothing on it is a row without cells."""
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    while True:
        line = f"line {reader.line_num + 1} of {path}"
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InvalidFormatError(f"{line} must be well-formed CSV, not broken ({error}); correct it") from error
        if cells is None:
            return
        yield line, cells


def _choose(
    header: Sequence[str], line: str, target: str | None, features: Iterable[str] | None, count: str | None
) -> dict[str, int]:
    """Return where the columns stand, which all exist once and have names: the features, the target, the count."""
    if not header:
        raise InvalidFormatError(explain(line, "a table with a header", "empty", "begin it with the column names"))
    places: dict[str, int] = {}
    for at, name in enumerate(header):
        if (before := places.setdefault(name, at)) < at:
            twice = f"{name!r} twice (columns {before + 1} and {at + 1})"
            raise InvalidFormatError(f"{line} must name every column once, not {twice}; rename one of them")
    if target is None:
        shown = ", ".join(map(repr, header[:_LISTED])) + (", ..." if len(header) > _LISTED else "")
        raise InvalidValueError(f"target must be the name of a column, not left out; name one of: {shown}")
    used = (target,) if count is None else (target, count)
    others = tuple(name for name in header if name not in used)
    names = others if features is None else as_names(features, "features")
    for name in (*names, *used):
        require_known(name, "column", places)
        place = f"the name of column {places[name] + 1} in {line}"
        require(name.strip(), place, "not blank", name, "name it, or choose other features", InvalidFormatError)
    require(target not in names, "target", "a column that is not a feature", target, "leave it out of features")
    own = count is None or count not in (*names, target)
    require(own, "count", "a column of its own", count, "it cannot be a variable as well")
    return {name: places[name] for name in (*feature_names(names), *used)}


def _full_rows(rows: Iterable[_Row], width: int) -> Iterator[_Row]:
    """Skip lines with nothing on them and refuse rows that are no longer or shorter than the header."""
    for line, cells in rows:
        full = cells or [""] * (width == 1)  # of a single column, an empty line is an empty cell
        if full and len(full) != width:
            repair = "the table is ragged: complete the row, or quote cells that hold the delimiter"
            raise InvalidFormatError(explain(line, f"of {width} cells like the header", len(full), repair))
        if full:
            yield line, full


def _codes(
    rows: Iterable[_Row], columns: Mapping[str, int], seen: Sequence[dict[str, int]], missing: Collection[str]
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each row as places of its labels, which are entered, and its count, if one column more has it."""
    named = list(columns.items())
    counted = named[len(seen) :]
    for line, row in rows:
        times = 1
        for name, at in counted:
            _require_label(row[at], name, line, missing)
            number = parse_fraction(row[at], argument := f"column {name!r} in {line}")
            if number.denominator != 1 or number < 0:
                needed, repair = "an integer of at least 0", "how often the row was seen"
                raise InvalidFormatError(explain(argument, needed, row[at], repair))
            times = int(number)
        codes = []
        for known, (name, at) in zip(seen, named, strict=False):
            code = known.get(row[at])
            if code is None:
                _require_label(row[at], name, line, missing)
                code = known[row[at]] = len(known)
            codes.append(code)
        yield tuple(codes), times


def _require_label(cell: str, name: str, line: str, missing: Collection[str]) -> None:
    """Refuse a cell that is blank, stands for a missing value or holds what cannot be written."""
    argument = f"column {name!r} in {line}"
    if cell in missing or not cell.strip():
        repair = "drop the row, or give the missing value a label of its own"
        raise InvalidFormatError(explain(argument, "a label", cell, repair))
    require_text(cell, argument)


@contextmanager
def open_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a UTF-8 file, its line ends as they are; a byte order mark at its start is no part of the text."""
    file = as_path(path)
    with file.open(encoding="utf-8-sig", newline="") as stream:
        try:
            yield stream
        except UnicodeDecodeError as error:
            raise InvalidFormatError(_not_unicode(file)) from error


def _not_unicode(path: Path) -> str:
    """Say where the file stops being UTF-8. A line end is never a part of another character, so lines stand alone."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = line[error.start : error.end]
                return explain(f"line {number} of {path}", "UTF-8 text", found, "save the file with that encoding")
    return explain(str(path), "UTF-8 text", "what it was", "it changed while it was read: try again")
