"""The data that a command names as its source: reading it, and what an answer says of it."""

from __future__ import annotations

import argparse
import functools
import math
import os
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fstheory import errors
from fstheory._support.files import as_source
from fstheory._support.result import first_of
from fstheory.cli.options import ON_TRIAL, Progress, picked, refuse, write_stderr
from fstheory.cli.repairs import with_repairs, words_of
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.prepare import is_suspicion
from fstheory.distributions.rows import ROWS_PER_STATE, Data, Sample, has_numeric_target, noted

if TYPE_CHECKING:
    from fstheory.lattice.table import SubsetTable

T = TypeVar("T")

_OF_TABLES = (
    "target", "leave_out", "bins", "missing", "keep_continuous", "na", "delimiter", "encoding", "decimal", "header",
    "count", "table", "population",
)  # fmt: skip
_NETWORKS = (".bif", ".xmlbif")
_SUFFIXES = (
    ".json", ".csv", ".csv.gz", ".tsv", ".parquet", ".feather", ".arrow", ".dta", ".jsonl", ".ndjson", ".xlsx", ".xls",
    ".sqlite", ".sqlite3", ".db", *_NETWORKS,
)  # fmt: skip
_MOST_CELLS = 10**8  # the limit for all subsets of a network's variables without --features: some seconds


def read_source(arguments: argparse.Namespace) -> JointDistribution:
    """Return the distribution that the arguments name. A sample is refused."""
    return require_population(read_data(arguments), arguments)


def is_network(source: str) -> bool:
    """Return whether a source is the file of a Bayesian network."""
    return _path_of(source).suffix.lower() in _NETWORKS


def questions(path: str) -> Mapping[str, Any]:
    """Return the questions of a lecturer, and their title, from a TOML file."""
    try:
        return tomllib.loads(as_source(path, "ask").read_text(encoding="utf-8"))
    except IsADirectoryError as error:
        text = errors.explain("ask", "a TOML file of questions", path, "name a file")
        raise errors.InvalidValueError(text) from error
    except ValueError as error:  # it is not TOML, or not UTF-8
        repair = f"{error}: correct it"
        raise errors.InvalidFormatError(errors.explain("ask", "a TOML file of questions", path, repair)) from error


def require_population(d: Data, arguments: argparse.Namespace) -> JointDistribution:
    """Return `d` if it is a distribution. Refuse a sample, for commands that need a distribution."""
    if isinstance(d, Sample):
        found = f"the {d.m} sample{'s' * (d.m != 1)} in {arguments.source}"
        repair = (
            "add --population if these counts are all there is; for a sample, fstheory report, risks, criterion and "
            "select say what it supports"
        )
        text = f"SOURCE must be a distribution for {arguments.command}, not {found}; {repair}"
        raise errors.repaired(errors.InvalidValueError(text), population=True)
    return d


_CHOSEN = ("bins", "decimal", "encoding", "header", "keep_continuous", "leave_out", "missing", "na")
"""Options that `read_data` chooses: they say how the file is read, and leave the question as it is."""


def read_data(arguments: argparse.Namespace, *, numbers: bool = False) -> Data:
    """Return the distribution or the sample that the arguments name.

    A table is a sample, unless --population says that its counts are all there is. A source with the suffix of a file
    is a file, a source that ends in / is a folder, and - is JSON on stdin. Everything else is a name in the gallery. So
    no source is ambiguous. If a file cannot be read without some options, they are chosen, and a note names them.

    A target of many numbers is cut into ranges. If the answer can be about `numbers`, it is predicted as a number.
    """
    data, chosen = with_repairs(_read_kept if numbers else _read, arguments, *_CHOSEN)
    notes = list[str]()
    if chosen:
        words = " ".join(shlex.join(words_of(name, value)) for name, value in chosen.items())
        notes = [f"chosen, because the rows need it: {words}; give these options to choose otherwise"]
    if numbers and isinstance(data, Sample) and arguments.criterion is None and has_numeric_target(data):
        arguments.criterion = "squared"
        notes += [f"the target {data.target} is predicted as a number; --criterion log treats each number as a class"]
    if arguments.command != "report" or arguments.population:  # the page of a report on a sample has the notes
        tell_notes(notes)
    return functools.reduce(noted, notes, data) if isinstance(data, Sample) else data


