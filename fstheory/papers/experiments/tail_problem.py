"""The synthetic problem of Beraha et al., whose errors and information are known, and walks by nearest neighbors.

The features of one class are standard normal. Those of the other class are standard normal, conditioned on a region far
from the center. The walks go by `fstheory.measures.estimated_information`.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import generator
from fstheory.errors import require_choice
from fstheory.lattice.columns import Floats, Integers
from fstheory.measures.information import Pairs
from fstheory.papers.experiments.runner import scipy

Region: TypeAlias = Literal["sum", "squares"]

_FAR = 12.0  # standard deviations; beyond there is less than 1e-32
_CLOSE = 2.0**-43  # of an integral
_LOG_2 = math.log(2.0)
_MOST = 100  # useful features


@dataclass(frozen=True, repr=False)
class TailProblem(Result):
    """Two equally probable classes: features are standard normal given 0, and given 1 conditioned on a region.

    Errors and information are in closed form, or integrals with errors of some 1e-10; the textbook has the proofs.

    Parameters
    ----------
    useful : int
        The number k of useful features, at least 3. The region is about the first k features.
    features : int
        The number of all features, at least k. Those beyond k are standard normal in both classes.
    region : {'sum', 'squares'}
        The region of class 1: X1 + .. + Xk > 3(k - 2) as printed, or X1**2 + .. + Xk**2 > 3(k - 2).

    References
    ----------
    Beraha et al. (2019), Section VI-A. With squares it is close to the "orange" of Hastie, Tibshirani and Friedman
    (2009), Section 12.3.4, whose region is a shell, 9 to 16 for k = 4.

    Examples
    --------
    >>> from fstheory.papers.experiments import TailProblem
    >>> [f"{TailProblem(24, 30, region).probability:.1e}" for region in ("sum", "squares")]
    ['1.1e-41', '8.7e-06']
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

    def sample(self, m: int, *, rng: np.random.Generator | int) -> tuple[Floats, Integers]:
        """Draw m points, of shape (m, features), and their classes, which are independent."""
        as_index(m, "m", at_least=1)
        drawn = generator(rng)
        y = drawn.integers(0, 2, m)
        x = drawn.standard_normal((m, self.features))
        inside = x[:, : self.useful]  # a view
        u = 1.0 - drawn.random(m)  # above 0
        # the sum, or the radius, by the inverse of its distribution function beyond the threshold; the rest freely
        if self.region == "sum":
            away = -scipy().ndtri_exp(self.log_probability + np.log(u))[:, None] / math.sqrt(self.useful)
            moved = inside - inside.mean(axis=1, keepdims=True) + away
        else:
            radius = np.sqrt(2.0 * scipy().gammainccinv(self.useful / 2, self.probability * u))[:, None]
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
        return float(scipy().log_ndtr(-threshold / math.sqrt(degrees)))
    tail = float(scipy().gammaincc(degrees / 2, threshold / 2))
    return math.log(tail) if tail > 0.0 else -math.inf


@functools.cache
def _values(region: Region, k: int, j: int) -> tuple[float, float]:
    """Return the Bayes error and the information of j of k useful features.

    These features say about the region only one number u: their sum over its standard deviation, or their radius. Let f
    be the density of u given class 0, and r the likelihood ratio. The error is half the integral of f min(1, r). The
    information is log 2 minus half the integral of f ((1 + r) log(1 + r) - r log r).
    """
    c = 3.0 * (k - 2)
    log_q = _log_tail(region, k, c)
    q = math.exp(log_q)
    if j == 0:
        return 0.5, 0.0
    if j == k:
        return q / 2, _LOG_2 - ((1 + q) * math.log1p(q) - q * log_q) / 2
    if region == "sum":
        scale, constant = math.sqrt(j), -math.log(2 * math.pi) / 2
        low, edge = -_FAR, scale * c / k
        cut = c * (1.0 - math.sqrt((k - j) / k)) / scale  # where r is 1
    else:
        constant = (1 - j / 2) * _LOG_2 - math.lgamma(j / 2)
        low, edge = 0.0, math.sqrt(c)
        cut = math.sqrt(c - 2.0 * float(scipy().gammainccinv((k - j) / 2, q)))

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
        return float(math.exp(log_f + log_r) * np.logaddexp(0.0, -log_r) + math.exp(log_f) * np.logaddexp(0.0, log_r))

    high = edge + _FAR
    grid = sorted({low, cut, edge, high} | {cut + step for step in (-6.0, -2.0, 2.0, 6.0) if low < cut + step < high})
    missed, entropy = (
        sum(scipy("integrate").quad(function, a, b, epsabs=_CLOSE, limit=200)[0] for a, b in itertools.pairwise(grid))
        for function in (error, unknown)
    )
    return missed / 2, _LOG_2 - entropy / 2


def tail_of_bits(features: int, useful: int, more_than: int) -> JointDistribution:
    """Return fair bits in two equally probable classes; in class 1 more than `more_than` of the first ones are 1.

    This is `TailProblem` with coins in place of normal features. If q is the probability of so many ones among fair
    bits, the Bayes risk is exactly q/2.

    Parameters
    ----------
    features, useful : int
        The number of bits, and the number of bits at the beginning whose ones are counted.
    more_than : int
        In class 1 more than so many of the first `useful` bits are 1. It is below `useful`.

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


# -- walks by the estimates of nearest neighbors


def neighbor_elimination(x: Any, y: Any, *, neighbors: int = 5) -> list[tuple[int, float]]:
    """Remove all features one by one, each time the one of least `estimated_information` given the others left.

    Return the positions in the order of removal, with the estimates. If features tie, the first goes. Complexity:
    O(n**2 m**2), and 9 n m**2 bytes. Source: Beraha et al. (2019), Section IV, Backward Elimination.
    """
    pairs = Pairs(x, y, neighbors)
    left, steps = list(range(len(pairs.gaps))), list[tuple[int, float]]()
    while left:
        radius, close = pairs.reach(pairs.gaps[left].max(axis=0))  # the same for all that may go next
        far = pairs.gaps[left] > radius
        number = far.sum(axis=0, dtype=np.int16)
        scores = [pairs.estimate(close, number == 0, number == mine) for mine in far]
        best = int(np.argmin(scores))
        steps.append((left.pop(best), scores[best]))
    return steps


def neighbor_selection(x: Any, y: Any, *, neighbors: int = 5) -> list[tuple[int, float]]:
    """Add all features one by one, each time the one of largest `estimated_information` given those that are added.

    Return the positions in the order of addition, with the estimates. Complexity: O(n m**2) for each step. Source:
    Beraha et al. (2019), Section IV, Forward Selection.
    """
    pairs = Pairs(x, y, neighbors)
    free, steps, gap = list(range(len(pairs.gaps))), list[tuple[int, float]](), np.zeros_like(pairs.gaps[0])
    while free:
        scores = []
        for i in free:
            both = np.maximum(gap, pairs.gaps[i])
            radius, close = pairs.reach(both)
            scores.append(pairs.estimate(close, both <= radius, gap <= radius))
        best = int(np.argmax(scores))
        steps.append((free.pop(best), scores[best]))
        gap = np.maximum(gap, pairs.gaps[steps[-1][0]])
    return steps
