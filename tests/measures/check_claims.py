"""Check every statement B-* of Beraha et al. (2019) on more than 10**5 small distributions, and print counts.

Run ``python -m tests.measures.check_claims [largest total] [random distributions]`` from the root of the checkout; the
defaults, 12 and 10000, take about ten minutes. The first family is *every* distribution of two binary features and a
binary class with a total up to the largest; the second draws other shapes, values and extremes, with a seed. Linear
predictors are also checked on three times as many distributions with independent features, and Example 1 on twelve
times as many recoded features.

All rational quantities are computed here, in Fractions, from the definitions. Logarithms and roots are computed in
floats first: an inequality of numbers below 100 made of fewer than 200 terms is off by less than 1e-11, and a slack
beyond 1e-9 decides it. What is closer is decided by the exact functions of fstheory.
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
from fstheory.measures.information import information_lost, mutual_information
from fstheory.numbers.logsum import LogSum
from tests.literal import lowest_terms

FAR = 1e-9
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
Function = Callable[..., Check]


class Case:
    """A weight table with numeric states, and what its marginals say."""

    def __init__(self, weights: Sequence[int], shape: tuple[int, ...], values: Sequence[Sequence[int]]) -> None:
        self.weights, self.shape, self.values = weights, shape, values
        self.n, self.total = len(shape) - 1, sum(weights)
        self.cells = [(x, w) for x, w in zip(itertools.product(*map(range, shape)), weights, strict=True) if w]
        self.full = tuple(range(self.n))
        self.subsets = [k for r in range(self.n + 1) for k in itertools.combinations(range(self.n), r)]
        self.rows = {kept: self.group(kept) for kept in self.subsets}
        self.y = values[-1]
        possible = [self.y[c[-1]] for c, _ in self.cells]
        self.largest, self.width = max(map(abs, possible)), max(possible) - min(possible)
        self.classes = len(set(possible))
        self.entropies = {kept: self.conditional_entropy(rows) for kept, rows in self.rows.items()}

    def group(self, kept: Kept) -> dict[tuple[int, ...], list[int]]:
        rows: dict[tuple[int, ...], list[int]] = {}
        for cell, w in self.cells:
            rows.setdefault(tuple(cell[i] for i in kept), [0] * self.shape[-1])[cell[-1]] += w
        return rows

    def conditional_entropy(self, rows: dict[tuple[int, ...], list[int]]) -> float:
        parts = [sum(r) * math.log(sum(r)) - sum(w * math.log(w) for w in r if w) for r in rows.values()]
        return math.fsum(parts) / self.total

    def nu(self, kept: Kept) -> float:
        return self.entropies[kept] - self.entropies[self.full]

    def nothing_lost(self, kept: Kept) -> bool:
        """Say, in integers, whether p(y|x) = p(y|kept) wherever p(x) > 0: then nu is 0, and only then."""
        pairs = ((row, self.rows[kept][tuple(x[i] for i in kept)]) for x, row in self.rows[self.full].items())
        return all(
            a * sum(theirs) == b * sum(mine) for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True)
        )

    def risk(self, kept: Kept) -> Fraction:
        return 1 - Fraction(sum(map(max, self.rows[kept].values())), self.total)

    def error(self, kept: Kept) -> Fraction:
        total = Fraction(0)
        for row in self.rows[kept].values():
            first = sum(w * y for w, y in zip(row, self.y, strict=True))
            total += sum(w * y * y for w, y in zip(row, self.y, strict=True)) - Fraction(first * first, sum(row))
        return total / self.total

    def error_among_values(self, kept: Kept) -> Fraction:
        best = (
            min(sum(w * (y - g) ** 2 for w, y in zip(row, self.y, strict=True)) for g in self.y)
            for row in self.rows[kept].values()
        )
        return Fraction(sum(best), self.total)

    def variation(self, kept: Kept) -> Fraction:
        total = Fraction(0)
        for x, row in self.rows[self.full].items():
            other = self.rows[kept][tuple(x[i] for i in kept)]
            mine, theirs = sum(row), sum(other)
            total += Fraction(sum(abs(a * theirs - b * mine) for a, b in zip(row, other, strict=True)), theirs)
        return total / (2 * self.total)

    def covariances(self) -> list[list[Fraction]]:
        """Return total**2 times the covariance matrix, the target last."""
        points = [([self.values[i][j] for i, j in enumerate(cell)], w) for cell, w in self.cells]
        size = self.n + 1
        first = [sum(w * p[i] for p, w in points) for i in range(size)]
        return [
            [Fraction(self.total * sum(w * p[i] * p[j] for p, w in points) - first[i] * first[j]) for j in range(size)]
            for i in range(size)
        ]

    def names(self, kept: Kept) -> list[str]:
        return [f"X{i + 1}" for i in range(self.n) if i not in kept]

    def distribution(self) -> JointDistribution:
        table = np.array(self.weights, dtype=object).reshape(self.shape)
        variables = [f"X{i + 1}" for i in range(self.n)] + ["Y"]
        return JointDistribution(table, states=dict(zip(variables, self.values, strict=True)))


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
            self.first.setdefault(name, f"{case.shape} {tuple(case.weights)} values {case.values} {more}")

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
    epsilon, sigma = case.risk(case.full), case.error(case.full)
    for kept in case.subsets[:-1]:
        nu = case.nu(kept)
        same = nu < FAR and case.nothing_lost(kept)
        excess, loss = case.risk(kept) - epsilon, case.error(kept) - sigma
        least = least_information(excess, case.classes)
        t, among = float(excess), case.error_among_values(kept) - sigma
        for name, slack, function, lost in [
            ("B-1 printed", 2 * case.largest**2 * nu - float(loss), bounds.regression_bound, loss),
            ("B-1 half the range", case.width**2 * nu / 2 - float(loss), bounds.regression_bound_sharp, loss),
            (
                "B-1 printed, predictions among the values of Y",
                2 * case.largest**2 * nu - float(among),
                bounds.regression_bound_as_printed,
                among,
            ),
            ("B-3 printed", 2 * nu - t * t, bounds.classification_bound, excess),
            ("B-3 sqrt(nu/2)", nu / 2 - t * t, bounds.classification_bound_sharp, excess),
            ("B-3 least information", nu - least, bounds.classification_bound_by_information, excess),
        ]:
            exact = partial(bool, True) if same and lost == 0 else partial(on, case, function, kept)
            ledger.decide(name, slack, exact, case)
        ledger.note("B-3 total variation", excess <= case.variation(kept), case)


def linear(case: Case, ledger: Ledger) -> None:
    """B-2 and B-2u."""
    matrix, scale = case.covariances(), case.total
    rest = left_over(matrix, case.full)
    last = case.n
    for kept in case.subsets[:-1]:
        gone = [i for i in range(case.n) if i not in kept]
        part = left_over(matrix, kept)
        weights = best_weights(part, gone)
        quadratic = sum((weights[i] * weights[j] * part[i][j] for i in gone for j in gone), Fraction(0))
        ledger.note("B-2 exact identity", part[last][last] == rest[last][last] + quadratic, case, kept)
        without, full = math.sqrt(part[last][last]) / scale, math.sqrt(rest[last][last]) / scale
        terms = [float(w) * math.sqrt(part[i][i]) / scale for i, w in weights.items()]
        absolute, size = math.fsum(map(abs, terms)), math.sqrt(len(gone))
        squares = [w * w * part[i][i] for i, w in weights.items()]
        if sum(square != 0 for square in squares) <= 1 and part[last][last] <= rest[last][last] + sum(squares):
            # One root at most: both are decided in rationals, since a <= b + c implies sqrt(a) <= sqrt(b) + sqrt(c).
            ledger.note("B-2 with absolute values", True, case)
            ledger.note("B-2 squares, no sqrt|A|", True, case)
        else:
            exact = partial(on, case, bounds.linear_bound, kept)
            ledger.decide("B-2 with absolute values", full + size * absolute - without, exact, case, kept)
            exact = partial(on, case, bounds.linear_bound_sharp, kept)
            ledger.decide("B-2 squares, no sqrt|A|", full**2 + absolute**2 - without**2, exact, case, kept)
        if all(left_over(matrix, [j for j in case.full if j != i])[i][i] for i in case.full):
            exact = partial(on, case, bounds.linear_bound_as_printed, kept)
            slack = full + size * math.fsum(terms) - without
            ledger.decide("B-2 printed (C regular)", slack, exact, case, kept)
            correlations(case, ledger, matrix, kept, gone, without, full)


def best_weights(part: list[list[Fraction]], gone: list[int]) -> dict[int, Fraction]:
    """Return the weights of A given all, of what the kept features leave (Frisch and Waugh); dependent ones get 0."""
    free: list[int] = []
    for i in gone:
        if left_over(part, free)[i][i]:
            free.append(i)
    rests = {i: left_over(part, [j for j in free if j != i])[i] for i in free}
    return {i: rests[i][-1] / rests[i][i] if i in free else Fraction(0) for i in gone}


def correlations(
    case: Case, ledger: Ledger, matrix: list[list[Fraction]], kept: Kept, gone: list[int], without: float, full: float
) -> None:
    last, scale = case.n, case.total
    if not any(matrix[i][j] for names in (gone, kept) for i in names for j in names if i < j):
        terms = [
            float(matrix[i][last] / matrix[i][i])
            * math.sqrt(matrix[i][i] - sum((matrix[i][j] ** 2 / matrix[j][j] for j in kept), Fraction(0)))
            / scale
            for i in gone
        ]
        totals = {"B-2u printed": math.fsum(terms), "B-2u with absolute values": math.fsum(map(abs, terms))}
        for name, total in totals.items():
            slack = full + math.sqrt(len(gone)) * total - without
            exact = partial(
                on, case, bounds.correlation_bound_as_printed, kept, absolute=name == "B-2u with absolute values"
            )
            ledger.decide(name, slack, exact, case, kept)
    if not any(matrix[i][j] for i in gone for j in case.full if i != j):
        squares = [matrix[i][last] ** 2 / matrix[i][i] for i in gone]
        part, rest = left_over(matrix, kept)[last][last], left_over(matrix, case.full)[last][last]
        ledger.note("B-2u corrected, exact identity", part == rest + sum(squares, Fraction(0)), case, kept)
        slack = full + math.fsum(math.sqrt(s) for s in squares) / scale - without
        ledger.decide("B-2u corrected bound", slack, partial(on, case, bounds.correlation_bound, kept), case, kept)


def reaches(value: float, threshold: Fraction, exact: Callable[[], Any]) -> bool:
    """Decide ``value >= threshold`` of an information."""
    return bool(exact() >= threshold) if abs(value - float(threshold)) < FAR else value > float(threshold)


def on(case: Case, function: Function, kept: Kept, **options: bool) -> bool:
    """Decide a bound exactly."""
    return bool(function(case.distribution(), case.names(kept), **options))


def lost(case: Case, kept: Kept) -> LogSum:
    return information_lost(case.distribution(), case.names(kept))


def seen(case: Case, kept: Kept) -> LogSum:
    return mutual_information(case.distribution(), ["Y"], [f"X{i + 1}" for i in kept])


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
    epsilon, sigma, largest, width = case.risk(case.full), case.error(case.full), case.largest, case.width
    down, up = path(case, backward=True), path(case, backward=False)
    whole = case.entropies[()] - case.entropies[case.full]
    first = math.sqrt(2 * max(case.entropies[()] - case.entropies[up[min(1, case.n)]], 0))
    largest_first = Fraction(math.floor(1000 * first), 1000)  # about the largest delta that one feature satisfies
    for delta in [*DELTAS, *([largest_first] if largest_first else [])]:
        rules = {"B-4 classification": delta**2 / 2, "B-4 classification, sharper rule": 2 * delta**2}
        if width:
            rules["B-4 regression"] = delta / (2 * largest**2)
            rules["B-4 regression, sharper rule"] = 2 * delta / width**2
        for name, threshold in rules.items():
            kept = down[-1]
            for before, after in itertools.pairwise(down):
                if reaches(case.nu(after), threshold, partial(lost, case, after)):
                    kept = before  # the feature that makes the sum too large stays
                    break
            lost_now = case.risk(kept) - epsilon if "classification" in name else case.error(kept) - sigma
            ledger.note(name, lost_now <= delta, case, delta)
        forward(case, ledger, up, whole, delta, epsilon, sigma)
    if down[1:] and case.nothing_lost(down[1]):
        ledger.note("B-4 delta = 0 removes a feature of score 0", False, case)  # it stops before the first removal


def forward(
    case: Case, ledger: Ledger, up: list[Kept], whole: float, delta: Fraction, epsilon: Fraction, sigma: Fraction
) -> None:
    for classify in (True, False)[: 2 if case.width else 1]:
        threshold = delta**2 / 2 if classify else delta / (2 * case.largest**2)
        gains = [case.entropies[()] - case.entropies[k] for k in up]
        stops = (t for t in range(1, len(up)) if reaches(gains[t], threshold, partial(seen, case, up[t])))
        at = next(stops, None)
        kind = f"{'classification' if classify else 'regression'}{', sum never reaches' if at is None else ''}"
        before, after = (up[-1], up[-1]) if at is None else (up[at - 1], up[at])
        for name, kept in ((f"B-5 {kind}, A_T", before), (f"B-5 {kind}, with i_T", after)):
            scale = Fraction(2 if classify else 2 * case.largest**2)
            need = (case.risk(kept) - epsilon if classify else case.error(kept) - sigma) + delta
            bound = math.sqrt(max(2 * whole, 0)) if classify else float(scale) * whole
            exact = partial(at_least, case, scale, Fraction(0), need * need if classify else need)
            ledger.decide(name, bound - float(need), exact, case, delta)
        if classify and at is not None:
            need = case.risk(after) - epsilon
            for name, scale, less in (
                ("B-5 eps + sqrt(2 I - delta^2)", Fraction(2), delta**2),
                ("B-5 eps + sqrt(I/2 - delta^2/4)", Fraction(1, 2), delta**2 / 4),
            ):
                slack = float(scale) * whole - float(less + need**2)
                ledger.decide(name, slack, partial(at_least, case, scale, less, need**2), case, delta)


def at_least(case: Case, scale: Fraction, less: Fraction, need: Fraction) -> bool:
    """Decide ``scale * I(Y; X) - less >= need``."""
    return scale * seen(case, case.full) - less >= need


def identities(case: Case, ledger: Ledger) -> None:
    """B-0: equalities of LogSums."""
    d = case.distribution()
    features = list(d.features)
    ledger.note("B-0 chain rule", bool(bounds.chain_rule(d, ["Y"], features[:1], features[1:])), case)
    ledger.note("B-0 nu(A) = I(Y;X) - I(Y;not A)", bool(bounds.information_identity(d, features[:1])), case)
    ledger.note("B-0 additivity", bool(bounds.elimination_identity(d, features[::-1])), case)


def example(rng: random.Random, ledger: Ledger) -> None:
    """B-E1: X2 a one-to-one function of X1 that is not linear, Y = a X1 + b X2."""
    size = rng.randint(3, 5)
    first = sorted(rng.sample(range(-9, 10), size))
    second = rng.sample(range(-20, 21), size)
    weights = [rng.randint(1, 9) for _ in range(size)]
    a, b = rng.choice([-2, -1, 1, 2, 3]), rng.choice([-2, -1, 1, 2, 3])
    points = [(u, v, a * u + b * v) for u, v in zip(first, second, strict=True)]
    rows = sorted({p[2] for p in points})
    table = [0] * (size * size * len(rows))
    for i, (p, w) in enumerate(zip(points, weights, strict=True)):
        table[(i * size + i) * len(rows) + rows.index(p[2])] = w
    case = Case(table, (size, size, len(rows)), [first, second, rows])
    matrix = case.covariances()
    if left_over(matrix, [0])[1][1]:  # X2 is not linear in X1
        needs = all(left_over(matrix, [k])[2][2] > left_over(matrix, [0, 1])[2][2] == 0 for k in (0, 1))
        ledger.note("B-E1", needs and case.nothing_lost((0,)) and case.nothing_lost((1,)), case)


def exhaustive(largest: int) -> Iterator[Case]:
    """Yield every distribution of two binary features and a binary class with a total up to the largest."""
    for total in range(1, largest + 1):
        for weights in lowest_terms(total, 8):
            yield Case(weights, (2, 2, 2), [(0, 1)] * 3)


def drawn(rng: random.Random, *, independent: bool = False) -> Case:
    """Draw a shape, values, and weights: plain, sparse, extreme, nearly tied, nearly independent, or uncorrelated."""
    shape = rng.choice([(2, 2, 2), (2, 2, 3), (3, 2, 2), (2, 3, 3), (2, 2, 2, 2), (2, 2, 2, 3), (4, 4), (3, 3, 4)])
    values = [tuple(rng.sample(range(-4, 5), size)) for size in shape]
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
    common = math.gcd(*weights)
    return Case([w // common for w in weights], shape, values)


def count_failures(largest: int, count: int) -> tuple[int, Ledger]:
    """Check everything on both families; return how many distributions there were, and the counts."""
    ledger, rng, cases = Ledger(), random.Random(20190719), 0
    for case in itertools.chain(exhaustive(largest), (drawn(rng) for _ in range(count))):
        cases += 1
        for part in (information, linear, stopping, identities):
            part(case, ledger)
    for _ in range(12 * count):
        example(rng, ledger)
    rng = random.Random(20191119)
    for _ in range(3 * count):
        linear(drawn(rng, independent=True), ledger)
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
