"""Known-false statements of the literature are refuted, and by the smallest distribution there is.

What is smallest is found a second time by exhaustion in plain Python, which shares no code with the search.
"""

import math
from fractions import Fraction
from random import Random

import pytest

from fstheory.logic.verdict import Refuted
from fstheory.proofs.refutation import refute
from tests import literal
from tests.proofs.claims import weights_of
from tests.proofs.discoveries import BELIEFS, Belief
from tests.proofs.exhaustion import World, smallest


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
