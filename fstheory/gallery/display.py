"""The LED display: ten digits on seven unreliable segments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from fstheory._rational import Exact
from fstheory.distribution import JointDistribution
from fstheory.errors import unknown
from fstheory.gallery._tabulate import BITS, as_probability, flipped, tabulate

__all__ = ["led"]

_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")

# The segments that are lit for 0, 1, .., 9; the 6 has a top bar and the 9 a bottom bar.
_DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")

# target -> its classes, and the class of each digit
_TARGETS: Mapping[str, tuple[tuple[int | str, ...], tuple[int | str, ...]]] = MappingProxyType(
    {
        "digit": (tuple(range(10)), tuple(range(10))),
        "parity": (("even", "odd"), ("even", "odd") * 5),
    }
)


def led(*, noise: Exact = "1/10", target: str = "digit") -> JointDistribution:
    """Return the LED display: seven segments that each fail with probability `noise`, and the digit behind them.

    Parameters
    ----------
    noise : exact number
        The probability that a segment is inverted, independently of the others.
    target : "digit" or "parity"
        Predict the digit (ten classes) or whether it is even or odd (two classes).

    Returns
    -------
    JointDistribution
        Features ``top``, ``upper_left``, ``upper_right``, ``middle``, ``lower_left``, ``lower_right`` and
        ``bottom`` with states 0 (dark) and 1 (lit); the ten digits are equally likely.

    Raises
    ------
    UnknownNameError
        There is no such target.
    InvalidValueError, InvalidTypeError
        `noise` is no exact probability.

    Notes
    -----
    With noise 1/10 the published Bayes risk for ten classes is 26 percent; exactly it is
    3249719/12500000, which is 0.25997752. It needs all seven segments, and so does the parity
    (0.11030632). Without noise five of them tell the ten digits apart: all but ``lower_right`` and
    ``bottom``. With ten classes the assumption of a single maximum fails: where only the three lowest
    segments are lit, 0, 1 and 6 are equally likely.

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
    for code in range(2 ** len(_SEGMENTS)):
        display = tuple(code >> i & 1 for i in range(len(_SEGMENTS)))
        displays[display] = math.prod(
            (flipped(lit, int(truth), noise) for lit, truth in zip(display, digit, strict=True)), start=Fraction(1)
        )
    return displays
