"""The best policy against every decision tree, walked person by person, and known numbers."""

import itertools
import json
import pickle
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import fstheory as fs
from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.distributions.rows import is_table
from fstheory.measures import criteria
from tests.selection.distributions import distributions

Tree = Any  # None for a leaf, or a feature with a tree for each of its states
COSTS = ("0", "1/20", "1/7", "3")


def trees(free: frozenset[int], cards: tuple[int, ...], room: int) -> Iterator[Tree]:
    yield None
    for i in sorted(free) if room else ():
        yield from ((i, below) for below in itertools.product([*trees(free - {i}, cards, room - 1)], repeat=cards[i]))


def zero_one(cell: list[int]) -> Fraction:
    return Fraction(sum(cell) - max(cell))


def abstaining(cell: list[int]) -> Fraction:
    return min(zero_one(cell), Fraction(sum(cell), 5))


def gini(cell: list[int]) -> Fraction:
    return sum(cell) - Fraction(sum(weight**2 for weight in cell), sum(cell) or 1)


def criterion(name: str, d: JointDistribution) -> fs.criteria.Criterion[Any]:
    n = len(d.classes)
    rows: list[list[int | str]] = [[*(int(i != j) for j in range(n)), "1/5"] for i in range(n)]
    matrix = criteria.loss_matrix(rows, predictions=[*d.classes, "?"], name="abstaining")
    return {"zero_one": criteria.zero_one(), "abstaining": matrix, "gini": criteria.gini()}[name]


LOSSES = {"zero_one": zero_one, "abstaining": abstaining, "gini": gini}


