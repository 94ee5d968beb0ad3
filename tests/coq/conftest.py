"""The compiled library, for all tests of this room."""

from tests.coq.test_theorems import coqc

__all__ = ["coqc"]
