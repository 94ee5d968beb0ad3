"""Genuine certificates of every kind are accepted, from a mapping, a text and a file; what the answer says."""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from fstheory.checker.certificates import Checked, check_certificate, check_certificate_text
from fstheory.checker.reading import certificate_digest
from fstheory.errors import InvalidTypeError, InvalidValueError
from tests.logic import examples
from tests.logic.building import Content, R, at_weights, digest, instance, q, rejected, signed, statement

SUMMARIES = [
    (examples.refuted, "refuted: 'hint' is false where all 4 assumptions are true, at weights of total 4"),
    (examples.realized, "realized: 'order' is true where all 0 assumptions are true, at weights of total 8"),
    (examples.irrational, "refuted: 'entropies' is false where all 0 assumptions are true, at weights of total 2"),
    (examples.proved, "proved for all distributions on 2 states and 2 classes: 1 formula, 2 cases"),
    (examples.proved_two_features, "proved for all distributions on 2 x 2 states and 2 classes: 5 formulas, 7 cases"),
]


@pytest.mark.parametrize(("example", "summary"), SUMMARIES)
def test_summary(example: Callable[[], Content], summary: str) -> None:
    checked = check_certificate(example())
    assert checked == Checked(example()["kind"], "an example", f"'an example' is {summary}")
    assert str(checked) == f"accepted: 'an example' is {summary}"
    assert hash(checked) == hash(check_certificate(example()))


@pytest.mark.parametrize("example", [*examples.AT_WEIGHTS, *examples.PROVED])
def test_accepted_in_every_form(example: Callable[[], Content], tmp_path: Path) -> None:
    content = example()
    text = json.dumps(content, indent=2, ensure_ascii=False)
    path = tmp_path / "certificate.json"
    path.write_text(text, encoding="utf-8")
    marked = tmp_path / "marked.json"
    marked.write_text(text, encoding="utf-8-sig")
    forms: list[Any] = [content, MappingProxyType(content), _tuples(content), path, str(path), marked]
    assert len({*map(check_certificate, forms), check_certificate_text(text)}) == 1
    assert check_certificate(content)
    assert certificate_digest(content) == digest(content) == content["digest"]


def _tuples(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _tuples(part) for key, part in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def test_the_word_of_solvers_is_not_accepted() -> None:
    checked = check_certificate(examples.by_solvers())
    assert not checked
    what = "'an example' is proved for all distributions on 2 x 2 states and 2 classes: 1 formula"
    assert str(checked) == f"unverifiable: {what}; there is only the word of z3 5.4.0, cvc5 1.4.2 for it"
    alone = check_certificate(signed(examples.by_solvers(), solvers=["z3 5.4.0"]))
    assert str(alone).endswith("; there is only the word of z3 5.4.0 for it")
    with pytest.raises(AttributeError):
        checked.status = "accepted"  # type: ignore[misc]


def test_nothing_to_show_is_shown() -> None:
    checked = check_certificate(signed(statement("proved", (2,), 2, [], []), maxima=[], proofs=[]))
    assert not checked
    assert str(checked) == "vacuous: 'an example' has no formula to show on 2 states and 2 classes"


# At one distribution


def holds(formula: Any, weights: Any, values: list[Any]) -> bool:
    return bool(check_certificate(at_weights("realized", weights, instance("it", formula), values)))


TWO_BY_TWO = [[[3, 0], [1, 1]], [[1, 1], [0, 1]]]
ENTROPY = ["H", [0], False]


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (R(0), "1/4"),
        (["+"], "0"),
        (["+", q("1/2"), q("-1/3"), R()], "13/24"),
        (["/", q(0), q(0)], "0"),
        (["sqrt", q("9/64")], "3/8"),
        (["sqrt", q(0)], "0"),
        (["*", ["sqrt", q(2)], ["sqrt", q(2)]], "2"),
        (["+", ["sqrt", q(8)], ["*", q(-2), ["sqrt", q(2)]]], "0"),
        (["log", q(1)], "0"),
        (["+", ["log", q(6)], ["*", q(-1), ["log", q(2)]], ["*", q(-1), ["log", q(3)]]], "0"),
        (["H", [], False], "0"),
        (["+", ENTROPY, ["*", q(-1), ["max", ENTROPY, q("1/2")]]], "0"),
    ],
)
def test_values(term: Any, value: str) -> None:
    assert holds(["=", term, q(value)], TWO_BY_TWO, [[term, value], [q(value), value]])
    other = q(Fraction(value) + 1)
    false = at_weights("realized", TWO_BY_TWO, instance("it", ["=", term, other]), [[term, value], [other, other[1]]])
    rejected(false, "show[0], 'it', must be true at the weights, not False")


@pytest.mark.parametrize(
    ("formula", "true"),
    [
        (["<", ENTROPY, ["log", q(2)]], True),  # the first feature is 0 with probability 5/8
        (["<", ["sqrt", q(2)], ["log", q(4)]], False),
        (["iff", ["and"], ["or"]], False),
        (["or", ["and"], ["<", ["/", q(1), q(0)], q(1)]], True),  # as in Python, the rest is not looked at
        (["implies", ["or"], ["<", ["log", q(0)], q(1)]], True),
    ],
)
def test_truth_of_an_assumption(formula: Any, true: bool) -> None:
    content = at_weights("realized", TWO_BY_TWO, instance("true", ["and"]), [], [instance("it", formula)])
    if true:
        assert check_certificate(content)
    else:
        rejected(content, "assume[0], 'it', must be true at the weights, not False")


def test_odd_distributions() -> None:
    """No features, one state, and beyond a machine word."""
    large = str(Fraction(2, 2 + 2**301))
    rows = [(R(), [1, 2], "1/3"), (R(0), [[1, 2]], "1/3"), (R(0), [[2**300, 1], [1, 2**300]], large)]
    for risk, weights, value in rows:
        assert holds(["=", risk, q(value)], weights, [[risk, value], [q(value), value]])


# The arguments


@pytest.mark.parametrize("wrong", [None, ["refuted"], b"{}"])
def test_neither_a_mapping_nor_a_path(wrong: Any) -> None:
    with pytest.raises(InvalidTypeError, match="certificate must be a mapping or the path of a file, not "):
        check_certificate(wrong)
    with pytest.raises(InvalidTypeError, match="text must be a string, not "):
        check_certificate_text(wrong)


def test_paths(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        check_certificate(tmp_path / "none.json")
    with pytest.raises(InvalidValueError, match="certificate must be a path without null characters"):
        check_certificate("a\0b")
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe{}")
    rejected(binary, "the file must be UTF-8 text, not b")
