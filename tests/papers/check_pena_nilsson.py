"""Count what the ledger says was checked of Peña and Nilsson (2010): ``python -m tests.papers.check_pena_nilsson``.

They are printed in less than a minute; `tests/papers/test_pena_nilsson.py` compares.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import fstheory as fs

SHAPES = ((2,), (3,), (2, 2), (2, 3), (2, 2, 2), (3, 2, 2))
RANDOM = {4: 60, 5: 40, 6: 20, 7: 10, 8: 5}


def orders() -> Iterator[tuple[tuple[frozenset[str], ...], tuple[int, ...], int]]:
    """Yield every linear extension for one to three features, and random ones up to eight, each with shapes."""
    for n in (1, 2, 3):
        for order in fs.linear_extensions(n):
            shapes = (shape for shape in SHAPES if len(shape) == n)
            yield from ((order, shape, classes) for shape, classes in itertools.product(shapes, (2, 3)))
    generator = random.Random(1)
    for n, many in RANDOM.items():
        for seed in range(many):
            order = fs.random_linear_extension(n, rng=seed, method="sequential")
            drawn = tuple(generator.choice((2, 2, 3)) if n < 7 else 2 for _ in range(n))
            yield order, drawn, generator.choice((2, 3))


def theorem_1() -> int:
    """Return how many orders the construction realized, with R(X) = 0, alpha as asked, and both assumptions."""
    count = 0
    for (order, shape, classes), alpha in zip(orders(), itertools.cycle((Fraction(3, 4), Fraction(4, 7)))):
        d = fs.adversarial(order, cardinalities=shape, classes=classes, alpha=alpha)
        risks = fs.bayes_risks(d)
        values = [risks[subset] for subset in order]
        state = dict.fromkeys(d.features, 0)
        assert values[0] == 0
        assert all(a < b for a, b in itertools.pairwise(values)), order
        assert d.probability({**state, d.target: 0}) == d.probability(state) == alpha
        assert all((d.is_positive(), d.has_unique_maximum())), order
        count += 1
    return count


def one_subset_far_better() -> int:
    """Return how many subsets were made better by a factor than all others of their size."""
    count = 0
    for n, factor in itertools.product((2, 3, 4, 5), (2, 1000, 10**9)):
        features = [f"X{i + 1}" for i in range(n)]
        for subset in itertools.chain.from_iterable(itertools.combinations(features, size) for size in range(1, n)):
            risks = fs.bayes_risks(fs.adversarial_favoring(subset, factor=factor, features=features))
            others = (set(other) for other in itertools.combinations(features, len(subset)) if other != subset)
            assert risks[set(subset)] > 0
            assert all(risks[other] >= factor * risks[set(subset)] for other in others)
            count += 1
    return count


def one_risk_unknown(largest: int = 5) -> int:
    """Return for how many subsets the risks of all others do not tell whether it is the best of its size."""
    count = 0
    for n in range(2, largest + 1):
        names = [f"X{i + 1}" for i in range(n)]
        subsets = [frozenset(S) for size in range(n + 1) for S in itertools.combinations(names, size)]
        for S in subsets[1:-1]:
            risks = {T: Fraction(2 ** (n - len(T)) - 1, 2 ** (n + 1)) for T in subsets}
            for sign in (-1, 1):
                wanted = {**risks, S: risks[S] + sign * Fraction(1, 2 ** (n + 2))}
                d = fs.adversarial_with_risks(wanted)
                assert dict(fs.bayes_risks(d).items()) == wanted
                assert all((d.is_positive(), d.has_unique_maximum()))
                others = {wanted[T] for T in subsets if len(T) == len(S) and T != S}
                assert wanted[S] < min(others) if sign < 0 else wanted[S] > max(others)
            count += 1
    return count


COUNTS: dict[str, Callable[[], int]] = {"PN-1": theorem_1, "PN-1a": theorem_1, "PN-1b": one_subset_far_better}
COUNTS |= {"PN-1f": one_risk_unknown}
"""The counts by entry."""

if __name__ == "__main__":
    for key, counted in COUNTS.items():
        print(key, counted(), flush=True)
