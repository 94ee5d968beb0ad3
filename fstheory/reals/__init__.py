"""Exact real numbers: sums of logarithms and of square roots of rationals, with comparisons that are always decided."""

from __future__ import annotations

from fstheory.reals.logarithms import LogSum, log
from fstheory.reals.real import ExactReal
from fstheory.reals.roots import RootSum, sqrt

__all__ = ["ExactReal", "LogSum", "RootSum", "log", "sqrt"]
