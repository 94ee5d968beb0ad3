"""What may be typed after ``criterion``, ``select`` and ``bound``."""

from __future__ import annotations

import argparse
from typing import Any

from fstheory.cli import criteria
from fstheory.cli.criteria import BOUNDS, CRITERIA, METHODS, RULES
from fstheory.cli.options import add_json, add_source, names, new_command, whole

__all__ = ["add_bound", "add_criterion", "add_select"]


def add_criterion(adder: Any) -> None:
    """Add the command ``criterion``."""
    command = new_command(
        adder,
        "criterion",
        criteria.criterion,
        "the best value of a performance measure for every feature subset",
        "criterion titanic --criterion f --beta 2 --positive yes --k 2",
    )
    add_source(command)
    _add_criterion_options(command, required=True)
    which = command.add_mutually_exclusive_group()
    which.add_argument("--subset", type=names, metavar="A,B,..", help="only this subset; '' for no features")
    which.add_argument("--k", type=whole, action="append", metavar="K", help="only subsets of K features")
    add_json(command)


def add_select(adder: Any) -> None:
    """Add the command ``select``."""
    command = new_command(
        adder,
        "select",
        criteria.select,
        "feature selection, step by step, with exact values",
        "select titanic --method backward --delta 1/4 --rule er --sharp",
    )
    add_source(command)
    command.add_argument(
        "--method",
        choices=METHODS,
        default="greedy",
        metavar="METHOD",
        help="with --criterion: greedy forward selection (the default), greedy-backward, score, exhaustive; with "
        "scores of their own: mrmr, fisher; with conditional mutual information and a stopping rule: backward, forward",
    )
    _add_criterion_options(command, required=False)
    command.add_argument("-k", "--k", type=whole, metavar="N", dest="k", help="select N features")
    stop = command.add_argument_group("for backward and forward, instead of -k")
    stop.add_argument(
        "--delta", metavar="P/Q", help="the threshold: for er an error, for the others information in nats"
    )
    stop.add_argument(
        "--rule",
        choices=RULES,
        help="er bounds the error added (the default with --delta), fs the information of a feature, delta-fs its "
        "change; count is -k",
    )
    stop.add_argument("--sharp", action="store_true", help="use the sharper bounds in er")
    stop.add_argument("--as-printed", action="store_true", help="use er as the paper prints it")
    stop.add_argument("--regression", action="store_true", help="measure squared errors, of numeric classes")
    command.add_argument(
        "--search-order", type=names, metavar="A,B,..", help="of equally good features, take the first in this order"
    )
    add_json(command)


def add_bound(adder: Any) -> None:
    """Add the command ``bound``."""
    command = new_command(
        adder,
        "bound",
        criteria.bound,
        "what removing features costs, and what the theorems say",
        "bound titanic --remove sex --bound theorem-3-sharp",
    )
    add_source(command)
    command.add_argument(
        "--remove", type=names, required=True, metavar="A,B,..", help="the features that are removed; '' for none"
    )
    command.add_argument(
        "--bound",
        choices=("all", *BOUNDS),
        default="all",
        metavar="NAME",
        help=f"all (the default), or one of: {', '.join(BOUNDS)}",
    )
    add_json(command)


def _add_criterion_options(command: argparse.ArgumentParser, *, required: bool) -> None:
    group = command.add_argument_group("the criterion")
    group.add_argument(
        "--criterion",
        choices=CRITERIA,
        required=required,
        metavar="NAME",
        help=f"one of: {', '.join(CRITERIA)}; zero-one is the Bayes risk{'' if required else ', and the default'}; "
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
