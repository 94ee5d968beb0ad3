"""Theorem 2 of Beraha et al.: what removed features cost a linear predictor, by weights and by correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from fstheory._check import Check
from fstheory._exact import readable
from fstheory.bounds.check import compared, split
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.reals.roots import RootSum, sqrt
from fstheory.regression import covariances, linear_regression
from fstheory.subsets import Subset

_WEIGHTS_SOURCE = "Beraha et al. (2019), Theorem 2, first part"


class _Fits(NamedTuple):
    """The mean squared errors without A and with it; for each feature of A its weight and what others leave of it."""

    without: Fraction
    full: Fraction
    weights: list[Fraction]
    left_over: list[Fraction]

    def weighted(self, change: Callable[[Fraction], Fraction] = abs) -> RootSum:
        """Return the sum of abs(w_i) sigma(not A -> X_i), or that of another function of the weights."""
        return sum((change(w) * sqrt(v) for w, v in zip(self.weights, self.left_over, strict=True)), RootSum())


def linear_bound_as_printed(d: JointDistribution, removed: Subset) -> Check:
    """Return the first bound of Theorem 2 as printed, without absolute values: it is false.

    sigma(not A -> Y) <= sigma(X -> Y) + sqrt(size of A) * sum over i in A of w_i sigma(not A -> X_i), where
    sigma(S -> V) is the root of the least mean squared error of a linear predictor of V from S, and w_i are the weights
    of the best linear predictor of Y from all features. `linear_bound` has the absolute values. Source: Beraha et
    al. (2019), Theorem 2.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name

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
    return compared(
        "Theorem 2 as printed",
        "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum w_i sigma(not A -> X_i)",
        sqrt(fits.without),
        sqrt(fits.full) + sqrt(len(fits.weights)) * fits.weighted(Fraction),
        _WEIGHTS_SOURCE,
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} w_i \sigma_{\bar A \to X_i}",
    )


def linear_bound(d: JointDistribution, removed: Subset) -> Check:
    """Return the first bound of Theorem 2, corrected: with the absolute values of the weights.

    sigma(not A -> Y) <= sigma(X -> Y) + sqrt(size of A) * sum over i in A of abs(w_i) sigma(not A -> X_i). It corrects
    Beraha et al. (2019), Theorem 2.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name

    Notes
    -----
    Where the covariance matrix is singular the weights are those of least norm; the bound holds for all best weights.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(linear_bound(JointDistribution([[0, 1], [1, 0]]), {"X1"}))
    Theorem 2: sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum |w_i| sigma(not A -> X_i) holds:
    0.5 <= 0.5, slack 0
    """
    fits = _fits(d, removed)
    return compared(
        "Theorem 2",
        "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum |w_i| sigma(not A -> X_i)",
        sqrt(fits.without),
        sqrt(fits.full) + sqrt(len(fits.weights)) * fits.weighted(),
        f"corrects {_WEIGHTS_SOURCE}",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} |w_i| \sigma_{\bar A \to X_i}",
    )


def linear_bound_sharp(d: JointDistribution, removed: Subset) -> Check:
    """Return a sharper first bound: sigma(not A -> Y)^2 <= sigma(X -> Y)^2 + (sum abs(w_i) sigma(not A -> X_i))^2.

    It needs no factor that grows with A, and adds squares in place of roots; for one removed feature it is an equality.
    It sharpens Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> linear_bound_sharp(JointDistribution([[0, 1], [1, 0]]), {"X1"}).tight
    True
    """
    fits = _fits(d, removed)
    return compared(
        "Theorem 2, sharper",
        "sigma(not A -> Y)^2 <= sigma(X -> Y)^2 + (sum |w_i| sigma(not A -> X_i))^2",
        fits.without,
        fits.full + fits.weighted() ** 2,
        f"sharpens {_WEIGHTS_SOURCE}",
        r"\sigma^2_{\bar A \to Y} \le \sigma^2_{X \to Y} + \Big(\sum_{i \in A} |w_i| \sigma_{\bar A \to X_i}\Big)^2",
    )


def linear_identity(d: JointDistribution, removed: Subset) -> Check:
    """Return what a linear predictor loses exactly: sigma(not A -> Y)^2 = sigma(X -> Y)^2 + w_A' C w_A.

    C is the covariance matrix of what the kept features leave of those removed, and w_A are their weights. It is behind
    Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(linear_identity(gallery.copies(3), {"X1", "X3"}))
    Theorem 2, exact: sigma(not A -> Y)^2 == sigma(X -> Y)^2 + w_A' C w_A holds: 9/100 == 9/100
    """
    fits = _fits(d, removed)
    return compared(
        "Theorem 2, exact",
        "sigma(not A -> Y)^2 == sigma(X -> Y)^2 + w_A' C w_A",
        fits.without,
        fits.full + _quadratic(d, removed, fits.weights),
        f"behind {_WEIGHTS_SOURCE}",
        r"\sigma^2_{\bar A \to Y} = \sigma^2_{X \to Y} + w_A^\top \Sigma_{A|\bar A}\, w_A",
    )


