"""Samples and criteria that nobody draws, for tests that run every public function on each of them.

`SHAPES` has samples of odd sizes, `labeled` makes one of each kind of labels, `drawn` combines oddities by a seed.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import fstheory as fs
from fstheory import criteria

LONG = Fraction(10**400 + 1, 10**399 + 7)
"""A number of 400 digits."""

LABELS: dict[str, Sequence[Any]] = {
    "integers": [0, 1, 2],
    "negative integers": [-3, 0, 10**30],
    "texts": ["a", "b,c", 'd"<i>{}$\\'],
    "empty and blank texts": ["", " ", "∅"],
    "Chinese": ["男", "女", "未知"],
    "numbers in texts": ["1e155", "-0.5", "1/3"],
    "booleans": [False, True, "unknown"],
    "fractions": [Fraction(1, 3), Fraction(10**60, 7), LONG],
    "decimals": [Decimal("0.1"), Decimal("1e155"), Decimal(-2)],
    "floats": [0.5, float("inf"), 1e308],
    "large numbers": [10**155, -(10**155), 10**400],
    "bytes": [b"a", b"", b"\xff"],
    "tuples": [(), (0, "a"), ((1, 2), False)],
    "NumPy numbers": [np.int8(1), np.float32(0.5), np.str_("a")],
    "sets": [frozenset(), frozenset({1, 2}), frozenset({"a"})],
    "dates": [dt.date(2000, 1, 1), dt.date(2020, 2, 29), dt.date(9999, 12, 31)],
    "times": [np.datetime64("2000-01-01"), pd.Timestamp("2020-02-29"), dt.timedelta(1)],
    "periods": [pd.Period("2020-01"), pd.Interval(0, 1), complex(0, 1)],
}

CRITERIA: list[Any] = [
    *("zero_one", "balanced", "logarithmic", "gini", "squared_error", "auc"),
    criteria.f_measure(Fraction(10**400, 3)),
    criteria.cost_sensitive(1 / LONG),
    criteria.loss_matrix([[0, LONG], [Fraction(1, 10**400 + 3), 0]]),
    criteria.loss_matrix([[0, LONG, 1], [Fraction(1, 10**400 + 3), 0, LONG], [1, 1, 0]]),
    criteria.loss_matrix([[0, 10**19], [1, 0]]),
    criteria.loss_matrix([[10**19], [1]], predictions=["?"]),
    criteria.logarithmic(1 + Fraction(1, 2**60)),
    criteria.logarithmic(1 + Fraction(1, 2**1100)),
]
"""Criteria with costs of 400 digits, losses of 10^19 and bases next to 1, and all that have a name."""


def _repeated(rows: dict[tuple[Any, ...], int], **options: Any) -> fs.Sample:
    return fs.Sample.from_counts(rows, keep_continuous=True, **options)


def _wide(n: int, rows: int, states: int = 2) -> fs.Sample:
    source = random.Random(0)
    listed = [tuple(source.randrange(states) for _ in range(n + 1)) for _ in range(rows)]
    return fs.Sample(listed, keep_continuous=True)


SHAPES: dict[str, Callable[[], fs.Sample]] = {
    "the last class does not occur": lambda: fs.Sample([(0, 0, 0)] * 5 + [(0, 0, 1)] * 5, states={"Y": [0, 1, 2]}),
    "the first class does not occur": lambda: _repeated(
        {(0, 1, 1): 3, (1, 1, 2): 4, (1, 0, 1): 1}, states={"Y": [0, 1, 2], "X1": [7, 1, 0]}
    ),
    "one of two classes does not occur": lambda: _repeated({(0, 1, 0): 3, (1, 1, 0): 4}, states={"Y": [0, 1]}),
    "one class": lambda: fs.Sample([(0, "a", "y")] * 3 + [(1, "b", "y")] * 2),
    "one row": lambda: fs.Sample([(0, 1, 1)]),
    "two rows": lambda: fs.Sample([(0, 1), (1, 0)]),
    "no features": lambda: fs.Sample([(0,), (1,), (1,)]),
    "no feature, one class": lambda: fs.Sample([(0,)]),
    "10^13 rows of each": lambda: _repeated({(0, 0, 0): 10**13, (1, 0, 1): 10**13 + 1}),
    "one row among 10^13": lambda: _repeated({(0, 0, 0): 10**13, (1, 0, 1): 1, (1, 1, 0): 2}),
    "2^61 rows of a class": lambda: _repeated({(0, 0): 2**61, (0, 1): 2**61 - 1}),
    "2^61 rows of three classes": lambda: _repeated({(0, "a"): 2**61, (1, "b"): 2**60, (1, "c"): 2**60 - 1}),
    "a state a row": lambda: _repeated({(i, f"n{i}", i % 2): 1 for i in range(20)}),
    "a class a row": lambda: _repeated({(i % 2, i): 1 for i in range(20)}),
    "70 columns": lambda: _wide(70, 40),
    "70 columns and three rows": lambda: _wide(70, 3, 4),
    "60 states declared": lambda: _repeated({(0, 0): 5, (1, 1): 6}, states={"X1": range(60)}),
    "odd names": lambda: fs.Sample(
        [(0, 1, 0), (1, 1, 1)] * 3, features=['a,"b"', "{X1} | <i>"], target="count \\_$%"
    ),
}  # fmt: skip


def labeled(kind: str) -> fs.Sample:
    """Return a sample of two features and a class, all with the three labels of one kind."""
    labels = LABELS[kind]
    return _repeated({(labels[i % 3], labels[-1 - i % 2], labels[(i + i // 3) % 3]): i % 4 + 1 for i in range(12)})


def drawn(seed: int) -> fs.Sample:
    """Return a sample with several oddities: labels, declared states, sizes of counts and numbers of columns."""
    source = random.Random(seed)
    n = source.choice([0, 1, 1, 2, 2, 3, 4, 70])
    kinds = [source.choice(list(LABELS.values())) for _ in range(n + 1)]
    used = [source.sample(labels, source.choice([1, 2, 2, 3])) for labels in kinds]
    scale = source.choice([1, 1, 3, 50, 10**13, 2**50])
    width = source.choice([1, 2, 5, 20])
    rows = {tuple(map(source.choice, used)): source.randint(1, scale) for _ in range(width)}
    names = [*(f"X{i + 1}" for i in range(n)), "Y"]
    declared = {
        name: source.sample(labels, 3) for name, labels in zip(names, kinds, strict=True) if source.random() < 0.5
    }
    return _repeated(rows, states=declared)
