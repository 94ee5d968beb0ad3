"""What may be typed: a command is a row of its function, an example and its options, entered by `command`."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from fstheory.cli.options import Answer, names, seconds, whole, wholes
from fstheory.errors import InvalidValueError


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are errors like any other, told in one line by `main`."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        raise InvalidValueError(f"{message}; see {self.prog} --help")


class _Version(argparse.Action):
    """Print the version, looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from fstheory.reports.forms import generator

        print(generator())
        parser.exit(0)


_Add: TypeAlias = Callable[[argparse._ActionsContainer], object]
_Run: TypeAlias = Callable[[argparse.Namespace], "str | Answer"]


class Command(NamedTuple):
    """What a command runs, whose first line is its help, an example, and what adds its options to a parser."""

    run: _Run
    example: str
    options: Sequence[_Add]


COMMANDS: dict[str, Command] = {}
"""By name, in the order of the help."""


def command(example: str, *options: _Add) -> Callable[[_Run], _Run]:
    """Enter a function of the parsed arguments as the command that the example begins with."""

    def enter(run: _Run) -> _Run:
        COMMANDS[example.split(maxsplit=1)[0]] = Command(run, example, options)
        return run

    return enter


def make_parser(typed: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the options of those commands whose names are typed."""
    description = "Exact answers about feature selection on finite sample spaces."
    parser = _Parser(prog="fstheory", description=description, epilog="example: fstheory report titanic --out report")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    adder = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, (run, example, options) in COMMANDS.items():
        title = (inspect.getdoc(run) or "").partition("\n")[0]
        summary = title[0].lower() + title[1:].rstrip(".")
        added = adder.add_parser(name, help=summary, description=title, epilog=f"example: fstheory {example}")
        added.set_defaults(run=run)
        if name in typed:
            _add(options, added)
    return parser


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse, and point to the help of the command where it does not know an option."""
    parser = make_parser(argv)
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        where = f"{parser.prog} {arguments.command} --help"
        raise InvalidValueError(f"unrecognized arguments: {' '.join(unknown)}; see {where}")
    return arguments


_READ: dict[str | None, Callable[[str], Any]] = {
    "N": whole, "K": whole, "SEED": whole, "2,3,..": wholes, "SECONDS": seconds, "A,B,..": names,
}  # fmt: skip
"""How a value is read, by what stands for it in the help; all others are texts."""


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
    """Return options that stand below a title in the help."""
    return lambda container: _add(options, container.add_argument_group(title))


def either(*options: _Add, required: bool = False) -> _Add:
    """Return options of which one can be given."""
    return lambda container: _add(options, container.add_mutually_exclusive_group(required=required))


# -- Options of several commands.


_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
as_json = flag("--json", "print JSON, with exact numbers as 'p/q' strings")
two_classes = option("--classes", "N", "number of classes (2)", default=2)
workers = option("--workers", "N", "processes or threads (all cores); the answer does not depend on it", default=_cores)
feature_names = option("--features", "A,B,..", "the names of the features, or how many")
source = (
    option("source", "SOURCE", "a name from 'fstheory gallery', a .json, .csv or .tsv file, or - for JSON on stdin"),
    option("--features", "A,B,..", "use only these features (all; of a CSV all columns)"),
    titled(
        "for a CSV",
        option("--target", "COLUMN", "the column of the class; required"),
        option("--count", "COLUMN", "a column that says how often a row was seen"),
        option("--missing", "TEXT", "a text that means a missing value, such as '?'", action="append"),
        option("--delimiter", "C", "what separates cells; a comma, in a .tsv a tab"),
        flag("--population", "its counts are all there is, so that shares are probabilities; else it is a sample"),
        flag("--keep-continuous", "take columns of many numbers with fractions for categories"),
    ),
)
on_samples = (
    option("--tau", "P/Q", "for fbs and fos: the rise of the estimated risk that is allowed (1/20)"),
    option("--holdout", "P/Q", "how many samples are held out, or which fraction (3/10; for fbs and fos none)"),
    option(
        "--estimate", None, "for fbs and fos: how they estimate a risk without --holdout (resubstitution)",
        choices=("resubstitution", "leave-one-out"),
    ),
)  # fmt: skip


def states(meaning: str, **more: Any) -> _Add:
    """Return the option for the cardinalities of features."""
    return option("--cardinalities", "2,3,..", meaning, **more)


def sizes(meaning: str = "only subsets of K features") -> _Add:
    """Return the option for sizes of subsets."""
    return option("--k", "K", meaning, action="append")
