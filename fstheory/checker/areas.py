"""Facts and splits on the area under the curve, the balanced loss and the risk of two classes, and on squared risks."""

from __future__ import annotations

from fractions import Fraction

from fstheory.checker.every_size import ZERO, EverySizeSpace, chance, criterion_of, fact, risk_of, split, summed
from fstheory.checker.statement import ONE, Fact, Node

# Facts about the area under the curve A of two classes, the balanced loss B and the risk


@fact(
    "F33",
    '["cut", subset S, part a]',
    "A(S) <= 1 - 4*a*R(S) + 2*a*a",
    "k = 2",
    reason="as the curve is below a line of equal risk",
)
def _cut(space: EverySizeSpace, s: int, a: Fraction) -> Fact:
    """Return a tangent: A is at most 1 - 2 R**2."""
    return ">=", summed([(ONE, 1 + 2 * a * a), (s, -4 * a), (space.unknown("A", s), -1)])


@fact("F34", '["rates", subset S]', "2*A(S) + B(S) >= 2", "k = 2", reason="as the curve is above two chords")
def _rates(space: EverySizeSpace, s: int) -> Fact:
    return ">=", {space.unknown("A", s): 2, space.unknown("B", s): 1, ONE: -2}


@fact(
    "F35",
    '["corner", subset S, part a]',
    "A(S) + a*B(S) <= 1 + a*a/2 + (a - a*a/2)*(2*A({}) - 1)",
    "k = 2",
    reason="as the curve is below a line of equal rates",
)
def _corner(space: EverySizeSpace, s: int, a: Fraction) -> Fact:
    """Return a tangent: A is at most 1 - B**2 / 2 if both classes occur. Otherwise A and B are 1."""
    rest = a - a * a / 2
    area, loss = space.unknown("A", s), space.unknown("B", s)
    return ">=", summed([(area, -1), (loss, -a), (space.unknown("A", 0), 2 * rest), (ONE, 1 + a * a / 2 - rest)])


@fact("F36", '["odds", subset S, part a]', "(1 - a)**2 * B(S) >= R(S) - a*a", "k = 2", reason="as R({}) >= R(S)")
def _odds(space: EverySizeSpace, s: int, a: Fraction) -> Fact:
    """Return a tangent: B is at least R / (1 - R)."""
    return ">=", summed([(space.unknown("B", s), (1 - a) ** 2), (s, -1), (ONE, a * a)])


# Facts about the square of the risk


@fact("F37", '["square", subset S, part a]', "R(S)*R(S) >= 2*a*R(S) - a*a", reason="as a square is at least 0")
def _square(space: EverySizeSpace, s: int, a: Fraction) -> Fact:
    return ">=", summed([(space.squares + s, 1), (s, -2 * a), (ONE, a * a)])


@fact("F41", '["less", "square", subset S, feature i]', "R(S)*R(S) >= R(S, i)*R(S, i)", "i not in S", reason="by F1")
def _less_square(space: EverySizeSpace, s: int, i: int) -> Fact:
    return ">=", {space.squares + s: 1, space.squares + (s | 1 << i): -1}


@fact(
    "F38", '["chord", subset S]', "R(S)*R(S) <= (1 if k is null else 1 - 1/k) * R(S)", reason="as a guess may be right"
)
def _chord(space: EverySizeSpace, s: int) -> Fact:
    top = 1 if space.classes is None else 1 - Fraction(1, space.classes)
    return ">=", summed([(space.squares + s, -1), (s, top)])


@fact(
    "F39",
    '["spread", subset S]',
    "G(S) <= 2*R(S) - f*R(S)*R(S), f = 1 if k is null else k/(k - 1)",
    "k other than 1",
    reason="as the other classes are at most alike",
)
def _spread(space: EverySizeSpace, s: int) -> Fact:
    f = Fraction(1) if space.classes is None else Fraction(space.classes, space.classes - 1)
    return ">=", summed([(s, 2), (space.squares + s, -f), (space.unknown("G", s), -1)])


