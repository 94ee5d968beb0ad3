"""Facts about the package as it is installed and declared, and about the numbers from outside that stand beside it."""

import itertools
import json
import re
import sys
import tomllib
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import pytest

import fstheory
from fstheory.cli import main
from fstheory.errors import MissingDependencyError, import_optional
from fstheory.papers.experiments import tail_problem
from tests.house import source

# The name a distribution is installed by, where its import name is another one.
DISTRIBUTION_OF = {"flint": "python-flint", "lazy_loader": "lazy-loader", "sklearn": "scikit-learn", "z3": "z3-solver"}

ORACLES = source.ROOT / "tests" / "oracles"

# The extras for those who work on fstheory, in the order they are declared.
DEVELOPING = ("test", "notebooks", "docs", "lint")


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def name_of(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return match[0].lower()


def test_what_is_installed() -> None:
    assert fstheory.__version__ == metadata.version("fstheory")
    assert re.fullmatch(r"\d+\.\d+\.\d+", fstheory.__version__)
    assert resources.files("fstheory").joinpath("py.typed").is_file()
    (entry,) = metadata.entry_points(group="console_scripts", name="fstheory")
    assert entry.value == project()["scripts"]["fstheory"]
    assert callable(entry.load())


def test_all_is_every_extra_a_user_wants() -> None:
    extras = project()["optional-dependencies"]
    assert extras["all"] == ["fstheory[viz,solve,data,stats,learn,widget]"]
    assert extras["dev"] == [f"fstheory[{','.join(['all', *DEVELOPING])}]"]
    kinds = {
        "viz",
        "solve",
        "data",
        "stats",
        "learn",
        "widget",
        "cluster",
        "arrow",
        "all",
        "lessons",
        "dev",
        "browser",
        "keel",
    }
    assert set(extras) == kinds | {*DEVELOPING}


def test_the_lessons_can_be_opened() -> None:
    assert "jupyterlab" in map(name_of, project()["optional-dependencies"]["lessons"])
    readme = (source.ROOT / "README.md").read_text(encoding="utf-8")
    assert ".venv/bin/pip install '.[lessons]' && .venv/bin/jupyter lab notebooks" in readme.splitlines()


def test_install_hints_name_the_checkout() -> None:
    """No index has fstheory; what a hint says has to work from the checkout, and for an extra that exists."""
    extras = project()["optional-dependencies"]
    places = [*source.files().values(), *(source.ROOT / "docs").rglob("*.md"), source.ROOT / "README.md"]
    for path in places:
        text = path.read_text(encoding="utf-8")
        assert "pip install 'fstheory" not in text, path
        assert set(re.findall(r"pip install (?:-e )?'\.\[([a-z]+)\]'", text)) <= extras.keys(), path
    with pytest.raises(MissingDependencyError, match=r"pip install '\.\[viz\]' in the checkout of fstheory"):
        import_optional("no_such_library", "viz", "drawing")


def test_every_library_is_declared() -> None:
    """Whatever the package imports is a dependency or in an extra for users, hypothesis (testing) aside."""
    extras = project()["optional-dependencies"]
    used = (extras[name] for name in ("viz", "solve", "data", "stats", "learn", "widget"))
    declared = {name_of(r) for r in (*project()["dependencies"], *itertools.chain(*used))}
    imports = (found for path in source.files().values() for found in source.imports_of(source.tree_of(path)))
    tops = {origin.split(".")[0] for origin, _, level, _ in imports if not level} - sys.stdlib_module_names
    assert {DISTRIBUTION_OF.get(top, top) for top in tops} <= declared | {"hypothesis", "fstheory"}


def test_readme_has_the_two_commands() -> None:
    """One line each, which .ci/run reads and runs as they stand."""
    lines = (source.ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    answer, test = (line for line in lines if line.startswith("python3 -m venv "))
    assert "/fstheory report " in answer
    assert test.endswith("/pytest -n 2")


def test_license_is_named_and_present() -> None:
    assert project()["license"] == "BSD-3-Clause"
    assert "fstheory contributors" in (source.ROOT / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "call",
    [
        "fs.points.printed_p_value('14/3', 4, 2)",
        "fs.papers.TailProblem(4, 4, 'sum').information(2)",
        "fs.error_exponent(fs.gallery.xor(noise='1/10'), fs.FBS(tau='1/20', ties='first'))",
    ],
)
def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """The first look does not install it."""
    tail_problem._values.cache_clear()  # what another test computed with SciPy is no answer here
    for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingDependencyError, match=r" needs scipy; install it with: pip install '\.\[stats\]'"):
        eval(call, {"fs": fstheory})


def test_the_first_report_on_rows_needs_no_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pip install .` is enough for the first command of the README. Its intervals needed SciPy."""
    for name in ("scipy", "scipy.stats", "pandas", "matplotlib", "sklearn", "narwhals"):
        monkeypatch.setitem(sys.modules, name, None)
    (tmp_path / "data.csv").write_text("x,y\n" + "a,0\na,0\na,1\nb,1\n" * 5, encoding="utf-8")
    assert main(["report", str(tmp_path / "data.csv"), "--target", "y"]) == 0
    assert "guessing without columns: 50.0% (27 to 73%)." in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(ORACLES.glob("*.json")), ids=lambda path: path.name)
def test_oracle_says_where_it_comes_from(path: Path) -> None:
    """Either a script that stands in the repository made it, or somebody recorded it by hand and says from what."""
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["what"]
    assert (source.ROOT / content["generator"]).is_file() if "generator" in content else content["recorded"]
    assert {file.suffix for file in ORACLES.iterdir() if file.is_file()} <= {".json", ".py"}  # no pickles, no archives
