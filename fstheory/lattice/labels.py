"""What is written in a drawn lattice: subsets in the nodes, exact values as short text, axis ticks, the legend."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Collection, Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from fstheory._support.exact import decimal_text, to_text
from fstheory.lattice.figure import FAINT, Pen, draw_box, draw_edges, draw_step, measure, shade, wrap
from fstheory.lattice.graph import Lattice, drawn_values, heights_by_value, marked, mask, step, written
from fstheory.lattice.subsets import default_features, format_subset, indices_of, minimal_masks

if TYPE_CHECKING:
    import networkx as nx


# -- The texts of nodes and axes.


LabelMode: TypeAlias = Literal["values", "names", "marked", "codes", "none"]
"""Names with values; names; names with values of few subsets; features' numbers; or empty nodes."""

_LONGEST_NAME = 24
_MANY_COMMON = 4
_FEW = 2  # subsets up to which a node of several lists all
_MOST_MINIMAL = 4  # and else its minimal ones
_AND = "C \N{UNION} "
_LINE = 12  # characters a line of a label may have before it is broken
_POINTS: dict[LabelMode, float] = {"values": 9.0, "names": 7.0, "marked": 8.0, "codes": 6.0, "none": 6.0}
_SHORT = 9  # characters of a fraction that is written out: 1234/2201
_MOST_DIGITS = 9
_EXACT = Context(prec=10**6, Emax=10**15, Emin=-(10**15))
_MINUS, _TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Labels(NamedTuple):
    """The texts of the nodes, in points, and what a legend must explain about them.

    `digits` counts the significant digits of rounded values (0 if none is), `key` says what numbers stand for, and
    `common` holds the features that all nodes have and the labels call C.
    """

    mode: LabelMode
    points: float
    texts: dict[frozenset[str], str]
    digits: int = 0
    key: tuple[str, ...] = ()
    common: str = ""


def label_nodes(
    graph: Lattice, mode: LabelMode, members: dict[frozenset[str], tuple[frozenset[str], ...]],
    labeled: Collection[frozenset[str]] = (),
) -> Labels:  # fmt: skip
    """Return the labels of nodes, each of one subset or several; in mode `marked` of the `labeled` subsets."""
    points = _POINTS[mode] - (1.0 if mode == "values" and len(members) > 16 else 0.0)
    if mode == "none":
        return Labels(mode, points, dict.fromkeys(members, ""))
    features = graph.graph["features"]
    groups = {node: [mask(graph, subset) for subset in subsets] for node, subsets in members.items()}
    held = [m for group in groups.values() for m in group]
    common, short = _common(held), shorten_names(features)
    called = format_subset(common, short) if common else ""
    named = [str(i + 1) for i in range(len(features))] if mode == "codes" else short
    names = {node: _listed(group, common, named) for node, group in groups.items()}
    if mode == "codes":
        for node, (first, *rest) in groups.items():
            if not rest:  # one subset: its numbers below one another
                names[node] = "\n".join(named[i] for i in indices_of(first & ~common)) or ("C" if common else "{}")
        used = indices_of(functools.reduce(operator.or_, held, 0) & ~common)
        return Labels(mode, points, names, key=tuple(f"{named[i]} = {features[i]}" for i in used), common=called)
    if mode == "names":
        return Labels(mode, points, names, common=called)
    values = drawn_values(graph)
    texts, digits = value_texts(values[node] for node in members)
    both = {node: f"{names[node]}\n{text}" for node, text in zip(members, texts, strict=True)}
    if mode == "marked":
        both = {node: text if set(members[node]) & set(labeled) else "" for node, text in both.items()}
    return Labels(mode, points, both, digits, common=called)


def shorten_names(features: Sequence[str], longest: int = _LONGEST_NAME) -> tuple[str, ...]:
    """Take the middle out of long names, unless two names would then look the same."""
    head, tail = longest // 2, longest - longest // 2 - 1
    one_line = [" ".join(name.split()) for name in features]
    short = tuple(name if len(name) <= longest else f"{name[:head]}…{name[-tail:]}" for name in one_line)
    return short if len(set(short)) == len(short) else tuple(features)


def _common(masks: Sequence[int]) -> int:
    """Return the features of all masks, if there are so many that repeating them in every node hides the rest."""
    common = functools.reduce(operator.and_, masks)
    return common if common.bit_count() >= _MANY_COMMON and len(masks) > 1 else 0


def _listed(group: Sequence[int], common: int, features: Sequence[str]) -> str:
    """Write the subsets of a node; of many the minimal ones, and how many there are besides."""
    if len(group) <= _FEW:
        return "\n".join(_name(m, common, features) for m in group)
    minimal = minimal_masks(np.array(group, dtype=np.int64)).tolist()
    shown = minimal if len(minimal) <= _MOST_MINIMAL else minimal[: _MOST_MINIMAL - 1]
    rest = f"and {len(group) - len(shown)} {'more' if len(shown) < len(minimal) else 'larger'}"
    return "\n".join([*(_name(m, common, features) for m in shown), rest])


