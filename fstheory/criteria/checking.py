"""What the criteria ask of a distribution, and of their parameters."""

from __future__ import annotations

from fractions import Fraction

from fstheory._rational import Exact, as_fraction
from fstheory.criteria.cells import marginal
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidTypeError, InvalidValueError, ZeroProbabilityError, explain, unknown

__all__ = ["class_weights", "numeric_classes", "positive_class", "positive_number", "require_classes"]


def positive_class(d: JointDistribution, positive: Label | None, name: str) -> int:
    """Return the position of the positive class of two; the last one if none is named."""
    if len(d.classes) != 2:
        raise InvalidValueError(
            f"{name} needs two classes, not {len(d.classes)} ({_listed(d.classes)}); "
            "merge classes, or take a criterion for several, such as loss_matrix"
        )
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


def positive_number(value: Exact, argument: str) -> Fraction:
    """Return a number above 0."""
    number = as_fraction(value, argument)
    if number <= 0:
        raise InvalidValueError(explain(argument, "above 0", value, "pass 1 to weigh both sides equally"))
    return number


def numeric_classes(d: JointDistribution) -> list[Fraction]:
    """Return the classes as numbers: integers, fractions, decimals, and strings that write one."""
    numbers = []
    for label in d.classes:
        try:
            numbers.append(as_fraction(label))
        except (InvalidTypeError, InvalidValueError):
            raise InvalidTypeError(
                explain(
                    f"the classes of {d.target}",
                    "exact numbers for squared error",
                    label,
                    "name them by integers, Fractions or strings such as '3/8'",
                )
            ) from None
    return numbers


def _listed(labels: tuple[Label, ...]) -> str:
    shown = ", ".join(map(repr, labels[:5]))
    return shown + (", ..." if len(labels) > 5 else "")
