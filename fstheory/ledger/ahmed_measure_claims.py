"""Statements of Ahmed et al. (2014) on greedy selection, the F-measure and the AUC, in the language of claims."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from fstheory.ledger import measures, terms
from fstheory.ledger.ahmed_claims import two_classes
from fstheory.ledger.measures import both_classes, cells_of, choices
from fstheory.logic import Claim, Formula, Model, Term, claim

__all__ = ["BENEFITS", "BETAS", "GREEDY", "INDEPENDENT", "SUBMODULAR", "SUPERMODULAR", "Benefit"]

Value: TypeAlias = "Callable[[Model, frozenset[str]], Term]"

_COST = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Benefit:
    """A criterion: its name, its value for a subset, and what it assumes."""

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


BETAS = (Fraction(1, 2), Fraction(1), Fraction(2))


# Example 7: the F-measure


@claim(name="A-7")
def best_f_by_thresholds(m: Model, S: frozenset[str]) -> Formula:
    """The largest F_beta of all classifiers is that of the classifiers sign(eta - t), t in [0, 1]."""
    cells = cells_of(m, S)
    cuts = [measures.threshold(cells, at) for at in [m.sum([]), *(cell.eta for cell in cells)]]
    return m.all(
        measures.f_best(m, S, weight) == m.maximum(measures.f_value(m, cells, cut, weight) for cut in cuts)
        for weight in (1 / beta**2 for beta in BETAS)
    )


@claim(name="A-7t", assume=[both_classes])
def best_f_only_by_thresholds(m: Model, S: frozenset[str]) -> Formula:
    """Every classifier with the largest F_1 thresholds eta: where it says positive, eta is larger than elsewhere."""
    cells = cells_of(m, S)
    best = measures.f_best(m, S, Fraction(1))

    def thresholds(says: Sequence[bool]) -> Formula:
        above = [cell for cell, said in zip(cells, says, strict=True) if said]
        below = [cell for cell, said in zip(cells, says, strict=True) if not said]
        return m.all(
            (one.mass == 0) | (two.mass == 0) | (two.yes * one.mass < one.yes * two.mass)
            for one in above
            for two in below
        )

    return m.all(
        m.implies(measures.f_value(m, cells, says, Fraction(1)) == best, thresholds(says)) for says in choices(cells)
    )


@claim(name="A-7s", assume=[both_classes])
def best_threshold(m: Model, S: frozenset[str]) -> Formula:
    """The classifier that is positive where eta > F / (1 + 1/beta^2), F the largest F_beta, has this F_beta."""
    cells = cells_of(m, S)
    found = []
    for weight in (1 / beta**2 for beta in BETAS):
        best = measures.f_best(m, S, weight)
        cut = measures.threshold(cells, best / (1 + weight))
        found.append(measures.f_value(m, cells, cut, weight) == best)
    return m.all(found)


@claim(name="A-7b")
def f_as_usual(m: Model, S: frozenset[str]) -> Formula:
    """The F_beta as printed, (1 + beta^2) / (beta^2/Prec + 1/Rec), is the usual F_beta of every classifier."""
    return _f_printed_is(m, S, [(beta, beta) for beta in BETAS])


@claim(name="A-7c")
def f_with_the_other_weight(m: Model, S: frozenset[str]) -> Formula:
    """The F_beta as printed is the usual F_(1/beta) of every classifier: a large beta favors precision."""
    return _f_printed_is(m, S, [(beta, 1 / beta) for beta in BETAS])


# Example 8: bipartite ranking


@claim(name="A-8", assume=[both_classes])
def best_auc(m: Model, S: frozenset[str]) -> Formula:
    """The largest AUC of all scoring functions is 1 - E min(alpha(X, X'), alpha(X', X)) / (2 p (1 - p))."""
    cells = cells_of(m, S)
    return m.maximum(measures.auc(m, cells, scores) for scores in measures.rankings(cells)) == measures.auc_closed(m, S)


def _f_printed_is(m: Model, S: frozenset[str], pairs: Sequence[tuple[Fraction, Fraction]]) -> Formula:
    """Say that the printed F_beta of every classifier is the usual F_gamma, for some pairs of numbers."""
    cells = cells_of(m, S)
    found = []
    for (beta, gamma), says in itertools.product(pairs, choices(cells)):
        hits = m.sum(cell.yes for cell, said in zip(cells, says, strict=True) if said)
        called = m.sum(cell.mass for cell, said in zip(cells, says, strict=True) if said)
        printed = hits * (1 + beta**2) / (called * beta**2 + measures.positives(m))
        usual = hits * (1 + gamma**2) / (called + measures.positives(m) * gamma**2)
        found.append(printed == usual)
    return m.all(found)
