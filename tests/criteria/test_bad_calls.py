"""What the criteria refuse, with the whole message."""

from __future__ import annotations

import re

import pytest

from fstheory import JointDistribution, criteria
from fstheory.errors import (
    FSTheoryError,
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)

TWO = JointDistribution([[3, 1], [1, 3]], states={"Y": ["no", "yes"]})
THREE = JointDistribution([[3, 1, 1], [1, 3, 2]], states={"Y": ["a", "b", "c"]})
ONE = JointDistribution([[3], [1]])
NEVER = JointDistribution([[3, 0], [1, 0]])
NAMES = {"c": criteria, "two": TWO, "three": THREE, "one": ONE, "never": NEVER, "J": JointDistribution}

OUTSIDE = "between 0 and 1, both excluded"
COSTS = "a false positive costs c, a false negative 1 - c"
EQUALLY = "pass 1 to weigh both sides equally"
SHAPE = r"nested lists, or a mapping {class: {prediction: loss}}"
WRITE = "write [[0, 1], [1, 0]]"
MERGE = "merge classes, or take a criterion for several, such as loss_matrix"
BINARY = "a float is binary: write the decimal as a string ('0.1') or pass a Fraction"
NUMBERS = "name them by integers, Fractions or strings such as '3/8'"
OCCUR = "drop the class, or take another criterion"