def _read(arguments: argparse.Namespace) -> Data:
    """Return the distribution or the sample that the arguments name, read by the options that were given."""
    source = arguments.source
    if arguments.batches or source.endswith(("/", os.sep)):
        refuse(arguments, "left out if rows are read in batches, which make a sample", *_OF_TABLES[-2:])
        given = picked(arguments, "features", *_OF_TABLES[:-2]) | {"leave_out": arguments.leave_out or ()}
        given["keep_continuous"] = given["keep_continuous"] or columns_of_design(arguments)
        own: Any = {"keep": arguments.batches or "rows", "executor": getattr(arguments, "executor", None)}
        with Progress(reads=True) as progress:
            s: Sample = Sample.from_batches(source, progress=progress, **own, **given)
        tell_notes(s.notes if arguments.command != "report" else ())
        return s
    kind = _path_of(source).suffix.lower()
    if is_network(source):
        refuse(arguments, "left out unless SOURCE is a table", *_OF_TABLES[1:])
        given = picked(arguments, "features", "target", "normalize")
        number, joint = _read_network(source, **given)
        tell_notes([f"{number} rows were rescaled to sum to 1: 'fstheory network' lists them"] * bool(number))
        return joint
    refuse(arguments, "left out unless SOURCE is a network", "normalize")
    if kind in _SUFFIXES[1:]:
        from fstheory.distributions.files import made_of

        return read_columns(arguments, lambda table, **flags: made_of(table, source, **flags))
    named = None if source == "-" or kind == ".json" else _from_gallery(source)
    refuse(arguments, "left out unless SOURCE is a table", *_OF_TABLES)
    from fstheory.distributions.files import load

    d = named or (_read_stdin() if source == "-" else load(source))
    return d if arguments.features is None else d.marginal(arguments.features)


def _read_kept(arguments: argparse.Namespace) -> Data:
    """Return the data. A target of many numbers is to be kept as it is, not cut into bins."""
    try:
        return _read(arguments)
    except errors.FSTheoryError as error:
        bins = error.options.get("bins")
        if isinstance(bins, dict) and [*bins] == [arguments.target]:
            errors.repaired(error, keep_continuous=True, bins=arguments.bins or 4)
        if error.options.get("missing") == "drop":  # the class is missing; rows that lack a feature can be kept
            errors.repaired(error, missing="label")
        raise


def _path_of(source: str) -> Path:
    """Return the path without the suffix of a compressed file, so that it ends in the suffix of its kind."""
    packed = tuple(f"{kind}.gz" for kind in (".csv", ".tsv", *_NETWORKS))
    return Path(source[:-3] if source.lower().endswith(packed) else source)


def _read_network(path: str, features: Sequence[str] | None, target: str | None, normalize: bool) -> tuple[int, Data]:
    """Return the number of rescaled rows, and the joint distribution of the target and the features.

    If no features are given, all other variables are taken, if they are few.
    """
    from fstheory.selection import networks

    network = networks.load(path, normalize)
    if target is None:
        listed = first_of(network.variables, repr, most=12)
        raise errors.InvalidValueError(f"--target must be the name of a variable, not left out; name one of: {listed}")
    others = tuple(name for name in network.variables if name != target)
    if features is None and math.prod(len(network.states[name]) + 1 for name in others) > _MOST_CELLS:
        text = f"--features must be given if all subsets are too many, as for {len(others)} variables"
        raise errors.repaired(errors.InvalidValueError(text), features=network.markov_boundary(target).features)
    return len(network.notes), network.joint(others if features is None else features, target)


_MOST_SUBSETS = 5000  # the limit for a sample without -k


def largest_size(d: Data, arguments: argparse.Namespace) -> int | None:
    """Return the largest size of the subsets in an answer, or None for all sizes.

    It is the largest size that -k names. Without -k, it is None for a distribution. For a sample it grows as long as
    every subset of the size has at least 5 samples for each of its states, and there are not too many subsets.
    """
    asked: list[int] | None = arguments.k
    if asked is not None:
        return max(asked)
    if not isinstance(d, Sample):
        return None
    n, size, count = len(d.features), min(1, len(d.features)), 1 + len(d.features)
    states = sorted(d.cardinalities, reverse=True)
    while size < n:
        count += math.comb(n, size + 1)
        if count > _MOST_SUBSETS or math.prod(states[: size + 1]) * ROWS_PER_STATE > d.m:
            break
        size += 1
    return size


