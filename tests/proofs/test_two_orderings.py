"""Risk in one order, information in another, impurity in a third: all for two features, random ones for three."""

import itertools
import operator
import random
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import InvalidValueError
from fstheory.measures.information import conditional_entropy_table
from fstheory.proofs.construction import WeakOrder, weak_order
from fstheory.proofs.realization import two_orderings
from fstheory.selection.prescribed import distribution_with_three_gains
from tests.proofs.weak_order_lists import random_weak_order, weak_orders

Orders = tuple[WeakOrder, ...]


def are_possible(orders: Orders) -> bool:
    """Whether orders of risk, information and, if there is a third, impurity belong to one distribution.

    Where a superset tells no more than a subset, their risks tie. A third order ties along inclusion exactly where the
    second does, and then subsets of equal information tie in all three.
    """
    risk, information, *rest = (order.ranks for order in orders)
    for s, t in itertools.combinations(range(len(risk)), 2):
        same, others = information[s] == information[t], [other[s] == other[t] for other in (risk, *rest)]
        if same and not all(others) and (rest or s & t == s):
            return False
        if s & t == s and not same and any(others[1:]):
            return False
    return True


def check(orders: Orders) -> None:
    """Require a distribution with the orders, exactly, or that two subsets are named that may not be apart or tied."""
    if are_possible(orders):
        d = two_orderings(*map(str, orders))
        tables = (fs.bayes_risks(d), conditional_entropy_table(d), fs.criterion_values(d, "gini"))
        assert tuple(weak_order(table.ordering()) for table in tables[: len(orders)]) == orders
    else:
        with pytest.raises(
            InvalidValueError, match=r"^(first|second|third) must.* one Bayes risk|(part|join) them in "
        ):
            two_orderings(*orders)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("number", "every", "possible", "refused"), [(2, 144, 61, 83), (3, 1728, 101, 100)])
def test_all_for_two_features(number: int, every: int, possible: int, refused: int) -> None:
    found: dict[bool, list[Orders]] = {True: [], False: []}
    for orders in itertools.product(weak_orders(2), repeat=number):
        found[are_possible(orders)].append(orders)
    assert (len(found[True]), len(found[True] + found[False])) == (possible, every)
    for orders in found[True] + random.Random(0).sample(found[False], refused):
        check(orders)


def test_informations_that_are_close_stay_in_order() -> None:
    """X1 alone lowers the risk, by much, and X2 has a little more information."""
    d = distribution_with_three_gains([0, 100, 0, 100], [0, 100, 101, 201], [0, 100, 101, 201])
    assert str(fs.bayes_risks(d).ordering()) == "X1 = X1X2 < {} = X2"
    assert str(conditional_entropy_table(d).ordering()) == "X1X2 < X2 < X1 < {}"
    assert str(fs.criterion_values(d, "gini").ordering()) == "X1X2 < X2 < X1 < {}"


@pytest.mark.rotated(2)
@pytest.mark.parametrize(
    ("number", "count"), [(2, 20), (3, 4), *(pytest.param(n, 120, marks=pytest.mark.thorough) for n in (2, 3))]
)
def test_random_ones_for_three_features(number: int, count: int) -> None:
    """With ties; half of the pairs with ties of information between subsets whose risks differ."""
    rng, had = random.Random(count), [0, 0]
    while sum(had) < count:
        orders = tuple(random_weak_order(3, rng=rng) for _ in range(number))
        risk, information = (order.ranks for order in orders[:2])
        pairs = itertools.combinations(range(8), 2)
        apart = any(information[s] == information[t] and risk[s] != risk[t] for s, t in pairs)
        if are_possible(orders) and (number == 3 or had[apart] <= count // 2):
            had[apart] += 1
            check(orders)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(8))
def test_what_compares_risks_and_informations_is_true_if_it_is_for_all_pairs(seed: int) -> None:
    """For any numbers of states and classes; no claim is left undecided."""
    rng, names = random.Random(seed), [frozenset(), frozenset({"X1"}), frozenset({"X2"}), frozenset({"X1", "X2"})]
    signs: dict[str, Any] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
    parts: list[Any] = [(rng.randrange(2), rng.choice(list(signs)), *rng.sample(range(4), 2)) for _ in range(3)]

    @fs.claim
    def drawn(m: fs.logic.Model) -> Any:
        told: Any = (m.risk, lambda subset: -m.mutual_information(subset))
        first, second, third = (signs[sign](told[kind](names[s]), told[kind](names[t])) for kind, sign, s, t in parts)
        return m.implies(first & second, third)

    pairs = [pair for pair in itertools.product(weak_orders(2), repeat=2) if are_possible(pair)]
    ranks = [[signs[sign](pair[kind].ranks[s], pair[kind].ranks[t]) for kind, sign, s, t in parts] for pair in pairs]
    true = all(third or not (first and second) for first, second, third in ranks)
    assert fs.prove(drawn, features=2, classes=rng.choice([2, 3, None])).status == ("proved" if true else "refuted")
