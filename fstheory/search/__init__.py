"""Proofs for all distributions of a shape, and the smallest counterexamples."""

from fstheory.search.needed import needed_assumptions
from fstheory.search.prove import prove
from fstheory.search.refute import refute

__all__ = ["needed_assumptions", "prove", "refute"]
