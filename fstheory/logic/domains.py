"""What the variables of a claim range over: features, subsets, states, classes, classifiers."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain
from fstheory.logic.model import Classifier, Model
from fstheory.logic.statement import Where

__all__ = ["Domain", "assignments", "choose_domains"]

_KINDS = ("feature", "subset", "state", "class", "classifier")
_WRITTEN = re.compile(r"(feature|subset|state|classifier) of (\w+)|(feature|subset|state|class)")
_BY_NAME = (
    (re.compile(r"[ijkl]\d*"), "feature"),
    (re.compile(r"[A-W]\d*"), "subset"),
    (re.compile(r"[yz]\d*"), "class"),
)
_STATE = re.compile(r"[xuvw]\d*")
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Domain:
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
    """
    names = list(variables)
    for name in where:
        if name not in names:
            raise InvalidValueError(explain("where", f"about the variables {names}", name, "correct the name"))
    return tuple(_domain(name, where, names[:place]) for place, name in enumerate(names))


def _domain(name: str, where: Mapping[str, str], before: list[str]) -> Domain:
    if name in where:
        text = where[name]
        match = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
        if match is None or (match[2] and match[2] not in before):
            allowed = "'feature', 'subset', 'state', 'class', or one such as 'classifier of S' with an earlier S"
            raise InvalidValueError(explain(f"where[{name!r}]", allowed, text, "correct it"))
        return Domain(name, match[1] or match[3], match[2])
    for pattern, kind in (*_BY_NAME, (_STATE, "state")):
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


def assignments(model: Model, domains: tuple[Domain, ...], *, disjoint: bool) -> Iterator[dict[str, Any]]:
    """Yield every choice of values for the variables; subsets that do not overlap if `disjoint`.

    Raises
    ------
    TooLargeError
        There are more than a million.
    """
    for count, chosen in enumerate(_extend(model, domains, {}, disjoint)):
        if count == _MOST:
            raise TooLargeError(
                explain(
                    "the claim", f"about at most {_MOST} choices of its variables", model.shape, "use a smaller shape"
                )
            )
        yield chosen


def _extend(
    model: Model, domains: tuple[Domain, ...], chosen: dict[str, Any], disjoint: bool
) -> Iterator[dict[str, Any]]:
    if not domains:
        yield dict(chosen)
        return
    first, *rest = domains
    for value in _values(model, first, chosen, disjoint):
        yield from _extend(model, tuple(rest), {**chosen, first.variable: value}, disjoint)


def _values(model: Model, domain: Domain, chosen: Mapping[str, Any], disjoint: bool) -> Iterable[Any]:
    if domain.kind == "class":
        return model.classes
    of: Iterable[str] = model.order
    if domain.of is not None:
        of = chosen[domain.of]
        if isinstance(of, str) or not isinstance(of, frozenset):
            raise InvalidTypeError(
                explain(f"the domain of {domain.variable}", "of a subset", of, "name a subset variable")
            )
    if domain.kind == "feature":
        return [name for name in model.order if name in frozenset(of)]
    if domain.kind == "state":
        return model.states(of)
    if domain.kind == "classifier":
        return model.classifiers(of)
    if disjoint:
        of = frozenset(of).difference(*(value for value in chosen.values() if isinstance(value, frozenset)))
    return model.subsets(of)


def recorded(model: Model, chosen: Mapping[str, Any]) -> Where:
    """Return chosen values as JSON has them."""
    return tuple((name, _plain(model, value)) for name, value in chosen.items())


def _plain(model: Model, value: Any) -> Any:
    if isinstance(value, frozenset):
        return [name for name in model.order if name in value]
    if isinstance(value, Mapping):
        return {name: _label(label) for name, label in value.items()}
    if isinstance(value, Classifier):
        return [[[_label(label) for label in state], _label(y)] for state, y in value.table.items()]
    return _label(value)


def _label(label: Hashable) -> Any:
    return label if type(label) in (int, str, bool) else str(label)
