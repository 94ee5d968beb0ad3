"""Claims that compare sums over all features, such as Han's inequality: a proof for every number of features at once.

Let h(k) be the mean entropy of the subsets of k features, and g(k) the mean entropy of these subsets with the class.
The sum of H(i) over all features i is n h(1), and the sum of H(X - i) is n h(n - 1). So such a claim compares h and g
at 0, 1, n - 1 and n, with factors that depend on n. The steps of h never grow, no step of g is above that of h, and
g(n) >= h(n). All such values are sums of multiples of ten extreme ones. So the claim is true if ten polynomials of n
are at least 0. The chapter "For every size" has the proof.
"""

from __future__ import annotations

import dis
import itertools
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from types import FunctionType, GeneratorType
from typing import Any, TypeAlias

from fstheory.errors import NotLinearError
from fstheory.logic.claims import Claim, is_readable
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Node, SetNode, SymbolicFeature, SymbolicSet, Term, formula_node
from fstheory.logic.language import Model, spelled_out
from fstheory.logic.vocabularies import READABLE, SetModel

# -- The function of a claim, called once with symbols.


class _AllFeatures(SymbolicSet):
    """The symbol for the set of all features. The generator that is summed meets one symbol in it, for each feature."""

    __slots__ = ("met", "summed")

    def __init__(self) -> None:
        super().__init__(SetNode(("X",)))
        self.summed: Any = None  # the frame of the generator
        self.met = 0

    def __iter__(self) -> _AllFeatures:
        return self

    def __next__(self) -> SymbolicFeature:
        frame = sys._getframe(1)
        if self.summed is not frame or dis.opname[frame.f_code.co_code[frame.f_lasti]] != "FOR_ITER":
            raise _unread()
        self.met += 1
        if self.met > 1:
            raise StopIteration
        return SymbolicFeature(SetNode(("S", 0)))


class _SumModel(SetModel):
    """The vocabulary of a claim with sums over all features."""

    features: _AllFeatures  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        every = _AllFeatures()
        for name in ("features", "order"):
            object.__setattr__(self, name, every)

    def sum(self, terms: Iterable[Any]) -> Term:
        if not isinstance(terms, GeneratorType):
            return super().sum(terms)
        every, steps = self.features, [step.opname for step in dis.get_instructions(terms.gi_code)]
        if every.summed or terms.gi_code.co_name != "<genexpr>" or steps.count("FOR_ITER") != 1:
            raise _unread()
        every.summed, every.met = terms.gi_frame, 0
        inner = super().sum(terms)
        every.summed = None
        return Term(("sum", inner.node)) if every.met else inner


def _unread() -> NotLinearError:
    return NotLinearError("it does not compare sums over features")


def _length(of: Any) -> Any:
    """Return the length of a value, and a term for the number of features."""
    return Term(("n",)) if isinstance(of, _AllFeatures) else len(of)


def _read(claim: Claim) -> Node:
    """Return the formula of a claim in which sums over features, and the number of features, are nodes."""
    body, readable = claim.body, is_readable(claim.body, texts=False, names=READABLE | {"order"}, plain=_PLAIN)
    if claim.domains or not readable or not isinstance(body, FunctionType):
        raise _unread()
    known = body.__globals__ | {"len": _length}
    function = FunctionType(body.__code__, known, body.__name__, body.__defaults__, body.__closure__)
    function.__kwdefaults__ = body.__kwdefaults__
    return formula_node(function(_SumModel()))


_PLAIN = (Fraction, len)

# -- Its sides, as sums of means with factors that are quotients of polynomials of n.


Side: TypeAlias = "tuple[dict[tuple[Any, ...], Any], Any]"
"""Means, each with the polynomial by which it is multiplied, and the polynomial that divides all of them.

A mean has the kind R or H, the place of its size in 0, 1, n - 1, n, and whether the class is among its variables. The
number 1 is the mean ``()``.
"""


def _side(node: Node, n: Any) -> Side:
    """Return a term as a sum of means, for the polynomial n."""
    kind, *parts = node
    one = n * 0 + 1
    if kind in {"R", "H"}:
        leaf = spelled_out((node, {}, (node,)), Model(EverySize(3)), "X1").node  # 0, 1, n - 1, n are 0, 1, 2, 3 here
        return ({} if leaf[0] == "q" else {(kind, len(leaf[1]), *leaf[2:]): one}), one
    if kind in {"q", "n"}:
        return {(): n if kind == "n" else one * parts[0].numerator}, one * (parts[0].denominator if parts else 1)
    if kind not in {"+", "*", "/", "sum"}:
        raise _unread()
    first, *others = (_side(part, n) for part in parts)
    if kind == "sum":
        return _times(first, n, 1)
    for other in others:
        if kind == "*" and first[0].keys() <= {()}:
            first, other = other, first
        if kind != "+" and not other[0].keys() <= {()}:
            raise _unread()
        number = other[0].get((), 0 * n), other[1]
        first = _plus(first, other) if kind == "+" else _times(first, *number[:: 1 if kind == "*" else -1])
    return first


