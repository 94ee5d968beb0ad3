"""Exercises of the lessons. An answer is checked exactly, and the smallest case shows how a wrong answer fails."""

from __future__ import annotations

import dataclasses
import itertools
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from importlib import resources
from types import FunctionType
from typing import Any

from fstheory._support.exact import as_fraction, as_index, to_text
from fstheory._support.result import Result
from fstheory.distributions.gallery import as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError, explain, require, require_choice, require_known
from fstheory.lattice.subsets import default_features, mask_of, names_of, parse_subset, subset_text
from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.verdict import Refuted, Undecided
from fstheory.measures.criteria import criterion_value, criterion_values
from fstheory.measures.risk import bayes_classifier
from fstheory.proofs.prover import prove
from fstheory.proofs.refutation import refute
from fstheory.samples.law import Law, selection_law
from fstheory.samples.methods import FBS
from fstheory.selection.optimal import k_optimal
from fstheory.selection.questions import best_questions

__all__ = ["check"]


def __dir__() -> list[str]:
    return __all__


@dataclasses.dataclass(frozen=True, repr=False)
class CheckedAnswer(Result):
    """The result of checking an answer. Use it like a bool: it is true if the answer is right."""

    exercise: str
    question: str
    right: bool
    why: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return f"Exercise {self.exercise}: {self.why}"


def check(exercise: str, answer: Any = None) -> CheckedAnswer:
    """Check an answer to an exercise of a lesson. Every answer is judged exactly.

    Without an answer you get the question, and it says which kind of answer it wants. If an answer is wrong, the
    smallest case that shows it is named: a state, a feature, a goal that fails, or a distribution.

    Parameters
    ----------
    exercise : str
        The number of the exercise, for instance "1.5": the fifth exercise of lesson 1.
    answer : depends on the exercise, optional
        A number is an int, a fraction or a text such as "1/3". A choice is its letter. A subset is a set of names. A
        distribution is a `JointDistribution`. A claim is a function of a `Model` and features. A classifier is a
        function of a state, which is a dict from feature to state.

    Returns
    -------
    CheckedAnswer
        Use it like a bool. Its fields are `exercise`, `question`, `right` and `why`.

    Raises
    ------
    UnknownNameError
        There is no such exercise, or a feature of the answer does not exist.
    InvalidTypeError, InvalidValueError
        The answer is of another kind than the exercise wants. Such an answer is not judged.

    Examples
    --------
    >>> import fstheory as fs
    >>> print(fs.lessons.check("2.6"))
    Exercise 2.6: Which pair of features has the smallest Bayes risk in `fs.gallery.toussaint()`? Answer with a set of \
names of features.
    >>> print(fs.lessons.check("1.6", fs.gallery.copies()))
    Exercise 1.6: not yet. X1 = {} fails: the risk is 1/10 = 0.1 with X1, and 1/2 = 0.5 with {}.
    >>> bool(fs.lessons.check("1.6", "parity-3"))
    False
    """
    known = _exercises()
    require_known(exercise, "exercise", known)
    asked = {"exercise": exercise} | known[exercise]
    wanted, judge = _KINDS[asked["kind"]]
    if answer is None:
        options = "".join(f" ({letter}) {text}" for letter, text in asked.get("options", {}).items())
        return CheckedAnswer(
            exercise, asked["question"], False, f"{asked['question']}{options} Answer with {wanted.format(**asked)}."
        )
    why = next(judge(asked, answer), "")
    return CheckedAnswer(exercise, asked["question"], not why, f"not yet. {why}" if why else "right.")


def _exercises() -> dict[str, dict[str, Any]]:
    """Read the table of exercises."""
    return tomllib.loads((resources.files("fstheory") / "lessons.toml").read_text(encoding="utf-8"))


