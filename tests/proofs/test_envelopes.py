"""Claims that add up criteria of two classes, also with costs: decided by envelopes, proved by tangents."""

import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fstheory.checker.curves import Curve
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.numbers import add, compare, logarithms, multiply
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError
from fstheory.logic import Formula, Model, claim
from fstheory.logic.expressions import Term
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.extremum import supremum
from tests.logic.mutants import accepted_changes
from tests.proofs.every_size import checked, decide, holds_at_random

Said = Callable[..., Formula]
S, T = ("X1",), ("X1", "X2")
Floats = NDArray[np.float64]


def cost(m: Model, a: int, b: int, of: Any = S) -> Term:
    """Return the least expected cost, where a false positive costs a, and a false negative costs b."""
    return m.cost_sensitive(of, cost=Fraction(a, a + b)) * (a + b)


def both(m: Model) -> Term:
    return cost(m, 2, 1) + cost(m, 1, 2)


TRUE: dict[str, Said] = {
    "Gini <= H": lambda m: m.gini(S) <= m.conditional_entropy(S),
    "69/50 Gini <= H": lambda m: m.gini(S) * "69/50" <= m.conditional_entropy(S),
    "2 Gini <= H in bits": lambda m: 2 * m.gini(S) <= m.conditional_entropy(S, base=2),
    "fall of Gini <= information": lambda m: m.gini(()) - m.gini(S) <= m.mutual_information(S),
    "own part of an envelope": lambda m: (
        m.gini(()) / 2 <= m.conditional_entropy(()) * "3/4" + m.risk(S) - m.conditional_entropy(S) * "3/4"
    ),
    "a chain": lambda m: m.mutual_information("X2", given=S) <= m.log(4) * m.risk(S) + "1/4",
    "siblings": lambda m: (
        2 * m.gini(()) - m.gini(S) - m.gini("X2") <= m.mutual_information(S) + m.mutual_information("X2")
    ),
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
    "a chain, costs": lambda m: cost(m, 2, 1) - cost(m, 2, 1, T) <= m.risk(S) * 2,
    "siblings of costs": lambda m: (
        2 * cost(m, 2, 1, ()) + m.risk(()) >= cost(m, 2, 1) + cost(m, 2, 1, "X2") + m.risk("X2")
    ),
    "balanced and risk": lambda m: m.implies(cost(m, 1, 2, ()) == "2/3", m.balanced(S) <= m.risk(S) * 3),
}
FALSE: dict[str, Said] = {
    "7/5 Gini <= H": lambda m: m.gini(S) * "7/5" <= m.conditional_entropy(S),
    "fall of risk <= fall of Gini": lambda m: m.risk(()) - m.risk(S) <= m.gini(()) - m.gini(S),
    "fall of Gini <= fall of risk": lambda m: m.gini(()) - m.gini(S) <= m.risk(()) - m.risk(S),
    "at a rare class": lambda m: m.conditional_entropy(S) <= 5 * m.gini(S) + m.risk(S),
    "a false chain": lambda m: m.mutual_information("X2", given=S) <= m.log(4) * m.risk(S) + "1/5",
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


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_by_tangents(name: str) -> None:
    verdict = decide(claim(TRUE[name], name=name), 2, 2)
    assert isinstance(verdict, Proved), verdict
    assert "by tangents" in verdict.evidence


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted_by_the_atoms_of_envelopes(name: str) -> None:
    verdict = decide(claim(FALSE[name], name=name), 2, 2)
    assert isinstance(verdict, Refuted), verdict
    assert verdict.distribution.weights.size <= 16


COSTS = "1/3", "2/3", "1/5"


@functools.cache
def values(seed: int, k: int = 2) -> dict[tuple[str, int], Floats]:
    """Return the criteria of all subsets of two bits at many distributions: all small weights, and random ones."""
    rng = np.random.default_rng(seed)
    some = rng.dirichlet(np.full(4 * k, 0.4), 40_000) * (rng.random((40_000, 4 * k)) < 0.75) + 1e-300
    small = [*itertools.product(range(3), repeat=8)][1:] if k == 2 else rng.integers(1, 4, (20_000, 4 * k))
    weights = np.concatenate([some, small]).reshape(-1, 2, 2, k)
    weights /= weights.sum((1, 2, 3), keepdims=True)
    found = {}
    for mask, axes in ((0, (1, 2)), (1, (2,)), (2, (1,)), (3, ())):
        law = weights.sum(axes, keepdims=True).reshape(len(weights), -1, k)
        state = law.sum(2)
        found["R", mask] = 1 - law.max(2).sum(1)
        found["G", mask] = 1 - ((law**2).sum(2) / np.maximum(state, 1e-300)).sum(1)
        logs = law * np.log(np.maximum(law, 1e-300) / np.maximum(state, 1e-300)[:, :, None])
        found["H", mask] = -logs.sum((1, 2))
        for c in COSTS[: 5 * (k == 2)]:
            found[c, mask] = (law * [float(Fraction(c)), 1 - float(Fraction(c))]).min(2).sum(1)
    return found


def random_claim(
    rng: random.Random, costs: bool = False, k: int = 2
) -> tuple[Said, list[tuple[str, int, Fraction]], Fraction]:
    """Return a claim on one subset, the prior, a chain or siblings; many constants are near the least value."""
    sets, kinds = rng.choice(((1,), (0, 1), (0, 1, 3), (0, 1, 2))), [*"RGH", *COSTS[1:]] if costs else "RGH"
    terms = [
        (kind, mask, Fraction(rng.choice((1, -1, 2, -2, 3, -3)), rng.choice((1, 1, 2, 4))))
        for mask in sets
        for kind in (*COSTS[:costs], *rng.sample(kinds, rng.choice((1, 2, 2))))
    ]
    constant = Fraction(rng.choice((0, 0, 0, 1, -1, 2)), rng.choice((2, 3, 4, 8)))
    if rng.random() < 0.5:
        constant = Fraction((rng.random() < 0.7) - int(100 * least(terms, 0, k)), 100)

    def said(m: Model) -> Formula:
        words: dict[str, Callable[..., Term]] = {"R": m.risk, "G": m.gini, "H": m.conditional_entropy}
        words |= {c: lambda of, c=c: m.cost_sensitive(of, cost=c) for c in COSTS}
        parts = (words[kind]([m.order[i] for i in range(2) if mask >> i & 1]) * c for kind, mask, c in terms)
        return m.sum([*parts, constant]) >= 0

    return said, terms, constant


def least(terms: list[tuple[str, int, Fraction]], seed: int, k: int = 2) -> float:
    return float(np.sum([float(c) * values(seed, k)[kind, mask] for kind, mask, c in terms], axis=0).min())


@pytest.mark.thorough(40)
@pytest.mark.parametrize("seed", range(40))
def test_random_claims_get_no_false_verdict(seed: int) -> None:
    """2,000 claims are compared with their values at a grid of distributions and at random ones, in floats."""
    rng, seen = random.Random(seed), Counter[str]()
    for turn in range(50):
        said, terms, constant = random_claim(rng, costs=turn % 2 == 1)
        verdict = decide(claim(said, name="random"), 2, 2, time_limit=10)
        seen[verdict.status] += 1
        assert not (verdict.status == "proved" and least(terms, seed) + float(constant) < -1e-9), (terms, constant)
    assert seen["undecided"] <= 3, seen


@functools.cache
def proofs() -> list[dict[str, Any]]:
    return [dict(decide(claim(said, name=name), 2, 2).certificate) for name, said in TRUE.items()]


@pytest.mark.thorough(24)
@pytest.mark.parametrize("seed", range(12))
def test_a_changed_certificate_proves_nothing_false(seed: int) -> None:
    for content in accepted_changes(proofs(), 250, seed):
        assert holds_at_random(content), content


TREE = (0, ("0", "0", "1"), ((1, ("0", "0", "-1"), ()),))  # the information is at least 0
NONE, ZERO = ("0", "0", "0"), ("0", "0")
GINI = (1, ("0", "-1", "1"), ())
LONE = (("1/2", (((), ("1",), "convex"),)),)  # the curve of the child alone, which is convex
COST = (0, NONE, (), (("1/3", "1"),))  # it is at least 0
BELOW = (0, ("1/2", "0", "0"), (), (("1/3", "-3/4"),))  # at most 2/3 of the risk
LESS = (0, NONE, ((1, NONE, (), (("1/3", "-1"),)),), (("1/3", "1"),))
SPLIT = (("1/3", ()), ("1/2", ()), ("1", ()))
CHILD = (1, NONE, (), (("1/3", "1"),))
LINE = ((ZERO, (("1/3", ()), ("1", ()))),)


@pytest.mark.parametrize(
    ("reference", "accepted"),
    [
        ((TREE, ZERO, (("1/2", (None,)),)), True),
        ((TREE, ("1/1000000", "0"), (("1/2", (None,)),)), False),  # the line is too high
        ((TREE, ZERO, (("1/4", (None,)),)), False),  # the cover ends before 1/2
        ((TREE, ZERO, (("1", (None,)),)), False),  # the cover ends after 1/2
        ((TREE, ZERO, (("1/2", (None,)), ("1/4", (None,)))), False),  # the ends do not grow
        ((TREE, ZERO, (("1/2", ()),)), False),  # a child has no bound
        (((0, ("0", "0", "1"), ((1, ("0", "0", "1"), ()),)), ZERO, (("1/2", (None,)),)), False),  # no convex child
        (((0, ("0", "0", "1"), ((1, ("1", "0", "-1"), ()),)), ZERO, (("1/2", (None,)),)), False),  # a kink
        ((GINI, ZERO, (("1/2", ()), ("1", ()))), True),
        ((GINI, ZERO, (("1/2", ()),)), False),  # the posterior of a state may be above 1/2
        (((1, ("1", "0", "0"), ()), ZERO, (("1", ()),)), False),  # an interval with the kink inside
        (((1, ("-2", "0", (("1", 1),)), ()), ZERO, (("1/2", ()), ("1", ()))), False),  # H < 2 R near 1/2
        ((((0, ("0", "0", "0"), (GINI,))), ZERO, (("1/2", ((ZERO, (("1/2", ()), ("1", ()))),)),)), True),
        ((((0, ("0", "0", "0"), (GINI,))), ZERO, (("1/2", ((ZERO, (("1/2", ()),)),)),)), False),  # below the line
        ((((0, ("0", "0", "0"), (GINI,))), ZERO, (("1/2", ((("-1", "0"), (("1", ()),)),)),)), False),  # a low line
        ((TREE, ZERO, (("1/2", (((), ("1",), "convex"),)),)), True),
        ((TREE, ZERO, (("1/2", (((), ("3/4",), "convex"),)),)), False),  # the right side is not covered
        ((TREE, ZERO, (("1/4", (((), ("1",), "convex"),)), ("1/2", (((), ("1",), "convex"),)))), False),  # nor the left
        ((TREE, ZERO, (("1/4", (((), ("1",), "convex"),)), ("1/2", ((("1/4",), ("1",), "convex"),)))), True),
        (
            ((0, ("0", "0", "1"), ((1, ("0", "0", "1"), ()),)), ("-1", "0"), (("1/2", (((), ("1",), "convex"),)),)),
            False,
        ),
        # a convex child with a child of its own, and one with a kink inside the interval
        (((0, ("0", "1", "0"), ((1, ("0", "-1", "0"), ((3, ("0", "-1", "0"), ()),)),)), ZERO, LONE), False),
        (((1, ("-1", "0", "0"), ((3, ("1", "0", "0"), ()),)), ZERO, (("1", (((), (), "convex"),)),)), False),
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
    ("reference", "message"),
    [
        (((2, ("0", "0", "0"), ()), ZERO, ()), "an integer from 0 to 1"),
        (((1, ("0", "0", "0"), ((1, ("0", "0", "0"), ()),)), ZERO, ()), "a tree of larger subsets"),
        (((1, ((("1", 4),), "0", "0"), ()), ZERO, ()), "about logarithms of primes"),
        (((1, ("0", "0", (("1", 2),)), ()), ZERO, ()), "an integer from 1 to 1"),
        ((GINI, ZERO, ((str(Fraction(1, 2**40 + 1)), ()),)), "an end in parts of at most"),
        ((TREE, ZERO, (("1/2", (((), (), "concave"),)),)), "a bound"),
        (((0, NONE, (), (("1/3", "1"), ("1/3", "-1"))), ZERO, ()), "at most 8 different costs"),
        (((0, NONE, (), tuple((f"1/{i}", "1") for i in range(3, 12))), ZERO, ()), "at most 8 different costs"),
        (((0, NONE, (), (("1", "1"),)), ZERO, ()), "between 0 and 1"),
        (((0, NONE, (), (("2/6", "1"),)), ZERO, ()), "in lowest terms"),
        (((0, NONE, (), ((f"1/{2**40 + 1}", "1"),)), ZERO, ()), "in parts of 1/"),
    ],
)
def test_a_tree_that_is_none_is_refused(reference: Any, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        EverySizeSpace({"features": 1, "classes": 2}, ()).fact(("tree", *reference), "a fact")


def test_a_curve_that_bends_down_in_the_middle_is_not_convex() -> None:
    """It is convex at both ends, and its tangent in the middle is above 0."""
    curve = Curve(c=Fraction(-3, 10), g=Fraction(2), h=Fraction(-1))
    assert [curve.bend(u, u + Fraction(1, 8))[0] for u in (Fraction(0), Fraction(7, 8))] == [True, True]
    assert not curve.is_above(Fraction(1, 8), Fraction(7, 8))


@pytest.mark.thorough
def test_an_open_claim_names_the_prior_at_which_its_sides_nearly_agree() -> None:
    """It is false only if the rarer class is rarer than 1 in 10^10."""
    said = claim(lambda m: 3 * m.risk(()) + m.gini(S) * "3/2" >= m.conditional_entropy(S) / 4, name="open")
    verdict = decide(said, 1, 2, time_limit=3)
    assert verdict.status == "undecided"
    assert "both sides nearly agree where the rarer class has the probability" in verdict.reason


AREAS: dict[str, Said] = {
    "balanced at 1/3": lambda m: m.implies(cost(m, 1, 2, ()) == "2/3", m.balanced(S) * 2 == cost(m, 1, 2) * 3),
    "G above R": lambda m: m.gini(S) <= 2 * m.risk(S) * (1 - m.risk(S)),
    "squared": lambda m: (m.auc(S) <= 1 - 2 * m.risk(S) * m.risk(S)) & (m.risk(S) * m.risk(S) <= m.risk(S) / 2),
    "falling": lambda m: m.risk(S) * m.risk(S) <= m.risk(()) * m.risk(()),
    "R = 0 iff AUC = 1": lambda m: m.iff(m.risk(S) == 0, m.auc(S) == 1),
    "AUC = 1/2 iff I = 0": lambda m: m.implies(m.risk(()) > 0, m.iff(m.auc(S) == "1/2", m.mutual_information(S) == 0)),
    "B = 1 iff I = 0": lambda m: m.iff(m.balanced(S) == 1, m.mutual_information(S) == 0),
    "B = 0 iff AUC = 1": lambda m: m.implies(m.risk(()) > 0, m.iff(m.auc(S) == 1, m.balanced(S) == 0)),
    "equal priors": lambda m: m.implies(m.probability(y=1) == "1/2", m.balanced(S) == 2 * m.risk(S)),
    "below by B": lambda m: m.auc(S) >= 1 - m.balanced(S) / 2,
    "above by B": lambda m: m.implies((m.risk(()) > 0) & (m.balanced(S) >= "1/2"), m.auc(S) <= "7/8"),
    "above by R": lambda m: m.implies(m.risk(S) >= "1/4", m.auc(S) <= "7/8"),
    "R below by B": lambda m: m.implies(m.balanced(S) <= "1/3", m.risk(S) <= "1/4"),
}


@pytest.mark.parametrize("name", AREAS)
def test_areas_balanced_losses_and_risks_bound_each_other(name: str) -> None:
    verdict = decide(claim(AREAS[name], name=name), 1, 2)
    assert isinstance(verdict, Proved), verdict


def test_without_both_classes_an_area_of_one_says_nothing() -> None:
    said = claim(lambda m: m.iff(m.auc(S) == "1/2", m.mutual_information(S) == 0), name="chance")
    assert decide(said, 1, 2).distribution.weights.tolist() == [[1, 0]]


def test_the_largest_area_of_a_risk_is_exact() -> None:
    found = supremum(lambda m: m.auc(S), features=1, subject_to=lambda m: m.risk(S) >= "1/4")
    assert (found.value, found.attained) == (Fraction(7, 8), True)


def test_the_largest_difference_of_entropy_and_impurity_has_close_ends() -> None:
    found = supremum(lambda m: m.conditional_entropy(S) - m.gini(S), features=1)
    assert found.status == "bounded"
    assert 0 < float(found.upper or 0) - float(found.lower or 0) < 2e-6


@pytest.mark.parametrize("share", [Fraction(1, 8), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
def test_the_bounds_between_two_criteria_are_reached(share: Fraction) -> None:
    """The table of the chapter: each distribution has its letter, and `share` is B, or twice the risk."""
    n, d, r = share.numerator, share.denominator, share / 2
    rest = d - n
    a = criteria([[2 * rest, 0], [n, n]])
    assert a["G"] == a["R"] == r
    assert compare(a["H"], logarithms([(share, Fraction(2))])) == 0
    assert a["B"] == r / (1 - r)
    b = criteria([[2 * d - n, n]])
    assert (b["R"], b["G"], b["B"], b["A"]) == (r, 2 * r * (1 - r), 1, Fraction(1, 2))
    assert compare(b["H"], logarithms([(-r, r), (r - 1, 1 - r)])) == 0
    c = criteria([[rest, 0], [n, n], [0, rest]])
    assert (c["R"], c["B"], c["A"]) == (r, share, 1 - share**2 / 2)
    assert c["A"] == 1 - 2 * r * r
    assert criteria([[d, n], [0, rest]])["A"] == 1 - criteria([[d, n], [0, rest]])["B"] / 2


def criteria(weights: Any) -> dict[str, Any]:
    """Return the exact criteria of one feature, in the numbers of the checker."""
    at = checked(JointDistribution(weights))
    found: dict[str, Any] = {kind: at.value((kind, (0,))) for kind in "RGBA"}
    joint, alone = (at.value(("H", (0,), told)) for told in (True, False))
    return found | {"H": add(joint, multiply(alone, Fraction(-1)))}
