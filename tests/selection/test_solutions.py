"""All minimal subsets against a table of all subsets, and certificates that were changed."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import fstheory as fs
from fstheory import JointDistribution
from fstheory._support.progress import Clock
from fstheory.lattice.subsets import mask_of
from tests.journals import edit, steps
from tests.selection.distributions import distributions

Sets = set[frozenset[str]]


def borders(d: JointDistribution, criterion: str, within: Fraction) -> tuple[Sets, Sets]:
    """Return the minimal subsets that reach the bound and the maximal ones that do not, from the table."""
    table = fs.criterion_values(d, criterion)
    full, sign = table[d.features], -1 if table.larger_is_better else 1
    good = {frozenset(subset) for subset in table if sign * (table[subset] - full) <= within}
    bad = set(map(frozenset, table)) - good
    return {s for s in good if not any(t < s for t in good)}, {s for s in bad if not any(s < t for t in bad)}


def ranges(d: JointDistribution, criterion: str, within: Fraction) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the least and the largest importance of each feature, from the table of all subsets."""
    table = fs.criterion_values(d, criterion)
    sign = -1 if table.larger_is_better else 1
    loss = {frozenset(subset): sign * (table[subset] - table[d.features]) - within for subset in table}
    good = [subset for subset in loss if loss[subset] <= 0]
    beyond = {name: [max(loss[subset - {name}], Fraction(0)) for subset in good] for name in d.features}
    return {name: min(beyond[name]) for name in beyond}, {name: max(beyond[name]) for name in beyond}


def check(d: JointDistribution, criterion: str, within: Fraction, most: int) -> None:
    minimal, maximal = borders(d, criterion, within)
    found = fs.all_solutions(d, criterion, within=within)
    assert (set(found.solutions), set(found.failures)) == (minimal, maximal)
    assert (found.complete, len(found.solutions)) == (True, len(minimal))
    assert found.verify()
    assert (found.ranges().least, found.ranges().largest) == ranges(d, criterion, within)
    few = fs.all_solutions(d, criterion, within=within, max_size=most)
    assert set(few.solutions) == {subset for subset in minimal if len(subset) <= most}
    assert few.verify()


CASE = st.sampled_from(["zero_one", "gini", "logarithmic"]), st.sampled_from(["0", "1/20", "1/5"]), st.integers(0, 2)


@given(distributions(), *CASE)
@settings(max_examples=10)
def test_every_minimal_subset_is_found(d: JointDistribution, criterion: str, within: str, most: int) -> None:
    check(d, criterion, Fraction(within), most)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_rows_with_many_solutions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (20, 7))
    rows[:, 1] = rows[:, 0]
    d = JointDistribution.from_samples(np.column_stack([rows, rng.integers(0, 3, 20)]).tolist())
    for criterion, within in product(("zero_one", "gini"), ("0", "1/10")):
        check(d, criterion, Fraction(within), 4)


@pytest.mark.thorough
@pytest.mark.parametrize("within", ["0", "1/50"])
def test_sixteen_features_against_the_table_of_all_subsets(within: str) -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 2, (100, 9))
    rows = np.column_stack(
        [base, base[:, :4], base[:, 2:5] ^ (rng.random((100, 3)) < 0.1), base[:, :3].sum(axis=1) > 1]
    )
    d = JointDistribution.from_samples(rows.tolist())
    table = fs.bayes_risks(d)
    risks = [table.value_at(mask) for mask in range(2**16)]
    good = [risk <= risks[-1] + Fraction(within) for risk in risks]
    neighbors = [[mask ^ 1 << i for i in range(16)] for mask in range(2**16)]
    solutions = {m for m in range(2**16) if good[m] and not any(good[k] for k in neighbors[m] if k < m)}
    failures = {m for m in range(2**16) if not good[m] and all(good[k] for k in neighbors[m] if k > m)}
    found = fs.all_solutions(d, within=within)
    assert {mask_of(subset, d.features) for subset in found.solutions} == solutions
    assert {mask_of(subset, d.features) for subset in found.failures} == failures
    assert len(solutions) > 10
    assert found.verify()


