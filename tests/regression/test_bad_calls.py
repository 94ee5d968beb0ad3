"""What the functions of regression refuse, with the whole message."""

from __future__ import annotations

import re

import pytest

from fstheory import JointDistribution, gallery, regression
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidTypeError, InvalidValueError, UnknownNameError

NAMES = {
    "r": regression,
    "d": gallery.xor(),
    "titanic": gallery.titanic(),
    "FLOATS": JointDistribution([1, 1], states={"Y": [0.5, 1.5]}),
    "TRUTH": JointDistribution([1, 1], states={"Y": [False, True]}),
}
REPAIR = r"give numeric labels with states= when you make it"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            "r.linear_regression(titanic)",
            InvalidFormatError,
            rf"every state of 'class' must be an exact number, not \('1st', .*\); {REPAIR}",
        ),
        (
            "r.mean_squared_error(titanic, {'sex'})",
            InvalidFormatError,
            rf"every state of 'survived' must be an exact number, not \('no', 'yes'\); {REPAIR}",
        ),
        (
            "r.numeric_states(FLOATS, 'Y')",
            InvalidTypeError,
            rf"every state of 'Y' must be an exact number, not \(0\.5, 1\.5\); {REPAIR}",
        ),
        (
            "r.numeric_states(TRUTH, 'Y')",
            InvalidTypeError,
            rf"every state of 'Y' must be an exact number, not \(False, True\); {REPAIR}",
        ),
        ("r.numeric_states(d, 'Z')", UnknownNameError, r"variable 'Z' does not exist; use one of: 'X1', 'X2', 'Y'"),
        ("r.means(d, ['Z'])", UnknownNameError, r"variable 'Z' does not exist; use one of: 'X1', 'X2', 'Y'"),
        (
            "r.covariances(d, 'X1')",
            InvalidTypeError,
            r"variables must be a sequence of names, not 'X1'; write \['X1'\]",
        ),
        (
            "r.linear_regression(d, ['X1'], target='X1')",
            InvalidValueError,
            r"target must be none of the features that predict it, not 'X1'; leave it out of them",
        ),
        (
            "r.linear_regression(d, target='Z')",
            UnknownNameError,
            r"variable 'Z' does not exist; use one of: 'X1', 'X2', 'Y'",
        ),
        (
            "r.linear_regression(d, ['Z'])",
            UnknownNameError,
            r"feature 'Z' does not exist; use one of: 'X1', 'X2'",
        ),
        (
            "r.linear_regression(d).predict({'X1': 0})",
            InvalidValueError,
            r"state must be a value for each of \('X1', 'X2'\), not \{'X1': 0\}; add 'X2'",
        ),
        (
            "r.linear_regression(d).predict({'X1': 0, 'X2': 0.5})",
            InvalidTypeError,
            r"X2 must be an exact number, not 0\.5; .*",
        ),
        (
            "r.linear_regression(d).predict([0, 1])",
            InvalidTypeError,
            r"state must be a mapping from features to numbers, not \[0, 1\]; write \{'X1': 0\}",
        ),
        (
            "r.linear_regression(d, target=['Y'])",
            UnknownNameError,
            r"variable \['Y'\] does not exist; use one of: 'X1', 'X2', 'Y'",
        ),
        (
            "r.means(d, [['Y']])",
            UnknownNameError,
            r"variable \['Y'\] does not exist; use one of: 'X1', 'X2', 'Y'",
        ),
        (
            "r.covariances(d, 3)",
            InvalidTypeError,
            r"variables must be a sequence of names, not 3; pass a list of names such as \['Y'\]",
        ),
        (
            "r.means([[1, 2]])",
            InvalidTypeError,
            r"d must be a JointDistribution, not \[\[1, 2\]\]; make one, or take one of the gallery",
        ),
    ],
)
def test_bad_call(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error) as caught:
        eval(call, dict(NAMES))
    assert re.fullmatch(message, str(caught.value)), str(caught.value)
