"""Cost-sensitive risks of two classes: their value, their facts, and what no proof states; envelopes decide claims."""

import random
from fractions import Fraction
from typing import Any

import pytest

from fstheory.checker import check_certificate
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.reading import SampleSpace, read_node
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, FSTheoryError, InvalidValueError, NotLinearError
from fstheory.logic import Model, claim, value
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Formula
from fstheory.logic.verdict import Proved, Undecided
from fstheory.measures import criteria
from fstheory.proofs.every_size.envelopes import of_costs
from fstheory.proofs.extremum import supremum
from fstheory.proofs.prover import prove
from tests.proofs.every_size import checked, drawn, least_cost
from tests.proofs.test_envelopes import S, Said, cost


@pytest.mark.parametrize("seed", range(4))
def test_a_cost_sensitive_risk_is_the_least_expected_cost(seed: int) -> None:
    """The term of one shape, the criterion, and the checker have the value of the definition. So for other classes."""
    rng = random.Random(seed)
    for _ in range(40):
        d, c = drawn(rng, 2, rng.choice((1, 2, 2, 2, 3))), Fraction(rng.randint(1, 19), 20)
        kept = rng.choice(((), (0,), (1,), (0, 1)))
        of, expected = [d.features[i] for i in kept], least_cost(d.weights, kept, c)
        assert value(Model(d).cost_sensitive(of, cost=c), d) == expected
        assert checked(d).value(("C", kept, str(c))) == expected
        if len(d.classes) == 2:
            assert criteria.cost_sensitive(c).value(d, of) == expected


def test_the_facts_on_costs_are_accepted_and_true() -> None:
    """Each is true at random distributions, and an equality at one of them."""
    some, rng = ("1/7", "2/5", "9/10"), random.Random(1)
    at = [checked(drawn(rng, 2, 2)) for _ in range(60)]
    at += [checked(JointDistribution([[[10 * d - 10 * c, 10 * c]]])) for c, d in ((1, 7), (2, 5), (9, 10), (1, 2))]
    for reference in of_costs(2, some):
        space = EverySizeSpace({"features": 2, "classes": 2}, ())
        relation, form = space.fact(reference, "a fact")
        words: dict[int, Any] = {mask: ("R", kept(mask)) for mask in range(4)}
        words |= {space.cost(t, mask): ("C", kept(mask), t) for mask in range(4) for t in some}
        gaps = [sum(c * (Fraction(str(one.value(words[u]))) if u >= 0 else 1) for u, c in form.items()) for one in at]
        assert (relation, min(gaps)) == (">=", 0), reference


def test_the_intervals_of_a_cover_count_as_steps_and_not_too_many() -> None:
    """With a time limit, a check may take as many steps as there are microseconds left. This one takes .1 s."""

    def two_costs(m: Model) -> Formula:
        equal = m.probability(y=1) == "1/2"
        costs = m.cost_sensitive("X1", cost="1/3") + m.cost_sensitive("X1", cost="2/3")
        return m.implies(equal, m.risk("X1") >= costs)

    verdict = prove(claim(two_costs), features=1, classes=2)
    assert isinstance(verdict, Proved)
    assert check_certificate(verdict.certificate, max_steps=5_000_000)
    with pytest.raises(CertificateError, match="of at most 1000000 steps"):
        check_certificate(verdict.certificate, max_steps=1_000_000)


def kept(mask: int) -> tuple[int, ...]:
    return tuple(i for i in range(2) if mask >> i & 1)


def test_a_proof_has_few_costs_and_two_classes() -> None:
    space = EverySizeSpace({"features": 1, "classes": 2}, ())
    assert len({space.cost(f"1/{i}", 0) for i in (3, 4, 5, 6, 7, 8, 9, 10, 3)}) == 8
    with pytest.raises(CertificateError, match="the costs in a proof must be at most 8"):
        space.cost("1/11", 0)
    with pytest.raises(CertificateError, match="of two classes"):
        EverySizeSpace({"features": 1, "classes": 3}, ()).cost("1/3", 0)


@pytest.mark.parametrize(
    ("said", "classes", "error", "message"),
    [
        (lambda m: m.cost_sensitive(S, cost=1) <= 1, 2, InvalidValueError, "cost must be strictly between 0 and 1"),
        (lambda m: m.cost_sensitive(S, cost="1/3") <= 1, None, NotLinearError, "give classes=2"),
    ],
)
def test_claims_that_no_proof_can_state(
    said: Said, classes: int | None, error: type[FSTheoryError], message: str
) -> None:
    with pytest.raises(error, match=message):
        prove(claim(said, name="said"), features=1, classes=classes)


