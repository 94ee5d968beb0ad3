"""Rows of states in small integers: how they are grouped and counted, compared with counting rows by hand."""

import pickle
import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fstheory import Sample
from fstheory.distributions.rows import cells_with
from fstheory.errors import FSTheoryError

SHAPES = {
    "a class of one label": (1,), "few": (2, 3, 1, 2, 2), "beyond a byte": (300, 2, 2), "one word, sorted": (20,) * 8,
    "several words": (3, 2) * 35 + (3,), "bits": (2,) * 300,
}  # fmt: skip
any_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


def drawn(shape: tuple[int, ...], number: int = 400) -> list[tuple[int, ...]]:
    """Draw rows, some of them many times; every state of every column occurs."""
    source = random.Random(len(shape))
    some = [tuple(source.randrange(states) for states in shape) for _ in range(number // 4)]
    first = [tuple(min(i, states - 1) for states in shape) for i in range(max(shape))]
    return first + [source.choice(some) for _ in range(number)]


def read(rows: list[tuple[int, ...]]) -> Sample:
    frame = pd.DataFrame(rows, columns=[*(f"X{i}" for i in range(1, len(rows[0]))), "Y"])
    return Sample.from_frame(frame, target="Y", keep_continuous=True)


@any_shape
def test_rows_are_grouped_when_asked_for(shape: tuple[int, ...]) -> None:
    rows = drawn(shape)
    s, counted = read(rows), sorted(Counter(rows).items())
    few = [(*row[: len(shape) // 3], row[-1]) for row in rows]
    cells = s.cells(s.features[: len(shape) // 3])  # before anything is grouped
    assert [int(n) for n in cells.ravel() if n] == [n for _, n in sorted(Counter(few).items())]
    assert (again := pickle.loads(pickle.dumps(s))).m == s.m == len(rows)
    assert [*zip(map(tuple, s.codes.tolist()), s.counts.tolist(), strict=True)] == counted
    assert (
        s
        == (listed := Sample(rows, keep_continuous=True))
        == again
        == pickle.loads(pickle.dumps(s))
        != read([*rows, rows[-1]])
    )
    assert hash(s) == hash(listed) == hash(again)
    assert s.keep(s.features[: len(shape) // 3]) == Sample(few, keep_continuous=True)


def test_columns_take_as_few_bytes_as_their_states_need() -> None:
    s = read(drawn((1, 2, 256, 257, 2)))
    assert [array.itemsize for array in (*s._rows.columns, s.codes, s.counts)] == [1, 1, 1, 2, 1, 8, 8]
    assert not any(array.flags.writeable for array in (*s._rows.columns, s.counts, Sample([(0, 0)]).counts))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("most", [1, 5, 2**40])
@any_shape
def test_pairs_are_counted_as_by_hand(shape: tuple[int, ...], most: int) -> None:
    rows = drawn(shape)
    counted = {row: random.Random(str(row)).randint(1, most) for row in rows}
    for s, times in ((Sample.from_counts(counted, keep_continuous=True), counted), (read(rows), Counter(rows))):
        for target in ("Y", *s.features[-1:]):
            at = [*s.features, "Y"].index(target)
            expected = {name: np.zeros((shape[i], shape[at]), dtype=int) for i, name in enumerate(s.features)}
            for row, number in times.items():
                for name, state in zip(s.features, row, strict=False):
                    expected[name][state, row[at]] += number
            found = s.pair_counts(target=target)
            assert [(n, t.tolist()) for n, t in found.items()] == [(n, t.tolist()) for n, t in expected.items()]
    some = Sample([("a", 0)], features=["X"], states={"X": list("ba"), "Y": list(range(20))})
    assert some.pair_counts()["X"].tolist() == [[0] * 20, [1] + [0] * 19]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["bits", "several words", "few"])
def test_a_subset_with_each_feature_more_is_counted_as_by_hand(name: str) -> None:
    rows = drawn(shape := SHAPES[name])
    for s in (Sample(rows), read(rows)):
        for taken in ([], [1], [0, 2, 3], list(range(min(len(shape) - 2, 14)))):
            added = [i for i in range(len(shape) - 1) if i not in taken][:70][::-1]
            for i, cells in zip(added, cells_with(s, sum(1 << j for j in taken), added), strict=True):
                expected = Counter((*(row[j] for j in (*taken, i)), row[-1]) for row in rows)
                states = sorted({state[:-1] for state in expected})
                assert sorted(cells.tolist()) == sorted(
                    [expected[(*state, y)] for y in range(shape[-1])] for state in states
                )


def test_rows_that_are_alone_in_their_state_are_not_split_again() -> None:
    rows = Sample(drawn(SHAPES["bits"]))._rows
    alone, others, _ = rows.apart(rows.states_of(range(14)))
    assert len(alone) + len(others) == len(rows) > 10 * len(others)
    assert rows.apart(rows.states_of([0]))[1] is rows


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "int64", "uint64"])
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_integers_are_looked_up_as_they_are_hashed(library: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At both ends of each type, in ranges that fit a table and in ranges that do not."""
    module, limits, source = pytest.importorskip(library), np.iinfo(kind), np.random.default_rng(0)
    near = [np.clip(end + source.integers(-9, 9, 60).astype(object), limits.min, limits.max) for end in (limits.min, 0)]
    high = [limits.max - int(step) for step in source.integers(0, 9, 60)]
    data = {"low": near[0], "zero": near[1], "high": high, "wide": [*near[0][:30], *high[:30]], "y": [0, 1] * 30}
    arrays = {name: np.array(list(values), dtype=kind) for name, values in data.items()}
    frame = module.table(arrays) if library == "pyarrow" else module.DataFrame(arrays)
    looked_up = Sample.from_frame(frame, target="y", keep_continuous=True)
    monkeypatch.setattr("fstheory.distributions.tables._whole_numbers", lambda _: None)
    assert looked_up == Sample.from_frame(frame, target="y", keep_continuous=True)
    assert looked_up.states["high"] == tuple(sorted(set(high)))
    assert {type(label) for labels in looked_up.states.values() for label in labels} == {int}


COLUMNS: dict[str, list[Any]] = {
    "text": ["b", "a", None, "b", "c"], "whole": [3, -1, 7, 3, 3], "flag": [True, False, None, True, True],
    "float": [0.5, float("nan"), 0.25, 0.5, -0.0], "empty": [None] * 5,
    "day": [date(2020, 1, 1), None, date(2021, 1, 1), date(2020, 1, 1), None],
    "decimal": [Decimal("1.5"), None, Decimal("1.5"), Decimal("0.1"), Decimal("2.5")],
}  # fmt: skip


@pytest.mark.parametrize("library", ["pandas", "pandas with types", "polars", "pyarrow"])
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_read_as_the_values_they_hold(library: str, name: str) -> None:
    data = {name: COLUMNS[name], "y": [1, 0, 1, 1, 0]}
    module = pytest.importorskip(library.split()[0])
    frame = module.table(data) if library == "pyarrow" else module.DataFrame(data)
    if module is pd:
        frame = frame.astype({name: object}) if library == "pandas" else frame.convert_dtypes()
    s = Sample.from_frame(frame, target="y", missing="label", keep_continuous=True)
    values = ["missing" if value is None or value != value else value for value in data[name]]
    own, (labels, classes) = dict.fromkeys(value for value in values if value != "missing"), s.states.values()
    ordered = list(own) if name in ("float", "day", "decimal") else sorted(own)
    assert list(labels) == ordered + ["missing"] * ("missing" in values)
    assert {type(label) for label in labels} == set(map(type, values))
    pairs = {(labels[i], classes[j]): n for (i, j), n in zip(s.codes.tolist(), s.counts.tolist(), strict=True)}
    assert pairs == Counter(zip(values, data["y"], strict=True))


def made(make: Callable[[], Sample]) -> Any:
    """Return the sample and the texts about it, or what is said against it, without the number of the row."""
    try:
        s = make()
    except FSTheoryError as error:
        return type(error), re.sub(r" \(first in row \d+\)| in row \d+", "", str(error)), dict(error.options)
    return s, s.notes, str(s), [[(type(label), str(label)) for label in labels] for labels in s.states.values()]


def drawn_columns(seed: int) -> dict[str, list[Any]]:
    """Draw columns of each type, some with missing values, in an order that is not sorted."""
    rng = random.Random(seed)
    rows, holes = rng.choice([0, 1, 7, 300]), [None] * (seed % 2)
    days = [date(2024, 5, 3), date(2020, 1, 1), date(2023, 1, 9)]
    kinds: dict[str, list[Any]] = {
        'a "quoted" name': ["b", "A", "a", "", *holes], "whole": [3, -1, 2**40, *holes], "flag": [True, False, *holes],
        "float": [7.5, 0.25, 1.0, float("nan") if holes else 2.5, *holes], "day": [*days, *holes],
        "time": [datetime(2024, 5, 3, 12), datetime(2020, 1, 1), *holes], "decimal": [Decimal("2.5"), Decimal("1.5")],
        "many": [*range(200)], "times": [0, 1, 2, 3], "y": ["v", "u"],
    }  # fmt: skip
    return {name: rng.choices(values, k=rows) for name, values in kinds.items()}


ASKED: list[dict[str, Any]] = [
    {"missing": "label"}, {"missing": "drop", "leave_out": ["times", "many"]}, {"count": "times", "missing": "drop"},
    {"features": ["float", "flag"]}, {"features": []}, {"bins": 3, "missing": "label", "count": "times"},
    {"features": ["whole"], "states": {"whole": [2**40, 3, 0, -1]}, "missing": "drop"}, {"count": "decimal"},
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("library", ["polars", "duckdb", "pyarrow"])
def test_rows_counted_by_a_library_are_the_rows_in_memory(
    library: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of states included, which is that of their first occurrence for numbers with fractions and days."""
    arrow, module = pytest.importorskip("pyarrow"), pytest.importorskip(library)
    monkeypatch.setattr("fstheory.distributions.engines._WAITING", 2 ** (9 + seed))
    types = {"decimal": arrow.decimal128(5, 2), "whole": arrow.int64(), "many": arrow.int32(), "times": arrow.int8()}
    types |= {'a "quoted" name': arrow.string(), "float": arrow.float64(), "flag": arrow.bool_(), "y": arrow.string()}
    types |= {"day": arrow.date32(), "time": arrow.timestamp("us")}
    table = arrow.table({name: arrow.array(values, types[name]) for name, values in drawn_columns(seed).items()})
    coded = table.set_column(0, table.column_names[0], table.column(0).dictionary_encode())
    given: list[tuple[Callable[[], Any], Any]]
    stored, parts = None, list[Any]()
    if library == "polars":
        given = [(module.from_arrow(whole).lazy, module.from_arrow(whole)) for whole in (table, coded)]
    elif library == "duckdb":
        given = [(lambda: module.from_arrow(table), table), (lambda: module.from_arrow(table).limit(200), table[:200])]
    else:
        dataset, parquet = pytest.importorskip("pyarrow.dataset"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(coded, tmp_path / "t.parquet", row_group_size=90)
        stored = dataset.dataset(tmp_path / "t.parquet")
        parts = [coded[start : start + 90] for start in range(0, len(coded), 90)]  # they are read in two passes
        given = [(stored.scanner, coded), (lambda: coded.to_reader(max_chunksize=70), coded)]
        given += [(lambda: coded[:50].combine_chunks().to_batches()[0], coded[:50])] * bool(len(table))
    for options in ASKED:
        given_to = {"target": "y", "keep_continuous": "bins" not in options, **options}
        for make, whole in given:
            found = made(partial(Sample.from_frame, make(), **given_to))
            assert found == made(partial(Sample.from_frame, whole, **given_to))
        if library == "pyarrow":
            found = made(partial(Sample.from_frame, stored, **given_to))
            assert found == made(partial(Sample.from_batches, parts, **given_to))


@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_the_order_of_many_rows_counted_by_a_library_is_kept(library: str) -> None:
    """Workers of the library count parts of the rows, and answer in any order."""
    polars, module = pytest.importorskip("polars"), pytest.importorskip(library)
    values = np.random.default_rng(0).integers(0, 500, 200_000)
    frame = polars.DataFrame({"x": values / 8, "z": values % 7 / 4, "y": values % 2})
    lazy = frame.lazy() if library == "polars" else module.from_arrow(frame.to_arrow())
    read = partial(Sample.from_frame, target="y", keep_continuous=True)
    assert read(lazy) == read(frame)
