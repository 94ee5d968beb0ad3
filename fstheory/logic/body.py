"""The function of a claim: its variables, where it is written, and the formula it returns."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable
from types import CodeType, MethodType
from typing import Any, TypeAlias

from fstheory.errors import ClaimError, InvalidTypeError, NotLinearError, TooLargeError, explain
from fstheory.logic.expressions import Formula, formula_node
from fstheory.logic.model import Model
from fstheory.logic.nodes import Node

__all__ = ["Body", "call", "code_of", "name_of", "place_of", "told", "variables_of"]

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
    """Return the parameters after the model; those after ``*`` are constants, and no variables.

    Raises
    ------
    InvalidTypeError
        It is no function that Python can look into.
    ClaimError
        It takes no model, or parameters that cannot be variables.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise InvalidTypeError(
            explain("claim", "applied to a function written in Python", function, "write @claim above a def")
        ) from None
    wrong = functools.partial(_wrong_parameter, name, function)
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


def _wrong_parameter(name: str, function: Body, requirement: str, value: str, repair: str) -> ClaimError:
    return ClaimError(f"{place_of(name, function)}: a parameter must be {requirement}, not {value}; {repair}")


def call(name: str, function: Body, model: Model, values: tuple[Any, ...], at: str) -> Node:
    """Return the node of the formula that the function returns for some values.

    Raises
    ------
    ClaimError
        The function raises, or returns no formula; the message tells where.
    NotLinearError
        It asks for the distribution where there is only a shape.
    """
    try:
        returned = function(model, *values)
    except (NotLinearError, TooLargeError) as error:
        raise type(error)(f"{place_of(name, function, error)}{at}: {error}") from error
    except Exception as error:  # whatever a person's function raises
        raise ClaimError(f"{place_of(name, function, error)}{at}: {told(error)}") from error
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
    while True:
        inner = inspect.unwrap(function)
        if isinstance(inner, functools.partial):
            inner = inner.func
        elif isinstance(inner, MethodType):
            inner = inner.__func__
        if inner is function:
            return inner
        function = inner


def code_of(function: Any) -> CodeType | None:
    """Return where Python code begins, None if it is not written in Python."""
    inner = _innermost(function)
    for candidate in (inner, _innermost(type(inner).__call__)):  # an object is called by the method of its class
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None
