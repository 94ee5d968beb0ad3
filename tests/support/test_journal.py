"""A journal tells of what was done before a computation was broken off, and no damaged file is read."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import fstheory as fs
from fstheory._support import files
from fstheory._support.files import write_atomically
from fstheory._support.journal import Journal
from fstheory.errors import FSTheoryError, InvalidFormatError, InvalidValueError, OutputError
from tests.house import source
from tests.journals import edit

OPTIONS: dict[str, Any] = {"cardinalities": (2,), "seed": 0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "steps.jsonl"


def journal(path: Path | None, **more: Any) -> Journal:
    return Journal(path, "search", OPTIONS, **more)


def noted(path: Path, step: str) -> Any:
    """Return what the file says of a step."""
    with journal(path) as here:
        return here.get(step)


def filled(path: Path) -> bytes:
    """Return the file of three steps, of which one was noted twice."""
    with journal(path) as here:
        for step, result in (("a", 1), ("b", {"x": [1, None]}), ("a", "two"), ("c", [])):
            here.put(step, result)
    return path.read_bytes()


@pytest.mark.quick
def test_steps_are_told_as_they_stand_last(path: Path) -> None:
    filled(path)
    with journal(path) as again:
        assert [again.get(step) for step in "abcd"] == ["two", {"x": [1, None]}, [], None]
        assert again.is_earlier("c")
        again.put("d", 4)
        assert not again.is_earlier("d")
    assert len(path.read_text().splitlines()) == 6
    assert noted(path, "d") == 4
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
    assert noted(path, "e") == 5


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
    with pytest.raises(OutputError, match=r"resume must be a file that can be written, .*; no such file"):
        journal(tmp_path / "no folder" / "steps.jsonl")
    with pytest.raises(OutputError, match=r"resume must be a file that can be written, .*; file name too"):
        journal(tmp_path / ("long" * 100))


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
    assert noted(path, "sums") == [1999] * 50


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
    assert noted(path, "b") == {"x": 7}


# The lock


def test_a_file_has_one_writer(path: Path) -> None:
    """Also after the file was replaced by a longer one, and by a call that is refused before it computes anything."""
    with journal(path) as here:
        for _ in range(2):
            with pytest.raises(OutputError, match=r"resume must be a file that no other call is using, .*; wait"):
                journal(path)
            here.put("a", 1)
        before = path.read_bytes()
        with pytest.raises(OutputError, match="no other call is using"):
            fs.refute("PN-M", max_features=1, resume=path)
    assert path.read_bytes() == before
    assert noted(path, "a") == 1


def test_a_lock_ends_with_its_process(path: Path) -> None:
    program = (
        "import sys, time; from fstheory._support.journal import Journal\n"
        "here = Journal(sys.argv[1], 'search', {'cardinalities': (2,), 'seed': 0})\n"
        "here.put('a', 1); print('locked', flush=True); time.sleep(3600)"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=source.ROOT) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline().strip() == b"locked"
            with pytest.raises(OutputError, match="no other call is using"):
                journal(path)
        finally:
            process.kill()
    assert noted(path, "a") == 1


@pytest.mark.parametrize("change", [Path.unlink, partial(write_atomically, data=b"")], ids=["removed", "replaced"])
def test_a_file_that_was_replaced_meanwhile_is_opened_again(
    change: Callable[[Path], object], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the process that had the lock until now."""
    changes, original = [change], files._lock
    monkeypatch.setattr(files, "_lock", lambda stream: (changes and changes.pop()(path), original(stream)))
    with journal(path) as here:
        here.put("a", 1)
        with pytest.raises(OutputError, match="no other call is using"):
            journal(path)
    assert (changes, noted(path, "a")) == ([], 1)


def test_a_file_without_steps_is_taken_away_if_the_call_has_made_it(path: Path) -> None:
    with journal(path):
        assert path.exists()
    assert not path.exists()
    path.touch()
    with journal(path):
        pass
    assert path.read_bytes() == b""
    link = path.with_name("link")
    link.symlink_to(path.with_name("target"))
    with journal(link):
        assert link.exists()
    assert (link.is_symlink(), link.exists()) == (True, False)


def test_a_file_that_another_call_has_made_meanwhile_is_not_taken_away(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though there was none when this call began, and its steps are of another computation."""
    with monkeypatch.context() as patch:
        patch.setattr(files, "_lock", lambda stream: path.write_bytes(b"the steps of another call\n"))
        with pytest.raises(InvalidFormatError):
            journal(path)
    assert path.read_bytes() == b"the steps of another call\n"


def test_a_line_is_written_whole_by_a_system_that_takes_a_part(path: Path) -> None:
    with journal(path) as here:
        here.put("a", 1)
        file: Any = here._file
        write = file.write
        here._file = cast(Any, SimpleNamespace(write=lambda part: write(part[:7])))
        here.put("b", "some text")
        here._file = file
    assert noted(path, "b") == "some text"
