"""Hypothesis strategies for tables of weights, with zeros, ties and near-ties."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

EDGES = (2**62, 2**63 - 1, 2**63, 2**64)


def as_table(values: list[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return int64 where every number fits, else Python integers."""
    if max(values) < 2**63:
        return np.array(values, dtype=np.int64).reshape(shape)
    table = np.empty(len(values), dtype=object)
    table[:] = values
    return table.reshape(shape)


@st.composite
def shapes(draw: st.DrawFn, features: int = 4, states: int = 4, classes: int = 4) -> tuple[int, ...]:
    """Cardinalities of the features, then the number of classes."""
    return (*draw(st.lists(st.integers(1, states), max_size=features)), draw(st.integers(1, classes)))


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
        "300 bits": st.integers(0, 2**300),
        "of all lengths": st.integers(0, 600).map(lambda bits: 2**bits),
        "differing in the last bit": st.integers(0, 1).map(lambda bit: base + bit),
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
