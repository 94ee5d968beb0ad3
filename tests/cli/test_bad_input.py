"""Bad input is one line on stderr and exit status 2; a fault of fstheory is another line, and status 70."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from ctypes import ArgumentError
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution
from fstheory.cli import main
from tests.cli.own import Cli

ROOT = Path(__file__).parents[2]

BAD = [
    ("--json", "the following arguments are required: COMMAND; see fstheory --help"),
    ("fly", r"argument COMMAND: invalid choice: 'fly' \(choose from .*; see fstheory --help"),
    ("risks", "the following arguments are required: SOURCE; see fstheory risks --help"),
    ("risk xor", r"argument COMMAND: invalid choice: 'risk' .*; did you mean 'risks'\?; see fstheory --help"),
    ("risks xor --jsno", r"unrecognized arguments: --jsno; did you mean '--json'\? see fstheory risks --help"),
    ("risks titanik", r"gallery name 'titanik' does not exist; did you mean 'titanic'\? Or use one of: titanic"),
    ("risks data.txt", "SOURCE must be a name of the gallery or a file that ends in .*, not 'data.txt'; rename"),
    ("risks rows.mdb --target y", r"SOURCE must be .*, not 'rows.mdb'; .* save the table as CSV, .* pandas.read_sql"),
    ("risks folder.json", "is a directory: 'folder.json'"),
    ("risks t.csv", "--target must be the name of a column, not left out; name one of: 'a', 'n', 'y'"),
    ("risks fine.csv --target Y", r"--target: column 'Y' .*; did you mean 'y'\? Or .*; this works: .* --target y"),
    ("risks year.csv", ".*; this works: fstheory risks year.csv --target size"),
    ("risks penguins.csv", ".*; this works: fstheory risks penguins.csv --target species"),
    ("risks dates.csv", "--target must be the name of a column, not left out; name one of: 'day', 'birth_year'$"),
    ("risks header.csv --target y", "header.csv must be a table with samples, not 'only a header'; add rows"),
    ("risks d.json --target y", "--target must be left out unless SOURCE is a table, not 'y'; drop it"),
    ("risks xor --population", "--population must be left out unless SOURCE is a table, not 'given'; drop it"),
    ("risks future.json", "future.json: version must be 1 or 2, the versions .*, not 3; upgrade fstheory"),
    (f"finite-sample xor --method none --m {10**22}", f".* a whole number of at most 18 digits, not '{10**22}'"),
    ("risks xor --k two", "argument -k/--k: must be a whole number, not 'two'; see fstheory risks --help"),
    ("minimal-optimal xor --search-order X1,X2 --method one-shot", "--search-order must be left out unless"),
    ("minimal-optimal xor --look-ahead 2", "--look-ahead must be left out unless --method is forward, not 2; drop it"),
    ("bound xor --criterion balanced", "--criterion must be left out unless --bound is fano or hellman-raviv, not"),
    ("bound xor --bound fano --criterion balanced", "--criterion must be left out without --remove, not 'balanced'"),
    ("bound xor --remove X1 --bound fano --cost 1/3", "--cost must be left out unless --criterion is cost, not '1/3'"),
    ("minimal-optimal two.csv --target y", ".*add --population if these counts are all there is"),
    ("criterion xor --criterion gini --cost 1/3", "--cost must be left out unless --criterion is cost, not '1/3'"),
    ("criterion xor --criterion cost", "--cost must be given with --criterion cost, not left out; write --cost 1/3,"),
    ("criterion xor --criterion f --positive yes", "--positive: positive class 'yes' .*; use one of: '0', '1'"),
    ("criterion xor --criterion gini --subset X1 --k 1", "argument -k/--k: not allowed with argument --subset"),
    ("criterion xor --criterion loss-matrix --loss-matrix float.json", r"float.json: text must be JSON \(0\.5 is not"),
    ("explore xor", "--out must be given without --open, not left out; write --out page.html, or --open"),
    ("select xor", "-k must be given with --method greedy, not left out; .*; this works: fstheory select xor -k 2"),
    ("select two.csv", "--target must be .*; this works: fstheory select two.csv --target y .*-k 2"),
    ("select xor --method fisher -k 1 --search-order X1,X2", "--search-order must be left out unless"),
    ("select xor -k 1 --sharp", "--sharp must be left out unless --method is backward or forward, not 'given'; drop"),
    ("select xor --method backward", "--delta or -k must be given with --method backward, not"),
    ("select xor --method forward -k 1 --rule er", "-k must be left out unless --rule is count, not 1; drop it"),
    ("select xor -k 1 --tau 1/9", "--tau must be left out unless --method is fbs or fos, not '1/9'; drop it"),
    ("select xor -k 1 --seed 1", "--seed must be left out unless SOURCE is a sample, not 1; drop it"),
    ("select xor -k 1 --out x.txt", r"--out must .*\.svg"),
    ("select xor --method fbs", "SOURCE must be a sample for --method fbs, rows of a CSV, not 'the distribution xor'"),
    ("select two.csv --target y --method ordered --out x.svg", "--out must be left out unless --method is greedy"),
    ("select two.csv --target y --method rcg --population", "--population must be left out with --method rcg"),
    ("select two.csv --target y --method rcg --seed 1", "--seed must be left out unless --null is permutation, not 1"),
    ("select two.csv --target y --method rcg", "points must be all different, .*; merge them, or pass --ties first"),
    ("select two.csv --target y --method rcg --ties first --categories vdm2", ".* with --categories overlap, or pass"),
    (
        "select two.csv --target y --method rcg --ties first --categorical z",
        "--categorical: feature 'z' does not exist",
    ),
    ("risks net.bif", "--target must be the name of a variable, not left out; name one of: 'a', 'b'"),
    ("risks net.bif --target c", "--target: variable 'c' does not exist; use one of: 'a', 'b'"),
    ("risks net.bif --target a --bins 4", "--bins must be left out unless SOURCE is a table, not 4; drop it"),
    ("risks xor --normalize", "--normalize must be left out unless SOURCE is a network, not 'given'; drop it"),
    ("risks off.bif --target a", ".* sums to 0.9; .* pass --normalize .*; this works: .* --target a --normalize"),
    ("risks wide.bif --target a", "--features must be given if .*, as for 18 variables; this works: .* --features b"),
    ("network none", "no such file or directory: 'none'"),
    ("network net.bif --out x.txt", r"--out must .*\.svg"),
    ("select odd.csv --target y --method rcg", ".*'a' must be an exact number, not 'x'; .* in --categorical"),
    ("select t.csv --target y --method rcg", "--target must be of at least two classes, not .*with --target"),
    ("finite-sample titanic --method ordered --m 10,20,40", ".*not 20; it takes .*: raise --work, or pass --trials 2"),
    ("finite-sample xor --method fos --m 4 --seed 1", "--seed must be left out unless --trials is given, not 1"),
    ("adversarial", "one of the arguments --order --wish --random is required; see fstheory adversarial --help"),
    ("adversarial --random 3", "--features must be given with --wish and --random, not left out"),
    ("adversarial --random 3 --features -3", "--features must be names, or a number from 0 to 63, not '-3'; correct"),
    ("adversarial --order X1<{} --out none/d.json", "--out must be a file that can be written, not 'none/d.json'"),
    ("risks wide.csv --target y --population", "-k must make at most 262,144 .*, not 524,288 when .*by --features"),
    ("check PN-3 PN-4 xor --certificate c.json", "--certificate must be left out if several claims are checked, not"),
    ("theorems xor --all --only PN-3", "--only must be left out with --all, not 'PN-3'; drop it"),
    ("theorems xor --only PN-33", "--only: claim 'PN-33' does not exist; did you mean"),
    ("check PN-0 xor", "claim 'PN-0' does not exist; did you mean .* Or use one of: 'PN-M', .*; a claim of your own"),
    ("check own.py xor", r"a claim in a file must be FILE.py:NAME, not 'own.py'; name one of \['never_better'"),
    ("check own.py:none xor", "claim of own.py 'none' does not exist; use one of: 'never_better', 'bounded', 'wrong'"),
    ("check none.py:f xor", "no such file or directory: 'none.py'"),
    ("check syntax.py:f xor", "syntax.py, line 2: running it failed: SyntaxError:"),
    ("check raises.py:f xor", "raises.py, line 2: running it failed: ZeroDivisionError: division by zero"),
    ("check odd.py:f xor", r"claim f \(odd.py, line 2\): a variable must be .*, not 'size'"),
    ("check binary.py:f xor", "binary.py.*: running it failed:"),
    ("check own.py:wrong xor", r"claim wrong \(own.py, line 19\), at S = {}: InvalidTypeError: a number in a claim"),
    ("prove PN-3 --cardinalities 2 --time-limit 0", "argument --time-limit: must be a number of seconds above 0, not"),
    ("prove own.py:computed --cardinalities 2", r"claim computed \(own.py, line 27\): m.distribution exists only"),
    ("realize X1<{} --assume ,", "--assume must be the name of an assumption, not ''; leave it out, or name one"),
]


NET = """variable a { type discrete [ 2 ] { n, y }; } variable b { type discrete [ 2 ] { n, y }; }
probability ( a ) { table 0.2, 0.8; } probability ( b | a ) { (n) 0.7, 0.3; (y) 0.1, 0.9; }"""
FILES = {
    "t.csv": "a,n,y\n1,2,3\n",
    "two.csv": "a,b,y\n1.5,r,0\n2.5,s,1\n2.5,r,1\n4,s,0\n",
    "odd.csv": "a,y\n1,0\nx,1\n",
    "fine.csv": "a,b,c,d,e,f,g,y\n" + "".join(",".join([f"0.{i}"] * 7) + ",1\n" for i in range(400)),
    "wide.csv": ",".join("abcdefghijklmnopqrs") + ",y\n" + "0,1,2,3," * 4 + "0,1,2,1\n" + "1,2,3,0," * 4 + "1,2,3,0",
    "net.bif": NET,
    "wide.bif": NET
    + "".join(f" variable c{i} {{ type discrete [ 2 ] {{ n, y }}; }}" for i in range(17))
    + "".join(f" probability ( c{i} ) {{ table 0.5, 0.5; }}" for i in range(17)),
    "off.bif": NET.replace("0.8", "0.7"),
    "future.json": JointDistribution([[1, 2]]).to_json().replace('"version": 1', '"version": 3'),
    "float.json": "[[0, 0.5], [1, 0]]",
    "syntax.py": "x = 1\ndef f(m:\n",
    "raises.py": "def f(m):\n    return 1 / 0\n\nf(0)\n",
    "header.csv": "a,y\n",
    "year.csv": "income,size,year\n1,2,1999\n2,1,2000\n",
    "penguins.csv": "species,island,sex\na,b,c\n",
    "dates.csv": "day,birth_year\n1,2\n",
    "odd.py": "from fstheory.logic import claim\n@claim\ndef f(m, size):\n    return True\n",
}


@pytest.mark.parametrize(("line", "message"), BAD, ids=[line for line, _ in BAD])
def test_bad_input(cli: Cli, line: str, message: str) -> None:
    for name in FILES.keys() & set(re.split("[ :]", line)):
        cli.write(name, FILES[name])
    (cli.folder / "binary.py").write_bytes(b"\xff\xfe\x00")
    (cli.folder / "folder.json").mkdir()
    before = {path for path in cli.folder.iterdir() if path.name != "__pycache__"}
    told = cli.stopped(2, line)
    assert re.fullmatch(f"fstheory: error: {message}.*\n", told), told
    assert {path for path in cli.folder.iterdir() if path.name != "__pycache__"} == before


def test_one_line_whatever_is_typed(cli: Cli) -> None:
    cli.write("a\nb.json", "{")
    assert "must be the name of an assumption, not ''" in cli.stopped(2, "refute PN-3 --without", "")
    for source, message in (("a\nb.json", "text must be JSON"), ("a\nb", "gallery name")):
        told = cli.stopped(2, "risks", source)
        assert message in told
        assert len(told.splitlines()) == 1


def raising(error: BaseException) -> Callable[[object], str]:
    def run(*_: object, **__: object) -> str:
        raise error

    return run


class Mute(Exception):
    """An exception that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (ValueError("a\nbug"), 70, r"fstheory: internal error: ValueError: a bug \(test_bad_input.py, line .*\n"),
        (RecursionError("deep"), 70, "fstheory: internal error: RecursionError: deep .*\n"),
        (Mute(), 70, r"fstheory: internal error: Mute: no message .* report it .* \.github/ISSUE_TEMPLATE .*\n"),
        (MemoryError(), 2, "fstheory: error: the answer must fit in memory, but does not; .*\n"),
        (SystemExit(0), 2, "fstheory: error: a claim must be stated by its function, which ended the process; .*\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_a_crash_is_no_verdict(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, line: str
) -> None:
    monkeypatch.delenv("FSTHEORY_TRACEBACK", raising=False)
    monkeypatch.setattr("fstheory.measures.risk.bayes_risks", raising(error))
    assert re.fullmatch(line, told := cli.stopped(status, "risks xor")), told
    monkeypatch.setenv("FSTHEORY_TRACEBACK", "1")
    assert ("Traceback (most recent call last)" in cli.stopped(status, "risks xor")) == (status == 70)


