"""The gallery: its members by their definitions, by published numbers and by another program; and random ones."""

import contextlib
import functools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import factorial, prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution
from fstheory.distributions import gallery
from tests import literal
from tests.distributions import members
from tests.distributions.members import MEMBERS


def weights(d: JointDistribution) -> dict[tuple[object, ...], Fraction]:
    return {cell: mass for cell, mass in d.to_pmf().items() if mass}


@functools.cache
def risks(name: str) -> dict[frozenset[str], Fraction]:
    d = gallery.load(name)
    return literal.risks(d.to_pmf(), d.features)


# -- The members cell by cell, from the words of their definitions.


def by_place(d: JointDistribution) -> dict[tuple[int, ...], Fraction]:
    """Return the mass of each cell of positive probability, whose states are given by their positions."""
    return {tuple(map(int, cell)): Fraction(int(d.weights[tuple(cell)]), d.total) for cell in np.argwhere(d.weights)}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_is_as_defined(name: str) -> None:
    d, (features, cells) = gallery.load(name), MEMBERS[name]
    assert (list(d.features), by_place(d)) == (features, cells)


NOISY: dict[str, Callable[[Fraction], tuple[JointDistribution, members.Pmf]]] = {
    "monks": lambda noise: (gallery.monks(1, noise=noise), members.robots(1, noise)),
    "led": lambda noise: (gallery.led(noise=noise), members.display(10, noise)),
    "led-parity": lambda noise: (gallery.led(noise=noise, target="parity"), members.display(2, noise)),
    "xor": lambda noise: (gallery.xor(noise=noise), members.parity(2, noise)),
    "no bits": lambda noise: (gallery.parity(0, noise=noise), members.parity(0, noise)),
    "five bits": lambda noise: (gallery.parity(5, noise=noise), members.parity(5, noise)),
    "one copy": lambda noise: (gallery.copies(1, noise=noise), members.copies(1, noise)),
    "four copies": lambda noise: (gallery.copies(4, noise=noise), members.copies(4, noise)),
    "recoded": lambda noise: (gallery.recoded(noise=noise), members.recoded(noise)),
}


@pytest.mark.parametrize("name", NOISY)
@pytest.mark.parametrize("noise", [Fraction(0), Fraction(3, 7), Fraction(1)])
def test_noise_inverts_what_it_is_said_to(name: str, noise: Fraction) -> None:
    d, cells = NOISY[name](noise)
    assert by_place(d) == cells


def test_where_only_the_lowest_segments_are_lit_three_digits_tie() -> None:
    check = gallery.led().has_unique_maximum()
    assert check.left == (0, 1, 6)
    assert list((check.witness or {}).values()) == [0, 0, 0, 0, 1, 1, 1]


@given(st.data(), st.integers(0, 10**6), st.sampled_from([(2,), (2, 3), (1, 2, 2), (3, 1)]))
def test_with_copy(data: st.DataObject, seed: int, shape: tuple[int, ...]) -> None:
    d = gallery.random(shape, classes=3, rng=seed)
    feature = data.draw(st.sampled_from(d.features))
    copied = gallery.with_copy(d, feature)
    assert copied.features == (*d.features, f"{feature}'")
    assert copied.marginal(d.features) == d
    assert all(cell[d.features.index(feature)] == cell[-2] for cell in weights(copied))


def test_with_copy_keeps_labels_and_huge_weights() -> None:
    d = JointDistribution([[2**200, 1], [3, 4]], features=["sky"], states={"sky": ["sun", "rain"], "Y": ["a", "b"]})
    copied = gallery.with_copy(d, "sky", "window")
    assert (copied.states["window"], copied.total) == (("sun", "rain"), d.total)


@given(st.fractions("1/100", "99/100", max_denominator=100))
def test_pena_nilsson(p: Fraction) -> None:
    d = gallery.pena_nilsson_example_1(p)
    assert d.to_pmf() == {(0, 0): 0, (0, 1): 1 - p, (1, 0): p / 3, (1, 1): 2 * p / 3}


# -- All members: their assumptions, their names, published numbers, and a script that knows nothing of this package.


