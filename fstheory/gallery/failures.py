"""Small distributions where an assumption of the theory fails, and what then goes wrong.

The assumptions are that p(x) > 0 and that p(Y|x) has a single maximum, for all x. Under both, the
minimal-optimal subset is unique, and backward search and one-shot find it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fstheory._exact import Exact, as_index
from fstheory._memory import require_cells
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidValueError, explain, unknown
from fstheory.gallery._tabulate import BITS, as_probability, binary_features, flipped, tabulate
from fstheory.subsets import default_features, feature_names

__all__ = ["copies", "recoded", "ties", "with_copy"]


def copies(n: int = 2, *, noise: Exact = "1/10") -> JointDistribution:
    """Return n identical features: X1 is a fair bit, X2 = .. = Xn = X1, and Y is X1 inverted with probability `noise`.

    Features X1, .., Xn and target Y, all with states 0 and 1.

    Parameters
    ----------
    n : int
        How many copies, at least 1.
    noise : exact number
        The probability that the class differs from the feature.

    Raises
    ------
    TooLargeError
        The 2**(n + 1) cells do not fit in memory.

    Notes
    -----
    With two copies or more p(x) > 0 fails, and unless `noise` is 1/2 each {Xi} is minimal with minimal
    risk: n solutions. Backward search ends at one of them. One-shot drops every feature, because each
    is dispensable next to its copies, and returns the empty set, whose risk is 1/2.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.copies()
    >>> bool(d.is_positive()), bool(d.has_unique_maximum())
    (False, True)
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['1/2', '1/10', '1/10', '1/10']
    """
    rate = as_probability(noise, "noise")
    names = binary_features(as_index(n, "n", at_least=1))

    def weight(*bits: int) -> Fraction:
        *x, y = bits
        return flipped(y, x[0], rate) if len(set(x)) == 1 else Fraction(0)

    return tabulate(dict.fromkeys((*names, "Y"), BITS), weight)


def recoded(*, noise: Exact = "1/10") -> JointDistribution:
    """Return two fair bits X1 and X2, their exclusive or X3, and the class: X3 inverted with probability `noise`.

    Features X1, X2 and X3 and target Y, all with states 0 and 1.

    Parameters
    ----------
    noise : exact number
        The probability that the class differs from X3.

    Notes
    -----
    p(x) > 0 fails, and two subsets of different size are minimal with minimal risk: {X3} and
    {X1, X2}. Which of them backward search finds depends on the order in which it tries the
    features: X1 first leads to {X3}, X3 first to {X1, X2}. So "minimal" is not "smallest" here.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.recoded()
    >>> [str(bayes_risk(d, subset)) for subset in ({"X3"}, {"X1", "X2"}, {"X1"}, {"X1", "X2", "X3"})]
    ['1/10', '1/10', '1/2', '1/10']
    """
    rate = as_probability(noise, "noise")

    def weight(x1: int, x2: int, x3: int, y: int) -> Fraction:
        return flipped(y, x3, rate) if x3 == x1 ^ x2 else Fraction(0)

    return tabulate(dict.fromkeys((*default_features(3), "Y"), BITS), weight)


def ties() -> JointDistribution:
    """Return two fair bits that agree with the class where they agree with each other, and else say nothing.

    Features X1 and X2 and target Y, all with states 0 and 1. The four states are equally likely; Y = X1 where X1 = X2,
    and where they differ both classes are equally likely.

    Notes
    -----
    p(x) > 0 holds and the single maximum fails. Each of {X1} and {X2} is minimal with minimal risk,
    1/4, so even with every state possible the solution is not unique; R(X1X2) = R(X1) = R(X2) < R({})
    is the pattern that the two assumptions rule out together. One-shot returns the empty set (risk 1/2).

    References
    ----------
    .. [1] J. M. Peña and R. Nilsson, "On the Complexity of Discrete Feature Selection for Optimal
       Classification", IEEE Transactions on Pattern Analysis and Machine Intelligence, 2010, Theorems 3 and 4.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.ties()
    >>> bool(d.is_positive()), bool(d.has_unique_maximum())
    (True, False)
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['1/2', '1/4', '1/4', '1/4']
    """
    return tabulate({"X1": BITS, "X2": BITS, "Y": BITS}, lambda x1, x2, y: (x1 == y) + (x2 == y))


def with_copy(d: JointDistribution, feature: str, copy: str | None = None) -> JointDistribution:
    """Return a distribution with one more feature, the last, that always equals the given one.

    Parameters
    ----------
    d : JointDistribution
    feature : str
        The feature to copy.
    copy : str, optional
        The name of the copy; the feature's name and an apostrophe unless given.

    Raises
    ------
    InvalidValueError
        `copy` is already the name of a variable.
    TooLargeError
        The new table does not fit in memory.

    Notes
    -----
    Every feature has become dispensable next to its copy, so one-shot on the result drops both. If the
    feature has at least two states, p(x) > 0 fails.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.with_copy(gallery.xor(), "X2", "X3")
    >>> d.features
    ('X1', 'X2', 'X3')
    >>> [str(bayes_risk(d, subset)) for subset in ({"X1", "X2"}, {"X1", "X3"}, {"X2", "X3"})]
    ['0', '0', '1/2']
    """
    require_distribution(d)
    if not isinstance(feature, str) or feature not in d.features:
        raise unknown("feature", feature, d.features)
    (name,) = feature_names([f"{feature}'" if copy is None else copy], "copy")
    if name in d.states:
        raise InvalidValueError(explain("copy", "a new name", name, f"the variables are {', '.join(d.states)}"))
    axis = d.features.index(feature)
    size = d.cardinalities[axis]
    require_cells((*d.weights.shape, size), "the table with the copy", "copy a feature of a smaller distribution")
    same = np.eye(size, dtype=np.int64).reshape((size,) + (1,) * (len(d.features) - axis - 1) + (size, 1))
    states = {**d.states, name: d.states[feature]}
    table = d.weights[..., np.newaxis, :] * same
    return JointDistribution(table, features=[*d.features, name], target=d.target, states=states)
