"""What the ledger says was exhausted or surveyed of two papers: the numbers are those of the scripts that it names."""

import functools
import re
from pathlib import Path

import pytest

from fstheory.logic.claims import Claim
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Vacuous
from fstheory.papers.ahmed_2015 import AHMED_2015
from fstheory.papers.entry import Entry, Paper, evidence_of
from fstheory.papers.ledger import claims
from tests.measures.examples import SIZES
from tests.papers.check_true import ENTRIES, distributions, exhausted, held, size_of
from tests.papers.drawn import SHAPES, SMALL, drawn
from tests.papers.evidence import CHECKOUT, Part, argued, family, proved, refuted, shown, text_of
from tests.papers.evidence import FOLDER as PACKAGE
from tests.papers.evidence import exhausted as exhausted_record

TEXTBOOK = Path(__file__).parents[2] / "docs" / "textbook"
FEW: tuple[Part, ...] = (((2,), 2, 4), ((2,), 3, 3), ((3,), 2, 3), ((2, 2), 2, 2), ((2, 2, 2), 2, 1))

SURVEYED = {
    "tests.measures.check_claims": {size_of(((2, 2), 2, 12)) + 10_000, 119_820},
    "tests.selection.check_claims": {size_of(((2, 2), 2, 12))},
    "tests.measures.examples": {sum((largest + 1) ** (2 * states) - 1 for states, largest in SIZES)},
}
"""How many distributions the scripts go through; the number of recoded features, which are drawn, is printed there."""


@pytest.mark.parametrize("part", family("B-3")[:4])
def test_number_of_distributions(part: Part) -> None:
    assert size_of(part) == sum(1 for _ in distributions(part))


@functools.cache
def satisfying(assumptions: tuple[Claim, ...], part: Part) -> int:
    """Return how many distributions of a part satisfy some assumptions."""
    if not assumptions:
        return size_of(part)
    formulas = [named.formula for claim in assumptions for named in claim.statement(Shape(*part[:2])).show]
    return sum(all(map(Evaluation(d).truth, formulas)) for d in distributions(part))


@pytest.mark.thorough
@pytest.mark.parametrize("key", exhausted())
def test_count_of_an_exhausted_family(key: str) -> None:
    """As many distributions as satisfy the assumptions, and on the first of them the statement is true."""
    claim = claims[key].stated()
    assert exhausted()[key] == sum(satisfying(claim.assumptions, part) for part in family(key))
    few = tuple(part for part in FEW if part[:2] in [other[:2] for other in family(key)])
    assert held(key, few) == sum(satisfying(claim.assumptions, part) for part in few)


@pytest.mark.parametrize("key", [key for key, entry in ENTRIES.items() if entry.claim and entry.status != "false"])
def test_true_statements_hold_on_random_distributions(key: str) -> None:
    predictors = ENTRIES[key].paper == AHMED_2015  # statements about all of them are checked where these are few
    for seed in range(40 if predictors else 5 if key in ("B-0", "B-3e") else 15):
        verdict = ENTRIES[key].check(drawn(seed, SMALL if predictors else SHAPES))
        assert isinstance(verdict, Holds | Vacuous), verdict


def test_counts_of_surveys() -> None:
    found = [
        (evidence.reproduce.removeprefix(CHECKOUT), evidence.count)
        for entry in ENTRIES.values()
        for evidence in entry.evidence
        if evidence.kind == "C" and evidence.certificate is None
    ]
    assert {script for script, _ in found} == SURVEYED.keys()
    assert all(count in SURVEYED[script] for script, count in found)


@pytest.mark.parametrize("number", [132_465, 119_820])
def test_counts_stand_in_the_textbook(number: int) -> None:
    assert f"{number:,}" in (TEXTBOOK / "information-bounds.md").read_text(encoding="utf-8")


PRINTED = {"A-1u", "B-0hc", "B-0kc", "B-0l", "B-1", "B-2wc"}
"""Corrections that a paper prints, too, in another place or in another form."""


def test_evidence_names_what_the_reader_has() -> None:
    """A command of the package, a script of a checkout, said to be one, or a page of the textbook, which is there."""
    for entry in claims.values():
        for line in (evidence.reproduce for evidence in (*entry.evidence, *entry.needs.values())):
            assert line.startswith(("fstheory ", CHECKOUT, "docs/textbook/")), (entry.id, line)
            assert (TEXTBOOK.parents[1] / line).is_file() or not line.startswith("docs")
            assert "python -m" not in line.replace(CHECKOUT, "")
        assert entry.status != "true" or entry.paper.year == 2019 or _is_argued(entry), entry.id


def _is_argued(entry: Entry) -> bool:
    """Tell whether a true statement has a proof that is not about small cases only, or is about one example."""
    tabled = entry.id in {"A-1", "A-1u", "A-1m", "A-T2"} or entry.id.startswith("SN-T")
    return tabled or any(evidence.kind == "M" for evidence in entry.evidence)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES.keys())
def test_evidence_is_complete(entry: Entry) -> None:
    """A false statement has one counterexample or more and nothing else; proofs in the textbook exist."""
    kinds = {evidence.kind for evidence in entry.evidence}
    assert kinds == {"R"} if "R" in kinds else kinds <= {"P", "X", "C", "M"}
    assert kinds or entry.id == "A-X"
    assert entry.corrects is None or (entry.corrects in ENTRIES and entry.status == "true")
    assert entry.corrects is None or entry.printed == (entry.id in PRINTED)
    assert set(entry.needs) <= (set() if entry.status == "false" else set(entry.assumptions))
    assert entry.words.endswith(".")
    assert not entry.remark or entry.remark.endswith((".", ")"))


@pytest.mark.parametrize("paper", {entry.paper: None for entry in claims.values()}, ids=lambda paper: paper.key)
def test_records_are_written_by_the_scripts(paper: Paper) -> None:
    """Each line, shape and file name follows from the entry, and the file is as the scripts write it."""
    assert (PACKAGE / paper.file).read_text(encoding="utf-8") == text_of(paper)
    for key, record in ((key, record) for key, records in evidence_of(paper).items() for record in records):
        what, without = record["what"], record.get("without", "")
        lines = [*re.findall(r"--cardinalities (\S+) --classes (\d+)", record["reproduce"])]
        shape = Shape(tuple(map(int, lines[0][0].split(","))), int(lines[0][1])) if lines else None
        if record["reproduce"].startswith("fstheory refute") and record["kind"] == "R":
            names = ("", "-3-classes")
            assert record in [refuted(key, what, shape, without=without, name=name) for name in names]
        elif record["kind"] == "P" and shape:
            assert record in [proved(key, shape, without=without, kept=kept) for kept in (True, False)]
        elif "check_true" in record["reproduce"]:
            assert record == exhausted_record(key, record["count"])
        elif record["kind"] == "M":
            assert record == argued(Path(record["reproduce"]).stem, what, without=without)
        elif "tests.papers.certify" in record["reproduce"]:
            assert record == shown(key, what, record["kind"])
