"""The decorator `claim`, which makes a claim of a function, and the two assumptions of the theory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, overload

from fstheory.errors import ClaimError, InvalidTypeError, InvalidValueError, explain
from fstheory.logic.body import Body, name_of, place_of, variables_of
from fstheory.logic.claim import Claim
from fstheory.logic.domains import choose_domains
from fstheory.logic.expressions import Formula
from fstheory.logic.model import Model

__all__ = ["claim", "positive", "unique_maximum"]


@overload
def claim(
    function: Body,
    /,
    *,
    assume: Iterable[Claim] = (),
    where: Mapping[str, str] | None = None,
    disjoint: bool = False,
    name: str | None = None,
) -> Claim: ...
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
    """Make a claim of a function; used as a decorator, with arguments or without, or called with the function.

    The first argument of the function is a `Model`, the vocabulary of the claim; the others are its variables, and the
    statement is claimed for all of their values. The function is ordinary Python: it may branch on sets and names, and
    returns a formula (or True, where there is nothing to say). Arguments after a star, ``*, k=3``, are constants.

    Parameters
    ----------
    assume : iterable of Claim
        What the distribution must satisfy: `positive`, `unique_maximum`, or any other claim that assumes nothing.
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
    ClaimError
        A variable has no domain, or is no plain argument; or an assumption has assumptions of its own.
    InvalidTypeError
        What should be a function is none, or an assumption is no claim.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> @claim(assume=[positive, unique_maximum], where={"more": "subset"})
    ... def more_is_better(m, i, more):
    ...     return m.risk(more | {i}) < m.risk(more) if i not in more else True
    >>> more_is_better.check(JointDistribution([[3, 1], [1, 3]]))
    Holds(claim='more_is_better', instances=1)
    """
    options: dict[str, Any] = {"assume": assume, "where": where or {}, "disjoint": disjoint, "name": name}
    return functools.partial(_make, **options) if function is None else _make(function, **options)


def _make(
    function: Body, *, assume: Iterable[Claim], where: Mapping[str, str], disjoint: bool, name: str | None
) -> Claim:
    if not callable(function) or isinstance(function, Claim):
        raise InvalidTypeError(explain("claim", "applied to a function", function, "write @claim above a def"))
    title = name_of(function) if name is None else name
    if not isinstance(title, str) or not title or not title.isprintable():
        place = place_of(name_of(function), function)
        raise InvalidTypeError(f"{place}: " + explain("name", "a text of printable characters", name, "leave it out"))
    place = place_of(title, function)
    if not isinstance(where, Mapping):
        raise InvalidTypeError(f"{place}: " + explain("where", "a mapping", where, "write {'g': 'classifier of S'}"))
    variables = variables_of(function, title)
    try:
        domains = choose_domains(variables, where)
    except InvalidValueError as error:
        raise ClaimError(f"{place}: {error}") from error
    return Claim(title, function, domains, _assumptions(assume, place), bool(disjoint))


def _assumptions(assume: object, place: str) -> tuple[Claim, ...]:
    if isinstance(assume, str | Claim) or not isinstance(assume, Iterable):
        shown = assume.name if isinstance(assume, Claim) else assume
        repair = f"write [{shown}]" if isinstance(shown, str) else "write [positive, unique_maximum]"
        raise InvalidTypeError(f"{place}: " + explain("assume", "a list of claims", shown, repair))
    found: dict[str, Claim] = {}
    for assumption in assume:
        if not isinstance(assumption, Claim):
            repair = "write [positive, unique_maximum]"
            raise InvalidTypeError(f"{place}: " + explain("assume", "a list of claims", assumption, repair))
        if assumption.assumptions:
            repair = f"move its assumptions ({', '.join(claim.name for claim in assumption.assumptions)}) here"
            requirement = "made of claims that assume nothing themselves"
            raise ClaimError(f"{place}: " + explain("assume", requirement, assumption.name, repair))
        if found.setdefault(assumption.name, assumption) != assumption:
            raise ClaimError(f"{place}: " + explain("assume", "of distinct names", assumption.name, "rename one"))
    return tuple(found.values())


@claim
def positive(m: Model, x: Mapping[str, Any]) -> Formula:
    """p(x) > 0 for every state x of the features, the first assumption of Peña and Nilsson."""
    return m.probability(x) > 0


@claim
def unique_maximum(m: Model, x: Mapping[str, Any]) -> Formula:
    """p(Y|x) has a single maximum where p(x) > 0, the second assumption of Peña and Nilsson."""
    ahead = (m.all(m.probability(x, z) < m.probability(x, y) for z in m.classes if z != y) for y in m.classes)
    return (m.probability(x) == 0) | m.any(ahead)
