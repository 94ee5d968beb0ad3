"""Sebban and Nock (2002): quadratic entropy, its lemmas on point sets, and Tables 1 to 3 computed again.

The lemmas of Section 5 are about finite point sets, so they are not in the language of claims. Each lemma is a search
for a violation. Its function takes the squared distances and, for each point, the nearest neighbors that count (all of
them, or one). It returns a `Violation`, or None if it finds none. The law of the relative certainty gain is the one to
which the null hypothesis of the paper leads: the graph is fixed, and the labels are assigned to the points at random.
`fstheory.points.LabelPermutations` computes it exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from fstheory._support.exact import exact_text
from fstheory._support.result import Result
from fstheory.checker.points import POINTS_FORMAT, UNIQUE
from fstheory.errors import InvalidValueError, explain, require
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.points import graphs
from fstheory.points.graphs import Edges, Neighbors
from fstheory.points.point_set import PointSet, Squares

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))


@paper.claim("SN-E")
def quadratic_entropy(m: Model, S: frozenset[str]) -> Formula:
    def entropy(of: dict[str, object]) -> Term:
        shares = (m.probability(of, y) / m.probability(of) for y in m.classes)
        return m.sum(share * (1 - share) for share in shares)

    whole, most = entropy({}), 1 - Fraction(1, len(m.classes))
    certain = m.any(m.probability({}, y) == 1 for y in m.classes)
    uniform = m.all(m.probability({}, y) == 1 - most for y in m.classes)
    mean = m.sum(m.probability(state) * entropy(dict(state)) for state in m.states(S))
    return m.iff(whole == 0, certain) & (whole <= most) & m.iff(whole == most, uniform) & (mean <= whole)


# Lemmas: the graph G of nearest neighbors, the undirected graph G* of its edges, and minimum spanning trees


def tied_point(squares: Squares) -> int | None:
    """Return the first point that has not exactly one nearest neighbor, or None if the assumption `UNIQUE` holds."""
    return next((place for place, others in enumerate(graphs.nearest_neighbors(squares)) if len(others) != 1), None)


def _common(squares: Squares) -> Iterator[Neighbors]:
    """Yield the choices in which every point takes the first of its nearest neighbors in one order of all points."""
    nearest = graphs.nearest_neighbors(squares)
    orders = permutations(range(len(squares)))
    yield from sorted({tuple((min(few, key=order.index),) for few in nearest) for order in orders})


_TIES: Mapping[str, Callable[[Squares], Iterator[Neighbors]]] = {
    "all": lambda squares: iter([graphs.nearest_neighbors(squares)]),
    "any": lambda squares: graphs.chosen_neighbors(graphs.nearest_neighbors(squares)),
    "common": _common,
}


@dataclass(frozen=True, slots=True)
class Violation(Result):
    """The reason why a lemma is false at a point set: its kind, the neighbors that count, and some points and edges.

    The points are a cycle in order, a component, or a pair. The kind says what the edges are.

    Examples
    --------
    >>> cycle([[0, 1, 1], [1, 0, 1], [1, 1, 0]], ((1,), (2,), (0,))).points
    (0, 1, 2)
    """

    kind: str
    neighbors: Neighbors
    points: tuple[int, ...]
    edges: tuple[tuple[int, int], ...] = ()


Search: TypeAlias = Callable[[Squares, Neighbors], Violation | None]


@dataclass(frozen=True, slots=True, repr=False)
class Lemma(Result):
    """A statement about the graph of nearest neighbors of every finite point set.

    Attributes
    ----------
    id : str
        Its id in the ledger.
    search : callable
    ties : {'all', 'any', 'common'}
        The nearest neighbors that count if a point has several: all of them; any one of them, for each point; or the
        first in an order of all points, which takes n! steps. The statement is about every such choice.
    unique : bool
        Whether it assumes that every point has exactly one nearest neighbor.

    Examples
    --------
    >>> LEMMAS["SN-L1"].without_unique().violation(PointSet([[0], [0], [0]]).squares).points
    (0, 1, 2)
    """

    id: str
    search: Search
    ties: str = "all"
    unique: bool = False

    def applies(self, squares: Squares) -> bool:
        """Return whether the point set satisfies the assumptions. A single point has no nearest neighbor."""
        return len(squares) > 1 and not (self.unique and tied_point(squares) is not None)

    def violation(self, squares: Squares) -> Violation | None:
        """Return a violation of the statement at a point set. Return None if the statement holds or does not apply."""
        if not self.applies(squares):
            return None
        found = (self.search(squares, neighbors) for neighbors in _TIES[self.ties](squares))
        return next((violation for violation in found if violation is not None), None)

    def without_unique(self) -> Lemma:
        """Return the statement without its assumption."""
        require(self.unique, "lemma", f"one that assumes {UNIQUE}", self.id, "take it as it is")
        return replace(self, unique=False)

    def certificate(self, points: PointSet) -> dict[str, Any]:
        """Return the content of the certificate that a point set refutes the statement, for `Certificate`.

        Examples
        --------
        >>> content = LEMMAS["SN-L1a"].certificate(PointSet([[0], [1]]))
        >>> content["violated"]
        {'kind': 'circuit', 'points': [0, 1], 'edges': []}
        """
        violation = self.violation(points.squares)
        if violation is None:
            raise InvalidValueError(explain("points", f"a counterexample to {self.id}", points, "search for one"))
        pairs = combinations(range(len(points)), 2)
        return {
            "format": POINTS_FORMAT,
            "version": 1,
            "kind": "refuted",
            "claim": self.id,
            "assume": [UNIQUE] if self.unique else [],
            "points": [[exact_text(value) for value in point] for point in points.points],
            "labels": list(points.labels),
            "squared_distances": [[*pair, exact_text(points.squared_distance(*pair))] for pair in pairs],
            "neighbors": [list(few) for few in violation.neighbors],
            "violated": {
                "kind": violation.kind,
                "points": list(violation.points),
                "edges": [list(edge) for edge in violation.edges],
            },
        }


def cycle(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a cycle; Lemma 1 says that G* has none."""
    found = graphs.find_cycle(len(squares), graphs.neighbor_graph(neighbors))
    return None if found is None else Violation("cycle", neighbors, found)


