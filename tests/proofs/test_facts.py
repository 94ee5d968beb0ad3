"""The facts and splits that a proof for every number of states may use are true, and nothing else is accepted."""

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.numbers import Number, add, compare, logarithms, multiply
from fstheory.checker.statement import CRITERIA, ONE, Form
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError
from fstheory.logic.evaluate import truth, value
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.selection.prescribed import distribution_with_areas, distribution_with_gains, distribution_with_shares
from tests.logic.building import Content, Json, P, R, instance, q, rejected, signed, statement
from tests.proofs.every_size import WORDS, by_definition, checked, drawn

ZERO = Fraction(0)
ORDER = {">": lambda sign: sign > 0, ">=": lambda sign: sign >= 0, "=": lambda sign: sign == 0}


def kept(mask: int) -> tuple[int, ...]:
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def entropy(weights: Any, mask: int) -> Number:
    summed = weights.sum(axis=tuple(set(range(weights.ndim)) - set(kept(mask))))
    shares = [Fraction(int(w), int(weights.sum())) for w in summed.ravel() if w]
    return logarithms((-share, share) for share in shares)


def values(d: JointDistribution, space: EverySizeSpace) -> dict[int, Number]:
    """Return the values of all unknowns of the checker, from their definitions."""
    subsets, found = range(1 << len(d.features)), dict[int, Number]({ONE: Fraction(1)})
    for kind, mask in product(("R", *CRITERIA), subsets):
        found[space.unknown(kind, mask) if kind in CRITERIA else mask] = by_definition(kind, d.weights, kept(mask))
    for mask in range(1, 2 * len(subsets)):
        found[len(subsets) + mask] = entropy(d.weights, mask)
    for mask, p in product(subsets, PRIMES[:4]):
        log = logarithms([(Fraction(1), Fraction(p))])
        found |= {space.log(p): log, space.log(p, mask): multiply(log, found[mask])}
    for mask in subsets:
        risk = found[mask]
        assert isinstance(risk, Fraction)
        forms: list[tuple[Form, Fraction]] = [({mask: 1}, risk), ({ONE: 1, mask: -1}, 1 - risk)]
        for form, chance in forms:
            (number,) = space.coin(form) or {}
            found[number] = logarithms([(-chance, chance)]) if chance else ZERO
    return found


def references(rng: random.Random, n: int, k: int) -> list[tuple[Any, ...]]:
    """Return a fact of each kind, or two."""
    s = rng.randrange(1 << n)
    t, p, i = s | rng.randrange(1 << n), rng.choice(PRIMES[:4]), rng.randrange(n)
    edge = Fraction(rng.randint(0, 20), 20)
    share, (low, high) = Fraction(rng.randint(1, 49), 50), sorted(Fraction(rng.randint(1, 49), 100) for _ in "qc")
    strength = rng.choice((Fraction(1), Fraction(rng.randint(1, 90)), 1 + Fraction(rng.randint(1, 60), 20)))
    bound = (p, rng.choice((1, 3, 6, 12)), rng.random() < 0.5)
    inside = rng.choice(((), ("less", s & ~(1 << i), i), ("floor",), ("ceiling",)))
    found: list[tuple[Any, ...]] = [(word, kind) for word in ("best", "blind") for kind in CRITERIA]
    found += [("less", kind, s & ~(1 << i), i) for kind in CRITERIA]
    found += [("above", "G", s), ("gain", "G", s, t, str(edge)), ("told", s, t, str(strength), rng.randint(1, 5))]
    found += [
        ("coin", s, rng.random() < 0.5, str(share)),
        ("TD", s, rng.randint(1, 5)),
        ("TD log", s, rng.choice((1, 2, 3))),
    ]
    found += [("log k",), ("times", bound, inside or None), ("pinsker", s, t, str(share))]
    found += [("fano log", s), ("fano", s, str(share)), ("below", "G", s, str(edge))] * (k > 1)
    ends = [str(Fraction(end, 100)) for end in sorted(rng.sample(range(50), 2))]
    found += [("pair", "G", s, t, *ends)] * (k == 2)
    weights = {Fraction(1), Fraction(rng.randint(1, 20), 20)}
    if low < high:
        ratio = math.log(4 * high * (1 - high)) / math.log(4 * low * (1 - low))
        weights.add(min(Fraction(1), Fraction(math.ceil(ratio * 900) + 1, 900)))
    return found + [("left", s, t, str(low), str(high), str(weight)) for weight in weights if k == 2]


