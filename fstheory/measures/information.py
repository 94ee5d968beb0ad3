"""Entropy and mutual information, exact: of any sets of variables, of every subset in one pass, in usual notation."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_index, integers_over, parse_fraction
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.distributions.rows import Data, Sample, require_data
from fstheory.errors import InvalidFormatError, explain, require_type
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.subsets import Masks, Subset, mask_of
from fstheory.lattice.sweep import Layout, subset_sums
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criterion import table_of_all
from fstheory.numbers.logsum import LogSum, log

Floats: TypeAlias = "npt.NDArray[np.float64]"

_UNIT = 2.0**-53
_LEAST = 2.0**-80  # a mass: below any of a total that a float holds exactly, and far from underflow
_SLACK = 1.01
_CHUNK = 1 << 14  # cells that are looked at together, so that what is computed of them stays near a core


def class_entropies(weights: npt.NDArray[Any], total: int, *, threads: int = 1) -> tuple[Floats, float]:
    """Return H(Y | X_S) in nats for every mask S, and a radius that none of them errs by more than."""
    cardinalities, classes = weights.shape[:-1], weights.shape[-1]
    if classes == 1:
        return np.zeros(2 ** len(cardinalities)), 0.0
    planes, mass = _masses(np.moveaxis(weights, -1, 0), total)
    sums = subset_sums(planes, _class_logarithms, threads=threads)[0]
    full = math.log(classes)
    steps = (classes + 8) * full + classes
    depth = additions(cardinalities, classes)
    masses = sum(c - 1 for c in cardinalities) + 1
    added = weights.size * _LEAST
    radius = _UNIT * (steps + (depth + masses + 2) * full) + added * (full + 1 - math.log(added))
    return sums / mass, radius * _SLACK


def class_informations(weights: npt.NDArray[Any], total: int, *, threads: int = 1) -> tuple[Floats, float]:
    """Return I(Y; X_S) in nats for every mask S, and a radius that none of them errs by more than."""
    centers, radius = class_entropies(weights, total, threads=threads)
    np.subtract(centers[0], centers, out=centers)
    return centers, 2 * radius + 2 * _UNIT * math.log(weights.shape[-1])


def feature_entropies(weights: npt.NDArray[Any], total: int, *, threads: int = 1) -> tuple[Floats, float]:
    """Return H(X_S) in nats for every mask S, and a radius that none of them errs by more than."""
    # A mass p errs by (E + 1) u; -p log p has the gradient -(1 + log p), the logarithm and the product err by 9 u
    # relatively, and the sum of p |log p| over the states is at most P (log m + log 2) for m states in all. The sum is
    # then divided by P, and log P, which errs by 8 u log 2 and the rounding of P, added. Raising a mass p <= 2 by e
    # changes -p log p by at most -e log e + 2 e.
    cardinalities = weights.shape[:-1]
    states = math.prod(cardinalities)
    states_only = np.asarray(weights.sum(axis=-1), dtype=weights.dtype)  # without features, a sum of objects is none
    planes, mass = _masses(states_only[None], total)
    sums = subset_sums(planes, _log_sum, threads=threads)[0]
    magnitude = math.log(states) + math.log(2)
    masses = sum(c - 1 for c in cardinalities) + 1
    depth = additions(cardinalities, 1)
    radius = _UNIT * ((9 + depth + masses + 3) * magnitude + masses + 8) + states * _LEAST * (2 - math.log(_LEAST))
    values = math.log(mass) - sums / mass
    values[0] = 0
    return values, radius * _SLACK


def additions(cardinalities: tuple[int, ...], planes: int) -> int:
    """Return a number of additions that no term of a sweep of float64 planes goes through more than."""
    shape = Layout.of(cardinalities, planes * np.dtype(np.float64).itemsize)
    return sum(c - 1 for c in cardinalities) + math.prod(shape.cards[: shape.stages[-1].lead]) + 1


def _masses(planes: npt.NDArray[Any], total: int) -> tuple[Floats, float]:
    """Return weights over a power of two, correctly rounded and none below the least, and the total likewise."""
    shift = total.bit_length() - 1
    if planes.dtype == object:
        scale = 1 << shift
        flat = np.array([weight / scale for weight in planes.ravel().tolist()], dtype=np.float64)
        scaled = flat.reshape(planes.shape)
    else:
        scaled = np.ldexp(planes.astype(np.float64), -shift)
    return np.maximum(scaled, _LEAST), total / (1 << shift)


def _pieces(cells: Floats, out: Floats) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
    """Yield some cells at a time, where their value is written, and memory for two numbers a cell."""
    size = min(_CHUNK, cells.shape[1])
    first, second = np.empty(size), np.empty(size)
    for start in range(0, cells.shape[1], size):
        total = out[0, start : start + size]
        yield cells[:, start : start + size], total, first[: len(total)], second[: len(total)]


def _class_logarithms(cells: Floats, out: Floats) -> None:
    """Write the sum of a log(n / a) over the classes."""
    for parts, total, n, r in _pieces(cells, out):
        np.sum(parts, axis=0, out=n)
        for part in parts:
            np.divide(n, part, out=r)
            np.log(r, out=r)
            np.multiply(part, r, out=part)
        np.sum(parts, axis=0, out=total)


def _log_sum(cells: Floats, out: Floats) -> None:
    for (p,), total, logarithms, _ in _pieces(cells, out):
        np.log(p, out=logarithms)
        np.multiply(p, logarithms, out=total)


# -- Exact information of feature subsets by mask, and certificates that prove ties without logarithms.


def class_entropy(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return H(Y | X_S) = H(Y, X_S) - H(X_S)."""
    return entropy_sum(d, [(1, mask | 1 << len(d.features)), (-1, mask)], base)


