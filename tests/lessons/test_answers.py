"""Exercises of the lessons: right answers pass, and wrong ones are refused with the smallest case that shows it."""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import fstheory as fs
from fstheory import lessons
from fstheory.logic.verdict import Undecided
from tests.house import source

HERE = Path(__file__).parent
ANSWERS = tomllib.loads((HERE / "answers.toml").read_text(encoding="utf-8"))
EXERCISES = tomllib.loads((source.PACKAGE / "lessons.toml").read_text(encoding="utf-8"))
NOTEBOOKS = {path.name[:2].lstrip("0"): path for path in sorted((source.ROOT / "notebooks").glob("*.ipynb"))}


@pytest.mark.quick
def test_every_exercise_is_tried() -> None:
    assert list(ANSWERS) == list(EXERCISES)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_passes_and_wrong_ones_do_not(name: str) -> None:
    """A choice is tried with every wrong letter, and any other exercise with five wrong answers."""
    assert lessons.check(name).why.startswith(EXERCISES[name]["question"])
    tried = ANSWERS[name]
    assert lessons.check(name, eval(tried["right"], {"fs": fs})).why == "right."
    kind = EXERCISES[name]["kind"]
    assert len(tried["wrong"]) == (len(EXERCISES[name]["options"]) - 1 if kind == "choice" else 5)
    for wrong in tried["wrong"]:
        told = lessons.check(name, eval(wrong, {"fs": fs}))
        assert not told, wrong
        assert re.match(r"not yet\. .*\.$", told.why, re.DOTALL), (wrong, told.why)


@pytest.mark.parametrize("name", [name for name, asked in EXERCISES.items() if asked["kind"] == "choice"])
def test_every_wrong_choice_has_a_reason(name: str) -> None:
    asked = EXERCISES[name]
    assert asked["options"].keys() - {asked["right"]} == asked["reasons"].keys()


def test_a_lesson_asks_its_exercises_and_does_not_answer_them() -> None:
    """They follow the exercises with folded answers in number, and the notebook does not state an answer to check."""
    for lesson, count in Counter(name.partition(".")[0] for name in EXERCISES).items():
        assert count >= 3
        cells = json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))["cells"]
        text = "".join("".join(cell["source"]) for cell in cells)
        folded = re.findall(r"^(\d+)\. ", text.split("## Exercises\n")[1].split("<details>")[0], re.MULTILINE)
        ours = [name for name in EXERCISES if name.startswith(f"{lesson}.")]
        assert ours == [f"{lesson}.{len(folded) + i + 1}" for i in range(count)]
        assert ours == re.findall(r'"(\d+\.\d+)"', text.split("for number in (")[1].split("):")[0])
        assert not re.search(r'check\("\d+\.\d+", [^a.]', text)


@pytest.mark.parametrize(
    ("name", "answer", "why"),
    [
        ("1.5", "3/4", "not yet. 3/4 = 0.75 is too large. Where jacket_color is yellow, the best guess is wrong"),
        ("1.6", "parity-3", "not yet. It has 3 features, and 2 are asked for."),
        ("1.6", "copies", "not yet. X1 = {} fails: the risk is 1/10 = 0.1 with X1, and 1/2 = 0.5 with {}."),
        ("1.7", lambda state: "no", "not yet. Where class is 1st and sex is female, 'no' has probability"),
        ("2.6", {"X1"}, "not yet. X1 has size 1, and size 2 is asked for."),
        ("8.5", lambda m, i, j: m.risk({i}) < m.risk({j}), "the sentence is true, and yours is not. No smaller one"),
        ("10.5", 8, "8 is enough, but a smaller number is enough, too."),
        ("3.6", "copies", "fails at x = (X1=0, X2=1)"),
        ("3.5", {"body_shape", "holding", "jacket_color", "has_tie"}, "has_tie can be left out"),
    ],
)
def test_the_smallest_case_is_named(name: str, answer: object, why: str) -> None:
    assert why in lessons.check(name, answer).why


def test_a_call_that_cannot_be_judged_is_refused() -> None:
    with pytest.raises(fs.UnknownNameError, match=r"exercise '1\.55' does not exist; did you mean '1\.5'"):
        lessons.check("1.55")
    with pytest.raises(fs.InvalidValueError, match="answer must be one of a, b, c, d, not 'e'"):
        lessons.check("2.7", "e")
    with pytest.raises(fs.UnknownNameError, match="did you mean 'X1'"):
        lessons.check("2.6", {"x1", "X2"})
    with pytest.raises(fs.InvalidValueError, match="answer must be a function"):
        lessons.check("1.7", "no")
    with pytest.raises(fs.InvalidValueError, match="return a class"):
        lessons.check("1.7", lambda state: True)
    for unfit in (len, lambda: True, "true"):
        with pytest.raises(fs.InvalidValueError, match="answer must be a function of a Model"):
            lessons.check("8.5", unfit)
    with pytest.raises(fs.InvalidTypeError, match="answer"):
        lessons.check("1.5", 0.25)


def test_a_claim_that_the_prover_cannot_decide_is_not_right(monkeypatch: pytest.MonkeyPatch) -> None:
    undecided = Undecided("the two claims agree", fs.Shape((2, 2), 2), "60 s are over")
    monkeypatch.setattr(lessons, "prove", lambda *_, **__: undecided)
    assert not lessons.check("8.5", lambda m, i, j: m.risk({i}) == m.risk({j}))
