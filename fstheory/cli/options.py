"""Shared parts of the commands: parsing, sources, names and numbers, answers, and progress."""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import json
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, TypeAlias, TypeVar

from fstheory import errors
from fstheory._support.result import first_of, to_json
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import ROWS_PER_STATE, SUPPORT, Data, Sample
from fstheory.lattice.subsets import escape

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure
    from fstheory.lattice.table import SubsetTable

T = TypeVar("T")

TRUE, FALSE, BAD_INPUT, NEITHER = 0, 1, 2, 3
STATUS = {"holds": TRUE, "proved": TRUE, "realized": TRUE, "refuted": FALSE, "impossible": FALSE}
STATUS |= dict.fromkeys(["attained", "approached", "empty", "bounded"], TRUE)
"""The exit status for each status of a verdict. For all others it is `NEITHER`."""


class Answer(NamedTuple):
    """The answer of a command: the text to print, and the exit status."""

    text: str
    status: int = TRUE


_OF_TABLES = (
    "target", "leave_out", "bins", "missing", "keep_continuous", "na", "delimiter", "encoding", "decimal", "header",
    "count", "population",
)  # fmt: skip
_NETWORKS = (".bif", ".xmlbif")
_SUFFIXES = (
    ".json", ".csv", ".csv.gz", ".tsv", ".parquet", ".feather", ".arrow", ".dta", ".jsonl", ".ndjson", ".xlsx", ".xls",
    *_NETWORKS,
)  # fmt: skip
_MOST_CELLS = 10**8  # the limit for all subsets of a network's variables without --features: some seconds
_MOST_REPAIRS = 8
_LONGEST = 80  # characters of a word or of a reason that a message repeats
_MOST_FEATURES = 63  # an array has at most 64 axes
_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}(\.[0-9]*)?")


def read_source(arguments: argparse.Namespace) -> JointDistribution:
    """Return the distribution that the arguments name. A sample is refused."""
    return require_population(read_data(arguments), arguments)


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


def read_data(arguments: argparse.Namespace) -> Data:
    """Return the distribution or the sample that the arguments name.

    A table is a sample, unless --population says that its counts are all there is. A source with the suffix of a file
    is a file, a source that ends in / is a folder, and - is JSON on stdin. Everything else is a name in the gallery. So
    no source is ambiguous.
    """
    source = arguments.source
    if arguments.batches or source.endswith(("/", os.sep)):
        refuse(arguments, "left out if rows are read in batches, which make a sample", *_OF_TABLES[-1:])
        given = picked(arguments, "features", *_OF_TABLES[:-1]) | {"leave_out": arguments.leave_out or ()}
        own: Any = {"keep": arguments.batches or "rows", "executor": getattr(arguments, "executor", None)}
        with Progress(reads=True) as progress:
            s: Sample = Sample.from_batches(source, progress=progress, **own, **given)
        tell_notes(s.notes if arguments.command != "report" else ())
        return s
    kind = _path_of(source).suffix.lower()
    if kind in _NETWORKS:
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


_CHOSEN = ("bins", "keep_continuous", "leave_out", "missing")
"""Options that `read_by_default` chooses: they say how the columns are read, and leave the question as it is."""


def read_by_default(arguments: argparse.Namespace) -> tuple[Data, str]:
    """Return the data, and the options that were chosen because the file cannot be read without them.

    If a refusal names options that would repair it, the file is read again with these options. A target of many numbers
    is not cut into bins, but kept as it is. An option that the user gave is never replaced, only completed.
    """
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    tried = dict(given)
    for _ in range(_MOST_REPAIRS):
        try:
            data = read_data(argparse.Namespace(**vars(arguments) | tried))
        except errors.FSTheoryError as error:
            target, repair = given.get("target"), dict(error.options)
            if isinstance(repair.get("bins"), dict) and [*repair["bins"]] == [target]:  # a number to be predicted
                repair = {"keep_continuous": True, "bins": tried.get("bins", 4)}
            wanted = {name: _both(tried.get(name), value, target) for name, value in repair.items()}
            known = all(name in _CHOSEN and name in vars(arguments) for name in wanted)
            if not known or all(tried.get(name) == value for name, value in wanted.items()):
                raise
            tried |= wanted
            continue
        words = [_typed(name, value) for name, value in tried.items() if value != given.get(name)]
        return data, " ".join(map(shlex.join, words))
    return read_data(arguments), ""


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
    table = read_table(arguments.source, merge=merge, **read_by)
    found = make(table, **given)
    if arguments.command != "report" or arguments.population:  # the page of a report has the notes
        tell_notes(table.notes)
    return found


