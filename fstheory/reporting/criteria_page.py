"""The section of the page that shows the criteria side by side."""

from __future__ import annotations

from typing import Any

from fstheory.reporting.criteria import CriterionOptima
from fstheory.reporting.facts import Facts
from fstheory.reporting.html import Cell, escape, set_of, table
from fstheory.reporting.words import differences, why_no_criteria
from fstheory.table import Level
from fstheory.table.rounding import decimal_text, exact_text

__all__ = ["criteria_section"]

_TIES = 2  # subsets in a cell
_LONGEST = 12  # characters of an exact number in a cell
_HEAD = "<h2>The best subsets by other criteria</h2>"


def criteria_section(facts: Facts) -> str:
    """Return the section: the best subsets by size and criterion, and where their Bayes risk is not least."""
    if not facts.criteria:
        return f'{_HEAD}\n<p class="faint">{escape(why_no_criteria())}</p>'
    features = facts.distribution.features
    disagreeing = {(found.size, found.title) for found in facts.disagreements}
    rows = [
        [str(k), *(_cell(facts, criterion, k, disagreeing) for criterion in facts.criteria)]
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


def _cell(facts: Facts, criterion: CriterionOptima, k: int, disagreeing: set[tuple[int, str]]) -> Cell:
    features, level = facts.distribution.features, criterion.optima[k]
    if criterion is not facts.criteria[0] and level.subsets == facts.criteria[0].optima[k].subsets:
        lines = ['<span class="faint">the same</span>']
    else:
        mark = "†" if (k, criterion.title) in disagreeing else ""
        lines = [set_of(subset, features) + mark for subset in level.subsets[:_TIES]]
        hidden = len(level.subsets) - _TIES
        lines += [f"and {hidden} more"] if hidden > 0 else []
    return "<br>".join([*lines, f'<span class="faint">{escape(_short(level))}</span>'])


def _short(level: Level[Any]) -> str:
    exact = exact_text(level.value)
    return exact if len(exact) <= _LONGEST else f"≈{decimal_text(level.value)}"
