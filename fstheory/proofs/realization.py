"""`realize`: a distribution whose Bayes risks have a given weak ordering, or a proof that there is none."""

from __future__ import annotations

import functools
import itertools
import json
import math
import operator
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory._support.memory import require_cells
from fstheory._support.progress import Clock, Progress
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    MissingDependencyError,
    NotMonotoneError,
    explain,
    unknown,
)
from fstheory.lattice.extensions import names_in, resolve_features
from fstheory.lattice.ordering import Ordering
from fstheory.lattice.subsets import (
    Subset,
    covers,
    default_features,
    format_subset,
    indices_of,
    listed_names,
    mask_of,
    names_of,
    order_by,
    parse_subset,
)
from fstheory.logic.certificate import certificate_at, certificate_of_proof
from fstheory.logic.claims import Claim, positive, unique_maximum
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import TRUE, Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Impossible, Proved, Realized, Refuted, Undecided
from fstheory.measures.risk import bayes_risks
from fstheory.proofs.prover import Prover
from fstheory.proofs.solvers import with_smaller_weights

# -- Weak orders of the feature subsets: which have the smallest Bayes risk, which come next, which tie.


AnyOrdering: TypeAlias = "WeakOrder | Ordering[Any] | str | Iterable[Iterable[Subset]]"
"""What may stand where a weak order is asked for: ``"X1X2 < X1 = X2 < {}"``, an `Ordering`, or levels of subsets."""

_PIECE = re.compile(r'((?:\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\}|[^<={}])*)(<|=|\Z)', re.DOTALL)
_NUMBERED = re.compile(r"X([0-9]+)")


