"""Every check of scikit-learn's own passes, for every selector and its configurations."""

from collections.abc import Callable

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fstheory.measures.criteria import gini
from fstheory.selection.stopping import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule
from fstheory.sklearn import (
    BackwardSearchSelector,
    BayesGreedySelector,
    CertaintyGainSelector,
    CMISelector,
    ExactSelector,
    OneShotSelector,
    SupportedFeaturesSelector,
    WrapperSelector,
)

PLAIN = [
    BackwardSearchSelector(),
    BayesGreedySelector(),
    CMISelector(),
    CertaintyGainSelector(),
    OneShotSelector(),
    SupportedFeaturesSelector(),
    WrapperSelector(),
]
FURTHER = [
    BackwardSearchSelector(tau="1/100", estimate="leave-one-out"),
    BackwardSearchSelector(holdout="1/3", ties="uniform"),
    BayesGreedySelector(criterion="logarithmic", direction="backward"),
    BayesGreedySelector(criterion=gini()),
    BayesGreedySelector(criterion="balanced", search="score", n_features_to_select=1),
    BayesGreedySelector(search="mrmr"),
    CMISelector(direction="forward", stop=ErrorRule("1/4", sharp=True)),
    CMISelector(direction="forward", stop=FeatureCountRule(1)),
    CMISelector(stop=FeatureScoreRule("1/100")),
    CMISelector(stop=ScoreDifferenceRule("1/100")),
    CMISelector(problem="regression", stop=FeatureCountRule(1)),
    CertaintyGainSelector(graph="1nn", ties="all"),
    CertaintyGainSelector(null="permutation", trials=9),
    CertaintyGainSelector(null="printed", categories="squared vdm", n_features_to_select=1),
    OneShotSelector(tau="1/100", estimate="leave-one-out"),
    OneShotSelector(holdout="1/3"),
    SupportedFeaturesSelector(criterion="zero_one", familywise="1/10", permutations=19),
    WrapperSelector(method="standard"),
    WrapperSelector(method="ordered", ties="uniform", holdout="1/2"),
]

Check = Callable[[ExactSelector], None]


@pytest.mark.filterwarnings("ignore")  # the data of the checks are measurements; scikit-learn warns of its own, too
@parametrize_with_checks(PLAIN)  # type: ignore[untyped-decorator]
def test_check(estimator: ExactSelector, check: Check) -> None:
    check(estimator)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(FURTHER)  # type: ignore[untyped-decorator]
def test_check_of_further_configurations(estimator: ExactSelector, check: Check) -> None:
    check(estimator)