ORACLES = Path(__file__).parents[1] / "oracles"
PUBLISHED: dict[str, Any] = json.loads((ORACLES / "gallery_published.json").read_text(encoding="utf-8"))
IMPOSSIBLE = {"titanic", "correlated-xor", "copies", "recoded"}  # the members where a state has probability 0
IMPOSSIBLE |= {name for name in gallery.names() if name.startswith("asia") and name != "asia-either"}


@pytest.mark.parametrize("name", gallery.names())
def test_a_member_and_its_assumptions(name: str) -> None:
    d = gallery.load(name)
    assert bool(d.is_positive()) is (name not in IMPOSSIBLE)
    assert bool(d.has_unique_maximum()) is (name not in {"led", "ties"})
    assert re.fullmatch(r".{,99}\)", gallery.describe(name))
    assert re.fullmatch(r"[A-Z].{,99}\? The data: .*\.", gallery.story(name))
    if name.startswith("asia"):
        assert d.target == (name.removeprefix("asia-") if name != "asia" else "dysp")


def test_states_are_in_the_documented_order() -> None:
    documented: dict[str, dict[str, tuple[Any, ...]]] = {
        "titanic": {"class": ("1st", "2nd", "3rd", "crew"), "survived": ("no", "yes")},
        "berkeley": {"department": ("A", "B", "C", "D", "E", "F")},
        "monks-1": {"jacket_color": ("red", "yellow", "green", "blue"), "member": ("no", "yes")},
        "led": {"digit": tuple(range(10))},
        "led-parity": {"parity": ("even", "odd")},
        "asia": {"either": ("no", "yes"), "dysp": ("no", "yes")},
        "ahmed-example-1": {"Y": (-1, 1)},
    }
    for name, states in documented.items():
        assert states.items() <= gallery.load(name).states.items(), name


def agrees(value: Fraction, printed: str, *, exact: bool) -> bool:
    """Say whether a value is the printed one: equal to a fraction, or rounded to the decimals it has."""
    if exact or "." not in printed:
        return value == Fraction(printed)
    return abs(value - Fraction(printed)) <= Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))


def label(row: dict[str, Any]) -> str:
    return f"{row['member']}-{row.get('event') or row.get('subset')}-{row.get('given')}"


@pytest.mark.parametrize("row", PUBLISHED["probabilities"], ids=label)
def test_published_probability(row: dict[str, Any]) -> None:
    d = gallery.load(row["member"])
    given = row.get("given", {})
    mass = d.probability({**row["event"], **given}) / (d.probability(given) if given else 1)
    assert agrees(mass, row["probability"], exact=row.get("exact", False)), mass


@pytest.mark.parametrize("row", PUBLISHED["risks"], ids=label)
def test_published_risk(row: dict[str, Any]) -> None:
    value = risks(row["member"])[frozenset(row["subset"])]
    assert agrees(value, row["risk"], exact=False), value


@pytest.mark.parametrize("name", PUBLISHED["tables"])
def test_flat_table(name: str) -> None:
    """Every count of the flat table is the weight of its cell, and no cell is left over."""
    d, table = gallery.load(name), PUBLISHED["tables"][name]
    assert table["columns"] == [*d.features, d.target, "count"]
    assert d.to_pmf() == {tuple(labels): Fraction(count, d.total) for *labels, count in table["rows"]}


def test_every_member_that_is_no_draw_is_defined_twice() -> None:
    assert {*MEMBERS, *PUBLISHED["tables"]} == {*gallery.names()} - {"random"}
    assert {*gallery._MAKERS} == {*gallery.names()}


def test_mutual_information_of_ahmed_in_bits() -> None:
    """The example prints 0.08 and 0.17 without a unit: these are bits (in nats it would be 0.06 and 0.12)."""
    d = gallery.ahmed_example_1()
    for name, printed in (("X1", 0.08), ("X2", 0.17)):
        pmf = d.marginal(name).to_pmf()
        apart = [d.probability({name: x}) * d.probability({"Y": y}) for x, y in pmf]
        terms = [float(p) * math.log2(p / q) for p, q in zip(pmf.values(), apart, strict=True)]
        assert round(sum(terms), 2) == printed


