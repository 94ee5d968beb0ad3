"""What each method does with one sequence of samples, word for word; nothing here imports fstheory.

A subset is a tuple of positions, a sample a sequence of (x, y). A method returns the subsets that it may end with, each
with its probability, and the table it learned over each.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

Sample: TypeAlias = Sequence[tuple[tuple[int, ...], int]]
Subset: TypeAlias = tuple[int, ...]
Table: TypeAlias = dict[tuple[int, ...], int]
Ended: TypeAlias = list[tuple[Fraction, Subset, Table]]
Pmf: TypeAlias = dict[tuple[Any, ...], Fraction]


def subsets(n: int) -> list[Subset]:
    """Return all subsets, by size and then by what comes first."""
    return [s for size in range(n + 1) for s in itertools.combinations(range(n), size)]


def learn(sample: Sample, subset: Subset, classes: int) -> Table:
    """Return the class with the most samples of each state that occurs, the first of several."""
    counts: dict[tuple[int, ...], list[int]] = {}
    for x, y in sample:
        counts.setdefault(tuple(x[i] for i in subset), [0] * classes)[y] += 1
    return {state: row.index(max(row)) for state, row in counts.items()}


def errors(table: Table, subset: Subset, sample: Sample) -> int:
    """Count the samples on which a table is wrong; a state without samples predicts the first class."""
    return sum(table.get(tuple(x[i] for i in subset), 0) != y for x, y in sample)


def resubstitution(sample: Sample, subset: Subset, classes: int) -> Fraction:
    """Return the share of samples on which the table that they made is wrong."""
    return Fraction(errors(learn(sample, subset, classes), subset, sample), max(1, len(sample)))


def leave_one_out(sample: Sample, subset: Subset, classes: int) -> Fraction:
    """Return the share of samples on which the table that the others made is wrong."""
    wrong = 0
    for i, one in enumerate(sample):
        wrong += errors(learn([*sample[:i], *sample[i + 1 :]], subset, classes), subset, [one])
    return Fraction(wrong, max(1, len(sample)))


def holdout(train: Sample, rest: Sample, subset: Subset, classes: int) -> Fraction:
    """Return the share of the samples held out on which a trained table is wrong."""
    return Fraction(errors(learn(train, subset, classes), subset, rest), len(rest))


def guesses(train: Sample, subset: Subset, x: tuple[int, ...], classes: int = 2) -> set[int]:
    """Return the most frequent classes in the state of some training samples, or of all if it has none.

    If no sample trains, return all classes.
    """
    state = tuple(x[i] for i in subset)
    seen = [y for other, y in train if tuple(other[i] for i in subset) == state] or [y for _, y in train]
    seen = seen or list(range(classes))
    return {y for y in seen if seen.count(y) == max(map(seen.count, seen))}


def fair_error(train: Sample, rest: Sample, subset: Subset, classes: int = 2) -> Fraction:
    """Return the share of samples held out that are predicted wrongly, the mean over the classes that tie."""
    found = [(guesses(train, subset, x, classes), y) for x, y in rest]
    return sum((1 - Fraction(y in best, len(best)) for best, y in found), Fraction(0)) / len(rest)


def fair_leave_one_out(sample: Sample, subset: Subset, classes: int = 2) -> Fraction:
    """Return the mean over the samples of this error where the others train."""
    errors = [fair_error([*sample[:i], *sample[i + 1 :]], [one], subset, classes) for i, one in enumerate(sample)]
    return sum(errors, Fraction(0)) / max(1, len(sample))


def fos(n: int, risk: Callable[[Subset], Fraction], tau: Fraction) -> list[tuple[Fraction, Subset]]:
    """Table 2 with the condition of Section 5."""
    everything = tuple(range(n))
    kept = tuple(i for i in everything if not risk(tuple(j for j in everything if j != i)) <= risk(everything) + tau)
    return [(Fraction(1), kept)]


def fbs(
    n: int, risk: Callable[[Subset], Fraction], tau: Fraction, ties: str, start: Subset | None = None
) -> list[tuple[Fraction, Subset]]:
    """Table 1 with the condition of Section 5; or with any of the features that can be spared."""
    s = tuple(range(n)) if start is None else start
    spared = [i for i in s if risk(tuple(j for j in s if j != i)) <= risk(s) + tau]
    if not spared:
        return [(Fraction(1), s)]
    ways = spared if ties == "uniform" else spared[:1]
    return [(p / len(ways), end) for i in ways for p, end in fbs(n, risk, tau, ties, tuple(j for j in s if j != i))]


def best(values: dict[Subset, Fraction], ties: str) -> list[tuple[Fraction, Subset]]:
    """Return the subsets of least value: the first, or all with equal probabilities."""
    least = min(values.values())
    tied = [s for s in values if values[s] == least]
    return [(Fraction(1), tied[0])] if ties == "first" else [(Fraction(1, len(tied)), s) for s in tied]


def standard_wrap(train: Sample, rest: Sample, n: int, classes: int, ties: str) -> list[tuple[Fraction, Subset]]:
    """Section 2.2: the table of least hold-out error over all subsets."""
    return best({s: holdout(train, rest, s, classes) for s in subsets(n)}, ties)


def ordered_fs(train: Sample, rest: Sample, n: int, classes: int, ties: str) -> list[tuple[Fraction, Subset]]:
    """Section 3: of each size the least training error, of these the least hold-out error."""
    levels = []
    for size in range(n + 1):
        group = [s for s in subsets(n) if len(s) == size]
        levels.append(best({s: resubstitution(train, s, classes) for s in group}, ties))
    ended = []
    for choice in itertools.product(*levels):
        p = math.prod((q for q, _ in choice), start=Fraction(1))
        among = {s: holdout(train, rest, s, classes) for _, s in choice}
        ended += [(p * q, s) for q, s in best(among, ties)]
    return ended


def law(
    pmf: Pmf, m: int, held: int, select: Callable[[Sample, Sample], list[tuple[Fraction, Subset]]], classes: int
) -> dict[tuple[Subset, Fraction], Fraction]:
    """Return the probability of every subset and risk, over all sequences of m samples."""
    cells = [(cell, p) for cell, p in pmf.items() if p]
    outcomes: dict[tuple[Subset, Fraction], Fraction] = {}
    for sequence in itertools.product(cells, repeat=m):
        probability = math.prod((p for _, p in sequence), start=Fraction(1))
        sample = [(cell[:-1], cell[-1]) for cell, _ in sequence]
        train, rest = sample[: m - held], sample[m - held :]
        for share, subset in select(train, rest):
            table = learn(train, subset, classes)
            risk = sum((p for (*x, y), p in cells if table.get(tuple(x[i] for i in subset), 0) != y), Fraction(0))
            key = (subset, risk)
            outcomes[key] = outcomes.get(key, Fraction(0)) + probability * share
    return outcomes
