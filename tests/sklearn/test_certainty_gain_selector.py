"""The selection by certainty gain is that of `select_by_certainty_gain`, on all that people pass."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fstheory.errors import TooLargeError
from fstheory.points.certainty import select_by_certainty_gain
from fstheory.points.mixed import MixedPoints
from fstheory.sklearn import CertaintyGainSelector

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # rows are few, on purpose


def data(m: int = 40) -> tuple[Any, Any]:
    """Return a DataFrame of numbers and categories, and a class that depends on one of each."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(m, 4)), columns=list("abcd"))
    X["e"] = rng.choice(["u", "v", "w"], m)
    X["f"] = pd.Categorical(rng.integers(0, 3, m))
    return X, pd.Series(np.where((X["c"] > 0) & (X["e"] != "u"), "yes", "no"), name="class")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"graph": "1nn", "ties": "all"},
        {"null": "printed"},
        {"null": "printed", "categories": "squared vdm"},
        {"null": "permutation", "trials": 50, "random_state": 3},
        {"categorical": ["f"], "n_features_to_select": 1},
    ],
    ids=str,
)
def test_it_is_the_walk_of_the_library(options: dict[str, Any]) -> None:
    X, y = data(16)
    if "categorical" in options:
        X = X.drop(columns="e")
    selector = clone(CertaintyGainSelector(**options)).fit(X, y)
    walk = {"ties": "first"} | {name: options[name] for name in options if name in {"graph", "null", "ties", "trials"}}
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
    X, y = data(150)
    pipeline = make_pipeline(StandardScaler(), CertaintyGainSelector()).set_output(transform="pandas")
    assert pipeline.fit_transform(X[["a", "b", "c"]], y).columns.tolist() == ["c"]
    first = pipeline[-1].trace_[0].gain
    assert first.null.mean < first.statistic
    assert first.labels == tuple(y)


def test_arrays_have_the_names_of_scikit_learn_and_classes_any_labels() -> None:
    X, y = data()
    array = X[["a", "b", "c"]].to_numpy()
    plain = CertaintyGainSelector(n_features_to_select=1).fit(array, y)
    assert plain.result_.features == ("x2",)
    for classes in ((y == "yes").to_numpy(), (y == "yes").to_numpy(dtype=float), (y == "yes").astype(int)):
        assert CertaintyGainSelector(n_features_to_select=1).fit(array, classes).result_.features == ("x2",)
    numbered = X[["a", "b", "c"]].set_axis([0, 1, 2], axis=1)
    assert CertaintyGainSelector(n_features_to_select=1).fit(numbered, y).get_feature_names_out().tolist() == ["x2"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"graph": "x"}, ValueError, "graph must be one of"),
        ({"null": "x"}, ValueError, "null must be one of"),
        ({"ties": "refuse"}, ValueError, "coincident points"),
        ({"categories": "vdm2"}, ValueError, "under a distance that does not look at labels"),
        ({"categorical": ["z"]}, KeyError, "feature 'z' does not exist"),
        ({"n_features_to_select": 7}, ValueError, "n_features_to_select must be at most 6, the number of columns"),
        ({"null": "permutation", "trials": 0}, ValueError, "trials must be at least 1"),
        ({"null": "permutation", "random_state": -1}, ValueError, "random_state must be at least 0"),
    ],
)
def test_refusals(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CertaintyGainSelector(**options).fit(*data())


def test_data_are_refused_as_by_scikit_learn() -> None:
    X, y = data()
    with pytest.raises(ValueError, match=r"Input X contains NaN, in the columns \['a'\]"):
        CertaintyGainSelector().fit(X.assign(a=np.nan), y)
    with pytest.raises(ValueError, match="got 1 class"):
        CertaintyGainSelector().fit(X, ["yes"] * 40)
    with pytest.raises(ValueError, match="Unknown label type"):
        CertaintyGainSelector().fit(X, X["a"])
    mixed = pd.DataFrame({"a": np.array(["u", 1] * 20, dtype=object)})
    with pytest.raises(ValueError, match=r"'a' must be a number, not 'u'; .* in categorical="):
        CertaintyGainSelector().fit(mixed, y)
    with pytest.raises(TooLargeError):
        CertaintyGainSelector(null="exact").fit(X, np.arange(40) % 3)
    constant = CertaintyGainSelector().fit(np.ones((10, 2)), [0, 1] * 5)
    assert constant.get_support().tolist() == [True, False]
