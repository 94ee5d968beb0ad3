"""What the foundations refuse: subsets, distributions, tables and risks."""

import numpy as np
import pandas as pd
import pytest

import fstheory
from fstheory.errors import (
    FSTheoryError,
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)
from fstheory.lattice import subsets
from tests.refusals import refusals

NAMES = {
    "J": fstheory.JointDistribution,
    "HOLE": pd.DataFrame({"a": [0, None], "y": [0, 1]}),
    "TWICE": pd.DataFrame([[0, 1]], columns=["a", "a"]),
    "AY": pd.DataFrame({"a": [0, 1], "y": [0, 1]}),
    "D": fstheory.JointDistribution([[1, 2], [3, 4]]),
    "fs": fstheory,
    "np": np,
    "RISKS": fstheory.bayes_risks(fstheory.JointDistribution([[1, 2], [3, 4]])),
    "subsets": subsets,
}


ABC = "('A', 'B', 'C')"

SUBSETS = [
    (f"subsets.mask_of('AB', {ABC})", UnknownNameError, "subset: feature", "does not exist"),
    (f"subsets.mask_of(3, {ABC})", InvalidTypeError, "subset", "a feature name or an iterable of feature names"),
    (f"subsets.mask_of(['A', 'D'], {ABC})", UnknownNameError, "feature", "does not exist"),
    (f"subsets.mask_of(['A', 'A'], {ABC})", InvalidValueError, "subset", "made of distinct names"),
    (f"subsets.parse_subset('A,D', {ABC})", InvalidFormatError, "subset", "made of distinct names among A, B, C"),
]

DISTRIBUTION = [
    ("J([0.5, 0.5])", InvalidTypeError, "weights[0]", "an exact number"),
    ("J(np.array([0.5, 0.5]))", InvalidTypeError, "weights", "exact numbers"),
    ("J(3)", InvalidTypeError, "weights", "a table with the class as its last axis"),
    ("J([[], []])", InvalidValueError, "weights", "an array with no empty axis"),
    ("J([[1, 2]], features={'sex'})", InvalidTypeError, "features", "names in order"),
    ("J([1, 2], states={'Y': [0, None]})", InvalidValueError, "states['Y']", "a label"),
    ("D.probability({'X1': 2})", UnknownNameError, "state", "does not exist"),
    ("J([[3, 1], [-1, 2]])", InvalidValueError, "weights[1][0]", "at least 0"),
    ("J([[0, 0], [0, 0]])", InvalidValueError, "the largest weight", "above 0"),
    ("J([[1, 2], [3]])", InvalidValueError, "weights", "a full table of shape (2, 2)"),
    ("J(np.ma.masked_array([1, 2], mask=[False, True]))", InvalidValueError, "weights", "a table without masked"),
    ("J([[1, 2]], features='sex')", InvalidTypeError, "features", "an iterable of names"),
    ("J([[1, 2]], features=['sex', 'age'])", InvalidValueError, "features", "1 names, one for each feature axis"),
    ("J([[[1, 2]]], features=['sex', 'sex'])", InvalidValueError, "features", "distinct names"),
    ("J([[1, 2]], features=['sex'], target='sex')", InvalidValueError, "target", "a name that is not among the"),
    ("J([[1, 2]], features=[' '])", InvalidValueError, "features", "named by non-empty strings"),
    ("J([[1, 2]], target=0)", InvalidTypeError, "target", "named by strings"),
    ("J([1, 2], states={'Y': {'no'}})", InvalidTypeError, "states['Y']", "a list of labels"),
    ("J([1, 2], states={'Y': ['no']})", InvalidValueError, "states['Y']", "2 labels, one for each weight on its axis"),
    ("J([1, 2], states={'Y': [1, True]})", InvalidValueError, "states['Y']", "distinct labels"),
    ("J([1, 2], states={'Z': [0, 1]})", UnknownNameError, "variable in states", "does not exist"),
    ("J([1, 2], states=[0, 1])", InvalidTypeError, "states", "a mapping from names to labels"),
    ("J.from_pmf({(0,): '1/2', (1,): '49/100'})", InvalidValueError, "the probabilities of pmf", "sum to exactly 1"),
    ("J.from_pmf({0: 1})", InvalidTypeError, "a key", "a tuple of states, one for each variable"),
    ("J.from_pmf({(0, 0): 1, (1,): 0})", InvalidValueError, "every key of pmf", "a tuple (x1, .., xn, y) of length 2"),
    ("J.from_pmf([1])", InvalidTypeError, "pmf", "a mapping from states to their probability"),
    ("J.from_counts({(0,): -1})", InvalidValueError, "counts[(0,)]", "at least 0"),
    ("J.from_counts({(0,) * 61: 1, (1,) * 61: 1})", TooLargeError, "the table of all cells", "fit in half of this"),
    ("J.from_samples([])", InvalidValueError, "rows", "at least one row"),
    ("J.from_samples([(0, 1), (1,)])", InvalidValueError, "rows[1]", "of length 2 like the first row"),
    ("J.from_samples([{'a': 0, 'y': 1}])", InvalidTypeError, "rows[0]", "a sequence (x1, .., xn, y)"),
    ("J.from_samples(AY, population=True)", InvalidValueError, "target", "the name of a column"),
    ("J.from_samples(AY, target='z', population=True)", UnknownNameError, "column", "does not"),
    ("J.from_samples(HOLE, target='y', population=True)", InvalidValueError, "column 'a'", "have no missing values"),
    ("J.from_samples(TWICE, target='a', population=True)", InvalidValueError, "columns", "distinct names"),
    ("J.from_conditional({(0,): 1}, {})", InvalidValueError, "conditional", "given for every x with p(x) > 0"),
    ("J.from_conditional({(0,): 1}, {(0,): {0: '1/2'}})", InvalidValueError, "the probabilities of", "sum"),
    ("J.from_conditional({(0,): 1}, {(0,): 1})", InvalidTypeError, "conditional[(0,)]", "a mapping from states to"),
    ("J.from_json('{')", InvalidFormatError, "text", "JSON (Expecting property name enclosed in double quotes: line 1"),
    ('J.from_json(\'{"schema": "other"}\')', InvalidFormatError, "schema", "'fstheory/joint-distribution'"),
    ("J.from_json(D.to_json().replace('\"version\": 1', '\"version\": 2'))", InvalidFormatError, "version", "1, the"),
    ("J.from_json(D.to_json().replace('\"1/10\"', '0.1'))", InvalidFormatError, "text", "JSON (0.1 is not a whole"),
    ("J.from_json(D.to_json().replace('\"1/10\"', '\"1/9\"'))", InvalidFormatError, "probabilities", "a list that"),
    ("D.probability({'X2': 0})", UnknownNameError, "variable", "does not exist"),
    ("D.probability({'X1': [0, 1]})", InvalidTypeError, "the state of X1", "a label or a set of labels"),
    ("D.probability('X1')", InvalidTypeError, "event", "a mapping from names to states"),
    ("D.condition({'X1': set()})", ZeroProbabilityError, "event", "an event of positive probability"),
    ("D.posterior({'Y': 0})", InvalidValueError, "given", "about features"),
    ("D.marginal('Y')", UnknownNameError, "features: feature", "does not exist"),
    ("D.rename({'X1': 'Y'})", InvalidValueError, "names", "distinct when applied"),
    ("D.rename({'X2': 'Z'})", UnknownNameError, "variable", "does not exist"),
    ("D.rename({'X1': 'probability'}).to_frame()", InvalidValueError, "variables", "named otherwise than the column"),
    ("J([1, 2], states={'Y': [0.5, 1.5]}).to_json()", InvalidTypeError, "states['Y']", "strings, integers, booleans"),
    ("fs.distributions.product(D, D)", InvalidValueError, "features", "distinct names"),
    ("fs.distributions.product(D, 3)", InvalidTypeError, "second", "a JointDistribution"),
    ("fs.distributions.mixture([D, D], ['1/2', '1/3'])", InvalidValueError, "weights", "at least 0 and sum to exactly"),
    ("fs.distributions.mixture([D, J([1, 2])], ['1/2', '1/2'])", InvalidValueError, "components[1]", "over the"),
    ("fs.independent_features(D, {'X1': {0: 1}})", InvalidValueError, "features", "distinct names"),
]

