"""Choosing k features by a criterion: exhaustive, greedy forward, greedy backward, by score."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from fstheory._rational import as_index
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidValueError, explain
from fstheory.selection.chosen import Selection, SelectionStep
from fstheory.selection.order import feature_order
from fstheory.selection.set_function import CriterionLike, SetFunction, Value, set_function
from fstheory.subsets import names_of

__all__ = ["SelectionMethod", "checked_size", "chosen_step", "select"]

SelectionMethod: TypeAlias = Literal["greedy-forward", "greedy-backward", "score", "exhaustive"]


def select(
    d: JointDistribution,
    k: int,
    criterion: CriterionLike = "zero_one",
    method: SelectionMethod = "greedy-forward",
    *,
    order: Iterable[str] | None = None,
) -> Selection:
    """Choose k features by a criterion.

    Parameters
    ----------
    d : JointDistribution
        The empirical distribution of a sample is one, too: `JointDistribution.from_samples`.
    k : int
        Between 0 and the number of features.
    criterion : Criterion, str, SubsetTable or SetFunction
        One of `fstheory.criteria` or the name of one that needs no parameter; or a set function such as
        `s_variate` makes.
    method : {'greedy-forward', 'greedy-backward', 'score', 'exhaustive'}
        Add the best feature to those chosen, k times; take out the feature without which the rest is best, until k
        are left; judge every feature alone and take the k best; or look at every subset of k features.
    order : iterable of str, optional
        All features: of candidates that are equally good the first in this order is taken (of subsets the first in
        the lexicographic order it makes), that of ``d.features`` if not given.

    Returns
    -------
    Selection
        With the exact value of every candidate at every step, and the ties.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        `k` is not in its range, there is no such method or criterion, or `order` does not name every feature once.

    Notes
    -----
    The methods of Ahmed et al. are combinations: BayesGreedy is ``'greedy-forward'`` with the loss of interest,
    BayesScore ``'score'`` with it; MIGreedy and MIScore are the same with ``'logarithmic'``, as the conditional
    entropy orders subsets as mutual information does. Greedy forward selection is not optimal, for any of these
    criteria: see `compare_greedy`. Complexity: k(2n - k + 1)/2 values of the criterion forwards, n score by score,
    n choose k exhaustively; each at most a pass over the cells of `d`.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Algorithm 1 and Section 4.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import select
    >>> d = gallery.titanic()
    >>> print(select(d, 2))
    sex, class by greedy forward selection, 0-1 loss 477/2201 ≈ 0.2167
      1. sex 493/2201 against class 630/2201, age 706/2201
      2. class 477/2201 against age 493/2201
    >>> select(d, 1, "logarithmic", "score").features
    ('sex',)
    """
    require_distribution(d)
    function = set_function(d, criterion)
    size = checked_size(k, len(d.features))
    sequence = feature_order(order, d.features)
    if not isinstance(method, str) or method not in _METHODS:
        known = ", ".join(_METHODS)
        raise InvalidValueError(explain("method", f"one of {known}", method, "correct it"))
    return _METHODS[method](function, size, sequence)


def checked_size(k: int, n: int) -> int:
    """Return the number of features to choose, or refuse it."""
    size = as_index(k, "k")
    if size > n:
        raise InvalidValueError(explain("k", f"between 0 and {n}, the number of features", k, "pass a smaller k"))
    return size


def chosen_step(subset: frozenset[str], scored: Sequence[tuple[str, Value]], larger_is_better: bool) -> SelectionStep:
    """Return the step that takes the best candidate; of several, the first."""
    best = scored[0][1]
    for _, value in scored[1:]:
        if value > best if larger_is_better else value < best:
            best = value
    tied = tuple(name for name, value in scored if value == best)
    return SelectionStep(subset, tuple(scored), tied[0], tied)


def _forward(f: SetFunction, k: int, sequence: tuple[int, ...]) -> Selection:
    trace: list[SelectionStep] = []
    mask = 0
    for _ in range(k):
        scored = [(f.features[i], f.at(mask | 1 << i)) for i in sequence if not mask >> i & 1]
        trace.append(chosen_step(names_of(mask, f.features), scored, f.larger_is_better))
        mask |= 1 << f.features.index(trace[-1].chosen)
    return Selection("greedy-forward", f.name, tuple(s.chosen for s in trace), f.at(mask), tuple(trace), function=f)


def _backward(f: SetFunction, k: int, sequence: tuple[int, ...]) -> Selection:
    trace: list[SelectionStep] = []
    mask = 2 ** len(f.features) - 1
    while mask.bit_count() > k:
        scored = [(f.features[i], f.at(mask & ~(1 << i))) for i in sequence if mask >> i & 1]
        trace.append(chosen_step(names_of(mask, f.features), scored, f.larger_is_better))
        mask &= ~(1 << f.features.index(trace[-1].chosen))
    return Selection("greedy-backward", f.name, _in_order(mask, f, sequence), f.at(mask), tuple(trace), function=f)


def _score(f: SetFunction, k: int, sequence: tuple[int, ...]) -> Selection:
    trace: list[SelectionStep] = []
    mask = 0
    for _ in range(k):
        scored = [(f.features[i], f.at(1 << i)) for i in sequence if not mask >> i & 1]
        trace.append(chosen_step(names_of(mask, f.features), scored, f.larger_is_better))
        mask |= 1 << f.features.index(trace[-1].chosen)
    return Selection("score", f.name, tuple(s.chosen for s in trace), f.at(mask), tuple(trace), function=f)


def _exhaustive(f: SetFunction, k: int, sequence: tuple[int, ...]) -> Selection:
    best: list[int] = []
    for chosen in itertools.combinations(sequence, k):
        mask = sum(1 << i for i in chosen)
        if not best or f.benefit(mask) > f.benefit(best[0]):
            best = [mask]
        elif f.benefit(mask) == f.benefit(best[0]):
            best.append(mask)
    subsets = tuple(names_of(mask, f.features) for mask in best)
    return Selection("exhaustive", f.name, _in_order(best[0], f, sequence), f.at(best[0]), (), subsets, function=f)


def _in_order(mask: int, f: SetFunction, sequence: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f.features[i] for i in sequence if mask >> i & 1)


_METHODS: dict[str, Callable[[SetFunction, int, tuple[int, ...]], Selection]] = {
    "greedy-forward": _forward,
    "greedy-backward": _backward,
    "score": _score,
    "exhaustive": _exhaustive,
}
