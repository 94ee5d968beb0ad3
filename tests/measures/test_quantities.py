"""One quantity at a time, against the definitions as exponents of primes."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.measures.information import (
    conditional_entropy,
    conditional_mutual_information,
    entropy,
    info,
    information_lost,
    mutual_information,
)
from fstheory.numbers.logsum import LogSum, log
from fstheory.testing import joint_distributions
from tests.measures import literal_information as literal

SMALL = joint_distributions(huge=False)
Names = frozenset[str]

# found by search among 2 x 2 tables: no exchange of states makes one of the other
EQUAL = JointDistribution([[2, 3], [10, 2]]), JointDistribution([[2, 6], [6, 3]])


def variables(d: JointDistribution) -> st.SearchStrategy[Names]:
    return st.frozensets(st.sampled_from([*d.features, d.target]))


def primes(value: LogSum) -> literal.Logs:
    assert value.constant == 0
    return {prime: coefficient for coefficient, prime in value.simplify().terms}


@given(SMALL, st.data())
def test_entropies_and_informations(d: JointDistribution, data: st.DataObject) -> None:
    """The sets overlap at will."""
    a, b, c = (data.draw(variables(d)) for _ in range(3))
    at_a, at_b, at_c = ([i for i, name in enumerate([*d.features, d.target]) if name in names] for names in (a, b, c))
    pmf = d.to_pmf()
    assert primes(conditional_entropy(d, a, c)) == literal.conditional_entropy(pmf, at_a, at_c)
    assert primes(entropy(d, a)) == literal.conditional_entropy(pmf, at_a, [])
    expected = literal.conditional_mutual_information(pmf, at_a, at_b, at_c)
    assert primes(conditional_mutual_information(d, a, b, c)) == expected
    assert primes(mutual_information(d, a, b)) == literal.conditional_mutual_information(pmf, at_a, at_b, [])


@given(SMALL, st.data())
def test_information_lost(d: JointDistribution, data: st.DataObject) -> None:
    removed = data.draw(st.frozensets(st.sampled_from(d.features))) if d.features else frozenset()
    kept = [i for i, name in enumerate(d.features) if name not in removed]
    gone = [i for i, name in enumerate(d.features) if name in removed]
    expected = literal.conditional_mutual_information(d.to_pmf(), [len(d.features)], gone, kept)
    assert primes(information_lost(d, removed)) == expected


@given(joint_distributions(), st.data())
def test_identities_and_inequalities_hold_exactly(d: JointDistribution, data: st.DataObject) -> None:
    """Weights of thousands of bits among them; all compare exact numbers."""
    a, b, c, e = (data.draw(variables(d)) for _ in range(4))
    both = conditional_mutual_information(d, a, b | e, c)
    assert both == conditional_mutual_information(d, a, e, c) + conditional_mutual_information(d, a, b, c | e)
    assert conditional_mutual_information(d, a, b, c) == conditional_mutual_information(d, b, a, c)
    assert entropy(d, a | b) == entropy(d, a) + conditional_entropy(d, b, a)
    assert mutual_information(d, a, b) == entropy(d, a) - conditional_entropy(d, a, b)
    assert mutual_information(d, a, a) == entropy(d, a)
    assert 0 <= conditional_mutual_information(d, a, b, c) <= conditional_entropy(d, a, c)
    assert entropy(d, {d.target}) <= log(len(d.classes))
    assert entropy(d, {d.target}, base=2) == entropy(d, {d.target}).in_base(2)


def test_no_event_of_probability_zero_matters() -> None:
    """A state, a class and a feature state that never occur."""
    d = JointDistribution([[1, 1, 0], [2, 0, 0], [0, 0, 0]])
    lean = JointDistribution([[1, 1], [2, 0]])
    for names in ({"X1"}, {"Y"}, {"X1", "Y"}):
        assert entropy(d, names) == entropy(lean, names)
    assert entropy(d, {"X1"}, base=2) == 1


def test_of_no_variables_nothing_is_unknown() -> None:
    d = gallery.titanic()
    assert entropy(d, ()) == mutual_information(d, (), {"sex"}) == conditional_entropy(d, (), {"sex"}) == 0


def test_equal_though_the_floats_differ() -> None:
    """Two distributions, not the same up to names, that have the same mutual information."""
    first, second = EQUAL
    values = [info(d, "I(Y; X1)") for d in (first, second)]
    assert values[0] == values[1]
    assert hash(values[0]) == hash(values[1])
    assert in_floats(first) != in_floats(second)


def test_apart_by_less_than_any_float() -> None:
    """They differ by less than 1e-40, and the order is decided."""
    n = 10**45
    first, second = JointDistribution([[3 * n, n], [n, 3 * n]]), JointDistribution([[3 * n + 1, n], [n, 3 * n]])
    less, more = (info(d, "I(Y; X1)") for d in (first, second))
    assert less != more
    assert 0 < abs(more - less) < Fraction(1, 10**40)
    assert (less < more) is not (more < less)
    assert literal.precise(first.to_pmf(), [1], [0], 120) != literal.precise(second.to_pmf(), [1], [0], 120)


def in_floats(d: JointDistribution) -> float:
    """Return I(Y; X1) as it is usually computed."""
    p = d.weights / d.total
    return float((p * np.log(p / (p.sum(axis=0) * p.sum(axis=1, keepdims=True)))).sum())
