"""Largest and smallest values of terms, against theorems, a second solver, and all small distributions."""

import itertools
import json
import operator
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import fstheory as fs
from fstheory.errors import CertificateError, InvalidValueError
from fstheory.logic.evaluate import truth, value
from fstheory.logic.expressions import Formula, Term
from fstheory.proofs import Extremum, extremum
from fstheory.proofs.extremum import Climb
from tests.literal import compositions

HALF = Fraction(1, 2)  # the largest risk of two classes


def gain(m: fs.Model) -> Term:
    return m.risk(()) - m.risk()


def difference(m: fs.Model) -> Term:
    return m.risk("X1") - m.risk("X2")


def each_gains_little(m: fs.Model) -> Formula:
    return m.all(m.alone(i) <= "1/10" for i in m.order)


def certified(found: Extremum) -> Extremum:
    """Verify both certificates, and evaluate the term and the condition where the value is said to be reached."""
    for verdict in (found.proof, found.example):
        if verdict is not None:
            fs.check_certificate(verdict.certificate)
    return found


# -- The prices of ranking: theorems 5 and 7 on importance, for each number of features and each number that is kept.


def price(n: int, k: int, kind: Any) -> Fraction:
    """Return what the k features of largest importance lose against the best k, at most, by the theorems."""
    at_ends = {"alone": (0, 1), "loco": (1, 0), "mci": (1, 1)}
    mean = {"shapley": 1 - Fraction(1, n - 1), "banzhaf": 1 - Fraction(4, 2**n)}
    first, last = at_ends.get(kind, (mean.get(kind), mean.get(kind)))
    return HALF * (first if k == 1 else last if k == n - 1 else 1)  # type: ignore[operator]


def priced(n: int, k: int, kind: Any) -> Extremum:
    kept = [f"X{i + 1}" for i in range(k)]

    def is_kept(m: fs.Model, T: Any) -> Any:
        return m.all([len(T) == k, m.top(kept, lambda i: m.importance(i, kind))])

    def lost(m: fs.Model, T: Any) -> Term:
        return m.risk(kept) - m.risk(T)

    return certified(fs.supremum(lost, features=n, subject_to=is_kept))


KINDS = ("alone", "shapley", "banzhaf", "loco", "mci")
PRICES = [(n, k, kind) for n in (3, 4, 5) for kind in KINDS for k in range(1, n)]


@pytest.mark.rotated(16)
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("n", "k", "kind"),
    [pytest.param(*row, marks=[pytest.mark.thorough] * (row[0] > 3), id="-".join(map(str, row))) for row in PRICES],
)
def test_the_prices_of_ranking(n: int, k: int, kind: str) -> None:
    found = priced(n, k, kind)
    assert (found.value, found.attained) == (price(n, k, kind), True)
    assert found.reached == found.value
    assert len(found.where[0][1]) == k


# -- Random suprema of risks, against the linear program of all monotone tables in HiGHS.


Row = tuple[int, ...]  # a whole coefficient for the risk of each subset, by mask
Condition = tuple[Row, int, bool]  # the sum is at most a number of tenths, or below it


def monotone_rows(n: int) -> list[Row]:
    """Return what is at most 0 in a table of risks."""
    steps = [(s, s | 1 << i) for s, i in itertools.product(range(1 << n), range(n)) if not s >> i & 1]
    return [tuple((mask == t) - (mask == s) for mask in range(1 << n)) for s, t in steps]


