"""Claims that mix risks, informations, impurities and logarithms, for every number of states.

``python -m tests.proofs.test_curves 300 1000`` decides so many random claims and changes so many certificates.
"""

import math
import random
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from fstheory import bayes_risk, claims as ledger, info
from fstheory.checker.certificates import check_certificate
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.numbers import Number, add, compare, logarithms, multiply
from fstheory.checker.statement import ONE, Form
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, InvalidValueError, NotLinearError
from fstheory.logic.claims import Claim, claim
from fstheory.logic.evaluate import value
from fstheory.logic.expressions import Formula, Term, from_json, walk
from fstheory.logic.language import Model
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from tests.logic.building import signed
from tests.logic.test_changes import is_accepted, mutated
from tests.proofs.test_other_criteria import all_values, checked, drawn

ZERO = Fraction(0)
ORDER = {">": lambda sign: sign > 0, ">=": lambda sign: sign >= 0, "=": lambda sign: sign == 0}


def entropy(weights: Any, kept: tuple[int, ...]) -> Number:
    summed = weights.sum(axis=tuple(set(range(weights.ndim)) - set(kept)))
    shares = [Fraction(int(w), int(weights.sum())) for w in summed.ravel() if w]
    return logarithms((-share, share) for share in shares)


def every_value(d: JointDistribution, space: EverySizeSpace) -> dict[int, Number]:
    """Return the values of all unknowns of the checker, from their definitions."""
    n, found = len(d.features), dict[int, Number](all_values(d))
    for mask in range(1, 2 << n):
        found[(1 << n) + mask] = entropy(d.weights, tuple(i for i in range(n + 1) if mask >> i & 1))
    for mask, p in product(range(1 << n), PRIMES[:4]):
        log = logarithms([(Fraction(1), Fraction(p))])
        found |= {space.log(p): log, space.log(p, mask): multiply(log, found[mask])}
    for mask in range(1 << n):
        risk = found[mask]
        assert isinstance(risk, Fraction)
        forms: list[tuple[Form, Fraction]] = [({mask: 1}, risk), ({ONE: 1, mask: -1}, 1 - risk)]
        for form, chance in forms:
            (number,) = space.coin(form) or {}
            found[number] = logarithms([(-chance, chance)]) if chance else ZERO
    return found


def references(rng: random.Random, n: int, k: int) -> list[tuple[Any, ...]]:
    s = rng.randrange(1 << n)
    t, p, i = s | rng.randrange(1 << n), rng.choice(PRIMES[:4]), rng.randrange(n)
    share, (low, high) = Fraction(rng.randint(1, 49), 50), sorted(Fraction(rng.randint(1, 49), 100) for _ in "qc")
    strength = rng.choice((Fraction(1), Fraction(rng.randint(1, 90)), 1 + Fraction(rng.randint(1, 60), 20)))
    bound = (p, rng.choice((1, 3, 6, 12)), rng.random() < 0.5)
    inside = rng.choice(((), ("less", s & ~(1 << i), i), ("floor",), ("ceiling",)))
    found: list[tuple[Any, ...]] = [("told", s, t, str(strength), rng.randint(1, 5)), ("TD", s, rng.randint(1, 5))]
    found += [("coin", s, rng.random() < 0.5, str(share)), ("TD log", s, rng.choice((1, 2, 3))), ("log k",)]
    found += [("times", bound, inside or None), ("pinsker", s, t, str(share))]
    found += [("fano log", s), ("fano", s, str(share))] * (k > 1)
    weights = {Fraction(1), Fraction(rng.randint(1, 20), 20)}
    if low < high:
        ratio = math.log(4 * high * (1 - high)) / math.log(4 * low * (1 - low))
        weights.add(min(Fraction(1), Fraction(math.ceil(ratio * 900) + 1, 900)))
    return found + [("left", s, t, str(low), str(high), str(weight)) for weight in weights if k == 2]


@pytest.mark.parametrize("seed", range(3))
def test_lines_and_curves_are_true_at_random_distributions(seed: int) -> None:
    rng, used = random.Random(seed), Counter[str]()
    for _ in range(80):
        n, k = rng.choice((1, 2, 2)), rng.choice((1, 2, 2, 3, 4))
        d = drawn(rng, n, k)
        space = EverySizeSpace({"features": n, "classes": k}, ())
        at = every_value(d, space)
        for reference in references(rng, n, k):
            try:
                relation, form = space.fact(reference, "a fact")
            except CertificateError:
                assert reference[0] == "left"  # a weight for which the line is false
                continue
            used[reference[0]] += 1
            total: Number = ZERO
            for unknown, c in form.items():
                total = add(total, multiply(at[unknown], Fraction(c)))
            assert ORDER[relation](compare(total, ZERO)), (reference, d)
    assert len(used) == 10


def test_a_line_of_two_classes_needs_a_weight_that_is_large_enough() -> None:
    space = EverySizeSpace({"features": 2, "classes": 2}, ())
    assert space.fact(("left", 1, 3, "1/10", "1/5", "1/2"), "a fact")
    for weight in ("2/5", "0"):
        with pytest.raises(CertificateError, match="weight"):
            space.fact(("left", 1, 3, "1/10", "1/5", weight), "a fact")


