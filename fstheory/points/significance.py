"""Tests of the relative certainty gain by laws from the literature, and their true sizes under permuted labels.

Light and Margolin (1971) have N independent responses in G groups. They compare (N - 1)(k - 1) times the gain with the
chi-square law of (G - 1)(k - 1) degrees of freedom. The printed test keeps the degrees of freedom and drops the factor
k - 1. Its groups are the neighborhoods, which overlap, so its responses are not independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from fstheory._support.exact import Exact, as_fraction, as_index, as_level, to_text
from fstheory._support.result import Result
from fstheory.errors import TooLargeError, explain, import_optional, require_choice, require_type
from fstheory.numbers.enclosure import Enclosed, precisions, proven_order, rational_ball
from fstheory.numbers.roots import RootSum
from fstheory.points.permutations import LabelPermutations, standardized

if TYPE_CHECKING:
    from flint import arb
Test: TypeAlias = Literal["printed", "printed chi-square", "Light-Margolin", "moments", "moments chi-square"]

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


def rejection_threshold(
    permutations: LabelPermutations[Any], test: Test = "printed", alpha: Exact = "1/20"
) -> Enclosed:
    """Return the number above which a test of n.. RCG rejects. Its comparisons with rationals are exact.

    In general the number seems to be irrational. If 2**14 bits do not decide a comparison, a `TooLargeError` is raised.
    The arguments are those of `true_size`.

    Examples
    --------
    >>> null = LabelPermutations(4, [(0, 1), (1, 2), (2, 3)], [2, 2])
    >>> threshold = rejection_threshold(null)
    >>> 7 < threshold < Fraction(71, 10), threshold.decimal()
    (True, '7.02905')
    """
    repair = "LabelPermutations(size, edges, counts) makes them"
    require_type(permutations, LabelPermutations, "permutations", "LabelPermutations", repair)
    require_choice(test, "test", get_args(Test))
    level = as_level(alpha, "alpha")
    if test.startswith("moments"):
        mean, variance = permutations.mean, permutations.variance
        if test == "moments" or not variance:
            return _Normal(mean, variance, level)
        return _ChiSquare(2 * mean**2 / variance, variance / (2 * mean), level)
    classes = len(permutations.counts)
    degrees = _degrees(permutations.size, classes)
    if test == "printed":
        return _Normal(Fraction(degrees), Fraction(2 * degrees), level)
    members = permutations.members
    return _ChiSquare(
        degrees, Fraction(members, (members - 1) * (classes - 1)) if "Light" in test else Fraction(1), level
    )


def _degrees(size: int, classes: int) -> int:
    return (as_index(size, "size", at_least=2) - 1) * (as_index(classes, "classes", at_least=2) - 1)


class _Threshold(Enclosed, Result):
    """The number that a stated law exceeds with probability alpha. It can be compared with rationals only."""

    __slots__ = ("alpha",)

    alpha: Fraction

    def _order(self, other: Enclosed | Fraction) -> int | None:
        if type(other) is type(self) and self.__reduce__() == other.__reduce__():
            return 0
        number = other if isinstance(other, Fraction) else other._rational_value
        if number is None:
            return None
        if (value := self._rational_value) is not None:
            return (value > number) - (value < number)
        for precision in precisions():
            if order := proven_order(self._enclose(precision), rational_ball(number, precision)):
                return order
            if precision >= _PRECISION:
                break
        raise TooLargeError(explain("value", f"parted from the threshold by {_PRECISION} bits", number, "change alpha"))

    def __str__(self) -> str:
        return f"≈{self.decimal()}, exceeded with probability {to_text(self.alpha)} under the law of the test"


class _Normal(_Threshold):
    __slots__ = ("mean", "variance")
    _parts = ("mean", "variance", "alpha")

    def __init__(self, mean: Fraction, variance: Fraction, alpha: Fraction) -> None:
        self.mean, self.variance, self.alpha = mean, variance, alpha
        self._first_ball = None

    @cached_property
    def _rational_value(self) -> Fraction | None:
        return self.mean if self.alpha == Fraction(1, 2) or not self.variance else None

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression."""
        import sympy

        deviations = sympy.erfinv(sympy.Rational(1 - 2 * self.alpha))
        return sympy.Rational(self.mean) + sympy.sqrt(sympy.Rational(2 * self.variance)) * deviations

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        precision += self.alpha.denominator.bit_length()  # so that a level close to 0 or 1 is not rounded to 0 or 1
        with ctx.workprec(precision):
            deviations = rational_ball(1 - 2 * self.alpha, precision).erfinv()
            spread = rational_ball(2 * self.variance, precision).sqrt()
            return rational_ball(self.mean, precision) + deviations * spread


class _ChiSquare(_Threshold):
    __slots__ = ("degrees", "factor")
    _parts = ("degrees", "factor", "alpha")

    def __init__(self, degrees: Fraction | int, factor: Fraction, alpha: Fraction) -> None:
        self.degrees, self.factor, self.alpha = Fraction(degrees), factor, alpha
        self._first_ball = None

    def _ball(self, precision: int) -> arb:
        from flint import arb, ctx

        stats = import_optional("scipy.stats", "stats", "a threshold of the chi-square law")
        guess = arb(float(stats.chi2.isf(float(self.alpha), float(self.degrees))))
        with ctx.workprec(precision + 64):
            half = rational_ball(self.degrees / 2, precision + 64)
            scale = arb(2) ** half * half.gamma()
            for _ in range(precision.bit_length()):  # Newton's method, from a float; the result is proven below
                density = (-guess / 2).exp() * guess ** (half - 1) / scale
                guess = (guess + (self._above(guess) - rational_ball(self.alpha, precision + 64)) / density).mid()
            radius = guess.abs_lower() * arb(2) ** -precision
            for _ in range(precision):
                low, high = (guess - radius).mid(), (guess + radius).mid()
                if self._order_of(low) < 0 < self._order_of(high):
                    return low.union(high) * rational_ball(self.factor, precision + 64)
                radius *= 2
        raise TooLargeError(explain("alpha", "between 10**-300 and 1 - 10**-15", self.alpha, "take another test"))

    def _above(self, point: arb) -> arb:
        """Return an enclosure of the probability of a value above a point."""
        from flint import ctx

        return (point / 2).gamma_upper(rational_ball(self.degrees / 2, ctx.prec), regularized=1)

    def _order_of(self, point: arb) -> int:
        """Return the proven order of a point and the quantile: -1 or 1, or 0 if it is not decided."""
        return proven_order(rational_ball(self.alpha, 2 * _PRECISION), self._above(point))


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
        return text + f"its true size is estimated {self.size:.4f} (95%: {low:.4f} to {high:.4f})"


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
    printed test of size 1/20 = 0.05 rejects above 41.5268: its true size is estimated 0.0505 (95%: 0.0413 to 0.0610)
    """
    threshold = rejection_threshold(law, test, alpha)
    interval = law.size_interval(threshold) if law.trials else None
    return TrueSize(test, as_fraction(alpha, "alpha"), float(threshold), law.size_of(threshold), interval)
