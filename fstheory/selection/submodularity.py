"""Monotone and submodular set functions, and the share of the best gain that greedy search reaches, all exact.

Here f is the benefit of a subset: the value of a score, or the negated value of a loss. So Bayes risks are monotone,
because their benefit grows with the subset.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from fstheory._support.exact import as_index, to_text
from fstheory._support.result import Check, Result, one_line
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.errors import require
from fstheory.lattice.subsets import Subset, format_subset, indices_of, mask_of, masks_by_size, names_of
from fstheory.numbers.logsum import ExactRatio, quotient
from fstheory.selection.greedy import (
    CriterionLike,
    Selection,
    SelectionMethod,
    SetFunction,
    SetFunctionLike,
    as_set_function,
    select,
    set_function,
)


def is_monotone(f: SetFunctionLike) -> Check:
    """Decide whether no feature ever makes a subset worse.

    The result is a `Check`: true if the function is monotone. If not, its witness has a subset S and a feature i that
    makes S worse. Complexity: n * 2**(n - 1) comparisons.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> print(is_monotone(bayes_risks(gallery.titanic())))
    f(S) <= f(S + i): holds
    """
    function = as_set_function(f)
    statement = "f(S) <= f(S + i)"
    for mask, i in _additions(function):
        before, after = function.benefit(mask), function.benefit(mask | 1 << i)
        if after < before:
            name = function.features[i]
            onto = names_of(mask, function.features)
            gain = to_text(after - before, 0, formula=False)
            failure = f", {name} adds {gain} to {format_subset(mask, function.features)}"
            return Check(statement, False, {"S": onto, "i": name}, before, after, failure=failure)
    return Check(statement, True)


def is_submodular(f: SetFunctionLike) -> Check:
    """Decide whether the gain of a feature never grows when other features are added: diminishing returns.

    The condition is f(S + i) - f(S) >= f(S + i + j) - f(S + j) for all S and all i and j outside S. The result is a
    `Check`. If the condition fails, the witness has S, i and j. If f is monotone and submodular and f({}) = 0, greedy
    forward selection reaches at least the share 1 - 1/e of the best value (Nemhauser, Wolsey and Fisher 1978).
    Complexity: n(n - 1) * 2**(n - 3) comparisons.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> print(is_submodular(bayes_risks(gallery.xor())))
    f(S + i) - f(S) >= f(S + i + j) - f(S + j): fails, X1 adds 0 to {} and 1/2 once X2 is there
    """
    function, statement = as_set_function(f), "f(S + i) - f(S) >= f(S + i + j) - f(S + j)"
    for mask, i in _additions(function):
        for j in (j for j in range(i + 1, len(function.features)) if not mask >> j & 1):
            alone, beside = (function.gain(1 << i, onto=onto) for onto in (mask, mask | 1 << j))
            if alone < beside:
                first, second = function.features[i], function.features[j]
                witness = {"S": names_of(mask, function.features), "i": first, "j": second}
                gain, later = (to_text(value, 0, formula=False) for value in (alone, beside))
                failure = f", {first} adds {gain} to {format_subset(mask, function.features)}"
                failure += f" and {later} once {second} is there"
                return Check(statement, False, witness, alone, beside, failure=failure)
    return Check(statement, True)


def _additions(function: SetFunction) -> Iterator[tuple[int, int]]:
    """Yield each pair of a subset and a feature outside it, by increasing size of the subset."""
    n = len(function.features)
    return ((mask, i) for mask in map(int, masks_by_size(n)) for i in range(n) if not mask >> i & 1)


@dataclass(frozen=True)
class SubmodularityRatio(Result):
    """The submodularity ratio, and two sets that reach it: L of the definition is `onto`, and S is `added`.

    `value` is a Fraction if it is rational.
    """

    value: Fraction | ExactRatio
    onto: frozenset[str]
    added: frozenset[str]


@dataclass(frozen=True)
class Curvature(Result):
    """The total curvature, and the feature that reaches it, or None if no feature adds anything.

    `value` is a Fraction if it is rational.
    """

    value: Fraction | ExactRatio
    feature: str | None


def submodularity_ratio(
    f: SetFunctionLike, *, k: int | None = None, within: Subset | None = None
) -> SubmodularityRatio:
    """Return the submodularity ratio of a monotone set function, exactly.

    It is the minimum, over all L within U and disjoint S of at most k features, of

        sum over x in S of (f(L + x) - f(L))  divided by  f(L + S) - f(L).

    `within` is the set U. By default U has all features, and k is their number. Pairs in which S adds nothing to L are
    left out. If no pair is left, the ratio is 1. The ratio is at most 1. It is 1 for all U and k if and only if f is
    submodular. Let U be the set that greedy forward selection chooses in k steps, and let f({}) = 0. Then greedy
    reaches at least the share 1 - exp(-ratio) of the best value of k features. Complexity: at most 3**n pairs. Source:
    Das and Kempe (2011).

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> ratio = submodularity_ratio(bayes_risks(gallery.xor()))
    >>> ratio.value, sorted(ratio.onto), sorted(ratio.added)
    (Fraction(0, 1), [], ['X1', 'X2'])
    """
    function = _monotone(f)
    n = len(function.features)
    largest = n if k is None else as_index(k, "k", at_least=1)
    universe = 2**n - 1 if within is None else mask_of(within, function.features, "within")
    best: Fraction | ExactRatio = Fraction(1)
    where = (0, 0)
    for onto, added in _pairs(n, universe, largest):
        if (together := function.gain(added, onto=onto)) != 0:
            alone = functools.reduce(operator.add, (function.gain(1 << i, onto=onto) for i in indices_of(added)))
            ratio = quotient(alone, together)
            if ratio < best or where == (0, 0):
                best, where = ratio, (onto, added)
    return SubmodularityRatio(best, *(names_of(mask, function.features) for mask in where))


def curvature(f: SetFunctionLike) -> Curvature:
    """Return the total curvature of a monotone set function, exactly.

    Let V be the set of all features. The curvature c is the maximum, over the features j with f({j}) > f({}), of

        1 - (f(V) - f(V - j)) / (f({j}) - f({})).

    If there is no such feature, it is 0. For a submodular function it lies between 0 (modular) and 1, and greedy
    forward selection reaches at least the share (1 - exp(-c)) / c of the best value. Source: Conforti and Cornuéjols
    (1984).

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> curvature(bayes_risks(gallery.titanic()))
    Curvature(value=Fraction(49, 81), feature='class')
    """
    function = _monotone(f)
    full = 2 ** len(function.features) - 1
    found: list[tuple[Fraction | ExactRatio, str]] = []
    for i, name in enumerate(function.features):
        alone = function.gain(1 << i, onto=0)
        if alone != 0:
            found.append((1 - quotient(function.gain(1 << i, onto=full & ~(1 << i)), alone), name))
    return Curvature(*max(found, key=lambda entry: entry[0])) if found else Curvature(Fraction(0), None)


def _monotone(f: SetFunctionLike) -> SetFunction:
    function = as_set_function(f)
    check = is_monotone(function)
    require(check, "f", "monotone", str(check), "these notions are for monotone functions")
    return function


def _pairs(n: int, universe: int, largest: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of disjoint sets: L within the universe, and a non-empty S of at most `largest` features."""
    ordered = [int(mask) for mask in masks_by_size(n)]
    for onto in (mask for mask in ordered if not mask & ~universe):
        yield from ((onto, added) for added in ordered[1:] if not added & onto and added.bit_count() <= largest)


