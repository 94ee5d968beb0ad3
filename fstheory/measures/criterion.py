"""`Criterion`, the best value of a performance measure, and `Predictor`, an optimal predictor.

`Criterion.value` computes the value of one feature subset, and `Criterion.table` the values of all subsets.
"""

from __future__ import annotations

import abc
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import numpy as np

from fstheory._support.exact import as_index, nearest_float
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.result import Result, assigned, either, listing
from fstheory.distributions.build import Label
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import (
    Data,
    DataLike,
    Sample,
    as_data,
    cells_at,
    counts_by_subset,
    is_table,
    merged,
    swept,
    tabled,
)
from fstheory.errors import InvalidValueError, ZeroProbabilityError, require, require_type, show, unknown
from fstheory.lattice.columns import Column, EnclosedColumn, Floats, V
from fstheory.lattice.subsets import Masks, Subset, mask_of
from fstheory.lattice.sweep import Array
from fstheory.lattice.table import SubsetTable

P = TypeVar("P")

State: TypeAlias = tuple[Label, ...]
"""The labels of the features that are seen, in order."""


# -- The weights of every marginal, and what the criteria ask of a distribution and of their parameters.


def every_marginal(weights: Array, most: int | None = None) -> Iterator[tuple[int, Array]]:
    """Yield every mask with the weights of its marginal, from the largest mask to 0.

    Each marginal is computed from one that has one feature more, by a sum over that feature. With `most`, only the
    masks of at most so many features are yielded.
    """
    n = weights.ndim - 1
    yield from _below(weights, n - 1, 0, n if most is None else most)


def flat(weights: Array) -> Array:
    """Return the weights of a marginal as an array of two dimensions: a row for each state, a column for each class."""
    return weights.reshape(-1, weights.shape[-1])


def is_small(weights: Array, bits: int) -> bool:
    """Return whether the weights, which are not negative, are machine integers whose sum is below 2**bits."""
    return weights.dtype != object and bits >= 0 and int(weights.sum()) < 2**bits


def _below(weights: Array, axis: int, kept: int, room: int) -> Iterator[tuple[int, Array]]:
    """Yield the marginals that keep all axes after `axis`, and at most `room` of the axes up to `axis`."""
    if axis < 0:
        yield kept, weights
        return
    if room:
        yield from _below(weights, axis - 1, kept | 1 << axis, room - 1)
    yield from _below(weights.sum(axis=axis), axis - 1, kept, room)


def positive_class(d: JointDistribution, positive: Label | None, name: str) -> int:
    """Return the position of the positive class of two classes. If none is named, the last one is positive."""
    if len(d.classes) != 2:
        found = f"{len(d.classes)} ({', '.join(map(show, d.classes[:5]))}{', ...' if len(d.classes) > 5 else ''})"
        repair = "merge classes, or take a criterion for several, such as loss_matrix"
        raise InvalidValueError(f"{name} needs two classes, not {found}; {repair}")
    if positive is None:
        return 1
    if positive not in d.classes:
        raise unknown("positive class", positive, d.classes)
    return d.classes.index(positive)


def require_classes(d: JointDistribution, name: str, positions: range | list[int]) -> None:
    """Raise an error if a class at one of these positions has probability 0. `name` is the criterion in the message."""
    weights = class_weights(d)
    for y in positions:
        if not weights[y]:
            raise ZeroProbabilityError(
                f"{name} needs every class it weighs to occur, but {d.target} = {show(d.classes[y])} has "
                "probability 0; drop the class, or take another criterion"
            )


def cells_by_state(seen: JointDistribution) -> Iterator[tuple[State, list[int]]]:
    """Yield every state of the features with its class weights."""
    states = itertools.product(*(seen.states[name] for name in seen.features))
    return zip(states, flat(seen.weights).tolist(), strict=True)


def class_weights(d: JointDistribution) -> list[int]:
    """Return the weight of each class; they sum to ``d.total``."""
    return [int(weight) for weight in cells_at(d, 0)[0]]


