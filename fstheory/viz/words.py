"""A picture in words: its title, and what a screen reader says."""

from __future__ import annotations

from fstheory._exact import format_fraction
from fstheory.subsets import format_subset
from fstheory.viz.marks import Marks
from fstheory.viz.protocol import LatticeTable
from fstheory.viz.scene import Scene
from fstheory.viz.values import format_value

__all__ = ["describe", "entitle"]

_LISTED = 32  # subsets whose values a description lists
_LONG = 60  # characters of a list of features that a title has room for


def entitle(table: LatticeTable) -> str:
    """Return the title of a drawing of a table."""
    n, held = len(table.features), len(table.masks)
    everything = "{" + ", ".join(table.features) + "}"
    whole = everything if len(everything) <= _LONG else f"{n} features"
    part = "the" if held == 2**n else f"{held} of the {2**n}" if n <= 20 else f"{held}"
    return f"{table.name} {table.symbol}(S) of {part} subsets S of {whole}"


def describe(table: LatticeTable, scene: Scene, marks: Marks) -> str:
    """Return the content of a drawing as sentences."""

    def write(position: int) -> str:
        return format_subset(int(scene.masks[position]), table.features)

    ties, covers = int((scene.covers.step == 0).sum()), len(scene.covers.step)
    sentences = [f"Hasse diagram of {len(scene.masks)} subsets with {covers} edges, {ties} of which lose nothing."]
    if len(scene.masks) <= _LISTED:
        exact = (value if value.denominator < 10**9 else None for value in scene.values)
        texts = [
            f"{write(i)}: {format_fraction(short) if short is not None else format_value(value)}"
            for i, (short, value) in enumerate(zip(exact, scene.values, strict=True))
        ]
        sentences.append(f"{table.symbol} by subset: {'; '.join(texts)}.")
    if marks.best is not None:
        sentences.append(f"Minimal-optimal: {write(marks.best)}.")
    for words, positions in (("Minimal", marks.minimal), ("Path", marks.path), ("Optimal for its size", marks.optimal)):
        if positions:
            sentences.append(f"{words}: {'; '.join(map(write, positions))}.")
    return " ".join(sentences)
