"""Weak orders of the feature subsets: which have the smallest Bayes risk, which come next, which tie."""

from __future__ import annotations

import functools
import itertools
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    NotMonotoneError,
    explain,
    require,
    require_type,
)
from fstheory.lattice.extensions import names_in, resolve_features
from fstheory.lattice.ordering import Ordering
from fstheory.lattice.subsets import (
    Subset,
    covers,
    default_features,
    format_subset,
    listed_names,
    mask_of,
    names_of,
    order_by,
    parse_subset,
)

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
    repair = "take the ordering of a table that was not restricted"
    require(len(single) == count, "ordering", "of all subsets", ordering, repair)
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
    named = count or text.strip() in {"{}", "∅"}
    require(named, "features", "given when the names are not X1, .., Xn", None, "pass features=[...] in order")
    resolve_features(min(count, 10**6))  # refuses what would not fit in memory
    return default_features(count)


def _of_levels(levels: object, features: int | Iterable[str] | None) -> tuple[tuple[str, ...], Levels]:
    given = require_type(levels, Iterable, "ordering", "a text, an Ordering or levels", "write 'X1 < {}', say")
    held = []
    for i, level in enumerate(given):
        if isinstance(level, str) or not isinstance(level, Iterable):
            repair = "write [[['X1']], [[]]] for X1 < {}"
            raise InvalidTypeError(explain(f"ordering[{i}]", "a level: an iterable of subsets", level, repair))
        held.append([listed_names(subset, f"ordering[{i}][{j}]") for j, subset in enumerate(level)])
        require(held[-1], f"ordering[{i}]", "a level with a subset", [], "leave it out")
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
