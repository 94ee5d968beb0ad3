r"""Bounds on the cost of removing features, each a theorem of which both sides are evaluated exactly on a distribution.

A features A are removed; nu(A) = I(Y; A | the rest) is the information lost with them, R the Bayes risk,
sigma(S -> V) the root of the least mean squared error of a linear predictor of V from S, w_i the weights of the best
linear predictor of Y. Proofs of what sharpens or corrects the papers are in the textbook, "Risk and information".

Each function returns the two sides; `bound` says once what they are called, how they are compared and where that is
stated, makes a `Check` of them, and enters the function into `BOUNDS`. That the bounds are not read off the ledger's
claims is a matter of time: the claims, evaluated as terms, take 2.6 to 6.6 times as long.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, ParamSpec, TypeAlias

from fstheory._support.exact import Exact, as_fraction, exact_text, to_text
from fstheory._support.result import Check
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, as_names, explain, require
from fstheory.lattice.subsets import Subset, indices_of, mask_of
from fstheory.measures.divergence import (
    expected_total_variation,
    kl_divergence,
    least_information,
    total_variation_distance,
)
from fstheory.measures.information import (
    conditional_entropy,
    conditional_mutual_information,
    information_lost,
    mutual_information,
)
from fstheory.measures.regression import covariances, linear_regression, mean_squared_error, numeric_states
from fstheory.measures.risk import bayes_risk
from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt

__all__ = [
    "chain_rule", "classification_bound", "classification_bound_by_information",
    "classification_bound_by_variation", "classification_bound_sharp", "correlation_bound",
    "correlation_bound_as_printed", "correlation_identity", "elimination_identity", "fano_bound",
    "hellman_raviv_bound", "information_identity", "least_information", "linear_bound", "linear_bound_as_printed",
    "linear_bound_sharp", "linear_identity", "pinsker_bound", "regression_bound", "regression_bound_as_printed",
    "regression_bound_sharp",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__


Side: TypeAlias = Fraction | LogSum | RootSum | ShiftedRoot
P = ParamSpec("P")

BOUNDS: dict[str, Callable[[JointDistribution, Subset], Check]] = {}
"""Those about removed features, by the names that the command line has for them."""

BERAHA = "Beraha et al. (2019)"
_REMOVED = """

Parameters
----------
d : JointDistribution
removed : the features A, an iterable of names or one name"""


def bound(
    name: str, statement: str, latex: str, source: str, *, known_as: str = "", arguments: str = _REMOVED
) -> Callable[[Callable[P, tuple[Side, Side]]], Callable[P, Check]]:
    """Make a function that returns two sides return their `Check`; its docstring tells the statement and the source."""

    def made(sides: Callable[P, tuple[Side, Side]]) -> Callable[P, Check]:
        @functools.wraps(sides)
        def check(*args: P.args, **options: P.kwargs) -> Check:
            return compared(name, statement, latex, source, *sides(*args, **options))

        text, examples, shown = (sides.__doc__ or "").partition("\n\n    Examples")
        check.__doc__ = f"{text}\n\n``{statement}``. Source: {source}.{arguments}{examples}{shown}"
        if known_as:
            BOUNDS[known_as] = check  # type: ignore[assignment]
        return check

    return made


def compared(name: str, statement: str, latex: str, source: str, left: Side, right: Side) -> Check:
    """Decide a statement of the form ``a <= b`` or ``a == b``, given the values of its two sides."""
    equal = " == " in statement
    holds = bool(left == right if equal else left <= right)
    claimed = {"name": name, "source": source, "relation": "==" if equal else "<=", "latex": latex}
    return Check(statement, holds, left=left, right=right, **claimed)  # type: ignore[arg-type]


def split(d: JointDistribution, removed: Subset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the removed features and of the kept ones, each in order."""
    require_distribution(d)
    mask = mask_of(removed, d.features, "removed")
    every = (1 << len(d.features)) - 1
    gone, kept = (tuple(d.features[i] for i in indices_of(m)) for m in (mask, every & ~mask))
    return gone, kept


def _kept(d: JointDistribution, removed: Subset) -> tuple[str, ...]:
    return split(d, removed)[1]


