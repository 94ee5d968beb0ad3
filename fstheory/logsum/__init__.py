"""Exact sums of logarithms of rationals: arithmetic, and comparisons that are always decided."""

from __future__ import annotations

from fstheory.logsum.logarithms import LogSum, log
from fstheory.logsum.real import ExactReal

__all__ = ["ExactReal", "LogSum", "log"]
