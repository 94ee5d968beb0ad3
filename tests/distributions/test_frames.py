"""pandas and SymPy: exact in both directions."""

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
import sympy
from hypothesis import given

from fstheory import JointDistribution, Sample
from fstheory.errors import InvalidTypeError, InvalidValueError, UnknownNameError
from fstheory.testing import joint_distributions
from tests.refusals import cases


@given(joint_distributions())
def test_to_frame(d: JointDistribution) -> None:
    frame = d.to_frame()
    assert list(frame.columns) == [*d.features, d.target, "probability"]
    assert {tuple(row[:-1]): row[-1] for row in frame.itertuples(index=False)} == d.to_pmf()
    assert {type(p) for p in frame["probability"]} == {Fraction}
    assert frame.groupby(d.target)["probability"].sum().sum() == 1


@given(joint_distributions(named=True))
def test_to_frame_of_any_names(d: JointDistribution) -> None:
    if "probability" not in d.states:
        assert list(d.to_frame()["probability"]) == list(d.to_pmf().values())


@given(joint_distributions())
def test_to_sympy(d: JointDistribution) -> None:
    found = d.to_sympy()
    assert all(isinstance(p, sympy.Rational) for p in found.values())
    assert {cell: Fraction(int(p.p), int(p.q)) for cell, p in found.items()} == d.to_pmf()


@given(joint_distributions(huge=False, max_weight=3))
def test_a_frame_of_samples(d: JointDistribution) -> None:
    """With categories the states are kept, in their order, whether they occur or not; also columns in any order."""
    rows = [cell for cell, p in d.to_pmf().items() for _ in range(int(p * d.total))]
    names = [*d.features, d.target]
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    for name in names:
        frame[name] = pd.Categorical(frame[name], categories=list(d.states[name])[::-1])
    read = JointDistribution.from_samples(frame[names[::-1]], target="Y", features=d.features, population=True)
    assert read == Sample.from_frame(frame, target="Y", features=d.features).empirical()
    assert read.features == d.features
    assert {name: labels[::-1] for name, labels in read.states.items()} == dict(d.states)
    assert read.to_pmf() == {cell: d.to_pmf()[cell] for cell in read.to_pmf()}


def test_columns_of_many_types() -> None:
    frame = pd.DataFrame(
        {
            "int": pd.array([1, 2, 1], dtype="Int64"),
            "bool": [True, False, True],
            "text": pd.array(["b", "a", "b"], dtype="string"),
            "day": pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-02"]),
            "y": ["no", "yes", "no"],
        }
    )
    d = JointDistribution.from_samples(frame, target="y", population=True)
    assert d.features == ("int", "bool", "text", "day")
    assert [d.states[name] for name in ("int", "bool", "text")] == [(1, 2), (False, True), ("a", "b")]
    assert type(d.states["int"][0]) is int
    assert d.probability({"day": pd.Timestamp("2020-01-02"), "y": "no"}) == Fraction(2, 3)


def test_states_given_go_before_categories() -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", "x"], categories=["y", "x"]), "c": [0, 1]})
    assert JointDistribution.from_samples(frame, target="c", population=True).states["a"] == ("y", "x")
    given_states = JointDistribution.from_samples(frame, target="c", population=True, states={"a": ["x", "y", "z"]})
    assert given_states.states["a"] == ("x", "y", "z")


class Table(pd.DataFrame):
    """Somebody's own kind of DataFrame."""


def test_a_kind_of_frame_is_a_frame() -> None:
    d = JointDistribution.from_samples(Table({"a": [1, 2], "c": [0, 1]}), target="c", population=True)
    assert d == JointDistribution([[1, 0], [0, 1]], features=["a"], target="c", states={"a": [1, 2]})


FRAME = pd.DataFrame({"a": [0, 1], "b": [0, 1], "y": [0, 1]})


MISSING = {"a": [0, None], "b": pd.array([0, pd.NA], dtype="Int64"), "c": [pd.NaT, pd.Timestamp(0)]}
MISSING |= {"d": pd.Categorical(["x", None]), "y": [0, 1]}
REFUSED: dict[type[Exception], list[tuple[Any, Any, Any]]] = {
    InvalidValueError: [
        (FRAME, None, None), (FRAME, "y", ["a", "a"]), (FRAME, "y", ["a", "y"]), (FRAME.iloc[:0], "y", None),
        (pd.DataFrame([[0, 1]], columns=["a", "a"]), "a", None), ([(pd.NA, 1)], "y", None), ([(pd.NaT, 1)], "y", None),
        *((pd.DataFrame(MISSING), "y", [name]) for name in "abcd"),
    ],
    UnknownNameError: [(FRAME, "z", None), (FRAME, "y", ["a", "z"])],
    InvalidTypeError: [
        (FRAME, "y", "a"), (FRAME, "y", {"a", "b"}), (pd.DataFrame([[0, 1]]), 1, None), (pd.Series([0, 1]), None, None),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "error"), cases(REFUSED))
def test_frames_that_are_refused(arguments: tuple[Any, Any, Any], error: type[Exception]) -> None:
    frame, target, features = arguments
    with pytest.raises(error):
        JointDistribution.from_samples(frame, target=target, features=features, population=True)
    if isinstance(frame, pd.DataFrame):
        with pytest.raises(error):
            Sample.from_frame(frame, target=target, features=features)


def test_a_frame_is_a_sample_unless_it_is_said_to_be_all_there_is() -> None:
    with pytest.raises(InvalidValueError, match=r"population must be True .* not False; rows .* fs.Sample.from_frame"):
        JointDistribution.from_samples(FRAME, target="y")


def test_labels_that_python_takes_for_equal_are_told_apart_in_a_column() -> None:
    frame = pd.DataFrame({"a": pd.Series([1, True], dtype=object), "y": [0, 1]})
    with pytest.raises(InvalidValueError, match="column 'a' must be the same as 1, or unequal to it, not True"):
        Sample.from_frame(frame, target="y")


def test_missing_values_are_counted_in_the_message() -> None:
    frame = pd.DataFrame({"a": ["x", None, "x", None], "y": [0, 1, 0, 1]})
    with pytest.raises(InvalidValueError, match=r"column 'a' .* not 2 \(first in row 1\); drop"):
        JointDistribution.from_samples(frame, target="y", population=True)
