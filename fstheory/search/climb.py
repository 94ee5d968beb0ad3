"""Uphill to a counterexample: the slack of a statement says how far a distribution is from violating it.

The slack of a comparison is the difference of its sides; a conjunction has the slack of its weakest part, a
disjunction that of its strongest, and a negation turns the sign. So the slack is a term of the language itself, exact
at every distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from fstheory.logic.nodes import Node
from fstheory.logic.statement import Statement
from fstheory.search.batch import Meter
from fstheory.search.target import Ground, Weights
from fstheory.search.values import Array

__all__ = ["climbed", "slack", "violation"]

_STARTS = 12
_STEPS = 40
_MOST = 60_000  # distributions that are looked at
_MINUS: Node = ("q", Fraction(-1))


def slack(formula: Node) -> Node:
    """Return a term that is at least 0 where a formula is true, and at most 0 where it is false.

    Examples
    --------
    >>> slack(("not", ("<=", ("R", ()), ("R", (0,)))))[2]
    ('+', ('R', (0,)), ('*', ('q', Fraction(-1, 1)), ('R', ())))
    """
    kind, *parts = formula
    if kind in {"<", "<="}:
        return _difference(parts[1], parts[0])
    if kind == "=":
        return ("min", _difference(*parts), _difference(*reversed(parts)))
    if kind == "not":
        return ("*", _MINUS, slack(parts[0]))
    if kind == "implies":
        return ("max", ("*", _MINUS, slack(parts[0])), slack(parts[1]))
    if kind == "iff":
        a, b = map(slack, parts)
        not_a, not_b = ("*", _MINUS, a), ("*", _MINUS, b)
        return ("min", ("max", not_a, b), ("max", not_b, a))
    if not parts:  # true or false: no change of the distribution matters
        return ("q", Fraction(1 if kind == "and" else -1))
    return ("min" if kind == "and" else "max", *map(slack, parts))


def violation(statement: Statement) -> Node:
    """Return a term that is at least 0 where the assumptions of a statement are true and what it shows is false."""
    assumed = (slack(named.formula) for named in statement.assume)
    return ("min", *assumed, ("*", _MINUS, slack(("and", *(named.formula for named in statement.show)))))


def climbed(target: Ground, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
    """Climb from random distributions, moving weight from cell to cell, until one is a counterexample.

    Returns
    -------
    weights, count
        The counterexample, or None; and how many distributions were looked at.

    Examples
    --------
    >>> from fstheory.logic import Shape, claim
    >>> @claim
    ... def rare(m, i):  # 49/100 < R(X1) < 1/2
    ...     return (m.risk(i) <= "49/100") | (m.risk(i) >= "1/2")
    >>> target = Ground(rare.statement(Shape((2,))))
    >>> target.violated(climbed(target, 0, lambda count: None)[0])
    True
    """
    meter = Meter(target.shape, violation(target.statement))
    cells = target.shape.cells
    rng = np.random.default_rng([seed, cells])
    seen = 0
    for start in range(_STARTS):
        total = (4 * cells, 16 * cells, 64 * cells)[start % 3]
        here = rng.multinomial(total, rng.dirichlet(np.ones(cells))).astype(np.int64)
        highest = None
        for _ in range(_STEPS):
            around = _neighbors(here)
            seen += around.shape[1]
            tick(seen)
            if seen > _MOST:
                return None, seen
            violated = target.find(around, total)[0]
            if len(violated):
                return tuple(around[:, violated[0]].tolist()), seen
            heights = meter.read(around, total)
            best = int(np.argmax(heights))
            if highest is not None and heights[best] <= highest:
                break
            highest, here = heights[best], around[:, best]
    return None, seen


def _neighbors(weights: Array) -> Array:
    """Return all vectors that differ by a weight moved from one cell to another, as columns."""
    moved = list(_moved(weights))
    return np.array(moved).T if moved else weights[:, None]


def _moved(weights: Array) -> Iterator[Array]:
    for source in np.flatnonzero(weights):
        for amount in sorted({1, max(1, int(weights[source]) // 4), int(weights[source])}):
            for place in range(len(weights)):
                if place != source:
                    changed = weights.copy()
                    changed[source] -= amount
                    changed[place] += amount
                    yield changed


def _difference(a: Node, b: Node) -> Node:
    return ("+", a, ("*", _MINUS, b))
