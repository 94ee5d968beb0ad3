"""Reading rows, DataFrames and CSV files into one form: columns of labels, and how often each row was seen."""

from __future__ import annotations

import csv
import gzip
import os
import re
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import chain, compress, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from fstheory import errors
from fstheory._support.exact import as_fraction, as_index, parse_fraction
from fstheory._support.files import as_path, as_source
from fstheory._support.memory import enough_memory
from fstheory.distributions.build import Label, Variables, clean_each, is_missing, is_noted, note_label
from fstheory.distributions.counting import WORD, as_times, smallest
from fstheory.distributions.engines import A_FRAME, counted, flows, opened
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    Message,
    Named,
    explain,
    first_of,
    repaired,
    require,
)
from fstheory.lattice.subsets import feature_names, require_text

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 12
_RANGE = 2**16  # integers in a smaller range are looked up in a table
MISSING = "missing"  # the state that stands for a missing value; until states are made, the label is None
USUAL = frozenset(["", "#N/A", "<NA>", "?", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "none", "null"])
"""Texts that stand for a missing value if the option `missing` is given."""
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SEPARATED = "cells are separated by "
SEMICOLONS = f"{_SEPARATED}semicolons"

Column: TypeAlias = "tuple[npt.NDArray[Any], Sequence[Label]]"
"""A column: for each row the position of its label in a list of distinct labels, and this list."""


class Table(NamedTuple):
    """The chosen columns of a table, the target last. Equal rows may be repeated, and counts may be 0."""

    names: tuple[str, ...]
    columns: Sequence[Column]
    counts: npt.NDArray[Any]  # machine integers if their sum fits in one
    states: Mapping[str, Sequence[Label]]  # the states that were declared
    notes: tuple[str, ...] = ()  # what was done to the table

    @property
    def total(self) -> int:
        """The number of rows, repeated rows included."""
        return int(self.counts.sum())

    def seen(self, at: int) -> npt.NDArray[Any]:
        """Return how often each label of the column at this position was seen."""
        codes, labels = self.columns[at]
        if (self.counts == 1).all():
            return np.bincount(codes, minlength=len(labels))
        found = np.zeros(len(labels), dtype=self.counts.dtype)
        np.add.at(found, codes, self.counts)
        return found


def places_of(variables: Variables, columns: Sequence[Column]) -> Iterator[npt.NDArray[Any]]:
    """For each column, yield the position of each of its labels among the states."""
    for name, (_, labels), known in zip(variables.names, columns, variables.labels, strict=True):
        places = {label: i for i, label in enumerate(known)}
        for label in labels:
            require(label in places, f"states[{name!r}]", "a list of all labels that occur", label, "add it")
        yield np.array([places[label] for label in labels], dtype=np.min_scalar_type(len(known) - 1))


def encode_rows(values: Sequence[Label], argument: str) -> Column:
    """Return a list of values as a column: positions in the list of distinct labels, and this list."""
    places: dict[Label, int] = {}
    try:
        kinds = set(map(type, values))
        if any(issubclass(kind, np.generic | tuple) for kind in kinds):  # else equal labels would have two places
            values = clean_each(values, argument)
        if len(kinds) > 1 or tuple in kinds:  # here Python could take unequal labels for equal
            seen: dict[Label, Label] = {}
            for value in values:
                note_label(seen, value, argument)
        codes = [places.setdefault(value, len(places)) for value in values]
    except TypeError:
        raise InvalidTypeError(f"{argument} must be made of hashable labels; use strings") from None
    return np.array(codes, dtype=np.int64), clean_each(places, argument)


# -- Lists of rows.


