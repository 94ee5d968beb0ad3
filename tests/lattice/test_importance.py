"""Importances of features, against their definitions: averages over all orders, or over all subsets, in Fraction."""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest

import fstheory as fs
from fstheory import criteria
from fstheory._support.exact import Exact
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.lattice import SubsetTable
from fstheory.lattice.columns import EnclosedColumn, ExactColumn, RationalColumn
from fstheory.lattice.importance import Kind, semivalue_weights, table_importance
from fstheory.numbers.enclosure import endpoints
from fstheory.numbers.limbs import IntegerArray
from fstheory.numbers.logsum import LogSum, log
from tests.refusals import refusals

KINDS: tuple[Kind, ...] = get_args(Kind)
Game = Callable[[frozenset[str]], Any]


def game_of(table: SubsetTable[Any]) -> Game:
    sign = 1 if table.larger_is_better else -1
    return lambda subset: (table[subset] - table[()]) * sign


def literal(kind: str, gain: Game, names: tuple[str, ...], i: str) -> Any:
    """Return an importance by its definition."""
    others = [name for name in names if name != i]
    subsets = [frozenset(s) for size in range(len(names)) for s in itertools.combinations(others, size)]
    added = {subset: gain(subset | {i}) - gain(subset) for subset in subsets}
    if kind == "shapley":
        orders = list(itertools.permutations(names))
        parts = [added[frozenset(order[: order.index(i)])] for order in orders]
        return sum(parts[1:], parts[0]) * Fraction(1, len(orders))
    if kind == "banzhaf":
        return sum(list(added.values())[1:], added[frozenset()]) * Fraction(1, len(added))
    ends = {"loco": added[frozenset(others)], "alone": added[frozenset()]}
    return ends[kind] if kind in ends else (max if kind == "mci" else min)(added.values())


def drawn(seed: int, most: int = 4) -> fs.JointDistribution:
    """Draw a distribution with zero cells and ties, sometimes with huge weights."""
    rng = random.Random(seed)
    shape = [rng.choice([1, 2, 2, 3]) for _ in range(rng.randint(0, most))] + [rng.choice([2, 2, 3])]
    scale = rng.choice([1, 1, 10**30])
    cells = [rng.choice([0, 0, 1, 1, 2, 3]) * scale + rng.choice([0, scale - 1]) for _ in range(math.prod(shape))]
    return fs.JointDistribution(np.array([*cells[:-1], cells[-1] + 1], dtype=object).reshape(shape))


def test_values_and_interactions_are_those_of_shapiq() -> None:
    """It computes in floats, from all coalitions."""
    shapiq: Any = pytest.importorskip("shapiq", reason="shapiq is not installed")
    table = fs.bayes_risks(fs.gallery.random((2, 3, 2, 2, 2), rng=0))
    n, gain = len(table.features), game_of(table)
    by_mask = np.array(
        [float(gain(frozenset(f for i, f in enumerate(table.features) if m >> i & 1))) for m in range(2**n)]
    )
    computer = shapiq.ExactComputer(
        lambda rows: by_mask[np.asarray(rows, dtype=bool) @ (1 << np.arange(n))], n_players=n
    )
    place = {name: i for i, name in enumerate(table.features)}
    found = table_importance(table)
    for index, order, ours in (
        ("SV", 1, {(place[f],): value for f, value in found.items()}),
        ("BV", 1, {(place[f],): value for f, value in table_importance(table, "banzhaf").items()}),
        ("SII", 2, {(place[f], place[g]): value for (f, g), value in found.interactions().items()}),
    ):
        theirs = computer(index, order)
        assert all(abs(theirs[subset] - float(value)) < 1e-12 for subset, value in ours.items())


def test_numbers_at_the_end_of_a_machine_word_are_added_without_overflow() -> None:
    ends = {(): -(2**63), ("X1",): 2**63 - 1, ("X2",): 0, ("X1", "X2"): 2**63 - 1}
    table = SubsetTable.from_mapping(ends, features=["X1", "X2"], larger_is_better=True)
    assert table_importance(table, "alone")["X1"] == table_importance(table, "mci")["X1"] == 2**64 - 1


CRITERIA = ("zero_one", "gini", "squared_error", "logarithmic", "balanced", "auc")


