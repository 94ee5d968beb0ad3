"""The criteria with rows left out, and the features that they support, against definitions word for word."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import fstheory as fs
from fstheory.distributions.rows import counts_by_subset
from fstheory.lattice.columns import EnclosedColumn
from fstheory.samples import left_out as left_out_module
from fstheory.samples.fitting import supported_features
from fstheory.samples.left_out import left_out

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # rows are few, on purpose
Rows = list[tuple[int, int]]


def share(others: Rows, state: int) -> Fraction:
    """Return the share of class 1 in a state, of all if there is none."""
    seen = [y for x, y in others if x == state] or [y for _, y in others] or [1]
    return Fraction(sum(seen), len(seen))


def literal_auc(rows: Rows) -> Fraction:
    pairs = [(i, j) for i, j in itertools.permutations(range(len(rows)), 2) if rows[i][1] == 1 and rows[j][1] == 0]
    won = Fraction(0)
    for i, j in pairs:
        others = [row for k, row in enumerate(rows) if k not in (i, j)]
        high, low = (share(others, rows[k][0]) for k in (i, j))
        won += Fraction((high > low) + (high >= low), 2)
    return won / len(pairs)


def literal_loss(cost: Callable[[int, int], Fraction], predictions: int) -> Callable[[Rows], Fraction]:
    def value(rows: Rows) -> Fraction:
        total = Fraction(0)
        for i, (x, y) in enumerate(rows):
            others = [(state, z) for k, (state, z) in enumerate(rows) if k != i]
            seen = [z for state, z in others if state == x] or [z for _, z in others]
            losses = [sum((cost(z, a) for z in seen), Fraction(0)) for a in range(predictions)]
            best = [a for a in range(predictions) if losses[a] == min(losses)]
            total += sum((cost(y, a) for a in best), Fraction(0)) / len(best)
        return total / len(rows)

    return value


def literal_log(rows: Rows, classes: int) -> float:
    total = 0.0
    for i, (x, y) in enumerate(rows):
        others = [z for k, (state, z) in enumerate(rows) if k != i and state == x]
        total -= math.log((others.count(y) + 1) / (len(others) + classes))
    return total / len(rows)


def literal_squares(rows: Rows, points: list[tuple[int, ...]]) -> Fraction:
    total = Fraction(0)
    for i, (x, y) in enumerate(rows):
        others = [(state, points[z]) for k, (state, z) in enumerate(rows) if k != i]
        seen = [point for state, point in others if state == x] or [point for _, point in others]
        mean = [Fraction(sum(axis), len(seen)) for axis in zip(*seen, strict=True)]
        total += sum((a - b) ** 2 for a, b in zip(points[y], mean, strict=True))
    return total / len(rows)


def drawn(seed: int, classes: int, states: int = 5) -> tuple[fs.Sample, Rows]:
    rng = random.Random(seed)
    rows = [(rng.randrange(states), rng.randrange(classes)) for _ in range(rng.randint(3, 24))]
    rows += [(0, y) for y in range(classes)]
    s = fs.Sample(rows)
    places = {label: i for i, label in enumerate(s.classes)}
    return s, [(x, places[y]) for x, y in rows]


@pytest.mark.parametrize("seed", range(20))
def test_values_are_the_definitions(seed: int) -> None:
    s, rows = drawn(seed, 2)
    cells = s.cells({"X1"})
    assert left_out(s, "auc").value(cells) == literal_auc(rows)
    assert left_out(s, "zero_one").value(cells) == literal_loss(lambda y, a: Fraction(y != a), 2)(rows)
    costs = fs.criteria.cost_sensitive("1/5")
    unequal = literal_loss(lambda y, a: Fraction(y != a) * (Fraction(4, 5) if y else Fraction(1, 5)), 2)
    assert left_out(s, costs).value(cells) == unequal(rows)
    assert left_out(s, "gini").value(cells) == literal_squares(rows, [(1, 0), (0, 1)])


@pytest.mark.parametrize("seed", range(12))
def test_values_for_three_classes_are_the_definitions(seed: int) -> None:
    s, rows = drawn(seed, 3)
    cells, times = s.cells({"X1"}), [sum(y == z for _, y in rows) for z in range(3)]
    weights = [Fraction(len(rows), 3 * count) for count in times]
    one = literal_loss(lambda y, a: weights[y] * (y != a), 3)(rows)
    balanced = left_out(s, "balanced").value(cells)
    plain = fs.criterion_value(fs.JointDistribution([[1, 1, 1]]), "balanced", ())  # 2/3 of a mean, 2 of a sum
    assert balanced == one * plain / Fraction(2, 3)
    assert left_out(s, "gini").value(cells) == literal_squares(rows, [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    numbers = fs.Sample([(x, ("-1/2", 7, 1)[y]) for x, y in rows])  # sorted as 1, 7, -1/2
    halves = literal_squares(rows, [(-1,), (14,), (2,)])
    assert left_out(numbers, "squared_error").value(numbers.cells({"X1"})) == halves / 4
    assert float(left_out(s, "logarithmic").value(cells)) == pytest.approx(literal_log(rows, 3))
    bits = float(left_out(s, fs.criteria.logarithmic(2)).value(cells))
    assert bits == pytest.approx(literal_log(rows, 3) / math.log(2))


@pytest.mark.parametrize("criterion", ["zero_one", "balanced", "auc", "logarithmic", "gini", "squared_error"])
def test_batches_are_compared_as_exact_values_are(criterion: str) -> None:
    s, _ = drawn(3, 2)
    judge, rng = left_out(s, criterion), np.random.default_rng(0)
    labels = np.repeat(s.codes[:, -1], s.counts)
    tables = np.zeros((60, 4, 2), dtype=np.int64)
    for table in tables:
        np.add.at(table, (rng.integers(0, 4, len(labels)), labels), 1)
    tables = np.concatenate([tables, tables[:5, ::-1]])  # the same states in another order: equal, not only close
    values = [judge.value(table) for table in tables]
    assert judge.as_good(tables, tables[0]).tolist() == [not judge.is_better(values[0], value) for value in values]
    assert judge.as_good(tables, tables[0])[60]


@pytest.mark.parametrize("criterion", ["logarithmic", "gini"])
def test_equal_tables_need_no_exact_values(criterion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tables that floats cannot tell apart are equal, or are permuted again and again."""
    s, _ = drawn(3, 2)
    judge, cells = left_out(s, criterion), s.cells({"X1"})
    value = Mock(side_effect=judge.value)
    monkeypatch.setattr(judge, "value", value)
    assert judge.as_good(np.stack([cells] * 9), cells).all()
    assert value.call_count == 0
    assert judge.as_good(np.stack([cells, cells[::-1], cells[::-1]]), cells).all()
    assert value.call_count == 2  # of the other table, and of `cells`


