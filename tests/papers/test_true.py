"""What the ledger says was exhausted or surveyed of two papers: the numbers are those of the scripts that it names."""

import functools

import pytest

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.claims import Claim
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Vacuous
from fstheory.papers.ledger import claims
from tests.papers.check_true import distributions, exhausted, held, size_of
from tests.papers.drawn import SHAPES, SMALL, drawn
from tests.papers.evidence import Part, family

FEW: tuple[Part, ...] = (((2,), 2, 4), ((2,), 3, 3), ((3,), 2, 3), ((2, 2), 2, 2), ((2, 2, 2), 2, 1))


@pytest.mark.parametrize("part", family("B-3")[:4])
def test_number_of_distributions(part: Part) -> None:
    assert size_of(part) == sum(1 for _ in distributions(part))


@functools.cache
def satisfying(assumptions: tuple[Claim, ...], part: Part) -> int:
    """Return how many distributions of a part satisfy some assumptions."""
    if not assumptions:
        return size_of(part)
    formulas = [named.formula for claim in assumptions for named in claim.statement(Shape(*part[:2])).show]
    return sum(all(map(Evaluation(d).truth, formulas)) for d in distributions(part))


@pytest.mark.thorough
@pytest.mark.parametrize("key", exhausted())
def test_count_of_an_exhausted_family(key: str) -> None:
    """As many distributions as satisfy the assumptions, and on the first of them the statement is true."""
    claim = claims[key].stated()
    assert exhausted()[key] == sum(satisfying(claim.assumptions, part) for part in family(key))
    few = tuple(part for part in FEW if part[:2] in [other[:2] for other in family(key)])
    assert held(key, few) == sum(satisfying(claim.assumptions, part) for part in few)


TRUE = [key for key, entry in claims.items() if entry.claim and entry.status != "false"]
OF_PREDICTORS = {"PN-B", "PN-2", "PN-2c", *(key for key in TRUE if key.startswith("A-"))}
"""Statements about all predictors: checked where these are few."""


@pytest.mark.parametrize("many", [8, pytest.param(40, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("key", TRUE)
def test_true_statements_hold_on_random_distributions(key: str, many: int) -> None:
    positive = "positive" in claims[key].assumptions
    for seed in range(many if key not in ("B-0", "B-3e") else many // 2):
        d = drawn(seed, SMALL if key in OF_PREDICTORS else SHAPES)
        if positive and seed % 2:
            d = JointDistribution((2 * d.weights + 1).tolist())
        verdict = claims[key].check(d)
        assert isinstance(verdict, Holds | Vacuous), verdict
