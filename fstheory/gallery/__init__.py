"""Named distributions with their source, built exactly from their definition.

Each is a function that returns a `JointDistribution`; those without arguments of their own, and the
common choices of the others, are also known by a name to `load`, to `describe` and to the command line.
"""

from fstheory.gallery.concepts import corral, correlated_xor, monks, parity, xor
from fstheory.gallery.failures import copies, recoded, ties, with_copy
from fstheory.gallery.papers import ahmed_example_1, cover, pena_nilsson_example_1, toussaint
from fstheory.gallery.published import asia, berkeley, led, titanic
from fstheory.gallery.randomized import random
from fstheory.gallery.registry import describe, load, names

__all__ = ["ahmed_example_1", "asia", "berkeley", "copies", "corral", "correlated_xor", "cover", "describe", "led"]
__all__ += ["load", "monks", "names", "parity", "pena_nilsson_example_1", "random", "recoded", "ties", "titanic"]
__all__ += ["toussaint", "with_copy", "xor"]
