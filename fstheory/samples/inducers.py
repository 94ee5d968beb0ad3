"""Inducers: what the learner of a method predicts from counts, and on how many samples this is right."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from fstheory.errors import InvalidTypeError, TooLargeError, explain, import_optional, require, require_choice, show
from fstheory.lattice.columns import Integers
from fstheory.samples.tables import marginals, right_by

Inducer: TypeAlias = "str | Callable[[Any], Any] | Any"
"""The name of a built-in inducer, a function of counts, or an estimator of scikit-learn."""

_NAMES = ("majority", "naive-bayes", "linear", "sqrt-nn", "1-nn")
_MOST_STATES = 2**12  # of a subset: all pairs of states have a distance
_MOST_BITS = 4  # with 1,882 linear discriminants; of five bits there are 94,572
_MOST_NEIGHBORS = 2**12  # all ways to draw so many are gone through, for each state: some seconds
_SMALL = 2**31  # factors of products that fit in 64 bits


Learned: TypeAlias = tuple[Integers, int]
"""Classifiers, one for each sample of a batch: shares of shape (batch, states, classes), and an integer.

The shares are the probabilities with which a class is predicted in a state, times the integer. A classifier that draws
nothing has one share of 1 in each state.
"""


def checked(inducer: Inducer) -> str:
    """Return the name of an inducer in results. Raise an error if it is none."""
    if isinstance(inducer, str):
        if not re.fullmatch(r"[1-9]\d*-nn", inducer):
            require_choice(inducer, "inducer", _NAMES)
        return inducer
    repair = "pass '1-nn', a function that takes counts and returns a class for each state, or LogisticRegression()"
    fits = callable(inducer) or hasattr(inducer, "fit")
    require(fits and not isinstance(inducer, type), "inducer", "an inducer", inducer, repair, InvalidTypeError)
    return getattr(inducer, "__name__", type(inducer).__name__)


def require_learnable(inducer: Inducer, shape: Sequence[int]) -> None:
    """Refuse an inducer that does not apply to a table of this shape, which has the classes last."""
    *cardinalities, classes = shape
    if inducer == "majority":
        return
    if inducer == "linear":
        bits = classes == 2 and all(c <= 2 for c in cardinalities)
        require(bits, "inducer", "one for more states or classes than two", "linear", "take 'naive-bayes'")
        few, most, repair = len(cardinalities) <= _MOST_BITS, f"at most {_MOST_BITS} features", "take fewer features"
    else:
        few, most = math.prod(cardinalities) <= _MOST_STATES, f"at most {_MOST_STATES:,} joint states of the features"
        repair = "take fewer features, or inducer='majority'"
    require(few, "inducer", f"'majority', or data with {most}", show(inducer), repair, TooLargeError)


def learn(inducer: Inducer, counts: Integers) -> Learned:
    """Return what an inducer learns from counts of shape (batch, *cardinalities, classes)."""
    if isinstance(inducer, str) and inducer.endswith("-nn"):
        return _nearest(counts, inducer.removesuffix("-nn"))
    built_in: dict[Any, Callable[[Integers], Integers]] = {
        "majority": lambda counts: counts.argmax(axis=-1),  # of several classes, the first
        "naive-bayes": _naive_bayes,
        "linear": _linear,
    }
    labels = built_in[inducer](counts) if isinstance(inducer, str) else _by_caller(inducer, counts)
    classes = counts.shape[-1]
    return np.eye(classes, dtype=np.int64)[labels.reshape(len(counts), -1)], 1


def right_on(cells: Integers, shares: Integers) -> Integers:
    """Return the number of samples on which each classifier is right, times the integer of `Learned`.

    If a classifier draws, this is the mean over its draws.
    """
    found: Integers = (cells.reshape(shares.shape) * shares).sum(axis=(1, 2))
    return found


def _naive_bayes(counts: Integers) -> Integers:
    """Return the first class of largest n(y) prod_i (n(x_i, y) + 1) / (n(y) + c_i)."""
    *cardinalities, classes = counts.shape[1:]
    features = tuple(range(1, counts.ndim - 1))
    size = int(counts.sum(axis=(*features, -1)).max(initial=0)) + max(cardinalities, default=1)
    exact = counts.astype(np.int64 if size ** (1 + len(features) * (classes + 1)) < 2**62 else object)
    of_class = exact.sum(axis=features, keepdims=True)
    over, under = of_class, np.ones_like(of_class)
    for axis in features:
        over = over * (exact.sum(axis=tuple(a for a in features if a != axis), keepdims=True) + 1)
        under = under * (of_class + counts.shape[axis])
    labels: Integers = (over * (under.prod(axis=-1, keepdims=True) // under)).argmax(axis=-1)
    return labels


def _linear(counts: Integers) -> Integers:
    """Return the linear discriminant with the fewest errors: of several, the first by its predictions."""
    rows = _discriminants(counts.shape[1:-1])
    contrasts = (counts[..., 1] - counts[..., 0]).reshape(len(counts), -1).astype(np.int64)
    labels: Integers = rows[(contrasts @ rows.T).argmax(axis=1)]
    return labels


@functools.cache
def _discriminants(cardinalities: tuple[int, ...]) -> Integers:
    """Return what each linear discriminant over at most four bits predicts, a row for each, in lexicographic order.

    Integer weights up to n - 1 give all of them: 2, 4, 14, 104 and 1,882 for n = 0 to 4 (Muroga 1971).
    """
    n = len(cardinalities)
    most = max(1, n - 1)
    points = np.indices(cardinalities).reshape(n, math.prod(cardinalities))
    values = np.array(list(itertools.product(range(-most, most + 1), repeat=n)), dtype=np.int64) @ points
    places = np.arange(values.shape[1])[::-1]
    codes = np.concatenate([(values > limit) @ 2**places for limit in range(-n * most - 1, n * most + 1)])
    return np.unique(codes)[:, None] >> places & 1


def _nearest(counts: Integers, k: str) -> Learned:
    """Return what k nearest neighbors learn. Samples that are equally near, and classes with equal votes, are drawn."""
    *cardinalities, classes = counts.shape[1:]
    flat = counts.reshape(len(counts), -1, classes).astype(np.int64)
    number = int(flat.sum(axis=(1, 2)).min(initial=2**62))
    wanted = min(number, max(1, math.isqrt(number)) if k == "sqrt" else int(k))
    few, repair = wanted <= _MOST_NEIGHBORS, "name a smaller number of neighbors"
    require(few, "inducer", f"one of at most {_MOST_NEIGHBORS:,} neighbors", f"{k}-nn", repair, TooLargeError)
    points = np.indices(cardinalities).reshape(len(cardinalities), math.prod(cardinalities))
    far = (points[:, :, None] != points[:, None]).sum(axis=0)
    voters, tied = np.zeros_like(flat), np.zeros_like(flat)
    for distance in range(len(cardinalities) + 1):
        here = (voters + tied).sum(axis=-1, keepdims=True) < wanted  # states whose neighbors so far are too few
        voters += np.where(here, tied, 0)
        tied = np.where(here, (far == distance).astype(np.int64) @ flat, tied)
    rows, places = np.unique(
        np.concatenate([voters, tied], axis=-1).reshape(-1, 2 * classes), axis=0, return_inverse=True
    )
    found = [_votes(tuple(row[:classes]), tuple(row[classes:]), wanted) for row in rows.tolist()]
    whole = math.lcm(*(share.denominator for row in found for share in row))
    shares: Integers = np.array([[int(share * whole) for share in row] for row in found], dtype=_kind(whole, number))
    return shares.reshape(-1, classes)[places.ravel()].reshape(flat.shape), whole


@functools.lru_cache(2**16)
def _votes(voters: tuple[int, ...], tied: tuple[int, ...], k: int) -> list[Fraction]:
    """Return the probability that each class wins, if all voters vote and those who tie fill the k places by lot."""
    drawn, *shares = k - sum(voters), *(0 for _ in voters)
    common = math.lcm(*range(1, len(voters) + 1))
    binomials = [_binomials(number, drawn) for number in tied]
    for rest in itertools.product(*map(range, map(len, binomials[1:]))):
        ways = drawn - sum(rest), *rest
        if 0 <= ways[0] <= tied[0]:
            votes = [a + b for a, b in zip(voters, ways, strict=True)]
            winners = [y for y, number in enumerate(votes) if number == max(votes)]
            times = math.prod(row[i] for row, i in zip(binomials, ways, strict=True))
            for y in winners:
                shares[y] += common // len(winners) * times
    return [Fraction(share, common * math.comb(sum(tied), drawn)) for share in shares]


def _binomials(n: int, most: int) -> list[int]:
    """Return n over 0, n over 1, ..., up to `most`, each from the one before it."""
    return list(itertools.accumulate(range(min(n, most)), lambda found, i: found * (n - i) // (i + 1), initial=1))


def _by_caller(inducer: Any, counts: Integers) -> Integers:
    """Return what a function or an estimator of the caller predicts, asked once for each table."""
    tables, places = np.unique(counts.reshape(len(counts), -1), axis=0, return_inverse=True)
    shape, ask = counts.shape[1:], _fitted if hasattr(inducer, "fit") else _answer
    found = np.array([ask(inducer, table.reshape(shape)) for table in tables], dtype=np.int64)
    return found.reshape(-1, *shape[:-1])[places.ravel()]


def _answer(inducer: Callable[[Integers], Any], table: Integers) -> Integers:
    labels = np.asarray(inducer(table.astype(np.int64)))  # a copy, in which no arithmetic of the caller overflows
    fits = labels.shape == table.shape[:-1] and labels.dtype.kind in "iub"
    if not (fits and ((labels >= 0) & (labels < table.shape[-1])).all()):
        needed = (
            f"the position of a class, below {table.shape[-1]}, for each state, in an array of shape {table.shape[:-1]}"
        )
        raise InvalidTypeError(explain("what inducer returns", needed, labels.tolist(), "return such an array"))
    return labels


def _fitted(estimator: Any, table: Integers) -> Integers:
    """Return what an estimator of scikit-learn predicts, fitted to the positions of the states."""
    clone = import_optional("sklearn.base", "sklearn", "an inducer of scikit-learn").clone
    *_, classes = cells = np.nonzero(table)
    if len(cells) == 1 or len(np.unique(classes)) < 2:  # nothing to fit
        return np.full(table.shape[:-1], table.sum(axis=tuple(range(table.ndim - 1))).argmax())
    rows = np.repeat(np.column_stack(cells), table[cells], axis=0)
    states = np.indices(table.shape[:-1]).reshape(table.ndim - 1, -1).T
    predicted: Integers = clone(estimator).fit(rows[:, :-1], rows[:, -1]).predict(states)
    return predicted.reshape(table.shape[:-1])


def _kind(whole: int, m: int) -> type:
    """Return the type of numbers of samples, out of m, times an integer."""
    return np.int64 if max(whole, m) < _SMALL else object


# -- Estimates of the risk. Samples come in parts, of shape (batch, parts, *cardinalities, classes).


def over_subsets(parts: Integers, masks: Iterable[int]) -> Iterator[tuple[int, Integers]]:
    """Yield each mask with the counts over its features, of shape (batch, parts, *cardinalities, classes)."""
    batch, number, *cardinalities, classes = parts.shape
    for mask, marginal in marginals(parts.reshape(-1, *cardinalities, classes), masks):
        kept = [c for i, c in enumerate(cardinalities) if mask >> i & 1]
        yield mask, marginal.reshape(batch, number, *kept, classes)


def right_of(inducer: Inducer, estimate: str, parts: Integers) -> tuple[Integers, int]:
    """Return on how many samples an estimate finds an inducer right, times an integer, and the integer.

    If samples are held out, the first part trains, and the second is counted.
    """
    if inducer == "majority" and parts.shape[1] == 1:
        return right_by(estimate, parts.reshape(len(parts), -1, parts.shape[-1]))
    found, common, m = np.zeros(len(parts), dtype=np.int64), 1, int(parts[0].sum())
    for train, tested in _pairs(estimate, parts):
        shares, whole = learn(inducer, train)
        both = math.lcm(common, whole)
        found = found.astype(_kind(both, m)) * (both // common)
        found += right_on(tested, shares).astype(_kind(both, m)) * (both // whole)
        common = both
    return found, common


def _pairs(estimate: str, parts: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield the counts that train, and those that are predicted then."""
    counts = parts.sum(axis=1)
    if estimate.startswith("held-out"):
        yield parts[:, 0], parts[:, 1]
    elif estimate == "resubstitution":
        yield counts, counts
    elif estimate.endswith("-fold"):
        yield from ((counts - parts[:, i], parts[:, i]) for i in range(parts.shape[1]))
    else:
        for cell in np.argwhere(counts.any(axis=0)).tolist():
            tested, at = np.zeros_like(counts), (slice(None), *cell)
            tested[at] = counts[at]
            yield counts - (tested > 0), tested


def gains_over(inducer: Inducer, estimate: str, parts: Integers, masks: Iterable[int]) -> tuple[Integers, int]:
    """Return on how many samples an inducer is right over each mask, times an integer, and the integer.

    The shape is (batch, 2**n). Columns of other subsets are 0. These numbers replace the gains of
    `Method.decide`: in each row, they differ from the gains, times the integer, by a constant.
    """
    found = {mask: right_of(inducer, estimate, cells) for mask, cells in over_subsets(parts, masks)}
    common = math.lcm(*(whole for _, whole in found.values()))
    gains = np.zeros((len(parts), 2 ** (parts.ndim - 3)), dtype=_kind(common, int(parts[0].sum())))
    for mask, (right, whole) in found.items():
        gains[:, mask] = right.astype(gains.dtype) * (common // whole)
    return gains, common
