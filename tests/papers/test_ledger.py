"""The ledger as data: its verdicts, that claims, words, evidence and certificates belong together, and its pages."""

import functools
import re
from collections import Counter
from zipfile import ZipFile

import pytest

from fstheory.checker.certificates import check_certificate
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.claims import Claim
from fstheory.logic.entry import Entry, Evidence
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.every_size import EverySize
from fstheory.logic.ledger import claims
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Vacuous
from tests.house.source import ROOT
from tests.papers.certify import ARCHIVE, made, records, wanted
from tests.papers.check_true import EXHAUSTED, SURVEYS, Part, distributions, family, held, size_of
from tests.papers.drawn import SHAPES, SMALL, drawn

PRINTED = {"PN-8s", "A-1u", "B-0hc", "B-0kc", "B-0l", "B-1", "B-2wc", "SN-E"}
"""Corrections that a paper prints, too, in another place or in another form."""


COMPUTED = {"A-1", "A-1u", "A-1m", "A-T2", "TO-2", "TO-3", "AH-1"}
CLASSICS = {"TO": 1, "CH": 1, "NF": 1, "KS": 2, "YL": 2, "PE": 1, "NI": 1, "DK": 1, "ST": 1}
IMPORTANCE = {"SH": 1, "CA": 2, "LE": 4, "FY": 5, "CD": 2, "GE": 4, "CO": 5, "GR": 1}
QUESTIONS = dict.fromkeys(("GK", "EC", "QU", "BF", "BG", "AH", "BW", "SC", "WA", "ZI", "FR"), 1) | {"PW": 2, "KM": 2}


def test_verdicts() -> None:
    false = Counter(key.partition("-")[0] for key, entry in claims.items() if entry.status == "false")
    others = CLASSICS | IMPORTANCE | QUESTIONS
    assert (len(claims), false) == (442, {"PN": 11, "B": 32, "A": 45, "SN": 34, "N": 8} | others)
    assert {key for key, entry in claims.items() if entry.status == "open"} == {"A-X", "N-F"}


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
    assert entry.claim is None or entry.claim.name == entry.id
    assert entry.words.endswith(".")
    assert not entry.remark or entry.remark.endswith((".", ")"))
    computed = entry.id in {"A-1", "A-1u", "A-1m", "A-T2", "TO-2", "TO-3", "AH-1"} or entry.id.startswith(
        ("SN-T", "B-")
    )
    assert computed or entry.status != "true" or "M" in kinds


ON_SHAPE = r"--cardinalities ([0-9,]+) --classes ([0-9]+)"
CHECKOUT = "from a checkout: python -m "
"""Before the name of a script that stands among the tests, which no installed package has."""


def test_lines_and_files_follow_from_the_entry() -> None:
    """A command of the package, a script of a checkout, said to be one, or a page of the textbook, which is there."""
    for entry, evidence, without in records():
        line, file, key = evidence.reproduce, evidence.certificate, entry.id
        assert entry.claim or not line.startswith(("fstheory refute", "fstheory prove"))
        about, name = (f"{key} --without {without}", f"{key}-without-{without}") if without else (key, key)
        if evidence.kind == "P":
            found = re.fullmatch(f"fstheory prove {about} (?:{ON_SHAPE}|(--classes [0-9]+ )?--features ([0-9]+))", line)
            assert found, line
            sizes, classes, n = (found[1] or "").split(","), found[2], found[4]
            every = EverySize(int(n), int(found[3].split()[1]) if found[3] else None) if n else None
            assert evidence.what == (str(every) if every else f"{' x '.join(sizes)} states, {classes} classes")
            assert file in (None, f"{name}-proof-every-{n}.json", f"{name}-proof-{'x'.join(sizes)}-{classes}.json")
        elif evidence.kind == "X" and line.startswith("fstheory"):
            shape, classes, total = family(evidence.what)[0]
            on = f"--cardinalities {','.join(map(str, shape))} --classes {classes} --max-total {total}"
            assert line == f"fstheory refute {key} {on}  # and so on; counted {CHECKOUT}tests.papers.check_true {key}"
        elif file is None:
            assert line.startswith(("docs/textbook/", CHECKOUT)), line
            what = line.removeprefix(CHECKOUT).removeprefix("pytest ").split()[0]
            assert (ROOT / what).is_file() or (ROOT / f"{what.replace('.', '/')}.py").is_file(), line
        elif line.startswith("fstheory refute"):
            assert re.fullmatch(f"fstheory refute {about}( {ON_SHAPE})?", line), line
            assert file in (f"{name}.json", f"{name}-3-classes.json")
        else:
            made = f"found {CHECKOUT}tests.points.counterexamples"
            made = made if key.startswith("SN-") else f"made {CHECKOUT}tests.papers.certify {key}"
            assert line == f"fstheory audit {key}  # verifies it; {made}"
            assert file in (f"{name}.json", f"{name}-distinct.json")


