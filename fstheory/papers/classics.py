"""The classics of the field on finite sample spaces: bounds, pruning, filters, greedy search, Markov boundaries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import TypeAlias

from fstheory.logic.claims import claim, positive
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers import terms
from fstheory.papers.ahmed_2015 import independent_given_class, two_classes
from fstheory.papers.pena_nilsson_2010 import Spared, local_composition, returns_in_any_order

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))
Value: TypeAlias = "Callable[[Model, Iterable[str]], Term]"


def _blanket(m: Model, S: frozenset[str]) -> Formula:
    return m.mutual_information(m.features, S) == 0


def _boundary(m: Model, S: frozenset[str]) -> Formula:
    return _blanket(m, S) & ~m.any(_blanket(m, S - {i}) for i in S)


@paper.claim("TO-1", assume=(independent_given_class,))
def best_alone_in_best_pair(m: Model) -> Formula | bool:
    pairs = list(combinations(m.order, 2))
    least = (
        [*(m.risk(S) <= m.risk(T) for T in pairs), *(m.risk(i) <= m.risk(j) for j in m.order)] for S in pairs for i in S
    )
    return not pairs or m.any(map(m.all, least))


# Cover and Hart (1967), Fano (1961), Kovalevsky, Tebbe and Dwyer (1968), Hellman and Raviv (1970): bounds of the risk.


def _neighbor(m: Model, of: Iterable[str]) -> Term:
    """Return the limit of the risk of the nearest neighbor. In the limit the neighbor lies in the same state."""
    return 1 - m.sum(m.probability(s, y) ** 2 / m.probability(s) for s in m.states(of) for y in m.classes)


def _neighbor_bound(m: Model, of: Iterable[str]) -> Term:
    return m.risk(of) * (2 - Fraction(len(m.classes), max(1, len(m.classes) - 1)) * m.risk(of))


def _fano(m: Model, of: Iterable[str]) -> Term:
    coin = m.sum(p * terms.log_or_zero(m, p) for p in (m.risk(of), 1 - m.risk(of)))
    return m.log(max(1, len(m.classes) - 1)) * m.risk(of) - coin


def _line(m: Model, of: Iterable[str], i: int) -> Term:
    """Return the line through (1 - 1/i, log i) and (1 - 1/(i + 1), log(i + 1)) at the risk."""
    return m.log(i) + m.log(Fraction(i + 1, i)) * (m.risk(of) - Fraction(i - 1, i)) * (i * (i + 1))


paper.claim("CH-1")(lambda m, S: m.risk(S) <= _neighbor(m, S))
paper.claim("CH-2")(lambda m, S: _neighbor(m, S) <= _neighbor_bound(m, S))
paper.claim("CH-2h")(lambda m, S: _neighbor(m, S) <= 2 * m.risk(S))
paper.claim("CH-3")(lambda m, i, j: m.implies(m.risk(i) < m.risk(j), _neighbor(m, {i}) <= _neighbor(m, {j})))
paper.claim("FA-1")(lambda m, S: m.conditional_entropy(S) <= _fano(m, S))
paper.claim("TD-1")(lambda m, S: m.all(_line(m, S, i) <= m.conditional_entropy(S) for i in range(1, len(m.classes))))
paper.claim("HR-1")(lambda m, S: 2 * m.log(2) * m.risk(S) <= m.conditional_entropy(S))


@paper.variants("sides", {"CH-2e": (_neighbor, _neighbor_bound), "FA-1e": (Model.conditional_entropy, _fano)})
def is_reached(m: Model, y: Hashable, *, sides: tuple[Value, Value]) -> Formula:
    evenly_wrong = m.equal(*(m.probability({}, z) for z in m.classes if z != y))
    return m.implies(m.maximizes({}, y) & evenly_wrong, sides[0](m, ()) == sides[1](m, ()))


# Zhao et al. (2013): bounds of other measures for two classes. A loss has the costs c and 1 - c.


def _coin(m: Model, p: Term) -> Term:
    return -m.sum(q * terms.log_or_zero(m, q) for q in (p, 1 - p))


def _costs(m: Model, S: frozenset[str]) -> tuple[Term, Term]:
    return Term(("q", Fraction(1, 3))), terms.cost_closed(m, S, Fraction(1, 3))


def _balanced(m: Model, S: frozenset[str]) -> tuple[Term, Term]:
    p, q = terms.positives(m), terms.negatives(m)
    return p, p * q * terms.balanced_closed(m, S)


def _f_measure(m: Model, S: frozenset[str]) -> tuple[Term, Term]:
    best = terms.f_best(m, S, Fraction(1))
    return best / 2, terms.positives(m) * (1 - best)


@paper.variants("of", {"ZE-1": _costs, "ZE-2": _balanced, "ZE-3": _f_measure}, assume=(two_classes, terms.both_classes))
def loss_is_at_most(m: Model, S: frozenset[str], *, of: Callable[..., tuple[Term, Term]]) -> Formula:
    c, loss = of(m, S)
    return loss * _coin(m, c) <= c * (1 - c) * m.conditional_entropy(S)


@paper.claim("ZE-4", assume=(two_classes, terms.both_classes))
def balanced_loss_is_at_least(m: Model, S: frozenset[str]) -> Formula:
    told = (m.log(2) - _coin(m, terms.balanced_closed(m, S) / 2)) * terms.positives(m) * terms.negatives(m)
    return 4 * told <= m.mutual_information(S)


# Narendra and Fukunaga (1977): a bound that prunes. Krause and Guestrin (2005), Das and Kempe (2011): greedy search.


def _mrmr(m: Model, of: Iterable[str]) -> Term:
    S, n = sorted(of), len(list(of))
    shared = (m.feature_information(i, j) for i in S for j in S)
    return m.sum(map(m.mutual_information, S)) / n - m.sum(shared) / n**2


def _explained(m: Model, of: Iterable[str]) -> Term:
    return terms.variance(m, terms.CLASS) - terms.linear_error(m, of)


@paper.variants("value", {"NF-1": lambda m, of: -m.risk(of), "NF-2": _mrmr})
def pruned(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str], *, value: Value) -> Formula | bool:
    no_case = not U <= S or not T or len(T) != len(U)
    return no_case or m.implies(value(m, S) <= value(m, T), value(m, U) <= value(m, T))


@paper.variants("value", {"KG-1": Model.mutual_information}, assume=(independent_given_class,))
@paper.variants("value", {"DK-2": _explained}, assume=(terms.regular,))
def submodular(m: Model, S: frozenset[str], i: str, j: str, *, value: Value) -> Formula | bool:
    gains = (value(m, S | {i}) - value(m, S), value(m, S | {i, j}) - value(m, S | {j}))
    return i == j or bool(S & {i, j}) or gains[1] <= gains[0]


@paper.claim("DK-1", assume=(terms.regular,))
def ratio_above_least_eigenvalue(m: Model, i: str, j: str) -> Formula | bool:
    square = terms.covariance(m, i, j) ** 2 / (terms.variance(m, i) * terms.variance(m, j))
    alone, both = _explained(m, {i}) + _explained(m, {j}), _explained(m, {i, j})
    return i == j or both - m.sqrt(square) * both <= alone


# Koller and Sahami (1996): a filter that drops features that others shield from the class and from all the rest.


def _shielded(m: Model, G: frozenset[str], i: str) -> Formula:
    """Return the statement that M, a part of the others in G, is a Markov blanket of i.

    I tells nothing more given M.
    """
    return m.any(m.independent(i, {m.target, *m.features} - M - {i}, M) for M in m.subsets(G - {i}))


def _told(m: Model, G: frozenset[str], i: str) -> Formula:
    return m.mutual_information(i, G - {i}) == 0


paper.claim("KS-1")(lambda m, S, i: i not in S or m.implies(_shielded(m, S, i), _told(m, S, i)))
paper.claim("KS-4", assume=(positive,))(
    lambda m, S, i: i in S or m.implies(_told(m, S | {i}, i), _told(m, m.features, i))
)


@paper.claim("KS-2")
def shielded_remains_so(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
    return i in S or j not in S or m.implies(_shielded(m, S, i) & _shielded(m, S, j), _shielded(m, S - {j}, i))


@paper.variants("ends", {"KS-3": (_shielded, _boundary)}, assume=(positive,))
@paper.variants("ends", {"KS-3b": (_shielded, _blanket), "KS-3c": (_told, _boundary)})
def filter_ends(m: Model, S: frozenset[str], *, ends: tuple[Spared, Callable[..., Formula]]) -> Formula:
    return m.implies(returns_in_any_order(m, S, ends[0]), ends[1](m, S))


# Yu and Liu (2004), Peng, Long and Ding (2005), Brown et al. (2012): filters by information.


@claim
def equal_entropies(m: Model) -> Formula:
    """Say that all variables have the same entropy. Then symmetrical uncertainties are ordered as informations are."""
    return m.equal(m.conditional_entropy(()), *(m.entropy(i) for i in m.order))


def _shadows(m: Model, j: str, i: str) -> Formula:
    """Say that j is an approximate Markov blanket of i, and that i tells something about the class."""
    own = m.mutual_information(i)
    return (own > 0) & (own <= m.mutual_information(j)) & (own <= m.feature_information(i, j))


paper.claim("YL-1", assume=(equal_entropies,))(
    lambda m, i, j: i == j or m.implies(_shadows(m, j, i), m.risk(m.features - {i}) == m.risk())
)


@paper.variants("strict", {"YL-2": False, "YL-2c": True}, assume=(equal_entropies,))
def most_relevant_is_predominant(m: Model, i: str, *, strict: bool) -> Formula:
    pairs = [(m.mutual_information(j), m.mutual_information(i), j) for j in sorted(m.features - {i})]
    most = m.all(other < own if strict else other <= own for other, own, _ in pairs)
    return m.implies(most, ~m.any(_shadows(m, j, i) for *_, j in pairs))


def _score(m: Model, S: frozenset[str], i: str, share: Fraction | int = 1, conditional: int = 1) -> Term:
    """Return I(Y; Xi), minus a share of what Xi and each selected feature share, plus a share of that given Y."""
    common = (m.feature_information(i, a) - conditional * m.feature_information(i, a, m.target) for a in S)
    return m.mutual_information(i) - m.sum(common) * share


@paper.variants("apart", {"PE-1": False, "PE-1c": True})
def mrmr_is_max_dependency(m: Model, i: str, j: str, k: str, *, apart: bool) -> Formula | bool:
    told = (m.mutual_information(a) <= m.mutual_information(i) for a in m.order)
    given = m.all((m.independent(i, a, m.target) for a in (j, k)) if apart else told)
    better = _score(m, frozenset({i}), k, 1, 0) < _score(m, frozenset({i}), j, 1, 0)
    return len({i, j, k}) < 3 or m.implies(given & better, m.mutual_information({i, k}) <= m.mutual_information({i, j}))


@paper.claim("BR-2")
def sum_of_pairs_is_information(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
    given = [known for k in (i, j) for known in ({k}, {k, m.target})]
    simple = m.all(m.sum(m.feature_information(a, a, g) for a in S) == m.feature_information(S, S, g) for g in given)
    gain = m.mutual_information(i, S) - m.mutual_information(j, S)
    return bool(S & {i, j}) or m.implies(simple, gain == _score(m, S, i) - _score(m, S, j))


@paper.claim("BR-3")
def joint_information_is_mean(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
    joint, n = m.sum(m.mutual_information({i, a}) - m.mutual_information({j, a}) for a in S), max(1, len(S))
    return bool(S & {i, j}) or joint == (_score(m, S, i, Fraction(1, n)) - _score(m, S, j, Fraction(1, n))) * len(S)


# Nilsson et al. (2007), Statnikov et al. (2013): all relevant features, and all boundaries.


@paper.claim("NI-1")
def relevant_are_linked(m: Model, i: str) -> Formula:
    others = m.features - {i}
    ways = (way for length in range(len(m.order)) for way in permutations(sorted(others), length))
    linked = (m.all(~m.independent(a, b) for a, b in pairwise((m.target, *way, i))) for way in ways)
    return m.implies(m.any(m.mutual_information(i, S) > 0 for S in m.subsets(others)), m.any(linked))


@paper.variants("same", {"ST-1": frozenset}, assume=(positive,))
@paper.variants("same", {"ST-2": len})
def boundaries_agree(m: Model, S: frozenset[str], T: frozenset[str], *, same: Callable[..., object]) -> Formula | bool:
    return same(S) == same(T) or ~(_boundary(m, S) & _boundary(m, T))


paper.claim("ST-3")(lambda m, S, T: m.implies(_boundary(m, S), m.iff(m.mutual_information(S, T) == 0, _blanket(m, T))))
paper.claim("ST-4", assume=(local_composition,))(
    lambda m, S: m.implies(m.all(m.mutual_information(i, S) == 0 for i in m.features), _blanket(m, S))
)
