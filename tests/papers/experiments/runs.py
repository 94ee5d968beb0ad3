"""A small run of each experiment, made once for all tests."""

from __future__ import annotations

import functools

import pytest

from fstheory.papers import experiments as ex
from fstheory.papers.experiments.runner import PLANS, Settings

SMALL: dict[str, Settings] = {
    "ahmed-2015": ex.AhmedSettings(
        data=("iris", "wine"), splits=2, features=2, penalties=(1.0,), widths=(1.0,), landmarks=5, waveform=60,
        laws=(("ahmed-example-1", 2), ("asia", 3)), tables=100, trials=5,
    ),
    "beraha-2019": ex.BerahaSettings(
        useful=(3, 4), features=11, samples=24, trials=2, problems=2, few_features=4, deltas=(0.05, 1.0), sizes=(20,),
        fractions=(0.1, 0.2), size_trials=1, distributions=50, test_points=20,
    ),
    "ng-1998": ex.NgSettings(
        trials=20, width=3, features=(1, 4), all_samples=20, samples=(20, 30), all_features=4, bits_features=(1, 2, 3),
        bits_samples=(10,), bits_all_samples=(10, 10), bits_work=100_000, bits_trials=50,
    ),
    "sebban-nock-2002": ex.SebbanNockSettings(data=("LED", "Five"), most_points=24, draws=2, noise_draws=2),
}  # fmt: skip


@functools.cache
def small(name: str) -> ex.Experiment:
    """Return an experiment that was run."""
    for module in PLANS[name].needs(SMALL[name]):
        pytest.importorskip(module)
    return ex.run_experiment(name, settings=SMALL[name])
