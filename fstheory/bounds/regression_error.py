"""Theorem 1 of Beraha et al.: what removed features cost the best real-valued predictor, in information."""

from __future__ import annotations

from fractions import Fraction

from fstheory._check import Check
from fstheory._exact import Exact, as_fraction, format_fraction
from fstheory.bounds.check import compared, kept_features
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.information import information_lost
from fstheory.regression import mean_squared_error, numeric_states
from fstheory.subsets import Subset

__all__ = ["regression_bound", "regression_bound_as_printed", "regression_bound_sharp"]

_SOURCE = "Beraha et al. (2019), Theorem 1"


def regression_bound(d: JointDistribution, removed: Subset, *, bound: Exact | None = None) -> Check:
    """Return Theorem 1 on a distribution: the mean squared error without A is at most sigma^2 + 2 B^2 nu(A).

    Predictions may be any real numbers. sigma^2 is the least mean squared error given all features. Source: Beraha et
    al. (2019), Theorem 1.

    Parameters
    ----------
    d : JointDistribution
        The classes are exact numbers; the features may have any states.
    removed : the features A, an iterable of names or one name
    bound : exact number, optional
        B, at least the largest absolute value that Y takes, and that value if not given.

    Raises
    ------
    InvalidValueError
        `bound` is smaller than a value that Y takes, in absolute value.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(regression_bound(gallery.xor(), {"X1"}))
    Theorem 1: MSE(not A) <= sigma^2 + 2 B^2 nu(A) holds: 0.25 <= 1.38629, slack 1.13629
    """
    least = mean_squared_error(d, kept_features(d, removed))
    largest = _largest(d, bound)
    return compared(
        "Theorem 1",
        "MSE(not A) <= sigma^2 + 2 B^2 nu(A)",
        least,
        mean_squared_error(d, d.features) + 2 * largest**2 * information_lost(d, removed),
        _SOURCE,
        r"\mathrm{MSE}(\bar A) \le \sigma^2 + 2 B^2 \nu(A)",
    )


def regression_bound_sharp(d: JointDistribution, removed: Subset) -> Check:
    """Return the sharper Theorem 1: the mean squared error without A is at most sigma^2 + W^2 nu(A) / 2.

    W is the difference of the largest and the smallest value that Y takes, so at most 2 B. The factor 1/2 cannot be
    replaced by a smaller one. It sharpens Beraha et al. (2019), Theorem 1; proof in the textbook, "Risk and
    information".

    Parameters
    ----------
    d : JointDistribution
        The classes are exact numbers; the features may have any states.
    removed : the features A, an iterable of names or one name

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(regression_bound_sharp(gallery.xor(), {"X1"}))
    Theorem 1, sharper: MSE(not A) <= sigma^2 + W^2 nu(A) / 2 holds: 0.25 <= 0.346574, slack 0.0965736
    """
    least = mean_squared_error(d, kept_features(d, removed))
    values = _possible_values(d)
    return compared(
        "Theorem 1, sharper",
        "MSE(not A) <= sigma^2 + W^2 nu(A) / 2",
        least,
        mean_squared_error(d, d.features) + (max(values) - min(values)) ** 2 / 2 * information_lost(d, removed),
        f"sharpens {_SOURCE}",
        r"\mathrm{MSE}(\bar A) \le \sigma^2 + \tfrac12 W^2 \nu(A)",
    )


def regression_bound_as_printed(d: JointDistribution, removed: Subset, *, bound: Exact | None = None) -> Check:
    """Return Theorem 1 word for word, with predictors that take values in the target space: it is false.

    The paper takes the infimum over all functions to the target space, which it allows to be any set of real numbers.
    If that is the set of the classes' labels, the conditional mean is not among them in general, and the proof breaks.
    `regression_bound` is the corrected form, with real-valued predictors. Source: Beraha et al. (2019), Section III-A
    and Theorem 1.

    Parameters
    ----------
    d : JointDistribution
        The classes are exact numbers, and all of them may be predicted.
    removed : the features A, an iterable of names or one name
    bound : exact number, optional
        B, as of `regression_bound`.

    Examples
    --------
    The smallest counterexample is a fair coin, with no feature at all: the best guess among 0 and 1 has the mean
    squared error 1/2, twice the variance.

    >>> from fstheory import JointDistribution
    >>> coin = JointDistribution([1, 1])
    >>> print(regression_bound_as_printed(coin, ()))
    Theorem 1 as printed: inf over g into the target space <= sigma^2 + 2 B^2 nu(A) fails: 0.5 > 0.25, slack -0.25
    >>> print(regression_bound(coin, ()))
    Theorem 1: MSE(not A) <= sigma^2 + 2 B^2 nu(A) holds: 0.25 <= 0.25, slack 0
    """
    kept = kept_features(d, removed)
    largest = _largest(d, bound)
    values = numeric_states(d, d.target)
    marginal = d.marginal(kept)
    least = sum(
        (
            min(sum((w * (y - guess) ** 2 for w, y in zip(cell, values, strict=True)), Fraction(0)) for guess in values)
            for cell in marginal.weights.reshape(-1, len(values)).tolist()
        ),
        Fraction(0),
    )
    return compared(
        "Theorem 1 as printed",
        "inf over g into the target space <= sigma^2 + 2 B^2 nu(A)",
        least / marginal.total,
        mean_squared_error(d, d.features) + 2 * largest**2 * information_lost(d, removed),
        _SOURCE,
        r"\inf_{g: X_{\bar A} \to \mathcal{Y}} E(Y - g)^2 \le \sigma^2 + 2 B^2 \nu(A)",
    )


def _possible_values(d: JointDistribution) -> list[Fraction]:
    """Return the values that Y takes with positive probability."""
    weights = d.marginal(()).weights.tolist()
    return [value for value, weight in zip(numeric_states(d, d.target), weights, strict=True) if weight]


def _largest(d: JointDistribution, bound: Exact | None) -> Fraction:
    """Return B, or refuse one that Y exceeds."""
    least = max(map(abs, _possible_values(d)))
    if bound is None:
        return least
    given = as_fraction(bound, "bound")
    if given < least:
        wanted = f"at least {format_fraction(least)}, the largest |{d.target}|"
        raise InvalidValueError(explain("bound", wanted, bound, "raise it, or leave it out"))
    return given
