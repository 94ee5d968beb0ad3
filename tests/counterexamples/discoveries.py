"""What is believed of feature selection and false: each as a claim, and in plain Python over a `World`.

The two forms are written independently of each other. `features` says how many features the smallest counterexample
has, which keeps the exhaustion short; the search is not told.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from fstheory.logic import Claim, Formula, Model, claim
from tests.counterexamples.exhaustion import World

Names = frozenset[str]


@dataclass(frozen=True)
class Belief:
    """A false belief.

    Attributes
    ----------
    claim : Claim
    violated : callable
        Whether a world contradicts it.
    features, total : int
        How far the exhaustion needs to look.
    """

    claim: Claim
    violated: Callable[[World], bool]
    features: int
    total: int


def _best(m: Model, i: str, others: frozenset[str]) -> Formula:
    return m.all(m.risk(i) <= m.risk(k) for k in sorted(others))


def _pairs(w: World) -> list[frozenset[int]]:
    return [s for s in w.subsets if len(s) == 2]


# The two best single features are the best pair (Elashoff et al. 1967, Toussaint 1971, Cover 1974).


@claim
def two_best_are_best_pair(m: Model, i: str, j: str, S: Names) -> Formula | bool:
    if i == j or len(S) != 2:
        return True
    rest = m.features - {i, j}
    return m.implies(_best(m, i, rest) & _best(m, j, rest), m.risk({i, j}) <= m.risk(S))


def two_best_are_not(w: World) -> bool:
    for i, j in itertools.permutations(w.features, 2):
        rest = [k for k in w.features if k not in (i, j)]
        if all(w.errors({a}) <= w.errors({k}) for a in (i, j) for k in rest) and any(
            w.errors(pair) < w.errors({i, j}) for pair in _pairs(w)
        ):
            return True
    return False


# A further feature never changes which of two others is better.


@claim
def order_is_kept(m: Model, i: str, j: str, k: str) -> Formula | bool:
    return len({i, j, k}) < 3 or m.implies(m.risk(i) < m.risk(j), m.risk({i, k}) <= m.risk({j, k}))


def order_is_lost(w: World) -> bool:
    return any(
        w.errors({i}) < w.errors({j}) and w.errors({i, k}) > w.errors({j, k})
        for i, j, k in itertools.permutations(w.features, 3)
    )


# Greedy forward selection finds the best pair.


@claim
def forward_finds_best_pair(m: Model, i: str, j: str, S: Names) -> Formula | bool:
    if i == j or len(S) != 2:
        return True
    second = m.all(m.risk({i, j}) <= m.risk({i, k}) for k in m.order if k != i)
    return m.implies(_best(m, i, m.features) & second, m.risk({i, j}) <= m.risk(S))


def forward_misses_best_pair(w: World) -> bool:
    for i in w.features:
        if all(w.errors({i}) <= w.errors({k}) for k in w.features):
            reached = [w.errors({i, k}) for k in w.features if k != i]
            if reached and min(reached) > min(map(w.errors, _pairs(w))):
                return True
    return False


# Backward elimination down to one of three features finds the best one.


@claim
def backward_finds_best_one(m: Model, i: str, j: str, k: str) -> Formula | bool:
    if len(m.order) != 3 or len({i, j, k}) < 3:
        return True
    first = m.all(m.risk(m.features - {i}) <= m.risk(m.features - {other}) for other in m.order)
    return m.implies(first & (m.risk(k) <= m.risk(j)), _best(m, k, m.features))


def backward_misses_best_one(w: World) -> bool:
    if len(w.features) != 3:
        return False
    whole = set(w.features)
    for i, j, k in itertools.permutations(w.features):
        removed_first = all(w.errors(whole - {i}) <= w.errors(whole - {other}) for other in whole)
        if removed_first and w.errors({k}) <= w.errors({j}) and w.errors({i}) < w.errors({k}):
            return True
    return False


# Mutual information and Bayes risk put features in the same order (Ahmed et al. 2015, Example 1, says not).


@claim
def information_orders_as_risk(m: Model, i: str, j: str) -> Formula:
    return m.implies(m.mutual_information(i) < m.mutual_information(j), m.risk(j) <= m.risk(i))


def information_orders_otherwise(w: World) -> bool:
    return any(
        w.information({i}) < w.information({j}) and w.errors({i}) < w.errors({j})
        for i, j in itertools.permutations(w.features, 2)
    )


# A feature that is useless by itself is useless with others (Guyon and Elisseeff 2003 say not).


@claim
def useless_alone_is_useless(m: Model, i: str, S: Names) -> Formula:
    return m.implies(m.risk(i) == m.risk(()), m.risk(S | {i}) == m.risk(S))


def useless_alone_is_useful(w: World) -> bool:
    return any(
        w.errors({i}) == w.errors(()) and w.errors(s | {i}) != w.errors(s) for i in w.features for s in w.subsets
    )


# Two features that are useful each are more useful together.


@claim
def useful_ones_are_better_together(m: Model, i: str, j: str) -> Formula | bool:
    useful = (m.risk(i) < m.risk(())) & (m.risk(j) < m.risk(()))
    return i == j or m.implies(useful, m.risk({i, j}) < m.minimum([m.risk(i), m.risk(j)]))


def useful_ones_are_not_better_together(w: World) -> bool:
    for i, j in itertools.permutations(w.features, 2):
        alone = min(w.errors({i}), w.errors({j}))
        if max(w.errors({i}), w.errors({j})) < w.errors(()) and w.errors({i, j}) >= alone:
            return True
    return False


# The best pair contains the best feature.


@claim
def best_pair_has_best_feature(m: Model, i: str, S: Names) -> Formula | bool:
    if i in S or len(S) != 2:
        return True
    first = m.all(m.risk(i) < m.risk(j) for j in m.order if j != i)
    pairs = [T for T in m.subsets() if len(T) == 2 and T != S]
    return ~(first & m.all(m.risk(S) < m.risk(T) for T in pairs))


def best_pair_lacks_best_feature(w: World) -> bool:
    return any(
        all(w.errors({i}) < w.errors({j}) for j in w.features if j != i)
        and all(w.errors(s) < w.errors(t) for t in _pairs(w) if t != s)
        for s in _pairs(w)
        for i in w.features
        if i not in s
    )


# The Bayes risk is a supermodular function of the subset (returns diminish); it is a submodular one.


@claim
def returns_diminish(m: Model, S: Names, i: str, j: str) -> Formula | bool:
    if i == j or {i, j} & S:
        return True
    return m.risk(S) - m.risk(S | {i}) >= m.risk(S | {j}) - m.risk(S | {i, j})


def _gains(w: World) -> list[tuple[int, int]]:
    """Return what a feature gains without another one, and with it."""
    return [
        (w.errors(s) - w.errors(s | {i}), w.errors(s | {j}) - w.errors(s | {i, j}))
        for s in w.subsets
        for i, j in itertools.permutations(set(w.features) - s, 2)
    ]


def returns_grow(w: World) -> bool:
    return any(without < with_other for without, with_other in _gains(w))


@claim
def returns_never_diminish(m: Model, S: Names, i: str, j: str) -> Formula | bool:
    if i == j or {i, j} & S:
        return True
    return m.risk(S) + m.risk(S | {i, j}) <= m.risk(S | {i}) + m.risk(S | {j})


def some_returns_diminish(w: World) -> bool:
    return any(without > with_other for without, with_other in _gains(w))


# Conditioning on a feature never adds to the information of another one.


@claim
def condition_takes_information(m: Model, i: str, j: str) -> Formula | bool:
    return i == j or m.mutual_information(i, given=j) <= m.mutual_information(i)


def condition_adds_information(w: World) -> bool:
    return any(w.information({i}, {j}) > w.information({i}) for i, j in itertools.permutations(w.features, 2))


# The minimal-optimal subset is unique.


@claim
def solution_is_unique(m: Model, S: Names, T: Names) -> Formula | bool:
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


def solution_is_not_unique(w: World) -> bool:
    return sum(map(w.minimal_optimal, w.subsets)) > 1


# A weakly relevant feature is in no minimal-optimal subset; a strongly relevant one in each (Kohavi and John 1997).


def _strongly_relevant(m: Model, i: str) -> Formula:
    return m.conditional_entropy(m.features - {i}) > m.conditional_entropy(m.features)


def _relevant_somewhere(m: Model, i: str) -> Formula:
    return m.any(m.mutual_information(i, given=S) > 0 for S in m.subsets(m.features - {i}))


@claim
def weakly_relevant_is_left_out(m: Model, i: str, S: Names) -> Formula | bool:
    weakly = ~_strongly_relevant(m, i) & _relevant_somewhere(m, i)
    return i not in S or m.implies(weakly, ~m.minimal_optimal(S))


def weakly_relevant_is_taken(w: World) -> bool:
    return any(w.minimal_optimal(s) and any(w.weakly_relevant(i) for i in s) for s in w.subsets)


@claim
def strongly_relevant_is_taken(m: Model, i: str, S: Names) -> Formula | bool:
    return i in S or m.implies(_strongly_relevant(m, i), ~m.minimal_optimal(S))


def strongly_relevant_is_left_out(w: World) -> bool:
    return any(w.minimal_optimal(s) and any(w.strongly_relevant(i) for i in set(w.features) - s) for s in w.subsets)


# A very high correlation means that two features do not complement each other (Guyon and Elisseeff 2003 say not).


@claim
def correlation_excludes_complements(m: Model, i: str, j: str) -> Formula | bool:
    if i >= j:
        return True
    agree = m.sum(m.probability({i: v, j: v}) for v in (0, 1))
    return m.implies(agree >= "4/5", m.risk({i, j}) == m.minimum([m.risk(i), m.risk(j)]))


def correlated_complements(w: World) -> bool:
    for i, j in itertools.combinations(w.features, 2):
        agree = sum(weight for cell, weight in w.table.items() if cell[i] == cell[j])
        if 5 * agree >= 4 * w.total and w.errors({i, j}) < min(w.errors({i}), w.errors({j})):
            return True
    return False


# Two features with the same joint distribution with the class add nothing to each other ("presumably redundant").


@claim
def alike_is_redundant(m: Model, i: str, j: str) -> Formula | bool:
    if i == j:
        return True
    cells = itertools.product((0, 1), m.classes)
    alike = m.all(m.probability({i: v}, y) == m.probability({j: v}, y) for v, y in cells)
    return m.implies(alike, m.risk({i, j}) == m.risk(i))


def alike_is_useful(w: World) -> bool:
    for i, j in itertools.permutations(w.features, 2):
        if w.marginal({i}) == w.marginal({j}) and w.errors({i, j}) != w.errors({i}):
            return True
    return False


BELIEFS = [
    Belief(two_best_are_best_pair, two_best_are_not, 3, 3),
    Belief(order_is_kept, order_is_lost, 3, 4),
    Belief(forward_finds_best_pair, forward_misses_best_pair, 3, 4),
    Belief(backward_finds_best_one, backward_misses_best_one, 3, 4),
    Belief(information_orders_as_risk, information_orders_otherwise, 2, 8),
    Belief(useless_alone_is_useless, useless_alone_is_useful, 2, 4),
    Belief(useful_ones_are_better_together, useful_ones_are_not_better_together, 2, 4),
    Belief(best_pair_has_best_feature, best_pair_lacks_best_feature, 3, 4),
    Belief(returns_diminish, returns_grow, 2, 4),
    Belief(returns_never_diminish, some_returns_diminish, 2, 4),
    Belief(condition_takes_information, condition_adds_information, 2, 4),
    Belief(solution_is_unique, solution_is_not_unique, 2, 4),
    Belief(weakly_relevant_is_left_out, weakly_relevant_is_taken, 2, 4),
    Belief(strongly_relevant_is_taken, strongly_relevant_is_left_out, 2, 6),
    Belief(correlation_excludes_complements, correlated_complements, 2, 8),
    Belief(alike_is_redundant, alike_is_useful, 2, 6),
]
