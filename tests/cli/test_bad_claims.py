"""Bad input to the commands about claims: one line on stderr, exit status 2, and no file written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fstheory.cli import main

EITHER = "either a claim or --all must be given, not both or neither; write fstheory check PN-3 titanic, say"
AT_OWN = (
    r"claim wrong \(own.py, line 19\), at S = {}: InvalidTypeError: a number in a claim must be an exact number, .*"
)

BAD = [
    ("check", "the following arguments are required: SOURCE; see fstheory check --help"),
    ("check xor", EITHER),
    ("check PN-3 xor --all", EITHER),
    ("check PN-0 xor", "claim 'PN-0' does not exist; use one of: 'PN-M', .*; a claim of your own is FILE.py:NAME"),
    ("check PN-3 nothing", "gallery name 'nothing' does not exist; use one of: titanic, .*"),
    ("check PN-3 xor --features X9", "feature 'X9' does not exist; use one of: 'X1', 'X2'"),
    ("check own.py xor", r"a claim in a file must be FILE.py:NAME, not 'own.py'; name one of \['never_better', .*"),
    ("check own.py: xor", r"a claim in a file must be FILE.py:NAME, not 'own.py'; name one of .*"),
    ("check own.py:none xor", "claim of own.py 'none' does not exist; use one of: 'never_better', 'bounded', 'wrong'"),
    ("check own.py:NUMBER xor", "claim of own.py 'NUMBER' does not exist; use one of: .*"),
    ("check none.py:f xor", "no such file or directory: 'none.py'"),
    ("check folder.py:f xor", "is a directory: 'folder.py'"),
    ("check syntax.py:f xor", r"syntax.py, line 2: running it failed: SyntaxError: .*"),
    ("check import.py:f xor", "import.py, line 3: running it failed: ModuleNotFoundError: No module named 'nowhere'"),
    ("check raises.py:f xor", "raises.py, line 2: running it failed: ZeroDivisionError: division by zero"),
    ("check exits.py:f xor", "exits.py, line 2: running it failed: SystemExit: 7"),
    ("check odd.py:f xor", r"claim f \(odd.py, line 2\): a variable must be .*, not 'size'; .*"),
    ("check binary.py:f xor", "binary.py.*: running it failed: .*"),
    ("check own.py:wrong xor", AT_OWN),
    ("check d.json xor", "claim 'd.json' does not exist; .*"),
    ("prove PN-3", "the following arguments are required: --cardinalities; see fstheory prove --help"),
    ("prove PN-3 --cardinalities 2,x", "argument --cardinalities: must be a whole number, not 'x'; see .*"),
    ("prove PN-3 --cardinalities 2,0", "cardinalities must be at least 1, not 0; every variable has a state"),
    ("prove PN-3 --cardinalities 2 --classes 0", "classes must be at least 1, not 0; every variable has a state"),
    (
        "prove PN-3 --cardinalities 2 --without luck",
        "assumption of PN-3 'luck' does not exist; use one of: 'positive', .*",
    ),
    (
        "prove PN-3 --cardinalities 2 --time-limit 0",
        "argument --time-limit: must be a number of seconds above 0, not '0'; .*",
    ),
    ("prove PN-3 --cardinalities 2 --time-limit inf", "argument --time-limit: must be a number of seconds above 0, .*"),
    (
        "prove PN-3 --cardinalities 2 --time-limit soon",
        "argument --time-limit: must be a number of seconds above 0, .*",
    ),
    ("prove own.py:wrong --cardinalities 2", AT_OWN),
    ("prove own.py:computed --cardinalities 2", r"claim computed \(own.py, line 27\): m.distribution exists only .*"),
    (
        "prove own.py:squared --cardinalities 2",
        r"squared at S = {} is beyond linear arithmetic: R\({}\) \* R\({}\) is a product of .*",
    ),
    ("refute", "the following arguments are required: CLAIM; see fstheory refute --help"),
    ("refute own.py:wrong", AT_OWN),
    (
        "refute PN-3 --max-total -1",
        "argument --max-total: must be a whole number, not '-1'; see fstheory refute --help",
    ),
    ("refute PN-3 --max-total x", "argument --max-total: must be a whole number, not 'x'; see fstheory refute --help"),
    ("refute PN-3 --workers 0", "workers must be at least 1, not 0; .*"),
    ("refute PN-3 --max-features 0", ".* must be .*"),
    ("refute PN-3 --resume d.json", "resume must be a file that a search wrote, not 'd.json'; .*"),
    (
        "refute PN-3 --resume none/s.json --max-features 1",
        "path must be a file that can be written, not 'none/s.json'; .*",
    ),
    ("realize", "the following arguments are required: ORDERING; see fstheory realize --help"),
    ("realize {}<X1", "ordering must not give X1 a larger Bayes risk than its subset {}; .*"),
    ("realize sex<{}", "features must be given when the names are not X1, .., Xn, not None; .*"),
    ("realize X1X2<X1<{}", "ordering must .*X2.*"),
    ("realize X1<{} --cardinalities 2,2", r"cardinalities must be one number for each feature .*"),
    ("realize X1<{} --assume luck", "assumption 'luck' does not exist; use one of: 'positive', 'unique_maximum'"),
    ("realize X1<{} --assume own.py:none", "claim of own.py 'none' does not exist; use one of: .*"),
    ("realize X1<{} --assume ,", "--assume must be the name of an assumption, not ''; leave it out, or name one"),
    ("prove PN-3 --cardinalities 2 --without ,", "--without must be the name of an assumption, not ''; .*"),
    ("needed-assumptions PN-0", "claim 'PN-0' does not exist; .*"),
    ("audit PN-0", "claim 'PN-0' does not exist; use one of: .*"),
    ("audit --json --markdown", "argument --markdown: not allowed with argument --json; see fstheory audit --help"),
    ("verify-certificate", "the following arguments are required: FILE; see fstheory verify-certificate --help"),
    ("verify-certificate none.json", "no such file or directory: 'none.json'"),
    ("verify-certificate d.json --claim PN-0", "claim 'PN-0' does not exist; .*"),
]


@pytest.fixture
def place(place: Path) -> Path:
    contents = {
        "syntax.py": "x = 1\ndef f(m:\n",
        "import.py": "x = 1\n\nimport nowhere\n",
        "exits.py": "import sys\nsys.exit(7)\n",
        "raises.py": "def f(m):\n    return 1 / 0\n\nf(0)\n",
        "odd.py": "from fstheory.logic import claim\n@claim\ndef f(m, size):\n    return True\n",
    }
    for name, text in contents.items():
        (place / name).write_text(text, encoding="utf-8")
    (place / "binary.py").write_bytes(b"\xff\xfe\x00")
    (place / "folder.py").mkdir()
    return place


@pytest.mark.parametrize(("line", "message"), BAD, ids=[line for line, _ in BAD])
def test_bad_input(capsys: pytest.CaptureFixture[str], place: Path, line: str, message: str) -> None:
    before = sorted(path for path in place.iterdir() if path.name != "__pycache__")
    assert main(line.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(f"fstheory: error: {message}\n", printed.err), printed.err
    assert sorted(path for path in place.iterdir() if path.name != "__pycache__") == before


@pytest.mark.parametrize(
    "line", ["realize X1<{} --assume", "refute PN-3 --without", "prove PN-3 --cardinalities 2 --without"]
)
def test_an_assumption_without_a_name(capsys: pytest.CaptureFixture[str], line: str) -> None:
    assert main([*line.split(), ""]) == 2
    assert "must be the name of an assumption, not ''" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--certificate", "--out"])
def test_files_that_cannot_be_written(capsys: pytest.CaptureFixture[str], place: Path, option: str) -> None:
    assert main(["refute", "PN-4", "--without", "positive", "--cardinalities", "2,2", option, "none/c.json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "path must be a file that can be written, not 'none/c.json'" in printed.err


def test_a_file_is_not_run_for_an_id(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "PN-3").write_text("raise SystemExit(7)", encoding="utf-8")
    assert main(["check", "PN-3", "xor"]) == 0
    assert capsys.readouterr().out == "PN-3: holds, 8 instances\n"
