"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

from fstheory._exact import approximate, readable
from fstheory.errors import MissingDependencyError
from fstheory.reporting.document import MOST_SUBSETS, generator
from fstheory.reporting.facts import CriterionOptima, Facts
from fstheory.reporting.words import (
    METHODS,
    about,
    both,
    differences,
    few,
    outcome,
    plural,
    relevance_witness,
    verdict,
    weight,
    why_no_criteria,
    witness_of,
)
from fstheory.subsets import Subset, format_subset, mask_of
from fstheory.table import Level
from fstheory.table.rounding import decimal_text, exact_text
from fstheory.viz import MOST_NODES

__all__ = [
    "BY_RISK",
    "BY_SIZE",
    "Cell",
    "criteria_section",
    "draw_pictures",
    "escape",
    "inline_svg",
    "number",
    "render_html",
    "set_of",
    "sets_of",
    "table",
    "why_none",
    "with_contents",
]

BY_SIZE, BY_RISK = "lattice.svg", "lattice-risk.svg"


def draw_pictures(facts: Facts) -> dict[str, str]:
    """Return SVG by file name: the lattice by size and by risk, up to seven features."""
    if len(facts.risks) > MOST_NODES:
        return {}
    marks: dict[str, Any] = {"best": facts.solutions[0]} if facts.is_unique else {"minimal": facts.solutions}
    if len(facts.backward.path) > 1:
        marks["path"] = facts.backward.path
    optimal = [subset for level in facts.optima for subset in level.subsets]
    try:
        return {
            BY_SIZE: facts.risks.plot(**marks, optimal=optimal).to_svg(),
            BY_RISK: facts.risks.plot(**marks, view="risk", optimal=optimal).to_svg(),
        }
    except MissingDependencyError:
        return {}


def why_none(facts: Facts) -> str:
    """Say why there is no drawing."""
    if len(facts.risks) > MOST_NODES:
        count = f"{len(facts.risks):,}".replace(",", " ")
        return (
            f"No drawing: of the {count} subsets at most {MOST_NODES} can be drawn, all of seven features. "
            "Draw a part, bayes_risks(d).restrict(sizes=[0, 1, 2]).plot() say, or take fewer features."
        )
    return "Drawing the lattice needs matplotlib; install it with: pip install matplotlib"


Cell = str
_SUBSCRIPT = re.compile(r"([A-Za-z]+)([0-9]+)")
_WIDTH = re.compile(r'<svg([^>]*?) width="([0-9.]+)pt" height="[0-9.]+pt"')
_ENLARGED = 1.35  # of a drawing, whose letters would else be smaller than those around it
_SHORT = 20  # lines of a table that stays on one printed page
_NUMBER = "\x00"  # marks a cell as a number; it cannot come from text, which is escaped first


def escape(text: object) -> str:
    """Write text so that it is shown as it is; characters that HTML does not know are replaced."""
    return html.escape(str(text)).replace("\x00", "\ufffd")


def set_of(subset: Subset, features: Sequence[str]) -> str:
    """Write a subset as a formula: italic letters with subscripts, or names in braces."""
    text = format_subset(mask_of(subset, features), features)
    if text == "{}":
        return '<span class="set words">∅</span>'
    if text.startswith("{"):
        return f'<span class="set words">{escape(text)}</span>'
    return '<span class="set">' + _SUBSCRIPT.sub(r"\1<sub>\2</sub><wbr>", text) + "</span>"


def sets_of(subsets: Sequence[frozenset[str]], features: Sequence[str], most: int = 8) -> str:
    """Write the first few of some subsets, and how many there are besides."""
    return few(lambda subset: set_of(subset, features), subsets, most)


def number(text: str) -> Cell:
    """Mark a cell as a number, to stand at the right."""
    return _NUMBER + escape(text)


