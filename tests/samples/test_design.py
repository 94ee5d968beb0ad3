"""The design of a sample: groups of rows, columns that are joined or kept, and time; against literal definitions."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples import relevance
from fstheory.samples.design import Designed, designed
from fstheory.samples.estimates import ProcedureRisk, procedure_risk
from fstheory.samples.fitting import supported_features
from fstheory.samples.relevance import relevant_features

Rows = list[tuple[Any, ...]]


def of_rows(rows: Rows, *names: str) -> fs.Sample:
    return fs.Sample(rows, features=names, target="y", keep_continuous=True)


# Seven persons of different numbers of rows. `habit` varies within persons, `sex` is constant in each.
HABITS = ["aab", "b", "ab", "bbbb", "a", "aaab", "ba"]
SEXES = "fmfmffm"
CLASSES = [1, 0, 1, 0, 1, 1, 0]


def persons(classes: Sequence[int]) -> fs.Sample:
    """Return the rows of all persons, whose class is constant in each."""
    each = zip(HABITS, SEXES, classes, strict=True)
    return of_rows([(i, h, sex, y) for i, (habits, sex, y) in enumerate(each) for h in habits], "id", "habit", "sex")


def pearson_of_groups(columns: Sequence[str], classes: Sequence[int]) -> Any:
    """Return the sum of (n - e)**2 / e, where each group has the weight 1, spread over the values of its rows."""
    shares = [{x: Fraction(k, len(values)) for x, k in Counter(values).items()} for values in columns]
    found: Any = Fraction(0)
    for x, y in itertools.product({*"".join(columns)}, {*classes}):
        own = [share.get(x, Fraction(0)) for share in shares]
        e = sum(own) * classes.count(y) / len(classes)
        found += (sum(share for share, z in zip(own, classes, strict=True) if z == y) - e) ** 2 / e
    return found


def trend_of_groups(scores: Sequence[Fraction], classes: Sequence[int]) -> float:
    """Return the statistic for a trend of groups with these mean scores, up to a factor."""
    found = Fraction(0)
    for y in {*classes}:
        total = sum(score for score, z in zip(scores, classes, strict=True) if z == y)
        found += (total - sum(scores) * Fraction(classes.count(y), len(classes))) ** 2 / classes.count(y)
    return float(found)


def labelings(classes: Sequence[int]) -> list[tuple[int, ...]]:
    return sorted({*itertools.permutations(classes)})


@pytest.mark.parametrize(("column", "values"), [("habit", HABITS), ("sex", SEXES)])
def test_whole_groups_are_permuted(column: str, values: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Moments and p-values are those of all permutations of the groups."""
    statistics = {found: pearson_of_groups(values, found) for found in labelings(CLASSES)}
    data = designed(persons(CLASSES).keep(["id", column]), {"groups": "id"})
    (units,) = relevance._units(data)
    (test,) = units.tests(units.strata(None), [0])
    scale = float(test.table.sum()) / len(values)
    values_of_all = [*map(float, statistics.values())]
    mean, deviation = float(np.mean(values_of_all)), float(np.std(values_of_all))
    assert math.isclose(test.mean, mean * scale)
    assert math.isclose(test.variance, (deviation * scale) ** 2)
    assert math.isclose(test.statistic(), (float(statistics[tuple(CLASSES)]) - mean) / deviation)
    p = Fraction(sum(found >= statistics[tuple(CLASSES)] for found in statistics.values()), len(statistics))
    monkeypatch.setattr(relevance, "_BY_BITS", 0)  # as if the groups were many: bits cannot hold shares of states
    drawn = relevance._Statistics(units, units.strata(None), [test], np.random.default_rng(0))
    assert abs(float((np.concatenate([*drawn.permuted(4000)]) >= drawn.observed).mean()) - p) < 0.03


