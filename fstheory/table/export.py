"""A table of subsets in other forms: text, HTML, LaTeX, a graph of covers."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, NamedTuple

from fstheory._exact import decimal_text, exact_text, latex_text, latex_value
from fstheory.subsets import Masks, covers, indices_of, names_of, size_order
from fstheory.table.columns import Column

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["ROWS", "Row", "cover_graph", "to_html", "to_latex", "to_text"]

ROWS = 64


class Row(NamedTuple):
    """A subset, its value, and how many better values there are."""

    subset: str
    value: Any
    level: int


def cover_graph(
    features: tuple[str, ...], masks: Masks, ranks: Masks, column: Column[Any]
) -> nx.DiGraph[frozenset[str]]:
    """Return the cover relation between the subsets held, with exact values on nodes and edges."""
    import networkx as nx

    graph: nx.DiGraph[frozenset[str]] = nx.DiGraph(features=features)
    positions = size_order(masks, len(features)).tolist()
    names = {mask: names_of(mask, features) for mask in masks[positions].tolist()}
    for position, (mask, subset) in zip(positions, names.items(), strict=True):
        graph.add_node(subset, value=column[position], size=mask.bit_count(), rank=int(ranks[position]))
    for mask, subset in names.items():
        for above in covers(mask, len(features)):
            if above in names:
                (feature,) = indices_of(above ^ mask)
                change = graph.nodes[names[above]]["value"] - graph.nodes[subset]["value"]
                graph.add_edge(subset, names[above], feature=features[feature], change=change)
    return graph


def to_text(name: str, symbol: str, rows: list[Row], held: int) -> str:
    """Return lines of subset, exact value and rounded decimal, and how many of the subsets held are not listed."""
    texts = [(row.subset, exact_text(row.value), decimal_text(row.value)) for row in rows]
    head = ("subset", f"{name} {symbol}", "rounded")
    widths = [max(map(len, column)) for column in zip(head, *texts, strict=True)]
    lines = [f"{a.ljust(widths[0])}  {b.rjust(widths[1])}  {c.rjust(widths[2])}".rstrip() for a, b, c in (head, *texts)]
    return "\n".join([*lines, *_rest(rows, held)])


def to_html(name: str, symbol: str, rows: list[Row], held: int) -> str:
    """Return an HTML table; ties share their level's number."""
    lines = "".join(
        f"<tr><td>{level + 1}</td><th>{html.escape(subset)}</th>"
        f"<td>{html.escape(exact_text(value))}</td><td>{decimal_text(value)}</td></tr>"
        for subset, value, level in rows
    )
    head = f"<tr><th>level</th><th>subset</th><th>{html.escape(symbol)}</th><th>rounded</th></tr>"
    more = "".join(f"<p>{line}</p>" for line in _rest(rows, held))
    return f'<table class="fstheory"><caption>{html.escape(name)}</caption>{head}{lines}</table>{more}'


def to_latex(symbol: str, rows: list[Row]) -> str:
    """Return an aligned display of the exact values."""
    lines = [rf"{symbol}({latex_text(row.subset)}) &= {latex_value(row.value)}" for row in rows]
    return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"


def _rest(rows: list[Row], held: int) -> list[str]:
    return [f"... {held - len(rows)} more subsets"] if held > len(rows) else []
