"""Bayes classifiers and Bayes risks of feature subsets, exact."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fstheory._support.exact import as_index, to_text
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.result import Result, assigned, listing
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.distributions.rows import Data, Sample, counts_by_subset, require_data
from fstheory.errors import InvalidValueError, explain, require_type, unknown
from fstheory.lattice.columns import RationalColumn
from fstheory.lattice.subsets import Subset
from fstheory.lattice.sweep import maximum_sums
from fstheory.lattice.table import SubsetTable
from fstheory.numbers.limbs import IntegerArray

# Bytes a subset and a weight, for each 63 bits of the total. Peaks by tracemalloc: machine integers take 42 bytes a
# subset of binary features with 2 classes, 104 with 4 classes, and 12 to 18 a weight where subsets are few; totals of
# 100 bits take 223, 381 and 110.
_BYTES = (32, 20)
_LARGE_BYTES = (40, 60)


def bayes_risk(d: Data, subset: Subset) -> Fraction:
    """Return the Bayes risk of one feature subset: the least error probability of a classifier that sees only it.

    It is R(S) = 1 - sum over the states s of S of max_y p(s, y); of a sample, the share of it that the majority table
    over the subset gets wrong: see `risk_estimates`. It takes one pass over the cells, or the distinct rows. For all
    subsets at once use `bayes_risks`. Source: Peña and Nilsson (2010), Section 2; Devroye, Györfi and Lugosi (1996),
    Theorem 2.1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> bayes_risk(gallery.titanic(), {"sex"})
    Fraction(493, 2201)
    """
    require_data(d)
    marginal = d.marginal(subset)
    right = marginal.weights.reshape(-1, len(d.classes)).max(axis=-1)
    return 1 - Fraction(int(right.sum()), marginal.total)


def bayes_risks(d: Data, *, max_size: int | None = None, workers: int = 1) -> SubsetTable[Fraction]:
    """Return the exact Bayes risks of all 2**n feature subsets, in one pass.

    Parameters
    ----------
    d : JointDistribution or Sample
        Any cardinalities, any number of classes, weights of any size.
    max_size : int, optional
        Only of the subsets of at most so many features. A sample needs it where it has more than 2**18 subsets.
    workers : int
        Threads to use; the result does not depend on it.

    Raises
    ------
    TooLargeError
        The 2**n values do not fit in memory; of a sample, over 2**18 are asked, or subsets of over 63 features.

    Notes
    -----
    Complexity: prod(c_i + 1) additions for each class but one, 3**n for binary features, against 2**n * prod(c_i) for
    one sum per subset. Where one class is the likeliest in every cell of a block of states, the block is not opened.
    Of a sample, the distinct rows are grouped once for each subset. Source: Peña and Nilsson (2010), Section 2.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> risks = bayes_risks(gallery.titanic())
    >>> risks[{"sex", "class"}], risks.best_of_size(1).value
    (Fraction(477, 2201), Fraction(493, 2201))
    """
    require_data(d)
    threads = as_index(workers, "workers", at_least=1)
    most = None if max_size is None else as_index(max_size, "max_size")
    if isinstance(d, Sample):
        wrong = {mask: d.m - int(cells.max(axis=1).sum()) for mask, cells in counts_by_subset(d, most)}
        masks = np.array(sorted(wrong), dtype=np.int64)
        errors = IntegerArray.from_ints([wrong[mask] for mask in masks.tolist()])
        return SubsetTable(d.features, RationalColumn(errors, d.m), masks, name="Bayes risk", symbol="R")
    what, repair = "the table of all subsets", "take the marginal of fewer features"
    per_subset, per_weight = _BYTES if d.weights.dtype != object else _LARGE_BYTES
    words = -(-d.total.bit_length() // 63)
    besides = per_weight * words * d.weights.size
    require_cells((2,) * len(d.features), what, repair, per_subset * words, besides=besides)
    with enough_memory(what, repair):
        right = maximum_sums(d.weights, workers=threads)
        column = RationalColumn(right.affine(-1, d.total), d.total)
        table = SubsetTable(d.features, column, name="Bayes risk", symbol="R")
    return table if most is None else table.restrict(sizes=range(min(most, len(d.features)) + 1))


@dataclass(frozen=True, repr=False)
class BayesClassifier(Result):
    """The Bayes classifier over the features of a distribution.

    Called with the state of its features it returns a class; of several classes that are equally
    likely it takes the first in the order of ``d.classes``. `maximizers` returns all of them.
    """

    distribution: JointDistribution

    @property
    def features(self) -> tuple[str, ...]:
        """The features it sees, in order."""
        return self.distribution.features

    @property
    def risk(self) -> Fraction:
        """Its error probability, the Bayes risk of its features."""
        return bayes_risk(self.distribution, self.features)

    def maximizers(self, state: Mapping[str, Any]) -> tuple[Label, ...]:
        """Return every class that is most likely given a label for each of the features; other names are ignored.

        Where the state has probability 0 no class is likelier than another, and all are returned.
        """
        require_type(state, Mapping, "state", "a mapping from features to labels", "write {'X1': 0}")
        d = self.distribution
        cell = tuple(self._index(name, state) for name in d.features)
        weights = d.weights[cell].tolist()
        top = max(weights)
        return tuple(label for label, weight in zip(d.classes, weights, strict=True) if weight == top)

    def __call__(self, state: Mapping[str, Any]) -> Label:
        """Return the most likely class given a state of the features, the first where several tie."""
        return self.maximizers(state)[0]

    def table(self) -> dict[tuple[Label, ...], tuple[Label, ...]]:
        """Return the maximizers of every state of the features, in the order of the cells."""
        return {tuple(state.values()): self.maximizers(state) for state in self._states()}

    def ties(self) -> tuple[tuple[Label, ...], ...]:
        """Return the states of positive probability in which several classes are most likely."""
        cells = self.distribution.weights.reshape(-1, len(self.distribution.classes))
        return tuple(
            tuple(state.values())
            for state, possible in zip(self._states(), cells.max(axis=-1).tolist(), strict=True)
            if possible and len(self.maximizers(state)) > 1
        )

    def __str__(self) -> str:
        names = ", ".join(self.features) or "no features"
        states = ((assigned(state), " or ".join(map(str, self.maximizers(state)))) for state in self._states())
        return listing(
            f"Bayes classifier of {names}: risk {to_text(self.risk)}",
            states,
            math.prod(self.distribution.cardinalities),
        )

    def _states(self) -> Iterator[dict[str, Label]]:
        labels = (self.distribution.states[name] for name in self.features)
        return (dict(zip(self.features, state, strict=True)) for state in itertools.product(*labels))

    def _index(self, name: str, state: Mapping[str, Any]) -> int:
        if name not in state:
            raise InvalidValueError(explain("state", f"a label for each of {self.features}", state, f"add {name!r}"))
        labels = self.distribution.states[name]
        if state[name] not in labels:
            raise unknown(f"state of {name}", state[name], labels)
        return labels.index(state[name])


def bayes_classifier(d: JointDistribution, subset: Subset | None = None) -> BayesClassifier:
    """Return the Bayes classifier over a feature subset, by default over all features: g*(x) = argmax_y p(y|x).

    Examples
    --------
    >>> from fstheory import bayes_classifier, gallery
    >>> g = bayes_classifier(gallery.titanic(), {"sex"})
    >>> g({"sex": "female"}), g.maximizers({"sex": "male"}), g.risk
    ('yes', ('no',), Fraction(493, 2201))
    """
    require_distribution(d)
    return BayesClassifier(d if subset is None else d.marginal(subset))