# -- `Criterion`: the best value of a performance measure, and `Predictor`: what an optimal predictor says.


@dataclass(frozen=True, repr=False)
class Predictor(Result, Mapping[State, P], Generic[P]):
    """An optimal predictor: a mapping from states of the features it sees to predictions.

    If several predictions are optimal in a state, the predictor takes the first of them. The choices in different
    states are independent. If it is called with a mapping, it reads the state by the names of the features.

    Attributes
    ----------
    choices : mapping from states to tuples
        The optimal predictions of each state; in a state of `free`, some of them.
    free : frozenset
        The states of probability 0, where every prediction is optimal.
    """

    features: tuple[str, ...]
    choices: Mapping[State, tuple[P, ...]]
    free: frozenset[State]

    def __hash__(self) -> int:
        return hash((self.features, frozenset(self.choices), self.free))  # a prediction may be a dict

    @classmethod
    def of(cls, seen: JointDistribution, choose: Callable[[list[int]], tuple[P, ...]]) -> Self:
        """Return the predictor that chooses by the class weights of each state.

        If a state has no weight, the predictor chooses by the class weights of all states.
        """
        prior = class_weights(seen)
        choices = {state: choose(cell if any(cell) else prior) for state, cell in cells_by_state(seen)}
        return cls(seen.features, choices, frozenset(state for state, cell in cells_by_state(seen) if not any(cell)))

    def __getitem__(self, state: State) -> P:
        return self._optimal(state)[0]

    def __iter__(self) -> Iterator[State]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __call__(self, state: Mapping[str, Any]) -> P:
        """Return the first optimal prediction for the labels of the features that it sees.

        Other features are ignored.
        """
        return self[self._read(state)]

    def _optimal(self, state: State) -> tuple[P, ...]:
        try:
            return self.choices[state]
        except (KeyError, TypeError):  # TypeError: an object that cannot be hashed is not a state
            raise unknown("state", state, self.choices) from None

    def _read(self, state: Mapping[str, Any]) -> State:
        require_type(state, Mapping, "state", "a mapping from features to labels", "write {'X1': 0}")
        missing = [repr(name) for name in self.features if name not in state]
        wanted = f"a label for each of {self.features}"
        require(not missing, "state", wanted, state, f"add {', '.join(missing)}")
        return tuple(state[name] for name in self.features)

    def __str__(self) -> str:
        states = (assigned(dict(zip(self.features, state, strict=True))) for state in self)
        chosen = map(either, self.choices.values())
        return listing(self._head(), zip(states, chosen, strict=True), len(self))

    def _head(self) -> str:
        return f"optimal predictor that sees {', '.join(self.features) or 'no features'}"

    def ties(self) -> tuple[State, ...]:
        """Return the states of positive probability with several optimal predictions, in the order of the states."""
        return tuple(state for state in self if len(self.choices[state]) > 1 and state not in self.free)


def table_of_all(
    d: JointDistribution, sizes: tuple[int, int], make: Callable[[], Column[V]], name: str, symbol: str, score: bool
) -> SubsetTable[V]:
    """Return the table of all subsets. If it would not fit in memory, raise an error before anything is computed.

    `sizes` has the bytes that the computation needs for each subset and for each weight.
    """
    what, repair = "the table of all subsets", "take the marginal of fewer features"
    require_cells((2,) * len(d.features), what, repair, sizes[0], besides=sizes[1] * d.weights.size)
    with enough_memory(what, repair):
        return SubsetTable(d.features, make(), name=name, symbol=symbol, larger_is_better=score)


_WORD = 2**63
_SHORT = 26  # bits of a total for which the AUC sorts floats

# Bytes a subset and a weight. Peaks of the AUC and the F-measure by tracemalloc: 117 bytes a subset of binary features
# and 28 a weight where subsets are few, for short totals; 279 and 117 for a machine word; 592 and 145 for longer ones.
_SHORT_BYTES, _BYTES, _LARGE_BYTES = (64, 32), (64, 128), (320, 160)


