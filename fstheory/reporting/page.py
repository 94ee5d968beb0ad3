"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib import resources

from fstheory._rational import approximate, readable
from fstheory.reporting.criteria_page import criteria_section
from fstheory.reporting.document import MOST_SUBSETS, generator
from fstheory.reporting.facts import Facts
from fstheory.reporting.html import escape, inline_svg, number, set_of, sets_of, table, with_contents
from fstheory.reporting.pictures import BY_RISK, BY_SIZE, why_none
from fstheory.reporting.words import (
    METHODS,
    about,
    both,
    outcome,
    plural,
    relevance_witness,
    verdict,
    weight,
    witness_of,
)

__all__ = ["render_html"]

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
