"""Backward elimination and forward selection by conditional mutual information, step by step."""

from __future__ import annotations

import abc
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

from fstheory._support.exact import Exact, as_fraction, as_index, decimal_text, to_text
from fstheory._support.result import Check, Result
from fstheory.distributions.rows import Data, require_data
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require_choice
from fstheory.lattice.subsets import format_subset, mask_of, names_of
from fstheory.measures.criteria import squared_error, zero_one
from fstheory.measures.criterion import class_weights, numeric_classes
from fstheory.numbers.logsum import LogSum
from fstheory.selection.greedy import (
    SetFunction,
    Step,
    checked_size,
    chosen_step,
    decided_by_order,
    feature_order,
    on_sample,
    set_function,
    shown,
)

if TYPE_CHECKING:
    from fstheory.lattice.draw import LatticeFigure
__all__ = [
    "CMISelection",
    "CMIStep",
    "ErrorBound",
    "ErrorRule",
    "FeatureCountRule",
    "FeatureScoreRule",
    "ScoreDifferenceRule",
    "StoppingRule",
    "cmi_elimination",
    "cmi_selection",
]


# -- When elimination and selection by conditional mutual information stop, and what that says about the error.


Problem: TypeAlias = Literal["classification", "regression"]


@dataclass(frozen=True, repr=False)
class ErrorBound(Result):
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
    >>> from fstheory.numbers import log
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
        return f"{to_text(self.least, 0)} + {f'sqrt({added})' if self.root else added} ≈ {self.decimal()}"

    def decimal(self, digits: int = 6) -> str:
        """Return the bound rounded to so many significant digits, as text; it may lie beyond the largest float.

        Examples
        --------
        >>> from fstheory.numbers import log
        >>> ErrorBound(Fraction(10) ** 400, log(2), root=True).decimal()
        '1.00000E+400'
        """
        added = Decimal(self.excess.decimal(digits + 12))
        with localcontext(Context(prec=digits + 12, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            rounded = Fraction(added.sqrt() if self.root else added)
        return decimal_text(self.least + rounded, digits)


@dataclass(frozen=True, repr=False)
class ErrorModel(Result):
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
        requirement = f"at least {to_text(largest, 0)}, the largest |{d.target}| possible"
        raise InvalidValueError(explain("bound", requirement, bound, "raise it"))
    half_range = (max(possible) - min(possible)) / 2
    return ErrorModel(problem, error, 2 * allowed**2, 2 * half_range**2)


def _at_least_0(value: Exact, argument: str) -> Fraction:
    number = as_fraction(value, argument)
    if number < 0:
        raise InvalidValueError(explain(argument, "at least 0", value, "pass 0 to give up nothing"))
    return number


class StoppingRule(Result, abc.ABC):
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
        return f"ER with delta = {to_text(self.delta, 0)}{words}"


@dataclass(frozen=True, init=False)
class _ThresholdRule(StoppingRule):
    """A rule with one number, its threshold."""

    threshold: Fraction

    def __init__(self, threshold: Exact) -> None:
        object.__setattr__(self, "threshold", _at_least_0(threshold, "threshold"))

    def __str__(self) -> str:
        return f"{self.symbol} with threshold {to_text(self.threshold, 0)}"


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


# -- Backward elimination and forward selection by conditional mutual information, step by step.


@dataclass(frozen=True, repr=False, kw_only=True)
class CMIStep(Step):
    """One step of backward elimination or forward selection.

    Attributes
    ----------
    subset : frozenset of str
        The features selected before the step.
    values : tuple of pairs (feature, LogSum)
        The conditional mutual information of every candidate with the class, given the other features selected.
    chosen : str
        The candidate with the least one (backward) or the greatest (forward).
    tied : tuple of str
        Every candidate with that value, the chosen one first.
    made : bool
        Whether the move was made; if not, it is the last step.
    total : LogSum
        The sum of the scores up to this step, this one included.
    lost : LogSum
        nu: the information that all features have about the class, less that of those selected after the move.
    error : Fraction
        The Bayes risk, or the least mean squared error, after the move.
    bound, sharp_bound : ErrorBound
        What the theorems guarantee after the move, as printed and sharp.

    Examples
    --------
    >>> from fstheory import gallery
    >>> step = cmi_elimination(gallery.copies(), ErrorRule(0)).trace[0]
    >>> step.chosen, step.tied, step.made, step.lost == 0, step.error
    ('X1', ('X1', 'X2'), True, True, Fraction(1, 10))
    """

    total: LogSum
    lost: LogSum
    error: Fraction
    bound: ErrorBound
    sharp_bound: ErrorBound

    def __str__(self) -> str:
        line = f"{super().__str__()}; sum {shown(self.total)}; "
        if not self.made:
            return f"{line}not made, error would be {to_text(self.error, 0)}"
        return f"{line}error {to_text(self.error, 0)} <= {self.bound}"


@dataclass(frozen=True, repr=False)
class CMISelection(Result):
    """The features that `cmi_elimination` or `cmi_selection` selected.

    Attributes
    ----------
    direction : {'backward', 'forward'}
    stop : StoppingRule
    features : tuple of str
        The features selected; forwards in the order in which they were added.
    trace : tuple of CMIStep
    model : ErrorModel
        How the error is measured and bounded.
    information : LogSum
        I(Y; X), of all features with the class, in nats.
    lost : LogSum
        nu = I(Y; X) - I(Y; selected features).

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = cmi_elimination(gallery.titanic(), FeatureCountRule(1))
    >>> found.features, found.error, found.least_error
    (('sex',), Fraction(493, 2201), Fraction(461, 2201))
    """

    direction: Literal["backward", "forward"]
    stop: StoppingRule
    features: tuple[str, ...]
    trace: tuple[CMIStep, ...]
    model: ErrorModel
    information: LogSum
    lost: LogSum

    @property
    def error(self) -> Fraction:
        """The Bayes risk, or the least mean squared error, of the features selected."""
        return self.model.error_at(self._mask)

    @property
    def least_error(self) -> Fraction:
        """The error with all features: epsilon, or sigma squared."""
        return self.model.least

    @property
    def bound(self) -> ErrorBound:
        """What Theorem 1 or 3 guarantees of the error, as printed."""
        return self.model.bound(self.lost)

    @property
    def sharp_bound(self) -> ErrorBound:
        """What the sharper forms of Theorem 1 or 3 guarantee of the error."""
        return self.model.bound(self.lost, sharp=True)

    @property
    def next_features(self) -> frozenset[str]:
        """The features that would be selected had the last step been made: A_{T+1} where the paper has A_T."""
        if not self.trace or self.trace[-1].made:
            return frozenset(self.features)
        last = self.trace[-1]
        return last.subset - {last.chosen} if self.direction == "backward" else last.subset | {last.chosen}

    @property
    def guarantee(self) -> Check | None:
        """Whether what the paper promises of the rule ER is so, decided exactly; None for the other rules.

        The promise is an error of at most delta more than the least. Of forward selection as printed it
        is another one, which is false in general: the least error - delta + sqrt(2 I(Y; X)), for regression the least
        error - delta + 2 B**2 I(Y; X).
        """
        return self._guaranteed(self._mask)

    @property
    def next_guarantee(self) -> Check | None:
        """The same of the features that the last step would have left, A_{T+1}."""
        return self._guaranteed(mask_of(self.next_features, self._features))

    def _guaranteed(self, mask: int) -> Check | None:
        if not isinstance(self.stop, ErrorRule):
            return None
        error, delta = self.model.error_at(mask), self.stop.delta
        if self.direction == "backward" or not self.stop.printed:
            limit = self.least_error + delta
            statement = f"error <= {to_text(self.least_error, 0)} + {to_text(delta, 0)}"
            return Check(statement, error <= limit, left=error, right=limit)
        claim = self.model.bound(self.information)
        right = ErrorBound(claim.least - delta, claim.excess, claim.root)
        return Check(f"error <= {claim} - {to_text(delta, 0)}", right.allows(error), left=error, right=right)

    @property
    def _features(self) -> tuple[str, ...]:
        return self.model.error.features

    @property
    def _mask(self) -> int:
        return mask_of(self.features, self._features)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets that the search went through, the selected features last."""
        return (*(step.subset for step in self.trace if step.made), frozenset(self.features))

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the lattice of the errors with the path of the search; options and errors are `SubsetTable.plot`'s."""
        return self.model.error.table().plot(**{"path": self.path, **options})

    def __str__(self) -> str:
        title, sign = ("backward elimination", "-") if self.direction == "backward" else ("forward selection", "+")
        names = format_subset(self._mask, self._features)
        bounds = f"guaranteed at most {self.bound}, sharp {self.sharp_bound}"
        error = f"{self.model.error.name} {to_text(self.error)}{on_sample(self.model.error)}"
        head = [f"{names} by {title}, {self.stop}: {error}"]
        head += [f"  {to_text(self.least_error, 0)} with all features; {bounds}"]
        steps = [f"  {i}. {sign}{step}" for i, step in enumerate(self.trace, 1)]
        return "\n".join([*head, *steps, *decided_by_order(self.trace)])


class _Walk:
    """A walk through the subsets: where it is, what it has summed up, and the steps made."""

    def __init__(self, d: Data, stop: StoppingRule, model: ErrorModel, forward: bool) -> None:
        self.features, self.stop, self.model, self.forward = d.features, stop, model, forward
        self.full = 2 ** len(d.features) - 1
        self.mask, self.total = 0 if forward else self.full, LogSum.of(0)
        self.trace: list[CMIStep] = []
        self.entropies = set_function(d, "logarithmic")

    def run(self, sequence: tuple[int, ...]) -> CMISelection:
        """Make steps until the rule stops them or none is left; ties fall to the first feature in the sequence."""
        while self.mask != (self.full if self.forward else 0) and not self._is_enough():
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
        scored = [(self.features[i], self._score(1 << i)) for i in free]
        best = chosen_step(names_of(self.mask, self.features), scored, self.forward)
        after = self.mask ^ 1 << self.features.index(best.chosen)
        score = dict(scored)[best.chosen]
        total, lost = self.total + score, self.lost(after)
        made = self._allows(score, total, last=len(free) == 1)
        bounds = self.model.bound(lost), self.model.bound(lost, sharp=True)
        error = self.model.error_at(after)
        moved = (best.subset, best.values, best.chosen, best.tied, made)
        return CMIStep(*moved, total=total, lost=lost, error=error, bound=bounds[0], sharp_bound=bounds[1]), after

    def _is_enough(self) -> bool:
        """Say whether the rule stops before it looks at another feature."""
        if isinstance(self.stop, FeatureCountRule):
            return self.mask.bit_count() == self.stop.k
        if isinstance(self.stop, ErrorRule) and self.forward and not self.stop.printed:
            return self._within(self.lost(self.mask), self.stop)
        return False

    def _allows(self, score: LogSum, total: LogSum, *, last: bool) -> bool:
        """Say whether the rule lets the move be made."""
        stop = self.stop
        if isinstance(stop, ErrorRule) and stop.printed:  # the last step T is not among those that A_T is made of
            return total * self.model.scale < self.model.threshold(stop.delta) and not last
        if isinstance(stop, ErrorRule):
            return self.forward or self._within(total, stop)
        if isinstance(stop, FeatureScoreRule):
            return score >= stop.threshold if self.forward else score <= stop.threshold
        if isinstance(stop, ScoreDifferenceRule) and self.trace:
            before = self.trace[-1].value
            fall: LogSum = before - score if self.forward else score - before
            return fall <= stop.threshold
        return True

    def _within(self, lost: LogSum, stop: ErrorRule) -> bool:
        """Say whether the loss of so much information keeps the error within delta of the least, by the theorem."""
        scale = self.model.sharp_scale if stop.sharp else self.model.scale
        return lost * scale <= self.model.threshold(stop.delta)

    def _score(self, feature: int) -> LogSum:
        """Return the conditional mutual information of a feature and the class, given the others selected."""
        others = self.mask & ~feature
        return self._entropy(others) - self._entropy(others | feature)

    def lost(self, mask: int) -> LogSum:
        """Return nu: what the class loses in information when only the features of a mask are left."""
        return self._entropy(mask) - self._entropy(self.full)

    def _entropy(self, mask: int) -> LogSum:
        value = self.entropies.at(mask)
        assert isinstance(value, LogSum)
        return value


def cmi_elimination(
    d: Data,
    stop: StoppingRule,
    *,
    problem: Problem = "classification",
    bound: Exact | None = None,
    order: Iterable[str] | None = None,
) -> CMISelection:
    """Remove features, each time the one that tells least about the class given the others.

    Parameters
    ----------
    d : JointDistribution or Sample
        Of a sample, errors and bounds are those of its empirical distribution.
    stop : StoppingRule
        `ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule` or `FeatureCountRule`.
    problem : {'classification', 'regression'}
        Whether the error is the probability of a wrong class or the mean squared error; for regression the classes
        are numbers.
    bound : exact number, optional
        For regression, B with ``|Y| <= B``; the largest ``|y|`` that is possible, if not given.
    order : iterable of str, optional
        All features: of candidates that tell equally little the first in this order is removed.

    Returns
    -------
    CMISelection
        With the exact conditional mutual information of every candidate at each step, the error and the bounds on it.

    Notes
    -----
    With `ErrorRule` the error is at most delta above that of all features, as printed and corrected, because nu(A) is
    the sum of the scores of the features removed; every decision is exact. The error after a removal is bounded by
    Theorem 3 (classification) or Theorem 1. Complexity: n(n + 1)/2 conditional entropies. Source: Beraha et al. (2019),
    Section IV, Backward Elimination; Section VI for the stopping rules.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.copies()
    >>> cmi_elimination(d, ErrorRule(0)).features, cmi_elimination(d, ErrorRule(0, printed=True)).features
    (('X2',), ('X1', 'X2'))
    """
    require_data(d)
    walk = _Walk(d, require_rule(stop, len(d.features)), error_model(d, problem, bound), forward=False)
    return walk.run(feature_order(order, d.features))


def cmi_selection(
    d: Data,
    stop: StoppingRule,
    *,
    problem: Problem = "classification",
    bound: Exact | None = None,
    order: Iterable[str] | None = None,
) -> CMISelection:
    """Add features, each time the one that tells most about the class given those added.

    Parameters
    ----------
    d, stop, problem, bound
        As of `cmi_elimination`.
    order : iterable of str, optional
        All features: of candidates that tell equally much the first in this order is added first.

    Returns
    -------
    CMISelection
        With the exact conditional mutual information of every candidate at each step, the error and the bounds on it.

    Notes
    -----
    With `ErrorRule` features are added until what the others still tell, nu = I(Y; X) - I(Y; selected), bounds the
    excess error by delta. As printed, the rule requires a gain of information instead, and its guarantee fails in
    general: see `guarantee`. Complexity: n(n + 1)/2 conditional entropies at most. Source: Beraha et al. (2019),
    Section IV, Forward Selection.

    Examples
    --------
    >>> from fstheory import gallery
    >>> cmi_selection(gallery.titanic(), ErrorRule("1/4")).features
    ('sex', 'class')
    >>> cmi_selection(gallery.titanic(), ErrorRule("1/4", sharp=True)).features
    ('sex',)
    """
    require_data(d)
    walk = _Walk(d, require_rule(stop, len(d.features)), error_model(d, problem, bound), forward=True)
    return walk.run(feature_order(order, d.features))
