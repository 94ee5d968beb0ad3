"""Tables of weights and of values to be swept and drawn, and what a sweep must return, word for word."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fstheory import JointDistribution, SubsetTable, bayes_risks
from fstheory.lattice.subsets import default_features, indices_of, names_of

EDGES = (2**62, 2**63 - 1, 2**63, 2**64)

# -- The definition of a sweep, over Python numbers.


def sums(table: np.ndarray, phi: Callable[[Sequence[Any]], Any]) -> list[Any]:
    """Return, for every mask, the sum of phi over the cells of the marginal; the last axis is that of a cell."""
    found = []
    for mask in range(2 ** (table.ndim - 1)):
        cells: dict[tuple[int, ...], list[Any]] = {}
        for state in np.ndindex(table.shape[:-1]):
            cell = cells.setdefault(tuple(state[i] for i in indices_of(mask)), [0] * table.shape[-1])
            for y, value in enumerate(table[state].tolist()):
                cell[y] += value
        found.append(sum(map(phi, cells.values())))
    return found


def one_sum_a_subset(table: np.ndarray) -> list[int]:
    """Return the sums of the maxima with one `np.sum` a subset, for large tables."""
    n = table.ndim - 1
    gone = [tuple(i for i in range(n) if not mask >> i & 1) for mask in range(2**n)]
    return [int(np.sum(np.max(np.sum(table, axis=axes), axis=-1))) for axes in gone]


def as_table(values: list[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return int64 where every number fits, else Python integers."""
    kind = np.int64 if max(values) < 2**63 else object
    return np.array(values, dtype=kind).reshape(shape)


@st.composite
def shapes(draw: st.DrawFn, classes: int = 4) -> tuple[int, ...]:
    """Cardinalities of up to four features, then the number of classes."""
    return (*draw(st.lists(st.integers(1, 4), max_size=4)), draw(st.integers(1, classes)))


# -- Tables of values to be drawn.


def lattice(values: Mapping[int, Fraction], features: Iterable[str] | None = None) -> SubsetTable[Fraction]:
    """Return the table of the risks of the subsets with these masks."""
    named = tuple(features) if features is not None else default_features(max(values).bit_length())
    by_subset = {names_of(mask, named): value for mask, value in values.items()}
    return SubsetTable.from_mapping(by_subset, features=named, name="Bayes risk", symbol="R")


def risks(n: int, seed: int, relevant: Sequence[int] | None = None, features: Any = None) -> SubsetTable[Fraction]:
    """Return the Bayes risks of a random distribution in which only the features `relevant` matter."""
    rng, which = np.random.default_rng(seed), range(n) if relevant is None else relevant
    chances = rng.integers(1, 10, [2 if i in which else 1 for i in range(n)])
    masses = rng.integers(1, 5, (2,) * n)
    return bayes_risks(JointDistribution(np.stack([masses * chances, masses * (10 - chances)], -1), features=features))
