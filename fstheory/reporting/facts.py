"""What a report states: every answer on one distribution, computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from fstheory._display import Shown
from fstheory.distribution import AssumptionCheck, JointDistribution
from fstheory.reporting.criteria import CriterionOptima, Disagreement, disagreements
from fstheory.selection import MinimalOptimal, Relevance
from fstheory.table import Level, SubsetTable

__all__ = ["Facts"]


@dataclass(frozen=True, repr=False)
class Facts(Shown):
    """The answers on one distribution; `Report` says what each is."""

    name: str
    distribution: JointDistribution
    risks: SubsetTable[Fraction]
    optima: tuple[Level[Fraction], ...]
    solutions: tuple[frozenset[str], ...]
    backward: MinimalOptimal
    one_shot: MinimalOptimal
    resampling: MinimalOptimal
    relevance: Relevance
    blankets: tuple[frozenset[str], ...]
    criteria: tuple[CriterionOptima, ...]

    @property
    def positive(self) -> AssumptionCheck:
        """Whether p(x) > 0 for every x; if not, a state where it fails."""
        return self.backward.positive

    @property
    def unique_maximum(self) -> AssumptionCheck:
        """Whether p(Y|x) has a single maximum for every x with p(x) > 0; if not, a state where classes tie."""
        return self.backward.unique_maximum

    @property
    def guaranteed(self) -> bool:
        """Whether both assumptions hold, so that the theorems promise a single solution."""
        return self.positive.holds and self.unique_maximum.holds

    @property
    def is_unique(self) -> bool:
        """Whether there is one solution only."""
        return len(self.solutions) == 1

    @property
    def methods(self) -> Mapping[str, MinimalOptimal]:
        """What each method of the paper returned, by its name."""
        found = (self.backward, self.one_shot, self.resampling)
        return MappingProxyType({result.method: result for result in found})

    @property
    def agree(self) -> bool:
        """Whether there is one solution and every method returns it."""
        return self.is_unique and all(found.features == self.solutions[0] for found in self.methods.values())

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where a criterion chooses a subset that is not of least Bayes risk among those of its size."""
        return disagreements(self.criteria, self.risks)
