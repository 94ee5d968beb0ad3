"""What may be typed: commands, options and their help."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from fstheory.cli import claims, commands, criteria, samples
from fstheory.cli.options import Answer, names, seconds, whole, wholes
from fstheory.errors import InvalidValueError
from fstheory.measures.bounds import BOUNDS

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
        from fstheory.reports.document import generator

        print(generator())
        parser.exit(0)


_Add: TypeAlias = Callable[[argparse._ActionsContainer], object]


class Command(NamedTuple):
    """What a command runs, what its help says, and what adds its options to a parser."""

    run: Callable[[argparse.Namespace], str | Answer]
    summary: str
    example: str
    options: Sequence[_Add]


_EXPERIMENTS = ("ahmed-2015", "beraha-2019", "ng-1998", "sebban-nock-2002")


def make_parser(typed: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the options of those commands whose names are typed."""
    description = "Exact answers about feature selection on finite sample spaces."
    parser = _Parser(prog="fstheory", description=description, epilog="example: fstheory report titanic --out report")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    adder = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, (run, summary, example, options) in COMMANDS.items():
        title = summary[0].upper() + summary[1:] + "."
        command = adder.add_parser(name, help=summary, description=title, epilog=f"example: fstheory {example}")
        command.set_defaults(run=run)
        if name in typed:
            _add(options, command)
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


def _add(options: Iterable[_Add], command: argparse._ActionsContainer) -> None:
    for add in options:
        add(command)


def _option(name: str, metavar: str | None, meaning: str, **more: Any) -> _Add:
    settings = {"metavar": metavar, "type": _READ.get(metavar, str), "help": meaning, **more}
    return lambda command: command.add_argument(*name.split(), **settings)


def _flag(name: str, meaning: str) -> _Add:
    return lambda command: command.add_argument(name, action="store_true", help=meaning)


def _titled(title: str, *options: _Add) -> _Add:
    return lambda command: _add(options, command.add_argument_group(title))


def _either(*options: _Add, required: bool = False) -> _Add:
    return lambda command: _add(options, command.add_mutually_exclusive_group(required=required))


def _command(run: Callable[[argparse.Namespace], str | Answer], summary: str, example: str, *options: _Add) -> Command:
    return Command(run, summary, example, options)


_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
_A_CLAIM = (
    "an id of the ledger ('fstheory audit' lists them), or FILE.py:NAME, a function in a file of your own; the file is "
    "run as a program, so name none that you do not trust"
)
_claim = _option("claim", "CLAIM", _A_CLAIM)
_json = _flag("--json", "print JSON, with exact numbers as 'p/q' strings")
_two_classes = _option("--classes", "N", "number of classes (2)", default=2)
_without = _option("--without", "NAME", "drop this assumption; repeatable", type=names, action="append")
_max_total = _option("--max-total", "N", "search all integer weights with sums up to N")
_workers = _option("--workers", "N", "processes (all cores); the answer does not depend on it", default=_cores)
_time_limit = _option("--time-limit", "SECONDS", "stop after this time (never)")
_certificate = _option("--certificate", "FILE", "write the certificate there")
_out = _option("--out", "FILE", "write the distribution there, as JSON")
_feature_names = _option("--features", "A,B,..", "the names of the features, or how many")
_source = (
    _option("source", "SOURCE", "a name from 'fstheory gallery', a .json, .csv or .tsv file, or - for JSON on stdin"),
    _option("--features", "A,B,..", "use only these features (all; of a CSV all columns)"),
    _titled(
        "for a CSV",
        _option("--target", "COLUMN", "the column of the class; required"),
        _option("--count", "COLUMN", "a column that says how often a row was seen"),
        _option("--missing", "TEXT", "a text that means a missing value, such as '?'", action="append"),
        _option("--delimiter", "C", "what separates cells; a comma, in a .tsv a tab"),
        _flag("--population", "its counts are all there is, so that shares are probabilities; else it is a sample"),
        _flag("--keep-continuous", "take columns of many numbers with fractions for categories"),
    ),
)


def _states(meaning: str, **more: Any) -> _Add:
    return _option("--cardinalities", "2,3,..", meaning, **more)


def _sizes(meaning: str = "only subsets of K features") -> _Add:
    return _option("--k", "K", meaning, action="append")


