"""Theorem 2 of Beraha et al., first part: what removed features cost a linear predictor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fstheory.bounds.check import BoundCheck
from fstheory.bounds.features import split
from fstheory.distribution import JointDistribution
from fstheory.regression import covariances, linear_regression
from fstheory.rootsum import RootSum, sqrt
from fstheory.subsets import Subset

__all__ = ["linear_bound", "linear_bound_as_printed", "linear_bound_sharp", "linear_identity"]

_SOURCE = "Beraha et al. (2019), Theorem 2, first part"


@dataclass(frozen=True)
class _Fits:
    """The mean squared errors with and without A, and for each feature of A its weight and what others leave of it."""

    without: Fraction
    full: Fraction
    weights: tuple[Fraction, ...]
    left_over: tuple[Fraction, ...]


def linear_bound_as_printed(d: JointDistribution, removed: Subset) -> BoundCheck:
    """Return the first bound of Theorem 2 as printed, without absolute values: it is false.

    sigma(not A -> Y) <= sigma(X -> Y) + sqrt(size of A) * sum over i in A of w_i sigma(not A -> X_i), where
    sigma(S -> V) is the root of the least mean squared error of a linear predictor of V from S, and w_i are the weights
    of the best linear predictor of Y from all features. `linear_bound` has the absolute values.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.

    Raises
    ------
    InvalidTypeError, InvalidFormatError
        A state is no exact number.
    InvalidTypeError, InvalidValueError, UnknownNameError
        `removed` is not a subset of the features, by name.

    References
    ----------
    Beraha et al. (2019), Theorem 2.

    Examples
    --------
    The smallest counterexample is Y = 1 - X1 for a fair coin X1: the weight is -1, and the bound negative.

    >>> from fstheory import JointDistribution
    >>> d = JointDistribution([[0, 1], [1, 0]])
    >>> print(linear_bound_as_printed(d, {"X1"}))
    Theorem 2 as printed: sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum w_i sigma(not A -> X_i) fails:
    0.5 > -0.5, slack -1
    >>> linear_bound(d, {"X1"}).tight
    True
    """
    fits = _fits(d, removed)
    return BoundCheck(
        "Theorem 2 as printed",
        "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum w_i sigma(not A -> X_i)",
        sqrt(fits.without),
        sqrt(fits.full) + sqrt(len(fits.weights)) * _weighted(fits.weights, fits.left_over),
        _SOURCE,
        latex=r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y}"
        r" + \sqrt{|A|} \sum_{i \in A} w_i \sigma_{\bar A \to X_i}",
    )


def linear_bound(d: JointDistribution, removed: Subset) -> BoundCheck:
    """Return the first bound of Theorem 2, corrected: with the absolute values of the weights.

    sigma(not A -> Y) <= sigma(X -> Y) + sqrt(size of A) * sum over i in A of abs(w_i) sigma(not A -> X_i).

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.

    Raises
    ------
    InvalidTypeError, InvalidFormatError, InvalidValueError, UnknownNameError
        As of `linear_bound_as_printed`.

    Notes
    -----
    Where the covariance matrix is singular the weights are those of least norm; the bound holds for all best weights.

    References
    ----------
    Corrects Beraha et al. (2019), Theorem 2.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(linear_bound(JointDistribution([[0, 1], [1, 0]]), {"X1"}))
    Theorem 2: sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum |w_i| sigma(not A -> X_i) holds:
    0.5 <= 0.5, slack 0
    """
    fits = _fits(d, removed)
    return BoundCheck(
        "Theorem 2",
        "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum |w_i| sigma(not A -> X_i)",
        sqrt(fits.without),
        sqrt(fits.full) + sqrt(len(fits.weights)) * _weighted(_absolute(fits.weights), fits.left_over),
        f"corrects {_SOURCE}",
        latex=r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y}"
        r" + \sqrt{|A|} \sum_{i \in A} |w_i| \sigma_{\bar A \to X_i}",
    )


def linear_bound_sharp(d: JointDistribution, removed: Subset) -> BoundCheck:
    """Return a sharper first bound: sigma(not A -> Y)^2 <= sigma(X -> Y)^2 + (sum abs(w_i) sigma(not A -> X_i))^2.

    It needs no factor that grows with A, and adds squares in place of roots; for one removed feature it is an equality.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.

    Raises
    ------
    InvalidTypeError, InvalidFormatError, InvalidValueError, UnknownNameError
        As of `linear_bound_as_printed`.

    References
    ----------
    Sharpens Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> linear_bound_sharp(JointDistribution([[0, 1], [1, 0]]), {"X1"}).tight
    True
    """
    fits = _fits(d, removed)
    return BoundCheck(
        "Theorem 2, sharper",
        "sigma(not A -> Y)^2 <= sigma(X -> Y)^2 + (sum |w_i| sigma(not A -> X_i))^2",
        fits.without,
        fits.full + _weighted(_absolute(fits.weights), fits.left_over) ** 2,
        f"sharpens {_SOURCE}",
        latex=r"\sigma^2_{\bar A \to Y} \le \sigma^2_{X \to Y}"
        r" + \Big(\sum_{i \in A} |w_i| \sigma_{\bar A \to X_i}\Big)^2",
    )


def linear_identity(d: JointDistribution, removed: Subset) -> BoundCheck:
    """Return what a linear predictor loses exactly: sigma(not A -> Y)^2 = sigma(X -> Y)^2 + w_A' C w_A.

    C is the covariance matrix of what the kept features leave of those removed, and w_A are their weights.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.

    Raises
    ------
    InvalidTypeError, InvalidFormatError, InvalidValueError, UnknownNameError
        As of `linear_bound_as_printed`.

    References
    ----------
    Behind Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(linear_identity(gallery.copies(3), {"X1", "X3"}))
    Theorem 2, exact: sigma(not A -> Y)^2 == sigma(X -> Y)^2 + w_A' C w_A holds: 9/100 == 9/100
    """
    gone, kept = split(d, removed)
    fits = _fits(d, removed)
    return BoundCheck(
        "Theorem 2, exact",
        "sigma(not A -> Y)^2 == sigma(X -> Y)^2 + w_A' C w_A",
        fits.without,
        fits.full + _quadratic(d, gone, kept, fits.weights),
        f"behind {_SOURCE}",
        "==",
        r"\sigma^2_{\bar A \to Y} = \sigma^2_{X \to Y} + w_A^\top \Sigma_{A|\bar A}\, w_A",
    )


def _fits(d: JointDistribution, removed: Subset) -> _Fits:
    gone, kept = split(d, removed)
    full = linear_regression(d)
    return _Fits(
        linear_regression(d, kept).residual_variance,
        full.residual_variance,
        tuple(full.weights[name] for name in gone),
        tuple(linear_regression(d, kept, target=name).residual_variance for name in gone),
    )


def _absolute(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the absolute values."""
    return tuple(map(abs, values))


def _weighted(weights: Sequence[Fraction], variances: Sequence[Fraction]) -> RootSum:
    """Return the sum of ``w_i * sqrt(v_i)``."""
    return sum((w * sqrt(v) for w, v in zip(weights, variances, strict=True)), RootSum())


def _quadratic(
    d: JointDistribution, gone: tuple[str, ...], kept: tuple[str, ...], weights: tuple[Fraction, ...]
) -> Fraction:
    """Return ``w' C w``, with C = Cov(A) - Cov(A, kept) W' and W the weights that predict A from the kept features."""
    matrix = covariances(d, (*gone, *kept))
    total = Fraction(0)
    for i, name in enumerate(gone):
        explained = linear_regression(d, kept, target=name).weights
        for j in range(len(gone)):
            seen = sum((explained[k] * matrix[len(gone) + at][j] for at, k in enumerate(kept)), Fraction(0))
            total += weights[i] * weights[j] * (matrix[i][j] - seen)
    return total