def _name(subset: int, common: int, features: Sequence[str]) -> str:
    own = subset & ~common
    if not common:
        return _break(format_subset(subset, features))
    return _AND + _break(format_subset(own, features)) if own else "C"


def _break(text: str) -> str:
    """Break a written subset between names, as evenly as the longest name allows."""
    if not text.startswith("{"):
        return text
    parts = text.split(", ")
    limit = max(_LINE, *map(len, parts)) + 1
    lines = [""]
    for i, name in enumerate(parts):
        part = name + ("," if i < len(parts) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(part) > limit:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".strip()
    return "\n".join(lines)


def format_value(value: Fraction, digits: int = 4) -> str:
    """Write a value: exactly as a short fraction, else rounded half to even and marked with ``≈``."""
    exact = to_text(value, 0, _SHORT)
    if not exact.startswith("≈"):
        return exact
    rounded = Decimal(decimal_text(value, digits))
    return ("" if Fraction(rounded) == value else "≈") + _decimal_text(rounded)  # 10**-12, say, is exact after all


def value_texts(values: Iterable[Fraction], digits: int = 4) -> tuple[list[str], int]:
    """Write values so that different ones read differently; return the digits of those that are rounded, too."""
    listed = list(values)
    texts = [format_value(value, digits) for value in listed]
    while len({text.removeprefix("≈") for text in texts}) < len(set(listed)) and digits < _MOST_DIGITS:
        digits += 1
        texts = [format_value(value, digits) for value in listed]
    # past nine significant digits two values may share a text; a picture still tells them apart by shade
    return texts, digits if any(text.startswith("≈") for text in texts) else 0


def round_ticks(low: Fraction, high: Fraction, most: int = 8) -> list[tuple[Fraction, str]]:
    """Return the multiples in [low, high] of 1, 2 or 5 times a power of ten, at most `most` + 1, with texts."""
    if low == high:
        return [(low, format_value(low))]
    least = (high - low) / most
    powers = {
        k * Fraction(10) ** power: (k, power) for power in (_decade(least), _decade(least) + 1) for k in (1, 2, 5)
    }
    step = min(step for step in powers if step >= least)
    width, power = powers[step]
    multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
    decimals = [_EXACT.scaleb(Decimal(width * k), power) for k in multiples]  # with equally many places: 0.15, 0.20
    if any(map(_is_long, decimals)):
        decimals = [value.normalize(_EXACT) for value in decimals]
    texts = list(map(_decimal_text, decimals))
    if max(map(len, texts), default=0) > 10:  # a narrow range far from zero: its two ends say as much, in less room
        return [(low, format_value(low, 6)), (high, format_value(high, 6))]
    return [(step * k, text) for k, text in zip(multiples, texts, strict=True)]


def _power_text(exponent: int) -> str:
    return "10" + str(exponent).translate(_SUPERSCRIPTS)


def _is_long(value: Decimal) -> bool:
    """Say whether a decimal is written with a power of ten."""
    return value != 0 and not -4 <= value.adjusted() <= 5


def _decimal_text(value: Decimal) -> str:
    """Write a decimal plainly, or with a power of ten where plain writing is long."""
    if value == 0:
        return "0"
    text = f"{value:f}"
    if _is_long(value):
        digits = "".join(map(str, value.as_tuple().digits))
        point = "." if len(digits) > 1 else ""
        text = f"{'-' * (value < 0)}{digits[0]}{point}{digits[1:]}{_TIMES}{_power_text(value.adjusted())}"
    return text.replace("-", _MINUS)


def axis_ticks(values: Collection[Fraction], height: float, logarithmic: bool) -> list[tuple[float, str]]:
    """Return heights and texts of the ticks of an axis of values."""
    low, high = min(values), max(values)
    if not logarithmic:
        ticks = round_ticks(low, high)
        # the two ends take part in placing the ticks, and are not ticks themselves
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
    return k if Fraction(10) ** k <= value else k - 1  # rounding may have reached the next power


# -- The legend: only what appears in the picture, in lines that fit its width.


Kind: TypeAlias = Literal["tie", "group", "rise", "fall", "ringed", "path", "optimal", "shade", "note"]

_LEGEND_POINTS = 8.0
_SAMPLE = 0.42  # inches
_LEAD = 0.15  # of a row of the legend besides its lines
_GUTTER = 0.30
_TIGHT = "\N{NO-BREAK SPACE}"  # a line is not broken there


class Entry(NamedTuple):
    """A sample and what it means; a note has no sample."""

    kind: Kind
    text: str


def legend_entries(graph: Lattice, drawn: Lattice, labels: Labels, *, walks: bool) -> list[Entry]:
    """Return the entries of what appears; `drawn` has the nodes and edges of the picture."""
    symbol = graph.graph["symbol"]
    steps = {step(drawn, *edge) for edge in drawn.edges}
    merged = len(drawn) < len(graph)
    feature = "features" if merged else "the feature"
    named = labels.mode in {"values", "names", "marked"} and not merged
    best, minimal = marked(graph, "best"), marked(graph, "minimal")
    listed = "" if named or len(minimal) > 4 else ": " + ", ".join(written(graph, subset) for subset in minimal)
    called = "" if named else f" = {written(graph, best[0])}" if best else ""
    values = drawn_values(graph).values()
    low, high = format_value(min(values)), format_value(max(values))
    entries: list[tuple[object, Kind, str]] = [
        (0 in steps, "tie", f"removing the feature leaves {symbol} the same"),
        (merged, "group", f"subsets of equal {symbol}, joined by features that cost nothing"),
        (1 in steps, "rise", f"removing {feature} raises {symbol}"),
        (-1 in steps, "fall", f"removing {feature} lowers {symbol}"),
        (best, "ringed", f"S* (minimal-optimal){called}"),
        (minimal, "ringed", f"minimal subset of least {symbol}{listed}"),
        (walks, "path", "path of the search"),
        (marked(graph, "optimal"), "optimal", f"{'holds a subset ' * merged}optimal for its size"),
        (len(set(values)) > 1, "shade", f"{symbol} from {low} to {high}; equal values have the same shade"),
        *((True, "note", note) for note in _notes(graph.graph["features"], labels)),
    ]
    return [Entry(kind, text) for appears, kind, text in entries if appears]


def _notes(features: tuple[str, ...], labels: Labels) -> list[str]:
    """Return what must be said of the labels."""
    notes = []
    if labels.digits:
        notes.append(f"≈ rounded to {labels.digits} significant digits")
    if labels.key:
        plain = features == default_features(len(features))
        notes.append("k stands for Xk" if plain else ", ".join(key.replace(" ", _TIGHT) for key in labels.key))
    if labels.common:
        notes.append(f"C = {labels.common}")
    return notes


def legend_rows(entries: list[Entry], width: float) -> list[list[Entry]]:
    """Distribute the entries over rows no wider than `width`, with their texts broken into lines where one is."""
    rows: list[list[Entry]] = []
    for whole in entries:
        entry = Entry(whole.kind, wrap(whole.text, _LEGEND_POINTS, width - _sample_width(whole)).replace(_TIGHT, " "))
        first_note = entry.kind == "note" and rows and rows[-1][-1].kind != "note"
        if rows and row_width([*rows[-1], entry]) <= width and not first_note:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def row_height(row: list[Entry]) -> float:
    """Return the height of a row."""
    return max(measure(entry.text, _LEGEND_POINTS)[1] for entry in row) + _LEAD


def row_width(row: list[Entry]) -> float:
    """Return the width of a row."""
    return sum(map(_entry_width, row)) + _GUTTER * (len(row) - 1)


def draw_legend(pen: Pen, rows: list[list[Entry]], center: float, top: float) -> None:
    """Draw the rows downwards from `top`, each centered."""
    import networkx as nx

    edge = nx.path_graph(2, create_using=nx.DiGraph)
    for row in rows:
        y = top - row_height(row) / 2
        top -= row_height(row)
        x = center - row_width(row) / 2
        for entry in row:
            _draw_sample(pen, edge, entry.kind, x, y)
            pen.text(x + _sample_width(entry), y, entry.text, _LEGEND_POINTS, ha="left")
            x += _entry_width(entry) + _GUTTER


def _entry_width(entry: Entry) -> float:
    return measure(entry.text, _LEGEND_POINTS)[0] + _sample_width(entry)


def _sample_width(entry: Entry) -> float:
    return 0.0 if entry.kind == "note" else _SAMPLE + 0.10


def _draw_sample(pen: Pen, edge: nx.DiGraph[int], kind: Kind, x: float, y: float) -> None:
    """Draw a sign at the left of its text; `edge` is the graph of one edge."""
    ends, middle = {0: (x, y), 1: (x + _SAMPLE, y)}, (x + _SAMPLE / 2, y)
    if kind in {"tie", "rise", "fall"}:
        draw_edges(pen, edge, ends, [(0, 1)], {"tie": 0, "rise": 1, "fall": -1}[kind])
    elif kind == "group":
        draw_box(pen, edge, 0, middle, (0.34, 0.2), "#ffffff")
        for shift in (0.045, -0.045):
            pen.line((x + 0.12, x + _SAMPLE - 0.12), (y + shift, y + shift), 0.8, 5.0, FAINT)
    elif kind == "path":
        draw_step(pen, edge, ends, (0, 1))
    elif kind == "optimal":
        draw_box(pen, edge, 0, middle, (0.30, 0.16), "#ffffff", optimal=True)
    elif kind == "shade":
        width = _SAMPLE / 5
        for part in range(5):
            draw_box(pen, edge, 0, (x + (part + 0.5) * width, y), (width, 0.13), shade(part, 5), square=True)
    elif kind == "ringed":
        draw_box(pen, edge, 0, middle, (0.27, 0.11), "#ffffff", ringed=True)
