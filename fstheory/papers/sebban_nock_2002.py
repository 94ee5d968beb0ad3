"""Sebban and Nock (2002): quadratic entropy, and Tables 1 to 3 with what the text says of them, computed again.

The statements of Section 5 are about finite point sets, so they are not in the language of claims:
`fstheory.papers.lemmas` has each one by the same id, ready to be checked at a point set. Of the test of relative
certainty gain the law is meant that has the graph held fixed and the labels put to the points at random, which is what
the null hypothesis of the paper leads to: `fstheory.points.LabelPermutations` has it exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers.entry import Statements

__all__ = ["TABLE_1", "TABLE_2", "TABLE_3", "Comparison", "Recomputed", "compare", "paper", "recomputed", "sign_tests"]
paper = Statements("sebban_nock_2002")


@paper.claim("SN-E")
def quadratic_entropy(m: Model, S: frozenset[str]) -> Formula:

    def entropy(of: dict[str, object]) -> Term:
        shares = (m.probability(of, y) / m.probability(of) for y in m.classes)
        return m.sum(share * (1 - share) for share in shares)

    whole, most = entropy({}), 1 - Fraction(1, len(m.classes))
    certain = m.any(m.probability({}, y) == 1 for y in m.classes)
    uniform = m.all(m.probability({}, y) == 1 - most for y in m.classes)
    mean = m.sum(m.probability(state) * entropy(dict(state)) for state in m.states(S))
    return m.iff(whole == 0, certain) & (whole <= most) & m.iff(whole == most, uniform) & (mean <= whole)


# Tables

Row = tuple[Fraction, ...]

TABLE_1 = paper.table("Table 1")
"""Of each data set p, the accuracy in % with all features, how many the tree selects, the accuracy with these."""

TABLE_2 = paper.table("Table 2")
"""Of each data set p, the number of points, the accuracies with RCG, with all features, selecting by accuracy."""

TABLE_3 = paper.table("Table 3")
"""Of each data set the accuracies with RCG and with the criterion Z in its place."""


class Comparison(NamedTuple):
    """On how many data sets one method is better than another, as good, worse; and the mean of the differences."""

    wins: int
    ties: int
    losses: int
    gain: Fraction


def compare(one: Iterable[Fraction], other: Iterable[Fraction]) -> Comparison:
    """Compare two columns of accuracies, in percentage points."""
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    wins, losses = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return Comparison(wins, len(gaps) - wins - losses, losses, sum(gaps) / Fraction(len(gaps)))


def sign_tests(wins: int, ties: int, losses: int) -> dict[str, Fraction]:
    """Return the one-sided p-values of the exact sign test by what is done with ties; two-sided ones are twice that.

    Where an odd number of ties cannot be halved, the one left over counts as a loss.

    Examples
    --------
    >>> {ties: str(p) for ties, p in sign_tests(8, 0, 2).items()}["dropped"]
    '7/128'
    """

    def tail(n: int, least: int) -> Fraction:
        return Fraction(sum(math.comb(n, hits) for hits in range(least, n + 1)), 2**n)

    n, half = wins + ties + losses, wins + ties // 2
    dropped, more = tail(wins + losses, wins), tail(wins + losses, wins + 1)
    found = {"dropped": dropped, "dropped, mid-p": (dropped + more) / 2, "dropped, more wins only": more}
    return found | {"halved": tail(n, half), "as losses": tail(n, wins), "as wins": tail(n, wins + ties)}


class Recomputed(NamedTuple):
    """A number of the text: its entry in the ledger, what it is, as printed, as it is, and whether the two agree."""

    entry: str
    what: str
    printed: str
    right: str
    agrees: bool


def recomputed() -> tuple[Recomputed, ...]:
    """Return the numbers of Sections 6 to 8 that follow from the tables, in the order of the text.

    Examples
    --------
    >>> [number.entry for number in recomputed() if not number.agrees]
    ['SN-T1', 'SN-T2', 'SN-T4j', 'SN-T4m', 'SN-T4p', 'SN-T5m', 'SN-T8']
    """
    return (*_of_the_tree(), *_of_nearest_neighbors())


def _of_the_tree() -> Iterator[Recomputed]:
    tree = compare(_column(TABLE_1, 3), _column(TABLE_1, 1))
    found = f"{tree.wins} of {len(TABLE_1)}"
    yield Recomputed("SN-T1j", "better than all features", "the majority", found, 2 * tree.wins > len(TABLE_1))
    p = sign_tests(*tree[:3])["dropped"]
    right = f"{_percent(p, 4)}, two-sided {_percent(2 * p, 4)}"
    yield Recomputed("SN-T1", "sign test that the accuracy is at least as good", "10.94%", right, _is("0.1094", p))
    whole = 1 - Fraction(sum(_column(TABLE_1, 2))) / sum(_column(TABLE_1, 0))
    each = Fraction(sum(1 - row[2] / row[0] for row in TABLE_1.values())) / len(TABLE_1)
    right = f"{_percent(each)}; {_percent(whole)} of all together"
    yield Recomputed("SN-T2", "fewer features, mean over the data sets", "almost 80%", right, each > Fraction(3, 4))


def _of_nearest_neighbors() -> Iterator[Recomputed]:
    rcg, everything, accuracy = (_column(TABLE_2, j) for j in (2, 3, 4))
    gain, more, less = compare(rcg, accuracy), compare(rcg, everything), compare(accuracy, everything)
    common = TABLE_1.keys() & TABLE_2.keys()
    both = compare([TABLE_1[name][3] for name in common], [TABLE_2[name][2] for name in common])
    found = f"{both.ties}, {both.wins}, {both.losses}"
    yield Recomputed("SN-T3", "same for both graphs, better for the tree, worse", "4, 3, 2", found, found == "4, 3, 2")
    found = f"{gain.wins}, {gain.ties}, {gain.losses}"
    yield Recomputed("SN-T4", "RCG against accuracy: better, same, worse", "10, 8, 5", found, found == "10, 8, 5")
    found = f"{gain.wins} of {len(rcg)}"
    yield Recomputed("SN-T4j", "RCG better than accuracy", "the majority", found, 2 * gain.wins > len(rcg))
    found = f"{float(gain.gain):+.2f}"
    yield Recomputed("SN-T4m", "mean gain over accuracy", "+1.6%", found, _is("1.6", gain.gain))
    p = sign_tests(*gain[:3])
    found = f"{float(p['dropped']):.3f}; {float(p['halved']):.3f} if ties are halved"
    yield Recomputed("SN-T4p", "sign test, RCG against accuracy", "0.05", found, _is("0.05", *p.values()))
    yield Recomputed("SN-T5", "RCG better than all features", "17", f"{more.wins} of {len(rcg)}", more.wins == 17)
    better = compare(*zip(*(pair for pair in zip(rcg, everything, strict=True) if pair[0] > pair[1]), strict=True)).gain
    found = f"{float(more.gain):+.2f}; {float(better):+.2f} where it is better"
    yield Recomputed("SN-T5m", "mean gain over all features", "+3.0%", found, _is("3.0", more.gain, better))
    p = sign_tests(*more[:3])
    found = f"{float(p['dropped']):.4f}; {float(p['as wins']):.4f} if the tie is a win"
    yield Recomputed("SN-T5p", "sign test, RCG against all features", "0.0053", found, _is("0.0053", p["as wins"]))
    q = sign_tests(*less[:3])["dropped"]
    yield Recomputed("SN-T6", "sign test, accuracy against all features", "0.11", f"{float(q):.3f}", _is("0.11", q))
    other = compare(_column(TABLE_3, 0), _column(TABLE_3, 1))
    found = f"{other.ties} of {len(TABLE_3)}"
    yield Recomputed("SN-T7", "as good with Z", "11 of 15", found, found == "11 of 15")
    q = sign_tests(*other[:3])["dropped"]
    found = f"{other.wins} against {other.losses}, sign test {float(q):.2f}"
    yield Recomputed("SN-T8", "RCG better than Z", "so it seems", found, q < Fraction(1, 20))


def _is(printed: str, *values: Fraction) -> bool:
    """Tell whether one of some numbers, rounded to as many digits, is the printed one."""
    digits = len(printed.partition(".")[2])
    return any(abs(value - Fraction(printed)) <= Fraction(1, 2 * 10**digits) for value in values)


def _column(table: Mapping[str, Row], j: int) -> Sequence[Fraction]:
    return [row[j] for row in table.values()]


def _percent(share: Fraction, digits: int = 3) -> str:
    return f"{float(100 * share):.{digits}g}%"
