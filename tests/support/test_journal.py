"""A journal tells of what was done before a computation was broken off, and no damaged file is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fstheory._support.journal import Journal
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidValueError, OutputError
from tests.journals import edit

OPTIONS: dict[str, Any] = {"cardinalities": (2,), "seed": 0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "steps.jsonl"


def journal(path: Path | None, **more: Any) -> Journal:
    return Journal(path, "search", OPTIONS, **more)


def filled(path: Path) -> bytes:
    """Return the file of three steps, of which one was noted twice."""
    with journal(path) as here:
        for step, result in (("a", 1), ("b", {"x": [1, None]}), ("a", "two"), ("c", [])):
            here.put(step, result)
    return path.read_bytes()


def test_steps_are_told_as_they_stand_last(path: Path) -> None:
    filled(path)
    with journal(path) as again:
        assert [again.get(step) for step in "abcd"] == ["two", {"x": [1, None]}, [], None]
        assert again.is_earlier("c")
        again.put("d", 4)
        assert not again.is_earlier("d")
    assert len(path.read_text().splitlines()) == 6
    assert journal(path).get("d") == 4
    nowhere = journal(None)
    nowhere.put("a", 1)
    assert (nowhere.get("a"), nowhere.is_kept, list(path.parent.iterdir())) == (1, False, [path])


@pytest.mark.parametrize("left", range(1, 30, 4))
def test_half_a_line_at_the_end_is_dropped(left: int, path: Path) -> None:
    """A process that was killed leaves it; what follows stands where it stood."""
    whole = filled(path)
    half = b'["d", "long enough"]\t0123456789'[:left]
    path.write_bytes(whole + half)
    with journal(path) as again:
        assert again.get("d") is None
        again.put("e", 5)
    assert path.read_bytes().startswith(whole + b'["e", 5]\t')
    assert journal(path).get("e") == 5


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "edited": (lambda text: text.replace(b'["a", 1]', b'["a", 2]'), "line 2 was changed after it was written"),
    "a line less": (lambda text: b"".join(text.splitlines(keepends=True)[::2]), "line 2 was changed"),
    "lines in another order": (lambda text: text[:-20] + text[-20:][::-1] + b"\n", "line 5 "),
    "options edited": (lambda text: text.replace(b'"seed": 0', b'"seed": 0 '), "line 1 was changed"),
    "not JSON": (lambda text: text.replace(b'["a", 1]', b'["a", 1'), "line 2 cannot be read"),
    "a decimal": (lambda text: text.replace(b'["a", 1]', b'["a", 1.0]'), "line 2 cannot be read"),
    "no UTF-8": (lambda text: text.replace(b'"two"', b'"\xff"'), "line 4 cannot be read"),
    "a list": (lambda text: b"[]\n", "another format"),
    "some text": (lambda text: b"some text", "another format"),
    "another file": (lambda text: b'{"format": "fstheory report"}\t0\n', "another format"),
    "an earlier version": (lambda text: text.replace(b'"version": 4', b'"version": 3'), "its version is 3"),
}


@pytest.mark.parametrize("change", DAMAGE)
def test_a_damaged_file_is_refused_and_left(change: str, path: Path) -> None:
    damage, match = DAMAGE[change]
    path.write_bytes(damaged := damage(filled(path)))
    with pytest.raises(InvalidFormatError, match=match) as caught:
        journal(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == damaged


def test_the_file_of_another_computation_is_refused_and_left(path: Path) -> None:
    before = filled(path)
    with pytest.raises(InvalidValueError, match=r"the file of this search, not .* it differs in seed: pass a path"):
        Journal(path, "search", OPTIONS | {"seed": 1})
    with pytest.raises(InvalidFormatError, match=r"a file that an experiment wrote, not .* another format"):
        Journal(path, "experiment", OPTIONS)
    assert path.read_bytes() == before


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFormatError, match="it is no regular file"):
        journal(tmp_path)
    with pytest.raises(FSTheoryError, match="resume must be"):
        journal(tmp_path / "nu\0ll")
    here = journal(tmp_path / "no folder" / "steps.jsonl")
    with pytest.raises(OutputError):
        here.put("a", 1)


def test_a_file_that_could_not_be_read_again_is_not_written(path: Path) -> None:
    """What is there stays, and can be read."""
    with journal(path, most_bytes=2**12) as here:
        here.put("short", [1, 2, 3])
        before = path.read_bytes()
        with pytest.warns(UserWarning, match="resume must be a file of at most 4 KiB, not .* stays as it is"):
            here.put("long", "9" * 2**12)
        here.put("later", 1)  # warns no more
    assert path.read_bytes() == before
    with pytest.raises(InvalidFormatError, match="it is larger than 16 bytes"):
        journal(path, most_bytes=2**4)


def test_steps_that_are_noted_again_and_again_do_not_fill_the_disk(path: Path) -> None:
    with journal(path) as here:
        for number in range(2000):
            here.put("sums", [number] * 50)
        assert path.stat().st_size < 2**17
    assert journal(path).get("sums") == [1999] * 50


@pytest.mark.parametrize("cost", [0.5, 40.0])
def test_offers_take_a_tenth_of_the_time_at_most(cost: float, path: Path) -> None:
    """The clock is one that runs while something is made to be written, and a second between two offers."""
    time = spent = 0.0

    def made() -> list[int]:
        nonlocal time, spent
        time, spent = time + cost, spent + cost
        return [0]

    with journal(path, now=lambda: time) as here:
        for seconds in range(1, 400):
            time += 1.0
            here.offer(("step", made))
            assert seconds > 1 or spent == cost
        here.offer(("step", made), last=True)
    assert spent <= cost * 2 + time / 50


def test_who_knows_about_the_digests_can_edit_a_file(path: Path) -> None:
    filled(path)
    edit(path, "b", lambda result: result.update(x=7))
    assert journal(path).get("b") == {"x": 7}
