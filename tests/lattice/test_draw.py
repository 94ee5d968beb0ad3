"""The drawing through its SVG: what is in it, that it repeats, how it is saved; and where nodes go."""

import itertools
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import matplotlib as mpl
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib import font_manager
from matplotlib.figure import Figure

from fstheory import SubsetTable
from fstheory.lattice import figure, layout
from fstheory.lattice.draw import draw_lattice
from fstheory.lattice.figure import PlotFigure
from fstheory.lattice.graph import (
    Place,
    Spread,
    View,
    heights_by_value,
    is_logarithmic,
    lattice_positions,
    merge_ties,
    step,
)
from fstheory.lattice.layout import axis_ticks, format_value, round_ticks, shorten_names, value_texts
from fstheory.lattice.series import Panel, Point, Series, draw_arcs, draw_curves, draw_phases, spread
from fstheory.lattice.subsets import format_subset
from tests.lattice.examples import lattice, risks

plot = SubsetTable.plot

FEATURES = ("sex", "age", "class")
ONE_RELEVANT = risks(3, 3, [1], features=FEATURES)
SVG = "{http://www.w3.org/2000/svg}"
TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"


def texts(drawing: PlotFigure) -> list[str]:
    root = ET.fromstring(drawing.to_svg())
    return ["".join(node.itertext()).strip() for node in root.iter(f"{SVG}text")]


def ids(drawing: PlotFigure, kind: str) -> list[str]:
    return re.findall(rf'id="({kind}-[^"]*)"', drawing.to_svg())


@settings(max_examples=4, deadline=None)
@given(st.dictionaries(st.integers(0, 31), st.fractions(min_value=0, max_value=1, max_denominator=5), min_size=1))
def test_edges_are_the_covers_between_held_subsets(values: dict[int, Fraction]) -> None:
    expected: Counter[str] = Counter()
    for small, less in values.items():
        for large, more in values.items():
            if small & large == small and (large - small).bit_count() == 1:
                kind = "tie" if less == more else "rise" if less > more else "fall"
                expected[f"edge-{kind}-{small}-{large}"] += 1
    drawing = plot(lattice(values))
    assert Counter(ids(drawing, "edge")) == expected
    assert sorted(ids(drawing, "node")) == sorted(f"node-{mask}" for mask in values)


@pytest.mark.thorough
def test_by_risk_the_subsets_that_ties_join_are_one_node() -> None:
    """X3 never matters, so it doubles every node; one node holds what is between X2 and all four features."""
    values = {mask: Fraction(4 - 3 * (mask >> 1 & 1) - (mask & 3 == 1), 4) for mask in range(16)}
    drawing = plot(lattice(values), view="risk", best={"X2"}, path=[{"X1"}, {"X1", "X2"}, {"X2"}])
    assert sorted(ids(drawing, "node")) == ["node-0-4-8-12", "node-1-5-9-13", "node-2-3-6-10-7-11-14-15"]
    assert ids(drawing, "edge") == ["edge-rise-0-1", "edge-rise-1-2"]  # from {} to X2 there is a longer way
    assert ids(drawing, "step") == ["step-1-2"]
    assert {"X2", "and 7 larger", "and 3 larger", "S* (minimal-optimal) = X2"} <= set(texts(drawing))
    assert not {"X1X2", "removing the feature leaves R the same"} & set(texts(drawing))


@pytest.mark.thorough
def test_by_risk_many_values_stand_in_columns_by_size() -> None:
    columns = plot(risks(6, 2), view="risk")
    assert {f"|S| = {k}" for k in range(7)} <= set(texts(columns))
    assert len(ids(columns, "node")) > 32


def overflowing(drawing: PlotFigure, dpi: float) -> list[str]:
    """Return the texts that leave the picture when it is drawn with so many pixels to the inch."""
    drawing.figure.set_dpi(dpi)
    drawing.to_png(dpi)
    frame = drawing.figure.bbox
    boxes = {text.get_text(): text.get_window_extent() for text in drawing.figure.axes[0].texts}
    return [text for text, box in boxes.items() if min(box.x0, box.y0, frame.x1 - box.x1, frame.y1 - box.y1) < 2]


