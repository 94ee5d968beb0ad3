"""Proofs by cases as a certificate has them: facts by number, and only rules that the checker knows.

The search also uses that the maximum of a sum is at most the sum of the maxima (`fstheory.search.sums`). A leaf that
needs this for some maximum M is replaced by the cases of which argument M is; in each of them the rule is a sum of
the bounds of the parts by their own arguments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fstheory.logic.nodes import Node
from fstheory.search.linear import Case, Choice, Fact, Unknowns
from fstheory.search.multipliers import Combination, Premise, Reference, contradicts, is_sum
from fstheory.search.splitting import Leaf, Split, Tree

__all__ = ["Size", "TreeWriter", "leaves", "size_without_sums", "without_sums"]


def leaves(tree: Tree) -> int:
    """Return the number of cases of a proof.

    Examples
    --------
    >>> leaves(Leaf(()))
    1
    """
    return 1 if isinstance(tree, Leaf) else sum(map(leaves, tree.trees))


class Size(NamedTuple):
    """The size of a proof: its cases, and how often they refer to a fact."""

    cases: int
    references: int


def size_without_sums(tree: Tree, unknowns: Unknowns) -> Size:
    """Return the size at most that `without_sums` makes a proof.

    Examples
    --------
    >>> size_without_sums(Leaf(()), None)
    Size(cases=1, references=0)
    """
    return _size(tree, unknowns, frozenset())


def _size(tree: Tree, unknowns: Unknowns, known: frozenset[int]) -> Size:
    if isinstance(tree, Leaf):
        references = [premise.reference for premise, _ in tree.combination]
        sums = [(reference[1], reference[2]) for reference in references if is_sum(reference)]
        maxima = {maximum for maximum, _ in sums}
        cases = math.prod(len(unknowns.arguments(maximum)) for maximum in maxima - known)
        each = len(references) - len(sums) + len(maxima) + sum(len(parts) for _, parts in sums)
        return Size(cases, cases * each)
    known = known | {tree.of} if isinstance(tree.of, int) else known
    sizes = [_size(part, unknowns, known) for part in tree.trees]
    return Size(sum(size.cases for size in sizes), sum(size.references for size in sizes))


def without_sums(tree: Tree, unknowns: Unknowns) -> Tree:
    """Return a proof without the rule for sums, with more cases.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> from fstheory.search.clock import Clock
    >>> from fstheory.search.splitting import CaseSplit
    >>> unknowns = Unknowns(Shape((2,)))
    >>> tree = CaseSplit(unknowns, [], ("<=", ("R", (0,)), ("R", ())), Clock(None, None)).tree()
    >>> leaves(tree), leaves(without_sums(tree, unknowns))
    (1, 2)
    """
    return _rewritten(tree, unknowns, {})


def _rewritten(tree: Tree, unknowns: Unknowns, known: Mapping[int, tuple[int, Fact]]) -> Tree:
    """Return a tree without sums, below splits that say which argument some maxima are."""
    if isinstance(tree, Leaf):
        return _leaf(tree.combination, unknowns, known)
    trees = tuple(
        _rewritten(part, unknowns, _learned(known, tree.of, j, case))
        for j, (case, part) in enumerate(zip(tree.cases, tree.trees, strict=True))
    )
    return Split(tree.of, tree.cases, trees, tree.used)


def _learned(
    known: Mapping[int, tuple[int, Fact]], of: Choice | int, j: int, case: Case
) -> Mapping[int, tuple[int, Fact]]:
    return {**known, of: (j, case.facts[0])} if isinstance(of, int) else known


def _leaf(combination: Combination, unknowns: Unknowns, known: Mapping[int, tuple[int, Fact]]) -> Tree:
    sums = [premise.reference for premise, _ in combination if is_sum(premise.reference)]
    maximum = next((reference[1] for reference in sums if reference[1] not in known), None)
    if maximum is None:
        return Leaf(_replaced(combination, unknowns, known) if sums else combination)
    cases = unknowns.cases_of_maximum(maximum)
    trees = (_leaf(combination, unknowns, _learned(known, maximum, j, case)) for j, case in enumerate(cases))
    return Split(maximum, cases, tuple(trees), frozenset())


def _replaced(combination: Combination, unknowns: Unknowns, known: Mapping[int, tuple[int, Fact]]) -> Combination:
    """Return a combination with every sum replaced by what it follows from where the maximum is known."""
    total: dict[Reference, tuple[Premise, int]] = {}
    for premise, factor in combination:
        for part, times in _derivation(premise, unknowns, known):
            _, before = total.get(part.reference, (part, 0))
            total[part.reference] = (part, before + times * factor)
    return tuple((premise, factor) for premise, factor in total.values() if factor)


def _derivation(
    premise: Premise, unknowns: Unknowns, known: Mapping[int, tuple[int, Fact]]
) -> Iterator[tuple[Premise, int]]:
    reference = premise.reference
    if not is_sum(reference):
        yield premise, 1
        return
    _, maximum, parts = reference
    j, fact = known[maximum]
    yield Premise(fact, fact.linear, fact.relation), -1
    for part in parts:
        yield Premise(("M", part, j), unknowns.bounds(part)[j], ">="), 1


@dataclass
class TreeWriter:
    """Writes proofs with one common list of maxima.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> from fstheory.search.clock import Clock
    >>> from fstheory.search.splitting import CaseSplit
    >>> unknowns = Unknowns(Shape((2,)))
    >>> split = CaseSplit(unknowns, [], ("<=", ("P", (0,), 1), ("P", (0,), None)), Clock(None, None))
    >>> TreeWriter(unknowns).write(split.root, split.tree())
    {'farkas': [[0, '1'], [['p', 0], '1']]}
    """

    unknowns: Unknowns
    maxima: list[Node] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def write(self, root: Case, tree: Tree) -> dict[str, Any]:
        """Return a proof as JSON has it; every leaf is verified on the way.

        Raises
        ------
        ArithmeticError
            A leaf is no contradiction.
        """
        return self._written(tree, dict(_numbered(root.facts, 0)), dict(_numbered(root.choices, 0)))

    def _written(self, tree: Tree, facts: dict[Fact, int], choices: dict[Choice, int]) -> dict[str, Any]:
        if isinstance(tree, Leaf):
            return {"farkas": self._farkas(tree.combination, facts)}
        split = ["max", self._number(tree.of)] if isinstance(tree.of, int) else ["or", choices[tree.of]]
        cases = [
            self._written(
                part,
                {**facts, **dict(_numbered(case.facts, len(facts)))},
                {**choices, **dict(_numbered(case.choices, len(choices)))},
            )
            for case, part in zip(tree.cases, tree.trees, strict=True)
        ]
        return {"split": split, "cases": cases}

    def _farkas(self, combination: Combination, facts: Mapping[Fact, int]) -> list[list[Any]]:
        if not contradicts(combination):
            raise ArithmeticError("a case of a proof does not contradict itself; this is a fault of fstheory")
        pairs = [[self._reference(premise.reference, facts), str(factor)] for premise, factor in combination]
        return sorted(pairs, key=lambda pair: (isinstance(pair[0], list), isinstance(pair[0], str), pair[0]))

    def _reference(self, reference: Reference, facts: Mapping[Fact, int]) -> Any:
        if isinstance(reference, Fact):
            return facts[reference]
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
