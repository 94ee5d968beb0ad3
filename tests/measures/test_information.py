"""Information and distances against the definitions as exponents of primes, their notation, and all subsets at once."""

import itertools
import json
import math
import pickle
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, strategies as st

from fstheory import JointDistribution, SubsetTable
from fstheory.distributions import gallery
from fstheory.errors import InvalidFormatError, ZeroProbabilityError
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.subsets import names_of
from fstheory.lattice.sweep import subset_sums
from fstheory.measures.divergence import expected_total_variation, kl_divergence, total_variation_distance
from fstheory.measures.information import (
    additions,
    conditional_entropy,
    conditional_entropy_table,
    conditional_mutual_information,
    entropy,
    info,
    information_lost,
    mutual_information,
    posteriors,
)
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import ShiftedRoot
from fstheory.testing import joint_distributions
from tests.measures import literal

SMALL = joint_distributions(huge=False)
Names = frozenset[str]


def variables(d: JointDistribution) -> st.SearchStrategy[Names]:
    return st.frozensets(st.sampled_from([*d.features, d.target]))


def primes(value: LogSum) -> literal.Logs:
    assert value.constant == 0
    return {prime: coefficient for coefficient, prime in value.simplify().terms}


@given(SMALL, st.data())
def test_entropies_and_informations(d: JointDistribution, data: st.DataObject) -> None:
    """The sets overlap at will."""
    a, b, c = (data.draw(variables(d)) for _ in range(3))
    at_a, at_b, at_c = ([i for i, name in enumerate([*d.features, d.target]) if name in names] for names in (a, b, c))
    pmf = d.to_pmf()
    assert primes(conditional_entropy(d, a, c)) == literal.conditional_entropy(pmf, at_a, at_c)
    assert primes(entropy(d, a)) == literal.conditional_entropy(pmf, at_a, [])
    expected = literal.conditional_mutual_information(pmf, at_a, at_b, at_c)
    assert primes(conditional_mutual_information(d, a, b, c)) == expected
    assert primes(mutual_information(d, a, b)) == literal.conditional_mutual_information(pmf, at_a, at_b, [])
    gone, kept = a - {d.target}, frozenset(d.features) - a
    assert information_lost(d, gone) == conditional_mutual_information(d, d.target, gone, kept)


@given(joint_distributions(), st.data())
def test_identities_and_inequalities_hold_exactly(d: JointDistribution, data: st.DataObject) -> None:
    """Weights of thousands of bits among them; all compare exact numbers."""
    a, b, c, e = (data.draw(variables(d)) for _ in range(4))
    both = conditional_mutual_information(d, a, b | e, c)
    assert both == conditional_mutual_information(d, a, e, c) + conditional_mutual_information(d, a, b, c | e)
    assert conditional_mutual_information(d, a, b, c) == conditional_mutual_information(d, b, a, c)
    assert entropy(d, a | b) == entropy(d, a) + conditional_entropy(d, b, a)
    assert mutual_information(d, a, b) == entropy(d, a) - conditional_entropy(d, a, b)
    assert mutual_information(d, a, a) == entropy(d, a)
    assert 0 <= conditional_mutual_information(d, a, b, c) <= conditional_entropy(d, a, c)
    assert entropy(d, {d.target}) <= log(len(d.classes))
    assert entropy(d, {d.target}, base=2) == entropy(d, {d.target}).in_base(2)


# -- the usual notation -----------------------------------------------------------------------------

D = JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 9]]], features=["X1", "a, b"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("H(Y)", entropy(D, {"Y"})),
        ("  H ( X1 , Y )  ", entropy(D, {"X1", "Y"})),
        ("H(Y|X1)", conditional_entropy(D, {"Y"}, {"X1"})),
        ('H("a, b" | "Y")', conditional_entropy(D, {"a, b"}, {"Y"})),
        ("I(Y; X1)", conditional_mutual_information(D, {"Y"}, {"X1"})),
        ("I(Y;X1|'a, b')", conditional_mutual_information(D, {"Y"}, {"X1"}, {"a, b"})),
        ("I(Y, X1; X1, 'a, b' | X1)", conditional_mutual_information(D, {"Y"}, {"a, b"}, {"X1"})),
        (
            "-I(Y;X1) + 2 H(Y) \N{MINUS SIGN} 1/3*H(X1)",
            2 * entropy(D, {"Y"}) - mutual_information(D, {"X1"}) - entropy(D, {"X1"}) / 3,
        ),
        ("+0.5H(Y|X1) - 1 / 2 H(Y)", -mutual_information(D, {"X1"}) / 2),
        ("+.5H(Y|X1) - .5 H(Y)", -mutual_information(D, {"X1"}) / 2),
    ],
)
def test_what_is_read(text: str, value: object) -> None:
    assert info(D, text) == value