def table(head: Sequence[Cell], rows: Iterable[Sequence[Cell] | Cell]) -> str:
    """Return a table, without a head if that is empty; the first cell of a row is its header, a lone cell spans all."""
    names = "".join(_cell("th", name) for name in head)
    lines = [f"<thead><tr>{names}</tr></thead>" if head else "", "<tbody>"]
    listed = list(rows)
    for row in listed:
        if isinstance(row, str):
            lines.append(f'<tr><td class="faint" colspan="{len(head)}">{row}</td></tr>')
            continue
        cells = "".join(_cell("td" if i else "th", cell) for i, cell in enumerate(row))
        lines.append(f"<tr>{cells}</tr>")
    lines_of_text = sum(1 + max(cell.count("<br>") for cell in row) for row in listed)
    kind = ' class="short"' if lines_of_text <= _SHORT else ""
    return "\n".join([f'<div class="scroll"><table{kind}>', *lines, "</tbody></table></div>"])


def with_contents(body: str) -> tuple[str, str]:
    """Give every heading of a body an id, and return a list of links to them with the body."""
    titles = re.findall(r"<h2>(.*?)</h2>", body)
    names = {title: re.sub(r"[^a-z]+", "-", title.lower()) for title in titles}
    body = re.sub(r"<h2>(.*?)</h2>", lambda found: f'<h2 id="{names[found[1]]}">{found[1]}</h2>', body)
    items = "".join(f'<li><a href="#{names[title]}">{title}</a></li>' for title in titles)
    return f'<nav aria-label="Contents"><ol>{items}</ol></nav>', body


def _cell(tag: str, cell: Cell) -> str:
    if cell.startswith(_NUMBER):
        return f'<{tag} class="number">{cell[1:]}</{tag}>'
    return f"<{tag}>{cell}</{tag}>"


def inline_svg(svg: str, prefix: str) -> str:
    """Return an SVG file as a part of a page: without its prolog, and with names that no other drawing has."""
    body = svg[svg.index("<svg") :]
    body = _WIDTH.sub(lambda found: f'<svg{found[1]} style="width: {float(found[2]) * _ENLARGED:.0f}pt"', body, count=1)
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="', f'id="{prefix}-', body)
    body = re.sub(r'href="#', f'href="#{prefix}-', body)
    return re.sub(r"url\(#", f"url(#{prefix}-", body)


_TIES_IN_CELL = 2  # subsets in a cell
_LONGEST = 12  # characters of an exact number in a cell
_HEAD = "<h2>The best subsets by other criteria</h2>"


def criteria_section(facts: Facts) -> str:
    """Return the section: the best subsets by size and criterion, and where their Bayes risk is not least."""
    if not facts.criteria:
        return f'{_HEAD}\n<p class="faint">{escape(why_no_criteria())}</p>'
    features = facts.distribution.features
    disagreeing = {(found.size, found.title) for found in facts.disagreements}
    rows = [
        [str(k), *(_optima_cell(facts, criterion, k, disagreeing) for criterion in facts.criteria)]
        for k in range(len(features) + 1)
    ]
    head = ["<i>k</i>", *(escape(criterion.title) for criterion in facts.criteria)]
    lines = "\n".join(f"<p>{line}</p>" for line in differences(facts, lambda subset: set_of(subset, features)))
    dagger = " † marks a choice that is not of least Bayes risk." if disagreeing else ""
    return "\n".join(
        [
            _HEAD,
            "<p>Each criterion is the best value that a predictor reaches if it sees only the features of the subset. "
            "The 0-1 loss is the Bayes risk. The log loss is the conditional entropy of the class, in nats, so that "
            f"least loss is most mutual information.{dagger}</p>",
            table(head, rows),
            lines,
        ]
    )


def _optima_cell(facts: Facts, criterion: CriterionOptima, k: int, disagreeing: set[tuple[int, str]]) -> Cell:
    features, level = facts.distribution.features, criterion.optima[k]
    if criterion is not facts.criteria[0] and level.subsets == facts.criteria[0].optima[k].subsets:
        lines = ['<span class="faint">the same</span>']
    else:
        mark = "†" if (k, criterion.title) in disagreeing else ""
        lines = [set_of(subset, features) + mark for subset in level.subsets[:_TIES_IN_CELL]]
        hidden = len(level.subsets) - _TIES_IN_CELL
        lines += [f"and {hidden} more"] if hidden > 0 else []
    return "<br>".join([*lines, f'<span class="faint">{escape(_short(level))}</span>'])


def _short(level: Level[Any]) -> str:
    exact = exact_text(level.value)
    return exact if len(exact) <= _LONGEST else f"≈{decimal_text(level.value)}"