def sample_of(seed: int) -> fs.Sample:
    """Draw a small sample with ties, with equal rows, and with features of one state; sometimes of no feature."""
    rng = random.Random(seed)
    classes, cards = rng.choice([2, 2, 3, 4]), [rng.choice([1, 2, 2, 3]) for _ in range(rng.randint(0, 4))]
    rows = [(*(rng.randrange(c) for c in cards), rng.randrange(classes)) for _ in range(rng.randint(1, 30))]
    rows += [(*(0 for _ in cards), y) for y in range(classes)]
    times = rng.choice([1, 1, 2, 10**6])
    return fs.Sample.from_counts({row: times * rows.count(row) for row in rows})


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 700), marks=pytest.mark.thorough)])
def test_one_sweep_has_the_values_of_a_grouping_for_each_subset(seeds: range) -> None:
    dear = fs.criteria.loss_matrix([[0, 10**40], [1, 0]])
    for seed in seeds:
        s = sample_of(seed)
        tried: list[Any] = ["zero_one", "balanced", "logarithmic", fs.criteria.logarithmic(2)]
        for criterion in tried + ([fs.criteria.cost_sensitive("1/5"), dear] if len(s.classes) == 2 else []):
            judge = left_out(s, criterion)
            column, grouped = judge.column(), [judge.value(cells) for _, cells in sorted(counts_by_subset(s, None))]
            assert (column is None) == (criterion is dear)  # its numbers are no machine numbers
            if column is not None:
                assert [column[mask] for mask in range(len(column))] == grouped
            if isinstance(column, EnclosedColumn):
                bounds = zip(column.centers.tolist(), column.radii.tolist(), grouped, strict=True)
                assert all(Fraction(c) - Fraction(r) <= value <= Fraction(c) + Fraction(r) for c, r, value in bounds)


