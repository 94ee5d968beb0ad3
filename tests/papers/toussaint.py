"""Toussaint's paradox at its smallest, by trying every triple: ``python -m tests.papers.toussaint [LARGEST [STATES]]``.

A feature is independent of the others given two classes: for each state it has two counts, one for
either class, and these add up to the denominator. The names of states do not matter.
"""

import sys
from itertools import combinations, product

from fstheory.distributions.joint import JointDistribution

BITS = (((6, 0), (1, 7)), ((7, 2), (0, 5)), ((7, 3), (0, 4)))
SEVENTHS = JointDistribution(
    [[[[x[y] * s[y] * t[y] for y in (0, 1)] for t in BITS[2]] for s in BITS[1]] for x in BITS[0]]
)
"""Three bits, both classes equally probable: the best pair leaves out the best."""


def search(denominator: int, states: int = 2, prior: tuple[int, int] = (1, 1)) -> tuple[int, int, int]:
    """Return how many triples there are, in how many the best pair leaves out the best, and pairs rank reversed."""
    rows = [row for row in product(range(denominator + 1), repeat=states) if sum(row) == denominator]
    features = {tuple(sorted(zip(a, b, strict=True))) for a, b in product(rows, repeat=2)}
    p, q = prior
    alone = {f: sum(min(p * a, q * b) for a, b in f) for f in features}
    both = {(f, g): sum(min(p * a * c, q * b * d) for a, b in f for c, d in g) for f, g in product(features, repeat=2)}
    tried = best = reverse = 0
    for f, g, h in combinations(sorted(features, key=lambda f: alone[f]), 3):
        tried += 1
        if alone[f] < alone[g] < alone[h]:
            best += both[g, h] < min(both[f, g], both[f, h])
            reverse += both[g, h] < both[f, h] < both[f, g]
    return tried, best, reverse


if __name__ == "__main__":
    largest, states = (int(word) for word in [*sys.argv[1:], *("10", "2")[len(sys.argv) - 1 :]])
    for prior in ((1, 1), (2, 3)):
        for denominator in range(1, largest + 1):
            print(states, prior, denominator, *search(denominator, states, prior), flush=True)
