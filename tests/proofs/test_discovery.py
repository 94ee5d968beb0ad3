"""What is believed of feature selection and false is refuted, and by the smallest distribution there is.

Each belief stands here as a claim, and independently of it in plain Python over a `World`, for the exhaustion.
"""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from fstheory.logic.claims import Claim, claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import Refuted
from fstheory.proofs.refutation import refute
from tests import literal
from tests.proofs.claims import information_orders_as_risk, weights_of
from tests.proofs.exhaustion import World, smallest


@claim
def two_best_are_best_pair(m: Model, i: str, j: str, S: frozenset[str]) -> Formula | bool:
    """The two best single features are the best pair (Elashoff et al. 1967, Toussaint 1971, Cover 1974)."""
    if i == j or len(S) != 2:
        return True
    rest = m.features - {i, j}
    best = m.all(m.risk(one) <= m.risk(k) for one in (i, j) for k in sorted(rest))
    return m.implies(best, m.risk({i, j}) <= m.risk(S))


def two_best_are_not(w: World) -> bool:
    pairs = [s for s in w.subsets if len(s) == 2]
    rest = {pair: [w.errors({k}) for k in w.features if k not in pair] for pair in pairs}
    best = [pair for pair in pairs if all(w.errors({i}) <= other for i in pair for other in rest[pair])]
    return any(w.errors(other) < w.errors(pair) for pair in best for other in pairs)


def information_orders_otherwise(w: World) -> bool:
    pairs = itertools.permutations(w.features, 2)
    return any(w.errors({i}) < w.errors({j}) and w.information({i}) < w.information({j}) for i, j in pairs)


@claim
def useless_alone_is_useless(m: Model, i: str, S: frozenset[str]) -> Formula:
    """A feature that is useless by itself is useless with others (Guyon and Elisseeff 2003 say not)."""
    return m.implies(m.risk(i) == m.risk(()), m.risk(S | {i}) == m.risk(S))


def useless_alone_is_useful(w: World) -> bool:
    useless = [i for i in w.features if w.errors({i}) == w.errors(())]
    return any(w.errors(s | {i}) != w.errors(s) for i in useless for s in w.subsets)


#: The belief, whether a world contradicts it, and of how many features the smallest that does so is; to look at all
#: of its total is short enough. The search is told neither.
BELIEFS: list[tuple[Claim, Callable[[World], bool], int]] = [
    (two_best_are_best_pair, two_best_are_not, 3),
    (information_orders_as_risk, information_orders_otherwise, 2),
    (useless_alone_is_useless, useless_alone_is_useful, 2),
]


@pytest.mark.parametrize(("belief", "violated", "features"), BELIEFS, ids=[row[0].name for row in BELIEFS])
@pytest.mark.one_in(3)
def test_a_false_belief_is_refuted_by_the_smallest_counterexample(
    belief: Claim, violated: Callable[[World], bool], features: int
) -> None:
    verdict = refute(belief)
    assert isinstance(verdict, Refuted)
    assert verdict.minimality.startswith("proved")
    d = verdict.distribution
    shapes = [((2,) * n, 2) for n in range(1, features + 1)]
    assert (d.cardinalities, len(d.classes), weights_of(verdict)) == smallest(violated, shapes, d.total)


@pytest.mark.parametrize("seed", range(5))
def test_a_world_is_what_the_definitions_say(seed: int) -> None:
    """The oracle against the literal definitions."""
    rng = Random(seed)
    cardinalities, classes = rng.choice([((2, 2), 2), ((2, 3), 2), ((2, 2), 3), ((2, 2, 2), 2)])
    cells = math.prod(cardinalities) * classes
    w = World(cardinalities, classes, (*(rng.choice((0, 1, 1, 2, 3)) for _ in range(cells - 1)), 1))
    pmf: literal.Pmf = {x: Fraction(weight, w.total) for x, weight in w.table.items()}
    for kept in w.subsets:
        assert Fraction(w.errors(kept), w.total) == literal.bayes_risk(pmf, sorted(kept))
