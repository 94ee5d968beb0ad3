"""One subset better than all others of its size by a factor, judged by the literal definition."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fstheory.adversary import adversarial_favoring
from tests.adversary.literal import meets_assumptions, risk
from tests.literal import subsets


@pytest.mark.parametrize("factor", ["1.01", 2, Fraction(17, 3), 10**30])
@pytest.mark.parametrize("sizes", [(2, 2), (2, 3, 2), (3, 2, 2, 2)])
def test_every_subset_can_be_favored(factor: str | int | Fraction, sizes: tuple[int, ...]) -> None:
    names = tuple(f"X{i + 1}" for i in range(len(sizes)))
    for favored in subsets(names)[1:-1]:
        d = adversarial_favoring(favored, factor=factor, features=len(sizes), cardinalities=sizes, classes=3)
        risks = {subset: risk(d, subset) for subset in subsets(names)}
        assert risks[favored] > 0
        assert len(set(risks.values())) == len(risks)
        for subset, value in risks.items():
            if subset > favored:
                assert value < risks[favored]
            elif subset != favored:
                assert value >= Fraction(factor) * risks[favored]
        assert meets_assumptions(d)


@pytest.mark.parametrize("alpha", ["3/4", "1000001/2000000"])
def test_alpha_is_met(alpha: str) -> None:
    d = adversarial_favoring(["b"], factor=50, features=["a", "b", "c"], alpha=alpha, target="t")
    assert Fraction(int(d.weights[0, 0, 0, 0]), d.total) == Fraction(alpha)
    assert risk(d, frozenset("b")) * 50 <= min(risk(d, frozenset("a")), risk(d, frozenset("c")))
    assert d.target == "t"


def test_six_features() -> None:
    d = adversarial_favoring(["X2", "X5", "X6"], factor=1000, features=6)
    favored = frozenset(("X2", "X5", "X6"))
    others = [risk(d, s) for s in subsets(d.features) if len(s) == 3 and s != favored]
    assert len(others) == 19
    assert min(others) >= 1000 * risk(d, favored)


def test_weights_grow_with_the_factor_and_not_faster() -> None:
    """The masses that the factor asks for are those of the |S| subsets without one feature of S."""
    small, large = (adversarial_favoring(["X1", "X2"], factor=f, features=4).total for f in (10**6, 10**9))
    assert large < 1001 * small
    assert large < 2 * 2 * 10**9 * 16
