"""The JSON form: an exact round trip, and nothing but that form is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from fstheory import JointDistribution
from fstheory.errors import InvalidFormatError, InvalidTypeError
from fstheory.testing import joint_distributions


def types(label: object) -> object:
    return tuple(map(types, label)) if isinstance(label, tuple) else type(label)


@given(joint_distributions(named=True))
def test_round_trip(d: JointDistribution) -> None:
    """Equal, and of the same types: True comes back as True and not as 1."""
    back = JointDistribution.from_json(d.to_json())
    assert back == d
    assert {name: types(labels) for name, labels in back.states.items()} == {
        name: types(labels) for name, labels in d.states.items()
    }
    assert back.to_json() == d.to_json()


def test_the_form() -> None:
    d = JointDistribution([[1, 2], [3, 6]], features=["größe"], states={"Y": [False, ("a", (1,))]})
    assert json.loads(d.to_json()) == {
        "schema": "fstheory/joint-distribution",
        "version": 1,
        "features": [{"name": "größe", "states": [0, 1]}],
        "target": {"name": "Y", "states": [False, ["a", [1]]]},
        "probabilities": ["1/12", "1/6", "1/4", "1/2"],
    }
    assert "größe" in d.to_json()


def test_bytes_are_read() -> None:
    d = JointDistribution([1, 2], states={"Y": ["nein", "für"]})
    assert JointDistribution.from_json(d.to_json().encode()) == d  # type: ignore[arg-type]


@pytest.mark.parametrize("label", [1.5, b"a", frozenset({1}), 1j, (0.5,)])
def test_labels_that_json_has_no_form_for(label: object) -> None:
    with pytest.raises(InvalidTypeError, match=r"states\['Y'\] must be strings"):
        JointDistribution([1, 2], states={"Y": [0, label]}).to_json()


@pytest.mark.parametrize(
    "text", ["", "{", "null", "[]", "3", '"a"', "{} {}", "[" * 100_000, '{"a": 1.5}', '{"a": NaN}', "1" * 5000, b"\xff"]
)
def test_texts_of_another_form(text: str) -> None:
    with pytest.raises(InvalidFormatError):
        JointDistribution.from_json(text)


@pytest.mark.parametrize("text", [None, 3, ["{}"], {"schema": "fstheory/joint-distribution"}])
def test_things_that_are_no_text(text: Any) -> None:
    with pytest.raises(InvalidFormatError):
        JointDistribution.from_json(text)


def put(*path: Any, value: Any) -> Callable[[Any], None]:
    """Return a change: the entry at this path becomes another value."""

    def change(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    change.__name__ = f"{'.'.join(map(str, path))}={value!r}"[:50]
    return change


def drop(name: str) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        del document[name]

    change.__name__ = f"without {name}"
    return change


@pytest.mark.parametrize(
    "change",
    [
        *map(drop, ["schema", "version", "features", "target", "probabilities"]),
        put("schema", value="fstheory/subset-table"),
        put("version", value=2),
        put("version", value=0),
        put("version", value=True),
        put("version", value="1"),
        put("features", value={}),
        put("features", value=[3]),
        put("features", 0, "name", value=3),
        put("features", 0, "name", value=" "),
        put("features", 0, "name", value="Y"),
        put("features", 0, "states", value="ab"),
        put("features", 0, "states", value=[]),
        put("features", 0, "states", value=[0]),
        put("features", 0, "states", value=[0, 0]),
        put("features", 0, "states", value=[1, True]),
        put("features", 0, "states", value=[0, None]),
        put("features", 0, "states", value=[0, {}]),
        put("features", 0, "states", value=[0, 1, 2]),
        put("target", value=None),
        put("target", "states", value=None),
        put("probabilities", value="1"),
        put("probabilities", value=["1"]),
        put("probabilities", value=["1/4", "1/4", "1/4", "1/2"]),
        put("probabilities", value=["1/4", "1/4", "1/4", "1/5"]),
        put("probabilities", value=["-1/4", "1/2", "1/2", "1/4"]),
        put("probabilities", value=["0", "0", "0", "0"]),
        put("probabilities", value=["1/0", "1/4", "1/4", "1/2"]),
        put("probabilities", value=["a", "1/4", "1/4", "1/2"]),
        put("probabilities", value=[1, "0", "0", "0"]),
        put("probabilities", value=[None, "0", "0", "1"]),
    ],
    ids=lambda change: change.__name__,
)
def test_documents_with_one_fault(change: Callable[[Any], None]) -> None:
    document = json.loads(JointDistribution([[1, 2], [3, 6]]).to_json())
    JointDistribution.from_json(json.dumps(document))
    change(document)
    with pytest.raises(InvalidFormatError) as caught:
        JointDistribution.from_json(json.dumps(document))
    assert "\n" not in str(caught.value)


def test_a_newer_version_says_what_to_do() -> None:
    text = JointDistribution([1, 2]).to_json().replace('"version": 1', '"version": 7')
    with pytest.raises(InvalidFormatError, match=r"version must be 1, .* not 7; upgrade fstheory"):
        JointDistribution.from_json(text)
