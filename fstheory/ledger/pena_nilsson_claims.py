"""The statements of Peña and Nilsson (2010) that are about one distribution, in the language of claims.

Assumptions and conclusions are those of the paper; `pena_nilsson_2010` has the evidence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import combinations
from typing import TypeAlias

from fstheory.ledger.backward_runs import backward_runs, returns_in_any_order
from fstheory.logic import Classifier, Formula, Model, claim, positive, unique_maximum

State: TypeAlias = "Mapping[str, Hashable]"

BOTH = (positive, unique_maximum)


@claim(name="PN-M")
def monotone(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature more never makes the Bayes risk larger; so no superset has a larger one."""
    return m.risk(S | {i}) <= m.risk(S)


@claim(name="PN-2", assume=BOTH, where={"g": "classifier of S"})
def same_risk_same_classifier(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    """A classifier over some features has the Bayes risk of all exactly if it is their Bayes classifier."""
    same = m.all(m.predicts(x, g(x)) for x in m.states())
    return m.iff(m.risk(g) == m.risk(), same)


@claim(name="PN-2c", where={"g": "classifier of S"})
def same_risk_same_winners(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    """A classifier over some features has the Bayes risk of all exactly if it always names a likeliest class."""
    return m.iff(m.risk(g) == m.risk(), m.all(m.maximizes(x, g(x)) for x in m.states()))


@claim(name="PN-3", assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula | bool:
    """If S, T, U are all features: U can be left out at no cost and T can be, exactly if both can be at once."""
    if m.features != S | T | U:
        return True  # a theorem about the distribution of S, T and U alone
    return m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))


@claim(name="PN-3a", assume=BOTH, disjoint=True)
def no_diamond(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula | bool:
    """No distribution has the ordering R(STU) = R(ST) = R(SU) < R(S), where S, T, U are all features."""
    if m.features != S | T | U:
        return True
    return ~(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)) & (m.risk() < m.risk(S)))


@claim(name="PN-3b", assume=BOTH, disjoint=True)
def no_diamond_below(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
    """If p(Y|x) has a single maximum for every x, then no S, T, U whatever have R(STU) = R(ST) = R(SU) < R(S)."""
    top = m.risk(S | T | U)
    return ~(m.equal(top, m.risk(S | T), m.risk(S | U)) & (top < m.risk(S)))


@claim(name="PN-4", assume=BOTH)
def unique_solution(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
    """The minimal feature subset of minimal Bayes risk is unique."""
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@claim(name="PN-5", assume=BOTH)
def backward_search(m: Model) -> Formula:
    """The backward search of Table 1 returns a minimal feature subset of minimal Bayes risk."""
    return m.all(m.implies(run.happens, m.minimal_optimal(run.returned)) for run in backward_runs(m))


@claim(name="PN-5a", assume=BOTH)
def removal_in_any_order(m: Model, S: frozenset[str]) -> Formula:
    """Removing features that cost nothing, in whatever order, solves the minimal-optimal problem as well."""
    return m.implies(returns_in_any_order(m, S), m.minimal_optimal(S))


@claim(name="PN-6", assume=BOTH)
def one_shot(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature is in the solution exactly if the other features have a larger Bayes risk than all."""
    return m.implies(m.minimal_optimal(S), m.iff(i in S, m.risk(m.features - {i}) != m.risk()))


@claim(name="PN-6b", assume=BOTH)
def one_shot_by_classifier(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature is in the solution exactly if the Bayes classifier over the others is not the one over all."""
    same = m.all(m.same_prediction(_without(x, i), x) for x in m.states())
    return m.implies(m.minimal_optimal(S), m.iff(i in S, ~same))


@claim(name="PN-6c")
def one_shot_is_the_intersection(m: Model, i: str) -> Formula:
    """The features whose removal costs something are those in all minimal feature subsets of minimal Bayes risk."""
    in_all = m.all(m.implies(m.minimal_optimal(S), i in S) for S in m.subsets())
    return m.iff(m.risk(m.features - {i}) != m.risk(), in_all)


@claim(name="PN-7", assume=BOTH)
def resampling(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature is in the solution exactly if drawing it again, given the others, may change the predicted class."""
    changes = m.any(
        (m.probability(x) > 0) & (m.probability(again) > 0) & ~m.same_prediction(x, again)
        for x, again in combinations(m.states(), 2)
        if _without(x, i) == _without(again, i)
    )
    return m.implies(m.minimal_optimal(S), m.iff(i in S, changes))


@claim(name="PN-E1")
def strongly_relevant_outside(m: Model) -> Formula:
    """A strongly relevant feature is outside the solution; true of some distributions, such as that of Example 1."""
    return m.any(m.minimal_optimal(S) & strongly_relevant(m, i) for S in m.subsets() for i in m.features - S)


@claim(name="PN-R1", assume=BOTH)
def solution_is_strongly_relevant(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    """Every feature of the solution is strongly relevant."""
    return i not in S or m.implies(m.minimal_optimal(S), strongly_relevant(m, i))


@claim(name="PN-R2", assume=(positive,))
def boundary_is_strongly_relevant(m: Model, S: frozenset[str]) -> Formula:
    """If p(x) > 0 for every x, then the only Markov boundary is the set of the strongly relevant features."""
    relevant = m.all(strongly_relevant(m, i) if i in S else ~strongly_relevant(m, i) for i in m.order)
    return m.iff(_boundary(m, S), relevant)


@claim(name="PN-R3")
def boundary_is_not_solution(m: Model) -> Formula:
    """A Markov boundary is not minimal-optimal; true of some distributions, such as that of Example 1."""
    return m.any(_boundary(m, M) & ~m.minimal_optimal(M) for M in m.subsets())


@claim(name="PN-8a")
def fewer_than_square(m: Model) -> Formula:
    """The backward search takes fewer than n**2 iterations."""
    n = len(m.order)
    return m.all(m.implies(run.happens, run.iterations < n**2) for run in backward_runs(m))


@claim(name="PN-8b")
def iterations(m: Model) -> Formula:
    """The backward search takes n iterations and i more for each removed feature Xi: n(n + 3)/2 at most."""
    n = len(m.order)
    return m.all(
        m.implies(run.happens, run.iterations == n + sum(m.order.index(i) + 1 for i in m.features - run.returned))
        for run in backward_runs(m)
    )


def strongly_relevant(m: Model, i: str) -> Formula:
    """Return the statement p(Y | all features) != p(Y | all but i), at some state of positive probability."""
    return m.any(
        m.probability(x, y) * m.probability(_without(x, i)) != m.probability(_without(x, i), y) * m.probability(x)
        for x in m.states()
        for y in m.classes
    )


def _blanket(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement p(Y | S) = p(Y | all features), wherever the latter is defined."""
    return m.all(
        m.probability(x, y) * m.probability(s) == m.probability(s, y) * m.probability(x)
        for x in m.states()
        for s in [{name: label for name, label in x.items() if name in S}]
        for y in m.classes
    )


def _boundary(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement that S is a minimal blanket."""
    return _blanket(m, S) & ~m.any(_blanket(m, part) for part in m.subsets(S) if part != S)


def _without(x: State, i: str) -> State:
    return {name: label for name, label in x.items() if name != i}
