"""Shared parts of the commands: the table of commands, values of options, refusals, answers, and progress."""

from __future__ import annotations

import argparse
import contextlib
import inspect
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, TypeAlias, TypeVar, cast

from fstheory import errors
from fstheory._support.result import first_of, to_json
from fstheory.lattice.subsets import escape

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure

T = TypeVar("T")

TRUE, FALSE, BAD_INPUT, NEITHER = 0, 1, 2, 3
STATUS = {"holds": TRUE, "proved": TRUE, "realized": TRUE, "refuted": FALSE, "impossible": FALSE}
STATUS |= dict.fromkeys(["attained", "approached", "empty", "bounded"], TRUE)
"""The exit status for each status of a verdict. For all others it is `NEITHER`."""


class Answer(NamedTuple):
    """The answer of a command: the text to print, and the exit status."""

    text: str
    status: int = TRUE


LONGEST = 80  # characters of a word or of a reason that a message repeats
_MOST_FEATURES = 63  # an array has at most 64 axes
_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}(\.[0-9]*)?")


ON_TRIAL: ContextVar[bool] = ContextVar("on_trial", default=False)


class Begun(Exception):
    """A command on trial has begun its work."""


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
        self._ends_trial = not reads and ON_TRIAL.get()
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._asked = bool(os.environ.get("FSTHEORY_PROGRESS"))
        self._width = 0
        self._written = time.monotonic()

    def __call__(self, text: str) -> None:
        """Show a line of progress, or skip it."""
        if self._ends_trial:
            raise Begun
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


def option_name(key: str) -> str:
    """Return an option as it is typed."""
    return "-k" if key == "k" else f"--{key.replace('_', '-')}"


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
        errors.require(value is None or value is False, option_name(key), requirement, shown, "drop it")


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


def inches(text: str) -> float | str:
    """Return the number of inches in a text. Another text is returned as it is, because it may name a width."""
    return float(text) if re.fullmatch(r"[0-9]+([.][0-9]*)?", text) else text


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
        name: "calendar"
        if name and numbers == ["calendar"]
        else whole(",".join(numbers))
        if len(numbers) == 1 or name is None
        else [edge for edge in numbers if edge]
        for name, numbers in listed.items()
    }


def wholes(text: str) -> Sequence[int]:
    """Return the whole numbers in a text such as ``2,3``."""
    return tuple(whole(part.strip()) for part in text.split(","))


def numbers_of_features(text: str) -> int | Sequence[int] | str:
    """Return the number in a text such as ``3``, the numbers in ``2,3,4``, or the word ``every``."""
    return text if text == "every" else wholes(text) if "," in text else whole(text)


def dask(address: str) -> Executor:
    """Return the executor of a Dask cluster."""
    distributed = errors.import_optional("distributed", "cluster", "--dask")
    try:
        executor: Executor = distributed.Client(address, timeout=10).get_executor()
    except Exception as error:  # the library has no common error for an address that is none
        found = f"{errors.show(address)} ({str(error)[:LONGEST]})"
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
    """Return the parser of the command line. Only the commands whose names are in `typed` get parsers of their own."""
    description = "Exact answers about feature selection on finite sample spaces."
    parser = _Parser(prog="fstheory", description=description, epilog="example: fstheory report titanic --out report")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    kind = cast("type[_Parser]", _parser_of_command)
    adder = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND", parser_class=kind)
    for name, (run, example, options) in sorted(COMMANDS.items(), key=lambda item: item[0] != "report"):
        title = (inspect.getdoc(run) or "").partition("\n")[0]
        summary = title[:1].lower() + title[1:].rstrip(".")  # empty under python -OO, which drops all docstrings
        if name not in typed:
            adder.add_parser(name, help=summary)
            continue
        added = adder.add_parser(name, help=summary, description=title, epilog=f"example: fstheory {example}")
        added.set_defaults(run=run)
        _add(options, added)
    return parser


