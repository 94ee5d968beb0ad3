"""What the functions of selection refuse."""

from __future__ import annotations

import pytest

from fstheory import JointDistribution, gallery, selection
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError
from tests.refusals import refusals

NAMES = {"s": selection, "d": gallery.xor(), "J": JointDistribution}


test_bad_call = refusals(
    [
        (
            "s.minimal_optimal(d, 'forward')",
            InvalidValueError,
            "method",
            "one of backward, one-shot, resampling, exhaustive",
        ),
        (
            "s.minimal_optimal(d, 'one-shot', order=['X1', 'X2'])",
            InvalidValueError,
            "order",
            "left out unless the method is 'backward'",
        ),
        ("s.minimal_optimal(d, order=['X1'])", InvalidValueError, "order", "of all features"),
        ("s.minimal_optimal(d, order=['X1', 'X1'])", InvalidValueError, "order", "made of distinct names"),
        ("s.minimal_optimal(d, order={'X1', 'X2'})", InvalidTypeError, "order", "a sequence of feature names"),
        ("s.backward_search(d, order='X1')", InvalidTypeError, "order", "a sequence of feature names"),
        ("s.backward_search(d, order=['X1', 'Y'])", UnknownNameError, "feature", "does not exist"),
        ("s.minimal_optimal([[1, 2]])", InvalidTypeError, "d", "a JointDistribution"),
        ("s.k_optimal(d, 3)", InvalidValueError, "k", "between 0 and 2, the number of features"),
        ("s.k_optimal(d, -1)", InvalidValueError, "k", "at least 0"),
        ("s.k_optimal(d, 1.0)", InvalidTypeError, "k", "an integer"),
        ("s.resampling_probability(d, 'Y')", UnknownNameError, "feature", "does not exist"),
        ("s.conditionally_independent(d, ['X1'], ['X1', 'X2'])", InvalidValueError, "b", "disjoint from a"),
        ("s.conditionally_independent(d, ['X1'], ['X2'], ['X2'])", InvalidValueError, "given", "disjoint from a and b"),
        ("s.conditionally_independent(d, ['X1'], ['Z'])", UnknownNameError, "feature", "does not exist"),
        (
            "s.markov_boundary(J([[[1, 0], [0, 0]], [[0, 0], [0, 1]]]))",
            InvalidValueError,
            "d",
            "a distribution with a single minimal Markov blanket",
        ),
    ],
    NAMES,
)


@pytest.mark.parametrize(
    "function",
    [
        "one_shot",
        "resampling",
        "exhaustive_search",
        "relevance",
        "strongly_relevant",
        "markov_blankets",
        "markov_boundary",
    ],
)
def test_only_distributions_are_taken(function: str) -> None:
    with pytest.raises(InvalidTypeError, match="d must be a JointDistribution"):
        getattr(selection, function)("titanic")
