"""The coprime base: pairwise coprime, and every number is the product it says."""

import math
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from fstheory.numbers.coprime import CoprimeBase, combine
from tests.numbers.definition import primes_of

BIG = [2**61 - 1, 2**89 - 1, 2**107 - 1, 2**127 - 1, 65537, 257, 2**32 + 15]
factors = st.sampled_from([1, 2, 3, 5, 251, 257, 4099, *BIG])
products = st.lists(factors, min_size=1, max_size=5).map(math.prod)


@given(st.lists(products, min_size=1, max_size=12))
def test_every_number_is_a_product_of_coprime_elements(numbers: list[int]) -> None:
    written = list(CoprimeBase(numbers).exponents(numbers))
    assert [math.prod(element**exponent for element, exponent in factors) for factors in written] == numbers
    elements = {element for factors in written for element, _ in factors}
    assert all(math.gcd(one, other) == 1 for one, other in combinations(elements, 2))
    assert min(elements, default=2) > 1
    assert all(exponent > 0 for factors in written for _, exponent in factors)


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=8))
def test_small_numbers_are_factored(numbers: list[int]) -> None:
    assert [dict(factors) for factors in CoprimeBase(numbers).exponents(numbers)] == list(map(primes_of, numbers))


def test_high_powers_and_many_numbers() -> None:
    p, q = BIG[0], BIG[1]
    numbers = [p**k * q ** (60 - k) for k in range(61)]
    written = list(CoprimeBase(numbers).exponents(numbers))
    assert {element for factors in written for element, _ in factors} == {p, q}
    terms = [(p * n, 1) for n in range(1, 1001)] + [(n, -1) for n in range(1, 1001)]
    assert combine(terms, CoprimeBase(n for n, _ in terms)) == {p: 1000}


def test_powers_that_differ_within_a_shared_factor() -> None:
    p, q, r = BIG[:3]
    lists = [p * q, p**2 * q], [p**3 * q, p * q], [p * q * r, p**4 * q**2 * r], [(p * q) ** 2, p * q, p * q * q]
    for numbers in lists:
        written = CoprimeBase(numbers).exponents(numbers)
        assert [math.prod(e**k for e, k in factors) for factors in written] == numbers
