"""When elimination and selection by conditional mutual information stop, and what that says about the error."""

from __future__ import annotations

import abc
import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias, get_args

from fstheory._display import Shown
from fstheory._exact import Exact, approximate, as_fraction, as_index, readable
from fstheory.criteria import squared_error, zero_one
from fstheory.criteria.cells import class_weights, numeric_classes
from fstheory.distribution import Data
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require_choice
from fstheory.reals import LogSum
from fstheory.selection.greedy import checked_size, shown
from fstheory.selection.set_functions import SetFunction, set_function

__all__ = ["ErrorBound", "ErrorRule", "FeatureCountRule", "FeatureScoreRule", "ScoreDifferenceRule", "StoppingRule"]

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
    >>> from fstheory.reals import log
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
        >>> from fstheory.reals import log
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
        excess = lost * (self.sharp_scale if sharp else self.scale)
        return ErrorBound(self.least, excess, self.problem == "classification")

    def threshold(self, delta: Fraction) -> Fraction:
        """Return what ``scale * nu`` is compared with, for an error of delta."""
        return delta**2 if self.problem == "classification" else delta


def error_model(d: Data, problem: Problem, bound: Exact | None) -> ErrorModel:
    """Return how errors are measured and bounded."""
    require_choice(problem, "problem", get_args(Problem))
    if problem == "classification":
        if bound is not None:
            raise InvalidValueError(explain("bound", "left out for classification", bound, "it is for regression"))
        return ErrorModel(problem, set_function(d, zero_one()), Fraction(2), Fraction(1, 2))
    error = set_function(d, squared_error())
    alone = d.marginal(())
    possible = [y for y, weight in zip(numeric_classes(alone), class_weights(alone), strict=True) if weight]
    largest = max(abs(y) for y in possible)
    allowed = largest if bound is None else as_fraction(bound, "bound")
    if allowed < largest:
        requirement = f"at least {readable(largest)}, the largest |{d.target}| possible"
        raise InvalidValueError(explain("bound", requirement, bound, "raise it"))
    half_range = (max(possible) - min(possible)) / 2
    return ErrorModel(problem, error, 2 * allowed**2, 2 * half_range**2)


def _at_least_0(value: Exact, argument: str) -> Fraction:
    number = as_fraction(value, argument)
    if number < 0:
        raise InvalidValueError(explain(argument, "at least 0", value, "pass 0 to give up nothing"))
    return number


class StoppingRule(Shown, abc.ABC):
    """A stopping rule of Beraha et al.: `ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule`, `FeatureCountRule`.

    Examples
    --------
    >>> isinstance(ErrorRule("1/10"), StoppingRule)
    True
    """

    symbol: ClassVar[str]


@dataclass(frozen=True)
class ErrorRule(StoppingRule):
    """ER: stop on what the theorems say about the error, given the conditional mutual information removed.

    Parameters
    ----------
    delta : exact number, at least 0
        The error that may be added to the least there is.
    printed : bool
        Follow the paper to the letter: stop at the first step T where the accumulated sum reaches the threshold, and
        return what step T found, A_T, not what it left, A_{T+1}. Otherwise make the moves that the theorem allows.
    sharp : bool
        Use the sharper bounds: R <= eps + sqrt(nu / 2) for classification, half the range of Y instead of
        the bound B for regression. For classification that allows four times the loss of information.

    Notes
    -----
    The printed rule differs from the text around it. With delta = 0 it stops at once (a sum is at
    least 0) though features of no information should go; the last feature is never removed, however little it tells;
    forwards it returns A_T, while the proof sums up to step T, which is A_{T+1}; and forwards it asks for a gain of
    information, not for the error allowed. Without `printed`, backward elimination removes a feature if
    the sum, with it, does not exceed the threshold; forward selection adds features until what is not yet known,
    I(Y; X) - I(Y; X_A), does not exceed it. Both then keep the error within delta of the least.

    Examples
    --------
    >>> print(ErrorRule("1/20"), ErrorRule("0.1", sharp=True), sep="; ")
    ER with delta = 1/20; ER with delta = 1/10, sharp
    """

    delta: Fraction
    printed: bool = False
    sharp: bool = False
    symbol: ClassVar[str] = "ER"

    def __init__(self, delta: Exact, *, printed: bool = False, sharp: bool = False) -> None:
        if printed and sharp:
            repair = "the paper has the looser constants only"
            raise InvalidValueError(explain("sharp", "False where printed is True", sharp, repair))
        object.__setattr__(self, "delta", _at_least_0(delta, "delta"))
        object.__setattr__(self, "printed", bool(printed))
        object.__setattr__(self, "sharp", bool(sharp))

    def __str__(self) -> str:
        words = ", as printed" if self.printed else ", sharp" if self.sharp else ""
        return f"ER with delta = {readable(self.delta)}{words}"


@dataclass(frozen=True, init=False)
class _ThresholdRule(StoppingRule):
    """A rule with one number, its threshold."""

    threshold: Fraction

    def __init__(self, threshold: Exact) -> None:
        object.__setattr__(self, "threshold", _at_least_0(threshold, "threshold"))

    def __str__(self) -> str:
        return f"{self.symbol} with threshold {readable(self.threshold)}"


@dataclass(frozen=True, init=False)
class FeatureScoreRule(_ThresholdRule):
    """FS: stop when the conditional mutual information of the next feature passes a threshold, in nats.

    Backwards when it is greater than the threshold, and the feature stays; forwards, where the paper says nothing,
    when it is less, and the feature is not added. A threshold that is not exact or below 0 is refused.

    Examples
    --------
    >>> print(FeatureScoreRule("0.05"))
    FS with threshold 1/20
    """

    symbol: ClassVar[str] = "FS"


@dataclass(frozen=True, init=False)
class ScoreDifferenceRule(_ThresholdRule):
    """Delta-FS: stop when the scores of two consecutive features differ by more than a threshold, in nats.

    Backwards when a score exceeds the one before by more, forwards when it falls short of the one before by
    more; the feature with which it happens is not moved. The first step has none before and is always made. A
    threshold that is not exact or below 0 is refused.

    Examples
    --------
    >>> print(ScoreDifferenceRule("0.05"))
    delta-FS with threshold 1/20
    """

    symbol: ClassVar[str] = "delta-FS"


@dataclass(frozen=True)
class FeatureCountRule(StoppingRule):
    """#F: stop when exactly k features are selected.

    What is no integer of at least 0 is refused; so is, where the rule is used, more than the number of features.

    Examples
    --------
    >>> print(FeatureCountRule(2))
    #F with k = 2
    """

    k: int
    symbol: ClassVar[str] = "#F"

    def __init__(self, k: int) -> None:
        object.__setattr__(self, "k", as_index(k, "k"))

    def __str__(self) -> str:
        return f"#F with k = {self.k}"


def require_rule(stop: StoppingRule, features: int) -> StoppingRule:
    """Refuse what is no stopping rule, or asks for more features than there are."""
    if not isinstance(stop, StoppingRule):
        repair = "pass ErrorRule('0.1'), say, or FeatureCountRule(2)"
        raise InvalidTypeError(explain("stop", "a stopping rule", stop, repair))
    if isinstance(stop, FeatureCountRule):
        checked_size(stop.k, features)
    return stop
