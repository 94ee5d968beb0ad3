"""A bound on a concrete distribution: its two sides, exact, and whether it holds, decided."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from fstheory._exact import latex_text
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.reals import LogSum
from fstheory.reals.roots import RootSum
from fstheory.reals.shifted_root import ShiftedRoot
from fstheory.subsets import Subset, indices_of, mask_of
from fstheory.table.rounding import decimal_text, exact_text, latex_value

__all__ = ["BoundCheck", "Side", "kept_features", "split"]

Side: TypeAlias = Fraction | LogSum | RootSum | ShiftedRoot


@dataclass(frozen=True, repr=False)
class BoundCheck:
    """A bound, or an identity, evaluated on a distribution; true or false like a bool.

    Attributes
    ----------
    name : str
        Which statement it is.
    statement : str
        What it says, in the usual notation.
    left, right : Fraction, LogSum, RootSum or ShiftedRoot
        The values of the two sides, exact.
    source : str
        Where it is stated.
    relation : "<=" or "=="
        What it claims of the two sides.
    latex : str
        The statement in LaTeX.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.bounds import classification_bound
    >>> check = classification_bound(gallery.titanic(), {"sex"})
    >>> print(check)
    Theorem 3: R(not A) <= R(X) + sqrt(2 nu(A)) holds: 0.275329 <= 0.654664, slack 0.379334
    >>> bool(check), check.left
    (True, Fraction(606, 2201))
    """

    name: str
    statement: str
    left: Side
    right: Side
    source: str
    relation: Literal["<=", "=="] = "<="
    latex: str = ""

    @functools.cached_property
    def slack(self) -> Side:
        """The right side minus the left, exact: negative where a bound fails."""
        return self.right - self.left  # type: ignore[operator]

    @functools.cached_property
    def holds(self) -> bool:
        """Whether the statement is true here, decided exactly."""
        return bool(self.slack == 0 if self.relation == "==" else self.slack >= 0)

    @property
    def tight(self) -> bool:
        """Whether the two sides are equal."""
        return bool(self.slack == 0)

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "fails"
        exactly = isinstance(self.left, Fraction) and isinstance(self.right, Fraction)
        left, right, slack = (_short(value, exactly) for value in (self.left, self.right, self.slack))
        relation = self.relation if self.holds else {"<=": ">", "==": "!="}[self.relation]
        rest = "" if self.relation == "==" and self.holds else f", slack {slack}"
        return f"{self.name}: {self.statement} {verdict}: {left} {relation} {right}{rest}"

    def __repr__(self) -> str:
        return f"<BoundCheck: {self}>"

    def _repr_latex_(self) -> str:
        sign = {"<=": r"\le", "==": "="}[self.relation]
        if not self.holds:
            sign = {"<=": ">", "==": r"\ne"}[self.relation]
        values = f"{_latex(self.left)} {sign} {_latex(self.right)}"
        rounded = rf"{_short(self.left, False)} {sign} {_short(self.right, False)}"
        statement = self.latex or latex_text(self.statement)
        return rf"$\displaystyle {latex_text(self.name)}:\quad {statement},\quad {values}\quad ({rounded})$"


def _short(value: Side, exactly: bool) -> str:
    """Write a value for people: exactly where both sides are rational and short, else rounded."""
    if not isinstance(value, Fraction):
        return value.decimal()
    return exact_text(value) if exactly else decimal_text(value)


def _latex(value: Side) -> str:
    return value.to_latex() if isinstance(value, ShiftedRoot) else latex_value(value)


def split(d: JointDistribution, removed: Subset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the removed features and of the kept ones, each in order."""
    require_distribution(d)
    mask = mask_of(removed, d.features, "removed")
    every = (1 << len(d.features)) - 1
    gone, kept = (tuple(d.features[i] for i in indices_of(m)) for m in (mask, every & ~mask))
    return gone, kept


def kept_features(d: JointDistribution, removed: Subset) -> tuple[str, ...]:
    """Return the names of the features that are not removed."""
    return split(d, removed)[1]
