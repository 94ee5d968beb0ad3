"""The definitions of the papers, literally, over dictionaries of Fractions; no code of the library is shared."""

import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from fstheory import JointDistribution
from fstheory.numbers.logsum import LogSum
from tests.literal import (
    bayes_risk,
    first_impossible,
    first_tie,
    marginal,
    minimal_optimal as solutions,
    project,
    risks,
    subsets,
)
from tests.measures.literal import Pmf, probabilities as over, risk, squared_error

__all__ = ["Pmf", "over", "risk", "solutions", "squared_error"]

State = tuple[Any, ...]
Subset = frozenset[str]


class Literal:
    """A distribution as a dictionary from (x1, .., xn, y) to its probability."""

    def __init__(self, d: JointDistribution) -> None:
        self.features, self.classes, self.pmf = d.features, d.classes, d.to_pmf()
        self.marginals = {subset: marginal(self.pmf, self.places(subset)) for subset in subsets(d.features)}

    def places(self, subset: Iterable[str]) -> list[int]:
        return sorted(map(self.features.index, subset))

    def part(self, x: State, subset: Iterable[str]) -> State:
        """Return the state of a subset that the state x of all features has."""
        return project(x, self.places(subset))

    def joint(self, subset: Iterable[str], state: State) -> list[Fraction]:
        """Return p(s, y) for every class."""
        return [self.marginals[frozenset(subset)][(*state, y)] for y in self.classes]

    def p(self, subset: Iterable[str], state: State) -> Fraction:
        return sum(self.joint(subset, state), Fraction(0))

    def support(self) -> list[State]:
        return [x for x in dict.fromkeys(cell[:-1] for cell in self.pmf) if self.p(self.features, x) > 0]

    def posterior(self, subset: Iterable[str], state: State) -> list[Fraction]:
        joint = self.joint(subset, state)
        return [q / sum(joint) for q in joint]

    def risk(self, subset: Iterable[str]) -> Fraction:
        return bayes_risk(self.pmf, self.places(subset))

    def classify(self, subset: Iterable[str], state: State) -> object:
        """Return the Bayes classifier's class, the first of several."""
        joint = self.joint(subset, state)
        return self.classes[joint.index(max(joint))]

    def assumptions(self) -> tuple[bool, bool]:
        """Return whether p(x) > 0 for all x, and whether p(Y|x) has a single maximum wherever p(x) > 0."""
        return first_impossible(self.pmf) is None, first_tie(self.pmf) is None


def risks_of(d: JointDistribution) -> dict[Subset, Fraction]:
    return risks(d.to_pmf(), d.features)


def ginis_of(world: Literal) -> dict[Subset, Fraction]:
    """Return E(1 - the sum of p(y|s)**2) of every subset."""
    return {
        subset: 1 - sum((q * q / world.p(subset, cell[:-1]) for cell, q in held.items() if q), Fraction(0))
        for subset, held in world.marginals.items()
    }


def forward_and_back(
    value: dict[Subset, Fraction],
    table: dict[Subset, Fraction],
    order: Sequence[str],
    ahead: int,
    tau: Fraction | int = 0,
) -> list[Subset]:
    """Add the sets of features that lower `value` most, the smallest that do; then remove what the risk can spare."""
    path = [frozenset[str]()]
    while True:
        for number in range(1, ahead + 1):
            larger = [path[-1] | {*some} for some in combinations([x for x in order if x not in path[-1]], number)]
            best = min(larger, key=value.__getitem__, default=path[-1])
            if best != path[-1] and value[path[-1]] - value[best] > tau:
                path.append(best)
                break
        else:
            break
    for x in order:
        if x in path[-1] and table[path[-1] - {x}] - table[path[-1]] <= tau:
            path.append(path[-1] - {x})
    return path


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
    parts = ((world.part(x, both), world.part(x, given)) for x in world.support())
    return any(world.posterior(both, x) != world.posterior(given, z) for x, z in parts)


