"""Figures 1 to 5 of Ng (1998), and beside each the same with bits in place of Gaussians, exactly as far as it goes.

Trials draw Gaussian features and a linear target whose class is flipped with probability 3/10; what is measured is the
noise-free error (`sign_disagreement`), not that of a test set. All methods see the same samples. Bits are uniform; the
class is the last bit, or the majority of the last three, flipped alike; the learner is the majority table, the search
is over all subsets, and ties go to the smaller set and then to the first features, which are the irrelevant ones.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError, require
from fstheory.papers.experiments.gaussian import (
    Floats,
    Integers,
    beam_search,
    logistic_regressions,
    sign_disagreement,
)
from fstheory.papers.experiments.runner import Document, Found, Plan, Step, exact, means, panel
from fstheory.papers.experiments.settings import Settings, some, whole
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


class Curve(NamedTuple):
    """One line of a figure: a method with its hold-out fraction."""

    title: str
    held: Fraction = Fraction(0)

    def __str__(self) -> str:
        return f"{self.title} {self.held}" if self.held else self.title

    @property
    def method(self) -> Method:
        """The method on bits."""
        if self.title == "ORDERED-FS":
            return OrderedFS(holdout=self.held, ties="first")
        return StandardWrap(holdout=self.held, ties="first") if self.held else NoSelection()


class Setup(NamedTuple):
    """What a figure shows: how many features are relevant, its x-axis, its lines."""

    relevant: int
    along: Literal["features", "samples"]
    curves: Sequence[Curve]


_NONE, _ORDERED = Curve("no selection"), Curve("ORDERED-FS", Fraction(3, 10))
_WRAPS = [Curve("STANDARD-WRAP", Fraction(tenths, 10)) for tenths in (3, 5, 7)]
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
class NgSettings(Settings):
    """What Ng's experiment is run with; the paper prints only the trials, the width, and 20 features in Figure 3.

    Parameters
    ----------
    trials, width : int
        At each point; of the beam.
    features, samples : tuple of int
        The x-axes of Figures 1, 2, 4 and of Figures 3, 5.
    all_features, all_samples : int
        How many features there are in Figures 3 and 5, and samples in the others, those held out included.
    bits_features, bits_samples, bits_all_features, bits_all_samples
        The same with bits, the last two with one relevant bit and with three.
    bits_work, bits_trials : int
        Steps that an exact law may take, as `selection_law` counts them; trials where none is in reach.

    Examples
    --------
    >>> from fstheory.papers.experiments import NgSettings
    >>> NgSettings().trials, NgSettings().width, NgSettings.quick().trials
    (200, 50, 40)
    """

    trials: int = whole(200, 2)
    width: int = whole(50, 1)
    features: tuple[int, ...] = some((1, 3, 5, 10, 15, 20, 25, 30), whole(0, 1, 62))
    all_samples: int = whole(100, 1, step=10)
    samples: tuple[int, ...] = some((20, 40, 60, 100, 140, 200), whole(0, 1, step=10))
    all_features: int = whole(20, 3, 62)
    bits_features: tuple[int, ...] = some((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), whole(0, 1, 62))
    bits_samples: tuple[int, ...] = some((10, 20, 30, 40, 60, 80, 100), whole(0, 1, step=10))
    bits_all_features: tuple[int, int] = some((2, 3), whole(0, 1, 62))
    bits_all_samples: tuple[int, int] = some((40, 10), whole(0, 1, step=10))
    bits_work: int = whole(400_000_000, 1)
    bits_trials: int = whole(4000, 2)
    seed: int = whole(1998)

    def __post_init__(self) -> None:
        super().__post_init__()
        needed, pair = "at least 3 for three relevant ones", self.bits_all_features
        require(pair[-1] >= 3, "bits_all_features", needed, pair, "pass (2, 3), say")

    @classmethod
    def quick(cls) -> NgSettings:
        """Return settings for two minutes on two cores: fewer trials and features, a beam of 10."""
        return cls(
            trials=40, width=10, features=(1, 3, 6, 9, 12), samples=(20, 60, 100, 200), all_features=12,
            bits_features=(1, 2, 3, 5, 8), bits_samples=(10, 20, 40, 80), bits_all_samples=(20, 10), bits_trials=1000,
        )  # fmt: skip

    def cases(self, setup: Setup, bits: bool = False) -> dict[int, Case]:
        """Return, by their x, the numbers of relevant features, features and samples of a figure."""
        which, k = int(setup.relevant > 1), setup.relevant
        if setup.along == "features":
            m = self.bits_all_samples[which] if bits else self.all_samples
            return {f: (k, f, m) for f in (self.bits_features if bits else self.features) if f >= k}
        f = self.bits_all_features[which] if bits else self.all_features
        return {m: (k, f, m) for m in (self.bits_samples if bits else self.samples)}


def _steps(settings: NgSettings, figures: Sequence[int]) -> Iterator[Step]:
    """Yield the points on bits, then the trials ten at a time, all points once before any of them twice."""
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
    """Return the step that finds the exact error of a method, or an estimate where that would take too long."""
    relevant, n, m = case

    def find(_: threading.Event) -> Any:
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
    """Return the step that finds the errors of ten trials, each with ties to the smallest subsets and uniform."""
    relevant, n, m = case

    def trial(number: int) -> list[float]:
        rng = settings.rng(*case, number)
        x = rng.standard_normal((m, n))
        clean = x[:, :relevant].sum(axis=1) + _OFFSET[relevant] > 0
        y = (clean ^ (rng.random(m) < float(_NOISE))).astype(np.int64)
        direction = np.repeat([1.0, 0.0], [relevant, n - relevant])
        selected = _selected(settings, curve, x, y, settings.rng(*case, number, _CURVES.index(curve)))
        return [sign_disagreement(w[:-1], float(w[-1]), direction, _OFFSET[relevant]) for w in selected]

    def find(stop: threading.Event) -> list[list[float]]:
        return [trial(number) for number in range(first, first + _CHUNK) if not stop.is_set()]

    return Step(_name(f"trials from {first}", case, curve), find)


def _selected(settings: NgSettings, curve: Curve, x: Floats, y: Integers, rng: np.random.Generator) -> list[Floats]:
    """Return the weights that the method ends with, under both rules for ties."""
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
    """Yield Gaussians, with ties to the smallest subsets and uniform, differences on the same samples, and bits."""
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
    less = {
        f"{a} less {b}": means({x: zip(errors[a][x], errors[b][x], strict=True) for x in cases}, _gap) for a, b in pairs
    }
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


def _gap(trial: tuple[list[float], list[float]]) -> float:
    return trial[0][0] - trial[1][0]


def _point(x: int, found: Any) -> Document:
    if isinstance(found, str):
        return exact(x, Fraction(found))
    return {"x": x} | dict(zip(("mean", "low", "high"), (round(value, 6) for value in found), strict=True))


PLAN = Plan(
    "Ng (1998): errors without noise",
    {number: f"Figure {number} of Ng (1998), obtained" for number in _SETUPS},
    NgSettings,
    ("width", "seed", "bits_work", "bits_trials"),
    _steps,
    _panels,
    order=[str(curve) for curve in (_ORDERED, _NONE, *_WRAPS)],
)
