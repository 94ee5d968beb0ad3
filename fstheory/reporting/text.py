"""A report as text for a terminal."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Collection, Sequence

from fstheory._exact import approximate, readable
from fstheory.reporting.facts import Facts
from fstheory.reporting.words import (
    METHODS,
    about,
    both,
    differences,
    few,
    listed,
    name_of,
    outcome,
    verdict,
    weight,
    why_no_criteria,
    witness_of,
)

__all__ = ["columns", "fold", "render_text"]

_WIDTH = 100
_TIED = "\0"  # a blank at which no line is broken
_LEVELS, _TESTS = 32, 24


def render_text(facts: Facts) -> str:
    """Return the summary."""
    d = facts.distribution
    sections = [
        [facts.name, "=" * len(facts.name), f"{about(d)}; total weight {weight(d.total)}"],
        ["Assumptions", *_assumptions(facts)],
        ["Minimal-optimal subset" if facts.is_unique else "Minimal-optimal subsets", *_solutions(facts)],
        ["Bayes risks, smallest first", *_risks(facts)],
        ["Best subsets of each size", *_optima(facts)],
        *([["Best subsets of each size by other criteria", *_criteria(facts)]] if len(d.features) > 1 else []),
        ["Relevance (Kohavi and John) and Markov blankets", *_relevance(facts)],
    ]
    return fold("\n\n".join("\n".join(section) for section in sections))


def _assumptions(facts: Facts) -> list[str]:
    lines = []
    for check in (facts.positive, facts.unique_maximum):
        where = f": {witness_of(check)}" if not check else ""
        lines.append(f"  {'holds' if check else 'fails'}  {check.assumption}{where}")
    return lines


def _solutions(facts: Facts) -> list[str]:
    features = facts.distribution.features
    which = "S* =" if facts.is_unique else f"{len(facts.solutions)} solutions:"
    risk = f"Bayes risk {both(facts.risks.minimum)}; without features {both(facts.risks[()])}"
    rows = [
        (title, name_of(facts.methods[method].features, features), outcome(facts, method))
        for method, title in METHODS.items()
    ]
    tests = [step.row for step in facts.backward.trace]
    hidden = len(tests) - _TESTS
    return [
        f"  {which} {_listed(facts.solutions, features)}, {risk}",
        f"  {verdict(facts)}",
        *columns(rows, "  "),
        *(["  Tests of backward search:"] if tests else []),
        *columns(tests[:_TESTS], "    "),
        *([f"    ... {hidden} more tests"] if hidden > 0 else []),
    ]


def _risks(facts: Facts) -> list[str]:
    ordering, features = facts.risks.ordering(), facts.distribution.features
    rows = [
        (readable(level.value), approximate(level.value), _listed(level.subsets, features))
        for level in itertools.islice(ordering, _LEVELS)
    ]
    hidden = len(ordering) - _LEVELS
    return [*columns(rows, "  ", (0, 1)), *([f"  ... {hidden} more levels"] if hidden > 0 else [])]


def _optima(facts: Facts) -> list[str]:
    features = facts.distribution.features
    rows = [(str(k), readable(level.value), _listed(level.subsets, features)) for k, level in enumerate(facts.optima)]
    return columns(rows, "  ", (0, 1))


def _criteria(facts: Facts) -> list[str]:
    if not facts.criteria:
        return [f"  {why_no_criteria()}"]
    features = facts.distribution.features
    rows: list[tuple[str, str, str]] = []
    alike = []
    for k in range(1, len(features)):  # of no features, and of all, there is one subset only
        groups: dict[tuple[frozenset[str], ...], list[str]] = {}
        for criterion in facts.criteria:
            groups.setdefault(criterion.optima[k].subsets, []).append(criterion.title)
        if len(groups) == 1:
            alike.append(str(k))
            continue
        for i, (subsets, titles) in enumerate(groups.items()):
            rows.append(("" if i else str(k), ", ".join(titles), _listed(subsets, features)))
    names = listed([criterion.title for criterion in facts.criteria])
    same = f"  Of {listed(alike)} feature{'s' * (alike != ['1'])} all have the same best subsets." if alike else ""
    return [
        f"  Compared: {names}. The log loss is least where the mutual information with the class is greatest.",
        *([same] if same else []),
        *(columns(rows, "  ", (0,)) if rows else []),
        *(f"  {line}" for line in differences(facts, lambda subset: name_of(subset, features).replace(" ", _TIED))),
    ]


def _relevance(facts: Facts) -> list[str]:
    features, found = facts.distribution.features, facts.relevance
    groups = (("strongly relevant", found.strong), ("weakly relevant", found.weak), ("irrelevant", found.irrelevant))
    rows = [(name, ", ".join(x for x in features if x in group) or "none") for name, group in groups]
    what = "Markov boundary" if len(facts.blankets) == 1 else "minimal Markov blankets"
    return columns([*rows, (what, _listed(facts.blankets, features))], "  ")


def columns(rows: Sequence[Sequence[str]], indent: str, numbers: Collection[int] = ()) -> list[str]:
    """Align the columns of a table at the left, those of numbers at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in numbers else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def fold(text: str) -> str:
    """Break lines longer than 100 characters at blanks; what goes on is indented by four more."""
    folded: list[str] = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        whole = textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        folded += whole or [line]
    return "\n".join(folded).replace(_TIED, " ")


def _listed(subsets: Sequence[frozenset[str]], features: Sequence[str]) -> str:
    """Write the first few subsets, each to stay on one line."""
    return few(lambda subset: name_of(subset, features).replace(" ", _TIED), subsets)