def class_information(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return I(Y; X_S) = H(Y) + H(X_S) - H(Y, X_S)."""
    target = 1 << len(d.features)
    return entropy_sum(d, [(1, target), (1, mask), (-1, mask | target)], base)


def feature_entropy(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return H(X_S)."""
    return entropy_sum(d, [(1, mask)], base)


def posteriors(d: JointDistribution, masks: Masks) -> Iterator[Hashable]:
    """Yield what decides H(Y | X_S) and I(Y; X_S): how much mass has which posterior, whichever class is which."""
    # for each row of class weights, divided by their common divisor and sorted, the sum of the divisors; rows with a
    # single class add no entropy and are left out
    summary = _of_any if d.weights.dtype == object else _of_words
    for cells in _marginals(d.weights, masks, 1):
        yield summary(cells.reshape(-1, cells.shape[-1]))


def state_weights(d: JointDistribution, masks: Masks) -> Iterator[Hashable]:
    """Yield what decides H(X_S): the positive weights of the states, sorted."""
    weights = np.asarray(d.weights.sum(axis=-1), dtype=d.weights.dtype)
    for cells in _marginals(weights, masks, 0):
        if cells.dtype == object:
            yield frozenset(Counter(cell for cell in cells.ravel().tolist() if cell).items())
        else:
            yield np.sort(cells[cells > 0], axis=None).tobytes()


def _marginals(cells: Cells, masks: Masks, kept: int) -> Iterator[Cells]:
    """Yield the marginal of each mask, the last `kept` axes always kept; masks that descend share what they can."""
    n = cells.ndim - kept
    union = int(np.bitwise_or.reduce(masks))
    never = tuple(i for i in range(n) if not union >> i & 1)
    # axes are kept with length 1, so that they keep their numbers
    chain = [(union, np.asarray(cells.sum(axis=never, keepdims=True), dtype=cells.dtype))]
    for mask in masks.tolist():
        missing = [i for i in reversed(range(n)) if union & ~mask & 1 << i]  # summed out from the highest on
        wanted = list(itertools.accumulate(missing, lambda held, i: held & ~(1 << i), initial=union))
        pairs = zip(wanted, chain, strict=False)
        shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1][0], pairs))
        del chain[shared:]
        for held, axis in zip(wanted[shared:], missing[shared - 1 :], strict=True):
            chain.append((held, np.asarray(chain[-1][1].sum(axis=axis, keepdims=True), dtype=cells.dtype)))
        yield chain[-1][1]


