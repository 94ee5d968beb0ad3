"""The settings of an experiment: each field says what it may be, and is refused where it is given."""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.result import Result
from fstheory.errors import InvalidTypeError, explain, require, require_choice, require_type


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Settings(Result, abc.ABC):
    """Base of the settings."""

    seed: int

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            field.metadata["check"](getattr(self, field.name), field.name)

    def rng(self, *key: int) -> np.random.Generator:
        """Return a generator for what the key tells from all else that is drawn."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))

    @classmethod
    @abc.abstractmethod
    def quick(cls) -> Self:
        """Return settings for less than two minutes."""


def checked(default: Any, check: Callable[[Any, str], object]) -> Any:
    """Return a field whose value is checked, by a function of it and of the field's name."""
    return dataclasses.field(default=default, metadata={"check": check})


def whole(default: int, least: int = 0, most: int | None = None, step: int = 1) -> Any:
    """Return a field for an integer in a range, a multiple of `step`."""

    def check(value: Any, name: str) -> None:
        as_index(value, name, at_least=least, at_most=most)
        require(value % step == 0, name, f"a multiple of {step}", value, "round it")

    return checked(default, check)


def one_of(default: str, *choices: str) -> Any:
    """Return a field for one of some texts."""
    return checked(default, lambda value, name: require_choice(value, name, choices))


def some(default: tuple[Any, ...], each: Any, least: int = 1) -> Any:
    """Return a field for a tuple of at least so many things, each of which another field takes."""

    def check(values: Any, name: str) -> None:
        if not isinstance(values, list | tuple) or len(values) < least:
            raise InvalidTypeError(explain(name, "a tuple of at least one", values, f"pass {default!r}, say"))
        for value in values:
            each.metadata["check"](value, name)

    return checked(default, check)


def reals(default: tuple[float, ...]) -> Any:
    """Return a field for some numbers above 0."""

    def check(value: Any, name: str) -> None:
        require_type(value, (int, float), name, "a number", "pass 1.0, say")
        require(0 < value < math.inf, name, "above 0", value, "drop it")

    return some(default, checked(None, check))
