"""A distribution is a value: lowest terms, equality, hash, copies, and nothing that changes it."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution, independent_features, sample
from fstheory.distributions import gallery
from fstheory.distributions.joint import product
from fstheory.selection.adversary import spread
from fstheory.testing import joint_distributions

WORD = 2**63


@given(joint_distributions())
def test_lowest_terms(d: JointDistribution) -> None:
    flat = d.weights.ravel().tolist()
    assert math.gcd(*flat) == 1
    assert sum(flat) == d.total
    assert {type(weight) for weight in flat} == {int}
    assert d.weights.dtype == (np.int64 if d.total < WORD else object)
    assert not d.weights.flags.writeable
    assert d.weights.shape == (*d.cardinalities, len(d.classes))


@given(joint_distributions(), st.integers(1, 2**70), st.integers(1, 2**70))
def test_a_common_factor_means_nothing(d: JointDistribution, above: int, below: int) -> None:
    scaled = JointDistribution([Fraction(w * above, below) for w in d.weights.ravel().tolist()])
    flat = JointDistribution(d.weights.ravel())
    assert scaled == flat
    assert hash(scaled) == hash(flat)


@pytest.mark.parametrize("total", [WORD - 1, WORD, WORD + 1, 2**64 - 1, 2**64, 2**4000 + 1])
def test_at_the_edge_of_a_machine_word(total: int) -> None:
    for weights in ([total - 1, 1], [[total - 3, 1], [2, 0]], [total // 2, total - total // 2]):
        d = JointDistribution(weights)
        divisor = math.gcd(*np.array(weights, dtype=object).ravel().tolist())
        assert d.total == total // divisor
        assert d.weights.dtype == (np.int64 if d.total < WORD else object)
        assert sum(d.to_pmf().values()) == 1
        assert JointDistribution(np.array(weights, dtype=object)) == d
        assert d.probability({"Y": 1}) == Fraction(int(d.weights[..., 1].sum()), d.total)


@pytest.mark.parametrize("large", [2**power for power in range(61, 68)])
def test_what_makes_distributions_holds_weights_about_as_large_as_a_machine_word(large: int) -> None:
    half, rest = JointDistribution([2**31, 1]), Fraction(2**31, large + 2**31)
    for d in (
        JointDistribution.from_counts({(0,): large, (1,): 1}),
        product(half, JointDistribution([large >> 31, 1])),
        independent_features(half, {"X": {0: 1 - rest, 1: rest}}),
        gallery.parity(0, noise=Fraction(1, large + 1)),
        spread([0, 1], large, (2, 2), ["X1"], None),
    ):
        assert max(d.weights.ravel().tolist()) == large


def test_wide_weights_become_narrow_when_they_can() -> None:
    d = JointDistribution([[2**80, 2**80], [3, 0]])
    assert d.weights.dtype == object
    assert d.condition({"X1": 0}).weights.dtype == np.int64
    assert d.condition({"X1": 0}) == JointDistribution([[1, 1], [0, 0]])
    assert JointDistribution([2**80, 2**81]).weights.dtype == np.int64
    many = JointDistribution(np.full((2, 2, 2, 2), 2**62))  # their sum leaves the word before they are reduced
    assert many.total == 16
    assert many.weights.dtype == np.int64


@pytest.mark.quick
@given(joint_distributions(named=True), joint_distributions(named=True))
def test_equality_is_that_of_names_and_numbers(d: JointDistribution, e: JointDistribution) -> None:
    alike = (d.features, d.target, dict(d.states), d.to_pmf()) == (e.features, e.target, dict(e.states), e.to_pmf())
    assert (d == e) is alike
    assert (d != e) is not alike
    assert not alike or hash(d) == hash(e)
    assert d != d.weights.tolist()
    assert d != d.to_pmf()


@given(joint_distributions(named=True, max_features=2))
def test_copies_are_equal_and_the_repr_is_read_back(d: JointDistribution) -> None:
    for twin in (pickle.loads(pickle.dumps(d)), copy.copy(d), copy.deepcopy(d)):
        assert twin == d
        assert hash(twin) == hash(d)
        assert repr(twin) == repr(d)
        assert not twin.weights.flags.writeable
    if d.total.bit_length() <= 2048:
        assert eval(repr(d), {"JointDistribution": JointDistribution}) == d
    else:
        assert repr(d).startswith("<JointDistribution of ")


def test_repr_of_default_labels_and_of_what_is_large() -> None:
    d = JointDistribution([1, 2], states={"Y": [False, True]})
    assert repr(d) == "JointDistribution([1, 2], states={'Y': (False, True)})"
    assert eval(repr(d)).classes[1] is True
    assert repr(JointDistribution(np.ones((8, 8, 2), dtype=int))) == (
        "<JointDistribution of 2 features: X1 (8), X2 (8); target Y (2); total weight 128>"
    )
    assert repr(JointDistribution([[3**20000, 1]])).endswith("total weight of 31700 bits>")


def test_it_keeps_no_reference_to_what_it_was_made_of() -> None:
    array = np.array([[1, 2], [3, 4]])
    wide = np.array([2**70, 1], dtype=object)
    labels, names = ["a", "b"], ["f"]
    d = JointDistribution(array, features=names, states={"f": labels})
    e = JointDistribution(wide)
    before = pickle.dumps((d, e))
    array[0, 0], wide[0], labels[0], names[0] = 9, 9, "z", "z"
    assert pickle.dumps((d, e)) == before


def test_it_cannot_be_changed() -> None:
    d = JointDistribution([[1, 2], [3, 4]])
    for name in ("weights", "total", "features", "target", "_weights", "_hash", "new"):
        with pytest.raises(AttributeError):
            setattr(d, name, 1)
    with pytest.raises(AttributeError):
        del d._weights
    s = sample(d, 9, rng=0)
    for name in ("m", "_codes", "_variables", "new"):
        with pytest.raises(AttributeError, match="a Sample is immutable; make a new one instead of setting"):
            setattr(s, name, 1)
    with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
        d.weights.setflags(write=True)
    with pytest.raises(ValueError, match="read-only"):
        d.weights[0, 0] = 9
    with pytest.raises(TypeError):
        d.states["X1"] = ()  # type: ignore[index]
    assert not hasattr(d, "__dict__")
