"""The exceptions of fstheory, and the checks that refuse a call.

Every message names the argument, the requirement, the value that was given, and a repair.
"""

from __future__ import annotations

import difflib
import importlib
import re
import reprlib
import sys
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self, TypeVar

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
    "ZeroProbabilityError",
]


def __dir__() -> list[str]:
    return __all__  # only the exceptions: the functions that raise them are not public


class Named(NamedTuple):
    """An argument of a call that a message names, with the value to pass if there is one."""

    name: str
    value: Any = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name.removesuffix('=')}={self.value!r}"


class Message(str):
    """A text that keeps the arguments that it names, so that each front can name them in its own words.

    Examples
    --------
    >>> text = Message("correct it, or pass ", Named("missing", "drop"))
    >>> text
    "correct it, or pass missing='drop'"
    >>> worded(text, lambda named: f"--{named.name} {named.value}")
    'correct it, or pass --missing drop'
    """

    parts: tuple[str | Named, ...]

    def __new__(cls, *parts: str | Named) -> Self:
        """Join the parts. The parts of a message become parts of the new one."""
        text = super().__new__(cls, "".join(map(str, parts)))
        text.parts = tuple(piece for part in parts for piece in (part.parts if isinstance(part, Message) else (part,)))
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return Message, self.parts


def worded(text: str, words: Callable[[Named], str]) -> str:
    """Return a text in which the function `words` has written each argument that the text names."""
    parts = text.parts if isinstance(text, Message) else (text,)
    return "".join(words(part) if isinstance(part, Named) else part for part in parts)


class FSTheoryError(Exception):
    """The base class of every exception that fstheory raises on purpose.

    `argument` is the name of the argument that is refused, or None. If the call may succeed with further arguments, the
    attribute `options` holds them by name.
    """

    options: Mapping[str, Any] = MappingProxyType({})

    @property
    def message(self) -> str:
        """The text of the error, with the arguments that it names."""
        return self.args[0] if self.args else ""

    @property
    def argument(self) -> str | None:
        """The name of the argument that is refused, or None."""
        first = self.message.parts[0] if isinstance(self.message, Message) else None
        return first.name if isinstance(first, Named) else None


class InvalidTypeError(FSTheoryError, TypeError):
    """An argument has a type that cannot be used exactly (a float weight, say)."""


class InvalidValueError(FSTheoryError, ValueError):
    """An argument has the right type and a value that is not allowed."""


class InvalidFormatError(InvalidValueError):
    """A file or a text does not have the required format."""


class CertificateError(InvalidFormatError):
    """A certificate does not prove its statement. The message names the first fault."""


class ClaimError(InvalidValueError):
    """A claim cannot be stated: its function returned no statement, or the function raised an error.

    In the second case ``__cause__`` holds that error.
    """


class NotLinearError(ClaimError):
    """A claim is not expressible in linear real arithmetic.

    It can be checked and refuted, but no solver can prove it.
    """


class TooLargeError(InvalidValueError):
    """The answer would not fit in memory. The call is refused before any memory is allocated."""


class ZeroDivisorError(InvalidValueError, ZeroDivisionError):
    """An exact number was to be divided by 0."""


class ZeroProbabilityError(InvalidValueError):
    """A conditional probability is not defined, because the event has probability zero."""


class NotMonotoneError(InvalidValueError):
    """An ordering or a table gives a superset a larger Bayes risk than its subset.

    The attributes `superset` and `subset` hold the two.
    """

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
        return Exception.__str__(self)  # KeyError would show the message in quotes


class OutputError(FSTheoryError, OSError):
    """A file could not be written. A file that was there before is unchanged."""


class MissingDependencyError(FSTheoryError, ImportError):
    """An optional library is needed but not installed."""


class LostWorkerError(FSTheoryError, RuntimeError):
    """A chunk of work was lost several times with its worker.

    Either no workers are left, or the chunk itself ends its workers, for lack of memory for example.
    """


class ArbitraryChoiceWarning(UserWarning):
    """Chance or the order of the columns decided a choice, not the rows.

    Either the states have few rows each, or all candidates tie.
    """


def warn_of(doubts: Iterable[str]) -> None:
    """Warn about arbitrary choices. The warning points to the line that called the package."""
    if text := Message(*[part for doubt in doubts for part in ("; ", doubt)][1:]):
        level, frame = 1, sys._getframe()
        while (name := str(frame.f_globals.get("__name__"))).startswith("fstheory.") and frame.f_back is not None:
            level, frame = level + 1, frame.f_back
            if name.startswith("fstheory.papers."):  # experiments make arbitrary choices on purpose
                return
        warnings.warn(text, ArbitraryChoiceWarning, stacklevel=level)


