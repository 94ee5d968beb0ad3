"""The definitions, literally, over `to_pmf`: what the gallery's members are checked with."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from fstheory import JointDistribution

ORACLES = Path(__file__).parents[1] / "oracles"


def oracle(name: str) -> dict[str, Any]:
    """Read an oracle."""
    found: dict[str, Any] = json.loads((ORACLES / name).read_text(encoding="utf-8"))
    return found


def subsets(features: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield every subset, by size."""
    for size in range(len(features) + 1):
        yield from combinations(features, size)


def risks(d: JointDistribution) -> dict[frozenset[str], Fraction]:
    """Return the Bayes risk of every subset: 1 - sum over its states s of max over y of p(s, y)."""
    pmf = d.to_pmf()
    found = {}
    for subset in subsets(d.features):
        kept = [d.features.index(name) for name in subset]
        cells: dict[tuple[Any, ...], dict[Any, Fraction]] = {}
        for (*x, y), mass in pmf.items():
            cell = cells.setdefault(tuple(x[i] for i in kept), {})
            cell[y] = cell.get(y, Fraction(0)) + mass
        found[frozenset(subset)] = 1 - sum((max(cell.values()) for cell in cells.values()), Fraction(0))
    return found


def minimal_optimal(table: dict[frozenset[str], Fraction]) -> set[frozenset[str]]:
    """Return every minimal subset with minimal risk."""
    best = {subset for subset, value in table.items() if value == min(table.values())}
    return {subset for subset in best if not any(other < subset for other in best)}
