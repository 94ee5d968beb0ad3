"""Whoever works, by `n_jobs` or as joblib is told, a selector finds the same."""

from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from fstheory import sklearn as selectors
from fstheory._support.work import _Batch
from fstheory.samples import fitting

SELECTORS = [
    selectors.BackwardSearchSelector(holdout="1/3", ties="uniform", random_state=0),
    selectors.BayesGreedySelector(),
    selectors.CMISelector(),
    selectors.CertaintyGainSelector(n_features_to_select=2),
    selectors.ImportanceSelector(),
    selectors.OneShotSelector(estimate="leave-one-out", random_state=0),
    selectors.RelevantFeaturesSelector(random_state=0, permutations=39),
    selectors.SupportedFeaturesSelector(random_state=0, permutations=39),
    selectors.WrapperSelector(random_state=0),
]
WALKS = (  # nothing is handed out
    selectors.BayesGreedySelector,
    selectors.CMISelector,
    selectors.ImportanceSelector,
    selectors.RelevantFeaturesSelector,
)
X = np.random.default_rng(0).integers(0, 2, (160, 4))
Y = X[:, 1] ^ (X[:, 2] & X[:, 3])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(processes=False, **options) as cluster, distributed.Client(cluster) as client:
        yield client


THREADS = {"backend": "threading", "n_jobs": 3}


@pytest.mark.parametrize(
    ("n_jobs", "told", "expected"),
    [(None, {}, 1), (2, {}, 2), (1, THREADS, 1), (None, THREADS, 3.0), (2, {"backend": "threading"}, 2.0)],
)
def test_who_works_is_who_joblib_says(n_jobs: int | None, told: dict[str, Any], expected: float) -> None:
    """So many processes, or a float of threads."""
    with joblib.parallel_config(**told), selectors.OneShotSelector(n_jobs=n_jobs)._workers() as found:
        assert (float(found()._max_workers) if callable(found) else found) == expected  # type: ignore[attr-defined]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: type(selector).__name__)
def test_whoever_works_finds_the_same(selector: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for chunk in ("_TOGETHER", "_LEAST"):
        monkeypatch.setattr(fitting, chunk, 1)
    has_law = not isinstance(selector, selectors.CertaintyGainSelector | selectors._ByPermutations)
    given, submit = set[str](), _Batch.submit

    def noted(batch: _Batch, *chunk: Any) -> None:
        given.add(type(batch._crew.executor()).__name__)
        submit(batch, *chunk)

    def found(by: str) -> tuple[Any, ...]:
        given.clear()
        result = selector.fit(X, Y).result_
        assert given == (set() if isinstance(selector, WALKS) else {by} - {""})
        law = selector.law_(2) if has_law else None
        assert not has_law or given == {by} - {""}
        return result, law, selector.scores_.tolist() if hasattr(selector, "scores_") else None

    monkeypatch.setattr(_Batch, "submit", noted)
    alone = found("")
    with joblib.parallel_config("threading", n_jobs=2):
        assert found("ThreadPoolExecutor") == alone
    with client.as_current(), joblib.parallel_config("dask"):
        assert found("ClientExecutor") == alone
    selector = clone(selector).set_params(n_jobs=2)  # processes, which start late
    assert (selector.fit(X, Y).result_, selector.law_(2) if has_law else None) == alone[:2]


def test_nested_in_tasks_of_a_cluster(client: Any) -> None:
    """Each of the tasks waits for others, and all workers are taken: none may wait for its own place."""
    pipeline = make_pipeline(SELECTORS[0], DecisionTreeClassifier(random_state=0))
    search = GridSearchCV(pipeline, {"backwardsearchselector__tau": ["1/50", "1/20", "1/10"]}, cv=3)
    alone = search.fit(X, Y).cv_results_["mean_test_score"].tolist()
    with client.as_current(), joblib.parallel_config("dask"):
        assert search.fit(X, Y).cv_results_["mean_test_score"].tolist() == alone
