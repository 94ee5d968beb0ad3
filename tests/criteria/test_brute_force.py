"""Every criterion is what the best of all predictors reaches, for every subset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstheory import JointDistribution, criteria
from fstheory.criteria import Criterion
from fstheory.reals import LogSum
from fstheory.subsets import indices_of, names_of
from fstheory.testing import joint_distributions
from tests.criteria import literal
from tests.criteria.literal import Cells

BETAS = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 5)])
SMALL = joint_distributions(max_features=2, cardinalities=(1, 2))
TWO = joint_distributions(max_features=2, cardinalities=(1, 2), classes=(2, 2))


def cells_by_mask(d: JointDistribution) -> list[Cells]:
    """Return the marginal of every subset."""
    pmf = {(*state, y): Fraction(0) for *state, y in all_keys(d)} | d.to_pmf()
    return [literal.cells_of(pmf, indices_of(mask)) for mask in range(2 ** len(d.features))]


def all_keys(d: JointDistribution) -> Any:
    """Return every cell of the sample space, also those of probability 0."""
    return product(*(d.states[name] for name in (*d.features, d.target)))


def all_occur(d: JointDistribution) -> bool:
    """Say whether no class has probability 0."""
    return all(d.probability({d.target: y}) > 0 for y in d.classes)


def agree(d: JointDistribution, criterion: Criterion[Any], best: Callable[[Cells], Any]) -> None:
    """Compare one subset, all subsets, and all subsets by two threads with the definition."""
    table, threaded = criterion.table(d), criterion.table(d, workers=2)
    for mask, cells in enumerate(cells_by_mask(d)):
        subset = names_of(mask, d.features)
        expected = best(cells)
        assert criterion.value(d, subset) == expected
        assert table[subset] == threaded[subset] == expected
    values = [best(cells) for cells in cells_by_mask(d)]
    assert table.ranks.tolist() == [sorted(set(values)).index(value) for value in values]


def attained(d: JointDistribution, criterion: Criterion[Any], reach: Callable[[Cells, Any], Fraction]) -> None:
    """Check the optimal choices of all subsets: each combination is optimal, and no other choice is."""
    for mask, cells in enumerate(cells_by_mask(d)):
        subset = names_of(mask, d.features)
        predictor = criterion.predictor(d, subset)
        best = criterion.value(d, subset)
        assert predictor.choices.keys() == cells.keys()
        assert predictor.free == {s for s, cell in cells.items() if not sum(cell.values())}
        predictions = {label for options in predictor.choices.values() for label in options} | set(d.classes)
        for h in literal.choices(cells, sorted(predictions, key=repr)):
            allowed = all(h[s] in predictor.choices[s] for s in cells if s not in predictor.free)
            assert (reach(cells, h) == best) == allowed


def wrong(y: Any, prediction: Any) -> Fraction:
    """Return the 0-1 loss."""
    return Fraction(int(y != prediction))


@given(SMALL)
def test_zero_one(d: JointDistribution) -> None:
    def reach(cells: Cells, h: Any) -> Fraction:
        return literal.expected_loss(cells, wrong, h)

    agree(d, criteria.zero_one(), lambda cells: min(reach(cells, h) for h in literal.choices(cells, d.classes)))
    attained(d, criteria.zero_one(), reach)


@given(TWO, st.fractions(Fraction(1, 50), Fraction(49, 50)), st.sampled_from([0, 1]))
def test_cost_sensitive(d: JointDistribution, cost: Fraction, positive: int) -> None:
    def loss(y: Any, prediction: Any) -> Fraction:
        if y == prediction:
            return Fraction(0)
        return cost if prediction == positive else 1 - cost

    def reach(cells: Cells, h: Any) -> Fraction:
        return literal.expected_loss(cells, loss, h)

    criterion = criteria.cost_sensitive(cost, positive=positive)
    agree(d, criterion, lambda cells: min(reach(cells, h) for h in literal.choices(cells, d.classes)))
    attained(d, criterion, reach)
    if positive == 1:
        assert dict(criteria.cost_sensitive(cost).table(d)) == dict(criterion.table(d))


@given(SMALL)
def test_balanced(d: JointDistribution) -> None:
    assume(all_occur(d))
    prior = {y: d.probability({d.target: y}) for y in d.classes}

    def reach(cells: Cells, h: Any) -> Fraction:
        return literal.expected_loss(cells, lambda y, p: wrong(y, p) / prior[y], h)

    agree(d, criteria.balanced(), lambda cells: min(reach(cells, h) for h in literal.choices(cells, d.classes)))
    attained(d, criteria.balanced(), reach)


@given(SMALL, st.data())
def test_loss_matrix(d: JointDistribution, data: st.DataObject) -> None:
    predictions = data.draw(st.sampled_from([["a"], ["a", "b"], ["a", "b", "c"]]))
    number = st.one_of(st.integers(-3, 3), st.fractions(-3, 3, max_denominator=9), st.integers(-(10**30), 10**30))
    matrix: dict[Any, dict[Any, Any]] = {y: {p: Fraction(data.draw(number)) for p in predictions} for y in d.classes}

    def reach(cells: Cells, h: Any) -> Fraction:
        return literal.expected_loss(cells, lambda y, p: Fraction(matrix[y][p]), h)

    nested = [list(matrix[y].values()) for y in d.classes]
    reordered = dict(reversed(matrix.items()))
    for criterion in (criteria.loss_matrix(reordered), criteria.loss_matrix(nested, predictions=predictions)):
        agree(d, criterion, lambda cells: min(reach(cells, h) for h in literal.choices(cells, predictions)))
    for mask, cells in enumerate(cells_by_mask(d)):
        predictor = criterion.predictor(d, names_of(mask, d.features))
        best = criterion.value(d, names_of(mask, d.features))
        for h in literal.choices(cells, predictions):
            allowed = all(h[s] in predictor.choices[s] for s in cells if s not in predictor.free)
            assert (reach(cells, h) == best) == allowed


def reached_f(measure: Any, positive: int, beta: Fraction, cells: Cells, h: Any) -> Fraction:
    """Return the F-measure of a classifier."""
    value: Fraction = measure(cells, h, positive, beta)
    return value


def best_f(reach: Callable[[Cells, Any], Fraction], classes: Sequence[Any], cells: Cells) -> Fraction:
    """Return the largest F-measure of all classifiers."""
    return max(reach(cells, h) for h in literal.choices(cells, classes))


@given(TWO, BETAS, st.sampled_from([0, 1]))
def test_f_measure(d: JointDistribution, beta: Fraction, positive: int) -> None:
    assume(d.probability({d.target: positive}))
    for criterion, measure in (
        (criteria.f_measure(beta, positive=positive), literal.f_measure),
        (criteria.f_measure_as_printed(beta, positive=positive), literal.f_measure_as_printed),
    ):
        reach = partial(reached_f, measure, positive, beta)
        agree(d, criterion, partial(best_f, reach, d.classes))
        attained(d, criterion, reach)
        assert criterion.larger_is_better


@given(TWO)
def test_auc(d: JointDistribution) -> None:
    assume(all_occur(d))
    criterion = criteria.auc()
    agree(d, criterion, lambda cells: max(literal.auc(cells, f, 1, 0) for f in literal.rankings(cells)))
    assert dict(criteria.auc(positive=0).table(d)) == dict(criterion.table(d))
    for mask, cells in enumerate(cells_by_mask(d)):
        subset = names_of(mask, d.features)
        assert literal.auc(cells, criterion.predictor(d, subset), 1, 0) == criterion.value(d, subset)


@given(st.integers(1, 70), st.data())
def test_posteriors_that_differ_in_the_last_bits(bits: int, data: st.DataObject) -> None:
    """Totals around every width at which the arithmetic changes, and posteriors that are nearly the same."""
    near = st.integers(max(0, 2**bits - 3), 2**bits + 3)
    table = data.draw(st.lists(st.tuples(near, near), min_size=3, max_size=4).filter(lambda t: all(map(all, t))))
    beta = data.draw(BETAS)
    d = JointDistribution(table)
    cells = cells_by_mask(d)[1]
    best = max(literal.auc(cells, f, 1, 0) for f in literal.rankings(cells))
    assert criteria.auc().value(d, d.features) == criteria.auc().table(d)[d.features] == best
    reach = partial(reached_f, literal.f_measure, 1, beta)
    assert criteria.f_measure(beta).value(d, d.features) == best_f(reach, d.classes, cells)
    impurity = sum(2 * cell[0] * cell[1] / (cell[0] + cell[1]) for cell in cells.values())
    assert criteria.gini().value(d, d.features) == criteria.gini().table(d)[d.features] == impurity


@given(SMALL, st.data())
def test_no_distribution_has_less_logarithmic_loss_than_the_posterior(
    d: JointDistribution, data: st.DataObject
) -> None:
    base = data.draw(st.sampled_from([None, 2, 10]))
    criterion = criteria.logarithmic(base)

    def loss(cells: Cells, q: Any) -> LogSum:
        pairs = [(-p, q[s][y]) for s, cell in cells.items() for y, p in cell.items() if p]
        return LogSum(pairs, base=base)

    table = criterion.table(d)
    for mask, cells in enumerate(cells_by_mask(d)):
        subset = names_of(mask, d.features)
        posteriors = criterion.predictor(d, subset)
        value = criterion.value(d, subset)
        assert value == table[subset] == loss(cells, posteriors)
        others = {}
        for s in cells:
            raw = {y: data.draw(st.integers(1, 9)) for y in d.classes}
            others[s] = {y: Fraction(weight, sum(raw.values())) for y, weight in raw.items()}
        assert loss(cells, others) >= value
        assert all(sum(q.values()) == 1 for q in posteriors.values())


@given(joint_distributions(max_features=2, cardinalities=(1, 3), classes=(1, 4)), st.data())
def test_no_point_has_less_squared_error_than_the_mean(d: JointDistribution, data: st.DataObject) -> None:
    numbers = data.draw(
        st.lists(st.one_of(st.integers(-3, 3), st.fractions(max_denominator=99)), min_size=4, max_size=4, unique=True)
    )
    d = JointDistribution(d.weights, states={"Y": [*map(str, numbers[: len(d.classes)])]})

    def loss(cells: Cells, q: Any) -> Fraction:
        return literal.expected_loss(cells, lambda y, prediction: (prediction - Fraction(y)) ** 2, q)

    criterion = criteria.squared_error()
    table = criterion.table(d)
    for mask, cells in enumerate(cells_by_mask(d)):
        subset = names_of(mask, d.features)
        means = criterion.predictor(d, subset)
        assert criterion.value(d, subset) == table[subset] == loss(cells, means)
        others = {s: data.draw(st.fractions(-4, 4, max_denominator=5)) for s in cells}
        away = sum((sum(cell.values()) * (others[s] - means[s]) ** 2 for s, cell in cells.items()), Fraction(0))
        assert loss(cells, others) == table[subset] + away


@given(SMALL, st.data())
def test_no_distribution_has_a_lower_brier_score_than_the_posterior(d: JointDistribution, data: st.DataObject) -> None:
    def loss(cells: Cells, q: Any) -> Fraction:
        return literal.expected_loss(
            cells, lambda y, p: sum(((Fraction(int(i == y)) - p[i]) ** 2 for i in d.classes), Fraction(0)), q
        )

    criterion = criteria.gini()
    table = criterion.table(d)
    for mask, cells in enumerate(cells_by_mask(d)):
        subset = names_of(mask, d.features)
        posteriors = criterion.predictor(d, subset)
        value = criterion.value(d, subset)
        assert value == table[subset] == loss(cells, posteriors)
        impurity = Fraction(0)
        for cell in cells.values():
            if mass := sum(cell.values()):
                impurity += mass * (1 - sum(((p / mass) ** 2 for p in cell.values()), Fraction(0)))
        assert value == impurity
        others = {}
        for s in cells:
            raw = {y: data.draw(st.integers(0, 9)) for y in d.classes}
            others[s] = {y: Fraction(weight, max(1, sum(raw.values()))) for y, weight in raw.items()}
        assert loss(cells, others) >= value


@pytest.mark.parametrize("name", ["zero_one", "balanced", "logarithmic", "squared_error", "gini", "f_measure", "auc"])
@given(d=joint_distributions(max_features=3, classes=(2, 2)))
def test_more_features_never_hurt(name: str, d: JointDistribution) -> None:
    assume(all_occur(d))
    table = criteria.criterion_values(d, name)
    for mask in range(2 ** len(d.features)):
        for i in range(len(d.features)):
            smaller, larger = table.value_at(mask & ~(1 << i)), table.value_at(mask | 1 << i)
            assert larger >= smaller if table.larger_is_better else larger <= smaller
