"""What the functions of regression refuse."""

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError
from fstheory.measures import regression
from tests.refusals import refusals

NAMES = {
    "r": regression,
    "d": gallery.xor(),
    "titanic": gallery.titanic(),
    "FLOATS": JointDistribution([1, 1], states={"Y": [0.5, 1.5]}),
    "TRUTH": JointDistribution([1, 1], states={"Y": [False, True]}),
}


test_bad_call = refusals(
    [
        ("r.linear_regression(titanic)", InvalidTypeError, "the states of class", "exact numbers for regression"),
        (
            "r.mean_squared_error(titanic, {'sex'})",
            InvalidTypeError,
            "the states of survived",
            "exact numbers for regression",
        ),
        ("r.numeric_states(FLOATS, 'Y')", InvalidTypeError, "the states of Y", "exact numbers for regression"),
        ("r.numeric_states(TRUTH, 'Y')", InvalidTypeError, "the states of Y", "exact numbers for regression"),
        ("r.numeric_states(d, 'Z')", UnknownNameError, "variable", "does not exist"),
        ("r.means(d, ['Z'])", UnknownNameError, "variable", "does not exist"),
        ("r.covariances(d, 'X1')", InvalidTypeError, "variables", "an iterable of names"),
        (
            "r.linear_regression(d, ['X1'], target='X1')",
            InvalidValueError,
            "target",
            "none of the features that predict it",
        ),
        ("r.linear_regression(d, target='Z')", UnknownNameError, "variable", "does not exist"),
        ("r.linear_regression(d, ['Z'])", UnknownNameError, "feature", "does not exist"),
        ("r.linear_regression(d).predict({'X1': 0})", InvalidValueError, "state", "a value for each of ('X1', 'X2')"),
        ("r.linear_regression(d).predict({'X1': 0, 'X2': 0.5})", InvalidTypeError, "X2", "an exact number"),
        ("r.linear_regression(d).predict([0, 1])", InvalidTypeError, "state", "a mapping from features to numbers"),
        ("r.linear_regression(d, target=['Y'])", UnknownNameError, "variable", "does not exist"),
        ("r.means(d, [['Y']])", UnknownNameError, "variable", "does not exist"),
        ("r.covariances(d, 3)", InvalidTypeError, "variables", "an iterable of names"),
        ("r.means([[1, 2]])", InvalidTypeError, "d", "a JointDistribution"),
    ],
    NAMES,
)
