"""How often the loop of Table 1 of Peña and Nilsson is entered, line by line, whatever its test answers.

FBS is the same loop with an estimate in place of the risk; an estimate may answer anything, a risk is monotone.
``python -m tests.papers.iterations_literal`` prints, for each n, what was exhausted and the most iterations and tests.
"""

import functools
from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import NamedTuple

Answers = Callable[[frozenset[int], int], bool]


class Run(NamedTuple):
    """One run: executions of line 3, executions of line 5, the features removed in order."""

    iterations: int
    tests: int
    removed: tuple[int, ...]


def backward(n: int, spared: Answers) -> Run:
    """Run Table 1; `spared(S, i)` answers line 5, whether S is as good without Xi."""
    iterations = tests = 0
    removed: list[int] = []
    S = frozenset(range(1, n + 1))  # 1
    i = 1  # 2
    while i <= n:  # 3
        iterations += 1
        tests += i in S
        if i in S and spared(S, i):  # 4, 5
            removed.append(i)
            S, i = S - {i}, 1  # 6, 7
        else:
            i = i + 1  # 9, 11
    return Run(iterations, tests, tuple(removed))


def all_removals(n: int) -> Iterator[Run]:
    """Yield the run for every sequence of different features removed; every run of the loop is one of these."""
    for k in range(n + 1):
        for wanted in permutations(range(1, n + 1), k):
            kept = [frozenset(range(1, n + 1)) - set(wanted[:removed]) for removed in range(k)]
            following = dict(zip(kept, wanted, strict=True))
            run = backward(n, lambda S, i, following=following: following.get(S) == i)  # type: ignore[misc]
            assert run.removed == wanted
            yield run


@functools.cache
def families(n: int) -> list[frozenset[frozenset[int]]]:
    """Return every family of subsets of n features that has all supersets of its members: those of least risk, say."""
    if n == 0:
        return [frozenset(), frozenset({frozenset()})]
    pairs = product(families(n - 1), repeat=2)
    return [without | {S | {n} for S in rest} for without, rest in pairs if without <= rest]


def computed(n: int, best: frozenset[frozenset[int]]) -> tuple[frozenset[int], list[frozenset[int]]]:
    """Return what backward search returns where these subsets have the least risk, and whose risks it computes."""
    whose = [frozenset(range(1, n + 1))]

    def spared(S: frozenset[int], i: int) -> bool:
        whose.append(S - {i})
        return S - {i} in best  # as S is

    return whose[0] - {*backward(n, spared).removed}, whose


if __name__ == "__main__":
    for n in range(1, 9):
        runs = set(all_removals(n))
        iterations, tests = max(run.iterations for run in runs), max(run.tests for run in runs)
        found = f"at most {iterations:2} iterations and {tests:2} tests; n^2 = {n**2}"
        print(f"n = {n}: {len(runs):7,} sequences of removals, {found}")
    for n in range(1, 6):
        counts = [len(computed(n, best)[1]) for best in families(n) if best]
        print(f"n = {n}: {len(counts):7,} families of least risk, at most {max(counts)} risks of {2**n}")
