"""The gallery: its members by their definitions, by published numbers and by another program; and random ones."""

import contextlib
import functools
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from fstheory import JointDistribution, bayes_risks
from fstheory.distributions import gallery
from tests import literal

noises = st.fractions(0, 1, max_denominator=20)


def weights(d: JointDistribution) -> dict[tuple[object, ...], Fraction]:
    return {cell: mass for cell, mass in d.to_pmf().items() if mass}


@functools.cache
def risks(name: str) -> dict[frozenset[str], Fraction]:
    d = gallery.load(name)
    return literal.risks(d.to_pmf(), d.features)


# -- The members cell by cell, from the words of their definitions.


@pytest.mark.parametrize(("problem", "members"), [(1, 216), (2, 142), (3, 228)])
def test_monks(problem: int, members: int) -> None:
    """Every robot has 1/432; noise moves a part of it to the other class."""
    d = gallery.monks(problem, noise=0)
    clean, noisy = d.to_pmf(), gallery.monks(problem, noise="1/20").to_pmf()
    assert len([mass for (*_, member), mass in weights(d).items() if member == "yes"]) == members
    assert noisy == {cell: Fraction(19 if mass else 1, 432 * 20) for cell, mass in clean.items()}
    assert gallery.monks(problem).to_pmf() == (noisy if problem == 3 else clean)


@given(st.integers(0, 5), noises)
def test_parity(n: int, noise: Fraction) -> None:
    d = gallery.parity(n, noise=noise)
    assert d.features == tuple(f"X{i + 1}" for i in range(n))
    for (*x, y), mass in d.to_pmf().items():
        assert mass == Fraction(1, 2**n) * (1 - noise if x.count(1) % 2 == y else noise)
    assert gallery.xor(noise=noise) == gallery.parity(2, noise=noise)


def test_corral_is_the_128_rows() -> None:
    """Each state of the first five bits has four rows, and in one of them the correlated bit is wrong."""
    rows = [
        (*bits, wrong ^ y, y)
        for *bits, wrong in product((0, 1), repeat=6)
        for y in [int((bits[0] and bits[1]) or (bits[2] and bits[3]))]
        for _ in range(1 if wrong else 3)
    ]
    d = gallery.corral()
    assert len(rows) == 128
    assert d == JointDistribution.from_samples(rows, features=d.features)


def test_correlated_xor_has_eight_states() -> None:
    cells = {(a, b, c, 1 - b, 1 - c, int(a != b)): Fraction(1, 8) for a, b, c in product((0, 1), repeat=3)}
    assert weights(gallery.correlated_xor()) == cells


@settings(max_examples=2)
@given(noises)
def test_led_by_hamming_distance(noise: Fraction) -> None:
    """The digits are the usual glyphs; a segment is inverted with probability `noise`; the parity sums the digits."""
    glyphs = ["tabcdu", "bd", "tbmcu", "tbmdu", "abmd", "tamdu", "tamcdu", "tbd", "tabmcdu", "tabmdu"]
    pmf, parity = gallery.led(noise=noise).to_pmf(), gallery.led(noise=noise, target="parity").to_pmf()
    chances = [Fraction(1, 10) * noise**wrong * (1 - noise) ** (7 - wrong) for wrong in range(8)]
    for display in product((0, 1), repeat=7):
        for digit, glyph in enumerate(glyphs):
            wrong = sum(lit != (segment in glyph) for lit, segment in zip(display, "tabmcdu", strict=True))
            assert pmf[(*display, digit)] == chances[wrong]
        assert parity[(*display, "even")] == sum(pmf[(*display, k)] for k in range(0, 10, 2))


def test_where_only_the_lowest_segments_are_lit_three_digits_tie() -> None:
    check = gallery.led().has_unique_maximum()
    assert check.left == (0, 1, 6)
    assert list((check.witness or {}).values()) == [0, 0, 0, 0, 1, 1, 1]


@given(noises, st.integers(1, 4))
def test_copies(noise: Fraction, n: int) -> None:
    masses = {(*[x] * n, y): (noise if x != y else 1 - noise) / 2 for x, y in product((0, 1), repeat=2)}
    assert weights(gallery.copies(n, noise=noise)) == {cell: mass for cell, mass in masses.items() if mass}


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


@pytest.mark.parametrize("name", ["toussaint", "cover", "ahmed-example-1"])
def test_features_are_independent_given_the_class(name: str) -> None:
    d = gallery.load(name)
    for (*x, y), mass in d.to_pmf().items():
        likelihoods = [d.condition({"Y": y}).probability({f: v}) for f, v in zip(d.features, x, strict=True)]
        assert mass == prod(likelihoods, start=d.probability({"Y": y}))


# -- All members: their assumptions, their names, published numbers, and a script that knows nothing of this package.


ORACLES = Path(__file__).parents[1] / "oracles"
PUBLISHED: dict[str, Any] = json.loads((ORACLES / "gallery_published.json").read_text(encoding="utf-8"))
COMPUTED: dict[str, Any] = json.loads((ORACLES / "gallery_risks.json").read_text(encoding="utf-8"))["members"]
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


@pytest.mark.parametrize("name", COMPUTED)
@pytest.mark.one_in(4)
def test_risks_by_an_independent_script(name: str) -> None:
    """Neither the definition nor the sweep ever saw this script."""
    table, found = risks(name), bayes_risks(gallery.load(name))
    for subset, value in COMPUTED[name]["risks"].items():
        names = frozenset(filter(None, subset.split(",")))
        assert table[names] == found[names] == Fraction(value), subset
    best = set(map(frozenset, COMPUTED[name]["minimal_optimal"]))
    assert literal.minimal_optimal(table) == set(found.minimal_sets()) == best


def test_the_script_knows_every_member_that_is_no_draw() -> None:
    assert {*COMPUTED} == {*gallery.names()} - {"random"}


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


@given(st.integers(0, 10**6), st.integers(0, 6), st.booleans())
def test_ties_tie(seed: int, ties: int, positive: bool) -> None:
    d = gallery.random((2, 3), 3, rng=seed, ties=ties, positive=positive)
    top = d.weights.max(axis=-1, keepdims=True)
    assert int(((d.weights == top).sum(axis=-1) > 1).sum()) >= ties
