"""Claims that compare sums over all features, for every number of features."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from flint import fmpq_poly

from fstheory.checker.certificates import check_certificate
from fstheory.logic.claims import Claim, claim
from fstheory.logic.verdict import Proved
from fstheory.proofs.every_size import sums
from fstheory.proofs.every_size.sums import holds_from_three_on
from fstheory.proofs.prover import prove

N = fmpq_poly([0, 1])


def _total(m: Any) -> Any:
    return m.sum(m.entropy(i) for i in m.order) - m.entropy()


def _dual(m: Any) -> Any:
    return m.entropy() - m.sum(m.entropy() - m.entropy(m.features - {i}) for i in m.order)


TRUE: dict[str, Callable[[Any], Any]] = {
    "Han": lambda m: m.sum(m.entropy(m.features - {i}) for i in m.order) >= (len(m.order) - 1) * m.entropy(),
    "total correlation": lambda m: _total(m) >= 0,
    "dual total correlation": lambda m: _dual(m) >= 0,
    "total and dual": lambda m: (_total(m) <= (len(m.order) - 1) * _dual(m))
    & (_dual(m) <= (len(m.order) - 1) * _total(m)),
    "mean gain": lambda m: m.sum(m.mutual_information(i) for i in m.order) / len(m.order) <= m.mutual_information(),
    "mean risk": lambda m: m.sum(m.risk(i) for i in m.order) / len(m.features) <= m.risk(()),
    "ceiling": lambda m: m.sum(m.risk(i) for i in m.order) <= len(m.order),
    "losses": lambda m: m.sum(m.mutual_information(i, m.features - {i}) for i in m.order) <= m.entropy(),
    "an identity": lambda m: (
        m.sum(m.mutual_information(i, m.features - {i}) for i in m.order) + m.sum(
            m.mutual_information(m.features - {i}) for i in m.order)
        == len(m.order) * m.mutual_information()
    ),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", TRUE)
def test_a_claim_about_sums_is_proved_for_every_number_of_features(name: str) -> None:
    verdict = prove(claim(TRUE[name], name=name), features="every")
    assert isinstance(verdict, Proved)
    assert str(verdict.shape).startswith("any number of features")
    assert verdict.evidence.endswith("from 1 on, as it compares means over all subsets of equal size")
    assert [len(part.shape.features) for part in verdict.parts] == [1, 2, 3, 4, 5]
    assert {check_certificate(part.certificate).kind for part in verdict.parts} == {"proved"}


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (lambda m: m.sum(m.mutual_information(i) for i in m.order) >= m.mutual_information(), "refuted"),
        (lambda m: (len(m.order) - 6) * m.entropy() <= 0, "undecided"),  # true for few features, and read
        (lambda m: (10 - len(m.order)) * m.risk(()) >= m.sum(m.risk(i) - m.risk() for i in m.order), "undecided"),
        (lambda m: m.risk() <= m.minimum(m.risk(i) for i in m.order), "undecided"),
        (lambda m: m.sum(m.risk(i) for i in m.order) < len(m.order), "undecided"),
    ],
    ids=["information", "six", "ten", "the least risk", "strict"],
)
def test_what_does_not_follow_for_every_number_is_not_proved(said: Any, status: str) -> None:
    assert prove(claim(said, name="said"), features="every").status == status


def _walrus(m: Any) -> Any:
    t = 0
    return m.sum((t := t + 1) * m.entropy(i) for i in m.order)


def _nonlocal(m: Any) -> Any:
    count = 0

    def counted(of: Any) -> Any:
        nonlocal count
        count += 1
        return count * m.entropy(of)

    return m.sum(counted(i) for i in m.order)


def _loop(m: Any) -> Any:
    found = 0
    for i in m.order:
        found = found + m.entropy(i)
    return found


def _yields(m: Any) -> Any:
    def each() -> Any:
        n = 0
        for i in m.order:
            n += 1  # noqa: SIM113 (a state)
            yield n * m.entropy(i)

    return m.sum(each())


TRICKS: dict[str, Callable[[Any], Any]] = {
    "a set of all": lambda m: m.sum(m.entropy(set(m.order)) for _ in (1,)),
    "unpacked": lambda m: m.sum(m.entropy({*m.order}) for _ in (1,)),
    "an inner list": lambda m: m.sum(len([j for j in m.order]) * m.entropy() for _ in (1,)),  # noqa: C416
    "two loops": lambda m: m.sum(m.entropy({i, j}) for i in m.order for j in m.order),
    "nested": lambda m: m.sum(m.sum(m.entropy({i, j}) for j in m.order) for i in m.order),
    "a list": lambda m: m.sum([m.entropy(i) for i in m.order]),
    "a count": lambda m: sum(1 for _ in m.order) * m.entropy(),
    "a sum of Python": lambda m: sum(m.entropy(i) for i in m.order),
    "a filter": lambda m: m.sum(m.entropy(i) for i in m.order if i != m.target),
    "a name": lambda m: m.sum(m.entropy(i) for i in m.order if i == "X1"),
    "a key": lambda m: m.sum({"X1": 1}.get(i, 0) * m.entropy(i) for i in m.order),
    "first": lambda m: m.entropy(m.order[0]),
    "another length": lambda m: len(m.features - {m.target}) * m.entropy(),
    "a range": lambda m: m.sum(m.entropy() for _ in range(len(m.order))),
    "size": lambda m: m.entropy() if len(m.order) < 6 else 0 - m.entropy(),
    "the largest": lambda m: m.maximum(m.entropy(i) for i in m.order),
    "walrus": _walrus,
    "nonlocal": _nonlocal,
    "a loop": _loop,
    "yields": _yields,
}


@pytest.mark.parametrize("name", TRICKS)
def test_what_has_no_meaning_for_a_symbol_is_not_read(name: str) -> None:
    said = TRICKS[name]
    assert not holds_from_three_on(claim(lambda m: said(m) >= 0, name="tricky"), None)


def _random_claim(rng: random.Random) -> Claim:
    """Return a comparison of sums with random small factors."""
    a, b, c, d, e, f, g, h, r, s, t, u = (rng.choice((-2, -1, 0, 0, 1, 2)) for _ in range(12))
    of_risks = rng.random() < 0.3

    def said(m: Any) -> Any:
        n = len(m.order)
        if of_risks:
            sides = r * m.sum(m.risk(i) for i in m.order) + s * m.sum(m.risk(m.features - {i}) for i in m.order)
            return sides + (t * n + u) * m.risk(()) + (a * n + b) * m.risk() + (2 - c) * n >= 0
        alone = a * m.sum(m.entropy(i) for i in m.order) + (b * n + c) * m.entropy()
        without = d * m.sum(m.entropy(m.features - {i}) for i in m.order)
        told = e * m.sum(m.mutual_information(i) for i in m.order) + (f * n + g) * m.mutual_information()
        return (
            alone
            + without
            + told
            + h * m.sum(m.mutual_information(m.features - {i}) for i in m.order)
            + (r * n + s) * m.conditional_entropy(())
            >= 0
        )

    return claim(said, name="said")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(40))
def test_polynomials_decide_a_claim_as_proofs_for_few_features_do(seed: int) -> None:
    """The polynomials at 3 and 4 are at least 0 if and only if the claim is a theorem for 3 and 4 features."""
    said = _random_claim(random.Random(seed))
    found = list[Any]()
    for number in (3, 4):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sums, "_is_at_least_0", lambda polynomial, number=number: polynomial(number) >= 0)
            found.append(holds_from_three_on(said, None))
    assert found == [prove(said, features=number).status == "proved" for number in (3, 4)]


@pytest.mark.parametrize(
    ("coefficients", "true"),
    [
        ([], True), ([0], True), ([1], True), ([-1], False), ([-3, 1], True), ([-4, 1], False), ([12, -7, 1], True),
        ([273, -148, 20], True), ([35, -24, 4], False), ([20, -9, 1], True), ([21, -9, 1], True), ([30, -11, 1], True),
        ([32, -12, 1], False), ([100, -1], False), ([-(10**9), 1], False),
    ],
)  # fmt: skip
def test_a_polynomial_is_at_least_0_at_all_numbers_from_three_on(coefficients: list[Any], true: bool) -> None:
    assert sums._is_at_least_0(fmpq_poly(coefficients)) is true