def _of_words(rows: npt.NDArray[Any]) -> Hashable:
    """Return the masses of the primitive rows, for machine integers."""
    rows = rows[np.count_nonzero(rows, axis=1) > 1]
    if not len(rows):
        return b""
    masses = np.gcd.reduce(rows, axis=1)
    for column in rows.T:  # a division that broadcasts takes buffers; where none is left, NumPy crashes
        column //= masses
    primitive = np.sort(rows, axis=1)
    order = np.lexsort(primitive.T)
    ordered = primitive[order]
    first = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    starts = np.flatnonzero(first)
    return ordered[starts].tobytes(), np.add.reduceat(masses[order], starts).tobytes()


def _of_any(rows: npt.NDArray[Any]) -> Hashable:
    """Return the masses of the primitive rows, for integers of any size."""
    masses: Counter[tuple[int, ...]] = Counter()
    for row in rows.tolist():
        positive = sorted(weight for weight in row if weight)
        if len(positive) > 1:
            common = math.gcd(*positive)
            masses[tuple(weight // common for weight in positive)] += common
    return frozenset(masses.items())


# -- Entropy and mutual information of every feature subset, in one pass and decided exactly.


# Peaks by tracemalloc: 51 bytes a subset of binary features for `entropy_table`, 73 for the others with 2 classes,
# 134 with 4; where subsets are few, 24 a weight, or 46 of a weight that is an object.
_BYTES, _BYTES_A_WEIGHT, _BYTES_AN_OBJECT = 32, 26, 48


def conditional_entropy_table(
    d: JointDistribution, *, threads: int = 1, base: Exact | None = None
) -> SubsetTable[LogSum]:
    """Return H(Y | X_S), the entropy of the class that is left, for all 2**n feature subsets S: the less, the better.

    It is in nats, or to a `base`. Each value is exact when it is asked for; orderings and ties are decided exactly, by
    floats with a proven error where they suffice: less than 1e-12 nats for 16 binary features, for totals of any size.
    Complexity: prod(c_i + 1) logarithms for each class. Source: Cover and Thomas (2006), Section 2.2.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(conditional_entropy_table(gallery.xor(), base=2).ordering())
    X1X2 < {} = X1 = X2
    """
    return _table(d, threads, base, class_entropies, class_entropy, posteriors, "conditional entropy", "H", False)


def mutual_information_table(
    d: JointDistribution, *, threads: int = 1, base: Exact | None = None
) -> SubsetTable[LogSum]:
    """Return I(Y; X_S), what a feature subset S tells about the class, for all 2**n of them: the more, the better.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(mutual_information_table(gallery.xor()).ordering())
    {} = X1 = X2 < X1X2
    """
    return _table(d, threads, base, class_informations, class_information, posteriors, "mutual information", "I", True)


def entropy_table(d: JointDistribution, *, threads: int = 1, base: Exact | None = None) -> SubsetTable[LogSum]:
    """Return H(X_S), the joint entropy of the features, for all 2**n feature subsets S.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(entropy_table(gallery.xor()).ordering())
    {} < X1 = X2 < X1X2
    """
    return _table(d, threads, base, feature_entropies, feature_entropy, state_weights, "entropy", "H", False)


def _table(
    d: JointDistribution,
    threads: int,
    base: Exact | None,
    enclosures: Callable[..., tuple[Floats, float]],
    exact: Callable[[JointDistribution, Exact | None, int], LogSum],
    certificates: Callable[[JointDistribution, Masks], Iterator[Hashable]],
    *told: Any,  # name, symbol, and whether larger is better
) -> SubsetTable[LogSum]:
    """Enclose all values, and change them from nats to the unit of the base."""
    require_distribution(d)
    threads = as_index(threads, "threads", at_least=1)
    LogSum(base=base)  # refuses what is no base

    def column() -> EnclosedColumn[LogSum]:
        centers, radius = enclosures(d.weights, d.total, threads=threads)
        if base is not None:
            unit = float(log(base))
            centers /= unit
            radius = 1.01 * radius / unit + 3 * _UNIT * float(np.abs(centers).max())  # unit and quotient are rounded
        radii, keys = np.full(len(centers), radius), np.arange(len(centers), dtype=np.int64)
        return EnclosedColumn(centers, radii, partial(exact, d, base), keys, certificates=partial(certificates, d))

    per_weight = _BYTES_A_WEIGHT if d.weights.dtype != object else _BYTES_AN_OBJECT
    return table_of_all(d, (_BYTES, per_weight), column, *told)


# -- Entropy and mutual information of any sets of variables, exact.


Cells: TypeAlias = "npt.NDArray[Any]"


def _mask(d: Data, names: Iterable[str], argument: str) -> int:
    """Return the bitmask of some variables: bit i for feature i, the bit after the features' for the target."""
    return mask_of(names, (*d.features, d.target), argument)


def entropy_sum(d: Data, masks: Iterable[tuple[int, int]], base: Exact | None) -> LogSum:
    """Return ``sum(c H(M))`` over pairs (coefficient c, mask M of variables)."""
    return _sum_of(d.m if isinstance(d, Sample) else d.total, ((c, _cells(d, mask)) for c, mask in masks), base)


def _sum_of(total: int, parts: Iterable[tuple[int, Cells]], base: Exact | None) -> LogSum:
    """Return ``sum(c H)`` over pairs (coefficient c, cells of the marginal that H is of)."""
    terms: Counter[int] = Counter()  # with the total T and the cells n of the marginal, T H(M) = T log T - sum n log n
    for coefficient, cells in parts:
        terms[total] += coefficient * total
        for cell, times in histogram(cells):
            terms[cell] -= coefficient * cell * times
    return LogSum.from_integer_terms(terms, denominator=total, base=base)


def _cells(d: Data, mask: int) -> Cells:
    """Return the weights of the marginal of some variables, in one row; of a sample the counts of what occurs."""
    if isinstance(d, Sample):
        target = len(d.features)
        counts = d._cells_at(mask & ~(1 << target))
        return counts.ravel() if mask >> target & 1 else counts.sum(axis=1)
    gone = tuple(axis for axis in range(d.weights.ndim) if not mask >> axis & 1)
    return np.asarray(d.weights.sum(axis=gone), dtype=d.weights.dtype).reshape(-1)


def pair_informations(d: Data, names: Sequence[str], other: str) -> dict[str, LogSum]:
    """Return the mutual information of each of some features and one variable, in nats; a sample is counted at once."""
    if not isinstance(d, Sample):
        return {name: mutual_information(d, {name}, {other}) for name in names}
    tables = d.pair_counts(names, other)
    marginals = {name: ((1, t.sum(axis=0)), (1, t.sum(axis=1)), (-1, t.ravel())) for name, t in tables.items()}
    return {name: _sum_of(d.m, marginals[name], None) for name in names}


def histogram(cells: Cells) -> Iterable[tuple[int, int]]:
    """Return the distinct positive cells, each with the number of times it occurs."""
    if cells.dtype == object or cells.size < 64:  # of few, faster; sorted, so that a sum of them is enclosed alike
        return sorted(Counter(cell for cell in cells.tolist() if cell).items())
    values, times = np.unique(cells[cells > 0], return_counts=True)
    return zip(values.tolist(), times.tolist(), strict=True)


def entropy(d: Data, variables: Iterable[str], *, base: Exact | None = None) -> LogSum:
    """Return the joint entropy H(A) = -sum p(a) log p(a) of some variables, features or the target.

    It is in nats, or to a `base`: 2 for bits. It takes one pass over the cells, or the distinct rows of a sample.
    Source: Cover and Thomas, Elements of Information Theory (2006), Section 2.1.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(entropy(JointDistribution([[1, 1], [2, 0]]), {"Y"}))
    2*log(2) - 3/4*log(3) ≈ 0.562335
    """
    require_data(d)
    return entropy_sum(d, [(1, _mask(d, variables, "variables"))], base)


def conditional_entropy(
    d: Data, variables: Iterable[str], given: Iterable[str], *, base: Exact | None = None
) -> LogSum:
    """Return the conditional entropy H(A | C) of some variables given others, in the unit of `entropy`.

    H(A | C) = H(A, C) - H(C). The sets may share variables. Source: Cover and Thomas (2006), Section 2.2.

    Examples
    --------
    >>> from fstheory import gallery
    >>> conditional_entropy(gallery.xor(), {"Y"}, {"X1"}, base=2) == 1
    True
    """
    require_data(d)
    a, c = _mask(d, variables, "variables"), _mask(d, given, "given")
    return entropy_sum(d, [(1, a | c), (-1, c)], base)


def mutual_information(
    d: Data, a: Iterable[str], b: Iterable[str] | None = None, *, base: Exact | None = None
) -> LogSum:
    """Return the mutual information I(A; B) of two sets of variables: I(A; Y), about the class, if B is not given.

    I(A; B) = H(A) + H(B) - H(A, B), in the unit of `entropy`. Source: Cover and Thomas (2006), Section 2.3.

    Examples
    --------
    >>> from fstheory import gallery
    >>> mutual_information(gallery.xor(), {"X1", "X2"}, base=2) == 1
    True
    """
    return conditional_mutual_information(d, a, b, base=base)


def conditional_mutual_information(
    d: Data, a: Iterable[str], b: Iterable[str] | None = None, given: Iterable[str] = (), *, base: Exact | None = None
) -> LogSum:
    """Return the conditional mutual information I(A; B | C): I(A; Y | C), about the class, if B is not given.

    I(A; B | C) = H(A, C) + H(B, C) - H(A, B, C) - H(C), in the unit of `entropy`. Any may be empty, and they may
    share variables: I(A; A | C) = H(A | C). Source: Cover and Thomas (2006), Section 2.5.

    Examples
    --------
    >>> from fstheory import gallery
    >>> conditional_mutual_information(gallery.xor(), {"X1"}, given={"X2"}, base=2) == 1
    True
    """
    require_data(d)
    pairs = ((a, "a"), ((d.target,) if b is None else b, "b"), (given, "given"))
    first, second, c = (_mask(d, names, argument) for names, argument in pairs)
    return entropy_sum(d, [(1, first | c), (1, second | c), (-1, first | second | c), (-1, c)], base)


def information_lost(d: Data, removed: Subset, *, base: Exact | None = None) -> LogSum:
    """Return what is lost about the class when some features are removed: nu(A) = I(Y; X_A | the other features).

    It is H(Y | all others) - H(Y | all), in the unit of `entropy`. Source: Beraha et al. (2019), Section III.

    Examples
    --------
    >>> from fstheory import gallery
    >>> information_lost(gallery.xor(), {"X1"}, base=2) == 1
    True
    """
    require_data(d)
    target = 1 << len(d.features)
    every = target - 1
    kept = every & ~mask_of(removed, d.features, "removed")
    return entropy_sum(d, [(1, kept | target), (-1, kept), (-1, every | target), (1, every)], base)


_TOKEN = re.compile(
    r"""\s*(?:(?P<name>[^\W\d]\w*)|(?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<number>\d+(?:\.\d+|\s*/\s*\d+)?)"""
    r"""|(?P<mark>[(),;|*+\u2212-])|\Z)"""
)
_SIGNS = "+-\N{MINUS SIGN}"
Names = TypeVar("Names", int, frozenset[str])


def info(d: Data, quantity: str, *, base: Exact | None = None) -> LogSum:
    """Return a quantity that is written in the usual notation, in nats or to a `base`.

    It is ``"H(A)"``, ``"H(A | C)"``, ``"I(A; B)"`` or ``"I(A; B | C)"``, where A, B and C are names of variables
    separated by commas, or a sum of such with rational coefficients: ``"I(Y; X1) - 1/2 I(Y; X2)"``. A name that is no
    identifier is written in quotes: ``'H("height, cm")'``.

    ``I(A; B; C) = I(A; B) - I(A; B | C)`` is the interaction information, positive where the variables repeat each
    other and negative where they tell something only together, and so on with more semicolons. This is the sign of
    Cover and Thomas (2006, Problem 2.25) and of Yeung (1991); McGill (1954) gives three variables the opposite one.

    Examples
    --------
    >>> from fstheory import gallery
    >>> info(gallery.xor(), "I(Y; X1 | X2)", base=2) == 1, info(gallery.xor(), "I(Y; X1; X2)", base=2) == -1
    (True, True)
    """
    require_data(d)
    found = entropies_in(quantity, lambda names: _mask(d, names, "quantity"))
    coefficients, scale = integers_over(found.values())
    return entropy_sum(d, zip(coefficients, found, strict=True), base) / scale


def entropies_in(quantity: str, of: Callable[[list[str]], Names]) -> dict[Names, Fraction]:
    """Return the joint entropies that a quantity is a sum of, each with its coefficient, as `of` calls its names."""
    require_type(quantity, str, "quantity", "a text", "write 'I(Y; X1 | X2)'")
    found: dict[Names, Fraction] = {}
    for coefficient, groups, given in _terms(quantity):
        known = of(given)
        parts = {known: -coefficient}
        for group in map(of, groups):  # inclusion and exclusion: H(A | C) has one group, I(A; B | C) has two
            for names, times in list(parts.items()):
                parts[names | group] = parts.get(names | group, 0) - times
        parts[known] = parts.pop(known)
        for names, times in parts.items():
            found[names] = found.get(names, 0) + times
    return found


def _terms(text: str) -> Iterator[tuple[Fraction, list[list[str]], list[str]]]:
    """Yield the coefficient of each term, its groups of names between semicolons, and the names after the bar."""
    sign, at = _mark(text, 0, _SIGNS, optional=True)
    while True:
        factor = Fraction(1)
        if (match := _TOKEN.match(text, at)) and match["number"]:
            factor = parse_fraction(match["number"], "a coefficient in quantity")
            _, at = _mark(text, match.end(), "*", optional=True)
        kind, end = _name(text, at, "H or I")
        if kind not in {"H", "I"}:
            raise _misread(text, at, "H or I")
        mark, at = _mark(text, end, "(")
        groups: list[list[str]] = [[]]
        given: list[str] = []
        while mark != ")":
            group = given if mark == "|" or given else groups[-1]
            name, at = _name(text, at, "a name")
            group.append(name)
            follow = ")," if group is given else ")|," if kind == "H" else ";," if len(groups) == 1 else ";)|,"
            mark, at = _mark(text, at, follow)
            if mark == ";":
                groups.append([])
        yield factor * (1 if sign in {"", "+"} else -1), groups, given
        if not text[at:].strip():
            return
        sign, at = _mark(text, at, _SIGNS)


def _name(text: str, at: int, wanted: str) -> tuple[str, int]:
    """Return the name that comes next, quoted or not, and where it ends."""
    match = _TOKEN.match(text, at)
    name = match and (match["name"] or match["quoted"])
    if match is None or not name:
        raise _misread(text, at, wanted)
    if name[0] != '"':
        return name.strip("'"), match.end()
    try:  # in double quotes what JSON escapes may be escaped
        return str(json.loads(name, strict=False)), match.end()
    except ValueError:
        raise _misread(text, at, f"{wanted} without unknown escapes") from None


def _mark(text: str, at: int, wanted: str, *, optional: bool = False) -> tuple[str, int]:
    """Return which of some marks comes next, and where it ends; if none comes and none must, nothing."""
    match = _TOKEN.match(text, at)
    if match is None or not match["mark"] or match["mark"] not in wanted:
        if optional:
            return "", at
        raise _misread(text, at, "'+', '-' or the end" if wanted == _SIGNS else " or ".join(map(repr, wanted)))
    return match["mark"], match.end()


def _misread(text: str, at: int, wanted: str) -> InvalidFormatError:
    """Return the error that points at the place where something else was wanted."""
    rest = text[at:].lstrip()
    place = len(text) - len(rest)
    found = f"{rest[0]!r} stands" if rest else "the text ends"
    repair = f"at position {place}, where {found}, write {wanted} (names that are not identifiers go in quotes)"
    return InvalidFormatError(explain("quantity", "like 'H(Y | X1)' or 'I(Y; X1, X2 | X3)'", text, repair))
