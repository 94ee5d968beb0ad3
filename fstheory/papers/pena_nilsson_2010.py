"""Peña and Nilsson (2010): which orderings of Bayes risks exist, and the minimal-optimal problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from fstheory.logic.claims import claim, positive, unique_maximum
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Classifier, Formula, State, Term
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.measures.risk import BayesClassifier, bayes_classifier
from fstheory.papers.ahmed_2015 import independent_given_class
from fstheory.selection.optimal import minimal_optimal

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))
Spared: TypeAlias = Callable[[Model, frozenset[str], str], Formula]  # whether a subset can do without a feature

BOTH = (positive, unique_maximum)


@claim
def is_example_1(m: Model) -> Formula | bool:
    """Say that the distribution is one of Example 1: X and Y are binary, p(x) > 0, and p(Y = 0 | x) = x/3."""
    if m.shape != Shape((2,), 2):
        return False
    zero, one = m.states()
    first = m.classes[0]
    thirds = (m.probability(zero, first) == 0) & (3 * m.probability(one, first) == m.probability(one))
    return thirds & (m.probability(zero) > 0) & (m.probability(one) > 0)


def in_solutions(m: Model) -> Iterator[tuple[frozenset[str], str]]:
    """Yield each minimal subset of minimal Bayes risk with each feature. They decide a claim about no other subsets."""
    return product(minimal_optimal(m.distribution, "exhaustive").solutions, m.order)


@paper.claim("PN-M")
def monotone(m: Model, S: frozenset[str], i: str) -> Formula:
    return m.risk(S | {i}) <= m.risk(S)


def single_deviations(m: Model) -> Iterator[tuple[frozenset[str], Classifier]]:
    """Yield, for each subset, its Bayes classifier, and this classifier with another class at one state.

    They decide whether R(S) <= R(g) for every classifier g over S. The risk of a classifier is a sum over its states.
    So if some changes make it smaller, one of these changes alone does.
    """
    for subset in m.subsets():
        bayes = bayes_classifier(m.distribution, subset)
        yield from _changed(subset, bayes, dict.fromkeys(bayes.table(), m.classes))


def likeliest_deviations(m: Model) -> Iterator[tuple[frozenset[str], Classifier]]:
    """Yield, for each subset, its Bayes classifier, and this classifier with another likeliest class at one state.

    They decide Theorem 2, which says for each classifier g over S that R(g) = R(X) exactly if g names the right class
    at each state of X. If g does, then R(g) = R(X). So the theorem is false only where R(g) = R(X) and g names a wrong
    class at a state. Then R(g) = R(S), because R(X) <= R(S) <= R(g), and g names a likeliest class at each state of S.
    So the Bayes classifier that agrees with g at that one state has the risk R(X), too, and names the same wrong class.
    """
    for subset in m.subsets():
        bayes = bayes_classifier(m.distribution, subset)
        yield from _changed(subset, bayes, bayes.table())


def _changed(
    subset: frozenset[str], bayes: BayesClassifier, classes: Mapping[tuple[Any, ...], tuple[Any, ...]]
) -> Iterator[tuple[frozenset[str], Classifier]]:
    """Yield a Bayes classifier, and it with each of some other classes at one state."""
    best = {state: likeliest[0] for state, likeliest in bayes.table().items()}
    yield subset, Classifier(bayes.features, best)
    for state, named in classes.items():
        yield from ((subset, Classifier(bayes.features, best | {state: y})) for y in named if y != best[state])


@paper.claim("PN-B", where={"g": "classifier of S"}, decided_by=single_deviations)
def bayes_is_optimal(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    return m.risk(S) <= m.risk(g)


@paper.claim("PN-B2")
def sum_of_minima(m: Model, S: frozenset[str]) -> Formula | bool:
    minima = (m.minimum(m.probability(s, y) for y in m.classes) for s in m.states(S))
    return len(m.classes) > 2 or m.risk(S) == m.sum(minima)


@paper.claim("PN-2", assume=BOTH, where={"g": "classifier of S"}, decided_by=likeliest_deviations)
def same_risk_same_classifier(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    return m.iff(m.risk(g) == m.risk(), m.all(m.predicts(x, g(x)) for x in m.states()))


@paper.claim("PN-2c", where={"g": "classifier of S"}, decided_by=likeliest_deviations)
def same_risk_same_winners(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    return m.iff(m.risk(g) == m.risk(), m.all(m.maximizes(x, g(x)) for x in m.states()))


@paper.claim("PN-3", assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula | bool:
    same = m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))
    return (m.features != S | T | U) | same  # otherwise a theorem about the distribution of S, T and U alone


@paper.claim("PN-3a", assume=BOTH, disjoint=True)
def no_diamond(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula | bool:
    return (m.features != S | T | U) | no_diamond_below(m, S, T, U)


@paper.claim("PN-3b", assume=BOTH, disjoint=True)
def no_diamond_below(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
    top = m.risk(S | T | U)
    return ~(m.equal(top, m.risk(S | T), m.risk(S | U)) & (top < m.risk(S)))


@paper.claim("PN-4b", assume=(positive,))
def no_bijection(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    always = (m.any(m.probability(s | x) == m.probability(s) for x in m.states({i})) for s in m.states(S))
    return i in S or ~m.all(always)


@paper.claim("PN-4", assume=BOTH)
def unique_solution(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
    return (S == T) | ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@paper.claim("PN-5", assume=BOTH)
def backward_search(m: Model) -> Formula:
    return m.all(m.implies(run.happens, m.minimal_optimal(run.returned)) for run in backward_runs(m))


@paper.claim("PN-5a", assume=BOTH)
def removal_in_any_order(m: Model, S: frozenset[str]) -> Formula:
    return m.implies(returns_in_any_order(m, S), m.minimal_optimal(S))


@paper.claim("PN-6", assume=BOTH, decided_by=in_solutions)
def one_shot(m: Model, S: frozenset[str], i: str) -> Formula:
    return m.implies(m.minimal_optimal(S), m.iff({i} <= S, m.risk(m.features - {i}) != m.risk()))


@paper.claim("PN-6b", assume=BOTH, decided_by=in_solutions)
def one_shot_by_classifier(m: Model, S: frozenset[str], i: str) -> Formula:
    same = m.all(m.same_prediction(_without(x, i), x) for x in m.states())
    return m.implies(m.minimal_optimal(S), m.iff(i in S, ~same))


@paper.claim("PN-6c")
def one_shot_is_the_intersection(m: Model, i: str) -> Formula:
    in_all = m.all(m.implies(m.minimal_optimal(S), i in S) for S in m.subsets())
    return m.iff(m.risk(m.features - {i}) != m.risk(), in_all)


@paper.claim("PN-7", assume=BOTH, decided_by=in_solutions)
def resampling(m: Model, S: frozenset[str], i: str) -> Formula:
    changes = m.any(
        (m.probability(x) > 0) & (m.probability(again) > 0) & ~m.same_prediction(x, again)
        for x, again in combinations(m.states(), 2)
        if _without(x, i) == _without(again, i)
    )
    return m.implies(m.minimal_optimal(S), m.iff(i in S, changes))


@paper.claim("PN-E1", assume=(is_example_1,))
def strongly_relevant_outside(m: Model, i: str) -> Formula | bool:
    constant = m.all(m.predicts(x, m.classes[1]) for x in m.states())
    return m.strongly_relevant(i) & m.minimal_optimal(frozenset()) & ~m.minimal_optimal(frozenset({i})) & constant


@paper.claim("PN-R1", assume=BOTH, decided_by=in_solutions)
def solution_is_strongly_relevant(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    return i not in S or m.implies(m.minimal_optimal(S), m.strongly_relevant(i))


@paper.claim("PN-R2", assume=(positive,))
def boundary_is_strongly_relevant(m: Model, S: frozenset[str]) -> Formula:
    relevant = m.all(m.strongly_relevant(i) if i in S else ~m.strongly_relevant(i) for i in m.order)
    return m.iff(m.markov_boundary(S), relevant)


@paper.claim("PN-R3", assume=(is_example_1,))
def boundary_is_not_solution(m: Model, i: str) -> Formula | bool:
    return m.markov_boundary({i}) & m.minimal_optimal(frozenset())


@paper.claim("PN-8a")
def fewer_than_square(m: Model) -> Formula:
    return m.all(m.implies(run.happens, run.iterations < len(m.order) ** 2) for run in backward_runs(m))


@paper.claim("PN-8b")
def iterations(m: Model) -> Formula:
    n = len(m.order)
    return m.all(
        m.implies(run.happens, run.iterations == n + sum(m.order.index(i) + 1 for i in m.features - run.returned))
        for run in backward_runs(m)
    )


@paper.claim("PN-8r", assume=BOTH)
def smaller_tau_finds_more(m: Model, S: frozenset[str]) -> Formula:
    smaller, larger = (m.parameter(name, above=0, below=1) for name in ("tau1", "tau2"))
    fewer = [
        one.happens & two.happens
        for one, two in product(backward_runs(m, smaller), backward_runs(m, larger))
        if len(one.returned & S) < len(two.returned & S)
    ]
    return m.implies((smaller < larger) & m.minimal_optimal(S), ~m.any(fewer))


@paper.claim("PN-8s", assume=BOTH)
def smaller_tau_keeps_more(m: Model, i: str) -> Formula:
    cost = m.risk(m.features - {i}) - m.risk()
    smaller, larger = (m.parameter(name, above=0, below=1) for name in ("tau1", "tau2"))
    return m.implies((smaller < larger) & (cost > larger), cost > smaller)


# Section 6: forward search, which the paper announces


@claim
def local_composition(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
    """Say that features tell nothing together, whatever is given, if each of them tells nothing alone."""
    return m.implies(m.all(m.mutual_information(i, S) == 0 for i in T), m.mutual_information(T, S) == 0)


@claim
def independent_features(m: Model) -> Formula:
    """Say that the features are independent."""
    return m.all(m.independent(m.order[:i], name) for i, name in enumerate(m.order) if i)


@claim
def rising(m: Model) -> Formula:
    """Say that there are two classes, and that p(Y = 1 | x) does not fall if one feature goes to a later state."""
    zero, one = m.classes[0], m.classes[-1]
    pairs = ((a, b) for i in m.order for a, b in combinations(m.states({i}), 2))
    steps = ((x, x | b) for a, b in pairs for x in m.states() if x == x | a)
    odds = (
        m.probability(x, one) * m.probability(z, zero) <= m.probability(z, one) * m.probability(x, zero)
        for x, z in steps
    )
    return m.all([len(m.classes) == 2, *odds])


@paper.variants("ahead", {"PN-9a": 1, "PN-9b": 2}, assume=BOTH)
@paper.variants("ahead", {"PN-9d": 1}, assume=(*BOTH, independent_given_class))
def forward_search_by_risk(m: Model, *, ahead: int) -> Formula:
    return m.all(m.implies(run.happens, m.minimal_optimal(run.returned)) for run in forward_runs(m, m.risk, ahead))


@paper.claim("PN-9e")
def spares_nothing_more(m: Model) -> Formula:
    runs = ((run, i) for run in forward_runs(m, m.risk) for i in m.order if i in run.returned)
    return m.all(m.implies(run.happens, m.risk(run.returned) < m.risk(run.returned - {i})) for run, i in runs)


@paper.claim("PN-9f")
def finds_a_single_feature(m: Model) -> Formula:
    single = m.any(m.minimal_optimal(S) for S in m.subsets() if len(S) < 2)
    return m.implies(single, forward_search_by_risk(m, ahead=1))


@paper.claim("PN-9g", assume=(local_composition,))
def forward_search_by_gini(m: Model) -> Formula:
    return m.all(m.implies(run.happens, m.minimal_optimal(run.returned)) for run in forward_runs(m, m.gini))


paper.claim("PN-9h", assume=(independent_given_class,))(local_composition.body)
paper.claim("PN-9i", assume=(independent_features, rising))(local_composition.body)


class Run(NamedTuple):
    """A run of the search: the condition under which it happens, the iterations of its loop, and what it returns."""

    happens: Formula
    iterations: int
    returned: frozenset[str]


def backward_runs(m: Model, tau: Term | Fraction | None = None) -> Iterator[Run]:
    """Yield every run of Table 1, line by line as printed. At each distribution exactly one of them happens.

    With `tau` it is FBS on known risks: a removal may raise the risk by at most tau.
    """
    yield from _continued(m, m.features, 0, m.all([]), tau)


def _continued(
    m: Model, S: frozenset[str], iterations: int, happens: Formula, tau: Term | Fraction | None
) -> Iterator[Run]:
    for feature in m.order:
        iterations += 1
        if feature in S:
            rest = m.risk(S - {feature})
            spared = rest == m.risk(S) if tau is None else rest <= m.risk(S) + tau
            yield from _continued(m, S - {feature}, iterations, happens & spared, tau)  # starts over, line 7
            happens = happens & ~spared
    yield Run(happens, iterations, S)


def forward_runs(m: Model, value: Callable[[frozenset[str]], Term], ahead: int = 1) -> Iterator[Run]:
    """Yield every run of forward search with its backward pass. At each distribution exactly one of them happens.

    It adds the feature with the least value, the first of several, as long as the value falls. If no feature lowers the
    value, it tries pairs, and so on up to `ahead` features. Then it removes each feature that the risk can spare.
    """

    def up(S: frozenset[str], number: int, steps: int, happens: Formula) -> Iterator[Run]:
        left = [i for i in m.order if i not in S]
        larger = [S.union(some) for some in combinations(left, number)] if number <= ahead else []
        if not larger:
            yield from down(S, [i for i in m.order if i in S], steps, happens)
            return
        for k, T in enumerate(larger):
            first = [value(T) < value(V) for V in (S, *larger[:k])] + [value(T) <= value(V) for V in larger[k + 1 :]]
            yield from up(T, 1, steps + 1, happens & m.all(first))
        yield from up(S, number + 1, steps + 1, happens & m.all(value(S) <= value(T) for T in larger))

    def down(S: frozenset[str], left: list[str], steps: int, happens: Formula) -> Iterator[Run]:
        if not left:
            yield Run(happens, steps, S)
            return
        spared = m.risk(S - {left[0]}) == m.risk(S)
        yield from down(S - {left[0]}, left[1:], steps, happens & spared)
        yield from down(S, left[1:], steps, happens & ~spared)

    return up(frozenset(), 1, 0, m.all([]))


def returns_in_any_order(
    m: Model, S: frozenset[str], spared: Spared = lambda m, S, i: m.risk(S - {i}) == m.risk(S)
) -> Formula:
    """Return the statement that removals in some order end at S: each was spared, and no feature of S can be spared."""

    def removed(current: frozenset[str]) -> Formula:
        steps = (spared(m, current, i) & removed(current - {i}) for i in current - S)
        return m.any([True] if current == S else steps)

    return m.all(~spared(m, S, i) for i in S) & removed(m.features)


def _without(x: State, i: str) -> State:
    return {name: label for name, label in x.items() if name != i}
