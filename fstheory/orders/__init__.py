"""Linear extensions of the subset lattice: the strict orders that Bayes risks may have.

An order lists all 2**n subsets from the smallest risk (all features) to the largest (none), every
superset before its subsets: the S_1, .., S_2^n of Peña and Nilsson's Theorem 1.
"""

from fstheory.orders.checking import Order, check_linear_extension
from fstheory.orders.counting import count_linear_extensions
from fstheory.orders.drawing import Rng, random_linear_extension
from fstheory.orders.listing import linear_extensions
from fstheory.orders.wishes import linear_extension_with

__all__ = [
    "Order",
    "Rng",
    "check_linear_extension",
    "count_linear_extensions",
    "linear_extension_with",
    "linear_extensions",
    "random_linear_extension",
]
