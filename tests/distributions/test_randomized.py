"""Random distributions: the draw is the one described, exactly, and the same everywhere."""

import contextlib
from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from math import comb, factorial, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.distributions import gallery


class Scripted(Random):
    """A generator whose bits are known beforehand; it stops where others, or more of them, are asked for."""

    bits: list[tuple[int, int]]

    def getrandbits(self, k: int, /) -> int:
        width, value = self.bits.pop(0) if self.bits else (-1, 0)
        if k != width:
            raise EOFError
        return value


def every_draw(draw: Callable[[Random], object], ranges: list[int]) -> Counter[object]:
    """Run `draw` with every sequence of bits, all equally likely, and count those that it uses up."""
    widths = [(n - 1).bit_length() for n in ranges if n > 1]
    found: Counter[object] = Counter()
    for values in product(*(range(2**width) for width in widths)):
        rng = Scripted()
        rng.bits = list(zip(widths, values, strict=True))
        with contextlib.suppress(EOFError):
            found[draw(rng)] += 1
    return found


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 3), (5, 5), (3, 0), (1, 1)])
def test_choose_is_uniform(n: int, k: int) -> None:
    found = every_draw(lambda rng: tuple(gallery._choose(rng, n, k)), [n - k + 1 + i for i in range(k)])
    assert found == dict.fromkeys(combinations(range(n), k), factorial(k))


@pytest.mark.parametrize(("total", "parts", "least"), [(4, 3, 0), (5, 3, 1), (3, 1, 0), (3, 3, 1), (0, 2, 0)])
def test_composition_is_uniform(total: int, parts: int, least: int) -> None:
    slots = total - parts * least + parts - 1
    ranges = [slots - parts + 2 + i for i in range(parts - 1)]
    found = every_draw(lambda rng: tuple(gallery._composition(rng, total, parts, least)), ranges)
    tuples = [t for t in product(range(least, total + 1), repeat=parts) if sum(t) == total]
    assert found == dict.fromkeys(tuples, prod(ranges) // comb(slots, parts - 1))


@given(st.integers(1, 2**70), st.integers(0, 10))
def test_below_uses_the_bits_it_needs(n: int, seed: int) -> None:
    value = gallery._below(Random(seed), n)
    assert 0 <= value < n
    reference = Random(seed)
    drawn = [reference.getrandbits((n - 1).bit_length()) for _ in range(100)] if n > 1 else [0]
    assert value == next(bits for bits in drawn if bits < n)


def test_the_draw_does_not_change() -> None:
    """A seed in a paper or an exercise must mean the same distribution next year."""
    assert gallery.random(rng=1).weights.ravel().tolist() == [
        14, 17, 15, 11, 7, 38, 22, 63, 4, 21, 8, 10, 7, 3, 37, 43,
    ]  # fmt: skip
    d = gallery.random((2, 2), 3, rng=5, total=100, zeros=3, ties=1, positive=True)
    assert d.weights.tolist() == [[[14, 3, 14], [11, 28, 8]], [[16, 0, 13], [0, 3, 0]]]


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, object]:
    shape = tuple(draw(st.lists(st.integers(1, 3), max_size=3)))
    classes = draw(st.integers(1, 3))
    states, positive = prod(shape), draw(st.booleans())
    cells = states * classes
    zeros = draw(st.integers(0, cells - states if positive else cells - 1))
    return {
        "cardinalities": shape,
        "classes": classes,
        "rng": draw(st.integers()),
        "zeros": zeros,
        "positive": positive,
        "total": draw(st.one_of(st.none(), st.integers(cells - zeros, 90), st.just(10**40))),
    }


@given(arguments())
def test_what_was_asked_for_holds(arguments: dict[str, object]) -> None:
    d = gallery.random(**arguments)  # type: ignore[arg-type]
    assert d.cardinalities == arguments["cardinalities"]
    assert len(d.classes) == arguments["classes"]
    total = 20 * d.weights.size if arguments["total"] is None else arguments["total"]
    assert isinstance(total, int)
    assert total % d.total == 0
    empty = int((d.weights == 0).sum())
    if arguments["positive"]:
        assert d.is_positive()
        assert empty == arguments["zeros"]
    else:
        assert empty >= arguments["zeros"]  # type: ignore[operator]
    assert d == gallery.random(**arguments)  # type: ignore[arg-type]


@given(st.integers(0, 10**6), st.integers(0, 6), st.booleans())
def test_ties_tie(seed: int, ties: int, positive: bool) -> None:
    d = gallery.random((2, 3), 3, rng=seed, ties=ties, positive=positive)
    top = d.weights.max(axis=-1, keepdims=True)
    assert int(((d.weights == top).sum(axis=-1) > 1).sum()) >= ties


def test_a_generator_is_advanced() -> None:
    rng = Random(7)
    first, second = gallery.random(rng=rng), gallery.random(rng=rng)
    assert first == gallery.random(rng=7)
    assert second != first


def test_options_change_only_what_they_say() -> None:
    """The ties come last: they leave the untied cells of the same draw alone."""
    plain = gallery.random((2, 2), rng=3, total=101)
    tied = gallery.random((2, 2), rng=3, total=101, ties=1)
    assert int((plain.weights != tied.weights).sum()) == 1


def test_one_cell() -> None:
    d = gallery.random((), 1)
    assert d.features == ()
    assert d.total == 1
