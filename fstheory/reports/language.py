"""The words of the interactive page in one language, from a file of the folder `words`.

To add a word, write its key and its text in `words/en.json`, and the same key with a translation in every other file. A
hole is written {name}. In JavaScript, `lattice.say("key", { name })` fills the holes, and `lattice.data.words.key` is a
text without holes. A text with a number can have plural forms, {"one": ..., "other": ...}: the hole {count} chooses the
form by the rules of `Intl.PluralRules`. A key has an underscore if it is put together from parts, or if Python alone
uses it. `point` is the decimal mark. To add a language, add a file with the same keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from fstheory._support.files import as_source, parse_json
from fstheory.distributions import gallery
from fstheory.errors import InvalidFormatError, explain, require, require_type

_FOLDER = resources.files("fstheory.reports").joinpath("words")
_KINDS = {"language": r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", "direction": "ltr|rtl"}  # the words that are no texts


def languages() -> list[str]:
    """Return the languages that have a file of words."""
    return sorted(file.name.removesuffix(".json") for file in _FOLDER.iterdir())


def words_of(language: str) -> dict[str, Any]:
    """Return the words of a language by key. `language` is its code, or the path of a JSON file of words."""
    repair = "translate a copy of fstheory/reports/words/en.json, and pass the path of the copy"
    needed = f"one of {', '.join(languages())}, or a JSON file of words"
    require_type(language, str, "language", needed, repair)
    if not language.endswith(".json"):
        require(language in languages(), "language", needed, language, repair)
        return _isolated(_shipped(language))
    try:
        words = parse_json(as_source(language, "language").read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidFormatError(
            explain("language", "a JSON file of words", language, f"{error}: correct it")
        ) from error
    wrong = faults(words)
    given = f"a file that differs at {', '.join(wrong[:3])}"
    require(not wrong, "language", "a file with the keys and the holes of words/en.json", given, "correct these keys")
    return _isolated(words)


def _isolated(words: dict[str, Any]) -> dict[str, Any]:
    """Return the words. In a language that is read from right to left, holes and formulas keep their own direction."""

    def around(text: Any) -> Any:
        if isinstance(text, dict):
            return {form: around(one) for form, one in text.items()}
        return re.sub(r"\{\w+\}|S\*|\|S\|", "\u2068\\g<0>\u2069", text)

    return {key: around(text) for key, text in words.items()} if words["direction"] == "rtl" else words


def story_of(name: str, words: Mapping[str, Any]) -> str:
    """Return the paragraph that the page of a distribution of the gallery begins with, in English if none is given."""
    return words.get("stories", {}).get(name) or gallery.story(name)


def faults(words: Any) -> list[str]:
    """Return the keys at which a table differs from the English table: in its keys, kinds of text or holes.

    A table may have stories, too: for names of the gallery, the paragraph that the page begins with.
    """
    english, found = _shipped("en"), words if isinstance(words, dict) else {}
    stories = found.get("stories", {})
    wrong = [] if isinstance(stories, dict) and all(isinstance(text, str) for text in stories.values()) else ["stories"]
    wrong += sorted(english.keys() ^ (found.keys() - {"stories"}))
    return wrong + [key for key in english.keys() & found.keys() if not _fits(key, found[key], english[key])]


def _fits(key: str, text: Any, english: Any) -> bool:
    """Return whether a text is of the kind that its key needs, and has the holes of the English text."""
    forms, others = (one if isinstance(one, dict) else {"other": one} for one in (text, english))
    if not all(isinstance(form, str) for form in forms.values()) or "other" not in forms:
        return False
    if key in _KINDS:
        return isinstance(text, str) and re.fullmatch(_KINDS[key], text) is not None
    holes = {form: set(re.findall(r"\{(\w+)\}", forms[form])) for form in forms}
    needed = set(re.findall(r"\{(\w+)\}", others["other"]))
    counts = "count" in needed or isinstance(english, dict) or isinstance(text, str)
    return counts and holes["other"] == needed and all(some <= needed for some in holes.values())


def _shipped(language: str) -> dict[str, Any]:
    return dict(json.loads(_FOLDER.joinpath(f"{language}.json").read_text(encoding="utf-8")))
