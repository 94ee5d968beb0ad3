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
    """Return alpha as a Fraction strictly between 1/2 and 1, or refuse it."""
    if alpha is None:
        return None
    value = as_fraction(alpha, "alpha", above=Fraction(1, 2), below=1, repair="pass alpha='3/4', say")
    repair = "the only risk is 0 then, so p(Y=0) = 1"
    require(n, "alpha", "left out when there are no features", str(alpha), repair)
    return value


def balance(masses: list[int], alpha: Fraction | None) -> tuple[list[int], int]:
    """Return the masses, that of the empty subset perhaps raised, and the weight of class 0: by alpha, or the least."""
    total = sum(masses)
    if alpha is None:
        return masses, total + 1
    # Class 0 needs the total times a / (b - a), an integer only if b - a divides the total. The empty subset comes
    # last, so its mass may grow without disturbing the order.
    rest = alpha.denominator - alpha.numerator
    missing = -total % rest
    return [masses[0] + missing, *masses[1:]], (total + missing) // rest * alpha.numerator


def shape_of(cardinalities: Iterable[int] | None, classes: int, features: Sequence[str]) -> tuple[int, ...]:
    """Return the shape of the table, the classes last, or refuse it."""
    n = len(features)
    given, repair = (2,) * n if cardinalities is None else cardinalities, f"write {(2,) * min(n, 4)}"
    sizes = tuple(require_listed(given, "cardinalities", "a sequence, one for each feature", repair))
    wanted = f"{n} numbers of states, one for each feature"
    require(len(sizes) == n, "cardinalities", wanted, sizes, "add or drop some")
    checked = [as_index(size, f"cardinalities[{i}]", at_least=2) for i, size in enumerate(sizes)]
    shape = (*checked, as_index(classes, "classes", at_least=2))
    # The table, the subset and the rank of each cell, and what the distribution makes of them
    require_cells(shape, "the distribution", "use fewer features, states or classes", 24)
    return shape


def cell_counts(cardinalities: Sequence[int]) -> list[int]:
    """Return how many cells each subset has, by mask: those where exactly its features are 0."""
    counts = [1]
    for size in cardinalities:
        counts = [count * (size - 1) for count in counts] + counts
    return counts


def spread(
    masses: Sequence[int], class_0: int, shape: Sequence[int], features: Sequence[str], target: str | None
) -> JointDistribution:
    """Return the distribution with these integer masses, spread evenly: cells with one unit more than others first."""
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
    """Return masses: each is the least, given those before, that is at least its floor and puts R(S) above the last."""
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
    # a larger mass for S can save more than it costs: it raises all its subsets, which may each have needed one
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

    p(x) > 0 and p(Y|x) has a unique maximum for all x, and R(S) = P(S = 0, Y = 1) for every subset S. The weights are
    small; up to 6 features a small sum is looked for. Complexity: O(n 2**n + 2**n (3/2)**(2n/3)) additions, below a
    second for 16 binary features. Source: Peña and Nilsson (2010), Theorem 1.

    Parameters
    ----------
    order : all 2**n subsets by names, from the smallest risk to the largest, every superset before its subsets
    cardinalities : how many states each feature has, at least 2; all 2 if not given
    classes : int, at least 2; those after the second have probability 0
    alpha : exact number
        p(X = 0, Y = 0), strictly between 1/2 and 1; if not given, what needs the least weight of class 0.
    features : names in the order of the axes, or how many; not needed if those in `order` are X1, .., Xn
    target : str, the name of the class

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
    """Return q by mask, where R(S) is the sum of q_T over the supersets T of S, and what to divide by (Möbius)."""
    masses, total = integers_over(risks)
    for i in range((len(risks) - 1).bit_length()):  # subtract, feature by feature, what the subset with that one has
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
    """Return a distribution where one subset is better by a factor than all others of its size.

    A search that does not look at this subset returns one whose risk is at least `factor` times the least of its size.
    The supersets of `subset` have the smallest risks, then `subset`; all the rest, of any size, have at least `factor`
    times its risk, which is not 0. Source: Peña and Nilsson (2010), the remark after Theorem 1.

    Parameters
    ----------
    subset : names of the favored features, neither none nor all (those are alone in their size)
    factor : exact number above 1
    features, cardinalities, classes, alpha, target : as for `adversarial`

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
    for i in indices_of(favored):  # what does not hold the favored subset is within one of these
        without = 2**n - 1 ^ 1 << i
        floors[without] = max(floors[without], threshold)
    masses, class_0 = balance(least_masses(order, floors), exact)
    return spread(masses, class_0, shape, names, target)
