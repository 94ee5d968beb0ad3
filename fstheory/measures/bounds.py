r"""Bounds on the cost of removing features. Each bound is a theorem whose two sides are evaluated exactly.

The features A are removed; nu(A) = I(Y; A | the rest) is the information lost with them, R the Bayes risk,
sigma(S -> V) the root of the least mean squared error of a linear predictor of V from S, w_i the weights of the best
linear predictor of Y. Proofs of what sharpens or corrects the papers are in the textbook, "Risk and information".

Each function below returns two sides. The decorator `bound` turns them into a `Check`, with the statement, the source
and the example of ``bounds.toml``, and enters the function into `BOUNDS`. The ledger has claims about the same bounds.
They are not used here, because an evaluation of their terms takes 2.6 to 6.6 times as long.
"""

from __future__ import annotations

import functools
import inspect
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any, ClassVar, Concatenate, Literal, ParamSpec, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, to_text
from fstheory._support.result import Check, OnColumns, Result, Rows, columns
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    FSTheoryError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    as_names,
    explain,
    require,
    require_choice,
    require_known,
)
from fstheory.lattice.subsets import Subset, mask_of, ordered_names, subset_text
from fstheory.measures.criteria import FMeasure, as_criterion, balanced, loss_matrix, mean_squared_error
from fstheory.measures.criterion import Criterion, class_weights, positive_class
from fstheory.measures.divergence import (
    expected_total_variation,
    least_information,
)
from fstheory.measures.information import (
    conditional_entropy,
    conditional_mutual_information,
    information_lost,
    mutual_information,
)
from fstheory.measures.losses import ExpectedLoss
from fstheory.measures.regression import covariances, largest_value, linear_regression, numeric_states, possible_values
from fstheory.measures.risk import ZeroOneLoss, bayes_risk
from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt

