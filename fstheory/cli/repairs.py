"""Refusals in the words of the command line, and the options that repair them."""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fstheory import errors
from fstheory.cli.options import LONGEST, ON_TRIAL, Begun, option_name
from fstheory.distributions.rows import SUPPORT

T = TypeVar("T")

_MOST_REPAIRS = 8


def with_repairs(
    run: Callable[[argparse.Namespace], T],
    arguments: argparse.Namespace,
    *options: str,
    error: errors.FSTheoryError | None = None,
) -> tuple[T, dict[str, Any]]:
    """Run a command or a part of it with the options that its refusals name, until it succeeds.

    Return the answer, and the options that differ from those given. An option that the user gave is completed where
    that is possible. A refusal is raised if it names no option, or one that is not among these `options`. If `options`
    are given, a refusal is also raised if it would replace a value of the user. Otherwise all options may change.
    `error` is the refusal of a run before: then the first run has its repair.
    """
    tried = {name: value for name, value in vars(arguments).items() if value is not None}
    given, may_change = dict(tried), {*(options or vars(arguments))} & vars(arguments).keys()
    for _ in range(_MOST_REPAIRS + 1):
        if error is not None:
            target = tried.get("target")
            merged = {name: _both(tried.get(name), value, target) for name, value in error.options.items()}
            wanted = {name: value for name, value in merged.items() if tried.get(name) != value}
            replaced = [name for name in wanted if wanted[name] is error.options[name] and given.get(name)]
            if not wanted or not wanted.keys() <= may_change or (options and replaced):
                raise error
            tried |= wanted
        try:
            answer = run(argparse.Namespace(**vars(arguments) | tried))
        except errors.FSTheoryError as refusal:
            error = refusal
            continue
        return answer, {name: value for name, value in tried.items() if value != given.get(name)}
    assert error is not None
    raise error


def suggestion(error: errors.FSTheoryError, arguments: argparse.Namespace) -> str:
    """Return the end of a refusal: the command with the options that repair it. Empty if no such command is known.

    Each trial runs the command that the user asked for.
    """
    try:
        _, changed = with_repairs(_try, arguments, error=error)
    except (Exception, SystemExit):  # noqa: BLE001 (a claim of the user can raise any error)
        return ""
    words = list(arguments.typed)
    for name, value in changed.items():
        written = words_of(name, value)
        if getattr(arguments, name) is not None and written[0] in words:  # replace the value that was typed
            del words[(at := words.index(written[0])) : at + 2]
        words += written
    condition = "if these rows are all there is, " if changed.get("population") else ""
    return f"; {condition}this works: {shlex.join(['fstheory', *words])}"


def _try(arguments: argparse.Namespace) -> None:
    """Run a command until its first report on progress, which comes after about a second, or to its end.

    The command prints nothing, writes no file outside a temporary folder, and starts no process.
    """
    token = ON_TRIAL.set(True)
    silence = io.StringIO()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.suppress(Begun),
            contextlib.redirect_stdout(silence),
            contextlib.redirect_stderr(silence),
        ):
            harmless: dict[str, Any] = {"open": False, "resume": None, "executor": 1}
            if (out := getattr(arguments, "out", None)) is not None or getattr(arguments, "open", False):
                harmless["out"] = str(Path(folder, Path(out or "page.html").name))
            own = {name: value for name, value in harmless.items() if name in vars(arguments)}
            arguments.run(argparse.Namespace(**vars(arguments) | own))
    finally:
        ON_TRIAL.reset(token)


def _both(before: Any, value: Any, target: str | None) -> Any:
    """Merge two repairs: join lists of columns, join bins of all features or of the target, else keep the later one."""
    if isinstance(before, int) and isinstance(value, dict):
        before = {None: before}
    adds = isinstance(before, dict) and (
        isinstance(value, int)
        or ([*value] == [target] and target not in before)
        or ("calendar" in value.values() and "calendar" not in before.values())
    )
    if adds:
        merged = {**before, **({None: value} if isinstance(value, int) else value)}
        return dict(sorted(merged.items(), key=lambda part: part[0] is not None))  # after a name, 4 would be an edge
    return (*before, *value) if isinstance(before, tuple | list) and isinstance(value, tuple) else value


