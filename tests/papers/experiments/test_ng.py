"""Ng's experiment: the error without a test set, the fits, the search, and a run that can be broken off."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate
from scipy.special import ndtr

import fstheory as fs
from fstheory.papers.experiments import NgSettings, run_experiment, sign_disagreement
from fstheory.papers.experiments.ng import beam_search, logistic_regressions
from tests.papers.experiments.runs import SMALL, small

# -- the error of a linear classifier


def literal(w: list[float], b: float, u: list[float], c: float) -> float:
    """Return P([w.x + b > 0] != [u.x + c > 0]) by quadrature over the part of x along u."""
    u, c = [v / float(np.linalg.norm(u)) for v in u], c / float(np.linalg.norm(u))
    along = float(np.dot(w, u))
    across = float(np.linalg.norm(np.array(w) - along * np.array(u)))

    def differ(t: float) -> float:
        says_one = float(ndtr((along * t + b) / across))
        return float(np.exp(-t * t / 2) / np.sqrt(2 * np.pi)) * (1 - says_one if t + c > 0 else says_one)

    ends = [-12.0, *sorted({-c, -b / along if along else 0.0}), 12.0]
    parts = (integrate.quad(differ, *pair, epsabs=1e-13, limit=400)[0] for pair in itertools.pairwise(ends))
    return float(sum(parts))


@pytest.mark.parametrize("offset", [0.0, 0.2, -1.5])
@pytest.mark.parametrize("bias", [0.0, 0.7, -2.5])
def test_the_error_is_that_of_quadrature(bias: float, offset: float) -> None:
    for w in ([1.0, 0.0], [0.3, -2.0], [-1.0, 0.01], [5.0, 5.0], [0.0, 3.0], [-0.4, -0.4]):
        for u in ([1.0, 0.0], [1.0, 1.0], [-2.0, 1.0]):
            if w[0] * u[1] != w[1] * u[0]:
                found = sign_disagreement(w, bias, u, offset)
                assert found == pytest.approx(literal(w, bias, u, offset), abs=1e-10), (w, u)
                assert found == pytest.approx(sign_disagreement(u, offset, w, bias), abs=1e-14)


@pytest.mark.parametrize("small", [1e-3, 1e-7, 1e-12, 1e-17])
def test_the_error_of_what_is_nearly_parallel(small: float) -> None:
    """It differs from that of the parallel classifier by no more than the angle."""
    for bias, offset in ((0.0, 0.2), (0.2, 0.2), (-1.0, 0.3), (0.2 + small, 0.2), (0.0, small)):
        for sign in (1, -1):
            near = sign_disagreement([sign, small, 0], sign * bias, [1, 0, 0], offset)
            there = abs(ndtr(bias) - ndtr(offset))
            assert near == pytest.approx(there if sign > 0 else 1 - there, abs=small + 1e-15)
    assert sign_disagreement([0.1] * 3, 0.02, [1 / 3] * 3, 0.2 / 3) == pytest.approx(0, abs=1e-15)


# -- logistic regression and the search


def sample(m: int, f: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((m, f))
    return x, ((x[:, 0] + 0.2 > 0) ^ (rng.random(m) < 0.3)).astype(np.int64)


def all_of(n: int, size: int) -> np.ndarray:
    return np.array(list(itertools.combinations(range(n), size)), dtype=np.int64).reshape(math.comb(n, size), size)


@pytest.mark.parametrize("size", [0, 1, 3, 7])
def test_the_fits_are_where_the_gradient_is_zero(size: int) -> None:
    """From any start, and with 12 samples of 7 features, where the classes can be separated."""
    for m, seed in ((12, 0), (40, 1)):
        x, y = sample(m, 7, seed)
        subsets = all_of(7, size)
        starts = np.random.default_rng(seed).standard_normal((len(subsets), size + 1)) * 5
        fits = logistic_regressions(x, y, subsets, starts)
        for subset, w in zip(subsets, fits, strict=True):
            z = np.column_stack([x[:, subset], np.ones(m)])
            gradient = z.T @ (1 / (1 + np.exp(-z @ w)) - y) + np.append(w[:-1], 0)
            assert abs(gradient).max() < 1e-5


def test_the_fits_are_those_of_scikit_learn() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    x, y = sample(30, 6, 2)
    subsets = all_of(6, 2)
    for subset, weights in zip(subsets, logistic_regressions(x, y, subsets, np.zeros((15, 3))), strict=True):
        model = linear_model.LogisticRegression(tol=1e-8, max_iter=10_000).fit(x[:, subset], y)
        assert weights == pytest.approx([*model.coef_[0], *model.intercept_], abs=1e-5)
    one = np.zeros(30, dtype=np.int64)
    assert (logistic_regressions(x, one, subsets, np.zeros((15, 3)))[:, -1] < 0).all(), "one class"


@pytest.mark.parametrize("by", ["training", "held out"])
def test_a_wide_beam_is_an_exhaustive_search(by: str) -> None:
    x, y = sample(30, 5, 3)
    for size, best in enumerate(beam_search(x, y, 9, by=by, width=10, rng=np.random.default_rng(0))):
        subsets = all_of(5, size)
        fits = logistic_regressions(x[:21], y[:21], subsets, np.zeros((len(subsets), size + 1)))
        wrong = [(x[:, s] @ w[:-1] + w[-1] > 0) != y for s, w in zip(subsets, fits, strict=True)]
        errors = {(1 << s).sum(): (e[:21].sum(), e[21:].sum()) for s, e in zip(subsets, wrong, strict=True)}
        assert (best.training, best.held_out) == errors[best.mask]
        at = 0 if by == "training" else 1
        assert errors[best.mask][at] == min(error[at] for error in errors.values())


# -- the experiment


@pytest.mark.thorough
def test_bits_are_exact_where_the_law_is() -> None:
    found = small("ng-1998")
    last = fs.JointDistribution([[[7, 3], [3, 7]], [[7, 3], [3, 7]]])  # the class is X2
    law = fs.selection_law(last, 10, fs.OrderedFS(holdout=3, ties="first"))
    error = Fraction(found.point(1, "bits", "ORDERED-FS 3/10", 2)["exact"])
    assert error == (law.expected_risk - Fraction(3, 10)) * Fraction(5, 2)
    assert Fraction(found.point(1, "bits", "no selection", 1)["exact"]) == fs.selection_law(
        last.marginal(["X2"]), 10, fs.samples.NoSelection()
    ).expected_risk * Fraction(5, 2) - Fraction(3, 4)
    simulated = found.point(1, "bits", "ORDERED-FS 3/10", 3)
    assert simulated["low"] < simulated["mean"] < simulated["high"]
    assert "exact" not in found.point(5, "bits", "STANDARD-WRAP 1/2", 10), "beyond the work allowed"


@pytest.mark.thorough(3)
def test_the_estimates_are_means_with_standard_errors() -> None:
    found = small("ng-1998")
    error = found.point(4, "Gaussians", "ORDERED-FS 3/10", 4)
    assert 0 < error["standard_error"] < error["mean"] < 0.6
    paired = found.point(4, "differences", "STANDARD-WRAP 1/2 less ORDERED-FS 3/10", 4)["mean"]
    wrap = found.point(4, "Gaussians", "STANDARD-WRAP 1/2", 4)["mean"]
    assert paired == pytest.approx(wrap - error["mean"], abs=2e-6)
    same = [found.point(n, "Gaussians", "STANDARD-WRAP 3/10", 4) for n in (1, 2)]
    assert same[0] == same[1], "the same samples"
    other = run_experiment("ng-1998", [1], settings=NgSettings(**{**vars(SMALL["ng-1998"]), "seed": 7}))
    assert other.point(1, "Gaussians", "STANDARD-WRAP 3/10", 4) != same[0]
