"""What the loss of information says about the error: Theorems 1 and 3 of Beraha et al., as a selection uses them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from fstheory._display import Shown
from fstheory._rational import Exact, approximate, as_fraction, readable
from fstheory.criteria import squared_error, zero_one
from fstheory.criteria.checking import class_weights, numeric_classes
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.logsum import LogSum
from fstheory.selection.chosen import shown
from fstheory.selection.set_function import SetFunction, set_function

__all__ = ["ErrorBound", "ErrorModel", "Problem", "error_model"]

Problem: TypeAlias = Literal["classification", "regression"]


@dataclass(frozen=True, repr=False)
class ErrorBound(Shown):
    """An upper bound on an error: a rational plus a sum of logarithms, or plus the square root of one.

    Attributes
    ----------
    least : Fraction
        The rational part: the error with all features.
    excess : LogSum
        What may be added; it is at least 0 where it stands under a root.
    root : bool
        Whether its square root is added.

    Examples
    --------
    >>> from fstheory.logsum import log
    >>> from fstheory.selection import ErrorBound
    >>> bound = ErrorBound(Fraction(1, 10), log(2), root=True)
    >>> bound.allows(Fraction(93, 100)), bound.allows(Fraction(94, 100))
    (True, False)
    """

    least: Fraction
    excess: LogSum
    root: bool

    def allows(self, error: Fraction) -> bool:
        """Say whether an error is at most the bound; decided exactly, by squaring."""
        added = error - self.least
        if not self.root:
            return self.excess >= added
        return added <= 0 or self.excess >= added**2

    def __float__(self) -> float:
        """Return a float close to the bound, to look at."""
        return float(self.least) + (math.sqrt(float(self.excess)) if self.root else float(self.excess))

    def __str__(self) -> str:
        added = shown(self.excess)
        return f"{readable(self.least)} + {f'sqrt({added})' if self.root else added} ≈ {self.decimal()}"

    def decimal(self, digits: int = 6) -> str:
        """Return the bound rounded to so many significant digits, as text; it may lie beyond the largest float.

        Examples
        --------
        >>> from fstheory.logsum import log
        >>> ErrorBound(Fraction(10) ** 400, log(2), root=True).decimal()
        '1.00000E+400'
        """
        added = Decimal(self.excess.decimal(digits + 12))
        with localcontext(Context(prec=digits + 12, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            rounded = Fraction(added.sqrt() if self.root else added)
        return approximate(self.least + rounded, digits)


@dataclass(frozen=True, repr=False)
class ErrorModel(Shown):
    """How the error of a subset is measured, and the two constants of its bound.

    Attributes
    ----------
    problem : {'classification', 'regression'}
    error : SetFunction
        The Bayes risk, or the least mean squared error.
    scale, sharp_scale : Fraction
        The error is at most the least one plus ``scale * nu`` for regression, ``sqrt(scale * nu)`` for
        classification, as printed and sharp.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection.error_bound import error_model
    >>> model = error_model(gallery.xor(), "classification", None)
    >>> model.scale, model.sharp_scale, model.least
    (Fraction(2, 1), Fraction(1, 2), Fraction(0, 1))
    """

    problem: Problem
    error: SetFunction
    scale: Fraction
    sharp_scale: Fraction

    @property
    def least(self) -> Fraction:
        """The error with all features."""
        return self.error_at(2 ** len(self.error.features) - 1)

    def error_at(self, mask: int) -> Fraction:
        """Return the error of the subset with this mask."""
        value = self.error.at(mask)
        assert isinstance(value, Fraction)
        return value

    def bound(self, lost: LogSum, *, sharp: bool = False) -> ErrorBound:
        """Return the bound on the error when so much information is lost."""
        return ErrorBound(
            self.least, lost * (self.sharp_scale if sharp else self.scale), self.problem == "classification"
        )

    def threshold(self, delta: Fraction) -> Fraction:
        """Return what ``scale * nu`` is compared with, for an error of delta."""
        return delta**2 if self.problem == "classification" else delta


def error_model(d: JointDistribution, problem: Problem, bound: Exact | None) -> ErrorModel:
    """Return how errors are measured and bounded.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        There is no such problem; the classes are no numbers, for regression; `bound` is not exact, less than
        some possible absolute value of the class, or given for classification.
    """
    if not isinstance(problem, str) or problem not in get_args(Problem):
        raise InvalidValueError(explain("problem", "'classification' or 'regression'", problem, "correct it"))
    if problem == "classification":
        if bound is not None:
            raise InvalidValueError(explain("bound", "left out for classification", bound, "it is for regression"))
        return ErrorModel(problem, set_function(d, zero_one()), Fraction(2), Fraction(1, 2))
    error = set_function(d, squared_error())
    possible = [y for y, weight in zip(numeric_classes(d), class_weights(d), strict=True) if weight]
    largest = max(abs(y) for y in possible)
    allowed = largest if bound is None else as_fraction(bound, "bound")
    if allowed < largest:
        raise InvalidValueError(
            explain("bound", f"at least {readable(largest)}, the largest |{d.target}| possible", bound, "raise it")
        )
    half_range = (max(possible) - min(possible)) / 2
    return ErrorModel(problem, error, 2 * allowed**2, 2 * half_range**2)
