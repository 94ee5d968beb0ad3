"""The best subsets of each size by several criteria, and where they are not of least Bayes risk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fstheory._display import Shown
from fstheory.criteria import as_criterion, criterion_values
from fstheory.distribution import JointDistribution
from fstheory.table import Level, SubsetTable

__all__ = ["MOST_CELLS", "MOST_SUBSETS", "CriterionOptima", "Disagreement", "compare_criteria", "disagreements"]

MOST_SUBSETS = 2**10
MOST_CELLS = 2**18  # of all marginals together, times the words of 64 bits that the total takes
_TITLES = {
    "zero_one": "0-1 loss", "logarithmic": "log loss", "gini": "Gini impurity", "auc": "AUC",
    "balanced": "balanced loss",
}  # fmt: skip
_WORD = 64


@dataclass(frozen=True, repr=False)
class CriterionOptima(Shown):
    """The best subsets of each size by one criterion.

    Attributes
    ----------
    title : str
        What a report calls the criterion.
    symbol : str
    larger_is_better : bool
    optima : tuple of Level
        For k = 0, 1, .., n the best value of k features, and every subset of that size that has it.
    """

    title: str
    symbol: str
    larger_is_better: bool
    optima: tuple[Level[Any], ...]


@dataclass(frozen=True)
class Disagreement(Shown):
    """A subset that is best of its size by a criterion, and not of least Bayes risk among those of its size.

    Of several the one of greatest risk. `always` says that every best subset by the criterion has more than
    the least risk, so that no way to resolve ties helps.
    """

    size: int
    title: str
    subset: frozenset[str]
    risk: Fraction
    least: Fraction
    always: bool


def compare_criteria(d: JointDistribution, risks: SubsetTable[Fraction]) -> tuple[CriterionOptima, ...]:
    """Return the best subsets of each size by each criterion that `d` allows; none if `d` is large.

    The first is the 0-1 loss, whose values are the Bayes risks. The AUC and the balanced loss are compared for two
    classes that both occur. Large is what has more than 1024 subsets, or marginals of more than 2**18 cells times words
    of the total.
    """
    cells = math.prod(states + 1 for states in d.cardinalities) * (d.total.bit_length() // _WORD + 1)
    if len(risks) > MOST_SUBSETS or cells > MOST_CELLS:
        return ()
    compared = []
    for name, title in _TITLES.items():
        if name in {"auc", "balanced"} and not (len(d.classes) == 2 and all(d.marginal(()).weights)):
            continue
        table = risks if name == "zero_one" else criterion_values(d, name)
        optima = tuple(table.best_of_size(k) for k in range(len(d.features) + 1))
        compared.append(CriterionOptima(title, as_criterion(name).symbol, table.larger_is_better, optima))
    return tuple(compared)


def disagreements(criteria: Sequence[CriterionOptima], risks: SubsetTable[Fraction]) -> tuple[Disagreement, ...]:
    """Return where criteria choose subsets that are not of least Bayes risk, by size."""
    found = []
    for k, level in enumerate(criteria[0].optima if criteria else ()):
        for criterion in criteria[1:]:
            subsets = criterion.optima[k].subsets
            worst = max(subsets, key=risks.__getitem__)
            if risks[worst] > level.value:
                always = min(map(risks.__getitem__, subsets)) > level.value
                found.append(Disagreement(k, criterion.title, worst, risks[worst], level.value, always))
    return tuple(found)
