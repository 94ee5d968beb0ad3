"""The relevant features of a sample, against all permutations, known truths, and rows without any truth."""

import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pytest

import fstheory as fs
from fstheory.distributions.counting import Rows
from fstheory.samples import relevance
from fstheory.samples.design import designed
from fstheory.samples.fitting import is_settled
from fstheory.samples.relevance import relevant_features
from fstheory.sklearn import RelevantFeaturesSelector

Codes = npt.NDArray[np.int64]


def random_rows(seed: int) -> tuple[Codes, Codes, Codes]:
    """Return the codes of a column, of a given column and of the class in a few rows."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 8))
    x, given, y = (rng.integers(0, states, m) for states in (3, 2, 3))
    return x, given, y


def table_of(x: Codes, given: Codes, y: Codes) -> Codes:
    table = np.zeros((3, 2, 3), dtype=np.int64)
    np.add.at(table, (x, given, y), 1)
    return table


def permuted(given: Codes, y: Codes) -> Iterator[Codes]:
    """Yield the classes after each permutation inside the states of the given column."""
    first, second = (np.flatnonzero(given == state) for state in (0, 1))
    for one, other in itertools.product(itertools.permutations(first), itertools.permutations(second)):
        moved = y.copy()
        moved[first], moved[second] = y[list(one)], y[list(other)]
        yield moved


def pearson(table: Codes) -> float:
    """Return the sum of (n - e)**2 / e over all cells, by its definition."""
    found = 0.0
    for part in table.swapaxes(0, 1):
        for x, y in itertools.product(range(3), range(3)):
            e = part[x].sum() * part[:, y].sum() / max(part.sum(), 1)
            found += (part[x, y] - e) ** 2 / e if e else 0
    return found


@pytest.mark.parametrize("seed", range(12))
def test_moments_are_those_of_all_permutations(seed: int) -> None:
    x, given, y = random_rows(seed)
    values = [pearson(table_of(x, given, moved)) for moved in permuted(given, y)]
    mean, variance = relevance._moments(table_of(x, given, y))
    assert math.isclose(mean, float(np.mean(values)), abs_tol=1e-9)
    assert math.isclose(variance, float(np.var(values)), abs_tol=1e-9)


def test_floats_of_32_bits_hold_the_sums_of_all_shares() -> None:
    counts = np.array([[1, size - 1] for size in (2, 3, 5, 7, 11, 13, 17, 19, 23)])
    profiles, shares = relevance._profiles(counts)
    assert shares is not None
    assert 2**23 < shares[profiles].sum() <= 2**24


def statistics_of(x: Codes, given: Codes, y: Codes) -> tuple[Codes, Any]:
    """Return the numbers of the given states, and the test of a column of the numbers 0, 1, 2 inside these states."""
    units = relevance._Units(
        Rows([x, given, y], None, (3, 2, 3)), [0], [None] * 3, np.zeros_like(x), lambda _: np.arange(3)
    )
    strata = units.strata(1)
    return strata, functools.partial(relevance._Statistics, units, strata, [*units.tests(strata, [0])])


def scores_of_classes(x: Codes, y: Codes) -> list[int]:
    return [int(x[y == k].sum()) for k in range(3)]


def trend(x: Codes, given: Codes, y: Codes) -> Fraction:
    """Return the statistic for a trend by its definition: each class has a squared difference over a variance."""
    expected, sizes = [Fraction(0)] * 3, [Fraction(0)] * 3
    for state, k in itertools.product(sorted({*given.tolist()}), range(3)):
        own = x[given == state].tolist()
        mean, count = Fraction(sum(own), len(own)), int((y[given == state] == k).sum())
        expected[k] += count * mean
        sizes[k] += sum((count * (value - mean) ** 2 / max(1, len(own) - 1) for value in own), Fraction(0))
    found = zip(scores_of_classes(x, y), expected, sizes, strict=True)
    return sum(((total - mean) ** 2 / size for total, mean, size in found if size), Fraction(0))


@pytest.mark.parametrize("seed", range(12))
def test_moments_of_a_trend_are_those_of_all_permutations(seed: int) -> None:
    x, given, y = random_rows(seed)
    values = [trend(x, given, moved) for moved in permuted(given, y)]
    mean = sum(values) / len(values)
    variance = sum(value**2 for value in values) / len(values) - mean**2
    _, statistics = statistics_of(x, given, y)
    (test,) = statistics.args[2]
    expected, weights, *moments = test.trend()
    assert np.allclose(moments, [float(mean), float(variance)], rtol=1e-9, atol=1e-9)
    squares = (np.array(scores_of_classes(x, y)) - expected) ** 2
    assert math.isclose(squares @ weights, values[0], abs_tol=1e-9)


@pytest.mark.parametrize("seed", [2, 10, 17])
def test_p_values_are_those_of_all_permutations(seed: int) -> None:
    """The larger statistic counts: Pearson's or the one for a trend, each as a normal one."""
    x, given, y = random_rows(seed)
    _, statistics = statistics_of(x, given, y)
    (test,) = statistics.args[2]
    *_, mean, variance = test.trend()
    values = []
    for moved in permuted(given, y):
        own = relevance._normal(np.array(pearson(table_of(x, given, moved))), test.mean, test.variance)
        of_trend = relevance._normal(np.array(float(trend(x, given, moved))), np.array(mean), np.array(variance))
        values.append(float(max(own, of_trend)))
    exact = np.mean(np.array(values) >= values[0] - 1e-6)
    few = statistics(np.random.default_rng(0))
    assert math.isclose(few.observed[0], values[0], abs_tol=1e-3)
    assert abs(float((np.concatenate([*few.permuted(4000)]) >= few.observed).mean()) - exact) < 0.03


