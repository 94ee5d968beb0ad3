"""Methods on one sample, and the features that it supports, against the definitions word for word."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.distributions import counting
from fstheory.distributions.rows import distinct_rows
from fstheory.errors import InvalidValueError
from fstheory.samples.estimates import permuted_risk
from fstheory.samples.fitting import is_settled, supported_features
from fstheory.samples.left_out import left_out
from fstheory.samples.tables import table_risks
from fstheory.sklearn import SupportedFeaturesSelector
from tests.samples import literal_samples as literal

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # rows are few, on purpose


def rows_of(rng: random.Random, n: int, m: int, classes: int) -> list[tuple[int, ...]]:
    return [(*(rng.randint(0, 1 + i % 2) for i in range(n)), rng.randrange(classes)) for _ in range(m)]


def named(s: fs.Sample, found: literal.Subset) -> tuple[str, ...]:
    return tuple(s.features[i] for i in sorted(found))


def coded(s: fs.Sample) -> list[tuple[tuple[int, ...], int]]:
    """Return the samples one by one, as positions of states."""
    pairs = zip(s.codes.tolist(), s.counts.tolist(), strict=True)
    return [(tuple(row[:-1]), row[-1]) for row, times in pairs for _ in range(times)]


@pytest.mark.parametrize("seed", range(12))
def test_backward_methods_are_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    n, classes = rng.randint(0, 4), rng.randint(2, 3)
    s = fs.Sample(rows_of(rng, n, rng.randint(2, 25), classes), states={"Y": list(range(classes))})
    one_by_one, tau = coded(s), Fraction(rng.randint(1, 4), 20)
    estimates = {
        "resubstitution": literal.resubstitution,
        "leave-one-out": literal.fair_leave_one_out,
        "leave-one-out-first-class": literal.leave_one_out,
    }
    for estimate, risk in estimates.items():
        options: dict[str, Any] = {"tau": tau, "estimate": estimate}
        known = {subset: risk(one_by_one, subset, classes) for subset in literal.subsets(n)}
        ((_, wanted),) = literal.fos(n, known.__getitem__, tau)
        assert fs.fit(s, fs.FOS(**options)).features == named(s, wanted)
        ((_, wanted),) = literal.fbs(n, known.__getitem__, tau, "first")
        found = fs.fit(s, fs.FBS(**options))
        assert (found.features, found.estimate) == (named(s, wanted), known[wanted])
        assert f"by {estimate}\n" in f"{found}\n"
        possible = {named(s, end) for _, end in literal.fbs(n, known.__getitem__, tau, "uniform")}
        assert fs.fit(s, fs.FBS(**options | {"ties": "uniform"}), rng=seed).features in possible


@pytest.mark.parametrize("seed", range(12))
def test_wrappers_are_the_definition_on_the_split_they_drew(seed: int) -> None:
    rng = random.Random(seed)
    n, classes, m = rng.randint(1, 3), rng.randint(2, 3), rng.randint(4, 20)
    s = fs.Sample(rows_of(rng, n, m, classes), states={"Y": list(range(classes))})
    held = rng.randint(1, m - 1)
    for method, select in ((fs.StandardWrap, literal.standard_wrap), (fs.OrderedFS, literal.ordered_fs)):
        for ties in ("first", "uniform"):
            found = fs.fit(s, method(holdout=held, ties=ties), rng=seed)
            train = coded(found.training)
            left = coded(s)
            for one in train:
                left.remove(one)
            assert len(left) == held
            ended = {named(s, end) for _, end in select(train, left, n, classes, ties)}
            assert found.features in ended
            (chosen,) = [step for step in found.trace if step.accepted]
            assert chosen.estimate == found.estimate == min(step.estimate for step in found.trace)


def test_a_sample_with_the_proportions_of_the_distribution() -> None:
    """Its empirical distribution is the distribution: what is selected on it is S*."""
    d = fs.gallery.xor()
    s = fs.Sample.from_counts({cell: int(p * 8) for cell, p in d.to_pmf().items()})
    found = fs.fit(s, fs.FBS(tau="1/100", ties="first"))
    assert found.features == ("X1", "X2")
    assert found.classifier({"X1": 0, "X2": 1}) == 1
    assert fs.fit(s, fs.NoSelection()).estimate == 0
    assert fs.fit(s, fs.PlugIn(select=fs.minimal_optimal)).features == ("X1", "X2")


def test_many_columns() -> None:
    """FOS looks at n + 1 subsets, however many there are."""
    table = np.random.default_rng(0).integers(0, 3, size=(2000, 80))
    s = fs.Sample([(*map(int, row), int(row[7] == 2)) for row in table])
    found = fs.fit(s.keep(s.features[:10]), fs.FBS(tau="1/50", ties="first"))
    assert "X8" in found.features
    assert len(fs.fit(s, fs.FOS(tau="1/50")).trace) == 80


# Which features a sample supports.


@pytest.mark.parametrize("seed", range(5))
def test_risks_of_tables_are_what_they_are_called(seed: int) -> None:
    rng = random.Random(seed)
    s = fs.Sample(rows_of(rng, 3, rng.randint(2, 30), 3))
    rows = coded(s)
    for columns in ((0,), (0, 2), ()):
        states, plug_in, left_out = table_risks(s.cells([s.features[i] for i in columns]))
        assert states == len({tuple(x[i] for i in columns) for x, _ in rows})
        assert plug_in == literal.resubstitution(rows, columns, len(s.classes))
        assert left_out == literal.fair_leave_one_out(rows, columns)


def test_permuted_risks_are_the_mean_over_all_permutations() -> None:
    s = fs.Sample([(0, 0), (0, 0), (1, 1), (1, 0), (2, 1), (2, 1)])
    mean = fs.samples.permutation_null(s, "X1", rng=0, permutations=1).mean
    assert mean is not None
    assert abs(permuted_risk(s.cells("X1"), np.random.default_rng(0), 3000) - mean) < Fraction(1, 60)


def drawn(seed: int, rows: int, columns: int, states: int = 2, wrong: float = 0.2) -> fs.Sample:
    """The class is X1 + X2 modulo 2, wrong in a fifth of the rows; the other columns say nothing."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, states, size=(rows, columns))
    y = (x[:, 0] + x[:, 1] + (rng.random(rows) < wrong)) % 2
    return fs.Sample(np.column_stack([x, y]).tolist())


