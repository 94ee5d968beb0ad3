"""Every criterion is what the best of all predictors reaches, for every subset, also of large totals and as printed."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from fstheory import JointDistribution, bayes_risk
from fstheory.distributions import gallery
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.subsets import indices_of, names_of
from fstheory.measures import criteria
from fstheory.measures.criterion import Criterion, _Values
from fstheory.numbers.logsum import LogSum
from fstheory.testing import joint_distributions
from tests.measures import examples, literal_criteria as literal
from tests.measures.literal_criteria import Cells

BETAS = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 5)])
SMALL = joint_distributions(max_features=2, cardinalities=(1, 2))
TWO = joint_distributions(max_features=2, cardinalities=(1, 2), classes=(2, 2))
Reach = Callable[[Cells, Any], Any]


def marginals(d: JointDistribution) -> Iterator[tuple[frozenset[str], Cells]]:
    """Yield every subset with its marginal, in which every cell is, also those of probability 0."""
    keys = product(*(d.states[name] for name in (*d.features, d.target)))
    pmf = dict.fromkeys(keys, Fraction(0)) | d.to_pmf()
    for mask in range(2 ** len(d.features)):
        yield names_of(mask, d.features), literal.cells_of(pmf, indices_of(mask))


def all_occur(d: JointDistribution) -> bool:
    """Say whether no class has probability 0."""
    return all(d.probability({d.target: y}) > 0 for y in d.classes)


def agree(d: JointDistribution, criterion: Criterion[Any], best: Callable[[Cells], Any]) -> None:
    """Compare one subset, all subsets, and all subsets by two threads with the definition."""
    table, threaded, values = criterion.table(d), criterion.table(d, threads=2), []
    for subset, cells in marginals(d):
        values.append(best(cells))
        assert criterion.value(d, subset) == table[subset] == threaded[subset] == values[-1]
    assert table.ranks.tolist() == [sorted(set(values)).index(value) for value in values]


def attained(d: JointDistribution, criterion: Criterion[Any], reach: Reach, predictions: Sequence[Any] = ()) -> None:
    """Compare with the best of all choices: each combination of optimal ones reaches it, and no other choice does."""
    predictions = predictions or d.classes
    best = max if criterion.larger_is_better else min
    agree(d, criterion, lambda cells: best(reach(cells, h) for h in literal.choices(cells, predictions)))
    for subset, cells in marginals(d):
        predictor, value = criterion.predictor(d, subset), criterion.value(d, subset)
        assert predictor.choices.keys() == cells.keys()
        assert predictor.free == {s for s, cell in cells.items() if not sum(cell.values())}
        assert {label for options in predictor.choices.values() for label in options} <= set(predictions)
        for h in literal.choices(cells, predictions):
            allowed = all(h[s] in predictor.choices[s] for s in cells if s not in predictor.free)
            assert (reach(cells, h) == value) == allowed


def expected(loss: literal.Loss) -> Reach:
    """Return the expected loss, of the marginal and the predictor."""
    return lambda cells, h: literal.expected_loss(cells, loss, h)


@pytest.mark.quick
@given(SMALL)
def test_zero_one(d: JointDistribution) -> None:
    attained(d, criteria.zero_one(), expected(lambda y, p: Fraction(int(y != p))))


@given(TWO, st.fractions(Fraction(1, 50), Fraction(49, 50)), st.sampled_from([0, 1]))
def test_cost_sensitive(d: JointDistribution, cost: Fraction, positive: int) -> None:
    criterion = criteria.cost_sensitive(cost, positive=positive)
    attained(d, criterion, expected(lambda y, p: (y != p) * (cost if p == positive else 1 - cost)))
    if positive == 1:
        assert dict(criteria.cost_sensitive(cost).table(d)) == dict(criterion.table(d))


@given(SMALL)
def test_balanced(d: JointDistribution) -> None:
    assume(all_occur(d))
    prior = {y: d.probability({d.target: y}) for y in d.classes}
    attained(d, criteria.balanced(), expected(lambda y, p: (y != p) / prior[y]))


@given(SMALL, st.data())
def test_loss_matrix(d: JointDistribution, data: st.DataObject) -> None:
    predictions = data.draw(st.sampled_from([["a"], ["a", "b"], ["a", "b", "c"]]))
    number = st.one_of(st.integers(-3, 3), st.fractions(-3, 3, max_denominator=9), st.integers(-(10**30), 10**30))
    matrix: dict[Any, dict[Any, Any]] = {y: {p: Fraction(data.draw(number)) for p in predictions} for y in d.classes}
    nested = [list(matrix[y].values()) for y in d.classes]
    reordered = dict(reversed(matrix.items()))
    for criterion in (criteria.loss_matrix(reordered), criteria.loss_matrix(nested, predictions=predictions)):
        attained(d, criterion, expected(lambda y, p: Fraction(matrix[y][p])), predictions)


@given(TWO, BETAS, st.sampled_from([0, 1]))
def test_f_measure(d: JointDistribution, beta: Fraction, positive: int) -> None:
    assume(d.probability({d.target: positive}))
    for weight, measure in ((beta, literal.f_measure), (1 / beta, literal.f_measure_as_printed)):
        criterion = criteria.f_measure(weight, positive=positive)
        assert criterion.larger_is_better
        attained(d, criterion, lambda cells, h, measure=measure: measure(cells, h, positive, beta))  # type: ignore[misc]


@given(TWO)
def test_auc(d: JointDistribution) -> None:
    assume(all_occur(d))
    criterion = criteria.auc()
    agree(d, criterion, lambda cells: max(literal.auc(cells, f, 1, 0) for f in literal.rankings(cells)))
    assert dict(criteria.auc(positive=0).table(d)) == dict(criterion.table(d))
    for subset, cells in marginals(d):
        assert literal.auc(cells, criterion.predictor(d, subset), 1, 0) == criterion.value(d, subset)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bits", [3, *range(24, 71)])
def test_totals_about_as_large_as_where_the_arithmetic_changes(bits: int) -> None:
    """The weight is in one cell or in two, or in two states, or three, of nearly the same posterior."""
    half = 2 ** (bits - 1)
    for rows in [
        [(1, 2 * half - 4), (1, 1)],
        [(half - 2, half - 1), (1, 1)],
        [(1, half - 2), (1, half - 3)],
        [(half - 3, half + 1), (half, half + 3), (half - 1, half + 2)],
    ]:
        d = JointDistribution(rows, states={"Y": [0, 31]})
        _, (_, cells) = marginals(d)
        best = max(literal.f_measure(cells, h, 31, Fraction(5, 2)) for h in literal.choices(cells, d.classes))
        assert criteria.f_measure("5/2").value(d, d.features) == best
        best = max(literal.auc(cells, f, 31, 0) for f in literal.rankings(cells))
        assert criteria.auc().value(d, d.features) == criteria.auc().table(d)[d.features] == best
        assert criteria.loss_matrix([[0, 7], [7, 0]]).value(d, d.features) == 7 * bayes_risk(d, d.features)
        spread = sum((cell[0] * cell[31] / sum(cell.values()) for cell in cells.values()), Fraction(0))
        assert criteria.squared_error().value(d, d.features) == 31**2 * spread
        assert criteria.gini().value(d, d.features) == criteria.gini().table(d)[d.features] == 2 * spread
    assert criteria.auc().table(JointDistribution([[1, 0], [0, 2**bits]])).maximum == 1


def no_less_than_the_posterior(
    d: JointDistribution, data: st.DataObject, criterion: Criterion[Any], loss: Reach, least: int
) -> None:
    """Compare the value with the loss of the predictor, and that with the loss of other distributions."""
    table = criterion.table(d)
    for subset, cells in marginals(d):
        posteriors, value = criterion.predictor(d, subset), criterion.value(d, subset)
        assert value == table[subset] == loss(cells, posteriors)
        assert all(sum(q.values()) == 1 for q in posteriors.values())
        others = {}
        for s in cells:
            raw = {y: data.draw(st.integers(least, 9)) for y in d.classes}
            others[s] = {y: Fraction(weight, max(1, sum(raw.values()))) for y, weight in raw.items()}
        assert loss(cells, others) >= value


@given(SMALL, st.sampled_from([None, 2, 10]), st.data())
def test_no_distribution_has_less_logarithmic_loss(d: JointDistribution, base: int | None, data: st.DataObject) -> None:
    def loss(cells: Cells, q: Any) -> LogSum:
        return LogSum([(-p, q[s][y]) for s, cell in cells.items() for y, p in cell.items() if p], base=base)

    no_less_than_the_posterior(d, data, criteria.logarithmic(base), loss, least=1)


@given(SMALL, st.data())
def test_no_distribution_has_a_lower_brier_score(d: JointDistribution, data: st.DataObject) -> None:
    loss = expected(lambda y, p: sum(((Fraction(int(i == y)) - p[i]) ** 2 for i in d.classes), Fraction(0)))
    no_less_than_the_posterior(d, data, criteria.gini(), loss, least=0)
    for subset, cells in marginals(d):
        masses = [(sum(cell.values()), cell) for cell in cells.values() if any(cell.values())]
        impurity = sum(mass * (1 - sum((p / mass) ** 2 for p in cell.values())) for mass, cell in masses)
        assert criteria.gini().value(d, subset) == impurity


@given(joint_distributions(max_features=2, cardinalities=(1, 3), classes=(1, 4)), st.data())
def test_no_point_has_less_squared_error_than_the_mean(d: JointDistribution, data: st.DataObject) -> None:
    numbers = data.draw(
        st.lists(st.one_of(st.integers(-3, 3), st.fractions(max_denominator=99)), min_size=4, max_size=4, unique=True)
    )
    d = JointDistribution(d.weights, states={"Y": [*map(str, numbers[: len(d.classes)])]})
    loss = expected(lambda y, prediction: (prediction - Fraction(y)) ** 2)
    criterion = criteria.squared_error()
    table = criterion.table(d)
    for subset, cells in marginals(d):
        means = criterion.predictor(d, subset)
        assert criterion.value(d, subset) == table[subset] == loss(cells, means)
        others = {s: data.draw(st.fractions(-4, 4, max_denominator=5)) for s in cells}
        away = sum((sum(cell.values()) * (others[s] - means[s]) ** 2 for s, cell in cells.items()), Fraction(0))
        assert loss(cells, others) == table[subset] + away


# Tables of totals of any size, and enclosures that enclose.

NAMES = ["zero_one", "balanced", "logarithmic", "squared_error", "gini", "f_measure", "auc"]


def random_distribution(seed: int, shape: tuple[int, ...], largest: int) -> JointDistribution:
    """Return a distribution with about half of its weights 0, every class among the others."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 2**30, size=shape).astype(object) * largest // 2**30
    weights[rng.random(shape) < 0.5] = 0
    weights[(0,) * (len(shape) - 1)] = 1
    return JointDistribution(weights)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("largest", [3, 2**20, 2**27, 2**32, 2**45, 2**58, 2**64, 2**90])
