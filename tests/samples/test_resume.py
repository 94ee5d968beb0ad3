"""Laws and simulations that are interrupted and taken up again end as if they had not been."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loky import get_reusable_executor

import fstheory as fs
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError
from fstheory.samples import fitting, law
from fstheory.samples.fitting import supported_features
from fstheory.samples.law import engine_for, exact_law, run_of
from fstheory.samples.simulation import estimated_law
from fstheory.selection.greedy import mrmr
from fstheory.selection.stopping import ErrorRule
from tests.journals import edit, steps

D = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
THREE = fs.JointDistribution([[[2, 1, 0], [1, 3, 1]], [[1, 1, 10**25], [2, 0, 2]]])
MANY = fs.JointDistribution([[0] * 299 + [2], [0] * 44 + [1] + [0] * 254 + [1]])
FOS = fs.FOS(tau="1/20")
ORDERED = fs.OrderedFS(holdout="1/2", ties="uniform")
S = fs.sample(fs.gallery.titanic().marginal(["class", "sex", "age"]), 90, rng=1)
WRAP = fs.StandardWrap(holdout=2, ties="first")


class StopError(Exception):
    """Raised by who is told of progress."""


def stop_after(chunks: int) -> Callable[[str], None]:
    """Return a listener that stops a computation once it was told so often."""
    told = []

    def progress(text: str) -> None:
        if ": takes " not in text:  # what it will cost, before anything is done
            told.append(text)
        if len(told) > chunks:
            raise StopError

    return progress


@pytest.mark.parametrize(
    ("d", "m", "method", "batches"),
    [
        pytest.param(D, 20, FOS, 8, marks=pytest.mark.thorough),
        (D, 8, ORDERED, 10),
        (D, 4, fs.FBS(tau="1/10", ties="uniform", estimate="leave-one-out"), 5),
        (THREE, 4, fs.StandardWrap(holdout=2, ties="first"), 6),
        (MANY, 4, fs.StandardWrap(holdout=2, ties="first"), 6),
    ],
    ids=["fos", "ordered", "left out", "three classes", "300 classes"],
)
def test_an_interrupted_law_goes_on(
    d: fs.JointDistribution, m: int, method: Any, batches: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is done twice: each run but the last does just one batch."""
    monkeypatch.setattr(law, "_TOGETHER", 1)
    path, engine = tmp_path / "law.json", engine_for(d, m, method)
    for _ in range(batches):
        with (
            pytest.raises(StopError),
            run_of(d, method, path, stop_after(0), every=0, kind="law", m=m, engine=engine) as run,
        ):
            exact_law(d, m, method, engine, run)
        assert list(tmp_path.iterdir()) == [path]
    expected = fs.selection_law(d, m, method)
    with run_of(d, method, path, stop_after(0), every=0, kind="law", m=m, engine=engine) as run:
        assert exact_law(d, m, method, engine, run) == expected
    done = path.read_bytes()
    assert fs.selection_law(d, m, method, resume=path) == expected
    assert path.read_bytes() == done


@pytest.mark.thorough
def test_an_interrupted_simulation_goes_on(tmp_path: Path) -> None:
    """Whoever works."""
    d, path = fs.gallery.random((2,) * 3, rng=1), tmp_path / "simulation.json"
    expected = fs.simulate(d, 20, ORDERED, trials=4500, rng=7)
    options: dict[str, Any] = {"kind": "simulation", "m": 20, "trials": 4500, "seed": "7"}
    for executor in (1, ThreadPoolExecutor(3), 2):
        with pytest.raises(StopError), run_of(d, ORDERED, path, stop_after(0), executor, every=0, **options) as run:
            estimated_law(d, 20, ORDERED, 4500, np.random.default_rng(7), run)
    (done,) = steps(path).values()
    assert done[0] == 3
    assert fs.simulate(d, 20, ORDERED, trials=4500, rng=7, resume=path) == expected


