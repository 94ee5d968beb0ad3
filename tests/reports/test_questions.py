"""Lessons in a file: goals that are reached by moving weights, codes that carry answers, and the tally of a class."""

import json
import operator
import random
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError
from fstheory.lattice.subsets import mask_of
from fstheory.reports.explorer import explorer_data, explorer_page, front_end
from fstheory.reports.handout import save_handout
from fstheory.reports.language import words_of
from tests.refusals import refusals
from tests.reports.test_page import answered

SIGNS = {"<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge}
GOAL = {"text": "Make age useful.", "goal": "risk(sex, age) < risk(sex)", "fewest": True, "right": "Boys."}
LESSON = {"title": "Age", "questions": [{"text": "Best?", "answer": ["sex"]}, GOAL, ("Age alone?", False), "Why?"]}


def read(d: Any, **question: Any) -> Any:
    """Return a goal as the data of a page have it."""
    return explorer_data(d, ask=[{"text": "?"} | question], claims=False)["questions"][0]["goal"]


def least(d: fs.JointDistribution, holds: Callable[[fs.JointDistribution], bool], most: int) -> int | None:
    """Return how many units of weight must move at least until a condition holds, by trying all moves."""
    tables, cells = {tuple(d.weights.ravel().tolist())}, range(d.weights.size)
    for moves in range(most + 1):
        if any(holds(fs.JointDistribution(np.reshape(table, d.weights.shape))) for table in tables):
            return moves
        steps = [(i, j, table) for table in tables for i in cells for j in cells if table[i]]
        tables = {tuple(w - (k == i) + (k == j) for k, w in enumerate(table)) for i, j, table in steps}
    return None


def test_the_fewest_moves_to_a_goal_are_those_of_all_moves(evaluated: Callable[[str], Any]) -> None:
    draws, cases = random.Random(5), []
    for number in range(24):
        d = fs.gallery.random((2, 2), rng=number, total=draws.randint(4, 8))
        subsets: list[Any] = [(), ("X1",), ("X2",), ("X1", "X2"), Fraction(1, 4)]
        left, right = draws.sample(subsets, 2)
        sign = draws.choice([*SIGNS])

        def value(d: fs.JointDistribution, side: Any) -> Fraction:
            return side if isinstance(side, Fraction) else fs.bayes_risk(d, set(side))

        def holds(d: fs.JointDistribution, sides: Any = (left, sign, right)) -> bool:
            return bool(SIGNS[sides[1]](value(d, sides[0]), value(d, sides[2])))

        words = [f"{side}" if isinstance(side, Fraction) else f"risk({', '.join(side)})" for side in (left, right)]
        found = least(d, holds, 2)
        if not found:
            continue
        asked = read(d, goal=f"{words[0]} {sign} {words[1]}", fewest=True)
        assert (asked["fewest"], asked["proved"]) == (found, True)
        weights = d.weights.ravel().tolist()
        for i, j, count in asked["moves"]:
            weights[i], weights[j] = weights[i] - count, weights[j] + count
        assert sum(count for *_, count in asked["moves"]) == found
        cases.append([d.weights.ravel().tolist(), weights, asked])
    assert len(cases) > 4
    script = f"""{front_end().replace("export default", "const widget =")}
    const data = {{ words: {json.dumps(words_of("en"))} }};
    const judge = (given, weights, goal) => {{
      const d = {{ cards: [2, 2], classes: 2, weights: weights.map(BigInt) }}, tables = marginals(d);
      const lattice = {{ numbers: "", data, name: String, say: String, given: given.map(BigInt), tables, d }};
      return Goal.prototype.state.call({{ lattice }}, goal);
    }};
    const answer = {json.dumps(cases)}.map(([given, weights, goal]) => {{
      const {{ moved, reached }} = judge(given, weights, goal);
      return [judge(given, given, goal).reached, reached, Number(moved)];
    }});"""
    assert evaluated(script) == [[False, True, asked["fewest"]] for *_, asked in cases]


def test_a_solution_of_a_goal_moves_weights_between_cells_of_all_features() -> None:
    d = fs.gallery.titanic()
    asked = read(d, goal="risk(sex, age) < risk(sex)", fewest=True)
    weights = d.weights.copy()
    for i, j, count in asked["moves"]:
        weights.flat[i] -= count
        weights.flat[j] += count
    assert (asked["fewest"], weights.min() >= 0, weights.sum()) == (4, True, 2201)
    moved = fs.JointDistribution(weights, features=d.features, target=d.target, states=d.states)
    assert fs.bayes_risk(moved, {"sex", "age"}) < fs.bayes_risk(moved, {"sex"})
    far = read(d, goal="risk(age) < risk(sex)", fewest=200)
    assert (far["fewest"], far["proved"], far["moves"]) == (200, False, [])
    assert read(d, goal="risk(sex) != risk(age) and risk(sex) < 1/5")["comparisons"][1] == [2, "<", "1/5"]
    assert read(d, goal="risk(sex) < 0.2")["comparisons"] == [[2, "<", "1/5"]]


FAR = "risk(age) < risk(sex)"
ASKED, FEWEST = (f"ask: question 1: {key}" for key in ("goal", "fewest"))
test_bad_goals_are_refused_by_name = refusals(
    [
        ("read(d, goal='risk(sx) < 1')", InvalidValueError, ASKED, "made of features of the data"),
        ("read(d, goal='risk(sex')", InvalidFormatError, ASKED, "comparisons of risks"),
        ("read(d, goal='risk(sex) < 1/5 and ')", InvalidFormatError, "ask", "joined by and"),
        ("read(d, goal='1 < 2')", InvalidValueError, ASKED, "about a risk"),
        ("read(d, goal=3)", InvalidTypeError, ASKED, "a text"),
        ("read(d, goal='risk(sex) < risk()')", InvalidValueError, ASKED, "false in the data as given"),
        ("read(d, goal='risk(sex) < risk(sex, age)')", InvalidValueError, ASKED, "possible to reach"),
        ("read('xor', goal='risk() > 1/4 and risk() < 1/4')", InvalidValueError, ASKED, "by moving weights"),
        ("read('xor', goal='risk() > 1/2')", InvalidValueError, "ask", "one of 0/4, 1/4, ..., 2/4"),
        ("read('xor', goal='1/2 < risk(X1)')", InvalidValueError, "ask", "one of 0/4, 1/4, ..., 2/4"),
        ("read('xor', goal='risk() = 1/3')", InvalidValueError, "ask", "one of 0/4, 1/4, ..., 2/4"),
        ("read(d, goal='risk(sex) = 500')", InvalidValueError, "ask", "one of 0/2201, 1/2201"),
        ("read(d, goal='risk(sex) = 2')", InvalidValueError, "ask", "..., 1100/2201"),
        ("read(d, goal='risk(sex) < 0')", InvalidValueError, "ask", "..., 1100/2201"),
        ("read(d, goal='risk(sex) >= 1101/2201')", InvalidValueError, "ask", "..., 1100/2201"),
        ("read(d, goal='risk(sex) == 1/4')", InvalidFormatError, "ask", "joined by and"),
        ("read(d, **GOAL | {'fewest': 5})", InvalidValueError, FEWEST, "4, the smallest number of moves"),
        ("read(d, **GOAL | {'fewest': 0})", InvalidValueError, FEWEST, "true or a number up to 999"),
        ("read(d, goal=FAR, fewest=True)", InvalidValueError, FEWEST, "more than 5 moves are needed"),
        ("read(d, goal=FAR, fewest=2)", InvalidValueError, FEWEST, "more than 5, the smallest number of moves"),
        ("read(d, fewest=True)", InvalidValueError, FEWEST, "left out without a goal"),
        ("read(d, **GOAL, answer=True)", InvalidValueError, "ask: question 1: answer", "left out beside a goal"),
        ("read(wide, goal='risk() > 1/2')", InvalidValueError, ASKED, "of at most 128"),
        ("read(fs.linear_family(d, d), goal=FAR)", InvalidValueError, ASKED, "about one distribution"),
    ],
    {**globals(), "d": fs.gallery.titanic(), "wide": fs.gallery.random((2,) * 7, rng=0)},
)


@pytest.mark.parametrize(
    ("goal", "repair"),
    [(sign, "for 500 of 2201 write 500/2201") for sign in ("= 500", "< 500")] + [("== 1/4", "use = and not ==")],
)
def test_a_refused_goal_says_how_to_write_it(goal: str, repair: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(repair)):
        read(fs.gallery.titanic(), goal=f"risk(sex) {goal}")


def move(page: Any, count: int, start: str, end: str) -> None:
    """Move people between two cells, which are named by the beginnings of their options."""
    form = page.locator(".fst-lesson form")
    form.locator("input").fill(str(count))
    for select, cell in zip(form.locator("select").all(), (start, end), strict=True):
        select.select_option(select.locator("option", has_text=f"{cell}:").get_attribute("value"))
    form.get_by_role("button", name="Move").click()


def test_a_goal_is_reached_by_moving_people_and_the_fewest_are_right(opened: Any) -> None:
    page = opened(explorer_page("titanic", ask=LESSON, claims=False))
    following, told = page.get_by_role("button", name="Next question"), page.locator(".fst-answer")
    answered(page, 2, "Guess {sex}")
    following.click()
    same = "the risk of {sex, age} is 493 of 2201 and the risk of {sex} is 493 of 2201."
    assert told.inner_text() == f"0 of 2201 people moved. Now {same} The goal is not reached yet."
    assert page.get_by_role("button", name="Reach the goal, then hand in").is_disabled()
    boys = "class = 3rd, sex = male, age = child, survived = {}"
    move(page, 5, boys.format("no"), boys.format("yes"))
    assert "The goal is reached." in told.inner_text()
    assert "Fewer moves are enough." in answered(page, None, "Hand in: 5 of 2201 people moved")
    page.get_by_role("button", name="Begin again").click()
    assert told.inner_text() == f"0 of 2201 people moved. Now {same} The goal is not reached yet."
    move(page, 4, boys.format("no"), boys.format("yes"))
    assert told.inner_text().endswith("The goal is reached.")  # four moves are the fewest
    right = "Right at the second try: 4 of 2201 people moved. No fewer than 4 are enough. Boys."
    assert answered(page, None, "Hand in: 4 of 2201 people moved") == right
    following.click()
    page.get_by_role("button", name="Copy as JSON").click()
    copied = fs.JointDistribution.from_json(page.get_by_label("The distribution as JSON").input_value())
    assert copied == fs.gallery.titanic()  # the next question is about the weights as given
    page = opened(explorer_page("titanic", ask=[GOAL], claims=False), {"viewport": {"width": 390, "height": 844}})
    inside = "all => all.every((e) => e.offsetWidth <= e.closest('form').clientWidth)"
    assert page.locator(".fst-lesson select").evaluate_all(inside)
    form = page.locator(".fst-lesson form")
    form.locator("input").fill("3")
    start, end = (select.locator(":checked").inner_text() for select in form.locator("select").all())
    assert form.locator("output").inner_text() == f"3 from “{start}” to “{end}”"
    page.locator(".fst-weights summary").click()
    page.get_by_label("class = 3rd, sex = male, age = child, survived = no", exact=True).fill("30")
    page.get_by_role("button", name="Apply").click()
    assert "The weights add up to 2196 people and not to 2201." in told_of(page)
    page.get_by_role("button", name="Begin again").click()
    assert told_of(page).startswith("0 of 2201 people moved.")
    assert "One way is to move 4 from" in answered(page, None, "Show the answer")
    together, alone = (page.locator(f"[data-mask='{mask}'] .fst-value").text_content() for mask in (6, 2))
    assert int(together) < int(alone)


def test_no_question_of_a_lecturer_gives_another_one_away(opened: Any) -> None:
    pair = {"text": "Which pair?", "answer": ["class", "sex"]}
    listed: list[Any] = [LESSON["questions"][0], pair, ("Age beside sex?", False), GOAL, "Who?", "Why?"]
    page = opened(explorer_page("titanic", ask=listed, claims=False))
    value = lambda mask: page.locator(f"[data-mask='{mask}'] .fst-value").text_content()  # noqa: E731
    shown = lambda: [mask for mask in range(8) if value(mask) != "?"]  # noqa: E731
    following, same = page.get_by_role("button", name="Next question"), page.locator(".fst-lines .fst-same")
    for box, button, before, after in (
        (2, "Guess {sex}", [], [1, 2, 4]),
        (0, "Guess {}", [], []),  # the first of two guesses
        (0, "Guess {}", [], [0, 3, 5, 6]),
        (None, "No", [], []),
        (None, "Show the answer", [2, 6], [2, 6]),
        (None, "We have discussed it", [], []),
    ):
        assert shown() == before
        assert "All numbers are shown." not in answered(page, box, button)
        assert (shown(), same.count()) == (after, 0)
        if following.count():
            following.click()
            assert not re.search(r"\d{3}", page.locator(".fst-told").inner_text())
    answered(page, None, "We have discussed it")
    assert (shown(), same.count()) == ([*range(8)], 1)


def test_no_box_is_chosen_at_the_start_of_a_question(opened: Any) -> None:
    whole = {"text": "Which box is best?", "answer": ["class", "sex", "age"]}
    listed: list[Any] = [LESSON["questions"][0], whole, GOAL]
    page = opened(explorer_page("titanic", ask=listed, claims=False))
    asked, guess = page.locator(".fst-lesson"), page.get_by_role("button", name="Guess {class, sex, age}")
    answered(page, 2, "Guess {sex}")
    page.get_by_role("button", name="Next question").click()
    page.get_by_role("button", name="Choose a box, then guess").wait_for()
    assert (guess.count(), page.locator(".fst-step, .fst-current").count()) == (0, 0)
    page.locator("[data-mask='7'] .fst-box").click()
    assert asked.locator(".fst-note").inner_text() == "Right at the first guess: 1 of 1."
    assert answered(page, None, "Guess {class, sex, age}").startswith("Right: {class, sex, age}")
    page.get_by_role("button", name="Next question").click()
    condition = "Goal, moving as few as possible: the risk of {sex, age} is less than the risk of {sex}."
    assert asked.locator(".fst-question").inner_text() == f"Make age useful. {condition}"


@pytest.mark.thorough
def test_a_goal_is_stated_exactly_in_the_words_of_the_language(tmp_path: Path) -> None:
    asked = {"text": "?", "goal": "risk(sex, age) <= 0.2 and 500/2201 != risk(class) and risk() > risk(sex)"}
    for language, said in (
        ("en", "Goal: the risk of {sex, age} is at most 1/5 = 0.2 and 500/2201 ≈ 0.2272 differs from the risk of "
               "{class} and the risk of {} is more than the risk of {sex}."),
        ("de", "Ziel: das Risiko von {sex, age} ist höchstens so groß wie 1/5 = 0,2 und 500/2201 ≈ 0,2272 ist nicht so "
               "groß wie das Risiko von {class} und das Risiko von {} ist größer als das Risiko von {sex}."),
    ):  # fmt: skip
        for path in save_handout("titanic", tmp_path, title="t", story="", ask=[asked], language=language):
            assert said in path.read_text(encoding="utf-8")
        data = explorer_data("titanic", ask=[asked], language=language, claims=False)
        assert data["questions"][0]["goal"]["words"] == said


def test_a_count_of_the_class_marks_the_right_answer_that_nobody_gave(opened: Any) -> None:
    page = opened(source := explorer_page("titanic", ask=LESSON, claims=False))
    for button in ("Show the answer", "Next question") * 3:
        page.get_by_role("button", name=button, exact=True).click()
    code = page.locator(".fst-code").text_content()

    def counted(page: Any) -> list[list[str]]:
        page.locator(".fst-codes summary").click()
        page.locator(".fst-codes textarea").fill(code)
        page.get_by_role("button", name="Count the answers").click()
        cells = "all => all.map((row) => [row.cells[0].innerText, row.cells[2].innerText])"
        return list(page.locator(".fst-codes tr:has(td)").evaluate_all(cells))

    assert counted(page) == [
        ["answer shown", "1"], ["{sex} (right)", "0"], ["answer shown", "1"], ["4 of 2201 people moved (right)", "0"],
        ["answer shown", "1"], ["no (right)", "0"], ["not answered yet", "1"],
    ]  # fmt: skip
    assert counted(opened(source)) == [["answer shown", "1"]] * 3 + [["not answered yet", "1"]]  # it is not asked yet


def told_of(page: Any) -> str:
    """Return what the lesson says."""
    return str(page.locator(".fst-answer").inner_text())


def test_the_widget_keeps_its_goals_if_weights_are_typed() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    widget = fs.reports.lattice_widget("titanic", ask=LESSON)
    typed = list(widget.data["weights"])
    typed[16:18] = ["0", "48"]
    widget.weights = typed
    assert widget.data["questions"][1]["goal"]["fewest"] == 4
    assert (widget.data["weights"], widget.data["lesson"]) == (typed, "Age")


def code_of(page: Any, box: int, guess: str, tries: int, said: str) -> str:
    """Answer the three questions of a lesson, and return the code that the page shows at the end."""
    page.locator(f"[data-mask='{box}'] .fst-box").click()
    for button in (*[guess] * tries, "Next question", said, "Next question", "We have discussed it"):
        page.get_by_role("button", name=button, exact=True).click()
    return str(re.findall(r"Your code: ([\w-]+)\.", page.locator(".fst-lesson .fst-note").inner_text())[0])


def test_a_code_carries_the_answers_and_a_class_is_counted_without_a_server(opened: Any) -> None:
    _, *rest = LESSON["questions"]
    best = {"text": "If you may ask for one thing only, which one do you ask for?", "answer": ["sex"]}
    source = explorer_page("titanic", ask={"title": "Age", "questions": [best, *rest[1:]]}, claims=False)
    foreign = code_of(opened(source.replace('"lesson":"Age"', '"lesson":"Aging"')), 4, "Guess {age}", 2, "Yes")
    first, page = opened(source), opened(source)
    good = code_of(first, 2, "Guess {sex}", 1, "No")
    for label in ("mark k-optimal", "people as dots"):
        first.get_by_role("checkbox", name=label).check()
    first.get_by_label("Lattice by").select_option("value")
    first.locator(".fst-codes summary").click()
    state = first.locator(".fst-code").inner_text()
    other = code_of(page, 4, "Guess {age}", 2, "Yes")
    assert len({good, state, other}) == 3
    assert all(len(code.replace("-", "")) <= 12 for code in (good, state, other))
    address = page.url.split("#")[0]
    page.goto("about:blank")
    page.goto(f"{address}#lattice:code={state}")
    page.wait_for_function("location.hash.includes('said=2,no,shown')")
    assert "Question 3 of 3" in page.locator(".fst-lesson").inner_text().replace("(q", "Q")
    boxes = [page.get_by_role("checkbox", name=label) for label in ("mark k-optimal", "people as dots")]
    assert [box.is_checked() for box in boxes] == [True, True]
    assert page.get_by_label("Lattice by").input_value() == "value"
    swapped = good[1] + good[0] + good[2:]
    wrong = good[:-1] + ("A" if good[-1] != "A" else "B")
    page.locator(".fst-codes summary").click()
    field = page.locator(".fst-codes textarea")
    field.fill("\n".join([good, f"Anna: {state.lower()}", "", other, swapped, wrong, "ABC", f"O{good}", foreign]))
    page.get_by_role("button", name="Count the answers").click()
    counted = page.locator(".fst-codes").inner_text()
    assert "Codes counted: 3. Codes refused: 5." in counted
    assert [int(line) for line in re.findall(r"Line (\d+), ", counted)] == [5, 6, 7, 8, 9]
    assert "O is in no code" in counted
    assert f"It belongs to another lesson, {foreign[:3]}" in counted
    cells = "all => all.map((row) => [...row.cells].map((cell) => cell.innerText))"
    shares = "all => all.map((bar) => Math.round(3 * parseFloat(bar.style.getPropertyValue('--part'))))"
    rows = page.locator(".fst-codes tr:has(td)").evaluate_all(cells)
    told = {"{sex} (right)": 2, "{age}": 1, "no (right)": 2, "yes": 1, "discussed": 3}
    assert {answer: int(count) for answer, _, count in rows} == told
    assert page.locator(".fst-codes .fst-bar").evaluate_all(shares) == [100 * count for count in told.values()]
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.evaluate(f"location.hash = '#lattice:code={wrong}'")
    page.get_by_text("left out of the state: code. A letter of it is wrong").wait_for()
    field.fill(other)
    page.get_by_role("button", name="Go on from this code").click()
    page.wait_for_function("location.hash.includes('said=4,yes,shown')")


def test_one_wrong_letter_or_two_that_change_places_are_seen(evaluated: Callable[[str], Any]) -> None:
    script = f"""{front_end().replace("export default", "const widget =")}
    const answer = [..."23AZKM9"].flatMap((_, at) => {{
      const good = "K7M2AZ" + checkOf("K7M2AZ");
      const put = (i, text) => good.slice(0, i) + text + good.slice(i + text.length);
      const wrong = [...LETTERS].filter((letter) => letter !== good[at]).map((letter) => put(at, letter));
      if (at && good[at] !== good[at - 1]) wrong.push(put(at - 1, good[at] + good[at - 1]));
      return wrong.map((text) => checkOf(text.slice(0, -1)) === text.at(-1));
    }});"""
    found = evaluated(script)
    assert (len(found), any(found)) == (7 * 30 + 6, False)


def test_seven_features_fit_a_screen_beside_the_guess(opened: Any) -> None:
    d = fs.gallery.random((2,) * 7, rng=7, total=2201)
    page = opened(d, {"viewport": {"width": 1366, "height": 768}}, ask=True)
    page.get_by_label("large type").check()
    found = "all => all.map((e) => e.getBoundingClientRect()).map(({ bottom, right }) => [bottom, right])"
    places = page.locator(".fst-boxes .fst-box, .fst-lesson button").evaluate_all(found)
    assert len(places) == 2**7 + 3
    assert max(bottom for bottom, _ in places) < 768
    assert max(right for _, right in places) < 1366


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)])
def test_the_guess_stays_in_sight_while_a_box_is_chosen(opened: Any, width: int, height: int) -> None:
    page = opened(explorer_page("titanic", ask=True, claims=False), {"viewport": {"width": width, "height": height}})
    page.locator("[data-mask='0'] .fst-box").scroll_into_view_if_needed()
    page.locator("[data-mask='2'] .fst-box").click()
    inside = (
        "all => all.map((e) => e.getBoundingClientRect()).every(({ top, bottom }) => top >= 0 && bottom <= innerHeight)"
    )
    assert page.locator(".fst-lesson button, [data-mask='2'] .fst-box").evaluate_all(inside)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_handout_has_the_questions_and_a_key_of_its_own(tmp_path: Path) -> None:
    best = {"text": "Best?", "answer": ["sex"], "hint": "Look.", "right": "So."}
    lesson = {"title": "<Age>", "questions": [best, GOAL, ("Age alone?", False), "Why?"]}
    told: dict[str, Any] = {"title": "titanic", "story": fs.gallery.story("titanic"), "ask": lesson}
    sheet, key = (path.read_text(encoding="utf-8") for path in save_handout("titanic", tmp_path / "folder", **told))
    for text in (sheet, key):
        assert "&lt;Age&gt;" in text
        assert text.count("<rect") == 8
        assert all(question in text for question in ("Best?", "Make age useful.", "Age alone?", "Why?"))
    assert "how many of 2201 people you judge wrongly" in sheet
    assert sum(map(int, re.findall(r"<td>(\d+)</td>", sheet))) == 2201
    assert not re.search("493|Look|So\\.|Boys|move 4", sheet)
    risks = fs.bayes_risks(fs.gallery.titanic())
    assert re.findall(r">(\d+)</text>", key) == [str(risks.value_at(mask) * 2201) for mask in (7, 3, 5, 6, 1, 2, 4, 0)]
    said = ["{sex}: 493 of 2201", "Look.", "So.", "move 4 from", "No fewer than 4 are enough.", "For discussion."]
    assert [words for words in said if words not in key] == []
    assert "Lösungen" in save_handout("titanic", tmp_path, **told, language="de")[1].read_text(encoding="utf-8")
    assert "1: " + "a" * 40 in save_handout(
        fs.JointDistribution([[1, 2], [3, 4]], features=["a" * 40]), tmp_path, title="t", story="", ask=["Why?"]
    )[0].read_text(encoding="utf-8")


