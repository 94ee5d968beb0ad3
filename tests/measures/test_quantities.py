"""Information and distances, one at a time, against the definitions as exponents of primes; and their notation."""

import json
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.errors import InvalidFormatError, ZeroProbabilityError
from fstheory.measures.bounds import pinsker_bound
from fstheory.measures.divergence import expected_total_variation, kl_divergence, total_variation_distance
from fstheory.measures.information import (
    conditional_entropy,
    conditional_mutual_information,
    entropy,
    info,
    information_lost,
    mutual_information,
)
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import ShiftedRoot
from fstheory.testing import joint_distributions
from tests.measures import literal

SMALL = joint_distributions(huge=False)
Names = frozenset[str]


def variables(d: JointDistribution) -> st.SearchStrategy[Names]:
    return st.frozensets(st.sampled_from([*d.features, d.target]))


def primes(value: LogSum) -> literal.Logs:
    assert value.constant == 0
    return {prime: coefficient for coefficient, prime in value.simplify().terms}


@given(SMALL, st.data())
def test_entropies_and_informations(d: JointDistribution, data: st.DataObject) -> None:
    """The sets overlap at will."""
    a, b, c = (data.draw(variables(d)) for _ in range(3))
    at_a, at_b, at_c = ([i for i, name in enumerate([*d.features, d.target]) if name in names] for names in (a, b, c))
    pmf = d.to_pmf()
    assert primes(conditional_entropy(d, a, c)) == literal.conditional_entropy(pmf, at_a, at_c)
    assert primes(entropy(d, a)) == literal.conditional_entropy(pmf, at_a, [])
    expected = literal.conditional_mutual_information(pmf, at_a, at_b, at_c)
    assert primes(conditional_mutual_information(d, a, b, c)) == expected
    assert primes(mutual_information(d, a, b)) == literal.conditional_mutual_information(pmf, at_a, at_b, [])
    gone, kept = a - {d.target}, frozenset(d.features) - a
    assert information_lost(d, gone) == conditional_mutual_information(d, d.target, gone, kept)


@given(joint_distributions(), st.data())
def test_identities_and_inequalities_hold_exactly(d: JointDistribution, data: st.DataObject) -> None:
    """Weights of thousands of bits among them; all compare exact numbers."""
    a, b, c, e = (data.draw(variables(d)) for _ in range(4))
    both = conditional_mutual_information(d, a, b | e, c)
    assert both == conditional_mutual_information(d, a, e, c) + conditional_mutual_information(d, a, b, c | e)
    assert conditional_mutual_information(d, a, b, c) == conditional_mutual_information(d, b, a, c)
    assert entropy(d, a | b) == entropy(d, a) + conditional_entropy(d, b, a)
    assert mutual_information(d, a, b) == entropy(d, a) - conditional_entropy(d, a, b)
    assert mutual_information(d, a, a) == entropy(d, a)
    assert 0 <= conditional_mutual_information(d, a, b, c) <= conditional_entropy(d, a, c)
    assert entropy(d, {d.target}) <= log(len(d.classes))
    assert entropy(d, {d.target}, base=2) == entropy(d, {d.target}).in_base(2)


# -- the usual notation -----------------------------------------------------------------------------

D = JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 9]]], features=["X1", "a, b"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("H(Y)", entropy(D, {"Y"})),
        ("  H ( X1 , Y )  ", entropy(D, {"X1", "Y"})),
        ("H(Y|X1)", conditional_entropy(D, {"Y"}, {"X1"})),
        ('H("a, b" | "Y")', conditional_entropy(D, {"a, b"}, {"Y"})),
        ("I(Y; X1)", conditional_mutual_information(D, {"Y"}, {"X1"})),
        ("I(Y;X1|'a, b')", conditional_mutual_information(D, {"Y"}, {"X1"}, {"a, b"})),
        ("I(Y, X1; X1, 'a, b' | X1)", conditional_mutual_information(D, {"Y"}, {"a, b"}, {"X1"})),
        (
            "-I(Y;X1) + 2 H(Y) \N{MINUS SIGN} 1/3*H(X1)",
            2 * entropy(D, {"Y"}) - mutual_information(D, {"X1"}) - entropy(D, {"X1"}) / 3,
        ),
        ("+0.5H(Y|X1) - 1 / 2 H(Y)", -mutual_information(D, {"X1"}) / 2),
    ],
)
def test_what_is_read(text: str, value: object) -> None:
    assert info(D, text) == value


