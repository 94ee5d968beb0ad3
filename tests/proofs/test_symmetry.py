import itertools
import json
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory.checker.cases import canonical
from fstheory.logic.claims import positive, unique_maximum
from fstheory.logic.expressions import Node, from_json
from fstheory.logic.ledger import claims
from fstheory.logic.statement import (
    Renaming,
    Shape,
    canonical_text,
    generators,
    image_instances,
    invariant_under,
    rename,
)
from tests.proofs.statements import ALL, RATIONAL, evaluation, formula, shape, statement, violated

SHAPES = [Shape((), 3), Shape((2,), 2), Shape((2, 2), 2), Shape((2, 3, 2), 2), Shape((3, 3), 3)]
randoms = st.integers(0, 10**9).map(Random)


def random_renaming(rng: Random, where: Shape) -> Renaming:
    found, moves = Renaming.identity(where), generators(where)
    for _ in range(rng.randint(0, 12) if moves else 0):
        found = found.then(rng.choice(moves))
    return found


def moved(weights: list[int], where: Shape, renaming: Renaming) -> list[int]:
    """Return the weights of the same distribution under its new names."""
    table = np.array(weights).reshape(*where.cardinalities, where.classes)
    new = np.zeros_like(table)
    for *x, y in np.ndindex(table.shape):
        state = [0] * len(x)
        for i, v in enumerate(x):
            state[renaming.features[i]] = renaming.states[i][v]
        new[(*state, renaming.classes[y])] = table[(*x, y)]
    return [int(weight) for weight in new.ravel()]


@given(randoms)
def test_a_renamed_statement_says_of_the_renamed_distribution_what_the_statement_says(rng: Random) -> None:
    where = shape(rng)
    what, first, second = statement(rng, where, ALL), random_renaming(rng, where), random_renaming(rng, where)
    weights = [1, *rng.choices((0, 0, 1, 1, 2, 3), k=where.cells - 1)]
    here, there = evaluation(where, weights), evaluation(where, moved(weights, where, first))
    for node in (*what.assumed, *what.shown):
        assert rename(rename(node, first), second) == rename(node, first.then(second))
        if violated(what, weights) is not None:
            assert here.truth(node) == there.truth(rename(node, first))


def shuffled(node: Node, rng: Random) -> Node:
    """Return a node with arguments that may be exchanged in another order."""
    if node[0] in {"q", "P", "R", "H"}:
        return node
    parts = [shuffled(part, rng) for part in node[1:]]
    if node[0] in {"and", "or", "=", "iff", "+", "max", "min", "*"}:
        rng.shuffle(parts)
    return (node[0], *parts)


@given(randoms)
def test_the_canonical_form_forgets_the_order_of_arguments_and_nothing_else(rng: Random) -> None:
    where = shape(rng)
    node, other = formula(rng, where, RATIONAL, 2), formula(rng, where, RATIONAL, 2)
    text, checked = canonical_text(node), canonical(node)  # the checker's, by its own code
    assert canonical_text(shuffled(node, rng)) == text == checked
    assert (text == canonical_text(other)) == (checked == canonical(other))
    assert canonical_text(from_json(json.loads(text))) == text


@pytest.mark.parametrize("where", SHAPES, ids=str)
def test_the_generators_are_involutions_that_keep_the_two_assumptions_and_generate_all(where: Shape) -> None:
    same, moves = Renaming.identity(where), generators(where)
    assert all(move.then(move) == same != move for move in moves)
    assert invariant_under(moves, *(claim.statement(where).shown for claim in (positive, unique_maximum))) == moves
    found = {same: None}
    for renaming in (waiting := [same]):
        new = {renaming.then(move): None for move in moves}
        waiting.extend(new.keys() - found.keys())
        found |= new
    sizes = where.cardinalities
    alike = math.prod(math.factorial(sizes.count(size)) for size in set(sizes))
    assert len(found) == alike * math.prod(map(math.factorial, sizes)) * math.factorial(where.classes)


@pytest.mark.thorough
def test_instances_are_images_exactly_if_some_renaming_maps_one_to_the_other() -> None:
    shown = claims["PN-2"].stated().statement(Shape((2, 2))).shown
    flips = list(itertools.permutations(range(2)))
    group = [Renaming(f, (a, b), y) for f, a, b, y in itertools.product(flips, repeat=4)]
    images, same = image_instances(shown, generators(Shape((2, 2))), Shape((2, 2))), Renaming.identity(Shape((2, 2)))
    assert image_instances(shown[:1] * 2, [], Shape((2, 2))) == ((0, same), (0, same))
    for i, (source, renaming) in enumerate(images):
        assert canonical_text(rename(shown[source], renaming)) == canonical_text(shown[i])
    for i, j in itertools.combinations(range(len(shown)), 2):
        related = canonical_text(shown[j]) in {canonical_text(rename(shown[i], renaming)) for renaming in group}
        assert related == (images[i][0] == images[j][0])
