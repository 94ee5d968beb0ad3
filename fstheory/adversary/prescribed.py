"""Distributions with prescribed Bayes risks, and with one subset better than the others of its size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from fstheory._exact import Exact, as_fraction, format_fraction, integers_over
from fstheory.adversary.theorem1 import balance, cell_counts, least_masses, read_alpha, risk_of, shape_of, spread
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, NotMonotoneError, explain
from fstheory.orders.lattice import base_order, names_in, resolve_features
from fstheory.subsets import Subset, covers, format_subset, indices_of, is_subset, listed_names, mask_of, names_of

__all__ = ["adversarial_favoring", "adversarial_with_risks"]


def adversarial_with_risks(
    risks: Mapping[Any, Exact] | Iterable[tuple[Subset, Exact]],
    *,
    features: int | Iterable[str] | None = None,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    target: str | None = None,
) -> JointDistribution:
    """Return a distribution that has exactly these Bayes risks, or refuse with the reason.

    Parameters
    ----------
    risks : mapping or iterable of pairs
        From each of the 2**n subsets, by names, to its Bayes risk, an exact number.
    features : int or iterable of str, optional
        The names in the order of the axes. Not needed if the names in `risks` are X1, .., Xn.
    cardinalities, classes, target
        As for `adversarial`.

    Returns
    -------
    JointDistribution
        p(Y|x) has a unique maximum wherever p(x) > 0 (unless all risks are 1/2). p(x) > 0 for all x
        exactly if every mass q_S below is positive, for S other than all features.

    Raises
    ------
    InvalidValueError
        A subset is missing or listed twice, a risk is negative or above 1/2, or the construction cannot
        have these risks; the message names the subset whose mass would be negative.
    NotMonotoneError
        A superset has a larger risk than its subset: no distribution has these risks.

    Notes
    -----
    In the construction R(S) is the sum of q_T over the supersets T of S, so the masses follow from the
    risks by Möbius inversion:

        q_S = sum over the supersets T of S of (-1)**(size of T - size of S) R(T).

    The construction can have the risks exactly if no q_S is negative and the largest risk, that of no features, is at
    most 1/2; then alpha = p(X = 0, Y = 0) is 1 minus that risk. (Divided by their largest value such tables are the
    commonality functions of evidence theory.) The cardinalities and the number of classes do not matter. This is a
    little wider than the paper's form: q_S may be 0, so risks may be equal; alpha may be 1/2 or 1; and all features may
    have a positive risk, which is the mass of class 1 at X = 0 (0 in equation 2). In the paper's own form all risks
    from S_2 on are positive and strict along inclusion, and every q_S but that of all features is positive.

    Other distributions can have risks that this form cannot: R = 1/2, 1/2, 1/2, 0 for two features
    would need q = -1/2 for no features, and is what their exclusive or has.

    Integer weights are the least common multiple of the denominators times the least factor that gives every state of a
    positive mass a weight, spread as evenly as integers allow. Takes O(n 2**n) additions. Source: Peña and Nilsson
    (2010), equation 4.

    Examples
    --------
    >>> d = adversarial_with_risks({(): "2/5", ("X1",): "0.1", ("X2",): "1/5", ("X1", "X2"): 0})
    >>> d.weights.tolist()
    [[[6, 0], [0, 1]], [[0, 2], [0, 1]]]
    >>> adversarial_with_risks({(): "1/2", ("X1",): "1/2", ("X2",): "1/2", ("X1", "X2"): 0})
    Traceback (most recent call last):
    fstheory.errors.InvalidValueError: risks must give every subset a mass of at least 0, not q = -1/2 for {}; this
    construction cannot do it, though another distribution may
    """
    pairs = _pairs(risks)
    names = names_in((subset for subset, _ in pairs), "risks") if features is None else resolve_features(features)
    shape = shape_of(cardinalities, classes, names)
    table = _read(pairs, names)
    _require_possible(table, names)
    integers, denominator = integers_over(table)
    for i in range(len(names)):  # Möbius inversion: subtract, feature by feature, what the subset with that feature has
        for mask in range(len(table)):
            if not mask >> i & 1:
                integers[mask] -= integers[mask | 1 << i]
    negative = next((mask for mask in base_order(len(names)).tolist() if integers[mask] < 0), None)
    if negative is not None:
        raise InvalidValueError(
            "risks must give every subset a mass of at least 0, not "
            f"q = {format_fraction(Fraction(integers[negative], denominator))} for {format_subset(negative, names)}; "
            "this construction cannot do it, though another distribution may"
        )
    common = math.gcd(denominator, *integers)
    integers, denominator = [mass // common for mass in integers], denominator // common
    needed = [-(-count // mass) for mass, count in zip(integers, cell_counts(shape[:-1]), strict=True) if mass]
    scale = max(needed, default=1)
    return spread([scale * mass for mass in integers], scale * (denominator - sum(integers)), shape, names, target)


def _pairs(risks: object) -> list[tuple[Subset, object]]:
    if not isinstance(risks, Iterable) or isinstance(risks, str):
        raise InvalidTypeError(explain("risks", "a mapping from subsets to exact numbers", risks, "pass a dict"))
    pairs: list[tuple[Subset, object]] = []
    for pair in risks.items() if isinstance(risks, Mapping) else risks:
        if not isinstance(pair, Sequence) or len(pair) != 2 or isinstance(pair, str):
            raise InvalidTypeError(explain("risks", "pairs of a subset and its risk", pair, "pass a dict"))
        pairs.append((listed_names(pair[0], "a subset in risks"), pair[1]))
    return pairs


def _read(pairs: Iterable[tuple[Subset, object]], names: Sequence[str]) -> list[Fraction]:
    """Return the risks by mask."""
    found: dict[int, Fraction] = {}
    for subset, value in pairs:
        mask = mask_of(subset, names, "a subset in risks")
        label = format_subset(mask, names)
        if mask in found:
            raise InvalidValueError(explain("risks", "one for each subset", label, "it is listed twice: drop one"))
        found[mask] = as_fraction(value, f"the risk of {label}")
    for mask in range(count := 2 ** len(names)):
        if mask not in found:
            raise InvalidValueError(
                f"risks must be given for all {count} subsets, not without {format_subset(mask, names)}; add it"
            )
    return [found[mask] for mask in range(count)]


def _require_possible(table: Sequence[Fraction], names: Sequence[str]) -> None:
    """Refuse what no distribution has, with the pair, before asking what the construction can have."""
    for mask, risk in enumerate(table):
        for cover in covers(mask, len(names)):
            if table[cover] > risk:
                inner, outer = format_subset(mask, names), format_subset(cover, names)
                raise NotMonotoneError(
                    f"risks must not grow with the subset, not {format_fraction(table[cover])} for {outer} and "
                    f"{format_fraction(risk)} for {inner}; no distribution has such risks: lower that of {outer}",
                    names_of(mask, names),
                    names_of(cover, names),
                )
    if table[-1] < 0:
        raise InvalidValueError(explain("risks", "at least 0", format_fraction(table[-1]), "a risk is a probability"))
    if 2 * table[0] > 1:
        shown = format_fraction(table[0])
        raise InvalidValueError(explain("the risk of no features", "at most 1/2", shown, "scale all risks down"))


def adversarial_favoring(
    subset: Subset,
    *,
    factor: Exact,
    features: int | Iterable[str],
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    alpha: Exact | None = None,
    target: str | None = None,
) -> JointDistribution:
    """Return a distribution where one subset is better by a factor than all others of its size.

    A search that does not look at this subset returns one whose risk is at least `factor` times the least of its size.

    Parameters
    ----------
    subset : iterable of str
        The favored subset, neither empty nor all features (those are alone in their size).
    factor : exact number
        Above 1. Every other subset T of the size has R(T) >= factor * R(subset).
    features : int or iterable of str
        The names in the order of the axes, or how many X1, .., Xn there are.
    cardinalities, classes, alpha, target
        As for `adversarial`.

    Returns
    -------
    JointDistribution
        With p(x) > 0 and a unique maximum of p(Y|x) for all x, and all Bayes risks different. The
        supersets of `subset` have the smallest risks, then `subset`; all the rest, of any size, have at
        least `factor` times its risk, which is not 0.

    Raises
    ------
    InvalidValueError, UnknownNameError, TooLargeError
        The subset is alone in its size, `factor` or another number is out of its range, a name is not among `features`,
        or the table would not fit in memory.

    Notes
    -----
    1. Order the supersets of S first, then S, then the rest, each by falling size.
    2. Give the least masses as `adversarial` does; R(S) is now fixed.
    3. A subset that does not hold S lacks a feature i of S, so X without i is one of its supersets. Give
       those at least factor * R(S), and the masses again. Nothing up to S changes.

    The paper says "arbitrarily smaller". That is a matter of the ratio: two risks differ by less than 1 - alpha < 1/2.
    Source: Peña and Nilsson (2010), the remark after Theorem 1.

    Examples
    --------
    >>> d = adversarial_favoring(["X2"], factor=100, features=3)
    >>> [str(d.probability({name: 0, "Y": 1})) for name in d.features]
    ['402/815', '4/815', '403/815']
    """
    names = resolve_features(features)
    favored, n = mask_of(subset, names), len(names)
    if favored in {0, 2**n - 1}:
        label = format_subset(favored, names)
        raise InvalidValueError(explain("subset", "neither empty nor full", label, "favor another"))
    ratio = as_fraction(factor, "factor")
    if ratio <= 1:
        raise InvalidValueError(explain("factor", "above 1", str(factor), "pass factor=2, say"))
    shape = shape_of(cardinalities, classes, names)
    exact = read_alpha(alpha, n)
    order = sorted(base_order(n).tolist(), key=lambda mask: not is_subset(favored, mask))  # stable
    floors = cell_counts(shape[:-1])
    threshold = math.ceil(ratio * risk_of(favored, least_masses(order, floors)))
    for i in indices_of(favored):
        without = 2**n - 1 ^ 1 << i
        floors[without] = max(floors[without], threshold)
    masses, class_0 = balance(least_masses(order, floors), exact)
    return spread(masses, class_0, shape, names, target)