def _fits(d: JointDistribution, removed: Subset) -> _Fits:
    gone, kept = split(d, removed)
    full = linear_regression(d)
    return _Fits(
        linear_regression(d, kept).residual_variance,
        full.residual_variance,
        [full.weights[name] for name in gone],
        [linear_regression(d, kept, target=name).residual_variance for name in gone],
    )


def _quadratic(d: JointDistribution, removed: Subset, weights: Sequence[Fraction]) -> Fraction:
    """Return ``w' C w``, with C = Cov(A) - Cov(A, kept) W' and W the weights that predict A from the kept features."""
    gone, kept = split(d, removed)
    matrix = covariances(d, (*gone, *kept))
    total = Fraction(0)
    for i, name in enumerate(gone):
        explained = linear_regression(d, kept, target=name).weights
        for j in range(len(gone)):
            seen = sum((explained[k] * matrix[len(gone) + at][j] for at, k in enumerate(kept)), Fraction(0))
            total += weights[i] * weights[j] * (matrix[i][j] - seen)
    return total


_CORRELATION_SOURCE = "Beraha et al. (2019), Theorem 2, second part"


def correlation_bound_as_printed(d: JointDistribution, removed: Subset, *, absolute: bool = False) -> Check:
    """Return the second bound of Theorem 2 as printed, under its printed conditions: it is false.

    If the features of A are uncorrelated with each other and those outside A with each other, then sigma(not A -> Y) <=
    sigma(X -> Y) + sqrt(size of A) sigma_Y * sum over i in A of rho(Y, X_i) sqrt(1 - c_i), where c_i is the sum of
    rho(X_i, X_j)^2 over j outside A. It fails without absolute values of rho(Y, X_i), and with them: the weights in its
    proof need features of A that are uncorrelated with those outside A, too. `correlation_bound` asks for that. Source:
    Beraha et al. (2019), Theorem 2.

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name
    absolute : bool
        Put absolute values around rho(Y, X_i).

    Raises
    ------
    InvalidValueError
        Two features that have to be uncorrelated are not.

    Notes
    -----
    The correlation with a constant is taken as 0.

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
    return compared(
        "Theorem 2, by correlations, " + ("as printed except for absolute values" if absolute else "as printed"),
        f"sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sigma_Y sum {rho} sqrt(1 - sum rho(X_i, X_j)^2)",
        sqrt(linear_regression(d, kept).residual_variance),
        sqrt(linear_regression(d).residual_variance) + sqrt(len(gone)) * total,
        _CORRELATION_SOURCE,
    )


def correlation_bound(d: JointDistribution, removed: Subset) -> Check:
    """Return the second bound of Theorem 2, corrected, for features of A that are uncorrelated with all others.

    sigma(not A -> Y) <= sigma(X -> Y) + sigma_Y * sum over i in A of abs(rho(Y, X_i)). Nothing is asked of the
    correlations outside A. It corrects Beraha et al. (2019), Theorem 2; proof in the textbook, "Risk and information".

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name

    Raises
    ------
    InvalidValueError
        A feature of A is correlated with another feature.

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(correlation_bound(gallery.xor(), {"X1"}))
    True
    """
    gone, kept = split(d, removed)
    pairs = _explained(d, gone, kept)
    return compared(
        "Theorem 2, by correlations",
        "sigma(not A -> Y) <= sigma(X -> Y) + sigma_Y sum |rho(Y, X_i)|",
        sqrt(linear_regression(d, kept).residual_variance),
        sqrt(linear_regression(d).residual_variance) + sum((sqrt(square) for square in pairs), RootSum()),
        f"corrects {_CORRELATION_SOURCE}",
        r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sigma_Y \sum_{i \in A} |\rho(Y, X_i)|",
    )


def correlation_identity(d: JointDistribution, removed: Subset) -> Check:
    """Return what a linear predictor loses exactly if the features of A are uncorrelated with all others.

    sigma(not A -> Y)^2 = sigma(X -> Y)^2 + sigma_Y^2 * sum over i in A of rho(Y, X_i)^2. It is behind Beraha et al.
    (2019), Theorem 2; proof in the textbook, "Risk and information".

    Parameters
    ----------
    d : JointDistribution
        All states are exact numbers.
    removed : the features A, an iterable of names or one name

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
    return compared(
        "Theorem 2, by correlations, exact",
        "sigma(not A -> Y)^2 == sigma(X -> Y)^2 + sigma_Y^2 sum rho(Y, X_i)^2",
        linear_regression(d, kept).residual_variance,
        linear_regression(d).residual_variance + sum(pairs, Fraction(0)),
        f"behind {_CORRELATION_SOURCE}",
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
