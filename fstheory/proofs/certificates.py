"""Proofs by cases as a certificate has them: constraints by number, and only rules that the checker knows.

The search also uses cuts (`fstheory.proofs.relaxation`), which the checker does not know. A leaf that needs one is
replaced by the cases of which argument the maximum is; in each, the cut is a sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from fstheory.logic.nodes import Node
from fstheory.proofs.cases import Leaf, Split, Tree
from fstheory.proofs.linear import Case, Constraint, Linear, Unknowns
from fstheory.proofs.relaxation import Combination, Premise, Reference, contradicts, is_cut

__all__ = ["Size", "TreeWriter", "written_size"]

_Known: TypeAlias = "Mapping[int, tuple[int, Constraint]]"  # which argument some maxima are, and the equation


class Size(NamedTuple):
    """The size of a proof: its cases, and how often they refer to a constraint."""

    cases: int
    references: int


def written_size(tree: Tree, unknowns: Unknowns, known: frozenset[int] = frozenset()) -> Size:
    """Return the size of a proof when it is written, at most; `known` has the maxima that were split before."""
    if isinstance(tree, Leaf):
        cuts = [premise.reference for premise, _ in tree.combination if is_cut(premise.reference)]
        maxima = {cut[1] for cut in cuts}
        cases = math.prod(len(unknowns.arguments(maximum)) for maximum in maxima - known)
        each = len(tree.combination) + len(maxima) + sum(_parts(cut, unknowns) for cut in cuts)
        return Size(cases, cases * each)
    known = known | {tree.of} if isinstance(tree.of, int) else known
    sizes = [written_size(part, unknowns, known) for part in tree.trees]
    return Size(sum(size.cases for size in sizes), sum(size.references for size in sizes))


def _parts(cut: tuple[Any, ...], unknowns: Unknowns) -> int:
    """Return how many constraints a cut is replaced by, at most."""
    if cut[0] == "sum":
        return len(cut[2])
    return sum(len(argument.coefficients) for argument in unknowns.arguments(cut[1]))


def _replaced(combination: Combination, unknowns: Unknowns, known: _Known) -> Combination:
    """Return a combination with every cut replaced by what it follows from where the maximum is known."""
    total: dict[Reference, tuple[Premise, int]] = {}
    for premise, factor in combination:
        for part, times in _derivation(premise, unknowns, known):
            _, before = total.get(part.reference, (part, 0))
            total[part.reference] = (part, before + times * factor)
    return tuple((premise, factor) for premise, factor in total.values() if factor)


def _derivation(premise: Premise, unknowns: Unknowns, known: _Known) -> Iterator[tuple[Premise, int]]:
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
        """Return a proof as JSON has it, with cases instead of cuts; every leaf is verified on the way."""
        return self._written(tree, _numbered({}, root.constraints), _numbered({}, root.disjunctions), {})

    def _written(
        self, tree: Tree, constraints: Mapping[Any, int], disjunctions: Mapping[Any, int], known: _Known
    ) -> dict[str, Any]:
        if isinstance(tree, Leaf):
            cuts = [premise.reference for premise, _ in tree.combination if is_cut(premise.reference)]
            maximum = next((cut[1] for cut in cuts if cut[1] not in known), None)
            if maximum is None:
                return {"farkas": self._farkas(_replaced(tree.combination, self.unknowns, known), constraints)}
            cases = self.unknowns.cases_of_maximum(maximum)
            tree = Split(maximum, cases, (tree,) * len(cases), frozenset())
        split = ["max", self._number(tree.of)] if isinstance(tree.of, int) else ["or", disjunctions[tree.of]]
        written = []
        for j, (case, part) in enumerate(zip(tree.cases, tree.trees, strict=True)):
            learned = {**known, tree.of: (j, case.constraints[0])} if isinstance(tree.of, int) else known
            numbers = _numbered(constraints, case.constraints), _numbered(disjunctions, case.disjunctions)
            written.append(self._written(part, *numbers, learned))
        return {"split": split, "cases": written}

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


def _numbered(before: Mapping[Any, int], new: Iterable[Any]) -> dict[Any, int]:
    return {**before, **{entry: i for i, entry in enumerate(new, start=len(before))}}
