"""Examples of papers on feature selection, with their exact decimals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from fstheory._exact import Exact, parse_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.gallery._tabulate import BITS, as_probability, flipped, tabulate

__all__ = ["ahmed_example_1", "cover", "pena_nilsson_example_1", "toussaint"]


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
