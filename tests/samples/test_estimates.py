"""Estimates of a risk from a sample, against all splits and all permutations written out."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import TooLargeError
from fstheory.samples import estimates
from fstheory.samples.design import designed
from fstheory.samples.estimates import (
    holdout_risk,
    permutation_null,
    procedure_risk,
    risk_estimates,
    tree_risk,
)
from fstheory.samples.left_out import LeftOutLoss
from fstheory.samples.methods import Estimate
from fstheory.samples.tables import ESTIMATES
from fstheory.selection.questions import QuestionPolicy
from tests.samples import literal_samples as literal

Rows = list[tuple[tuple[int, ...], int]]


def drawn(rng: random.Random, m: int, classes: int, states: int) -> tuple[fs.Sample, Rows]:
    """Draw rows of one feature and a class; all classes are states, whether they occur or not."""
    rows: Rows = [((rng.randrange(states),), rng.randrange(classes)) for _ in range(m)]
    return fs.Sample([(*x, y) for x, y in rows], states={"Y": list(range(classes))}), rows


def mean_error(rows: Rows, held: int) -> Fraction:
    """Return the error on samples held out, over all ways to hold out so many."""
    errors = []
    for chosen in itertools.combinations(range(len(rows)), held):
        train = [row for i, row in enumerate(rows) if i not in chosen]
        errors.append(literal.fair_error(train, [rows[i] for i in chosen], (0,)))
    return sum(errors, Fraction(0)) / len(errors)


def partitions(items: list[int], sizes: list[int]) -> list[list[tuple[int, ...]]]:
    """Return all ways to split some items into folds of these sizes, in order."""
    if not sizes:
        return [[]]
    return [
        [fold, *rest]
        for fold in itertools.combinations(items, sizes[0])
        for rest in partitions([i for i in items if i not in fold], sizes[1:])
    ]


@pytest.mark.parametrize("seed", range(30))
def test_holdout_is_the_mean_over_all_splits(seed: int) -> None:
    rng = random.Random(seed)
    m = rng.randint(2, 9)
    s, rows = drawn(rng, m, rng.randint(1, 5), rng.randint(1, 5))
    for held in range(1, m):
        assert holdout_risk(s, {"X1"}, held) == mean_error(rows, held)
        assert holdout_risk(s, "X1", Fraction(held, m)) == holdout_risk(s, "X1", held)
    assert holdout_risk(s, {"X1"}, 1) == literal.fair_leave_one_out(rows, (0,))
    assert holdout_risk(s, (), 1) == literal.fair_leave_one_out(rows, ())


@pytest.mark.parametrize("seed", range(8))
def test_cross_validation_is_the_mean_over_all_folds(seed: int) -> None:
    rng = random.Random(seed)
    m = rng.randint(3, 6)
    s, rows = drawn(rng, m, rng.randint(2, 3), 2)
    for folds in range(2, m + 1):
        sizes = [m // folds + (i < m % folds) for i in range(folds)]
        errors = []
        for split in partitions(list(range(m)), sizes):
            wrong = Fraction(0)
            for fold in split:
                train = [row for i, row in enumerate(rows) if i not in fold]
                wrong += len(fold) * literal.fair_error(train, [rows[i] for i in fold], (0,))
            errors.append(wrong / m)
        assert risk_estimates(s, {"X1"}, folds=folds).cross_validated == sum(errors, Fraction(0)) / len(errors)
    assert risk_estimates(s, {"X1"}, folds=m).cross_validated == holdout_risk(s, {"X1"}, 1)


@pytest.mark.parametrize("seed", range(12))
def test_the_mean_by_chance_is_over_all_permutations(seed: int) -> None:
    rng = random.Random(seed)
    classes = rng.randint(1, 3)
    s, rows = drawn(rng, rng.randint(2, 6), classes, rng.randint(1, 3))
    features, labels = [x for x, _ in rows], [y for _, y in rows]
    risks = [
        literal.resubstitution(list(zip(features, permuted, strict=True)), (0,), classes)
        for permuted in itertools.permutations(labels)
    ]
    found = permutation_null(s, {"X1"}, rng=seed, permutations=200)
    assert found.mean == sum(risks, Fraction(0)) / len(risks)
    assert found.observed == literal.resubstitution(rows, (0,), classes)
    low, high = found.interval("9999/10000")
    assert low <= sum(risk <= found.observed for risk in risks) / len(risks) <= high
    assert found == permutation_null(s, {"X1"}, rng=np.random.default_rng(seed), permutations=200)


def test_the_mean_by_chance_of_many_classes() -> None:
    """A class of one sample each: the maximum is 1. And five classes against all ways to fill a state."""
    s = fs.Sample([(i % 2, i) for i in range(1264)], keep_continuous=True)
    assert permutation_null(s, {"X1"}, rng=0, permutations=1).mean == 1 - Fraction(2, 1264)
    totals, size = (1, 1, 3, 3, 4), 5
    ways = {
        drawn: math.prod(map(math.comb, totals, drawn))
        for drawn in itertools.product(*(range(total + 1) for total in totals))
        if sum(drawn) == size
    }
    right = sum(max(drawn) * times for drawn, times in ways.items())
    rows = [(int(i >= size), y) for i, y in enumerate(y for y, total in enumerate(totals) for _ in range(total))]
    other = sum(max(total - k for total, k in zip(totals, drawn, strict=True)) * times for drawn, times in ways.items())
    mean = Fraction(right + other, math.comb(12, size))
    assert permutation_null(fs.Sample(rows), {"X1"}, rng=0, permutations=1).mean == 1 - mean / 12


def test_large_cells_agree_with_sums_of_all_terms() -> None:
    """Where the tails run from one to the next over hundreds of steps, also from a start above zero."""
    for first, second, rest, training in [(60, 45, 30, 90), (5, 70, 3, 76), (70, 5, 3, 60), (30, 40, 0, 69)]:
        ways = sum(
            math.comb(first, j) * math.comb(second, k) * math.comb(rest, training - j - k)
            for j in range(first + 1)
            for k in range(j + 1, second + 1)
            if training - j - k >= 0
        )
        assert estimates._ways_above(first, second, rest, training) == ways


def test_a_summary_on_a_thousand_rows() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(0, 2, size=(1000, 8))
    s = fs.Sample([(*row, int(row[0] ^ (rng.random() < 0.2))) for row in table.tolist()])
    few, many = risk_estimates(s, {"X1"}), risk_estimates(s, s.features)
    assert few.optimism == 0
    assert few.rows_per_cell == 500
    assert many.cross_validated is not None
    assert many.resubstitution < few.resubstitution < many.leave_one_out < many.cross_validated < many.baseline
    assert str(many).splitlines()[0].endswith("on 1,000 samples: 249 states occur, 4.0 samples each")
    noise, signal = (permutation_null(s, {name}, rng=0) for name in ("X8", "X1"))
    assert signal.p_value < noise.p_value
    assert "p estimated 0.0010 (95%: 0.0000 to 0.0037)" in str(signal)


def test_rows_of_distinct_states_are_predicted_by_the_majority_whatever_the_classes_are_called() -> None:
    for yes in ("yes", "A-yes"):
        s = fs.Sample([(i, yes if i < 14 else "no") for i in range(20)], keep_continuous=True)
        found = risk_estimates(s, {"X1"})
        assert found.leave_one_out == found.cross_validated == found.baseline == Fraction(3, 10)


@pytest.mark.parametrize("totals", [(31, 29), (30, 30), (14, 13, 12), (12, 12, 3, 2)])
def test_larger_samples_agree_with_the_majority_of_each_training_table(totals: tuple[int, ...]) -> None:
    """By the counts of the training samples inside and outside a state, where splits are too many to list."""
    labels = [y for y, total in enumerate(totals) for _ in range(total)]
    s = fs.Sample([(min(i // 3, 9), y) for i, y in enumerate(random.Random(1).sample(labels, len(labels)))])
    m, cells = s.m, s.cells({"X1"}).tolist()
    for held in (2, 7):
        right = Fraction(0)
        for cell in cells:
            outside = [total - n for total, n in zip(totals, cell, strict=True)]
            for y, own in enumerate(cell):
                others = [n - (z == y) for z, n in enumerate(cell)]
                for out in itertools.product(*(range(min(n, held - 1) + 1) for n in others)):
                    left = [n - g for n, g in zip(others, out, strict=True)]
                    ways = own * math.prod(map(math.comb, others, out))
                    if not any(left):
                        right += ways * majorities(outside, held - 1 - sum(out), y)
                    elif sum(out) < held and left[y] == max(left):
                        right += Fraction(ways * math.comb(sum(outside), held - 1 - sum(out)), left.count(max(left)))
        assert holdout_risk(s, {"X1"}, held) == 1 - right / (m * math.comb(m - 1, held - 1))


def majorities(counts: list[int], out: int, y: int) -> Fraction:
    """Count the ways to hold so many out of these samples after which a class is the most frequent, shared in ties."""
    right = Fraction(0)
    for some in itertools.product(*(range(min(n, out) + 1) for n in counts)):
        left = [n - g for n, g in zip(counts, some, strict=True)]
        if sum(some) == out and left[y] == max(left):
            right += Fraction(math.prod(map(math.comb, counts, some)), left.count(max(left)))
    return right


def test_too_many_samples_for_three_classes_are_said() -> None:
    s = fs.Sample.from_counts({(x, y): 3000 for x in range(2) for y in range(3)})
    found = risk_estimates(s, {"X1"})
    assert found.cross_validated is None
    assert "cross-validation: too many samples, the mean" in str(found)
    assert found.leave_one_out == 1  # the class of the sample left out is never the most frequent one
    assert permutation_null(s, {"X1"}, rng=0, permutations=1).mean is None
    with pytest.raises(TooLargeError, match=r"small enough for 8,000,000,000 steps, not .*; hold out fewer"):
        holdout_risk(s, {"X1"}, "1/4")
    assert holdout_risk(s, {"X1"}, 2) > Fraction(49, 50)


def test_too_many_rows_of_two_classes_are_refused_unless_few_are_held_out() -> None:
    s = fs.Sample.from_counts({(x, y): 250_000 + 4 * x * y for x in range(2) for y in range(2)})
    with pytest.raises(TooLargeError, match=r"s must be small enough for 8,000,000,000 steps, not .*; hold out fewer"):
        holdout_risk(s, {"X1"}, "1/4")
    assert risk_estimates(s, {"X1"}).cross_validated is None
    assert holdout_risk(s, {"X1"}, 2) > Fraction(49, 100)


# -- Each estimate has one name.


@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")
def test_a_name_is_one_number() -> None:
    """A method compares the numbers of `risk_estimates` with the same name, whatever the order of the classes."""
    rng = random.Random(0)
    samples: list[list[tuple[Any, ...]]] = [[("a", 0), ("b", 1), ("c", 1)]]
    samples += [[(rng.randint(0, 3), rng.randint(0, 1), rng.randint(0, 2)) for _ in range(9)] for _ in range(6)]
    for rows in samples:
        for classes in ([0, 1, 2], [2, 1, 0]):
            s = fs.Sample(rows, states={"Y": classes})
            for name in ("resubstitution", "leave-one-out"):
                found = fs.fit(s, fs.FOS(tau="1/20", estimate=name))
                every = [(found.features, found.estimate), *((step.subset, step.estimate) for step in found.trace)]
                for subset, estimate in every:
                    own = risk_estimates(s, subset, folds=2)
                    assert estimate == {"resubstitution": own.resubstitution, "leave-one-out": own.leave_one_out}[name]
                assert found.estimated_by == found.to_dict()["estimated_by"] == name


@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")
def test_the_estimate_of_the_papers_keeps_its_rule() -> None:
    s = fs.Sample([("a", 0), ("b", 1), ("c", 1)])
    other = fs.Sample([("a", 0), ("b", 1), ("c", 1)], states={"Y": [1, 0]})
    method = fs.FOS(estimate="leave-one-out-first-class")
    assert [fs.fit(one, method).estimate for one in (s, other)] == [Fraction(2, 3), Fraction(1, 3)]


def test_the_page_has_the_rules_of_each_estimate() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/samples.md").read_text(encoding="utf-8")
    for one in ESTIMATES.values():
        assert f"| {one.name} | {one.rows} | {one.ties} | {one.new_states} |" in page
    assert {*get_args(Estimate)} < ESTIMATES.keys()
    assert fs.StandardWrap(holdout=1).estimated_by in ESTIMATES


@pytest.mark.parametrize("seed", range(4))
def test_the_risk_of_a_procedure_is_the_mean_over_its_folds(seed: int) -> None:
    """The folds are found again by what the procedure is given, and each row is predicted by the definition."""
    rng = random.Random(seed)
    s, rows = drawn(rng, 31, 3, 4)
    given = list[fs.Sample]()

    def choose(training: fs.Sample) -> tuple[str, ...]:
        given.append(training)
        return ("X1",) if len(given) % 2 else ()

    found = procedure_risk(designed(s, {}), choose, folds=5, tested_folds=5, rng=np.random.default_rng(seed))
    assert found is not None
    wrong, guesses, tested = Fraction(0), Fraction(0), 0
    for k, training in enumerate(given, 1):
        left = list(rows)
        counted = training.to_frame().itertuples(index=False)
        seen = [((x,), y) for x, y, times in counted for _ in range(times)]
        for row in seen:
            left.remove(row)
        tested += len(left)
        guesses += len(left) * literal.fair_error(seen, left, ())
        wrong += len(left) * literal.fair_error(seen, left, (0,) if k % 2 else ())
    assert (found.tested, found.independent, found.wrong, found.wrong_guesses) == (31, 31, wrong, guesses)


def test_a_state_that_no_training_row_has_gets_the_most_frequent_class_of_all() -> None:
    assert estimates._errors(np.array([[2, 1], [0, 0]]), np.array([[0, 0], [1, 3]])) == 3


@pytest.mark.parametrize("seed", range(4))
def test_the_risk_of_a_tree_is_that_of_rows_that_did_not_grow_it(seed: int) -> None:
    """Each row walks down the tree of its fold by itself."""
    rng = random.Random(seed)
    states = [tuple(rng.randrange(3) for _ in range(3)) for _ in range(41)]
    rows = [(x, int((x[0] + x[1] == 2) ^ (rng.random() < 1 / 5))) for x in states]
    s = fs.Sample([(*x, y) for x, y in rows])
    grown = list[tuple[fs.Sample, QuestionPolicy]]()

    def grow(training: fs.Sample) -> QuestionPolicy:
        grown.append((training, fs.best_questions(training.empirical(), LeftOutLoss.of(training), budget=2)))
        return grown[-1][1]

    found = tree_risk(s, grow, folds=5, rng=np.random.default_rng(seed))
    wrong, guesses = Fraction(0), Fraction(0)
    for training, policy in grown:
        seen = [(tuple(x), y) for *x, y, times in training.to_frame().itertuples(index=False) for _ in range(times)]
        left = (Counter(rows) - Counter(seen)).elements()
        nodes = {tuple(node.state.items()): node for node in policy.nodes}
        for x, y in left:
            row, state = dict(zip(s.features, x, strict=True)), dict[str, Any]()
            while (asks := nodes[tuple(state.items())].asks) and (*state.items(), (asks, row[asks])) in nodes:
                state[asks] = row[asks]
            alike = [one for one in seen if all(one[0][s.features.index(name)] == at for name, at in state.items())]
            wrong += literal.fair_error(alike, [(x, y)], ())
            guesses += literal.fair_error(seen, [(x, y)], ())
    assert (found.tested, found.wrong, found.wrong_guesses) == (41, wrong, guesses)


def explained(seed: int, m: int) -> tuple[Any, Fraction, list[tuple[float, float]]]:
    """Return the interval of R squared for a column, its true value in these folds, and both errors of each row."""
    rng = np.random.default_rng(seed)
    rows = [(x, 3 * x + u) for x, u in rng.integers([0, -5], [4, 6], (m, 2)).tolist()]
    s = fs.Sample(rows, features=["x"], target="y", keep_continuous=True)
    mean_square, errors = [Fraction(0), Fraction(0)], list[tuple[float, float]]()

    def choose(training: fs.Sample) -> tuple[str, ...]:
        counted = [*training.to_frame().itertuples(index=False)]
        seen = [(int(x), int(y)) for x, y, times in counted for _ in range(times)]
        left = Counter(rows) - Counter(seen)
        whole = Fraction(sum(y for _, y in seen), len(seen))
        means = [Fraction(sum(own), len(own)) for x in range(4) for own in [[y for z, y in seen if z == x]]]
        for at, predicted in enumerate((means, [whole] * 4)):
            square = sum(((3 * x - mean) ** 2 for x, mean in enumerate(predicted)), Fraction(0)) / 4
            mean_square[at] += (10 + square) * left.total() / m
        errors.extend((float((y - means[x]) ** 2), float((y - whole) ** 2)) for x, y in left.elements())
        return ("x",)

    numbers = [Fraction(int(str(y))) for y in s.classes]
    how: Any = {"folds": 5, "tested_folds": 5, "rng": rng, "numbers": numbers}
    found = procedure_risk(designed(s, {}), choose, **how)
    assert found is not None
    return found.explained, 1 - mean_square[0] / mean_square[1], errors


def test_the_interval_of_r_squared_is_that_of_fieller() -> None:
    """At an end 1 - r, the mean of the error less r times the other one is 1.96 standard errors from 0."""
    ends, _, errors = explained(0, 100)
    assert len(errors) == 100
    for end in ends:
        difference = np.array([error - (1 - end) * guess for error, guess in errors])
        assert math.isclose(abs(difference.mean()), 1.96 * difference.std(ddof=1) / 10, rel_tol=1e-9)
    assert ends[0] < ends[1]
    assert explained(0, 99)[0] is None


def of_groups(seed: int, number: int) -> tuple[Any, Fraction, dict[int, list[float]]]:
    """Return the interval of R squared by groups of 5 rows, its true value, and the sums of both errors by group."""
    rng = np.random.default_rng(seed)
    rows = [(g, x, 3 * x + 4 * (g % 3) + u) for g in range(number) for x, u in rng.integers([0, -5], [4, 6], (5, 2))]
    s = fs.Sample(rows, features=["g", "x"], target="y", keep_continuous=True)
    errors, mean_square = dict[int, list[float]](), [Fraction(0), Fraction(0)]

    def choose(training: fs.Sample) -> tuple[str, ...]:
        counted = [[int(v) for v in row] for row in training.to_frame().itertuples(index=False)]
        seen = [(x, y) for x, _, y, times in counted for _ in range(times)]
        whole = Fraction(sum(y for _, y in seen), len(seen))
        means = [Fraction(sum(own), len(own)) for x in range(4) for own in [[y for z, y in seen if z == x]]]
        left = {*range(number)} - {g for _, g, *_ in counted}
        for at, predicted in enumerate((means, [whole] * 4)):
            square = sum(
                (((3 * x + 4 * k - mean) ** 2) for x, mean in enumerate(predicted) for k in range(3)), Fraction(0)
            )
            mean_square[at] += (10 + square / 12) * len(left) / number
        for g in left:
            own = [((y - means[x]) ** 2, (y - whole) ** 2) for h, x, y in rows if h == g]
            errors[g] = [float(sum(part)) for part in zip(*own, strict=True)]
        return ("x",)

    numbers = [Fraction(int(str(y))) for y in s.classes]
    how: Any = {"folds": 5, "tested_folds": 5, "rng": rng, "numbers": numbers}
    found = procedure_risk(designed(s, {"groups": "g"}), choose, **how)
    assert found is not None
    assert math.isclose(float(found.wrong), sum(error for error, _ in errors.values()))
    return found.explained, 1 - mean_square[0] / mean_square[1], errors


def test_the_interval_of_r_squared_has_groups_as_units() -> None:
    ends, _, errors = of_groups(0, 30)
    for end in ends:
        difference = np.array([error - (1 - end) * guess for error, guess in errors.values()])
        assert math.isclose(abs(difference.mean()), 1.96 * difference.std(ddof=1) / math.sqrt(30), rel_tol=1e-9)
    assert of_groups(0, 29)[0] is None


@pytest.mark.thorough
def test_the_interval_of_r_squared_by_groups_covers_it() -> None:
    found = [of_groups(seed, 30) for seed in range(60)]
    assert 53 <= sum(low <= value <= high for (low, high), value, _ in found) <= 60


@pytest.mark.thorough
def test_the_interval_of_r_squared_covers_it() -> None:
    found = [explained(seed, 200) for seed in range(80)]
    assert 72 <= sum(low <= value <= high for (low, high), value, _ in found) <= 80
    assert 0.05 < float(np.mean([high - low for (low, high), _, _ in found])) < 0.25