__all__ = [
    "classification_bound", "correlation_bound", "elimination_identity", "fano_bound", "hellman_raviv_bound",
    "least_information", "linear_bound", "regression_bound", "table",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__


Side: TypeAlias = Fraction | LogSum | RootSum | ShiftedRoot
P = ParamSpec("P")
Form: TypeAlias = Literal["corrected", "printed", "sharp"]

BOUNDS: dict[str, Callable[[JointDistribution, Subset], Check]] = {}
"""The bounds on the cost of removing features, by the names that the command line has for them."""

_MOST_FEATURES = 10  # of a table of all subsets
_ENTRIES = tomllib.loads((resources.files(__package__) / "bounds.toml").read_text(encoding="utf-8"))

_ARGUMENTS = """d : JointDistribution, or the name of one in the gallery
removed : the features A, an iterable of names or one name"""
_CRITERION = """
criterion : Criterion or str, optional
    The 0-1 loss (the default), the balanced loss, another loss of two classes that charges only wrong predictions, such
    as ``criteria.cost_sensitive("1/3")``, or an F-measure."""


def bound(
    sides: Callable[Concatenate[JointDistribution, P], tuple[Side, Side]],
) -> Callable[Concatenate[DistributionLike, P], Check]:
    """Turn a function that returns two sides into one that returns their `Check`.

    The docstring of the new function also has the statement and the source of each form, the arguments and examples.
    """
    signature, entries = inspect.signature(sides), _ENTRIES[sides.__name__]
    named = signature.parameters.get("form") or signature.parameters.get("criterion")
    by_criterion = named is not None and named.name == "criterion"
    forms: dict[str, dict[str, Any]] = entries if named else {"": entries}

    @functools.wraps(sides)
    def check(*args: Any, **options: Any) -> Check:
        given = signature.bind(*args, **options)
        given.arguments["d"] = as_distribution(given.arguments["d"])
        form = given.arguments.get(named.name, named.default) if named else ""
        form = _kind_of(form) if by_criterion else form
        require_choice(form, "form", tuple(forms))
        left, right = sides(*given.args, **given.kwargs)
        equal = " == " in forms[form]["statement"]
        about = {field: forms[form].get(field, "") for field in ("name", "statement", "source", "latex")}
        holds = bool(left == right if equal else left <= right)
        return Check(holds=holds, left=left, right=right, relation="==" if equal else "<=", **about)

    arguments, lines, shown = _ARGUMENTS, [], []
    for form, entry in forms.items():
        head = f"- {entry['name']}: " if by_criterion else f"- ``form={form!r}``: " if form else ""
        lines.append(f"{head}``{entry['statement']}``. Source: {entry['source']}.")
        shown.append(entry["example"].strip())
        if "known_as" in entry:
            BOUNDS[entry["known_as"]] = functools.partial(check, **{named.name: form}) if named else check
    if by_criterion:
        arguments += _CRITERION
    elif named:
        arguments += f"\nform : {{{', '.join(map(repr, forms))}}}\n    The form of the statement, of those above."
    returned = "Check\n    It is true if the statement holds. `left` and `right` are the two sides, both exact."
    parts = (("Parameters", arguments), ("Returns", returned), ("Examples", "\n\n".join(shown)))
    sections = "".join(f"\n\n{title}\n{'-' * len(title)}\n{text}" for title, text in parts)
    check.__signature__ = signature.replace(return_annotation="Check")  # type: ignore[attr-defined]
    check.__doc__ = f"{inspect.getdoc(sides)}\n\n{chr(10).join(lines)}{sections}\n"
    return check


def split(d: JointDistribution, removed: Subset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the removed features and of the kept ones, each in order."""
    mask = mask_of(removed, d.features, "removed")
    every = (1 << len(d.features)) - 1
    return ordered_names(mask, d.features), ordered_names(every & ~mask, d.features)


def _kept(d: JointDistribution, removed: Subset) -> tuple[str, ...]:
    return split(d, removed)[1]


# Theorem 1: what removed features cost the best real-valued predictor, in information


@bound
def regression_bound(
    d: JointDistribution, removed: Subset, *, form: Form = "corrected", bound: Exact | None = None
) -> tuple[Side, Side]:
    """Check Theorem 1: a bound on the least mean squared error without A, when predictions may be any real numbers.

    sigma^2 is the least mean squared error given all features. `bound` is the number B, which must be at least the
    largest absolute value that Y takes. If it is not given, B is that value.

    The form as printed has predictors whose values are labels of classes, and it is false: in general the conditional
    mean is not the label of a class. In the sharp form, W is the largest value of Y minus the smallest, so it is at
    most 2 B. The factor 1/2 cannot be replaced by a smaller one.
    """
    require(bound is None or form != "sharp", "bound", "left out if the form is 'sharp'", bound, "leave it out")
    values = possible_values(d)
    largest, width = largest_value(d, values, bound), max(values) - min(values)
    factor = width**2 / 2 if form == "sharp" else 2 * largest**2
    criterion = mean_squared_error
    if form == "printed":
        labels = numeric_states(d, d.target)
        criterion = loss_matrix([[(value - guess) ** 2 for guess in labels] for value in labels]).value
    right = mean_squared_error(d, d.features) + factor * information_lost(d, removed)
    return criterion(d, _kept(d, removed)), right


# Theorem 2: what they cost a linear predictor, by weights


def _fits(d: JointDistribution, removed: Subset) -> tuple[Fraction, Fraction, list[tuple[Fraction, Fraction]]]:
    """Return the squared error without A, the squared error with A, and a pair for each feature of A.

    The pair is the weight of the feature and its residual variance given the kept features.
    """
    gone, kept = split(d, removed)
    full = linear_regression(d)
    parts = [(full.weights[name], linear_regression(d, kept, target=name).residual_variance) for name in gone]
    return linear_regression(d, kept).residual_variance, full.residual_variance, parts


@bound
def linear_bound(
    d: JointDistribution, removed: Subset, *, form: Form | Literal["exact"] = "corrected"
) -> tuple[Side, Side]:
    """Check the first bound of Theorem 2, on the error of the best linear predictor without A.

    The corrected form has the absolute values of the weights. The printed form has none, and it is false. The sharp
    form has no factor that grows with A. If one feature is removed, its two sides are equal. In the exact form, C is
    the covariance matrix of the residuals of A: the parts of A that no linear function of the kept features explains.

    If the covariance matrix is singular, several weights are best, and the weights of least norm are taken. The bound
    holds for all best weights.
    """
    without, full, parts = _fits(d, removed)
    if form == "exact":
        return without, full + _unexplained(d, removed, [weight for weight, _ in parts])
    total = sum(((w if form == "printed" else abs(w)) * sqrt(v) for w, v in parts), RootSum())
    if form == "sharp":
        return without, full + total**2
    return sqrt(without), sqrt(full) + sqrt(len(parts)) * total


def _unexplained(d: JointDistribution, removed: Subset, weights: Sequence[Fraction]) -> Fraction:
    """Return ``w' C w`` for the weights w of the removed features and the covariances C of their residuals."""
    gone, kept = split(d, removed)
    matrix, total = covariances(d, (*gone, *kept)), Fraction(0)
    for i, name in enumerate(gone):  # C = Cov(A) - Cov(A, kept) W', W the weights that predict A from the kept features
        explained = linear_regression(d, kept, target=name).weights
        for j in range(len(gone)):
            seen = sum((explained[k] * matrix[len(gone) + at][j] for at, k in enumerate(kept)), Fraction(0))
            total += weights[i] * weights[j] * (matrix[i][j] - seen)
    return total


# Theorem 2, by correlations


@bound
def correlation_bound(
    d: JointDistribution,
    removed: Subset,
    *,
    form: Literal["corrected", "printed", "exact"] = "corrected",
    absolute: bool = False,
) -> tuple[Side, Side]:
    """Check the second bound of Theorem 2, by correlations.

    In the corrected and in the exact form, each feature of A must be uncorrelated with all other features. In the
    printed form, the features of A must be uncorrelated with each other, and so must be the features outside A; this
    form is false. If two features are correlated that must not be, the bound does not apply, and an
    `InvalidValueError` is raised.

    With ``absolute=True`` the correlations rho(Y, X_i) of the printed form are replaced by their absolute values, and
    it is false, too. The correlation with a constant is taken as 0.
    """
    require(not absolute or form == "printed", "absolute", "False for this form", absolute, "pass form='printed'")
    if form == "printed":
        return _by_correlations(d, removed, absolute)
    without, full, squares = _explained(d, removed)
    if form == "exact":
        return without, full + sum(squares, Fraction(0))
    return sqrt(without), sqrt(full) + sum((sqrt(square) for square in squares), RootSum())


def _by_correlations(d: JointDistribution, removed: Subset, absolute: bool) -> tuple[Side, Side]:
    """Return the two sides of the second bound of Theorem 2 as printed."""
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


def _explained(d: JointDistribution, removed: Subset) -> tuple[Fraction, Fraction, list[Fraction]]:
    """Return the squared error without A, the squared error with A, and ``sigma_Y^2 rho(Y, X_i)^2`` for each i in A."""
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


@bound
def classification_bound(
    d: JointDistribution,
    removed: Subset,
    *,
    form: Literal["printed", "sharp", "variation", "information"] = "printed",
) -> tuple[Side, Side]:
    """Check Theorem 3: a bound on the Bayes risk without A.

    As printed it is true but not sharp. In the sharp form the root is half as large, and the constant 1/2 under the
    root is the best possible. The form with the expected total variation is the step of the proof before Pinsker's
    inequality; the printed proof has twice this distance.

    The form with the information is the sharpest bound of this library. If the removal of A raises the Bayes risk by
    t, then nu(A) is at least ``least_information(t)``. For two classes no better bound in terms of nu(A) alone is
    possible. Classes of probability 0 do not count.
    """
    least, most = bayes_risk(d, d.features), bayes_risk(d, _kept(d, removed))
    if form == "variation":
        return most, least + expected_total_variation(d, removed)
    lost = information_lost(d, removed)
    if form == "information":
        return least_information(most - least, classes=_possible_classes(d)), lost
    return most, ShiftedRoot(least, 2 * lost if form == "printed" else lost / 2)


def _possible_classes(d: JointDistribution) -> int:
    return sum(weight > 0 for weight in d.marginal(()).weights.tolist())


# Identities of information that the stopping rules rest on


@bound
def information_identity(d: JointDistribution, removed: Subset) -> tuple[Side, Side]:
    """Check that the two forms of the score agree: the sum over the cells, and the difference of two informations."""
    kept = _kept(d, removed)
    return _expected_divergence(d, kept), mutual_information(d, d.features) - mutual_information(d, kept)


@bound
def elimination_identity(d: JointDistribution, removed: Sequence[str]) -> tuple[Side, Side]:
    """Check that nu(A) is the sum of the scores of the features of A, removed one after another.

    `removed` must be a sequence, in the order of the removal.
    """
    names = as_names(removed, "removed")
    if isinstance(removed, set | frozenset):
        repair = "a set has no order: pass a list"
        raise InvalidTypeError(explain("removed", "a sequence of feature names", removed, repair))
    whole, total, left = information_lost(d, names), LogSum(), list(d.features)
    for name in names:
        left.remove(name)
        total += conditional_mutual_information(d, [name], given=left)
    return whole, total


def _expected_divergence(d: JointDistribution, kept: tuple[str, ...]) -> LogSum:
    """Return the sum of p(x, y) log(p(y|x) / p(y|kept)) over the cells, as the definition has it."""
    gone = tuple(i for i, name in enumerate(d.features) if name not in kept)
    joint = d.weights
    known, seen = joint.sum(axis=gone, keepdims=True), joint.sum(axis=-1, keepdims=True)
    arrays = np.broadcast_arrays(joint, known, seen, known.sum(axis=-1, keepdims=True))
    terms: Counter[int] = Counter()
    for xy, y_kept, x, x_kept in zip(*(array.ravel().tolist() for array in arrays), strict=True):
        if xy:  # p(y|x) / p(y|kept) = (xy / x) / (y_kept / x_kept)
            terms[xy] += xy
            terms[x_kept] += xy
            terms[x] -= xy
            terms[y_kept] -= xy
    return LogSum.of_counts(terms, d.total)


# The classical neighbors


@bound
def fano_bound(
    d: JointDistribution, removed: Subset, *, criterion: Criterion[Any] | str = "zero_one"
) -> tuple[Side, Side]:
    """Check Fano's inequality for the best classifier on the features S that stay. It bounds a loss from below.

    In the statements below, k is the number of classes with positive probability, and h(R) is the entropy of a coin of
    bias R.

    The statements for other measures are about two classes. A wrong prediction costs a in one class and b in the other.
    L(S) is the least expected cost, r = L(S) / L({}), and m is the smallest of L(S) / min(a, b) and of the two class
    probabilities p and 1 - p. The F-measure is treated as the loss with the costs t and 1 - t for t = F(S) / (1 +
    beta^2), since the least expected cost is then p (1 - F(S)), with p for the positive class. The textbook proves the
    bound. It is sharp if the classes are equally probable and a = b.
    """
    kept = _kept(d, removed)
    left = conditional_entropy(d, [d.target], kept)
    if _kind_of(criterion) == "zero_one":
        risk, wrong = bayes_risk(d, kept), _possible_classes(d) - 1
        return left, _coin(risk) + (LogSum([(risk, Fraction(wrong))]) if wrong > 1 else 0)
    (a, b), (p, q), loss = _costs(d, kept, criterion)
    share = loss / min(a * p, b * q) if p * q else Fraction(0)
    told = 4 * p * q * (_coin(Fraction(1, 2)) - _coin(share / 2))
    return left, min(_coin(min(loss / min(a, b), p, q)), _coin(p) - told)


@bound
def hellman_raviv_bound(
    d: JointDistribution, removed: Subset, *, criterion: Criterion[Any] | str = "zero_one"
) -> tuple[Side, Side]:
    """Check the bound of Hellman and Raviv for the features S that stay. It bounds a loss from above.

    The statements for other measures are about two classes. a, b, p, t, h and L are those of `fano_bound`. The two
    sides are equal if each state of S has the posterior 0, 1 or a / (a + b), which is p for the balanced loss and t for
    the F-measure.
    """
    kept = _kept(d, removed)
    if _kind_of(criterion) == "zero_one":
        return bayes_risk(d, kept), conditional_entropy(d, [d.target], kept, base=2) / 2
    (a, b), _, loss = _costs(d, kept, criterion)
    return loss * _coin(a / (a + b)), a * b / (a + b) * conditional_entropy(d, [d.target], kept)


def _kind_of(criterion: Criterion[Any] | str) -> str:
    """Return which form of the bounds of Fano and of Hellman and Raviv a criterion has."""
    made = as_criterion(criterion)
    kinds = {ZeroOneLoss: "zero_one", ExpectedLoss: "cost_sensitive", FMeasure: "f_measure"}
    requirement = "the 0-1 loss, a loss of two classes, or an F-measure"
    require(type(made) in kinds, "criterion", requirement, str(made), "pass 'zero_one', 'balanced' or 'f_measure'")
    return "balanced" if made == balanced() else kinds[type(made)]


def _costs(
    d: JointDistribution, kept: tuple[str, ...], criterion: Criterion[Any] | str
) -> tuple[Sequence[Fraction], Sequence[Fraction], Fraction]:
    """Return the costs of a wrong prediction in the two classes, their probabilities, and the least expected cost."""
    made: Any = as_criterion(criterion)  # an ExpectedLoss or an FMeasure, as _kind_of asks
    shares = [Fraction(weight, d.total) for weight in class_weights(d)]
    value = made.value(d, kept)
    if isinstance(made, FMeasure):
        positive, t = positive_class(d, made.positive, "the F-measure"), value / (1 + made.weight)
        return [1 - t if y == positive else t for y in range(2)], shares, shares[positive] * (1 - value)
    said, rows = made.losses(d)
    table = [(y == z, loss) for y, row in zip(d.classes, rows, strict=True) for z, loss in zip(said, row, strict=True)]
    costs, saved = ([loss for right, loss in table if right is hit] for hit in (False, True))
    plain = len(shares) == len(said) == len(costs) == 2 and min(costs) > 0 and not any(saved)
    require(
        plain, "criterion", "a loss of two classes that charges only wrong predictions", str(made), "pass 'zero_one'"
    )
    return costs, shares, value


def _coin(p: Fraction) -> LogSum:
    """Return the entropy of a coin that shows heads with probability p."""
    return LogSum([(-q, q) for q in (p, 1 - p) if q])


# All bounds for all sets of removed features


@dataclass(frozen=True, slots=True, repr=False)
class BoundAt(Result):
    """One bound for one set of removed features: its `check`, or the `reason` why it does not apply."""

    removed: frozenset[str]
    bound: str
    check: Check | None
    reason: str = ""
    _derived = ("slack",)

    @property
    def slack(self) -> Side | None:
        """The right side minus the left side, if the bound applies."""
        return None if self.check is None else self.check.slack


@dataclass(frozen=True, repr=False)
class BoundTable(OnColumns, Rows):
    """All bounds for some sets of removed features. See `table`."""

    rows: tuple[BoundAt, ...]
    _table: ClassVar[str] = "rows"

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [("removed", "bound", "left", "right", "slack", "")]
        lines += [
            (subset_text(row.removed, self._columns), row.bound, *_cells_of(row.check))
            for row in self.rows
            if row.check is not None
        ]
        reasons = {row.bound: row.reason for row in reversed(self.rows) if row.reason}  # the first reason of each
        together: dict[str, list[str]] = {}
        for name, reason in reversed(reasons.items()):
            together.setdefault(reason, []).append(name)
        missing = [f"  {', '.join(names)}: {reason}" for reason, names in together.items()]
        head = ["", "Not for this distribution:"] if missing else []
        return "\n".join([*columns(lines, numbers=(2, 3, 4)), *head, *missing])


def _cells_of(check: Check) -> tuple[str, ...]:
    """Return the left side, the right side and the slack of a bound, and whether it holds, for a row of a table.

    A number is exact if it is rational and short, else rounded.
    """
    numbers = (to_text(side, 0, 12, formula=False) for side in (check.left, check.right, check.slack))
    return *(text.removeprefix("≈") for text in numbers), "equal" if check.tight else "holds" if check else "fails"


def table(d: DistributionLike, removed: Subset | None = None, *, bounds: Iterable[str] | None = None) -> BoundTable:
    """Evaluate every bound for every set of removed features.

    Use it to see which bound is close for a distribution of your own, and for which features. A bound that does not
    apply, as one about numbers does not apply to words, has the reason in place of its sides.

    Parameters
    ----------
    d : JointDistribution, or the name of one in the gallery
    removed : iterable of str, optional
        The removed features. By default, every subset of the features, smaller ones first.
    bounds : iterable of str, optional
        The names of the bounds, as ``fstheory bound --help`` lists them. By default all of them.

    Raises
    ------
    UnknownNameError
        No bound, or no feature, has this name.
    TooLargeError
        There are more than ten features, and so more than 1,024 subsets of them.

    Examples
    --------
    >>> print(table("xor", bounds=["theorem-3", "theorem-3-sharp"]))
    removed  bound            left     right      slack
    {}       theorem-3           0         0          0  equal
    {}       theorem-3-sharp     0         0          0  equal
    X1       theorem-3         1/2   1.17741   0.677410  holds
    X1       theorem-3-sharp   1/2  0.588705  0.0887050  holds
    X2       theorem-3         1/2   1.17741   0.677410  holds
    X2       theorem-3-sharp   1/2  0.588705  0.0887050  holds
    X1X2     theorem-3         1/2   1.17741   0.677410  holds
    X1X2     theorem-3-sharp   1/2  0.588705  0.0887050  holds
    """
    d = as_distribution(d)
    named = list(BOUNDS) if bounds is None else as_names(bounds, "bounds")
    for name in named:
        require_known(name, "bound", BOUNDS)
    few = removed is not None or len(d.features) <= _MOST_FEATURES
    repair = "name the removed features"
    require(few, "d", f"of at most {_MOST_FEATURES} features", len(d.features), repair, TooLargeError)
    if removed is None:
        masks = sorted(range(1 << len(d.features)), key=int.bit_count)
    else:
        masks = [mask_of(removed, d.features, "removed")]
    rows = tuple(_bound_at(d, ordered_names(mask, d.features), name) for mask in masks for name in named)
    return BoundTable(rows, _columns=d.features)


def _bound_at(d: JointDistribution, removed: tuple[str, ...], name: str) -> BoundAt:
    """Evaluate one bound. If it does not apply, give the reason."""
    try:
        return BoundAt(frozenset(removed), name, BOUNDS[name](d, removed))
    except FSTheoryError as error:
        return BoundAt(frozenset(removed), name, None, str(error))