# -- Random distributions: the draw is the one described, exactly, and the same everywhere.


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


def tables(states: int, classes: int, total: int, zeros: int, ties: int, positive: bool) -> Iterator[tuple[int, ...]]:
    """Yield the table that each way to take the four steps of `random` ends in."""
    cells = range(states * classes)
    for protected in product(range(classes), repeat=states if positive and zeros else 0):
        exposed = [cell for cell in cells if cell not in {i * classes + y for i, y in enumerate(protected)}]
        for holes, tied in product(combinations(exposed, zeros), combinations(range(states), ties)):
            for drawn in product(range(positive, total + 1), repeat=len(cells) - zeros):
                if sum(drawn) == total:
                    rest = iter(drawn)
                    rows = np.reshape([0 if cell in holes else next(rest) for cell in cells], (states, classes))
                    for i in tied:
                        rows[i][(rows[i].argmax() + 1) % classes] = rows[i].max()
                    yield tuple(rows.ravel().tolist())


@pytest.mark.parametrize(
    ("states", "classes", "total", "zeros", "ties", "positive"),
    [(1, 3, 4, 0, 0, False), (1, 1, 3, 0, 0, False), (2, 2, 2, 1, 0, False), (2, 2, 4, 0, 0, True),
     (2, 2, 4, 1, 0, True), (3, 2, 1, 2, 1, False), (2, 3, 1, 0, 2, False)],
)  # fmt: skip
def test_all_tables_are_drawn_as_described(
    states: int, classes: int, total: int, zeros: int, ties: int, positive: bool
) -> None:
    """Each as often as it comes about: k of n things are drawn in k! equally likely orders."""
    parts = states * classes - zeros
    protected = states if positive and zeros else 0
    slots = total - parts * positive + parts - 1
    choices = [(states * classes - protected, zeros), (slots, parts - 1), (states, ties)]
    ranges = [classes] * protected + [n - k + 1 + i for n, k in choices for i in range(k)]

    def draw(rng: Random) -> object:
        d = gallery.random((states,), classes, rng=rng, total=total, zeros=zeros, ties=ties, positive=positive)
        return tuple((d.weights / Fraction(d.total)).ravel().tolist())

    expected = Counter(
        tuple(Fraction(w, sum(t)) for w in t) for t in tables(states, classes, total, zeros, ties, positive)
    )
    orders = prod(factorial(k) for _, k in choices)
    assert every_draw(draw, ranges) == {table: ways * orders for table, ways in expected.items()}


def test_the_draw_does_not_change() -> None:
    """A seed in a paper or an exercise must mean the same distribution next year."""
    assert gallery.random(rng=1).weights.ravel().tolist() == [
        14, 17, 15, 11, 7, 38, 22, 63, 4, 21, 8, 10, 7, 3, 37, 43,
    ]  # fmt: skip
    d = gallery.random((2, 2), 3, rng=5, total=100, zeros=3, ties=1, positive=True)
    assert d.weights.tolist() == [[[14, 3, 14], [11, 28, 8]], [[16, 0, 13], [0, 3, 0]]]
    assert gallery.load("random") == gallery.random(rng=1)
    rng = Random(7)
    assert gallery.random(rng=rng) == gallery.random(rng=7) != gallery.random(rng=rng)  # a generator is advanced


@given(st.data(), st.lists(st.integers(1, 3), max_size=3), st.integers(1, 3), st.booleans())
def test_what_was_asked_for_holds(data: st.DataObject, shape: list[int], classes: int, positive: bool) -> None:
    states = prod(shape)
    cells = states * classes
    zeros = data.draw(st.integers(0, cells - states if positive else cells - 1))
    total = data.draw(st.none() | st.integers(cells - zeros, 90) | st.just(10**40))
    d = gallery.random(shape, classes, rng=data.draw(st.integers()), zeros=zeros, positive=positive, total=total)
    assert (d.cardinalities, len(d.classes)) == (tuple(shape), classes)
    assert (20 * cells if total is None else total) % d.total == 0
    empty = int((d.weights == 0).sum())
    assert (empty == zeros and d.is_positive()) if positive else empty >= zeros
