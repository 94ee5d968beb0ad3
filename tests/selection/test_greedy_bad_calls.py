"""What greedy selection, rankings, set functions and stopping rules refuse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fstheory import JointDistribution, bayes_risks, gallery, selection
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError
from tests.refusals import refusals

NAMES = {
    "s": selection,
    "d": gallery.xor(),
    "J": JointDistribution,
    "np": np,
    "risks": bayes_risks,
    "falls": selection.SetFunction(("X1", "X2"), lambda mask: Fraction(-mask)),
}


test_bad_call = refusals(
    [
        ("s.select(d, 3)", InvalidValueError, "k", "between 0 and 2, the number of features"),
        ("s.select(d, -1)", InvalidValueError, "k", "at least 0"),
        ("s.mrmr(d, 1.0)", InvalidTypeError, "k", "an integer"),
        (
            "s.select(d, 1, 'zero_one', 'forward')",
            InvalidValueError,
            "method",
            "one of greedy-forward, greedy-backward, score, exhaustive",
        ),
        ("s.select(d, 1, 'mi')", UnknownNameError, "criterion", "does not exist"),
        ("s.select(d, 1, 3)", InvalidTypeError, "criterion", "a criterion or the name of one"),
        ("s.select(d, 1, risks(J([[1, 2]])))", InvalidValueError, "criterion", "over the features ('X1', 'X2')"),
        ("s.select(d, 1, order=['X1'])", InvalidValueError, "order", "of all features"),
        ("s.s_variate(d, 'zero_one', 0)", InvalidValueError, "s", "at least 1"),
        (
            "s.fisher_scores(J([[1, 2], [2, 1]], states={'X1': ['low', 'high']}))",
            InvalidTypeError,
            "the states of X1",
            "exact numbers for the Fisher score",
        ),
        ("s.FisherScore(Fraction(1), Fraction(0)).value", InvalidValueError, "the Fisher score", "finite"),
        ("s.is_monotone(d)", InvalidTypeError, "f", "a SubsetTable or a SetFunction"),
        ("s.is_submodular(risks(d).restrict(sizes=[1]))", InvalidValueError, "f", "a table of all subsets"),
        ("s.curvature(falls)", InvalidValueError, "f", "monotone"),
        ("s.submodularity_ratio(risks(d), k=0)", InvalidValueError, "k", "at least 1"),
        ("s.submodularity_ratio(risks(d), within=['Z'])", UnknownNameError, "feature", "does not exist"),
        ("s.ErrorRule(-1)", InvalidValueError, "delta", "at least 0"),
        ("s.ErrorRule(0.1)", InvalidTypeError, "delta", "an exact number"),
        ("s.ErrorRule('1/4', printed=True, sharp=True)", InvalidValueError, "sharp", "False where printed is True"),
        ("s.FeatureScoreRule('-1/2')", InvalidValueError, "threshold", "at least 0"),
        ("s.ScoreDifferenceRule(-1)", InvalidValueError, "threshold", "at least 0"),
        ("s.FeatureCountRule(-1)", InvalidValueError, "k", "at least 0"),
        (
            "s.cmi_elimination(d, s.FeatureCountRule(3))",
            InvalidValueError,
            "k",
            "between 0 and 2, the number of features",
        ),
        ("s.cmi_selection(d, '1/10')", InvalidTypeError, "stop", "a stopping rule"),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), problem='ranking')",
            InvalidValueError,
            "problem",
            "one of classification, regression",
        ),
        ("s.cmi_elimination(d, s.ErrorRule(0), bound=1)", InvalidValueError, "bound", "left out for classification"),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), problem='regression', bound='1/2')",
            InvalidValueError,
            "bound",
            "at least 1, the largest |Y| possible",
        ),
        (
            "s.cmi_selection(J([[1, 2]], states={'Y': ['no', 'yes']}), s.ErrorRule(0), problem='regression')",
            InvalidTypeError,
            "the classes of Y",
            "exact numbers for squared error",
        ),
        (
            "s.select(d, 1, method=['score'])",
            InvalidValueError,
            "method",
            "one of greedy-forward, greedy-backward, score, exhaustive",
        ),
        (
            "s.minimal_optimal(d, np.array(['backward', 'exhaustive']))",
            InvalidValueError,
            "method",
            "one of backward, one-shot, resampling, exhaustive",
        ),
        (
            "s.cmi_elimination(d, s.ErrorRule(0), problem=np.array([1, 2]))",
            InvalidValueError,
            "problem",
            "one of classification, regression",
        ),
        ("falls.at([1])", InvalidTypeError, "mask", "an integer"),
        ("falls.at(4)", UnknownNameError, "the subset with mask", "does not exist"),
        ("falls.gain(-2, onto=0)", UnknownNameError, "the", "does not exist"),
        ("risks(d).value_at('X1')", InvalidTypeError, "mask", "an integer"),
        (
            "s.is_monotone(s.SetFunction(('a',), lambda mask: mask / 2))",
            InvalidTypeError,
            "every value of the set function",
            "an exact number",
        ),
        (
            "s.curvature(s.SetFunction(('a',), lambda mask: None))",
            InvalidTypeError,
            "every value of the set function",
            "an exact number",
        ),
    ],
    {**NAMES, "Fraction": Fraction},
)


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
