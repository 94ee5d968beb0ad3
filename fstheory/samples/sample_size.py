"""How many samples are enough: to find one relevant feature among many, and for the bounds of Ng to say something."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from fstheory._support.exact import Exact, as_fraction, as_index, as_level, decimal_text, to_text
from fstheory._support.result import Result, listing
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError, require, require_type
from fstheory.lattice.series import Traced
from fstheory.lattice.subsets import masks_by_size, names_of, subset_text
from fstheory.measures.risk import bayes_risk, bayes_risks
from fstheory.numbers.enclosure import endpoints
from fstheory.numbers.logsum import ExactRatio, LogSum, log, quotient
from fstheory.numbers.roots import ShiftedRoot
from fstheory.samples.law import Law, selection_law
from fstheory.samples.methods import Method, MethodLike, NoSelection, OrderedFS, StandardWrap, as_method

# -- One relevant feature among many: the exact probability that the least training error finds it.


_BITS = 2**22  # of the integers that an exact probability may take: 0.4 s at m = 20, f = 10,000
_PRECISION = 2**14  # bits up to which a comparison is tried
_SAMPLES = 2**22  # of which bounds are computed, in some seconds
_FEATURES = 10**300  # of which bounds are computed: samples_to_find takes some seconds


def find_probability(features: int, m: int, noise: Exact) -> Fraction:
    """Return the exact probability that the one relevant of f binary features is found by its training error.

    All features are uniform and independent. The class is the first feature, flipped with probability `noise`, which is
    at least 0 and below 1/2. Each feature is judged by the errors of the rule "the class is the feature" on m samples.
    The feature with the fewest errors is taken; if several have the fewest, one of them is drawn uniformly.

    Suppose that the relevant feature has e errors, and let T be the number of other features with e errors. If another
    feature has fewer errors, the relevant one is not taken. If none has, it is drawn with probability 1/(1 + T). For
    S = P(Bin(m, 1/2) >= e) and q = P(Bin(m, 1/2) = e), it is drawn with probability (S^f - (S - q)^f) / (f q).

    Complexity: m powers of integers of f m bits. If these are too long, the call is refused with `TooLargeError`.

    Source: Ng (1998), Section 3: the sample size that ORDERED-FS needs grows with log f.

    Examples
    --------
    >>> from fstheory.samples import find_probability
    >>> find_probability(2, 1, "1/4")  # right 3/4 of the time; the other is right half the time, ties are drawn
    Fraction(5, 8)
    """
    f, m, eta = _checked(features, m, noise)
    repair = "take smaller numbers; samples_to_find takes larger ones, too"
    require(f * m * (m + 1) <= _BITS, "features", f"small enough for m = {m}", features, repair, TooLargeError)
    ties = [math.comb(m, e) for e in range(m + 1)]
    total, above = Fraction(0), 0
    for e in range(m, -1, -1):
        above += ties[e]
        drawn = Fraction(above**f - (above - ties[e]) ** f, f * ties[e] * 2 ** (m * (f - 1)))
        total += ties[e] * eta**e * (1 - eta) ** (m - e) * drawn
    return total


def samples_to_find(features: int, probability: Exact, noise: Exact) -> int:
    """Return the smallest number of samples with which the relevant feature is found with at least a given probability.

    `features` and `noise` are as in `find_probability`. `probability` is at least 0 and below 1. Each comparison is
    decided by proven bounds; if the bounds cannot decide it, it is decided exactly. If the noise is so near to 1/2 that
    2**22 samples are not enough, or if there are more than 10**300 features, the call is refused with `TooLargeError`.

    Examples
    --------
    >>> from fstheory.samples import samples_to_find
    >>> [samples_to_find(10**k, "9/10", "3/10") for k in (1, 2, 3, 6, 12)]
    [53, 91, 127, 229, 426]
    """
    f, _, eta = _checked(features, 0, noise)
    wanted = as_fraction(probability, "probability", at_least=0, below=1, repair="pass '9/10', say")

    def is_enough(m: int) -> bool:
        repair = "take less noise: the number grows with (1 - 2 noise)**-2, and with log features"
        require(m <= _SAMPLES, "noise", f"such that {_SAMPLES:,} samples are enough", eta, repair, TooLargeError)
        precision = 64
        while precision <= _PRECISION:
            low, high = _enclosure(f, m, eta, precision)
            if low >= wanted or high < wanted:
                return low >= wanted
            precision *= 2
        return find_probability(f, m, eta) >= wanted  # equal, it seems

    return least(is_enough)  # no rule finds it more often, not even one that ignores a sample: more samples do no harm


def samples_per_bit(noise: Exact) -> Fraction | ExactRatio:
    """Return how many samples are needed for each doubling of the number f of features: the limit of m / log2 f.

    Here m is the number of samples that find the relevant one of f features, as in `samples_to_find`. The limit is the
    same for any wanted probability strictly between 0 and 1. It is log 2 / (log 2 - H(noise)), where
    H(p) = -p log p - (1 - p) log(1 - p): one over the capacity of the binary symmetric channel. Without noise it is the
    Fraction 1. With noise it is an exact quotient of sums of logarithms; `float` turns it into a number.

    Examples
    --------
    >>> from fstheory.samples import samples_per_bit
    >>> samples_per_bit(0), round(float(samples_per_bit("3/10")), 4)
    (Fraction(1, 1), 8.424)
    """
    _, _, eta = _checked(1, 0, noise)
    entropy: LogSum = sum((-p * log(p) for p in (eta, 1 - eta) if p), LogSum())
    return quotient(log(2), log(2) - entropy)


def _checked(features: int, m: int, noise: Exact) -> tuple[int, int, Fraction]:
    repair = "flip the class, or pass '3/10', say"
    eta = as_fraction(noise, "noise", at_least=0, below=Fraction(1, 2), repair=repair)
    f = as_index(features, "features", at_least=1)
    require(f <= _FEATURES, "features", "at most 10**300", features, "take fewer", TooLargeError)
    return f, as_index(m, "m"), eta


def least(is_enough: Callable[[int], bool], start: int = 0) -> int:
    """Return the least number from a start on that is enough; all larger ones are."""
    high = 1
    while not is_enough(start + high):
        high *= 2
    low = -1 if high == 1 else high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(start + middle) else (middle, high)
    return start + high


def _enclosure(f: int, m: int, eta: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """Return bounds of the probability, by ball arithmetic of a precision in bits.

    Only numbers of errors e near m eta are summed: the others have what is left of all probability, and given one of
    them the relevant feature is drawn with a probability between 0 and 1. The tail of the irrelevant ones is known at
    the end and, by symmetry, in the middle; from there it is summed.
    """
    from flint import arb, ctx, fmpq

    before = ctx.prec
    ctx.prec = precision + 3 * m.bit_length() + f.bit_length()  # a power f multiplies a relative error by f
    try:
        width = math.isqrt(m * precision) + 2
        low = max(0, m * eta.numerator // eta.denominator - width)
        high = min(m, m * eta.numerator // eta.denominator + width) if eta else 0
        e = m if high == m else (m + 1) // 2
        tie = arb.bin_uiui(m, e) / arb(2) ** m  # P(Bin(m, 1/2) = e)
        above = arb(0) if e == m else arb(1) / 2 - (tie if m % 2 else tie / 2)  # P(Bin(m, 1/2) > e)
        while e < high:
            tie, e = tie * (m - e) / (e + 1), e + 1
            above -= tie
        while e > high:
            above, tie, e = above + tie, tie * e / (m - e + 1), e - 1
        right, wrong = (arb(fmpq(part.numerator, part.denominator)) for part in (1 - eta, eta))
        share = arb(2) ** m * wrong**e * right ** (m - e)  # P(Bin(m, eta) = e) over P(Bin(m, 1/2) = e)
        total = summed = arb(0)
        while e >= low:
            summed += share * tie
            total += share * tie * _drawn(f, tie, above)
            above, tie, share, e = above + tie, tie * e / (m - e + 1), share * right / wrong if e else share, e - 1
        # with 1 added the ends are short, however small the sum is: 2**-f has f digits
        return max(endpoints(total + 1)[0] - 1, Fraction(0)), endpoints(total + 1 - summed)[1]
    finally:
        ctx.prec = before


def _drawn(f: int, tie: Any, above: Any) -> Any:
    """Return E[1/(1 + T)] 1{no other has fewer} in the notation of `find_probability`, q = tie and S - q = above."""
    from flint import arb

    if above == 0:
        return tie ** (f - 1) / f
    if not above > 0:
        return arb(0.5, 0.5)  # anything from 0 to 1
    return above**f * (f * (tie / above).log1p()).expm1() / (f * tie)


# -- Ng's three bounds on the risk after selection, for majority tables, with constants; held against the exact law.


@dataclass(frozen=True, repr=False)
class SizeTerm(Result):
    """The best subset of one size in a bound: its risk, and the term for training on it.

    For `OrderedFS`, `training` is the term for all subsets of this size together.
    """

    subset: frozenset[str]
    risk: Fraction
    training: ShiftedRoot


@dataclass(frozen=True, repr=False)
class RiskBound(Traced):
    """A bound on the risk that a method ends with, which holds with at least probability 1 - delta.

    `terms` has an entry for each size that the method tries, in ascending order: the subset with the least sum of risk
    and training term. `best` is the entry with the least sum. `holdout` is the term for the choice on the held-out
    samples; it is 0 if none are held out.
    """

    _table: ClassVar = "terms"
    _drawn: ClassVar = {"risk": "least risk", "training": "training term"}
    _along: ClassVar = "subset"

    distribution: JointDistribution
    m: int
    method: Method
    delta: Fraction
    terms: tuple[SizeTerm, ...]
    best: SizeTerm
    holdout: ShiftedRoot

    @cached_property
    def value(self) -> ShiftedRoot:
        """The bound: the sum of the risk of the best term, its training term and the hold-out term."""
        return self.best.training + self.holdout + self.best.risk

    @property
    def vacuous(self) -> bool:
        """Whether the bound is at least 1 - 1/k for k classes, which is the risk of drawing a class blindly."""
        return self.value >= _blind(self.distribution)

    @cached_property
    def law(self) -> Law[Fraction]:
        """The exact law of the method on m samples. It may be too large, see `selection_law`."""
        return selection_law(self.distribution, self.m, self.method)

    @cached_property
    def exceedance(self) -> Fraction:
        """The exact probability that the risk is above the bound: at most delta, by the theorem."""
        return sum((probability for risk, probability in self.law.risks.items() if self.value < risk), Fraction(0))

    @cached_property
    def quantile(self) -> Fraction:
        """The best possible bound: the least number that the risk exceeds with probability at most delta.

        It is computed from the exact law.
        """
        above = Fraction(1)
        for risk, probability in self.law.risks.items():
            above -= probability
            if above <= self.delta:
                return risk
        raise AssertionError("the law sums to 1")

    @property
    def slack(self) -> ShiftedRoot:
        """The bound minus the best possible one, `quantile`."""
        return self.value - self.quantile

    def __str__(self) -> str:
        names, blind = self.distribution.features, _blind(self.distribution)
        most = decimal_text(self.value.enclosure(6)[1], 4, ROUND_CEILING)
        head = f"{self.method.title} on {self.m} samples: the risk is at most {most}"
        head += f" with probability at least {to_text(1 - self.delta)}"
        rows = [
            ("at the subset", subset_text(self.best.subset, names)),
            ("its risk", to_text(self.best.risk)),
            ("training", str(self.best.training)),
            ("hold-out", str(self.holdout)),
            ("says", f"nothing: a blind guess has {to_text(blind)}" if self.vacuous else "something"),
        ]
        return listing(head, rows)


def risk_bound(
    d: DistributionLike, m: int, method: MethodLike, *, delta: Exact = "1/20", training: Exact = "1/2"
) -> RiskBound:
    """Return a bound on the risk that a method ends with: Ng's Theorems 1 to 3, but with every constant.

    Use it to see what the theorems say about a known distribution at a given m. The result has the bound as an exact
    `value`, its terms, and whether it is `vacuous`. The exact law is there for comparison.

    `m` is the number of independent samples, those held out included. The method is NoSelection, StandardWrap or
    OrderedFS. The bound holds with at least probability 1 - delta. The share `training` of delta is spent on training,
    the rest on the held-out samples. If no samples are held out, all of delta is spent on training.

    For k classes there are k**N tables over a subset with N states. Let m' samples be for training and m'' be held out,
    and let delta = delta' + delta''. Then the bounds on the risk are these sums:

    - no selection: R(X) + sqrt(2 log(k**N / delta) / m), where N is the number of states of all features;
    - STANDARD-WRAP: min over F of [R(F) + sqrt(2 log(k**N / delta') / m')], plus
      sqrt(2 log((2**f - 1) / delta'') / m'');
    - ORDERED-FS: min over sizes r of [R(r) + sqrt(2 log(binomial(f, r) k**N / delta') / m')], plus
      sqrt(2 log(f / delta'') / m''), where R(r) is the least risk and N the largest number of states of r features.

    All risks are under d, with its noise. The bounds hold for any rule for ties.

    Source: Ng (1998), Theorems 1, 2 and 3, which leave the constants out.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[9, 1], [9, 1]], [[1, 9], [1, 9]]])  # the class is X1, flipped with probability 1/10
    >>> print(fs.risk_bound(d, 1000, fs.OrderedFS(holdout="3/10", ties="first")))
    OrderedFS on 1000 samples: the risk is at most 0.3993 with probability at least 19/20 = 0.95
      at the subset: X1
      its risk:      1/10 = 0.1
      training:      sqrt(3/175*log(2) + 1/350*log(5)) ≈ 0.128378
      hold-out:      sqrt(2/75*log(2) + 1/150*log(5)) ≈ 0.170920
      says:          something
    """
    d = as_distribution(d)
    require(len(d.classes) > 1, "d", "a distribution with two classes or more", d, "nothing is to be predicted")
    repair = "pass fs.OrderedFS(), or fs.selection_law for any method"
    kinds = (NoSelection, StandardWrap, OrderedFS)
    method = require_type(as_method(method), kinds, "method", "NoSelection, StandardWrap or OrderedFS", repair)
    require(method.inducer == "majority", "method", "one with majority tables", method, "leave out inducer")
    held = method.holdout_size(as_index(m, "m", at_least=1))
    given, share = as_level(delta, "delta"), as_level(training, "training")
    spent = given * share if held else given
    terms = tuple(_terms(d, method, m - held, spent))
    values = [term.training + term.risk for term in terms]
    best = min(range(len(terms)), key=lambda place: values[place])  # the smaller size, should two be equal
    n = len(d.features)
    others = n if isinstance(method, OrderedFS) else 2**n - 1
    choosing = 2 * log(others / (given - spent)) / held if held and n else LogSum()
    return RiskBound(d, m, method, given, terms, terms[best], ShiftedRoot(0, choosing))


def samples_to_bound(
    d: DistributionLike,
    method: MethodLike,
    limit: Exact | None = None,
    *,
    delta: Exact = "1/20",
    training: Exact = "1/2",
) -> int:
    """Return the smallest m at which the bound on the risk is below a limit.

    Use it to learn from how many samples on the bound of `risk_bound` says something. The other arguments are as there.
    If no `limit` is given, it is 1 - 1/k for k classes, the risk of drawing a class blindly. A limit that the bound
    does not reach for any m is refused.

    Only those m are considered for which the hold-out is a whole number of samples. The search is a bisection, because
    the bound falls with m.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[9, 1], [9, 1]], [[1, 9], [1, 9]]])
    >>> fs.samples.samples_to_bound(d, fs.StandardWrap(holdout="3/10", ties="first"))
    560
    """
    d = as_distribution(d)
    method = as_method(method)
    bound = _blind(d) if limit is None else as_fraction(limit, "limit")
    holdout = as_fraction(getattr(method, "holdout", None) or 0, "holdout")  # `risk_bound` refuses FBS and FOS
    step, start = (holdout.denominator, 0) if holdout < 1 else (1, int(holdout))
    first = risk_bound(d, start + step, method, delta=delta, training=training)
    tends = (first.holdout if start else ShiftedRoot(0)) + bayes_risk(d, d.features)
    require(tends < bound, "limit", "above what the bound tends to", bound, f"that is {tends}; pass a larger one")

    def is_below(steps: int) -> bool:
        return risk_bound(d, start + steps * step, method, delta=delta, training=training).value < bound

    return start + step * least(is_below, 1)


def _terms(d: JointDistribution, method: Method, m: int, delta: Fraction) -> Iterator[SizeTerm]:
    """Yield for each size that the method tries the subset with the least sum of risk and training cost."""
    n, k, risks = len(d.features), len(d.classes), bayes_risks(d)
    states = [math.prod(c for i, c in enumerate(d.cardinalities) if mask >> i & 1) for mask in range(2**n)]
    tried: dict[int, dict[int, int]] = {}  # by size and number of states the subset with the least risk
    for mask in masks_by_size(n).tolist() if not isinstance(method, NoSelection) else [2**n - 1]:
        found = tried.setdefault(mask.bit_count(), {})
        number = states[mask]
        if number not in found or risks.value_at(mask) < risks.value_at(found[number]):
            found[number] = mask
    for size, found in tried.items():
        sets = 1
        if isinstance(method, OrderedFS):  # one class of tables for all subsets of a size
            sets, largest = math.comb(n, size), max(found)
            found = {largest: min(found.values(), key=risks.value_at)}
        options = [
            SizeTerm(
                names_of(mask, d.features),
                risks.value_at(mask),
                ShiftedRoot(0, 2 * (number * log(k) + log(sets / delta)) / m),
            )
            for number, mask in found.items()
        ]
        yield min(options, key=lambda term: term.training + term.risk)


def _blind(d: JointDistribution) -> Fraction:
    return 1 - Fraction(1, len(d.classes))
