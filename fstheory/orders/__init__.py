"""Linear extensions of the subset lattice: the strict orders that Bayes risks may have.

An order lists all 2**n subsets from the smallest risk (all features) to the largest (none), every
superset before its subsets: the S_1, .., S_2^n of Peña and Nilsson's Theorem 1.
"""

from fstheory.orders.constraints import linear_extension_with
from fstheory.orders.extensions import Rng, count_linear_extensions, linear_extensions, random_linear_extension
from fstheory.orders.lattice import Order, check_linear_extension

__all__ = [
    "Order",
    "Rng",
    "check_linear_extension",
    "count_linear_extensions",
    "linear_extension_with",
    "linear_extensions",
    "random_linear_extension",
]
