"""What the constructions of Theorem 1 refuse."""

from typing import Any

import pytest

from fstheory import selection as adversary
from fstheory.errors import InvalidTypeError, InvalidValueError, NotMonotoneError, TooLargeError, UnknownNameError
from fstheory.selection.adversary import adversarial_with_risks
from tests.refusals import check_message, refusals

ORDER = [["X1", "X2"], ["X1"], ["X2"], []]
TWO: dict[tuple[str, ...], Any] = {(): "2/5", ("X1",): "1/10", ("X2",): "1/5", ("X1", "X2"): "0"}
ALPHAS = ("'1/2'", "1", "0", "'1.5'", "'-3/4'")
HALF, BETWEEN = "at most 1/2, not '3/5'", "strictly between 1/2 and 1, not"
MASS, XOR = "give every subset a mass of at least 0, not q =", "{**dict.fromkeys(TWO, '1/2'), ('X1', 'X2'): 0}"

test_bad_call = refusals(
    [
        *((f"a.adversarial(ORDER, alpha={alpha})", InvalidValueError, "alpha", BETWEEN) for alpha in ALPHAS),
        ("a.adversarial(ORDER, alpha=0.75)", InvalidTypeError, "alpha", "an exact number"),
        ("a.adversarial([[]], alpha='2/3')", InvalidValueError, "alpha", "left out when there are no features"),
        ("a.adversarial(ORDER, cardinalities=(2, 2, 2))", InvalidValueError, "cardinalities", "2 numbers of states"),
        ("a.adversarial(ORDER, cardinalities=(2, 1))", InvalidValueError, "cardinalities[1]", "at least 2"),
        ("a.adversarial(ORDER, cardinalities=(2.0, 2))", InvalidTypeError, "cardinalities[0]", "an integer"),
        ("a.adversarial(ORDER, cardinalities=3)", InvalidTypeError, "cardinalities", "a sequence"),
        ("a.adversarial(ORDER, classes=1)", InvalidValueError, "classes", "at least 2"),
        ("a.adversarial(ORDER[::-1])", NotMonotoneError, "order", "not {} (S_1) before X1 (S_3)"),
        ("a.adversarial([*ORDER[:2], []])", InvalidValueError, "order", "once, not X2 nowhere"),
        ("a.adversarial(ORDER, cardinalities=(10**9, 10**9))", TooLargeError, "the distribution", "fit"),
        ("a.adversarial_favoring([], factor=2, features=2)", InvalidValueError, "subset", "neither empty nor full"),
        ("a.adversarial_favoring(ORDER[0], factor=2, features=2)", InvalidValueError, "subset", "neither empty nor"),
        ("a.adversarial_favoring(['X1'], factor=1, features=2)", InvalidValueError, "factor", "above 1, not '1'"),
        ("a.adversarial_favoring(['X1'], factor='0.5', features=2)", InvalidValueError, "factor", "above 1"),
        ("a.adversarial_favoring(['X1'], factor=-3, features=2)", InvalidValueError, "factor", "above 1"),
        ("a.adversarial_favoring(['X1'], factor=2.5, features=2)", InvalidTypeError, "factor", "an exact number"),
        ("a.adversarial_favoring(['A'], factor=2, features=2)", UnknownNameError, "feature 'A'", "does not exist"),
        ("a.adversarial_favoring(['X1'], factor=2, features=2, alpha=1)", InvalidValueError, "alpha", BETWEEN),
        ("a.adversarial_with_risks({**TWO, ('X1', 'X2'): '-1/9'})", InvalidValueError, "risks", "at least 0"),
        ("a.adversarial_with_risks({**TWO, (): '3/5'})", InvalidValueError, "the risk of no features", HALF),
        ("a.adversarial_with_risks({**TWO, (): '1/4'})", InvalidValueError, "risks", f"{MASS} -1/20 for {{}}"),
        (f"a.adversarial_with_risks({XOR})", InvalidValueError, "risks", f"{MASS} -1/2 for {{}}"),
        ("a.adversarial_with_risks(dict([*TWO.items()][::3]))", InvalidValueError, "risks", "not without X1"),
        ("a.adversarial_with_risks([*TWO.items(), ({'X1'}, 0)])", InvalidValueError, "risks", "one for each subset"),
        ("a.adversarial_with_risks({**TWO, ('X1',): 0.1})", InvalidTypeError, "the risk of X1", "an exact number"),
        ("a.adversarial_with_risks(3)", InvalidTypeError, "risks", "a mapping from subsets to exact numbers"),
        ("a.adversarial_with_risks([3])", InvalidTypeError, "risks", "pairs of a subset and its risk"),
        ("a.adversarial_with_risks({('X3',): 0}, features=2)", UnknownNameError, "feature 'X3'", "does not exist"),
        ("a.adversarial_with_risks({('X3',): 0})", InvalidValueError, "features", "given when the names in risks"),
    ],
    {"a": adversary, "ORDER": ORDER, "TWO": TWO},
)


def test_a_superset_of_larger_risk_is_named() -> None:
    with pytest.raises(NotMonotoneError) as caught:
        adversarial_with_risks({**TWO, ("X1",): "1/2"})
    check_message(caught.value, "risks", "not grow with the subset, not 1/2 for X1 and 2/5 for {}")
    assert [caught.value.subset, caught.value.superset] == [set(), {"X1"}]
