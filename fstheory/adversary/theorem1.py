"""Theorem 1 of Peña and Nilsson: a distribution with any strict order of Bayes risks that respects monotonicity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from fstheory._exact import Exact, as_fraction, as_index
from fstheory._memory import require_cells
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.orders.lattice import Order, order_masks
from fstheory.subsets import Masks, is_subset

__all__ = ["adversarial"]


def read_alpha(alpha: Exact | None, n: int) -> Fraction | None:
    """Return alpha as a Fraction strictly between 1/2 and 1, or refuse it."""
    if alpha is None:
        return None
    value = as_fraction(alpha, "alpha")
    if not Fraction(1, 2) < value < 1:
        raise InvalidValueError(explain("alpha", "strictly between 1/2 and 1", str(alpha), "pass alpha='3/4', say"))
    if n == 0:
        repair = "the only risk is 0 then, so p(Y=0) = 1"
        raise InvalidValueError(explain("alpha", "left out when there are no features", str(alpha), repair))
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
    if len(sizes) != n:
        requirement = f"{n} numbers of states, one for each feature"
        raise InvalidValueError(explain("cardinalities", requirement, sizes, "add or drop some"))
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
    total = class_0 + sum(masses)
    dtype = np.int64 if total < 2**63 else object
    subset, rank = _subsets_and_ranks(shape[:-1])
    shares = [divmod(mass, count) for mass, count in zip(masses, cell_counts(shape[:-1]), strict=True)]
    evenly = np.array([share for share, _ in shares], dtype=dtype)
    larger = np.array([left for _, left in shares], dtype=np.int64)
    weights = np.zeros(tuple(shape), dtype=dtype)
    weights[..., 1] = evenly[subset] + (rank < larger[subset])
    weights[(0,) * len(shape)] = class_0
    return JointDistribution(weights, features=features, target=target)


def _subsets_and_ranks(cardinalities: Sequence[int]) -> tuple[Masks, Masks]:
    """Return, for each cell, the mask of the features that are 0 there, and its number among the cells of that mask."""
    n = len(cardinalities)
    subset = np.zeros(tuple(cardinalities), dtype=np.int64)
    rank = np.zeros_like(subset)
    for i, size in enumerate(cardinalities):
        state = np.arange(size).reshape([size if axis == i else 1 for axis in range(n)])
        subset |= (state == 0).astype(np.int64) << i
        rank *= np.where(state == 0, 1, size - 1)
        rank += np.maximum(state - 1, 0)
    return subset, rank


def least_masses(order: Sequence[int], floors: Sequence[int]) -> list[int]:
    """Return the masses that are, one after the other in the order, as small as they can be; that of all features 0.

    Every next q_S is the least that is at least its floor and puts R(S) above the risk before, given the supersets'.
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
    """Return masses of a smaller or equal sum, by raising floors one at a time as long as that helps.

    A larger mass for S can save more than it costs: it raises all its subsets, which may each have needed one.
    """
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


def risk_of(mask: int, masses: Sequence[int]) -> int:
    """Return the weight of the Bayes risk of one subset: the masses of its supersets."""
    return sum(mass for other, mass in enumerate(masses) if is_subset(mask, other))


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

    Parameters
    ----------
    order : iterable of subsets
        All 2**n subsets by names, from the smallest risk (all features) to the largest (none),
        every superset before its subsets: S_1, .., S_2^n of the theorem.
    cardinalities : sequence of int, optional
        The number of states of each feature, at least 2; all 2 if not given.
    classes : int
        The number of classes, at least 2. Those after the second have probability 0.
    alpha : exact number, optional
        p(X = 0, Y = 0), strictly between 1/2 and 1, met exactly; then the risk of no features is
        1 - alpha. If not given, it is (W + 1)/(2 W + 1) with W the integer weight of class 1: the
        fraction above 1/2 that needs the least weight of class 0.
    features : int or iterable of str, optional
        The names in the order of the axes. Not needed if the names in `order` are X1, .., Xn.
    target : str, optional
        The name of the class, Y if not given.

    Returns
    -------
    JointDistribution
        With p(x) > 0 and a unique maximum of p(Y|x) for all x, and R(S) = P(S = 0, Y = 1) for every subset S.

    Raises
    ------
    InvalidValueError, TooLargeError
        `order` is no permutation of the subsets, a number is out of its range, or the table would not fit in memory.
    NotMonotoneError
        A subset comes before one of its supersets.

    Notes
    -----
    The proof's steps, in integers:

    1. Give q_S, the mass of class 1 at the states where exactly the features of S are 0, one subset after the other:
       the least that puts R(S) above the risk before (equation 4), and at least 1 for each of these states.
    2. Up to 6 features, look for masses of a smaller sum by raising one at a time.
    3. If alpha is given, raise the mass of the empty subset, the last, until class 0 can have an
       integer weight. This takes the place of the proof's normalization.
    4. Spread each mass over its states as evenly as integers allow; put all of class 0 at X = 0 (equations 1 to 3).

    The weights are small, not always the smallest: against an integer program their sum was the least for every order
    of up to 3 binary features, and for nearly all of 4. Large weights cannot be avoided in general: random orders need
    about 20 bits for 7 features, and those drawn one subset after another about 140 for 12 and 430 for 16.

    Takes O(n 2**n + 2**n (3/2)**(2n/3)) additions, below a second for 16 binary features, and the memory of the table.
    For n = 0 the only order is that of the empty subset; its risk is 0, so class 0 has probability 1 and no alpha below
    1 is possible. Source: Peña and Nilsson (2010), Theorem 1.

    Examples
    --------
    >>> d = adversarial([["X1", "X2"], ["X2"], ["X1"], []], cardinalities=(2, 3))
    >>> d.weights.tolist()
    [[[6, 0], [0, 1], [0, 1]], [[0, 1], [0, 1], [0, 1]]]
    >>> [d.probability({name: 0 for name in subset} | {"Y": 1}) for subset in (["X1", "X2"], ["X2"], ["X1"], [])]
    [Fraction(0, 1), Fraction(1, 11), Fraction(2, 11), Fraction(5, 11)]
    >>> exact = adversarial([["X1", "X2"], ["X2"], ["X1"], []], alpha="2/3")
    >>> exact.probability({"X1": 0, "X2": 0, "Y": 0})
    Fraction(2, 3)
    """
    masks, names = order_masks(order, features)
    shape = shape_of(cardinalities, classes, names)
    exact = read_alpha(alpha, len(names))
    choose = descend if len(names) <= _DESCENT else least_masses
    masses, class_0 = balance(choose(masks.tolist(), cell_counts(shape[:-1])), exact)
    return spread(masses, class_0, shape, names, target)
