"""The least realization of every weak order of up to three binary features with two classes, by refutation.

``python -m tests.proofs.least_realizations`` writes the table that `fstheory.proofs.realization` reads, in most of an
hour. Least are the weights of the smallest total, of these those with the fewest cells above 0, and of these the
lexicographically smallest: what `refute` answers to the claim that no distribution has the order.
"""

import itertools
import json
from typing import Any

from fstheory.logic.claims import Claim, positive, unique_maximum
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import Refuted
from fstheory.proofs.construction import WeakOrder
from fstheory.proofs.realization import TABLE
from fstheory.proofs.refutation import refute
from tests.proofs.weak_order_lists import weak_order_classes

KINDS = {"none": (), "positive": (positive,), "both": (positive, unique_maximum)}
"""The assumptions that are told apart: `unique_maximum` alone asks for nothing that least weights do not have."""


def least_weights(order: WeakOrder, kind: str) -> list[int] | None:
    """Return the least weights under some assumptions; None where Theorem 4 of Peña and Nilsson says there are none."""

    def another(m: Model) -> Formula:
        risks = [m.risk(name for i, name in enumerate(m.order) if mask >> i & 1) for mask in range(len(order.ranks))]
        pairs = itertools.pairwise(mask for level in order.levels for mask in level)
        return m.any(
            risks[a] != risks[b] if order.ranks[a] == order.ranks[b] else risks[a] >= risks[b] for a, b in pairs
        )

    if kind == "both" and order.least_optimal is None:
        return None
    found = refute(Claim(str(order), another, (), KINDS[kind]), cardinalities=(2,) * len(order.features), classes=2)
    assert isinstance(found, Refuted)
    assert found.minimality.startswith("proved")
    return [int(weight) for weight in found.distribution.weights.ravel()]


def row(order: WeakOrder, images: int) -> dict[str, Any]:
    """Return what the table says of an order, of which there are so many renamings."""
    return {"ordering": str(order), "images": images} | {kind: least_weights(order, kind) for kind in KINDS}


def table_text() -> str:
    """Return the table for up to three features as JSON, one order per line."""
    parts = []
    for n in (1, 2, 3):
        lines = (json.dumps(row(order, images)) for order, images in weak_order_classes(n))
        parts.append(f'"{n}": [\n' + ",\n".join(lines) + "\n]")
    what = (
        "For each weak order of the Bayes risks of the subsets of n binary features, two classes, up to renaming "
        "features: how many orders are renamings of it, and the least weights (axes X1, .., Xn, Y, in C order) without "
        "assumptions, with p(x) > 0, and with p(x) > 0 and a single maximum of p(Y|x); null if there are none. A "
        "single maximum alone has the least weights of no assumptions."
    )
    head = {"what": what, "generator": "tests/proofs/least_realizations.py"}
    return json.dumps(head)[:-1] + ",\n" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    TABLE.write_text(table_text(), encoding="utf-8")