@given(SMALL, st.data())
def test_interaction_information_in_a_sum(d: JointDistribution, data: st.DataObject) -> None:
    """By the recursive definition; the sets overlap at will."""
    order = [*d.features, d.target]
    sets = [data.draw(st.lists(st.sampled_from(order), min_size=1, unique=True)) for _ in range(5)]
    a, b, c, e, known = ([order.index(name) for name in names] for names in sets)
    A, B, C, E, known_names = (",".join(map(json.dumps, names)) for names in sets)

    def shared(given: list[int], *others: list[int]) -> LogSum:
        if others:
            return shared(given, *others[1:]) - shared(sorted({*given, *others[0]}), *others[1:])
        terms = literal.conditional_mutual_information(d.to_pmf(), a, b, given)
        return LogSum((times, argument) for argument, times in terms.items())

    times = data.draw(st.fractions(min_value=0, max_denominator=99))
    text = f"{times} I({A};{B}; {C} ;{E} | {known_names}) - I({A};{B};{C})"
    assert info(d, text) == times * shared(known, c, e) - shared([], c)


@given(joint_distributions(named=True, max_features=2, huge=False), st.data())
def test_every_name_can_be_quoted(d: JointDistribution, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from([*d.features, d.target]), min_size=1, unique=True))
    text = f"H({','.join(json.dumps(name, ensure_ascii=data.draw(st.booleans())) for name in names)})"
    assert info(d, text, base=2) == entropy(d, names, base=2)


@pytest.mark.parametrize(
    ("text", "place", "found", "wanted"),
    [
        ("", 0, "the text ends", "H or I"),
        ("H(Y", 3, "the text ends", r"'\)' or '\|' or ','"),
        ("H(Y | X1 | Y)", 9, r"'\|' stands", r"'\)' or ','"),
        ("H(Y X1)", 4, "'X' stands", r"'\)' or '\|' or ','"),
        ("I(Y)", 3, r"'\)' stands", "';' or ','"),
        ("I(Y; X1) / H(Y)", 9, "'/' stands", "'\\+', '-' or the end"),
        ("2 * -H(Y)", 4, "'-' stands", "H or I"),
        ('H("a)', 2, "'\"' stands", "a name"),
        (r'H("\q")', 2, "'\"' stands", "a name without unknown escapes"),
    ],
)
def test_an_error_points_at_its_place(text: str, place: int, found: str, wanted: str) -> None:
    with pytest.raises(InvalidFormatError, match=rf"; at position {place}, where {found}, write {wanted} \(names"):
        info(D, text)


# -- distances of distributions --------------------------------------------------------------------

TWO = st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any)


@given(TWO, TWO)
def test_total_variation_is_the_largest_difference(p: list[int], q: list[int]) -> None:
    first, second = JointDistribution([p[:3], p[3:]]), JointDistribution([q[:3], q[3:]])
    masses = first.to_pmf(), second.to_pmf()
    events = [event for size in range(7) for event in combinations(masses[0], size)]
    apart = (abs(sum((masses[0][c] - masses[1][c] for c in event), Fraction(0))) for event in events)
    assert total_variation_distance(first, second) == max(apart)


@given(TWO, TWO)
def test_divergence(p: list[int], q: list[int]) -> None:
    first, second = JointDistribution([p[:3], p[3:]]), JointDistribution([q[:3], q[3:]])
    if any(a and not b for a, b in zip(p, q, strict=True)):
        with pytest.raises(ZeroProbabilityError):
            kl_divergence(first, second)
        return
    expected = literal.logs((a, a / second.to_pmf()[cell]) for cell, a in first.to_pmf().items() if a)
    value = kl_divergence(first, second)
    assert {prime: c for c, prime in value.simplify().terms} == expected
    assert value.is_zero() == (first == second)
    assert kl_divergence(first, second, base=2) == value.in_base(2)
    assert total_variation_distance(first, second) <= ShiftedRoot(Fraction(0), value * Fraction(1, 2))  # Pinsker


@given(joint_distributions(), st.data())
def test_expected_total_variation(d: JointDistribution, data: st.DataObject) -> None:
    """Also Pinsker's inequality, for any total."""
    removed = data.draw(st.frozensets(st.sampled_from(d.features))) if d.features else frozenset()
    kept = [i for i, name in enumerate(d.features) if name not in removed]
    moved = expected_total_variation(d, removed)
    assert moved == literal.expected_total_variation(d.to_pmf(), kept)
    assert 2 * moved**2 <= information_lost(d, removed)
    assert (moved == 0) == information_lost(d, removed).is_zero()


