"""The order in which features are looked at, which is what resolves ties."""

from __future__ import annotations

from collections.abc import Iterable

from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.subsets import mask_of, names_of

__all__ = ["feature_order"]


def feature_order(order: Iterable[str] | None, features: tuple[str, ...]) -> tuple[int, ...]:
    """Return the feature indices in the order asked for, that of `features` if none is."""
    if order is None:
        return tuple(range(len(features)))
    if isinstance(order, (set, frozenset)):
        raise InvalidTypeError(
            explain("order", "a sequence of feature names", order, "a set has no order: pass a list")
        )
    names = tuple(order) if isinstance(order, Iterable) and not isinstance(order, str) else order
    mask = mask_of(names, features, "order")
    if mask != 2 ** len(features) - 1:
        left = sorted(names_of(2 ** len(features) - 1 & ~mask, features))
        raise InvalidValueError(explain("order", "of all features", names, f"add {', '.join(left)}"))
    return tuple(features.index(name) for name in names)