def count_rows(rows: Iterable[Sequence[Label]]) -> Counter[tuple[Label, ...]]:
    """Count equal rows (x1, .., xn, y); refuse rows of unequal length and missing values."""
    refuse_frame(rows, "rows")
    errors.require_listed(rows, "rows", "an iterable of rows (x1, .., xn, y)", "pass a list of tuples", Mapping)
    counts: Counter[tuple[Label, ...]] = Counter()
    width: int | None = None
    seen: list[dict[Label, Label]] = []
    for number, row in enumerate(rows):
        # A set has no order, and iterating over a dict would give its keys.
        if isinstance(row, str | bytes | Mapping | Set) or not isinstance(row, Iterable):
            raise InvalidTypeError(explain(f"rows[{number}]", "a sequence (x1, .., xn, y)", row, "pass a tuple"))
        key = tuple(row)
        if width is None:
            width, seen = len(key), [{} for _ in key]
        if len(key) != width:  # not `require`, which would make a text for every row
            needed = f"of length {width} like the first row"
            raise InvalidValueError(explain(f"rows[{number}]", needed, key, "the table is ragged"))
        try:
            for column, label in enumerate(key):
                if is_noted(seen[column], label):
                    continue
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
    """Return whether `rows` is a pandas DataFrame, without importing pandas."""
    return any(kind.__name__ == "DataFrame" and kind.__module__.startswith("pandas") for kind in type(rows).__mro__)


def refuse_frame(rows: object, argument: str) -> None:
    """Refuse a DataFrame of any library, for arguments that take rows, a distribution or a sample."""
    if is_any_frame(rows):
        needed = "rows, a distribution or a Sample"
        shown = f"a {type(rows).__module__.partition('.')[0]} {type(rows).__name__}"
        raise InvalidTypeError(f"{argument} must be {needed}, not {shown}; pass Sample.from_frame(frame, target=...)")


def is_any_frame(rows: object) -> bool:
    """Return whether `rows` is a DataFrame of any library."""
    arrow = hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__narwhals_dataframe__")
    return type(rows).__name__ == "LazyFrame" or is_frame(rows) or (arrow and hasattr(rows, "columns")) or flows(rows)


def read_frame(
    frame: Any,
    target: str | None = None,
    features: Iterable[str] | None = None,
    missing: str | None = None,
    leave_out: Iterable[str] = (),
    count: str | None = None,
) -> Table:
    """Return the chosen columns of a DataFrame as a table. A categorical column declares its categories as states.

    The column `count` has the number of times that each row was seen. The distinct rows of a frame that is not in
    memory are counted by its library.
    """
    if not is_any_frame(frame):
        raise InvalidTypeError(explain("frame", A_FRAME, frame, "make a Sample of rows"))
    frame = frame if is_frame(frame) else opened(frame)
    times = None
    if flows(frame) or hasattr(frame, "collect"):
        existing = frame.schema.names if flows(frame) else frame.collect_schema().names()
        names = chosen_columns(existing, target, features, leave_out, count)
        frame, times = counted(frame, names if count is None else (*names, count))
    else:
        names = chosen_columns(list(frame.columns), target, features, leave_out, count)
    return table_of(frame, names, missing, count, times)


def table_of(
    frame: Any, names: tuple[str, ...], missing: str | None, count: str | None = None, times: str | None = None
) -> Table:
    """Return columns of a DataFrame as a table. If there is a column `times`, equal rows were counted in it before."""
    columns, states = [], {}
    for name in names:
        column = frame[name]
        codes, labels = _factorized(column, f"column {name!r}")
        holes = codes < 0
        if holes.any() and missing is None:
            number = holes.sum() if times is None else sum(compress(frame[times].to_list(), holes))
            raise missing_in(name, int(number), None if times else int(holes.argmax()), names[-1])
        categories = getattr(column.dtype, "categories", None)
        if categories is not None:
            states[name] = list(categories)
        if holes.any():
            codes, labels = np.where(holes, len(labels), codes), [*labels, None]
        columns.append((smallest(codes, len(labels)), labels))
    require(len(frame), "frame", "of at least one row", len(frame), "a sample is not empty")
    once = np.ones(len(frame), dtype=np.int64)
    counts = once if count is None else row_counts(frame[count].to_list(), f"column {count!r}", times is None)
    if times is not None:
        counts = as_times([a * b for a, b in zip(counts.tolist(), frame[times].to_list(), strict=True)])
    return Table(names, columns, counts, states)