def largest_by_highs(n: int, wanted: Row, conditions: Sequence[Condition]) -> tuple[Fraction, bool] | None:
    """Return the largest value, and whether it is attained; None if no table meets the conditions.

    It is attained if all strict conditions can be met by a margin where the value is largest.
    """
    rows = [(*row, 0) for row in monotone_rows(n)] + [(*row, int(strict)) for row, _, strict in conditions]
    limits = [0.0] * len(monotone_rows(n)) + [tenths / 10 for _, tenths, _ in conditions]
    bounds = [(0, 0.5)] * (1 << n)
    margin = (*(0 for _ in wanted), 1)

    def solved(objective: Sequence[float], more: Sequence[tuple[Sequence[float], float]], least: float) -> Any:
        table, right = [*rows, *(row for row, _ in more)], [*limits, *(limit for _, limit in more)]
        return linprog(np.negative(objective), table, right, bounds=[*bounds, (least, 1)], method="highs")

    widest = solved(margin, [], 0)
    if widest.status == 2 or (any(strict for *_, strict in conditions) and widest.x[-1] < 1e-7):
        return None
    top = -solved((*wanted, 0), [], 0).fun
    exact = Fraction(top).limit_denominator(10_000)
    there = solved(margin, [((*(-c for c in wanted), 0), -float(exact) + 1e-9)], 0)
    return exact, not any(strict for *_, strict in conditions) or there.x[-1] > 1e-7


def random_question(seed: int) -> tuple[int, Row, list[Condition], list[Condition]]:
    """Return a number of features, a term, conditions that all hold, and conditions one of which holds."""
    rng = random.Random(seed)
    n = rng.choice((1, 2, 2, 3))

    def row() -> Row:
        return tuple(rng.choice((-2, -1, 0, 0, 1, 2)) for _ in range(1 << n))

    def some(most: int) -> list[Condition]:
        return [(row(), rng.randint(-2, 3), rng.random() < 0.3) for _ in range(rng.randint(0, most))]

    return n, row(), some(3), some(2)


def as_claims(n: int, wanted: Row, every: list[Condition], either: list[Condition]) -> tuple[Any, Any]:
    def combined(m: fs.Model, row: Row) -> Term:
        subsets = ([name for i, name in enumerate(m.order) if mask >> i & 1] for mask in range(1 << n))
        return m.sum(m.risk(subset) * c for subset, c in zip(subsets, row, strict=True))

    def said(m: fs.Model, condition: Condition) -> Any:
        row, tenths, strict = condition
        return (operator.lt if strict else operator.le)(combined(m, row), Fraction(tenths, 10))

    def condition(m: fs.Model) -> Formula:
        one = [m.any(said(m, part) for part in either)] if either else []
        return m.all([*one, *(said(m, part) for part in every)])

    return lambda m: combined(m, wanted), condition


@pytest.mark.rotated(16)
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.thorough] * (seed >= 12)) for seed in range(200)]
)
def test_random_suprema_are_those_of_another_solver(seed: int) -> None:
    n, wanted, every, either = random_question(seed)
    answers = [largest_by_highs(n, wanted, [*every, part]) for part in either] or [largest_by_highs(n, wanted, every)]
    expected = max((answer for answer in answers if answer is not None), default=None)
    term, condition = as_claims(n, wanted, every, either)
    found = certified(fs.supremum(term, features=n, subject_to=condition))
    assert ((found.value, found.attained) if found.value is not None else None) == expected
    assert (found.status == "empty") == (expected is None)
    if found.attained:
        assert found.distribution is not None
        model = fs.Model(found.distribution)
        assert value(term(model), found.distribution) == found.value
        assert truth(condition(model), found.distribution)
    smallest = fs.infimum(lambda m: -term(m), features=n, subject_to=condition)
    assert smallest.status == found.status
    assert smallest.value == (None if found.value is None else -found.value)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("classes", [2, 3])
def test_no_small_distribution_of_a_shape_is_above(classes: int) -> None:
    """Every distribution of two bits with a total up to 5, or of one bit for three classes."""
    cardinalities, most = ((2, 2), 5) if classes == 2 else ((2,), 7)

    def term(m: fs.Model) -> Term:
        return m.maximum([m.risk(()) - 2 * m.risk("X1"), m.probability({"X1": 0}, 1) - m.risk()])

    def condition(m: fs.Model) -> Formula:
        return (m.risk("X1") >= "1/5") | (m.probability({"X1": 1}) == m.probability({"X1": 0}, 0))

    shape = fs.Shape(cardinalities, classes)
    found = certified(fs.supremum(term, cardinalities=cardinalities, classes=classes, subject_to=condition))
    values = []
    for total in range(1, most + 1):
        for weights in compositions(total, shape.cells):
            d = shape.distribution(weights)
            if truth(condition(fs.Model(d)), d):
                values.append(value(term(fs.Model(d)), d))
    assert found.attained
    assert found.value == max(values)


