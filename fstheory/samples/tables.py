"""Majority tables over all subsets of features, and on how many samples they are right, for many samples at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError, explain
from fstheory.lattice.columns import Integers
from fstheory.lattice.sweep import subset_sums

# -- All tables of m samples with their probabilities, in batches: exact, modulo primes.


Engine: TypeAlias = Literal["counts", "contrasts"]
Residues: TypeAlias = "npt.NDArray[np.int64]"
_Coordinate: TypeAlias = "tuple[tuple[int, int], dict[int, int]]"  # its place among the values, weights by class

_EXACT = 53  # bits of a product of floats that are exact


@dataclass(frozen=True)
class Batch:
    """Some tables of m samples.

    `contrasts` have shape (batch, *cardinalities, classes - 1), `counts`, where they are gone through, one class more;
    `residues`, of shape (primes, batch), are W**m times the probability of each, modulo each prime.
    """

    counts: npt.NDArray[Any] | None
    contrasts: npt.NDArray[Any]
    residues: Residues


_LISTED = 1_000_000  # rows that are listed to be counted; of more rows there is a bound


class Merging(NamedTuple):
    """Which contrasts of two classes act alike, for a method that compares losses with a threshold.

    A contrast acts as the next one of absolute value at most `clip`. If `total` is given, the sum over the states of
    one half matters as well, up to this absolute value: an even state differs from an odd one in one of two features.
    """

    clip: int
    total: int | None = None

    def merged(self, values: Integers) -> Integers:
        """Return the contrasts that stand for those of each row, of shape (rows, ...)."""
        found = values.clip(-self.clip, self.clip)
        if self.total is not None:
            axes = tuple(range(1, values.ndim))
            before, after = (sums.sum(axis=axes, keepdims=True) for sums in (values, found))
            lost = before.clip(-self.total, self.total) - after
            takes = (abs(found) == self.clip) & (np.sign(found) == np.sign(lost))
            found += np.where(takes, lost, 0).astype(found.dtype)
        return found

    def rows(self, states: int) -> int:
        """Return at most how many rows of so many states are different."""
        if self.total is None or not states:
            return int((2 * self.clip + 1) ** states)
        if (2 * (self.clip + self.total) + 1) ** states > _LISTED:
            return int((2 * self.clip + 1) ** states * (2 * self.total + 1))
        line = np.arange(-self.clip - self.total, self.clip + self.total + 1)
        return len(np.unique(self.merged(np.stack(np.meshgrid(*[line] * states), axis=-1).reshape(-1, states)), axis=0))


@dataclass(frozen=True)
class _Half:
    """What some of the coordinates can be: values, the least number of samples, a row of weights for each prime."""

    values: npt.NDArray[Any]
    norms: npt.NDArray[np.int64]
    rows: npt.NDArray[np.float64]


def primes_for(bound: int, m: int) -> list[int]:
    """Return primes above m whose product is above a bound, and whose dot products of m + 1 terms are exact."""
    candidate = 2 ** ((_EXACT - (m + 1).bit_length()) // 2)
    primes, product = [], 1
    while product <= bound:
        candidate -= 1
        if candidate <= m:
            repair = "take, or hold out, fewer samples, or simulate"
            raise TooLargeError(explain("m", "below enough primes whose products are exact", m, repair))
        if all(candidate % q for q in range(2, math.isqrt(candidate) + 1)):
            primes.append(candidate)
            product *= candidate
    return primes


def combine(residues: Sequence[int], primes: Sequence[int]) -> int:
    """Return the least number of at least 0 with these residues."""
    value, modulus = 0, 1
    for residue, prime in zip(residues, primes, strict=True):
        value += modulus * ((int(residue) - value) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return value


def count_tables(d: JointDistribution, m: int, engine: Engine, merging: Merging | None = None) -> int:
    """Return how many tables of m samples `SampleTables` goes through, or at most how many if some are merged.

    Their numbers by the sum of absolute values are the coefficients of (1 + t)**a / (1 - t)**b, for b coordinates of
    which a take both signs; of contrasts, those of the parity of m are summed, which divides by 1 - t**2.
    """
    signed, coordinates = _coordinates(d, engine)
    if merging is not None:
        return math.prod(merging.rows(len(units)) for units in _halves(d, engine, merging))
    if engine == "counts":
        return _coefficient(0, coordinates, m)
    return _coefficient(signed - 1, coordinates + 1, m) if signed else _coefficient(0, coordinates + 1, m)


def half_size(d: JointDistribution, m: int, engine: Engine) -> int:
    """Return at most how many rows one half of the coordinates has."""
    signed, coordinates = _coordinates(d, engine)
    half = (coordinates + 1) // 2
    return _coefficient(min(signed, half), half + 1, m)


def _coordinates(d: JointDistribution, engine: Engine) -> tuple[int, int]:
    """Return how many coordinates take both signs, and how many there are."""
    positive = np.count_nonzero(d.weights, axis=-1)
    if engine == "counts":
        return 0, int(positive.sum())
    return int((positive == 2).sum()), int((positive > 0).sum())


def _coefficient(above: int, below: int, m: int) -> int:
    """Return the coefficient of t**m in (1 + t)**above / (1 - t)**below, below > 0."""
    return sum(math.comb(above, i) * math.comb(m - i + below - 1, below - 1) for i in range(min(above, m) + 1))


def _halves(d: JointDistribution, engine: Engine, merging: Merging | None) -> list[list[_Coordinate]]:
    """Return the coordinates in two halves: with merging, those of even and of odd states."""
    flat = d.weights.reshape(-1, len(d.classes))
    if engine == "counts":
        units = [((x, y), {y: int(flat[x, y])}) for x, y in np.argwhere(flat > 0).tolist()]
    else:
        units = [((x, 0), {y: int(w) for y, w in enumerate(row) if w}) for x, row in enumerate(flat) if row.any()]
    if merging is None:
        middle = (len(units) + 1) // 2
        return [units[:middle], units[middle:]]
    odd = np.indices(d.cardinalities).sum(axis=0).ravel() % 2
    return [[unit for unit in units if odd[unit[0][0]] == side] for side in (0, 1)]


class SampleTables(Sequence[Batch]):
    """All tables of m samples in batches of about `size`, always the same ones.

    With `merging`, one table stands for all that act alike, with the sum of their probabilities.
    """

    def __init__(
        self,
        d: JointDistribution,
        m: int,
        engine: Engine,
        primes: Sequence[int],
        size: int,
        merging: Merging | None = None,
    ) -> None:
        self.primes = primes
        self._arguments = d, m, engine, primes, size, merging
        width = len(d.classes) if engine == "counts" else 1
        shape = math.prod(d.cardinalities), width
        self._moduli = moduli = np.array(primes, dtype=np.int64)
        left, right = (_half(part, m, shape, moduli, engine, merging) for part in _halves(d, engine, merging))
        self._factor = np.array([[math.factorial(m) % p] for p in primes], dtype=np.int64)
        order = np.argsort(right.norms, kind="stable")
        right = _Half(right.values[order], right.norms[order], right.rows[:, order, ::-1])  # reversed: m - s samples
        self._left, self._right, self._shape = left, right, (*d.cardinalities, width)
        self._blocks: list[tuple[Residues, Residues, slice]] = []
        for norm in range(m + 1):
            rows = np.flatnonzero(left.norms == norm)
            if engine == "counts":  # the right half has just the samples that the left one has not
                columns = np.arange(*np.searchsorted(right.norms, (m - norm, m - norm + 1)))
                samples = slice(0, 1)
            else:
                columns = np.flatnonzero(right.norms <= m - norm)
                if merging is None:  # then a contrast of n has n samples, n + 2, n + 4, ...
                    columns = columns[(right.norms[columns] + norm - m) % 2 == 0]
                samples = slice(norm, m + 1)
            self._blocks += ((some, them, samples) for some, them in _blocks(rows, columns, size))

    def __reduce__(self) -> tuple[type[SampleTables], tuple[Any, ...]]:
        return SampleTables, self._arguments  # smaller, and made anew where it is used

    def __len__(self) -> int:
        return len(self._blocks)

    def __getitem__(self, place: Any) -> Any:
        some, them, samples = self._blocks[place]
        values = self._left.values[some][:, None] + self._right.values[them][None]
        values = values.reshape(-1, *self._shape)
        products = self._left.rows[:, some, samples] @ self._right.rows[:, them, samples].swapaxes(1, 2)
        residues = np.fmod(products, self._moduli[:, None, None]).astype(np.int64).reshape(len(self._moduli), -1)
        residues = residues * self._factor % self._moduli[:, None]
        if self._arguments[2] == "counts":
            return Batch(values, values[..., 1:] - values[..., :1], residues)
        return Batch(None, values, residues)


class PartTables(Sequence[Batch]):
    """All combinations of a table of counts for each part of the samples, in batches; the parts are independent.

    The counts have shape (batch, parts, *cardinalities, classes).
    """

    def __init__(self, d: JointDistribution, parts: Sequence[int], primes: Sequence[int], size: int) -> None:
        self.primes = primes
        self._tables = [SampleTables(d, m, "counts", primes, 1 + int(size ** (1 / len(parts)))) for m in parts]

    def __len__(self) -> int:
        return math.prod(map(len, self._tables))

    def __getitem__(self, place: Any) -> Any:
        places = np.unravel_index(place, [len(tables) for tables in self._tables])
        batches = [tables[int(at)] for tables, at in zip(self._tables, places, strict=True)]
        rows = np.indices([len(batch.counts) for batch in batches]).reshape(len(batches), -1)
        counts = np.stack([batch.counts[row] for batch, row in zip(batches, rows, strict=True)], axis=1)
        residues = np.ones((len(self.primes), rows.shape[1]), dtype=np.int64)
        for batch, row in zip(batches, rows, strict=True):
            residues = residues * batch.residues[:, row] % np.array(self.primes)[:, None]
        return Batch(counts, counts[:, 0, ..., 1:], residues)


def _blocks(rows: Residues, columns: Residues, size: int) -> Iterator[tuple[Residues, Residues]]:
    """Cut all pairs of a row and a column into blocks of at most `size` pairs."""
    wide = max(1, min(len(columns), size))
    tall = max(1, size // wide)
    for top in range(0, len(rows), tall):
        for left in range(0, len(columns), wide):
            yield rows[top : top + tall], columns[left : left + wide]


def _half(
    units: Sequence[_Coordinate],
    m: int,
    shape: tuple[int, int],
    moduli: Residues,
    engine: Engine,
    merging: Merging | None = None,
) -> _Half:
    """List what some coordinates can be with at most m samples, one coordinate after the other."""
    kind = np.int16 if m < 2**14 else np.int32
    values = np.zeros((1, *shape), dtype=kind)
    norms = np.zeros(1, dtype=np.int64)
    rows = np.zeros((len(moduli), 1, 1 if engine == "counts" else m + 1))
    rows[:, 0, 0] = 1
    inverses = _inverses(m, moduli)
    for place, weights in units:
        powers = {y: _exponential_series(weight, m, moduli, inverses) for y, weight in weights.items()}
        parts, series, values_before, norms_before = [], [], values, norms
        for value, terms in _weights_by_value(powers, m, moduli, engine):
            parts.append((np.flatnonzero(norms_before + abs(value) <= m), value))
            series.append(terms)
        values = np.concatenate([values_before[fits] for fits, _ in parts])
        values[:, *place] = np.concatenate([np.full(len(fits), value, dtype=kind) for fits, value in parts])
        norms = np.concatenate([norms_before[fits] + abs(value) for fits, value in parts])
        order, starts = np.arange(len(values)), np.arange(len(values))
        if merging is not None and (merging.total is None or place == units[-1][0]):
            values, places = np.unique(merging.merged(values), axis=0, return_inverse=True)
            order = np.argsort(places.ravel(), kind="stable")
            starts = np.searchsorted(places.ravel()[order], np.arange(len(values)))
            norms = np.minimum.reduceat(norms[order], starts)
        grown = []
        for i, prime in enumerate(moduli.tolist()):  # one at a time: before rows are merged, all would be much memory
            some = [_convolved(rows[i, fits], terms[i], prime) for (fits, _), terms in zip(parts, series, strict=True)]
            grown.append(np.fmod(np.add.reduceat(np.concatenate(some)[order], starts), prime))  # below 2**53: exact
        rows = np.stack(grown)
    return _Half(values, norms, rows)


def _convolved(rows: npt.NDArray[np.float64], series: npt.NDArray[np.float64], prime: int) -> npt.NDArray[np.float64]:
    """Convolve each row with a series, modulo a prime; both have one entry, or m + 1."""
    length = rows.shape[-1]
    if length == 1 or len(rows) == 1:
        return np.fmod(rows[:, :1] * series, prime)  # a row of no coordinate yet is 1, 0, .., 0
    least = int((series != 0).argmax())  # no product has fewer samples
    padded = np.concatenate([np.zeros(length - least - 1), series[least:]])
    shifted = np.lib.stride_tricks.sliding_window_view(padded, length - least)[::-1]
    found = np.zeros(rows.shape)
    np.fmod(rows[:, : length - least] @ shifted, prime, out=found[:, least:])
    return found


def _weights_by_value(
    powers: dict[int, Residues], m: int, moduli: Residues, engine: Engine
) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
    """Yield the values of a coordinate, and of each the sums of w**n / n! by the number of samples."""
    if engine == "counts":
        (power,) = powers.values()
        yield from ((n, power[:, n : n + 1].astype(np.float64)) for n in range(m + 1))
        return
    if len(powers) == 1:
        ((y, power),) = powers.items()
        for n in range(m + 1):
            series = np.zeros(power.shape)
            series[:, n] = power[:, n]
            yield (-n if y == 0 else n), series
        return
    for contrast in range(-m, m + 1):
        series = np.zeros(powers[0].shape)
        for n1 in range(max(contrast, 0), (m + contrast) // 2 + 1):
            n0 = n1 - contrast
            series[:, n0 + n1] = powers[0][:, n0] * powers[1][:, n1] % moduli
        yield contrast, series


def _exponential_series(weight: int, m: int, moduli: Residues, inverses: Residues) -> Residues:
    """Return weight**n / n! for n = 0 .. m, modulo each prime."""
    series = np.ones((len(moduli), m + 1), dtype=np.int64)
    reduced = np.array([weight % p for p in moduli.tolist()], dtype=np.int64)
    for n in range(1, m + 1):
        series[:, n] = series[:, n - 1] * reduced % moduli * inverses[:, n] % moduli
    return series


def _inverses(m: int, moduli: Residues) -> Residues:
    """Return 1/n for n = 1 .. m modulo each prime, which is above m; 0 stands for that of 0."""
    inverses = np.zeros((len(moduli), m + 1), dtype=np.int64)
    inverses[:, 1:2] = 1
    for n in range(2, m + 1):  # p = (p // n) n + p % n
        inverses[:, n] = -(moduli // n) * inverses[np.arange(len(moduli)), moduli % n] % moduli
    return inverses


# -- Majority tables over all subsets of features, and on how many samples they are right, for many samples at once.


def marginals(tables: Integers, wanted: Iterable[int]) -> Iterator[tuple[int, Integers]]:
    """Yield each wanted mask with the sums over the features outside it, of shape (batch, states, classes).

    The states are in order, and so are the masks. Complexity: if all masks are wanted, prod(c_i + 1) additions for each
    table of the batch and each class; if those of all features and of all but one are, n times the cells of the table.
    """

    def visit(block: Integers, mask: int, i: int, wanted: Sequence[int]) -> Iterator[tuple[int, Integers]]:
        if i == tables.ndim - 2:
            yield mask, block
            return
        if without := [other for other in wanted if not other >> i & 1]:
            total = block[:, :, 0]
            for state in range(1, block.shape[2]):  # on short axes a fourth of the time of a reduction
                total = total + block[:, :, state]
            yield from visit(total, mask, i + 1, without)
        if kept := [other for other in wanted if other >> i & 1]:
            merged = block.reshape(block.shape[0], -1, *block.shape[3:])
            yield from visit(merged, mask | 1 << i, i + 1, kept)

    yield from visit(tables[:, None], 0, 0, list(wanted))


def gains_of(contrasts: Integers, masks: Sequence[int] | None = None) -> Integers:
    """Return on how many samples more than class 0 the majority table of each subset is right; shape (batch, 2**n).

    If `masks` are given, only these columns are computed, and all others are 0. Otherwise the sweep computes all.
    """

    def gain(cells: Integers, out: Integers) -> None:
        np.maximum(cells.max(axis=0) if len(cells) > 1 else cells[0], 0, out=out[0])

    if masks is None:
        found: Integers = subset_sums(np.moveaxis(contrasts, (-1, 0), (0, -1)), gain, batch=True)[0].T
        return found.astype(np.int64)
    gains = np.zeros((2 ** (contrasts.ndim - 2), len(contrasts)), dtype=np.int64)
    for mask, marginal in marginals(contrasts, masks):
        marginal.max(axis=-1).clip(0).sum(axis=-1, out=gains[mask])
    return gains.T


def left_out_of_first(tables: Integers) -> tuple[Integers, int]:
    """Return the same as `left_out_shares`, if the first of several classes is predicted, and in a new state the first.

    The integer is 1.
    """
    gains = np.zeros(len(tables), dtype=np.int64)
    for y in range(tables.shape[-1]):
        own = tables[..., y : y + 1]
        right = (own - 1 > tables[..., :y]).all(axis=-1) & (own - 1 >= tables[..., y + 1 :]).all(axis=-1)
        gains += np.where(right, own[..., 0], 0).sum(axis=-1)
    return gains, 1


def left_out_shares(tables: Integers) -> tuple[Integers, int]:
    """Return on how many samples the majority of the others is right, for tables of shape (batch, states, classes).

    The numbers are multiplied by an integer, which is returned as well.
    """
    right, common = left_out_shares_by_state(tables, tables.sum(axis=1))
    return right.sum(axis=1), common


def left_out_shares_by_state(tables: Integers, totals: Integers) -> tuple[Integers, int]:
    """Return on how many samples of each state the majority of the others is right, given the totals of the classes.

    Of several classes that tie each counts its share, so that the numbers are multiples of the fraction 1/d: returned
    are d times these numbers, and d. If a state has no other sample, all other samples decide. Only the class with the
    most samples can win without one of them, and it ties with those that have one less.
    """
    classes = tables.shape[-1]
    common = math.lcm(*range(1, classes + 1))
    kind = np.int64 if common * int(totals[0].sum()) < 2**62 else object
    portions = np.array([*(common // ways for ways in range(1, classes + 1)), 0], dtype=kind)

    def shares(counts: Integers) -> Integers:
        """Return the share of the class with the most samples; nothing if there are two."""
        most = counts.max(axis=-1, keepdims=True)
        tied = (counts == most - 1).sum(axis=-1)
        found: Integers = portions[np.where((counts == most).sum(axis=-1) == 1, tied, -1)]
        return found

    most, leading = tables.max(axis=-1), np.arange(classes) == totals.argmax(axis=-1)[:, None]
    alone = (tables * leading[:, None]).sum(axis=-1) * (tables.sum(axis=-1) == 1)
    return np.where(most > 1, most * shares(tables), alone * shares(totals)[:, None]), common


@dataclass(frozen=True)
class EstimateRule:
    """An estimate of the risk of a majority table, and its two rules for predictions that the rows leave open.

    `rows` trains the table that predicts a row, `ties` is the prediction if several classes are the most frequent, and
    `new_states` the one in a state that no training row has. For tables of shape (batch, states, classes), `right`
    returns on how many samples the estimate is right, times an integer, and the integer. It is None if samples are held
    out.
    """

    name: str
    rows: str
    ties: str
    new_states: str
    right: Callable[[Integers], tuple[Integers, int]] | None = None


def _right_on_all(tables: Integers) -> tuple[Integers, int]:
    """Return on how many samples the majority table of all samples is right, and 1."""
    return tables.max(axis=-1).sum(axis=-1), 1


_FAIR = "one of them, drawn: the mean error", "the majority of all training rows"
_FIRST = "the first of them", "the first of all classes"
ESTIMATES = {
    one.name: one
    for one in (
        EstimateRule(
            "resubstitution", "all rows", "any of them: the errors are as many", "none: each row trains", _right_on_all
        ),
        EstimateRule("leave-one-out", "all other rows", *_FAIR, left_out_shares),
        EstimateRule("leave-one-out-first-class", "all other rows", *_FIRST, left_out_of_first),
        EstimateRule("cross-validation", "the rows of the other folds", *_FAIR),
        EstimateRule("held-out", "the rows that are not held out", *_FAIR),
        EstimateRule("held-out-first-class", "the rows that are not held out", *_FIRST),
    )
}
"""Every estimate of a risk by the name under which its numbers are shown. Those of the first class are the papers'."""


