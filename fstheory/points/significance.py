"""Tests of the relative certainty gain by laws from the literature, and their true sizes under permuted labels.

Light and Margolin (1971) have N independent responses in G groups. They compare (N - 1)(k - 1) times the gain with the
chi-square law of (G - 1)(k - 1) degrees of freedom. The printed test keeps the degrees of freedom and drops the factor
k - 1. Its groups are the neighborhoods, which overlap, so its responses are not independent.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any, Literal, TypeAlias, get_args

from fstheory._support.exact import Exact, as_fraction, as_index, as_level, interval_text, to_text
from fstheory._support.result import Result
from fstheory.errors import TooLargeError, explain, import_optional, require, require_choice, require_type
from fstheory.numbers.enclosure import precisions, proven_order, rational_ball
from fstheory.numbers.roots import RootSum
from fstheory.points.permutations import LabelPermutations, standardized

Test: TypeAlias = Literal["printed", "printed chi-square", "Light-Margolin", "moments", "moments chi-square"]

_NORMAL = ("printed", "moments")  # tests by a normal law; the others compare with a multiple of a chi-square law
_PRECISION = 2**14  # the most bits with which a comparison is tried


def printed_z(value: Exact, size: int, classes: int) -> RootSum:
    r"""Return the z-score of a relative certainty gain as Sebban and Nock (2002) print it, exactly.

    It is :math:`(v - (n-1)(k-1)) / \sqrt{2(n-1)(k-1)}`. Here v is `value`, the statistic n.. RCG (see
    `printed_p_value`), n is `size`, the number of points, and k is `classes`, the number of classes. Source: Sebban and
    Nock (2002), equation (10).

    Examples
    --------
    >>> print(printed_z("14/3", 4, 2))
    5/18*sqrt(6) ≈ 0.680414
    """
    mean = _degrees(size, classes)
    return standardized(as_fraction(value, "value") - mean, Fraction(2 * mean))


def printed_p_value(value: Exact, size: int, classes: int, *, law: Literal["normal", "chi-square"] = "normal") -> float:
    """Return the p-value of a relative certainty gain as Sebban and Nock (2002) compute it.

    The paper calls it the critical threshold. As a float it is 0 or 1 for extreme values; then compare `printed_z`. The
    exact p-value is `relative_certainty_gain(points).p_value`.

    Parameters
    ----------
    value : exact number
        The statistic n.. RCG: the relative certainty gain times n.., the sum of the sizes of all neighborhoods. It is
        the `statistic` of `relative_certainty_gain`.
    size, classes : int
        The number n of points, and the number k of classes.
    law : {'normal', 'chi-square'}
        The law of the statistic under random labels: normal with mean (n - 1)(k - 1) and variance 2(n - 1)(k - 1), or
        chi-square with (n - 1)(k - 1) degrees of freedom.

    Examples
    --------
    >>> round(printed_p_value("14/3", 4, 2), 4), round(printed_p_value("14/3", 4, 2, law="chi-square"), 4)
    (0.2481, 0.1979)
    """
    require_choice(law, "law", ("normal", "chi-square"))
    stats = import_optional("scipy.stats", "stats", "a p-value")
    z, tested = printed_z(value, size, classes), as_fraction(value, "value")
    try:
        if law == "normal":
            return float(stats.norm.sf(float(z)))
        return float(stats.chi2.sf(float(tested), _degrees(size, classes)))
    except OverflowError:
        return 0.0 if tested > 0 else 1.0


def _stated(law: LabelPermutations[Any], test: Test) -> tuple[Fraction, Fraction]:
    """Return the mean and the variance of the law with which a test compares. They determine the law."""
    if test.startswith("moments"):
        return law.mean, law.variance
    classes, members = len(law.counts), law.members
    degrees = _degrees(law.size, classes)
    scale = Fraction(members, (members - 1) * (classes - 1)) if test == "Light-Margolin" else Fraction(1)
    return scale * degrees, 2 * scale**2 * degrees


def rejects(law: LabelPermutations[Any], value: Exact, test: Test = "printed", alpha: Exact = "1/20") -> bool:
    """Return whether a test rejects a value: whether its law exceeds the value with a probability below alpha.

    The comparison is exact. If 2**14 bits do not decide it, a `TooLargeError` is raised.
    """
    from flint import ctx

    (mean, variance), level, point = _stated(law, test), as_level(alpha, "alpha"), as_fraction(value, "value")
    if not variance or (test in _NORMAL and level == Fraction(1, 2)):
        return point > mean
    if test not in _NORMAL and point <= 0:
        return False
    for precision in precisions():
        ball = functools.partial(rational_ball, precision=precision)
        with ctx.workprec(precision):
            if test in _NORMAL:
                above = (ball(point - mean) / ball(2 * variance).sqrt()).erfc() / 2
            else:  # the multiple of a chi-square law with this mean and variance is a gamma law
                above = ball(point * mean / variance).gamma_upper(ball(mean**2 / variance), regularized=1)
            if order := proven_order(ball(level), above):
                return order > 0
        if precision >= _PRECISION:
            break
    raise TooLargeError(explain("value", f"parted from the threshold by {_PRECISION} bits", point, "change alpha"))


def _degrees(size: int, classes: int) -> int:
    return (as_index(size, "size", at_least=2) - 1) * (as_index(classes, "classes", at_least=2) - 1)


@dataclass(frozen=True, repr=False)
class TrueSize(Result):
    """The true size of a test of n.. RCG: the probability that it rejects if the labels are permuted at random.

    Attributes
    ----------
    alpha : Fraction
        The nominal size.
    threshold : float
        The test rejects if n.. RCG is above this number. The float is rounded for display; the decisions are exact.
    size : Fraction or float
        The true size: a Fraction if it is exact, and a float if it is estimated.
    interval : pair of float, or None
        The exact binomial 95% interval of an estimate. None for an exact size.
    """

    test: Test
    alpha: Fraction
    threshold: float
    size: Fraction | float
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        text = f"{self.test} test of size {to_text(self.alpha)} rejects above {self.threshold:.6g}: "
        if isinstance(self.size, Fraction):
            return text + f"its true size is {to_text(self.size)}"
        low, high = self.interval or (0.0, 1.0)
        return text + f"its true size is estimated {self.size:.4f} (95%: {interval_text(low, high)})"


def true_size(law: LabelPermutations[Any], test: Test = "printed", alpha: Exact = "1/20") -> TrueSize:
    """Return the true size of a test of labels on a graph: the probability that it rejects randomly permuted labels.

    The statistic is n.. RCG, the relative certainty gain times the sum n.. of the sizes of all neighborhoods. The test
    rejects if it exceeds a threshold. Compare the true size with the nominal size `alpha`. For a law that was sampled,
    the size is an estimate with an interval.

    Parameters
    ----------
    law : LabelPermutations
        The graph and the sizes of the classes.
    test : {'printed', 'printed chi-square', 'Light-Margolin', 'moments', 'moments chi-square'}
        The law with which the test compares:

        * 'printed': the printed normal law (11).
        * 'printed chi-square': the printed chi-square law.
        * 'Light-Margolin': (n.. - 1)(k - 1) RCG is compared with the chi-square law of (n - 1)(k - 1) degrees of
          freedom.
        * 'moments': the normal law with the exact mean and variance.
        * 'moments chi-square': the multiple of a chi-square law that has the exact mean and variance.
    alpha : exact number
        The nominal size of the test.

    Examples
    --------
    >>> null = LabelPermutations(30, [(i, i + 1) for i in range(29)], [15, 15])
    >>> print(true_size(null))
    printed test of size 1/20 = 0.05 rejects above 41.5268: its true size is 3928031/77558760 ≈ 0.05065
    >>> print(true_size(null.sample(2000, rng=0)))
    printed test of size 1/20 = 0.05 rejects above 41.5268: its true size is estimated 0.0505 (95%: 0.0413 to 0.0611)
    """
    require_type(
        law, LabelPermutations, "law", "LabelPermutations", "LabelPermutations(size, edges, counts) makes them"
    )
    require_choice(test, "test", get_args(Test))
    level = as_level(alpha, "alpha")
    inside = Fraction(1, 10**300) <= level <= 1 - Fraction(1, 10**15)
    require(inside, "alpha", "between 10**-300 and 1 - 10**-15", level, "take another level", TooLargeError)
    values = list(law.law)
    first = bisect_left(values, True, key=lambda value: rejects(law, value, test, level))
    least = values[first] if first < len(values) else values[-1] + 1
    interval = law.interval(least) if law.trials else None
    return TrueSize(test, level, _threshold(*_stated(law, test), test, level), law.tail(least), interval)


def _threshold(mean: Fraction, variance: Fraction, test: Test, level: Fraction) -> float:
    """Return the number that a law exceeds with this probability, rounded for display."""
    if not variance:
        return float(mean)
    if test in _NORMAL:
        return float(mean) - math.sqrt(variance) * NormalDist().inv_cdf(float(level))
    stats = import_optional("scipy.stats", "stats", "a threshold of the chi-square law")
    return float(stats.gamma.isf(float(level), float(mean**2 / variance), scale=float(variance / mean)))
