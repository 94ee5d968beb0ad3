"""What the ledger says of Beraha et al. agrees with the library and with the definitions, on random distributions."""

import itertools
import math
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import mpmath  # type: ignore[import-untyped]
import pytest

from fstheory import Check, PlugIn, bayes_risk, selection_law
from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.logic.expressions import walk
from fstheory.logic.language import Model
from fstheory.logic.verdict import Holds, Vacuous
from fstheory.measures import bounds
from fstheory.measures.information import conditional_entropy, conditional_mutual_information, mutual_information
from fstheory.measures.regression import covariances, linear_regression, mean_squared_error
from fstheory.numbers import LogSum, ShiftedRoot
from fstheory.papers import beraha_2019, terms
from fstheory.papers.experiments.tail_problem import TailProblem, tail_of_bits
from fstheory.papers.ledger import claims
from fstheory.selection.stopping import ErrorRule, cmi_elimination
from tests.measures import literal
from tests.papers.drawn import (
    TWO,
    drawn,
    each_drawn,
    formula_of,
    is_regular,
    is_true,
    largest_value,
    last_comparison,
    numbers,
    places,
    pmf_of,
    subsets,
    value,
)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """Compute with the precision of the oracle."""
    with mpmath.workdps(literal.DIGITS):
        yield


@each_drawn(40)
def test_terms_of_the_best_predictors(d: JointDistribution) -> None:
    m, pmf = Model(d), pmf_of(d)
    possible = {cell[-1] for cell, p in pmf.items() if p}
    assert value(d, terms.largest(m)) == max(map(abs, possible))
    assert value(d, terms.width(m)) == max(possible) - min(possible)
    for kept, at in ((kept, places(d, kept)) for kept in subsets(d)):
        assert value(d, terms.squared_error(m, kept)) == literal.squared_error(pmf, at)
        assert literal.near(value(d, terms.score(m, m.features - kept)), literal.nu(pmf, at))
        distance = terms.expectation(m, m.features, lambda x, kept=kept: terms.variation(m, x, kept))  # type: ignore[misc]
        assert value(d, distance) == literal.variation(pmf, at)
        lost = terms.expectation(m, m.features, lambda x, kept=kept: terms.divergence(m, x, kept))  # type: ignore[misc]
        assert literal.near(value(d, lost), literal.nu(pmf, at))
        whole = terms.entropy_by_definition(m, kept | {None}) - terms.entropy_by_definition(m, kept)
        assert literal.near(value(d, whole), literal.conditional_entropy(pmf, at))


@pytest.mark.parametrize("seed", range(40))
def test_information_of_groups(seed: int) -> None:
    d = drawn(seed)
    m = Model(d)
    for groups in itertools.product(range(4), repeat=len(d.features) + 1):  # each variable in one group, or in none
        variables = list(zip((*m.order, None), groups, strict=True))
        a, b, c = (frozenset(name for name, group in variables if group == number) for number in range(3))
        names = [[d.target if name is None else name for name in part] for part in (a, b, c)]
        assert value(d, terms.information(m, a, b, c)) == conditional_mutual_information(d, *names)
        if seed > 5:
            break


BOUNDS: dict[str, Callable[..., Check]] = {
    "B-0n": bounds.information_identity,
    "B-1": bounds.regression_bound,
    "B-1y": bounds.regression_bound_as_printed,
    "B-1s": bounds.regression_bound_sharp,
    "B-3": bounds.classification_bound,
    "B-3s": bounds.classification_bound_sharp,
    "B-3v": bounds.classification_bound_by_variation,
    "B-2": bounds.linear_bound_as_printed,
    "B-2c": bounds.linear_bound,
    "B-2s": bounds.linear_bound_sharp,
    "B-2e": bounds.linear_identity,
    "B-2u": bounds.correlation_bound_as_printed,
    "B-2ua": lambda d, removed: bounds.correlation_bound_as_printed(d, removed, absolute=True),
    "B-2uc": bounds.correlation_bound,
    "B-2ue": bounds.correlation_identity,
}

