"""`refute`: the smallest counterexample within a range, or the range; never a word more than was searched."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fstheory import errors
from fstheory._support.progress import Clock
from fstheory.errors import TooLargeError
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import NotRefuted, Proved, Refuted
from fstheory.papers.ledger import claims
from fstheory.proofs import descent, solvers
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.enumeration import Budget, Target
from fstheory.proofs.refutation import needed_assumptions, refute, search
from tests.proofs.claims import Names, monotone, named, never_nearly_half, solution_is_unique, weights_of
from tests.proofs.exhaustion import Weights, World, smallest

ONE, TWO = ShapeRange((2,), 2), ShapeRange((2, 2), 2)


@claim(assume=[positive, unique_maximum], disjoint=True)
def theorem_3(m: Model, S: Names, T: Names, U: Names) -> Formula | bool:
    whole = m.features == S | T | U
    return not whole or m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))


TRUE = [
    monotone,
    theorem_3,
    named("at_most_half", lambda m, S: len(m.classes) != 2 or m.risk(S) <= "1/2"),
    named("information_is_not_negative", lambda m, S, T: m.mutual_information(S, given=T) >= 0),
    # for two classes 2 R <= H(Y | S) in bits; equality wherever the posterior is 0, 1/2 or 1
    named("hellman_raviv", lambda m, S: len(m.classes) != 2 or 2 * m.risk(S) * m.log(2) <= m.conditional_entropy(S)),
    named("adds_up", lambda m: int(m.distribution.weights.sum()) == m.distribution.total),  # asked of each on its own
]

no_seventh = named("no_seventh", lambda m, i: m.risk(i) != "1/7")  # false from total 7 on only
no_seventh_squared = named("no_seventh_squared", lambda m, i: m.risk(i) * m.risk(i) != "1/49")  # not linear


# True statements, and false ones whose counterexamples are out of range


@pytest.mark.parametrize("true", TRUE, ids=lambda true: true.name)
def test_true_statements_are_not_refuted(true: Claim) -> None:
    verdict = refute(true, max_features=2, max_cardinality=2, max_classes=2, max_total=7)
    assert isinstance(verdict, NotRefuted)
    assert "2 x 2 states" in verdict.searched


@pytest.mark.parametrize("false", [no_seventh, no_seventh_squared], ids=lambda false: false.name)
def test_what_is_false_beyond_the_range_is_not_refuted(false: Claim) -> None:
    verdict = refute(false, cardinalities=(2,), classes=2, max_total=6)
    assert isinstance(verdict, NotRefuted)
    assert verdict.searched == "2 states with 2 classes (totals up to 6)"
    assert weights_of(refute(false, cardinalities=(2,), classes=2, max_total=7)) == (0, 0, 1, 6)


def test_what_is_false_far_beyond_any_range() -> None:
    """The smallest counterexample has the total 100,003."""
    far = named("far", lambda m, i: m.risk(i) * m.risk(i) != "1/10000600009")
    verdict = refute(far, max_features=1, max_cardinality=2, max_classes=2)
    assert isinstance(verdict, NotRefuted)
    assert "others at random" in verdict.searched
    assert "prove" not in str(verdict)


@pytest.mark.thorough
def test_the_solver_finds_what_enumeration_does_not_reach() -> None:
    """For a linear claim the solver knows that there is a counterexample, so the totals are searched until it comes."""
    verdict = search(named("far", lambda m, i: m.risk(i) != "1/100003"), ONE)
    assert weights_of(verdict) == (0, 0, 1, 100_002)
    assert minimality(verdict) == "proved"


# The order


def test_shapes_come_in_order() -> None:
    shapes = [(s.cardinalities, s.classes) for s in ShapeRange(None, None, 2, 3, 3).shapes()]
    assert shapes[:5] == [((2,), 2), ((2,), 3), ((3,), 2), ((3,), 3), ((2, 2), 2)]
    assert [s for s, k in shapes if k == 2][2:] == [(2, 2), (2, 3), (3, 2), (3, 3)]
    three = [s.cardinalities for s in ShapeRange(None, 2, 3, 3, 2).shapes()][6:]
    assert three == [(2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 2, 2), (2, 3, 3), (3, 2, 3), (3, 3, 2), (3, 3, 3)]


def test_fewer_cells_come_before_smaller_weights() -> None:
    """Of total 2, (0, 0, 0, 2) is no distribution in lowest terms; (0, 0, 1, 1) has two cells."""
    small = named("small", lambda m: m.distribution.total < 3)
    assert weights_of(search(small, ONE)) == (0, 0, 1, 2)
    two = [[0, 1, 1, 1], [1, 0, 0, 2]]
    on_few_cells = named("on_few_cells", lambda m: m.distribution.weights.ravel().tolist() not in two)
    assert weights_of(search(on_few_cells, ONE)) == (1, 0, 0, 2)


def test_features_in_another_order_are_searched_where_it_matters() -> None:
    first_has_two_states = named("first", lambda m: len(m.order) == 1 or len(m.states("X1")) == 2 or m.risk() > 0)
    verdict = refute(first_has_two_states, max_features=2, max_classes=2)
    assert verdict.distribution.cardinalities == (3, 2)  # type: ignore[union-attr]
    assert weights_of(verdict) == (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def test_range_of_a_claim_with_named_features() -> None:
    second_is_no_better = claim(name="second", assume=[positive])(lambda m: m.risk("X1") <= m.risk("X2"))

    def violated(w: World) -> bool:
        return w.satisfies(["positive"]) and w.errors({0}) > w.errors({1})

    assert ((2, 2), 2, weights_of(search(second_is_no_better, TWO))) == smallest(violated, [((2, 2), 2)], 6)


# Without a solver, without a formula, by chance


def test_without_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer, where enumeration reaches; and it is said that there was no solver."""
    claim = solution_is_unique.without("unique_maximum")
    expected = refute(claim)
    monkeypatch.setitem(sys.modules, "z3", None)
    assert solvers.solver_version() is None
    verdict = refute(claim, max_cardinality=2, max_classes=2)
    assert weights_of(verdict) == weights_of(expected)
    assert (minimality(expected), minimality(verdict)) == ("proved", "reached")
    assert "Z3 is not installed" in verdict.minimality  # type: ignore[union-attr]


