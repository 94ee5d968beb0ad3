"""The gallery by name, for the command line and for loops over all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from fstheory.distribution import JointDistribution
from fstheory.errors import UnknownNameError, show
from fstheory.gallery.concepts import corral, correlated_xor, monks, parity, xor
from fstheory.gallery.failures import copies, recoded, ties
from fstheory.gallery.papers import ahmed_example_1, cover, pena_nilsson_example_1, toussaint
from fstheory.gallery.published import ASIA_VARIABLES, asia, berkeley, led, titanic
from fstheory.gallery.randomized import random

__all__ = ["describe", "load", "names"]


class _Entry(NamedTuple):
    make: Callable[[], JointDistribution]
    summary: str
    source: str


_THRUN = "Thrun et al. 1991"
_BREIMAN = "Breiman et al. 1984"
_LAURITZEN = "Lauritzen and Spiegelhalter 1988"

_ENTRIES: Mapping[str, _Entry] = MappingProxyType(
    {
        "titanic": _Entry(titanic, "2201 people on the Titanic: class, sex, age -> survived", "Dawson 1995"),
        "berkeley": _Entry(
            berkeley, "4526 applicants to Berkeley in 1973: gender, department -> admitted", "Bickel et al. 1975"
        ),
        "monks-1": _Entry(partial(monks, 1), "MONK's problem 1: same shapes, or a red jacket", _THRUN),
        "monks-2": _Entry(partial(monks, 2), "MONK's problem 2: exactly two attributes in their first state", _THRUN),
        "monks-3": _Entry(partial(monks, 3), "MONK's problem 3, with 5 percent class noise", _THRUN),
        "led": _Entry(led, "seven segments, each inverted with probability 1/10 -> digit", _BREIMAN),
        "led-parity": _Entry(
            partial(led, target="parity"),
            "seven segments, each inverted with probability 1/10 -> even or odd",
            _BREIMAN,
        ),
        "xor": _Entry(xor, "the exclusive or of two fair bits", "folklore"),
        "parity-3": _Entry(
            partial(parity, 3, noise="1/10"),
            "the parity of three fair bits, inverted with probability 1/10",
            "folklore",
        ),
        "corral": _Entry(
            corral, "(A0 and A1) or (B0 and B1), with a tempting correlated bit", "John, Kohavi and Pfleger 1994"
        ),
        "correlated-xor": _Entry(
            correlated_xor, "X1 xor X2 among features and their complements", "Kohavi and John 1997"
        ),
        "asia": _Entry(asia, "the chest clinic network -> dysp", _LAURITZEN),
        **{
            f"asia-{name}": _Entry(partial(asia, name), f"the chest clinic network -> {name}", _LAURITZEN)
            for name in ASIA_VARIABLES
            if name != "dysp"
        },
        "ahmed-example-1": _Entry(
            ahmed_example_1,
            "mutual information and Bayes risk prefer different features",
            "Ahmed, Narasimhan and Agarwal 2015",
        ),
        "pena-nilsson-example-1": _Entry(
            pena_nilsson_example_1,
            "a strongly relevant feature outside the minimal-optimal subset",
            "Peña and Nilsson 2010",
        ),
        "toussaint": _Entry(toussaint, "the two best features are the worst pair", "Toussaint 1971"),
        "cover": _Entry(cover, "the worse experiment is the better one to repeat", "Cover 1974"),
        "copies": _Entry(copies, "a feature and its copy: p(x) > 0 fails, two solutions", "fstheory"),
        "recoded": _Entry(recoded, "two bits and their exclusive or: solutions of different size", "fstheory"),
        "ties": _Entry(ties, "tied posteriors: the single maximum fails, two solutions", "fstheory"),
        "random": _Entry(partial(random, rng=1), "a random table over three bits and a class, seed 1", "fstheory"),
    }
)


def names() -> tuple[str, ...]:
    """Return the names that `load` knows.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.names()[:5]
    ('titanic', 'berkeley', 'monks-1', 'monks-2', 'monks-3')
    """
    return tuple(_ENTRIES)


def load(name: str) -> JointDistribution:
    """Return the distribution of that name.

    Raises
    ------
    UnknownNameError
        There is no such name; the message lists those that exist.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.load("led-parity") == gallery.led(target="parity")
    True
    """
    return _entry(name).make()


def describe(name: str) -> str:
    """Return what the distribution of that name is and where it comes from, on one line.

    Raises
    ------
    UnknownNameError
        There is no such name.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.describe("titanic")
    '2201 people on the Titanic: class, sex, age -> survived (Dawson 1995)'
    """
    entry = _entry(name)
    return f"{entry.summary} ({entry.source})"


def _entry(name: object) -> _Entry:
    if not isinstance(name, str) or name not in _ENTRIES:
        # All names, however many: a name is what was asked for, and there is no other list at hand.
        raise UnknownNameError(f"gallery name {show(name)} does not exist; use one of: {', '.join(_ENTRIES)}")
    return _ENTRIES[name]
