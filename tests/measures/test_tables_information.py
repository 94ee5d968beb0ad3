"""All subsets at once, against one at a time, and against many digits."""

import copy
import itertools
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution, SubsetTable
from fstheory.distributions import gallery
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.subsets import names_of
from fstheory.measures.information import (
    conditional_entropy,
    conditional_entropy_table,
    entropy,
    entropy_table,
    mutual_information,
    mutual_information_table,
    posteriors,
)
from fstheory.numbers.logsum import LogSum
from fstheory.testing import joint_distributions
from tests.measures import literal_information as literal
from tests.measures.test_enclosures import contain_the_values

Table = SubsetTable[LogSum]
TABLES: list[tuple[Callable[..., Table], Callable[..., LogSum]]] = [
    (conditional_entropy_table, lambda d, s, **base: conditional_entropy(d, {d.target}, s, **base)),
    (mutual_information_table, lambda d, s, **base: mutual_information(d, {d.target}, s, **base)),
    (entropy_table, entropy),
]
MANY = joint_distributions(max_features=4, max_weight=3)


def enclosed(table: Table) -> EnclosedColumn[LogSum]:
    assert isinstance(table.column, EnclosedColumn)
    return table.column


def ranks_of_nothing(table: Table) -> list[int]:
    """Rank with enclosures that all overlap: certificates and exact values decide alone."""
    column, radii = enclosed(table), np.full(len(table), 1e9)
    wide = EnclosedColumn(column.centers, radii, column.exact, column.keys, certificates=column.certificates)
    return list(map(int, wide.ranks()))


def ranks_without_logarithms(table: Table) -> np.ndarray:
    """Rank with the enclosures of a table; a tie that needs the exact values fails."""

    def refuse(_: int) -> LogSum:
        raise AssertionError("a logarithm was asked for")

    column = enclosed(table)
    made = EnclosedColumn(column.centers, column.radii, refuse, column.keys, certificates=column.certificates)
    return made.ranks()


def exact_ranks(values: list[Any]) -> list[int]:
    ordered = [value for value, _ in itertools.groupby(sorted(values))]
    return [ordered.index(value) for value in values]


@pytest.mark.parametrize(("every", "one"), TABLES)
@given(d=MANY, base=st.sampled_from([None, 2, Fraction(3, 2)]))
def test_values_and_ranks_are_those_of_one_at_a_time(every: Any, one: Any, d: JointDistribution, base: Any) -> None:
    """Ties, zeros, and totals of thousands of bits among them."""
    table = every(d, base=base)
    values = [one(d, names_of(mask, d.features), base=base) for mask in range(2 ** len(d.features))]
    assert [table.value_at(mask) for mask in range(len(values))] == values
    assert every(d, base=base).ranks.tolist() == exact_ranks(values)


@given(joint_distributions(max_features=4))
def test_enclosures_contain_the_values(d: JointDistribution) -> None:
    """H by its definition to 60 digits; the other tables follow from it."""
    n = len(d.features)
    pmf, tables = d.to_pmf(), [enclosed(every(d)) for every, _ in TABLES]
    with mpmath.workdps(60):
        whole = literal.precise(pmf, [n], [], 60)
        for mask in range(2**n):
            kept = [i for i in range(n) if mask >> i & 1]
            left = literal.precise(pmf, [n], kept, 60)
            for column, value in zip(tables, (left, whole - left, literal.precise(pmf, kept, [], 60)), strict=True):
                assert abs(mpmath.mpf(float(column.centers[mask])) - value) <= float(column.radii[mask])
                assert column.radii[mask] < 1e-12


@given(joint_distributions(max_features=3, huge=False), st.sampled_from([2, 10]))
def test_enclosures_in_another_base(d: JointDistribution, base: int) -> None:
    for every, _ in TABLES:
        contain_the_values(every(d, base=base), range(2 ** len(d.features)))


def test_which_is_better() -> None:
    d = gallery.titanic()
    assert conditional_entropy_table(d).best_of_size(1).subsets == mutual_information_table(d).best_of_size(1).subsets
    assert [every(d).larger_is_better for every, _ in TABLES] == [False, True, False]
    assert [every(d).symbol for every, _ in TABLES] == ["H", "I", "H"]


@pytest.mark.parametrize("name", ["titanic", "xor", "copies", "corral", "led", "monks-1"])
def test_gallery(name: str) -> None:
    d = gallery.load(name)
    left, told = conditional_entropy_table(d), mutual_information_table(d)
    assert (left.ranks + told.ranks == left.ranks.max()).all()
    for subset in itertools.islice(left, 12):
        assert told[subset] == told[d.features] - left[subset] + left[d.features]


def test_workers_do_not_matter() -> None:
    d = JointDistribution(np.random.default_rng(3).integers(0, 9, (*(2,) * 13, 3)))
    first, second = (enclosed(conditional_entropy_table(d, workers=workers)).centers for workers in (1, 2))
    assert np.array_equal(first, second)


