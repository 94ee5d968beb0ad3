"""Lattices as TikZ pictures, for papers that are written in LaTeX."""

from __future__ import annotations

import itertools
from typing import Literal

from fstheory._support.exact import latex_escaped
from fstheory.lattice.draw import KINDS, LabelMode, Scene, lay_out
from fstheory.lattice.figure import Width, inches_of
from fstheory.lattice.graph import Lattice, Place, Scale, View, drawn_values, mask, step

_HEAD = r"""% Needs \usepackage{tikz}. One unit is an inch.
\begin{tikzpicture}[x=1in, y=1in, font=\footnotesize,
  subset/.style={draw, rounded corners=2pt, align=center, inner sep=1pt},
  ringed/.style={double, double distance=1.5pt, thick},
  optimal/.style={sharp corners, very thick},
  tie/.style={line width=1.6pt}, % removing the feature leaves the value the same
  rise/.style={dashed, gray}, % removing the feature raises the value
  fall/.style={dotted, gray}, % removing the feature lowers the value
  search/.style={-latex, line width=2.4pt, orange}] % the path of the search"""
_DARKEST = 35  # percent of black, so that letters on it are legible in gray
_SIGNS = {"≈": r"$\approx$", "…": r"\dots{}", "\N{UNION}": r"$\cup$", "\N{MULTIPLICATION SIGN}": r"$\times$"}
_SIGNS |= {"\N{MINUS SIGN}": "$-$", "\N{NO-BREAK SPACE}": "~", "⁻": r"\textsuperscript{$-$}"}
_SIGNS |= {power: rf"\textsuperscript{{{digit}}}" for digit, power in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def lattice_tikz(
    graph: Lattice,
    *,
    view: View = "size",
    labels: LabelMode | Literal["auto"] = "auto",
    scale: Scale = "auto",
    width: Width | None = None,
) -> str:
    r"""Return the Hasse diagram of a table as a TikZ picture, which LaTeX sets in the fonts of the paper.

    The picture needs no package but `tikz`, and has one line for each subset and each edge, so that it can be edited.
    It has no title and no legend: its caption says what its first lines say of the styles. A darker box has a larger
    value. Equal values have the same shade. The parameters are those of `draw_lattice`.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> picture = lattice_tikz(bayes_risks(gallery.xor()).to_networkx(best={"X1", "X2"}))
    >>> print(*picture.splitlines()[-5:], sep="\n")
      \draw[tie] (s0) -- (s1);
      \draw[tie] (s0) -- (s2);
      \draw[rise] (s1) -- (s3);
      \draw[rise] (s2) -- (s3);
    \end{tikzpicture}
    """
    scene = lay_out(graph, view, labels, scale, inches_of(width, {}))
    lines = [*_nodes(scene), *_axis(scene), *_edges(scene)]
    return "\n".join([_HEAD, *("  " + line for line in lines), r"\end{tikzpicture}"])


def _nodes(scene: Scene) -> list[str]:
    ringed, optimal = scene.marked("best", "minimal"), scene.marked("optimal")
    most = max(node["rank"] for _, node in scene.drawn.nodes(data=True)) or 1
    lines = []
    for node, place in scene.positions.items():
        shade = round(_DARKEST * scene.drawn.nodes[node]["rank"] / most)
        wide, high = scene.boxes[node]
        style = f"subset{', ringed' * (node in ringed)}{', optimal' * (node in optimal)}, fill=black!{shade}"
        size = f"minimum width={wide:.2f}in, minimum height={high:.2f}in"
        text = r"\\".join(map(_text, scene.labels.texts[node].split("\n")))
        lines.append(rf"\node[{style}, {size}] (s{mask(scene.drawn, node)}) at {_at(place)} {{{text}}};")
    return lines


def _axis(scene: Scene) -> list[str]:
    """Return the sizes beside their levels, or the axis of values."""
    x = scene.extent[0] - 0.15
    if scene.view == "size":
        return [rf"\node[left, gray] at {_at((x, y))} {{${text}$}};" for y, text in scene.ticks]
    heights = [y for _, y in scene.positions.values()]
    lines = [rf"\draw {_at((x, min(heights)))} -- {_at((x, max(heights)))};"]
    lines += [rf"\draw {_at((x, y))} -- {_at((x - 0.05, y))} node[left] {{{_text(text)}}};" for y, text in scene.ticks]
    words = "{name} ${symbol}(S)$".format(**{key: _text(scene.graph.graph[key]) for key in ("name", "symbol")})
    words += ", logarithmic" if scene.logarithmic and len(drawn_values(scene.graph)) > 1 else ""
    return [
        *lines,
        rf"\node[rotate=90] at {_at((x - scene.side + 0.1, (min(heights) + max(heights)) / 2))} {{{words}}};",
    ]


def _edges(scene: Scene) -> list[str]:
    """Return the steps of the path and, over them, the edges."""
    drawn, routes = scene.drawn, scene.routes
    pairs = [("search", pair) for pair in itertools.pairwise(scene.path)]
    pairs += [(KINDS[step(drawn, *pair)], pair) for pair in drawn.edges]
    lines = []
    for style, (one, other) in pairs:
        bends = "".join(f" -- {_at(place)}" for place in routes[one, other][1:-1])
        lines.append(rf"\draw[{style}] (s{mask(drawn, one)}){bends} -- (s{mask(drawn, other)});")
    return lines


def _at(place: Place) -> str:
    return f"({place[0] + 0.0:.2f}, {place[1] + 0.0:.2f})"


def _text(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in latex_escaped(text))
