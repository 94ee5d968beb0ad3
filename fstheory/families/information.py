"""Where along a family two subsets tell equally much about the class, certified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._display import Shown
from fstheory._exact import Exact, approximate, as_fraction
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.families.family import Family, marginals, value_of
from fstheory.reals.logarithms import LogSum
from fstheory.reals.real import rational_ball
from fstheory.subsets import Subset, mask_of, names_of

if TYPE_CHECKING:
    pass

__all__ = ["InformationCrossings", "information_crossings"]


@dataclass(frozen=True, repr=False)
class InformationCrossings(Shown):
    """Where along a family two subsets tell equally much about the class.

    Attributes
    ----------
    first, second : frozenset of str
    crossings : tuple of pairs of Fraction
        Disjoint intervals, ascending: between the two numbers there is exactly one parameter with equal information,
        and the sign of the difference changes there; or the two numbers are that parameter.
    undecided : tuple of pairs of Fraction
        Short intervals in which equal informations were neither found nor excluded: where a difference touches zero
        without changing its sign, or a weight vanishes. Elsewhere there is no crossing.

    Examples
    --------
    >>> import fstheory as fs
    >>> first = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
    >>> second = fs.JointDistribution([[[3, 1], [1, 4]], [[3, 1], [0, 2]]])
    >>> found = fs.families.information_crossings(fs.linear_family(first, second), "X1", "X2")
    >>> print(found)
    I(Y; X1) = I(Y; X2) at t ≈ 0.335444
    """

    first: frozenset[str]
    second: frozenset[str]
    crossings: tuple[tuple[Fraction, Fraction], ...]
    undecided: tuple[tuple[Fraction, Fraction], ...]

    def __str__(self) -> str:
        names = [", ".join(sorted(subset)) or "nothing" for subset in (self.first, self.second)]
        head = f"I(Y; {names[0]}) = I(Y; {names[1]})"
        at = ", ".join(f"t ≈ {approximate((low + high) / 2)}" for low, high in self.crossings)
        open_ = ", ".join(f"[{approximate(low)}, {approximate(high)}]" for low, high in self.undecided)
        return f"{head} at {at or 'no t'}" + (f"; undecided in {open_}" if open_ else "")


def information_crossings(
    family: Family, first: Subset, second: Subset, *, width: Exact = Fraction(1, 2**40)
) -> InformationCrossings:
    """Find where along a family the mutual informations of two subsets with the class are equal, with certificates.

    Parameters
    ----------
    family : Family
    first, second : str or iterable of str
    width : exact number
        How long an interval may be.

    Returns
    -------
    InformationCrossings

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        No family; a name that is no feature; `width` is not above 0.

    Notes
    -----
    The difference of the informations is a sum of terms w log w, with weights w that are polynomials in t. It is
    enclosed on intervals by ball arithmetic: where the enclosure excludes zero nothing crosses; where that of the
    derivative does, the difference is monotone and its signs at the ends decide; otherwise the interval is halved.

    Examples
    --------
    >>> import fstheory as fs
    >>> same = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/4"))
    >>> len(fs.families.information_crossings(same, ["X1", "X2"], "X1").crossings)
    0
    """
    if not isinstance(family, Family):
        raise InvalidTypeError(explain("family", "a Family", family, "fs.linear_family makes one"))
    least = as_fraction(width, "width")
    if least <= 0:
        raise InvalidValueError(explain("width", "above 0", width, "pass '1/1000', say"))
    masks = [mask_of(subset, family.features) for subset in (first, second)]
    terms = _entropy_terms(family, *masks)
    crossings: list[tuple[Fraction, Fraction]] = []
    undecided: list[tuple[Fraction, Fraction]] = []
    waiting = [(family.start, family.end)] if terms else []
    while waiting:
        low, high = waiting.pop()
        if _sign(_difference(terms, low, high)):
            continue
        if _sign(_difference(terms, low, high, slope=True)):
            _narrow(terms, low, high, least, crossings)
        elif high - low <= least:
            undecided.append((low, high))
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]
    names = [names_of(mask, family.features) for mask in masks]
    return InformationCrossings(names[0], names[1], tuple(crossings), _joined(undecided))


def _entropy_terms(family: Family, first: int, second: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return how often w log w of which polynomials w is in the difference of the informations, times the total."""
    found: Counter[tuple[int, ...]] = Counter()
    tables = dict(marginals(family))
    for mask, sign in ((first, 1), (second, -1)):
        for state in np.moveaxis(tables[mask], 1, 0):
            found[tuple(state.sum(axis=1).tolist())] -= sign
            for weight in state.T:
                found[tuple(weight.tolist())] += sign
    return [(times, row) for row, times in found.items() if times and any(row)]


def _difference(
    terms: Sequence[tuple[int, tuple[int, ...]]], low: Fraction, high: Fraction, *, slope: bool = False
) -> Any:
    """Enclose the difference of the informations, or its derivative, on an interval."""
    from flint import arb, ctx

    with ctx.workprec(128):
        at = (rational_ball(low, 128)).union(rational_ball(high, 128))
        total = arb(0)
        for times, row in terms:
            weight = _ball_at(row, at)
            if slope:
                total += times * _ball_at([j * c for j, c in enumerate(row)][1:] or [0], at) * (weight.log() + 1)
            else:
                total += times * _times_log(weight)
        return total


def _ball_at(row: Sequence[int], at: Any) -> Any:
    """Enclose a polynomial on a ball, by Horner's scheme."""
    from flint import arb

    total = arb(0)
    for coefficient in reversed(row):
        total = total * at + coefficient
    return total


def _times_log(weight: Any) -> Any:
    """Enclose w log w for a weight that is not negative, also on a ball that holds 0."""
    from flint import arb

    if weight > 0:
        return weight * weight.log()
    top = weight.upper()
    if not top > 0:
        return arb(0)
    ends = arb(0).union(top * top.log())
    return ends.union(-(arb(-1).exp()))  # the least value of all


def _sign(ball: Any) -> int:
    return 1 if ball > 0 else -1 if ball < 0 else 0


def _sign_at(terms: Sequence[tuple[int, tuple[int, ...]]], t: Fraction) -> int:
    """Return the sign of the difference of the informations at a rational, exactly."""
    weights = [(times, value_of(row, t)) for times, row in terms]
    return LogSum((times * weight, weight) for times, weight in weights if weight).sign()


def _narrow(terms: Any, low: Fraction, high: Fraction, least: Fraction, found: list[tuple[Fraction, Fraction]]) -> None:
    """Add the crossing in an interval where the difference is monotone, if there is one, halving down to a width."""
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
    if not found or found[-1][1] != low:  # an end that two intervals share
        found.append((low, high))


def _joined(intervals: Sequence[tuple[Fraction, Fraction]]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Put neighbors together."""
    found: list[tuple[Fraction, Fraction]] = []
    for low, high in sorted(intervals):
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return tuple(found)
