"""Random statements: what is proved holds everywhere, what is refuted is false somewhere, and two solvers agree."""

import math
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from fstheory._support.progress import Clock
from fstheory.logic.checker import check_certificate
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.prover import Prover
from fstheory.proofs.solvers import Solver
from tests.literal import compositions
from tests.proofs.statements import LINEAR, shape, statement, violated

MOST = 1000  # distributions looked at
randoms = st.integers(0, 10**9).map(Random)
fewer = settings(max_examples=max(1, (settings.default or settings()).max_examples // 3))


def small_distributions(where: Shape, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all distributions by increasing total, until there are too many."""
    for total in range(1, 7):
        most -= math.comb(total + where.cells - 1, total)
        if most < 0:
            return
        yield from compositions(total, where.cells)


def require_right(what: Statement, *, second_opinion: bool = False) -> Proved | Refuted:
    verdict = Prover(what, Clock(None, None)).verdict(second_opinion=second_opinion)
    assert isinstance(verdict, Proved | Refuted)
    accepted = bool(check_certificate(verdict.certificate))
    if isinstance(verdict, Proved):
        assert accepted == verdict.evidence.startswith("case split")
        assert accepted or what.shape.cells > 12  # each maximum may double the cases
        assert not any(violated(what, weights) for weights in small_distributions(what.shape, MOST))
    else:
        assert accepted
        assert violated(what, [int(weight) for weight in verdict.distribution.weights.ravel()])
    return verdict


@fewer
@given(randoms)
def test_verdicts_on_random_statements(rng: Random) -> None:
    require_right(statement(rng, shape(rng), LINEAR), second_opinion=rng.random() < 0.3)


def orderings(rng: Random, where: Shape) -> Node:
    """Return a comparison of risks, or two of them, as the theorems have them."""
    n = len(where.cardinalities)
    risks = [("R", tuple(i for i in range(n) if mask >> i & 1)) for mask in range(2**n)]
    parts = [(rng.choice(("<", "<=", "=")), *rng.sample(risks, 2)) for _ in range(rng.randint(1, 3))]
    signed = [("not", part) if rng.random() < 0.4 else part for part in parts]
    return (rng.choice(("and", "or")), *signed)


@fewer
@given(randoms)
def test_verdicts_on_what_some_orderings_of_risks_say_of_others(rng: Random) -> None:
    where = Shape(rng.choice(((2, 2), (2, 2), (2, 3), (3, 2))), rng.choice((2, 2, 3)))
    formula: Node = ("implies", orderings(rng, where), orderings(rng, where))
    require_right(Statement("random", where, (), (Instance("random", (), formula),)))


@given(randoms)
def test_the_solvers_agree(rng: Random) -> None:
    what = statement(rng, shape(rng), LINEAR)
    unknowns, clock = Unknowns(what.shape), Clock(None, None)
    solvers = [Solver(unknowns, library) for library in ("z3", "cvc5")]
    assume = [named.formula for named in what.assume]
    for named in what.show:
        points = [solver.counterexample(assume, named.formula, clock) for solver in solvers]
        assert (points[0] is None) == (points[1] is None)
        for point in points:
            if point is not None:
                scale = math.lcm(*(p.denominator for p in point))
                one = Statement("one", what.shape, what.assume, (named,))
                assert violated(one, [int(p * scale) for p in point])
