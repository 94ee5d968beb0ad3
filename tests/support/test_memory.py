"""What does not fit is refused before it is allocated, with its size."""

import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstheory import JointDistribution, bayes_risk, bayes_risks, minimal_optimal
from fstheory._support.memory import _limits_of_groups, available_bytes, format_bytes, require_cells
from fstheory.distributions.joint import product
from fstheory.errors import TooLargeError
from fstheory.measures.criteria import balanced, zero_one
from fstheory.measures.criterion import Criterion
from tests.house import source


def test_units() -> None:
    counts = (0, 1, 2**10, 2**39, 2**62, 2**85)
    assert [*map(format_bytes, counts)] == ["0 bytes", "1 bytes", "1 KiB", "512 GiB", "4 EiB", "33554432 EiB"]


def test_the_limit_is_half_of_the_memory() -> None:
    cells = available_bytes() // 16
    assert require_cells((cells,), "t", "r") == cells
    with pytest.raises(TooLargeError):
        require_cells((cells + 1,), "t", "r")


def test_nothing_is_allocated() -> None:
    coin = JointDistribution.from_counts({(0,) * 21: 1, (1,) * 21: 1})
    other = coin.rename({f"X{i}": f"Z{i}" for i in range(1, 21)})
    constant = JointDistribution.from_samples([(0,) * 63])
    for call in (
        lambda: product(coin, other),
        lambda: bayes_risks(constant),
        lambda: JointDistribution.from_counts({(0,) * 61: 1, (1,) * 61: 1}).weights,
    ):
        tracemalloc.start()
        with pytest.raises(TooLargeError, match=r"[EPTG]iB|[MG]iB"):
            call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2**20


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    ("shape", "bits"),
    [((250, 250, 2), 36), ((30, 30, 3), 700), ((1,) * 17 + (2,), 0), ((1,) * 13 + (2,), 700)],
    ids=str,
)
@pytest.mark.parametrize("risk", [zero_one(), balanced()], ids=["0-1", "balanced"])
def test_what_a_table_is_said_to_take_is_about_what_it_takes(
    risk: Criterion[Any], shape: tuple[int, ...], bits: int
) -> None:
    """Of many weights, and of many subsets; of machine words, and of numbers of 700 bits."""
    weights = np.random.default_rng(0).integers(1, 99, shape).astype(object)
    d = JointDistribution((weights << bits) + 1)
    a_subset, a_weight = risk._bytes(d)
    said = a_subset * 2 ** len(d.features) + a_weight * d.weights.size
    tracemalloc.start()
    risk.table(d)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said / 4 < peak < 3 * said, (said, peak)


def test_more_axes_than_an_array_can_have() -> None:
    nested: list[object] = [1, 2]
    for _ in range(64):
        nested = [nested]
    endless: list[object] = []
    endless.append(endless)
    for weights in (nested, endless):
        with pytest.raises(TooLargeError, match="at most 64 axes"):
            JointDistribution(weights)
    d = JointDistribution.from_samples([(0,) * 65])
    with pytest.raises(TooLargeError, match="at most 64 axes, not 65"):
        assert d.weights is None
    # All else needs no array with so many axes.
    assert JointDistribution.from_json(d.to_json()) == d
    assert bayes_risk(d, d.features) == 0
    for method in ("backward", "forward", "one-shot", "resampling"):
        assert minimal_optimal(d, method).features == ()
    assert "64 features" in repr(d)
    assert "X40" in str(d)
    assert d._repr_html_()
    assert d._repr_latex_() is None
    # and sizes of more digits than CPython writes
    with pytest.raises(TooLargeError, match=r"EiB for more than 2\*\*50000 cells; use less"):
        require_cells((2**50000,), "the table", "use less")


