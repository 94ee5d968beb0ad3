from fractions import Fraction
from math import gcd

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstheory.proofs.cases import Premise, contradicts, multipliers
from fstheory.proofs.linear import Linear, Relation

RELATIONS: list[Relation] = [">", ">=", "="]
numbers = st.fractions(-3, 3, max_denominator=4)


def premise(relation: Relation, constant: Fraction | int, **coefficients: Fraction | int) -> Premise:
    known = {"xyz".index(name): Fraction(c) for name, c in coefficients.items() if c}
    return Premise(("p", 0), Linear(Fraction(constant), known), relation)


@pytest.mark.parametrize(
    ("core", "factors"),
    [
        ([premise(">=", -1)], [1]),
        ([premise(">", 0)], [1]),
        ([premise("=", 2)], [-1]),
        ([premise(">=", 0, x=1), premise(">", 0, x=-3)], [3, 1]),
        ([premise("=", -1, x=1), premise(">=", Fraction(1, 2), x=-1)], [1, 1]),
        ([premise("=", -1, x=1), premise(">=", -2, x=1), premise(">=", 1, x=-1, y=1), premise(">=", -1, y=-2)], None),
    ],
)
def test_multipliers_of_contradictions(core: list[Premise], factors: list[int] | None) -> None:
    found = multipliers(core)
    assert contradicts(found)
    if factors is not None:
        assert [factor for _, factor in found] == factors


@given(st.data())
def test_premises_that_contradict_each_other_have_coprime_multipliers(data: st.DataObject) -> None:
    """Random premises, and one more that makes some sum of them impossible; also needless ones."""
    count = data.draw(st.integers(0, 4))
    core = [
        premise(data.draw(st.sampled_from(RELATIONS)), data.draw(numbers), x=data.draw(numbers), y=data.draw(numbers))
        for _ in range(count)
    ]
    total = Linear(Fraction(0))
    for part in core:
        total = total.plus(part.linear, Fraction(data.draw(st.integers(0, 3))))
    strict = data.draw(st.booleans())
    core.append(
        Premise(("p", 1), Linear(Fraction(0 if strict else -1)).plus(total, Fraction(-1)), ">" if strict else ">=")
    )
    found = multipliers(core)
    assert contradicts(found)
    assert gcd(*(factor for _, factor in found)) == 1


@given(st.lists(st.tuples(st.sampled_from(RELATIONS), numbers, numbers), max_size=5), numbers, numbers)
def test_premises_that_are_true_somewhere_have_none(
    rows: list[tuple[Relation, Fraction, Fraction]], x: Fraction, y: Fraction
) -> None:
    core = [premise(relation, -a * x - b * y + (1 if relation == ">" else 0), x=a, y=b) for relation, a, b in rows]
    with pytest.raises(ArithmeticError, match=f"{len(core)} premises do not contradict"):
        multipliers(core)


@pytest.mark.parametrize(
    "combination",
    [
        [],
        [(premise(">=", 1), 1)],
        [(premise(">=", 0), 1)],
        [(premise(">=", -1), -1)],
        [(premise(">", 0), 0)],
        [(premise(">=", -1, x=1), 1)],
        [(premise("=", 0), 1)],
        [(premise(">", 1), -1)],
        [(premise(">=", -1), 1), (premise(">", 5), 0)],
    ],
)
def test_what_is_no_contradiction(combination: list[tuple[Premise, int]]) -> None:
    assert not contradicts(combination)


@given(st.lists(st.tuples(st.sampled_from(RELATIONS), numbers, numbers, st.integers(-2, 2)), max_size=4), numbers)
def test_no_combination_of_what_is_true_somewhere_contradicts(
    rows: list[tuple[Relation, Fraction, Fraction, int]], x: Fraction
) -> None:
    true = [(premise(r, -a * x + (0 if r == "=" else abs(b)), x=a), factor) for r, a, b, factor in rows]
    assume(all(r != ">" or b for r, _, b, _ in rows))
    assert not contradicts(true)
