"""A report and its parts as versioned JSON, with exact numbers as strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from importlib import metadata
from typing import Any

from fstheory._check import Check
from fstheory._exact import format_fraction
from fstheory.bayes import bayes_risk
from fstheory.bounds import ShiftedRoot
from fstheory.distribution import Label
from fstheory.errors import InvalidTypeError, explain
from fstheory.points import CertaintyGainSelection, CertaintyGainStep
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum, sqrt
from fstheory.reporting.comparison import CriterionOptima, Disagreement
from fstheory.samples import Fitted, LawCurve, Method, RiskEstimates, SelectionLaw, Simulation, SupportedFeatures
from fstheory.selection import MinimalOptimal, Relevance, ResamplingTest, RiskTest, Step
from fstheory.subsets import indices_of, mask_of, masks_by_size, order_by
from fstheory.table import Level, SubsetTable

__all__ = [
    "MOST_SUBSETS", "assumptions", "by_size", "criteria", "curve_document", "exact_json", "fitted_document",
    "from_samples", "gain_document", "generator", "in_order", "label", "minimal_optimal_document", "ordered",
    "p_interval", "relevance", "risks_document", "rows_document", "supported_document", "titled", "within_report",
]  # fmt: skip

MOST_SUBSETS = 2**12  # in report.json; `fstheory risks --json` has all
_SUMMED = 2**12  # cells up to which the probabilities of Theorem 7 are worth their digits
_DIGITS = 12
_SAID_ONCE = {"schema", "version", "method", "assumptions", "is_unique"}  # of all methods, in a report


def exact_json(value: object) -> Any:
    """Return an exact number as JSON has it."""
    if isinstance(value, int | Fraction):
        return format_fraction(value)
    if isinstance(value, ShiftedRoot):
        if value.radicand.is_rational():
            return exact_json(sqrt(value.radicand.as_fraction()) + value.shift)
        parts = {"constant": format_fraction(value.shift), "root_of": exact_json(value.radicand)}
        return {**parts, "decimal": value.decimal(_DIGITS)}
    if not isinstance(value, LogSum | RootSum):
        raise InvalidTypeError(explain("value", "an exact number", value, "pass a Fraction, a LogSum or a RootSum"))
    if value.is_rational():
        return format_fraction(value.as_fraction())
    terms = [[format_fraction(factor), format_fraction(inside)] for factor, inside in value.terms]
    kind: dict[str, Any] = {"roots": terms}
    if isinstance(value, LogSum):
        kind = {"logs": terms, "base": None if value.base is None else format_fraction(value.base)}
    return {"constant": format_fraction(value.constant), **kind, "decimal": value.decimal(_DIGITS)}


def titled(schema: str, **content: Any) -> dict[str, Any]:
    """Return a document that begins with the name of its form, and the version of that."""
    return {"schema": f"fstheory/{schema}", "version": 1, **content}


def generator() -> str:
    """Return the name and version of this program."""
    try:
        return f"fstheory {metadata.version('fstheory')}"
    except metadata.PackageNotFoundError:  # a checkout that is run without being installed
        return "fstheory (not installed)"


def risks_document(table: SubsetTable[Fraction], most: int | None = None) -> dict[str, Any]:
    """Return the values of a table, smallest first and those of equal value by size, as a document."""
    risks = list(in_order(table, "risk", most))
    sizes = {"count": len(table), "complete": len(risks) == len(table)}
    return titled("risks", features=list(table.features), **sizes, risks=risks)


def in_order(table: SubsetTable[Any], name: str, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Return the subsets with their values, the best first and those of equal value by size."""
    ranks = int(table.ranks.max()) - table.ranks if table.larger_is_better else table.ranks
    positions = order_by(ranks, table.masks, len(table.features))[:most]
    for mask, level in zip(table.masks[positions].tolist(), ranks[positions].tolist(), strict=True):
        subset = [table.features[i] for i in indices_of(mask)]
        yield {"subset": subset, name: exact_json(table.value_at(mask)), "level": level}


def minimal_optimal_document(found: MinimalOptimal) -> dict[str, Any]:
    """Return the answer of one method to the minimal-optimal problem as a document."""
    d = found.distribution
    return titled(
        "minimal-optimal",
        method=found.method,
        subset=ordered(found.features, d.features),
        risk=format_fraction(found.risk),
        **{name: getattr(found, name) for name in ("guaranteed", "is_solution", "is_unique")},
        solutions=[ordered(subset, d.features) for subset in found.solutions],
        assumptions=assumptions(found.positive, found.unique_maximum),
        trace=[_step(step, d.features, few=d.weights.size <= _SUMMED) for step in found.trace],
    )


