"""Theorems E to H of the textbook, and what was counted with them; the long counts are made by the script."""

import pytest

from fstheory.logic.claims import Claim
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.construction import weak_order
from fstheory.proofs.prover import prove
from tests.proofs import count_orderings
from tests.proofs.count_orderings import ALL, STATEMENTS, as_claim, classes_of, explained, listed, possible

FREE = {"E (a)": 3, "E (b)": 3, "G": 2}
"""The feature that may have any number of states."""


def is_proved(claim: Claim, sizes: tuple[int, ...] = (2,) * 4, classes: int = 2) -> bool:
    verdict = prove(claim, cardinalities=sizes, classes=classes, certificate=False)
    assert isinstance(verdict, Proved | Refuted)
    return isinstance(verdict, Proved)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALL)
def test_the_theorem_and_where_it_ends(name: str) -> None:
    """True for bits; false for three classes, and for three states of any feature but the free one."""
    theorem = as_claim(*STATEMENTS[name])
    assert is_proved(theorem)
    assert not is_proved(theorem, classes=3)
    for i in range(4):
        if (name, i) != ("G", 2):  # that takes much longer than the others
            assert is_proved(theorem, tuple(2 + (i == j) for j in range(4))) == (FREE.get(name) == i)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.one_in(6)
def test_each_condition_is_needed(name: str) -> None:
    asked, conclusions = STATEMENTS[name]
    conditions = asked.split()
    for i in range(len(conditions)):
        weaker = as_claim(" ".join(conditions[:i] + conditions[i + 1 :]), conclusions)
        assert not is_proved(weaker)


@pytest.mark.rotated(3)
@pytest.mark.parametrize(
    "name", ["E (a)", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("E (b)", "G", "H"))]
)
def test_the_theorem_has_a_certificate(name: str) -> None:
    """By best classes: their maxima are too many."""
    verdict = prove(as_claim(*STATEMENTS[name]), cardinalities=(2,) * 4)
    assert isinstance(verdict, Proved)
    assert verdict.evidence == "case split"
    assert set(verdict.certificate["proofs"][0]) == {"by_class"}


@pytest.mark.thorough
def test_the_orderings_with_three_levels() -> None:
    classes = classes_of(3)
    assert (sum(classes.values()), len(classes)) == (7080, 533)
    for ranks in classes:
        order = weak_order(str(count_orderings.order_of(ranks)))  # refuses what is not monotone
        assert len(order.levels) == 3
        assert order.first_renaming().ranks == ranks
    assert sum(map(count_orderings.is_constructed, classes)) == 365


@pytest.mark.thorough
def test_what_the_theorems_explain() -> None:
    classes, impossible = classes_of(3), listed()
    assert len(set(impossible)) == 53
    assert sum(classes[ranks] for ranks in impossible) == 832
    counts = {name: sum(explained(ranks, [name]) for ranks in impossible) for name in ALL}
    assert counts == {"E (a)": 36, "E (b)": 36, "F": 4, "G": 20, "H": 17}
    assert sum(map(explained, impossible)) == 50
    assert not any(map(explained, set(classes) - set(impossible)))


@pytest.mark.thorough
def test_some_of_the_list_by_the_solver() -> None:
    """And some of the others, whose distributions are checked from the definition."""
    impossible = listed()
    assert not any(map(count_orderings.is_constructed, impossible))
    assert [possible(ranks) for ranks in impossible[::20]] == [False] * 3
    others = [ranks for ranks in classes_of(3) if not count_orderings.is_constructed(ranks) and ranks not in impossible]
    assert len(others) == 115
    assert all(possible(ranks) for ranks in others[::40])


@pytest.mark.thorough
def test_the_unexplained_ones() -> None:
    """Two of the three are impossible only if subsets are compared that do not contain each other."""
    rest = [ranks for ranks in listed() if not explained(ranks)]
    assert [possible(ranks) for ranks in rest] == [False] * 3
    assert [possible(ranks, inclusion=True) for ranks in rest] == [True, True, False]
