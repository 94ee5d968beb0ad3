"""Every way to make a distribution makes the same one, exactly, in lowest terms."""

import datetime as dt
import itertools
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sympy
from hypothesis import given, strategies as st

from fstheory import JointDistribution, Sample, independent_features
from fstheory.distributions import build
from fstheory.distributions.build import Label
from fstheory.distributions.joint import mixture, product
from fstheory.errors import InvalidValueError, TooLargeError
from fstheory.testing import joint_distributions

DEEP: Label = 0
for _ in range(16):  # the most
    DEEP = (DEEP,)


def named(d: JointDistribution) -> dict[str, Any]:
    return {"features": d.features, "target": d.target, "states": dict(d.states)}


@given(joint_distributions(named=True), st.integers(1, 10**30), st.randoms(use_true_random=False))
def test_from_masses_counts_and_conditional_probabilities(
    d: JointDistribution, factor: int, rng: random.Random
) -> None:
    """A common factor and the order of the entries do not matter, cells without count may be left out."""
    pmf, variables = d.to_pmf(), named(d)
    assert JointDistribution.from_pmf(pmf, **variables) == d
    entries = [(cell, int(p * d.total) * factor) for cell, p in pmf.items() if p or rng.random() < 0.5]
    rng.shuffle(entries)
    assert JointDistribution.from_counts(dict(entries), **variables) == d
    prior = {x: sum(pmf[(*x, y)] for y in d.classes) for x in itertools.product(*list(d.states.values())[:-1])}
    given_x = {x: {y: pmf[(*x, y)] / p for y in d.classes} for x, p in prior.items() if p}
    for conditional in (given_x, given_x.__getitem__):
        assert JointDistribution.from_conditional(prior, conditional, **variables) == d


@given(joint_distributions(named=True, huge=False, max_weight=3), st.randoms(use_true_random=False))
def test_from_samples(d: JointDistribution, rng: random.Random) -> None:
    rows = [cell for cell, p in d.to_pmf().items() for _ in range(int(p * d.total))]
    rng.shuffle(rows)
    assert JointDistribution.from_samples(iter(rows), **named(d)) == d
    assert JointDistribution.from_samples([list(row) for row in rows], **named(d)) == d


@given(joint_distributions(), st.integers(1, 100))
def test_from_numbers_of_any_exact_kind(d: JointDistribution, below: int) -> None:
    weights = d.weights.astype(object)
    for number in (
        lambda w: w,
        lambda w: Fraction(w, below),
        lambda w: f"{w}/{below}" if w.bit_length() < 9000 else Fraction(w, below),
        lambda w: sympy.Rational(w, below),
    ):
        table = np.vectorize(number, otypes=[object])(weights)
        assert JointDistribution(table) == JointDistribution(table.tolist()) == d


@given(joint_distributions(huge=False))
def test_from_arrays_of_any_layout(d: JointDistribution) -> None:
    w = d.weights
    tables = [w.astype(kind) for kind in (np.int8, np.uint8, np.int32, np.uint64, ">i4", object)]
    d_max = np.array([2**64 - 1, 1], dtype=np.uint64)  # not taken for negative numbers
    assert JointDistribution(d_max).weights.tolist() == [2**64 - 1, 1]
    tables += [np.asfortranarray(w), w.repeat(2, axis=-1)[..., ::2], tuple(w), list(w)]  # type: ignore[list-item]
    for table in tables:
        assert JointDistribution(table) == d


def test_labels_are_sorted_where_that_is_natural() -> None:
    counts = {("b", 2, "x"): 1, ("a", 10, 1): 1, ("c", 1, (1,)): 1}
    d = JointDistribution.from_counts(counts)
    assert dict(d.states) == {"X1": ("a", "b", "c"), "X2": (1, 2, 10), "Y": ("x", 1, (1,))}
    assert JointDistribution.from_samples([(True,), (False,)]).classes == (False, True)
    assert JointDistribution.from_pmf({(DEEP, 0): 1}).states["X1"] == (DEEP,)


def test_impossible_states_of_the_prior_are_kept_in_order() -> None:
    d = JointDistribution.from_conditional(
        {("b",): "1/2", ((),): 0, ("a",): "1/2"}, {("b",): {1: 1}, ("a",): {0: "0.5", 1: Decimal("0.5")}}
    )
    assert d.states["X1"] == ("b", (), "a")
    assert d.weights.tolist() == [[0, 2], [0, 0], [1, 1]]