def _number(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Compare a number with the value of a criterion or of the table, and show one case if it is wrong."""
    given = as_fraction(answer, "answer")
    if "d" in asked:
        value = criterion_value(asked["d"], asked.get("criterion", "zero_one"), asked["subset"])
    else:
        value = as_fraction(asked["value"])
    if given != value:
        first = asked.get("hint") or _first_state(as_distribution(asked["d"]), asked["subset"])
        yield f"{to_text(given)} is too {'large' if given > value else 'small'}. {first}"


def _first_state(d: Any, subset: Any) -> str:
    """Say how often the best guess is wrong in the first state of a subset in which it can be wrong."""
    best = bayes_classifier(d, subset)
    states = [dict(zip(best.features, state, strict=True)) for state in best]
    wrong = {i: d.probability(x) - d.probability({**x, d.target: best(x)}) for i, x in enumerate(states)}
    first = next((i for i, missed in wrong.items() if missed), 0)
    return f"Where {_state(states[first])}, the best guess is wrong with probability {to_text(wrong[first])}."


def _state(state: Mapping[str, Any]) -> str:
    """Write a state in words."""
    return " and ".join(f"{name} is {value}" for name, value in state.items()) or "nothing is known"


def _least(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Judge the smallest number with a property. The two cases are that it fails, and that less is enough."""
    given = as_index(answer, "answer")
    holds = _PROPERTIES[asked["exercise"]]
    if given > asked["most"] or not holds(given):
        yield f"{given} {'is far too many' if given > asked['most'] else 'is not enough'}."
    enough = next((k for k in range(given) if holds(k)), None)
    if enough is not None:
        yield f"{given} is enough, but a smaller number is enough, too."


def _choice(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Judge a letter. Each wrong letter has its reason in the table."""
    require_choice(answer, "answer", tuple(asked["options"]))
    if answer != asked["right"]:
        yield asked["reasons"][answer]


def _subset(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Judge a subset that is best of its size, or as good as all features and without a feature to spare."""
    d = as_distribution(asked["d"])
    values = criterion_values(d, asked.get("criterion", "zero_one"))
    given = names_of(mask_of(answer, d.features, "answer"), d.features)
    size, text = asked.get("size"), subset_text(given, d.features)
    if size is not None and len(given) != size:
        yield f"{text} has size {len(given)}, and size {size} is asked for."
    best = min(values[s] for s in values if size is None or len(s) == size)
    if values[given] != best:
        yield f"The value is {to_text(values[given])} with {text}, and {to_text(best)} is possible."
    for name in sorted(given) if size is None else ():
        if values[given - {name}] == best:
            yield f"{text} loses nothing, and {name} can be left out: the value stays {to_text(best)}."


def _distribution(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Judge a distribution by its goals, one after another. A goal compares the values of two subsets."""
    d = as_distribution(answer, "answer")
    if len(d.features) != asked["features"]:
        yield f"It has {len(d.features)} features, and {asked['features']} are asked for."
        return
    for goal in asked["goals"]:
        criterion, _, relation = goal.rpartition(": ")
        left, sign, right = re.split(r" (<|=) ", relation)
        masks = (parse_subset(side, default_features(asked["features"])) for side in (left, right))
        a, b = (criterion_value(d, criterion or "zero_one", names_of(mask, d.features)) for mask in masks)
        if not (a < b if sign == "<" else a == b):
            name = criterion.replace("_", " ") or "risk"
            yield f"{goal} fails: the {name} is {to_text(a)} with {left}, and {to_text(b)} with {right}."
    for wanted, test in (("positive", d.is_positive), ("unique", d.has_unique_maximum)):
        if asked.get(wanted) and not test():
            yield f"{test()}."


def _claim(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Judge a claim: prove that it says the same as ours, or find the smallest distribution where it does not."""
    sizes, ours = asked["cardinalities"], _CLAIMS[asked["exercise"]]
    stated = isinstance(answer, FunctionType) and answer.__code__.co_argcount
    require(stated, "answer", "a function of a Model and of features", answer, "write def f(m, i): ...")

    def said(function: Any, m: Model) -> Formula:
        variables = function.__code__.co_argcount - 1
        return m.all(function(m, *names) for names in itertools.permutations(m.features, variables))

    same = claim(lambda m: m.iff(said(answer, m), said(ours, m)), name="the two claims agree")
    verdict = prove(same, cardinalities=sizes, classes=2, certificate=False)
    if isinstance(verdict, Undecided):
        yield "The prover could not decide whether your claim says the same. State it more simply."
    elif isinstance(verdict, Refuted):
        found = refute(same, cardinalities=sizes, classes=2)
        shown = found if isinstance(found, Refuted) else verdict
        true = claim(lambda m: said(ours, m), name="the sentence").check(shown.distribution)
        smallest = " No smaller one shows it." * shown.minimality.startswith("proved")
        yield f"At {shown.distribution!r} the sentence is {'true' if true else 'false'}, and yours is not.{smallest}"


def _classifier(asked: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Judge a classifier state by state. It is right if no state has a better guess."""
    d = as_distribution(asked["d"])
    require(callable(answer), "answer", "a function of a state", answer, "write def f(state): ...")
    best = bayes_classifier(d, asked["subset"])
    for values in best:
        state = dict(zip(best.features, values, strict=True))
        guess = answer(dict(state))
        if guess not in d.states[d.target]:
            raise InvalidValueError(explain("answer", f"a function to {d.states[d.target]}", guess, "return a class"))
        right, reached = (d.probability({**state, d.target: y}) for y in (best(state), guess))
        if reached < right:
            yield f"Where {_state(state)}, {guess!r} has probability {to_text(reached)}, and there is a better guess."


def _law(weights: Any, m: int) -> Law[Any]:
    """Return the law of the selection by FBS from m samples of one bit."""
    return selection_law(JointDistribution(weights), m, FBS(tau="1/10"))


_KINDS: dict[str, tuple[str, Callable[[Mapping[str, Any], Any], Iterator[str]]]] = {
    "number": ('a number, for instance "1/3"', _number),
    "least": ("a whole number", _least),
    "choice": ("a letter", _choice),
    "subset": ("a set of names of features", _subset),
    "distribution": ("a JointDistribution of {features} features", _distribution),
    "claim": ("a function of a Model and of features", _claim),
    "classifier": ("a function from a state, a dict, to a class", _classifier),
}
_PROPERTIES: dict[str, Callable[[int], bool]] = {
    "10.5": lambda m: bool(_law([[3, 1], [1, 3]], m).success >= Fraction(1, 2)),
    "11.4": lambda k: 1 - Fraction(7, 8) ** k >= Fraction(1, 2),
    "12.6": lambda m: bool(_law([[9, 1], [1, 9]], m).success >= Fraction(9, 10)),
    "13.4": lambda n: 2**n > 20,
    "21.5": lambda k: k_optimal("corral", k).value == 0,
    "23.4": lambda k: best_questions("monks-1", budget=k).value == 0,
}
"""From an exercise that asks for the smallest number to the condition on this number."""

_CLAIMS: dict[str, Callable[..., Formula]] = {
    "7.7": lambda m, i: m.risk(m.features - {i}) > m.risk(),
    "8.5": lambda m, i, j: m.risk({i}) == m.risk({j}),
    "8.6": lambda m: m.any(m.risk({i}) == m.risk() for i in m.features),
    "20.6": lambda m, i: m.implies(m.risk({i}) == m.risk(set()), m.risk(m.features - {i}) == m.risk()),
    "20.7": lambda m, i, j: m.risk({i}) + m.risk({j}) <= m.risk() + m.risk(set()),
}
"""The claims to state, as functions of the features."""
