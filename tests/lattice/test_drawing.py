"""Random linear extensions: the distribution is computed exactly, from all draws that a generator could make."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import prod

import numpy as np
import pytest

from fstheory.lattice.extensions import (
    check_linear_extension,
    draw_below,
    draw_bits_below,
    linear_extensions,
    random_linear_extension,
)

Order = tuple[frozenset[str], ...]


class Scripted(random.Random):
    """A generator that draws what it is told, then zeros, and notes the bounds."""

    def __init__(self, script: list[int]) -> None:
        super().__init__(0)
        self.script, self.bounds = script, list[int]()

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        assert stop is None
        self.bounds.append(start)
        return self.script[len(self.bounds) - 1] if len(self.bounds) <= len(self.script) else 0


def all_outcomes(draw: Callable[[Scripted], Order]) -> Iterator[tuple[Order, Fraction]]:
    """Yield what each possible sequence of draws gives, with its probability."""
    script: list[int] = []
    while True:
        rng = Scripted(script)
        order = draw(rng)
        yield order, Fraction(1, prod(rng.bounds))
        script = (script + [0] * len(rng.bounds))[: len(rng.bounds)]
        while script and script[-1] == rng.bounds[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1


def distribution(n: int, method: str) -> dict[Order, Fraction]:
    total: Counter[Order] = Counter()
    for order, chance in all_outcomes(lambda rng: random_linear_extension(n, rng=rng, method=method)):  # type: ignore[arg-type]
        total[order] += chance  # type: ignore[assignment]
    return dict(total)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", range(4))
def test_uniform_gives_every_order_the_same_chance(n: int) -> None:
    orders = list(linear_extensions(n))
    assert distribution(n, "uniform") == dict.fromkeys(orders, Fraction(1, len(orders)))


@pytest.mark.parametrize("n", range(4))
def test_sequential_reaches_every_order(n: int) -> None:
    """Its chance of an order is the product of 1 / (number available) along the order."""
    found = distribution(n, "sequential")
    assert found.keys() == set(linear_extensions(n))
    for order, chance in found.items():
        rests = [order[i:] for i in range(len(order))]
        able = [sum(not any(subset < other for other in rest) for subset in rest) for rest in rests]
        assert chance == Fraction(1, prod(able))
    assert (len(set(found.values())) > 1) == (n == 3), "uniform up to two features only"


def test_numpy_bits_give_every_integer_the_same_chance() -> None:
    """Of the 256 bytes, those that are accepted fall on each of 48 numbers equally often."""

    class Bytes:
        def __init__(self, first: int) -> None:
            self.queue = [first, 0]

        def bytes(self, length: int) -> bytes:
            assert length == 1
            return bytes([self.queue.pop(0)])

    accepted: Counter[int] = Counter()
    for byte in range(256):
        source = Bytes(byte)
        number = draw_bits_below(source, 48)  # type: ignore[arg-type]
        if len(source.queue) == 1:
            accepted[number] += 1
    assert accepted == dict.fromkeys(range(48), 4)


@pytest.mark.parametrize("bound", [1, 2, 3, 10**30])
def test_numpy_draws_stay_below_the_bound(bound: int) -> None:
    below = draw_below(np.random.default_rng(0))
    drawn = [below(bound) for _ in range(50)]
    assert min(drawn) >= 0
    assert max(drawn) < bound
    assert len(set(drawn)) >= min(bound, 2)


@pytest.mark.parametrize("method", ["uniform", "sequential"])
@pytest.mark.parametrize("make", [int, random.Random, np.random.default_rng])
def test_a_seed_is_reproducible(method: str, make: Callable[[int], int | random.Random | np.random.Generator]) -> None:
    first, again, other = (
        [random_linear_extension(4, rng=make(seed), method=method)]  # type: ignore[arg-type]
        for seed in (3, 3, 4)
    )
    assert first == again
    assert first != other
    assert check_linear_extension(first[0]) == first[0]


def test_a_generator_moves_on() -> None:
    rng = random.Random(1)
    assert len({random_linear_extension(5, rng=rng) for _ in range(10)}) > 5
    order = random_linear_extension(list("abcde"), rng=rng)
    assert check_linear_extension(order, list("abcde")) == order


@pytest.mark.parametrize("n", [0, 1, 7, 10])
def test_sequential_is_a_linear_extension(n: int) -> None:
    order = random_linear_extension(n, method="sequential")
    assert check_linear_extension(order, n) == order
