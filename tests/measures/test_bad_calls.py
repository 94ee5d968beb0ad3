"""What risks, criteria, information, regression and the bounds refuse."""

import re
from typing import Any

import numpy as np
import pytest

from fstheory import JointDistribution, measures
from fstheory.distributions import gallery
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)
from fstheory.measures import bounds, criteria, regression
from fstheory.numbers.logsum import log
from tests.refusals import check_message, refusals

NAMES = {
    "b": bounds, "c": criteria, "i": measures, "r": regression, "J": JointDistribution, "log": log, "np": np,
    "d": gallery.xor(),
    "titanic": gallery.titanic(),
    "COPIES": gallery.copies(3),
    "p": JointDistribution([[1, 2], [3, 4]]),
    "q": JointDistribution([[1, 2], [0, 4]]),
    "SIGNS": JointDistribution([[1, 1], [1, 2]], states={"Y": [-3, 2]}),
    "two": JointDistribution([[3, 1], [1, 3]], states={"Y": ["no", "yes"]}),
    "three": JointDistribution([[3, 1, 1], [1, 3, 2]], states={"Y": ["a", "b", "c"]}),
    "one": JointDistribution([[3], [1]]),
    "WIDE": JointDistribution(np.array([1, 3]).reshape((1,) * 45 + (2,))),
    "never": JointDistribution([[3, 0], [1, 0]]),
}  # fmt: skip
ON_NO_DISTRIBUTION = [
    *("entropy(3, ['Y'])", "conditional_entropy(3, ['Y'], [])", "mutual_information(3, [], [])", "info(3, 'H(Y)')"),
    *("conditional_mutual_information(3, [], [])", "information_lost(3, [])"),
    "conditional_entropy_table(3)",
]
SIZED = ("zero_one", "balanced", "gini", "auc", "logarithmic", "squared_error", "f_measure")
REMOVING = [name for name in bounds.BOUNDS if re.match("theorem|correlations|score", name)]