@pytest.mark.parametrize("seed", range(12))
def test_moments_of_shares_are_those_of_all_permutations(seed: int) -> None:
    """Where all permutations have the same statistic, the variance is 0, and not nearly so."""
    rng = np.random.default_rng(seed)
    number = 2 + seed % 4
    values = ["".join(rng.choice(list("0123"), rng.integers(1, 4))) for _ in range(number)]
    values = values if seed else ["001", "112", "220"]  # each two of them have the same product
    classes = [0, 1, *rng.integers(0, 2, len(values) - 2).tolist()]
    orders = [*itertools.permutations(classes)]
    every = [float(pearson_of_groups(values, found)) for found in orders]
    rows = [(i, x, y) for i, (xs, y) in enumerate(zip(values, classes, strict=True)) for x in xs]
    (units,) = relevance._units(designed(of_rows(rows, "id", "x"), {"groups": "id"}))
    (test,) = units.tests(units.strata(None), [0])
    scale = float(test.table.sum()) / len(values)
    assert math.isclose(test.mean, scale * float(np.mean(every)), abs_tol=scale / 10**9)
    assert math.isclose(test.variance, scale**2 * float(np.var(every)), abs_tol=scale**2 / 10**9)
    assert (test.variance == 0) == (max(every) - min(every) < 1 / 10**9)
    trends = [trend_of_groups([Fraction(sum(map(int, xs)), len(xs)) for xs in values], found) for found in orders]
    *_, mean, variance = test.trend()
    assert math.isclose(variance, (mean / float(np.mean(trends) or 1)) ** 2 * float(np.var(trends)), abs_tol=1e-6)


def accepted(samples: Iterator[fs.Sample] | list[fs.Sample], level: Fraction, **design: Any) -> Fraction:
    """Return the share of samples in which some column is called relevant."""
    found = [bool(relevant_features(s, rng=0, familywise=level, **design).features) for s in samples]
    return Fraction(sum(found), len(found))


@pytest.mark.thorough
def test_the_test_of_groups_is_valid_for_all_permutations() -> None:
    """Of all labelings of the persons, a share of at most the level has a relevant column. Rows alone have more."""
    level = Fraction(1, 4)
    every = [persons(classes) for classes in labelings(CLASSES)]
    assert accepted(every, level, groups="id") <= level
    assert accepted([s.keep(["habit", "sex"]) for s in every[::3]], level) > level


WITHIN = [("aabb", (0, 0, 1, 1)), ("ab", (0, 1)), ("aab", (1, 0, 1))]


def test_a_column_with_equal_shares_in_all_groups_is_named_as_such() -> None:
    rows = [(i, h, i % 2) for i in range(6) for h in "aab"]
    (column,) = relevant_features(of_rows(rows, "id", "habit"), rng=0, groups="id").columns
    assert column.not_judged == "each group has the same shares of its values"


def visits() -> Iterator[fs.Sample]:
    """Yield all permutations of the classes of each person's rows. Classes vary within persons."""
    every = [sorted({*itertools.permutations(ys)}) for _, ys in WITHIN]
    for chosen in itertools.product(*every):
        each = enumerate(zip(WITHIN, chosen, strict=True))
        yield of_rows(
            [(i, h, y) for i, ((habits, _), ys) in each for h, y in zip(habits, ys, strict=True)], "id", "habit"
        )


@pytest.mark.thorough
def test_classes_that_vary_are_permuted_inside_the_groups() -> None:
    level, every = Fraction(1, 4), [*visits()]
    assert accepted(every, level, groups="id") <= level
    found = relevant_features(every[0], rng=0, groups="id")
    assert "classes are permuted inside the groups" in found.assumed
    (units,) = relevance._units(designed(every[0], {"groups": "id"}))
    tests = [
        next(part.tests(part.strata(None), [0]))
        for s in every
        for part in relevance._units(designed(s, {"groups": "id"}))
    ]
    sums = [float(((test.table - test.expected) ** 2 / test.expected).sum()) for test in tests]
    assert math.isclose(tests[0].mean, float(np.mean(sums)))
    assert all(np.allclose(test.expected, np.mean([other.table for other in tests], axis=0)) for test in tests[:3])
    statistics = relevance._Statistics(units, units.strata(None), tests[:1], np.random.default_rng(0))
    drawn = Counter(np.concatenate([*statistics.permuted(4000)]).ravel().round(9).tolist())
    expected, weights, mean, variance = tests[0].trend()
    of_class = [np.arange(2) @ test.table.sum(axis=1)[:, 1] for test in tests]
    trends = (np.array(of_class) - expected[1]) ** 2 * weights.sum()
    assert np.allclose((mean, variance, expected[1]), (np.mean(trends), np.var(trends), np.mean(of_class)))
    by_trend = relevance._normal(trends, np.array(mean), np.array(variance))
    by_pearson = relevance._normal(np.array(sums), np.array(tests[0].mean), np.array(tests[0].variance))
    exact = Counter(np.maximum(by_trend, by_pearson).round(9).tolist())
    for value, times in exact.items():
        near = sum(n for other, n in drawn.items() if abs(other - value) < 0.01)
        assert abs(near / 4000 - times / len(every)) < 0.04


