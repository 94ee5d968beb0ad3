"""Coq accepts no certificate that was changed so that the checker rejects it."""

import copy
import itertools
import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from fstheory.checker import check_certificate
from fstheory.checker.reading import certificate_digest
from fstheory.coq.kinds import IMPORTS
from fstheory.coq.terms import CRITERION_FILES
from fstheory.coq.theorem import coq_theorem
from fstheory.errors import CertificateError
from fstheory.logic import Certificate
from tests.coq.compiled import Compile, exportable
from tests.coq.test_theorems import OWN, proved
from tests.logic.examples import proved_by_class

MOST = 4_000  # characters of a certificate that is changed
BATCH = 30  # certificates that one process of Coq reads
OTHER_WORDS = {"<": "<=", "<=": "<", "=": "<=", "and": "or", "or": "and", "max": "min", "min": "max"}
OTHER_WORDS |= {"less": "floor", "optimal": "zero", "zero": "optimal"}
# Where the checker asks for more than the proof needs: states and features that exist, numbers in lowest terms,
# symmetries of the statement, and no cases below a false assumption. Coq reads the trees of symmetric cases
# written out, and proves what they show.
FORM = re.compile(r"(assume|show)\[\d+\]\.formula must be|in lowest terms|be a renaming|cases must be a list of 0,")
FAMILIES = {
    "every_size",
    "every_size_with_entropies",
    "every_size_further",
    "one_shape",
    "at_weights",
}  # the theorems of the library


class Mutant(NamedTuple):
    """A changed certificate as a file for Coq, with what was changed, and why the checker rejects it, if it does."""

    origin: str
    change: str
    text: str
    reason: str


def originals(most: int) -> dict[str, Certificate]:
    """Return proofs by cases and counterexamples with fewer characters: those of the ledger, and a few others."""
    further = {"by class": Certificate(proved_by_class())} | {
        name: proved(OWN[name][0], **OWN[name][1])
        for name in ("chord", "left", "squares", "wrong labels", "area above loss", "balanced", "prior costs", "ratios")
    }
    return {name: one for name, one in (exportable() | further).items() if len(one.to_json()) < most}


