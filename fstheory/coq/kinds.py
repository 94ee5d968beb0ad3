"""The kinds of facts and of splits that the Coq library proves, by their names in `checker/kinds.py`, a line each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.numbers import ceiling, logarithms
from fstheory.coq.covers import tree_written

_UNIT = 10**6  # The checker rounds coefficients to multiples of 1 / _UNIT.
_FINE = 10**18  # Coq bounds logarithms by multiples of 1 / _FINE where a sum of them is rounded.

_RISKS, _CELLS, _MAXIMA = ({f"about_{of}_here": f"about_{of}"} for of in ("risks", "cells", "maxima"))
_ENTROPIES = {f"about_{of}_here": f"about_{of}" for of in ("entropies", "curves", "impurities")}
_TOPS = {"split_maxima": "nat"}
_PAIRS = {"optimal_pairs": "N * N", "zero_pairs": "N * N"}
# The theorems of the library that prove claims, with the lists of facts and of splits that each takes, in its order.
# A list is given by its name in the exported file, and by the type of its elements in the library.
LISTS: dict[str, dict[str, dict[str, str]]] = {
    "one_shape": {"fact": _CELLS | _MAXIMA, "split": _TOPS},
    "every_size": {"fact": _RISKS | _MAXIMA, "split": _PAIRS | _TOPS},
    "every_size_with_entropies": {
        "fact": _RISKS | _ENTROPIES | _MAXIMA,
        "split": {"splits": "split_entropies"} | _PAIRS | _TOPS,
    },
    "every_size_further": {
        "fact": _RISKS | _ENTROPIES | {"further_facts_here": "known"} | _MAXIMA,
        "split": {"splits": "split_entropies", "further_splits_here": "known"} | _PAIRS | _TOPS,
    },
}
# What each of them imports beside the definitions.
IMPORTS = {
    "one_shape": "EverySize OneShape",
    "every_size": "EverySize",
    "every_size_with_entropies": "EverySize Entropies Informations Gini Facts Envelopes Impurities Amounts Notions",
}
IMPORTS["every_size_further"] = f"{IMPORTS['every_size_with_entropies']} Known Further"

# For Coq, a kind has the list that it is in, and its text. The text is a function of the space that the certificate is
# about, and of the arguments without the criterion. It gives the element of the list, and the denominator over which
# Coq writes a fact. An element of the further lists is a value of the library with its arguments. There, @V stands for
# the place of the criterion V among those that the certificate needs, and @C:1/3 for that of C[1/3].
Written: TypeAlias = "tuple[str, Callable[..., tuple[str, int]]]"


def _of_classes(space: EverySizeSpace, kind: str, s: int) -> tuple[str, int]:
    """Return a fact about any number of classes, or about k, over the denominator k."""
    k = space.classes
    return (f"{kind} {s}", 1) if k is None else (f"{kind}Of {k} {s}", k)


def _lower(_: EverySizeSpace, s: int, j: int) -> tuple[str, int]:
    rise = Fraction(j + 1, j)
    return f"Lower {s} {j} {_above(Fraction(1, j), rise, 1 / rise)}", _UNIT


def _fano(space: EverySizeSpace, s: int, share: str) -> tuple[str, int]:
    k, r = space.classes, Fraction(share)
    assert k is not None
    return f"Fano {k} {s} {_parts(r)} {_above(1 / (1 - r), (k - 1) / r)}", _UNIT


def _told(_: EverySizeSpace, s: int, t: int, strength: str, j: int) -> tuple[str, int]:
    e = Fraction(strength)
    rise, start = (j + 1) * (e + j - 1) / (j * (e + j)), (e + j - 1) / (j * e)
    return f"Told {s} {t} {_parts(e)} {j} {_above(e, start, rise, 1 / rise)}", _UNIT


def _coin(_: EverySizeSpace, s: int, right: bool, share: str) -> tuple[str, int]:
    a = Fraction(share)
    return f"Coin {s} {str(not right).lower()} {_parts(a)} {_above(1 / a)}", _UNIT * a.denominator


def _with_part(kind: str, share: str, *sets: int) -> tuple[str, int]:
    a = Fraction(share)
    return f"{kind} {' '.join(map(str, sets))} {_parts(a)}", a.denominator**2


def _below(space: EverySizeSpace, s: int, share: str) -> tuple[str, int]:
    a, k = Fraction(share), space.classes
    if k is None:
        return f"GiniBelow {s} {_parts(a)}", a.denominator**2
    return f"GiniBelowOf {k} {s} {_parts(a)}", (k - 1) * a.denominator**2


def _gini_pair(_: EverySizeSpace, s: int, t: int, low: str, high: str) -> tuple[str, int]:
    e = math.lcm(Fraction(low).denominator, Fraction(high).denominator)
    a, b = int(Fraction(low) * e), int(Fraction(high) * e)
    return f"GiniPair {s} {t} {a} {b} {e}", (e * (e - 2 * a)) ** 2


def _pair(_: EverySizeSpace, s: int, t: int, low: str, high: str, weight: str) -> tuple[str, int]:
    q, c, u = map(Fraction, (low, high, weight))
    fall = _rounded([(u, (1 - q) / q), (Fraction(-1), (1 - c) / c)], _UNIT)
    rounded = f"{_above(1 / (1 - q))} {fall} {_above((1 - c) / c)}"
    finely = _above((1 - q) / q, c / (1 - c), 4 * q * (1 - q), 1 / (4 * c * (1 - c)), unit=_FINE)
    return f"Pair {s} {t} {_parts(q)} {_parts(c)} {_parts(u)} {rounded} {finely}", _UNIT * u.denominator


def _tree(space: EverySizeSpace, *given: Any) -> tuple[str, int]:
    return tree_written(space.n, *given, at_most=lambda z: int(ceiling(logarithms([(Fraction(1), z)]), _FINE) * _FINE))


def _prior(space: EverySizeSpace, low: int, high: int, parts: int) -> tuple[str, int]:
    *_, (_, chord, _) = space.cases(("prior", low, high, parts), "a split")
    _, (_, (_, slope), _), (_, height) = chord
    ends = Fraction(low, parts), Fraction(high, parts)
    line = " ".join(f"({number.numerator}) {number.denominator}" for number in (*ends, slope, height))
    bounds = (_above(end, 1 - end, unit=_FINE) if end else "0 0" for end in ends)
    return f"Prior {line} {' '.join(bounds)}", 1


def _prior_costs(_: EverySizeSpace, s: int, cost: str) -> tuple[str, int]:
    return f"prior_costs_or @B {_parts(Fraction(cost))} @C:{cost} {s}", 1


def _parts(number: Fraction) -> str:
    return f"{number.numerator} {number.denominator}"


def _above(*numbers: Fraction, unit: int = _UNIT) -> str:
    """Return the least whole numbers of units that are not below the logarithms of numbers."""
    return " ".join(_rounded([(Fraction(1), number)], unit) for number in numbers)


def _rounded(terms: Iterable[tuple[Fraction, Fraction]], unit: int) -> str:
    """Return the least whole number of units that is not below a sum of multiples of logarithms."""
    return f"({int(ceiling(logarithms(terms), unit) * unit)})"


# The facts about risks and entropies, and after them the splits, by their names in certificates.
WRITTEN: dict[str, dict[str, Written]] = {
    "fact": {
        "less": ("about_risks_here", lambda _, s, i: (f"Less {s} {s | 1 << i}", 1)),
        "floor": ("about_risks_here", lambda space: (f"Floor {(1 << space.n) - 1}", 1)),
        "ceiling": ("about_risks_here", lambda space: _of_classes(space, "Ceiling", 0)),
        "maxima": ("about_risks_here", lambda space: (f"MaximaOf {space.classes}", space.classes)),
        "I": ("about_entropies_here", lambda _, a, b, c: (f"Information {a} {b} {c}", 1)),
        "ZY": ("about_entropies_here", lambda _, a, b, c, d: (f"FourSets {a} {b} {c} {d}", 1)),
        "less G": ("about_impurities_here", lambda _, s, i: (f"GiniLess {s} {s | 1 << i}", 1)),
        "best G": ("about_impurities_here", lambda space: (f"GiniFloor {(1 << space.n) - 1}", 1)),
        "blind G": ("about_impurities_here", lambda space: _of_classes(space, "GiniCeiling", 0)),
        "above G": ("about_impurities_here", lambda _, s: (f"GiniAbove {s}", 1)),
        "below G": ("about_impurities_here", _below),
        "gain G": ("about_impurities_here", lambda _, s, t, share: _with_part("Gain", share, s, t)),
        "pair G": ("about_impurities_here", _gini_pair),
        "tree": ("about_impurities_here", _tree),
        "square": ("further_facts_here", lambda _, s, a: _with_part("square_above", a, s)),
        "less square": ("further_facts_here", lambda _, s, i: (f"square_less {s} {s | 1 << i}", 1)),
        "chord": ("further_facts_here", lambda space, s: (f"square_chord {s}", space.classes or 1)),
        "spread": ("further_facts_here", lambda space, s: (f"spread {s}", (space.classes or 2) - 1)),
        "less V": ("further_facts_here", lambda _, s, i: (f"explained_more @V {s} {s | 1 << i}", 1)),
        "best V": ("further_facts_here", lambda space: (f"explained_most @V {(1 << space.n) - 1}", 1)),
        "blind V": ("further_facts_here", lambda _: ("explained_blind @V", 1)),
        "bits": ("further_facts_here", lambda _, s, g: (f"bits {s} {str(g).lower()}", 1)),
        "less B": ("further_facts_here", lambda _, s, i: (f"balanced_falls @B {s} {s | 1 << i}", 1)),
        "best B": ("further_facts_here", lambda space: (f"balanced_least @B {(1 << space.n) - 1}", 1)),
        "blind B": ("further_facts_here", lambda _: ("balanced_of_none @B", 1)),
        "fall G": ("further_facts_here", lambda _, s, t: (f"gini_falls_less {s} {t}", 1)),
        "less A": ("further_facts_here", lambda _, s, i: (f"area_less @A {s} {s | 1 << i}", 1)),
        "best A": ("further_facts_here", lambda space: (f"area_most @A {(1 << space.n) - 1}", 1)),
        "blind A": ("further_facts_here", lambda _: ("area_blind @A", 2)),
        "cut": ("further_facts_here", lambda _, s, a: _with_part("area_cut @A", a, s)),
        "cut square": ("further_facts_here", lambda _, s: (f"area_cut_square @A {s}", 1)),
        "rates": ("further_facts_here", lambda _, s: (f"area_rates @A @B {s}", 1)),
        "corner": ("further_facts_here", lambda _, s, a: _with_part("area_corner @A @B", a, s)),
        "corner square": ("further_facts_here", lambda _, s: (f"area_corner_square @A @B {s}", 1)),
        "odds": ("further_facts_here", lambda _, s, a: _with_part("balanced_over_risk @B", a, s)),
        "log k": ("about_curves_here", lambda space: (f"LogClasses {space.classes}", 1)),
        "TD log": ("about_curves_here", lambda _, s, j: (f"LowerLog {s} {j}", 1)),
        "fano log": ("about_curves_here", lambda space, s: (f"FanoLog {space.classes} {s}", 1)),
        "TD": ("about_curves_here", _lower),
        "fano": ("about_curves_here", _fano),
        "told": ("about_curves_here", _told),
        "coin": ("about_curves_here", _coin),
        "pinsker": ("about_curves_here", lambda _, s, t, share: _with_part("Pinsker", share, s, t)),
        "left": ("about_curves_here", _pair),
    },
    "split": {
        "optimal": ("optimal_pairs", lambda _, s, t: (f"({s}, {t})%N", 1)),
        "zero": ("zero_pairs", lambda _, s, t: (f"({s}, {t})%N", 1)),
        "bridge": ("splits", lambda _, s, i: (f"Bridge {s} {s | 1 << i}", 1)),
        "intersection": ("splits", lambda _, a, s, t: (f"Shared {a} {s} {t}", 1)),
        "G-ties": ("splits", lambda _, s, i: (f"Ties {s} {s | 1 << i}", 1)),
        "strict": ("splits", lambda _, s, i: (f"Strict {s} {s | 1 << i}", 1)),
        "G-closed": ("splits", lambda _, s, t: (f"Closed {s} {t}", 1)),
        "G-independent": ("further_splits_here", lambda _, s, t: (f"gini_apart_or {s} {t}", 1)),
        "V-independent": ("further_splits_here", lambda _, s, t: (f"explained_apart_or @V {s} {t}", 1)),
        "V-closed": ("further_splits_here", lambda _, s, t: (f"explained_closed_or @V {s} {t}", 1)),
        "chance": ("further_splits_here", lambda _: ("area_chance_or @A", 1)),
        "both-classes": ("further_splits_here", lambda _: ("both_classes_or @A", 1)),
        "certain A": ("further_splits_here", lambda _, s: (f"area_certain_or @A {s}", 1)),
        "informed A": ("further_splits_here", lambda _, s: (f"area_informed_or @A {s}", 1)),
        "informed G": ("further_splits_here", lambda _, s: (f"gini_informed_or {s}", 1)),
        "certain B": ("further_splits_here", lambda _, s: (f"balanced_certain_or @B {s}", 1)),
        "informed B": ("further_splits_here", lambda _, s: (f"balanced_informed_or @B {s}", 1)),
        "equal-priors": ("further_splits_here", lambda _, s: (f"equal_priors_or @B {s}", 1)),
        "prior-costs": ("further_splits_here", _prior_costs),
        "sure": ("splits", lambda _, s: (f"Sure {s}", 1)),
        "prior": ("splits", _prior),
    },
}