def tell_notes(notes: Iterable[str]) -> None:
    """Write notes on stderr, one line each."""
    for note in notes:
        shown = note if len(note) <= 1000 else f"{note[:500]} ... (all of it with --json)"  # of hundreds of columns
        write_stderr(f"fstheory: note: {shown}\n")


_ON_TRIAL: ContextVar[bool] = ContextVar("on_trial", default=False)


class _Begun(Exception):
    """A command on trial has begun its work."""


def suggestion(error: errors.FSTheoryError, arguments: argparse.Namespace) -> str:
    """Return the end of a refusal: the command with the options that repair it. Empty if no such command is known.

    Each trial runs the command that the user asked for.
    """
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    tried = dict(given)
    for _ in range(_MOST_REPAIRS):
        target = tried.get("target")
        wanted = {name: _both(tried.get(name), value, target) for name, value in error.options.items()}
        known = all(name in vars(arguments) for name in wanted)
        if not known or all(tried.get(name) == value for name, value in wanted.items()):
            return ""
        tried |= wanted
        try:
            _try(argparse.Namespace(**vars(arguments) | tried))
        except errors.FSTheoryError as again:
            error = again
            continue
        except (Exception, SystemExit):  # noqa: BLE001 (a claim of the user can raise any error)
            return ""
        words = list(arguments.typed)
        for name, value in tried.items():
            if value != given.get(name):
                written = _typed(name, value)
                if name in given and written[0] in words:  # replace the value that was typed
                    del words[(at := words.index(written[0])) : at + 2]
                words += written
        condition = "if these rows are all there is, " if tried.get("population") and not given["population"] else ""
        return f"; {condition}this works: {shlex.join(['fstheory', *words])}"
    return ""


def _try(arguments: argparse.Namespace) -> None:
    """Run a command until its first report on progress, which comes after about a second, or to its end.

    The command prints nothing, writes no file outside a temporary folder, and starts no process.
    """
    token = _ON_TRIAL.set(True)
    silence = io.StringIO()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.suppress(_Begun),
            contextlib.redirect_stdout(silence),
            contextlib.redirect_stderr(silence),
        ):
            harmless: dict[str, Any] = {"open": False, "resume": None, "executor": 1}
            if (out := getattr(arguments, "out", None)) is not None or getattr(arguments, "open", False):
                harmless["out"] = str(Path(folder, Path(out or "page.html").name))
            own = {name: value for name, value in harmless.items() if name in vars(arguments)}
            arguments.run(argparse.Namespace(**vars(arguments) | own))
    finally:
        _ON_TRIAL.reset(token)


def _both(before: Any, value: Any, target: str | None) -> Any:
    """Merge two repairs: join lists of columns, join bins of all features or of the target, else keep the later one."""
    if isinstance(before, int) and isinstance(value, dict):
        before = {None: before}
    if isinstance(before, dict) and (isinstance(value, int) or ([*value] == [target] and target not in before)):
        merged = {**before, **({None: value} if isinstance(value, int) else value)}
        return dict(sorted(merged.items(), key=lambda part: part[0] is not None))  # after a name, 4 would be an edge
    return (*before, *value) if isinstance(before, tuple | list) and isinstance(value, tuple) else value


def _typed(name: str, value: Any) -> list[str]:
    """Return the words of the command line that give an option this value."""
    if name == "criterion":
        value = "log" if value == "logarithmic" else value
    if isinstance(value, dict):  # of bins
        edges = [part if isinstance(part, int) else ",".join(part) + "," * (len(part) == 1) for part in value.values()]
        value = [str(part) if key is None else f"{key}={part}" for key, part in zip(value, edges, strict=True)]
    values = value if name == "na" else [",".join(value) if isinstance(value, tuple | list) else str(value)]
    return [text for shown in values for text in (f"--{name.replace('_', '-')}", shown)[: 1 + (value is not True)]]


