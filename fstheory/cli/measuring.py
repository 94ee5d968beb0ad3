"""The commands about criteria, selection by them, and bounds."""

from __future__ import annotations

import argparse
import itertools
import json
from typing import TYPE_CHECKING, Any

from fstheory.cli.inputs import read_source
from fstheory.cli.measures import checks_of, criterion_of, missing, refuse_unless, rule_of

if TYPE_CHECKING:
    from fstheory.distribution import JointDistribution
    from fstheory.reporting import Found
    from fstheory.selection.greedy import SelectionMethod

__all__ = ["bound", "criterion", "select"]

_STOPPING = ("backward", "forward")
_BY_CRITERION: dict[str, SelectionMethod] = {
    "greedy": "greedy-forward",
    "greedy-backward": "greedy-backward",
    "score": "score",
    "exhaustive": "exhaustive",
}


def criterion(arguments: argparse.Namespace) -> str:
    """List the best value of a performance measure for every feature subset, or give it for one."""
    from fstheory.reporting import criterion_document, value_document, value_text

    d = read_source(arguments)
    measure = criterion_of(arguments, d)
    if arguments.subset is not None:
        answer = measure, d.features, arguments.subset, measure.value(d, arguments.subset)
        return _dump(value_document(*answer)) if arguments.json else value_text(*answer)
    table = measure.table(d)
    if arguments.k is not None:
        table = table.restrict(sizes=arguments.k)
    return _dump(criterion_document(table)) if arguments.json else str(table)


def select(arguments: argparse.Namespace) -> str:
    """Select features, step by step."""
    from fstheory.reporting import fold, selection_document, selection_text

    d = read_source(arguments)
    found = _selected(d, arguments)
    return _dump(selection_document(found)) if arguments.json else fold(selection_text(found))


def _selected(d: JointDistribution, arguments: argparse.Namespace) -> Found:
    from fstheory import selection
    from fstheory.selection.greedy import checked_size

    method, order = arguments.method, arguments.search_order
    if method not in _BY_CRITERION:
        for option in ("criterion", "cost", "beta", "positive", "base", "loss_matrix"):
            refuse_unless(arguments, option, f"--method is {', '.join(_BY_CRITERION)}")
    if method in _STOPPING:
        rule = rule_of(arguments)
        walk = selection.cmi_elimination if method == "backward" else selection.cmi_selection
        return walk(d, rule, problem="regression" if arguments.regression else "classification", order=order)
    for option in ("delta", "rule", "sharp", "as_printed", "regression"):
        refuse_unless(arguments, option, f"--method is {' or '.join(_STOPPING)}")
    if arguments.k is None:
        raise missing("-k", f"--method {method}", "2")
    if method == "fisher":
        refuse_unless(arguments, "search_order", "--method is another")
        scores = selection.fisher_scores(d)
        return dict(itertools.islice(scores.items(), checked_size(arguments.k, len(scores))))
    if method == "mrmr":
        return selection.mrmr(d, arguments.k, order=order)
    return selection.select(d, arguments.k, criterion_of(arguments, d), _BY_CRITERION[method], order=order)


def bound(arguments: argparse.Namespace) -> str:
    """Compare what removed features cost with what the theorems say."""
    from fstheory.reporting import bounds_document, bounds_text, fold

    d = read_source(arguments)
    checks, reasons = checks_of(d, arguments.remove, arguments.bound)
    if arguments.json:
        return _dump(bounds_document(d.features, arguments.remove, checks, reasons))
    return fold(bounds_text(d.features, arguments.remove, checks, reasons))


def _dump(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)
