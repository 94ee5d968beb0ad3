"""Theorem 1: a distribution with any strict order of Bayes risks that respects monotonicity."""

from __future__ import annotations

from collections.abc import Iterable

from fstheory._rational import Exact
from fstheory.adversary.alpha import balance, read_alpha
from fstheory.adversary.cells import cell_counts, shape_of, spread
from fstheory.adversary.masses import descend, least_masses
from fstheory.distribution import JointDistribution
from fstheory.orders.checking import Order, order_masks

__all__ = ["adversarial"]

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
        With p(x) > 0 and a unique maximum of p(Y|x) for all x, and
        R(S) = P(S = 0, Y = 1) for every subset S.

    Raises
    ------
    InvalidValueError
        `order` is no permutation of the subsets, or a number is out of its range.
    NotMonotoneError
        A subset comes before one of its supersets.
    TooLargeError
        The table would not fit in memory.

    Notes
    -----
    The proof's steps, in integers:

    1. Give q_S, the mass of class 1 at the states where exactly the features of S are 0, one subset
       after the other: the least that puts R(S) above the risk before (equation 4), and at least 1
       for each of these states.
    2. Up to 6 features, look for masses of a smaller sum by raising one at a time.
    3. If alpha is given, raise the mass of the empty subset, the last, until class 0 can have an
       integer weight. This takes the place of the proof's normalization.
    4. Spread each mass over its states as evenly as integers allow; put all of class 0 at X = 0
       (equations 1 to 3).

    The weights are small, not always the smallest: against an integer program their sum was the
    least for every order of up to 3 binary features, and for nearly all of 4. Large weights
    cannot be avoided in general: random orders need about 20 bits for 7 features, and those drawn one subset after
    another about 140 for 12 and 430 for 16.

    Takes O(n 2**n + 2**n (3/2)**(2n/3)) additions, below a second for 16 binary features, and the memory
    of the table.

    For n = 0 the only order is that of the empty subset; its risk is 0, so class 0 has probability 1
    and no alpha below 1 is possible.

    References
    ----------
    J. M. Peña and R. Nilsson, On the complexity of discrete feature selection for optimal
    classification, Theorem 1.

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