def test_states_that_do_not_occur_are_kept() -> None:
    d = JointDistribution.from_counts({(0, "no"): 1}, states={"X1": [2, 1, 0], "Y": ["yes", "no", "maybe"]})
    assert d.weights.tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("total", [1, Fraction(99, 100), 2, Fraction(10**50 + 1, 10**50)])
def test_only_a_total_of_1_is_taken_as_it_is(total: Fraction) -> None:
    pmf = {(0,): Fraction(total) - Fraction(1, 4), (1,): Fraction(1, 4)}
    if total == 1:
        assert JointDistribution.from_pmf(pmf).weights.tolist() == [3, 1]
    else:
        with pytest.raises(InvalidValueError, match="must sum to exactly 1"):
            JointDistribution.from_pmf(pmf)
        d = JointDistribution.from_pmf(pmf, normalize=True)
        assert d.probability({"Y": 1}) == Fraction(1, 4) / total


def test_numpy_labels_become_python_labels() -> None:
    d = JointDistribution.from_samples(np.array([[1, 2], [3, 4], [1, 2]]))
    assert d.states["X1"] == (1, 3)
    assert {type(label) for labels in d.states.values() for label in labels} == {int}
    text = JointDistribution([1, 1], states={"Y": np.array(["no", "yes"])})
    assert [type(label) for label in text.classes] == [str, str]
    assert JointDistribution([1, 1], states={"Y": np.array([False, True])}).classes == (False, True)
    rows = [(np.int64(1), 0), (1, 0), (np.int8(1), 1)]
    assert JointDistribution.from_samples(rows) == JointDistribution.from_samples([(1, 0), (1, 0), (1, 1)])


@pytest.mark.parametrize("label", [1, True, 1.0, np.int64(1), Fraction(1), Decimal(1)])
def test_equal_labels_are_one_label(label: object) -> None:
    """Python holds 1 == True, and so do labels; a distribution cannot tell them apart."""
    with pytest.raises(InvalidValueError, match="distinct labels"):
        JointDistribution([1, 1], states={"Y": [1, label]})
    assert JointDistribution.from_counts({(1,): 1, (label,): 2, (0,): 1}).probability({"Y": label}) == Fraction(2, 3)


IN_NUMPY: list[tuple[Any, Label]] = [
    (np.int8(1), 1), (np.float32(1.5), 1.5), (np.str_("a"), "a"), (np.True_, True), (np.bytes_(b"a"), b"a"),
    (np.datetime64("2020-01-01"), dt.date(2020, 1, 1)), (np.timedelta64(1, "D"), dt.timedelta(1)),
    (np.datetime64("2020-01-01", "ns"), dt.datetime(2020, 1, 1)), ((np.int64(1), (np.str_("a"), 2)), (1, ("a", 2))),
    (np.datetime64(1, "ns"), np.datetime64(1, "ns")),
]  # fmt: skip


@pytest.mark.parametrize(("label", "same"), IN_NUMPY, ids=repr)
def test_a_value_of_numpy_is_the_state_of_the_value_of_python(label: Any, same: Label) -> None:
    """All constructors hold the two for one state, also inside a tuple, and JSON holds this state."""
    rows = [(label, 0), (same, 1), (same, 1)]
    frame = pd.DataFrame({"X1": pd.Series([row[0] for row in rows], dtype=object), "Y": [0, 1, 1]})
    found = [
        JointDistribution.from_samples(rows), JointDistribution.from_counts({(label, 0): 1, (same, 1): 2}),
        JointDistribution.from_pmf({(label, 0): "1/3", (same, 1): "2/3"}), Sample(rows).empirical(),
        Sample.from_counts({(label, 0): 1, (same, 1): 2}).empirical(), Sample.from_frame(frame, target="Y").empirical(),
        JointDistribution([[1, 2]], states={"X1": [label]}),
    ]  # fmt: skip
    assert found == [found[0]] * len(found)
    (state,) = found[0].states["X1"]
    assert repr(state) == repr(same)
    assert found[0].probability({"X1": label}) == 1
    if isinstance(same, str | int | float | tuple):
        assert repr(JointDistribution.from_json(found[0].to_json()).states) == repr(found[0].states)


@pytest.mark.parametrize("labels", [(1, True), (True, 1), (0, 0.0), (0.0, 0), ((1, "a"), (True, "a"))])
def test_labels_that_python_takes_for_equal_are_not_merged(labels: tuple[Label, Label]) -> None:
    first, second = labels
    for construct in (
        lambda: JointDistribution.from_pmf({(first, 0): "1/2", (second, 1): "1/2"}),
        lambda: JointDistribution.from_counts({(first, 0): 1, (second, 1): 1}),
        lambda: JointDistribution.from_samples([(first, 0), (second, 0)]),
        lambda: JointDistribution.from_conditional({(0,): "1/2", (1,): "1/2"}, {(0,): {first: 1}, (1,): {second: 1}}),
    ):
        with pytest.raises(InvalidValueError, match="Python compares them as equal"):
            construct()


