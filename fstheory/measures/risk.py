"""Bayes classifiers and Bayes risks of feature subsets, exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from fstheory._support.exact import to_text
from fstheory.distributions.build import Label
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, DataLike, counted, counts_by_subset
from fstheory.lattice.columns import RationalColumn
from fstheory.lattice.subsets import Subset
from fstheory.lattice.sweep import Array, maximum_sums
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criterion import Criterion, Predictor, State, cells_by_state
from fstheory.numbers.limbs import IntegerArray

# The bytes for each subset and for each weight, for each 63 bits of the total. Peaks by tracemalloc: machine integers
# take 42 bytes a subset of binary features with 2 classes, 104 with 4 classes, and 12 to 18 a weight if there are few
# subsets; totals of 100 bits take 223, 381 and 110. Features with one state take 70 a subset for each 63 bits.
_BYTES = (32, 20)
_LARGE_BYTES = (64, 60)


@dataclass(frozen=True)
class ZeroOneLoss(Criterion[Fraction]):
    """The least error probability of a classifier, for any number of classes."""

    name: str = "0-1 loss"
    symbol: ClassVar[str] = "R"
    additive: ClassVar[bool] = True

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        """Return the sum over the states s of p(s) - max_y p(s, y)."""
        most = reduce(np.maximum, np.moveaxis(cells, -1, 0))  # NumPy reduces short rows slowly
        return Fraction(int(cells.sum()) - int(most.sum()), d.total)

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Label]:
        """Return the optimal predictor that sees these features."""
        return Predictor.of(self.seen(d, subset), lambda cell: _likeliest(d, cell))

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        words = -(-d.total.bit_length() // 63)
        per_subset, per_weight = _BYTES if d.weights.dtype != object else _LARGE_BYTES
        return per_subset * words, per_weight * words

    def _column(self, d: JointDistribution, threads: int) -> RationalColumn:
        return RationalColumn(maximum_sums(d.weights, threads=threads).affine(-1, d.total), d.total)

    def _grouped(self, s: Data, most: int | None) -> SubsetTable[Fraction]:
        total = counted(s).total
        wrong = {mask: total - int(cells.max(axis=1).sum()) for mask, cells in counts_by_subset(s, most)}
        masks = np.array(sorted(wrong), dtype=np.int64)
        errors = IntegerArray.from_ints([wrong[mask] for mask in masks.tolist()])
        return SubsetTable(s.features, RationalColumn(errors, total), masks, name=self.name, symbol=self.symbol)


def _likeliest(d: JointDistribution, cell: list[int]) -> tuple[Label, ...]:
    top = max(cell)
    return tuple(label for label, weight in zip(d.classes, cell, strict=True) if weight == top)


_RISK = ZeroOneLoss("Bayes risk")


def bayes_risk(d: DataLike, subset: Subset) -> Fraction:
    """Return the Bayes risk of a feature subset: the least error probability of a classifier that sees only the subset.

    It is R(S) = 1 - sum over the states s of S of max_y p(s, y). For a sample, it is the share of the
    rows that the majority table over the subset gets wrong; see `risk_estimates`. The computation takes one pass over
    the cells, or over the distinct rows. Source:
    Peña and Nilsson (2010), Section 2; Devroye, Györfi and Lugosi (1996), Theorem 2.1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> bayes_risk(gallery.titanic(), {"sex"})
    Fraction(493, 2201)
    """
    return _RISK.value(d, subset)


def bayes_risks(d: DataLike, *, max_size: int | None = None, threads: int = 1) -> SubsetTable[Fraction]:
    """Return a table of the exact Bayes risks of all 2**n feature subsets.

    Use it to compare subsets: ``table[subset]`` is the risk of a subset, and ``table.best_of_size(k)`` finds the best
    subsets of k features. `bayes_risk` computes the risk of one subset. Source: Peña and Nilsson (2010), Section 2.

    Complexity: all subsets of a distribution take prod(c_i + 1) additions for each class but one, so 3**n for binary
    features. If one class is the likeliest in every cell of a block of states, the block is skipped. The same
    holds for a sample with few joint states. Otherwise the distinct rows of a sample are grouped once for each subset.

    Parameters
    ----------
    d : JointDistribution or Sample
    max_size : int, optional
        The largest size of the subsets in the table. It is required for a sample with more than 2**18 subsets.
    threads : int
        The number of threads that share the work. The risks do not depend on it.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> bayes_risks(gallery.titanic()).best_of_size(1).value
    Fraction(493, 2201)
    """
    return _RISK.table(d, max_size=max_size, threads=threads)


@dataclass(frozen=True, repr=False)
class BayesClassifier(Predictor[Label]):
    """The Bayes classifier over the features that it sees, and its error probability.

    Called with a state of its features, the classifier returns the likeliest class. If several classes are equally
    likely, it returns the first of them in the order of ``d.classes``; `maximizers` returns all of them.
    """

    risk: Fraction

    __hash__ = Predictor.__hash__

    def maximizers(self, state: Mapping[str, Any]) -> tuple[Label, ...]:
        """Return every class that is most likely in a state of the features.

        In a state of probability 0 all classes are.
        """
        return self._optimal(self._read(state))

    def table(self) -> dict[State, tuple[Label, ...]]:
        """Return the maximizers of every state of the features, in the order of the cells."""
        return dict(self.choices)

    def _head(self) -> str:
        return f"Bayes classifier of {', '.join(self.features) or 'no features'}: risk {to_text(self.risk)}"


def bayes_classifier(d: DistributionLike, subset: Subset | None = None) -> BayesClassifier:
    """Return the Bayes classifier over a feature subset, by default over all features: g*(x) = argmax_y p(y|x).

    Examples
    --------
    >>> from fstheory import bayes_classifier, gallery
    >>> bayes_classifier(gallery.titanic(), {"sex"}).table()
    {('male',): ('no',), ('female',): ('yes',)}
    """
    d = as_distribution(d)
    seen = d if subset is None else d.marginal(subset)
    choices = {state: _likeliest(seen, cell) for state, cell in cells_by_state(seen)}
    free = frozenset(state for state, cell in cells_by_state(seen) if not any(cell))
    return BayesClassifier(seen.features, choices, free, bayes_risk(seen, seen.features))
