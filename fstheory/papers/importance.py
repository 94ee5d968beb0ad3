"""Claims on importances of features: Shapley values, LOCO, MCI and the Shapley values of information (SAGE)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

from fstheory.logic.claims import positive, unique_maximum
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))
UNIQUE = (positive, unique_maximum)


def _gain(m: Model, S: frozenset[str] | set[str]) -> Term:
    return m.risk(()) - m.risk(S)


def _others(m: Model, *names: str) -> list[str]:
    return [name for name in m.order if name not in names]


def _useless(m: Model, i: str) -> Formula:
    return m.all(m.risk(S | {i}) == m.risk(S) for S in m.subsets(_others(m, i)))


def _in_a_solution(m: Model, i: str) -> Formula:
    return m.any(m.minimal_optimal(S) for S in m.subsets() if i in S)


def _of_pairs(body: Callable[[Model, str, str], Formula]) -> Callable[[Model, str, str], Formula | bool]:
    """Return a claim about two different features."""

    def claimed(m: Model, i: str, j: str) -> Formula | bool:
        return i == j or body(m, i, j)

    return claimed


def _if_copies(body: Callable[[Model, str, str], Formula]) -> Callable[[Model, str, str], Formula | bool]:
    """Return a claim about two features that add the same to all others, and nothing to each other."""
    return _of_pairs(lambda m, i, j: m.implies(m.copies(i, j), body(m, i, j)))


# Shapley (1953): the axioms.

paper.claim("SH-1")(lambda m: m.sum(map(m.shapley, m.order)) == _gain(m, m.features))


@paper.claim("SH-2")
@_of_pairs
def alike_in_all_company(m: Model, i: str, j: str) -> Formula:
    alike = m.all(m.risk(S | {i}) == m.risk(S | {j}) for S in m.subsets(_others(m, i, j)))
    return m.implies(alike, m.shapley(i) == m.shapley(j))


paper.claim("SH-3")(lambda m, i: m.implies(_useless(m, i), m.shapley(i) == 0))
paper.claim("SH-4")(lambda m, i: m.implies(m.shapley(i) == 0, _useless(m, i)))
paper.claim("SH-5")(lambda m, i: m.shapley(i) >= 0)
paper.claim("SH-6")(lambda m, i: m.implies((m.loco(i) > 0) | (m.alone(i) > 0), m.shapley(i) > 0))
paper.claim("SH-7")(_if_copies(lambda m, i, j: m.shapley(i) + m.shapley(j) == m.shapley(i, of=_others(m, j))))


@paper.claim("SH-8")
@_if_copies
def part_of_a_copy(m: Model, i: str, j: str) -> Formula:
    n, before = len(m.order), m.shapley(i, of=_others(m, j))
    return (before <= m.shapley(i) * n) & (m.shapley(i) * n <= before * (n - 1))


# Catav et al. (2021): the marginal contribution importance, and what it is to be.

paper.claim("CA-1")(lambda m, i: m.iff(m.shapley(i) == 0, m.mci(i) == 0))
paper.claim("CA-2")(lambda m, i: (m.importance(i, "least") <= m.shapley(i)) & (m.shapley(i) <= m.mci(i)))
paper.claim("CA-3")(_if_copies(lambda m, i, j: m.mci(i) == m.mci(i, of=_others(m, j))))
paper.claim("CA-4")(_of_pairs(lambda m, i, j: m.mci(i, of=_others(m, j)) <= m.mci(i)))
paper.claim("CA-5")(_of_pairs(lambda m, i, j: m.shapley(i, of=_others(m, j)) <= m.shapley(i)))


@paper.claim("CA-6")
def between_if_submodular(m: Model, i: str) -> Formula:
    between = (m.loco(i) <= m.shapley(i)) & (m.shapley(i) <= m.alone(i)) & (m.alone(i) == m.mci(i))
    return m.implies(m.submodular(), between)


paper.claim("CA-7")(
    _of_pairs(
        lambda m, i, j: m.implies(
            m.independent({i}, {j}, given=[m.target]), _gain(m, {i, j}) <= m.alone(i) + m.alone(j)
        )
    )
)

# Lei et al. (2018): leave one covariate out.


def _marks_the_solution(m: Model, i: str, S: frozenset[str]) -> Formula:
    return m.implies(m.minimal_optimal(S), (m.loco(i) > 0) if i in S else (m.loco(i) == 0))


paper.claim("LE-1", assume=UNIQUE)(_marks_the_solution)
paper.claim("LE-1p", assume=(positive,))(_marks_the_solution)
paper.claim("LE-1u", assume=(unique_maximum,))(_marks_the_solution)


@paper.claim("LE-2")
def needed_everywhere(m: Model, i: str) -> Formula:
    return m.iff(m.loco(i) > 0, m.all(m.risk(S) > m.risk() for S in m.subsets(_others(m, i))))


paper.claim("LE-3")(_if_copies(lambda m, i, j: (m.loco(i) == 0) & (m.loco(j) == 0)))
paper.claim("LE-4")(lambda m, i: m.loco(i) <= m.shapley(i))
paper.claim("LE-5")(lambda m, i: m.shapley(i) <= m.alone(i))


@paper.claim("LE-6", assume=(positive,))
def marks_the_boundary(m: Model, i: str, S: frozenset[str]) -> Formula:
    known = m.mutual_information(m.features)
    boundary = (m.mutual_information(S) == known) & m.all(m.mutual_information(S - {j}) < known for j in S)
    loco = m.loco(i, criterion="information")
    return m.implies(boundary, (loco > 0) if i in S else (loco == 0))


# Fryer, Strümke and Nguyen (2021), Cohen, Dror and Ruppin (2007): selection by Shapley values.


def _positive_is_needed(m: Model, i: str) -> Formula:
    return m.implies(m.shapley(i) > 0, _in_a_solution(m, i))


def _largest_is_needed(m: Model, i: str) -> Formula:
    return _in_a_solution(m, i) | m.any(m.shapley(j) >= m.shapley(i) for j in _others(m, i))


paper.claim("FY-1")(_positive_is_needed)
paper.claim("FY-1u", assume=UNIQUE)(_positive_is_needed)
paper.claim("FY-2")(lambda m, i: m.implies(_in_a_solution(m, i), m.shapley(i) > 0))
paper.claim("FY-3")(_largest_is_needed)
paper.claim("FY-3u", assume=UNIQUE)(_largest_is_needed)


@paper.claim("FY-4", assume=UNIQUE)
def needed_above_others(m: Model, i: str, j: str, S: frozenset[str]) -> Formula | bool:
    return i not in S or j in S or m.implies(m.minimal_optimal(S), m.shapley(i) >= m.shapley(j))


paper.claim("CD-1")(_of_pairs(lambda m, i, j: m.implies(m.shapley(i) > m.shapley(j), m.risk({i}) <= m.risk({j}))))


@paper.claim("CD-2")
@_of_pairs
def least_is_best_to_drop(m: Model, i: str, j: str) -> Formula:
    return m.implies(m.shapley(i) < m.shapley(j), m.risk(m.features - {i}) <= m.risk(m.features - {j}))


# Guyon and Elisseeff (2003): what single features do not tell.

paper.claim("GE-1")(_of_pairs(lambda m, i, j: m.implies(m.alone(i) == 0, m.risk({i, j}) == m.risk({j}))))


@paper.claim("GE-2")
@_of_pairs
def useless_together(m: Model, i: str, j: str) -> Formula:
    return m.implies((m.alone(i) == 0) & (m.alone(j) == 0), _gain(m, {i, j}) == 0)


@paper.claim("GE-3")
@_of_pairs
def no_noise_reduction(m: Model, i: str, j: str) -> Formula:
    alike = m.independent({i}, {j}, given=[m.target]) & (m.risk({i}) == m.risk({j}))
    return m.implies(alike, m.risk({i, j}) == m.risk({i}))


@paper.claim("GE-4")
@_of_pairs
def redundant(m: Model, i: str, j: str) -> Formula:
    function = m.entropy({i, j}) == m.entropy({i})
    return m.implies(function, (m.risk({i, j}) == m.risk({i})) & (m.mutual_information({j}, {i}) == 0))


@paper.claim("GE-5")
@_of_pairs
def nearly_the_same(m: Model, i: str, j: str) -> Formula:
    high = m.feature_information({i}, {j}) >= Fraction(9, 10) * m.entropy({i})
    return m.implies(high, m.mutual_information({i, j}) <= m.mutual_information({i}) + m.mutual_information({j}))


# Covert, Lundberg and Lee (2020): Shapley values of information.

_sage: Callable[..., Term] = partial(Model.shapley, criterion="information")
paper.claim("CO-1")(lambda m: m.sum(_sage(m, i) for i in m.order) == m.mutual_information(m.features))
paper.claim("CO-2")(lambda m, i: m.implies(m.loco(i, criterion="information") == 0, _sage(m, i) == 0))
paper.claim("CO-3")(lambda m, i: m.implies(_sage(m, i) == 0, m.shapley(i) == 0))
paper.claim("CO-4")(lambda m, i: m.implies(m.shapley(i) == 0, _sage(m, i) == 0))
paper.claim("CO-5")(_of_pairs(lambda m, i, j: m.implies(_sage(m, i) > _sage(m, j), m.shapley(i) >= m.shapley(j))))


def _largest_is_sufficient(m: Model, i: str, S: frozenset[str]) -> Formula | bool:
    largest = m.all(_sage(m, i) > _sage(m, j) for j in _others(m, i))
    return i in S or m.implies(largest, m.mutual_information(S) < m.mutual_information(m.features))


paper.claim("CO-6")(_largest_is_sufficient)
paper.claim("CO-6p", assume=(positive,))(_largest_is_sufficient)

# Grabisch and Roubens (1999): interaction.

paper.claim("GR-2")(_if_copies(lambda m, i, j: m.interaction(i, j) <= 0))


@paper.claim("GR-1")
@_of_pairs
def additive(m: Model, i: str, j: str) -> Formula:
    company = m.subsets(_others(m, i, j))
    alike = m.all(m.risk(S | {i, j}) - m.risk(S | {j}) == m.risk(S | {i}) - m.risk(S) for S in company)
    return m.implies(m.interaction(i, j) == 0, alike)