CONJUNCTION = JointDistribution.from_counts(
    {(a * b, a, b, y): 1 + a * y for a, b, y in itertools.product((0, 1), repeat=3)}
)
"""X1 = X2 X3 is correlated with two features that are not correlated with each other."""


@pytest.mark.parametrize(
    "d",
    [CONJUNCTION, *map(drawn, range(6)), *(pytest.param(drawn(k), marks=pytest.mark.thorough) for k in range(6, 70))],
)
def test_sides_of_bounds(d: JointDistribution) -> None:
    """Not only the verdicts are the same: so is the slack, where a theorem would be true with another constant."""
    regular = is_regular(d)
    assert regular or d != CONJUNCTION
    for removed, (key, function) in itertools.product(subsets(d), BOUNDS.items()):
        if claims[key].assumptions and not regular:
            continue
        try:
            check = function(d, removed)
        except InvalidValueError:  # features that have to be uncorrelated are not: nothing is claimed
            assert is_true(key, d, removed)
            continue
        assert is_true(key, d, removed) == bool(check)
        sides = last_comparison(key, d, removed)
        if sides is None:  # nothing is removed, or both sides are the same term
            assert check.slack == 0 or not removed
        elif isinstance(check.right, ShiftedRoot):
            assert isinstance(check.left, Fraction)
            assert sides == ((check.left - check.right.shift) ** 2, sum(check.right.radicands, LogSum()))
        else:
            assert sides[1] - sides[0] == (0 if check.relation == "==" else check.slack)


@each_drawn(25)
def test_loss_of_squared_error(d: JointDistribution) -> None:
    """B-1p is an equation, and its left side is the loss."""
    for removed in subsets(d)[1:]:
        loss = mean_squared_error(d, frozenset(d.features) - removed) - mean_squared_error(d, d.features)
        assert last_comparison("B-1p", d, removed) == (loss, loss)
        assert formula_of("B-1p", d, removed)[0] == "="


@each_drawn(25, TWO)
def test_sides_of_the_sharper_thresholds_and_of_pinsker(d: JointDistribution) -> None:
    m, pmf = Model(d), pmf_of(d)
    formula = formula_of("B-4s", d, frozenset(d.features))
    constants = {node[1] for node in walk(formula) if node[0] == "q"}
    assert {2 * delta for delta in beraha_2019.DELTAS} | {2 * delta**2 for delta in beraha_2019.DELTAS} <= constants
    whole: dict[Any, Fraction] = literal.groups(pmf, ())[()]
    for state in (state for state in m.states() if d.probability(state)):
        found = d.posterior(state)
        mine = dict(zip(numbers(found), found.values(), strict=True))
        distance = sum((abs(mine[y] - q) for y, q in whole.items()), Fraction(0)) / 2
        sides = last_comparison("B-1k", d, frozenset(d.features), state)
        assert sides is not None
        assert sides[0] == 2 * distance**2
        pairs = [(mine[y], q) for y, q in whole.items() if mine[y]]
        assert literal.near(sides[1], mpmath.fsum(literal.real(p) * mpmath.log(literal.real(p / q)) for p, q in pairs))


@each_drawn(80)
def test_least_information(d: JointDistribution) -> None:
    """Of two classes, both possible: the library counts those that are."""
    for removed in subsets(d):
        check = bounds.classification_bound_by_information(d, removed)
        if len(d.classes) == 2 and all(d.probability({"Y": y}) for y in d.classes):
            assert is_true("B-3i", d, removed) == check.holds
            assert last_comparison("B-3i", d, removed) == (check.left, check.right)


