"""What greedy selection, rankings, set functions and stopping rules refuse, with the whole message."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from fstheory import JointDistribution, bayes_risks, gallery, selection
from fstheory.errors import FSTheoryError, InvalidTypeError, InvalidValueError, UnknownNameError

NAMES = {
    "s": selection,
    "d": gallery.xor(),
    "J": JointDistribution,
    "np": np,
    "risks": bayes_risks,
    "falls": selection.SetFunction(("X1", "X2"), lambda mask: Fraction(-mask)),
}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            "s.select(d, 3)",
            InvalidValueError,
            r"k must be between 0 and 2, the number of features, not 3; pass a smaller k",
        ),
        ("s.select(d, -1)", InvalidValueError, r"k must be at least 0, not -1; pass 0 or more"),
        ("s.mrmr(d, 1.0)", InvalidTypeError, r"k must be an integer, not 1\.0; pass a whole number"),
        (
            "s.select(d, 1, 'zero_one', 'forward')",
            InvalidValueError,
            r"method must be one of greedy-forward, greedy-backward, score, exhaustive, not 'forward'; correct it",
        ),
        ("s.select(d, 1, 'mi')", UnknownNameError, r"criterion 'mi' does not exist; use one of: .*"),
        ("s.select(d, 1, 3)", InvalidTypeError, r"criterion must be .*, not 3; .*"),
        (
            "s.select(d, 1, risks(J([[1, 2]])))",
            InvalidValueError,
            r"criterion must be over the features \('X1', 'X2'\), not \('X1',\); make it of this distribution",
        ),
        (
            "s.select(d, 1, order=['X1'])",
            InvalidValueError,
            r"order must be of all features, not \('X1',\); add X2",
        ),
        ("s.s_variate(d, 'zero_one', 0)", InvalidValueError, r"s must be at least 1, not 0; pass 1 or more"),
        (
            "s.fisher_scores(J([[1, 2], [2, 1]], states={'X1': ['low', 'high']}))",
            InvalidTypeError,
            r"the states of X1 must be exact numbers for the Fisher score, not 'low'; "
            r"name them by integers, Fractions or strings such as '3/8'",
        ),
        (
            "s.FisherScore(Fraction(1), Fraction(0)).value",
            InvalidValueError,
            r"the Fisher score must be finite, not 'infinite'; ask is_infinite first, or take the share",
        ),
        (
            "s.is_monotone(d)",
            InvalidTypeError,
            r"f must be a SubsetTable or a SetFunction, not .*; pass criterion\.table\(d\), or set_function\(d, \.\.\)",
        ),
        (
            "s.is_submodular(risks(d).restrict(sizes=[1]))",
            InvalidValueError,
            r"f must be a table of all subsets, not <SubsetTable: .*>; pass it before it is restricted",
        ),
        (
            "s.curvature(falls)",
            InvalidValueError,
            r"f must be monotone, not 'f\(S\) <= f\(S \+ i\): fails, X1 adds -1 to \{\}'; "
            r"these notions are for monotone functions",
        ),
        ("s.submodularity_ratio(risks(d), k=0)", InvalidValueError, r"k must be at least 1, not 0; pass 1 or more"),
        (
            "s.submodularity_ratio(risks(d), within=['Z'])",
            UnknownNameError,
            r"feature 'Z' does not exist; use one of: 'X1', 'X2'",
        ),
        ("s.ErrorRule(-1)", InvalidValueError, r"delta must be at least 0, not -1; pass 0 to give up nothing"),
        (
            "s.ErrorRule(0.1)",
            InvalidTypeError,
            r"delta must be an exact number, not 0\.1; a float is binary: write the decimal as a string \('0\.1'\) "
            r"or pass a Fraction",
        ),
        (
            "s.ErrorRule('1/4', printed=True, sharp=True)",
            InvalidValueError,
            r"sharp must be False where printed is True, not True; the paper has the looser constants only",
        ),
        (
            "s.FeatureScoreRule('-1/2')",
            InvalidValueError,
            r"threshold must be at least 0, not '-1/2'; pass 0 to give up nothing",
        ),
        (
            "s.ScoreDifferenceRule(-1)",
            InvalidValueError,
            r"threshold must be at least 0, not -1; pass 0 to give up nothing",
        ),
        ("s.FeatureCountRule(-1)", InvalidValueError, r"k must be at least 0, not -1; pass 0 or more"),
        (
            "s.cmi_elimination(d, s.FeatureCountRule(3))",
            InvalidValueError,
            r"k must be between 0 and 2, the number of features, not 3; pass a smaller k",
        ),
        (
            "s.cmi_selection(d, '1/10')",
            InvalidTypeError,
            r"stop must be a stopping rule, not '1/10'; pass ErrorRule\('0\.1'\), say, or FeatureCountRule\(2\)",
        ),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), problem='ranking')",
            InvalidValueError,
            r"problem must be 'classification' or 'regression', not 'ranking'; correct it",
        ),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), bound=1)",
            InvalidValueError,
            r"bound must be left out for classification, not 1; it is for regression",
        ),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), problem='regression', bound='1/2')",
            InvalidValueError,
            r"bound must be at least 1, the largest \|Y\| possible, not '1/2'; raise it",
        ),
        (
            "s.cmi_selection(J([[1, 2]], states={'Y': ['no', 'yes']}), s.ErrorRule(0), problem='regression')",
            InvalidTypeError,
            r"the classes of Y must be exact numbers for squared error, not 'no'; .*",
        ),
        (
            "s.select(d, 1, method=['score'])",
            InvalidValueError,
            r"method must be one of .*, not \['score'\]; correct it",
        ),
        (
            "s.minimal_optimal(d, np.array(['backward', 'exhaustive']))",
            InvalidValueError,
            r"method must be one of .*, not array\(.*\); correct it",
        ),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), problem=np.array([1, 2]))",
            InvalidValueError,
            r"problem must be 'classification' or 'regression', not array\(\[1, 2\]\); correct it",
        ),
        (
            "falls.at([1])",
            InvalidTypeError,
            r"mask must be an integer, not \[1\]; pass a whole number",
        ),
        ("falls.at(4)", UnknownNameError, r"the subset with mask 4 does not exist; use one of: '0 to 3'"),
        ("falls.gain(-2, onto=0)", UnknownNameError, r"the subset with mask -2 does not exist; .*"),
        (
            "risks(d).value_at('X1')",
            InvalidTypeError,
            r"mask must be an integer, not 'X1'; name the features instead: table\[\{'X1'\}\]",
        ),
        (
            "s.is_monotone(s.SetFunction(('a',), lambda mask: mask / 2))",
            InvalidTypeError,
            r"every value of the set function must be an exact number, not 0\.5; .*",
        ),
        (
            "s.curvature(s.SetFunction(('a',), lambda mask: None))",
            InvalidTypeError,
            r"every value of the set function must be an exact number, not None; .*",
        ),
    ],
)
def test_bad_call(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error) as caught:
        eval(call, {**NAMES, "Fraction": Fraction})
    assert type(caught.value) is error
    assert re.fullmatch(message, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        "select('titanic', 1)",
        "mrmr('titanic', 1)",
        "fisher_scores('titanic')",
        "set_function('titanic', 'zero_one')",
        "s_variate('titanic', 'zero_one')",
        "compare_greedy('titanic', 1)",
        "cmi_elimination('titanic', s.ErrorRule(0))",
        "cmi_selection('titanic', s.ErrorRule(0))",
    ],
)
def test_only_distributions_are_taken(call: str) -> None:
    with pytest.raises(InvalidTypeError, match="d must be a JointDistribution"):
        eval(f"s.{call}", NAMES)
