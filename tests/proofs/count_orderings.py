"""Count the orderings of four features that are impossible, and which theorem of the textbook explains which.

``python -m tests.proofs.count_orderings levels 3`` writes ``impossible_orderings.txt``; ``levels 5 [STEP [CLASSES]]``
looks at every STEP-th class with five levels, ``drawn COUNT SEED [STATES [CLASSES]]`` at orderings drawn at random, and
``states`` at more states for the orderings in that file. Nothing depends on the clock: Z3 stops after a number of
steps. What it realizes is checked from the definition.
"""

import functools
import itertools
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from fstheory import JointDistribution
from fstheory.lattice.subsets import default_features
from fstheory.logic.claims import Claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.proofs.construction import WeakOrder, plan, weak_order
from tests.proofs.claims import world_of
from tests.proofs.weak_order_lists import random_weak_order, weak_orders

Ranks = tuple[int, ...]

LISTED = Path(__file__).with_name("impossible_orderings.txt")
BITS = Shape((2,) * 4)
WORK = 50_000_000
"""Steps of Z3, some ten seconds."""

STATEMENTS = {
    "E (a)": ("12=1234 23=1234 1234<2 3<0 3=34", ["13=134"]),
    "E (b)": ("12=1234 23=1234 1234<2 3<0 3=13", ["34=134"]),
    "F": ("2=3 2=234 4=14 4<0 124=1234 134=1234", ["12=13 12=123"]),
    "G": ("12=1234 234=1234 3=23 4=14 4<0", ["34=134"]),
    "H": ("14=1234 2=12 2<0 13=134", ["23=234", "34=234"]),
}
"""The theorems: what is asked, and the conclusions of which one follows. ``12=1234`` says R(X1X2) = R(X), 0 is {}."""

ALL = tuple(STATEMENTS)
COVERS = [(mask, mask | 1 << i) for mask in range(16) for i in range(4) if not mask >> i & 1]


def compared(text: str, value: Callable[[int], Any]) -> list[Any]:
    """Return the comparisons of a text, of what belongs to the masks of the subsets."""
    found = []
    for comparison in text.split():
        a, b = (value(sum(1 << int(i) - 1 for i in side if i != "0")) for side in re.split("[<=]", comparison))
        found.append(a == b if "=" in comparison else a < b)
    return found


def is_true(text: str, ranks: Ranks) -> bool:
    return all(compared(text, ranks.__getitem__))


def as_claim(asked: str, conclusions: list[str]) -> Claim:
    """Return the claim that of four features one of the conclusions follows."""

    def theorem(m: Model) -> Formula:
        def formula(text: str) -> Formula:
            return m.all(compared(text, lambda mask: m.risk(i for b, i in enumerate(m.order) if mask >> b & 1)))

        return m.implies(formula(asked), m.any(map(formula, conclusions)))

    return Claim(asked, theorem, (), ())


RENAMINGS = [
    [sum(1 << j for i, j in enumerate(images) if mask >> i & 1) for mask in range(16)]
    for images in itertools.permutations(range(4))
]


def renamed(ranks: Ranks) -> set[Ranks]:
    return {tuple(ranks[image] for image in images) for images in RENAMINGS}


def explained(ranks: Ranks, names: Iterable[str] = ALL) -> bool:
    """Whether a theorem excludes the ordering, under some names of the features."""
    images = renamed(ranks)
    return any(
        is_true(STATEMENTS[name][0], image) and not any(is_true(text, image) for text in STATEMENTS[name][1])
        for name in names
        for image in images
    )


@functools.cache
def classes_of(levels: int) -> dict[Ranks, int]:
    """Return the orderings with a number of levels, one of each class of renamings, with the size of its class."""
    return dict(sorted(Counter(min(renamed(order.ranks)) for order in weak_orders(4, levels)).items()))


def order_of(ranks: Ranks) -> WeakOrder:
    return WeakOrder(default_features(4), ranks)


def listed() -> list[Ranks]:
    """Return the impossible classes with three levels, as they were found."""
    return [weak_order(line, 4).ranks for line in LISTED.read_text(encoding="utf-8").splitlines()]


