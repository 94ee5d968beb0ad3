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

from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidFormatError, explain, require, require_listed, require_type
from fstheory.lattice.subsets import Subset, mask_of

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


def lesson(ask: Ask, d: JointDistribution, is_family: bool) -> tuple[str, list[dict[str, Any]]]:
    """Return the title of a lecturer's questions, and the questions as JSON data."""
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
    goals = [number for number, question in enumerate(questions, 1) if "goal" in question]
    for number in goals:
        where = f"a list whose question {number} has"
        fits = not is_family and d.weights.size <= MOST_EDITED
        needed = f"{where} a goal only if d is one distribution of at most {MOST_EDITED} cells"
        given = "a family" if is_family else f"{d.weights.size:,} cells"
        require(fits, "ask", needed, given, "give it an answer instead of a goal, or take fewer features")
        question = questions[number - 1]
        question["goal"] = _goal(question["goal"], question.pop("fewest", None), d, where)
    return title, questions


def _question(asked: Any, number: int, features: Sequence[str]) -> dict[str, Any]:
    """Return a question of a lecturer as JSON data. Its answer is true, false, masks or null."""
    repair, where = 'write ask=[("Which feature is best?", {"sex"})]', f"a list whose question {number} has"
    if not isinstance(asked, Mapping):
        text, answer = asked if isinstance(asked, tuple) and len(asked) == 2 else (asked, None)
        require_type(text, str, "ask", "a list of texts, or of pairs of a text and its answer", repair)
        asked = {"text": text} if answer is None else {"text": text, "answer": answer}
    for key, value in asked.items():
        require(key in _KEYS, "ask", f"{where} no keys but {', '.join(_KEYS)}", key, "correct this key")
        if key in _TEXTS:
            require_type(value, str, "ask", f"{where} a text as its {key}", "write a text")
    require("text" in asked, "ask", f"{where} a text", [*asked], "add the key text")
    answer = asked.get("answer")
    either = answer is None or "goal" not in asked
    require(either, "ask", f"{where} an answer or a goal", "both", "make two questions of it")
    judged = "answer" in asked or "goal" in asked or not {"right", "wrong"} & asked.keys()
    repair = "give it an answer, or take out right and wrong"
    require(judged, "ask", f"{where} right or wrong only beside an answer or a goal", [*asked], repair)
    beside = "goal" in asked or "fewest" not in asked
    require(beside, "ask", f"{where} fewest only beside a goal", [*asked], "add the key goal")
    if answer is not None and not isinstance(answer, bool):
        needed = f"{where} true, false or a list of features as its answer"
        repair = f'write true, false or a box as a list of features, as in answer = ["{"".join(features[:1])}"]'
        named = [answer] if isinstance(answer, str) else list(require_listed(answer, "ask", needed, repair))
        answer = [_mask(named, features, f"{where} only features of the data in its answer")]
    return {**asked, "answer": answer}


def _mask(names: Sequence[str], features: Sequence[str], needed: str) -> int:
    """Return the mask of some names. Refuse a name that is no feature."""
    for name in names:
        require(name in features, "ask", needed, name, f"write some of {', '.join(features)}")
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


def _read_goal(text: str, features: Sequence[str], where: str) -> list[_Comparison]:
    """Read comparisons of risks and numbers that are joined by "and"."""
    found: list[_Comparison] = []
    at, needed = 0, f"{where} comparisons of risks as its goal, joined by and"

    def side(written: str) -> int | Fraction:
        if not written.startswith("risk("):
            return Fraction(written)
        names = [name.strip() for name in written[5:-1].split(",") if name.strip()]
        return _mask(names, features, f"{where} only features of the data in its goal")

    while at < len(text) or not found:
        match = _GOAL.match(text, at)
        if match is None or (match.end() == len(text) and match[4]):
            repair = "use = and not ==" if "==" in text else _EXAMPLE
            raise InvalidFormatError(explain("ask", needed, text, repair))
        found.append(_Comparison(side(match[1]), match[2], side(match[3])))
        at = match.end()
    require(any(one.masks for one in found), "ask", f"{where} a risk in its goal", text, _EXAMPLE)
    require(
        not any(one.is_impossible for one in found),
        "ask",
        f"{where} a goal that can be reached",
        text,
        "turn the comparison round, since more features never have a larger risk",
    )
    return found


def _goal(text: str, fewest: Any, d: JointDistribution, where: str) -> dict[str, Any]:
    """Return a goal as JSON data, with the smallest number of moves and with moves that reach the goal.

    A goal that holds at the beginning, or that no moves reach, is refused. So is a wrong `fewest`.
    """
    goal = _read_goal(text, d.features, where)
    whole = int(d.total)
    most = whole - -(-whole // d.weights.shape[-1])
    needed = f"{where} a goal that can be reached, where every risk is one of 0/{whole}, 1/{whole}, ..., {most}/{whole}"
    numbers = [side for one in goal for side in (one.left, one.right) if isinstance(side, Fraction)]
    example = next((number for number in numbers if number.denominator == 1 and 1 <= number <= most), most)
    repair = f"write a share: for {example} of {whole} write {example}/{whole}"
    require(all(one.can_hold(whole, most) for one in goal), "ask", needed, text, repair)
    fits = fewest is None or isinstance(fewest, bool) or (isinstance(fewest, int) and 0 < fewest <= _MOST_FEWEST)
    require(fits, "ask", f"{where} true or a number up to {_MOST_FEWEST} as its fewest", fewest, "write fewest = true")
    union = functools.reduce(operator.or_, itertools.chain.from_iterable(one.masks for one in goal))
    moves, reached = _search(_kept(d.weights, union), goal, [i for i in range(len(d.features)) if union >> i & 1])
    require(moves, "ask", f"{where} a goal that does not hold in the data as given", text, "change the goal")
    require(moves != math.inf, "ask", f"{where} a goal that can be reached by moving weights", text, "change the goal")
    if fewest is True:
        repair = "leave fewest out, or write the number if you know it"
        needed = f"{where} fewest = true only if at most {moves} moves are enough, which a search can prove"
        require(reached is not None, "ask", needed, text, repair)
    if fewest and fewest is not True:
        is_right = fewest > moves if reached is None else fewest == moves
        known = f"{moves}" if reached is not None else f"more than {moves}"
        require(is_right, "ask", f"{where} the smallest number of moves, {known}, as its fewest", fewest, "correct it")
    sides = [[f"{side}" if isinstance(side, Fraction) else side for side in (one.left, one.right)] for one in goal]
    return {
        "words": text,
        "comparisons": [[left, one.sign, right] for one, (left, right) in zip(goal, sides, strict=True)],
        "fewest": int(moves) if fewest is True else fewest or None,
        "proved": reached is not None,
        "moves": [] if reached is None else _lifted(d, union, reached),
    }


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
