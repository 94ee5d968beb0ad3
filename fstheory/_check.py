"""`Check`: whether a statement is true of one thing, decided exactly, with where it fails or its two sides."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from fstheory._display import Shown
from fstheory._exact import decimal_text, latex_text, latex_value, readable

__all__ = ["Check", "Relation"]

Relation = Literal["", "<=", "=="]


@dataclass(frozen=True, repr=False)
class Check(Shown):
    """Whether a statement is true of a distribution, a set function or a search; true or false like a bool.

    It answers `JointDistribution.is_positive` and `has_unique_maximum`, the bounds of `fstheory.bounds`, and
    `is_monotone`, `is_submodular` and `is_supermodular` and `CMISelection.guarantee` of `fstheory.selection`.

    Attributes
    ----------
    statement : str
        What is claimed, in the usual notation.
    holds : bool
        Decided exactly.
    witness : mapping, or None
        Where an assumption or a property fails first: the state x of the features, or S, i and j.
    left, right : exact numbers, or None
        The values of the two sides: of a bound always, of a set function at the witness, of a guarantee the error
        and its limit. Of the assumption of a unique maximum `left` holds the classes that tie at the witness.
    name : str
        Of a bound: what it is called.
    source : str
        Of a bound: where it is stated.
    relation : "<=" or "==", or ""
        Of a bound: what it claims of the two sides.
    latex : str
        Of a bound: the statement in LaTeX.
    failure : str
        How it fails, in words; empty if it holds or if it is a bound.

    Examples
    --------
    >>> from fstheory import JointDistribution, gallery
    >>> check = JointDistribution([[1, 1], [0, 3]]).has_unique_maximum()
    >>> bool(check), dict(check.witness), check.left
    (False, {'X1': 0}, (0, 1))
    >>> from fstheory.bounds import classification_bound
    >>> check = classification_bound(gallery.titanic(), {"sex"})
    >>> print(check)
    Theorem 3: R(not A) <= R(X) + sqrt(2 nu(A)) holds: 0.275329 <= 0.654664, slack 0.379334
    >>> bool(check), check.left
    (True, Fraction(606, 2201))
    """

    statement: str
    holds: bool
    witness: Mapping[str, Any] | None = field(default=None, hash=False)  # a mapping has no hash
    left: Any = None
    right: Any = None
    _: dataclasses.KW_ONLY
    name: str = ""
    source: str = ""
    relation: Relation = ""
    latex: str = ""
    failure: str = ""

    def __post_init__(self) -> None:
        if self.witness is not None:
            object.__setattr__(self, "witness", MappingProxyType(dict(self.witness)))

    @functools.cached_property
    def slack(self) -> Any:
        """The right side minus the left, exact: negative where a bound fails."""
        return self.right - self.left

    @property
    def tight(self) -> bool:
        """Whether the two sides are equal."""
        return bool(self.left == self.right)

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "fails"
        if not self.relation:
            return f"{self.statement}: {verdict}{self.failure}"
        rational = isinstance(self.left, Fraction) and isinstance(self.right, Fraction)
        left, right, slack = map(readable if rational else decimal_text, (self.left, self.right, self.slack))
        relation = self.relation if self.holds else {"<=": ">", "==": "!="}[self.relation]
        rest = "" if self.relation == "==" and self.holds else f", slack {slack}"
        return f"{self.name}: {self.statement} {verdict}: {left} {relation} {right}{rest}"

    def _repr_html_(self) -> str | None:  # type: ignore[override]
        return None if self.relation else super()._repr_html_()  # a bound shows itself as a formula

    def _repr_latex_(self) -> str | None:
        if not self.relation:
            return None
        true, false = {"<=": (r"\le", ">"), "==": ("=", r"\ne")}[self.relation]
        sign = true if self.holds else false
        values = f"{latex_value(self.left)} {sign} {latex_value(self.right)}"
        rounded = rf"{decimal_text(self.left)} {sign} {decimal_text(self.right)}"
        statement = self.latex or latex_text(self.statement)
        return rf"$\displaystyle {latex_text(self.name)}:\quad {statement},\quad {values}\quad ({rounded})$"

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name.name: getattr(self, name.name) for name in dataclasses.fields(self)}
        witness = None if self.witness is None else dict(self.witness)  # a mapping proxy is not pickled
        return functools.partial(Check, **(state | {"witness": witness})), ()
