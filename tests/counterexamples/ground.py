"""The theorems on Bayes risks as ground statements, written out by hand: what the tests of proofs prove."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

from fstheory.logic.nodes import Node
from fstheory.logic.statement import Named, Shape, Statement

ZERO: Node = ("q", Fraction(0))
ONE: Node = ("q", Fraction(1))


def subsets(features: Iterable[int]) -> Iterator[tuple[int, ...]]:
    kept = sorted(features)
    for size in range(len(kept) + 1):
        yield from itertools.combinations(kept, size)


def states_of(features: Iterable[int], shape: Shape) -> Iterator[tuple[int | None, ...]]:
    kept = sorted(features)
    for values in itertools.product(*(range(shape.cardinalities[i]) for i in kept)):
        chosen = dict(zip(kept, values, strict=True))
        yield tuple(chosen.get(i) for i in range(len(shape.cardinalities)))


def everything(shape: Shape) -> tuple[int, ...]:
    return tuple(range(len(shape.cardinalities)))


def wins(states: tuple[int | None, ...], y: int, shape: Shape) -> Node:
    return ("and", *(("<", ("P", states, z), ("P", states, y)) for z in range(shape.classes) if z != y))


def positive(shape: Shape, features: Iterable[int] | None = None) -> list[Node]:
    kept = everything(shape) if features is None else features
    return [("<", ZERO, ("P", states, None)) for states in states_of(kept, shape)]


def unique(shape: Shape, features: Iterable[int] | None = None) -> list[Node]:
    kept = everything(shape) if features is None else features
    return [
        ("or", ("=", ("P", states, None), ZERO), *(wins(states, y, shape) for y in range(shape.classes)))
        for states in states_of(kept, shape)
    ]


def statement(
    claim: str, shape: Shape, show: Iterable[Node], assume: Iterable[str] = ("positive", "unique_maximum")
) -> Statement:
    families = {"positive": positive, "unique_maximum": unique}
    return Statement(
        claim,
        shape,
        tuple(
            Named(name, (("number", i),), formula) for name in assume for i, formula in enumerate(families[name](shape))
        ),
        tuple(Named(claim, (("number", i),), formula) for i, formula in enumerate(show)),
    )


def monotone(shape: Shape) -> Statement:
    full = everything(shape)
    show = [("<=", ("R", large), ("R", small)) for large in subsets(full) for small in subsets(large) if small != large]
    return statement("PN-M", shape, show, [])


def theorem_2(shape: Shape) -> Statement:
    """Every classifier g on S: R(ST) = R(g) iff g*(st) = g(s) for all st, if ST meets both assumptions."""
    show = []
    for both in subsets(everything(shape)):
        for kept in subsets(both):
            cells = list(states_of(kept, shape))
            for table in itertools.product(range(shape.classes), repeat=len(cells)):
                right = ("+", *(("P", cell, y) for cell, y in zip(cells, table, strict=True)))
                risk = ("+", ONE, ("*", ("q", Fraction(-1)), right))
                agree = (
                    "and",
                    *(
                        wins(s, table[cells.index(tuple(v if i in kept else None for i, v in enumerate(s)))], shape)
                        for s in states_of(both, shape)
                    ),
                )
                same = ("iff", ("=", ("R", both), risk), agree)
                show.append(("implies", ("and", *positive(shape, both), *unique(shape, both)), same))
    return statement("PN-2", shape, show, [])


def theorem_3(shape: Shape) -> Statement:
    full = everything(shape)
    show = []
    for place in itertools.product(range(4), repeat=len(full)):
        s, t, u = (tuple(i for i in full if place[i] == part) for part in (1, 2, 3))
        if not t or not u or t > u:
            continue
        whole = tuple(sorted(s + t + u))
        risk = ("R", whole)
        same = (
            "iff",
            ("and", ("=", risk, ("R", tuple(sorted(s + t)))), ("=", risk, ("R", tuple(sorted(s + u))))),
            ("=", risk, ("R", s)),
        )
        show.append(
            ("implies", ("and", *positive(shape, whole), *unique(shape, whole)), same) if whole != full else same
        )
    return statement("PN-3", shape, show)


def minimal_optimal(kept: tuple[int, ...], shape: Shape) -> Node:
    full = ("R", everything(shape))
    return (
        "and",
        ("=", ("R", kept), full),
        *(("not", ("=", ("R", part), full)) for part in subsets(kept) if part != kept),
    )


def theorem_4(shape: Shape) -> Statement:
    pairs = itertools.combinations(list(subsets(everything(shape))), 2)
    show = [("not", ("and", minimal_optimal(a, shape), minimal_optimal(b, shape))) for a, b in pairs]
    return statement("PN-4", shape, show)


def theorem_5(shape: Shape) -> Statement:
    """Backward search in any order: where it can stop, there is a minimal-optimal set, and no other."""
    full = everything(shape)
    show = []
    for kept in subsets(full):
        less = (("R", tuple(j for j in kept if j != i)) for i in kept)
        stops = ("and", ("=", ("R", kept), ("R", full)), *(("not", ("=", risk, ("R", kept))) for risk in less))
        show.append(("implies", stops, minimal_optimal(kept, shape)))
        show.extend(
            ("implies", stops, ("not", minimal_optimal(other, shape))) for other in subsets(full) if other != kept
        )
    return statement("PN-5", shape, show)


def theorem_6(shape: Shape) -> Statement:
    full = everything(shape)
    show = []
    for kept in subsets(full):
        for i in full:
            without = ("R", tuple(j for j in full if j != i))
            needed = ("not", ("=", without, ("R", full)))
            show.append(("implies", minimal_optimal(kept, shape), needed if i in kept else ("not", needed)))
    return statement("PN-6", shape, show)


def theorem_7(shape: Shape) -> Statement:
    full = everything(shape)
    show = []
    for kept in subsets(full):
        for i in full:
            rest = [j for j in full if j != i]
            differ = []
            for states in states_of(rest, shape):
                pair = itertools.combinations(range(shape.cardinalities[i]), 2)
                for a, b in pair:
                    at = [tuple(v if j == i else w for j, w in enumerate(states)) for v in (a, b)]
                    agree = (
                        "or",
                        *(("and", wins(at[0], y, shape), wins(at[1], y, shape)) for y in range(shape.classes)),
                    )
                    differ.append(
                        ("and", ("<", ZERO, ("P", at[0], None)), ("<", ZERO, ("P", at[1], None)), ("not", agree))
                    )
            needed = ("or", *differ)
            show.append(("implies", minimal_optimal(kept, shape), needed if i in kept else ("not", needed)))
    return statement("PN-7", shape, show)


THEOREMS = {
    "PN-M": monotone,
    "PN-2": theorem_2,
    "PN-3": theorem_3,
    "PN-4": theorem_4,
    "PN-5": theorem_5,
    "PN-6": theorem_6,
    "PN-7": theorem_7,
}