@dataclass(frozen=True, repr=False)
class GreedyComparison(Result):
    """A greedy choice of k features, the best choice, and the share of the best gain that the greedy choice reaches.

    If the best choice gains nothing, `ratio` is 1.
    """

    greedy: Selection
    best: Selection
    ratio: Fraction | ExactRatio

    @property
    def is_optimal(self) -> bool:
        """Whether the greedy choice is one of the best subsets."""
        return self.greedy.value == self.best.value

    def __str__(self) -> str:
        return f"{self.greedy}\n{self.best}\nshare of the best gain: {one_line(self.ratio)}"


def compare_greedy(
    d: DistributionLike,
    k: int,
    criterion: CriterionLike = "zero_one",
    method: SelectionMethod = "greedy-forward",
    *,
    order: Iterable[str] | None = None,
) -> GreedyComparison:
    """Choose k features by a fast method and exhaustively, and compare the gains.

    The parameters are those of `select`. The method is a greedy one, or 'score'. The result has both selections, and
    the share of the best gain that the fast method reaches. For a monotone criterion, greedy forward selection reaches
    at least the share 1 - exp(-r), where r is the `submodularity_ratio`. Source: Das and Kempe (2011).

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = compare_greedy(gallery.xor(), 1, "logarithmic")
    >>> found.is_optimal, found.ratio
    (True, Fraction(1, 1))
    """
    d = as_distribution(d)
    function = set_function(d, criterion)
    greedy = select(d, k, function, method, order=order)
    best = select(d, k, function, "exhaustive", order=order)
    masks = [mask_of(found.features, d.features) for found in (greedy, best)]
    reached, possible = (function.gain(mask, onto=0) for mask in masks)
    wanted = "no worse for the best k features than for none"
    require(not possible < 0, "criterion", wanted, function.name, "choose another one")
    return GreedyComparison(greedy, best, Fraction(1) if possible == 0 else quotient(reached, possible))