HUNDREDS = [pytest.param(range(start, start + 100), marks=pytest.mark.thorough) for start in range(40, 1000, 100)]


@pytest.mark.parametrize("seeds", [range(40), *HUNDREDS])
def test_importances_are_those_of_the_definitions(seeds: range) -> None:
    for seed in seeds:
        d, criterion = drawn(seed, most=4 if seed < 40 else 5), CRITERIA[seed % len(CRITERIA)]
        if criterion in ("auc", "balanced") and (len(d.classes) > 2 or 0 in d.marginal(()).weights):
            criterion = "zero_one"
        table = criteria.criterion_values(d, criterion)
        for kind in KINDS:
            found = fs.importance(d, kind, criterion=criterion)
            assert found.table == table
            expected = [literal(kind, game_of(table), d.features, i) for i in d.features]
            assert list(found.values()) == expected, (seed, kind)


@pytest.mark.parametrize("base", [None, 2])
def test_sums_of_logarithms_are_added_in_one_pass(base: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers are written as sums pair by pair are, and no two of them are added."""
    d = fs.gallery.random((2, 3, 2, 2, 3), rng=0)
    table = criteria.criterion_values(d, criteria.logarithmic(base))
    gain, kinds = game_of(table), KINDS[:4]
    wanted = {kind: [repr(literal(kind, gain, d.features, i)) for i in d.features] for kind in kinds}
    with monkeypatch.context() as patch:
        patch.setattr(LogSum, "_plus", lambda *_: pytest.fail("two sums were added"))
        found = {kind: table_importance(table, kind) for kind in wanted}
        interactions = found["shapley"].interactions()
    assert {kind: list(map(repr, one.numbers)) for kind, one in found.items()} == wanted
    names, reference = d.features, {}
    for i, j in itertools.combinations(names, 2):
        others = [name for name in names if name not in (i, j)]
        sizes = [frozenset(s) for size in range(4) for s in itertools.combinations(others, size)]
        joint = [gain(s | {i, j}) - gain(s | {i}) - gain(s | {j}) + gain(s) for s in sizes]
        shares = [semivalue_weights("shapley", 4)[len(s)] for s in sizes]
        reference[i, j] = sum(map(operator.mul, joint, shares))
    assert interactions == reference


@pytest.mark.parametrize("base", [None, 2, Fraction(10**9 + 1, 10**9)])
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 60), marks=pytest.mark.thorough)])
def test_enclosures_hold_the_exact_values(base: Any, seeds: range) -> None:
    """Also of zero cells, of ties and of totals beyond floats; an enclosure that is too wide would never decide."""
    for seed in seeds:
        d = drawn(seed)
        table = criteria.criterion_values(d, criteria.logarithmic(base))
        assert isinstance(table.column, EnclosedColumn)
        literally = replace(table, column=ExactColumn([table.column[mask] for mask in range(len(table))]))
        weights = [Fraction(size % 2, 2 ** max(len(d.features) - 2, 0)) for size in range(len(d.features))]
        own = [weights] if len(weights) > 1 else []
        for kind in [*KINDS, *own]:
            found, exact = table_importance(table, kind), table_importance(literally, kind)
            for number, other in [*zip(found.numbers, exact.numbers, strict=True)]:
                if "_later" in vars(number):
                    low, high = endpoints(number._enclose(64))
                    assert low <= other <= high
                    assert high - low < 20 * Fraction(table.column.radii.max())
                assert number.terms == other.terms
            assert str(found) == str(exact)
        joint, exactly = table_importance(table).interactions(), table_importance(literally).interactions()
        for pair, number in joint.items():
            low, high = endpoints(number._enclose(64))
            assert low <= exactly[pair] <= high


def test_enclosures_decide_where_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ranking, its text and interactions ask for two exact values of the table: the gain of all features together."""
    table = criteria.criterion_values(fs.gallery.random((2,) * 8, rng=3), "logarithmic")
    monkeypatch.setattr("fstheory.lattice.importance.LogSums", lambda _: pytest.fail("a sum was made exact"))
    found = table_importance(table)
    assert len(found.ranking()) == 8
    assert len(str(found).splitlines()) == 10
    assert all(value > -1 for value in found.interactions().values())
    assert table_importance(table, "mci").ranking()
    assert isinstance(table.column, EnclosedColumn)
    assert len(table.column.known) < 2**8


@pytest.mark.parametrize("kind", ["mci", "least"])
def test_exact_gains_decide_which_is_the_largest_or_the_least(kind: Kind) -> None:
    """The centers are as far from the values as wide radii allow."""
    table = criteria.criterion_values(fs.gallery.random((2,) * 4, rng=3), "logarithmic")
    assert isinstance(table.column, EnclosedColumn)
    noise = np.random.default_rng(0).uniform(-0.1, 0.1, len(table))
    wide = replace(table.column, centers=table.column.centers + noise, radii=table.column.radii + 0.1)
    found = table_importance(replace(table, column=wide), kind)
    assert found.numbers == table_importance(table, kind).numbers


def test_values_in_several_units_are_refused_as_before() -> None:
    values: list[Any] = [log(2), log(3), log(5, base=2), log(7)]
    table: SubsetTable[Any] = SubsetTable(("X1", "X2"), ExactColumn(values))
    with pytest.raises(InvalidTypeError, match="to the bases"):
        table_importance(table)


def random_table(n: int, seed: int, values: int = 50) -> SubsetTable[Any]:
    rng, names = random.Random(seed), [f"X{i + 1}" for i in range(n)]
    subsets = [s for size in range(n + 1) for s in itertools.combinations(names, size)]
    drawn = {s: Fraction(rng.randrange(values), rng.choice([1, 3, 7**40])) for s in subsets}
    return SubsetTable.from_mapping(drawn, features=names, larger_is_better=bool(seed % 2))


@pytest.mark.parametrize("seed", range(8))
def test_the_parts_add_up(seed: int) -> None:
    """Shapley values to the gain of all features; each subset shares its dividend among its features."""
    table = random_table(4, seed) if seed < 6 else criteria.criterion_values(drawn(seed), "logarithmic")
    found, gain = table_importance(table), game_of(table)
    assert sum(found.values()) == found.total == gain(frozenset(table.features))
    dividends: dict[Any, Any] = {}  # the gain of a subset less the dividends of all its proper subsets (Harsanyi 1963)
    for subset in sorted(table, key=len):
        dividends[subset] = gain(subset) - sum(dividends[part] for part in dividends if part < subset)
    for i in table.features:
        assert found[i] == sum(dividends[part] / len(part) for part in dividends if i in part)
    for (i, j), interaction in found.interactions().items():
        parts = [dividends[part] / (len(part) - 1) for part in dividends if {i, j} <= part]
        assert interaction == sum(parts)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(20))
