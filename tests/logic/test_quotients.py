"""Products and quotients of informations in claims: checked, searched, and verified by the checker."""

import importlib
import json
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

import fstheory as fs
from fstheory.checker import numbers as checked
from fstheory.checker.cases import undivided
from fstheory.checker.certificates import check_certificate
from fstheory.checker.reading import SampleSpace
from fstheory.checker.weights import at_weights
from fstheory.errors import CertificateError, ClaimError, InvalidTypeError, InvalidValueError, NotLinearError
from fstheory.logic.verdict import Proved, Refuted
from fstheory.numbers import LogSum, log, quotients, sqrt
from fstheory.numbers.quotients import LogQuotient
from tests.logic.building import rejected, signed
from tests.logic.definition import value

mpmath: Any = importlib.import_module("mpmath")

D = fs.JointDistribution([[3, 1], [2, 5]])
TWO = fs.JointDistribution([[[3, 1], [2, 2]], [[1, 4], [0, 3]]])
OPERATIONS: list[tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = [
    (operator.add, checked.add),
    (operator.mul, checked.multiply),
    (operator.truediv, lambda a, b: checked.multiply(a, checked.inverse(b))),
]


@given(st.lists(st.tuples(st.integers(2, 40), st.sampled_from(range(3))), min_size=1, max_size=5), st.integers(2, 9))
def test_sums_products_and_quotients_are_those_of_mpmath_in_the_library_and_in_the_checker(
    steps: Any, first: int
) -> None:
    mine, theirs, real = (
        LogQuotient.of(log(first)),
        checked.logarithms([(Fraction(1), Fraction(first))]),
        mpmath.log(first),
    )
    for n, which in steps:
        of_library, of_checker = OPERATIONS[which]
        mine, real = of_library(mine, log(n)), of_library(real, mpmath.log(n))
        theirs = of_checker(theirs, checked.logarithms([(Fraction(1), Fraction(n))]))
    low, high = mine.enclosure(30)
    assert abs(real - mpmath.mpf(low.numerator) / low.denominator) < abs(real) * mpmath.mpf(10) ** -29
    least, most = checked.enclosure(theirs, 128)
    assert least <= high
    assert low <= most
    assert checked.compare(theirs, low - 1) == 1
    assert checked.compare(theirs, high + 1) == -1


def test_equal_products_are_equal_by_algebra() -> None:
    assert LogQuotient.of(log(4)) * log(9) == LogQuotient.of(log(2)) * log(3) * 4
    assert LogQuotient.of(log(6)) * log(6) != LogQuotient.of(log(2)) * log(3)
    assert LogQuotient.of(log(8, base=3)) / log(2) * log(3) == 3
    first, second = ([checked.logarithms([(Fraction(1), Fraction(n))]) for n in pair] for pair in ((4, 9), (2, 3)))
    assert checked.compare(checked.multiply(*first), checked.multiply(Fraction(4), checked.multiply(*second))) == 0
    assert checked.compare(checked.multiply(*first), checked.multiply(Fraction(5), checked.multiply(*second))) == -1


def test_a_comparison_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows two unequal numbers that agree so far, so that the limit is lowered."""
    square, near = LogQuotient.of(log(2)) * log(2), Fraction(0)
    near = square.enclosure(60)[0]
    assert square > near
    monkeypatch.setattr(quotients, "_MOST_BITS", 128)
    with pytest.raises(InvalidValueError, match="agree to 38 digits, and algebra does not show that they are equal"):
        _ = square > near
    monkeypatch.setattr(checked, "_MOST_BITS", 64)
    two = checked.logarithms([(Fraction(1), Fraction(2))])
    with pytest.raises(InvalidTypeError, match="agree to 64 binary places"):
        checked.compare(checked.multiply(two, two), near)


def uncertainty(m: fs.Model, i: str = "X1") -> Any:
    return 2 * m.mutual_information(i) / (m.entropy(i) + m.conditional_entropy(()))


CLAIMS: dict[str, tuple[Callable[[Any], Any], fs.JointDistribution, str]] = {
    "uncertainty": (lambda m: (uncertainty(m) >= 0) & (uncertainty(m) <= 1), D, "holds"),
    "a copy": (lambda m: uncertainty(m) == 1, fs.JointDistribution([[3, 0], [0, 1]]), "holds"),
    "nothing": (lambda m: uncertainty(m) == 0, fs.JointDistribution([[3, 0]]), "holds"),
    "too small": (lambda m: uncertainty(m) <= "1/10", D, "refuted"),
    "bits": (lambda m: m.mutual_information("X1", base=2) ** 2 <= m.mutual_information("X1", base=4), D, "holds"),
    "gain": (lambda m: m.mutual_information(["X1", "X2"]) / m.entropy() >= uncertainty(m, "X1") / 2, TWO, "holds"),
    "gain < ": (lambda m: m.mutual_information(["X1", "X2"]) / m.entropy() < uncertainty(m, "X1") / 2, TWO, "refuted"),
    "sums": (lambda m: m.mutual_information("X1") / m.entropy("X1") + uncertainty(m, "X2") > 3, TWO, "refuted"),
    "largest": (lambda m: m.maximum([uncertainty(m, "X1"), uncertainty(m, "X2")]) > "1/2", TWO, "refuted"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_quotients_of_informations_are_checked(name: str) -> None:
    function, d, status = CLAIMS[name]
    verdict = fs.claim(function, name=name).check(d)
    assert verdict.status == status
    if isinstance(verdict, Refuted):
        check_certificate(json.loads(verdict.certificate.to_json()))


def test_values_in_a_certificate_are_verified() -> None:
    function, d, _ = CLAIMS["too small"]
    verdict = fs.claim(function, name="too small").check(d)
    assert isinstance(verdict, Refuted)
    content = json.loads(verdict.certificate.to_json())
    pmf: Any = {
        place: Fraction(int(w), d.total)
        for place, w in zip([(0, 0), (0, 1), (1, 0), (1, 1)], d.weights.flat, strict=True)
    }
    (term, (low, high)), _ = content["values"]
    numerator, denominator = value(term[1], pmf), value(term[2], pmf)
    assert Fraction(low) < Fraction(str(mpmath.nstr(numerator / denominator, 40))) < Fraction(high)
    for changed in ([low, low], [high, str(Fraction(high) + 1)], high):
        values = [[term, changed], content["values"][1]]
        rejected(signed(content, values=values), "values[0] must be")


def test_searches_find_counterexamples_to_quotients() -> None:
    found = fs.refute(
        fs.claim(lambda m: uncertainty(m) <= "9/10", name="at most 9/10"), cardinalities=(2,), time_limit=20
    )
    assert isinstance(found, Refuted)
    assert LogSum.of(1) == value_at(found.distribution)


def value_at(d: fs.JointDistribution) -> Any:
    """Return the symmetric uncertainty of one feature from its definition."""
    both = fs.entropy(d, [*d.features, d.target])
    first, second = fs.entropy(d, d.features), fs.entropy(d, [d.target])
    return LogQuotient.of(2 * (first + second - both)) / (first + second)


def test_a_parameter_multiplies_a_risk() -> None:
    def noisy(m: Any, claimed: Any) -> Any:
        eta = m.parameter("eta", above=0, below="1/2")
        return eta + (1 - 2 * eta) * m.risk("X1") >= claimed(m)

    assert fs.claim(lambda m: noisy(m, lambda m: m.risk("X1")), name="more").check(D).status == "holds"
    found = fs.claim(lambda m: noisy(m, lambda m: 2 * m.risk("X1")), name="twice").check(D)
    assert isinstance(found, Refuted)
    eta = Fraction(dict(found.where)["eta"])
    assert eta + (1 - 2 * eta) * fs.bayes_risk(D, "X1") < 2 * fs.bayes_risk(D, "X1")
    with pytest.raises(ClaimError, match="cannot be multiplied by a parameter"):
        fs.claim(
            lambda m: m.parameter("a", above=0, below=1) * m.parameter("b", above=0, below=1) < 2, name="two"
        ).check(D)


PROVED: dict[str, tuple[Callable[[Any], Any], int]] = {
    "uncertainty": (lambda m: (uncertainty(m) >= 0) & (uncertainty(m) <= 1), 1),
    "gain ratio": (lambda m: m.mutual_information("X1") / m.entropy("X1") <= 1, 1),
    "distance": (lambda m: 1 - m.mutual_information("X1") / m.entropy("X1", target=True) >= 0, 1),
    "monotone": (lambda m: (_share(m, "X1") <= _share(m, ["X1", "X2"])) & (_share(m, ["X1", "X2"]) <= 1), 2),
    "largest": (lambda m: m.maximum([_share(m, "X1"), _share(m, "X2")]) <= _share(m, ["X1", "X2"]), 2),
    "reduction": (lambda m: (m.risk(()) - m.risk("X1")) / m.risk(()) <= 1, 1),
    "impurity": (lambda m: (m.gini(()) - m.gini("X1")) / m.gini(()) <= 1, 1),
    "guarded": (lambda m: m.implies(m.entropy("X1") > 0, 1 / m.entropy("X1") > 0), 1),
}


def _share(m: Any, of: Any) -> Any:
    return m.mutual_information(of) / m.conditional_entropy(())


@pytest.mark.parametrize("name", PROVED)
def test_quotients_are_proved_for_every_number_of_states(name: str) -> None:
    function, features = PROVED[name]
    verdict = fs.prove(fs.claim(function, name=name), features=features)
    assert isinstance(verdict, Proved)
    content = json.loads(verdict.certificate.to_json())
    check_certificate(content)
    changed = json.loads(json.dumps(content["show"]).replace('["q", "1"]', '["q", "1/3"]').replace('"<"', '"<="'))
    if name in ("uncertainty", "gain ratio", "distance", "reduction", "impurity"):
        with pytest.raises(CertificateError):
            check_certificate(signed(content, show=changed))


def test_false_and_meaningless_quotients_are_not_proved() -> None:
    half = fs.prove(fs.claim(lambda m: uncertainty(m) <= "1/2", name="half"), features=1)
    assert isinstance(half, Refuted)
    with pytest.raises(ClaimError, match="a divisor in a claim must be other than 0"):
        fs.prove(fs.claim(lambda m: 1 / m.entropy("X1") >= 0, name="unguarded"), features=1)
    with pytest.raises(NotLinearError, match="divide risks or informations for every number of states"):
        fs.prove(fs.claim(PROVED["reduction"][0], name="one shape"), cardinalities=(2,))


LEAVES = [("R", ()), ("R", (0,)), ("R", (1,)), ("q", Fraction(2)), ("q", Fraction(-1))]
TERMS: Any = st.recursive(
    st.sampled_from(LEAVES),
    lambda parts: st.tuples(st.sampled_from(["+", "*", "/", "/", "max", "min"]), parts, parts),
    max_leaves=7,
)


def meaning(term: Any, at: Any) -> Fraction | None:
    """Return the value of a term, or None if it divides another number than 0 by 0."""
    if term[0] in {"R", "q"}:
        return Fraction(at[term]) if term[0] == "R" else term[1]
    found = [meaning(part, at) for part in term[1:]]
    values = [value for value in found if value is not None]
    if len(values) < len(found) or (term[0] == "/" and values[1] == 0 != values[0]):
        return None
    if term[0] == "+":
        return sum(values, Fraction(0))
    if term[0] in {"max", "min"}:
        return (max if term[0] == "max" else min)(values)
    return values[0] * values[1] if term[0] == "*" else values[0] / values[1] if values[1] else Fraction(0)


def holds(formula: Any, at: Any) -> bool:
    """Decide a formula in which each comparison of quotients is multiplied out, or has no quotient."""
    kind, *parts = formula
    if kind in {"and", "or"}:
        return (all if kind == "and" else any)(holds(part, at) for part in parts)
    if kind == "not":
        return not holds(parts[0], at)
    if multiplied := undivided(formula):
        return holds(multiplied, at)
    left, right = (meaning(part, at) for part in parts)
    if left is None or right is None:  # a number is divided by the number 0, which the forms refuse
        return True
    return {"<": left < right, "<=": left <= right, "=": left == right}[kind]


ONE, RATIO = ("q", Fraction(1)), ("/", ("R", ()), ("R", (0,)))


@example("<=", ("/", ONE, RATIO), ONE, (1, 2, 0))  # b stands in a divisor
@example("<", ("/", ONE, RATIO), ONE, (2, -1, 0))
@example("<", ("*", ("/", RATIO, RATIO), RATIO), ("max", RATIO, ONE), (1, -2, 0))
@given(st.sampled_from(["<", "<=", "="]), TERMS, TERMS, st.tuples(*[st.integers(-2, 2)] * 3))
def test_what_is_multiplied_out_is_true_where_the_quotients_are_or_have_no_meaning(
    kind: str, left: Any, right: Any, values: Any
) -> None:
    at = dict(zip(LEAVES, values, strict=False))
    first, second = meaning(left, at), meaning(right, at)
    if first is None or second is None:
        assert holds((kind, left, right), at)
    else:
        assert holds((kind, left, right), at) == holds((kind, ("q", first), ("q", second)), at)


def test_roots_beside_quotients_are_refused() -> None:
    with pytest.raises(InvalidTypeError, match="square the comparison"):
        LogQuotient.of(log(2)) * sqrt(2)
    with pytest.raises(InvalidValueError, match="other than 0"):
        LogQuotient.of(log(2)) / (log(4) - 2 * log(2))


H: Any = ("H", (0,), True)
SQUARE: Any = ("*", H, H)
LONG: Any = ("q", Fraction(2**2000 + 1))


@pytest.mark.parametrize(
    ("term", "why"),
    [
        (("*", ("*", ("*", SQUARE, SQUARE), ("*", SQUARE, SQUARE)), H), "at most 8 logarithms"),
        (("*", LONG, ("*", LONG, SQUARE)), "2048 bits"),
    ],
)
def test_a_product_that_is_too_long_is_refused(term: Any, why: str) -> None:
    at = at_weights(SampleSpace({"cardinalities": (2,), "classes": 2}, 10**9), [1, 2, 3, 4])
    with pytest.raises(CertificateError, match=why):
        at.value(term)
