"""Bounds with constants, against the textbook in mpmath and exact laws; one relevant feature, against all samples."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest

import fstheory as fs
from fstheory.numbers.logsum import log
from fstheory.numbers.roots import ShiftedRoot
from fstheory.samples import sample_size
from fstheory.samples.methods import Method

NOISY = fs.JointDistribution([[[9, 1], [9, 1]], [[1, 9], [1, 9]]])
MIXED = fs.JointDistribution([[[5, 1], [1, 2], [3, 3]], [[2, 6], [1, 7], [4, 0]]])
THREE = fs.JointDistribution([[3, 1, 0], [0, 4, 1], [2, 2, 3]])
WRAP = fs.StandardWrap(holdout="1/4", ties="first")
ORDERED = fs.OrderedFS(holdout="1/4", ties="uniform")


def literal(d: fs.JointDistribution, m: int, method: Method, delta: Fraction, share: Fraction) -> object:
    """The three theorems, word for word, on all subsets."""
    n, k, root = len(d.features), len(d.classes), lambda number, size: mpmath.sqrt(2 * mpmath.log(number) / size)
    subsets = [s for size in range(n + 1) for s in itertools.combinations(d.features, size)]
    risk = {s: mpmath.mpf((r := fs.bayes_risk(d, s)).numerator) / r.denominator for s in subsets}
    states = {s: math.prod(len(d.states[i]) for i in s) for s in subsets}
    one, two = ((delta * part).as_integer_ratio() for part in (share, 1 - share))
    delta_1, delta_2 = mpmath.mpf(one[0]) / one[1], mpmath.mpf(two[0]) / two[1]
    if isinstance(method, fs.NoSelection):
        return risk[d.features] + root(mpmath.mpf(k) ** states[d.features] / (delta_1 + delta_2), m)
    held = m // 4
    if isinstance(method, fs.StandardWrap):
        first = min(risk[s] + root(mpmath.mpf(k) ** states[s] / delta_1, m - held) for s in subsets)
        return first + root((2**n - 1) / delta_2, held)
    by_size = [[s for s in subsets if len(s) == size] for size in range(n + 1)]
    first = min(
        min(risk[s] for s in group)
        + root(len(group) * mpmath.mpf(k) ** max(states[s] for s in group) / delta_1, m - held)
        for group in by_size
    )
    return first + root(n / delta_2, held)


@pytest.mark.parametrize("method", [fs.NoSelection(), WRAP, ORDERED], ids=lambda method: method.title)
@pytest.mark.parametrize("d", [NOISY, MIXED, THREE, fs.gallery.xor()], ids=["noisy", "mixed", "three", "xor"])
@pytest.mark.parametrize("m", [4, 40, 4000])
def test_the_bound_is_that_of_the_theorems(d: fs.JointDistribution, m: int, method: Method) -> None:
    for delta, share in ((Fraction(1, 20), Fraction(1, 2)), (Fraction(2, 3), Fraction(1, 7))):
        bound = fs.risk_bound(d, m, method, delta=delta, training=share)
        lower, upper = bound.value.enclosure(30)
        with mpmath.workdps(50):
            value = literal(d, m, method, delta, share)
            below, above = (mpmath.mpf(end.numerator) / end.denominator for end in (lower, upper))
            assert below - mpmath.mpf(10) ** -40 <= value <= above + mpmath.mpf(10) ** -40
        assert bound.vacuous == (bound.value >= 1 - Fraction(1, len(d.classes)))
        printed = Fraction(str(bound).split("at most ")[1].split()[0])
        assert printed * Fraction(999, 1000) < bound.value <= printed


@pytest.mark.parametrize("d", [NOISY, MIXED, THREE], ids=["noisy", "mixed", "three"])
@pytest.mark.parametrize("method", [fs.NoSelection(), WRAP, ORDERED], ids=lambda method: method.title)
@pytest.mark.one_in(9)
def test_the_law_keeps_to_the_bound(d: fs.JointDistribution, method: Method) -> None:
    """The exact probability of a larger risk is at most delta, and the quantile is the best bound there is."""
    for m, delta in itertools.product((4, 8), (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))):
        bound = fs.risk_bound(d, m, method, delta=delta)
        law = fs.selection_law(d, m, method)
        assert bound.exceedance == sum((p for (_, risk), p in law.outcomes.items() if bound.value < risk), Fraction(0))
        assert bound.exceedance <= delta
        quantile = min(risk for _, risk in law.outcomes if law.tail(risk) <= delta)
        assert bound.quantile == quantile <= bound.value
        assert bound.slack == bound.value - quantile


def test_a_bound_that_says_something_is_exceeded_sometimes() -> None:
    """With a delta near 1 it lies between the risks that occur."""
    bound = fs.risk_bound(fs.JointDistribution([[9, 1], [1, 9]]), 40, fs.NoSelection(), delta="999/1000")
    assert 0 < bound.exceedance < bound.delta
    assert not bound.vacuous


def test_the_subset_with_fewer_states_wins() -> None:
    """Of two features that predict equally well the one with fewer states is cheaper; more samples buy the second."""
    d = fs.JointDistribution([[[4, 0], [0, 0]], [[0, 0], [0, 4]], [[0, 0], [0, 4]]])
    wrap = fs.risk_bound(d, 400, fs.StandardWrap(holdout=200, ties="first"))
    assert wrap.best.subset == {"X2"}
    assert [len(term.subset) for term in wrap.terms] == [0, 1, 2]
    better = fs.JointDistribution([[[40, 0], [0, 2]], [[0, 20], [0, 20]], [[0, 20], [0, 20]]])
    few, many = (fs.risk_bound(better, m, fs.StandardWrap(holdout="1/2", ties="first")) for m in (100, 100_000))
    assert few.best.subset == {"X1"}
    assert "says:          nothing: a blind guess has 1/2 = 0.5" in str(few)
    assert many.best.subset == {"X1", "X2"}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "method", [fs.NoSelection(), WRAP, ORDERED, fs.OrderedFS(holdout=500, ties="first")], ids=["none", "wrap", "a", "b"]
)
def test_the_smallest_sample_is_the_smallest(method: Method) -> None:
    for limit in (None, "2/5"):
        m = sample_size.samples_to_bound(NOISY, method, limit)
        step = 4 if method in (WRAP, ORDERED) else 1
        wanted = Fraction(limit or "1/2")
        assert fs.risk_bound(NOISY, m, method).value < wanted <= fs.risk_bound(NOISY, m - step, method).value


def test_without_features_nothing_is_chosen() -> None:
    """One table remains, and the samples held out cost nothing but their number."""
    d = fs.JointDistribution([1, 2])
    for method in (WRAP, ORDERED):
        bound = fs.risk_bound(d, 40, method)
        assert bound.value == ShiftedRoot("1/3", 2 * (log(2) + log(40)) / 30)
        assert bound.holdout == 0


# One relevant feature among many.


def by_all_samples(f: int, m: int, noise: Fraction) -> Fraction:
    """Go through all samples: m rows of f bits and a flip."""
    total = Fraction(0)
    for rows in itertools.product(itertools.product((0, 1), repeat=f), repeat=m):
        for flips in itertools.product((0, 1), repeat=m):
            probability = math.prod((noise if flip else 1 - noise for flip in flips), start=Fraction(1))
            wrong = [sum(row[i] != row[0] ^ flip for row, flip in zip(rows, flips, strict=True)) for i in range(f)]
            if wrong[0] == min(wrong):
                total += probability / wrong.count(wrong[0])
    return Fraction(total, 2 ** (f * m))


@pytest.mark.parametrize(("f", "m"), [(1, 3), (2, 0), (2, 1), (2, 3), (3, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("noise", [Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(49, 100)])
def test_the_closed_form_is_the_definition(f: int, m: int, noise: Fraction) -> None:
    assert sample_size.find_probability(f, m, noise) == by_all_samples(f, m, noise)


def enclosed(f: int, m: int, noise: str, bits: int = 64) -> tuple[Fraction, Fraction]:
    """Return bounds of the probability that are at most 2**-bits apart."""
    precision = bits
    while True:
        low, high = sample_size._enclosure(f, m, Fraction(noise), precision := 2 * precision)
        if high - low <= Fraction(1, 2**bits):
            return low, min(high, Fraction(1))


@pytest.mark.parametrize(("f", "m"), [(2, 0), (9, 1), (1, 4), (7, 11), (50, 20), (2, 700)])
@pytest.mark.parametrize("noise", ["0", "1/100", "49/100"])
def test_bounds_enclose_the_exact_probability(f: int, m: int, noise: str) -> None:
    """Of few samples, where all numbers of errors are summed, and of many, where those far from the mean are not."""
    exact = sample_size.find_probability(f, m, noise)
    low, high = enclosed(f, m, noise, bits=100)
    assert low <= exact <= high
    assert high - low <= Fraction(1, 2**100)


@pytest.mark.thorough
def test_many_samples() -> None:
    """What took all binomials of m, in each step of a bisection."""
    low, high = enclosed(10, 50_000, "3/10")
    assert 1 - Fraction(1, 2**64) < low <= high == 1
    assert sample_size.samples_to_find(10, "9/10", "49/100") == 22242
    low, high = enclosed(10, 10**6, "499/1000")
    assert low < Fraction(67364574, 10**8) < high + Fraction(1, 10**8)
    before, after = (enclosed(10, m, "49/100") for m in (22241, 22242))
    assert before[1] < Fraction(9, 10) <= after[0]


@pytest.mark.rotated(4)
@pytest.mark.parametrize(("f", "m"), [(10**20, 1), (10**20, 700), (10**300, 40)])
@pytest.mark.one_in(4)
def test_bounds_for_numbers_of_features_beyond_machine_words(f: int, m: int) -> None:
    """The closed form, in floats with digits for a power f: what is subtracted agrees in as many digits as f has."""
    low, high = enclosed(f, m, "3/10", bits=1100)
    with mpmath.workdps(1200):
        sums = itertools.accumulate((math.comb(m, i) for i in range(m, -1, -1)), initial=0)
        tails = [mpmath.mpf(part) / 2**m for part in sums][::-1]
        drawn = [(tails[e] ** f - tails[e + 1] ** f) / (f * (tails[e] - tails[e + 1])) for e in range(m + 1)]
        eta = mpmath.mpf(3) / 10
        value = sum(math.comb(m, e) * eta**e * (1 - eta) ** (m - e) * drawn[e] for e in range(m + 1))
        assert mpmath.mpf(low.numerator) / low.denominator <= value + mpmath.mpf(10) ** -340
        assert mpmath.mpf(high.numerator) / high.denominator >= value - mpmath.mpf(10) ** -340
    assert 0 <= low <= high <= low + Fraction(1, 2**1100)


def test_the_smallest_sample_among_very_many_features() -> None:
    m = sample_size.samples_to_find(10**50, "9/10", "3/10")
    assert enclosed(10**50, m - 1, "3/10")[1] < Fraction(9, 10)
    assert enclosed(10**50, m, "3/10")[0] >= Fraction(9, 10)


def test_the_smallest_sample_that_finds_is_the_smallest() -> None:
    for f, wanted in ((1, "99/100"), (2, "5/8"), (5, "9/10"), (40, "1/3"), (3, "0")):
        m = sample_size.samples_to_find(f, wanted, "1/4")
        assert sample_size.find_probability(f, m, "1/4") >= Fraction(wanted)
        assert all(sample_size.find_probability(f, fewer, "1/4") < Fraction(wanted) for fewer in range(m))
    assert sample_size.samples_to_find(10**300, 0, "1/4") == 0
    assert sample_size.samples_to_find(2, "5/8", "1/4") == 1  # equal, which no enclosure decides


def test_the_growth_with_the_logarithm() -> None:
    """Of f to the power 2 twice the samples, in the limit: the capacity of the binary symmetric channel."""
    limit = sample_size.samples_per_bit("3/10")
    ratios = [sample_size.samples_to_find(10**k, "9/10", "3/10") / math.log2(10**k) for k in (3, 6, 12)]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] > float(limit)
    gained = sample_size.samples_to_find(10**12, "1/2", "3/10") - sample_size.samples_to_find(10**9, "1/2", "3/10")
    assert abs(gained / math.log2(10**3) - float(limit)) < 1
