"""Claims on several criteria of any number of classes: bounds for one subset, and counterexamples to them.

The least value of r R(S) + g G(S) + h H(Y | S) is reached where some n classes share a probability s equally, and one
more class has the rest. So it is searched at such posteriors, in floats, and then proved with a cover of all s.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fstheory._support.exact import integers_over
from fstheory._support.progress import spend
from fstheory.checker.curves import MOST_ALIKE, Amount, Curve, Tree, is_alike, is_enough, number, of_alike
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.statement import ONE, Form
from fstheory.distributions.joint import JointDistribution
from fstheory.proofs.every_size.envelopes import NEAR, divided_above, frozen, to_float, tree_of, written

_SHARES = sorted(
    {Fraction(i, 120) for i in range(121)} | {abs(x - Fraction(1, 2**i)) for i in range(7, 31) for x in (0, 1)}
)
_MANY = 24  # classes at which values are searched if any number is possible
_SLACK = 2.0**-22  # between a sum of criteria and a constant that is rounded, at least
_PARTS = 1, 2, 4, 12, 60, 1000  # denominators of coefficients
_STEPS = 1000  # towards the nearest point of a convex set
_FAR = 50  # an entropy that is taken for a very large one
_UNIT = 10**6  # the denominator of a constant that is rounded


@cache
def _posteriors(most: int) -> tuple[list[tuple[int, Fraction]], Any]:
    """Return posteriors as pairs (n, s), with up to `most` classes that share s, and their R, G and H as columns."""
    pairs = list[tuple[int, Fraction]]()
    for n in range(1, most + 1):
        spend()
        pairs += [(n, s) for s in sorted({*_SHARES, Fraction(n, n + 1)})]
    return pairs, _columns(*np.array(pairs, dtype=float).T)


def _columns(n: Any, s: Any) -> Any:
    each, rest = s / n, 1 - s
    logs = s * _log(each) + rest * _log(rest)
    return np.stack([1 - np.maximum(each, rest), 1 - s * each - rest * rest, -logs], axis=1)


def _log(x: Any) -> Any:
    return np.log(np.maximum(x, np.finfo(float).tiny))


def _most(space: EverySizeSpace) -> int:
    return min(space.classes or _MANY, MOST_ALIKE + 1) - 1


def _floats(amounts: Iterable[Amount]) -> list[float]:
    return [to_float(number(amount)) for amount in amounts]


def facts(space: EverySizeSpace, form: Form) -> Iterator[tuple[Any, ...]]:
    """Yield facts about the criteria of one subset that are in a form, and about all that are in a form together."""
    if (found := tree_of(space, form)) is None:
        return
    (tree, constant), free = found, min(form, default=ONE) < ONE
    whole = _together(tree)
    for node in tree.nodes():
        for amounts in dict.fromkeys((node.amounts, _together(node))):
            if fact := _fact(space, node.subset, amounts, constant if amounts == whole and not free else ()):
                yield fact


def cut(space: EverySizeSpace, subset: int, at: Sequence[float]) -> tuple[Any, ...] | None:
    """Return a fact about the criteria of a subset that is false of some values of R, G and H(Y | .), if it is found.

    The means of R, G and H over posteriors fill a convex set. The nearest point of this set is searched. The fact is an
    inequality nearly across the line from this point to the values. Its coefficients are as simple as possible.
    """
    columns = _posteriors(_most(space))[1]
    if space.classes is None:
        columns = np.concatenate([columns, [[1, 1, _FAR]]])  # nearly so for very many classes
    columns = columns - at
    near, best, most = columns[0], columns[0], 0.0
    for _ in range(_STEPS):
        values, size = columns @ near, max(float(np.abs(near).max()), NEAR)
        step = columns[int(values.argmin())] - near
        if float(values.min()) / size > most:
            best, most = near / size, float(values.min()) / size
        near = near - step * min(max(float(step @ near / max(step @ step, NEAR)), -1), 0)
    for parts in _PARTS:
        simple = [Fraction(round(c * parts), parts) for c in best.tolist()]
        if float((columns @ np.array(simple, dtype=float)).min()) > max(most / 2, 3 / _UNIT):
            return _fact(space, subset, tuple(((c, 1),) if c else () for c in simple), ())
    return None


def _together(tree: Tree) -> tuple[Amount, ...]:
    """Return the amounts of R, G and H of all subsets in a tree, together."""
    return tuple(tuple(pair for one in tree.nodes() for pair in one.amounts[i]) for i in range(3))


def _fact(space: EverySizeSpace, subset: int, amounts: Any, constant: Amount) -> tuple[Any, ...] | None:
    """Return the fact that a sum of criteria is at least some constant, if a proof is found.

    The constant is chosen near the least value of the sum. A form states that the sum plus `constant` is at least 0.
    If the least value seems to be enough for this, the fact says no more: its constant is minus `constant`.
    """
    (r, g), h = map(number, amounts[:2]), sum((c for c, _ in amounts[2]), Fraction(0))
    if not (g and h) or (space.classes is None and h < 0):
        return None  # other sums are bounded by the facts about two criteria
    if not is_alike(r, g, h):
        r, amounts = Fraction(0), ((), *amounts[1:])  # the facts about R say the rest
    pairs, columns = _posteriors(_most(space))
    some, known = _floats(amounts), to_float(number(constant))
    n, s = pairs[int((columns @ some).argmin())]
    near = np.linspace(max(float(s) - 1 / 120, 0), min(float(s) + 1 / 120, 1), 4801)
    value = min(float((columns @ some).min()), float((_columns(n, near) @ some).min()))
    simple, below = Fraction(value).limit_denominator(1000), Fraction(math.floor((value - _SLACK) * _UNIT), _UNIT)
    least: Amount = ((simple if abs(float(simple) - value) < NEAR else below, 1),)
    if (constant and value + known > -NEAR) or abs(value + known) < NEAR:
        least = tuple((-c, q) for c, q in constant) or ((Fraction(0), 1),)
    c = number(least)
    enough = (n for n in range(2, MOST_ALIKE + 2) if n == space.classes or is_enough(r, g, h, c, n))
    covers = []
    for n in range(1, next(enough, 1)):
        spend()
        cover = divided_above(of_alike(r, g, h, n).plus(Curve(c), -1), 0, Fraction(n, n + 1), 1)
        if cover is None:
            return None
        covers.append(cover)
    return frozen(("together", subset, *map(written, amounts[:2]), str(h), written(least), covers)) if covers else None


def counterexamples(
    space: EverySizeSpace, forms: Iterable[Form], of_two: Iterable[JointDistribution]
) -> Iterator[JointDistribution]:
    """Yield distributions at which one of the forms is below 0: those of two classes, and some of more classes.

    In these, a single feature has values. It tells the class, or permutes the classes of one posterior, or is constant.
    """
    for d in of_two:
        yield JointDistribution(np.pad(d.weights, [*([(0, 0)] * space.n), (0, (space.classes or 2) - 2)]))
    for form in forms:
        if min(form, default=ONE) >= ONE and (found := tree_of(space, form)):
            yield from _of_form(space, *found)


def _of_form(space: EverySizeSpace, tree: Tree, constant: Amount) -> Iterator[JointDistribution]:
    pairs, columns = _posteriors(_most(space))
    classes = np.array([n + 1 for n, _ in pairs])
    equal = np.stack([1 - 1 / classes, 1 - 1 / classes, np.log(classes)], axis=1)
    ways = {"constant": (columns, columns), "tells": (columns, 0 * columns), "permutes": (equal, columns)}
    for feature, (way, sides) in itertools.product(range(space.n), ways.items()):
        total = to_float(number(constant)) + sum(
            sides[node.subset >> feature & 1] @ _floats(node.amounts) for node in tree.nodes()
        )
        if total.min() < -NEAR:
            n, s = pairs[int(total.argmin())]
            law, _ = integers_over([*[s / n] * n, 1 - s])
            rolled = [[law[(y - i) % (n + 1)] for y in range(n + 1)] for i in range(n + 1)]
            diagonal = [[law[y] * (y == i) for y in range(n + 1)] for i in range(n + 1)]
            rows = {"constant": [law], "tells": diagonal, "permutes": rolled}[way]
            table = np.pad(np.array(rows, dtype=object), [(0, 0), (0, (space.classes or n + 1) - n - 1)])
            yield JointDistribution(table.reshape(*(len(rows) if i == feature else 1 for i in range(space.n)), -1))
