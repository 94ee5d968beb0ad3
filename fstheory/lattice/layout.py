"""Layouts of the graph of a lattice: the texts of its nodes, the ticks of its axis, and their places in inches."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import textwrap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import decimal_text, to_text
from fstheory.errors import TooLargeError, import_optional, require, require_choice
from fstheory.lattice.figure import measure
from fstheory.lattice.graph import (
    MOST_SPREAD,
    Lattice,
    Place,
    Scale,
    View,
    drawn_values,
    heights_by_value,
    in_order,
    is_logarithmic,
    lattice_positions,
    marked,
    merge_ties,
)
from fstheory.lattice.routes import Route, route_edges
from fstheory.lattice.subsets import format_subset, indices_of, mask_of, minimal_masks

Node: TypeAlias = frozenset[str]


# -- The texts of nodes and axes.


LabelMode: TypeAlias = Literal["values", "names", "marked", "codes", "none"]
"""The texts in nodes: names with values, names, names with values for few subsets, numbers of features, or no text."""

_LONGEST_NAME = 24
_MANY_COMMON = 4
_FEW = 2  # a node of at most this many subsets lists all of them
_MOST_MINIMAL = 4  # a node of more lists at most this many of its minimal subsets
_AND = "C \N{UNION} "
_LINE = 12  # characters a line of a label may have before it is broken
_POINTS: dict[LabelMode, float] = {"values": 9.0, "names": 7.0, "marked": 8.0, "codes": 6.0, "none": 6.0}
_PAPER_POINTS = 8.0  # letters of a drawing for a column or a page
_SHORT = 9  # the longest text of a fraction that is not rounded: 1234/2201
_MOST_DIGITS = 9
_EXACT = Context(prec=10**6, Emax=10**15, Emin=-(10**15))
TIGHT = "\N{NO-BREAK SPACE}"  # a line is not broken at this space
_MINUS, _TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Labels(NamedTuple):
    """The texts of the nodes, their size in points, and the facts about them that the legend must explain.

    `digits` is the number of significant digits of rounded values (0 if no value is rounded). `key` says which feature
    each number stands for. `common` holds the features that all nodes contain and that the labels call C.
    """

    mode: LabelMode
    points: float
    texts: dict[Node, str]
    digits: int = 0
    key: tuple[str, ...] = ()
    common: str = ""


def label_nodes(
    graph: Lattice,
    mode: LabelMode,
    members: dict[Node, tuple[Node, ...]],
    labeled: Collection[Node],
    on_paper: bool = False,
) -> Labels:
    """Return the labels of nodes, each of which holds one or more subsets.

    In mode `marked`, only nodes that hold one of the `labeled` subsets get a text. On paper, all letters have the size
    of a caption, and each feature stands on its own line.
    """
    points = _POINTS[mode] - (1.0 if mode == "values" and len(members) > 16 else 0.0)
    points, line = (_PAPER_POINTS, 1) if on_paper else (points, _LINE)
    if mode == "none":
        return Labels(mode, points, dict.fromkeys(members, ""))
    features = graph.graph["features"]
    groups = {node: [mask_of(subset, features) for subset in subsets] for node, subsets in members.items()}
    held = [m for group in groups.values() for m in group]
    common, short = functools.reduce(operator.and_, held), shorten_names(features)
    if common.bit_count() < _MANY_COMMON or len(held) == 1:  # only many repeated features would hide the rest
        common = 0
    called = format_subset(common, short) if common else ""
    named = [str(i + 1) for i in range(len(features))] if mode == "codes" else short
    names = {node: _listed(group, common, named, line) for node, group in groups.items()}
    if mode == "codes":
        for node, (first, *rest) in groups.items():
            if not rest:  # a node of one subset: its numbers stand below one another
                names[node] = "\n".join(named[i] for i in indices_of(first & ~common)) or ("C" if common else "{}")
        used = indices_of(functools.reduce(operator.or_, held, 0) & ~common)
        key = tuple(f"{named[i]} = {features[i]}".replace(" ", TIGHT) for i in used)
        return Labels(mode, points, names, key=key, common=called)
    if mode == "names":
        return Labels(mode, points, names, common=called)
    values = drawn_values(graph)
    texts, digits = value_texts(values[node] for node in members)
    both = {node: f"{names[node]}\n{text}" for node, text in zip(members, texts, strict=True)}
    if mode == "marked":
        both = {node: text if set(members[node]) & set(labeled) else "" for node, text in both.items()}
    return Labels(mode, points, both, digits, common=called)


def shorten_names(features: Sequence[str]) -> tuple[str, ...]:
    """Return the names with the middle of long names left out, unless two names would then look the same."""
    one_line = [" ".join(name.split()) for name in features]
    short = tuple(name if len(name) <= _LONGEST_NAME else f"{name[:12]}…{name[-11:]}" for name in one_line)
    return short if len(set(short)) == len(short) else tuple(features)


def _listed(group: Sequence[int], common: int, features: Sequence[str], line: int) -> str:
    """Return the text of a node: its subsets or, if there are many, the minimal ones and the number of the others."""
    if len(group) <= _FEW:
        return "\n".join(_name(m, common, features, line) for m in group)
    minimal = minimal_masks(np.array(group, dtype=np.int64)).tolist()
    shown = minimal if len(minimal) <= _MOST_MINIMAL else minimal[: _MOST_MINIMAL - 1]
    rest = f"and {len(group) - len(shown)} {'more' if len(shown) < len(minimal) else 'larger'}"
    return "\n".join([*(_name(m, common, features, line) for m in shown), rest])


def _name(subset: int, common: int, features: Sequence[str], line: int) -> str:
    own = subset & ~common
    if not common:
        return _break(format_subset(subset, features), line)
    return _AND + _break(format_subset(own, features), line) if own else "C"


def _break(text: str, line: int) -> str:
    """Break the text of a subset into lines between names: of `line` characters, or of the longest name."""
    if not text.startswith("{"):
        return text
    names = [name.replace(" ", TIGHT) for name in text.split(", ")]
    limit = max(line, *map(len, names)) + 1
    lines = textwrap.wrap(", ".join(names), limit, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(TIGHT, " ")


def format_value(value: Fraction, digits: int = 4) -> str:
    """Return the text of a value: a short fraction exactly, others rounded half to even and marked with ``≈``."""
    exact = to_text(value, 0, _SHORT)
    if not exact.startswith("≈"):
        return exact
    rounded = Decimal(decimal_text(value, digits))
    return ("" if Fraction(rounded) == value else "≈") + _decimal_text(rounded)  # 10**-12 is exact


def value_texts(values: Iterable[Fraction]) -> tuple[list[str], int]:
    """Return texts that differ for different values, and the number of digits of rounded values (0 if none is)."""
    listed, digits = list(values), 4
    texts = [format_value(value, digits) for value in listed]
    while len({text.removeprefix("≈") for text in texts}) < len(set(listed)) and digits < _MOST_DIGITS:
        digits += 1
        texts = [format_value(value, digits) for value in listed]
    # Two values that agree in nine significant digits may share a text. Their shades in the picture still differ.
    return texts, digits if any(text.startswith("≈") for text in texts) else 0


def round_ticks(low: Fraction, high: Fraction) -> list[tuple[Fraction, str]]:
    """Return at most nine ticks of an axis from `low` to `high`, with their texts.

    The ticks are multiples of 1, 2 or 5 times a power of ten. They are exact: the locators of matplotlib compute in
    floats, which cannot hold 10**-5000 or tell 1/3 from 1/3 + 10**-20.
    """
    if low == high:
        return [(low, format_value(low))]
    least = (high - low) / 8
    decade = _decade(least)
    steps = ((width, power) for power in (decade, decade + 1) for width in (1, 2, 5))
    width, power = next((width, power) for width, power in steps if width * Fraction(10) ** power >= least)
    step = width * Fraction(10) ** power
    multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
    # All have the same number of places: 0.15, 0.20.
    decimals = [_EXACT.scaleb(Decimal(width * k), power) for k in multiples]
    if any(map(_is_long, decimals)):
        decimals = [value.normalize(_EXACT) for value in decimals]
    texts = list(map(_decimal_text, decimals))
    if max(map(len, texts), default=0) > 10:  # a narrow range far from zero: its two ends take less room
        return [(low, format_value(low, 6)), (high, format_value(high, 6))]
    return [(step * k, text) for k, text in zip(multiples, texts, strict=True)]


def _power_text(exponent: int) -> str:
    return "10" + str(exponent).translate(_SUPERSCRIPTS)


def _is_long(value: Decimal) -> bool:
    """Return whether a decimal is written with a power of ten."""
    return value != 0 and not -4 <= value.adjusted() <= 5


def _decimal_text(value: Decimal) -> str:
    """Return the text of a decimal: in plain digits, or with a power of ten if these would be long."""
    if value == 0:
        return "0"
    text = f"{value:f}"
    if _is_long(value):
        digits = "".join(map(str, value.as_tuple().digits))
        point = "." if len(digits) > 1 else ""
        text = f"{'-' * (value < 0)}{digits[0]}{point}{digits[1:]}{_TIMES}{_power_text(value.adjusted())}"
    return text.replace("-", _MINUS)


def axis_ticks(values: Collection[Fraction], height: float, logarithmic: bool) -> list[tuple[float, str]]:
    """Return the heights and the texts of the ticks on an axis of values."""
    low, high = min(values), max(values)
    if not logarithmic:
        ticks = round_ticks(low, high)
        # The two ends fix the scale. They are not ticks themselves.
        heights = heights_by_value([low, high, *(tick for tick, _ in ticks)])[2:] * height
        return [(y, text) for y, (_, text) in zip(heights.tolist(), ticks, strict=True)]
    least = min(value for value in values if value > 0)
    powers = range(_decade(least), _decade(high) + 1)
    kept = [k for k in powers if Fraction(10) ** k >= least]
    kept = kept[:: len(kept) // 9 + 1]
    heights = heights_by_value([low, least, high, *(Fraction(10) ** k for k in kept)], logarithmic=True)[3:] * height
    zero = [(0.0, "0")] if low == 0 else []
    return zero + list(zip(heights.tolist(), (_power_text(k) if k else "1" for k in kept), strict=True))


def _decade(value: Fraction) -> int:
    """Return the largest k with 10**k <= value."""
    k = Decimal(decimal_text(value, 2)).adjusted()
    return k if Fraction(10) ** k <= value else k - 1  # rounding may have reached the next power of ten


# -- The layout: the boxes of the nodes, their places, and the lines between them.


MOST_NODES = 128
"""The largest number of subsets in a drawing: all subsets of seven features."""

_WIDEST = 13.0  # inches; a wider picture is drawn again with shorter labels
_MOST_OPTIMAL = 2  # optimal subsets of one size are labeled if there are at most this many
_MOST_SINGLE = 8  # single features are labeled if there are at most this many
# Inches beside and above the text of a box, inches between boxes, and the factor for strokes: finer lines in crowded
# pictures.
ROOM: dict[LabelMode, tuple[float, float, float, float]] = {
    "values": (0.14, 0.09, 0.18, 1.0), "names": (0.10, 0.07, 0.14, 0.8), "marked": (0.12, 0.10, 0.09, 0.45),
    "codes": (0.07, 0.05, 0.17, 0.6), "none": (0.16, 0.16, 0.16, 0.6),
}  # fmt: skip
MARGIN = 0.15  # inches
SIDE_POINTS = 8.0


def check_size(nodes: int) -> None:
    """Refuse a number of subsets that is too large, or 0, for a drawing."""
    most = f"of at most {MOST_NODES} subsets (all of 7 features) to be drawn"
    repair = "restrict it to an interval or to some sizes with table.restrict(...), or read table.ordering()"
    require(nodes <= MOST_NODES, "table", most, nodes, repair, TooLargeError)
    require(nodes, "table", "of at least one subset to be drawn", nodes, "restrict it less")


@dataclass(frozen=True)
class Scene:
    """A graph with the places of its nodes in inches. A node is a subset, or a group of tied subsets.

    `lay_out` makes it. A drawing paints it, and a TikZ picture writes it.
    """

    graph: Lattice
    drawn: Lattice
    members: dict[Node, tuple[Node, ...]]
    view: View
    labels: Labels
    boxes: dict[Node, Place]
    positions: dict[Node, Place]
    logarithmic: bool

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The left, right, bottom and top end of the smallest rectangle that holds all boxes, in inches."""
        centers, half = np.array(list(self.positions.values())), np.array(list(self.boxes.values())) / 2
        (left, bottom), (right, top) = (centers - half).min(axis=0).tolist(), (centers + half).max(axis=0).tolist()
        return left, right, bottom, top

    @property
    def side(self) -> float:
        """The width in inches that the axis of values, or the sizes, take to the left of all nodes."""
        texts = [text for _, text in self.ticks]
        return max(measure(text, SIDE_POINTS)[0] for text in texts) + (0.55 if self.view == "risk" else 0.25)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The heights and the texts on the left: of values, or of sizes."""
        sizes = sorted({(y, f"|S| = {len(node)}") for node, (_, y) in self.positions.items()})
        if self.view == "size":
            return sizes
        return axis_ticks(drawn_values(self.graph).values(), sizes[-1][0], self.logarithmic)

    @property
    def path(self) -> list[Node]:
        """The nodes that the path visits."""
        node = {subset: node for node, subsets in self.members.items() for subset in subsets}
        return list(dict.fromkeys(node[subset] for subset in self.graph.graph.get("path", ())))

    @functools.cached_property
    def routes(self) -> dict[tuple[Node, Node], Route]:
        """The line of each edge and of each step of the path. It leads around the boxes of all other nodes."""
        steps = list(itertools.pairwise(self.path))
        return route_edges([*self.drawn.edges, *steps], self.positions, self.boxes)

    def marked(self, *marks: str) -> set[Node]:
        """Return the nodes that hold a subset with one of these marks."""
        wanted = {subset for mark in marks for subset in marked(self.graph, mark)}
        return {node for node, subsets in self.members.items() if wanted & set(subsets)}


def lay_out(
    graph: Lattice, view: View, mode: LabelMode | Literal["auto"], scale: Scale, inches: float | None = None
) -> Scene:
    """Return the layout of a graph or, if it does not fit into a width in inches, of its decisive part.

    Without a width, the layout takes the room that it needs. Graphs that are too large and unknown options are refused.
    """
    require_choice(view, "view", get_args(View))
    require_choice(mode, "labels", ("auto", *get_args(LabelMode)))
    require_choice(scale, "scale", get_args(Scale))
    check_size(len(graph))
    import_optional("matplotlib", "viz", "drawing a lattice")
    graph = in_order(graph)
    if inches is None:
        return _compose(graph, view, mode, scale)
    scenes = [_compose(graph, view, mode, scale, inches)]
    for neighbors in (True, False) if mode == "auto" else ():
        if _width(scenes[-1]) <= inches:
            return scenes[-1]
        scenes.append(_compose(_decisive(graph, neighbors=neighbors), view, mode, scale, inches))
    return min(scenes, key=lambda scene: max(_width(scene), inches))


def _width(scene: Scene) -> float:
    """Return the width of a picture without its legend in inches."""
    left, right, _, _ = scene.extent
    return right - left + scene.side + 0.1 + 2 * MARGIN


def _decisive(graph: Lattice, *, neighbors: bool) -> Lattice:
    """Return the part of a graph that decides a selection: the best subsets of each size and the marked subsets."""
    sign = -1 if graph.graph["larger_is_better"] else 1
    kept = {subset for mark in ("best", "minimal", "optimal") for subset in marked(graph, mark)}
    kept |= set(graph.graph["path"])
    for k in {len(subset) for subset in graph}:
        level = [subset for subset in graph if len(subset) == k]
        kept.add(min(level, key=lambda subset: sign * graph.nodes[subset]["rank"]))
    if neighbors:
        kept |= {other for edge in graph.edges if kept & set(edge) for other in edge}
    part = in_order(graph.subgraph(kept))
    words = "a best subset of each size and the marked subsets" + ", with their neighbors" * neighbors
    part.graph["left_out"] = f"drawn: {words}; {len(graph) - len(part)} of {len(graph)} subsets are left out"
    return part


def _compose(
    graph: Lattice, view: View, mode: LabelMode | Literal["auto"], scale: Scale, inches: float | None = None
) -> Scene:
    """Return the layout of a graph.

    In mode ``"auto"``, the labels are the most informative ones that are not too wide.
    """
    drawn = merge_ties(graph) if view == "risk" else graph
    members = {node: found.get("members", (node,)) for node, found in drawn.nodes(data=True)}
    logarithmic = is_logarithmic(list(drawn_values(graph).values()), scale)

    def attempt(mode: LabelMode, single: int) -> Scene:
        labels = label_nodes(drawn, mode, members, _labeled(graph, single), on_paper=inches is not None)
        boxes = _boxes(labels, merged=len(drawn) < len(graph))
        fixed: Scale = "log" if logarithmic else "linear"
        positions = lattice_positions(drawn, view=view, scale=fixed, boxes=boxes, gap=ROOM[mode][2])
        return Scene(graph, drawn, members, view, labels, boxes, positions, logarithmic)

    tries: tuple[LabelMode, ...] = ("values", "names", "marked")  # the most informative labels first
    if mode != "auto":
        tries = (mode,)
    elif inches is not None:
        tries = ("values", "names", "codes")
    elif len(drawn) > MOST_SPREAD:
        tries = ("names", "marked") if view == "size" and len(drawn) <= 64 else ("marked",)
    for labels in tries:
        scene = attempt(labels, _MOST_SINGLE)
        left, right, _, _ = scene.extent
        if right - left <= _WIDEST if inches is None else _width(scene) <= inches:
            return scene
    return attempt(tries[-1], 1)


def _labeled(graph: Lattice, single: int) -> set[Node]:
    """Return the subsets that get a label in mode `marked`.

    These are the marked subsets, the optimal subsets of each size unless they are many, and the single features unless
    they are many.
    """
    found = {*marked(graph, "best"), *marked(graph, "minimal"), *graph.graph.get("path", ())}
    optimal = set(marked(graph, "optimal"))
    for k in {len(subset) for subset in graph}:
        level = {subset for subset in graph if len(subset) == k}
        for some in (level if k <= 1 or len(level) == 1 else set(), level & optimal):
            found |= some if len(some) <= (single if k == 1 else min(single, _MOST_OPTIMAL)) else set()
    return found


def _boxes(labels: Labels, *, merged: bool) -> dict[Node, Place]:
    """Return the sizes of boxes that hold the texts.

    Subsets of one size get boxes of one size, unless only few subsets are labeled or ties are merged.
    """
    wide, high, *_ = ROOM[labels.mode]
    measured = {node: measure(text, labels.points) for node, text in labels.texts.items()}
    boxes = {node: (width + wide, height + high) for node, (width, height) in measured.items()}
    if labels.mode == "marked" or merged:
        return boxes
    levels = {k: [box for node, box in boxes.items() if len(node) == k] for k in {len(node) for node in boxes}}
    widest = {k: (max(width for width, _ in level), max(height for _, height in level)) for k, level in levels.items()}
    return {node: widest[len(node)] for node in boxes}
