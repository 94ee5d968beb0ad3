"""The renamings that leave a statement as it is, as permutations of the cells of its shape.

Renaming the variables of a counterexample gives another one, of the same size. So a search needs to look at one
distribution of each orbit only, and the least of them in lexicographic order is the one to look at: it is also the
one that the search is after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fstheory.logic.statement import Shape, Statement
from fstheory.logic.symmetry import Renaming, generators, invariant_under

__all__ = ["Move", "cell_moves", "closure"]

Move = tuple[int, ...]
"""Cell i of the renamed weights is cell ``move[i]`` of the weights."""

_MOST = 400  # elements of the group that are looked at; any part of it will do


def cell_moves(statement: Statement) -> tuple[Move, ...]:
    """Return permutations of the cells that turn counterexamples into counterexamples; the identity is left out.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> @claim
    ... def monotone(m, S, i):
    ...     return m.risk(S | {i}) <= m.risk(S)
    >>> sorted(cell_moves(monotone.statement(Shape((2,)))))
    [(1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)]
    """
    shape = statement.shape
    families = [[named.formula for named in part] for part in (statement.assume, statement.show)]
    kept = invariant_under(generators(shape.cardinalities, shape.classes), *families)
    return closure([_move(renaming, shape) for renaming in kept])


def closure(moves: Iterable[Move], most: int = _MOST) -> tuple[Move, ...]:
    """Return the permutations that some permutations generate, or as many of them as `most`; without the identity.

    Examples
    --------
    >>> closure([(1, 2, 0)])
    ((1, 2, 0), (2, 0, 1))
    """
    steps = list(dict.fromkeys(moves))
    found = dict.fromkeys(steps)
    waiting = list(found)
    for here in waiting:  # grows while it is walked
        for step in steps:
            there = tuple(here[i] for i in step)
            if there not in found and len(found) < most:
                found[there] = None
                waiting.append(there)
    return tuple(move for move in found if move != tuple(range(len(move))))


def _move(renaming: Renaming, shape: Shape) -> Move:
    """Return where each cell of the renamed weights comes from."""
    sizes = (*shape.cardinalities, shape.classes)
    sources = np.empty(sizes, dtype=np.int64)
    for number, (*states, y) in enumerate(np.ndindex(*sizes)):
        sources[_renamed(states, y, renaming)] = number
    return tuple(sources.ravel().tolist())


def _renamed(states: Sequence[int], y: int, renaming: Renaming) -> tuple[int, ...]:
    there = [0] * len(states)
    for feature, state in enumerate(states):
        there[renaming.features[feature]] = renaming.states[feature][state]
    return (*there, renaming.classes[y])
