"""The facts and splits that a proof for every number of states may use are true, and nothing else is accepted."""

import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.kinds import FACTS, SPLITS
from fstheory.checker.numbers import Number, add, compare, logarithms, multiply
from fstheory.checker.statement import ASSUMPTIONS, CRITERIA, ONE, Form
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError
from fstheory.logic.evaluate import truth, value
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.selection.prescribed import distribution_with_areas, distribution_with_gains, distribution_with_shares
from tests.checker.kinds import draw, of_every_size
from tests.logic.building import Content, Json, P, R, instance, q, rejected, signed, statement
from tests.proofs.every_size import WORDS, by_definition, checked, drawn, least_cost

NONE = Fraction(0)
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
    for mask, t in product(subsets, ("1/2", "1/3", "1/4", "3/4") if space.classes == 2 else ()):
        found[space.cost(t, mask)] = least_cost(d.weights, kept(mask), Fraction(t))
    for p, unknown in product(PRIMES[:4], [u for u in found if 3 * len(subsets) <= u < space.coins]):
        found[space.log(p, unknown)] = multiply(found[space.log(p)], found[unknown])
    for mask in subsets:
        risk = found[mask]
        assert isinstance(risk, Fraction)
        found[space.squares + mask] = risk * risk
        forms: list[tuple[Form, Fraction]] = [({mask: 1}, risk), ({ONE: 1, mask: -1}, 1 - risk)]
        for form, chance in forms:
            (number,) = space.coin(form) or {}
            found[number] = logarithms([(-chance, chance)]) if chance else NONE
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(3))
def test_facts_and_splits_are_true_at_random_distributions(seed: int) -> None:
    """Each kind of fact for every size, and at least one case of each kind of split."""
    rng, used = random.Random(seed), Counter[str]()
    for _ in range(100):
        n, k = rng.choice((1, 2, 2)), rng.choice((1, 2, 2, 2, 3, 4))
        d = drawn(rng, n, k, full=rng.random() < 0.5)
        holds = {"positive": d.is_positive().holds, "unique_maximum": d.has_unique_maximum().holds}
        space = EverySizeSpace({"features": n, "classes": k}, tuple(name for name in ASSUMPTIONS if holds[name]))
        at = values(d, space)
        for kind in of_every_size(FACTS):
            with suppress(CertificateError):  # the arguments, or the assumptions, do not fit
                relation, form = space.fact(reference := draw(kind, rng, n), "a fact")
                used[kind.name] += 1
                total: Number = NONE
                for unknown, c in form.items():
                    total = add(total, multiply(at[unknown], Fraction(c)))
                assert ORDER[relation](compare(total, NONE)), (reference, d)
        for kind in of_every_size(SPLITS):
            with suppress(CertificateError):
                options = space.cases(reference := draw(kind, rng, n), "a split")
                used[kind.name] += 1
                assert any(map(checked(d).truth, options)), (reference, d)
    assert all(used[kind.name] > 2 for table in (FACTS, SPLITS) for kind in of_every_size(table)), used


def test_the_gains_of_independent_features_add_up_at_least() -> None:
    """In random tables the features are hardly ever independent, and then these splits say nothing."""
    rng, space, strict = random.Random(20), EverySizeSpace({"features": 3, "classes": 3}, ()), Counter[str]()
    for _ in range(60):
        first, second = (
            np.array([[rng.randint(0, 3), rng.randint(1, 3)] for _ in range(2)], dtype=object) for _ in "12"
        )
        classes = np.array([[rng.randint(1, 4), *rng.choices(range(5), k=2)] for _ in range(8)], dtype=object)
        known = np.array([first[z, x] * second[z, y] for x, y, z in product(range(2), repeat=3)])  # x, y given z
        weights = known[:, None] * classes * Fraction(1) / classes.sum(axis=1, keepdims=True)
        at = checked(JointDistribution(weights.reshape(2, 2, 2, 3)))
        for kind in "GV":
            dependent, added = space.cases((f"{kind}-independent", 0b101, 0b110), "a split")
            assert at.truth(added)
            assert not at.truth(dependent)
            strict[kind] += at.truth(("<", *added[1:]))
    assert min(strict[kind] for kind in "GV") > 10


def test_a_line_of_two_classes_needs_a_weight_that_is_large_enough() -> None:
    space = EverySizeSpace({"features": 2, "classes": 2}, ())
    assert space.fact(("left", 1, 3, "1/10", "1/5", "1/2"), "a fact")
    for weight in ("2/5", "0"):
        with pytest.raises(CertificateError, match="so that the line is true"):
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
    f'{FACT}one of ["less", subset S, feature i]',
    f'{SPLIT}one of ["zero", subset S, subset T]',
    "an integer from 0 to ",
)