def within_report(found: MinimalOptimal) -> dict[str, Any]:
    """Return the document of an answer without what the report says of all of them."""
    return {key: value for key, value in minimal_optimal_document(found).items() if key not in _SAID_ONCE}


def criteria(
    compared: Iterable[CriterionOptima], disagreements: Iterable[Disagreement], features: Sequence[str]
) -> dict[str, Any]:
    """Return the best subsets of each size by each criterion, and those of more than the least risk."""
    rows = [
        {"criterion": criterion.title, "symbol": criterion.symbol, "larger_is_better": criterion.larger_is_better}
        | {"by_size": by_size(criterion.optima, features, "value")}
        for criterion in compared
    ]
    choices = [
        {"k": found.size, "criterion": found.title, "subset": ordered(found.subset, features)}
        | {"risk": exact_json(found.risk), "least_risk": exact_json(found.least), "always": found.always}
        for found in disagreements
    ]
    return {"compared": rows, "disagreements": choices}


def by_size(
    levels: Iterable[Level[Any]], features: Sequence[str], value: str, most: int | None = None
) -> list[dict[str, Any]]:
    """Return the best value of each size and the subsets that have it, or their number and the first of them."""
    return [
        {"k": k, value: exact_json(level.value)}
        | ({} if most is None else {"count": len(level.subsets)})
        | {"subsets": [ordered(subset, features) for subset in level.subsets[:most]]}
        for k, level in enumerate(levels)
    ]


def assumptions(positive: Check, unique_maximum: Check) -> dict[str, Any]:
    """Return whether the assumptions hold, and where not."""
    return {
        "positive": {"holds": positive.holds, "witness": _state(positive.witness)},
        "unique_maximum": {
            "holds": unique_maximum.holds,
            "witness": _state(unique_maximum.witness),
            "maximizers": [label(state) for state in unique_maximum.left or ()],
        },
    }


def relevance(found: Relevance, features: Sequence[str]) -> dict[str, Any]:
    """Return the relevance of the features with its witnesses."""
    kinds = {kind: ordered(getattr(found, kind), features) for kind in ("strong", "weak", "irrelevant")}
    witnesses = [
        {"feature": name, "state": _state(w.state), "values": list(map(label, w.values))}
        for name, w in ((name, found.witnesses[name]) for name in ordered(found.witnesses, features))
    ]
    return {**kinds, "witnesses": witnesses}


def ordered(subset: Iterable[str], features: Iterable[str]) -> list[str]:
    """Return the names of a subset in the order of the features."""
    members = set(subset)
    return [name for name in features if name in members]


def label(state: Label) -> Any:
    """Return a label as the distribution's own JSON writes it."""
    if isinstance(state, str | int):
        return state
    if isinstance(state, tuple):
        return [label(part) for part in state]
    kinds = "a string, an integer, a boolean or a tuple of these in JSON"
    raise InvalidTypeError(explain("every state", kinds, state, "relabel it"))


def _state(state: Mapping[str, Label] | None) -> dict[str, Any] | None:
    return None if state is None else {name: label(value) for name, value in state.items()}


def _step(step: Step, features: Sequence[str], *, few: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"candidate": step.candidate, "removed": step.removed}
    if isinstance(step, RiskTest):
        entry["subset"] = ordered(step.subset, features)
        entry["risk"], entry["risk_without"] = format_fraction(step.before), format_fraction(step.without)
    elif isinstance(step, ResamplingTest):
        entry["probability"] = format_fraction(step.probability) if few or step.removed else None
    return entry


def from_samples(laws: Iterable[SelectionLaw]) -> list[dict[str, Any]]:
    """Return of some laws the probability of a solution and the expected risk."""
    return [
        {
            "method": law.method.title, "settings": _settings(law.method), "m": law.m,
            "success": format_fraction(law.success), "expected_risk": format_fraction(law.expected_risk),
        }
        for law in laws
    ]  # fmt: skip


def _settings(method: Method) -> dict[str, str]:
    values = {field.name: getattr(method, field.name) for field in fields(method)}
    return {name: str(value) for name, value in values.items() if value is not None}


def curve_document(curve: LawCurve) -> dict[str, Any]:
    """Return what a method selects by sample size: exact numbers as "p/q", estimates as decimals with intervals.

    The form is ``fstheory/finite-sample``. A point has the engine that found it; 'simulation' means estimates.
    """
    method = curve.method
    settings = _settings(method)
    points = [
        {
            **_point(point, curve.distribution.features),
            "expected_risk_without_selection": risk and format_fraction(risk),
        }
        for point, risk in zip(curve.points, curve.without_selection, strict=True)
    ]
    least = bayes_risk(curve.distribution, curve.distribution.features)
    return titled(
        "finite-sample", method=method.title, settings=settings, bayes_risk=format_fraction(least), points=points
    )