@pytest.mark.parametrize("name", NAMES)
def test_a_table_holds_the_value_of_each_subset_for_totals_of_any_size(name: str, largest: int) -> None:
    criterion = criteria.as_criterion(name)
    for seed in range(4):
        d = random_distribution(seed, (2, 3, 2, 2), largest)
        table = criterion.table(d)
        for mask in range(8):
            subset = names_of(mask, d.features)
            assert table[subset] == criterion.value(d, subset)
            assert criterion.value(d, subset) == criterion.value(d.marginal(subset), subset)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("largest", [5, 2**27, 2**58, 2**62, 2**64, 2**200])
@pytest.mark.parametrize("criterion", [criteria.gini(), criteria.squared_error(), criteria.f_measure()])
def test_enclosures_enclose_and_are_narrow(criterion: Criterion[Fraction], largest: int) -> None:
    labels = [-(10**6), Fraction(1, 3), 10**6]
    for seed in range(10):
        classes = 2 if criterion == criteria.f_measure() else 3
        weights = random_distribution(seed, (3, 2, 2, 2, classes), largest).weights
        d = JointDistribution(weights, states={"Y": labels[-classes:]})
        column = criterion.table(d).column
        assert isinstance(column, EnclosedColumn)
        span = 4 * 10**12 if criterion == criteria.squared_error() else 1
        assert (column.radii < 1e-13 * span).all()
        for mask in range(16):
            error = abs(Fraction(column.centers[mask]) - criterion.value(d, names_of(mask, d.features)))
            assert error <= Fraction(column.radii[mask])


