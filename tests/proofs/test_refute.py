"""`refute` returns the smallest counterexample within a range, or the range that was searched and no more."""

import itertools
import math
import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from fstheory import errors
from fstheory.distributions import gallery
from fstheory.errors import TooLargeError
from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import NotRefuted, Refuted
from fstheory.proofs import descent
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.enumeration import Budget, FormulaTarget, Piece
from fstheory.proofs.prover import needed_assumptions
from fstheory.proofs.refutation import refute, search
from tests import literal
from tests.proofs import statements
from tests.proofs.claims import (
    information_orders_as_risk,
    monotone,
    named,
    never_nearly_half,
    no_three_tenths,
    solution_is_unique,
    useless_alone_is_useless,
    weights_of,
)
from tests.proofs.exhaustion import World, smallest

ONE, TWO = ShapeRange((2,), 2), ShapeRange((2, 2), 2)


TRUE = [
    monotone,
    claims["PN-3"].stated(),
    # for two classes 2 R <= H(Y | S) in bits; equality wherever the posterior is 0, 1/2 or 1
    named("hellman_raviv", lambda m, S: len(m.classes) != 2 or 2 * m.risk(S) * m.log(2) <= m.conditional_entropy(S)),
    named("adds_up", lambda m: int(m.distribution.weights.sum()) == m.distribution.total),  # asked of each on its own
]

no_seventh = named("no_seventh", lambda m, i: m.risk(i) != "1/7")  # false from total 7 on only
no_seventh_squared = named("no_seventh_squared", lambda m, i: m.risk(i) * m.risk(i) != "1/49")  # not linear


@pytest.mark.parametrize("true", TRUE, ids=lambda true: true.name)
@pytest.mark.one_in(2)
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


def test_shapes_come_in_order() -> None:
    shapes = [(s.cardinalities, s.classes) for s in ShapeRange(None, None, 2, 3, 3).shapes()]
    assert shapes[:5] == [((2,), 2), ((2,), 3), ((3,), 2), ((3,), 3), ((2, 2), 2)]
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


@pytest.mark.thorough
def test_without_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the same where enumeration reaches, and the verdict says that there was no solver."""
    claim = solution_is_unique.without("unique_maximum")
    expected = refute(claim)
    monkeypatch.setitem(sys.modules, "z3", None)
    verdict = refute(claim, max_cardinality=2, max_classes=2)
    assert weights_of(verdict) == weights_of(expected)
    assert (minimality(expected), minimality(verdict)) == ("proved", "reached")
    assert "Z3 is not installed" in verdict.minimality  # type: ignore[union-attr]


def minimality(verdict: object) -> str:
    """Return "proved" or "reached"."""
    assert isinstance(verdict, Refuted)
    return verdict.minimality.partition(":")[0]


@pytest.mark.thorough
def test_where_the_solver_gives_up() -> None:
    verdict = search(
        monotone, ShapeRange(max_features=1, max_cardinality=2), budget=Budget(effort=1, usual=100, further=0)
    )
    assert isinstance(verdict, NotRefuted)
    assert "Z3 gave no answer" in verdict.searched


def test_the_solver_finds_the_least_weights_too() -> None:
    """Where there are too many distributions to look at each, the solver minimizes: cells, then lexicographically."""
    claim = solution_is_unique.without("positive")
    verdict = search(claim, TWO, budget=Budget(quick=0, enumerated=1))
    assert weights_of(verdict) == weights_of(search(claim, TWO))
    assert minimality(verdict) == "proved"


def test_chance_and_descent() -> None:
    """A counterexample that was drawn is made small; here all smaller distributions can be looked at, too."""
    verdict = search(never_nearly_half, ONE, budget=Budget(usual=10))
    least = smallest(lambda w: 5 * w.errors({0}) > 2 * w.total and 5 * w.errors({0}) ** 2 < w.total**2, [((2,), 2)], 8)
    assert ((2,), 2, weights_of(verdict)) == least
    assert minimality(verdict) == "proved"


@pytest.mark.parametrize("shapes", [ONE, TWO])
def test_descent_alone(shapes: ShapeRange) -> None:
    """The same seed gives the same answer."""
    alone, again = (search(never_nearly_half, shapes, seed=5, budget=Budget(usual=10, further=10)) for _ in range(2))
    assert sum(weights_of(alone)) == 7 or shapes == TWO
    assert (minimality(alone), alone) == ("reached", again)


@pytest.mark.thorough
def test_the_small_distributions_of_the_gallery_are_tried() -> None:
    """Toussaint's example, in each order of its features; hardly any other has three features independent given Y."""
    small = {name for name in gallery.names() if gallery.load(name).weights.size <= 64}
    assert set(descent._SMALL) == small
    found = search(claims["TO-1"].claim, ShapeRange((2, 2, 2), 2), budget=Budget(usual=100, further=0))  # type: ignore[arg-type]
    assert isinstance(found, Refuted)
    assert sorted(weights_of(found)) == sorted(gallery.toussaint().weights.ravel().tolist())
    assert descent.from_gallery(Shape((3, 2, 2), 5)) == ()


