"""The ledger as data: its verdicts, that claims, words, evidence and certificates belong together, and its pages."""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.checker import check_certificate
from fstheory.logic.claims import Claim
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.statement import Shape, Statement
from fstheory.logic.verdict import Holds, Vacuous
from fstheory.papers import ahmed_2015, beraha_2019, pena_nilsson_2010, sebban_nock_2002
from fstheory.papers.entry import Entry, Evidence
from fstheory.papers.ledger import claims
from fstheory.proofs.descent import size_of_weights
from tests.house import source
from tests.papers import check_true
from tests.papers.certify import SHOWN, made, shape_of, wanted
from tests.papers.check_true import ENTRIES, SURVEYS, distributions, held, size_of
from tests.papers.drawn import SHAPES, SMALL, drawn
from tests.papers.evidence import (
    CHECKOUT,
    FOLDER,
    RECORDS,
    Part,
    argued,
    exhausted,
    family,
    proved,
    refuted,
    text_of,
)

PAPERS = (pena_nilsson_2010.paper, beraha_2019.paper, ahmed_2015.paper, sebban_nock_2002.paper)

PRINTED = {"PN-8s", "A-1u", "B-0hc", "B-0kc", "B-0l", "B-1", "B-2wc", "SN-E"}
"""Corrections that a paper prints, too, in another place or in another form."""


def test_verdicts() -> None:
    false = Counter(key.partition("-")[0] for key, entry in claims.items() if entry.status == "false")
    assert (len(claims), false) == (303, {"PN": 8, "B": 32, "A": 44, "SN": 34, "N": 8})
    assert {key for key, entry in claims.items() if entry.status == "open"} == {"A-X", "N-F"}


def test_every_claim_has_words_and_what_was_decided_of_a_distribution_a_claim() -> None:
    for entry in (entry for paper in PAPERS for entry in paper.entries):
        assert claims[entry.id] is entry
        assert entry.claim is None or entry.claim.name == entry.id
        lines = [evidence.reproduce for evidence in (*entry.evidence, *entry.needs.values())]
        decided = any(line.startswith(("fstheory refute", "fstheory prove")) for line in lines)
        assert entry.claim is not None or not decided, entry.id


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
            line = f"fstheory audit {key}  # verifies it; made {CHECKOUT}tests.papers.certify {key}"
            assert (record["reproduce"], record["certificate"]) == (line, f"{key}.json")


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


