"""One subset better than all others of its size by a factor, judged by the literal definition."""

from fractions import Fraction
from typing import Any

import pytest

from fstheory.selection.adversary import adversarial_favoring
from tests.literal import subsets
from tests.selection.literal_adversary import cells, meets_assumptions, risk


@pytest.mark.parametrize("factor", ["1.01", 2, Fraction(17, 3), 10**30])
@pytest.mark.parametrize(
    ("sizes", "alpha"), [((2, 2), "3/4"), ((2, 3, 2), "1000001/2000000"), ((2, 3, 2), None), ((3, 2, 2, 2), None)]
)
def test_every_subset_can_be_favored(factor: str | int | Fraction, sizes: tuple[int, ...], alpha: str | None) -> None:
    names = "abcd"[: len(sizes)]
    options: dict[str, Any] = {"features": list(names), "cardinalities": sizes, "classes": 3, "target": "t"}
    for favored in subsets(names)[1:-1]:
        d = adversarial_favoring(favored, factor=factor, alpha=alpha, **options)
        risks = {subset: risk(d, subset) for subset in subsets(names)}
        assert risks[favored] > 0
        assert len(set(risks.values())) == len(risks)
        for subset in risks.keys() - {favored}:
            larger = risks[subset] >= Fraction(factor) * risks[favored]
            assert risks[subset] < risks[favored] if subset > favored else larger
        assert meets_assumptions(d)
        assert d.target == "t"
        assert alpha is None or Fraction(cells(d)[(0,) * len(sizes)][0], d.total) == Fraction(alpha)


def test_six_features() -> None:
    favored = frozenset(("X2", "X5", "X6"))
    d = adversarial_favoring(favored, factor=1000, features=6)
    others = [risk(d, s) for s in subsets(d.features) if len(s) == 3 and s != favored]
    assert (len(others), min(others) >= 1000 * risk(d, favored)) == (19, True)


def test_weights_grow_with_the_factor_and_not_faster() -> None:
    """The masses that the factor asks for are those of the |S| subsets without one feature of S."""
    small, large = (adversarial_favoring(["X1", "X2"], factor=f, features=4).total for f in (10**6, 10**9))
    assert large < 1001 * small
    assert large < 2 * 2 * 10**9 * 16