@pytest.mark.parametrize("number", [sign * (2**63 + off) for sign in (1, -1) for off in (-1, 0, 1)])
def test_fractions_about_as_long_as_a_machine_word_are_kept(number: int) -> None:
    for value in (Fraction(number, 2), Fraction(number), Fraction(1, number)):
        values = _Values(1)
        values[0] = value
        assert values[0] == value


def test_the_enclosure_does_not_hang_on_where_the_numbers_lie_nor_on_the_range_of_floats() -> None:
    for span in (Fraction(10**400), Fraction(1, 10**400), Fraction(10**200)):
        d = JointDistribution([[3, 1], [1, 3]], states={"Y": [0, span]})
        table = criteria.squared_error().table(d)
        assert table[{"X1"}] == criteria.squared_error().value(d, {"X1"}) == Fraction(3, 16) * span**2
        assert table.ranks.tolist() == [1, 0]
    made = (JointDistribution([[3, 1], [1, 3]], states={"Y": [low, low + 1]}) for low in (10**40, 0))
    shifted, near = (criteria.criterion_values(d, "squared_error") for d in made)
    assert dict(shifted) == dict(near)
    assert (shifted.column.radii == near.column.radii).all()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_named_after_its_criterion(name: str) -> None:
    criterion = criteria.as_criterion(name)
    assert criteria.as_criterion(criterion) is criterion == criteria.as_criterion(name)
    table = criterion.table(JointDistribution([[2, 1], [1, 3]]))
    assert (table.name, table.symbol) == (criterion.name, criterion.symbol)
    assert table.larger_is_better is criterion.larger_is_better


