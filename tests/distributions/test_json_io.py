"""JSON: exact round trips, files written whole or not at all, and files that are something else."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fstheory import Certificate, JointDistribution, report
from fstheory._support.files import write_atomically
from fstheory.distributions.files import load
from fstheory.errors import InvalidFormatError, InvalidTypeError, OutputError
from fstheory.testing import joint_distributions


@given(joint_distributions(named=True))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, d: JointDistribution) -> None:
    path = tmp_path_factory.mktemp("json") / "d.json"
    d.to_json(path)
    assert load(path) == d


def test_the_file_holds_exact_strings(tmp_path: Path) -> None:
    JointDistribution([["1/3", "2/3"]]).to_json(tmp_path / "d.json")
    document = json.loads((tmp_path / "d.json").read_text(encoding="utf-8"))
    assert [Fraction(p) for p in document["probabilities"]] == [Fraction(1, 3), Fraction(2, 3)]


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    d = JointDistribution([[1, 2]])
    (tmp_path / "d.json").write_text("\ufeff" + d.to_json(), encoding="utf-8")
    assert load(tmp_path / "d.json") == d


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[]", "the document must be an object"),
        (b"{}", "schema must be 'fstheory/joint-distribution', not None"),
        (b"\xff\xfe", r"line 1 of .* must be UTF-8 text, not b'\\xff'"),
        (JointDistribution([1]).to_json().replace('"version": 1', '"version": 2').encode(), "version must be 1"),
        (JointDistribution([1]).to_json().replace('"1"', '"2"').encode(), "sums to exactly 1, not 2"),
    ],
)
def test_what_is_no_distribution(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "d.json"
    path.write_bytes(content)
    with pytest.raises(InvalidFormatError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "d.json"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(InvalidTypeError, match="in JSON"):
        JointDistribution([[1, 2]], states={"Y": [1.5, 2.5]}).to_json(path)

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        JointDistribution([[1, 2]]).to_json(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["d.json"]
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("path", ["", "none/d.json", "/dev/null", "\0"])
def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="path must be"):
        JointDistribution([[1, 2]]).to_json(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [3, b"d.json", ["d.json"]])
def test_what_is_no_path(path: Any) -> None:
    with pytest.raises(InvalidTypeError, match=r"path must be a string or a path, not .*; "):
        JointDistribution([[1, 2]]).to_json(path)


def test_to_json_writes_where_it_is_told(tmp_path: Path) -> None:
    """Distributions, reports and certificates alike: the text is returned, and written to a file that is named."""
    d = JointDistribution([[1, 0], [0, 2]])
    certificate = Certificate({"kind": "refuted"})
    for value in (d, report(d), certificate):
        path = tmp_path / "value.json"
        assert value.to_json(path) == path.read_text(encoding="utf-8") == value.to_json()
    with pytest.raises(OutputError):
        d.to_json(tmp_path / "nowhere" / "value.json")


def test_a_text_with_half_a_character_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    with pytest.raises(OutputError, match="the text must be one that UTF-8 can hold"):
        write_atomically(tmp_path / "a.txt", "new \ud800")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"]