@pytest.mark.parametrize(
    ("key", "features", "classes"), [("HR-1", 2, None), ("TD-1", 2, 3), ("FA-1", 2, 3), ("FA-1", 1, 2)]
)
def test_the_classic_bounds_of_the_risk_are_proved_for_every_size(key: str, features: int, classes: int | None) -> None:
    verdict = prove(ledger[key], features=features, classes=classes)
    assert isinstance(verdict, Proved)
    assert verify_certificate(verdict.certificate, ledger[key])
    assert "log(" in str(verdict.proof)


PAIR = 'm.risk("X1") == "3/10", m.info("H(Y|X1)") <= "509/1000", m.risk() <= "17/100"'
SAID = {
    'm.implies(m.info("H(Y|X1)") < m.log(2), m.risk("X1") < "1/2")': ("proved", None),
    'm.implies(m.risk("X2") <= m.risk("X1"), 2 * m.log(2) * m.risk("X2") <= m.info("H(Y|X1)"))': ("proved", None),
    '3 * m.log(2) * m.risk("X1") <= m.info("H(Y|X1)")': ("refuted", None),
    'm.info("I(Y; X1, X2)") <= m.log(3)': ("proved", 3),
    'm.info("I(Y; X1, X2)") <= m.log("5/2")': ("refuted", 3),
    'm.implies((m.risk("X1") == "2/5") & (m.risk() <= "1/10"), m.info("I(Y;X2|X1)") >= "63/250")': ("proved", None),
    'm.implies((m.risk("X1") == "3/5") & (m.risk() <= "1/10"), m.info("I(Y;X2|X1)") >= "53/100")': ("proved", None),
    'm.gini() + m.risk() <= m.gini("X1") + m.risk("X1")': ("proved", None),
    'm.risk("X1") <= m.info("H(Y|X1)", base=2) / 2': ("proved", None),  # Hellman and Raviv
    'm.risk("X1") <= m.conditional_entropy("X1", base=2) * "2/5"': ("refuted", 2),
    "m.maximum([m.entropy(m.target, base=2), m.risk(())]) <= 1": ("proved", 2),
    'm.implies(m.info("I(Y;X1)", base=2) <= "1/2", m.risk("X1") >= "1/10")': ("refuted", 2),
    'm.implies(m.info("H(Y|X1)", base=2) >= "1/2", m.risk("X1") >= "1/10")': ("proved", 2),
    'm.mutual_information("X1", base=101) <= m.feature_information(m.target, m.features, base=101)': ("proved", None),
    f'm.implies(m.all([{PAIR}]), m.info("H(Y|X1,X2)") <= "439/1000")': ("proved", 2),
}


@pytest.mark.parametrize("said", SAID)
def test_claims_with_logarithms_and_both_ends_of_a_pair_are_decided(said: str) -> None:
    status, classes = SAID[said]
    asked = claim(lambda m: eval(said, {"m": m}), name="said")
    verdict = prove(asked, features=2, classes=classes)
    assert verdict.status == status
    assert check_certificate(verdict.certificate)  # type: ignore[union-attr]


REFUSED = ["m.log(m.risk()) <= 0", "m.log(101) * m.risk() >= 0", "m.log(2) * m.log(3) > 0"]
REFUSED += ['m.info("H(Y)", base=2) <= m.info("H(Y)")', 'm.info("H(Y)", base=2) <= m.info("H(Y)", base=3)']
REFUSED += ['m.info("H(Y)", base=101) <= 1', 'm.info("H(Y)", base=2) <= m.parameter("tau", above=0, below=1)']


@pytest.mark.parametrize("said", REFUSED)
def test_other_logarithms_are_refused(said: str) -> None:
    with pytest.raises(NotLinearError):
        prove(claim(lambda m: eval(said, {"m": m}), name="refused"), features=1)


BITS = ["H(Y|{})", "I(Y;X2|{})", "H(X1,Y|{})", "1/2 H(Y|{}) - I(Y;X1)"]


def in_bits(seed: int) -> tuple[Claim, Callable[[JointDistribution], bool]]:
    """Return a claim in bits or to the base 3, and what says by its definition whether it is true."""
    rng = random.Random(seed)
    S, T = (rng.sample(("X1", "X2"), rng.choice((1, 2))) for _ in range(2))
    quantity, base = rng.choice(BITS).format(",".join(S)), rng.choice((2, 2, 3))
    a, b, c = rng.choice((1, 2, -1)), rng.choice((2, "1/2", -1)), Fraction(rng.randint(-3, 3), 4)
    top = rng.random() < 0.3

    def body(m: Model) -> Formula:
        sides = [m.info(quantity, base=base) * a, m.risk(T) * b + c]
        return m.maximum(sides) * "1/3" >= c if top else sides[0] >= sides[1]

    def literal(d: JointDistribution) -> bool:
        first, second = info(d, quantity, base=base) * a, bayes_risk(d, T) * Fraction(b) + c
        return bool(first >= 3 * c or second >= 3 * c) if top else bool(first >= second)

    return claim(body, name="bits"), literal


