"""Criteria, bounds and selections as text and as versioned JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory._check import Check
from fstheory._exact import decimal_text, exact_text, format_fraction
from fstheory.bounds import ShiftedRoot
from fstheory.criteria import Criterion
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum
from fstheory.reporting.document import exact_json, ordered
from fstheory.reporting.sections import name_of
from fstheory.reporting.text import columns
from fstheory.selection import (
    CMISelection,
    CMIStep,
    ErrorBound,
    ErrorRule,
    FeatureCountRule,
    FeatureScoreRule,
    FisherScore,
    ScoreDifferenceRule,
    Selection,
    SelectionStep,
    StoppingRule,
)
from fstheory.subsets import indices_of, order_by
from fstheory.table import SubsetTable

__all__ = [
    "Found",
    "bounds_document",
    "bounds_text",
    "criterion_document",
    "selection_document",
    "selection_text",
    "value_document",
    "value_text",
]

_LONGEST = 12  # characters of an exact number in a table of bounds


def criterion_document(table: SubsetTable[Any]) -> dict[str, Any]:
    """Return the values of a criterion, the best first, as a document."""
    ranks = int(table.ranks.max()) - table.ranks if table.larger_is_better else table.ranks
    positions = order_by(ranks, table.masks, len(table.features)).tolist()
    rows = [
        ([table.features[i] for i in indices_of(mask)], table.value_at(mask), level)
        for mask, level in zip(table.masks[positions].tolist(), ranks[positions].tolist(), strict=True)
    ]
    return _criterion_document(table, table.features, rows)


def value_document(
    criterion: Criterion[Any], features: Sequence[str], subset: Collection[str], value: Any
) -> dict[str, Any]:
    """Return the value of one subset as a document like that of a table."""
    return _criterion_document(criterion, features, [(ordered(subset, features), value, 0)])


def _criterion_document(
    criterion: Criterion[Any] | SubsetTable[Any], features: Sequence[str], rows: Iterable[tuple[list[str], Any, int]]
) -> dict[str, Any]:
    return {
        "schema": "fstheory/criterion",
        "version": 1,
        "criterion": criterion.name,
        "symbol": criterion.symbol,
        "larger_is_better": criterion.larger_is_better,
        "features": list(features),
        "values": [{"subset": subset, "value": exact_json(value), "level": level} for subset, value, level in rows],
    }


def value_text(criterion: Criterion[Any], features: Sequence[str], subset: Collection[str], value: Any) -> str:
    """Write the value of one subset."""
    exact, decimal = exact_text(value), decimal_text(value)
    more = "" if "≈" in exact or exact == decimal else f" ≈ {decimal}"
    return f"{criterion.name} of {name_of(subset, features)}: {exact}{more}"


def bounds_document(
    features: Sequence[str], removed: Collection[str], checks: Mapping[str, Check], reasons: Mapping[str, str]
) -> dict[str, Any]:
    """Return bounds that were evaluated, by name, as a document, and why others do not apply."""
    return {
        "schema": "fstheory/bounds",
        "version": 1,
        "features": list(features),
        "removed": ordered(removed, features),
        "bounds": [
            {
                "bound": name,
                "title": check.name,
                "statement": check.statement,
                "source": check.source,
                "left": exact_json(check.left),
                "relation": check.relation,
                "right": exact_json(check.right),
                "slack": exact_json(check.slack),
                "holds": check.holds,
                "tight": check.tight,
            }
            for name, check in checks.items()
        ],
        "not_applicable": [{"bound": name, "reason": reason} for name, reason in reasons.items()],
    }


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
    missing = [f"{', '.join(names)}: {reason}" for reason, names in groups.items()]
    return "\n".join(
        [title, "", *columns(rows, "", (1, 2, 3)), *(["", "Not for this distribution:"] if missing else [])]
        + [f"  {line}" for line in missing]
    )


def _short(value: Any) -> str:
    """Write a rational exactly while it is short, all else rounded."""
    if isinstance(value, LogSum | RootSum) and value.is_rational():
        value = value.as_fraction()
    exact = exact_text(value) if isinstance(value, Fraction) else ""
    return exact if 0 < len(exact) <= _LONGEST else decimal_text(value)


Found: TypeAlias = Selection | CMISelection | Mapping[str, FisherScore]
"""What the methods of selection return."""


def selection_text(found: Found) -> str:
    """Write a selection for people."""
    if isinstance(found, Selection | CMISelection):
        return str(found)
    width = max(map(len, found), default=0)
    lines = [f"  {i}. {name.ljust(width)}  {score}" for i, (name, score) in enumerate(found.items(), 1)]
    return "\n".join([f"{', '.join(found) or 'no features'} by Fisher score", *lines])


def selection_document(found: Found) -> dict[str, Any]:
    """Return a selection with its trace as a document."""
    if isinstance(found, Selection):
        body = _by_criterion(found)
    elif isinstance(found, CMISelection):
        body = _by_information(found)
    else:
        body = {"method": "fisher", "features": list(found), "scores": [_fisher(*item) for item in found.items()]}
    return {"schema": "fstheory/selection", "version": 1, **body}


def _by_criterion(found: Selection) -> dict[str, Any]:
    return {
        "method": found.method,
        "criterion": found.criterion,
        "features": list(found.features),
        "value": None if found.value is None else exact_json(found.value),
        "has_ties": found.has_ties,
        "subsets": [_in_order(subset, found.features) for subset in found.subsets],
        "trace": [_step(step) for step in found.trace],
    }


def _step(step: SelectionStep | CMIStep) -> dict[str, Any]:
    return {
        "chosen": step.chosen,
        "tied": list(step.tied),
        "values": {name: exact_json(value) for name, value in step.values},
    }


def _by_information(found: CMISelection) -> dict[str, Any]:
    guarantee = found.guarantee
    return {
        "method": found.direction,
        "problem": found.model.problem,
        "rule": _rule(found.stop),
        "features": list(found.features),
        "error": format_fraction(found.error),
        "least_error": format_fraction(found.least_error),
        "information": exact_json(found.information),
        "lost": exact_json(found.lost),
        "bound": _bound(found.bound),
        "sharp_bound": _bound(found.sharp_bound),
        "guarantee": None if guarantee is None else {"statement": guarantee.statement, "holds": guarantee.holds},
        "trace": [
            {
                **_step(step),
                "made": step.made,
                "sum": exact_json(step.total),
                "lost": exact_json(step.lost),
                "error": format_fraction(step.error),
                "bound": _bound(step.bound),
                "sharp_bound": _bound(step.sharp_bound),
            }
            for step in found.trace
        ],
    }


def _rule(stop: StoppingRule) -> dict[str, Any]:
    parts: dict[str, Any] = {"name": stop.symbol}
    if isinstance(stop, FeatureCountRule):
        parts["k"] = stop.k
    elif isinstance(stop, ErrorRule):
        parts |= {"delta": format_fraction(stop.delta), "printed": stop.printed, "sharp": stop.sharp}
    elif isinstance(stop, FeatureScoreRule | ScoreDifferenceRule):
        parts["threshold"] = format_fraction(stop.threshold)
    return parts


def _bound(bound: ErrorBound) -> Any:
    return exact_json(ShiftedRoot(bound.least, bound.excess) if bound.root else bound.excess + bound.least)


def _fisher(name: str, score: FisherScore) -> dict[str, Any]:
    value = "infinite" if score.is_infinite else format_fraction(score.value)
    return {"feature": name, "value": value}


def _in_order(subset: Iterable[str], features: Iterable[str]) -> list[str]:
    """Return the names of a subset, those of the returned one in its order."""
    members = set(subset)
    first = [name for name in features if name in members]
    return first + sorted(members - set(first))
