"""The smallest counterexamples: greedy selection that is not optimal, criteria that are not submodular or supermodular.

All distributions of binary features and two classes with integer weights of a small total are gone through, smallest
total first; the criteria are computed here from integers, and what is found is looked up with the library.
"""

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fstheory import JointDistribution
from fstheory.measures import criteria
from fstheory.numbers.logsum import LogSum, log, quotient
from fstheory.selection.stopping import ErrorRule, cmi_selection
from fstheory.selection.submodularity import compare_greedy, is_monotone, is_submodular, is_supermodular

Sample = tuple[tuple[int, int], ...]
"""A multiset of draws (mask of the features that are 1, class)."""

MOST = 7  # the largest total that is looked at


def cells(sample: Sample, mask: int) -> list[tuple[int, int]]:
    draws = [(x & mask, y) for x, y in sample]
    return [(draws.count((x, 0)), draws.count((x, 1))) for x in dict.fromkeys(x for x, _ in draws)]


def ranked(sample: Sample, mask: int) -> list[tuple[int, int]]:
    return sorted(cells(sample, mask), key=lambda ab: Fraction(ab[1], sum(ab)), reverse=True)


def zero_one(sample: Sample, mask: int) -> Fraction:
    return Fraction(-sum(map(min, cells(sample, mask))))


def gini(sample: Sample, mask: int) -> Fraction:
    return -sum((Fraction(2 * a * b, a + b) for a, b in cells(sample, mask)), Fraction(0))


def likelihood(sample: Sample, mask: int) -> Fraction:
    """exp of -T H(Y | X_S), an exact rational: products stand for sums."""
    value = Fraction(1)
    for a, b in cells(sample, mask):
        value *= Fraction(a**a * b**b, (a + b) ** (a + b))
    return value


def auc(sample: Sample, mask: int) -> Fraction:
    positives = sum(y for _, y in sample)
    negatives = len(sample) - positives
    won, left = 0, negatives
    for a, b in ranked(sample, mask):
        left -= a
        won += b * (2 * left + a)
    return Fraction(won, 2 * positives * negatives) if positives and negatives else Fraction(0)


def f_measure(sample: Sample, mask: int) -> Fraction:
    positives, values, hits, called = sum(y for _, y in sample), [], 0, 0
    for a, b in ranked(sample, mask):
        hits, called = hits + b, called + a + b
        values.append(Fraction(2 * hits, positives + called))
    return max(values)


BENEFITS: dict[str, tuple[Callable[[Sample, int], Fraction], Any]] = {
    "zero_one": (zero_one, criteria.zero_one()),
    "gini": (gini, criteria.gini()),
    "logarithmic": (likelihood, criteria.logarithmic()),
    "auc": (auc, criteria.auc()),
    "f_measure": (f_measure, criteria.f_measure()),
}


def samples(n: int, total: int) -> Iterator[Sample]:
    """All multisets of draws one of which has all features 0: flipping the states of features makes it so."""
    every = [(x, y) for x in range(2**n) for y in range(2)]
    for y in range(2):
        for rest in itertools.combinations_with_replacement(every, total - 1):
            yield ((0, y), *rest)


def distribution(sample: Sample, n: int) -> JointDistribution:
    weights = np.zeros((2,) * n + (2,), dtype=int)
    for x, y in sample:
        weights[(*(x >> i & 1 for i in range(n)), y)] += 1
    return JointDistribution(weights)


def smallest(n: int, is_one: Callable[[Sample], bool]) -> tuple[int, Sample]:
    return next((total, s) for total in range(1, MOST + 1) for s in samples(n, total) if is_one(s))


def second_difference(name: str, sample: Sample) -> Fraction:
    """What X1 adds alone less what it adds beside X2; of the likelihood, the quotient less 1."""
    none, first, second, both = (BENEFITS[name][0](sample, mask) for mask in range(4))
    return first * second - none * both if name == "logarithmic" else first - none - both + second


