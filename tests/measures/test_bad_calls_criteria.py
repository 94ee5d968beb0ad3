"""What the criteria refuse."""

import numpy as np
import pytest

from fstheory import JointDistribution
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)
from fstheory.measures import criteria
from tests.refusals import refusals

TWO = JointDistribution([[3, 1], [1, 3]], states={"Y": ["no", "yes"]})
THREE = JointDistribution([[3, 1, 1], [1, 3, 2]], states={"Y": ["a", "b", "c"]})
ONE = JointDistribution([[3], [1]])
NEVER = JointDistribution([[3, 0], [1, 0]])
NAMES = {"c": criteria, "two": TWO, "three": THREE, "one": ONE, "never": NEVER, "J": JointDistribution}

BAD = [
    ("c.cost_sensitive(0)", InvalidValueError, "cost", "strictly between 0 and 1"),
    ("c.cost_sensitive(1)", InvalidValueError, "cost", "strictly between 0 and 1"),
    ("c.cost_sensitive('-1/2')", InvalidValueError, "cost", "strictly between 0 and 1"),
    ("c.cost_sensitive(0.5)", InvalidTypeError, "cost", "an exact number"),
    ("c.f_measure(0)", InvalidValueError, "beta", "above 0"),
    ("c.f_measure(-1)", InvalidValueError, "beta", "above 0"),
    ("c.f_measure_as_printed('-1/3')", InvalidValueError, "beta", "above 0"),
    ("c.f_measure(1.0)", InvalidTypeError, "beta", "an exact number"),
    ("c.logarithmic(1)", InvalidValueError, "base", "above 1"),
    ("c.loss_matrix(3)", InvalidTypeError, "matrix", "nested lists, or a mapping {class: {prediction: loss}}"),
    ("c.loss_matrix('01')", InvalidTypeError, "matrix", "nested lists, or a mapping {class: {prediction: loss}}"),
    ("c.loss_matrix([0, 1])", InvalidTypeError, "matrix", "nested lists, or a mapping {class: {prediction: loss}}"),
    ("c.loss_matrix(['01', '10'])", InvalidTypeError, "matrix", "nested lists, or a mapping {class: {prediction:"),
    ("c.loss_matrix({'no': [0, 1]})", InvalidTypeError, "matrix", "nested lists, or a mapping {class: {prediction:"),
    ("c.loss_matrix([])", InvalidValueError, "matrix", "at least one row and one column"),
    ("c.loss_matrix([[], []])", InvalidValueError, "matrix", "at least one row and one column"),
    ("c.loss_matrix({})", InvalidValueError, "matrix", "at least one row and one column"),
    ("c.loss_matrix({'no': {}})", InvalidValueError, "matrix", "at least one row and one column"),
    ("c.loss_matrix([[0, 1], [1]])", InvalidValueError, "matrix[1]", "given for the columns of matrix[0], (0, 1)"),
    ("c.loss_matrix([[0, 0.5], [1, 0]])", InvalidTypeError, "matrix[0][1]", "an exact number"),
    ("c.loss_matrix([[0, 'one'], [1, 0]])", InvalidFormatError, "matrix[0][1]", "an exact number"),
    ("c.loss_matrix({'no': {'a': 0, 'b': 1}, 'yes': {'a': 1}})", InvalidValueError, "matrix['yes']", "given for the"),
    ("c.loss_matrix({'no': {'a': 0.5}})", InvalidTypeError, "matrix['no']['a']", "an exact number"),
    ("c.loss_matrix({'no': {'a': 0}}, predictions=['a'])", InvalidValueError, "predictions", "left out where the"),
    ("c.loss_matrix([[0, 1]], predictions=['a'])", InvalidValueError, "predictions", "2 labels, one per column"),
    ("c.loss_matrix([[0, 1]], predictions=['a', 'a'])", InvalidValueError, "predictions", "distinct labels"),
    ("c.loss_matrix([[0, 1]], predictions='ab')", InvalidTypeError, "predictions", "a list of labels"),
    ("c.loss_matrix([[0]], name='')", InvalidValueError, "name", "a non-empty string"),
    ("c.loss_matrix([[0, 1], [1, 0]]).value(three, ())", InvalidValueError, "matrix", "made of 3 rows, one per class"),
    ("c.loss_matrix([[0, 1, 1], [1, 0, 1]]).value(two, ())", InvalidValueError, "matrix", "has 3 columns and Y has 2"),
    ("c.loss_matrix({'no': {'a': 0}}).value(two, ())", InvalidValueError, "matrix", "given for every class of Y"),
    (
        "c.loss_matrix({'no': {'a': 0}, 'maybe': {'a': 1}}).table(two)",
        UnknownNameError,
        "class of Y in the loss matrix",
        "does not exist",
    ),
    ("c.cost_sensitive('1/4').value(three, ())", InvalidValueError, "the cost-sensitive loss", "needs two classes"),
    ("c.f_measure().table(three)", InvalidValueError, "the F-measure", "needs two classes"),
    ("c.auc().predictor(three, ())", InvalidValueError, "the AUC", "needs two classes"),
    ("c.auc().value(one, ())", InvalidValueError, "the AUC", "needs two classes"),
    ("c.cost_sensitive('1/4', positive='maybe').value(two, ())", UnknownNameError, "positive class", "does not exist"),
    ("c.f_measure(positive=1).table(two)", UnknownNameError, "positive class", "does not exist"),
    ("c.balanced().table(never)", ZeroProbabilityError, "the balanced loss", "needs every class it weighs to occur"),
    ("c.auc().value(never, ())", ZeroProbabilityError, "the AUC", "needs every class it weighs to occur"),
    ("c.f_measure().value(never, ())", ZeroProbabilityError, "the F-measure", "needs every class it weighs to occur"),
    ("c.squared_error().value(two, ())", InvalidTypeError, "the states of Y", "exact numbers for squared error"),
    (
        "c.squared_error().table(J([1, 1], states={'Y': [0.5, 1]}))",
        InvalidTypeError,
        "the states of Y",
        "exact numbers for squared error",
    ),
    ("c.criterion_value(two, 'accuracy', ())", UnknownNameError, "criterion", "does not exist"),
    ("c.criterion_values(two, c.zero_one)", InvalidTypeError, "criterion", "a criterion or the name of one"),
    ("c.criterion_value(two, 'gini', ['X2'])", UnknownNameError, "feature", "does not exist"),
    ("c.criterion_value([[1]], 'gini', ())", InvalidTypeError, "d", "a JointDistribution"),
    ("c.criterion_values(two, 'gini', workers=0)", InvalidValueError, "workers", "at least 1"),
    ("c.criterion_values(J([[[1]]], states={}).marginal(()), 'auc')", InvalidValueError, "the AUC", "needs two"),
    ("c.zero_one().predictor(two, {'X1'})({})", InvalidValueError, "state", "a label for each of ('X1',)"),
    ("c.zero_one().predictor(two, {'X1'})({'X1': 7})", UnknownNameError, "state", "does not exist"),
    ("c.zero_one().predictor(two, {'X1'})[2,]", UnknownNameError, "state (2,)", "does not exist"),
    ("c.zero_one().predictor(two, {'X1'})({'X1': []})", UnknownNameError, "state ([],)", "does not exist"),
    ("c.zero_one().predictor(two, {'X1'})(7)", InvalidTypeError, "state", "a mapping from features to labels"),
]


test_bad_calls = refusals(BAD, NAMES)


@pytest.mark.parametrize("name", ["zero_one", "balanced", "gini", "auc", "logarithmic", "squared_error", "f_measure"])
def test_a_table_that_would_not_fit_is_refused_before_it_is_made(name: str) -> None:
    d = JointDistribution(np.array([1, 3]).reshape((1,) * 45 + (2,)))
    with pytest.raises(TooLargeError, match="the table of all subsets must fit"):
        criteria.criterion_values(d, name)