test_bad_handouts_are_refused = refusals(
    [
        ("save('xor', tmp, title='', story='', ask=True)", InvalidValueError, "ask", "questions of your own"),
        ("save(wide, tmp, title='', story='', ask=['?'])", InvalidValueError, "d", "at most 128 cells, for a handout"),
    ],
    {"save": save_handout, "wide": fs.gallery.random((2,) * 7, rng=0)},
)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_printed_handout_cuts_nothing_off(opened: Any, tmp_path: Path, paper: str) -> None:
    sheet, key = save_handout("titanic", tmp_path, title="t", story=fs.gallery.story("titanic"), ask=LESSON)
    width = {"A4": 680, "Letter": 702}[paper]  # what the margins leave
    for path in (sheet, key):
        page = opened(path.read_text(encoding="utf-8"), {"viewport": {"width": width, "height": 1000}})
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        ends = "all => all.map((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().right])"
        places = page.locator("svg, rect, svg text").evaluate_all(ends)
        assert places[0] == [min(left for left, _ in places), max(right for _, right in places)]
        assert len(re.findall(rb"/Type /Page\n", page.pdf(format=paper, prefer_css_page_size=True))) <= 2


def listed(d: fs.JointDistribution, subsets: Iterable[frozenset[str]]) -> str:
    """Return what the page says of some subsets: the first four, the small ones first."""
    masks = sorted((mask_of(subset, d.features) for subset in subsets), key=lambda mask: (mask.bit_count(), mask))
    names = [f"{{{', '.join(x for i, x in enumerate(d.features) if mask >> i & 1)}}}" for mask in masks]
    return " and ".join(names[:4] + [f"{len(names) - 4} more"] * (len(names) > 4))


