"""`realize` finds a distribution with a given order of its Bayes risks, `two_orderings` also of its informations."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from fstheory._support.journal import Journal, Resume
from fstheory._support.memory import require_cells
from fstheory._support.progress import Clock, OutOfTime, Progress
from fstheory._support.work import Crew, Workers
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import FSTheoryError, InvalidValueError, MissingDependencyError, require
from fstheory.lattice.subsets import covers, format_subset, names_of
from fstheory.logic.certificate import certificate_at, certificate_of_proof
from fstheory.logic.claims import KNOWN, Claim, assumptions_in, positive, unique_maximum
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import TRUE, Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Instance, Shape, Statement
from fstheory.logic.verdict import Impossible, Proved, Realized, Refuted, Undecided
from fstheory.proofs.construction import AnyOrdering, WeakOrder, adapted, construct, weak_order
from fstheory.proofs.prover import Prover, proof_journal
from fstheory.proofs.solvers import with_smaller_weights
from fstheory.selection.prescribed import distribution_with_gains, distribution_with_three_gains

TABLE = Path(__file__).with_name("realizable_orderings.json")  # written by tests/proofs/least_realizations.py

_TABLE = ((2,), (2, 2), (2, 2, 2))
_CASES = 24  # cells; with more, a proof by cases is seldom found in reasonable time
_PATIENCE = 60.0  # seconds for a proof by cases


def realize(
    ordering: AnyOrdering,
    *,
    features: int | Iterable[str] | None = None,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    assume: Claim | str | Iterable[Claim | str] = (),
    time_limit: float | None = None,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Realized | Impossible | Undecided:
    """Find a distribution whose Bayes risks have a given order, or show that there is none.

    Parameters
    ----------
    ordering : str, Ordering or iterable of levels
        All subsets, from the smallest risk to the largest: ``"X1X2 < X1 = X2 < {}"``, the `Ordering` of a table, or
        levels of subsets by names.
    features : int or iterable of str, optional
        The names of the features, or their number. It is needed if the names are not X1, .., Xn.
    cardinalities : iterable of int, optional
        The number of states of each feature. The default is 2 for each.
    classes : int
        The number of classes.
    assume : claims or their names
        The assumptions that the distribution must satisfy: `positive`, `unique_maximum`, or any other claim.
    time_limit : number, optional
        The number of seconds after which the verdict is `Undecided`.
    executor, resume, progress
        As in `refute`. The workers share the cases of a proof, and the journal has these cases.

    Returns
    -------
    Realized
        The verdict with a distribution and a certificate.
    Impossible
        The verdict with evidence that no distribution of the shape has the ordering.
    Undecided
        The time limit was reached.

    Raises
    ------
    NotMonotoneError
        A superset has a larger risk than its subset. The attributes `subset` and `superset` hold the pair.

    Notes
    -----
    For up to three binary features and two classes, the distribution is the smallest one, from a complete table. Other
    distributions are constructed by formula if the shape is large enough. With k classes and c states of each feature,
    it is large enough for up to three features, for n features if (k - 1)(c - 1) is at least 2**n // 3 - 1, and for
    up to 1 + (k - 1)(c - 1) levels. Otherwise Z3 decides. Weights are made smaller if that is cheap.

    Examples
    --------
    >>> verdict = realize("X1X2X3 = X1X2 < X1X3 = X2X3 < X1 < X2 = X3 < {}")
    >>> verdict.status, verdict.distribution.total
    ('realized', 10)
    >>> print(realize("X1X2 = X1 = X2 < {}", assume=["positive", "unique_maximum"]))
    X1 = X2 = X1X2 < {}: impossible for 2 x 2 states, 2 classes (case split)
    """
    order = weak_order(ordering, features)
    sizes: Any = (2,) * len(order.features) if cardinalities is None else cardinalities
    shape = Shape(sizes, classes)
    require_cells((*shape.cardinalities, shape.classes), "the distribution", "ask for fewer states or classes", 32)
    fits = len(shape.cardinalities) == len(order.features)
    numbers = f"one number for each feature of the ordering ({len(order.features)})"
    require(fits, "cardinalities", numbers, shape.cardinalities, "leave it out for binary ones")
    question = _Question(order, shape, assumptions_in(assume))
    with Clock(time_limit, progress) as clock, Crew(executor) as crew:
        try:
            with proof_journal(resume, question._statement(wished=False)) as journal:
                return question.from_table() or question.by_formula(clock) or question.by_solvers(clock, crew, journal)
        except OutOfTime:
            return Undecided(str(order), shape, "the time limit was reached")


@dataclass(frozen=True, slots=True)
class _Question:
    """An ordering, a shape and assumptions."""

    order: WeakOrder
    shape: Shape
    assumptions: tuple[Claim, ...]

    def from_table(self) -> Realized | None:
        """Return the smallest realization, if the tables have one."""
        if self.shape.cardinalities not in _TABLE or self.shape.classes != 2 or not self._are_known:
            return None
        least = least_realization(self.order, **self._flags(self.assumptions))
        return None if least is None else self._realized(least)

    def by_formula(self, clock: Clock) -> Realized | None:
        """Return a realization by construction, if there is one that satisfies the assumptions."""
        flags = [self._flags(self.assumptions)]
        if not self._are_known:  # a constructed distribution may happen to satisfy an assumption of the user
            flags = [self._flags(known) for known in ((), KNOWN.values(), (positive,), (unique_maximum,))]
        for wished in flags:
            d = construct(self.order, self.shape, **wished)
            if d is not None and all(named.holds(Evaluation(d)) for named in self._statement(wished=True, at=d).assume):
                return self._realized(with_smaller_weights(self._statement(wished=False), d, clock))
        return None

    def by_solvers(self, clock: Clock, crew: Crew, journal: Journal) -> Realized | Impossible | Undecided:
        """Ask Z3 for a realization. If there is none, search for a proof that can be verified."""
        denial = self._statement(wished=False)
        if self._is_excluded and self.shape.cells > _CASES:
            return self._excluded(denial, clock)
        d = self._from_smaller(clock) if self._are_known and not self._is_excluded else None
        if d is None:
            answer = Prover(denial, clock).verdict(certificate=False)
            if isinstance(answer, Undecided):
                return Undecided(str(self.order), self.shape, answer.reason)
            if isinstance(answer, Proved):
                return self._impossible(denial, clock, answer, crew, journal)
            d = JointDistribution(answer.distribution.weights, features=self.order.features)
        return self._realized(with_smaller_weights(denial, d, clock))

    def _excluded(self, denial: Statement, clock: Clock) -> Impossible | Undecided:
        """Let the solvers confirm Theorem 4 of Peña and Nilsson for two optimal subsets."""
        first, second = (names_of(mask, self.order.features) for mask in two_optimal(self.order))

        def theorem(m: Model) -> Formula:
            place = dict(zip(self.order.features, m.order, strict=True))
            a, b = ({place[name] for name in subset} for subset in (first, second))
            return ~m.all([m.risk(a) == m.risk(), m.risk(b) == m.risk(), m.risk() < m.risk(a & b)])

        part = Claim(denial.claim, theorem, (), self.assumptions).statement(self.shape)
        answer = _by_two(part, clock if clock.left < math.inf else clock.at_most(_PATIENCE))
        if not isinstance(answer, Proved):
            reason = "there is none by Theorem 4 of Peña and Nilsson, but no solver confirmed it in time"
            return Undecided(str(self.order), self.shape, reason)
        evidence = {part: answer.certificate[part] for part in ("evidence", "solvers")}
        return Impossible(str(self.order), self.shape, answer.evidence, certificate_of_proof(denial, evidence))

    def _from_smaller(self, clock: Clock) -> JointDistribution | None:
        """Return a realization that is adapted from one in a smaller shape, without both assumptions. None if none."""
        flags = self._flags(self.assumptions)
        assumptions = (unique_maximum,) if flags == {"positive": False, "unique_maximum": True} else ()
        for smaller in _smaller_shapes(self.shape):
            question = _Question(self.order, smaller, assumptions)
            prover = Prover(question._statement(wished=False), clock.at_most(min(clock.left, _PATIENCE) / 4))
            answer = prover.verdict(certificate=False)
            if isinstance(answer, Refuted):
                return adapted(answer.distribution.weights, self.order, self.shape, **flags)
        return None

    def _impossible(self, denial: Statement, clock: Clock, answer: Proved, crew: Crew, journal: Journal) -> Impossible:
        """Return the verdict with the best evidence: a proof by cases, two solvers, or one."""
        if clock.left > 0:
            again = clock.at_most(_PATIENCE)
            prover = Prover(denial, again, crew=crew, journal=journal)
            better = prover.verdict() if self.shape.cells <= _CASES else _by_two(denial, again)
            if isinstance(better, Proved):
                answer = better
        return Impossible(str(self.order), self.shape, answer.evidence, answer.certificate)

    @property
    def _is_excluded(self) -> bool:
        """Whether Theorem 4 of Peña and Nilsson excludes a realization."""
        return self.order.least_optimal is None and all(self._flags(self.assumptions).values())

    @property
    def _are_known(self) -> bool:
        return all(assumption in KNOWN.values() for assumption in self.assumptions)

    def _flags(self, assumptions: Collection[Claim]) -> dict[str, bool]:
        return {name: claim in assumptions for name, claim in KNOWN.items()}

    def _statement(self, *, wished: bool, at: JointDistribution | None = None) -> Statement:
        """Return the statement that the risks have the given order, or its negation."""

        def ordered(m: Model) -> Formula:
            levels = [[m.risk(names_of(mask, m.order)) for mask in level] for level in self.order.levels]
            ties = [m.equal(*level) for level in levels]
            formula = m.all([*ties, *(better[0] < worse[0] for better, worse in itertools.pairwise(levels))])
            return formula if wished else ~formula

        return Claim(str(self.order), ordered, (), self.assumptions).statement(self.shape if at is None else at)

    def _realized(self, d: JointDistribution) -> Realized:
        with Clock(None, None):  # also after the time limit
            statement = self._statement(wished=True, at=d)
            instance = statement.show[0] if statement.show else Instance(str(self.order), (), TRUE)  # {} alone
            if not all(named.holds(Evaluation(d)) for named in (instance, *statement.assume)):
                raise AssertionError(f"{d!r} does not realize {self.order}")
        return Realized(str(self.order), d, certificate_at("realized", statement, instance, d))


def two_optimal(order: WeakOrder) -> tuple[int, int]:
    """Return two optimal subsets, as small as can be, that have no optimal subset in common."""
    optimal = order.levels[0]
    return next((a, b) for a, b in itertools.combinations(optimal, 2) if order.ranks[a & b] > 0)


def _by_two(statement: Statement, clock: Clock) -> Proved | Refuted | Undecided:
    """Return the verdict of two solvers, or of one if the other is missing or takes much longer."""
    one = Prover(statement, clock).verdict(certificate=False)
    if not isinstance(one, Proved):
        return one
    try:
        two = Prover(statement, clock.at_most(2 + 4 * clock.elapsed)).verdict(second_opinion=True, certificate=False)
    except MissingDependencyError:
        return one
    return two if isinstance(two, Proved) else one


def _smaller_shapes(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with two states and two classes, the shapes that have one state or class more, and the shape."""
    sizes = (*shape.cardinalities, shape.classes)
    least = tuple(min(size, 2) for size in sizes)
    one_more = (tuple(2 + (i == j) for j in range(len(sizes))) for i, size in enumerate(sizes) if size > 2)
    for found in dict.fromkeys([least, *one_more, sizes]):
        yield Shape(found[:-1], found[-1])


