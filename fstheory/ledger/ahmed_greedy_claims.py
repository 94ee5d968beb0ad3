"""Greedy selection by the criteria of Ahmed et al. (2015), Sections 3.2 and 5, in the language of claims.

A criterion is written with the sign that makes larger better. For each of seven there are three claims: greedy forward
selection reaches the best subset of each size, if ties fall well; the criterion is submodular; it is supermodular.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from fstheory.ledger import measures, terms
from fstheory.ledger.ahmed_claims import two_classes
from fstheory.ledger.measures import both_classes
from fstheory.logic import Claim, Formula, Model, Term, claim

__all__ = ["BENEFITS", "GREEDY", "INDEPENDENT", "SUBMODULAR", "SUPERMODULAR", "Benefit"]

Value: TypeAlias = "Callable[[Model, frozenset[str]], Term]"

_COST = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Benefit:
    """A criterion: its name, its value for a subset, and what it assumes.

    Examples
    --------
    >>> BENEFITS["log"].name
    'mutual information'
    """

    name: str
    value: Value
    assume: tuple[Claim, ...] = ()


BENEFITS: Mapping[str, Benefit] = MappingProxyType(
    {
        "01": Benefit("the 0-1 criterion", lambda m, of: -m.risk(of)),
        "cost": Benefit("the cost-sensitive criterion, c = 1/4", lambda m, of: -measures.cost_closed(m, of, _COST)),
        "bal": Benefit("the balanced criterion", lambda m, of: -measures.balanced_closed(m, of), (both_classes,)),
        "log": Benefit("mutual information", lambda m, of: m.mutual_information(of)),
        "sq": Benefit("the squared error criterion", lambda m, of: -terms.squared_error(m, of)),
        "F": Benefit("the F_1 criterion", lambda m, of: measures.f_best(m, of, Fraction(1)), (both_classes,)),
        "auc": Benefit("the AUC criterion", measures.auc_closed, (both_classes,)),
    }
)
"""The criteria of Examples 2 to 8."""


@claim
def independent_given_class(m: Model, x: terms.State, y: Any) -> Formula:
    """Say that the features are independent given the class."""
    parts = [m.probability({name: label}, y) for name, label in x.items()]
    left, right = m.probability(x, y), m.sum([1])
    for part in parts:
        right = right * part
    for _ in parts[1:]:
        left = left * m.probability({}, y)
    return left == right if parts else m.all([])


def _second_difference(m: Model, value: Value, S: frozenset[str], i: str, j: str) -> tuple[Term, Term]:
    """Return what i adds to S, and what it adds once j is there."""
    return value(m, S | {i}) - value(m, S), value(m, S | {i, j}) - value(m, S | {j})


def _submodular(key: str, prefix: str, *assume: Claim) -> Claim:
    benefit = BENEFITS[key]

    def adds_less_later(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
        if not i < j or S & {i, j}:
            return True
        now, later = _second_difference(m, benefit.value, S, i, j)
        return now >= later

    return claim(name=f"{prefix}-{key}", assume=(*benefit.assume, *assume))(adds_less_later)


def _supermodular(key: str) -> Claim:
    benefit = BENEFITS[key]

    def adds_more_later(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
        if not i < j or S & {i, j}:
            return True
        now, later = _second_difference(m, benefit.value, S, i, j)
        return now <= later

    return claim(name=f"A-Gp-{key}", assume=benefit.assume)(adds_more_later)


def _greedy(key: str) -> Claim:
    benefit = BENEFITS[key]

    def reaches_the_best(m: Model) -> Formula:
        return m.all(
            m.any(_is_greedy_and_best(m, benefit.value, order) for order in itertools.permutations(m.order, size))
            for size in range(2, len(m.order))
        )

    return claim(name=f"A-Gg-{key}", assume=benefit.assume)(reaches_the_best)


def _is_greedy_and_best(m: Model, value: Value, order: tuple[str, ...]) -> Formula:
    """Say that forward selection may choose these features in this order, and that no others are better."""
    steps = []
    for place, chosen in enumerate(order):
        before = frozenset(order[:place])
        rivals = [name for name in m.order if name not in before and name != chosen]
        steps += [value(m, before | {other}) <= value(m, before | {chosen}) for other in rivals]
    rest = (frozenset(other) for other in itertools.combinations(m.order, len(order)) if set(other) != set(order))
    return m.all([*steps, *(value(m, other) <= value(m, frozenset(order)) for other in rest)])


GREEDY: Mapping[str, Claim] = MappingProxyType({key: _greedy(key) for key in BENEFITS})
"""Greedy forward selection reaches the best subset, however large, if ties fall well."""

SUBMODULAR: Mapping[str, Claim] = MappingProxyType({key: _submodular(key, "A-Gs") for key in BENEFITS})
"""What a feature adds does not grow when another is there."""

SUPERMODULAR: Mapping[str, Claim] = MappingProxyType({key: _supermodular(key) for key in BENEFITS})
"""What a feature adds does not shrink when another is there."""

INDEPENDENT: Mapping[str, Claim] = MappingProxyType(
    {
        key: _submodular(key, "A-Gi", *([two_classes] if key == "auc" else []), independent_given_class)
        for key in BENEFITS
    }
)
"""The criterion is submodular if the features are independent given the class (of two classes, for the AUC)."""