@given(SMALL, st.data())
def test_interaction_information_in_a_sum(d: JointDistribution, data: st.DataObject) -> None:
    """By the recursive definition; the sets overlap at will."""
    order = [*d.features, d.target]
    sets = [data.draw(st.lists(st.sampled_from(order), min_size=1, unique=True)) for _ in range(5)]
    a, b, c, e, known = ([order.index(name) for name in names] for names in sets)
    A, B, C, E, known_names = (",".join(map(json.dumps, names)) for names in sets)

    def shared(given: list[int], *others: list[int]) -> LogSum:
        if others:
            return shared(given, *others[1:]) - shared(sorted({*given, *others[0]}), *others[1:])
        return LogSum.from_integer_terms(literal.conditional_mutual_information(d.to_pmf(), a, b, given))

    times = data.draw(st.fractions(min_value=0, max_denominator=99))
    text = f"{times} I({A};{B}; {C} ;{E} | {known_names}) - I({A};{B};{C})"
    assert info(d, text) == times * shared(known, c, e) - shared([], c)


@given(joint_distributions(named=True, max_features=2, huge=False), st.data())
def test_every_name_can_be_quoted(d: JointDistribution, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from([*d.features, d.target]), min_size=1, unique=True))
    text = f"H({','.join(json.dumps(name, ensure_ascii=data.draw(st.booleans())) for name in names)})"
    assert info(d, text, base=2) == entropy(d, names, base=2)


@pytest.mark.parametrize(
    ("text", "place", "found", "wanted"),
    [
        ("", 0, "the text ends", "H or I"),
        ("H", 1, "the text ends", r"'\('"),
        ("H()", 2, r"'\)' stands", "a name"),
        ("H(Y", 3, "the text ends", r"'\)' or '\|' or ','"),
        ("H(Y |)", 5, r"'\)' stands", "a name"),
        ("H(Y | X1 | Y)", 9, r"'\|' stands", r"'\)' or ','"),
        ("H(Y X1)", 4, "'X' stands", r"'\)' or '\|' or ','"),
        ("I(Y)", 3, r"'\)' stands", "';' or ','"),
        ("I(Y; X1) + 1", 12, "the text ends", "H or I"),
        ("I(Y; X1) / H(Y)", 9, "'/' stands", "'\\+', '-' or the end"),
        ("2 * -H(Y)", 4, "'-' stands", "H or I"),
        ('H("a)', 2, "'\"' stands", "a name"),
        (r'H("\q")', 2, "'\"' stands", "a name without unknown escapes"),
    ],
)
def test_an_error_points_at_its_place(text: str, place: int, found: str, wanted: str) -> None:
    with pytest.raises(InvalidFormatError, match=rf"; at position {place}, where {found}, write {wanted} \(names"):
        info(D, text)


# -- distances of distributions --------------------------------------------------------------------

TWO = st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any)


@given(TWO, TWO)
def test_total_variation_is_the_largest_difference(p: list[int], q: list[int]) -> None:
    first, second = JointDistribution([p[:3], p[3:]]), JointDistribution([q[:3], q[3:]])
    masses = first.to_pmf(), second.to_pmf()
    events = [event for size in range(7) for event in combinations(masses[0], size)]
    apart = (abs(sum((masses[0][c] - masses[1][c] for c in event), Fraction(0))) for event in events)
    assert total_variation_distance(first, second) == max(apart)


@given(TWO, TWO)
def test_divergence(p: list[int], q: list[int]) -> None:
    first, second = JointDistribution([p[:3], p[3:]]), JointDistribution([q[:3], q[3:]])
    if any(a and not b for a, b in zip(p, q, strict=True)):
        with pytest.raises(ZeroProbabilityError):
            kl_divergence(first, second)
        return
    expected = literal.logs((a, a / second.to_pmf()[cell]) for cell, a in first.to_pmf().items() if a)
    value = kl_divergence(first, second)
    assert {prime: c for c, prime in value.simplify().terms} == expected
    assert value.is_zero() == (first == second)
    assert kl_divergence(first, second, base=2) == value.in_base(2)
    check = pinsker_bound(first, second)
    assert (check.left, check.holds) == (total_variation_distance(first, second), True)
    assert check.right == ShiftedRoot(Fraction(0), value * Fraction(1, 2))


@given(joint_distributions(), st.data())
def test_expected_total_variation(d: JointDistribution, data: st.DataObject) -> None:
    """Also Pinsker's inequality, for any total."""
    removed = data.draw(st.frozensets(st.sampled_from(d.features))) if d.features else frozenset()
    kept = [i for i, name in enumerate(d.features) if name not in removed]
    moved = expected_total_variation(d, removed)
    assert moved == literal.expected_total_variation(d.to_pmf(), kept)
    assert 2 * moved**2 <= information_lost(d, removed)
    assert (moved == 0) == information_lost(d, removed).is_zero()
