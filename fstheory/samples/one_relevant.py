"""One relevant feature among many: the exact probability that the least training error finds it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from fstheory._exact import Exact, as_fraction, as_index
from fstheory.errors import InvalidValueError, TooLargeError, explain
from fstheory.reals import LogSum, log
from fstheory.reals.ratio import ExactRatio, quotient
from fstheory.reals.real import ends

__all__ = ["find_probability", "find_probability_bounds", "samples_per_bit", "samples_to_find"]

_BITS = 2**22  # of the integers that an exact probability may take: 0.4 s at m = 20, f = 10,000
_PRECISION = 2**14  # bits up to which a comparison is tried
_SAMPLES = 2**22  # of which bounds are computed, in some seconds


def find_probability(features: int, m: int, noise: Exact) -> Fraction:
    """Return the exact probability that the relevant one of f binary features has the least training error.

    All features are uniform and independent; the class is the first of them, flipped with probability `noise`. Each
    feature is judged by the errors of the rule "the class is the feature" on m samples; of several features with the
    fewest errors one is drawn uniformly.

    Parameters
    ----------
    features : int
        f, at least 1: the relevant one and f - 1 irrelevant ones.
    m : int
        The number of samples, at least 0.
    noise : exact number
        At least 0 and below 1/2.

    Returns
    -------
    Fraction

    Raises
    ------
    TooLargeError
        The integers in it would be too long: `find_probability_bounds` encloses it.

    Notes
    -----
    The irrelevant features have Bin(m, 1/2) errors, independent of each other and of the Bin(m, noise) errors of the
    relevant one. With e errors it is drawn with probability E[1/(1 + T)] 1{no other has fewer}, T the number of
    others with e errors. For S = P(Bin(m, 1/2) >= e) and q = P(Bin(m, 1/2) = e) that is the sum over t of
    binomial(f - 1, t) q^t (S - q)^(f - 1 - t) / (t + 1) = (S^f - (S - q)^f) / (f q).

    Complexity: m powers of integers of f m bits.

    References
    ----------
    Ng (1998), Section 3: the sample size that ORDERED-FS needs grows with log f.

    Examples
    --------
    >>> from fstheory.samples import find_probability
    >>> find_probability(2, 1, "1/4")  # right 3/4 of the time; the other is right half the time, ties are drawn
    Fraction(5, 8)
    """
    f, m, eta = _checked(features, m, noise)
    if f * m * (m + 1) > _BITS:
        repair = "use find_probability_bounds, or smaller numbers"
        raise TooLargeError(explain("features", f"small enough for m = {m}", features, repair))
    ties = [math.comb(m, e) for e in range(m + 1)]
    total, above = Fraction(0), 0
    for e in range(m, -1, -1):
        above += ties[e]
        drawn = Fraction(above**f - (above - ties[e]) ** f, f * ties[e] * 2 ** (m * (f - 1)))
        total += ties[e] * eta**e * (1 - eta) ** (m - e) * drawn
    return total


def find_probability_bounds(features: int, m: int, noise: Exact, *, bits: int = 64) -> tuple[Fraction, Fraction]:
    """Return rationals between which the probability of `find_probability` lies, for up to 10**12 features and more.

    Parameters
    ----------
    features, m, noise
        As in `find_probability`.
    bits : int
        The bounds are at most 2**-bits apart.

    Returns
    -------
    pair of Fraction
        Proven: by ball arithmetic, with a precision that grows until they are so close.

    Raises
    ------
    TooLargeError
        `m` is above 2**22.

    Notes
    -----
    Complexity: some sqrt(m bits) exponentials of balls, and m multiplications; half a second at m = 10**6.

    Examples
    --------
    >>> from fstheory.samples import find_probability_bounds
    >>> low, high = find_probability_bounds(10**6, 200, "3/10")
    >>> round(float(low), 6), high - low < Fraction(1, 2**64)
    (0.810628, True)
    """
    f, m, eta = _checked(features, m, noise)
    if m > _SAMPLES:
        raise TooLargeError(explain("m", f"at most {_SAMPLES:,}", m, "take fewer samples"))
    wanted, precision = Fraction(1, 2 ** as_index(bits, "bits", at_least=1)), bits + 64
    while True:
        low, high = _enclosure(f, m, eta, precision)
        if high - low <= wanted:
            return max(low, Fraction(0)), min(high, Fraction(1))
        precision *= 2


def samples_to_find(features: int, probability: Exact, noise: Exact) -> int:
    """Return the smallest m with which the relevant feature is found with at least a probability, ties being drawn.

    Parameters
    ----------
    features, noise
        As in `find_probability`.
    probability : exact number
        At least 0 and below 1.

    Returns
    -------
    int
        Each comparison is decided by proven bounds or, where those do not part, exactly.

    Raises
    ------
    TooLargeError
        2**22 samples are not enough: the noise is too near to 1/2.

    Notes
    -----
    One more sample never makes the probability smaller, so that m is found by bisection: if each feature is the
    relevant one with probability 1/f beforehand, the one with the fewest errors is the likeliest afterwards, so no
    rule finds it more often, not even one with a sample more that it does not look at; and by symmetry it does not
    matter which feature is the relevant one.

    Complexity: 2 log m times that of `find_probability_bounds`.

    Where ties are lost and not drawn it takes more: 131, 234 and 430 in place of the last three numbers.

    Examples
    --------
    >>> from fstheory.samples import samples_to_find
    >>> [samples_to_find(10**k, "9/10", "3/10") for k in (1, 2, 3, 6, 12)]
    [53, 91, 127, 229, 426]
    """
    f, _, eta = _checked(features, 0, noise)
    wanted = as_fraction(probability, "probability")
    if not 0 <= wanted < 1:
        raise InvalidValueError(explain("probability", "at least 0 and below 1", wanted, "pass '9/10', say"))
    high = 1
    while not _reaches(f, high, eta, wanted):
        high *= 2
        if high > _SAMPLES:
            repair = "take less noise: the number grows with (1 - 2 noise)**-2, and with log features"
            raise TooLargeError(explain("noise", f"such that {_SAMPLES:,} samples are enough", eta, repair))
    low = -1 if high == 1 else high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _reaches(f, middle, eta, wanted) else (middle, high)
    return high


def samples_per_bit(noise: Exact) -> Fraction | ExactRatio:
    """Return the limit of m / log2 f as f grows, m being the samples that find the relevant one of f features.

    It is log 2 / (log 2 - H(noise)), H(p) = -p log p - (1 - p) log(1 - p): one over the capacity of the binary
    symmetric channel. For any wanted probability strictly between 0 and 1 it is the same, and also where ties
    are lost and not drawn; no smaller m will do. Where the relevant feature wins every tie, m = 0 finds it.

    Examples
    --------
    >>> from fstheory.samples import samples_per_bit
    >>> samples_per_bit(0), round(float(samples_per_bit("3/10")), 4)
    (Fraction(1, 1), 8.424)
    """
    _, _, eta = _checked(1, 0, noise)
    entropy: LogSum = sum((-p * log(p) for p in (eta, 1 - eta) if p), LogSum())
    return quotient(log(2), log(2) - entropy)


def _checked(features: int, m: int, noise: Exact) -> tuple[int, int, Fraction]:
    eta = as_fraction(noise, "noise")
    if not 0 <= eta < Fraction(1, 2):
        raise InvalidValueError(
            explain("noise", "at least 0 and below 1/2", eta, "flip the class, or pass '3/10', say")
        )
    return as_index(features, "features", at_least=1), as_index(m, "m"), eta


def _reaches(f: int, m: int, eta: Fraction, wanted: Fraction) -> bool:
    """Decide whether the probability is at least the wanted one."""
    precision = 64
    while precision <= _PRECISION:
        low, high = _enclosure(f, m, eta, precision)
        if low >= wanted:
            return True
        if high < wanted:
            return False
        precision *= 2
    return find_probability(f, m, eta) >= wanted  # equal, it seems


def _enclosure(f: int, m: int, eta: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """Return bounds of the probability, by ball arithmetic of a precision in bits.

    Only numbers of errors e near m eta are summed: the others have what is left of all probability, and given one of
    them the relevant feature is drawn with a probability between 0 and 1. The tail of the irrelevant ones is known at
    the end and, by symmetry, in the middle; from there it is summed.
    """
    from flint import arb, ctx, fmpq

    before = ctx.prec
    ctx.prec = precision + 3 * m.bit_length()
    try:
        width = math.isqrt(m * precision) + 2
        low = max(0, m * eta.numerator // eta.denominator - width)
        high = min(m, m * eta.numerator // eta.denominator + width) if eta else 0
        e = m if high == m else (m + 1) // 2
        tie = arb.bin_uiui(m, e) / arb(2) ** m  # P(Bin(m, 1/2) = e)
        above = arb(0) if e == m else arb(1) / 2 - (tie if m % 2 else tie / 2)  # P(Bin(m, 1/2) > e)
        while e < high:
            tie, e = tie * (m - e) / (e + 1), e + 1
            above -= tie
        while e > high:
            above, tie, e = above + tie, tie * e / (m - e + 1), e - 1
        right, wrong = (arb(fmpq(part.numerator, part.denominator)) for part in (1 - eta, eta))
        share = arb(2) ** m * wrong**e * right ** (m - e)  # P(Bin(m, eta) = e) over P(Bin(m, 1/2) = e)
        total = summed = arb(0)
        while e >= low:
            summed += share * tie
            total += share * tie * _drawn(f, tie, above)
            above, tie, share, e = above + tie, tie * e / (m - e + 1), share * right / wrong if e else share, e - 1
        return ends(total)[0], ends(total + 1 - summed)[1]
    finally:
        ctx.prec = before


def _drawn(f: int, tie: Any, above: Any) -> Any:
    """Return E[1/(1 + T)] 1{no other has fewer} in the notation of `find_probability`, q = tie and S - q = above."""
    from flint import arb

    if above == 0:
        return tie ** (f - 1) / f
    if not above > 0:
        return arb(0.5, 0.5)  # anything from 0 to 1
    return above**f * (f * (tie / above).log1p()).expm1() / (f * tie)