_ADVICE = {
    SUPPORT.name: "see what the rows support (below, and in 'fstheory report')",
    " to Sample.from_frame or read_csv": "",
    "s.keep(features)": "--features",
    "call fs.simulate(d, m, method, trials=2000, rng=0)": "pass --trials 2000 to estimate from so many trials",
    "; for a curve, trials=2000, rng=0": "",
    "estimate with .sample(10_000, rng=0), or take .mean and .variance": "pass --null permutation or --null moments",
    "batches": "SOURCE",
    "subject": "SOURCE",
}  # fmt: skip
"""The words of the command line for calls that messages of the library advise."""
_DESTINATIONS = {"labels": "target", "ms": "m", "max_features": "k", "keep": "batches", "order": "search_order"}
"""Options whose names differ from those of the arguments."""


def in_options(text: str, arguments: argparse.Namespace) -> str:
    """Return a message of the library, in which options stand for the arguments that it names.

    If the message names no option that was typed, it names the first one whose value it repeats.
    """
    parts = text.parts if isinstance(text, errors.Message) else (text,)
    typed: dict[str, str] = {dest: name for dest, name in arguments.options.items() if _is_typed(name, arguments.typed)}
    found = errors.worded(text, partial(_option, arguments.options))
    if any(name in found for name in typed.values()):
        return found
    fault = found.partition("; ")[0]  # the rest is the repair, which may repeat other values
    name = next((name for dest, name in typed.items() if _is_repeated(getattr(arguments, dest), fault)), None)
    if name is None:
        return found
    if isinstance(parts[0], errors.Named) and found.startswith(str(parts[0])):
        return name + found.removeprefix(str(parts[0]))
    return f"{name}: {found}"


def _is_typed(option: str, words: Iterable[str]) -> bool:
    short = not option.startswith("--")
    return any(word == option or word.startswith(option if short else f"{option}=") for word in words)


def _is_repeated(value: Any, text: str) -> bool:
    """Return whether a message repeats the value of an option, or one of its values."""
    if isinstance(value, list | tuple):
        return any(_is_repeated(part, text) for part in value)
    if not isinstance(value, str):
        return False
    shown = errors.show(value)
    return (shown[:30] if len(value) > _LONGEST else shown) in text  # a message may show the path of a file in a folder


def _option(options: Mapping[str, str], named: errors.Named) -> str:
    if named.name in _ADVICE:
        return _ADVICE[named.name]
    key = named.name.removesuffix("=")
    key = _DESTINATIONS.get(key, key)
    if key not in options:
        return str(named)
    return options[key] if named.value is None else shlex.join(_typed(key, named.value))


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
                "rename the file, or save the table as CSV, from a database by pandas.read_sql; "
                "'fstheory gallery' lists the names"
            )
            raise errors.InvalidFormatError(errors.explain("SOURCE", kinds, source, repair)) from error
        raise


def name_of(source: str) -> str:
    """Return the name of a source for titles: the name of a file without its suffix."""
    return "stdin" if source == "-" else path.stem if (path := _path_of(source)).suffix.lower() in _SUFFIXES else source


def features_of(arguments: argparse.Namespace) -> int | tuple[str, ...] | None:
    """Return the features that ``--features`` names or counts, or else the number of cardinalities."""
    names: tuple[str, ...] | None = arguments.features
    if names is None:
        return None if arguments.cardinalities is None else len(arguments.cardinalities)
    if len(names) != 1 or not _NUMBER.fullmatch(names[0]):
        return names
    fits = names[0].isdigit() and int(names[0]) <= _MOST_FEATURES
    errors.require(fits, "--features", f"names, or a number from 0 to {_MOST_FEATURES}", names[0], "correct it")
    return int(names[0])


_SECONDS = 10.0  # between two lines of progress that do not go to a terminal


def write_stderr(text: str, before: str = "") -> None:
    """Write to stderr at once. If stderr is closed or its disk is full, the text is lost."""
    if sys.stderr is None:
        return
    try:
        print(before + escape(text), end="", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # ValueError: stderr was closed meanwhile
        with contextlib.suppress(OSError, ValueError):  # Python would try to write the rest when it shuts down
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stderr.fileno())
            os.close(nowhere)


