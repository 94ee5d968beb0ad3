"""Forward selection by the relative certainty gain, with the printed test and with corrected ones."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.code import function_text
from fstheory._support.exact import Exact, as_index, as_level, to_text
from fstheory._support.journal import Resume, digest
from fstheory._support.progress import Progress
from fstheory._support.result import Result, first_of, listing
from fstheory._support.work import Workers, running
from fstheory.distributions.rows import SUPPORT, generator
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    Message,
    Named,
    TooLargeError,
    explain,
    require,
    require_choice,
    warn_of,
)
from fstheory.lattice.series import Traced, draw_points
from fstheory.numbers.logsum import log
from fstheory.numbers.roots import RootSum
from fstheory.points import graphs
from fstheory.points.graphs import Distances, GraphKind, GraphTies, graph_of, statistic
from fstheory.points.mixed import Points, require_order, require_points
from fstheory.points.permutations import LabelPermutations, labelings_with_a_gain, signed_square
from fstheory.points.point_set import Label, PointSet, require_labels
from fstheory.points.significance import printed_z

if TYPE_CHECKING:
    import networkx as nx

    from fstheory.lattice.figure import PlotFigure, Size, Width


_SHOWN = 5  # the most seconds that a p-value may take to be part of the printed text
_NAMES = {"mst": "minimum spanning tree", "1nn": "graph of nearest neighbors", "given": "graph"}


@dataclass(frozen=True, repr=False)
class CertaintyGain(Result):
    """The gain of certainty about the class in the neighborhoods of a graph, compared with all points.

    The neighborhood of a point has n_i points: the point itself and all points that an edge joins to it. All sums are
    exact, for any graph.

    Attributes
    ----------
    edges : frozenset of pairs
        The edges of the graph. A point is given by its place, and the smaller place comes first.
    labels : tuple of int or str
        The class of each point.
    graph : {'mst', '1nn', 'given'}
        How the graph was made.
    sees_labels : bool
        Whether the distance that made the graph depends on the labels. If so, `null` and `p_value` raise an error.
    """

    edges: graphs.Edges = field(repr=False)
    labels: tuple[Label, ...] = field(repr=False)
    graph: Literal["mst", "1nn", "given"] = "given"
    sees_labels: bool = False
    _places: tuple[tuple[float, float], ...] | None = field(default=None, compare=False)
    _derived = ("value", "statistic")

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that occur, sorted."""
        return tuple(sorted(set(self.labels), key=lambda label: (isinstance(label, str), label)))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of points of each class."""
        return tuple(map(self.labels.count, self.classes))

    @cached_property
    def neighborhoods(self) -> tuple[tuple[int, ...], ...]:
        """The neighborhood of each point, its own place first (Definition 7)."""
        return tuple((place, *others) for place, others in enumerate(graphs.adjacent(len(self.labels), self.edges)))

    @property
    def members(self) -> int:
        """n.., the sum of the sizes of all neighborhoods: n plus twice the number of edges (Definition 9)."""
        return len(self.labels) + 2 * len(self.edges)

    @property
    def local_uncertainties(self) -> tuple[Fraction, ...]:
        """U_loc, the quadratic entropy of the class in each neighborhood (equation 5)."""
        return tuple(
            graphs.uncertainty([*Counter(self.labels[i] for i in members).values()]) for members in self.neighborhoods
        )

    @property
    def initial_uncertainty(self) -> Fraction:
        """U_0, the quadratic entropy of the class among all points (equation 8)."""
        return graphs.uncertainty(self.counts)

    @cached_property
    def statistic(self) -> Fraction:
        """The statistic of the test: n.. times the relative certainty gain (equations 9 to 11)."""
        return statistic(self.edges, self.labels)

    @cached_property
    def schapire_singer(self) -> RootSum:
        """Schapire and Singer's Z of the neighborhoods, in the place of U_tot (equation 14). Smaller is better."""
        return graphs.schapire_singer(self.edges, self.labels)

    @property
    def value(self) -> Fraction:
        """The relative certainty gain (U_0 - U_tot) / U_0 (equation 7)."""
        return self.statistic / self.members

    @cached_property
    def null(self) -> LabelPermutations[Fraction]:
        """The law of the statistic if the labels are permuted at random and the graph stays."""
        repair = Message("make the points with ", _OVERLAP, ", or take permutation_p_value")
        needed = "under a distance that does not look at labels"
        require(not self.sees_labels, "points", needed, "HVDM, IVDM or WVDM", repair)
        return LabelPermutations(len(self.labels), self.edges, self.counts)

    @property
    def z(self) -> RootSum:
        """The exact distance of the statistic from its mean in standard deviations. A deviation of 0 is refused."""
        return self.null.z(self.statistic)

    @property
    def p_value(self) -> Fraction:
        """The probability that permuted labels give a statistic at least as large, exactly; see `null.engine`."""
        return self.null.tail(self.statistic)

    @property
    def printed_z(self) -> RootSum:
        """The z of the paper (equation 10): mean (n - 1)(k - 1), variance twice that.

        The ledger says why it is wrong.
        """
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

    def plot(self, *, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the graph with its classes.

        Points with two coordinates are drawn at these coordinates. A layout places all other points.
        """
        title = f"relative certainty gain {to_text(self.value, 0)} in the {_NAMES[self.graph]}"
        return draw_points(self.to_networkx(), self.classes, self._places, title).sized(figsize, width)

    def __str__(self) -> str:
        head = f"relative certainty gain {to_text(self.value)} in a {_NAMES[self.graph]} of {len(self.labels)} points"
        rows = [("n.. RCG", f"{to_text(self.statistic)}, of at most {self.members}")]
        if self.sees_labels:
            why = "does not apply, as the distance looks at the labels: permutation_p_value does"
            rows.append(("labels permuted", why))
        else:
            z = f"; z ≈ {self.z.decimal()}" if self.null.variance else ""
            mean, variance = to_text(self.null.mean), to_text(self.null.variance)
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
        return to_text(self.p_value)


def relative_certainty_gain(
    points: Points | nx.Graph[Any] | Any,
    graph: GraphKind | nx.Graph[Any] = "mst",
    *,
    labels: Iterable[Label] | Mapping[Any, Label] | None = None,
    ties: GraphTies = "refuse",
) -> CertaintyGain:
    """Return the relative certainty gain of labeled points on a graph of neighbors, with its test.

    The gain measures how much more certain the class is in the neighborhoods of the graph than among all points. Use it
    to judge whether features separate the classes. Complexity: O(n**2 p) steps and O(n p) memory for n points of p
    features. With three coordinates, 10,000 points take about a second and 100,000 about a minute. The p-value takes
    longer: see `LabelPermutations`. Source: M. Sebban and R. Nock (2002), Section 3.

    Parameters
    ----------
    points : PointSet, MixedPoints, DataFrame, array, or networkx.Graph
        The points. A DataFrame or an array needs `labels`, and is read as `MixedPoints`. A networkx graph also needs
        `labels`. Its nodes are the points, and `graph` is left out.
    graph : {'mst', '1nn'} or networkx.Graph
        'mst' is a minimum spanning tree. '1nn' joins each point to its nearest neighbor. A networkx graph must be
        simple, and its nodes must be the places of the points: 0, 1, ....
    labels : iterable of int or str, or mapping
        The class of each row or node. For a networkx graph it may be a mapping from nodes to classes.
    ties : {'refuse', 'first', 'all'}
        What to do if points coincide, or if tied distances allow more than one graph. 'refuse' raises an error. 'first'
        orders pairs at equal distances by the places of their points. 'all', for '1nn' only, joins a point to all of
        its nearest neighbors.

    Returns
    -------
    CertaintyGain
        The gain is its `value`. The test is in `statistic`, `null`, `z` and `p_value`.

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
    import networkx as nx

    require_choice(ties, "ties", get_args(GraphTies))
    if isinstance(points, nx.Graph):
        alone = isinstance(graph, str) and graph == "mst"
        require(alone, "graph", "left out where a graph is given first", graph, "drop it")
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
    pairs = graph_of(Distances(found, found.features), graph, ties)
    return require_classes(CertaintyGain(graphs.edges_of_rows(pairs), found.labels, graph, found.sees_labels, places))


def permutation_p_value(
    points: Points | Any,
    graph: GraphKind = "mst",
    *,
    trials: int,
    rng: int | np.random.Generator,
    labels: Iterable[Label] | None = None,
    ties: GraphTies = "refuse",
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> float:
    """Estimate the p-value of the relative certainty gain, from random permutations of the labels.

    Use it if the distance depends on the labels, as the VDM of categories does: the graph is made anew for each
    permutation. Under the null hypothesis, the p-value is at most alpha with probability at most alpha, for any number
    of trials. It is returned as a float. Complexity: one graph for each trial.

    Parameters
    ----------
    points, graph, labels, ties
        As in `relative_certainty_gain`. Distances between categories are often tied.
    trials : int
        The number of permutations, at least 1.
    rng : int or numpy.random.Generator
        A seed, or a generator, which is advanced.
    executor, resume, progress
        As in `fstheory.refute`. A journal needs a seed as `rng`.

    Examples
    --------
    >>> from fstheory.points import MixedPoints, permutation_p_value
    >>> points = MixedPoints([[name] for name in "ABCDEFGH"], [0, 1, 0, 1, 1, 0, 0, 1])
    >>> permutation_p_value(points, trials=99, rng=0, ties="first")
    1.0
    """
    trials, source = as_index(trials, "trials", at_least=1), generator(rng, resume=resume)
    require_choice(graph, "graph", get_args(GraphKind))
    found = require_points(points, labels)
    observed = relative_certainty_gain(found, graph, ties=ties).statistic
    drawn = (source.permutation(len(found.labels)).tolist() for _ in range(trials))
    chunks = iter(lambda: list(itertools.islice(drawn, _TOGETHER)), [])
    count = partial(_hits, found, graph, ties, observed)
    about = {"graph": graph, "ties": ties, "trials": trials, "seed": str(rng)}
    about["points"] = digest(function_text(found._parts, "points")) if resume is not None else ""
    with running("permutation test", about, executor, resume, progress) as run:
        run.clock.tell(f"takes {trials:,} graphs of {len(found.labels):,} points")
        tell = partial(run.clock.count, total=trials, what="permutations")
        hits = run.total(f"{_TOGETHER} at once", count, chunks, lambda done: tell(done * _TOGETHER))
    return float((1 + hits) / (1 + trials))


_OVERLAP = Named("categories", "overlap")
_TOGETHER = 8  # the number of graphs in a chunk of work


def _hits(
    points: Points, graph: GraphKind, ties: GraphTies, observed: Fraction, permutations: Iterable[Sequence[int]]
) -> int:
    """Return how many permutations of the labels give a statistic of at least the observed one."""
    hits = 0
    for places in permutations:
        relabeled = points.with_labels([points.labels[place] for place in places])
        edges = graph_of(Distances(relabeled, relabeled.features), graph, ties)
        hits += statistic(edges, relabeled.labels) >= observed
    return hits


def require_classes(gain: CertaintyGain) -> CertaintyGain:
    """Return the gain. Raise an error if all points have the same class."""
    repair = Message("the class of points with one class is certain already: give the classes with ", Named("labels="))
    require(len(set(gain.labels)) > 1, "labels", "of at least two classes", gain.labels, repair)
    return gain


def _edges_of(graph: nx.Graph[Any], nodes: Iterable[Any]) -> graphs.Edges:
    """Return the edges of a simple graph as places of its nodes in a list."""
    place = {node: i for i, node in enumerate(nodes)}
    if graph.is_directed() or graph.is_multigraph():
        raise InvalidTypeError(explain("graph", "a networkx.Graph", graph, "pass nx.Graph(graph)"))
    repair = "call the nodes 0, 1, ... by nx.convert_node_labels_to_integers"
    require(set(graph) == set(place), "graph", f"on the nodes 0 to {len(place) - 1}", list(graph), repair)
    loops = [one for one, other in graph.edges if one == other]
    repair = "every point is in its own neighborhood already: remove the loops"
    require(not loops, "graph", "without loops", f"loops at {loops}", repair)
    return frozenset((min(place[a], place[b]), max(place[a], place[b])) for a, b in graph.edges)


def _places_of(points: Points) -> tuple[tuple[float, float], ...] | None:
    """Return the coordinates of points in the plane or on a line, for a picture. Return None for all other points."""
    if not isinstance(points, PointSet) or points.dimension > 2:
        return None
    try:
        return tuple((float(x[0]), float(x[1]) if len(x) > 1 else 0.0) for x in points.points)
    except OverflowError:  # a coordinate is too large for a float
        return None


NullKind: TypeAlias = Literal["printed", "moments", "exact", "permutation", "Z"]
Evidence: TypeAlias = Any
"""A Fraction, or a RootSum if the null is 'Z'."""


@dataclass(frozen=True, repr=False)
class CertaintyGainStep(Result):
    """One step of the selection: the feature that was added, or the best candidate of the step that was refused.

    Attributes
    ----------
    gain : CertaintyGain
        The gain with this feature and the features selected before it.
    evidence : Fraction or RootSum
        The number by which features are compared. Larger is better. For 'printed' and 'moments' it is z times the
        absolute value of z. For 'exact' and 'permutation' it is the negated p-value. For 'Z' it is the negated Z.
    accepted : bool
        Whether the feature was added.
    rivals : mapping
        The evidence of every feature that could have been added, by its name.
    chance : Fraction or None
        The p-value of the largest z of all features. It is given only in the first step, and only if a familywise error
        rate was given.
    """

    feature: str
    gain: CertaintyGain
    evidence: Evidence
    accepted: bool
    rivals: Mapping[str, Evidence]
    chance: Fraction | None = None


@dataclass(frozen=True, repr=False)
class CertaintyGainSelection(Traced):
    """The result of the forward selection by the relative certainty gain.

    The `features` are in the order in which they were added. The last step of the `trace` is the refused one, unless a
    limit ended the selection or no feature was left.
    """

    _drawn: ClassVar = {"gain.value": "relative certainty gain"}

    features: tuple[str, ...]
    null: NullKind
    trace: tuple[CertaintyGainStep, ...]

    def __str__(self) -> str:
        lines = [
            f"forward selection by the relative certainty gain: {first_of(self.features, str, 12) or 'no feature'}"
        ]
        for step in self.trace:
            number = float(step.evidence)
            evidence = f"z ≈ {math.copysign(abs(number) ** 0.5, number):.4g}"
            if self.null == "permutation":  # a share of random labelings is an estimate
                evidence = f"p-value estimated {-number:.4g}"
            elif self.null == "exact":
                evidence = f"p-value {to_text(-step.evidence)}"
            elif self.null == "Z":
                evidence = f"Z ≈ {-number:.4g}"
            start = f"+ {step.feature}: relative certainty gain" if step.accepted else f"stopped: with {step.feature}"
            best = "" if step.chance is None else f"; any of {len(step.rivals)} by chance: p = {step.chance}"
            lines.append(f"  {start} {to_text(step.gain.value)}, {evidence}{best}")
        return "\n".join(lines)


def select_by_certainty_gain(
    points: Points | Any,
    *,
    labels: Iterable[Label] | None = None,
    graph: GraphKind = "mst",
    null: NullKind = "moments",
    ties: GraphTies = "refuse",
    max_features: int | None = None,
    familywise: Exact | None = None,
    trials: int | None = None,
    rng: int | np.random.Generator | None = None,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> CertaintyGainSelection:
    """Add features one at a time. Each step adds the feature whose graph differs most from randomly labeled points.

    The selection ends when no feature improves the evidence. The first feature is always added unless `familywise` is
    given. If several features are equally good, the first one is added. Complexity: O(s p n**2) for p features, n
    points and s steps. 'exact' also computes s p laws, and one law of 300 points may take minutes. Source: M. Sebban
    and R. Nock (2002), Section 4.

    Parameters
    ----------
    points : PointSet, MixedPoints, DataFrame or array
        The points. A DataFrame or an array needs `labels`.
    labels, graph
        As in `relative_certainty_gain`, without a networkx graph.
    null : {'moments', 'printed', 'exact', 'permutation', 'Z'}
        The evidence by which subsets are compared:

        * 'moments': z with the exact mean and variance under permutation of the labels.
        * 'printed': z as the paper prints it, with the mean (n - 1)(k - 1) and the variance 2(n - 1)(k - 1).
        * 'exact': the exact p-value under permutation. It needs two classes on a forest, or few labelings.
        * 'permutation': the p-value estimated from random permutations.
        * 'Z': Schapire and Singer's Z, which Section 7 has in the place of the quadratic entropy. It is not a test, and
          a step must make it smaller.
    ties : {'refuse', 'first', 'all'}
        As in `relative_certainty_gain`. Points often coincide in few features; then pass 'first'.
    max_features : int, optional
        The largest number of features to add.
    familywise : exact number, optional
        The familywise error rate: the largest probability that any feature is added if the class depends on none of
        them. The first feature is then added only if permuted labels rarely have as large a z for any feature. All
        features share the permutations (Westfall and Young, 1993). The p-value is valid for any number of `trials`. No
        later step is tested: a feature that adds no information may still be added later.
    trials, rng
        The number of permutations, and a seed or a generator. They are needed for 'permutation' and for `familywise`.
        Every subset has the same permutations.
    executor, resume, progress
        As in `fstheory.refute`. With 'permutation', a journal needs a seed as `rng`.

    Returns
    -------
    CertaintyGainSelection
        The selected `features`, and the `trace` of the steps.

    Examples
    --------
    >>> from fstheory.points import PointSet, select_by_certainty_gain
    >>> points = PointSet([[0, 3], [1, 0], [3, 8], [7, 1], [8, 6], [10, 2]], "aaabbb")
    >>> print(select_by_certainty_gain(points, null="exact"))
    forward selection by the relative certainty gain: X1
      + X1: relative certainty gain 2/3 ≈ 0.6667, p-value 1/10 = 0.1
      stopped: with X2 2/3 ≈ 0.6667, p-value 1/10 = 0.1
    """
    for name, value, kind in (("graph", graph, GraphKind), ("null", null, NullKind), ("ties", ties, GraphTies)):
        require_choice(value, name, get_args(kind))
    found = require_points(points, labels)
    require_classes(CertaintyGain(frozenset(), found.labels))
    most = len(found.features) if max_features is None else as_index(max_features, "max_features", at_least=1)
    Distances(found, found.features).require_memory()
    level = _level(found, null, trials, rng, familywise)
    seed = None if rng is None else int(generator(rng, resume=resume).integers(2**63))
    taken, trace = list[str](), list[CertaintyGainStep]()
    squares: Any = None  # of the features taken
    about = {"graph": graph, "null": null, "ties": ties, "familywise": str(level), "trials": str(trials)}
    about |= {"seed": str(rng), "points": "" if resume is None else digest(function_text(found._parts, "points"))}
    with running("selection by certainty gain", about, executor, resume, progress) as (journal, clock, crew):
        while len(taken) < min(most, len(found.features)):
            left = [name for name in found.features if name not in taken]
            steps = {name: f"{len(taken)} taken, {name}" for name in left}
            new = [name for name in left if journal.get(steps[name]) is None]
            edges = dict[str, tuple[Any, Evidence]]()

            def tried(name: str, squares: Any = squares) -> tuple[Any, Evidence]:
                pairs = graph_of(Distances(found, [name], squares), graph, ties)
                return pairs, _evidence(pairs, found.labels, null, trials, seed)

            def note(name: str, found: tuple[Any, Evidence], steps: Mapping[str, str] = steps) -> None:
                journal.put(steps[name], _written(found[1]))

            for name, pair in zip(new, crew.map(tried, new, note), strict=True):
                edges[name] = pair
                clock.count(len(left) - len(new) + len(edges), len(left), "features", f"{len(taken)} taken, tried ")
            rivals = {name: _read(journal.get(step)) for name, step in steps.items()}
            best = max(rivals, key=rivals.__getitem__)
            pairs, evidence = edges[best] if best in edges else tried(best)
            if evidence != rivals[best]:
                raise journal.refusal(f"what it says of {steps[best]!r} is not what comes out")
            every = (edges[name][0] if name in edges else tried(name)[0] for name in left)
            chance = None if level is None or trace else _chance(every, found.labels, trials, seed)
            accepted = evidence > trace[-1].evidence if trace else chance is None or chance <= (level or 0)
            gain = CertaintyGain(graphs.edges_of_rows(pairs), found.labels, graph, found.sees_labels)
            trace.append(CertaintyGainStep(best, gain, evidence, accepted, rivals, chance))
            clock.tell(f"{'took' if accepted else 'refused'} {best}, {len(taken) + accepted} features")
            if not accepted:
                break
            taken, squares = [*taken, best], Distances(found, [best], squares)[:]
    warn_of(_doubts(null, trace))
    return CertaintyGainSelection(tuple(taken), null, tuple(trace))


def _written(evidence: Evidence) -> str:
    """Return evidence as a text of a journal, which `_read` reads."""
    if isinstance(evidence, Fraction):
        return str(evidence)
    return json.dumps([[str(evidence.constant), 1], *([str(times), root] for times, root in evidence.terms)])


def _read(text: Any) -> Evidence:
    return RootSum(json.loads(text)) if text.startswith("[") else Fraction(text)


def _doubts(null: NullKind, trace: Sequence[CertaintyGainStep]) -> Iterator[str]:
    """Yield the warning that the best of the features could be as good by chance."""
    if null == "moments" and trace and trace[0].evidence <= log(len(trace[0].rivals)) * 2:
        best_of = f"the gain of {trace[0].feature}, the best column of {len(trace[0].rivals)}, is as of chance alone"
        yield Message(f"{best_of}: take more rows, or bins and ", SUPPORT)


def _chance(every: Iterable[Any], labels: tuple[Label, ...], trials: int | None, seed: int | None) -> Fraction:
    """Return the p-value of the largest z of several graphs, estimated from random labelings."""
    assert trials is not None
    counts, pairs = tuple(Counter(labels).values()), list(every)
    laws = [LabelPermutations(len(labels), edges, counts) for edges in pairs]
    evidence = max(
        signed_square(statistic(edges, labels) - law.mean, law.variance) for edges, law in zip(pairs, laws, strict=True)
    )
    return Fraction(1 + labelings_with_a_gain(laws, evidence, trials, np.random.default_rng(seed)), 1 + trials)


def _level(
    points: Points, null: NullKind, trials: int | None, rng: object, familywise: Exact | None
) -> Fraction | None:
    """Return the level of the test in the first step, or None. Raise an error if the arguments do not fit together."""
    level = None if familywise is None else as_level(familywise, "familywise")
    repair = Message("make the points with ", _OVERLAP, ", or pass ", Named("null", "printed"))
    fixed = null in {"printed", "Z"} or not points.sees_labels
    require(fixed, "points", "under a distance that does not look at labels", "HVDM, IVDM or WVDM", repair)
    if level is not None:
        repair = Message("pass None, or make the points with ", _OVERLAP)
        require(not points.sees_labels, "familywise", "None under a distance that looks at labels", level, repair)
        few = f"fewer cannot decide at the familywise {level}"
        as_index(trials, "trials", at_least=math.ceil(1 / level) - 1, repair=few)
    if null == "permutation" or level is not None:
        as_index(trials, "trials", at_least=1)
        generator(rng)
    else:
        value = trials if trials is not None else rng
        needed = "left out unless null is 'permutation' or familywise given"
        require(value is None, "trials and rng", needed, value, "drop them")
    return level


def _evidence(edges: Any, labels: tuple[Label, ...], null: NullKind, trials: int | None, seed: int | None) -> Evidence:
    """Return the evidence of a graph: the signed square of z, the negated p-value, or the negated Z."""
    if null == "Z":
        return -graphs.schapire_singer(edges, labels)
    value = statistic(edges, labels)
    counts = tuple(Counter(labels).values())
    if null == "printed":
        freedom = (len(labels) - 1) * (len(counts) - 1)
        return signed_square(value - freedom, Fraction(2 * freedom))
    law = LabelPermutations(len(labels), edges, counts)
    if null == "moments":
        return signed_square(value - law.mean, law.variance)
    if null == "exact":
        return -law.tail(value)
    assert trials is not None
    assert seed is not None
    return -Fraction(1 + law.sample(trials, rng=seed).at_least(value), 1 + trials)
