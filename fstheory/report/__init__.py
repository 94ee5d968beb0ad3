"""The answers on one distribution, computed once and written down as text, JSON and a page."""

from fstheory.report.document import generator, minimal_optimal_document, risks_document
from fstheory.report.reporting import Report, report
from fstheory.report.text import fold

__all__ = ["Report", "fold", "generator", "minimal_optimal_document", "report", "risks_document"]
