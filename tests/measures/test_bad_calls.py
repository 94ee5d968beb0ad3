"""What the functions of bounds refuse."""

import re

import pytest

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    UnknownNameError,
    ZeroProbabilityError,
)
from fstheory.measures import bounds
from fstheory.numbers.logsum import log
from tests.refusals import check_message, refusals

NAMES = {
    "b": bounds,
    "d": gallery.xor(),
    "titanic": gallery.titanic(),
    "SIGNS": JointDistribution([[1, 1], [1, 2]], states={"Y": [-3, 2]}),
    "COPIES": gallery.copies(3),
    "J": JointDistribution,
    "log": log,
}
REMOVING = [
    name for name in bounds.__all__ if re.match(r"(regression|classification|linear|correlation)_|information_id", name)
]
NUMERIC = [name for name in REMOVING if re.match(r"regression|linear|correlation", name)]


@pytest.mark.parametrize("name", REMOVING)
def test_removed_features(name: str) -> None:
    """Every function that takes features to remove refuses the same."""
    function = getattr(bounds, name)
    for removed, error, argument, requirement in [
        ({"Z"}, UnknownNameError, "feature", "does not exist"),
        ("X1X2", UnknownNameError, "removed: feature", "does not exist"),
        (["X1", "X1"], InvalidValueError, "removed", "made of distinct names"),
    ]:
        with pytest.raises(error) as caught:
            function(gallery.xor(), removed)
        check_message(caught.value, argument, requirement)
    with pytest.raises(InvalidTypeError, match="d must be a JointDistribution, not 3"):
        function(3, ())


@pytest.mark.parametrize("name", NUMERIC)
def test_states_that_are_no_numbers(name: str) -> None:
    with pytest.raises(InvalidTypeError) as caught:
        getattr(bounds, name)(gallery.titanic(), {"sex"})
    check_message(caught.value, "the states of", "exact numbers for regression")


test_bad_call = refusals(
    [
        ("b.regression_bound(SIGNS, ['X1'], bound=2)", InvalidValueError, "bound", "at least 3"),
        ("b.regression_bound_as_printed(SIGNS, ['X1'], bound='5/2')", InvalidValueError, "bound", "at least 3"),
        ("b.regression_bound(SIGNS, ['X1'], bound=3.5)", InvalidTypeError, "bound", "an exact number"),
        ("b.correlation_bound_as_printed(COPIES, ['X1', 'X2'])", InvalidValueError, "removed", "uncorrelated"),
        ("b.correlation_bound(COPIES, ['X1'])", InvalidValueError, "removed", "uncorrelated"),
        ("b.correlation_identity(COPIES, ['X3'])", InvalidValueError, "removed", "uncorrelated"),
        ("b.least_information('2/3')", InvalidValueError, "excess", "from 0 to 1/2"),
        ("b.least_information(-1)", InvalidValueError, "excess", "from 0 to 1/2"),
        ("b.least_information(0, classes=0)", InvalidValueError, "classes", "at least 1"),
        ("b.least_information(0.25)", InvalidTypeError, "excess", "an exact number"),
        ("b.pinsker_bound(J([1, 1]), J([1, 0]))", ZeroProbabilityError, "q", "positive wherever p is"),
        ("b.pinsker_bound(J([1, 1]), 3)", InvalidTypeError, "q", "a JointDistribution"),
        ("b.fano_bound(d, ['Z'])", UnknownNameError, "feature", "does not exist"),
        ("b.hellman_raviv_bound(d, ['Z'])", UnknownNameError, "feature", "does not exist"),
        ("b.elimination_identity(d, {'X1', 'X2'})", InvalidTypeError, "order", "a sequence of feature names"),
        ("b.elimination_identity(d, 'X1')", InvalidTypeError, "order", "an iterable of names"),
        ("b.elimination_identity(d, ['Z'])", UnknownNameError, "feature", "does not exist"),
        ("b.elimination_identity(d, ['X1', 'X1'])", InvalidValueError, "removed", "made of distinct names"),
        ("b.chain_rule(d, 'Y', [], [])", InvalidTypeError, "a", "an iterable of names"),
        ("b.chain_rule(d, ['Y'], ['Z'], [])", UnknownNameError, "feature", "does not exist"),
        ("b.ShiftedRoot(0, -log(2))", InvalidValueError, "radicand", "at least 0"),
        ("b.ShiftedRoot(0.5, log(2))", InvalidTypeError, "shift", "an exact number"),
        ("b.ShiftedRoot(0, log(2)) < 0.5", InvalidTypeError, "an exact number", "cannot be combined or compared with"),
    ],
    NAMES,
)
