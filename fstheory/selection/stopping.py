"""When backward elimination and forward selection by conditional mutual information stop."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from fstheory._display import Shown
from fstheory._rational import Exact, as_fraction, as_index, readable
from fstheory.errors import InvalidTypeError, InvalidValueError, explain

__all__ = ["ErrorRule", "FeatureCountRule", "FeatureScoreRule", "ScoreDifferenceRule", "StoppingRule", "require_rule"]


class StoppingRule(Shown, abc.ABC):
    """A stopping rule of Beraha et al.: `ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule`, `FeatureCountRule`.

    Examples
    --------
    >>> from fstheory.selection import ErrorRule, StoppingRule
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

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `delta` is not exact, or below 0; both `printed` and `sharp` are asked for.

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
    >>> from fstheory.selection import ErrorRule
    >>> print(ErrorRule("1/20"), ErrorRule("0.1", sharp=True), sep="; ")
    ER with delta = 1/20; ER with delta = 1/10, sharp
    """

    delta: Fraction
    printed: bool = False
    sharp: bool = False
    symbol: ClassVar[str] = "ER"

    def __init__(self, delta: Exact, *, printed: bool = False, sharp: bool = False) -> None:
        if printed and sharp:
            raise InvalidValueError(
                explain("sharp", "False where printed is True", sharp, "the paper has the looser constants only")
            )
        object.__setattr__(self, "delta", _threshold(delta, "delta"))
        object.__setattr__(self, "printed", bool(printed))
        object.__setattr__(self, "sharp", bool(sharp))

    def __str__(self) -> str:
        words = ", as printed" if self.printed else ", sharp" if self.sharp else ""
        return f"ER with delta = {readable(self.delta)}{words}"


@dataclass(frozen=True)
class FeatureScoreRule(StoppingRule):
    """FS: stop when the conditional mutual information of the next feature passes a threshold.

    Backwards when it is greater than the threshold, and the feature stays; forwards, where the paper says nothing,
    when it is less, and the feature is not added.

    Parameters
    ----------
    threshold : exact number, at least 0, in nats

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `threshold` is not exact, or below 0.

    Examples
    --------
    >>> from fstheory.selection import FeatureScoreRule
    >>> print(FeatureScoreRule("0.05"))
    FS with threshold 1/20
    """

    threshold: Fraction
    symbol: ClassVar[str] = "FS"

    def __init__(self, threshold: Exact) -> None:
        object.__setattr__(self, "threshold", _threshold(threshold, "threshold"))

    def __str__(self) -> str:
        return f"FS with threshold {readable(self.threshold)}"


@dataclass(frozen=True)
class ScoreDifferenceRule(StoppingRule):
    """Delta-FS: stop when the scores of two consecutive features differ by more than a threshold.

    Backwards when a score exceeds the one before by more, forwards when it falls short of the one before by
    more; the feature with which it happens is not moved. The first step has none before and is always made.

    Parameters
    ----------
    threshold : exact number, at least 0, in nats

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `threshold` is not exact, or below 0.

    Examples
    --------
    >>> from fstheory.selection import ScoreDifferenceRule
    >>> print(ScoreDifferenceRule("0.05"))
    delta-FS with threshold 1/20
    """

    threshold: Fraction
    symbol: ClassVar[str] = "delta-FS"

    def __init__(self, threshold: Exact) -> None:
        object.__setattr__(self, "threshold", _threshold(threshold, "threshold"))

    def __str__(self) -> str:
        return f"delta-FS with threshold {readable(self.threshold)}"


@dataclass(frozen=True)
class FeatureCountRule(StoppingRule):
    """#F: stop when exactly k features are selected.

    Parameters
    ----------
    k : int
        At least 0; when used, at most the number of features.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `k` is no integer of at least 0.

    Examples
    --------
    >>> from fstheory.selection import FeatureCountRule
    >>> print(FeatureCountRule(2))
    #F with k = 2
    """

    k: int
    symbol: ClassVar[str] = "#F"

    def __init__(self, k: int) -> None:
        object.__setattr__(self, "k", as_index(k, "k"))

    def __str__(self) -> str:
        return f"#F with k = {self.k}"


def _threshold(value: Exact, argument: str) -> Fraction:
    """Return a threshold, or refuse it."""
    number = as_fraction(value, argument)
    if number < 0:
        raise InvalidValueError(explain(argument, "at least 0", value, "pass 0 to give up nothing"))
    return number


def require_rule(stop: StoppingRule, features: int) -> StoppingRule:
    """Refuse what is no stopping rule, or asks for more features than there are."""
    if not isinstance(stop, StoppingRule):
        raise InvalidTypeError(
            explain("stop", "a stopping rule", stop, "pass ErrorRule('0.1'), say, or FeatureCountRule(2)")
        )
    if isinstance(stop, FeatureCountRule) and stop.k > features:
        raise InvalidValueError(
            explain("k", f"between 0 and {features}, the number of features", stop.k, "pass a smaller k")
        )
    return stop
