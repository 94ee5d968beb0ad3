"""Theorems for Coq: a certificate of a proof as a file that the Coq proof assistant checks from the definitions."""
