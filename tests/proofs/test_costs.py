"""Claims on cost-sensitive risks of two classes: evaluated, refuted, and decided by envelopes with several kinks."""

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.reading import SampleSpace, read_node
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, FSTheoryError, InvalidValueError, NotLinearError
from fstheory.logic import Formula, Model, claim, value
from fstheory.logic.expressions import Term
from fstheory.logic.verdict import Proved, Refuted, Undecided
from fstheory.measures import criteria
from fstheory.proofs.every_size.envelopes import of_costs
from fstheory.proofs.extremum import supremum
from fstheory.proofs.prover import prove
from tests.logic.mutants import accepted_changes
from tests.proofs.every_size import checked, decide, drawn, holds_at_random, least_cost
from tests.proofs.test_envelopes import Floats, S, Said, T, values


def cost(m: Model, a: int, b: int, of: Any = S) -> Term:
    """Return the least expected cost, where a false positive costs a, and a false negative costs b."""
    return m.cost_sensitive(of, cost=Fraction(a, a + b)) * (a + b)


def both(m: Model) -> Term:
    return cost(m, 2, 1) + cost(m, 1, 2)


TRUE: dict[str, Said] = {
    "at most the larger cost": lambda m: cost(m, 5, 3) <= 5 * m.risk(S),
    "at least the smaller cost": lambda m: cost(m, 5, 3) >= 3 * m.risk(S),
    "certain": lambda m: m.iff(m.risk(S) == 0, cost(m, 2, 1) == 0),
    "certain by entropy": lambda m: m.iff(m.conditional_entropy(S) == 0, cost(m, 2, 1) == 0),
    "features help": lambda m: (cost(m, 2, 1) <= cost(m, 2, 1, ())) & (cost(m, 2, 1, T) <= cost(m, 2, 1)),
    "in bits": lambda m: cost(m, 2, 1) <= m.conditional_entropy(S, base=2),
    "Zhao et al.": lambda m: cost(m, 1, 2) * (m.log(3) - m.log(2) * "2/3") <= m.conditional_entropy(S) * "2/3",
    "Gini": lambda m: cost(m, 2, 1) <= m.gini(S) * "3/2",
    "without features": lambda m: cost(m, 2, 1) <= "2/3",
    "two costs": lambda m: both(m) <= 3 * m.risk(S),
    "both near 1/2": lambda m: m.implies(both(m) >= "3/2", m.risk(S) >= "1/2"),
    "much of both": lambda m: cost(m, 2, 1) * "3/2" + m.risk(S) <= "4/3",
    "a chain": lambda m: cost(m, 2, 1) - cost(m, 2, 1, T) <= m.risk(S) * 2,
    "siblings": lambda m: 2 * cost(m, 2, 1, ()) + m.risk(()) >= cost(m, 2, 1) + cost(m, 2, 1, "X2") + m.risk("X2"),
    "balanced at 1/3": lambda m: m.implies(cost(m, 1, 2, ()) == "2/3", m.balanced(S) * 2 == cost(m, 1, 2) * 3),
    "balanced and risk": lambda m: m.implies(cost(m, 1, 2, ()) == "2/3", m.balanced(S) <= m.risk(S) * 3),
}
FALSE: dict[str, Said] = {
    "the order of costs is that of risks": lambda m: m.implies(
        m.risk("X1") < m.risk("X2"), cost(m, 2, 1, "X1") <= cost(m, 2, 1, "X2")
    ),
    "less than the larger cost": lambda m: cost(m, 5, 3) <= m.risk(S) * "49/10",
    "more than the smaller cost": lambda m: cost(m, 5, 3) >= m.risk(S) * "31/10",
    "in nats": lambda m: cost(m, 2, 1) <= m.conditional_entropy(S),
    "Zhao et al. and more": lambda m: cost(m, 1, 2) * "16/25" <= m.conditional_entropy(S) * "2/3",
    "a fall of risk": lambda m: m.risk(()) - m.risk(S) <= cost(m, 2, 1, ()) - cost(m, 2, 1),
    "a class above 1/2": lambda m: cost(m, 2, 1) <= m.gini(S) * "3/2" - m.risk(()) / 100,
    "balanced at 1/3 for other costs": lambda m: m.implies(
        cost(m, 1, 2, ()) == "2/3", m.balanced(S) * 2 == cost(m, 2, 1) * 3
    ),
    "a cost in 1,009 parts": lambda m: cost(m, 500, 509) <= m.risk(S) * "508/1",
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved(name: str) -> None:
    verdict = decide(claim(TRUE[name], name=name), 2, 2)
    assert isinstance(verdict, Proved), verdict


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted(name: str) -> None:
    verdict = decide(claim(FALSE[name], name=name), 2, 2)
    assert isinstance(verdict, Refuted), verdict
    assert verdict.distribution.weights.size <= 16


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


@cache
def costs(seed: int) -> dict[tuple[str, int], Floats]:
    """Return the criteria of `values`, and cost-sensitive risks, at many distributions."""
    rng, found = np.random.default_rng(seed), dict(values(seed))
    some = rng.dirichlet(np.full(8, 0.4), 40_000) * (rng.random((40_000, 8)) < 0.75) + 1e-300
    small = np.stack(np.meshgrid(*[range(3)] * 8, indexing="ij"), -1).reshape(-1, 8)[1:]
    weights = np.concatenate([some, small]).reshape(-1, 2, 2, 2)
    weights /= weights.sum((1, 2, 3), keepdims=True)
    for mask, axes in ((0, (1, 2)), (1, (2,)), (2, (1,)), (3, ())):
        no, yes = np.moveaxis(weights.sum(axes, keepdims=True).reshape(len(weights), -1, 2), 2, 0)
        for c in ("1/3", "2/3", "1/5"):
            t = float(Fraction(c))
            found[c, mask] = np.minimum((1 - t) * yes, t * no).sum(1)
    return found


def random_claim(rng: random.Random) -> tuple[Said, list[tuple[str, int, Fraction]], Fraction]:
    """Return a claim on one subset, the prior, a chain or siblings; many constants are near the least value."""
    sets, rest = rng.choice(((1,), (0, 1), (0, 1, 3), (0, 1, 2))), ["R", "G", "H", "2/3", "1/5"]
    terms = [
        (kind, mask, Fraction(rng.choice((1, -1, 2, -2, 3, -3)), rng.choice((1, 1, 2, 4))))
        for mask in sets
        for kind in ("1/3", *rng.sample(rest, rng.choice((1, 2))))
    ]
    least_ = least(terms, 0)
    constant = rng.choice((Fraction(0), Fraction((rng.random() < 0.7) - int(100 * least_), 100)))

    def said(m: Model) -> Formula:
        words: dict[str, Callable[..., Term]] = {"R": m.risk, "G": m.gini, "H": m.conditional_entropy}
        words |= {c: lambda of, c=c: m.cost_sensitive(of, cost=c) for c in ("1/3", "2/3", "1/5")}
        parts = (words[kind]([m.order[i] for i in range(2) if mask >> i & 1]) * c for kind, mask, c in terms)
        return m.sum([*parts, constant]) >= 0

    return said, terms, constant


def least(terms: list[tuple[str, int, Fraction]], seed: int) -> float:
    return float(np.sum([float(c) * costs(seed)[kind, mask] for kind, mask, c in terms], axis=0).min())


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_random_claims_get_no_false_verdict(seed: int) -> None:
    """1,000 claims are compared with their values at a grid of distributions and at random ones, in floats."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(50):
        said, terms, constant = random_claim(rng)
        verdict = decide(claim(said, name="random"), 2, 2, time_limit=10)
        seen[verdict.status] += 1
        assert not (verdict.status == "proved" and least(terms, seed) + float(constant) < -1e-9), (terms, constant)
    assert seen["undecided"] <= 3, seen


@cache
def proofs() -> list[dict[str, Any]]:
    return [dict(decide(claim(said, name=name), 2, 2).certificate) for name, said in TRUE.items()]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_a_changed_certificate_proves_nothing_false(seed: int) -> None:
    for content in accepted_changes(proofs(), 250, seed):
        assert holds_at_random(content), content


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


def kept(mask: int) -> tuple[int, ...]:
    return tuple(i for i in range(2) if mask >> i & 1)


NONE, ZERO = ("0", "0", "0"), ("0", "0")
COST = (0, NONE, (), (("1/3", "1"),))  # it is at least 0
BELOW = (0, ("1/2", "0", "0"), (), (("1/3", "-3/4"),))  # at most 2/3 of the risk
LESS = (0, NONE, ((1, NONE, (), (("1/3", "-1"),)),), (("1/3", "1"),))
SPLIT = (("1/3", ()), ("1/2", ()), ("1", ()))
CHILD = (1, NONE, (), (("1/3", "1"),))
LINE = ((ZERO, (("1/3", ()), ("1", ()))),)


@pytest.mark.parametrize(
    ("reference", "accepted"),
    [
        ((COST, ZERO, (("1/3", ()), ("1", ()))), True),
        ((COST, ZERO, (("1/3", ()), ("1/2", ()))), False),  # the last class may be the more probable one
        ((COST, ZERO, (("1", ()),)), False),  # a kink in the interval
        ((COST, ("1/1000000", "0"), (("1/3", ()), ("1", ()))), False),
        ((BELOW, ZERO, SPLIT), True),
        ((BELOW, ZERO, (("1/3", ()), ("1", ()))), False),  # the kink of the risk
        ((BELOW, ZERO, (("1/2", ()), ("1", ()))), False),  # the kink of the cost
        (((0, ("1/2", "0", "0"), (), (("1/3", "-4/5"),)), ZERO, SPLIT), False),  # it is larger than that
        (((1, NONE, (), (("1/3", "1"),)), ("0", "0"), SPLIT), True),
        # the mean of p is not R({}), which would be at most 3 times the cost; nor is it so without features
        (((1, ("1", "0", "0"), (), (("1/3", "0"),)), ("0", "1"), SPLIT), False),
        (((0, ("-1", "0", "0"), (), (("1/3", "0"),)), ("-1/2", "1/2"), SPLIT), False),
        ((LESS, ZERO, (("1", (None,)),)), True),
        (((0, NONE, ((1, NONE, (), (("1/4", "-1"),)),), (("1/3", "1"),)), ZERO, (("1", (None,)),)), False),
        # the sum with a child is no longer convex; nor is it the mean of its tangents across a kink
        (((0, NONE, ((1, NONE, (), (("1/3", "1"),)),), (("1/3", "-1"),)), ZERO, (("1", (None,)),)), False),
        (((0, NONE, ((1, NONE, (), (("1/3", "1"),)),), ()), ZERO, (("1", (((), (), "convex"),)),)), False),
        (((0, NONE, ((1, NONE, (), (("1/3", "1"),)),), ()), ZERO, (("1", LINE),)), True),
        # without the kink of its child, the curve of the parent is straight; and 2/9 is more than a third of the risk
        (((0, NONE, (CHILD,), (("1/3", "-1"),)), ZERO, (("1", (((), (), "convex"),)),)), False),
        (((0, NONE, (), (("2/3", "-1"),)), ("0", "-1/3"), (("2/3", ()), ("1", ()))), False),
        # twice the cost for 1/2 is the risk, and adds to its amount
        (((0, ("-1", "0", "0"), (), (("1/2", "2"),)), ZERO, (("1", ()),)), True),
        (((0, ("-1", "0", "0"), (), (("1/2", "1"),)), ZERO, (("1/2", ()), ("1", ()))), False),
    ],
)
def test_what_a_cover_shows(reference: Any, accepted: bool) -> None:
    """Each refused cover has one fault, and a checker that does not look at it accepts something false or unproved."""
    space = EverySizeSpace({"features": 2, "classes": 2}, ())
    if accepted:
        assert space.fact(("tree", *reference), "a fact")[0] == ">="
    else:
        with pytest.raises(CertificateError, match="with a cover c that shows it"):
            space.fact(("tree", *reference), "a fact")


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ((("1/3", "1"), ("1/3", "-1")), "at most 8 different costs"),
        (tuple((f"1/{i}", "1") for i in range(3, 12)), "at most 8 different costs"),
        ((("1", "1"),), "between 0 and 1"),
        ((("2/6", "1"),), "in lowest terms"),
        (((f"1/{2**40 + 1}", "1"),), "in parts of 1/"),
    ],
)
def test_costs_that_are_none_are_refused(costs: Any, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        EverySizeSpace({"features": 1, "classes": 2}, ()).fact(("tree", (0, NONE, (), costs), ZERO, ()), "a fact")


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
        (lambda m: m.cost_sensitive(S, cost="1/3") <= m.probability(y=1), 2, NotLinearError, "for m.probability"),
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
