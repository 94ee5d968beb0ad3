"""Odd values for every option of every command: an answer, or one line that names the option and is short."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from argparse import Action
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from fstheory.cli.entry import main
from fstheory.cli.options import COMMANDS, make_parser
from fstheory.distributions import gallery

LONG = 4400  # digits or characters; CPython writes no integer of more than 4300 digits
NUMBERS = ["9" * LONG, "-" + "9" * LONG, f"1/{'9' * LONG}", f"0.{'1' * LONG}", "1e99999", "nan", "1/0", "٣", "True"]
TEXTS = ["", " ", "a" * LONG, "9" * LONG, "a\nb", "\x1b[31m", "..", "undefined", ",", "A=", "{", "'\""]
LIMITS = "--time-limit 1 --workers 1"
LINES = f"""finite-sample xor --method fos --m 2
criterion t.csv --target y --criterion gini
select t.csv --target y -k 1
importance xor
questions xor
reasons xor
solutions xor
bound xor --remove X1
report t.csv --target y
risks t.csv --target y
minimal-optimal xor
adversarial --order X1<{{}}
draw xor --out l.svg
phase-diagram xor --to xor
explore xor --no-claims --out p.html
network net.bif
gallery xor
theorems xor
check own.py:true xor
prove own.py:true --cardinalities 1 {LIMITS}
refute own.py:true --max-features 1 --max-total 2 {LIMITS}
needed-assumptions own.py:true --cardinalities 1 --max-total 2 {LIMITS}
referee own.py:true --cardinalities 1 {LIMITS}
supremum own.py:term --cardinalities 1 {LIMITS}
realize X1<{{}} {LIMITS}
audit PN-99
bundle PN-9 --out b
to-coq own.py:true --cardinalities 1 --out c {LIMITS}
verify-certificate d.json
experiment ng-1998 --figure none"""
QUICK = {line.split()[0]: line.split() for line in LINES.splitlines()}
"""A quick call of every command."""
OTHERS = {
    "experiment": "--figure", "realize": "ordering", "adversarial": "order", "finite-sample": "-m", "bound": "--remove",
    "questions": "feature",
}  # fmt: skip
"""Another argument of these calls that the message may be about, as the odd value is fine or comes later."""
PLACEHOLDERS = {"N", "K", "SEED", "2,3,..", "SECONDS", "P/Q", "B"}  # of numbers; all others are texts
SHORT = 2000  # characters of a message that lists the names that exist


(PARSERS,) = (action.choices for action in make_parser(COMMANDS)._actions if isinstance(action.choices, dict))


def of_command(name: str) -> list[Action]:
    """Return the options of a command that take a value."""
    return [action for action in PARSERS[name]._actions if action.nargs != 0 and action.option_strings]


OPTIONS = [(name, action.option_strings[-1], str(action.metavar)) for name in COMMANDS for action in of_command(name)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("options")
    contents = {
        "t.csv": "a,b,y\n0,1,2\n1,1,0\n0,0,2\n", "d.json": gallery.xor().to_json(),
        "own.py": "def true(m, S):\n    return m.risk(S) >= 0\ndef term(m):\n    return m.risk()\n",
        "net.bif": "variable a { type discrete [ 2 ] { n, y }; } probability ( a ) { table 0.2, 0.8; }",
    }  # fmt: skip
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    with chdir(folder):
        yield folder


def outcome(words: list[str]) -> tuple[int, str, str]:
    """Run a command and return its status, stdout and stderr. --help and a broken parser end the process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        status = main(words)
    out, err = (stream.buffer.getvalue().decode("utf-8") for stream in streams)
    return status, out, re.sub("^fstheory: (note|warning): .*\n", "", err, flags=re.MULTILINE)


def test_a_command_that_is_not_typed_has_no_parser() -> None:
    """A parser takes a quarter of a millisecond. The help lists the commands without one."""
    (parsers,) = (action.choices for action in make_parser(["report"])._actions if isinstance(action.choices, dict))
    assert [name for name, parser in parsers.items() if parser is not None] == ["report"]
    assert parsers.keys() == COMMANDS.keys()