@dataclass(frozen=True, slots=True)
class WeakOrder:
    """All subsets of some features in levels, from the smallest Bayes risk to the largest.

    Made by `weak_order`, which checks it: each subset stands in one level, and no superset after its subsets.
    """

    features: tuple[str, ...]
    ranks: tuple[int, ...]  # the number of the level of each subset, by mask; 0 is the level of the smallest risk

    @property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The masks of each level, by size and lexicographically within a size."""
        ranks = np.array(self.ranks, dtype=np.int64)
        masks = order_by(ranks, np.arange(len(ranks), dtype=np.int64), len(self.features)).tolist()
        return tuple(tuple(level) for _, level in itertools.groupby(masks, self.ranks.__getitem__))

    @property
    def heights(self) -> tuple[int, ...]:
        """The number of the level of each subset, by mask, counted from the largest risk, which has 0."""
        return tuple(self.ranks[0] - rank for rank in self.ranks)

    @property
    def least_optimal(self) -> int | None:
        """The mask of the optimal subset that all optimal subsets contain; None if there is none."""
        common = functools.reduce(operator.and_, self.levels[0])
        return common if self.ranks[common] == 0 else None

    def renamed(self, images: Sequence[int]) -> WeakOrder:
        """Return the order in which feature i plays the role that feature ``images[i]`` has in this one."""
        masks = range(len(self.ranks))
        renamed = (sum(1 << j for i, j in enumerate(images) if mask >> i & 1) for mask in masks)
        return WeakOrder(self.features, tuple(self.ranks[mask] for mask in renamed))

    def first_renaming(self) -> WeakOrder:
        """Return the order, of those that differ by the names of features, whose ranks are lexicographically least."""
        images = itertools.permutations(range(len(self.features)))
        return min((self.renamed(image) for image in images), key=lambda renamed: renamed.ranks)

    def __str__(self) -> str:
        return " < ".join(" = ".join(format_subset(mask, self.features) for mask in level) for level in self.levels)


def weak_order(ordering: AnyOrdering, features: int | Iterable[str] | None = None) -> WeakOrder:
    """Read a weak order of all subsets that Bayes risks may have."""
    if isinstance(ordering, WeakOrder):
        return ordering
    if isinstance(ordering, Ordering):
        names, levels = _of_table(ordering)
    elif isinstance(ordering, str):
        names, levels = _of_text(ordering, features)
    else:
        names, levels = _of_levels(ordering, features)
    ranks = _ranks(levels, names)
    _require_monotone(ranks, names)
    return WeakOrder(names, ranks)


Levels: TypeAlias = "list[list[int]]"


def _of_table(ordering: Ordering[Any]) -> tuple[tuple[str, ...], Levels]:
    levels = ordering.masks()
    named = [level.subsets for level in ordering]
    pairs = [pair for masks, subsets in zip(levels, named, strict=True) for pair in zip(masks, subsets, strict=True)]
    single = {mask: name for mask, subset in pairs if len(subset) == 1 for name in subset}
    count = max(mask for mask, _ in pairs).bit_length()
    if len(single) < count:
        repair = "take the ordering of a table that was not restricted"
        raise InvalidValueError(explain("ordering", "of all subsets", ordering, repair))
    return tuple(single[1 << i] for i in range(count)), levels


def _of_text(text: str, features: int | Iterable[str] | None) -> tuple[tuple[str, ...], Levels]:
    pieces, position = [], 0
    while position <= len(text):
        match = _PIECE.match(text, position)
        if match is None or not match[1].strip():
            repair = "write X1X2 < X1 = X2 < {}, say"
            raise InvalidFormatError(explain("ordering", "subsets separated by < and =", text, repair))
        pieces.append((match[1].strip(), match[2]))
        position = match.end() if match[2] else len(text) + 1
    names = _numbered(text) if features is None else resolve_features(features)
    levels: Levels = [[]]
    for piece, separator in pieces:
        levels[-1].append(parse_subset(piece, names, "each subset of ordering"))
        if separator == "<":
            levels.append([])
    return names, levels


def _numbered(text: str) -> tuple[str, ...]:
    count = max(map(int, _NUMBERED.findall(text)), default=0)
    if not count and text.strip() not in {"{}", "∅"}:
        names = "given when the names are not X1, .., Xn"
        raise InvalidValueError(explain("features", names, None, "pass features=[...] in order"))
    resolve_features(min(count, 10**6))  # refuses what would not fit in memory
    return default_features(count)


def _of_levels(levels: object, features: int | Iterable[str] | None) -> tuple[tuple[str, ...], Levels]:
    if not isinstance(levels, Iterable):
        raise InvalidTypeError(explain("ordering", "a text, an Ordering or levels", levels, "write 'X1 < {}', say"))
    held = []
    for i, level in enumerate(levels):
        if isinstance(level, str) or not isinstance(level, Iterable):
            repair = "write [[['X1']], [[]]] for X1 < {}"
            raise InvalidTypeError(explain(f"ordering[{i}]", "a level: an iterable of subsets", level, repair))
        held.append([listed_names(subset, f"ordering[{i}][{j}]") for j, subset in enumerate(level)])
        if not held[-1]:
            raise InvalidValueError(explain(f"ordering[{i}]", "a level with a subset", [], "leave it out"))
    subsets = [subset for level in held for subset in level]
    names = names_in(subsets, "ordering") if features is None else resolve_features(features)
    return names, [
        [mask_of(subset, names, f"ordering[{i}][{j}]") for j, subset in enumerate(level)]
        for i, level in enumerate(held)
    ]


def _ranks(levels: Levels, names: tuple[str, ...]) -> tuple[int, ...]:
    ranks: dict[int, int] = {}
    for rank, mask in ((rank, mask) for rank, level in enumerate(levels) for mask in level):
        if mask in ranks:
            twice = f"not {format_subset(mask, names)} twice"
            raise InvalidValueError(f"ordering must list each subset once, {twice}; drop one of them")
        ranks[mask] = rank
    for mask in sorted(set(range(2 ** len(names))) - ranks.keys()):
        all_of_them = f"each of the {2 ** len(names)} subsets of {{{', '.join(names)}}}"
        raise InvalidValueError(
            f"ordering must list {all_of_them} once, not {format_subset(mask, names)} nowhere; every subset belongs in "
            "it, from all features to none"
        )
    return tuple(ranks[mask] for mask in range(len(ranks)))


def _require_monotone(ranks: Sequence[int], names: tuple[str, ...]) -> None:
    for mask, rank in enumerate(ranks):
        for superset in covers(mask, len(names)):
            if ranks[superset] > rank:
                inner, outer = format_subset(mask, names), format_subset(superset, names)
                raise NotMonotoneError(
                    f"ordering must not give {outer} a larger Bayes risk than its subset {inner}; a superset knows at "
                    f"least as much: move {outer} to the level of {inner} or before it",
                    names_of(mask, names),
                    names_of(superset, names),
                )


# -- Build a distribution for a weak order by formula; see docs/textbook/realizable-orderings.md for the proof.


Heights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that share one state of each feature, and have a class each."""

    blocks: tuple[tuple[int, int], ...]  # low and high, from the lowest on
    relevant: int  # the mask of the features that make a difference to some block


