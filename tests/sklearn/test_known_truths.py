"""On data of which the truth is known the defaults find it or warn, in the words of the table that the docs show."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import fstheory as fs
from fstheory.distributions.rows import SUPPORT
from fstheory.errors import ArbitraryChoiceWarning
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
from tests.house import source
from tests.sklearn.known_truths import HEAD, SELECTORS, five_of_forty, mixed, table, two_of_sixty

Data = tuple[Any, Any, list[str]]
TRUTHS: list[Callable[[], Data]] = [five_of_forty, two_of_sixty, mixed]


QUICK = [("BayesGreedySelector", mixed)]
CELLS = [pytest.param(*cell, marks=[pytest.mark.thorough] * (cell not in QUICK)) for cell in product(SELECTORS, TRUTHS)]


@pytest.mark.parametrize(("name", "make"), CELLS)
def test_defaults_find_the_first_two_or_warn_as_the_docs_show(name: str, make: Callable[[], Data]) -> None:
    page = (source.ROOT / "docs" / "howto" / "scikit-learn-pipeline.md").read_text(encoding="utf-8")
    shown = page[page.index(HEAD) :]
    row = shown[shown.index(f"| `{name}` |") :].partition("\n")[0]
    said = table(name, make)
    assert row.strip("| ").split(" | ")[1 + TRUTHS.index(make)] == said
    assert "warns" in said or "refuses" in said or said.startswith(("2 of 2", "4 of 5", "5 of 5"))
    assert name != "SupportedFeaturesSelector" or "warns" not in said


def warned(selector: ExactSelector, X: Any, y: Any) -> str:
    with pytest.warns(ArbitraryChoiceWarning) as caught:
        selector.fit(X, y)
    assert caught[0].filename == __file__
    return str(caught[0].message)


def test_the_better_call_is_better() -> None:
    X, y, truth = five_of_forty()
    said = warned(BayesGreedySelector(), X, y)
    assert "in step 5 the table of 5 columns has 2.3 rows for each state that occurs" in said
    assert f"stop at 4, or {SUPPORT}" in said
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = BayesGreedySelector(n_features_to_select=4).fit(X, y)
        assert set(found.get_feature_names_out()) < set(truth)
        BayesGreedySelector(n_features_to_select=0.1).fit(X, y)
    X, y, truth = two_of_sixty()
    said = warned(BayesGreedySelector(n_features_to_select=2), X, y)
    assert "in step 1 all 60 candidates tie under the 0-1 loss" in said
    assert "criterion='balanced' or criterion='auc' or criterion='logarithmic' tells them apart" in said
    found = BayesGreedySelector(criterion="logarithmic", n_features_to_select=2).fit(X, y)
    assert set(found.get_feature_names_out()) == set(truth)
    assert "criterion='balanced'" in warned(SupportedFeaturesSelector(criterion="zero_one"), X, y)


def test_nothing_is_said_where_the_rows_decide() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 20)
    y = np.array([0, 1, 1, 1] * 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for selector in (BackwardSearchSelector(), OneShotSelector(), CMISelector(), WrapperSelector(random_state=0)):
            assert selector.fit(X, y).get_support().all()
    few = X[:12], y[:12]
    for selector in (BackwardSearchSelector(), CMISelector(), CMISelector(direction="forward")):
        assert "3.0 rows" in warned(selector, *few)
    same = np.column_stack([X[:, 0], X[:, 0]])
    assert "no criterion tells them apart" in warned(BayesGreedySelector(n_features_to_select=1), same, y)


def test_supported_features_are_those_of_the_library_with_scores() -> None:
    X, y, _ = mixed(300)
    options: dict[str, Any] = {"criterion": "balanced", "familywise": "1/10", "permutations": 19}
    found = SupportedFeaturesSelector(random_state=3, **options).fit(X, y)
    wanted = fs.samples.supported_features(found.sample_, rng=3, **options)
    assert found.result_ == wanted
    assert found.trace_ == wanted.steps
    assert found.scores_[X.columns.get_loc("num3")] == wanted.steps[0].left_out == min(found.scores_)
    found.distribution_ = None  # type: ignore[method-assign, assignment]  # of many cells, made for a law alone
    with pytest.raises(ValueError, match="law_ is not known of permutations"):
        found.law_(4)


def test_scores_are_exact_and_shares_are_read_as_written() -> None:
    X, y, _ = mixed()
    found = BayesGreedySelector(n_features_to_select=0.34).fit(X, y)
    assert found.get_support().sum() == 4  # 4.08
    assert list(found.scores_) == [fs.bayes_risk(found.sample_, {name}) for name in X.columns]
    ten = X.iloc[:, :10]
    assert BayesGreedySelector(criterion="logarithmic", n_features_to_select=0.3).fit(ten, y).get_support().sum() == 3
    told = CMISelector(direction="forward", stop=fs.selection.FeatureCountRule(1)).fit(X, y).scores_
    assert told[3] == max(told) == fs.mutual_information(found.sample_, {"num3"})
    with pytest.raises(ValueError, match="n_features_to_select must be above 0 and at most 1"):
        BayesGreedySelector(n_features_to_select=1.5).fit(X, y)


@pytest.mark.thorough
def test_the_level_is_searched_in_a_pipeline() -> None:
    X, y, truth = mixed()
    pipeline = make_pipeline(SupportedFeaturesSelector(random_state=0), OrdinalEncoder(), CategoricalNB())
    asked = {"supportedfeaturesselector__criterion": ["zero_one", "logarithmic"]}
    grid = GridSearchCV(clone(pipeline), asked, cv=2).fit(X, y)
    assert set(grid.best_estimator_[0].get_feature_names_out()) == set(truth)


@pytest.mark.thorough
def test_a_table_of_noise_has_no_neighbors_that_agree() -> None:
    kept, found = 0, 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, noise = rng.normal(size=(60, 6)), rng.normal(size=60)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ArbitraryChoiceWarning)
            kept += CertaintyGainSelector(random_state=0).fit(X, noise > 0).get_support().any()
            found += CertaintyGainSelector(random_state=0).fit(X, X[:, 3] + noise / 2 > 0).get_support()[3]
            assert CertaintyGainSelector(familywise=None).fit(X, noise > 0).get_support().any()  # as the paper does
    assert (kept <= 2, found) == (True, 12)


@pytest.mark.parametrize(
    "selector",
    [
        CertaintyGainSelector(random_state=0),
        SupportedFeaturesSelector(random_state=0),
        SupportedFeaturesSelector(random_state=0, criterion="auc"),
        OneShotSelector(tau="1/2"),
        BackwardSearchSelector(tau=1),
        WrapperSelector(random_state=0),
        CMISelector(direction="forward", stop=fs.selection.ErrorRule("1/2")),
    ],
)
def test_as_many_columns_are_kept_as_the_next_step_needs(selector: Any) -> None:
    X, y = np.random.default_rng(0).integers(0, 2, (60, 4)), np.random.default_rng(1).integers(0, 2, 60)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ArbitraryChoiceWarning)
        few = clone(selector).fit(X, y)
        assert few.get_support().sum() < 2
        assert not any("min_features" in str(warning.message) for warning in caught)
        found = clone(selector).set_params(min_features=2).fit(X, y)
        assert "than min_features=2: added are" in str(caught[-1].message)
    assert found.get_support().sum() == 2
    assert set(few.get_feature_names_out()) <= set(found.get_feature_names_out())
    assert found.result_.features == few.result_.features
    if not isinstance(selector, WrapperSelector | CMISelector):
        smaller = isinstance(selector, SupportedFeaturesSelector) and selector.criterion != "auc"
        order = sorted(range(4), key=lambda i: found.scores_[i] * (1 if smaller else -1))
        assert not few.get_support().any()
        assert set(np.flatnonzero(found.get_support())) == set(order[:2])
    with pytest.raises(ValueError, match="min_features must be at most 4, the number of columns"):
        clone(selector).set_params(min_features=5).fit(X, y)


@pytest.mark.thorough
def test_the_five_of_forty_are_found_in_many_rows() -> None:
    X, y, truth = five_of_forty(100_000)
    found = SupportedFeaturesSelector(random_state=0).fit(X, y)
    assert set(found.get_feature_names_out()) == set(truth)
