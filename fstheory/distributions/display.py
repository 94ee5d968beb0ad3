"""How a distribution is shown: repr, plain text, HTML, LaTeX and a DataFrame."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from fstheory._support.exact import latex_fraction, latex_text, to_text
from fstheory.distributions.build import Label, Variables, Weights
from fstheory.errors import InvalidValueError, explain, import_optional
from fstheory.lattice.subsets import default_features

if TYPE_CHECKING:
    import pandas as pd
__all__ = [
    "distribution_text",
    "to_frame",
    "to_html",
    "to_latex",
    "to_repr",
]
_COLUMN = "probability"
_REPR_CELLS, _REPR_BITS = 64, 2048  # Python itself refuses to write integers of a few thousand digits
_ROWS = 40
_LATEX_CELLS, _LATEX_BITS = 40, 128
_DIGITS = 12  # a probability with more digits than this is shown as a rounded decimal


def to_repr(name: str, variables: Variables, weights: Weights, total: int) -> str:
    """Return a repr that evaluates to an equal distribution, or a description of a large one."""
    if weights.size > _REPR_CELLS or total.bit_length() > _REPR_BITS:
        short = str(total) if total.bit_length() <= 64 else f"of {total.bit_length()} bits"
        return f"<{name} of {summary(variables)}; total weight {short}>"
    parts = [repr(weights.tolist())]
    if variables.features != default_features(len(variables.features)):
        parts.append(f"features={variables.features!r}")
    if variables.target != "Y":
        parts.append(f"target={variables.target!r}")
    named = zip(variables.names, variables.labels, strict=True)
    if states := {axis: labels for axis, labels in named if repr(labels) != repr(tuple(range(len(labels))))}:
        parts.append(f"states={states!r}")
    return f"{name}({', '.join(parts)})"


def summary(variables: Variables) -> str:
    """Return one line: the features with their numbers of states, and the target with its own."""
    *counts, classes = variables.shape
    inner = ", ".join(f"{name} ({count})" for name, count in zip(variables.features, counts, strict=True))
    return f"{len(counts)} feature{'s' * (len(counts) != 1)}: {inner or 'none'}; target {variables.target} ({classes})"


def distribution_text(variables: Variables, weights: Weights, total: int) -> str:
    """Return the table in plain text, one row per state of the features."""
    head = [*variables.features, *(f"{variables.target}={label}" for label in variables.labels[-1])]
    shown = _rows(variables, weights, total)
    rows = [[*map(str, state), *(to_text(p, 0, _DIGITS) for p in cells)] for state, cells in shown]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    return "\n".join([*lines, *_rest(weights)])


def to_html(variables: Variables, weights: Weights, total: int) -> str:
    """Return an HTML table, one row per state of the features, one column per class."""
    head = [*variables.features, *(f"{variables.target} = {label}" for label in variables.labels[-1])]
    lines = ["<tr>" + "".join(f"<th>{html.escape(str(name))}</th>" for name in head) + "</tr>"]
    for state, cells in _rows(variables, weights, total):
        labels = "".join(f"<th>{html.escape(str(label))}</th>" for label in state)
        lines.append(f"<tr>{labels}{''.join(f'<td>{to_text(p, 0, _DIGITS)}</td>' for p in cells)}</tr>")
    more = "".join(f"<p>{html.escape(line)}</p>" for line in _rest(weights))
    caption = f"<caption>p({html.escape(', '.join(variables.names))})</caption>"
    return f'<table class="fstheory">{caption}{"".join(lines)}</table>{more}'


def to_latex(variables: Variables, weights: Weights, total: int) -> str | None:
    """Return a LaTeX array of a small table, None for a larger one."""
    if weights.size > _LATEX_CELLS or total.bit_length() > _LATEX_BITS:
        return None
    head = [*map(latex_text, variables.features)]
    head += [latex_text(f"{variables.target}={label}") for label in variables.labels[-1]]
    rows = [[*map(latex_text, state), *map(latex_fraction, cells)] for state, cells in _rows(variables, weights, total)]
    body = r" \\ ".join(" & ".join(row) for row in rows)
    columns = "c" * len(variables.features) + "|" + "c" * len(variables.labels[-1])
    return rf"$\begin{{array}}{{{columns}}} {' & '.join(head)} \\ \hline {body} \end{{array}}$"


def to_frame(variables: Variables, pmf: Mapping[tuple[Label, ...], Fraction]) -> pd.DataFrame:
    """Return the mass function as a DataFrame with a column of Fractions."""
    if _COLUMN in variables.names:
        requirement = f"named otherwise than the column {_COLUMN!r}"
        raise InvalidValueError(explain("variables", requirement, variables.names, "rename() it first"))
    pandas = import_optional("pandas", "data", "to_frame()")
    frame = pandas.DataFrame(list(pmf), columns=list(variables.names))
    frame[_COLUMN] = pandas.Series(list(pmf.values()), dtype=object)
    return frame  # type: ignore[no-any-return]


def _rows(variables: Variables, weights: Weights, total: int) -> Iterator[tuple[tuple[Label, ...], list[Fraction]]]:
    states = itertools.product(*variables.labels[:-1])
    cells = weights.reshape(-1, weights.shape[-1])
    for state, row in itertools.islice(zip(states, cells, strict=True), _ROWS):
        yield state, [Fraction(int(weight), total) for weight in row]


def _rest(weights: Weights) -> list[str]:
    hidden = weights.size // weights.shape[-1] - _ROWS
    return [f"... {hidden} more states of the features"] if hidden > 0 else []