@pytest.mark.parametrize("n", [1, *(pytest.param(n, marks=pytest.mark.thorough) for n in (2, 5))])
def test_the_legend_stays_inside_and_below_the_lattice(n: int) -> None:
    features = [f"a rather long name {i}" for i in range(n)]
    for view in ("size", "risk"):
        drawing = plot(risks(n, 1, features=features), view=view, best=features, optimal=[features[:1]])
        assert [overflowing(drawing, dpi) for dpi in (72, 200)] == [[], []]
    assert plot(risks(2, 1)).figure.get_size_inches()[0] < 4


def test_the_rows_of_the_legend_follow_each_other_below_the_lattice() -> None:
    name = "a rather long name"
    drawing = plot(risks(1, 1, features=[name]), best=[name])
    *above, first, second = (text.get_position()[1] for text in drawing.figure.axes[0].texts)
    assert min(above) > first > second


@pytest.mark.thorough(3)
def test_names_and_values_are_written_up_to_five_features() -> None:
    for n in (0, 5):
        table = risks(n, 1, range(n // 2))
        written = Counter(texts(plot(table)))
        assert all(written[format_subset(mask, table.features)] == 1 for mask in table.masks.tolist())
        shown = Counter(f"{value}" for value in table.values())
        assert all(written[text] >= count for text, count in shown.items())
    wide = risks(5, 1, (0, 2), features=[letter * 24 for letter in "abcde"])
    assert sum(text.startswith("{") for text in texts(plot(wide))) == 7  # too wide: none, one and all features


@pytest.mark.thorough(2)
def test_of_seven_features_the_marked_subsets_are_named() -> None:
    six = risks(6, 1, (0, 2))
    assert {format_subset(mask, six.features) for mask in six.masks.tolist()} <= set(texts(plot(six)))
    features = [f"f{i}" for i in "abcdefg"]
    table = risks(7, 1, (0, 2), features=features)
    seven = plot(table, best={"fa", "fc"}, path=[{"fa", "fb"}, {"fa"}])
    named = {text for text in texts(seven) if text.startswith("{")}
    assert named == {"{}", *(f"{{{name}}}" for name in features), "{fa, fb}", "{fa, fc}", "{fa, fb, fc,"}
    assert len(ids(seven, "node")) == 128  # the largest table
    written = Counter(texts(plot(risks(6, 1, (0, 2), features=features[:6]), labels="codes")))
    assert all(written[str(k + 1)] == 32 for k in range(6))
    assert "1 = fa, 2 = fb" in " ".join(written)


def test_a_part_of_the_graph_is_drawn() -> None:
    """Features common to all nodes are written once, and names are text and not markup."""
    graph = ONE_RELEVANT.to_networkx(optimal=[{"age"}])
    part = graph.subgraph([subset for subset in graph if "age" in subset])
    assert [draw_lattice(part, view=view).title.count("4 of the 8 subsets") for view in ("size", "risk")] == [1, 1]
    assert len(ids(draw_lattice(part), "node")) == 4
    full = 2**30 - 1
    table = lattice({full & ~low: Fraction(low.bit_count(), 7) for low in range(8)}, [f"v{i}v" for i in range(30)])
    written = texts(plot(table))
    assert "C" in written
    assert sum("v29v" in text for text in written) == 1
    table = lattice({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 2), 3: Fraction(0)}, ["$x_1$ <b>", "a&b\nc"])
    assert {"{$x_1$ <b>}", "{a&b c}"} <= set(texts(plot(table, title="")))


@pytest.mark.thorough
def test_marks_and_legend_appear_only_when_asked_for() -> None:
    """The only subset of its size is not flagged as optimal; a flag is a border and a filled corner."""

    def flags(*subsets: set[str]) -> int:
        svg = plot(ONE_RELEVANT, optimal=subsets).to_svg().lower()
        return min(svg.count(f"{part}: #0072b2") for part in ("stroke", "fill"))

    assert flags(set(), set(FEATURES)) == 0
    assert flags(set(), {"age"}, set(FEATURES)) == flags({"age"}) > 0
    plain = plot(ONE_RELEVANT)
    assert not ids(plain, "step")
    assert {patch.get_linewidth() for patch in plain.figure.axes[0].patches} == {0.8, 2.2}  # points: boxes and arrows
    assert not any("S*" in text or "path" in text or "optimal" in text for text in texts(plain))
    path = [set(FEATURES), {"age", "class"}, {"age"}]
    drawing = plot(ONE_RELEVANT, best={"age"}, path=path, optimal=[{"age"}, {"sex", "age"}])
    assert ids(drawing, "step") == ["step-7-6", "step-6-2"]
    assert {"S* (minimal-optimal)", "path of the search", "optimal for its size"} <= set(texts(drawing))
    assert not any("raises" in text for text in texts(plot(lattice(dict.fromkeys(range(4), Fraction(1, 2))))))
    assert "removing the feature lowers R" in texts(plot(lattice({0: Fraction(0), 1: Fraction(1, 2)})))


def test_values_spread_over_orders_of_magnitude_get_a_logarithmic_axis() -> None:
    table = lattice({mask: Fraction(8 ** (mask ^ 7)) - 1 for mask in range(8)})
    written = texts(plot(table, view="risk"))
    assert any("logarithmic" in text for text in written)
    assert "0" in written
    assert not any("logarithmic" in text for text in texts(plot(table, view="risk", scale="linear")))
    assert ids(plot(lattice(dict.fromkeys(range(4), Fraction(0))), view="risk", scale="log"), "node")


def test_the_same_drawing_has_the_same_bytes_and_says_what_it_shows() -> None:
    """Also on axes of the caller, whose letters shrink with the picture."""

    def draw() -> PlotFigure:
        left, right = Figure(figsize=(8, 3)).subplots(1, 2)
        left.plot([1, 2, 3], marker="o")  # markers and clipping have numbers that matplotlib salts
        drawing = plot(ONE_RELEVANT, best={"age"}, ax=right)
        assert drawing.figure is right.figure
        assert max(text.get_fontsize() for text in right.texts) < 9
        return drawing

    one, other = draw(), draw()
    assert one.to_svg() == other.to_svg() == one._repr_svg_()
    assert one.to_png() == other.to_png()
    assert "<dc:date>" not in one.to_svg()
    root = ET.fromstring(one.to_svg())
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Bayes risk R(S) of the subsets S of {sex, age, class}"
    description = root.findtext(f"{SVG}desc") or ""
    assert all(part in description for part in ("8 subsets with 12 edges", "Minimal-optimal: {age}."))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("view", get_args(View))
def test_the_order_of_nodes_and_edges_does_not_matter(view: View) -> None:
    """The nodes of a subgraph of networkx have another order in each process."""
    graph = risks(3, 1).to_networkx(best={"X1", "X2"}, optimal=[{"X1"}, {"X2"}])
    turned: Any = nx.DiGraph(**graph.graph)
    turned.add_nodes_from(reversed(list(graph.nodes(data=True))))
    turned.add_edges_from(reversed(list(graph.edges(data=True))))
    for width in (None, 3.5):
        one, other = (draw_lattice(each, view=view, width=width) for each in (graph, turned))
        assert one.to_svg() == other.to_svg()
    assert lattice_positions(turned, view=view) == lattice_positions(graph, view=view)


@pytest.mark.thorough
def test_no_window_is_opened_and_nothing_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys; import fstheory.lattice\n"
        "assert not {'matplotlib', 'networkx'} & set(sys.modules)\n"
        "from fstheory import SubsetTable\n"
        "d = SubsetTable.from_mapping({(): '1/2', ('a',): 0}, features=['a']).plot(view='risk')\n"
        "d.to_svg(); d.to_png()\n"
        "import matplotlib.pyplot as plt; assert plt.get_fignums() == []\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".PNG", b"\x89PNG"), (".pdf", b"%PDF"), (".jpg", b"\xff\xd8")]
)
def test_the_suffix_says_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"lattice{suffix}"
    plot(ONE_RELEVANT).save(target)
    assert target.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [target]


