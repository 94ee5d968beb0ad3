"""The weights of every marginal, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from fstheory.sweep.cells import Array

__all__ = ["every_marginal", "flat", "is_small", "marginal"]


def every_marginal(weights: Array) -> Iterator[tuple[int, Array]]:
    """Yield every mask with the weights of its marginal, each made from one with a feature more.

    Memory is that of one chain of marginals; time prod(c_i + 1) additions in all, but one pass in Python per subset.

    Examples
    --------
    >>> import numpy as np
    >>> [(mask, marginal.tolist()) for mask, marginal in every_marginal(np.array([[1, 2], [3, 4]]))]
    [(1, [[1, 2], [3, 4]]), (0, [4, 6])]
    """
    yield from _below(weights, weights.ndim - 2, 0)


def flat(weights: Array) -> Array:
    """Return the weights of a marginal by state and class.

    Examples
    --------
    >>> import numpy as np
    >>> flat(np.ones((2, 3, 2))).shape
    (6, 2)
    """
    return weights.reshape(-1, weights.shape[-1])


def is_small(weights: Array, bits: int) -> bool:
    """Say whether the weights are machine integers whose sum is below 2**bits; they are not negative.

    Examples
    --------
    >>> import numpy as np
    >>> is_small(np.array([3, 4]), 3), is_small(np.array([3, 5]), 3)
    (True, False)
    """
    return weights.dtype != object and int(weights.sum()) < 2**bits


def marginal(weights: Array, mask: int) -> Array:
    """Return the weights of the marginal of the features in a mask, not reduced to lowest terms.

    Examples
    --------
    >>> import numpy as np
    >>> marginal(np.array([[2, 4], [2, 4]]), 0).tolist()
    [4, 8]
    """
    summed: Array = weights.sum(axis=tuple(i for i in range(weights.ndim - 1) if not mask >> i & 1))
    return summed


def _below(weights: Array, axis: int, kept: int) -> Iterator[tuple[int, Array]]:
    """Yield the marginals that keep the axes after `axis` as they are and any of those up to it."""
    if axis < 0:
        yield kept, weights
        return
    yield from _below(weights, axis - 1, kept | 1 << axis)
    yield from _below(weights.sum(axis=axis), axis - 1, kept)