def test_an_importance_groups_no_rows_for_a_subset(monkeypatch: pytest.MonkeyPatch) -> None:
    s = fs.sample(fs.gallery.random((2,) * 6, rng=1), 500, rng=2)
    monkeypatch.setattr("fstheory.distributions.rows.cells_of_size", lambda *_: pytest.fail("rows were grouped"))
    for criterion in ("zero_one", "balanced", "logarithmic"):
        assert len(fs.importance(s, criterion=criterion).ranking()) == 6


def rare(seed: int) -> fs.Sample:
    """Of 12 columns X3 and X8 make a class of one in twenty more likely, never likely."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 3, size=(3000, 12))
    y = rng.random(3000) < 0.005 + 0.09 * (x[:, 2] == 1) + 0.09 * (x[:, 7] == 2)
    return fs.Sample(np.column_stack([x, y]).tolist())


def test_the_zero_one_loss_sees_no_rare_class() -> None:
    blind = supported_features(rare(0), rng=0, criterion="zero_one")
    assert (blind.features, blind.stopped) == ((), "no addition makes it better")


@pytest.mark.rotated(2)
@pytest.mark.parametrize("criterion", ["logarithmic", "balanced", "auc", "gini", "squared_error"])
@pytest.mark.one_in(5)
def test_rare_classes_are_found_by_criteria_that_see_them(criterion: str) -> None:
    s = rare(0)
    found = supported_features(s, rng=0, criterion=criterion)
    assert {*found.features} >= {"X3", "X8"}
    assert found.plug_in == fs.criterion_value(s, criterion, found.features)
    assert found.criterion in str(found)
    assert criterion != "logarithmic" or supported_features(s, rng=0) == found  # the default


def test_the_rate_is_split_where_pairs_are_tried() -> None:
    s = fs.Sample([(i % 2, i % 3, i // 2 % 2) for i in range(120)])
    found = supported_features(s, rng=0, familywise="1/10", permutations=19)
    assert {step.level for step in found.steps} == {Fraction(1, 20)}
    only = supported_features(s.keep(["X1"]), rng=0, familywise="1/10", permutations=19)
    assert {step.level for step in only.steps} <= {Fraction(1, 10)}


def test_the_whole_rate_is_for_single_features_if_no_pair_has_enough_rows() -> None:
    """Five rows a state for each feature alone: the level does not depend on the classes, so the bound holds."""
    s = fs.Sample([(i % 4, i // 4 % 4, i % 3 % 2) for i in range(48)])
    found = supported_features(s, rng=0, familywise="1/10", permutations=19)
    assert {step.level for step in found.steps} == {Fraction(1, 10)}
    assert not found.pairs_tried


@pytest.mark.one_in(3)
@pytest.mark.parametrize("criterion", ["zero_one", "auc", "logarithmic"])
def test_noise_beside_a_true_feature_is_added_once_in_twenty_times_at_most(criterion: str) -> None:
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(40):
        x = rng.integers(0, 3, size=(80, 4))
        y = (x[:, 1] == 2) ^ (rng.random(80) < 0.1)
        s = fs.Sample(np.column_stack([x, y]).tolist())
        found = supported_features(s, rng=rng, criterion=criterion, permutations=39)
        assert "X2" in found.features
        assert all(step.p <= Fraction(1, 20) for step in found.steps if step.accepted)
        wrong += len(found.features) > 1
    assert wrong <= 7  # of 40 with 2 expected at most: beyond this 1 in 1,000


def test_a_pair_is_kept_without_the_one_that_the_other_makes_superfluous() -> None:
    """Here X3 alone misses its level by chance, and with X1, which says nothing, does not."""
    rng = np.random.default_rng(111)
    x = rng.integers(0, 2, size=(60, 8))
    y = x[:, 2] ^ (rng.random(60) < 0.3)
    found = supported_features(fs.Sample(np.column_stack([x, y]).tolist()), rng=111, permutations=39)
    assert found.features == (*found.steps[0].added,) == ("X3",)
    assert found.steps[0].left_out == left_out(found.sample, "logarithmic").value(found.sample.cells({"X3"}))


@pytest.mark.parametrize("bits", range(55, 62))
def test_losses_of_counts_near_a_machine_word_are_those_of_python_integers(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = {(0, 0): 3 << bits - 2, (0, 1): 1, (1, 0): 2, (1, 1): (1 << bits - 2) - 5}
    s, tables = fs.Sample.from_counts(counts), np.array([[[7, 1], [2, 9]], [[1 << 55, 3], [5, 1 << 55]]])
    cells = s.cells(["X1"])

    def found() -> tuple[object, list[int]]:
        criterion = left_out(s, fs.criteria.cost_sensitive("1/7"))
        return criterion.value(cells), criterion.scores(tables).tolist()  # type: ignore[attr-defined]

    in_words = found()
    monkeypatch.setattr(left_out_module, "_WORD", 0)
    assert found() == in_words


def entropy_of(table: Any) -> float:
    """Return the number of rows times the entropy of the class given the state, in natural units."""
    return float(sum(n * math.log(sum(row) / n) for row in table.tolist() for n in row if n))


def classes_in(sizes: Sequence[int], totals: Sequence[int]) -> Iterator[tuple[list[list[int]], int]]:
    """Yield the tables of states by classes with these sums, and the number of permutations that give each."""
    if not sizes:
        yield [], 1
        return
    for row in itertools.product(*(range(total + 1) for total in totals)):
        if sum(row) == sizes[0]:
            for rest, ways in classes_in(sizes[1:], [total - n for total, n in zip(totals, row, strict=True)]):
                yield [[*row], *rest], ways * math.prod(map(math.comb, totals, row))


@pytest.mark.parametrize(
    "strata",
    [[((12, 12), (12, 12))], [((9, 9), (9, 9)), ((12, 9), (9, 12))], [((9, 9, 9), (18, 9))], [((12, 12), (12, 6, 6))]],
)
def test_the_bound_is_not_below_the_share_of_permutations(strata: Any) -> None:
    """For each stratum there are the rows of each state of the addition, and those of each class.

    The mean of exp(m I), over all permutations, is at most its bound, by the formulas in the notes.
    """
    each = [[*classes_in(*stratum)] for stratum in strata]
    tables = [
        (np.array([row for part, _ in parts for row in part]), math.prod(ways for _, ways in parts))
        for parts in itertools.product(*each)
    ]
    rows = [(x, y) for x, row in enumerate(tables[0][0].tolist()) for y, n in enumerate(row) for _ in range(n)]
    judge = left_out(fs.Sample(rows, features=["x"], target="y", keep_continuous=True), "logarithmic")
    before = np.array([totals for _, totals in strata])
    sizes = np.array([n for own, _ in strata for n in own])
    inside = np.repeat(np.arange(len(strata)), [len(own) for own, _ in strata])
    losses = [(float(judge.value(table)), ways, table) for table, ways in tables]
    mean = math.prod(
        (2 * sum(totals)) ** ((len(totals) - 1) / 2)
        * math.prod((2 + math.sqrt(math.pi * n / 2)) ** (len(totals) - 1) for n in sorted(own)[:-1])
        for own, totals in strata
    )
    entropies = np.array([entropy_of(before), *(entropy_of(table) for table, _ in tables)])
    information = np.exp(entropies[0] - entropies[1:])
    assert np.average(information, weights=[ways for _, ways in tables]) <= mean
    least, every = Fraction(1), sum(ways for _, ways in tables)
    for loss, _, table in [*losses[:: 1 + len(losses) // 40], min(losses, key=itemgetter(0))]:
        bound = judge.bound(before, [(sizes, inside)], table)
        gain = entropies[0] - len(rows) * loss
        assert bound == Fraction(1, 10 ** max(0, math.floor((gain - math.log(mean)) / math.log(10))))
        assert bound * every >= sum(ways for other, ways, _ in losses if other <= loss + 1e-12)
        assert bound == 1 or judge.bound(before, [(sizes, inside)] * 10, table) == 10 * bound
        least = min(least, bound)
    assert least < Fraction(1, 10)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("numbers", "strata"),
    [
        ([0, 1], [((12, 12), (12, 12))]),
        ([3, 5], [((3, 21), (12, 12)), ((9, 9), (6, 12))]),
        ([0, 1, 7], [((3, 4, 11), (11, 5, 2))]),
        ([0, 4, 5], [((1, 2, 2), (1, 2, 2)), ((1, 11), (7, 4, 1))]),
        ([0, 20], [((1, 1, 2, 16), (17, 3))]),
        ([0, 1], [((15, 45), (15, 45))]),
        ([0, 1, 9], [((9, 9), (9, 9, 0)), ((7, 7), (0, 7, 7)), ((2, 3), (0, 0, 5))]),
    ],
)
def test_the_bound_for_squares_is_not_below_the_share_of_permutations(numbers: list[int], strata: Any) -> None:
    """The mean of exp(c B), over all permutations, is at most its bound, too."""
    parts = itertools.product(*[[*classes_in(*stratum)] for stratum in strata])
    tables = [(np.array([row for part, _ in found for row in part]), [w for _, w in found]) for found in parts]
    ways = np.array([math.prod(own) for _, own in tables], dtype=object)
    rows = [(x, numbers[y]) for x, row in enumerate(tables[0][0].tolist()) for y, n in enumerate(row) for _ in range(n)]
    judge = left_out(fs.Sample(rows, features=["x"], target="y", keep_continuous=True), "squared_error")
    assert isinstance(judge, left_out_module._Squares)
    before, sizes = np.array([totals for _, totals in strata]), np.array([n for own, _ in strata for n in own])
    inside = np.repeat(np.arange(len(strata)), [len(own) for own, _ in strata])
    points = [Fraction(number - min(numbers), max(numbers) - min(numbers)) for number in numbers]

    def squares(table: Any) -> list[Fraction]:
        """Return the sum of squares about the mean of each state."""
        sums = ([sum(n * p**k for n, p in zip(row, points, strict=True)) for k in range(3)] for row in table.tolist())
        return [b - a**2 / rows for rows, a, b in sums]

    left = [sum(own[k:]) for own in (sorted(own) for own, _ in strata) for k in range(len(own) - 1)]
    cells = np.array([n for own, _ in strata for n in sorted(own)[:-1]], dtype=float)
    own = np.repeat([float(square) for square in squares(before)], [len(own) - 1 for own, _ in strata])
    between = np.array([float(sum(squares(before)) - sum(squares(table))) for table, _ in tables])
    for c in (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0):
        most = left_out_module._log_means(c, cells, np.array(left, dtype=float), own)
        assert np.average(np.exp(c * between), weights=ways.astype(float)) <= math.exp(most.sum())
    known = [[p for p, n in zip(points, totals, strict=True) if n] for _, totals in strata]
    spans = np.array([max(float(max(own) - min(own)), 0.01) for own in known])
    values = np.array([judge.value(table) for table, _ in tables], dtype=object)
    for at in [*range(0, len(tables), 1 + len(tables) // 10), min(range(len(tables)), key=values.__getitem__)]:
        bound = judge.bound(before, [(sizes, inside)], tables[at][0], spans)
        assert bound <= judge.bound(before, [(sizes, inside)], tables[at][0])
        assert bound * sum(ways) >= sum(ways[values <= values[at]])
        assert bound == 1 or judge.bound(before, [(sizes, inside)] * 11, tables[at][0], spans) > bound


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30])
def test_the_terms_of_the_bound(n: int) -> None:
    """The lemmas in the notes of `supported_features`, for two classes and for three."""
    for k in (2, 3):
        counts = [c for c in itertools.product(range(n + 1), repeat=k) if sum(c) == n]
        terms = [math.factorial(n) / math.prod(math.factorial(a) * (n / max(a, 1)) ** a for a in c) for c in counts]
        assert sum(terms) <= (2 + math.sqrt(math.pi * n / 2)) ** (k - 1)
        assert min(terms) >= (2 * n) ** (-(k - 1) / 2)
