"""A report and its parts as versioned JSON, with exact numbers as strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import metadata
from typing import Any

from fstheory._check import Check
from fstheory._exact import format_fraction
from fstheory.bounds import ShiftedRoot
from fstheory.distribution import Label
from fstheory.errors import InvalidTypeError, explain
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum, sqrt
from fstheory.reporting.comparison import CriterionOptima, Disagreement
from fstheory.selection import MinimalOptimal, Relevance, ResamplingTest, RiskTest, Step
from fstheory.subsets import indices_of, order_by
from fstheory.table import SubsetTable

__all__ = [
    "MOST_SUBSETS", "assumptions", "criteria", "exact_json", "generator", "label", "minimal_optimal_document",
    "ordered", "relevance", "risks_document", "within_report",
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
    terms = [[format_fraction(coefficient), format_fraction(argument)] for coefficient, argument in value.terms]
    document: dict[str, Any] = {"constant": format_fraction(value.constant)}
    if isinstance(value, LogSum):
        document |= {"logs": terms, "base": None if value.base is None else format_fraction(value.base)}
    else:
        document["roots"] = terms
    return {**document, "decimal": value.decimal(_DIGITS)}


def generator() -> str:
    """Return the name and version of this program."""
    try:
        return f"fstheory {metadata.version('fstheory')}"
    except metadata.PackageNotFoundError:  # a checkout that is run without being installed
        return "fstheory (not installed)"


def risks_document(table: SubsetTable[Fraction], most: int | None = None) -> dict[str, Any]:
    """Return the values of a table, smallest first and those of equal value by size, as a document."""
    positions = order_by(table.ranks, table.masks, len(table.features))[:most].tolist()
    return {
        "schema": "fstheory/risks",
        "version": 1,
        "features": list(table.features),
        "count": len(table),
        "complete": len(positions) == len(table),
        "risks": [
            {
                "subset": [table.features[i] for i in indices_of(mask)],
                "risk": format_fraction(table.value_at(mask)),
                "level": level,
            }
            for mask, level in zip(table.masks[positions].tolist(), table.ranks[positions].tolist(), strict=True)
        ],
    }


def minimal_optimal_document(found: MinimalOptimal) -> dict[str, Any]:
    """Return the answer of one method to the minimal-optimal problem as a document."""
    d = found.distribution
    return {
        "schema": "fstheory/minimal-optimal",
        "version": 1,
        "method": found.method,
        "subset": ordered(found.features, d.features),
        "risk": format_fraction(found.risk),
        "guaranteed": found.guaranteed,
        "is_solution": found.is_solution,
        "is_unique": found.is_unique,
        "solutions": [ordered(subset, d.features) for subset in found.solutions],
        "assumptions": assumptions(found.positive, found.unique_maximum),
        "trace": [_step(step, d.features, few=d.weights.size <= _SUMMED) for step in found.trace],
    }


def within_report(found: MinimalOptimal) -> dict[str, Any]:
    """Return the document of an answer without what the report says of all of them."""
    return {key: value for key, value in minimal_optimal_document(found).items() if key not in _SAID_ONCE}


def criteria(
    compared: Iterable[CriterionOptima], disagreements: Iterable[Disagreement], features: Sequence[str]
) -> dict[str, Any]:
    """Return the best subsets of each size by each criterion, and those of more than the least risk."""
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
                        "subsets": [ordered(subset, features) for subset in level.subsets],
                    }
                    for k, level in enumerate(criterion.optima)
                ],
            }
            for criterion in compared
        ],
        "disagreements": [
            {
                "k": found.size,
                "criterion": found.title,
                "subset": ordered(found.subset, features),
                "risk": format_fraction(found.risk),
                "least_risk": format_fraction(found.least),
                "always": found.always,
            }
            for found in disagreements
        ],
    }


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
    return {
        "strong": ordered(found.strong, features),
        "weak": ordered(found.weak, features),
        "irrelevant": ordered(found.irrelevant, features),
        "witnesses": [
            {"feature": w.feature, "state": _state(w.state), "values": [label(value) for value in w.values]}
            for w in (found.witnesses[name] for name in ordered(found.witnesses, features))
        ],
    }


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
    raise InvalidTypeError(
        explain("every state", "a string, an integer, a boolean or a tuple of these in JSON", state, "relabel it")
    )


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
