"""The synthetic problem of Beraha et al.: one class is standard normal, the other the same far from the center.

Everything about it is known: how probable the region is, the Bayes error and the information of every set of features,
and how to draw from the region without rejection.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import gammaincc, gammainccinv, log_ndtr, ndtri_exp

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import generator
from fstheory.errors import require_choice
from fstheory.papers.experiments.gaussian import Floats, Integers

Region: TypeAlias = Literal["sum", "squares"]

_FAR = 12.0  # standard deviations; beyond there is less than 1e-32
_CLOSE = 2.0**-43  # of an integral
_LOG_2 = math.log(2.0)
_MOST = 100  # useful features


@dataclass(frozen=True, repr=False)
class TailProblem(Result):
    """Two equally probable classes: features are standard normal given 0, and given 1 conditioned on a region.

    Parameters
    ----------
    useful : int
        k, at least 3: the region is about the first k features.
    features : int
        All features, at least k; those beyond k are standard normal in both classes.
    region : {'sum', 'squares'}
        The region of class 1: X1 + .. + Xk > 3(k - 2) as printed, or X1**2 + .. + Xk**2 > 3(k - 2).

    Notes
    -----
    With q the probability of the region for standard normal features the Bayes error is q/2 and the information
    log 2 - ((1 + q) log(1 + q) - q log q)/2, in nats. A part of the useful features tells about the region by its sum,
    or sum of squares, alone, which a threshold decides: its error and information are integrals over that, with errors
    of some 1e-10. The textbook has the proofs.

    References
    ----------
    Beraha et al. (2019), Section VI-A, as printed. With squares it is close to the "orange" of Hastie, Tibshirani and
    Friedman (2009), Section 12.3.4, whose region is a shell, 9 to 16 for k = 4.

    Examples
    --------
    >>> from fstheory.papers.experiments import TailProblem
    >>> [f"{TailProblem(24, 30, region).probability:.1e}" for region in ("sum", "squares")]
    ['1.1e-41', '8.7e-06']
    >>> problem = TailProblem(3, 5, "squares")
    >>> [round(problem.bayes_error(j), 3) for j in range(4)]
    [0.5, 0.386, 0.305, 0.196]
    >>> x, y = problem.sample(1000, 1)
    >>> bool((x[y == 1, :3] ** 2).sum(axis=1).min() > 3)
    True
    """

    useful: int
    features: int = 30
    region: Region = "squares"

    def __post_init__(self) -> None:
        as_index(self.useful, "useful", at_least=3, at_most=_MOST)
        as_index(self.features, "features", at_least=self.useful)
        require_choice(self.region, "region", get_args(Region))

    @property
    def threshold(self) -> int:
        """What the sum, or the sum of squares, exceeds in class 1: 3(k - 2)."""
        return 3 * (self.useful - 2)

    @property
    def log_probability(self) -> float:
        """The logarithm of the probability of the region for standard normal features."""
        return _log_tail(self.region, self.useful, self.threshold)

    @property
    def probability(self) -> float:
        """The probability of the region for standard normal features; its inverse is the cost of rejection."""
        return math.exp(self.log_probability)

    def bayes_error(self, chosen: int) -> float:
        """Return the Bayes error of `chosen` useful features, with any number of the others."""
        return self._values(chosen)[0]

    def information(self, chosen: int) -> float:
        """Return the mutual information, in nats, of the class and `chosen` useful features."""
        return self._values(chosen)[1]

    def _values(self, chosen: int) -> tuple[float, float]:
        repair = "that is the number of useful features; leave out the others"
        return _values(self.region, self.useful, as_index(chosen, "chosen", at_most=self.useful, repair=repair))

    def sample(self, size: int, rng: np.random.Generator | int) -> tuple[Floats, Integers]:
        """Draw points, of shape (size, features), and their classes, independent of each other.

        A point of class 1 is drawn from the region itself: the sum, or the radius, by the inverse of its distribution
        function beyond the threshold, and what is orthogonal to it freely.
        """
        as_index(size, "size", at_least=1)
        drawn = generator(rng)
        y = drawn.integers(0, 2, size)
        x = drawn.standard_normal((size, self.features))
        inside = x[:, : self.useful]  # a view
        u = 1.0 - drawn.random(size)  # above 0
        if self.region == "sum":
            away = -ndtri_exp(self.log_probability + np.log(u))[:, None] / math.sqrt(self.useful)
            moved = inside - inside.mean(axis=1, keepdims=True) + away
        else:
            radius = np.sqrt(2.0 * gammainccinv(self.useful / 2, self.probability * u))[:, None]
            moved = inside * (radius / np.linalg.norm(inside, axis=1, keepdims=True))
        inside[y == 1] = moved[y == 1]
        return x, y


def _log_tail(region: Region, degrees: int, threshold: float) -> float:
    """Return log P(the sum, or sum of squares, of so many standard normal numbers > threshold)."""
    if region == "squares" and threshold <= 0.0:
        return 0.0
    if degrees == 0:
        return 0.0 if threshold < 0.0 else -math.inf
    if region == "sum":
        return float(log_ndtr(-threshold / math.sqrt(degrees)))
    tail = float(gammaincc(degrees / 2, threshold / 2))
    return math.log(tail) if tail > 0.0 else -math.inf


@functools.cache
def _values(region: Region, k: int, j: int) -> tuple[float, float]:
    """Return the Bayes error and the information of j of k useful features.

    They tell the region by one number u: their sum over its deviation, or their radius. With f its density given class
    0 and r(u) the likelihood ratio, the error is half the integral of f min(1, r), and the information log 2 less half
    that of f ((1 + r) log(1 + r) - r log r).
    """
    c = 3.0 * (k - 2)
    log_q = _log_tail(region, k, c)
    q = math.exp(log_q)
    if j == 0:
        return 0.5, 0.0
    if j == k:
        return q / 2, _LOG_2 - ((1 + q) * math.log1p(q) - q * log_q) / 2
    from scipy.integrate import quad

    if region == "sum":
        scale, constant = math.sqrt(j), -math.log(2 * math.pi) / 2
        low, high, edge = -_FAR, scale * c / k + _FAR, scale * c / k
        cut = c * (1.0 - math.sqrt((k - j) / k)) / scale  # where r is 1
    else:
        constant = (1 - j / 2) * _LOG_2 - math.lgamma(j / 2)
        low, high, edge = 0.0, math.sqrt(c) + _FAR, math.sqrt(c)
        cut = math.sqrt(c - 2.0 * float(gammainccinv((k - j) / 2, q)))

    def logs(u: float) -> tuple[float, float]:
        """Return the logarithms of f and of r."""
        given = scale * u if region == "sum" else u * u
        powers = 0.0 if region == "sum" else (j - 1) * math.log(u)
        return constant + powers - u * u / 2, _log_tail(region, k - j, c - given) - log_q

    def error(u: float) -> float:
        log_f, log_r = logs(u)
        return math.exp(log_f + min(log_r, 0.0))

    def unknown(u: float) -> float:
        log_f, log_r = logs(u)
        if log_r == -math.inf:
            return 0.0
        return math.exp(log_f + log_r) * _softplus(-log_r) + math.exp(log_f) * _softplus(log_r)

    grid = sorted({low, cut, edge, high} | {cut + step for step in (-6.0, -2.0, 2.0, 6.0) if low < cut + step < high})
    missed, entropy = (
        sum(quad(function, a, b, epsabs=_CLOSE, limit=200)[0] for a, b in itertools.pairwise(grid))
        for function in (error, unknown)
    )
    return missed / 2, _LOG_2 - entropy / 2


def _softplus(value: float) -> float:
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


def tail_of_bits(features: int, useful: int, more_than: int) -> JointDistribution:
    """Return two equally probable classes of fair bits, given 1 with more than so many ones among the first bits.

    It is `TailProblem` with coins in place of normal numbers: with q the probability of so many ones its Bayes risk is
    exactly q/2.

    Parameters
    ----------
    features, useful : int
        How many bits there are, and among how many of them ones are counted.
    more_than : int
        Below `useful`.

    Examples
    --------
    >>> import fstheory as fs
    >>> from fstheory.papers.experiments import tail_of_bits
    >>> d = tail_of_bits(4, 3, 1)
    >>> fs.bayes_risk(d, d.features), fs.bayes_risk(d, {"X1"}), fs.bayes_risk(d, {"X4"})
    (Fraction(1, 4), Fraction(3, 8), Fraction(1, 2))
    """
    as_index(features, "features", at_least=as_index(useful, "useful", at_least=as_index(more_than, "more_than") + 1))
    ones = np.indices([2] * features)[:useful].sum(axis=0)
    inside = (ones > more_than).astype(np.int64)
    weights = np.stack([np.full_like(inside, inside.sum()), inside * inside.size], axis=-1)
    return JointDistribution(weights)