def minimality(verdict: object) -> str:
    """Return "proved" or "reached"."""
    assert isinstance(verdict, Refuted)
    return verdict.minimality.partition(":")[0]


def test_where_the_solver_gives_up() -> None:
    verdict = search(monotone, ShapeRange(max_features=1, max_cardinality=2), budget=Budget(effort=1))
    assert isinstance(verdict, NotRefuted)
    assert "Z3 gave no answer" in verdict.searched


@pytest.mark.parametrize("dropped", ["positive", "unique_maximum"])
def test_the_solver_finds_the_least_weights_too(dropped: str) -> None:
    """Where there are too many distributions to look at each, the solver minimizes: cells, then lexicographically."""
    claim = solution_is_unique.without(dropped)
    verdict = search(claim, TWO, budget=Budget(quick=0, enumerated=1))
    assert weights_of(verdict) == weights_of(search(claim, TWO))
    assert minimality(verdict) == "proved"


def test_chance_and_descent() -> None:
    """A counterexample that is met by chance is made small; here the smaller ones can then be looked at, too."""
    verdict = search(never_nearly_half, ONE, budget=Budget(usual=10))
    least = smallest(lambda w: 5 * w.errors({0}) > 2 * w.total and 5 * w.errors({0}) ** 2 < w.total**2, [((2,), 2)], 8)
    assert ((2,), 2, weights_of(verdict)) == least
    assert minimality(verdict) == "proved"


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("shapes", [ONE, TWO])
def test_descent_alone(shapes: ShapeRange, seed: int) -> None:
    """The same seed gives the same answer."""
    budget = Budget(usual=10, further=10)
    verdict = search(never_nearly_half, shapes, seed=seed, budget=budget)
    assert sum(weights_of(verdict)) == 7 or shapes == TWO
    assert minimality(verdict) == "reached"
    assert verdict == search(never_nearly_half, shapes, seed=seed, budget=budget)


