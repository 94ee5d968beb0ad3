"""Reasons and smallest changes against enumeration, and the theorem on reasons and S*."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import fstheory as fs
from fstheory import JointDistribution
from fstheory._support import progress
from fstheory.testing import joint_distributions
from tests.selection.distributions import REGULAR, distributions

Found = dict[frozenset[tuple[str, Any]], Any]


def subsets(d: JointDistribution) -> Iterator[frozenset[str]]:
    return (frozenset(s) for k in range(len(d.features) + 1) for s in combinations(d.features, k))


def minimal(family: set[Any]) -> set[Any]:
    return {a for a in family if not any(b < a for b in family)}


State = dict[str, Any]
Best = dict[Any, set[Any]]


def likeliest(d: JointDistribution) -> Best:
    """Return the likeliest classes of each possible state."""
    states = [dict(zip(d.features, cell, strict=False)) for cell in d.support()]
    best = {}
    for x in states:
        posterior = d.posterior(x)
        best[*x.items()] = {y for y, p in posterior.items() if p == max(posterior.values())}
    return best


def enumerated(d: JointDistribution, tolerance: Fraction, best: Best) -> Iterator[tuple[State, Found, set[Any]]]:
    """Yield each case with its reasons, with their shares, and its smallest changes, by definition."""
    cases = [dict(key) for key in best]
    for x in cases:
        verdict = best[*x.items()]
        sufficient = dict[frozenset[str], Any]()
        for subset in subsets(d):
            covered = [z for z in cases if all(z[name] == x[name] for name in subset)]
            agreeing = [z for z in covered if best[*z.items()] == verdict]
            share, kept = (sum(map(d.probability, states)) for states in (covered, agreeing))
            if len(agreeing) == len(covered) or (tolerance and kept >= (1 - tolerance) * share):
                sufficient[subset] = share, kept / share if share else 1
        others = [z for z in cases if best[*z.items()] != verdict]
        changed = minimal({frozenset(name for name in d.features if z[name] != x[name]) for z in others})
        found: Found = {frozenset((name, x[name]) for name in s): sufficient[s] for s in minimal({*sufficient})}
        ends = [(frozenset(n for n in d.features if z[n] != x[n]), z) for z in others]
        yield (
            x,
            found,
            {
                (frozenset((name, z[name]) for name in subset), frozenset(best[*z.items()]))
                for subset, z in ends
                if subset in changed
            },
        )


def check(d: JointDistribution, tolerance: Fraction, best: Best, **options: Any) -> None:
    every, union, needed = fs.reasons(d, tolerance=tolerance, **options), set[str](), set[str]()
    assert every.complete
    assert {tuple(x.items()) for x in every.cases} == best.keys()
    for x, expected, changes in enumerated(d, tolerance, best):
        found = fs.reasons(d, x, tolerance=tolerance, **options)
        assert {frozenset(r.state.items()): (r.share, r.kept) for r in found.reasons} == expected
        assert {frozenset(r.verdicts) for r in found.reasons} == {frozenset(best[*x.items()])}
        assert {(frozenset(c.state.items()), frozenset(c.verdicts)) for c in found.changes} == changes
        assert {*found.reasons} <= {*every.reasons}
        assert {*found.changes} <= {*every.changes}
        union |= {name for reason in expected for name, _ in reason}
        needed |= {name for name in d.features if all(any(name == n for n, _ in reason) for reason in expected)}
    assert ({*every.features}, {*every.needed}) == (union, needed)


TOLERANCES = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1)])


@given(distributions(), TOLERANCES)
@settings(max_examples=10)
def test_reasons_are_those_of_the_definition(d: JointDistribution, tolerance: Fraction) -> None:
    check(d, tolerance, likeliest(d))


def random_rule(d: JointDistribution, random: Random) -> dict[Any, str]:
    """Return a verdict for each state of the features, possible or not."""
    return {
        cell: random.choice("aab" if len(d.classes) < 3 else "abc")
        for cell in product(*(d.states[name] for name in d.features))
    }


@given(distributions(), TOLERANCES, st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_reasons_of_a_classifier_are_those_of_the_definition(
    d: JointDistribution, tolerance: Fraction, random: Random
) -> None:
    rule = random_rule(d, random)
    best = {tuple(zip(d.features, cell, strict=True)): {verdict} for cell, verdict in rule.items()}
    check(d, Fraction(0), best, classifier=rule)
    possible = {key: verdict for key, verdict in best.items() if d.probability(dict(key))}
    check(d, tolerance, possible, among="possible", classifier=lambda x: rule[tuple(x.values())])


@pytest.mark.thorough
@given(distributions(), TOLERANCES, st.randoms(use_true_random=False))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_reasons_and_changes_are_the_minimal_hitting_sets_of_each_other(
    d: JointDistribution, tolerance: Fraction, random: Random
) -> None:
    check(d, tolerance, likeliest(d))
    for classifier in (None, random_rule(d, random)):
        for x in fs.reasons(d, classifier=classifier).cases:
            found = fs.reasons(d, x, classifier=classifier)
            families = [{frozenset(item.state) for item in items} for items in (found.reasons, found.changes)]
            for one, other in (families, families[::-1]):
                assert {*one} == minimal({s for s in subsets(d) if all(s & edge for edge in other)})


@given(REGULAR)
@settings(max_examples=10)
def test_reasons_make_up_s_star(d: JointDistribution) -> None:
    found = fs.reasons(d)
    assert {*found.features} == {*found.needed} == {*fs.minimal_optimal(d).features}


@given(joint_distributions(max_weight=2, huge=False, unique_maximum=True))
@settings(max_examples=10)
def test_without_ties_reasons_lie_between_the_solutions(d: JointDistribution) -> None:
    found, solutions = fs.reasons(d), fs.all_solutions(d).solutions
    assert {*found.needed} == frozenset(d.features).intersection(*solutions)
    assert {*found.features} >= frozenset[str]().union(*solutions)


def test_large_weights_and_many_features() -> None:
    huge = JointDistribution.from_counts({(0, 0): 2**80, (0, 1): 2**80 - 1, (1, 1): 1})
    assert fs.reasons(huge, (0,), tolerance=Fraction(1, 2**81)).features == ()
    assert fs.reasons(huge, (0,), tolerance=Fraction(1, 2**81 + 1)).features == ("X1",)
    copies = JointDistribution.from_counts({(y,) * 81: 1 for y in "ab"})
    assert len(fs.reasons(copies, ["a"] * 80).reasons) == 80
    assert [len(change.state) for change in fs.reasons(copies, ["a"] * 80).changes] == [80]
    with pytest.raises(fs.TooLargeError, match="take tolerance 0"):
        fs.reasons(copies, ["a"] * 80, tolerance="1/9")


def test_a_reason_outside_the_only_solution() -> None:
    gap = JointDistribution.from_counts({(0, 0, 0): 1, (1, 0, 1): 1, (1, 1, 1): 1})
    found = fs.reasons(gap)
    assert (found.features, found.needed, fs.minimal_optimal(gap).features) == (("X1", "X2"), ("X1",), ("X1",))
    assert "everybody: no" in str(fs.reasons("titanic", ("crew", "male", "adult"), tolerance="1/5"))


def four_bits() -> JointDistribution:
    return JointDistribution(np.ones((2, 2, 2, 2, 1), dtype=int))


def signed(items: Any) -> set[tuple[int, ...]]:
    """Return reasons or changes as PyXAI writes them: i if feature i is 1, and -i if it is 0."""
    return {tuple(int(name[1:]) * (1 if bit else -1) for name, bit in item.state.items()) for item in items}


def orchid_tree(bits: Any) -> int:
    """The decision tree of Audemard and others (2022), Figure 1, as the examples of PyXAI have it."""
    x1, x2, x3, x4 = bits.values()
    return int(x4 and (x1 or (x2 and x3)))


def orchid_forest(bits: Any) -> int:
    """The random forest of Audemard and others (AAAI 2022), Figure 1, as the examples of PyXAI have it."""
    x1, x2, x3, x4 = bits.values()
    first = x4 and (not x2 or (x3 and x1))
    second = x2 or (x1 and x4)
    third = (x2 and x4) if x3 else (x4 and x1) if x2 else x1
    return int(bool(first) + bool(second) + bool(third) >= 2)


def test_published_examples_of_pyxai() -> None:
    tree = {x: fs.reasons(four_bits(), x, classifier=orchid_tree) for x in [(1, 1, 1, 1), (0, 0, 0, 0)]}
    assert signed(tree[1, 1, 1, 1].reasons) == {(1, 4), (2, 3, 4)}
    assert signed(tree[0, 0, 0, 0].reasons) == {(-4,), (-1, -2), (-1, -3)}
    forest = {x: fs.reasons(four_bits(), x, classifier=orchid_forest) for x in [(1, 1, 1, 1), (0, 1, 0, 0)]}
    assert {(1, 4)} <= signed(forest[1, 1, 1, 1].reasons)
    assert {(-4,), (-1, -3)} <= signed(forest[0, 1, 0, 0].reasons)


def test_an_estimator_is_asked_about_all_states() -> None:
    d = fs.gallery.titanic()
    frame = d.to_frame()
    X, y, weights = frame[[*d.features]], frame[d.target], frame["probability"].astype(float)
    for names in ([*d.features], [*d.features[::-1]], ["sex"]):
        model = make_pipeline(OneHotEncoder(), DecisionTreeClassifier())
        model.fit(X[names], y, decisiontreeclassifier__sample_weight=weights)
        rule = dict(zip(map(tuple, X.to_numpy()), model.predict(X[names]), strict=True))
        assert fs.reasons(d, classifier=model) == fs.reasons(d, classifier=rule)
    numbers = DecisionTreeClassifier().fit(np.array([*product((0, 1), repeat=4)]), [0, 0, 0, 1] * 4)
    found = fs.reasons(four_bits(), (1, 1, 1, 1), classifier=numbers)
    assert (signed(found.reasons), found.reasons[0].verdicts, found.reasons[0].share) == (
        {(3, 4)},
        (1,),
        Fraction(1, 4),
    )


def test_a_case_of_probability_0_has_reasons_if_a_classifier_judges_it() -> None:
    gap = JointDistribution.from_counts({(0, 0, 0): 1, (1, 0, 1): 1, (1, 1, 1): 1})
    found = fs.reasons(gap, (0, 1), classifier=lambda x: x["X1"] and x["X2"])
    assert [(str(r.state["X1"]), r.share, r.kept) for r in found.reasons] == [("0", Fraction(1, 3), Fraction(1))]
    assert len(fs.reasons(gap, classifier=dict.fromkeys(product((0, 1), repeat=2), 1)).cases) == 4
    assert "1 sufficient reason of 4 cases\n  everybody: 1" in str(fs.reasons(gap, classifier=lambda x: 1))


def test_a_classifier_of_too_many_states_is_refused_before_it_is_asked() -> None:
    copies = JointDistribution.from_counts({(y,) * 41: 1 for y in "ab"})
    with pytest.raises(fs.TooLargeError, match=r"the table of all states must fit .* take among='possible'"):
        fs.reasons(copies, ["a"] * 40, classifier=pytest.fail)
    found = fs.reasons(copies, ["a"] * 40, classifier=lambda x: x["X3"], among="possible")
    assert (len(found.reasons), found.reasons[0].verdicts) == (40, ("a",))


def test_a_time_limit_leaves_true_reasons() -> None:
    ones = (1,) * 12
    failing = [(*ones[: 2 * i], 0, 0, *ones[2 * i + 2 :], "no") for i in range(6)]
    pairs = JointDistribution.from_counts(dict.fromkeys([(*ones, "yes"), *failing], 1))
    whole, ticks = fs.reasons(pairs, ones), iter(range(10**9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
        part = fs.reasons(pairs, ones, time_limit=60)
    assert (len(whole.reasons), len(whole.changes), whole.complete) == (64, 6, True)
    assert set() < {*part.reasons} < {*whole.reasons}
    assert (part.complete, part.changes, part.features, part.needed) == (False, whole.changes, whole.features, ())
    assert str(part).endswith("not complete: the time limit ended the search")


def test_a_picture_of_reasons() -> None:
    found = fs.reasons("titanic", ("crew", "male", "adult"), tolerance="1/20")
    texts = [text.get_text() for text in found.plot().figure.axes[0].texts]
    assert texts.count("male") == texts.count("crew") == texts.count("female") == 1
    assert texts.count("child") == 2
    assert {"no for 99.1% of them", "78.6%", "reason", "change"} <= {*texts}


@pytest.mark.thorough
def test_a_picture_of_many_reasons_says_which_it_shows() -> None:
    copies = JointDistribution.from_counts({(y,) * 42: 1 for y in "ab"})
    picture = fs.reasons(copies, ["a"] * 41).plot()
    assert "(the 40 that cover most people)" in picture.title
