"""The gallery by name, for the command line and for loops over all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from fstheory.distribution import JointDistribution
from fstheory.errors import UnknownNameError, show
from fstheory.gallery.concepts import corral, correlated_xor, monks, parity, xor
from fstheory.gallery.failures import copies, recoded, ties
from fstheory.gallery.papers import ahmed_example_1, cover, pena_nilsson_example_1, toussaint
from fstheory.gallery.published import ASIA_VARIABLES, asia, berkeley, led, titanic
from fstheory.gallery.randomized import random

__all__ = ["describe", "load", "names"]


_THRUN, _BREIMAN, _LAURITZEN = "Thrun et al. 1991", "Breiman et al. 1984", "Lauritzen and Spiegelhalter 1988"
_LED, _CLINIC = "seven segments, each inverted with probability 1/10", "the chest clinic network"

# name -> (what makes it, what it is, its source)
_ENTRIES: Mapping[str, tuple[Callable[[], JointDistribution], str, str]] = {
    "titanic": (titanic, "2201 people on the Titanic: class, sex, age -> survived", "Dawson 1995"),
    "berkeley": (berkeley, "4526 applicants to Berkeley in 1973: gender, department -> admitted", "Bickel et al. 1975"),
    "monks-1": (partial(monks, 1), "MONK's problem 1: same shapes, or a red jacket", _THRUN),
    "monks-2": (partial(monks, 2), "MONK's problem 2: exactly two attributes in their first state", _THRUN),
    "monks-3": (partial(monks, 3), "MONK's problem 3, with 5 percent class noise", _THRUN),
    "led": (led, f"{_LED} -> digit", _BREIMAN),
    "led-parity": (partial(led, target="parity"), f"{_LED} -> even or odd", _BREIMAN),
    "xor": (xor, "the exclusive or of two fair bits", "folklore"),
    "parity-3": (
        partial(parity, 3, noise="1/10"),
        "the parity of three fair bits, inverted with probability 1/10",
        "folklore",
    ),
    "corral": (corral, "(A0 and A1) or (B0 and B1), with a tempting correlated bit", "John, Kohavi and Pfleger 1994"),
    "correlated-xor": (correlated_xor, "X1 xor X2 among features and their complements", "Kohavi and John 1997"),
    "asia": (asia, f"{_CLINIC} -> dysp", _LAURITZEN),
    **{
        f"asia-{name}": (partial(asia, name), f"{_CLINIC} -> {name}", _LAURITZEN)
        for name in ASIA_VARIABLES
        if name != "dysp"
    },
    "ahmed-example-1": (
        ahmed_example_1,
        "mutual information and Bayes risk prefer different features",
        "Ahmed, Narasimhan and Agarwal 2015",
    ),
    "pena-nilsson-example-1": (
        pena_nilsson_example_1,
        "a strongly relevant feature outside the minimal-optimal subset",
        "Peña and Nilsson 2010",
    ),
    "toussaint": (toussaint, "the two best features are the worst pair", "Toussaint 1971"),
    "cover": (cover, "the worse experiment is the better one to repeat", "Cover 1974"),
    "copies": (copies, "a feature and its copy: p(x) > 0 fails, two solutions", "fstheory"),
    "recoded": (recoded, "two bits and their exclusive or: solutions of different size", "fstheory"),
    "ties": (ties, "tied posteriors: the single maximum fails, two solutions", "fstheory"),
    "random": (partial(random, rng=1), "a random table over three bits and a class, seed 1", "fstheory"),
}


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

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.load("led-parity") == gallery.led(target="parity")
    True
    """
    make, _, _ = _entry(name)
    return make()


def describe(name: str) -> str:
    """Return what the distribution of that name is and where it comes from, on one line.

    Examples
    --------
    >>> from fstheory import gallery
    >>> gallery.describe("titanic")
    '2201 people on the Titanic: class, sex, age -> survived (Dawson 1995)'
    """
    _, summary, source = _entry(name)
    return f"{summary} ({source})"


def _entry(name: object) -> tuple[Callable[[], JointDistribution], str, str]:
    if not isinstance(name, str) or name not in _ENTRIES:
        # All names, however many: a name is what was asked for, and there is no other list at hand.
        raise UnknownNameError(f"gallery name {show(name)} does not exist; use one of: {', '.join(_ENTRIES)}")
    return _ENTRIES[name]
