"""The relative certainty gain of Sebban and Nock: how much neighbors in a graph agree about the class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fstheory._clock import Clock, Progress
from fstheory._display import Shown, listing
from fstheory._exact import as_index, both, readable
from fstheory.distribution.rows import generator
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, require_choice
from fstheory.points.certainty_tests import printed_z
from fstheory.points.distance_graphs import GraphKind, GraphTies, edges_of_rows, graph_of, sum_of_squares
from fstheory.points.graphs import Edges
from fstheory.points.label_permutations import LabelPermutations
from fstheory.points.mixed_points import Points, require_order, require_points
from fstheory.points.neighborhoods import statistic, uncertainty
from fstheory.points.point_set import Label, PointSet, require_labels
from fstheory.reals import RootSum

if TYPE_CHECKING:
    import networkx as nx

    from fstheory.viz import PlotFigure

__all__ = [
    "CertaintyGain", "permutation_p_value", "relative_certainty_gain", "require_classes",
]  # fmt: skip

_SHOWN = 5  # seconds that a p-value may take to be shown unasked
_NAMES = {"mst": "minimum spanning tree", "1nn": "graph of nearest neighbors", "given": "graph"}


@dataclass(frozen=True, repr=False)
class CertaintyGain(Shown):
    """How much less uncertain the class is in the neighborhoods of a graph than among all points.

    A point and those joined to it are its neighborhood, of n_i points. All sums are exact, whatever made the graph.

    Attributes
    ----------
    edges : frozenset of pairs of int
        Places of points, the smaller first.
    labels : tuple of int or str
        The class of each point.
    graph : {'mst', '1nn', 'given'}
    sees_labels : bool
        Whether the distance that made the graph depends on the labels; then `null` and `p_value` are refused.

    Examples
    --------
    >>> from fstheory.points import PointSet, relative_certainty_gain
    >>> gain = relative_certainty_gain(PointSet([[0], [1], [3], [7], [8], [10]], "aaabbb"))
    >>> print(gain)
    relative certainty gain 2/3 ≈ 0.6667 in a minimum spanning tree of 6 points
      n.. RCG:         32/3 ≈ 10.67, of at most 16
      labels permuted: mean 4, variance 376/45 ≈ 8.356; z ≈ 2.30633
      p-value:         1/10 = 0.1
      as printed:      mean 5, variance 10; z ≈ 1.79196
    """

    edges: Edges
    labels: tuple[Label, ...]
    graph: Literal["mst", "1nn", "given"] = "given"
    sees_labels: bool = False
    _places: tuple[tuple[float, float], ...] | None = field(default=None, compare=False)

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that occur, sorted."""
        return tuple(sorted(set(self.labels), key=lambda label: (isinstance(label, str), label)))

    @property
    def counts(self) -> tuple[int, ...]:
        """How many points each of the classes has."""
        return tuple(map(self.labels.count, self.classes))

    @cached_property
    def neighborhoods(self) -> tuple[tuple[int, ...], ...]:
        """The neighborhood of each point, its own place first (Definition 7)."""
        beside: list[list[int]] = [[place] for place in range(len(self.labels))]
        for one, other in sorted(self.edges):
            beside[one].append(other)
            beside[other].append(one)
        return tuple(map(tuple, beside))

    @property
    def members(self) -> int:
        """n.., how many members the neighborhoods have in all: n and twice the number of edges (Definition 9)."""
        return len(self.labels) + 2 * len(self.edges)

    @property
    def local_uncertainties(self) -> tuple[Fraction, ...]:
        """U_loc, the quadratic entropy of the class in each neighborhood (equation 5)."""
        return tuple(uncertainty([*Counter(self.labels[i] for i in few).values()]) for few in self.neighborhoods)

    @cached_property
    def total_uncertainty(self) -> Fraction:
        """U_tot, the mean of the local uncertainties, weighted by the sizes of neighborhoods (equation 6, line 2)."""
        return self.initial_uncertainty * (1 - self.value)

    @property
    def initial_uncertainty(self) -> Fraction:
        """U_0, the quadratic entropy of the class among all points (equation 8)."""
        return uncertainty(self.counts)

    @cached_property
    def statistic(self) -> Fraction:
        """N.. times the relative certainty gain, the statistic of the test (equations 9 to 11)."""
        return statistic(self.edges, self.labels)

    @property
    def value(self) -> Fraction:
        """The relative certainty gain (U_0 - U_tot) / U_0 (equation 7)."""
        return self.statistic / self.members

    @cached_property
    def null(self) -> LabelPermutations:
        """The law of the statistic if the labels were put to the points at random, the graph as it is.

        Raises
        ------
        InvalidValueError
            The graph depends on the labels, so that it would not stay as it is.
        """
        if self.sees_labels:
            repair = "make the points with categories='overlap', or take permutation_p_value"
            raise InvalidValueError(explain("points", "under a distance that does not look at labels", "HVDM", repair))
        return LabelPermutations(len(self.labels), self.edges, self.counts)

    @property
    def z(self) -> RootSum:
        """The statistic less its mean, in standard deviations, exactly.

        Raises
        ------
        InvalidValueError
            All labelings have the same value, as on a complete graph; the graph depends on the labels.
        """
        return self.null.z(self.statistic)

    @property
    def p_value(self) -> Fraction:
        """The probability that permuted labels give a statistic at least as large, exactly.

        Raises
        ------
        TooLargeError
            Neither two classes on a forest nor few labelings: use `null.sample`.
        InvalidValueError
            The graph depends on the labels.
        """
        return self.null.tail(self.statistic)

    @property
    def printed_z(self) -> RootSum:
        """The z of the paper (equation 10): mean (n - 1)(k - 1), variance twice that; the ledger says what is wrong."""
        return printed_z(self.statistic, len(self.labels), len(self.classes))

    def to_networkx(self) -> nx.Graph[int]:
        """Return the graph, each point with its `label` and `uncertainty` as attributes."""
        import networkx as nx

        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(len(self.labels)))
        graph.add_edges_from(sorted(self.edges))
        nx.set_node_attributes(graph, dict(enumerate(self.labels)), "label")
        nx.set_node_attributes(graph, dict(enumerate(self.local_uncertainties)), "uncertainty")
        return graph

    def plot(self) -> PlotFigure:
        """Draw the graph with its classes: at their coordinates where points have two, else by a layout."""
        from fstheory.viz.points import draw_points

        title = f"relative certainty gain {readable(self.value)} in the {_NAMES[self.graph]}"
        return draw_points(self.to_networkx(), self.classes, self._places, title)

    def __str__(self) -> str:
        head = f"relative certainty gain {both(self.value)} in a {_NAMES[self.graph]} of {len(self.labels)} points"
        rows = [("n.. RCG", f"{both(self.statistic)}, of at most {self.members}")]
        if self.sees_labels:
            rows.append(
                ("labels permuted", "does not apply, as the distance looks at the labels: permutation_p_value does")
            )
        else:
            z = f"; z ≈ {self.z.decimal()}" if self.null.variance else ""
            mean, variance = both(self.null.mean), both(self.null.variance)
            rows += [("labels permuted", f"mean {mean}, variance {variance}{z}"), ("p-value", self._p_value_text())]
        freedom = (len(self.labels) - 1) * (len(self.classes) - 1)
        rows.append(("as printed", f"mean {freedom}, variance {2 * freedom}; z ≈ {self.printed_z.decimal()}"))
        return listing(head, rows)

    def _p_value_text(self) -> str:
        estimated = "null.sample(9999, rng=0).p_value(statistic) estimates it"
        try:
            seconds = self.null.seconds
        except TooLargeError:
            return f"out of exact reach; {estimated}"
        if seconds > _SHOWN:
            return f"not shown, as it takes about {seconds:.0f} seconds; {estimated}"
        return both(self.p_value)


