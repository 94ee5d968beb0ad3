"""Check every statement B-* of Beraha et al. (2019) on more than 10**5 small distributions, and print counts.

Run ``python -m tests.measures.check_claims [largest total] [random distributions]`` from the root of the checkout; the
defaults, 12 and 10000, take about twenty minutes. The first family is *every* distribution of two binary features and a
binary class with a total up to the largest; the second draws other shapes, values and extremes, with a seed. Linear
predictors are also checked on three times as many distributions with independent features, and Example 1 on twelve
times as many recoded features.

Risks, errors and variations are those of `tests.measures.literal`, in Fractions, covariances and weights those of
fstheory. Logarithms and roots are computed in floats first: an inequality of numbers below 100 made of fewer than 200
terms is off by less than 1e-11, and a slack beyond 1e-9 decides it. What is closer is decided by the exact functions.
"""

import itertools
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from fstheory import Check
from fstheory.distributions.joint import JointDistribution
from fstheory.measures import bounds
from fstheory.measures.information import conditional_mutual_information, information_lost, mutual_information
from fstheory.measures.regression import covariances, linear_regression
from fstheory.numbers.logsum import LogSum
from tests.literal import lowest_terms
from tests.measures import literal

FAR = 1e-9
SHARP: Any = partial(bounds.regression_bound, form="sharp")
DELTAS = [Fraction(1, 20), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
FALSE = {  # what is expected to fail somewhere; nothing else may
    "B-1 printed, predictions among the values of Y",
    "B-2 printed (C regular)",
    "B-2u printed",
    "B-2u with absolute values",
    "B-4 delta = 0 removes a feature of score 0",
    "B-5 classification, A_T",
    "B-5 classification, with i_T",
    "B-5 classification, sum never reaches, A_T",
    "B-5 classification, sum never reaches, with i_T",
    "B-5 regression, A_T",
    "B-5 regression, sum never reaches, A_T",
    "B-5 regression, sum never reaches, with i_T",
}
Kept = tuple[int, ...]


class Case:
    """A distribution with numbers as states, and what its marginals say; a subset is the places of its features."""

    def __init__(self, d: JointDistribution) -> None:
        self.d, self.pmf, self.n = d, {cell: p for cell, p in d.to_pmf().items() if p}, len(d.features)
        self.full = tuple(range(self.n))
        self.subsets = [k for r in range(self.n + 1) for k in itertools.combinations(range(self.n), r)]
        possible: set[Any] = {cell[-1] for cell in self.pmf}
        self.largest, self.width, self.classes = max(map(abs, possible)), max(possible) - min(possible), len(possible)
        self.entropies = {kept: self.conditional_entropy(kept) for kept in self.subsets}
        self.risks = {kept: literal.risk(self.pmf, kept) for kept in self.subsets}
        self.errors = {kept: literal.squared_error(self.pmf, kept) for kept in self.subsets}

    def conditional_entropy(self, kept: Kept) -> float:
        rows = literal.groups(self.pmf, kept).values()
        return -math.fsum(p * math.log(p / sum(row.values())) for row in rows for p in row.values())

    def nu(self, kept: Kept) -> float:
        return self.entropies[kept] - self.entropies[self.full]

    def excess(self, kept: Kept) -> Fraction:
        return self.risks[kept] - self.risks[self.full]

    def loss(self, kept: Kept) -> Fraction:
        return self.errors[kept] - self.errors[self.full]

    def loss_among_values(self, kept: Kept) -> Fraction:
        """Return what is lost by a prediction that is a value of Y."""
        rows, values = literal.groups(self.pmf, kept).values(), self.d.classes
        best = (min(sum(p * (y - g) ** 2 for y, p in row.items()) for g in values) for row in rows)
        return sum(best, -self.errors[self.full])

    def lost(self, kept: Kept) -> LogSum:
        return information_lost(self.d, self.names(kept))

    def seen(self, kept: Kept) -> LogSum:
        return mutual_information(self.d, [self.d.target], [self.d.features[i] for i in kept])

    def names(self, kept: Kept) -> list[str]:
        """Return the names of the features that are not kept."""
        return [name for i, name in enumerate(self.d.features) if i not in kept]

    def on(self, function: Callable[..., Check], kept: Kept, **options: bool) -> Callable[[], bool]:
        """Return what decides a bound exactly."""
        return lambda: bool(function(self.d, self.names(kept), **options))


def left_over(matrix: list[list[Fraction]], kept: Sequence[int]) -> list[list[Fraction]]:
    """Return the covariance matrix of what a linear prediction from the kept variables leaves of all."""
    rest = [row[:] for row in matrix]
    for k in kept:
        if rest[k][k]:
            column = [row[k] / rest[k][k] for row in rest]
            rest = [[a - c * b for a, b in zip(row, rest[k], strict=True)] for row, c in zip(rest, column, strict=True)]
    return rest


@dataclass
class Ledger:
    """Counts of what was checked, what failed, and what needed exact logarithms or roots."""

    checked: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    close: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def note(self, name: str, holds: bool, case: Case, more: object = "") -> None:
        self.checked[name] += 1
        if not holds:
            self.failed[name] += 1
            self.first.setdefault(name, f"{case.d!r} {more}")

    def decide(self, name: str, slack: float, exactly: Callable[[], object], case: Case, more: object = "") -> None:
        if abs(slack) > FAR:
            self.note(name, slack > 0, case, more)
        else:
            self.close[name] += 1
            self.note(name, bool(exactly()), case, more)


@cache
def least_information(excess: Fraction, classes: int) -> float:
    return float(bounds.least_information(excess, classes=classes))


def information(case: Case, ledger: Ledger) -> None:
    """B-1 and B-3, each as printed and sharper."""
    for kept in case.subsets[:-1]:
        nu, variation = case.nu(kept), literal.expected_total_variation(case.pmf, kept)
        excess, loss, among = case.excess(kept), case.loss(kept), case.loss_among_values(kept)
        t, printed = float(excess), 2 * case.largest**2 * nu
        for name, slack, function, lost in [
            ("B-1 printed", printed - float(loss), bounds.regression_bound, loss),
            ("B-1 half the range", case.width**2 * nu / 2 - float(loss), SHARP, loss),
            (
                "B-1 printed, predictions among the values of Y",
                printed - float(among),
                partial(bounds.regression_bound, form="printed"),
                among,
            ),
            ("B-3 printed", 2 * nu - t * t, bounds.classification_bound, excess),
            ("B-3 sqrt(nu/2)", nu / 2 - t * t, partial(bounds.classification_bound, form="sharp"), excess),
            (
                "B-3 least information",
                nu - least_information(excess, case.classes),
                partial(bounds.classification_bound, form="information"),
                excess,
            ),
        ]:
            equal = variation == lost == 0  # nu is 0 where p(y|x) = p(y|kept), and only there
            ledger.decide(name, slack, (lambda: True) if equal else case.on(function, kept), case)
        ledger.note("B-3 total variation", excess <= variation, case)


def linear(case: Case, ledger: Ledger) -> None:
    """B-2 and B-2u."""
    matrix = [list(row) for row in covariances(case.d)]
    last, rest, fit = case.n, left_over(matrix, case.full)[case.n][case.n], linear_regression(case.d)
    for kept in case.subsets[:-1]:
        part = left_over(matrix, kept)
        weights = {i: fit.weights[case.d.features[i]] for i in case.full if i not in kept}
        quadratic = sum((w * v * part[i][j] for i, w in weights.items() for j, v in weights.items()), Fraction(0))
        ledger.note("B-2 exact identity", part[last][last] == rest + quadratic, case, kept)
        without, full, size = math.sqrt(part[last][last]), math.sqrt(rest), math.sqrt(len(weights))
        terms = [float(w) * math.sqrt(part[i][i]) for i, w in weights.items()]
        absolute, squares = math.fsum(map(abs, terms)), [w * w * part[i][i] for i, w in weights.items() if w]
        # With one root at most both are decided in rationals: a <= b + c implies sqrt(a) <= sqrt(b) + sqrt(c)
        sure = sum(square != 0 for square in squares) <= 1 and part[last][last] <= rest + sum(squares)
        for name, slack, function in (
            ("B-2 with absolute values", full + size * absolute - without, bounds.linear_bound),
            ("B-2 squares, no sqrt|A|", full**2 + absolute**2 - without**2, partial(bounds.linear_bound, form="sharp")),
        ):
            if sure:
                ledger.note(name, True, case)
            else:
                ledger.decide(name, slack, case.on(function, kept), case, kept)
        if fit.unique:
            slack = full + size * math.fsum(terms) - without
            exactly = case.on(partial(bounds.linear_bound, form="printed"), kept)
            ledger.decide("B-2 printed (C regular)", slack, exactly, case, kept)
            correlations(case, ledger, matrix, kept, without, full)


def correlations(
    case: Case, ledger: Ledger, matrix: list[list[Fraction]], kept: Kept, without: float, full: float
) -> None:
    last, gone = case.n, [i for i in case.full if i not in kept]
    if not any(matrix[i][j] for names in (gone, kept) for i in names for j in names if i < j):
        terms = [
            float(matrix[i][last] / matrix[i][i])
            * math.sqrt(matrix[i][i] - sum((matrix[i][j] ** 2 / matrix[j][j] for j in kept), Fraction(0)))
            for i in gone
        ]
        for name, signless in (("B-2u printed", False), ("B-2u with absolute values", True)):
            slack = full + math.sqrt(len(gone)) * math.fsum(map(abs, terms) if signless else terms) - without
            exactly = case.on(partial(bounds.correlation_bound, form="printed"), kept, absolute=signless)
            ledger.decide(name, slack, exactly, case, kept)
    if not any(matrix[i][j] for i in gone for j in case.full if i != j):
        squares = [matrix[i][last] ** 2 / matrix[i][i] for i in gone]
        part, rest = left_over(matrix, kept)[last][last], left_over(matrix, case.full)[last][last]
        ledger.note("B-2u corrected, exact identity", part == rest + sum(squares, Fraction(0)), case, kept)
        slack = full + math.fsum(map(math.sqrt, squares)) - without
        ledger.decide("B-2u corrected bound", slack, case.on(bounds.correlation_bound, kept), case, kept)


def first_to_reach(
    sets: list[Kept], value: Callable[[Kept], float], threshold: Fraction, exactly: Callable[[Kept], LogSum]
) -> int | None:
    """Return the place of the first set, after the start, whose information is at least a threshold."""
    for at, kept in enumerate(sets[1:], 1):
        close = abs(value(kept) - float(threshold)) < FAR
        if exactly(kept) >= threshold if close else value(kept) > float(threshold):
            return at
    return None


def path(case: Case, *, backward: bool) -> list[Kept]:
    """Return the sets of kept features along the greedy path; of features as good as each other the first."""
    kept, sets = case.full if backward else (), [case.full if backward else ()]
    for _ in range(case.n):
        if backward:
            options = [tuple(j for j in kept if j != i) for i in kept]
        else:
            options = [tuple(sorted((*kept, i))) for i in case.full if i not in kept]
        best = min(case.entropies[o] for o in options)
        kept = next(o for o in options if case.entropies[o] <= best + 1e-12)
        sets.append(kept)
    return sets


def stopping(case: Case, ledger: Ledger) -> None:
    """B-4 and B-5: run both algorithms with their printed stopping rules, and with the sharper thresholds."""
    down, up = path(case, backward=True), path(case, backward=False)
    told = math.sqrt(2 * max(case.entropies[()] - case.entropies[up[min(1, case.n)]], 0))
    largest = Fraction(math.floor(1000 * told), 1000)  # about the largest delta that one feature satisfies
    for delta in [*DELTAS, *([largest] if largest else [])]:
        forward(case, ledger, up, delta, "classification", case.excess, delta**2 / 2)
        rules = [("classification", delta**2 / 2), ("classification, sharper rule", 2 * delta**2)]
        if case.width:
            forward(case, ledger, up, delta, "regression", case.loss, delta / (2 * case.largest**2))
            rules.append(("regression", delta / (2 * case.largest**2)))
            rules.append(("regression, sharper rule", 2 * delta / case.width**2))
        for name, threshold in rules:
            at = first_to_reach(down, case.nu, threshold, case.lost)
            kept = down[-1 if at is None else at - 1]  # the feature that makes the sum too large stays
            lost = case.excess(kept) if "classification" in name else case.loss(kept)
            ledger.note(f"B-4 {name}", lost <= delta, case, delta)
    if down[1:] and literal.expected_total_variation(case.pmf, down[1]) == 0:
        ledger.note("B-4 delta = 0 removes a feature of score 0", False, case)  # it stops before the first removal


def forward(
    case: Case,
    ledger: Ledger,
    up: list[Kept],
    delta: Fraction,
    problem: str,
    lost: Callable[[Kept], Fraction],
    threshold: Fraction,
) -> None:
    whole, classify = case.entropies[()] - case.entropies[case.full], problem == "classification"
    at = first_to_reach(up, lambda kept: case.entropies[()] - case.entropies[kept], threshold, case.seen)
    kind = f"B-5 {problem}{', sum never reaches' if at is None else ''}"
    before, after = (up[-1], up[-1]) if at is None else (up[at - 1], up[at])

    def at_least(scale: Fraction, less: Fraction, need: Fraction) -> Callable[[], bool]:
        """Return what decides ``scale * I(Y; X) - less >= need``."""
        return lambda: bool(scale * case.seen(case.full) - less >= need)

    for name, kept in ((f"{kind}, A_T", before), (f"{kind}, with i_T", after)):
        scale, need = Fraction(2 if classify else 2 * case.largest**2), lost(kept) + delta
        bound = math.sqrt(max(2 * whole, 0)) if classify else float(scale) * whole
        exactly = at_least(scale, Fraction(0), need * need if classify else need)
        ledger.decide(name, bound - float(need), exactly, case, delta)
    if classify and at is not None:
        need = lost(after) ** 2
        for name, scale, less in (
            ("B-5 eps + sqrt(2 I - delta^2)", Fraction(2), delta**2),
            ("B-5 eps + sqrt(I/2 - delta^2/4)", Fraction(1, 2), delta**2 / 4),
        ):
            slack = float(scale) * whole - float(less + need)
            ledger.decide(name, slack, at_least(scale, less, need), case, delta)


def identities(case: Case, ledger: Ledger) -> None:
    """B-0: equalities of LogSums."""
    features = list(case.d.features)
    parts = mutual_information(case.d, ["Y"], features[1:])
    parts += conditional_mutual_information(case.d, ["Y"], features[:1], features[1:])
    ledger.note("B-0 chain rule", mutual_information(case.d, ["Y"], features) == parts, case)
    ledger.note("B-0 nu(A) = I(Y;X) - I(Y;not A)", bool(bounds.information_identity(case.d, features[:1])), case)
    ledger.note("B-0 additivity", bool(bounds.elimination_identity(case.d, features[::-1])), case)


def example(rng: random.Random, ledger: Ledger) -> None:
    """B-E1: X2 a one-to-one function of X1 that is not linear, Y = a X1 + b X2."""
    size = rng.randint(3, 5)
    first = sorted(rng.sample(range(-9, 10), size))
    second = rng.sample(range(-20, 21), size)
    weights = [rng.randint(1, 9) for _ in range(size)]
    a, b = rng.choice([-2, -1, 1, 2, 3]), rng.choice([-2, -1, 1, 2, 3])
    points = [(u, v, a * u + b * v) for u, v in zip(first, second, strict=True)]
    case = Case(JointDistribution.from_counts(dict(zip(points, weights, strict=True))))
    if literal.linear_error(case.pmf, [0], 1):  # X2 is not linear in X1
        one, other, both = (literal.linear_error(case.pmf, kept, 2) for kept in ([0], [1], [0, 1]))
        needed = one > both == 0 < other
        ledger.note(
            "B-E1", needed and not any(literal.expected_total_variation(case.pmf, kept) for kept in ((0,), (1,))), case
        )


def numbered(weights: Sequence[int], shape: tuple[int, ...], values: Sequence[Sequence[int]]) -> JointDistribution:
    variables = [*(f"X{i}" for i in range(1, len(shape))), "Y"]
    table = np.array(weights, dtype=object).reshape(shape)
    return JointDistribution(table, states=dict(zip(variables, values, strict=True)))


def exhaustive(largest: int) -> Iterator[JointDistribution]:
    """Yield every distribution of two binary features and a binary class with a total up to the largest."""
    for total in range(1, largest + 1):
        for weights in lowest_terms(total, 8):
            yield numbered(weights, (2, 2, 2), [(0, 1)] * 3)


def drawn(rng: random.Random, *, independent: bool = False) -> JointDistribution:
    """Draw a shape, values, and weights: plain, sparse, extreme, nearly tied, nearly independent, or uncorrelated."""
    shape = rng.choice([(2, 2, 2), (2, 2, 3), (3, 2, 2), (2, 3, 3), (2, 2, 2, 2), (2, 2, 2, 3), (4, 4), (3, 3, 4)])
    values = [rng.sample(range(-4, 5), size) for size in shape]
    cells = math.prod(shape)
    kind = 5 if independent else rng.randrange(6)
    if kind == 0:
        weights = [rng.randint(0, 9) for _ in range(cells)]
    elif kind == 1:
        weights = [rng.randint(1, 9) if rng.random() < 0.3 else 0 for _ in range(cells)]
    elif kind == 2:
        weights = [rng.choice([0, 1, 10**3, 10**6]) for _ in range(cells)]
    elif kind == 3:
        weights = [1000 + rng.randint(-1, 1) for _ in range(cells)]
    elif kind == 4:  # the class is almost a coin, whatever the features say
        weights = [100 + (rng.randint(-3, 3) if cell % shape[-1] else 0) for cell in range(cells)]
    else:  # independent features, any class given them
        sides = [[rng.randint(1, 3) for _ in range(size)] for size in shape[:-1]]
        weights = []
        for x in itertools.product(*map(range, shape[:-1])):
            mass = math.prod(side[i] for side, i in zip(sides, x, strict=True))
            row = [rng.randint(0, 4) for _ in range(shape[-1])]
            row[0] += not any(row)
            weights += [mass * w * (math.lcm(*range(1, 4 * shape[-1] + 1)) // sum(row)) for w in row]
    if not any(weights):
        weights[0] = 1
    return numbered(weights, shape, values)


def count_failures(largest: int, count: int) -> tuple[int, Ledger]:
    """Check everything on both families; return how many distributions there were, and the counts."""
    ledger, rng, cases = Ledger(), random.Random(20190719), 0
    for d in itertools.chain(exhaustive(largest), (drawn(rng) for _ in range(count))):
        cases, case = cases + 1, Case(d)
        for part in (information, linear, stopping, identities):
            part(case, ledger)
    for _ in range(12 * count):
        example(rng, ledger)
    rng = random.Random(20191119)
    for _ in range(3 * count):
        linear(Case(drawn(rng, independent=True)), ledger)
    return cases, ledger


def main(largest: int = 12, count: int = 10_000) -> None:
    cases, ledger = count_failures(largest, count)
    print(f"{cases} distributions, {time.process_time():.0f} s")
    for name in sorted(ledger.checked):
        print(f"{name}: checked {ledger.checked[name]}, exactly {ledger.close[name]}, failed {ledger.failed[name]}")
        if name in ledger.first:
            print(f"    first: {ledger.first[name]}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
