"""All vectors of a total, in order, by rank; and which of them may be left out."""

import pytest

from fstheory.logic.statement import Shape
from fstheory.proofs.enumeration import LARGEST, Compositions, cell_moves, closure, count, of_total
from tests.literal import compositions
from tests.proofs.claims import monotone, named


def rank_of(weights: tuple[int, ...]) -> int:
    """Return the place of a vector among all those of its length and sum, in lexicographic order."""
    rank, left = 0, sum(weights)
    for place, weight in enumerate(weights[:-1]):
        after = len(weights) - place
        rank += count(after, left) - count(after, left - weight) if weight else 0
        left -= weight
    return rank


#: How long tables may be: where they are short, so are tails, and heads are made of heads and tails in turn.
short_tables = pytest.mark.parametrize("tails", [1, 5, 100, 2**16])


@short_tables
@pytest.mark.parametrize(("cells", "total"), [(1, 1), (1, 5), (2, 3), (3, 4), (4, 1), (5, 4), (6, 3)])
def test_any_range_of_all_vectors_in_order(cells: int, total: int, tails: int) -> None:
    expected = list(compositions(total, cells))
    vectors = Compositions(cells, total, (), tails)
    assert vectors.size == count(cells, total) == len(expected)
    assert [rank_of(vector) for vector in expected] == list(range(len(expected)))
    for start in range(0, len(expected), 5):
        for stop in [*range(start + 1, len(expected), 7), len(expected)]:
            assert list(map(tuple, vectors.listed(start, stop)[0].T.tolist())) == expected[start:stop]


def test_the_largest_weight_is_held_as_it_is() -> None:
    assert Compositions(1, LARGEST).listed(0, 1)[0].tolist() == [[LARGEST]]


def test_large_spaces_are_addressed_by_rank() -> None:
    """The middle of a list of 10**13 vectors."""
    vectors = of_total(27, 14)
    assert vectors is of_total(27, 14)  # its tables are kept
    assert vectors.size == count(27, 14) > 10**10
    start = vectors.size // 2
    for offset, column in enumerate(vectors.listed(start, start + 5)[0].T.tolist()):
        assert rank_of(tuple(column)) == start + offset
        assert sum(column) == 14


@short_tables
@pytest.mark.parametrize(("cardinalities", "total"), [((2,), 5), ((3,), 4), ((2, 2), 4)])
def test_the_least_of_each_orbit_is_listed(cardinalities: tuple[int, ...], total: int, tails: int) -> None:
    shape = Shape(cardinalities)
    moves = cell_moves(monotone.statement(shape))
    size = count(shape.cells, total)
    every = list(compositions(total, shape.cells))
    vectors, ranks = Compositions(shape.cells, total, moves, tails).listed(0, size)
    listed = list(map(tuple, vectors.T.tolist()))
    least = {min(tuple(v[i] for i in move) for move in (*moves, tuple(range(len(v))))) for v in every}
    assert least <= set(listed) <= set(every)
    assert [every[rank] for rank in ranks] == listed == sorted(listed)


def test_moves_are_the_renamings_that_change_nothing() -> None:
    """Two features, two states each, two classes: 2 * 2 * 2 * 2 renamings; fewer where names matter."""
    shape = Shape((2, 2))
    about_the_first = named("first", lambda m: m.risk("X1") <= m.risk("X2"))
    tied_to_the_first_class = named("tied", lambda m, x: m.predicts(x, 0))
    assert len(cell_moves(monotone.statement(shape))) == 15
    assert len(cell_moves(about_the_first.statement(shape))) == 7
    assert len(cell_moves(tied_to_the_first_class.statement(shape))) == 7
    assert len(cell_moves(monotone.statement(Shape((2, 3), 3)))) == 2 * 6 * 6 - 1
    _, ranks = Compositions(16, 8, cell_moves(monotone.statement(Shape((2, 2, 2))))).listed(0, count(16, 8))
    assert 5 * len(ranks) < count(16, 8)  # many are left out
    assert {(2, 3, 0, 1), (1, 0, 3, 2)} <= set(cell_moves(monotone.statement(Shape((2,)))))


def test_a_large_group_is_cut_short() -> None:
    assert len(closure([(*range(1, 7), 0), (1, 0, *range(2, 7))], most=100)) in (99, 100)