def relative_certainty_gain(
    points: Points | nx.Graph[Any] | Any,
    graph: GraphKind | nx.Graph[Any] = "mst",
    *,
    labels: Iterable[Label] | Mapping[Any, Label] | None = None,
    ties: GraphTies = "refuse",
) -> CertaintyGain:
    """Return by how much neighbors in a graph of labeled points agree about the class, and how that is tested.

    Parameters
    ----------
    points : PointSet, MixedPoints, DataFrame or array; or networkx.Graph
        The points. A table needs `labels`, and is read as `MixedPoints`. A graph needs `labels` and no points.
    graph : {'mst', '1nn'} or networkx.Graph
        A minimum spanning tree; the graph that joins each point to its nearest neighbor; or any simple graph whose
        nodes are the places of the points.
    labels : iterable, or mapping from nodes, of int or str
        The class of each point, in the order of the rows, or of the nodes of a graph.
    ties : {'refuse', 'first', 'all'}
        What happens where tied distances leave more than one graph, or points coincide: an error; pairs at equal
        distances count as ordered by the places of their points, one order for all; or, for '1nn' only, every
        nearest neighbor is joined.

    Returns
    -------
    CertaintyGain
        `value`, `null.mean`, `null.variance`, `p_value` are Fractions; `plot()` draws it.

    Notes
    -----
    Complexity: for n points of p features, order of n**2 p steps; 2,000 points take about a second. The p-value takes
    more: see `LabelPermutations`.

    References
    ----------
    M. Sebban and R. Nock (2002), Section 3.

    Examples
    --------
    >>> import networkx as nx
    >>> from fstheory.points import relative_certainty_gain
    >>> gain = relative_certainty_gain(nx.path_graph(4), labels="aabb")
    >>> gain.value, gain.null.mean, gain.p_value
    (Fraction(7, 15), Fraction(2, 1), Fraction(1, 3))
    """
    import networkx as nx

    require_choice(ties, "ties", get_args(GraphTies))
    if isinstance(points, nx.Graph):
        if not isinstance(graph, str) or graph != "mst":
            raise InvalidValueError(explain("graph", "left out where a graph is given first", graph, "drop it"))
        nodes = list(points)
        if labels is None:
            raise InvalidTypeError(explain("labels", "the class of each node", labels, "pass labels=[0, 1, ...]"))
        if isinstance(labels, Mapping):
            if lacking := [node for node in nodes if node not in labels]:
                raise InvalidValueError(explain("labels", "of all nodes", f"none for {lacking[0]!r}", "add it"))
            labels = [labels[node] for node in nodes]
        require_order(labels, nodes)
        classes = require_labels(labels, len(nodes))
        return require_classes(CertaintyGain(_edges_of(points, nodes), classes))
    found = require_points(points, labels)
    places = _places_of(found)
    if isinstance(graph, nx.Graph):
        edges = _edges_of(graph, range(len(found.labels)))
        return require_classes(CertaintyGain(edges, found.labels, "given", False, places))
    require_choice(graph, "graph", get_args(GraphKind))
    pairs = graph_of(sum_of_squares(found, found.features), graph, ties)
    return require_classes(CertaintyGain(edges_of_rows(pairs), found.labels, graph, found.sees_labels, places))


