"""A printed lesson: a sheet with the questions, the weights and the empty lattice, and a key with the answers."""

from __future__ import annotations

import html
import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fstheory._support.files import write_atomically
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.errors import require
from fstheory.lattice.subsets import escape, format_subset
from fstheory.measures.risk import bayes_risks
from fstheory.reports.language import words_of
from fstheory.reports.questions import MOST_EDITED, Ask, lesson

_ACROSS = 8  # the most boxes side by side
_STYLE = """
@page { margin: 15mm; }
:root { color-scheme: light; }
body { font: 11pt/1.4 system-ui, "DejaVu Sans", sans-serif; margin: 0 auto; max-width: 46rem; padding: 1rem; }
h1 { font-size: 1.5em; margin: 0 0 0.4em; } h2 { font-size: 1.1em; margin: 1em 0 0.3em; }
.name { float: inline-end; } h1 + p { clear: both; }
table { border-collapse: collapse; font-size: 0.9em; }
th, td { border-bottom: 1px solid #999; padding: 0.1em 0.8em 0.1em 0; text-align: start; font-weight: normal; }
td { text-align: end; } thead th { font-weight: 600; }
svg { display: block; width: 100%; height: auto; max-height: 8.5cm; }
svg text { font: 12px system-ui, "DejaVu Sans", sans-serif; text-anchor: middle; }
rect { fill: none; stroke: #000; } line { stroke: #999; }
li { margin-bottom: 0.9em; break-inside: avoid; }
.line { border-bottom: 1px solid #000; display: inline-block; width: 60%; height: 1.6em; }
section, svg, tr { break-inside: avoid; } h2 { break-after: avoid; }
@media print { body { max-width: none; padding: 0; } }
"""


def save_handout(
    d: DistributionLike,
    folder: str | os.PathLike[str],
    *,
    title: str,
    story: str,
    ask: Ask,
    language: str = "en",
) -> tuple[Path, ...]:
    """Write `questions.html`, a sheet to print for each student, and `key.html` with the answers. Return the paths.

    The arguments are those of `explorer_page`. The questions are those of the lecturer.
    """
    d, words = as_distribution(d), words_of(language)
    name, questions = lesson(ask, d, False, words)
    repair = "write a file of questions, and pass it as in --ask questions.toml"
    require(questions, "ask", "questions of your own for a handout (--handout)", ask, repair)
    needed = f"a distribution of at most {MOST_EDITED} cells, for a handout"
    require(d.weights.size <= MOST_EDITED, "d", needed, d, "take the marginal of fewer features")
    Path(folder).mkdir(parents=True, exist_ok=True)
    heading = name or title
    unit = re.search(rf"(?<![\d,]){d.total} ([^\W\d_]+)", story)
    counted = unit[1] if unit else words["cases"]
    about = f"<p>{html.escape(story)}</p>" if story else ""
    fill = words["handout_fill"].format(whole=d.total, unit=counted, target=d.target)
    sheet = [
        f'<p class="name">{words["handout_name"]} ____________________</p><h1>{html.escape(heading)}</h1>{about}',
        f"<section><h2>{words['weights']}</h2>{_weights(d)}</section>",
        f"<section><h2>{words['lattice']}</h2><p>{html.escape(fill)}</p>{_lattice(d, None)}</section>",
        f"<h2>{words['questions']}</h2><ol>{''.join(_asked(one, words) for one in questions)}</ol>",
    ]
    risks = bayes_risks(d)
    errors = [int(risks.value_at(mask) * d.total) for mask in range(2 ** len(d.features))]
    key = [
        f"<h1>{html.escape(words['handout_key'].format(title=heading))}</h1>",
        f"<h2>{words['questions']}</h2><ol>{''.join(_told(one, d, errors, words) for one in questions)}</ol>",
        f"<section><h2>{words['lattice']}</h2>{_lattice(d, errors)}</section>",
    ]
    paths = []
    for file, parts in (("questions.html", sheet), ("key.html", key)):
        paths.append(Path(folder) / file)
        head = f'<html lang="{words["language"]}" dir="{words["direction"]}"><head><meta charset="utf-8">'
        text = f"<!DOCTYPE html>\n{head}<title>{html.escape(heading)}</title><style>{_STYLE}</style></head>\n<body>\n"
        write_atomically(paths[-1], escape(text + "\n".join(parts) + "\n</body></html>\n"))
    return tuple(paths)