# -- What an answer says.


def test_what_is_not_attained_is_approached() -> None:
    def strictly_first(m: fs.Model) -> Formula:
        return m.all(m.shapley("X1") > m.shapley(i) for i in ("X2", "X3"))

    found = certified(fs.supremum(difference, features=3, subject_to=strictly_first))
    assert (found.status, found.value, found.attained) == ("approached", Fraction(1, 4), False)
    assert found.reached is not None
    assert Fraction(24, 100) <= found.reached < Fraction(1, 4)
    assert (found.lower, found.upper) == (Fraction(1, 4), Fraction(1, 4))
    near = found.approach("1/1000")
    assert truth(strictly_first(fs.Model(near)), near)
    assert Fraction(249, 1000) <= value(difference(fs.Model(near)), near) < Fraction(1, 4)
    assert "largest difference: 1/4, approached and not attained; " in str(found)
    with pytest.raises(InvalidValueError, match="within must be above 0"):
        found.approach(0)


def test_a_disjunction_that_holds_near_the_bound_does_not_hold_at_it() -> None:
    def condition(m: fs.Model) -> Formula:
        risk = m.risk(())
        return (risk < HALF) & ((risk <= "999/2000") | (risk > 1))

    found = certified(fs.supremum(lambda m: m.risk(()), features=1, subject_to=condition))
    assert (found.value, found.attained) == (Fraction(999, 2000), True)


@pytest.mark.thorough(2)
def test_any_number_of_classes_and_assumptions() -> None:
    two = certified(fs.supremum(gain, features=2, subject_to=each_gains_little))
    assert (two.value, two.attained) == (HALF, True)
    assert two.approach("1/10") == two.distribution
    many = certified(fs.supremum(gain, features=2, classes=None, subject_to=each_gains_little))
    assert (many.status, many.value) == ("approached", Fraction(1))
    assert len(many.distribution.classes) > 9  # type: ignore[union-attr]
    both: Any = ["positive", "unique_maximum"]
    assumed = certified(fs.supremum(difference, features=3, assume=both, subject_to=lambda m: m.top("X1", m.shapley)))
    assert (assumed.value, assumed.attained) == (Fraction(1, 4), True)
    assert assumed.distribution.is_positive()  # type: ignore[union-attr]
    assert assumed.distribution.has_unique_maximum()  # type: ignore[union-attr]
    useless = certified(
        fs.supremum(gain, cardinalities=(2, 2), classes=3, subject_to=lambda m: m.all(m.alone(i) == 0 for i in m.order))
    )
    assert useless.value == HALF, "bits tell less than the 2/3 that features of any size do"


def test_an_empty_condition_is_an_answer_of_its_own() -> None:
    for size in ({"features": 2}, {"cardinalities": (2, 2)}):
        found = certified(fs.supremum(gain, subject_to=lambda m: m.risk("X1") > m.risk(()), **size))
        assert (found.status, found.value, found.attained, found.distribution) == ("empty", None, False, None)
        assert found.certificate is not None
        assert "no distribution meets the condition; proved for" in str(found)
        with pytest.raises(InvalidValueError, match="approach must be asked of a value that is attained or approached"):
            found.approach("1/10")


