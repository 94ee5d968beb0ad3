"""Figures 1 to 5 of Ng (1998), each beside the same figure with bits in place of Gaussians, exact where possible.

Trials draw Gaussian features and a linear target. The class is flipped with probability 3/10. The noise-free error is
measured, and not the error on a test set. With uniform bits, the class is the last bit or the majority of the last
three, flipped in the same way. Ties go to the smaller set and then to the first features, which are irrelevant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError, require
from fstheory.lattice.columns import Floats, Integers
from fstheory.measures.information import finite_numbers
from fstheory.papers.experiments import runner
from fstheory.papers.experiments.runner import Document, Found, Step, exact, means, panel
from fstheory.samples.law import selection_law
from fstheory.samples.methods import Method, NoSelection, OrderedFS, StandardWrap
from fstheory.samples.simulation import simulate

_NOISE = Fraction(3, 10)
_OFFSET = {1: 0.2, 3: 0.0}
_TARGETS = {1: "x1 + 0.2 > 0", 3: "x1 + x2 + x3 > 0"}
_BITS = {1: "the last bit", 3: "the majority of the last three bits"}
_CHUNK = 10  # trials between two looks at the journal
_MOST_OF_THREE = 10  # samples: what is trained on three bits has thousands of outcomes, each with a law of its own
Case: TypeAlias = tuple[int, int, int]  # relevant features, features, samples

_BLOCK = 64  # subsets at once: what they need stays in the cache; 16 and 500 took 1.6 times as long
_STEPS = 100
_CLOSE = math.sqrt(float(np.finfo(np.float64).eps))  # of the Newton decrement; the step that is made then squares it


# -- linear classifiers of standard normal features


def sign_disagreement(
    weights: Sequence[float] | Floats, bias: float, direction: Sequence[float] | Floats, offset: float
) -> float:
    """Return the probability that a linear classifier and a linear concept differ on standard normal features.

    That is P([w.x + b > 0] != [u.x + c > 0]) for independent standard normal x1, .., xn, up to some 1e-15. The textbook
    has the proof.

    Parameters
    ----------
    weights, bias : sequence of float, and float
        w and b of the classifier. If w is 0, it always predicts the same class.
    direction, offset : sequence of float, and float
        u and c of the concept. u must not be 0.

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
    special = runner.scipy()
    if length == 0:
        return float(special.ndtr(k) if b > 0 else special.ndtr(-k))
    w, h = w / length, float(-b / length)
    r = float(w @ u)
    if r < 0:
        return 1 - sign_disagreement(-w, h, u, -k)
    s = float(np.linalg.norm(w - r * u))  # the root of 1 - r**2, without its cancellation
    if s == 0:
        return abs(float(special.ndtr(h)) - float(special.ndtr(k)))
    if h == 0 == k:
        return math.atan2(s, r) / math.pi
    half = 0.0 if h * k > 0 or (h * k == 0 and h + k >= 0) else 0.5
    # (k - r h) / (h s) with the rounding of k - h alone, which both slopes share: near s = 0 it cancels
    total = 0.0
    for p, q in ((h, k), (k, h)):
        slope = (q - p) / (p * s) if p * s else math.copysign(math.inf, q - p)
        total += float(special.owens_t(p, slope + s / (1 + r)))
    return min(max(2 * (total + half), 0.0), 1.0)


def logistic_regressions(x: Floats, y: Integers, subsets: Integers, start: Floats) -> Floats:
    """Fit a logistic regression to each of many subsets of one size, given as rows of positions, by Newton's method.

    The weights w minimize w.w / 2 plus the sum of the logistic losses, as scikit-learn's LogisticRegression does by
    default. `start` has a row to begin with for each subset, with the intercept last. If the rows have one class, the
    result always predicts it.
    """
    if not 0 < y.sum() < len(y):
        constant = np.append(np.zeros(subsets.shape[1]), 1.0 if y[0] else -1.0)
        return np.tile(constant, (len(subsets), 1))
    blocks = [slice(i, i + _BLOCK) for i in range(0, len(subsets), _BLOCK)]
    return np.concatenate([_newton(x, y, subsets[block], start[block]) for block in blocks])


