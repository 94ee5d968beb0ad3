"""A report, or a part of one, as versioned JSON with exact numbers as strings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import metadata
from typing import Any

from fstheory._exact import format_fraction
from fstheory.bounds import ShiftedRoot
from fstheory.distribution import AssumptionCheck, Label
from fstheory.errors import InvalidTypeError, explain
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum, sqrt
from fstheory.reporting.facts import Facts
from fstheory.reporting.words import ranked
from fstheory.selection import MinimalOptimal, ResamplingTest, RiskTest, Step
from fstheory.subsets import indices_of
from fstheory.table import SubsetTable

__all__ = [
    "MOST_CELLS",
    "MOST_SUBSETS",
    "exact_json",
    "generator",
    "minimal_optimal_document",
    "render_json",
    "risks_document",
]

_DIGITS = 12


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
    terms = [[format_fraction(coefficient), format_fraction(argument)] for coefficient, argument in value.terms]
    document: dict[str, Any] = {"constant": format_fraction(value.constant)}
    if isinstance(value, LogSum):
        document |= {"logs": terms, "base": None if value.base is None else format_fraction(value.base)}
    else:
        document["roots"] = terms
    return {**document, "decimal": value.decimal(_DIGITS)}


MOST_SUBSETS = 2**12  # in report.json; `fstheory risks --json` has all
MOST_CELLS = 2**16
_SUMMED = 2**12  # cells up to which the probabilities of Theorem 7 are worth their digits


def generator() -> str:
    """Return the name and version of this program."""
    try:
        return f"fstheory {metadata.version('fstheory')}"
    except metadata.PackageNotFoundError:  # a checkout that is run without being installed
        return "fstheory (not installed)"


def render_json(facts: Facts) -> str:
    """Return the JSON text of a report."""
    return json.dumps(_report_document(facts), ensure_ascii=False, indent=1)


def risks_document(table: SubsetTable[Fraction], most: int | None = None) -> dict[str, Any]:
    """Return the values of a table, smallest first, as a document."""
    listed = ranked(table, len(table) if most is None else most)
    return {
        "schema": "fstheory/risks",
        "version": 1,
        "features": list(table.features),
        "count": len(table),
        "complete": len(listed) == len(table),
        "risks": [
            {
                "subset": [table.features[i] for i in indices_of(row.mask)],
                "risk": format_fraction(row.value),
                "level": row.level,
            }
            for row in listed
        ],
    }


def minimal_optimal_document(found: MinimalOptimal) -> dict[str, Any]:
    """Return the answer of one method to the minimal-optimal problem as a document."""
    d = found.distribution
    return {
        "schema": "fstheory/minimal-optimal",
        "version": 1,
        "method": found.method,
        "subset": _ordered(found.features, d.features),
        "risk": format_fraction(found.risk),
        "guaranteed": found.guaranteed,
        "is_solution": found.is_solution,
        "is_unique": found.is_unique,
        "solutions": [_ordered(subset, d.features) for subset in found.solutions],
        "assumptions": _assumptions(found.positive, found.unique_maximum),
        "trace": [_step(step, d.features, few=d.weights.size <= _SUMMED) for step in found.trace],
    }


def _report_document(facts: Facts) -> dict[str, Any]:
    d = facts.distribution
    risks = risks_document(facts.risks, MOST_SUBSETS)
    methods = {name: _without_header(minimal_optimal_document(found)) for name, found in facts.methods.items()}
    return {
        "schema": "fstheory/report",
        "version": 1,
        "generator": generator(),
        "name": facts.name,
        "features": [{"name": name, "states": [_label(x) for x in d.states[name]]} for name in d.features],
        "target": {"name": d.target, "states": [_label(y) for y in d.classes]},
        "total_weight": format_fraction(d.total),
        "assumptions": _assumptions(facts.positive, facts.unique_maximum),
        "minimal_optimal": {
            "risk": format_fraction(facts.risks.minimum),
            "risk_without_features": format_fraction(facts.risks[()]),
            "guaranteed": facts.guaranteed,
            "is_unique": facts.is_unique,
            "agree": facts.agree,
            "solutions": [_ordered(subset, d.features) for subset in facts.solutions],
            "methods": methods,
        },
        "risks": {key: risks[key] for key in ("count", "complete", "risks")},
        "k_optimal": [
            {
                "k": k,
                "risk": format_fraction(level.value),
                "count": len(level.subsets),
                "subsets": [_ordered(subset, d.features) for subset in level.subsets[:MOST_SUBSETS]],
            }
            for k, level in enumerate(facts.optima)
        ],
        "criteria": _criteria(facts) if facts.criteria else None,
        "relevance": _relevance(facts),
        "markov_blankets": [_ordered(blanket, d.features) for blanket in facts.blankets],
        "distribution": json.loads(d.to_json()) if d.weights.size <= MOST_CELLS else None,
    }


def _criteria(facts: Facts) -> dict[str, Any]:
    features = facts.distribution.features
    return {
        "compared": [
            {
                "criterion": criterion.title,
                "symbol": criterion.symbol,
                "larger_is_better": criterion.larger_is_better,
                "by_size": [
                    {
                        "k": k,
                        "value": exact_json(level.value),
                        "subsets": [_ordered(subset, features) for subset in level.subsets],
                    }
                    for k, level in enumerate(criterion.optima)
                ],
            }
            for criterion in facts.criteria
        ],
        "disagreements": [
            {
                "k": found.size,
                "criterion": found.title,
                "subset": _ordered(found.subset, features),
                "risk": format_fraction(found.risk),
                "least_risk": format_fraction(found.least),
                "always": found.always,
            }
            for found in facts.disagreements
        ],
    }


def _without_header(document: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what the report says once."""
    return {k: v for k, v in document.items() if k not in {"schema", "version", "method", "assumptions", "is_unique"}}


