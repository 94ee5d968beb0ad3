r"""Entropies of all marginals in floats, with a proven bound on the error.

Notation: u = 2**-53 is the unit roundoff; T the total of the weights w; N the number of cells (x, y); K the
number of classes, c_i the states of the features. Weights are scaled by a power of two k such that P = T / 2**k
lies in [1, 2). For a subset S, a_y is the scaled mass of a cell (s, y) and n = sum_y a_y; the sweep adds

    v(s) = sum_y a_y log(n / a_y),        P H(Y | X_S) = sum_s v(s),

and an error of e n in v(s), the same e for all cells, is an error of e in H(Y | X_S), since the n add up to P.
Additions, multiplications, divisions and conversions are correctly rounded (IEEE 754); of the logarithm it is
assumed that it errs by 4 ulp at most, that is by 8 u relative to its value. (NumPy's own tests hold its vector loops
to 4 ulp, and the common C libraries stay below 1; a test compares with ball arithmetic.) Everything below is
in units of H and to first order in u; all second-order terms together are smaller than the factor `_SLACK`, and
nothing can underflow or overflow since no mass leaves [2**-80, 2 + 2**-40].

1. *Zeros.* Masses below t = 2**-80, zeros among them, are raised to t. That adds a mass of e <= N t. Let Z say whether
   a unit of mass was added. Conditioning, H(Y|S, Z) <= H(Y|S) <= H(Y|S, Z) + H(Z), so v changes by at most
   e log K + h(e) with h(e) <= e (1 + log(1 / e)). For 2**17 cells this is 5e-18.
2. *Masses.* Conversion errs by u relatively, and a mass is then a sum along an addition tree of depth
   E = sum(c_i - 1), all terms positive: a relative error of (E + 1) u. The gradient of v in a_y is log(n / a_y), so
   v errs by (E + 1) u v, together (E + 1) u log K.
3. *Two classes*, masses a and b: with r = b / a, the program computes n log(1 + r) - b log r. The quotient errs by u,
   which is u in log r and at most u in log(1 + r); the addition 1 + r adds u to the latter. The
   logarithms err by 8 u relatively, n = a + b by u, each product by u, the difference by u log 2. Hence
   n ((8 + 2) log(1 + r) + 2) u + b ((8 + 1) |log r| + 1) u + n u, at most (19 M + 4) u n, where M is the largest
   log(n / min(a, b)). Masses of a marginal are sums of those of cells, and a quotient of sums lies between the
   quotients of the terms, so M over the full table is enough. M <= 56.2 by the first step.
4. *More classes*: a_y log(n / a_y) as it stands. n errs by (K - 1) u and the quotient by u more, K u in the
   logarithm; this and the product err by 9 u relatively; K terms are added. As sum_y a_y log(n / a_y) <= n log K, at
   most ((K + 8) log K + K) u n.
5. *Summation.* A term goes through at most D additions until it is in the value of S, so the sum errs by
   D u log K. The sweep folds axes, sum(c_i - 1) additions, and adds up what its blocks give, one after the
   other: D <= sum(c_i - 1) + prod(c_i of the axes it recurses on) + 1. A test counts them.
6. *Division* by P, itself rounded: 2 u log K.

For 16 binary features and 2 classes the radius is 1.1e-13 if some weight is 0, and 2e-14 for weights between 1 and
1000. The same steps hold for the entropies -sum p log p of the features, with other constants: see `feature_entropies`.

References
----------
N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002), Chapters 3 and 4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.sweep import subset_sums
from fstheory.sweep.cells import Layout

__all__ = ["additions", "class_entropies", "feature_entropies"]

Floats: TypeAlias = "npt.NDArray[np.float64]"

_UNIT = 2.0**-53
_LEAST = 2.0**-80  # a mass: below any of a total that a float holds exactly, and far from underflow
_SLACK = 1.01
_CHUNK = 1 << 14  # cells that are looked at together, so that what is computed of them stays near a core


def class_entropies(weights: npt.NDArray[Any], total: int, *, workers: int = 1) -> tuple[Floats, float]:
    """Return H(Y | X_S) in nats for every mask S, and a radius that none of them errs by more than."""
    cardinalities, classes = weights.shape[:-1], weights.shape[-1]
    if classes == 1:
        return np.zeros(2 ** len(cardinalities)), 0.0
    planes, mass = _masses(np.moveaxis(weights, -1, 0), total)
    phi = _two_classes if classes == 2 else _many_classes
    sums = subset_sums(planes, phi, workers=workers)[0]
    full = math.log(classes)
    steps = (19 * _spread(planes) + 4) if classes == 2 else (classes + 8) * full + classes
    depth = additions(cardinalities, classes)
    masses = sum(c - 1 for c in cardinalities) + 1
    added = weights.size * _LEAST
    radius = _UNIT * (steps + (depth + masses + 2) * full) + added * (full + 1 - math.log(added))
    return sums / mass, radius * _SLACK


def feature_entropies(weights: npt.NDArray[Any], total: int, *, workers: int = 1) -> tuple[Floats, float]:
    """Return H(X_S) in nats for every mask S, and a radius that none of them errs by more than.

    A mass p errs by (E + 1) u; -p log p has the gradient -(1 + log p), the logarithm and the product err by 9 u
    relatively, and the sum of p |log p| over the states is at most P (log m + log 2) for m states in all. The sum is
    then divided by P, and log P, which errs by 8 u log 2 and the rounding of P, added. Raising a mass p <= 2 by e <= t
    changes -p log p by at most -e log e + 2 e.
    """
    cardinalities = weights.shape[:-1]
    states = math.prod(cardinalities)
    states_only = np.asarray(weights.sum(axis=-1), dtype=weights.dtype)  # without features, a sum of objects is none
    planes, mass = _masses(states_only[None], total)
    sums = subset_sums(planes, _log_sum, workers=workers)[0]
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


def _spread(planes: Floats) -> float:
    """Return a little more than the largest log(n / min(a, b)) of two classes."""
    least, most = np.minimum(planes[0], planes[1]), np.maximum(planes[0], planes[1])
    return math.log(float((most / least).max()) + 1) + 0.01


def _pieces(cells: Floats, out: Floats) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
    """Yield some cells at a time, where their value is written, and memory for two numbers a cell."""
    size = min(_CHUNK, cells.shape[1])
    first, second = np.empty(size), np.empty(size)
    for start in range(0, cells.shape[1], size):
        total = out[0, start : start + size]
        yield cells[:, start : start + size], total, first[: len(total)], second[: len(total)]


def _two_classes(cells: Floats, out: Floats) -> None:
    """Write a log(n / a) + b log(n / b) as n log(1 + r) - b log r with r = b / a: two logarithms, one division."""
    for (a, b), total, n, r in _pieces(cells, out):
        np.divide(b, a, out=r)
        np.add(a, b, out=n)
        np.log(r, out=a)
        np.multiply(a, b, out=b)
        np.add(r, 1, out=r)
        np.log(r, out=r)
        np.multiply(n, r, out=n)
        np.subtract(n, b, out=total)


def _many_classes(cells: Floats, out: Floats) -> None:
    """Write the sum of a log(n / a) over the classes."""
    for parts, total, n, r in _pieces(cells, out):
        np.add(parts[0], parts[1], out=n)
        for part in parts[2:]:
            np.add(n, part, out=n)
        for part in parts:
            np.divide(n, part, out=r)
            np.log(r, out=r)
            np.multiply(part, r, out=part)
        np.add(parts[0], parts[1], out=total)
        for part in parts[2:]:
            np.add(total, part, out=total)


def _log_sum(cells: Floats, out: Floats) -> None:
    """Write p log p."""
    for (p,), total, logarithms, _ in _pieces(cells, out):
        np.log(p, out=logarithms)
        np.multiply(p, logarithms, out=total)
