"""PN-8a: the numbers of iterations of FBS and FOS, by the printed pseudo-code and whatever the tests answer."""

from __future__ import annotations

from itertools import product

import pytest

from fstheory import JointDistribution
from fstheory.selection import backward_search
from tests.ledger.iterations_literal import all_answers, all_removals, backward, oneshot


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_way_to_answer_is_a_sequence_of_removals(n: int) -> None:
    """All 2, 16 and 4,096 ways for n = 1, 2, 3 give just the runs that the sequences of removals give."""
    assert set(all_answers(n)) == set(all_removals(n))


@pytest.mark.parametrize("n", range(1, 8))
def test_iterations_are_n_and_the_indices_removed(n: int) -> None:
    runs = list(all_removals(n))
    assert all(run.iterations == n + sum(run.removed) for run in runs)
    assert max(run.iterations for run in runs) == n * (n + 3) // 2
    assert max(run.tests for run in runs) == n * (n + 1) // 2
    assert all(run.iterations < n**2 for run in runs) == (n >= 4)
    assert all(run.tests < n**2 for run in runs) == (n >= 2)


def test_the_printed_bound_fails_for_up_to_three_features() -> None:
    """These removals take n^2 iterations or more; a single feature does even if it is kept."""
    failing = {n: sorted({run.removed for run in all_removals(n) if run.iterations >= n**2}) for n in (1, 2, 3)}
    assert failing[1] == [(), (1,)]
    assert failing[2] == [(1, 2), (2,), (2, 1)]
    assert {frozenset(removed) for removed in failing[3]} == {frozenset({1, 2, 3})}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_an_estimate_can_answer_so(n: int) -> None:
    """FBS asks whether an estimate grows by at most tau; let it be 0 on a chain of subsets and 1 elsewhere."""
    tau = 0.5
    for run in all_removals(n):
        chain = {frozenset(range(1, n + 1)) - set(run.removed[:k]) for k in range(len(run.removed) + 1)}
        found = backward(n, lambda S, i, chain=chain: (S - {i} not in chain) <= (S not in chain) + tau)  # type: ignore[misc]
        assert found == run


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_a_distribution_under_both_assumptions_reaches_the_most(n: int) -> None:
    """Every state has probability 2^-n and the class is always 0: every feature goes."""
    d = JointDistribution.from_counts({(*x, 0): 1 for x in product((0, 1), repeat=n)} | {(*[0] * n, 1): 0})
    assert d.is_positive()
    assert d.has_unique_maximum()
    found = backward_search(d)
    assert found.features == frozenset()
    assert found.iterations == n * (n + 3) // 2
    assert (found.iterations < n**2) == (n >= 4)


def test_oneshot_takes_n_iterations() -> None:
    for n in range(6):
        for answers in product((False, True), repeat=n):
            assert oneshot(n, lambda i, answers=answers: answers[i - 1]) == n  # type: ignore[misc]
