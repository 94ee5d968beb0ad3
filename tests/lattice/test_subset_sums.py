"""The transform itself, with other functions of a cell and other reductions than sums."""

import math
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.lattice.sweep import Budget, subset_sums
from tests.lattice.definition import one_sum_a_subset, sums
from tests.lattice.tables import shapes

seeds = st.integers(0, 2**32 - 1)


def random_table(seed: int, cards: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).integers(-50, 50, cards)


def planes(table: np.ndarray) -> np.ndarray:
    return np.moveaxis(table, -1, 0)


def distance(cells: np.ndarray, out: np.ndarray) -> None:
    np.abs(cells, out=out)


def same_sign(cells: np.ndarray) -> bool:
    return bool((cells >= 0).all() or (cells <= 0).all())


@given(shapes(), seeds)
def test_several_values_a_cell(cards: tuple[int, ...], seed: int) -> None:
    table = random_table(seed, cards)
    before = table.copy()

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        square, best, least = (cells**2).sum(axis=0), cells.max(axis=0), cells.min(axis=0)
        out[0], out[1], out[2], out[3] = square, best, least, 1

    got = subset_sums(planes(table), phi, outputs=4)
    assert got.shape == (4, 2 ** (table.ndim - 1))
    functions: list[Callable[[Sequence[int]], int]] = [lambda cell: sum(x * x for x in cell), max, min, lambda _: 1]
    assert got.tolist() == [sums(table, function) for function in functions]
    assert (table == before).all()


@given(seeds)
def test_expected_losses(seed: int) -> None:
    """The loss of the best prediction in each cell: a linear map to predictions first, then the minimum."""
    table = np.abs(random_table(seed, (2, 3, 2, 3)))
    loss = np.array([[0, 1, 5], [2, 0, 1], [9, 3, 0], [2, 2, 2]])  # prediction, class

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        np.minimum.reduce(cells, axis=0, out=out[0])

    got = subset_sums(planes(table @ loss.T), phi)[0].tolist()
    assert got == sums(table, lambda cell: min(sum(int(a) * b for a, b in zip(row, cell, strict=True)) for row in loss))


@given(seeds)
def test_values_of_another_type_than_the_cells(seed: int) -> None:
    table = np.abs(random_table(seed, (3, 2, 2, 2)))

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        positive = np.maximum(cells, 1)
        out[0] = (cells * np.log2(positive)).sum(axis=0)

    got = subset_sums(planes(table), phi, dtype=np.float64)[0]
    assert got.dtype == np.float64
    expected = sums(table, lambda cell: sum(x * math.log2(x) if x else 0.0 for x in cell))
    assert got == pytest.approx(expected, rel=1e-12, abs=1e-9)


@given(shapes(classes=1), seeds)
def test_minimum_and_maximum_instead_of_sums(cards: tuple[int, ...], seed: int) -> None:
    """Is a label constant on every cell? Its least and greatest value there say so, and a fold by "and" joins cells."""
    labels = np.random.default_rng(seed).integers(0, 3, cards[:-1])

    def constant(cells: np.ndarray, out: np.ndarray) -> None:
        np.equal(cells[0], -cells[1], out=out[0])

    rule = {"dtype": np.bool_, "combine": np.minimum, "collect": np.logical_and}
    got = subset_sums(np.stack([labels, -labels]), constant, **rule)  # type: ignore[arg-type]
    for mask, answer in enumerate(got[0].tolist()):
        values: dict[tuple[int, ...], set[int]] = {}
        for state in np.ndindex(labels.shape):
            cell = tuple(x for i, x in enumerate(state) if mask >> i & 1)
            values.setdefault(cell, set()).add(int(labels[state]))
        assert answer == all(len(found) == 1 for found in values.values())


@pytest.mark.parametrize("cardinalities", [(2,) * 13, (3,) * 8, (2, 5, 3, 4, 2, 5, 3)])
def test_floats_do_not_depend_on_the_number_of_workers(cardinalities: tuple[int, ...]) -> None:
    table = np.random.default_rng(0).random((2, *cardinalities))

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        np.multiply(cells[0], np.log(cells[1]), out=out[0])

    one = subset_sums(table, phi)
    for workers in (2, 3, 8):
        assert one.tobytes() == subset_sums(table, phi, workers=workers).tobytes()


def test_additive_blocks_are_not_opened() -> None:
    """One class wins every cell but the first: nearly all of the cells of the marginals need never be made."""
    table = np.zeros((*(2,) * 12, 2), dtype=np.int64)
    table[..., 1] = np.random.default_rng(0).integers(1, 9, (2,) * 12)
    table[(0,) * 12] = 10**6, 0
    seen: list[int] = []

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        seen.append(cells.shape[1])
        distance(cells, out)

    differences = (table[..., 0] - table[..., 1])[np.newaxis]
    got = subset_sums(differences, phi, additive=same_sign, budget=Budget(run=27, leaf=2**12))[0]
    assert sum(seen) < 3**12 / 10
    assert ((got + table.sum()) // 2).tolist() == one_sum_a_subset(table)


@given(shapes(classes=2), seeds)
def test_the_additive_test_changes_no_answer(cards: tuple[int, ...], seed: int) -> None:
    table = np.random.default_rng(seed).choice([-3, 0, 0, 0, 1], (1, *cards[:-1]))
    assert (subset_sums(table, distance) == subset_sums(table, distance, additive=same_sign)).all()


def test_bit_i_of_the_mask_is_feature_i() -> None:
    table = np.array([[[3], [0], [0]], [[0], [5], [7]]])  # feature 0 has two states, feature 1 three
    got = subset_sums(planes(table), lambda cells, out: np.square(cells, out=out))
    assert got.tolist() == [[225, 9 + 144, 9 + 25 + 49, 9 + 25 + 49]]


def test_what_a_worker_raises_reaches_the_caller() -> None:
    def phi(_cells: np.ndarray, _out: np.ndarray) -> Any:
        raise ArithmeticError("no value")

    for workers in (1, 2):
        with pytest.raises(ArithmeticError, match="no value"):
            subset_sums(np.ones((1, *(2,) * 14)), phi, workers=workers)
    assert threading.active_count() == 1