def test_every_command_has_a_quick_call() -> None:
    assert QUICK.keys() == COMMANDS.keys()


@pytest.mark.one_in(36)
@pytest.mark.parametrize(("name", "option", "placeholder"), OPTIONS)
def test_odd_values_of_options(place: Path, name: str, option: str, placeholder: str) -> None:
    for value in NUMBERS if placeholder in PLACEHOLDERS else TEXTS:
        shutil.rmtree("c", ignore_errors=True)
        status, out, err = outcome([*QUICK[name], option, value])
        assert status in {0, 1, 2, 3}, err
        if status == 2 and not out:
            assert re.fullmatch(r"fstheory: error: .*\n", err), err
            about = (option, OTHERS.get(name, option), "-k must be", "'a,b,y'")  # no feature left, one column only
            assert any(part in err for part in about), (value[:30], err)
            assert len(err) < SHORT, (value[:30], err)
        else:
            assert not err


@pytest.mark.parametrize("encoding", ["undefined", "idna", "rot13", "base64", "\0", "punycode", "utf-7"])
def test_no_encoding_is_a_fault(place: Path, encoding: str) -> None:
    (place / "bytes.csv").write_bytes(b"a,y\n\xff,1\n+A-,..\n")
    status, out, err = outcome(["risks", "bytes.csv", "--target", "y", "--encoding", encoding])
    assert (status, out) == (2, "")
    assert re.fullmatch("fstheory: error: .*encoding .*\n", err) or "an argument must be text" in err, err


def test_a_cell_above_the_limit_of_the_reader_is_refused(place: Path) -> None:
    for at, text in enumerate(["a,y\n{},1\n", "a,{}\n0,1\n"]):
        (place / "cell.csv").write_text(text.format("0" * 131_073), encoding="utf-8")
        status, _, err = outcome(["risks", "cell.csv", "--target", "y"])
        assert (status, len(err) < SHORT) == (2, True), err
        assert f"line {2 - (at == 1)} of cell.csv must be well-formed CSV" in err


@pytest.mark.thorough(3)
def test_without_docstrings() -> None:
    """Python drops them with -OO, and with them the titles of the commands."""
    done = subprocess.run(
        [sys.executable, "-OO", "-m", "fstheory", "gallery"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "titanic" in done.stdout


ENDLESS = [
    "risks zero.csv --target y", "risks zero.csv --target y --batches rows", "risks zero.xlsx --target y",
    "risks zero.parquet --target y", "risks zero.json", "risks zero.bif --target y", "network zero.bif",
    "criterion xor --criterion loss-matrix --loss-matrix zero.json", "bundle zero.json --out new",
    "check zero.py:f xor", "verify-certificate zero.json", "realize X1<{} --resume zero.json",
]  # fmt: skip


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without an end")
@pytest.mark.parametrize("line", ENDLESS)
def test_a_file_without_an_end_is_refused(place: Path, line: str) -> None:
    for word in line.split():
        if word.startswith("zero.") and not (link := place / word.partition(":")[0]).is_symlink():
            link.symlink_to("/dev/zero")
    status, out, err = outcome(line.split())
    assert (status, len(err.splitlines())) == ((1, 0) if out else (2, 1)), (out, err)


def test_a_link_to_itself_is_not_replaced(place: Path) -> None:
    for name, other in (("loop", "loop"), ("one", "two"), ("two", "one")):
        (place / f"{name}.json").symlink_to(f"{other}.json")
    for name in ("loop", "one"):
        status, _, err = outcome(["adversarial", "--order", "X1<{}", "--out", f"{name}.json"])
        assert status == 2
        assert f"--out must be the name of a file, not '{name}.json'; it is a link to itself" in err
        assert (place / f"{name}.json").is_symlink()
