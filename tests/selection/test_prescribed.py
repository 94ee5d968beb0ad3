"""Prescribed values of any monotone function, judged by the definitions and by the theorem, written out."""

import itertools
import random
import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Any

import pytest

import fstheory as fs
from fstheory import JointDistribution, criteria
from fstheory._support.progress import OutOfTime
from fstheory.errors import InvalidValueError, NotMonotoneError, TooLargeError
from fstheory.lattice.subsets import default_features
from fstheory.selection import prescribed
from fstheory.selection.prescribed import adversarial_with_risks, distribution_with_gains, distribution_with_risks
from tests.literal import subsets
from tests.selection import literal
from tests.selection.literal import Subset
from tests.steps import Steps

Table = dict[Subset, Fraction]
ASSUMED = [(), ("positive",), ("unique_maximum",), ("positive", "unique_maximum")]


def risks_of(d: JointDistribution) -> Table:
    """By the definition, as long as that takes a moment."""
    return literal.risks_of(d) if d.weights.size < 300 else dict(fs.bayes_risks(d).items())


def impossible(risks: Table, k: int, assumed: Collection[str]) -> str:
    """Say what Theorems R and R+ have against these risks; nothing if there is a distribution."""
    everything, top = max(risks, key=len), 1 - Fraction(1, k)
    if any(s < t and risks[t] > risks[s] for s in risks for t in risks):
        return "not grow"
    if not all(0 <= risk <= top for risk in risks.values()):
        return "at least 0" if risks[everything] < 0 else "at most"
    if "unique_maximum" in assumed and risks[everything] == top:
        return "below"
    optimal = [s for s in risks if risks[s] == risks[everything]]
    together = "positive" in assumed and ("unique_maximum" in assumed or risks[everything] == 0)
    return "least optimal" if together and any(s & t not in optimal for s in optimal for t in optimal) else ""


def drawn(n: int, k: int, rng: random.Random) -> Table:
    """Draw a decreasing function from 0 to 1 - 1/k, with ties and zeros."""
    every, top = subsets(default_features(n)), 1 - Fraction(1, k)
    if n < 4 and rng.random() < 1 / 2:  # each subset above the largest of its supersets, or on a level with it
        sums = dict.fromkeys(every, 0)
        for s in every[-2::-1]:
            sums[s] = max(sums[t] for t in every if s < t) + rng.choice([0, 1, 2, 3, 7])
        low, high = rng.choice([0, 0, 1, 4]), rng.choice([0, 1, 5])
        return {s: top * Fraction(low + sums[s], (low + max(sums.values()) + high) or 1) for s in every}
    levels = rng.choice([1, 2, 3, 5, 12])
    raw = {s: Fraction(rng.randint(0, levels), levels) * top for s in every}
    return {s: max(raw[t] for t in raw if s <= t) for s in raw}


def assert_had(risks: Table, k: int, assumed: Collection[str]) -> JointDistribution:
    names = default_features(len(max(risks, key=len)))
    d = adversarial_with_risks(risks, k, assume=assumed, features=names)
    assert (risks_of(d), d.features, len(d.classes)) == (risks, names, k)
    rows = [sorted(row) for row in d.weights.reshape(-1, k).tolist()]
    assert "positive" not in assumed or all(sum(row) > 0 for row in rows)
    assert "unique_maximum" not in assumed or all(row[-2] < row[-1] for row in rows if row[-1])
    return d


@pytest.mark.parametrize("count", [60, pytest.param(600, marks=pytest.mark.thorough)])
def test_every_decreasing_function_is_had_or_refused_for_its_reason(count: int) -> None:
    """Where the theorem says that there is a distribution, it is built: with none, each, and both assumptions."""
    rng, had, refused = random.Random(count), 0, 0
    while had < count or refused < count // 4:
        n, k, assumed = rng.randint(0, 4), rng.randint(2, 3), rng.choice(ASSUMED)
        risks = drawn(n, k, rng)
        if rng.random() < 1 / 4:
            risks[rng.choice(list(risks))] += rng.choice([-1, 1]) * Fraction(1, 24)
        reason = impossible(risks, k, assumed)
        had, refused = had + (not reason), refused + bool(reason)
        if not reason:
            assert_had(risks, k, assumed)
            continue
        with pytest.raises(InvalidValueError, match=reason) as caught:
            adversarial_with_risks(risks, k, assume=assumed, features=default_features(n))
        if isinstance(caught.value, NotMonotoneError):
            subset, superset = frozenset(caught.value.subset), frozenset(caught.value.superset)
            assert subset < superset
            assert risks[superset] > risks[subset]
        elif reason == "least optimal":
            named = re.search(r"for (\S+) and (\S+) and \S+ for (\S+);", str(caught.value))
            assert named
            first, second, both = (frozenset(re.findall("X.", text)) for text in named.groups())
            assert first & second == both
            assert risks[first] == risks[second] == min(risks.values()) < risks[both]


def down_sets(n: int) -> Iterator[frozenset[Subset]]:
    """Yield every family of subsets that holds the subsets of its members."""
    every = subsets(default_features(n))
    families = [frozenset[Subset]()]
    for subset in every:  # by size: its own subsets are decided before
        families += [f | {subset} for f in families if all(t in f for t in every if t < subset)]
    yield from families


