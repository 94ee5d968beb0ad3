"""Selections as text and as versioned JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from fstheory._rational import format_fraction
from fstheory.bounds import ShiftedRoot
from fstheory.reporting.exact import exact_json
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

__all__ = ["Found", "selection_document", "selection_text"]

Found: TypeAlias = Selection | CMISelection | Mapping[str, FisherScore]
"""What the methods of selection return."""


def selection_text(found: Found) -> str:
    """Write a selection for people.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> from fstheory.selection import fisher_scores
    >>> print(selection_text(fisher_scores(JointDistribution([[[2, 0], [1, 0]], [[1, 2], [0, 2]]]))))
    X1, X2 by Fisher score
      1. X1  3/2
      2. X2  1/14
    """
    if isinstance(found, Selection | CMISelection):
        return str(found)
    width = max(map(len, found), default=0)
    lines = [f"  {i}. {name.ljust(width)}  {score}" for i, (name, score) in enumerate(found.items(), 1)]
    return "\n".join([f"{', '.join(found) or 'no features'} by Fisher score", *lines])


def selection_document(found: Found) -> dict[str, Any]:
    """Return a selection with its trace as a document.

    Returns
    -------
    dict
        ``method`` and ``features``, in the order of selection; and what the method knows: ``value`` of a criterion with
        ``trace``; the errors, bounds and ``trace`` of backward and forward selection; the ``scores`` of Fisher.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import select
    >>> document = selection_document(select(gallery.titanic(), 1))
    >>> document["features"], document["trace"][0]["values"]["age"]
    (['sex'], '706/2201')
    """
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
