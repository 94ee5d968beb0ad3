"""Distributions made from definitions: Boolean concepts, failing assumptions, and examples from papers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, as_probability, parse_fraction
from fstheory._support.memory import require_axes, require_cells
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.errors import require, require_known
from fstheory.lattice.subsets import default_features, feature_names

# -- Make a distribution from a definition: the names and states of its variables, and the weight of each cell.


BITS = (0, 1)

_BYTES_PER_CELL = 200  # a cell is a Fraction with its two integers until the table is reduced to int64


def named(weights: object, variables: Mapping[str, Sequence[Any]]) -> JointDistribution:
    """Return the distribution with these weights. `variables` maps names to states and ends with the target."""
    *features, target = variables
    return JointDistribution(weights, features=features, target=target, states=variables)


def tabulate(variables: Mapping[str, Sequence[Any]], weight: Callable[..., Fraction | int]) -> JointDistribution:
    """Return the distribution whose cell (x1, .., xn, y) has mass proportional to ``weight(x1, .., xn, y)``."""
    weights = np.empty(shape := _require_table(variables), dtype=object)
    for cell, labels in zip(np.ndindex(shape), itertools.product(*variables.values()), strict=True):
        weights[cell] = weight(*labels)
    return named(weights, variables)


def _require_table(variables: Mapping[str, Sequence[Any]]) -> tuple[int, ...]:
    """Return the shape of the table of all cells, or refuse one that does not fit."""
    shape = tuple(map(len, variables.values()))
    require_cells(shape, "the table of all cells", "ask for fewer features", _BYTES_PER_CELL)
    return shape


def _binary_features(n: int) -> tuple[str, ...]:
    """Return the names X1, .., Xn, or refuse to list more than a table can have."""
    require_axes(n + 1, "the table of all cells")
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
    """Return one of the MONK's problems, 1, 2 or 3: 432 equally likely robots, and whether each belongs to a concept.

    The features are ``head_shape``, ``body_shape``, ``is_smiling``, ``holding``, ``jacket_color`` and ``has_tie``. The
    target is ``member``, inverted with probability `noise`. If `noise` is not given, it is 1/20 in problem 3 and 0 in
    the others. The concepts are: (1) the head has the shape of the body, or the jacket is red; (2) exactly two
    attributes have the first of their states; (3) the jacket is green and the robot holds a sword, or the jacket is not
    blue and the body is no octagon. Source: S. B. Thrun et al.,
    "The MONK's Problems", report CMU-CS-91-197, Carnegie Mellon University, 1991.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> bayes_risk(gallery.monks(3), {"body_shape", "holding", "jacket_color"})
    Fraction(1, 20)
    """
    require_known(as_index(problem, "problem"), "problem", _MONKS)
    concept = _MONKS[problem]
    rate = as_probability(Fraction(problem == 3, 20) if noise is None else noise, "noise")

    def weight(*robot: str) -> Fraction:
        *x, member = robot
        return flipped(member == "yes", concept(dict(zip(_ROBOTS, x, strict=True))), rate)

    return tabulate({**_ROBOTS, "member": ("no", "yes")}, weight)


def parity(n: int, *, noise: Exact = 0) -> JointDistribution:
    """Return n fair bits X1, .., Xn and their parity Y = X1 + .. + Xn mod 2, inverted with probability `noise`.

    The risk is min(noise, 1 - noise) with all features and 1/2 with any proper subset. So a search that adds or scores
    features one at a time learns nothing from the risks.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.parity(3, noise="1/10")
    >>> bayes_risk(d, {"X1", "X2"}), bayes_risk(d, {"X1", "X2", "X3"})
    (Fraction(1, 2), Fraction(1, 10))
    """
    rate = as_probability(noise, "noise")
    variables = dict.fromkeys((*_binary_features(as_index(n, "n")), "Y"), BITS)
    _require_table(variables)
    inverted = np.bitwise_count(np.arange(2 ** len(variables))).reshape((2,) * len(variables)) % 2
    wrong, total = rate.as_integer_ratio()
    kind = np.int64 if total < 2**63 else object
    return named(np.array([total - wrong, wrong], dtype=kind)[inverted], variables)


def xor(*, noise: Exact = 0) -> JointDistribution:
    """Return two fair bits and their exclusive or, ``parity(2, noise=noise)``.

    Examples
    --------
    >>> xor()
    JointDistribution([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    """
    return parity(2, noise=noise)


def corral() -> JointDistribution:
    """Return CorrAL: the concept (A0 and A1) or (B0 and B1), an irrelevant bit, and a bit correlated with the class.

    The features ``A0``, ``A1``, ``B0``, ``B1`` and ``irrelevant`` are independent fair bits. The feature ``correlated``
    equals the class ``Y`` with probability 3/4. Greedy forward selection takes ``correlated`` first. However, neither
    the best pairs nor the minimal-optimal subset {A0, A1, B0, B1} contain ``correlated``. Source: G. H. John, R. Kohavi
    and K. Pfleger, "Irrelevant Features and the Subset Selection Problem", Proceedings of the Eleventh International
    Conference on Machine Learning, 1994.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.corral(), s)) for s in ({"correlated"}, {"A0"}, {"A0", "A1"}, {"A0", "correlated"})]
    ['1/4', '5/16', '3/16', '1/4']
    """

    def weight(a0: int, a1: int, b0: int, b1: int, irrelevant: int, correlated: int, y: int) -> int:  # noqa: ARG001
        concept = a0 & a1 | b0 & b1
        return 0 if y != concept else 3 if correlated == y else 1

    return tabulate(dict.fromkeys(("A0", "A1", "B0", "B1", "irrelevant", "correlated", "Y"), BITS), weight)


def correlated_xor() -> JointDistribution:
    """Return Kohavi and John's correlated XOR: Y = X1 xor X2, with X4 = not X2 and X5 = not X3, all bits.

    X1 is strongly relevant, X2 and X4 are weakly relevant, and X3 and X5 are irrelevant. Both {X1, X2} and {X1, X4} are
    minimal subsets of minimal risk. One-shot finds X2 and X4 dispensable and returns {X1}. Source: R. Kohavi and G. H.
    John, "Wrappers for Feature Subset Selection", Artificial Intelligence 97, 1997.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.correlated_xor(), subset)) for subset in ({"X1", "X2"}, {"X1", "X4"}, {"X1"})]
    ['0', '0', '1/2']
    """

    def weight(x1: int, x2: int, x3: int, x4: int, x5: int, y: int) -> int:
        return int(x4 != x2 and x5 != x3 and y == x1 ^ x2)

    return tabulate(dict.fromkeys((*default_features(5), "Y"), BITS), weight)


# -- Small distributions where an assumption of the theory fails. Each docstring says what then goes wrong.


def copies(n: int = 2, *, noise: Exact = "1/10") -> JointDistribution:
    """Return n identical features: X1 is a fair bit, X2 = .. = Xn = X1, and Y is X1 inverted with probability `noise`.

    Each {Xi} is a minimal subset of minimal risk, unless `noise` is 1/2. One-shot drops every feature, because each is
    dispensable next to its copies.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.copies(), subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['1/2', '1/10', '1/10', '1/10']
    """
    rate = as_probability(noise, "noise")
    names = _binary_features(as_index(n, "n", at_least=1))
    cells = {(*[x] * n, y): flipped(y, x, rate) / 2 for x in BITS for y in BITS}
    return JointDistribution.from_pmf(cells, states=dict.fromkeys((*names, "Y"), BITS))


def recoded(*, noise: Exact = "1/10") -> JointDistribution:
    """Return two fair bits X1 and X2, their exclusive or X3, and the class: X3 inverted with probability `noise`.

    Two subsets of different size are minimal with minimal risk: {X3} and {X1, X2}. Backward search finds one of them.
    Which one depends on the order in which the search tries the features.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.recoded(), subset)) for subset in ({"X3"}, {"X1", "X2"}, {"X1"})]
    ['1/10', '1/10', '1/2']
    """
    rate = as_probability(noise, "noise")

    def weight(x1: int, x2: int, x3: int, y: int) -> Fraction:
        return flipped(y, x3, rate) if x3 == x1 ^ x2 else Fraction(0)

    return tabulate(dict.fromkeys((*default_features(3), "Y"), BITS), weight)


def ties() -> JointDistribution:
    """Return two fair bits that equal the class if they equal each other. If they differ, the classes tie.

    p(x) > 0 holds for every x. Still, {X1} and {X2} are both minimal with minimal risk, because classes tie. Source: J.
    M. Peña and R. Nilsson, "On the Complexity of Discrete Feature Selection for Optimal Classification", IEEE
    Transactions on Pattern Analysis and Machine Intelligence, 2010, Theorems 3 and 4.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.ties(), subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['1/2', '1/4', '1/4', '1/4']
    """
    return tabulate({"X1": BITS, "X2": BITS, "Y": BITS}, lambda x1, x2, y: (x1 == y) + (x2 == y))


def with_copy(d: JointDistribution, feature: str, copy: str | None = None) -> JointDistribution:
    """Return `d` with a copy of one of its features, added as the last feature.

    The copy is named `copy`. If no name is given, the copy of X is named X'.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> bayes_risk(gallery.with_copy(gallery.xor(), "X2", "X3"), {"X1", "X3"})
    Fraction(0, 1)
    """
    require_distribution(d)
    require_known(feature, "feature", d.features)
    (name,) = feature_names([f"{feature}'" if copy is None else copy], "copy")
    require(name not in d.states, "copy", "a new name", name, f"the variables are {', '.join(d.states)}")
    axis = d.features.index(feature)
    size = d.cardinalities[axis]
    require_cells((*d.weights.shape, size), "the table with the copy", "copy a feature of a smaller distribution")
    same = np.eye(size, dtype=np.int64).reshape((size,) + (1,) * (len(d.features) - axis - 1) + (size, 1))
    states = {**d.states, name: d.states[feature]}
    table = d.weights[..., np.newaxis, :] * same
    return JointDistribution(table, features=[*d.features, name], target=d.target, states=states)


# -- Examples from papers on feature selection, with the decimals of the papers taken exactly.


def ahmed_example_1() -> JointDistribution:
    """Return Example 1 of Ahmed et al.: mutual information and Bayes risk prefer different features.

    The class is -1 or 1 with P(Y=1) = 0.3, and X1 and X2 are independent given the class. P(X1=1|y) is 0.1 and 0.4,
    and P(X2=1|y) is 0.4 and 0.9. X2 has the larger mutual information with Y, but X2 alone does not lower the risk,
    because the Bayes classifier predicts the same class for both of its states. Source: S.
    Ahmed C.G., H. Narasimhan and S. Agarwal, "Bayes Optimal Feature Selection for Supervised Learning with General
    Performance Measures", 2015, Example 1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.ahmed_example_1(), subset)) for subset in ((), {"X1"}, {"X2"}, {"X1", "X2"})]
    ['3/10', '1/4', '3/10', '11/50']
    """
    return _naive_bayes({-1: "0.7", 1: "0.3"}, {"X1": {-1: "0.1", 1: "0.4"}, "X2": {-1: "0.4", 1: "0.9"}})


def pena_nilsson_example_1(p: Exact = "1/2") -> JointDistribution:
    """Return Example 1 of Peña and Nilsson: a strongly relevant feature outside the minimal-optimal subset.

    P(X=1) = p and P(Y=0|x) = x/3. The paper leaves p open; it must be above 0 and below 1. Class 1 is the more likely
    class for both states of X, so the risk is p/3 both with X and without X. Source: J. M. Peña and R. Nilsson, "On the
    Complexity of Discrete Feature Selection for Optimal Classification", IEEE Transactions on Pattern Analysis and
    Machine Intelligence, 2010, Example 1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> bayes_risk(gallery.pena_nilsson_example_1(), ()), bayes_risk(gallery.pena_nilsson_example_1(), {"X"})
    (Fraction(1, 6), Fraction(1, 6))
    """
    mass = as_fraction(p, "p", above=0, below=1, repair="the example asks for p(x) > 0")

    def weight(x: int, y: int) -> Fraction:
        zero = Fraction(x, 3)
        return (mass if x else 1 - mass) * (1 - zero if y else zero)

    return tabulate({"X": BITS, "Y": BITS}, weight)


def toussaint() -> JointDistribution:
    """Return Toussaint's example: three bits, independent given the class, whose two best are the worst pair.

    Both classes are equally likely. P(Xi=1|Y=0) is 0.1, 0.05 and 0.01, and P(Xi=1|Y=1) is 0.9, 0.8 and 0.71. The risks
    of the pairs are in the opposite order: the best pair consists of the two worst features. The parameters were chosen
    to have two decimals. Source: G. T. Toussaint, "Note
    on Optimal Selection of Independent Binary-Valued Features for Pattern Recognition", IEEE Transactions on
    Information Theory 17, 1971.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> subsets = ({"X1"}, {"X2"}, {"X3"}, {"X1", "X2"}, {"X1", "X3"}, {"X2", "X3"})
    >>> [float(bayes_risk(gallery.toussaint(), subset)) for subset in subsets]
    [0.1, 0.125, 0.15, 0.0825, 0.069, 0.05875]
    """
    return _naive_bayes(
        {0: "0.5", 1: "0.5"}, {"X1": {0: "0.1", 1: "0.9"}, "X2": {0: "0.05", 1: "0.8"}, "X3": {0: "0.01", 1: "0.71"}}
    )


def cover() -> JointDistribution:
    """Return Cover's example: experiment A is better than B if each is performed once, and worse if performed twice.

    The features ``A1``, ``A2``, ``B1`` and ``B2`` are independent given the class, and both classes are equally likely.
    P(A=1|y) is 0.2 and 0.8, and P(B=1|y) is 0 and 0.55. These parameters were chosen to have short decimals. Source: T.
    M. Cover, "The Best Two Independent Measurements Are Not the Two Best", IEEE Transactions on Systems, Man, and
    Cybernetics 4(1), 1974.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [float(bayes_risk(gallery.cover(), s)) for s in ({"A1"}, {"B1"}, {"A1", "A2"}, {"A1", "B1"}, {"B1", "B2"})]
    [0.2, 0.225, 0.2, 0.145, 0.10125]
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
