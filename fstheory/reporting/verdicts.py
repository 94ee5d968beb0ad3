"""Verdicts on claims, certificates and the ledger: as text for a terminal, and as versioned JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fstheory._exact import approximate, readable
from fstheory.logic import Realized, Refuted, Shape, Verdict
from fstheory.logic.nodes import from_json
from fstheory.logic.statement import located, text_of
from fstheory.reporting.document import titled
from fstheory.reporting.text import fold

if TYPE_CHECKING:
    from fstheory.ledger import Entry, Evidence

__all__ = ["entries_document", "verdict_document", "verdict_text"]

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
    return readable(Fraction(value)) if isinstance(value, str) else f"≈{approximate(Fraction(value[0]))}"


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
