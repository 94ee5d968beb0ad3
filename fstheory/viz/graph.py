"""What is read from the graph of a lattice: its marks, its values, the subsets that ties join, and its title.

The graph is that of `SubsetTable.to_networkx`: nodes are frozensets of names with ``value``, ``size`` and ``rank``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from fstheory._exact import format_fraction
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.subsets import Subset, format_subset, mask_of, names_of

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Lattice", "Path", "mark_subsets", "merge_ties"]

Lattice: TypeAlias = "nx.DiGraph[frozenset[str]]"

_DRAWN_DIGITS = 30  # of an irrational value
_LISTED = 32  # subsets whose values a description lists
_LONG = 60  # characters of a list of features that a title has room for


class Path(Protocol):
    """What a search returns that went through subsets one feature a step."""

    @property
    def path(self) -> Any:
        """The subsets, in order."""
        ...


def mark_subsets(
    graph: Lattice, *, best: Subset | None = None, minimal: Iterable[Subset] | None = None,
    path: Sequence[Subset] | Path | None = None, optimal: Iterable[Subset] | None = None,
) -> None:  # fmt: skip
    """Set the attributes ``best``, ``minimal`` and ``optimal`` of these nodes to True, and ``path`` of the graph."""
    walked: Any = path
    steps = _held(graph, getattr(walked, "path", walked), "path")
    for before, after in itertools.pairwise(steps):
        if len(before ^ after) != 1:
            shown = f"{written(graph, before)} to {written(graph, after)}"
            repair = "name every subset on the way"
            raise InvalidValueError(explain("path", "made of steps that change one feature", shown, repair))
    graph.graph["path"] = steps
    single = [] if best is None else [_node(graph, best, "best")]
    several = {"minimal": _held(graph, minimal, "minimal"), "optimal": _held(graph, optimal, "optimal")}
    for mark, subsets in {"best": single, **several}.items():
        graph.add_nodes_from(subsets, **{mark: True})


def _held(graph: Lattice, subsets: Iterable[Subset] | None, argument: str) -> tuple[frozenset[str], ...]:
    if subsets is None:
        return ()
    if isinstance(subsets, str) or not isinstance(subsets, Iterable):
        raise InvalidTypeError(explain(argument, "a collection of subsets", subsets, "pass a list such as [{'X1'}]"))
    listed = list(subsets)
    if any(isinstance(subset, str) for subset in listed):
        raise InvalidTypeError(explain(argument, "a collection of subsets", subsets, "write a list: [{'X1', 'X2'}]"))
    return tuple(_node(graph, subset, argument) for subset in listed)


def _node(graph: Lattice, subset: Subset, argument: str) -> frozenset[str]:
    features = graph.graph["features"]
    node = names_of(mask_of(subset, features, argument), features)
    if node not in graph:
        shown = written(graph, node)
        raise InvalidValueError(explain(argument, "held by the table", shown, "leave it out, or restrict less"))
    return node


def mask(graph: Lattice, subset: frozenset[str]) -> int:
    """Return the bitmask of a node."""
    return mask_of(subset, graph.graph["features"])


def written(graph: Lattice, subset: frozenset[str]) -> str:
    """Write a node as a subset."""
    return format_subset(mask(graph, subset), graph.graph["features"])


def step(graph: Lattice, small: frozenset[str], large: frozenset[str]) -> int:
    """Return the sign of the change in value where features are removed: 0 if nothing is lost."""
    before, after = graph.nodes[large]["rank"], graph.nodes[small]["rank"]
    return int(after > before) - int(after < before)


def drawn_values(graph: Lattice) -> dict[frozenset[str], Fraction]:
    """Return rationals close enough to be drawn; equal values stay equal."""
    exact = {node["rank"]: node["value"] for _, node in graph.nodes(data=True)}
    near = {rank: x if isinstance(x, Fraction) else x.enclosure(_DRAWN_DIGITS)[0] for rank, x in exact.items()}
    return {subset: near[node["rank"]] for subset, node in graph.nodes(data=True)}


def merge_ties(graph: Lattice) -> Lattice:
    """Return the graph of the groups that ties join, without edges that a longer way along rising edges says as well.

    A group stands under its first subset and has ``members``.
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
    """Return the content of a drawing as sentences; `short` has the short texts of the values."""
    ties = sum(step(graph, *edge) == 0 for edge in graph.edges)
    sentences = [f"Hasse diagram of {len(graph)} subsets with {len(graph.edges)} edges, {ties} of which lose nothing."]
    if len(graph) <= _LISTED:
        values = drawn_values(graph)
        exact = {s: format_fraction(v) if v.denominator < 10**9 else short[s] for s, v in values.items()}
        listed = "; ".join(f"{written(graph, subset)}: {text}" for subset, text in exact.items())
        sentences.append(f"{graph.graph['symbol']} by subset: {listed}.")
    marks = {"Minimal-optimal": "best", "Minimal": "minimal", "Path": "path", "Optimal for its size": "optimal"}
    for words, mark in marks.items():
        subsets = graph.graph["path"] if mark == "path" else marked(graph, mark)
        if subsets:
            sentences.append(f"{words}: {'; '.join(written(graph, subset) for subset in subsets)}.")
    return " ".join(sentences)


def marked(graph: Lattice, mark: str) -> list[frozenset[str]]:
    """Return the nodes with a mark; no subset is optimal that is the only one of its size."""
    only = {0, len(graph.graph["features"])} if mark == "optimal" else set()
    return [subset for subset, node in graph.nodes(data=True) if node.get(mark) and len(subset) not in only]