RISKS = [
    ("fs.bayes_risk([[1, 2]], [])", InvalidTypeError, "d", "a JointDistribution"),
    ("fs.bayes_risk(D, ['Z'])", UnknownNameError, "feature", "does not exist"),
    ("fs.bayes_risks(D, workers=0)", InvalidValueError, "workers", "at least 1"),
    ("fs.bayes_risks(J.from_samples([(0,) * 50]))", TooLargeError, "the table of all subsets", "fit in half of this"),
    ("fs.bayes_classifier(D)(0)", InvalidTypeError, "state", "a mapping from features to labels"),
    ("fs.bayes_classifier(D)({})", InvalidValueError, "state", "a label for each of ('X1',)"),
    ("fs.bayes_classifier(D)({'X1': 2})", UnknownNameError, "state", "does not exist"),
    ("RISKS['Z']", UnknownNameError, "subset: feature", "does not exist"),
    ("RISKS.value_at(2)", UnknownNameError, "the subset with mask", "does not exist"),
    ("RISKS.restrict(sizes=[0])[{'X1'}]", UnknownNameError, "subset", "does not exist"),
    ("RISKS.restrict(sizes=[7])", InvalidValueError, "the restriction", "met by some subset of the table"),
    ("RISKS.restrict(sizes=1)", InvalidTypeError, "sizes", "an iterable of integers"),
    ("RISKS.best_of_size(-1)", InvalidValueError, "k", "at least 0"),
    ("fs.SubsetTable.from_mapping({}, features=['a'])", InvalidValueError, "values", "given for at least one subset"),
    ("fs.SubsetTable.from_mapping({(): 1}, features='a')", InvalidTypeError, "features", "an iterable of names"),
    (
        "fs.SubsetTable.from_mapping({('a', 'b'): 1, ('b', 'a'): 2}, features=['a', 'b'])",
        InvalidValueError,
        "values",
        "given once for",
    ),
    (
        "fs.SubsetTable.from_mapping({(): 1}, features=[f'f{i}' for i in range(64)])",
        TooLargeError,
        "features",
        "at most 63",
    ),
    ("fs.lattice.compare(RISKS, dict(RISKS))", InvalidTypeError, "second", "a SubsetTable"),
    ("fs.lattice.compare(RISKS, RISKS.restrict(sizes=[1]))", InvalidValueError, "second", "a table of the same"),
]

TABLE = [*SUBSETS, *DISTRIBUTION, *RISKS]


test_bad_call = refusals(TABLE, NAMES)


@pytest.mark.parametrize("error", sorted({error for _, error, *_ in TABLE}, key=str))
def test_error_is_also_a_builtin(error: type[FSTheoryError]) -> None:
    """Whoever catches ValueError, TypeError, LookupError or OSError catches ours as well."""
    assert issubclass(error, ValueError | TypeError | LookupError | OSError | ImportError)