@pytest.mark.parametrize(("n", "k", "count"), [(2, 2, 6), (2, 3, 6), (3, 2, 20), (3, 3, 20), (4, 2, 168)])
@pytest.mark.one_in(3)
def test_every_vertex(n: int, k: int, count: int) -> None:
    families = list(down_sets(n))
    assert len(set(families)) == count
    for family in families:
        risks = {s: (1 - Fraction(1, k)) * (s in family) for s in subsets(default_features(n))}
        d = assert_had(risks, k, ())
        assert max(d.cardinalities) <= k ** (2 if n < 4 else 3)


def test_features_that_do_not_count_and_classes_that_do_not_occur() -> None:
    everywhere = {(): Fraction(1, 2), ("X1",): Fraction(1, 2)}
    flat = adversarial_with_risks(everywhere, 3, assume=ASSUMED[3])
    assert (flat.weights.tolist(), flat.has_unique_maximum().holds) == ([[2, 1, 1]], True)
    none = adversarial_with_risks({(): 0}, 4, assume=[fs.positive, fs.unique_maximum])
    assert none.weights.tolist() == [1, 0, 0, 0]
    assert_had({frozenset(): Fraction(1, 10**30)}, 2, ())
    coins: dict[tuple[str, ...], Any] = {(): "1/2", ("a",): "1/2", ("b",): "1/3", ("a", "b"): "1/4"}
    d = adversarial_with_risks(coins, 5, features=["b", "a"], target="t")
    assert (d.features, d.target, d.classes) == (("b", "a"), "t", (0, 1, 2, 3, 4))
    assert not d.weights[..., 2:].any()
    deep = {s: Fraction(64 - len(s) ** 2, 128) for s in subsets(default_features(8))}
    with pytest.raises(TooLargeError, match=r"rows of the construction .* cells"):
        adversarial_with_risks(deep)


@pytest.mark.parametrize("criterion", [criteria.logarithmic(), criteria.gini()])
def test_other_criteria_of_a_uniform_class(criterion: criteria.Criterion[Any]) -> None:
    rng = random.Random(1)
    for n, k in itertools.product(range(4), (2, 3)):
        shares = drawn(n, k, rng)
        top = 1 - Fraction(1, k)
        shares = {s: share / top if s else Fraction(1) for s, share in shares.items()}
        values = {s: share * (top if criterion == criteria.gini() else 1) for s, share in shares.items()}
        d = adversarial_with_risks(values, k, criterion=criterion, features=default_features(n))
        unit = fs.entropy(d, [d.target]) if criterion != criteria.gini() else 1
        assert all(criterion.value(d, s) == value * unit for s, value in values.items())
        assert len(set(d.weights.sum(axis=tuple(range(n))).tolist())) == 1


def test_risk_falls_and_information_rises_by_what_is_asked() -> None:
    rng = random.Random(2)
    for n in (0, 1, 2, 2, 3, 3):
        every = [frozenset(x for i, x in enumerate(default_features(n)) if mask >> i & 1) for mask in range(2**n)]
        falls, others = ([-risks[s] for s in every] for risks in (drawn(n, 2, rng), drawn(n, 2, rng)))
        falls = [f - falls[0] for f in falls]
        gains = [f + g - others[0] for f, g in zip(falls, others, strict=True)]  # what falls, gains
        d = distribution_with_gains(falls, gains)
        risks = risks_of(d)
        fallen, told = [Fraction(1, 4) - risks[s] for s in every], [fs.mutual_information(d, s) for s in every]
        assert fallen == [fallen[-1] * f / (falls[-1] or 1) for f in falls]
        assert all(t * gains[-1] == told[-1] * g for t, g in zip(told, gains, strict=True))
        assert (told[-1] > 0, fallen[-1] > 0) == (gains[-1] > 0, falls[-1] > 0)


def test_merging_ends_with_larger_distributions_when_its_share_of_the_time_is_over() -> None:
    """Three of four features know a bit, two know nothing: more steps make fewer states, and the risks stay."""
    risks = [Fraction(1, 2) if mask.bit_count() < 3 else Fraction(0) for mask in range(16)]
    found = {}
    for steps in (100, 300, 10_000):
        d = distribution_with_risks(risks, 2, frozenset(), clock := Steps(steps))
        assert list(fs.bayes_risks(d).values()) == sorted(risks, reverse=True)
        assert clock.steps > 0  # merging had a clock of its own, and half of what was left
        found[steps] = d.cardinalities
    assert found == {100: (8, 8, 8, 8), 300: (2, 8, 8, 8), 10_000: (2, 4, 8, 8)}
    with pytest.raises(OutOfTime):  # there are 64 rows
        distribution_with_risks(risks, 2, frozenset(), Steps(60))


def test_a_distribution_that_is_too_large_for_a_table_is_out_of_time_if_merging_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prescribed, "_MOST", 4000)
    risks = [Fraction(1, 2) if mask.bit_count() < 3 else Fraction(0) for mask in range(16)]
    assert distribution_with_risks(risks, 2, frozenset(), Steps(300)).cardinalities == (2, 8, 8, 8)
    with pytest.raises(OutOfTime):
        distribution_with_risks(risks, 2, frozenset(), Steps(100))
