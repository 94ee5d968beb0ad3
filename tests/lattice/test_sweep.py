"""The sweep over all subsets, against the definition and, where that takes too long, against one `np.sum` a subset."""

import itertools
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from fstheory import JointDistribution
from fstheory.lattice.sweep import Budget, maximum_sums, subset_sums
from fstheory.testing import joint_distributions
from tests.lattice.examples import EDGES, as_table, one_sum_a_subset, shapes, sums

seeds = st.integers(0, 2**32 - 1)


def check(table: np.ndarray, **options: Any) -> None:
    assert maximum_sums(table, **options).tolist() == sums(table, max)


@pytest.mark.quick
@given(joint_distributions(max_features=4, cardinalities=(1, 4), classes=(1, 4)), st.integers(1, 3))
def test_the_definition(d: JointDistribution, threads: int) -> None:
    table = d.weights
    before = table.copy()
    check(table, threads=threads)
    assert (table == before).all()


@pytest.mark.parametrize("total", sorted({edge + off for edge in EDGES for off in (-1, 0, 1)}))
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_totals_at_the_edges_of_a_word(total: int, classes: int) -> None:
    values = [0] * (4 * classes)
    values[0], values[classes], values[-1] = (total - 3) // 2, total - 3 - (total - 3) // 2, values[-1] + 3
    check(as_table(values, (2, 2, classes)))


