"""The two loops over axes: open the slot "summed out", and fold the states of an axis into one slot.

Both work in place on memory that is allocated once, through views that are made once: a sweep calls them
thousands of times on small arrays, where making a view costs as much as adding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "Expansion", "Fold", "index_of"]

Array: TypeAlias = "npt.NDArray[Any]"
Index: TypeAlias = "tuple[int | slice, ...]"

_ALL, _STATES, _FOLDED = slice(None), slice(1, None), slice(0, 2)


class Expansion:
    """Cells of shape (planes, *fixed, c1 + 1, .., ck + 1, tail), from a block (planes, *fixed, c1, .., ck, tail).

    Slot 0 of an axis is "summed out"; slot s + 1 is state s.

    Attributes
    ----------
    cells : array
        The cells. Whoever called may do with them as he likes until the next call.
    """

    def __init__(
        self,
        planes: int,
        fixed: Sequence[int],
        cards: Sequence[int],
        tail: int,
        dtype: np.dtype[Any],
        combine: np.ufunc = np.add,
    ) -> None:
        self.cells: Array = np.empty((planes, *fixed, *(c + 1 for c in cards), tail), dtype=dtype)
        before: Index = (_ALL,) * (1 + len(fixed))
        self._states = self.cells[(*before, *[_STATES] * len(cards))]
        # trailing axes first: the additions that follow are longer and run over all slots of those axes
        steps = [
            step
            for axis in reversed(range(len(cards)))
            for step in _merge(self.cells, (*before, *[_STATES] * axis), 0, range(1, cards[axis] + 1))
        ]
        self._steps, self._combine = steps, combine

    def __call__(self, block: Array) -> None:
        """Fill the cells from a block."""
        np.copyto(self._states, block)
        combine = self._combine
        for left, right, out in self._steps:
            combine(left, right, out=out)


class Fold:
    """Fold values of shape (outputs, *fixed, c1 + 1, .., ck + 1, tail), in place, to (outputs, *fixed, 2, .., 2, tail).

    Slot 0 of an axis stays, "not in the subset"; slot 1 becomes the sum over the states.
    """

    def __init__(self, values: Array, fixed: int, cards: Sequence[int], collect: np.ufunc = np.add) -> None:
        before: Index = (_ALL,) * (1 + fixed)
        # leading axes first, so that the trailing ones stay long while there is most to do
        self._steps = [
            step
            for axis, c in enumerate(cards)
            for step in _merge(values, (*before, *[_FOLDED] * axis), 1, range(1, c + 1))
        ]
        self._folded = values[(*before, *[_FOLDED] * len(cards))]
        self._collect = collect

    def __call__(self) -> Array:
        """Fold the values that are there now; the result is valid until they are written to again."""
        collect = self._collect
        for left, right, out in self._steps:
            collect(left, right, out=out)
        return self._folded


def index_of(states: Iterable[int]) -> Index:
    """Return the index of these states of the leading axes, in all planes."""
    return (_ALL, *states)


def _merge(array: Array, head: Index, into: int, slots: range) -> list[tuple[Array, Array, Array]]:
    """Return the operations (left, right, out) that merge the slots of the axis after `head`."""
    out = array[(*head, into)]
    first, second, *others = (array[(*head, slot)] for slot in slots)
    return [(first, second, out), *((out, other, out) for other in others)]
