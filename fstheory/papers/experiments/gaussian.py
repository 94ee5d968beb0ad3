"""Linear classifiers of independent standard normal features, as in Ng's experiment, in floating point.

Three things: the error of a linear classifier of a linear concept, which is an orthant probability of a bivariate
normal law and needs no test set; logistic regression on many subsets at once; and the beam search over subsets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, owens_t

from fstheory.errors import InvalidTypeError, explain, require

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

_BLOCK = 64  # subsets at once: what they need stays in the cache; 16 and 500 took 1.6 times as long
_STEPS = 100
_CLOSE = math.sqrt(float(np.finfo(np.float64).eps))  # of the Newton decrement; the step that is made then squares it


def sign_disagreement(
    weights: Sequence[float] | Floats, bias: float, direction: Sequence[float] | Floats, offset: float
) -> float:
    """Return the probability that a linear classifier and a linear concept differ on standard normal features.

    That is P([w.x + b > 0] != [u.x + c > 0]) for independent standard normal x1, .., xn.

    Parameters
    ----------
    weights, bias : sequence of float, and float
        w and b; w is all 0 for a classifier that always says the same.
    direction, offset : sequence of float, and float
        u and c; u is not all 0.

    Returns
    -------
    float
        With an error of some 1e-15.

    Notes
    -----
    For lengths of 1, h = -b, k = -c and the correlation r = w.u it is 2 (T(h, (k - r h) / (h s)) +
    T(k, (h - r k) / (k s)) + beta), where s is the root of 1 - r**2, T is Owen's function, and beta is 0 if h k > 0, or
    if h k = 0 and h + k >= 0, and else 1/2. The textbook has the proof.

    References
    ----------
    Owen, "Tables for computing bivariate normal probabilities", Annals of Mathematical Statistics 27 (1956), (2.1).

    Examples
    --------
    >>> from fstheory.papers.experiments import sign_disagreement
    >>> round(sign_disagreement([1, 1], 0, [1, 0], 0), 15)  # an angle of 45 degrees, of 180
    0.25
    """
    w, u = finite_numbers(weights, "weights"), finite_numbers(direction, "direction")
    b, c = finite_numbers([bias], "bias")[0], finite_numbers([offset], "offset")[0]
    needed = f"of shape {u.shape}, as direction is"
    require(w.shape == u.shape, "weights", needed, w.shape, "pass one weight for each feature")
    require(u.any(), "direction", "other than 0", direction, "a constant concept needs no features")
    length, u, k = float(np.linalg.norm(w)), u / np.linalg.norm(u), float(-c / np.linalg.norm(u))
    if length == 0:
        return float(ndtr(k) if b > 0 else ndtr(-k))
    w, h = w / length, float(-b / length)
    r = float(w @ u)
    if r < 0:
        return 1 - sign_disagreement(-w, h, u, -k)
    s = float(np.linalg.norm(w - r * u))  # the root of 1 - r**2, without its cancellation
    if s == 0:
        return abs(float(ndtr(h)) - float(ndtr(k)))
    if h == 0 == k:
        return math.atan2(s, r) / math.pi
    half = 0.0 if h * k > 0 or (h * k == 0 and h + k >= 0) else 0.5
    # (k - r h) / (h s) with the rounding of k - h alone, which both slopes share: near s = 0 it cancels
    total = sum(float(owens_t(p, _quotient(q - p, p * s) + s / (1 + r))) for p, q in ((h, k), (k, h)))
    return min(max(2 * (total + half), 0.0), 1.0)


def _quotient(rise: float, run: float) -> float:
    """Return a quotient, infinite over 0."""
    return rise / run if run else math.copysign(math.inf, rise)


def finite_numbers(values: object, argument: str, most_dimensions: int = 1) -> Floats:
    """Return numbers as an array, or refuse them."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidTypeError(explain(argument, "numbers", values, "pass floats")) from error
    needed = "finite numbers in one row" if most_dimensions == 1 else "finite numbers in rows"
    good = 1 <= found.ndim <= most_dimensions and np.isfinite(found).all()
    require(good, argument, needed, values, "correct them, or drop the rows that have others")
    return found


