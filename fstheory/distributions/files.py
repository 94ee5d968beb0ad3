"""Read a distribution or a sample from a file: a table as CSV, or exact JSON, told apart by the suffix alone."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TextIO, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from fstheory._support.exact import parse_fraction
from fstheory._support.files import as_path
from fstheory._support.memory import enough_memory
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    as_names,
    explain,
    require,
    require_flag,
    unknown,
)
from fstheory.lattice.subsets import require_text

_LISTED = 12
SUFFIXES = (".json", ".csv", ".tsv")


class CsvOptions(TypedDict, total=False):
    """What can be said of a table, beside whether it is all there is; `read_csv` tells what it means."""

    target: str | None
    features: Iterable[str] | None
    count: str | None
    missing: Iterable[str]
    delimiter: str
    keep_continuous: bool


_Path: TypeAlias = "str | os.PathLike[str]"


@overload
def read_csv(path: _Path, *, population: Literal[False] = False, **options: Unpack[CsvOptions]) -> Sample: ...
@overload
def read_csv(path: _Path, *, population: Literal[True], **options: Unpack[CsvOptions]) -> JointDistribution: ...
@overload
def read_csv(path: _Path, *, population: bool, **options: Unpack[CsvOptions]) -> Sample | JointDistribution: ...
def read_csv(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    features: Iterable[str] | None = None,
    count: str | None = None,
    missing: Iterable[str] = (),
    delimiter: str = ",",
    population: bool = False,
    keep_continuous: bool = False,
) -> Sample | JointDistribution:
    r"""Read the rows of a CSV file: a sample, or all there is.

    Every label stays the string it is in the file, spaces and leading zeros included. The states of a variable are the
    labels that occur, sorted. Complexity: one pass over the file, and memory for the distinct rows.

    Parameters
    ----------
    path : str or path-like
        A file in UTF-8, quoted as spreadsheets do; the first row names the columns, each once. Lines with nothing on
        them are skipped.
    target : str
        The column of the class.
    features : iterable of str, optional
        The columns that are features, in this order; all but the target and `count` if not given. Others are not
        looked at.
    count : str, optional
        A column that says how often each row was seen, an integer of at least 0.
    missing : iterable of str, optional
        Texts that stand for a missing value, such as ``"?"`` or ``"NA"``. A blank cell always does.
    delimiter : str
        One character between the cells.
    population : bool
        Whether these rows are all there is, as the 2,201 people on the Titanic are, so that their shares are the
        probabilities. If not, they were drawn from something that nobody knows.
    keep_continuous : bool
        Take a column of over 30 different numbers with fractions for one of categories, not refuse it; those of a
        population always are.

    Returns
    -------
    Sample, or of a population JointDistribution

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sky.csv"
    ...     _ = path.write_text("sky,day,wet,seen\nsun,Mon,no,5\nrain,Tue,yes,2\nrain,Wed,no,1\n")
    ...     print(read_csv(path, target="wet", count="seen"))
    8 samples of wet and 2 features, 3 distinct rows: sky (2), day (3)
    """
    require_flag(population, "population", "say True where the counts are all there is")
    _require_delimiter(delimiter)
    if isinstance(missing, str):
        raise InvalidTypeError(explain("missing", "an iterable of texts", missing, f"write [{missing!r}]"))
    with enough_memory(str(path), "count equal rows, or choose fewer columns"), open_text(path) as stream:
        rows = _rows(stream, str(path), delimiter)
        header = _header(rows, str(path))
        names = _choose(header.cells, target, features, count)
        columns = _columns(header, names if count is None else (*names, count))
        full = _full_rows(rows, len(header.cells))
        counts, places = _count(full, columns, frozenset(missing), counted=count is not None)
        _require_rows(counts, path, "its header alone")
        labels = [list(column) for column in places]
        if population:
            cells = {tuple(map(list.__getitem__, labels, row)): times for row, times in counts.items()}
            return JointDistribution.from_counts(cells, features=names[:-1], target=names[-1])
        seen = {row: times for row, times in counts.items() if times}
        _require_rows(seen, path, "counts of 0 alone")
        codes = np.array(list(seen), dtype=np.int64)
        return Sample._of_columns(list(zip(codes.T, labels, strict=True)), [*seen.values()], names, keep_continuous)


@overload
def load(path: _Path, *, population: Literal[True], **options: Unpack[CsvOptions]) -> JointDistribution: ...
@overload
def load(path: _Path, *, population: bool = False, **options: Unpack[CsvOptions]) -> Sample | JointDistribution: ...
def load(
    path: str | os.PathLike[str], *, population: bool = False, **options: Unpack[CsvOptions]
) -> Sample | JointDistribution:
    r"""Read a distribution or a sample from a file that ends in ``.json``, ``.csv`` or ``.tsv``.

    Parameters
    ----------
    path : str or path-like
        The suffix says the format. JSON is what `JointDistribution.to_json` wrote.
    population, **options
        As in `read_csv`, the delimiter of ``.tsv`` a tab; not for JSON, which names its own.

    Returns
    -------
    Sample, or of JSON or a population JointDistribution

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sky.tsv"
    ...     _ = path.write_text("sky\twet\nsun\tno\nrain\tyes\n")
    ...     load(path, target="wet").features, type(load(path, target="wet", population=True)).__name__
    (('sky',), 'JointDistribution')
    """
    suffix = as_path(path).suffix.lower()
    needed = f"the name of a file that ends in {', '.join(SUFFIXES)}"
    require(suffix in SUFFIXES, "path", needed, str(path), "rename or convert it", InvalidFormatError)
    if suffix != ".json":
        if options.get("delimiter") is None:
            options["delimiter"] = "\t" if suffix == ".tsv" else ","
        return read_csv(path, population=population, **options)
    given = {"population": population, **options}
    for name, value in given.items():
        repair = "the file names its own; JointDistribution.marginal and rename change them"
        require(not value, name, "left out for a JSON file", value, repair)
    with open_text(path) as stream:
        text = stream.read()
    try:
        return JointDistribution.from_json(text)
    except InvalidFormatError as error:
        raise InvalidFormatError(f"{os.fspath(path)}: {error}") from error


def read_rows(
    path: str | os.PathLike[str],
    target: str | None,
    features: Iterable[str] | None = None,
    missing: Iterable[str] = (),
    delimiter: str = ",",
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the names of the features and the target, and the rows in the order of the file, as texts."""
    _require_delimiter(delimiter)
    absent = frozenset(missing)
    with enough_memory(str(path), "choose fewer columns"), open_text(path) as stream:
        rows = _rows(stream, str(path), delimiter)
        header = _header(rows, str(path))
        names = _choose(header.cells, target, features, None)
        columns = _columns(header, names)
        found = []
        for row in _full_rows(rows, len(header.cells)):
            found.append(tuple(row.cells[at] for at in columns.values()))
            for name, cell in zip(names, found[-1], strict=True):
                _require_label(cell, name, row, absent)
    _require_rows(found, path, "its header alone")
    return names, found


