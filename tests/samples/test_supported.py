"""Which features a sample supports, against leave-one-out and permutations done literally, and their rates."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples.fitting import permuted_risk, supported_features, table_risks


def rows_of(s: fs.Sample) -> list[tuple[int, ...]]:
    return [tuple(row) for row, n in zip(s.codes.tolist(), s.counts.tolist(), strict=True) for _ in range(n)]


def majority(rows: list[tuple[int, ...]], columns: tuple[int, ...], row: tuple[int, ...]) -> int:
    """The commonest class in the state of a row, the first of several, also where no row has that state."""
    seen = Counter(other[-1] for other in rows if all(other[i] == row[i] for i in columns))
    return min(seen, key=lambda y: (-seen[y], y), default=0)


@pytest.mark.parametrize("seed", range(5))
def test_risks_of_tables_are_what_they_are_called(seed: int) -> None:
    rng = random.Random(seed)
    s = fs.Sample([tuple(rng.randint(0, 2) for _ in range(4)) for _ in range(rng.randint(2, 30))])
    rows = rows_of(s)
    for size, mask in ((1, 0b001), (2, 0b101), (0, 0)):
        columns = tuple(i for i in range(3) if mask >> i & 1)
        assert len(columns) == size
        states, plug_in, left_out = table_risks(s, mask)
        assert states == len({tuple(row[i] for i in columns) for row in rows})
        wrong = sum(majority(rows, columns, row) != row[-1] for row in rows)
        without = sum(majority(rows[:i] + rows[i + 1 :], columns, row) != row[-1] for i, row in enumerate(rows))
        assert (plug_in, left_out) == (Fraction(wrong, len(rows)), Fraction(without, len(rows)))


def test_permuted_risks_are_the_mean_over_all_permutations() -> None:
    s = fs.Sample([(0, 0), (0, 0), (1, 1), (1, 0), (2, 1), (2, 1)])
    labels = [0, 0, 1, 0, 1, 1]
    risks = [6 - sum(max(pair.count(0), pair.count(1)) for pair in (p[:2], p[2:4], p[4:]))
             for p in itertools.permutations(labels)]  # fmt: skip
    found = permuted_risk(s, 1, np.random.default_rng(0), 3000)
    assert abs(found - Fraction(sum(risks), 6 * len(risks))) < Fraction(1, 60)


def drawn(seed: int, rows: int, columns: int, states: int = 2) -> fs.Sample:
    """The class is X1 xor X2, wrong in a fifth of the rows; the other columns say nothing."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, states, size=(rows, columns))
    y = (x[:, 0] + x[:, 1] + (rng.random(rows) < 0.2)) % 2
    return fs.Sample(np.column_stack([x, y]).tolist())


def test_a_pair_that_only_together_says_something_is_found() -> None:
    found = supported_features(drawn(0, 200, 6), rng=0)
    assert found.features == {"X1", "X2"}
    assert found.steps[0].added == {"X1", "X2"}
    assert found.steps[0].as_good == 0
    assert not found.steps[-1].accepted
    assert found == supported_features(drawn(0, 200, 6), rng=0)


def test_ties_are_told() -> None:
    s = fs.Sample([(i % 2, i % 2, i % 3, i % 2) for i in range(60)])
    step = supported_features(s, rng=0).steps[0]
    assert step.added == {"X1"}
    assert list(map(set, step.tied)) == [{"X1"}, {"X2"}]


def test_what_says_nothing_is_supported_once_in_twenty_times_at_most() -> None:
    """Each of 60 samples of noise: the law of the count is at most that of 60 tests at 1/20, and of their pairs."""
    rng = np.random.default_rng(5)
    samples = (fs.Sample(rng.integers(0, 2, size=(40, 4)).tolist()) for _ in range(60))
    supported = sum(bool(supported_features(s, rng=rng, permutations=19).features) for s in samples)
    assert supported <= 14  # of 60 with a tenth expected at most: beyond this 1 in 1,000


def test_it_stops_where_states_are_too_many() -> None:
    s = fs.Sample([(i, i % 2) for i in range(50)])
    found = supported_features(s, rng=0)
    assert (found.features, found.steps) == (frozenset(), ())
    assert found.stopped == "every addition leaves fewer than 5 samples for each state that occurs"


def test_a_permutation_that_does_as_well_counts() -> None:
    """Of 252 ways to put 5 ones among 10 labels, 2 are the feature or its opposite: nothing is better than these."""
    s = fs.Sample([(i % 2, i % 2) for i in range(10)])
    (step,) = fs.samples.supported_features(s, rng=0, permutations=2000).steps
    assert step.left_out == 0
    assert 4 <= step.as_good <= 32  # of a binomial law with mean 15.9: outside with probability below 1/1000