@pytest.mark.parametrize("seed", range(3))
def test_facts_and_splits_are_true_at_random_distributions(seed: int) -> None:
    """Each fact, and at least one case of each split."""
    rng, used = random.Random(seed), Counter[str]()
    for _ in range(100):
        n, k = rng.choice((1, 2, 2)), rng.choice((1, 2, 2, 2, 3, 4))
        d = drawn(rng, n, k, full=rng.random() < 0.3)
        space = EverySizeSpace({"features": n, "classes": k}, ("positive",) * d.is_positive().holds)
        at = values(d, space)
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
        s, t = rng.randrange(1 << n), rng.randrange(1 << n)
        splits: list[tuple[Any, ...]] = [("chance",), ("G-ties", s & ~1, 0)]
        splits += [(f"{kind}-closed", s, t) for kind in "GV" if space.assumptions]
        assert all(any(map(checked(d).truth, space.cases(split, "a split"))) for split in splits), (splits, d)
    assert len(used) == 17


def test_a_line_of_two_classes_needs_a_weight_that_is_large_enough() -> None:
    space = EverySizeSpace({"features": 2, "classes": 2}, ())
    assert space.fact(("left", 1, 3, "1/10", "1/5", "1/2"), "a fact")
    for weight in ("2/5", "0"):
        with pytest.raises(CertificateError, match="weight"):
            space.fact(("left", 1, 3, "1/10", "1/5", weight), "a fact")


def test_the_entropy_of_a_class_is_above_a_chord() -> None:
    """One case is true of each distribution; the chord is above the curve outside of its ends, so no case is idle."""
    space, idle = EverySizeSpace({"features": 1, "classes": 2}, ()), Counter[int]()
    for low, high in combinations_with_replacement(range(0, 11, 2), 2):
        options = space.cases(("prior", low, high, 20), "a split")
        for ones in range(21):
            true = [truth(option, Shape((1,), 2).distribution([ones, 20 - ones])) for option in options]
            assert any(true)
            assert true[2] or not low <= min(ones, 20 - ones) <= high
            idle.update(i for i, one in enumerate(true) if one and sum(true) == 1)
    assert min(idle[i] for i in range(3)) > 0


LOG = "the argument of a logarithm must be"
RISK_TIMES_LOG = ["*", R(0), ["log", ["+", R(0), ["*", R(0), ["/", R(0), R(0)]]]]]  # nearly p log p
FACT, SPLIT = "proofs[0].tree.farkas must be ", "proofs[0].tree.split must be "
NO_FACT, NO_SPLIT, SMALL = (
    f"{FACT}about numbered facts, ",
    f"{SPLIT}['or', number], ['max', number]",
    "an integer from 0 to ",
)


