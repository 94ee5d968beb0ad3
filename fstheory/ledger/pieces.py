"""Pieces of evidence for the entries, each with the line that reproduces it."""

from __future__ import annotations

from fstheory.ledger.entry import Evidence

__all__ = ["argued", "exhausted", "proved", "realized", "refuted", "refuted_by_example", "surveyed"]

Sizes = tuple[int, ...]

_FAMILY = "every distribution of small shapes up to a total"


def refuted(
    key: str, what: str, cardinalities: Sizes = (2,), classes: int = 2, *, without: str = "", name: str = ""
) -> Evidence:
    """Return a smallest counterexample on a shape, and the file it is in.

    Examples
    --------
    >>> refuted("B-2", "two people").reproduce
    'fstheory refute B-2 --cardinalities 2 --classes 2'
    """
    dropped = f"-without-{without}" if without else ""
    option = f" --without {without}" if without else ""
    line = f"fstheory refute {key}{option} --cardinalities {_listed(cardinalities)} --classes {classes}"
    return Evidence("R", what, line, f"{key}{dropped}{name}.json")


def proved(key: str, *shapes: tuple[Sizes, int]) -> tuple[Evidence, ...]:
    """Return a proof for each of some shapes.

    Examples
    --------
    >>> [piece.certificate for piece in proved("A-2", ((2, 2), 2))]
    ['A-2-proof-2x2-2.json']
    """
    return tuple(
        Evidence(
            "P",
            f"{' x '.join(map(str, sizes))} states, {classes} classes",
            f"fstheory prove {key} --cardinalities {_listed(sizes)} --classes {classes}",
            f"{key}-proof-{'x'.join(map(str, sizes))}-{classes}.json",
        )
        for sizes, classes in shapes
    )


def realized(key: str, what: str) -> Evidence:
    """Return a distribution that shows what the statement says to exist."""
    return Evidence("C", what, f"python -m tests.ledger.certify {key}", f"{key}.json")


def refuted_by_example(key: str, what: str) -> Evidence:
    """Return that a statement about an example is false of it."""
    return Evidence("R", what, f"python -m tests.ledger.certify {key}", f"{key}.json")


def exhausted(key: str, count: int, what: str = _FAMILY) -> Evidence:
    """Return that a statement was decided on all distributions of a family where its assumptions are true.

    Examples
    --------
    >>> exhausted("B-3", 10).reproduce
    'python -m tests.ledger.check_true B-3'
    """
    return Evidence("X", what, f"python -m tests.ledger.check_true {key}", count=count)


def surveyed(what: str, script: str, count: int) -> Evidence:
    """Return that a statement was checked by a script that computes everything from the definitions."""
    return Evidence("C", what, f"python -m {script}", count=count)


def argued(chapter: str, what: str = "") -> Evidence:
    """Return that there is a proof in the textbook, or what the argument is.

    Examples
    --------
    >>> argued("criteria").what
    'textbook, criteria'
    """
    return Evidence("M", what or f"textbook, {chapter}", f"docs/textbook/{chapter}.md")


def _listed(sizes: Sizes) -> str:
    return ",".join(map(str, sizes))