# All subsets at once, against one at a time, and against many digits.

Table = SubsetTable[LogSum]
MANY = joint_distributions(max_features=4, max_weight=3)


def contain_the_values(table: SubsetTable[LogSum], masks: Iterable[int], digits: int = 40) -> float:
    """Compare the enclosures of some subsets with their exact values; return the largest radius of all."""
    column = table.column
    assert isinstance(column, EnclosedColumn)
    for mask in masks:
        low, high = table.value_at(mask).enclosure(digits)
        center, radius = Fraction(float(column.centers[mask])), Fraction(float(column.radii[mask]))
        assert center - radius <= low <= high <= center + radius
    return float(column.radii.max())


def enclosed(table: Table) -> EnclosedColumn[LogSum]:
    assert isinstance(table.column, EnclosedColumn)
    return table.column


def refuse(_: int) -> LogSum:
    raise AssertionError("a logarithm was asked for")


def ranks(table: Table, exact: Any = None, radii: Any = None) -> list[int]:
    """Rank with other exact values, such as none, or with other radii, such as those of enclosures that all overlap."""
    column = enclosed(table)
    radii = column.radii if radii is None else np.full(len(table), radii)
    made = EnclosedColumn(column.centers, radii, exact or column.exact, column.keys, certificates=column.certificates)
    return list(map(int, made.ranks()))


def exact_ranks(values: list[Any]) -> list[int]:
    ordered = [value for value, _ in itertools.groupby(sorted(values))]
    return [ordered.index(value) for value in values]


@given(d=MANY, base=st.sampled_from([None, 2, Fraction(3, 2)]))
def test_values_and_ranks_are_those_of_one_at_a_time(d: JointDistribution, base: Any) -> None:
    """Ties, zeros, and totals of thousands of bits among them."""
    table, again, apart = (conditional_entropy_table(d, base=base) for _ in range(3))
    subsets = [names_of(mask, d.features) for mask in range(2 ** len(d.features))]
    values = [conditional_entropy(d, {d.target}, subset, base=base) for subset in subsets]
    assert [table.value_at(mask) for mask in range(len(values))] == values
    assert again.ranks.tolist() == exact_ranks(values) == ranks(apart, radii=1e9)
    assert contain_the_values(table, range(len(values))) < 4e-12


def test_tables_are_values() -> None:
    table = conditional_entropy_table(gallery.titanic(), base=2)
    assert (table.larger_is_better, table.symbol) == (False, "H")
    again = pickle.loads(pickle.dumps(table))
    assert again == table
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
    left = np.array(ranks(conditional_entropy_table(JointDistribution(weights)), refuse))
    assert left.max() == 63
    assert (left.reshape(64, 64) == left.reshape(64, 64)[:, :1]).all()


def test_copies_tie_without_a_logarithm() -> None:
    """Of huge totals, too."""
    for scale in (1, 2**70):
        weights = np.zeros((2, 2, 2, 2), dtype=object)
        for x, y in itertools.product(range(2), repeat=2):
            weights[x, x, 1 - x, y] = (3 + x + 5 * y) * scale + x
        assert set(ranks(conditional_entropy_table(JointDistribution(weights)), refuse)[1:]) == {0}


def given_the_class(first: list[list[int]], second: list[list[int]]) -> JointDistribution:
    """Return two features, independent given the class, each with these weights [x][y], of the same class weights."""
    a, b = np.array(first), np.array(second)
    assert (a.sum(axis=0) == b.sum(axis=0)).all()
    assert len(set(a.sum(axis=0).tolist())) == 1  # else the products would have to be divided
    return JointDistribution(a[:, None, :] * b[None, :, :])


def test_equal_values_of_other_posteriors() -> None:
    """No certificate sees the second tie: the values are equal as sums of logarithms only."""
    mirrored = conditional_entropy_table(given_the_class([[4, 1], [4, 7]], [[1, 4], [7, 4]]))
    assert ranks(mirrored, refuse) == [2, 1, 1, 0]
    d = given_the_class([[4, 0], [4, 8]], [[2, 7], [6, 1]])
    table = conditional_entropy_table(d)
    first, second = posteriors(d, np.array([2, 1]))
    assert first != second
    assert table.ranks.tolist() == [2, 1, 1, 0]
    assert table[{"X1"}] == table[{"X2"}]


@pytest.mark.parametrize(("p", "q"), [(3, 1), (2**70 + 1, 2**70)])
def test_the_same_posteriors_in_other_masses(p: int, q: int) -> None:
    """The certificate is a distribution of posteriors, not a set of them; for integers of any size, too."""
    s = p + q
    first, second = [[p, q], [q, p], [3 * s, 3 * s]], [[2 * p, 2 * q], [2 * q, 2 * p], [2 * s, 2 * s]]
    assert ranks(conditional_entropy_table(given_the_class(first, second)), radii=1e9) == [3, 2, 1, 0]


