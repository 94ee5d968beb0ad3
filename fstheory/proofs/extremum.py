"""`supremum` and `infimum`: the largest and smallest value of a term over all distributions, with proofs.

The search is branch and bound. It maximizes the term in the linear relaxation of each branch, and it splits branches as
a proof by cases does. Then a proof certifies that no value is beyond, and a distribution certifies that the value is
reached.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, TypedDict, Unpack

from fstheory._support.exact import Exact, as_fraction, exact_text, parse_fraction, to_text
from fstheory._support.journal import Journal, Resume
from fstheory._support.progress import Clock, OutOfTime, Progress
from fstheory._support.result import Result
from fstheory._support.work import Crew, Workers
from fstheory.checker.statement import ONE
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, NotLinearError, explain, require
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim, assignments, assumptions_in, choose_domains, name_of, variables_of
from fstheory.logic.evaluate import Number, truth, value
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import (
    Formula,
    Node,
    Term,
    conjunction,
    constant,
    log_divisor,
    term_node,
    with_leaves,
)
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape, Where, generators, image_instances, invariant_under, located, text_of
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.cases import Branch, CaseSplit, Path
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.every_size.constructions import constructions
from fstheory.proofs.every_size.evidence import evidence_of
from fstheory.proofs.every_size.search import GAVE_UP, decided
from fstheory.proofs.every_size.unknowns import EverySizeUnknowns
from fstheory.proofs.linear import VALUE, Disjunction, Point, Unknowns
from fstheory.proofs.prover import Prover, asked_size, proof_journal
from fstheory.proofs.refutation import NEARBY, decide, first_refuted, search
from fstheory.proofs.solvers import NoAnswer, Relaxation, number_in_model, z3_answer

# -- The search: the largest value in each branch.


Bound: TypeAlias = "tuple[Fraction, Fraction, Fraction]"
"""How large a value can be: by how much it is infinite, its supremum, and the part of an infinitesimal that it lacks.

