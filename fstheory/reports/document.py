"""Verdicts on claims, certificates and the ledger: as text for a terminal, and as versioned JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from importlib import metadata
from typing import TYPE_CHECKING, Any, TypeAlias

from fstheory._support.exact import decimal_text, exact_text, to_text
from fstheory._support.result import Check
from fstheory.distributions.build import Label
from fstheory.errors import InvalidTypeError, explain
from fstheory.lattice.ordering import Level
from fstheory.lattice.subsets import indices_of, mask_of, masks_by_size, order_by
from fstheory.lattice.table import SubsetTable
from fstheory.logic.expressions import from_json
from fstheory.logic.statement import Shape, located, text_of
from fstheory.logic.verdict import Realized, Refuted, Verdict
from fstheory.measures.bounds import ShiftedRoot
from fstheory.measures.criterion import Criterion
from fstheory.measures.risk import bayes_risk
from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum, sqrt
from fstheory.points.certainty import CertaintyGainSelection, CertaintyGainStep
from fstheory.reports.blocks import CriterionOptima, Disagreement, columns, fold, name_of
from fstheory.samples.curve import LawCurve
from fstheory.samples.estimates import RiskEstimates
from fstheory.samples.fitting import Fitted
from fstheory.samples.law import Law
from fstheory.samples.methods import Method
from fstheory.samples.support import SupportedFeatures
from fstheory.selection import greedy, scores, stopping
from fstheory.selection.greedy import Step
from fstheory.selection.optimal import MinimalOptimal
from fstheory.selection.relevant import Relevance

if TYPE_CHECKING:
    from fstheory.papers.entry import Entry, Evidence
__all__ = [
    "MOST_SUBSETS",
    "Found",
    "assumptions",
    "bounds_document",
    "bounds_text",
    "by_size",
    "criteria",
    "criterion_document",
    "curve_document",
    "entries_document",
    "exact_json",
    "fitted_document",
    "from_samples",
    "gain_document",
    "generator",
    "in_order",
    "label",
    "minimal_optimal_document",
    "ordered",
    "p_interval",
    "relevance",
    "risks_document",
    "rows_document",
    "selection_document",
    "selection_text",
    "supported_document",
    "titled",
    "value_document",
    "value_text",
    "verdict_document",
    "verdict_text",
    "within_report",
]


# -- A report and its parts as versioned JSON, with exact numbers as strings.


MOST_SUBSETS = 2**12  # in report.json; `fstheory risks --json` has all
_DIGITS = 12
_SAID_ONCE = {"schema", "version", "method", "assumptions", "is_unique"}  # of all methods, in a report


def exact_json(value: object) -> Any:
    """Return an exact number as JSON has it."""
    if isinstance(value, int | Fraction):
        return exact_text(value)
    if isinstance(value, ShiftedRoot):
        if not value.radicands:
            return exact_text(value.shift)
        (radicand,) = value.radicands
        if radicand.is_rational():
            return exact_json(sqrt(radicand.as_fraction()) + value.shift)
        parts = {"constant": exact_text(value.shift), "root_of": exact_json(radicand)}
        return {**parts, "decimal": value.decimal(_DIGITS)}
    if not isinstance(value, LogSum | RootSum):
        raise InvalidTypeError(explain("value", "an exact number", value, "pass a Fraction, a LogSum or a RootSum"))
    if value.is_rational():
        return exact_text(value.as_fraction())
    terms = [[exact_text(factor), exact_text(inside)] for factor, inside in value.terms]
    kind: dict[str, Any] = {"roots": terms}
    if isinstance(value, LogSum):
        kind = {"logs": terms, "base": None if value.base is None else exact_text(value.base)}
    return {"constant": exact_text(value.constant), **kind, "decimal": value.decimal(_DIGITS)}


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
        risk=exact_text(found.risk),
        **{name: getattr(found, name) for name in ("guaranteed", "is_solution", "is_unique")},
        solutions=[ordered(subset, d.features) for subset in found.solutions],
        assumptions=assumptions(found.positive, found.unique_maximum),
        trace=[_step(step, found) for step in found.trace],
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


def _step(step: Step, found: MinimalOptimal) -> dict[str, Any]:
    entry: dict[str, Any] = {"candidate": step.chosen, "removed": step.made}
    if found.method == "resampling":
        return entry | {"probability": None if step.value is None else exact_text(step.value)}
    entry["subset"] = ordered(step.subset, found.distribution.features)
    return entry | {"risk": exact_text(found.least_risk), "risk_without": exact_text(step.value)}


def from_samples(laws: Iterable[Law[Fraction]]) -> list[dict[str, Any]]:
    """Return of some laws the probability of a solution and the expected risk."""
    return [
        {
            "method": law.method.title, "settings": _settings(law.method), "m": law.m,
            "success": exact_text(law.success), "expected_risk": exact_text(law.expected_risk),
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
            "expected_risk_without_selection": risk and exact_text(risk),
        }
        for point, risk in zip(curve.points, curve.without_selection, strict=True)
    ]
    least = bayes_risk(curve.distribution, curve.distribution.features)
    return titled("finite-sample", method=method.title, settings=settings, bayes_risk=exact_text(least), points=points)


def _point(point: Law[Any], features: tuple[str, ...]) -> dict[str, Any]:
    """Return the law or the simulation at one number of samples."""
    listed = {mask_of(subset, features): subset for subset, _ in point.outcomes}
    found = [listed[mask] for mask in masks_by_size(len(features)).tolist() if mask in listed]
    if point.is_exact:
        probabilities = [{"subset": ordered(s, features), "probability": exact_text(point[s])} for s in found]
        exact = {"success": point.success, "expected_risk": point.expected_risk}
        numbers = {name: exact_text(value) for name, value in exact.items()}
        return {"m": point.m, "engine": point.engine, **numbers, "probabilities": probabilities}
    shares = [{"subset": ordered(s, features), **_estimate(point[s], point.interval(s))} for s in found]
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
        | {"states": step.states, "plug_in": exact_text(step.plug_in)}
        | {"leave_one_out": exact_text(step.left_out), "permutations": step.permutations}
        | {"p": exact_text(step.p), "supported": step.accepted}
        for step in found.steps
    ]
    values = {"plug_in": exact_text(found.plug_in), "leave_one_out": exact_text(found.left_out)}
    return {"features": ordered(found.features, names), **values, "steps": steps, "stopped": found.stopped}


def fitted_document(found: Fitted) -> dict[str, Any]:
    """Return what a method selected on one sample, as a document of the form ``fstheory/selection``."""
    names = found.sample.features
    trace: list[dict[str, Any]] = [
        {"subset": ordered(step.subset, names), "dropped": step.dropped, "estimate": exact_text(step.estimate)}
        | {"training": None if step.training is None else exact_text(step.training), "accepted": step.accepted}
        for step in found.trace
    ]
    return titled(
        "selection",
        method=found.method.title,
        settings=_settings(found.method),
        samples=found.sample.m,
        training_samples=found.training.m,
        features=ordered(found.features, names),
        estimate=exact_text(found.estimate),
        tied=[ordered(subset, names) for subset in found.tied],
        trace=trace,
    )


def rows_document(found: RiskEstimates, supported: SupportedFeatures) -> dict[str, Any]:
    """Return what a sample says about features that were selected on it, and which features it supports."""
    risks = ("baseline", "resubstitution", "leave_one_out", "cross_validated")
    values = {name: exact_text(value) for name in risks if (value := getattr(found, name)) is not None}
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
            worth = {kind: exact_text(-step.evidence if found.null == "exact" else step.evidence)}
        gain = {"gain": exact_text(step.gain.value), "statistic": exact_text(step.gain.statistic)}
        trace.append({"feature": step.feature, "accepted": step.accepted, **gain, **worth})
    return titled("selection", method="rcg", settings=dict(settings), features=list(found.features), trace=trace)


def p_interval(step: CertaintyGainStep, trials: int) -> tuple[float, float]:
    """Return the exact binomial interval of a p-value that so many permutations estimate, of confidence 19/20."""
    from scipy import stats

    hits = -step.evidence * (1 + trials) - 1
    low, high = stats.binomtest(int(hits), trials).proportion_ci(0.95, method="exact")
    return float(low), float(high)


# -- Criteria, bounds and selections as text and as versioned JSON.


_LONGEST = 12  # characters of an exact number in a table of bounds


def criterion_document(table: SubsetTable[Any]) -> dict[str, Any]:
    """Return the values of a criterion, the best first, as a document."""
    return _criterion_document(table, table.features, in_order(table, "value"))


def value_document(
    criterion: Criterion[Any], features: Sequence[str], subset: Collection[str], value: Any
) -> dict[str, Any]:
    """Return the value of one subset as a document like that of a table."""
    row = {"subset": ordered(subset, features), "value": exact_json(value), "level": 0}
    return _criterion_document(criterion, features, [row])


def _criterion_document(
    criterion: Criterion[Any] | SubsetTable[Any], features: Sequence[str], rows: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    kind = {"criterion": criterion.name, "symbol": criterion.symbol, "larger_is_better": criterion.larger_is_better}
    return titled("criterion", **kind, features=list(features), values=list(rows))


def value_text(criterion: Criterion[Any], features: Sequence[str], subset: Collection[str], value: Any) -> str:
    """Write the value of one subset."""
    exact, decimal = to_text(value, 0), decimal_text(value)
    more = "" if "≈" in exact or exact == decimal else f" ≈ {decimal}"
    return f"{criterion.name} of {name_of(subset, features)}: {exact}{more}"


def bounds_document(
    features: Sequence[str], removed: Collection[str], checks: Mapping[str, Check], reasons: Mapping[str, str]
) -> dict[str, Any]:
    """Return bounds that were evaluated, by name, as a document, and why others do not apply."""
    bounds = [
        {"bound": name, "title": check.name, "statement": check.statement, "source": check.source}
        | {"left": exact_json(check.left), "relation": check.relation, "right": exact_json(check.right)}
        | {"slack": exact_json(check.slack), "holds": check.holds, "tight": check.tight}
        for name, check in checks.items()
    ]
    missing = [{"bound": name, "reason": reason} for name, reason in reasons.items()]
    variables = {"features": list(features), "removed": ordered(removed, features)}
    return titled("bounds", **variables, bounds=bounds, not_applicable=missing)


def bounds_text(
    features: Sequence[str], removed: Collection[str], checks: Mapping[str, Check], reasons: Mapping[str, str]
) -> str:
    """Write bounds that were evaluated, by name: one in words, several as a table."""
    title = f"A = {name_of(removed, features)} removed of {name_of(features, features)}"
    if len(checks) == 1 and not reasons:
        (check,) = checks.values()
        return f"{title}\n\n{check}\n{check.source}"
    rows: list[tuple[str, ...]] = [("bound", "left", "right", "slack", "")]
    for name, check in checks.items():
        verdict = "fails" if not check else "equal" if check.tight else "holds"
        rows.append((name, *map(_short, (check.left, check.right, check.slack)), verdict))
    groups: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        groups.setdefault(reason, []).append(name)
    missing = [f"  {', '.join(names)}: {reason}" for reason, names in groups.items()]
    head = ["", "Not for this distribution:"] if missing else []
    return "\n".join([title, "", *columns(rows, "", (1, 2, 3)), *head, *missing])


def _short(value: Any) -> str:
    """Write a rational exactly while it is short, all else rounded."""
    if isinstance(value, LogSum | RootSum) and value.is_rational():
        value = value.as_fraction()
    exact = to_text(value, 0) if isinstance(value, Fraction) else ""
    return exact if 0 < len(exact) <= _LONGEST else decimal_text(value)


Found: TypeAlias = greedy.Selection | stopping.CMISelection | Mapping[str, scores.FisherScore]
"""What the methods of selection return."""


def selection_text(found: Found) -> str:
    """Write a selection for people."""
    if isinstance(found, greedy.Selection | stopping.CMISelection):
        return str(found)
    width = max(map(len, found), default=0)
    lines = [f"  {i}. {name.ljust(width)}  {score}" for i, (name, score) in enumerate(found.items(), 1)]
    return "\n".join([f"{', '.join(found) or 'no features'} by Fisher score", *lines])


def selection_document(found: Found) -> dict[str, Any]:
    """Return a selection with its trace as a document."""
    if isinstance(found, greedy.Selection):
        body = _by_criterion(found)
    elif isinstance(found, stopping.CMISelection):
        body = _by_information(found)
    else:
        values = {name: "infinite" if s.is_infinite else exact_text(s.value) for name, s in found.items()}
        scores = [{"feature": name, "value": value} for name, value in values.items()]
        body = {"method": "fisher", "features": list(found), "scores": scores}
    return titled("selection", **body)


def _by_criterion(found: greedy.Selection) -> dict[str, Any]:
    return {
        "method": found.method,
        "criterion": found.criterion,
        "features": list(found.features),
        "value": None if found.value is None else exact_json(found.value),
        "has_ties": found.has_ties,
        "subsets": [ordered(subset, found.features) + sorted(subset - set(found.features)) for subset in found.subsets],
        "trace": [_step_results(step) for step in found.trace],
    }


def _step_results(step: Step) -> dict[str, Any]:
    values = {name: exact_json(value) for name, value in step.values}
    return {"chosen": step.chosen, "tied": list(step.tied), "values": values}


def _by_information(found: stopping.CMISelection) -> dict[str, Any]:
    guarantee, names = found.guarantee, ("error", "least_error", "information", "lost")
    trace = [
        {**_step_results(step), "made": step.made, "sum": exact_json(step.total), "lost": exact_json(step.lost)}
        | {"error": exact_json(step.error), **_bounds(step)}
        for step in found.trace
    ]
    return {
        "method": found.direction,
        "problem": found.model.problem,
        "rule": _rule(found.stop),
        "features": list(found.features),
        **{name: exact_json(getattr(found, name)) for name in names},
        **_bounds(found),
        "guarantee": None if guarantee is None else {"statement": guarantee.statement, "holds": guarantee.holds},
        "trace": trace,
    }


def _rule(stop: stopping.StoppingRule) -> dict[str, Any]:
    parts: dict[str, Any] = {"name": stop.symbol}
    if isinstance(stop, stopping.FeatureCountRule):
        parts["k"] = stop.k
    elif isinstance(stop, stopping.ErrorRule):
        parts |= {"delta": exact_text(stop.delta), "printed": stop.printed, "sharp": stop.sharp}
    elif isinstance(stop, stopping.FeatureScoreRule | stopping.ScoreDifferenceRule):
        parts["threshold"] = exact_text(stop.threshold)
    return parts


def _bounds(found: stopping.CMISelection | stopping.CMIStep) -> dict[str, Any]:
    return {"bound": exact_json(found.bound), "sharp_bound": exact_json(found.sharp_bound)}


# -- Verdicts on claims, certificates and the ledger: as text for a terminal, and as versioned JSON.


_VALUES = 8  # numbers that are shown


def verdict_text(verdict: Verdict, *, table: bool = True) -> str:
    """Return a verdict as text; of a distribution that was found also its table."""
    if isinstance(verdict, Refuted):
        values = _values(verdict)
        text = f"{verdict.claim}: refuted{located(verdict.where)}"
        text += (f"\n  {values}" if values else "") + f"\n  {verdict.minimality}"
    else:
        text = f"{verdict.ordering}: realized" if isinstance(verdict, Realized) else str(verdict)
    found = verdict.distribution if isinstance(verdict, Refuted | Realized) and table else None
    return fold(text) + (f"\n\n{found}" if found is not None else "")


def _values(verdict: Refuted) -> str:
    """Return the values of what the claim compares."""
    certified = [(from_json(term), value) for term, value in verdict.certificate["values"]]
    named = {node: name for name, node in verdict.terms}
    numbers = [(term, _number(value)) for term, value in certified if term[0] != "q"]
    shown = [f"{text_of(term, verdict.distribution, named)} = {value}" for term, value in numbers]
    return ", ".join(shown[:_VALUES] + [f"... {len(shown) - _VALUES} more"] * (len(shown) > _VALUES))


def _number(value: str | list[str]) -> str:
    return to_text(Fraction(value), 0) if isinstance(value, str) else f"≈{decimal_text(Fraction(value[0]))}"


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as a document, without its certificate, which has a file of its own."""
    names = [field.name for field in dataclasses.fields(verdict) if field.name not in {"certificate", "terms"}]
    return titled("verdict", status=verdict.status, **{name: _plain(name, getattr(verdict, name)) for name in names})


def _plain(name: str, value: Any) -> Any:
    if name == "distribution":
        return json.loads(value.to_json())
    if isinstance(value, Shape):
        return {"cardinalities": list(value.cardinalities), "classes": value.classes}
    return dict(value) if name == "where" else value


def entries_document(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return entries of the ledger as a document."""
    return titled("audit", entries=[_entry(entry) for entry in entries])


def _entry(entry: Entry) -> Mapping[str, Any]:
    return {
        "id": entry.id,
        "paper": {name: getattr(entry.paper, name) for name in ("authors", "title", "year")},
        **{name: getattr(entry, name) for name in ("place", "words", "latex", "status")},
        "assumptions": list(entry.assumptions),
        "evidence": [_evidence(evidence) for evidence in entry.evidence],
        "needs": {name: _evidence(evidence) for name, evidence in entry.needs.items()},
        **{name: getattr(entry, name) for name in ("corrects", "remark")},
    }


def _evidence(evidence: Evidence) -> Mapping[str, Any]:
    return {field.name: getattr(evidence, field.name) for field in dataclasses.fields(evidence)}