def test_a_constant_column_is_judged_by_groups_where_classes_vary() -> None:
    """The wards have a column of their own, which decides how many of their patients are ill."""
    rng = np.random.default_rng(2)
    rows = [
        (ward, ward % 2, int(x), int(rng.random() < 0.3 + 0.3 * (ward % 2) + 0.2 * x))
        for ward in range(30) for x in rng.integers(0, 2, 30)
    ]  # fmt: skip
    found = relevant_features(of_rows(rows, "ward", "new", "dose"), rng=0, groups="ward")
    assert found.features == ("new", "dose")
    assert supported_features(of_rows(rows, "ward", "new", "dose"), rng=0, groups="ward").features == ("dose",)
    assert [column.feature for column in found.columns] == ["new", "dose"]
    assert found.design.groups == "ward"
    for column in found.columns:  # no permutation is as good, and two families of tests share the level
        assert column.p == Fraction(2, column.permutations + 1)
    without = of_rows([(ward, new, y) for ward, new, _, y in rows], "ward", "new")
    with pytest.warns(fs.errors.ArbitraryChoiceWarning, match="each other column is constant in each group"):
        assert not supported_features(without, rng=0, groups="ward").steps
    assert not supported_features(without, rng=0, groups="ward", always=["new"]).steps
    assert "Whole groups are permuted" in found.assumed
    assert "For any other column, classes are permuted inside the groups" in found.assumed


def test_a_column_constant_in_groups_is_judged_as_in_one_row_a_group() -> None:
    rng = np.random.default_rng(1)
    groups = [(int(a), int(b), int(a ^ (rng.random() < 0.1))) for a, b in rng.integers(0, 2, (40, 2))]
    many = [(i, *row) for i, row in enumerate(groups) for _ in range(1 + i % 4)]
    whole = relevant_features(of_rows(many, "id", "a", "b"), rng=0, groups="id")
    single = relevant_features(of_rows([(i, *row) for i, row in enumerate(groups)], "id", "a", "b"), rng=0, groups="id")
    assert whole.columns == single.columns
    plain = relevant_features(of_rows(groups, "a", "b"), rng=0)
    assert [(c.alone, c.strength) for c in whole.columns] == [(c.alone, c.strength) for c in plain.columns]


def test_columns_together_are_their_product() -> None:
    rng = np.random.default_rng(0)
    rows = [(int(a), int(b), int(c), int(a ^ b)) for a, b, c in rng.integers(0, 2, (60, 3))]
    product = of_rows([((a, b), c, y) for a, b, c, y in rows], "a & b", "c")
    joined = relevant_features(of_rows(rows, "a", "b", "c"), rng=0, together=[["a", "b"]])
    found = relevant_features(product, rng=0)
    assert joined.sample.features == product.features
    assert [(c.feature, c.alone, c.strength) for c in joined.columns] == [
        (c.feature, c.alone, c.strength) for c in found.columns
    ]
    assert joined.features == ("a & b",)


def test_columns_are_judged_given_those_that_are_kept() -> None:
    """Beside b, a tells everything, and its copy c of b tells nothing."""
    rng = np.random.default_rng(0)
    rows = [(int(a), int(b), int(b), int(a ^ b)) for a, b in rng.integers(0, 2, (60, 2))]
    found = relevant_features(of_rows(rows, "a", "b", "c"), rng=0, always=["b"])
    assert [column.alone for column in found.columns] == [True, False, False]
    assert [column.not_judged for column in found.columns] == [
        "", "it is kept always, and the other columns are judged given it", "the classes leave nothing to permute",
    ]  # fmt: skip


