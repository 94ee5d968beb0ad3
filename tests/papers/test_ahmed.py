"""What the ledger says of Ahmed et al. agrees with the library and with the definitions, on random distributions."""

import functools
import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.expressions import Term
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.logic.verdict import Holds, Refuted, Vacuous
from fstheory.measures import criteria
from fstheory.measures.information import mutual_information
from fstheory.papers import ahmed_2015, terms
from fstheory.papers.ahmed_2015 import BENEFITS
from fstheory.selection.relevant import conditionally_independent
from fstheory.selection.submodularity import compare_greedy
from tests.papers.drawn import both_occur, drawn, each_drawn, formula_of, last_comparison, subsets, value

BINARY = ((2, 2), (3, 2), (2, 2, 2), (2, 3, 2), (2, 2, 2, 2))


def test_example_1() -> None:
    d = gallery.ahmed_example_1()
    for key, holds in {"A-1": True, "A-1u": True, "A-1m": True, "A-1n": False, "A-1g": False}.items():
        assert isinstance(claims[key].check(d), Holds if holds else Refuted), key
    nats = [mutual_information(d, [i], ["Y"]) for i in ("X1", "X2")]
    assert [f"{float(number):.2f}" for number in nats] == ["0.06", "0.12"]
    etas = [d.posterior({i: x})[1] for i in ("X1", "X2") for x in (0, 1)]
    assert [f"{float(eta):.2f}" for eta in etas] == ["0.22", "0.63", "0.07", "0.49"]
    other = JointDistribution([[[378, 18], [252, 162]], [[42, 12], [28, 107]]])
    assert isinstance(claims["A-1"].check(other), Vacuous)
    assert isinstance(claims["A-1"].check(drawn(0)), Vacuous)  # of another shape


CRITERIA: dict[str, tuple[Callable[[Model, frozenset[str]], Term], Any]] = {
    "01": (lambda m, of: m.risk(of), criteria.zero_one()),
    "cost": (lambda m, of: terms.cost_closed(m, of, Fraction(1, 4)), criteria.cost_sensitive("1/4")),
    "bal": (terms.balanced_closed, criteria.balanced()),
    "log": (lambda m, of: m.conditional_entropy(of), criteria.logarithmic()),
    "sq": (terms.squared_error, criteria.squared_error()),
    "F": (lambda m, of: terms.f_best(m, of, Fraction(1)), criteria.f_measure()),
    "auc": (Model.auc, criteria.auc()),
    "gini": (Model.gini, criteria.gini()),
    "F_2 as printed": (lambda m, of: terms.f_best(m, of, Fraction(1, 4)), criteria.f_measure("1/2")),
}
"""Terms of the ledger, with the criterion of the library that has the same value."""


@pytest.mark.parametrize("name", CRITERIA)
def test_terms_of_measures(name: str) -> None:
    term, criterion = CRITERIA[name]
    for d in filter(both_occur, (drawn(seed, BINARY) for seed in range(15))):
        assert all(value(d, term(Model(d), of)) == criterion.value(d, of) for of in subsets(d))


@pytest.mark.thorough
@each_drawn(12, BINARY)
def test_loss_with_three_predictions(d: JointDistribution) -> None:
    loss = criteria.loss_matrix([[0, 1, ahmed_2015.FEE], [1, 0, ahmed_2015.FEE]], predictions=[0, 1, "ask"])
    for of in subsets(d):
        if of:
            assert formula_of("A-L", d, of)[0] == "="
            assert last_comparison("A-L", d, of) == (loss.value(d, of), loss.value(d, of))


