"""Weights: any nested table of exact numbers, as one integer array in lowest terms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._exact import as_fraction, integers_over
from fstheory._memory import enough_memory, require_axes
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.limbs import total_of

__all__ = ["Weights", "integer_weights", "lowest_terms"]

Weights: TypeAlias = "npt.NDArray[Any]"
"""int64 while the total is below 2**63, otherwise an object array of Python ints."""

_WORD = 2**63


def integer_weights(table: object) -> Weights:
    """Return a nested table (lists, tuples or an array) of exact non-negative numbers as integers.

    The integers are proportional to the numbers given: they are multiplied by the common denominator.
    """
    if isinstance(table, np.ma.MaskedArray) and table.mask.any():
        masked = int(table.mask.sum())
        raise InvalidValueError(explain("weights", "a table without masked entries", f"{masked} masked", "fill them"))
    array = _from_array(np.asarray(table)) if isinstance(table, np.ndarray) else _from_nested(table)
    if array.ndim == 0:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", table, "pass a list"))
    if array.size == 0:
        raise InvalidValueError(explain("weights", "an array with no empty axis", array.shape, "drop empty axes"))
    negative = np.argwhere(array < 0)
    if len(negative):
        at = tuple(map(int, negative[0]))
        given = np.asarray(table, dtype=object)[at]
        raise InvalidValueError(explain(_place(at), "at least 0", given, "a weight is a count or a mass"))
    return array


@enough_memory("the table of all cells", "use fewer features or coarser states")
def lowest_terms(array: Weights) -> tuple[Weights, int]:
    """Divide non-negative integer weights by their greatest common divisor; return them read-only, and their total."""
    total = total_of(array)
    divisor = reduce(math.gcd, array.flat) if array.dtype == object else int(np.gcd.reduce(array, axis=None))
    if total == 0:
        raise InvalidValueError(explain("the largest weight", "above 0", 0, "a distribution needs a total above 0"))
    # of a view, somebody else may own the data and write to it
    reduced = array if divisor == 1 and array.flags.owndata else array // divisor
    total //= divisor
    reduced = np.ascontiguousarray(reduced, dtype=np.int64 if total < _WORD else object)
    reduced.flags.writeable = False
    return reduced.view(), total  # of a view, unlike of its owner, nobody can set the flag again


def _from_array(array: npt.NDArray[Any]) -> Weights:
    if array.dtype.kind in "iu":
        wide = array.dtype.kind == "u" and array.dtype.itemsize == 8
        return array.astype(object if wide else np.int64)
    if array.dtype.kind in "fcb":
        raise InvalidTypeError(explain("weights", "exact numbers", array.dtype, "pass integers or a list of Fractions"))
    return _from_leaves(array.ravel().tolist(), array.shape)


def _from_nested(table: object) -> Weights:
    shape = _shape(table)
    leaves = [table]
    for depth in range(len(shape)):
        for entry in leaves:
            if not _is_list(entry) or len(entry) != shape[depth]:  # type: ignore[arg-type]
                raise InvalidValueError(explain("weights", f"a full table of shape {shape}", entry, "fill its rows"))
        leaves = [leaf for entry in leaves for leaf in entry]  # type: ignore[attr-defined]
    return _from_leaves(leaves, shape)


def _from_leaves(leaves: Sequence[object], shape: tuple[int, ...]) -> Weights:
    if all(type(leaf) is int for leaf in leaves):
        integers: list[int] = list(leaves)  # type: ignore[arg-type]
    else:
        exact: list[Fraction] = []
        for position, leaf in enumerate(leaves):
            if _is_list(leaf):
                raise InvalidValueError(explain("weights", f"a full table of shape {shape}", leaf, "fill its rows"))
            place = tuple(int(i) for i in np.unravel_index(position, shape))
            exact.append(as_fraction(leaf, _place(place)))
        integers, _ = integers_over(exact)
    small = max(map(abs, integers), default=0) < _WORD
    return np.array(integers, dtype=np.int64 if small else object).reshape(shape)


def _shape(table: object) -> tuple[int, ...]:
    """Return the shape along the first entries; whether all entries have it is checked while flattening."""
    shape: list[int] = []
    while _is_list(table):
        require_axes(len(shape) + 1, "weights")
        shape.append(len(table))  # type: ignore[arg-type]
        if not shape[-1]:
            break
        table = table[0]  # type: ignore[index]
    return tuple(shape)


def _is_list(entry: object) -> bool:
    return isinstance(entry, list | tuple | np.ndarray) and not (isinstance(entry, np.ndarray) and entry.ndim == 0)


def _place(at: tuple[int, ...]) -> str:
    return "weights" + "".join(f"[{i}]" for i in at)
