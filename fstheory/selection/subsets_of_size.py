"""The k-optimal problem: the subsets of k features with the least Bayes risk, all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from fstheory._display import Shown, few
from fstheory._exact import both
from fstheory.bayes import bayes_risks
from fstheory.distribution import Data, JointDistribution, Sample, require_data, require_few
from fstheory.distribution.weights import Weights
from fstheory.selection.greedy import checked_size
from fstheory.selection.result import class_first, right_weight, without
from fstheory.subsets import format_subset, indices_of, mask_of, names_of

__all__ = ["KOptimal", "k_optimal"]

_SLOWER = 8  # the time of a cell summed out subset by subset, in cells of the sweep
_CALL = 10_000  # the time of a few NumPy calls, in cells of the sweep


@dataclass(frozen=True, repr=False)
class KOptimal(Shown):
    """The solutions of the k-optimal problem.

    Attributes
    ----------
    k : int
    value : Fraction
        The least Bayes risk of a subset of k features.
    subsets : tuple of frozenset of str
        Every subset of k features that has it, lexicographically.
    features : tuple of str
        The features they are chosen from.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(k_optimal(gallery.titanic(), 1))
    Of 1 feature, {sex}: Bayes risk 493/2201 ≈ 0.2240
    """

    k: int
    value: Fraction
    subsets: tuple[frozenset[str], ...]
    features: tuple[str, ...]

    def __str__(self) -> str:
        names = few(lambda subset: format_subset(mask_of(subset, self.features), self.features), self.subsets)
        return f"Of {self.k} feature{'s' * (self.k != 1)}, {names}: Bayes risk {both(self.value)}"


def k_optimal(d: Data, k: int) -> KOptimal:
    """Find every subset of k features with the least Bayes risk, by looking at all of them.

    Parameters
    ----------
    d : JointDistribution or Sample
        Of a sample, the risk is that of the majority tables on the sample itself.
    k : int
        Between 0 and the number of features.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory, if it comes to that; a sample has over 2**18 subsets of k features.

    Notes
    -----
    A search that skips some subset of size k is wrong for some distribution (Theorem 1), so none is skipped.

    Complexity: the sweep over all subsets takes prod(c_i + 1) additions for cardinalities c_i. Where k is far from n/2
    it is cheaper to sum out features one after the other and to branch only towards subsets of size k, with sums over
    common features shared. The cells of both are counted first. Source: Peña and Nilsson (2010), Section 3; Cover and
    Van Campenhout (1977).

    Examples
    --------
    >>> from fstheory import gallery
    >>> best = k_optimal(gallery.copies(3), 2)
    >>> best.value, [sorted(subset) for subset in best.subsets]
    (Fraction(1, 10), [['X1', 'X2'], ['X1', 'X3'], ['X2', 'X3']])
    """
    require_data(d)
    n, size = len(d.features), checked_size(k, len(d.features))
    if isinstance(d, Sample):
        require_few(math.comb(n, size), "k", k, "take select with a greedy method, or s.keep(features)")
        pairs = ((mask, int(cells.max(axis=1).sum())) for mask, cells in d._cells_of_size(size, size))
        return _most_right(pairs, size, d.features, d.m)
    if _branching_cost(d.cardinalities, size) >= math.prod(c + 1 for c in d.cardinalities):
        level = bayes_risks(d).best_of_size(size)
        return KOptimal(size, level.value, level.subsets, d.features)
    return by_branching(d, size)


def by_branching(d: JointDistribution, k: int) -> KOptimal:
    """Find the same by summing out features one after the other, towards subsets of k features only."""
    return _most_right(_right_weights(class_first(d), 0, len(d.features), k, 0), k, d.features, d.total)


def _most_right(pairs: Iterable[tuple[int, int]], k: int, features: tuple[str, ...], total: int) -> KOptimal:
    """Return the masks whose classifiers get the largest weight right."""
    best, masks = -1, list[int]()
    for mask, right in pairs:
        if right > best:
            best, masks = right, []
        if right == best:
            masks.append(mask)
    subsets = tuple(names_of(mask, features) for mask in sorted(masks, key=indices_of))
    return KOptimal(k, 1 - Fraction(best, total), subsets, features)


def _right_weights(table: Weights, first: int, n: int, left: int, mask: int) -> Iterator[tuple[int, int]]:
    """Yield (mask, weight its classifier gets right) of the subsets that keep `left` of the features from `first` on.

    The features before `first` that were kept stand before the others in the table.
    """
    if n - first == left:  # all that are undecided stay
        yield mask | (2**n - 2**first), right_weight(table)
        return
    kept = table.ndim - 1 - (n - first)
    yield from _right_weights(without(table, kept), first + 1, n, left, mask)
    if left:
        yield from _right_weights(table, first + 1, n, left - 1, mask | 1 << first)


def _branching_cost(cardinalities: tuple[int, ...], k: int) -> int:
    """Return what branching costs, in cells of the sweep: every sum over one feature is an addition of its cells."""
    n = len(cardinalities)
    cells, calls = 0, 0
    kept = [1] + [0] * k  # kept[m]: the sum, over choices of m of the features so far, of the cells they make
    paths = [1] + [0] * k
    for i, c in enumerate(cardinalities):
        rest = math.prod(cardinalities[i:])
        opened = range(max(0, k - (n - i) + 1), k + 1)  # where something is left to drop
        cells += rest * sum(kept[m] for m in opened)
        calls += sum(paths[m] for m in opened)
        for m in range(k, 0, -1):
            kept[m] += kept[m - 1] * c
            paths[m] += paths[m - 1]
    return _SLOWER * cells + _CALL * calls