def test_the_price_is_the_worst_choice_that_the_ranking_allows(seed: int) -> None:
    table = random_table(4, seed, values=3 if seed % 2 else 50)
    for kind in KINDS:
        found = table_importance(table, kind)
        gain = game_of(table)
        for k in range(5):
            subsets = [frozenset(s) for s in itertools.combinations(table.features, k)]
            tops = [s for s in subsets if all(found[i] >= found[j] for i in s for j in set(table.features) - s)]
            price = found.price(k)
            assert frozenset(price.kept) in tops
            assert price.ties is (len(tops) > 1)
            assert price.lost == max(map(gain, subsets)) - min(map(gain, tops))
            assert set(price.best) == {s for s in subsets if gain(s) == max(map(gain, subsets))}


@pytest.mark.parametrize("bits", range(54, 64))
def test_values_about_as_large_as_a_machine_word_holds(bits: int) -> None:
    """Sums of them go beyond it from some 2**57 on, of four features."""
    rng, names = random.Random(bits), ["X1", "X2", "X3", "X4"]
    subsets = [s for size in range(5) for s in itertools.combinations(names, size)]
    values = {s: Fraction(rng.choice([-1, 1]) * (2**bits - 1 - rng.randrange(9))) for s in subsets}
    found = table_importance(SubsetTable.from_mapping(values, features=names, larger_is_better=True))
    assert list(found.values()) == [literal("shapley", game_of(found.table), found.features, i) for i in names]


def test_new_names_change_nothing_but_names() -> None:
    d = fs.gallery.titanic()
    new = d.rename({"sex": "z", "age": "a"})
    found, renamed = fs.importance(d), fs.importance(new)
    assert [renamed[name] for name in ("class", "z", "a")] == [found[name] for name in ("class", "sex", "age")]
    assert [len(group) for group in renamed.ranking()] == [len(group) for group in found.ranking()]


