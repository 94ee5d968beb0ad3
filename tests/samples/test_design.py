"""The design of a sample: groups of rows, columns that are joined or kept, and time; against literal definitions."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples import relevance
from fstheory.samples.design import designed
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


def pearson_of_groups(columns: Sequence[str], classes: Sequence[int]) -> Fraction:
    """Return the sum of (n - e)**2 / e, where each group has the weight 1, spread over the values of its rows."""
    shares = [{x: Fraction(k, len(values)) for x, k in Counter(values).items()} for values in columns]
    found = Fraction(0)
    for x, y in itertools.product({*"".join(columns)}, {*classes}):
        own = [share.get(x, Fraction(0)) for share in shares]
        e = sum(own) * classes.count(y) / len(classes)
        found += (sum(share for share, z in zip(own, classes, strict=True) if z == y) - e) ** 2 / e
    return found


def labelings(classes: Sequence[int]) -> list[tuple[int, ...]]:
    return sorted({*itertools.permutations(classes)})


@pytest.mark.parametrize(("column", "values"), [("habit", HABITS), ("sex", SEXES)])
def test_whole_groups_are_permuted(column: str, values: Sequence[str]) -> None:
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
    drawn = relevance._Statistics(units, units.strata(None), [test], np.random.default_rng(0))
    assert abs(float((drawn.permuted(4000) >= drawn.observed).mean()) - p) < 0.03


def accepted(samples: Iterator[fs.Sample] | list[fs.Sample], level: Fraction, **design: Any) -> Fraction:
    """Return the share of samples in which some column is called relevant."""
    found = [bool(relevant_features(s, rng=0, familywise=level, **design).features) for s in samples]
    return Fraction(sum(found), len(found))


def test_the_test_of_groups_is_valid_for_all_permutations() -> None:
    """Of all labelings of the persons, a share of at most the level has a relevant column. Rows alone have more."""
    level = Fraction(1, 4)
    every = [persons(classes) for classes in labelings(CLASSES)]
    assert accepted(every, level, groups="id") <= level
    assert accepted([s.keep(["habit", "sex"]) for s in every[::3]], level) > level


WITHIN = [("aabb", (0, 0, 1, 1)), ("ab", (0, 1)), ("aab", (1, 0, 1))]


def visits() -> Iterator[fs.Sample]:
    """Yield all permutations of the classes of each person's rows. Classes vary within persons."""
    every = [sorted({*itertools.permutations(ys)}) for _, ys in WITHIN]
    for chosen in itertools.product(*every):
        each = enumerate(zip(WITHIN, chosen, strict=True))
        yield of_rows(
            [(i, h, y) for i, ((habits, _), ys) in each for h, y in zip(habits, ys, strict=True)], "id", "habit"
        )


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
    drawn = Counter(statistics.permuted(4000).round(9).tolist())
    exact = Counter(np.round((np.array(sums) - tests[0].mean) / math.sqrt(tests[0].variance), 9).tolist())
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
    assert [column.feature for column in found.columns] == ["new", "dose"]
    assert found.design.groups == "ward"
    assert "Whole groups are permuted" in found.assumed


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


@pytest.mark.parametrize(
    ("design", "fault"),
    [
        ({"groups": "person"}, "column 'person' does not exist"),
        ({"always": "sex"}, "always must be an iterable of names"),
        ({"groups": "id", "always": ["id"]}, "the design must be of columns with one role each, not 'id'"),
        ({"together": [["sex"]]}, "together must be lists of two or more columns"),
        ({"group": "id"}, "the argument group must be one of groups, always, together, time, not 'id'"),
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


@pytest.mark.thorough
@pytest.mark.parametrize("varies", [False, True])
def test_noise_in_groups_is_called_relevant_at_most_at_the_level(varies: bool) -> None:
    """Of 200 tables at a level of 1/20 more than 18 with a relevant column have a probability below 1/100."""
    samples = [of_rows(people(seed, varies=varies), "person", "habit", "mood") for seed in range(200)]
    assert accepted(samples, Fraction(1, 20), groups="person") <= Fraction(18, 200)
    assert accepted([s.keep(["habit", "mood"]) for s in samples[:40]], Fraction(1, 20)) > Fraction(1, 2)