@pytest.mark.thorough(2)
def test_informations_have_two_ends() -> None:
    """The upper end of the first is half the logarithm to base 2 of 5/4, to six digits."""

    def tells_more(m: fs.Model) -> Formula:
        return m.mutual_information("X1") >= m.mutual_information("X2")

    found = certified(fs.supremum(difference, features=2, subject_to=tells_more))
    assert (found.status, found.value, found.upper) == ("bounded", None, Fraction(111572, 693147))
    assert Fraction(3, 20) < found.lower < found.upper  # type: ignore[operator]
    d = found.distribution
    assert d is not None
    assert truth(tells_more(fs.Model(d)), d)
    assert value(difference(fs.Model(d)), d) == found.lower
    assert "largest difference: at most 111572/693147 ≈ 0.1610, proved for 2 features" in str(found)
    fano = certified(
        fs.infimum(lambda m: m.risk("X1"), features=1, subject_to=lambda m: m.conditional_entropy("X1") >= "1/2")
    )
    assert (fano.lower, fano.upper) == (Fraction(138428, 693147), Fraction(1, 5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extremum._Search, "_proved", lambda *_: None)
        unproved = fs.supremum(difference, features=2)
    assert (unproved.status, unproved.reason) == ("undecided", "no proof was found within the limits")
    assert (unproved.bound, unproved.proof) == (None, None)
    assert unproved.lower == unproved.reached == Fraction(1, 2)
    endless = fs.supremum(lambda m: m.entropy("X1"), features=1)
    assert (endless.status, endless.upper) == ("undecided", None)
    assert "no bound follows from what is known of all distributions; at least 0 by" in str(endless)


def test_a_search_that_is_handed_over_keeps_its_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extremum, "_TOGETHER", 1)  # each branch is handed to another worker

    def useless(m: fs.Model) -> Formula:
        return m.independent("X1", "Y")

    found = certified(fs.supremum(lambda m: m.risk(()) - m.risk("X1"), features=1, subject_to=useless))
    assert found.attained
    assert found.value == 0


def test_other_criteria() -> None:
    """What two features gain if each alone gains little is the same for each criterion, in parts of what there is."""
    gini = certified(
        fs.supremum(
            lambda m: m.gini(()) - m.gini(),
            features=2,
            subject_to=lambda m: m.all(m.gini(()) - m.gini(i) <= "1/10" for i in m.order),
        )
    )
    assert (gini.value, gini.attained) == (HALF, True)
    area = certified(
        fs.supremum(lambda m: m.auc(), features=2, subject_to=lambda m: m.all(m.auc(i) <= "3/5" for i in m.order))
    )
    assert (area.value, area.attained) == (Fraction(1), True)


def test_no_time_is_said_honestly() -> None:
    found = fs.supremum(difference, features=3, subject_to=lambda m: m.top("X1", m.shapley), time_limit=1e-6)
    assert (found.status, found.value, found.upper, found.lower) == ("undecided", None, None, None)
    assert str(found) == "largest difference: undecided, the time limit was reached"


def test_a_mutated_answer_is_rejected() -> None:
    found = priced(3, 1, "shapley")
    for verdict, old, new in ((found.proof, '"1/4"', '"6/25"'), (found.example, '"1/4"', '"13/50"')):
        text = verdict.certificate.to_json()  # type: ignore[union-attr]
        assert old in text
        with pytest.raises(CertificateError):
            fs.check_certificate(json.loads(text.replace(old, new)))


# -- A long call: resumed, and with workers.


def useless_pairs(m: fs.Model) -> Formula:
    return m.all(m.risk(pair) == m.risk(()) for pair in itertools.combinations(m.order, 2))


def bits(**options: Any) -> Extremum:
    return fs.supremum(gain, cardinalities=(2, 2, 2), subject_to=useless_pairs, **options)


@pytest.mark.thorough(2)
def test_it_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original, dives = Climb.dive, list[Any]()

    def dive(self: Climb, path: Any) -> Any:
        dives.append(path)
        if len(dives) == 2:
            raise KeyboardInterrupt
        return original(self, path)

    monkeypatch.setattr(Climb, "dive", dive)
    with pytest.raises(KeyboardInterrupt):
        bits(resume=tmp_path / "bits.json")
    expected = bits(resume=tmp_path / "bits.json")
    assert (expected.value, expected.attained) == (HALF, True)
    assert dives.count(()) == 1
    before, lines = len(dives), list[str]()
    with ThreadPoolExecutor(2) as threads:
        assert bits(resume=tmp_path / "bits.json", executor=threads, progress=lines.append) == expected
    assert len(dives) == before
    text = (tmp_path / "bits.json").read_text(encoding="utf-8")
    assert '"best"' in text
