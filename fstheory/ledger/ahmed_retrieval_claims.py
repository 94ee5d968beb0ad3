"""The statements of Ahmed et al. (2015) on the F-measure and the AUC, Examples 7 and 8, in the language of claims."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from fstheory.ledger import measures
from fstheory.ledger.measures import both_classes, cells_of, choices
from fstheory.logic import Formula, Model, claim

__all__ = ["BETAS"]

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
