"""Koller and Sahami (1996): a filter that drops features that others shield from the class and from all the rest."""

from __future__ import annotations

from fstheory.logic.claims import positive
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.papers.entry import Statements
from fstheory.papers.pena_nilsson_2010 import blanket, boundary, returns_in_any_order, strongly_relevant
from fstheory.papers.terms import restricted

__all__ = ["paper"]
paper = Statements("koller_sahami_1996")


def _shields(m: Model, M: frozenset[str], i: str) -> Formula:
    """Return the statement that M is a Markov blanket of i: given M, it tells nothing of the class and the others."""
    rest = m.features - {i}
    return m.all(
        m.probability(x, y) * m.probability(restricted(x, M))
        == m.probability(restricted(x, M | {i})) * m.probability(restricted(x, rest), y)
        for x in m.states()
        for y in m.classes
    )


def _shielded(m: Model, G: frozenset[str], i: str) -> Formula:
    """Return the statement that i has a Markov blanket within the others of G."""
    return m.any(_shields(m, M, i) for M in m.subsets(G - {i}))


def _told(m: Model, G: frozenset[str], i: str) -> Formula:
    """Return the statement that the others of G tell of the class what G does."""
    return blanket(m, G - {i}, G)


@paper.claim("KS-1")
def shielded_costs_nothing(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    return i not in S or m.implies(_shielded(m, S, i), _told(m, S, i))


@paper.claim("KS-2")
def shielded_remains_so(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
    return i in S or j not in S or m.implies(_shielded(m, S, i) & _shielded(m, S, j), _shielded(m, S - {j}, i))


@paper.claim("KS-3", assume=(positive,))
def ends_at_a_boundary(m: Model, S: frozenset[str]) -> Formula:
    return m.implies(returns_in_any_order(m, S, _shielded), boundary(m, S))


@paper.claim("KS-3b")
def ends_at_a_blanket(m: Model, S: frozenset[str]) -> Formula:
    return m.implies(returns_in_any_order(m, S, _shielded), blanket(m, S))


@paper.claim("KS-3c")
def told_ends_at_a_boundary(m: Model, S: frozenset[str]) -> Formula:
    return m.implies(returns_in_any_order(m, S, _told), boundary(m, S))


@paper.claim("KS-4")
def first_of_all_the_weak(m: Model, i: str) -> Formula:
    return m.iff(_shielded(m, m.features, i), ~strongly_relevant(m, i))


@paper.claim("KS-5", assume=(positive,))
def few_that_tell_enough(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    return i in S or m.implies(blanket(m, S, S | {i}), _told(m, m.features, i))