def of_sample(d: Data, doubts: Sequence[str] = ()) -> dict[str, Any]:
    """Return the additional entries of a JSON document about a sample. For a distribution there are none."""
    return {"samples": d.m, "estimate": "plug-in", "notes": [*d.notes, *doubts]} if isinstance(d, Sample) else {}


def plug_in_note(d: Data, table: SubsetTable[Any] | None = None) -> str:
    """Return the lines above an answer about a sample. For a distribution there are none."""
    if not isinstance(d, Sample):
        return ""
    n = len(d.features)
    size = n if table is None else max(map(int.bit_count, table.masks.tolist()))
    subsets = f" of at most {size} of {n} features" if size < n else ""
    return (
        f"Plug-in values{subsets}: of the {d.m:,} rows themselves, not of what they were drawn from;\n"
        "too good, the more so the more states there are ('fstheory report' says by how much).\n\n"
    )


def read_columns(arguments: argparse.Namespace, make: Callable[..., T], merge: bool = True, **given: Any) -> T:
    """Return `make` of the table that the arguments name, and write notes on what was done to the table."""
    from fstheory.distributions.files import read_table

    read_by = {name: value for name, value in picked(arguments, "features", *_OF_TABLES).items() if value is not None}
    if isinstance(read_by.get("bins"), dict) and _path_of(arguments.source).suffix.lower() not in (".csv", ".tsv"):
        read_by["bins"] = {
            name: [float(edge) for edge in wanted] if isinstance(wanted, list) else wanted
            for name, wanted in read_by["bins"].items()
        }
    given |= {name: read_by.pop(name) for name in ("population", "keep_continuous")}
    table = read_table(arguments.source, merge, reads=arguments.reads, kept=columns_of_design(arguments), **read_by)
    found = make(table, **given)
    if not ON_TRIAL.get():
        arguments.reads.clear()  # a command that was not refused needs the memory
    if arguments.command != "report" or arguments.population:  # the page of a report has the notes
        tell_notes(table.notes)
    return found


def columns_of_design(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the columns that are no features but say which rows belong together, and the order of rows in time."""
    named = (getattr(arguments, name, None) for name in ("groups", "time"))
    return tuple(name for name in named if name is not None)


def tell_notes(notes: Iterable[str]) -> None:
    """Write notes on stderr, one line each. Only the report asks about groups, because it has the option."""
    for note in notes:
        if is_suspicion(note):
            continue
        shown = note if len(note) <= 1000 else f"{note[:500]} ... (all of it with --json)"  # of hundreds of columns
        write_stderr(f"fstheory: note: {shown}\n")


def _read_stdin() -> JointDistribution:
    if sys.stdin is None:  # closed before the start
        raise errors.InvalidFormatError("stdin must be open, not closed; pass JSON, or the name of a file")
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.InvalidFormatError(
            errors.explain("stdin", "UTF-8 text", error.object[:20], "pass JSON")
        ) from error
    return JointDistribution.from_json(text)


def _from_gallery(source: str) -> JointDistribution:
    from fstheory.distributions import gallery

    try:
        return gallery.load(source)
    except errors.UnknownNameError as error:
        if Path(source).suffix or "/" in source or Path(source).is_file():
            kinds = f"a name of the gallery or a file that ends in {', '.join(_SUFFIXES)}"
            repair = (
                "rename the file, or save the table as CSV, from another database by pandas.read_sql; "
                "'fstheory gallery' lists the names"
            )
            raise errors.InvalidFormatError(errors.explain("SOURCE", kinds, source, repair)) from error
        raise


def name_of(source: str) -> str:
    """Return the name of a source for titles: the name of a file without its suffix."""
    return "stdin" if source == "-" else path.stem if (path := _path_of(source)).suffix.lower() in _SUFFIXES else source
