"""The function of a claim: what its variables range over, where it is written, the formula it returns."""

from __future__ import annotations

import functools
import inspect
import math
import re
import traceback
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, MappingProxyType, MethodType
from typing import Any, TypeAlias

from fstheory._display import Shown
from fstheory.errors import ClaimError, InvalidTypeError, InvalidValueError, NotLinearError, TooLargeError, explain
from fstheory.logic.expressions import Formula, formula_node
from fstheory.logic.model import Classifier, Model
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Where

__all__ = [
    "Body", "Domain", "assignments", "call", "choose_domains", "code_of", "name_of", "place_of", "told",
    "variables_of",
]  # fmt: skip

_WRITTEN = re.compile(r"(feature|subset|state|classifier) of (\w+)|(feature|subset|state|class)")
_BY_NAME = {"feature": "[ijkl]", "subset": "[A-W]", "state": "[xuvw]", "class": "[yz]"}  # perhaps with a number
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Domain(Shown):
    """The range of one variable: all features, subsets, states or classes, or those `of` another variable."""

    variable: str
    kind: str
    of: str | None = None


Chosen: TypeAlias = "dict[str, Any]"  # a value for each of the first variables


def choose_domains(variables: Iterable[str], where: Mapping[str, str]) -> tuple[Domain, ...]:
    """Return the domain of each variable: as `where` says, else by the convention for its name."""
    names = list(variables)
    if others := [name for name in where if name not in names]:
        raise InvalidValueError(explain("where", f"about the variables {names}", others[0], "correct the name"))
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
    for kind, letters in _BY_NAME.items():
        if re.fullmatch(rf"{letters}\d*", name):
            return Domain(name, kind)
    allowed = "i, j, k, l (features), A .. W (subsets), x, u, v, w (states) or y, z (classes), perhaps with a number"
    repair = f"rename it or say where={{{name!r}: 'subset'}}"
    raise InvalidValueError(explain("a variable", allowed, name, repair))


def assignments(model: Model, domains: Sequence[Domain], *, disjoint: bool) -> Iterator[tuple[tuple[Any, ...], Where]]:
    """Return every choice of values for the variables, as they are and as JSON has them."""
    if _count(model, domains, {}, disjoint) > _MOST:
        requirement = f"about at most {_MOST:,} choices of its variables"
        raise TooLargeError(explain("the claim", requirement, str(model.shape), "use a smaller shape"))
    every = _extend(model, domains, {}, disjoint)
    return ((tuple(chosen.values()), _recorded(model, domains, chosen)) for chosen in every)


