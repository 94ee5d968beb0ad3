"""Whatever is typed or found in a file: never a traceback, and no status of an answer where there is none."""

from __future__ import annotations

import copy
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from fstheory import JointDistribution
from fstheory.cli import main
from fstheory.distributions import gallery
from fstheory.testing import joint_distributions

EXAMPLES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


class Outcome(NamedTuple):
    status: int
    out: str


def sane(*arguments: str, stdin: bytes = b"") -> Outcome:
    """Run a command here, with streams of bytes as a process has them, and require what holds whatever the answer."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", how) for how in ("strict", "backslashreplace")]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = 0 if stop.code == 0 and {"--help", "-h", "--version"} & set(arguments) else 70
    out, err = (stream.buffer.getvalue().decode("utf-8") for stream in streams)
    assert status in {0, 1, 2, 3}, err
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", out + err), out + err
    err = re.sub("^fstheory: note: .*\n", "", err, flags=re.MULTILINE)
    if status == 2 and not out:
        assert re.fullmatch(r"fstheory: error: .*\n", err) or arguments == (), err
    else:
        assert out.strip(), err
        assert not err
    return Outcome(status, out)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("fuzz")
    contents = {
        "d.json": gallery.xor().to_json(), "t.csv": "a,b,y\n0,1,2\n1,1,0\n", "broken.py": "def f(:\n",
        "odd.py": ODD_CLAIMS, "own.py": "def plain(m, S):\n    return m.risk(S) >= 0\n",
        "leaves.py": "raise SystemExit(0)\n",
    }  # fmt: skip
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    with chdir(folder):
        yield folder


ODD_CLAIMS = """
import sys

class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")