class Loud:
    """What makes a noise when it is gone."""

    def __init__(self, noise: Callable[[], object]) -> None:
        self.noise = noise

    def __del__(self) -> None:
        self.noise()


def interrupted_in_a_library(number: int) -> None:
    try:
        signal.raise_signal(number)
    except KeyboardInterrupt as error:
        raise ArgumentError("argument 1: KeyboardInterrupt") from error


def interrupted_in_a_destructor(number: int) -> None:
    Loud(lambda: signal.raise_signal(number))
    time.sleep(60)


def interrupted_with_a_complaint(number: int) -> None:
    kept = Loud(partial(raising(AttributeError("half made")), None))
    signal.raise_signal(number)
    del kept


def interrupted_too_early(number: int) -> None:
    """The signal is sent again at once the first time, while the hook of the destructor still runs."""
    with pytest.MonkeyPatch.context() as patch:

        class Early(threading.Timer):
            def start(self) -> None:
                patch.undo()
                self.function()

        patch.setattr(threading, "Timer", Early)
        interrupted_in_a_destructor(number)


INTERRUPTS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("number", "status"), INTERRUPTS)
@pytest.mark.parametrize(
    "ends",
    [interrupted_in_a_library, interrupted_in_a_destructor, interrupted_too_early, interrupted_with_a_complaint],
)
def test_an_interrupt_is_not_lost_and_no_crash(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, ends: Callable[[int], object], number: int, status: int
) -> None:
    before = signal.getsignal(number), sys.unraisablehook
    monkeypatch.setattr("fstheory.measures.risk.bayes_risks", lambda *_, **__: ends(number))
    assert cli.stopped(status, "risks xor") == ""
    assert (signal.getsignal(number), sys.unraisablehook) == before