def _extend(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> Iterator[Chosen]:
    if len(chosen) == len(domains):
        yield chosen
        return
    domain = domains[len(chosen)]
    for value in _values(model, domain, _allowed(model, domains, chosen, disjoint)):
        yield from _extend(model, domains, {**chosen, domain.variable: value}, disjoint)


def _count(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> int:
    """Return how many choices there are, or some number above the limit if they are more."""
    if len(chosen) == len(domains):
        return 1
    domain, *later = domains[len(chosen) :]
    allowed = _allowed(model, domains, chosen, disjoint)
    if (size := _size(model, domain, allowed)) > _MOST:
        return size
    apart = disjoint and domain.kind == "subset" and any(other.kind == "subset" for other in later)
    if not apart and all(other.of != domain.variable for other in later):
        return size * _count(model, domains, {**chosen, domain.variable: frozenset()}, disjoint)
    values = _values(model, domain, allowed)
    return sum(_count(model, domains, {**chosen, domain.variable: value}, disjoint) for value in values)


def _allowed(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> frozenset[str]:
    """Return the features that the next variable is about."""
    domain = domains[len(chosen)]
    of: frozenset[str] = model.features if domain.of is None else chosen[domain.of]
    if not disjoint or domain.kind != "subset":
        return of
    return of.difference(*(chosen[other.variable] for other in domains[: len(chosen)] if other.kind == "subset"))


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
    if domain.kind in {"class", "feature"}:
        return len(model.classes) if domain.kind == "class" else len(of)
    if domain.kind == "subset":
        return int(2 ** len(of))
    cardinalities = zip(model.order, model.shape.cardinalities, strict=True)
    states = math.prod(size for name, size in cardinalities if name in of)
    enough = _MOST.bit_length()  # so many factors of 2 or more exceed the limit
    return states if domain.kind == "state" else int(len(model.classes) ** min(states, enough))


def _recorded(model: Model, domains: Sequence[Domain], chosen: Chosen) -> Where:
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


Body: TypeAlias = "Callable[..., Formula | bool]"


def name_of(function: Body) -> str:
    """Return what to call a claim that is given no name: the name of its function."""
    inner = _innermost(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def place_of(name: str, function: Body, error: BaseException | None = None) -> str:
    """Return the name of a claim with its file and line: of an error, the last line in that file that led to it."""
    code = code_of(function)
    if code is None:
        return f"claim {name}"
    line = code.co_firstlineno
    for frame, number in traceback.walk_tb(error.__traceback__ if error else None):
        if frame.f_code.co_filename == code.co_filename:
            line = number
    return f"claim {name} ({code.co_filename}, line {line})"


def variables_of(function: Body, name: str) -> tuple[str, ...]:
    """Return the parameters after the model; those after ``*`` are constants, and no variables."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        requirement = "applied to a function written in Python"
        raise InvalidTypeError(explain("claim", requirement, function, "write @claim above a def")) from None

    def wrong(requirement: str, value: str, repair: str) -> ClaimError:
        return ClaimError(f"{place_of(name, function)}: a parameter must be {requirement}, not {value}; {repair}")

    found = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise wrong("a variable for each argument", str(parameter), "name the variables one by one")
        given = parameter.default is not parameter.empty
        if given is not (parameter.kind is parameter.KEYWORD_ONLY):
            value = repr(parameter.default) if given else ".."
            repair = f"put a constant after a star: *, {parameter.name}={value}"
            raise wrong("without a default" if given else "given a default, as a constant", parameter.name, repair)
        if not given:
            found.append(parameter.name)
    if not found:
        raise wrong("a model and then the variables", "no argument", "write def f(m, S): ..")
    return tuple(found[1:])


def call(name: str, function: Body, model: Model, values: tuple[Any, ...], at: str) -> Node:
    """Return the node of the formula that the function returns for some values."""
    try:
        returned = function(model, *values)
    except (NotLinearError, TooLargeError) as error:
        raise type(error)(f"{place_of(name, function, error)}{at}: {error}") from error
    except Exception as error:  # whatever a person's function raises
        sizes = f"; here are {model.shape}" if isinstance(error, IndexError) else ""  # m.classes[1] of one class, say
        raise ClaimError(f"{place_of(name, function, error)}{at}: {told(error)}{sizes}") from error
    place = f"{place_of(name, function)}{at}"
    if returned is None:
        raise ClaimError(f"{place}: it returned None; return a formula (is a 'return' missing?)")
    if not isinstance(returned, Formula | bool):
        repair = "return a comparison: m.risk(S) <= m.risk(T)"
        raise ClaimError(f"{place}: " + explain("its result", "a formula, True or False", returned, repair))
    return formula_node(returned)


def told(error: BaseException) -> str:
    """Return the kind of an exception and what it says; it comes from a person's code, so saying it may fail too."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 (whatever its __str__ raises)
        return f"{type(error).__name__} (whose text cannot be had: its __str__ fails)"


def _innermost(function: Any) -> Any:
    """Return the function inside of decorators, partial applications and bound methods."""
    inner = inspect.unwrap(function)
    if isinstance(inner, functools.partial):
        inner = inner.func
    elif isinstance(inner, MethodType):
        inner = inner.__func__
    return inner if inner is function else _innermost(inner)


def code_of(function: Any) -> CodeType | None:
    """Return where Python code begins, None if it is not written in Python."""
    inner = _innermost(function)
    for candidate in (inner, _innermost(type(inner).__call__)):  # an object is called by the method of its class
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None