@pytest.mark.thorough
def test_it_does_not_matter_who_works_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for threads nor for other processes, where everything has to travel."""
    drawn = fs.FBS(tau="1/10", ties="uniform", estimate="leave-one-out")
    calls: list[Callable[..., object]] = [
        *(partial(fs.fit, S, method, rng=2) for method in (drawn, ORDERED, WRAP, FOS)),
        partial(supported_features, fs.sample(fs.gallery.asia(), 90, rng=3), rng=1, criterion="logarithmic"),
    ]
    expected = [call(executor=None) for call in calls]
    for chunk in ("_TOGETHER", "_LEAST"):
        monkeypatch.setattr(fitting, chunk, 1)
    assert [call(executor=None) for call in calls] == expected
    others: Any = get_reusable_executor(max_workers=2, timeout=600)
    assert [call(executor=others) for call in calls] == expected
    with ThreadPoolExecutor(3) as threads:
        assert [call(executor=threads) for call in calls] == expected


def test_the_journal_of_another_run_and_sums_that_cannot_be_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "law.json"
    engine = engine_for(D, 8, ORDERED)
    with (
        pytest.raises(StopError),
        run_of(D, ORDERED, path, stop_after(0), every=0, kind="law", m=8, engine=engine) as run,
    ):
        exact_law(D, 8, ORDERED, engine, run)
    halfway = path.read_bytes()
    other = fs.JointDistribution(D.weights, features=["a", "b"])
    for d, m, method, options, differing in [
        (other, 8, ORDERED, {}, "distribution"),
        (D, 6, fs.OrderedFS(holdout="1/2", ties="first"), {}, "ties, m"),
        (D, 8, fs.StandardWrap(holdout="1/4", ties="uniform"), {}, "method, holdout"),
        (D, 8, ORDERED, {"engine": "counts"}, "engine"),
    ]:
        with pytest.raises(InvalidValueError, match=f"it differs in {differing}:"):
            fs.selection_law(d, m, method, resume=path, **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="it differs in kind, trials, seed:"):
        fs.simulate(D, 8, ORDERED, trials=10, rng=0, resume=path)
    assert path.read_bytes() == halfway
    edit(path, "m = 8, training samples", lambda done: done["sums"][0].__setitem__(0, 1))
    before = path.read_bytes()
    with pytest.raises(InvalidFormatError, match="not what comes out: pass a path"):
        fs.selection_law(D, 8, ORDERED, resume=path)
    assert path.read_bytes() == before


def of_counts(s: fs.Sample, rows: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> fs.Sample:
    """Return a sample with the names and states of another one and these rows, by the positions of the states."""
    states = list(s.states.values())
    named = [tuple(known[i] for known, i in zip(states, row, strict=True)) for row in rows.tolist()]
    return fs.Sample.from_counts(
        dict(zip(named, counts.tolist(), strict=True)), features=s.features, target=s.target, states=s.states
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("change", ["a column", "the classes", "how often rows occur"])
def test_the_journal_of_another_sample_is_refused(change: str, tmp_path: Path) -> None:
    """Neither its size nor its shape tells it from this one: its rows do."""
    rows, often = S.codes, np.full(len(S.counts), 6)
    s = of_counts(S, rows, often)
    if change == "how often rows occur":
        often = often + np.eye(len(often), dtype=int)[0] - np.eye(len(often), dtype=int)[-1]
    else:
        place = 0 if change == "a column" else -1
        rows[:, place] = rows[:, place].max() - rows[:, place]
    other = of_counts(S, rows, often)
    assert (other.m, other.cardinalities, len(other.counts)) == (s.m, s.cardinalities, len(s.counts))
    assert other != s
    calls: dict[str, Callable[..., object]] = {
        "distribution": lambda s, path: fs.fit(s, WRAP, rng=2, resume=path),
        "sample": lambda s, path: supported_features(s, rng=1, resume=path),
        "the distribution": lambda s, path: fs.simulate(s.empirical(), 9, FOS, trials=20, rng=0, resume=path),
    }
    for differing, call in calls.items():
        path = tmp_path / f"{differing}.json"
        call(s, path)
        before = path.read_bytes()
        with pytest.raises(InvalidValueError, match=f"it differs in {differing.split()[-1]}:"):
            call(other, path)
        assert path.read_bytes() == before
        call(s, path)


def of_size(k: int) -> Callable[[fs.JointDistribution], Any]:
    return lambda d: d.features[:k]


class Best:
    """Selects the first feature, and holds what nobody can tell from others."""

    def __call__(self, d: fs.JointDistribution) -> Any:
        return d.features[:1]


def either(d: fs.JointDistribution, k: int = 1, *, rule: object = None) -> Any:
    return d.features[:k] if rule is None else d.features


@pytest.mark.parametrize(
    ("select", "other"),
    [
        (lambda d: d.features[:1], lambda d: d.features[1:]),
        (of_size(1), of_size(2)),
        (partial(either, k=1), partial(either, k=2)),
        (partial(either, rule=ErrorRule("1/10")), partial(either, rule=ErrorRule("1/5"))),
        (partial(fs.select, k=1), partial(mrmr, k=1)),
        (of_size(1), partial(of_size(1))),
    ],
    ids=["lambdas", "closures", "keywords", "rules", "functions", "a function and a part of it"],
)
def test_the_journal_of_another_selection_is_refused(select: Any, other: Any, tmp_path: Path) -> None:
    path = tmp_path / "law.json"
    law = fs.selection_law(D, 4, fs.PlugIn(select=select), resume=path)
    with pytest.raises(InvalidValueError, match="it differs in select:"):
        fs.selection_law(D, 4, fs.PlugIn(select=other), resume=path)
    assert fs.selection_law(D, 4, fs.PlugIn(select=select), resume=path) == law


def test_the_same_selection_is_known_again(tmp_path: Path) -> None:
    pairs: list[tuple[Any, Any]] = [(of_size(1), of_size(1)), (partial(either, k=1), partial(either, k=1))]
    for i, (one, again) in enumerate(pairs):
        path = tmp_path / f"{i}.json"
        law = fs.selection_law(D, 4, fs.PlugIn(select=one), resume=path)
        assert fs.selection_law(D, 4, fs.PlugIn(select=again), resume=path).success == law.success


@pytest.mark.parametrize("select", [Best(), partial(either, rule=Best()), Best().__call__])
def test_a_selection_that_cannot_be_told_from_others_has_no_journal(select: Any, tmp_path: Path) -> None:
    path = tmp_path / "law.json"
    method = fs.PlugIn(select=select)
    with pytest.raises(InvalidTypeError, match=r"select must be of functions and values .*\.Best object"):
        fs.selection_law(D, 4, method, resume=path)
    assert not path.exists()
    assert fs.selection_law(D, 4, method).m == 4
