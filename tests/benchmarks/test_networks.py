"""Questions asked of a network of 60 variables, exactly, beside pyAgrum's floats in the same run."""

import functools
import random
from fractions import Fraction

from pytest_benchmark.fixture import BenchmarkFixture

from fstheory.selection import networks
from tests.benchmarks.rivals import record
from tests.selection.test_networks import pyagrum_of


@functools.cache
def chain() -> networks.Network:
    """Return a network of 60 variables, each with up to three parents among the four before it."""
    rng, tables = random.Random(0), {}
    for i in range(60):
        parents = tuple(f"v{k}" for k in sorted(rng.sample(range(max(0, i - 4), i), min(i, 3))))
        tenths = [Fraction(rng.randrange(1, 10), 10) for _ in range(2 ** len(parents))]
        keys = [tuple("ab"[n >> k & 1] for k in range(len(parents))) for n in range(len(tenths))]
        rows = {key: {"a": p, "b": 1 - p} for key, p in zip(keys, tenths, strict=True)}
        tables[f"v{i}"] = parents, rows if parents else rows[()]
    return networks.Network(tables)


def test_a_probability_given_others(benchmark: BenchmarkFixture) -> None:
    n = chain()
    gum, model = pyagrum_of(n)
    given = {"v59": "a", "v30": "b", "v7": "a"}
    p = benchmark.pedantic(n.probability, ({"v0": "a"}, given), rounds=5)
    floats = functools.partial(gum.getPosterior, model, target="v0", evs=given)
    assert abs(floats()[{"v0": "a"}] - float(p)) < 1e-12
    record(benchmark, "over pyAgrum", floats)