@dataclass(frozen=True, slots=True)
class Plan:
    """What the construction builds."""

    peeled: tuple[int, ...]  # the masks of the least subsets of the levels that are peeled, from the top
    heights: Heights  # by mask, the level of each subset; those that are peeled are counted to the level below
    groups: tuple[Group, ...]


def plan(order: WeakOrder, shape: Shape, *, peel: int = 0) -> Plan | None:
    """Return a plan for a shape that peels at least some levels; None if there is none."""
    if shape.classes < 2:
        return None
    least = peelable(order)
    for count in range(peel, len(least) + 1):
        heights = tuple(min(height, max(order.heights) - count) for height in order.heights)
        groups = _grouped_levels(heights, shape.classes - 1)
        if all(map(operator.ge, shape.cardinalities, _needed(least[:count], groups))):
            return Plan(least[:count], heights, groups)
    return None


def _needed(peeled: Sequence[int], groups: Sequence[Group]) -> Iterator[int]:
    """Yield how many states each feature needs."""
    for i in itertools.count():
        yield max(1 + sum(group.relevant >> i & 1 for group in groups), 1 + any(mask >> i & 1 for mask in peeled))


def peelable(order: WeakOrder) -> tuple[int, ...]:
    """Return the least subsets of all levels that can be peeled, from the top."""
    common = (functools.reduce(operator.and_, level) for level in order.levels)
    own = zip(common, order.levels[:-1], strict=False)
    return tuple(mask for mask, _ in itertools.takewhile(lambda pair: pair[0] in pair[1], own))


