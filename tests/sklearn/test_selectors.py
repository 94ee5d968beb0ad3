"""What the selectors return is what the exact methods return on the empirical distribution, in all that people pass."""

import itertools
import pickle
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings, strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

import fstheory as fs
from fstheory.points.certainty import select_by_certainty_gain
from fstheory.points.mixed import MixedPoints
from fstheory.samples.methods import Method
from fstheory.selection.greedy import mrmr
from fstheory.selection.stopping import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule
from fstheory.sklearn import (
    BackwardSearchSelector,
    BayesGreedySelector,
    CertaintyGainSelector,
    CMISelector,
    ExactSelector,
    ImportanceSelector,
    ManyStatesWarning,
    OneShotSelector,
    RelevantFeaturesSelector,
    SampleSelector,
    SupportedFeaturesSelector,
    WrapperSelector,
)

Row: TypeAlias = tuple[int, ...]

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # as rows are few, on purpose
FEW = pytest.mark.filterwarnings("ignore::fstheory.sklearn.ManyStatesWarning")


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Draw rows of one to four features with up to three states, and of two or three classes."""
    n, classes = draw(st.integers(1, 4)), draw(st.integers(2, 3))
    cells = [st.integers(0, draw(st.integers(0, 2))) for _ in range(n)]
    rows = draw(st.lists(st.tuples(*cells, st.integers(0, classes - 1)), min_size=3, max_size=20))
    assume(len({row[-1] for row in rows}) > 1)
    return rows


def split(rows: list[Row]) -> tuple[Any, Any]:
    table = np.array(rows)
    return table[:, :-1], table[:, -1]


def population(rows: list[Row]) -> fs.JointDistribution:
    names = [f"x{i}" for i in range(len(rows[0]) - 1)]
    return fs.JointDistribution.from_samples(rows, features=names, target="y")


def held_out(s: fs.Sample, part: int) -> int:
    return max(1, s.m // part)


Wanted: TypeAlias = Callable[[fs.Sample, int], Any]
NAMED = ("balanced", "gini", "logarithmic", "squared_error", "zero_one")  # for any number of classes, without costs
LEFT = "leave-one-out"
NEAREST: dict[str, Any] = {"inducer": "3-nn", "estimate": "2-fold"}
RULES = [ErrorRule("1/3"), FeatureCountRule(1), FeatureScoreRule("1/20"), ScoreDifferenceRule("1/20")]
CALLS: list[tuple[ExactSelector, Wanted]] = [
    (OneShotSelector(), lambda s, k: fs.fit(s, fs.FOS(tau="1/20"))),
    (OneShotSelector(tau=Fraction(1, 4), estimate=LEFT), lambda s, k: fs.fit(s, fs.FOS(tau="1/4", estimate=LEFT))),
    (BackwardSearchSelector(**NEAREST, random_state=3), lambda s, k: fs.fit(s, fs.FBS(**NEAREST), rng=3)),
    (BackwardSearchSelector(), lambda s, k: fs.fit(s, fs.FBS(tau="1/20", ties="first"))),
    (
        BackwardSearchSelector(tau="1/7", holdout="1/3", ties="uniform", random_state=5),
        lambda s, k: fs.fit(s, fs.FBS(tau="1/7", ties="uniform", holdout=held_out(s, 3)), rng=5),
    ),
    (
        WrapperSelector(holdout="1/50", random_state=2**32 - 1),
        lambda s, k: fs.fit(s, fs.OrderedFS(holdout=held_out(s, 50), ties="first"), rng=2**32 - 1),
    ),
    (
        WrapperSelector(method="standard", holdout=1, random_state=0),
        lambda s, k: fs.fit(s, fs.StandardWrap(holdout=1, ties="first"), rng=0),
    ),
    *((BayesGreedySelector(criterion=name), lambda s, k, name=name: fs.select(s, k, name)) for name in NAMED),
    (BayesGreedySelector(direction="backward"), lambda s, k: fs.select(s, k, method="greedy-backward")),
    (BayesGreedySelector(criterion="gini", search="score"), lambda s, k: fs.select(s, k, "gini", "score")),
    (BayesGreedySelector(criterion=fs.criteria.gini()), lambda s, k: fs.select(s, k, "gini")),
    (BayesGreedySelector(search="mrmr"), mrmr),
    (CMISelector(), lambda s, k: fs.cmi_elimination(s, ErrorRule("1/10"))),
    (
        CMISelector(direction="forward", problem="regression"),
        lambda s, k: fs.cmi_selection(s, ErrorRule("1/10"), problem="regression"),
    ),
    *((CMISelector(stop=r), lambda s, k, r=r: fs.cmi_elimination(s, r)) for r in RULES),
    *((CMISelector(direction="forward", stop=r), lambda s, k, r=r: fs.cmi_selection(s, r)) for r in RULES),
]


@pytest.mark.quick
@FEW
@settings(max_examples=5)
@given(tables(), st.data())
def test_a_selector_is_a_call_of_the_library(rows: list[Row], data: st.DataObject) -> None:
    """On the rows as a sample; that these calls are the definitions is tested with them."""
    k = data.draw(st.integers(1, len(rows[0]) - 1))
    names = [f"x{i}" for i in range(len(rows[0]) - 1)]
    s = fs.Sample(rows, features=names, target="y")
    for selector, call in CALLS:
        fitted = clone(selector)
        if isinstance(fitted, BayesGreedySelector):
            fitted.set_params(n_features_to_select=k)
        wanted = call(s, k)
        assert fitted.fit(*split(rows)).sample_ == s
        assert fitted.result_ == wanted
        assert fitted.trace_ == wanted.trace
        assert set(fitted.get_feature_names_out()) == set(wanted.features)
        assert fitted.get_support().tolist() == [name in wanted.features for name in names]


@FEW
@settings(max_examples=20)
@given(tables(), st.sampled_from(["shapley", "loco", "mci"]), st.sampled_from(["zero_one", "gini"]), st.data())
def test_the_columns_of_highest_importance_are_kept(rows: list[Row], kind: Any, by: str, data: st.DataObject) -> None:
    n = len(rows[0]) - 1
    k = data.draw(st.integers(1, n))
    found = ImportanceSelector(kind=kind, criterion=by, n_features_to_select=k).fit(*split(rows))
    wanted = fs.importance(fs.Sample(rows, features=[f"x{i}" for i in range(n)], target="y"), kind, criterion=by)
    assert (found.result_, found.scores_.tolist(), found.price_) == (wanted, [*wanted.values()], wanted.price(k))
    by_hand = sorted(range(n), key=lambda i: -found.scores_[i])[:k]  # the first of those that tie
    assert found.get_support().tolist() == [i in by_hand for i in range(n)]


def test_a_ranking_says_what_it_loses_and_how_sure_it_is() -> None:
    X = [[a, a, b, b, b] for a in (0, 1) for b in (0, 1)] * 5
    y = [0, 1, 1, 0] * 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ImportanceSelector(n_features_to_select=2).fit(X, y)
    assert found.get_support(indices=True).tolist() == [0, 1]
    assert found.price_.lost == 1  # in its state, a row is outvoted by the others
    assert ImportanceSelector(n_features_to_select=2, criterion="logarithmic").fit(X, y).price_.lost > 0
    with pytest.warns(fs.errors.ArbitraryChoiceWarning, match="x2, x3, x4 tie for the last places") as caught:
        tied = ImportanceSelector(n_features_to_select=3).fit(X, y)
    assert (tied.get_support(indices=True).tolist(), caught[0].filename) == ([0, 1, 2], __file__)
    law = ImportanceSelector(n_features_to_select=1).fit([row[1:3] for row in X], [row[1] for row in X]).law_(4)
    same = [(a, b) for a in (0, 1) for b in (0, 1)]  # by hand, over all 256 orders of four rows
    ranked = Counter(
        fs.importance(fs.Sample([(a, b, a) for a, b in drawn], features=["x0", "x1"], target="y")).ranking()[0][0]
        for drawn in itertools.product(same, repeat=4)
    )
    assert {name: law[{name}] for name in ranked} == {name: Fraction(n, 256) for name, n in ranked.items()}


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (pd.Series([2**53, 2**53 + 1] * 10, dtype="Int64"), (2**53, 2**53 + 1)),
        ([2**63, -1] * 10, (-1, 2**63)),
        ([2**70 + 1, 2**70] * 10, (2**70, 2**70 + 1)),
        (np.array([Fraction(1, 3), Fraction(1, 7)] * 10, dtype=object), (Fraction(1, 7), Fraction(1, 3))),
        ([Decimal("0.3"), Decimal("0.1")] * 10, (Fraction(1, 10), Fraction(3, 10))),
        (np.array([0.5, 0.1] * 10, dtype=np.float32), (Fraction(13421773, 134217728), Fraction(1, 2))),
        ([True, False] * 10, (0, 1)),
    ],
)
def test_numbers_of_a_regression_are_not_rounded(y: Any, classes: tuple[Any, ...]) -> None:
    """Arrays of objects, and integers beside which NumPy would make floats, are read as they were given."""
    found = CMISelector(problem="regression", stop=FeatureCountRule(1)).fit(np.array([[0], [1]] * 10), y)
    assert found.sample_.classes == classes


@FEW
@pytest.mark.parametrize("rows", [[(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 0, 0)], [(0, 2), (1, 0), (1, 1)]])
def test_laws_are_those_of_the_method_on_the_empirical_distribution(rows: list[Row]) -> None:
    d = population(rows)
    methods: dict[ExactSelector, Method] = {
        OneShotSelector(tau="1/4"): fs.FOS(tau="1/4"),
        BackwardSearchSelector(tau="1/4", ties="uniform", random_state=0): fs.FBS(tau="1/4", ties="uniform"),
        WrapperSelector(holdout="2/3", random_state=0): fs.OrderedFS(holdout=2, ties="first"),
        WrapperSelector(holdout=1, inducer="1-nn", random_state=0): fs.OrderedFS(holdout=1, inducer="1-nn"),
        OneShotSelector(inducer="naive-bayes"): fs.FOS(inducer="naive-bayes"),
        BayesGreedySelector(): fs.PlugIn(select=lambda e: fs.select(e, 1)),
        CMISelector(stop=FeatureCountRule(0)): fs.PlugIn(select=lambda e: ()),
    }
    for selector, method in methods.items():
        assert selector.fit(*split(rows)).law_(3).outcomes == fs.selection_law(d, 3, method).outcomes
    assert OneShotSelector().fit(*split(rows)).law_().m == len(rows)


def frame(m: int = 60) -> tuple[Any, Any]:
    """Return a DataFrame with all kinds of columns, and a class that depends on two of them."""
    rng = np.random.default_rng(0)
    sky = rng.choice(["sun", "rain", "snow"], m)
    X = pd.DataFrame(
        {
            "sky": sky,
            "day": pd.Categorical(rng.choice(["Tue", "Mon"], m), categories=["Mon", "Tue", "Wed"]),
            "busy": rng.integers(0, 2, m).astype(bool),
            "week": rng.integers(1, 5, m),
            "odd": np.array(["1", 1], dtype=object)[rng.integers(0, 2, m)],
        }
    )
    return X, pd.Series(np.where((sky == "rain") | (sky == "snow") & X["busy"], "wet", "dry"), name="ground")


def test_a_frame_is_read_as_a_sample_reads_it() -> None:
    X, y = frame()
    found = BayesGreedySelector(n_features_to_select=2).set_output(transform="pandas").fit(X, y)
    without = X.drop(columns="odd").assign(ground=y)
    assert found.sample_.keep(without.columns[:-1]) == fs.Sample.from_frame(without, target="ground")
    assert found.sample_.states["odd"] == (1, "1")
    assert list(found.get_feature_names_out()) == ["sky", "busy"]
    assert found.result_.features == fs.select(found.sample_, 2).features
    pd.testing.assert_frame_equal(found.transform(X), X[["sky", "busy"]])
    unseen = X.assign(sky="hail")
    pd.testing.assert_frame_equal(found.transform(unseen), unseen[["sky", "busy"]])


EACH = [
    BackwardSearchSelector(), BayesGreedySelector(n_features_to_select=1), CMISelector(), CertaintyGainSelector(),
    ImportanceSelector(n_features_to_select=1), OneShotSelector(),
    RelevantFeaturesSelector(random_state=0), SupportedFeaturesSelector(random_state=0),
    WrapperSelector(random_state=0),
]  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("selector", EACH, ids=repr)
@pytest.mark.parametrize("kind", ["pyarrow", "numpy_nullable", "category"])
def test_the_types_of_a_frame_do_not_matter(selector: ExactSelector, kind: Any) -> None:
    """Columns of Arrow, columns that can hold missing values, categories: also beside columns of NumPy."""
    if kind == "pyarrow":
        pytest.importorskip("pyarrow")
    drawn = np.random.default_rng(1)
    table = {"i": drawn.integers(0, 3, 60), "s": drawn.choice(["a", "b"], 60), "b": drawn.integers(0, 2, 60) > 0}
    X = pd.DataFrame(table | {"x": drawn.integers(0, 4, 60) / 2})
    y = pd.Series(2**53 + (X.i + X.b > 1), name="y")  # as floats the two classes would be equal
    other = {
        name: X[[name]].convert_dtypes(dtype_backend=kind) if kind != "category" else X[[name]].astype(kind)
        for name in "is"
    }
    typed = pd.concat([other["i"], other["s"], X[["b", "x"]]], axis=1)
    found = clone(selector).fit(X.astype(object), y)
    again = clone(selector).fit(
        typed, y.astype("Int64") if kind == "category" else y.convert_dtypes(dtype_backend=kind)
    )
    assert again.get_support().tolist() == found.get_support().tolist()
    assert again.transform(typed).tolist() == found.transform(X.astype(object)).tolist()
    if isinstance(found, SampleSelector):
        assert again.sample_.states == found.sample_.states
    with pytest.raises(fs.errors.InvalidValueError, match="Input y contains NaN; drop these rows"):
        clone(selector).fit(X, pd.Series([0, None, *y[2:]], dtype="Int64"))
    kept = typed.columns[again.get_support()]
    pd.testing.assert_frame_equal(again.set_output(transform="pandas").transform(typed), typed[kept])


@pytest.mark.parametrize(
    "selector",
    [
        BackwardSearchSelector(holdout="1/3", ties="uniform", random_state=1),
        BayesGreedySelector(criterion="logarithmic"),
        CMISelector(direction="forward"),
        ImportanceSelector(kind="loco", criterion="logarithmic"),
        OneShotSelector(),
        WrapperSelector(ties="uniform", random_state=1),
    ],
    ids=repr,
)
def test_the_order_of_the_rows_does_not_matter_and_what_is_fitted_can_be_pickled(selector: ExactSelector) -> None:
    X, y = frame()
    found = selector.fit(X, y)
    for order in (range(len(X)), reversed(range(len(X)))):
        mixed = sorted(order, key=lambda i: len(repr(X["odd"][i])))  # first all numbers
        for rows in (mixed, mixed[::-1]):
            again = clone(selector).fit(X.iloc[rows], y.iloc[rows])
            assert (again.sample_, again.trace_) == (found.sample_, found.trace_)
            assert again.result_.features == found.result_.features
    back = pickle.loads(pickle.dumps(found))
    assert (back.result_, back.sample_) == (found.result_, found.sample_)
    assert (back.get_support() == found.get_support()).all()


def test_the_seed_decides() -> None:
    X, y = frame()
    assert WrapperSelector(ties="uniform", random_state=7).fit(X, y).result_.method.ties == "uniform"
    by_state = [WrapperSelector(random_state=np.random.RandomState(3)).fit(X, y).result_ for _ in range(2)]
    assert by_state[0] == by_state[1]
    splits = {WrapperSelector(random_state=seed).fit(X, y).result_.training for seed in range(5)}
    assert len(splits) == 5


def test_a_search_over_tau_in_a_pipeline() -> None:
    X, y = frame(120)
    pipeline = make_pipeline(
        OrdinalEncoder().set_output(transform="pandas"),
        BackwardSearchSelector(),
        DecisionTreeClassifier(random_state=0),
    )
    grid = GridSearchCV(pipeline, {"backwardsearchselector__tau": ["1/5", "1/20"]}, cv=3)
    grid.fit(X.drop(columns="odd"), y)
    assert grid.best_params_ == {"backwardsearchselector__tau": "1/20"}
    assert grid.best_estimator_[:-1].get_feature_names_out().tolist() == ["sky", "busy"]
    assert grid.best_score_ == 1


def measured(m: int = 40) -> tuple[Any, Any]:
    """Return a DataFrame of numbers and categories, and a class that depends on one of each."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(m, 4)), columns=list("abcd"))
    X["e"] = rng.choice(["u", "v", "w"], m)
    X["f"] = pd.Categorical(rng.integers(0, 3, m))
    return X, pd.Series(np.where((X["c"] > 0) & (X["e"] != "u"), "yes", "no"), name="class")