def _point(point: SelectionLaw | Simulation, features: tuple[str, ...]) -> dict[str, Any]:
    """Return the law or the simulation at one number of samples."""
    listed = {mask_of(subset, features): subset for subset, _ in point.outcomes}
    found = [listed[mask] for mask in masks_by_size(len(features)).tolist() if mask in listed]
    if isinstance(point, SelectionLaw):
        probabilities = [{"subset": ordered(s, features), "probability": format_fraction(point[s])} for s in found]
        exact = {"success": point.success, "expected_risk": point.expected_risk}
        numbers = {name: format_fraction(value) for name, value in exact.items()}
        return {"m": point.m, "engine": point.engine, **numbers, "probabilities": probabilities}
    shares = [
        {"subset": ordered(s, features), **_estimate(point.count(s) / point.trials, point.interval(s))} for s in found
    ]
    success = _estimate(point.success, point.success_interval())
    risk = _estimate(point.expected_risk, point.expected_risk_interval())
    return {
        "m": point.m, "engine": point.engine, "trials": point.trials, "confidence": "19/20", "success": success,
        "expected_risk": risk, "probabilities": shares,
    }  # fmt: skip


def _estimate(value: float, interval: tuple[float, float]) -> dict[str, Any]:
    return {"estimate": f"{value:.6g}", "interval": [f"{end:.6g}" for end in interval]}


def supported_document(found: SupportedFeatures) -> dict[str, Any]:
    """Return which features a sample supports, step by step."""
    names = found.sample.features
    steps = [
        {"added": ordered(step.added, names), "tied": [ordered(other, names) for other in step.tied]}
        | {"states": step.states, "plug_in": format_fraction(step.plug_in)}
        | {"leave_one_out": format_fraction(step.left_out), "permutations": step.permutations}
        | {"p": format_fraction(step.p), "supported": step.accepted}
        for step in found.steps
    ]
    values = {"plug_in": format_fraction(found.plug_in), "leave_one_out": format_fraction(found.left_out)}
    return {"features": ordered(found.features, names), **values, "steps": steps, "stopped": found.stopped}


def fitted_document(found: Fitted) -> dict[str, Any]:
    """Return what a method selected on one sample, as a document of the form ``fstheory/selection``."""
    names = found.sample.features
    trace: list[dict[str, Any]] = [
        {"subset": ordered(step.subset, names), "dropped": step.dropped, "estimate": format_fraction(step.estimate)}
        | {"training": None if step.training is None else format_fraction(step.training), "accepted": step.accepted}
        for step in found.trace
    ]
    return titled(
        "selection",
        method=found.method.title,
        settings=_settings(found.method),
        samples=found.sample.m,
        training_samples=found.training.m,
        features=ordered(found.features, names),
        estimate=format_fraction(found.estimate),
        tied=[ordered(subset, names) for subset in found.tied],
        trace=trace,
    )


def rows_document(found: RiskEstimates, supported: SupportedFeatures) -> dict[str, Any]:
    """Return what a sample says about features that were selected on it, and which features it supports."""
    risks = ("baseline", "resubstitution", "leave_one_out", "cross_validated")
    values = {name: format_fraction(value) for name in risks if (value := getattr(found, name)) is not None}
    return {"states": found.cells, **values, "folds": found.folds, "supported": supported_document(supported)}


def gain_document(
    found: CertaintyGainSelection, settings: Mapping[str, str], trials: int | None = None
) -> dict[str, Any]:
    """Return a selection by the relative certainty gain; where labels were permuted `trials` times, with intervals."""
    trace = []
    for step in found.trace:
        if trials is not None:
            worth: dict[str, Any] = {"p_value": _estimate(float(-step.evidence), p_interval(step, trials))}
        else:
            kind = "p_value" if found.null == "exact" else "signed_square_of_z"
            worth = {kind: format_fraction(-step.evidence if found.null == "exact" else step.evidence)}
        gain = {"gain": format_fraction(step.gain.value), "statistic": format_fraction(step.gain.statistic)}
        trace.append({"feature": step.feature, "accepted": step.accepted, **gain, **worth})
    return titled("selection", method="rcg", settings=dict(settings), features=list(found.features), trace=trace)


def p_interval(step: CertaintyGainStep, trials: int) -> tuple[float, float]:
    """Return the exact binomial interval of a p-value that so many permutations estimate, of confidence 19/20."""
    from scipy import stats

    hits = -step.evidence * (1 + trials) - 1
    low, high = stats.binomtest(int(hits), trials).proportion_ci(0.95, method="exact")
    return float(low), float(high)