def two_orderings(
    first: AnyOrdering,
    second: AnyOrdering,
    third: AnyOrdering | None = None,
    *,
    features: int | Iterable[str] | None = None,
) -> JointDistribution:
    """Return a distribution whose Bayes risks are in one order, and whose information about the class is in another.

    The Gini impurities may have a third order. The distribution has two classes and as many states as it needs. It
    exists if and only if these conditions hold. First, no superset is worse than its subset in any order. Second, a
    superset T that has no more information than its subset S, I(Y;T) = I(Y;S), also has the same risk. Third, a
    superset has the same Gini impurity if and only if it has the same information. So mutual information and Bayes risk
    can disagree about all pairs of subsets of one size at once. If a condition fails, the error names two subsets that
    show it. Complexity: as `adversarial_with_risks`.

    Parameters
    ----------
    first : str, Ordering or iterable of levels
        All subsets, from the smallest Bayes risk to the largest, as for `realize`.
    second : str, Ordering or iterable of levels
        All subsets, from the most information I(Y;S) to the least, that is, by rising H(Y|S).
    third : str, Ordering or iterable of levels, optional
        All subsets, from the smallest Gini impurity to the largest. If it is given, subsets that tie in `second` must
        tie in all three orderings, also if neither contains the other: the probabilities are fractions.
    features : int or iterable of str, optional
        The names of the features, or their number. It is needed if the names are not X1, .., Xn.

    Notes
    -----
    The theorems and their proofs are in the chapter "For every size" of the textbook.

    Examples
    --------
    >>> d = two_orderings("X1X2 < X1 < X2 < {}", "X1X2 < X2 < X1 < {}")
    >>> d.cardinalities, d.total
    ((4, 5), 120)
    >>> from fstheory import criterion_values
    >>> d = two_orderings("X1X2 < X1 < X2 < {}", "X1X2 < X2 < X1 < {}", "X1X2 < X1 = X2 < {}")
    >>> print(criterion_values(d, "gini").ordering())
    X1X2 < X1 = X2 < {}
    """
    one = _ordering_of("first", first, features, "a larger Bayes risk")
    other = _ordering_of("second", second, features, "less information")
    require(other.features == one.features, "second", f"of the features {one.features}", other.features, "rename them")
    for mask, cover in _inclusions(one):
        if other.ranks[mask] == other.ranks[cover] and one.ranks[mask] != one.ranks[cover]:
            inner, outer = format_subset(mask, one.features), format_subset(cover, one.features)
            raise InvalidValueError(
                f"first must give {inner} and {outer} one Bayes risk, as second gives them one information, not "
                f"two; {outer} tells no more of the class then: join them in first, or part them in second"
            )
    if third is None:
        risen, gained = ([Fraction(height) for height in order.heights] for order in (one, other))
        return JointDistribution(distribution_with_gains(risen, gained).weights, features=one.features)
    last = _ordering_of("third", third, features, "a larger Gini impurity")
    require(last.features == one.features, "third", f"of the features {one.features}", last.features, "rename them")
    _require_three(one, other, last)
    found = distribution_with_three_gains(one.heights, other.heights, last.heights)
    return JointDistribution(found.weights, features=one.features)


