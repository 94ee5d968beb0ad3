"""The settings of an experiment: each field says what it may be, and is refused where it is given."""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Callable
from typing import Any, Self

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require_choice

__all__ = ["Settings", "one_of", "reals", "some", "whole", "wholes"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Settings(Result, abc.ABC):
    """Base of the settings."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            field.metadata["check"](getattr(self, field.name), field.name)

    @classmethod
    @abc.abstractmethod
    def quick(cls) -> Self:
        """Return settings for less than two minutes."""


def whole(default: int, least: int = 0, most: float = math.inf, step: int = 1) -> Any:
    """Return a field for an integer in a range, a multiple of `step`."""

    def check(value: object, name: str) -> None:
        number = as_index(value, name, at_least=least)
        if number > most:
            raise InvalidValueError(explain(name, f"at most {most}", value, "take fewer"))
        if number % step:
            raise InvalidValueError(explain(name, f"a multiple of {step}", value, "round it"))

    return dataclasses.field(default=default, metadata={"check": check})


def one_of(default: str, *choices: str) -> Any:
    """Return a field for one of some texts."""
    return dataclasses.field(default=default, metadata={"check": lambda v, name: require_choice(v, name, choices)})


def some(default: tuple[Any, ...], check: Callable[[Any, str], None], least: int = 1) -> Any:
    """Return a field for a tuple of at least so many things of a kind."""

    def each(values: object, name: str) -> None:
        if not isinstance(values, list | tuple) or len(values) < least:
            raise InvalidTypeError(explain(name, "a tuple of at least one", values, f"pass {default!r}, say"))
        for value in values:
            check(value, name)

    return dataclasses.field(default=default, metadata={"check": each})


def wholes(default: tuple[int, ...], least: int = 0, most: float = math.inf, step: int = 1) -> Any:
    """Return a field for some integers."""
    return some(default, whole(0, least, most, step).metadata["check"])


def reals(default: tuple[float, ...]) -> Any:
    """Return a field for some numbers above 0."""

    def check(value: object, name: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidTypeError(explain(name, "a number", value, "pass 1.0, say"))
        if not 0 < value < math.inf:
            raise InvalidValueError(explain(name, "above 0", value, "drop it"))

    return some(default, check)
