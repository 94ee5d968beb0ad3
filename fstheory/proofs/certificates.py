"""Proofs by cases as a certificate has them: constraints by number, and only rules that the checker knows.

The search also uses upper bounds of maxima (`fstheory.proofs.relaxation`), which the checker does not know. A leaf
that needs one is replaced by the cases of which argument the maximum is; in each, the bound is a sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from fstheory.logic.nodes import Node
from fstheory.proofs.cases import Leaf, Split, Tree
from fstheory.proofs.linear import Case, Constraint, Disjunction, Linear, Unknowns
from fstheory.proofs.relaxation import Combination, Premise, Reference, contradicts, is_cut

__all__ = ["Size", "TreeWriter", "leaves", "plain", "plain_size"]


def leaves(tree: Tree) -> int:
    """Return the number of cases of a proof."""
    return 1 if isinstance(tree, Leaf) else sum(map(leaves, tree.trees))


class Size(NamedTuple):
    """The size of a proof: its cases, and how often they refer to a constraint."""

    cases: int
    references: int


def plain_size(tree: Tree, unknowns: Unknowns) -> Size:
    """Return the size that `plain` makes a proof, at most."""
    return _size(tree, unknowns, frozenset())


def _size(tree: Tree, unknowns: Unknowns, known: frozenset[int]) -> Size:
    if isinstance(tree, Leaf):
        references = [premise.reference for premise, _ in tree.combination]
        bounds = [reference for reference in references if is_cut(reference)]
        maxima = {reference[1] for reference in bounds}
        cases = math.prod(len(unknowns.arguments(maximum)) for maximum in maxima - known)
        each = len(references) + len(maxima) + sum(_parts(reference, unknowns) for reference in bounds)
        return Size(cases, cases * each)
    known = known | {tree.of} if isinstance(tree.of, int) else known
    sizes = [_size(part, unknowns, known) for part in tree.trees]
    return Size(sum(size.cases for size in sizes), sum(size.references for size in sizes))


def _parts(reference: tuple[Any, ...], unknowns: Unknowns) -> int:
    """Return how many constraints an upper bound is replaced by, at most."""
    kind, maximum, *parts = reference
    if kind == "sum":
        return len(parts[0])
    return sum(len(argument.coefficients) for argument in unknowns.arguments(maximum))


def plain(tree: Tree, unknowns: Unknowns) -> Tree:
    """Return a proof without upper bounds of maxima, with more cases."""
    return _rewritten(tree, unknowns, {})


def _rewritten(tree: Tree, unknowns: Unknowns, known: Mapping[int, tuple[int, Constraint]]) -> Tree:
    """Return a tree without upper bounds, below splits that say which argument some maxima are."""
    if isinstance(tree, Leaf):
        return _leaf(tree.combination, unknowns, known)
    trees = tuple(
        _rewritten(part, unknowns, _learned(known, tree.of, j, case))
        for j, (case, part) in enumerate(zip(tree.cases, tree.trees, strict=True))
    )
    return Split(tree.of, tree.cases, trees, tree.used)


def _learned(
    known: Mapping[int, tuple[int, Constraint]], of: Disjunction | int, j: int, case: Case
) -> Mapping[int, tuple[int, Constraint]]:
    return {**known, of: (j, case.constraints[0])} if isinstance(of, int) else known


def _leaf(combination: Combination, unknowns: Unknowns, known: Mapping[int, tuple[int, Constraint]]) -> Tree:
    bounded = [premise.reference[1] for premise, _ in combination if is_cut(premise.reference)]
    maximum = next((number for number in bounded if number not in known), None)
    if maximum is None:
        return Leaf(_replaced(combination, unknowns, known) if bounded else combination)
    cases = unknowns.cases_of_maximum(maximum)
    trees = (_leaf(combination, unknowns, _learned(known, maximum, j, case)) for j, case in enumerate(cases))
    return Split(maximum, cases, tuple(trees), frozenset())


def _replaced(combination: Combination, unknowns: Unknowns, known: Mapping[int, tuple[int, Constraint]]) -> Combination:
    """Return a combination with every upper bound replaced by what it follows from where the maximum is known."""
    total: dict[Reference, tuple[Premise, int]] = {}
    for premise, factor in combination:
        for part, times in _derivation(premise, unknowns, known):
            _, before = total.get(part.reference, (part, 0))
            total[part.reference] = (part, before + times * factor)
    return tuple((premise, factor) for premise, factor in total.values() if factor)


def _derivation(
    premise: Premise, unknowns: Unknowns, known: Mapping[int, tuple[int, Constraint]]
) -> Iterator[tuple[Premise, int]]:
    reference = premise.reference
    if not is_cut(reference):
        yield premise, 1
        return
    kind, maximum, *parts = reference
    j, constraint = known[maximum]
    yield Premise(constraint, constraint.linear, constraint.relation), -1
    if kind == "sum":
        for part in parts[0]:
            yield Premise(("M", part, j), unknowns.bounds(part)[j], ">="), 1
    else:
        for i, argument in enumerate(unknowns.arguments(maximum)):
            for cell in argument.coefficients if i != j else ():
                yield Premise(("p", cell), Linear(Fraction(0), {cell: Fraction(1)}), ">="), 1


@dataclass
class TreeWriter:
    """Writes proofs with one common list of maxima."""

    unknowns: Unknowns
    maxima: list[Node] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def write(self, root: Case, tree: Tree) -> dict[str, Any]:
        """Return a proof as JSON has it; every leaf is verified on the way."""
        return self._written(tree, dict(_numbered(root.constraints, 0)), dict(_numbered(root.disjunctions, 0)))

    def _written(
        self, tree: Tree, constraints: dict[Constraint, int], disjunctions: dict[Disjunction, int]
    ) -> dict[str, Any]:
        if isinstance(tree, Leaf):
            return {"farkas": self._farkas(tree.combination, constraints)}
        split = ["max", self._number(tree.of)] if isinstance(tree.of, int) else ["or", disjunctions[tree.of]]
        cases = [
            self._written(
                part,
                {**constraints, **dict(_numbered(case.constraints, len(constraints)))},
                {**disjunctions, **dict(_numbered(case.disjunctions, len(disjunctions)))},
            )
            for case, part in zip(tree.cases, tree.trees, strict=True)
        ]
        return {"split": split, "cases": cases}

    def _farkas(self, combination: Combination, constraints: Mapping[Constraint, int]) -> list[list[Any]]:
        if not contradicts(combination):
            raise ArithmeticError("a case of a proof does not contradict itself; this is a fault of fstheory")
        pairs = [[self._reference(premise.reference, constraints), str(factor)] for premise, factor in combination]
        return sorted(pairs, key=lambda pair: (isinstance(pair[0], list), isinstance(pair[0], str), pair[0]))

    def _reference(self, reference: Reference, constraints: Mapping[Constraint, int]) -> Any:
        if isinstance(reference, Constraint):
            return constraints[reference]
        kind, *rest = reference
        if kind == "total":
            return "total"
        return ["p", *rest] if kind == "p" else ["M", self._number(rest[0]), rest[1]]

    def _number(self, maximum: int) -> int:
        if maximum not in self._numbers:
            self._numbers[maximum] = len(self.maxima)
            self.maxima.append(self.unknowns.maxima[maximum])
        return self._numbers[maximum]


def _numbered(new: Iterable[Any], first: int) -> Iterator[tuple[Any, int]]:
    return ((entry, first + i) for i, entry in enumerate(new))
