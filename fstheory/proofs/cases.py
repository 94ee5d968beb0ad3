"""Proof by cases: split open disjunctions and maxima until the linear constraints of every case contradict each other.

At each step the linear relaxation is asked for a point. A point at which everything assumed is true is a
counterexample. What is false there tells which disjunctions or maxima could be split next; among a
few of them, the one with the fewest cases that stay open is taken. A case whose contradiction does not need what was
assumed in it replaces the split, so that useless splits leave no trace.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from fstheory._support.progress import Clock, OutOfTime, spend
from fstheory.checker.certificates import check_certificate_text
from fstheory.checker.reading import MAX_STEPS
from fstheory.checker.statement import ONE
from fstheory.logic.certificate import Certificate, certificate_of_proof
from fstheory.logic.expressions import Node, to_json
from fstheory.logic.statement import Image, Renaming, Statement, image_instances, invariant_under
from fstheory.proofs.linear import Case, Constraint, Disjunction, Point, Unknowns, branching_maxima
from fstheory.proofs.solvers import Combination, Relaxation, always, contradicts, cuts


class ProofLimits(NamedTuple):
    """How large a proof by cases may become."""

    cases: int = 100_000
    together: int = 256  # the cases that one worker closes before the open branches are given to all workers
    depth: int = 100  # the most splits in one branch
    candidates: int = 4  # the splits of which the best is taken: more of them make smaller trees and take longer
    references: int = 500_000  # the most references to constraints in a certificate that the checker accepts


PROOF_LIMITS = ProofLimits()


class TooManyCases(Exception):
    """The case split has become too large."""


class Counterexample(Exception):
    """A distribution at which the assumptions hold and the formula does not."""

    def __init__(self, point: tuple[Fraction, ...], values: Point) -> None:
        super().__init__(point)
        self.point, self.values = point, values  # the probabilities of the cells, and the values of all unknowns


class Leaf(NamedTuple):
    """A case that contradicts itself."""

    combination: Combination

    @property
    def used(self) -> frozenset[str]:
        """The names of the constraints of the branch that are needed."""
        names = (part for p, _ in self.combination for part in (p.name[1] if p.name[0] == "product" else [p.name]))
        return frozenset(name.split("*")[0] for name in names if isinstance(name, str))


class Split(NamedTuple):
    """A proof by cases."""

    of: str  # the name of a disjunction
    cases: list[tuple[list[str], list[str]]]  # the names of the constraints and disjunctions that each case adds
    trees: list[Tree]  # the proof of each case
    used: frozenset[str]  # the names of the constraints before the split that the proof needs


class Copy(NamedTuple):
    """A case that is an image of an earlier case of the same split. The renaming keeps all constraints before it."""

    image_of: int
    renaming: Renaming
    used: frozenset[str]  # all names of the branch, because the renaming is only known to keep all of them together


class Open(NamedTuple):
    """A branch that is left to another worker. Its path names the splits before it, and the case of each."""

    path: Path
    used: frozenset[str]  # all names of the branch, because the needed ones are not known yet


Tree: TypeAlias = "Leaf | Split | Copy | Open"
Path: TypeAlias = "tuple[tuple[str, int], ...]"


def split_into(of: str, cases: list[tuple[list[str], list[str]]], trees: list[Tree]) -> Tree:
    """Return the proof by these cases. If the proof of one case does not need what the case adds, return that proof."""
    for names, tree in zip(cases, trees, strict=True):
        if tree.used.isdisjoint({*names[0], *names[1]}):
            return tree
    needed = frozenset().union(*(tree.used for tree in trees), [of])
    return Split(of, cases, trees, needed.difference(*(part for names in cases for part in names)))


def closed(tree: Tree, found: Mapping[Path, Tree]) -> Tree:
    """Return a proof in which the open branches are replaced by the proofs that were found."""
    if isinstance(tree, Open):
        return closed(found[tree.path], found)
    if isinstance(tree, Leaf | Copy):
        return tree
    return split_into(tree.of, tree.cases, [closed(part, found) for part in tree.trees])


class CaseSplit:
    """The search for a proof that assumptions and the negation of a formula contradict each other."""

    _relaxing: type[Relaxation] = Relaxation

    def __init__(
        self,
        unknowns: Unknowns,
        assume: Sequence[Node],
        formula: Node,
        clock: Clock,
        limits: ProofLimits = PROOF_LIMITS,
    ) -> None:
        self.root = unknowns.case([*assume, ("not", formula)])
        self.leaves, self.open = 0, list[Path]()  # after the first open branch, all further branches stay open
        self._unknowns, self._limits, self._most = unknowns, limits, math.inf
        self._maxima = unknowns.maxima_in(self.root.forms())
        self._relaxation = self._relaxing(unknowns, self._maxima, clock)

    def tree(self, path: Path = (), most: float = math.inf) -> Tree:
        """Return the proof of a branch. After `most` leaves, all branches that are left stay open."""
        self._most = most
        return self._prove(self._entered(path))

    def _entered(self, path: Path) -> Branch:
        """Return a branch, and give the relaxation its constraints."""
        branch = _root(self.root, self._unknowns)
        self._relaxation.push(self.root.constraints)
        for of, i in path:
            target = branch.target(of, self._unknowns)
            branch = branch.extended(target, i)
            self._relaxation.push(target.cases[i].constraints)
        return branch

    def _prove(self, branch: Branch) -> Tree:
        """Return the proof of a branch, whose constraints the relaxation has."""
        if self.leaves >= self._most:
            self.open.append(branch.path)
            return branch.left_open()
        spend()
        combination = self._relaxation.contradiction()
        if combination is not None:
            return Leaf(combination)
        if len(branch.path) > self._limits.depth:
            raise TooManyCases(f"a case split with more than {self._limits.depth} splits in one branch")
        target, found, images = self._choose(branch, self._relaxation.point())
        names, trees = [case.names for case in target.cases], dict[int, Tree]()
        for i in sorted(range(len(names)), key=lambda i: found[i] is None):
            if found[i] is not None:
                self.leaves += 1
                trees[i] = Leaf(found[i])
            elif images[i][0] != i:
                trees[i] = Copy(images[i][0], images[i][1], branch.names.union(*names[i]))
            else:
                self._relaxation.push(target.cases[i].constraints)
                trees[i] = self._prove(branch.extended(target, i))
                self._relaxation.pop()
            if trees[i].used.isdisjoint({*names[i][0], *names[i][1]}):
                return trees[i]
        return split_into(target.name, names, [trees[i] for i in range(len(names))])

    def _choose(self, branch: Branch, point: Point) -> tuple[Any, ...]:
        """Return a split, for each of its cases the contradiction if there is one at once, and which are copies."""
        best: tuple[Any, ...] = ()
        for candidate in itertools.islice(self._candidates(branch, point), self._limits.candidates):
            images = branch.images(candidate.cases, self._unknowns)
            found: list[Combination | None] = []
            for case, (source, _) in zip(candidate.cases, images, strict=True):
                if source < len(found) and found[source] is None:  # neither is its copy
                    found.append(None)
                    continue
                self._relaxation.push(case.constraints)
                found.append(self._relaxation.contradiction())
                self._relaxation.pop()
            score = sum(found[i] is None for i in {source for source, _ in images}), len(images)
            if not best or score < best[0]:
                best = score, candidate, found, images
            if not score[0]:
                break
        if not best:
            raise Counterexample(tuple(Fraction(point[cell], point[ONE]) for cell in self._unknowns.numbers), point)
        return best[1:]

    def _candidates(self, branch: Branch, point: Point) -> Iterator[Disjunction]:
        """Yield the disjunctions that are false at a point, then the maxima that make constraints true wrongly.

        If there are none, yield the disjunctions that are true of every distribution but false at the point, and then
        the maxima that are factors of products, whose real values are not known.
        """
        real = self._unknowns.complete(point, self._maxima)
        open_ = [disjunction for disjunction in branch.disjunctions if not disjunction.holds(real)]
        broken = [constraint for constraint in branch.constraints if not constraint.holds(real)]
        yield from open_
        yield from branching_maxima(self._unknowns, broken, point, real, branch.split)
        if not open_ and not broken:
            yield from (disjunction for disjunction in self._unknowns.splits if not disjunction.holds(real))
            factors = {u for key in self._unknowns.terms.parameters if isinstance(key, tuple) for u in key}
            tops = (self._unknowns.attained(k) for k in self._maxima if self._unknowns.cells + k in factors)
            yield from (top for top in tops if top not in branch.split)


class Branch(NamedTuple):
    """The constraints on the way to one case of a split, and the disjunctions that are still open there."""

    constraints: tuple[Constraint, ...]
    disjunctions: tuple[Disjunction, ...]  # still open
    split: frozenset[Disjunction]
    path: Path = ()
    moves: tuple[Renaming, ...] = ()  # the renamings that keep all constraints and disjunctions of the branch
    names: frozenset[str] = frozenset()  # of the constraints and disjunctions that the cases of the path added

    def target(self, of: str, unknowns: Unknowns) -> Disjunction:
        """Return the open disjunction, the one that every distribution satisfies, or the maximum with this name.

        Raise a ValueError or a LookupError if there is neither.
        """
        named = [entry for entry in (*self.disjunctions, *unknowns.splits) if entry.name == of]
        return named[0] if named else unknowns.attained(int(str(of).removeprefix("max ")))

    def left_open(self) -> Open:
        """Return the branch as one that is left to another worker."""
        return Open(self.path, frozenset().union(*Case(self.constraints, self.disjunctions).names))

    def images(self, cases: Sequence[Case], unknowns: Unknowns) -> Sequence[Image]:
        """For each case of a split, return the first case of which it is a renamed copy, and the renaming.

        A case that is no copy of an earlier one is a copy of itself.
        """
        if not self.moves:
            return [(i, Renaming((), (), ())) for i in range(len(cases))]
        return image_instances([case.said[0] for case in cases], self.moves, unknowns.shape)

    def extended(self, target: Disjunction, i: int) -> Branch:
        """Return the branch with one more case: the case `i` of a disjunction."""
        case = target.cases[i]
        moves = invariant_under(self.moves, case.said) if self.moves else ()
        left = tuple(disjunction for disjunction in self.disjunctions if disjunction is not target)
        constraints, disjunctions = (*self.constraints, *case.constraints), (*left, *case.disjunctions)
        split, path = self.split | {target}, (*self.path, (target.name, i))
        return Branch(constraints, disjunctions, split, path, moves, self.names.union(*case.names))


def _root(case: Case, unknowns: Unknowns) -> Branch:
    moves = invariant_under(unknowns.renamings, case.said)
    return Branch(case.constraints, case.disjunctions, frozenset(), moves=moves)


# -- Proofs by cases as a certificate has them: constraints and maxima by number.


_MILLISECONDS = 0.04  # to write a reference to a constraint, and to check it


@dataclass
class TreeWriter:
    """Writes proofs with one common list of maxima, as long as they are not too large for the checker or the time."""

    unknowns: Unknowns
    clock: Clock
    limits: ProofLimits = PROOF_LIMITS
    cases: int = 0  # written so far
    references: int = 0  # to constraints
    maxima: list[Node] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)  # in the list of maxima

    def certificate(self, statement: Statement, proofs: Sequence[Mapping[str, Any]]) -> Certificate:
        """Return the certificate with the proofs that were written for a statement. The checker accepts it."""
        evidence = {"maxima": [to_json(node) for node in self.maxima], "proofs": proofs}
        certificate = certificate_of_proof(statement, evidence)
        check_certificate_text(certificate.to_json(), max_steps=self.clock.steps_left(MAX_STEPS))
        return certificate

    def write(self, root: Case, tree: Tree) -> dict[str, Any]:
        """Return a proof as JSON has it."""
        constraints, disjunctions = root.names
        return self._written(tree, _numbered({}, constraints), _numbered({}, disjunctions))

    def _written(self, tree: Tree, constraints: Mapping[str, int], disjunctions: Mapping[str, int]) -> dict[str, Any]:
        assert not isinstance(tree, Open)
        if isinstance(tree, Leaf):
            return {"farkas": self._farkas(tree.combination, constraints)}
        if isinstance(tree, Copy):
            return {"image_of": tree.image_of, **asdict(tree.renaming)}
        if tree.of in disjunctions:
            split: list[Any] = ["or", disjunctions[tree.of]]
        else:  # one that is true of every distribution
            kind, *words = tree.of.split()
            numbers = [int(word) if word.isdecimal() else word for word in words]
            split = [kind, *(map(self._number, map(int, words)) if kind == "max" else numbers)]
        written = []
        for (more, choices), part in zip(tree.cases, tree.trees, strict=True):
            written.append(self._written(part, _numbered(constraints, more), _numbered(disjunctions, choices)))
        return {"split": split, "cases": written}

    def _farkas(self, combination: Combination, constraints: Mapping[str, int]) -> list[list[Any]]:
        self.cases += 1
        self.references += len(combination)
        if self.references > self.limits.references:
            raise TooManyCases(f"a proof by {self.cases:,} cases")
        self.clock.tick(lambda: f"a proof by {self.cases:,} cases is written")
        if self.references * _MILLISECONDS > self.clock.left * 1000:
            raise OutOfTime
        pairs = [[self._reference(premise.name, constraints), str(factor)] for premise, factor in combination]
        return sorted(pairs, key=_place_in_proof)

    def _reference(self, reference: str | tuple[Any, ...], constraints: Mapping[str, int]) -> Any:
        if isinstance(reference, str):
            of, _, times = reference.partition("*")  # what a branch says, perhaps times what is around log p
            bound = [int(times[:-1]), 6, times[-1] == "+"] if times else []
            return ["times", bound, constraints[of]] if times else constraints[of]
        kind, *rest = reference
        if kind == "total":
            return "total"
        if kind == "product":
            return [kind, [self._reference(name, constraints) for name in rest[0]]]
        if kind not in {"M", "sum", "whole"}:
            return [kind, *rest]
        maximum = self._number(rest[0])
        if kind == "sum":
            return ["sum", maximum, [self._number(part) for part in rest[1]]]
        return [kind, maximum, *rest[1:]]

    def _number(self, maximum: int) -> int:
        if maximum not in self._numbers:
            self._numbers[maximum] = len(self.maxima)
            self.maxima.append(self.unknowns.top(maximum))
        return self._numbers[maximum]


def _place_in_proof(pair: list[Any]) -> tuple[Any, ...]:
    """Return a key for sorting: facts of the branch by number, then facts by word; numbers stand before other parts."""
    reference = pair[0] if isinstance(pair[0], list) else [pair[0]]
    parts = [(False, part) if type(part) is int else (True, json.dumps(part)) for part in reference]
    return isinstance(pair[0], list), parts


def _numbered(before: Mapping[str, int], new: Iterable[str]) -> dict[str, int]:
    return {**before, **{entry: i for i, entry in enumerate(new, start=len(before))}}


# -- Proofs in a journal: the name of each split, followed by its cases; contradictions; null for an open branch.


def tree_to_json(tree: Tree) -> list[Any]:
    """Return a proof as a list for JSON, from the root on. The name of a split says what its cases add."""
    if isinstance(tree, Split):
        return [tree.of, *(step for part in tree.trees for step in tree_to_json(part))]
    if isinstance(tree, Copy):
        return [{"image_of": tree.image_of}]
    return [[[p.name, factor] for p, factor in tree.combination] if isinstance(tree, Leaf) else None]


class TreeReader:
    """Reads what `tree_to_json` made of branches of one formula, and verifies each contradiction."""

    def __init__(self, unknowns: Unknowns, assume: Sequence[Node], formula: Node) -> None:
        root = unknowns.case([*assume, ("not", formula)])
        maxima = unknowns.maxima_in(root.forms())
        self._unknowns, self._root = unknowns, _root(root, unknowns)
        self._known = {json.dumps(p.name): p for p in (*always(unknowns, maxima), *cuts(unknowns, maxima))}

    def read(self, steps: object, path: Path) -> tuple[Tree, list[Path]]:
        """Return a proof and what is open in it, or raise a ValueError."""
        branch, opened = self._root, list[Path]()
        for of, i in path:
            branch = branch.extended(branch.target(of, self._unknowns), i)
        try:
            rest = iter(steps)  # type: ignore[call-overload]
            tree = self._tree(rest, branch, opened)
            if next(rest, rest) is not rest:
                raise ValueError("steps are left")
        except (TypeError, LookupError, StopIteration) as error:
            raise ValueError("it is no proof") from error
        return tree, opened

    def _tree(self, steps: Iterator[Any], branch: Branch, opened: list[Path], image: Image | None = None) -> Tree:
        step = next(steps)
        if image is not None and step == {"image_of": image[0]}:
            return Copy(*image, branch.names)
        if step is None:
            opened.append(branch.path)
            return branch.left_open()
        if isinstance(step, list):
            named = {reference for reference, _ in step if isinstance(reference, str)}
            own = {c.name: c for c in branch.constraints if c.name in named}
            combination = tuple((own[r] if isinstance(r, str) else self._known[json.dumps(r)], int(k)) for r, k in step)
            if not contradicts(combination):
                raise ValueError("a case does not contradict itself")
            return Leaf(combination)
        if len(branch.path) > PROOF_LIMITS.depth:
            raise ValueError("it has too many splits in one branch")
        target = branch.target(step, self._unknowns)
        images = [
            image if image[0] < i else None for i, image in enumerate(branch.images(target.cases, self._unknowns))
        ]
        branches = (branch.extended(target, i) for i in range(len(images)))
        trees = [self._tree(steps, at, opened, image) for at, image in zip(branches, images, strict=True)]
        return split_into(target.name, [case.names for case in target.cases], trees)
