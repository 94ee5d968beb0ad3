"""The JSON of results: exact numbers as text that can be read back, estimates as decimals, no float."""

import dataclasses
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory._support.result import Result, in_order, one_line, to_json
from fstheory.errors import InvalidTypeError
from fstheory.numbers.algebraic import real_roots
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt


@dataclasses.dataclass(frozen=True, repr=False)
class Found(Result):
    """A result with a part of everything."""

    distribution: fs.JointDistribution
    subset: frozenset[str]
    shares: dict[Any, Any]
    hidden: int = dataclasses.field(default=1, repr=False)
    function: Any = len
    _private: int = 2
    _derived = ("twice",)

    @property
    def twice(self) -> Fraction:
        """A number."""
        return Fraction(2, 3)


def test_fields_and_what_is_derived_but_no_distribution() -> None:
    found = Found(fs.gallery.titanic(), frozenset({"age", "class"}), {frozenset({"sex"}): 0.5, (1, "x"): None})
    assert found.to_dict() == {
        "schema": "fstheory/found", "version": 1, "subset": ["class", "age"],
        "shares": [[["sex"], "0.5"], [[1, "x"], None]], "twice": "2/3",
    }  # fmt: skip


def test_features_are_in_the_order_of_the_columns() -> None:
    names = ("b", "X10", "a", "X2")
    s = fs.Sample([(0, 1, 0, 1, 0), (1, 1, 0, 0, 1)], features=names)
    for found in (fs.samples.risk_estimates(s, names, folds=2), fs.samples.permutation_null(s, names, rng=0)):
        assert str(found).startswith("b, X10, a, X2")
        assert found.to_dict()["features"] == [*names]
    first, second = (fs.JointDistribution([[[k, 1], [2, 1]], [[1, 3], [0, 3]]], features=("b", "a")) for k in (1, 9))
    family = fs.linear_family(first, second)
    crossings = fs.selection.information_crossings(family, {"a", "b"}, "a")
    assert str(crossings).startswith("I(Y; b, a) = ")
    assert crossings.to_dict()["first"] == fs.bayes_risks(first).best_of_size(2).to_dict()["subsets"][0] == ["b", "a"]
    assert str(fs.bayes_risks(first).best_of_size(2)).endswith(": {b, a}")
    assert str(fs.selection.phase_diagram(family).best_of_size(2)[0]).endswith(": {b, a}")


def test_features_without_columns_are_in_the_order_of_their_numbers() -> None:
    names = frozenset({"X10", "X2", "X02", "x", "9" * 5000})
    assert in_order(names) == ["9" * 5000, "X02", "X2", "X10", "x"]
    assert in_order(names, ("x", "X10")) == ["x", "X10", "9" * 5000, "X02", "X2"]
    assert one_line(frozenset({"X10", "X9"})) == "{X9, X10}"


def test_arrays_and_long_integers_in_one_line() -> None:
    assert one_line(np.array([[1, 2], [3, 4]])) == one_line([[1, 2], [3, 4]]) == "(1, 2), (3, 4)"
    assert (one_line(np.True_), one_line(np.int64(7)), one_line(10**5000)) == ("yes", "7", "≈1.00000E+5000")


def test_rational_numbers() -> None:
    rational = [3, Fraction(-3, 8), log(8, base=2), sqrt(4), ShiftedRoot("1/2", "1/4"), 2**53, np.int64(7), True]
    assert list(map(to_json, rational)) == [3, "-3/8", "3", "2", "1", str(2**53), 7, True]
    assert to_json(np.array([[1, 2]])) == [[1, 2]]
    assert json.loads(json.dumps(to_json(10**5000))) == "1" + "0" * 5000


@pytest.mark.parametrize("number", [log(3) / 2 - 1, log("3/5", base=2), sqrt(2) + Fraction(1, 3)])
def test_irrational_numbers_can_be_read_back(number: Any) -> None:
    document = to_json(number)
    kind, options = (LogSum, {"base": document["base"]}) if "base" in document else (RootSum, {})
    assert kind(document["terms"], document["constant"], **options) == number
    assert abs(Fraction(document["decimal"]) - number.enclosure(20)[0]) < Fraction(1, 10**10)


def test_roots() -> None:
    root = to_json(ShiftedRoot("1/4", log(2)))
    assert (root["shift"], root["radicands"][0]["terms"], root["decimal"]) == ("1/4", [["1", 2]], "1.08255461116")
    (cube,) = real_roots([-2, 0, 0, 1])
    assert to_json(cube) == {"coefficients": [-2, 0, 0, 1], "place": 0, "decimal": "1.25992104989"}


def test_a_state_that_json_does_not_have() -> None:
    with pytest.raises(InvalidTypeError, match=r"every state must be a string, an integer, .*; relabel it"):
        to_json({"X1": object()})
