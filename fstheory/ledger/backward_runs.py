"""Table 1 of Peña and Nilsson, the backward search, run on an unknown distribution: every way it can go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fstheory.logic import Formula, Model

__all__ = ["Run", "backward_runs", "returns_in_any_order"]


@dataclass(frozen=True, slots=True)
class Run:
    """One way the search can go.

    Attributes
    ----------
    happens : Formula
        The answers to its tests, which decide that it goes this way.
    iterations : int
        How often the loop was entered.
    returned : frozenset of str
    """

    happens: Formula
    iterations: int
    returned: frozenset[str]


def backward_runs(m: Model, tau: Fraction | None = None) -> Iterator[Run]:
    """Yield every run of Table 1, line by line as printed; exactly one of them happens at a distribution.

    With tau it is FBS where the risks are known: a removal may cost at most tau.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> [(run.iterations, sorted(run.returned)) for run in backward_runs(Model(Shape((2,))))]
    [(2, []), (1, ['X1'])]
    """
    yield from _continued(m, m.features, 1, 0, m.all([]), tau)


def _continued(
    m: Model, S: frozenset[str], i: int, iterations: int, happens: Formula, tau: Fraction | None
) -> Iterator[Run]:
    while i <= len(m.order):
        iterations += 1
        feature = m.order[i - 1]
        if feature in S:
            rest = m.risk(S - {feature})
            spared = rest == m.risk(S) if tau is None else rest <= m.risk(S) + tau
            yield from _continued(m, S - {feature}, 1, iterations, happens & spared, tau)
            happens = happens & ~spared
        i += 1
    yield Run(happens, iterations, S)


def returns_in_any_order(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement that some order of removals ends at S: each keeps the risk, and none from S does.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> returns_in_any_order(Model(Shape((2,))), frozenset()).node
    ('=', ('R', ()), ('R', (0,)))
    """
    ends = m.all(m.risk(S - {i}) != m.risk(S) for i in S)
    return ends & m.any(_removed(m, m.features, S))


def _removed(m: Model, current: frozenset[str], S: frozenset[str]) -> Iterator[Formula | bool]:
    if current == S:
        yield True
    for i in current - S:
        rest = m.any(_removed(m, current - {i}, S))
        yield (m.risk(current - {i}) == m.risk(current)) & rest