def test_totals_at_the_edges_of_the_narrower_integers() -> None:
    for bits, off in itertools.product([7, 8, 14, 15, 16, 30, 31, 32, 61], (-1, 0, 1)):
        total = 2**bits + off
        for values in ([total, 0, 0, 0], [0, 0, total - 1, 1], [0, total - 1, 1, 0]):
            for order in (values, values[::-1]):
                check(as_table(order, (2, 2)))
                check(as_table([*order, 0, total // 3], (2, 3)))


def test_weights_that_fit_where_their_total_does_not_and_objects_that_would_fit() -> None:
    table = np.full((2, 2, 2), 2**62, dtype=np.int64)
    table[0, 1, 0] = 2**63 - 1
    check(table)
    check(np.array([[3, 1], [0, 2]], dtype=object))


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint32, np.uint64])
@pytest.mark.parametrize("classes", [2, 3])
def test_narrow_weights_are_not_added_or_subtracted_in_their_own_width(kind: type[np.integer], classes: int) -> None:
    table = np.full((4, 4, classes), np.iinfo(kind).max, dtype=kind)
    table[::2, 0, 0] = table[1, 1:, 1] = 3
    check(table)


@pytest.mark.parametrize("cardinalities", [(2, 3, 4, 5, 2, 3, 4, 5), (5, 5, 5, 5, 2, 2), (40, 30, 20), (2,) * 12])
@pytest.mark.parametrize("classes", [2, pytest.param(3, marks=pytest.mark.thorough)])
def test_large_tables_are_cut_into_stages_and_jobs(cardinalities: tuple[int, ...], classes: int) -> None:
    table = np.random.default_rng(1).integers(0, 1000, (*cardinalities, classes))
    expected = one_sum_a_subset(table)
    for threads in (1, 2, 5):
        assert maximum_sums(table, threads=threads).tolist() == expected


@pytest.mark.parametrize("features", [3, 6, 8])
@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.one_in(3)
def test_however_the_axes_are_cut(features: int, dense: bool) -> None:
    rng = np.random.default_rng(features)
    table = rng.integers(0, 100, (*rng.integers(2, 4, features), 2)) * (dense or rng.random() < 0.1)
    table[..., 1] *= rng.random(table.shape[:-1]) < 0.2  # blocks where one class dominates are common
    huge = table.astype(object) * 2**100 + rng.integers(0, 2, table.shape)
    expected, wide = one_sum_a_subset(table), one_sum_a_subset(huge)
    for run, leaf, panel, whole, blocks in [(1, 1, 1, 1, 1), (9, 99, 9999, 1, 9), (3, 500, 1, 99999, 99)]:
        budget = Budget(run, leaf, panel, whole, blocks=blocks)
        assert maximum_sums(table, threads=2, budget=budget).tolist() == expected
        assert maximum_sums(huge, threads=2, budget=budget).tolist() == wide


def test_any_layout_in_memory() -> None:
    table = np.random.default_rng(2).integers(0, 9, (3, 2, 4, 2))
    expected = one_sum_a_subset(table)
    for view in (np.asfortranarray(table), np.repeat(table, 2, axis=1)[:, ::2]):
        view.flags.writeable = False
        assert maximum_sums(view).tolist() == expected


# Differences of one in the last of hundreds of bits: the top limbs do not decide, and the answer turns on it.


@given(st.integers(2**200, 2**300), seeds, st.integers(2, 4))
@example(2**256, 0, 2)
def test_one_bit_decides_in_many_cells(base: int, seed: int, classes: int) -> None:
    off = np.random.default_rng(seed).integers(-1, 2, 27 * classes)
    check(as_table([base + int(o) for o in off], (3, 3, 3, classes)))


def test_limbs_that_cancel_and_two_classes_far_above_others() -> None:
    for cell in [*itertools.permutations((0, 2**300, 2**300 + 1)), *itertools.permutations((0, 2, 2**300, 2**300 + 1))]:
        check(as_table([*cell, *cell[::-1]], (2, len(cell))))
    for bits in range(60, 200, 7):
        check(as_table([2**bits, 0, 1, 2**bits, 2**bits - 1, 2**bits, 0, 2**bits], (2, 2, 2)))


def test_a_class_that_is_largest_in_total_and_not_in_every_cell() -> None:
    """It ties nowhere; or what it is ahead by is all in the lowest bits, of which the total makes nothing."""
    cut = Budget(1, 1, 1, 1, blocks=1)  # no cell is opened with another
    check(as_table([9, 2, 0, 9, 3, 0, 8, 1, 0, 1, 4, 0], (2, 2, 3)), budget=cut)
    check(as_table([2**300 + ahead for ahead in (1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0)], (2, 2, 3)), budget=cut)


def test_totals_of_a_block_with_summed_out_cells_do_not_overflow() -> None:
    """Limbs near the top of their range, in a table so small that the limbs are wide."""
    high, low = 2**1500 - 1, 2**1499 + 2**700 - 1
    weights = np.array([[[high, low], [high, low]], [[0, low], [0, low]]], dtype=object)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(weights)


# The transform with other functions of a cell and other reductions than sums.


def distance(cells: np.ndarray, out: np.ndarray) -> None:
    np.abs(cells, out=out)


def same_sign(cells: np.ndarray) -> bool:
    return bool((cells >= 0).all() or (cells <= 0).all())


@given(shapes(), seeds)
def test_several_values_a_cell(cards: tuple[int, ...], seed: int) -> None:
    table = np.random.default_rng(seed).integers(-50, 50, cards)

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        square, best, least = (cells**2).sum(axis=0), cells.max(axis=0), cells.min(axis=0)
        out[0], out[1], out[2], out[3] = square, best, least, 1

    got = subset_sums(np.moveaxis(table, -1, 0), phi, outputs=4)
    assert got.shape == (4, 2 ** (table.ndim - 1))
    functions: list[Callable[[Sequence[int]], int]] = [lambda cell: sum(x * x for x in cell), max, min, lambda _: 1]
    assert got.tolist() == [sums(table, function) for function in functions]


@given(shapes(classes=1), seeds)
def test_minimum_and_maximum_instead_of_sums(cards: tuple[int, ...], seed: int) -> None:
    """Is a label constant on every cell? Its least and greatest value there say so, and a fold by "and" joins cells."""
    labels = np.random.default_rng(seed).integers(0, 3, cards[:-1])

    def constant(cells: np.ndarray, out: np.ndarray) -> None:
        np.equal(cells[0], -cells[1], out=out[0])

    rule: dict[str, Any] = {"dtype": np.bool_, "combine": np.minimum, "collect": np.logical_and}
    got = subset_sums(np.stack([labels, -labels]), constant, **rule)
    for mask, answer in enumerate(got[0].tolist()):
        values: dict[tuple[int, ...], set[int]] = {}
        for state in np.ndindex(labels.shape):
            cell = tuple(x for i, x in enumerate(state) if mask >> i & 1)
            values.setdefault(cell, set()).add(int(labels[state]))
        assert answer == all(len(found) == 1 for found in values.values())


@pytest.mark.parametrize("cardinalities", [(2,) * 13, (2, 5, 3, 4, 2, 5, 3)])
def test_floats_do_not_depend_on_the_number_of_workers(cardinalities: tuple[int, ...]) -> None:
    table = np.random.default_rng(0).random((2, *cardinalities))

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        np.multiply(cells[0], np.log(cells[1]), out=out[0])

    one = subset_sums(table, phi)
    for threads in (2, 8):
        assert one.tobytes() == subset_sums(table, phi, threads=threads).tobytes()


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


@pytest.mark.parametrize("seed", range(3))
def test_a_class_that_is_above_all_but_the_last_one_is_not_largest_everywhere(seed: int) -> None:
    table = np.random.default_rng(seed).choice([0, 1, 3], (2, 2, 2, 2, 2, 3))
    table[..., 1] = np.minimum(table[..., 0], table[..., 1])
    assert maximum_sums(table, budget=Budget(run=3, leaf=8)).tolist() == one_sum_a_subset(table)


def test_workers_are_at_work_at_the_same_time() -> None:
    """Each waits in its first leaf until another is in one."""
    meeting, met = threading.Barrier(2, timeout=20), set[int]()

    def phi(cells: np.ndarray, out: np.ndarray) -> None:
        if threading.get_ident() not in met:
            met.add(threading.get_ident())
            meeting.wait()
        distance(cells, out)

    table = np.ones((1, *(2,) * 13), dtype=np.int64)
    assert (subset_sums(table, phi, threads=2) == 2**13).all()
    assert len(met) == 2


def test_what_a_worker_raises_reaches_the_caller() -> None:
    def phi(_cells: np.ndarray, _out: np.ndarray) -> Any:
        raise ArithmeticError("no value")

    before = {*threading.enumerate()}
    for threads in (1, 2):
        with pytest.raises(ArithmeticError, match="no value"):
            subset_sums(np.ones((1, *(2,) * 14)), phi, threads=threads)
    assert {*threading.enumerate()} <= before