def blocks(heights: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return as few blocks as possible that cover all levels, from the lowest on.

    Parts of blocks are blocks, so it is best to make each as long as possible.
    """
    ends, top = [0], max(heights)
    while ends[-1] < top:
        longer = itertools.takewhile(lambda high: _is_block(heights, ends[-1], high), range(ends[-1] + 2, top + 1))
        ends.append(max(longer, default=ends[-1] + 1))
    return tuple(itertools.pairwise(ends))


def _is_block(heights: Sequence[int], low: int, high: int) -> bool:
    n, clipped = _clipped(heights, low, high)
    return not any(
        clipped[more] == height and any(clipped[t] != clipped[t | more] for t in covers(mask, n))
        for mask, height in enumerate(clipped)
        if low < height < high
        for more in covers(mask, n)
    )


def _clipped(heights: Sequence[int], low: int, high: int) -> tuple[int, list[int]]:
    """Return the number of features, and heights as a block sees them: none below `low` or above `high`."""
    return len(heights).bit_length() - 1, [min(max(height, low), high) for height in heights]


def _grouped_levels(heights: Heights, size: int) -> tuple[Group, ...]:
    found = blocks(heights)
    parts = [found[start : start + size] for start in range(0, len(found), size)]
    return tuple(Group(part, _relevant(heights, part[0][0], part[-1][1])) for part in parts)


def _relevant(heights: Heights, low: int, high: int) -> int:
    n, clipped = _clipped(heights, low, high)
    return sum(1 << i for i in range(n) if any(clipped[mask] != clipped[mask | 1 << i] for mask in range(len(heights))))


Weights: TypeAlias = "npt.NDArray[Any]"  # of integers of any size


def construct(
    order: WeakOrder, shape: Shape, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution | None:
    """Return a distribution with a given ordering of its Bayes risks, or None if the construction has none."""
    if len(set(order.ranks)) == 1:
        return _all_alike(shape, order, positive=positive)
    used, found = Shape(shape.cardinalities), None
    if unique_maximum and not positive:  # of two classes, the part in common is taken away: no tie is left
        found = plan(order, used)
    if found is None:
        used, found = shape, plan(order, shape, peel=int(unique_maximum))
    if found is None:
        return None
    weights = _group_weights(found, used)
    for i, least in reversed(list(enumerate(found.peeled))):
        weights = _peeled(weights, least, order.heights, max(order.heights) - i, decisive=unique_maximum and i == 0)
    return _finished(_padded(weights, shape), order, positive=positive)


def adapted(
    weights: Weights, order: WeakOrder, shape: Shape, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution:
    """Return a distribution that satisfies assumptions, from one of a shape that is not larger."""
    weights = _padded(weights, shape)
    if positive and unique_maximum:
        if order.least_optimal is None:
            raise AssertionError("Theorem 4 of Peña and Nilsson")
        weights = _peeled(weights, order.least_optimal, order.heights, max(order.heights), decisive=True)
    return _finished(weights, order, positive=positive)


def _padded(weights: Weights, shape: Shape) -> Weights:
    sizes = (*shape.cardinalities, shape.classes)
    return np.pad(weights.astype(object), [(0, size - held) for size, held in zip(sizes, weights.shape, strict=True)])


def _all_alike(shape: Shape, order: WeakOrder, *, positive: bool) -> JointDistribution:
    weights = np.zeros((*shape.cardinalities, shape.classes), dtype=np.int64)
    weights[(..., 0) if positive else (-1,) * len(shape.cardinalities) + (0,)] = 1
    return JointDistribution(weights, features=order.features)


# Blocks


def _group_weights(planned: Plan, shape: Shape) -> Weights:
    """Return the weights of all groups; each has states of its own, but for the state 0 that they share."""
    weights = np.zeros((*shape.cardinalities, shape.classes), dtype=object)
    symbols = [0] * len(shape.cardinalities)
    for group in planned.groups:
        for i in indices_of(group.relevant):
            symbols[i] += 1
        _add_group(weights, planned.heights, group, symbols)
    return weights


def _add_group(weights: Weights, heights: Sequence[int], group: Group, symbols: Sequence[int]) -> None:
    """Give each block a class and a mass where all relevant features show the symbol, and penalties where only some do.

    At the cell of S where all its relevant features show the symbol, the class of a block is then ahead of class 0 by
    its mass less the penalties that S sees.
    """

    def state(mask: int) -> tuple[int, ...]:
        return tuple(symbol if mask >> i & 1 else 0 for i, symbol in enumerate(symbols))

    mass = 0
    for y, (low, high) in enumerate(group.blocks, start=1):
        mass, penalties = _block(heights, low, high, group.relevant, mass)
        weights[(*state(group.relevant), y)] += mass
        for mask, penalty in penalties.items():
            weights[state(mask)] += penalty
            weights[(*state(mask), y)] -= penalty


def _block(heights: Sequence[int], low: int, high: int, relevant: int, floor: int) -> tuple[int, dict[int, int]]:
    """Return the mass of a block, and the penalties by mask.

    The mass less the penalties at the supersets of S is the mass if S is at `high` or above, falls with the level of S
    down to `floor` + 1, and is at most 0 if S is at `low` or below.
    """
    inside = [mask for mask in range(relevant + 1) if mask & ~relevant == 0]
    _, clipped = _clipped(heights, low, high)
    penalties: dict[int, int] = {}

    def seen(mask: int) -> int:
        return sum(penalty for other, penalty in penalties.items() if other & mask == mask)

    def is_largest(mask: int) -> bool:
        more = (mask | 1 << i for i in indices_of(relevant & ~mask))
        return all(clipped[superset] != clipped[mask] for superset in more)

    total = 0
    for height in range(high - 1, low - 1, -1):
        before = {mask: seen(mask) for mask in inside if clipped[mask] == height and is_largest(mask)}
        total = max([total + 1, *before.values()]) if height > low else floor + total + 1
        penalties.update((mask, max(total - penalty, 0)) for mask, penalty in before.items())
    return total, penalties


# Peeled levels


def _peeled(weights: Weights, least: int, heights: Sequence[int], top: int, *, decisive: bool) -> Weights:
    """Add a product of functions of the features in `least` that sum to 0, so large that it decides who wins.

    A subset that lacks one of these features sees none of it. For those that have them all, the winners depend on
    these features only, so their risks are the same. What is above level `top` is not in order yet.
    """
    sizes = weights.shape[:-1]
    signs: Weights = np.ones(sizes, dtype=object)
    for i in indices_of(least):
        along_axis = [-1 if i == j else 1 for j in range(len(sizes))]
        signs = signs * np.array(_zero_sum(sizes[i]), dtype=object).reshape(along_axis)
    if weights.shape[-1] == 2:
        classes = [np.maximum(signs, 0), np.maximum(-signs, 0)]
    else:  # the others have to be as far ahead, where a subset sees nothing of it
        classes = [abs(signs) + signs, abs(signs) - signs] + [abs(signs)] * (weights.shape[-1] - 2)
    added: Weights = np.stack(classes, axis=-1)
    for factor in _growing():
        larger: Weights = weights + factor * added
        if _is_ordered(larger, heights, top) and (not decisive or _single_maxima(larger)):
            return larger
    raise AssertionError("a large factor decides")


def _zero_sum(size: int) -> list[int]:
    """Return small numbers, none of them 0, whose sum is 0."""
    return [1, -1] * (size // 2) if size % 2 == 0 else [1, 1, -2] + [1, -1] * ((size - 3) // 2)


def _growing() -> itertools.chain[int]:
    """Yield 1, 2, 3, 4, 6, 8, 12, 16, 24, ..."""
    return itertools.chain([1], (base << shift for shift in itertools.count() for base in (2, 3)))


def _is_ordered(weights: Weights, heights: Sequence[int], top: int) -> bool:
    """Say whether the risks of the subsets up to a level are ordered as the levels are."""
    ranks = bayes_risks(JointDistribution(weights)).ranks.tolist()
    pairs = sorted((height, -rank) for height, rank in zip(heights, ranks, strict=True) if height <= top)
    return all((low < high) == (rank < other) for (low, rank), (high, other) in itertools.pairwise(pairs))


def _single_maxima(weights: Weights) -> bool:
    ordered = np.sort(weights, axis=-1)
    return bool(np.all(ordered[..., -1] > ordered[..., -2]))


# The end


def _finished(weights: Weights, order: WeakOrder, *, positive: bool) -> JointDistribution:
    """Take away what all classes of a state have in common, which changes all risks alike, or add it."""
    weights = weights - weights.min(axis=-1, keepdims=True)
    if positive:
        weights = weights + (weights.sum(axis=-1, keepdims=True) == 0)
    return JointDistribution(weights // math.gcd(*weights.ravel().tolist()), features=order.features)


# -- `realize`: a distribution whose Bayes risks have a given weak ordering, or a proof that there is none.


TABLE = Path(__file__).with_name("realizable_orderings.json")  # written by tests/proofs/least_realizations.py

_KNOWN = {"positive": positive, "unique_maximum": unique_maximum}
_TABLE = ((2,), (2, 2), (2, 2, 2))
_CASES = 24  # cells; with more, a proof by cases is seldom found in reasonable time
_PATIENCE = 60.0  # seconds for a proof by cases


def realize(
    ordering: AnyOrdering,
    *,
    features: int | Iterable[str] | None = None,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    assume: Claim | str | Iterable[Claim | str] = (),
    time_limit: float | None = None,
    progress: Progress = None,
) -> Realized | Impossible | Undecided:
    """Find a distribution whose Bayes risks are in a given order, or show that there is none.

    Parameters
    ----------
    ordering : str, Ordering or iterable of levels
        All subsets, from the smallest risk to the largest: ``"X1X2 < X1 = X2 < {}"``, the `Ordering` of a table, or
        levels of subsets by names.
    features : int or iterable of str, optional
        The names, where they are not X1, .., Xn.
    cardinalities, classes : iterable of int, int, optional
        The number of states of each feature, and of classes; 2 if not given.
    assume : claims or their names
        What the distribution has to satisfy: `positive`, `unique_maximum`, or any other claim.
    time_limit : number, optional
        Seconds.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    Realized, Impossible or Undecided
        With a distribution and a certificate; with the proof that no distribution of the shape has the ordering; or
        because the time limit was reached.

    Raises
    ------
    NotMonotoneError
        A superset has the larger risk; `subset` and `superset` hold the pair.

    Notes
    -----
    For up to three binary features and two classes, the distribution is the smallest there is, from a complete table.
    For others it is constructed by formula where it can be: always for up to three features if it exists, and
    whenever there are at most 1 + (k - 1)(c - 1) levels, for k classes and c states of each feature. Beyond that, Z3
    decides. What is not from the table is made smaller as far as is cheap.

    Examples
    --------
    >>> verdict = realize("X1X2X3 = X1X2 < X1X3 = X2X3 < X1 < X2 = X3 < {}")
    >>> verdict.status, verdict.distribution.total
    ('realized', 10)
    >>> print(realize("X1X2 = X1 = X2 < {}", assume=["positive", "unique_maximum"]))
    X1 = X2 = X1X2 < {}: impossible for 2 x 2 states, 2 classes (case split)
    """
    order = weak_order(ordering, features)
    sizes: Any = (2,) * len(order.features) if cardinalities is None else cardinalities
    shape = Shape(sizes, classes)
    require_cells((*shape.cardinalities, shape.classes), "the distribution", "ask for fewer states or classes", 32)
    if len(shape.cardinalities) != len(order.features):
        numbers = f"one number for each feature of the ordering ({len(order.features)})"
        raise InvalidValueError(explain("cardinalities", numbers, shape.cardinalities, "leave it out for binary ones"))
    question = _Question(order, shape, _assumptions(assume))
    with Clock(time_limit, progress) as clock:
        return question.from_table() or question.by_formula(clock) or question.by_solvers(clock)


@dataclass(frozen=True, slots=True)
class _Question:
    """An ordering, a shape and assumptions."""

    order: WeakOrder
    shape: Shape
    assumptions: tuple[Claim, ...]

    def from_table(self) -> Realized | None:
        """Return the smallest realization, where there is a table with one."""
        if self.shape.cardinalities not in _TABLE or self.shape.classes != 2 or not self._are_known:
            return None
        least = least_realization(self.order, **self._flags(self.assumptions))
        return None if least is None else self._realized(least)

    def by_formula(self, clock: Clock) -> Realized | None:
        """Return a realization by construction, if there is one that satisfies the assumptions."""
        flags = [self._flags(self.assumptions)]
        if not self._are_known:  # what an unknown assumption asks for may be true by luck
            flags = [self._flags(known) for known in ((), _KNOWN.values(), (positive,), (unique_maximum,))]
        for wished in flags:
            d = construct(self.order, self.shape, **wished)
            if d is not None and self._are_satisfied(d):
                return self._realized(with_smaller_weights(self._statement(wished=False), d, clock))
        return None

    def by_solvers(self, clock: Clock) -> Realized | Impossible | Undecided:
        """Ask Z3 for a realization; if there is none, look for a proof that can be verified."""
        denial = self._statement(wished=False)
        if self._is_excluded and self.shape.cells > _CASES:
            return self._excluded(denial, clock)
        d = self._from_smaller(clock) if self._are_known and not self._is_excluded else None
        if d is None:
            answer = Prover(denial, clock).verdict(certificate=False)
            if isinstance(answer, Undecided):
                return Undecided(str(self.order), self.shape, answer.reason)
            if isinstance(answer, Proved):
                return self._impossible(denial, clock, answer)
            d = JointDistribution(answer.distribution.weights, features=self.order.features)
        return self._realized(with_smaller_weights(denial, d, clock))

    def _excluded(self, denial: Statement, clock: Clock) -> Impossible | Undecided:
        """Have the solvers confirm what Theorem 4 of Peña and Nilsson says about two optimal subsets."""
        first, second = (names_of(mask, self.order.features) for mask in two_optimal(self.order))

        def theorem(m: Model) -> Formula:
            place = dict(zip(self.order.features, m.order, strict=True))
            a, b = ({place[name] for name in subset} for subset in (first, second))
            return ~m.all([m.risk(a) == m.risk(), m.risk(b) == m.risk(), m.risk() < m.risk(a & b)])

        part = Claim(denial.claim, theorem, (), self.assumptions).statement(self.shape)
        answer = _by_two(part, clock if clock.left < math.inf else clock.at_most(_PATIENCE))
        if not isinstance(answer, Proved):
            reason = "there is none by Theorem 4 of Peña and Nilsson, but no solver confirmed it in time"
            return Undecided(str(self.order), self.shape, reason)
        evidence = {part: answer.certificate[part] for part in ("evidence", "solvers")}
        return Impossible(str(self.order), self.shape, answer.evidence, certificate_of_proof(denial, evidence))

    def _from_smaller(self, clock: Clock) -> JointDistribution | None:
        """Return what comes of a realization without both assumptions, and in a smaller shape if there is one."""
        flags = self._flags(self.assumptions)
        assumptions = (unique_maximum,) if flags == {"positive": False, "unique_maximum": True} else ()
        for smaller in _smaller_shapes(self.shape):
            question = _Question(self.order, smaller, assumptions)
            prover = Prover(question._statement(wished=False), clock.at_most(min(clock.left, _PATIENCE) / 4))
            answer = prover.verdict(certificate=False)
            if isinstance(answer, Refuted):
                return adapted(answer.distribution.weights, self.order, self.shape, **flags)
        return None

    def _impossible(self, denial: Statement, clock: Clock, answer: Proved) -> Impossible:
        """Return the verdict with the best evidence: a proof by cases, two solvers, or one."""
        if clock.left > 0:
            again = clock.at_most(_PATIENCE)
            better = Prover(denial, again).verdict() if self.shape.cells <= _CASES else _by_two(denial, again)
            if isinstance(better, Proved):
                answer = better
        return Impossible(str(self.order), self.shape, answer.evidence, answer.certificate)

    @property
    def _is_excluded(self) -> bool:
        """Whether Theorem 4 of Peña and Nilsson says that there is no realization."""
        return self.order.least_optimal is None and all(self._flags(self.assumptions).values())

    @property
    def _are_known(self) -> bool:
        return all(assumption in _KNOWN.values() for assumption in self.assumptions)

    def _flags(self, assumptions: Collection[Claim]) -> dict[str, bool]:
        return {name: claim in assumptions for name, claim in _KNOWN.items()}

    def _are_satisfied(self, d: JointDistribution) -> bool:
        return all(named.holds(Evaluation(d)) for named in self._statement(wished=True, at=d).assume)

    def _statement(self, *, wished: bool, at: JointDistribution | None = None) -> Statement:
        """Return the statement that the risks are ordered as wished, or that they are not."""

        def ordered(m: Model) -> Formula:
            levels = [[m.risk(names_of(mask, m.order)) for mask in level] for level in self.order.levels]
            ties = [m.equal(*level) for level in levels]
            formula = m.all([*ties, *(better[0] < worse[0] for better, worse in itertools.pairwise(levels))])
            return formula if wished else ~formula

        return Claim(str(self.order), ordered, (), self.assumptions).statement(self.shape if at is None else at)

    def _realized(self, d: JointDistribution) -> Realized:
        statement = self._statement(wished=True, at=d)
        instance = statement.show[0] if statement.show else Instance(str(self.order), (), TRUE)  # of {} nothing is said
        if not all(named.holds(Evaluation(d)) for named in (instance, *statement.assume)):
            raise AssertionError(f"{d!r} does not realize {self.order}")
        return Realized(str(self.order), d, certificate_at("realized", statement, instance, d))


def two_optimal(order: WeakOrder) -> tuple[int, int]:
    """Return two optimal subsets, as small as can be, that have no optimal subset in common."""
    optimal = order.levels[0]
    return next((a, b) for a, b in itertools.combinations(optimal, 2) if order.ranks[a & b] > 0)


def _by_two(statement: Statement, clock: Clock) -> Proved | Refuted | Undecided:
    """Return the verdict of two solvers; of one if there is no other, or the other takes much longer."""
    one = Prover(statement, clock).verdict(certificate=False)
    if not isinstance(one, Proved):
        return one
    try:
        two = Prover(statement, clock.at_most(2 + 4 * clock.elapsed)).verdict(second_opinion=True, certificate=False)
    except MissingDependencyError:
        return one
    return two if isinstance(two, Proved) else one


def _smaller_shapes(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with two states and classes, those that have one of these more, and the shape itself."""
    sizes = (*shape.cardinalities, shape.classes)
    least = tuple(min(size, 2) for size in sizes)
    one_more = (tuple(2 + (i == j) for j in range(len(sizes))) for i, size in enumerate(sizes) if size > 2)
    for found in dict.fromkeys([least, *one_more, sizes]):
        yield Shape(found[:-1], found[-1])


def _assumptions(assume: Any) -> tuple[Claim, ...]:
    found: dict[str, Claim] = {}
    for assumption in assume if isinstance(assume, Iterable) and not isinstance(assume, str) else [assume]:
        if isinstance(assumption, str) and assumption not in _KNOWN:
            raise unknown("assumption", assumption, _KNOWN)
        claim = _KNOWN[assumption] if isinstance(assumption, str) else assumption
        if not isinstance(claim, Claim):
            raise InvalidTypeError(explain("assume", "claims or their names", claim, "write ['positive'], say"))
        found.setdefault(claim.name, claim)
    return tuple(found.values())


# The complete tables for up to three binary features with two classes


def least_realization(
    order: WeakOrder, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution | None:
    """Return the smallest realization of a weak order of up to three binary features; None if there is none.

    Smallest: the smallest total of the weights, then the fewest cells above 0, then lexicographically. A single
    maximum of p(Y|x) alone asks for nothing that the smallest realizations do not have.
    """
    first = order.first_renaming()
    n = len(order.features)
    weights = table_rows(n)[first.ranks]["none" if not positive else "both" if unique_maximum else "positive"]
    if weights is None:
        return None
    least = np.array(weights, dtype=np.int64).reshape((2,) * (n + 1))
    images = (images for images in itertools.permutations(range(n)) if first.renamed(images).ranks == order.ranks)
    renamed = (least.transpose(*axes, -1) for axes in images)
    smallest = min(renamed, key=lambda weights: tuple(weights.ravel().tolist()))
    return JointDistribution(smallest, features=order.features)


@lru_cache(maxsize=3)
def table_rows(n: int) -> dict[tuple[int, ...], dict[str, Any]]:
    """Return the rows for 1, 2 or 3 features by the ranks of their orders, of which renamings are not listed."""
    rows = json.loads(TABLE.read_text(encoding="utf-8"))[str(n)]
    return {weak_order(row["ordering"]).ranks: row for row in rows}