def test_evidence_changes_risks_and_boundaries_as_in_python(opened: Any) -> None:
    d = fs.gallery.load("asia")
    page = opened(d, evidence=True)
    part = page.locator(".fst-evidence")
    for known in ({"smoke": "yes"}, {"smoke": "yes", "xray": "no"}, {"smoke": "no", "tub": "yes", "bronc": "no"}, {}):
        for pressed in part.locator("[aria-pressed=true]").all()[::-1]:
            pressed.click()
        for name, state in known.items():
            part.get_by_role("group", name=name, exact=True).get_by_role("button", name=state, exact=True).focus()
            page.keyboard.press("Enter")
        given = d.condition(known)
        risks = fs.bayes_risks(given)
        labels = {mask: page.locator(f"[data-mask='{mask}']").get_attribute("aria-label") for mask in range(0, 128, 5)}
        assert [mask for mask, label in labels.items() if f"Bayes risk {risks.value_at(mask)}" not in label] == []
        said = part.locator("p").last.inner_text()
        told = re.sub(r"(?<=\d) [≈=] [\d.]+\d", "", said)
        assert all(" ≈ " in said or " = 0." in said for long in re.findall(r"\d+/\d+", said) if len(long) > 9)
        assert f"S* is {listed(d, risks.minimal_sets())}. With all features" in told
        assert f"the Bayes risk is {risks.value_at(127)}. The minimal Markov blankets: " in told
        assert told.endswith(f": {listed(d, fs.markov_blankets(given))}.")
        if known:
            assert f"The probability of this is {d.probability(known)}." in told
        assert ("Nothing is known yet." in told) == (not known)