def _weights(d: Any) -> str:
    """Return the table of the weights. A row is a state of the features that occurs."""
    classes = [f"{d.target} = {label}" for label in d.classes]
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in (*d.features, *classes))
    rows = []
    for place, state in enumerate(itertools.product(*(d.states[name] for name in d.features))):
        weights = d.weights.reshape(-1, len(d.classes))[place].tolist()
        labels = "".join(f"<th>{html.escape(str(label))}</th>" for label in state)
        numbers = "".join(f"<td>{weight}</td>" for weight in weights)
        rows.append(f"<tr>{labels}{numbers}</tr>" * any(weights))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _lattice(d: Any, errors: Sequence[int] | None) -> str:
    """Return the lattice as SVG, with a number in each box or with room for it."""
    n = len(d.features)
    longest = max(_ACROSS, len(", ".join(d.features)))
    numbered = longest > 30
    rows = [
        level[i : i + _ACROSS]
        for k in range(n, -1, -1)
        for level in [[mask for mask in range(2**n) if mask.bit_count() == k]]
        for i in range(0, len(level), _ACROSS)
    ]
    wide = max(7.2 * (2 * n if numbered else longest) + 16, 70)
    step, high = wide + 18, 64
    width = max(map(len, rows)) * step
    at = {
        mask: (width / 2 + (j - (len(row) - 1) / 2) * step, 24 + i * high)
        for i, row in enumerate(rows)
        for j, mask in enumerate(row)
    }
    edges = [
        f'<line x1="{at[mask][0]:.0f}" y1="{at[mask][1] + 20:.0f}" x2="{at[low][0]:.0f}" y2="{at[low][1] - 20:.0f}"/>'
        for mask in at
        for i in range(n)
        if n < 6 and mask >> i & 1
        for low in [mask & ~(1 << i)]
    ]
    boxes = []
    for mask, (x, y) in at.items():
        kept = [str(i + 1) if numbered else name for i, name in enumerate(d.features) if mask >> i & 1]
        number = "" if errors is None else f'<text x="{x:.0f}" y="{y + 14:.0f}">{errors[mask]}</text>'
        boxes.append(
            f'<rect x="{x - wide / 2:.0f}" y="{y - 20:.0f}" width="{wide:.0f}" height="40" rx="4"/>'
            f'<text x="{x:.0f}" y="{y - 5:.0f}">{html.escape(", ".join(kept)) or "∅"}</text>{number}'
        )
    legend = ", ".join(f"{i}: {name}" for i, name in enumerate(d.features, 1))
    note = f"<p>{html.escape(legend)}</p>" if numbered else ""
    return f'<svg viewBox="0 0 {width:.0f} {len(rows) * high:.0f}" role="img">{"".join(edges + boxes)}</svg>{note}'


def _asked(question: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    """Return a question with room for the answer."""
    choice = f"☐ {words['yes']} &emsp; ☐ {words['no']}"
    goal = f"<br>{html.escape(question['goal']['words'])}" if "goal" in question else ""
    room = choice if isinstance(question["answer"], bool) else f'{words["handout_answer"]} <span class="line"></span>'
    return f"<li>{html.escape(question['text'])}{goal}<br>{room}</li>"


def _told(question: Mapping[str, Any], d: Any, errors: Sequence[int], words: Mapping[str, Any]) -> str:
    """Return a question with its answer, its numbers, its reasons and its hint."""
    lines = "<br>".join(html.escape(line) for line in _answers(question, d, errors, words))
    extra = [
        f"<br><i>{words[label]}</i> {html.escape(question[key])}"
        for key, label in (("right", "handout_right"), ("wrong", "handout_wrong"), ("hint", "handout_hint"))
        if key in question
    ]
    return f"<li>{html.escape(question['text'])}<br><b>{lines}</b>{''.join(extra)}</li>"


def _answers(question: Mapping[str, Any], d: Any, errors: Sequence[int], words: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the answer to a question."""
    answer, goal = question["answer"], question.get("goal")
    if goal is not None:
        names = (*d.features, d.target)
        cells = itertools.product(*(d.states[name] for name in names))
        named = [", ".join(f"{name} = {label}" for name, label in zip(names, cell, strict=True)) for cell in cells]
        yield goal["words"]
        step = words["goalStep"].format_map
        ways = "; ".join(step({"count": c, "from": named[a], "to": named[b]}) for a, b, c in goal["moves"])
        if ways:
            yield words["goalWay"].format(ways=ways)
        if goal["fewest"]:
            yield words["goalLeast" if goal["proved"] else "goalSaid"].format(fewest=goal["fewest"])
    elif isinstance(answer, bool):
        yield words["yes" if answer else "no"]
    elif answer is None:
        yield words["handout_open"]
    else:
        for mask in answer:
            yield f"{format_subset(mask, d.features)}: {words['of'].format(part=errors[mask], whole=d.total)}"
