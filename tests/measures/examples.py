"""Examples 2 to 8 of Ahmed et al., as printed, against all predictors, on every small marginal.

A closed form speaks of one marginal p(s, y), so all tables of small integer weights are tried: of m states and two
classes. ``python -m tests.measures.examples`` runs the whole list, about 10**5 tables, in some minutes and prints what
failed and where first; the tests run the beginning.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from fstheory import JointDistribution
from fstheory.measures import criteria
from fstheory.measures.information import entropy, mutual_information
from tests.measures import literal_criteria as literal
from tests.measures.literal_criteria import Cells, Choice

Table = tuple[tuple[int, int], ...]

SIZES = ((1, 20), (2, 11), (3, 4), (4, 3))
"""States, and the largest weight: 441 + 20736 + 15625 + 65536 tables, less those without weight."""

COST = Fraction(2, 7)
BETA = Fraction(3, 2)


def tables(sizes: Sequence[tuple[int, int]] = SIZES) -> Iterator[Table]:
    """Yield every table of so many states with weights up to a largest, small totals first within a size."""
    for states, largest in sizes:
        for flat in product(range(largest + 1), repeat=2 * states):
            if any(flat):
                yield tuple(zip(flat[::2], flat[1::2], strict=True))


def eta(cell: Mapping[Any, Fraction]) -> Fraction:
    """Return P(Y = 1 | s); of a state of probability 0 any number would do."""
    mass = cell[0] + cell[1]
    return cell[1] / mass if mass else Fraction(0)


def expectation(cells: Cells, f: Any) -> Fraction:
    """Return E f(eta(X))."""
    return sum(((cell[0] + cell[1]) * f(eta(cell)) for cell in cells.values()), Fraction(0))


def risk(cells: Cells, h: Choice, miss: Fraction = Fraction(1), alarm: Fraction = Fraction(1)) -> Fraction:
    """Return the expected loss of a classifier, given what a missed positive and a false alarm cost."""
    return literal.expected_loss(cells, lambda y, p: miss * (y > p) + alarm * (y < p), h)


def least(cells: Cells, *costs: Fraction) -> Fraction:
    """Return the least expected loss of all classifiers."""
    return min(risk(cells, h, *costs) for h in literal.choices(cells, (0, 1)))


def check(table: Table) -> dict[str, bool]:
    """Say which statements hold on this marginal; those that are not defined on it are left out.

    Each is "(the printed form equals the best of all predictors) and (so does what the library returns)".
    """
    d = JointDistribution(table)
    seen = d.features
    total = sum(map(sum, table))
    cells: Cells = {(s,): {y: Fraction(w, total) for y, w in enumerate(cell)} for s, cell in enumerate(table)}
    p = literal.class_probability(cells, 1)
    found = {}
    found["2: 0-1"] = least(cells) == expectation(cells, lambda e: min(e, 1 - e)) == criteria.zero_one().value(d, seen)
    twice = expectation(cells, lambda e: 2 * e * (1 - e))
    expected = [cell[0] * eta(cell) + cell[1] * (1 - eta(cell)) for cell in cells.values()]
    found["2: Yang-Hu, the two forms and Gini"] = twice == sum(expected) == criteria.gini().value(d, seen)

    printed = expectation(cells, lambda e: min((1 - COST) * e, COST * (1 - e)))
    found["3: cost-sensitive"] = least(cells, 1 - COST, COST) == printed == criteria.cost_sensitive(COST).value(d, seen)

    if 0 < p < 1:
        printed = expectation(cells, lambda e: min(e / p, (1 - e) / (1 - p)))
        found["4: balanced"] = least(cells, 1 / p, 1 / (1 - p)) == printed == criteria.balanced().value(d, seen)

    entropies = criteria.logarithmic().value(d, seen)
    found["5: log-loss = H(Y) - MI"] = entropies == entropy(d, {"Y"}) - mutual_information(d, seen, {"Y"})

    values = (Fraction(-2), Fraction(5))
    numeric = JointDistribution(table, states={"Y": values})
    variance = expectation(cells, lambda e: 49 * e * (1 - e))
    found["6: squared error"] = variance == criteria.squared_error().value(numeric, seen)
    for q in (Fraction(-2), Fraction(0), Fraction(5, 3)):
        guess = dict.fromkeys(cells, q)
        reached = literal.expected_loss(cells, lambda y, prediction: (prediction - values[y]) ** 2, guess)
        found["6: squared error"] &= reached >= variance

    if p:
        found |= check_f(cells, d)
    if 0 < p < 1:
        ranked = max(literal.auc(cells, f, 1, 0) for f in literal.rankings(cells))
        pairs = product([(cell[0] + cell[1], eta(cell)) for cell in cells.values()], repeat=2)
        lost = sum((a * b * min(x * (1 - y), y * (1 - x)) for (a, x), (b, y) in pairs), Fraction(0))
        found["8: AUC"] = ranked == 1 - lost / (2 * p * (1 - p)) == criteria.auc().value(d, seen)
    return found


def check_f(cells: Cells, d: JointDistribution) -> dict[str, bool]:
    """Check Example 7, where some state is positive."""
    seen = d.features
    found = {}
    h_all = list(literal.choices(cells, (0, 1)))
    usual = [literal.f_measure(cells, h, 1, BETA) for h in h_all]
    printed = [literal.f_measure_as_printed(cells, h, 1, BETA) for h in h_all]
    inverse = [literal.f_measure(cells, h, 1, 1 / BETA) for h in h_all]
    found["7: printed F_beta = usual F_(1/beta)"] = printed == inverse
    found["7: printed F_beta = usual F_beta"] = printed == usual
    found["7: best usual"] = max(usual) == criteria.f_measure(BETA).value(d, seen)
    found["7: best printed"] = max(printed) == criteria.f_measure(1 / BETA).value(d, seen)
    etas = sorted({eta(cell) for cell in cells.values()} | {Fraction(0), Fraction(1)})
    between = [(a + b) / 2 for a, b in pairwise(etas)]
    thresholds = [{s: int(eta(cell) > t) for s, cell in cells.items()} for t in (*etas, *between)]
    found["7: sup over classifiers = sup over thresholds in [0, 1]"] = max(printed) == max(
        literal.f_measure_as_printed(cells, h, 1, BETA) for h in thresholds
    )
    possible = [s for s, cell in cells.items() if any(cell.values())]
    plain = [literal.f_measure(cells, h, 1, Fraction(1)) for h in h_all]
    found["7: every classifier with the best F_1 thresholds eta"] = all(
        any(all(h[s] == g[s] for s in possible) for g in thresholds)
        for h, value in zip(h_all, plain, strict=True)
        if value == max(plain)
    )

    def cut(threshold: Fraction) -> tuple[Choice, Choice]:
        """Return the two classifiers at a threshold: positive where it is met, or not."""
        etas = {s: eta(cell) for s, cell in cells.items()}
        return {s: int(e >= threshold) for s, e in etas.items()}, {s: int(e > threshold) for s, e in etas.items()}

    found["sign(0) = -1 or +1 is the same for the 0-1 loss"] = {risk(cells, h) for h in cut(Fraction(1, 2))} == {
        least(cells)
    }
    best_f = max(printed)
    found["7: the threshold F / (1 + beta'**2), met or not, is best"] = {
        literal.f_measure_as_printed(cells, h, 1, BETA) for h in cut(best_f / (1 + 1 / BETA**2))
    } == {best_f}
    return found


def run(sizes: Sequence[tuple[int, int]] = SIZES) -> tuple[Counter[str], dict[str, list[Table]]]:
    """Return how often each statement was checked, and where it failed: all tables, smallest total first."""
    checked: Counter[str] = Counter()
    failed: dict[str, list[Table]] = {}
    for table in tables(sizes):
        for statement, holds in check(table).items():
            checked[statement] += 1
            if not holds:
                failed.setdefault(statement, []).append(table)
    for places in failed.values():
        places.sort(key=lambda table: (len(table), sum(map(sum, table))))
    return checked, failed


def main() -> int:
    checked, failed = run()
    for statement, times in checked.items():
        places = failed.get(statement, [])
        outcome = f"fails on {len(places)}, first on {places[0]}" if places else "holds on all"
        sys.stdout.write(f"{statement}: {times} tables, {outcome}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