@pytest.mark.parametrize("m", [4, 6, 14, 22])
def test_a_trend_that_all_permutations_have_adds_nothing(m: int) -> None:
    """Two texts of one number have one score. So the one row of class 1 is always equally far from the mean."""
    x = ["1", *["1.0"] * (m // 2 - 1), *["2"] * (m // 2)]
    (units,) = relevance._units(designed(of_columns([1] + [0] * (m - 1), x=x), {}))
    strata = units.strata(None)
    tests = [*units.tests(strata, [0])]
    statistics = relevance._Statistics(units, strata, tests, np.random.default_rng(0))
    drawn = np.concatenate([*statistics.permuted(200)])
    assert np.isfinite(drawn).all()
    assert len({*drawn.ravel().tolist()}) <= 3  # by the state of the row of class 1
    assert float((drawn >= statistics.observed).mean()) < 3 / m


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_is_a_p_value(seed: int) -> None:
    """Of all permutations at most a share b has a bound of at most b."""
    x, given, y = random_rows(seed)
    bounds = sorted(relevance._bound(table_of(x, given, moved)) for moved in permuted(given, y))
    assert all(k <= bound * len(bounds) for k, bound in enumerate(bounds, 1) if k == len(bounds) or bounds[k] > bound)


def test_permutations_keep_the_margins(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, given, y = (rng.integers(0, states, 90) for states in (3, 2, 3))
    strata, of = statistics_of(x, given, y)
    few = of(np.random.default_rng(0))
    drawn = np.concatenate([*few.permuted(20_000)])
    moved = y.copy()
    first = []
    for _ in range(200):
        for state in (0, 1):
            moved[strata == state] = rng.permutation(y[strata == state])
        first.append(statistics_of(x, given, moved)[1](rng).observed[0])
    assert abs(float(drawn.mean() - np.mean(first))) < 0.2
    assert abs(float(drawn.std() - np.std(first))) < 0.2
    monkeypatch.setattr(relevance, "_BY_BITS", 0)  # as if the rows were many
    assert (next(of(np.random.default_rng(0)).permuted(20_000)) == drawn[: relevance._AT_ONCE // 90]).all()
    monkeypatch.setattr(relevance, "ONE_BY_ONE", 0)
    many = np.concatenate([*of(np.random.default_rng(0)).permuted(600)])
    assert abs(float(many.mean() - drawn.mean())) < 0.15
    assert abs(float(many.std() - drawn.std())) < 0.15


def of_columns(y: object, **columns: object) -> fs.Sample:
    rows = list(zip(*columns.values(), y, strict=True))  # type: ignore[call-overload]
    return fs.Sample(rows, features=[*columns], target="y", keep_continuous=True)


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        (("10", "9", "100"), [1, 0, 2]),
        ((0.5, -1, 7), [1, 0, 2]),
        ((10**400, 0, -(10**400)), [2, 1, 0]),  # beyond all floats
        (("over 3", "at most 2", "over 2 to 3"), [0, 0, 0]),  # not in their order
        (("at most 2", "over 2 to 3", "over 3"), [0, 1, 2]),
        (("at most 2026-01-05", "over 2026-01-05"), [0, 1]),
        (("yes", "no", "missing"), [0, 3, 1]),  # the mean score of two rows with yes and one with no is 1/3
        (("red", "green", "blue"), [0, 0, 0]),
        (("red", "missing"), [0, 0]),
        (("at most 2", "1 to 2", "blue"), [0, 0, 0]),
    ],
)
def test_states_with_an_order_have_scores(labels: tuple[Any, ...], scores: list[int]) -> None:
    column = [*labels, labels[0], *labels]
    y = [i % 2 for i in range(len(column))]
    states = {"x": labels}
    s = fs.Sample([*zip(column, y, strict=True)], features=["x"], target="y", states=states, keep_continuous=True)
    if "missing" in labels and len(labels) > 2:
        s = fs.Sample(
            [*zip([*labels, labels[0]], [0, 1, 0, 1], strict=True)], features=["x"], target="y", states=states
        )
    (units,) = relevance._units(designed(s, {}))
    assert units.scores(0).tolist() == scores


def drifting(name: Any) -> fs.Sample:
    """Return rows whose class rises with `a` and falls with `price`, which hides `a` alone. `name` names states."""
    rng = np.random.default_rng(2)
    price = rng.integers(0, 4, 260)
    a = np.clip(price + rng.integers(-1, 2, 260), 0, 3)
    y = (1.2 * a - 1.5 * price + rng.normal(0, 2.5, 260) > -0.5).astype(int)
    return of_columns(y.tolist(), price=[name(x) for x in price.tolist()], a=[name(x) for x in a.tolist()])


def test_a_trend_is_found_where_states_have_an_order() -> None:
    """Any of twelve differences between the states is too many to see it. The order of words is none."""
    numbers, words = (relevant_features(drifting(name), rng=0) for name in (int, "adbc".__getitem__))
    assert [numbers.columns[1].beside, words.columns[1].beside] == [("price",), ()]


def test_known_truths() -> None:
    rng = np.random.default_rng(3)
    a, b, noise = rng.integers(0, 2, (3, 120))
    y = (a ^ b).tolist()
    s = of_columns(y, a=a.tolist(), b=b.tolist(), noise=noise.tolist(), key=range(120), constant=[0] * 120)
    found = relevant_features(s, rng=0)
    assert found.features == ("a", "b")
    assert [column.alone for column in found.columns] == [False] * 5
    assert found.columns[0].beside == ("b",)
    assert [bool(column.not_judged) for column in found.columns] == [False, False, False, True, True]
    assert "a key, or numbers to be cut" in str(found)
    found = relevant_features(of_columns([1] * 4, a=[0, 0, 1, 1]), rng=0)
    assert found.columns[0].not_judged == "the classes leave nothing to permute"


def test_p_values_are_adjusted() -> None:
    """A verdict follows from the p-value and the familywise rate, up to the error of a settled test."""
    s = fs.sample(fs.gallery.titanic(), 60, rng=5)
    for column in relevant_features(s, rng=0).columns:
        assert column.p is not None
        assert not column.settled or column.alone == (column.p * 20 <= 1)


class _Known(NamedTuple):
    """A test whose bound is known."""

    axis: int
    p: Fraction

    def bound(self) -> Fraction:
        return self.p


def discoveries(level: Fraction, p: list[Fraction], start: Callable[[], Any], most: int) -> list[Any]:
    """Return the verdicts on columns with these bounds."""
    units = relevance._Units(
        Rows([np.arange(4), np.arange(4)], None, (4, 4)), [0], [None] * 2, np.zeros(4, dtype=int), np.arange
    )
    tests = relevance._Tests(units, np.random.default_rng(0), level, 99, 1, "fdr")
    known: Any = list(map(_Known, range(len(p)), p))
    return [verdict for _, verdict in sorted(tests.discoveries(start, known, level, most).items())]


@pytest.mark.parametrize("seed", range(8))
def test_false_discoveries_are_controlled_as_printed(seed: int) -> None:
    """Benjamini and Yekutieli (2001), Theorem 1.3, by its definition, on p-values near its thresholds."""
    rng, level = np.random.default_rng(seed), Fraction(1, 10)
    n = int(rng.integers(1, 9))
    step = level / n / sum(Fraction(1, k) for k in range(1, n + 1))
    p = [step * int(k) + Fraction(int(more), 10**9) for k, more in rng.integers(0, [n + 2, 2], (n, 2))]
    most = max((k for k in range(1, n + 1) if sorted(p)[k - 1] <= k * step), default=0)
    found = discoveries(level, p, lambda: pytest.fail("nothing is drawn"), 0)
    assert [verdict.accepted for verdict in found] == [value <= most * step for value in p]
    assert all(verdict.accepted == (verdict.p <= level) for verdict in found if verdict.p is not None)
    assert {verdict.settled for verdict in found} == {True}


@pytest.mark.parametrize(("seed", "near"), [(0, 1), (5, 8), (8, 8), (9, 3)])
def test_a_discovery_is_settled_at_the_threshold_of_those_found(seed: int, near: int) -> None:
    """Half of the columns have bounds at thresholds; the others have permutations only."""
    rng, level, part = np.random.default_rng(seed), Fraction(1, 10), relevance._BY_BOUND
    n = 6
    step = level / n / sum(Fraction(1, k) for k in range(1, n + 1))
    bounds = [part * step * int(k) for k in rng.integers(1, 1 + near, 3)] + [Fraction(1)] * 3
    good = rng.integers(0, 120, n).tolist()

    def permuted(number: int) -> list[Any]:
        return [np.where(np.arange(number)[:, None] < good, 0, -1)]  # as good as those observed: these are 0

    found = discoveries(level, bounds, lambda: SimpleNamespace(observed=np.zeros(n), permuted=permuted), 10**6)
    number = 10 * math.ceil(1 / step / (1 - part))
    p = [min(bound / part, Fraction(k + 1, number + 1) / (1 - part)) for k, bound in zip(good, bounds, strict=True)]
    most = max((k for k in range(1, n + 1) if sorted(p)[k - 1] <= k * step), default=0)
    last = Fraction(1, math.ceil(1 / (step * max(1, most))))
    assert [verdict.permutations for verdict in found] == [number] * n
    assert [verdict.accepted for verdict in found] == [value <= most * step for value in p]
    assert [verdict.settled for verdict in found] == [
        bound / part <= last or is_settled(k, number, last) for k, bound in zip(good, bounds, strict=True)
    ]


@pytest.mark.thorough
def test_the_false_discovery_rate_of_pure_noise_is_that_of_all_permutations() -> None:
    """If no column tells anything, each discovery is false: at most a share of the level of all orders has one."""
    a, b, level = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1], Fraction(1, 3)
    orders = sorted({*itertools.permutations([0, 0, 0, 0, 1, 1, 1, 1])})
    found = [relevant_features(of_columns(y, a=a, b=b), rng=0, familywise=level, control="fdr") for y in orders]
    assert 0 < sum(bool(one.features) for one in found) <= level * len(found)
    assert {column.permutations > 0 for one in found for column in one.columns} == {True}


@pytest.mark.thorough
def test_many_weak_columns_are_found_at_a_false_discovery_rate() -> None:
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 150)
    columns = {f"c{k}": np.where(rng.random(150) < 0.25, y, rng.integers(0, 2, 150)).tolist() for k in range(24)}
    noise = {f"n{k}": rng.integers(0, 2, 150).tolist() for k in range(6)}
    s = of_columns(y.tolist(), **columns, **noise)
    both = [relevant_features(s, rng=0, control=control) for control in get_args(relevance.Control)]
    assert [len(found.features) for found in both] == [7, 11]
    assert not [name for found in both for name in found.features if name in noise]


def test_the_selector_takes_the_false_discovery_rate() -> None:
    fitted = RelevantFeaturesSelector(control="fdr", random_state=0).fit([[0, 1], [1, 1]] * 9, [0, 1] * 9)
    assert fitted.result_.control == "fdr"


def test_a_generator_is_advanced() -> None:
    s, rng = fs.sample(fs.gallery.titanic(), 60, rng=5), np.random.default_rng(0)
    assert relevant_features(s, rng=rng) != relevant_features(s, rng=rng)
    assert relevant_features(s, rng=0) == relevant_features(s, rng=0)


def test_copies_replace_each_other_and_nothing_else_does() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 2, (2, 200))
    y = (a + b).tolist()
    found = relevant_features(of_columns(y, a=a.tolist(), copy=a.tolist(), b=b.tolist()), rng=0)
    assert [column.replaced_by for column in found.columns] == [("copy",), ("a",), ()]
    assert all(column.alone for column in found.columns)
    assert [f"{column}".partition(", replaced by ")[2] for column in found.columns] == ["copy", "a", ""]