def test_bins_are_made_in_front_and_never_behind() -> None:
    X = measured(200)[0][list("abcd")]
    y = (X["c"] > 0) & (X["a"] < 1)
    bins = KBinsDiscretizer(6, encode="ordinal", strategy="uniform").set_output(transform="pandas")
    pipeline = make_pipeline(bins, BayesGreedySelector(n_features_to_select=2)).fit(X, y)
    binned = bins.fit_transform(X).assign(y=y)
    exact = fs.select(fs.Sample.from_frame(binned, target="y"), 2)
    assert pipeline[-1].result_.features == exact.features
    assert set(pipeline[-1].get_feature_names_out()) == {"a", "c"}
    assert pipeline[-1].result_.value == exact.value
    with pytest.warns(ManyStatesWarning, match=r"columns \['a', 'b', 'c', 'd'\]: pass bins=4"):
        raw = BayesGreedySelector(n_features_to_select=1).fit(X, y)
    assert raw.sample_.cardinalities == (200,) * 4
    assert (raw.result_.features, raw.result_.value) == (("a",), 0)


@pytest.mark.parametrize(
    ("column", "warned"),
    [
        (np.arange(100) % 20, False),
        (np.arange(100) % 21, True),
        (np.arange(1000) % 31, False),
        (np.arange(1000) % 31 + 0.5, True),
        (np.arange(1000) % 30 + 0.5, False),
        ([0, 1, 0], False),
    ],
)
def test_columns_with_very_many_values_are_warned_of(column: Any, warned: bool) -> None:
    X = pd.DataFrame({"it": column, "other": np.arange(len(column)) % 2})
    selector = BayesGreedySelector()
    if not warned:
        selector.fit(X, X["other"])
        return
    with pytest.warns(ManyStatesWarning, match=r"columns \['it'\]") as caught:
        selector.fit(X, X["other"])
    assert caught[0].filename == __file__


