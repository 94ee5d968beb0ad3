"""What selection, rankings, set functions and stopping rules refuse."""

from fractions import Fraction

import numpy as np

from fstheory import JointDistribution, bayes_risks, selection
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError
from fstheory.selection.scores import FisherScore
from tests.refusals import refusals

FALLS = selection.SetFunction(("X1", "X2"), lambda mask: Fraction(-mask))
NAMES = {"s": selection, "d": gallery.xor(), "J": JointDistribution, "np": np, "Fraction": Fraction}
NAMES |= {"risks": bayes_risks, "falls": FALLS, "er": selection.ErrorRule(0), "FisherScore": FisherScore}
DISTRIBUTIONS_ONLY = [
    *(f"minimal_optimal('d', '{method}')" for method in ("backward", "one-shot", "resampling", "exhaustive")),
    "relevance('d')",
    *("strongly_relevant('d')", "markov_blankets('d')", "markov_boundary('d')", "select('d', 1)", "mrmr('d', 1)"),
    *("fisher_scores('d')", "set_function('d', 'zero_one')", "s_variate('d', 'zero_one')", "compare_greedy('d', 1)"),
    *("cmi_elimination('d', er)", "cmi_selection('d', er)"),
]
METHOD, GREEDY = (
    "one of backward, one-shot, resampling, exhaustive",
    "one of greedy-forward, greedy-backward, score, ex",
)
SIZE, PROBLEM, VALUE = "between 0 and 2, the number of", "one of classification, regression", "every value of the set"
TYPE, WORDS = InvalidTypeError, "exact numbers for"
NO_BOUNDARY, LABELS = "s.markov_boundary(J([[[1, 0], [0, 0]], [[0, 0], [0, 1]]]))", "{'X1': ['low', 'high']}"
WORDED = "J([[1, 2]], states={'Y': ['no', 'yes']})"

