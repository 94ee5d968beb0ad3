"""Names, numbers and sentences that the text and the page share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from fstheory._display import few
from fstheory._exact import both, readable
from fstheory.distribution import AssumptionCheck, JointDistribution, Label
from fstheory.reporting.facts import MOST_CELLS, MOST_SUBSETS, Disagreement, Facts
from fstheory.selection import RelevanceWitness
from fstheory.subsets import format_subset, mask_of, order_by
from fstheory.table import SubsetTable

__all__ = [
    "METHODS", "Ranked", "about", "assignments", "both", "differences", "few", "listed", "name_of", "outcome", "plural",
    "ranked", "relevance_witness", "verdict", "weight", "why_no_criteria", "witness_of",
]  # fmt: skip

METHODS = {
    "backward": "backward search (Table 1)",
    "one-shot": "one-shot (Table 2)",
    "resampling": "resampling (Thm. 7)",
}


class Ranked(NamedTuple):
    """One row of a table of risks."""

    mask: int
    level: int
    value: Fraction


def ranked(table: SubsetTable[Fraction], most: int) -> list[Ranked]:
    """Return the first rows in the order of the values, those of equal value by size."""
    positions = order_by(table.ranks, table.masks, len(table.features))[:most].tolist()
    masks = table.masks[positions].tolist()
    levels = table.ranks[positions].tolist()
    return [Ranked(mask, level, table.value_at(mask)) for mask, level in zip(masks, levels, strict=True)]


def name_of(subset: Iterable[str], features: Sequence[str]) -> str:
    """Write a subset given by names."""
    return format_subset(mask_of(subset, features), features)


def plural(count: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{count} {noun}{'es' * noun.endswith('s') or 's'}" if count != 1 else f"1 {noun}"


def weight(total: int) -> str:
    """Write the total weight of a distribution."""
    return str(total) if total.bit_length() <= 64 else f"an integer of {total.bit_length()} bits"


def about(d: JointDistribution) -> str:
    """Say in one line what the variables are."""
    features = ", ".join(f"{name} ({states})" for name, states in zip(d.features, d.cardinalities, strict=True))
    listed = f": {features}" if features else ""
    return f"{plural(len(d.features), 'feature')}{listed}; target {d.target} ({plural(len(d.classes), 'class')})"


def assignments(state: Mapping[str, Label]) -> str:
    """Write a state of some features: ``class = crew, age = child``."""
    return ", ".join(f"{name} = {label}" for name, label in state.items())


def witness_of(check: AssumptionCheck) -> str:
    """Say where an assumption fails; nothing if it holds."""
    if check.witness is None:
        return ""
    ties = f", where {' and '.join(map(str, check.maximizers))} tie" if check.maximizers else ""
    return f"at {assignments(check.witness) or 'the only state'}{ties}"


def verdict(facts: Facts) -> str:
    """Say whether the theorems promise a single solution, and whether there is one."""
    if facts.guaranteed:
        return "Both assumptions hold, so this is the only solution, and every method finds it (Theorems 4 to 7)."
    failing = " and ".join(
        name
        for name, check in (("p(x) > 0", facts.positive), ("a single maximum of p(Y|x)", facts.unique_maximum))
        if not check
    )
    if facts.is_unique:
        return f"Without {failing} no theorem promises that it is the only solution, but it is."
    common = name_of(facts.one_shot.features, facts.distribution.features)
    return f"Without {failing} the solution need not be unique, and here it is not; all solutions share {common}."


def outcome(facts: Facts, method: str) -> str:
    """Say what the set that a method returned is."""
    found = facts.methods[method]
    if found.is_solution:
        return "the solution" if facts.is_unique else "a solution"
    return "minimal risk, but not a minimal set" if found.risk == facts.risks.minimum else "not of minimal risk"


def relevance_witness(witness: RelevanceWitness, target: str) -> str:
    """Say where a feature matters."""
    given = f" where {assignments(witness.state)}" if witness.state else ""
    first, second = witness.values
    return f"p({target} | {witness.feature}) differs between {first} and {second}{given}"


def differences(facts: Facts, names: Callable[[frozenset[str]], str]) -> list[str]:
    """Say where criteria choose subsets that are not of least Bayes risk, a sentence for each size and choice."""
    if not facts.disagreements:
        return ["At every size, the best subsets by each other criterion also have the least Bayes risk."]
    groups: dict[tuple[int, frozenset[str], bool], list[Disagreement]] = {}
    for found in facts.disagreements:
        groups.setdefault((found.size, found.subset, found.always), []).append(found)
    sentences = []
    for (size, subset, always), members in groups.items():
        titles = [found.title for found in members]
        verb = "may choose" if not always else "choose" if len(titles) > 1 else "chooses"
        sentences.append(
            f"Of {plural(size, 'feature')}, the {listed(titles)} {verb} {names(subset)}, "
            f"of Bayes risk {readable(members[0].risk)} where {readable(members[0].least)} is possible."
        )
    return sentences


def listed(words: Sequence[str]) -> str:
    """Write some words as a list in a sentence."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def why_no_criteria() -> str:
    """Say why criteria are not compared."""
    return (
        f"Other criteria are compared up to {MOST_SUBSETS} subsets and {MOST_CELLS} cells of their marginals; "
        "this distribution has more. Ask 'fstheory criterion' for one of them."
    )
