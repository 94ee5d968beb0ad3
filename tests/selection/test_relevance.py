"""Relevance, conditional independence, Markov blankets and boundaries against the literal definitions."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.errors import InvalidValueError, TooLargeError
from fstheory.selection import relevant
from fstheory.selection.relevant import conditionally_independent, markov_blankets, markov_boundary, relevance
from tests.literal import minimal
from tests.selection import literal
from tests.selection.distributions import GALLERY, distributions


def check_relevance(d: JointDistribution) -> None:
    world = literal.Literal(d)
    found = relevance(d)
    assert (found.strong, found.weak) == literal.relevant(world)
    assert found.strong == relevant.strongly_relevant(d)
    assert found.irrelevant == frozenset(d.features) - found.strong - found.weak
    assert set(found.witnesses) == found.strong | found.weak
    for name, witness in found.witnesses.items():
        ways = [s for s in world.marginals if name not in s and literal.matters(world, name, s)]
        expected = frozenset(d.features) - {name} if name in found.strong else ways[0]
        assert witness.given == expected
        assert set(witness.state) == witness.given
        first, second = (d.posterior({**witness.state, name: value}) for value in witness.values)
        assert first != second


def check_blankets(d: JointDistribution) -> None:
    world = literal.Literal(d)
    all_blankets = literal.blankets(world)
    expected = minimal(all_blankets)
    found = markov_blankets(d)
    assert set(found) == expected
    assert [subset for subset in world.marginals if subset in expected] == list(found)
    assert frozenset.intersection(*found) == relevant.strongly_relevant(d)
    if len(found) == 1:
        assert markov_boundary(d) == found[0]
    else:
        with pytest.raises(InvalidValueError, match="single minimal Markov blanket"):
            markov_boundary(d)


@example(gallery.recoded())
@given(distributions() | st.sampled_from(sorted(GALLERY)).map(lambda name: GALLERY[name]()))
def test_relevance_and_blankets_as_defined(d: JointDistribution) -> None:
    check_relevance(d)
    check_blankets(d)


def test_blankets_of_a_table_that_is_opened_in_blocks() -> None:
    d = gallery.parity(14)
    assert markov_blankets(d) == (frozenset(d.features),)
    assert relevance(gallery.asia()).to_dict()["weak"] == ["asia", "smoke", "tub", "lung", "either", "xray"]


@given(st.data(), distributions())
def test_conditional_independence_as_defined(data: st.DataObject, d: JointDistribution) -> None:
    places = {name: data.draw(st.integers(0, 3)) for name in d.states}
    a, b, c = ([name for name in d.states if places[name] == group] for group in range(3))
    expected = literal.independent(d, a, b, c)
    assert conditionally_independent(d, a, b, c) == conditionally_independent(d, b, a, c) == expected


def test_a_feature_that_is_relevant_beside_one_other_takes_no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relevant, "subset_sums", None)
    found = relevance(gallery.copies(16))
    assert found.weak == set(found.features)
    assert {witness.given for witness in found.witnesses.values()} == {frozenset()}
    found = relevance(gallery.with_copy(gallery.xor(), "X1"))
    assert found.witnesses["X1"].given == {"X2"}


@pytest.mark.thorough
def test_a_sweep_that_takes_too_long_is_refused() -> None:
    with pytest.raises(
        TooLargeError, match=r"^d, of which X1 is looked at, must be of at most 536,870,912 cells in all"
    ):
        relevance(JointDistribution(np.ones((2,) * 21, dtype=np.int64)))


def test_posteriors_that_differ_in_the_last_bit() -> None:
    """Weights near 2**62, whose products leave 64 bits and whose quotients agree as floats."""
    big = 2**61
    d = JointDistribution([[big, big - 1], [big, big + 1]])
    assert relevance(d).strong == {"X1"}
    assert not conditionally_independent(d, {"X1"}, {"Y"})
    hidden = JointDistribution([[[big, big - 1], [0, 0]], [[0, 0], [big, big + 1]]])  # a feature and its copy
    assert relevance(hidden).weak == {"X1", "X2"}
    same = JointDistribution([[[big, big], [0, 0]], [[0, 0], [1, 1]]])
    assert relevance(same).irrelevant == {"X1", "X2"}
    assert markov_blankets(same) == (frozenset(),)


def test_products_that_agree_modulo_a_word() -> None:
    """Given Z = 0, p(x, y) p(z) and p(x) p(y) differ by a multiple of 2**64; without Z they are equal."""
    low, high = 2**32, 2**33
    slices = [[[low, high], [high, low]], [[high, low], [low, high]], [[1, 1], [1, 1]]]
    weights = [[[rows[x] if x == copy else [0, 0] for copy in range(2)] for x in range(2)] for rows in slices]
    d = JointDistribution(weights, features=["Z", "X", "copy"])
    found = relevance(d)
    assert [found.strong, found.weak, found.witnesses["X"].given] == [{"Z"}, {"X", "copy"}, {"Z"}]


def test_products_that_differ_by_a_word() -> None:
    """The total is as small as it can be: not much above 2**33."""
    d = gallery.with_copy(JointDistribution([[2**32 + 1, 2**16], [2**16, 2**32]]), "X1", "copy")
    assert relevance(d).weak == {"X1", "copy"}


def test_the_asia_network() -> None:
    """Given bronchitis and either disease, dyspnea depends on nothing else; 'either' can be had in two ways."""
    d = gallery.asia()
    assert conditionally_independent(d, {"dysp"}, {"asia", "smoke", "tub", "lung", "xray"}, {"bronc", "either"})
    assert markov_blankets(d) == (frozenset({"bronc", "either"}), frozenset({"tub", "lung", "bronc"}))
    found = relevance(d)
    assert found.strong == {"bronc"}
    assert found.irrelevant == frozenset()


def test_the_error_names_the_blankets() -> None:
    named = re.escape("it has X1, X2, X3, X4, X5, X6 and 2 more: use")
    with pytest.raises(InvalidValueError, match=named):
        markov_boundary(gallery.copies(8))


def test_what_is_told_of_relevance_cannot_be_changed() -> None:
    found: Any = relevance(gallery.asia())
    assert str(relevance(gallery.xor())) == "strongly relevant: X1, X2\nweakly relevant: (none)\nirrelevant: (none)"
    for mapping in (found.witnesses, found.witnesses["bronc"].state):
        with pytest.raises(TypeError):
            mapping["smoke"] = None
