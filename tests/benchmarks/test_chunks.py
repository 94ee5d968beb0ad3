"""What a chunk costs beside its work, against the bare `submit` of who works on it."""

import pickle
from typing import Any

import pytest
from loky import get_reusable_executor
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from fstheory._support.work import map_chunks
from tests.benchmarks.rivals import record
from tests.support.test_executors import working

NUMBERS = range(500)


def same(number: int) -> int:
    return number


@pytest.mark.parametrize("name", ["threads", "loky", "cluster"])
def test_chunks_that_do_nothing(name: str, benchmark: BenchmarkFixture) -> None:
    with working("number" if name == "loky" else name) as who:
        executor: Any = get_reusable_executor(2) if name == "loky" else who() if callable(who) else who
        assert list(map_chunks(same, NUMBERS, executor=executor)) == list(NUMBERS)  # and all workers have started
        benchmark.pedantic(lambda: list(map_chunks(same, NUMBERS, executor=executor)), rounds=5)
        if benchmark.stats is not None:
            benchmark.extra_info["ms a chunk"] = round(1000 * benchmark.stats.stats.min / len(NUMBERS), 3)
        submit = executor.submit
        record(benchmark, "over submit", lambda: [f.result() for f in [submit(same, number) for number in NUMBERS]])


def test_a_sample_that_came_to_a_worker(benchmark: BenchmarkFixture) -> None:
    """Its tables take as long as those of the sample that was sent, though its arrays have types of their own."""
    sent = fs.sample(fs.gallery.random((2,) * 14, rng=1), 20_000, rng=2)
    assert len(sent.counts) > 10_000  # equal rows are grouped, before they are sent
    came = pickle.loads(pickle.dumps(sent))
    table = benchmark(came.cells, sent.features)
    assert (table == sent.cells(sent.features)).all()
    record(benchmark, "over the sample that was sent", lambda: sent.cells(sent.features))
