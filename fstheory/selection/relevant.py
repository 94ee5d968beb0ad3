"""Relevant features as Kohavi and John define them, Markov blankets, and conditional independence."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.result import Result, first_of
from fstheory.distributions.build import Label, Weights
from fstheory.distributions.counting import Rows
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import counted, listed
from fstheory.errors import InvalidValueError, TooLargeError, explain, require
from fstheory.lattice.subsets import Subset, indices_of, mask_of, minimal_masks, names_of, size_order, subset_text
from fstheory.lattice.sweep import subset_sums

_WHAT, _REPAIR = "the table of all subsets", "take the marginal of fewer features"


def conditionally_independent(d: DistributionLike, a: Subset, b: Subset, given: Subset = ()) -> bool:
    """Return whether two sets of variables are independent given a third set, decided exactly.

    They are if p(a, b | c) = p(a | c) p(b | c) for all states a and b, and for all states c of `given` with p(c) > 0.
    The three sets have features, and one of them may have the target, by its name. They must be disjoint.
    Source: Pearl, Probabilistic Reasoning in Intelligent Systems (1988), Section 3.1.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.xor()  # Y = X1 xor X2
    >>> conditionally_independent(d, {"X1"}, {"Y"}), conditionally_independent(d, {"X1"}, {"Y"}, given={"X2"})
    (True, False)
    """
    d = as_distribution(d)
    names = (*d.features, d.target)
    masks = [mask_of(subset, names, argument) for argument, subset in (("a", a), ("b", b), ("given", given))]
    for argument, shared, others in (("b", masks[1] & masks[0], "a"), ("given", masks[2] & sum(masks[:2]), "a and b")):
        both = [names[i] for i in indices_of(shared)]
        require(not both, argument, f"disjoint from {others}", "".join(both[:1]), "name each variable once")
    seen = d.marginal(names_of(functools.reduce(operator.or_, masks) & ~(1 << len(d.features)), d.features))
    places = {name: axis for axis, name in enumerate((*seen.features, seen.target))}
    of_a, of_b, of_c = ([places[names[i]] for i in indices_of(mask)] for mask in masks)
    with enough_memory("the table of the variables", "ask about fewer variables"):
        rows = listed(seen)
        states, number = rows.extended(rows.states_of(()), of_a)
        of_states = Rows([*rows.columns, states], rows.times, (*rows.shape, number))  # a takes the place of the class
        labeled = labeled_states(of_states, posterior_labels, [*of_c, *of_b])
        return not labeled.mixes(labeled.states_of(range(len(of_c)))).any()


def markov_blankets(d: DistributionLike) -> tuple[frozenset[str], ...]:
    """Return all minimal Markov blankets of the class: subsets M with p(Y|M) = p(Y|X), none contained in another.

    There is at least one. They are sorted by size, then lexicographically. Every superset of a blanket is a blanket.
    The equality is required for the states with p(x) > 0. Complexity: prod(c_i + 1) steps for cardinalities c_i.
    Source: Pearl (1988), Section 3.3; Peña and Nilsson (2010), after Example 1.

    Examples
    --------
    >>> from fstheory import gallery
    >>> [sorted(blanket) for blanket in markov_blankets(gallery.recoded())]
    [['X3'], ['X1', 'X2']]
    """
    d = as_distribution(d)
    n = len(d.features)
    require_cells((2,) * n, _WHAT, _REPAIR, 16, besides=40 * d.weights.size)  # 37 a weight, by tracemalloc
    with enough_memory(_WHAT, _REPAIR):
        rule: dict[str, Any] = {"additive": _agree, "combine": np.bitwise_or, "collect": np.bitwise_or}
        blankets = np.flatnonzero(subset_sums(_bits(d), _join, dtype=np.int8, **rule)[0] == 0)
    minimal = minimal_masks(blankets)
    return tuple(names_of(int(mask), d.features) for mask in minimal[size_order(minimal, n)])


def markov_boundary(d: DistributionLike) -> frozenset[str]:
    """Return the Markov boundary of the class: the only minimal subset M with p(Y|M) = p(Y|X).

    If there are several minimal blankets, an `InvalidValueError` lists them; `markov_blankets` returns them. There is
    only one if and only if the strongly relevant features are a blanket, and then they are the boundary. If p(x) > 0
    for all x, there is only one.
    Source: Peña and Nilsson (2010), after Example 1; Nilsson, Peña, Björkegren and Tegnér (2007), Theorem 10.

    Examples
    --------
    >>> from fstheory import gallery
    >>> sorted(markov_boundary(gallery.pena_nilsson_example_1()))
    ['X']
    """
    d = as_distribution(d)
    with enough_memory(_WHAT, _REPAIR):
        labeled = labeled_states(counted(d), posterior_labels)
        strong = [i for i, decides in enumerate(deciding(labeled)) if decides]
        if not labeled.mixes(labeled.states_of(strong)).any():
            return frozenset(d.features[i] for i in strong)
    try:
        shown = first_of((subset_text(blanket, d.features) for blanket in markov_blankets(d)), most=6)
    except TooLargeError:
        shown = "several"
    raise InvalidValueError(
        explain("d", "a distribution with a single minimal Markov blanket", d, f"it has {shown}: use markov_blankets")
    )


def _bits(d: JointDistribution) -> np.ndarray[Any, Any]:
    """Return two arrays of bits for every state: the label of its posterior, and the complement of the label.

    Both are 0 if p(x) = 0.
    """
    # Join the arrays over several states by "or". The two results share no bit if and only if all labels are equal.
    labels = posterior_labels(d.weights)
    return np.where(labels == IMPOSSIBLE, 0, np.stack([labels, ~labels]))


def _join(cells: np.ndarray[Any, Any], out: np.ndarray[Any, Any]) -> None:
    """Write 1 where a cell joins states with different labels, else 0."""
    out[0] = (cells[0] & cells[1]) != 0


def _agree(cells: np.ndarray[Any, Any]) -> bool:
    ones, zeros = (np.bitwise_or.reduce(bits, axis=None) for bits in cells)
    return not ones & zeros


Labels: TypeAlias = "npt.NDArray[np.int64]"

IMPOSSIBLE = -1
"""The label of a state of probability 0. It takes part in no comparison."""


def bayes_labels(weights: Weights) -> Labels:
    """Return the position of the first likeliest class of every state. The class is the last axis of the weights."""
    labels = weights.argmax(axis=-1).astype(np.int64)
    return np.where(weights.max(axis=-1) > 0, labels, IMPOSSIBLE)


def posterior_labels(weights: Weights) -> Labels:
    """Return a label for every state x. Two labels are equal if and only if the posteriors p(Y|x) are."""
    rows = weights.reshape(-1, weights.shape[-1])
    held = np.flatnonzero(rows.max(axis=-1) > 0)
    reduced = rows[held]
    common = np.gcd.reduce(reduced, axis=-1)
    for column in reduced.T:  # a division that broadcasts needs buffers, and NumPy crashes if there is no memory left
        column //= common
    order = np.lexsort(reduced.T)
    ordered = reduced[order]
    rises = (ordered[1:] != ordered[:-1]).any(axis=-1)
    labels = np.full(len(rows), IMPOSSIBLE, dtype=np.int64)
    labels[held[order[:1]]] = 0
    labels[held[order[1:]]] = np.cumsum(rises)
    return labels.reshape(weights.shape[:-1])


_SWEPT = 2**29  # the most cells of a sweep for one feature: about 20 s
_FACTOR = 2**31  # two factors below it have a product that fits into 64 bits


@dataclass(frozen=True)
class RelevanceWitness(Result):
    """A witness of relevance: two states of a feature with different posteriors beside one state of other features.

    Attributes
    ----------
    given : frozenset of str
        If the feature is strongly relevant, these are all other features. Otherwise they are the smallest set beside
        which the feature matters; if there are several, the lexicographically first one.
    state : mapping
        A state of each feature in `given`.
    values : tuple of two labels
        Two states of the feature, both of positive probability there, with different posteriors of the class.
    """

    feature: str
    given: frozenset[str]
    state: Mapping[str, Label] = field(hash=False)
    values: tuple[Label, Label]

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", MappingProxyType(dict(self.state)))


@dataclass(frozen=True, repr=False)
class Relevance(Result):
    """The features of a distribution in three sets by relevance, with a witness for each relevant feature."""

    strong: frozenset[str]
    weak: frozenset[str]
    irrelevant: frozenset[str]
    witnesses: Mapping[str, RelevanceWitness] = field(hash=False)
    features: tuple[str, ...]

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        return super()._content(features or self.features)

    def __post_init__(self) -> None:
        object.__setattr__(self, "witnesses", MappingProxyType(dict(self.witnesses)))

    def __str__(self) -> str:
        rows = (("strongly relevant", self.strong), ("weakly relevant", self.weak), ("irrelevant", self.irrelevant))
        return "\n".join(
            f"{name}: {', '.join(filter(group.__contains__, self.features)) or '(none)'}" for name, group in rows
        )


def relevance(d: DistributionLike) -> Relevance:
    """Sort the features into strongly relevant, weakly relevant and irrelevant ones.

    A feature Xi is strongly relevant if p(y | xi, z) != p(y | z) for some class y and some state (xi, z) of positive
    probability, where z is a state of all other features. Xi is weakly relevant if it is not strongly relevant, but the
    same holds for z a state of some of the other features. The result has the three sets, and a witness for each
    relevant feature. Source: Kohavi and John, Wrappers for feature subset selection, Artificial Intelligence 97 (1997),
    Definitions 5 and 6.

    Complexity: n passes over the table for strong relevance, and n passes for each feature that is not strongly
    relevant. If such a feature is relevant neither alone nor beside one other feature, it takes a sweep over the
    subsets of the others, of 3**(n - 1) cells for binary features. A sweep of more than 2**29 cells is refused.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(relevance(gallery.asia()))
    strongly relevant: bronc
    weakly relevant: asia, smoke, tub, lung, either, xray
    irrelevant: (none)
    """
    d = as_distribution(d)
    strong, weak, witnesses = set(), set(), {}
    with enough_memory(_WHAT, _REPAIR):
        labeled = labeled_states(counted(d), posterior_labels)
        for axis, (name, decides) in enumerate(zip(d.features, deciding(labeled), strict=True)):
            if decides:
                strong.add(name)
                witnesses[name] = _witness(d, labeled, axis)
            elif (given := _smallest_condition(d, axis)) is not None:
                weak.add(name)
                seen = d.marginal(names_of(given | 1 << axis, d.features))
                witnesses[name] = _witness(
                    seen, labeled_states(counted(seen), posterior_labels), seen.features.index(name)
                )
    irrelevant = frozenset(d.features) - strong - weak
    return Relevance(frozenset(strong), frozenset(weak), irrelevant, witnesses, d.features)


def strongly_relevant(d: DistributionLike) -> frozenset[str]:
    """Return the strongly relevant features: each changes the posterior of the class in some state of all the others.

    These are the features that all Markov blankets share. Source: Kohavi and John (1997), Definition 5.

    Examples
    --------
    >>> from fstheory import gallery
    >>> sorted(strongly_relevant(gallery.xor())), sorted(strongly_relevant(gallery.copies()))
    (['X1', 'X2'], [])
    """
    d = as_distribution(d)
    with enough_memory(_WHAT, _REPAIR):
        found = zip(d.features, deciding(labeled_states(counted(d), posterior_labels)), strict=True)
        return frozenset(name for name, decides in found if decides)


def labeled_states(rows: Rows, label: Callable[[Weights], Labels], axes: Sequence[int] | None = None) -> Rows:
    """Return the possible joint states of all features, or of some columns, as rows.

    A label of their class weights takes the place of the class.
    """
    axes = range(len(rows.shape) - 1) if axes is None else axes
    cells, state = rows.by_state(axes)
    places = np.flatnonzero(cells.max(axis=-1))
    labels = label(cells[places])
    shape = [*(rows.shape[axis] for axis in axes), int(labels.max()) + 1]
    return Rows(itertools.chain(state(places), [labels]), None, shape, distinct=True)


def deciding(labeled: Rows) -> Iterator[bool]:
    """For each feature, yield whether two possible states that differ in it alone have different labels."""
    axes = range(len(labeled.shape) - 1)
    for others in labeled.leave_one_out(axes, axes):
        yield others is not None and bool(labeled.mixes(others).any())


def _smallest_condition(d: JointDistribution, axis: int) -> int | None:
    """Return the mask of the smallest subset of the other features given which the feature changes the posterior.

    Return None if there is no such subset, so that the feature is irrelevant.
    """
    n, (states, classes) = len(d.features), (d.cardinalities[axis], len(d.classes))
    if states == 1 or classes == 1:
        return None
    name, others = d.features[axis], [i for i in range(n) if i != axis]
    for given in ((), *((i,) for i in others)):  # if at most one is enough, no sweep is needed
        if not conditionally_independent(d, [name], [d.target], [d.features[i] for i in given]):
            return sum(1 << i for i in given)
    steps, needed = math.prod(d.cardinalities[i] + 1 for i in others), f"of at most {_SWEPT:,} cells in all marginals"
    require(steps <= _SWEPT, f"d, of which {name} is looked at,", needed, steps, _REPAIR, TooLargeError)
    require_cells((2,) * (n - 1), _WHAT, _REPAIR, 2, besides=48 * d.weights.size)  # 45 a weight, by tracemalloc
    planes = np.moveaxis(d.weights, (axis, n), (0, 1)).reshape(states * classes, *np.delete(d.cardinalities, axis))
    wide = planes if d.total < _FACTOR else planes.astype(object)
    matters = subset_sums(wide, partial(_depends, states), dtype=np.int8, collect=np.bitwise_or)[0]
    masks = np.flatnonzero(matters)
    if not len(masks):
        return None
    smallest = int(masks[size_order(masks, n - 1)[0]])
    below = smallest & (1 << axis) - 1
    return below | (smallest ^ below) << 1


def _depends(states: int, cells: np.ndarray[Any, Any], out: np.ndarray[Any, Any]) -> None:
    """Write 1 where, in a cell z, p(y, x | z) != p(y | z) p(x | z) for some class y and state x, else 0."""
    table = cells.reshape(states, -1, cells.shape[-1])
    of_class, of_state = table.sum(axis=0), table.sum(axis=1)
    whole = of_class.sum(axis=0)
    unequal = np.zeros(cells.shape[-1], dtype=np.bool_)
    for x in range(states):
        for y in range(len(of_class)):
            unequal |= (table[x, y] * whole != of_state[x] * of_class[y]).astype(np.bool_)
    out[0] = unequal


def _witness(d: JointDistribution, labeled: Rows, axis: int) -> RelevanceWitness:
    """Return the witness: the first state of the other features in which two states of the feature differ."""
    name, others = d.features[axis], [i for i in range(len(d.features)) if i != axis]
    keys, _ = grouping = labeled.states_of(others)
    fiber = np.flatnonzero(keys == keys[labeled.mixes(grouping)].min())  # rows and keys are in lexicographic order
    labels = labeled.columns[-1][fiber]
    first, second = fiber[0], fiber[labels != labels[0]][0]
    values = (d.states[name][labeled.columns[axis][row]] for row in (first, second))
    state = {d.features[i]: d.states[d.features[i]][labeled.columns[i][first]] for i in others}
    one, other = values
    return RelevanceWitness(name, frozenset(state), state, (one, other))
