import itertools
import json
import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.logic.checker import canonical
from fstheory.logic.claims import positive, unique_maximum
from fstheory.logic.expressions import Node, from_json, to_json
from fstheory.logic.statement import (
    Renaming,
    Shape,
    canonical_text,
    generators,
    image_instances,
    invariant_under,
    rename,
)
from fstheory.papers.ledger import claims
from tests.proofs.statements import ALL, RATIONAL, evaluation, formula, shape, statement, violated

SHAPES = [Shape((), 3), Shape((2,), 2), Shape((2, 2), 2), Shape((2, 3, 2), 2), Shape((3, 3), 3)]


def random_renaming(rng: Random, where: Shape) -> Renaming:
    found = Renaming.identity(where)
    moves = generators(where)
    for _ in range(rng.randint(0, 12) if moves else 0):
        found = found.then(rng.choice(moves))
    return found


def moved(weights: Sequence[int], where: Shape, renaming: Renaming) -> list[int]:
    """Return the weights of the same distribution under its new names."""
    table = np.array(weights).reshape(*where.cardinalities, where.classes)
    new = np.zeros_like(table)
    for *x, y in np.ndindex(table.shape):
        state = [0] * len(x)
        for i, v in enumerate(x):
            state[renaming.features[i]] = renaming.states[i][v]
        new[(*state, renaming.classes[y])] = table[(*x, y)]
    return [int(weight) for weight in new.ravel()]


def shuffled(node: Node, rng: Random) -> Node:
    """Return a node with arguments that may be exchanged in another order."""
    if node[0] in {"q", "P", "R", "H"}:
        return node
    parts = [shuffled(part, rng) for part in node[1:]]
    if node[0] in {"and", "or", "=", "iff", "+", "max", "min", "*"}:
        rng.shuffle(parts)
    return (node[0], *parts)


@given(st.integers(0, 10**9))
def test_a_renamed_statement_says_of_the_renamed_distribution_what_the_statement_says(seed: int) -> None:
    rng = Random(seed)
    where = shape(rng)
    what, renaming = statement(rng, where, ALL), random_renaming(rng, where)
    weights = [1, *rng.choices((0, 0, 1, 1, 2, 3), k=where.cells - 1)]
    here, there = evaluation(where, weights), evaluation(where, moved(weights, where, renaming))
    for named in (*what.assume, *what.show):
        if violated(what, weights) is not None:
            assert here.truth(named.formula) == there.truth(rename(named.formula, renaming))


@given(st.integers(0, 10**9))
def test_renamings_compose(seed: int) -> None:
    rng = Random(seed)
    where = shape(rng)
    first, second = random_renaming(rng, where), random_renaming(rng, where)
    node = formula(rng, where, ALL, 2)
    assert rename(rename(node, first), second) == rename(node, first.then(second))


@given(st.integers(0, 10**9))
def test_the_canonical_form_forgets_the_order_of_arguments_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    where = shape(rng)
    node, other = formula(rng, where, RATIONAL, 2), formula(rng, where, RATIONAL, 2)
    again = shuffled(node, rng)
    text, checked = canonical_text(node), canonical(tuple(to_json(node)))  # the checker's, of no shared code
    assert canonical_text(again) == text == checked
    assert (text == canonical_text(other)) == (checked == canonical(tuple(to_json(other))))
    assert sorted(map(repr, flat(from_json(json.loads(text))))) == sorted(map(repr, flat(node)))


def flat(node: Node) -> list[object]:
    if node[0] in {"q", "P", "R", "H"}:
        return [node]
    return [node[0], *(entry for part in node[1:] for entry in flat(part))]


def test_the_canonical_form_keeps_the_order_of_arguments_that_matters() -> None:
    a, b = ("R", (0,)), ("R", ())
    for kind in ("<", "<=", "/", "implies"):
        assert canonical_text((kind, a, b)) != canonical_text((kind, b, a))