def test_descent_to_a_smaller_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is met with two features may be a counterexample with one, which chance had missed."""
    original = descent.sample

    def unlucky(target: Target, seed: int, tick: Callable[[int], None]) -> tuple[Weights | None, int]:
        return (None, 0) if len(target.shape.cardinalities) == 1 else original(target, seed, tick)

    monkeypatch.setattr(descent, "sample", unlucky)
    monkeypatch.setattr(descent, "climb_hills", lambda *_: (None, 0))
    verdict = search(never_nearly_half, ShapeRange(None, 2, 2, 2), budget=Budget(usual=0, further=0))
    assert verdict.distribution.cardinalities == (2,)  # type: ignore[union-attr]
    assert sum(weights_of(verdict)) == 7


# Limits


def test_a_time_limit_is_kept() -> None:
    verdict = refute(no_seventh_squared, cardinalities=(3, 3, 3), classes=3, max_total=6, time_limit=0.3)
    assert isinstance(verdict, NotRefuted)
    assert "stopped at the time limit" in verdict.searched


def test_progress_is_told() -> None:
    told: list[str] = []

    class Impatient(Clock):
        def tick(self, text: Callable[[], str]) -> None:
            told.append(text())

    search(no_seventh_squared, ONE, Impatient(None, None), max_total=5)
    assert told[0] == "2 states, 2 classes, total 1: 4 of 4"


def test_a_claim_with_too_many_instances_in_a_large_shape() -> None:
    """Two features make 4**10 choices of subsets, one makes 2**10."""
    ten_subsets = named("ten_subsets", lambda m, A, B, C, D, E, F, G, H, J, K: True)
    verdict = refute(ten_subsets, max_features=2, max_cardinality=2, max_classes=2)
    assert isinstance(verdict, NotRefuted)
    assert "2 x 2 states with 2 classes (not searched: the claim has too many instances)" in verdict.searched
    with pytest.raises(TooLargeError):
        refute(ten_subsets, cardinalities=(2, 2), classes=2)


def test_ids_and_entries_of_the_ledger() -> None:
    by_id = refute("PN-4", without="positive")
    assert by_id == refute(claims["PN-4"], without=["positive"])
    assert weights_of(by_id) == (0, 0, 0, 1, 1, 0, 0, 0)
    assert by_id.claim == "PN-4 without positive"


# What goes wrong in a person's claim, or in a call, is said; and no file is left behind


@claim
def fails_at_some_distribution(m: Model) -> bool:
    if m.distribution.total == 5:
        raise RuntimeError("a slip")
    return True


BUGS = [
    named("raises", lambda m, i: 1 // 0),
    named("returns_none", lambda m, i: None),
    named("uses_a_float", lambda m, i: m.risk(i) <= 0.5),
    named("fails_for_two_features", lambda m: m.risk("X1" if len(m.order) == 1 else "X7") <= m.risk(())),
    fails_at_some_distribution,
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_in_a_claim_points_at_the_claim(bug: Claim, tmp_path: Path) -> None:
    resume = tmp_path / "search.json"
    with pytest.raises(errors.ClaimError, match=bug.name) as caught:
        refute(bug, max_features=2, resume=resume)
    assert Path(__file__).name in str(caught.value)
    kept = bug.name in {"fails_for_two_features", "fails_at_some_distribution"}  # what was done until then
    assert list(tmp_path.iterdir()) == [resume] * kept


def test_a_claim_without_a_value_somewhere() -> None:
    """A division by zero at a distribution that the search comes to."""
    with pytest.raises(errors.FSTheoryError, match="divi"):
        refute(named("divides", lambda m, i: 1 / m.risk(i) >= 1), cardinalities=(2,), classes=2)


# Which assumptions are needed, each answer with its evidence


@pytest.mark.parametrize(
    "identity", ["PN-5", *(pytest.param(f"PN-{i}", marks=pytest.mark.thorough) for i in (3, 4, 6, 7))]
)
def test_the_theorems_of_pena_and_nilsson(identity: str) -> None:
    """All need both assumptions but Theorem 5: the backward search returns a solution anyway."""
    answers = needed_assumptions(identity)
    assert list(answers) == ["positive", "unique_maximum"]
    for verdict in answers.values():
        assert isinstance(verdict, Proved if identity == "PN-5" else Refuted)
        assert check_certificate(verdict.certificate).kind == verdict.status
        assert isinstance(verdict, Proved) or minimality(verdict) == "proved"


def test_the_smallest_distribution_with_two_solutions() -> None:
    for name, verdict in needed_assumptions("PN-4").items():
        other = {"positive", "unique_maximum"} - {name}

        def violated(w: World, assumed: set[str] = other) -> bool:
            return w.satisfies(assumed) and sum(map(w.minimal_optimal, w.subsets)) > 1

        assert ((2, 2), 2, weights_of(verdict)) == smallest(violated, [((2,), 2), ((2, 2), 2)], 6)


def test_what_cannot_be_proved_is_not_refuted_and_nothing_needs_nothing() -> None:
    not_negative = claim(name="negative", assume=[positive, unique_maximum])(lambda m, i: m.mutual_information(i) >= 0)
    answers = needed_assumptions(not_negative, cardinalities=(2,))
    assert [type(verdict) for verdict in answers.values()] == [NotRefuted, NotRefuted]
    assert needed_assumptions(monotone) == {}
