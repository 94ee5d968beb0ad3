"""What is believed of feature selection and false is refuted, and by the smallest distribution there is.

Each belief stands here as a claim, and independently of it in plain Python over a `World`, for the exhaustion.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import pytest

from fstheory.logic.claims import Claim, claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import Refuted
from fstheory.proofs.refutation import refute
from tests import literal
from tests.proofs.claims import weights_of
from tests.proofs.exhaustion import World, smallest

Names = frozenset[str]


class Belief(NamedTuple):
    claim: Claim
    violated: Callable[[World], bool]
    features: int
    total: int


BELIEFS: list[Belief] = []


def false(features: int, total: int, violated: Callable[[World], bool]) -> Callable[[Callable[..., Any]], Claim]:
    """Declare a false belief by whether a world contradicts it.

    How many features, and which total, the smallest counterexample has keeps the exhaustion short; the search is not
    told.
    """

    def declared(body: Callable[..., Any]) -> Claim:
        BELIEFS.append(Belief(claim(body), violated, features, total))
        return BELIEFS[-1].claim

    return declared


def _best(m: Model, i: str, others: frozenset[str]) -> Formula:
    return m.all(m.risk(i) <= m.risk(k) for k in sorted(others))


def _pairs(w: World) -> list[frozenset[int]]:
    return [s for s in w.subsets if len(s) == 2]


def _ordered(w: World) -> Iterator[tuple[int, int]]:
    return itertools.permutations(w.features, 2)


def two_best_are_not(w: World) -> bool:
    rest = {pair: [w.errors({k}) for k in set(w.features) - pair] for pair in _pairs(w)}
    best = [pair for pair in rest if all(w.errors({i}) <= other for i in pair for other in rest[pair])]
    return any(w.errors(other) < w.errors(pair) for pair in best for other in rest)


@false(3, 3, two_best_are_not)
def two_best_are_best_pair(m: Model, i: str, j: str, S: Names) -> Formula | bool:
    """The two best single features are the best pair (Elashoff et al. 1967, Toussaint 1971, Cover 1974)."""
    if i == j or len(S) != 2:
        return True
    rest = m.features - {i, j}
    return m.implies(_best(m, i, rest) & _best(m, j, rest), m.risk({i, j}) <= m.risk(S))


def information_orders_otherwise(w: World) -> bool:
    return any(w.information({i}) < w.information({j}) and w.errors({i}) < w.errors({j}) for i, j in _ordered(w))


@false(2, 8, information_orders_otherwise)
def information_orders_as_risk(m: Model, i: str, j: str) -> Formula:
    """Mutual information and Bayes risk order the features alike (Ahmed et al. 2015, Example 1, says not)."""
    return m.implies(m.mutual_information(i) < m.mutual_information(j), m.risk(j) <= m.risk(i))


def useless_alone_is_useful(w: World) -> bool:
    useless = [i for i in w.features if w.errors({i}) == w.errors(())]
    return any(w.errors(s | {i}) != w.errors(s) for i in useless for s in w.subsets)


@false(2, 4, useless_alone_is_useful)
def useless_alone_is_useless(m: Model, i: str, S: Names) -> Formula:
    """A feature that is useless by itself is useless with others (Guyon and Elisseeff 2003 say not)."""
    return m.implies(m.risk(i) == m.risk(()), m.risk(S | {i}) == m.risk(S))


def _strongly_relevant(m: Model, i: str) -> Formula:
    return m.conditional_entropy(m.features - {i}) > m.conditional_entropy(m.features)


@false(2, 4, lambda w: any(w.minimal_optimal(s) and any(map(w.weakly_relevant, s)) for s in w.subsets))
def weakly_relevant_is_left_out(m: Model, i: str, S: Names) -> Formula | bool:
    """A weakly relevant feature is in no minimal-optimal subset (Kohavi and John 1997)."""
    somewhere = m.any(m.mutual_information(i, given=T) > 0 for T in m.subsets(m.features - {i}))
    return i not in S or m.implies(~_strongly_relevant(m, i) & somewhere, ~m.minimal_optimal(S))


def correlated_complements(w: World) -> bool:
    for i, j in itertools.combinations(w.features, 2):
        agree = sum(weight for cell, weight in w.table.items() if cell[i] == cell[j])
        if 5 * agree >= 4 * w.total and w.errors({i, j}) < min(w.errors({i}), w.errors({j})):
            return True
    return False


@false(2, 8, correlated_complements)
def correlation_excludes_complements(m: Model, i: str, j: str) -> Formula | bool:
    """Features of very high correlation do not complement each other (Guyon and Elisseeff 2003 say not)."""
    if i >= j:
        return True
    agree = m.sum(m.probability({i: v, j: v}) for v in (0, 1))
    return m.implies(agree >= "4/5", m.risk({i, j}) == m.minimum([m.risk(i), m.risk(j)]))


@pytest.mark.parametrize("belief", BELIEFS, ids=lambda belief: belief.claim.name)
def test_a_false_belief_is_refuted_by_the_smallest_counterexample(belief: Belief) -> None:
    """All but one are known to be the smallest: a single feature with three states might refute it, too."""
    verdict = refute(belief.claim)
    assert isinstance(verdict, Refuted)
    d = verdict.distribution
    shapes = [((2,) * features, 2) for features in range(1, belief.features + 1)]
    assert (d.cardinalities, len(d.classes), weights_of(verdict)) == smallest(belief.violated, shapes, belief.total)
    assert verdict.minimality.startswith("reached" if belief.claim.name == "weakly_relevant_is_left_out" else "proved")


@pytest.mark.parametrize("seed", range(10))
def test_a_world_is_what_the_definitions_say(seed: int) -> None:
    """The oracle against the literal definitions."""
    rng = Random(seed)
    cardinalities, classes = rng.choice([((2, 2), 2), ((2, 3), 2), ((2, 2), 3), ((2, 2, 2), 2)])
    cells = math.prod(cardinalities) * classes
    w = World(cardinalities, classes, (*(rng.choice((0, 1, 1, 2, 3)) for _ in range(cells - 1)), 1))
    pmf: literal.Pmf = {x: Fraction(weight, w.total) for x, weight in w.table.items()}
    for kept in w.subsets:
        assert Fraction(w.errors(kept), w.total) == literal.bayes_risk(pmf, sorted(kept))
        for i in w.features:
            assert w.depends(i, kept) == depends(pmf, i, sorted(kept))


def depends(pmf: literal.Pmf, i: int, given: list[int]) -> bool:
    """Say whether p(y | given, i) differs from p(y | given) in a state of positive probability."""
    for x in {cell[:-1] for cell, p in pmf.items() if p}:
        narrow, wide = ([(k, x[k]) for k in kept] for kept in ([*given, i], given))
        posteriors = [
            literal.posterior(pmf, lambda cell, state=state: all(cell[k] == v for k, v in state))  # type: ignore[misc]
            for state in (narrow, wide)
        ]
        if posteriors[0] != posteriors[1]:
            return True
    return False
