"""Criteria, bounds and selections as text and as versioned JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory import selection
from fstheory._check import Check
from fstheory._exact import decimal_text, exact_text, format_fraction
from fstheory.bounds import ShiftedRoot
from fstheory.criteria import Criterion
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum
from fstheory.reporting.document import exact_json, in_order, ordered, titled
from fstheory.reporting.sections import name_of
from fstheory.reporting.text import columns
from fstheory.table import SubsetTable

__all__ = [
    "Found", "bounds_document", "bounds_text", "criterion_document", "selection_document", "selection_text",
    "value_document", "value_text",
]  # fmt: skip

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
    exact, decimal = exact_text(value), decimal_text(value)
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
    exact = exact_text(value) if isinstance(value, Fraction) else ""
    return exact if 0 < len(exact) <= _LONGEST else decimal_text(value)


Found: TypeAlias = selection.Selection | selection.CMISelection | Mapping[str, selection.FisherScore]
"""What the methods of selection return."""


def selection_text(found: Found) -> str:
    """Write a selection for people."""
    if isinstance(found, selection.Selection | selection.CMISelection):
        return str(found)
    width = max(map(len, found), default=0)
    lines = [f"  {i}. {name.ljust(width)}  {score}" for i, (name, score) in enumerate(found.items(), 1)]
    return "\n".join([f"{', '.join(found) or 'no features'} by Fisher score", *lines])


def selection_document(found: Found) -> dict[str, Any]:
    """Return a selection with its trace as a document."""
    if isinstance(found, selection.Selection):
        body = _by_criterion(found)
    elif isinstance(found, selection.CMISelection):
        body = _by_information(found)
    else:
        values = {name: "infinite" if s.is_infinite else format_fraction(s.value) for name, s in found.items()}
        scores = [{"feature": name, "value": value} for name, value in values.items()]
        body = {"method": "fisher", "features": list(found), "scores": scores}
    return titled("selection", **body)


def _by_criterion(found: selection.Selection) -> dict[str, Any]:
    return {
        "method": found.method,
        "criterion": found.criterion,
        "features": list(found.features),
        "value": None if found.value is None else exact_json(found.value),
        "has_ties": found.has_ties,
        "subsets": [ordered(subset, found.features) + sorted(subset - set(found.features)) for subset in found.subsets],
        "trace": [_step(step) for step in found.trace],
    }


def _step(step: selection.SelectionStep | selection.CMIStep) -> dict[str, Any]:
    values = {name: exact_json(value) for name, value in step.values}
    return {"chosen": step.chosen, "tied": list(step.tied), "values": values}


def _by_information(found: selection.CMISelection) -> dict[str, Any]:
    guarantee, names = found.guarantee, ("error", "least_error", "information", "lost")
    trace = [
        {**_step(step), "made": step.made, "sum": exact_json(step.total), "lost": exact_json(step.lost)}
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


def _rule(stop: selection.StoppingRule) -> dict[str, Any]:
    parts: dict[str, Any] = {"name": stop.symbol}
    if isinstance(stop, selection.FeatureCountRule):
        parts["k"] = stop.k
    elif isinstance(stop, selection.ErrorRule):
        parts |= {"delta": format_fraction(stop.delta), "printed": stop.printed, "sharp": stop.sharp}
    elif isinstance(stop, selection.FeatureScoreRule | selection.ScoreDifferenceRule):
        parts["threshold"] = format_fraction(stop.threshold)
    return parts


def _bounds(found: selection.CMISelection | selection.CMIStep) -> dict[str, Any]:
    bounds = {"bound": found.bound, "sharp_bound": found.sharp_bound}
    return {
        name: exact_json(ShiftedRoot(bound.least, bound.excess) if bound.root else bound.excess + bound.least)
        for name, bound in bounds.items()
    }
