"""The gallery by name, for the command line and for loops over all of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np

from fstheory._support.exact import Exact, as_index, as_probability, parse_fraction
from fstheory._support.memory import require_axes, require_cells
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError, explain, show, unknown
from fstheory.lattice.subsets import default_features, feature_names

__all__ = [
    "ahmed_example_1",
    "asia",
    "berkeley",
    "copies",
    "corral",
    "correlated_xor",
    "cover",
    "describe",
    "led",
    "load",
    "monks",
    "names",
    "parity",
    "pena_nilsson_example_1",
    "random",
    "recoded",
    "ties",
    "titanic",
    "toussaint",
    "with_copy",
    "xor",
]


# -- Write a distribution down from its definition: the named states and the weight of each cell.


BITS = (0, 1)

_BYTES_PER_CELL = 200  # a Fraction and its two integers, until the table is reduced to int64
_WHAT = "the table of all cells"


def named(weights: object, variables: Mapping[str, Sequence[Any]]) -> JointDistribution:
    """Return the distribution of these weights; the names of the variables and their states end with the target."""
    *features, target = variables
    return JointDistribution(weights, features=features, target=target, states=variables)


def tabulate(variables: Mapping[str, Sequence[Any]], weight: Callable[..., Fraction | int]) -> JointDistribution:
    """Return the distribution whose cell (x1, .., xn, y) has mass proportional to ``weight(x1, .., xn, y)``."""
    weights = np.empty(shape := require_table(variables), dtype=object)
    for cell, labels in zip(np.ndindex(shape), itertools.product(*variables.values()), strict=True):
        weights[cell] = weight(*labels)
    return named(weights, variables)


def require_table(variables: Mapping[str, Sequence[Any]]) -> tuple[int, ...]:
    """Return the shape of the table of all cells, or refuse one that does not fit."""
    shape = tuple(map(len, variables.values()))
    require_cells(shape, _WHAT, "ask for fewer features", _BYTES_PER_CELL)
    return shape


def binary_features(n: int) -> tuple[str, ...]:
    """Return the names X1, .., Xn, or refuse to list more than a table can have."""
    require_axes(n + 1, _WHAT)
    return default_features(n)


def flipped(value: object, truth: object, noise: Fraction) -> Fraction:
    """Return the probability of reading `value` from a two-state `truth` that is inverted with probability `noise`."""
    return 1 - noise if value == truth else noise


# -- Boolean concepts: the class is a function of some of the features, perhaps with noise.


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


# -- Small distributions where an assumption of the theory fails, and what then goes wrong.


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


# -- Examples of papers on feature selection, with their exact decimals.


def ahmed_example_1() -> JointDistribution:
    """Return Example 1 of Ahmed et al.: mutual information and Bayes risk prefer different features.

    Features X1 and X2 with states 0 and 1, independent given the class; target Y with states -1 and 1. P(Y=1) = 0.3;
    P(X1=1|y) is 0.1 and 0.4, P(X2=1|y) is 0.4 and 0.9 for y = -1 and 1.

    Notes
    -----
    The mutual information with Y is larger for X2, but X2 alone does not change the Bayes classifier
    (risk 3/10, as with no feature), whereas X1 does (risk 1/4). Together they reach 11/50, so the
    minimal-optimal subset is {X1, X2}. Both assumptions of the theory hold.

    References
    ----------
    .. [1] S. Ahmed C.G., H. Narasimhan and S. Agarwal, "Bayes Optimal Feature Selection for Supervised
       Learning with General Performance Measures", 2015, Example 1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.ahmed_example_1()
    >>> d.probability({"X1": 1}), d.probability({"X2": 1})
    (Fraction(19, 100), Fraction(11, 20))
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['3/10', '1/4', '3/10', '11/50']
    """
    return _naive_bayes({-1: "0.7", 1: "0.3"}, {"X1": {-1: "0.1", 1: "0.4"}, "X2": {-1: "0.4", 1: "0.9"}})


def pena_nilsson_example_1(p: Exact = "1/2") -> JointDistribution:
    """Return Example 1 of Peña and Nilsson: a strongly relevant feature outside the minimal-optimal subset.

    Feature X and target Y with states 0 and 1; P(Y=0|x) = x/3.

    Parameters
    ----------
    p : exact number
        P(X=1), strictly between 0 and 1. The paper leaves it open.

    Notes
    -----
    X changes the posterior of Y and is strongly relevant; but class 1 is the more likely one for both states, so the
    risk is p/3 with X and without it, and the minimal-optimal subset is empty. Both assumptions of the theory hold.

    References
    ----------
    .. [1] J. M. Peña and R. Nilsson, "On the Complexity of Discrete Feature Selection for Optimal
       Classification", IEEE Transactions on Pattern Analysis and Machine Intelligence, 2010, Example 1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.pena_nilsson_example_1()
    >>> d.posterior({"X": 0})[0], d.posterior({"X": 1})[0]
    (Fraction(0, 1), Fraction(1, 3))
    >>> bayes_risk(d, ()), bayes_risk(d, {"X"})
    (Fraction(1, 6), Fraction(1, 6))
    """
    mass = as_probability(p, "p")
    if mass in (0, 1):
        raise InvalidValueError(explain("p", "strictly between 0 and 1", str(mass), "the example asks for p(x) > 0"))

    def weight(x: int, y: int) -> Fraction:
        zero = Fraction(x, 3)
        return (mass if x else 1 - mass) * (1 - zero if y else zero)

    return tabulate({"X": BITS, "Y": BITS}, weight)


def toussaint() -> JointDistribution:
    """Return three features, independent given the class, whose pairs rank the other way round.

    Features X1, X2 and X3 and target Y with states 0 and 1. Both classes are equally likely; P(Xi=1|Y=0) is 0.1, 0.05
    and 0.01, and P(Xi=1|Y=1) is 0.9, 0.8 and 0.71.

    Notes
    -----
    R(X1) < R(X2) < R(X3), yet R(X1X2) > R(X1X3) > R(X2X3): the two best features are the worst pair,
    and the best pair is made of the two worst features, although nothing is redundant. That binary
    features independent given the class can do this is Toussaint's result [1]_, strengthened by Cover
    [2]_; the parameters here show it with two decimals. Both assumptions of the theory hold.

    References
    ----------
    .. [1] G. T. Toussaint, "Note on Optimal Selection of Independent Binary-Valued Features for Pattern
       Recognition", IEEE Transactions on Information Theory 17, 1971.
    .. [2] T. M. Cover, "The Best Two Independent Measurements Are Not the Two Best", IEEE Transactions
       on Systems, Man, and Cybernetics 4(1), 1974.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.toussaint()
    >>> [str(bayes_risk(d, subset)) for subset in ({"X1"}, {"X2"}, {"X3"})]
    ['1/10', '1/8', '3/20']
    >>> [float(bayes_risk(d, subset)) for subset in ({"X1", "X2"}, {"X1", "X3"}, {"X2", "X3"})]
    [0.0825, 0.069, 0.05875]
    """
    return _naive_bayes(
        {0: "0.5", 1: "0.5"}, {"X1": {0: "0.1", 1: "0.9"}, "X2": {0: "0.05", 1: "0.8"}, "X3": {0: "0.01", 1: "0.71"}}
    )


def cover() -> JointDistribution:
    """Return two kinds of experiment, A and B, each performed twice: A is better once, B is better twice.

    Features ``A1``, ``A2``, ``B1`` and ``B2`` and target Y with states 0 and 1, the features independent given the
    class, both classes equally likely. P(A=1|y) is 0.2 and 0.8, P(B=1|y) is 0 and 0.55.

    Notes
    -----
    R(A) < R(B), yet R(BB) < R(AB) < R(AA): if you may look once, choose A; if you may look twice, you should
    repeat B. Cover [1]_ proved that two binary experiments can do this; the parameters are chosen
    here for short decimals. Repeating A once is worth nothing at all.

    References
    ----------
    .. [1] T. M. Cover, "The Best Two Independent Measurements Are Not the Two Best", IEEE Transactions
       on Systems, Man, and Cybernetics 4(1), 1974.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.cover()
    >>> [str(bayes_risk(d, subset)) for subset in ({"A1"}, {"B1"})]
    ['1/5', '9/40']
    >>> [float(bayes_risk(d, subset)) for subset in ({"A1", "A2"}, {"A1", "B1"}, {"B1", "B2"})]
    [0.2, 0.145, 0.10125]
    """
    a, b = {0: "0.2", 1: "0.8"}, {0: "0", 1: "0.55"}
    return _naive_bayes({0: "0.5", 1: "0.5"}, {"A1": a, "A2": a, "B1": b, "B2": b})


def _naive_bayes(prior: Mapping[int, str], ones: Mapping[str, Mapping[int, str]]) -> JointDistribution:
    """Return binary features, independent given the class, from p(y) and P(Xi=1|y) for each feature."""
    before = {y: parse_fraction(p) for y, p in prior.items()}
    given = [{y: parse_fraction(p) for y, p in table.items()} for table in ones.values()]

    def weight(*labels: int) -> Fraction:
        *x, y = labels
        return math.prod((flipped(bit, 1, 1 - one[y]) for bit, one in zip(x, given, strict=True)), start=before[y])

    return tabulate({**dict.fromkeys(ones, BITS), "Y": tuple(prior)}, weight)


# -- Published tables and networks: people who were counted, the LED display, Bayesian networks multiplied out.


_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")

# The segments that are lit for 0, 1, .., 9; the 6 has a top bar and the 9 a bottom bar.
_DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")

# target -> its classes, and the class of each digit
_TARGETS: Mapping[str, tuple[tuple[int | str, ...], tuple[int | str, ...]]]
_TARGETS = {"digit": (tuple(range(10)), tuple(range(10))), "parity": (("even", "odd"), ("even", "odd") * 5)}


def led(*, noise: Exact = "1/10", target: str = "digit") -> JointDistribution:
    """Return the LED display: seven segments that each fail with probability `noise`, and the digit behind them.

    Features ``top``, ``upper_left``, ``upper_right``, ``middle``, ``lower_left``, ``lower_right`` and ``bottom`` with
    states 0 (dark) and 1 (lit); the ten digits are equally likely.

    Parameters
    ----------
    noise : exact number
        The probability that a segment is inverted, independently of the others.
    target : "digit" or "parity"
        Predict the digit (ten classes) or whether it is even or odd (two classes).

    Notes
    -----
    With noise 1/10 the published Bayes risk for ten classes is 26 percent; exactly it is 3249719/12500000, which is
    0.25997752. It needs all seven segments, and so does the parity (0.11030632). Without noise five of them tell the
    ten digits apart: all but ``lower_right`` and ``bottom``. With ten classes the assumption of a single maximum fails:
    where only the three lowest segments are lit, 0, 1 and 6 are equally likely.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and Regression Trees",
       Wadsworth, 1984, section 2.6.1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.led()
    >>> bayes_risk(d, d.features), float(bayes_risk(d, d.features))
    (Fraction(3249719, 12500000), 0.25997752)
    >>> bayes_risk(gallery.led(target="parity"), d.features)
    Fraction(1378829, 12500000)
    >>> bayes_risk(gallery.led(noise=0), d.features)
    Fraction(0, 1)
    """
    if not isinstance(target, str) or target not in _TARGETS:
        raise unknown("target", target, _TARGETS)
    rate = as_probability(noise, "noise")
    classes, class_of = _TARGETS[target]
    likelihood = [_likelihood(digit, rate) for digit in _DIGITS]

    def weight(*labels: int | str) -> Fraction:
        *display, y = labels
        return sum((likelihood[k][tuple(display)] for k in range(10) if class_of[k] == y), Fraction(0))

    return tabulate({**dict.fromkeys(_SEGMENTS, BITS), target: classes}, weight)


def _likelihood(digit: str, noise: Fraction) -> dict[tuple[int | str, ...], Fraction]:
    """Return the probability of every display, given the digit."""
    displays: dict[tuple[int | str, ...], Fraction] = {}
    for display in itertools.product(BITS, repeat=len(_SEGMENTS)):
        segments = (flipped(lit, int(truth), noise) for lit, truth in zip(display, digit, strict=True))
        displays[display] = math.prod(segments, start=Fraction(1))
    return displays


# class -> sex -> (children lost, children saved, adults lost, adults saved)
_TITANIC = {
    "1st": {"male": (0, 5, 118, 57), "female": (0, 1, 4, 140)},
    "2nd": {"male": (0, 11, 154, 14), "female": (0, 13, 13, 80)},
    "3rd": {"male": (35, 13, 387, 75), "female": (17, 14, 89, 76)},
    "crew": {"male": (0, 0, 670, 192), "female": (0, 0, 3, 20)},
}

# department -> (men rejected, men admitted, women rejected, women admitted)
_BERKELEY = {
    "A": (313, 512, 19, 89),
    "B": (207, 353, 8, 17),
    "C": (205, 120, 391, 202),
    "D": (279, 138, 244, 131),
    "E": (138, 53, 299, 94),
    "F": (351, 22, 317, 24),
}


def titanic() -> JointDistribution:
    """Return the 2201 people on board the Titanic: class, sex and age -> survived.

    Features ``class`` (1st, 2nd, 3rd, crew), ``sex`` (male, female) and ``age`` (child, adult); target ``survived``
    (no, yes).

    Notes
    -----
    There were no children in the crew, so p(x) > 0 fails; and every child of the first two classes was
    saved. The minimal-optimal subset is nevertheless unique: all three features. Age is of no use
    next to sex alone, yet it is of use next to class, and next to both.

    References
    ----------
    .. [1] R. J. MacG. Dawson, "The 'Unusual Episode' Data Revisited", Journal of Statistics Education 3(3), 1995.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.titanic()
    >>> d.total, d.probability({"survived": "yes"})
    (2201, Fraction(711, 2201))
    >>> d.probability({"class": "crew", "age": "child"})
    Fraction(0, 1)
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"class"}, {"sex"}, {"age"})]
    ['711/2201', '630/2201', '493/2201', '706/2201']
    >>> [str(bayes_risk(d, subset)) for subset in ({"sex", "age"}, {"class", "sex"}, {"class", "sex", "age"})]
    ['493/2201', '477/2201', '461/2201']
    """
    weights = [[[row[:2], row[2:]] for row in sexes.values()] for sexes in _TITANIC.values()]
    states = {"class": list(_TITANIC), "sex": ["male", "female"], "age": ["child", "adult"], "survived": ["no", "yes"]}
    return named(weights, states)


def berkeley() -> JointDistribution:
    """Return the 4526 applicants to Berkeley's six largest departments in 1973: gender and department -> admitted.

    Features ``gender`` (male, female) and ``department`` (A to F); target ``admitted`` (no, yes).

    Notes
    -----
    The standard example of Simpson's paradox: 1198 of 2691 men and 557 of 1835 women were admitted, yet
    in four of the six departments the women's rate is the higher one. For the Bayes classifier the
    paradox is moot: gender alone is worth nothing, because both genders are mostly rejected, and next
    to the department it is worth nothing either. The minimal-optimal subset is {department}.

    Some copies of the table have 16 and 256 men in department F in place of 22 and 351; only
    the latter agree with the published totals.

    References
    ----------
    .. [1] P. J. Bickel, E. A. Hammel and J. W. O'Connell, "Sex Bias in Graduate Admissions: Data from
       Berkeley", Science 187, 1975.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.berkeley()
    >>> d.total, d.probability({"admitted": "yes"})
    (4526, Fraction(1755, 4526))
    >>> [str(d.posterior({"gender": gender})["yes"]) for gender in ("male", "female")]
    ['1198/2691', '557/1835']
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"gender"}, {"department"}, {"gender", "department"})]
    ['1755/4526', '1755/4526', '1331/4526', '1331/4526']
    """
    weights = [[row[:2] for row in _BERKELEY.values()], [row[2:] for row in _BERKELEY.values()]]
    states = {"gender": ["male", "female"], "department": list(_BERKELEY), "admitted": ["no", "yes"]}
    return named(weights, states)


ASIA_VARIABLES = ("asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp")

# variable -> (its parents, the probability of "yes" for each state of the parents: yes before no, the last fastest)
_ASIA: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "asia": ((), ("0.01",)),
    "smoke": ((), ("0.5",)),
    "tub": (("asia",), ("0.05", "0.01")),
    "lung": (("smoke",), ("0.1", "0.01")),
    "bronc": (("smoke",), ("0.6", "0.3")),
    "either": (("tub", "lung"), ("1", "1", "1", "0")),
    "xray": (("either",), ("0.98", "0.05")),
    "dysp": (("bronc", "either"), ("0.9", "0.8", "0.7", "0.1")),
}


def asia(target: str = "dysp") -> JointDistribution:
    """Return the chest clinic network of Lauritzen and Spiegelhalter, any variable as the target.

    Variables ``asia`` (a recent visit to Asia), ``smoke``, ``tub`` (tuberculosis), ``lung`` (lung cancer), ``bronc``
    (bronchitis), ``either`` (tuberculosis or lung cancer), ``xray`` (positive) and ``dysp`` (shortness of breath), all
    with states no and yes.

    Parameters
    ----------
    target : str
        One of the eight variables; the other seven are the features.

    Notes
    -----
    ``either`` is a function of ``tub`` and ``lung``, so p(x) > 0 fails unless ``either`` is the target. For ``dysp``
    two subsets are minimal with minimal risk, and they differ in size: {bronc, either} and {tub, lung, bronc}. For
    ``asia`` it is the empty set: nothing that the clinic sees makes a visit more likely than not.

    References
    ----------
    .. [1] S. L. Lauritzen and D. J. Spiegelhalter, "Local Computations with Probabilities on Graphical Structures and
       Their Application to Expert Systems", Journal of the Royal Statistical Society B 50(2), 1988.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.asia("dysp")
    >>> [str(d.probability({name: "yes"})) for name in ("tub", "lung", "either", "xray", "dysp")]
    ['13/1250', '11/200', '16207/250000', '2757251/25000000', '2179853/5000000']
    >>> float(d.probability({"dysp": "yes"}))
    0.4359706
    >>> bayes_risk(d, {"bronc", "either"}) == bayes_risk(d, {"tub", "lung", "bronc"}) == bayes_risk(d, d.features)
    True
    >>> bayes_risk(d, {"bronc", "either"})
    Fraction(3680247, 25000000)
    """
    if not isinstance(target, str) or target not in ASIA_VARIABLES:
        raise unknown("target", target, ASIA_VARIABLES)
    names = (*(name for name in ASIA_VARIABLES if name != target), target)
    tables = {
        name: dict(zip(itertools.product(("yes", "no"), repeat=len(parents)), map(parse_fraction, ones), strict=True))
        for name, (parents, ones) in _ASIA.items()
    }

    def weight(*labels: str) -> Fraction:
        state = dict(zip(names, labels, strict=True))
        given = ((name, table[tuple(state[parent] for parent in _ASIA[name][0])]) for name, table in tables.items())
        return math.prod((flipped(state[name], "yes", 1 - yes) for name, yes in given), start=Fraction(1))

    return tabulate(dict.fromkeys(names, ("no", "yes")), weight)


# -- Random distributions, drawn with integers only and the same on every machine.


_BYTES_PER_CELL_randomized = 200  # an int in a list, in a set and in a sorted copy, while drawing


def random(
    cardinalities: Iterable[int] = (2, 2, 2),
    classes: int = 2,
    *,
    rng: int | Random = 0,
    total: int | None = None,
    zeros: int = 0,
    ties: int = 0,
    positive: bool = False,
) -> JointDistribution:
    """Return a random distribution; equal arguments give equal distributions.

    Features X1, X2, .. and target Y, with states 0, 1, ....

    With the default options it is drawn uniformly among all tables of non-negative integers of this
    shape that sum to `total`.

    Parameters
    ----------
    cardinalities : iterable of int
        The number of states of each feature.
    classes : int
        The number of classes.
    rng : int or random.Random
        A seed, or a generator, which is advanced.
    total : int, optional
        The sum of the integer weights; 20 for each cell unless given.
    zeros : int
        How many cells have weight 0 by decree. Others may be 0 by chance.
    ties : int
        In how many feature states x the largest weight is given to a second class as well.
    positive : bool
        Make sure that p(x) > 0 for all x.

    Raises
    ------
    TooLargeError
        The table does not fit in memory.

    Notes
    -----
    In full, the draw has three steps.

    1. If `positive`, one cell of every feature state is protected, chosen uniformly and independently.
       Then `zeros` of the cells that are not protected are set to 0, uniformly without replacement.
    2. The other cells get weights uniformly distributed over all tuples of integers that sum to
       `total`, each at least 1 if `positive` and at least 0 otherwise (stars and bars).
    3. `ties` feature states are chosen, uniformly without replacement. In each, the class after the
       first one of largest weight (cyclically) is raised to that weight, so the weights then sum to more
       than `total`, and a cell set to 0 in step 1 may be filled. A state of weight 0 stays as it is.

    The distribution keeps the weights in lowest terms, so its own total may be a divisor. Only
    `Random.getrandbits` is used. Time and memory are proportional to the number of cells, up to sorting.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.random((2, 3), classes=3, rng=1, total=997)
    >>> d.total, d.cardinalities, d.classes
    (997, (2, 3), (0, 1, 2))
    >>> d == gallery.random((2, 3), classes=3, rng=1, total=997)
    True
    >>> bool(gallery.random((2, 2), rng=1, ties=1, positive=True).has_unique_maximum())
    False
    """
    shape = (*_cardinalities(cardinalities), as_index(classes, "classes", at_least=1))
    cells = require_cells(shape, "the table of all cells", "ask for fewer features", _BYTES_PER_CELL_randomized)
    states = cells // shape[-1]
    generator = _generator(rng)
    if not isinstance(positive, bool):
        raise InvalidTypeError(explain("positive", "True or False", positive, "pass positive=True to have p(x) > 0"))
    holes = _at_most(zeros, "zeros", cells - states if positive else cells - 1, "leave some cells to draw")
    tied = _at_most(ties, "ties", states if shape[-1] > 1 else 0, "a tie takes a feature state and two classes")
    filled = cells - holes
    least = filled if positive else 1
    mass = 20 * cells if total is None else as_index(total, "total", at_least=1)
    if mass < least:
        raise InvalidValueError(explain("total", f"at least {least}, 1 for each cell to fill", mass, "raise total"))

    empty = set(_holes(generator, states, shape[-1], holes, positive))
    drawn = iter(_composition(generator, mass, filled, 1 if positive else 0))
    weights = [0 if cell in empty else next(drawn) for cell in range(cells)]
    for state in _choose(generator, states, tied):
        row = weights[state * shape[-1] : (state + 1) * shape[-1]]
        first = row.index(max(row))
        weights[state * shape[-1] + (first + 1) % shape[-1]] = row[first]
    return JointDistribution(np.array(weights, dtype=object).reshape(shape))


def _cardinalities(cardinalities: Iterable[int]) -> tuple[int, ...]:
    if isinstance(cardinalities, str) or not isinstance(cardinalities, Iterable):
        raise InvalidTypeError(explain("cardinalities", "a list of integers", cardinalities, "write (2, 2, 3)"))
    return tuple(as_index(size, f"cardinalities[{i}]", at_least=1) for i, size in enumerate(cardinalities))


def _generator(rng: object) -> Random:
    if isinstance(rng, Random):
        return rng
    if isinstance(rng, int) and not isinstance(rng, bool):
        return Random(rng)
    raise InvalidTypeError(explain("rng", "an int or a random.Random", rng, "pass a seed such as rng=0"))


def _at_most(value: int, argument: str, most: int, repair: str) -> int:
    count = as_index(value, argument)
    if count > most:
        raise InvalidValueError(explain(argument, f"at most {most} here", count, repair))
    return count


def _holes(rng: Random, states: int, classes: int, count: int, positive: bool) -> list[int]:
    """Return the cells to set to 0; if `positive`, they spare one cell of every feature state."""
    if not count:
        return []
    if not positive:
        return _choose(rng, states * classes, count)
    spared = {state * classes + _below(rng, classes) for state in range(states)}
    exposed = [cell for cell in range(states * classes) if cell not in spared]
    return [exposed[i] for i in _choose(rng, len(exposed), count)]


def _composition(rng: Random, total: int, parts: int, least: int) -> Sequence[int]:
    """Return `parts` integers of at least `least` that sum to `total`, uniformly among all such tuples."""
    slots = total - parts * least + parts - 1
    bars = [-1, *_choose(rng, slots, parts - 1), slots]
    return [right - left - 1 + least for left, right in itertools.pairwise(bars)]


def _choose(rng: Random, n: int, k: int) -> list[int]:
    """Return k of the integers below n, ascending, uniformly among all such sets (Floyd's method)."""
    chosen: set[int] = set()
    for last in range(n - k, n):
        candidate = _below(rng, last + 1)
        chosen.add(last if candidate in chosen else candidate)
    return sorted(chosen)


def _below(rng: Random, n: int) -> int:
    """Return an integer below n, uniformly: bits are drawn again until they are below."""
    width = (n - 1).bit_length()
    while (value := rng.getrandbits(width) if width else 0) >= n:
        pass
    return value


# -- The gallery by name, for the command line and for loops over all of it.


_THRUN, _BREIMAN, _LAURITZEN = "Thrun et al. 1991", "Breiman et al. 1984", "Lauritzen and Spiegelhalter 1988"
_LED, _CLINIC = "seven segments, each inverted with probability 1/10", "the chest clinic network"

# name -> (what makes it, what it is, its source)
_ENTRIES: Mapping[str, tuple[Callable[[], JointDistribution], str, str]] = {
    "titanic": (titanic, "2201 people on the Titanic: class, sex, age -> survived", "Dawson 1995"),
    "berkeley": (berkeley, "4526 applicants to Berkeley in 1973: gender, department -> admitted", "Bickel et al. 1975"),
    "monks-1": (partial(monks, 1), "MONK's problem 1: same shapes, or a red jacket", _THRUN),
    "monks-2": (partial(monks, 2), "MONK's problem 2: exactly two attributes in their first state", _THRUN),
    "monks-3": (partial(monks, 3), "MONK's problem 3, with 5 percent class noise", _THRUN),
    "led": (led, f"{_LED} -> digit", _BREIMAN),
    "led-parity": (partial(led, target="parity"), f"{_LED} -> even or odd", _BREIMAN),
    "xor": (xor, "the exclusive or of two fair bits", "folklore"),
    "parity-3": (
        partial(parity, 3, noise="1/10"),
        "the parity of three fair bits, inverted with probability 1/10",
        "folklore",
    ),
    "corral": (corral, "(A0 and A1) or (B0 and B1), with a tempting correlated bit", "John, Kohavi and Pfleger 1994"),
    "correlated-xor": (correlated_xor, "X1 xor X2 among features and their complements", "Kohavi and John 1997"),
    "asia": (asia, f"{_CLINIC} -> dysp", _LAURITZEN),
    **{
        f"asia-{name}": (partial(asia, name), f"{_CLINIC} -> {name}", _LAURITZEN)
        for name in ASIA_VARIABLES
        if name != "dysp"
    },
    "ahmed-example-1": (
        ahmed_example_1,
        "mutual information and Bayes risk prefer different features",
        "Ahmed, Narasimhan and Agarwal 2015",
    ),
    "pena-nilsson-example-1": (
        pena_nilsson_example_1,
        "a strongly relevant feature outside the minimal-optimal subset",
        "Peña and Nilsson 2010",
    ),
    "toussaint": (toussaint, "the two best features are the worst pair", "Toussaint 1971"),
    "cover": (cover, "the worse experiment is the better one to repeat", "Cover 1974"),
    "copies": (copies, "a feature and its copy: p(x) > 0 fails, two solutions", "fstheory"),
    "recoded": (recoded, "two bits and their exclusive or: solutions of different size", "fstheory"),
    "ties": (ties, "tied posteriors: the single maximum fails, two solutions", "fstheory"),
    "random": (partial(random, rng=1), "a random table over three bits and a class, seed 1", "fstheory"),
}


def names() -> tuple[str, ...]:
    """Return the names that `load` knows.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.names()[:5]
    ('titanic', 'berkeley', 'monks-1', 'monks-2', 'monks-3')
    """
    return tuple(_ENTRIES)


def load(name: str) -> JointDistribution:
    """Return the distribution of that name.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.load("led-parity") == gallery.led(target="parity")
    True
    """
    make, _, _ = _entry(name)
    return make()


def describe(name: str) -> str:
    """Return what the distribution of that name is and where it comes from, on one line.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.describe("titanic")
    '2201 people on the Titanic: class, sex, age -> survived (Dawson 1995)'
    """
    _, summary, source = _entry(name)
    return f"{summary} ({source})"


def _entry(name: object) -> tuple[Callable[[], JointDistribution], str, str]:
    if not isinstance(name, str) or name not in _ENTRIES:
        # All names, however many: a name is what was asked for, and there is no other list at hand.
        raise UnknownNameError(f"gallery name {show(name)} does not exist; use one of: {', '.join(_ENTRIES)}")
    return _ENTRIES[name]
