"""The members cell by cell, from the words of their definitions, and the facts that their docstrings claim."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.distributions import gallery
from tests import literal
from tests.literal import minimal_optimal

noises = st.fractions(0, 1, max_denominator=20)


def weights(d: JointDistribution) -> dict[tuple[object, ...], Fraction]:
    return {cell: mass for cell, mass in d.to_pmf().items() if mass}


def risks(d: JointDistribution) -> dict[frozenset[str], Fraction]:
    return literal.risks(d.to_pmf(), d.features)


def sets(*subsets: str) -> set[frozenset[str]]:
    return {frozenset(subset.split()) for subset in subsets}


def backward(table: dict[frozenset[str], Fraction], order: tuple[str, ...]) -> frozenset[str]:
    """Return what backward search finds when it tries the features in this order, by Table 1 of the paper."""
    kept = frozenset(order)
    while removable := [name for name in order if name in kept and table[kept - {name}] == table[kept]]:
        kept -= {removable[0]}
    return kept


def one_shot(d: JointDistribution) -> frozenset[str]:
    table = risks(d)
    everything = frozenset(d.features)
    return frozenset(name for name in d.features if table[everything - {name}] != table[everything])


def test_titanic_facts() -> None:
    d = gallery.titanic()
    assert d.probability({"class": {"1st", "2nd"}, "age": "child", "survived": "no"}) == 0
    table = risks(d)
    assert table[frozenset({"sex", "age"})] == table[frozenset({"sex"})]
    assert table[frozenset({"class", "age"})] < table[frozenset({"class"})]
    assert minimal_optimal(table) == {frozenset(d.features)}


def test_berkeley_facts() -> None:
    """Simpson's paradox: women do better in four departments and worse in all."""
    d = gallery.berkeley()

    def rate(**state: str) -> Fraction:
        return d.probability({**state, "admitted": "yes"}) / d.probability(state)

    better = [x for x in "ABCDEF" if rate(gender="female", department=x) > rate(gender="male", department=x)]
    assert better == ["A", "B", "D", "F"]
    assert rate(gender="female") < rate(gender="male")


@pytest.mark.parametrize(("problem", "members"), [(1, 216), (2, 142), (3, 228)])
def test_monks_count(problem: int, members: int) -> None:
    d = gallery.monks(problem, noise=0)
    assert d.cardinalities == (3, 3, 2, 3, 4, 2)
    assert d.total == 432
    assert int(d.weights[..., d.classes.index("yes")].sum()) == members


def test_monks_noise() -> None:
    """Every robot keeps 1/432; the noise moves 1/20 of it to the other class."""
    clean, noisy = gallery.monks(3, noise=0).to_pmf(), gallery.monks(3).to_pmf()
    for (*robot, member), mass in noisy.items():
        right = clean.get((*robot, member), Fraction(0)) > 0
        assert mass == Fraction(19 if right else 1, 432 * 20)


@given(noises)
def test_monks_risk_is_the_noise(noise: Fraction) -> None:
    d = gallery.monks(1, noise=noise)
    top = d.weights.max(axis=-1).sum()
    assert 1 - Fraction(int(top), d.total) == min(noise, 1 - noise)


@given(st.integers(0, 5), noises)
def test_parity(n: int, noise: Fraction) -> None:
    d = gallery.parity(n, noise=noise)
    assert d.features == tuple(f"X{i + 1}" for i in range(n))
    for *x, y in product((0, 1), repeat=n + 1):
        mass = d.probability({**dict(zip(d.features, x, strict=True)), "Y": y})
        assert mass == Fraction(1, 2**n) * (1 - noise if x.count(1) % 2 == y else noise)
    table = risks(d)
    assert table.pop(frozenset(d.features)) == min(noise, 1 - noise)
    assert set(table.values()) <= {Fraction(1, 2)}
    assert gallery.xor(noise=noise) == gallery.parity(2, noise=noise)


def test_corral_is_the_128_rows() -> None:
    """Each state of the first five bits has four rows, and in one of them the correlated bit is wrong."""
    rows = [
        (*bits, wrong ^ y, y)
        for *bits, wrong in product((0, 1), repeat=6)
        for y in [int((bits[0] and bits[1]) or (bits[2] and bits[3]))]
        for _ in range(1 if wrong else 3)
    ]
    assert len(rows) == 128
    d = gallery.corral()
    assert d == JointDistribution.from_samples(rows, features=d.features)


def test_corral_misleads_greedy_search() -> None:
    table = risks(gallery.corral())
    for size, expected in ((1, sets("correlated")), (2, sets("A0 A1", "B0 B1"))):
        found = {subset: value for subset, value in table.items() if len(subset) == size}
        assert {subset for subset, value in found.items() if value == min(found.values())} == expected


def test_correlated_xor_has_eight_states() -> None:
    d = gallery.correlated_xor()
    assert weights(d) == {(a, b, c, 1 - b, 1 - c, int(a != b)): Fraction(1, 8) for a, b, c in product((0, 1), repeat=3)}
    assert one_shot(d) == {"X1"}
    table = risks(d)
    assert {backward(table, order) for order in permutations(d.features)} == sets("X1 X2", "X1 X4")


@settings(max_examples=2)
@given(noises)
def test_led_by_hamming_distance(noise: Fraction) -> None:
    """The digits are the usual glyphs; a segment is inverted with probability `noise`."""
    glyphs = ["tabcdu", "bd", "tbmcu", "tbmdu", "abmd", "tamdu", "tamcdu", "tbd", "tabmcdu", "tabmdu"]
    d = gallery.led(noise=noise)
    pmf = d.to_pmf()
    chances = [Fraction(1, 10) * noise**wrong * (1 - noise) ** (7 - wrong) for wrong in range(8)]
    for display in product((0, 1), repeat=7):
        for digit, glyph in enumerate(glyphs):
            wrong = sum(lit != (segment in glyph) for lit, segment in zip(display, "tabmcdu", strict=True))
            assert pmf.get((*display, digit), 0) == chances[wrong]