test_bad_call = refusals(
    [
        *((f"s.{call}", TYPE, "d", "a JointDistribution") for call in DISTRIBUTIONS_ONLY),
        ("s.minimal_optimal(d, 'forward')", InvalidValueError, "method", METHOD),
        ("s.minimal_optimal(d, np.array(['backward', 'exhaustive']))", InvalidValueError, "method", METHOD),
        ("s.minimal_optimal(d, 'one-shot', order=['X1', 'X2'])", InvalidValueError, "order", "left out unless the"),
        ("s.minimal_optimal(d, order=['X1'])", InvalidValueError, "order", "of all features"),
        ("s.minimal_optimal(d, order=['X1', 'X1'])", InvalidValueError, "order", "made of distinct names"),
        ("s.minimal_optimal(d, order={'X1', 'X2'})", TYPE, "order", "a sequence of feature names"),
        ("s.minimal_optimal(d, order='X1')", TYPE, "order", "a sequence of feature names"),
        ("s.minimal_optimal(d, order=['X1', 'Y'])", UnknownNameError, "feature", "does not exist"),
        ("s.k_optimal(d, 3)", InvalidValueError, "k", SIZE),
        ("s.k_optimal(d, -1)", InvalidValueError, "k", "at least 0"),
        ("s.k_optimal(d, 1.0)", TYPE, "k", "an integer"),
        ("s.resampling_probability(d, 'Y')", UnknownNameError, "feature", "does not exist"),
        ("s.conditionally_independent(d, ['X1'], ['X1', 'X2'])", InvalidValueError, "b", "disjoint from a"),
        ("s.conditionally_independent(d, ['X1'], ['X2'], ['X2'])", InvalidValueError, "given", "disjoint from a and b"),
        ("s.conditionally_independent(d, ['X1'], ['Z'])", UnknownNameError, "feature", "does not exist"),
        (NO_BOUNDARY, InvalidValueError, "d", "a distribution with a single minimal Markov blanket"),
        ("s.select(d, 3)", InvalidValueError, "k", SIZE),
        ("s.select(d, -1)", InvalidValueError, "k", "at least 0"),
        ("s.mrmr(d, 1.0)", TYPE, "k", "an integer"),
        ("s.select(d, 1, 'zero_one', 'forward')", InvalidValueError, "method", GREEDY),
        ("s.select(d, 1, method=['score'])", InvalidValueError, "method", GREEDY),
        ("s.select(d, 1, 'mi')", UnknownNameError, "criterion", "does not exist"),
        ("s.select(d, 1, 3)", TYPE, "criterion", "a criterion or the name of one"),
        ("s.select(d, 1, risks(J([[1, 2]])))", InvalidValueError, "criterion", "over the features ('X1', 'X2')"),
        ("s.select(d, 1, order=['X1'])", InvalidValueError, "order", "of all features"),
        ("s.compare_greedy(d, 1, falls)", InvalidValueError, "criterion", "no worse for the best k features than for"),
        ("s.s_variate(d, 'zero_one', 0)", InvalidValueError, "s", "at least 1"),
        (
            f"s.fisher_scores(J([[1, 2], [2, 1]], states={LABELS}))",
            TYPE,
            "the states of X1",
            f"{WORDS} the Fisher score",
        ),
        ("FisherScore(Fraction(1), Fraction(0)).value", InvalidValueError, "the Fisher score", "finite"),
        ("s.is_monotone(d)", TYPE, "f", "a SubsetTable or a SetFunction"),
        ("s.is_monotone(risks(d).restrict(sizes=[1]))", InvalidValueError, "f", "a table of all subsets"),
        ("s.is_submodular(risks(d).restrict(sizes=[1]))", InvalidValueError, "f", "a table of all subsets"),
        ("s.curvature(falls)", InvalidValueError, "f", "monotone"),
        ("s.submodularity_ratio(risks(d), k=0)", InvalidValueError, "k", "at least 1"),
        ("s.submodularity_ratio(risks(d), within=['Z'])", UnknownNameError, "feature", "does not exist"),
        ("s.ErrorRule(-1)", InvalidValueError, "delta", "at least 0"),
        ("s.ErrorRule(0.1)", TYPE, "delta", "an exact number"),
        ("s.ErrorRule('1/4', printed=True, sharp=True)", InvalidValueError, "sharp", "False where printed is True"),
        ("s.FeatureScoreRule('-1/2')", InvalidValueError, "threshold", "at least 0"),
        ("s.ScoreDifferenceRule(-1)", InvalidValueError, "threshold", "at least 0"),
        ("s.FeatureCountRule(-1)", InvalidValueError, "k", "at least 0"),
        ("s.cmi_elimination(d, s.FeatureCountRule(3))", InvalidValueError, "k", SIZE),
        ("s.cmi_selection(d, '1/10')", TYPE, "stop", "a stopping rule"),
        ("s.cmi_elimination(d, er, problem='ranking')", InvalidValueError, "problem", PROBLEM),
        ("s.cmi_elimination(d, er, problem=np.array([1, 2]))", InvalidValueError, "problem", PROBLEM),
        ("s.cmi_elimination(d, er, bound=1)", InvalidValueError, "bound", "left out for classification"),
        (
            "s.cmi_elimination(d, er, problem='regression', bound='1/2')",
            InvalidValueError,
            "bound",
            "at least 1, the la",
        ),
        (f"s.cmi_selection({WORDED}, er, problem='regression')", TYPE, "the states of Y", f"{WORDS} squared error"),
        ("falls.at([1])", TYPE, "mask", "an integer"),
        ("falls.at(4)", UnknownNameError, "the subset with mask", "does not exist"),
        ("falls.gain(-2, onto=0)", UnknownNameError, "the", "does not exist"),
        ("risks(d).value_at('X1')", TYPE, "mask", "an integer"),
        ("s.is_monotone(s.SetFunction(('a',), lambda mask: mask / 2))", TYPE, VALUE, "an exact number"),
        ("s.curvature(s.SetFunction(('a',), lambda mask: None))", TYPE, VALUE, "an exact number"),
    ],
    NAMES,
)
