"""Proofs by cases as a certificate has them: constraints and maxima by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fstheory.logic.nodes import Node
from fstheory.proofs.cases import Leaf, Tree
from fstheory.proofs.linear import Case, Constraint, Unknowns
from fstheory.proofs.relaxation import Combination, Reference, contradicts

__all__ = ["Size", "TreeWriter", "written_size"]


class Size(NamedTuple):
    """The size of a proof: its cases, and how often they refer to a constraint."""

    cases: int
    references: int


def written_size(tree: Tree) -> Size:
    """Return the size of a proof when it is written."""
    if isinstance(tree, Leaf):
        return Size(1, len(tree.combination))
    sizes = [written_size(part) for part in tree.trees]
    return Size(sum(size.cases for size in sizes), sum(size.references for size in sizes))


@dataclass
class TreeWriter:
    """Writes proofs with one common list of maxima."""

    unknowns: Unknowns
    maxima: list[Node] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def write(self, root: Case, tree: Tree) -> dict[str, Any]:
        """Return a proof as JSON has it; every leaf is verified on the way."""
        return self._written(tree, _numbered({}, root.constraints), _numbered({}, root.disjunctions))

    def _written(self, tree: Tree, constraints: Mapping[Any, int], disjunctions: Mapping[Any, int]) -> dict[str, Any]:
        if isinstance(tree, Leaf):
            return {"farkas": self._farkas(tree.combination, constraints)}
        split = ["max", self._number(tree.of)] if isinstance(tree.of, int) else ["or", disjunctions[tree.of]]
        written = []
        for case, part in zip(tree.cases, tree.trees, strict=True):
            numbers = _numbered(constraints, case.constraints), _numbered(disjunctions, case.disjunctions)
            written.append(self._written(part, *numbers))
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
        if kind == "p":
            return ["p", *rest]
        maximum = self._number(rest[0])
        if kind == "sum":
            return ["sum", maximum, [self._number(part) for part in rest[1]]]
        return [kind, maximum, *rest[1:]]

    def _number(self, maximum: int) -> int:
        if maximum not in self._numbers:
            self._numbers[maximum] = len(self.maxima)
            self.maxima.append(self.unknowns.maxima[maximum])
        return self._numbers[maximum]


def _numbered(before: Mapping[Any, int], new: Iterable[Any]) -> dict[Any, int]:
    return {**before, **{entry: i for i, entry in enumerate(new, start=len(before))}}
