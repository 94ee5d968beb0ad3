"""Theorems for Coq: a certificate of a proof as a file that the Coq proof assistant checks from the definitions."""

from fstheory.coq.sources import LIBRARY, coq_name, library, recorded
from fstheory.coq.theorem import coq_theorem

__all__ = ["LIBRARY", "coq_name", "coq_theorem", "library", "recorded"]
