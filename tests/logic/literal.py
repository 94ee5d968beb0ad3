"""Terms and formulas by the definitions, in Fractions: what the tests of the language compare with.

A `World` is a distribution as ``{(i1, .., in, j): Fraction}`` over the positions of states and classes. Everything is
summed cell by cell; nothing of fstheory is used but `to_pmf` and the names.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from fstheory import JointDistribution
from tests.information.literal import Logs, logs
from tests.literal import bayes_risk, marginal

Cell = tuple[int, ...]


class World:
    """A distribution by positions."""

    def __init__(self, d: JointDistribution) -> None:
        self.features, self.target = d.features, d.target
        self.labels = [list(d.states[name]) for name in d.features]
        self.classes = list(d.classes)
        axes = [*self.labels, self.classes]
        self.pmf: dict[Cell, Fraction] = {
            tuple(axis.index(label) for axis, label in zip(axes, cell, strict=True)): p
            for cell, p in d.to_pmf().items()
        }

    # By name

    def p(self, state: Mapping[str, Hashable], y: object = None) -> Fraction:
        """Return p(s), or p(s, y) for ``("is", y)``: y may be any label."""
        total = Fraction(0)
        for (*x, j), q in self.pmf.items():
            labels = {name: own[i] for name, own, i in zip(self.features, self.labels, x, strict=True)}
            agrees = all(labels[name] == label for name, label in state.items())
            if agrees and y in {None, ("is", self.classes[j])}:
                total += q
        return total

    def risk(self, subset: Iterable[str]) -> Fraction:
        return bayes_risk(self.pmf, self.places(subset))  # type: ignore[arg-type]

    def places(self, subset: Iterable[str]) -> list[int]:
        kept = set(subset)
        return [i for i, name in enumerate(self.features) if name in kept]

    def subsets(self, of: Iterable[str] | None = None) -> list[frozenset[str]]:
        kept = list(self.features if of is None else of)
        return [frozenset(c) for size in range(len(kept) + 1) for c in itertools.combinations(kept, size)]

    def states(self, of: Iterable[str] | None = None) -> Iterator[dict[str, Hashable]]:
        kept = set(self.features if of is None else of)
        names = [name for name in self.features if name in kept]
        for labels in itertools.product(*(self.labels[self.features.index(name)] for name in names)):
            yield dict(zip(names, labels, strict=True))

    def says(self, state: Mapping[str, Hashable]) -> Hashable:
        """Return what the Bayes classifier says: the first class of largest p(s, y)."""
        joint = [self.p(state, ("is", y)) for y in self.classes]
        return self.classes[joint.index(max(joint))]

    def entropy(self, subset: Iterable[str], *, target: bool) -> Logs:
        """Return H as a mapping from primes to coefficients."""
        found: dict[Cell, Fraction] = {}
        kept = self.places(subset)
        for cell, q in self.pmf.items():
            part = (*(cell[i] for i in kept), *([cell[-1]] if target else []))
            found[part] = found.get(part, Fraction(0)) + q
        return logs((-q, q) for q in found.values() if q)

    # By node

    def value(self, term: tuple[Any, ...]) -> Fraction:
        """Return the value of a rational term."""
        kind, *parts = term
        if kind == "q":
            return Fraction(parts[0])
        if kind == "P":
            wanted = [*parts[0], parts[1]]
            agree: Callable[[Cell], bool] = lambda cell: all(  # noqa: E731
                want is None or want == index for want, index in zip(wanted, cell, strict=True)
            )
            return sum((q for cell, q in self.pmf.items() if agree(cell)), Fraction(0))
        if kind == "R":
            return 1 - sum(self._tops(parts[0]), Fraction(0))
        values = [self.value(part) for part in parts]
        if kind == "+":
            return sum(values, Fraction(0))
        if kind == "*":
            return values[0] * values[1]
        if kind == "/":
            return Fraction(0) if values == [0, 0] else values[0] / values[1]
        return {"max": max, "min": min}[kind](values)

    def _tops(self, features: Iterable[int]) -> list[Fraction]:
        cells = marginal(self.pmf, list(features))  # type: ignore[arg-type]
        found: dict[Any, Fraction] = {}
        for (*s, _), q in cells.items():
            found[tuple(s)] = max(q, found.get(tuple(s), Fraction(0)))
        return list(found.values())

    def truth(self, formula: tuple[Any, ...]) -> bool:
        """Decide a formula whose terms are rational."""
        kind, *parts = formula
        if kind in {"<", "<=", "="}:
            a, b = map(self.value, parts)
            return a < b if kind == "<" else a <= b if kind == "<=" else a == b
        truths = [self.truth(part) for part in parts]
        if kind == "not":
            return not truths[0]
        if kind == "implies":
            return truths[1] if truths[0] else True
        if kind == "iff":
            return truths[0] is truths[1]
        return all(truths) if kind == "and" else any(truths)
