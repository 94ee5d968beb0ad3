"""What is written in the nodes: subsets by name, by number or not at all, with or without values."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from fstheory.subsets import format_subset, indices_of, minimal_masks
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.values import value_texts

__all__ = ["LabelMode", "NodeLabels", "label_nodes", "modes_to_try", "shorten_names"]

LabelMode: TypeAlias = Literal["values", "names", "marked", "codes", "none"]
"""Names with values; names; names with values of few subsets; features' numbers; or empty nodes."""

_LONGEST_NAME = 24
_MANY_COMMON = 4
_FEW = 2  # subsets up to which a node of several lists all
_MOST_MINIMAL = 4  # and else its minimal ones
_AND = "C \N{UNION} "
_LINE = 12  # characters a line of a label may have before it is broken
_POINTS: dict[LabelMode, float] = {"values": 9.0, "names": 7.0, "marked": 8.0, "codes": 6.0, "none": 6.0}


class NodeLabels(NamedTuple):
    """The texts of the nodes, aligned with them, and what a legend must explain about them.

    Attributes
    ----------
    mode : LabelMode
    points : float
        Font size.
    names, values : list of str
        Lines are parted by line feeds; empty where nothing is written.
    digits : int
        Significant digits of the values that are rounded; 0 if none is.
    key : list of str
        What the numbers stand for, such as ``"1 = sex"``.
    common : str
        The features that all nodes have and the labels call C; empty where the labels name every feature.
    """

    mode: LabelMode
    points: float
    names: list[str]
    values: list[str]
    digits: int
    key: list[str]
    common: str


def modes_to_try(nodes: int) -> tuple[LabelMode, ...]:
    """Return the label modes for a lattice of so many nodes, the most telling first."""
    if nodes <= 32:
        return ("values", "names", "marked")
    return ("names", "marked") if nodes <= 64 else ("marked",)


def label_nodes(
    table: LatticeTable, mode: LabelMode, nodes: Sequence[Sequence[int]], telling: Collection[int] = ()
) -> NodeLabels:
    """Return the labels of nodes, each one subset or several, given as positions in the table."""
    held = table.masks.tolist()
    groups = [sorted((held[i] for i in node), key=lambda m: (m.bit_count(), indices_of(m))) for node in nodes]
    points = _POINTS[mode] - (1.0 if mode == "values" and len(groups) > 16 else 0.0)
    blank = [""] * len(groups)
    if mode == "none":
        return NodeLabels(mode, points, blank, blank, 0, [], "")
    common = _common(held)
    short = shorten_names(table.features)
    called = format_subset(common, short) if common else ""
    if mode == "codes":
        empty = "C" if common else "{}"
        stacks = [
            "\n".join(str(i + 1) for i in indices_of(group[0] & ~common)) or empty
            if len(group) == 1
            else _listed(group, common, [str(i + 1) for i in range(len(short))])
            for group in groups
        ]
        used = indices_of(functools.reduce(operator.or_, held, 0) & ~common)
        key = [f"{i + 1} = {table.features[i]}" for i in used]
        return NodeLabels(mode, points, stacks, blank, 0, key, called)
    names = [_listed(group, common, short) for group in groups]
    if mode == "names":
        return NodeLabels(mode, points, names, blank, 0, [], called)
    texts, digits = value_texts(table.value_at(group[0]) for group in groups)
    if mode == "marked":
        kept = [not set(node).isdisjoint(telling) for node in nodes]
        names = [text if keep else "" for text, keep in zip(names, kept, strict=True)]
        texts = [text if keep else "" for text, keep in zip(texts, kept, strict=True)]
    return NodeLabels(mode, points, names, texts, digits, [], called)


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
        return "\n".join(_name(mask, common, features) for mask in group)
    minimal = minimal_masks(np.array(group, dtype=np.int64)).tolist()
    shown = minimal if len(minimal) <= _MOST_MINIMAL else minimal[: _MOST_MINIMAL - 1]
    rest = f"and {len(group) - len(shown)} {'more' if len(shown) < len(minimal) else 'larger'}"
    return "\n".join([*(_name(mask, common, features) for mask in shown), rest])


def _name(mask: int, common: int, features: Sequence[str]) -> str:
    own = mask & ~common
    if not common:
        return _break(format_subset(mask, features))
    return _AND + _break(format_subset(own, features)) if own else "C"


def _break(text: str) -> str:
    """Break a written subset between names, as evenly as the longest name allows."""
    if not text.startswith("{"):
        return text
    pieces = text.split(", ")
    limit = max(_LINE, *map(len, pieces)) + 1
    lines = [""]
    for i, piece in enumerate(pieces):
        part = piece + ("," if i < len(pieces) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(part) > limit:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".strip()
    return "\n".join(lines)
