"""How a sweep over given cardinalities is cut: which axes are opened when, and which are recursed on.

The cells of all marginals of features with c1, .., cn states form an array of shape (c1 + 1, .., cn + 1): one slot an
axis stands for "summed out". Only small parts of it ever exist. A *stage* opens some trailing axes of a block, that
is, gives them this slot; then the leading axes are recursed on until the next stage, and the last stage, the leaf,
opens all that are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Shape", "Stage"]

_RUN = 2187  # cells that should lie in a row before leaves are opened, so that NumPy's loops are long
_LEAF = 3 * 2**22  # bytes of a leaf: threads wait for each other between calls, so these should be long
_PANEL = 2**22  # bytes of what is opened for many leaves
_TABLE = 2**21  # bytes of what is opened for the whole table at once, or
_GROWTH = 3 / 2  # times the table, if that is more: memory must stay a small multiple of the table's
_SPLIT = 20  # blocks that a table is first cut into, at least: each job has some of them


@dataclass(frozen=True)
class Stage:
    """A block with axes `lead` to the end has its axes from `run` on opened."""

    lead: int
    run: int


@dataclass(frozen=True)
class Shape:
    """The axes of a sweep, in the order in which they are stored, and its stages.

    Opening an axis costs one addition less than it has states, for each cell it adds. So those with the fewest states
    are opened last, over the most cells: in the leaf, from the last to the first. Those with the most states are first.

    Attributes
    ----------
    order : tuple of int
        The features with at least two states. A feature with one state tells nothing and is not stored.
    cards : tuple of int
        Their cardinalities.
    stages : tuple of Stage
        The whole table's first, the leaves' last; sometimes one between them.
    jobs : int
        So many leading axes separate independent jobs.
    """

    order: tuple[int, ...]
    cards: tuple[int, ...]
    stages: tuple[Stage, ...]
    jobs: int

    @classmethod
    def of(cls, cardinalities: Sequence[int], cell: int) -> Shape:
        """Cut the axes of features with these cardinalities, given the bytes of one cell."""
        order = sorted((i for i, c in enumerate(cardinalities) if c > 1), key=lambda i: cardinalities[i])
        sizes = [cardinalities[i] for i in order]
        n = len(order)

        def opened(cards: Sequence[int]) -> int:
            return math.prod(c + 1 for c in cards) * cell

        run = _least(n, lambda at: opened(sizes[at:]) <= _RUN * cell)
        leaf = _least(run, lambda at: opened(sizes[: run - at]) * opened(sizes[run:]) <= _LEAF * cell)
        # the leaf's axes, now the smallest, move behind those that are recursed on
        order = order[run - leaf : run] + order[: run - leaf] + order[run:]
        cards = tuple(cardinalities[i] for i in order)

        def block(lead: int, run: int) -> int:
            return math.prod(cards[lead:run]) * opened(cards[run:])

        whole = max(_TABLE, _GROWTH * block(0, n))
        first = max(run, _least(n, lambda at: block(0, at) <= whole))
        stages = [Stage(0, first), Stage(leaf, leaf)]
        jobs = next((at for at in range(leaf) if math.prod(c + 1 for c in cards[:at]) >= _SPLIT), leaf)
        if first > run:
            stages.insert(1, Stage(max(jobs, _least(leaf, lambda at: block(at, run) <= _PANEL)), run))
        return cls(tuple(order), cards, tuple(stages), jobs)


def _least(start: int, fits: Callable[[int], bool]) -> int:
    """Return how far `start` can go down while the position below still fits."""
    at = start
    while at and fits(at - 1):
        at -= 1
    return at
