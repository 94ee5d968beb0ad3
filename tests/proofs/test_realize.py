"""`realize`: distributions for orderings and proofs that there are none, each with a certificate."""

import functools
import itertools
import sys
from typing import Any

import pytest

from fstheory import JointDistribution, bayes_risks
from fstheory.checker.certificates import check_certificate
from fstheory.distributions import gallery
from fstheory.errors import FSTheoryError, NotLinearError
from fstheory.logic.claims import Claim, positive, unique_maximum
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Impossible, Realized, Undecided
from fstheory.proofs.construction import AnyOrdering, weak_order
from fstheory.proofs.realization import _smaller_shapes, least_realization, realize, table_rows, two_optimal
from tests.literal import compositions
from tests.proofs.claims import named, world_of
from tests.proofs.exhaustion import Weights, World
from tests.proofs.least_realizations import row as generated
from tests.proofs.weak_order_lists import random_weak_order, renamings, weak_order_classes, weak_orders

BOTH = ["positive", "unique_maximum"]
NOT_BINARY = (  # see docs/textbook/realizable-orderings.md
    "X1X2 = X1X4 = X2X3 = X1X2X3 = X1X2X4 = X1X3X4 = X2X3X4 = X1X2X3X4 < X3 = X1X3 = X3X4 < {} = X1 = X2 = X4 = X2X4"
)


def realized(ordering: AnyOrdering, **asked: Any) -> Realized:
    """Require a distribution with the ordering, and a certificate that the checker accepts."""
    verdict = realize(ordering, **asked)
    assert isinstance(verdict, Realized)
    order = weak_order(ordering, asked.get("features"))
    assert verdict.ordering == str(order)
    world = world_of(verdict.distribution)
    assert world.ranks() == order.ranks
    assert verdict.distribution.features == order.features
    assume = asked.get("assume", ())
    assert isinstance(assume, Claim) or world.satisfies([name for name in BOTH if name in assume])
    assert check_certificate(verdict.certificate).status == "accepted"
    assert verdict.certificate["weights"] == verdict.distribution.weights.tolist()
    return verdict


def impossible(ordering: AnyOrdering, evidence: str, **asked: Any) -> Impossible:
    """Require the verdict, and a certificate that the checker does not reject."""
    verdict = realize(ordering, **asked)
    assert isinstance(verdict, Impossible)
    assert verdict.evidence.partition(";")[0] == evidence  # then which solvers agree
    status = check_certificate(verdict.certificate).status
    assert status == ("accepted" if evidence == "case split" else "unverifiable")
    assert verdict.certificate["claim"] == verdict.ordering == str(weak_order(ordering))
    return verdict


ISSUE = "X1X2X3 = X1X2 < X1X3 = X2X3 < X1 < X2 = X3 < {}"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("assume", "asked"),
    [((), {}), (["positive"], {"cardinalities": (3, 2, 2)}), (["unique_maximum"], {"classes": 3}), (BOTH, {})],
)
def test_three_features_in_any_shape(assume: list[str], asked: dict[str, Any]) -> None:
    top = "X1X2X3 = X1X2 = X1X3 = X2X3 < X1 = X2 = X3 = {}"
    for ordering in [ISSUE, top] if assume != BOTH else [ISSUE]:
        realized(ordering, assume=assume, **asked)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("ordering", "asked"),
    [
        ("X1X2 = X1 = X2 < {}", {}),
        ("X1X2 = X1 = X2 < {}", {"classes": 3}),
        ("X1X2 = X1 = X2 < {}", {"cardinalities": (2, 3)}),
        ("X1X2X3 = X1X2 = X1X3 = X2X3 = X1 < X2 = X3 = {}", {}),
    ],
)
def test_theorem_4_is_proved_of_each_ordering(ordering: str, asked: dict[str, Any]) -> None:
    verdict = impossible(ordering, "case split", assume=BOTH, **asked)
    assert not verdict
    assert {part["name"] for part in verdict.certificate["assume"]} == set(BOTH)
    for assume in ((), positive, [unique_maximum]):
        assert realize(ordering, assume=assume, **asked)


@pytest.mark.thorough
def test_larger_shapes_are_left_to_solvers_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ordering = "X1X2 = X1 = X2 < {}"
    impossible(ordering, "solvers", assume=BOTH, cardinalities=(4, 4))
    monkeypatch.setitem(sys.modules, "cvc5", None)
    assert "agree" not in impossible(ordering, "solvers", assume=BOTH, cardinalities=(4, 4)).evidence
    for unsolved, asked in ((ordering, {"assume": BOTH, "cardinalities": (9, 9)}), (NOT_BINARY, {})):
        assert isinstance(realize(unsolved, time_limit=0.1, **asked), Undecided)  # type: ignore[arg-type]
    for order in weak_orders(3):
        if order.least_optimal is None:
            a, b = two_optimal(order)
            assert order.ranks[a] == order.ranks[b] == 0 < order.ranks[a & b]


@pytest.mark.parametrize("asked", [{"cardinalities": (1,)}, {"classes": 1}], ids=str)
def test_what_a_shape_without_room_cannot_have(asked: dict[str, Any]) -> None:
    impossible("X1 < {}", "case split", **asked)
    realized("X1 = {}", **asked)
    realized("{}")


# Four features


@pytest.mark.thorough(3)
def test_four_binary_features_do_not_have_every_ordering() -> None:
    """Two classes and two states of X1, X2 and X3 are not enough for this one; one more of either is."""
    assert "solvers" in impossible(NOT_BINARY, "solvers").certificate
    realized(NOT_BINARY, classes=3)
    realized(NOT_BINARY, cardinalities=(3, 3, 3, 3))
    realized(NOT_BINARY, cardinalities=(2, 2, 3, 2), assume=["positive"])


