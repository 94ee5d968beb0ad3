"""Decide true statements of the ledger on whole families: ``python -m tests.papers.check_true [ID ..]``.

The counts are printed, to be written into the evidence, which names the family; `tests/papers/test_ledger.py` compares
them. Everything takes about twenty minutes, most statements ten seconds.
"""

import functools
import math
import re
import sys
import time
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.entry import Evidence
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.ledger import claims
from fstheory.logic.statement import Shape, Statement
from tests.literal import lowest_terms
from tests.measures.examples import SIZES

Part: TypeAlias = tuple[tuple[int, ...], int, int]
"""Cardinalities, classes, and the largest total."""

_PART = re.compile(r"([0-9x]+)\|(\d+) up to (\d+)")


def family(words: str) -> list[Part]:
    """Return the shapes and totals that a piece of evidence says were exhausted."""
    return [
        (tuple(map(int, sizes.split("x"))), int(classes), int(total)) for sizes, classes, total in _PART.findall(words)
    ]


EXHAUSTED: dict[str, Evidence] = {
    key: evidence for key, entry in claims.items() for evidence in entry.evidence if "check_true" in evidence.reproduce
}


def distributions(part: Part) -> Iterator[JointDistribution]:
    """Yield every distribution of a shape with a total up to the largest, once: weights in lowest terms."""
    cardinalities, classes, largest = part
    for total in range(1, largest + 1):
        for weights in lowest_terms(total, math.prod(cardinalities) * classes):
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


SURVEYS = {
    "tests.measures.check_claims": {size_of(((2, 2), 2, 12)) + 10_000, 119_820},
    "tests.selection.check_claims": {size_of(((2, 2), 2, 12))},
    "tests.measures.examples": {sum((largest + 1) ** (2 * states) - 1 for states, largest in SIZES)},
}
"""How many distributions the scripts go through; the number of recoded features, which are drawn, is printed there."""


@functools.cache
def statement(key: str, cardinalities: tuple[int, ...], classes: int) -> Statement:
    return claims[key].stated().statement(Shape(cardinalities, classes))


def held(key: str, parts: list[Part]) -> int:
    """Return on how many distributions a statement was decided, and found true, of those where its assumptions are."""
    count = 0
    for part in parts:
        stated = statement(key, *part[:2])
        for d in distributions(part):
            at = Evaluation(d)
            if all(at.truth(named.formula) for named in stated.assume):
                wrong = [str(named) for named in stated.show if not at.truth(named.formula)]
                assert not wrong, (d, wrong[0])
                count += 1
    return count


if __name__ == "__main__":
    for key in sys.argv[1:] or EXHAUSTED:
        start = time.perf_counter()
        count = held(key, family(EXHAUSTED[key].what))
        print(f"{key} {count} ({time.perf_counter() - start:.1f} s)", flush=True)
