"""What elimination and selection by conditional mutual information share: scores, rules, the record of a step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from fstheory._rational import Exact
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.logsum import LogSum
from fstheory.selection.cmi_result import CMISelection, CMIStep
from fstheory.selection.error_bound import Problem, error_model
from fstheory.selection.greedy import chosen_step
from fstheory.selection.order import feature_order
from fstheory.selection.set_function import set_function
from fstheory.selection.stopping import (
    ErrorRule,
    FeatureCountRule,
    FeatureScoreRule,
    ScoreDifferenceRule,
    StoppingRule,
    require_rule,
)
from fstheory.subsets import names_of

__all__ = ["Walk"]


class Walk:
    """A walk through the subsets: where it is, what it has summed up, and the steps made."""

    def __init__(
        self,
        d: JointDistribution,
        stop: StoppingRule,
        problem: Problem,
        bound: Exact | None,
        order: Iterable[str] | None,
        direction: Literal["backward", "forward"],
    ) -> None:
        require_distribution(d)
        self.features = d.features
        self.stop = require_rule(stop, len(d.features))
        self.model = error_model(d, problem, bound)
        self.sequence = feature_order(order, d.features)
        self.direction = direction
        self.full = 2 ** len(d.features) - 1
        self.mask = self.full if direction == "backward" else 0
        self.total = LogSum.of(0)
        self.trace: list[CMIStep] = []
        self._entropies = set_function(d, "logarithmic")

    @property
    def forward(self) -> bool:
        """Whether features are added."""
        return self.direction == "forward"

    def run(self) -> CMISelection:
        """Make steps until the rule stops them or none is left."""
        while self.mask != (self.full if self.forward else 0) and not self._is_enough():
            step, after = self._next_step()
            self.trace.append(step)
            if not step.made:
                break
            self.mask, self.total = after, step.total
        names = [self.features[i] for i in self.sequence if self.mask >> i & 1]
        if self.forward:
            names = [step.chosen for step in self.trace if step.made]
        information = self._lost(0)
        return CMISelection(
            self.direction, self.stop, tuple(names), tuple(self.trace), self.model, information, self._lost(self.mask)
        )

    def _next_step(self) -> tuple[CMIStep, int]:
        free = [i for i in self.sequence if bool(self.mask >> i & 1) != self.forward]
        scored = [(self.features[i], self._score(1 << i)) for i in free]
        subset = names_of(self.mask, self.features)
        best = chosen_step(subset, scored, self.forward)
        after = self.mask ^ 1 << self.features.index(best.chosen)
        score = dict(scored)[best.chosen]
        total = self.total + score
        lost = self._lost(after)
        return CMIStep(
            subset=subset,
            values=tuple(scored),
            chosen=best.chosen,
            tied=best.tied,
            made=self._allows(score, total, last=len(free) == 1),
            total=total,
            lost=lost,
            error=self.model.error_at(after),
            bound=self.model.bound(lost),
            sharp_bound=self.model.bound(lost, sharp=True),
        ), after

    def _is_enough(self) -> bool:
        """Say whether the rule stops before it looks at another feature."""
        if isinstance(self.stop, FeatureCountRule):
            return self.mask.bit_count() == self.stop.k
        if isinstance(self.stop, ErrorRule) and self.forward and not self.stop.printed:
            return self._within(self._lost(self.mask), self.stop)
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

    def _lost(self, mask: int) -> LogSum:
        return self._entropy(mask) - self._entropy(self.full)

    def _entropy(self, mask: int) -> LogSum:
        value = self._entropies.at(mask)
        assert isinstance(value, LogSum)
        return value
