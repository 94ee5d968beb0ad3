"""What a table turns into, as methods: a DataFrame, a graph, a drawing, and its own text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fstheory.table import export
from fstheory.table.columns import HeldTable
from fstheory.table.rounding import rounded

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from fstheory.viz import LatticeFigure

__all__ = ["Conversions"]

_LATEX_SUBSETS = 16  # in a notebook


class Conversions:
    """The conversions of `SubsetTable`, its base class."""

    __slots__ = ()

    def to_frame(self: HeldTable[Any]) -> pd.DataFrame:
        """Return a pandas DataFrame: subset, size, the exact value, its level; one row per subset, by size.

        Raises
        ------
        MissingDependencyError
            pandas is not installed.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> SubsetTable.from_mapping({(): "1/2", ("X1",): "1/3"}, features=["X1"]).to_frame()
          subset  size value  level
        0     {}     0   1/2      1
        1     X1     1   1/3      0
        """
        return export.to_frame(self)

    def to_networkx(self: HeldTable[Any]) -> nx.DiGraph[frozenset[str]]:
        """Return the covers as a directed graph, from each subset to those with one feature more.

        Nodes are frozensets of names with attributes ``value`` (Fraction), ``size`` and ``level``
        (0 for the smallest value); edges have ``feature``, the one added, and ``change``, the value
        at the head minus that at the tail.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> graph = SubsetTable.from_mapping({(): "1/2", ("a",): "1/3"}, features=["a"]).to_networkx()
        >>> graph.edges[frozenset(), frozenset({"a"})]
        {'feature': 'a', 'change': Fraction(-1, 6)}
        """
        return export.to_networkx(self)

    def to_latex(self: HeldTable[Any]) -> str:
        r"""Return the exact values as LaTeX for math mode, the best value first, one line for each subset.

        Examples
        --------
        >>> from fstheory import SubsetTable
        >>> table = SubsetTable.from_mapping({(): "1/2", ("50%",): "1/3"}, features=["50%"], symbol="R")
        >>> print(table.to_latex())
        \begin{aligned} R(\text{\{50\%\}}) &= \frac{1}{3} \\ R(\text{\{\}}) &= \frac{1}{2} \end{aligned}
        """
        return export.to_latex(self)

    def plot(self: HeldTable[Any], **options: Any) -> LatticeFigure:
        """Draw the Hasse diagram of the subsets; see `fstheory.viz.draw_lattice` for the options.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
        TooLargeError
            There are more subsets than can be drawn readably.
        """
        from fstheory.viz import draw_lattice

        return draw_lattice(rounded(self), **options)

    def __str__(self: HeldTable[Any]) -> str:
        return export.to_text(self)

    def _repr_html_(self: HeldTable[Any]) -> str:
        return export.to_html(self)

    def _repr_latex_(self: HeldTable[Any]) -> str | None:
        return f"${export.to_latex(self)}$" if len(self.masks) <= _LATEX_SUBSETS else None
