"""How long `import fstheory` takes, beside `import numpy`, which it cannot do without.

Both are timed in fresh interpreters of the same run, so their ratio means the same on every machine.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from pytest_benchmark.fixture import BenchmarkFixture


def _seconds_of(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - start


def test_import_of_the_package(benchmark: BenchmarkFixture) -> None:
    """Time a whole interpreter that imports fstheory; record how it compares with numpy and with none."""
    _seconds_of("import fstheory")  # writes the bytecode, which every later run finds
    benchmark.pedantic(_seconds_of, args=("import fstheory",), rounds=5)
    if benchmark.stats is None:  # benchmarks are run without timing, to see that they work
        return
    bare, numpy = (statistics.median(_seconds_of(code) for _ in range(5)) for code in ("pass", "import numpy"))
    ours = benchmark.stats.stats.median
    benchmark.extra_info["ratio to import numpy"] = round(ours / numpy, 3)
    benchmark.extra_info["milliseconds beyond a bare interpreter"] = round(1000 * (ours - bare), 1)
