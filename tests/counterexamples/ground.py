"""The theorems on Bayes risks as ground statements, written out by hand: what the tests of proofs prove."""

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
    return itertools.product(*(range(k) if i in features else (None,) for i, k in enumerate(shape.cardinalities)))


def everything(shape: Shape) -> tuple[int, ...]:
    return tuple(range(len(shape.cardinalities)))


def wins(states: tuple[int | None, ...], y: int, shape: Shape) -> Node:
    return ("and", *(("<", ("P", states, z), ("P", states, y)) for z in range(shape.classes) if z != y))


def positive(shape: Shape, features: Iterable[int]) -> list[Node]:
    return [("<", ZERO, ("P", states, None)) for states in states_of(features, shape)]


def unique(shape: Shape, features: Iterable[int]) -> list[Node]:
    return [
        ("or", ("=", ("P", states, None), ZERO), *(wins(states, y, shape) for y in range(shape.classes)))
        for states in states_of(features, shape)
    ]


ASSUMPTIONS = {"positive": positive, "unique_maximum": unique}


def statement(claim: str, shape: Shape, show: Iterable[Node], assume: Iterable[str] = tuple(ASSUMPTIONS)) -> Statement:
    def family(name: str, formulas: Iterable[Node]) -> tuple[Named, ...]:
        return tuple(Named(name, (("number", i),), formula) for i, formula in enumerate(formulas))

    assumed = (family(name, ASSUMPTIONS[name](shape, everything(shape))) for name in assume)
    return Statement(claim, shape, tuple(itertools.chain(*assumed)), family(claim, show))


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
            parts = {s: tuple(v if i in kept else None for i, v in enumerate(s)) for s in states_of(both, shape)}
            for table in itertools.product(range(shape.classes), repeat=len(cells)):
                g = dict(zip(cells, table, strict=True))
                right = ("+", *(("P", cell, y) for cell, y in g.items()))
                risk = ("+", ONE, ("*", ("q", Fraction(-1)), right))
                agree = ("and", *(wins(s, g[part], shape) for s, part in parts.items()))
                same = ("iff", ("=", ("R", both), risk), agree)
                show.append(("implies", ("and", *positive(shape, both), *unique(shape, both)), same))
    return statement("PN-2", shape, show, [])


def theorem_3(shape: Shape) -> Statement:
    full = everything(shape)
    show: list[Node] = []
    for place in itertools.product(range(4), repeat=len(full)):
        s, t, u = (tuple(i for i in full if place[i] == part) for part in (1, 2, 3))
        if not t or not u or t > u:
            continue
        whole = tuple(sorted(s + t + u))
        st, su, stu = (("R", tuple(sorted(part))) for part in (s + t, s + u, whole))
        same = ("iff", ("and", ("=", stu, st), ("=", stu, su)), ("=", stu, ("R", s)))
        assumed = ("and", *positive(shape, whole), *unique(shape, whole))
        show.append(("implies", assumed, same) if whole != full else same)
    return statement("PN-3", shape, show)


def minimal_optimal(kept: tuple[int, ...], shape: Shape) -> Node:
    full = ("R", everything(shape))
    parts = (("not", ("=", ("R", part), full)) for part in subsets(kept) if part != kept)
    return ("and", ("=", ("R", kept), full), *parts)


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
        others = [("not", minimal_optimal(other, shape)) for other in subsets(full) if other != kept]
        show += [("implies", stops, formula) for formula in (minimal_optimal(kept, shape), *others)]
    return statement("PN-5", shape, show)


def decides(claim: str, shape: Shape, needed: list[Node]) -> Statement:
    """Return that a feature is in the minimal-optimal set exactly if the condition for it is true."""
    show = []
    for kept in subsets(everything(shape)):
        for i, condition in enumerate(needed):
            show.append(("implies", minimal_optimal(kept, shape), condition if i in kept else ("not", condition)))
    return statement(claim, shape, show)


def theorem_6(shape: Shape) -> Statement:
    full = everything(shape)
    return decides("PN-6", shape, [("not", ("=", ("R", full[:i] + full[i + 1 :]), ("R", full))) for i in full])


def theorem_7(shape: Shape) -> Statement:
    full = everything(shape)
    needed: list[Node] = [("or",)] * len(full)
    for i in full:
        for states in states_of(full[:i] + full[i + 1 :], shape):
            for pair in itertools.combinations(range(shape.cardinalities[i]), 2):
                at = [(*states[:i], v, *states[i + 1 :]) for v in pair]
                agree = ("or", *(("and", *(wins(s, y, shape) for s in at)) for y in range(shape.classes)))
                needed[i] += (("and", *(("<", ZERO, ("P", s, None)) for s in at), ("not", agree)),)
    return decides("PN-7", shape, needed)


THEOREMS = {"PN-M": monotone, "PN-2": theorem_2, "PN-3": theorem_3, "PN-4": theorem_4}
THEOREMS |= {"PN-5": theorem_5, "PN-6": theorem_6, "PN-7": theorem_7}