def test_evidence_that_cannot_be_is_not_offered_and_the_link_keeps_the_rest(opened: Any) -> None:
    page = opened(fs.gallery.load("asia"), {"viewport": {"width": 1200, "height": 844}}, evidence=True)
    group = lambda name: page.locator(".fst-evidence").get_by_role("group", name=name, exact=True)  # noqa: E731
    height = page.locator(".fst-controls").bounding_box()["height"]
    group("either").get_by_role("button", name="no", exact=True).click()
    assert page.locator(".fst-controls").bounding_box()["height"] == height
    assert group("tub").get_by_role("button", name="yes", exact=True).is_disabled()
    page.wait_for_function("location.hash.includes('evidence=')")
    assert "weights" not in page.url
    page.reload()
    rows = page.locator(".fst-rest tbody tr").all_inner_texts()
    assert (len(rows), [row for row in rows if "never occurs" in row]) == (16, [])
    assert "and 112 more states. Of all these states, 112 never occur." in page.locator(".fst-rest").inner_text()
    pressed = page.locator(".fst-evidence [aria-pressed=true]")
    assert pressed.count() == 1
    assert pressed.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(26, 26, 26)"
    assert "Known: either = no." in page.locator(".fst-evidence").inner_text()
    page.evaluate("location.hash = '#lattice:evidence=9.9'")
    page.get_by_text("left out of the state: evidence").wait_for()
    assert page.locator(".fst-evidence [aria-pressed=true]").count() == 0