def row_counts(values: Sequence[Any], argument: str, placed: bool = True) -> npt.NDArray[Any]:
    """Return how often each row was seen. Refuse weights that are no such numbers. Name the row if it is `placed`."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iuf":
        numbers = np.array([as_fraction(value, f"{argument}, row {i}") for i, value in enumerate(values)], dtype=object)
    whole = (numbers >= 0) & (numbers % 1 == 0) & (numbers < WORD)
    if not whole.all():
        at = int(np.argmin(whole))
        needed = "of whole numbers of at least 0, which say how often a row was seen"
        repair = "no test of rows is valid with other weights, such as those of a survey"
        raise InvalidValueError(explain(argument, needed, f"{values[at]!s}{f' in row {at}' * placed}", repair))
    return as_times([int(number) for number in numbers])


def chosen_columns(
    existing: Sequence[str],
    target: str | None,
    features: Iterable[str] | None,
    leave_out: Iterable[str],
    count: str | None = None,
) -> tuple[str, ...]:
    """Return the names of the features and, last, of the target. Each must name exactly one column."""
    if target is None:
        raise _no_target(existing)
    used = (target,) if count is None else (target, count)
    left = _left_out(leave_out, existing, used)
    others = [name for name in existing if name not in (*used, *left)]
    chosen = tuple(others if features is None else feature_names(features))
    require_columns((*chosen, *used), existing, target=target, features=chosen, count=count)
    _require_own_count(count, (*chosen, target))
    times = Counter(existing)
    for name in (*chosen, *used):
        require(times[name] == 1, "columns", "distinct names", name, "rename one of them")
    return (*chosen, target)


def _require_own_count(count: str | None, others: Collection[str]) -> None:
    """Refuse a column of counts that is also a feature or the target."""
    own = count is None or count not in others
    require(own, "count", "a column that is neither a feature nor the target", count, "name another column")


def missing_in(name: str, number: object, first: int | None, target: str | None) -> InvalidValueError:
    """Return the error for a column with missing values, if the option `missing` is not given."""
    found = f"{number}" if first is None else f"{number} (first in row {first})"
    error = InvalidValueError(Message(f"column {name!r} must have no missing values, not {found}; ", _DECIDE))
    return repaired(error, missing="drop" if name == target else "label")


def _factorized(column: Any, argument: str) -> Column:
    """Return a column of pandas or narwhals as positions and labels. A missing value has the position -1."""
    if (whole := _whole_numbers(column)) is not None:
        return whole
    codes: Any = None
    found: Any = []
    # Arrow cannot number all types. A label without hash is named in the error below.
    with suppress(NotImplementedError, OverflowError, TypeError):
        if hasattr(column, "factorize"):  # pandas would take 1 for True in a column of objects
            from pandas.api.types import infer_dtype

            if column.dtype != object or infer_dtype(column) == "string":
                codes, found = column.factorize()
                found = found.tolist()
        elif not column.dtype.is_nested() and str(column.dtype) != "Object":
            found = [label for label in column.unique(maintain_order=True).to_list() if not is_missing(label)]
            codes = found and column.replace_strict(found, range(len(found)), default=-1).to_numpy()
        if found and len(set(found)) == len(found):
            return codes, clean_each(found, argument)
    values = column.to_list()
    held = np.array([not is_missing(value) for value in values], dtype=bool)
    places, labels = encode_rows(list(compress(values, held)), argument)
    codes = np.full(len(values), -1)
    codes[held] = places
    return codes, labels


def _whole_numbers(column: Any) -> Column | None:
    """Return a column of integers in a small range, whose labels are looked up in place of hashed; else None."""
    kind = column.dtype
    arrow = hasattr(kind, "is_integer") and kind.is_integer() and not column.null_count()
    if not len(column) or not (arrow or (isinstance(kind, np.dtype) and kind.kind in "iu")):
        return None
    values = column.to_numpy()
    low, high = int(values.min()), int(values.max())
    if high - low >= _RANGE or high >= 2**63:
        return None
    places = np.subtract(values, low, dtype=np.int64)
    seen = np.bincount(places) > 0
    return smallest(seen.cumsum() - 1, _RANGE)[places], (np.flatnonzero(seen) + low).tolist()


_DROP, _LABEL = Named("missing", "drop"), Named("missing", "label")
_DECIDE = Message("drop such rows or make a state of it, by ", _DROP, " or ", _LABEL)


def require_columns(names: Iterable[str], existing: Iterable[str], **options: Any) -> None:
    """Refuse a name that no column has. The error suggests the most similar name for the option that holds it."""
    known = tuple(existing)
    for name in names:
        if not isinstance(name, Hashable) or name not in known:
            near, error = errors.nearest(name, known), errors.unknown("column", name, known)
            held = {
                option: value
                for option, value in options.items()
                if value == name or (isinstance(value, tuple | Mapping) and name in value)
            }
            right = {option: _renamed(value, name, near) for option, value in held.items()}
            raise repaired(error, **right) if near else error


_CLASS = re.compile("class|target|label|outcome|diagnosis|species|y", re.IGNORECASE)
_NO_CLASS = re.compile(r"(?:.*[\W_])?(?:years?|date|time|months?|weeks?|days?|ids?|index)(?:[\W_].*)?", re.IGNORECASE)


def _no_target(names: Sequence[str]) -> InvalidValueError:
    """Return the error for a missing target.

    It suggests a column with a usual name for a class, or else the last column that is no date or identifier.
    """
    shown = first_of([*map(repr, names)], _LISTED)
    needed = f" must be the name of a column, not left out; name one of: {shown}"
    error = InvalidValueError(Message(Named("target"), needed))
    likely = [name for name in names if _CLASS.fullmatch(name)] or [n for n in names if not _NO_CLASS.fullmatch(n)]
    return repaired(error, target=likely[-1]) if likely else error


def _renamed(value: Any, name: Hashable, near: str | None) -> Any:
    """Return the value of an option with one column name replaced by another."""
    if isinstance(value, Mapping):
        return {near if part == name else part: wanted for part, wanted in value.items()}
    return [near if part == name else part for part in value] if isinstance(value, tuple) else near


def _left_out(leave_out: Iterable[str], existing: Iterable[str], used: Collection[str]) -> tuple[str, ...]:
    """Return the names of the columns to leave out. Each must exist and not be used elsewhere."""
    left = errors.as_names(leave_out, "leave_out")
    require_columns(left, existing, leave_out=left)
    for name in left:
        require(name not in used, "leave_out", "columns that are not named elsewhere", name, "name it once")
    return left


# -- CSV files.


class CsvFile(NamedTuple):
    """The options for reading a CSV file."""

    path: str | os.PathLike[str]
    target: str | None = None
    features: Iterable[str] | None = None
    counts: str | None = None
    leave_out: Iterable[str] = ()
    missing: str | None = None  # None: missing values are refused
    na: Iterable[str] | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: int | None = None  # the line that names the columns; None: the first line that is not empty

    def opened(self) -> AbstractContextManager[TextIO]:
        """Open the text of the file."""
        return open_text(as_source(self.path), _encoding_of(self))

    def texts_for_missing(self) -> Collection[str]:
        """Return the texts that stand for a missing value in addition to blank cells."""
        if isinstance(self.na, str):
            raise InvalidTypeError(explain("na", "an iterable of texts", self.na, f"write [{self.na!r}]"))
        return frozenset(self.na) if self.na is not None else USUAL if self.missing else frozenset()


def read_text(file: CsvFile, merge: bool = True) -> Table:
    """Return the rows of a CSV file as a table, or only its distinct rows if `merge`. Labels are texts or None."""
    where, repair = str(file.path), "count equal rows, or choose fewer columns"
    with enough_memory(where, repair), file.opened() as stream:
        names, seen, blocks, notes = _encoded(stream, file)
        found, counts = _gathered(blocks, merge)
        require(counts, where, "a table with samples", "only a header", "add rows")
        return Table(names, list(_decided(file, found, seen)), as_times(counts), {}, notes)


def text_in_batches(file: CsvFile) -> Iterator[Table]:
    """Yield the rows of a CSV file as tables of a few thousand rows each."""
    with file.opened() as stream:
        names, seen, blocks, notes = _encoded(stream, file)
        for found, counts in blocks:
            yield Table(names, list(_decided(file, found, seen)), as_times(counts), {}, notes)


def _decided(file: CsvFile, found: Iterable[npt.NDArray[Any]], seen: Iterable[Iterable[str]]) -> Iterator[Column]:
    """Yield the columns. If the option `missing` is given, texts that stand for a missing value become None."""
    na = file.texts_for_missing()
    for codes, labels in zip(found, map(list, seen), strict=True):
        yield _with_holes(codes, labels, na) if file.missing else (codes, labels)


def _gathered(blocks: Iterable[_Block], merge: bool) -> _Block:
    """Return blocks of rows joined to one block.

    If `merge`, equal rows are counted together as long as at most half of the rows are distinct. Later rows are kept
    apart.
    """
    parts, counts, read = list[_Block](), Counter[tuple[int, ...]](), 0
    for columns, times in blocks:
        read += len(times)
        merge = merge and 2 * len(counts) <= read
        if merge:
            for row, number in zip(zip(*(codes.tolist() for codes in columns), strict=True), times, strict=True):
                counts[row] += number
        else:
            parts.append((columns, times))
    if counts:
        of_counts = [_narrow(codes) for codes in zip(*counts, strict=True)]
        parts.insert(0, (of_counts, list(counts.values())))
    joined = [np.concatenate(codes) for codes in zip(*(columns for columns, _ in parts), strict=True)]
    return joined, list(chain.from_iterable(times for _, times in parts))


def _narrow(codes: Collection[int]) -> npt.NDArray[Any]:
    return np.fromiter(codes, dtype=np.min_scalar_type(max(codes, default=0)), count=len(codes))


def _with_holes(codes: npt.NDArray[Any], labels: list[str], na: Collection[str]) -> Column:
    """Return a column of texts with None in place of texts that stand for a missing value."""
    known: list[Label] = [label for label in labels if not _is_hole(label, na)]
    if len(known) == len(labels):
        return codes, labels
    places = {label: i for i, label in enumerate(known)}
    moved = _narrow([places.get(label, len(known)) for label in labels])
    return moved[codes], [*known, None]


def _is_hole(cell: str, na: Collection[str]) -> bool:
    return not cell.strip() or cell in na or cell.strip() in na


_Row: TypeAlias = "tuple[str, Sequence[str]]"
"""The place of a row, such as ``line 3 of people.csv``, and its cells."""

_Block: TypeAlias = "tuple[list[npt.NDArray[Any]], list[int]]"
"""Rows that were read together: the positions of labels by column, and how often each row was seen."""

_AT_ONCE = 2**12  # the cells of this many rows are in memory together


def _encoded(
    stream: TextIO, file: CsvFile
) -> tuple[tuple[str, ...], list[dict[str, int]], Iterator[_Block], tuple[str, ...]]:
    """Return the chosen names, the labels of each column, the blocks of rows, and notes.

    The labels are entered while the blocks are read.
    """
    path, given = str(file.path), file.delimiter
    single = given is None or (isinstance(given, str) and len(given) == 1 and given not in '\r\n"')
    require(single, "delimiter", "one character", given, "pass ',' or ';' or '\\t', say")
    na = file.texts_for_missing()
    notes = ["the text is UTF-16"] if stream.encoding == "utf-16" else []
    above = 0 if file.header is None else as_index(file.header, "header", at_least=1) - 1
    begun = ["\n" for _ in islice(stream, above)] + list(_until_header(stream))
    expected = "\t" if kind_of(path) == ".tsv" else ","
    delimiter = given or _delimiter_of(begun[-1] if begun else "", expected)
    if given is None and delimiter != expected:
        notes.append(f"{_SEPARATED}{SEPARATORS[delimiter]}")
    if file.header is None:
        begun += _require_names(begun, list(islice(stream, _LISTED)), path, delimiter, expected)
    rows = _rows(chain(begun, stream), path, delimiter)
    line, header = next((row for row in rows if row[1]), (path, ()))
    columns = _choose(header, line, file)
    nameless = [str(at + 1) for at, name in enumerate(header) if not name.strip()]
    if nameless and file.features is None:
        one = len(nameless) == 1
        said = (
            f"column {nameless[0]} has no name and is" if one else f"columns {', '.join(nameless)} have no name and are"
        )
        notes.append(f"{said} left out")
    names = tuple(name for name in columns if name != file.counts)
    seen: list[dict[str, int]] = [{} for _ in names]
    return names, seen, _blocks(_full_rows(rows, len(header)), columns, seen, na, file), tuple(notes)


def _until_header(stream: TextIO) -> Iterator[str]:
    """Yield the lines up to the first line that is not empty."""
    for line in stream:
        yield line
        if line.strip("\r\n"):
            return


def _require_names(begun: Sequence[str], after: list[str], path: str, delimiter: str, expected: str) -> list[str]:
    """Return the lines in `after`. Refuse a first line that is a title above the line with the column names."""
    titled = begun and delimiter not in begun[-1]
    widths = []
    for line in [*begun[-1:], *after]:
        try:
            cells = next(csv.reader([line], delimiter=_delimiter_of(line, expected) if titled else delimiter), ())
        except csv.Error:
            break  # the line is refused when it is read
        widths.append(sum(bool(cell.strip()) for cell in cells))
    require_header(widths, len(begun), f"line {len(begun)} of {path}")
    return after


def require_header(named: Sequence[int], first: int, where: str) -> None:
    """Refuse a first line that is filled less than half.

    `named` holds the numbers of filled cells of the first line and of each line after it.
    """
    if named and 2 * named[0] < max(named):
        header = first + next(line for line, cells in enumerate(named) if 2 * cells >= max(named))
        needed = f"{where} must name the columns, not {named[0]} of {max(named)} of them; pass "
        text = Message(needed, Named("header", header), " if that line names them")
        raise repaired(InvalidFormatError(text), header=header)


def _delimiter_of(header: str, expected: str) -> str:
    """Return the delimiter that splits a header into the most names. If several tie, prefer the expected one."""
    numbers = {}
    for mark in sorted(SEPARATORS, key=lambda mark: mark != expected):
        with suppress(csv.Error):
            numbers[mark] = len(next(csv.reader([header], delimiter=mark), ()))
    return max(numbers, key=numbers.__getitem__, default=expected)


def _rows(lines: Iterable[str], path: str, delimiter: str) -> Iterator[_Row]:
    """Yield the rows. An empty line is a row without cells."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = f"line {reader.line_num + 1} of {path}"
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InvalidFormatError(f"{line} must be well-formed CSV, not broken ({error}); correct it") from error
        if cells is None:
            return
        yield line, cells


