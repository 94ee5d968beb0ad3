"""Exact real numbers: sums of logarithms and of square roots of rationals, with comparisons that are always decided."""

from __future__ import annotations

from fstheory.reals.logarithms import LogSum, log
from fstheory.reals.real import ExactReal as ExactReal  # a type, for annotations
from fstheory.reals.roots import RootSum, sqrt

__all__ = ["LogSum", "RootSum", "log", "sqrt"]
