"""How long `import fstheory` and a first answer take, beside `import numpy`, which no answer can do without.

All are timed in fresh interpreters of the same run, so their ratios mean the same on every machine.
"""

import statistics
import subprocess
import sys
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture


def _seconds_of(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - start


@pytest.mark.parametrize(
    ("code", "most"),
    [("import fstheory", 1.5), ("import fstheory as fs; fs.bayes_risks(fs.gallery.titanic())", 2.5)],
    ids=["import", "first answer"],
)
def test_start(benchmark: BenchmarkFixture, code: str, most: float) -> None:
    """Time a whole interpreter; its median is at most so many times that of one which imports numpy."""
    _seconds_of(code)  # writes the bytecode, which every later run finds
    benchmark.pedantic(_seconds_of, args=(code,), rounds=9)
    if benchmark.stats is None:  # benchmarks are run without timing, to see that they work
        return
    ratio = benchmark.stats.stats.median / statistics.median(_seconds_of("import numpy") for _ in range(9))
    benchmark.extra_info["ratio to import numpy"] = round(ratio, 3)
    assert ratio <= most
