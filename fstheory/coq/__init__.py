"""Theorems for Coq: a certificate of a proof as a file that the Coq proof assistant checks from the definitions."""

from fstheory.coq.theorem import LIBRARY, coq_name, coq_theorem, library, recorded

__all__ = ["LIBRARY", "coq_name", "coq_theorem", "library", "recorded"]