MAXIMA, ZERO, FANO = '"maxima"', '"zero", subset S, subset T', '"fano", subset S, share r'
LEFT, PAIR = '"left", subset S, subset T, share q, share c, part u', '"pair", "G", subset S, subset T, part q, part c'
UNIQUE, POSITIVE = {"assumptions": ["unique_maximum"]}, {"assumptions": ["positive"]}
CLOSED, OPTIMAL, SHARED = (ZERO.replace("zero", name) for name in ("G-closed", "optimal", "intersection"))
SHARED = SHARED.replace("subset S", "variable v, subset S")


def classes(k: int | None) -> Content:
    return {"shape": {"features": 2, "classes": k}}


def shown(formula: Json) -> Content:
    return {"show": [instance("it", formula)]}


@pytest.mark.parametrize(
    ("changes", "reference", "message"),
    [
        ({}, ["less", 1, 0], f'{FACT}["less", subset S, feature i] with i not in S'),
        ({}, ["less", 4, 0], f"{FACT}{SMALL}3, not 4"),
        ({}, ["less", 0, 2], f"{FACT}{SMALL}1, not 2"),
        ({}, ["I", 8, 1, 0], f"{FACT}{SMALL}7, not 8"),
        ({}, ["ZY", 1, 2, 4], f'{FACT}["ZY", set A, set B, set C, set D], not'),
        ({}, ["p", 0], NO_FACT),
        ({}, ["TD", "log", 1, 1], NO_FACT),
        ({}, ["less Q", 1, 0], NO_FACT),
        ({}, ["total"], NO_FACT),
        ({}, "floor", NO_FACT),
        ({}, "total", NO_FACT),
        ({}, ["maxima"], f"{FACT}[{MAXIMA}] with 'unique_maximum' assumed"),
        (POSITIVE, ["maxima"], f"{FACT}[{MAXIMA}] with 'unique_maximum' assumed"),
        (UNIQUE | classes(None), ["maxima"], f"{FACT}[{MAXIMA}] with k from 2 on"),
        (UNIQUE | classes(1), ["maxima"], f"{FACT}[{MAXIMA}] with k from 2 on"),
        (UNIQUE, ["maxima"], f"{FACT}multipliers under which all unknowns cancel"),
        ({}, ["together", 0, "0", "0", "1", "0", [["1"]] * 101], f"{FACT}with at most 100 lists of ends, not 101"),
        ({}, ["floor"], f"{FACT}multipliers under which all unknowns cancel"),
        ({}, ["fano", 1, "1/1001"], f"{FACT}a share in parts of 1/1000, not '1/1001'"),
        ({}, ["TD", 1, 0], f"{FACT}an integer from 1 to 999, not 0"),
        ({}, ["fano", 1, "1"], f"{FACT}a share in parts of 1/1000, not '1'"),
        (classes(None), ["fano", 1, "1/2"], f"{FACT}[{FANO}] with k from 2 on"),
        (classes(1), ["fano", 1, "1/2"], f"{FACT}[{FANO}] with k from 2 on"),
        (classes(3), ["left", 1, 3, "1/9", "1/3", "1"], f"{FACT}[{LEFT}] with k = 2"),
        ({}, ["left", 1, 3, "1/3", "1/9", "1"], f"{FACT}[{LEFT}] with q <= c < 1/2"),
        ({}, ["told", 1, 3, "1/2", 1], f"{FACT}with e from 1 to 1000"),
        ({}, ["told", 3, 1, "2", 1], f'{FACT}["told", subset S, subset T, strength e, count j] with S in T'),
        ({}, ["coin", 1, 1, "1/2"], f"{FACT}true or false, not 1"),
        (classes(None), ["log k"], f'{FACT}["log k"] with k a number'),
        ({}, ["times", [4, 6, True], None], f"{FACT}about a prime up to 97"),
        ({}, ["times", [2, 6, True], ["TD", 1, 1]], f'{FACT}["times", bound b, fact f] with a fact f w'),
        (shown(["<", ["H", [0], True], q(1)]), ["times", [2, 6, True], 0], f"{FACT}without entropies"),
        ({}, ["times", [2, 6, 1], None], f"{FACT}true or false, not 1"),
        ({}, ["pair", "G", 1, 3, "1/3", "1/9"], f"{FACT}[{PAIR}] with q <= c < 1/2"),
        ({}, ["less", "G", 1, 0], f'{FACT}["less", criterion Q, subset S, feature i] with i not in S'),
        ({}, ["best", "Z"], f"{FACT}about a criterion, one of G, B, A, V"),
        (classes(None), ["blind", "B"], f'{FACT}["blind", "B"] with k a number'),
        (classes(3), ["pair", "G", 1, 3, "0", "1/3"], f"{FACT}[{PAIR}] with k = 2"),
        ({}, ["split", "G-closed", 1, 2], f"{SPLIT}[{CLOSED}] with 'positive' assumed"),
        *(({}, ["split", "prior", *ends], SPLIT) for ends in ([3, 2, 20], [1, 11, 20], [-1, 1, 20], [0, 1, 1001])),
        ({"shape": {"features": 1, "classes": 3}}, ["split", "prior", 1, 1, 20], SPLIT),
        ({}, ["pinsker", 3, 1, "1/2"], f'{FACT}["pinsker", subset S, subset T, share a] with S in T'),
        ({}, ["pinsker", 1, 3, "-1/2"], f"{FACT}a share in parts of 1/1000, not '-1/2'"),
        ({"assumptions": ["positive", "positive"]}, ["floor"], "assumptions must be some of "),
        (UNIQUE, ["split", "zero", 1, 2], f"{SPLIT}[{ZERO}] with 'positive' assumed"),
        (POSITIVE, ["split", "optimal", 1, 2], f"{SPLIT}[{OPTIMAL}] with 'unique_maximum' assumed"),
        (UNIQUE, ["split", "optimal", 1, 2], f"{SPLIT}[{OPTIMAL}] with 'positive' assumed"),
        (POSITIVE, ["split", "zero", 1, 4], f"{SPLIT}{SMALL}3, not 4"),
        ({}, ["split", "intersection", 2, 1, 2], f"{SPLIT}[{SHARED}] with 'positive' assumed"),
        (UNIQUE, ["split", "intersection", 2, 1, 2], f"{SPLIT}[{SHARED}] with 'positive' assumed"),
        (POSITIVE, ["split", "intersection", 3, 1, 2], f"{SPLIT}{SMALL}2, not 3"),
        (POSITIVE, ["split", "intersection", 2, 1, 4], f"{SPLIT}{SMALL}3, not 4"),
        (POSITIVE, ["split", "intersection", 1, 1, 2], f"{SPLIT}[{SHARED}] with v in neither set"),
        ({}, ["split", "bridge", 0, 2], f"{SPLIT}{SMALL}1, not 2"),
        ({}, ["split", "or", 0], f"{SPLIT}absent"),
        ({"shape": {"features": 11, "classes": 2}}, ["floor"], "shape.features must be an integer from 1 to 10"),
        ({"shape": {"features": 0, "classes": 2}}, ["floor"], "shape.features must be an integer from 1 to 10"),
        (shown(["<", P([None, None], 0), q(0)]), ["floor"], "show[0].formula must be about risks"),
        (shown(["<", ["log", q(0)], q(1)]), ["floor"], f"{LOG} above 0"),
        (shown(["<", ["log", q(-1)], q(1)]), ["floor"], f"{LOG} above 0"),
        (shown(["<", ["log", q(101)], q(1)]), ["floor"], f"{LOG} made of primes up to 97"),
        (shown(["<", ["log", R(0)], q(1)]), ["floor"], "the argument of a logarithm in a proof"),
        (shown(["<", RISK_TIMES_LOG, q(1)]), ["floor"], "a term of a proof must be linear"),
        (shown(["<", ["t", "a b\n"], q(1)]), ["floor"], "a parameter in show[0].formula must be"),
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


def test_an_area_of_one_half_is_reached_and_the_others_nearly() -> None:
    weights = distribution_with_areas([Fraction(x, 4) for x in (2, 2, 3, 4)]).weights  # one feature alone knows nothing
    least, first, second, both = (by_definition("A", weights, one) for one in ((), (0,), (1,), (0, 1)))
    assert [least, first, both, round(second, 9)] == [Fraction(1, 2), Fraction(1, 2), Fraction(1), Fraction(3, 4)]


def test_the_orders_of_risk_and_impurity_are_prescribed_together() -> None:
    falls, gains = [Fraction(x) for x in (0, 1, 0, 2)], [Fraction(x) for x in (0, 1, 2, 3)]
    weights = distribution_with_gains(falls, gains, impurity=True).weights
    for kind, asked in (("R", falls), ("G", gains)):
        found = [by_definition(kind, weights, one) for one in ((), (0,), (1,), (0, 1))]
        assert len({(found[0] - x) / y for x, y in zip(found[1:], asked[1:], strict=True) if y}) == 1
