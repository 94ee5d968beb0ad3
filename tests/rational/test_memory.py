"""What does not fit is refused before it is allocated, with its size."""

from __future__ import annotations

import tracemalloc

import pytest

from fstheory import JointDistribution, bayes_risks, product
from fstheory._memory import available_bytes, format_bytes, require_cells
from fstheory.errors import TooLargeError


def test_units() -> None:
    assert [format_bytes(2**k) for k in (0, 10, 39, 62, 85)] == ["1 bytes", "1 KiB", "512 GiB", "4 EiB", "33554432 EiB"]
    assert format_bytes(0) == "0 bytes"


def test_the_limit_is_half_of_the_memory() -> None:
    cells = available_bytes() // 16
    assert require_cells((cells,), "t", "r") == cells
    with pytest.raises(TooLargeError):
        require_cells((cells + 1,), "t", "r")


def test_nothing_is_allocated() -> None:
    coin = JointDistribution.from_counts({(0,) * 21: 1, (1,) * 21: 1})
    other = coin.rename({f"X{i}": f"Z{i}" for i in range(1, 21)})
    constant = JointDistribution.from_samples([(0,) * 63])
    calls = [
        lambda: product(coin, other),
        lambda: bayes_risks(constant),
        lambda: JointDistribution.from_counts({(0,) * 61: 1, (1,) * 61: 1}),
    ]
    for call in calls:
        tracemalloc.start()
        with pytest.raises(TooLargeError, match=r"[EPTG]iB|[MG]iB"):
            call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2**20


def test_more_axes_than_an_array_can_have() -> None:
    nested: list[object] = [1, 2]
    for _ in range(64):
        nested = [nested]
    endless: list[object] = []
    endless.append(endless)
    for weights in (nested, endless):
        with pytest.raises(TooLargeError, match="at most 64 axes"):
            JointDistribution(weights)
    with pytest.raises(TooLargeError, match="at most 64 axes, not 65"):
        JointDistribution.from_samples([(0,) * 65])


def test_sizes_beyond_all_digits() -> None:
    """CPython writes no integer of more than 4300 digits."""
    with pytest.raises(TooLargeError, match=r"EiB for more than 2\*\*50000 cells; use less"):
        require_cells((2**50000,), "the table", "use less")