class Progress:
    """A receiver of progress reports, which come about once a second.

    On a terminal, each line replaces the line before, and the last line is erased. Elsewhere nothing is written,
    because a script may take text on stderr for an error. If FSTHEORY_PROGRESS is set, a line is written every ten
    seconds. The first report ends the trial of a command, unless the command still `reads` its source.
    """

    def __init__(self, reads: bool = False) -> None:
        self._ends_trial = not reads and _ON_TRIAL.get()
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._asked = bool(os.environ.get("FSTHEORY_PROGRESS"))
        self._width = 0
        self._written = time.monotonic()

    def __call__(self, text: str) -> None:
        """Show a line of progress, or skip it."""
        if self._ends_trial:
            raise _Begun
        if self._terminal:
            shown = text[: shutil.get_terminal_size().columns - 1]
            write_stderr(shown.ljust(self._width), "\r")
            self._width = len(shown)
        elif self._asked and time.monotonic() - self._written >= _SECONDS:
            self._written = time.monotonic()
            write_stderr(text + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            write_stderr("", f"\r{' ' * self._width}\r")


def watch(function: Callable[..., T], *positional: Any, how: str = "", **options: Any) -> T:
    """Call a function and show its progress. After an interrupt, name the file from which the command can go on."""
    try:
        with Progress() as progress:
            return function(*positional, progress=progress, **options)
    except KeyboardInterrupt:
        if options.get("resume") is not None:
            write_stderr(f"fstheory: interrupted; the same command {how}goes on from {options['resume']}\n")
        raise


def picked(arguments: argparse.Namespace, *options: str) -> dict[str, Any]:
    """Return the values of some options by name."""
    return {option: getattr(arguments, option) for option in options}


def require_picture(arguments: argparse.Namespace) -> None:
    """Refuse a file for --out that no picture can be written to, before the work on the answer begins."""
    from fstheory.lattice.figure import file_kind

    if arguments.out is not None:
        file_kind(arguments.out, "--out")


def drawn(arguments: argparse.Namespace, plot: Callable[[], PlotFigure]) -> list[str]:
    """Draw a picture to the file of --out, and return the line that says so. Without --out there is none."""
    if arguments.out is None:
        return []
    plot().save(arguments.out)
    return [f"Wrote {arguments.out}"]


def refuse_others(arguments: argparse.Namespace, name: str, value: str, takers: Mapping[str, Collection[str]]) -> None:
    """Refuse options that have no meaning with this value of the option `name`. `takers` holds the values by option."""
    for key, values in takers.items():
        if value not in values:
            listed = (" or " if len(values) < 3 else ", ").join(values)
            refuse(arguments, f"left out unless --{name} is {listed}", key)


def refuse(arguments: argparse.Namespace, requirement: str, *keys: str) -> None:
    """Refuse options that have no meaning in this call."""
    for key, value in picked(arguments, *keys).items():
        shown = "given" if value is True else ",".join(value) if isinstance(value, tuple) else value
        name = "-k" if key == "k" else f"--{key.replace('_', '-')}"
        errors.require(value is None or value is False, name, requirement, shown, "drop it")


def printed(arguments: argparse.Namespace, found: Any, text: str | None = None, **also: Any) -> str:
    """Return a result as text, or with --json as JSON with the additional entries."""
    from fstheory.reports.page import fold

    if arguments.json:
        return dump(found.to_dict() | to_json(also))
    return fold(str(found)) if text is None else text


def dump(document: dict[str, Any]) -> str:
    """Return a document as JSON text."""
    return json.dumps(document, ensure_ascii=False, indent=1)


def names(text: str) -> tuple[str, ...]:
    """Return the names in a text such as ``A,B``, without blanks around them."""
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def whole(text: str) -> int:
    """Return the whole number in a text."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        digits = " of at most 18 digits" if text.isdigit() and len(text) > 18 else ""
        raise argparse.ArgumentTypeError(f"must be a whole number{digits}, not {errors.show(text)}")
    return int(text)


def bins(text: str) -> int | dict[str | None, Any]:
    """Return the bins in a text such as ``4`` or ``4,age=3,size=18,65``: numbers of ranges, or edges.

    A single edge ends in a comma.
    """
    listed: dict[str | None, list[str]] = {}
    name = None
    for part in text.split(","):
        before, equals, number = part.rpartition("=")
        name = before.strip() if equals else name
        listed.setdefault(name, []).append(number.strip())
    if list(listed) == [None]:
        return whole(text.strip())
    return {
        name: whole(",".join(numbers)) if len(numbers) == 1 or name is None else [edge for edge in numbers if edge]
        for name, numbers in listed.items()
    }


def wholes(text: str) -> Sequence[int]:
    """Return the whole numbers in a text such as ``2,3``."""
    return tuple(whole(part.strip()) for part in text.split(","))


def dask(address: str) -> Executor:
    """Return the executor of a Dask cluster."""
    distributed = errors.import_optional("distributed", "cluster", "--dask")
    try:
        executor: Executor = distributed.Client(address, timeout=10).get_executor()
    except Exception as error:  # the library has no common error for an address that is none
        found = f"{errors.show(address)} ({str(error)[:_LONGEST]})"
        raise argparse.ArgumentTypeError(f"must be the address of a scheduler, not {found}") from error
    return executor


def seconds(text: str) -> float:
    """Return the number of seconds in a text. It must be above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {errors.show(text)}")
    return number


# -- The table of commands. Each has a function, an example and options. The decorator `command` adds it.


class _Parser(argparse.ArgumentParser):
    """A parser that raises its errors, so that `main` writes them in one line like all others."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        if match := re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message):
            near = errors.did_you_mean(match[1], [choice.strip("' ") for choice in match[2].split(",")])
            message = message.replace(f"'{match[1]}'", errors.show(match[1]), 1)
            message = f"{message}; {near.removesuffix(' Or ')}".removesuffix("; ")
        raise errors.InvalidValueError(f"{message}; see {self.prog} --help")


class _Version(argparse.Action):
    """Print the version, which is looked up only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from fstheory.reports.forms import generator

        print(generator())
        parser.exit(0)


_Add: TypeAlias = Callable[[argparse._ActionsContainer], object]
_Run: TypeAlias = Callable[[argparse.Namespace], "str | Answer"]


COMMANDS: dict[str, tuple[_Run, str, Sequence[_Add]]] = {}
"""The commands by name, in the order of the help: a function, whose first docstring line is the help, an example, and
the options."""


def command(example: str, *options: _Add) -> Callable[[_Run], _Run]:
    """Register a function of the parsed arguments as the command with which the example begins."""

    def enter(run: _Run) -> _Run:
        COMMANDS[example.split(maxsplit=1)[0]] = run, example, options
        return run

    return enter


def make_parser(typed: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command line. Only the commands whose names are in `typed` get their options."""
    description = "Exact answers about feature selection on finite sample spaces."
    parser = _Parser(prog="fstheory", description=description, epilog="example: fstheory report titanic --out report")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    adder = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, (run, example, options) in COMMANDS.items():
        title = (inspect.getdoc(run) or "").partition("\n")[0]
        summary = title[:1].lower() + title[1:].rstrip(".")  # empty under python -OO, which drops all docstrings
        added = adder.add_parser(name, help=summary, description=title, epilog=f"example: fstheory {example}")
        added.set_defaults(run=run)
        if name in typed:
            _add(options, added)
    return parser


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments. An unknown option is refused with a reference to the help of the command."""
    parser = make_parser(argv)
    arguments, unknown = parser.parse_known_args(argv)
    (commands,) = (action.choices for action in parser._actions if isinstance(action.choices, dict))
    if unknown:
        where = f"{parser.prog} {arguments.command} --help"
        near = errors.did_you_mean(unknown[0].partition("=")[0], commands[arguments.command]._option_string_actions)
        repair = f"{near.removesuffix(' Or ')} see {where}".lstrip()
        listed = first_of(unknown, lambda word: word if len(word) <= _LONGEST else errors.show(word))
        raise errors.InvalidValueError(f"unrecognized arguments: {listed}; {repair}")
    arguments.typed = list(argv)
    actions = commands[arguments.command]._actions
    arguments.options = {action.dest: action.option_strings[0] for action in actions if action.option_strings}
    return arguments


_READ: dict[str | None, Callable[[str], Any]] = {
    "N": whole, "K": whole, "SEED": whole, "2,3,..": wholes, "SECONDS": seconds, "A,B,..": names,
    "ADDRESS": dask,
}  # fmt: skip
"""The function that reads a value, by its placeholder in the help. All others are texts."""


def _add(options: Iterable[_Add], container: argparse._ActionsContainer) -> None:
    for add in options:
        add(container)


def option(name: str, metavar: str | None, meaning: str, **more: Any) -> _Add:
    """Return an option or an argument with a value."""
    settings = {"metavar": metavar, "type": _READ.get(metavar, str), "help": meaning, **more}
    return lambda container: container.add_argument(*name.split(), **settings)


def flag(name: str, meaning: str) -> _Add:
    """Return an option without a value."""
    return lambda container: container.add_argument(name, action="store_true", help=meaning)


def titled(title: str, *options: _Add) -> _Add:
    """Return a group of options with a title in the help."""
    return lambda container: _add(options, container.add_argument_group(title))


def either(*options: _Add, required: bool = False) -> _Add:
    """Return options of which at most one can be given."""
    return lambda container: _add(options, container.add_mutually_exclusive_group(required=required))


# -- Options that several commands share.


_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
as_json = flag("--json", "print JSON, with exact numbers as 'p/q' strings")
two_classes = option("--classes", "N", "number of classes (2)", default=2)
workers = either(
    option("--workers", "N", "processes (all cores); no answer depends on it", default=_cores, dest="executor"),
    option("--dask", "ADDRESS", "work on the cluster with this Dask scheduler instead", dest="executor"),
)
resume = option("--resume", "FILE", "keep the progress in this file; if it exists, continue where that run stopped")
feature_names = option("--features", "A,B,..", "the names of the features, or how many")
as_network = flag("--normalize", "for a network: rescale rows that do not sum to 1, and note it")
source = (
    option("source", "SOURCE", "a name from 'fstheory gallery', a file (.json, .csv, .csv.gz, .tsv, .parquet, .xlsx, "
           ".bif, .xmlbif), a folder/ of Parquet, or - for JSON on stdin"),
    option("--features", "A,B,..", "use only these features (all; for a table all columns)"),
    option("--target", "COLUMN", "for a table or a network, required: the column or the variable of the class"),
    as_network,
    titled(
        "for a table",
        option("--count", "COLUMN", "a column with the number of times that each row was seen: a row with the count 3 "
               "stands for three equal rows"),
        option("--leave-out", "A,B,..", "columns that are neither features nor the target"),
        option("--bins", "4|A=4,B=18,65", "group numbers into this many ranges of about equally many rows, or the "
               "numbers of a column into ranges with these upper edges ('A=18,' is one edge)", type=bins),
        option("--decimal", None, "whether commas are decimal (,) or separate thousands (.)", choices=(",", ".")),
        option("--missing", None, "drop rows with missing values, or label them", choices=("drop", "label")),
        option("--na", "TEXT", "a text that stands for a missing value, in place of the usual ones; repeatable",
               action="append"),
        option("--delimiter", "C", "the character between cells (found from the header)"),
        option("--encoding", "NAME", "the encoding of the file, such as cp1252, if it is not Unicode"),
        option("--header", "N", "the number of the line that names the columns, if titles stand above it"),
        flag("--population", "the rows are all there is, so their shares are probabilities; else they are a sample"),
        option("--batches", None, "read a CSV file, or a file or folder of Parquet, that may be larger than memory: "
               "keep the distinct rows (the default for a folder), or only counts", choices=("rows", "counts")),
        flag("--keep-continuous", "treat columns of many different numbers as categories"),
    ),
)  # fmt: skip
on_samples = (
    option("--tau", "P/Q", "for fbs and fos: the rise of the estimated risk that is allowed (1/20)"),
    option("--holdout", "P/Q", "the number or the fraction of held-out samples (3/10; for fbs and fos none)"),
    option("--estimate", None, "for fbs and fos: how they estimate a risk without --holdout (resubstitution)",
           choices=("resubstitution", "leave-one-out", "leave-one-out-first-class")),
)  # fmt: skip


def states(meaning: str, **more: Any) -> _Add:
    """Return the option for the cardinalities of features."""
    return option("--cardinalities", "2,3,..", meaning, **more)


def sizes(meaning: str = "only subsets of K features") -> _Add:
    """Return the option for sizes of subsets."""
    return option("-k --k", "K", meaning, action="append", dest="k")
