"""Grids of two parameters: every point against the distribution built there by hand."""

from fractions import Fraction
from typing import Any

import numpy as np
import sympy

import fstheory as fs
from fstheory.selection.family import mixture_grid, parameter_grid

FIRST = fs.JointDistribution([[[3, 0], [2, 1]], [[1, 2], [0, 3]]])
SECOND = fs.JointDistribution([[[3, 1], [1, 4]], [[3, 1], [0, 2]]])
XOR = fs.gallery.xor(noise="1/8")
S, T = sympy.symbols("s t")


def sensors(kind: Any) -> Any:
    """Two sensors with noises s and t, and a third with noise 1/4: for numbers, or for symbols."""
    weights = np.empty((2, 2, 2, 2), dtype=object)
    s, t = kind
    for x1, x2, x3, y in np.ndindex(weights.shape):
        weights[x1, x2, x3, y] = (1 - s if x1 == y else s) * (1 - t if x2 == y else t) * (3 if x3 == y else 1)
    return weights.tolist()


def test_every_point_of_a_grid_of_mixtures_is_right() -> None:
    for size in (None, 1):
        grid = mixture_grid(FIRST, SECOND, XOR, size=size, steps=6)
        assert len(grid.answers) == 28
        for (a, b), answer in grid.answers.items():
            shares = zip((1 - a - b, a, b), (FIRST, SECOND, XOR), strict=True)
            weights = sum(share * d.weights.astype(object) * Fraction(1, d.total) for share, d in shares)
            risks = fs.bayes_risks(fs.JointDistribution(np.array(weights).tolist()))
            assert answer == (risks.minimal_sets() if size is None else risks.best_of_size(1).subsets)


def test_every_point_of_a_grid_of_parameters_is_right() -> None:
    grid = parameter_grid(
        sensors((S, T)), (S, T), ends=(("1/8", "1/2"), (0, "1/2")), steps=3, features=["one", "other", "steady"]
    )
    assert {point[0] for point in grid.answers} == {Fraction(1, 8), Fraction(1, 4), Fraction(3, 8), Fraction(1, 2)}
    for point, answer in grid.answers.items():
        d = fs.JointDistribution(sensors(point), features=["one", "other", "steady"])
        assert answer == fs.bayes_risks(d).minimal_sets()
    assert len(set(grid.answers.values())) > 3


def test_the_picture_says_that_it_is_a_grid() -> None:
    picture = mixture_grid(FIRST, SECOND, XOR, size=1, steps=4).plot()
    assert picture.title == "Best subsets of size 1 on a grid of 15 points, each exact"
    assert "between them nothing is claimed" in picture.to_svg()
    assert ">{X2} (" in picture.to_svg()
