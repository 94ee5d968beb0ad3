"""Rows of states in small integers: how they are grouped and counted, compared with counting rows by hand."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fstheory import Sample

SHAPES = [
    (1,),  # a class alone, of one label
    (2, 3, 2),
    (1, 2, 1, 3),
    (300, 2, 2),  # beyond a byte
    (7,) * 8,  # one word, sorted
    (3,) * 60,  # several words
    (2,) * 300,
]


def drawn(shape: tuple[int, ...], seed: int, number: int = 400) -> list[tuple[int, ...]]:
    """Draw rows, some of them many times; every state of every column occurs."""
    source = random.Random(seed)
    first = [tuple(min(i, states - 1) for states in shape) for i in range(max(shape))]
    some = [tuple(source.randrange(states) for states in shape) for _ in range(number // 4)]
    return first + [source.choice(some) for _ in range(number)]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{len(shape)} columns, {max(shape)} states")
def test_rows_are_grouped_when_asked_for(shape: tuple[int, ...]) -> None:
    rows = drawn(shape, len(shape))
    frame = pd.DataFrame(rows, columns=[*(f"X{i}" for i in range(1, len(shape))), "Y"])
    s, counted = Sample.from_frame(frame, target="Y", keep_continuous=True), sorted(Counter(rows).items())
    columns = [0, len(shape) // 2] if len(shape) > 2 else range(len(shape) - 1)
    cells = sorted(Counter((*(row[i] for i in columns), row[-1]) for row in rows).items())
    found = s.cells([s.features[i] for i in columns])  # before anything is grouped
    assert [int(n) for n in found.ravel() if n] == [n for _, n in cells]
    again = pickle.loads(pickle.dumps(s))
    assert s.m == again.m == len(rows)
    assert s.codes.tolist() == [list(row) for row, _ in counted]
    assert s.counts.tolist() == [n for _, n in counted]
    listed = Sample(rows, keep_continuous=True)
    assert s == listed == again == pickle.loads(pickle.dumps(s))
    assert hash(s) == hash(listed) == hash(again)
    assert s != Sample([*rows, rows[-1]], keep_continuous=True)
    kept = s.keep([s.features[i] for i in columns])
    few = [(*(row[i] for i in columns), row[-1]) for row in rows]
    assert kept == Sample(few, features=kept.features, keep_continuous=True)


def test_columns_take_as_few_bytes_as_their_states_need() -> None:
    rows = drawn((1, 2, 256, 257, 2), 0)
    s = Sample.from_frame(pd.DataFrame(rows, columns=list("abcdY")), target="Y", keep_continuous=True)
    assert [column.itemsize for column in s._rows.columns] == [1, 1, 1, 2, 1]
    assert [s.codes.dtype, s.counts.dtype] == [np.int64, np.int64]
    with pytest.raises(ValueError, match="read-only"):
        s._rows.columns[0][0] = 1
    with pytest.raises(ValueError, match="read-only"):
        s.counts[0] = 2


COLUMNS: dict[str, list[Any]] = {
    "text": ["b", "a", None, "b", "c"],
    "whole": [3, -1, 7, 3, 3],
    "float": [0.5, float("nan"), 0.25, 0.5, -0.0],
    "flag": [True, False, None, True, True],
    "day": [date(2020, 1, 1), None, date(2021, 1, 1), date(2020, 1, 1), None],
    "decimal": [Decimal("1.5"), None, Decimal("1.5"), Decimal("0.1"), Decimal("2.5")],
    "empty": [None, None, None, None, None],
    "y": [1, 0, 1, 1, 0],
}


@pytest.mark.parametrize("library", ["pandas", "pandas with types", "polars", "pyarrow"])
@pytest.mark.parametrize("name", sorted(COLUMNS.keys() - {"y"}))
def test_columns_are_read_as_the_values_they_hold(library: str, name: str) -> None:
    data = {name: COLUMNS[name], "y": COLUMNS["y"]}
    module = pytest.importorskip(library.split()[0])
    frame = module.table(data) if library == "pyarrow" else module.DataFrame(data)
    if library == "pandas":
        frame = frame.astype({name: object})
    elif library == "pandas with types":
        frame = frame.convert_dtypes()
    s = Sample.from_frame(frame, target="y", missing="label", keep_continuous=True)
    values = ["missing" if value is None or value != value else value for value in data[name]]
    own, (labels, classes) = [value for value in values if value != "missing"], s.states.values()
    ordered = list(dict.fromkeys(own)) if name in ("float", "day", "decimal") else sorted(set(own))
    assert list(labels) == ordered + ["missing"] * ("missing" in values)
    assert {type(label) for label in labels} == set(map(type, values))
    pairs = Counter((labels[i], classes[j]) for i, j in s.codes.tolist())
    assert pairs.keys() == set(zip(values, data["y"], strict=True))
    assert s.counts.tolist() == [Counter(zip(values, data["y"], strict=True))[pair] for pair in pairs]
