"""The exact laws, against the definition over all sequences of samples and against numbers of others."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest
from scipy import stats

import fstheory as fs
from fstheory.samples import law as laws
from fstheory.samples.methods import Method, Ties, decide
from fstheory.samples.tables import Engine, SampleTables, _half, count_tables, labels_of, marginals, primes_for
from tests.samples import literal_samples as literal

WRAPPERS = [fs.StandardWrap(holdout=1, ties="uniform"), fs.OrderedFS(holdout=2, ties="first")]
SHAPES = [((2, 2), 2, 3), ((2,), 3, 4), ((3,), 2, 4), ((2, 3), 2, 3), ((), 2, 5), ((1, 2), 2, 4), ((2, 2), 3, 3)]


def drawn(rng: random.Random, cardinalities: tuple[int, ...], classes: int, kind: str) -> fs.JointDistribution:
    """Draw a distribution: with zeros, with ties, with weights that differ, or with huge ones."""
    highest = {"zeros": 2, "ties": 2, "unequal": 30, "huge": 10**25}[kind]
    lowest = 0 if kind == "zeros" else 1
    shape = (*cardinalities, classes)
    weights = np.array([rng.randint(lowest, highest) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)
    weights.flat[0] += 1
    return fs.JointDistribution(weights)


def positions(d: fs.JointDistribution, outcomes: Any) -> dict[tuple[tuple[int, ...], Fraction], Fraction]:
    return {(tuple(i for i, x in enumerate(d.features) if x in s), r): p for (s, r), p in outcomes.items()}


ESTIMATES = {
    "resubstitution": literal.resubstitution,
    "leave-one-out": literal.fair_leave_one_out,
    "leave-one-out-first-class": literal.leave_one_out,
}


def expected(d: fs.JointDistribution, m: int, method: Method) -> dict[tuple[tuple[int, ...], Fraction], Fraction]:
    n, k, tau = len(d.features), len(d.classes), getattr(method, "tau", Fraction(0))
    pmf = {
        (*(d.states[f].index(v) for f, v in zip(d.features, x, strict=True)), d.classes.index(y)): p
        for (*x, y), p in d.to_pmf().items()
    }
    held = method.holdout_size(m)

    def select(train: literal.Sample, rest: literal.Sample) -> list[tuple[Fraction, literal.Subset]]:
        def risk(s: literal.Subset) -> Fraction:
            if held:
                return literal.holdout(train, rest, s, k)
            return ESTIMATES[method.estimated_by](train, s, k)

        match method:
            case fs.FOS():
                return literal.fos(n, risk, tau)
            case fs.FBS():
                return literal.fbs(n, risk, tau, method.ties)
            case fs.StandardWrap():
                return literal.standard_wrap(train, rest, n, k, method.ties)
            case fs.OrderedFS():
                return literal.ordered_fs(train, rest, n, k, method.ties)
            case _:
                return [(Fraction(1), tuple(range(n)))]

    return literal.law(pmf, m, held, select, k)


def methods(m: int) -> list[Method]:
    """Return one of each kind of method that can be asked for with m samples."""
    found: list[Method] = [fs.NoSelection()]
    for ties in ("first", "uniform"):
        found += [fs.FBS(tau="1/4", ties=ties), fs.FBS(tau="1/9", ties=ties, estimate="leave-one-out")]
        found += [fs.StandardWrap(holdout=1, ties=ties), fs.OrderedFS(holdout=m - 1, ties=ties)]
        found += [fs.StandardWrap(holdout=Fraction(m - 1, m), ties=ties), fs.OrderedFS(holdout=1, ties=ties)]
    found += [fs.FBS(tau="1/9", estimate="leave-one-out-first-class"), fs.FOS(tau="1/4")]
    found += [fs.FOS(tau="1/3", estimate=estimate) for estimate in ("leave-one-out", "leave-one-out-first-class")]
    return [*found, fs.FOS(tau="1/5", holdout=2), fs.FBS(tau="1/5", ties="uniform", holdout=2)]


CASES = [(*shape, kind) for shape in SHAPES for kind in ("zeros", "ties", "unequal", "huge")]


def compare(rng: random.Random, cardinalities: tuple[int, ...], classes: int, m: int, kind: str, number: int) -> None:
    """Hold the laws of so many methods on a drawn distribution against the definition, by each engine."""
    d = drawn(rng, cardinalities, classes, kind)
    for method in rng.sample(methods(m), number):
        wanted = {key: p for key, p in expected(d, m, method).items() if p}
        both = classes == 2 and method.reads == "contrasts"
        for engine in get_args(Engine) if both else ("counts",):
            law = fs.selection_law(d, m, method, engine=engine)
            assert positions(d, law.outcomes) == wanted, (d, m, method, engine)
            assert law.engine == engine


@pytest.mark.thorough
@pytest.mark.parametrize(("cardinalities", "classes", "m", "kind"), CASES)
def test_the_law_is_that_of_the_definition(cardinalities: tuple[int, ...], classes: int, m: int, kind: str) -> None:
    compare(random.Random(f"{cardinalities} {classes} {kind}"), cardinalities, classes, m, kind, 3)


def test_some_laws_are_those_of_the_definition() -> None:
    """Other ones at each run, which are drawn again by the seed that a failure shows."""
    seed = random.randrange(10**9)
    print(f"{seed=}")
    rng = random.Random(seed)
    for case in rng.sample(CASES, 2):
        compare(rng, *case, 2)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("classes", [128, 129, 256, 257])
@pytest.mark.parametrize("method", [fs.NoSelection(), fs.FOS(tau="1/4"), *WRAPPERS], ids=type)
def test_a_law_and_a_simulation_with_many_classes(classes: int, method: Method) -> None:
    """The class at the end wins, that of the same last byte, and the first."""
    weights = np.zeros((2, 2, classes), dtype=int)
    weights[0, 0, classes - 1], weights[0, 1, (classes - 1) % 256], weights[1, 0, 0], weights[1, 1, 1] = 3, 2, 2, 1
    d = fs.JointDistribution(weights)
    law = fs.selection_law(d, 3, method)
    assert positions(d, law.outcomes) == expected(d, 3, method)
    found = fs.simulate(d, 3, method, trials=400, rng=0)
    assert found.outcomes.keys() <= law.outcomes.keys()
    low, high = found.expected_risk_interval("9999/10000")
    assert low < law.expected_risk < high


@pytest.mark.parametrize(("states", "classes"), [(62, 2), (63, 2), (64, 2), (39, 3), (40, 3), (7, 300), (8, 300)])
def test_trained_tables_about_as_long_as_a_machine_word(states: int, classes: int) -> None:
    """Tables are numbered as integers while these are short, and else by their bytes."""
    weights = np.zeros((states, classes), dtype=int)
    weights[0, -1], weights[states - 2, 1], weights[-1, 0], weights[-1, -1] = 2, 1, 1, 3
    d = fs.JointDistribution(weights)
    law = fs.selection_law(d, 3, WRAPPERS[0])
    assert positions(d, law.outcomes) == expected(d, 3, WRAPPERS[0])


def test_a_law_with_many_samples_held_out() -> None:
    """A copy of the class is not found if it was 0 in training, or 1 in all samples held out."""
    law = fs.selection_law(fs.JointDistribution([[1, 0], [0, 1]]), 301, fs.StandardWrap(holdout=300, ties="first"))
    assert law.expected_risk == Fraction(1, 4) + Fraction(1, 2**302)


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(3))
def test_both_engines_give_the_same_law(seed: int) -> None:
    """Up to ten samples; they share no enumeration."""
    rng = random.Random(seed)
    shape = rng.choice([(2, 2), (3, 2), (4,)])
    d, m = drawn(rng, shape, 2, rng.choice(["zeros", "ties", "unequal"])), 13 - 3 * len(shape)
    for method in [fs.FOS(tau="1/7"), fs.FBS(tau="1/20", ties="uniform"), WRAPPERS[0]]:
        counts = fs.selection_law(d, m, method, engine="counts")
        assert counts.outcomes == fs.selection_law(d, m, method, engine="contrasts").outcomes
        assert sum(counts.outcomes.values()) == 1


@pytest.mark.parametrize(
    ("method", "ties", "error"),
    [
        (fs.StandardWrap, "first", "62309/160000"),
        (fs.OrderedFS, "first", "80361349/204800000"),
        (fs.StandardWrap, "uniform", "75551407/204800000"),
        (fs.OrderedFS, "uniform", "230179669/614400000"),
    ],
)
def test_numbers_of_wrappers_that_somebody_else_computed(method: Any, ties: str, error: str) -> None:
    """Uniform inputs, the class is X1 flipped with probability 3/10, four samples to train on and two held out."""
    d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    law = fs.selection_law(d, 6, method(holdout=2, ties=ties))
    assert law.expected_risk == Fraction(3, 10) + Fraction(2, 5) * Fraction(error)


def test_what_a_law_says() -> None:
    d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    law = fs.selection_law(d, 5, fs.FOS(tau="1/20"))
    assert sum(law.risks.values()) == 1
    assert law.expected_risk == sum(p * r for (_, r), p in law.outcomes.items())
    assert law.expected_regret == law.expected_risk - fs.bayes_risk(d, d.features)
    assert law.tail(Fraction(1)) == 0
    assert law.tail(fs.bayes_risk(d, d.features)) == 1 - law.risks.get(fs.bayes_risk(d, d.features), 0)
    intervals = law.interval({"X1"}), law.success_interval(), law.expected_risk_interval()
    points = law[{"X1"}], law.success, law.expected_risk  # nothing is estimated
    assert intervals == tuple((float(point), float(point)) for point in points)
    assert law.probabilities[{"X1"}] == law[{"X1"}]
    assert [level.value for level in law.probabilities.ordering()] == sorted({law[s] for s in law.probabilities})[::-1]
    assert law.to_latex() == law.probabilities.to_latex()
    assert law.to_latex().index(r"P(\emptyset)") < law.to_latex().index("P(X_1)")  # the most probable first
    plug_in = fs.selection_law(d, 5, fs.PlugIn(select=fs.minimal_optimal))  # on the empirical distribution
    assert plug_in.outcomes == fs.selection_law(d, 5, fs.FBS(tau="1/6", ties="first")).outcomes
    everything = fs.selection_law(d, 5, fs.NoSelection())
    assert law.expected_gain == everything.expected_risk - law.expected_risk
    assert everything[{"X1"}] == 0
    found = fs.simulate(d, 5, fs.FOS(tau="1/20"), trials=9, rng=0)
    risks = [float(risk) for risk, share in found.risks.items() for _ in range(int(9 * share))]
    expected = stats.t.interval(0.95, 8, np.mean(risks), stats.sem(risks))
    assert found.expected_risk_interval() == pytest.approx(expected)
    assert fs.selection_law(d, 0, fs.NoSelection()).risks == {Fraction(22, 40): 1}  # class 0 everywhere


# The tables of m samples, and the primes that their weights are counted by.


WEIGHTS = [[[3, 1], [2, 5]], [[3, 0], [0, 5]], [[[1, 2], [0, 0]], [[0, 1], [4, 4]]], [7, 2], [[[1, 1], [2, 3], [1, 9]]]]


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("engine", ["counts", "contrasts"])
def test_the_tables_are_counted_without_being_made(weights: object, engine: Engine) -> None:
    d = fs.JointDistribution(weights)
    for m in range(6):
        primes = primes_for(d.total**m, m)
        batches = list(SampleTables(d, m, engine, primes, 10))
        tables = np.concatenate([batch.contrasts.reshape(len(batch.contrasts), -1) for batch in batches])
        number = count_tables(d, m, engine)
        if engine == "counts" or (np.asarray(weights) > 0).all():
            assert len(tables) == number
        assert len(tables) <= number
        if engine == "contrasts":
            assert len(np.unique(tables, axis=0)) == len(tables)
        total = sum(batch.residues.sum(axis=1) for batch in batches)
        assert [int(t) % p for t, p in zip(total, primes, strict=True)] == [d.total**m % p for p in primes]


@pytest.mark.parametrize("m", [0, 1, 2, 3, 7, 8, 63, 64, 1022, 1023, 2**17 - 2])
def test_primes_are_above_m_and_products_of_residues_are_exact(m: int) -> None:
    primes = primes_for(2**200, m)
    assert len(set(primes)) == len(primes)
    assert math.prod(primes) > 2**200
    assert min(primes) > m
    assert (m + 1) * (max(primes) - 1) ** 2 < 2**53


@pytest.mark.parametrize(
    ("bits", "m"),
    [(0, 2**17 - 1), (0, 2**17), (0, 2**60), pytest.param(200_000, 2**17 - 2, marks=pytest.mark.thorough)],
)
def test_no_prime_is_taken_that_divides_the_factorial(bits: int, m: int) -> None:
    with pytest.raises(fs.TooLargeError, match=rf"^m must be .* not {m};"):
        primes_for(2**bits, m)


@pytest.mark.parametrize("m", [2**14 - 1, 2**14, 2**15, pytest.param(2**17 - 2, marks=pytest.mark.thorough)])
def test_counts_of_so_many_samples_and_their_differences_fit(m: int) -> None:
    assert np.iinfo(_half([], m, (1, 2), np.array(primes_for(1, m)), "counts").values.dtype).max >= m


def acts(method: Any, d: fs.JointDistribution, m: int, contrasts: Any) -> list[Any]:
    """Return what a method selects on each table, with its shares and the labels of the table that it ends with."""
    choice = decide(method, d, m, contrasts, None)
    found = [choice.rows.tolist(), choice.chosen.tolist(), choice.shares.tolist()]
    labels = dict(marginals(contrasts, range(2 ** len(d.features))))
    rows = zip(choice.rows.tolist(), choice.chosen.tolist(), strict=True)
    return [*found, [labels_of(labels[mask][row]).tolist() for row, mask in rows]]


@pytest.mark.parametrize("cards", [(2,), (3,), (2, 2), (3, 2), (2, 2, 2)])
def test_contrasts_that_are_merged_act_alike(cards: tuple[int, ...]) -> None:
    """Small contrasts beside large ones, and many equal ones; halves are merged as the law merges them."""
    rng, d = np.random.default_rng(0), fs.JointDistribution(np.ones((*cards, 2), dtype=int))
    odd = np.indices(cards).sum(axis=0) % 2
    for allowed in (0, 1, 4):
        values = rng.integers(-3 * allowed - 4, 3 * allowed + 5, (1500, *cards, 1)).astype(np.int16)
        values[rng.random(values.shape) < 1 / 3] //= 2 + allowed
        values[rng.random(values.shape) < 1 / 8] *= 7
        for method in (
            fs.FOS(tau=allowed + Fraction(1, 2)),
            *(fs.FBS(tau=allowed + Fraction(1, 2), ties=t) for t in get_args(Ties)),
        ):
            if (merging := method._merging(cards, 1)) is None:
                assert isinstance(method, fs.FOS)
                continue
            halves = [merging.merged(values * (odd == side)[..., None].astype(np.int16)) for side in (0, 1)]
            merged = halves[0] + halves[1]
            assert (merged != values).any()
            assert acts(method, d, 1, merged) == acts(method, d, 1, values)


@pytest.mark.parametrize("cards", [(2,), (3,), (2, 2), pytest.param((3, 2), marks=pytest.mark.thorough)])
def test_laws_of_merged_tables_are_those_of_all_tables(cards: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a cell has no weight, or one class only."""
    rng = np.random.default_rng(1)
    for trial in range(4):
        weights = rng.integers(0, 9, (*cards, 2)) * (rng.random((*cards, 2)) < 3 / 4)
        weights[(-1,) * len(cards)] = 1, 2
        d, m, tau = fs.JointDistribution(weights), int(rng.integers(0, 13)), Fraction(1, int(rng.integers(3, 9)))
        for method in (fs.FOS(tau=tau), *(fs.FBS(tau=tau, ties=ties) for ties in get_args(Ties))):
            found = fs.selection_law(d, m, method, engine="contrasts")
            with monkeypatch.context() as patch:
                patch.setattr(laws, "_merging", lambda *_: None)
                assert fs.selection_law(d, m, method, engine="contrasts").outcomes == found.outcomes, trial


def test_a_law_takes_few_tables_where_many_act_alike() -> None:
    """With 100 samples of two binary features, contrasts above 5 or 10 act alike."""
    d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    assert count_tables(d, 100, "contrasts") > 3 * 10**7
    assert [count_tables(d, 100, "contrasts", method._merging((2, 2), 100)) for method in (fs.FOS(), fs.FBS())] == [
        433**2,
        23**4,
    ]
    assert fs.selection_law(d, 40, fs.FOS(), work=10**6).engine == "contrasts"


@pytest.mark.parametrize("tau", ["1/2", 3, 10**40])
def test_a_threshold_that_nothing_exceeds_drops_all_features(tau: Any) -> None:
    """Then the bounds of what acts alike exceed all contrasts."""
    for method in (fs.FOS(tau=tau), fs.FBS(tau=tau)):
        assert fs.selection_law(fs.gallery.xor(), 12, method).probabilities[()] == 1
