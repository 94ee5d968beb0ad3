"""The ledger as data: its verdicts, that claims, words, evidence and certificates belong together, and its pages."""

import re
from pathlib import Path

import pytest

from fstheory.logic.statement import Shape
from fstheory.papers import ahmed_2015, beraha_2019, pena_nilsson_2010, sebban_nock_2002
from fstheory.papers.entry import Entry, Statements
from fstheory.papers.ledger import claims
from tests.house import source
from tests.papers.certify import wanted
from tests.papers.check_true import ENTRIES, SURVEYS
from tests.papers.evidence import CHECKOUT, FOLDER, RECORDS, argued, exhausted, proved, refuted, shown, text_of

PAPERS = (pena_nilsson_2010.paper, beraha_2019.paper, ahmed_2015.paper, sebban_nock_2002.paper)

FALSES = """
PN-3b PN-8k PN-8m PN-8x PN-8p PN-8a PN-8r PN-8f

B-0h B-0k B-0lf B-1y B-1x B-1l B-E1b B-E1n B-2 B-2w B-2v B-2u B-2ua B-2z B-2y B-2dx B-3x B-3d B-4z B-5d B-5r B-5rn B-5
B-5i B-5n B-5t B-6 B-6k B-Xn B-Xt B-Xr B-Xs

A-1n A-1g A-YHl A-YH A-5r A-6l A-7t A-7b A-Gi-01 A-Gi-cost A-Gi-bal A-Gi-sq A-Gi-F A-Gi-balm A-S A-F3 A-Xm A-Xk A-Xl
A-Xt A-T1 A-F4 A-F6

SN-V SN-Es SN-Er SN-Z SN-L1a SN-L1c SN-L3 SN-L3a SN-L3b SN-5 SN-5n SN-5f SN-Q SN-Qs SN-Qn SN-U SN-0 SN-0a SN-0x SN-0n
SN-0s SN-0h SN-0o SN-0r SN-T1e SN-T1 SN-T2 SN-T9 SN-T9g SN-T4j SN-T4m SN-T4p SN-T5m SN-T8

N-1 N-2 N-3 N-4 N-4w N-4a N-4b N-7
"""
FALSE = set(FALSES.split()) | {f"A-G{kind}-{key}" for kind in "gsp" for key in ahmed_2015.BENEFITS}

PRINTED = {"PN-8s", "A-1u", "B-0hc", "B-0kc", "B-0l", "B-1", "B-2wc", "SN-E"}
"""Corrections that a paper prints, too, in another place or in another form."""


def test_verdicts() -> None:
    assert len(claims) == 303
    assert {key for key, entry in claims.items() if entry.status == "false"} == FALSE
    assert {key for key, entry in claims.items() if entry.status == "open"} == {"A-X", "N-F"}


def test_every_claim_has_words_and_what_was_decided_of_a_distribution_a_claim() -> None:
    for entry in (entry for paper in PAPERS for entry in paper.entries):
        assert claims[entry.id] is entry
        assert entry.claim is None or entry.claim.name == entry.id
        lines = [evidence.reproduce for evidence in (*entry.evidence, *entry.needs.values())]
        decided = any(line.startswith(("fstheory refute", "fstheory prove")) for line in lines)
        assert entry.claim is not None or not decided, entry.id
    new = Statements("pena_nilsson_2010")
    new.claim("PN-0")(lambda m: True)
    with pytest.raises(ValueError, match="the id of a claim must be one of its own, not 'PN-0'; rename one"):
        new.claim("PN-0")(lambda m: False)
    with pytest.raises(ValueError, match=r"must have an entry in pena_nilsson_2010.toml, not \{'PN-0'\}; write it"):
        assert new.entries


@pytest.mark.parametrize("entry", claims.values(), ids=claims)
def test_evidence_is_complete(entry: Entry) -> None:
    """A false statement has counterexamples and nothing else, a true one an argument that is not about small cases."""
    kinds = {evidence.kind for evidence in entry.evidence}
    assert kinds == {"R"} if "R" in kinds else kinds <= {"P", "X", "C", "M"}
    assert entry.corrects is None or (entry.corrects in claims and entry.status == "true")
    assert entry.corrects is None or entry.printed == (entry.id in PRINTED)
    about_points = entry.id in ("SN-L1", "SN-L2")  # their assumption is no claim about distributions
    assert about_points or set(entry.needs) <= (set() if entry.status == "false" else set(entry.assumptions))
    assert all(evidence.kind in "RPM" for evidence in entry.needs.values())
    assert entry.words.endswith(".")
    assert not entry.remark or entry.remark.endswith((".", ")"))
    computed = entry.id in {"A-1", "A-1u", "A-1m", "A-T2"} or entry.id.startswith(("SN-T", "B-"))
    assert computed or entry.status != "true" or "M" in kinds


