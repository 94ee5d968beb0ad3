"""Theorem 7: a feature is in S* if the Bayes classifier can change when the feature is measured again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from fstheory._display import Shown
from fstheory._exact import readable
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.selection.kohavi_john import bayes_labels, varying_fibers
from fstheory.selection.result import MinimalOptimal
from fstheory.subsets import indices_of, mask_of

__all__ = ["ResamplingTest", "resampling", "resampling_probability"]

_SHOWN_STATES = 2**12


@dataclass(frozen=True)
class ResamplingTest(Shown):
    """One test of Theorem 7: whether the Bayes classifier can change when a feature is measured again.

    Attributes
    ----------
    candidate : str
        The feature Xi.
    removed : bool
        Whether P(g*(not Xi, Xi) != g*(not Xi, Xi')) = 0, so that Xi is removed.
    probability : Fraction
        That probability, summed when it is asked for.

    Examples
    --------
    >>> from fstheory import gallery
    >>> first = resampling(gallery.xor()).trace[0]
    >>> first.candidate, first.removed, first.probability
    ('X1', False, Fraction(1, 2))
    """

    candidate: str
    removed: bool
    distribution: JointDistribution = field(repr=False)

    @property
    def probability(self) -> Fraction:
        """The exact probability that the class changes; see `resampling_probability`."""
        return Fraction(0) if self.removed else resampling_probability(self.distribution, self.candidate)

    def __str__(self) -> str:
        return "{}: {}, {}".format(*self.row)

    @property
    def row(self) -> tuple[str, str, str]:
        """The candidate, what was found and what followed, in words."""
        if self.removed:
            return self.candidate, "another class when measured again: P = 0", "removed"
        few = self.distribution.weights.size <= _SHOWN_STATES
        value = f"= {readable(self.probability)}" if few else "> 0"
        return self.candidate, f"another class when measured again: P {value}", "kept"


def resampling(d: JointDistribution) -> MinimalOptimal:
    """Return the features that can change the Bayes classifier when measured again: the characterization of Theorem 7.

    Returns
    -------
    MinimalOptimal
        Each step of its `trace` has the exact `probability` P(g*(not Xi, Xi) != g*(not Xi, Xi')).

    Notes
    -----
    g* takes the first, in the order of ``d.classes``, of several likeliest classes. Only states of positive
    probability count.

    1. With both assumptions the set is S* (Theorem 7).
    2. With a single maximum alone it is the intersection of all solutions, as for `one_shot`: two
       classifiers of minimal risk agree wherever p(x) > 0.
    3. With p(x) > 0 alone it has minimal risk, because g* depends on these features only, and it contains that
       intersection; it need not be minimal, and another tie rule may give another set.
    4. With neither it contains the intersection. Nothing else is certain.

    Complexity: n passes over the states of the features. Source: Peña and Nilsson (2010), Theorem 7.

    Examples
    --------
    >>> from fstheory import gallery
    >>> result = resampling(gallery.ties())  # where X1 and X2 differ, both classes are equally likely
    >>> sorted(result.features), [test.probability for test in result.trace], result.is_solution
    (['X1', 'X2'], [Fraction(1, 4), Fraction(1, 4)], False)
    """
    require_distribution(d)
    labels = bayes_labels(d.weights)
    trace = tuple(ResamplingTest(name, not varying_fibers(labels, i).any(), d) for i, name in enumerate(d.features))
    kept = frozenset(test.candidate for test in trace if not test.removed)
    return MinimalOptimal(d, "resampling", kept, trace, len(trace))


def resampling_probability(d: JointDistribution, feature: str) -> Fraction:
    """Return P(g*(not Xi, Xi) != g*(not Xi, Xi')), with Xi' a second measurement of the feature.

    Xi and Xi' are independent and identically distributed given the other features; g* is the Bayes
    classifier over all features, which takes the first of several likeliest classes.

    Parameters
    ----------
    d : JointDistribution
    feature : str

    Returns
    -------
    Fraction
        The sum over the states z of the other features with p(z) > 0 of
        p(z) - (sum over the classes y of p(z, g* = y)**2) / p(z).

    Notes
    -----
    Complexity: a pass over the table, and a sum of one fraction for each different p(z) among the states z next to
    which the classifier depends on the feature. Of many features with large weights its denominator is huge. Source:
    Peña and Nilsson (2010), Theorem 7.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> resampling_probability(JointDistribution([[2, 1], [1, 2]]), "X1")
    Fraction(1, 2)
    """
    require_distribution(d)
    (axis,) = indices_of(mask_of([feature], d.features, "feature"))
    labels = bayes_labels(d.weights)
    varying = varying_fibers(labels, axis)
    fibers = np.moveaxis(labels, axis, -1)[varying]
    masses = np.moveaxis(d.weights.sum(axis=-1), axis, -1)[varying]
    changed: Counter[int] = Counter()  # p(z) times the probability of a change there, by the weight of z
    for classes, weights in zip(fibers.tolist(), masses.tolist(), strict=True):
        same: Counter[int] = Counter()
        for label, weight in zip(classes, weights, strict=True):
            same[label] += weight  # a state of probability 0 has a label of its own and no weight
        whole = sum(weights)
        changed[whole] += whole**2 - sum(weight**2 for weight in same.values())
    return _sum([Fraction(above, whole) for whole, above in changed.items()]) / d.total


def _sum(terms: list[Fraction]) -> Fraction:
    """Add fractions by halves, so that few of the sums have large denominators."""
    if len(terms) <= 1:
        return terms[0] if terms else Fraction(0)
    middle = len(terms) // 2
    return _sum(terms[:middle]) + _sum(terms[middle:])