test_bad_call = refusals(
    [
        *((f"i.{call}", InvalidTypeError, "d", "a JointDistribution") for call in ON_NO_DISTRIBUTION),
        # Bounds
        ("b.regression_bound(SIGNS, ['X1'], bound=2)", InvalidValueError, "bound", "at least 3"),
        ("b.correlation_bound(COPIES, ['X1', 'X2'], form='printed')", InvalidValueError, "removed", "uncorrelated"),
        ("b.regression_bound(d, ['X1'], form='sharp', bound=2)", InvalidValueError, "bound", "left out"),
        ("b.correlation_bound(d, ['X1'], absolute=True)", InvalidValueError, "absolute", "False for this form"),
        ("b.linear_bound(d, ['X1'], form='best')", InvalidValueError, "form", "one of corrected"),
        ("b.correlation_bound(COPIES, ['X1'])", InvalidValueError, "removed", "uncorrelated"),
        ("b.least_information('2/3')", InvalidValueError, "excess", "from 0 to 1/2"),
        ("b.least_information(0, classes=0)", InvalidValueError, "classes", "at least 1"),
        ("i.kl_divergence(J([1, 1]), J([1, 0]))", ZeroProbabilityError, "q", "positive wherever p is"),
        ("b.fano_bound(d, 'X1', criterion='auc')", InvalidValueError, "criterion", "the 0-1 loss, a loss of two"),
        ("b.fano_bound(three, (), criterion='balanced')", InvalidValueError, "criterion", "a loss of two classes"),
        (
            "b.hellman_raviv_bound(two, (), criterion=c.loss_matrix([[1, 2], [1, -1]]))",
            InvalidValueError,
            "criterion",
            "a loss of two classes that charges only wrong",
        ),
        ("b.elimination_identity(d, {'X1', 'X2'})", InvalidTypeError, "removed", "a sequence of feature names"),
        # Criteria
        ("c.cost_sensitive(0)", InvalidValueError, "cost", "strictly between 0 and 1"),
        ("c.f_measure(0)", InvalidValueError, "beta", "above 0"),
        ("c.logarithmic(1)", InvalidValueError, "base", "above 1"),
        ("c.loss_matrix('01')", InvalidTypeError, "matrix", "nested lists, or a mapping {class: {prediction: loss}}"),
        ("c.loss_matrix([{0: 1}])", InvalidTypeError, "matrix", "nested lists, or a mapping {class: "),
        ("c.loss_matrix([])", InvalidValueError, "matrix", "at least one row and one column"),
        ("c.loss_matrix([[0, 1], [1]])", InvalidValueError, "matrix[1]", "given for the columns of matrix[0], (0, 1)"),
        ("c.loss_matrix([[0, 0.5], [1, 0]])", InvalidTypeError, "matrix[0][1]", "an exact number"),
        ("c.loss_matrix({'no': {'a': 0, 'b': 1}, 'yes': {'a': 1}})", InvalidValueError, "matrix['yes']", "given for t"),
        ("c.loss_matrix({'no': {'a': 0}}, predictions=['a'])", InvalidValueError, "predictions", "left out where the"),
        ("c.loss_matrix([[0, 1]], predictions=['a'])", InvalidValueError, "predictions", "2 labels, one per column"),
        ("c.loss_matrix([[0]], name='')", InvalidValueError, "name", "a non-empty string"),
        ("c.loss_matrix([[0, 1], [1, 0]]).value(three, ())", InvalidValueError, "matrix", "made of 3 rows, one per cl"),
        ("c.loss_matrix({'maybe': {'a': 1}}).table(two)", UnknownNameError, "class of Y in the loss matrix", "does"),
        ("c.cost_sensitive('1/4').value(three, ())", InvalidValueError, "the cost-sensitive loss", "needs two classes"),
        ("c.f_measure().table(three)", InvalidValueError, "the F-measure", "needs two classes"),
        ("c.auc().value(one, ())", InvalidValueError, "the AUC", "needs two classes"),
        ("c.cost_sensitive('1/4', positive='maybe').value(two, ())", UnknownNameError, "positive class", "does not ex"),
        ("c.balanced().table(never)", ZeroProbabilityError, "the balanced loss", "needs every class it weighs to occu"),
        ("c.f_measure().value(never, ())", ZeroProbabilityError, "the F-measure", "needs every class it weighs to occ"),
        ("c.squared_error().value(two, ())", InvalidTypeError, "the states of Y", "exact numbers for squared error"),
        ("c.criterion_value(two, 'cost_sensitive', [])", InvalidValueError, "criterion", "given with its cost"),
        ("c.criterion_values(two, c.zero_one)", InvalidTypeError, "criterion", "a criterion or the name of one"),
        ("c.zero_one().predictor(two, {'X1'})({})", InvalidValueError, "state", "a label for each of ('X1',)"),
        ("c.zero_one().predictor(two, {'X1'})[2,]", UnknownNameError, "state (2,)", "does not exist"),
        *((f"c.criterion_values(WIDE, '{name}')", TooLargeError, "the table of all subsets", "fit") for name in SIZED),
        # Information
        ("i.entropy(d, ['Z'])", UnknownNameError, "feature", "does not exist"),
        ("i.entropy(d, ['Y'], base=1)", InvalidValueError, "base", "above 1"),
        ("i.total_variation_distance(p, d)", InvalidValueError, "q", "about the variables of p, {'X1': (0, 1), 'Y':"),
        ("i.kl_divergence(p, q)", ZeroProbabilityError, "q", "positive wherever p is"),
        ("i.info(d, '1/0 H(Y)')", InvalidFormatError, "a coefficient in quantity", "above 0"),
        ("i.info(d, 'I(Y X1)')", InvalidFormatError, "quantity", "like 'H(Y | X1)'"),
        ("i.conditional_entropy_table(d, threads=0)", InvalidValueError, "threads", "at least 1"),
        ("i.conditional_entropy_table(WIDE)", TooLargeError, "the table of all subsets", "fit in half"),
        ("i.estimated_information(['a'], [0])", InvalidTypeError, "x", "numbers"),
        ("i.estimated_information([1, 2, 3], [0, 0, 1])", InvalidValueError, "y", "at least 2 points of each class"),
        ("i.estimated_information([1, 2], [0, 0], [1])", InvalidValueError, "given", "of 2 points, as x is"),
        ("i.estimated_information([1, 2], [0, 0], neighbors=0)", InvalidValueError, "neighbors", "at least 1"),
        # Regression
        ("c.mean_squared_error(titanic, {'sex'})", InvalidTypeError, "the states of survived", "exact numbers for squ"),
        ("r.covariances(d, 'X1')", InvalidTypeError, "variables", "an iterable of names"),
        ("r.linear_regression(d, target=['Y'])", UnknownNameError, "variable ['Y']", "does not exist"),
        ("r.linear_regression(d, ['X1'], target='X1')", InvalidValueError, "target", "none of the features that predi"),
        ("r.linear_regression(d).predict({'X1': 0})", InvalidValueError, "state", "a value for each of ('X1', 'X2')"),
        ("r.linear_regression(d).predict({'X1': 0, 'X2': 0.5})", InvalidTypeError, "X2", "an exact number"),
    ],
    NAMES,
)


@pytest.mark.parametrize("name", REMOVING)
def test_removed_features(name: str) -> None:
    """Every function that takes features to remove refuses the same, and where it needs numbers, other labels."""
    function: Any = bounds.BOUNDS[name]
    for d, removed, error, argument, requirement in [
        (gallery.xor(), {"Z"}, UnknownNameError, "feature", "does not exist"),
        (gallery.xor(), "X1X2", UnknownNameError, "removed: feature", "does not exist"),
        (gallery.xor(), ["X1", "X1"], InvalidValueError, "removed", "made of distinct names"),
        (3, (), InvalidTypeError, "d", "a JointDistribution"),
        (gallery.titanic(), {"sex"}, InvalidTypeError, "the states of", "exact numbers for"),
    ][: 5 if re.match("theorem-[12]|correlations", name) else 4]:
        with pytest.raises(error) as caught:
            function(d, removed)
        check_message(caught.value, argument, requirement)