def test_known_solutions() -> None:
    found = fs.all_solutions("titanic", within="1/100")
    assert (found.solutions, found.bound) == ((frozenset({"class", "sex"}),), Fraction(461, 2201) + Fraction(1, 100))
    assert (
        fs.all_solutions("pena-nilsson-example-1").solutions
        == fs.minimal_optimal("pena-nilsson-example-1", "exhaustive").solutions
    )
    found = fs.all_solutions(fs.gallery.copies(3))
    assert (found.core, found.replaceable, found.unused) == ((), ("X1", "X2", "X3"), ())
    auc = fs.all_solutions("titanic", "auc", within="1/50")
    assert set(auc.solutions) == borders(fs.gallery.titanic(), "auc", Fraction(1, 50))[0]
    assert auc.to_frame()["value"].min() >= auc.bound
    bits = [*product((0, 1), repeat=2)]
    pairs = JointDistribution.from_counts({(a, b, a ^ b, (a, b)): 1 for a, b in bits})
    assert set(fs.all_solutions(pairs).solutions) == {frozenset(pair) for pair in combinations(pairs.features, 2)}
    both = fs.all_solutions(JointDistribution.from_counts({((a, b), a, b, a ^ b): 1 for a, b in bits}))
    assert both.solutions == (frozenset({"X1"}), frozenset({"X2", "X3"}))
    assert both.verify()
    nothing = fs.all_solutions("xor", within="1/2")
    assert (nothing.solutions, nothing.failures) == ((frozenset(),), ())
    assert nothing.verify()


def test_no_changed_certificate_is_accepted() -> None:
    for name, within in product(("titanic", "copies", "recoded"), ("0", "1/20")):
        found: Any = fs.all_solutions(name, within=within)
        every = [*map(frozenset, fs.bayes_risks(name))]
        for field in ("solutions", "failures"):
            parts = getattr(found, field)
            changed = [(*parts[:i], *parts[i + 1 :]) for i in range(len(parts))]  # drop one
            changed += [(*parts, other) for other in every]  # add one
            changed += [(*parts[:i], other, *parts[i + 1 :]) for i in range(len(parts)) for other in every]  # swap
            for other in (other for other in changed if set(other) != set(parts) or len(other) != len(parts)):
                check = replace(found, **{field: other}).verify()
                assert not check, other
                assert "fails at" in str(check)
        assert not replace(found, within=found.within + 1).verify()
        forged = replace(found, solutions=(frozenset(),), failures=()).verify()  # these two fit together
        assert not forged
        assert "does not reach the bound" in str(forged)


def test_a_stopped_search_says_so() -> None:
    stopped = fs.all_solutions(fs.gallery.copies(3), limit=2)
    assert (stopped.complete, len(stopped.solutions)) == (False, 2)
    assert "of these so far, in all: no feature; in some: X1, X2" in str(stopped)
    assert "not complete" in str(stopped)
    assert "and is not listed" in str(stopped.verify())
    assert fs.all_solutions(fs.gallery.copies(3), limit=3).complete
    noise = fs.Sample(np.random.default_rng(3).integers(0, 2, (40, 12)).tolist())  # some solutions are met twice
    every = fs.all_solutions(noise)
    assert fs.all_solutions(noise, limit=len(every.solutions)) == every
    late = fs.all_solutions("titanic", time_limit=1e-9)
    assert (late.complete, late.solutions) == (False, ())


