"""Distributions with prescribed orderings, and with one subset better than the others of its size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, integers_over
from fstheory._support.memory import require_cells
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import require, require_listed
from fstheory.lattice.extensions import Order, base_order, order_masks, resolve_features
from fstheory.lattice.subsets import Subset, format_subset, indices_of, is_subset, mask_of


def read_alpha(alpha: Exact | None, n: int) -> Fraction | None:
    """Return alpha as a Fraction. Raise an error unless it is strictly between 1/2 and 1."""
    if alpha is None:
        return None
    value = as_fraction(alpha, "alpha", above=Fraction(1, 2), below=1, repair="pass alpha='3/4', say")
    repair = "the only risk is 0 then, so p(Y=0) = 1"
    require(n, "alpha", "left out when there are no features", str(alpha), repair)
    return value


def balance(masses: list[int], alpha: Fraction | None) -> tuple[list[int], int]:
    """Return the masses and the weight of class 0.

    Without alpha the weight of class 0 is the least possible. With alpha it is chosen so that p(X = 0, Y = 0) = alpha,
    and the mass of the empty subset may be raised.
    """
    total = sum(masses)
    if alpha is None:
        return masses, total + 1
    # Class 0 needs the total times a / (b - a), an integer only if b - a divides the total. The empty subset comes
    # last, so its mass may grow without disturbing the order.
    rest = alpha.denominator - alpha.numerator
    missing = -total % rest
    return [masses[0] + missing, *masses[1:]], (total + missing) // rest * alpha.numerator


def shape_of(cardinalities: Iterable[int] | None, classes: int, features: Sequence[str]) -> tuple[int, ...]:
    """Return the shape of the table, the classes last. Raise an error if the numbers do not fit, or are too large."""
    n = len(features)
    given, repair = (2,) * n if cardinalities is None else cardinalities, f"write {(2,) * min(n, 4)}"
    sizes = tuple(require_listed(given, "cardinalities", "a sequence, one for each feature", repair))
    wanted = f"{n} numbers of states, one for each feature"
    require(len(sizes) == n, "cardinalities", wanted, sizes, "add or drop some")
    checked = [as_index(size, f"cardinalities[{i}]", at_least=2) for i, size in enumerate(sizes)]
    shape = (*checked, as_index(classes, "classes", at_least=2))
    # Memory for the table, the subset and the rank of each cell, and for the distribution itself.
    require_cells(shape, "the distribution", "use fewer features, states or classes", 24)
    return shape


def cell_counts(cardinalities: Sequence[int]) -> list[int]:
    """Return by mask the number of cells of each subset. In them, exactly the features of the subset are 0."""
    counts = [1]
    for size in cardinalities:
        counts = [count * (size - 1) for count in counts] + counts
    return counts


def spread(
    masses: Sequence[int], class_0: int, shape: Sequence[int], features: Sequence[str], target: str | None
) -> JointDistribution:
    """Return the distribution in which the mass of each subset is spread evenly over its cells.

    If a mass is not divisible by the number of cells, the first cells get one unit more.
    """
    dtype = np.int64 if class_0 + sum(masses) < 2**63 else object
    subset = np.zeros(tuple(shape[:-1]), dtype=np.int64)  # for each cell the mask of the features that are 0 there
    rank = np.zeros_like(subset)  # and its number among the cells of that mask
    for i, (size, state) in enumerate(zip(shape, np.indices(shape[:-1], sparse=True), strict=False)):
        subset |= (state == 0).astype(np.int64) << i
        rank = rank * np.where(state == 0, 1, size - 1) + np.maximum(state - 1, 0)
    shares = [divmod(mass, count) for mass, count in zip(masses, cell_counts(shape[:-1]), strict=True)]
    evenly = np.array([share for share, _ in shares], dtype=dtype)
    larger = np.array([left for _, left in shares], dtype=np.int64)
    weights = np.zeros(tuple(shape), dtype=dtype)
    weights[..., 1] = evenly[subset]
    weights[..., 1] += rank < larger[subset]
    weights[(0,) * len(shape)] = class_0
    return JointDistribution(weights, features=features, target=target)


def least_masses(order: Sequence[int], floors: Sequence[int]) -> list[int]:
    """Return masses by mask, which put the risks in a given order. Each mass is at least its floor.

    Each mass is the least, given the masses before it, for which R(S) is above the risk before it.
    """
    n = (len(order) - 1).bit_length()
    low_bits = 2 * n // 5  # sums run in C, updates do not: fewer of these
    inner = [[low for low in range(2**low_bits) if is_subset(low, top)] for top in range(2**low_bits)]
    highs = range(2 ** (n - low_bits))
    outer = [[high for high in highs if is_subset(top, high)] for top in highs]
    partial = [[0] * len(outer) for _ in inner]
    masses = [0] * len(order)
    risk = 0
    for mask in order[1:]:
        high, low = mask >> low_bits, mask & len(inner) - 1
        inherited = sum(map(partial[low].__getitem__, outer[high]))
        mass = max(floors[mask], risk + 1 - inherited)
        risk = inherited + mass
        masses[mask] = mass
        for smaller in inner[low]:
            partial[smaller][high] += mass
    return masses


def descend(order: Sequence[int], floors: Sequence[int]) -> list[int]:
    """Return masses of a smaller or equal sum, by raising floors one at a time as long as that helps."""
    # A larger mass for S can save more than it costs, because it raises the risks of all subsets of S.
    raised = list(floors)
    masses = least_masses(order, raised)
    total, before = sum(masses), -1
    while total != before:
        before = total
        for mask in order[1:]:
            step = 1
            while True:
                trial = list(raised)
                trial[mask] = masses[mask] + step
                found = least_masses(order, trial)
                if sum(found) >= total:
                    break
                raised, masses, total = trial, found, sum(found)
                step *= 2
    return masses


_DESCENT = 6  # features up to which looking for a smaller sum takes well under a second


def adversarial(
    order: Order,
    *,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    alpha: Exact | None = None,
    features: int | Iterable[str] | None = None,
    target: str | None = None,
) -> JointDistribution:
    """Return a distribution whose Bayes risks are strictly ordered as prescribed (Theorem 1).

    Use it to show that a search can miss the best subset. In the distribution, p(x) > 0 and p(Y|x) has a unique maximum
    for all x, and R(S) = P(S = 0, Y = 1) for every subset S. The weights are small. For up to 6 features, a search
    makes their sum smaller. Complexity: O(n 2**n + 2**n (3/2)**(2n/3)) additions, below a second for 16 binary
    features. Source: Peña and Nilsson (2010), Theorem 1.

    Parameters
    ----------
    order : iterable of subsets
        All 2**n subsets by names, from the smallest risk to the largest. Every superset must stand before its subsets.
    cardinalities : iterable of int, optional
        The number of states of each feature, at least 2. The default is 2 for each.
    classes : int
        The number of classes, at least 2. The classes after the second have probability 0.
    alpha : exact number, optional
        The probability p(X = 0, Y = 0), strictly between 1/2 and 1. By default class 0 has the least possible weight.
    features : int or iterable of str, optional
        The names in the order of the axes, or their number. Needed only if the names in `order` are not X1, .., Xn.
    target : str, optional
        The name of the class.

    Examples
    --------
    >>> d = adversarial([["X1", "X2"], ["X2"], ["X1"], []], cardinalities=(2, 3))
    >>> d.weights.tolist()
    [[[6, 0], [0, 1], [0, 1]], [[0, 1], [0, 1], [0, 1]]]
    """
    masks, names = order_masks(order, features)
    shape = shape_of(cardinalities, classes, names)
    exact = read_alpha(alpha, len(names))
    choose = descend if len(names) <= _DESCENT else least_masses
    masses, class_0 = balance(choose(masks.tolist(), cell_counts(shape[:-1])), exact)
    return spread(masses, class_0, shape, names, target)


def masses_of(risks: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return integers q_T by mask, and their denominator, so that R(S) is the sum of q_T over the supersets T of S.

    This is Möbius inversion.
    """
    masses, total = integers_over(risks)
    for i in range((len(risks) - 1).bit_length()):  # for each feature, subtract the mass of the subset with the feature
        for mask in range(len(masses)):
            if not mask >> i & 1:
                masses[mask] -= masses[mask | 1 << i]
    common = math.gcd(total, *masses)
    return [mass // common for mass in masses], total // common


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
    """Return a distribution in which one subset is better by a factor than all other subsets of its size.

    Use it to show how bad a search can be: a search that does not examine this subset returns a subset whose risk is at
    least `factor` times the least risk of this size. The proper supersets of `subset` have the smallest risks, then
    comes `subset` itself, whose risk is not 0. All other subsets, of any size, have at least `factor` times its risk.
    Source: Peña and Nilsson (2010), the remark after Theorem 1.

    Parameters
    ----------
    subset : iterable of names, or one name
        The favored features: not none and not all of them, because these subsets are alone in their size.
    factor : exact number
        A number above 1.
    features, cardinalities, classes, alpha, target
        As for `adversarial`. `features` is required.

    Examples
    --------
    >>> d = adversarial_favoring(["X2"], factor=100, features=3)
    >>> [str(d.probability({name: 0, "Y": 1})) for name in d.features]
    ['402/815', '4/815', '403/815']
    """
    names = resolve_features(features)
    favored, n = mask_of(subset, names), len(names)
    label = format_subset(favored, names)
    require(favored not in {0, 2**n - 1}, "subset", "neither empty nor full", label, "favor another")
    ratio = as_fraction(factor, "factor", above=1, repair="pass factor=2, say")
    shape = shape_of(cardinalities, classes, names)
    exact = read_alpha(alpha, n)
    order = sorted(base_order(n).tolist(), key=lambda mask: not is_subset(favored, mask))  # stable
    floors = cell_counts(shape[:-1])
    risk = sum(mass for mask, mass in enumerate(least_masses(order, floors)) if is_subset(favored, mask))
    threshold = math.ceil(ratio * risk)
    for i in indices_of(favored):  # a subset that does not contain the favored one is within one of these
        without = 2**n - 1 ^ 1 << i
        floors[without] = max(floors[without], threshold)
    masses, class_0 = balance(least_masses(order, floors), exact)
    return spread(masses, class_0, shape, names, target)
