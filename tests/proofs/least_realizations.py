"""The least realization of every weak order of up to three binary features with two classes, by exhaustion.

``python -m tests.proofs.least_realizations`` writes the table that `fstheory.proofs.realization` reads.

With two classes, only the differences d(x) = p(x, 0) - p(x, 1) matter: 1 - 2 R(S) is the sum of |d(s)| over the states
s of S. Weights of the smallest total give each state x the weight |d(x)| in one class, and, where p(x) > 0 is asked for
and d(x) = 0, the weight 1 in both. So it is enough to look at all vectors of integers d by growing sum of |d(x)|. And,
since renaming states, features and classes changes nothing but names, at those in which d(0) is the largest |d(x)|,
and d falls along the states with one 1.
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.proofs.construction import WeakOrder
from fstheory.proofs.realization import TABLE
from tests.proofs.weak_order_lists import renamings, weak_order_classes

KINDS = ("none", "positive", "both")
"""The assumptions that are told apart: `unique_maximum` alone asks for nothing that least weights do not have."""

Vectors: TypeAlias = npt.NDArray[np.int8]
Integers: TypeAlias = npt.NDArray[np.int64]
Weights: TypeAlias = tuple[int, ...]
_Best: TypeAlias = tuple[tuple[int, int], list[Vectors]]  # the smallest key so far, and the vectors that have it

_PIECE = 200_000  # vectors looked at together


def least_realizations(n: int) -> dict[WeakOrder, dict[str, Weights | None]]:
    """Return for each weak order, up to renaming features, the least weights under each kind of assumptions.

    Least are those of the smallest total, of these those with the fewest cells above 0, and of these the
    lexicographically smallest. It is None if there are none, which is so only under both assumptions, when no optimal
    subset is contained in all others (Peña and Nilsson, Theorem 4).
    """
    search = _Search(n)
    for size in itertools.count(1):
        if search.is_done(size):
            return search.least()
        for vectors in _vectors(n, size, zeros=not search.needs_no_zeros(size)):
            search.look_at(vectors, size)
    raise AssertionError


def table_text() -> str:
    """Return the table for up to three features as JSON, one order per line."""
    parts = []
    for n in (1, 2, 3):
        rows = least_realizations(n)
        entries = ({"ordering": str(o), "images": len(renamings(o)), **least} for o, least in rows.items())
        lines = map(json.dumps, entries)
        parts.append(f'"{n}": [\n' + ",\n".join(lines) + "\n]")
    what = (
        "For each weak order of the Bayes risks of the subsets of n binary features, two classes, up to renaming "
        "features: how many orders are renamings of it, and the least weights (axes X1, .., Xn, Y, in C order) without "
        "assumptions, with p(x) > 0, and with p(x) > 0 and a single maximum of p(Y|x); null if there are none. A "
        "single maximum alone has the least weights of no assumptions."
    )
    head = {"what": what, "generator": "tests/proofs/least_realizations.py"}
    return json.dumps(head)[:-1] + ",\n" + ",\n".join(parts) + "}\n"


def _vectors(n: int, size: int, *, zeros: bool) -> Iterator[Vectors]:
    """Yield the vectors with this sum of absolute values, up to renaming; those without a zero if `zeros` is False."""
    singles = [1 << i for i in range(n)]
    places = [*singles, *(x for x in range(1, 2**n) if x not in singles)]
    for largest in range(-(-size // 2**n), size + 1):
        vectors = np.zeros((1, 2**n), dtype=np.int8)
        vectors[0, 0] = largest
        left = np.array([size - largest])
        for done, place in enumerate(places, start=1):
            after = len(places) - done
            grown = []
            for value in range(-largest, largest + 1):
                rest = left - abs(value)
                fits = (rest >= (0 if zeros else after)) & (rest <= after * largest)
                if place in singles[1:]:
                    fits &= vectors[:, place >> 1] >= value
                if (value or zeros) and fits.any():
                    more = vectors[fits]
                    more[:, place] = value
                    grown.append((more, rest[fits]))
            vectors = np.concatenate([more for more, _ in grown]) if grown else vectors[:0]
            left = np.concatenate([rest for _, rest in grown]) if grown else left[:0]
        yield from (vectors[start : start + _PIECE] for start in range(0, len(vectors), _PIECE))


def _gains(vectors: Vectors) -> Integers:
    """Return the sum of |d(s)| for all subsets, by mask."""
    n = vectors.shape[1].bit_length() - 1
    columns = []
    for mask in range(2**n):
        marginal = vectors.astype(np.int64)
        for i in reversed(range(n)):
            if not mask >> i & 1:
                marginal = marginal.reshape(len(vectors), -1, 2, 2**i).sum(axis=2)
        columns.append(abs(marginal.reshape(len(vectors), -1)).sum(axis=1))
    return np.stack(columns, axis=1)


def _codes(values: Integers) -> Integers:
    """Return one number for each row that tells how its entries are ordered."""
    codes = np.zeros(len(values), dtype=np.int64)
    for i, j in itertools.combinations(range(values.shape[1]), 2):
        codes = 3 * codes + np.sign(values[:, i] - values[:, j]) + 1
    return codes


class _Search:
    def __init__(self, n: int) -> None:
        self._orders = [order for order, _ in weak_order_classes(n)]
        codes: dict[int, int] = {}
        for number, order in enumerate(self._orders):
            for image in renamings(order):
                codes[int(_codes(np.array([image.heights]))[0])] = number
        self._codes = np.array(sorted(codes))
        self._numbers = np.array([codes[code] for code in self._codes.tolist()])
        self._best: dict[str, dict[int, _Best]] = {kind: {} for kind in KINDS}
        self._possible = {number for number, order in enumerate(self._orders) if order.least_optimal is not None}

    def needs_no_zeros(self, size: int) -> bool:
        """Say whether vectors of this size with a zero can no longer be least."""
        complete = all(len(self._best[kind]) == len(self._orders) for kind in ("none", "positive"))
        return complete and size > max(key[0] for key, _ in self._best["positive"].values())

    def is_done(self, size: int) -> bool:
        return self.needs_no_zeros(size) and self._best["both"].keys() == self._possible

    def look_at(self, vectors: Vectors, size: int) -> None:
        numbers = self._numbers[np.searchsorted(self._codes, _codes(_gains(vectors)))]
        zeros = np.count_nonzero(vectors == 0, axis=1)
        states = vectors.shape[1]
        self._keep("none", vectors, numbers, np.full_like(zeros, size), states - zeros)
        self._keep("positive", vectors, numbers, size + 2 * zeros, states + zeros)
        full = zeros == 0
        self._keep("both", vectors[full], numbers[full], np.full_like(zeros[full], size), zeros[full] + states)

    def _keep(self, kind: str, vectors: Vectors, numbers: Integers, totals: Integers, cells: Integers) -> None:
        """Keep the vectors of the smallest total and the fewest cells, for each order."""
        by_key = np.lexsort((cells, totals, numbers))
        starts = np.flatnonzero(np.diff(numbers[by_key], prepend=-1))
        for group in np.split(by_key, starts[1:]) if len(starts) else ():
            number, key = int(numbers[group[0]]), (int(totals[group[0]]), int(cells[group[0]]))
            least, found = self._best[kind].get(number, (key, []))
            if key <= least:
                more = vectors[group[(totals[group] == key[0]) & (cells[group] == key[1])]]
                self._best[kind][number] = key, [*(found if key == least else []), more]

    def least(self) -> dict[WeakOrder, dict[str, Weights | None]]:
        return {
            order: {
                kind: self._smallest(order, best[number][1], kind) if number in best else None
                for kind, best in self._best.items()
            }
            for number, order in enumerate(self._orders)
        }

    def _smallest(self, order: WeakOrder, vectors: Sequence[Vectors], kind: str) -> Weights:
        """Return the lexicographically smallest weights among all renamings that have the order itself."""
        images = _images(np.unique(np.concatenate(vectors), axis=0))
        code = _codes(np.array([order.heights]))[0]
        images = images[_codes(_gains(images)) == code]
        weights = np.stack([np.maximum(images, 0), np.maximum(-images, 0)], axis=-1)
        if kind == "positive":
            weights += (images == 0)[..., None].astype(np.int8)
        rows = _in_c_order(weights)
        return tuple(rows[np.lexsort(rows.T[::-1])[0]].tolist())


def _images(vectors: Vectors) -> Vectors:
    """Return what vectors become by renaming features, states and classes."""
    n = vectors.shape[1].bit_length() - 1
    cubes = vectors.reshape(-1, *(2,) * n)
    found = []
    for axes in itertools.permutations(range(1, n + 1)):
        turned = cubes.transpose(0, *axes)
        for flipped in itertools.product((slice(None), slice(None, None, -1)), repeat=n):
            image = turned[(slice(None), *flipped)].reshape(len(vectors), -1)
            found += [image, -image]
    return np.concatenate(found)


def _in_c_order(weights: Vectors) -> Vectors:
    """Return rows of weights whose states, numbered by mask, are put in C order: the state of X1 changes slowest."""
    n = weights.shape[1].bit_length() - 1
    cubes = weights.reshape(-1, *(2,) * n, 2)
    return cubes.transpose(0, *range(n, 0, -1), n + 1).reshape(len(weights), -1)


if __name__ == "__main__":
    TABLE.write_text(table_text(), encoding="utf-8")