def possible(ranks: Ranks, shape: Shape = BITS, *, inclusion: bool = False, work: int = WORK) -> bool | None:
    """Ask Z3 for a distribution with an ordering; None if it did not decide.

    With `inclusion`, only comparisons of subsets that contain each other count. The unknowns are the leads of the
    classes over class 0. S and T, S inside T, tie if in each cell of S some class is best in all the cells of T in it.
    """
    import z3

    solver = z3.Solver()
    solver.set("rlimit", work)
    leads = {
        x: [z3.RealVal(0), *(z3.Real(f"u{x}{y}") for y in range(1, shape.classes))]
        for x in itertools.product(*map(range, shape.cardinalities))
    }
    winners, gains = [], []
    for mask in range(16):
        cells: dict[tuple[int, ...], list[Any]] = {}
        for x, values in leads.items():
            cells.setdefault(tuple(v if mask >> i & 1 else -1 for i, v in enumerate(x)), []).append(values)
        best = {s: z3.Real(f"m{s}") for s in cells}
        sums = {s: [z3.Sum(column) for column in zip(*rows, strict=True)] for s, rows in cells.items()}
        winners.append({s: [best[s] == total for total in totals] for s, totals in sums.items()})
        gains.append(z3.Sum(list(best.values())))
        for s, totals in sums.items():
            solver.add(*(best[s] >= total for total in totals), z3.Or(winners[mask][s]))
    for small, large in COVERS:
        tie = []
        for s, won in winners[small].items():
            inside = [w for t, w in winners[large].items() if all(a in (-1, b) for a, b in zip(s, t, strict=True))]
            tie.append(z3.Or([z3.And([w[y] for w in inside]) for y in range(len(won))]))
        if ranks[small] == ranks[large]:
            solver.add(*tie)
        elif inclusion:
            solver.add(z3.Not(z3.And(tie)))
    by_rank = sorted(range(16), key=lambda mask: ranks[mask])
    for a, b in [] if inclusion else itertools.pairwise(by_rank):
        solver.add(gains[a] == gains[b] if ranks[a] == ranks[b] else gains[a] > gains[b])
    answer = solver.check()
    if answer == z3.sat:
        model = solver.model()
        check(ranks, {x: [model.eval(u, True).as_fraction() for u in us] for x, us in leads.items()}, shape, inclusion)
    return None if answer == z3.unknown else bool(answer == z3.sat)


def check(ranks: Ranks, leads: dict[tuple[int, ...], list[Any]], shape: Shape, inclusion: bool) -> None:
    """Require that a distribution with these leads has the ordering, or its comparisons along inclusion."""
    scale = math.lcm(*(u.denominator for us in leads.values() for u in us))
    weights = np.zeros((*shape.cardinalities, shape.classes), dtype=object)
    for x, us in leads.items():
        weights[x] = [int((u - min(us)) * scale) for u in us]
    found = world_of(JointDistribution(weights if weights.any() else weights + 1)).ranks()
    assert found == ranks or inclusion
    assert all((ranks[a] == ranks[b]) == (found[a] == found[b]) for a, b in COVERS)


def is_constructed(ranks: Ranks, shape: Shape = BITS) -> bool:
    """Whether Theorem C realizes it."""
    return plan(order_of(ranks), shape) is not None


def report(found: Iterable[Ranks], shape: Shape = BITS) -> list[Ranks]:
    """Decide orderings, say how many are what, and return those that are impossible."""
    found = list(found)
    left = [ranks for ranks in found if not is_constructed(ranks, shape)]
    verdicts = {ranks: possible(ranks, shape) for ranks in left}
    counts = Counter(verdicts[ranks] for ranks in left)
    impossible = [ranks for ranks in left if verdicts[ranks] is False]
    print(f"{len(found):,} looked at, Theorem C realizes {len(found) - len(left):,}, Z3 {counts[True]:,} more")
    print(f"{counts[False]:,} are impossible, {counts[None]:,} are not decided")
    if shape == BITS:
        assert not any(explained(ranks) for ranks in found if verdicts.get(ranks, True))
        for names in [(name,) for name in ALL] + [ALL]:
            print(f"Theorem {', '.join(names)}: explains {sum(explained(ranks, names) for ranks in impossible):,}")
        along = {known: Counter[bool | None]() for known in (True, False)}
        for ranks in impossible:
            along[explained(ranks)][possible(ranks, inclusion=True)] += 1
        print(f"impossible by their comparisons along inclusion: {along[True][False]:,} of those,")
        print(f"{along[False][False]:,} of the others, of which {along[False][True]:,} are not")
    return impossible


def levels(number: int, step: int = 1, classes: int = 2) -> None:
    """Orderings with three to five levels; those with three that are impossible for bits are written to the list."""
    found, shape = classes_of(number), Shape((2,) * 4, classes)
    print(f"{number} levels: {sum(found.values()):,} orderings, {len(found):,} up to names")
    print(f"Theorem C realizes {sum(is_constructed(ranks, shape) for ranks in found):,}; in steps of {step}:")
    impossible = report(list(found)[::step], shape)
    print(f"impossible with all names: {sum(found[ranks] for ranks in impossible):,}")
    if (number, step, shape) == (3, 1, BITS):
        LISTED.write_text("".join(f"{order_of(ranks)}\n" for ranks in impossible), encoding="utf-8")


def drawn(count: int, seed: int, states: int = 2, classes: int = 2) -> None:
    """Orderings drawn at random, all equally likely."""
    rng = random.Random(seed)
    report((random_weak_order(4, rng=rng).ranks for _ in range(count)), Shape((states,) * 4, classes))


def states() -> None:
    """What has three levels and is impossible for bits: with features of three states."""
    left = listed()
    for ternary in (1, 2, 3, 4):
        shapes = [Shape(sizes) for sizes in itertools.product((2, 3), repeat=4) if sum(sizes) == 8 + ternary]
        verdicts = {ranks: [possible(ranks, shape) for shape in shapes] for ranks in left}
        left = [ranks for ranks in left if True not in verdicts[ranks]]
        print(f"{ternary} of three states: {len(verdicts) - len(left)} of {len(verdicts)} are realizable in some place")
        for ranks in left:
            decided = "impossible in each" if None not in verdicts[ranks] else "not decided in each"
            print(f"  {order_of(ranks)}: {decided}")


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {"levels": levels, "drawn": drawn, "states": states}
    commands[sys.argv[1]](*map(int, sys.argv[2:]))
