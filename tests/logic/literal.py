"""What the words of the language mean by the definitions, summed cell by cell in Fractions.

A `World` is a distribution as ``{(i1, .., in, j): Fraction}`` over the positions of states and classes; nothing of
fstheory is used but `to_pmf` and the names.
"""

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from fstheory import JointDistribution
from tests.literal import bayes_risk, subsets
from tests.measures.literal import Logs, conditional_entropy

Cell = tuple[int, ...]
Tree = tuple[Any, ...]


class World:
    def __init__(self, d: JointDistribution) -> None:
        self.features, self.target = d.features, d.target
        self.labels = [list(d.states[name]) for name in d.features]
        self.classes = list(d.classes)
        axes = [*self.labels, self.classes]
        self.pmf: dict[Cell, Fraction] = {
            tuple(axis.index(label) for axis, label in zip(axes, cell, strict=True)): p
            for cell, p in d.to_pmf().items()
        }

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
        return subsets(list(self.features if of is None else of))

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
        return conditional_entropy(self.pmf, [*self.places(subset), *[-1] * target], ())
