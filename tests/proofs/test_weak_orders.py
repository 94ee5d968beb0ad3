"""Weak orders: read from text, tables and levels, written back, listed, counted and drawn."""

import itertools
from typing import Any

import pytest
from hypothesis import given

from fstheory import JointDistribution, SubsetTable, bayes_risks
from fstheory.errors import FSTheoryError, NotMonotoneError
from fstheory.proofs.construction import weak_order
from fstheory.testing import joint_distributions
from tests.proofs.weak_order_lists import count_weak_orders, renamings, weak_order_classes, weak_orders

ISSUE = "X1X2X3 = X1X2 < X1X3 = X2X3 < X1 < X2 = X3 < {}"


def test_the_levels_of_a_text() -> None:
    order = weak_order(ISSUE)
    assert weak_order(order) is order
    assert order.features == ("X1", "X2", "X3")
    assert order.levels == ((0b011, 0b111), (0b101, 0b110), (0b001,), (0b010, 0b100), (0b000,))
    assert order.ranks == (4, 2, 3, 0, 3, 1, 1, 0)
    assert str(order) == "X1X2 = X1X2X3 < X1X3 = X2X3 < X1 < X2 = X3 < {}"


@pytest.mark.parametrize(
    "same",
    [
        " X1X2X3=X1X2<X1X3 = X2X3 <X1< X2=X3 <∅",
        "{X1, X2, X3} = {X2, X1} < {X1,X3} = X2X3 < {X1} < X3 = X2 < {}",
        [[["X1", "X2", "X3"], {"X2", "X1"}], [["X1", "X3"], ["X2", "X3"]], [["X1"]], [["X2"], ["X3"]], [frozenset()]],
    ],
)
def test_one_order_in_many_notations(same: Any) -> None:
    assert weak_order(same) == weak_order(ISSUE)


@given(joint_distributions(max_features=3))
def test_the_ordering_of_risks_and_its_text(d: JointDistribution) -> None:
    """Whatever the features are called, also with commas, braces, quotes and signs."""
    ordering = bayes_risks(d).ordering()
    order = weak_order(ordering)
    assert order.features == d.features
    assert str(order) == str(ordering)
    assert order.levels == tuple(map(tuple, ordering.masks()))
    assert weak_order(str(ordering), d.features) == order


def test_the_pair_that_is_not_monotone() -> None:
    with pytest.raises(NotMonotoneError) as caught:
        weak_order("X1 < X1X2 = X2 < {}")
    assert (caught.value.subset, caught.value.superset) == (frozenset({"X1"}), frozenset({"X1", "X2"}))


def test_a_restricted_table_has_no_order_of_all_subsets() -> None:
    table = SubsetTable.from_mapping({("X1",): "1/3", ("X1", "X2"): "1/4"}, features=["X1", "X2"])
    with pytest.raises(FSTheoryError, match=r"all subsets|nowhere"):
        weak_order(table.ordering())


@pytest.mark.parametrize("n", [0, 1, 2])
def test_all_weak_orders(n: int) -> None:
    """Against the definition: all tuples of numbers without a gap in which no superset is above a subset."""
    listed = [order.ranks for order in weak_orders(n)]
    assert len(listed) == len(set(listed)) == count_weak_orders(n)
    pairs = [(a, b) for a in range(2**n) for b in range(2**n) if a & b == b]
    tuples = (ranks for ranks in itertools.product(range(2**n), repeat=2**n) if len(set(ranks)) == max(ranks) + 1)
    assert set(listed) == {ranks for ranks in tuples if all(ranks[a] <= ranks[b] for a, b in pairs)}


def test_the_weak_orders_of_three_features() -> None:
    listed = set(weak_orders(3))
    assert len(listed) == count_weak_orders(3) == 1784
    assert count_weak_orders(4) == 1664244144
    assert all(weak_order(str(order)) == order for order in listed)
    classes = list(weak_order_classes(3))
    assert len(classes) == 344
    assert sum(images for _, images in classes) == 1784
    assert {image for order, _ in classes for image in renamings(order)} == listed


def test_renaming_moves_the_roles() -> None:
    order = weak_order(ISSUE)
    assert str(order.renamed([1, 2, 0])) == "X1X3 = X1X2X3 < X1X2 = X2X3 < X3 < X1 = X2 < {}"
    assert len({image.first_renaming() for image in renamings(order)}) == 1


def test_the_least_optimal_subset() -> None:
    texts = ("X1X2 = X1 < X2 < {}", "X1X2 = X1 = X2 < {}", "X1X2 = X1 = X2 = {}")
    assert [weak_order(text).least_optimal for text in texts] == [1, None, 0]
