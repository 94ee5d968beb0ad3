"""Decide the true statements on two papers on whole families: ``python -m tests.ledger.check_true [ID ..]``.

The counts that `fstheory.ledger.beraha_2019` and `fstheory.ledger.ahmed_2015` give for exhausted families are those
printed here, and `tests/ledger/test_true.py` compares them. Everything takes about twenty minutes, most
statements take less than ten seconds.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys
import time
from collections.abc import Iterator

import numpy as np

from fstheory.distribution import JointDistribution
from fstheory.ledger import ahmed_2015, beraha_2019
from fstheory.ledger.entry import Entry
from fstheory.logic import Shape, Statement
from fstheory.logic.evaluate import Evaluation

Part = tuple[tuple[int, ...], int, int]
"""Cardinalities, classes, and the largest total."""

FAMILY: tuple[Part, ...] = (
    ((2,), 2, 8),
    ((2,), 3, 6),
    ((3,), 2, 6),
    ((2, 2), 2, 6),
    ((2, 2), 3, 4),
    ((2, 3), 2, 4),
    ((2, 2, 2), 2, 3),
)
SMALL = tuple(part for part in FAMILY if math.prod(part[0]) <= 4)
"""For statements about all classifiers, or all rankings, of the states."""

FEW: tuple[Part, ...] = (
    ((2,), 2, 6),
    ((2,), 3, 4),
    ((3,), 2, 4),
    ((2, 2), 2, 4),
    ((2, 2), 3, 3),
    ((2, 3), 2, 3),
    ((2, 2, 2), 2, 2),
)
"""For comparisons of long sums of logarithms, each of which takes milliseconds."""

ON_FEW = {"B-0hc", "B-0kc", "B-0m", "B-0i", "B-0", "B-0n", "B-0a", "B-1k", "A-5"}
ON_SMALL = {"A-3", "A-4", "A-4r", "A-7", "A-7c", "A-7s", "A-8", "A-L"}

ENTRIES: dict[str, Entry] = {entry.id: entry for entry in (*beraha_2019.ENTRIES, *ahmed_2015.ENTRIES)}


def family(key: str) -> tuple[Part, ...]:
    """Return the family on which a statement is decided."""
    return SMALL if key in ON_SMALL else FEW if key in ON_FEW else FAMILY


def distributions(part: Part) -> Iterator[JointDistribution]:
    """Yield every distribution of a shape with a total up to the largest, once: weights in lowest terms."""
    cardinalities, classes, largest = part
    cells = math.prod(cardinalities) * classes
    for total in range(1, largest + 1):
        for bars in itertools.combinations(range(total + cells - 1), cells - 1):
            weights = [b - a - 1 for a, b in itertools.pairwise((-1, *bars, total + cells - 1))]
            if math.gcd(*weights) == 1:
                yield JointDistribution(np.array(weights).reshape(*cardinalities, classes).tolist())


def size_of(part: Part) -> int:
    """Return how many distributions there are, by Moebius inversion of the number of compositions."""
    cardinalities, classes, largest = part
    cells = math.prod(cardinalities) * classes
    primitive: dict[int, int] = {}
    for total in range(1, largest + 1):
        divisors = (d for d in range(1, total) if total % d == 0)
        primitive[total] = math.comb(total + cells - 1, cells - 1) - sum(primitive[d] for d in divisors)
    return sum(primitive.values())


@functools.cache
def statement(key: str, cardinalities: tuple[int, ...], classes: int) -> Statement:
    return ENTRIES[key].stated().statement(Shape(cardinalities, classes))


def assumed(key: str, part: Part) -> Iterator[tuple[JointDistribution, Evaluation]]:
    """Yield the distributions of a part where the assumptions of a statement are true."""
    said = statement(key, *part[:2])
    for d in distributions(part):
        at = Evaluation(d)
        if all(at.truth(named.formula) for named in said.assume):
            yield d, at


def held(key: str, parts: tuple[Part, ...] | None = None) -> int:
    """Return on how many distributions a statement was decided, and found true, of those where its assumptions are."""
    count = 0
    for part in family(key) if parts is None else parts:
        said = statement(key, *part[:2])
        for d, at in assumed(key, part):
            wrong = [named for named in said.show if not at.truth(named.formula)]
            assert not wrong, (d, str(wrong[0]))
            count += 1
    return count


def exhausted() -> dict[str, int]:
    """Return the counts that the ledger gives."""
    return {
        key: evidence.count
        for key, entry in ENTRIES.items()
        for evidence in entry.evidence
        if evidence.kind == "X" and evidence.count is not None and "check_true" in evidence.reproduce
    }


if __name__ == "__main__":
    for key in sys.argv[1:] or exhausted():
        start = time.perf_counter()
        print(f"{key} {held(key)} ({time.perf_counter() - start:.1f} s)", flush=True)