def test_a_pair_that_only_together_says_something_is_found() -> None:
    found = supported_features(drawn(0, 200, 6), rng=0)
    assert found.features == ("X1", "X2")
    assert found.steps[0].added == {"X1", "X2"}
    assert found.steps[0].as_good == 0
    assert not found.steps[-1].accepted
    assert found == supported_features(drawn(0, 200, 6), rng=0)


def test_pairs_are_tried_if_the_states_that_occur_have_enough_rows() -> None:
    """Four of 16 joint states occur, with ten rows each."""
    s = fs.Sample.from_counts({(k, k, k % 2): 10 for k in range(4)}, keep_continuous=True)
    assert supported_features(s, rng=0).steps[0].level == Fraction(1, 40)


def test_ties_are_told() -> None:
    s = fs.Sample([(i % 2, i % 2, i % 3, i % 2) for i in range(60)])
    step = supported_features(s, rng=0).steps[0]
    assert step.added == {"X1"}
    assert list(map(set, step.tied)) == [{"X1"}, {"X2"}]


def test_it_stops_where_states_are_too_many() -> None:
    s = fs.Sample([(i, i % 2) for i in range(50)], keep_continuous=True)
    found = supported_features(s, rng=0)
    assert (found.features, found.steps) == ((), ())
    assert found.stopped == "every addition leaves fewer than 5 samples for each state that occurs"


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_merged_states_are_the_definition(classes: int) -> None:
    """After a step, the states in which one class most exceeds its share in all rows are one. Class -1 is empty."""
    source, order = random.Random(classes), range(-1, classes)
    rows = [tuple(source.randint(0, 2) for _ in range(5)) for _ in range(200)]
    rows = [(*row, (row[0] + source.randint(0, row[1]) + source.randint(0, row[2]) // 2) % classes) for row in rows]
    s = fs.Sample(rows, states={"Y": list(order)})
    found, judge = supported_features(s, rng=0, criterion="gini", merge=True, permutations=99), left_out(s, "gini")
    assert len(found.features) >= 2
    groups: list[object] = [0] * len(rows)

    def cells() -> dict[object, list[int]]:
        counts = Counter((group, row[-1]) for group, row in zip(groups, rows, strict=True))
        return {group: [counts[group, y] for y in order] for group in groups}

    for step in found.steps:
        before, groups = groups, [
            (group, *(row[s.features.index(name)] for name in sorted(step.added)))
            for group, row in zip(groups, rows, strict=True)
        ]  # fmt: skip
        divided = cells()
        assert (step.states, step.left_out) == (len(divided), judge.value(np.array(list(divided.values()))))
        if not step.accepted:
            groups = before
            break
        total = [max(1, sum(column)) for column in zip(*divided.values(), strict=True)]
        share = {group: [Fraction(n, sum(own) * total[y]) for y, n in enumerate(own)] for group, own in divided.items()}
        groups = [share[group].index(max(share[group])) for group in groups]
    assert found.left_out == judge.value(np.array(list(cells().values())))


def test_merged_states_support_more_in_few_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, size=(400, 9))
    y = (x[:, :7].sum(axis=1) + rng.normal(0, 0.7, 400) > 3.5).astype(int)
    s = fs.Sample(np.column_stack([x, y]).tolist())
    path = tmp_path / "plain.json"
    assert len(supported_features(s, rng=0, permutations=99, resume=path).features) < 7
    with pytest.raises(InvalidValueError, match="it differs in merge:"):
        supported_features(s, rng=0, permutations=99, merge=True, resume=path)
    merged = supported_features(s, rng=0, permutations=99, merge=True)
    assert set(merged.features) == set(s.features[:7])
    assert "leave-one-out logarithmic loss of the merged states" in str(merged)
    selector = SupportedFeaturesSelector(random_state=0, permutations=99, merge=True)
    assert selector.fit(x, y).get_support().tolist() == [True] * 7 + [False] * 2


@pytest.mark.thorough(2)
def test_merged_states_keep_noise_as_seldom_as_they_say() -> None:
    """The class depends on three columns; at the level 1/20, ten other columns enter in at most a few of 60 runs."""
    kept = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 3, size=(120, 13))
        s = fs.Sample(np.column_stack([x, x[:, :3].sum(axis=1) + rng.integers(0, 4, 120) > 4]).tolist())
        found = supported_features(s, rng=seed, merge=True, permutations=199)
        kept += not {*found.features} <= {*s.features[:3]}
    assert kept <= 7  # more with probability below 1 in 100, if the rate is 1/20


def test_a_permutation_that_does_as_well_counts() -> None:
    """Of 252 ways to put 5 ones among 10 labels, 2 are the feature or its opposite: nothing is better than these."""
    s = fs.Sample([(i % 2, i % 2) for i in range(10)])
    drawn, good = 0, 0
    for seed in range(8):
        (step,) = supported_features(s, rng=seed, criterion="zero_one").steps
        assert (step.left_out, step.accepted, step.settled) == (0, True, True)
        drawn, good = drawn + step.permutations, good + step.as_good
    assert drawn / 252 < good < 2 * drawn / 84  # about drawn * 2 / 252


@pytest.mark.parametrize("counted", [0, 10**9], ids=["by cells", "by bits"])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("most", [0, 10**9], ids=["drawn at once", "drawn row by row"])
def test_permuted_tables_are_those_of_single_rows(
    most: int, classes: int, counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bits of 64 rows at once, and cells in small integers, give the tables that counting row by row gives."""
    monkeypatch.setattr(counting, "_COUNTED", counted)
    monkeypatch.setattr(counting, "ONE_BY_ONE", most)
    source = random.Random(classes)
    seen = {
        (source.randrange(3), source.randrange(12), source.randrange(2), source.randrange(classes)) for _ in range(90)
    }
    rows = distinct_rows(fs.Sample.from_counts({row: source.randint(1, 9) for row in seen}, keep_continuous=True))
    states = rows.extended((np.zeros(len(rows), dtype=np.int64), 1), [0])
    shuffles, additions = counting.Shuffles(rows, states, states, [[1], [2], [1, 2]]), ([1], [2], [1, 2])
    assert any(sizes is not None for *_, sizes in shuffles.ready or ()) == (counted > 0)
    for axes, tables in zip(additions, shuffles.tables(np.random.default_rng(0).spawn(6)), strict=True):
        keys = np.repeat(np.unique(rows.states_of(axes, states)[0], return_inverse=True)[1], rows.counts)
        for own, table in zip(_permuted(rows, states, 6, shuffles if most == 0 else None), tables, strict=True):
            expected = Counter(zip(keys.tolist(), own.tolist(), strict=True))
            assert {cell: n for cell, n in np.ndenumerate(table) if n} == expected


def _permuted(rows: Any, states: Any, number: int, shuffles: Any) -> Any:
    """Return the labels that each of some generators permutes inside the states."""
    labels, keys = np.repeat(rows.columns[-1], rows.counts), np.repeat(states[0], rows.counts)
    rngs = np.random.default_rng(0).spawn(number)
    for k, rng in enumerate(rngs):
        own = labels.copy()
        if shuffles is not None:
            own[np.argsort(keys, kind="stable")] = shuffles.drawn(np.random.default_rng(0).spawn(number))[k]
            assert Counter(zip(keys, own, strict=True)) == Counter(zip(keys, labels, strict=True))
            assert (own != labels).any()
        else:
            drawn = rng.permutation(len(labels))
            for state in range(states[1]):
                own[keys == state] = labels[drawn[keys[drawn] == state]]
        yield own


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("size", "wanted"), [(40, 25), (40, 11), (9, 1), (9, 8), (6, 0), (6, 6)])
def test_rows_of_blocks_are_drawn_without_replacement(size: int, wanted: int) -> None:
    """The number of rows drawn of the first third is hypergeometric, whatever the other blocks are."""
    rng, times, first = np.random.default_rng(0), 1000, size // 3
    sizes, asked = np.array([5, 0, size, 1]), np.array([2, 0, wanted, 1])
    found = np.stack([counting.drawn_in_blocks(sizes, asked, rng) for _ in range(times)])
    assert (np.add.reduceat(found, [0, 5, 5 + size], axis=1, dtype=int) == [2, wanted, 1]).all()
    seen = np.bincount(found[:, 5 : 5 + first].sum(axis=1), minlength=first + 1)
    ways = [math.comb(first, k) * math.comb(size - first, wanted - k) for k in range(min(first, wanted) + 1)]
    expected = times * np.array([*ways, *[0] * (first + 1 - len(ways))]) / math.comb(size, wanted)
    assert (seen[expected == 0] == 0).all()
    chi = ((seen - expected) ** 2 / np.where(expected, expected, 1)).sum()
    assert chi < 12 + 3 * first


def literal_is_settled(as_good: int, drawn: int, level: Fraction) -> bool:
    error = min(Fraction(1, 1000), level / 10)
    p = level - error
    return (drawn + 1) * math.comb(drawn, as_good) * p**as_good * (1 - p) ** (drawn - as_good) <= error


def test_the_rule_that_ends_permutations_is_wrong_as_seldom_as_it_says() -> None:
    for level in (Fraction(1, 20), Fraction(1, 40), Fraction(1, 2000)):
        for as_good, drawn in ((0, 40), (1, 500), (0, 544), (0, 543), (8, 16), (40, 1000)):
            assert is_settled(as_good, drawn, level) == literal_is_settled(as_good, drawn, level)
    level = Fraction(1, 20)
    p = level - Fraction(1, 1000)  # where it should end least often: exactly, for all paths up to 400 permutations
    alive, ended = {0: Fraction(1)}, Fraction(0)
    for drawn in range(1, 401):
        step: dict[int, Fraction] = {}
        for good, mass in alive.items():
            for more, chance in ((0, 1 - p), (1, p)):
                step[good + more] = step.get(good + more, Fraction(0)) + mass * chance
        alive = {}
        for good, mass in step.items():
            if is_settled(good, drawn, level):
                ended += mass
            else:
                alive[good] = Fraction(float(mass)) if drawn % 20 == 0 else mass  # shorter numbers
    assert 0 < ended < Fraction(1, 1000)


@pytest.mark.thorough(2)
def test_verdicts_do_not_depend_on_the_seed_but_where_they_say_so() -> None:
    verdicts: list[set[tuple[str, ...]]] = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 2, size=(150, 3))
        s = fs.Sample(np.column_stack([x, x[:, 0] ^ (rng.random(150) < 0.4)]).tolist())
        runs = [supported_features(s, rng=other) for other in range(5)]
        if not any(run.unsettled for run in runs):
            verdicts.append({run.features for run in runs})
    assert len(verdicts) >= 6
    assert all(len(found) == 1 for found in verdicts)


def test_few_permutations_are_fixed_and_open_where_they_cannot_tell() -> None:
    s = fs.Sample([(i % 2, i % 2) for i in range(80)])
    found = supported_features(s, rng=0, permutations=39, criterion="gini")
    (step,) = found.steps
    assert (step.permutations, step.as_good, step.accepted, step.settled) == (39, 0, True, False)
    assert "p = 1/40, but another seed may decide otherwise" in str(found)
    (step,) = supported_features(s, rng=0, criterion="gini").steps
    assert (step.accepted, step.settled) == (True, True)
    assert 0 < step.permutations < 400


def test_a_bound_decides_without_permutations_and_is_told() -> None:
    s = fs.Sample([(i % 2, i % 3, i % 2) for i in range(80)])
    found = supported_features(s, rng=0)
    assert [(step.permutations, step.accepted, step.settled) for step in found.steps if step.accepted] == [
        (0, True, True)
    ]
    assert found.steps[0].p == found.steps[0].bound < Fraction(1, 10**15)
    assert "+ X1: leave-one-out logarithmic loss ≈0.0246926, p ≤ 1E-19" in str(found)
    (fixed,) = (step for step in supported_features(s, rng=0, permutations=39).steps if step.accepted)
    assert (fixed.permutations, fixed.settled, fixed.p) == (39, True, found.steps[0].p)


def numbers(m: int) -> fs.Sample:
    """Return a sample whose target is a number, of which two of three columns tell something."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, (m, 3))
    rows = np.column_stack([x, 7 * x[:, 0] + 4 * x[:, 1] + rng.integers(0, 20, m)]).tolist()
    return fs.Sample(rows, features=["a", "b", "noise"], target="y", keep_continuous=True)


def test_a_bound_decides_for_numbers() -> None:
    *steps, last = supported_features(numbers(400), rng=0, criterion="squared_error").steps
    assert [(*step.added, step.permutations, step.bound < Fraction(1, 10**9)) for step in steps] == [
        ("a", 0, True),
        ("b", 0, True),
    ]
    assert not last.accepted


def test_sums_of_numbers_decide_as_their_counts_do() -> None:
    """Permuted tables of more than three numbers have the sums of these, in place of the count of each."""
    s = numbers(60)
    judge, rows = left_out(s, "squared_error"), distinct_rows(s)
    states = rows.extended((np.zeros(len(rows), dtype=np.int64), 1), [0])
    counts, sums = (counting.Shuffles(rows, states, states, [[1], [1, 2]], own) for own in (None, judge.weights))
    rngs = np.random.default_rng(0).spawn(40)
    for tables, reduced in zip(counts.tables(rngs), sums.tables(np.random.default_rng(0).spawn(40)), strict=True):
        assert reduced.shape[-1] == 3 < tables.shape[-1]
        assert (judge.exact(tables) == reduced).all()  # type: ignore[attr-defined]
        decided = np.array([judge.as_good(tables, own) for own in tables[:5]])
        assert (decided == [judge.as_good(reduced, own) for own in tables[:5]]).all()
        assert 0 < decided.sum() < decided.size


def test_the_bound_of_a_step_is_given_the_features_so_far() -> None:
    """The second step has the bound for permutations inside the states of the first column."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (400, 2))
    s = fs.Sample(np.column_stack([x, np.where(rng.random(400) < 0.1, 0, x.sum(axis=1))]).tolist())
    first, second, *_ = supported_features(s, rng=0).steps
    before, found = s.cells(set(first.features)), s.cells({"X1", "X2"})
    inside = np.repeat([0, 1], 2)  # the states of the first column, in the order of those of both
    if first.features != ("X1",):
        inside = np.tile([0, 1], 2)
    judge = left_out(s, "logarithmic")
    assert second.bound == judge.bound(before, [(found.sum(axis=1), inside)], found) < Fraction(1, 10**9)


def test_there_is_no_bound_for_permutations_inside_groups() -> None:
    rows = [(i // 4, i % 2, (i + (i % 7 == 0)) % 2) for i in range(80)]
    s = fs.Sample(rows, features=["id", "x"], target="y", keep_continuous=True)
    (step,) = supported_features(s, rng=0, groups="id").steps
    assert step.bound == 1
    assert step.permutations > 0
    assert supported_features(s.keep(["x"]), rng=0).steps[0].bound < 1


def test_a_copy_shows_nothing_beside_itself() -> None:
    """Beside a copy of itself, a column shows nothing: no bound, and no step."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 300)
    s = fs.Sample(np.column_stack([x, x, x ^ (rng.random(300) < 0.1)]).tolist())
    assert [step.bound < 1 for step in supported_features(s, rng=0).steps] == [True, False]