def test_a_copy_does_not_share() -> None:
    """A copy leaves LOCO 0 and MCI as it was, and halves the Banzhaf value."""
    d = fs.gallery.titanic()
    twice = fs.gallery.with_copy(d, "sex", "twin")
    assert fs.importance(twice, "loco")["sex"] == fs.importance(twice, "loco")["twin"] == 0
    assert fs.importance(twice, "mci")["sex"] == fs.importance(d, "mci")["sex"]
    assert fs.importance(twice, "banzhaf")["sex"] == fs.importance(d, "banzhaf")["sex"] / 2
    shapley = fs.importance(twice)
    before = fs.importance(d)["sex"]
    assert before * Fraction(2, 4) <= shapley["sex"] + shapley["twin"] <= before * Fraction(6, 4)
    assert shapley["sex"] + shapley["twin"] != before


def price(kind: Kind, worth: Callable[[frozenset[str]], Exact], k: int) -> Any:
    """Return the price of an importance in a table of four features."""
    subsets = [frozenset(s) for size in range(5) for s in itertools.combinations("abef", size)]
    table = SubsetTable.from_mapping({s: worth(s) for s in subsets}, features=[*"abef"], larger_is_better=True)
    return table_importance(table, kind).price(k).lost


ENDS: list[tuple[Kind, Fraction, Fraction]] = [
    ("shapley", Fraction(2, 3), Fraction(2, 3)), ("banzhaf", Fraction(3, 4), Fraction(3, 4)),
    ("alone", Fraction(0), Fraction(1)), ("loco", Fraction(1), Fraction(0)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "first", "last"), ENDS)
def test_the_prices_at_both_ends_are_those_of_the_theorem(kind: Kind, first: Fraction, last: Fraction) -> None:
    """The tables of the proof attain them, and no table that increases at random costs more."""

    def worst(s: frozenset[str], reached: Fraction) -> Fraction:
        return Fraction(0) if s <= {"a"} else reached if "a" not in s else Fraction(1)

    assert price(kind, partial(worst, reached=first), 1) == first
    assert price(kind, lambda s: 1 - worst(frozenset("abef") - s, last), 3) == last
    rng = random.Random(kind)
    for _ in range(40):
        parts = [(frozenset(rng.sample("abef", rng.randint(1, 3))), Fraction(rng.randrange(5), 16)) for _ in range(4)]
        assert price(kind, partial(met, parts), 1) <= first
        assert price(kind, partial(met, parts), 3) <= last


def met(parts: list[tuple[frozenset[str], Fraction]], s: frozenset[str]) -> Fraction:
    """Return the sum of some weights: half of each if a subset meets a set, the other half if it contains the set."""
    return sum((weight * ((len(s & t) > 0) + (t <= s)) / 2 for t, weight in parts), Fraction(0))


def test_a_ranking_can_lose_everything() -> None:
    """Two copies of A, three of B, Y the exclusive or: the two highest tell nothing, another two everything."""
    cells = {(a, a, b, b, b, a ^ b): Fraction(1, 4) for a in (0, 1) for b in (0, 1)}
    found = fs.importance(fs.JointDistribution.from_pmf(cells))
    assert list(found.values()) == [Fraction(3, 20)] * 2 + [Fraction(1, 15)] * 3
    assert found.ranking() == (("X1", "X2"), ("X3", "X4", "X5"))
    assert (found.price(2).lost, found.price(2).ties, found.price(3).lost) == (Fraction(1, 2), False, 0)


def test_loco_is_positive_exactly_for_the_solution() -> None:
    """Theorem: if p(x) > 0 and maxima are unique. The largest Shapley value may lie outside of the solution."""
    noisy = {(a, b, c, a ^ b): Fraction(1, 4) * (Fraction(4, 5) if c == a ^ b else Fraction(1, 5))
             for a, b, c in itertools.product((0, 1), repeat=3)}  # fmt: skip
    d = fs.JointDistribution.from_pmf(noisy)
    assert fs.positive.check(d)
    assert fs.unique_maximum.check(d)
    assert tuple(i for i, value in fs.importance(d, "loco").items() if value) == fs.minimal_optimal(d).features
    assert fs.importance(d).ranking()[0] == ("X3",)