def test_names_tell_parameters_and_costs_may_have_many_digits() -> None:
    cost = Fraction(2**70 + 1, 2**71)
    assert set(criteria.cost_sensitive(cost).table(JointDistribution([[0, 0], [1, 0]])).values()) == {0}
    assert criteria.cost_sensitive(cost).value(JointDistribution([[1, 1]]), ()) == (1 - cost) / 2
    assert criteria.cost_sensitive("0.25").name == "cost-sensitive loss (c = 1/4)"
    assert criteria.f_measure(2).name == "F-measure (beta = 2)"
    assert criteria.loss_matrix([[0]], name="nothing").name == "nothing"


# The examples of Ahmed et al.: what is printed, and whether it is so.

FALSE = {"7: printed F_beta = usual F_beta", "7: every classifier with the best F_1 thresholds eta"}

pairs = st.tuples(st.integers(0, 30), st.integers(0, 30))


@pytest.mark.thorough(2)
def test_the_closed_forms_on_the_smallest_marginals() -> None:
    checked, failed = examples.run(((1, 6), (2, 3), (3, 2)))
    assert failed.keys() == FALSE
    assert min(checked.values()) > 200
    assert len(failed["7: printed F_beta = usual F_beta"]) > 100


@given(st.lists(pairs, min_size=1, max_size=4).filter(lambda table: any(map(any, table))))
def test_the_closed_forms_on_larger_weights(table: list[tuple[int, int]]) -> None:
    wrong = {statement for statement, holds in examples.check(tuple(table)).items() if not holds}
    assert wrong <= FALSE


def test_a_best_classifier_need_not_threshold_the_posterior() -> None:
    """Two states of the same posterior, that of the threshold F / 2: one may be positive, the other not."""
    d = JointDistribution([[0, 2], [2, 1], [2, 1]])
    predictor = criteria.f_measure().predictor(d, d.features)
    assert criteria.f_measure().value(d, d.features) == Fraction(2, 3)
    assert predictor.choices == {(0,): (1,), (1,): (0, 1), (2,): (0, 1)}
    assert predictor.ties() == ((1,), (2,))


def test_example_1_by_every_criterion() -> None:
    d = gallery.ahmed_example_1()
    chosen = {
        name: next(iter(criteria.criterion_values(d, name).best_of_size(1).subsets[0]))
        for name in ("zero_one", "balanced", "logarithmic", "gini", "f_measure", "auc")
    }
    assert chosen == {"zero_one": "X1", **dict.fromkeys(["balanced", "logarithmic", "gini", "f_measure", "auc"], "X2")}