@each_drawn(30)
def test_forms_without_a_logarithm(d: JointDistribution) -> None:
    pmf = pmf_of(d)
    whole = list(pmf.values())
    entropy = -mpmath.fsum(literal.real(p) * mpmath.log(literal.real(p)) for p in whole if p)
    same = abs(entropy - literal.real(sum((p * p for p in whole), Fraction(0)))) < mpmath.mpf(10) ** -50
    assert not same  # a rational is no sum of logarithms, unless both are 0, and a sum of squares is not
    assert not is_true("B-0h", d, frozenset(d.features))
    state = next(state for state in Model(d).states() if d.probability(state))
    assert not is_true("B-0k", d, frozenset(), state)  # 1, where the divergence from p is 0


@each_drawn(40)
def test_likelihood_of_the_target_and_of_the_features(d: JointDistribution) -> None:
    """B-0l: to remove by scores is to keep the likelihood of the target; B-0lf: that of the features is another one."""
    kept = {i: [name for name in d.features if name != i] for i in d.features}
    score = {i: conditional_mutual_information(d, ["Y"], [i], kept[i]) for i in d.features}
    target, features = (
        {i: of(i) for i in d.features}
        for of in (lambda i: conditional_entropy(d, ["Y"], kept[i]), lambda i: conditional_entropy(d, kept[i], ["Y"]))
    )
    for i, j in itertools.permutations(d.features, 2):
        assert (score[i] <= score[j]) == (target[i] <= target[j])
        assert is_true("B-0lf", d, i, j) == (not (score[i] == 0 < score[j]) or features[i] <= features[j])


@each_drawn(40)
def test_square_root_and_linear_dependence(d: JointDistribution) -> None:
    """The two right-hand sides, in many digits."""
    for removed in subsets(d):
        nu = literal.nu(pmf_of(d), places(d, frozenset(d.features) - removed))
        root, linear = mpmath.sqrt(2 * abs(nu)), 2 * literal.real(largest_value(d)) ** 2 * nu
        if abs(nu) < mpmath.mpf(10) ** -50:
            assert is_true("B-3d", d, removed)
        else:
            assert abs(root - linear) > mpmath.mpf(10) ** -40
            assert is_true("B-3d", d, removed) == (root <= linear)


@each_drawn(40)
def test_terms_of_linear_models(d: JointDistribution) -> None:
    m, pmf = Model(d), pmf_of(d)
    variables: list[str | None] = [*m.order, None]
    matrix = covariances(d, (*d.features, d.target))
    for (i, first), (j, second) in itertools.product(enumerate(variables), repeat=2):
        found = value(d, terms.covariance(m, first, second))
        assert found == literal.covariance(pmf, i, j) == matrix[i][j]
    if not is_regular(d):
        assert not linear_regression(d).unique
        return
    assert linear_regression(d).unique
    for kept in subsets(d):
        for j, variable in enumerate(variables):
            assert value(d, terms.linear_error(m, kept, variable)) == literal.linear_error(pmf, places(d, kept), j)
        fit = linear_regression(d, sorted(kept))
        for state in m.states(kept):
            prediction = terms.linear_prediction(m, sorted(kept), state)
            assert value(d, prediction) == fit.predict(state)
    full = linear_regression(d)
    for name in m.order:
        assert value(d, terms.weight(m, name)) == full.weights[name]
        for other in m.order:
            row = (terms.inverse_entry(m, name, k) * terms.covariance(m, k, other) for k in m.order)
            assert value(d, m.sum(row)) == int(name == other)


def test_weights_of_the_proof() -> None:
    """Against the weights of a regression on A alone, where its features are uncorrelated, and on all."""
    seen = set()
    for d in filter(is_regular, map(drawn, range(100))):
        full = linear_regression(d).weights
        for removed in subsets(d)[1:]:
            gone = sorted(removed)
            matrix = covariances(d, (*gone, d.target))
            if not any(matrix[i][j] for i, j in itertools.combinations(range(len(gone)), 2)):
                for place, i in enumerate(gone):
                    own = matrix[place][-1] / matrix[place][place] == full[i]
                    assert is_true("B-2v", d, removed, i) == own
                    seen.add(own)
        whole = covariances(d, d.features)
        for place, i in enumerate(d.features):
            if not any(whole[place][j] for j in range(len(d.features)) if j != place):
                assert linear_regression(d, [i]).weights[i] == full[i]
                assert is_true("B-2vc", d, i)
    assert seen == {True, False}


