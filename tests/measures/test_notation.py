"""The usual notation, read and refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.errors import InvalidFormatError
from fstheory.measures.information import conditional_entropy, conditional_mutual_information, entropy, info
from fstheory.testing import joint_distributions

D = JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 9]]], features=["X1", "a, b"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("H(Y)", entropy(D, {"Y"})),
        ("  H ( X1 , Y )  ", entropy(D, {"X1", "Y"})),
        ("H(Y|X1)", conditional_entropy(D, {"Y"}, {"X1"})),
        ('H("a, b" | "Y")', conditional_entropy(D, {"a, b"}, {"Y"})),
        ("I(Y; X1)", conditional_mutual_information(D, {"Y"}, {"X1"})),
        ("I(Y;X1|'a, b')", conditional_mutual_information(D, {"Y"}, {"X1"}, {"a, b"})),
        ("I(Y, X1; X1, 'a, b' | X1)", conditional_mutual_information(D, {"Y"}, {"a, b"}, {"X1"})),
    ],
)
def test_what_is_read(text: str, value: object) -> None:
    assert info(D, text) == value


@given(joint_distributions(named=True, max_features=2, huge=False), st.data())
def test_every_name_can_be_quoted(d: JointDistribution, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from([*d.features, d.target]), min_size=1, unique=True))
    text = f"H({','.join(json.dumps(name, ensure_ascii=data.draw(st.booleans())) for name in names)})"
    assert info(d, text, base=2) == entropy(d, names, base=2)


@pytest.mark.parametrize(
    ("text", "place", "found", "wanted"),
    [
        ("", 0, "the text ends", "H or I"),
        ("  J(Y)", 2, "'J' stands", "H or I"),
        ("H", 1, "the text ends", r"'\('"),
        ("H(", 2, "the text ends", "a name"),
        ("H()", 2, r"'\)' stands", "a name"),
        ("H(Y", 3, "the text ends", r"'\)' or '\|' or ','"),
        ("H(Y |)", 5, r"'\)' stands", "a name"),
        ("H(Y | X1 | Y)", 9, r"'\|' stands", r"'\)' or ','"),
        ("H(Y; X1)", 3, "';' stands", r"'\)' or '\|' or ','"),
        ("H(Y X1)", 4, "'X' stands", r"'\)' or '\|' or ','"),
        ("I(Y)", 3, r"'\)' stands", "';' or ','"),
        ("I(Y; X1) + H(Y)", 9, r"'\+' stands", "the end"),
        ("I(Y; 1X)", 5, "'1' stands", "a name"),
        ('H("a)', 2, "'\"' stands", "a name"),
        (r'H("\q")', 2, "'\"' stands", "a name without unknown escapes"),
    ],
)
def test_an_error_points_at_its_place(text: str, place: int, found: str, wanted: str) -> None:
    with pytest.raises(InvalidFormatError, match=rf"; at position {place}, where {found}, write {wanted} \(names"):
        info(D, text)
