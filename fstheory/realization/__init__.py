"""Distributions whose Bayes risks have a given weak ordering, or the proof that there is none."""

from fstheory.realization.realize import realize

__all__ = ["realize"]