@each_drawn(60)
def test_linear_models_and_information(d: JointDistribution) -> None:
    """B-1l, B-2z, B-2d and B-2dx by regressions and mutual informations."""
    largest = largest_value(d)
    regular = is_regular(d)
    for i in d.features:
        dependent = mutual_information(d, [i], ["Y"]) > 0
        correlated = covariances(d, (i, "Y"))[0][1] != 0
        assert is_true("B-2d", d, i) == (dependent or not correlated)
        assert is_true("B-2dx", d, i) == (correlated or not dependent)
        if regular:
            rest = [name for name in d.features if name != i]
            lost = linear_regression(d, rest).residual_variance - linear_regression(d).residual_variance
            assert is_true("B-2z", d, i) == (correlated or lost == 0)
            score = conditional_mutual_information(d, ["Y"], [i], rest)
            holds = lost <= 2 * largest**2 * score
            assert is_true("B-1l", d, frozenset({i})) == holds


@each_drawn(60)
def test_cost_of_a_correlated_feature(d: JointDistribution) -> None:
    """B-2y, by regressions; with the weight, as in B-2e, in place of the variance of Y it is true."""
    full = linear_regression(d)
    for i, j in itertools.permutations(d.features if is_regular(d) else (), 2):
        cost = linear_regression(d, [k for k in d.features if k != i]).residual_variance - full.residual_variance
        c = covariances(d, (i, j, "Y"))
        unshared = 1 - c[0][1] ** 2 / (c[0][0] * c[1][1])
        assert is_true("B-2y", d, i, j) == (cost <= unshared * c[2][2])
        assert cost <= full.weights[i] ** 2 * unshared * c[0][0]


def test_the_printed_example_has_no_bound() -> None:
    """B-E1b: |a z + b e^z| is above any B at some z, and so near it."""
    for a, b, bound in itertools.product((-2, 0, 1), (-1, 0, 3), (1, 10**6)):
        numbers = (flint.arb(sign * 10**power) for sign in (-1, 1) for power in range(8))
        assert any(abs(a * z + b * z.exp()) > bound for z in numbers) == bool(a or b)


def test_correlations_of_the_printed_example() -> None:
    """B-E1n, where X1 is normal and X2 its exponential: the formulas of the textbook, enclosed in balls."""
    seen = []
    for noise in (1, 4, 9, 16, 25):
        v = flint.arb(noise)
        both = v * (v / 2).exp()
        wide = v.exp() * (v.exp() - 1)
        of_y = v + 2 * both + wide
        first, second = (v + both) ** 2 / (v * of_y), (both + wide) ** 2 / (wide * of_y)
        among = both**2 / (v * wide)
        assert first + second <= 1 + among.sqrt()
        assert noise != 9 or flint.arb("1.35e-7") < 1 - second < flint.arb("1.45e-7")
        seen.append(first)
    assert all(after < before / 2 for before, after in itertools.pairwise(seen))
    assert flint.arb("0.0011") < seen[2] < flint.arb("0.0012")


def test_example_1() -> None:
    """The gallery's finite version, with other labels than those of the certificate, and one that is linear."""
    assert isinstance(claims["B-E1"].check(gallery.recoded()), Holds | Vacuous)
    d = JointDistribution.from_counts({(1, 2, 3): 1, (2, 4, 6): 1, (3, 1, 4): 2, (4, 3, 7): 5})
    assert claims["B-E1"].check(d) == Holds("B-E1", 2)
    line = JointDistribution.from_counts({(1, 2, 3): 1, (2, 4, 6): 1, (3, 6, 9): 1})
    assert isinstance(claims["B-E1"].check(line), Vacuous)


