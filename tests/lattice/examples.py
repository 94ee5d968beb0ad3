"""Tables of weights and of values to be swept and drawn, and what a sweep must return, word for word."""

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fstheory import SubsetTable
from fstheory.lattice.subsets import default_features, indices_of, names_of
from tests import literal

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
    """Return the sums of the maxima with one `np.sum` a subset, for tables that are large and fit into int64."""
    n = table.ndim - 1
    gone = [tuple(i for i in range(n) if not mask >> i & 1) for mask in range(2**n)]
    return [int(table.sum(axis=axes).max(axis=-1).sum()) for axes in gone]


# -- Tables of weights, with zeros, ties and near-ties.


def as_table(values: list[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return int64 where every number fits, else Python integers."""
    kind = np.int64 if max(values) < 2**63 else object
    return np.array(values, dtype=kind).reshape(shape)


@st.composite
def shapes(draw: st.DrawFn, classes: int = 4) -> tuple[int, ...]:
    """Cardinalities of up to four features, then the number of classes."""
    return (*draw(st.lists(st.integers(1, 4), max_size=4)), draw(st.integers(1, classes)))


@st.composite
def weights(draw: st.DrawFn) -> Any:
    """Choose what kind of weights the whole table has, so that tables of one kind are common."""
    base = draw(st.integers(2**290, 2**300))
    kinds = {
        "small, with ties": st.integers(0, 3),
        "mostly zero": st.sampled_from([0, 0, 0, 0, 1, 5]),
        "counts": st.integers(0, 10**6),
        "63 bits": st.integers(0, 2**63 - 1),
        "limb edges": st.sampled_from([0, 1, *(edge + off for edge in EDGES for off in (-1, 0, 1))]),
        "of all lengths": st.integers(0, 600).map(lambda bits: 2**bits),
        "differing in the last bit, or zero": st.sampled_from([0, base, base + 1]),
    }
    return kinds[draw(st.sampled_from(sorted(kinds)))]


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    """Tables of 0 to 4 features with 1 to 4 states and 1 to 4 classes."""
    shape = draw(shapes())
    size = math.prod(shape)
    pool = draw(st.lists(draw(weights()), min_size=min(size, 12), max_size=min(size, 12)))
    if size <= len(pool):
        return as_table(pool, shape)
    seed = draw(st.integers(0, 2**32 - 1))  # large tables repeat the drawn numbers, which shrink better than 1024 draws
    picks = np.random.default_rng(seed).integers(0, len(pool), size)
    return as_table([pool[i] for i in picks], shape)


# -- Tables of values to be drawn.


def lattice(values: Mapping[int, Fraction], features: Sequence[str] | None = None) -> SubsetTable[Fraction]:
    """Return the table of the risks of the subsets with these masks."""
    named = tuple(features) if features is not None else default_features(max(values).bit_length())
    by_subset = {names_of(mask, named): value for mask, value in values.items()}
    return SubsetTable.from_mapping(by_subset, features=named, name="Bayes risk", symbol="R")


def risks(n: int, seed: int, relevant: Sequence[int] | None = None) -> dict[int, Fraction]:
    """Return the Bayes risks of a random distribution in which only the features `relevant` matter."""
    rng = random.Random(seed)
    relevant = range(n) if relevant is None else relevant
    chances = {part: rng.randint(1, 9) for part in itertools.product((0, 1), repeat=len(relevant))}
    pmf: literal.Pmf = {}
    for x in itertools.product((0, 1), repeat=n):
        chance, weight = chances[tuple(x[i] for i in relevant)], Fraction(rng.randint(1, 4))
        pmf[*x, 0], pmf[*x, 1] = weight * chance, weight * (10 - chance)
    total = sum(pmf.values())
    pmf = {cell: weight / total for cell, weight in pmf.items()}
    return {mask: literal.bayes_risk(pmf, indices_of(mask)) for mask in range(2**n)}
