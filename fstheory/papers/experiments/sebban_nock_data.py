"""The data of Sebban and Nock's tables that can be drawn again or come with scikit-learn, and some that they have not.

How far they are the paper's is told in the textbook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from fstheory.papers.experiments.gaussian import Floats, Integers


class Drawn(NamedTuple):
    """Rows of features with a class each; the values are numbers, or codes of categories."""

    x: Floats
    y: Integers
    is_categorical: bool


class Source(NamedTuple):
    """Data: how many points and features there are, and how they are drawn."""

    points: int
    features: int
    draw: Callable[[np.random.Generator, int], Drawn]


def _bits(rng: np.random.Generator, *shape: int) -> Integers:
    return rng.integers(2, size=shape, dtype=np.int64)


def _flipped(bits: Integers, rng: np.random.Generator) -> Integers:
    """Return bits of which each is the other one with probability 1/10."""
    return bits ^ (rng.random(bits.shape) < 0.1)


def _categories(x: Integers, y: Integers) -> Drawn:
    return Drawn(x.astype(float), y.astype(np.int64), is_categorical=True)


def _hard(rng: np.random.Generator, n: int) -> Drawn:
    """Draw ten fair bits with noise; the class is the parity of five of them before the noise."""
    x = _bits(rng, n, 10)
    return _categories(_flipped(x, rng), x[:, :5].sum(axis=1) % 2)


_SEGMENTS = np.array(
    [[int(bit) for bit in row] for row in (
        "1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011",
    )]
)  # fmt: skip
"""Which of the seven segments are lit in each digit, from the top to the bottom, left before right."""


def _led(useless: int) -> Callable[[np.random.Generator, int], Drawn]:
    def draw(rng: np.random.Generator, n: int) -> Drawn:
        """Draw digits, even or odd, seven noisy segments each, and fair bits beside."""
        digits = rng.integers(10, size=n)
        return _categories(np.hstack([_flipped(_SEGMENTS[digits], rng), _bits(rng, n, useless)]), digits % 2)

    return draw


def _xd6(rng: np.random.Generator, n: int) -> Drawn:
    """Draw ten fair bits; the class is x1 x2 x3 or x4 x5 x6 or x7 x8 x9, with noise."""
    x = _bits(rng, n, 10)
    lit = x[:, 0:9:3] & x[:, 1:9:3] & x[:, 2:9:3]
    return _categories(x, _flipped(lit.max(axis=1), rng))


def _monks(rng: np.random.Generator, n: int) -> Drawn:
    """Return the whole domain of the first of the monks' problems in a drawn order, or some of it."""
    states = np.indices((3, 3, 2, 3, 4, 2)).reshape(6, -1).T
    x = rng.permutation(states)[:n]
    return _categories(x, (x[:, 0] == x[:, 1]) | (x[:, 4] == 0))


def waveforms(rng: np.random.Generator, n: int, centers: Sequence[int], useless: int) -> tuple[Floats, Integers]:
    """Draw Breiman's waveforms: mixtures of two of three triangles at 21 places, and nothing at others, plus noise."""
    triangles = np.maximum(6 - np.abs(np.arange(1, 22) - np.array(centers)[:, None]), 0)
    y = rng.integers(3, size=n)
    part = rng.random((n, 1))
    waves = part * triangles[[0, 0, 1]][y] + (1 - part) * triangles[[1, 2, 2]][y]
    return np.hstack([waves, np.zeros((n, useless))]) + rng.standard_normal((n, 21 + useless)), y


def _waves(rng: np.random.Generator, n: int) -> Drawn:
    return Drawn(*waveforms(rng, n, (7, 15, 11), 0), is_categorical=False)


def _shifted(shifts: tuple[float, ...], features: int, copies: int = 0) -> Callable[[np.random.Generator, int], Drawn]:
    def draw(rng: np.random.Generator, n: int) -> Drawn:
        """Draw standard normal features, of which the first have other means in class 1; and noisy copies of X1."""
        y = rng.integers(2, size=n)
        x = rng.standard_normal((n, features))
        x[:, : len(shifts)] += np.outer(y, shifts)
        x[:, 1 : 1 + copies] = x[:, :1] + 0.1 * x[:, 1 : 1 + copies]
        return Drawn(x, y, is_categorical=False)

    return draw


def _five(rng: np.random.Generator, n: int) -> Drawn:
    """Draw five classes whose values of X1 are far apart, and four useless features."""
    y = np.arange(n) % 5
    x = rng.standard_normal((n, 5))
    x[:, 0] = 10 * y + rng.random(n)
    return Drawn(x, y, is_categorical=False)


def _of_scikit_learn(name: str) -> Callable[[np.random.Generator, int], Drawn]:
    def draw(rng: np.random.Generator, n: int) -> Drawn:
        """Return what comes with scikit-learn in a drawn order, or some of it."""
        from sklearn import datasets

        found = getattr(datasets, f"load_{name}")()
        x, y = found.data.astype(float), found.target.astype(np.int64)
        if name == "digits":  # sums of squares of four pixels
            x = x.reshape(-1, 4, 2, 4, 2).sum(axis=(2, 4)).reshape(-1, 16)
        order = rng.permutation(len(x))[:n]
        return Drawn(x[order], y[order], is_categorical=False)

    return draw


SOURCES = {
    "Hard": Source(256, 10, _hard),
    "LED": Source(500, 7, _led(0)),
    "LED24": Source(200, 24, _led(17)),
    "Monks 1": Source(432, 6, _monks),
    "Synt1": Source(300, 10, _shifted((1.5, 1.2, 0.9, 0.7, 0.5, 0.3, 0.2), 10)),
    "Synt2": Source(300, 10, _shifted((1.35,), 10, copies=2)),
    "Synt3": Source(300, 100, _shifted((1.1,) * 7, 100)),
    "Waves": Source(501, 21, _waves),
    "Xd6": Source(600, 10, _xd6),
    "Iris": Source(150, 4, _of_scikit_learn("iris")),
    "Wine": Source(178, 13, _of_scikit_learn("wine")),
    "Breast Cancer": Source(569, 30, _of_scikit_learn("breast_cancer")),
    "Digits": Source(300, 16, _of_scikit_learn("digits")),
    "Five": Source(100, 5, _five),
    "Noise": Source(100, 20, _shifted((), 20)),
}
"""By their names in the paper, as far as they are in it."""
OF_SCIKIT_LEARN = {"Iris", "Wine", "Breast Cancer", "Digits"}
