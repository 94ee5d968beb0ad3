"""The lines of edges in drawings: none crosses a box that is not at one of its ends, and no two boxes overlap."""

import itertools
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

from fstheory import SubsetTable, bayes_risks, gallery
from fstheory.lattice import routes
from fstheory.lattice.figure import PlotFigure
from fstheory.lattice.graph import View, drawn_values
from fstheory.lattice.layout import lay_out
from fstheory.lattice.routes import crossed, route_edges
from tests.lattice.examples import lattice

Reals = npt.NDArray[np.float64]
VIEWS: tuple[View, ...] = ("size", "risk")
SAMPLES = np.linspace(0.0, 1.0, 300)[:, None]
PIXEL = 0.5


def drawn(drawing: PlotFigure) -> tuple[dict[frozenset[str], Reals], dict[tuple[frozenset[str], ...], Reals]]:
    """Return the boxes and the lines of a drawing in pixels, by the bitmasks of their subsets."""
    drawing.figure.draw_without_rendering()
    boxes: dict[frozenset[str], Reals] = {}
    lines: dict[tuple[frozenset[str], ...], Reals] = {}
    axes = drawing.figure.axes[0]
    nodes: list[Any] = [*axes.collections]
    for node in nodes:
        kind, *masks = (node.get_gid() or "none").split("-")
        if kind == "node":
            assert len(node.get_sizes()) == 0  # the transform alone makes the size
            (center,) = node.get_offset_transform().transform(node.get_offsets())
            shape = node.get_transform().transform_path(node.get_paths()[0])
            boxes[frozenset(masks)] = shape.get_extents().get_points() + center
    for patch in axes.patches:
        kind, *masks = (patch.get_gid() or "none").split("-")
        if kind == "edge":
            path = patch.get_transform().transform_path(patch.get_path())
            lines[frozenset(masks[1:2]), frozenset(masks[2:])] = np.asarray(path.vertices)
    return boxes, lines


def crossings(drawing: PlotFigure) -> list[tuple[object, object]]:
    """Return the edges with a box that they cross, and the pairs of boxes that overlap."""
    boxes, lines = drawn(drawing)
    assert boxes
    found: list[tuple[object, object]] = []
    for ends, corners in lines.items():
        points = np.concatenate([one + SAMPLES * (other - one) for one, other in itertools.pairwise(corners)])
        for masks, (low, high) in boxes.items():
            inside = ((points > low + PIXEL) & (points < high - PIXEL)).all(axis=1).any()
            if inside and not any(end <= masks for end in ends):
                found.append((ends, masks))
    for (one, (low, high)), (other, (start, stop)) in itertools.combinations(boxes.items(), 2):
        if (np.minimum(high, stop) - np.maximum(low, start) > PIXEL).all():
            found.append((one, other))
    return found


def random_table(n: int, seed: int) -> SubsetTable[Fraction]:
    """Return a table of few or many different values, with names of 1 to 30 letters."""
    draw = random.Random(1000 * n + seed)
    most = draw.choice([1, 2, 3, 8, 1000])
    letters = draw.choice([1, 4, 12, 30])
    names = [(chr(97 + i) * letters)[:letters] for i in range(n)]
    levels = [Fraction(draw.randint(0, most), 1000) for _ in range(2**n)]
    if draw.random() < 0.5:  # supersets are worth no more, as with risks
        levels = [min(levels[m] for m in range(2**n) if m & mask == m) for mask in range(2**n)]
    return lattice(dict(enumerate(levels)), names)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_no_edge_crosses_the_box_of_another_subset(n: int, view: View) -> None:
    for seed in range(3):
        labels = "values" if seed % 2 else "auto"
        assert crossings(random_table(n, seed).plot(view=view, labels=labels)) == [], seed


@pytest.mark.thorough(2)
@pytest.mark.parametrize("view", VIEWS)
def test_no_edge_crosses_a_box_of_six_features_and_of_the_gallery(view: View) -> None:
    for seed in range(2):
        assert crossings(random_table(6, seed).plot(view=view)) == []
    for name in gallery.names():
        distribution = gallery.load(name)
        if len(distribution.features) <= 5:
            assert crossings(bayes_risks(distribution).plot(view=view)) == [], name


