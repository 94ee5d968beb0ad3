"""How a distribution is written: exact while short, hostile names disarmed, and JSON that is read back."""

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given

from fstheory import Certificate, JointDistribution
from fstheory.distributions import load
from fstheory.errors import InvalidFormatError, OutputError
from fstheory.testing import joint_distributions

NAME = "<b>&\"'</table>"
STATES = {NAME: ["<script>", "&amp;"]}
HOSTILE = JointDistribution([[1, 2], [3, 4]], features=[NAME], target="50%_$x^2~#{}\\", states=STATES)


def parsed(d: JointDistribution) -> ET.Element:
    return ET.fromstring(f"<div>{d._repr_html_()}</div>")


@given(joint_distributions(named=True))
def test_html_is_well_formed_and_shows_names_as_they_are(d: JointDistribution) -> None:
    known = {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    assert {element.tag for element in parsed(d).iter()} <= known
    assert {"<script>", "&amp;", "50%_$x^2~#{}\\ = 0", "2/5"} <= {*parsed(HOSTILE).itertext()}


@given(joint_distributions(named=True))
def test_latex_has_balanced_braces_and_no_live_character(d: JointDistribution) -> None:
    text = d._repr_latex_()
    if text is None:
        assert d.weights.size > 40 or d.total.bit_length() > 128
        return
    assert text.startswith("$\\begin{array}{")
    assert text.endswith("\\end{array}$")
    depth = 0
    for character in re.sub(r"\\.", "", text[1:-1]):  # without what is escaped
        depth += (character == "{") - (character == "}")
        assert depth >= 0
        assert character not in "$%#"
    assert depth == 0
    text = str(HOSTILE._repr_latex_())
    assert r"\text{50\%\_\$x\textasciicircum{}2\textasciitilde{}\#\{\}\textbackslash{}} = 0" in text
    assert r"\frac{2}{5}" in text


@given(joint_distributions())
def test_text_lists_every_state(d: JointDistribution) -> None:
    lines = str(d).splitlines()
    assert len(lines) == 1 + min(d.weights.size // len(d.classes), 40)
    assert len({len(line) for line in lines}) == 1
    assert lines[0].split() == [*d.features, *(f"Y={label}" for label in d.classes)]


def test_what_is_long_is_cut_or_rounded_and_says_so() -> None:
    number = JointDistribution([3**20000, 1])
    assert str(number).split() == ["Y=0", "Y=1", "≈1.00000", "≈3.75756E-9543"]
    assert number._repr_latex_() is None
    d = JointDistribution(np.ones((41, 2), dtype=int))
    assert str(d).splitlines()[-1] == "... 1 more states of the features"
    assert d._repr_html_().endswith("<p>... 1 more states of the features</p>")
    assert d._repr_html_().count("<tr>") == 41
    assert d._repr_latex_() is None
    assert d.to_latex().count(r"\frac{1}{82}") == 82
    assert "..." not in str(JointDistribution(np.ones((40, 2), dtype=int)))


def test_without_features() -> None:
    assert str(JointDistribution([1, 3])).split() == ["Y=0", "Y=1", "1/4", "3/4"]
    assert JointDistribution([1, 3])._repr_latex_() == (
        r"$\begin{array}{|cc} Y = 0 & Y = 1 \\ \hline \frac{1}{4} & \frac{3}{4} \end{array}$"
    )


# -- JSON, as a text and as a file: an exact round trip, and nothing but that form is read.


@given(joint_distributions(named=True))
def test_round_trip(d: JointDistribution) -> None:
    """Equal, and of the same types: True comes back as True and not as 1."""
    for text in (d.to_json(), d.to_json().encode()):
        back = JointDistribution.from_json(text)  # type: ignore[arg-type]
        assert back == d
        assert (repr(back.states), back.to_json()) == (repr(d.states), d.to_json())


def test_the_form() -> None:
    d = JointDistribution([[1, 2], [3, 6]], features=["größe"], states={"Y": [0.1, ("a", (1,))]})
    assert json.loads(d.to_json()) == {
        "schema": "fstheory/joint-distribution",
        "version": 1,
        "features": [{"name": "größe", "states": [0, 1]}],
        "target": {"name": "Y", "states": [0.1, ["a", [1]]]},
        "probabilities": ["1/12", "1/6", "1/4", "1/2"],
    }
    assert "größe" in d.to_json()
    assert JointDistribution.from_json(d.to_json()) == d
    e = JointDistribution([[1, 2], [3, 6]], states={"Y": [False, 5e-324]})
    assert repr(JointDistribution.from_json(e.to_json()).classes) == "(False, 5e-324)"
    with pytest.raises(InvalidFormatError, match=r"target.states must be made of strings, numbers, .* not inf"):
        JointDistribution.from_json(e.to_json().replace("5e-324", "5e324"))


def test_a_table_that_is_typed_by_hand_is_read(tmp_path: Path) -> None:
    assert JointDistribution.from_json("[0, 3]") == JointDistribution([0, 3])
    file = tmp_path / "typed.json"
    file.write_text('[[[4, 1], [1, 0]],\n [[0, "1/2"], [2, 1]]]', encoding="utf-8")
    assert load(file) == JointDistribution([[[4, 1], [1, 0]], [[0, "1/2"], [2, 1]]])


def test_a_file_holds_the_text(tmp_path: Path) -> None:
    """Of distributions and certificates alike."""
    d = JointDistribution([["1/3", 0], [0, "2/3"]])
    path = tmp_path / "value.json"
    for value in (Certificate({"kind": "refuted"}), d):
        value.save(path)
        assert path.read_text(encoding="utf-8") == value.to_json()
    assert load(path) == d
    path.write_text("\ufeff" + d.to_json(), encoding="utf-8")  # a byte order mark is skipped
    assert load(path) == d
    with pytest.raises(OutputError):
        d.save(tmp_path / "nowhere" / "value.json")


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


FAULTS: list[dict[str, Any]] = [
    *({name: ...} for name in ("schema", "version", "features", "target", "probabilities")),
    {"schema": "fstheory/subset-table"},
    *({"version": version} for version in (2, 0, 1.0, True, "1")),
    {"features": {}},
    {"features": [3]},
    *({"features": [{"name": name, "states": [0, 1]}]} for name in (3, " ", "Y", 0.5)),
    *(
        {"features": [{"name": "X1", "states": states}]}
        for states in ("ab", [], [0], [0, 0], [1, True], [0, None], [0, {}], [0, math.inf], [0, 1, 2])
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
