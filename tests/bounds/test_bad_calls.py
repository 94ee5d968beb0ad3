"""What the functions of bounds refuse, with the whole message."""

from __future__ import annotations

import re

import pytest

from fstheory import JointDistribution, bounds, gallery
from fstheory.errors import (
    FSTheoryError,
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    UnknownNameError,
    ZeroProbabilityError,
)
from fstheory.reals import log

NAMES = {
    "b": bounds,
    "d": gallery.xor(),
    "titanic": gallery.titanic(),
    "SIGNS": JointDistribution([[1, 1], [1, 2]], states={"Y": [-3, 2]}),
    "COPIES": gallery.copies(3),
    "J": JointDistribution,
    "log": log,
}
NO_FEATURE = r"feature 'Z' does not exist; use one of: 'X1', 'X2'"
NO_STRING = r"removed must be an iterable of feature names, not 'X1'; write \{'X1'\}"
NO_NUMBERS = (
    r"every state of '\w+' must be an exact number, not \(.*\); give numeric labels with states= when you make it"
)
REMOVING = [
    name for name in bounds.__all__ if re.match(r"(regression|classification|linear|correlation)_|information_id", name)
]
NUMERIC = [name for name in REMOVING if re.match(r"regression|linear|correlation", name)]


@pytest.mark.parametrize("name", REMOVING)
def test_removed_features(name: str) -> None:
    """Every function that takes features to remove refuses the same."""
    function = getattr(bounds, name)
    for removed, error, message in [
        ({"Z"}, UnknownNameError, NO_FEATURE),
        ("X1", InvalidTypeError, NO_STRING),
        (["X1", "X1"], InvalidValueError, r"removed must be made of distinct names, not 'X1'; name each feature once"),
    ]:
        with pytest.raises(error) as caught:
            function(gallery.xor(), removed)
        assert re.fullmatch(message, str(caught.value)), str(caught.value)
    with pytest.raises(InvalidTypeError, match="d must be a JointDistribution, not 3"):
        function(3, ())


@pytest.mark.parametrize("name", NUMERIC)
def test_states_that_are_no_numbers(name: str) -> None:
    with pytest.raises(InvalidFormatError) as caught:
        getattr(bounds, name)(gallery.titanic(), {"sex"})
    assert re.fullmatch(NO_NUMBERS, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            "b.regression_bound(SIGNS, ['X1'], bound=2)",
            InvalidValueError,
            r"bound must be at least 3, the largest \|Y\|, not 2; raise it, or leave it out",
        ),
        (
            "b.regression_bound_as_printed(SIGNS, ['X1'], bound='5/2')",
            InvalidValueError,
            r"bound must be at least 3, the largest \|Y\|, not '5/2'; raise it, or leave it out",
        ),
        (
            "b.regression_bound(SIGNS, ['X1'], bound=3.5)",
            InvalidTypeError,
            r"bound must be an exact number, not 3\.5; a float is binary: .*",
        ),
        (
            "b.correlation_bound_as_printed(COPIES, ['X1', 'X2'])",
            InvalidValueError,
            r"removed must leave features uncorrelated as the bound requires, but 'X1' and 'X2' have the "
            r"covariance 1/4; use linear_bound, which has no such condition",
        ),
        (
            "b.correlation_bound(COPIES, ['X1'])",
            InvalidValueError,
            r"removed must leave features uncorrelated as the bound requires, but 'X1' and 'X2' have the "
            r"covariance 1/4; use linear_bound, which has no such condition",
        ),
        (
            "b.correlation_identity(COPIES, ['X3'])",
            InvalidValueError,
            r"removed must leave features uncorrelated as the bound requires, but 'X3' and 'X1' have the "
            r"covariance 1/4; use linear_bound, which has no such condition",
        ),
        (
            "b.least_information('2/3')",
            InvalidValueError,
            r"excess must be from 0 to 1/2, not '2/3'; 2 classes allow no other",
        ),
        (
            "b.least_information(-1)",
            InvalidValueError,
            r"excess must be from 0 to 1/2, not -1; 2 classes allow no other",
        ),
        (
            "b.least_information(0, classes=0)",
            InvalidValueError,
            r"classes must be at least 1, not 0; pass 1 or more",
        ),
        (
            "b.least_information(0.25)",
            InvalidTypeError,
            r"excess must be an exact number, not 0\.25; a float is binary: .*",
        ),
        (
            "b.pinsker_bound(J([1, 1]), J([1, 0]))",
            ZeroProbabilityError,
            r"q must be positive wherever p is, not \{'Y': 1\}; q is 0 there, the divergence infinite",
        ),
        (
            "b.pinsker_bound(J([1, 1]), 3)",
            InvalidTypeError,
            r"q must be a JointDistribution, not 3; make one, or take one of the gallery",
        ),
        ("b.fano_bound(d, ['Z'])", UnknownNameError, NO_FEATURE),
        ("b.hellman_raviv_bound(d, ['Z'])", UnknownNameError, NO_FEATURE),
        (
            "b.elimination_identity(d, {'X1', 'X2'})",
            InvalidTypeError,
            r"order must be a sequence of feature names, not \{.*\}; a set has no order: pass a list",
        ),
        (
            "b.elimination_identity(d, 'X1')",
            InvalidTypeError,
            r"order must be an iterable of names, not 'X1'; write \['X1'\]",
        ),
        ("b.elimination_identity(d, ['Z'])", UnknownNameError, NO_FEATURE),
        (
            "b.elimination_identity(d, ['X1', 'X1'])",
            InvalidValueError,
            r"removed must be made of distinct names, not 'X1'; name each feature once",
        ),
        (
            "b.chain_rule(d, 'Y', [], [])",
            InvalidTypeError,
            r"a must be an iterable of names, not 'Y'; write \['Y'\]",
        ),
        (
            "b.chain_rule(d, ['Y'], ['Z'], [])",
            UnknownNameError,
            r"feature 'Z' does not exist; use one of: 'X1', 'X2', 'Y'",
        ),
        (
            "b.ShiftedRoot(0, -log(2))",
            InvalidValueError,
            r"radicand must be at least 0, not .*; a real number is needed",
        ),
        (
            "b.ShiftedRoot(0.5, log(2))",
            InvalidTypeError,
            r"shift must be an exact number, not 0\.5; a float is binary: .*",
        ),
        (
            "b.ShiftedRoot(0, log(2)) < 0.5",
            InvalidTypeError,
            r"the other number must be exact, not 0\.5; "
            r"write the float as a Fraction, or the exact number as float\(..\)",
        ),
    ],
)
def test_bad_call(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error) as caught:
        eval(call, dict(NAMES))
    assert re.fullmatch(message, str(caught.value)), str(caught.value)
