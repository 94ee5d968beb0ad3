"""The distribution or the order that the arguments name."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidFormatError, InvalidValueError, UnknownNameError, explain
from fstheory.subsets import default_features, names_of, parse_subset

__all__ = ["features_of", "name_of", "order_of", "read_source"]

_SUFFIXES = (".json", ".csv", ".tsv")
_MOST_FEATURES = 63  # an array has at most 64 axes
_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}(\.[0-9]*)?")
_SUBSCRIPTED = re.compile(r"(?:[A-Za-z]+[0-9]+)+")


def read_source(arguments: argparse.Namespace) -> JointDistribution:
    """Return the distribution that the arguments name.

    What ends in .json, .csv or .tsv is a file, - is JSON on stdin, and everything else is a name of the gallery, so
    that no name can mean two things.

    Raises
    ------
    InvalidFormatError, InvalidValueError, UnknownNameError, OSError
        There is no such thing, or it cannot be used.
    """
    source = arguments.source
    kind = Path(source).suffix.lower()
    if kind in {".csv", ".tsv"}:
        return _read_table(arguments)
    for option in ("target", "count", "missing", "delimiter"):
        if getattr(arguments, option) is not None:
            shown = getattr(arguments, option)
            raise InvalidValueError(explain(f"--{option}", "left out unless SOURCE is a CSV", shown, "drop it"))
    if source == "-":
        d = _read_stdin()
    elif kind == ".json":
        from fstheory.io import read_json

        d = read_json(source)
    else:
        d = _from_gallery(source)
    return d if arguments.features is None else d.marginal(arguments.features)


def _read_table(arguments: argparse.Namespace) -> JointDistribution:
    from fstheory.io import load

    try:
        return load(
            arguments.source,
            target=arguments.target,
            features=arguments.features,
            count=arguments.count,
            missing=arguments.missing or (),
            delimiter=arguments.delimiter,
        )
    except InvalidValueError as error:
        if str(error).startswith("target "):
            raise InvalidValueError(f"--{error}") from error
        raise


def _read_stdin() -> JointDistribution:
    if sys.stdin is None:  # closed before the start
        raise InvalidFormatError("stdin must be open, not closed; pass JSON, or the name of a file")
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFormatError(explain("stdin", "UTF-8 text", error.object[:20], "pass JSON")) from error
    return JointDistribution.from_json(text)


def _from_gallery(source: str) -> JointDistribution:
    from fstheory import gallery

    try:
        return gallery.load(source)
    except UnknownNameError as error:
        if Path(source).suffix or "/" in source or Path(source).is_file():
            kinds = ", ".join(_SUFFIXES)
            repair = "rename the file; 'fstheory gallery' lists the names"
            raise InvalidFormatError(
                explain("SOURCE", f"a name of the gallery or a file that ends in {kinds}", source, repair)
            ) from error
        raise


def name_of(source: str) -> str:
    """Return what to call a source: a file by its name without the suffix."""
    return "stdin" if source == "-" else Path(source).stem if Path(source).suffix.lower() in _SUFFIXES else source


def features_of(arguments: argparse.Namespace) -> int | tuple[str, ...] | None:
    """Return the features that ``--features`` names or counts, or as many as there are cardinalities."""
    names: tuple[str, ...] | None = arguments.features
    if names is None:
        return None if arguments.cardinalities is None else len(arguments.cardinalities)
    if len(names) != 1 or not _NUMBER.fullmatch(names[0]):
        return names
    if not names[0].isdigit() or int(names[0]) > _MOST_FEATURES:
        raise InvalidValueError(
            explain("--features", f"names, or a number from 0 to {_MOST_FEATURES}", names[0], "correct it")
        )
    return int(names[0])


def order_of(text: str, features: int | Sequence[str] | None) -> tuple[list[frozenset[str]], tuple[str, ...]]:
    """Read an order of subsets, ``X1X2 < X2 < X1 < {}``; return it and the names of the features.

    Without `features`, the names are X1, .., Xn if only these occur, else those that occur in the order of their
    first occurrence: the first subset, all features, lists them.

    Raises
    ------
    InvalidFormatError
        A part of the text is no subset.
    """
    parts = text.split("<")
    if features is None:
        found = tuple(dict.fromkeys(name for part in parts for name in _names_in(part)))
        standard = default_features(len(found))
        features = standard if set(found) == set(standard) else found
    names = default_features(features) if isinstance(features, int) else tuple(features)
    return [names_of(parse_subset(part, names, "--order"), names) for part in parts], names


def _names_in(part: str) -> list[str]:
    body = part.strip()
    if body == "∅":
        return []
    if _SUBSCRIPTED.fullmatch(body):
        return re.findall(r"[A-Za-z]+[0-9]+", body)
    return [name.strip() for name in body.removeprefix("{").removesuffix("}").split(",") if name.strip()]
