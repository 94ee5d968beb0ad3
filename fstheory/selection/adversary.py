"""Distributions with prescribed Bayes risks, and with one subset better than the others of its size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, exact_text, integers_over
from fstheory._support.memory import require_cells
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, NotMonotoneError, explain, require
from fstheory.lattice.extensions import Order, base_order, names_in, order_masks, resolve_features
from fstheory.lattice.subsets import (
    Subset,
    covers,
    format_subset,
    indices_of,
    is_subset,
    listed_names,
    mask_of,
    names_of,
)


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
    sizes = (2,) * n if cardinalities is None else cardinalities
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        repair = f"write {(2,) * min(n, 4)}"
        raise InvalidTypeError(explain("cardinalities", "a sequence, one for each feature", sizes, repair))
    sizes = tuple(sizes)
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
    weights[..., 1] = evenly[subset] + (rank < larger[subset])
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


def adversarial_with_risks(
    risks: Mapping[Any, Exact] | Iterable[tuple[Subset, Exact]],
    *,
    features: int | Iterable[str] | None = None,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    target: str | None = None,
) -> JointDistribution:
    """Return a distribution that has exactly these Bayes risks, or refuse with the reason.

    The construction is that of `adversarial`, where R(S) is the sum of the masses q_T over the supersets T of S; they
    follow by Möbius inversion. It can have the risks exactly if no q_S is negative and the largest risk is at most 1/2;
    else the error names a subset whose mass would be negative, or a superset with a larger risk, which no distribution
    has. Other distributions can have risks that this form cannot: 1/2, 1/2, 1/2, 0 for two features is what their
    exclusive or has. Complexity: O(n 2**n) additions. Source: Peña and Nilsson (2010), equation 4.

    Parameters
    ----------
    risks : mapping, or pairs, from each of the 2**n subsets, by names, to its Bayes risk, an exact number
    features, cardinalities, classes, target : as for `adversarial`

    Examples
    --------
    >>> d = adversarial_with_risks({(): "2/5", ("X1",): "0.1", ("X2",): "1/5", ("X1", "X2"): 0})
    >>> d.weights.tolist()
    [[[6, 0], [0, 1]], [[0, 2], [0, 1]]]
    """
    pairs = _pairs(risks)
    names = names_in((subset for subset, _ in pairs), "risks") if features is None else resolve_features(features)
    shape = shape_of(cardinalities, classes, names)
    table = _read(pairs, names)
    _require_possible(table, names)
    integers, denominator = integers_over(table)
    for i in range(len(names)):  # Möbius inversion: subtract, feature by feature, what the subset with that feature has
        for mask in range(len(table)):
            if not mask >> i & 1:
                integers[mask] -= integers[mask | 1 << i]
    negative = next((mask for mask in base_order(len(names)).tolist() if integers[mask] < 0), None)
    if negative is not None:
        raise InvalidValueError(
            "risks must give every subset a mass of at least 0, not "
            f"q = {exact_text(Fraction(integers[negative], denominator))} for {format_subset(negative, names)}; "
            "this construction cannot do it, though another distribution may"
        )
    common = math.gcd(denominator, *integers)
    integers, denominator = [mass // common for mass in integers], denominator // common
    needed = [-(-count // mass) for mass, count in zip(integers, cell_counts(shape[:-1]), strict=True) if mass]
    scale = max(needed, default=1)
    return spread([scale * mass for mass in integers], scale * (denominator - sum(integers)), shape, names, target)


def _pairs(risks: object) -> list[tuple[Subset, object]]:
    if not isinstance(risks, Iterable) or isinstance(risks, str):
        raise InvalidTypeError(explain("risks", "a mapping from subsets to exact numbers", risks, "pass a dict"))
    pairs: list[tuple[Subset, object]] = []
    for pair in risks.items() if isinstance(risks, Mapping) else risks:
        if not isinstance(pair, Sequence) or len(pair) != 2 or isinstance(pair, str):
            raise InvalidTypeError(explain("risks", "pairs of a subset and its risk", pair, "pass a dict"))
        pairs.append((listed_names(pair[0], "a subset in risks"), pair[1]))
    return pairs


def _read(pairs: Iterable[tuple[Subset, object]], names: Sequence[str]) -> list[Fraction]:
    """Return the risks by mask."""
    found: dict[int, Fraction] = {}
    for subset, value in pairs:
        mask = mask_of(subset, names, "a subset in risks")
        label = format_subset(mask, names)
        require(mask not in found, "risks", "one for each subset", label, "it is listed twice: drop one")
        found[mask] = as_fraction(value, f"the risk of {label}")
    for mask in range(count := 2 ** len(names)):
        if mask not in found:
            raise InvalidValueError(
                f"risks must be given for all {count} subsets, not without {format_subset(mask, names)}; add it"
            )
    return [found[mask] for mask in range(count)]


def _require_possible(table: Sequence[Fraction], names: Sequence[str]) -> None:
    """Refuse what no distribution has, with the pair, before asking what the construction can have."""
    for mask, risk in enumerate(table):
        for cover in covers(mask, len(names)):
            if table[cover] > risk:
                inner, outer = format_subset(mask, names), format_subset(cover, names)
                raise NotMonotoneError(
                    f"risks must not grow with the subset, not {exact_text(table[cover])} for {outer} and "
                    f"{exact_text(risk)} for {inner}; no distribution has such risks: lower that of {outer}",
                    names_of(mask, names),
                    names_of(cover, names),
                )
    as_fraction(table[-1], "risks", at_least=0, repair="a risk is a probability")
    as_fraction(table[0], "the risk of no features", at_most=Fraction(1, 2), repair="scale all risks down")


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
