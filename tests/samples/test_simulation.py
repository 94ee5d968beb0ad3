"""Simulations: reproducible, and their intervals cover the exact law as often as they say."""

from __future__ import annotations

import math
import tracemalloc
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples.methods import Choice, Method, _whole
from fstheory.samples.simulation import _Children, _drawn, _scores
from fstheory.samples.tables import gains_of, labels_of

WEIGHTS = [[[12, 4], [3, 5]], [[2, 6], [1, 7]]]
THREE = [[[2, 1, 0], [1, 3, 1], [0, 0, 4]], [[1, 1, 1], [2, 0, 2], [0, 5, 1]]]
METHODS = [
    (fs.FOS(tau="1/20"), 6),
    (fs.FBS(tau="1/10", ties="uniform", holdout="1/2"), 6),
    (fs.OrderedFS(holdout=2, ties="uniform"), 6),
    (fs.StandardWrap(holdout=1, ties="uniform"), 4),
    (fs.FBS(tau="1/10", ties="first", estimate="leave-one-out"), 4),
]


@pytest.mark.parametrize(
    ("weights", "method", "m"),
    [
        (THREE, fs.FOS(tau="1/20"), 4),
        *(pytest.param(w, *row, marks=pytest.mark.thorough) for w in (WEIGHTS, THREE) for row in METHODS),
    ],
)
@pytest.mark.thorough
def test_intervals_cover_the_exact_law(weights: object, method: Method, m: int) -> None:
    """In 100 runs with 95% intervals at least 87: fewer have probability below 1 in 1,000 if the rate is right."""
    d = fs.JointDistribution(weights)
    m = min(m, 4) if len(d.classes) > 2 else m
    law = fs.selection_law(d, m, method)
    likely = max(law.probabilities, key=law.probabilities.__getitem__)
    covered = np.zeros(3, dtype=int)
    for seed in range(100):
        found = fs.simulate(d, m, method, trials=200, rng=seed)
        intervals = np.array([found.interval(likely), found.success_interval(), found.expected_risk_interval()])
        exact = np.array([law[likely], law.success, law.expected_risk], dtype=float)
        covered += (intervals[:, 0] <= exact) & (exact <= intervals[:, 1])
    assert min(covered) >= 87, covered


def test_the_same_seed_gives_the_same_simulation() -> None:
    """And another seed another one."""
    d = fs.gallery.asia().marginal(["smoke", "lung", "bronc", "either", "xray"])
    method = fs.StandardWrap(holdout="1/4", ties="uniform")
    outcomes = fs.simulate(d, 40, method, trials=700, rng=3).outcomes
    assert sum(outcomes.values()) == 1
    assert fs.simulate(d, 40, method, trials=700, rng=np.random.default_rng(3)).outcomes == outcomes
    assert fs.simulate(d, 40, method, trials=700, rng=4).outcomes != outcomes


def test_more_trials_than_memory_holds_begin_at_once() -> None:
    """None is made before the ones in front of it are done, but for a few."""

    def select(d: fs.JointDistribution) -> list[str]:
        raise KeyboardInterrupt

    tracemalloc.start()
    with pytest.raises(KeyboardInterrupt):
        fs.simulate(fs.gallery.xor(), 4, fs.PlugIn(select=select), trials=10**13, rng=0)
    assert tracemalloc.get_traced_memory()[1] < 10**7
    tracemalloc.stop()


@pytest.mark.parametrize("cards", [(), (5,), (2, 2), (3, 1, 2), (2, 3, 2, 2)])
@pytest.mark.parametrize("classes", [2, 3])
def test_gains_and_scores_are_those_of_all_marginals(cards: tuple[int, ...], classes: int) -> None:
    """Each subset is counted by itself, from the definition."""
    rng, axes = np.random.default_rng(classes), range(len(cards))
    trained, held = rng.integers(-2, 3, (2, 200, *cards, classes - 1)).astype(np.int16)
    gains, scores = np.zeros((2, 200, 2 ** len(cards)), dtype=int)
    for mask in range(2 ** len(cards)):
        dropped = tuple(i + 1 for i in axes if not mask >> i & 1)
        ours, rest = (table.sum(axis=dropped).reshape(200, -1, classes - 1) for table in (trained, held))
        gains[:, mask] = np.maximum(ours.max(axis=-1), 0).sum(axis=-1)
        padded = np.concatenate([np.zeros_like(rest[..., :1]), rest], axis=-1)
        scores[:, mask] = np.take_along_axis(padded, labels_of(ours)[..., None].astype(int), axis=-1).sum(axis=(1, 2))
    assert (gains_of(trained) == gains).all()
    assert (_scores(trained, held) == scores).all()
    some = fs.FOS().reads_subsets(len(cards))
    assert (gains_of(trained, some)[:, some] == gains[:, some]).all()