def test_the_limits_of_control_groups(tmp_path: Path) -> None:
    """Of both versions, and of the groups around the own one; what is not there or not a number is no limit."""
    two, one = tmp_path / "two", tmp_path / "one"
    (two / "outer/inner").mkdir(parents=True)
    (two / "memory.max").write_text("max\n")
    (two / "outer/memory.max").write_text("1000000\n")
    (two / "outer/inner/memory.max").write_text("2000000\n")
    (one / "memory/docker").mkdir(parents=True)
    (one / "memory/memory.limit_in_bytes").write_text("9223372036854771712\n")
    (one / "memory/docker/memory.limit_in_bytes").write_text("3000000\n")
    membership = tmp_path / "cgroup"
    membership.write_text("0::/../outer/inner\n")
    assert list(_limits_of_groups(membership, two)) == [1000000, 2000000]
    membership.write_text("12:cpu,cpuacct:/docker\n4:memory:/docker/of the host\n0::/\nnonsense\n")
    assert list(_limits_of_groups(membership, one)) == [9223372036854771712, 3000000]
    assert list(_limits_of_groups(tmp_path / "none", one)) == []


LIMITED = """
import resource, sys, tempfile
from pathlib import Path
import numpy as np
import fstheory as fs
from fstheory.measures import criteria
from fstheory.measures.criterion import CRITERIA
from fstheory.distributions import read_csv

def limited(room, call):
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + room, hard))
    try:
        call()
    except fs.errors.TooLargeError as error:
        assert "must fit in" in str(error) and "; " in str(error), error
        return "refused"
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    return "answered"

rng = np.random.default_rng(0)
def drawn(shape, large):
    weights = rng.integers(1, 99, size=shape)
    return fs.JointDistribution(weights.astype(object) * 2**70 + 1 if large else weights)

numbers = {"Y": [0, 1]}
distributions = [drawn((2,) * 14, False), drawn((2,) * 11, True), drawn((250, 250, 2), False), drawn((60, 60, 2), True)]
information = fs.measures
calls = {"risks": fs.bayes_risks, "risks, threads": lambda d: fs.bayes_risks(d, threads=3).ranks}
calls |= {"conditional_entropy_table": information.conditional_entropy_table}
known = {*CRITERIA} - {"cost_sensitive", "loss_matrix"}  # which need costs
calls |= {name: lambda d, name=name: fs.criterion_values(d, name) for name in known}
calls |= {f.__name__: f for f in (fs.markov_blankets, fs.relevance)}
calls["report"] = lambda d: fs.report(d) if len(d.features) < 3 else fs.bayes_risks(d).minimal_sets()
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "a.csv"
    path.write_text("a,b,c,d\\n" + "".join(f"{i},{i},{i % 99},{i % 7}\\n" for i in range(60)))
    calls["csv"] = lambda d: read_csv(path, target="d", population=True)
    small, met = drawn((2, 2, 2), False), []
    for name, call in calls.items():
        call(small)
        outcomes = set()
        for d in distributions[: 1 if name == "csv" else None]:
            for room in (0, 2**21, 2**23, 2**26):
                outcomes.add(limited(room, lambda: call(d)))
        met.append(outcomes)
assert all("answered" in outcomes for outcomes in met) and sum("refused" in outcomes for outcomes in met) > len(met) / 2
print("no traceback")
"""


@pytest.mark.thorough(2)
@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process")
def test_a_limit_is_met_by_an_answer_or_a_clear_error() -> None:
    """Of every table call, at limits that leave nothing, a little, and enough: what was freed before may be enough."""
    gives_back = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "MALLOC_MMAP_THRESHOLD_": "65536"}
    command: Any = {"args": [sys.executable, "-c", LIMITED], "cwd": source.ROOT, "env": gives_back}
    # Once in many runs NumPy crashes where it finds no memory for a buffer, as nothing of ours, which is not compiled.
    runs = (subprocess.run(**command, capture_output=True, text=True, check=False) for _ in range(3))
    done = next((run for run in runs if run.returncode != -signal.SIGSEGV), None)
    if done is None:
        pytest.skip("NumPy crashed three times where it found no memory")
    assert done.stdout == "no traceback\n", (done.returncode, done.stderr)
