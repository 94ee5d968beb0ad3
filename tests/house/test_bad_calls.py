"""A table of bad calls: what each raises, and the whole message.

A message names the argument, what it must be, what it was, and the repair. A new refusal in the package
is a new row here. The call is text, evaluated with the names of `NAMES`; ``tmp`` is an empty folder.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import fstheory
from fstheory import _exact as _rational
from fstheory import subsets
from fstheory.errors import (
    FSTheoryError,
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)

NAMES = {
    "D": fstheory.JointDistribution([[1, 2], [3, 4]]),
    "Decimal": Decimal,
    "Fraction": Fraction,
    "Path": Path,
    "fs": fstheory,
    "np": np,
    "pd": pd,
    "RISKS": fstheory.bayes_risks(fstheory.JointDistribution([[1, 2], [3, 4]])),
    "rational": _rational,
    "subsets": subsets,
}


class BadCall(NamedTuple):
    """One row: the call, the exception, a pattern that the whole message matches."""

    call: str
    error: type[FSTheoryError]
    message: str


ABC = "('A', 'B', 'C')"

RATIONAL = [
    BadCall(
        "rational.as_fraction(0.1, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not 0\.1; "
        r"a float is binary: write the decimal as a string \('0\.1'\) or pass a Fraction",
    ),
    BadCall(
        "rational.as_fraction(np.float64(0.5), 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not .*0\.5\)?; a float64 is binary: .*",
    ),
    BadCall(
        "rational.as_fraction(True, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not True; pass 0 or 1 if a number is meant",
    ),
    BadCall(
        "rational.as_fraction(np.True_, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not .*True_?\)?; pass 0 or 1 if a number is meant",
    ),
    BadCall(
        "rational.as_fraction(None, 'alpha')",
        InvalidTypeError,
        r"alpha must be an exact number, not None; pass an int, a Fraction, a Decimal or a string such as '3/8'",
    ),
    BadCall(
        "rational.as_fraction(Decimal('NaN'), 'alpha')",
        InvalidValueError,
        r"alpha must be a finite number, not Decimal\('NaN'\); replace it",
    ),
    BadCall(
        "rational.as_fraction('a half', 'alpha')",
        InvalidFormatError,
        r"alpha must be an exact number, not 'a half'; write it as '3/8' or '0\.375'",
    ),
    BadCall(
        "rational.as_fraction('1/0', 'alpha')",
        InvalidFormatError,
        r"alpha must be a number with a denominator above 0, not '1/0'; correct it",
    ),
    BadCall("rational.as_index(2.0, 'k')", InvalidTypeError, r"k must be an integer, not 2\.0; pass a whole number"),
    BadCall("rational.as_index(-1, 'k')", InvalidValueError, r"k must be at least 0, not -1; pass 0 or more"),
]

SUBSETS = [
    BadCall(
        f"subsets.mask_of('AB', {ABC})",
        InvalidTypeError,
        r"subset must be an iterable of feature names, not 'AB'; write \{'AB'\}",
    ),
    BadCall(
        f"subsets.mask_of(3, {ABC})",
        InvalidTypeError,
        r"subset must be an iterable of feature names, not 3; pass a set of names such as \{'X1'\}",
    ),
    BadCall(
        f"subsets.mask_of(['A', 'D'], {ABC})",
        UnknownNameError,
        r"feature 'D' does not exist; use one of: 'A', 'B', 'C'",
    ),
    BadCall(
        f"subsets.mask_of(['A', 'A'], {ABC})",
        InvalidValueError,
        r"subset must be made of distinct names, not 'A'; name each feature once",
    ),
    BadCall(
        f"subsets.parse_subset('A,D', {ABC})",
        InvalidFormatError,
        r"subset must be made of distinct names among A, B, C, not 'A,D'; write \{A, B\} or, for X1\.\., X1X3",
    ),
]

DISTRIBUTION = [
    BadCall(
        "fs.JointDistribution([0.5, 0.5])",
        InvalidTypeError,
        r"weights\[0\] must be an exact number, not 0\.5; a float is binary: write the decimal as a "
        r"string \('0\.1'\) or pass a Fraction",
    ),
    BadCall(
        "fs.JointDistribution(np.array([0.5, 0.5]))",
        InvalidTypeError,
        r"weights must be exact numbers, not dtype\('float64'\); pass integer counts, or Fractions or "
        r"strings such as '1/10' in a list",
    ),
    BadCall(
        "fs.JointDistribution([True, False])",
        InvalidTypeError,
        r"weights\[0\] must be an exact number, not True; pass 0 or 1 if a number is meant",
    ),
    BadCall(
        "fs.JointDistribution(3)",
        InvalidTypeError,
        r"weights must be a table with the class as its last axis, not 3; pass a list, as in \[3, 5\]",
    ),
    BadCall(
        "fs.JointDistribution([[3, 1], [-1, 2]])",
        InvalidValueError,
        r"weights\[1\]\[0\] must be at least 0, not -1; a weight is a count or a mass",
    ),
    BadCall(
        "fs.JointDistribution(['1/2', '-1/2'])",
        InvalidValueError,
        r"weights\[1\] must be at least 0, not '-1/2'; a weight is a count or a mass",
    ),
    BadCall(
        "fs.JointDistribution([[0, 0], [0, 0]])",
        InvalidValueError,
        r"the largest weight must be above 0, not 0; a distribution needs a total above 0",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2], [3]])",
        InvalidValueError,
        r"weights must be a full table of shape \(2, 2\), not \[3\]; the table is ragged: fill its rows",
    ),
    BadCall(
        "fs.JointDistribution([[], []])",
        InvalidValueError,
        r"weights must be an array with no empty axis, not \(2, 0\); give every variable a state",
    ),
    BadCall(
        "fs.JointDistribution(np.ma.masked_array([1, 2], mask=[False, True]))",
        InvalidValueError,
        r"weights must be a table without masked entries, not '1 masked'; fill them",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2]], features='sex')",
        InvalidTypeError,
        r"features must be an iterable of names, not 'sex'; write \['sex'\]",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2]], features={'sex'})",
        InvalidTypeError,
        r"features must be names in order, not \{'sex'\}; pass a list of strings",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2]], features=['sex', 'age'])",
        InvalidValueError,
        r"features must be 1 names, one for each feature axis, not \('sex', 'age'\); the last axis is "
        r"the class",
    ),
    BadCall(
        "fs.JointDistribution([[[1, 2]]], features=['sex', 'sex'])",
        InvalidValueError,
        r"features must be distinct names, not 'sex'; rename one of them",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2]], features=['sex'], target='sex')",
        InvalidValueError,
        r"target must be a name that is not among the features, not 'sex'; pass target= or rename the "
        r"feature",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2]], features=[' '])",
        InvalidValueError,
        r"features must be named by non-empty strings, not ' '; name them",
    ),
    BadCall(
        "fs.JointDistribution([[1, 2]], target=0)",
        InvalidTypeError,
        r"target must be named by strings, not 0; use a string",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states={'Y': {'no'}})",
        InvalidTypeError,
        r"states\['Y'\] must be a list of labels, not \{'no'\}; write \['no', 'yes'\]",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states={'Y': ['no']})",
        InvalidValueError,
        r"states\['Y'\] must be 2 labels, one for each weight on its axis, not \('no',\); add or drop "
        r"some",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states={'Y': [1, True]})",
        InvalidValueError,
        r"states\['Y'\] must be distinct labels, not True; name each state once",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states={'Y': [0, None]})",
        InvalidValueError,
        r"states\['Y'\] must be a label, not None; drop the rows with missing values or give them a "
        r"label of their own",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states={'Z': [0, 1]})",
        UnknownNameError,
        r"variable in states 'Z' does not exist; use one of: 'Y'",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states=[0, 1])",
        InvalidTypeError,
        r"states must be a mapping from names to labels, not \[0, 1\]; write \{'Y': \['no', 'yes'\]\}",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf({(0,): '1/2', (1,): '49/100'})",
        InvalidValueError,
        r"the probabilities of pmf must sum to exactly 1, not 99/100; correct them or pass normalize=True",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf({(0,): '3/2', (1,): '-1/2'})",
        InvalidValueError,
        r"pmf\[\(1,\)\] must be at least 0, not '-1/2'; a probability is not negative",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf({(0,): 0.5, (1,): 0.5})",
        InvalidTypeError,
        r"pmf\[\(0,\)\] must be an exact number, not 0\.5; a float is binary: write the decimal as a "
        r"string \('0\.1'\) or pass a Fraction",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf({0: 1})",
        InvalidTypeError,
        r"a key must be a tuple of states, one for each variable, not 0; write \(0,\) or add the others",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf({(0, 0): 1, (1,): 0})",
        InvalidValueError,
        r"every key of pmf must be a tuple \(x1, \.\., xn, y\) of length 2, not \(1,\); complete it",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf({})",
        InvalidValueError,
        r"the probabilities of pmf must sum to exactly 1, not 0; correct them or pass normalize=True",
    ),
    BadCall(
        "fs.JointDistribution.from_pmf([1])",
        InvalidTypeError,
        r"pmf must be a mapping from states to their probability, not \[1\]; pass a dict",
    ),
    BadCall(
        "fs.JointDistribution.from_counts({(0,): 1.0})",
        InvalidTypeError,
        r"counts\[\(0,\)\] must be an integer, not 1\.0; pass a whole number",
    ),
    BadCall(
        "fs.JointDistribution.from_counts({(0,): -1})",
        InvalidValueError,
        r"counts\[\(0,\)\] must be at least 0, not -1; pass 0 or more",
    ),
    BadCall(
        "fs.JointDistribution.from_counts({(0,) * 61: 1, (1,) * 61: 1})",
        TooLargeError,
        r"the table of all cells must fit in half of this machine's memory \(\d+ [GMT]iB\), not need 32 "
        r"EiB for 2305843009213693952 cells; use fewer features or coarser states",
    ),
    BadCall(
        "fs.JointDistribution.from_samples([])",
        InvalidValueError,
        r"rows must be at least one row, not \[\]; an empirical distribution needs samples",
    ),
    BadCall(
        "fs.JointDistribution.from_samples([(0, 1), (1,)])",
        InvalidValueError,
        r"rows\[1\] must be of length 2 like the first row, not \(1,\); the table is ragged",
    ),
    BadCall(
        "fs.JointDistribution.from_samples([(0, 1), (None, 1)])",
        InvalidValueError,
        r"rows\[1\]\[0\] must be a label, not None; the value is missing: drop or label it",
    ),
    BadCall(
        "fs.JointDistribution.from_samples([{'a': 0, 'y': 1}])",
        InvalidTypeError,
        r"rows\[0\] must be a sequence \(x1, \.\., xn, y\), not \{'a': 0, 'y': 1\}; pass a tuple",
    ),
    BadCall(
        "fs.JointDistribution.from_samples(pd.DataFrame({'a': [0, 1], 'y': [0, 1]}))",
        InvalidValueError,
        r"target must be the name of a column, not left out; pass one of \['a', 'y'\]",
    ),
    BadCall(
        "fs.JointDistribution.from_samples(pd.DataFrame({'a': [0, 1], 'y': [0, 1]}), target='z')",
        UnknownNameError,
        r"column 'z' does not exist; use one of: 'a', 'y'",
    ),
    BadCall(
        "fs.JointDistribution.from_samples(pd.DataFrame({'a': [0, None], 'y': [0, 1]}), target='y')",
        InvalidValueError,
        r"column 'a' must have no missing values, not 1 \(first in row 1\); drop those rows or label them",
    ),
    BadCall(
        "fs.JointDistribution.from_samples(pd.DataFrame([[0, 1]], columns=['a', 'a']), target='a')",
        InvalidValueError,
        r"columns must be distinct names, not 'a'; rename one of them",
    ),
    BadCall(
        "fs.JointDistribution.from_conditional({(0,): 1}, {})",
        InvalidValueError,
        r"conditional must be given for every x with p\(x\) > 0, not \(0,\); add p\(y\|x\) for this x",
    ),
    BadCall(
        "fs.JointDistribution.from_conditional({(0,): 1}, {(0,): {0: '1/2'}})",
        InvalidValueError,
        r"the probabilities of conditional\[\(0,\)\] must sum to exactly 1, not 1/2; correct them",
    ),
    BadCall(
        "fs.JointDistribution.from_conditional({(0,): 1}, {(0,): 1})",
        InvalidTypeError,
        r"conditional\[\(0,\)\] must be a mapping from states to their probability, not 1; pass a dict",
    ),
    BadCall(
        "fs.JointDistribution.from_json('{')",
        InvalidFormatError,
        r"text must be JSON \(Expecting property name enclosed in double quotes: line 1 column 2 \(char "
        r"1\)\), not '\{'; pass what to_json\(\) wrote",
    ),
    BadCall(
        'fs.JointDistribution.from_json(\'{"schema": "other"}\')',
        InvalidFormatError,
        r"schema must be 'fstheory/joint-distribution', not 'other'; pass a distribution's JSON",
    ),
    BadCall(
        "fs.JointDistribution.from_json(D.to_json().replace('\"version\": 1', '\"version\": 2'))",
        InvalidFormatError,
        r"version must be 1, the version this fstheory reads, not 2; upgrade fstheory",
    ),
    BadCall(
        "fs.JointDistribution.from_json(D.to_json().replace('\"1/10\"', '0.1'))",
        InvalidFormatError,
        r"a number must be an integer or an exact 'p/q' string, not '0\.1'; write it in quotes",
    ),
    BadCall(
        "fs.JointDistribution.from_json(D.to_json().replace('\"1/10\"', '\"1/9\"'))",
        InvalidFormatError,
        r"probabilities must be a list that sums to exactly 1, not 91/90; correct it",
    ),
    BadCall(
        "D.probability({'X2': 0})",
        UnknownNameError,
        r"variable 'X2' does not exist; use one of: 'X1', 'Y'",
    ),
    BadCall(
        "D.probability({'X1': 2})",
        UnknownNameError,
        r"state of X1 2 does not exist; use one of: 0, 1",
    ),
    BadCall(
        "D.probability({'X1': [0, 1]})",
        InvalidTypeError,
        r"the state of X1 must be a label or a set of labels, not \[0, 1\]; write several labels as a set",
    ),
    BadCall(
        "D.probability('X1')",
        InvalidTypeError,
        r"event must be a mapping from names to states, not 'X1'; write \{'X1': 0\} or \{'X1': \{0, 1\}\}",
    ),
    BadCall(
        "D.condition({'X1': set()})",
        ZeroProbabilityError,
        r"event must be an event of positive probability, not \{'X1': set\(\)\}; condition on another "
        r"event",
    ),
    BadCall(
        "D.posterior({'Y': 0})",
        InvalidValueError,
        r"given must be about features, not 'Y'; leave the target out",
    ),
    BadCall(
        "D.marginal('X1')",
        InvalidTypeError,
        r"features must be an iterable of feature names, not 'X1'; write \{'X1'\}",
    ),
    BadCall(
        "D.marginal(['Y'])",
        UnknownNameError,
        r"feature 'Y' does not exist; use one of: 'X1'",
    ),
    BadCall(
        "D.rename({'X1': 'Y'})",
        InvalidValueError,
        r"names must be distinct when applied, not \{'X1': 'Y'\}; rename the other one, too",
    ),
    BadCall(
        "D.rename({'X2': 'Z'})",
        UnknownNameError,
        r"variable 'X2' does not exist; use one of: 'X1', 'Y'",
    ),
    BadCall(
        "D.rename({'X1': 'probability'}).to_frame()",
        InvalidValueError,
        r"variables must be named otherwise than the column 'probability', not \('probability', 'Y'\); "
        r"rename\(\) it first",
    ),
    BadCall(
        "fs.JointDistribution([1, 2], states={'Y': [0.5, 1.5]}).to_json()",
        InvalidTypeError,
        r"states\['Y'\] must be strings, integers, booleans or tuples of these in JSON, not 0\.5; "
        r"relabel it",
    ),
    BadCall(
        "fs.product(D, D)",
        InvalidValueError,
        r"features must be distinct names, not 'X1'; rename one of them",
    ),
    BadCall(
        "fs.product(D, 3)",
        InvalidTypeError,
        r"second must be a JointDistribution, not 3; make one, or take one of the gallery",
    ),
    BadCall(
        "fs.mixture([D, D], ['1/2', '1/3'])",
        InvalidValueError,
        r"weights must be at least 0 and sum to exactly 1, not \['1/2', '1/3'\]; correct them",
    ),
    BadCall(
        "fs.mixture([D], ['1/2', '1/2'])",
        InvalidValueError,
        r"weights must be 1 numbers, one per component, not \['1/2', '1/2'\]; pass as many of each, at "
        r"least one",
    ),
    BadCall(
        "fs.mixture([D, fs.JointDistribution([1, 2])], ['1/2', '1/2'])",
        InvalidValueError,
        r"components\[1\] must be over the variables and states of the first, not "
        r"JointDistribution\(\[1, 2\]\); align their states",
    ),
    BadCall(
        "fs.independent_features(D, {'X1': {0: 1}})",
        InvalidValueError,
        r"features must be distinct names, not 'X1'; rename one of them",
    ),
    BadCall(
        "fs.independent_features(D, {'Y': {0: 1}})",
        InvalidValueError,
        r"features must be named otherwise than the target, not 'Y'; rename it",
    ),
    BadCall(
        "fs.independent_features(D, {'Z': {0: '1/2'}})",
        InvalidValueError,
        r"the probabilities of pmf must sum to exactly 1, not 1/2; correct them or pass normalize=True",
    ),
]

RISKS = [
    BadCall(
        "fs.bayes_risk([[1, 2]], [])",
        InvalidTypeError,
        r"d must be a JointDistribution, not \[\[1, 2\]\]; make one, or take one of the gallery",
    ),
    BadCall(
        "fs.bayes_risk(D, ['Z'])",
        UnknownNameError,
        r"feature 'Z' does not exist; use one of: 'X1'",
    ),
    BadCall(
        "fs.bayes_risks(D, workers=0)",
        InvalidValueError,
        r"workers must be at least 1, not 0; pass 1 or more",
    ),
    BadCall(
        "fs.bayes_risks(fs.JointDistribution.from_samples([(0,) * 50]))",
        TooLargeError,
        r"the table of all subsets must fit in half of this machine's memory \(\d+ [GMT]iB\), not need 16 "
        r"PiB for 562949953421312 cells; take the marginal of fewer features",
    ),
    BadCall(
        "fs.bayes_classifier(D)(0)",
        InvalidTypeError,
        r"state must be a mapping from features to labels, not 0; write \{'X1': 0\}",
    ),
    BadCall(
        "fs.bayes_classifier(D)({})",
        InvalidValueError,
        r"state must be a label for each of \('X1',\), not \{\}; add 'X1'",
    ),
    BadCall(
        "fs.bayes_classifier(D)({'X1': 2})",
        UnknownNameError,
        r"state of X1 2 does not exist; use one of: 0, 1",
    ),
    BadCall(
        "RISKS['X1']",
        InvalidTypeError,
        r"subset must be an iterable of feature names, not 'X1'; write \{'X1'\}",
    ),
    BadCall(
        "RISKS[['X1', 'X1']]",
        InvalidValueError,
        r"subset must be made of distinct names, not 'X1'; name each feature once",
    ),
    BadCall(
        "RISKS[{'Z'}]",
        UnknownNameError,
        r"feature 'Z' does not exist; use one of: 'X1'",
    ),
    BadCall(
        "RISKS.value_at(2)",
        UnknownNameError,
        r"the subset with mask 2 does not exist; use one of: '0 to 1'",
    ),
    BadCall(
        "RISKS.restrict(sizes=[0])[{'X1'}]",
        UnknownNameError,
        r"subset 'X1' does not exist; use one of: '\{\}'",
    ),
    BadCall(
        "RISKS.restrict(sizes=[7])",
        InvalidValueError,
        r"the restriction must be met by some subset of the table, not 'containing \{\}, within X1, of "
        r"sizes \[7\]'; widen it",
    ),
    BadCall(
        "RISKS.restrict(sizes=1)",
        InvalidTypeError,
        r"sizes must be an iterable of integers, not 1; write \[1\]",
    ),
    BadCall(
        "RISKS.best_of_size(-1)",
        InvalidValueError,
        r"k must be at least 0, not -1; pass 0 or more",
    ),
    BadCall(
        "RISKS.best_of_size('1')",
        InvalidTypeError,
        r"k must be an integer, not '1'; pass a whole number",
    ),
    BadCall(
        "fs.SubsetTable.from_mapping({}, features=['a'])",
        InvalidValueError,
        r"values must be given for at least one subset, not \{\}; name one",
    ),
    BadCall(
        "fs.SubsetTable.from_mapping({(): 0.5}, features=['a'])",
        InvalidTypeError,
        r"values\[\(\)\] must be an exact number, not 0\.5; a float is binary: write the decimal as a "
        r"string \('0\.1'\) or pass a Fraction",
    ),
    BadCall(
        "fs.SubsetTable.from_mapping({(): 1}, features='a')",
        InvalidTypeError,
        r"features must be an iterable of names, not 'a'; write \['a'\]",
    ),
    BadCall(
        "fs.SubsetTable.from_mapping({('a', 'b'): 1, ('b', 'a'): 2}, features=['a', 'b'])",
        InvalidValueError,
        r"values must be given once for each subset, not \('b', 'a'\); name it once",
    ),
    BadCall(
        "fs.SubsetTable.from_mapping({(): 1}, features=[f'f{i}' for i in range(64)])",
        TooLargeError,
        r"features must be at most 63, not 64; drop those that play no part",
    ),
    BadCall(
        "fs.compare(RISKS, dict(RISKS))",
        InvalidTypeError,
        r"second must be a SubsetTable, not \{frozenset\(\): Fraction\(2, 5\), frozenset\(\{'X1'\}\): "
        r"Fraction\(2, 5\)\}; pass a table such as bayes_risks\(d\)",
    ),
    BadCall(
        "fs.compare(RISKS, RISKS.restrict(sizes=[1]))",
        InvalidValueError,
        r"second must be a table of the same subsets of the same features, not <SubsetTable: Bayes risk "
        r"of 1 subsets of X1>; restrict both alike",
    ),
]

TABLE = [*RATIONAL, *SUBSETS, *DISTRIBUTION, *RISKS]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.call)
def test_bad_call(row: BadCall, tmp_path: Path) -> None:
    with pytest.raises(row.error) as caught:
        eval(row.call, {**NAMES, "tmp": tmp_path})
    message = str(caught.value)
    assert type(caught.value) is row.error, f"{type(caught.value).__name__} is more precise: write it in the table"
    assert re.fullmatch(row.message, message), message
    requirement, _, repair = message.partition("; ")
    assert requirement, "a message begins with what was asked for"
    assert repair, "a message ends with the repair, after a semicolon"
    assert "\n" not in message, "a message is one line"


@pytest.mark.parametrize("error", sorted({row.error for row in TABLE}, key=str))
def test_error_is_also_a_builtin(error: type[FSTheoryError]) -> None:
    """Whoever catches ValueError, TypeError, LookupError or OSError catches ours as well."""
    assert issubclass(error, ValueError | TypeError | LookupError | OSError | ImportError)


def test_no_row_stands_twice() -> None:
    calls = [row.call for row in TABLE]
    assert len(calls) == len(set(calls))
