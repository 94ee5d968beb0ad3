"""The criteria, stopping rules and bounds by the names of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fstheory.distribution import JointDistribution, Label
from fstheory.distribution.schema import load_exactly
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidValueError, explain, unknown
from fstheory.subsets import mask_of

if TYPE_CHECKING:
    from fstheory.bounds import BoundCheck
    from fstheory.criteria import Criterion
    from fstheory.selection import StoppingRule

__all__ = ["BOUNDS", "CRITERIA", "METHODS", "RULES", "checks_of", "criterion_of", "missing", "refuse_unless", "rule_of"]

CRITERIA = (
    "zero-one", "cost", "balanced", "log", "squared", "gini", "f", "f-as-printed", "auc", "loss-matrix",
)  # fmt: skip
METHODS = ("greedy", "greedy-backward", "score", "exhaustive", "mrmr", "fisher", "backward", "forward")
RULES = ("er", "fs", "delta-fs", "count")
BOUNDS = {
    "theorem-1": "regression_bound",
    "theorem-1-as-printed": "regression_bound_as_printed",
    "theorem-1-sharp": "regression_bound_sharp",
    "theorem-2": "linear_bound",
    "theorem-2-as-printed": "linear_bound_as_printed",
    "theorem-2-sharp": "linear_bound_sharp",
    "theorem-2-exact": "linear_identity",
    "correlations": "correlation_bound",
    "correlations-as-printed": "correlation_bound_as_printed",
    "correlations-exact": "correlation_identity",
    "theorem-3": "classification_bound",
    "theorem-3-sharp": "classification_bound_sharp",
    "theorem-3-variation": "classification_bound_by_variation",
    "theorem-3-information": "classification_bound_by_information",
    "score": "information_identity",
    "additivity": "elimination_identity",
    "fano": "fano_bound",
    "hellman-raviv": "hellman_raviv_bound",
}
"""From a name to the function of `fstheory.bounds`."""

_OF_KEPT = ("fano", "hellman-raviv")  # these are about the features that stay
_TAKEN_BY = {
    "cost": ("cost",),
    "beta": ("f", "f-as-printed"),
    "positive": ("cost", "f", "f-as-printed", "auc"),
    "base": ("log",),
    "loss_matrix": ("loss-matrix",),
}


def refuse_unless(arguments: argparse.Namespace, option: str, condition: str) -> None:
    """Refuse an option that is given where it means nothing."""
    value = getattr(arguments, option)
    if value is not None and value is not False:
        name = "-k" if option == "k" else f"--{option.replace('_', '-')}"
        shown = "given" if value is True else ",".join(value) if isinstance(value, tuple) else value
        raise InvalidValueError(explain(name, f"left out unless {condition}", shown, "drop it"))


def missing(option: str, condition: str, value: str) -> InvalidValueError:
    """Return the error for an option that is needed."""
    return InvalidValueError(f"{option} must be given with {condition}, not left out; write {option} {value}, say")


def criterion_of(arguments: argparse.Namespace, d: JointDistribution) -> Criterion[Any]:
    """Return the criterion that the arguments name.

    Raises
    ------
    InvalidFormatError, InvalidValueError, UnknownNameError, OSError
        An option is missing or out of place, or its value no good.
    """
    from fstheory import criteria

    name = arguments.criterion or "zero-one"
    for option, takers in _TAKEN_BY.items():
        if name not in takers:
            refuse_unless(arguments, option, f"--criterion is {' or '.join(takers)}")
    for option in ("cost", "loss_matrix"):
        if name in _TAKEN_BY[option] and getattr(arguments, option) is None:
            value = "1/3" if option == "cost" else "FILE.json"
            long = f"--{option.replace('_', '-')}"
            raise missing(long, f"--criterion {name}", value)
    positive = None if arguments.positive is None else label_of(arguments.positive, d.classes, "positive class")
    beta = "1" if arguments.beta is None else arguments.beta
    makers: dict[str, Any] = {
        "zero-one": criteria.zero_one,
        "cost": lambda: criteria.cost_sensitive(arguments.cost, positive=positive),
        "balanced": criteria.balanced,
        "log": lambda: criteria.logarithmic(arguments.base),
        "squared": criteria.squared_error,
        "gini": criteria.gini,
        "f": lambda: criteria.f_measure(beta, positive=positive),
        "f-as-printed": lambda: criteria.f_measure_as_printed(beta, positive=positive),
        "auc": lambda: criteria.auc(positive=positive),
        "loss-matrix": lambda: _loss_matrix(arguments.loss_matrix, d),
    }
    made: Criterion[Any] = makers[name]()
    return made


def label_of(text: str, labels: tuple[Label, ...], kind: str) -> Label:
    """Return the label that a text names: the string itself, or what is written like it, 1 for ``1``."""
    if text in labels:
        return text
    alike = [label for label in labels if str(label) == text]
    if not alike:
        raise unknown(kind, text, map(str, labels))
    return alike[0]


def _loss_matrix(path: str, d: JointDistribution) -> Criterion[Any]:
    from fstheory.criteria import loss_matrix
    from fstheory.io._opening import open_text

    with open_text(path) as stream:
        text = stream.read()
    try:
        document = load_exactly(text)
    except InvalidFormatError as error:
        raise InvalidFormatError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        repair = 'write [[0, 1], ["1/2", 0]], say'
        raise InvalidFormatError(f"{path}: {explain('text', f'JSON ({str(error)[:80]})', text, repair)}") from error
    if isinstance(document, Mapping):
        document = {
            label_of(name, d.classes, f"class of {d.target} in the loss matrix"): row for name, row in document.items()
        }
    return loss_matrix(document)


def rule_of(arguments: argparse.Namespace) -> StoppingRule:
    """Return the stopping rule that the arguments name.

    Raises
    ------
    InvalidFormatError, InvalidValueError
        None is named, or an option does not go with it.
    """
    from fstheory.selection import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule

    rule = arguments.rule or ("count" if arguments.k is not None else "er")
    if rule != "er":
        refuse_unless(arguments, "sharp", "--rule is er")
        refuse_unless(arguments, "as_printed", "--rule is er")
    if rule == "count":
        refuse_unless(arguments, "delta", "--rule is er, fs or delta-fs")
        if arguments.k is None:
            raise missing("-k", "--rule count", "2")
        return FeatureCountRule(arguments.k)
    refuse_unless(arguments, "k", "--rule is count")
    if arguments.delta is None:
        if arguments.rule:
            raise missing("--delta", f"--rule {rule}", "1/10")
        raise InvalidValueError(
            f"--delta or -k must be given with --method {arguments.method}, not left out; "
            "write --delta 1/10 or -k 2, say"
        )
    if rule == "er":
        return ErrorRule(arguments.delta, printed=arguments.as_printed, sharp=arguments.sharp)
    return (FeatureScoreRule if rule == "fs" else ScoreDifferenceRule)(arguments.delta)


def checks_of(
    d: JointDistribution, removed: tuple[str, ...], chosen: str
) -> tuple[dict[str, BoundCheck], dict[str, str]]:
    """Evaluate the bounds; of all of them those that apply, and why the others do not.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        There is no such feature; or one bound is asked for, and does not apply.
    """
    from fstheory import bounds

    mask_of(removed, d.features, "--remove")
    kept = tuple(name for name in d.features if name not in removed)
    checks, reasons = {}, {}
    for name, function in BOUNDS.items():
        if chosen in ("all", name):
            try:
                checks[name] = getattr(bounds, function)(d, kept if name in _OF_KEPT else removed)
            except FSTheoryError as error:
                if chosen != "all":
                    raise
                reasons[name] = str(error)
    return checks, reasons
