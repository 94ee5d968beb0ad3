"""The exceptions of fstheory, and how a call is refused: argument, requirement, value and repair in one message."""

from __future__ import annotations

import difflib
import importlib
import re
import reprlib
import sys
import warnings
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

__all__ = [
    "ArbitraryChoiceWarning",
    "CertificateError",
    "ClaimError",
    "FSTheoryError",
    "InvalidFormatError",
    "InvalidTypeError",
    "InvalidValueError",
    "LostWorkerError",
    "MissingDependencyError",
    "NotLinearError",
    "NotMonotoneError",
    "OutputError",
    "TooLargeError",
    "UnknownNameError",
    "ZeroDivisorError",
    "ZeroProbabilityError",
]


def __dir__() -> list[str]:
    return __all__  # the exceptions, and not the functions that raise them


class FSTheoryError(Exception):
    """Root of every exception that fstheory raises on purpose.

    Where other arguments of the call may repair it, `options` has them by name.
    """

    options: Mapping[str, Any] = MappingProxyType({})


class InvalidTypeError(FSTheoryError, TypeError):
    """An argument has a type that cannot be used exactly (a float weight, say)."""


class InvalidValueError(FSTheoryError, ValueError):
    """An argument has the right type and a value that is not allowed."""


class InvalidFormatError(InvalidValueError):
    """A file or text is not in the format it should be in."""


class CertificateError(InvalidFormatError):
    """A certificate does not prove what it says; the message names the first thing that is wrong."""


class ClaimError(InvalidValueError):
    """A claim cannot be stated: its function failed, which is the ``__cause__``, or returned no statement."""


class NotLinearError(ClaimError):
    """A claim is beyond linear real arithmetic, so it can be checked and refuted but not proved by a solver."""


class TooLargeError(InvalidValueError):
    """The answer would not fit in memory; refused before anything is allocated."""


class ZeroDivisorError(InvalidValueError, ZeroDivisionError):
    """An exact number is divided by 0."""


class ZeroProbabilityError(InvalidValueError):
    """A conditional probability was asked for given an event of probability zero."""


class NotMonotoneError(InvalidValueError):
    """An ordering or a table gives a superset a larger Bayes risk than its subset: `superset` and `subset`."""

    def __init__(
        self, message: str, subset: frozenset[str] = frozenset(), superset: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(message)
        self.subset, self.superset = subset, superset

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.subset, self.superset)


class UnknownNameError(FSTheoryError, KeyError):
    """A feature, state, class or gallery name does not exist."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # KeyError would show the repr of the message


class OutputError(FSTheoryError, OSError):
    """A file could not be written; whatever stood there before is untouched."""


class MissingDependencyError(FSTheoryError, ImportError):
    """An optional library is needed and not installed."""


class LostWorkerError(FSTheoryError, RuntimeError):
    """A piece of work was lost several times: it may be what kills its workers, or none of them are left."""


class ArbitraryChoiceWarning(UserWarning):
    """Chance or the order of the columns chose, not the rows: a state has few of these, or all candidates tie."""


def warn_of(doubts: Iterable[str]) -> None:
    """Warn of what chance or an order decided, where the package was called."""
    if text := "; ".join(doubts):
        level, frame = 1, sys._getframe()
        while (name := str(frame.f_globals.get("__name__"))).startswith("fstheory.") and frame.f_back is not None:
            level, frame = level + 1, frame.f_back
            if name.startswith("fstheory.papers."):  # whose experiments ask for it
                return
        warnings.warn(text, ArbitraryChoiceWarning, stacklevel=level)


class _Short(reprlib.Repr):
    """A short `repr`; that of an instance raises what it raises."""

    def repr_instance(self, x: object, level: int) -> str:
        repr(x)
        return super().repr_instance(x, level)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 60


T = TypeVar("T")
E = TypeVar("E", bound=FSTheoryError)


def show(value: object) -> str:
    """Return a `repr` short enough for one line of a message."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"<an integer of {value.bit_length()} bits>"
    try:
        return _SHORT.repr(value)
    except ValueError:  # an integer inside has more digits than CPython writes
        return f"<{type(value).__name__} with very large integers>"


