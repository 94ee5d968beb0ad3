"""The parameters of a family at which two subsets have equal information about the class."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import Any

import numpy as np

from fstheory._support.exact import Exact, as_fraction, decimal_text
from fstheory._support.result import OnColumns, in_order
from fstheory.errors import require_type
from fstheory.lattice.subsets import Subset, mask_of, names_of
from fstheory.numbers.enclosure import rational_ball
from fstheory.numbers.logsum import LogSum
from fstheory.selection.family import (
    Family,
    marginals,
    value_of,
)

_MOST_INTERVALS = 20_000
_ORDER = 6  # of the Taylor polynomials


@dataclass(frozen=True, repr=False)
class InformationCrossings(OnColumns):
    """The parameters of a family at which two subsets have equal information about the class.

    Attributes
    ----------
    first, second : frozenset of str
        The two subsets.
    crossings : tuple of pairs of Fraction
        Disjoint intervals, ascending. Between the two numbers of a pair there is exactly one parameter with equal
        informations, and the sign of the difference changes there. If the two numbers are equal, they are this
        parameter.
    undecided : tuple of pairs of Fraction
        Short intervals in which equal informations were neither found nor excluded: the difference touches zero
        without changing its sign, or vanishes together with a weight. Outside these intervals, all crossings are found.
    touches : tuple of Fraction
        Parameters in undecided intervals, with a small denominator, at which the informations are exactly equal.
    always : bool
        Whether the informations are equal at every parameter. Then no crossing is listed.
    """

    first: frozenset[str]
    second: frozenset[str]
    crossings: tuple[tuple[Fraction, Fraction], ...]
    undecided: tuple[tuple[Fraction, Fraction], ...]
    touches: tuple[Fraction, ...] = ()
    always: bool = False
    _symbol: Any = field(default="t", repr=False, kw_only=True)

    def __str__(self) -> str:
        names = [", ".join(in_order(subset, self._columns)) or "nothing" for subset in (self.first, self.second)]
        head = f"I(Y; {names[0]}) = I(Y; {names[1]})"
        if self.always:
            return f"{head} at every {self._symbol}"
        at = ", ".join(f"{self._symbol} ≈ {decimal_text((low + high) / 2)}" for low, high in self.crossings)
        around = [(low, high, [t for t in self.touches if low <= t <= high]) for low, high in self.undecided]
        left = ", ".join(
            f"around {here[0]}, where they are equal"
            if here
            else f"in [{decimal_text(low, 6, ROUND_FLOOR)}, {decimal_text(high, 6, ROUND_CEILING)}]"
            for low, high, here in around
        )
        return f"{head} at {at or f'no {self._symbol}'}" + (f"; undecided {left}" if left else "")


def information_crossings(
    family: Family, first: Subset, second: Subset, *, width: Exact = Fraction(1, 2**40)
) -> InformationCrossings:
    """Find where along a family the mutual informations of two subsets with the class are equal, with certificates.

    Each crossing is an interval of at most `width` that contains exactly one parameter with equal informations.
    Enclosures decide where the difference of the informations, or its derivative, is not zero. Exact signs decide the
    rest. After 20,000 intervals the search stops, and the parameters that are left are undecided.

    Examples
    --------
    >>> import fstheory as fs
    >>> first = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    >>> second = fs.JointDistribution([[[3, 1], [1, 4]], [[3, 1], [0, 2]]])
    >>> print(fs.selection.information_crossings(fs.linear_family(first, second), "X1", "X2"))
    I(Y; X1) = I(Y; X2) at t ≈ 0.335444
    """
    require_type(family, Family, "family", "a Family", "fs.linear_family makes one")
    least = as_fraction(width, "width", above=0, repair="pass '1/1000', say")
    masks = [mask_of(subset, family.features) for subset in (first, second)]
    terms, names = _entropy_terms(family, *masks), [names_of(mask, family.features) for mask in masks]
    said: Any = {"_symbol": family.symbol, "_columns": family.features}
    if _vanishes(terms):
        return InformationCrossings(names[0], names[1], (), (), always=True, **said)
    precision = 128 + 4 * least.denominator.bit_length() + 2 * max(abs(c).bit_length() for _, row in terms for c in row)
    crossings: list[tuple[Fraction, Fraction]] = []
    undecided: list[tuple[Fraction, Fraction]] = []
    waiting = [(family.start, family.end)]
    for _ in range(_MOST_INTERVALS):
        if not waiting:
            break
        low, high = waiting.pop()
        value, slope = _difference(terms, low, high, precision)
        if not value.contains(0):
            continue
        if not slope.contains(0):
            _narrow(terms, low, high, least, crossings)
        elif high - low <= least:
            undecided.append((low, high))
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]
    left = _joined([*undecided, *waiting])
    near = {low: ((low + high) / 2).limit_denominator(10**5) for low, high in left}
    touches = tuple(near[low] for low, high in left if low <= near[low] <= high and not _sign_at(terms, near[low]))
    return InformationCrossings(names[0], names[1], tuple(crossings), left, touches, **said)


def _entropy_terms(family: Family, first: int, second: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return the difference of the informations, times the total, as a sum of terms c w log w.

    Each term is a pair of its coefficient c and its polynomial w.
    """
    found: Counter[tuple[int, ...]] = Counter()
    tables = dict(marginals(family))
    for mask, sign in ((first, 1), (second, -1)):
        for state in np.moveaxis(tables[mask], 1, 0):
            found[tuple(state.sum(axis=1).tolist())] -= sign
            for weight in state.T:
                found[tuple(weight.tolist())] += sign
    return [(times, row) for row, times in found.items() if times and any(row)]