def _require_rows(rows: Sized, path: str | os.PathLike[str], found: str) -> None:
    require(rows, str(path), "a table with samples", found, "add rows")


def _require_delimiter(delimiter: object) -> None:
    single = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '\r\n"'
    require(single, "delimiter", "one character", delimiter, "pass ',' or ';' or '\\t', say")


class _Row(NamedTuple):
    place: str  # "line 3 of people.csv"
    cells: Sequence[str]


def _rows(stream: TextIO, path: str, delimiter: str) -> Iterator[_Row]:
    """Yield the rows, each with the line where it starts; a line with nothing on it is a row without cells."""
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    while True:
        place = f"line {reader.line_num + 1} of {path}"
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InvalidFormatError(f"{place} must be well-formed CSV, not broken ({error}); correct it") from error
        if cells is None:
            return
        yield _Row(place, cells)


def _header(rows: Iterator[_Row], path: str) -> _Row:
    first = next((row for row in rows if row.cells), None)
    if first is None:
        raise InvalidFormatError(explain(path, "a table with a header", "empty", "begin it with the column names"))
    seen: dict[str, int] = {}
    for i, name in enumerate(first.cells):
        if (before := seen.setdefault(name, i)) < i:
            twice = f"{name!r} twice (columns {before + 1} and {i + 1})"
            raise InvalidFormatError(f"{first.place} must name every column once, not {twice}; rename one of them")
    return first


