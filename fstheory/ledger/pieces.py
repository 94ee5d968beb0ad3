"""Pieces of evidence for the entries, each with the line that reproduces it."""

from __future__ import annotations

import math

from fstheory.ledger.entry import Evidence

__all__ = [
    "CHECKOUT",
    "Part",
    "argued",
    "exhausted",
    "family",
    "proved",
    "realized",
    "refuted",
    "refuted_by_example",
    "surveyed",
]

Sizes = tuple[int, ...]
Part = tuple[Sizes, int, int]
"""Cardinalities, classes, and the largest total."""

CHECKOUT = "from a checkout: python -m "
"""Before the name of a script that stands among the tests, which no installed package has."""

_FAMILY: tuple[Part, ...] = (
    ((2,), 2, 8),
    ((2,), 3, 6),
    ((3,), 2, 6),
    ((2, 2), 2, 6),
    ((2, 2), 3, 4),
    ((2, 3), 2, 4),
    ((2, 2, 2), 2, 3),
)
_SMALL = tuple(part for part in _FAMILY if math.prod(part[0]) <= 4)
_FEW: tuple[Part, ...] = (
    ((2,), 2, 6),
    ((2,), 3, 4),
    ((3,), 2, 4),
    ((2, 2), 2, 4),
    ((2, 2), 3, 3),
    ((2, 3), 2, 3),
    ((2, 2, 2), 2, 2),
)
_ON_FEW = {"B-0hc", "B-0kc", "B-0m", "B-0i", "B-0", "B-0n", "B-0a", "B-0l", "B-0r", "B-1k", "A-5"}
_ON_SMALL = {"A-3", "A-4", "A-4r", "A-7", "A-7c", "A-7s", "A-8", "A-L"}


def family(key: str) -> tuple[Part, ...]:
    """Return the shapes and totals on which a true statement was decided for every distribution.

    Statements about all classifiers or all rankings have fewer states; where long sums of logarithms are compared, each
    of which takes milliseconds, the totals are smaller.

    Examples
    --------
    >>> family("B-3")[0]
    ((2,), 2, 8)
    """
    return _SMALL if key in _ON_SMALL else _FEW if key in _ON_FEW else _FAMILY


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
    return Evidence("C", what, _verified(key), f"{key}.json")


def refuted_by_example(key: str, what: str) -> Evidence:
    """Return that a statement about an example is false of it."""
    return Evidence("R", what, _verified(key), f"{key}.json")


def _verified(key: str) -> str:
    return f"fstheory audit {key}  # verifies it; made {CHECKOUT}tests.ledger.certify {key}"


def exhausted(key: str, count: int) -> Evidence:
    """Return that a statement was decided on all distributions of a family where its assumptions are true.

    Examples
    --------
    >>> print(exhausted("B-3", 10).reproduce)  # doctest: +ELLIPSIS
    fstheory refute B-3 --cardinalities 2 --classes 2 --max-total 8  # and so on; counted from a checkout: ...
    """
    parts = family(key)
    named = ", ".join(f"{'x'.join(map(str, sizes))}|{classes} up to {total}" for sizes, classes, total in parts)
    sizes, classes, total = parts[0]
    line = f"fstheory refute {key} --cardinalities {_listed(sizes)} --classes {classes} --max-total {total}"
    return Evidence(
        "X",
        f"every distribution of these states|classes with a total: {named}",
        f"{line}  # and so on; counted {CHECKOUT}tests.ledger.check_true {key}",
        count=count,
    )


def surveyed(what: str, script: str, count: int) -> Evidence:
    """Return that a statement was checked by a script that computes everything from the definitions."""
    return Evidence("C", what, f"{CHECKOUT}{script}", count=count)


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
