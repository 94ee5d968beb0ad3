"""Exact linear regression: means, covariances and the linear predictor of least squared error."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._support.exact import Exact, as_fraction, drawable, exact_text, integers_over, to_text
from fstheory._support.result import Result, frame_of
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, DataLike, as_data
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    as_names,
    explain,
    require,
    require_type,
    unknown,
)
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import draw_bars
from fstheory.lattice.subsets import Subset, mask_of, ordered_names
from fstheory.numbers.enclosure import sum_text

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class LinearRegression(Result):
    """The best linear predictor of one variable from others: its weights, its intercept and its mean squared error.

    `residual_variance` is the mean squared error. If several weights give the same predictions, `weights` has those
    with the least sum of squares. `unique` says whether no other weights do as well.
    """

    target: str
    weights: Mapping[str, Fraction]
    intercept: Fraction
    residual_variance: Fraction
    unique: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))

    def __hash__(self) -> int:
        return hash((self.target, tuple(self.weights.items()), self.intercept, self.residual_variance))

    def predict(self, state: Mapping[str, Any]) -> Fraction:
        """Return the prediction for exact values of the features.

        Features that the predictor does not see are ignored.
        """
        require_type(state, Mapping, "state", "a mapping from features to numbers", "write {'X1': 0}")
        total = self.intercept
        missing = [repr(name) for name in self.weights if name not in state]
        wanted = f"a value for each of {tuple(self.weights)}"
        require(not missing, "state", wanted, dict(state), f"add {', '.join(missing)}")
        for name, weight in self.weights.items():
            total += weight * as_fraction(state[name], name)
        return total

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each feature and its exact weight."""
        return frame_of(self.weights.items(), ["feature", "weight"])

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw a bar for the weight of each feature."""
        heading = f"Weights of the regression of {self.target}" if title is None else title
        weights = {"weight": list(map(drawable, self.weights.values()))}
        return draw_bars([*self.weights], weights, title=heading, description=str(self)).sized(figsize, width)

    def __str__(self) -> str:
        terms = [(self.intercept, ""), *((weight, name) for name, weight in self.weights.items())]
        predicted = sum_text(terms, lambda number: to_text(number, 0), " ")
        return f"{self.target} ≈ {predicted}, mean squared error {to_text(self.residual_variance, 0)}"


def numeric_states(d: DataLike, variable: str, purpose: str = "regression") -> tuple[Fraction, ...]:
    """Return the state labels of a feature or of the target as exact numbers.

    Strings such as "3/8" are numbers, too.
    """
    d = as_data(d)
    repair, numbers = "name them by integers, Fractions or strings such as '3/8'", []
    for label in d._variables.labels[d._variables.axis(variable)]:
        try:
            numbers.append(as_fraction(label))
        except (InvalidTypeError, InvalidValueError):
            asked = explain(f"the states of {variable}", f"exact numbers for {purpose}", label, repair)
            raise InvalidTypeError(asked) from None
    return tuple(numbers)


def possible_values(d: Data, purpose: str = "regression") -> list[Fraction]:
    """Return the numbers that are classes of positive probability."""
    alone = d.marginal(())
    values = numeric_states(alone, d.target, purpose)
    return [value for value, weight in zip(values, alone.weights.ravel().tolist(), strict=True) if weight]


def largest_value(d: Data, possible: Sequence[Fraction], bound: Exact | None) -> Fraction:
    """Return the bound on the absolute value of the target. It is the largest of the possible values if not given.

    A bound below a possible value is refused.
    """
    largest = max(map(abs, possible))
    if bound is None:
        return largest
    allowed, wanted = as_fraction(bound, "bound"), f"at least {exact_text(largest)}, the largest |{d.target}|"
    require(allowed >= largest, "bound", wanted, bound, "raise it, or leave it out")
    return allowed


def means(d: DistributionLike, variables: Sequence[str] | None = None) -> dict[str, Fraction]:
    """Return the means of variables with numeric states, by name. The default is all features, then the target."""
    d = as_distribution(d)
    return {name: _mean(d, {name: numeric_states(d, name)}) for name in _checked(d, variables)}


def covariances(d: DistributionLike, variables: Sequence[str] | None = None) -> tuple[tuple[Fraction, ...], ...]:
    """Return the covariance matrix of variables with numeric states, as a tuple of rows.

    By default the variables are all features in order, then the target.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> covariances(JointDistribution([[2, 1], [1, 2]]))
    ((Fraction(1, 4), Fraction(1, 12)), (Fraction(1, 12), Fraction(1, 4)))
    """
    d = as_distribution(d)
    names = _checked(d, variables)
    values, center = {name: numeric_states(d, name) for name in names}, means(d, names)
    known = {}
    for first, second in itertools.combinations_with_replacement(names, 2):
        factors = {name: values[name] for name in (first, second)}
        if first == second:
            factors[first] = tuple(value**2 for value in values[first])
        known[first, second] = known[second, first] = _mean(d, factors) - center[first] * center[second]
    return tuple(tuple(known[first, second] for second in names) for first in names)


def linear_regression(
    d: DistributionLike, features: Subset | None = None, *, target: str | None = None
) -> LinearRegression:
    """Return the linear predictor ``b + sum(w_i X_i)`` of least mean squared error, exactly.

    The predictor sees `features`, and predicts `target`. By default `target` is the target of `d`, and `features` are
    all features but `target`. The states of these variables must be exact numbers.

    The weights w solve ``C w = c``. C holds the covariances of the features, and c their covariances with the target
    (Beraha et al. 2019, proof of Theorem 2). If there are several solutions, the one of least norm is taken.
    Complexity: cubic in the number of features.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(linear_regression(JointDistribution([[2, 1], [1, 2]])))
    Y ≈ 1/3 + 1/3 X1, mean squared error 2/9
    """
    d = as_distribution(d)
    name = d.target if target is None else target
    if not isinstance(name, str) or name not in d.states:
        raise unknown("variable", name, d.states)
    if features is None:
        seen = tuple(feature for feature in d.features if feature != name)
    else:
        seen = ordered_names(mask_of(features, d.features, "features"), d.features)
    require(name not in seen, "target", "none of the features that predict it", name, "leave it out of them")
    matrix = covariances(d, (*seen, name))
    weights, unique = _least_norm([row[:-1] for row in matrix[:-1]], [row[-1] for row in matrix[:-1]])
    middle = means(d, (*seen, name))
    return LinearRegression(
        name,
        dict(zip(seen, weights, strict=True)),
        middle[name] - sum((w * middle[feature] for w, feature in zip(weights, seen, strict=True)), Fraction(0)),
        matrix[-1][-1] - sum((w * c for w, c in zip(weights, matrix[-1][:-1], strict=True)), Fraction(0)),
        unique,
    )


def _checked(d: JointDistribution, variables: Sequence[str] | None) -> tuple[str, ...]:
    if variables is None:
        return (*d.features, d.target)
    return as_names(variables, "variables", "pass a list of names such as ['Y']")


def _mean(d: JointDistribution, factors: Mapping[str, Sequence[Fraction]]) -> Fraction:
    """Return the mean of a product with one factor for each of some variables: a function of its state, as values."""
    names, below = (*d.features, d.target), d.total
    table = d.weights.sum(axis=tuple(i for i, name in enumerate(names) if name not in factors)).astype(object)
    for name in reversed(names):  # the last axis of the table is summed out first
        if name in factors:
            integers, denominator = integers_over(factors[name])
            table = table @ np.array(integers, dtype=object)
            below *= denominator
    return Fraction(int(table), below)


def _least_norm(matrix: list[tuple[Fraction, ...]], right: list[Fraction]) -> tuple[list[Fraction], bool]:
    """Return the solution of least norm of ``C w = c``, for a covariance matrix C, and whether it is the only one."""
    from flint import fmpq, fmpq_mat

    if not matrix:
        return [], True
    size = len(matrix)
    covariance = fmpq_mat(size, size, [fmpq(*entry.as_integer_ratio()) for row in matrix for entry in row])
    squared = covariance * covariance
    rows = [[*(squared[i, j] for j in range(size)), fmpq(*right[i].as_integer_ratio())] for i in range(size)]
    reduced, rank = fmpq_mat(size, size + 1, [entry for row in rows for entry in row]).rref()
    solution = [fmpq(0)] * size  # the free unknowns are 0
    for row in range(int(rank)):
        pivot = next(column for column in range(size) if reduced[row, column] != 0)
        solution[pivot] = reduced[row, size]
    weights = covariance * fmpq_mat(size, 1, solution)
    return [Fraction(int(weights[i, 0].p), int(weights[i, 0].q)) for i in range(size)], int(rank) == size