# Texts of values: exact where short, else rounded and marked.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-1, 3), "-1/3"),
        (Fraction(711, 2201), "711/2201"),
        (Fraction(123450001, 10**9), "≈0.1235"),
        (Fraction(12345, 10**8), "≈0.0001234"),  # half to even
        (Fraction(1, 10**12), f"1{TIMES}10⁻¹²"),
        (Fraction(10**30 + 1), f"≈1.000{TIMES}10³⁰"),
        (-Fraction(1, 3**40), f"≈{MINUS}8.225{TIMES}10⁻²⁰"),
        (Fraction(1, 10**6000 + 1), f"≈1.000{TIMES}10⁻⁶⁰⁰⁰"),
    ],
)
def test_text_of_a_value(value: Fraction, text: str) -> None:
    assert format_value(value) == text


@given(st.lists(st.fractions(), min_size=2, max_size=9, unique=True))
def test_texts_differ_unmarked_ones_are_exact_and_ticks_are_few_round_and_inside(values: list[Fraction]) -> None:
    for value in values:
        text = format_value(value)
        assert "≈" in text or TIMES in text or Fraction(text.replace(MINUS, "-")) == value
    assert len(set(value_texts(values)[0])) == len(values)
    ticks = round_ticks(low := min(values), high := max(values))
    assert 1 <= len(ticks) <= 9
    assert all(low <= value <= high for value, _ in ticks)
    assert len({text for _, text in ticks}) == len(ticks)


