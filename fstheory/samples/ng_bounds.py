"""Ng's three bounds on the risk after selection, for majority tables, with constants; held against the exact law.

Of h fixed hypotheses, one that makes no more errors on m samples than a certain other one has at most a risk larger by
sqrt(2 log(h / delta) / m), with probability 1 - delta: for each that is worse by more, the difference of errors is a
sum of m independent numbers between -1 and 1 (Hoeffding), and there are h at most. The textbook has the proofs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from fstheory._display import Shown, listing
from fstheory._exact import Exact, as_fraction, as_index, both
from fstheory.bayes import bayes_risk, bayes_risks
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.reals import LogSum, log
from fstheory.reals.shifted_root import ShiftedRoot, ShiftedRoots
from fstheory.samples.law import SelectionLaw, selection_law
from fstheory.samples.methods import Method, NoSelection, OrderedFS, StandardWrap
from fstheory.subsets import format_subset, mask_of, masks_by_size, names_of

__all__ = ["RiskBound", "SizeTerm", "risk_bound", "samples_to_bound"]


@dataclass(frozen=True, repr=False)
class SizeTerm(Shown):
    """What a bound says of the subsets of a size: the least risk of one of them, and what training on it may cost.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[9, 1], [1, 9]])
    >>> print(fs.risk_bound(d, 100, fs.StandardWrap(holdout=50, ties="first")).terms[1].training)
    sqrt(1/5*log(2) + 1/25*log(5)) ≈ 0.450563
    """

    subset: frozenset[str]
    risk: Fraction
    training: ShiftedRoot


@dataclass(frozen=True, repr=False)
class RiskBound(Shown):
    """A bound on the risk that a method ends with, which holds with at least probability 1 - delta.

    Attributes
    ----------
    distribution : JointDistribution
    m : int
        The number of samples, those held out included.
    method : NoSelection, StandardWrap or OrderedFS
    delta : Fraction
        The most probability with which the risk may be larger.
    terms : tuple of SizeTerm
        For each size the subset for which risk and training cost together are least; smaller sizes first.
    best : SizeTerm
        The least of them.
    holdout : ShiftedRoot
        What choosing on the samples held out may cost.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[9, 1], [1, 9]])  # the class is X1, flipped with probability 1/10
    >>> bound = fs.risk_bound(d, 100, fs.NoSelection())
    >>> print(bound.value)
    1/10 + sqrt(2/25*log(2) + 1/50*log(5)) ≈ 0.396041
    >>> bound.vacuous, bound.exceedance < bound.delta, bound.quantile
    (False, True, Fraction(1, 10))
    """

    distribution: JointDistribution
    m: int
    method: Method
    delta: Fraction
    terms: tuple[SizeTerm, ...]
    best: SizeTerm
    holdout: ShiftedRoot

    @cached_property
    def value(self) -> ShiftedRoots:
        """The bound: the least risk of the best size, and the two roots."""
        return ShiftedRoots(self.best.risk, [self.best.training.radicand, self.holdout.radicand])

    @property
    def vacuous(self) -> bool:
        """Whether it is at least 1 - 1/k for k classes, the risk of a class drawn blindly."""
        return self.value >= _blind(self.distribution)

    @cached_property
    def law(self) -> SelectionLaw:
        """The exact law of the method on so many samples; it may be too large, see `selection_law`."""
        return selection_law(self.distribution, self.m, self.method)

    @cached_property
    def exceedance(self) -> Fraction:
        """The exact probability that the risk is above the bound: at most delta, by the theorem."""
        return sum((probability for risk, probability in self.law.risks.items() if self.value < risk), Fraction(0))

    @cached_property
    def quantile(self) -> Fraction:
        """The exact bound: the least number that the risk is above with at most probability delta."""
        above = Fraction(1)
        for risk, probability in self.law.risks.items():
            above -= probability
            if above <= self.delta:
                return risk
        raise AssertionError("the law sums to 1")

    @property
    def slack(self) -> ShiftedRoots:
        """By how much the bound is larger than the exact one."""
        return self.value - self.quantile

    def noise_free(self, noise: Exact) -> ShiftedRoots:
        """Return the bound on the error against the concept of which the class is a copy, flipped with `noise`.

        It is the excess risk over `noise`, divided by 1 - 2 noise: in the roots m becomes (1 - 2 noise)**2 m.
        """
        eta, d = as_fraction(noise, "noise"), self.distribution
        rows = d.weights.reshape(-1, len(d.classes)).tolist()
        if not 0 <= eta < Fraction(1, 2) or any(len(row) != 2 or min(row) != eta * sum(row) for row in rows):
            repair = "leave it out: the bound on the risk itself holds for any distribution"
            raise InvalidValueError(explain("noise", "the risk of the likelier class at each state", eta, repair))
        scale = 1 / (1 - 2 * eta)
        return ShiftedRoots((self.value.shift - eta) * scale, [part * scale**2 for part in self.value.radicands])

    def __str__(self) -> str:
        names = self.distribution.features
        head = f"{self.method.title} on {self.m} samples: the risk is at most {self.value.decimal(4)}"
        head += f" with probability at least {both(1 - self.delta)}"
        rows = [
            ("at the subset", format_subset(mask_of(self.best.subset, names), names)),
            ("its risk", both(self.best.risk)),
            ("training", str(self.best.training)),
            ("hold-out", str(self.holdout)),
            ("says", f"nothing: a blind guess has {both(_blind(self.distribution))}" if self.vacuous else "something"),
        ]
        return listing(head, rows)


def risk_bound(
    d: JointDistribution, m: int, method: Method, *, delta: Exact = "1/20", training: Exact = "1/2"
) -> RiskBound:
    """Return a bound on the risk that a method ends with, after Ng's Theorems 1 to 3 but with every constant.

    Parameters
    ----------
    d : JointDistribution
    m : int
        The number of independent samples, those held out included.
    method : NoSelection, StandardWrap or OrderedFS
    delta : exact number
        Strictly between 0 and 1: the bound holds with at least probability 1 - delta.
    training : exact number
        The share of delta that is spent on training, strictly between 0 and 1; the rest is spent on the samples held
        out. Without these all of it is spent on training.

    Returns
    -------
    RiskBound

    Notes
    -----
    For k classes there are k**N tables over a subset with N states. With m' samples to train on and m'' held out, and
    delta = delta' + delta'', the bounds on the risk are

    - no selection: R(X) + sqrt(2 log(k**N / delta) / m), N the number of states of all features;
    - STANDARD-WRAP: min over F of R(F) + sqrt(2 log(k**N / delta') / m'), and sqrt(2 log((2**f - 1) / delta'') / m'');
    - ORDERED-FS: min over sizes r of R(r) + sqrt(2 log(binomial(f, r) k**N / delta') / m'), R(r) the least risk and N
      the largest number of states of r features, and sqrt(2 log(f / delta'') / m'').

    All risks are under d, with its noise, so that noise takes no theorem of its own. They hold for any rule for ties.

    Complexity: that of `bayes_risks`, and a comparison of exact numbers for each size.

    References
    ----------
    Ng (1998), Theorems 1, 2 and 3, which leave the constants out.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[9, 1], [9, 1]], [[1, 9], [1, 9]]])
    >>> print(fs.risk_bound(d, 1000, fs.OrderedFS(holdout="3/10", ties="first")))
    OrderedFS on 1000 samples: the risk is at most 0.3993 with probability at least 19/20 = 0.95
      at the subset: X1
      its risk:      1/10 = 0.1
      training:      sqrt(3/175*log(2) + 1/350*log(5)) ≈ 0.128378
      hold-out:      sqrt(2/75*log(2) + 1/150*log(5)) ≈ 0.170920
      says:          something
    """
    require_distribution(d)
    if len(d.classes) < 2:
        repair = "nothing is to be predicted"
        raise InvalidValueError(explain("d", "a distribution with two classes or more", d, repair))
    held = _held(method, as_index(m, "m", at_least=1))
    given, share = _between(delta, "delta"), _between(training, "training")
    spent = given * share if held else given
    terms = tuple(_terms(d, method, m - held, spent))
    values = [ShiftedRoots(term.risk, [term.training.radicand]) for term in terms]
    best = min(range(len(terms)), key=lambda place: values[place])  # the smaller size, should two be equal
    n = len(d.features)
    others = n if isinstance(method, OrderedFS) else 2**n - 1
    choosing = 2 * log(others / (given - spent)) / held if held and n else LogSum()
    return RiskBound(d, m, method, given, terms, terms[best], ShiftedRoot(0, choosing))


def samples_to_bound(
    d: JointDistribution, method: Method, limit: Exact | None = None, *, delta: Exact = "1/20", training: Exact = "1/2"
) -> int:
    """Return the smallest m at which the bound on the risk is below a limit, so that it says something.

    Parameters
    ----------
    d, method, delta, training
        As in `risk_bound`.
    limit : exact number, optional
        1 - 1/k for k classes if not given, the risk of a class drawn blindly.

    Returns
    -------
    int
        Of those m for which the hold-out is a whole number of samples.

    Notes
    -----
    More samples make the bound smaller: m is found by bisection.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[9, 1], [9, 1]], [[1, 9], [1, 9]]])
    >>> fs.samples.samples_to_bound(d, fs.NoSelection())
    73
    >>> fs.samples.samples_to_bound(d, fs.StandardWrap(holdout="3/10", ties="first"))
    560
    """
    require_distribution(d)
    bound = _blind(d) if limit is None else as_fraction(limit, "limit")
    holdout = as_fraction(getattr(method, "holdout", 0), "holdout")
    step, start = (holdout.denominator, 0) if holdout < 1 else (1, int(holdout))
    least = risk_bound(d, start + step, method, delta=delta, training=training)
    tends = ShiftedRoots(bayes_risk(d, d.features), [least.holdout.radicand] if start else [])
    if tends >= bound:
        raise InvalidValueError(
            explain("limit", "above what the bound tends to", bound, f"that is {tends}; pass a larger one")
        )

    def is_below(steps: int) -> bool:
        return risk_bound(d, start + steps * step, method, delta=delta, training=training).value < bound

    high = 1
    while not is_below(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_below(middle) else (middle, high)
    return start + high * step


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
        yield min(options, key=lambda term: ShiftedRoots(term.risk, [term.training.radicand]))


def _held(method: Method, m: int) -> int:
    """Return how many samples are held out, or refuse a method for which there is no bound."""
    if not isinstance(method, NoSelection | StandardWrap | OrderedFS):
        repair = "pass fs.OrderedFS(holdout='3/10', ties='first'), or fs.selection_law for any method"
        raise InvalidTypeError(explain("method", "NoSelection, StandardWrap or OrderedFS", method, repair))
    return method.holdout_size(m)


def _between(value: Exact, argument: str) -> Fraction:
    """Return a number strictly between 0 and 1, or refuse it."""
    number = as_fraction(value, argument)
    if not 0 < number < 1:
        raise InvalidValueError(explain(argument, "above 0 and below 1", number, "pass '1/20', say"))
    return number


def _blind(d: JointDistribution) -> Fraction:
    """Return the risk of a class drawn uniformly."""
    return 1 - Fraction(1, len(d.classes))
