"""The same bytes come out of a long call, whoever works, and whatever happens to who works."""

from __future__ import annotations

import functools
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, cast

import pytest

import fstheory as fs
from fstheory._support import journal, work as _work
from fstheory._support.journal import Journal
from fstheory._support.progress import Clock
from fstheory._support.result import Result
from fstheory._support.work import Crew, Workers, _Batch
from fstheory.errors import InvalidFormatError, InvalidValueError
from fstheory.papers.experiments import run_experiment
from fstheory.points import MixedPoints, certainty, permutation_p_value
from fstheory.proofs import prover
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.enumeration import Budget
from fstheory.proofs.refutation import search
from fstheory.samples import fitting
from tests.house import source
from tests.journals import steps
from tests.papers.experiments.runs import SMALL
from tests.proofs.claims import named, prove_in_branches, search_three_tenths, total_below_five

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes")

D, ORDERED = fs.gallery.random((2,) * 3, rng=1), fs.OrderedFS(holdout="1/2", ties="uniform")
LARGE = fs.sample(fs.gallery.random((2,) * 14, rng=1), 20_000, rng=2)
COLORS = MixedPoints([[number**2 % 17, "abc"[number % 3]] for number in range(30)], [n % 7 % 2 for n in range(30)])
SLOWLY = Budget(batch=16, piece=64, seconds=0.0, start_after=0.0)
CALLS: dict[str, Callable[..., object]] = {
    "refute": lambda **who: search_three_tenths(SLOWLY, **who),
    "refute what computes": lambda **who: search(total_below_five, ShapeRange((2,), 2), budget=SLOWLY, **who),
    "prove": lambda **who: fs.prove("PN-2c", cardinalities=(2, 3), **who).certificate.to_json(),  # type: ignore[union-attr]
    "simulate": lambda **who: fs.simulate(D, 40, ORDERED, trials=20_000, rng=3, **who),
    "curve": lambda **who: fs.samples.law_curve(D, ORDERED, [8, 12, 60], trials=9000, rng=3, work=10**7, **who),
    "p-value": lambda **who: permutation_p_value(COLORS, trials=199, rng=0, ties="first", **who),
    "supported": lambda **who: fs.samples.supported_features(LARGE, rng=1, permutations=159, **who),
    "fit": lambda **who: fs.fit(LARGE, fs.StandardWrap(holdout="1/4", ties="uniform"), rng=2, **who),
    "experiment": lambda **who: run_experiment("ng-1998", settings=SMALL["ng-1998"], **who),
}


def text_of(found: object) -> str:
    """Return all that was found, as a user has it."""
    return f"{json.dumps(found.to_dict())}\n{found}" if isinstance(found, Result) else repr(found)


@functools.cache
def alone(call: str) -> str:
    return text_of(CALLS[call]())


@contextmanager
def working(name: str) -> Iterator[Workers]:
    """Enter who works: so many processes, those of the standard library, threads, or a cluster."""
    if name == "cluster":
        distributed: Any = pytest.importorskip("distributed")
        config: Any = pytest.importorskip("dask.config")
        kept = config.set({"distributed.deploy.lost-worker-timeout": "1 day"})  # or those that die twice are closed
        options = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
        with kept, distributed.LocalCluster(n_workers=2, **options) as workers, distributed.Client(workers) as client:
            yield client.get_executor()
    else:
        pool = partial(ProcessPoolExecutor, 2, mp_context=get_context("spawn"))
        yield {"number": 2, "processes": pool, "threads": partial(ThreadPoolExecutor, 3)}[name]  # type: ignore[misc]


def processes_of(executor: Any) -> list[int]:
    if hasattr(executor, "_client"):
        return [nanny.pid for nanny in executor._client.cluster.workers.values() if nanny.pid]
    return [*(getattr(executor, "_processes", None) or ())]


KINDS = ("number", "processes", "threads")
PAIRS = [(call, name) for place, call in enumerate(CALLS) for name in (KINDS[place % 3], "cluster")]
QUICK = ("p-value", "threads")


