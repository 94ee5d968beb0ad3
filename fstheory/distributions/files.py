"""Read a distribution from a file: exact JSON, or CSV, told apart by the suffix alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, overload

from fstheory._support.files import as_path, write_atomically
from fstheory.distributions.csv import open_text, read_csv
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.distributions.rows import Sample
from fstheory.errors import InvalidFormatError, InvalidValueError, explain

__all__ = [
    "SUFFIXES",
    "load",
    "read_json",
    "write_json",
]
SUFFIXES = (".json", ".csv", ".tsv")


def read_json(path: str | os.PathLike[str]) -> JointDistribution:
    """Read a distribution that `write_json` wrote; it equals the one that was written.

    Parameters
    ----------
    path : str or path-like
        A file in UTF-8, with or without a byte order mark.

    Raises
    ------
    InvalidValueError
        `path` is no path.
    OSError
        The file does not exist or cannot be read.

    See Also
    --------
    fstheory.JointDistribution.from_json : the same for a text.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fstheory import JointDistribution
    >>> d = JointDistribution([["1/3", "1/6"], ["1/6", "1/3"]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "d.json"
    ...     write_json(d, path)
    ...     read_json(path) == d
    True
    """
    with open_text(path) as stream:
        text = stream.read()
    try:
        return JointDistribution.from_json(text)
    except InvalidFormatError as error:
        raise InvalidFormatError(f"{os.fspath(path)}: {error}") from error


def write_json(d: JointDistribution, path: str | os.PathLike[str]) -> None:
    """Write a distribution to a JSON file, whole or not at all.

    Parameters
    ----------
    d : JointDistribution
    path : str or path-like
        In a folder that exists.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fstheory import JointDistribution
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "d.json"
    ...     write_json(JointDistribution([[1, 2]]), path)
    ...     print(path.read_text().splitlines()[-4:])
    ['  "1/3",', '  "2/3"', ' ]', '}']
    """
    require_distribution(d)
    write_atomically(path, d.to_json() + "\n")


@overload
def load(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    features: Iterable[str] | None = None,
    count: str | None = None,
    missing: Iterable[str] = (),
    delimiter: str | None = None,
    population: Literal[True],
    keep_continuous: bool = False,
) -> JointDistribution: ...
@overload
def load(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    features: Iterable[str] | None = None,
    count: str | None = None,
    missing: Iterable[str] = (),
    delimiter: str | None = None,
    population: bool = False,
    keep_continuous: bool = False,
) -> Sample | JointDistribution: ...
def load(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    features: Iterable[str] | None = None,
    count: str | None = None,
    missing: Iterable[str] = (),
    delimiter: str | None = None,
    population: bool = False,
    keep_continuous: bool = False,
) -> Sample | JointDistribution:
    r"""Read a distribution or a sample from a file that ends in ``.json``, ``.csv`` or ``.tsv``.

    Parameters
    ----------
    path : str or path-like
        The suffix says the format; the content is not looked at to guess it.
    target, features, count, missing, population, keep_continuous
        As in `read_csv`; not for JSON, which names its own and is a distribution.
    delimiter : str, optional
        As in `read_csv`; a comma for ``.csv``, a tab for ``.tsv`` if not given.

    Returns
    -------
    Sample, or of JSON or a population JointDistribution

    Raises
    ------
    InvalidValueError
        An option of CSV was given for JSON.
    UnknownNameError, TooLargeError, OSError
        As in `read_csv` and `read_json`.

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
    if suffix not in SUFFIXES:
        requirement = f"the name of a file that ends in {', '.join(SUFFIXES)}"
        raise InvalidFormatError(explain("path", requirement, str(path), "rename or convert it"))
    if suffix != ".json":
        separator = ("\t" if suffix == ".tsv" else ",") if delimiter is None else delimiter
        return read_csv(
            path, target=target, features=features, count=count, missing=missing, delimiter=separator,
            population=population, keep_continuous=keep_continuous,
        )  # fmt: skip
    options: dict[str, object] = {"target": target, "features": features, "count": count, "missing": missing or None}
    flags = {"population": population or None, "keep_continuous": keep_continuous or None}
    for name, value in (options | {"delimiter": delimiter} | flags).items():
        if value is not None:
            repair = "the file names its own; JointDistribution.marginal and rename change them"
            raise InvalidValueError(explain(name, "left out for a JSON file", value, repair))
    return read_json(path)