def test_the_error_of_a_region_is_half_its_probability() -> None:
    """B-Xe, where a region is one of bits, and where the second class is anything else."""
    for arguments in ((3, 3, 1), (4, 3, 1), (3, 2, 0)):
        assert claims["B-Xe"].check(tail_of_bits(*arguments)) == Holds("B-Xe", 1)
    for weights in ([[1, 3], [1, 0]], [[2, 3], [2, 1]], [[1, 0], [0, 1]]):  # priors, not conditioned, q = 0
        assert isinstance(claims["B-Xe"].check(JointDistribution(weights)), Vacuous)


def test_the_promise_of_er_fails_on_samples() -> None:
    """B-Xs: exactly, in the words of the evidence."""
    d, delta = tail_of_bits(2, 2, 1), Fraction(1, 10)
    law = selection_law(d, 4, PlugIn(select=lambda s: cmi_elimination(s, ErrorRule(delta)).features))
    least = bayes_risk(d, d.features)
    broken = sum(p for subset, p in law.probabilities.items() if bayes_risk(d, subset) > least + delta)
    assert broken == Fraction(113, 128)
    assert f"probability {broken}, exactly" in claims["B-Xs"].evidence[0].what
    text = (Path(__file__).parents[2] / "docs" / "textbook" / "beraha-experiments.md").read_text(encoding="utf-8")
    assert "promise broken with probability" in text


def test_the_numbers_on_the_synthetic_problems() -> None:
    """B-X, B-Xq, B-Xk: what the remarks say of probabilities and of the features needed."""
    q = {(k, region): TailProblem(k, 30, region).probability for k in range(3, 25) for region in ("sum", "squares")}
    assert f"from {q[9, 'sum']:.1e} to {q[24, 'sum']:.1e}" in claims["B-X"].remark
    assert f"{q[24, 'squares']:.1e}" in claims["B-Xq"].remark
    assert min(q[k, "squares"] for k in range(3, 25)) >= 8e-6
    needed = {}
    for region in ("sum", "squares"):
        for k in range(9, 25):
            problem = TailProblem(k, 30, region)
            errors = [problem.bayes_error(j) for j in range(k + 1)]
            assert all(after < before for before, after in itertools.pairwise(errors))
            needed[k, region] = next(j for j, error in enumerate(errors) if error <= errors[-1] + 0.05)
    assert {needed[k, "sum"] for k in range(9, 25)} == {2}
    assert (needed[9, "squares"], needed[24, "squares"]) == (9, 14)


def test_numbers_of_features() -> None:
    """B-Xn, B-Xnc: the features that have a law, as printed and with n for 15."""
    for k, n in [*((k, 30) for k in (9, 12, 15, 18, 21, 24)), *((k, 15) for k in range(3, 16)), (10, 30)]:
        useful = set(range(1, k + 1))
        assert (len(useful | set(range(k + 1, 16))) == n) == (n == 15)
        assert len(useful | set(range(k + 1, n + 1))) == n


@each_drawn(40)
def test_feature_score_and_risk(d: JointDistribution) -> None:
    """B-Xt: features removed at scores of at most delta, as FS does, cost at most sqrt(|A| delta / 2)."""
    for order in (run[:n] for run in itertools.permutations(d.features) for n in range(1, len(run) + 1)):
        kept = [frozenset(d.features).difference(order[:step]) for step in range(len(order) + 1)]
        scores = [conditional_mutual_information(d, ["Y"], [i], rest) for i, rest in zip(order, kept[1:], strict=True)]
        cost = bayes_risk(d, kept[-1]) - bayes_risk(d, d.features)
        assert any(2 * cost**2 <= len(order) * score for score in scores)


TABLE_1 = {  # rows, digits, accuracies
    "ORL": (400, 4, "0.8 0.75 0.7 0.7375 0.7125"),
    "warpAR10P": (130, 2, "0.97 0.98 0.98 0.98 0.98"),
    "glass": (214, 2, "0.99 0.99 0.99 0.99 0.99"),
    "wine": (178, 2, "0.96 0.96 0.96 0.95 0.83"),
    "ALLAML": (72, 2, "1.0 1.0 1.0 0.92 0.78"),
}