def test_states_are_chosen_in_the_graph_of_a_network(opened: Any) -> None:
    network = fs.selection.networks.asia()
    d = network.joint([name for name in network.variables if name not in ("either", "dysp")], "dysp")
    page = opened(d, evidence=network)
    node = lambda name: page.locator(".fst-network p", has_text=re.compile(f"^{name}"))  # noqa: E731
    places = {name: node(name).bounding_box() for name in network.variables}
    assert {name for name in places if node(name).locator("button").count()} == {*d.features}
    arrows = "all => all.map((e) => e.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    ends = page.locator(".fst-arc").evaluate_all(arrows)
    assert len(ends) == len(network.graph.edges)
    for (one, other), (top, bottom) in zip(network.graph.edges, ends, strict=True):
        foot, head = places[one]["y"] + places[one]["height"], places[other]["y"]
        assert abs(top - foot) < 2 < head - foot
        assert abs(bottom - head) < 2
    node("smoke").get_by_role("button", name="yes").click()
    assert "Known: smoke = yes." in page.locator(".fst-evidence").inner_text()
    large = fs.selection.networks.Network({f"V{i}": ((), {0: "1/2", 1: "1/2"}) for i in range(13)})
    assert explorer_data(large.joint(["V1"], "V2"), evidence=large, claims=False)["evidence"] is True
    with pytest.raises(InvalidValueError, match=r"^evidence must be a network with the variables of d, not \['X1'"):
        explorer_data("xor", evidence=network)
