"""The members of the gallery, defined a second time: their features, and the mass of each cell.

Nothing here imports fstheory. The definitions are in other forms than the package's: MONK's problems in numeric codes,
the display by Hamming distances, the network as a product of two-way tables. A cell holds the position of each state,
the class last. The two tables of counts stand in tests/oracles/gallery_published.json.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

Pmf: TypeAlias = dict[tuple[int, ...], Fraction]
"""The cells of positive probability."""

SEGMENTS = ["top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom"]
LIT = [119, 18, 93, 91, 58, 107, 111, 82, 127, 123]  # the segments as bits, top first
ROBOT = ["head_shape", "body_shape", "is_smiling", "holding", "jacket_color", "has_tie"]
CLINIC = ["asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"]
TENTH = Fraction(1, 10)


def cells_of(sizes: Sequence[int], weight: Callable[..., Fraction | int]) -> Pmf:
    """Return the distribution over variables with so many states that is proportional to a weight."""
    weights = {cell: Fraction(weight(*cell)) for cell in product(*map(range, sizes))}
    total = sum(weights.values())
    return {cell: w / total for cell, w in weights.items() if w}


def bits(n: int, weight: Callable[..., Fraction | int]) -> Pmf:
    """Return the distribution over n bits and a binary class that is proportional to a weight."""
    return cells_of([2] * (n + 1), weight)


def robots(problem: int, noise: Fraction) -> Pmf:
    """Return a MONK's problem."""
    concepts: dict[int, Callable[..., bool]] = {
        1: lambda *a: a[0] == a[1] or a[4] == 0,
        2: lambda *a: a.count(0) == 2,
        3: lambda *a: (a[4] == 2 and a[3] == 0) or (a[4] != 3 and a[1] != 2),
    }
    sizes = (3, 3, 2, 3, 4, 2, 2)
    return cells_of(sizes, lambda *a: 1 - noise if concepts[problem](*a[:-1]) == a[-1] else noise)


def display(classes: int, noise: Fraction) -> Pmf:
    """Return the display: a segment differs from the digit's with the probability `noise`; the parity sums digits."""

    def weight(*cell: int) -> Fraction:
        code = int("".join(map(str, cell[:-1])), 2)
        wrong = [(code ^ lit).bit_count() for digit, lit in enumerate(LIT) if digit % classes == cell[-1]]
        return sum((noise**h * (1 - noise) ** (7 - h) for h in wrong), Fraction(0))

    return cells_of([2] * 7 + [classes], weight)


def clinic(target: str) -> Pmf:
    """Return the chest clinic network with the target last."""
    pmf: Pmf = {}
    for a, s, t, c, b, x, d in product((0, 1), repeat=7):
        e = max(t, c)
        percent = [
            (1, 99)[1 - a],
            50,
            ((1, 99), (5, 95))[a][1 - t],
            ((1, 99), (10, 90))[s][1 - c],
            ((30, 70), (60, 40))[s][1 - b],
            ((5, 95), (98, 2))[e][1 - x],
            (((10, 90), (70, 30)), ((80, 20), (90, 10)))[b][e][1 - d],
        ]
        state = dict(zip(CLINIC, (a, s, t, c, b, e, x, d), strict=True))
        pmf[(*(state[name] for name in CLINIC if name != target), state[target])] = Fraction(math.prod(percent), 100**7)
    return pmf


def given_class(ones: Sequence[tuple[str, str]], prior: tuple[str, str] = ("0.5", "0.5")) -> Pmf:
    """Return bits that are independent given the class; `ones` holds P(Xi=1|first), P(Xi=1|second)."""

    def weight(*cell: int) -> Fraction:
        *x, y = cell
        parts = (Fraction(one[y]) if bit else 1 - Fraction(one[y]) for bit, one in zip(x, ones, strict=True))
        return math.prod(parts, start=Fraction(prior[y]))

    return bits(len(ones), weight)


def parity(n: int, noise: Fraction) -> Pmf:
    return bits(n, lambda *cell: noise if sum(cell) % 2 else 1 - noise)


def copies(n: int, noise: Fraction) -> Pmf:
    return bits(n, lambda *cell: (len({*cell[:-1]}) == 1) * (1 - noise if cell[0] == cell[-1] else noise))


def recoded(noise: Fraction) -> Pmf:
    return bits(3, lambda a, b, c, y: (1 - noise if c == y else noise) * ((a + b + c) % 2 == 0))


MEMBERS: dict[str, tuple[list[str], Pmf]] = {
    **{f"monks-{k}": (ROBOT, robots(k, Fraction(k == 3, 20))) for k in (1, 2, 3)},
    "led": (SEGMENTS, display(10, TENTH)),
    "led-parity": (SEGMENTS, display(2, TENTH)),
    "xor": (["X1", "X2"], parity(2, Fraction(0))),
    "parity-3": (["X1", "X2", "X3"], parity(3, TENTH)),
    "corral": (
        ["A0", "A1", "B0", "B1", "irrelevant", "correlated"],
        bits(6, lambda a, b, c, d, _, k, y: (max(a * b, c * d) == y) * (3 - 2 * (k ^ y))),
    ),
    "correlated-xor": (
        ["X1", "X2", "X3", "X4", "X5"],
        bits(5, lambda a, b, c, d, e, y: (b + d == 1) * (c + e == 1) * ((a + b + y) % 2 == 0)),
    ),
    "asia": (CLINIC[:-1], clinic("dysp")),
    **{f"asia-{own}": ([name for name in CLINIC if name != own], clinic(own)) for own in CLINIC[:-1]},
    "ahmed-example-1": (["X1", "X2"], given_class([("0.1", "0.4"), ("0.4", "0.9")], ("0.7", "0.3"))),
    "pena-nilsson-example-1": (["X"], bits(1, lambda x, y: (3 - x) if y else x)),
    "toussaint": (["X1", "X2", "X3"], given_class([("0.1", "0.9"), ("0.05", "0.8"), ("0.01", "0.71")])),
    "cover": (["A1", "A2", "B1", "B2"], given_class([("0.2", "0.8")] * 2 + [("0", "0.55")] * 2)),
    "copies": (["X1", "X2"], copies(2, TENTH)),
    "recoded": (["X1", "X2", "X3"], recoded(TENTH)),
    "ties": (["X1", "X2"], bits(2, lambda a, b, y: 2 * (a == b == y) + (a != b))),
}
"""The features and the cells of every member that is neither a table of counts nor a random draw."""
