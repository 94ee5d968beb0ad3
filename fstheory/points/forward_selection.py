"""Forward selection by the relative certainty gain, with the printed test and with corrected ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._clock import Clock, Progress
from fstheory._display import Shown, few
from fstheory._exact import as_index, both
from fstheory.distribution.rows import generator
from fstheory.errors import InvalidValueError, explain, require_choice
from fstheory.points.certainty_gain import CertaintyGain, require_classes
from fstheory.points.distance_graphs import GraphKind, GraphTies, edges_of_rows, graph_of, sum_of_squares
from fstheory.points.label_permutations import LabelPermutations
from fstheory.points.mixed_points import Points, require_points
from fstheory.points.neighborhoods import statistic
from fstheory.points.point_set import Label

__all__ = ["CertaintyGainSelection", "CertaintyGainStep", "NullKind", "select_by_certainty_gain"]

NullKind: TypeAlias = Literal["printed", "moments", "exact", "permutation"]


@dataclass(frozen=True, repr=False)
class CertaintyGainStep(Shown):
    """A feature that was added, or the best one where the walk stopped.

    Attributes
    ----------
    feature : str
    gain : CertaintyGain
        With the features before it.
    evidence : Fraction
        What features are compared by, the larger the better. For 'printed' and 'moments' z times its absolute value;
        for 'exact' and 'permutation' less the p-value.
    accepted : bool
    rivals : mapping of str to Fraction
        The evidence of every feature that could have been added.

    Examples
    --------
    >>> from fstheory.points import PointSet, select_by_certainty_gain
    >>> points = PointSet([[0, 3], [1, 0], [3, 8], [7, 1], [8, 6], [10, 2]], "aaabbb")
    >>> step = select_by_certainty_gain(points, null="exact").trace[0]
    >>> step.feature, step.evidence, step.rivals["X2"]
    ('X1', Fraction(-1, 10), Fraction(-1, 1))
    """

    feature: str
    gain: CertaintyGain
    evidence: Fraction
    accepted: bool
    rivals: Mapping[str, Fraction]


@dataclass(frozen=True, repr=False)
class CertaintyGainSelection(Shown):
    """What the forward selection by the relative certainty gain took, and why it stopped.

    Attributes
    ----------
    features : tuple of str
        In the order in which they were taken.
    null : {'printed', 'moments', 'exact', 'permutation'}
    trace : tuple of CertaintyGainStep
        The steps; the last is the refused one, unless a limit or the features ended the walk.

    Examples
    --------
    >>> from fstheory.points import PointSet, select_by_certainty_gain
    >>> points = PointSet([[0, 3], [1, 0], [3, 8], [7, 1], [8, 6], [10, 2]], "aaabbb")
    >>> print(select_by_certainty_gain(points, null="exact"))
    forward selection by the relative certainty gain: X1
      + X1: relative certainty gain 2/3 ≈ 0.6667, p-value 1/10 = 0.1
      stopped: with X2 2/3 ≈ 0.6667, p-value 1/10 = 0.1
    """

    features: tuple[str, ...]
    null: NullKind
    trace: tuple[CertaintyGainStep, ...]

    def __str__(self) -> str:
        lines = [f"forward selection by the relative certainty gain: {few(str, self.features, 12) or 'no feature'}"]
        for step in self.trace:
            root = math.copysign(abs(float(step.evidence)) ** 0.5, step.evidence)
            worth = f"p-value {both(-step.evidence)}"
            if self.null == "permutation":  # the share of those drawn is no exact number
                worth = f"p-value estimated {float(-step.evidence):.4g}"
            elif self.null != "exact":
                worth = f"z ≈ {root:.4g}"
            start = f"+ {step.feature}: relative certainty gain" if step.accepted else f"stopped: with {step.feature}"
            lines.append(f"  {start} {both(step.gain.value)}, {worth}")
        return "\n".join(lines)


def select_by_certainty_gain(
    points: Points | Any,
    *,
    labels: Iterable[Label] | None = None,
    graph: GraphKind = "mst",
    null: NullKind = "moments",
    ties: GraphTies = "refuse",
    max_features: int | None = None,
    trials: int | None = None,
    rng: int | np.random.Generator | None = None,
    progress: Progress = None,
) -> CertaintyGainSelection:
    """Add features one at a time, each the one that takes the graph farthest from labels at random.

    Parameters
    ----------
    points : PointSet, MixedPoints, DataFrame or array
        A table needs `labels`.
    labels : iterable of int or str, optional
    graph : {'mst', '1nn'}
    null : {'moments', 'printed', 'exact', 'permutation'}
        What decides between subsets, and stops the walk where it gets no better: z with the exact mean and variance
        under permutation of the labels; z as the paper prints it, with (n - 1)(k - 1) and 2(n - 1)(k - 1); the exact
        p-value under permutation (two classes on a forest, or few labelings); the p-value in a sample of permutations.
    ties : {'refuse', 'first', 'all'}
        As in `relative_certainty_gain`. In few features points often coincide: 'first' says what to do then.
    max_features : int, optional
        Stop when so many are taken.
    trials, rng
        For 'permutation' only: how many permutations, and a seed or generator. Every subset sees the same ones.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    CertaintyGainSelection

    Raises
    ------
    InvalidTypeError, InvalidValueError, TooLargeError
        As in `relative_certainty_gain`; the distance depends on the labels and the null distribution is not the
        printed one; the exact law is out of reach.

    Notes
    -----
    The first feature is always taken, as in the paper, whose critical probability starts at 1. Of equally good
    features the first is taken. Probabilities are never compared where they would round to 0 or 1: z is, exactly. The
    printed normal and chi-square tests order subsets in the same way, since they depend on the statistic alone.
    Complexity: with p features, n points and s steps, order of s p n**2; for 'exact' as many laws, of which one of 300
    points may take minutes.

    References
    ----------
    M. Sebban and R. Nock (2002), Section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from fstheory.points import select_by_certainty_gain
    >>> x = np.random.default_rng(0).normal(size=(60, 5))
    >>> select_by_certainty_gain(x, labels=[int(row[3] > 0) for row in x]).features
    ('X4',)
    """
    require_choice(graph, "graph", get_args(GraphKind))
    require_choice(null, "null", get_args(NullKind))
    require_choice(ties, "ties", get_args(GraphTies))
    found = require_points(points, labels)
    require_classes(CertaintyGain(frozenset(), found.labels))
    most = len(found.features) if max_features is None else as_index(max_features, "max_features", at_least=1)
    _require_null(found, null, trials, rng)
    seed = None if rng is None else int(generator(rng).integers(2**63))
    taken: list[str] = []
    trace: list[CertaintyGainStep] = []
    squares: Any = 0  # of the features taken
    with Clock(None, progress) as clock:
        while len(taken) < min(most, len(found.features)):
            rivals, edges = dict[str, Fraction](), {}
            for name in found.features:
                if name in taken:
                    continue
                clock.tick(lambda: f"{len(taken)} features taken, {len(rivals)} looked at for the next")  # noqa: B023
                edges[name] = graph_of(squares + sum_of_squares(found, [name]), graph, ties)
                rivals[name] = _evidence(edges[name], found.labels, null, trials, seed)
            best = max(rivals, key=rivals.__getitem__)
            accepted = not trace or rivals[best] > trace[-1].evidence
            gain = CertaintyGain(edges_of_rows(edges[best]), found.labels, graph, found.sees_labels)
            trace.append(CertaintyGainStep(best, gain, rivals[best], accepted, rivals))
            clock.tell(f"{'took' if accepted else 'refused'} {best}, {len(taken) + accepted} features")
            if not accepted:
                break
            taken.append(best)
            squares = squares + sum_of_squares(found, [best])
    return CertaintyGainSelection(tuple(taken), null, tuple(trace))


def _require_null(points: Points, null: NullKind, trials: int | None, rng: object) -> None:
    """Refuse what does not go together."""
    if null != "printed" and points.sees_labels:
        repair = "make the points with categories='overlap', or pass null='printed'"
        raise InvalidValueError(explain("points", "under a distance that does not look at labels", "HVDM", repair))
    if null == "permutation":
        as_index(trials, "trials", at_least=1)
        generator(rng)
    elif trials is not None or rng is not None:
        value = trials if trials is not None else rng
        raise InvalidValueError(explain("trials and rng", "left out unless null is 'permutation'", value, "drop them"))


def _evidence(edges: Any, labels: tuple[Label, ...], null: NullKind, trials: int | None, seed: int | None) -> Fraction:
    """Return what says how far a graph is from labels at random: a signed square of z, or less a p-value."""
    value = statistic(edges, labels)
    counts = tuple(Counter(labels).values())
    if null == "printed":
        freedom = (len(labels) - 1) * (len(counts) - 1)
        return _signed_square(value - freedom, Fraction(2 * freedom))
    law = LabelPermutations(len(labels), edges, counts)
    if null == "moments":
        return _signed_square(value - law.mean, law.variance)
    if null == "exact":
        return -law.tail(value)
    assert trials is not None
    assert seed is not None
    hits = sum(times for drawn, times in law.sample(trials, rng=seed).counts.items() if drawn >= value)
    return -Fraction(1 + hits, 1 + trials)


def _signed_square(gap: Fraction, variance: Fraction) -> Fraction:
    """Return z times its absolute value, which orders as z does; 0 where nothing varies."""
    return gap * abs(gap) / variance if variance else Fraction(0)
