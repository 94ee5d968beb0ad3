"""Linear extensions of the subset lattice: check, count, list, draw at random, and build from wishes."""

from __future__ import annotations

import heapq
import itertools
import random
import re
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory import errors
from fstheory._support.exact import as_index, exact_text
from fstheory._support.memory import require_axes, require_cells
from fstheory.lattice.subsets import (
    Masks,
    Subset,
    covers,
    default_features,
    feature_names,
    format_subset,
    is_subset,
    listed_names,
    mask_of,
    masks_by_size,
    names_of,
    parse_subset,
    sizes,
)

# -- Orders of the subset lattice, and the check that a sequence of subsets is a linear extension.


_BYTES = 512  # the memory of one frozenset of names and of the references to it


def resolve_features(features: int | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the features; a number n stands for X1, .., Xn."""
    names = feature_names(features) if isinstance(features, Iterable) else None
    n = as_index(features, "features") if names is None else len(names)
    what = f"one order of the subsets of {n} features" if n < 10**6 else "one order of the subsets"
    require_axes(n, what)  # this check comes first: a larger n could not even be listed
    require_cells((2,) * n, what, "use fewer features", _BYTES)
    return default_features(n) if names is None else names


def base_order(n: int) -> Masks:
    """Return all masks in the base order: by falling size, and lexicographically within a size."""
    masks = masks_by_size(n)
    return masks[np.argsort(-sizes(masks), kind="stable")]


def subsets_below(base: Sequence[int], n: int) -> list[list[int]]:
    """Return, for every position of `base`, the ascending positions of the subsets with one feature fewer."""
    position = {mask: place for place, mask in enumerate(base)}
    return [sorted(position[mask ^ 1 << i] for i in range(n) if mask >> i & 1) for mask in base]


def placed(
    n: int, pairs: Iterable[tuple[int, int]], take: Callable[[list[int]], int], put: Callable[[list[int], int], None]
) -> list[int]:
    """Return the linear extension that results from repeatedly taking an available mask.

    A mask is available once all its covers have been taken, and the first mask of every pair in which it is second.
    `take` removes and returns an available mask, and `put` adds one. Both handle places in the base order.
    """
    base = base_order(n).tolist()
    after = subsets_below(base, n)
    position = {mask: place for place, mask in enumerate(base)}
    waiting = [n - mask.bit_count() for mask in base]
    for start, end in pairs:
        after[position[start]].append(position[end])
        waiting[position[end]] += 1
    available = [place for place, number in enumerate(waiting) if not number]
    order = []
    while available:
        place = take(available)
        order.append(base[place])
        for later in after[place]:
            waiting[later] -= 1
            if not waiting[later]:
                put(available, later)
    return order


def named(masks: Iterable[int], features: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Return the subsets with these masks as sets of names."""
    return tuple(names_of(mask, features) for mask in masks)


Order: TypeAlias = "Iterable[Subset]"
"""An order of the subsets: subsets given by names, the smallest Bayes risk first."""


def order_masks(order: Order, features: int | Iterable[str] | None = None) -> tuple[Masks, tuple[str, ...]]:
    """Return the masks of a linear extension in its order, and the names of the features. Refuse any other order."""
    given = errors.require_listed(order, "order", "an iterable of feature subsets", "pass a list of sets of names")
    subsets = [listed_names(subset, f"order[{i}]") for i, subset in enumerate(given)]
    names = names_in(subsets, "order") if features is None else resolve_features(features)
    masks = [mask_of(subset, names, f"order[{i}]") for i, subset in enumerate(subsets)]
    require_each_once(masks, names, "order")
    ordered = np.array(masks, dtype=np.int64)
    _require_monotone(ordered, names)
    return ordered, names


def names_in(subsets: Iterable[Iterable[str]], argument: str) -> tuple[str, ...]:
    """Return X1, .., Xn if these are the names that occur. Otherwise refuse: the caller has to pass the names."""
    found = {name for subset in subsets for name in subset}
    names = default_features(len(found))
    if found != set(names):
        shown = errors.first_of(sorted(map(str, found)), 8)
        raise errors.InvalidValueError(
            f"features must be given when the names in {argument} are not X1, .., Xn, not left out for {shown}; "
            "pass features=[...], the names in the order of the axes"
        )
    return resolve_features(names)


_LONGEST = 400  # characters of names in a message


def require_each_once(masks: Sequence[int], names: Sequence[str], argument: str) -> None:
    """Refuse a list that does not contain each subset exactly once."""
    count = 2 ** len(names)
    faults = []
    twice = next((mask for mask, times in Counter(masks).items() if times > 1), None)
    if twice is not None:
        places = [f"S_{i + 1}" for i, mask in enumerate(masks) if mask == twice]
        faults.append(f"list {format_subset(twice, names)} as {' and '.join(places[:3])}")
    present = set(masks)
    if len(present) < count:
        absent = next(mask for mask in base_order(len(names)).tolist() if mask not in present)
        faults.append(f"leave out {format_subset(absent, names)}")
    if faults:
        listed, found = (
            text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
            for text in (", ".join(names), " and ".join(faults))
        )
        needed = f" must list each of the {count} subsets of {{{listed}}} once, not {found}; "
        repair = "every subset belongs in it, from all features to none"
        raise errors.InvalidValueError(errors.Message(errors.Named(argument), needed, repair))


def _require_monotone(masks: Masks, names: Sequence[str]) -> None:
    """Refuse an order where a subset precedes one of its covers. All other supersets then come first as well."""
    place = np.empty_like(masks)
    place[masks] = np.arange(len(masks))
    first = (len(masks), 0, 0)
    for i in range(len(names)):
        halves = place.reshape(-1, 2, 2**i)  # axis 1 is 1 for subsets that contain feature i
        early = np.where(halves[:, 0] < halves[:, 1], halves[:, 0], len(masks))
        if early.min() < first[0]:
            mask = int(masks[early.min()])
            first = (int(early.min()), mask, mask | 1 << i)
    where, subset, superset = first
    if where < len(masks):
        inner, outer = format_subset(subset, names), format_subset(superset, names)
        raise errors.NotMonotoneError(
            f"order must put every superset before its subsets, not {inner} (S_{where + 1}) before "
            f"{outer} (S_{place[superset] + 1}); a superset cannot have the larger Bayes risk: move {outer} up",
            names_of(subset, names),
            names_of(superset, names),
        )


def require_decreasing(values: Sequence[Fraction | int], names: Sequence[str], message: str) -> None:
    """Refuse values, listed by mask, if a subset has a smaller value than one of its covers.

    `message` is a template for both subsets and their values.
    """
    for mask, low in enumerate(values):
        for cover in covers(mask, len(names)):
            if (high := values[cover]) > low:
                of = {"inner": format_subset(mask, names), "outer": format_subset(cover, names)}
                text = message.format(low=exact_text(low), high=exact_text(high), **of)
                raise errors.NotMonotoneError(text, names_of(mask, names), names_of(cover, names))


# -- Count, list and draw the linear extensions of the subset lattice.


_COUNTABLE = 6  # the largest number of features whose linear extensions are counted

UpSets: TypeAlias = "npt.NDArray[np.uint64]"
"""Bit m of an element says whether the subset with mask m belongs to the up-set."""

_CHUNK = 512  # up-sets renamed at a time; the 720 renamings of each then fit in a cache


def count_linear_extensions(features: int | Iterable[str]) -> int:
    """Return the number of linear extensions of the subset lattice.

    These are the strict orders of all subsets that list every superset before its subsets. `features` holds the names,
    or their number n. The count is exact, for up to 6 features. For 6 features the first call takes about a second.

    Source: OEIS A046873 (the counts), A003182 (the classes of up-sets).

    Examples
    --------
    >>> [count_linear_extensions(n) for n in range(6)]
    [1, 1, 2, 48, 1680384, 14807804035657359360]
    """
    return _completions(len(resolve_features(features)))[0]


def extension_number(index: int, n: int) -> list[int]:
    """Return the masks of a linear extension by its index in the order of `linear_extensions`."""
    completions, base, upset = _completions(n), base_order(n).tolist(), 0
    order: list[int] = []
    while len(order) < len(base):
        able = (mask for mask in base if not upset >> mask & 1)
        choices = [mask for mask in able if all(upset >> cover & 1 for cover in covers(mask, n))]
        classes = _representatives(np.array([upset | 1 << mask for mask in choices], dtype=np.uint64), n)
        for mask, upset_class in zip(choices, classes.tolist(), strict=True):
            count = completions[upset_class]
            if index < count:
                order.append(mask)
                upset |= 1 << mask
                break
            index -= count
    return order


@lru_cache(maxsize=_COUNTABLE + 1)
def _completions(n: int) -> dict[int, int]:
    """Return, for every class of up-sets, the number of ways to order the subsets outside the up-set."""
    if n > _COUNTABLE:
        raise errors.TooLargeError(
            f"features must be at most {_COUNTABLE} for exact counts of linear extensions, not {n}; "
            "iterate with linear_extensions, or draw with random_linear_extension(..., method='sequential')"
        )
    counts: dict[int, int] = {2**2**n - 1: 1}
    for parents, children in reversed(list(_levels(n))):
        for parent, child in zip(parents.tolist(), children.tolist(), strict=True):
            counts[parent] = counts.get(parent, 0) + counts[child]
    return counts


def _levels(n: int) -> Iterator[tuple[UpSets, UpSets]]:
    """For each size, yield the up-set classes of that size and the classes reached by adding one subset.

    Each way to add a subset gives one entry: the class before in the first array, the class after in the second.
    """
    bits = [np.uint64(1 << mask) for mask in range(2**n)]
    above = [np.uint64(sum(1 << cover for cover in covers(mask, n))) for mask in range(2**n)]
    upsets = np.zeros(1, dtype=np.uint64)
    for _ in range(2**n):
        parents, grown = [], []
        for bit, needed in zip(bits, above, strict=True):
            able = upsets[(upsets & bit == 0) & (upsets & needed == needed)]
            parents.append(able)
            grown.append(able | bit)
        children = _representatives(np.concatenate(grown), n)
        yield np.concatenate(parents), children
        upsets = np.unique(children)


def _representatives(upsets: UpSets, n: int) -> UpSets:
    """Return a representative of each up-set: the smallest number among its images when the features are renamed."""
    smallest = np.empty_like(upsets)
    for start in range(0, len(upsets), _CHUNK):
        images = upsets[start : start + _CHUNK][None]
        # Every permutation is a product of exchanges: for i = 1, 2, ... either none or one of i and a smaller j.
        for i in range(1, n):
            images = np.concatenate([images, *(_exchanged(images, i, j, n) for j in range(i))])
        smallest[start : start + _CHUNK] = images.min(axis=0)
    return smallest


def _exchanged(upsets: UpSets, high: int, low: int, n: int) -> UpSets:
    """Exchange the names of two features. Subsets that contain exactly one of the two change places."""
    alone = np.uint64(sum(1 << mask for mask in range(2**n) if mask >> low & 1 and not mask >> high & 1))
    shift = np.uint64(2**high - 2**low)
    renamed: UpSets = upsets & ~(alone | alone << shift) | (upsets & alone) << shift | upsets >> shift & alone
    return renamed


def linear_extensions(features: int | Iterable[str]) -> Iterator[tuple[frozenset[str], ...]]:
    """Iterate over all linear extensions: strict orders of the subsets with every superset before its subsets.

    `features` holds the names, or the number n for X1, .., Xn. The linear extensions come in lexicographic order with
    respect to the base order of the subsets: larger subsets first, and within a size the features that are listed
    earlier first. So the first linear extension is the base order itself. The iterator needs memory for one order only.

    Examples
    --------
    >>> for order in linear_extensions(2):
    ...     print([sorted(subset) for subset in order])
    [['X1', 'X2'], ['X1'], ['X2'], []]
    [['X1', 'X2'], ['X2'], ['X1'], []]
    """
    names = resolve_features(features)
    base = base_order(len(names)).tolist()
    sets = named(base, names)
    return (tuple(map(sets.__getitem__, places)) for places in _places(base, len(names)))


def _places(base: list[int], n: int) -> Iterator[list[int]]:
    """Iterate over the linear extensions as lists of places in `base`. The same list is reused for each."""
    below = subsets_below(base, n)
    order = list(range(len(base)))
    waiting = [0] * len(base)  # by subset, the number of its covers that have not been placed yet
    available: list[int] = []
    while True:
        yield order
        i, choice = len(order), 0
        while i > 0 and choice == len(available):
            i -= 1
            for subset in below[order[i]]:
                if not waiting[subset]:
                    available.remove(subset)
                waiting[subset] += 1
            insort(available, order[i])
            choice = bisect_right(available, order[i])
        if choice == len(available):
            return
        for place in range(i, len(order)):
            order[place] = available.pop(choice)
            for subset in below[order[place]]:
                waiting[subset] -= 1
                if not waiting[subset]:
                    insort(available, subset)
            choice = 0


Rng: TypeAlias = "int | random.Random | np.random.Generator | None"
"""A source of randomness: a seed, a generator, which is advanced, or None for fresh randomness."""


def random_linear_extension(
    features: int | Iterable[str], *, rng: Rng = None, method: Literal["uniform", "sequential"] = "uniform"
) -> tuple[frozenset[str], ...]:
    """Return a random linear extension: a strict order of the subsets with every superset before its subsets.

    Parameters
    ----------
    features : int or iterable of str
        The names, or the number n for X1, .., Xn.
    rng : int, random.Random, numpy.random.Generator or None
        A seed of at least 0, or a generator, which is advanced. None stands for fresh randomness.
    method : {'uniform', 'sequential'}
        With 'uniform', every linear extension is exactly equally likely. It works for up to 6 features. With
        'sequential', each subset is drawn uniformly from the subsets that may come next. It is fast for any number of
        features. From 3 features on it is not uniform over the linear extensions: it favors those that leave few
        choices.

    Examples
    --------
    >>> order = random_linear_extension(3, rng=7)
    >>> sorted(order[0]), sorted(order[-1])
    (['X1', 'X2', 'X3'], [])
    """
    names = resolve_features(features)
    below = draw_below(rng)
    errors.require_choice(method, "method", ("uniform", "sequential"))
    if method == "uniform":
        n = len(names)
        return named(extension_number(below(_completions(n)[0]), n), names)

    def take(available: list[int]) -> int:
        choice = below(len(available))
        available[choice], available[-1] = available[-1], available[choice]
        return available.pop()

    return named(placed(len(names), (), take, list.append), names)


def draw_below(rng: Rng) -> Callable[[int], int]:
    """Return a function that draws an integer uniformly from 0, .., bound - 1, for bounds of any size."""
    if rng is None:
        return random.Random().randrange
    if isinstance(rng, random.Random):
        return rng.randrange
    if isinstance(rng, np.random.Generator):
        return lambda bound: draw_bits_below(rng, bound)
    try:
        return random.Random(as_index(rng, "rng")).randrange
    except errors.InvalidTypeError:
        requirement, repair = "a seed, a random.Random or a numpy Generator", "pass an integer such as rng=0"
        raise errors.InvalidTypeError(errors.explain("rng", requirement, rng, repair)) from None


def draw_bits_below(generator: np.random.Generator, bound: int) -> int:
    """Return a uniform integer below `bound`, of any size. NumPy itself is limited to 64 bits.

    As many bits as bound - 1 has are drawn again until their number is below the bound.
    """
    bits = (bound - 1).bit_length()
    length = -(-bits // 8)
    while True:
        number = int.from_bytes(generator.bytes(length), "little") >> 8 * length - bits
        if number < bound:
            return number


# -- Build a linear extension that grants wishes, or show that the wishes contradict each other or inclusion.


Wish: TypeAlias = "str | Sequence[Subset]"
"""Subsets in the desired order: ``"X1 before X2X3"``, ``"X1 < X2X3"``, or a sequence of subsets by names."""

_BEFORE = re.compile(r"\s+before\s+|<")


def linear_extension_with(wishes: str | Iterable[Wish], features: int | Iterable[str]) -> tuple[frozenset[str], ...]:
    """Return a linear extension of the subset lattice that grants all wishes.

    A wish says that some subsets come before others, so that the earlier subset has the smaller Bayes risk. Write it as
    a string such as ``"X1X3 before X2X4"`` or ``"{age} < {sex, class}"``, or as a sequence of subsets by names. A wish
    may be a chain of any length. `features` holds the names, or the number n for X1, .., Xn.

    Of all linear extensions that grant the wishes, the result is the first in the order of `linear_extensions`. So
    without wishes, larger subsets come first. Complexity: O(n 2**n log 2**n) for n features, and O(w**2) for w wishes.

    Raises
    ------
    NotMonotoneError
        A wish puts a subset before one of its supersets. The error has the two as `subset` and `superset`.
    InvalidValueError
        The wishes contradict one another or inclusion. The message names the cycle.

    Examples
    --------
    >>> order = linear_extension_with("X3 before X1X2", 3)
    >>> ["".join(sorted(subset)) for subset in order]
    ['X1X2X3', 'X1X3', 'X2X3', 'X3', 'X1X2', 'X1', 'X2', '']
    >>> linear_extension_with(["X1 < X2X3", "X2 < X1X3"], 3)
    Traceback (most recent call last):
    fstheory.errors.InvalidValueError: wishes must be consistent, not X1 before X2X3 (wish), X2X3 before X2
    (superset), X2 before X1X3 (wish), X1X3 before X1 (superset); drop one of them
    """
    names = resolve_features(features)
    listed: Iterable[Wish] = [wishes] if isinstance(wishes, str) else wishes
    errors.require_type(listed, Iterable, "wishes", "strings or sequences of subsets", "write ['X1 before X2']")
    pairs = [pair for i, wish in enumerate(listed) for pair in itertools.pairwise(_read(wish, names, f"wishes[{i}]"))]
    _refuse_cycles(pairs, names)
    # Repeatedly take the available subset that is first in the base order.
    return named(placed(len(names), pairs, heapq.heappop, heapq.heappush), names)


def _read(wish: Wish, names: Sequence[str], argument: str) -> list[int]:
    if isinstance(wish, str):
        masks = [parse_subset(part.strip(), names, argument) for part in _BEFORE.split(wish)]
    else:
        errors.require_type(wish, Iterable, argument, "a string or a sequence of subsets", "write 'X1 before X2'")
        masks = [mask_of(subset, names, argument) for subset in wish]
    needed, repair = "at least two subsets in order", "write 'X1 before X2'"
    errors.require(len(masks) > 1, argument, needed, wish, repair, errors.InvalidFormatError)
    return masks


def _refuse_cycles(pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> None:
    """Refuse wishes that form a cycle, and name a shortest one.

    In a cycle, each wish ends with a superset of the subset with which the next wish begins, or with that subset.
    """
    import networkx as nx

    follows = [
        (i, j) for i, (_, end) in enumerate(pairs) for j, (start, _) in enumerate(pairs) if is_subset(start, end)
    ]
    graph, cycles = nx.DiGraph(follows), list[list[int]]()
    for wish in graph:
        walks = nx.single_source_shortest_path(graph, wish)
        cycles += [walks[last] for last in graph.predecessors(wish) if last in walks]
    if not cycles:
        return
    best = min(cycles, key=len)
    steps = []
    for wish, following in zip(best, [*best[1:], best[0]], strict=True):
        (start, end), (target, _) = pairs[wish], pairs[following]
        steps.append(f"{format_subset(start, names)} before {format_subset(end, names)} (wish)")
        if target != end:
            steps.append(f"{format_subset(end, names)} before {format_subset(target, names)} (superset)")
    message = f"wishes must be consistent, not {', '.join(steps)}; drop one of them"
    start, end = pairs[best[0]]
    if len(best) == 1 and start != end:
        raise errors.NotMonotoneError(message, names_of(start, names), names_of(end, names))
    raise errors.InvalidValueError(message)
