"""`Selection`: which features were chosen by a criterion, and every value that was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fstheory._rational import readable
from fstheory.selection.set_function import Value

__all__ = ["Selection", "SelectionStep", "shown"]

_TITLES = {
    "greedy-forward": "greedy forward selection",
    "greedy-backward": "greedy backward elimination",
    "score": "scores of single features",
    "exhaustive": "looking at every subset",
    "mrmr": "minimal redundancy and maximal relevance",
}


@dataclass(frozen=True)
class SelectionStep:
    """One step of a selection: the candidates, what each was worth, and which was taken.

    Attributes
    ----------
    subset : frozenset of str
        The features before the step.
    values : tuple of pairs (feature, exact number)
        Forwards the value of the subset with the feature, backwards without it; of scores, the feature's.
    chosen : str
        The feature that was added or, backwards, taken out.
    tied : tuple of str
        Every candidate with the best value, the chosen one first.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import select
    >>> step = select(gallery.copies(), 1).trace[0]
    >>> step.chosen, step.tied, step.candidates["X2"]
    ('X1', ('X1', 'X2'), Fraction(1, 10))
    """

    subset: frozenset[str]
    values: tuple[tuple[str, Value], ...]
    chosen: str
    tied: tuple[str, ...]

    @property
    def candidates(self) -> dict[str, Value]:
        """The value of every candidate."""
        return dict(self.values)

    @property
    def value(self) -> Value:
        """The value of the chosen one."""
        return self.candidates[self.chosen]


@dataclass(frozen=True)
class Selection:
    """The features that a method chose by a criterion.

    Attributes
    ----------
    method : str
    criterion : str
        Its name.
    features : tuple of str
        In the order in which they were chosen; of backward and exhaustive search in the order that resolves ties.
    value : Fraction, LogSum or None
        Of the chosen subset. Of rankings that give no subset a value, the score of the feature chosen last.
    trace : tuple of SelectionStep
        Empty for exhaustive search.
    subsets : tuple of frozenset of str
        Of exhaustive search, every subset that is best.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import select
    >>> found = select(gallery.xor(), 2, "zero_one", "exhaustive")
    >>> found.features, found.value
    (('X1', 'X2'), Fraction(0, 1))
    """

    method: str
    criterion: str
    features: tuple[str, ...]
    value: Value | None
    trace: tuple[SelectionStep, ...]
    subsets: tuple[frozenset[str], ...] = ()

    @property
    def has_ties(self) -> bool:
        """Whether an order of the features had to decide somewhere."""
        return len(self.subsets) > 1 or any(len(step.tied) > 1 for step in self.trace)

    def __str__(self) -> str:
        worth = "" if self.value is None else f", {self.criterion} {shown(self.value)}"
        head = f"{', '.join(self.features) or 'no features'} by {_TITLES[self.method]}{worth}"
        width = max((len(step.chosen) for step in self.trace), default=0)
        return "\n".join([head, *(self._line(i, step, width) for i, step in enumerate(self.trace, 1))])

    def _line(self, number: int, step: SelectionStep, width: int) -> str:
        others = [(name, value) for name, value in step.values if name != step.chosen]
        against = ", ".join(f"{name} {'the same' if name in step.tied else shown(value)}" for name, value in others)
        line = f"  {number}. {step.chosen.ljust(width)}  {shown(step.value)}"
        return f"{line} against {against}" if against else line


def shown(value: Value) -> str:
    """Write an exact number for people: a rational exactly, a sum of logarithms as a decimal."""
    if isinstance(value, int | Fraction):
        return readable(Fraction(value))
    return readable(value.as_fraction()) if value.is_rational() else f"≈{value.decimal()}"