def explain(argument: str, requirement: str, value: object, repair: str) -> str:
    """Return the house's message: argument, requirement, value, repair."""
    return f"{argument} must be {requirement}, not {show(value)}; {repair}"


def repaired(error: E, **options: Any) -> E:
    """Return the error of a call that may succeed with these arguments beside its own."""
    error.options = options
    return error


def require(
    condition: object,
    argument: str,
    requirement: str,
    value: object,
    repair: str,
    error: type[FSTheoryError] = InvalidValueError,
) -> None:
    """Refuse `value` unless the condition holds."""
    if not condition:
        raise error(explain(argument, requirement, value, repair))


def require_type(value: object, kind: type[T] | tuple[type[T], ...], argument: str, requirement: str, repair: str) -> T:
    """Return `value` if it is of this kind; a bool is no int."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kind) or (isinstance(value, bool) and bool not in kinds and int in kinds):
        raise InvalidTypeError(explain(argument, requirement, value, repair))
    return value


def require_listed(value: object, argument: str, requirement: str, repair: str, *others: type) -> Iterable[Any]:
    """Return `value` if it can be gone through, and is neither a text nor of these other kinds."""
    if isinstance(value, (str, *others)) or not isinstance(value, Iterable):
        raise InvalidTypeError(explain(argument, requirement, value, repair))
    return value


def require_choice(value: object, argument: str, choices: Sequence[str]) -> None:
    """Refuse what is none of these texts."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidValueError(explain(argument, f"one of {', '.join(choices)}", value, "correct it"))


def require_flag(value: object, argument: str, repair: str = "say which") -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise InvalidTypeError(explain(argument, "True or False", value, repair))


def as_names(names: object, argument: str, repair: str = "pass a list of names") -> tuple[Any, ...]:
    """Return the names in an iterable, none of them looked up; a text alone is refused, as its letters would be."""
    repair = f"write [{names!r}]" if isinstance(names, str) else repair
    return tuple(require_listed(names, argument, "an iterable of names", repair))


def unknown(kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
    """Return the error for a name that does not exist, listing those that do."""
    names = list(known)
    listed = ", ".join(map(repr, names[:12])) + (f", ... ({len(names)} in all)" if len(names) > 12 else "")
    repair = f"{did_you_mean(name, names)}use one of: {listed or '(there is none)'}"
    return UnknownNameError(f"{kind} {show(name)} does not exist; {repair}")


def nearest(name: object, known: Iterable[object]) -> str | None:
    """Return the nearest text that is known, unless none is near or several stand in a row."""
    by_case = {text.casefold(): text for text in known if isinstance(text, str) and text}
    several = "(?:" + "|".join(map(re.escape, by_case)) + "){2,}"
    if not isinstance(name, str) or re.fullmatch(several, name.casefold()):
        return None
    return next((by_case[text] for text in difflib.get_close_matches(name.casefold(), by_case, 1)), None)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return a question that names the nearest text that is known, if there is one."""
    near = nearest(name, known)
    return f"did you mean {near!r}? Or " if near else ""


def require_known(name: object, kind: str, known: Iterable[object]) -> None:
    """Refuse a name that does not exist."""
    names = known if isinstance(known, Collection) else tuple(known)  # of a mapping the look-up takes one step
    if not isinstance(name, Hashable) or name not in names:
        raise unknown(kind, name, names)


def import_optional(module: str, extra: str, purpose: str) -> Any:
    """Import and return an optional library, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise MissingDependencyError(
            f"{purpose} needs {library}; install it with: pip install '.[{extra}]' in the checkout of fstheory"
        ) from error
