"""Claims on questions in turn, reasons of single verdicts, and all solutions: reducts, dependencies, Rashomon sets."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from fstheory.logic.claims import positive, unique_maximum
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Formula, State, Term
from fstheory.logic.language import Model
from fstheory.papers import terms

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))
UNIQUE = (positive, unique_maximum)
Value: TypeAlias = Callable[[Model, State], Term]


def _after(m: Model, i: str) -> Term:
    """Return the risk of two questions, of which i is the first and the second is a best one."""
    return m.sum(m.policy(1, x) for x in m.states([i]))


def _others(m: Model, *names: str) -> list[str]:
    return [name for name in m.order if name not in names]


# Golovin and Krause (2011), Golovin, Krause and Ray (2010): greedy questions, and gains that never grow.


def _loss(m: Model, s: State) -> Term:
    return m.policy(0, s)


def _mass(m: Model, s: State) -> Term:
    return m.probability(s) ** 2


def _edges(m: Model, s: State) -> Term:
    return m.probability(s) * m.sum(m.probability(s, y) * m.probability(s, z) for y, z in combinations(m.classes, 2))


def _uncertainty(m: Model, s: State) -> Term:
    shares = (m.probability(s, y) / m.probability(s) for y in m.classes)
    return -m.probability(s) * m.sum(p * terms.log_or_zero(m, p) for p in shares)


def _gain(m: Model, value: Value, s: State, i: str) -> Term:
    """Return the expected gain of a question in a state, 0 in a state that does not occur."""
    return (value(m, s) - m.sum(value(m, {**s, **x}) for x in m.states([i]))) / m.probability(s)


def _never_grows(m: Model, value: Value, s: State) -> Formula:
    """Say that no question gains more in a state than in the state with one answer less."""
    asked = _others(m, *s)
    return m.all(
        _gain(m, value, s, i) <= _gain(m, value, {j: s[j] for j in s if j != known}, i) for known in s for i in asked
    )


@paper.variants("value", {"GK-1": _loss, "GK-2": _mass, "EC-1": _edges, "EC-2": _uncertainty})
def adaptively_submodular(m: Model, S: frozenset[str], *, value: Value) -> Formula:
    return m.all(_never_grows(m, value, s) for s in m.states(S))


@paper.claim("GK-3")
def greedy_reaches_its_share(m: Model, i: str) -> Formula:
    never_grows = m.all(_never_grows(m, _loss, s) for S in m.subsets() for s in m.states(S))
    best = m.all(m.risk({i}) <= m.risk({j}) for j in m.order)
    gained, most = m.risk(()) - _after(m, i), m.risk(()) - m.policy(2)
    return m.implies(never_grows & best, gained >= most * Fraction(3, 4))


# Quinlan (1986), Breiman et al. (1984), Bilgic and Getoor (2011): trees that are grown from the top.


@paper.claim("QU-1")
def most_informative_first(m: Model, i: str) -> Formula:
    most = m.all(m.mutual_information({i}) > m.mutual_information({j}) for j in _others(m, i))
    return m.implies(most, _after(m, i) == m.policy(2))


def _best_first(m: Model, i: str) -> Formula:
    return m.all(m.risk({i}) < m.risk({j}) for j in _others(m, i))


paper.claim("BF-1")(lambda m, i, S: len(S) != 2 or m.implies(_best_first(m, i), _after(m, i) <= m.risk(S)))
paper.claim("BF-2")(lambda m, i, j: _after(m, i) <= m.risk({i, j}))
paper.claim("BG-1")(lambda m, S, i: m.implies(m.independent({m.target}, {i}, S), m.risk(S | {i}) == m.risk(S)))
paper.claim("BG-2")(lambda m: m.implies(m.all(m.risk({i}) == m.risk(()) for i in m.order), m.policy(2) == m.risk(())))
paper.claim("BL-1")(lambda m, i, j: m.implies(m.independent({m.target}, {j}, {i}), m.risk({i}) <= m.risk({j})))


# Buhrman and de Wolf (2002): questions in the worst case.


def _possible(m: Model, x: State) -> Formula:
    return m.probability(x) > 0


def _same_verdict(m: Model, x: State, z: State) -> Formula:
    return m.all(m.iff(m.maximizes(x, y), m.maximizes(z, y)) for y in m.classes)


def _sufficient(m: Model, x: State, S: frozenset[str]) -> Formula:
    alike = (z for z in m.states() if all(z[i] == x[i] for i in S))
    return m.all(m.implies(_possible(m, z), _same_verdict(m, x, z)) for z in alike)


@paper.claim("BW-1", assume=(unique_maximum,))
def short_reasons(m: Model, x: State) -> Formula:
    short = ((k, [S for S in m.subsets() if len(S) <= k]) for k in range(len(m.order)))
    return m.all(
        m.implies((m.policy(k) == m.risk()) & _possible(m, x), m.any(_sufficient(m, x, S) for S in few))
        for k, few in short
    )


@paper.claim("BW-4")
def worth_two_features(m: Model) -> Formula:
    return m.any(m.risk(S) <= m.policy(2) for S in m.subsets() if len(S) <= 2)


# Shih et al. (2018), Ignatiev et al. (2021), Huang et al. (2023), Wäldchen et al. (2021): reasons of single verdicts.


def _reason(m: Model, x: State, S: frozenset[str]) -> Formula:
    return _sufficient(m, x, S) & ~m.any(_sufficient(m, x, S - {i}) for i in S)


def _change(m: Model, x: State, S: frozenset[str]) -> Formula:
    """Say that a possible state with another verdict differs from x within S. This is a change or contains one."""
    near = (z for z in m.states() if all(z[i] == x[i] for i in m.order if i not in S))
    return m.any(_possible(m, z) & ~_same_verdict(m, x, z) for z in near)


def _smallest_change(m: Model, x: State, S: frozenset[str]) -> Formula:
    return _change(m, x, S) & ~m.any(_change(m, x, S - {i}) for i in S)


def _in_some(m: Model, family: Callable[[Model, State, frozenset[str]], Formula], x: State, i: str) -> Formula:
    return m.any(family(m, x, S) for S in m.subsets() if i in S)


def _in_every_reason(m: Model, x: State, i: str) -> Formula:
    return ~m.any(_reason(m, x, S) for S in m.subsets() if i not in S)


@paper.claim("SC-1", assume=UNIQUE)
def union_of_reasons(m: Model, S: frozenset[str], i: str) -> Formula:
    found = m.any(_possible(m, x) & _in_some(m, _reason, x, i) for x in m.states())
    return m.implies(m.minimal_optimal(S), found if i in S else ~found)


@paper.claim("SC-2", assume=UNIQUE)
def in_every_reason_of_everybody(m: Model, S: frozenset[str], i: str, x: State) -> Formula | bool:
    return i not in S or m.implies(m.minimal_optimal(S), _in_every_reason(m, x, i))


@paper.claim("IG-1")
def reasons_hit_changes(m: Model, x: State, S: frozenset[str]) -> Formula:
    def hits(R: frozenset[str]) -> Formula:
        return ~m.any(_smallest_change(m, x, T) for T in m.subsets(m.features - R))

    return m.implies(_possible(m, x), m.iff(_reason(m, x, S), hits(S) & ~m.any(hits(S - {i}) for i in S)))


paper.claim("HM-1")(
    lambda m, x, i: m.implies(_possible(m, x), m.iff(_in_some(m, _reason, x, i), _in_some(m, _smallest_change, x, i)))
)
paper.claim("HM-2")(
    lambda m, x, i: m.implies(_possible(m, x), m.iff(_in_every_reason(m, x, i), _change(m, x, frozenset({i}))))
)


@paper.claim("WA-1", assume=UNIQUE)
def enough_stays_enough(m: Model, x: State, S: frozenset[str], i: str, y: Hashable) -> Formula:
    def enough(T: frozenset[str]) -> Formula:
        alike = [z for z in m.states() if all(z[j] == x[j] for j in T)]
        right = m.sum(terms.indicator(m.probability(z, y) * 2 - m.probability(z)) * m.probability(z) for z in alike)
        return right * 4 >= m.sum(map(m.probability, alike)) * 3

    return m.implies(m.maximizes(x, y) & enough(S), enough(S | {i}))


# Pawlak (1991), Skowron and Rauszer (1992), Ziarko (1993): reducts of rough sets.


def _region(m: Model, S: frozenset[str], share: Fraction = Fraction(1)) -> Term:
    """Return the probability that some class has at least a share of the people who agree on S."""
    short = (
        terms.indicator(share * m.probability(s) - m.maximum(m.probability(s, y) for y in m.classes)) * m.probability(s)
        for s in m.states(S)
    )
    return 1 - m.sum(short)


def _reduct(m: Model, S: frozenset[str]) -> Formula:
    whole = _region(m, m.features)
    return (_region(m, S) == whole) & m.all(_region(m, S - {i}) < whole for i in S)


@paper.claim("PW-1")
def core(m: Model, i: str) -> Formula:
    needed = _region(m, m.features - {i}) < _region(m, m.features)
    return m.iff(needed, ~m.any(_reduct(m, S) for S in m.subsets() if i not in S))


@paper.claim("PW-2")
def core_is_reduct(m: Model, S: frozenset[str]) -> Formula:
    needed = (_region(m, m.features - {i}) < _region(m, m.features) for i in m.order)
    exactly = m.all(one if i in S else ~one for i, one in zip(m.order, needed, strict=True))
    return m.implies(exactly, _reduct(m, S))


paper.claim("PW-3")(lambda m, S, i: _region(m, S) <= _region(m, S | {i}))
paper.claim("PW-4")(lambda m, S: m.iff(_reduct(m, S), m.minimal_optimal(S)))
paper.claim("PW-5")(lambda m, S: m.implies(m.risk() == 0, m.iff(_reduct(m, S), m.minimal_optimal(S))))
paper.claim("ZI-1")(lambda m, S, i: _region(m, S, Fraction(3, 4)) <= _region(m, S | {i}, Fraction(3, 4)))


@paper.claim("SR-1")
def discerns(m: Model, S: frozenset[str]) -> Formula:
    cells = [(x, y) for x in m.states() for y in m.classes]
    pairs = ((a, b) for a, b in combinations(cells, 2) if a[1] != b[1] and all(a[0][i] == b[0][i] for i in S))
    return m.implies(
        m.risk() == 0,
        m.iff(m.risk(S) == 0, m.all((m.probability(*a) == 0) | (m.probability(*b) == 0) for a, b in pairs)),
    )


# Kivinen and Mannila (1995): approximate functional dependencies, by the errors g1, g2 and g3.


def _pairs_wrong(m: Model, S: frozenset[str] | set[str]) -> Term:
    """Return g1: how often two people who are drawn agree on S and have different classes."""
    return m.sum(m.probability(s) ** 2 - m.sum(m.probability(s, y) ** 2 for y in m.classes) for s in m.states(S))


def _between(m: Model, i: str, j: str) -> Term:
    """Return g3 of the dependency of feature j on feature i."""
    return 1 - m.sum(m.maximum(m.probability({**s, **t}) for t in m.states([j])) for s in m.states([i]))


paper.claim("KM-1")(lambda m, i, j: i == j or m.risk({i}) <= _between(m, i, j) + m.risk({j}))
paper.claim("KM-2")(lambda m, i, j: i == j or m.risk({i}) <= m.maximum([_between(m, i, j), m.risk({j})]))
paper.claim("KM-3")(lambda m, S: (_pairs_wrong(m, S) <= m.risk(S) * 2) & (m.risk(S) <= 1 - _region(m, S)))
paper.claim("KM-4")(lambda m, i, j: m.implies(m.risk({i}) < m.risk({j}), _pairs_wrong(m, {i}) <= _pairs_wrong(m, {j})))

# Fisher, Rudin and Dominici (2019): how much all good subsets rely on a feature.


def _optimal(m: Model, S: frozenset[str]) -> Formula:
    return m.risk(S) == m.risk()


@paper.claim("FR-1")
def relied_on_by_all(m: Model, i: str) -> Formula:
    in_all = m.all(~_optimal(m, S) for S in m.subsets(_others(m, i)))
    return m.iff(in_all, m.all(m.implies(_optimal(m, S), m.risk(S - {i}) > m.risk(S)) for S in m.subsets()))


@paper.claim("FR-2")
def most_relied_on_by_minimal(m: Model, i: str, S: frozenset[str]) -> Formula:
    more = m.any(m.minimal_optimal(T) & (m.risk(S - {i}) <= m.risk(T - {i})) for T in m.subsets())
    return m.implies(_optimal(m, S), more)


@paper.claim("FR-3")
def useless_at_last(m: Model, i: str, S: frozenset[str]) -> Formula | bool:
    return i not in S or m.implies(m.loco(i) == 0, ~m.minimal_optimal(S))
