"""The command about finite samples, and its methods by their names on the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fstheory.cli.options import dump, picked, read_source, resumable, watch
from fstheory.errors import InvalidValueError, TooLargeError, explain

if TYPE_CHECKING:
    from fstheory.samples import Method

__all__ = ["METHODS", "finite_sample"]

_MAKERS: dict[str, tuple[str, dict[str, str | None]]] = {
    "fbs": ("FBS", {"tau": "1/20", "ties": "first", "estimate": "resubstitution", "holdout": None}),
    "fos": ("FOS", {"tau": "1/20", "ties": "first", "estimate": "resubstitution", "holdout": None}),
    "wrap": ("StandardWrap", {"holdout": "3/10", "ties": "first"}),
    "ordered": ("OrderedFS", {"holdout": "3/10", "ties": "first"}),
    "none": ("NoSelection", {}),
}
"""From a name to the class of `fstheory.samples`, and the options it takes with what they are if not given."""
METHODS = tuple(_MAKERS)


def finite_sample(arguments: argparse.Namespace) -> str:
    """Say what a method selects on m samples: exactly, or estimated where that is asked for."""
    from fstheory.reporting import curve_document
    from fstheory.samples import law_curve
    from fstheory.viz import file_kind

    if arguments.out is not None:
        file_kind(arguments.out, "--out")
    if arguments.trials is None and arguments.seed is not None:
        raise InvalidValueError(explain("--seed", "left out unless --trials is given", arguments.seed, "drop it"))
    method, settings = _method_of(arguments)
    d = read_source(arguments)
    given = {name: value for name, value in picked(arguments, "trials", "work", "workers").items() if value is not None}
    if arguments.trials is not None:
        given["rng"] = arguments.seed or 0
    try:
        with resumable(arguments.resume):
            curve = watch(law_curve, d, method, arguments.m, resume=arguments.resume, **given)
    except TooLargeError as error:
        text, simulated, _ = str(error).partition(": pass work=")
        repair = ": raise --work, or pass --trials 2000 to estimate from so many trials"
        raise TooLargeError(text + repair * bool(simulated)) from error
    if arguments.out is not None:
        curve.plot().save(arguments.out)
    if arguments.json:
        return dump(curve_document(curve))
    seeded = f"; seed {given['rng']}" if arguments.trials is not None and not curve.is_exact else ""
    texts = [f"{method.title} with {settings}{seeded}" if settings else f"{method.title}{seeded}", *map(str, curve)]
    return "\n\n".join([*texts, *([f"Wrote {arguments.out}"] if arguments.out is not None else [])])


def _method_of(arguments: argparse.Namespace) -> tuple[Method, str]:
    """Return the method that the arguments name, and its settings in words, those not given too."""
    from fstheory import samples

    maker, defaults = _MAKERS[arguments.method]
    for option in ("tau", "holdout", "ties", "estimate"):
        value = getattr(arguments, option)
        if value is not None and option not in defaults:
            takers = " or ".join(name for name, (_, taken) in _MAKERS.items() if option in taken)
            raise InvalidValueError(explain(f"--{option}", f"left out unless --method is {takers}", value, "drop it"))
    options: dict[str, Any] = {name: getattr(arguments, name) or value for name, value in defaults.items()}
    settings = ", ".join(f"{name} {value}" for name, value in options.items() if value is not None)
    return getattr(samples, maker)(**{name: value for name, value in options.items() if value is not None}), settings