def _choose(
    header: Sequence[str], target: str | None, features: Iterable[str] | None, count: str | None
) -> tuple[str, ...]:
    """Return the columns that are features, and the target, which all exist."""
    if target is None:
        shown = ", ".join(map(repr, header[:_LISTED])) + (", ..." if len(header) > _LISTED else "")
        raise InvalidValueError(f"target must be the name of a column, not left out; name one of: {shown}")
    existing, used = dict.fromkeys(header), {target, count}
    names = tuple(name for name in header if name not in used) if features is None else as_names(features, "features")
    for name in (target, *names, target if count is None else count):
        if name not in existing:
            raise unknown("column", name, header)
    require(target not in names, "target", "a column that is not a feature", target, "leave it out of features")
    own = count is None or count not in (*names, target)
    require(own, "count", "a column of its own", count, "it cannot be a variable as well")
    return (*names, target)


def _columns(header: _Row, names: Iterable[str]) -> dict[str, int]:
    """Return where the chosen columns stand."""
    places = {name: at for at, name in enumerate(header.cells)}
    columns = {name: places[name] for name in names}
    for name, at in columns.items():
        if not name.strip():
            place = f"the name of column {at + 1} in {header.place}"
            raise InvalidFormatError(explain(place, "not blank", name, "name it, or choose other features"))
    return columns


def _full_rows(rows: Iterable[_Row], width: int) -> Iterator[_Row]:
    """Skip lines with nothing on them and refuse rows that are no longer or shorter than the header."""
    for row in rows:
        if not row.cells and width > 1:
            continue
        cells = row.cells or [""]  # of a single column, an empty line is an empty cell
        if len(cells) != width:
            repair = "the table is ragged: complete the row, or quote cells that hold the delimiter"
            raise InvalidFormatError(explain(row.place, f"of {width} cells like the header", len(cells), repair))
        yield _Row(row.place, cells)


def _count(
    rows: Iterable[_Row], columns: Mapping[str, int], missing: Collection[str], *, counted: bool
) -> tuple[Counter[tuple[int, ...]], list[dict[str, int]]]:
    """Count equal rows, written as the places of their labels, and return these; `counted`: the last column says it."""
    counts: Counter[tuple[int, ...]] = Counter()
    *named, last = columns.items()
    variables = named if counted else [*named, last]
    seen: list[dict[str, int]] = [{} for _ in variables]
    places = [at for _, at in variables]
    for row in rows:
        cells = [row.cells[at] for at in places]
        codes = tuple(map(dict.get, seen, cells))
        times = 1
        if counted:
            name, cell = last[0], row.cells[last[1]]
            _require_label(cell, name, row, missing)
            times = _as_count(cell, f"column {name!r} in {row.place}")
        if None in codes:
            for (name, _), cell, known in zip(variables, cells, seen, strict=True):
                if cell not in known:
                    _require_label(cell, name, row, missing)
                    known[cell] = len(known)
            codes = tuple(map(dict.__getitem__, seen, cells))
        counts[codes] += times  # type: ignore[index]
    return counts, seen


def _require_label(cell: str, name: str, row: _Row, missing: Collection[str]) -> None:
    """Refuse a cell that is blank, stands for a missing value or holds what cannot be written."""
    argument = f"column {name!r} in {row.place}"
    if cell in missing or not cell.strip():
        repair = "drop the row, or give the missing value a label of its own"
        raise InvalidFormatError(explain(argument, "a label", cell, repair))
    require_text(cell, argument)


def _as_count(cell: str, argument: str) -> int:
    times = parse_fraction(cell, argument)
    if times.denominator != 1 or times < 0:
        raise InvalidFormatError(explain(argument, "an integer of at least 0", cell, "how often the row was seen"))
    return int(times)


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
