"""The smallest counterexamples to claims, and which assumptions a claim needs."""

from fstheory.counterexamples.refute import needed_assumptions, refute

__all__ = ["needed_assumptions", "refute"]
