"""Known-false statements of the literature are refuted, and by the smallest distribution there is.

What is smallest is found a second time by exhaustion in plain Python, which shares no code with the search.
"""

from collections.abc import Hashable
from fractions import Fraction
from random import Random

import pytest

from fstheory.logic.checker import check_certificate
from fstheory.logic.verdict import Refuted
from fstheory.proofs.refutation import refute
from tests import literal
from tests.proofs.discoveries import BELIEFS, Belief
from tests.proofs.exhaustion import Found, World, binary, smallest


def found_by(verdict: Refuted) -> Found:
    d = verdict.distribution
    return d.cardinalities, len(d.classes), tuple(d.weights.ravel().tolist())


@pytest.mark.parametrize("belief", BELIEFS, ids=lambda belief: belief.claim.name)
def test_a_false_belief_is_refuted_by_the_smallest_counterexample(belief: Belief) -> None:
    verdict = refute(belief.claim)
    assert isinstance(verdict, Refuted)
    assert found_by(verdict) == smallest(belief.violated, binary(belief.features), belief.total)
    assert check_certificate(verdict.certificate).kind == "refuted"
    assert verdict.minimality.startswith(("proved", "reached"))


@pytest.mark.thorough
def test_nearly_all_are_known_to_be_the_smallest() -> None:
    """The exception is about information, and a single feature with three states might refute it, too."""
    reached = [b.claim.name for b in BELIEFS if refute(b.claim).minimality.startswith("reached")]  # type: ignore[union-attr]
    assert reached == ["weakly_relevant_is_left_out"]


@pytest.mark.thorough
@pytest.mark.parametrize("belief", BELIEFS, ids=lambda belief: belief.claim.name)
def test_the_seed_does_not_matter_where_all_is_searched(belief: Belief) -> None:
    assert found_by(refute(belief.claim, seed=1)) == found_by(refute(belief.claim))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(10))
def test_a_world_is_what_the_definitions_say(seed: int) -> None:
    """The oracle against the literal definitions."""
    rng = Random(seed)
    cardinalities, classes = rng.choice([((2, 2), 2), ((2, 3), 2), ((2, 2), 3), ((2, 2, 2), 2)])
    cells = classes
    for size in cardinalities:
        cells *= size
    w = World(cardinalities, classes, (*(rng.choice((0, 1, 1, 2, 3)) for _ in range(cells - 1)), 1))
    pmf: dict[tuple[Hashable, ...], Fraction] = {x: Fraction(weight, w.total) for x, weight in w.table.items()}
    for kept in w.subsets:
        assert Fraction(w.errors(kept), w.total) == literal.bayes_risk(pmf, sorted(kept))
    for i in w.features:
        for given in w.subsets:
            assert w.depends(i, given) == depends(pmf, i, sorted(given))


def depends(pmf: literal.Pmf, i: int, given: list[int]) -> bool:
    """Say whether p(y | given, i) differs from p(y | given) somewhere, by the definition of conditional probability."""
    both = [*given, i] if i not in given else given
    joint, without = literal.marginal(pmf, both), literal.marginal(pmf, given)
    for (*state, y), p in joint.items():
        q = without[(*state[: len(given)], y)]
        mass = sum(p for (*s, _), p in joint.items() if s == state)
        mass_without = sum(p for (*s, _), p in without.items() if s == state[: len(given)])
        if mass and p / mass != q / mass_without:
            return True
    return False