def test_time_is_no_feature() -> None:
    rows = [(t, t % 3, t % 2) for t in range(60)]
    assert [c.feature for c in relevant_features(of_rows(rows, "day", "x"), rng=0, time="day").columns] == ["x"]


def chosen_from(data: Designed, folds: int) -> list[tuple[list[Any], list[Any]]]:
    """Return the values of the last column of `whole` in the training rows of each fold, and in all of its rows."""
    given = list[fs.Sample]()

    def choose(training: fs.Sample) -> tuple[str, ...]:
        given.append(training)
        return ()

    how: Any = {"folds": folds, "tested_folds": folds, "rng": np.random.default_rng(0)}
    assert procedure_risk(data, choose, **how) is not None
    name = data.whole.features[-1]
    return [(sorted({*part.to_frame()[name]}), [*part.to_frame()["count"]]) for part in given]


def test_whole_groups_are_left_out() -> None:
    """Each training sample has all rows of a group or none."""
    rows = [(i, k % 2, (i + k) % 2) for i in range(10) for k in range(6)]
    found = chosen_from(designed(of_rows(rows, "id", "x"), {"groups": "id"}), 5)
    assert [len(groups) for groups, _ in found] == [8] * 5
    assert all(sum(counts) == 6 * len(groups) for groups, counts in found)
    how: Any = {"folds": 5, "tested_folds": 5, "rng": np.random.default_rng(0)}
    risk = procedure_risk(designed(of_rows(rows, "id", "x"), {"groups": "id"}), lambda _: (), **how)
    assert risk is not None
    assert (risk.tested, risk.independent) == (60, 10)
    of_groups = ProcedureRisk(10, Fraction(5), Fraction(5), (), (), 10)
    assert risk.interval(Fraction(30)) == of_groups.interval(Fraction(5))


@pytest.mark.parametrize(
    "write",
    [lambda t: t, lambda t: f"{t}", lambda t: f"2026-{1 + t // 28:02d}-{1 + t % 28:02d}"],
    ids=["number", "text", "date"],
)
def test_folds_go_forward_in_time(write: Callable[[int], Any]) -> None:
    """Each period is predicted from the earlier ones. Numbers in texts are in the order of numbers."""
    rows = [(t % 3, write(t), t % 2) for t in range(60)]
    data = designed(of_rows(rows, "x", "day"), {"time": "day"})
    expected = [sorted(map(write, range(end))) for end in (50, 40, 30, 20, 10)]
    assert [days for days, _ in chosen_from(data, 5)] == expected
    shuffled = designed(of_rows(rows[::-1], "x", "day"), {"time": "day"})
    assert chosen_from(shuffled, 5) == chosen_from(data, 5)