def test_a_second_sigterm_does_not_disturb_the_end(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of the command `timeout`, which sends one to the command and one to its group."""
    ended = []

    def terminated(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)
            ended.append("orderly")

    monkeypatch.setattr("fstheory.measures.risk.bayes_risks", terminated)
    assert (cli.stopped(143, "risks xor"), ended) == ("", ["orderly"])


def test_a_program_keeps_what_it_does_on_sigterm(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr("fstheory.measures.risk.bayes_risks", lambda *_, **__: signal.raise_signal(signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    try:
        main(["risks", "xor"])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert told == [signal.SIGTERM]


def test_an_overview(cli: Cli) -> None:
    """It is no answer, so it has neither the status of one nor its place."""
    assert "verify-certificate" in cli.stopped(2, "")


def test_escape_sequences_do_not_reach_the_terminal(cli: Cli) -> None:
    (cli.folder / "turned.csv").write_text("a\u202eb,y\n1,2\n2,3\n", encoding="utf-8")
    printed = cli.run(0, "risks turned.csv --target y")
    assert (r"a\u202eb" in printed, "\u202e" in printed) == (True, False)
    told = cli.stopped(2, "risks", "\x1b[31m.json") + cli.stopped(2, "risks", "xor", "--\x9b2J")
    assert not re.search("[\x1b\x9b]", told + cli.run(0, "report", "xor", "--out", "\x1b[2J"))


def test_a_warning_is_a_line(cli: Cli) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["draw", "xor", "--out", "x.svg", "--title", "\U000f475c"]) == 0
        assert cli.capsys.readouterr().err == ""  # an SVG file has the letter, and the viewer chooses the font
        assert main(["draw", "xor", "--out", "x.png", "--title", "\U000f475c"]) == 0
    (line,) = cli.capsys.readouterr().err.splitlines()
    assert line.startswith("fstheory: warning: the drawing shows boxes for \\U000f475c, which no font here has")


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT, "encoding": "utf-8", **options}
    command = ["-m", "fstheory"] if arguments[0] != "-c" else []
    return subprocess.run([sys.executable, *command, *arguments], check=False, text=True, **options)


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals of POSIX")
def test_a_reader_that_goes_away() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run("gallery", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        for argument in ("gallery", "--help", "--version"):
            done = run(argument, stdout=full)
            assert (done.returncode, done.stderr) == (2, "fstheory: error: no space left on device\n")
        assert run("risks", "nothing", stderr=full).returncode == 2


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor in a shell")
@pytest.mark.parametrize(("closed", "status", "told"), [(0, 2, "stdin"), (1, 2, "stdout"), (2, 0, "")])
def test_streams_that_are_closed(closed: int, status: int, told: str) -> None:
    """An answer that nobody can read is none."""
    done = run("risks", "-" if told == "stdin" else "xor", preexec_fn=lambda: os.close(closed))
    assert done.returncode == status
    assert done.stderr.startswith(f"fstheory: error: {told} must be open, not closed; ") is bool(status)
    assert done.stdout.startswith("subset") is (closed == 2)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "status"), INTERRUPTS)
def test_an_interrupt_while_the_libraries_load(number: int, status: int, tmp_path: Path) -> None:
    """One of them, once it is being imported, interrupts the process, while it runs code that it has as a text."""
    code = (
        "import os, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'numpy': exec('os.kill(os.getpid(), {number:d})')\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = run("gallery", env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


def test_text_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    """An ASCII terminal gets UTF-8, and a label that no encoding knows is escaped."""
    (tmp_path / "d.json").write_text(JointDistribution([[1, 2]], features=["é"]).to_json(), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    done = run("report", "d.json", cwd=tmp_path, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 feature: é (1)" in done.stdout