def test_a_claim_that_names_features_is_searched_where_it_has_them() -> None:
    first_is_best = claim(lambda m: m.risk("X1") <= m.risk("X2"), name="first_is_best")
    found = refute(first_is_best)
    assert isinstance(found, Refuted)
    assert found.distribution.cardinalities == (2, 2)
    assert found.minimality == "proved: all smaller ones of 2 x 2 states, 2 classes"
    for bad, options in (("X4", {}), ("X2", {"max_features": 1}), ("X3", {"cardinalities": (2, 2)})):
        typo = claim(lambda m, *, bad=bad: m.risk(bad) == 0, name="typo")
        with pytest.raises(errors.ClaimError, match=f"feature '{bad}' does not exist"):
            refute(typo, **options)


def test_a_time_limit_is_kept() -> None:
    verdict = refute(no_seventh_squared, cardinalities=(3, 3, 3), classes=3, max_total=6, time_limit=0.3)
    assert isinstance(verdict, NotRefuted)
    assert "stopped at the time limit" in verdict.searched


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
    assert (by_id.claim, weights_of(by_id)) == ("PN-4 without positive", (0, 0, 0, 1, 1, 0, 0, 0))


@claim
def fails_at_some_distribution(m: Model) -> bool:
    if m.distribution.total == 5:
        raise RuntimeError("a slip")
    return True


BUGS = [
    named("raises", lambda m, i: 1 // 0),
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


def test_what_cannot_be_proved_is_not_refuted_and_nothing_needs_nothing() -> None:
    not_negative = claim(name="negative", assume=[positive, unique_maximum])(lambda m, i: m.mutual_information(i) >= 0)
    answers = needed_assumptions(not_negative, cardinalities=(2,), max_total=9)
    assert [type(verdict) for verdict in answers.values()] == [NotRefuted, NotRefuted]
    assert needed_assumptions(monotone) == {}


# What others are given


@statements.seeds(6, 20)
def test_a_statement_survives_the_way_to_a_process(seed: int) -> None:
    rng = Random(seed)
    shape = statements.shape(rng)
    target = FormulaTarget(statements.statement(rng, shape, statements.ENTROPIES))
    sent = pickle.loads(pickle.dumps(target))
    pieces = [Piece(1, 0, 1), Piece(3, 0, 1), Piece(3, 1, 2)][: 1 + 2 * (shape.cells > 1)]
    assert list(map(sent.search, pieces)) == list(map(target.search, pieces))


@pytest.mark.parametrize("batch", [1, 50, 1000])
def test_a_piece_of_many_batches(batch: int) -> None:
    """The least of all of them, wherever it is: the fewest cells, then the smallest rank."""
    searched = FormulaTarget(no_three_tenths.statement(Shape((2,))), (), batch)
    every = enumerate(searched.at(10, rank) for rank in range(286))
    violations = [(sum(map(bool, w)), rank) for rank, w in every if searched.violated(w)]
    for start in range(0, 286, 40):
        expected = min((v for v in violations if v[1] >= start), default=None)
        assert searched.search(Piece(10, start, 286)).best == expected
    bounded = (searched.search(Piece(10, 0, 286, bound=bound)).best for bound in (3, 2))  # cells that are known
    assert list(bounded) == [(2, 3), None]


# Beliefs about feature selection that are false, each as a claim and in plain Python over a World


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