def test_led_facts() -> None:
    assert minimal_optimal(risks(gallery.led(noise=0))) == sets("top upper_left upper_right middle lower_left")
    check = gallery.led().has_unique_maximum()
    assert check.left == (0, 1, 6)
    assert list((check.witness or {}).values()) == [0, 0, 0, 0, 1, 1, 1]
    assert gallery.led(target="parity").has_unique_maximum()


def test_led_parity_sums_the_digits() -> None:
    digits, parity = gallery.led().to_pmf(), gallery.led(target="parity").to_pmf()
    assert all(parity[(*x, "even")] == sum(digits[(*x, k)] for k in range(0, 10, 2)) for x in product((0, 1), repeat=7))


def test_asia_is_one_joint_distribution() -> None:
    """Whatever the target, the eight variables have the same joint distribution."""
    names = (*gallery.asia().features, "dysp")

    def joint(target: str) -> set[tuple[frozenset[tuple[str, object]], Fraction]]:
        d = gallery.asia(target)
        variables = (*d.features, d.target)
        return {(frozenset(zip(variables, cell, strict=True)), mass) for cell, mass in weights(d).items()}

    first = joint("dysp")
    assert all(joint(name) == first for name in names)


@given(noises.filter(lambda noise: noise != Fraction(1, 2)), st.integers(2, 4))
def test_copies(noise: Fraction, n: int) -> None:
    d = gallery.copies(n, noise=noise)
    assert minimal_optimal(risks(d)) == {frozenset({name}) for name in d.features}
    assert one_shot(d) == frozenset()
    assert not d.is_positive()
    assert d.has_unique_maximum()


def test_recoded_depends_on_the_order() -> None:
    table = risks(gallery.recoded())
    assert backward(table, ("X1", "X2", "X3")) == {"X3"}
    assert backward(table, ("X3", "X2", "X1")) == {"X1", "X2"}
    assert minimal_optimal(table) == sets("X3", "X1 X2")


def test_ties() -> None:
    d = gallery.ties()
    assert weights(d.marginal([])) == {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}
    assert one_shot(d) == frozenset()
    assert minimal_optimal(risks(d)) == sets("X1", "X2")


@given(st.data(), st.integers(0, 10**6), st.sampled_from([(2,), (2, 3), (1, 2, 2), (3, 1)]))
def test_with_copy(data: st.DataObject, seed: int, shape: tuple[int, ...]) -> None:
    d = gallery.random(shape, classes=3, rng=seed)
    feature = data.draw(st.sampled_from(d.features))
    copied = gallery.with_copy(d, feature)
    name = f"{feature}'"
    assert copied.features == (*d.features, name)
    assert copied.marginal(d.features) == d
    position = d.features.index(feature)
    assert all(cell[position] == cell[-2] for cell in weights(copied))
    assert bool(copied.is_positive()) == (d.cardinalities[position] == 1 and bool(d.is_positive()))


def test_with_copy_keeps_labels_and_huge_weights() -> None:
    d = JointDistribution([[2**200, 1], [3, 4]], features=["sky"], states={"sky": ["sun", "rain"], "Y": ["a", "b"]})
    copied = gallery.with_copy(d, "sky", "window")
    assert copied.states["window"] == ("sun", "rain")
    assert copied.total == d.total
    assert copied.probability({"sky": "sun", "window": "rain"}) == 0


@given(st.fractions("1/100", "99/100", max_denominator=100))
def test_pena_nilsson(p: Fraction) -> None:
    d = gallery.pena_nilsson_example_1(p)
    assert d.probability({"X": 1}) == p
    assert d.posterior({"X": 0}) == {0: 0, 1: 1}
    assert d.posterior({"X": 1}) == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert set(risks(d).values()) == {p / 3}


def test_toussaint_and_cover_order_the_pairs() -> None:
    three, four = risks(gallery.toussaint()), risks(gallery.cover())
    table = {"".join(sorted(subset)): value for subset, value in (three | four).items()}
    assert table["X1"] < table["X2"] < table["X3"]
    assert table["X1X2"] > table["X1X3"] > table["X2X3"]
    assert table["A1"] == table["A2"] < table["B1"] == table["B2"]
    assert table["B1B2"] < table["A1B1"] < table["A1A2"] == table["A1"]


@pytest.mark.parametrize("name", ["toussaint", "cover", "ahmed-example-1"])
def test_features_are_independent_given_the_class(name: str) -> None:
    d = gallery.load(name)
    for (*x, y), mass in d.to_pmf().items():
        expected = d.probability({d.target: y})
        for feature, state in zip(d.features, x, strict=True):
            expected *= d.probability({feature: state, d.target: y}) / d.probability({d.target: y})
        assert mass == expected


IMPOSSIBLE = {"titanic", "correlated-xor", "copies", "recoded"}  # the members where a state has probability 0
IMPOSSIBLE |= {name for name in gallery.names() if name.startswith("asia") and name != "asia-either"}


@pytest.mark.parametrize("name", gallery.names())
def test_assumptions(name: str) -> None:
    d = gallery.load(name)
    assert (bool(d.is_positive()), bool(d.has_unique_maximum())) == (
        name not in IMPOSSIBLE,
        name not in {"led", "ties"},
    )


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
