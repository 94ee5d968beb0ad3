"""The performance measures, word for word, and their best values by trying every predictor.

A marginal is a mapping from states to the probability of each class in them: ``{s: {y: p(s, y)}}``. Nothing here
imports fstheory.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from tests.literal import Pmf, classes, marginal

Cells: TypeAlias = Mapping[tuple[Hashable, ...], Mapping[Hashable, Fraction]]
Choice: TypeAlias = Mapping[tuple[Hashable, ...], Any]
Loss: TypeAlias = Callable[[Any, Any], Fraction]


def cells_of(pmf: Pmf, kept: Sequence[int]) -> Cells:
    """Return the marginal of the features at some positions."""
    found: dict[tuple[Hashable, ...], dict[Hashable, Fraction]] = {}
    for (*s, y), p in marginal(pmf, kept).items():
        found.setdefault(tuple(s), dict.fromkeys(classes(pmf), Fraction(0)))[y] = p
    return found


def choices(cells: Cells, predictions: Sequence[Any]) -> Iterator[Choice]:
    """Yield every function from the states to the predictions."""
    for chosen in product(predictions, repeat=len(cells)):
        yield dict(zip(cells, chosen, strict=True))


def expected_loss(cells: Cells, loss: Loss, h: Choice) -> Fraction:
    """Return E loss(Y, h(X))."""
    return sum((p * loss(y, h[s]) for s, cell in cells.items() for y, p in cell.items()), Fraction(0))


def class_probability(cells: Cells, y: Hashable) -> Fraction:
    return sum((cell[y] for cell in cells.values()), Fraction(0))


def precision(cells: Cells, h: Choice, positive: Hashable) -> Fraction:
    """Return P(Y = positive | h(X) = positive); it is undefined where h is never positive."""
    predicted = sum((sum(cell.values()) for s, cell in cells.items() if h[s] == positive), Fraction(0))
    return sum((cell[positive] for s, cell in cells.items() if h[s] == positive), Fraction(0)) / predicted


def recall(cells: Cells, h: Choice, positive: Hashable) -> Fraction:
    """Return P(h(X) = positive | Y = positive)."""
    hits = sum((cell[positive] for s, cell in cells.items() if h[s] == positive), Fraction(0))
    return hits / class_probability(cells, positive)


def f_measure(cells: Cells, h: Choice, positive: Hashable, beta: Fraction) -> Fraction:
    """Return the usual F-measure; 0 where there is no true positive, and so no precision or one of 0."""
    if not recall(cells, h, positive):
        return Fraction(0)
    return (1 + beta**2) / (1 / precision(cells, h, positive) + beta**2 / recall(cells, h, positive))


def f_measure_as_printed(cells: Cells, h: Choice, positive: Hashable, beta: Fraction) -> Fraction:
    """Return the F-measure of Example 7, by the same convention."""
    if not recall(cells, h, positive):
        return Fraction(0)
    return (1 + beta**2) / (beta**2 / precision(cells, h, positive) + 1 / recall(cells, h, positive))


def auc(cells: Cells, f: Choice, positive: Hashable, negative: Hashable) -> Fraction:
    """Return P(f(X) > f(X') | Y = positive, Y' = negative) + P(f(X) = f(X') | the same) / 2, of independent draws."""
    above = Fraction(0)
    for s, cell in cells.items():
        for t, other in cells.items():
            credit = Fraction(int(f[s] > f[t])) + Fraction(int(f[s] == f[t]), 2)
            above += cell[positive] * other[negative] * credit
    return above / (class_probability(cells, positive) * class_probability(cells, negative))


def rankings(cells: Cells) -> Iterator[Choice]:
    """Yield every weak order of the states, as scores 0, 1, ... without a gap."""
    for scores in choices(cells, range(len(cells))):
        if set(scores.values()) == set(range(len(set(scores.values())))):
            yield scores