def right_by(estimate: str, tables: Integers) -> tuple[Integers, int]:
    """Return on how many samples an estimate without held-out samples is right, times an integer, and the integer."""
    right = ESTIMATES[estimate].right
    assert right is not None
    return right(tables)


def left_out_risk(cells: Integers) -> Fraction:
    """Return the share of errors of the majority of the others, for the counts of the classes in each state."""
    (right,), common = left_out_shares(cells[None])
    return 1 - Fraction(int(right), common * int(cells.sum()))


def table_risks(cells: Integers) -> tuple[int, Fraction, Fraction]:
    """Return the number of states, the plug-in risk and the leave-one-out risk, for the class counts in each state."""
    right, m = int(cells.max(axis=1).sum()), int(cells.sum())
    return len(cells), 1 - Fraction(right, m), left_out_risk(cells)


def label_type(classes: int) -> np.dtype[Any]:
    """Return the narrowest type that holds the position of each of so many classes."""
    return np.min_scalar_type(classes - 1)


def labels_of(contrasts: Integers) -> Integers:
    """Return the position of the class with the most samples in every state, the first of several."""
    kind = label_type(contrasts.shape[-1] + 1)
    if contrasts.shape[-1] == 1:
        return (contrasts[..., 0] > 0).astype(kind)
    best = contrasts.argmax(axis=-1)
    highest = np.take_along_axis(contrasts, best[..., None], -1)[..., 0]
    return np.where(highest > 0, best + 1, 0).astype(kind)


def risks_of(d: JointDistribution, mask: int, labels: Integers) -> Integers:
    """Return the total weight times the risks under d of tables over a subset; labels of shape (tables, states)."""
    table = d.weights
    dropped = tuple(axis for axis in range(table.ndim - 1) if not mask >> axis & 1)
    weights = table.sum(axis=dropped).reshape(-1, table.shape[-1])
    risks: Integers = d.total - weights[np.arange(len(weights)), labels].sum(axis=-1)
    return risks