def fits(name: str, size: int) -> bool:
    """Tell whether the accuracies of a row are, rounded, hits through a size; halves go all up or all down."""
    _, digits, cells = TABLE_1[name]
    wanted = {*map(Fraction, cells.split())}
    gaps = [[Fraction(math.floor(cell * size) + up, size) - cell for up in (0, 1)] for cell in wanted]
    half = Fraction(1, 2 * 10**digits)
    return any(all(any(-half <= sign * gap < half for gap in row) for row in gaps) for sign in (1, -1))


def test_table_1() -> None:
    """B-Xrc: the runs of possible sizes of tests, whose ends are on the page and in the ledger."""
    seen: set[str] = set()
    page = (Path(__file__).parents[2] / "docs" / "textbook" / "beraha-experiments.md").read_text(encoding="utf-8")
    for name, (rows, *_) in TABLE_1.items():
        sizes = {n for n in range(1, rows + 1) if fits(name, n)}
        ends = [str(n) for n in sorted(sizes) if not {n - 1, n + 1} <= sizes]
        assert f"{name} of {rows} rows: {' '.join(ends)}\n" in page
        seen |= {*ends}
    assert {*re.findall(r"\b[0-9]+", claims["B-Xrc"].remark)} <= seen


def estimates(points: list[tuple[Any, Any]], k: int) -> list[flint.arb]:
    """Return three estimates by neighbors, literally: of Gao et al., of their program, of Kraskov et al."""
    size, sums = flint.arb(len(points)), [flint.arb(0)] * 3
    for point in points:
        gaps = [[abs(a - b) for a, b in zip(point, other, strict=True)] for other in points]
        radius = sorted(map(max, gaps))[k]  # the point itself is the first
        near = flint.arb(k if radius else sum(not any(gap) for gap in gaps)).digamma()
        closed = [flint.arb(sum(gap[side] <= radius for gap in gaps)) for side in (0, 1)]
        inside = [flint.arb(sum(gap[side] < radius or gap[side] == radius == 0 for gap in gaps)) for side in (0, 1)]
        sums[0] += near + size.log() - closed[0].log() - closed[1].log()
        sums[1] += near + size.log() - inside[0].digamma() - inside[1].digamma()
        sums[2] += near + size.digamma() - inside[0].digamma() - inside[1].digamma()
    return [each / size for each in sums]


def test_estimates_by_neighbors() -> None:
    """B-6, B-6c, B-6k, on samples: a tenth of the points as neighbors sees nothing of log 2, three of them much."""
    halves = [(x, int(x) % 2) for x in (Fraction(2 * j + 1, 20) + Fraction(j * j % 97, 10**5) for j in range(220))]
    few, many = estimates(halves, 3), estimates(halves, 22)
    assert many[0] < 0
    assert many[1] < flint.arb(1) / 220
    assert few[1] > 0.5
    values = [(0, 0)] * 5 + [(0, 1)] * 3 + [(3, 1)] * 4
    known = (5 * (flint.arb(60) / 40).log() + 3 * (flint.arb(36) / 56).log() + 4 * (flint.arb(48) / 28).log()) / 12
    low, program, _ = (found - known for found in estimates(values, 2))
    assert -flint.arb(3) / 12 < low < 0
    assert abs(program) < flint.arb(3 + 2 + 2) / 12
    for seed, k in itertools.product(range(5), (1, 2, 4)):
        x, y = (random.Random(2 * seed + side).sample(range(99), 5 + 3 * seed) for side in (0, 1))
        gao, program, kraskov = estimates([*zip(x, y, strict=True)], k)
        gap = flint.arb(len(x)).log() - flint.arb(len(x)).digamma()
        assert flint.arb(1) / (2 * len(x)) < gap < flint.arb(1) / len(x)
        assert (program - kraskov - gap).contains(0)
        assert gao < kraskov - gap
