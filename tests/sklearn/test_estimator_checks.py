"""Every check of scikit-learn's own passes, for every selector and its configurations."""

import contextlib
import functools
import unittest
from collections.abc import Callable, Sequence

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fstheory import sklearn
from fstheory.measures.criteria import gini
from fstheory.selection.stopping import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule

Estimator = sklearn.ExactSelector | sklearn.QuestionTreeClassifier
PLAIN: list[Estimator] = [
    sklearn.BackwardSearchSelector(),
    sklearn.BayesGreedySelector(),
    sklearn.CMISelector(),
    sklearn.CertaintyGainSelector(),
    sklearn.ImportanceSelector(),
    sklearn.OneShotSelector(),
    sklearn.QuestionTreeClassifier(),
    sklearn.RelevantFeaturesSelector(),
    sklearn.SupportedFeaturesSelector(),
    sklearn.WrapperSelector(),
]
FURTHER: list[Estimator] = [
    sklearn.BackwardSearchSelector(tau="1/100", estimate="leave-one-out"),
    sklearn.BackwardSearchSelector(holdout="1/3", ties="uniform"),
    sklearn.BayesGreedySelector(criterion="logarithmic", direction="backward"),
    sklearn.BayesGreedySelector(criterion=gini()),
    sklearn.BayesGreedySelector(criterion="balanced", search="score", n_features_to_select=1),
    sklearn.BayesGreedySelector(search="mrmr"),
    sklearn.CMISelector(direction="forward", stop=ErrorRule("1/4", sharp=True)),
    sklearn.CMISelector(direction="forward", stop=FeatureCountRule(1)),
    sklearn.CMISelector(stop=FeatureScoreRule("1/100")),
    sklearn.CMISelector(stop=ScoreDifferenceRule("1/100")),
    sklearn.CMISelector(problem="regression", stop=FeatureCountRule(1)),
    sklearn.CertaintyGainSelector(graph="1nn", ties="all"),
    sklearn.CertaintyGainSelector(null="permutation", trials=19),
    sklearn.CertaintyGainSelector(null="printed", categories="squared vdm", n_features_to_select=1, familywise=None),
    sklearn.ImportanceSelector(kind="loco", criterion="logarithmic", n_features_to_select=1),
    sklearn.OneShotSelector(tau="1/100", estimate="leave-one-out"),
    sklearn.OneShotSelector(holdout="1/3"),
    sklearn.SupportedFeaturesSelector(criterion="zero_one", familywise="1/10", permutations=19),
    sklearn.WrapperSelector(method="standard"),
    sklearn.WrapperSelector(method="ordered", ties="uniform", holdout="1/2"),
]

Check = Callable[[Estimator], None]


FEW = sklearn.ImportanceSelector, sklearn.WrapperSelector
THIRTY = "check_sample_weight_equivalence_on_dense_data"  # this check has 30 columns, and the FEW refuse so many


def every_check_of(estimators: Sequence[Estimator]) -> pytest.MarkDecorator:
    """Return scikit-learn's own parametrization, with each check once: up to version 1.8 it lists one check twice."""
    mark = parametrize_with_checks(estimators).mark
    names, pairs = mark.args
    write = functools.cache(mark.kwargs["ids"])
    pairs = [pair for pair in pairs if not (isinstance(pair[0], FEW) and write(pair[1]) == THIRTY)]
    return pytest.mark.parametrize(names, {tuple(map(write, pair)): pair for pair in pairs}.values(), ids=write)


@pytest.mark.filterwarnings("ignore")  # the data of the checks are measurements; scikit-learn warns of its own, too
@every_check_of(PLAIN)
@pytest.mark.one_in(10)
def test_check(estimator: Estimator, check: Check) -> None:
    check(estimator)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(FURTHER)))
def test_checks_of_further_configurations(number: int) -> None:
    for estimator, check in every_check_of([FURTHER[number]]).args[1]:
        with contextlib.suppress(unittest.SkipTest):
            check(estimator)
