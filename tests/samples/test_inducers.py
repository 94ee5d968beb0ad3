"""Laws of every inducer and estimate, against their definitions over all sequences of samples."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

import fstheory as fs
from fstheory.samples.inducers import _discriminants, gains_over, learn
from fstheory.samples.methods import Method
from tests.literal import compositions
from tests.samples import literal_samples as literal
from tests.samples.test_law import drawn, positions

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")
Rows: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
Shares: TypeAlias = tuple[Fraction, ...]


def first_of(values: list[Any]) -> Shares:
    """Return the classifier that predicts the first class of largest value."""
    return tuple(Fraction(y == values.index(max(values))) for y in range(len(values)))


def majority(rows: Rows, x: tuple[int, ...], cardinalities: tuple[int, ...], classes: int) -> Shares:
    return first_of([sum(row == (x, y) for row in rows) for y in range(classes)])


def naive_bayes(rows: Rows, x: tuple[int, ...], cardinalities: tuple[int, ...], classes: int) -> Shares:
    scores = []
    for y in range(classes):
        own = [other for other, label in rows if label == y]
        seen = (Fraction(sum(other[i] == x[i] for other in own) + 1, len(own) + c) for i, c in enumerate(cardinalities))
        scores.append(len(own) * math.prod(seen))
    return first_of(scores)


def linear(rows: Rows, x: tuple[int, ...], cardinalities: tuple[int, ...], classes: int) -> Shares:
    """Of two bits, all labelings but the two parities are linear."""
    states = list(itertools.product(*map(range, cardinalities)))
    rules = [
        rule for rule in itertools.product(range(2), repeat=len(states)) if rule not in ((0, 1, 1, 0), (1, 0, 0, 1))
    ]
    best = first_of([sum(rule[states.index(other)] == y for other, y in rows) for rule in rules]).index(1)
    return tuple(Fraction(rules[best][states.index(x)] == y) for y in range(2))


def nearest(k: int | None, rows: Rows, x: tuple[int, ...], cardinalities: tuple[int, ...], classes: int) -> Shares:
    """Put the samples in every order, take the first k of those sorted by distance, and draw a class of most votes."""
    wanted, shares = k or max(1, math.isqrt(len(rows))), [Fraction(0)] * classes
    for order in itertools.permutations(rows):
        near = sorted(order, key=lambda row: sum(a != b for a, b in zip(row[0], x, strict=True)))[:wanted]
        votes = [sum(label == y for _, label in near) for y in range(classes)]
        for y in range(classes):
            shares[y] += Fraction(votes[y] == max(votes), votes.count(max(votes)) * math.factorial(len(rows)))
    return tuple(shares)


INDUCERS: dict[str, Callable[[Rows, tuple[int, ...], tuple[int, ...], int], Shares]] = {
    "majority": majority,
    "naive-bayes": naive_bayes,
    "linear": linear,
    "1-nn": partial(nearest, 1),
    "2-nn": partial(nearest, 2),
    "3-nn": partial(nearest, 3),
    "sqrt-nn": partial(nearest, None),
}


def law_of(d: fs.JointDistribution, m: int, method: Any) -> dict[Any, Fraction]:
    """Return the law over all sequences of m samples, with every share of a classifier."""
    n, classes, tau = len(d.features), len(d.classes), getattr(method, "tau", Fraction(0))
    held = method.holdout_size(m)

    @cache
    def share(rows: Rows, x: tuple[int, ...], s: literal.Subset) -> Shares:
        return INDUCERS[method.inducer](rows, x, tuple(d.cardinalities[i] for i in s), classes)

    def wrong(train: literal.Sample, s: literal.Subset, x: tuple[int, ...], y: int) -> Fraction:
        rows = tuple(sorted((tuple(other[i] for i in s), label) for other, label in train))
        return 1 - share(rows, tuple(x[i] for i in s), s)[y]

    def mean(train: literal.Sample, tested: literal.Sample, s: literal.Subset) -> Fraction:
        return sum((wrong(train, s, x, y) for x, y in tested), Fraction(0)) / max(1, len(tested))

    def estimate(train: literal.Sample, rest: literal.Sample, s: literal.Subset) -> Fraction:
        if held or method.estimate == "resubstitution":
            return mean(train, rest if held else train, s)
        folds = m if method.estimate == "leave-one-out" else int(method.estimate.removesuffix("-fold"))
        errors = Fraction(0)
        for fold in np.array_split(range(m), folds):
            tested = [train[i] for i in fold]
            errors += len(tested) * mean([train[i] for i in range(m) if i not in fold], tested, s)
        return errors / m

    def select(train: literal.Sample, rest: literal.Sample) -> list[tuple[Fraction, literal.Subset]]:
        risk, everything = partial(estimate, train, rest), literal.subsets(n)
        match method:
            case fs.FOS():
                return literal.fos(n, risk, tau)
            case fs.FBS():
                return literal.fbs(n, risk, tau, method.ties)
            case fs.StandardWrap():
                return literal.best({s: risk(s) for s in everything}, method.ties)
            case fs.OrderedFS():
                sizes = [{s: mean(train, train, s) for s in everything if len(s) == size} for size in range(n + 1)]
                ways = itertools.product(*(literal.best(size, method.ties) for size in sizes))
                return [
                    (math.prod(p for p, _ in way) * q, s)
                    for way in ways
                    for q, s in literal.best({s: risk(s) for _, s in way}, method.ties)
                ]
            case _:
                return [(Fraction(1), everything[-1])]

    cells = [
        (tuple(cell[:-1]), cell[-1], Fraction(int(d.weights[tuple(cell)]), d.total))
        for cell in np.argwhere(d.weights).tolist()
    ]
    found: dict[Any, Fraction] = {}
    for sequence in itertools.product(cells, repeat=m):
        sample, p = [(x, y) for x, y, _ in sequence], math.prod((p for *_, p in sequence), start=Fraction(1))
        train, rest = sample[: m - held], sample[m - held :]
        for q, s in select(train, rest):
            key = s, sum((r * wrong(train, s, x, y) for x, y, r in cells), Fraction(0))
            found[key] = found.get(key, Fraction(0)) + p * q
    return found


def methods(inducer: str, m: int) -> list[Method]:
    found: list[Method] = [fs.NoSelection(inducer=inducer), fs.FOS(inducer=inducer, tau="1/5", holdout=m - 1)]
    found += [fs.FBS(inducer=inducer, tau="1/9", estimate=estimate) for estimate in ("2-fold", f"{m}-fold")]
    found += [fs.FOS(inducer=inducer, tau="1/7", estimate=f"{m}-fold")]
    for ties in ("first", "uniform"):
        found += [
            fs.FBS(inducer=inducer, tau="1/5", ties=ties, holdout=1),
            fs.StandardWrap(inducer=inducer, ties=ties, holdout=1),
        ]
        found += [fs.OrderedFS(inducer=inducer, ties=ties, holdout=m - 1)]
    if inducer != "majority":
        found += [fs.FBS(inducer=inducer, tau="1/20", estimate="leave-one-out", ties="uniform")]
        found += [fs.FOS(inducer=inducer, tau="1/30"), fs.FBS(inducer=inducer, tau="1/4")]
    return found


def compare(
    rng: random.Random, inducer: str, cardinalities: tuple[int, ...], classes: int, m: int, number: int
) -> None:
    d = drawn(rng, cardinalities, classes, rng.choice(["zeros", "ties", "unequal", "huge"]))
    for method in rng.sample(methods(inducer, m), number):
        law = fs.selection_law(d, m, method)
        assert positions(d, law.outcomes) == law_of(d, m, method), (d, m, method)


SHAPES = [((2,), 2, 4), ((2, 2), 2, 3), ((3,), 2, 4), ((2,), 3, 3), ((3, 2), 2, 2), ((2, 1), 3, 3), ((), 2, 4)]
CASES = [
    (inducer, *shape)
    for inducer in INDUCERS
    for shape in SHAPES
    if inducer != "linear" or {*shape[0], shape[1]} <= {1, 2}
]


@pytest.mark.thorough
@pytest.mark.parametrize(("inducer", "cardinalities", "classes", "m"), CASES)
def test_the_law_is_that_of_the_definition(inducer: str, cardinalities: tuple[int, ...], classes: int, m: int) -> None:
    compare(random.Random(f"{inducer} {cardinalities}"), inducer, cardinalities, classes, m, 3)


@pytest.mark.parametrize("inducer", INDUCERS)
def test_some_laws_are_those_of_the_definition(inducer: str) -> None:
    """Other ones at each run, which are drawn again by the seed that a failure shows."""
    seed = random.randrange(10**9)
    print(f"{seed=}")
    compare(random.Random(seed), inducer, (2, 2), 2, 2, 2)


def test_linear_discriminants_are_as_many_as_threshold_functions() -> None:
    """The numbers are those of sequence A000609 of the OEIS."""
    assert [len(_discriminants((2,) * n)) for n in range(5)] == [2, 4, 14, 104, 1882]


TWO = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])


def test_naive_bayes_is_that_of_scikit_learn() -> None:
    """Also as an inducer; the tables have all classes and no ties."""
    bayes = pytest.importorskip("sklearn.naive_bayes").CategoricalNB(alpha=1, min_categories=[2, 3])
    tables = np.random.default_rng(0).integers(0, 9, size=(20, 2, 3, 3))
    ours, theirs = (learn(inducer, tables)[0] for inducer in ("naive-bayes", bayes))
    assert (ours == theirs).all()
    method = fs.NoSelection(inducer=bayes)
    assert method.title == "NoSelection (CategoricalNB)"
    found = fs.fit(fs.Sample([(0, 2, "a"), (1, 1, "b"), (1, 0, "b")], states={"X1": [0, 1], "X2": [0, 1, 2]}), method)
    assert found.classifier({"X1": 1, "X2": 2}) == "b"
    assert "inducer" not in found.to_dict()["method"]


def test_neighbors_in_large_samples_are_counted_exactly() -> None:
    """The states have prime numbers of samples, so that the least common denominator has more than 64 bits."""
    primes = [31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83]
    counts = np.array([[[prime // 3, prime - prime // 3] for prime in primes]])
    gains, common = gains_over("1-nn", "resubstitution", counts[:, None], [0, 1])
    own = sum((Fraction(a**2 + b**2, a + b) for a, b in counts[0].tolist()), Fraction(0))
    a, b = counts[0].sum(axis=0).tolist()
    assert [Fraction(value, common) for value in gains[0]] == [Fraction(a**2 + b**2, a + b), own]
    assert common > 2**64


def test_an_inducer_may_be_a_function_of_counts() -> None:
    def most(counts: Any) -> Any:
        assert counts.dtype == np.int64
        return counts.argmax(axis=-1)

    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"estimate": "leave-one-out"}, {"estimate": "leave-one-out-first-class"}),
        ({"holdout": 2}, {"holdout": 2}),
        ({}, {}),
    ]
    for ours, built_in in pairs:
        law = fs.selection_law(TWO, 4, fs.FBS(tau="1/9", inducer=most, **ours))
        plain = fs.selection_law(TWO, 4, fs.FBS(tau="1/9", **built_in))
        assert law.outcomes == plain.outcomes
        assert law.method.title == "FBS (most)"
        assert law.expected_gain == plain.expected_gain


@pytest.mark.thorough
@pytest.mark.parametrize(("inducer", "estimate"), [("1-nn", "leave-one-out"), ("naive-bayes", "resubstitution")])
def test_fits_to_all_samples_have_the_law(inducer: str, estimate: str) -> None:
    law, method = dict[Any, Any](), fs.FBS(tau="1/9", inducer=inducer, estimate=estimate)
    for counts in compositions(3, 8):
        cells = {(i >> 2 & 1, i >> 1 & 1, i & 1): times for i, times in enumerate(counts) if times}
        found = fs.fit(fs.Sample.from_counts(cells, states={"X1": [0, 1], "X2": [0, 1], "Y": [0, 1]}), method)
        weights = zip(TWO.weights.ravel().tolist(), counts, strict=True)
        ways = math.factorial(3) * math.prod(Fraction(w**times, math.factorial(times)) for w, times in weights)
        subset = frozenset(found.features)
        law[subset] = law.get(subset, Fraction(0)) + ways / 40**3
    exact = fs.selection_law(TWO, 3, method)
    assert {subset: exact[subset] for subset in law} == law


def test_a_fit_with_a_fold_for_each_row_leaves_each_row_out() -> None:
    sample = fs.sample(TWO, 12, rng=0)
    folds, left = (
        fs.fit(sample, fs.FOS(inducer="2-nn", estimate=name), rng=1) for name in ("12-fold", "leave-one-out")
    )
    assert folds.trace == left.trace
    half = fs.fit(sample, fs.FOS(estimate="2-fold"), rng=1)
    assert half == fs.fit(sample, fs.FOS(estimate="2-fold"), rng=1)
    assert half.trace != fs.fit(sample, fs.FOS(estimate="2-fold"), rng=2).trace
    held = fs.fit(sample, fs.StandardWrap(inducer=lambda counts: counts.argmax(axis=-1), holdout=4), rng=1)
    assert held.trace == fs.fit(sample, fs.StandardWrap(holdout=4), rng=1).trace


@pytest.mark.parametrize(
    "method",
    [
        fs.FBS(inducer="sqrt-nn", holdout=2),
        fs.OrderedFS(inducer="linear", holdout=1, ties="uniform"),
        fs.FOS(tau="1/9", estimate="3-fold"),
        pytest.param(fs.PlugIn(select=fs.minimal_optimal, inducer="1-nn"), marks=pytest.mark.thorough),
    ],
    ids=["halves", "linear", "folds", "plug-in"],
)
def test_a_simulation_is_near_the_law(method: Method, tmp_path: Path) -> None:
    law, found = fs.selection_law(TWO, 4, method), fs.simulate(TWO, 4, method, trials=400, rng=0)
    assert found.outcomes.keys() <= law.outcomes.keys()
    low, high = found.expected_risk_interval("99999/100000")
    assert low < law.expected_risk < high
    low, high = found.success_interval("99999/100000")
    assert low <= law.success <= high
    assert fs.selection_law(TWO, 4, method, resume=tmp_path / "law.json") == law
    assert fs.selection_law(TWO, 4, method, resume=tmp_path / "law.json") == law


def test_an_estimator_is_simulated_where_a_law_is_asked_for() -> None:
    tree = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(random_state=0)
    curve = fs.samples.law_curve(fs.gallery.xor(), fs.StandardWrap(inducer=tree, holdout="1/2"), [8], trials=40, rng=0)
    assert not curve.is_exact
    assert curve.without_selection == (None,)
    assert curve[8].success > 0.3


@pytest.mark.parametrize("inducer", ["majority", "1-nn", "naive-bayes"])
@pytest.mark.parametrize("how", [{}, {"holdout": "1/2"}, {"estimate": "2-fold"}], ids=str)
def test_of_a_single_class_no_feature_is_needed(inducer: str, how: dict[str, Any]) -> None:
    rows = fs.Sample([(0, 0), (1, 0), (0, 0), (1, 0)])
    with pytest.warns(fs.errors.ArbitraryChoiceWarning, match="nothing is to be predicted"):
        assert fs.fit(rows, fs.FBS(inducer=inducer, **how), rng=0).features == ()
