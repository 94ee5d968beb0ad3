"""Masks and names: literal sets beside bit tricks; texts of subsets are read back."""

from contextlib import suppress
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from fstheory import testing
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidTypeError, InvalidValueError
from fstheory.lattice import subsets
from tests import literal

features_and_mask = st.lists(testing.names(), max_size=5, unique=True).flatmap(
    lambda listed: st.tuples(st.just(tuple(listed)), st.integers(0, 2 ** len(listed) - 1))
)
counts = st.integers(0, 8)


@given(features_and_mask)
@example((("a", "b", "a, b"), 3))
@example((("{a, b}", "a", "b"), 1))
@example((("X1", "X2", "X1X2"), 4))
@example((("∅", "{}", '""'), 1))
@example((("∅", "{}", '""'), 2))
@example(((" a", "a", "a\n"), 1))
@example((("a\\", "b", '\\"'), 5))
@example((("new\nline", "tab\there", "\x85"), 7))
def test_what_is_formatted_is_parsed(case: tuple[tuple[str, ...], int]) -> None:
    features, mask = case
    text = subsets.format_subset(mask, features)
    assert (subsets.parse_subset(text, features), "\n" in text) == (mask, False)


@given(st.lists(testing.names(), max_size=4, unique=True), st.text(alphabet='{}", X12ab\\∅\n', max_size=12))
def test_any_text_is_a_subset_or_refused(features: list[str], text: str) -> None:
    with suppress(FSTheoryError):
        assert 0 <= subsets.parse_subset(text, features) < 2 ** len(features)


WRITTEN = {5: ["X1X3", "X3X1", "{X1, X3}", "X1,X3", " X1 , X3 "], 0: ["", "{}", "∅", "{ }"], 1: ['{"X1"}', "{X1}"]}
WRITTEN |= {8: ["X12"], 9: ["X1X12", "X12X1"]}


@pytest.mark.parametrize(("text", "mask"), [(text, mask) for mask, texts in WRITTEN.items() for text in texts])
def test_ways_to_write_a_subset(text: str, mask: int) -> None:
    assert subsets.parse_subset(text, ("X1", "X2", "X3", "X12")) == mask


def test_names_are_juxtaposed_only_if_all_are_a_letter_with_a_number() -> None:
    assert subsets.format_subset(5, ("X1", "Y2", "X12")) == "X1X12"
    for features in (("num0", "num1", "cat0"), ("X1", "X2", "X"), ("X1", "x_2", "Z3"), ("X1", "2", "Z3")):
        assert subsets.format_subset(7, features) == f"{{{', '.join(features)}}}"


UNREADABLE = ["X4", "X1X1", "X1,X1", "X1,", ",X1", "X1 X2", "{X1", "X1}", '{"X1}', "x1", "X1X", "abc"]  # a, bc or ab, c


@pytest.mark.parametrize("text", UNREADABLE)
def test_refused_texts(text: str) -> None:
    with pytest.raises(InvalidFormatError):
        subsets.parse_subset(text, ("X1", "X2", "X3", "a", "bc", "ab", "c"))


@given(features_and_mask)
def test_masks_and_names(case: tuple[tuple[str, ...], int]) -> None:
    features, mask = case
    named = subsets.names_of(mask, features)
    assert named == {features[i] for i in subsets.indices_of(mask)}
    for form in (named, list(named), tuple(named), dict.fromkeys(named), iter(named)):
        assert subsets.mask_of(form, features) == mask
    above = [m for i in range(len(features)) if (m := mask | 1 << i) != mask]
    assert list(subsets.covers(mask, len(features))) == above
    assert all(subsets.is_subset(mask, m) and not subsets.is_subset(m, mask) for m in above)


@given(counts, st.data())
def test_orders_of_a_family(n: int, data: st.DataObject) -> None:
    family = np.array(data.draw(st.lists(st.integers(0, 2**n - 1), unique=True)), dtype=np.int64)
    ranks = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(family), max_size=len(family))), dtype=np.int64)
    names = subsets.default_features(n)
    assert [subsets.names_of(int(mask), names) for mask in subsets.masks_by_size(n)] == literal.subsets(names)
    place = {subsets.mask_of(s, names): i for i, s in enumerate(literal.subsets(names))}
    by_size = family[subsets.size_order(family, n)].tolist()
    assert by_size == sorted(family.tolist(), key=place.__getitem__)
    pairs = sorted(zip(ranks.tolist(), family.tolist(), strict=True), key=lambda p: (p[0], place[p[1]]))
    assert family[subsets.size_order(family, n, ranks)].tolist() == [mask for _, mask in pairs]
    minimal = {subsets.names_of(int(mask), names) for mask in subsets.minimal_masks(family)}
    assert minimal == literal.minimal([subsets.names_of(int(mask), names) for mask in family])


def test_widest_masks() -> None:
    """63 features fill a machine word; the order must not overflow it."""
    masks = np.array([2**62, 1, 2**63 - 1, 0], dtype=np.int64)
    assert masks[subsets.size_order(masks, 63)].tolist() == [0, 1, 2**62, 2**63 - 1]
    pairs = [2**a | 2**b for a, b in combinations((0, 1, 61, 62), 2)]
    shuffled = np.array(pairs[::-1], dtype=np.int64)
    assert shuffled[subsets.size_order(shuffled, 63)].tolist() == pairs


def test_refused_names() -> None:
    for bad in ("ab", {"a", "b"}, frozenset("ab"), 3, ["a", 1], None):
        with pytest.raises(InvalidTypeError):
            subsets.feature_names(bad)  # type: ignore[arg-type]
    for blank in (["a", "a"], ["a", " "], [""]):
        with pytest.raises(InvalidValueError):
            subsets.feature_names(blank)
    assert [type(name) for name in subsets.feature_names([np.str_("a")])] == [str]
