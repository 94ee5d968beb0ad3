"""How far a reader walks who follows a call: functions, files and changes of file, in eight walks with exact inputs.

A step is a call of a function of fstheory. A step changes the file if the step before it was in another file. Functions
of other libraries, and comprehensions, are passed over. Each walk is done once before it is counted, so that imports
and caches do not count.

`python -m tests.benchmarks.test_walks` prints the counts. With the name of a walk, it also prints the functions to
which most of its changes lead.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pandas as pd
import pytest

import fstheory as fs
from fstheory.logic import Proved
from fstheory.sklearn import BayesGreedySelector

PACKAGE = str(Path(fs.__file__).parent)
ROWS = [(i % 3, i % 2, (i % 3 + i % 2) % 2) for i in range(200)]


def report(folder: Path) -> None:
    """Read a CSV file, and write its report."""
    (folder / "rows.csv").write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in ROWS), encoding="utf-8")
    fs.report(fs.distributions.read_csv(folder / "rows.csv", target="y")).save(folder / "report")


def report_of_distribution(_folder: Path) -> None:
    """Write the page of a distribution with the answers of all methods."""
    fs.report(fs.gallery.titanic()).to_html()


def bayes_risks(_folder: Path) -> None:
    fs.bayes_risks(fs.gallery.titanic())


def selection_law(_folder: Path) -> None:
    fs.selection_law(fs.gallery.xor(), 8, fs.FBS())


@fs.claim
def more_features(m: Any, S: Any, T: Any) -> Any:
    return m.risk(S | T) <= m.risk(S)


def prove(folder: Path) -> None:
    """Prove a claim for two features of any numbers of states, save its certificate, and verify the file."""
    found = fs.prove(more_features, features=2)
    assert isinstance(found, Proved)
    found.certificate.save(folder / "proof.json")
    fs.check_certificate(folder / "proof.json")


def prove_for_every_size(_folder: Path) -> None:
    """Prove a claim of the ledger for three features of any numbers of states."""
    fs.prove("PN-3", features=3)


def explore(folder: Path) -> None:
    """Write the page of a distribution."""
    (folder / "page.html").write_text(fs.reports.explorer_page(fs.gallery.titanic()), encoding="utf-8")


def fit(_folder: Path) -> None:
    """Fit a selector for scikit-learn."""
    frame = pd.DataFrame(ROWS, columns=["a", "b", "y"])
    BayesGreedySelector(n_features_to_select=1).fit(frame[["a", "b"]], frame["y"])


class Walk(NamedTuple):
    functions: int
    files: int
    changes: int


WALKS: dict[Callable[[Path], None], Walk] = {
    report: Walk(411, 35, 3465),
    report_of_distribution: Walk(514, 43, 3470),
    bayes_risks: Walk(71, 15, 95),
    selection_law: Walk(154, 17, 271),
    prove: Walk(212, 31, 5090),
    prove_for_every_size: Walk(241, 31, 6975),
    explore: Walk(344, 33, 13_760),  # with the exact laws of three numbers of rows, and a table of words
    fit: Walk(108, 17, 155),
}
"""The walks and their ceilings, which are only lowered, but for a capability that needs a longer walk."""


def walk(call: Callable[[Path], None]) -> tuple[Walk, Counter[str]]:
    """Count the functions, the files and the changes of file of a call, and how often each function was changed to.

    `progress.spend`, which only obeys the time limit, is left out: nobody has to follow it there.
    """
    functions, changed, before = set[tuple[str, str]](), Counter[str](), ""

    def step(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal before
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if event == "call" and file.startswith(PACKAGE) and name != "spend" and frame.f_code.co_name[0] != "<":
            functions.add((file, name))
            changed[f"{Path(file).relative_to(PACKAGE)}: {name}"] += file != before
            before = file

    with tempfile.TemporaryDirectory() as folder:
        call(Path(folder))
        outside = sys.getprofile()
        sys.setprofile(step)
        try:
            call(Path(folder))
        finally:
            sys.setprofile(outside)
    return Walk(len(functions), len({file for file, _ in functions}), changed.total()), changed


@pytest.mark.parametrize("call", WALKS, ids=lambda call: call.__name__)
def test_no_walk_becomes_longer(call: Callable[[Path], None]) -> None:
    found, _ = walk(call)
    # A fresh process, or another version of Python, adds a function or a file: a walk may be longer by 2 percent and 1.
    assert all(50 * (count - 1) <= 51 * ceiling for count, ceiling in zip(found, WALKS[call], strict=True)), found


if __name__ == "__main__":
    for call in WALKS:
        found, changed = walk(call)
        print(call.__name__, found)
        if call.__name__ in sys.argv:
            print(*(f"{count:6} {name}" for name, count in changed.most_common(40)), sep="\n")
