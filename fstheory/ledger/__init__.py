"""The ledger: what the papers say, and what is true."""

from fstheory.ledger.audit import Audit, Audited, Ledger, audit, claims, verify_certificate
from fstheory.ledger.entry import Entry, Evidence, Paper

__all__ = ["Audit", "Audited", "Entry", "Evidence", "Ledger", "Paper", "audit", "claims", "verify_certificate"]