@pytest.mark.thorough
def test_a_weight_stands_for_equal_rows() -> None:
    """This holds of every selector that reads a sample. Other weights are refused."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 3, (40, 3)), columns=["a", "b", "c"])
    y, times = (X["a"] + rng.integers(0, 2, 40)) % 2, rng.integers(0, 4, 40)
    for selector in (
        BayesGreedySelector(), CMISelector(), OneShotSelector(), SupportedFeaturesSelector(random_state=0),
        RelevantFeaturesSelector(random_state=0),
    ):  # fmt: skip
        weighted = clone(selector).fit(X, y, sample_weight=times.astype(float))
        assert weighted.sample_ == selector.fit(X.loc[X.index.repeat(times)], y.loc[y.index.repeat(times)]).sample_
        assert weighted.result_ == selector.result_
    with pytest.raises(ValueError, match="sample_weight must be of whole numbers of at least 0"):
        BayesGreedySelector().fit(X, y, sample_weight=times / 2)
    with pytest.raises(ValueError, match=r"sample_weight must be of shape \(40,\)"):
        BayesGreedySelector().fit(X, y, sample_weight=times[1:])


@pytest.mark.parametrize("kind", [RelevantFeaturesSelector, SupportedFeaturesSelector])
def test_a_design_is_that_of_the_function(kind: type[Any]) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (60, 4)), columns=["a", "b", "c", "d"])
    y = (X["a"] ^ X["b"]).rename("y")
    joined = kind(random_state=0, together=[["a", "b"]]).fit(X, y)
    assert list(joined.get_feature_names_out()) == ["a", "b"]
    assert joined.result_.features == ("a & b",)
    kept = kind(random_state=0, always=["b"]).fit(X, y)
    assert list(kept.get_feature_names_out()) == ["a", "b"]
    function = fs.samples.relevant_features if kind is RelevantFeaturesSelector else fs.samples.supported_features
    times = rng.integers(1, 4, 60)
    rows = X.loc[X.index.repeat(times)].assign(groups=np.repeat(np.arange(60), times), y=y.loc[y.index.repeat(times)])
    grouped = kind(random_state=0, min_features=1).fit(rows[["a", "b", "c", "d"]], rows["y"], groups=rows["groups"])
    s = fs.Sample.from_frame(rows, target="y", keep_continuous=["groups"])
    assert grouped.result_ == function(s, rng=0, groups="groups")
    assert grouped.sample_.features == ("a", "b", "c", "d")
    with pytest.raises(ValueError, match=r"groups must be of shape \(60,\)"):
        kind().fit(X, y, groups=[1])


ONES = np.ones((20, 2), dtype=int)
BITS = [0, 1] * 10


def with_missing(value: Any, dtype: Any = object) -> Any:
    return pd.DataFrame({"a": pd.array([value, "x"] * 10, dtype=dtype), "b": ONES[:, 0]})


def in_an_array(value: Any) -> Any:
    return np.array([[value, "x"]] * 20, dtype=object)


def one_shot(X: Any, y: Any = BITS, **parameters: Any) -> Any:
    return OneShotSelector(**parameters).fit(X, y)


def fitted(kind: Callable[..., ExactSelector], /, y: Any = BITS, **parameters: Any) -> Any:
    return kind(**parameters).fit(ONES, y)


NUMBERS, CLASSES = measured()


def gain(X: Any = NUMBERS, y: Any = CLASSES, **parameters: Any) -> Any:
    return CertaintyGainSelector(**parameters).fit(X, y)


REFUSED: list[tuple[str, type[Exception], str]] = [
    ("one_shot(np.where(ONES, np.nan, 0))", ValueError, "Input X contains NaN"),
    ("one_shot(with_missing(None))", ValueError, r"Input X contains NaN, in the columns \['a'\]; pass missing="),
    ("one_shot(with_missing(None, 'category'))", ValueError, "Input X contains NaN"),
    ("one_shot(in_an_array(None))", ValueError, "Input X contains NaN or None, in column 'x0' of X"),
    ("one_shot(in_an_array({}))", TypeError, "argument must be a string or a number in column 'x0'"),
    ("one_shot(ONES, [1] * 20)", ValueError, "y must be of 2 classes or more, got 1 class: 1"),
    ("one_shot(ONES, tau=0.05)", TypeError, "tau must be an exact number"),
    ("one_shot(ONES, np.array(['a', None] * 10, dtype=object))", TypeError, "labels of one type"),
    ("one_shot(pd.DataFrame({'t': pd.date_range('2020', periods=20), 'n': 1}))", TypeError, "times"),
    ("one_shot([[2**53, 0.5], [2**53 + 1, 0.5]] * 10)", ValueError, "X must be of integers below"),
    ("one_shot(ONES, [2**63, 2**63 + 1, -1, 0] * 5)", ValueError, "y must be of integers below"),
    ("fitted(BackwardSearchSelector, ties='last')", ValueError, "ties must be one of first, uniform"),
    ("fitted(BackwardSearchSelector, holdout=20)", ValueError, "holdout must be above 0 and below m = 20"),
    ("fitted(WrapperSelector, method='x')", ValueError, "method must be one of ordered, standard"),
    ("fitted(WrapperSelector, random_state=-1)", ValueError, "random_state must be at least 0"),
    ("WrapperSelector().fit(np.ones((20, 17)), BITS)", ValueError, "of at most 16 features"),
    ("WrapperSelector(random_state=0).fit(ONES, BITS).law_('3')", TypeError, "m must be an integer"),
    ("fitted(BayesGreedySelector, criterion='x')", KeyError, "criterion 'x' does not exist"),
    ("fitted(BayesGreedySelector, search='x')", ValueError, "search must be one of"),
    ("fitted(BayesGreedySelector, direction='x')", ValueError, "direction must be one of"),
    ("fitted(BayesGreedySelector, search='mrmr', direction='backward')", ValueError, "direction must be 'forw"),
    ("fitted(BayesGreedySelector, n_features_to_select=3)", ValueError, "n_features_to_select must be at most 2"),
    ("fitted(ImportanceSelector, kind='x')", KeyError, "kind of importance 'x' does not exist"),
    ("fitted(ImportanceSelector, kind=['1/2'])", ValueError, "kind must be 2 weights, for subsets of 0 to 1"),
    ("fitted(ImportanceSelector, n_features_to_select=3)", ValueError, "n_features_to_select must be at most 2"),
    ("ImportanceSelector().fit(np.ones((20, 19)), BITS)", ValueError, "not 19; select some in a step before"),
    ("fitted(CMISelector, stop='x')", TypeError, "stop must be a stopping rule"),
    ("fitted(CMISelector, problem='x')", ValueError, "problem must be one of"),
    ("fitted(CMISelector, ['a', 'b'] * 10, problem='regression')", ValueError, r"y\[0\] must be an exact number"),
    ("fitted(CMISelector, bound=1)", ValueError, "bound must be left out for classification"),
    ("gain(graph='x')", ValueError, "graph must be one of"),
    ("gain(null='x')", ValueError, "null must be one of"),
    ("gain(ties='refuse')", ValueError, "coincident points"),
    ("gain(categories='vdm2')", ValueError, "under a distance that does not look at labels"),
    ("gain(categorical=['z'])", KeyError, "feature 'z' does not exist"),
    ("gain(n_features_to_select=7)", ValueError, "n_features_to_select must be at most 6, the number of columns"),
    ("gain(null='permutation', trials=0)", ValueError, "trials must be at least 1"),
    ("gain(null='permutation', random_state=-1)", ValueError, "random_state must be at least 0"),
    ("gain(NUMBERS.assign(a=np.nan))", ValueError, r"Input X contains NaN, in the columns \['a'\]; impute, or drop"),
    ("gain(y=['yes'] * 40)", ValueError, "got 1 class"),
    ("gain(y=NUMBERS['a'])", ValueError, "Unknown label type"),
    ("gain([['u', 1.5], [1, 2]] * 20)", ValueError, r"'x0' must be a number, not 'u'; .* in categorical="),
    ("gain(y=np.arange(40) % 3, null='exact')", fs.TooLargeError, "or few labelings"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED, ids=[call for call, *_ in REFUSED])
def test_refusals(call: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        eval(call)


def test_what_is_not_fitted_or_of_another_shape_is_refused() -> None:
    X, y = frame()
    for ask in ("get_support", "get_feature_names_out", "distribution_", "law_"):
        with pytest.raises(NotFittedError):
            getattr(OneShotSelector(), ask)()
    with pytest.raises(NotFittedError):
        OneShotSelector().trace_  # noqa: B018
    found = BayesGreedySelector().fit(X, y)
    with pytest.raises(ValueError, match="Feature names"):
        found.transform(X.iloc[:, :2])
    with pytest.raises(ValueError, match="X has 2 features, but OneShotSelector is expecting 5"):
        OneShotSelector().fit(X.to_numpy(), y).transform(X.to_numpy()[:, :2])


def test_constant_columns_and_no_columns() -> None:
    assert BayesGreedySelector().fit(ONES, BITS).get_support().tolist() == [True, False]
    assert gain(np.ones((10, 2)), [0, 1] * 5).get_support().tolist() == [False, False]
    assert CMISelector().fit(ONES, BITS).trace_[0].value == 0
    nothing = OneShotSelector().fit(ONES, BITS)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert nothing.transform(ONES).shape == (20, 0)
    assert nothing.inverse_transform(np.empty((20, 0))).tolist() == [[0, 0]] * 20
    some = BayesGreedySelector().fit(ONES, BITS)
    assert some.inverse_transform(some.transform(ONES)).tolist() == [[1, 0]] * 20


def test_names_and_defaults() -> None:
    """The class has the name of its Series unless a column bears it."""
    X, y = frame()
    assert OneShotSelector().fit(X, y).sample_.target == "ground"
    assert OneShotSelector().fit(X.rename(columns={"sky": "y"}), y.to_numpy()).sample_.target == "y_"
    assert OneShotSelector().fit(ONES, BITS).sample_.features == ("x0", "x1")
    assert CMISelector().fit(ONES, BITS).result_.stop == ErrorRule("1/10")
    assert BayesGreedySelector().fit(np.ones((20, 7)), BITS).get_support().sum() == 3
    assert get_tags(OneShotSelector()).input_tags.categorical


def test_a_fitted_selector_shows_itself_without_computing_anything_large() -> None:
    """Scikit-learn reads all attributes for that; so what is large is a method."""
    X = np.tile(np.arange(2)[:, None], (50, 40))
    selector = BayesGreedySelector(n_features_to_select=1).fit(X, X[:, 0])
    assert "BayesGreedySelector" in selector._repr_html_()
    assert selector.distribution_().total == 2  # two possible cells, in place of 2**41
    with pytest.raises(fs.TooLargeError):
        selector.law_()
    assert selector.sample_.empirical({"x0"}).total == 2


def answer(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


@pytest.mark.thorough
def test_it_is_loaded_when_asked_for_and_says_what_it_needs() -> None:
    assert answer("import sys, fstheory; fstheory.selection.select; print('sklearn' in sys.modules)") == "False\n"
    without = (
        "import sys; sys.modules['sklearn'] = None\nfrom fstheory.errors import MissingDependencyError\n"
        "try:\n    import fstheory.sklearn\nexcept MissingDependencyError as error:\n    print(error)"
    )
    wanted = r"fstheory.sklearn needs scikit-learn .*; install it with: pip install '\.\[learn\]' in the checkout .*\n"
    assert re.fullmatch(wanted, answer(without))


# -- The selection by certainty gain, of points.


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"graph": "1nn", "ties": "all"},
        {"null": "printed"},
        {"null": "printed", "categories": "squared vdm"},
        {"null": "permutation", "trials": 50, "random_state": 3},
        {"categorical": ["f"], "n_features_to_select": 1},
        {"familywise": "1/4", "trials": 50, "random_state": 3},
    ],
    ids=str,
)
def test_it_is_the_walk_of_the_library(options: dict[str, Any]) -> None:
    X, y = measured(16)
    if "categorical" in options:
        X = X.drop(columns="e")
    options = {"familywise": None} | options
    selector = clone(CertaintyGainSelector(**options)).fit(X, y)
    of_walk = {"graph", "null", "ties", "trials", "familywise"}
    walk = {"ties": "first"} | {name: options[name] for name in options if name in of_walk}
    walk |= {"rng": options["random_state"]} if "random_state" in options else {}
    of_points: dict[str, Any] = {"categories": "overlap"} | {
        name: options[name] for name in options if name in {"numbers", "categories", "categorical"}
    }
    points = MixedPoints(X, y.tolist(), **of_points)
    wanted = select_by_certainty_gain(points, max_features=options.get("n_features_to_select"), **walk)
    assert selector.result_ == wanted
    assert set(selector.get_feature_names_out()) == set(wanted.features)
    assert selector.trace_ == wanted.trace
    assert selector.trace_[0].gain.value > 0


def test_it_finds_what_matters_in_a_pipeline_and_has_the_law_beside() -> None:
    X, y = measured(150)
    pipeline = make_pipeline(StandardScaler(), CertaintyGainSelector()).set_output(transform="pandas")
    assert pipeline.fit_transform(X[["a", "b", "c"]], y).columns.tolist() == ["c"]
    first = pipeline[-1].trace_[0].gain
    assert first.null.mean < first.statistic
    assert first.labels == tuple(y)


def test_arrays_have_the_names_of_scikit_learn_and_classes_any_labels() -> None:
    X, y = measured()
    array = X[["a", "b", "c"]].to_numpy()
    plain = CertaintyGainSelector(n_features_to_select=1).fit(array, y)
    assert plain.result_.features == ("x2",)
    for classes in ((y == "yes").to_numpy(), (y == "yes").to_numpy(dtype=float), (y == "yes").astype(int)):
        assert CertaintyGainSelector(n_features_to_select=1).fit(array, classes).result_.features == ("x2",)
    numbered = X[["a", "b", "c"]].set_axis([0, 1, 2], axis=1)
    assert CertaintyGainSelector(n_features_to_select=1).fit(numbered, y).get_feature_names_out().tolist() == ["x2"]


def with_holes(rows: int = 300) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Return a measured column that decides the class, one that does not, and one of words, with missing values."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"b": rng.normal(size=rows), "a": rng.normal(size=rows), "s": rng.choice(["u", "v"], rows)})
    y = np.where(frame["a"] > 0, "yes", "no")
    frame.loc[rng.random(rows) < 0.1, "a"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "s"] = None
    return frame, y


@pytest.mark.parametrize("missing", ["label", "drop"])
@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_numbers_and_missing_values_enter_as_from_a_frame(missing: Any, kind: str) -> None:
    frame, y = with_holes()
    given: Any = frame
    if kind == "polars":
        given = pytest.importorskip("polars").from_pandas(frame)
    elif kind == "arrow":
        given = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    selector = BayesGreedySelector(n_features_to_select=1, bins=4, missing=missing).fit(given, y)
    expected = fs.Sample.from_frame(frame.assign(y=y), target="y", bins=4, missing=missing)
    assert selector.sample_ == expected
    assert list(selector.get_feature_names_out()) == ["a"]
    chosen = selector.transform(given)
    assert np.asarray(chosen).shape == (len(frame), 1)
    assert np.isnan(np.asarray(chosen, dtype=float)).sum() == frame["a"].isna().sum()


def test_binned_rows_keep_their_weights_and_groups() -> None:
    frame, y = with_holes(60)
    weights = np.arange(60) % 3
    selector = RelevantFeaturesSelector(bins=2, missing="label", random_state=0)
    repeated = frame.loc[np.repeat(frame.index, weights)].reset_index(drop=True)
    expected = fs.Sample.from_frame(repeated.assign(y=np.repeat(y, weights)), target="y", bins=2, missing="label")
    assert selector.fit(frame, y, sample_weight=weights).sample_ == expected
    assert selector.fit(frame, y, groups=np.arange(60) // 2).sample_.features == ("b", "a", "s")


def test_missing_values_pass_through_a_pipeline() -> None:
    frame, y = with_holes()
    first = RelevantFeaturesSelector(bins=4, missing="label", random_state=0)
    model = make_pipeline(first, DecisionTreeClassifier(max_depth=2)).fit(frame, y)
    assert model[:-1].get_feature_names_out().tolist() == ["a"]
    assert model.score(frame, y) > 0.8


def test_dates_enter_as_ranges_of_time_alone() -> None:
    frame, y = with_holes(60)
    frame["day"] = pd.date_range("2025-01-01", periods=60)
    selector = RelevantFeaturesSelector(bins=2, missing="label", random_state=0).fit(frame, y)
    assert selector.sample_.states["day"] == ("at most 2025-01-30 00:00:00", "over 2025-01-30 00:00:00")
    with pytest.raises(fs.errors.InvalidValueError, match="bins must be numbers or edges for a selector"):
        RelevantFeaturesSelector(bins={None: 2, "day": "calendar"}, missing="label").fit(frame, y)


def test_an_array_with_missing_numbers_enters_if_it_may() -> None:
    frame, y = with_holes()
    array = frame[["b", "a"]].to_numpy()
    with pytest.raises(ValueError, match="contains NaN"):
        BayesGreedySelector(bins=4).fit(array, y)
    found = BayesGreedySelector(n_features_to_select=1, bins=4, missing="label").fit(array, y)
    assert list(found.get_feature_names_out()) == ["x1"]
    with pytest.raises(fs.errors.InvalidValueError, match="missing must be"):
        BayesGreedySelector(bins=4, missing="fill").fit(frame, y)
