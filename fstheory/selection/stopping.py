"""Backward elimination and forward selection by conditional mutual information, and the rules that stop them."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

from fstheory._support.exact import Exact, as_fraction, as_index, to_text
from fstheory._support.result import Check, Result, Rows
from fstheory.distributions.rows import Data, DataLike, Sample, as_data
from fstheory.errors import require, require_choice, require_type, warn_of
from fstheory.lattice.subsets import checked_size, format_subset, mask_of, names_of
from fstheory.measures.criteria import squared_error, zero_one
from fstheory.measures.regression import largest_value, possible_values
from fstheory.numbers.logsum import LogSum
from fstheory.numbers.roots import ShiftedRoot
from fstheory.selection import greedy

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure


Problem: TypeAlias = Literal["classification", "regression"]
Bound: TypeAlias = LogSum | ShiftedRoot
"""A bound on an error. For regression: the least error plus a multiple of the lost information. For classification:
the least error plus the square root of such a multiple."""


@dataclass(frozen=True, repr=False)
class ErrorModel(Result):
    """The error of feature subsets, and its bound by the information nu that is lost.

    The error is the Bayes risk for classification, and the least mean squared error for regression. It is at most the
    least error plus sqrt(scale * nu) for classification, and plus scale * nu for regression.
    """

    problem: Problem
    error: greedy.SetFunction
    scale: Fraction
    sharp_scale: Fraction

    @property
    def least(self) -> Fraction:
        """The error with all features."""
        least: Fraction = self.error.at(2 ** len(self.error.features) - 1)
        return least

    def bound(self, lost: LogSum, *, sharp: bool = False) -> Bound:
        """Return the bound on the error if the information `lost` is lost."""
        excess = lost * (self.sharp_scale if sharp else self.scale)
        return ShiftedRoot(self.least, excess) if self.problem == "classification" else excess + self.least

    def threshold(self, delta: Fraction) -> Fraction:
        """Return the largest ``scale * nu`` at which the bound exceeds the least error by at most delta."""
        return delta**2 if self.problem == "classification" else delta

    def text(self, lost: LogSum, *, sharp: bool = False) -> str:
        """Return the text of a bound: its parts and its rounded value."""
        excess = to_text(lost * (self.sharp_scale if sharp else self.scale), 0, formula=False)
        added = f"sqrt({excess})" if self.problem == "classification" else excess
        return f"{to_text(self.least, 0)} + {added} ≈ {self.bound(lost, sharp=sharp).decimal()}"


def error_model(d: Data, problem: Problem, bound: Exact | None) -> ErrorModel:
    """Return the error model of a problem: how errors are measured and bounded."""
    require_choice(problem, "problem", get_args(Problem))
    if problem == "classification":
        require(bound is None, "bound", "left out for classification", bound, "it is for regression")
        return ErrorModel(problem, greedy.set_function(d, zero_one()), Fraction(2), Fraction(1, 2))
    error = greedy.set_function(d, squared_error())
    possible = possible_values(d, "squared error")
    allowed = largest_value(d, possible, bound)
    half_range = (max(possible) - min(possible)) / 2
    return ErrorModel(problem, error, 2 * allowed**2, 2 * half_range**2)


class StoppingRule(Result, abc.ABC):
    """A stopping rule of Beraha et al.: `ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule`, `FeatureCountRule`."""

    symbol: ClassVar[str]
    _derived = ("symbol",)

    def _is_enough(self, walk: _Walk) -> bool:  # noqa: ARG002
        """Return whether the rule stops before it examines another feature."""
        return False

    def _allows(self, walk: _Walk, score: LogSum, *, last: bool) -> bool:  # noqa: ARG002
        """Return whether the rule allows to move a feature with this score. `last` says that no other one is left."""
        return True


_KEEP = "pass 0 to give up nothing"


@dataclass(frozen=True)
class ErrorRule(StoppingRule):
    """The stopping rule ER: the error of the selected features exceeds the least error by at most delta.

    The rule turns delta into a threshold for the lost information, in nats, by Theorem 3 of Beraha et al. (2019) for
    classification and by Theorem 1 for regression. The score of a feature is its conditional mutual information with
    the class, given the other selected features. `cmi_elimination` removes a feature if the sum of the scores of all
    removed features, this one included, is at most the threshold. `cmi_selection` adds features until the missing
    information, I(Y; X) - I(Y; X_A) for the selected features A, is at most the threshold.

    Parameters
    ----------
    delta : exact number
        The error that may be added to the least error. It is at least 0.
    printed : bool
        Follow the paper to the letter: stop at the first step where the sum reaches the threshold, and do not make it.
        Then delta = 0 keeps features without information, and the last feature is never removed. In the forward
        direction, the rule then tests the gain of information instead of the error that is allowed.
    sharp : bool
        Use the sharper bounds. For classification, the error rises by at most the root of half the lost information.
        For regression, half the range of Y takes the place of the bound B on its absolute values.

    Examples
    --------
    >>> print(ErrorRule("1/20"), ErrorRule("0.1", sharp=True), sep="; ")
    ER with delta = 1/20; ER with delta = 1/10, sharp
    """

    delta: Fraction
    printed: bool = False
    sharp: bool = False
    symbol: ClassVar[str] = "ER"

    def __init__(self, delta: Exact = "1/10", *, printed: bool = False, sharp: bool = False) -> None:
        repair = "the paper has the looser constants only"
        require(not (printed and sharp), "sharp", "False where printed is True", sharp, repair)
        object.__setattr__(self, "delta", as_fraction(delta, "delta", at_least=0, repair=_KEEP))
        object.__setattr__(self, "printed", bool(printed))
        object.__setattr__(self, "sharp", bool(sharp))

    def _is_enough(self, walk: _Walk) -> bool:
        return walk.forward and not self.printed and self._within(walk.lost(walk.mask), walk.model)

    def _allows(self, walk: _Walk, score: LogSum, *, last: bool) -> bool:
        total = walk.total + score
        if self.printed:  # A_T consists of the steps before T
            return total * walk.model.scale < walk.model.threshold(self.delta) and not last
        return walk.forward or self._within(total, walk.model)

    def _within(self, lost: LogSum, model: ErrorModel) -> bool:
        """Return whether, by the theorem, the loss of this information keeps the error within delta of the least."""
        return lost * (model.sharp_scale if self.sharp else model.scale) <= model.threshold(self.delta)

    def __str__(self) -> str:
        words = ", as printed" if self.printed else ", sharp" if self.sharp else ""
        return f"ER with delta = {to_text(self.delta, 0)}{words}"


@dataclass(frozen=True, init=False)
class _ThresholdRule(StoppingRule):
    """A rule with one number, its threshold."""

    threshold: Fraction

    def __init__(self, threshold: Exact) -> None:
        object.__setattr__(self, "threshold", as_fraction(threshold, "threshold", at_least=0, repair=_KEEP))

    def __str__(self) -> str:
        return f"{self.symbol} with threshold {to_text(self.threshold, 0)}"


@dataclass(frozen=True, init=False)
class FeatureScoreRule(_ThresholdRule):
    """The stopping rule FS: stop when the score of the next feature passes a threshold in nats.

    The score of a feature is its conditional mutual information with the class, given the other selected features. The
    threshold is at least 0. `cmi_elimination` stops when the score is greater than the threshold. `cmi_selection` stops
    when it is less; the paper does not say how the rule works there. Source: Beraha et al. (2019), Section VI.

    Examples
    --------
    >>> print(FeatureScoreRule("0.05"))
    FS with threshold 1/20
    """

    symbol: ClassVar[str] = "FS"

    def _allows(self, walk: _Walk, score: LogSum, *, last: bool) -> bool:  # noqa: ARG002
        return score >= self.threshold if walk.forward else score <= self.threshold


@dataclass(frozen=True, init=False)
class ScoreDifferenceRule(_ThresholdRule):
    """The stopping rule Delta-FS: stop when the scores of two consecutive features differ by more than a threshold.

    The score of a feature is its conditional mutual information with the class, given the other selected features, in
    nats. `cmi_elimination` stops when a score exceeds the score of the step before by more than the threshold.
    `cmi_selection` stops when a score falls below the score of the step before by more than the threshold. The feature
    with this score is not moved. The first step is always made. Source: Beraha et al. (2019), Section VI.

    Examples
    --------
    >>> print(ScoreDifferenceRule("0.05"))
    delta-FS with threshold 1/20
    """

    symbol: ClassVar[str] = "delta-FS"

    def _allows(self, walk: _Walk, score: LogSum, *, last: bool) -> bool:  # noqa: ARG002
        if not walk.trace:
            return True
        before: LogSum = walk.trace[-1].value
        return (before - score if walk.forward else score - before) <= self.threshold


@dataclass(frozen=True)
class FeatureCountRule(StoppingRule):
    """The stopping rule #F of `cmi_elimination` and `cmi_selection`: stop when exactly k features are selected.

    Examples
    --------
    >>> print(FeatureCountRule(2))
    #F with k = 2
    """

    k: int
    symbol: ClassVar[str] = "#F"

    def __init__(self, k: int) -> None:
        object.__setattr__(self, "k", as_index(k, "k"))

    def _is_enough(self, walk: _Walk) -> bool:
        return walk.mask.bit_count() == self.k

    def __str__(self) -> str:
        return f"#F with k = {self.k}"


@dataclass(frozen=True, repr=False, kw_only=True)
class CMIStep(greedy.Step):
    """One step of backward elimination or forward selection, with what it does to the error.

    `values` has the conditional mutual information of every candidate with the class, given the other selected
    features. Backward elimination chooses the least value, and forward selection the greatest.

    Attributes
    ----------
    total : LogSum
        The sum of the values of the features chosen up to this step, this one included.
    lost : LogSum
        nu: the information of all features about the class minus the information of the features that are selected
        after the move.
    error : Fraction
        The Bayes risk, or the least mean squared error, after the move.
    """

    total: LogSum
    lost: LogSum
    error: Fraction
    _model: ErrorModel = field(compare=False)

    _derived = ("bound", "sharp_bound")

    @property
    def bound(self) -> Bound:
        """The bound of Theorem 1 or 3, as printed, on the error after the move."""
        return self._model.bound(self.lost)

    @property
    def sharp_bound(self) -> Bound:
        """The bound of the sharper forms of Theorem 1 or 3 on the error after the move."""
        return self._model.bound(self.lost, sharp=True)


@dataclass(frozen=True, repr=False)
class CMISelection(Rows):
    """The features that `cmi_elimination` or `cmi_selection` selected. Forward selection lists them in order of choice.

    Attributes
    ----------
    trace : tuple of CMIStep
        The steps. If the rule stopped the walk at a step, that step is the last one, and its `made` is False.
    model : ErrorModel
        How the error is measured and bounded.
    information : LogSum
        I(Y; X), the information of all features about the class, in nats.
    lost : LogSum
        nu = I(Y; X) - I(Y; selected features).
    """

    direction: Literal["backward", "forward"]
    stop: StoppingRule
    features: tuple[str, ...]
    trace: tuple[CMIStep, ...]
    model: ErrorModel
    information: LogSum
    lost: LogSum

    _derived = ("error", "least_error", "bound", "sharp_bound", "guarantee")

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        return super()._content(features or self._features)

    @property
    def error(self) -> Fraction:
        """The Bayes risk, or the least mean squared error, of the features selected."""
        error: Fraction = self.model.error.at(self._mask)
        return error

    @property
    def least_error(self) -> Fraction:
        """The error with all features: epsilon, or sigma squared."""
        return self.model.least

    @property
    def bound(self) -> Bound:
        """The bound of Theorem 1 or 3 on the error, as printed."""
        return self.model.bound(self.lost)

    @property
    def sharp_bound(self) -> Bound:
        """The bound of the sharper forms of Theorem 1 or 3 on the error."""
        return self.model.bound(self.lost, sharp=True)

    @property
    def next_features(self) -> frozenset[str]:
        """The features that would be selected if the last step had been made: the paper's A_{T+1} instead of A_T."""
        if not self.trace or self.trace[-1].made:
            return frozenset(self.features)
        return self.trace[-1].subset ^ {self.trace[-1].chosen}

    @property
    def guarantee(self) -> Check | None:
        """Whether the promise of the paper about the rule ER holds, decided exactly. It is None for other rules."""
        return self._guaranteed(self._mask)

    @property
    def next_guarantee(self) -> Check | None:
        """The same check as `guarantee`, for `next_features`."""
        return self._guaranteed(mask_of(self.next_features, self._features))

    def _guaranteed(self, mask: int) -> Check | None:
        if not isinstance(self.stop, ErrorRule):
            return None
        error, delta = self.model.error.at(mask), self.stop.delta
        if self.direction == "backward" or not self.stop.printed:
            limit = self.least_error + delta
            statement = f"error <= {to_text(self.least_error, 0)} + {to_text(delta, 0)}"
            return Check(statement, error <= limit, left=error, right=limit)
        right = self.model.bound(self.information) - delta
        statement = f"error <= {self.model.text(self.information)} - {to_text(delta, 0)}"
        return Check(statement, right >= error, left=error, right=right)

    @property
    def _features(self) -> tuple[str, ...]:
        return self.model.error.features

    @property
    def _mask(self) -> int:
        return mask_of(self.features, self._features)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets through which the search went. The selected features come last."""
        return (*(step.subset for step in self.trace if step.made), frozenset(self.features))

    def plot(self, **options: Any) -> PlotFigure:
        """Draw the lattice of the errors with the path of the search. The options are those of `SubsetTable.plot`."""
        return self.model.error.table().plot(**{"path": self.path, **options})

    def __str__(self) -> str:
        title, sign = ("backward elimination", "-") if self.direction == "backward" else ("forward selection", "+")
        write = self.model.text
        error = f"{self.model.error.name} {to_text(self.error)}{greedy.on_sample(self.model.error)}"
        head = [f"{format_subset(self._mask, self._features)} by {title}, {self.stop}: {error}"]
        bounds = f"guaranteed at most {write(self.lost)}, sharp {write(self.lost, sharp=True)}"
        head += [f"  {to_text(self.least_error, 0)} with all features; {bounds}"]
        for i, step in enumerate(self.trace, 1):
            after = f"error {to_text(step.error, 0)} <= {write(step.lost)}"
            if not step.made:
                after = f"not made, error would be {to_text(step.error, 0)}"
            head.append(f"  {i}. {sign}{step}; sum {to_text(step.total, 0, formula=False)}; {after}")
        return "\n".join([*head, *greedy.decided_by_order(self.trace)])


class _Walk:
    """A walk through the subsets: the present subset, the sum of the scores so far, and the steps."""

    def __init__(self, d: Data, stop: StoppingRule, model: ErrorModel, forward: bool) -> None:
        self.features, self.stop, self.model, self.forward = d.features, stop, model, forward
        self.full = 2 ** len(d.features) - 1
        self.mask, self.total = 0 if forward else self.full, LogSum.of(0)
        self.trace: list[CMIStep] = []
        self.entropies = greedy.set_function(d, "logarithmic")

    def run(self, sequence: tuple[int, ...]) -> CMISelection:
        """Make steps until the rule stops or no feature is left. Of tied candidates, take the first in the sequence."""
        while self.mask != (self.full if self.forward else 0) and not self.stop._is_enough(self):
            step, after = self._next_step([i for i in sequence if bool(self.mask >> i & 1) != self.forward])
            self.trace.append(step)
            if not step.made:
                break
            self.mask, self.total = after, step.total
        left = tuple(self.features[i] for i in sequence if self.mask >> i & 1)
        names = tuple(step.chosen for step in self.trace if step.made) if self.forward else left
        direction: Literal["forward", "backward"] = "forward" if self.forward else "backward"
        lost = self.lost(0), self.lost(self.mask)
        return CMISelection(direction, self.stop, names, tuple(self.trace), self.model, *lost)

    def _next_step(self, free: list[int]) -> tuple[CMIStep, int]:
        scored = []
        self.entropies.learn(self.mask, free)
        for i in free:  # the conditional mutual information with the class, given the others selected
            others = self.mask & ~(1 << i)
            scored.append((self.features[i], self.entropies.at(others) - self.entropies.at(others | 1 << i)))
        best = greedy.chosen_step(names_of(self.mask, self.features), scored, self.forward)
        after = self.mask ^ 1 << self.features.index(best.chosen)
        made = self.stop._allows(self, best.value, last=len(free) == 1)
        lost = self.lost(after)
        step = CMIStep(
            best.subset,
            best.values,
            best.chosen,
            best.tied,
            made,
            total=self.total + best.value,
            lost=lost,
            error=self.model.error.at(after),
            _model=self.model,
        )
        return step, after

    def lost(self, mask: int) -> LogSum:
        """Return nu: the information about the class that is lost if only the features of a mask are left."""
        lost: LogSum = self.entropies.at(mask) - self.entropies.at(self.full)
        return lost


def cmi_elimination(
    d: DataLike,
    stop: StoppingRule | None = None,
    *,
    problem: Problem = "classification",
    bound: Exact | None = None,
    order: Iterable[str] | None = None,
) -> CMISelection:
    """Remove features one by one, each time the feature with the least information about the class given the others.

    Use it to select features with a guarantee on the error. The scores of the removed features add up to the
    information that is lost with them, and this information bounds the error. So with `ErrorRule`, printed or not, the
    error of the selected features is at most delta above the error of all features. Complexity:
    n(n + 1)/2 conditional entropies. Source: Beraha et al. (2019), Section IV, Backward Elimination, and Section VI;
    Theorems 3 and 1 for the bounds.

    Parameters
    ----------
    d : JointDistribution or Sample
        For a sample, errors and bounds are those of its empirical distribution. More than 2**18 subsets of a sample are
        refused.
    stop : StoppingRule, optional
        The rule that ends the elimination. The default is `ErrorRule()`, which allows the error to rise by 1/10.
    problem : {'classification', 'regression'}
        Whether the error is the probability of a wrong class or the mean squared error of numbers.
    bound : exact number, optional
        For regression, the number B with ``|Y| <= B``. The default is the largest possible ``|y|``.
    order : sequence of str, optional
        All features. Of candidates with equal information, the first in this order is removed. The default is the
        order of ``d.features``.

    Returns
    -------
    CMISelection
        The selected features, the steps, and the bounds on the error.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.copies()
    >>> cmi_elimination(d, ErrorRule(0)).features, cmi_elimination(d, ErrorRule(0, printed=True)).features
    (('X2',), ('X1', 'X2'))
    """
    return _walked(d, stop, problem, bound, order, forward=False)


def cmi_selection(
    d: DataLike,
    stop: StoppingRule | None = None,
    *,
    problem: Problem = "classification",
    bound: Exact | None = None,
    order: Iterable[str] | None = None,
) -> CMISelection:
    """Add features one by one, each time the feature with the most information about the class given the added ones.

    The parameters and the result are those of `cmi_elimination`. ``ErrorRule(printed=True)`` stops by the gain of
    information, and the guarantee of the paper fails in general: `CMISelection.guarantee` decides it. Source: Beraha
    et al. (2019), Section IV, Forward Selection.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.titanic()
    >>> cmi_selection(d, ErrorRule("1/4")).features, cmi_selection(d, ErrorRule("1/4", sharp=True)).features
    (('sex', 'class'), ('sex',))
    """
    return _walked(d, stop, problem, bound, order, forward=True)


def _walked(
    d: DataLike,
    stop: StoppingRule | None,
    problem: Problem,
    bound: Exact | None,
    order: Iterable[str] | None,
    *,
    forward: bool,
) -> CMISelection:
    d = as_data(d)
    repair = "pass ErrorRule('0.1'), say, or FeatureCountRule(2)"
    stop = require_type(ErrorRule() if stop is None else stop, StoppingRule, "stop", "a stopping rule", repair)
    if isinstance(stop, FeatureCountRule):
        checked_size(stop.k, len(d.features))
    if isinstance(d, Sample) and not forward:
        greedy.require_few_removals(d, getattr(stop, "k", 0), "stop", str(stop))
    found = _Walk(d, stop, error_model(d, problem, bound), forward).run(greedy.feature_order(order, d.features))
    if isinstance(d, Sample):
        warn_of(greedy.doubts_of_walk(d, found.trace, "information", found.direction))
    return found
