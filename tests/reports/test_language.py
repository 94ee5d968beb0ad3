"""The words of the page: a table for each language, German, and a made-up language that is read from the right."""

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


def test_every_word_is_used_and_every_word_that_is_used_is_there() -> None:
    files = (source.PACKAGE / "reports").glob("*.js")
    words, program = words_of("en"), "".join(file.read_text("utf-8") for file in files)
    calls = r'\bwords\.(\w+)|(?:lattice|this)\.say\("(\w+)"|\b(?:say|pieces|joined)\(\w+(?:\.data)?, "(\w+)"'
    named = {key for found in re.findall(calls, program) for key in found if key}
    assert named - words.keys() == {"js", "replace"}  # the file words.js, and the words of a statement
    python = {"untitled", "pageTitle", "squared_error"}
    assert {key for key in words.keys() - python if "_" not in key and not re.search(rf"\b{key}\b", program)} == set()


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


def test_the_page_is_written_in_german() -> None:
    page, data = explorer_page("titanic", claims=False, language="de"), explorer_data("titanic", language="de")
    assert '<html lang="de" dir="ltr">' in page
    assert (data["criteria"][0]["name"], "2201 Personen" in data["story"]) == ("Bayes-Risiko", True)
    assert (
        not {"stories", "pageTitle"}
        & json.loads(re.findall(r'id="lattice-data">(.*?)</script>', page)[0])["words"].keys()
    )
    assert explorer_data(fs.gallery.xor(), language="de", claims=False)["title"] == "Eine Verteilung"


def test_plural_forms_follow_the_rules_of_the_language(evaluated: Callable[[str], Any]) -> None:
    forms = {"one": "{count} wiersz", "few": "{count} wiersze", "many": "{count} wierszy", "other": "{count} wiersza"}
    script = f"""{read("words.js")}
    const data = {{ words:
      {{ language: "pl", direction: "ltr", rows: {json.dumps(forms)}, and: "{{one}} i {{other}}" }} }};
    const right = {{ words: {{ ...data.words, direction: "rtl" }} }};
    const answer = [...[1, 2, 5, "22"].map((count) => say(data, "rows", {{ count }})),
      joined(data, "and", ["{{one}}", "b", "c"]), joined(data, "and", []),
      say(right, "and", {{ one: "{{a}}", other: "b" }})];"""
    assert evaluated(script) == [
        "1 wiersz", "2 wiersze", "5 wierszy", "22 wiersze", "{one} i b i c", "", "\u2068{a}\u2069 i \u2068b\u2069",
    ]  # fmt: skip
