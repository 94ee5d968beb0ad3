"""The JSON form, as a text and as a file: an exact round trip, and nothing but that form is read."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fstheory import Certificate, JointDistribution, report
from fstheory.distributions import load
from fstheory.errors import InvalidFormatError, InvalidTypeError, OutputError
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


def test_a_file_holds_the_text(tmp_path: Path) -> None:
    """Of distributions, reports and certificates alike: the text is returned, and written to a file that is named."""
    d = JointDistribution([["1/3", 0], [0, "2/3"]])
    path = tmp_path / "value.json"
    for value in (report(d), Certificate({"kind": "refuted"}), d):
        assert value.to_json(path) == path.read_text(encoding="utf-8") == value.to_json()
    assert load(path) == d
    path.write_text("\ufeff" + d.to_json(), encoding="utf-8")  # a byte order mark is skipped
    assert load(path) == d
    with pytest.raises(OutputError):
        d.to_json(tmp_path / "nowhere" / "value.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "JSON"),
        (b"{}", "schema must be 'fstheory/joint-distribution', not None"),
        (b"\xff\xfe", r"line 1 of .* must be UTF-8 text, not b'\\xff'"),
        (JointDistribution([1]).to_json().replace('"1"', '"2"').encode(), "sums to exactly 1, not 2"),
    ],
)
def test_a_file_that_holds_no_distribution_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "d.json"
    path.write_bytes(content)
    with pytest.raises(InvalidFormatError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("label", [1.5, b"a", frozenset({1}), 1j, (0.5,)])
def test_labels_that_json_has_no_form_for(label: object) -> None:
    with pytest.raises(InvalidTypeError, match=r"states\['Y'\] must be strings"):
        JointDistribution([1, 2], states={"Y": [0, label]}).to_json()


TEXTS = ["", "{", "null", "[]", "3", '"a"', "{} {}", "[" * 100_000, '{"a": 1.5}', '{"a": NaN}', "1" * 5000, b"\xff"]


@pytest.mark.parametrize("text", [*TEXTS, None, 3.5, ["{}"], {"schema": "fstheory/joint-distribution"}])
def test_texts_of_another_form(text: Any) -> None:
    with pytest.raises(InvalidFormatError):
        JointDistribution.from_json(text)


FAULTS: list[dict[str, Any]] = [
    *({name: ...} for name in ("schema", "version", "features", "target", "probabilities")),
    {"schema": "fstheory/subset-table"},
    *({"version": version} for version in (2, 0, True, "1")),
    {"features": {}},
    {"features": [3]},
    *({"features": [{"name": name, "states": [0, 1]}]} for name in (3, " ", "Y")),
    *(
        {"features": [{"name": "X1", "states": states}]}
        for states in ("ab", [], [0], [0, 0], [1, True], [0, None], [0, {}], [0, 1, 2])
    ),
    {"target": None},
    {"target": {"name": "Y", "states": None}},
    *(
        {"probabilities": entries if isinstance(entries, str) else [*entries, "1/4", "1/4", "1/4"]}
        for entries in ("1", [], ["1/2"], ["1/5"], ["-1/4"], ["1/0"], ["a"])
    ),
    *({"probabilities": entries} for entries in (["0"] * 4, [1, "0", "0", "0"], [None, "0", "0", "1"])),
]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_documents_with_one_fault(fault: dict[str, Any]) -> None:
    document = json.loads(JointDistribution([[1, 2], [3, 6]]).to_json())
    JointDistribution.from_json(json.dumps(document))
    changed = {name: value for name, value in {**document, **fault}.items() if value is not ...}
    with pytest.raises(InvalidFormatError) as caught:
        JointDistribution.from_json(json.dumps(changed))
    assert "\n" not in str(caught.value)


def test_a_newer_version_says_what_to_do() -> None:
    text = JointDistribution([1, 2]).to_json().replace('"version": 1', '"version": 7')
    with pytest.raises(InvalidFormatError, match=r"version must be 1, .* not 7; upgrade fstheory"):
        JointDistribution.from_json(text)
