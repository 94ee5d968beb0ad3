"""Exact entropies and mutual informations.

`entropy`, `mutual_information` and their conditional forms take any sets of variables. `info` reads a quantity in the
usual notation. `conditional_entropy_table` computes the values of all feature subsets in one pass.
`estimated_information` is not exact: it estimates from points with numbers, in floats.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_index, integers_over, parse_fraction
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, DataLike, Sample, as_data, cells_at
from fstheory.errors import InvalidFormatError, InvalidTypeError, explain, import_optional, require, require_type
from fstheory.lattice.columns import EnclosedColumn, Floats, Integers
from fstheory.lattice.subsets import Masks, Subset, mask_of
from fstheory.lattice.sweep import Layout, subset_sums
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criterion import table_of_all
from fstheory.numbers.logsum import LogSum, log

_UNIT = 2.0**-53
# Every mass is raised to at least this one, so that its logarithm exists. It is smaller than every positive mass of a
# total that a float holds exactly, and far from underflow.
_LEAST = 2.0**-80
_SLACK = 1.01
_CHUNK = 1 << 14  # cells that are handled together: few enough that intermediate results stay in a core's cache


def class_entropies(weights: npt.NDArray[Any], total: int, *, threads: int = 1) -> tuple[Floats, float]:
    """Return H(Y | X_S) in nats for every mask S, and an upper bound on the error of these floats."""
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


def additions(cardinalities: tuple[int, ...], planes: int) -> int:
    """Return an upper bound on the number of additions that any term of a sweep of float64 planes goes through."""
    shape = Layout.of(cardinalities, planes * np.dtype(np.float64).itemsize)
    return sum(c - 1 for c in cardinalities) + math.prod(shape.cards[: shape.stages[-1].lead]) + 1


def _masses(planes: npt.NDArray[Any], total: int) -> tuple[Floats, float]:
    """Return the weights divided by a power of two, and the total divided by the same power.

    The masses are correctly rounded, and then raised to at least `_LEAST`.
    """
    shift = total.bit_length() - 1
    if planes.dtype == object:
        scale = 1 << shift
        flat = np.array([weight / scale for weight in planes.ravel().tolist()], dtype=np.float64)
        scaled = flat.reshape(planes.shape)
    else:
        scaled = np.ldexp(planes.astype(np.float64), -shift)
    return np.maximum(scaled, _LEAST), total / (1 << shift)


def _class_logarithms(cells: Floats, out: Floats) -> None:
    """Write the sum of a log(n / a) over the classes. The cells are handled in chunks, with two arrays for scratch."""
    size = min(_CHUNK, cells.shape[1])
    first, second = np.empty(size), np.empty(size)
    for start in range(0, cells.shape[1], size):
        parts, total = cells[:, start : start + size], out[0, start : start + size]
        n, r = first[: len(total)], second[: len(total)]
        np.sum(parts, axis=0, out=n)
        for part in parts:
            np.divide(n, part, out=r)
            np.log(r, out=r)
            np.multiply(part, r, out=part)
        np.sum(parts, axis=0, out=total)


# -- The exact information of a feature subset, given by its mask, and certificates that prove ties without logarithms.


def class_entropy(d: JointDistribution, base: Exact | None, mask: int) -> LogSum:
    """Return H(Y | X_S) = H(Y, X_S) - H(X_S)."""
    cells = _cells(d, mask | 1 << len(d.features))
    return _sum_of(d.total, [(1, cells), (-1, cells.reshape(-1, len(d.classes)).sum(axis=1))], base)


def posteriors(d: JointDistribution, masks: Masks) -> Iterator[Hashable]:
    """Yield a certificate for H(Y | X_S) of each mask: equal certificates prove equal values.

    A certificate says how much mass has each posterior. The order of the classes within a posterior does not count.
    """
    # Each row of class weights is divided by its greatest common divisor and sorted. For each row that results, the
    # certificate has the sum of the divisors. Rows with a single class add no entropy and are left out.
    summary = _of_any if d.weights.dtype == object else _of_words
    for cells in _marginals(d.weights, masks):
        yield summary(cells.reshape(-1, cells.shape[-1]))


def _marginals(cells: Integers, masks: Masks) -> Iterator[Integers]:
    """Yield the marginal of each mask. The last axis, of the classes, is never summed out.

    Consecutive masks share the partial sums that both need, so masks in descending order take few sums.
    """
    n = cells.ndim - 1
    union = int(np.bitwise_or.reduce(masks))
    never = tuple(i for i in range(n) if not union >> i & 1)
    # An axis that is summed out stays with length 1, so that all axes keep their numbers.
    chain = [(union, np.asarray(cells.sum(axis=never, keepdims=True), dtype=cells.dtype))]
    for mask in masks.tolist():
        missing = [i for i in reversed(range(n)) if union & ~mask & 1 << i]  # the highest axis is summed out first
        wanted = list(itertools.accumulate(missing, lambda held, i: held & ~(1 << i), initial=union))
        pairs = zip(wanted, chain, strict=False)
        shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1][0], pairs))
        del chain[shared:]
        for held, axis in zip(wanted[shared:], missing[shared - 1 :], strict=True):
            chain.append((held, np.asarray(chain[-1][1].sum(axis=axis, keepdims=True), dtype=cells.dtype)))
        yield chain[-1][1]


def _of_words(rows: npt.NDArray[Any]) -> Hashable:
    """Return the total mass of each primitive row (a row over its greatest common divisor), for machine integers."""
    rows = rows[np.count_nonzero(rows, axis=1) > 1]
    if not len(rows):
        return b""
    masses = np.gcd.reduce(rows, axis=1)
    # One column after another: a broadcast division needs buffers, and NumPy crashes if there is no memory for them.
    for column in rows.T:
        column //= masses
    primitive = np.sort(rows, axis=1)
    order = np.lexsort(primitive.T)
    ordered = primitive[order]
    first = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    starts = np.flatnonzero(first)
    return ordered[starts].tobytes(), np.add.reduceat(masses[order], starts).tobytes()


def _of_any(rows: npt.NDArray[Any]) -> Hashable:
    """Return the total mass of each primitive row, for integers of any size."""
    masses: Counter[tuple[int, ...]] = Counter()
    for row in rows.tolist():
        positive = sorted(weight for weight in row if weight)
        if len(positive) > 1:
            common = math.gcd(*positive)
            masses[tuple(weight // common for weight in positive)] += common
    return frozenset(masses.items())


# -- Entropy and mutual information of every feature subset, in one pass and decided exactly.


# Peaks of memory, measured by tracemalloc with binary features: 51 bytes a subset for `entropy_table`, 73 a subset for
# the other tables with 2 classes, and 134 with 4 classes. If there are few subsets: 24 bytes a weight, or 46 bytes a
# weight that is an object.
_BYTES, _BYTES_A_WEIGHT, _BYTES_AN_OBJECT = 32, 26, 48


def conditional_entropy_table(
    d: DistributionLike, *, threads: int = 1, base: Exact | None = None
) -> SubsetTable[LogSum]:
    """Return the conditional entropy H(Y | X_S) of the class for all 2**n feature subsets S.

    H(Y | X_S) is the uncertainty about the class that remains if the features in S are known, so less is better. Use
    this table to compare all subsets at once, and `conditional_entropy` for a single value.

    Each value that you read is exact. Orderings and ties are decided exactly, too: by floats with a proven error where
    they suffice, and by exact arithmetic elsewhere. The proven error is less than 1e-12 nats for 16 binary features,
    for totals of any size. Complexity: prod(c_i + 1) logarithms for each class. Source: Cover and Thomas (2006),
    Section 2.2.

    Parameters
    ----------
    d : JointDistribution
    threads : int
        How many threads share the work on one table. The values do not depend on it.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(conditional_entropy_table(gallery.xor(), base=2).ordering())
    X1X2 < {} = X1 = X2
    """
    d = as_distribution(d)
    threads = as_index(threads, "threads", at_least=1)
    LogSum(base=base)  # raises an error if `base` cannot be a base

    def column() -> EnclosedColumn[LogSum]:
        centers, radius = class_entropies(d.weights, d.total, threads=threads)
        column = enclosed_logarithms(centers, radius, base, partial(class_entropy, d, base))
        return replace(column, certificates=partial(posteriors, d))

    per_weight = _BYTES_A_WEIGHT if d.weights.dtype != object else _BYTES_AN_OBJECT
    return table_of_all(d, (_BYTES, per_weight), column, "conditional entropy", "H", False)


def enclosed_logarithms(
    centers: Floats, radius: float, base: Exact | None, exact: Callable[[int], LogSum]
) -> EnclosedColumn[LogSum]:
    """Return a column of sums of logarithms without a rational term, whose values in nats are known by floats."""
    if base is not None:
        unit = float(log(base))
        is_far = unit > 2.0**-900  # from 1: if not, no float may be near the values
        centers = centers / unit if is_far else np.zeros(len(centers))
        wide = 3 * _UNIT * float(np.abs(centers).max())  # unit and quotient are rounded
        radius = 1.01 * radius / unit + wide if is_far else math.inf
    radii, keys = np.full(len(centers), radius), np.arange(len(centers), dtype=np.int64)
    return EnclosedColumn(centers, radii, exact, keys, zero=LogSum(base=base))


# -- Entropy and mutual information of any sets of variables, exact.


def _mask(d: Data, names: Iterable[str], argument: str) -> int:
    """Return the bitmask of some variables: bit i stands for feature i, and the next bit for the target."""
    return mask_of(names, (*d.features, d.target), argument)


def entropy_sum(d: Data, masks: Iterable[tuple[int, int]], base: Exact | None) -> LogSum:
    """Return ``sum(c H(M))`` over pairs (coefficient c, mask M of variables)."""
    return _sum_of(d.m if isinstance(d, Sample) else d.total, ((c, _cells(d, mask)) for c, mask in masks), base)


def _sum_of(total: int, parts: Iterable[tuple[int, Integers]], base: Exact | None) -> LogSum:
    """Return ``sum(c H)`` over pairs (coefficient c, cells of a marginal whose entropy is H)."""
    # For the total T and the cells n of a marginal M, T H(M) = T log T - sum n log n.
    terms: Counter[int] = Counter()
    for coefficient, cells in parts:
        terms[total] += coefficient * total
        for cell, times in histogram(cells):
            terms[cell] -= coefficient * cell * times
    return LogSum.of_counts(terms, total, base)


def _cells(d: Data, mask: int) -> Integers:
    """Return the weights of the marginal of some variables as a flat array, or only of the states that occur."""
    target = len(d._variables.features)
    counts = cells_at(d, mask & ~(1 << target))
    return counts.ravel() if mask >> target & 1 else counts.sum(axis=1)


def pair_informations(d: Data, names: Sequence[str], other: str, base: Exact | None = None) -> dict[str, LogSum]:
    """Return, for each of the named features, its mutual information with one other variable.

    The rows of a sample are counted for all features at once.
    """
    if not isinstance(d, Sample):
        return {name: mutual_information(d, {name}, {other}, base=base) for name in names}
    tables = d.pair_counts(names, other)
    marginals = {name: ((1, t.sum(axis=0)), (1, t.sum(axis=1)), (-1, t.ravel())) for name, t in tables.items()}
    return {name: _sum_of(d.m, marginals[name], base) for name in names}


def histogram(cells: Integers) -> Iterable[tuple[int, int]]:
    """Return the distinct positive cells, each with the number of times it occurs."""
    # A counter is faster for few cells. Its items are sorted, so that a sum over them always has the same enclosure.
    if cells.dtype == object or cells.size < 64:
        return sorted(Counter(cell for cell in cells.tolist() if cell).items())
    values, times = np.unique(cells[cells > 0], return_counts=True)
    return zip(values.tolist(), times.tolist(), strict=True)


def entropy(d: DataLike, variables: Iterable[str], *, base: Exact | None = None) -> LogSum:
    """Return the joint entropy H(A) = -sum p(a) log p(a) of some variables.

    The entropy measures how uncertain the variables are. For a sample it is the entropy of the empirical distribution.
    Use `entropy_table` for the values of all feature subsets. Complexity: one pass over the cells of a distribution, or
    over the distinct rows of a sample. Source: Cover and Thomas, Elements of Information Theory (2006), Section 2.1.

    Parameters
    ----------
    d : JointDistribution or Sample
    variables : iterable of names
        Features, the target, or both.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(entropy(JointDistribution([[1, 1], [2, 0]]), {"Y"}))
    2*log(2) - 3/4*log(3) ≈ 0.562335
    """
    d = as_data(d)
    return entropy_sum(d, [(1, _mask(d, variables, "variables"))], base)


def conditional_entropy(
    d: DataLike, variables: Iterable[str], given: Iterable[str], *, base: Exact | None = None
) -> LogSum:
    """Return the conditional entropy H(A | C) = H(A, C) - H(C) of some variables given other variables.

    It measures how uncertain the variables A remain if C is known. The two sets may share variables. Source: Cover and
    Thomas (2006), Section 2.2.

    Parameters
    ----------
    d : JointDistribution or Sample
    variables, given : iterables of names
        The variables A and the known variables C: features, the target, or both.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import gallery
    >>> conditional_entropy(gallery.xor(), {"Y"}, {"X1"}, base=2) == 1
    True
    """
    d = as_data(d)
    a, c = _mask(d, variables, "variables"), _mask(d, given, "given")
    return entropy_sum(d, [(1, a | c), (-1, c)], base)


def mutual_information(
    d: DataLike, a: Iterable[str], b: Iterable[str] | None = None, *, base: Exact | None = None
) -> LogSum:
    """Return the mutual information I(A; B) = H(A) + H(B) - H(A, B) of two sets of variables.

    It measures how much the uncertainty about B falls if A is known, and is 0 exactly if A and B are independent.
    Source: Cover and Thomas (2006), Section 2.3.

    Parameters
    ----------
    d : JointDistribution or Sample
    a : iterable of names
    b : iterable of names, optional
        The default is the target, so that the value is the information of A about the class.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import gallery
    >>> mutual_information(gallery.xor(), {"X1", "X2"}, base=2) == 1
    True
    """
    return conditional_mutual_information(d, a, b, base=base)


def conditional_mutual_information(
    d: DataLike,
    a: Iterable[str],
    b: Iterable[str] | None = None,
    given: Iterable[str] = (),
    *,
    base: Exact | None = None,
) -> LogSum:
    """Return the conditional mutual information I(A; B | C) of two sets of variables given a third set.

    I(A; B | C) = H(A, C) + H(B, C) - H(A, B, C) - H(C). It measures how much the uncertainty about B falls if A becomes
    known while C is known already. It is 0 exactly if A and B are independent given C. Each set may be empty, and the
    sets may share variables: I(A; A | C) = H(A | C). Source: Cover and Thomas (2006), Section 2.5.

    Parameters
    ----------
    d : JointDistribution or Sample
    a : iterable of names
    b : iterable of names, optional
        The default is the target, so that the value is the information of A about the class.
    given : iterable of names
        The known variables C. The default is the empty set.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import gallery
    >>> conditional_mutual_information(gallery.xor(), {"X1"}, given={"X2"}, base=2) == 1
    True
    """
    d = as_data(d)
    pairs = ((a, "a"), ((d.target,) if b is None else b, "b"), (given, "given"))
    first, second, c = (_mask(d, names, argument) for names, argument in pairs)
    return entropy_sum(d, [(1, first | c), (1, second | c), (-1, first | second | c), (-1, c)], base)


def information_lost(d: DataLike, removed: Subset, *, base: Exact | None = None) -> LogSum:
    """Return the information about the class that is lost if some features A are removed.

    The lost information is nu(A) = I(Y; X_A | the other features), which equals H(Y | the other features) -
    H(Y | all features). It is the quantity in the bounds of `fstheory.bounds`. Source: Beraha et al. (2019),
    Section III.

    Parameters
    ----------
    d : JointDistribution or Sample
    removed : iterable of names, or one name
        The features A.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import gallery
    >>> information_lost(gallery.xor(), {"X1"}, base=2) == 1
    True
    """
    d = as_data(d)
    target = 1 << len(d.features)
    every = target - 1
    kept = every & ~mask_of(removed, d.features, "removed")
    return entropy_sum(d, [(1, kept | target), (-1, kept), (-1, every | target), (1, every)], base)


_TOKEN = re.compile(
    r"""\s*(?:(?P<name>[^\W\d]\w*)|(?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<number>(?:\d*\.)?\d+(?:\s*/\s*\d+)?)"""
    r"""|(?P<mark>[(),;|*+\u2212-])|\Z)"""
)
_SIGNS = "+-\N{MINUS SIGN}"
Names = TypeVar("Names", int, frozenset[str])


def info(d: DataLike, quantity: str, *, base: Exact | None = None) -> LogSum:
    """Return the exact value of a quantity of information that is written in the usual notation.

    Write ``"H(A)"``, ``"H(A | C)"``, ``"I(A; B)"`` or ``"I(A; B | C)"``. A, B and C are names of variables separated by
    commas. A sum of such terms with rational coefficients is a quantity, too: ``"I(Y; X1) - 1/2 I(Y; X2)"``. Put a name
    that is not an identifier in quotes: ``'H("height, cm")'``.

    ``I(A; B; C) = I(A; B) - I(A; B | C)`` is the interaction information. It is positive if the variables repeat each
    other, and negative if they have information only together. More semicolons continue in the same way. The sign is
    that of Cover and Thomas (2006, Problem 2.25) and of Yeung (1991). McGill (1954) gives three variables the opposite
    sign.

    Parameters
    ----------
    d : JointDistribution or Sample
    quantity : str
        The quantity. A text that cannot be read raises an `InvalidFormatError` that names the position.
    base : exact number, optional
        The base of the logarithms: 2 for bits. The default is nats.

    Examples
    --------
    >>> from fstheory import gallery
    >>> info(gallery.xor(), "I(Y; X1 | X2)", base=2) == 1, info(gallery.xor(), "I(Y; X1; X2)", base=2) == -1
    (True, True)
    """
    d = as_data(d)
    found = entropies_in(quantity, lambda names: _mask(d, names, "quantity"))
    coefficients, scale = integers_over(found.values())
    return entropy_sum(d, zip(coefficients, found, strict=True), base) / scale


def entropies_in(quantity: str, of: Callable[[list[str]], Names]) -> dict[Names, Fraction]:
    """Write a quantity as a sum of joint entropies, and return the coefficient of each of them.

    `of` turns the names of variables into the key of their joint entropy.
    """
    require_type(quantity, str, "quantity", "a text", "write 'I(Y; X1 | X2)'")
    found: dict[Names, Fraction] = {}
    for coefficient, groups, given in _terms(quantity):
        known = of(given)
        parts = {known: -coefficient}
        for group in map(of, groups):  # inclusion and exclusion; H(A | C) has one group, I(A; B | C) has two
            for names, times in list(parts.items()):
                parts[names | group] = parts.get(names | group, 0) - times
        parts[known] = parts.pop(known)
        for names, times in parts.items():
            found[names] = found.get(names, 0) + times
    return found


def _terms(text: str) -> Iterator[tuple[Fraction, list[list[str]], list[str]]]:
    """Yield for each term its coefficient, the groups of names between its semicolons, and the names after its bar."""
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
    """Return the next name, quoted or not, and the position where it ends."""
    match = _TOKEN.match(text, at)
    name = match and (match["name"] or match["quoted"])
    if match is None or not name:
        raise _misread(text, at, wanted)
    if name[0] != '"':
        return name.strip("'"), match.end()
    try:  # between double quotes, the escapes of JSON are allowed
        return str(json.loads(name, strict=False)), match.end()
    except ValueError:
        raise _misread(text, at, f"{wanted} without unknown escapes") from None


def _mark(text: str, at: int, wanted: str, *, optional: bool = False) -> tuple[str, int]:
    """Return the next mark and the position where it ends. The mark must be one of those in `wanted`.

    If another token comes next and the mark is optional, return an empty text and the same position.
    """
    match = _TOKEN.match(text, at)
    if match is None or not match["mark"] or match["mark"] not in wanted:
        if optional:
            return "", at
        raise _misread(text, at, "'+', '-' or the end" if wanted == _SIGNS else " or ".join(map(repr, wanted)))
    return match["mark"], match.end()


def _misread(text: str, at: int, wanted: str) -> InvalidFormatError:
    """Return the error for a text that does not go on as expected. It names the position and what to write there."""
    rest = text[at:].lstrip()
    place = len(text) - len(rest)
    found = f"{rest[0]!r} stands" if rest else "the text ends"
    repair = f"at position {place}, where {found}, write {wanted} (names that are not identifiers go in quotes)"
    return InvalidFormatError(explain("quantity", "like 'H(Y | X1)' or 'I(Y; X1, X2 | X3)'", text, repair))


# Estimates by nearest neighbors, in floats


def estimated_information(x: Any, y: Any, given: Any = None, *, neighbors: int = 5) -> float:
    """Estimate the conditional mutual information of numbers and a class, given other numbers, in nats.

    The estimate may be below 0, and its error has no bound.

    Parameters
    ----------
    x : array_like of float, shape (m,) or (m, a)
        The numbers, one row for each of m points.
    y : array_like, shape (m,)
        The class of each point, as labels of any kind.
    given : array_like of float, shape (m,) or (m, b), optional
        The numbers that are given. If left out, the estimate is of the mutual information.
    neighbors : int
        The number k of nearest neighbors within the class of a point. In a smaller class, all other points.

    Notes
    -----
    Let r be the greatest difference in any coordinate of (x, given) between a point and its k-th nearest in its class.
    Let n(x, z), n(z) and n(y, z) be the numbers of other points at most r away in (x, given), in `given`, and in
    `given` within the class. The estimate is the mean of psi(k) - psi(n(x, z)) - psi(n(y, z)) + psi(n(z)). If r = 0, k
    is the number of points of the class at the same place. Complexity: O(m**2) for each number.

    References
    ----------
    Mesner and Shalizi, IEEE Transactions on Information Theory 67 (2021); Ross, PLoS ONE 9 (2014). Beraha et al. (2019)
    use Gao et al. (2017), without conditioning the same but for details.

    Examples
    --------
    >>> import fstheory as fs
    >>> problem = fs.papers.TailProblem(4, 4, "sum")
    >>> x, y = problem.sample(2000, rng=0)
    >>> estimate = fs.measures.estimated_information(x[:, 1], y, x[:, 0])
    >>> round(estimate, 2), round(problem.information(2) - problem.information(1), 2)
    (0.2, 0.2)
    """
    points = _points(x, "x")
    known = np.zeros((len(points), 0)) if given is None else _points(given, "given")
    _require_rows("given", len(known), points)
    pairs = Pairs(np.column_stack([points, known]), y, neighbors)
    both, near = pairs.gaps.max(axis=0), pairs.gaps[points.shape[1] :].max(axis=0, initial=0.0)
    radius, close = pairs.reach(both)
    return pairs.estimate(close, both <= radius, near <= radius)


def _points(values: Any, argument: str) -> Floats:
    found = finite_numbers(values, argument, 2)
    require(len(found), argument, "a row for each of some points", values, "draw some")
    return found.reshape(len(found), -1)


def _labels(values: Any, points: Floats) -> Integers:
    """Return the classes as numbers from 0 on. Each point must have a class, and each class two points."""
    found = np.asarray(values)
    require(found.ndim == 1, "y", "a class for each point, in one dimension", found.shape, "flatten it")
    _require_rows("y", len(found), points)
    numbered: Integers = np.unique(found, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(numbered)
    require(sizes.min() > 1, "y", "at least 2 points of each class", sizes.tolist(), "draw more, or drop that point")
    return numbered


def _require_rows(argument: str, rows: int, points: Floats) -> None:
    needed = f"of {len(points)} points, as x is"
    require(rows == len(points), argument, needed, rows, "pass one for each row of x")


class Pairs:
    """Points sorted by class, and for each feature the differences between all pairs of them."""

    def __init__(self, x: Any, y: Any, neighbors: int) -> None:
        points, self.neighbors = _points(x, "x"), as_index(neighbors, "neighbors", at_least=1)
        labels = _labels(y, points)
        points = points[np.argsort(labels, kind="stable")]
        self.gaps = np.abs(points.T[:, :, None] - points.T[:, None, :])
        ends = np.cumsum(np.bincount(labels)).tolist()
        self.blocks = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]

    def reach(self, gap: Floats) -> tuple[Floats, Floats]:
        """Return the distance to the k-th neighbor of each point in its class, as a column, and k."""
        radius, close = np.empty((len(gap), 1)), np.empty(len(gap))
        for block in self.blocks:
            within, nearest = gap[block, block], min(self.neighbors, block.stop - block.start - 1)
            radius[block, 0] = np.partition(within, nearest, axis=1)[:, nearest]  # a point is its own nearest
            alike = radius[block, 0] == 0.0
            close[block] = np.where(alike, (within == 0.0).sum(axis=1) - 1, nearest)
        return radius, close

    def estimate(self, close: Floats, both: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_]) -> float:
        """Return the estimate, from k and the pairs of points that are near: in all features, and in the given ones."""
        digamma = import_optional("scipy.special", "stats", "an estimate by neighbors").digamma
        every, inside = [slice(0, len(both))], self.blocks
        near_in_both, near_in_class, near_in_known = (
            digamma(np.concatenate([np.count_nonzero(near[block, block], axis=1) for block in blocks]) - 1.0)
            for near, blocks in ((both, every), (known, inside), (known, every))
        )
        return float(np.mean(digamma(close) - near_in_both - near_in_class + near_in_known))


def finite_numbers(values: object, argument: str, most_dimensions: int = 1) -> Floats:
    """Return finite numbers as an array. Raise an error if a value is not a finite number."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidTypeError(explain(argument, "numbers", values, "pass floats")) from error
    needed = "finite numbers in one row" if most_dimensions == 1 else "finite numbers in rows"
    good = 1 <= found.ndim <= most_dimensions and np.isfinite(found).all()
    require(good, argument, needed, values, "correct them, or drop the rows that have others")
    return found
