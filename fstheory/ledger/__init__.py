"""The ledger: what the papers say, and what is true."""

from fstheory.ledger.audit import Audit, Audited, audit
from fstheory.ledger.entry import Entry, Evidence, Paper
from fstheory.ledger.index import Ledger, claims, verify_certificate

__all__ = ["Audit", "Audited", "Entry", "Evidence", "Ledger", "Paper", "audit", "claims", "verify_certificate"]
