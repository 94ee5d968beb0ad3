"""The one reader of JSON refuses what Python would read as something else, or not survive."""

from __future__ import annotations

import json

import pytest

from fstheory._support.files import parse_json


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": {"b": 1, "b": 1}}', "the key 'b' appears twice"),
        ("[0.5]", r"0\.5 is not a whole number"),
        ("1e3", "1e3 is not a whole number"),
        ("[NaN]", "NaN is not a whole number"),
        ("-Infinity", "-Infinity is not a whole number"),
        ("[" * 252 + "]" * 252, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[1," + " " * 100 + "2]", "longer than 64 characters"),
        ("9" * 5000, "digits"),
        ("[1", "Expecting"),
        (b"\xff", "decode"),
        (None, "no text but NoneType"),
    ],
)
def test_what_is_refused(text: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_json(text, 64 if "longer" in reason else 2**26)


def test_what_is_read() -> None:
    content = {"a": [1, "1/2", None, True, {"b": []}], "ä": -(10**40)}
    assert parse_json(json.dumps(content)) == parse_json(json.dumps(content).encode()) == content
    deep = "[" * 251 + "]" * 251
    assert json.dumps(parse_json(deep)) == deep
