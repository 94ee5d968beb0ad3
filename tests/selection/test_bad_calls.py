"""What selection, rankings, set functions, stopping rules, constructions and families refuse."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from fstheory import JointDistribution, bayes_risks, claim, positive, selection, unique_maximum
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError, InvalidValueError, NotMonotoneError, TooLargeError, UnknownNameError
from fstheory.numbers.roots import sqrt
from fstheory.selection.greedy import FisherScore, SetFunction
from tests.refusals import check_message, refusals

ORDER = [["X1", "X2"], ["X1"], ["X2"], []]
TWO: dict[tuple[str, ...], Any] = {(): "2/5", ("X1",): "1/10", ("X2",): "1/5", ("X1", "X2"): "0"}
S, T = sympy.symbols("s t")
PLANE = selection.polynomial_family([[1, T], [S, 1]], [T, S], end="1/2")
NAMES = {
    "s": selection, "J": JointDistribution, "Fraction": Fraction, "sympy": sympy, "sqrt": sqrt,
    "risks": bayes_risks, "FisherScore": FisherScore, "SetFunction": SetFunction, "ORDER": ORDER, "TWO": TWO,
    "ZERO": {**TWO, ("X1",): 0}, "BITS": (2, 2), "TIED": {**dict.fromkeys(TWO, "1/4"), (): "1/2"},
    "BOTH": ["positive", "unique_maximum"], "OWN": claim(lambda m: True, name="positive"),
    "RENAMED": [unique_maximum, claim(positive.body, name="unique_maximum")],
    "d": gallery.xor(), "titanic": gallery.titanic(), "er": selection.ErrorRule(0),
    "falls": SetFunction(("X1", "X2"), lambda mask: Fraction(-mask)),
    "S": S, "T": T, "sqrt_of": sympy.sqrt, "PLANE": PLANE,
    "FALLS": selection.polynomial_family([[T, 1 - 2 * S]], [T, S]),
    "WORDS": JointDistribution([[1, 2], [2, 1]], states={"X1": ["low", "high"], "Y": ["no", "yes"]}),
    "NINE": JointDistribution(np.ones((2,) * 10, dtype=int)),
    "FIVE": JointDistribution(np.ones((2,) * 6, dtype=int)),
}  # fmt: skip
DISTRIBUTIONS_ONLY = [
    *(f"minimal_optimal(7, '{method}')" for method in ("backward", "forward", "one-shot", "resampling", "exhaustive")),
    *("relevance(7)", "markov_blankets(7)", "markov_boundary(7)", "select(7, 1)"),
    *("mrmr(7, 1)", "fisher_scores(7)", "compare_greedy(7, 1)", "cmi_elimination(7, er)", "cmi_selection(7, er)"),
]

test_bad_call = refusals(
    [
        *((f"s.{call}", InvalidTypeError, "d", "a JointDistribution") for call in DISTRIBUTIONS_ONLY),
        # Searches, set functions and stopping rules
        ("s.minimal_optimal(d, 'upward')", InvalidValueError, "method", "one of backward, forward, one-shot,"),
        ("s.minimal_optimal(d, criterion='gini')", InvalidValueError, "criterion", "left out unless the method is"),
        ("s.minimal_optimal(d, 'exhaustive', look_ahead=2)", InvalidValueError, "look_ahead", "left out unless the"),
        ("s.minimal_optimal(d, 'one-shot', tau='1/9')", InvalidValueError, "tau", "left out unless the method is"),
        ("s.minimal_optimal(d, 'forward', tau=-1)", InvalidValueError, "tau", "at least 0"),
        ("s.minimal_optimal(d, 'forward', look_ahead=0)", InvalidValueError, "look_ahead", "at least 1"),
        ("s.minimal_optimal(d, 'forward', criterion=risks(J([[1, 2]])))", InvalidValueError, "criterion", "over the"),
        ("s.minimal_optimal(d, 'one-shot', order=['X1', 'X2'])", InvalidValueError, "order", "left out unless the"),
        ("s.k_optimal(d, 3)", InvalidValueError, "k", "between 0 and 2, the number of"),
        ("s.conditionally_independent(d, ['X1'], ['X1', 'X2'])", InvalidValueError, "b", "disjoint from a"),
        ("s.conditionally_independent(d, ['X1'], ['X2'], ['X2'])", InvalidValueError, "given", "disjoint from a and b"),
        ("s.markov_boundary(J([[[1, 0], [0, 0]], [[0, 0], [0, 1]]]))", InvalidValueError, "d", "a distribution with a"),
        ("s.select(d, 3)", InvalidValueError, "k", "between 0 and 2, the number of"),
        ("s.select(d, 1, 'zero_one', 'forward')", InvalidValueError, "method", "one of greedy-forward, greedy-backwar"),
        ("s.select(d, 1, risks(J([[1, 2]])))", InvalidValueError, "criterion", "over the features ('X1', 'X2')"),
        ("s.compare_greedy(d, 1, falls)", InvalidValueError, "criterion", "no worse for the best k features than for"),
        ("s.best_questions(d, 'auc')", InvalidValueError, "criterion", "a loss that adds up over the states"),
        ("s.best_questions(d, budget=-1)", InvalidValueError, "budget", "at least 0"),
        ("s.best_questions(d, costs={'X3': 1})", UnknownNameError, "feature", "'X3' does not exist"),
        ("s.best_questions(d, costs={'X1': 0.5})", InvalidTypeError, "costs['X1']", "an exact number"),
        ("s.best_questions(d, costs=-1)", InvalidValueError, "costs", "at least 0"),
        ("s.reasons(7)", InvalidTypeError, "d", "a JointDistribution"),
        ("s.reasons(d, (0,))", InvalidValueError, "x", "a state of each of the 2 features, by name or in order"),
        ("s.reasons(d, {'X1': 0})", InvalidValueError, "x", "a state of each of the 2 features"),
        ("s.reasons(d, '00')", InvalidValueError, "x", "a state of each of the 2 features"),
        ("s.reasons(d, 7)", InvalidValueError, "x", "a state of each of the 2 features"),
        ("s.reasons(d, {'X1': 0, 'X3': 0})", UnknownNameError, "feature", "'X3' does not exist"),
        ("s.reasons(d, (0, 2))", UnknownNameError, "state of X2", "2 does not exist"),
        ("s.reasons(J([[[1, 0]], [[0, 0]]]), (1, 0))", InvalidValueError, "x", "a case of positive probability"),
        ("s.reasons(d, tolerance=2)", InvalidValueError, "tolerance", "between 0 and 1"),
        ("s.reasons(d, tolerance=0.1)", InvalidTypeError, "tolerance", "an exact number"),
        ("s.reasons(d, classifier=7)", InvalidTypeError, "classifier", "an estimator with predict, a function"),
        ("s.reasons(d, classifier={(0, 0): 1})", InvalidValueError, "classifier", "not raise KeyError((0, 1))"),
        ("s.reasons(d, classifier=lambda x: [1])", InvalidValueError, "classifier", "one class in each state"),
        ("s.reasons(d, classifier=lambda x: x['X3'])", InvalidValueError, "classifier", "not raise KeyError('X3')"),
        ("s.reasons(d, classifier=lambda x: 1, tolerance='1/2')", InvalidValueError, "tolerance", "0 if a reason must"),
        ("s.reasons(d, among='all')", InvalidValueError, "among", "'possible' if the likeliest class is the verdict"),
        ("s.reasons(d, among='some')", InvalidValueError, "among", "one of possible, all"),
        ("s.reasons(d, time_limit=0)", InvalidValueError, "time_limit", "above 0 seconds"),
        ("s.all_solutions(7)", InvalidTypeError, "d", "a JointDistribution or a Sample"),
        ("s.all_solutions(d, falls)", InvalidValueError, "criterion", "monotone, not 'f(S) <= f(S + i): fails"),
        ("s.all_solutions(d, within=-1)", InvalidValueError, "within", "at least 0"),
        ("s.all_solutions(d, within=0.1)", InvalidTypeError, "within", "an exact number"),
        ("s.all_solutions(d, max_size=-1)", InvalidValueError, "max_size", "at least 0"),
        ("s.all_solutions(d, limit=0)", InvalidValueError, "limit", "at least 1"),
        ("s.all_solutions(d, time_limit=0)", InvalidValueError, "time_limit", "above 0 seconds"),
        ("FisherScore(Fraction(1), Fraction(0)).value", InvalidValueError, "the Fisher score", "finite"),
        ("s.is_monotone(risks(d).restrict(sizes=[1]))", InvalidValueError, "f", "a table of all subsets"),
        ("s.curvature(falls)", InvalidValueError, "f", "monotone"),
        ("s.submodularity_ratio(risks(d), k=0)", InvalidValueError, "k", "at least 1"),
        ("s.ErrorRule(0.1)", InvalidTypeError, "delta", "an exact number"),
        ("s.ErrorRule('1/4', printed=True, sharp=True)", InvalidValueError, "sharp", "False where printed is True"),
        ("s.ScoreDifferenceRule(-1)", InvalidValueError, "threshold", "at least 0"),
        ("s.FeatureCountRule(-1)", InvalidValueError, "k", "at least 0"),
        ("s.cmi_elimination(d, s.FeatureCountRule(3))", InvalidValueError, "k", "between 0 and 2, the number of"),
        ("s.cmi_selection(d, '1/10')", InvalidTypeError, "stop", "a stopping rule"),
        ("s.cmi_elimination(d, er, problem='regression', bound='1/2')", InvalidValueError, "bound", "at least 1, the"),
        ("s.cmi_selection(WORDS, er, problem='regression')", InvalidTypeError, "the states of Y", "exact numbers"),
        ("falls.at(4)", UnknownNameError, "the subset with mask", "does not exist"),
        ("s.is_monotone(SetFunction(('a',), float))", InvalidTypeError, "every value of the set", "an exact number"),
        # Constructions
        ("s.adversarial(ORDER, alpha=1)", InvalidValueError, "alpha", "strictly between 1/2 and 1, not"),
        ("s.adversarial([[]], alpha='2/3')", InvalidValueError, "alpha", "left out when there are no features"),
        ("s.adversarial(ORDER, cardinalities=(2, 1))", InvalidValueError, "cardinalities[1]", "at least 2"),
        ("s.adversarial(ORDER, classes=1)", InvalidValueError, "classes", "at least 2"),
        ("s.adversarial(ORDER[::-1])", NotMonotoneError, "order", "not {} (S_1) before X1 (S_3)"),
        ("s.adversarial(ORDER, cardinalities=(10**9, 10**9))", TooLargeError, "the distribution", "fit"),
        ("s.adversarial_favoring([], factor=2, features=2)", InvalidValueError, "subset", "neither empty nor full"),
        ("s.adversarial_favoring(['X1'], factor=1, features=2)", InvalidValueError, "factor", "above 1, not '1'"),
        ("s.adversarial_with_risks({**TWO, (): '3/5'})", InvalidValueError, "the risk of no features", "at most 1/2,"),
        ("s.adversarial_with_risks({**TWO, (): '1/4'}, cardinalities=BITS)", InvalidValueError, "risks", "give every"),
        ("s.adversarial_with_risks(ZERO, assume='positive', cardinalities=BITS)", InvalidValueError, "risks", "let"),
        ("s.adversarial_with_risks(TIED, assume=BOTH)", InvalidValueError, "risks", "have a least optimal subset"),
        ("s.adversarial_with_risks(TWO, assume=['all'])", InvalidValueError, "assume", "one of positive, unique_maxi"),
        ("s.adversarial_with_risks(TIED, assume=RENAMED)", InvalidValueError, "risks", "have a least optimal subset"),
        ("s.adversarial_with_risks(TWO, assume=[OWN])", InvalidValueError, "assume", "one of positive, unique_maxi"),
        ("s.adversarial_with_risks(TWO, classes=10**12)", TooLargeError, "the distribution", "fit"),
        ("s.adversarial_with_risks(TWO, criterion='auc')", InvalidValueError, "criterion", "zero_one, logarithmic or"),
        ("s.adversarial_with_risks(TWO, criterion='gini')", InvalidValueError, "risks", "1/2 for no features with"),
        ("s.adversarial_with_risks(dict([*TWO.items()][::3]))", InvalidValueError, "risks", "not leave out X1"),
        ("s.adversarial_with_risks({('X3',): 0})", InvalidValueError, "features", "given when the names in risks"),
        # Families
        ("s.phase_diagram(d, titanic)", InvalidValueError, "second", "over the variables and states of the first"),
        ("s.phase_diagram(s.linear_family(d, d), d)", InvalidValueError, "second", "left out with a family"),
        ("s.phase_diagram(NINE, NINE)", TooLargeError, "first", "at most 8 features"),
        ("s.linear_family(d, d).assumption('all')", InvalidValueError, "name", "one of positive"),
        ("s.phase_diagram(d, d).ordering_at(sqrt(2))", InvalidValueError, "t", "between 0 and 1"),
        ("s.polynomial_family([[T, 1]], 't')", InvalidTypeError, "t", "a sympy.Symbol"),
        ("s.polynomial_family([[T, 1]], T, start=1)", InvalidValueError, "end", "above start = 1"),
        ("s.polynomial_family([[1 - 2 * T, 1]], T)", InvalidValueError, "weights[0, 0]", "nowhere negative"),
        ("s.polynomial_family([[T, 2 * T]], T)", InvalidValueError, "weights", "above 0 in sum everywhere"),
        ("J([[T, 1 - T], [1, 1]])", InvalidTypeError, "weights[0][0]", "an exact number"),
        ("s.polynomial_family([[T, 1]], [])", InvalidValueError, "t", "at least one symbol"),
        ("s.polynomial_family([[T, 1]], ['t'])", InvalidTypeError, "t", "a sympy.Symbol"),
        ("s.polynomial_family([[T, 1]], [T, T])", InvalidValueError, "t", "of different symbols"),
        ("s.polynomial_family([[T, 1]], [S])", InvalidValueError, "weights[0, 0]", "a polynomial in s"),
        ("s.polynomial_family([[sqrt_of(T), 1]], [T])", InvalidValueError, "weights[0, 0]", "or a quotient of two"),
        ("s.polynomial_family([[1 / (1 - 2 * T), 1]], T)", InvalidValueError, "weights[0, 0]", "nowhere negative"),
        ("s.polynomial_family([[T, 1]], [T, S], end={S: 0})", InvalidValueError, "end", "above start = 0"),
        ("s.phase_diagram(s.polynomial_family([[T, 1]], [T]))", InvalidValueError, "first", "of one or two parameters"),
        ("s.phase_diagram(FALLS)", InvalidValueError, "weights[0, 1]", "nowhere negative"),
        ("s.phase_diagram(PLANE, PLANE)", InvalidValueError, "second", "left out with a family"),
        ("PLANE.at({'t': '1/3'})", InvalidValueError, "values", "given for s as well"),
        ("PLANE.at({T: '1/3', S: '3/4'})", InvalidValueError, "values[s]", "between 0 and 1/2"),
        ("PLANE.at(3)", InvalidTypeError, "values", "a mapping"),
        ("PLANE.along({T: '1/3', S: 0})", InvalidValueError, "values", "given for all parameters but one"),
        ("PLANE.along({'z': 0})", UnknownNameError, "parameter 'z'", "does not exist"),
        ("PLANE.along({T: .5})", InvalidTypeError, "t", "an exact number"),
        ("PLANE.risk({'X9'})", UnknownNameError, "feature 'X9'", "does not exist"),
        # Crossings
        ("s.information_crossings(3, 'X1', 'X2')", InvalidTypeError, "family", "a Family"),
        ("s.information_crossings(s.linear_family(d, d), 'X1', 'Z')", UnknownNameError, "subset: feature 'Z'", ""),
        ("s.information_crossings(s.linear_family(d, d), 'X1', 'X2', width=0)", InvalidValueError, "width", "above 0"),
    ],
    NAMES,
)


def test_a_superset_of_larger_risk_is_named() -> None:
    with pytest.raises(NotMonotoneError) as caught:
        selection.adversarial_with_risks({**TWO, ("X1",): "1/2"})
    check_message(caught.value, "risks", "not grow with the subset, not 1/2 for X1 and 2/5 for {}")
    assert [caught.value.subset, caught.value.superset] == [set(), {"X1"}]
