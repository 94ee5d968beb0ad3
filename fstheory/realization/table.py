"""The complete tables of realizable orderings for up to three binary features with two classes."""

from __future__ import annotations

import itertools
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from fstheory.distribution import JointDistribution
from fstheory.realization.weak_orders import WeakOrder, weak_order

__all__ = ["TABLE", "kind_of", "least_realization", "table_rows"]

TABLE = Path(__file__).with_name("realizable_orderings.json")  # written by tests/realization/least_realizations.py


def least_realization(order: WeakOrder, kind: str) -> JointDistribution | None:
    """Return the smallest realization of a weak order of up to three binary features; None if there is none.

    Smallest: the smallest total of the weights, then the fewest cells above 0, then lexicographically. A single
    maximum of p(Y|x) alone asks for nothing that the smallest realizations do not have.
    """
    first = order.first_renaming()
    n = len(order.features)
    weights = table_rows(n)[first.ranks]["none" if kind == "unique_maximum" else kind]
    if weights is None:
        return None
    least = np.array(weights, dtype=np.int64).reshape((2,) * (n + 1))
    renamed = (
        least.transpose(*images, -1)
        for images in itertools.permutations(range(n))
        if first.renamed(images).ranks == order.ranks
    )
    smallest = min(renamed, key=lambda weights: tuple(weights.ravel().tolist()))
    return JointDistribution(smallest, features=order.features)


def kind_of(*, positive: bool, unique_maximum: bool) -> str:
    """Return the name of a set of assumptions."""
    if positive and unique_maximum:
        return "both"
    return "positive" if positive else "unique_maximum" if unique_maximum else "none"


@lru_cache(maxsize=3)
def table_rows(n: int) -> dict[tuple[int, ...], dict[str, Any]]:
    """Return the rows for 1, 2 or 3 features by the ranks of their orders, of which renamings are not listed."""
    rows = json.loads(TABLE.read_text(encoding="utf-8"))[str(n)]
    return {weak_order(row["ordering"]).ranks: row for row in rows}
