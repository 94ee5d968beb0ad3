"""Read a distribution or a sample from a file: a table as CSV, or exact JSON, told apart by the suffix alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, TypeAlias, TypedDict, Unpack, overload

from fstheory._support.files import as_path
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample
from fstheory.distributions.tables import open_text, read_counted
from fstheory.errors import InvalidFormatError, require, require_flag

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
    table = read_counted(path, target, features, count, missing, delimiter)
    if population:
        return JointDistribution._of_table(table)
    require(any(table.counts), str(path), "a table with samples", "counts of 0 alone", "add rows")
    return Sample._of_table(table, None, keep_continuous)


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