@pytest.mark.parametrize("where", SHAPES, ids=str)
def test_the_generators_generate_all_renamings(where: Shape) -> None:
    same = Renaming.identity(where)
    found, waiting = {same}, [same]
    for renaming in waiting:
        for move in generators(where):
            new = renaming.then(move)
            if new not in found:
                found.add(new)
                waiting.append(new)
    sizes = where.cardinalities
    alike = math.prod(math.factorial(sizes.count(size)) for size in set(sizes))
    assert len(found) == alike * math.prod(map(math.factorial, sizes)) * math.factorial(where.classes)


@pytest.mark.parametrize("where", SHAPES, ids=str)
def test_every_generator_is_an_involution_and_leaves_the_two_assumptions_as_they_are(where: Shape) -> None:
    moves = generators(where)
    families = [claim.statement(where).shown for claim in (positive, unique_maximum)]
    assert invariant_under(moves, *families) == moves
    same = Renaming.identity(where)
    assert all(move.then(move) == same != move for move in moves)


def test_a_rule_for_ties_distinguishes_the_classes() -> None:
    show = [named.formula for named in claims["PN-6b"].claim.statement(Shape((2, 2), 2)).show]  # type: ignore[union-attr]
    kept = invariant_under(generators(Shape((2, 2))), show)
    assert {move.classes for move in kept} == {(0, 1)}
    assert len(kept) == 3


def test_a_family_may_not_be_mapped_into_another() -> None:
    moves = generators(Shape((2,)))
    formulas = [("<", ("P", (v,), None), ("q", 1)) for v in (0, 1)]
    flip = Renaming((0,), ((1, 0),), (0, 1))
    assert flip in invariant_under(moves, formulas)
    assert flip not in invariant_under(moves, formulas[:1], formulas[1:])


@pytest.mark.parametrize("name", ["PN-M", "PN-2", "PN-3", "PN-4", "PN-5a", "PN-6b", "PN-7"])
@pytest.mark.parametrize("where", [Shape((2, 2), 2), Shape((2, 3), 2), Shape((2, 2), 3)], ids=str)
def test_images_are_images(name: str, where: Shape) -> None:
    what = claims[name].claim.statement(where)  # type: ignore[union-attr]
    assumed = what.assumed
    shown = what.shown
    moves = invariant_under(generators(where), assumed)
    images = image_instances(shown, moves, where)
    assert len(images) == len(shown)
    for i, (source, renaming) in enumerate(images):
        assert source <= i
        assert images[source][0] == source
        assert canonical_text(rename(shown[source], renaming)) == canonical_text(shown[i])
        assert {canonical_text(rename(f, renaming)) for f in assumed} == set(map(canonical_text, assumed))


def test_instances_are_images_exactly_if_some_renaming_maps_one_to_the_other() -> None:
    where = Shape((2, 2), 2)
    shown = [named.formula for named in claims["PN-2"].claim.statement(where).show]  # type: ignore[union-attr]
    flips = list(itertools.permutations(range(2)))
    group = [Renaming(f, (a, b), y) for f, a, b, y in itertools.product(flips, repeat=4)]
    images = image_instances(shown, generators(Shape((2, 2))), Shape((2, 2)))
    texts = [canonical_text(node) for node in shown]
    for i, j in itertools.combinations(range(len(shown)), 2):
        related = any(canonical_text(rename(shown[i], renaming)) == texts[j] for renaming in group)
        assert related == (images[i][0] == images[j][0])


def test_copies_are_images_of_the_first_and_the_caller_hears_of_each_source() -> None:
    node = ("<=", ("R", (0,)), ("R", ()))
    heard: list[int] = []
    images = image_instances([node, ("=", node[1], node[2]), node], [], Shape((2,)), heard.append)
    same = Renaming.identity(Shape((2,)))
    assert images == ((0, same), (1, same), (0, same))
    assert heard == [0, 1]