def test_ranges_of_importance() -> None:
    found = fs.all_solutions("asia", within="1/100")
    limits = found.ranges()
    assert tuple(name for name, value in limits.least.items() if value > 0) == found.core == ("bronc",)
    assert tuple(name for name, value in limits.largest.items() if value == 0) == found.unused
    auc = fs.all_solutions("titanic", "auc", within="1/50").ranges()
    assert (auc.least, auc.largest) == ranges(fs.gallery.titanic(), "auc", Fraction(1, 50))
    asia = fs.gallery.asia()
    for order in (asia.features, asia.features[::-1]):  # the largest is that in the first solution, or in the last
        every = fs.all_solutions(asia.marginal(order), "gini").ranges()
        assert (every.least, every.largest) == ranges(asia.marginal(order), "gini", Fraction(0))
    few = fs.all_solutions(fs.gallery.copies(3), limit=1).ranges()  # X1 alone is a solution, and X2 is in none so far
    assert [*few.largest.values()] == [Fraction(2, 5), 0, 0]
    assert "further solutions may raise the largest" in str(few)
    none = fs.all_solutions("xor", max_size=1).ranges()  # only the set of all features is known to be good
    assert {*none.least.values(), *none.largest.values()} == {Fraction(1, 2)}
    s = fs.sample(fs.gallery.titanic(), 300, rng=0)
    assert fs.all_solutions(s).ranges().to_frame().equals(fs.all_solutions(s.empirical()).ranges().to_frame())


def test_a_search_goes_on_from_its_file(tmp_path: Path) -> None:
    d, file = fs.gallery.copies(3), tmp_path / "solutions.json"
    assert not fs.all_solutions(d, limit=1, resume=file).complete
    assert fs.all_solutions(d, limit=2, resume=file).solutions == (frozenset({"X1"}), frozenset({"X2"}))
    whole = fs.all_solutions(d, resume=file)
    assert whole == fs.all_solutions(d)
    assert steps(file) == {"solutions and failures": [[1, 2, 4], [0]]}
    assert not fs.all_solutions(d, limit=2, resume=file).complete
    assert fs.all_solutions(d, max_size=0, resume=file).solutions == ()
    fresh, again = (fs.all_solutions("asia", "gini", resume=tmp_path / "asia.json") for _ in range(2))
    subsets = {*fresh.solutions, *fresh.failures, frozenset(fresh.function.features)}
    assert fresh == again
    assert len(again.function._known) == len(subsets) < len(fresh.function._known)


def test_an_interrupt_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "solutions.json"

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Clock, "tick", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fs.all_solutions(fs.gallery.copies(3), resume=file)
    assert steps(file) == {"solutions and failures": [[1], [0]]}


@pytest.mark.parametrize(
    ("borders", "fault"),
    [
        ([[0], []], "which does not reach the bound"),
        ([[3], [0]], "which is not minimal"),
        ([[1], [4]], "which reaches the bound, so it is no failure"),
        ([[1], [0, 0]], "which is part of another failure"),
    ],
)
def test_a_changed_file_is_refused(borders: list[list[int]], fault: str, tmp_path: Path) -> None:
    file = tmp_path / "solutions.json"
    fs.all_solutions(fs.gallery.copies(3), limit=1, resume=file)
    edit(file, "solutions and failures", lambda content: content.__setitem__(slice(None), borders))
    with pytest.raises(fs.FSTheoryError, match=fault):
        fs.all_solutions(fs.gallery.copies(3), resume=file)


def test_forty_columns_and_no_table() -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 4, (300, 8))
    label = (base[:, 0] + 2 * (base[:, 3] > 1) + base[:, 5]) % 3
    rows = np.column_stack([base, 3 - base, base ^ 1, (base + 1) % 4, base, label]).tolist()
    for data in (fs.Sample(rows), JointDistribution.from_samples(rows)):
        found = fs.all_solutions(data, max_size=3)
        columns = [[f"X{1 + i + 8 * copy}" for copy in range(5)] for i in (0, 3, 5)]
        assert set(found.solutions) == {frozenset(picked) for picked in product(*columns)}
        assert found.complete
        assert found.verify()


def test_a_difference_of_very_many_digits_is_allowed() -> None:
    found = fs.all_solutions("xor", within="1e-5000")
    assert found.solutions == (frozenset({"X1", "X2"}),)
    assert found.within == Fraction(1, 10**5000)
