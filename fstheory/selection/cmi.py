"""Backward elimination and forward selection by conditional mutual information, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from fstheory._check import Check
from fstheory._display import Shown
from fstheory._exact import Exact, both, readable
from fstheory.distribution import Data, require_data
from fstheory.reals import LogSum
from fstheory.selection.greedy import SelectionStep, chosen_step, decided_by_order, feature_order, on_sample, shown
from fstheory.selection.set_functions import set_function
from fstheory.selection.stopping import (
    ErrorBound,
    ErrorModel,
    ErrorRule,
    FeatureCountRule,
    FeatureScoreRule,
    Problem,
    ScoreDifferenceRule,
    StoppingRule,
    error_model,
    require_rule,
)
from fstheory.subsets import format_subset, mask_of, names_of

if TYPE_CHECKING:
    from fstheory.viz import LatticeFigure

__all__ = ["CMISelection", "CMIStep", "cmi_elimination", "cmi_selection"]


@dataclass(frozen=True, repr=False)
class CMIStep(SelectionStep):
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

    values: tuple[tuple[str, LogSum], ...]
    made: bool
    total: LogSum
    lost: LogSum
    error: Fraction
    bound: ErrorBound
    sharp_bound: ErrorBound

    @property
    def score(self) -> LogSum:
        """The conditional mutual information of the chosen one."""
        return dict(self.values)[self.chosen]

    def __str__(self) -> str:
        line = f"{super().__str__()}; sum {shown(self.total)}; "
        if not self.made:
            return f"{line}not made, error would be {readable(self.error)}"
        return f"{line}error {readable(self.error)} <= {self.bound}"


@dataclass(frozen=True, repr=False)
class CMISelection(Shown):
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
            statement = f"error <= {readable(self.least_error)} + {readable(delta)}"
            return Check(statement, error <= limit, left=error, right=limit)
        claim = self.model.bound(self.information)
        right = ErrorBound(claim.least - delta, claim.excess, claim.root)
        return Check(f"error <= {claim} - {readable(delta)}", right.allows(error), left=error, right=right)

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
        error = f"{self.model.error.name} {both(self.error)}{on_sample(self.model.error)}"
        head = [f"{names} by {title}, {self.stop}: {error}"]
        head += [f"  {readable(self.least_error)} with all features; {bounds}"]
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
        subset = names_of(self.mask, self.features)
        best = chosen_step(subset, scored, self.forward)
        after = self.mask ^ 1 << self.features.index(best.chosen)
        score = dict(scored)[best.chosen]
        total, lost = self.total + score, self.lost(after)
        made = self._allows(score, total, last=len(free) == 1)
        bounds = self.model.bound(lost), self.model.bound(lost, sharp=True)
        error = self.model.error_at(after)
        return CMIStep(subset, tuple(scored), best.chosen, best.tied, made, total, lost, error, *bounds), after

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
            before = self.trace[-1].score
            return (before - score if self.forward else score - before) <= stop.threshold
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
