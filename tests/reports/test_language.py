"""The words of the page: a table for each language, German, and a made-up language that is read from the right."""

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError
from fstheory.reports.explorer import explorer_data, explorer_page, read
from fstheory.reports.language import faults, languages, words_of
from tests.house import source
from tests.reports.test_page import irrational

ALPHABET = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ابتثجحخدذرزسشصضطظعغفقكلمنه")


def mirrored(text: str) -> str:
    """Return a text in Arabic letters, with its holes and the signs S*, |S| and k- as they are."""
    parts = re.split(r"(\{\w+\}|S\*|\|S\||k-)", text)
    return "".join(part if i % 2 else part.lower().translate(ALPHABET) for i, part in enumerate(parts))


@pytest.fixture(scope="session")
def arabic(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of the words of a made-up language that is read from right to left."""
    words = {
        key: {form: mirrored(one) for form, one in text.items()} if isinstance(text, dict) else mirrored(text)
        for key, text in words_of("en").items()
    }
    path = tmp_path_factory.mktemp("words") / "ar.json"
    path.write_text(json.dumps(words | {"language": "ar", "direction": "rtl"}), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_keys_and_the_same_holes(language: str) -> None:
    words = words_of(language)
    assert (faults(words), words["language"]) == ([], language)
    assert set(words.get("stories", {})) <= set(fs.gallery.names())
    assert {key.removesuffix("_means") for key in words if key.endswith("_means")} <= words.keys()


def test_every_word_is_used_and_every_word_that_is_used_is_there() -> None:
    files = (source.PACKAGE / "reports").glob("*.js")
    words, program = words_of("en"), "".join(file.read_text("utf-8") for file in files)
    calls = r'\bwords\.(\w+)|(?:lattice|this)\.say\("(\w+)"|\b(?:say|pieces|joined)\(\w+(?:\.data)?, "(\w+)"'
    named = {key for found in re.findall(calls, program) for key in found if key}
    assert named - words.keys() == {"js", "replace"}  # the file words.js, and the words of a statement
    python = {"untitled", "pageTitle", "squared_error"}
    assert {key for key in words.keys() - python if "_" not in key} <= {*re.findall(r"\w+", program)}


def test_a_table_that_does_not_fit_is_refused_with_its_keys(tmp_path: Path) -> None:
    def refused(words: Any) -> str:
        (tmp_path / "own.json").write_text(json.dumps(words), encoding="utf-8")
        with pytest.raises((InvalidValueError, InvalidFormatError)) as caught:
            explorer_data("xor", claims=False, language=str(tmp_path / "own.json"))
        return str(caught.value)

    words = words_of("de")
    changes: dict[str, Any] = {
        "undo": None, "path": "Weg", "hits": "{hits} von {all} {count}", "direction": "up", "language": "German page",
        "features": {"one": "{count}"}, "yes": {"other": "Ja"}, "stories": ["titanic"], "more words": "mehr",
    }  # fmt: skip
    for key, text in changes.items():
        assert f"a file that differs at {key}'; correct these keys" in refused(words | {key: text}), key
    assert "differs at undo" in refused({key: text for key, text in words.items() if key != "undo"})
    assert "differs at" in refused([])
    (tmp_path / "own.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidFormatError, match=r"^language must be a JSON file of words, not .*own.json'; "):
        explorer_data("xor", language=str(tmp_path / "own.json"))
    for wrong, kind in (("fr", InvalidValueError), (7, InvalidTypeError)):
        with pytest.raises(kind, match=r"^language must be one of de, en, or a JSON file of words, not .*en\.json"):
            explorer_page("xor", language=wrong)  # type: ignore[arg-type]


@pytest.mark.thorough
def test_the_page_is_written_in_german() -> None:
    page, data = explorer_page("titanic", claims=False, language="de"), explorer_data("titanic", language="de")
    assert '<html lang="de" dir="ltr">' in page
    assert (data["criteria"][0]["name"], "2201 Personen" in data["story"]) == ("Bayes-Risiko", True)
    shown = json.loads(re.findall(r'id="lattice-data">(.*?)</script>', page)[0])["words"]
    assert {"stories", "pageTitle", "undo", "path"} & shown.keys() == {"undo", "path"}
    assert explorer_data(fs.gallery.xor(), language="de", claims=False)["title"] == "Eine Verteilung"


def test_decimals_have_the_mark_of_the_language(opened: Any) -> None:
    """Names keep their points. Every other decimal of the page has a comma in German."""
    named = fs.JointDistribution(fs.gallery.random((2, 2), rng=1, total=997).weights, features=["v1.5", "X"])
    for shown, samples in ((named, [5]), (irrational(), [])):
        page = opened(shown, language="de", samples=samples)
        for tick, numbers in itertools.product(range(5 + len(samples)), ("decimals", "fractions")):
            page.get_by_label("Zahlen als").select_option(numbers)
            page.get_by_label("Verband nach").select_option("value" if numbers == "decimals" else "size")
            page.locator(".fst-controls label:visible input").nth(tick).click()
            for button in page.locator(".fst-panel button, .fst-slider button").all():
                if button.is_visible() and button.is_enabled():
                    button.click()
            text = page.evaluate(TEXTS)
            assert re.findall(r"\d\.\d+", text.replace("v1.5", "")) == []
            assert re.search(r"(≈ ?|= )0,\d", text)


def test_plural_forms_follow_the_rules_of_the_language(evaluated: Callable[[str], Any]) -> None:
    forms = {"one": "{count} wiersz", "few": "{count} wiersze", "many": "{count} wierszy", "other": "{count} wiersza"}
    script = f"""{read("words.js")}
    const data = {{ words:
      {{ language: "pl", direction: "ltr", rows: {json.dumps(forms)}, and: "{{one}} i {{other}}" }} }};
    const answer = [...[1, 2, 5, "22"].map((count) => say(data, "rows", {{ count }})),
      joined(data, "and", ["{{one}}", "b", "c"]), joined(data, "and", [])];"""
    assert evaluated(script) == ["1 wiersz", "2 wiersze", "5 wierszy", "22 wiersze", "{one} i b i c", ""]


TEXTS = """() => {
  const lattice = document.querySelector("#lattice"), nodes = document.createTreeWalker(lattice, 4), found = [];
  while (nodes.nextNode()) found.push(nodes.currentNode.data);
  for (const one of lattice.querySelectorAll("*"))
    for (const name of ["aria-label", "aria-valuetext", "title"]) found.push(one.getAttribute(name) ?? "");
  return found.join("\\n");
}"""
SIDES = """heading => {
  const range = document.createRange(), node = heading.firstChild;
  return [...node.data].map((sign, i) => {
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    return [sign, range.getBoundingClientRect().left];
  });
}"""
COMMANDS = r"fstheory report -|fs\.reasons\(d, x\)"
DIRECTED = {".fst-meaning": "rtl", ".fst-rest": "rtl", ".fst-stage": "ltr"}
NAMED = fs.JointDistribution(fs.gallery.xor(noise="1/5").weights, features=["X", "Z (z)"])
OTHER = fs.JointDistribution([[[1, 3], [2, 1]], [[1, 1], [1, 2]]], features=["X", "Z (z)"])


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize(("shown", "ask"), [(NAMED, False), (NAMED, True), (fs.linear_family(NAMED, OTHER), False)])
def test_a_page_that_is_read_from_right_to_left(opened: Any, arabic: str, shown: Any, ask: bool, width: int) -> None:
    """No text is in another language, nothing is wider than the screen, and names keep their own direction."""
    told = {"language": arabic, "ask": ask, "samples": [5] if shown is NAMED else []}
    page = opened(shown, {"viewport": {"width": width, "height": 768}}, **told)
    words = [page.evaluate(TEXTS)]
    for kind in ("dots", "questions", "draw", "large"):
        for tick in page.locator(".fst-controls label:visible", has_text=mirrored(kind)).all():
            tick.click()
            for button in page.locator(".fst-panel button:visible:enabled").all():
                if button.is_visible() and button.is_enabled():
                    button.click()
            words.append(page.evaluate(TEXTS))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), kind
    assert re.findall(r"[a-z]{2,}", re.sub(COMMANDS, "", "".join(words))) == []
    assert 10 < page.locator("dt").count() == page.locator("dd").count()
    directions = [page.locator(part).evaluate("one => getComputedStyle(one).direction") for part in DIRECTED]
    assert directions == list(DIRECTED.values())
    page.locator("[data-mask='3']").click()
    sides = sorted(page.locator(".fst-facts h2").evaluate(SIDES), key=lambda side: side[1])
    assert "".join(sign for sign, _ in sides if sign not in "\u2068\u2069") == "{X, Z (z)}"


def test_names_in_any_script_have_the_room_that_they_need(opened: Any) -> None:
    """A count of letters would give far too much room to accents that are characters of their own."""
    names = ["iiiiiiii", "年龄年龄年龄", "e" + "\u0301" * 20]
    page = opened(fs.JointDistribution(OTHER.weights.reshape(2, 2, 2, 1) * [1, 2], features=names))
    rooms = page.locator(".fst-node").evaluate_all("""nodes => nodes.map(node => [
      node.querySelector(".fst-name").getBBox().width, node.querySelector(".fst-box").getBBox().width])""")
    assert names[1] in page.locator(".fst-name").all_text_contents()  # not numbers in the place of names
    assert max(name for name, _ in rooms) < rooms[0][1] < max(name for name, _ in rooms) + 20