def _parser_of_command(**settings: Any) -> _Parser | None:
    """Return the parser of a command that was typed. To list the others, the help needs no parser."""
    return _Parser(**settings) if "description" in settings else None


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments. An unknown option is refused with a reference to the help of the command."""
    parser = make_parser(argv)
    arguments, unknown = parser.parse_known_args(argv)
    (commands,) = (action.choices for action in parser._actions if isinstance(action.choices, dict))
    if unknown:
        where = f"{parser.prog} {arguments.command} --help"
        near = errors.did_you_mean(unknown[0].partition("=")[0], commands[arguments.command]._option_string_actions)
        repair = f"{near.removesuffix(' Or ')} see {where}".lstrip()
        listed = first_of(unknown, lambda word: word if len(word) <= LONGEST else errors.show(word))
        raise errors.InvalidValueError(f"unrecognized arguments: {listed}; {repair}")
    arguments.typed, arguments.reads = list(argv), {}
    actions = commands[arguments.command]._actions
    arguments.options = {action.dest: action.option_strings[0] for action in actions if action.option_strings}
    return arguments


_READ: dict[str | None, Callable[[str], Any]] = {
    "N": whole, "K": whole, "SEED": whole, "2,3,..": wholes, "N,..": numbers_of_features, "SECONDS": seconds,
    "A,B,..": names, "ADDRESS": dask, "INCHES": inches,
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
               "numbers of a column into ranges with these upper edges ('A=18,' is one edge); A=calendar also makes "
               "columns of the months and weekdays of dates", type=bins),
        option("--decimal", None, "whether commas are decimal (,) or separate thousands (.)", choices=(",", ".")),
        option("--missing", None, "drop rows with missing values, or label them", choices=("drop", "label")),
        option("--na", "TEXT", "a text that stands for a missing value, in place of the usual ones; repeatable",
               action="append"),
        option("--delimiter", "C", "the character between cells (found from the header)"),
        option("--encoding", "NAME", "the encoding of the file, such as cp1252, if it is not Unicode"),
        option("--header", "N", "the number of the line that names the columns, if titles stand above it"),
        option("--table", "NAME", "the table of a database, if it has several"),
        flag("--population", "the rows are all there is, so their shares are probabilities; else they are a sample"),
        option("--batches", None, "read a CSV file, or a file or folder of Parquet, that may be larger than memory: "
               "keep the distinct rows (the default for a folder), or only counts", choices=("rows", "counts")),
        flag("--keep-continuous", "treat columns of many different numbers as categories"),
    ),
)  # fmt: skip
design = titled(
    "the design of the rows",
    option("--groups", "COLUMN", "the rows with the same value belong together, as those of one person: groups are "
           "judged, or rows inside their group"),
    option("--always", "A,B,..", "columns that are kept: the others are judged given them"),
    option("--together", "A,B,..", "columns that enter as one; repeatable", action="append"),
    option("--time", "COLUMN", "test the choice of columns on rows that are later than those that it saw"),
)  # fmt: skip
on_samples = (
    option("--tau", "P/Q", "for fbs and fos: the rise of the estimated risk that is allowed (1/20)"),
    option("--holdout", "P/Q", "the number or the fraction of held-out samples (3/10; for fbs and fos none)"),
    option("--estimate", "ESTIMATE", "for fbs and fos: how they estimate a risk without --holdout (resubstitution); "
           "or leave-one-out, leave-one-out-first-class or 5-fold"),
    option("--inducer", "INDUCER", "the learner (majority); or 1-nn, sqrt-nn, naive-bayes or linear"),
)  # fmt: skip


def states(meaning: str, **more: Any) -> _Add:
    """Return the option for the cardinalities of features."""
    return option("--cardinalities", "2,3,..", meaning, **more)


def sizes(meaning: str = "only subsets of K features") -> _Add:
    """Return the option for sizes of subsets."""
    return option("-k --k", "K", meaning, action="append", dest="k")