@pytest.mark.thorough(2)
@pytest.mark.parametrize("seed", range(4))
def test_random_orderings_of_four_features(seed: int) -> None:
    order = random_weak_order(4, rng=seed)
    verdict = realized(order)
    assert verdict.distribution.total < 200
    realized(order, assume=["positive"], classes=3)
    if order.least_optimal is not None:
        realized(order, assume=BOTH)


def test_the_ordering_of_a_table() -> None:
    """A smaller distribution with the ordering of the Titanic's."""
    verdict = realized(bayes_risks(gallery.titanic()).ordering())
    assert verdict.distribution.features == ("class", "sex", "age")


one_half = named("one_half", lambda m: m.risk(()) == "1/2")
mostly_zero = named("mostly_zero", lambda m: m.probability({"X1": 0}) >= "9/10")
mixed = named("mixed", lambda m: m.entropy("X1") > "1/10")
twice = named("twice", lambda m: m.entropy("X1") == 2 * m.entropy("X2"))


@pytest.mark.parametrize("assume", [[one_half], [mostly_zero, "positive"], [mixed], mostly_zero])
def test_assumptions_of_ones_own(assume: Any) -> None:
    verdict = realized("X1X2 < X1 = X2 < {}", assume=assume)
    given = [part for part in (assume if isinstance(assume, list) else [assume]) if isinstance(part, Claim)]
    assert all(part.check(verdict.distribution).status == "holds" for part in given)
    with pytest.raises(NotLinearError, match="twice"):
        realize("X1X2 < X1 = X2 < {}", assume=[twice])


def test_without_a_solver_most_is_constructed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    realized("X1X2 < X2 < X1 < {}", assume=BOTH, classes=3)
    realized(NOT_BINARY, classes=3)
    with pytest.raises(FSTheoryError, match="pip install"):
        realize(NOT_BINARY)


KINDS: dict[str, tuple[str, ...]] = {"none": (), "positive": ("positive",), "both": ("positive", "unique_maximum")}


@functools.cache
def rows() -> list[Any]:
    """Return the orders of up to three features, each with its row of the table."""
    return [pair for n in (1, 2, 3) for pair in zip(weak_order_classes(n), table_rows(n).values(), strict=True)]


@pytest.mark.rotated(4)
@pytest.mark.parametrize("step", [199, pytest.param(83, marks=pytest.mark.thorough)])
def test_the_table_is_what_the_generator_writes(step: int) -> None:
    for (order, images), row in rows()[::step]:
        assert generated(order, images) == row


@pytest.mark.thorough(2)
def test_every_order_has_a_least_realization_or_the_theorem_forbids_it() -> None:
    """All 1,784 orders of three features: the renamings of those in the table, of whose size they are."""
    realized = dict.fromkeys(KINDS, 0)
    for (order, images), row in rows():
        assert len(renamings(order)) == images
        for image, kind in itertools.product(renamings(order), KINDS):
            d = least_realization(image, **dict.fromkeys(KINDS[kind], True))
            assert (d is None) == (row[kind] is None) == (kind == "both" and order.least_optimal is None)
            if d is not None:
                world = world_of(d)
                assert world.ranks() == image.ranks
                assert world.satisfies(KINDS[kind])
                assert sorted(world.weights) == sorted(row[kind])
                realized[kind] += len(order.features) == 3
    assert realized == {"none": 1784, "positive": 1784, "both": 1541}


def test_among_renamings_that_realize_an_order_the_first_weights_are_returned() -> None:
    others = 0
    for (order, images), _ in rows()[::5]:
        axes = list(itertools.permutations(range(len(order.features))))
        if images < len(axes):  # some renaming of the features leaves the order as it is
            weights = least_realization(order).weights  # type: ignore[union-attr]
            for renaming in axes:
                renamed = weights.transpose(*renaming, -1)
                if bayes_risks(JointDistribution(renamed)).ranks.tolist() == list(order.ranks):
                    assert weights.ravel().tolist() <= renamed.ravel().tolist()
                    others += weights.tolist() != renamed.tolist()
    assert others > 0


def test_smaller_shapes_are_tried_from_the_smallest() -> None:
    tried = [((2, 2, 2), 2), ((3, 2, 2), 2), ((2, 2, 3), 2), ((2, 2, 2), 3), ((3, 2, 4), 5)]
    assert list(_smaller_shapes(Shape((3, 2, 4), 5))) == [Shape(*shape) for shape in tried]
    assert list(_smaller_shapes(Shape((2, 1), 2))) == [Shape((2, 1), 2)]


@pytest.mark.thorough
def test_the_least_weights_of_two_features_by_exhaustion() -> None:
    found: dict[tuple[str, tuple[int, ...]], tuple[int, int, Weights]] = {}
    for total in range(1, 8):
        for weights in compositions(total, 8):
            world = World((2, 2), 2, weights)
            place, key = world.ranks(), (total, sum(map(bool, weights)), weights)
            for kind in KINDS:
                if world.satisfies(KINDS[kind]):
                    found[kind, place] = min(found.get((kind, place), key), key)
    two = [(order, images, row) for (order, images), row in rows() if len(order.features) == 2]
    assert len(found) == sum(images for _, images, row in two for kind in KINDS if row[kind])
    for order, _, row in two:
        for kind in KINDS:
            least = found.get((kind, order.ranks))
            assert (least and list(least[2])) == row[kind]
