"""`Selection`: which features were chosen by a criterion, and every value that was looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fstheory._display import Shown, few
from fstheory._rational import both, readable
from fstheory.selection.set_function import SetFunction, Value

if TYPE_CHECKING:
    from fstheory.viz import LatticeFigure

__all__ = ["Selection", "SelectionStep", "shown"]

_TITLES = {
    "greedy-forward": "greedy forward selection",
    "greedy-backward": "greedy backward elimination",
    "score": "scores of single features",
    "exhaustive": "looking at every subset",
    "mrmr": "minimal redundancy and maximal relevance",
}


@dataclass(frozen=True, repr=False)
class SelectionStep(Shown):
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

    def __str__(self) -> str:
        others = [(name, value) for name, value in self.values if name != self.chosen]
        against = few(lambda other: f"{other[0]} {'the same' if other[0] in self.tied else shown(other[1])}", others)
        line = f"{self.chosen} {shown(self.value)}"
        return f"{line} against {against}" if against else line


@dataclass(frozen=True, repr=False)
class Selection(Shown):
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
    function : SetFunction
        What the subsets were judged by, or for rankings that give no subset a value the Bayes risk: what `plot` draws.

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
    function: SetFunction = field(kw_only=True, compare=False)

    @property
    def has_ties(self) -> bool:
        """Whether an order of the features had to decide somewhere."""
        return len(self.subsets) > 1 or any(len(step.tied) > 1 for step in self.trace)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets that the search went through; of exhaustive search none."""
        return (*(step.subset for step in self.trace), frozenset(self.features)) if self.trace else ()

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the lattice of the values with the path of the search or, of exhaustive search, the best subsets.

        Parameters
        ----------
        options
            As for `SubsetTable.plot`; they take precedence.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
        TooLargeError
            There are more subsets than can be drawn readably.
        """
        marks = {"path": self.path} if self.trace else {"optimal": self.subsets}
        return self.function.table().plot(**{**marks, **options})

    def __str__(self) -> str:
        worth = "" if self.value is None else f", {self.criterion} {shown(self.value, both)}"
        head = f"{', '.join(self.features) or 'no features'} by {_TITLES[self.method]}{worth}"
        return "\n".join([head, *(f"  {i}. {step}" for i, step in enumerate(self.trace, 1))])


def shown(value: Value, rational: Callable[[Fraction], str] = readable) -> str:
    """Write an exact number for people: a rational exactly, a sum of logarithms as a decimal."""
    if isinstance(value, int | Fraction):
        return rational(Fraction(value))
    return rational(value.as_fraction()) if value.is_rational() else f"≈{value.decimal()}"