The last number is 0 if the supremum is attained, and else below 0.
"""

_FAR = Fraction(10**6)  # stands for a bound that is not known yet
_NEAR = Fraction(1, 1000)  # the distance from a supremum that is not attained
_ROUNDS = 12  # of tangents in one branch
_TOGETHER = 64  # branches that one worker looks at before what stays open is given to all


class _Program(Relaxation):
    """A relaxation that also says how large the value can be."""

    _engine = "Optimize"

    def largest(self, value: int) -> tuple[Bound, Point] | None:
        """Return the bound of an unknown, with a point that attains it or is near it. Return None without a point."""
        unknown = self._encoder.unknown(value)
        self._solver.push()
        handle = self._solver.maximize(unknown)
        found = z3_answer(self._solver, self._clock)
        parts = self._solver.upper_values(handle) if found else ()
        self._solver.pop()
        if not found:
            return None
        infinite, number, lacking = map(number_in_model, parts)
        least = _FAR if infinite else number - (_NEAR if lacking else 0)
        self._solver.push()
        self._solver.add(self._encoder.comparison({ONE: -least, value: 1}, ">="))
        if not z3_answer(self._solver, self._clock):
            raise ArithmeticError(f"no value is at least {least}, although the solver says so")
        point = self.point()
        self._solver.pop()
        return (infinite, number, lacking), point


Open: TypeAlias = "tuple[Path, Bound | None]"
"""A branch that is left for later, with a bound of its values, if one is known."""


Dive: TypeAlias = "tuple[Bound | None, list[Open], bool]"
"""The largest value that is known after a look at some branches, those that are left, and whether the time was over."""


class Climb(CaseSplit):
    """The search for the largest value at which assumptions hold and a formula does not."""

    _relaxing = _Program

    def __init__(
        self, unknowns: Unknowns, assume: Sequence[Node], formula: Node, clock: Clock, best: Bound | None
    ) -> None:
        super().__init__(unknowns, assume, formula, clock)
        self._best, self._looked, self._stopped, self._left = best, 0, False, list[Open]()

    def dive(self, path: Path) -> Dive:
        """Look at a branch and at the cases that it is split into, as many as one worker looks at."""
        self._climb(self._entered(path), None)
        return self._best, self._left, self._stopped

    def _climb(self, branch: Branch, above: Bound | None) -> None:
        """Look at a branch below a bound, or note it as one that is left."""
        self._looked += 1
        try:
            if self._stopped or self._looked > _TOGETHER:
                raise OutOfTime
            levels, found = self._largest()
        except (NoAnswer, OutOfTime):
            self._stopped = self._stopped or self._looked <= _TOGETHER
            self._left.append((branch.path, above))
            return
        if found is not None and (self._best is None or found[0] > self._best):
            self._split(branch, *found)
        for _ in range(levels):
            self._relaxation.pop()

    def _split(self, branch: Branch, bound: Bound, point: Point) -> None:
        """Climb in the cases of a branch, first where the point is; or note its value, if nothing is to be split."""
        candidates = itertools.chain(self._candidates(branch, point), self._undecided(branch, bound[-1]))
        target = next(candidates, None)
        if target is None:
            self._best = bound
            return
        images = branch.images(target.cases, self._unknowns)
        own = [i for i, (source, _) in enumerate(images) if source == i]
        for i in sorted(own, key=lambda i: not target.cases[i].holds(point)):
            self._relaxation.push(target.cases[i].constraints)
            self._climb(branch.extended(target, i), bound)
            self._relaxation.pop()

    def _largest(self) -> tuple[int, tuple[Bound, Point] | None]:
        """Return the bound of the branch and a point there, and how many rounds of tangents were added for it."""
        assert isinstance(self._relaxation, _Program)
        unknowns, value = self._unknowns, self._unknowns.terms.parameters[VALUE[1]]
        found, rounds = self._relaxation.largest(value), 0
        while found is not None and rounds < _ROUNDS and isinstance(unknowns, EverySizeUnknowns):
            point = found[1]
            tangents = unknowns.tangents_at([Fraction(point[cell], point[ONE]) for cell in unknowns.numbers])
            if not tangents:
                break
            self._relaxation.push(itertools.starmap(unknowns.fact, tangents))
            found, rounds = self._relaxation.largest(value), rounds + 1
        return rounds, found

    def _undecided(self, branch: Branch, lacking: Fraction) -> Iterator[Disjunction]:
        """Yield the disjunctions that must be decided before a value that is not attained is known to be approached."""
        if lacking:
            yield from branch.disjunctions
            every = itertools.chain(map(self._unknowns.attained, self._maxima), self._unknowns.splits)
            yield from (disjunction for disjunction in every if disjunction not in branch.split)


def _dive(unknowns: Unknowns, assume: Sequence[Node], chunk: Any) -> Dive:
    """Look at a branch of an instance in so many milliseconds, given the largest value that is known."""
    _, path, formula, best, left = chunk
    with Clock(left and left / 1000, None) as clock:
        return Climb(unknowns, assume, formula, clock, best).dive(path)


# -- The question in claims, and the answer with its certificates.


_SHARE = 0.5  # the share of the time left for the search; the rest is for proofs
_WITHIN = (Fraction(1, 100), Fraction(1, 10))  # tried distances of a distribution from a value that is not attained
_PATIENCE = 10.0  # seconds for each of these distances
_ROUNDED = (None, 10_000, 1_000, 100)  # the denominators to which a bound is rounded that cannot be proved as it is
_FEW = 3  # the most features for which a smaller distribution is searched than the constructed one
_SIMPLE = 1000  # the largest denominator of a bound by tangents that a distribution may attain
_CLOSE = Fraction(1, 20)  # if a distribution is nearer to a bound than this share of it, no nearer one is searched


def refuted(claim: Claim, shape: Shape, clock: Clock, executor: Workers = None, *, few: int = _FEW) -> Refuted | None:
    """Return a refutation, or None if none is found in the time left, or in a short search.

    If there are so few features of any size, the smallest distribution is looked for, not the one that is constructed.
    """
    found: Any = None
    if not isinstance(shape, EverySize):
        shapes = ShapeRange(shape.cardinalities, shape.classes)
        found = search(claim, shapes, clock, executor=executor, budget=NEARBY)
    elif shape.number <= few:
        found = decide(claim, shape, clock, ShapeRange(None, shape.classes), executor)
    else:
        with suppress(*GAVE_UP), Crew(executor) as crew:
            statement = claim.statement(shape)
            if isinstance(false := decided(statement, clock, crew), tuple):
                found, _ = first_refuted(claim, constructions(statement, false[1], clock), clock)
    return found if isinstance(found, Refuted) else None


_COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class _Search:
    """The search for the largest or smallest value of a term."""

    def __init__(self, term: Callable[..., Any], options: _Options, *, largest: bool) -> None:
        given = options.get("subject_to")
        for argument, one in (("term", term), ("subject_to", given)):
            if one is not None and not callable(one):
                raise InvalidTypeError(explain(argument, "a function of a Model", one, "write lambda m: m.risk('X1')"))
        self.term: Callable[..., Any] = term.body if isinstance(term, Claim) else term
        self.condition: Callable[..., Any] | None = given.body if isinstance(given, Claim) else given
        name = name_of(self.term)
        self.variables = variables_of(self.term, name)
        self.shared = () if self.condition is None else variables_of(self.condition, "subject_to")
        others, own = [name for name in self.shared if name not in self.variables], list(self.variables)
        require(not others, "subject_to", f"about the variables of the term, {own}", others, "name them alike")
        self.name = "value" if name == "<lambda>" else name
        self.domains = term.domains if isinstance(term, Claim) else choose_domains(own, {})
        self.disjoint = isinstance(term, Claim) and term.disjoint
        self.assumptions = assumptions_in(options.get("assume", ()))
        self.shape = asked_size(options.get("cardinalities"), options.get("features"), options.get("classes", 2))
        self.largest, self.sign = largest, 1 if largest else -1

    def spell_out(self) -> None:
        """Make the statement that no value is above a parameter, and the unknowns of this statement."""
        self.statement = self.claim(self.name, self._below).statement(self.shape)
        free = [str(instance) for instance in self.statement.show if instance.parameters]
        require(not free, "term", "without parameters", free, "give each parameter a value")
        every = isinstance(self.shape, EverySize)
        self.unknowns = EverySizeUnknowns(self.statement, beyond=True) if every else Unknowns(self.shape)
        for instance in (*self.statement.assume, *self.statement.show):
            self.unknowns.require_linear(instance, self.name)
        kinds = self.unknowns.kinds if isinstance(self.unknowns, EverySizeUnknowns) else {"P"}
        self.is_exact = len(kinds) == 1 and "H" not in kinds  # the facts on one criterion are all there are

    def answer(self, clock: Clock, executor: Workers, crew: Crew, journal: Journal) -> Extremum:
        """Return the answer. What it says of bounds and of values is certified."""
        self.clock, self.executor, self.crew, self.journal = clock, executor, crew, journal
        best, left = self._climbed()
        if best is None and not left:
            proof = self._proved(self.never)
            return self._result("undecided", reason=_UNPROVED) if proof is None else self._result("empty", proof)
        known = [bound for bound in (best, *left) if bound is not None]
        infinite, number, lacking = (
            max(known) if known and None not in left else (Fraction(1), Fraction(0), Fraction(0))
        )
        if infinite:
            return self._result("undecided", example=self._raised(None), reason=_UNBOUNDED)
        strict = bool(self.is_exact and lacking and not left)
        bound, proof = self._bounded(number, strict=strict)
        if proof is None:
            return self._result("undecided", example=self._raised(bound), reason=_UNPROVED)
        if not left and (strict or (not lacking and (self.is_exact or bound.denominator <= _SIMPLE))):
            example = self._near(bound) if strict else self._refuted(self.none_beyond(bound, strict=True))
            if example is not None:
                return self._result("approached" if strict else "attained", proof, bound, example)
        return self._result("bounded", proof, bound, self._raised(bound))

    def _result(
        self,
        status: str,
        proof: Proved | None = None,
        bound: Fraction | None = None,
        example: Refuted | None = None,
        reason: str = "",
    ) -> Extremum:
        reached, where = (None, ()) if example is None else self._reached(example.distribution)
        asked = tuple(instance.formula for instance in self.statement.show), self.assumptions
        reason = "the time limit was reached" if reason and self.clock.left <= 0 else reason
        kind = status, self.name, self.largest, self.shape
        return Extremum(*kind, bound, reached, where, proof, example, reason, asked)

    # The claims that are proved or refuted

    def claim(self, name: str, said: Callable[[Term], Formula | bool]) -> Claim:
        """Return the claim that the condition implies something of the term."""

        def body(m: Model, *values: Any) -> Formula:
            return m.implies(self._meets(m, *values), said(Term(term_node(self.term(m, *values)))))

        body = functools.update_wrapper(body, self.term)
        return Claim(name, body, self.domains, self.assumptions, self.disjoint)

    def _below(self, value: Term) -> Formula:
        """Return the formula that a value is below an unknown number. Refuse an information in bits."""
        if unit := log_divisor(term_node(value)):
            log = text_of(unit, self.shape)
            raise NotLinearError(f"{self.name} is divided by {log}; leave {log} out, and divide the answer by it")
        return self.sign * value < Term(VALUE)

    @property
    def never(self) -> Claim:
        """The claim that no distribution meets the condition."""
        return self.claim(f"no distribution meets the condition of {self.name}", lambda _: False)

    def none_beyond(self, number: Fraction, *, strict: bool = False) -> Claim:
        """Return the claim that no value is beyond a number or, if `strict`, equal to it."""
        sign = ("<" if self.largest else ">") + "=" * (not strict)
        compare: Callable[[Term, Fraction], Formula] = _COMPARED[sign]
        return self.claim(f"{self.name} {sign} {exact_text(number)}", lambda value: compare(value, number))

    def _meets(self, m: Model, *values: Any) -> Any:
        named = dict(zip(self.variables, values, strict=True))
        return True if self.condition is None else self.condition(m, *(named[variable] for variable in self.shared))

    def _reached(self, d: JointDistribution) -> tuple[Number, Where]:
        """Return the value at a distribution that meets the condition, and the values of the variables there."""
        model, exceeds = Model(d, possible=True), operator.gt if self.largest else operator.lt
        every = assignments(model, self.domains, self.name, disjoint=self.disjoint)
        met = ((values, where) for values, where in every if truth(self._meets(model, *values), d))
        found = ((value(self.term(model, *values), d), where) for values, where in met)
        with Clock(None, None):  # also after the time limit
            return functools.reduce(lambda best, other: other if exceeds(other[0], best[0]) else best, found)

    # The search

    def _climbed(self) -> tuple[Bound | None, list[Bound | None]]:
        """Return the largest value that was found, and bounds of the branches that there was no time for."""
        statement, clock = self.statement, self.clock.at_most(_SHARE * self.clock.left)
        stand_in = Shape((1,) * self.unknowns.n, 1) if isinstance(self.unknowns, EverySizeUnknowns) else statement.shape
        kept = invariant_under(generators(stand_in), statement.assumed)
        images = image_instances(statement.shown, kept, stand_in)
        waiting: list[tuple[int, Path]] = [(i, ()) for i, (source, _) in enumerate(images) if source == i]
        best, work = None, functools.partial(_dive, self.unknowns, statement.assumed)
        late: list[Bound | None] = []
        while waiting:
            known = {step: dive for step in waiting if (dive := self._noted(step))}
            new = (step for step in waiting if step not in known)
            chunks = ((i, path, statement.shown[i], best, clock.milliseconds()) for i, path in new)
            dives, opened = self.crew.map(work, chunks, self._note), list[tuple[int, Path]]()
            for done, step in enumerate(waiting):
                with suppress(OutOfTime):  # what is left stops by itself
                    clock.count(done, len(waiting), "branches", f"{self.name} for {statement.shape}: ")
                found, left, stopped = known.get(step) or next(dives)
                best = max((bound for bound in (best, found) if bound is not None), default=None)
                late += [bound for _, bound in left] if stopped else []
                opened += [] if stopped else [(step[0], path) for path, _ in left]
            waiting = opened
        return best, [bound for bound in late if bound is None or best is None or bound > best]

    def _note(self, chunk: Any, dive: Dive) -> None:
        best, left, stopped = dive
        if self.journal.is_kept and not stopped:
            texts = [(path, _texts(bound)) for path, bound in left]
            self.journal.put(json.dumps(chunk[:2]), {"best": _texts(best), "left": texts})

    def _noted(self, step: tuple[int, Path]) -> Dive | None:
        """Return what the journal says of a step. No answer relies on it without a proof."""
        if (noted := self.journal.get(json.dumps(step))) is None:
            return None
        try:
            left = [(tuple((str(of), int(i)) for of, i in path), _bound(texts)) for path, texts in noted["left"]]
            return _bound(noted["best"]), left, False
        except (ValueError, TypeError, LookupError) as error:
            raise self.journal.refusal(f"what it says of {step!r} is no step of it") from error

    def _proved(self, claim: Claim) -> Proved | None:
        """Return the proof of a claim, if there is one and it is found."""
        shape = self.shape
        with suppress(*GAVE_UP):
            statement = claim.statement(shape)
            if isinstance(shape, EverySize):
                found = decided(statement, self.clock, self.crew)
                if isinstance(found, Certificate):
                    return Proved(claim.title, shape, evidence_of(claim, statement, found, self.clock), found)
                return None
            self.journal.part = f"{claim.title}, "
            verdict = Prover(statement, self.clock, crew=self.crew, journal=self.journal).verdict()
            return verdict if isinstance(verdict, Proved) else None
        return None

    def _bounded(self, number: Fraction, *, strict: bool) -> tuple[Fraction, Proved | None]:
        """Return a bound with its proof. If the best bound cannot be proved as it is, it is rounded.

        If it is strict, the proof says also that no value is equal to it.
        """
        proof, bound = None, number
        for parts in (None,) if self.is_exact else _ROUNDED:
            bound = self.sign * (Fraction(math.ceil(number * parts), parts) if parts else number)
            proof = self._proved(self.none_beyond(bound, strict=strict))
            if proof is not None:
                break
        return bound, proof

    def _refuted(self, claim: Claim, seconds: float = math.inf) -> Refuted | None:
        return refuted(claim, self.shape, self.clock.at_most(seconds), self.executor)

    def _near(self, bound: Fraction) -> Refuted | None:
        """Return a distribution whose value is near to a bound."""
        claims = (self.none_beyond(bound - self.sign * within) for within in _WITHIN)
        found = (self._refuted(claim, _PATIENCE) for claim in claims)
        return next((example for example in found if example is not None), None)

    def _raised(self, bound: Fraction | None) -> Refuted | None:
        """Return a distribution whose value is as near to a bound as some short searches find one."""
        best = found = self._refuted(self.never)
        while found is not None and bound is not None:
            best = found
            reached = Fraction(float(self._reached(best.distribution)[0]))  # only an aim depends on it
            if abs(bound - reached) <= _CLOSE * abs(bound):
                break
            found = self._refuted(self.none_beyond(((reached + bound) / 2).limit_denominator(10_000)))
        return best


def _texts(bound: Bound | None) -> list[str] | None:
    return None if bound is None else list(map(exact_text, bound))


def _bound(texts: Any) -> Bound | None:
    return None if texts is None else tuple(map(parse_fraction, texts))  # type: ignore[return-value]


_UNBOUNDED = "no bound follows from what is known of all distributions"
_UNPROVED = "no proof was found within the limits"


@dataclass(frozen=True, repr=False)
class Extremum(Result):
    """The largest or smallest value of a term over all distributions that meet a condition; see `supremum`.

    Attributes
    ----------
    status : str
        "attained" if a distribution has the value. "approached" if distributions come within every distance of the
        value, and none has it. "empty" if no distribution meets the condition. "bounded" if only the two ends are
        known between which the value is. "undecided" if no bound was proved; `reason` says why.
    term : str
        The name of the term.
    largest : bool
        Whether the largest value was asked for, or the smallest one.
    shape : Shape
        The distributions that were asked about.
    bound : Fraction or None
        The number beyond which no value is, as `proof` shows. If the status is "attained" or "approached", it is the
        value.
    reached : exact number or None
        The value at `distribution`.
    where : tuple of pairs
        The values of the variables of the term that give the value `reached`.
    proof : Proved or None
        The verdict that no value is beyond `bound`. If the status is "approached", it also says that no value is equal
        to it. If the status is "empty", it says that no distribution meets the condition.
    example : Refuted or None
        The verdict that `reached` is reached: the refutation of the claim that no value is so large, or so small.

    Examples
    --------
    >>> largest = supremum(lambda m: m.risk("X1") - m.risk(), features=2)
    >>> largest.value, largest.attained, largest.distribution.total
    (Fraction(1, 2), True, 2)
    """

    status: str
    term: str
    largest: bool
    shape: Shape
    bound: Fraction | None
    reached: Number | None
    where: Where = field(hash=False)
    proof: Proved | None = field(repr=False)
    example: Refuted | None = field(repr=False)
    reason: str
    _asked: tuple[tuple[Node, ...], tuple[Claim, ...]] = field(repr=False, compare=False)
    _derived = ("value", "distribution")

    @property
    def value(self) -> Fraction | None:
        """The largest or smallest value, attained or approached. None if it is not known, or if there is none."""
        return self.bound if self.status in {"attained", "approached"} else None

    @property
    def attained(self) -> bool:
        """Whether a distribution is known to have the value."""
        return self.status == "attained"

    @property
    def lower(self) -> Number | None:
        """The largest known lower bound of the value."""
        return self.bound if self.value is not None or not self.largest else self.reached

    @property
    def upper(self) -> Number | None:
        """The smallest known upper bound of the value."""
        return self.bound if self.value is not None or self.largest else self.reached

    @property
    def distribution(self) -> JointDistribution | None:
        """The distribution that has the value. If none was found, the one that came nearest to the value."""
        return None if self.example is None else self.example.distribution

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of `proof`. The certificate of the distribution is ``example.certificate``."""
        return None if self.proof is None else self.proof.certificate

    def approach(self, within: Exact) -> JointDistribution:
        """Return a distribution whose value differs from `value` by at most `within`.

        Raises
        ------
        InvalidValueError
            The value is not known, or no such distribution was found.
        """
        distance = as_fraction(within, "within", above=0)
        if self.value is None or self.example is None:
            needed = "asked of a value that is attained or approached"
            raise InvalidValueError(explain("approach", needed, self.status, "use lower and upper"))
        if self.attained:
            return self.example.distribution
        sign, (formulas, assumptions) = 1 if self.largest else -1, self._asked
        aim = constant(sign * self.value - distance)
        node = conjunction(*(with_leaves(formula, {VALUE: aim}) for formula in formulas))
        claim = Claim(f"{self.term} is not near its bound", lambda _: Formula(node), (), assumptions)
        near = refuted(claim, self.shape, Clock(None, None), few=0)
        if near is None:
            raise InvalidValueError(explain("within", "large enough to find a distribution", within, "pass 1/10, say"))
        return near.distribution

    def __str__(self) -> str:
        which, side = ("largest", "above") if self.largest else ("smallest", "below")
        ends = ("at most", "at least") if self.largest else ("at least", "at most")
        shown, proved = "", ""
        if self.reached is not None:
            shown = f"{to_text(self.reached)} by {self.distribution!r}{located(self.where)}"
        if self.proof is not None:
            proved = f"{self.shape} ({self.proof.evidence})"
        bound = "" if self.bound is None else to_text(self.bound, 0 if self.value is not None else 4)
        other = f"; {ends[1]} {shown}" * bool(shown)
        texts = {
            "attained": f"{bound}, attained by {self.distribution!r}{located(self.where)}",
            "approached": f"{bound}, approached and not attained; {shown}",
            "empty": f"no distribution meets the condition; proved for {proved}",
            "bounded": f"{ends[0]} {bound}, proved for {proved}{other}",
            "undecided": f"undecided, {self.reason}{other}",
        }
        none = f"; proved that none is {'' if self.attained else 'equal or '}{side} for {proved}"
        none *= self.value is not None
        return f"{which} {self.term}: {texts[self.status]}{none}"