_FIRST, _LAST = 20, 4  # levels of risk that are shown, of more than both
_TIES, _TESTS, _STATES = 6, 20, 32

_DEFINITION = """<math display="block"><mi>R</mi><mo stretchy="false">(</mo><mi>S</mi><mo stretchy="false">)</mo>
<mo>=</mo><mn>1</mn><mo>&minus;</mo><munder><mo>∑</mo><mi>s</mi></munder><munder><mi>max</mi><mi>y</mi></munder>
<mspace width="0.2em"></mspace>
<mi>p</mi><mo stretchy="false">(</mo><mi>s</mi><mo>,</mo><mi>y</mi><mo stretchy="false">)</mo></math>"""


def render_html(facts: Facts, pictures: Mapping[str, str]) -> str:
    """Return the page; drawings and style are part of it."""
    style = resources.files("fstheory.reporting").joinpath("page.css").read_text(encoding="utf-8")
    sections = [
        _assumptions(facts),
        _methods(facts),
        _risks(facts, pictures),
        _optima(facts),
        *([criteria_section(facts)] if len(facts.distribution.features) > 1 else []),
        _relevance(facts),
        _distribution(facts),
    ]
    contents, body = with_contents("\n".join(sections))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(facts.name)}: Bayes risks of all feature subsets</title>",
            f"<style>\n{style}</style></head>",
            "<body>",
            _header(facts),
            "<main>",
            _answer(facts),
            contents,
            _lattice(facts, pictures),
            body,
            "</main>",
            _footer(),
            "</body>",
            "</html>",
            "",
        ]
    )


def _header(facts: Facts) -> str:
    d = facts.distribution
    line = f"{about(d)}; total weight {weight(d.total)}"
    return f'<header><h1>{escape(facts.name)}</h1>\n<p class="about">{escape(line)}</p></header>'


def _answer(facts: Facts) -> str:
    features = facts.distribution.features
    least, most = escape(both(facts.risks.minimum)), escape(both(facts.risks[()]))
    sets = sets_of(facts.solutions, features)
    if facts.is_unique:
        first = f"The minimal-optimal subset is <i>S</i>* = <b>{sets}</b>, with Bayes risk {least}."
    else:
        count = len(facts.solutions)
        first = f"The minimal-optimal problem has {count} solutions, <b>{sets}</b>, of Bayes risk {least}."
    rest = f"No other features lower it, and without any the risk is {most}."
    return f'<p class="answer">{first} {rest}</p>\n<p>{escape(verdict(facts))}</p>'


def _lattice(facts: Facts, pictures: Mapping[str, str]) -> str:
    if BY_SIZE not in pictures:
        return f'<p class="faint">{escape(why_none(facts))}</p>'
    d = facts.distribution
    count = plural(2 ** len(d.features), "subset")
    caption = f"The {count} of the features by size, with their Bayes risks where there is room."
    if not facts.risks.ordering().is_strict:
        caption += " Along a thick edge the feature that is removed costs nothing."
    if len(facts.backward.path) > 1:
        caption += " The band is the path of backward search."
    return _figure(pictures[BY_SIZE], "size", caption, wide=len(d.features) > 3)


def _figure(svg: str, prefix: str, caption: str, *, wide: bool) -> str:
    kind = ' class="wide"' if wide else ""
    return f"<figure{kind}>\n{inline_svg(svg, prefix)}\n<figcaption>{escape(caption)}</figcaption></figure>"


def _assumptions(facts: Facts) -> str:
    rows = [
        (escape(check.assumption), "holds" if check else "<b>fails</b>", escape(witness_of(check)))
        for check in (facts.positive, facts.unique_maximum)
    ]
    return "<h2>Assumptions</h2>\n" + table((), rows)