def _choose(header: Sequence[str], line: str, file: CsvFile) -> dict[str, int]:
    """Return the positions of the features, the target and the count by name. Each must exist once and have a name."""
    require(header, line, "a table with a header", "empty", "begin it with the column names", InvalidFormatError)
    places: dict[str, int] = {}
    twice = {name: (before, at) for at, name in enumerate(header) if (before := places.setdefault(name, at)) < at}
    target, count = file.target, file.counts
    if target is None:
        raise _no_target(header)
    used = (target,) if count is None else (target, count)
    left = _left_out(file.leave_out, places, used)
    others = tuple(name for name in places if name.strip() and name not in (*used, *left))
    names = others if file.features is None else errors.as_names(file.features, "features")
    require_columns((*names, *used), places, target=target, features=names, count=count)
    for name in (*names, *used):
        place = f"the name of column {places[name] + 1} in {line}"
        require(name.strip(), place, "not blank", name, "name it, or choose other features", InvalidFormatError)
        if name in twice:
            first, second = twice[name]
            found = f"{name!r} twice (columns {first + 1} and {second + 1})"
            needed = f"{line} must name every column once, not {found}; rename one of them, or pass "
            ragged = InvalidFormatError(Message(needed, Named("leave_out", [name])))
            raise ragged if name in used else repaired(ragged, leave_out=(name,))
    require(target not in names, "target", "a column that is not a feature", target, "leave it out of features")
    _require_own_count(count, (*names, target))
    return {name: places[name] for name in (*feature_names(names), *used)}