PAGES = {path.stem: path for path in (source.ROOT / "docs" / "readings").glob("*.md") if path.stem != "index"}
ROW = re.compile(r"^\|([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)


def rows(page: str) -> list[tuple[str, ...]]:
    """Return place, words and entries of every row of a page that is no head of a table."""
    found = [tuple(cell.strip() for cell in row) for row in ROW.findall(PAGES[page].read_text(encoding="utf-8"))]
    return [row for row in found if row[0] != "place" and set(row[0]) != {"-"}]


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_has_an_entry_or_a_reason(page: str) -> None:
    """Each id is one of the ledger, each statement that the paper makes is in a row; rows are whole."""
    found = rows(page)
    lines = [line for line in PAGES[page].read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert len(lines) - 2 * sum(set(line) <= set("|- ") for line in lines) == len(found) > 90
    assert all(all(row) and row[2] != "no entry:" for row in found)
    assert len(PAGES) == len({entry.paper for entry in claims.values()})
    named = {key for *_, entries in found if not entries.startswith("no entry: ") for key in entries.split(", ")}
    assert named <= set(claims), named - set(claims)
    file = f"{page.replace('-', '_')}.toml"
    printed = {key for key, entry in claims.items() if entry.printed and entry.paper.file == file}
    assert printed
    assert printed <= named, printed - named


# The evidence, found again

EVERY = wanted()
LOOKED_AT = 1_200  # smaller distributions, at most, to be looked at here one by one; the search looks at all
FEW: tuple[Part, ...] = (((2,), 2, 4), ((2,), 3, 3), ((3,), 2, 3), ((2, 2), 2, 2), ((2, 2, 2), 2, 1))
"""Shapes with a feature less."""


def name_of(value: object) -> str:
    return getattr(value, "certificate", None) or ""


@pytest.mark.thorough
@pytest.mark.parametrize(("entry", "evidence", "without"), EVERY, ids=name_of)
def test_certificate_is_made_again_and_accepted(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """A counterexample is the same; a proof may be another one of the same statement."""
    certificate, again = evidence.load(), made(entry, evidence, without)
    if evidence.kind == "P":
        assert check_certificate(again)
        assert (again["assume"], again["show"]) == (certificate["assume"], certificate["show"])
    else:
        assert certificate == again
    assert check_certificate(certificate).kind == {"R": "refuted", "C": "realized", "P": "proved"}[evidence.kind]


def violated(statement: Statement, d: JointDistribution) -> bool:
    at = Evaluation(d)
    assumptions = all(at.truth(named.formula) for named in statement.assume)
    return assumptions and not all(at.truth(named.formula) for named in statement.show)


def smaller(shape: Shape, d: JointDistribution) -> Iterator[JointDistribution]:
    """Yield the distributions of a shape that are smaller: fewer people, fewer cells, or weights that come before."""
    every = distributions((shape.cardinalities, shape.classes, d.total))
    least = size_of_weights(tuple(d.weights.ravel().tolist()))
    return (other for other in every if size_of_weights(tuple(other.weights.ravel().tolist())) < least)


REFUTED = [some for some in EVERY if some[1].kind == "R" and some[0].id in ENTRIES.keys() - SHOWN]


@pytest.mark.thorough
@pytest.mark.parametrize(("entry", "evidence", "without"), REFUTED, ids=name_of)
def test_no_smaller_distribution_is_a_counterexample(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """Each is decided by itself, with nothing of the search."""
    claim = entry.stated().without(without) if without else entry.stated()
    d = JointDistribution(np.array(evidence.load()["weights"]).tolist())
    statement = claim.statement(shape_of(evidence))
    assert violated(statement, d)
    assert not any(violated(statement, other) for other in itertools.islice(smaller(shape_of(evidence), d), LOOKED_AT))


@functools.cache
def satisfying(assumptions: tuple[Claim, ...], part: Part) -> int:
    """Return how many distributions of a part satisfy some assumptions."""
    formulas = [named.formula for claim in assumptions for named in claim.statement(Shape(*part[:2])).show]
    return sum(all(map(Evaluation(d).truth, formulas)) for d in distributions(part)) if formulas else size_of(part)


@pytest.mark.thorough
@pytest.mark.parametrize("key", check_true.exhausted())
def test_count_of_an_exhausted_family(key: str) -> None:
    """As many distributions as satisfy the assumptions, and on the first of them the statement is true."""
    assume = claims[key].stated().assumptions
    assert check_true.exhausted()[key] == sum(satisfying(assume, part) for part in family(key))
    few = tuple(part for part in FEW if part[:2] in [other[:2] for other in family(key)])
    assert held(key, few) == sum(satisfying(assume, part) for part in few)


TRUE = [key for key, entry in claims.items() if entry.claim and entry.status != "false"]
OF_PREDICTORS = {"PN-B", "PN-2", "PN-2c", *(key for key in TRUE if key.startswith("A-"))}
"""Statements about all predictors: checked where these are few."""


@pytest.mark.parametrize("many", [8, pytest.param(40, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("key", TRUE)
def test_true_statements_hold_on_random_distributions(key: str, many: int) -> None:
    for seed in range(many if key not in ("B-0", "B-3e") else many // 2):
        d = drawn(seed, SMALL if key in OF_PREDICTORS else SHAPES)
        if "positive" in claims[key].assumptions and seed % 2:
            d = JointDistribution((2 * d.weights + 1).tolist())
        assert isinstance(claims[key].check(d), Holds | Vacuous), d