class _Short(reprlib.Repr):
    """A short `repr`. An error in the `repr` of an instance is raised, not hidden."""

    def repr_instance(self, x: object, level: int) -> str:
        repr(x)
        return super().repr_instance(x, level)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 60


T = TypeVar("T")
E = TypeVar("E", bound=FSTheoryError)


def show(value: object) -> str:
    """Return a `repr` that is short enough for one line of a message."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"<an integer of {value.bit_length()} bits>"
    try:
        return _SHORT.repr(value).replace("\n", " ")
    except ValueError:  # an integer inside has more digits than CPython writes
        return f"<{type(value).__name__} with very large integers>"


def first_of(texts: Sequence[str], most: int) -> str:
    """Return at most so many of some texts in one line, with a mark if there are more."""
    return ", ".join([*texts[:most], "..."] if len(texts) > most else texts)


def explain(argument: str, requirement: str, value: object, repair: str) -> Message:
    """Return a message of the standard form: argument, requirement, value, repair.

    The argument is a name. For a part of an argument it is a message, as in "ask: question 2: goal".
    """
    named = argument if isinstance(argument, Message) else Named(argument)
    return Message(named, f" must be {requirement}, not {show(value)}; ", repair)


def repaired(error: E, **options: Any) -> E:
    """Put arguments into the `options` of an error, and return the error. With them, the call may succeed."""
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
    """Return `value` if it has one of these types, else refuse it. A bool does not count as an int."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kind) or (isinstance(value, bool) and bool not in kinds and int in kinds):
        raise InvalidTypeError(explain(argument, requirement, value, repair))
    return value


def require_listed(value: object, argument: str, requirement: str, repair: str, *others: type) -> Iterable[Any]:
    """Return `value` if it is iterable, else refuse it. A text and the types in `others` are refused too."""
    if isinstance(value, (str, *others)) or not isinstance(value, Iterable):
        raise InvalidTypeError(explain(argument, requirement, value, repair))
    return value


def require_choice(value: object, argument: str, choices: Sequence[str]) -> None:
    """Refuse `value` unless it is one of these texts."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidValueError(explain(argument, f"one of {', '.join(choices)}", value, "correct it"))


def require_flag(value: object, argument: str, repair: str = "say which") -> None:
    """Refuse `value` unless it is True or False."""
    if not isinstance(value, bool):
        raise InvalidTypeError(explain(argument, "True or False", value, repair))


def as_names(names: object, argument: str, repair: str = "pass a list of names") -> tuple[Any, ...]:
    """Return the names in an iterable as a tuple, without looking them up.

    A text is refused, because its letters would be taken as names.
    """
    repair = f"write [{names!r}]" if isinstance(names, str) else repair
    return tuple(require_listed(names, argument, "an iterable of names", repair))


def unknown(kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
    """Return the error for a name that does not exist. It lists the names that exist."""
    names = list(known)
    listed = ", ".join(map(show, names[:12])) + (f", ... ({len(names)} in all)" if len(names) > 12 else "")
    repair = f"{did_you_mean(name, names)}use one of: {listed or '(there is none)'}"
    return UnknownNameError(f"{kind} {show(name)} does not exist; {repair}")


def nearest(name: object, known: Iterable[object]) -> str | None:
    """Return the known text that is most similar to `name`.

    Return None if no text is similar, or if `name` consists of several known texts in a row.
    """
    by_case = {text.casefold(): text for text in known if isinstance(text, str) and text}
    several = "(?:" + "|".join(map(re.escape, by_case)) + "){2,}"
    if not isinstance(name, str) or re.fullmatch(several, name.casefold()):
        return None
    return next((by_case[text] for text in difflib.get_close_matches(name.casefold(), by_case, 1)), None)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return the question "did you mean ..." with the most similar known text, or an empty text."""
    near = nearest(name, known)
    return f"did you mean {near!r}? Or " if near else ""


def require_known(name: object, kind: str, known: Iterable[object]) -> None:
    """Refuse a name that does not exist."""
    names = known if isinstance(known, Collection) else tuple(known)  # a look-up in a mapping takes one step
    if not isinstance(name, Hashable) or name not in names:
        raise unknown(kind, name, names)


def install_hint(purpose: str, library: str, extra: str) -> str:
    """Say which library something needs, and which extra of fstheory installs the library."""
    return f"{purpose} needs {library}; install it with: pip install '.[{extra}]' in the checkout of fstheory"


def import_optional(module: str, extra: str, purpose: str) -> Any:
    """Return an optional library, imported. If it is missing, the error says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingDependencyError(install_hint(purpose, module.partition(".")[0], extra)) from error