def words_of(name: str, value: Any) -> list[str]:
    """Return the words of the command line that give an option this value."""
    if name == "criterion":
        value = criterion_name(value)
    if isinstance(value, dict):  # of bins
        edges = [
            part if isinstance(part, int | str) else ",".join(part) + "," * (len(part) == 1) for part in value.values()
        ]
        value = [str(part) if key is None else f"{key}={part}" for key, part in zip(value, edges, strict=True)]
    values = value if name == "na" else [",".join(value) if isinstance(value, tuple | list) else str(value)]
    return [text for shown in values for text in (option_name(name), shown)[: 1 + (value is not True)]]


_ADVICE = {
    SUPPORT.name: "see what the rows support (below, and in 'fstheory report')",
    " to Sample.from_frame or read_csv": "",
    "s.keep(features)": "--features",
    "d.marginal(features)": "--features",
    "call fs.simulate(d, m, method, trials=2000, rng=0)": "pass --trials 2000 to estimate from so many trials",
    "; for a curve, trials=2000, rng=0": "",
    "estimate with .sample(10_000, rng=0), or take .mean and .variance": "pass --null permutation or --null moments",
    "batches": "SOURCE",
    "subject": "SOURCE",
}  # fmt: skip
"""The words of the command line for calls that messages of the library advise."""
_DESTINATIONS = {
    "labels": "target", "ms": "m", "max_features": "k", "max_size": "k", "keep": "batches", "order": "search_order",
    "matrix": "loss_matrix",
}  # fmt: skip
"""Options whose names differ from those of the arguments."""
_CRITERIA = {
    "cost_sensitive": "cost", "logarithmic": "log", "squared_error": "squared", "f_measure": "f",
}  # fmt: skip
"""Criteria with another name on the command line. All others have a hyphen there for each underscore."""


def destination(argument: str) -> str:
    """Return the name of the option for an argument of the library."""
    return _DESTINATIONS.get(argument, argument)


def criterion_name(name: str) -> str:
    """Return the name of a criterion on the command line."""
    return _CRITERIA.get(name, name.replace("_", "-"))


def in_options(text: str, arguments: argparse.Namespace) -> str:
    """Return a message of the library, in which options stand for the arguments that it names.

    If the message names no option that was typed, it names the first one whose value it repeats.
    """
    parts = text.parts if isinstance(text, errors.Message) else (text,)
    typed: dict[str, str] = {dest: name for dest, name in arguments.options.items() if _is_typed(name, arguments.typed)}
    found = errors.worded(text, partial(_option, arguments.options))
    if any(name in found for name in typed.values()):
        return found
    fault = found.partition("; ")[0]  # the rest is the repair, which may repeat other values
    name = next((name for dest, name in typed.items() if _is_repeated(getattr(arguments, dest), fault)), None)
    if name is None:
        return found
    if isinstance(parts[0], errors.Named) and found.startswith(str(parts[0])):
        return name + found.removeprefix(str(parts[0]))
    return f"{name}: {found}"


def _is_typed(option: str, words: Iterable[str]) -> bool:
    short = not option.startswith("--")
    return any(word == option or word.startswith(option if short else f"{option}=") for word in words)


def _is_repeated(value: Any, text: str) -> bool:
    """Return whether a message repeats the value of an option, or one of its values."""
    if isinstance(value, list | tuple):
        return any(_is_repeated(part, text) for part in value)
    if not isinstance(value, str):
        return False
    shown = errors.show(value)
    return (shown[:30] if len(value) > LONGEST else shown) in text  # a message may show the path of a file in a folder


def _option(options: Mapping[str, str], named: errors.Named) -> str:
    if named.name in _ADVICE:
        return _ADVICE[named.name]
    key = destination(named.name.removesuffix("="))
    if key not in options:
        return str(named)
    return options[key] if named.value is None else shlex.join(words_of(key, named.value))
