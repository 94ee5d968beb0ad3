"""The questions of a lecturer as JSON data. The smallest number of moves to a goal is found by an exact search."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fstheory._support.exact import to_text
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidFormatError, Message, Named, explain, require, require_listed, require_type
from fstheory.lattice.subsets import Subset, mask_of, ordered_names

Ask: TypeAlias = "bool | Mapping[str, Any] | Sequence[str | tuple[str, Subset | bool] | Mapping[str, Any]]"
MOST_EDITED = 128
"""The most cells whose weights can be changed in the page, as in lattice.js."""
_TEXTS = ("text", "hint", "right", "wrong", "goal")
_KEYS = (*_TEXTS, "answer", "fewest")
_MOST_FEWEST = 999
_SEARCHED = 4 * 10**6  # weights of one step of the search: some tenths of a second
_SIDE = r"(risk\([^()]*\)|\d*\.\d+|\d+(?:/0*[1-9]\d*)?)"
_GOAL = re.compile(rf"\s*{_SIDE}\s*(<=|>=|!=|=|<|>)\s*{_SIDE}\s*(?:(and\b)|$)")
_SIGNS = {"<": np.less, "<=": np.less_equal, "=": np.equal, "!=": np.not_equal, ">=": np.greater_equal, ">": np.greater}
_EXAMPLE = 'write goal = "risk(sex, age) < risk(sex)"'


def lesson(ask: Ask, d: JointDistribution, is_family: bool, words: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """Return the title of a lecturer's questions, and the questions as JSON data.

    The goals are stated in the words of a language.
    """
    needed, repair = "True, False or a list of questions", 'write ask=[("Which feature is best?", {"sex"})]'
    title = ""
    listed: Any = ask
    if isinstance(ask, Mapping):
        for key in ask:
            fits = key in ("title", "questions")
            require(fits, "ask", "a table with no keys but title and questions", key, "correct this key")
        require("questions" in ask, "ask", "a table with questions", [*ask], "begin each question with [[questions]]")
        title = require_type(ask.get("title", ""), str, "ask", "a table with a text as its title", "write a text")
        listed = ask["questions"]
    listed = () if isinstance(listed, bool) else require_listed(listed, "ask", needed, repair, Mapping)
    questions = [_question(asked, number, d.features) for number, asked in enumerate(listed, 1)]
    for number, question in enumerate(questions, 1):
        if "goal" in question:
            about = _part(number, "goal")
            fits = not is_family and d.weights.size <= MOST_EDITED
            given = "a family" if is_family else f"{d.weights.size:,} cells"
            needed = f"about one distribution of at most {MOST_EDITED} cells"
            require(fits, about, needed, given, "give an answer instead of a goal, or take fewer features")
            comparisons = _read_goal(question["goal"], d.features, about)
            fewest = question.pop("fewest", None)
            question["goal"] = _goal(question["goal"], comparisons, d, number, fewest)
            question["goal"]["words"] = _stated(comparisons, d.features, fewest, words)
    return title, questions


def _part(number: int, *key: str) -> Message:
    """Return what a message calls a question, or a key of it."""
    return Message(Named("ask"), ": ".join(["", f"question {number}", *key]))


def _question(asked: Any, number: int, features: Sequence[str]) -> dict[str, Any]:
    """Return a question of a lecturer as JSON data. Its answer is true, false, masks or null."""
    if not isinstance(asked, Mapping):
        text, answer = asked if isinstance(asked, tuple) and len(asked) == 2 else (asked, None)
        needed = "a text, a pair of a text and its answer, or a table of keys"
        require_type(text, str, _part(number), needed, 'write ("Which feature is best?", {"sex"})')
        asked = {"text": text} if answer is None else {"text": text, "answer": answer}
    for key, value in asked.items():
        require(key in _KEYS, _part(number, "each key"), f"one of {', '.join(_KEYS)}", key, "correct this key")
        if key in _TEXTS:
            require_type(value, str, _part(number, key), "a text", "write it in quotes")
    require("text" in asked, _part(number, "text"), "one of the keys", [*asked], 'add text = "..."')
    judged = "answer" in asked or "goal" in asked
    for key, fits, beside, repair in (
        ("answer", "goal" not in asked or asked.get("answer") is None, "beside a goal", "make two questions of it"),
        ("right", judged, "without an answer or a goal", "add an answer, or take out right"),
        ("wrong", judged, "without an answer or a goal", "add an answer, or take out wrong"),
        ("fewest", "goal" in asked, "without a goal", "add a goal, or take out fewest"),
    ):
        require(key not in asked or fits, _part(number, key), f"left out {beside}", asked.get(key), repair)
    answer, about = asked.get("answer"), _part(number, "answer")
    if answer is not None and not isinstance(answer, bool):
        needed = "true, false or a list of features"
        repair = f'write true, false or a box as a list of features, as in answer = ["{"".join(features[:1])}"]'
        named = [answer] if isinstance(answer, str) else list(require_listed(answer, about, needed, repair))
        answer = [_mask(named, features, about)]
    return {**asked, "answer": answer}


def _mask(names: Sequence[str], features: Sequence[str], about: Message) -> int:
    """Return the mask of some names. Refuse a name that is no feature."""
    for name in names:
        require(name in features, about, "made of features of the data", name, f"write some of {', '.join(features)}")
    return mask_of(names, features, "ask")


class _Comparison(NamedTuple):
    """A comparison of two sides, each the mask of a subset or a number."""

    left: int | Fraction
    sign: str
    right: int | Fraction

    @property
    def masks(self) -> list[int]:
        return [side for side in (self.left, self.right) if isinstance(side, int)]

    @property
    def is_impossible(self) -> bool:
        """Whether the comparison says that a subset has a smaller risk than a subset that contains it."""
        less, more = (self.left, self.right) if self.sign == "<" else (self.right, self.left)
        return self.sign in "<>" and len(self.masks) == 2 and int(less) & int(more) == less

    def can_hold(self, whole: int, most: int) -> bool:
        """Return whether some number of errors, from 0 to `most` of `whole`, makes a comparison with a number true."""
        numbers = [whole * side for side in (self.left, self.right) if isinstance(side, Fraction)]
        tried = {0, most, *(int(errors) for errors in numbers if errors.denominator == 1 and 0 <= errors <= most)}
        return len(self.masks) == 2 or any(self.holds(dict.fromkeys(self.masks, e), whole) for e in tried)

    def holds(self, errors: Mapping[int, Any], whole: int) -> Any:
        """Return for each row of weights whether the comparison holds. `errors` has the errors by mask."""
        scale = math.lcm(self.left.denominator, self.right.denominator)
        left, right = (
            scale * errors[side] if isinstance(side, int) else int(scale * side) * whole
            for side in (self.left, self.right)
        )
        return _SIGNS[self.sign](left, right)


def _read_goal(text: str, features: Sequence[str], about: Message) -> list[_Comparison]:
    """Read comparisons of risks and numbers that are joined by "and"."""
    found, at = list[_Comparison](), 0

    def side(written: str) -> int | Fraction:
        if not written.startswith("risk("):
            return Fraction(written)
        return _mask([name.strip() for name in written[5:-1].split(",") if name.strip()], features, about)

    while at < len(text) or not found:
        match = _GOAL.match(text, at)
        if match is None or (match.end() == len(text) and match[4]):
            repair = "use = and not ==" if "==" in text else _EXAMPLE
            raise InvalidFormatError(explain(about, "comparisons of risks that are joined by and", text, repair))
        found.append(_Comparison(side(match[1]), match[2], side(match[3])))
        at = match.end()
    require(any(one.masks for one in found), about, "about a risk", text, _EXAMPLE)
    repair = "turn the comparison round, since more features never have a larger risk"
    require(not any(one.is_impossible for one in found), about, "possible to reach", text, repair)
    return found


def _goal(text: str, goal: list[_Comparison], d: JointDistribution, number: int, fewest: Any) -> dict[str, Any]:
    """Return a goal as JSON data, with the smallest number of moves and with moves that reach the goal.

    A goal that holds at the beginning, or that no moves reach, is refused. So is a wrong `fewest`.
    """
    whole, about = int(d.total), _part(number, "goal")
    most = whole - -(-whole // d.weights.shape[-1])
    needed = f"possible to reach, where every risk is one of 0/{whole}, 1/{whole}, ..., {most}/{whole}"
    numbers = [side for one in goal for side in (one.left, one.right) if isinstance(side, Fraction)]
    example = next((number for number in numbers if number.denominator == 1 and 1 <= number <= most), most)
    repair = f"write a share: for {example} of {whole} write {example}/{whole}"
    require(all(one.can_hold(whole, most) for one in goal), about, needed, text, repair)
    union = functools.reduce(operator.or_, itertools.chain.from_iterable(one.masks for one in goal))
    moves, reached = _search(_kept(d.weights, union), goal, [i for i in range(len(d.features)) if union >> i & 1])
    repair = repair if any(number > 1 for number in numbers) else "change the goal"
    require(moves, about, "false in the data as given", text, repair)
    require(moves != math.inf, about, "possible to reach by moving weights", text, repair)
    about = _part(number, "fewest")
    fits = fewest is None or isinstance(fewest, bool) or (isinstance(fewest, int) and 0 < fewest <= _MOST_FEWEST)
    require(fits, about, f"true or a number up to {_MOST_FEWEST}", fewest, "write fewest = true")
    if fewest is True:
        repair = "leave fewest out, or write the number if you know it"
        needed = f"left out or a number if more than {moves} moves are needed, since the search would take long"
        require(reached is not None, about, needed, fewest, repair)
    if fewest and fewest is not True:
        is_right = fewest > moves if reached is None else fewest == moves
        known = f"{moves}" if reached is not None else f"more than {moves}"
        require(is_right, about, f"{known}, the smallest number of moves", fewest, "correct it")
    sides = [[f"{side}" if isinstance(side, Fraction) else side for side in (one.left, one.right)] for one in goal]
    return {
        "comparisons": [[left, one.sign, right] for one, (left, right) in zip(goal, sides, strict=True)],
        "fewest": int(moves) if fewest is True else fewest or None,
        "proved": reached is not None,
        "moves": [] if reached is None else _lifted(d, union, reached),
    }


def _stated(goal: Sequence[_Comparison], features: Sequence[str], fewest: Any, words: Mapping[str, Any]) -> str:
    """Return a goal as a sentence."""

    def side(one: int | Fraction) -> str:
        if isinstance(one, Fraction):
            return to_text(one, longest=10**6).replace(".", words["point"])  # exact, however long
        return str(words["goal_of"].format(subset=f"{{{', '.join(ordered_names(one, features))}}}"))

    parts = [words[f"goal_{one.sign}"].format(left=side(one.left), right=side(one.right)) for one in goal]
    joined = functools.reduce(lambda one, other: words["and"].format(one=one, other=other), parts)
    return str(words["goal_fewest" if fewest else "goal_is"].format(goal=joined))


def _kept(table: np.ndarray, mask: int) -> np.ndarray:
    """Sum out the features that are not in a mask."""
    return np.asarray(table.sum(axis=tuple(i for i in range(table.ndim - 1) if not mask >> i & 1)))


def _search(start: np.ndarray, goal: Sequence[_Comparison], axes: Sequence[int]) -> tuple[float, np.ndarray | None]:
    """Return the smallest number of moves to a goal, and the weights there.

    Each move takes one unit of weight from a cell to another one. Weights at each distance are listed once: cells that
    lose weight, and cells that gain it, in order. If the search ends early, there are no weights, and the number is the
    largest that is not enough. It is infinite if no moves reach the goal.
    """
    dropped = {
        mask: tuple(place for place, i in enumerate(axes, 1) if not mask >> i & 1) for one in goal for mask in one.masks
    }
    whole, numbers = int(start.sum()), [side.denominator for one in goal for side in (one.left, one.right)]

    def reached(rows: np.ndarray) -> np.ndarray:
        tables = rows.reshape(-1, *start.shape)
        best = {mask: tables.sum(axis=axis).max(axis=-1).reshape(len(rows), -1) for mask, axis in dropped.items()}
        errors = {mask: whole - right.sum(axis=1) for mask, right in best.items()}
        return np.asarray(np.logical_and.reduce([one.holds(errors, whole) for one in goal]))

    if whole * max(numbers) ** 2 >= 2**62:
        return 1 - bool(reached(start.astype(object).reshape(1, -1))[0]), None
    given = start.astype(np.int64).ravel()
    rows, lost, gained = given.reshape(1, -1), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for moves in itertools.count():
        if (ends := reached(rows)).any():
            return moves, rows[int(ends.argmax())].reshape(start.shape)
        if rows.size * given.size > _SEARCHED:
            break
        found = []
        for i, j in itertools.permutations(range(given.size), 2):
            fits = (lost <= i) & (gained <= j) & (rows[:, i] > 0) & (rows[:, i] <= given[i]) & (rows[:, j] >= given[j])
            moved = rows[fits]
            moved[:, i] -= 1
            moved[:, j] += 1
            found.append((moved, np.full(len(moved), i), np.full(len(moved), j)))
        rows, lost, gained = map(np.concatenate, zip(*found, strict=True))
        if not len(rows):
            return math.inf, None
    return moves, None


def _lifted(d: JointDistribution, union: int, reached: np.ndarray) -> list[list[int]]:
    """Return moves between cells of a distribution, [from, to, how many], whose marginal has the weights `reached`."""
    weights = d.weights.copy()
    inside = [i for i in range(len(d.features)) if union >> i & 1] + [len(d.features)]
    change = reached - _kept(weights, union)
    gains = [list(cell) for cell in np.argwhere(change > 0) for _ in range(change[tuple(cell)])]
    losses = [list(cell) for cell in np.argwhere(change < 0) for _ in range(-change[tuple(cell)])]
    counts: Counter[tuple[int, int]] = Counter()
    for loss, gain in zip(losses, gains, strict=True):
        inside_cells = [cell for cell in np.argwhere(weights > 0) if [cell[i] for i in inside] == loss]
        source = max(inside_cells, key=lambda cell: weights[tuple(cell)])
        target = source.copy()
        target[inside] = gain
        weights[tuple(source)] -= 1
        counts[int(np.ravel_multi_index(source, weights.shape)), int(np.ravel_multi_index(target, weights.shape))] += 1
    return [[*cells, count] for cells, count in counts.items()]