def test_every_certificate_belongs_to_a_piece_of_evidence() -> None:
    names = [evidence.certificate for _, evidence, _ in wanted()]
    assert len(set(names)) == len(names)
    with ZipFile(ARCHIVE) as archive:
        files = set(archive.namelist())
    assert {name for name in files if not name.startswith("SN-")} == set(names)


def test_counts_of_surveys() -> None:
    lines = [(evidence.reproduce.removeprefix(CHECKOUT), evidence.count) for _, evidence, _ in records()]
    found = [(script, count) for script, count in lines if script in SURVEYS]
    assert {script for script, _ in found} == SURVEYS.keys()
    assert all(count in SURVEYS[script] for script, count in found)
    page = (ROOT / "docs" / "textbook" / "information-bounds.md").read_text(encoding="utf-8")
    assert all(number in page for number in ("132,465", "119,820"))


PAGES = {path.stem: path for path in (ROOT / "docs" / "readings").glob("*.md") if path.stem not in ("index", "claims")}
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
    least = {"classics": 50, "importance": 40, "questions": 35}.get(page, 90)
    assert len(lines) - 2 * sum(set(line) <= set("|- ") for line in lines) == len(found) > least
    assert all(all(row) and row[2] != "no entry:" for row in found)
    assert len(PAGES) == len({entry.paper.file for entry in claims.values()})
    named = {key for *_, entries in found if not entries.startswith("no entry: ") for key in entries.split(", ")}
    assert named <= set(claims), named - set(claims)
    file = f"{page.replace('-', '_')}.toml"
    printed = {key for key, entry in claims.items() if entry.printed and entry.paper.file == file}
    assert printed
    assert printed <= named, printed - named


# The evidence, found again

FEW: tuple[Part, ...] = (((2,), 2, 4), ((2,), 3, 3), ((3,), 2, 3), ((2, 2), 2, 2), ((2, 2, 2), 2, 1))
"""Shapes with a feature less."""


def name_of(value: object) -> str:
    return getattr(value, "certificate", None) or ""


@pytest.mark.thorough(16)
@pytest.mark.parametrize(("entry", "evidence", "without"), wanted(), ids=name_of)
def test_certificate_is_made_again_and_accepted(entry: Entry, evidence: Evidence, without: str | None) -> None:
    """A counterexample is the same; a proof may be another one of the same statement."""
    certificate, again = evidence.load(), made(entry, evidence, without)
    if evidence.kind == "P":
        assert check_certificate(again)
        assert (again["assume"], again["show"]) == (certificate["assume"], certificate["show"])
    else:
        assert certificate == again
    assert check_certificate(certificate).kind == {"R": "refuted", "C": "realized", "P": "proved"}[evidence.kind]


@functools.cache
def satisfying(assumptions: tuple[Claim, ...], part: Part) -> int:
    """Return how many distributions of a part satisfy some assumptions."""
    formulas = [named.formula for claim in assumptions for named in claim.statement(Shape(*part[:2])).show]
    return sum(all(map(Evaluation(d).truth, formulas)) for d in distributions(part)) if formulas else size_of(part)


@pytest.mark.thorough(16)
@pytest.mark.parametrize("key", EXHAUSTED)
def test_count_of_an_exhausted_family(key: str) -> None:
    """As many distributions as satisfy the assumptions, and on the first of them the statement is true."""
    assume, parts = claims[key].stated().assumptions, family(EXHAUSTED[key].what)
    assert EXHAUSTED[key].count == sum(satisfying(assume, part) for part in parts)
    few = [part for part in FEW if part[:2] in [other[:2] for other in parts]]
    assert held(key, few) == sum(satisfying(assume, part) for part in few)


TRUE = [key for key, entry in claims.items() if entry.claim and entry.status != "false"]
REASONS = {"SC-1", "IG-1", "HM-1", "HM-2"}
OF_PREDICTORS = {"PN-B", "PN-2", "PN-2c", *REASONS, *(key for key in TRUE if key.startswith("A-"))}
"""Statements about all predictors or all reasons: checked where these are few."""


@pytest.mark.parametrize("many", [6, pytest.param(20, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("key", TRUE)
@pytest.mark.one_in(8)
def test_true_statements_hold_on_random_distributions(key: str, many: int) -> None:
    for seed in range(many if key not in ("B-0", "B-3e") else many // 2):
        d = drawn(seed, SMALL if key in OF_PREDICTORS else SHAPES)
        if "positive" in claims[key].assumptions and seed % 2:
            d = JointDistribution((2 * d.weights + 1).tolist())
        assert isinstance(claims[key].check(d), Holds | Vacuous), d