def _full_rows(rows: Iterable[_Row], width: int) -> Iterator[_Row]:
    """Yield the rows without empty lines. Refuse a row that is longer or shorter than the header."""
    for line, cells in rows:
        full = cells or [""] * (width == 1)  # with a single column, an empty line is an empty cell
        if full and len(full) != width:
            repair = "the table is ragged: complete the row, or quote cells that hold the delimiter"
            raise InvalidFormatError(explain(line, f"of {width} cells like the header", len(full), repair))
        if full:
            yield line, full


def _blocks(
    rows: Iterator[_Row], columns: Mapping[str, int], seen: Sequence[dict[str, int]], na: Collection[str], file: CsvFile
) -> Iterator[_Block]:
    """Yield blocks of rows as positions of labels, with their counts. New labels are entered in `seen`."""
    named = list(columns.items())
    labeled, counted = named[: len(seen)], named[len(seen) :]

    def require_cell(cell: str, name: str, line: str) -> None:
        if file.missing is None or not _is_hole(cell, na):
            _require_label(cell, name, line, na, "drop" if name == file.target else "label")

    def times_of(line: str, row: Sequence[str]) -> int:
        times = [_times(row[at], name, line, na) for name, at in counted]
        for name, at in labeled:
            require_cell(row[at], name, line)
        return times[0] if times else 1

    for block in _at_once(rows):
        cells, each_row = list(zip(*(row for _, row in block), strict=True)), bool(counted)
        for known, (name, at) in zip(seen, labeled, strict=True):
            try:
                for label in dict.fromkeys(cells[at]):
                    if label not in known:
                        require_cell(label, name, "a row")
                        known[label] = len(known)
            except errors.FSTheoryError:
                each_row = True  # the error names the first row with such a label
        times = [times_of(line, row) for line, row in block] if each_row else [1] * len(block)
        places = [map(known.__getitem__, cells[at]) for known, (_, at) in zip(seen, labeled, strict=True)]
        yield [_narrow([*codes]) for codes in places], times


