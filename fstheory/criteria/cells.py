"""The weights of every marginal, and what the criteria ask of a distribution and of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fstheory._exact import as_fraction
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidTypeError, InvalidValueError, ZeroProbabilityError, explain, unknown
from fstheory.sweep.cells import Array

__all__ = ["class_weights", "every_marginal", "flat", "is_small", "marginal", "numeric_classes"]
__all__ += ["positive_class", "require_classes"]


def every_marginal(weights: Array) -> Iterator[tuple[int, Array]]:
    """Yield every mask with the weights of its marginal, each made from one with a feature more.

    Memory is that of one chain of marginals; time prod(c_i + 1) additions in all, but one pass in Python per subset.
    """
    yield from _below(weights, weights.ndim - 2, 0)


def flat(weights: Array) -> Array:
    """Return the weights of a marginal by state and class."""
    return weights.reshape(-1, weights.shape[-1])


def is_small(weights: Array, bits: int) -> bool:
    """Say whether the weights are machine integers whose sum is below 2**bits; they are not negative."""
    return weights.dtype != object and int(weights.sum()) < 2**bits


def marginal(weights: Array, mask: int) -> Array:
    """Return the weights of the marginal of the features in a mask, not reduced to lowest terms."""
    summed: Array = weights.sum(axis=tuple(i for i in range(weights.ndim - 1) if not mask >> i & 1))
    return summed


def _below(weights: Array, axis: int, kept: int) -> Iterator[tuple[int, Array]]:
    """Yield the marginals that keep the axes after `axis` as they are and any of those up to it."""
    if axis < 0:
        yield kept, weights
        return
    yield from _below(weights, axis - 1, kept | 1 << axis)
    yield from _below(weights.sum(axis=axis), axis - 1, kept)


def positive_class(d: JointDistribution, positive: Label | None, name: str) -> int:
    """Return the position of the positive class of two; the last one if none is named."""
    if len(d.classes) != 2:
        found = f"{len(d.classes)} ({', '.join(map(repr, d.classes[:5]))}{', ...' if len(d.classes) > 5 else ''})"
        repair = "merge classes, or take a criterion for several, such as loss_matrix"
        raise InvalidValueError(f"{name} needs two classes, not {found}; {repair}")
    if positive is None:
        return 1
    if positive not in d.classes:
        raise unknown("positive class", positive, d.classes)
    return d.classes.index(positive)


def require_classes(d: JointDistribution, name: str, positions: range | list[int]) -> None:
    """Refuse a distribution in which a class at one of these positions has probability 0."""
    weights = class_weights(d)
    for y in positions:
        if not weights[y]:
            raise ZeroProbabilityError(
                f"{name} needs every class it weighs to occur, but {d.target} = {d.classes[y]!r} has probability 0; "
                "drop the class, or take another criterion"
            )


def class_weights(d: JointDistribution) -> list[int]:
    """Return the weight of each class; they sum to ``d.total``."""
    return [int(weight) for weight in marginal(d.weights, 0)]


def numeric_classes(d: JointDistribution) -> list[Fraction]:
    """Return the classes as numbers: integers, fractions, decimals, and strings that write one."""
    numbers, repair = [], "name them by integers, Fractions or strings such as '3/8'"
    for label in d.classes:
        try:
            numbers.append(as_fraction(label))
        except (InvalidTypeError, InvalidValueError):
            asked = explain(f"the classes of {d.target}", "exact numbers for squared error", label, repair)
            raise InvalidTypeError(asked) from None
    return numbers
