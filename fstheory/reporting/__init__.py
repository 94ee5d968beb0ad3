"""The answers on one distribution, computed once and written down as text, JSON and a page."""

from fstheory.reporting.document import (
    curve_document,
    exact_json,
    fitted_document,
    gain_document,
    generator,
    minimal_optimal_document,
    risks_document,
    rows_document,
)
from fstheory.reporting.reporting import Report, report
from fstheory.reporting.results import (
    Found,
    bounds_document,
    bounds_text,
    criterion_document,
    selection_document,
    selection_text,
    value_document,
    value_text,
)
from fstheory.reporting.sample_report import SampleReport, SubsetRisks
from fstheory.reporting.text import fold
from fstheory.reporting.verdicts import entries_document, verdict_document, verdict_text

__all__ = [
    "Found", "Report", "SampleReport", "SubsetRisks", "bounds_document", "bounds_text", "criterion_document",
    "curve_document", "entries_document", "exact_json", "fitted_document", "fold", "gain_document", "generator",
    "minimal_optimal_document", "report", "risks_document", "rows_document", "selection_document", "selection_text",
    "value_document", "value_text", "verdict_document", "verdict_text",
]  # fmt: skip
