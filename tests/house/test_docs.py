"""The pages of the documentation: every example runs, every public name is in the reference, once."""

import doctest
import importlib
import io
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import fstheory
from fstheory.cli import entry, main  # noqa: F401 (the entry registers the commands)
from fstheory.cli.options import parse
from tests.house import source

DOCS = source.ROOT / "docs"
PAGES = [source.ROOT / "README.md", *sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)]
LONG = (
    "every-size",
    "criteria",
    "teach",
    "hypothesis",
    "scikit-learn-pipeline",
    "which-columns-matter",
    "wrappers",
    "realizable-orderings",
)
# What the docs show, every run of the thorough tests shows; but the pages that take longest take turns.
MARKS = {True: [pytest.mark.thorough(2)], False: [pytest.mark.rotated(1)]}
MARKED = [pytest.param(path, marks=MARKS[path.stem in LONG]) for path in PAGES]
FENCE = re.compile(r"^\s*```.*$", re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
CHECKER = doctest.OutputChecker()
LINKS = source.ROOT / ".ci" / "inspect_pages.py"


def label(path: Path) -> str:
    return path.relative_to(source.ROOT).as_posix()


def test_the_pages_name_the_mode_that_the_theme_begins_with() -> None:
    """Without it, the script of the theme logs an error on each page."""
    assert 'html_context = {"default_mode": "auto"}' in (DOCS / "conf.py").read_text(encoding="utf-8")


AUTOMODULE = re.compile(r"^\.\. automodule:: (\S+)$", re.MULTILINE)


@pytest.mark.parametrize("path", sorted(DOCS.glob("reference/*.md")), ids=label)
def test_a_page_of_the_reference_says_once_what_it_has(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    said = set(re.findall(r"\w+", page.partition("```")[0].lower()))
    for name in AUTOMODULE.findall(page):
        summary = set(re.findall(r"\w+", (importlib.import_module(name).__doc__ or "").partition("\n")[0].lower()))
        assert len(summary & said) < 0.8 * len(summary), f"{name} has its summary on the page already"


@pytest.mark.one_in(20)
@pytest.mark.parametrize("path", MARKED, ids=label)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the page from top to bottom in an empty folder; a fence ends an example as a blank line does."""
    page = path.read_text(encoding="utf-8")
    assert all(block.lstrip().startswith(">>>") for block in PYTHON.findall(page))  # else shown and never run
    text = FENCE.sub("", page)
    examples = doctest.DocTestParser().get_doctest(text, {}, label(path), str(path), 0)
    complaints = io.StringIO()
    monkeypatch.chdir(tmp_path)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=complaints.write)
    assert not result.failed, complaints.getvalue()


@pytest.mark.one_in(9)
@pytest.mark.parametrize("path", MARKED, ids=label)
def test_commands_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run every line ``$ fstheory ...`` of the page, with the files that its captions name; it prints what is shown."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "88")
    for name, content in FILE.findall(path.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(content, encoding="utf-8")
    for block in CONSOLE.findall(path.read_text(encoding="utf-8")):
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = shown.partition("\n")
            words = shlex.split(command, comments=True)
            if words[0] == "fstheory":
                status = main(words[1:])
                printed, refusal = capsys.readouterr()
                # a page may also show a refusal: its exit status is 2, and its one line must be on the page; and a
                # verdict that something is false, 1, or neither true nor false, 3
                assert status in {0, 1, 3} or (status == 2 and output.strip()), refusal
                assert status != 1 or printed, refusal  # a crash has status 1, too
                if output.strip():
                    text = refusal if status == 2 else printed
                    assert CHECKER.check_output(output, text, FLAGS), f"$ {command}\n{text}"


SHELL = re.compile(r"^ *```sh\n(.*?)```", re.MULTILINE | re.DOTALL)
ONE_LINE = re.compile(r"(?<![\w`-])fstheory ([^|&\n]*)")
IN_TEXT = re.compile(r"`fstheory ([a-z][^`\n]*)`")


@pytest.mark.parametrize("path", [path for path in PAGES if path.name != "release-notes.md"], ids=label)
def test_commands_that_are_not_run_have_their_options(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The parser takes each command of a block for a shell. A sentence may name a command with some options."""
    page = path.read_text(encoding="utf-8")
    for command in [command for block in SHELL.findall(page) for command in ONE_LINE.findall(block)]:
        assert callable(parse(shlex.split(command, comments=True)).run)
    for command in IN_TEXT.findall(page):
        words = shlex.split(command)
        if any(word.startswith("-") or len(words) == 1 for word in words):
            with pytest.raises(SystemExit):
                parse([words[0], "--help"])
            assert set(re.findall(r"(?<!\S)--[\w-]+", command)) <= set(re.findall(r"--[\w-]+", capsys.readouterr().out))


README = (source.ROOT / "README.md").read_text(encoding="utf-8")
ASKED = re.findall(r"\| `fstheory (.*)` \|$", README, re.MULTILINE)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("command", ASKED)
def test_what_the_readme_asks_is_answered(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the commands for eight kinds of people, with the files that they have and without a browser."""
    guide = (DOCS / "howto" / "prove-and-refute.md").read_text(encoding="utf-8")  # it shows conjectures.py
    for name, content in [("data.csv", "a,b,y\n0,1,no\n1,1,yes\n0,2,no\n1,2,yes\n"), *FILE.findall(guide)]:
        (tmp_path / name).write_text(content, encoding="utf-8")
    (typed,) = re.findall(r"typed by hand in `d.json`: `(.*?)`", README)
    (tmp_path / "d.json").write_text(typed, encoding="utf-8")
    fstheory.networks.asia().save(tmp_path / "asia.bif")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)) in {0, 1}  # 1: what was asked is false
    assert len(opened) == ("--open" in command)
    assert len(ASKED) == 8


def test_the_page_on_citing_is_found_and_names_this_version() -> None:
    page = (DOCS / "cite.md").read_text(encoding="utf-8")
    assert page.count(fstheory.__version__) == 2
    assert "](docs/cite.md)" in README.partition("## Read on")[2]
    assert "\ncite\n" in (DOCS / "index.md").read_text(encoding="utf-8")
    assert all(word in page.lower() for word in ("cite", "citation", "bibtex"))


@pytest.mark.parametrize(
    ("search", "page"),
    [
        ("how many samples", "howto/how-many-samples"),
        ("which columns can I drop", "howto/which-columns-matter"),
        ("counterexample for greedy", "textbook/greedy"),
        ("cite", "cite"),
    ],
)
def test_a_search_finds_its_page_first(search: str, page: str) -> None:
    """A main entry of the index that reads like the search counts six times as much as a title with the same words."""
    main_entry = f"```{{index}} ! {search}\n```\n"
    assert [label(path) for path in PAGES if main_entry in path.read_text(encoding="utf-8")] == [f"docs/{page}.md"]


def test_readme_is_short_and_its_picture_is_that_of_today() -> None:
    """What the picture says and in which colors; where its lines run is left to the release of matplotlib."""
    pytest.importorskip("matplotlib")
    drawn = runpy.run_path(str(DOCS / "readme_picture.py"))["picture"]()
    kept = (DOCS / "readme.svg").read_text(encoding="utf-8")
    said = [re.findall(r">([^<>]*\S[^<>]*)<|(--c\w+: #\w+)", text) for text in (kept, drawn)]
    assert said[0] == said[1], "run: python docs/readme_picture.py"
    assert README.count("\n") < 120
    assert not re.search(r"\d{10}", README)


def test_reference_lists_every_public_name_once() -> None:
    """A page may also show a whole module that is public by its own name only, such as fstheory.testing."""
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md"))
    found = re.findall(r"^\.\. auto(\w+):: (?:fstheory\.)?(\w+)$", pages, re.MULTILINE)
    listed = [name for kind, name in found if kind != "module"] + [*{name for kind, name in found if kind == "module"}]
    names = (name for name in fstheory.__all__ if name != "__version__")
    public = {name for name in names if not isinstance(getattr(fstheory, name), ModuleType)}
    assert len(listed) == len(set(listed))
    assert public - set(listed) == set()
    assert {name for kind, name in found if kind != "module"} - public == set()


def test_the_page_of_the_command_line_has_a_section_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = re.findall(r"^    ([a-z][a-z-]*)(?: |$)", capsys.readouterr().out, re.MULTILINE)
    page = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^## (\S+)$", page, re.MULTILINE)) == sorted(commands)
    assert sorted(re.findall(r"^```\{command-help\} (\S+)$", page, re.MULTILINE)) == sorted(commands)


NAMED = re.compile(r"`(?:fs|fstheory)((?:\.[A-Za-z]\w*)+)")
ROOMS = "|".join(name for name in fstheory.__all__ if isinstance(getattr(fstheory, name), ModuleType))
IN_A_ROOM = re.compile(rf"`((?:{ROOMS})\.[A-Za-z]\w*)")


def test_names_in_running_text_exist() -> None:
    """What a sentence calls `fs.room.name` or `room.name` is there; the notes may tell of what was."""
    missing = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8") if path.name != "release-notes.md" else ""
        for name in [*(found[1:] for found in NAMED.findall(text)), *IN_A_ROOM.findall(text)]:
            try:
                pkgutil.resolve_name(f"fstheory.{name}")
            except (AttributeError, ImportError):
                missing.append((label(path), name))
    assert missing == []


@pytest.mark.parametrize("part", ["tutorial", "howto", "textbook", "reference"])
def test_an_index_has_a_card_for_each_page_under_its_title(part: str) -> None:
    index = (DOCS / part / "index.md").read_text(encoding="utf-8")
    listed = re.search(r"^:maxdepth: 1\n\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
    cards = re.findall(r"^:::\{grid-item-card\} (.*)\n:link: (.*)$", index, re.MULTILINE)
    assert listed is not None
    assert [page for _, page in cards] == listed[1].split()
    for title, page in cards:
        path = DOCS / part / f"{page}.md"
        path = path if path.exists() else source.ROOT / f"{page.removeprefix('../')}.ipynb"
        assert re.search(rf"(^|\")# {re.escape(title)}($|\\n|\")", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_link_has_a_text() -> None:
    """Sphinx fills an empty text in. On other renderers of Markdown, such as those of code hosts, it is invisible."""
    lessons = sorted((source.ROOT / "notebooks").glob("*.ipynb"))
    empty = [label(path) for path in [*PAGES, *lessons] if re.search(r"\[\s*\]\(", path.read_text(encoding="utf-8"))]
    assert empty == []  # write the title of the page between the brackets


def test_release_notes_name_this_version() -> None:
    text = (DOCS / "release-notes.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(fstheory.__version__)}\b", text, re.MULTILINE)


@pytest.mark.skipif(not LINKS.is_file(), reason="only in a checkout")
def test_links_of_built_pages_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    good = '<p id="x"><a href="#x"></a><a href="b.html#y%20y"></a><a href="//example.org/#"></a><img src="i.png">'
    (tmp_path / "b.html").write_text('<p id="y y">', encoding="utf-8")
    (tmp_path / "a.html").write_text(good, encoding="utf-8")
    assert subprocess.run([sys.executable, LINKS, tmp_path], check=False).returncode == 0
    bad = '<a href="c.html"></a><a href="b.html#x"></a><a href="#z"></a><script src="//example.org/x.js"></script>'
    (tmp_path / "a.html").write_text(good + bad, encoding="utf-8")
    answer = subprocess.run([sys.executable, LINKS, tmp_path], check=False, capture_output=True, text=True)
    assert (answer.returncode, len(answer.stderr.splitlines())) == (1, 4)
