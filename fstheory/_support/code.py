"""Fingerprints of functions, computed from their bytecode.

A journal uses them to recognize its own computation. They change with the version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from numbers import Number
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from fstheory.errors import InvalidTypeError, explain


def code_text(value: object) -> str:
    """Return the text of a code object, or of a constant in it."""
    if isinstance(value, CodeType):
        return "\n".join([value.co_code.hex(), *map(code_text, value.co_consts), *value.co_names])
    return str(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)  # a set has no order


def function_text(function: Any, argument: str) -> str:
    """Return the fingerprint of a function: the text of its code and of the values that it holds.

    Other functions and variables of its module, which its code reads by name, enter only by their names. A function
    that holds values without a fingerprint is refused.
    """
    return "\n".join(_texts(function, argument, ()))


def _texts(value: Any, argument: str, within: tuple[Any, ...]) -> Iterator[str]:
    """Yield the texts of a value and of the values that it holds, with a mark at the beginning and at the end."""
    if value is None or isinstance(value, str | bytes | Number):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, type | ModuleType) or (
        isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType)  # not a method of an object
    ):
        yield f"{getattr(value, '__module__', '')} {getattr(value, '__qualname__', value.__name__)}"
    elif any(one is value for one in within):  # a function that calls itself
        yield f"again {next(i for i, one in enumerate(within) if one is value)}"
    else:
        parts = next((held(value) for kind, held in _HELD if isinstance(value, kind)), None)
        if parts is None and is_dataclass(value):
            parts = [
                type(value),
                type(value).__dict__.get("__call__"),
                *(getattr(value, field.name) for field in fields(value)),
            ]
        if parts is None:
            needed = "of functions and values that a journal can recognize, if `resume` is given"
            repair = "pass a function that holds only numbers and strings, or resume=None"
            raise InvalidTypeError(explain(argument, needed, value, repair))
        yield f"{type(value).__name__} ("
        for part in parts:
            yield from _texts(part, argument, (*within, value))
        yield ")"


def _of_function(f: FunctionType) -> list[Any]:
    return [f.__module__, f.__qualname__, code_text(f.__code__), f.__defaults__, f.__kwdefaults__, f.__closure__]


def _of_cell(cell: CellType) -> list[Any]:
    """Return the content of a cell of a closure, if it was set."""
    try:
        return [cell.cell_contents]
    except ValueError:
        return []


_HELD: list[tuple[Any, Callable[[Any], Sequence[Any]]]] = [
    (FunctionType, _of_function),
    (CellType, _of_cell),
    (MethodType, lambda method: (method.__func__, method.__self__)),
    (partial, lambda call: (call.func, call.args, call.keywords)),
    (type(cache(str)), lambda kept: (kept.__wrapped__,)),
    ((tuple, list), lambda listed: listed),
    ((set, frozenset), lambda values: sorted(values, key=repr)),  # sets have no order
    (dict, lambda mapping: [part for pair in mapping.items() for part in pair]),
]