@pytest.mark.parametrize("seed", range(12))
def test_claims_in_bits_are_true_as_their_definition_says(seed: int) -> None:
    said, literal = in_bits(seed)
    rng = random.Random(seed)
    for _ in range(20):
        d = drawn(rng, 2, rng.choice((2, 3)))
        assert (said.check(d).status == "holds") == literal(d)
    for classes in (2, None):
        verdict = prove(said, features=2, classes=classes, time_limit=20)
        if isinstance(verdict, Refuted):
            assert not literal(verdict.distribution)
            assert verify_certificate(verdict.certificate, said)
        elif isinstance(verdict, Proved) and verdict.certificate["show"]:
            require_no_counterexample(verdict.certificate, seed)


def test_a_value_in_bits_is_exact() -> None:
    d = JointDistribution([[3, 1], [1, 3]])
    bases = Fraction(2), Fraction(3), Fraction(5, 2)
    for quantity, base in product(("H(Y|X1)", "I(Y;X1)", "H(X1,Y)"), bases):
        assert value(Model(d).info(quantity, base=base), d) == info(d, quantity, base=base)
    with pytest.raises(InvalidValueError, match="base must be above 1"):
        Model(d).entropy("X1", base=1)


def random_claim(rng: random.Random) -> tuple[Claim, int | None]:
    """Return a claim that mixes amounts, of which a few are true."""

    def number(m: Model) -> Term:
        S = [name for name in m.order if rng.random() < 0.6]
        made = rng.choice((m.risk, m.risk, m.gini, m.conditional_entropy, m.mutual_information))(S)
        return made if rng.random() < 0.8 else m.log(rng.choice((2, 3))) * m.risk(S)

    def compared(m: Model) -> Formula:
        parts = [number(m) * rng.choice((1, 1, 2, -1)) for _ in range(rng.choice((1, 2)))]
        end = rng.choice((m.sum([0]), m.sum([Fraction(rng.randint(1, 9), 10)]), m.log(2), number(m)))
        return m.sum(parts) <= end if rng.random() < 0.6 else m.sum(parts) >= end

    seed, k = rng.random(), rng.choice((2, 2, 3, None))

    def body(m: Model) -> Formula:
        rng.seed(seed)
        shown = m.any(compared(m) for _ in range(rng.choice((1, 2))))
        return m.implies(compared(m), shown) if rng.random() < 0.5 else shown

    return claim(body, name="random"), k


@cache
def decide_one(seed: int) -> Any:
    """Decide a random claim. What is proved must not be false at random distributions; what is refuted is checked."""
    said, k = random_claim(random.Random(seed))
    try:
        verdict = prove(said, features=2, classes=k, time_limit=20)
    except NotLinearError:
        return None
    if isinstance(verdict, Refuted):
        assert isinstance(said.check(verdict.distribution), Refuted)
        assert verify_certificate(verdict.certificate, said)
    if isinstance(verdict, Proved) and verdict.certificate["show"]:
        assert verify_certificate(verdict.certificate, said)
        require_no_counterexample(verdict.certificate, seed)
    return verdict


def require_no_counterexample(certificate: Any, seed: int) -> None:
    """Search at random for a distribution at whose weights a statement is false for the checker."""
    rng, k = random.Random(seed), certificate["shape"]["classes"]
    for _ in range(60):
        d = drawn(rng, certificate["shape"]["features"], k or rng.choice((2, 3)))
        at = checked(d)
        for instance in certificate["show"]:
            formula = _read(instance["formula"])
            assert at.truth(formula), (formula, d)


def _read(formula: Any) -> Any:
    return tuple(map(_read, formula)) if isinstance(formula, list | tuple) else formula


def test_random_mixed_claims_get_no_false_verdict() -> None:
    found = Counter(getattr(decide_one(seed), "status", "refused") for seed in range(16))
    assert min(found["proved"], found["refuted"]) >= 3, found


def accepted_changes(count: int, seeds: range) -> int:
    verdicts = [prove(ledger[key], features=1, classes=k) for key, k in (("HR-1", None), ("FA-1", 3), ("TD-1", 3))]
    verdicts += [verdict for verdict in map(decide_one, seeds) if isinstance(verdict, Proved)]
    known = [
        dict(verdict.certificate) for verdict in verdicts if isinstance(verdict, Proved) and verdict.certificate["show"]
    ]
    rng, accepted = random.Random(3), 0
    for _ in range(count):
        content = signed(mutated(rng.choice(known), rng))
        if is_accepted(content):
            accepted += 1
            nodes = [node for one in content["show"] for node in walk(from_json(one["formula"]))]
            if not any(node[0] == "t" for node in nodes):
                require_no_counterexample(content, 0)
    return accepted


def test_a_changed_certificate_is_rejected_unless_nothing_speaks_against_it() -> None:
    assert accepted_changes(120, range(16)) < 40


if __name__ == "__main__":
    print(Counter(getattr(decide_one(seed), "status", "refused") for seed in range(int(sys.argv[1]))), flush=True)
    print(accepted_changes(int(sys.argv[2]), range(60)), "changes accepted")