def logistic_regressions(x: Floats, y: Integers, subsets: Integers, start: Floats) -> Floats:
    """Fit a logistic regression to each of many subsets of one size, given as rows of positions, by Newton's method.

    The weights w, a row each from which it starts, with the intercept last, minimize w.w / 2 plus the sum of the
    logistic losses; the intercept costs nothing. So scikit-learn's LogisticRegression does with its defaults. The
    minimum is unique, also where the classes can be separated. Of one class alone it is all that is said.
    """
    if not 0 < y.sum() < len(y):
        constant = np.append(np.zeros(subsets.shape[1]), 1.0 if y[0] else -1.0)
        return np.tile(constant, (len(subsets), 1))
    blocks = [slice(i, i + _BLOCK) for i in range(0, len(subsets), _BLOCK)]
    return np.concatenate([_newton(x, y, subsets[block], start[block]) for block in blocks])


def _newton(x: Floats, y: Integers, subsets: Integers, start: Floats) -> Floats:
    """Fit a block of subsets: Newton steps, halved where the loss would rise; who has arrived drops out."""
    number, size = subsets.shape
    z = np.ones((number, size + 1, len(x)))
    z[:, :size] = x.T[subsets]
    ridge = np.append(np.ones(size), 0.0)
    signs = 2.0 * y - 1.0

    def losses(z: Floats, weights: Floats) -> tuple[Floats, Floats]:
        margins = (weights[:, None, :] @ z)[:, 0]
        loss: Floats = np.logaddexp(0.0, -signs * margins).sum(axis=1) + 0.5 * (weights**2 @ ridge)
        return margins, loss

    found, left, weights = start.copy(), np.arange(number), start.copy()
    margins, loss = losses(z, weights)
    for _ in range(_STEPS):
        p = 1.0 / (1.0 + np.exp(-margins))
        gradient = (z @ (p - y)[:, :, None])[:, :, 0] + weights * ridge
        hessian = (z * (p * (1.0 - p))[:, None, :]) @ z.transpose(0, 2, 1)
        hessian[:, range(size + 1), range(size + 1)] += ridge
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        after, share = weights - step, np.ones(len(weights))
        margins, lower = losses(z, after)
        arrived = (gradient * step).sum(axis=1) < _CLOSE
        while (higher := (lower > loss) & ~arrived).any():
            share[higher] /= 2
            after[higher] = weights[higher] - share[higher, None] * step[higher]
            margins[higher], lower[higher] = losses(z[higher], after[higher])
        weights, loss = after, lower
        found[left[arrived]] = weights[arrived]
        if arrived.all():
            return found
        if arrived.any():
            on = ~arrived
            z, weights, margins, loss, left = z[on], weights[on], margins[on], loss[on], left[on]
    raise ArithmeticError(f"a logistic regression has not converged in {_STEPS} steps")


class Beam(NamedTuple):
    """The best subset of one size: its mask, weights over all features with the intercept last, and errors.

    `tie` is the random number by which it came first of its equals.
    """

    mask: int
    weights: Floats
    training: int
    held_out: int
    tie: float


def beam_search(x: Floats, y: Integers, held: int, *, by: str, width: int, rng: np.random.Generator) -> list[Beam]:
    """Search forward from no features to all, and return the best subset of each size.

    The last `held` rows are held out, the others train. Of each size the `width` subsets with fewest errors are kept,
    in training or on the samples held out as `by` says; which of equals, is drawn.
    """
    n, train, places = x.shape[1], len(x) - held, 2 ** np.arange(x.shape[1])
    masks, best = np.zeros(1, dtype=np.int64), list[Beam]()
    weights = np.zeros((1, n + 1))
    for size in range(n + 1):
        if size:
            children = masks[:, None] | places
            parents, added = np.nonzero(children != masks[:, None])
            masks, first = np.unique(children[parents, added], return_index=True)
            weights = weights[parents[first]]
        subsets = np.nonzero(masks[:, None] & places)[1].reshape(len(masks), size)
        columns = np.column_stack([subsets, np.full(len(masks), n)])
        fits = logistic_regressions(x[:train], y[:train], subsets, np.take_along_axis(weights, columns, axis=1))
        weights = np.zeros((len(masks), n + 1))
        np.put_along_axis(weights, columns, fits, axis=1)
        wrong = (weights[:, :n] @ x.T + weights[:, n:] > 0) != y
        training, held_out = wrong[:, :train].sum(axis=1), wrong[:, train:].sum(axis=1)
        ties = rng.random(len(masks))
        kept = np.lexsort((ties, training if by == "training" else held_out))[:width]
        masks, weights = masks[kept], weights[kept]
        i = kept[0]
        best.append(Beam(int(masks[0]), weights[0], int(training[i]), int(held_out[i]), float(ties[i])))
    return best