@pytest.mark.parametrize(
    ("call", "name"),
    [QUICK, *(pytest.param(*pair, marks=pytest.mark.thorough) for pair in PAIRS if pair != QUICK)],
)
def test_whoever_works_and_whoever_is_killed(call: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process at random, before the fifth and the tenth result."""
    waited, killed, original = 0, 0, _Batch.next

    def kill_and_wait(batch: _Batch) -> Any:
        nonlocal waited, killed
        waited += 1
        if waited in {5, 10} and (processes := processes_of(batch._crew.executor())):
            killed += 1
            with suppress(ProcessLookupError):
                os.kill(random.choice(processes), signal.SIGKILL)
        return original(batch)

    monkeypatch.setattr(_Batch, "next", kill_and_wait)
    monkeypatch.setattr(Crew.__init__, "__defaults__", (None, 0.0))  # processes start at once
    with working(name) as executor:
        assert text_of(CALLS[call](executor=executor)) == alone(call)
    assert killed == 0 if name == "threads" else killed >= 1  # a quick machine gives out fewer chunks of a search


def work_and_wait(call: str, path: str) -> None:
    """Start processes at once, note each step, and wait after some: in a process of its own, which will be killed."""
    crew, kept, put = Crew.__init__, cast(Any, Journal.__init__), Journal._put
    crew.__defaults__, kept.__kwdefaults__["seconds"], cast(Any, journal)._SHARE = (None, 0.0), 0.0, 0
    left = 1 if call == "fit" else 3  # of three that a fit notes, and of a dozen or more that others do

    def put_and_wait(*given: Any) -> None:
        nonlocal left
        put(*given)
        left -= 1
        if left == 0:
            print("noted", flush=True)
            time.sleep(3600)

    cast(Any, Journal)._put = put_and_wait
    CALLS[call](resume=path, executor=2)


@pytest.mark.parametrize("call", ["refute", "fit", "experiment"])
@pytest.mark.thorough(3)
def test_everything_is_killed_twice(call: str, tmp_path: Path) -> None:
    """The process and all its workers, each time when it has got farther, and another executor finishes."""
    path, length = tmp_path / "steps.jsonl", 0
    program = f"from tests.support.test_executors import work_and_wait; work_and_wait({call!r}, {str(path)!r})"
    command: list[str] = [sys.executable, "-c", program]
    for _ in range(2):
        with subprocess.Popen(command, cwd=source.ROOT, stdout=subprocess.PIPE, start_new_session=True) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == b"noted\n"
            finally:
                os.killpg(process.pid, signal.SIGKILL)
        whole = path.read_bytes()
        assert len(whole) > length
        path.write_bytes(whole + whole[whole.rindex(b"[") : -9])  # what a line looks like that was being written
        length = len(whole)
    assert steps(path)
    assert text_of(CALLS[call](resume=path, executor=ThreadPoolExecutor(2))) == alone(call)


ROWS = fs.sample(fs.gallery.asia(), 90, rng=3)
PLACES, LABELS = [[n * k % 17 for k in range(2, 8)] for n in range(25)], [n % 3 for n in range(25)]
SHORT: dict[str, Any] = {
    "gain": partial(fs.points.select_by_certainty_gain, PLACES, labels=LABELS, ties="first"),
    "supported": partial(fs.samples.supported_features, ROWS, rng=1, criterion="logarithmic", permutations=59),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("call", SHORT.values(), ids=SHORT)
def test_interrupted_wherever_it_tells(call: Callable[..., object], tmp_path: Path, monkeypatch: Any) -> None:
    """Each time one step later; at the end nothing is left to do."""
    for chunk in ("_TOGETHER", "_LEAST"):
        monkeypatch.setattr(fitting, chunk, 1)
    expected, path = call(), tmp_path / "steps.jsonl"
    for times in itertools.count(1):
        left = [0] * times
        monkeypatch.setattr(Clock, "tick", lambda *_, left=left: left.pop())
        with suppress(IndexError):
            assert call(resume=path) == expected
            break
    assert times > 2
    monkeypatch.setattr(Clock, "tick", lambda *_: None)
    done = path.read_bytes()
    assert (call(resume=path), path.read_bytes()) == (expected, done)


def test_the_best_feature_is_looked_at_again(tmp_path: Path) -> None:
    SHORT["gain"](resume=(path := tmp_path / "steps.jsonl"))
    head = json.loads(path.read_text().partition("\t")[0])
    with Journal(path, head["about"], head["options"]) as kept:
        kept.put("0 taken, X3", "1000000")
    with pytest.raises(InvalidFormatError, match="what it says of '0 taken, X3' is not what comes out"):
        SHORT["gain"](resume=path)


S = fs.sample(fs.gallery.titanic().marginal(["class", "sex", "age"]), 90, rng=1)
PARTS: dict[str, tuple[Any, str, Callable[..., object]]] = {
    "p-value": (certainty, "_hits", partial(permutation_p_value, COLORS, trials=80, rng=0, ties="first")),
    "fit": (fitting, "_estimated", partial(fs.fit, S, ORDERED, rng=2)),
    "fit, ties drawn": (fitting, "_estimated", partial(fs.fit, S, fs.FBS(tau="1/10", ties="uniform"), rng=2)),
    "prove": (prover, "_branch", prove_in_branches),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("call", PARTS)
def test_nothing_is_done_twice(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But the chunk that was broken off."""
    (module, name, work), limit, chunks = PARTS[call], 3, list[str]()
    original, expected = getattr(module, name), work()

    def worked(*given: Any) -> Any:
        chunks.append(repr(given[-1]))
        if len(chunks) % limit == 0:
            raise KeyboardInterrupt
        return original(*given)

    monkeypatch.setattr(module, name, worked)
    monkeypatch.setattr(_work, "_GROUP", 0.0)  # each chunk is a group of its own
    monkeypatch.setattr(fitting, "_TOGETHER", 1)
    monkeypatch.setattr(journal, "_SHARE", 0)
    monkeypatch.setitem(cast(Any, Journal.__init__).__kwdefaults__, "seconds", 0.0)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            work(resume=tmp_path / "steps.jsonl")
    limit = 10**9
    assert work(resume=tmp_path / "steps.jsonl") == expected == work(resume=tmp_path / "steps.jsonl")
    assert len(chunks) == len(set(chunks)) + 2 > 6


prove, fit, permuted = partial(fs.prove, cardinalities=(2,)), PARTS["fit"][2], PARTS["p-value"][2]
SAME = [named("same", lambda m, i, *, k=k: m.risk(i) <= k) for k in (1, 2)]
OTHERS: list[tuple[Callable[..., object], Callable[..., object], str]] = [
    (partial(prove, "PN-M"), partial(prove, "PN-M", classes=3), "proof, not .* it differs in shape"),
    (partial(prove, SAME[0]), partial(prove, SAME[1]), "proof, not .* it differs in statement"),
    (fit, partial(fit, rng=3), "run on samples, not .* it differs in seed"),
    (fit, partial(fs.fit, S.keep(["class", "age", "sex"]), ORDERED, rng=2), "run on samples, .* in distribution"),
    (permuted, partial(permuted, trials=81, rng=1), "permutation test, not .* it differs in trials, seed"),
    (
        permuted,
        partial(permutation_p_value, COLORS.with_labels([0, 1] * 15), trials=80, rng=0, ties="first"),
        "in points",
    ),
    (SHORT["supported"], partial(SHORT["supported"], criterion="gini"), "supported features, .* in criterion"),
    (
        SHORT["supported"],
        partial(fs.samples.supported_features, S, rng=2, familywise="1/9", criterion="gini"),
        "features, .* in sample, criterion, familywise, permutations, seed",
    ),
    (SHORT["gain"], partial(SHORT["gain"], labels=[*LABELS[1:], 1], graph="1nn"), "gain, .* in graph, points"),
]


@pytest.mark.parametrize(("one", "other", "told"), OTHERS)
def test_the_file_of_another_call_is_refused(one: Any, other: Any, told: str, tmp_path: Path) -> None:
    one(resume=tmp_path / "steps.jsonl")
    with pytest.raises(InvalidValueError, match=f"resume must be the file of this .*{told}:"):
        other(resume=tmp_path / "steps.jsonl")