# Theorem 1: what removed features cost the best real-valued predictor, in information


@bound("Theorem 1", "MSE(not A) <= sigma^2 + 2 B^2 nu(A)", r"\mathrm{MSE}(\bar A) \le \sigma^2 + 2 B^2 \nu(A)",
       f"{BERAHA}, Theorem 1", known_as="theorem-1")  # fmt: skip
def regression_bound(d: JointDistribution, removed: Subset, *, bound: Exact | None = None) -> tuple[Side, Side]:
    """Return Theorem 1, for predictions that may be any real numbers.

    sigma^2 is the least mean squared error given all features; `bound` is B, at least the largest absolute value that Y
    takes, and that value if not given.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(regression_bound(gallery.xor(), {"X1"}))
    Theorem 1: MSE(not A) <= sigma^2 + 2 B^2 nu(A) holds: 0.25 <= 1.38629, slack 1.13629
    """
    return mean_squared_error(d, _kept(d, removed)), _by_largest(d, removed, bound)


@bound("Theorem 1 as printed", "inf over g into the target space <= sigma^2 + 2 B^2 nu(A)",
       r"\inf_{g: X_{\bar A} \to \mathcal{Y}} E(Y - g)^2 \le \sigma^2 + 2 B^2 \nu(A)",
       f"{BERAHA}, Section III-A and Theorem 1", known_as="theorem-1-as-printed")  # fmt: skip
def regression_bound_as_printed(
    d: JointDistribution, removed: Subset, *, bound: Exact | None = None
) -> tuple[Side, Side]:
    """Return Theorem 1 word for word, with predictors that take values in the target space: it is false.

    If the target space is the set of the classes' labels, the conditional mean is not in it in general, and the proof
    breaks. `regression_bound` is the corrected form.

    Examples
    --------
    The smallest counterexample is a fair coin, with no feature at all: the best guess among 0 and 1 has the mean
    squared error 1/2, twice the variance.

    >>> from fstheory import JointDistribution
    >>> print(regression_bound_as_printed(JointDistribution([1, 1]), ()))
    Theorem 1 as printed: inf over g into the target space <= sigma^2 + 2 B^2 nu(A) fails: 0.5 > 0.25, slack -0.25
    """
    kept = _kept(d, removed)
    values, marginal = numeric_states(d, d.target), d.marginal(kept)
    cells = marginal.weights.reshape(-1, len(values)).tolist()
    least = sum(
        (
            min(sum((w * (y - guess) ** 2 for w, y in zip(cell, values, strict=True)), Fraction(0)) for guess in values)
            for cell in cells
        ),
        Fraction(0),
    )
    return least / marginal.total, _by_largest(d, removed, bound)


@bound("Theorem 1, sharper", "MSE(not A) <= sigma^2 + W^2 nu(A) / 2",
       r"\mathrm{MSE}(\bar A) \le \sigma^2 + \tfrac12 W^2 \nu(A)", f"sharpens {BERAHA}, Theorem 1",
       known_as="theorem-1-sharp")  # fmt: skip
