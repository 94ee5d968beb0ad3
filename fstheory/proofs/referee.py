"""`referee`: the questions that a critical reader asks about a claim, each answered by a proof or a counterexample."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory._support.exact import to_text
from fstheory._support.progress import Clock, OutOfTime, Progress
from fstheory._support.result import Result, Rows, Table, table_html
from fstheory._support.work import Crew, Workers
from fstheory.checker.statement import ONE, compared
from fstheory.errors import ClaimError, InvalidValueError, MissingDependencyError, NotLinearError, UnknownNameError
from fstheory.logic.claims import Claim
from fstheory.logic.entry import Entry
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import (
    FALSE,
    TRUE,
    ZERO,
    Formula,
    Node,
    Term,
    comparison,
    conjunction,
    constant,
    difference,
    disjunction,
    formula_node,
    negation,
    product,
)
from fstheory.logic.ledger import claims, find_claim
from fstheory.logic.statement import Instance, Shape, Statement, canonical_text, located, text_of
from fstheory.logic.verdict import NotRefuted, Proved, Refuted, Undecided
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.every_size.search import GAVE_UP
from fstheory.proofs.every_size.unknowns import EverySizeUnknowns
from fstheory.proofs.extremum import Extremum, infimum
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.prover import Prover, asked_size, prove
from fstheory.proofs.refutation import decide, search
from fstheory.proofs.solvers import Encoder, load_z3, z3_answer

Found: TypeAlias = "Proved | Refuted | Undecided | NotRefuted"
Words: TypeAlias = "tuple[str, str, Found | Extremum | Entry | None]"
"""The answer, the reason, and the evidence."""

_FEATURES = 3  # up to which a claim is tried if the caller does not say how many
_FACTORS = 32  # the denominator of the factors of the right side that are tried
_DIFFERENT = "its formulas have different premises; drop one in the function, and ask again"
_LONG, _SHORT, _FEW = 160, 40, 4  # characters of a distribution and of a term in a sentence, and the number of terms
_EVERY = "for every number of features"
_INEQUALITIES = ("<", "<=")


@dataclass(frozen=True, slots=True, repr=False)
class RefereeAnswer(Result):
    """One question of `fstheory.referee`, with its answer.

    Attributes
    ----------
    question, answer : str
        The question, and "yes", "no" or "not decided". A claim is true "in part" if it is proved for some sizes alone.
    reason : str
        The reason for the answer, in sentences.
    evidence : Proved, Refuted, Extremum, Entry, or None
        The proof, the counterexample, the extremum, or the theorem behind the answer.
    """

    question: str
    answer: str
    reason: str
    evidence: Found | Extremum | Entry | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.question}\n  {self.answer.capitalize()}. {self.reason}"


@dataclass(frozen=True, slots=True, repr=False)
class RefereeReport(Rows):
    """The answers of `fstheory.referee` to its questions about a claim.

    Attributes
    ----------
    claim : str
        The name of the claim.
    answers : tuple of RefereeAnswer
        The questions with their answers.
    """

    claim: str
    answers: tuple[RefereeAnswer, ...]
    _table = "answers"
    _derived = ("status",)

    @property
    def status(self) -> str:
        """The status of the verdict on the claim: "proved", "refuted", or "undecided"."""
        return {"yes": "proved", "in part": "proved", "no": "refuted"}.get(self.answers[0].answer, "undecided")

    def __str__(self) -> str:
        return "\n\n".join([f"A referee reads {self.claim}", *map(str, self.answers)])

    def _repr_html_(self) -> str:
        rows = [(row.question, row.answer, row.reason) for row in self.answers]
        return table_html(Table(("question", "answer", "reason"), rows), caption=str(self).partition("\n")[0])


# -- Claims that are made from a claim.


def _implication(formula: Node) -> tuple[tuple[Node, ...], Node]:
    """Return the premises and the conclusion of a formula, as `m.implies` writes it: not p, or q.

    The last part always belongs to the conclusion. Equations are denied premises if no part before it is a denial.
    """
    parts = formula[1:-1] if formula[0] == "or" else ()
    denied = [part for part in parts if part[0] == "not"] or [part for part in parts if part[0] == "="]
    premise = conjunction(*map(negation, denied))
    conclusion = disjunction(*(part for part in formula[1:] if part not in denied)) if denied else formula
    return premise[1:] if premise[0] == "and" else (premise,), conclusion


def _implied(given: Iterable[Node], conclusion: Node) -> Node:
    return disjunction(*map(negation, given), conclusion)


def _parts(formula: Node) -> tuple[Node, ...]:
    """Return the parts of a conjunction, or the formula as its only part. The true formula has no parts."""
    return formula[1:] if formula[0] == "and" else (formula,)


_Change: TypeAlias = "Callable[[tuple[Node, ...], Node], Node]"
"""Makes a formula from the premises and the conclusion of another one."""


def _changed(claim: Claim, name: str, change: _Change, *, read: bool = False) -> Claim:
    """Return a claim with changed formulas. With `read`, the formula with symbols is changed if the claim has one."""

    def new(formula: Node) -> Node:
        return conjunction(*(change(*_implication(part)) for part in _parts(formula)))

    def body(*values: Any) -> Formula:
        return Formula(new(formula_node(claim.body(*values))))

    reading = claim.reading if read else None
    reading = None if reading is None else (new(reading[0]), *reading[1:])
    named = f"{claim.name}, {name}"
    body = functools.update_wrapper(body, claim.body)
    return replace(claim, name=named, body=body, _readings=[reading], _deciding=None)


def _compared_by(claim: Claim, name: str, make: Callable[[Node, Node], Node]) -> Claim:
    """Return a claim whose conclusions are made from the two sides of the inequalities that a claim concludes."""

    def change(given: tuple[Node, ...], conclusion: Node) -> Node:
        return _implied(given, make(*conclusion[1:])) if conclusion[0] in _INEQUALITIES else TRUE

    return _changed(claim, name, change)


def _follows(shown: Sequence[Instance], known: Sequence[Instance], statement: Statement, clock: Clock) -> bool:
    """Return whether formulas follow from known ones by arithmetic. Nothing is known but that values are at least 0."""
    formulas, premises = ([instance.formula for instance in part] for part in (shown, known))
    if not isinstance(statement.shape, EverySize):  # the unknowns are probabilities, from which too much follows
        return {*map(canonical_text, formulas)} <= {*map(canonical_text, premises)}
    z3, unknowns = load_z3(), EverySizeUnknowns(replace(statement, show=(*shown, *known)))
    encoder = Encoder(z3, unknowns)
    solver = z3.SolverFor("QF_LRA", ctx=encoder.context)
    denied = ("not", conjunction(*formulas))
    solver.add(*(encoder.formula(node) for node in (*premises, *statement.assumed, denied)))
    solver.add(*encoder.definitions, *encoder.distribution()[:-1])  # the values need not add up to 1
    return not z3_answer(solver, clock)


# -- Sentences.


def _seen(found: Refuted | None) -> str:
    """Return the words on the distribution of a refutation: where it is, and some values there."""
    assert found is not None
    d, values = found.distribution, found.values.items()
    shape = f"a distribution with {Shape(d.cardinalities, len(d.classes))}"
    pairs = (pair for pair in values if 1 < len(pair[0]) <= _SHORT and pair[0] not in dict(found.where))
    short = [f"{term} = {number}".replace("= ≈", "≈ ") for term, number in pairs][:_FEW]
    there = f", where {' and '.join(short)}" * bool(short)
    return (repr(d) if len(repr(d)) <= _LONG else shape) + located(found.where) + there


def _against(found: Refuted) -> str:
    """Return the sentences on a counterexample."""
    smaller = "No smaller one exists." if found.minimality.startswith("proved") else "A smaller one may exist."
    return f"A counterexample is {_seen(found)}. {smaller}"


def _proof(found: Proved) -> str:
    classes = "any number of classes" if found.shape.classes is None else f"{found.shape.classes} classes"
    about = f"every number of features and of states, {classes}" if _EVERY in found.evidence else str(found.shape)
    return f"It is proved for {about} ({found.evidence})."


def _open(why: object = "") -> Words:
    """Return the words on a question that is not decided: a reason, an error, or an answer that has a reason."""
    reason = getattr(why, "reason", None) or (why if isinstance(why, str | Exception) else "")
    reason = f"no counterexample was found in {why.searched}" if isinstance(why, NotRefuted) else str(reason)
    reason = reason or "the time limit was reached"
    return "not decided", f"{reason[0].upper()}{reason[1:]}.", None


def _decided(found: Found, proved: str, said: str, refuted: str) -> Words:
    """Return the words on a claim that a question asks about: the answers if it is proved, and if it is refuted."""
    if isinstance(found, Proved):
        return proved, f"{said} {_proof(found)}".lstrip(), found
    return (refuted, _against(found), found) if isinstance(found, Refuted) else _open(found)


# -- The questions.

_PREMISE, _NEEDED = "Can the premises hold together?", " needed?"


class _Referee:
    """The questions about a claim, for some sizes of increasing numbers of features."""

    def __init__(self, claim: Claim, spelled: Sequence[Statement], executor: Workers) -> None:
        self.claim, self.spelled, self.executor = claim, spelled, executor

    @property
    def size(self) -> Shape:
        """The size with the most features."""
        return self.spelled[-1].shape

    @property
    def shown(self) -> tuple[Instance, ...]:
        """The formulas of the claim for the most features."""
        return self.spelled[-1].show

    def answers(self, clock: Clock) -> list[RefereeAnswer]:
        """Return the answers. A third of the time is for the claim itself, and the other questions share the rest."""
        with clock.at_most(clock.left / 3) as own:
            verdicts = self._verdicts(self.claim, own)
        verdict, proved = verdicts[-1], [found for found in verdicts if isinstance(found, Proved)]
        all_sizes = isinstance(verdict, Proved) and _EVERY in verdict.evidence
        answer, reason, evidence = _decided(verdict, "yes" if all_sizes else "in part", "", "no")
        if isinstance(verdict, Proved) and not self.shown:
            reason = f"It says nothing here, because each of its formulas is true by its form. {reason}"
        if proved and verdict is not proved[-1]:
            reason += f" With fewer features it is true. {_proof(proved[-1])}"
        answers = [RefereeAnswer("Is the claim true?", answer, reason, evidence)]
        if isinstance(verdict, Proved) and not self.shown:
            return answers
        size = self.size
        if not isinstance(verdict, Proved | Refuted) and proved:
            self.spelled = self.spelled[: len(proved)]
        questions = dict(self._questions(verdict))
        for place, (question, ask) in enumerate(questions.items()):
            try:
                with clock.at_most(clock.left / (len(questions) - place)) as own:
                    words = ask(own)
            except (*GAVE_UP, ClaimError) as error:
                words = _open(error)
            answers.append(RefereeAnswer(question, *words))
            if words[0] == "no" and question == _PREMISE:  # from a contradiction, anything follows
                answers[0] = replace(answers[0], reason=f"It says nothing: its premise never holds. {reason}")
                break
            found = words[2] if question.endswith(_NEEDED) and answers[0].answer == "not decided" else None
            if isinstance(found, Proved) and (_EVERY in found.evidence or found.shape == size):
                reason = "It is true even without one of its premises, see below."
                answers[0] = replace(answers[0], answer="yes", reason=reason, evidence=found)
        return answers

    def _verdict(self, claim: Claim, clock: Clock) -> Found:
        """Return the refutation with the fewest features, or else the verdict for the most features."""
        return self._verdicts(claim, clock)[-1]

    def _verdicts(self, claim: Claim, clock: Clock) -> list[Found]:
        """Return the verdicts for increasing numbers of features, up to one that decides the claim for all."""
        found = list[Found]()
        for statement in self.spelled:
            found.append(last := self._at(claim, statement.shape, clock))
            if isinstance(last, Refuted) or (isinstance(last, Proved) and _EVERY in last.evidence):
                break
        return found

    def _at(self, claim: Claim, size: Shape, clock: Clock) -> Found:
        """Return the verdict on a claim for one size."""
        if isinstance(size, EverySize):
            return decide(claim, size, clock, ShapeRange(None, size.classes), self.executor)
        found: Found = search(claim, ShapeRange(size.cardinalities, size.classes), clock, executor=self.executor)
        if isinstance(found, NotRefuted):
            with suppress(NotLinearError, MissingDependencyError, OutOfTime), Crew(self.executor) as crew:
                found = Prover(claim.statement(size), clock, crew=crew).verdict()
        return found

    def _questions(self, verdict: Found) -> Iterator[tuple[str, Callable[[Clock], Words]]]:
        """Yield the questions that make sense about the claim, each with the function that answers it."""
        parts = [_implication(part) for instance in self.shown for part in _parts(instance.formula)]
        counts = {len(given) for given, _ in parts} - {0}
        bounds = all(one[0] in _INEQUALITIES and one[:2] != ("<", ZERO) for _, one in parts)
        if isinstance(self.size, EverySize) and isinstance(verdict, Proved):
            yield "Is it proved for every number of features?", functools.partial(self._every_number, verdict)
        if isinstance(verdict, Refuted) and self.size.classes is None and len(verdict.distribution.classes) > 2:
            yield "Is it true with two classes?", self._two_classes
        if (counts or self.claim.assumptions) and not isinstance(verdict, Refuted):
            yield _PREMISE, self._premise
            for assumption in self.claim.assumptions:
                weaker = self.claim.without(assumption)
                yield f"Is the assumption {assumption.name} needed?", functools.partial(self._needed, weaker)
            premises = list(self._premises())
            for place, text in premises:
                weaker = _changed(self.claim, f"without {text}", functools.partial(_dropped, place), read=True)
                yield f"Is the premise {text} needed?", functools.partial(self._needed, weaker)
            if counts and not premises:
                yield "Is each premise needed?", lambda _: _open(_DIFFERENT)
        if counts:
            yield "Is the converse true?", functools.partial(self._converse, verdict)
        if bounds and not any(instance.parameters or instance.formula[0] == "and" for instance in self.shown):
            title = "Is a weaker bound true?" if isinstance(verdict, Refuted) else "Is the bound sharp?"
            yield title, functools.partial(self._sharp, verdict)
        if isinstance(verdict, Proved):
            yield "Does a theorem of the ledger imply it?", self._known

    def _premises(self) -> Iterator[tuple[int, str]]:
        """Yield the place and the text of each premise that compares numbers, if all formulas have the same premises.

        The text is that for the first values of the variables that have nothing in common.
        """
        read = [one.formula for one in self.shown] if self.claim.reading is None else [self.claim.reading[0]]
        listed = [given for formula in read for part in _parts(formula) if (given := _implication(part)[0])]
        longest: tuple[Node, ...] = max(listed, key=len) if listed else ()
        places = [place for place, part in enumerate(longest) if compared(part)]
        shown = [(one, _implication(part)[0]) for one in self.shown for part in _parts(one.formula)]
        same = [pair for pair in shown if len(pair[1]) == len(places)]
        if same and len({*map(len, listed)}) == 1:
            one, given = next((pair for pair in same if _is_typical(pair[0])), same[0])
            where = f" ({located(one.where, '')})" * bool(one.where)
            yield from zip(places, (text_of(part, self.size) + where for part in given), strict=True)

    def _every_number(self, verdict: Proved, clock: Clock) -> Words:
        if _EVERY in verdict.evidence:
            return "yes", "The claim is a formula about sets, and a few features stand for any number of them.", verdict
        found = prove(self.claim, features="every", classes=self.size.classes, time_limit=clock.left)
        if isinstance(found, Proved):
            return "yes", f"It is {found.evidence.split('; ')[-1]}.", found
        return _decided(found, "yes", "", "no")

    def _two_classes(self, clock: Clock) -> Words:
        two = [replace(one, shape=EverySize(len(one.shape.features), 2)) for one in self.spelled]
        found = _Referee(self.claim, two, self.executor)._verdict(self.claim, clock)
        return _decided(found, "yes", "", "no")

    def _premise(self, clock: Clock) -> Words:
        """Answer by a distribution that satisfies the assumptions and a premise, or by a proof that there is none."""
        never = _changed(self.claim, "its premise never holds", lambda given, _: negation(conjunction(*given)))
        found = self._verdict(never, clock)
        if isinstance(found, Refuted):
            return "yes", f"It holds for {_seen(found)}.", found
        if isinstance(found, Proved):
            return "no", f"No distribution satisfies it, so the claim says nothing. {_proof(found)}", found
        return _open(found)

    def _needed(self, weaker: Claim, clock: Clock) -> Words:
        return _decided(self._verdict(weaker, clock), "no", "The claim is true without it.", "yes")

    def _converse(self, verdict: Found, clock: Clock) -> Words:
        converse = _changed(self.claim, "converse", lambda given, said: _implied([said], conjunction(*given)))
        both = "Premise and conclusion are equivalent." if isinstance(verdict, Proved) else ""
        return _decided(self._verdict(converse, clock), "yes", both, "no")

    # The sharp bound

    def _sharp(self, verdict: Found, clock: Clock) -> Words:
        """Answer by a distribution at which both sides are equal, or by the least difference of the two sides."""
        if isinstance(verdict, Proved):
            below = _compared_by(self.claim, "its sides are never equal", functools.partial(comparison, "<"))
            found = self._verdict(below, clock.at_most(clock.left / 3))
            if isinstance(found, Refuted):
                return self._factor(found, clock)
        gap = self._gap(clock)
        if gap.lower is None or gap.upper is None:
            return _open(gap)
        if gap.value is None:
            ends = f"between {to_text(gap.lower)} and {to_text(gap.upper)}"
            return _open(f"the least value of the right side less the left side is {ends}")
        if gap.value == 0:
            words = "is true if both sides may be equal" if isinstance(verdict, Refuted) else "cannot be sharpened"
            return "yes", f"The claim {words}. The two sides are equal or nearly so for {_seen(gap.example)}.", gap
        near = f"attained by {_seen(gap.example)}" if gap.attained else "approached, and not attained"
        answer = "no" if gap.value > 0 else "yes"
        return answer, f"{self._corrected(gap.value)} No better number is true. It is {near}.", gap

    def _gap(self, clock: Clock) -> Extremum:
        """Return the least difference of the right and the left side, where the premise holds."""
        claim, size = self.claim, self.size
        every = isinstance(size, EverySize)

        def read(*values: Any) -> tuple[Node, Node]:
            given, conclusion = _implication(formula_node(claim.body(*values)))
            if conclusion[0] not in _INEQUALITIES:
                return FALSE, ZERO
            return conjunction(*given), difference(conclusion[2], conclusion[1])

        def made(body: Callable[..., Any]) -> Any:
            return replace(claim, body=functools.update_wrapper(body, claim.body), _readings=[None], _deciding=None)

        return infimum(
            made(lambda *values: Term(read(*values)[1])),
            subject_to=made(lambda *values: Formula(read(*values)[0])),
            assume=claim.assumptions,
            features=len(size.features) if every else None,
            cardinalities=None if every else size.cardinalities,
            classes=size.classes,
            time_limit=None if clock.left == math.inf else max(clock.left, 0.001),
            executor=self.executor,
        )

    def _corrected(self, gap: Fraction) -> str:
        """Return the sentence on the claim with the bound that is sharp, which may depend on the number of features."""
        change = f"with a right side that is {'smaller' if gap > 0 else 'larger'} by {to_text(abs(gap), 0)}"
        for side, sign in ((1, gap), (2, -gap)):
            number, *others = {_implication(one.formula)[1][side] for one in self.shown}
            if number[0] == "q" and not others:
                change = f"with {to_text(number[1] + sign, 0)} in place of {to_text(number[1], 0)}"
        return f"For {self.size}, the claim is true {change}."

    def _factor(self, equal: Refuted, clock: Clock) -> Words:
        """Answer whether the right side can be multiplied by a factor below 1, if neither side has a constant."""
        reason = f"Both sides are equal for {_seen(equal)}."
        unknowns = EverySizeUnknowns(self.spelled[-1]) if isinstance(self.size, EverySize) else Unknowns(self.size)
        sides = [unknowns.terms.form(side) for one in self.shown for side in _implication(one.formula)[1][1:]]
        above = _compared_by(self.claim, "its right side is at least 0", lambda _, right: comparison("<=", ZERO, right))
        if any(ONE in form or not form for form in sides) or not isinstance(self._verdict(above, clock), Proved):
            return "yes", reason, equal

        def with_factor(number: int) -> Found:
            def make(left: Node, right: Node) -> Node:
                return comparison("<=", left, product(constant(Fraction(number, _FACTORS)), right))

            return self._verdict(_compared_by(self.claim, f"{number}/{_FACTORS} of its right side", make), clock)

        low, high, tried = 0, _FACTORS, _FACTORS - 1
        best: Found = equal
        while high - low > 1:
            found = with_factor(tried)
            if not isinstance(found, Proved | Refuted):
                break
            low, high, best = (low, tried, found) if isinstance(found, Proved) else (tried, high, best)
            tried = (low + high) // 2
        small = f" A factor of {to_text(Fraction(low, _FACTORS), 0)} at the right side is too small." * (low > 0)
        if high == _FACTORS:
            return "yes", reason + small, equal
        part = to_text(Fraction(high, _FACTORS), 0)
        return "no", f"For {self.size}, the claim is true even with {part} of its right side.{small}", best

    # The ledger

    def _known(self, clock: Clock) -> Words:
        """Answer by the weakest theorem of the ledger from which the claim follows by arithmetic."""
        names, last = {assumption.name for assumption in self.claim.assumptions}, self.spelled[-1]
        if all(_follows(one.show, (), one, clock) for one in self.spelled):
            return "no", "It follows by arithmetic alone, and needs no theorem.", None

        def implies_it(claim: Claim) -> bool:  # for few features first, because most theorems fail there
            shown = ((one, claim.statement(one.shape).show) for one in self.spelled)
            follows = all(_follows(one.show, known, one, clock) for one, known in shown)
            return follows and isinstance(self._at(claim, self.size, clock), Proved)

        found = list[tuple[Entry, Sequence[Instance]]]()
        for entry in claims.values():
            if entry.claim in (None, self.claim) or entry.status != "true" or not names.issuperset(entry.assumptions):
                continue
            with suppress(InvalidValueError):  # of a claim that is not about such sizes, or is too long for them
                if implies_it(entry.stated()):
                    found.append((entry, entry.stated().statement(self.size).show))
        if not found:
            return "no", "It does not follow by arithmetic alone from any one of them.", None
        weakest, known = found[0]
        for entry, other in found[1:]:
            if _follows(other, known, last, clock) and not _follows(known, other, last, clock):
                weakest, known = entry, other
        same = "says the same as" if _follows(known, self.shown, last, clock) else "follows by arithmetic from"
        return "yes", f"It {same} {weakest.id} ({weakest.paper.key}, {weakest.place}): {weakest.words}", weakest


def _is_typical(instance: Instance) -> bool:
    """Return whether the values of the variables share no features, and no set of features is empty."""
    values = [value if isinstance(value, list) else [str(value)] for _, value in instance.where]
    names = [str(name) for value in values for name in value]
    return all(values) and len(names) == len(set(names))


def _dropped(place: int, given: tuple[Node, ...], conclusion: Node) -> Node:
    return _implied((part for i, part in enumerate(given) if i != place), conclusion)


def _spelled(claim: Claim, size: Shape) -> list[Statement]:
    """Return the claim spelled out for a size and for fewer features, as far as it is about such sizes."""
    found, sizes = list[Statement](), [size]
    if isinstance(size, EverySize):
        sizes = [EverySize(number, size.classes) for number in range(1, size.number + 1)]
    for here in sizes:
        try:
            statement = claim.statement(here)
        except ClaimError as error:  # the claim may name a feature that larger sizes have
            if not isinstance(error.__cause__, UnknownNameError) or here == size:
                raise
            continue
        if isinstance(here, EverySize):
            unknowns = EverySizeUnknowns(statement)
            for instance in (*statement.assume, *statement.show):
                unknowns.require_linear(instance, claim.title)
        found.append(statement)
    return [statement for statement in found if statement.show] or found[-1:]


def referee(
    claim: Claim | Entry | str,
    *,
    features: int | None = None,
    cardinalities: Iterable[int] | None = None,
    classes: int | None = None,
    time_limit: float | None = 60,
    executor: Workers = None,
    progress: Progress = None,
) -> RefereeReport:
    """Ask the questions of a critical reader about a claim, and answer each by a proof or a counterexample.

    Use it before you publish a claim. The questions are these:

    - Is the claim true?
    - Can its premise hold at all?
    - Is each assumption and each premise needed?
    - Is the converse true?
    - Is the bound sharp? If the claim is false, which bound is true?
    - Does a theorem of the ledger imply it?

    Parameters
    ----------
    claim : Claim, Entry or str
        The claim, an entry of a ledger, or the id of an entry.
    features : int, optional
        The largest number of features that is tried. The default is 3. A claim about states is asked about two binary
        features.
    cardinalities : iterable of int, optional
        Instead of `features`: the number of states of each feature.
    classes : int, optional
        The number of classes. The default is any number, or 2 if the claim asks about classes.
    time_limit : number or None
        The number of seconds for all questions together. A third of it is for the claim itself. A question that is
        interrupted is not decided.
    executor, progress
        As in `refute`.

    Returns
    -------
    RefereeReport
        The questions and answers. Each answer has its `evidence`.

    Raises
    ------
    InvalidValueError
        The entry is not about one distribution, or the claim computes with ``m.distribution``.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> @claim
    ... def saved(m):
    ...     return m.risk(()) - m.risk("X1") <= "3/4"
    >>> for answer in referee(saved, features=1, classes=2).answers:
    ...     print(answer)
    Is the claim true?
      In part. It is proved for 1 feature of any numbers of states, 2 classes (case split).
    Is it proved for every number of features?
      Not decided. It is proved for features=1, 2, 3, 4, 5; larger numbers are undecided, because the claim names or
      counts features.
    Is the bound sharp?
      No. For 1 feature of any numbers of states, 2 classes, the claim is true with 1/2 in place of 3/4. No better
      number is true. It is attained by JointDistribution([[0, 1], [1, 0]]), where R({X1}) + 3/4 - R({}) = 1/4.
    Does a theorem of the ledger imply it?
      No. It does not follow by arithmetic alone from any one of them.
    """
    found, answers = find_claim(claim), [RefereeAnswer("Is the claim true?", *_open())]
    if features is None and cardinalities is None:
        sizes: list[Shape] = [EverySize(_FEATURES, classes), EverySize(_FEATURES, classes or 2)]
        sizes += [Shape((2,) * number, classes or 2) for number in (2, _FEATURES)]
    else:
        sizes = [asked_size(cardinalities, features, classes)]
    with Clock(time_limit, progress) as clock, suppress(OutOfTime):
        for size in sizes:
            with suppress(*[ClaimError] * (size is not sizes[-1])):  # it may ask about classes, states or more features
                spelled = _spelled(found, size)
                if spelled[-1].show or size is sizes[-1] or size is sizes[0]:
                    answers = _Referee(found, spelled, executor).answers(clock)
                    break
    return RefereeReport(found.title, tuple(answers))
