"""The classifier that asks one question after another: rows, answers never seen, costs, and numbers in ranges."""

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fstheory as fs
from fstheory.samples.left_out import LeftOutLoss
from fstheory.sklearn import QuestionTreeClassifier
from tests.selection.test_questions import trees

ROWS = pd.DataFrame({"sky": ["sun", "rain", "fog", "rain"] * 6, "wind": ["no", "no", "yes", "yes"] * 6})
WET = ["dry", "wet", "dry", "wet"] * 5 + ["dry", "dry", "wet", "wet"]


def test_a_tree_of_least_loss_on_rows_that_others_predict() -> None:
    found = QuestionTreeClassifier().fit(ROWS, WET)
    sample = fs.Sample([(*row, y) for row, y in zip(ROWS.values.tolist(), WET, strict=True)])
    estimates = [fs.samples.risk_estimates(sample, S).leave_one_out for S in ((), ("X1",), ("X2",), ("X1", "X2"))]
    assert found.policy_.risk == min(estimates) == Fraction(2, 24)
    assert found.policy_.asked == {"sky": 1, "wind": 0}
    assert found.predict(ROWS).tolist() == ["dry", "wet", "dry", "wet"] * 6
    assert found.predict_proba(ROWS)[1].tolist() == [1 / 12, 11 / 12]
    assert found.score(ROWS, WET) == 22 / 24


def test_no_tree_is_better_on_rows_that_others_predict() -> None:
    """Each tree is walked, and each of its leaves counted by the definition."""
    rng = np.random.default_rng(3)
    for _ in range(6):
        rows, y = rng.integers(0, 2, (9, 3)), rng.integers(0, 2, 9)
        sample = fs.Sample([(*map(int, row), int(label)) for row, label in zip(rows, y, strict=True)])
        loss = LeftOutLoss.of(sample)
        losses = []
        for tree in trees(frozenset(range(3)), (2, 2, 2), 2):
            wrong = Fraction(0)
            leaves = [leaf(tree, row) for row in rows.tolist()]
            for i, own in enumerate(leaves):
                others = [y[j] for j in range(9) if j != i and leaves[j] == own] or np.delete(y, i).tolist()
                best = [label for label in (0, 1) if others.count(label) == max(others.count(0), others.count(1))]
                wrong += Fraction(sum(label != y[i] for label in best), len(best))
            losses.append(wrong / 9)
        assert fs.best_questions(sample.empirical(), loss, budget=2).risk == min(losses)


def test_many_equal_rows_are_counted_exactly() -> None:
    """Six times the number of rows, of three classes, is above 2**63."""
    few = {("a", 0): 5, ("a", 1): 2, ("b", 0): 1, ("b", 1): 2, ("b", 2): 1}
    many = {row: count * 2**58 + (row == ("a", 0)) for row, count in few.items()}
    found = [fs.Sample.from_counts(counts) for counts in (few, many)]
    small, large = (fs.best_questions(sample.empirical(), LeftOutLoss.of(sample)).risk for sample in found)
    assert large == fs.samples.risk_estimates(found[1], "X1").leave_one_out
    assert small == min(fs.samples.risk_estimates(found[0], S).leave_one_out for S in ((), "X1"))


def leaf(tree: object, row: list[int]) -> tuple[tuple[int, int], ...]:
    """Return the answers of a row on its path through a tree."""
    path = []
    while isinstance(tree, tuple):
        i, below = tree
        path.append((i, row[i]))
        tree = below[row[i]]
    return tuple(path)


def test_an_answer_that_no_row_gave_stops_at_its_question() -> None:
    found = QuestionTreeClassifier().fit(ROWS, WET)
    assert found.predict(pd.DataFrame({"sky": ["snow"], "wind": ["no"]})).tolist() == ["dry"]
    shares = found.predict_proba(pd.DataFrame({"sky": ["snow"], "wind": ["no"]}))
    assert shares.tolist() == [[12 / 24, 12 / 24]]


def test_costs_and_budget() -> None:
    assert QuestionTreeClassifier(costs={"sky": 1}).fit(ROWS, WET).policy_.asked["sky"] == 0
    assert QuestionTreeClassifier(budget=0).fit(ROWS, WET).policy_.questions == 0
    with pytest.raises(fs.UnknownNameError, match="feature 'moon' does not exist"):
        QuestionTreeClassifier(costs={"moon": 1}).fit(ROWS, WET)
    with pytest.raises(fs.InvalidValueError, match="bins must be at least 2, not 1"):
        QuestionTreeClassifier(bins=1).fit(ROWS, WET)


@pytest.mark.parametrize("kind", [int, float, object])
def test_numbers_become_ranges_of_equally_many_rows(kind: type) -> None:
    X: Any = np.arange(40).reshape(-1, 1).astype(kind)
    found = QuestionTreeClassifier(bins=4).fit(X, np.arange(40) >= 20)
    ends = [9, 19, 29] if kind is int else [9.0, 19.0, 29.0]
    low, middle, high = ends
    expected = (f"at most {low}", f"over {low} to {middle}", f"over {middle} to {high}", f"over {high}")
    assert found.policy_.distribution.states["x0"] == expected
    assert found.predict(np.array([[-5], [19], [19.5], [99]]).astype(kind)).tolist()[::3] == [False, True]
    assert found.score(X, np.arange(40) >= 20) == 1


def test_a_column_that_is_nearly_constant_has_two_ranges() -> None:
    X: Any = np.array([[0.5], [1.5], [2.5], [3.5], [4.5], *[[9.5]] * 35])
    found = QuestionTreeClassifier().fit(X, X[:, 0] < 9)
    assert found.policy_.distribution.states["x0"] == ("at most 4.5", "over 4.5")