def mutual_pair(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a circuit of G although G* has no cycle; the proof of Lemma 1 says that there is none."""
    if graphs.find_cycle(len(squares), graphs.neighbor_graph(neighbors)) is None:
        for one, other in combinations(range(len(squares)), 2):
            if other in neighbors[one] and one in neighbors[other]:
                return Violation("circuit", neighbors, (one, other))
    return None


def no_single_circuit(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component whose only circuit is not its closest pair: Lemma 1, with a repaired proof."""
    for part, _ in _parts(squares, neighbors):  # following the neighbors leads to one circuit, longer than 2 or not
        pairs = list(combinations(part, 2))
        circuits = [squares[i][j] for i, j in pairs if j in neighbors[i] and i in neighbors[j]]
        if circuits != [min(squares[i][j] for i, j in pairs)]:
            return Violation("circuits", neighbors, part)
    return None


def not_a_minimal_tree(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component that is a tree, but no minimum spanning tree of its points; Lemma 2 says that there is none."""
    for part, edges in _parts(squares, neighbors):
        if len(edges) == len(part) - 1 and (change := graphs.exchange(squares, edges)) is not None:
            return Violation("lighter", neighbors, part, change)
    return None


def not_the_only_tree(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find an edge of G* that some minimum spanning tree lacks, or a component that has two: Lemma 2, sharpened."""
    every = list(combinations(range(len(squares)), 2))
    for one, other in sorted(graphs.neighbor_graph(neighbors)):
        rest = [pair for pair in every if pair != (one, other) and squares[pair[0]][pair[1]] <= squares[one][other]]
        if graphs.joined(len(squares), rest, one, other):
            return Violation("avoidable", neighbors, (one, other))
    return not_a_minimal_tree(squares, neighbors) or tree_outside(squares, neighbors)


def shorter_exchange(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a reason why G* is no minimum spanning tree of all points. The heading of Section 5.1 calls it one."""
    graph = graphs.neighbor_graph(neighbors)
    for one, other in combinations(range(len(squares)), 2):
        if not graphs.joined(len(squares), graph, one, other):
            return Violation("not connected", neighbors, (one, other))
    change = graphs.exchange(squares, graph)
    return None if change is None else Violation("lighter", neighbors, tuple(range(len(squares))), change)


def no_tree_inside(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component without any minimum spanning tree of its points: Lemma 3, read as mildly as its words allow."""
    return _misses("none inside", graphs.missing_from_all, squares, neighbors, _parts(squares, neighbors))


def no_tree_inside_union(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find such a component in the paper's sense: conditions (i) to (iii) admit every union of connected components."""
    return _misses("none inside a union", graphs.missing_from_all, squares, neighbors, _unions(squares, neighbors))


def tree_outside(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a component that misses an edge of some minimum spanning tree of its points: Lemma 3 for every such tree."""
    return _misses("one outside", graphs.missing_from_some, squares, neighbors, _parts(squares, neighbors))


def tree_outside_spanned(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find such a component among those that one neighbor for each point connects: Lemma 3, corrected."""
    spanned = {part for choice in graphs.chosen_neighbors(neighbors) for part, _ in _parts(squares, choice)}
    parts = (part for part in _parts(squares, neighbors) if part[0] in spanned)
    return _misses("one outside", graphs.missing_from_some, squares, neighbors, parts)


def tree_outside_small(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find such a component of at most four points, or of points on a line: Lemma 3, corrected in another way."""
    parts = (part for part in _parts(squares, neighbors) if len(part[0]) <= 4 or _on_a_line(squares, part[0]))
    return _misses("one outside", graphs.missing_from_some, squares, neighbors, parts)


def wrong_count_of_neighborhoods(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a violation of n.. = 3n - 2, the sum of the neighborhoods in G*, which Definition 9 states for the tree."""
    size = len(squares)
    total = size + 2 * len(graphs.neighbor_graph(neighbors))
    return None if total == 3 * size - 2 else Violation("sum", neighbors, tuple(range(size)))


def other_neighborhoods(squares: Squares, neighbors: Neighbors) -> Violation | None:
    """Find a violation of n.. = 3n - 2c for c components of G*, with c at most n/2: the corrected sum."""
    size, graph = len(squares), graphs.neighbor_graph(neighbors)
    parts = len(graphs.components(size, graph))
    right = size + 2 * len(graph) == 3 * size - 2 * parts and 2 * parts <= size
    return None if right else Violation("sum", neighbors, tuple(range(size)))


Part = tuple[tuple[int, ...], Edges]


def _parts(squares: Squares, neighbors: Neighbors) -> Iterator[Part]:
    graph = graphs.neighbor_graph(neighbors)
    for part in graphs.components(len(squares), graph):
        yield part, graphs.within(graph, part)


def _unions(squares: Squares, neighbors: Neighbors) -> Iterator[Part]:
    graph = graphs.neighbor_graph(neighbors)
    parts = graphs.components(len(squares), graph)
    for number in range(1, len(parts) + 1):
        for chosen in combinations(parts, number):
            union = tuple(sorted(sum(chosen, ())))
            yield union, graphs.within(graph, union)


def _on_a_line(squares: Squares, part: tuple[int, ...]) -> bool:
    """Return whether the points lie on a line: no three of them have an area, by Heron's formula."""
    sides = ((squares[i][j], squares[j][k], squares[k][i]) for i, j, k in combinations(part, 3))
    return all(2 * (a * b + b * c + c * a) == a * a + b * b + c * c for a, b, c in sides)


def _misses(
    kind: str, missing: Callable[..., Any], squares: Squares, neighbors: Neighbors, parts: Iterable[Part]
) -> Violation | None:
    found = ((part, missing(squares, edges, part)) for part, edges in parts)
    return next((Violation(kind, neighbors, part, (edge,)) for part, edge in found if edge is not None), None)


_EVERY = (
    Lemma("SN-L1", cycle, unique=True),
    Lemma("SN-L1a", mutual_pair, unique=True),
    Lemma("SN-L1b", no_single_circuit, unique=True),
    Lemma("SN-L1c", cycle, ties="any"),
    Lemma("SN-L1d", cycle, ties="common"),
    Lemma("SN-L2", not_a_minimal_tree, unique=True),
    Lemma("SN-L2a", not_the_only_tree, unique=True),
    Lemma("SN-L2b", not_a_minimal_tree, ties="any"),
    Lemma("SN-L3", no_tree_inside_union),
    Lemma("SN-L3a", no_tree_inside),
    Lemma("SN-L3b", tree_outside, ties="any"),
    Lemma("SN-L3c", no_tree_inside, ties="any"),
    Lemma("SN-L3d", tree_outside_spanned),
    Lemma("SN-L3e", tree_outside_small),
    Lemma("SN-5", shorter_exchange, unique=True),
    Lemma("SN-5n", wrong_count_of_neighborhoods, unique=True),
    Lemma("SN-5m", other_neighborhoods, unique=True),
)

LEMMAS: Mapping[str, Lemma] = MappingProxyType({lemma.id: lemma for lemma in _EVERY})
"""The lemmas by their ids in the ledger, whose entries say in words what each one says."""


# Tables

Row = tuple[Fraction, ...]

TABLE_1 = paper.table("Table 1")
"""For each data set: p, the accuracy in % with all features, the number that the tree selects, and its accuracy."""

TABLE_2 = paper.table("Table 2")
"""For each data set: p, the number of points, and the accuracies with RCG, with all features, and by accuracy."""

TABLE_3 = paper.table("Table 3")
"""For each data set: the accuracies with RCG, and with the criterion Z in its place."""


class Comparison(NamedTuple):
    """The numbers of data sets on which a method is better, equally good and worse, and the mean difference."""

    wins: int
    ties: int
    losses: int
    gain: Fraction


def compare(one: Iterable[Fraction], other: Iterable[Fraction]) -> Comparison:
    """Compare two columns of accuracies, in percentage points."""
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    wins, losses = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return Comparison(wins, len(gaps) - wins - losses, losses, sum(gaps) / Fraction(len(gaps)))


def sign_tests(wins: int, ties: int, losses: int) -> dict[str, Fraction]:
    """Return the one-sided p-values of the exact sign test, by how ties are treated. An odd tie is halved to a loss.

    Examples
    --------
    >>> sign_tests(8, 0, 2)["dropped"]
    Fraction(7, 128)
    """

    def tail(n: int, least: int) -> Fraction:
        return Fraction(sum(math.comb(n, hits) for hits in range(least, n + 1)), 2**n)

    n, half = wins + ties + losses, wins + ties // 2
    dropped, more = tail(wins + losses, wins), tail(wins + losses, wins + 1)
    found = {"dropped": dropped, "dropped, mid-p": (dropped + more) / 2, "dropped, more wins only": more}
    return found | {"halved": tail(n, half), "as losses": tail(n, wins), "as wins": tail(n, wins + ties)}


class Recomputed(NamedTuple):
    """A number of the text: its entry in the ledger, what it is about, as printed, as it is, and whether they agree."""

    entry: str
    what: str
    printed: str
    right: str
    agrees: bool


def recomputed() -> tuple[Recomputed, ...]:
    """Return the numbers of Sections 6 to 8 that can be computed from the tables, in the order of the text.

    Examples
    --------
    >>> [number.entry for number in recomputed() if not number.agrees]
    ['SN-T1', 'SN-T2', 'SN-T4j', 'SN-T4m', 'SN-T4p', 'SN-T5m', 'SN-T8']
    """
    return (*_of_the_tree(), *_of_nearest_neighbors())


def _of_the_tree() -> Iterator[Recomputed]:
    tree = compare(_column(TABLE_1, 3), _column(TABLE_1, 1))
    found = f"{tree.wins} of {len(TABLE_1)}"
    yield Recomputed("SN-T1j", "better than all features", "the majority", found, 2 * tree.wins > len(TABLE_1))
    p = sign_tests(*tree[:3])["dropped"]
    right = f"{_percent(p, 4)}, two-sided {_percent(2 * p, 4)}"
    yield Recomputed("SN-T1", "sign test that the accuracy is at least as good", "10.94%", right, _is("0.1094", p))
    whole = 1 - Fraction(sum(_column(TABLE_1, 2))) / sum(_column(TABLE_1, 0))
    each = Fraction(sum(1 - row[2] / row[0] for row in TABLE_1.values())) / len(TABLE_1)
    right = f"{_percent(each)}; {_percent(whole)} of all together"
    yield Recomputed("SN-T2", "fewer features, mean over the data sets", "almost 80%", right, each > Fraction(3, 4))


def _of_nearest_neighbors() -> Iterator[Recomputed]:
    rcg, everything, accuracy = (_column(TABLE_2, j) for j in (2, 3, 4))
    gain, more, less = compare(rcg, accuracy), compare(rcg, everything), compare(accuracy, everything)
    common = TABLE_1.keys() & TABLE_2.keys()
    both = compare([TABLE_1[name][3] for name in common], [TABLE_2[name][2] for name in common])
    found = f"{both.ties}, {both.wins}, {both.losses}"
    yield Recomputed("SN-T3", "same for both graphs, better for the tree, worse", "4, 3, 2", found, found == "4, 3, 2")
    found = f"{gain.wins}, {gain.ties}, {gain.losses}"
    yield Recomputed("SN-T4", "RCG against accuracy: better, same, worse", "10, 8, 5", found, found == "10, 8, 5")
    found = f"{gain.wins} of {len(rcg)}"
    yield Recomputed("SN-T4j", "RCG better than accuracy", "the majority", found, 2 * gain.wins > len(rcg))
    found = f"{float(gain.gain):+.2f}"
    yield Recomputed("SN-T4m", "mean gain over accuracy", "+1.6%", found, _is("1.6", gain.gain))
    p = sign_tests(*gain[:3])
    found = f"{float(p['dropped']):.3f}; {float(p['halved']):.3f} if ties are halved"
    yield Recomputed("SN-T4p", "sign test, RCG against accuracy", "0.05", found, _is("0.05", *p.values()))
    yield Recomputed("SN-T5", "RCG better than all features", "17", f"{more.wins} of {len(rcg)}", more.wins == 17)
    better = compare(*zip(*(pair for pair in zip(rcg, everything, strict=True) if pair[0] > pair[1]), strict=True)).gain
    found = f"{float(more.gain):+.2f}; {float(better):+.2f} where it is better"
    yield Recomputed("SN-T5m", "mean gain over all features", "+3.0%", found, _is("3.0", more.gain, better))
    p = sign_tests(*more[:3])
    found = f"{float(p['dropped']):.4f}; {float(p['as wins']):.4f} if the tie is a win"
    yield Recomputed("SN-T5p", "sign test, RCG against all features", "0.0053", found, _is("0.0053", p["as wins"]))
    q = sign_tests(*less[:3])["dropped"]
    yield Recomputed("SN-T6", "sign test, accuracy against all features", "0.11", f"{float(q):.3f}", _is("0.11", q))
    other = compare(_column(TABLE_3, 0), _column(TABLE_3, 1))
    found = f"{other.ties} of {len(TABLE_3)}"
    yield Recomputed("SN-T7", "as good with Z", "11 of 15", found, found == "11 of 15")
    q = sign_tests(*other[:3])["dropped"]
    found = f"{other.wins} against {other.losses}, sign test {float(q):.2f}"
    yield Recomputed("SN-T8", "RCG better than Z", "so it seems", found, q < Fraction(1, 20))


def _is(printed: str, *values: Fraction) -> bool:
    """Return whether one of the values, rounded to the digits of the printed number, is this number."""
    digits = len(printed.partition(".")[2])
    return any(abs(value - Fraction(printed)) <= Fraction(1, 2 * 10**digits) for value in values)


def _column(table: Mapping[str, Row], j: int) -> Sequence[Fraction]:
    return [row[j] for row in table.values()]


def _percent(share: Fraction, digits: int = 3) -> str:
    return f"{float(100 * share):.{digits}g}%"
