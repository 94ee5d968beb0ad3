"""The complete tables of realizable orderings for up to three binary features with two classes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from fstheory._exact import as_index
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain
from fstheory.realization.weak_orders import WeakOrder, weak_order

__all__ = ["TABLE", "Realizable", "kind_of", "least_realization", "realizable_orderings"]

TABLE = Path(__file__).with_name("realizable_orderings.json")  # written by tests/realization/least_realizations.py


@dataclass(frozen=True, slots=True)
class Realizable:
    """A weak order and its smallest distributions.

    Attributes
    ----------
    ordering : WeakOrder
    images : int
        How many weak orders differ from it only by the names of the features.
    least : mapping from str to JointDistribution or None
        The smallest realization with no assumptions (``"none"``), with ``"positive"``, with ``"unique_maximum"``, and
        with ``"both"``; None if there is none. Smallest: the smallest total of the weights, then the fewest cells
        above 0, then lexicographically.
    """

    ordering: WeakOrder
    images: int
    least: Mapping[str, JointDistribution | None]


def realizable_orderings(features: int) -> tuple[Realizable, ...]:
    """Return all weak orders of the subsets of up to three binary features, each with its smallest realizations.

    Two classes. Of orders that differ only by the names of the features, one is listed.
    """
    n = as_index(features, "features")
    if n not in _rows():
        raise InvalidValueError(explain("features", "1, 2 or 3", features, "ask realize about one ordering"))
    return tuple(_rows()[n].values())


def least_realization(order: WeakOrder, kind: str) -> JointDistribution | None:
    """Return the smallest realization of a weak order of up to three binary features; None if there is none."""
    first = order.first_renaming()
    least = _rows()[len(order.features)][first.ranks].least[kind]
    if least is None:
        return None
    found = (
        least.weights.transpose(*images, -1)
        for images in itertools.permutations(range(len(order.features)))
        if first.renamed(images).ranks == order.ranks
    )
    smallest = min(found, key=lambda weights: tuple(weights.ravel().tolist()))
    return JointDistribution(smallest, features=order.features)


def kind_of(*, positive: bool, unique_maximum: bool) -> str:
    """Return the name of a set of assumptions."""
    if positive and unique_maximum:
        return "both"
    return "positive" if positive else "unique_maximum" if unique_maximum else "none"


@lru_cache(maxsize=1)
def _rows() -> dict[int, dict[tuple[int, ...], Realizable]]:
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    return {n: {row.ordering.ranks: row for row in map(_row, table[str(n)])} for n in (1, 2, 3)}


def _row(line: Mapping[str, object]) -> Realizable:
    order = weak_order(str(line["ordering"]))
    least = {kind: _distribution(order, line[kind]) for kind in ("none", "positive", "both")}
    least["unique_maximum"] = least["none"]
    return Realizable(order, int(str(line["images"])), least)


def _distribution(order: WeakOrder, weights: object) -> JointDistribution | None:
    if weights is None:
        return None
    shape = (2,) * len(order.features) + (2,)
    return JointDistribution(np.array(weights, dtype=np.int64).reshape(shape), features=order.features)
