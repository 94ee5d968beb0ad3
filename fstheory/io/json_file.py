"""A distribution as a JSON file: exact, versioned, written whole or not at all."""

from __future__ import annotations

import os

from fstheory._files import write_atomically
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidFormatError
from fstheory.io._opening import open_text

__all__ = ["read_json", "write_json"]


def read_json(path: str | os.PathLike[str]) -> JointDistribution:
    """Read a distribution that `write_json` wrote.

    Parameters
    ----------
    path : str or path-like
        A file in UTF-8, with or without a byte order mark.

    Returns
    -------
    JointDistribution
        Equal to the one that was written.

    Raises
    ------
    InvalidFormatError
        The file is not UTF-8, no JSON, of another schema or a newer version, or contradicts itself.
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
        Where the file should stand. Its folder must exist.

    Raises
    ------
    InvalidTypeError
        `d` is no distribution, or a state label is neither a string, an integer, a boolean nor a tuple of these.
    OutputError
        The file cannot be written. What stood there is untouched.

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