def leaves(m): sys.exit(0)
def mute(m): raise Mute()
def deep(m): return deep(m)
def nothing(m): return None
def large(m, S): return m.risk(S) <= 10**5000
def tiny(m, S): return m.risk(S) <= f"1/1{'0' * 5000}"
def true(m): return True
def full(m): raise MemoryError
def dead(m): raise AssertionError
def odd(m, S, no_such_kind): return m.risk(S) >= 0
"""

TEXTS = [
    "", " ", "-", "--", "\0", "\ud800", "\udcff", "\udcff.json", "\x1b[31m", "\x9b", "a\nb", "a" * 300, "..", "/",
    "no/such.json", ".json", ".csv", ".py", "-1", "None", "X1", "X1,X1", ",", "{", "{{}}", "[]", '"', "∅", "X1<",
    "X1 < {}", "%s%n", "é", "d.json", "t.csv", "xor", "--json", "-h",
]  # fmt: skip
NUMBERS = [
    "", "nan", "inf", "1e400", "1e99999", "-1", "-3", "+1", "0", "1", "9" * 18, "9" * 5000, "1/0", "1/3", "0.1",
    "٣", "1,x", "True", "2,", "\0",
]  # fmt: skip
CLAIMS = [
    "PN-3", "PN-3:", "PN-99", "x.py:f", "own.py", "own.py:", "own.py:no", "own.py:plain", "broken.py:f",
    "leaves.py:f", "odd.py:leaves", "odd.py:mute", "odd.py:large", "odd.py:deep", "odd.py:nothing",
    "odd.py:tiny", "odd.py:full", "odd.py:dead", "odd.py:odd", "odd.py:true",
]  # fmt: skip
ODD = {"?": TEXTS, "#": NUMBERS, "@": CLAIMS}

LIMITS = "--time-limit 0.1 --max-total 2 --max-features 1 --max-classes 2 --max-cardinality 2 --workers 1"
LINES = [
    "?", "? xor", "risks ?", "risks xor --features ?", "risks xor --k #", "risks t.csv --target ?", "risks xor ?",
    "risks t.csv --target y --features ?", "risks t.csv --target y --count ?", "risks t.csv --target y --delimiter ?",
    "risks t.csv --target y --na ?", "risks t.csv --target y --bins ?", "risks t.csv --target y --k #",
    "select t.csv --target y -k #", "select t.csv --target y --method rcg --ties first --delimiter ?",
    "select t.csv --target y --method fbs --tau #",
    "report t.csv --target y --count ?", "report t.csv --target y --population --features ?",
    "minimal-optimal ?", "minimal-optimal xor --search-order ?",
    "minimal-optimal xor --method ?", "criterion xor --criterion ?", "criterion xor --criterion cost --cost #",
    "criterion xor --criterion f --beta #", "criterion xor --criterion log --base #",
    "criterion xor --criterion auc --positive ?", "criterion xor --criterion gini --subset ?",
    "criterion xor --criterion loss-matrix --loss-matrix ?", "select xor -k #", "select xor --method ? -k 1",
    "select xor --method backward --delta #", "select xor --method forward --rule fs --delta #",
    "bound xor --remove ?", "bound xor --remove X1 --bound ?", "adversarial --order ?",
    "adversarial --random # --features 2", "adversarial --random 1 --features ?",
    "adversarial --random 1 --features #", "adversarial --random 1 --cardinalities #",
    "adversarial --wish ? --features 2", "adversarial --random 1 --features 2 --alpha #",
    "adversarial --random 1 --features 1 --classes #", "adversarial --random 1 --features 1 --target ?",
    "adversarial --random 1 --features 1 --out ?", "draw xor --out ?", "gallery ?", "check ? xor", "check @ xor",
    "check PN-4 xor --certificate ?", "prove @ --cardinalities 2 --time-limit 0.1",
    "prove PN-3 --cardinalities # --time-limit 0.1", "prove PN-3 --cardinalities 2 --classes # --time-limit 0.1",
    "prove PN-3 --cardinalities 2 --without ? --time-limit 0.1",
    "prove own.py:plain --cardinalities 1 --time-limit #", f"refute @ {LIMITS}", f"refute PN-6 --without ? {LIMITS}",
    f"refute PN-6 --cardinalities # {LIMITS}", f"refute PN-6 --resume ? {LIMITS}", f"refute PN-6 --seed # {LIMITS}",
    "needed-assumptions @ --cardinalities 1 --max-total 2 --workers 1 --time-limit 0.1", "realize ? --time-limit 0.1",
    "realize X1<{} --features ?", "realize X1<{} --cardinalities # --time-limit 0.1",
    "realize X1<{} --classes # --time-limit 0.1", "realize X1<{} --assume ?", "realize X1<{} --assume @",
    "referee @ --features 1 --time-limit 0.1", "supremum @ --features 1 --time-limit 0.1",
    "supremum own.py:plain --features # --time-limit 0.1", "audit PN-99 ?", "bundle ? --out o",
    "bundle PN-9 --out ?", "verify-certificate ?", "verify-certificate d.json --claim @",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
@pytest.mark.one_in(20)
def test_odd_arguments(place: Path, line: str) -> None:
    (slot,) = ODD.keys() & set(line.split())
    for odd in ODD[slot]:
        sane(*(odd if word == slot else word for word in line.split()))


FILES: dict[str, bytes] = {
    "empty": b"", "blank": b"  \n", "null": b"null", "list": b"[]", "object": b"{}", "string": b'"a"',
    "number": b"1e400", "zeros": b"\0" * 40, "bytes": bytes(range(256)), "bom": b"\xff\xfe{", "open": b"[" * 100_000,
    "deep": b'{"a":' * 5000, "digits": b"9" * 10_000, "nan": b"[NaN]", "surrogate": b'["\\ud800"]',
    "twice": b'{"schema": 1, "schema": 1}', "lines": b"\n" * 50, "quote": b'"', "commas": b",,,\n,,,\n",
    "nul": b"a,y\n\0,1\n", "returns": b"a\r\ry\r", "ragged": b"a,y\n1\n", "header": b"a,y\n",
    "escape": b"a\x1b,y\n1,2\n",
}  # fmt: skip
READERS = [
    "risks FILE.json", "risks -", "risks FILE.csv --target y", "risks FILE.csv --target y --population",
    "report FILE.tsv --target a",
    "verify-certificate FILE.json", "criterion xor --criterion loss-matrix --loss-matrix FILE.json",
    f"refute PN-6 --without positive --resume FILE.json {LIMITS}", "check FILE.py:a xor",
]  # fmt: skip


@pytest.mark.parametrize("line", READERS)
@pytest.mark.one_in(3)
def test_odd_files(place: Path, line: str) -> None:
    for name, content in FILES.items():
        words = [word.replace("FILE", name) for word in line.split()]
        for word in words:
            if name in word and "." in word and "/" not in word:
                (place / word.partition(":")[0]).write_bytes(content)
        found = sane(*words, stdin=content)
        begins = not content and "--resume" in line  # a file that was made and has no line yet
        expected = 3 if begins else 1 if line.startswith("verify") and found.out else 2
        answers = line.startswith("report") and found.status == 0  # it drops rows without a class, and says so
        assert found.status == expected or answers, (name, found)


JSON = st.recursive(
    st.sampled_from([None, True, "1/2", "-1", "1/0"]) | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


def nodes(document: Any) -> list[tuple[Any, Any]]:
    """Return every place in a document, as what holds it and where."""
    keys = document if isinstance(document, dict) else range(len(document) if isinstance(document, list) else 0)
    found = [(document, key) for key in keys]
    return found + [place for holder, key in found for place in nodes(holder[key])]


@st.composite
def altered(draw: st.DrawFn, text: bytes) -> bytes:
    start = draw(st.integers(0, len(text) - 1))
    return text[:start] + draw(st.binary(max_size=4)) + text[start + draw(st.integers(0, 6)) :]


@st.composite
def changed(draw: st.DrawFn, document: Any) -> Any:
    held = [copy.deepcopy(document)]
    holder, key = draw(st.sampled_from([(held, 0), *nodes(held[0])]))
    how = draw(st.sampled_from(["replace", "drop", "twice", "add"]))
    if how == "replace":
        holder[key] = draw(JSON)
    elif how == "drop":
        del holder[key]
    elif isinstance(holder, list):
        holder.insert(key, draw(JSON) if how == "add" else holder[key])
    else:
        holder[draw(st.text(max_size=3))] = holder[key]
    return held[0] if held else None


def tampered(document: Any) -> st.SearchStrategy[bytes]:
    """Change a document in one place, or its text in some bytes."""
    return altered(json.dumps(document).encode()) | changed(document).map(lambda found: json.dumps(found).encode())


DISTRIBUTION = json.loads(JointDistribution([["1/2", "1/8"], [0, "3/8"]], states={"Y": [True, ("a", 1)]}).to_json())


@given(content=st.just(json.dumps(DISTRIBUTION).encode()) | tampered(DISTRIBUTION) | st.binary())
def test_a_tampered_distribution(content: bytes) -> None:
    """What is read as a distribution is one, and says what it was read from."""
    found = sane("risks", "-", "--json", stdin=content)
    if found.status == 0:
        document = json.loads(content.decode("utf-8-sig"))
        document["probabilities"] = [str(Fraction(text)) for text in document["probabilities"]]
        assert document == json.loads(JointDistribution.from_json(content).to_json())  # type: ignore[arg-type]
    assert found.status == (0 if json.dumps(DISTRIBUTION).encode() == content else found.status & 2)


SEARCH = ["refute", "PN-4", "--without", "positive", "--workers", "1", "--max-features", "2"]


@pytest.fixture(scope="module")
def told(place: Path) -> str:
    """What a search told, whose certificate and journal are kept."""
    printed = sane(*SEARCH, "--certificate", "found.json", "--resume", "searched.jsonl").out
    return printed.partition("\n\nWrote")[0] + "\n"


@EXAMPLES
@pytest.mark.usefixtures("told")
@given(data=st.data())
def test_a_tampered_certificate(place: Path, data: st.DataObject) -> None:
    found = json.loads((place / "found.json").read_bytes())
    content = data.draw(tampered(found) | st.binary())
    (place / "certificate.json").write_bytes(content)
    if sane("verify-certificate", "certificate.json").status == 0:
        assert json.loads(content) == found


@EXAMPLES
@given(data=st.data())
def test_a_tampered_journal(place: Path, told: str, data: st.DataObject) -> None:
    """The search with it finds what the search without it does, or it is refused."""
    kept = (place / "searched.jsonl").read_bytes()
    (place / "journal.jsonl").write_bytes(data.draw(altered(kept) | st.binary()))
    found = sane(*SEARCH, "--resume", "journal.jsonl")
    if found.status != 2:
        assert found.out == told


CELL = st.sampled_from(["a", "b", "y", "0", "1", "", '"', '""', "é", "1e400", " "])
READ_WITH = ["", "--na a", "--missing label", "--missing drop --bins 2", "--leave-out a", "--count 0", "--features a,b"]
READ_WITH += ["--delimiter ;", "--k 1"]
CSV = st.lists(st.lists(CELL, max_size=4), max_size=5)


@EXAMPLES
@given(content=st.binary() | CSV.map(lambda rows: "\n".join(map(",".join, rows)).encode()), data=st.data())
def test_odd_tables(place: Path, content: bytes, data: st.DataObject) -> None:
    (place / "odd.csv").write_bytes(content)
    more = data.draw(st.sampled_from(READ_WITH))
    more += data.draw(st.sampled_from([" --population", " --keep-continuous", ""]))
    command = data.draw(st.sampled_from(["risks", "criterion --criterion gini", "select -k 1"])).split()
    command = ["report"] if "--k" not in more and data.draw(st.booleans()) else command
    found = sane(command[0], "odd.csv", "--target", data.draw(st.sampled_from("aby01")), *command[1:], *more.split())
    assert found.status in {0, 2}


ABOUT = [
    "risks", "report", "minimal-optimal", "criterion --criterion gini", "criterion --criterion squared",
    "criterion --criterion auc", "criterion --criterion log", "criterion --criterion f",
    "criterion --criterion balanced", "select -k 1", "select --method mrmr -k 1", "select --method fisher -k 1",
    "select --method backward --delta 1/9", "select --method forward -k 1 --regression", "bound --remove=",
    "check PN-3", "check PN-6",
]  # fmt: skip


@EXAMPLES
@given(d=joint_distributions(named=True, max_features=2), data=st.data())
def test_odd_names_and_numbers(place: Path, d: JointDistribution, data: st.DataObject) -> None:
    """Every legal distribution has an answer, or a reason why not; JSON stays JSON and a page is made of characters."""
    (place / "named.json").write_text(d.to_json(), encoding="utf-8")
    words = data.draw(st.sampled_from(ABOUT)).split()
    form = data.draw(st.sampled_from([[], ["--json"]]))
    position = 2 if words[0] == "check" else 1
    found = sane(*words[:position], "named.json", *words[position:], *form)
    if form and found.status != 2:
        json.loads(found.out)


@pytest.mark.thorough
@settings(EXAMPLES, max_examples=8)
@given(d=joint_distributions(named=True, max_features=2))
def test_drawings_of_odd_names_are_xml(place: Path, d: JointDistribution) -> None:
    (place / "named.json").write_text(d.to_json(), encoding="utf-8")
    assert sane("draw", "named.json", "--out", "named.svg").status == 0
    ET.parse(place / "named.svg")


INSIDE = [text for text in TEXTS if text not in {"/", ".."}]  # no report belongs there
OPTIONS = sorted({word for line in LINES for word in line.split() if word.startswith("-")})
WORDS = st.sampled_from([*INSIDE, *NUMBERS, *OPTIONS])
COMMANDS = [
    "risks", "report", "minimal-optimal", "criterion", "select", "bound", "adversarial", "gallery", "realize",
]  # fmt: skip
ANYTHING = st.text(st.characters(codec="utf-8", exclude_characters="./"), max_size=4)


@EXAMPLES
@given(command=st.sampled_from(COMMANDS), words=st.lists(WORDS | ANYTHING, max_size=5))
def test_words_in_any_order(place: Path, command: str, words: list[str]) -> None:
    sane(command, *words)
