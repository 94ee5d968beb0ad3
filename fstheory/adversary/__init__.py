"""Distributions whose Bayes risks are ordered, or valued, as prescribed: the construction of Theorem 1."""

from fstheory.adversary.favoring import adversarial_favoring
from fstheory.adversary.risks import adversarial_with_risks
from fstheory.adversary.theorem1 import adversarial

__all__ = ["adversarial", "adversarial_favoring", "adversarial_with_risks"]
