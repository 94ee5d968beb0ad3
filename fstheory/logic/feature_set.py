"""Sets of features that are gone through in one order, so that a claim is spelled out alike every time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

__all__ = ["FeatureSet"]


def _kept(name: str) -> Callable[..., Any]:
    """Return an operation of frozenset that gives a FeatureSet."""
    operation = getattr(frozenset, name)

    def kept(self: FeatureSet, *others: Any) -> Any:
        found = operation(self, *others)
        return found if found is NotImplemented else FeatureSet(found, self._order)

    kept.__name__, kept.__doc__ = name, operation.__doc__
    return kept


class FeatureSet(frozenset[str]):
    """A frozenset of feature names that is iterated in the order of the features.

    The order in which Python goes through a frozenset of strings changes from one run to the next. A claim that
    says ``m.all(.. for i in S)`` should nevertheless be the same formula in every run, and in every certificate.

    Parameters
    ----------
    names : iterable of str
    order : tuple of str
        Of all features; names that are not among them come last.

    Examples
    --------
    >>> S = FeatureSet({"X2", "X10"}, ("X10", "X1", "X2"))
    >>> list(S), list(S | {"X1"}), S == {"X10", "X2"}
    (['X10', 'X2'], ['X10', 'X1', 'X2'], True)
    """

    __slots__ = ("_order",)
    _order: tuple[str, ...]

    def __new__(cls, names: Iterable[str], order: tuple[str, ...]) -> FeatureSet:
        """Make the set."""
        made = super().__new__(cls, names)
        made._order = order
        return made

    def __iter__(self) -> Iterator[str]:
        known = [name for name in self._order if name in self]
        return iter(known if len(known) == len(self) else known + sorted(set(super().__iter__()) - set(known), key=str))

    def __reduce__(self) -> tuple[type[FeatureSet], tuple[tuple[str, ...], tuple[str, ...]]]:
        return type(self), (tuple(self), self._order)

    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(map(repr, self))}}})" if self else "frozenset()"

    __and__, __or__, __sub__, __xor__ = map(_kept, ("__and__", "__or__", "__sub__", "__xor__"))
    __rand__, __ror__, __rsub__, __rxor__ = map(_kept, ("__rand__", "__ror__", "__rsub__", "__rxor__"))
    intersection, union = map(_kept, ("intersection", "union"))
    difference, symmetric_difference = map(_kept, ("difference", "symmetric_difference"))
    copy = _kept("copy")