def _assumptions(positive: AssumptionCheck, unique_maximum: AssumptionCheck) -> dict[str, Any]:
    ties = [_label(label) for label in unique_maximum.maximizers]
    return {
        "positive": {"holds": positive.holds, "witness": _state(positive.witness)},
        "unique_maximum": {
            "holds": unique_maximum.holds,
            "witness": _state(unique_maximum.witness),
            "maximizers": ties,
        },
    }


def _step(step: Step, features: Sequence[str], *, few: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"candidate": step.candidate, "removed": step.removed}
    if isinstance(step, RiskTest):
        entry["subset"] = _ordered(step.subset, features)
        entry["risk"], entry["risk_without"] = format_fraction(step.before), format_fraction(step.without)
    elif isinstance(step, ResamplingTest):
        entry["probability"] = format_fraction(step.probability) if few or step.removed else None
    return entry


def _relevance(facts: Facts) -> dict[str, Any]:
    found, features = facts.relevance, facts.distribution.features
    witnesses = [found.witnesses[name] for name in features if name in found.witnesses]
    return {
        "strong": _ordered(found.strong, features),
        "weak": _ordered(found.weak, features),
        "irrelevant": _ordered(found.irrelevant, features),
        "witnesses": [
            {"feature": w.feature, "state": _state(w.state), "values": [_label(value) for value in w.values]}
            for w in witnesses
        ],
    }


def _ordered(subset: Iterable[str], features: Sequence[str]) -> list[str]:
    members = set(subset)
    return [name for name in features if name in members]


def _state(state: Mapping[str, Label] | None) -> dict[str, Any] | None:
    return None if state is None else {name: _label(label) for name, label in state.items()}


def _label(label: Label) -> Any:
    """Return a label as the distribution's own JSON writes it."""
    if isinstance(label, str | int):
        return label
    if isinstance(label, tuple):
        return [_label(part) for part in label]
    raise InvalidTypeError(
        explain("every state", "a string, an integer, a boolean or a tuple of these in JSON", label, "relabel it")
    )
