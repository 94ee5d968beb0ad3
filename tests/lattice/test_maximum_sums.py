"""`maximum_sums` against the definition and, where that takes too long, against one `np.sum` a subset."""

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fstheory.lattice.sweep import Budget, maximum_sums
from tests.lattice.definition import maxima, one_sum_a_subset
from tests.lattice.tables import EDGES, as_table, tables


def check(table: np.ndarray, **options: Any) -> None:
    """Compare with the definition."""
    assert maximum_sums(table, **options).tolist() == maxima(table)


@given(tables(), st.integers(1, 3))
def test_the_definition(table: np.ndarray, workers: int) -> None:
    before = table.copy()
    check(table, workers=workers)
    assert (table == before).all()


@pytest.mark.parametrize("total", sorted({edge + off for edge in EDGES for off in (-1, 0, 1)}))
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_totals_at_the_edges_of_a_word(total: int, classes: int) -> None:
    rest = total - 3
    values = [0] * (4 * classes)
    values[0], values[classes], values[-1] = rest // 2, rest - rest // 2, values[-1] + 3
    assert sum(values) == total
    check(as_table(values, (2, 2, classes)))


@pytest.mark.parametrize("bits", [7, 8, 14, 15, 16, 30, 31, 32, 61])
def test_totals_at_the_edges_of_the_narrower_integers(bits: int) -> None:
    for total in (2**bits - 1, 2**bits, 2**bits + 1):
        for values in ([total, 0, 0, 0], [0, 0, total - 1, 1], [0, total - 1, 1, 0], [1, 0, 0, total - 1]):
            for order in (values, values[::-1]):
                check(as_table(order, (2, 2)))
                check(as_table([*order, 0, total // 3], (2, 3)))


def test_weights_that_fit_where_their_total_does_not_and_objects_that_would_fit() -> None:
    table = np.full((2, 2, 2), 2**62, dtype=np.int64)
    table[0, 1, 0] = 2**63 - 1
    check(table)
    check(np.array([[3, 1], [0, 2]], dtype=object))


@pytest.mark.parametrize("shape", [(1,), (3,), (1, 1), (1, 2), (2, 1), (1, 3, 1, 2), (4, 1, 1, 3)])
def test_features_and_classes_that_tell_nothing(shape: tuple[int, ...]) -> None:
    for scale in (1, 2**80):
        check(as_table([scale * value for value in range(int(np.prod(shape)))], shape))


@pytest.mark.parametrize("classes", [2, 3])
def test_an_empty_table_has_nothing_to_sum(classes: int) -> None:
    assert maximum_sums(np.zeros((2, 3, classes), dtype=np.int64)).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.uint32, np.uint64])
@pytest.mark.parametrize("classes", [2, 3])
def test_narrow_weights_are_not_added_or_subtracted_in_their_own_width(kind: type[np.integer], classes: int) -> None:
    table = np.full((4, 4, classes), np.iinfo(kind).max, dtype=kind)
    table[::2, 0, 0] = table[1, 1:, 1] = 3
    assert maximum_sums(table).tolist() == maxima(table.astype(object))


@given(st.integers(0, 2**32 - 1), st.integers(5, 8), st.integers(1, 4), st.sampled_from([2, 50, 2**40]))
def test_up_to_eight_features(seed: int, features: int, classes: int, largest: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, largest, (*rng.integers(1, 4, features), classes))
    assert maximum_sums(table).tolist() == one_sum_a_subset(table)


class TestLargeTables:
    """Tables that are cut into stages and jobs."""

    @pytest.mark.parametrize("cardinalities", [(2, 3, 4, 5, 2, 3, 4, 5), (5, 5, 5, 5, 2, 2), (40, 30, 20), (2,) * 13])
    @pytest.mark.parametrize("classes", [2, pytest.param(3, marks=pytest.mark.thorough)])
    def test_one_sum_a_subset(self, cardinalities: tuple[int, ...], classes: int) -> None:
        table = np.random.default_rng(1).integers(0, 1000, (*cardinalities, classes))
        expected = one_sum_a_subset(table)
        for workers in (1, 2, 5):
            assert maximum_sums(table, workers=workers).tolist() == expected

    @pytest.mark.parametrize("features", [3, 6, 8])
    @pytest.mark.parametrize("dense", [True, False])
    def test_however_the_axes_are_cut(self, features: int, dense: bool) -> None:
        rng = np.random.default_rng(features)
        table = rng.integers(0, 100, (*rng.integers(2, 4, features), 2)) * (dense or rng.random() < 0.1)
        table[..., 1] *= rng.random(table.shape[:-1]) < 0.2  # blocks where one class dominates are common
        huge = table.astype(object) * 2**100
        expected = one_sum_a_subset(table)
        for run, leaf, panel, whole, blocks in [(1, 1, 1, 1, 1), (9, 99, 9999, 1, 9), (3, 500, 1, 99999, 99)]:
            budget = Budget(run, leaf, panel, whole, blocks=blocks)
            assert maximum_sums(table, workers=2, budget=budget).tolist() == expected
            assert maximum_sums(huge, workers=2, budget=budget).tolist() == [value * 2**100 for value in expected]

    def test_any_layout_in_memory(self) -> None:
        table = np.random.default_rng(2).integers(0, 9, (3, 2, 4, 2))
        expected = one_sum_a_subset(table)
        assert maximum_sums(np.asfortranarray(table)).tolist() == expected
        assert maximum_sums(np.repeat(table, 2, axis=1)[:, ::2]).tolist() == expected
        table.flags.writeable = False
        assert maximum_sums(table).tolist() == expected


class TestNearTies:
    """Differences of one in the last of hundreds of bits: the top limbs do not decide, and the answer turns on it."""

    @given(st.integers(2**200, 2**300), st.integers(-1, 1), st.integers(-1, 1))
    @example(2**300 - 1, 1, -1)
    @example(2**256, 0, 0)
    def test_one_bit_decides(self, base: int, first: int, second: int) -> None:
        check(as_table([base + first, base, base, base + second], (2, 2)))

    @given(st.integers(2**250, 2**300), st.integers(0, 2**32 - 1), st.integers(2, 4))
    def test_many_cells(self, base: int, seed: int, classes: int) -> None:
        off = np.random.default_rng(seed).integers(-1, 2, 27 * classes)
        check(as_table([base + int(o) for o in off], (3, 3, 3, classes)))

    def test_two_of_three_classes_that_are_far_above_the_other(self) -> None:
        for cell in itertools.permutations((0, 2**300, 2**300 + 1)):
            check(as_table([*cell, *cell[::-1]], (2, 3)))

    def test_limbs_that_cancel(self) -> None:
        for bits in range(60, 200, 7):
            check(as_table([2**bits, 0, 1, 2**bits, 2**bits - 1, 2**bits, 0, 2**bits], (2, 2, 2)))


def test_totals_of_a_block_with_summed_out_cells_do_not_overflow() -> None:
    """Limbs near the top of their range, in a table so small that the limbs are wide."""
    high, low = 2**1500 - 1, 2**1499 + 2**700 - 1
    weights = np.array([[[high, low], [high, low]], [[0, low], [0, low]]], dtype=object)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(weights)
