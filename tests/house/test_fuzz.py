"""Public numbers are compared with literal definitions, on distributions that are drawn anew at every thorough run."""

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import pytest

from fstheory.numbers import log
from tests import fuzz

COMPARISONS = 12_000


@pytest.mark.thorough
def test_numbers_are_those_of_the_definitions(pytestconfig: pytest.Config) -> None:
    counted, numbers = Counter[str](), itertools.count()
    while counted.total() < COMPARISONS:
        more, wrong = fuzz.compare(pytestconfig.option.seed, next(numbers))
        assert wrong == []
        counted += more


@pytest.mark.parametrize("wanted", [Fraction(1, 2), {2: Fraction(1)}, mpmath.mpf("0.1")])
def test_a_number_that_differs_is_told_with_its_seed(wanted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(w: fuzz.World) -> Iterator[tuple[str, Any, Any]]:
        yield "one, of two", log(3) if isinstance(wanted, dict) else Fraction(1, 3), wanted

    monkeypatch.setattr(fuzz, "CHECKS", [check])
    counted, wrong = fuzz.compare(5, 7)
    assert counted == {"one": 1}
    assert len(wrong) == 1
    with pytest.raises(SystemExit, match=r"^seed 5, distribution 7, JointDistribution.*: one, of two is .*, not "):
        fuzz.main(5, 0, 7)
