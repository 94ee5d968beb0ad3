"""Whoever works, by `n_jobs` or as joblib is told, a selector finds the same."""

from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from fstheory._support.work import _Batch
from fstheory.sklearn import (
    BackwardSearchSelector,
    BayesGreedySelector,
    CMISelector,
    OneShotSelector,
    SampleSelector,
    WrapperSelector,
)

SELECTORS = [
    BackwardSearchSelector(holdout="1/3", ties="uniform", random_state=0),
    BayesGreedySelector(),
    CMISelector(),
    OneShotSelector(estimate="leave-one-out", random_state=0),
    WrapperSelector(random_state=0),
]
X = np.random.default_rng(0).integers(0, 2, (160, 4))
Y = X[:, 1] ^ (X[:, 2] & X[:, 3])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(processes=False, **options) as cluster, distributed.Client(cluster) as client:
        yield client


class Unknown(joblib.parallel.ParallelBackendBase):  # type: ignore[misc]
    """A backend of somebody else."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        return n_jobs

    def submit(self, func: Any, callback: Any = None) -> Any:
        raise NotImplementedError


CONTEXTS: dict[str, tuple[int | None, dict[str, Any], object]] = {
    "nothing said": (None, {}, 1),
    "two jobs": (2, {}, 2),
    "loky": (None, {"backend": "loky", "n_jobs": 3}, 3),
    "one job": (1, {"backend": "threading", "n_jobs": 3}, 1),
    "threads": (None, {"backend": "threading", "n_jobs": 3}, 3.0),
    "two threads": (2, {"backend": "threading"}, 2.0),
    "unknown": (2, {"backend": Unknown()}, None),
}
"""What a selector and joblib are told, and who works: so many processes, nobody else, or a float of threads."""


@pytest.mark.parametrize("context", CONTEXTS)
def test_who_works_is_who_joblib_says(context: str) -> None:
    n_jobs, config, expected = CONTEXTS[context]
    with joblib.parallel_config(**config), OneShotSelector(n_jobs=n_jobs)._workers() as found:
        assert (float(found()._max_workers) if callable(found) else found) == expected  # type: ignore[attr-defined]


def fitted(selector: SampleSelector) -> tuple[Any, ...]:
    selector.fit(X, Y)
    return selector.result_, selector.support_.tolist(), selector.law_(2)


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: type(selector).__name__)
def test_whoever_works_finds_the_same(selector: SampleSelector, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, given, submit = fitted(selector), set[str](), _Batch.submit

    def noted(batch: _Batch, *chunk: Any) -> None:
        given.add(type(batch._crew.executor()).__name__)
        submit(batch, *chunk)

    monkeypatch.setattr(_Batch, "submit", noted)
    with joblib.parallel_config("threading", n_jobs=2):
        assert fitted(selector) == alone
    with client.as_current(), joblib.parallel_config("dask"):
        assert fitted(selector) == alone
    assert given == {"ThreadPoolExecutor", "ClientExecutor"}


def test_nested_in_tasks_of_a_cluster(client: Any) -> None:
    """Each of the tasks waits for others, and all workers are taken: none may wait for its own place."""
    pipeline = make_pipeline(BackwardSearchSelector(holdout="1/3", n_jobs=2, random_state=0), DecisionTreeClassifier())
    search = GridSearchCV(pipeline, {"backwardsearchselector__tau": ["1/50", "1/20", "1/10"]}, cv=3)
    alone = search.fit(X, Y).cv_results_["mean_test_score"].tolist()
    with client.as_current(), joblib.parallel_config("dask"):
        assert search.fit(X, Y).cv_results_["mean_test_score"].tolist() == alone