class _Options(TypedDict, total=False):
    features: int | None
    cardinalities: Iterable[int] | None
    classes: int | None
    subject_to: Callable[..., Formula | bool] | None
    assume: Claim | str | Iterable[Claim | str]
    time_limit: float | None
    executor: Workers
    resume: Resume
    progress: Progress


def supremum(
    term: Callable[..., Term],
    *,
    features: int | None = None,
    cardinalities: Iterable[int] | None = None,
    classes: int | None = 2,
    subject_to: Callable[..., Formula | bool] | None = None,
    assume: Claim | str | Iterable[Claim | str] = (),
    time_limit: float | None = None,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Extremum:
    """Find the largest value of a term over all distributions that meet a condition, with a proof that none is above.

    Use it to ask for a worst case: how much can a method lose, how much can a feature add? The term and the condition
    are written in the language of claims; see `fstheory.Model`.

    Parameters
    ----------
    term : function
        Its first argument is a `Model`, and it returns a term, such as ``m.risk("X1") - m.risk()``. Further arguments
        are variables, named as in a `claim`: the value is then the largest one over all values of the variables too,
        and `where` names those that give it.
    features : int, optional
        The number of features, each with any number of states.
    cardinalities : iterable of int, optional
        Instead of `features`: the number of states of each feature.
    classes : int or None
        The number of classes. None stands for any number, if `features` is given.
    subject_to : function, optional
        The condition: a function of a `Model`, and of variables of the term by their names, that returns a formula. If
        it is left out, all distributions meet it.
    assume : claims or their names
        What else the distribution must satisfy: `positive`, `unique_maximum`, or any other claim.
    time_limit : number, optional
        The number of seconds. At most half of the time is for the search, and the rest is for the proof.
    executor, resume, progress
        As in `refute`. The journal has the results of the branches of the search and, for one shape, of the proof.

    Returns
    -------
    Extremum
        The value, whether it is attained, a distribution, and certificates that `check_certificate` accepts. If the
        term or the condition speaks of informations, or if the time limit is reached, only two ends may be known: a
        bound with a proof, and the value of a distribution.

    Raises
    ------
    NotLinearError
        The term or the condition is beyond linear arithmetic; the message says which part is.

    Notes
    -----
    The unknowns are those of `prove`: for one shape the probabilities of the cells, for every size the Bayes risks of
    all subsets. Branch and bound splits the disjunctions of the condition and the maxima, and Z3 maximizes in each
    branch, exactly. So a supremum of Bayes risks is exact for every size, because a table of risks that satisfies all
    facts has a distribution. Informations are bounded by tangents with six digits. The answer does not rely on this
    search: the bound is proved afterwards, and the distribution is evaluated.

    Examples
    --------
    Keep the feature of largest Shapley value. How much more errors can this cost than the best feature makes?

    >>> def price(m):
    ...     return m.risk("X1") - m.risk("X2")
    >>> print(supremum(price, features=3, subject_to=lambda m: m.top("X1", m.shapley)))
    largest price: 1/4, attained by JointDistribution([[[[0, 0], [0, 0]], [[0, 1], [1, 0]]], [[[0, 0], [0, 1]], [[1, 0],
    [0, 0]]]]); proved that none is above for 3 features of any numbers of states, 2 classes (case split)

    What can two features gain together if each alone gains at most 1/10?

    >>> def gain(m):
    ...     return m.risk(()) - m.risk()
    >>> together = supremum(gain, features=2, subject_to=lambda m: m.all(m.alone(i) <= "1/10" for i in m.order))
    >>> together.value, together.attained, together.distribution
    (Fraction(1, 2), True, JointDistribution([[[0, 1], [1, 0]], [[1, 0], [0, 1]]]))

    How much more errors can a feature make than one that tells less of the class?

    >>> def tells_more(m):
    ...     return m.mutual_information("X1") >= m.mutual_information("X2")
    >>> worse = supremum(price, features=2, subject_to=tells_more)
    >>> worse.status, worse.upper, worse.lower
    ('bounded', Fraction(111572, 693147), Fraction(13, 85))
    """
    options = _Options(features=features, cardinalities=cardinalities, classes=classes, subject_to=subject_to)
    options |= _Options(assume=assume, time_limit=time_limit, executor=executor, resume=resume, progress=progress)
    return _answered(term, options, largest=True)


def infimum(term: Callable[..., Term], **options: Unpack[_Options]) -> Extremum:
    """Find the smallest value of a term over all distributions that meet a condition, with a proof that none is below.

    The arguments and the result are those of `supremum`.

    Examples
    --------
    >>> print(infimum(lambda m: m.risk("X2"), features=2, subject_to=lambda m: m.risk() == "1/4"))
    smallest value: 1/4, attained by JointDistribution([[[0, 0], [0, 0]], [[0, 0], [1, 3]]]); proved that none is below
    for 2 features of any numbers of states, 2 classes (case split)
    """
    return _answered(term, options, largest=False)


def _answered(term: Callable[..., Term], options: _Options, *, largest: bool) -> Extremum:
    executor, looked_for = options.get("executor"), _Search(term, options, largest=largest)
    with Clock(options.get("time_limit"), options.get("progress")) as clock, Crew(executor) as crew:
        try:
            looked_for.spell_out()
            with proof_journal(options.get("resume"), looked_for.statement) as journal:
                return looked_for.answer(clock, executor, crew, journal)
        except OutOfTime:
            kind, late = (looked_for.name, largest, looked_for.shape), "the time limit was reached"
            return Extremum("undecided", *kind, None, None, (), None, None, late, ((), ()))
