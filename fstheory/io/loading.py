"""Read a distribution from a file of any kind we know, told apart by the suffix alone."""

from __future__ import annotations

import os
from collections.abc import Iterable

from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidFormatError, InvalidValueError, explain
from fstheory.io._opening import as_path
from fstheory.io.csv_file import read_csv
from fstheory.io.json_file import read_json

__all__ = ["SUFFIXES", "load"]

SUFFIXES = (".json", ".csv", ".tsv")


def load(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    features: Iterable[str] | None = None,
    count: str | None = None,
    missing: Iterable[str] = (),
    delimiter: str | None = None,
) -> JointDistribution:
    r"""Read a distribution from a file that ends in ``.json``, ``.csv`` or ``.tsv``.

    Parameters
    ----------
    path : str or path-like
        The suffix says the format; the content is not looked at to guess it.
    target, features, count, missing
        As in `read_csv`; not for JSON, which names its own.
    delimiter : str, optional
        As in `read_csv`; a comma for ``.csv``, a tab for ``.tsv`` if not given.

    Returns
    -------
    JointDistribution

    Raises
    ------
    InvalidFormatError
        The suffix is another one, or the file is not what its suffix says.
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
    ...     load(path, target="wet").features
    ('sky',)
    """
    suffix = as_path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidFormatError(
            explain("path", f"the name of a file that ends in {', '.join(SUFFIXES)}", str(path), "rename or convert it")
        )
    if suffix != ".json":
        separator = ("\t" if suffix == ".tsv" else ",") if delimiter is None else delimiter
        return read_csv(path, target=target, features=features, count=count, missing=missing, delimiter=separator)
    options = {"target": target, "features": features, "count": count, "missing": missing or None}
    for name, value in (options | {"delimiter": delimiter}).items():
        if value is not None:
            repair = "the file names its own; JointDistribution.marginal and rename change them"
            raise InvalidValueError(explain(name, "left out for a JSON file", value, repair))
    return read_json(path)
