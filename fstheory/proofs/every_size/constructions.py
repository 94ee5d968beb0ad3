"""Distributions that may refute a claim for every number of states, constructed from values that refute it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np

from fstheory._support.progress import Clock, spend
from fstheory.checker.statement import CRITERIA, ONE
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError
from fstheory.logic.every_size import MOST_CLASSES
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.proofs.descent import positive_versions
from fstheory.proofs.enumeration import on_equal_points
from fstheory.proofs.every_size.unknowns import FEW_CLASSES, EverySizeUnknowns, Values
from fstheory.selection.prescribed import (
    distribution_with_areas,
    distribution_with_gains,
    distribution_with_risks,
    distribution_with_shares,
)

_MOST_BUILT = 10_000  # classes of a distribution for given risks
_MANY_CLASSES = (6, 10, 20, 50, 100, 200, 500, MOST_CLASSES)


def constructions(statement: Statement, values: Values, clock: Clock) -> Iterator[JointDistribution]:
    """Yield distributions that may refute a statement, constructed from values that refute it.

    If the values are Bayes risks alone, the first distribution must refute it. If p(x) > 0 is assumed, each
    distribution that refutes the other parts is followed by versions of it with noise.
    """
    left = _NOISY * ("positive" in statement.by_name)
    of_envelopes = EverySizeUnknowns(statement).of_envelopes()
    for d in itertools.chain(of_envelopes, _constructions(statement, values, clock)):
        yield d
        if left and statement.violated_at(d):
            left -= 1
            yield from positive_versions(d)


def _constructions(statement: Statement, values: Values, clock: Clock) -> Iterator[JointDistribution]:
    """Yield distributions that may refute a statement, without noise.

    If the values are entropies, the first distributions have their conditional entropies of the class: one with the
    orders of the risks and of the informations, and one with shares of a uniform class. If the values are of another
    criterion, the first distributions have these values; for the Gini impurity, one has the orders of impurities and
    risks. Then come distributions whose features say nothing, with classes of which all but one are equally likely,
    and distributions on a few equally likely points.
    """
    n, classes = len(statement.shape.features), statement.shape.classes
    sets = range(1 << n)
    risks = [values["R", mask] for mask in sets] if ("R", 0) in values else []
    entropies = {mask: value for (kind, mask), value in values.items() if kind == "H"} | {0: Fraction(0)}
    for kind in (kind for kind in CRITERIA if (kind, 0) in values):
        with suppress(TooLargeError):
            yield from _with_criterion(kind, [values[kind, mask] for mask in sets], classes, clock)
        if kind == "G" and risks:
            falls, gains = ([of[0] - value for value in of] for of in (risks, [values["G", mask] for mask in sets]))
            with suppress(TooLargeError):
                yield _padded(distribution_with_gains(falls, gains, clock, impurity=True), classes)
    if classes == 1:
        yield Shape((1,) * n, 1).distribution([1])
    elif len(entropies) == 1 and len(values) == len(risks):
        above = risks[-1] if "unique_maximum" in statement.by_name else Fraction(-1)
        enough = (k for k in range(2, _MOST_BUILT + 1) if risks[0] <= 1 - Fraction(1, k) > above)
        if not (k := classes or next(enough, 0)):
            raise TooLargeError(f"risks that refute it were found, which need more than {_MOST_BUILT:,} classes")
        yield distribution_with_risks(risks, k, frozenset(statement.by_name), clock)
    elif len(entropies) > 1:
        open_ = [entropies[mask | 1 << n] - entropies[mask] for mask in sets]  # H(Y | S)
        gains = [open_[0] - left for left in open_]
        with suppress(TooLargeError):
            yield _padded(distribution_with_gains([risks[0] - risk for risk in risks] or gains, gains, clock), classes)
            if open_[0]:
                yield distribution_with_shares([left / open_[0] for left in open_], classes or 2, clock)
        for k in (classes,) if classes else (*FEW_CLASSES, *_MANY_CLASSES):
            for risk in (Fraction(1), *risks):
                if r := min(risk.limit_denominator(100), 1 - Fraction(1, k)):
                    best = (r.denominator - r.numerator) * (k - 1)
                    yield Shape((1,) * n, k).distribution([best, *[r.numerator] * (k - 1)])
    free = any(instance.parameters for instance in statement.show)
    if not free and all(kind in {"R", "H"} for kind, _ in values):
        yield from on_equal_points(statement.assumed, statement.shown, n, classes)


FEW_EQUAL = 8
"""The number of equally likely classes up to which each number is tried, and up to which features are sums."""
_CHOICES = 64  # of a kind for each feature, at most; more features have fewer kinds
_EQUAL_CELLS = 5_000  # the most cells of a distribution with equally likely classes


def of_equal_classes(n: int, k: int, classes: int | None) -> Iterator[JointDistribution]:
    """Yield distributions of k classes: all equally likely, or the first twice as likely as each other class.

    Each feature is constant, or says whether the class Y is the first one. For up to three features, it may also be Y.
    For up to two features and eight classes, it may also be Z or Y + Z modulo k, where Z is uniform and independent
    of Y.
    """
    y, z = np.divmod(np.arange(k * k), k)
    kinds = 5 if k <= FEW_EQUAL and 5**n <= _CHOICES else 3 if 3**n <= _CHOICES else 2
    for states in itertools.product([0 * y, np.minimum(y, 1), y, z, (y + z) % k][:kinds], repeat=n):
        spend()
        sizes = [*(int(of.max()) + 1 for of in states), classes or k]
        for first in (1, 2) if math.prod(sizes) <= _EQUAL_CELLS else ():
            table = np.zeros(sizes, dtype=int)
            np.add.at(table, (*states, y), np.where(y == 0, first, 1))
            yield JointDistribution(table // np.gcd.reduce(table, axis=None))


def with_classes_exchanged(some: Iterable[JointDistribution]) -> Iterator[JointDistribution]:
    """Yield each distribution of two classes, and then the one in which the classes are exchanged."""
    for d in some:
        yield d
        yield JointDistribution(d.weights[..., ::-1])


def _padded(d: JointDistribution, classes: int | None) -> JointDistribution:
    """Return a distribution of two classes with further classes of probability 0."""
    return JointDistribution(np.pad(d.weights, [*([(0, 0)] * len(d.features)), (0, (classes or 2) - 2)]))


_AREA_CELLS = 300  # the most cells for an area, because an area is a sum over pairs of states
_PARTS = 10**6  # the denominator of the roots by which classes differ


def _with_criterion(
    kind: str, values: Sequence[Fraction], classes: int | None, clock: Clock
) -> Iterator[JointDistribution]:
    """Yield distributions with these values of one criterion. If none has rational probabilities, they come near."""
    n, k = (len(values) - 1).bit_length(), classes or 2
    if kind == "B" and k > 1:
        yield distribution_with_shares([value / (k - 1) for value in values], k, clock)
    elif kind == "V":
        yield _padded(distribution_with_shares([1 - value for value in values], 2, clock), classes)
    elif kind == "A":
        yield Shape((1,) * n, k).distribution([1, *[0] * (k - 1)])  # where all areas are 1
        d = distribution_with_areas(values, clock)
        if d.weights.size <= _AREA_CELLS:
            yield JointDistribution(np.insert(d.weights, [1] * (k - 2), 0, axis=-1))  # the last class is the second
    elif kind == "G" and 0 < values[0] < 1:
        k = classes or max(2, math.ceil(1 / (1 - values[0])))
        if k > _MOST_BUILT:
            raise TooLargeError(f"impurities that refute it were found, which need more than {_MOST_BUILT:,} classes")
        square = 1 - values[0] * k / (k - 1)
        root = Fraction(math.isqrt(square.numerator * square.denominator * _PARTS**2), _PARTS * square.denominator)
        rare = (1 - root) / k  # the probability of each class but one
        found = 1 - (1 - (k - 1) * rare) ** 2 - (k - 1) * rare**2
        for whole in dict.fromkeys((values[0], found)):
            shares = [min(value / whole, Fraction(1)) for value in values]
            yield distribution_with_shares(shares, k, clock, prior=[1 - (k - 1) * rare, *[rare] * (k - 1)])


_NOISY = 12  # distributions that are given noise


def asks_for_irrational(statement: Statement, instance: Instance) -> bool:
    """Return whether every counterexample to an instance has a risk, or a number, that is equal to an information.

    If probabilities are fractions, both are then 0: an information is the logarithm of an algebraic number, which by
    Lindemann's theorem is 0 or transcendental, and a risk is a fraction.
    """
    unknowns = EverySizeUnknowns(statement)

    def mixed(node: Node, wanted: bool) -> bool:
        kind, *parts = node
        if kind == "not":
            return mixed(parts[0], not wanted)
        if kind in {"and", "or"} and (wanted == (kind == "and") or len(parts) == 1):
            return any(mixed(part, wanted) for part in parts)
        if kind != "=" or not wanted:
            return False
        form = unknowns.constraint(node).linear
        kinds = {unknowns.atoms[unknown][0] for unknown in form if unknown in unknowns.atoms}
        return "H" in kinds and not unknowns.primes and ("R" in kinds or ONE in form)

    return mixed(("not", instance.formula), wanted=True) or any(mixed(node, wanted=True) for node in statement.assumed)
