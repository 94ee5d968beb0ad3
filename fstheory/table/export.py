"""A table of subsets in other forms: text, HTML, LaTeX, a DataFrame, a graph of covers."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fstheory._exact import latex_text
from fstheory._optional import require
from fstheory.subsets import covers, format_subset, indices_of, names_of, order_by, size_order
from fstheory.table.columns import HeldTable
from fstheory.table.rounding import decimal_text, exact_text, latex_value

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

__all__ = ["to_frame", "to_html", "to_latex", "to_networkx", "to_text"]

_ROWS = 64


def to_frame(table: HeldTable[Any]) -> pd.DataFrame:
    """Return one row per subset, by size: subset, size, exact value, level."""
    pandas = require("pandas", "data", "to_frame()")
    positions = size_order(table.masks, len(table.features))
    rows = [
        (format_subset(mask, table.features), mask.bit_count(), table.value_at(mask), level)
        for mask, level in zip(table.masks[positions].tolist(), table.ranks[positions].tolist(), strict=True)
    ]
    frame = pandas.DataFrame(rows, columns=["subset", "size", "value", "level"])
    return frame.astype({"value": object})  # type: ignore[no-any-return]


def to_networkx(table: HeldTable[Any]) -> nx.DiGraph[frozenset[str]]:
    """Return the cover relation between the subsets held, with exact values on nodes and edges."""
    import networkx as nx

    graph: nx.DiGraph[frozenset[str]] = nx.DiGraph(name=table.name, features=table.features)
    levels = dict(zip(table.masks.tolist(), table.ranks.tolist(), strict=True))
    values = {mask: table.value_at(mask) for mask in levels}
    names = {mask: names_of(mask, table.features) for mask in levels}
    for position in size_order(table.masks, len(table.features)).tolist():
        mask = int(table.masks[position])
        graph.add_node(names[mask], value=values[mask], size=mask.bit_count(), level=levels[mask])
    for mask in levels:
        for above in covers(mask, len(table.features)):
            if above in levels:
                (added,) = indices_of(above ^ mask)
                change = values[above] - values[mask]
                graph.add_edge(names[mask], names[above], feature=table.features[added], change=change)
    return graph


def to_text(table: HeldTable[Any]) -> str:
    """Return lines of subset, exact value and rounded decimal, the best value first."""
    rows = [(subset, exact_text(value), decimal_text(value)) for subset, value, _ in _ordered(table)]
    head = ("subset", f"{table.name} {table.symbol}", "rounded")
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [f"{a.ljust(widths[0])}  {b.rjust(widths[1])}  {c.rjust(widths[2])}".rstrip() for a, b, c in (head, *rows)]
    return "\n".join([*lines, *_rest(table)])


def to_html(table: HeldTable[Any]) -> str:
    """Return an HTML table, the best value first; ties share their level's number."""
    rows = "".join(
        f"<tr><td>{level + 1}</td><th>{html.escape(subset)}</th>"
        f"<td>{html.escape(exact_text(value))}</td><td>{decimal_text(value)}</td></tr>"
        for subset, value, level in _ordered(table)
    )
    head = f"<tr><th>level</th><th>subset</th><th>{html.escape(table.symbol)}</th><th>rounded</th></tr>"
    more = "".join(f"<p>{line}</p>" for line in _rest(table))
    caption = f"<caption>{html.escape(table.name)}</caption>"
    return f'<table class="fstheory">{caption}{head}{rows}</table>{more}'


def to_latex(table: HeldTable[Any]) -> str:
    """Return an aligned display of the exact values."""
    rows = _ordered(table, len(table.masks))
    lines = [rf"{table.symbol}({latex_text(subset)}) &= {latex_value(value)}" for subset, value, _ in rows]
    return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"


def _ordered(table: HeldTable[Any], most: int = _ROWS) -> Iterator[tuple[str, Any, int]]:
    places = table.ranks.max() - table.ranks if table.larger_is_better else table.ranks
    positions = order_by(places, table.masks, len(table.features))
    for position in itertools.islice(positions.tolist(), most):
        mask = int(table.masks[position])
        yield format_subset(mask, table.features), table.value_at(mask), int(places[position])


def _rest(table: HeldTable[Any]) -> list[str]:
    return [f"... {len(table.masks) - _ROWS} more subsets"] if len(table.masks) > _ROWS else []