def _plus(one: Side, other: Side) -> Side:
    (first, below), (second, further) = one, other
    known = {mean: factor * further for mean, factor in first.items()}
    return known | {mean: factor * below + known.get(mean, 0) for mean, factor in second.items()}, below * further


def _times(one: Side, above: Any, below: Any) -> Side:
    return {mean: factor * above for mean, factor in one[0].items()}, one[1] * below


# -- The polynomials that decide a claim.

_SURE = 3  # the number of features from which on the proof holds: with fewer, n - 1 is 0 or 1
_FAR = 10_000  # the largest number of features up to which a polynomial is evaluated


def holds_from_three_on(claim: Claim, classes: int | None) -> bool:
    """Return whether a claim that compares sums over features follows for every number of features from 3 on.

    It follows from the inequalities of Shannon, and from the bounds of the risk and that it falls with the subset.
    """
    from flint import fmpq_poly

    n = fmpq_poly([0, 1])
    with suppress(Exception):  # the function asks a symbol what it cannot answer, or the formula is another one
        return _is_true(_read(claim), n, Fraction(1) if classes is None else 1 - Fraction(1, classes))
    return False


def _is_true(formula: Node, n: Any, ceiling: Fraction) -> bool:
    kind, *parts = formula
    if kind == "and":
        return all(_is_true(part, n, ceiling) for part in parts)
    if kind not in {"<=", "="}:
        return False
    low, high = (_side(part, n) for part in parts)
    more = _plus(high, _times(low, -1, 1))
    return _is_above(more, n, ceiling) and (kind == "<=" or _is_above(_times(more, -1, 1), n, ceiling))


def _is_above(side: Side, n: Any, ceiling: Fraction) -> bool:
    """Return whether a sum of means is at least 0 for every distribution."""
    means, below = side
    risks: list[dict[Any, Any]] = [{("R", size): ceiling.numerator for size in range(end)} for end in range(5)]
    entropies = [{("H", *mean): value for mean, value in ray.items()} for ray in _rays(n)]
    points = [one | {(): ceiling.denominator} for one in risks] + entropies
    values = (sum((means.get(mean, 0) * value for mean, value in point.items()), 0 * n) for point in points)
    return _is_positive(below) and all(map(_is_at_least_0, values))


def _rays(n: Any) -> Iterator[dict[tuple[int, bool], Any]]:
    """Yield the extreme values of the mean entropies of subsets, without and with the class."""
    times = 1, n - 2, 1  # the steps from 0 to 1, to n - 1 and to n
    ends = [(alone, beside, 0) for alone in range(4) for beside in range(alone + 1)]
    for alone, beside, left in [*ends, (0, 0, 1)]:  # the steps of size 1, and the entropy of the class given all
        h = list(itertools.accumulate((times[j] * (j < alone) for j in range(3)), initial=0 * n))
        back = itertools.accumulate((times[j] * -(j < beside) for j in (2, 1, 0)), initial=h[3] + left)
        yield {(size, False): value for size, value in enumerate(h)} | {
            (size, True): value for size, value in zip((3, 2, 1, 0), back, strict=True)
        }


def _is_positive(polynomial: Any) -> bool:
    """Return whether all coefficients in powers of n - 3 are at least 0, and that of 1 is above 0."""
    from flint import fmpq_poly

    shifted = polynomial(fmpq_poly([_SURE, 1])).coeffs()
    return bool(shifted) and shifted[0] > 0 and min(shifted) >= 0


def _is_at_least_0(polynomial: Any) -> bool:
    """Return whether a polynomial is at least 0 at 3, 4, 5, ...: up to a number above its roots, and by its sign."""
    coefficients = polynomial.coeffs()
    if not coefficients:
        return True
    bound = 1 + max(abs(coefficient / coefficients[-1]) for coefficient in coefficients)
    if coefficients[-1] < 0 or bound > _FAR:
        return False
    return all(polynomial(number) >= 0 for number in range(_SURE, int(bound) + 2))
