"""What distributions and samples say, against its definition: probabilities, marginals and the two assumptions."""

import pickle
from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import fstheory as fs
from fstheory import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError, ZeroProbabilityError
from fstheory.testing import events, feature_subsets, joint_distributions
from tests import literal

distributions = joint_distributions(named=True)


def holds(d: JointDistribution, event: Mapping[str, Any]) -> Any:
    """Return the event as a condition on cells."""

    def within(cell: tuple[Hashable, ...]) -> bool:
        state = dict(zip([*d.features, d.target], cell, strict=True))
        return all(
            state[name] in (wanted if isinstance(wanted, frozenset) else [wanted]) for name, wanted in event.items()
        )

    return within


@given(distributions)
def test_mass_function(d: JointDistribution) -> None:
    pmf = d.to_pmf()
    assert sum(pmf.values()) == 1
    assert len(pmf) == d.weights.size
    assert d.support() == tuple(cell for cell, p in pmf.items() if p > 0)
    for cell, p in pmf.items():
        assert d.probability(dict(zip([*d.features, d.target], cell, strict=True))) == p


@given(st.data())
def test_events(data: st.DataObject) -> None:
    d = data.draw(distributions)
    event = data.draw(events(d))
    pmf, within = d.to_pmf(), holds(d, event)
    p = literal.probability(pmf, within)
    assert d.probability(event) == d.probability(**event) == p
    if p:
        assert d.condition(event) == d.condition(**event)
        given_event = d.condition(event)
        assert given_event.to_pmf() == literal.condition(pmf, within)
        assert (given_event.features, given_event.states) == (d.features, d.states)
    else:
        with pytest.raises(ZeroProbabilityError):
            d.condition(event)


@given(st.data())
def test_posterior(data: st.DataObject) -> None:
    d = data.draw(distributions)
    event = data.draw(events(d, target=False))
    if d.probability(event):
        assert d.posterior(event) == d.posterior(**event) == literal.posterior(d.to_pmf(), holds(d, event))
    else:
        with pytest.raises(ZeroProbabilityError):
            d.posterior(event)


@given(st.data())
def test_marginal(data: st.DataObject) -> None:
    """Also of a marginal: features are addressed by name, and keep their order."""
    d = data.draw(distributions)
    outer = data.draw(feature_subsets(d))
    kept = [i for i, name in enumerate(d.features) if name in outer]
    m = d.marginal(outer)
    assert m.features == tuple(d.features[i] for i in kept)
    assert m.to_pmf() == literal.marginal(d.to_pmf(), kept)
    assert all(m.states[name] == d.states[name] for name in [*m.features, m.target])
    inner = data.draw(feature_subsets(m))
    assert m.marginal(inner) == d.marginal(inner)
    event = data.draw(events(m))
    assert m.probability(event) == d.probability(event)


@given(distributions)
def test_the_two_assumptions(d: JointDistribution) -> None:
    pmf = d.to_pmf()
    answers = (d.is_positive(), literal.first_impossible(pmf)), (d.has_unique_maximum(), literal.first_tie(pmf))
    for check, state in answers:
        assert check.holds is bool(check) is (state is None)
        assert str(check).partition(": ")[2].startswith("holds" if check else "fails at x = (")
        assert pickle.loads(pickle.dumps(check)) == check
        assert check.witness == (None if state is None else dict(zip(d.features, state, strict=True)))
    if (tie := literal.first_tie(pmf)) is not None:
        assert d.has_unique_maximum().left == literal.maximizers(pmf, range(len(d.features)))[tie]


def test_assumptions_without_features_and_with_wide_weights() -> None:
    for k in (1, 2**80):
        tie = JointDistribution([[k, 0], [0, k]]).marginal([])
        assert tie.is_positive()
        assert dict(tie.has_unique_maximum().witness or {}) == {}
        assert tie.has_unique_maximum().left == (0, 1)
        assert JointDistribution([k, k + 1]).has_unique_maximum()
        assert not JointDistribution([[k, k + 1], [0, 0]]).is_positive()
        assert JointDistribution([[k, k + 1], [0, 0]]).has_unique_maximum()  # no tie where p(x) = 0


def test_labels_that_are_sets() -> None:
    one, two = frozenset({1}), frozenset({2})
    d = JointDistribution([1, 3], states={"Y": [one, two]})
    assert d.probability({"Y": {two}}) * 4 == 3
    with pytest.raises(UnknownNameError):
        d.probability({"Y": two})


@given(distributions, st.data())
def test_rename(d: JointDistribution, data: st.DataObject) -> None:
    names = [*d.features, d.target]
    mixed = data.draw(st.permutations(names))
    new = dict(zip(names, mixed, strict=True))
    renamed = d.rename(new)
    assert renamed == d.rename({}, **new)
    assert renamed.to_pmf() == d.to_pmf()
    assert [*renamed.features, renamed.target] == mixed
    assert [renamed.states[new[name]] for name in names] == [d.states[name] for name in names]
    assert renamed.rename({b: a for a, b in new.items()}) == d


