"""Read a distribution from a file: exact JSON, or CSV, told apart by the suffix alone."""

from __future__ import annotations

import os
from typing import Literal, TypeAlias, Unpack, overload

from fstheory._support.files import as_path
from fstheory.distributions.csv import CsvOptions, open_text, read_csv
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample
from fstheory.errors import InvalidFormatError, require

__all__ = [
    "SUFFIXES",
    "load",
]
SUFFIXES = (".json", ".csv", ".tsv")
_Path: TypeAlias = "str | os.PathLike[str]"


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
        The suffix says the format; the content is not looked at to guess it. JSON is what
        `JointDistribution.to_json` wrote.
    population, **options
        As in `read_csv`, the delimiter of ``.tsv`` a tab; not for JSON, which names its own.

    Returns
    -------
    Sample, or of JSON or a population JointDistribution

    Raises
    ------
    InvalidValueError
        An option of CSV was given for JSON.
    OSError
        The file does not exist or cannot be read.

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
