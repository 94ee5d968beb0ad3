"""Files are written whole or not at all, and JSON is read strictly."""

import json
import os
import stat
from pathlib import Path
from typing import Any, cast

import pytest

from fstheory._support.files import _once, parse_json, write_atomically
from fstheory.errors import InvalidTypeError, OutputError


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": {"b": 1, "b": 1}}', "the key 'b' appears twice"),
        ("[0.5]", r"0\.5 is not a whole number"),
        ("1e3", "1e3 is not a whole number"),
        ("[NaN]", "NaN is not a whole number"),
        ("[" * 252 + "]" * 252, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[1," + " " * 100 + "2]", "longer than 64 characters"),
        ("9" * 5000, "digits"),
        ("[1", "Expecting"),
        (b"\xff", "decode"),
        (None, "no text but NoneType"),
    ],
)
def test_what_python_would_read_as_something_else_or_not_survive(text: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_json(text, 64 if "longer" in reason else 2**26)


def test_a_repeated_key_is_found_without_comparing_all_keys() -> None:
    class Key(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Key.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    pairs = [(Key(number), None) for number in [*range(1_000), 999]]
    with pytest.raises(ValueError, match="the key '999' appears twice"):
        _once(cast("list[tuple[str, Any]]", pairs))
    assert Key.compared < 100


def test_what_is_read() -> None:
    content = {"a": [1, "1/2", None, True, {"b": []}], "ä": -(10**40)}
    assert parse_json(json.dumps(content)) == parse_json(json.dumps(content).encode()) == content
    deep = "[" * 251 + "]" * 251
    assert json.dumps(parse_json(deep)) == deep


@pytest.mark.parametrize(
    ("broken", "raised"),
    [
        ("fsync", OSError(28, "No space left")),
        ("replace", OSError(28, "No space left")),
        ("fsync", KeyboardInterrupt()),
    ],
    ids=["fsync", "replace", "interrupt"],
)
def test_a_failure_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, raised: BaseException
) -> None:
    target = tmp_path / "answer.json"
    target.write_text("old")

    def fail(*_: Any) -> None:
        raise raised

    monkeypatch.setattr(os if broken == "fsync" else Path, broken, fail)
    expected = OutputError if isinstance(raised, OSError) else KeyboardInterrupt
    with pytest.raises(expected, match="no space" if expected is OutputError else None):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_text_is_written_as_it_is(tmp_path: Path) -> None:
    write_atomically(str(tmp_path / "text"), "≤\r\n\n")
    assert (tmp_path / "text").read_bytes() == "≤\r\n\n".encode()
    with pytest.raises(OutputError, match="the text must be one that UTF-8 can hold"):
        write_atomically(tmp_path / "text", "new \ud800")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ["≤\r\n\n".encode()]


def test_mode_and_links_survive(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_only_files_are_replaced(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(OutputError, match=r"path must be the name of a file, not '.*'; pass another path"):
            write_atomically(path, "new")
        assert path.exists()
        assert not path.is_file()


@pytest.mark.parametrize("path", ["", "none/d.json", "\0"])
def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="path must be"):
        write_atomically(path, "new")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_path() -> None:
    with pytest.raises(InvalidTypeError, match=r"path must be a string or a path, not .*; "):
        write_atomically(b"d.json", "new")  # type: ignore[arg-type]
