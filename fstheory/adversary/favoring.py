"""One subset better than all others of its size, by any factor: the remark after Theorem 1."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fstheory._rational import Exact, as_fraction
from fstheory.adversary.alpha import balance, read_alpha
from fstheory.adversary.cells import cell_counts, shape_of, spread
from fstheory.adversary.masses import least_masses, risk_of
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.orders.lattice import base_order, resolve_features
from fstheory.subsets import Subset, format_subset, indices_of, is_subset, mask_of

__all__ = ["adversarial_favoring"]


def adversarial_favoring(
    subset: Subset,
    *,
    factor: Exact,
    features: int | Iterable[str],
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    alpha: Exact | None = None,
    target: str | None = None,
) -> JointDistribution:
    """Return a distribution where one subset is better by a factor than all others of its size.

    A search that does not look at this subset then returns one whose Bayes risk is at least `factor`
    times the least of its size, however large the factor.

    Parameters
    ----------
    subset : iterable of str
        The favored subset, neither empty nor all features (those are alone in their size).
    factor : exact number
        Above 1. Every other subset T of the size has R(T) >= factor * R(subset).
    features : int or iterable of str
        The names in the order of the axes, or how many X1, .., Xn there are.
    cardinalities, classes, alpha, target
        As for `adversarial`.

    Returns
    -------
    JointDistribution
        With p(x) > 0 and a unique maximum of p(Y|x) for all x, and all Bayes risks different. The
        supersets of `subset` have the smallest risks, then `subset`; all the rest, of any size, have at
        least `factor` times its risk, which is not 0.

    Raises
    ------
    InvalidValueError
        The subset is alone in its size, or `factor` or another number is out of its range.
    UnknownNameError
        A name is not among `features`.
    TooLargeError
        The table would not fit in memory.

    Notes
    -----
    1. Order the supersets of S first, then S, then the rest, each by falling size.
    2. Give the least masses as `adversarial` does; R(S) is now fixed.
    3. A subset that does not hold S lacks a feature i of S, so X without i is one of its supersets. Give
       those at least factor * R(S), and the masses again. Nothing up to S changes.

    The paper says "arbitrarily smaller". That is a matter of the ratio: the difference of two risks
    is less than 1 - alpha < 1/2 here.

    References
    ----------
    J. M. Peña and R. Nilsson, On the complexity of discrete feature selection for optimal
    classification, the remark after Theorem 1.

    Examples
    --------
    >>> d = adversarial_favoring(["X2"], factor=100, features=3)
    >>> [str(d.probability({name: 0, "Y": 1})) for name in d.features]
    ['402/815', '4/815', '403/815']
    """
    names = resolve_features(features)
    favored, n = mask_of(subset, names), len(names)
    if favored in {0, 2**n - 1}:
        raise InvalidValueError(
            explain("subset", "neither empty nor full", format_subset(favored, names), "favor another")
        )
    ratio = as_fraction(factor, "factor")
    if ratio <= 1:
        raise InvalidValueError(explain("factor", "above 1", str(factor), "pass factor=2, say"))
    shape = shape_of(cardinalities, classes, names)
    exact = read_alpha(alpha, n)
    order = sorted(base_order(n).tolist(), key=lambda mask: not is_subset(favored, mask))  # stable
    floors = cell_counts(shape[:-1])
    threshold = math.ceil(ratio * risk_of(favored, least_masses(order, floors)))
    for i in indices_of(favored):
        without = 2**n - 1 ^ 1 << i
        floors[without] = max(floors[without], threshold)
    masses, class_0 = balance(least_masses(order, floors), exact)
    return spread(masses, class_0, shape, names, target)
