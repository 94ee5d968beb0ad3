"""What the text of Sebban and Nock says of their tables, against the entries of the ledger, number by number."""

import itertools
import math
from fractions import Fraction as F

import pytest

from fstheory.papers.ledger import claims
from fstheory.papers.sebban_nock_2002 import TABLE_1, TABLE_2, TABLE_3, compare, recomputed, sign_tests

RCG, ALL, ACCURACY = ([row[j] for row in TABLE_2.values()] for j in (2, 3, 4))


def test_what_is_computed_again() -> None:
    numbers = recomputed()
    assert all((claims[number.entry].status == "true") is number.agrees for number in numbers)
    assert {number.entry: number.right for number in numbers} == {
        "SN-T1j": "8 of 10",
        "SN-T1": "5.469%, two-sided 10.94%",
        "SN-T2": "64.5%; 78.1% of all together",
        "SN-T3": "4, 3, 2",
        "SN-T4": "10, 8, 5",
        "SN-T4j": "10 of 23",
        "SN-T4m": "+1.49",
        "SN-T4p": "0.151; 0.202 if ties are halved",
        "SN-T5": "17 of 23",
        "SN-T5m": "+2.81; +4.36 where it is better",
        "SN-T5p": "0.0085; 0.0053 if the tie is a win",
        "SN-T6": "0.105",
        "SN-T7": "11 of 15",
        "SN-T8": "3 against 1, sign test 0.31",
    }


def test_the_tables_are_those_of_the_paper() -> None:
    """Sums of their columns, and what one row has to be."""
    assert [sum(column) for column in zip(*TABLE_1.values(), strict=True)] == [256, F("751.9"), 56, F("788.7")]
    points, *sums = [sum(column) for column in zip(*TABLE_2.values(), strict=True)][1:]
    assert (points, *sums) == (12_771, F("1771.6"), F("1707.0"), F("1737.4"))
    assert [sum(column) for column in zip(*TABLE_3.values(), strict=True)] == [F("1123.8"), F(1121)]
    assert TABLE_1["White House"][2] == 1
    assert all(row[0] == TABLE_2[name][2] for name, row in TABLE_3.items())


def test_the_text_counts_as_the_tables_do() -> None:
    """SN-T0; SN-T1e, SN-T1f: how many of the selected features are irrelevant, at least and at most."""
    made = {name for name in TABLE_1 if name.startswith("Synt")}
    assert (len(TABLE_1), len(TABLE_1.keys() - made), len(TABLE_2), len(TABLE_3)) == (10, 7, 23, 15)
    matter = {"Synt1": 7, "Synt2": 3, "Synt3": 7, "Hard": 5, "Xd6": 9, "LED24": 7}
    irrelevant = {"Synt1": 3, "Synt2": 7, "Synt3": 93, "Hard": 5, "Xd6": 1, "LED24": 17}
    assert {name: matter[name] + irrelevant[name] for name in matter} == {name: TABLE_2[name][0] for name in matter}
    assert all(TABLE_1[name][0] == TABLE_2[name][0] for name in made)
    kept = {name: (max(0, TABLE_1[name][2] - matter[name]), min(TABLE_1[name][2], irrelevant[name])) for name in made}
    assert kept == {"Synt1": (0, 3), "Synt2": (2, 5), "Synt3": (0, 2)}


def test_both_graphs() -> None:
    """SN-T9, and of SN-T7 where Z is better."""
    common = sorted(TABLE_1.keys() & TABLE_2.keys())
    assert [name for name, (rcg, z) in TABLE_3.items() if z > rcg] == ["Audiology"]
    assert set(TABLE_1) - set(common) == {"Breast"}
    assert [name for name in common if TABLE_1[name][1] != TABLE_2[name][3]] == ["Iris", "White House"]


def test_three_ways_to_select() -> None:
    """SN-T4 to SN-T6: where a p-value is not that of the text, it is that of no other sign test either."""
    assert compare(RCG, ACCURACY) == (10, 8, 5, F("34.2") / 23)
    assert compare(RCG, ALL) == (17, 1, 5, F("64.6") / 23)
    assert sign_tests(8, 0, 2)["dropped"] == F(7, 128)  # SN-T1
    assert sign_tests(3, 11, 1)["dropped"] == F(5, 16)  # SN-T8
    against = sign_tests(10, 8, 5)
    assert against["dropped"] == F(309, 2048)
    exact = [float(sides * p) for sides in (1, 2) for p in against.values()]
    ways = itertools.product((1, 2), (0, 1), (15, 23))
    normal = [sides * math.erfc((5 - correction) / math.sqrt(2 * n)) / 2 for sides, correction, n in ways]
    assert not [p for p in (*exact, *normal) if 0.045 <= p < 0.055]
    assert [round(p, 3) for p in exact[:6]] == [0.151, 0.105, 0.059, 0.202, 0.798, 0.005]
    seen = sign_tests(17, 1, 5)
    assert [round(float(p), 4) for p in seen.values()] == [0.0085, 0.0053, 0.0022, 0.0173, 0.0173, 0.0053]
    assert sign_tests(15, 0, 8)["dropped"] > F("0.105")


def is_share(percentage: F, size: int) -> bool:
    """Tell whether a percentage, rounded to tenths, is that of a whole number of so many points."""
    return any(abs(F(100 * hits, size) - percentage) <= F(1, 20) for hits in range(size + 1))


def test_shares_of_the_points() -> None:
    """SN-T9g: where five folds are of the same size the mean of their accuracies is a share of all points."""
    equal = {name: row for name, row in TABLE_2.items() if row[1] % 5 == 0}
    none = {name: [cell for cell in row[2:] if not is_share(cell, int(row[1]))] for name, row in equal.items()}
    assert (len(equal), sum(map(bool, none.values())), sum(map(len, none.values()))) == (12, 10, 21)
    assert none["Iris"] == list(TABLE_2["Iris"][2:])
    assert F("0.935") * 150 == F("140.25")


@pytest.mark.parametrize(("wins", "ties", "losses"), [(3, 0, 1), (10, 8, 5), (2, 3, 2)])
def test_sign_tests_by_all_signs(wins: int, ties: int, losses: int) -> None:
    """Each p-value as the share of all sequences of signs with so many pluses."""

    def share(n: int, least: int) -> F:
        return F(sum(signs.bit_count() >= least for signs in range(2**n)), 2**n)

    exact, strict = share(wins + losses, wins), share(wins + losses, wins + 1)
    expected = {"dropped": exact, "dropped, more wins only": strict, "dropped, mid-p": (exact + strict) / 2}
    if (n := wins + ties + losses) < 15:
        counted = {"as wins": ties, "as losses": 0, "halved": ties // 2}
        expected |= {name: share(n, wins + more) for name, more in counted.items()}
    assert expected.items() <= sign_tests(wins, ties, losses).items()
