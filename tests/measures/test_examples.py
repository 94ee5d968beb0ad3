"""Examples 1 to 8 of Ahmed et al.: what is printed, and whether it is so."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.measures import criteria
from tests.measures import examples

FALSE = {"7: printed F_beta = usual F_beta", "7: every classifier with the best F_1 thresholds eta"}

pairs = st.tuples(st.integers(0, 30), st.integers(0, 30))


@pytest.mark.thorough
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