def test_a_worker_draws_as_the_generator_that_would_be_spawned() -> None:
    """And a generator that is given is as far advanced as if it had spawned them."""
    one, other = (np.random.default_rng(5) for _ in range(2))
    for source in (one, other):
        source.spawn(3)
    drawn = [_Children(one)[place].integers(10**9) for place in range(4)]
    assert drawn == [child.integers(10**9) for child in other.spawn(4)]
    fs.simulate(fs.gallery.xor(), 5, fs.FOS(), trials=3500, rng=one)  # some 1,000 trials draw from one generator
    assert one.bit_generator.seed_seq.n_children_spawned == 3 + 4  # type: ignore[attr-defined]


def test_ties_of_each_size_are_drawn_one_at_a_time() -> None:
    """With eight features there are 10**10 ways to choose a subset of each size; each is as likely where all tie."""
    method = fs.OrderedFS(holdout=1, ties="uniform")
    drawn = method.draw_candidates(np.zeros((20_000, 2**8), dtype=np.int64), rng=np.random.default_rng(0))
    assert drawn.shape == (20_000, 9)
    for size in range(9):
        counts = Counter(drawn[:, size].tolist())
        assert {mask.bit_count() for mask in counts} == {size}
        assert len(counts) == math.comb(8, size)
        expected = 20_000 / math.comb(8, size)
        assert all(abs(count - expected) < 5 * math.sqrt(expected) for count in counts.values())
    gains = np.array([[0, 3, 2, 5], [0, 1, 1, 0]] * 2000)
    fewer = method.draw_candidates(gains, rng=np.random.default_rng(1))
    assert set(map(tuple, fewer[::2].tolist())) == {(0, 1, 3)}
    assert set(map(tuple, fewer[1::2].tolist())) == {(0, 1, 3), (0, 2, 3)}
    d = fs.JointDistribution(np.ones((2,) * 8 + (2,), dtype=int))
    assert sum(fs.simulate(d, 20, method, trials=100, rng=0).outcomes.values()) == 1


def test_ties_among_many_features_are_drawn_evenly() -> None:
    """All ten features can be spared in any order: 10! paths, shares of 60 bits, and each sample has all of them."""
    method, gains = fs.FBS(tau="1/2", ties="uniform"), np.zeros((3, 2**10), dtype=np.int64)
    assert method.decide(gains, 12).chosen.tolist() == [0, 0, 0]
    gains[:, [mask for mask in range(2**10) if mask >> 3 & 1]] = 7
    assert set(method.decide(gains, 12).chosen.tolist()) == {1 << 3}


def test_ties_are_drawn_in_the_trial_they_are_of() -> None:
    """Each of the two rows of a trial half of the time, and never a row of another trial."""
    choice = Choice(np.repeat(np.arange(500), 2), np.arange(1000), np.full(1000, 3))
    drawn = _drawn(choice, 500, 6, np.random.default_rng(0))
    assert (choice.rows[drawn] == np.arange(500)).all()
    assert 200 <= int((drawn % 2).sum()) <= 300


@pytest.mark.parametrize(("number", "denominator"), [(1, 2**62), (2, 2**62), (3, 2**62), (3, 2**63 + 2), (2, 2**66)])
def test_ties_with_shares_about_as_large_as_a_machine_word(number: int, denominator: int) -> None:
    """The two rows of a trial have one of its shares, and all others."""
    shares = np.array([1, denominator - 1] * number, dtype=object if denominator >= 2**63 else np.int64)
    choice = Choice(np.repeat(np.arange(number), 2), np.arange(2 * number), shares)
    drawn = _drawn(choice, number, denominator, np.random.default_rng(0))
    assert drawn.tolist() == [2 * i + 1 for i in range(number)]
    assert _whole(2, denominator).tolist() == [denominator] * 2


@pytest.mark.parametrize("m", [2**15 - 1, 2**15, 2**16])
def test_tables_of_many_samples_are_drawn_as_they_are(m: int) -> None:
    d = fs.JointDistribution([[0, 1]])
    assert fs.simulate(d, m, fs.NoSelection(), trials=2, rng=0).expected_risk == 0
    assert fs.simulate(d, m + 1, fs.StandardWrap(holdout=1, ties="first"), trials=2, rng=0).expected_risk == 0


def test_a_simulation_never_says_a_fraction() -> None:
    found = fs.simulate(fs.gallery.xor(), 12, fs.FOS(tau="1/20"), trials=50, rng=0)
    intervals = (*found.interval([]), *found.success_interval())
    numbers = [found.success, found.expected_risk, found.expected_regret, *intervals]
    assert not any(isinstance(number, Fraction) for number in numbers)
    assert found[["X1", "X2"]] == found.success
    assert "estimated from 50 trials" in str(found)
