"""Claims on the probability of a class for every number of states: those of two classes, against an exact search."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fstheory import JointDistribution, check_certificate, prove
from fstheory.checker.every_size import EverySizeSpace
from fstheory.errors import CertificateError, ClaimError, InvalidValueError, NotLinearError
from fstheory.logic import Claim, Formula, Model, claim
from fstheory.logic.evaluate import truth
from fstheory.logic.expressions import Term, from_json
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted
from tests.logic.building import signed
from tests.logic.test_changes import is_accepted, mutated
from tests.proofs.test_other_criteria import drawn

TENTH = 'm.probability(y=1) == "1/10"'
SAID = {
    "m.risk(()) == m.minimum([m.probability(y=0), m.probability(y=1)])": "proved",
    f'm.implies({TENTH}, m.risk("X1") <= "1/10")': "proved",
    'm.implies(m.probability(y=1) == "9/10", m.risk("X1") <= "1/20")': "refuted",
    'm.probability(y=1) <= "1/2"': "refuted",  # by a distribution whose second class is the usual one
    "m.probability(y=0) + m.probability(y=1) == m.probability()": "proved",
    f'm.implies({TENTH}, m.entropy(m.target) >= "325/1000")': "proved",
    f'm.implies({TENTH}, m.entropy(m.target) >= "326/1000")': "refuted",
    'm.implies(m.all([m.probability(y=1) >= "1/10", m.probability(y=1) <= "3/4"]), m.info("H(Y)") >= "8/25")': "proved",
    f'm.implies(({TENTH}) & (m.info("I(Y;X1)", base=2) <= "1/10"), m.risk("X1") >= "1/20")': "proved",
    f'm.implies({TENTH}, m.gini("X1") <= "9/50")': "proved",
    'm.implies(m.probability(y=1) == m.parameter("tau", above=0, below="1/2"), m.risk("X1") <= "1/4")': "refuted",
}


def stated(said: str) -> Claim:
    return claim(lambda m: eval(said, {"m": m}), name="said")


@pytest.mark.parametrize("said", SAID)
def test_claims_on_a_prior_are_decided(said: str) -> None:
    verdict = prove(stated(said), features=1, classes=2)
    assert verdict.status == SAID[said]
    assert isinstance(verdict, Proved | Refuted)
    assert check_certificate(verdict.certificate)
    assert verify_certificate(verdict.certificate, stated(said))


def test_one_shape_and_every_size_agree() -> None:
    for said, status in list(SAID.items())[1:5]:
        assert prove(stated(said), cardinalities=(3,)).status == status


def test_other_probabilities_are_refused() -> None:
    with pytest.raises(NotLinearError, match="give classes=2"):
        prove(stated(TENTH), features=1, classes=3)
    with pytest.raises(NotLinearError, match="classes"):
        prove(stated(TENTH), features=1)
    with pytest.raises(NotLinearError, match="states"):
        prove(stated('m.probability({"X1": 0}) <= 1'), features=1, classes=2)
    with pytest.raises(ClaimError, match="without probabilities of classes, not 'prior'"):
        prove(
            claim(lambda m: True, assume=[claim(lambda m: m.probability(y=1) < 1, name="prior")]), features=1, classes=2
        )


def random_claim(seed: int) -> Claim:
    """Return a claim about two features that mixes the probability of a class with risks and informations."""
    rng = random.Random(seed)
    kinds = [rng.choice("PRRHG") for _ in range(4)]
    sets = [rng.sample(("X1", "X2"), rng.randrange(3)) for _ in kinds]
    numbers = [Fraction(rng.randint(-2, 2)) or Fraction(1) for _ in kinds]
    prior, end = Fraction(rng.randint(1, 9), 10), Fraction(rng.randint(-4, 6), 10)

    def body(m: Model) -> Formula:
        made: dict[str, Any] = {"R": m.risk, "H": m.conditional_entropy, "G": m.gini}
        terms: list[Term] = [made[k](s) if k in made else m.probability(y=1) for k, s in zip(kinds, sets, strict=True)]
        compared = m.sum(t * c for t, c in zip(terms, numbers, strict=True)) <= end
        fixed = m.probability(y=1)
        return m.implies(fixed == prior if seed % 2 else fixed <= prior, compared)

    return claim(body, name="random")


def decide_one(seed: int) -> str:
    """Decide a random claim. What is proved must hold at distributions with the prior it speaks of, found at random."""
    said, rng = random_claim(seed), random.Random(seed)
    verdict = prove(said, features=2, classes=2, time_limit=20)
    if isinstance(verdict, Refuted):
        assert isinstance(said.check(verdict.distribution), Refuted)
        assert verify_certificate(verdict.certificate, said)
    if isinstance(verdict, Proved):
        assert verify_certificate(verdict.certificate, said)
        for tenths in range(1, 10):
            table = np.array(drawn(rng, 2, 2).weights, dtype=object)
            a, b = (int(table[..., y].sum()) for y in (0, 1))
            if a and b:
                scaled = np.stack([table[..., 0] * b * (10 - tenths), table[..., 1] * a * tenths], axis=-1)
                assert said.check(JointDistribution(scaled)).status == "holds"
    return verdict.status


@pytest.mark.parametrize("count", [14, pytest.param(300, marks=pytest.mark.thorough)])
def test_random_claims_get_no_false_verdict(count: int) -> None:
    found = Counter(map(decide_one, range(count)))
    assert min(found["proved"], found["refuted"]) >= count // 5, found


def test_the_entropy_of_a_class_is_above_a_chord() -> None:
    """One case is true of each distribution; the chord is above the curve outside of its ends, so no case is idle."""
    space, idle = EverySizeSpace({"features": 1, "classes": 2}, ()), Counter[int]()
    for low, high in itertools.combinations_with_replacement(range(11), 2):
        options = [from_json(option) for option in space.cases(("prior", low, high, 20), "a split")]
        for ones in range(21):
            d = Shape((1,), 2).distribution([ones, 20 - ones])
            true = [truth(option, d) for option in options]
            assert any(true)
            assert true[2] or not low <= min(ones, 20 - ones) <= high
            idle.update(i for i, one in enumerate(true) if one and sum(true) == 1)
    assert min(idle[i] for i in range(3)) > 0
    for wrong in (("prior", 3, 2, 20), ("prior", 1, 11, 20), ("prior", -1, 1, 20), ("prior", 0, 1, 1001)):
        with pytest.raises(CertificateError):
            space.cases(wrong, "a split")
    with pytest.raises(CertificateError):
        EverySizeSpace({"features": 1, "classes": 3}, ()).cases(("prior", 1, 1, 20), "a split")


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.thorough)])
def test_changed_certificates_are_rejected_unless_what_they_say_is_true(count: int) -> None:
    verdicts = [prove(stated(said), features=1, classes=2) for said, status in SAID.items() if status == "proved"]
    known = [dict(verdict.certificate) for verdict in verdicts if isinstance(verdict, Proved)]
    some = [content for content in known if '"prior"' in str(content).replace("'", '"')]
    rng, accepted = random.Random(5), 0
    assert len(some) >= 3
    for _ in range(count):
        content = signed(mutated(rng.choice(some), rng))
        if is_accepted(content):
            accepted += 1
            for instance in content["show"] if content["shape"] == {"features": 1, "classes": 2} else ():
                for ones in range(1, 20):
                    assert truth(from_json(instance["formula"]), Shape((1,), 2).distribution([ones, 20 - ones]))
    assert accepted < count / 3


def test_coq_does_not_know_the_chord() -> None:
    verdict = prove(stated(f'm.implies({TENTH}, m.entropy(m.target) >= "325/1000")'), features=1, classes=2)
    assert isinstance(verdict, Proved)
    with pytest.raises(InvalidValueError, match="prior"):
        verdict.certificate.to_coq()
