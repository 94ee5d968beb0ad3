"""All solutions of wide tables, beside programs for functional dependencies and for rough sets in the same run."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import fstheory as fs
from fstheory.selection.solutions import AllSolutions
from tests.benchmarks.rivals import record


@functools.cache
def wide(n: int, noise: float = 0) -> fs.Sample:
    """Return 1,000 rows of n columns: three decide the class, up to noise, and the others repeat parts of five."""
    rng = np.random.default_rng(0)
    base = rng.integers(0, 4, (1000, 5))
    label = (base[:, 0] + 2 * (base[:, 1] > 1) + base[:, 2]) % 3
    label = np.where(rng.random(1000) < noise, rng.integers(0, 3, 1000), label)
    ways: list[Callable[[Any], Any]] = [lambda x: 3 - x, lambda x: x // 2, lambda x: x % 2, lambda x: (x + 1) % 4]
    copies = [ways[rng.integers(0, 4)](base[:, rng.integers(0, 5)]) for _ in range(n - 5)]
    return fs.Sample(np.column_stack([base, *copies, label]).tolist())


def dependencies(s: fs.Sample, algorithm: Any, **options: Any) -> set[frozenset[str]]:
    """Return the minimal left sides on which the class depends. Desbordante looks for all right sides."""
    algorithm.load_data(table=s.to_frame().drop(columns="count").loc[lambda frame: frame.index.repeat(s.counts)])
    algorithm.execute(**options)
    pairs = [found.to_name_tuple() for found in algorithm.get_fds()]
    return {frozenset(left) for left, right in pairs if right == s.target}


@pytest.mark.parametrize(
    ("n", "size"), [(10, None), (20, 3), *(pytest.param(n, None, marks=pytest.mark.thorough) for n in (40, 60))]
)
def test_functional_dependencies(n: int, size: int | None, benchmark: BenchmarkFixture) -> None:
    s = wide(n)
    found: AllSolutions = benchmark.pedantic(fs.all_solutions, (s,), {"max_size": size}, rounds=3)
    assert found.bound == 0
    desbordante: Any = pytest.importorskip("desbordante", reason="Desbordante is not installed")
    rivals = {"HyFD": desbordante.fd.algorithms.HyFD, "TANE": desbordante.afd.algorithms.Tane}
    for name, algorithm in rivals.items():
        if name == "HyFD" or n <= 20:  # with more columns, TANE takes minutes
            given = {} if size is None else {"max_lhs": size}
            assert dependencies(s, algorithm(), **given) == {*found.solutions}
            rival = functools.partial(lambda make, given: dependencies(s, make(), **given), algorithm, given)
            record(benchmark, f"over {name}", rival, rounds=1)


def test_approximate_functional_dependencies(benchmark: BenchmarkFixture) -> None:
    s = wide(14, noise=0.1)
    found: AllSolutions = benchmark.pedantic(fs.all_solutions, (s,), {"within": "1/20"}, rounds=3)
    desbordante: Any = pytest.importorskip("desbordante", reason="Desbordante is not installed")
    make = desbordante.afd.algorithms.Tane
    given = {"error": float(found.bound), "afd_error_measure": "g3"}
    assert dependencies(s, make(), **given) == {*found.solutions}
    record(benchmark, "over TANE", lambda: dependencies(s, make(), **given), rounds=1)


def test_decision_reducts() -> None:
    checks: Any = pytest.importorskip("skrough.checks", reason="scikit-rough is not installed")
    s = wide(20)
    x, y = s.codes[:, :-1], s.codes[:, -1]
    for subset in fs.all_solutions(s).solutions:
        columns = sorted(map(s.features.index, subset))
        other = next(i for i in range(20) if i not in columns)
        answers = [checks.check_if_reduct(x, x.max(0) + 1, y, 3, attrs=part) for part in (columns, [*columns, other])]
        assert answers == [True, False]