def test_two_measures_are_no_expected_losses() -> None:
    """A-7x: of a mixture the F-measure and the AUC of a fixed predictor are not the mixture of their values."""
    right = JointDistribution([[1, 0], [0, 1]])  # the feature is the class
    found = []
    for d in (right, JointDistribution([[0, 1], [3, 0]]), JointDistribution([[2, 1], [3, 2]])):  # its opposite; both
        m = Model(d)
        cells = terms.cells_of(m, m.features)
        always = terms.f_value(m, cells, (True, True), Fraction(1))
        measured = (terms.auc(m, cells, (0, 1)), always, terms.balanced_loss(m, cells, (False, True)))
        found.append([value(d, term) for term in measured])
    assert found[:2] == [[1, Fraction(2, 3), 0], [0, Fraction(2, 5), 2]]
    assert found[2] == [Fraction(8, 15), Fraction(6, 11), Fraction(14, 15)]
    m = Model(right)  # A-7y: in one distribution they are no sums of a term for each state, either
    cells = terms.cells_of(m, m.features)
    for weight, all_positive in ((Fraction(1, 4), Fraction(5, 9)), (Fraction(4), Fraction(5, 6))):
        f = [value(right, terms.f_value(m, cells, h, weight)) for h in terms.choices(cells)]
        assert f == [0, 1, 0, all_positive]
    won = {(u, v): value(right, terms.auc(m, cells, (v, u))) for u, v in ((2, 0), (2, 1), (1, 0), (1, 1))}
    assert list(won.values()) == [1, 1, 1, Fraction(1, 2)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("key", BENEFITS)
def test_greedy_agrees_with_the_library(key: str) -> None:
    """Ties may fall in any way: as an order of the features breaks them."""
    four = JointDistribution.from_counts({(0, 0, 0, 0): 1, (0, 0, 1, 1): 1, (0, 1, 0, 1): 1, (1, 1, 1, 0): 1})
    outcomes = set()
    every = (four, *(drawn(seed, ((2, 2, 2, 2),), plain=True) for seed in range(10)))
    for d in filter(both_occur, every):
        orders = itertools.permutations(d.features)
        reached = any(compare_greedy(d, 2, CRITERIA[key][1], order=order).is_optimal for order in orders)
        assert isinstance(claims[f"A-Gg-{key}"].check(d), Holds) == reached
        outcomes.add(reached)
    assert outcomes == {True, False}


@each_drawn(60, ((2, 2, 2), (2, 3, 2), (2, 2, 3), (2, 2, 2, 2), (3, 2)))
def test_independence_given_the_class(d: JointDistribution) -> None:
    independent = all(conditionally_independent(d, [i], [j for j in d.features if j != i], ["Y"]) for i in d.features)
    found = claims["A-Gi-log"].check(d)
    assert isinstance(found, Holds if independent else Vacuous)


def test_independent_features_against_the_textbook() -> None:
    """Three witnesses; which class against which, and how many classes two bits need."""
    says = itertools.product((0, 1), repeat=4)
    jury = JointDistribution.from_counts({(*bits, y): 3 ** sum(x == y for x in bits) for *bits, y in says})
    four = JointDistribution.from_counts({(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 2): 1, (1, 1, 3): 1})
    rest = JointDistribution([[[0, 1, 1], [0, 0, 1]], [[0, 0, 1], [1, 0, 1]]])  # 00 and 11 against two fair bits
    for d, true, false in ((jury, "log sq auc", "01 bal F"), (four, "", "balm"), (rest, "balm", "bal")):
        for key in (*true.split(), *false.split()):
            assert isinstance(claims[f"A-Gi-{key}"].check(d), Holds if key in true.split() else Refuted), key
    assert isinstance(claims["A-Gi-auc"].stated().without("two_classes").check(rest), Refuted)


@pytest.mark.parametrize("many", [15, pytest.param(250, marks=pytest.mark.thorough)])
def test_auc_covers(many: int) -> None:
    """A-Gc-auc: no weight is below 0, with zeros and equal ratios of likelihoods."""
    rng = random.Random(many)
    for _ in range(many):
        sizes = [rng.randint(2, 3) for _ in range(rng.randint(1, 4))]
        choices = [[[rng.randint(1, 3), *rng.choices((0, 0, 1, 2, 3), k=size - 1)] for size in sizes] for _ in (0, 1)]
        parts = ([np.roll(choice, y) for choice in drawn_for] for y, drawn_for in enumerate(choices))
        one, two = (functools.reduce(np.multiply.outer, part) for part in parts)
        d = JointDistribution(np.stack([one * int(two.sum()), two * int(one.sum()) * rng.randint(1, 4)], axis=-1))
        areas, n = criteria.auc().table(d), len(d.features)
        weights = [-areas[{name for i, name in enumerate(d.features) if not mask >> i & 1}] for mask in range(2**n)]
        for i, mask in itertools.product(range(n), range(2**n)):
            weights[mask] -= weights[mask ^ 1 << i] if mask >> i & 1 else 0
        assert all(weight >= 0 for weight in weights[1:])
        assert n == 4 or isinstance(claims["A-Gc-auc"].check(d), Holds)