def test_evidence_names_what_the_reader_has() -> None:
    """A command of the package, a script of a checkout, said to be one, or a page of the textbook, which is there."""
    for key, line in ((key, record["reproduce"]) for key, records in RECORDS.items() for record in records):
        assert line.startswith(("fstheory ", CHECKOUT, "docs/textbook/")), (key, line)
        assert (source.ROOT / line).is_file() or not line.startswith("docs")
        assert "python -m" not in line.replace(CHECKOUT, "")


@pytest.mark.parametrize("key", claims)
def test_records_are_written_by_the_scripts(key: str) -> None:
    """Each line, shape and file name follows from the entry, and the file is as the scripts write it."""
    text = (FOLDER / claims[key].paper.file).read_text(encoding="utf-8")
    assert text.partition(f"[entries.{key}]\n")[2].partition("\n[")[0].rstrip("\n").endswith(text_of(key).rstrip("\n"))
    for record in RECORDS[key]:
        what, without = record["what"], record.get("without", "")
        lines = [*re.findall(r"--cardinalities (\S+) --classes (\d+)", record["reproduce"])]
        shape = Shape(tuple(map(int, lines[0][0].split(","))), int(lines[0][1])) if lines else None
        if record["reproduce"].startswith("fstheory refute") and record["kind"] == "R":
            names = ("", "-3-classes")
            assert record in [refuted(key, what, shape, without=without, name=name) for name in names]
        elif record["kind"] == "P" and shape:
            assert record in [proved(key, shape, without=without, kept=kept) for kept in (True, False)]
        elif "check_true" in record["reproduce"]:
            assert record == exhausted(key, record["count"])
        elif record["kind"] == "M":
            assert record == argued(Path(record["reproduce"]).stem, what, without=without)
        elif "tests.papers.certify" in record["reproduce"]:
            assert record == shown(key, what, record["kind"])


def test_every_certificate_belongs_to_a_piece_of_evidence() -> None:
    names = [evidence.certificate for _, evidence, _ in wanted()]
    assert len(set(names)) == len(names)
    files = {path.name for path in (FOLDER / "certificates").glob("*.json")}
    assert {name for name in files if not name.startswith("SN-")} == set(names)


def test_counts_of_surveys() -> None:
    found = [
        (evidence.reproduce.removeprefix(CHECKOUT), evidence.count)
        for entry in ENTRIES.values()
        for evidence in entry.evidence
        if evidence.kind == "C" and evidence.certificate is None
    ]
    assert {script for script, _ in found} == SURVEYS.keys()
    assert all(count in SURVEYS[script] for script, count in found)
    page = (source.ROOT / "docs" / "textbook" / "information-bounds.md").read_text(encoding="utf-8")
    assert all(number in page for number in ("132,465", "119,820"))


# The pages that list the sentences of the papers name entries that exist, and every statement that is printed.

PAGES = {path.stem: path for path in (source.ROOT / "docs" / "readings").glob("*.md") if path.stem != "index"}
ROW = re.compile(r"^\|([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)


def rows(page: str) -> list[tuple[str, ...]]:
    """Return place, words and entries of every row of a page that is no head of a table."""
    found = [tuple(cell.strip() for cell in row) for row in ROW.findall(PAGES[page].read_text(encoding="utf-8"))]
    return [row for row in found if row[0] != "place" and set(row[0]) != {"-"}]


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_has_an_entry_or_a_reason(page: str) -> None:
    """Each id is one of the ledger, and each statement that the paper makes is in a row."""
    found = rows(page)
    assert all(all(row) and row[2] != "no entry:" for row in found)
    named = {key for *_, entries in found if not entries.startswith("no entry: ") for key in entries.split(", ")}
    assert named <= set(claims), named - set(claims)
    file = f"{page.replace('-', '_')}.toml"
    printed = {key for key, entry in claims.items() if entry.printed and entry.paper.file == file}
    assert printed
    assert printed <= named, printed - named


def test_no_page_is_missing_and_no_row_is_lost() -> None:
    """What looks like a row is one: no cell holds a bar."""
    assert len(PAGES) == len({entry.paper for entry in claims.values()})
    for page, path in PAGES.items():
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        heads = sum(set(line) <= set("|- ") for line in lines)
        assert len(lines) - 2 * heads == len(rows(page)) > 90
