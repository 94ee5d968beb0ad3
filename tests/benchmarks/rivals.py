"""A benchmark beside its rivals, timed in the same run: their ratio means the same on every machine."""

import time
from collections.abc import Callable

from pytest_benchmark.fixture import BenchmarkFixture


def seconds(function: Callable[[], object], rounds: int = 3) -> float:
    """Return the shortest of a few runs: other work on the machine only ever adds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def record(
    benchmark: BenchmarkFixture, name: str, rival: Callable[[], object], *, scale: float = 1, rounds: int = 3
) -> None:
    """Record our time over the rival's, both the shortest of a few; `scale` makes up for other sizes."""
    if benchmark.stats is not None:
        benchmark.extra_info[name] = round(benchmark.stats.stats.min / seconds(rival, rounds) * scale, 4)