def _inclusions(order: WeakOrder) -> Iterator[tuple[int, int]]:
    """Yield each subset, by mask, with each superset that has one feature more."""
    n = len(order.features)
    return ((mask, cover) for mask in range(len(order.ranks)) for cover in covers(mask, n))


def _require_three(one: WeakOrder, other: WeakOrder, last: WeakOrder) -> None:
    """Raise an error if impurity and information do not tie alike along inclusion, or informations tie alone."""
    for mask, cover in _inclusions(one):
        tie = other.ranks[mask] == other.ranks[cover]
        if tie != (last.ranks[mask] == last.ranks[cover]):
            inner, outer = format_subset(mask, one.features), format_subset(cover, one.features)
            wished, given = ("one level", "two") if tie else ("two levels", "one")
            repair = ("join", "part") if tie else ("part", "join")
            raise InvalidValueError(
                f"third must place {inner} and {outer} on {wished}, as second does, not on {given}; both "
                f"orderings say whether {outer} changes what {inner} tells of the class: {repair[0]} them in "
                f"third, or {repair[1]} them in second"
            )
    for mask, of in itertools.combinations(range(len(one.ranks)), 2):
        for argument, order in (("first", one), ("third", last)):
            if other.ranks[mask] == other.ranks[of] and order.ranks[mask] != order.ranks[of]:
                a, b = format_subset(mask, one.features), format_subset(of, one.features)
                raise InvalidValueError(
                    f"second must place {a} and {b} on two levels, as {argument} does, not on one; beside a third "
                    f"ordering, two informations are equal only if risk and impurity are: part them in second, or join "
                    f"them in {argument}"
                )


