"""Reading a distribution or a sample from a file: from a table, or from exact JSON, as the suffix says."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from fstheory._support.exact import as_index
from fstheory._support.files import as_path, as_source, parse_json
from fstheory._support.result import first_of
from fstheory.distributions.engines import name_of_counts
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.prepare import Bins, Missing, prepare
from fstheory.distributions.rows import Sample, kept_names
from fstheory.distributions.tables import (
    CsvFile,
    Table,
    chosen_columns,
    kind_of,
    open_text,
    read_frame,
    read_text,
    require_header,
    table_of,
)
from fstheory.errors import (
    InvalidFormatError,
    InvalidValueError,
    Message,
    MissingDependencyError,
    Named,
    UnknownNameError,
    import_optional,
    install_hint,
    nearest,
    repaired,
    require,
    require_flag,
    unknown,
)

_DATABASES = (".sqlite", ".sqlite3", ".db")
_BY_PANDAS = {
    ".parquet": "read_parquet", ".feather": "read_feather", ".arrow": "read_feather", ".dta": "read_stata",
    ".jsonl": "DataFrame", ".ndjson": "DataFrame", ".xlsx": "read_excel", ".xls": "read_excel",
    **dict.fromkeys(_DATABASES, "DataFrame"),
}  # fmt: skip
"""The function of pandas that reads a kind of file. Lines of JSON and databases are read here: pandas changes types."""
SUFFIXES = (".json", ".csv", ".tsv", ".csv.gz", ".tsv.gz", *_BY_PANDAS)


class CsvOptions(TypedDict, total=False):
    """The options for reading a table, except `population`. `read_csv` explains them, and `load` explains `table`."""

    target: str | None
    features: Iterable[str] | None
    count: str | None
    leave_out: Iterable[str]
    bins: Bins | None
    missing: Missing | None
    na: Iterable[str] | None
    delimiter: str | None
    encoding: str | None
    decimal: str | None
    header: int | None
    keep_continuous: bool | Iterable[str]
    table: str | None


_Path: TypeAlias = "str | os.PathLike[str]"


@overload
def read_csv(path: _Path, *, population: Literal[False] = False, **options: Unpack[CsvOptions]) -> Sample: ...
@overload
def read_csv(path: _Path, *, population: Literal[True], **options: Unpack[CsvOptions]) -> JointDistribution: ...
@overload
def read_csv(path: _Path, *, population: bool, **options: Unpack[CsvOptions]) -> Sample | JointDistribution: ...
def read_csv(path: _Path, *, population: bool = False, **options: Unpack[CsvOptions]) -> Sample | JointDistribution:
    r"""Return the rows of a CSV file as a sample, or as a distribution if the rows are all there is.

    Every label is the string that stands in the file, spaces and leading zeros included. The states of a variable are
    the labels that occur, sorted. Complexity: one pass over the file, and memory for the distinct rows.

    Parameters
    ----------
    path : str or path-like
        A text file with cells quoted as spreadsheets do. Its header names each column once. A column without a name,
        such as the index that pandas writes, is left out. Empty lines are skipped.
    target : str
        The column of the class.
    features : iterable of str, optional
        The columns that are features, in this order. If not given, all columns except `target`, `count` and
        `leave_out`. Other columns are not read.
    leave_out : iterable of str, optional
        Columns that are neither features nor the target.
    count : str, optional
        A column with the number of times that each row was seen, an integer of at least 0.
    bins, missing : optional
        As in `Sample.from_frame`. A number is exactly the decimal that stands in the file, with a point or a comma.
    na : iterable of str, optional
        Texts that stand for a missing value. A blank cell always does. If `na` is not given but `missing` is, the usual
        texts do (``NA``, ``NaN``, ``null``, ``?`` and similar ones). If neither is given, no text does.
    delimiter : str, optional
        The character between two cells. If not given, the one of comma, semicolon, tab and bar that splits the header
        into the most names.
    encoding : str, optional
        The encoding of the file, such as ``"cp1252"``. If not given, UTF-8, or UTF-16 if the file begins with its byte
        order mark.
    decimal : {',', '.'}, optional
        The decimal mark of numbers that contain commas: ``','`` if the comma is the decimal mark, ``'.'`` if commas
        separate thousands. If not given, it is inferred from the numbers of the column.
    header : int, optional
        The number of the line that names the columns, counted from 1. Use it if titles stand above that line. If not
        given, the first line that is not empty.
    population : bool
        Whether these rows are all there is, as the 2,201 people on the Titanic are. If True, their relative frequencies
        are the probabilities. If False, they are samples from an unknown distribution.
    keep_continuous : bool or iterable of str
        Whether to treat the numbers of a measurement as categories. If False, a sample with such a column is refused: a
        column of over 30 different numbers that have fractions, or fewer than 5 rows for each number and class. In a
        population, numbers are always treated as categories. Names are those of columns that are left as they are: no
        bins are made of them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sky.csv"
    ...     _ = path.write_text("sky,day,wet,seen\nsun,Mon,no,5\nrain,Tue,yes,2\nrain,Wed,no,1\n")
    ...     print(read_csv(path, target="wet", count="seen"))
    8 samples of wet and 2 features, 3 distinct rows: sky (2), day (3)
    """
    named = options.pop("table", None)
    require(named is None, "table", "left out unless the file is a database", named, "drop it")
    keep_continuous = options.pop("keep_continuous", False)
    table = _read_text(path, kept=kept_names(keep_continuous), **options)
    return made_of(table, path, population, keep_continuous is True)


def made_of(table: Table, path: _Path, population: bool, keep_continuous: bool) -> Sample | JointDistribution:
    """Return the distribution of a table if the table is a population, else the sample of its rows."""
    require_flag(population, "population", "pass True if the rows are all there is")
    if population:
        return JointDistribution._of_table(table)
    require(table.counts.any(), str(path), "a table with samples", "only counts of 0", "add rows")
    return Sample._of_table(table, None, keep_continuous)


@overload
def load(path: _Path, *, population: Literal[True], **options: Unpack[CsvOptions]) -> JointDistribution: ...
@overload
def load(path: _Path, *, population: bool = False, **options: Unpack[CsvOptions]) -> Sample | JointDistribution: ...
def load(
    path: str | os.PathLike[str], *, population: bool = False, **options: Unpack[CsvOptions]
) -> Sample | JointDistribution:
    r"""Return the distribution or the sample in a file.

    Use it for any of the formats ``.json``, ``.csv``, ``.tsv``, ``.parquet``, ``.feather``, ``.dta``, ``.jsonl``,
    ``.xlsx`` and ``.xls``, and for a database of SQLite that ends in ``.sqlite``, ``.sqlite3`` or ``.db``. A CSV file
    may be compressed by gzip, if its name ends in ``.csv.gz``. Pass a query of another database to
    `Sample.from_frame`, as a DataFrame of ``pandas.read_sql`` or as a relation of DuckDB.

    Parameters
    ----------
    path : str or path-like
        The file. Its suffix decides the format. A JSON file is one that `JointDistribution.to_json` wrote.
    population, **options
        As in `read_csv`. A JSON file takes none of them, because it names its variables itself. Files other than CSV
        are read by pandas and do not take `na`, `delimiter` and `encoding`. A database takes `table`, the name of a
        table or view, which may be left out if there is only one.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sky.tsv"
    ...     _ = path.write_text("sky\twet\nsun\tno\nrain\tyes\n")
    ...     load(path, target="wet").features, type(load(path, target="wet", population=True)).__name__
    (('sky',), 'JointDistribution')
    """
    suffix = kind_of(as_path(path))
    needed = f"the name of a file that ends in {', '.join(SUFFIXES)}"
    repair = "rename it, or read it by pandas and pass the DataFrame to Sample.from_frame"
    require(suffix in SUFFIXES, "path", needed, str(path), repair, InvalidFormatError)
    if suffix != ".json":
        keep_continuous = options.pop("keep_continuous", False)
        table = read_table(path, kept=kept_names(keep_continuous), **options)
        return made_of(table, path, population, keep_continuous is True)
    given = {"population": population, **options}
    for name, value in given.items():
        repair = "the file names its variables; change them with JointDistribution.marginal and rename"
        require(not value, name, "left out for a JSON file", value, repair)
    return JointDistribution.load(path)


def _read_text(
    path: _Path,
    bins: Bins | None = None,
    missing: Missing | None = None,
    decimal: str | None = None,
    merge: bool = True,
    reads: dict[str, Any] | None = None,
    kept: Iterable[str] = (),
    **text: Any,
) -> Table:
    """Return the table of states in a CSV file. If `merge`, equal rows are counted together."""
    file = CsvFile(path, counts=text.pop("count", None), missing=missing, **text)
    table = read_text(file, merge) if reads is None else _without_some(file, merge, reads)
    return prepare(table, bins, missing, decimal, kept)


def _without_some(file: CsvFile, merge: bool, reads: dict[str, Any]) -> Table:
    """Return the rows of a CSV file. If they were read before, with fewer columns left out, the file is not read."""
    key, left_out = repr((file._replace(leave_out=()), merge)), {*file.leave_out}
    table: Table | None
    table, before = reads.get(key, (None, set()))
    more = left_out - before
    if table is None or before - left_out or more - {*table.names[:-1]} or (more and file.features):
        table = read_text(file, merge)
        reads[key] = table, left_out
        return table
    kept = [at for at, name in enumerate(table.names) if name not in more]
    return table._replace(names=tuple(table.names[at] for at in kept), columns=[table.columns[at] for at in kept])


def _json_lines(path: _Path) -> list[Any]:
    with open_text(path) as stream:
        return [parse_json(line, decimals=True) for line in stream if line.strip()]


def _of_database(
    path: _Path, table: str | None, options: Mapping[str, Any], merge: bool
) -> tuple[list[Any], list[str]]:
    """Return the rows and the names of the chosen columns of a table in a database of SQLite, or of a view.

    Each value is as it is stored. If `merge`, the database counts equal rows: the last column has their number.
    """
    with closing(sqlite3.connect(f"{as_source(path).absolute().as_uri()}?mode=ro", uri=True)) as database:
        kept = "type in ('table', 'view') and substr(name, 1, 7) != 'sqlite_'"
        names = [name for (name,) in database.execute(f"select name from sqlite_master where {kept} order by name")]
        require(names, str(path), "a database with tables", "empty", "name another file")
        if table is None and len(names) > 1:
            text = Message(Named("table"), f" must be one of {first_of(names)}, not left out")
            raise repaired(UnknownNameError(text), table=names[0])
        if table is not None and table not in names:
            raise repaired(unknown("table", table, names), table=nearest(table, names) or names[0])
        name = (table or names[0]).replace('"', '""')
        existing = [column for column, *_ in database.execute(f'select * from "{name}" limit 0').description]
        chosen = [*chosen_columns(existing, **options), *[options["count"]] * (options["count"] is not None)]
        keys = ['"' + column.replace('"', '""') + '"' for column in chosen]
        query = f'select {", ".join([*keys, "count(*)"])} from "{name}" group by '
        # A column may be declared not to see the difference of A and a, and 1 equals 1.0.
        query += ", ".join(f"{key} collate binary, typeof({key})" for key in keys)
        query = query if merge else f'select {", ".join([*keys, "1"])} from "{name}"'
        return database.execute(query).fetchall(), [*chosen, name_of_counts(chosen)]


def _given(path: _Path, suffix: str, of_database: Callable[[], tuple[Any, list[str]]]) -> tuple[Any, dict[str, Any]]:
    """Return the input from which pandas makes a frame of a file, and the options for it."""
    if suffix in _DATABASES:
        rows, columns = of_database()
        return rows, {"columns": columns, "dtype": object}
    return _json_lines(path) if suffix in (".jsonl", ".ndjson") else path, {}


def read_table(path: _Path, merge: bool = True, reads: dict[str, Any] | None = None, **options: Any) -> Table:
    """Return the table of states in a CSV file, or in a file that pandas reads.

    If `merge`, equal rows of a CSV file or a database are counted together. `reads` keeps what was read, so that a call
    with other options need not read the file again.
    """
    suffix = kind_of(as_source(path))
    reader, table = _BY_PANDAS.get(suffix), options.pop("table", None)
    require(suffix in _DATABASES or table is None, "table", "left out unless the file is a database", table, "drop it")
    if reader is None:
        return _read_text(path, merge=merge, reads=reads, **options)
    reads = {} if reads is None else reads
    is_sheet = reader == "read_excel"
    for name in ("na", "delimiter", "encoding", *["header"] * (not is_sheet)):
        repair = "drop it, or save the table as CSV"
        require((value := options.pop(name, None)) is None, name, "left out unless the file is a CSV", value, repair)
    pandas = import_optional("pandas", "data", f"a file {suffix}")
    header = options.pop("header", None)
    above: dict[str, Any] = {} if header is None else {"header": as_index(header, "header", at_least=1) - 1}
    defaults: dict[str, Any] = {"target": None, "features": None, "leave_out": (), "count": None}
    chosen = {name: options.get(name, default) for name, default in defaults.items()}
    try:
        frame = reads.get(key := repr((path, table, above, chosen if suffix in _DATABASES else None)))
        if frame is None:
            given, own = _given(path, suffix, partial(_of_database, path, table, chosen, merge))
            frame = reads[key] = getattr(pandas, reader)(given, **above, **own)
    except (OSError, UnknownNameError):
        raise
    except ImportError as error:
        if is_sheet:  # no extra has a library that reads Excel
            raise MissingDependencyError(f"pandas cannot read {path}: {error}") from error
        raise MissingDependencyError(install_hint(f"reading {path}", "pyarrow", "arrow")) from error
    except Exception as error:
        if type(error) is InvalidValueError:  # of the columns that were chosen
            raise
        repair = "open it in the program that wrote it and save it as CSV"
        raise InvalidFormatError(f"{path} must be a file that pandas reads, not broken ({error}); {repair}") from error
    nameless = [name for name in frame.columns if is_sheet and str(name).startswith("Unnamed: ")]
    if is_sheet and header is None:
        filled = frame.head(12).notna().sum(axis=1).tolist()
        require_header([len(frame.columns) - len(nameless), *filled], 1, f"row 1 of {path}")
    prepared = {name: options.pop(name, None) for name in ("bins", "missing", "decimal")}
    prepared["kept"] = options.pop("kept", ())
    if suffix in _DATABASES:
        *names, times = frame.columns
        names = names[: None if chosen["count"] is None else -1]
        table = table_of(frame, tuple(names), prepared["missing"], chosen["count"], times)
    else:
        table = read_frame(frame.drop(columns=nameless), missing=prepared["missing"], **chosen)
    notes = (f"columns without a name are left out: {len(nameless)}",) if nameless else ()
    return prepare(table._replace(notes=notes), **prepared)
