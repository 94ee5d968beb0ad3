"""What the ledger says of Ahmed et al. agrees with the library and with the definitions, on random distributions."""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import flint
import pytest

from fstheory.distributions import gallery
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError
from fstheory.logic.expressions import Term, walk
from fstheory.logic.language import Model
from fstheory.logic.verdict import Holds, Refuted, Vacuous
from fstheory.measures import criteria
from fstheory.measures.information import conditional_entropy, mutual_information
from fstheory.measures.regression import linear_regression, mean_squared_error
from fstheory.measures.risk import bayes_risk
from fstheory.numbers.logsum import log
from fstheory.papers import ahmed_2015, terms
from fstheory.papers.ahmed_2015 import BENEFITS, BETAS
from fstheory.papers.ledger import claims
from fstheory.selection.relevant import conditionally_independent
from fstheory.selection.submodularity import compare_greedy, is_submodular, is_supermodular
from tests.measures import examples
from tests.measures import literal_criteria as literal
from tests.papers.drawn import (
    SMALL,
    both_occur,
    drawn,
    each_drawn,
    formula_of,
    is_regular,
    is_true,
    last_comparison,
    numbers,
    places,
    pmf_of,
    subsets,
    value,
)

ENTRIES = {key: entry for key, entry in claims.items() if key.startswith("A-")}
BINARY = ((2, 2), (3, 2), (2, 2, 2), (2, 3, 2), (2, 2, 2, 2))


def test_example_1() -> None:
    d = gallery.ahmed_example_1()
    for key, holds in {"A-1": True, "A-1u": True, "A-1m": True, "A-1n": False, "A-1g": False}.items():
        verdict = ENTRIES[key].check(d)
        assert isinstance(verdict, Holds if holds else Refuted), verdict
    nats = [mutual_information(d, [i], ["Y"]) for i in ("X1", "X2")]
    assert [f"{float(number):.2f}" for number in nats] == ["0.06", "0.12"]
    assert [f"{float(number) / 0.6931471805599453:.2f}" for number in nats] == ["0.08", "0.17"]
    etas = [d.posterior({i: x})[1] for i in ("X1", "X2") for x in (0, 1)]
    assert [f"{float(eta):.2f}" for eta in etas] == ["0.22", "0.63", "0.07", "0.49"]
    other = JointDistribution([[[378, 18], [252, 162]], [[42, 12], [28, 107]]])
    assert isinstance(ENTRIES["A-1"].check(other), Vacuous)
    assert isinstance(ENTRIES["A-1"].check(drawn(0)), Vacuous)  # of another shape


CRITERIA: dict[str, tuple[Callable[[Model, frozenset[str]], Term], Any]] = {
    "cost": (lambda m, of: terms.cost_closed(m, of, Fraction(2, 7)), criteria.cost_sensitive("2/7")),
    "balanced": (terms.balanced_closed, criteria.balanced()),
    "gini": (terms.gini, criteria.gini()),
    "squared error": (terms.squared_error, criteria.squared_error()),
    "F_1": (lambda m, of: terms.f_best(m, of, Fraction(1)), criteria.f_measure()),
    "F_2 as printed": (lambda m, of: terms.f_best(m, of, Fraction(1, 4)), criteria.f_measure_as_printed(2)),
    "AUC": (terms.auc_closed, criteria.auc()),
    "risk": (lambda m, of: m.risk(of), criteria.zero_one()),
    "entropy": (lambda m, of: m.conditional_entropy(of), criteria.logarithmic()),
}


@pytest.mark.parametrize("name", CRITERIA)
def test_terms_of_measures(name: str) -> None:
    term, criterion = CRITERIA[name]
    for d in filter(both_occur, (drawn(seed, BINARY) for seed in range(40))):
        assert all(value(d, term(Model(d), of)) == criterion.value(d, of) for of in subsets(d))


def charged(cells: literal.Cells, h: literal.Choice, charges: dict[tuple[Any, Any], Fraction]) -> Fraction:
    return literal.expected_loss(cells, lambda y, prediction: charges.get((y, prediction), Fraction(0)), h)


