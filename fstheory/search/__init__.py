"""Proofs for all distributions of a shape, the smallest counterexamples, and realizable orderings."""

from fstheory.search.needed import needed_assumptions
from fstheory.search.prove import prove
from fstheory.search.realize import realize
from fstheory.search.refute import refute

__all__ = ["needed_assumptions", "prove", "realize", "refute"]
