"""What may be typed: commands, options and their help."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from fstheory.cli import commands
from fstheory.cli.claim_options import add_claim_commands
from fstheory.cli.criterion_options import add_bound, add_criterion, add_select
from fstheory.cli.options import add_json, add_source, names, new_command, whole, wholes
from fstheory.errors import InvalidValueError

__all__ = ["make_parser", "parse"]


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
        from fstheory.reporting import generator

        print(generator())
        parser.exit(0)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; ``run`` of what it parses is the function to call."""
    parser = _Parser(
        prog="fstheory",
        description="Exact answers about feature selection on finite sample spaces.",
        epilog="example: fstheory report titanic --out report",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    adder = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    _add_report(adder)
    _add_risks(adder)
    _add_minimal_optimal(adder)
    add_criterion(adder)
    add_select(adder)
    add_bound(adder)
    _add_adversarial(adder)
    _add_draw(adder)
    add_claim_commands(adder)
    _add_gallery(adder)
    return parser


def parse(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """Parse, and point to the help of the command where it does not know an option."""
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        raise InvalidValueError(
            f"unrecognized arguments: {' '.join(unknown)}; see {parser.prog} {arguments.command} --help"
        )
    return arguments


def _add_report(adder: Any) -> None:
    command = new_command(
        adder, "report", commands.report, "everything about one distribution", "report titanic --out report"
    )
    add_source(command)
    command.add_argument(
        "--out", metavar="FOLDER", help="also write report.html, report.json and the lattice as SVG there"
    )
    command.add_argument("--name", help="the title, by default the name of the source")
    add_json(command)


def _add_risks(adder: Any) -> None:
    command = new_command(
        adder, "risks", commands.risks, "the Bayes risk of every feature subset", "risks titanic --k 2"
    )
    add_source(command)
    command.add_argument("--k", type=whole, action="append", metavar="K", help="only subsets of K features")
    add_json(command)


def _add_minimal_optimal(adder: Any) -> None:
    command = new_command(
        adder,
        "minimal-optimal",
        commands.minimal_optimal,
        "the minimal subsets of minimal Bayes risk",
        "minimal-optimal asia --method one-shot",
    )
    add_source(command)
    command.add_argument(
        "--method",
        choices=("backward", "one-shot", "resampling", "exhaustive"),
        default="backward",
        help="backward search (Table 1, the default), one-shot (Table 2), resampling (Theorem 7), "
        "or exhaustive, which finds all solutions",
    )
    command.add_argument(
        "--search-order", type=names, metavar="A,B,..", help="the order in which backward search tries the features"
    )
    add_json(command)


def _add_adversarial(adder: Any) -> None:
    command = new_command(
        adder,
        "adversarial",
        commands.adversarial,
        "a distribution with a prescribed order of Bayes risks (Theorem 1), as JSON",
        "adversarial --order 'X1X2 < X2 < X1 < {}' --alpha 3/4 --out worst.json",
    )
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("--order", help="all subsets, smallest risk first: 'X1X2 < X2 < X1 < {}'")
    which.add_argument(
        "--wish", action="append", help="a part of the order, 'X1X3 before X2X4'; may be given several times"
    )
    which.add_argument("--random", type=whole, metavar="SEED", help="any order, drawn at random")
    command.add_argument("--features", type=names, metavar="A,B,..", help="the names of the features, or how many")
    command.add_argument(
        "--sampling",
        choices=("uniform", "sequential"),
        default="uniform",
        help="how --random draws: every order equally likely (the default, to 6 features), or subset by subset",
    )
    command.add_argument("--cardinalities", type=wholes, metavar="2,3,..", help="states of each feature (2 each)")
    command.add_argument("--classes", type=whole, default=2, metavar="N", help="number of classes (2)")
    command.add_argument("--alpha", metavar="P/Q", help="p(X = 0, Y = 0), between 1/2 and 1")
    command.add_argument("--target", help="the name of the class (Y)")
    command.add_argument("--out", metavar="FILE", help="write the JSON there instead of to stdout")


def _add_draw(adder: Any) -> None:
    command = new_command(
        adder,
        "draw",
        commands.draw,
        "the lattice of feature subsets as a picture",
        "draw titanic --out lattice.svg --view risk --mark-best",
    )
    add_source(command)
    command.add_argument("--out", required=True, metavar="FILE", help="where to write it: .svg, .png, .pdf")
    command.add_argument("--view", choices=("size", "risk"), default="size", help="what height shows (size)")
    command.add_argument("--mark-best", action="store_true", help="mark the minimal subsets of minimal risk")
    command.add_argument("--path", action="store_true", help="mark the path of backward search")
    command.add_argument(
        "--k", type=whole, action="append", metavar="K", help="mark the best subsets of K features; repeatable"
    )
    command.add_argument("--title", help="a title of your own; '' for none")


def _add_gallery(adder: Any) -> None:
    command = new_command(
        adder, "gallery", commands.gallery, "the named distributions, or one of them", "gallery titanic"
    )
    command.add_argument("name", nargs="?", metavar="NAME", help="print this one")
    add_json(command)