# -- Samples: sparse rows, the exact numbers of dense distributions.


def test_continuous_columns_are_named() -> None:
    rows = [(i + 0.25, "a", f"{i}.5", i % 2) for i in range(40)]
    with pytest.raises(InvalidValueError, match=r"X1 \(40 different\), X3 \(40 different\); bin them first"):
        fs.Sample(rows)
    assert fs.Sample(rows, keep_continuous=True).cardinalities == (40, 1, 40)
    fs.Sample([(i // 2, i % 2) for i in range(40)])  # integers are categories as they stand
    with pytest.raises(InvalidValueError, match=r"features must have states that several rows share, .* as X1; pass l"):
        fs.Sample([(i, i % 2) for i in range(40)])


def test_draws_are_reproducible_and_of_the_right_law() -> None:
    d = fs.JointDistribution([[6, 1], [0, 3]])
    assert fs.sample(d, 50, rng=7) == fs.sample(d, 50, rng=np.random.default_rng(7))
    s = fs.sample(d, 20_000, rng=1)
    assert ("X1", 1, 0) not in s.empirical().support()
    share = s.empirical().probability({"X1": 1, "Y": 1})
    assert abs(share - Fraction(3, 10)) < Fraction(1, 50)  # six standard deviations


@given(distributions)
def test_a_cell_is_looked_up_by_its_labels(d: JointDistribution) -> None:
    assert {cell: d[cell] for cell in d.to_pmf()} == d.to_pmf()
    with pytest.raises(InvalidTypeError, match="cell must be a state of each of"):
        d[(*d.support()[0], 0)]


def test_a_file_that_does_not_exist_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"no/such/file\.json"):
        JointDistribution.load("no/such/file.json")


def carried(d: JointDistribution, place: Any) -> dict[tuple[Hashable, ...], Fraction]:
    """Return the law of a function of the cell, by definition."""
    law: Counter[tuple[Hashable, ...]] = Counter()
    for cell, p in d.to_pmf().items():
        if p:
            law[place(cell)] += p  # type: ignore[assignment]
    return dict(law)  # type: ignore[arg-type]


def positive(d: JointDistribution) -> dict[tuple[Hashable, ...], Fraction]:
    return {cell: p for cell, p in d.to_pmf().items() if p}


@given(st.data())
def test_another_target(data: st.DataObject) -> None:
    d = data.draw(distributions)
    names = (*d.features, d.target)
    target = data.draw(st.sampled_from(names))
    at = names.index(target)
    other = d.with_target(target)
    assert positive(other) == carried(d, lambda cell: (*cell[:at], *cell[at + 1 :], cell[at]))
    assert (other.target, dict(other.states)) == (target, dict(d.states))
    assert other.features == tuple(name for name in names if name != target)


@given(st.data())
def test_states_are_renamed_and_merged(data: st.DataObject) -> None:
    d = data.draw(distributions)
    names = (*d.features, d.target)
    name = data.draw(st.sampled_from(names))
    old = d.states[name]
    new = dict(zip(old, data.draw(st.lists(st.integers(0, 2), min_size=len(old), max_size=len(old))), strict=True))
    at = names.index(name)
    merged = d.map_states(name, new)
    assert positive(merged) == carried(d, lambda cell: (*cell[:at], new[cell[at]], *cell[at + 1 :]))
    assert merged.states[name] == tuple(dict.fromkeys(new.values()))
    assert merged == d.map_states(name, new.__getitem__)
    assert d.map_states(name, {}) == d


@given(distributions)
def test_a_derived_feature(d: JointDistribution) -> None:
    def parity(state: Mapping[str, Hashable]) -> int:
        assert list(state) == [*d.features, d.target]
        return sum(d.states[name].index(label) for name, label in state.items()) % 2

    found = d.with_feature("its parity", parity)
    index = dict(zip(d.to_pmf(), np.ndindex(d.weights.shape), strict=True))
    assert positive(found) == carried(d, lambda cell: (*cell[:-1], sum(index[cell]) % 2, cell[-1]))
    assert {name: found.states[name] for name in d.states} == dict(d.states)
    assert found.marginal(d.features) == d


@given(distributions)
def test_a_frame_of_probabilities_is_read_back(d: JointDistribution) -> None:
    states = dict(d.states)
    assert JointDistribution.from_frame(d.to_frame(), target=d.target, probability="probability", states=states) == d
    rows = d.to_frame().loc[lambda frame: frame["probability"] > 0].drop(columns="probability")
    equal = dict.fromkeys(d.support(), 1)
    assert JointDistribution.from_frame(rows, target=d.target, states=states) == JointDistribution.from_counts(
        equal, features=d.features, target=d.target, states=states
    )
