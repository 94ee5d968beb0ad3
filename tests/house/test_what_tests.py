"""`python -m tests.what_tests PATH` finds the tests of a file by imports, names and helpers."""

import pytest

from tests import what_tests
from tests.house import source

pytestmark = pytest.mark.thorough  # it reads all files, of the package and of the tests


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("checker/every_size.py", "tests/proofs/test_facts.py: imports fstheory.checker.every_size"),
        (
            "checker/every_size.py",
            "tests/coq/test_mutants.py: imports fstheory.checker.every_size, by coq/test_theorems.py",
        ),
        ("measures/risk.py", "tests/measures/test_bayes.py: uses bayes_classifier, bayes_risk, bayes_risks"),
        ("reports/exact.js", "tests/reports/test_page.py: names exact.js"),
        ("reports/exact.js", "tests/house/test_lessons.py: imports fstheory.reports.explorer, which looks at exact.js"),
        ("papers/ng_1998.toml", "no test file was found; run the tests of the room papers"),
    ],
)
def test_each_kind_of_reason_is_found(file: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    what_tests.main(str(source.PACKAGE / file))
    assert line in capsys.readouterr().out.splitlines()


def test_the_strongest_reason_comes_first_and_other_paths_are_refused() -> None:
    helped = [", by " in why for why in what_tests.reasons(source.PACKAGE / "cli/entry.py").values()]
    assert helped == sorted(helped)
    assert set(helped) == {False, True}
    for path in ("tests/conftest.py", "fstheory/none.py", ""):
        with pytest.raises(SystemExit, match="PATH must be a file below fstheory/"):
            what_tests.main(path)