def test_ticks_of_a_linear_and_of_a_logarithmic_axis() -> None:
    assert [text for _, text in round_ticks(Fraction(0), Fraction(1, 10))] == [
        "0",
        *(f"0.0{k}" for k in (2, 4, 6, 8)),
        "0.10",
    ]
    powers = [text for _, text in axis_ticks([Fraction(1, 10**5000 + 1), Fraction(1)], 1.0, True)]
    assert (powers[0], powers[-1]) == ("10⁻⁵⁰⁰⁰", "10⁻⁵⁵²")


class FontsOfMatplotlib:
    """The fonts that come with matplotlib, without those of the machine."""

    def __init__(self, manager: Any) -> None:
        self.manager, folder = manager, mpl.get_data_path()
        self.ttflist = [entry for entry in manager.ttflist if entry.fname.startswith(folder)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.manager, name)


@pytest.mark.thorough
def test_letters_that_the_font_lacks_are_taken_from_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a placeholder is drawn, and one warning names the letters. A font of matplotlib stands for a Chinese one."""
    caches = (figure.fonts_of, figure._installed, figure._width)
    monkeypatch.setattr(figure, "_FALLBACKS", ("no such font", "STIXGeneral"))
    monkeypatch.setattr(font_manager, "fontManager", FontsOfMatplotlib(font_manager.fontManager))
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [__file__])
    for cache in caches:
        cache.cache_clear()
    try:
        assert figure.fonts_of("a\N{HIRAGANA LETTER NO}\n\ufe0f") == (["DejaVu Sans", "STIXGeneral"], frozenset())
        names = ["\N{HIRAGANA LETTER NO}" * 4, "age", "class"]
        table = risks(3, 3, [1], features=names)
        for drawing in (plot(table), draw_arcs(nx.DiGraph([(names[0], "age")]), names[0])):
            assert drawing.to_png(50).startswith(b"\x89PNG")
        assert figure.measure(names[0], 10)[0] > figure.measure("aaaa", 10)[0]
        monkeypatch.setattr(figure, "_FALLBACKS", ())  # then any other font that has the letter
        figure._installed.cache_clear()
        assert figure.fonts_of("\N{HIRAGANA LETTER NO} ")[0] == ["DejaVu Sans", "STIXGeneral"]
        lacking = plot(risks(2, 3, [1], features=["\U000f475c", "\N{CJK UNIFIED IDEOGRAPH-5E74}"]))
        with pytest.warns(
            UserWarning, match=r"^the drawing shows boxes for \u5e74, \\U000f475c, which no font"
        ) as warned:
            lacking.to_png(50)
        assert len(warned) == 1
        assert "\N{CJK UNIFIED IDEOGRAPH-5E74}" in lacking.to_svg()
    finally:
        for cache in caches:
            cache.cache_clear()


def test_long_names_lose_their_middle_unless_they_would_meet() -> None:
    twins = ("x" * 20 + "1" + "x" * 20, "x" * 20 + "2" + "x" * 20)
    assert [shorten_names(("a" * 40, "b")), shorten_names(twins)] == [(f"{'a' * 12}…{'a' * 11}", "b"), twins]


# Where nodes go: no overlaps, the promised order, heights that keep the order of the values.

some_values = st.dictionaries(st.integers(0, 127), st.integers(0, 6).map(Fraction), min_size=1, max_size=40)


def overlapping(places: Mapping[Any, Place], boxes: Mapping[Any, Place], gap: float) -> list[tuple[Any, Any]]:
    """List the pairs of boxes that come closer than `gap`, literally."""
    pairs = []
    for one, other in itertools.combinations(places, 2):
        apart = [abs(places[one][i] - places[other][i]) - (boxes[one][i] + boxes[other][i]) / 2 for i in (0, 1)]
        if max(apart) < gap - 1e-9:
            pairs.append((one, other))
    return pairs


@given(some_values)
def test_boxes_do_not_overlap_and_stand_in_order(values: dict[int, Fraction]) -> None:
    """By size, levels are in lexicographic order and centered; by value, many subsets stand in columns by size."""
    table = lattice(values, map(str, range(7)))
    boxes = {subset: (0.3 + 0.2 * len(subset), 0.2 + 0.05 * len(subset)) for subset in table}
    by_size, by_risk = (lattice_positions(table.to_networkx(), view=v, boxes=boxes, gap=0.15) for v in get_args(View))
    assert overlapping(by_size, boxes, 0.15) == []
    assert overlapping(by_risk, boxes, 0.15 if len(table) <= 32 else 0.04) == []
    assert [y for _, y in by_size.values()] == sorted(y for _, y in by_size.values())
    assert [table[s] for s in sorted(table, key=lambda s: by_risk[s][1])] == sorted(table.values())
    right = -math.inf
    for _, part in table.by_size():
        level = [by_size[subset] for subset in part]  # a table iterates in lexicographic order
        assert level == sorted(level)
        assert len({y for _, y in level}) == 1
        assert abs(level[0][0] + level[-1][0]) < 1e-9
        if len(table) > 32:
            assert min(by_risk[s][0] - boxes[s][0] / 2 for s in part) >= right + 0.5 - 1e-9
            right = max(by_risk[s][0] + boxes[s][0] / 2 for s in part)


def test_risk_view_does_not_hide_an_edge_that_can_be_seen() -> None:
    heights, boxes = np.array([3.0, 2.0, 1.0, 0.0]), np.full((4, 2), 0.4)
    chain, square = np.array([(0, 1), (1, 2), (2, 3)]), np.array([(0, 1), (0, 2), (1, 3), (2, 3)])
    assert Spread(heights, np.zeros(4), boxes, chain, 0.1).x.tolist() == [0, 0, 0, 0]  # hides nothing
    x = Spread(heights, np.zeros(4), boxes, square, 0.1).x
    assert abs(x[1] - x[2]) > 0.4  # the edges {}-X2 and X1-X1X2 would else run behind boxes


@given(st.lists(st.fractions(min_value=0), min_size=1, max_size=30))
def test_heights_are_exact_proportions_or_of_logarithms_that_keep_the_order(values: list[Fraction]) -> None:
    low, high = min(values), max(values)
    proportions = [float((value - low) / (high - low)) if high > low else 0 for value in values]
    assert heights_by_value(values).tolist() == proportions
    heights = heights_by_value(values, logarithmic=True)
    assert ((heights >= 0) & (heights <= 1 + 1e-9)).all()
    ordered = [height for _, height in sorted(zip(values, heights.tolist(), strict=True))]
    assert ordered == sorted(ordered)


def test_narrow_and_huge_values() -> None:
    close = [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20), Fraction(0)]
    assert heights_by_value(close, logarithmic=True).tolist() == [0.1, 1.0, 0.0]
    far = [Fraction(1, 10**2000), Fraction(1), Fraction(10**2000)]
    assert heights_by_value(far, logarithmic=True).round(9).tolist() == [0.0, 0.5, 1.0]
    assert heights_by_value([Fraction(0), Fraction(1, 2)], logarithmic=True).tolist() == [0.0, 1.0]
    assert is_logarithmic([Fraction(0), Fraction(1, 2000), Fraction(1)], "auto")
    for low, least in ((0, Fraction(1, 999)), (-1, Fraction(1, 2000)), (0, Fraction(0))):
        assert not is_logarithmic([Fraction(low), least, Fraction(least > 0)], "auto")


@given(some_values)
def test_groups_are_what_ties_join_and_lost_edges_can_be_walked(values: dict[int, Fraction]) -> None:
    by_subset = lattice(values, map(str, range(7)))
    graph = by_subset.to_networkx()
    merged = merge_ties(graph)
    groups = {head: node["members"] for head, node in merged.nodes(data=True)}
    ties = nx.Graph((small, large) for small, large in graph.edges if by_subset[small] == by_subset[large])
    ties.add_nodes_from(graph)
    assert set(map(frozenset, groups.values())) == set(map(frozenset, nx.connected_components(ties)))
    node = {subset: head for head, group in groups.items() for subset in group}
    wanted = {(node[s], node[t]) for s, t in graph.edges if node[s] != node[t]}
    assert set(merged.edges) <= wanted
    rising = nx.DiGraph(edge for edge in merged.edges if step(merged, *edge) > 0)
    assert all(nx.has_path(rising, *edge) for edge in wanted - set(merged.edges))  # what is left out can be walked


def test_positions_serve_the_functions_of_networkx() -> None:
    graph = risks(4, 1).to_networkx()
    for view in get_args(View):
        places = lattice_positions(graph, view=view)
        nx.draw_networkx(graph, places, ax=Figure().add_subplot(), with_labels=False)
        assert overlapping(places, dict.fromkeys(graph, (0.7, 0.35)), 0.1) == []


# Phase diagrams: each line bears its name.


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=8).map(sorted), st.integers(1, 4), st.data())
def test_names_beside_lines_are_apart_and_no_other_places_are_nearer(wished: list[int], gap: int, data: Any) -> None:
    places = spread(wished, gap)
    assert all(high - low >= gap - 1e-9 for low, high in itertools.pairwise(places))

    def distance(found: list[float]) -> float:
        return sum((place - wish) ** 2 for place, wish in zip(found, wished, strict=True))

    start = data.draw(st.integers(-40, 9))
    others = list(itertools.accumulate(data.draw(st.integers(gap, 9)) for _ in wished[1:]))
    assert distance(places) <= distance([start, *(start + other for other in others)]) + 1e-6


def test_each_line_of_a_phase_diagram_bears_its_name_twice() -> None:
    names = ["{}", "X1", "X2", "X1X2"]
    drawn = draw_phases(names, {0.0: [4, 3, 2, 1], 1.0: [2, 2, 1, 1]}, [0, 0.5, 1], [[3, 2, 1, 0], [1, 1, 0, 0]], "t")
    for axes in drawn.figure.axes:
        assert Counter(text.get_text() for text in axes.texts) == Counter(names)
        boxes = [text.get_window_extent() for text in axes.texts]
        boxes = [text.get_window_extent() for text in axes.texts]
        assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
        frame = axes.get_window_extent().padded(boxes[0].height)
        assert all(frame.y0 < box.y0 and box.y1 < frame.y1 for box in boxes)


@pytest.mark.parametrize(
    ("n", "shown", "rest"), [(3, 3, "and 4 larger"), (4, 4, "and 11 larger"), (5, 3, "and 28 more")]
)
def test_a_node_of_many_subsets_lists_up_to_four_minimal_ones(n: int, shown: int, rest: str) -> None:
    names = [f"X{i}" for i in range(1, n + 1)]
    lines = layout._listed(range(1, 2**n), 0, names, 40).splitlines()
    assert lines == [*names[:shown], rest]


def test_fills_are_as_dark_as_the_values_are_large() -> None:
    assert [figure.shade(rank, 3) for rank in range(3)] == ["#ffffff", "#c4d6e8", "#88acd0"]
    assert figure.shade(0, 1) == "#ffffff"


def test_a_legend_of_long_names_is_no_wider_than_the_figure() -> None:
    names = ["a", *(f"a name as long as this is, number {i}" for i in range(4))]
    drawn = draw_curves([[Panel("m", "risk", [Series(name, [Point(1, 0.5)]) for name in names])]], title="risks").figure
    assert drawn.legends[0].get_window_extent().width <= drawn.bbox.width
