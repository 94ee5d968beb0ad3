"""Distributions whose Bayes risks are ordered, or valued, as prescribed: the construction of Theorem 1."""

from fstheory.adversary.prescribed import adversarial_favoring, adversarial_with_risks
from fstheory.adversary.theorem1 import adversarial

__all__ = ["adversarial", "adversarial_favoring", "adversarial_with_risks"]
