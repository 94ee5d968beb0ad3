"""The statements of Peña and Nilsson (2010) that are about one distribution, in the language of claims."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias

from fstheory.logic import Classifier, Formula, Model, Shape, claim, positive, unique_maximum

__all__ = ["Run", "backward_runs", "returns_in_any_order"]


@dataclass(frozen=True, slots=True)
class Run:
    """One way the search can go.

    Attributes
    ----------
    happens : Formula
        The answers to its tests, which decide that it goes this way.
    iterations : int
        How often the loop was entered.
    returned : frozenset of str
    """

    happens: Formula
    iterations: int
    returned: frozenset[str]


def backward_runs(m: Model, tau: Fraction | None = None) -> Iterator[Run]:
    """Yield every run of Table 1, line by line as printed; exactly one of them happens at a distribution.

    With tau it is FBS where the risks are known: a removal may cost at most tau.
    """
    yield from _continued(m, m.features, 1, 0, m.all([]), tau)


def _continued(
    m: Model, S: frozenset[str], i: int, iterations: int, happens: Formula, tau: Fraction | None
) -> Iterator[Run]:
    while i <= len(m.order):
        iterations += 1
        feature = m.order[i - 1]
        if feature in S:
            rest = m.risk(S - {feature})
            spared = rest == m.risk(S) if tau is None else rest <= m.risk(S) + tau
            yield from _continued(m, S - {feature}, 1, iterations, happens & spared, tau)
            happens = happens & ~spared
        i += 1
    yield Run(happens, iterations, S)


def returns_in_any_order(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement that some order of removals ends at S: each keeps the risk, and none from S does."""
    ends = m.all(m.risk(S - {i}) != m.risk(S) for i in S)
    return ends & m.any(_removed(m, m.features, S))


def _removed(m: Model, current: frozenset[str], S: frozenset[str]) -> Iterator[Formula | bool]:
    if current == S:
        yield True
    for i in current - S:
        rest = m.any(_removed(m, current - {i}, S))
        yield (m.risk(current - {i}) == m.risk(current)) & rest


State: TypeAlias = "Mapping[str, Hashable]"

BOTH = (positive, unique_maximum)

TAUS = (Fraction(1, 10), Fraction(1, 4))
"""Two thresholds of FBS, the smaller one first."""


@claim(name="PN-M")
def monotone(m: Model, S: frozenset[str], i: str) -> Formula:
    """One more feature never makes the Bayes risk larger; so no superset has a larger one."""
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
    """If S, T, U are all features: T and U can each be left out at no cost exactly if both can be at once."""
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
    """If p(Y|x) has a single maximum for every x, then no S, T, U have R(STU) = R(ST) = R(SU) < R(S)."""
    top = m.risk(S | T | U)
    return ~(m.equal(top, m.risk(S | T), m.risk(S | U)) & (top < m.risk(S)))


@claim(name="PN-4b", assume=(positive,))
def no_bijection(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    """If p(x) > 0 for every x, no features determine another one; so there is no bijection of two feature subsets."""
    if i in S:
        return True
    labels = [state[i] for state in m.states(i)]
    return ~m.all(
        m.any(m.probability({**state, i: label}) == m.probability(state) for label in labels) for state in m.states(S)
    )


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
    """A feature is in the solution exactly if the other features have a larger Bayes risk than all features."""
    return m.implies(m.minimal_optimal(S), m.iff(i in S, m.risk(m.features - {i}) != m.risk()))


@claim(name="PN-6b", assume=BOTH)
def one_shot_by_classifier(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature is in the solution exactly if the Bayes classifier over the others differs from the one over all."""
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


@claim
def is_example_1(m: Model) -> Formula | bool:
    """Say that the distribution is one of Example 1: X and Y are binary, p(x) > 0, and p(Y = 0 | x) = x/3."""
    if m.shape != Shape((2,), 2):
        return False
    zero, one = m.states()
    first = m.classes[0]
    thirds = (m.probability(zero, first) == 0) & (3 * m.probability(one, first) == m.probability(one))
    return thirds & (m.probability(zero) > 0) & (m.probability(one) > 0)


@claim(name="PN-E1", assume=(is_example_1,))
def strongly_relevant_outside(m: Model, i: str) -> Formula | bool:
    """In Example 1 the feature is strongly relevant, and not in the solution, for the Bayes classifier is constant."""
    if m.shape != Shape((2,), 2):
        return True
    constant = m.all(m.predicts(x, m.classes[1]) for x in m.states())
    return strongly_relevant(m, i) & m.minimal_optimal(frozenset()) & ~m.minimal_optimal(frozenset({i})) & constant


@claim(name="PN-R1", assume=BOTH)
def solution_is_strongly_relevant(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    """Every feature of the solution is strongly relevant."""
    return i not in S or m.implies(m.minimal_optimal(S), strongly_relevant(m, i))


@claim(name="PN-R2", assume=(positive,))
def boundary_is_strongly_relevant(m: Model, S: frozenset[str]) -> Formula:
    """If p(x) > 0 for every x, then the only Markov boundary is the set of the strongly relevant features."""
    relevant = m.all(strongly_relevant(m, i) if i in S else ~strongly_relevant(m, i) for i in m.order)
    return m.iff(_boundary(m, S), relevant)


@claim(name="PN-R3", assume=(is_example_1,))
def boundary_is_not_solution(m: Model, i: str) -> Formula | bool:
    """In Example 1 the Markov boundary is the feature, and the solution is empty; so they differ in general."""
    if m.shape != Shape((2,), 2):
        return True
    return _boundary(m, frozenset({i})) & m.minimal_optimal(frozenset())


@claim(name="PN-8a")
def fewer_than_square(m: Model) -> Formula:
    """The backward search takes fewer than n**2 iterations, and so does FBS."""
    n = len(m.order)
    return m.all(m.implies(run.happens, run.iterations < n**2) for run in backward_runs(m))


@claim(name="PN-8b")
def iterations(m: Model) -> Formula:
    """The backward search, and FBS, takes n iterations and i more for each removed feature Xi: n(n + 3)/2 at most."""
    n = len(m.order)
    return m.all(
        m.implies(run.happens, run.iterations == n + sum(m.order.index(i) + 1 for i in m.features - run.returned))
        for run in backward_runs(m)
    )


@claim(name="PN-8r", assume=BOTH)
def smaller_tau_finds_more(m: Model, S: frozenset[str]) -> Formula:
    """With the risks themselves, FBS with tau = 1/10 finds as many features of the solution as with tau = 1/4."""
    fewer = [
        one.happens & two.happens
        for one, two in product(*(list(backward_runs(m, tau)) for tau in TAUS))
        if len(one.returned & S) < len(two.returned & S)
    ]
    return m.implies(m.minimal_optimal(S), ~m.any(fewer))


@claim(name="PN-8s", assume=BOTH)
def smaller_tau_keeps_more(m: Model, i: str) -> Formula:
    """With the risks themselves, FOS with tau = 1/10 finds every feature that it finds with tau = 1/4."""
    cost = m.risk(m.features - {i}) - m.risk()
    less, more = TAUS
    return m.implies(cost > more, cost > less)


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