def _ordering_of(argument: str, ordering: AnyOrdering, features: int | Iterable[str] | None, worse: str) -> WeakOrder:
    try:
        return weak_order(ordering, features, worse=worse)
    except FSTheoryError as error:
        error.args = (f"{argument}: {error}", *error.args[1:])
        raise


# The complete tables for up to three binary features with two classes


def least_realization(
    order: WeakOrder, *, positive: bool = False, unique_maximum: bool = False
) -> JointDistribution | None:
    """Return the smallest realization of a weak order of up to three binary features, or None if there is none.

    The smallest realization has the smallest total of the weights. Among equals, the fewest cells above 0 decide, then
    the lexicographic order. If a single maximum of p(Y|x) is the only assumption, it excludes none of the smallest
    realizations.
    """
    first = order.first_renaming()
    n = len(order.features)
    weights = table_rows(n)[first.ranks]["none" if not positive else "both" if unique_maximum else "positive"]
    if weights is None:
        return None
    least = np.array(weights, dtype=np.int64).reshape((2,) * (n + 1))
    images = (images for images in itertools.permutations(range(n)) if first.renamed(images).ranks == order.ranks)
    renamed = (least.transpose(*axes, -1) for axes in images)
    smallest = min(renamed, key=lambda weights: tuple(weights.ravel().tolist()))
    return JointDistribution(smallest, features=order.features)


@lru_cache(maxsize=3)
def table_rows(n: int) -> dict[tuple[int, ...], dict[str, Any]]:
    """Return the rows of the table for 1, 2 or 3 features, by the ranks of the orders.

    Of orders that differ only by the names of the features, the table has one.
    """
    rows = json.loads(TABLE.read_text(encoding="utf-8"))[str(n)]
    return {weak_order(row["ordering"]).ranks: row for row in rows}