def test_tables_are_values() -> None:
    table = conditional_entropy_table(gallery.titanic(), base=2)
    again = pickle.loads(pickle.dumps(table))
    assert again == table == copy.deepcopy(table)
    assert again.ranks.tolist() == table.ranks.tolist()
    part = table.restrict(containing={"sex"})
    assert part[{"sex"}] == table[{"sex"}]
    assert part.ranks.tolist() == exact_ranks([part.value_at(int(mask)) for mask in part.masks])


# -- ties ------------------------------------------------------------------------------------------


def test_irrelevant_features_tie_without_a_logarithm() -> None:
    """Six features tell nothing, in states of different probability; 4096 subsets have 64 values."""
    relevant = np.random.default_rng(1).integers(1, 40, (*(2,) * 6, 2))
    weights = relevant
    for k in range(6):
        weights = np.moveaxis(np.multiply.outer(np.array([k + 1, 5]), weights), 0, k)
    left, told = (ranks_without_logarithms(every(JointDistribution(weights))) for every, _ in TABLES[:2])
    assert left.max() == 63
    assert (left.reshape(64, 64) == left.reshape(64, 64)[:, :1]).all()
    assert np.array_equal(told, 63 - left)


def test_copies_tie_without_a_logarithm() -> None:
    """Of huge totals, too."""
    for scale in (1, 2**70):
        weights = np.zeros((2, 2, 2, 2), dtype=object)
        for x, y in itertools.product(range(2), repeat=2):
            weights[x, x, 1 - x, y] = (3 + x + 5 * y) * scale + x
        for every, _ in TABLES:
            ranks = ranks_without_logarithms(every(JointDistribution(weights)))
            assert set(ranks[1:].tolist()) == {int(every is not conditional_entropy_table)}


def given_the_class(first: list[list[int]], second: list[list[int]]) -> JointDistribution:
    """Return two features, independent given the class, each with these weights [x][y], of the same class weights."""
    a, b = np.array(first), np.array(second)
    assert (a.sum(axis=0) == b.sum(axis=0)).all()
    assert len(set(a.sum(axis=0).tolist())) == 1  # else the products would have to be divided
    return JointDistribution(a[:, None, :] * b[None, :, :])


def test_classes_may_be_exchanged() -> None:
    """X1 and X2 have posteriors that are mirror images: the same entropy is left."""
    table = conditional_entropy_table(given_the_class([[4, 1], [4, 7]], [[1, 4], [7, 4]]))
    assert ranks_without_logarithms(table).tolist() == [2, 1, 1, 0]


def test_equal_values_of_other_posteriors() -> None:
    """No certificate sees this tie: the values are equal as sums of logarithms only."""
    d = given_the_class([[4, 0], [4, 8]], [[2, 7], [6, 1]])
    table = conditional_entropy_table(d)
    first, second = posteriors(d, np.array([2, 1]))
    assert first != second
    assert table.ranks.tolist() == [2, 1, 1, 0]
    assert mutual_information_table(d)[{"X1"}] == mutual_information_table(d)[{"X2"}]


@pytest.mark.parametrize(("every", "one"), TABLES)
@given(d=MANY)
def test_enclosures_that_say_nothing(every: Any, one: Any, d: JointDistribution) -> None:
    values = [one(d, names_of(mask, d.features)) for mask in range(2 ** len(d.features))]
    assert ranks_of_nothing(every(d)) == exact_ranks(values)


@pytest.mark.parametrize(("p", "q"), [(3, 1), (2**70 + 1, 2**70)])
def test_the_same_posteriors_in_other_masses(p: int, q: int) -> None:
    """The certificate is a distribution of posteriors, not a set of them; for integers of any size, too."""
    s = p + q
    first, second = [[p, q], [q, p], [3 * s, 3 * s]], [[2 * p, 2 * q], [2 * q, 2 * p], [2 * s, 2 * s]]
    assert ranks_of_nothing(conditional_entropy_table(given_the_class(first, second))) == [3, 2, 1, 0]


def test_values_that_differ_by_less_than_a_float_can_say() -> None:
    """The mutual informations of two features differ by less than 1e-40; one of 10**45 units tells them apart."""
    n = 10**45
    weights = np.array([[[4 * n, n], [2 * n + 1, 2 * n]], [[2 * n, 2 * n], [n, 4 * n]]], dtype=object)
    d = JointDistribution(weights)
    table = mutual_information_table(d)
    assert abs(table[{"X1"}] - table[{"X2"}]) < Fraction(1, 10**40)
    assert table[{"X1"}] != table[{"X2"}]
    pmf = d.to_pmf()
    left = [literal.precise(pmf, [2], [i], 150) for i in (0, 1)]
    assert (table.ranks[1] < table.ranks[2]) == (left[0] > left[1])
    assert sorted(table.ranks.tolist()) == [0, 1, 2, 3]