def outcome(d: JointDistribution, tree: Tree, loss: Any, prices: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Send everybody through a tree. Return the loss with the cost, and the number of questions, both expected."""
    leaves: dict[Any, list[int]] = {}
    paid = asked = Fraction(0)
    for cell in np.ndindex(*d.cardinalities):
        weights, at, path = d.weights[cell].tolist(), tree, []
        while at is not None:
            i, below = at
            path.append((i, cell[i]))
            at, paid, asked = below[cell[i]], paid + prices[i] * sum(weights), asked + sum(weights)
        leaves[*path,] = [a + b for a, b in zip(leaves.get((*path,), [0] * len(weights)), weights, strict=True)]
    return (paid + sum(map(loss, leaves.values()), Fraction(0))) / d.total, asked / d.total


def check(d: JointDistribution, name: str, budget: int, prices: list[Fraction]) -> None:
    n = len(d.features)
    found = fs.best_questions(d, criterion(name, d), budget=budget, costs=dict(zip(d.features, prices, strict=True)))
    every = [outcome(d, tree, LOSSES[name], prices) for tree in trees(frozenset(range(n)), d.cardinalities, budget)]
    assert (found.value, found.questions) == min(every)
    assert found.value == found.risk + found.expected_cost == found.against_subsets().rows[-1].policy_value
    if name == "zero_one":
        wrong = (p for (*x, y), p in d.to_pmf().items() if p and found(dict(zip(d.features, x, strict=True))) != y)
        assert sum(wrong, Fraction(0)) == found.risk
    for node in found.nodes:
        assert node.share == d.probability(node.state) > 0
        assert len(node.state) <= budget


SMALL = distributions().filter(lambda d: sum(d.cardinalities) <= 6)
LARGER = distributions().filter(lambda d: sum(d.cardinalities) == 7)
SETTINGS = (
    st.sampled_from(sorted(LOSSES)),
    st.integers(0, 3),
    st.lists(st.sampled_from(COSTS), min_size=3, max_size=3),
)


@given(SMALL, *SETTINGS)
@settings(max_examples=12)
def test_no_tree_is_better(d: JointDistribution, name: str, budget: int, costs: list[str]) -> None:
    check(d, name, min(budget, len(d.features)), [*map(Fraction, costs)][: len(d.features)])


@pytest.mark.thorough
@given(LARGER, *SETTINGS)
@settings(max_examples=30)
def test_no_larger_tree_is_better(d: JointDistribution, name: str, budget: int, costs: list[str]) -> None:
    check(d, name, min(budget, len(d.features)), [*map(Fraction, costs)][: len(d.features)])


def test_known_numbers() -> None:
    two = fs.best_questions("titanic", budget=2)
    assert (two.risk, two.nodes[0].asks) == (Fraction(474, 2201), "age")
    assert [row.gain for row in two.against_subsets().rows] == [0, 0, Fraction(3, 2201)]
    everything = fs.best_questions("titanic")
    assert (everything.risk, everything.questions) == (Fraction(461, 2201), Fraction(4055, 2201))
    row = fs.best_questions("corral", budget=3).against_subsets().rows[3]
    assert (row.policy_value, row.subset_value, row.subset) == (
        Fraction(1, 16),
        Fraction(3, 16),
        frozenset({"A0", "A1"}),
    )


def test_exclusive_or_needs_both_questions_on_every_path() -> None:
    found = fs.best_questions("xor")
    assert [node.tied for node in found.nodes if node.asks] == [("X1", "X2"), ("X2",), ("X2",)]
    assert found.asked == {"X1": 1, "X2": 1}
    assert fs.best_questions("xor", costs={"X2": "1/2"}).nodes[0].verdicts == (0, 1)  # no better than to guess


@pytest.mark.parametrize("scale", [1, 2**29, 2**40, 2**61, 2**70])
def test_the_size_of_the_weights_does_not_matter(scale: int) -> None:
    """Costs of long denominators make the integers long, too."""
    titanic = gallery.titanic()
    weights = titanic.weights.astype(object) * scale
    weights[0, 0, 0, 0] += 1  # so that the weights have no common factor
    d = JointDistribution(weights, features=titanic.features)
    check(d, "zero_one", 1, [Fraction(1, 3**20), Fraction(0), Fraction(2**40 + 1, 2**41)])
    found = fs.best_questions(d, budget=2)
    assert [node.asks for node in found.nodes] == [node.asks for node in fs.best_questions("titanic", budget=2).nodes]


def test_the_cells_that_are_held_give_the_answer_of_the_table() -> None:
    rows = np.random.default_rng(0).integers(0, 2, (60, 17))
    held = fs.Sample([(*map(int, row), int(row[3] ^ row[5] & row[8])) for row in rows]).empirical()
    dense = JointDistribution(held.weights)
    assert (is_table(held), is_table(dense)) == (False, True)
    assert fs.best_questions(held, budget=2).nodes == fs.best_questions(dense, budget=2).nodes


def test_one_class_of_huge_weights_needs_no_question() -> None:
    found = fs.best_questions(JointDistribution(np.array([[2**70], [1]], dtype=object)), costs="1/3")
    assert (found.value, found.questions) == (Fraction(0), Fraction(0))


def test_a_loss_of_logarithms() -> None:
    found = fs.best_questions("corral", "logarithmic", budget=1)
    table = fs.criterion_values("corral", "logarithmic", max_size=1)
    assert found.value == table.minimum
    assert found.against_subsets().rows[1].gain == 0


@pytest.mark.parametrize("name", ["zero_one", "balanced", "gini", "logarithmic", "squared_error"])
def test_an_additive_criterion_is_the_sum_of_its_parts(name: str) -> None:
    d, made = gallery.random((3, 2), 3, rng=0), criteria.as_criterion(name)
    cells = d.weights.reshape(-1, 3)
    assert made.additive
    assert sum((made.of_cells(d, cell[None]) for cell in cells), Fraction(0)) == made.value(d, d.features)


def test_tables_that_do_not_fit_in_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstheory._support.memory.available_bytes", lambda: 2**25)
    large = JointDistribution(np.ones((2,) * 14, dtype=int))
    with pytest.raises(fs.TooLargeError, match=r"partial states must fit in .*; lower the budget"):
        fs.best_questions(large)
    assert fs.best_questions(large, budget=3).risk == Fraction(1, 2)


def test_the_answers_of_a_person() -> None:
    found = fs.best_questions("titanic", budget=2)
    assert found({"age": "child", "class": "3rd"}) == "no"
    with pytest.raises(fs.UnknownNameError, match="answer for the feature 'class' does not exist"):
        found({"age": "child", "sex": "male"})
    with pytest.raises(fs.InvalidValueError, match="person must be answers that occur together with positive"):
        found({"age": "child", "class": "crew"})
    with pytest.raises(fs.UnknownNameError, match="state of age 'old' does not exist"):
        found({"age": "old"})


def test_text_frame_and_rules() -> None:
    found = fs.best_questions("titanic", budget=2, costs="1/50")
    assert pickle.loads(pickle.dumps(found)) == found
    assert json.loads(json.dumps(found.to_dict()))["expected_cost"] == str(found.expected_cost)
    assert list(found.to_frame()["asks"].dropna()) == [node.asks for node in found.nodes if node.asks]
    assert found.rules[0] == "if sex=male: no (78.6%)"
    assert fs.best_questions("titanic", budget=0).rules == ("if nothing is known: no (100%)",)
    parity = np.indices((2,) * 7).sum(axis=0) % 2
    wide = JointDistribution(np.stack([parity, 1 - parity], axis=-1))  # every question is needed
    assert fs.best_questions(wide).questions == 7
    with pytest.raises(fs.InvalidValueError, match="policy must be of at most 100 leaves to be drawn"):
        fs.best_questions(wide).plot()
    assert " more nodes" in str(fs.best_questions(wide))


@pytest.mark.thorough
def test_the_picture_has_questions_answers_shares_and_verdicts() -> None:
    drawn = fs.best_questions("titanic", budget=2).plot().to_svg()
    assert all(text in drawn for text in ("ask sex", "female", "19.3%", "yes"))


@given(SMALL, st.integers(1, 3))
@settings(max_examples=20)
def test_theorems_1_and_2_of_the_chapter(d: JointDistribution, k: int) -> None:
    """A policy is worth at most the subsets of 1 + c + .. features, and the gain is bounded."""
    n, c, classes = len(d.features), max([2, *d.cardinalities]), len(d.classes)
    policy = fs.best_questions(d, budget=k).risk
    fixed = [fs.k_optimal(d, size).value for size in range(n + 1)]
    assert fixed[min(n, sum(c**j for j in range(k)))] <= policy <= fixed[min(n, k)]
    assert fixed[min(n, k)] - policy <= (1 - Fraction(1, c ** (k - 1))) * (1 - Fraction(1, classes))


def right(x: list[int], k: int, sign: Any, skipped: int | None = None) -> Fraction:
    """Return how often a random classifier of the chapter has the verdict of a tree of k questions, less one half.

    x has the answers at the nodes of the complete tree: node v has the nodes 2v and 2v + 1 below it, and the answer at
    a node of the last level is the verdict. The classifier sees a random path, perhaps without a level. It has the
    verdict at the end with the probability (1 + sign) / 2. The sign depends on the levels where x goes another way.
    """
    total, end, levels = Fraction(0), 1, range(k - 1)
    while end < 1 << (k - 1):
        end = 2 * end + x[end]
    branch = max((level for level in levels if level != skipped), default=0)
    for leaf in range(1 << (k - 1), 1 << k):
        path = [leaf >> (k - 1 - level) for level in levels]
        other = [level for level in levels if level != skipped and x[path[level]] != (leaf >> (k - 2 - level)) % 2]
        seen = leaf
        if skipped is not None:  # the classifier sees both ends
            other = [level for level in other if level != branch]
            seen = 2 * path[branch] + x[path[branch]]
            seen = seen if branch == k - 2 else 2 * seen + leaf % 2
        total += Fraction(sign(other)) * (1 if x[seen] == x[end] else -1)
    return total / (1 << k)


def one_other(other: list[int]) -> int:
    return (1, -1, 0)[min(len(other), 2)]


def follow(other: list[int]) -> int:
    return not other


MIXTURES: list[tuple[int, Fraction, list[Any]]] = [
    *((k, Fraction(2 * k, k + 1), [(2, one_other), *((1, follow, i) for i in range(k - 1))]) for k in (3, 4, 5)),
    (
        4,
        Fraction(12, 7),
        [
            (2, lambda other: 1 if other in ([0, 1], [0, 2]) else one_other(other)),
            (2, lambda other: Fraction(-1, 2) if other else 1, 0),
            (2, follow, 1),
            (1, lambda other: -1 if other else 1, 2),
        ],
    ),
]


@pytest.mark.parametrize(("k", "better", "mixture"), MIXTURES)
def test_k_features_guess_the_verdict_of_k_questions(k: int, better: Fraction, mixture: list[Any]) -> None:
    """The bounds on the gain of k binary questions: in each state, here in some, the mixture is right that often."""
    states = list(itertools.product((0, 1), repeat=7)) if k == 3 else np.random.default_rng(k).integers(0, 2, (20, 31))
    for x in ([0, *map(int, answers)] for answers in states):
        found = sum(times * right(x, k, sign, *skipped) for times, sign, *skipped in mixture)
        assert found / sum(times for times, *_ in mixture) == better / (1 << k)


def test_theorem_3_of_the_chapter() -> None:
    """Exchangeable features: the probabilities depend only on the number of ones, and on the class."""
    by_ones = np.random.default_rng(1).integers(0, 9, (6, 5, 3))
    for row in by_ones:
        d = JointDistribution(row[np.indices((2,) * 4).sum(axis=0)])
        assert [gain.gain for gain in fs.best_questions(d).against_subsets().rows] == [0] * 5


def test_theorem_4_of_the_chapter() -> None:
    """In each state, the questions of a policy of full risk are a sufficient reason, and S* is asked for."""
    for seed in range(8):
        weights = np.random.default_rng(seed).permutation(48).reshape(2, 3, 2, 4) + 1  # one best class in each state
        d = JointDistribution(weights)
        found = fs.best_questions(d)
        assert {name for name, share in found.asked.items() if share} >= set(fs.minimal_optimal(d).features)
        best = fs.bayes_classifier(d).table()
        for node in found.leaves:
            agree = [
                top for x, top in best.items() if node.state.items() <= dict(zip(d.features, x, strict=True)).items()
            ]
            assert set(agree) == {node.verdicts}


def test_numbers_that_no_machine_holds_beside_an_impossible_state() -> None:
    d = fs.JointDistribution([[[1, 2], [0, 0]], [[3, 0], [1, 1]]], states={"Y": [0, 10**155]})
    found = fs.best_questions(d, "squared_error")
    assert found.risk == fs.criterion_value(d, "squared_error", d.features)


def test_labels_that_are_true_or_false_are_written_as_states_show_them() -> None:
    d = JointDistribution.from_counts({(False, False): 1, (True, True): 1})
    assert "False: False (50%)" in str(fs.best_questions(d))
    assert "X1=True: True (50% of the people)" in str(fs.reasons(d))
