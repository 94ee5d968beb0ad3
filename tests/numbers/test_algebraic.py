"""Real roots against SymPy, and comparisons that are decided however close the numbers are."""

import random
from fractions import Fraction

import pytest
import sympy

from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.numbers.algebraic import AlgebraicNumber, FieldElement, real_roots, value_at
from fstheory.numbers.enclosure import Enclosed
from fstheory.numbers.logsum import log, quotient
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt


@pytest.mark.parametrize("seed", range(12))
def test_the_roots_are_those_of_sympy(seed: int) -> None:
    source = random.Random(seed)
    coefficients = [source.randint(-9, 9) for _ in range(source.randint(2, 6))] + [source.choice([-2, 1, 3])]
    t = sympy.Symbol("t")
    theirs = sorted(set(sympy.Poly(coefficients[::-1], t).real_roots(multiple=True)), key=lambda root: root.evalf(60))
    mine = real_roots(coefficients)
    assert len(mine) == len(theirs)
    for one, other in zip(mine, theirs, strict=True):
        close = Fraction(str(other.evalf(40)))
        assert close - Fraction(1, 10**35) < one < close + Fraction(1, 10**35)
    assert mine == sorted(mine)


@pytest.mark.parametrize(
    "number",
    [
        log(8, base=4),
        1 + log("7/5", base="5/3") / 2,
        log(10**40 + 1) - 1,
        log(6) / 3 - log("5/2") + Fraction(1, 7),
        sqrt(2) * (sqrt(6) - 3),
        sqrt(10**40 + 1) - sqrt(2) / 3,
        ShiftedRoot("1/4", log(2) / 2, log(3)),
        quotient(log(3), log(2)),
        *real_roots([1, -3, 0, 1]),
        value_at([0, 0, 3], [1, 1], real_roots([-2, 0, 0, 1])[0]),
    ],
    ids=str,
)
def test_sympy_takes_it_exactly(number: Enclosed) -> None:
    expression = sympy.sympify(number)
    assert not expression.atoms(sympy.Float)
    assert number == expression == number.to_sympy()
    lower, upper = (sympy.Rational(end) for end in number.enclosure(40))
    slack = sympy.Rational(1, 10**40)
    assert lower - slack < expression.evalf(60) < upper + slack


@pytest.mark.parametrize(
    ("number", "expression", "equal"),
    [
        (3 * log(2), sympy.log(8), True),
        (log(9, base=2), 2 * sympy.log(3) / sympy.log(2), True),
        (sqrt(2) + 1, (sympy.sqrt(6) + sympy.sqrt(3)) / sympy.sqrt(3), True),
        (log(2), sympy.log(2) + sympy.Rational(1, 10**60), False),
        (log(2), sympy.log(3) / sympy.log(sympy.Rational(1, 2), evaluate=False), False),
        (log(2), sympy.log(sympy.Integer(-2), evaluate=False), False),
        (log(2), sympy.log(2) + sympy.sqrt(2), False),
        (log(3, base=2), sympy.log(3) / sympy.log(2) + sympy.log(3) / sympy.log(5), False),
        (log(3, base=5), sympy.log(3) / sympy.log(2) + sympy.log(3) / sympy.log(5), False),
        (sqrt(2), sympy.Symbol("x") * sympy.sqrt(2), False),
    ],
    ids=str,
)
def test_other_forms_of_sympy_are_decided(number: Enclosed, expression: sympy.Expr, equal: bool) -> None:
    assert (number == expression) is equal
    assert (number != expression) is not equal


def test_a_root_is_of_the_simplest_kind() -> None:
    third, golden, cube = real_roots([-1, 3])[0], real_roots([-1, -1, 1])[1], real_roots([-2, 0, 0, 1])[0]
    assert third == Fraction(1, 3)
    assert isinstance(golden, RootSum)
    assert golden == (1 + sqrt(5)) / 2
    assert isinstance(cube, AlgebraicNumber)
    assert real_roots([5]) == []
    assert real_roots([1, 0, 1]) == []
    with pytest.raises(InvalidValueError, match="not all zero"):
        real_roots([0, 0])


def test_numbers_that_nearly_agree_are_told_apart() -> None:
    near = 10**40
    one, other = real_roots([-2 * near, 0, 0, near])[0], real_roots([-2 * near - 1, 0, 0, near])[0]
    assert one < other
    assert one != other
    low, high = one.enclosure(60)  # type: ignore[union-attr]
    assert low < one < high
    assert hash(one) == hash(real_roots([-2, 0, 0, 1])[0])


def test_a_sum_of_roots_can_be_a_root_of_a_larger_degree() -> None:
    total = sqrt(2) + sqrt(3)
    roots = real_roots([1, 0, -10, 0, 1])
    assert [root == total for root in roots] == [False, False, False, True]
    assert roots[2] < total
    assert hash(roots[3]) == hash(total)
    with pytest.raises(InvalidTypeError, match="float"):
        _ = roots[0] < 0.5


def test_values_in_a_field_have_one_form() -> None:
    cube = real_roots([-2, 0, 0, 1])[0]
    value = value_at([0, 0, 3], [1, 1], cube)
    assert isinstance(value, FieldElement)
    assert value == value_at([-2, 2, 1], [1], cube)
    assert value_at([0, 0, 0, 5], [2], cube) == 5
    assert value_at([0], [1], cube) == 0
    assert value_at([1, 2], [3, 1], Fraction(1, 2)) == Fraction(4, 7)
    assert value_at([0, 0, 1], [1], sqrt(2)) == 2
    assert value_at([1], [1, 1], sqrt(2)) == sqrt(2) - 1
    assert abs(float(value) - 3 * 2 ** (2 / 3) / (1 + 2 ** (1 / 3))) < 1e-14
    assert value_at([0, 1], [1], cube) < value
    assert value > Fraction(2)
    with pytest.raises(InvalidValueError, match="degree at most 2"):
        value_at([1], [1, 1], sqrt(2) + sqrt(3))


def test_only_zero_is_false() -> None:
    """Each kind of exact number is true or false as a Fraction is, and its sign agrees."""
    zeros: list[Enclosed] = [log(1), sqrt(0), ShiftedRoot(-2, 4)]
    assert [(bool(zero), zero.sign()) for zero in zeros] == 3 * [(False, 0)]
    (root,), ratio = real_roots([-2, 0, 0, 1]), quotient(log(3), log(2))
    assert isinstance(root, AlgebraicNumber)
    for number in (root, value_at([0, 0, 3], [1, 1], root), ShiftedRoot(-1, 2), ratio, -ratio):
        assert isinstance(number, Enclosed)
        assert number
        assert number.sign() == (-1 if number == -ratio else 1)
