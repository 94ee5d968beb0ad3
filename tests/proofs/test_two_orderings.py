"""Risk in one order and information in another: all pairs for two features, random ones for three, in rationals."""

import itertools
import operator
import random
from collections.abc import Iterator
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import InvalidValueError
from fstheory.measures.information import conditional_entropy_table
from fstheory.proofs.construction import WeakOrder, weak_order
from fstheory.proofs.realization import two_orderings
from tests.proofs.weak_order_lists import random_weak_order, weak_orders


def broken(one: WeakOrder, other: WeakOrder) -> Iterator[tuple[int, int]]:
    """Yield what no distribution has: a subset of the same information and another risk."""
    for s, t in itertools.product(range(len(one.ranks)), repeat=2):
        if s & t == s and other.ranks[s] == other.ranks[t] and one.ranks[s] != one.ranks[t]:
            yield s, t


def assert_ordered(one: WeakOrder, other: WeakOrder) -> None:
    """Both exactly as asked: the risks are rational, and what is left of the entropy is compared exactly."""
    d = two_orderings(str(one), str(other))
    assert weak_order(fs.bayes_risks(d).ordering()) == one
    assert weak_order(conditional_entropy_table(d).ordering()) == other


def test_all_pairs_for_two_features() -> None:
    pairs = list(itertools.product(weak_orders(2), repeat=2))
    possible = [pair for pair in pairs if not list(broken(*pair))]
    assert (len(pairs), len(possible)) == (144, 61)
    for one, other in possible:
        assert_ordered(one, other)
    names = ["{}", "X1", "X2", "X1X2"]  # by mask
    for one, other in pairs:
        shown = [f"give {names[s]} and {names[t]} one Bayes risk" for s, t in broken(one, other)]
        if shown:
            with pytest.raises(InvalidValueError) as caught:
                two_orderings(one, other)
            assert any(reason in str(caught.value) for reason in shown)


@pytest.mark.parametrize("count", [40, pytest.param(500, marks=pytest.mark.thorough)])
def test_random_pairs_for_three_features(count: int) -> None:
    """With ties; half of them with ties of information between subsets whose risks differ."""
    rng, had = random.Random(count), [0, 0]
    while sum(had) < count:
        one, other = random_weak_order(3, rng=rng), random_weak_order(3, rng=rng)
        if not any(broken(one, other)):
            apart = any(
                other.ranks[s] == other.ranks[t] and one.ranks[s] != one.ranks[t]
                for s, t in itertools.combinations(range(8), 2)
            )
            if had[apart] <= count // 2:
                had[apart] += 1
                assert_ordered(one, other)


def are_possible(*orders: WeakOrder) -> bool:
    """Whether impurity and information tie alike along inclusion, and informations tie only if all three tie."""
    risk, information, impurity = (order.ranks for order in orders)
    for s, t in itertools.combinations(range(len(risk)), 2):
        if information[s] == information[t] and (risk[s], impurity[s]) != (risk[t], impurity[t]):
            return False
        if s & t == s and information[s] != information[t] and impurity[s] == impurity[t]:
            return False
    return True


def assert_all_three(*orders: WeakOrder) -> None:
    d = two_orderings(*map(str, orders))
    tables = (fs.bayes_risks(d), conditional_entropy_table(d), fs.criterion_values(d, "gini"))
    assert tuple(weak_order(table.ordering()) for table in tables) == orders


def test_all_triples_for_two_features() -> None:
    triples = list(itertools.product(weak_orders(2), repeat=3))
    possible = [triple for triple in triples if are_possible(*triple)]
    assert (len(triples), len(possible)) == (1728, 101)
    for triple in possible:
        assert_all_three(*triple)
    for triple in random.Random(0).sample(triples, 200):
        if not are_possible(*triple):
            with pytest.raises(InvalidValueError, match=r"^(first|second|third) must.* (part|join) them in "):
                two_orderings(*triple)


@pytest.mark.parametrize("count", [8, pytest.param(200, marks=pytest.mark.thorough)])
def test_random_triples_for_three_features(count: int) -> None:
    rng, found = random.Random(count), 0
    while found < count:
        triple = [random_weak_order(3, rng=rng) for _ in range(3)]
        if are_possible(*triple):
            found += 1
            assert_all_three(*triple)


@pytest.mark.parametrize("seed", range(24))
def test_what_compares_risks_and_informations_is_true_if_it_is_for_all_pairs(seed: int) -> None:
    """Whatever the numbers of states and of classes; it is never left undecided."""
    rng, names = random.Random(seed), [frozenset(), frozenset({"X1"}), frozenset({"X2"}), frozenset({"X1", "X2"})]
    signs: dict[str, Any] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
    parts: list[Any] = [(rng.randrange(2), rng.choice(list(signs)), *rng.sample(range(4), 2)) for _ in range(3)]

    @fs.claim
    def drawn(m: fs.logic.Model) -> Any:
        told: Any = (m.risk, lambda subset: -m.mutual_information(subset))
        first, second, third = (signs[sign](told[kind](names[s]), told[kind](names[t])) for kind, sign, s, t in parts)
        return m.implies(first & second, third)

    pairs = [pair for pair in itertools.product(weak_orders(2), repeat=2) if not any(broken(*pair))]
    ranks = [[signs[sign](pair[kind].ranks[s], pair[kind].ranks[t]) for kind, sign, s, t in parts] for pair in pairs]
    true = all(third or not (first and second) for first, second, third in ranks)
    assert fs.prove(drawn, features=2, classes=rng.choice([2, 3, None])).status == ("proved" if true else "refuted")
