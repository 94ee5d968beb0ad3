"""Claims: statements about distributions, written once in Python, checked exactly and translated for the solver."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, overload

from fstheory.distribution import JointDistribution
from fstheory.errors import (
    ClaimError,
    InvalidTypeError,
    InvalidValueError,
    NotLinearError,
    TooLargeError,
    explain,
    unknown,
)
from fstheory.logic.certificate import certificate_at
from fstheory.logic.domains import Domain, assignments, choose_domains, recorded
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import Formula, formula_node
from fstheory.logic.model import Model
from fstheory.logic.nodes import TRUE
from fstheory.logic.statement import Named, Shape, Statement, Where, written
from fstheory.logic.verdict import Holds, Refuted, Vacuous

__all__ = ["Claim", "claim", "positive", "unique_maximum"]

Body: TypeAlias = "Callable[..., Formula | bool]"


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about every distribution, or an assumption of one.

    Made by the decorator `claim`. A claim says: wherever the assumptions are true, its function returns a true
    formula for all values of its variables.

    Attributes
    ----------
    name : str
    assumptions : tuple of Claim
    dropped : tuple of str
        The names of assumptions that `without` took away.

    Examples
    --------
    >>> @claim
    ... def monotone(m, S, i):
    ...     return m.risk(S | {i}) <= m.risk(S)
    >>> monotone.check(JointDistribution([[3, 1], [1, 3]]))
    Holds(claim='monotone', instances=1)
    """

    name: str
    body: Body = field(repr=False)
    domains: tuple[Domain, ...] = field(repr=False)
    assumptions: tuple[Claim, ...] = ()
    disjoint: bool = field(default=False, repr=False)
    dropped: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name, and which assumptions were dropped."""
        return self.name + "".join(f" without {name}" for name in self.dropped)

    def __call__(self, model: Model, *values: Any) -> Formula | bool:
        """Return the formula for these values, as the function does; so claims can be parts of claims."""
        return self.body(model, *values)

    def without(self, *names: str | Claim) -> Claim:
        """Return the claim with some assumptions dropped.

        Raises
        ------
        UnknownNameError
            It does not assume that.

        Examples
        --------
        >>> @claim(assume=[positive, unique_maximum])
        ... def unique(m, S, T):
        ...     return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))
        >>> unique.without("positive").title
        'unique without positive'
        """
        gone = [name.name if isinstance(name, Claim) else name for name in names]
        known = [assumption.name for assumption in self.assumptions]
        for name in gone:
            if name not in known:
                raise unknown(f"assumption of {self.name}", name, known)
        kept = tuple(assumption for assumption in self.assumptions if assumption.name not in gone)
        return replace(self, assumptions=kept, dropped=(*self.dropped, *gone))

    def statement(self, subject: Shape | JointDistribution) -> Statement:
        """Spell the claim out for one shape, or with the names of one distribution.

        Raises
        ------
        ClaimError
            The function of the claim, or of an assumption, raises or returns no formula.
        NotLinearError
            It asks for ``m.distribution``, and `subject` is a shape.
        TooLargeError
            Its variables have more than a million choices.
        """
        model = Model(subject)
        assume = tuple(named for assumption in self.assumptions for named in assumption._instances(model))
        return Statement(self.title, model.shape, assume, self._instances(model))

    def check(self, d: JointDistribution) -> Holds | Vacuous | Refuted:
        """Decide the claim exactly at one distribution.

        Returns
        -------
        Holds
            All instances are true.
        Vacuous
            An assumption fails; the verdict says which one, and where.
        Refuted
            An instance is false; the verdict says which one and has a certificate.

        Raises
        ------
        ClaimError
            The function of the claim raises or returns no formula.
        InvalidTypeError
            `d` is no JointDistribution, or two numbers of the claim cannot be compared exactly.

        Examples
        --------
        >>> @claim(assume=[positive])
        ... def first_is_best(m, i):
        ...     return m.risk("X1") <= m.risk(i)
        >>> print(first_is_best.check(JointDistribution([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])))
        first_is_best: vacuous, positive fails at x = (X1=1, X2=0)
        """
        if not isinstance(d, JointDistribution):
            raise InvalidTypeError(explain("d", "a JointDistribution", d, "make one, or take one of the gallery"))
        statement = self.statement(d)
        at = Evaluation(d)
        for assumed in statement.assume:
            if not at.truth(assumed.formula):
                return Vacuous(self.title, assumed.name, assumed.where)
        for instance in statement.show:
            if not at.truth(instance.formula):
                certificate = certificate_at("refuted", statement, instance, d)
                return Refuted(self.title, d, instance.where, certificate, "at the distribution given")
        return Holds(self.title, len(statement.show))

    def _instances(self, model: Model) -> tuple[Named, ...]:
        found: dict[Any, Named] = {}
        try:
            for chosen in assignments(model, self.domains, disjoint=self.disjoint):
                where = recorded(model, chosen)
                formula = self._formula(model, tuple(chosen.values()), where)
                if formula != TRUE:
                    found.setdefault(formula, Named(self.name, where, formula))
        except (InvalidTypeError, InvalidValueError) as error:
            if isinstance(error, ClaimError | TooLargeError):
                raise
            raise ClaimError(f"{self._place()}: {error}") from error
        return tuple(found.values())

    def _formula(self, model: Model, values: tuple[Any, ...], where: Where) -> Any:
        at = f", at {written(where)}" if where else ""
        try:
            returned = self.body(model, *values)
        except NotLinearError as error:
            raise NotLinearError(f"{self._place(error)}{at}: {error}") from error
        except Exception as error:  # whatever a person's function raises
            raise ClaimError(f"{self._place(error)}{at}: {type(error).__name__}: {error}") from error
        if returned is None:
            raise ClaimError(f"{self._place()}{at}: it returned None; return a formula (is a 'return' missing?)")
        if not isinstance(returned, Formula | bool):
            raise ClaimError(
                f"{self._place()}{at}: "
                + explain(
                    "its result", "a formula, True or False", returned, "return a comparison: m.risk(S) <= m.risk(T)"
                )
            )
        return formula_node(returned)

    def _place(self, error: BaseException | None = None) -> str:
        code = inspect.unwrap(self.body).__code__
        line = code.co_firstlineno
        for frame, number in traceback.walk_tb(error.__traceback__ if error else None):
            if frame.f_code.co_filename == code.co_filename:  # the innermost line of the person's own file
                line = number
        return f"claim {self.name} ({code.co_filename}, line {line})"


@overload
def claim(function: Body, /) -> Claim: ...
@overload
def claim(
    *,
    assume: Iterable[Claim] = (),
    where: Mapping[str, str] | None = None,
    disjoint: bool = False,
    name: str | None = None,
) -> Callable[[Body], Claim]: ...
def claim(
    function: Body | None = None,
    /,
    *,
    assume: Iterable[Claim] = (),
    where: Mapping[str, str] | None = None,
    disjoint: bool = False,
    name: str | None = None,
) -> Claim | Callable[[Body], Claim]:
    """Make a claim of a function; used as a decorator, with arguments or without.

    The first argument of the function is a `Model`, the words of the claim; the others are its variables, and the claim
    is about all of their values. The function is ordinary Python: it may branch on sets and names, and returns
    a formula (or True, where there is nothing to say).

    Parameters
    ----------
    assume : iterable of Claim
        What the distribution must satisfy: `positive`, `unique_maximum`, or any other claim.
    where : mapping from variable to domain, optional
        ``"feature"``, ``"subset"``, ``"state"``, ``"class"``, or ``"feature of S"``, ``"subset of S"``,
        ``"state of S"``, ``"classifier of S"`` for an earlier variable S. By convention ``i j k l`` are features,
        ``A`` to ``W`` subsets, ``x u v w`` states of all features, ``y z`` classes, each perhaps followed by digits.
    disjoint : bool
        Whether the subsets do not overlap.
    name : str, optional
        The name of the function if not given.

    Returns
    -------
    Claim

    Raises
    ------
    InvalidValueError
        A variable has no domain.
    InvalidTypeError
        An assumption is no claim.

    Examples
    --------
    >>> @claim(assume=[positive, unique_maximum], where={"more": "subset"})
    ... def more_is_better(m, i, more):
    ...     return m.risk(more | {i}) < m.risk(more) if i not in more else True
    >>> more_is_better.check(JointDistribution([[3, 1], [1, 3]]))
    Holds(claim='more_is_better', instances=1)
    """
    if function is None:
        return functools.partial(_make, assume=assume, where=where or {}, disjoint=disjoint, name=name)
    return _make(function, assume=(), where={}, disjoint=False, name=None)


def _make(
    function: Body, *, assume: Iterable[Claim], where: Mapping[str, str], disjoint: bool, name: str | None
) -> Claim:
    if not callable(function):
        raise InvalidTypeError(explain("claim", "applied to a function", function, "write @claim above a def"))
    parameters = list(inspect.signature(function).parameters)
    title = name or str(getattr(function, "__name__", "claim"))
    if not parameters:
        raise InvalidValueError(explain(title, "a function of a model and of variables", "no argument", "add m"))
    assumptions = tuple(assume)
    for assumption in assumptions:
        if not isinstance(assumption, Claim):
            raise InvalidTypeError(
                explain("assume", "a list of claims", assumption, "write [positive, unique_maximum]")
            )
    return Claim(title, function, choose_domains(parameters[1:], where), assumptions, disjoint)


@claim
def positive(m: Model, x: Mapping[str, Any]) -> Formula:
    """Say that p(x) > 0 for every state x of the features, the first assumption of Peña and Nilsson."""
    return m.probability(x) > 0


@claim
def unique_maximum(m: Model, x: Mapping[str, Any]) -> Formula:
    """Say that p(Y|x) has a single maximum where p(x) > 0, the second assumption of Peña and Nilsson."""
    ahead = (m.all(m.probability(x, z) < m.probability(x, y) for z in m.classes if z != y) for y in m.classes)
    return (m.probability(x) == 0) | m.any(ahead)