def places(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the places in a part of a certificate where something can be changed: numbers, words, cases, steps."""
    if isinstance(part, dict | list):
        if path[-1] in {"farkas", "cases"} and len(part) > 1:
            yield path
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            if key != "name":
                yield from places(value, (*path, key))
    elif part in OTHER_WORDS or not isinstance(part, str) or re.fullmatch(r"-?\d+(/\d+)?", part):
        yield path


def other(old: Any, chance: random.Random) -> Any:
    """Return another number, relation, list of cases or list of steps, in the form that certificates have."""
    if isinstance(old, list):
        drawn = chance.randrange(len(old))
        return old[:drawn] + old[drawn + 1 :] if isinstance(old[0], list) else old[::-1]
    if isinstance(old, bool | None):
        return 0 if old is None else not old
    if isinstance(old, int):
        return old + chance.choice([1, 1, 2] if old == 0 else [1, -1])
    if old in OTHER_WORDS:
        return OTHER_WORDS[old]
    number = Fraction(old)
    return str(chance.choice([-number, number + 1, number * Fraction(6, 7), number / 2]) if number else Fraction(1, 7))


def changed(original: dict[str, Any], chance: random.Random) -> tuple[dict[str, Any], str]:
    """Return a certificate with one change in its formulas, proofs or weights, and what was changed."""
    content = copy.deepcopy(original)
    parts = [key for key in ("assume", "show", "proofs", "maxima", "weights") if content.get(key)]
    by_part = {key: found for key in parts if (found := [*places(content[key], (key,))])}
    *path, last = chance.choice(by_part[chance.choice([*by_part])])
    owner: Any = content
    for key in path:
        owner = owner[key]
    old = owner[last]
    owner[last] = other(old, chance)
    if path[0] == "weights" and chance.random() < 3 / 4:  # otherwise the total is wrong as well
        content["total"] += owner[last] - old
    content["digest"] = certificate_digest(content)
    kind = last if isinstance(old, list) else "word" if old in OTHER_WORDS else type(old).__name__
    return content, f"{path[0]}: {kind}"


def reason(content: dict[str, Any]) -> str:
    """Return why the checker rejects a certificate, or nothing if it accepts it."""
    try:
        return "" if check_certificate(content) else "nothing is shown"
    except CertificateError as error:
        return str(error)


def mutants(seed: int) -> Iterator[Mutant]:
    """Yield changed certificates that can be written for Coq, in turn from each of the families of proofs."""
    chance = random.Random(seed)
    families: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for name, certificate in originals(MOST).items():
        one = (name, json.loads(certificate.to_json()))
        families.setdefault(theorem(coq_theorem(certificate))[0], []).append(one)
    assert set(families) == FAMILIES
    for family in itertools.cycle(sorted(FAMILIES)):
        name, original = chance.choice(families[family])
        content, change = changed(original, chance)
        try:
            text = coq_theorem(content)
        except (ArithmeticError, AssertionError, LookupError, RuntimeError, TypeError, ValueError):
            continue  # what has no meaning cannot be written
        why = reason(content)
        if not FORM.search(why):
            yield Mutant(name, f"{family}, {change}", text, why)


def theorem(text: str) -> tuple[str, str]:
    """Return the theorem of the library that a file for Coq uses, and its arguments that are computed with."""
    found = re.search(r"refine \((every_size\w*|one_shape|at_weights) (.*?)(?: Hn| _ _| _\))", text)
    assert found is not None
    return found[1], re.sub(r"\bt_\w+", "0%R", found[2])


# The verified checker is the last function with an answer in the type of each theorem.
EVERY = """\
Goal dist -> True. intros d.
let T := type of ({theorem} {arguments}) in let T := eval cbv zeta in T in
lazymatch T with context [@eq bool ?b true] => let b := eval vm_compute in b in idtac "{number} is" b end.
Abort."""
AT_WEIGHTS = """\
Goal forall fit : weights_fit {weights} = true, True. intros fit.
let T := type of (at_weights {arguments}) in let fit := eval vm_compute in (weights_fit {weights}) in
lazymatch T with ?b = true -> _ => let b := eval vm_compute in b in idtac "{number} is" fit b end.
Abort."""


def question(number: int, text: str) -> str:
    """Return the definitions of a file for Coq, and a command that prints the answer of the verified checker."""
    name, arguments = theorem(text)
    form = AT_WEIGHTS if name == "at_weights" else EVERY
    asked = form.format(theorem=name, arguments=arguments, number=number, weights=arguments.partition(" fit")[0])
    definitions = text[text.index("(* The claim") if "(* The claim" in text else text.index("(* What is") :]
    return f"Module m_{number}.\n{definitions.partition('Theorem ')[0]}{asked}\nEnd m_{number}.\n"


ALL = " ".join([*IMPORTS.values(), *CRITERION_FILES.values()])
HEAD = f"""\
From Coq Require Import Reals ZArith NArith List Bool.
From FS Require Import Cases Sums Maxima Distributions {ALL} Weights Shapley Minimal Boundary.
Import ListNotations.
Local Open Scope nat_scope.
"""


def accepted(texts: list[str], coqc: Compile) -> list[bool]:
    """Return for each file whether the verified checker, computed by Coq, accepts its proof."""
    found: list[bool] = []
    while len(found) < len(texts):
        part = texts[len(found) : len(found) + BATCH]
        done = coqc("mutants", HEAD + "".join(itertools.starmap(question, enumerate(part))))
        answers = re.findall(r"^\d+ is (.*)$", done.stdout, re.MULTILINE)
        assert (done.returncode == 0) is (len(answers) == len(part)), done.stderr
        # Coq stops at a file that is not well formed. It has given all answers before, and that file is not accepted.
        found += ["false" not in answer for answer in answers] + [False] * (done.returncode != 0)
    return found


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let wrong proofs be written for Coq as well. Let the checker ignore listed values, which Coq does not read."""
    monkeypatch.setattr("fstheory.coq.theorem.check_certificate", bool)
    monkeypatch.setattr("fstheory.checker.certificates.require_values", lambda *_: None)


@pytest.mark.thorough
@pytest.mark.usefixtures("unchecked")
def test_most_changed_certificates_are_wrong_in_each_family() -> None:
    drawn = list(itertools.islice(mutants(30), 60))
    wrong = {one.change.partition(",")[0] for one in drawn if one.reason}
    assert wrong == FAMILIES
    assert sum(one.reason != "" for one in drawn) > 30
    assert all('idtac "7 is"' in question(7, one.text) for one in drawn)


@pytest.mark.thorough(3)
@pytest.mark.usefixtures("unchecked")
def test_coq_accepts_no_changed_certificate_that_the_checker_rejects(coqc: Compile, draw: Any) -> None:
    right = [coq_theorem(one) for one in draw(originals(2_000).values(), 4)]
    wrong = draw([one for one in itertools.islice(mutants(30), 100) if one.reason][:48], 2)
    answers = accepted([*right, *(one.text for one in wrong)], coqc)
    assert all(answers[: len(right)])
    assert [one for one, yes in zip(wrong, answers[len(right) :], strict=True) if yes] == []
    assert len(wrong) >= 24
