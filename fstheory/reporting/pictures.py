"""The drawings of a report."""

from __future__ import annotations

from typing import Any

from fstheory.errors import MissingDependencyError
from fstheory.reporting.facts import Facts
from fstheory.viz import MOST_NODES

__all__ = ["BY_RISK", "BY_SIZE", "draw_pictures", "why_none"]

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
