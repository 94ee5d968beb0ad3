"""The definitions of the paper, literally, over a dictionary of Fractions; nothing is used but `to_pmf`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from fstheory import JointDistribution

State = tuple[Any, ...]
Subset = frozenset[str]


class Literal:
    """A distribution as a dictionary from (x1, .., xn, y) to its probability."""

    def __init__(self, d: JointDistribution) -> None:
        self.features, self.classes = d.features, d.classes
        self.pmf = d.to_pmf()
        self.states = [d.states[name] for name in d.features]

    def subsets(self) -> Iterator[Subset]:
        for size in range(len(self.features) + 1):
            yield from map(frozenset, combinations(self.features, size))

    def part(self, x: State, subset: Iterable[str]) -> State:
        """Return the state of a subset that the state x of all features has."""
        kept = set(subset)
        return tuple(value for name, value in zip(self.features, x, strict=False) if name in kept)

    def p(self, subset: Iterable[str], state: State, y: object = None) -> Fraction:
        """Return p(s, y), or p(s) if no class is given."""
        return sum(
            (q for (*x, z), q in self.pmf.items() if self.part(tuple(x), subset) == state and y in {None, ("is", z)}),
            Fraction(0),
        )

    def joint(self, subset: Iterable[str], state: State) -> list[Fraction]:
        """Return p(s, y) for every class."""
        return [self.p(subset, state, ("is", y)) for y in self.classes]

    def all_states(self, subset: Iterable[str]) -> list[State]:
        kept = set(subset)
        return list(product(*(own for name, own in zip(self.features, self.states, strict=True) if name in kept)))

    def support(self) -> list[State]:
        return [x for x in self.all_states(self.features) if sum(self.joint(self.features, x)) > 0]

    def posterior(self, subset: Iterable[str], state: State) -> list[Fraction]:
        joint = self.joint(subset, state)
        return [q / sum(joint) for q in joint]

    def risk(self, subset: Iterable[str]) -> Fraction:
        return 1 - sum((max(self.joint(subset, state)) for state in self.all_states(subset)), Fraction(0))

    def classify(self, subset: Iterable[str], state: State) -> object:
        """Return the Bayes classifier's class, the first of several."""
        joint = self.joint(subset, state)
        return self.classes[joint.index(max(joint))]

    def assumptions(self) -> tuple[bool, bool]:
        """Return whether p(x) > 0 for all x, and whether p(Y|x) has a single maximum wherever p(x) > 0."""
        joints = [self.joint(self.features, x) for x in self.all_states(self.features)]
        return all(map(any, joints)), all(joint.count(max(joint)) == 1 for joint in joints if any(joint))


def risks(world: Literal) -> dict[Subset, Fraction]:
    return {subset: world.risk(subset) for subset in world.subsets()}


def solutions(table: dict[Subset, Fraction]) -> set[Subset]:
    best = {subset for subset, value in table.items() if value == min(table.values())}
    return {subset for subset in best if not any(other < subset for other in best)}


def table_1(
    table: dict[Subset, Fraction], order: Sequence[str]
) -> tuple[Subset, list[tuple[Subset, str, Fraction, bool]], int]:
    """Run Table 1, line by line; return S, the tests of line 5, and how often line 3 let the loop run."""
    s = frozenset(order)  # 1
    i = 1  # 2
    tests, iterations = [], 0
    while i <= len(order):  # 3
        iterations += 1
        x = order[i - 1]
        if x in s:  # 4
            same = table[s - {x}] == table[s]  # 5
            tests.append((s, x, table[s - {x}], same))
            if same:
                s = s - {x}  # 6
                i = 1  # 7
            else:
                i = i + 1  # 9
        else:
            i = i + 1  # 11
    return s, tests, iterations


def changes(world: Literal, feature: str) -> Fraction:
    """Return P(g*(not Xi, Xi) != g*(not Xi, Xi')): the sum over all pairs of states that differ in the feature."""
    others = set(world.features) - {feature}
    found = Fraction(0)
    for x, z in product(world.support(), repeat=2):
        if world.part(x, others) == world.part(z, others):
            both = world.p(world.features, x) * world.p(world.features, z) / world.p(others, world.part(x, others))
            found += both * (world.classify(world.features, x) != world.classify(world.features, z))
    return found


def matters(world: Literal, feature: str, given: Subset) -> bool:
    """Say whether p(y | xi, s) != p(y | s) for some class and some state of positive probability."""
    both = given | {feature}
    for x in world.support():
        if world.posterior(both, world.part(x, both)) != world.posterior(given, world.part(x, given)):
            return True
    return False


def relevant(world: Literal) -> tuple[Subset, Subset]:
    """Return the strongly and the weakly relevant features: Definitions 5 and 6 of Kohavi and John."""
    everything = frozenset(world.features)
    strong = frozenset(x for x in everything if matters(world, x, everything - {x}))
    some = frozenset(x for x in everything if any(matters(world, x, s) for s in world.subsets() if x not in s))
    return strong, some - strong


def blankets(world: Literal) -> set[Subset]:
    """Return every subset M with p(Y | m) = p(Y | x) for all x of positive probability."""
    return {
        subset
        for subset in world.subsets()
        if all(
            world.posterior(subset, world.part(x, subset)) == world.posterior(world.features, x)
            for x in world.support()
        )
    }


def minimal(family: set[Subset]) -> set[Subset]:
    return {subset for subset in family if not any(other < subset for other in family)}


def independent(d: JointDistribution, a: Iterable[str], b: Iterable[str], given: Iterable[str]) -> bool:
    """Say whether p(a, b, c) p(c) = p(a, c) p(b, c) for all states."""
    names = (*d.features, d.target)
    pmf = d.to_pmf()

    def mass(cell: State, group: set[str]) -> Fraction:
        same = [i for i, name in enumerate(names) if name in group]
        return sum((q for other, q in pmf.items() if all(other[i] == cell[i] for i in same)), Fraction(0))

    first, second, third = set(a), set(b), set(given)
    return all(
        mass(cell, first | second | third) * mass(cell, third) == mass(cell, first | third) * mass(cell, second | third)
        for cell in pmf
    )