@pytest.mark.parametrize(
    ("changes", "reference", "message"),
    [
        ({}, ["less", 1, 0], f"{FACT}about a feature that is not in the subset"),
        ({}, ["less", 4, 0], f"{FACT}{SMALL}3, not 4"),
        ({}, ["less", 0, 2], f"{FACT}{SMALL}1, not 2"),
        ({}, ["I", 8, 1, 0], f"{FACT}{SMALL}7, not 8"),
        ({}, ["ZY", 1, 2, 4], f"{FACT}a list of 4"),
        ({}, ["p", 0], NO_FACT),
        ({}, "total", NO_FACT),
        ({}, ["maxima"], NO_FACT),
        ({"assumptions": ["positive"]}, ["maxima"], NO_FACT),
        ({"assumptions": ["unique_maximum"], "shape": {"features": 2, "classes": None}}, ["maxima"], NO_FACT),
        ({"assumptions": ["unique_maximum"], "shape": {"features": 2, "classes": 1}}, ["maxima"], NO_FACT),
        ({"assumptions": ["unique_maximum"]}, ["maxima"], f"{FACT}multipliers under which all unknowns cancel"),
        ({}, ["floor"], f"{FACT}multipliers under which all unknowns cancel"),
        ({}, ["fano", 1, "1/1001"], f"{FACT}a share in parts of 1/1000, not '1/1001'"),
        ({}, ["TD", 1, 0], f"{FACT}an integer from 1 to 999, not 0"),
        ({}, ["fano", 1, "1"], f"{FACT}a share in parts of 1/1000, not '1'"),
        ({"shape": {"features": 2, "classes": None}}, ["fano", 1, "1/2"], f"{FACT}a line of a curve"),
        ({"shape": {"features": 2, "classes": 1}}, ["fano", 1, "1/2"], f"{FACT}a line of a curve"),
        ({"shape": {"features": 2, "classes": 3}}, ["left", 1, 3, "1/9", "1/3", "1"], f"{FACT}a line of a curve"),
        ({}, ["left", 1, 3, "1/3", "1/9", "1"], f"{FACT}with q <= c < 1/2"),
        ({}, ["told", 1, 3, "1/2", 1], f"{FACT}with E from 1 to 1000"),
        ({}, ["told", 3, 1, "2", 1], f"{FACT}about a set and one that it is part of"),
        ({}, ["coin", 1, 1, "1/2"], f"{FACT}a line of a curve"),
        ({"shape": {"features": 2, "classes": None}}, ["log k"], f"{FACT}a fact with logarithms"),
        ({}, ["times", [4, 6, True], None], f"{FACT}about a prime up to 97"),
        ({}, ["times", [2, 6, True], ["TD", 1, 1]], f"{FACT}about risks alone"),
        ({}, ["times", [2, 6, 1], None], f"{FACT}true or false, not 1"),
        ({}, ["pair", "G", 1, 3, "1/3", "1/9"], f"{FACT}with q <= c < 1/2"),
        ({}, ["less", "G", 1, 0], f"{FACT}about a feature that is not in the subset"),
        ({}, ["best", "Z"], NO_FACT),
        ({"shape": {"features": 2, "classes": None}}, ["blind", "B"], f"{FACT}['less', B, S, i]"),
        ({"shape": {"features": 2, "classes": 3}}, ["pair", "G", 1, 3, "0", "1/3"], f"{FACT}['less', G, S, i]"),
        ({}, ["split", "G-closed", 1, 2], NO_SPLIT),
        *(({}, ["split", "prior", *ends], SPLIT) for ends in ([3, 2, 20], [1, 11, 20], [-1, 1, 20], [0, 1, 1001])),
        ({"shape": {"features": 1, "classes": 3}}, ["split", "prior", 1, 1, 20], SPLIT),
        ({}, ["pinsker", 3, 1, "1/2"], f"{FACT}about a set and one that it is part of"),
        ({}, ["pinsker", 1, 3, "-1/2"], f"{FACT}a share in parts of 1/1000, not '-1/2'"),
        ({"assumptions": ["positive", "positive"]}, ["floor"], "assumptions must be some of "),
        ({"assumptions": ["unique_maximum"]}, ["split", "zero", 1, 2], NO_SPLIT),
        ({"assumptions": ["positive"]}, ["split", "optimal", 1, 2], NO_SPLIT),
        ({"assumptions": ["unique_maximum"]}, ["split", "optimal", 1, 2], NO_SPLIT),
        ({"assumptions": ["positive"]}, ["split", "zero", 1, 4], f"{SPLIT}{SMALL}3, not 4"),
        ({}, ["split", "intersection", 2, 1, 2], NO_SPLIT),
        ({"assumptions": ["unique_maximum"]}, ["split", "intersection", 2, 1, 2], NO_SPLIT),
        ({"assumptions": ["positive"]}, ["split", "intersection", 3, 1, 2], f"{SPLIT}{SMALL}2, not 3"),
        ({"assumptions": ["positive"]}, ["split", "intersection", 2, 1, 4], f"{SPLIT}{SMALL}3, not 4"),
        ({"assumptions": ["positive"]}, ["split", "intersection", 1, 1, 2], f"{SPLIT}about a variable that is in"),
        ({}, ["split", "bridge", 0, 2], f"{SPLIT}{SMALL}1, not 2"),
        ({}, ["split", "or", 0], f"{SPLIT}absent"),
        ({"shape": {"features": 11, "classes": 2}}, ["floor"], "shape.features must be an integer from 1 to 10"),
        ({"shape": {"features": 0, "classes": 2}}, ["floor"], "shape.features must be an integer from 1 to 10"),
        ({"show": [instance("it", ["<", P([None, None], 0), q(0)])]}, ["floor"], "show[0].formula must be about risks"),
        ({"show": [instance("it", ["<", ["log", q(0)], q(1)])]}, ["floor"], f"{LOG} above 0"),
        ({"show": [instance("it", ["<", ["log", q(-1)], q(1)])]}, ["floor"], f"{LOG} above 0"),
        ({"show": [instance("it", ["<", ["log", q(101)], q(1)])]}, ["floor"], f"{LOG} made of primes up to 97"),
        ({"show": [instance("it", ["<", ["log", R(0)], q(1)])]}, ["floor"], "the argument of a logarithm in a proof"),
        ({"show": [instance("it", ["<", RISK_TIMES_LOG, q(1)])]}, ["floor"], "a term of a proof must be linear"),
        ({"show": [instance("it", ["<", ["t", "a b\n"], q(1)])]}, ["floor"], "a parameter in show[0].formula must be"),
    ],
)
def test_what_is_not_true_of_all_distributions_is_no_fact(changes: Content, reference: Json, message: str) -> None:
    leaf = {"farkas": [[reference, "1"]]}
    tree = {"split": reference[1:], "cases": []} if reference[0] == "split" else leaf
    content = statement("proved", (), 2, [], [instance("it", ["or"])])
    content |= {"version": 3, "shape": {"features": 2, "classes": 2}, "assumptions": [], "maxima": []}
    rejected(signed({**content, "proofs": [{"tree": tree}]}, **changes), message)


