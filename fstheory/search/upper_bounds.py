"""What the solver is told of maxima over the classes: upper bounds that follow from the definition by cases.

The cell s of a subset is the union of the cells st of a larger one, so max_y P(s, y) <= sum over t of max_y P(st, y):
if class y wins in s, then P(s, y) is the sum of all P(st, y). And max_y P(s, y) <= P(s). Told so, the solver sees at
once that risks fall as features are added, and are not negative; and it needs far fewer cases.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

from fstheory.search.linear import Linear, Unknowns
from fstheory.search.multipliers import Premise

__all__ = ["upper_bounds"]


def upper_bounds(unknowns: Unknowns, maxima: Iterable[int]) -> tuple[Premise, ...]:
    """Return upper bounds of maxima over the classes.

    The reference of each premise is ("sum", maximum, parts) if the maximum is at most the sum of other maxima, whose
    arguments add up to its own, and ("whole", maximum) if it is at most the probability of its cell.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> unknowns = Unknowns(Shape((2, 2)))
    >>> numbers = [u - 8 for risk in [("R", ()), ("R", (0,))] for u in unknowns.linear(risk).coefficients]
    >>> [premise.reference for premise in upper_bounds(unknowns, numbers)]
    [('whole', 0), ('whole', 1), ('whole', 2), ('sum', 0, (1, 2))]
    """
    groups: dict[tuple[int, ...], dict[tuple[int | None, ...], int]] = {}
    for number in sorted(set(maxima)):
        states = _cell(unknowns, number)
        if states is not None:
            features = tuple(i for i, v in enumerate(states) if v is not None)
            groups.setdefault(features, {})[states] = number
    found = [_at_most_whole(unknowns, number) for cells in groups.values() for number in cells.values()]
    for small, large in itertools.permutations(groups, 2):
        if set(small) < set(large):
            for states, number in groups[small].items():
                parts = _parts(unknowns, states, large, groups[large])
                if parts is not None:
                    found.append(_at_most_sum(unknowns, number, parts))
    return tuple(found)


def _cell(unknowns: Unknowns, number: int) -> tuple[int | None, ...] | None:
    """Return s if the maximum is that of P(s, y) over all classes y in order."""
    arguments = unknowns.maxima[number][1:]
    if [argument[0] for argument in arguments] != ["P"] * unknowns.shape.classes:
        return None
    states: tuple[int | None, ...] = arguments[0][1]
    return states if arguments == tuple(("P", states, y) for y in range(len(arguments))) else None


def _parts(
    unknowns: Unknowns,
    states: tuple[int | None, ...],
    features: tuple[int, ...],
    cells: dict[tuple[int | None, ...], int],
) -> tuple[int, ...] | None:
    """Return the numbers of all cells of a larger subset within a cell, None if one is missing."""
    choices = [
        range(size) if i in features and states[i] is None else (states[i],)
        for i, size in enumerate(unknowns.shape.cardinalities)
    ]
    parts = tuple(cells.get(part) for part in itertools.product(*choices))
    return tuple(part for part in parts if part is not None) if None not in parts else None


def _at_most_whole(unknowns: Unknowns, number: int) -> Premise:
    whole = Linear(Fraction(0), {unknowns.cells + number: Fraction(-1)})
    for argument in unknowns.arguments(number):
        whole = whole.plus(argument)
    return Premise(("whole", number), whole, ">=")


def _at_most_sum(unknowns: Unknowns, number: int, parts: tuple[int, ...]) -> Premise:
    coefficients = {unknowns.cells + part: Fraction(1) for part in parts}
    coefficients[unknowns.cells + number] = Fraction(-1)
    return Premise(("sum", number, parts), Linear(Fraction(0), coefficients), ">=")