def permutation_p_value(
    points: Points | Any,
    graph: GraphKind = "mst",
    *,
    trials: int,
    rng: int | np.random.Generator,
    labels: Iterable[Label] | None = None,
    ties: GraphTies = "refuse",
    progress: Progress = None,
) -> float:
    """Return the p-value of n.. RCG among permutations of the labels, the graph made anew for each of them.

    This is valid where the distance looks at the labels, as the VDM of categories does: if the labels are
    exchangeable, the observed labeling and the drawn ones are, too. It is at most alpha with probability at most alpha,
    whatever the number of trials.

    Parameters
    ----------
    points, graph, labels, ties
        As in `relative_certainty_gain`. Distances between categories are often tied.
    trials : int
        How many permutations, at least 1.
    rng : int or numpy.random.Generator
        A seed, or a generator that is advanced.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Notes
    -----
    Complexity: as many graphs as trials. Where the distance does not look at labels there is one graph for all, and
    `null.tail` or `null.sample` are quicker.

    Examples
    --------
    A name for each point separates all classes, whatever they are:

    >>> from fstheory.points import LabelPermutations, MixedPoints, permutation_p_value, relative_certainty_gain
    >>> points = MixedPoints([[name] for name in "ABCDEFGH"], [0, 1, 0, 1, 1, 0, 0, 1])
    >>> gain = relative_certainty_gain(points, ties="first")
    >>> LabelPermutations(8, gain.edges, gain.counts).tail(gain.statistic)  # the graph as it is: not valid here
    Fraction(1, 35)
    >>> permutation_p_value(points, trials=99, rng=0, ties="first")
    1.0
    """
    trials, source = as_index(trials, "trials", at_least=1), generator(rng)
    require_choice(graph, "graph", get_args(GraphKind))
    found = require_points(points, labels)
    observed = relative_certainty_gain(found, graph, ties=ties).statistic
    hits = 1
    with Clock(None, progress) as clock:
        clock.tell(f"takes {trials:,} graphs of {len(found.labels):,} points")
        for done in range(trials):
            clock.tick(lambda: f"{done:,} of {trials:,} permutations")  # noqa: B023 (it is called at once)
            drawn = [found.labels[place] for place in source.permutation(len(found.labels))]
            relabeled = found.with_labels(drawn)
            edges = graph_of(sum_of_squares(relabeled, relabeled.features), graph, ties)
            hits += statistic(edges, relabeled.labels) >= observed
    return hits / (1 + trials)


def require_classes(gain: CertaintyGain) -> CertaintyGain:
    """Return a gain if there are two classes at least, or refuse it."""
    if len(set(gain.labels)) < 2:
        repair = "the class of points with one class is certain already: give the classes with labels="
        raise InvalidValueError(explain("labels", "of at least two classes", gain.labels, repair))
    return gain


def _edges_of(graph: nx.Graph[Any], nodes: Iterable[Any]) -> Edges:
    """Return the edges of a simple graph as places of its nodes in a list."""
    place = {node: i for i, node in enumerate(nodes)}
    if graph.is_directed() or graph.is_multigraph():
        raise InvalidTypeError(explain("graph", "a networkx.Graph", graph, "pass nx.Graph(graph)"))
    if set(graph) != set(place):
        repair = "call the nodes 0, 1, ... by nx.convert_node_labels_to_integers"
        raise InvalidValueError(explain("graph", f"on the nodes 0 to {len(place) - 1}", list(graph), repair))
    loop = next((one for one, other in graph.edges if one == other), None)
    if loop is not None:
        repair = "every point is in its own neighborhood already: remove the loops"
        raise InvalidValueError(explain("graph", "without loops", f"one at {loop}", repair))
    return frozenset((min(place[a], place[b]), max(place[a], place[b])) for a, b in graph.edges)


def _places_of(points: Points) -> tuple[tuple[float, float], ...] | None:
    """Return the coordinates of points in the plane, or on a line, for a picture."""
    if not isinstance(points, PointSet) or points.dimension > 2:
        return None
    try:
        return tuple((float(x[0]), float(x[1]) if len(x) > 1 else 0.0) for x in points.points)
    except OverflowError:  # out of the reach of a picture
        return None