def relevant(world: Literal) -> tuple[Subset, Subset]:
    """Return the strongly and the weakly relevant features: Definitions 5 and 6 of Kohavi and John."""
    everything = frozenset(world.features)
    strong = frozenset(x for x in everything if matters(world, x, everything - {x}))
    some = frozenset(x for x in everything if any(matters(world, x, s) for s in world.marginals if x not in s))
    return strong, some - strong


def blankets(world: Literal) -> set[Subset]:
    """Return every subset M with p(Y | m) = p(Y | x) for all x of positive probability."""
    whole = {x: world.posterior(world.features, x) for x in world.support()}
    return {s for s in world.marginals if all(world.posterior(s, world.part(x, s)) == p for x, p in whole.items())}


def independent(d: JointDistribution, a: Iterable[str], b: Iterable[str], given: Iterable[str]) -> bool:
    """Say whether p(a, b, c) p(c) = p(a, c) p(b, c) for all states."""
    names, pmf = (*d.features, d.target), d.to_pmf()
    first, second, third = set(a), set(b), set(given)

    def mass(cell: State, group: set[str]) -> Fraction:
        same = [i for i, name in enumerate(names) if name in group]
        return sum((q for other, q in pmf.items() if all(other[i] == cell[i] for i in same)), Fraction(0))

    return all(
        mass(x, first | second | third) * mass(x, third) == mass(x, first | third) * mass(x, second | third)
        for x in pmf
    )


def pmf(d: JointDistribution) -> dict[tuple[Any, ...], Fraction]:
    """Return p over index tuples (x1, .., xn, y), only where it is positive."""
    cells = product(*map(range, d.weights.shape))
    return {cell: Fraction(int(d.weights[cell]), d.total) for cell in cells if d.weights[cell]}


def information(p: Pmf, a: tuple[int, ...], b: tuple[int, ...], given: tuple[int, ...]) -> LogSum:
    """I(A; B | C), term by term: p log of p(a, b | c) / (p(a | c) p(b | c))."""
    together, first, second, third = (over(p, s) for s in ((*a, *b, *given), (*a, *given), (*b, *given), given))
    terms = []
    for cell, weight in together.items():
        x, y, z = cell[: len(a)], cell[len(a) : len(a) + len(b)], cell[len(a) + len(b) :]
        terms.append((weight, weight * third[z] / (first[x + z] * second[y + z])))
    return LogSum(terms)


def log_loss(p: Pmf, subset: tuple[int, ...]) -> LogSum:
    seen = over(p, subset)
    return LogSum((w, seen[cell[:-1]] / w) for cell, w in over(p, (*subset, -1)).items())


def forward(value: Callable[[tuple[int, ...]], Any], k: int, order: Sequence[int]) -> list[int]:
    """Add the feature with the least loss, the first in order of several."""
    chosen: list[int] = []
    for _ in range(k):
        chosen.append(min((i for i in order if i not in chosen), key=lambda i: value(tuple(sorted([*chosen, i])))))
    return chosen


def backward(value: Callable[[tuple[int, ...]], Any], k: int, order: Sequence[int]) -> list[int]:
    """Take out the feature without which the loss is least."""
    left = list(order)
    while len(left) > k:
        left.remove(min(left, key=lambda i: value(tuple(sorted(j for j in left if j != i)))))
    return left


def cells(d: JointDistribution) -> dict[tuple[int, ...], list[int]]:
    """Return the weights of the classes at each state x."""
    return {x: d.weights[x].tolist() for x in product(*map(range, d.weights.shape[:-1]))}


def random_order(names: tuple[str, ...], seed: int) -> list[Subset]:
    """Draw a linear extension by shuffling and then moving supersets up."""
    left, order = subsets(names), list[Subset]()
    random.Random(seed).shuffle(left)
    while left:
        order.append(next(subset for subset in left if not any(subset < other for other in left)))
        left.remove(order[-1])
    return order