def _criterion(default: str = "", **more: Any) -> _Add:
    names = (
        f"one of: {', '.join(criteria.CRITERIA)}; zero-one is the Bayes risk{default}; log is the conditional entropy, "
        "which orders subsets as mutual information does"
    )
    losses = "for loss-matrix: JSON, rows of losses, one per class, or {class: {prediction: loss}}"
    return _titled(
        "the criterion",
        _option("--criterion", "NAME", names, choices=criteria.CRITERIA, **more),
        _option("--cost", "P/Q", "for cost: the cost of a false positive; a false negative costs 1 - P/Q"),
        _option("--beta", "P/Q", "for f: the weight of recall (1)"),
        _option("--positive", "CLASS", "for cost, f and auc: the positive class (the last)"),
        _option("--base", "B", "for log: the base of the logarithms, 2 for bits (natural)"),
        _option("--loss-matrix", "FILE", losses),
    )


_SAMPLED = (
    _option("--tau", "P/Q", "for fbs and fos: the rise of the estimated risk that is allowed (1/20)"),
    _option("--holdout", "P/Q", "how many samples are held out, or which fraction (3/10; for fbs and fos none)"),
    _option(
        "--estimate", None, "for fbs and fos: how they estimate a risk without --holdout (resubstitution)",
        choices=("resubstitution", "leave-one-out"),
    ),
)  # fmt: skip
_LISTED = [
    _command(
        commands.report, "everything about one distribution, or what a sample supports",
        "report titanic --out report",
        *_source,
        _option("--out", "FOLDER", "also write report.html, report.json and, of a distribution, the lattice there"),
        _option("--name", None, "the title, by default the name of the source"),
        _json,
    ),
    _command(
        commands.risks, "the Bayes risk of every feature subset", "risks titanic --k 2", *_source, _sizes(), _json,
    ),
    _command(
        commands.minimal_optimal, "the minimal subsets of minimal Bayes risk", "minimal-optimal asia --method one-shot",
        *_source,
        _option(
            "--method", None, "backward search (Table 1, the default), one-shot (Table 2), resampling (Theorem 7), "
            "or exhaustive, which finds all solutions",
            choices=("backward", "one-shot", "resampling", "exhaustive"), default="backward",
        ),
        _option("--search-order", "A,B,..", "the order in which backward search tries the features"),
        _json,
    ),
    _command(
        criteria.criterion, "the best value of a performance measure for every feature subset",
        "criterion titanic --criterion f --beta 2 --positive yes --k 2",
        *_source, _criterion(required=True),
        _either(_option("--subset", "A,B,..", "only this subset; '' for no features"), _sizes()), _json,
    ),
    _command(
        criteria.select, "feature selection, step by step, with exact values",
        "select titanic --method backward --delta 1/4 --rule er --sharp",
        *_source,
        _option(
            "--method", "METHOD", "with --criterion: greedy forward selection (the default), greedy-backward, "
            "score, exhaustive; with scores of their own: mrmr, fisher; with conditional mutual information and a "
            "stopping rule: backward, forward; of a sample: fbs, fos, wrap, ordered (see finite-sample); of a CSV of "
            "numbers and categories: rcg, forward by the relative certainty gain",
            choices=criteria.METHODS, default="greedy",
        ),
        _criterion(", and the default"),
        _option("-k --k", "N", "select N features, with rcg at most", dest="k"),
        _titled(
            "for backward and forward, instead of -k",
            _option("--delta", "P/Q", "the threshold: for er an error, for the others information in nats"),
            _option(
                "--rule", None, "er bounds the error added (the default with --delta), fs the information of a "
                "feature, delta-fs its change; count is -k", choices=criteria.RULES,
            ),
            _flag("--sharp", "use the sharper bounds in er"),
            _flag("--as-printed", "use er as the paper prints it"),
            _flag("--regression", "measure squared errors, of numeric classes"),
        ),
        _option("--search-order", "A,B,..", "of equally good features, take the first in this order"),
        _titled(
            "for fbs, fos, wrap and ordered",
            *_SAMPLED,
            _option(
                "--ties", None, "of equally good subsets the first or one drawn (first); with rcg, of points at equal "
                "distances or the same place: refuse, first in the file, or with 1nn all (refuse)",
                choices=("first", "uniform", "refuse", "all"),
            ),
        ),
        _titled(
            "for rcg",
            _option("--graph", None, "minimum spanning tree or nearest neighbors (mst)", choices=("mst", "1nn")),
            _option(
                "--null", None, "what the graph is compared with: the exact mean and variance under permuted labels "
                "(moments), the exact law, permutations drawn, or the test as printed",
                choices=("moments", "exact", "permutation", "printed"),
            ),
            _option("--trials", "N", "for permutation: how many (999)"),
            _option(
                "--numbers", None, "by what differences of numbers are divided (4 deviations)",
                choices=("4 deviations", "deviation", "range", "none"),
            ),
            _option(
                "--categories", None, "how categories differ: by 1 (overlap), or by the classes of their rows (vdm: "
                "HVDM, with --null printed alone)", choices=("overlap", "vdm1", "vdm2", "vdm3", "squared vdm"),
            ),
            _option("--categorical", "A,B,..", "columns of numbers that are codes of categories"),
            _flag("--floats", "distances in floating point: faster, and close ones may be taken for ties or swapped"),
        ),
        _option("--seed", "N", "of what is drawn: rows held out, ties, permutations (0)"),
        _option("--out", "FILE", "draw the graph of rcg, or the path in the lattice there: .svg, .png, .pdf"),
        _json,
    ),
    _command(
        criteria.bound, "what removing features costs, and what the theorems say",
        "bound titanic --remove sex --bound theorem-3-sharp",
        *_source,
        _option("--remove", "A,B,..", "the features that are removed; '' for none", required=True),
        _option(
            "--bound", "NAME", f"all (the default), or one of: {', '.join(BOUNDS)}",
            choices=("all", *BOUNDS), default="all",
        ),
        _json,
    ),
    _command(
        samples.finite_sample, "what a method selects on m samples of the distribution: exact laws, or simulations",
        "finite-sample titanic --method fbs --tau 1/10 --m 2,4",
        *_source,
        _option(
            "--method", "METHOD", "fbs or fos (Pena and Nilsson), wrap or ordered (STANDARD-WRAP and ORDERED-FS of "
            "Ng), or none: all features", choices=samples.METHODS, required=True,
        ),
        _option("--m", "2,3,..", "numbers of samples, those held out included", required=True),
        *_SAMPLED,
        _option(
            "--ties", None, "of subsets that do equally well take the first, that is the smallest, or draw one (first)",
            choices=("first", "uniform"),
        ),
        _option("--work", "N", "the most steps of an exact law (300000000)"),
        _option("--trials", "N", "where an exact law takes more, estimate it from so many trials"),
        _option("--seed", "N", "of the trials (0)"), _option("--workers", "N", "threads of the trials (1)"),
        _option("--resume", "FILE", "keep the progress there; if the file exists, continue where that run stopped"),
        _option("--out", "FILE", "draw the curves there: .svg, .png, .pdf"), _json,
    ),
    _command(
        commands.adversarial, "a distribution with a prescribed order of Bayes risks (Theorem 1), as JSON",
        "adversarial --order 'X1X2 < X2 < X1 < {}' --alpha 3/4 --out worst.json",
        _either(
            _option("--order", None, "all subsets, smallest risk first: 'X1X2 < X2 < X1 < {}'"),
            _option(
                "--wish", None, "a part of the order, 'X1X3 before X2X4'; may be given several times",
                action="append",
            ),
            _option("--random", "SEED", "any order, drawn at random"),
            required=True,
        ),
        _feature_names,
        _option(
            "--sampling", None, "how --random draws: every order equally likely (the default, to 6 features), or "
            "subset by subset", choices=("uniform", "sequential"), default="uniform",
        ),
        _states("states of each feature (2 each)"), _two_classes,
        _option("--alpha", "P/Q", "p(X = 0, Y = 0), between 1/2 and 1"),
        _option("--target", None, "the name of the class (Y)"),
        _option("--out", "FILE", "write the JSON there instead of to stdout"),
    ),
    _command(
        commands.draw, "the lattice of feature subsets as a picture",
        "draw titanic --out lattice.svg --view risk --mark-best",
        *_source,
        _option("--out", "FILE", "where to write it: .svg, .png, .pdf", required=True),
        _option("--view", None, "what height shows (size)", choices=("size", "risk"), default="size"),
        _flag("--mark-best", "mark the minimal subsets of minimal risk"),
        _flag("--path", "mark the path of backward search"),
        _sizes("mark the best subsets of K features; repeatable"),
        _option("--title", None, "a title of your own; '' for none"),
    ),
    _command(
        commands.phase_diagram, "where the ordering of all risks changes as one distribution is mixed with another",
        "phase-diagram monks-1 --to monks-2 --k 2",
        *_source,
        _option("--to", "NAME|FILE", "the distribution at t = 1, over the same variables", required=True),
        _sizes("tell the best subsets of K features, too; repeatable"),
        _option("--out", "PICTURE", "draw it there: .svg, .png, .pdf; up to 4 features"), _json,
    ),
    _command(
        commands.explore, "a page with the lattice to be touched in a browser, in one file",
        "explore titanic --out titanic.html --open",
        *_source,
        _option("--out", "PAGE", "where to write it, .html", required=True),
        _option("--to", "NAME|FILE", "show the mixtures with this other distribution, by a slider"),
        _option("--name", None, "a title of your own"),
        _flag("--open", "open it in the browser"),
    ),
    _command(
        claims.check, "whether a claim is true at one distribution", "check PN-3 titanic",
        _option("claim", "CLAIM", _A_CLAIM, nargs="?"), *_source,
        _flag(
            "--all",
            "instead of CLAIM: every claim of the ledger, in one table; the features have 8 states together at most",
        ),
        _certificate, _json,
    ),
    _command(
        claims.prove, "a proof of a claim for every distribution of a shape",
        "prove PN-3 --cardinalities 2,2,3 --certificate proof.json",
        _claim, _states("states of each feature; required", required=True), _two_classes, _without, _time_limit,
        _flag("--second-opinion", "ask the solver cvc5 too"), _certificate, _out, _json,
    ),
    _command(
        claims.refute, "the smallest distribution at which a claim is false",
        "refute PN-4 --without positive --certificate smallest.json",
        _claim, _without, _states("states of each feature; all small shapes if left out"),
        _option("--classes", "N", "number of classes; from 2 on if left out"),
        _option("--max-features", "N", "largest number of features (3)"),
        _option("--max-cardinality", "N", "largest number of states of a feature (3)"),
        _option("--max-classes", "N", "largest number of classes (3)"), _max_total,
        _option("--seed", "N", "seed of the distributions drawn at random (0)"),
        _option(
            "--resume", "FILE",
            "keep the progress there; if the file exists, continue where that search stopped",
        ),
        _workers, _time_limit, _certificate, _out, _json,
    ),
    _command(
        claims.needed_assumptions, "for each assumption of a claim a counterexample without it, or a proof that it is "
        "not needed", "needed-assumptions PN-6",
        _claim, _states("states of each feature (one to three binary ones)"), _two_classes, _max_total, _workers,
        _time_limit, _json,
    ),
    _command(
        claims.realize, "a distribution with a given ordering of the Bayes risks, ties included, or a proof that there "
        "is none", "realize 'X1X2 < X1 = X2 < {}' --assume positive --out d.json",
        _option("ordering", "ORDERING", "all subsets, smallest risk first: 'X1X2 < X1 = X2 < {}'"),
        _feature_names, _states("states of each feature (2 each)"), _two_classes,
        _option(
            "--assume", "NAME", "what the distribution must satisfy: positive, unique_maximum, or FILE.py:NAME",
            type=names, action="append",
        ),
        _time_limit, _certificate, _out, _json,
    ),
    _command(
        claims.audit, "the ledger: what the papers say, and what is true", "audit PN-3 PN-4",
        _option("ids", "ID", "only these entries", nargs="*"),
        _either(_flag("--markdown", "a page of Markdown, with all evidence"), _json),
    ),
    _command(
        claims.verify_certificate, "whether certificates prove what they state, checked from the definitions",
        "verify-certificate smallest.json proof.json",
        _option("files", "FILE", "certificates, as --certificate writes them", nargs="+"),
        _option(
            "--claim", "CLAIM", "the claim they should be about; if left out, the ledger entry that each names; "
            "without one it is verified as it stands, with exit status 3",
        ),
        _without, _json,
    ),
    _command(
        commands.experiment, "an experiment of a paper, beside what is exact about it", "experiment ng-1998 --quick "
        "--out ng",
        _option("name", "NAME", f"one of {', '.join(_EXPERIMENTS)}", choices=_EXPERIMENTS),
        _option("--figure", "FIGURE", "only this one of its figures, 1 or table-1, say; repeatable", action="append"),
        _flag("--quick", "a smaller setting: two minutes or less on two cores; all of it may take hours"),
        _option("--out", "FOLDER", "write the figures as PNG and SVG there, the numbers as JSON, and the trials"),
        _flag("--resume", "go on from the trials in that folder"),
        _option("--workers", "N", "threads (all cores); the answer does not depend on it", default=_cores),
    ),
    _command(
        commands.gallery, "the named distributions, or one of them", "gallery titanic",
        _option("name", "NAME", "print this one", nargs="?"), _json,
    ),
]  # fmt: skip

COMMANDS = {command.example.split(maxsplit=1)[0]: command for command in _LISTED}
"""By name, in the order of the help."""
