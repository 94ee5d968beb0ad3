"""What the functions of selection refuse, with the whole message."""

from __future__ import annotations

import re

import pytest

from fstheory import JointDistribution, gallery, selection
from fstheory.errors import FSTheoryError, InvalidTypeError, InvalidValueError, UnknownNameError

NAMES = {"s": selection, "d": gallery.xor(), "J": JointDistribution}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            "s.minimal_optimal(d, 'forward')",
            InvalidValueError,
            r"method must be one of backward, one-shot, resampling, exhaustive, not 'forward'; correct it",
        ),
        (
            "s.minimal_optimal(d, 'one-shot', order=['X1', 'X2'])",
            InvalidValueError,
            r"order must be left out unless the method is 'backward', not \['X1', 'X2'\]; "
            r"the method 'one-shot' has no order",
        ),
        (
            "s.minimal_optimal(d, order=['X1'])",
            InvalidValueError,
            r"order must be of all features, not \('X1',\); add X2",
        ),
        (
            "s.minimal_optimal(d, order=['X1', 'X1'])",
            InvalidValueError,
            r"order must be made of distinct names, not 'X1'; name each feature once",
        ),
        (
            "s.minimal_optimal(d, order={'X1', 'X2'})",
            InvalidTypeError,
            r"order must be a sequence of feature names, not .*; a set has no order: pass a list",
        ),
        (
            "s.backward_search(d, order='X1')",
            InvalidTypeError,
            r"order must be an iterable of feature names, not 'X1'; write \{'X1'\}",
        ),
        (
            "s.backward_search(d, order=['X1', 'Y'])",
            UnknownNameError,
            r"feature 'Y' does not exist; use one of: 'X1', 'X2'",
        ),
        (
            "s.minimal_optimal([[1, 2]])",
            InvalidTypeError,
            r"d must be a JointDistribution, not \[\[1, 2\]\]; make one, or take one of the gallery",
        ),
        (
            "s.k_optimal(d, 3)",
            InvalidValueError,
            r"k must be between 0 and 2, the number of features, not 3; pass a smaller k",
        ),
        ("s.k_optimal(d, -1)", InvalidValueError, r"k must be at least 0, not -1; pass 0 or more"),
        ("s.k_optimal(d, 1.0)", InvalidTypeError, r"k must be an integer, not 1\.0; pass a whole number"),
        (
            "s.resampling_probability(d, 'Y')",
            UnknownNameError,
            r"feature 'Y' does not exist; use one of: 'X1', 'X2'",
        ),
        (
            "s.conditionally_independent(d, 'X1', ['X2'])",
            InvalidTypeError,
            r"a must be an iterable of feature names, not 'X1'; write \{'X1'\}",
        ),
        (
            "s.conditionally_independent(d, ['X1'], ['X1', 'X2'])",
            InvalidValueError,
            r"b must be disjoint from a, not 'X1'; name each variable once",
        ),
        (
            "s.conditionally_independent(d, ['X1'], ['X2'], ['X2'])",
            InvalidValueError,
            r"given must be disjoint from a and b, not 'X2'; name each variable once",
        ),
        (
            "s.conditionally_independent(d, ['X1'], ['Z'])",
            UnknownNameError,
            r"feature 'Z' does not exist; use one of: 'X1', 'X2', 'Y'",
        ),
        (
            "s.markov_boundary(J([[[1, 0], [0, 0]], [[0, 0], [0, 1]]]))",
            InvalidValueError,
            r"d must be a distribution with a single minimal Markov blanket, not JointDistribution\(.*\); "
            r"it has X1, X2: use markov_blankets",
        ),
    ],
)
def test_bad_call(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error) as caught:
        eval(call, NAMES)
    assert type(caught.value) is error
    assert re.fullmatch(message, str(caught.value)), str(caught.value)


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
