"""How far two distributions are apart, exact."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from fstheory._support.exact import Exact
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, ZeroProbabilityError, explain
from fstheory.lattice.subsets import Subset, indices_of, mask_of
from fstheory.numbers.logsum import LogSum

__all__ = [
    "expected_total_variation",
    "kl_divergence",
    "total_variation_distance",
]


def total_variation_distance(p: JointDistribution, q: JointDistribution) -> Fraction:
    """Return the total variation distance of two distributions of the same variables.

    Parameters
    ----------
    p, q : JointDistribution
        With the same features, target and states, in the same order.

    Returns
    -------
    Fraction
        The largest ``|p(event) - q(event)|`` of all events, ``(1/2) sum |p(cell) - q(cell)|``; between 0 and 1.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 11.6.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> total_variation_distance(JointDistribution([[1, 1]]), JointDistribution([[3, 1]]))
    Fraction(1, 4)
    """
    _require_same_variables(p, q)
    pairs = zip(p.weights.ravel().tolist(), q.weights.ravel().tolist(), strict=True)
    return Fraction(sum(abs(a * q.total - b * p.total) for a, b in pairs), 2 * p.total * q.total)


def kl_divergence(p: JointDistribution, q: JointDistribution, *, base: Exact | None = None) -> LogSum:
    """Return the Kullback-Leibler divergence D(p || q) of two distributions of the same variables.

    Parameters
    ----------
    p, q : JointDistribution
        With the same features, target and states, in the same order.
    base : exact number above 1, optional
        2 for bits; nats if not given.

    Returns
    -------
    LogSum
        The sum of p(cell) log(p(cell) / q(cell)) over the cells with p(cell) > 0.

    Raises
    ------
    ZeroProbabilityError
        A cell is possible under p and impossible under q: the divergence is infinite.

    References
    ----------
    Cover and Thomas, Elements of Information Theory (2006), Section 2.3.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(kl_divergence(JointDistribution([[1, 1]]), JointDistribution([[3, 1]])))
    log(2) - 1/2*log(3) ≈ 0.143841
    """
    _require_same_variables(p, q)
    mine, theirs = p.weights.ravel().tolist(), q.weights.ravel().tolist()
    terms: Counter[int] = Counter({q.total: p.total})
    terms[p.total] -= p.total
    for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        if a and not b:
            raise ZeroProbabilityError(
                explain("q", "positive wherever p is", _cell(p, i), "q is 0 there, the divergence infinite")
            )
        if a:
            terms[a] += a
            terms[b] -= a
    return LogSum.from_integer_terms(terms, denominator=p.total, base=base)


def expected_total_variation(d: JointDistribution, removed: Subset) -> Fraction:
    """Return how far the posterior moves, on average, when some features are removed.

    Parameters
    ----------
    d : JointDistribution
    removed : iterable of feature names, or one name
        The features A that are given up.

    Returns
    -------
    Fraction
        The mean, over the states x of all features, of the total variation distance
        ``(1/2) sum_y |p(y | x) - p(y | x without A)|``.

    Notes
    -----
    Complexity: one pass over the cells of `d`, with Python integers.

    References
    ----------
    Beraha et al. (2019), the proof of Theorem 3, where Pinsker's inequality bounds it by sqrt(nu(A) / 2).

    Examples
    --------
    >>> from fstheory import gallery
    >>> expected_total_variation(gallery.xor(), {"X1"})
    Fraction(1, 2)
    """
    require_distribution(d)
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


def _require_same_variables(p: JointDistribution, q: JointDistribution) -> None:
    for name, value in (("p", p), ("q", q)):
        if not isinstance(value, JointDistribution):
            raise InvalidTypeError(explain(name, "a JointDistribution", value, "make one, or take one of the gallery"))
    mine, theirs = dict(p.states), dict(q.states)
    if list(mine.items()) != list(theirs.items()):
        repair = "give both the same features, target and states, in the same order"
        raise InvalidValueError(explain("q", f"about the variables of p, {mine}", theirs, repair))