@each_drawn(30, SMALL)
def test_predictors_one_by_one(d: JointDistribution) -> None:
    """What a classifier or a ranking is worth, against the definitions."""
    if not both_occur(d):
        return
    m = Model(d)
    no, yes = numbers(d.classes)
    pmf = pmf_of(d)
    for of in subsets(d):
        cells = terms.cells_of(m, of)
        known = literal.cells_of(pmf, places(d, of))
        p = literal.class_probability(known, yes)
        assert (value(d, terms.positives(m)), value(d, terms.negatives(m))) == (p, 1 - p)
        for predictions in terms.choices(cells):
            h = dict(zip(known, (yes if predicted else no for predicted in predictions), strict=True))
            for beta in BETAS:
                found = value(d, terms.f_value(m, cells, predictions, 1 / beta**2))
                assert found == literal.f_measure_as_printed(known, h, yes, beta)
                assert found == literal.f_measure(known, h, yes, 1 / beta)
            charges = {(no, yes): Fraction(1, 4), (yes, no): Fraction(3, 4)}
            assert value(d, terms.cost_loss(m, cells, predictions, Fraction(1, 4))) == charged(known, h, charges)
            charges = {(no, yes): 1 / (1 - p), (yes, no): 1 / p}
            assert value(d, terms.balanced_loss(m, cells, predictions)) == charged(known, h, charges)
        printed = {
            literal.f_measure_as_printed(known, h, yes, beta)
            for h, beta in itertools.product(literal.choices(known, (no, yes)), BETAS)
            if beta != 1  # both sides are the same term then
        }
        equations = [node for node in walk(formula_of("A-7c", d, of)) if node[0] == "="]
        assert {value(d, Term(node[1])) for node in equations} | {Fraction(0)} == printed
        every = list(terms.rankings(cells))
        assert len(every) == sum(1 for _ in literal.rankings(known))
        for scores in every[:: max(1, len(every) // 20)]:
            f = dict(zip(known, scores, strict=True))
            assert value(d, terms.auc(m, cells, scores)) == literal.auc(known, f, yes, no)


def test_too_many_predictors_are_refused() -> None:
    d = JointDistribution.from_counts({(i, i % 2): 1 for i in range(13)})
    for key, states in {"A-2": 12, "A-8": 6}.items():
        with pytest.raises(TooLargeError, match=f"at most {states} states to list"):
            ENTRIES[key].check(d)


SURVEYED = {
    "A-2": "2: 0-1",
    "A-YHe": "2: Yang-Hu, the two forms and Gini",
    "A-3": "3: cost-sensitive",
    "A-4": "4: balanced",
    "A-5": "5: log-loss = H(Y) - MI",
    "A-6": "6: squared error",
    "A-7": "7: sup over classifiers = sup over thresholds in [0, 1]",
    "A-7s": "7: the threshold F / (1 + beta'**2), met or not, is best",
    "A-7t": "7: every classifier with the best F_1 thresholds eta",
    "A-7b": "7: printed F_beta = usual F_beta",
    "A-7c": "7: printed F_beta = usual F_(1/beta)",
    "A-8": "8: AUC",
}
TABLES = [table for size in ((1, 2), (2, 2), (3, 2)) for table in examples.tables([size])]


@pytest.mark.thorough
@pytest.mark.parametrize("key", SURVEYED)
def test_statements_agree_with_the_survey(key: str) -> None:
    """On every small table of one marginal; the two disagree on nothing."""
    outcomes = set()
    of = frozenset({"X1"})
    for table in [*TABLES[::5], ((0, 2), (2, 1), (2, 1))]:
        found = examples.check(table)
        if SURVEYED[key] in found:
            outcomes.add(holds := is_true(key, JointDistribution(table), of))
            assert holds == found[SURVEYED[key]], table
    assert outcomes == ({True, False} if ENTRIES[key].status == "false" else {True})


@each_drawn(60, BINARY)
def test_yang_hu_with_other_labels(d: JointDistribution) -> None:
    pmf = pmf_of(d)
    for of in subsets(d):
        expected = Fraction(0)
        for no, yes in (
            [cell[y] for y in numbers(d.classes)] for cell in literal.cells_of(pmf, places(d, of)).values()
        ):
            eta = yes / (no + yes) if no + yes else Fraction(0)
            expected += no * (2 * eta - (1 - eta)) + yes * (1 - eta)
        assert is_true("A-YHl", d, of) == (expected == criteria.gini().value(d, of))


@each_drawn(60, ((2, 2, 2), (2, 3, 2), (2, 2, 2, 2), (2, 2, 3)))
def test_best_single_feature(d: JointDistribution) -> None:
    risks = {i: bayes_risk(d, [i]) for i in d.features}
    m = Model(d)
    for key, least in {
        "A-1g": {i: conditional_entropy(d, ["Y"], [i]) for i in d.features},
        "A-YH": {i: value(d, terms.gini(m, frozenset({i}))) for i in d.features},
    }.items():
        for i in d.features:
            is_best = all(least[i] < least[j] for j in d.features if j != i)
            assert is_true(key, d, i) == (not is_best or risks[i] == min(risks.values()))


@pytest.mark.thorough
def test_linear_given_all() -> None:
    outcomes = set()
    made = JointDistribution.from_counts({(0, 2, 1): 1, (1, 0, 1): 1, (1, 1, 0): 1})
    for d in filter(is_regular, (made, *map(drawn, range(50)))):
        linear = mean_squared_error(d, d.features) == linear_regression(d).residual_variance
        for of in subsets(d):
            same = mean_squared_error(d, of) == linear_regression(d, sorted(of)).residual_variance
            assert is_true("A-6l", d, of) == (same or not linear)
            outcomes.add(same or not linear)
            assert is_true("A-6c", d, of)
            assert formula_of("A-6c", d, of)[0] in ("iff", "=")
    assert outcomes == {True, False}


@each_drawn(60)
def test_risk_and_information(d: JointDistribution) -> None:
    """A-0 and A-0i by themselves, whatever the number of classes: only the bound from above is for any number."""
    assert bool(ahmed_2015.two_classes.check(d)) == (len(d.classes) == 2)
    cells = literal.cells_of(pmf_of(d), range(len(d.features)))
    last = numbers(d.classes)[-1]
    least = sum((min(cell[last], sum(cell.values()) - cell[last]) for cell in cells.values()), Fraction(0))
    assert is_true("A-0", d) == (least == bayes_risk(d, d.features))
    for of in subsets(d):
        risk, left = bayes_risk(d, of), conditional_entropy(d, ["Y"], sorted(of))
        assert 2 * risk * log(2) <= left
        coin = sum((p * log(1 / p) for p in (risk, 1 - risk) if p), log(1))
        assert is_true("A-0i", d, of) == (left <= coin)
        if len(d.classes) == 2:
            seen = [*map(sorted, (cell.values() for cell in literal.cells_of(pmf_of(d), places(d, of)).values()))]
            etas = [few / (few + many) for few, many in seen if many]
            assert (2 * risk * log(2) == left) == ({2 * eta for eta in etas} <= {0, 1})
            assert (left == coin) == (len(set(etas)) == 1)


@each_drawn(20, BINARY)
def test_loss_with_three_predictions(d: JointDistribution) -> None:
    loss = criteria.loss_matrix([[0, 1, ahmed_2015.FEE], [1, 0, ahmed_2015.FEE]], predictions=[0, 1, "ask"])
    for of in subsets(d):
        if of:
            assert formula_of("A-L", d, of)[0] == "="
            assert last_comparison("A-L", d, of) == (loss.value(d, of), loss.value(d, of))


def test_two_measures_are_no_expected_losses() -> None:
    """A-7x: of a mixture the F-measure and the AUC of a fixed predictor are not the mixture of their values."""
    right = JointDistribution([[1, 0], [0, 1]])  # the feature is the class
    wrong = JointDistribution([[0, 1], [3, 0]])  # its opposite, and p = 1/4
    both = JointDistribution([[2, 1], [3, 2]])
    aucs, always, balanced = [], [], []
    for d in (right, wrong, both):
        m = Model(d)
        cells = terms.cells_of(m, m.features)
        aucs.append(value(d, terms.auc(m, cells, (0, 1))))
        always.append(value(d, terms.f_value(m, cells, (True, True), Fraction(1))))
        balanced.append(value(d, terms.balanced_loss(m, cells, (False, True))))
    assert aucs == [1, 0, Fraction(8, 15)]
    assert always == [Fraction(2, 3), Fraction(2, 5), Fraction(6, 11)]
    assert 2 * always[2] != always[0] + always[1]
    assert balanced == [0, 2, Fraction(14, 15)]
    m = Model(right)  # A-7y: in one distribution they are no sums of a term for each state, either
    cells = terms.cells_of(m, m.features)
    for weight, all_positive in ((Fraction(1, 4), Fraction(5, 9)), (Fraction(4), Fraction(5, 6))):
        f = [value(right, terms.f_value(m, cells, h, weight)) for h in terms.choices(cells)]
        assert f == [0, 1, 0, all_positive]
    won = {(u, v): value(right, terms.auc(m, cells, (v, u))) for u, v in ((2, 0), (2, 1), (1, 0), (1, 1))}
    assert list(won.values()) == [1, 1, 1, Fraction(1, 2)]


OF_THE_LIBRARY: dict[str, Any] = {
    "01": criteria.zero_one(),
    "cost": criteria.cost_sensitive("1/4"),
    "bal": criteria.balanced(),
    "log": criteria.logarithmic(),
    "sq": criteria.squared_error(),
    "F": criteria.f_measure(),
    "auc": criteria.auc(),
}


@pytest.mark.thorough
@pytest.mark.parametrize("key", BENEFITS)
def test_second_differences_agree_with_the_library(key: str) -> None:
    outcomes = set()
    every = (drawn(seed, ((2, 2, 2), (2, 2, 2, 2)), plain=True) for seed in range(50))
    for d in filter(both_occur, every):
        table = OF_THE_LIBRARY[key].table(d)
        for kind, check in (("s", is_submodular), ("p", is_supermodular)):
            holds = bool(check(table))
            assert isinstance(claims[f"A-G{kind}-{key}"].check(d), Holds) == holds
            outcomes.add((check.__name__, holds))
    assert len(outcomes) == 4


@pytest.mark.parametrize("key", BENEFITS)
def test_greedy_agrees_with_the_library(key: str) -> None:
    """Ties may fall in any way: as an order of the features breaks them."""
    four = JointDistribution.from_counts({(0, 0, 0, 0): 1, (0, 0, 1, 1): 1, (0, 1, 0, 1): 1, (1, 1, 1, 0): 1})
    outcomes = set()
    every = (four, *(drawn(seed, ((2, 2, 2, 2),), plain=True) for seed in range(10)))
    for d in filter(both_occur, every):
        orders = itertools.permutations(d.features)
        reached = any(compare_greedy(d, 2, OF_THE_LIBRARY[key], order=order).is_optimal for order in orders)
        assert isinstance(claims[f"A-Gg-{key}"].check(d), Holds) == reached
        outcomes.add(reached)
    assert outcomes == {True, False}


@each_drawn(60, ((2, 2, 2), (2, 3, 2), (2, 2, 3), (2, 2, 2, 2), (3, 2)))
def test_independence_given_the_class(d: JointDistribution) -> None:
    independent = all(conditionally_independent(d, [i], [j for j in d.features if j != i], ["Y"]) for i in d.features)
    found = claims["A-Gi-log"].check(d)
    assert isinstance(found, Holds if independent else Vacuous)


def test_independent_features_against_the_textbook() -> None:
    """Three witnesses: the entropy, the squared error and the AUC are submodular there, the others are not."""
    jury = JointDistribution.from_counts(
        {(*said_so, y): 3 ** sum(x == y for x in said_so) for *said_so, y in itertools.product((0, 1), repeat=4)}
    )
    for key, holds in {"01": False, "bal": False, "log": True, "sq": True, "F": False, "auc": True}.items():
        verdict = claims[f"A-Gi-{key}"].check(jury)
        assert isinstance(verdict, Holds if holds else Refuted), verdict


Conditionals = list[list[list[Fraction]]]
"""For each class the distributions of the features given it."""


def conditionals(seed: int, sizes: tuple[int, ...], classes: int) -> Conditionals:
    rng = random.Random(seed)
    rows = [[[rng.choice((0, 0, 1, 2, 5)) for _ in range(size - 1)] + [1] for size in sizes] for _ in range(classes)]
    return [[[Fraction(weight, sum(row)) for weight in row] for row in features] for features in rows]


def joint(features: list[list[Fraction]], subset: Iterable[int]) -> list[Fraction]:
    return [math.prod(cell, start=Fraction(1)) for cell in itertools.product(*(features[i] for i in subset))]


def area(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    """Return the largest AUC, pair by pair of states."""
    pairs = itertools.product(zip(first, second, strict=True), repeat=2)
    return 1 - sum(min(a * d, c * b) for (a, b), (c, d) in pairs) / Fraction(2)


def weights_of_coverage(f: Callable[[Iterable[int]], Fraction], n: int) -> list[Fraction]:
    """Return w_T for the non-empty T, with which f(S) - f({}) would be the sum over the T that meet S."""
    every = [frozenset(T) for size in range(n + 1) for T in itertools.combinations(range(n), size)]
    lost = {T: f(range(n)) - f(every[-1] - T) for T in every}
    return [Fraction(sum((-1) ** len(T - U) * lost[U] for U in every if U <= T)) for T in every[1:]]


@pytest.mark.parametrize("seed", range(25))
def test_auc_is_a_coverage_function(seed: int) -> None:
    """A-Gi-auc, and means of pairs of three classes: all differences alternate, not only the second."""
    sizes = ((2, 2, 2), (3, 2, 2), (2, 4), (2, 2, 2, 2))[seed % 4]
    laws = conditionals(seed, sizes, 3)

    def areas(subset: Iterable[int]) -> list[Fraction]:
        subset = list(subset)
        return [area(*(joint(law, subset) for law in pair)) for pair in itertools.combinations(laws, 2)]

    assert min(weights_of_coverage(lambda subset: areas(subset)[0], len(sizes))) >= 0
    assert min(weights_of_coverage(lambda subset: sum(areas(subset), Fraction(0)) / 3, len(sizes))) >= 0


def ball(q: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(q.numerator, q.denominator))


@pytest.mark.parametrize("seed", range(4))
def test_auc_is_an_integral_over_products(seed: int) -> None:
    """2 - 2 AUC is the mean of a product over the features, enclosed: beyond W there is at most 1/(pi W)."""
    laws, W = conditionals(seed, (2, 3), 2), 100

    def product(w: flint.acb, _: bool) -> flint.acb:
        found = 2 / (flint.arb.pi() * (1 + 4 * w * w))
        for rows, turn in itertools.product(zip(*laws, strict=True), (w, -w)):
            both = [(a, b) for a, b in zip(*rows, strict=True) if a * b]
            terms = (ball(a * b).sqrt() * (flint.acb(0, 1) * turn * ball(a / b).log()).exp() for a, b in both)
            found *= sum(terms, flint.acb(0))
        return found

    inside = flint.acb.integral(product, -W, W).real
    assert inside < ball(2 - 2 * area(*(joint(law, (0, 1)) for law in laws))) < inside + 1 / (flint.arb.pi() * W)


def test_balanced_criteria_of_more_classes() -> None:
    """A-Gi-bal and A-Gi-balm: which class against which, and how many classes two bits need."""
    for d in filter(both_occur, map(drawn, range(60))):
        right = value(d, terms.mean_recall(Model(d), of := frozenset(d.features)))
        assert right == 1 - criteria.balanced().value(d, of) / len(d.classes)
    every = [(Fraction(i, 4), Fraction(4 - i, 4)) for i in range(5)]
    for first in itertools.combinations_with_replacement(every, 3):
        for second in itertools.product(every, repeat=3):
            laws = [joint([list(a), list(b)], (0, 1)) for a, b in zip(first, second, strict=True)]
            alone = [sum(map(max, zip(*bits, strict=True))) for bits in (first, second)]
            assert sum(map(max, zip(*laws, strict=True))) + 1 <= sum(alone)
    rest = JointDistribution([[[0, 1, 1], [0, 0, 1]], [[0, 0, 1], [1, 0, 1]]])  # 00 and 11 against two fair bits
    four = JointDistribution.from_counts({(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 2): 1, (1, 1, 3): 1})
    for key, d, holds in (("balm", four, False), ("balm", rest, True), ("bal", rest, False)):
        assert isinstance(claims[f"A-Gi-{key}"].check(d), Holds if holds else Refuted)
    assert isinstance(claims["A-Gi-auc"].stated().without("two_classes").check(rest), Refuted)


def test_categories_of_footnote_6() -> None:
    seen: set[int] = set()
    for rows in itertools.chain.from_iterable(itertools.product((0, 1, 2, 7), repeat=size) for size in range(1, 6)):
        mean = Fraction(sum(rows), len(rows))
        variance = sum((x - mean) ** 2 for x in rows) / len(rows)
        found = [(x >= mean and (x - mean) ** 2 >= variance) - (x < mean and (x - mean) ** 2 > variance) for x in rows]
        if 2 * rows.count(0) >= len(rows):
            assert -1 not in found
        if len(set(rows)) == 2:
            assert len(set(zip(rows, found, strict=True))) == len(set(found)) == 2
        seen.update(found)
    assert seen == {-1, 0, 1}
