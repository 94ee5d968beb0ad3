"""The criteria, stopping rules and bounds by their names on the command line, and the commands about them."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fstheory._support.files import parse_json
from fstheory.cli.options import (
    dump,
    largest_size,
    of_sample,
    picked,
    plug_in_note,
    read_data,
    read_source,
    require_population,
)
from fstheory.cli.samples import ON_SAMPLES, about_rows, fit_sample, rows_text, select_points, takers, wrote
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, Sample
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidValueError, explain, unknown
from fstheory.lattice.subsets import mask_of

if TYPE_CHECKING:
    from fstheory._support.result import Check
    from fstheory.measures.criterion import Criterion
    from fstheory.reports.document import Found
    from fstheory.selection.greedy import SelectionMethod
    from fstheory.selection.stopping import StoppingRule

__all__ = ["CRITERIA", "METHODS", "RULES", "bound", "criterion", "select"]

_MAKERS: dict[str, tuple[str, ...]] = {
    "zero-one": ("zero_one",), "cost": ("cost_sensitive", "cost", "positive"), "balanced": ("balanced",),
    "log": ("logarithmic", "base"), "squared": ("squared_error",), "gini": ("gini",),
    "f": ("f_measure", "beta", "positive"), "f-as-printed": ("f_measure_as_printed", "beta", "positive"),
    "auc": ("auc", "positive"), "loss-matrix": ("loss_matrix", "loss_matrix"),
}  # fmt: skip
"""From a name to the function of `fstheory.measures.criteria` and the options it takes."""
CRITERIA = tuple(_MAKERS)
_OPTIONS = ("cost", "beta", "positive", "base", "loss_matrix")
METHODS = (
    "greedy", "greedy-backward", "score", "exhaustive", "mrmr", "fisher", "backward", "forward", *ON_SAMPLES, "rcg",
)  # fmt: skip
RULES = ("er", "fs", "delta-fs", "count")


def _refuse_unless(arguments: argparse.Namespace, option: str, condition: str) -> None:
    """Refuse an option that is given where it means nothing."""
    value = getattr(arguments, option)
    if value is not None and value is not False:
        name = "-k" if option == "k" else f"--{option.replace('_', '-')}"
        shown = "given" if value is True else ",".join(value) if isinstance(value, tuple) else value
        raise InvalidValueError(explain(name, f"left out unless {condition}", shown, "drop it"))


def _missing(option: str, condition: str, value: str) -> InvalidValueError:
    """Return the error for an option that is needed."""
    written = value if " " in value else f"{option} {value}"
    return InvalidValueError(f"{option} must be given with {condition}, not left out; write {written}, say")


def _criterion_of(arguments: argparse.Namespace, d: Data) -> Criterion[Any]:
    """Return the criterion that the arguments name."""
    from fstheory.measures import criteria

    name = arguments.criterion or "zero-one"
    maker, *taken = _MAKERS[name]
    for option in _OPTIONS:
        if option not in taken:
            takers = [other for other, (_, *options) in _MAKERS.items() if option in options]
            _refuse_unless(arguments, option, f"--criterion is {' or '.join(takers)}")
    given = {option: value for option, value in picked(arguments, *taken).items() if value is not None}
    for option, example in (("cost", "1/3"), ("loss-matrix", "FILE.json")):
        if name == option and option.replace("-", "_") not in given:
            raise _missing(f"--{option}", f"--criterion {name}", example)
    if "positive" in given:
        given["positive"] = _label_of(given["positive"], d.classes, "positive class")
    if "loss_matrix" in given:
        given = {"matrix": _loss_matrix(given["loss_matrix"], d)}
    made: Criterion[Any] = getattr(criteria, maker)(**given)
    return made


def _label_of(text: str, labels: tuple[Label, ...], kind: str) -> Label:
    """Return the label that a text names: the string itself, or what is written like it, 1 for ``1``."""
    alike = [text] * (text in labels) + [label for label in labels if str(label) == text]
    if not alike:
        raise unknown(kind, text, map(str, labels))
    return alike[0]


def _loss_matrix(path: str, d: Data) -> Any:
    """Read a loss matrix, its rows by class or in order."""
    from fstheory.distributions.csv import open_text

    with open_text(path) as stream:
        text = stream.read()
    try:
        document = parse_json(text)
    except ValueError as error:
        repair = 'write [[0, 1], ["1/2", 0]], say'
        raise InvalidFormatError(f"{path}: {explain('text', f'JSON ({str(error)[:80]})', text, repair)}") from error
    if not isinstance(document, Mapping):
        return document
    kind = f"class of {d.target} in the loss matrix"
    return {_label_of(name, d.classes, kind): row for name, row in document.items()}


def _rule_of(arguments: argparse.Namespace) -> StoppingRule:
    """Return the stopping rule that the arguments name."""
    from fstheory.selection.stopping import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule

    rule = arguments.rule or ("count" if arguments.k is not None else "er")
    for option in ("sharp", "as_printed") if rule != "er" else ():
        _refuse_unless(arguments, option, "--rule is er")
    if rule == "count":
        _refuse_unless(arguments, "delta", "--rule is er, fs or delta-fs")
        if arguments.k is None:
            raise _missing("-k", "--rule count", "2")
        return FeatureCountRule(arguments.k)
    _refuse_unless(arguments, "k", "--rule is count")
    if arguments.delta is None:
        if arguments.rule:
            raise _missing("--delta", f"--rule {rule}", "1/10")
        raise _missing("--delta or -k", f"--method {arguments.method}", "--delta 1/10 or -k 2")
    if rule == "er":
        return ErrorRule(arguments.delta, printed=arguments.as_printed, sharp=arguments.sharp)
    return (FeatureScoreRule if rule == "fs" else ScoreDifferenceRule)(arguments.delta)


def _checks_of(d: JointDistribution, removed: tuple[str, ...], chosen: str) -> tuple[dict[str, Check], dict[str, str]]:
    """Evaluate the bounds; of all of them those that apply, and why the others do not."""
    from fstheory.measures.bounds import BOUNDS

    mask_of(removed, d.features, "--remove")
    checks, reasons = {}, {}
    for name, function in BOUNDS.items():
        if chosen in ("all", name):
            try:
                checks[name] = function(d, removed)
            except FSTheoryError as error:
                if chosen != "all":
                    raise
                reasons[name] = str(error)
    return checks, reasons


_STOPPING = ("backward", "forward")
_BY_CRITERION: dict[str, SelectionMethod] = {
    "greedy": "greedy-forward", "greedy-backward": "greedy-backward", "score": "score", "exhaustive": "exhaustive",
}  # fmt: skip


def criterion(arguments: argparse.Namespace) -> str:
    """List the best value of a performance measure for every feature subset, or give it for one."""
    from fstheory.reports.document import criterion_document, value_document, value_text

    d = read_data(arguments)
    measure = _criterion_of(arguments, d)
    if arguments.subset is not None:
        answer = measure, d.features, arguments.subset, measure.value(d, arguments.subset)
        return dump(value_document(*answer) | of_sample(d)) if arguments.json else plug_in_note(d) + value_text(*answer)
    table = measure.table(d, max_size=largest_size(d, arguments))
    if arguments.k is not None:
        table = table.restrict(sizes=arguments.k)
    return dump(criterion_document(table) | of_sample(d)) if arguments.json else f"{plug_in_note(d, table)}{table}"


def select(arguments: argparse.Namespace) -> str:
    """Select features, step by step."""
    from fstheory.lattice.figure import file_kind
    from fstheory.reports.blocks import fold
    from fstheory.reports.document import selection_document, selection_text

    _refuse_others(arguments)
    if arguments.method in ON_SAMPLES:
        return fit_sample(arguments)
    if arguments.method == "rcg":
        return select_points(arguments)
    if arguments.out is not None:
        file_kind(arguments.out, "--out")
    d = read_data(arguments)
    if not isinstance(d, Sample):
        _refuse_unless(arguments, "seed", "SOURCE is a sample")
    found = _selected(d, arguments)
    if arguments.out is not None and not isinstance(found, Mapping):
        found.plot().save(arguments.out)
    document, text = selection_document(found) | of_sample(d), [fold(plug_in_note(d) + selection_text(found))]
    if isinstance(d, Sample) and d.m > 1:
        chosen, seed = document["features"], arguments.seed or 0
        if arguments.json:
            document |= {"seed": seed, "rows": about_rows(d, chosen, seed)}
        else:
            text.append(rows_text(d, chosen, seed))
    return dump(document) if arguments.json else "\n\n".join([*text, *wrote(arguments)])


_TAKERS: dict[str, Sequence[str]] = {
    **dict.fromkeys(("criterion", *_OPTIONS), tuple(_BY_CRITERION)),
    **dict.fromkeys(("delta", "rule", "sharp", "as_printed", "regression"), _STOPPING),
    **{option: takers(option) for option in ("tau", "holdout", "estimate")},
    "ties": (*ON_SAMPLES, "rcg"),
    **dict.fromkeys(("graph", "null", "numbers", "categories", "categorical", "floats", "trials"), ("rcg",)),
    "k": [name for name in METHODS if name not in ON_SAMPLES],
    "search_order": [*_BY_CRITERION, "mrmr", *_STOPPING],
    "out": [*_BY_CRITERION, "mrmr", *_STOPPING, "rcg"],
}
"""By option of `select`, the methods that it is for."""


def _refuse_others(arguments: argparse.Namespace) -> None:
    """Refuse the options of other methods."""
    for option, methods in _TAKERS.items():
        if arguments.method not in methods:
            _refuse_unless(arguments, option, f"--method is {(' or ' if len(methods) < 3 else ', ').join(methods)}")


def _selected(d: Data, arguments: argparse.Namespace) -> Found:
    from fstheory import selection
    from fstheory.selection.greedy import checked_size

    method, order = arguments.method, arguments.search_order
    if method in _STOPPING:
        rule = _rule_of(arguments)
        walk = selection.cmi_elimination if method == "backward" else selection.cmi_selection
        return walk(d, rule, problem="regression" if arguments.regression else "classification", order=order)
    if arguments.k is None:
        raise _missing("-k", f"--method {method}", "2")
    if method == "fisher":
        scores = selection.fisher_scores(require_population(d, arguments))
        return dict(itertools.islice(scores.items(), checked_size(arguments.k, len(scores))))
    if method == "mrmr":
        return selection.mrmr(d, arguments.k, order=order)
    return selection.select(d, arguments.k, _criterion_of(arguments, d), _BY_CRITERION[method], order=order)


def bound(arguments: argparse.Namespace) -> str:
    """Compare what removed features cost with what the theorems say."""
    from fstheory.reports.blocks import fold
    from fstheory.reports.document import bounds_document, bounds_text

    d = read_source(arguments)
    found = d.features, arguments.remove, *_checks_of(d, arguments.remove, arguments.bound)
    return dump(bounds_document(*found)) if arguments.json else fold(bounds_text(*found))