class _Values:
    """Exact values by mask. Small fractions are stored as two machine integers, which take 16 bytes instead of 250."""

    def __init__(self, count: int) -> None:
        self._fractions = np.zeros((count, 2), dtype=np.int64)
        self._others: dict[int, Any] = {}

    def __setitem__(self, mask: int, value: Any) -> None:
        if type(value) is Fraction and -_WORD <= value.numerator < _WORD and value.denominator < _WORD:
            self._fractions[mask] = value.numerator, value.denominator
        else:
            self._others[mask] = value

    def __getitem__(self, mask: int) -> Any:
        return self._others[mask] if mask in self._others else Fraction(*self._fractions[mask].tolist())


def _enclosed(centers: Floats, exact: Callable[[int], V], masks: Masks) -> EnclosedColumn[V]:
    """Return a column of exact values with their rounded values, so that few values need an exact comparison.

    A value that no float is near has an infinite radius, so that exact values decide.
    """
    radii, known = np.full(len(centers), math.inf), np.isfinite(centers)
    radii[known] = np.maximum(np.spacing(np.abs(centers[known])), np.finfo(float).tiny)
    return EnclosedColumn(np.where(known, centers, 0), radii, exact, masks)


class Criterion(Result, abc.ABC, Generic[V]):
    """A performance measure, and the best value of it that a predictor can reach on each feature subset.

    The value of a subset S is the least loss, or the largest score, of a predictor that sees only X_S. It is an exact
    number. `value` computes the value of one subset, `table` the values of all subsets, and `predictor` an optimal
    predictor. To define a criterion of your own, write a frozen dataclass with `name`, `symbol`, `of_cells` and
    `predictor`. Add `larger_is_better` if it is a score, `additive` if it is a sum over the states, and `check` if some
    distributions have no value.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.auc().table(gallery.titanic()).maximum
    Fraction(271357, 353130)
    """

    @property
    def larger_is_better(self) -> bool:
        """Whether the criterion is a score. Otherwise it is a loss."""
        return False

    @property
    def additive(self) -> bool:
        """Whether the value is a sum over the states: `of_cells` of some states adds up their parts of the value."""
        return False

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of the criterion in words."""

    @property
    @abc.abstractmethod
    def symbol(self) -> str:
        """The symbol of the criterion: one letter or a few."""

    def check(self, d: JointDistribution) -> None:
        """Refuse a distribution for which the measure is not defined. By default no distribution is refused."""

    @abc.abstractmethod
    def of_cells(self, d: JointDistribution, cells: Array) -> V:
        """Return the value of all features of a marginal, given its weights.

        The array `cells` has the shape (states, classes), and its entries sum to ``d.total``.
        """

    @abc.abstractmethod
    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[Any]:
        """Return the optimal predictor that sees these features, with every optimal choice."""

    def value(self, d: DataLike, subset: Subset) -> V:
        """Return the best value that a predictor reaches if it sees only these features, exactly."""
        d = as_data(d)
        if isinstance(d, Sample):
            return self._of_states(d.marginal(subset))
        self.check(d)
        return self._at(d, mask_of(subset, d.features))

    def table(self, d: DataLike, *, max_size: int | None = None, threads: int = 1) -> SubsetTable[V]:
        """Return the exact values of all 2**n feature subsets, or of those of at most `max_size` features.

        `threads` is the number of threads that share the work of a sweep.
        """
        d = as_data(d)
        threads = as_index(threads, "threads", at_least=1)
        most = None if max_size is None else as_index(max_size, "max_size")
        if isinstance(d, Sample):
            return self._sampled(d, most, threads)
        self.check(d)
        if not is_table(d):
            return self._sampled(d, most, threads)
        is_score = self.larger_is_better
        table = table_of_all(d, self._bytes(d), lambda: self._column(d, threads), self.name, self.symbol, is_score)
        return table if most is None else table.restrict(sizes=range(min(most, len(d.features)) + 1))

    def _of_states(self, seen: JointDistribution) -> V:
        """Return the value of all features of a distribution."""
        self.check(seen)
        return self.of_cells(seen, flat(seen.weights))

    def _sampled(self, s: Data, most: int | None, threads: int) -> SubsetTable[V]:
        """Return the values of the subsets of at most so many features. A small table of all cells is swept once."""
        has_sweep = type(self)._column is not Criterion._column
        if not has_sweep or (held := swept(s, most)) is None:
            return self._grouped(s, most)
        table = self.table(tabled(held), max_size=most, threads=threads)
        if isinstance(table.column, EnclosedColumn):  # the rows have few states, and weights in lowest terms
            table = replace(table, column=replace(table.column, exact=partial(self._at_rows, held)))
        return table

    def _at_rows(self, s: Data, mask: int) -> V:
        """Return the value of a subset of the features of a sample, or of listed cells."""
        return self._of_states(merged(s, cells_at(s, mask)))

    def _grouped(self, s: Data, most: int | None) -> SubsetTable[V]:
        """Return the values of the subsets of at most so many features. The rows are grouped once for each subset."""
        found = {mask: self._of_states(merged(s, cells)) for mask, cells in counts_by_subset(s, most)}
        masks = np.array(sorted(found), dtype=np.int64)
        column = _enclosed(np.array([nearest_float(found[mask]) for mask in masks.tolist()]), found.__getitem__, masks)
        return SubsetTable(s.features, column, masks, self.name, self.symbol, self.larger_is_better)

    def seen(self, d: DistributionLike, subset: Subset) -> JointDistribution:
        """Check the distribution, and return its marginal over the features that the predictor sees."""
        d = as_distribution(d)
        self.check(d)
        return d.marginal(subset)

    def _column(self, d: JointDistribution, threads: int) -> Column[V]:
        """Return the values by mask, exact and rounded, so that few values need an exact comparison."""
        del threads  # one marginal is made from another
        masks = np.arange(2 ** len(d.features), dtype=np.int64)
        centers, found = np.empty(len(masks)), _Values(len(masks))
        for mask, weights in every_marginal(d.weights):
            value = found[mask] = self.of_cells(d, flat(weights))
            centers[mask] = nearest_float(value)
        return _enclosed(centers, found.__getitem__, masks)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:
        """Return bounds of the memory of a table: the bytes for each subset and the bytes for each weight."""
        return _SHORT_BYTES if is_small(d.weights, _SHORT) else _BYTES if d.total < _WORD else _LARGE_BYTES

    def _at(self, d: JointDistribution, mask: int) -> V:
        return self.of_cells(d, cells_at(d, mask))

    def __str__(self) -> str:
        return self.name


class CountedLoss(Criterion[Fraction]):
    """The base class of losses of at most 1 that add up over the states, in whole numbers over one denominator.

    `by_state` has the loss of each state, times the `denominator` and the total of the distribution.
    """

    additive: ClassVar[bool] = True

    @property
    @abc.abstractmethod
    def denominator(self) -> int:
        """The number by which the losses by state are multiplied."""

    @abc.abstractmethod
    def by_state(self, cells: Array) -> Array:
        """Return the loss of each state as an integer."""

    def of_cells(self, d: JointDistribution, cells: Array) -> Fraction:
        """Return the loss of all states together."""
        return Fraction(int(self.by_state(cells).sum()), self.denominator * d.total)


CRITERIA: dict[str, Callable[..., Criterion[Any]]] = {}
"""The functions that make a criterion, by name. The command line has an option for each of their parameters."""

Make = TypeVar("Make", bound=Callable[..., Criterion[Any]])


def named(make: Make) -> Make:
    """Make a criterion known by the name of its function."""
    CRITERIA[make.__name__] = make
    return make
