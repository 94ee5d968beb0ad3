"""What a chunk costs beside its work, against the bare `submit` of who works on it."""

from typing import Any

import pytest
from loky import get_reusable_executor
from pytest_benchmark.fixture import BenchmarkFixture

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
