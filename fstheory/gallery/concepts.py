"""Boolean concepts: the class is a function of some of the features, perhaps with noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from fstheory._exact import Exact, as_index
from fstheory.distribution import JointDistribution
from fstheory.errors import unknown
from fstheory.gallery._tabulate import BITS, as_probability, binary_features, flipped, named, require_table, tabulate
from fstheory.subsets import default_features

__all__ = ["corral", "correlated_xor", "monks", "parity", "xor"]

_ROBOTS: Mapping[str, tuple[str, ...]] = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}

_MONKS: Mapping[int, Callable[[Mapping[str, str]], bool]] = {
    1: lambda x: x["head_shape"] == x["body_shape"] or x["jacket_color"] == "red",
    2: lambda x: sum(state == _ROBOTS[name][0] for name, state in x.items()) == 2,
    3: lambda x: (
        (x["jacket_color"] == "green" and x["holding"] == "sword")
        or (x["jacket_color"] != "blue" and x["body_shape"] != "octagon")
    ),
}


def monks(problem: int, *, noise: Exact | None = None) -> JointDistribution:
    """Return one of the MONK's problems: 432 equally likely robots, and whether each belongs to a concept.

    Features ``head_shape``, ``body_shape``, ``is_smiling``, ``holding``, ``jacket_color`` and ``has_tie``, with 3, 3,
    2, 3, 4 and 2 states; target ``member`` (no, yes).

    1. The head has the shape of the body, or the jacket is red.
    2. Exactly two of the six attributes have the first of their states.
    3. The jacket is green and the robot holds a sword, or the jacket is not blue and the body no octagon;
       the class is inverted with probability 1/20.

    Parameters
    ----------
    problem : 1, 2 or 3
    noise : exact number, optional
        The probability that the class is inverted: 0 for the first two problems and 1/20 for the third unless given.

    Notes
    -----
    216, 142 and (before the noise) 228 of the 432 robots are members. The minimal-optimal subsets are {head_shape,
    body_shape, jacket_color}, all six attributes, and {body_shape, holding, jacket_color}. Both assumptions of the
    theory hold (p(x) = 1/432, no ties), except at noise 1/2. The original third problem inverted 5 percent of one
    training sample; here the 5 percent are part of the distribution.

    References
    ----------
    .. [1] S. B. Thrun et al., "The MONK's Problems: A Performance Comparison of Different Learning
       Algorithms", report CMU-CS-91-197, Carnegie Mellon University, 1991.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [432 * gallery.monks(problem, noise=0).probability({"member": "yes"}) for problem in (1, 2, 3)]
    [Fraction(216, 1), Fraction(142, 1), Fraction(228, 1)]
    >>> bayes_risk(gallery.monks(1), {"head_shape", "body_shape", "jacket_color"})
    Fraction(0, 1)
    >>> bayes_risk(gallery.monks(3), {"body_shape", "holding", "jacket_color"})
    Fraction(1, 20)
    """
    problem = as_index(problem, "problem")
    if problem not in _MONKS:
        raise unknown("problem", problem, _MONKS)
    concept = _MONKS[problem]
    rate = as_probability(Fraction(problem == 3, 20) if noise is None else noise, "noise")

    def weight(*robot: str) -> Fraction:
        *x, member = robot
        return flipped(member == "yes", concept(dict(zip(_ROBOTS, x, strict=True))), rate)

    return tabulate({**_ROBOTS, "member": ("no", "yes")}, weight)


def parity(n: int, *, noise: Exact = 0) -> JointDistribution:
    """Return n fair bits and their parity: Y = X1 + .. + Xn mod 2, inverted with probability `noise`.

    Features X1, .., Xn and target Y, all with states 0 and 1.

    Parameters
    ----------
    n : int
        How many features; with none, the parity is 0.
    noise : exact number
        The probability that the class is inverted.

    Raises
    ------
    TooLargeError
        The 2**(n + 1) cells do not fit in memory.

    Notes
    -----
    The Bayes risk is min(noise, 1 - noise) with all features and 1/2 with any proper subset of them: no search that
    adds or scores features one at a time is given a hint. Both assumptions of the theory hold unless `noise` is 1/2.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.parity(3, noise="1/10")
    >>> bayes_risk(d, {"X1", "X2"}), bayes_risk(d, {"X1", "X2", "X3"})
    (Fraction(1, 2), Fraction(1, 10))
    """
    rate = as_probability(noise, "noise")
    variables = dict.fromkeys((*binary_features(as_index(n, "n")), "Y"), BITS)
    require_table(variables)
    inverted = np.bitwise_count(np.arange(2 ** len(variables))).reshape((2,) * len(variables)) % 2
    wrong, total = rate.as_integer_ratio()
    kind = np.int64 if total < 2**63 else object
    return named(np.array([total - wrong, wrong], dtype=kind)[inverted], variables)


def xor(*, noise: Exact = 0) -> JointDistribution:
    """Return two fair bits and their exclusive or, ``parity(2, noise=noise)``.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.xor()
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['1/2', '1/2', '1/2', '0']
    """
    return parity(2, noise=noise)


def corral() -> JointDistribution:
    """Return CorrAL: the concept (A0 and A1) or (B0 and B1), an irrelevant bit, and a bit correlated with the class.

    Features ``A0``, ``A1``, ``B0``, ``B1`` and ``irrelevant`` are independent fair bits; ``correlated`` equals the
    class with probability 3/4 whatever the others are. Target ``Y``.

    Notes
    -----
    The best single feature is ``correlated`` (risk 1/4), so greedy forward selection takes it first and never lets it
    go; but the two best pairs, {A0, A1} and {B0, B1} (risk 3/16), do not contain it, and neither does the
    minimal-optimal subset {A0, A1, B0, B1} (risk 0). Both assumptions of the theory hold.

    References
    ----------
    .. [1] G. H. John, R. Kohavi and K. Pfleger, "Irrelevant Features and the Subset Selection Problem",
       Proceedings of the Eleventh International Conference on Machine Learning, 1994.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.corral()
    >>> [str(bayes_risk(d, subset)) for subset in ({"correlated"}, {"A0"}, {"A0", "A1"}, {"A0", "correlated"})]
    ['1/4', '5/16', '3/16', '1/4']
    >>> bayes_risk(d, {"A0", "A1", "B0", "B1"})
    Fraction(0, 1)
    """

    def weight(a0: int, a1: int, b0: int, b1: int, irrelevant: int, correlated: int, y: int) -> int:  # noqa: ARG001
        concept = a0 & a1 | b0 & b1
        return 0 if y != concept else 3 if correlated == y else 1

    return tabulate(dict.fromkeys(("A0", "A1", "B0", "B1", "irrelevant", "correlated", "Y"), BITS), weight)


def correlated_xor() -> JointDistribution:
    """Return Kohavi and John's correlated XOR: Y = X1 xor X2, with X4 = not X2 and X5 = not X3.

    Five features X1, .., X5 and target Y, all bits; X1, X2 and X3 are fair and independent.

    Notes
    -----
    X1 is strongly relevant, X2 and X4 are weakly relevant, X3 and X5 are irrelevant. Only 8 of the 32
    states have p(x) > 0, so the assumptions of the theory fail, and two subsets are minimal with
    minimal risk: {X1, X2} and {X1, X4}. Backward search ends at one of them; one-shot, which
    finds both X2 and X4 dispensable, returns {X1}, whose risk is 1/2.

    References
    ----------
    .. [1] R. Kohavi and G. H. John, "Wrappers for Feature Subset Selection", Artificial Intelligence 97, 1997.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.correlated_xor()
    >>> bool(d.is_positive())
    False
    >>> [str(bayes_risk(d, subset)) for subset in ({"X1", "X2"}, {"X1", "X4"}, {"X1"})]
    ['0', '0', '1/2']
    """

    def weight(x1: int, x2: int, x3: int, x4: int, x5: int, y: int) -> int:
        return int(x4 != x2 and x5 != x3 and y == x1 ^ x2)

    return tabulate(dict.fromkeys((*default_features(5), "Y"), BITS), weight)