def test_values_that_differ_by_less_than_a_float_can_say() -> None:
    """The conditional entropies given two features differ by less than 1e-40; one of 10**45 units tells them apart."""
    n = 10**45
    weights = np.array([[[4 * n, n], [2 * n + 1, 2 * n]], [[2 * n, 2 * n], [n, 4 * n]]], dtype=object)
    d = JointDistribution(weights)
    table = conditional_entropy_table(d)
    assert abs(table[{"X1"}] - table[{"X2"}]) < Fraction(1, 10**40)
    assert table[{"X1"}] != table[{"X2"}]
    pmf = d.to_pmf()
    left = [literal.precise(pmf, [2], [i], 150) for i in (0, 1)]
    assert (table.ranks[1] < table.ranks[2]) == (left[0] < left[1])
    assert sorted(table.ranks.tolist()) == [0, 1, 2, 3]


# -- what the proof of the radius rests on -----------------------------------------------------------


def arguments() -> np.ndarray:
    """Masses, their quotients, and what lies next to 1, where logarithms are hardest."""
    random = np.random.default_rng(0)
    near = 1 + np.concatenate([2.0 ** -np.arange(1, 53), -(2.0 ** -np.arange(1, 54))])
    wide = np.exp2(random.uniform(-81, 81, 20_000))
    counts = random.integers(1, 2**20, 5000) / 2**19
    return np.concatenate([near, wide, counts, 1 + random.uniform(0, 1e-3, 5000), random.uniform(0.5, 2, 20_000)])


def test_the_logarithm_of_this_platform() -> None:
    """It errs by 4 ulp at most, in long arrays and in short ones, whose loops differ."""
    x = arguments()
    found = np.concatenate([np.log(x[:-3]), *(np.log(x[-3 + i :][:1]) for i in range(3))])
    with ctx.workprec(160):
        for argument, value in zip(x.tolist(), found.tolist(), strict=True):
            error = abs(arb(value) - arb(argument).log())
            assert error <= 4 * math.ulp(value) or value == 0 == arb(argument).log(), argument


CARDINALITIES = [(), (2,), (5,), (2,) * 6, (7, 2, 4, 3, 5), (1, 2, 1, 3), (30, 2, 2, 2)]
LARGE = [((2,) * 10, 2), ((3,) * 8, 1), ((40, 30, 20), 3), pytest.param((6,) * 6, 2, marks=pytest.mark.thorough)]


@pytest.mark.parametrize(("cardinalities", "classes"), [*itertools.product(CARDINALITIES, (1, 2, 3)), *LARGE])
def test_no_term_goes_through_more_additions(cardinalities: tuple[int, ...], classes: int) -> None:
    """The sweep itself counts them: a sum is one deeper than its deeper part."""
    deeper = np.frompyfunc(lambda a, b: max(a, b) + 1, 2, 1)
    planes = np.zeros((classes, *cardinalities), dtype=object)

    def zero(cells: np.ndarray, out: np.ndarray) -> None:
        out[...] = 0

    depths = subset_sums(planes, zero, combine=np.add, collect=deeper)
    assert depths.max() <= additions(cardinalities, classes)

    def highest(cells: np.ndarray, out: np.ndarray) -> None:
        out[...] = cells[:1]

    masses = subset_sums(planes, highest, combine=deeper, collect=np.maximum)
    assert masses.max() <= sum(c - 1 for c in cardinalities)


@pytest.mark.parametrize("least", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_radius_of_sixteen_binary_features(least: int) -> None:
    d = JointDistribution(np.random.default_rng(0).integers(least, 1000, (2,) * 17))
    some = (0, 1, 2**15, 2**16 - 2, 2**16 - 1)
    assert contain_the_values(conditional_entropy_table(d), some) < (2e-13 if least == 0 else 3e-14)


@given(st.integers(60, 5000), st.integers(2, 4), st.integers(0, 2**32))
def test_a_total_of_any_size_costs_no_accuracy(bits: int, classes: int, seed: int) -> None:
    """Cells of all magnitudes at once, from a single unit to the whole total."""
    random = np.random.default_rng(seed)
    shape = (2, 3, classes)
    cells = [int(random.integers(1, 2**30)) << int(random.integers(0, bits)) for _ in range(math.prod(shape))]
    table = conditional_entropy_table(JointDistribution(np.array(cells, dtype=object).reshape(shape)))
    assert contain_the_values(table, range(4), 30) < 1e-12