BAD = [
    ("c.cost_sensitive(0)", InvalidValueError, f"cost must be {OUTSIDE}, not 0; {COSTS}"),
    ("c.cost_sensitive(1)", InvalidValueError, f"cost must be {OUTSIDE}, not 1; {COSTS}"),
    ("c.cost_sensitive('-1/2')", InvalidValueError, f"cost must be {OUTSIDE}, not '-1/2'; {COSTS}"),
    ("c.cost_sensitive(0.5)", InvalidTypeError, f"cost must be an exact number, not 0.5; {BINARY}"),
    ("c.f_measure(0)", InvalidValueError, f"beta must be above 0, not 0; {EQUALLY}"),
    ("c.f_measure(-1)", InvalidValueError, f"beta must be above 0, not -1; {EQUALLY}"),
    ("c.f_measure_as_printed('-1/3')", InvalidValueError, f"beta must be above 0, not '-1/3'; {EQUALLY}"),
    ("c.f_measure(1.0)", InvalidTypeError, f"beta must be an exact number, not 1.0; {BINARY}"),
    ("c.logarithmic(1)", InvalidValueError, None),
    ("c.loss_matrix(3)", InvalidTypeError, f"matrix must be {SHAPE}, not 3; {WRITE}"),
    ("c.loss_matrix('01')", InvalidTypeError, f"matrix must be {SHAPE}, not '01'; {WRITE}"),
    ("c.loss_matrix([0, 1])", InvalidTypeError, f"matrix must be {SHAPE}, not 0; {WRITE}"),
    ("c.loss_matrix(['01', '10'])", InvalidTypeError, f"matrix must be {SHAPE}, not '01'; {WRITE}"),
    ("c.loss_matrix({'no': [0, 1]})", InvalidTypeError, f"matrix must be {SHAPE}, not [0, 1]; {WRITE}"),
    (
        "c.loss_matrix([])",
        InvalidValueError,
        "matrix must be at least one row and one column, not []; name the losses",
    ),
    (
        "c.loss_matrix([[], []])",
        InvalidValueError,
        "matrix must be at least one row and one column, not [[], []]; name the losses",
    ),
    (
        "c.loss_matrix({})",
        InvalidValueError,
        "matrix must be at least one row and one column, not {}; name the losses",
    ),
    (
        "c.loss_matrix({'no': {}})",
        InvalidValueError,
        "matrix must be at least one row and one column, not {'no': {}}; name the losses",
    ),
    (
        "c.loss_matrix([[0, 1], [1]])",
        InvalidValueError,
        "matrix[1] must be 2 losses, as many as matrix[0], not 1; name one per prediction",
    ),
    ("c.loss_matrix([[0, 0.5], [1, 0]])", InvalidTypeError, f"matrix[0][1] must be an exact number, not 0.5; {BINARY}"),
    (
        "c.loss_matrix([[0, 'one'], [1, 0]])",
        InvalidFormatError,
        "matrix[0][1] must be an exact number, not 'one'; write it as '3/8' or '0.375'",
    ),
    (
        "c.loss_matrix({'no': {'a': 0, 'b': 1}, 'yes': {'a': 1}})",
        InvalidValueError,
        "matrix['yes'] must be given for the predictions of 'no', ('a', 'b'), not ('a',); name each once",
    ),
    (
        "c.loss_matrix({'no': {'a': 0.5}})",
        InvalidTypeError,
        f"matrix['no']['a'] must be an exact number, not 0.5; {BINARY}",
    ),
    (
        "c.loss_matrix({'no': {'a': 0}}, predictions=['a'])",
        InvalidValueError,
        "predictions must be left out where the matrix names them, not ['a']; drop the argument",
    ),
    (
        "c.loss_matrix([[0, 1]], predictions=['a'])",
        InvalidValueError,
        "predictions must be 2 labels, one per column, not ('a',); add or drop some",
    ),
    (
        "c.loss_matrix([[0, 1]], predictions=['a', 'a'])",
        InvalidValueError,
        "predictions must be distinct labels, not 'a'; name each prediction once",
    ),
    (
        "c.loss_matrix([[0, 1]], predictions='ab')",
        InvalidTypeError,
        "predictions must be a list of labels, not 'ab'; write ['no', 'yes', '?']",
    ),
    ("c.loss_matrix([[0]], name='')", InvalidValueError, "name must be a non-empty string, not ''; name the loss"),
    (
        "c.loss_matrix([[0, 1], [1, 0]]).value(three, ())",
        InvalidValueError,
        "matrix must be made of 3 rows, one per class, not 2; follow ('a', 'b', 'c')",
    ),
    (
        "c.loss_matrix([[0, 1, 1], [1, 0, 1]]).value(two, ())",
        InvalidValueError,
        "matrix has 3 columns and Y has 2 classes; "
        "name what may be predicted with predictions=[..], one label per column",
    ),
    (
        "c.loss_matrix({'no': {'a': 0}}).value(two, ())",
        InvalidValueError,
        "matrix must be given for every class of Y, not ['no']; add a row for 'yes'",
    ),
    (
        "c.loss_matrix({'no': {'a': 0}, 'maybe': {'a': 1}}).table(two)",
        UnknownNameError,
        "class of Y in the loss matrix 'maybe' does not exist; use one of: 'no', 'yes'",
    ),
    (
        "c.cost_sensitive('1/4').value(three, ())",
        InvalidValueError,
        f"the cost-sensitive loss needs two classes, not 3 ('a', 'b', 'c'); {MERGE}",
    ),
    (
        "c.f_measure().table(three)",
        InvalidValueError,
        f"the F-measure needs two classes, not 3 ('a', 'b', 'c'); {MERGE}",
    ),
    ("c.auc().predictor(three, ())", InvalidValueError, f"the AUC needs two classes, not 3 ('a', 'b', 'c'); {MERGE}"),
    ("c.auc().value(one, ())", InvalidValueError, f"the AUC needs two classes, not 1 (0); {MERGE}"),
    (
        "c.cost_sensitive('1/4', positive='maybe').value(two, ())",
        UnknownNameError,
        "positive class 'maybe' does not exist; use one of: 'no', 'yes'",
    ),
    (
        "c.f_measure(positive=1).table(two)",
        UnknownNameError,
        "positive class 1 does not exist; use one of: 'no', 'yes'",
    ),
    (
        "c.balanced().table(never)",
        ZeroProbabilityError,
        f"the balanced loss needs every class it weighs to occur, but Y = 1 has probability 0; {OCCUR}",
    ),
    (
        "c.auc().value(never, ())",
        ZeroProbabilityError,
        f"the AUC needs every class it weighs to occur, but Y = 1 has probability 0; {OCCUR}",
    ),
    (
        "c.f_measure().value(never, ())",
        ZeroProbabilityError,
        f"the F-measure needs every class it weighs to occur, but Y = 1 has probability 0; {OCCUR}",
    ),
    (
        "c.squared_error().value(two, ())",
        InvalidTypeError,
        f"the classes of Y must be exact numbers for squared error, not 'no'; {NUMBERS}",
    ),
    (
        "c.squared_error().table(J([1, 1], states={'Y': [0.5, 1]}))",
        InvalidTypeError,
        f"the classes of Y must be exact numbers for squared error, not 0.5; {NUMBERS}",
    ),
    (
        "c.criterion_value(two, 'accuracy', ())",
        UnknownNameError,
        "criterion 'accuracy' does not exist; use one of: 'zero_one', 'balanced', 'logarithmic', 'squared_error', "
        "'gini', 'f_measure', 'auc'",
    ),
    (
        "c.criterion_values(two, c.zero_one)",
        InvalidTypeError,
        r"criterion must be a criterion or the name of one, not .*; pass 'zero_one' or criteria.zero_one\(\)",
    ),
    (
        "c.criterion_value(two, 'gini', ['X2'])",
        UnknownNameError,
        "feature 'X2' does not exist; use one of: 'X1'",
    ),
    (
        "c.criterion_value([[1]], 'gini', ())",
        InvalidTypeError,
        "d must be a JointDistribution, not [[1]]; make one, or take one of the gallery",
    ),
    (
        "c.criterion_values(two, 'gini', workers=0)",
        InvalidValueError,
        "workers must be at least 1, not 0; pass 1 or more",
    ),
    (
        "c.criterion_values(J([[[1]]], states={}).marginal(()), 'auc')",
        InvalidValueError,
        f"the AUC needs two classes, not 1 (0); {MERGE}",
    ),
    (
        "c.zero_one().predictor(two, {'X1'})({})",
        InvalidValueError,
        "state must be a label for each of ('X1',), not {}; add 'X1'",
    ),
    (
        "c.zero_one().predictor(two, {'X1'})({'X1': 7})",
        UnknownNameError,
        "state (7,) does not exist; use one of: (0,), (1,)",
    ),
    (
        "c.zero_one().predictor(two, {'X1'})(7)",
        InvalidTypeError,
        "state must be a mapping from features to labels, not 7; write {'X1': 0}",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[call for call, _, _ in BAD])
def test_bad_calls(call: str, error: type[FSTheoryError], message: str | None) -> None:
    with pytest.raises(error) as caught:
        eval(call, {}, NAMES)
    if message is None:
        return
    text = str(caught.value)
    assert text == message or re.fullmatch(message, text)


@pytest.mark.parametrize("name", ["zero_one", "balanced", "gini", "auc", "logarithmic", "squared_error", "f_measure"])
def test_a_table_that_would_not_fit_is_refused_before_it_is_made(name: str) -> None:
    weights = [1, 3]
    for _ in range(45):
        weights = [weights]  # type: ignore[list-item]
    with pytest.raises(TooLargeError, match="the table of all subsets must fit"):
        criteria.criterion_values(JointDistribution(weights), name)
