"""What may be typed: commands, options and their help."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn, TypeAlias

from fstheory.cli import claims, commands, criteria
from fstheory.cli.options import Answer, names, seconds, whole, wholes
from fstheory.errors import InvalidValueError

__all__ = ["COMMANDS", "make_parser", "parse"]


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


Run: TypeAlias = Callable[[argparse.Namespace], str | Answer]
AddOptions: TypeAlias = Callable[[argparse.ArgumentParser], None]

COMMANDS: dict[str, tuple[Run, str, str, AddOptions]] = {}
"""By name, in the order of the help: the function to call, summary, example, and what adds the options."""


def _command(run: Run, summary: str, example: str) -> Callable[[AddOptions], AddOptions]:
    """Register the command that the example begins with."""

    def register(add_options: AddOptions) -> AddOptions:
        COMMANDS[example.split(maxsplit=1)[0]] = run, summary, example, add_options
        return add_options

    return register


def make_parser(typed: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the options of those commands whose names are typed."""
    parser = _Parser(
        prog="fstheory",
        description="Exact answers about feature selection on finite sample spaces.",
        epilog="example: fstheory report titanic --out report",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    adder = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, (run, summary, example, add_options) in COMMANDS.items():
        title = summary[0].upper() + summary[1:] + "."
        command = adder.add_parser(name, help=summary, description=title, epilog=f"example: fstheory {example}")
        command.set_defaults(run=run)
        if name in typed:
            add_options(command)
    return parser


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse, and point to the help of the command where it does not know an option."""
    parser = make_parser(argv)
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        raise InvalidValueError(
            f"unrecognized arguments: {' '.join(unknown)}; see {parser.prog} {arguments.command} --help"
        )
    return arguments


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_CLAIM = (
    "an id of the ledger ('fstheory audit' lists them), or FILE.py:NAME, a function in a file of your own; the file is "
    "run as a program, so name none that you do not trust"
)
_SHARED: dict[str, dict[str, Any]] = {
    "source": {
        "metavar": "SOURCE",
        "help": "a name from 'fstheory gallery', a .json, .csv or .tsv file, or - for JSON on stdin"
    },
    "claim": {"metavar": "CLAIM", "help": _CLAIM},
    "--json": {"action": "store_true", "help": "print JSON, with exact numbers as 'p/q' strings"},
    "--classes": {"type": whole, "default": 2, "metavar": "N", "help": "number of classes (2)"},
    "--without": {
        "type": names, "action": "append", "metavar": "NAME", "help": "drop this assumption; repeatable"
    },
    "--max-total": {"type": whole, "metavar": "N", "help": "search all integer weights with sums up to N"},
    "--workers": {
        "type": whole, "default": _cores(), "metavar": "N",
        "help": "processes (all cores); the answer does not depend on it"
    },
    "--time-limit": {"type": seconds, "metavar": "SECONDS", "help": "stop after this time (never)"},
    "--certificate": {"metavar": "FILE", "help": "write the certificate there"},
    "--out": {"metavar": "FILE", "help": "write the distribution there, as JSON"},
}  # fmt: skip
"""What several commands take in the same sense."""


def _add(command: argparse._ActionsContainer, *shared: str) -> None:
    for name in shared:
        command.add_argument(name, **_SHARED[name])


def _add_cardinalities(command: argparse.ArgumentParser, meaning: str, *, required: bool = False) -> None:
    command.add_argument("--cardinalities", type=wholes, metavar="2,3,..", required=required, help=meaning)


def _add_sizes(command: argparse._ActionsContainer, meaning: str = "only subsets of K features") -> None:
    command.add_argument("--k", type=whole, action="append", metavar="K", help=meaning)


def _add_source(command: argparse.ArgumentParser) -> None:
    _add(command, "source")
    command.add_argument(
        "--features", type=names, metavar="A,B,..", help="use only these features (all; of a CSV all columns)"
    )
    table = command.add_argument_group("for a CSV")
    table.add_argument("--target", metavar="COLUMN", help="the column of the class; required")
    table.add_argument("--count", metavar="COLUMN", help="a column that says how often a row was seen")
    table.add_argument(
        "--missing", action="append", metavar="TEXT", help="a text that means a missing value, such as '?'"
    )
    table.add_argument("--delimiter", metavar="C", help="what separates cells; a comma, in a .tsv a tab")


def _add_features(command: argparse.ArgumentParser) -> None:
    command.add_argument("--features", type=names, metavar="A,B,..", help="the names of the features, or how many")


def _add_criterion(command: argparse.ArgumentParser, *, required: bool) -> None:
    group = command.add_argument_group("the criterion")
    group.add_argument(
        "--criterion",
        choices=criteria.CRITERIA,
        required=required,
        metavar="NAME",
        help=f"one of: {', '.join(criteria.CRITERIA)}; zero-one is the Bayes risk"
        f"{'' if required else ', and the default'}; "
        "log is the conditional entropy, which orders subsets as mutual information does",
    )
    group.add_argument(
        "--cost", metavar="P/Q", help="for cost: the cost of a false positive; a false negative costs 1 - P/Q"
    )
    group.add_argument("--beta", metavar="P/Q", help="for f: the weight of recall (1)")
    group.add_argument("--positive", metavar="CLASS", help="for cost, f and auc: the positive class (the last)")
    group.add_argument("--base", metavar="B", help="for log: the base of the logarithms, 2 for bits (natural)")
    group.add_argument(
        "--loss-matrix",
        metavar="FILE",
        help="for loss-matrix: JSON, rows of losses, one per class, or {class: {prediction: loss}}",
    )


@_command(commands.report, "everything about one distribution", "report titanic --out report")
def _report(command: argparse.ArgumentParser) -> None:
    _add_source(command)
    command.add_argument(
        "--out", metavar="FOLDER", help="also write report.html, report.json and the lattice as SVG there"
    )
    command.add_argument("--name", help="the title, by default the name of the source")
    _add(command, "--json")


@_command(commands.risks, "the Bayes risk of every feature subset", "risks titanic --k 2")
def _risks(command: argparse.ArgumentParser) -> None:
    _add_source(command)
    _add_sizes(command)
    _add(command, "--json")


@_command(
    commands.minimal_optimal, "the minimal subsets of minimal Bayes risk", "minimal-optimal asia --method one-shot"
)
def _minimal_optimal(command: argparse.ArgumentParser) -> None:
    _add_source(command)
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
    _add(command, "--json")


@_command(
    criteria.criterion,
    "the best value of a performance measure for every feature subset",
    "criterion titanic --criterion f --beta 2 --positive yes --k 2",
)
def _criterion(command: argparse.ArgumentParser) -> None:
    _add_source(command)
    _add_criterion(command, required=True)
    which = command.add_mutually_exclusive_group()
    which.add_argument("--subset", type=names, metavar="A,B,..", help="only this subset; '' for no features")
    _add_sizes(which)
    _add(command, "--json")


@_command(
    criteria.select,
    "feature selection, step by step, with exact values",
    "select titanic --method backward --delta 1/4 --rule er --sharp",
)
def _select(command: argparse.ArgumentParser) -> None:
    _add_source(command)
    command.add_argument(
        "--method",
        choices=criteria.METHODS,
        default="greedy",
        metavar="METHOD",
        help="with --criterion: greedy forward selection (the default), greedy-backward, score, exhaustive; with "
        "scores of their own: mrmr, fisher; with conditional mutual information and a stopping rule: backward, forward",
    )
    _add_criterion(command, required=False)
    command.add_argument("-k", "--k", type=whole, metavar="N", dest="k", help="select N features")
    stop = command.add_argument_group("for backward and forward, instead of -k")
    stop.add_argument(
        "--delta", metavar="P/Q", help="the threshold: for er an error, for the others information in nats"
    )
    stop.add_argument(
        "--rule",
        choices=criteria.RULES,
        help="er bounds the error added (the default with --delta), fs the information of a feature, delta-fs its "
        "change; count is -k",
    )
    stop.add_argument("--sharp", action="store_true", help="use the sharper bounds in er")
    stop.add_argument("--as-printed", action="store_true", help="use er as the paper prints it")
    stop.add_argument("--regression", action="store_true", help="measure squared errors, of numeric classes")
    command.add_argument(
        "--search-order", type=names, metavar="A,B,..", help="of equally good features, take the first in this order"
    )
    _add(command, "--json")


@_command(
    criteria.bound,
    "what removing features costs, and what the theorems say",
    "bound titanic --remove sex --bound theorem-3-sharp",
)
def _bound(command: argparse.ArgumentParser) -> None:
    _add_source(command)
    command.add_argument(
        "--remove", type=names, required=True, metavar="A,B,..", help="the features that are removed; '' for none"
    )
    command.add_argument(
        "--bound",
        choices=("all", *criteria.BOUNDS),
        default="all",
        metavar="NAME",
        help=f"all (the default), or one of: {', '.join(criteria.BOUNDS)}",
    )
    _add(command, "--json")


@_command(
    commands.adversarial,
    "a distribution with a prescribed order of Bayes risks (Theorem 1), as JSON",
    "adversarial --order 'X1X2 < X2 < X1 < {}' --alpha 3/4 --out worst.json",
)
def _adversarial(command: argparse.ArgumentParser) -> None:
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("--order", help="all subsets, smallest risk first: 'X1X2 < X2 < X1 < {}'")
    which.add_argument(
        "--wish", action="append", help="a part of the order, 'X1X3 before X2X4'; may be given several times"
    )
    which.add_argument("--random", type=whole, metavar="SEED", help="any order, drawn at random")
    _add_features(command)
    command.add_argument(
        "--sampling",
        choices=("uniform", "sequential"),
        default="uniform",
        help="how --random draws: every order equally likely (the default, to 6 features), or subset by subset",
    )
    _add_cardinalities(command, "states of each feature (2 each)")
    _add(command, "--classes")
    command.add_argument("--alpha", metavar="P/Q", help="p(X = 0, Y = 0), between 1/2 and 1")
    command.add_argument("--target", help="the name of the class (Y)")
    command.add_argument("--out", metavar="FILE", help="write the JSON there instead of to stdout")


@_command(
    commands.draw,
    "the lattice of feature subsets as a picture",
    "draw titanic --out lattice.svg --view risk --mark-best",
)
def _draw(command: argparse.ArgumentParser) -> None:
    _add_source(command)
    command.add_argument("--out", required=True, metavar="FILE", help="where to write it: .svg, .png, .pdf")
    command.add_argument("--view", choices=("size", "risk"), default="size", help="what height shows (size)")
    command.add_argument("--mark-best", action="store_true", help="mark the minimal subsets of minimal risk")
    command.add_argument("--path", action="store_true", help="mark the path of backward search")
    _add_sizes(command, "mark the best subsets of K features; repeatable")
    command.add_argument("--title", help="a title of your own; '' for none")


@_command(claims.check, "whether a claim is true at one distribution", "check PN-3 titanic")
def _check(command: argparse.ArgumentParser) -> None:
    command.add_argument("claim", nargs="?", metavar="CLAIM", help=_CLAIM)
    _add_source(command)
    command.add_argument(
        "--all",
        action="store_true",
        help="instead of CLAIM: every claim of the ledger, in one table; the features have 8 states together at most",
    )
    _add(command, "--certificate", "--json")


@_command(
    claims.prove,
    "a proof of a claim for every distribution of a shape",
    "prove PN-3 --cardinalities 2,2,3 --certificate proof.json",
)
def _prove(command: argparse.ArgumentParser) -> None:
    _add(command, "claim")
    _add_cardinalities(command, "states of each feature; required", required=True)
    _add(command, "--classes", "--without", "--time-limit")
    command.add_argument("--second-opinion", action="store_true", help="ask the solver cvc5 too")
    _add(command, "--certificate", "--out", "--json")


@_command(
    claims.refute,
    "the smallest distribution at which a claim is false",
    "refute PN-4 --without positive --certificate smallest.json",
)
def _refute(command: argparse.ArgumentParser) -> None:
    _add(command, "claim", "--without")
    _add_cardinalities(command, "states of each feature; all small shapes if left out")
    command.add_argument("--classes", type=whole, metavar="N", help="number of classes; from 2 on if left out")
    for name, what in [("features", "features"), ("cardinality", "states of a feature"), ("classes", "classes")]:
        command.add_argument(f"--max-{name}", type=whole, metavar="N", help=f"largest number of {what} (3)")
    _add(command, "--max-total")
    command.add_argument("--seed", type=whole, metavar="N", help="seed of the distributions drawn at random (0)")
    command.add_argument(
        "--resume",
        metavar="FILE",
        help="keep the progress there; if the file exists, continue where that search stopped",
    )
    _add(command, "--workers", "--time-limit", "--certificate", "--out", "--json")


@_command(
    claims.needed_assumptions,
    "for each assumption of a claim a counterexample without it, or a proof that it is not needed",
    "needed-assumptions PN-6",
)
def _needed_assumptions(command: argparse.ArgumentParser) -> None:
    _add(command, "claim")
    _add_cardinalities(command, "states of each feature (one to three binary ones)")
    _add(command, "--classes", "--max-total", "--workers", "--time-limit", "--json")


@_command(
    claims.realize,
    "a distribution with a given ordering of the Bayes risks, ties included, or a proof that there is none",
    "realize 'X1X2 < X1 = X2 < {}' --assume positive --out d.json",
)
def _realize(command: argparse.ArgumentParser) -> None:
    command.add_argument("ordering", metavar="ORDERING", help="all subsets, smallest risk first: 'X1X2 < X1 = X2 < {}'")
    _add_features(command)
    _add_cardinalities(command, "states of each feature (2 each)")
    _add(command, "--classes")
    command.add_argument(
        "--assume",
        type=names,
        action="append",
        metavar="NAME",
        help="what the distribution must satisfy: positive, unique_maximum, or FILE.py:NAME",
    )
    _add(command, "--time-limit", "--certificate", "--out", "--json")


@_command(claims.audit, "the ledger: what the papers say, and what is true", "audit PN-3 PN-4")
def _audit(command: argparse.ArgumentParser) -> None:
    command.add_argument("ids", nargs="*", metavar="ID", help="only these entries")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--markdown", action="store_true", help="a page of Markdown, with all evidence")
    _add(how, "--json")


@_command(
    claims.verify_certificate,
    "whether certificates prove what they state, checked from the definitions",
    "verify-certificate smallest.json proof.json",
)
def _verify_certificate(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", metavar="FILE", help="certificates, as --certificate writes them")
    command.add_argument(
        "--claim",
        metavar="CLAIM",
        help="the claim they should be about; if left out, the ledger entry that each names; without one it "
        "is verified as it stands, with exit status 3",
    )
    _add(command, "--without", "--json")


@_command(commands.gallery, "the named distributions, or one of them", "gallery titanic")
def _gallery(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", metavar="NAME", help="print this one")
    _add(command, "--json")