def _methods(facts: Facts) -> str:
    features = facts.distribution.features
    rows = [
        (escape(title), set_of(facts.methods[method].features, features), escape(outcome(facts, method)))
        for method, title in METHODS.items()
    ]
    count = "the only solution" if facts.is_unique else f"all {len(facts.solutions)} solutions"
    rows.append(("a look at every subset", sets_of(facts.solutions, features), count))
    parts = ["<h2>The minimal-optimal problem</h2>", table(("method", "returns", "which is"), rows)]
    tests = facts.backward.trace
    if tests:
        shown = [tuple(map(escape, step.row)) for step in tests[:_TESTS]]
        parts += ["<p>The tests of backward search, in order:</p>", table(("feature", "test", ""), shown)]
    if len(tests) > _TESTS:
        parts.append(f'<p class="faint">{len(tests) - _TESTS} more tests are in <code>report.json</code>.</p>')
    return "\n".join(parts)


def _risks(facts: Facts, pictures: Mapping[str, str]) -> str:
    features, ordering = facts.risks.features, facts.risks.ordering()
    hidden = len(ordering) - _FIRST - _LAST
    rows: list[tuple[str, ...] | str] = [
        (number(readable(level.value)), number(approximate(level.value)), sets_of(level.subsets, features, _TIES))
        for i, level in enumerate(ordering)
        if hidden <= 0 or not _FIRST <= i < _FIRST + hidden
    ]
    if hidden > 0:
        rows.insert(_FIRST, f"⋮ {plural(hidden, 'more level')}; {_where(facts)}")
    parts = [
        "<h2>Bayes risks</h2>",
        "<p>The Bayes risk of a subset is the least error probability of a classifier that sees only its features:</p>",
        _DEFINITION,
        f"<p>The {plural(len(facts.risks), 'subset')} in {plural(len(ordering), 'level')} of equal risk:</p>",
        table((number("R(S)"), number("rounded"), "<i>S</i>"), rows),
    ]
    if BY_RISK in pictures:
        caption = "The same subsets with the Bayes risk as height. Subsets that ties join stand in one box."
        parts.append(_figure(pictures[BY_RISK], "risk", caption, wide=len(features) > 3))
    return "\n".join(parts)


def _where(facts: Facts) -> str:
    if len(facts.risks) <= MOST_SUBSETS:
        return "<code>report.json</code> lists all subsets"
    return (
        f"<code>report.json</code> lists the first {MOST_SUBSETS} subsets, and <code>fstheory risks --json</code> all"
    )


def _optima(facts: Facts) -> str:
    features = facts.distribution.features
    rows = [
        (str(k), number(readable(level.value)), number(approximate(level.value)), sets_of(level.subsets, features))
        for k, level in enumerate(facts.optima)
    ]
    head = ("<i>k</i>", number("least risk"), number("rounded"), "attained by")
    return "<h2>The best subsets of each size</h2>\n" + table(head, rows)


def _relevance(facts: Facts) -> str:
    features, found = facts.distribution.features, facts.relevance
    kinds = {"strongly&nbsp;relevant": found.strong, "weakly&nbsp;relevant": found.weak, "irrelevant": found.irrelevant}
    rows = []
    for name in features:
        kind = next(words for words, group in kinds.items() if name in group)
        witness = found.witnesses.get(name)
        why = relevance_witness(witness, facts.distribution.target) if witness else ""
        rows.append((escape(name), kind, escape(why)))
    if len(facts.blankets) == 1:
        line = f"The Markov boundary of the class is {sets_of(facts.blankets, features)}."
    else:
        line = f"The class has {len(facts.blankets)} minimal Markov blankets: {sets_of(facts.blankets, features)}."
    body = table(("feature", "", "because"), rows) if rows else ""
    return f"<h2>Relevance</h2>\n{body}\n<p>{line}</p>"


def _distribution(facts: Facts) -> str:
    shown = f'<div class="scroll">{facts.distribution._repr_html_()}</div>'
    if math.prod(facts.distribution.cardinalities) > _STATES:
        shown = f"<details><summary>The first rows of the table of probabilities</summary>{shown}</details>"
    return f"<h2>The distribution</h2>\n{shown}"


def _footer() -> str:
    return (
        f"<footer>Made by {escape(generator())}. Every number is exact unless marked ≈ or rounded. "
        "The problem, the assumptions and the theorems are those of J. M. Peña and R. Nilsson, “On the Complexity of "
        "Discrete Feature Selection for Optimal Classification” (2010); relevance is that of R. Kohavi and G. H. John, "
        "“Wrappers for Feature Subset Selection” (1997).</footer>"
    )
