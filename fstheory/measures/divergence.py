"""Distances between two distributions, computed exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, exact_text
from fstheory.distributions.build import Label
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import ZeroProbabilityError, explain, require
from fstheory.lattice.subsets import Subset, indices_of, mask_of
from fstheory.numbers.logsum import LogSum


def total_variation_distance(p: DistributionLike, q: DistributionLike) -> Fraction:
    """Return the total variation distance of two distributions of the same variables, in the same order.

    The distance is the largest ``|p(event) - q(event)|`` over all events. It equals ``(1/2) sum |p(cell) - q(cell)|``.
    Distributions over other variables or other states are refused.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> total_variation_distance(JointDistribution([[1, 1]]), JointDistribution([[3, 1]]))
    Fraction(1, 4)
    """
    p, q = _alike(p, q)
    pairs = zip(p.weights.ravel().tolist(), q.weights.ravel().tolist(), strict=True)
    return Fraction(sum(abs(a * q.total - b * p.total) for a, b in pairs), 2 * p.total * q.total)


def kl_divergence(p: DistributionLike, q: DistributionLike, *, base: Exact | None = None) -> LogSum:
    """Return the Kullback-Leibler divergence D(p || q) of two distributions of the same variables, in the same order.

    It is the sum of p(cell) log(p(cell) / q(cell)) over the cells with p(cell) > 0, in nats or to a `base`. If the
    divergence is infinite, because q is 0 in a cell where p is not, a `ZeroProbabilityError` names the cell.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(kl_divergence(JointDistribution([[1, 1]]), JointDistribution([[3, 1]])))
    log(2) - 1/2*log(3) ≈ 0.143841
    """
    p, q = _alike(p, q)
    mine, theirs = p.weights.ravel().tolist(), q.weights.ravel().tolist()
    terms: Counter[int] = Counter({q.total: p.total})
    terms[p.total] -= p.total
    for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        if a and not b:
            repair = "q is 0 there, the divergence infinite"
            raise ZeroProbabilityError(explain("q", "positive wherever p is", _cell(p, i), repair))
        if a:
            terms[a] += a
            terms[b] -= a
    return LogSum.of_counts(terms, p.total, base)


def expected_total_variation(d: DistributionLike, removed: Subset) -> Fraction:
    """Return the expected total variation distance between the posteriors with and without the features in `removed`.

    Let A be the removed features. The value is the mean, over the states x of all features, of
    ``(1/2) sum_y |p(y | x) - p(y | x without A)|``. Source:
    Beraha et al. (2019), proof of Theorem 3.

    Examples
    --------
    >>> from fstheory import gallery
    >>> expected_total_variation(gallery.xor(), {"X1"})
    Fraction(1, 2)
    """
    d = as_distribution(d)
    gone = indices_of(mask_of(removed, d.features, "removed"))
    cells = d.weights.astype(object)
    seen = np.asarray(cells.sum(axis=-1, keepdims=True), dtype=object)
    joint = np.asarray(cells.sum(axis=gone, keepdims=True), dtype=object)
    kept = np.asarray(joint.sum(axis=-1, keepdims=True), dtype=object)
    apart = np.abs(cells * kept - seen * joint).sum(axis=(*gone, d.weights.ndim - 1))  # p(x, y) kept - p(x) p(kept, y)
    moved = zip(np.ravel(apart).tolist(), kept.ravel().tolist(), strict=True)
    sums: Counter[int] = Counter()
    for distance, weight in moved:
        if weight:
            sums[weight] += distance
    return sum((Fraction(distance, weight) for weight, distance in sums.items()), Fraction(0)) / (2 * d.total)


def _cell(d: JointDistribution, position: int) -> dict[str, Label]:
    """Return the labels of the cell at a position of the flat table."""
    indices = np.unravel_index(position, d.weights.shape)
    return {name: labels[int(i)] for (name, labels), i in zip(d.states.items(), indices, strict=True)}


def _alike(p: DistributionLike, q: DistributionLike) -> tuple[JointDistribution, JointDistribution]:
    """Return the two distributions. Raise an error unless both have the same variables with the same states."""
    p, q = as_distribution(p, "p"), as_distribution(q, "q")
    mine, theirs = dict(p.states), dict(q.states)
    repair = "give both the same features, target and states, in the same order"
    require(list(mine.items()) == list(theirs.items()), "q", f"about the variables of p, {mine}", theirs, repair)
    return p, q


def least_information(excess: Exact, *, classes: int = 2) -> LogSum:
    """Return a lower bound, in nats, on the information of features whose removal raises the Bayes risk by `excess`.

    Let t be the excess, and m the number of classes. The bound is the least divergence D(q + t || q) of a coin of bias
    q + t from a coin of bias q, over all q from 1/m to 1 - t. If the best q has no closed form, the tangent at a q near
    it gives a value slightly below the least divergence.

    Examples
    --------
    >>> print(least_information("1/4"))
    3/4*log(3) - log(2) ≈ 0.130812
    """
    count, t = as_index(classes, "classes", at_least=1), as_fraction(excess, "excess")
    low, high = Fraction(1, count), 1 - t
    wanted = f"from 0 to {exact_text(1 - low)}"
    require(0 <= t <= 1 - low, "excess", wanted, excess, f"{count} classes allow no other")
    if t == 0 or low == high or _slope(low, t) >= 0:  # the divergence is convex in q
        return _divergence(low, t)
    ends = (low, high)
    for _ in range(40):  # bisection, each step decided exactly
        middle = (low + high) / 2
        low, high = (middle, high) if _slope(middle, t) < 0 else (low, middle)
    slope = _slope(low, t)
    return _divergence(low, t) + min(slope * (end - low) for end in ends)


def _divergence(q: Fraction, t: Fraction) -> LogSum:
    """Return the divergence of a coin of bias q + t from one of bias q."""
    pairs = [(q + t, q), (1 - q - t, 1 - q)]
    return LogSum((mine, mine / theirs) for mine, theirs in pairs if mine)


def _slope(q: Fraction, t: Fraction) -> LogSum:
    """Return the derivative in q of `_divergence`."""
    return LogSum([(1, (q + t) * (1 - q) / (q * (1 - q - t)))], -t / (q * (1 - q)))
