"""Theorem 2 of Beraha et al., second part: the same by correlations, for features that are not correlated."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fstheory._rational import readable
from fstheory.bounds.check import BoundCheck
from fstheory.bounds.features import split
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.regression import covariances, linear_regression
from fstheory.rootsum import RootSum, sqrt
from fstheory.subsets import Subset

__all__ = ["correlation_bound", "correlation_bound_as_printed", "correlation_identity"]

_SOURCE = "Beraha et al. (2019), Theorem 2, second part"


def correlation_bound_as_printed(d: JointDistribution, removed: Subset, *, absolute: bool = False) -> BoundCheck:
    """Return the second bound of Theorem 2 as printed, under its printed conditions: it is false.

    If the features of A are uncorrelated with each other and those outside A with each other, then
    sigma(not A -> Y) <= sigma(X -> Y) + sqrt(size of A) sigma_Y * sum over i in A of rho(Y, X_i) sqrt(1 - c_i), where
    c_i is the sum of rho(X_i, X_j)^2 over j outside A. It fails without absolute values of rho(Y, X_i), and with them:
    the weights in its proof need features of A that are uncorrelated with those outside A, too. `correlation_bound`
    asks for that.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.
    absolute : bool
        Put absolute values around rho(Y, X_i).

    Raises
    ------
    InvalidValueError
        Two features that have to be uncorrelated are not.
    InvalidTypeError, InvalidFormatError
        A state is no exact number.
    InvalidTypeError, InvalidValueError, UnknownNameError
        `removed` is not a subset of the features, by name.

    Notes
    -----
    The correlation with a constant is taken as 0.

    References
    ----------
    Beraha et al. (2019), Theorem 2.

    Examples
    --------
    Without absolute values, Y = 1 - X1 for a fair coin:

    >>> from fstheory import JointDistribution
    >>> correlation_bound_as_printed(JointDistribution([[0, 1], [1, 0]]), {"X1"}).holds
    False

    With them, the smallest counterexample has three people, (X1, X2) = (0, 1), (1, 0) and (1, 1), and
    Y = 2 - X1 - X2. Each feature is worth more beside the other than its own correlation with Y tells.

    >>> d = JointDistribution([[[0, 0], [0, 1]], [[0, 1], [1, 0]]])
    >>> check = correlation_bound_as_printed(d, {"X1"}, absolute=True)
    >>> check.holds, check.left**2, check.right**2
    (False, RootSum([], '1/6'), RootSum([], '1/24'))
    """
    gone, kept = split(d, removed)
    _require_uncorrelated(d, [(a, b) for names in (gone, kept) for a in names for b in names if a < b])
    matrix = covariances(d, (*gone, *kept))
    with_target = covariances(d, (*gone, d.target))
    total = RootSum()
    for i in range(len(gone)):
        if variance := matrix[i][i]:
            others = range(len(gone), len(gone) + len(kept))
            seen = sum((matrix[i][j] ** 2 / matrix[j][j] for j in others if matrix[j][j]), Fraction(0))
            covariance = with_target[i][-1]  # sigma_Y rho(Y, X_i) is Cov(Y, X_i) / sigma_i
            total += (abs(covariance) if absolute else covariance) * sqrt((1 - seen / variance) / variance)
    rho = "|rho(Y, X_i)|" if absolute else "rho(Y, X_i)"
    return BoundCheck(
        "Theorem 2, by correlations, " + ("as printed except for absolute values" if absolute else "as printed"),
        f"sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sigma_Y sum {rho} sqrt(1 - sum rho(X_i, X_j)^2)",
        sqrt(linear_regression(d, kept).residual_variance),
        sqrt(linear_regression(d).residual_variance) + sqrt(len(gone)) * total,
        _SOURCE,
    )


def correlation_bound(d: JointDistribution, removed: Subset) -> BoundCheck:
    """Return the second bound of Theorem 2, corrected, for features of A that are uncorrelated with all others.

    sigma(not A -> Y) <= sigma(X -> Y) + sigma_Y * sum over i in A of abs(rho(Y, X_i)). Nothing is asked of the
    correlations outside A.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.

    Raises
    ------
    InvalidValueError
        A feature of A is correlated with another feature.
    InvalidTypeError, InvalidFormatError
        A state is no exact number.
    InvalidTypeError, InvalidValueError, UnknownNameError
        `removed` is not a subset of the features, by name.

    References
    ----------
    Corrects Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(correlation_bound(gallery.xor(), {"X1"}))
    True
    """
    gone, kept = split(d, removed)
    pairs = _explained(d, gone, kept)
    return BoundCheck(
        "Theorem 2, by correlations",
        "sigma(not A -> Y) <= sigma(X -> Y) + sigma_Y sum |rho(Y, X_i)|",
        sqrt(linear_regression(d, kept).residual_variance),
        sqrt(linear_regression(d).residual_variance) + sum((sqrt(square) for square in pairs), RootSum()),
        f"corrects {_SOURCE}",
        latex=r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sigma_Y \sum_{i \in A} |\rho(Y, X_i)|",
    )


def correlation_identity(d: JointDistribution, removed: Subset) -> BoundCheck:
    """Return what a linear predictor loses exactly if the features of A are uncorrelated with all others.

    sigma(not A -> Y)^2 = sigma(X -> Y)^2 + sigma_Y^2 * sum over i in A of rho(Y, X_i)^2.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : iterable of feature names
        The features A.

    Raises
    ------
    InvalidTypeError, InvalidFormatError, InvalidValueError, UnknownNameError
        As of `correlation_bound`.

    References
    ----------
    Behind Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> check = correlation_identity(JointDistribution([[[3, 1], [2, 2]], [[2, 2], [1, 3]]]), {"X1"})
    >>> print(check)
    Theorem 2, by correlations, exact: sigma(not A -> Y)^2 == sigma(X -> Y)^2 + sigma_Y^2 sum rho(Y, X_i)^2 holds:
    15/64 == 15/64
    """
    gone, kept = split(d, removed)
    pairs = _explained(d, gone, kept)
    return BoundCheck(
        "Theorem 2, by correlations, exact",
        "sigma(not A -> Y)^2 == sigma(X -> Y)^2 + sigma_Y^2 sum rho(Y, X_i)^2",
        linear_regression(d, kept).residual_variance,
        linear_regression(d).residual_variance + sum(pairs, Fraction(0)),
        f"behind {_SOURCE}",
        "==",
        r"\sigma^2_{\bar A \to Y} = \sigma^2_{X \to Y} + \sigma_Y^2 \sum_{i \in A} \rho(Y, X_i)^2",
    )


def _explained(d: JointDistribution, gone: tuple[str, ...], kept: tuple[str, ...]) -> list[Fraction]:
    """Return ``sigma_Y^2 rho(Y, X_i)^2`` for the features of A, which are uncorrelated with all others."""
    _require_uncorrelated(d, [(a, b) for a in gone for b in (*gone, *kept) if b in kept or a < b])
    matrix = covariances(d, (*gone, d.target))
    return [matrix[i][-1] ** 2 / matrix[i][i] for i in range(len(gone)) if matrix[i][i]]


def _require_uncorrelated(d: JointDistribution, pairs: Iterable[tuple[str, str]]) -> None:
    for first, second in pairs:
        covariance = covariances(d, (first, second))[0][1]
        if covariance:
            raise InvalidValueError(
                f"removed must leave features uncorrelated as the bound requires, but {first!r} and "
                f"{second!r} have the covariance {readable(covariance)}; use linear_bound, which has no such condition"
            )