def _vanishes(terms: Sequence[tuple[int, tuple[int, ...]]]) -> bool:
    """Return whether a sum of terms c w log w is zero for every t."""
    # Logarithms of different irreducible polynomials and of multiplicatively independent integers are linearly
    # independent over the polynomials with rational coefficients. So the sum is zero only if every coefficient is.
    from flint import fmpz_poly

    by_factor: dict[tuple[int, ...], Any] = {}
    constants: dict[int, list[tuple[int, int]]] = {}
    for times, row in terms:
        content, factors = fmpz_poly(list(row)).factor()
        for factor, exponent in factors:
            key = tuple(map(int, factor.coeffs()))
            by_factor[key] = by_factor.get(key, fmpz_poly([])) + times * exponent * fmpz_poly(list(row))
        for power, c in enumerate(row):
            constants.setdefault(power, []).append((times * c, abs(int(content))))
    return not any(by_factor.values()) and all(LogSum(listed).sign() == 0 for listed in constants.values())


def _difference(
    terms: Sequence[tuple[int, tuple[int, ...]]], low: Fraction, high: Fraction, precision: int
) -> tuple[Any, Any]:
    """Enclose the difference of the informations, and its derivative, on an interval."""
    # By Taylor's theorem about the middle, with the last derivative enclosed on the interval. If a weight may vanish,
    # interval arithmetic encloses the difference alone, and the derivative stays unknown: a ball that contains 0.
    from flint import arb, arb_poly, arb_series, ctx

    with ctx.workprec(precision):
        middle, half = (rational_ball(t, precision) for t in ((low + high) / 2, (high - low) / 2))
        around = half.union(-half)
        shifted = [_horner(row, arb_poly([middle, 1])).coeffs() for _, row in terms]
        weights = [_horner(row, around) for row in shifted]
        if not all(weight > 0 for weight in weights):
            total = sum((times * _times_log(w) for (times, _), w in zip(terms, weights, strict=True)), arb(0))
            return total, arb(0)
        taylor: list[Any] = []
        for at, length in ((arb(0), _ORDER), (around, _ORDER + 1)):
            line, expansion = arb_series([at, 1], prec=length), arb_series([0], prec=length)
            for (times, _), row in zip(terms, shifted, strict=True):
                weight = _horner(row, line)
                expansion += times * weight * weight.log()
            taylor += [*expansion.coeffs(), *[arb(0)] * length][len(taylor) : length]
        return _horner(taylor, around), _horner([j * c for j, c in enumerate(taylor)][1:], around)


def _horner(row: Sequence[Any], at: Any) -> Any:
    """Return the value of a polynomial, given with the constant first, at a ball or a power series."""
    return functools.reduce(lambda total, c: total * at + c, reversed(row), at * 0)


def _times_log(weight: Any) -> Any:
    """Enclose w log w for a weight that is not negative, also on a ball that holds 0."""
    from flint import arb

    if weight > 0:
        return weight * weight.log()
    top = weight.upper()
    if not top > 0:
        return arb(0)
    ends = arb(0).union(top * top.log())
    return ends if top * 3 < 1 else ends.union(-(arb(-1).exp()))  # w log w falls down to -1/e, and then rises


def _sign_at(terms: Sequence[tuple[int, tuple[int, ...]]], t: Fraction) -> int:
    """Return the sign of the difference of the informations at a rational, exactly."""
    weights = [(times, value_of(row, t)) for times, row in terms]
    return LogSum((times * weight, weight) for times, weight in weights if weight).sign()


def _narrow(terms: Any, low: Fraction, high: Fraction, least: Fraction, found: list[tuple[Fraction, Fraction]]) -> None:
    """If an interval has a crossing, halve it down to a width and add it. The difference is monotone in it."""
    signs = [_sign_at(terms, t) for t in (low, high)]
    if signs[0] * signs[1] > 0:
        return
    while signs[0] and signs[1] and high - low > least:
        middle = (low + high) / 2
        sign = _sign_at(terms, middle)
        if sign == signs[0]:
            low = middle
        elif sign == signs[1]:
            high = middle
        else:
            low = high = middle
            break
    if not signs[0]:
        high = low
    elif not signs[1]:
        low = high
    if not (found and found[-1] == (low, high)):  # an end that two intervals share
        found.append((low, high))


def _joined(intervals: Sequence[tuple[Fraction, Fraction]]) -> tuple[tuple[Fraction, Fraction], ...]:
    found: list[tuple[Fraction, Fraction]] = []
    for low, high in sorted(intervals):
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return tuple(found)