def test_nine_costs_in_one_claim_are_refused_in_words() -> None:
    said = claim(lambda m: m.sum(m.cost_sensitive(S, cost=Fraction(1, i)) for i in range(3, 12)) <= 9, name="nine")
    verdict = prove(said, features=1, classes=2)
    assert isinstance(verdict, Undecided)
    assert verdict.reason == "the costs of a claim must be at most 8, not 9; leave some out"


def test_the_largest_differences_are_exact() -> None:
    gap = supremum(lambda m: cost(m, 1, 2) - m.risk(S), features=1, classes=2)
    assert (gap.value, gap.attained) == (Fraction(1, 3), True)
    fall = supremum(
        lambda m: cost(m, 1, 2, ()) - cost(m, 1, 2), features=1, classes=2, subject_to=lambda m: m.risk(()) <= "1/5"
    )
    assert (fall.value, fall.attained) == (Fraction(2, 5), True)


@pytest.mark.parametrize("written", ["0", "1", "2/6", f"1/{2**40 + 1}", True])
def test_a_certificate_has_costs_between_0_and_1_in_lowest_terms(written: Any) -> None:
    for space in (
        EverySizeSpace({"features": 1, "classes": 2}, ()),
        SampleSpace({"cardinalities": (2,), "classes": 2}),
    ):
        assert read_node(("C", (0,), "1/3"), "term", space, "a term")
        with pytest.raises(CertificateError, match="the cost of C in a term must be"):
            read_node(("C", (0,), written), "term", space, "a term")


PRIORS: list[tuple[str, Any]] = [
    ("proved", lambda m: m.implies(m.probability(y=1) == "1/3", m.cost_sensitive(S, cost="1/3") <= "2/9")),
    ("refuted", lambda m: m.implies(m.probability(y=1) == "1/3", m.cost_sensitive(S, cost="1/3") <= "1/9")),
    ("proved", lambda m: m.cost_sensitive(S, cost="1/3")
        <= m.minimum([m.probability(y=1) * 2, m.probability(y=0)]) / 3),
    ("refuted", lambda m: m.cost_sensitive(S, cost="2/3")
        <= m.minimum([m.probability(y=1) * 2, m.probability(y=0)]) / 3),
    ("proved", lambda m: m.cost_sensitive((), cost="2/3")
        == m.minimum([m.probability(y=1), 2 * m.probability(y=0)]) / 3),
    ("proved", lambda m: m.implies(m.probability(y=0) == "1/3", m.cost_sensitive((), cost="1/3") == "1/9")),
    ("refuted", lambda m: m.implies(m.probability(y=1) == "1/3", m.cost_sensitive((), cost="1/3") == "1/9")),
    ("proved", lambda m: m.implies(m.probability(y=1) == "1/4", m.cost_sensitive((), cost="1/4") == "3/16")
        & m.implies(m.probability(y=1) == "1/4", m.cost_sensitive((), cost="3/4") == "1/16")),
    ("proved", lambda m: m.implies(m.probability(y=1) == "1/4", 3 * m.cost_sensitive((), cost="3/4")
        == m.cost_sensitive((), cost="1/4"))),
    ("proved", lambda m: m.implies(m.cost_sensitive((), cost="1/3") == 0,
        (m.probability(y=1) == 0) | (m.probability(y=0) == 0))),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("place", range(len(PRIORS)))
def test_costs_beside_the_probability_of_a_class_are_decided(place: int) -> None:
    status, function = PRIORS[place]
    said, rng = claim(function, name=f"prior {place}"), random.Random(place)
    assert prove(said, features=1, classes=2).status == status
    some = [drawn(rng, 1, 2) for _ in range(40)]
    some += [JointDistribution([[4 - a, a], [0, 0]]) for a in range(5)]
    some += [JointDistribution([[3 - a, a], [0, 0]]) for a in range(4)]
    assert {said.check(d).status for d in some} <= ({"holds"} if status == "proved" else {"holds", "refuted"})


@pytest.mark.parametrize("c", ["1/7", "1/3", "2/3", "9/10"])
def test_the_premise_on_the_rarer_class_fits_each_distribution(c: str) -> None:
    """The formula of the proof is the claim at a distribution, and at the one with the classes exchanged."""
    said = claim(lambda m: m.probability(y=1) * 5 + m.cost_sensitive("X1", cost=c) <= "5/2", name="prior")
    (instance,) = said.statement(EverySize(1, 2)).show
    rng = random.Random(c)
    for _ in range(60):
        d = drawn(rng, 1, 2)
        p = Fraction(int(d.weights[:, 1].sum()), d.total)
        if p not in (0, 1):  # otherwise all risks are 0, and the formula is about both classes at once
            assert (checked(d).truth(instance.formula)) is (said.check(d).status == "holds")
