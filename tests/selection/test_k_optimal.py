"""The k-optimal problem against the literal definition, by the sweep and by branching."""

from fractions import Fraction
from math import comb

from hypothesis import given

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.selection import optimal as of_size
from fstheory.selection.optimal import k_optimal
from tests.selection import literal
from tests.selection.distributions import distributions


@given(d=distributions())
def test_k_optimal_as_defined(d: JointDistribution) -> None:
    """By the way that is taken, and by branching, which so few features would not pay for."""
    table = literal.risks(literal.Literal(d))
    for k in range(len(d.features) + 1):
        of_k = {subset: value for subset, value in table.items() if len(subset) == k}
        best = k_optimal(d, k)
        assert best.value == min(of_k.values())
        assert best.subsets == tuple(subset for subset, value in of_k.items() if value == best.value)
        assert of_size.by_branching(d, k) == best


def test_the_text_names_all_optima() -> None:
    assert str(k_optimal(gallery.copies(3), 1)) == "Of 1 feature, X1, X2, X3: Bayes risk 1/10 = 0.1"
    assert str(k_optimal(gallery.titanic(), 0)) == "Of 0 features, {}: Bayes risk 711/2201 ≈ 0.3230"


def test_every_subset_ties() -> None:
    best = k_optimal(gallery.parity(6), 3)
    assert (best.value, len(best.subsets)) == (Fraction(1, 2), comb(6, 3))
