"""A graph of labeled points, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fstheory._optional import require
from fstheory.errors import TooLargeError, explain
from fstheory.viz.figure import PlotFigure
from fstheory.viz.style import FONT, INK, SERIES_COLORS, SERIES_SHAPES

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["draw_points"]

_MOST = 2000  # points; beyond, a picture takes minutes and shows nothing

_APART = 0.7  # between components, where neighbors are about one apart


def draw_points(
    graph: nx.Graph[int], classes: Sequence[Any], places: Sequence[tuple[float, float]] | None, title: str
) -> PlotFigure:
    """Draw a graph whose nodes have a `label` and an `uncertainty`; edges between classes are broken.

    Each class has a color and a shape; a ring marks a point with another class in its neighborhood. Without places, a
    layout shows what is joined.

    Raises
    ------
    TooLargeError
        There are over 2,000 points.
    """
    require("matplotlib", "viz", "drawing a graph of points")
    import matplotlib as mpl
    import networkx as nx
    from matplotlib.figure import Figure

    if len(graph) > _MOST:
        raise TooLargeError(explain("points", f"at most {_MOST:,} to be drawn", len(graph), "draw fewer of them"))
    positions = dict(enumerate(places)) if places is not None else _layout(graph)
    size = max(14.0, min(70.0, 5000 / len(graph)))
    labels = nx.get_node_attributes(graph, "label")
    with mpl.rc_context({"font.family": FONT, "font.size": 9}):
        figure = Figure(figsize=(6.4, 4.6), layout="constrained")
        axes = figure.subplots()
        for same, color, style in ((True, INK, "solid"), (False, "#8a8a8a", "dashed")):
            pairs = [(one, other) for one, other in graph.edges if (labels[one] == labels[other]) == same]
            nx.draw_networkx_edges(graph, positions, pairs, ax=axes, edge_color=color, style=style, width=1.1)
        mixed = [node for node, value in graph.nodes(data="uncertainty") if value]
        if mixed:
            nx.draw_networkx_nodes(
                graph,
                positions,
                mixed,
                ax=axes,
                node_size=2.6 * size,
                node_color="white",
                edgecolors=INK,
                linewidths=0.7,
            )
        for place, label in enumerate(classes):
            nodes = [node for node in graph if labels[node] == label]
            drawn = nx.draw_networkx_nodes(
                graph, positions, nodes, ax=axes, node_size=size, node_color=SERIES_COLORS[place % len(SERIES_COLORS)],
                node_shape=SERIES_SHAPES[place % len(SERIES_SHAPES)], label=f"class {label}",
            )  # fmt: skip
            drawn.set_zorder(3)
        axes.set_axis_off()
        if places is not None:
            axes.set_aspect("equal", adjustable="datalim")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8.5)
        figure.suptitle(title, fontsize=10.5)
    broken = sum(labels[one] != labels[other] for one, other in graph.edges)
    text = f"{len(graph)} points, {graph.number_of_edges()} edges, {broken} of them between classes."
    return PlotFigure(figure, title, text)


def _layout(graph: nx.Graph[int]) -> dict[int, tuple[float, float]]:
    """Return places that show what is joined, the same each time: each component by itself, packed in rows."""
    import networkx as nx

    parts = sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part))
    wide = [float(len(part) - 1) ** 0.5 for part in parts]  # of about one area for each point
    across = 1.2 * sum((side + _APART) ** 2 for side in wide) ** 0.5
    found: dict[int, tuple[float, float]] = {}
    left = top = height = 0.0
    for part, side in zip(parts, wide, strict=True):
        if left and left + side > across:
            left, top, height = 0.0, top - height - _APART, 0.0
        height = max(height, side)
        for node, (x, y) in _alone(graph.subgraph(part)).items():  # between -1 and 1
            found[node] = (left + side * (1 + x) / 2, top - side * (1 - y) / 2)
        left += side + _APART
    return found


def _alone(part: nx.Graph[int]) -> dict[int, tuple[float, float]]:
    """Return places for a connected graph, between -1 and 1."""
    import networkx as nx

    small = len(part) <= 300
    found = nx.kamada_kawai_layout(part) if small else nx.spring_layout(part, seed=0)
    return {node: (float(x), float(y)) for node, (x, y) in found.items()}