@pytest.mark.parametrize(("direct", "most", "replaced"), [(0, 19_999, ("near",)), (0, 1000, ()), (0.15, 1500, ())])
def test_only_permutations_that_decide_show_that_a_column_is_replaced(
    direct: float, most: int, replaced: tuple[str, ...]
) -> None:
    """With 1000 permutations at most a bound decides beside a column. With 1500, the direct effect stays open."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 200)
    near = np.where(rng.random(200) < 0.2, 1 - y, y)
    far = np.where(rng.random(200) < direct, y, np.where(rng.random(200) < 0.2, 1 - near, near))
    found = relevant_features(of_columns(y.tolist(), near=near.tolist(), far=far.tolist()), rng=0, permutations=most)
    assert found.columns[1].alone
    assert found.columns[1].replaced_by == replaced
    assert found.columns[1].settled == (direct == 0)


def test_a_column_with_few_rows_to_a_value_is_judged() -> None:
    """Forty rows, ten makers of four rows each: `supported_features` once left such a column out without a word."""
    maker = [k // 4 for k in range(40)]
    y = [k % 2 for k in maker]
    weak = [value ^ (k % 4 == 3) for k, value in enumerate(y)]
    assert "maker" in relevant_features(of_columns(y, maker=maker, weak=weak), rng=0).features


def test_many_numbers_are_cut_at_their_quartiles() -> None:
    rng = np.random.default_rng(5)
    x, noise = rng.integers(0, 3, (2, 200))
    y = (20 * x + rng.integers(0, 30, 200)).tolist()
    found = relevant_features(of_columns(y, x=x.tolist(), noise=noise.tolist()), rng=0)
    assert found.features == ("x",)


@pytest.mark.parametrize("write", ["{},5", "{}"])
def test_many_classes_that_are_no_exact_numbers_stay_classes(write: str) -> None:
    """Decimal commas and floats are refused as exact numbers, and a sample that has them is answered."""
    labels = [float(i % 15) + 0.5 if write == "{}" else write.format(i % 15) for i in range(90)]
    found = relevant_features(of_columns(labels, x=[i % 3 for i in range(90)]), rng=0)
    assert found.features == ("x",)


def test_many_rows_are_judged_by_the_bound() -> None:
    counts = {(0, 0, 0): 6 * 10**12, (0, 1, 0): 4 * 10**12, (1, 0, 1): 4 * 10**12, (1, 1, 0): 4 * 10**12}
    found = relevant_features(fs.Sample.from_counts(counts), rng=0)
    assert found.features == ("X1", "X2")
    assert [column.permutations for column in found.columns] == [0, 0]
    assert all(column.p is not None and column.p * 10**6 < 1 for column in found.columns)


def noise(shape: str, rng: np.random.Generator) -> fs.Sample:
    """Return a sample whose class depends on no column. The column `id` of the shape "groups" names its groups."""
    m = {"rare": 100, "counts": 300, "groups": 64, "wide": 40}.get(shape, 60)
    columns = rng.integers(0, 15 if shape == "many states" else 2, (12 if shape == "wide" else 4, m))
    y = np.arange(m) < 3 if shape == "rare" else rng.integers(0, 2, m)
    if shape == "ties":
        columns[1], columns[3] = columns[0], 1 - columns[2]
    if shape == "groups":
        y, columns[0], columns[1] = (np.repeat(part[:16], 4) for part in (y, columns[0], columns[1]))
    named = {f"c{i}": column.tolist() for i, column in enumerate(columns)}
    if shape == "counts":
        return fs.Sample.from_counts(Counter(zip(*named.values(), y.tolist(), strict=True)))
    return of_columns(y.tolist(), **named, **({"id": [i // 4 for i in range(m)]} if shape == "groups" else {}))


@pytest.mark.thorough(6)
@pytest.mark.parametrize("shape", ["rare", "many states", "ties", "groups", "counts", "wide"])
def test_noise_is_called_relevant_at_most_at_the_level(shape: str) -> None:
    """Of 60 tables at a level of 1/20 more than 8 with a relevant column have a probability below 1/100."""
    groups = "id" if shape == "groups" else None
    samples = [noise(shape, np.random.default_rng(seed)) for seed in range(60)]
    found = [relevant_features(s, rng=0, permutations=2_999, groups=groups).features for s in samples]
    assert sum(map(bool, found)) <= 8


def test_units_that_any_permutation_leaves_alike_are_recognized() -> None:
    """For three units with shares W of three states, W D^-1 W^T has the same number beside its diagonal then."""
    profiles = [shares for shares in itertools.product(range(7), repeat=3) if sum(shares) == 6]
    alike = 0
    for own in map(np.array, random.Random(0).sample(list(itertools.combinations(profiles, 3)), 400)):
        if own.any(axis=0).all():
            sums = own.sum(axis=0).tolist()
            beside = {
                sum(Fraction(int(a) * int(b), total) for a, b, total in zip(*pair, sums, strict=True))
                for pair in itertools.combinations(own, 2)
            }
            assert relevance._is_same_for_all(np.array([1, 1, 1]), own, 3.0) == (len(beside) == 1)
            alike += len(beside) == 1
    assert alike
