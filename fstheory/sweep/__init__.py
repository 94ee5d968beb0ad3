"""The 3^n sweep: a value for every subset of the features in one pass, exact for weights of any size."""

from __future__ import annotations

from fstheory.sweep.engine import subset_sums
from fstheory.sweep.maximum import maximum_sums

__all__ = ["maximum_sums", "subset_sums"]