def test_a_space_of_every_size_says_how_many_classes_it_has() -> None:
    of = {k: str(EverySizeSpace({"features": 2, "classes": k}, ())) for k in (None, 3)}
    assert of[None] == "2 features of any numbers of states and any number of classes"
    assert of[3] == "2 features of any numbers of states and 3 classes"


def test_for_every_size_there_are_no_cells() -> None:
    with pytest.raises(CertificateError, match="about criteria and entropies"):
        EverySizeSpace({"features": 1, "classes": 2}, ()).leaf(("P", (None,), 0))


@pytest.mark.parametrize("kind", ["", "GB", "BA", "GBAV", "R", "g", 0, None])
def test_a_fact_about_no_criterion_is_refused(kind: object) -> None:
    """A certificate could once prove with `["blind", ""]` that the Gini impurity without features is 0."""
    space = EverySizeSpace({"features": 1, "classes": 2}, ())
    for reference in (("blind", kind), ("best", kind), ("less", kind, 0, 0)):
        with pytest.raises(CertificateError, match="a fact must be"):
            space.fact(reference, "a fact")


# The criteria, and which of their tables distributions have


def test_criteria_are_those_of_the_language_and_of_the_checker() -> None:
    rng = random.Random(0)
    for _ in range(40):
        d = drawn(rng, 2, rng.choice((1, 2, 3)))
        m, at = Model(d), checked(d)
        for kind, mask in product(CRITERIA, (0, 1, 3)):
            expected = by_definition(kind, d.weights, kept(mask))
            assert value(getattr(m, WORDS[kind])([d.features[i] for i in kept(mask)]), d) == expected, (kind, mask, d)
            assert at.value((kind, kept(mask))) == expected


def random_table(rng: random.Random, n: int, top: Fraction) -> list[Fraction]:
    """Return a table by mask that falls with the subset, from `top` on."""
    shares = [Fraction(rng.randint(0, 12), 12) for _ in range(1 << n)]
    return [top] + [top * max(shares[t] for t in range(1 << n) if t & s == s) for s in range(1, 1 << n)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_table_of_a_criterion_belongs_to_a_distribution(n: int) -> None:
    """Theorem 1: all of them, exactly; of areas those above 1/2 for all subsets but the empty one."""
    rng, sets = random.Random(n), [*map(kept, range(1 << n))]
    for _ in range(12):
        shares, k = random_table(rng, n, Fraction(1)), rng.choice((2, 3))
        weights = distribution_with_shares(shares, k).weights
        for kind, top in (("R", 1 - Fraction(1, k)), ("G", 1 - Fraction(1, k)), ("B", k - 1)):
            assert [by_definition(kind, weights, one) for one in sets] == [share * top for share in shares]
        prior = [Fraction(2, 3), Fraction(1, 3)]
        weights = distribution_with_shares(shares, 2, prior=prior).weights
        assert [by_definition("G", weights, one) for one in sets] == [share * Fraction(4, 9) for share in shares]
        assert [by_definition("V", weights, one) for one in sets] == [1 - share for share in shares]
        areas = [1 - share * Fraction(11, 24) for share in shares]
        weights = distribution_with_areas(areas).weights
        assert [by_definition("A", weights, one) for one in sets] == [Fraction(1, 2), *areas[1:]]


def test_the_orders_of_risk_and_impurity_are_prescribed_together() -> None:
    falls, gains = [Fraction(x) for x in (0, 1, 0, 2)], [Fraction(x) for x in (0, 1, 2, 3)]
    weights = distribution_with_gains(falls, gains, impurity=True).weights
    for kind, asked in (("R", falls), ("G", gains)):
        found = [by_definition(kind, weights, one) for one in ((), (0,), (1,), (0, 1))]
        assert len({(found[0] - x) / y for x, y in zip(found[1:], asked[1:], strict=True) if y}) == 1
