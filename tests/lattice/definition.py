"""What a sweep must return, word for word, over Python numbers. Nothing here imports fstheory."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def marginal_cells(table: np.ndarray, mask: int) -> list[list[Any]]:
    """List, for each state of the subset with this mask, the sums over the table's last axis entries."""
    features = table.ndim - 1
    kept = [i for i in range(features) if mask >> i & 1]
    cells: dict[tuple[int, ...], list[Any]] = {}
    for state in itertools.product(*map(range, table.shape[:-1])):
        cell = cells.setdefault(tuple(state[i] for i in kept), [0] * table.shape[-1])
        for y in range(table.shape[-1]):
            value = table[(*state, y)]
            cell[y] += value if isinstance(value, float) else int(value)
    return list(cells.values())


def sums(table: np.ndarray, phi: Callable[[Sequence[Any]], Any]) -> list[Any]:
    """Return, for every mask, the sum of phi over the cells of the marginal."""
    return [sum(phi(cell) for cell in marginal_cells(table, mask)) for mask in range(2 ** (table.ndim - 1))]


def maxima(table: np.ndarray) -> list[int]:
    """Return, for every mask, the sum of the largest entry of each cell."""
    return sums(table, max)


def one_sum_a_subset(table: np.ndarray) -> list[int]:
    """Return the same with one `np.sum` a subset, for tables that are too large for the above and fit into int64."""
    n = table.ndim - 1
    gone = [tuple(i for i in range(n) if not mask >> i & 1) for mask in range(2**n)]
    return [int(table.sum(axis=axes).max(axis=-1).sum()) for axes in gone]