def regression_bound_sharp(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the sharper Theorem 1: W is the largest value that Y takes less the smallest, so at most 2 B.

    The factor 1/2 cannot be replaced by a smaller one.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(regression_bound_sharp(gallery.xor(), {"X1"}))
    Theorem 1, sharper: MSE(not A) <= sigma^2 + W^2 nu(A) / 2 holds: 0.25 <= 0.346574, slack 0.0965736
    """
    kept, values = _kept(d, removed), _possible_values(d)
    lost = (max(values) - min(values)) ** 2 / 2 * information_lost(d, removed)
    return mean_squared_error(d, kept), mean_squared_error(d, d.features) + lost


def _possible_values(d: JointDistribution) -> list[Fraction]:
    """Return the values that Y takes with positive probability."""
    weights = d.marginal(()).weights.tolist()
    return [value for value, weight in zip(numeric_states(d, d.target), weights, strict=True) if weight]


def _by_largest(d: JointDistribution, removed: Subset, bound: Exact | None) -> Side:
    """Return ``sigma^2 + 2 B^2 nu(A)``; a B that Y exceeds is refused."""
    largest = least = max(map(abs, _possible_values(d)))
    if bound is not None:
        largest, wanted = as_fraction(bound, "bound"), f"at least {exact_text(least)}, the largest |{d.target}|"
        require(largest >= least, "bound", wanted, bound, "raise it, or leave it out")
    return mean_squared_error(d, d.features) + 2 * largest**2 * information_lost(d, removed)


# Theorem 2: what they cost a linear predictor, by weights


class _Fits(NamedTuple):
    """The mean squared errors without A and with it; for each feature of A its weight and what others leave of it."""

    without: Fraction
    full: Fraction
    weights: list[Fraction]
    left_over: list[Fraction]

    def weighted(self, change: Callable[[Fraction], Fraction] = abs) -> RootSum:
        """Return the sum of abs(w_i) sigma(not A -> X_i), or that of another function of the weights."""
        return sum((change(w) * sqrt(v) for w, v in zip(self.weights, self.left_over, strict=True)), RootSum())


def _fits(d: JointDistribution, removed: Subset) -> _Fits:
    gone, kept = split(d, removed)
    full = linear_regression(d)
    left_over = [linear_regression(d, kept, target=name).residual_variance for name in gone]
    without = linear_regression(d, kept).residual_variance
    return _Fits(without, full.residual_variance, [full.weights[name] for name in gone], left_over)


@bound("Theorem 2", "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum |w_i| sigma(not A -> X_i)",
       r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} |w_i| \sigma_{\bar A \to X_i}",
       f"corrects {BERAHA}, Theorem 2, first part", known_as="theorem-2")  # fmt: skip
def linear_bound(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the first bound of Theorem 2, corrected: with the absolute values of the weights.

    Where the covariance matrix is singular the weights are those of least norm; the bound holds for all best weights.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(linear_bound(JointDistribution([[0, 1], [1, 0]]), {"X1"}))
    Theorem 2: sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum |w_i| sigma(not A -> X_i) holds:
    0.5 <= 0.5, slack 0
    """
    fits = _fits(d, removed)
    return sqrt(fits.without), sqrt(fits.full) + sqrt(len(fits.weights)) * fits.weighted()


@bound("Theorem 2 as printed", "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sum w_i sigma(not A -> X_i)",
       r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sqrt{|A|} \sum_{i \in A} w_i \sigma_{\bar A \to X_i}",
       f"{BERAHA}, Theorem 2, first part", known_as="theorem-2-as-printed")  # fmt: skip
def linear_bound_as_printed(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the first bound of Theorem 2 as printed, without absolute values: it is false.

    Examples
    --------
    The smallest counterexample is Y = 1 - X1 for a fair coin X1: the weight is -1, and the bound negative.

    >>> from fstheory import JointDistribution
    >>> d = JointDistribution([[0, 1], [1, 0]])
    >>> linear_bound_as_printed(d, {"X1"}).holds, linear_bound(d, {"X1"}).tight
    (False, True)
    """
    fits = _fits(d, removed)
    return sqrt(fits.without), sqrt(fits.full) + sqrt(len(fits.weights)) * fits.weighted(Fraction)


@bound("Theorem 2, sharper", "sigma(not A -> Y)^2 <= sigma(X -> Y)^2 + (sum |w_i| sigma(not A -> X_i))^2",
       r"\sigma^2_{\bar A \to Y} \le \sigma^2_{X \to Y} + \Big(\sum_{i \in A} |w_i| \sigma_{\bar A \to X_i}\Big)^2",
       f"sharpens {BERAHA}, Theorem 2, first part", known_as="theorem-2-sharp")  # fmt: skip
def linear_bound_sharp(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return a sharper first bound, without a factor that grows with A; for one removed feature it is an equality.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> linear_bound_sharp(JointDistribution([[0, 1], [1, 0]]), {"X1"}).tight
    True
    """
    fits = _fits(d, removed)
    return fits.without, fits.full + fits.weighted() ** 2


@bound("Theorem 2, exact", "sigma(not A -> Y)^2 == sigma(X -> Y)^2 + w_A' C w_A",
       r"\sigma^2_{\bar A \to Y} = \sigma^2_{X \to Y} + w_A^\top \Sigma_{A|\bar A}\, w_A",
       f"behind {BERAHA}, Theorem 2, first part", known_as="theorem-2-exact")  # fmt: skip
def linear_identity(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return what a linear predictor loses exactly: C are the covariances of what the kept features leave of A.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(linear_identity(gallery.copies(3), {"X1", "X3"}))
    Theorem 2, exact: sigma(not A -> Y)^2 == sigma(X -> Y)^2 + w_A' C w_A holds: 9/100 == 9/100
    """
    gone, kept = split(d, removed)
    fits, matrix = _fits(d, removed), covariances(d, (*gone, *kept))
    total = fits.full
    for i, name in enumerate(gone):  # C = Cov(A) - Cov(A, kept) W', W the weights that predict A from the kept features
        explained = linear_regression(d, kept, target=name).weights
        for j in range(len(gone)):
            seen = sum((explained[k] * matrix[len(gone) + at][j] for at, k in enumerate(kept)), Fraction(0))
            total += fits.weights[i] * fits.weights[j] * (matrix[i][j] - seen)
    return fits.without, total


# Theorem 2, by correlations


@bound("Theorem 2, by correlations", "sigma(not A -> Y) <= sigma(X -> Y) + sigma_Y sum |rho(Y, X_i)|",
       r"\sigma_{\bar A \to Y} \le \sigma_{X \to Y} + \sigma_Y \sum_{i \in A} |\rho(Y, X_i)|",
       f"corrects {BERAHA}, Theorem 2, second part", known_as="correlations")  # fmt: skip
def correlation_bound(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the second bound of Theorem 2, corrected, for features of A that are uncorrelated with all others.

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(correlation_bound(gallery.xor(), {"X1"}))
    True
    """
    without, full, squares = _explained(d, removed)
    return sqrt(without), sqrt(full) + sum((sqrt(square) for square in squares), RootSum())


@bound("Theorem 2, by correlations, as printed",
       "sigma(not A -> Y) <= sigma(X -> Y) + sqrt|A| sigma_Y sum rho(Y, X_i) sqrt(1 - sum rho(X_i, X_j)^2)",
       "", f"{BERAHA}, Theorem 2, second part", known_as="correlations-as-printed")  # fmt: skip
def correlation_bound_as_printed(d: JointDistribution, removed: Subset, *, absolute: bool = False) -> tuple[Side, Side]:
    """Return the second bound of Theorem 2 under its printed conditions: it is false.

    They are that the features of A are uncorrelated with each other, and those outside A with each other. It fails
    also with `absolute` values of rho(Y, X_i): the weights in its proof need features of A that are uncorrelated with
    those outside A, too. `correlation_bound` asks for that. The correlation with a constant is taken as 0.

    Examples
    --------
    Without absolute values it fails for Y = 1 - X1 of a fair coin. With them, the smallest counterexample has three
    people, (X1, X2) = (0, 1), (1, 0) and (1, 1), and Y = 2 - X1 - X2: each feature says more beside the other than its
    own correlation with Y tells.

    >>> from fstheory import JointDistribution
    >>> d = JointDistribution([[[0, 0], [0, 1]], [[0, 1], [1, 0]]])
    >>> check = correlation_bound_as_printed(d, {"X1"}, absolute=True)
    >>> check.holds, check.left**2, check.right**2
    (False, RootSum([], '1/6'), RootSum([], '1/24'))
    """
    gone, kept = split(d, removed)
    _require_uncorrelated(d, [(a, b) for names in (gone, kept) for a in names for b in names if a < b])
    matrix, with_target = covariances(d, (*gone, *kept)), covariances(d, (*gone, d.target))
    total = RootSum()
    for i in range(len(gone)):
        if variance := matrix[i][i]:
            others = range(len(gone), len(gone) + len(kept))
            seen = sum((matrix[i][j] ** 2 / matrix[j][j] for j in others if matrix[j][j]), Fraction(0))
            covariance = with_target[i][-1]  # sigma_Y rho(Y, X_i) is Cov(Y, X_i) / sigma_i
            total += (abs(covariance) if absolute else covariance) * sqrt((1 - seen / variance) / variance)
    full = sqrt(linear_regression(d).residual_variance)
    return sqrt(linear_regression(d, kept).residual_variance), full + sqrt(len(gone)) * total


@bound("Theorem 2, by correlations, exact", "sigma(not A -> Y)^2 == sigma(X -> Y)^2 + sigma_Y^2 sum rho(Y, X_i)^2",
       r"\sigma^2_{\bar A \to Y} = \sigma^2_{X \to Y} + \sigma_Y^2 \sum_{i \in A} \rho(Y, X_i)^2",
       f"behind {BERAHA}, Theorem 2, second part", known_as="correlations-exact")  # fmt: skip
def correlation_identity(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return what a linear predictor loses exactly if the features of A are uncorrelated with all others.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> correlation_identity(JointDistribution([[[3, 1], [2, 2]], [[2, 2], [1, 3]]]), {"X1"}).right
    Fraction(15, 64)
    """
    without, full, squares = _explained(d, removed)
    return without, full + sum(squares, Fraction(0))


def _explained(d: JointDistribution, removed: Subset) -> tuple[Fraction, Fraction, list[Fraction]]:
    """Return the errors without A and with it, and ``sigma_Y^2 rho(Y, X_i)^2`` for the features of A."""
    gone, kept = split(d, removed)
    _require_uncorrelated(d, [(a, b) for a in gone for b in (*gone, *kept) if b in kept or a < b])
    matrix = covariances(d, (*gone, d.target))
    squares = [matrix[i][-1] ** 2 / matrix[i][i] for i in range(len(gone)) if matrix[i][i]]
    return linear_regression(d, kept).residual_variance, linear_regression(d).residual_variance, squares


def _require_uncorrelated(d: JointDistribution, pairs: Iterable[tuple[str, str]]) -> None:
    for first, second in pairs:
        if covariance := covariances(d, (first, second))[0][1]:
            raise InvalidValueError(
                f"removed must leave features uncorrelated as the bound requires, but {first!r} and "
                f"{second!r} have the covariance {to_text(covariance, 0)}; use linear_bound, which asks for none"
            )


# Theorem 3: what they cost the Bayes classifier, in information


@bound("Theorem 3", "R(not A) <= R(X) + sqrt(2 nu(A))", r"R(\bar A) \le R(X) + \sqrt{2 \nu(A)}",
       f"{BERAHA}, Theorem 3", known_as="theorem-3")  # fmt: skip
def classification_bound(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return Theorem 3 as printed. It holds, and is not sharp.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(classification_bound(gallery.xor(), {"X1"}))
    Theorem 3: R(not A) <= R(X) + sqrt(2 nu(A)) holds: 0.5 <= 1.17741, slack 0.677410
    """
    least, most = _risks(d, removed)
    return most, ShiftedRoot(least, 2 * information_lost(d, removed))


@bound("Theorem 3, sharper", "R(not A) <= R(X) + sqrt(nu(A) / 2)", r"R(\bar A) \le R(X) + \sqrt{\tfrac12 \nu(A)}",
       f"sharpens {BERAHA}, Theorem 3", known_as="theorem-3-sharp")  # fmt: skip
def classification_bound_sharp(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the sharper Theorem 3, half of what is printed: the constant 1/2 under the root is the best possible.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(classification_bound_sharp(gallery.xor(), {"X1"}))
    Theorem 3, sharper: R(not A) <= R(X) + sqrt(nu(A) / 2) holds: 0.5 <= 0.588705, slack 0.0887050
    """
    least, most = _risks(d, removed)
    return most, ShiftedRoot(least, information_lost(d, removed) / 2)


@bound("Theorem 3, by total variation", "R(not A) <= R(X) + E TV(p(Y|X), p(Y|not A))",
       r"R(\bar A) \le R(X) + E\, \mathrm{TV}(p(Y|X), p(Y|X_{\bar A}))",
       f"sharpens the proof of {BERAHA}, Theorem 3", known_as="theorem-3-variation")  # fmt: skip
def classification_bound_by_variation(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the step before Pinsker's inequality; the middle of the printed proof has twice this distance.

    Examples
    --------
    >>> from fstheory import gallery
    >>> classification_bound_by_variation(gallery.xor(), {"X1"}).tight
    True
    """
    least, most = _risks(d, removed)
    return most, least + expected_total_variation(d, removed)


@bound("Theorem 3, inverted", "least information for R(not A) - R(X) <= nu(A)",
       r"\chi(R(\bar A) - R(X)) \le \nu(A)", f"sharpens {BERAHA}, Theorem 3",
       known_as="theorem-3-information")  # fmt: skip
def classification_bound_by_information(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the sharpest bound known here: removed features that raise the risk by t hold `least_information` of t.

    For two classes no better bound by nu(A) alone is possible. Classes of probability 0 do not count.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(classification_bound_by_information(gallery.xor(), {"X1"}))
    Theorem 3, inverted: least information for R(not A) - R(X) <= nu(A) holds: 0.693147 <= 0.693147, slack 0
    """
    least, most = _risks(d, removed)
    return least_information(most - least, classes=_possible_classes(d)), information_lost(d, removed)


def _risks(d: JointDistribution, removed: Subset) -> tuple[Fraction, Fraction]:
    """Return R(X) and R(not A)."""
    kept = _kept(d, removed)
    return bayes_risk(d, d.features), bayes_risk(d, kept)


def _possible_classes(d: JointDistribution) -> int:
    return sum(weight > 0 for weight in d.marginal(()).weights.tolist())


# Identities of information that the stopping rules rest on


@bound("score", "E D(p(Y|X) || p(Y|not A)) == I(Y; X) - I(Y; not A)",
       r"E\, D(p(Y|X) \,\|\, p(Y|X_{\bar A})) = I(Y; X) - I(Y; X_{\bar A})",
       f"{BERAHA}, Sections II-B and IV", known_as="score")  # fmt: skip
def information_identity(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the two forms of the score: the left summed cell by cell from the definition, the right of entropies.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(information_identity(gallery.xor(), {"X1"}))
    score: E D(p(Y|X) || p(Y|not A)) == I(Y; X) - I(Y; not A) holds: 0.693147 == 0.693147
    """
    kept = _kept(d, removed)
    return _expected_divergence(d, kept), mutual_information(d, d.features) - mutual_information(d, kept)


@bound("additivity", "nu(A) == sum of I(Y; X_t | features left)", r"\nu(A_T) = \sum_{t < T} I_t",
       f"{BERAHA}, equations 15 and 16", known_as="additivity")  # fmt: skip
def elimination_identity(d: JointDistribution, order: Sequence[str]) -> tuple[Side, Side]:
    """Return the additivity along an elimination path: nu(A) is the sum of the scores of the features removed.

    Here A is given as a sequence, in the order in which its features are removed.

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(elimination_identity(gallery.titanic(), ["age", "sex"]))
    True
    """
    require_distribution(d)
    names = as_names(order, "order")
    if isinstance(order, set | frozenset):
        repair = "a set has no order: pass a list"
        raise InvalidTypeError(explain("order", "a sequence of feature names", order, repair))
    whole, total, left = information_lost(d, names), LogSum(), list(d.features)
    for name in names:
        left.remove(name)
        total += conditional_mutual_information(d, [name], given=left)
    return whole, total


_SETS = """

Parameters
----------
d : JointDistribution
a, b, c : iterables of names of variables"""


@bound("chain rule", "I(A; B, C) == I(A; C) + I(A; B | C)", r"I(A; B, C) = I(A; C) + I(A; B \mid C)",
       f"{BERAHA}, equation 2", arguments=_SETS)  # fmt: skip
def chain_rule(d: JointDistribution, a: Iterable[str], b: Iterable[str], c: Iterable[str]) -> tuple[Side, Side]:
    """Return the chain rule on a distribution.

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(chain_rule(gallery.titanic(), ["survived"], ["sex"], ["class", "age"]))
    True
    """
    first, second, third = (as_names(names, argument) for names, argument in ((a, "a"), (b, "b"), (c, "c")))
    right = mutual_information(d, first, third) + conditional_mutual_information(d, first, second, third)
    return mutual_information(d, first, sorted({*second, *third})), right


def _expected_divergence(d: JointDistribution, kept: tuple[str, ...]) -> LogSum:
    """Return the sum of p(x, y) log(p(y|x) / p(y|kept)) over the cells, as the definition has it."""
    gone = tuple(i for i, name in enumerate(d.features) if name not in kept)
    joint = d.weights
    known = joint.sum(axis=gone, keepdims=True) + 0 * joint  # repeated over the states of the removed features
    seen, marginal = joint.sum(axis=-1, keepdims=True) + 0 * joint, known.sum(axis=-1, keepdims=True) + 0 * joint
    terms: dict[int, int] = {}
    for xy, y_kept, x, x_kept in zip(
        *(array.ravel().tolist() for array in (joint, known, seen, marginal)), strict=True
    ):
        if xy:  # p(y|x) / p(y|kept) = (xy / x) / (y_kept / x_kept)
            for number, coefficient in ((xy, xy), (x_kept, xy), (x, -xy), (y_kept, -xy)):
                terms[number] = terms.get(number, 0) + coefficient
    return LogSum.from_integer_terms(terms, denominator=d.total)


# The classical neighbors


@bound("Fano", "H(Y|S) <= h(R(S)) + R(S) log(m - 1)", r"H(Y|S) \le h(R(S)) + R(S) \log (m - 1)",
       "Fano (1961); Cover and Thomas (2006), Theorem 2.10.1", known_as="fano")  # fmt: skip
def fano_bound(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return Fano's inequality for the Bayes classifier on the features S that stay: it bounds the risk from below.

    m is the number of classes with positive probability, h the entropy of a coin.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(fano_bound(JointDistribution([[3, 1], [1, 3]]), ()))
    Fano: H(Y|S) <= h(R(S)) + R(S) log(m - 1) holds: 0.562335 <= 0.562335, slack 0
    """
    kept = _kept(d, removed)
    risk, wrong = bayes_risk(d, kept), _possible_classes(d) - 1
    terms = [(-p, p) for p in (risk, 1 - risk) if p] + ([(risk, Fraction(wrong))] if wrong > 1 else [])
    return conditional_entropy(d, [d.target], kept), LogSum(terms)


@bound("Hellman-Raviv", "R(S) <= H(Y|S) / 2 in bits", r"R(S) \le \tfrac12 H_2(Y|S)",
       'Hellman and Raviv (1970), "Probability of error, equivocation, and the Chernoff bound"',
       known_as="hellman-raviv")  # fmt: skip
def hellman_raviv_bound(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Return the bound of Hellman and Raviv on the features S that stay.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(hellman_raviv_bound(JointDistribution([[3, 1], [1, 3]]), ()))
    Hellman-Raviv: R(S) <= H(Y|S) / 2 in bits holds: 0.25 <= 0.405639, slack 0.155639
    """
    kept = _kept(d, removed)
    return bayes_risk(d, kept), conditional_entropy(d, [d.target], kept, base=2) / 2


_PAIR = """

Parameters
----------
p, q : JointDistribution
    With the same features, target and states; q is positive wherever p is."""


@bound("Pinsker", "TV(p, q) <= sqrt(D(p||q) / 2)", r"\mathrm{TV}(p, q) \le \sqrt{\tfrac12 D(p \,\|\, q)}",
       "Pinsker (1960), Csiszár (1967), Kullback (1967)", arguments=_PAIR)  # fmt: skip
def pinsker_bound(p: JointDistribution, q: JointDistribution) -> tuple[Side, Side]:
    """Return Pinsker's inequality for the total variation distance of two distributions.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(pinsker_bound(JointDistribution([3, 1]), JointDistribution([1, 1])))
    Pinsker: TV(p, q) <= sqrt(D(p||q) / 2) holds: 0.25 <= 0.255746, slack 0.00574600
    """
    return total_variation_distance(p, q), ShiftedRoot(0, kl_divergence(p, q) / 2)
