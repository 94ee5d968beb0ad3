"""What the variables of a claim range over: features, subsets, states, classes, classifiers."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fstheory._display import Shown
from fstheory.errors import InvalidValueError, TooLargeError, explain
from fstheory.logic.model import Classifier, Model
from fstheory.logic.statement import Where

__all__ = ["Domain", "assignments", "choose_domains", "recorded"]

_WRITTEN = re.compile(r"(feature|subset|state|classifier) of (\w+)|(feature|subset|state|class)")
_BY_NAME = (
    (re.compile(r"[ijkl]\d*"), "feature"),
    (re.compile(r"[A-W]\d*"), "subset"),
    (re.compile(r"[xuvw]\d*"), "state"),
    (re.compile(r"[yz]\d*"), "class"),
)
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Domain(Shown):
    """The range of one variable: all features, subsets, states or classes, or those `of` another variable."""

    variable: str
    kind: str
    of: str | None = None


def choose_domains(variables: Iterable[str], where: Mapping[str, str]) -> tuple[Domain, ...]:
    """Return the domain of each variable: as `where` says, else by the convention for its name.

    ``i j k l`` are features, ``A`` to ``W`` subsets, ``x u v w`` states of all features, ``y z`` classes, each perhaps
    followed by digits.

    Raises
    ------
    InvalidValueError
        A variable has neither, or `where` names none, or says something else than a domain.

    Examples
    --------
    >>> choose_domains(["S", "g"], {"g": "classifier of S"})[1]
    Domain(variable='g', kind='classifier', of='S')
    """
    names = list(variables)
    for name in where:
        if name not in names:
            raise InvalidValueError(explain("where", f"about the variables {names}", name, "correct the name"))
    found: list[Domain] = []
    for name in names:
        found.append(_written(name, where[name], found) if name in where else _by_name(name))
    return tuple(found)


def _written(name: str, text: object, before: Sequence[Domain]) -> Domain:
    match = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
    if match is None or (match[2] and match[2] not in [d.variable for d in before if d.kind == "subset"]):
        allowed = "'feature', 'subset', 'state', 'class', or one such as 'classifier of S' with an earlier subset S"
        raise InvalidValueError(explain(f"where[{name!r}]", allowed, text, "correct it"))
    return Domain(name, match[1] or match[3], match[2])


def _by_name(name: str) -> Domain:
    for pattern, kind in _BY_NAME:
        if pattern.fullmatch(name):
            return Domain(name, kind)
    raise InvalidValueError(
        explain(
            "a variable",
            "i, j, k, l (features), A .. W (subsets), x, u, v, w (states) or y, z (classes), perhaps with a number",
            name,
            f"rename it or say where={{{name!r}: 'subset'}}",
        )
    )


def assignments(model: Model, domains: Sequence[Domain], *, disjoint: bool) -> Iterator[dict[str, Any]]:
    """Return every choice of values for the variables, one by one; subsets that do not overlap if `disjoint`.

    Raises
    ------
    TooLargeError
        There are more than a million.
    """
    if _count(model, domains, {}, disjoint) > _MOST:
        requirement = f"about at most {_MOST:,} choices of its variables"
        raise TooLargeError(explain("the claim", requirement, str(model.shape), "use a smaller shape"))
    return _extend(model, domains, {}, disjoint)


def _extend(
    model: Model, domains: Sequence[Domain], chosen: dict[str, Any], disjoint: bool
) -> Iterator[dict[str, Any]]:
    place = len(chosen)
    if place == len(domains):
        yield chosen
        return
    domain = domains[place]
    for value in _values(model, domain, _allowed(model, domains, chosen, disjoint)):
        yield from _extend(model, domains, {**chosen, domain.variable: value}, disjoint)


def _count(model: Model, domains: Sequence[Domain], chosen: dict[str, Any], disjoint: bool) -> int:
    """Return how many choices there are, or some number above the limit if they are more."""
    place = len(chosen)
    if place == len(domains):
        return 1
    domain, later = domains[place], domains[place + 1 :]
    allowed = _allowed(model, domains, chosen, disjoint)
    size = _size(model, domain, allowed)
    apart = disjoint and domain.kind == "subset" and any(other.kind == "subset" for other in later)
    if size > _MOST:
        return size
    if not apart and all(other.of != domain.variable for other in later):
        return size * _count(model, domains, {**chosen, domain.variable: frozenset()}, disjoint)
    values = _values(model, domain, allowed)
    return sum(_count(model, domains, {**chosen, domain.variable: value}, disjoint) for value in values)


def _allowed(model: Model, domains: Sequence[Domain], chosen: Mapping[str, Any], disjoint: bool) -> frozenset[str]:
    """Return the features that the next variable is about."""
    domain = domains[len(chosen)]
    of: frozenset[str] = model.features if domain.of is None else chosen[domain.of]
    if not disjoint or domain.kind != "subset":
        return of
    return of.difference(
        *(value for other, value in zip(domains, chosen.values(), strict=False) if other.kind == "subset")
    )


def _values(model: Model, domain: Domain, of: frozenset[str]) -> Iterable[Any]:
    if domain.kind == "class":
        return model.classes
    if domain.kind == "feature":
        return [name for name in model.order if name in of]
    if domain.kind == "subset":
        return model.subsets(of)
    if domain.kind == "state":
        return map(MappingProxyType, model.states(of))  # read-only: a change would be seen by later instances
    return model.classifiers(of)


def _size(model: Model, domain: Domain, of: frozenset[str]) -> int:
    if domain.kind == "class":
        return len(model.classes)
    if domain.kind == "feature":
        return len(of)
    if domain.kind == "subset":
        return int(2 ** len(of))
    cardinalities = zip(model.order, model.shape.cardinalities, strict=True)
    states = math.prod(size for name, size in cardinalities if name in of)
    enough = _MOST.bit_length()  # so many factors of 2 or more exceed the limit
    return states if domain.kind == "state" else int(len(model.classes) ** min(states, enough))


def recorded(model: Model, domains: Sequence[Domain], chosen: Mapping[str, Any]) -> Where:
    """Return chosen values as JSON has them."""
    return tuple((domain.variable, _plain(model, domain.kind, chosen[domain.variable])) for domain in domains)


def _plain(model: Model, kind: str, value: Any) -> Any:
    if kind == "subset":
        return [name for name in model.order if name in value]
    if kind == "state":
        return {name: _label(label) for name, label in value.items()}
    if isinstance(value, Classifier):
        return [[[_label(label) for label in state], _label(y)] for state, y in value.table.items()]
    return _label(value)


def _label(label: Hashable) -> Any:
    return label if type(label) in (int, str, bool) else str(label)
