"""Tables 1 to 3 of Sebban and Nock, and what the text says of them, computed again from the printed numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from fstheory.papers.entry import Declarations
from fstheory.papers.sebban_nock_2002 import SEBBAN_NOCK_2002

__all__ = [
    "TABLE_1",
    "TABLE_2",
    "TABLE_3",
    "Comparison",
    "Recomputed",
    "compare",
    "recomputed",
    "sign_tests",
]
Row = tuple[Fraction, ...]


def _table(name: str) -> Mapping[str, Row]:
    """Read a printed table, each number as the decimal fraction that it is."""
    text = (resources.files("fstheory.papers") / "tables" / "sebban_nock_2002.json").read_text(encoding="utf-8")
    rows = json.loads(text, parse_int=Fraction, parse_float=Fraction)[name]
    return MappingProxyType({data: tuple(row) for data, row in rows.items()})


TABLE_1 = _table("Table 1")
"""Of each data set p, the accuracy in % with all features, how many the tree selects, the accuracy with these."""

TABLE_2 = _table("Table 2")
"""Of each data set p, the number of points, the accuracies with RCG, with all features, selecting by accuracy."""

TABLE_3 = _table("Table 3")
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


paper = Declarations(SEBBAN_NOCK_2002)

paper.entry("SN-T0", "Sections 6 and 7")(r"""
The text counts as the tables do: 10 data sets (7 of them natural), 23 and 15; and of Synt1, Synt2, Synt3, Hard, Xd6 and
LED24 the features that matter and those that do not are as many as they have.
$$7 + 3,\quad 3 + 7,\quad 7 + 93,\quad 5 + 5,\quad 9 + 1,\quad 7 + 17$$
""")

paper.entry("SN-T1j", "Section 6, Table 1")(r"""
On the majority of the data sets of Table 1 the accuracy is better with the selected features: on eight of ten.
$$8 + 0 + 2 = 10$$
""")

paper.entry("SN-T1e", "Sections 6 and 8, Table 1")(r"""
The selection eliminates both irrelevant and redundant features.
$$|E \cap \text{irrelevant}| = 0$$
Of the ten features of Synt2 seven are irrelevant, and the other three redundant; five are selected.
""")

paper.entry("SN-T1f", "Sections 6 and 8, Table 1", corrects="SN-T1e")(r"""
Of the irrelevant features of Synt2 it keeps two at least and leaves two out; of Synt3 it leaves out 91 of 93 at least.
$$5 - 3 \le |E \cap \text{irrelevant}| \le 5,\quad |E \cap \text{irrelevant}| \le 2$$
""")

paper.entry("SN-T1", "Section 6, Table 1")(r"""
A sign test that no selection is at least as good as selection gives about 10.94% for Table 1.
$$p_t \approx 10.94\%$$
Of the ten data sets selection is better on eight, worse on two. This hypothesis has one side; 10.94% has two. What the
text calls the accuracy is the accuracy with all features: Table 1 has no selection by accuracy.
""")

paper.entry("SN-T1c", "Section 6, Table 1", corrects="SN-T1")(r"""
The exact sign test of Table 1 has a p-value of 7/128, about 5.47%; two-sided, that neither is better, 7/64.
$$P(\mathrm{Bin}(10, \tfrac12) \ge 8) = \tfrac{7}{128}$$
""")

paper.entry("SN-T2", "Section 6, Table 1")(r"""
On average almost 80% of the features of a data set are left out.
$$\frac1{10} \sum \Bigl(1 - \frac{p'}p\Bigr) \approx 80\%$$
The paper says fewer than the accuracy; Table 1 has no selection by accuracy, so that fewer than all is meant.
""")

paper.entry("SN-T2c", "Section 6, Table 1", corrects="SN-T2")(r"""
The mean over the ten data sets of the share that is left out is 64.5%; of all their features together it is 78.1%.
$$\frac1{10} \sum \Bigl(1 - \frac{p'}p\Bigr) = 64.5\%,\quad 1 - \frac{\sum p'}{\sum p} = \frac{25}{32}$$
98 of the 200 that are left out are those of Synt3; without it 65.4% of all together are left out.
""")

paper.entry("SN-T3", "Section 7, item 1")(r"""
Of the nine data sets of both tables, four have the same accuracy with both graphs, three a better one with the tree,
two with nearest neighbors.
$$4 + 3 + 2 = 9$$
The paper speaks of the same subsets, which Table 2 does not show. Breast of Table 1, with 13 features, is not Breast
Cancer of Table 2, with 9.
""")

paper.entry("SN-T9", "Tables 1 and 2", printed=False)(r"""
The accuracy of the same classifier with all features is the same in Tables 1 and 2.
$$Acc_1 = \mathrm{All}$$
Not printed: it is so for seven of the nine data sets that both tables have.
""")

paper.entry("SN-T9g", "Table 2", printed=False)(r"""
The accuracies of Table 2 are shares of the printed number of points.
$$\tfrac{|S|}{100} \cdot \text{accuracy} \in \mathbb{N}, \text{ up to rounding}$$
Not printed: in a five-fold cross-validation with folds of the same size it has to be so. Of the twelve data sets whose
number of points is a multiple of five, ten have accuracies that are none, 21 of the 36. So other samples were used,
or the mean of several cross-validations; the paper does not say.
""")

paper.entry("SN-T4", "Section 7, item 2")(r"""
Among the 23 data sets RCG is better than accuracy on ten, equal on eight, worse on five.
$$10 + 8 + 5 = 23$$
""")

paper.entry("SN-T4j", "Section 7, item 2")(r"""
In the majority of cases RCG is better than accuracy.
$$10 > \tfrac{23}{2}$$
It is the majority of the 15 data sets where they differ.
""")

paper.entry("SN-T4m", "Section 7, item 2")(r"""
The mean gain of RCG over accuracy is about 1.6 points.
$$\tfrac{1}{23} \sum (RCG - Acc) \approx 1.6$$
""")

paper.entry("SN-T4r", "Section 7, item 2", corrects="SN-T4m")(r"""
The mean gain of RCG over accuracy is 34.2/23, about 1.5 points.
$$\tfrac{1}{23} \sum (RCG - Acc) = \tfrac{171}{115}$$
""")

paper.entry("SN-T4p", "Section 7, item 2")(r"""
A sign test of RCG against accuracy gives about 0.05, which is significant.
$$p_t \approx 0.05$$
No way of counting the eight ties gives it, one-sided or two-sided, exact or by the normal law.
""")

paper.entry("SN-T4q", "Section 7, item 2", corrects="SN-T4p")(r"""
The exact sign test of RCG against accuracy, without the ties, has a p-value of 0.15: it is not significant.
$$P(\mathrm{Bin}(15, \tfrac12) \ge 10) = \tfrac{309}{2048}$$
With the ties halved it is 0.20, two-sided without them 0.30.
""")

paper.entry("SN-T5", "Section 7, item 3")(r"""
On 17 of the 23 data sets RCG is better than all features.
$$17 + 1 + 5 = 23$$
That it is so with fewer features cannot be seen in Table 2, which does not say how many were selected.
""")

paper.entry("SN-T5m", "Section 7, item 3")(r"""
RCG is better than all features by 3.0 points on average.
$$\tfrac{1}{23} \sum (RCG - All) \approx 3.0$$
""")

paper.entry("SN-T5r", "Section 7, item 3", corrects="SN-T5m")(r"""
The mean gain of RCG over all features is 64.6/23, about 2.8 points, and 74.2/17 on the 17 data sets where it is better.
$$\tfrac{1}{23} \sum (RCG - All) = \tfrac{323}{115}$$
""")

paper.entry("SN-T5p", "Section 7, item 3")(r"""
A sign test of RCG against all features gives about 0.0053, which is highly significant.
$$P(\mathrm{Bin}(23, \tfrac12) \ge 18) \approx 0.0053$$
If the tie on Xd6 counts as a win, or by the normal law without it. The exact test without the tie gives 0.0085.
""")

paper.entry("SN-T6", "Section 7, item 4")(r"""
A sign test of accuracy against all features gives about 0.11.
$$P(\mathrm{Bin}(23, \tfrac12) \ge 15) \approx 0.105$$
One-sided, so the test of Table 1 is another one.
""")

paper.entry("SN-T7", "Section 7, Table 3")(r"""
On 11 of 15 data sets the accuracy with the criterion Z is the same as with RCG, and only on Audiology it is better.
$$11 + 1 + 3 = 15$$
The paper speaks of the subsets. The column of RCG is that of Table 2.
""")

paper.entry("SN-T8", "Section 8")(r"""
RCG is significantly better than accuracy, and better than the criterion Z, too.
$$p_t \le 0.05$$
On accuracy see SN-T4q. Against Z it is three data sets to one.
""")
