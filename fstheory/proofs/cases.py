"""Proof by cases: split open disjunctions and maxima until the linear constraints of every case contradict each other.

At each step the linear relaxation is asked for a point. A point at which everything assumed is true is a
counterexample. What is false there tells which disjunctions or maxima could be split next; among a
few of them, the one with the fewest cases that stay open is taken. A case whose contradiction does not need what was
assumed in it replaces the split, so that useless splits leave no trace.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from fstheory._clock import Clock
from fstheory.logic.nodes import Node
from fstheory.proofs.linear import ONE, Case, Constraint, Disjunction, Point, Unknowns
from fstheory.proofs.relaxation import Combination, Relaxation, branching_maxima

__all__ = ["EXTENT", "CaseSplit", "Counterexample", "Extent", "Leaf", "Split", "TooManyCases", "Tree"]


class Extent(NamedTuple):
    """How large a proof by cases may become."""

    cases: int = 100_000
    depth: int = 100  # splits in one branch
    candidates: int = 4  # splits of which the best is taken; more make smaller trees and take longer
    references: int = 500_000  # to constraints in one certificate: what the checker takes


EXTENT = Extent()


class TooManyCases(Exception):
    """The case split has become too large."""


@dataclass(frozen=True, eq=False, slots=True)
class Counterexample(Exception):
    """A distribution at which the assumptions hold and the formula does not."""

    point: tuple[Fraction, ...]  # the probabilities of the cells


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A case that contradicts itself."""

    combination: Combination

    @property
    def used(self) -> frozenset[Constraint | Disjunction]:
        """The constraints of the branch that are needed."""
        return frozenset(p.reference for p, _ in self.combination if isinstance(p.reference, Constraint))


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """A proof by cases."""

    of: Disjunction | int  # or the number of a maximum
    cases: tuple[Case, ...]  # what each case adds
    trees: tuple[Tree, ...]  # the proof of each
    used: frozenset[Constraint | Disjunction]  # what is needed of the branch before the split


Tree: TypeAlias = "Leaf | Split"


class CaseSplit:
    """The search for a proof that assumptions and the negation of a formula contradict each other."""

    def __init__(
        self,
        unknowns: Unknowns,
        assume: Sequence[Node],
        formula: Node,
        clock: Clock,
        describe: Callable[[int], str] = "{:,} cases".format,
        extent: Extent = EXTENT,
    ) -> None:
        self.root = unknowns.case([*assume, ("not", formula)])
        self.leaves = 0
        self._unknowns = unknowns
        self._clock, self._describe, self._extent = clock, describe, extent
        self._maxima = unknowns.maxima_in(self.root.forms())
        self._relaxation = Relaxation(unknowns, self._maxima, clock)

    def tree(self) -> Tree:
        """Return the proof."""
        self._relaxation.push(self.root.constraints)
        return self._prove(_Branch(self.root.constraints, self.root.disjunctions, frozenset()))

    def _look_ahead(self, case: Case) -> Leaf | None:
        """Return the contradiction in a case if there is one at once."""
        self._relaxation.push(case.constraints)
        combination = self._relaxation.contradiction()
        self._relaxation.pop()
        return None if combination is None else Leaf(combination)

    def _prove(self, branch: _Branch) -> Tree:
        """Return the proof of a branch, whose constraints the relaxation has."""
        self._clock.tick(lambda: self._describe(self.leaves))
        combination = self._relaxation.contradiction()
        if combination is not None:
            return Leaf(combination)
        if branch.depth > self._extent.depth or self.leaves > self._extent.cases:
            raise TooManyCases(f"a case split of more than {self.leaves:,} cases")
        target, cases, found = self._choose(branch, self._relaxation.point())
        trees: dict[int, Tree] = {}
        for i in sorted(range(len(cases)), key=lambda i: found[i] is None):
            case, leaf = cases[i], found[i]
            if leaf is not None:
                self.leaves += 1
                trees[i] = leaf
            else:
                self._relaxation.push(case.constraints)
                trees[i] = self._prove(branch.extended(target, case))
                self._relaxation.pop()
            if not trees[i].used & {*case.constraints, *case.disjunctions}:
                return trees[i]
        own = {entry for case in cases for entry in (*case.constraints, *case.disjunctions)}
        needed = frozenset().union(*(tree.used for tree in trees.values())) - own
        needed |= {target} if isinstance(target, Disjunction) else set()
        return Split(target, cases, tuple(trees[i] for i in range(len(cases))), needed)

    def _choose(self, branch: _Branch, point: Point) -> tuple[Disjunction | int, tuple[Case, ...], list[Leaf | None]]:
        """Return a split, its cases, and for each case its contradiction if there is one at once."""
        best: tuple[Any, ...] = ()
        for candidate in itertools.islice(self._candidates(branch, point), self._extent.candidates):
            cases = self._unknowns.cases_of_maximum(candidate) if isinstance(candidate, int) else candidate.cases
            found = [self._look_ahead(case) for case in cases]
            score = found.count(None), len(cases)
            if not best or score < best[0]:
                best = score, candidate, cases, found
            if not score[0]:
                break
        if not best:
            raise Counterexample(tuple(Fraction(point[cell], point[ONE]) for cell in range(self._unknowns.cells)))
        return best[1], best[2], best[3]

    def _candidates(self, branch: _Branch, point: Point) -> Iterator[Disjunction | int]:
        """Yield the disjunctions that are false at a point, then the maxima that make constraints true wrongly."""
        real = self._unknowns.complete(point, self._maxima)
        yield from (disjunction for disjunction in branch.disjunctions if not disjunction.holds(real))
        broken = [constraint for constraint in branch.constraints if not constraint.holds(real)]
        yield from branching_maxima(self._unknowns, broken, point, real, branch.split)


@dataclass(frozen=True, eq=False, slots=True)
class _Branch:
    constraints: tuple[Constraint, ...]
    disjunctions: tuple[Disjunction, ...]  # still open
    split: frozenset[int]  # maxima
    depth: int = 0

    def extended(self, target: Disjunction | int, case: Case) -> _Branch:
        open_choices = tuple(disjunction for disjunction in self.disjunctions if disjunction is not target)
        split = self.split | {target} if isinstance(target, int) else self.split
        return _Branch(
            (*self.constraints, *case.constraints), (*open_choices, *case.disjunctions), split, self.depth + 1
        )
