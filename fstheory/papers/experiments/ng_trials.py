"""Ng's experiment in pieces: its figures, its settings, and the trials and laws that it consists of."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, require_choice
from fstheory.papers.experiments.gaussian import (
    Floats,
    Integers,
    beam_search,
    logistic_regressions,
    sign_disagreement,
    sklearn_regressions,
)
from fstheory.papers.experiments.steps import Step
from fstheory.samples.law import selection_law
from fstheory.samples.methods import Method, NoSelection, OrderedFS, StandardWrap
from fstheory.samples.simulation import simulate

__all__ = ["BITS", "FIGURES", "TARGETS", "NgSettings", "Pair", "Setup", "bit_steps", "chunks", "name_of"]

_NOISE = Fraction(3, 10)
_OFFSET = {1: 0.2, 3: 0.0}  # of the targets x1 + 0.2 > 0 and x1 + x2 + x3 > 0
TARGETS = {1: "x1 + 0.2 > 0", 3: "x1 + x2 + x3 > 0"}
BITS = {1: "the last bit", 3: "the majority of the last three bits"}
_CHUNK = 10  # trials between two looks at the journal
_MOST_OF_THREE = 10  # samples: what is trained on three bits has thousands of outcomes, each with a law of its own
_LEARNERS = {"newton": logistic_regressions, "scikit-learn": sklearn_regressions}


class Curve(NamedTuple):
    """One line of a figure: a method with its hold-out fraction, and how it is drawn."""

    title: str
    held: Fraction
    style: str
    color: str

    @property
    def label(self) -> str:
        """What it is called in results."""
        return self.title if not self.held else f"{self.title} {self.held}"

    @property
    def method(self) -> Method:
        """The method on bits."""
        if self.title == "ORDERED-FS":
            return OrderedFS(holdout=self.held, ties="first")
        return StandardWrap(holdout=self.held, ties="first") if self.held else NoSelection()


_NONE = Curve("no selection", Fraction(0), ":", "#5f5f5f")
_WRAPS = [
    Curve("STANDARD-WRAP", Fraction(tenths, 10), style, color)
    for tenths, style, color in ((3, "--", "#D55E00"), (5, "-.", "#E69F00"), (7, ":", "#CC79A7"))
]
_ORDERED = Curve("ORDERED-FS", Fraction(3, 10), "-", "#0072B2")
_CURVES = [_NONE, *_WRAPS, _ORDERED]  # their places seed the ties


class Setup(NamedTuple):
    """What a figure shows: the number of relevant features, its x-axis, its lines, and the pairs that are compared."""

    relevant: int
    along: Literal["features", "samples"]
    curves: Sequence[Curve]
    pairs: Sequence[tuple[Curve, Curve]]


_BOTH = [*_WRAPS[:2], _ORDERED]
_OVER = [(wrap, _ORDERED) for wrap in _WRAPS[:2]]
FIGURES = {
    1: Setup(1, "features", [_NONE, _WRAPS[0], _ORDERED], [(_NONE, _ORDERED), (_WRAPS[0], _ORDERED)]),
    2: Setup(1, "features", _WRAPS, [(_WRAPS[0], _WRAPS[1]), (_WRAPS[0], _WRAPS[2])]),
    3: Setup(1, "samples", _BOTH, _OVER),
    4: Setup(3, "features", _BOTH, _OVER),
    5: Setup(3, "samples", _BOTH, _OVER),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class NgSettings(Result):
    """What Ng's experiment is run with; the paper prints only the trials, the width, and 20 features in Figure 3.

    Parameters
    ----------
    trials : int
        At each point; at least 2.
    width : int
        Of the beam.
    features, samples : tuple of int
        The x-axes of Figures 1, 2, 4 and of Figures 3, 5.
    all_features, all_samples : int
        How many features there are in Figures 3 and 5, and samples in the others, those held out included.
    learner : {'newton', 'scikit-learn'}
        Logistic regression with the penalty w.w / 2: many at once, or one by one in scikit-learn.
    bits_features, bits_samples : tuple of int
        The x-axes with bits.
    bits_all_features, bits_all_samples : tuple of two int
        What the others are in figures with bits, with one relevant bit and with three.
    bits_work : int
        Steps that an exact law may take, as `selection_law` counts them; of three bits it has 10 samples at most.
    bits_trials : int
        Where no exact law is in reach.
    seed : int

    Examples
    --------
    >>> from fstheory.papers.experiments import NgSettings
    >>> NgSettings().trials, NgSettings().width, NgSettings.quick().trials
    (200, 50, 40)
    """

    trials: int = 200
    width: int = 50
    features: tuple[int, ...] = (1, 3, 5, 10, 15, 20, 25, 30)
    all_samples: int = 100
    samples: tuple[int, ...] = (20, 40, 60, 100, 140, 200)
    all_features: int = 20
    learner: Literal["newton", "scikit-learn"] = "newton"
    bits_features: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    bits_samples: tuple[int, ...] = (10, 20, 30, 40, 60, 80, 100)
    bits_all_features: tuple[int, int] = (2, 3)
    bits_all_samples: tuple[int, int] = (40, 10)
    bits_work: int = 400_000_000
    bits_trials: int = 4000
    seed: int = 1998

    def __post_init__(self) -> None:
        require_choice(self.learner, "learner", list(_LEARNERS))
        as_index(self.seed, "seed")
        for name, least in {"trials": 2, "width": 1, "bits_work": 1, "bits_trials": 2}.items():
            as_index(getattr(self, name), name, at_least=least)
        for name in ("features", "all_features", "bits_features", "bits_all_features"):
            for number in _numbers(getattr(self, name), name):
                if number > 62:
                    raise InvalidValueError(explain(name, "at most 62", number, "take fewer features"))
        if self.all_features < 3 or self.bits_all_features[-1] < 3:
            name = "all_features" if self.all_features < 3 else "bits_all_features"
            raise InvalidValueError(explain(name, "at least 3 for three relevant ones", 2, "pass 3 or more"))
        for name in ("samples", "all_samples", "bits_samples", "bits_all_samples"):
            for number in _numbers(getattr(self, name), name):
                if number % 10:
                    repair = "of others 3/10 cannot be held out"
                    raise InvalidValueError(explain(name, "a multiple of 10", number, repair))

    @classmethod
    def quick(cls) -> NgSettings:
        """Return settings for two minutes on two cores: fewer trials and features, a beam of 10."""
        return cls(
            trials=40, width=10, features=(1, 3, 6, 9, 12), samples=(20, 60, 100, 200), all_features=12,
            bits_features=(1, 2, 3, 5, 8), bits_samples=(10, 20, 40, 80), bits_all_samples=(20, 10), bits_trials=1000,
        )  # fmt: skip

    def cases(self, figure: Setup, bits: bool = False) -> dict[int, tuple[int, int, int]]:
        """Return, by their x, the numbers of relevant features, features and samples of a figure."""
        which = int(figure.relevant > 1)
        if figure.along == "features":
            m = self.bits_all_samples[which] if bits else self.all_samples
            sizes = self.bits_features if bits else self.features
            return {f: (figure.relevant, f, m) for f in sizes if f >= figure.relevant}
        f = self.bits_all_features[which] if bits else self.all_features
        return {m: (figure.relevant, f, m) for m in (self.bits_samples if bits else self.samples)}


def _numbers(value: object, name: str) -> list[int]:
    """Return a number or several of them as a list, or refuse them."""
    if isinstance(value, list | tuple) and value:
        return [as_index(part, name, at_least=1) for part in value]
    if isinstance(value, list | tuple | str):
        raise InvalidTypeError(explain(name, "an integer or some of them", value, "pass (5, 10), say"))
    return [as_index(value, name, at_least=1)]


Pair: TypeAlias = tuple[tuple[int, int, int], Curve]


def name_of(kind: str, case: tuple[int, int, int], curve: Curve) -> str:
    """Return what the journal calls a step."""
    return f"{kind}: {case[0]} relevant of {case[1]}, {case[2]} samples, {curve.label}"


def chunks(settings: NgSettings, cases: Sequence[Pair]) -> Iterator[Step]:
    """Yield the trials, ten at a time, first all points once: so a run that is broken off has a bit of each."""
    for first in range(0, settings.trials, _CHUNK):
        for case, curve in cases:
            name = name_of(f"trials {first} to {first + _CHUNK - 1}", case, curve)
            yield Step(name, _Trials(settings, case, curve, first), _CHUNK, 2)


@dataclass(frozen=True)
class _Trials:
    """Ten trials of one method at one point."""

    settings: NgSettings
    case: tuple[int, int, int]
    curve: Curve
    first: int

    def __call__(self, stop: threading.Event) -> list[list[str]]:
        """Return the error of each trial, with ties to the smallest subsets and uniform."""
        trials = itertools.takewhile(lambda _: not stop.is_set(), range(self.first, self.first + _CHUNK))
        return [[repr(error) for error in self.trial(number)] for number in trials]

    def trial(self, number: int) -> list[float]:
        """Draw a sample, select, and return the errors."""
        relevant, n, m = self.case
        key = (*self.case, number)
        rng = np.random.default_rng(np.random.SeedSequence(self.settings.seed, spawn_key=key))
        x = rng.standard_normal((m, n))
        clean = x[:, :relevant].sum(axis=1) + _OFFSET[relevant] > 0
        y = (clean ^ (rng.random(m) < float(_NOISE))).astype(np.int64)
        direction = np.zeros(n)
        direction[:relevant] = 1.0
        ties = np.random.SeedSequence(self.settings.seed, spawn_key=(*key, _CURVES.index(self.curve)))
        selected = self.select(x, y, np.random.default_rng(ties))
        return [sign_disagreement(w[:-1], float(w[-1]), direction, _OFFSET[relevant]) for w in selected]

    def select(self, x: Floats, y: Integers, rng: np.random.Generator) -> list[Floats]:
        """Return the weights that the method ends with, under both rules for ties."""
        learner, n = _LEARNERS[self.settings.learner], x.shape[1]
        if not self.curve.held:
            (weights,) = learner(x, y, np.arange(n)[None], np.zeros((1, n + 1)))
            return [weights, weights]
        by = "training" if self.curve.title == "ORDERED-FS" else "held out"
        held = int(self.curve.held * len(x))
        best = beam_search(x, y, held, by=by, width=self.settings.width, rng=rng, learner=learner)
        drawn = [found.tie for found in best] if by == "held out" else rng.random(len(best)).tolist()
        order: list[Callable[[int], tuple[float, ...]]] = [
            lambda size: (best[size].held_out, size),
            lambda size: (best[size].held_out, drawn[size]),
        ]
        return [best[min(range(len(best)), key=rule)].weights for rule in order]


def bit_steps(settings: NgSettings, cases: Sequence[Pair]) -> Iterator[Step]:
    """Yield the points on bits."""
    for case, curve in cases:
        yield Step(name_of("bits", case, curve), _Bits(settings, case, curve), 1, 4)


@dataclass(frozen=True)
class _Bits:
    """One point of one method on bits: the exact law, or a simulation where that would take too long."""

    settings: NgSettings
    case: tuple[int, int, int]
    curve: Curve

    def __call__(self, stop: threading.Event) -> list[list[str]]:
        """Return the exact error, or '' and an estimate with its interval."""
        if stop.is_set():
            return []
        relevant, n, m = self.case
        d = _bits(relevant, n)
        work = self.settings.bits_work if n <= 2 or (n == 3 and m <= _MOST_OF_THREE) else 1
        try:
            law = selection_law(d, m, self.curve.method, work=work)
        except TooLargeError:
            spawned = (0, *self.case, _CURVES.index(self.curve))
            rng = np.random.default_rng(np.random.SeedSequence(self.settings.seed, spawn_key=spawned))
            found = simulate(d, m, self.curve.method, trials=self.settings.bits_trials, rng=rng)
            risks = (found.expected_risk, *found.expected_risk_interval())
            noise = float(_NOISE)
            return [["", *(repr((risk - noise) / (1 - 2 * noise)) for risk in risks)]]
        exact = (law.expected_risk - _NOISE) / (1 - 2 * _NOISE)
        return [[str(exact), *[repr(float(exact))] * 3]]


def _bits(relevant: int, n: int) -> JointDistribution:
    """Return uniform bits with the majority of the last few, flipped with probability 3/10, as the class."""
    weights = np.zeros((*[2] * n, 2), dtype=np.int64)
    for x in itertools.product((0, 1), repeat=n):
        label = int(2 * sum(x[n - relevant :]) > relevant)
        weights[(*x, label)], weights[(*x, 1 - label)] = 7, 3
    return JointDistribution(weights)
