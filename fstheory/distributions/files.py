"""Read a distribution or a sample from a file: a table, or exact JSON, told apart by the suffix alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from fstheory._support.exact import as_index
from fstheory._support.files import as_path
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.prepare import Bins, Missing, prepare
from fstheory.distributions.rows import Sample
from fstheory.distributions.tables import CsvFile, Table, open_text, read_frame, read_text, require_header
from fstheory.errors import InvalidFormatError, MissingDependencyError, import_optional, require, require_flag

SUFFIXES = (".json", ".csv", ".tsv", ".parquet", ".xlsx", ".xls")


class CsvOptions(TypedDict, total=False):
    """What can be said of a table, beside whether it is all there is; `read_csv` tells what it means."""

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
    keep_continuous: bool


_Path: TypeAlias = "str | os.PathLike[str]"


@overload
def read_csv(path: _Path, *, population: Literal[False] = False, **options: Unpack[CsvOptions]) -> Sample: ...
@overload
def read_csv(path: _Path, *, population: Literal[True], **options: Unpack[CsvOptions]) -> JointDistribution: ...
@overload
def read_csv(path: _Path, *, population: bool, **options: Unpack[CsvOptions]) -> Sample | JointDistribution: ...
def read_csv(path: _Path, *, population: bool = False, **options: Unpack[CsvOptions]) -> Sample | JointDistribution:
    r"""Read the rows of a CSV file: a sample, or all there is.

    Every label stays the string it is in the file, spaces and leading zeros included. The states of a variable are the
    labels that occur, sorted. Complexity: one pass over the file, and memory for the distinct rows.

    Parameters
    ----------
    path : str or path-like
        A text, quoted as spreadsheets do; its header names the columns, each once. A column without a name, such as
        the index that pandas writes, is left out, and lines with nothing on them are skipped.
    target : str
        The column of the class.
    features, leave_out : iterable of str, optional
        The columns that are features, in this order; all but the target, `count` and those left out if not given.
        Others are not looked at.
    count : str, optional
        A column that says how often each row was seen, an integer of at least 0.
    bins, missing : optional
        As in `Sample.from_frame`. A number is exactly the decimal that is written, with a point or a comma.
    na : iterable of str, optional
        Texts that stand for a missing value, as a blank cell always does. If not given, the usual ones (``NA``,
        ``NaN``, ``null``, ``?`` and their like) where `missing` is, else none.
    delimiter : str, optional
        One character between the cells; if not given, the one of comma, semicolon, tab and bar that the header tells.
    encoding : str, optional
        Such as ``"cp1252"``; UTF-8, or UTF-16 that begins with its mark, if not given.
    decimal : {',', '.'}, optional
        Whether a comma in numbers is decimal, or one of thousands; if not given, that of others in the column tells.
    header : int, optional
        The line that names the columns, 1 or more, where titles stand above it; the first with something on it, if not
        given.
    population : bool
        Whether these rows are all there is, as the 2,201 people on the Titanic are, so that their shares are the
        probabilities. If not, they were drawn from something that nobody knows.
    keep_continuous : bool
        Take a column of over 30 different numbers, with fractions or of fewer than 5 rows of a class each, for one of
        categories, not refuse it; those of a population always are.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sky.csv"
    ...     _ = path.write_text("sky,day,wet,seen\nsun,Mon,no,5\nrain,Tue,yes,2\nrain,Wed,no,1\n")
    ...     print(read_csv(path, target="wet", count="seen"))
    8 samples of wet and 2 features, 3 distinct rows: sky (2), day (3)
    """
    keep_continuous = options.pop("keep_continuous", False)
    return made_of(_read_text(path, **options), path, population, keep_continuous)


def made_of(table: Table, path: _Path, population: bool, keep_continuous: bool) -> Sample | JointDistribution:
    """Return the distribution of a table that is all there is, or the sample."""
    require_flag(population, "population", "say True where the counts are all there is")
    if population:
        return JointDistribution._of_table(table)
    require(table.counts.any(), str(path), "a table with samples", "counts of 0 alone", "add rows")
    return Sample._of_table(table, None, keep_continuous)


@overload
def load(path: _Path, *, population: Literal[True], **options: Unpack[CsvOptions]) -> JointDistribution: ...
@overload
def load(path: _Path, *, population: bool = False, **options: Unpack[CsvOptions]) -> Sample | JointDistribution: ...
def load(
    path: str | os.PathLike[str], *, population: bool = False, **options: Unpack[CsvOptions]
) -> Sample | JointDistribution:
    r"""Read a distribution or a sample from a file: ``.json``, ``.csv``, ``.tsv``, ``.parquet`` or ``.xlsx``.

    Parameters
    ----------
    path : str or path-like
        The suffix says the format. JSON is what `JointDistribution.to_json` wrote.
    population, **options
        As in `read_csv`; not for JSON, which names its own. Parquet and Excel are read by pandas, and have neither
        `count`, `na`, `delimiter` nor `encoding`.

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
        keep_continuous = options.pop("keep_continuous", False)
        return made_of(read_table(path, **options), path, population, keep_continuous)
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


def _read_text(
    path: _Path,
    bins: Bins | None = None,
    missing: Missing | None = None,
    decimal: str | None = None,
    merge: bool = True,
    **text: Any,
) -> Table:
    """Return the table of states in a CSV file, its equal rows merged or not."""
    file = CsvFile(path, counts=text.pop("count", None), missing=missing, **text)
    return prepare(read_text(file, merge), bins, missing, decimal)


def read_table(path: _Path, merge: bool = True, **options: Any) -> Table:
    """Return the table of states in a CSV file, its equal rows merged or not, or in one that pandas reads."""
    suffix = as_path(path).suffix.lower()
    if suffix in (".csv", ".tsv"):
        return _read_text(path, merge=merge, **options)
    for name in ("count", "na", "delimiter", "encoding", *["header"] * (suffix == ".parquet")):
        repair = "drop it, or save the table as CSV"
        require((value := options.pop(name, None)) is None, name, "left out unless the file is a CSV", value, repair)
    pandas = import_optional("pandas", "data", f"a file {suffix}")
    is_sheet, header = suffix != ".parquet", options.pop("header", None)
    above = 0 if header is None else as_index(header, "header", at_least=1) - 1
    try:
        frame = pandas.read_excel(path, header=above) if is_sheet else pandas.read_parquet(path)
    except OSError:
        raise
    except ImportError as error:
        raise MissingDependencyError(f"pandas cannot read {path}: {error}") from error
    except Exception as error:
        repair = "open it in the program that wrote it, and save it as CSV"
        raise InvalidFormatError(f"{path} must be a file that pandas reads, not broken ({error}); {repair}") from error
    nameless = [name for name in frame.columns if is_sheet and str(name).startswith("Unnamed: ")]
    if is_sheet and header is None:
        filled = frame.head(12).notna().sum(axis=1).tolist()
        require_header([len(frame.columns) - len(nameless), *filled], 1, f"row 1 of {path}")
    prepared = {name: options.pop(name, None) for name in ("bins", "missing", "decimal")}
    table = read_frame(frame.drop(columns=nameless), missing=prepared["missing"], **{"target": None, **options})
    notes = (f"columns without a name are left out: {len(nameless)}",) if nameless else ()
    return prepare(table._replace(notes=notes), **prepared)
