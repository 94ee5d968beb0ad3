"""A table of a sample, made by one sweep of its cells, has the values of the groups of its rows, subset by subset."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory import criteria
from fstheory._support.result import to_json
from fstheory.distributions import rows
from fstheory.measures.criterion import Criterion
from tests import literal

SWEPT: list[Criterion[Any]] = [
    criteria.zero_one(),
    criteria.balanced(),
    criteria.loss_matrix([[0, 1, "1/3"], [2, 0, 1], [1, "7/5", 0]]),
    criteria.gini(),
    criteria.squared_error(),
    criteria.logarithmic(),
    criteria.logarithmic(base=2),
]


def drawn(seed: int) -> tuple[fs.Sample, list[tuple[int, ...]]]:
    """Return a sample of up to four features with states and classes of which some may not occur, and its rows."""
    rng = np.random.default_rng(seed)
    n, classes = int(rng.integers(5)), int(rng.integers(2, 4))
    sizes = [*rng.integers(1, 5, n).tolist(), classes]
    listed = [tuple(rng.integers(sizes).tolist()) for _ in range(int(rng.integers(1, 40)))] * int(rng.integers(1, 4))
    names = [*(f"X{i + 1}" for i in range(n)), "Y"]
    states = {name: range(size + seed % 2) for name, size in zip(names[:-1], sizes, strict=False)}
    return fs.Sample(listed, states={**states, "Y": range(3 if seed % 3 else classes)}), listed


def cases() -> Iterator[tuple[fs.Sample, Criterion[Any]]]:
    """Yield samples with the criteria that have a value for them."""
    for seed in range(8):
        s, _ = drawn(seed)
        for criterion in SWEPT:
            try:
                criterion.check(s.marginal(()))
            except fs.errors.FSTheoryError:
                continue
            yield s, criterion


@pytest.mark.parametrize("seed", range(40))
def test_the_risks_of_a_sample_are_those_of_the_definition(seed: int) -> None:
    s, listed = drawn(seed)
    pmf = {row: Fraction(times, len(listed)) for row, times in Counter(listed).items()}
    cells: literal.Pmf = {
        (*x, y): pmf.get((*x, y), Fraction(0)) for x in {row[:-1] for row in pmf} for y in {row[-1] for row in pmf}
    }
    wanted = literal.risks(cells, s.features)
    assert dict(fs.bayes_risks(s)) == wanted
    for size in range(len(s.features) + 2):
        assert dict(fs.bayes_risks(s, max_size=size)) == {S: v for S, v in wanted.items() if len(S) <= size}


@pytest.mark.thorough
def test_every_criterion_has_the_values_types_and_texts_of_the_groups_of_rows() -> None:
    checked: Counter[str] = Counter()
    for s, criterion in cases():
        for size in (None, 0, 2):
            table, grouped = criterion.table(s, max_size=size, threads=2), criterion._grouped(s, size)
            assert table == grouped
            assert (table.name, table.symbol) == (grouped.name, grouped.symbol)
            assert table.ranks.tolist() == grouped.ranks.tolist()
            assert str(table) == str(grouped)
            assert to_json(table) == to_json(grouped)
            assert table.to_frame().equals(grouped.to_frame())
            for subset in table:
                value, wanted = table[subset], criterion.value(s, subset)
                assert type(value) is type(wanted)
                assert value == wanted == grouped[subset]
                assert to_json(value) == to_json(wanted)
        checked[criterion.name] += 1
    assert min(checked.values()) > 2
    assert len(checked) == len({criterion.name for criterion in SWEPT})


@pytest.mark.parametrize("criterion", SWEPT, ids=repr)
def test_a_sample_with_few_joint_states_is_not_grouped(
    criterion: Criterion[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    s = fs.Sample(rng.integers(0, 3, (500, 8)).tolist())
    wanted = criterion._grouped(s, None)
    monkeypatch.setattr(rows, "cells_of_size", lambda *_: pytest.fail("rows were grouped"))
    table = criterion.table(s)
    assert table.ranks.tolist() == wanted.ranks.tolist()


def test_a_sample_with_many_joint_states_is_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight features of ten states have 10^8 cells, and few features of many states more cells than a sweep pays."""
    rng = np.random.default_rng(0)
    monkeypatch.setattr(fs.Sample, "empirical", lambda *_: pytest.fail("a table of all cells was made"))
    for n, states in ((8, 10), (3, 80), (20, 2)):
        s = fs.Sample(rng.integers(0, states, (50, n + 1)).tolist(), keep_continuous=True)
        table = fs.bayes_risks(s, max_size=2)
        assert len(table) == sum(math.comb(n, size) for size in range(3))
        assert all(table[subset] == fs.bayes_risk(s, subset) for subset in table)


def test_a_sample_in_batches_is_read_once_for_its_sweep() -> None:
    import pandas as pd

    passes = []
    frame = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (100, 5)), columns=[*"abcd", "y"])

    def batches() -> Iterator[pd.DataFrame]:
        passes.append(1)
        yield frame

    s = fs.Sample.from_batches(batches, target="y", keep="counts")
    before = len(passes)
    table = criteria.criterion_values(s, "logarithmic")
    found = list(table.values())
    assert len(passes) == before + 1
    assert found == list(criteria.criterion_values(fs.Sample.from_frame(frame, target="y"), "logarithmic").values())