def _newton(x: Floats, y: Integers, subsets: Integers, start: Floats) -> Floats:
    """Fit a block of subsets by Newton steps.

    A step that would raise the loss is halved. Fits that converged drop out.
    """
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
    """The best subset of one size: weights with the intercept last, errors, and the drawn number that broke ties."""

    mask: int
    weights: Floats
    training: int
    held_out: int
    tie: float


def beam_search(x: Floats, y: Integers, held: int, *, by: str, width: int, rng: np.random.Generator) -> list[Beam]:
    """Search forward and return the best subset of each size. Ties are broken at random.

    The last `held` rows are held out. Of each size the `width` subsets with fewest errors `by` 'training' or 'held out'
    are kept.
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


# -- the experiment


class Curve(NamedTuple):
    """One line of a figure: a method with its hold-out fraction, and the same on bits."""

    title: str
    method: Method
    held: Fraction = Fraction(0)

    def __str__(self) -> str:
        return f"{self.title} {self.held}" if self.held else self.title


class Setup(NamedTuple):
    """The contents of a figure: the number of relevant features, the x-axis, and the lines."""

    relevant: int
    along: Literal["features", "samples"]
    curves: Sequence[Curve]


_TENTHS = [Fraction(tenths, 10) for tenths in (3, 5, 7)]
_NONE = Curve("no selection", NoSelection())
_ORDERED = Curve("ORDERED-FS", OrderedFS(holdout=_TENTHS[0], ties="first"), _TENTHS[0])
_WRAPS = [Curve("STANDARD-WRAP", StandardWrap(holdout=held, ties="first"), held) for held in _TENTHS]
_CURVES = [_NONE, *_WRAPS, _ORDERED]  # their places seed the ties
_BOTH = [*_WRAPS[:2], _ORDERED]
_SETUPS = {
    1: Setup(1, "features", [_NONE, _WRAPS[0], _ORDERED]),
    2: Setup(1, "features", _WRAPS),
    3: Setup(1, "samples", _BOTH),
    4: Setup(3, "features", _BOTH),
    5: Setup(3, "samples", _BOTH),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class NgSettings(runner.Settings):
    """The settings of Ng's experiment. The paper prints only the trials, the width, and 20 features in Figure 3.

    Parameters
    ----------
    trials, width : int
        The number of trials at each point, and the width of the beam.
    features, samples : tuple of int
        The x-axes: numbers of features in Figures 1, 2 and 4, numbers of samples in Figures 3 and 5.
    all_features, all_samples : int
        The number of features in Figures 3 and 5, and of samples in the others. Held-out samples are counted.
    bits_features, bits_samples, bits_all_features, bits_all_samples
        The same with bits. The last two are pairs: with one relevant bit, and with three.
    bits_work, bits_trials : int
        The most steps of an exact law, as `selection_law` counts them, and the number of trials if it takes more.

    Examples
    --------
    >>> from fstheory.papers.experiments import NgSettings
    >>> NgSettings().trials, NgSettings().width, NgSettings.quick().trials
    (200, 50, 40)
    """

    trials: int = runner.whole(200, 2)
    width: int = runner.whole(50, 1)
    features: tuple[int, ...] = runner.some((1, 3, 5, 10, 15, 20, 25, 30), runner.whole(0, 1, 62))
    all_samples: int = runner.whole(100, 1, step=10)
    samples: tuple[int, ...] = runner.some((20, 40, 60, 100, 140, 200), runner.whole(0, 1, step=10))
    all_features: int = runner.whole(20, 3, 62)
    bits_features: tuple[int, ...] = runner.some((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), runner.whole(0, 1, 62))
    bits_samples: tuple[int, ...] = runner.some((10, 20, 30, 40, 60, 80, 100), runner.whole(0, 1, step=10))
    bits_all_features: tuple[int, int] = runner.some((2, 3), runner.whole(0, 1, 62))
    bits_all_samples: tuple[int, int] = runner.some((40, 10), runner.whole(0, 1, step=10))
    bits_work: int = runner.whole(400_000_000, 1)
    bits_trials: int = runner.whole(4000, 2)
    seed: int = runner.whole(1998)
    _quick: ClassVar = {
        "trials": 40, "width": 10, "features": (1, 3, 6, 9, 12), "samples": (20, 60, 100, 200), "all_features": 12,
        "bits_features": (1, 2, 3, 5, 8), "bits_samples": (10, 20, 40, 80), "bits_all_samples": (20, 10),
        "bits_trials": 1000,
    }  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        needed, pair = "at least 3 for three relevant ones", self.bits_all_features
        require(pair[-1] >= 3, "bits_all_features", needed, pair, "pass (2, 3), say")

    def cases(self, setup: Setup, bits: bool = False) -> dict[int, Case]:
        """Return for each x of a figure the numbers of relevant features, of features and of samples."""
        which, k = int(setup.relevant > 1), setup.relevant
        if setup.along == "features":
            m = self.bits_all_samples[which] if bits else self.all_samples
            return {f: (k, f, m) for f in (self.bits_features if bits else self.features) if f >= k}
        f = self.bits_all_features[which] if bits else self.all_features
        return {m: (k, f, m) for m in (self.bits_samples if bits else self.samples)}


def _steps(settings: NgSettings, figures: Sequence[int]) -> Iterator[Step]:
    """Yield the points on bits, then the trials ten at a time. Each point comes once before any point comes twice."""
    setups = [_SETUPS[number] for number in figures]
    on_bits, drawn = (
        [pair for setup in setups for pair in itertools.product(settings.cases(setup, bits).values(), setup.curves)]
        for bits in (True, False)
    )
    yield from (_on_bits(settings, case, curve) for case, curve in on_bits)
    for first in range(0, settings.trials, _CHUNK):
        yield from (_trials(settings, case, curve, first) for case, curve in drawn)


def _name(kind: str, case: Case, curve: Curve) -> str:
    return f"{kind}: {case[0]} relevant of {case[1]}, {case[2]} samples, {curve}"


def _on_bits(settings: NgSettings, case: Case, curve: Curve) -> Step:
    """Return the step that computes the exact error of a method, or an estimate if this would take too long."""
    relevant, n, m = case

    def find() -> Any:
        d = _bits(relevant, n)
        work = settings.bits_work if n <= 2 or (n == 3 and m <= _MOST_OF_THREE) else 1
        try:
            return str((selection_law(d, m, curve.method, work=work).expected_risk - _NOISE) / (1 - 2 * _NOISE))
        except TooLargeError:
            rng = settings.rng(0, *case, _CURVES.index(curve))
            found = simulate(d, m, curve.method, trials=settings.bits_trials, rng=rng)
            risks = (found.expected_risk, *found.expected_risk_interval())
            return [(risk - float(_NOISE)) / (1 - 2 * float(_NOISE)) for risk in risks]

    return Step(_name("bits", case, curve), find)


def _bits(relevant: int, n: int) -> JointDistribution:
    """Return uniform bits with the majority of the last few, flipped with probability 3/10, as the class."""
    weights = np.zeros((*[2] * n, 2), dtype=np.int64)
    for x in itertools.product((0, 1), repeat=n):
        label = int(2 * sum(x[n - relevant :]) > relevant)
        weights[(*x, label)], weights[(*x, 1 - label)] = 7, 3
    return JointDistribution(weights)


def _trials(settings: NgSettings, case: Case, curve: Curve, first: int) -> Step:
    """Return the step that computes the errors of ten trials, each with ties to the smallest subset and uniform."""
    relevant, n, m = case

    def trial(number: int) -> list[float]:
        rng = settings.rng(*case, number)
        x = rng.standard_normal((m, n))
        clean = x[:, :relevant].sum(axis=1) + _OFFSET[relevant] > 0
        y = (clean ^ (rng.random(m) < float(_NOISE))).astype(np.int64)
        direction = np.repeat([1.0, 0.0], [relevant, n - relevant])
        selected = _selected(settings, curve, x, y, settings.rng(*case, number, _CURVES.index(curve)))
        return [sign_disagreement(w[:-1], float(w[-1]), direction, _OFFSET[relevant]) for w in selected]

    def find() -> list[list[float]]:
        return [trial(number) for number in range(first, first + _CHUNK)]

    return Step(_name(f"trials from {first}", case, curve), find)


def _selected(settings: NgSettings, curve: Curve, x: Floats, y: Integers, rng: np.random.Generator) -> list[Floats]:
    """Return the final weights of the method under both rules for ties."""
    n = x.shape[1]
    if not curve.held:
        (weights,) = logistic_regressions(x, y, np.arange(n)[None], np.zeros((1, n + 1)))
        return [weights, weights]
    by: Any = "training" if curve.title == "ORDERED-FS" else "held out"
    best = beam_search(x, y, int(curve.held * len(x)), by=by, width=settings.width, rng=rng)
    drawn = [found.tie for found in best] if by == "held out" else rng.random(len(best)).tolist()
    rules: list[Callable[[int], tuple[float, float]]] = [
        lambda size: (best[size].held_out, size),
        lambda size: (best[size].held_out, drawn[size]),
    ]
    return [best[min(range(len(best)), key=rule)].weights for rule in rules]


def _panels(settings: NgSettings, figure: int, found: Found) -> Iterator[Document]:
    """Yield the panels: Gaussians with both rules for ties, differences on the same samples, and bits."""
    setup, which = _SETUPS[figure], int(_SETUPS[figure].relevant > 1)
    cases, curves, along = settings.cases(setup), setup.curves, setup.along == "features"
    errors = {curve: {x: _errors(settings, case, curve, found) for x, case in cases.items()} for curve in curves}
    axis = "total number of features" if along else "samples, with those held out"
    fixed = f"m = {settings.all_samples}" if along else f"{settings.all_features} features"
    title = f"Gaussians, {_TARGETS[setup.relevant]}, {fixed}, {settings.trials} trials"
    smallest, uniform = (
        {str(curve): means(by_x, itemgetter(place)) for curve, by_x in errors.items()} for place in (0, 1)
    )
    yield panel(title, axis, "error without noise", smallest, row=0, zero=True)
    yield panel(f"ties uniform: {title}", axis, "error without noise", uniform)
    pairs = [(a, _ORDERED) for a in curves[:-1]] if _ORDERED in curves else [(curves[0], b) for b in curves[1:]]
    gaps = {(a, b): {x: zip(errors[a][x], errors[b][x], strict=True) for x in cases} for a, b in pairs}
    less = {f"{a} less {b}": means(by_x, lambda trial: trial[0][0] - trial[1][0]) for (a, b), by_x in gaps.items()}
    yield panel("differences on the same samples", axis, "error less error", less)
    fixed = f"m = {settings.bits_all_samples[which]}" if along else f"{settings.bits_all_features[which]} bits"
    bits = {
        str(curve): [
            _point(x, found(_on_bits(settings, case, curve))) for x, case in settings.cases(setup, True).items()
        ]
        for curve in curves
    }
    title = f"bits, class: {_BITS[setup.relevant]}, {fixed}"
    yield panel(title, axis, "error without noise", bits, row=0, zero=True)


def _errors(settings: NgSettings, case: Case, curve: Curve, found: Found) -> list[list[float]]:
    """Return the errors of all trials, with both rules for ties."""
    chunks = (found(_trials(settings, case, curve, first)) for first in range(0, settings.trials, _CHUNK))
    return list(itertools.chain.from_iterable(chunks))[: settings.trials]


def _point(x: int, found: Any) -> Document:
    if isinstance(found, str):
        return exact(x, Fraction(found))
    return {"x": x} | dict(zip(("mean", "low", "high"), (round(value, 6) for value in found), strict=True))


PLAN = runner.Plan(
    "Ng (1998): errors without noise",
    {number: f"Figure {number} of Ng (1998), obtained" for number in _SETUPS},
    NgSettings,
    ("width", "seed", "bits_work", "bits_trials"),
    _steps,
    _panels,
    order=[str(curve) for curve in (_ORDERED, _NONE, *_WRAPS)],
)
