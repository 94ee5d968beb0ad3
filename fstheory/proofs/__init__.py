"""Proofs of claims for all distributions of a shape, by solvers and by cases that a checker verifies."""

from fstheory.proofs.prover import prove

__all__ = ["prove"]