@pytest.mark.parametrize(
    ("name", "total"), [("zero_one", 3), ("gini", 3), ("logarithmic", 3), ("f_measure", 3), ("auc", 4)]
)
def test_smallest_not_submodular_and_not_supermodular(name: str, total: int) -> None:
    """The second are two copies of the class."""
    found, sample = smallest(2, lambda sample: second_difference(name, sample) < 0)
    table = BENEFITS[name][1].table(distribution(sample, 2))
    assert (found, bool(is_monotone(table)), bool(is_submodular(table))) == (total, True, False)
    found, sample = smallest(2, lambda sample: second_difference(name, sample) > 0)
    d = distribution(sample, 2)
    assert (found, d) == (2, JointDistribution([[[1, 0], [0, 0]], [[0, 0], [0, 1]]]))
    assert not is_supermodular(BENEFITS[name][1].table(d))


def greedy_fails(name: str, sample: Sample, *, however_tied: bool) -> bool:
    """Whether greedy forward selection of 2 of 3 features misses the best pair."""
    benefit, _ = BENEFITS[name]
    singles = [benefit(sample, 1 << i) for i in range(3)]
    pairs = {mask: benefit(sample, mask) for mask in (3, 5, 6)}
    firsts = [i for i in range(3) if singles[i] == max(singles)]
    reached = [max(v for mask, v in pairs.items() if mask >> i & 1) for i in firsts]
    return all(value < max(pairs.values()) for value in (reached if however_tied else reached[:1]))


@pytest.mark.parametrize(
    ("name", "total"), [("zero_one", 3), ("f_measure", 3), ("gini", 4), ("logarithmic", 4), ("auc", 4)]
)
def test_smallest_where_greedy_is_not_optimal(name: str, total: int) -> None:
    """In feature order, and however ties fall."""
    found, sample = smallest(3, lambda sample: greedy_fails(name, sample, however_tied=False))
    assert found == total
    assert not compare_greedy(distribution(sample, 3), 2, BENEFITS[name][1]).is_optimal
    found, sample = smallest(3, lambda sample: greedy_fails(name, sample, however_tied=True))
    assert found == 4
    d = distribution(sample, 3)
    for order in itertools.permutations(d.features):
        assert not compare_greedy(d, 2, BENEFITS[name][1], order=order).is_optimal


def test_one_distribution_defeats_greedy_by_every_criterion() -> None:
    """Y = X1 xor X2, uniform, and X3 = X1 and X2: alone X3 is best, with it no pair is perfect."""
    sample: Sample = ((0b000, 0), (0b001, 1), (0b010, 1), (0b111, 0))
    d = distribution(sample, 3)
    shares = {"zero_one": "1/2", "gini": "1/2", "logarithmic": "1/2", "auc": "3/4", "f_measure": "2/5"}
    for name, share in shares.items():
        assert greedy_fails(name, sample, however_tied=True)
        found = compare_greedy(d, 2, BENEFITS[name][1])
        assert found.greedy.features == ("X3", "X1")
        assert found.best.features == ("X1", "X2")
        assert found.ratio == Fraction(share)


def breaks_forward_guarantee(sample: Sample) -> bool:
    """Whether some delta makes the first feature of two reach the threshold, and the printed claim false.

    The claim is R(S) <= eps - delta + sqrt(2 I), for every delta up to sqrt(2 I(S)). It fails for those close to
    it if a + sqrt(y) > sqrt(x), with a = R(S) - eps, x = 2 I, y = 2 I(S): if 4 a**2 y > (x - y - a**2)**2, or the
    bracket is negative.
    """
    total = len(sample)
    first = max((1, 2), key=lambda mask: (likelihood(sample, mask), -mask))
    a = (zero_one(sample, 3) - zero_one(sample, first)) / total
    if a <= 0:
        return False
    ratios = (likelihood(sample, mask) / likelihood(sample, 0) for mask in (3, first))
    x, y = (log(ratio) * Fraction(2, total) for ratio in ratios)
    bracket = x - y - a**2
    if bracket <= 0 or y == 0:
        return bracket < 0 or (bracket == 0 and y > 0)
    return quotient(LogSum.of(4 * a**2), bracket) > quotient(bracket, y)


def test_smallest_counterexample_to_the_forward_guarantee() -> None:
    """The rule is reached, the next index set is taken, and the claim still fails; with two binary features."""
    assert smallest(2, breaks_forward_guarantee)[0] == 7
    d = JointDistribution([[[0, 1], [2, 1]], [[0, 0], [1, 2]]])
    result = cmi_selection(d, ErrorRule("0.42", printed=True))
    assert result.guarantee is not None
    assert not result.next_guarantee
    assert result.next_features == {"X2"}
    assert result.trace[-1].error == Fraction(3, 7)