def test_weights_of_ones_own() -> None:
    d = fs.gallery.asia()
    for kind in ("shapley", "banzhaf", "loco", "alone"):
        weights = semivalue_weights(kind, len(d.features))
        assert list(fs.importance(d, weights).values()) == list(fs.importance(d, kind).values())


def test_in_a_sample_each_row_is_predicted_by_the_others() -> None:
    """A column of identifiers fits every row. Alone it earns nothing, where a plug-in would give it everything."""
    s = fs.Sample([(i, i % 2, i % 2) for i in range(20)], keep_continuous=True)
    found = fs.importance(s)
    assert found.total == 0
    assert fs.importance(s.empirical())["X1"] == Fraction(1, 4)
    assert fs.importance(s, "alone")["X1"] <= 0 < fs.importance(s, "alone")["X2"]
    assert "each of 20 rows predicted by the others" in str(found)


def test_forms() -> None:
    found = fs.importance("titanic")
    assert list(found.to_frame()["feature"]) == ["sex", "class", "age"]
    assert found.to_frame()["importance"][0] == found["sex"] == Fraction(182, 2201)
    page = found._repr_html_()
    assert page.startswith(f"<p>{str(found).partition(chr(10))[0]}</p><table")
    assert '<tr><td>1</td><th>sex</th><td class="number">182/2201</td><td class="number">0.0826897</td></tr>' in page
    assert r"\text{sex} &= \frac{182}{2201}" in found.to_latex()
    assert [row["rank"] for row in found.to_dict()["rows"]] == [1, 2, 3]
    assert "the best 2 together" in found.plot(k=2).to_svg()
    assert str(fs.importance("xor").price(1)).endswith("among features that tie), is a best choice of this size")
    assert "exact" not in str(fs.importance("titanic", criterion="logarithmic"))


def test_no_feature_and_one() -> None:
    none = fs.importance(fs.JointDistribution([1, 2]))
    assert (dict(none), none.ranking(), none.price(0).lost, none.interactions(), none.total) == ({}, (), 0, {}, 0)
    one = fs.importance(fs.JointDistribution([[3, 1], [1, 3]]))
    assert dict(one) == {"X1": Fraction(1, 4)} == {"X1": one.total}


ZEROS = IntegerArray.from_array(np.zeros(2**20, dtype=np.int64))
WIDE = SubsetTable(tuple(f"X{i}" for i in range(20)), RationalColumn(ZEROS, 1))
test_refusals = refusals(
    [
        ("fs.importance(3)", InvalidTypeError, "subject", "a JointDistribution or a Sample"),
        ("fs.importance('titanik')", UnknownNameError, "gallery name", "'titanik' does not exist"),
        ("fs.importance('xor', 'shapely')", UnknownNameError, "kind of importance", "'shapely' does not exist"),
        ("fs.importance('xor', 3)", InvalidTypeError, "kind", "a sequence of weights"),
        ("fs.importance('xor', [1])", InvalidValueError, "kind", "2 weights, for subsets of 0 to 1 features"),
        ("fs.importance('xor', [1, 1])", InvalidValueError, "kind", "sum to 1 over all subsets"),
        ("fs.importance('xor', [2, -1])", InvalidValueError, "kind", "at least 0"),
        ("fs.importance('xor', [0.5, 0.5])", InvalidTypeError, "kind[0]", "an exact number"),
        ("fs.importance('xor')['X3']", UnknownNameError, "feature", "does not exist"),
        ("fs.importance('xor').plot(k=3)", InvalidValueError, "k", "between 0 and 2"),
        ("fs.importance('xor').price(3)", InvalidValueError, "k", "between 0 and 2"),
        ("fs.importance(fs.bayes_risks('xor').restrict(sizes=[1]))", InvalidValueError, "subject", "of all subsets"),
        ("fs.importance(WIDE, 'alone').price(9)", TooLargeError, "k", "at most 131,072 choices of features tie"),
        ("fs.importance(fs.Sample([(0, 1)]))", InvalidValueError, "subject", "a sample of two rows or more"),
        ("fs.importance(fs.Sample([(0, 1), (1, 0)]), criterion='f_measure')", InvalidValueError, "criterion", "a row"),
    ],
    {"fs": fs, "WIDE": WIDE},
)  # fmt: skip
