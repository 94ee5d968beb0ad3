"""The graph of a lattice: the marks and values of its nodes, and their places in a drawing.

Places are in inches: x grows to the right and y upwards, and a place is the center of a box.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import exact_text
from fstheory.errors import InvalidTypeError, explain, require, require_choice
from fstheory.lattice.subsets import Masks, Subset, indices_of, mask_of, names_of, size_order, sizes, subset_text

if TYPE_CHECKING:
    import networkx as nx


# -- Reading the graph of a lattice: its marks, its values, the subsets that ties join, and its title.


Lattice: TypeAlias = "nx.DiGraph[frozenset[str]]"

_DRAWN_DIGITS = 30  # the digits of an irrational value in a drawing
_LISTED = 32  # a description lists the values of at most this many subsets
_LONG = 60  # a title has room for a list of features of at most this many characters


def mark_subsets(
    graph: Lattice,
    *,
    best: Subset | None = None,
    minimal: Iterable[Subset] | None = None,
    path: Any = None,
    optimal: Iterable[Subset] | None = None,
) -> None:
    """Mark subsets in the graph.

    The nodes of the given subsets get the attribute ``best``, ``minimal`` or ``optimal``, and the graph gets ``path``.
    """
    steps = _held(graph, getattr(path, "path", path), "path")
    for before, after in itertools.pairwise(steps):
        shown, repair = f"{written(graph, before)} to {written(graph, after)}", "name every subset on the way"
        require(len(before ^ after) == 1, "path", "made of steps that change one feature", shown, repair)
    graph.graph["path"] = steps
    graph.add_nodes_from([] if best is None else [_node(graph, best, "best")], best=True)
    graph.add_nodes_from(_held(graph, minimal, "minimal"), minimal=True)
    graph.add_nodes_from(_held(graph, optimal, "optimal"), optimal=True)


def _held(graph: Lattice, subsets: Iterable[Subset] | None, argument: str) -> tuple[frozenset[str], ...]:
    if subsets is None:
        return ()
    listed = list(subsets) if isinstance(subsets, Iterable) else [""]
    if isinstance(subsets, str) or any(isinstance(subset, str) for subset in listed):
        raise InvalidTypeError(explain(argument, "a collection of subsets", subsets, "write a list: [{'X1', 'X2'}]"))
    return tuple(_node(graph, subset, argument) for subset in listed)


def _node(graph: Lattice, subset: Subset, argument: str) -> frozenset[str]:
    features = graph.graph["features"]
    node = names_of(mask_of(subset, features, argument), features)
    require(node in graph, argument, "a subset in the table", written(graph, node), "drop it, or restrict less")
    return node


def in_order(graph: Lattice) -> Lattice:
    """Return a graph whose nodes and edges have the order of `to_networkx`. In a subgraph their order is arbitrary."""
    import networkx as nx

    ordered: Lattice = nx.DiGraph(**graph.graph)
    masks = {subset: mask_of(subset, graph.graph["features"]) for subset in graph}
    nodes = sorted(graph, key=lambda subset: (len(subset), indices_of(masks[subset])))
    ordered.add_nodes_from((subset, graph.nodes[subset]) for subset in nodes)
    edges = sorted(graph.edges, key=lambda edge: masks[edge[1]])
    ordered.add_edges_from((*edge, graph.edges[edge]) for edge in edges)
    return ordered


def written(graph: Lattice, subset: frozenset[str]) -> str:
    """Return the text of a node as a subset."""
    return subset_text(subset, graph.graph["features"])


def step(graph: Lattice, small: frozenset[str], large: frozenset[str]) -> int:
    """Return the sign of the change in value from `large` to `small`: 0 if removing the features changes nothing."""
    before, after = graph.nodes[large]["rank"], graph.nodes[small]["rank"]
    return int(after > before) - int(after < before)


def drawn_values(graph: Lattice) -> dict[frozenset[str], Fraction]:
    """Return rationals that approximate the values closely enough for a drawing. Equal values stay equal."""
    exact = {node["rank"]: node["value"] for _, node in graph.nodes(data=True)}
    near = {rank: x if isinstance(x, Fraction) else x.enclosure(_DRAWN_DIGITS)[0] for rank, x in exact.items()}
    return {subset: near[node["rank"]] for subset, node in graph.nodes(data=True)}


def merge_ties(graph: Lattice) -> Lattice:
    """Return the graph whose nodes are the groups of subsets that ties join.

    A group is named by its first subset and has all its subsets as ``members``. A rising edge is left out if a longer
    path of rising edges joins the same groups.
    """
    import networkx as nx

    ties = nx.Graph(edge for edge in graph.edges if step(graph, *edge) == 0)
    ties.add_nodes_from(graph)
    place = {subset: i for i, subset in enumerate(graph)}
    groups = [sorted(group, key=place.__getitem__) for group in nx.connected_components(ties)]
    merged: Lattice = nx.DiGraph(**graph.graph)
    for group in sorted(groups, key=lambda group: place[group[0]]):
        merged.add_node(group[0], **graph.nodes[group[0]], members=tuple(group))
    head = {subset: first for first, node in merged.nodes(data=True) for subset in node["members"]}
    merged.add_edges_from((head[s], head[t]) for s, t in graph.edges if head[s] != head[t])
    rising = nx.DiGraph(edge for edge in merged.edges if step(merged, *edge) > 0)
    merged.remove_edges_from(rising.edges - nx.transitive_reduction(rising).edges)
    return merged


def entitle(graph: Lattice) -> str:
    """Return the title of a drawing."""
    features, held = graph.graph["features"], len(graph)
    n = len(features)
    everything = "{" + ", ".join(features) + "}"
    whole = everything if len(everything) <= _LONG else f"{n} features"
    part = "the" if held == 2**n else f"{held} of the {2**n}" if n <= 20 else f"{held}"
    return f"{graph.graph['name']} {graph.graph['symbol']}(S) of {part} subsets S of {whole}"


def describe(graph: Lattice, short: dict[frozenset[str], str]) -> str:
    """Return the description of a drawing for screen readers, as sentences. `short` has a short text of each value."""
    ties = sum(step(graph, *edge) == 0 for edge in graph.edges)
    sentences = [f"Hasse diagram of {len(graph)} subsets with {len(graph.edges)} edges, {ties} of which lose nothing."]
    if len(graph) <= _LISTED:
        values = drawn_values(graph)
        exact = {s: exact_text(v) if v.denominator < 10**9 else short[s] for s, v in values.items()}
        listed = "; ".join(f"{written(graph, subset)}: {text}" for subset, text in exact.items())
        sentences.append(f"{graph.graph['symbol']} by subset: {listed}.")
    marks = {"Minimal-optimal": "best", "Minimal": "minimal", "Path": "path", "Optimal for its size": "optimal"}
    for words, mark in marks.items():
        subsets = graph.graph["path"] if mark == "path" else marked(graph, mark)
        if subsets:
            sentences.append(f"{words}: {'; '.join(written(graph, subset) for subset in subsets)}.")
    return " ".join(sentences)


def marked(graph: Lattice, mark: str) -> list[frozenset[str]]:
    """Return the nodes with a mark. The empty and the full set are never counted as optimal for their size."""
    only = {0, len(graph.graph["features"])} if mark == "optimal" else set()
    return [subset for subset, node in graph.nodes(data=True) if node.get(mark) and len(subset) not in only]


# -- The places of the nodes, in inches: x grows to the right and y upwards, and a place is the center of a box.


View: TypeAlias = Literal["size", "risk"]
Scale: TypeAlias = Literal["auto", "linear", "log"]

Reals: TypeAlias = npt.NDArray[np.float64]
Points: TypeAlias = Reals  # coordinates or box sizes, shape (m, 2), aligned with the masks
Place: TypeAlias = tuple[float, float]

MOST_SPREAD = 32  # more nodes than this are placed in columns by size, not one by one
_ZERO_SHARE = 0.1  # the share of a logarithmic axis that is kept for the value zero
_MANY_DECADES = 1000
_BOX = (0.7, 0.35)  # inches: room for a node of nx.draw with a short label
_PASSES = 4
_TRIALS = 24  # places tried for a node in one pass
_SLACK = 1e-12  # inches: a box may touch the interval that its neighbor forbids


def lattice_positions(
    graph: Lattice,
    *,
    view: View = "size",
    scale: Scale = "auto",
    boxes: Mapping[frozenset[str], Place] | None = None,
    gap: float = 0.18,
) -> dict[frozenset[str], Place]:
    """Return the place of every subset in a Hasse diagram, for the drawing functions of networkx.

    Use it to draw a lattice with networkx yourself. `draw_lattice` uses the same places.

    Parameters
    ----------
    graph : networkx.DiGraph
        The graph that `SubsetTable.to_networkx` returns, or a subgraph of it.
    view : {'size', 'risk'}
        Whether the height of a subset is its size or its value.
    scale : {'auto', 'linear', 'log'}
        The scale of the values with ``view='risk'``. With ``'auto'``, it is logarithmic if positive values differ by a
        factor above 1000.
    boxes : mapping, optional
        The width and the height of each node in inches. No two boxes overlap.
    gap : float
        The room between two boxes in inches.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> places = lattice_positions(bayes_risks(gallery.xor()).to_networkx())
    >>> [("".join(sorted(subset)), round(x, 2), round(y, 2)) for subset, (x, y) in places.items()]
    [('', 0.0, 0.0), ('X1', -0.44, 0.8), ('X2', 0.44, 0.8), ('X1X2', 0.0, 1.6)]
    """
    require_choice(view, "view", get_args(View))
    require_choice(scale, "scale", get_args(Scale))
    require(len(graph), "graph", "a graph of at least one subset", 0, "restrict the table less")
    graph = in_order(graph)
    nodes = list(graph)
    masks = np.array([mask_of(subset, graph.graph["features"]) for subset in nodes], dtype=np.int64)
    sized = np.array([_BOX if boxes is None else boxes[subset] for subset in nodes])
    places = place_by_size(masks, sized, gap)
    if view == "risk":
        ranks = len({node["rank"] for _, node in graph.nodes(data=True)})
        length = min(max(3.0, 1.3 * ranks * float(np.median(sized[:, 1]))), 8.0) if ranks > 1 else 0.0
        values = list(drawn_values(graph).values())
        heights = length * heights_by_value(values, logarithmic=is_logarithmic(values, scale))
        if len(nodes) > MOST_SPREAD:
            x = place_in_columns(sizes(masks), heights, sized, 0.04, 0.5)
        else:
            index = {subset: i for i, subset in enumerate(nodes)}
            pairs = np.array([(index[s], index[t]) for s, t in graph.edges], dtype=np.int64).reshape(-1, 2)
            x = Spread(heights, places[:, 0], sized, pairs, 1.5 * gap).x
        places = np.column_stack([x, heights])
    return dict(zip(nodes, [(x, y) for x, y in places.tolist()], strict=True))


def place_by_size(masks: Masks, boxes: Points, gap: float) -> Points:
    """Return places by size: y grows with the size. Subsets of one size stand in lexicographic order, centered."""
    places = np.zeros((len(masks), 2))
    order = size_order(masks, int(masks.max()).bit_length())
    levels = [order[sizes(masks)[order] == k] for k in np.unique(sizes(masks))]
    pitches = [float(boxes[level, 0].mean()) + gap for level in levels]
    spans = [pitch * len(level) for pitch, level in zip(pitches, levels, strict=True)]
    most = max(map(len, levels))  # labels are nowhere closer than in the fullest level
    common = max(pitch for pitch, level in zip(pitches, levels, strict=True) if len(level) == most)
    rise = min(max(0.45, 0.08 * max(spans)), 1.2)  # wide pictures need room for flat edges
    y = top = 0.0
    for level, pitch in zip(levels, pitches, strict=True):
        half = float(boxes[level, 1].max()) / 2
        y = top + rise + half if level is not levels[0] else 0.0
        top = y + half
        loose = min(1.4 * common, max(spans) / (len(level) + 1))  # a short level is spread a little for steeper edges
        x = np.cumsum(boxes[level, 0] + max(pitch, common, loose) - pitch + gap) - boxes[level, 0] / 2
        places[level, 0] = x - (x[0] + x[-1]) / 2
        places[level, 1] = y
    return places


def place_in_columns(columns: Masks, heights: Reals, boxes: Points, gap: float, between: float) -> Reals:
    """Return x for nodes of given heights in columns that stand side by side, without overlaps."""
    x: Reals = np.zeros(len(heights))
    right = -between
    for column in np.unique(columns):
        nodes = np.flatnonzero(columns == column)
        placed = np.zeros(len(x), dtype=bool)
        for i in sorted(nodes.tolist(), key=lambda i: -boxes[i, 0]):
            x[i] = _nearest(0.0, _blocked(i, x, heights, boxes, gap, placed))
            placed[i] = True
        x[nodes] += right + between - float((x[nodes] - boxes[nodes, 0] / 2).min())
        right = float((x[nodes] + boxes[nodes, 0] / 2).max())
    x -= boxes[columns == columns.min(), 0].max() / 2
    return x


def is_logarithmic(values: Collection[Fraction], scale: Scale) -> bool:
    """Return whether to use a logarithmic axis. With ``'auto'``, if a linear axis could not separate small values."""
    if scale == "auto":
        positive = [value for value in values if value > 0]
        return min(values) >= 0 and bool(positive) and max(positive) > _MANY_DECADES * min(positive)
    return scale == "log" and len(set(values)) > 1


def heights_by_value(values: Sequence[Fraction], *, logarithmic: bool = False) -> Reals:
    """Return the heights of values from 0 (the smallest) to 1 (the largest). Rounding to floats is the last step."""
    low, high = min(values), max(values)
    drawable = low >= 0 or not logarithmic
    require(drawable, "scale", "'linear' if a value is negative", "log", "pass scale='linear'")
    if low == high:
        return np.zeros(len(values))
    if not logarithmic:  # exact differences keep the order in a narrow range far from zero
        return np.array([float((value - low) / (high - low)) for value in values])
    least = min(value for value in values if value > 0)
    if least == high:  # zero and one other value
        return np.array([1.0 if value > 0 else 0.0 for value in values])
    foot = _ZERO_SHARE if low == 0 else 0.0
    span = _logarithm(high / least)  # 0.0 if the two are too close for float logarithms

    def share(value: Fraction) -> float:
        return _logarithm(value / least) / span if span else float((value - least) / (high - least))

    return np.array([foot + (1 - foot) * share(v) if v > 0 else 0.0 for v in values])


def _logarithm(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)  # float(value) could overflow


def _blocked(i: int, x: Reals, heights: Reals, boxes: Points, gap: float, placed: npt.NDArray[np.bool_]) -> list[Place]:
    """Return the open intervals of x where node i would overlap another box."""
    near = placed & (np.abs(heights - heights[i]) < (boxes[:, 1] + boxes[i, 1]) / 2 + gap)
    near[i] = False
    reach = (boxes[near, 0] + boxes[i, 0]) / 2 + gap
    return list(zip((x[near] - reach).tolist(), (x[near] + reach).tolist(), strict=True))


def _free(place: float, blocked: list[Place]) -> bool:
    return all(place <= low + _SLACK or place >= high - _SLACK for low, high in blocked)


def _nearest(wish: float, blocked: list[Place]) -> float:
    ends = [wish, *(end for interval in blocked for end in interval)]
    return min((end for end in ends if _free(end, blocked)), key=lambda end: (abs(end - wish), end))


class Spread:
    """A placement of nodes whose heights are given. The attribute `x` holds their horizontal places.

    Boxes are at least `gap` apart. Nodes are placed near `wished`, and then moved so that few edges cross the boxes of
    other nodes.
    """

    def __init__(self, heights: Reals, wished: Reals, boxes: Points, edges: Masks, gap: float) -> None:
        self.x = wished.astype(np.float64)
        self.heights, self.boxes, self.edges, self.gap = heights, boxes, edges, gap
        placed = np.zeros(len(self.x), dtype=bool)
        for i in np.argsort(np.abs(wished), kind="stable").tolist():
            self.x[i] = _nearest(float(wished[i]), _blocked(i, self.x, heights, boxes, gap, placed))
            placed[i] = True
        for _ in range(_PASSES):
            before = self.x.copy()
            for i in range(len(self.x)):
                self._improve(i)
            self._swap()
            if np.array_equal(before, self.x):
                break

    def _improve(self, i: int) -> None:
        """Move node i to the free place of least cost."""
        blocked = _blocked(i, self.x, self.heights, self.boxes, self.gap, np.ones(len(self.x), dtype=bool))
        bound = max(float(np.abs(self.x).max()) + self.boxes[i, 0] / 4, 1.5 * self.boxes[i, 0] + self.gap)
        trials = [*np.linspace(-bound, bound, _TRIALS).tolist(), *(end for pair in blocked for end in pair)]
        best, least = float(self.x[i]), self._cost(i, float(self.x[i]))
        for trial in (trial for trial in trials if abs(trial) <= bound and _free(trial, blocked)):
            cost = self._cost(i, trial)
            if cost < least * 0.999:  # only a clear gain counts, so that the passes end
                best, least = trial, cost
        self.x[i] = best

    def _swap(self) -> None:
        """Exchange nodes of equal height and equal box if that lowers their cost together."""
        x = self.x
        for i in range(len(x)):
            alike = (self.heights == self.heights[i]) & (self.boxes == self.boxes[i]).all(axis=1)
            for j in (i + 1 + np.flatnonzero(alike[i + 1 :])).tolist():
                before = self._cost(i, x[i]) + self._cost(j, x[j])
                x[[i, j]] = x[[j, i]]
                if self._cost(i, x[i]) + self._cost(j, x[j]) >= before * 0.999:
                    x[[i, j]] = x[[j, i]]

    def _cost(self, i: int, at: float) -> float:
        """Return the cost of node i at x = `at`: hidden edges, the length of its edges, and its distance from x = 0."""
        moved = self.x.copy()
        moved[i] = at
        own = (self.edges == i).any(axis=1)
        hidden = self._hidden(moved, self.edges[own], np.arange(len(moved)))
        hidden += self._hidden(moved, self.edges[~own], np.array([i]))
        lower, upper = self.edges[own].T
        level = self.heights[lower] == self.heights[upper]
        length = float((np.abs(moved[lower] - moved[upper]) * np.where(level, 1.0, 0.3)).sum())
        return 8.0 * hidden + length + 0.3 * abs(at)

    def _hidden(self, x: Reals, edges: Masks, nodes: Masks) -> int:
        """Return the number of pairs of an edge and a node in `nodes` such that the edge crosses the box of the node.

        The two ends of an edge do not count.
        """
        (ax, bx), (ay, by) = x[edges.T][:, :, None], self.heights[edges.T][:, :, None]
        foreign = (edges[:, 0, None] != nodes) & (edges[:, 1, None] != nodes)
        half_width, half_height = self.boxes[nodes, 0] / 2 + self.gap / 2, self.boxes[nodes, 1] / 2
        cx, cy = x[nodes], self.heights[nodes]
        bottom = np.maximum(np.minimum(ay, by), cy - half_height)
        top = np.minimum(np.maximum(ay, by), cy + half_height)
        slope = (bx - ax) / np.where(by == ay, 1.0, by - ay)
        left, right = ax + slope * (bottom - ay), ax + slope * (top - ay)
        crossing = (np.minimum(left, right) < cx + half_width) & (np.maximum(left, right) > cx - half_width)
        # Edges between equal heights do not count: no move could free the boxes that they cross.
        return int((foreign & (by != ay) & (bottom <= top) & crossing).sum())