def test_a_text_or_an_integer_is_cleaned_where_it_first_occurs(monkeypatch: pytest.MonkeyPatch) -> None:
    clean, cleaned = build.clean_label, list[object]()

    def noted(label: object, argument: str) -> Label:
        cleaned.append(label)
        return clean(label, argument)

    monkeypatch.setattr(build, "clean_label", noted)
    JointDistribution.from_samples([("a", i % 3, i % 2) for i in range(100)])
    assert cleaned == ["a", 0, 0, 1, 1, 2]


def test_columns_of_many_states_are_named_where_the_table_is_too_large() -> None:
    """At least 1000 states, or more than half as many as rows; 12 of 3000 are few, and so are two."""
    rows = [(i, i, i, i, i % 1000, i % 12, 0) for i in range(3000)]
    with pytest.raises(TooLargeError, match=r"states, 'X1' \(3000\), .*'X4' \(3000\), 'X5' \(1000\): pandas"):
        _ = JointDistribution.from_samples([(*row, 0) for row in rows]).weights
    with pytest.raises(TooLargeError, match=r"'X12' \(8\), \.\.\.: pandas"):
        _ = JointDistribution.from_samples([(i,) * 32 for i in range(8)]).weights
    with pytest.raises(TooLargeError, match="use fewer features or coarser states"):
        _ = JointDistribution.from_samples([(i,) * 60 for i in range(2)]).weights


# -- Distributions made from distributions: products, mixtures and irrelevant features.


small = joint_distributions(max_features=2)
masses = st.lists(st.integers(0, 9), min_size=1, max_size=3).filter(any)


def proportions(weights: list[int]) -> list[Fraction]:
    return [Fraction(w, sum(weights)) for w in weights]


@given(small, small)
def test_product(d: JointDistribution, e: JointDistribution) -> None:
    other = e.rename({name: f"Z{i}" for i, name in enumerate(e.features)})
    both = product(d, other)
    assert both.features == (*d.features, *other.features)
    assert both.target == "Y,Y"
    expected = {
        (*x, *z, (y, u)): p * q
        for ((*x, y), p), ((*z, u), q) in itertools.product(d.to_pmf().items(), e.to_pmf().items())
    }
    assert both.to_pmf() == expected


def test_product_keeps_the_labels_of_a_feature_named_like_the_other_target() -> None:
    d = JointDistribution([[1, 2], [3, 4]], features=["Z"], states={"Z": ["a", "b"]})
    assert product(d, JointDistribution([1, 1], target="Z")).states["Z"] == ("a", "b")
    assert product(JointDistribution([1, 1], target="Z"), d).states["Z"] == ("a", "b")


@given(small, masses)
def test_an_irrelevant_feature(d: JointDistribution, weights: list[int]) -> None:
    noise = dict(enumerate(proportions(weights)))
    wider = independent_features(d, {"noise": noise})
    assert wider.features == (*d.features, "noise")
    assert wider.to_pmf() == {(*x, z, y): p * q for (*x, y), p in d.to_pmf().items() for z, q in noise.items()}


def test_an_irrelevant_feature_may_be_called_y() -> None:
    d = independent_features(JointDistribution([1, 2], target="class"), {"Y": {"a": "1/3", "b": "2/3"}, "Z": {0: 1}})
    assert d.features == ("Y", "Z")
    assert d.posterior({"Y": "b"}) == {0: Fraction(1, 3), 1: Fraction(2, 3)}


@given(st.data(), masses)
def test_mixture(data: st.DataObject, weights: list[int]) -> None:
    first = data.draw(small)
    cells = first.weights.size
    tables = st.lists(st.integers(0, 9), min_size=cells, max_size=cells).filter(any)
    others = [
        JointDistribution([Fraction(w) for w in data.draw(tables)]).weights.reshape(first.weights.shape)
        for _ in weights[1:]
    ]
    parts = [first, *map(JointDistribution, others)]
    mixed = mixture(parts, proportions(weights))
    pmfs = [part.to_pmf() for part in parts]
    assert mixed.to_pmf() == {
        cell: sum(q * pmf[cell] for q, pmf in zip(proportions(weights), pmfs, strict=True)) for cell in pmfs[0]
    }