def test_groups_that_are_tested_train_nothing() -> None:
    rows = [(t % 2, t // 8, t, t * t % 5 % 2) for t in range(60)]
    data = designed(of_rows(rows, "x", "id", "day"), {"time": "day", "groups": "id"})
    assert [days for days, _ in chosen_from(data, 2)] == [[*range(40)], [*range(16)]]


def test_time_that_cannot_be_ordered_is_refused() -> None:
    s = of_rows([("3 May", 0, 0), ("2 June", 1, 1)], "day", "x")
    with pytest.raises(fs.errors.FSTheoryError, match="column 'day' must be of numbers, or of dates such as 2026"):
        designed(s, {"time": "day"}).ranks()


def test_a_group_counts_as_one_row_in_the_search() -> None:
    """Its value is the one that is most frequent compared with all groups, and its time is the last."""
    s = persons(CLASSES)
    found = designed(s, {"groups": "id"}).by_groups()
    assert found.sample.features == ("habit", "sex")
    assert found.sample.m == len(CLASSES)
    # The mean shares of a and b are .49 and .51. So the group "ab" has more a than others, as "aab" has.
    values = ["a", "b", "a", "b", "a", "a", "a"]
    assert found.sample == of_rows([*zip(values, SEXES, CLASSES, strict=True)], "habit", "sex")
    assert found.sample.notes == ("each group of rows with the same id counts as one row: 7 groups",)
    rare = of_rows([(i, x, 0) for i, xs in enumerate(["nnny", "nnnn"]) for x in xs], "id", "x")
    assert [*designed(rare, {"groups": "id"}).by_groups().sample.to_frame()["x"]] == ["n", "y"]
    days = of_rows([(i, 10 * i + k, 0) for i in range(3) for k in range(i + 1)], "id", "day")
    latest = designed(days, {"groups": "id", "time": "day"}).by_groups().whole.to_frame()["day"]
    assert [*latest] == [0, 11, 22]


@pytest.mark.thorough
def test_the_search_is_valid_for_all_permutations() -> None:
    level = Fraction(1, 4)
    every = [persons(classes) for classes in labelings(CLASSES)]
    found = [supported_features(s, rng=0, familywise=level, groups="id").features for s in every]
    assert Fraction(sum(map(bool, found)), len(found)) <= level
    inside = [supported_features(s, rng=0, familywise=level, groups="id").features for s in visits()]
    assert Fraction(sum(map(bool, inside)), len(inside)) <= level


def test_the_search_begins_with_the_columns_that_are_kept() -> None:
    rng = np.random.default_rng(0)
    rows = [(int(a), int(b), int(a ^ b)) for a, b in rng.integers(0, 2, (60, 2))]
    found = supported_features(of_rows(rows, "a", "b"), rng=0, always=["b"])
    assert found.features == ("b", "a")
    assert [step.added for step in found.steps] == [{"a"}]
    joined = supported_features(of_rows(rows, "a", "b"), rng=0, together=[["a", "b"]])
    assert joined.features == ("a & b",)


@pytest.mark.parametrize(
    ("design", "fault"),
    [
        ({"groups": "person"}, "column 'person' does not exist"),
        ({"always": "sex"}, "always must be an iterable of names"),
        ({"groups": "id", "always": ["id"]}, "the design must be of columns with one role each, not 'id'"),
        ({"together": [["sex"]]}, "together must be lists of two or more columns"),
        ({"group": "id"}, "argument 'group' does not exist; did you mean 'groups'"),
    ],
)
def test_a_design_that_is_none_is_refused(design: Any, fault: str) -> None:
    with pytest.raises(fs.errors.FSTheoryError, match=fault):
        relevant_features(persons(CLASSES), rng=0, **design)


def test_rows_without_a_group_are_refused() -> None:
    s = of_rows([("p", 0, 0), ("missing", 1, 1)], "id", "x")
    with pytest.raises(fs.errors.FSTheoryError, match="column 'id' must be without missing values"):
        relevant_features(s, rng=0, groups="id")


def people(seed: int, *, varies: bool) -> Rows:
    """Return 40 persons with 10 rows each: a habit, a mood that varies a bit, and a class, all by chance."""
    rng, rows = np.random.default_rng(seed), list[tuple[Any, ...]]()
    for person in range(40):
        habit, often, sick = rng.integers(0, 3), rng.random(), rng.random()
        for _ in range(int(rng.integers(1, 20))):
            mood = rng.random() < often
            y = rng.random() < sick if varies else sick < 0.5
            rows.append((person, int(habit), int(mood), int(y)))
    return rows


@pytest.mark.thorough(2)
@pytest.mark.parametrize("varies", [False, True])
def test_noise_in_groups_is_called_relevant_at_most_at_the_level(varies: bool) -> None:
    """Of 100 tables at a level of 1/20 more than 11 with a relevant column have a probability below 1/200."""
    samples = [of_rows(people(seed, varies=varies), "person", "habit", "mood") for seed in range(100)]
    assert accepted(samples, Fraction(1, 20), groups="person") <= Fraction(11, 100)
    assert accepted([s.keep(["habit", "mood"]) for s in samples[:20]], Fraction(1, 20)) > Fraction(1, 4)