@fact("F40", '["cut", "square", subset S]', "A(S) <= 1 - 2*R(S)*R(S)", "k = 2", reason="as for F33")
def _cut_square(space: EverySizeSpace, s: int) -> Fact:
    return ">=", {ONE: 1, space.squares + s: -2, space.unknown("A", s): -1}


# Splits about the area under the curve and the balanced loss of two classes


def _both(*parts: Node) -> Node:
    return "and", *parts


@split(
    "D14",
    '["informed", criterion Q, subset S]',
    "Q({}) < Q(S) and H(Y | S) < H(Y | {}) or Q(S) < Q({}) and H(Y | S) < H(Y | {})"
    " or Q({}) = Q(S) and H(Y | {}) = H(Y | S)",
    "k = 2",
    reason="as each criterion changes with any information",
)
def _informed(space: EverySizeSpace, kind: str, s: int) -> Node:
    few, more = criterion_of(kind, 0), criterion_of(kind, s)
    before, after = (space.entropy_term(mask, space.n) for mask in (0, s))
    gained = "<", after, before
    same = _both(("=", few, more), ("=", before, after))
    return _both(("<", few, more), gained), _both(("<", more, few), gained), same


@split(
    "D15",
    '["certain", "A", subset S]',
    "0 < R(S) and A(S) < 1 or R(S) = 0 and A(S) = 1",
    "k = 2",
    reason="as an area is 1 where the class is certain",
)
def _certain_a(_: EverySizeSpace, s: int, one: Node = ("q", Fraction(1))) -> Node:
    risk, area = risk_of(s), criterion_of("A", s)
    return _both(("<", ZERO, risk), ("<", area, one)), _both(("=", risk, ZERO), ("=", area, one))


@split(
    "D16",
    '["certain", "B", subset S]',
    "0 < R(S) and 0 < B(S) or R(S) = 0 and B(S) = 0 or R({}) = 0 and B(S) = 1",
    "k = 2",
    reason="as the balanced loss is 0 where the class is certain and both classes occur",
)
def _certain_b(_: EverySizeSpace, s: int, one: Node = ("q", Fraction(1))) -> Node:
    risk, loss = risk_of(s), criterion_of("B", s)
    known = _both(("=", risk, ZERO), ("=", loss, ZERO))
    return _both(("<", ZERO, risk), ("<", ZERO, loss)), known, _both(("=", risk_of(0), ZERO), ("=", loss, one))


@split(
    "D17",
    '["both-classes"]',
    "0 < R({}) and A({}) = 1/2 or R({}) = 0 and A({}) = 1",
    "k = 2",
    reason="as both classes occur, or only one",
)
def _both_classes(_: EverySizeSpace) -> Node:
    half, whole_ = chance(_)
    return _both(("<", ZERO, risk_of(0)), half), _both(("=", risk_of(0), ZERO), whole_)


@split("D18", '["equal-priors", subset S]', "R({}) < 1/2 or B(S) = 2*R(S)", "k = 2", reason="as rates count alike")
def _equal_priors(_: EverySizeSpace, s: int) -> Node:
    half = "q", Fraction(1, 2)
    return ("<", risk_of(0), half), ("=", criterion_of("B", s), ("*", ("q", Fraction(2)), risk_of(s)))


@split(
    "D19",
    '["prior-costs", subset S, cost c]',
    "C[c]({}) < c*(1 - c) or c*(1 - c)*B(S) = C[c](S)",
    "k = 2",
    reason="as c is the probability of the last class",
)
def _prior_costs(_: EverySizeSpace, s: int, c: str) -> Node:
    """Return that the rates of both classes are weighted by the costs if the last class has the probability c."""
    top = "q", Fraction(c) * (1 - Fraction(c))
    rates = "*", top, criterion_of("B", s)
    return ("<", (*criterion_of("C", 0), c), top), ("=", rates, (*criterion_of("C", s), c))
