"""The ledger of Peña and Nilsson: its certificates are made again, its counts counted again, its claims compared."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.measures.risk import bayes_risks
from fstheory.papers.pena_nilsson_2010 import backward_runs, forward_runs
from fstheory.selection.optimal import minimal_optimal
from fstheory.selection.relevant import relevance
from fstheory.testing import joint_distributions
from tests.papers.check_pena_nilsson import COUNTS, one_risk_unknown
from tests.papers.iterations_literal import all_removals, backward, computed, families

SMALL = joint_distributions(min_features=1, cardinalities=(2, 2), classes=(2, 3), max_weight=3, huge=False)


@pytest.mark.thorough
@pytest.mark.parametrize("key", COUNTS)
def test_count(key: str) -> None:
    counts = {evidence.count for evidence in claims[key].evidence if evidence.count}
    assert counts == {COUNTS[key]()}


@pytest.mark.quick
@given(SMALL)
def test_relevance_is_that_of_the_library(d: JointDistribution) -> None:
    strong, solutions = relevance(d).strong, minimal_optimal(d, method="exhaustive").solutions
    claim = claims["PN-R1"].stated().without("positive", "unique_maximum")
    assert bool(claim.check(d)) is all(solution <= strong for solution in solutions)


@given(SMALL)
def test_runs_are_those_of_the_table(d: JointDistribution) -> None:
    """Table 1 as the ledger states it, line by line, with and without tau, and as `minimal_optimal` runs it."""
    at, risks, names = Evaluation(d), bayes_risks(d), dict(enumerate(d.features, 1))

    def risk(S: frozenset[int]) -> Fraction:
        return risks[{names[j] for j in S}]

    for tau in (None, Fraction(1, 10), Fraction(1, 4)):
        (happened,) = (run for run in backward_runs(Model(d), tau) if at.truth(run.happens.node))
        literal = backward(len(names), lambda S, i, tau=tau: risk(S - {i}) <= risk(S) + (tau or 0))  # type: ignore[misc]
        assert happened.iterations == literal.iterations
        assert happened.returned == {names[i] for i in names if i not in literal.removed}
        found = minimal_optimal(d)
        assert tau is not None or (happened.returned, happened.iterations) == (
            frozenset(found.features),
            found.iterations,
        )


@given(SMALL)
def test_runs_of_forward_search_are_those_of_the_library(d: JointDistribution) -> None:
    at, m = Evaluation(d), Model(d)
    for name, value, ahead in (("zero_one", m.risk, 1), ("zero_one", m.risk, 2), ("gini", m.gini, 1)):
        (happened,) = (run for run in forward_runs(m, value, ahead) if at.truth(run.happens.node))
        found = minimal_optimal(d, "forward", criterion=name, look_ahead=ahead)
        assert (happened.returned, happened.iterations) == (frozenset(found.features), found.iterations)


@pytest.mark.parametrize("n", range(1, 8))
def test_iterations_are_n_and_the_indices_removed(n: int) -> None:
    runs = list(all_removals(n))
    assert all(run.iterations == n + sum(run.removed) for run in runs)
    assert max(run.iterations for run in runs) == n * (n + 3) // 2
    assert min(run.iterations for run in runs) == n
    assert max(run.tests for run in runs) == n * (n + 1) // 2
    assert all(run.iterations < n**2 for run in runs) == (n >= 4)
    assert all(run.tests < n**2 for run in runs) == (n >= 2)


def test_one_neighbor_keeps_a_feature_that_changes_no_prediction() -> None:
    """PN-8k: S* is empty and eta 1, but the limits of the risk, by the definition, are 9/200 apart."""
    d = JointDistribution([[9, 1], [6, 4]])
    limit = sum(p * (1 - d.posterior({"X1": x})[y]) for (x, y), p in d.to_pmf().items())
    alone = sum(p * (1 - p) for p in (Fraction(3, 4), Fraction(1, 4)))
    assert (minimal_optimal(d).features, bayes_risks(d)[{"X1"}]) == ((), bayes_risks(d)[()])
    assert alone - limit == Fraction(9, 200)


def test_the_risks_of_all_other_subsets_do_not_tell_the_best_of_a_size() -> None:
    assert one_risk_unknown(3) == 2 + 6


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_backward_search_computes_few_risks(n: int) -> None:
    """PN-5c, PN-5d, for every family of subsets of least risk; one pass does as well. Some parity is the worst case."""
    most = 0
    for best in families(n)[1:]:
        found, whose = computed(n, best)
        assert len(set(whose)) == len(whose)
        most = max(most, len(whose))
        S = whose[0]
        for i in sorted(S):
            S = S - {i} if S - {i} in best else S
        assert found == S
    assert most == (n + 2) ** 2 // 4
    assert sum(len(families(k)) - 1 for k in range(1, 6)) in {evidence.count for evidence in claims["PN-5d"].evidence}
    first = range(1, n - n // 2 + 1)
    d = JointDistribution.from_counts({(*x, sum(x[: len(first)]) % 2): 1 for x in product((0, 1), repeat=n)})
    assert all((d.is_positive(), d.has_unique_maximum()))
    risks = bayes_risks(d)
    lost = {S: risks[{f"X{i}" for i in S}] for S in families(n)[-1]}
    assert all(risk == Fraction(not S.issuperset(first), 2) for S, risk in lost.items())  # PN-1b
    assert len(computed(n, frozenset(S for S in lost if not lost[S]))[1]) == most