@pytest.mark.parametrize("view", VIEWS)
def test_networkx_draws_all_nodes_edges_and_labels(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines join the centers of the boxes, also if the figure is given another size later."""
    table, path = bayes_risks(gallery.titanic()), [{"class", "sex", "age"}, {"class", "sex"}]
    scene = lay_out(table.to_networkx(path=path), view, "auto", "auto")
    calls: dict[str, list[Any]] = {"draw_networkx_nodes": [], "draw_networkx_edges": [], "draw_networkx_labels": []}

    def watch(name: str, function: Callable[..., Any]) -> None:
        def call(graph: Any, places: Any, items: Any, **look: Any) -> Any:
            calls[name] += items if len(graph) == len(scene.drawn) else []  # the legend has graphs of its own
            return function(graph, places, items, **look)

        monkeypatch.setattr(nx, name, call)

    for name in calls:
        watch(name, getattr(nx, name))
    drawing = table.plot(view=view, path=path)
    assert Counter(calls["draw_networkx_nodes"]) == Counter(list(scene.drawn))
    assert Counter(calls["draw_networkx_edges"]) == Counter([*scene.drawn.edges, *itertools.pairwise(scene.path)])
    assert Counter(calls["draw_networkx_labels"]) == Counter(list(scene.drawn))
    for wide in (4.0, 11.0):
        drawing.figure.set_size_inches(wide, 5.0)
        boxes, lines = drawn(drawing)
        for ends, corners in lines.items():
            for end, corner in zip(ends, (corners[0], corners[-1]), strict=True):
                (box,) = [box for masks, box in boxes.items() if end <= masks]
                assert np.allclose(box.mean(axis=0), corner)
        inches = np.ptp(boxes[frozenset("7")], axis=0) / drawing.figure.axes[0].transData.get_matrix()[0, 0]
        assert np.allclose(inches, scene.boxes[frozenset(table.features)])


def test_the_titanic_by_risk_has_no_hidden_edge_and_keeps_the_exact_order() -> None:
    risks = bayes_risks(gallery.titanic())
    path = [{"class", "sex", "age"}, {"class", "sex"}, {"sex"}]
    drawing = risks.plot(view="risk", best={"class", "sex", "age"}, path=path)
    assert crossings(drawing) == []
    boxes, _ = drawn(drawing)
    values = drawn_values(risks.to_networkx())
    heights = {masks: (low[1] + high[1]) / 2 for masks, (low, high) in boxes.items()}
    ordered = sorted(boxes, key=heights.__getitem__)
    assert [risks.value_at(int(min(masks))) for masks in ordered] == sorted({*values.values()})


def test_a_route_is_straight_where_nothing_is_in_its_way_and_keeps_its_ends() -> None:
    draw = random.Random(7)
    for _ in range(3):
        columns = list(itertools.product(range(5), repeat=2))
        places = {place: (1.0 * place[0] + draw.random() / 4, 0.5 * place[1] + draw.random() / 8) for place in columns}
        boxes = {place: (draw.uniform(0.1, 0.7), draw.uniform(0.1, 0.35)) for place in columns}
        edges = [(one, other) for one, other in itertools.combinations(columns, 2) if draw.random() < 0.2]
        for (one, other), route in route_edges(edges, places, boxes).items():
            assert (route[0], route[-1]) == (places[one], places[other])
            start, stop = np.array(route[:-1])[:, None], np.array(route[1:])[:, None]
            points = (start + SAMPLES * (stop - start)).reshape(-1, 2)
            straight = np.array(route[0]) + SAMPLES * (np.array(route[-1]) - route[0])
            near = [place for place in columns if place not in {one, other}]
            inside = {
                place: [bool((abs(line - places[place]) < np.array(boxes[place]) / 2).all(axis=1).any()) for line in
                        (points, straight)]
                for place in near
            }  # fmt: skip
            assert not any(bent for bent, _ in inside.values())
            assert len(route) > 2 or not any(direct for _, direct in inside.values())


def test_what_is_between_a_node_and_each_corner_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 80 edges, 26 have bends: fewer nodes than ends of these edges are looked from."""
    calls = Counter[str]()
    monkeypatch.setattr(routes, "crossed", lambda *given: calls.update(["crossed"]) or crossed(*given))
    bayes_risks(gallery.random((2,) * 5, rng=1)).plot()
    assert 4 * 32 < calls["crossed"] <= 1 + 5 * 32