def _at_once(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    """Yield a few thousand rows at a time.

    If a row is refused, the rows before it are yielded first, because one of them may be refused later.
    """
    refused: errors.FSTheoryError | None = None
    while refused is None:
        block = list[_Row]()
        try:
            block.extend(islice(rows, _AT_ONCE))
        except errors.FSTheoryError as error:
            refused = error
        if block:
            yield block
        elif refused is None:
            return
    raise refused


def _times(cell: str, name: str, line: str, na: Collection[str]) -> int:
    _require_label(cell, name, line, na)
    number = parse_fraction(cell, argument := f"column {name!r} in {line}")
    needed, repair = "an integer of at least 0", "write how often the row was seen"
    require(number.denominator == 1 and number >= 0, argument, needed, cell, repair, InvalidFormatError)
    return int(number)


def _require_label(cell: str, name: str, line: str, na: Collection[str], missing: str | None = None) -> None:
    """Refuse a cell that is blank, stands for a missing value, or contains control characters."""
    argument = f"column {name!r} in {line}"
    if _is_hole(cell, na):
        repair = "correct the row" if missing is None else _DECIDE
        error = InvalidFormatError(explain(argument, "a label", cell, repair))
        raise error if missing is None else repaired(error, missing=missing)
    require_text(cell, argument)


def range_edges(column: npt.NDArray[Any], number: int) -> list[Any]:
    """Return the upper edges of all ranges but the last, of about equally many rows.

    There are no edges if the column has texts, or no more values than the number of ranges.
    """
    if column.dtype == object and all(isinstance(value, int | float | np.number) for value in column.tolist()):
        column = column.astype(float)
    if column.dtype.kind not in "iuf" or len(values := np.unique(column)) <= number:
        return []
    ranked = np.sort(column)
    edges = np.unique(ranked[[len(ranked) * j // number - 1 for j in range(1, number)]])
    below: list[Any] = edges[edges < values[-1]].tolist()
    return below or values[-2:-1].tolist()


def range_names(edges: Sequence[Any]) -> list[str]:
    """Return the names of the ranges with these upper edges."""
    middle = (f"over {low} to {high}" for low, high in pairwise(edges))
    return [f"at most {edges[0]}", *middle, f"over {edges[-1]}"]


def edges_of(names: Sequence[Any]) -> list[str]:
    """Return the upper edges of ranges with these names, or nothing if they are not the names of ranges."""
    edges = [str(name).removeprefix("at most ").rpartition(" to ")[2] for name in names[:-1]]
    return edges if edges and [*names] == range_names(edges) else []


def kind_of(path: object) -> str:
    """Return the suffix of a file's name in lower case, without the ``.gz`` of a compressed CSV file."""
    name = str(path).lower()
    return Path(name.removesuffix(".gz") if name.endswith((".csv.gz", ".tsv.gz")) else name).suffix


@contextmanager
def _opened(path: Path, mode: str, **text: Any) -> Iterator[Any]:
    """Open a file. If its name ends in ``.gz``, it is decompressed while it is read."""
    try:
        with (gzip.open if path.suffix.lower() == ".gz" else open)(path, mode, **text) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        repair = "compress it again, or download it again"
        raise InvalidFormatError(explain(str(path), "a complete gzip file", str(error), repair)) from error


@contextmanager
def open_text(path: str | os.PathLike[str], encoding: str = "utf-8-sig") -> Iterator[TextIO]:
    """Open a text with its line ends unchanged. A byte order mark at its start is skipped."""
    file = as_path(path)
    with _opened(file, "rt", encoding=encoding, newline="") as stream:
        try:
            yield stream
        except UnicodeDecodeError as error:
            if encoding == "utf-8-sig":
                raise repaired(InvalidFormatError(_not_unicode(file)), encoding="cp1252") from error
            found = error.object[error.start : error.end]
            repair = Message("pass ", Named("encoding", "latin-1"), ", say")
            other = InvalidFormatError(explain(str(file), f"{encoding} text", found, repair))
            raise repaired(other, encoding="latin-1") from error


def _encoding_of(file: CsvFile) -> str:
    """Return the given encoding. If none is given, UTF-16 for a text that begins with its mark, else UTF-8."""
    if file.encoding is None:
        with _opened(as_source(file.path), "rb") as stream:
            return "utf-16" if stream.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig"
    known = isinstance(file.encoding, str) and _is_encoding(file.encoding)
    require(known, "encoding", "the name of an encoding of text", file.encoding, "pass 'cp1252', for example")
    return file.encoding


def _is_encoding(name: str) -> bool:
    try:
        return "".encode(name) is not None
    except (LookupError, ValueError):  # ValueError: a null character, or an encoding that encodes nothing
        return False


def _not_unicode(path: Path) -> str:
    """Return a message that names the first line that is not UTF-8.

    A line end is never part of another character, so each line can be decoded by itself.
    """
    encoding = Named("encoding", "cp1252")
    repair = Message("save the file as UTF-8, or, for a CSV, pass ", encoding, " (Windows) or another")
    with _opened(path, "rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return explain(f"line {number} of {path}", "UTF-8 text", line[error.start : error.end], repair)
    return explain(str(path), "UTF-8 text", "changed while it was read", "try again")
