"""A table of values, monotone or not, against sets and fractions; its ordering, other forms, and another table."""

import itertools
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, strategies as st

from fstheory import SubsetTable, bayes_risks, criterion_values
from fstheory.distributions import gallery
from fstheory.errors import FSTheoryError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.lattice.columns import RationalColumn
from fstheory.lattice.subsets import default_features, format_subset, mask_of, names_of, parse_subset
from fstheory.lattice.table import compare
from fstheory.numbers.limbs import IntegerArray
from fstheory.testing import feature_subsets, names
from tests import literal
from tests.refusals import cases

Table = SubsetTable[Fraction]


@st.composite
def subset_tables(draw: st.DrawFn, max_value: int = 9) -> Table:
    """Return a strategy for tables of exact values, which have ties and gaps and need not be monotone."""
    features = default_features(draw(st.integers(0, 3)))
    held = draw(st.lists(st.sampled_from(range(2 ** len(features))), min_size=1, unique=True))
    small = st.fractions(-max_value, max_value, max_denominator=max_value)
    shift = draw(st.sampled_from((*(0,) * 12, 64, 1000)))
    value = st.builds(lambda a, b: a * 2**shift + b, small, small) if shift else small
    return SubsetTable.from_mapping({names_of(mask, features): draw(value) for mask in held}, features=features)


tables = subset_tables()


def table_of(values: Any, features: Any, **options: Any) -> Table:
    return SubsetTable.from_mapping(values, features=features, **options)


def of_arrays(numbers: list[int], denominator: int, masks: Any = (0, 1)) -> Table:
    column = RationalColumn(IntegerArray.from_ints(numbers), denominator)
    return SubsetTable(("a",), column, masks=np.array(masks, dtype=np.int64))


@given(st.lists(names(), max_size=3, unique=True), st.data())
def test_it_is_the_mapping_it_was_made_of(features: list[str], data: st.DataObject) -> None:
    subsets = data.draw(st.lists(st.sampled_from(literal.subsets(features)), min_size=1, unique=True))
    values = {subset: data.draw(st.fractions()) for subset in subsets}
    table = table_of(values, features)
    assert dict(table) == values
    assert len(table) == len(table.masks) == len(values)
    assert list(table) == [s for s in literal.subsets(features) if s in values]
    with patch.object(SubsetTable, "__getitem__", side_effect=AssertionError("a subset was looked up")):
        assert list(table.values()) == [values[s] for s in literal.subsets(features) if s in values]
    for subset in literal.subsets(features):
        forms: list[Any] = [subset, list(subset), tuple(subset), dict.fromkeys(subset)]
        for form in forms:
            assert (form in table) is (subset in values)
            assert table.get(form, "none") == values.get(subset, "none")


@given(tables)
def test_numbers_inside(table: Table) -> None:
    """One integer array over the smallest denominator, ranks that compare like the values."""
    values = [table.value_at(mask) for mask in table.masks.tolist()]
    assert isinstance(table.column, RationalColumn)
    assert [Fraction(v, table.column.denominator) for v in table.column.numerators] == values
    assert table.column.denominator == np.lcm.reduce([1, *(v.denominator for v in values)], dtype=object)
    order = sorted(set(values))
    assert table.ranks.tolist() == [order.index(v) for v in values]


@given(tables)
def test_best_subsets_of_all_and_of_each_size(table: Table) -> None:
    values = dict(table)
    held = [s for s in literal.subsets(table.features) if s in values]
    best = [s for s in held if values[s] == min(values.values())]
    assert (table.minimum, table.maximum) == (min(values.values()), max(values.values()))
    assert list(table.argmin()) == best
    assert list(table.argmax()) == [s for s in held if values[s] == table.maximum]
    assert list(table.minimal_sets()) == [s for s in best if s in literal.minimal(best)]
    parts = dict(table.by_size())
    for k in range(len(table.features) + 2):
        sized = {s: v for s, v in values.items() if len(s) == k}
        assert dict(parts.get(k, ())) == sized
        if not sized:
            with pytest.raises(InvalidValueError, match=rf"k must be one of the sizes in the table, \[.*\], not {k}"):
                table.best_of_size(k)
            continue
        level = table.best_of_size(k)
        assert level.value == min(sized.values())
        assert list(level.subsets) == [s for s in held if sized.get(s) == level.value]


@given(st.data())
def test_restrict(data: st.DataObject) -> None:
    table = data.draw(tables)
    low, high = data.draw(feature_subsets(table)), data.draw(feature_subsets(table))
    wanted = data.draw(st.none() | st.lists(st.integers(0, 5)))
    expected = {s: v for s, v in table.items() if low <= s <= high and (wanted is None or len(s) in wanted)}
    if not expected:
        with pytest.raises(InvalidValueError, match="must be met by at least one subset"):
            table.restrict(containing=low, within=high, sizes=wanted)
        return
    part = table.restrict(containing=low, within=high, sizes=wanted)
    assert dict(part) == expected
    assert part == table_of(expected, table.features)
    assert (part.name, part.symbol) == (table.name, table.symbol)


@given(tables, tables, st.randoms(use_true_random=False))
def test_equality_is_that_of_features_and_values(table: Table, other: Table, rng: Any) -> None:
    assert (table == other) is ((table.features, dict(table)) == (other.features, dict(other)))
    assert table != other or hash(table) == hash(other)
    assert table != dict(table)
    entries = list(table.items())
    rng.shuffle(entries)
    twin = table_of(dict(entries), table.features, name="other")
    assert (twin, hash(twin), twin.ordering()) == (table, hash(table), table.ordering())


def test_values_in_other_units_are_equal() -> None:
    doubled = of_arrays([2 * 3**50, 4 * 3**50], 6 * 3**50)
    assert doubled == table_of({(): "1/3", ("a",): "2/3"}, ["a"])
    assert isinstance(doubled.column, RationalColumn)
    assert doubled.column.denominator == 3
    assert RationalColumn(IntegerArray.from_ints([0, 0]), 7).denominator == 1


def test_a_table_cannot_be_changed() -> None:
    table = bayes_risks(gallery.titanic())
    for name in ("masks", "ranks", "new"):
        with pytest.raises(AttributeError):
            setattr(table, name, None)
    for array in (table.masks, table.ranks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    masks = np.array([0, 1])
    kept = of_arrays([1, 2], 3, masks)
    masks[0] = 5
    assert kept.masks.tolist() == [0, 1]


def test_no_features_and_as_many_as_a_word_has_bits() -> None:
    table = table_of({(): "1/2"}, [])
    assert (table[[]], table.minimal_sets(), str(table.ordering())) == (Fraction(1, 2), (frozenset(),), "{}")
    assert repr(table) == "<SubsetTable: value of 1 subsets of no features>"
    features = [f"f{i}" for i in range(63)]
    table = table_of({("f62",): 1, ("f0", "f62"): 1, ("f0",): 2}, features)
    assert table.minimal_sets() == (frozenset({"f62"}),)
    assert list(table) == [{"f0"}, {"f62"}, {"f0", "f62"}]
    with pytest.raises(TooLargeError, match="features must be at most 63, not 64"):
        table_of({("f63",): 1}, [*features, "f63"])


TABLE = table_of({(): 3, ("a",): 2}, ["a", "b"])
REFUSED: dict[type[Exception], list[str]] = {
    InvalidTypeError: [
        *("TABLE[3]", "TABLE.best_of_size(1.0)", "TABLE.restrict(sizes=1)", "table_of(3, ['a'])"),
        *("table_of({(): 1}, 'a')", "table_of({(): 0.5}, ['a'])", "TABLE.value_at('a')", "compare(TABLE, {})"),
    ],
    UnknownNameError: ["TABLE[['c']]", "TABLE[['b']]", "TABLE.value_at(3)", "TABLE.value_at(-1)"],
    InvalidValueError: [
        *("TABLE[['a', 'a']]", "TABLE.best_of_size(-1)", "TABLE.restrict(sizes=[10**30])", "table_of({}, ['a'])"),
        *("TABLE.best_of_size(2)", "TABLE.best_of_size(10**30)"),
        *("table_of({('a', 'b'): 1, ('b', 'a'): 1}, ['a', 'b'])", "SubsetTable(('a',), TABLE.column.take([0]))"),
        *("of_arrays([1, 2], 0)", "of_arrays([], 1, [])", "of_arrays([1, 2], 1, [0, 0])"),
        *("of_arrays([1, 2], 1, [0, 2])", "of_arrays([1, 2], 1, [-1, 0])", "compare(TABLE, of_arrays([1, 2], 3))"),
    ],
}


@pytest.mark.parametrize(("call", "error"), cases(REFUSED))
def test_what_is_refused(call: str, error: type[FSTheoryError]) -> None:
    with pytest.raises(error) as caught:
        eval(call)
    assert type(caught.value) is error


# The weak ordering of a table, and how two tables compare.


@given(tables, st.integers(1, 10**20), st.fractions(), st.booleans())
def test_an_ordering_is_a_sequence_of_levels(table: Table, scale: int, shift: Fraction, score: bool) -> None:
    """Best first, and equal to any other that has the same order, whatever the values."""
    values = {s: -v for s, v in table.items()} if score else dict(table)
    ordering = table_of(values, table.features, larger_is_better=score).ordering()
    moved = table_of({s: scale * v + shift for s, v in table.items()}, table.features).ordering()
    assert (moved, hash(moved)) == (ordering, hash(ordering))
    assert ordering != list(ordering)
    levels = list(ordering)
    assert [set(level.subsets) for level in levels] == literal.levels(dict(table))
    assert [level.value for level in levels] == sorted(set(values.values()), reverse=score)
    place = literal.subsets(table.features).index
    assert all(list(level.subsets) == sorted(level.subsets, key=place) for level in levels)
    assert len(ordering) == len(levels)
    assert ordering.is_strict is (len(levels) == len(values))
    assert [ordering[i] for i in range(-len(levels), len(levels))] == [*levels, *levels]
    assert list(ordering[::-2]) == levels[::-2]
    with pytest.raises(IndexError):
        ordering[len(levels)]
    sign = " > " if score else " < "
    texts = [level.split(" = ") for level in str(ordering).split(sign)]
    assert ordering.to_latex().count(sign) == str(ordering).count(sign) == len(levels) - 1
    assert [[parse_subset(text, table.features) for text in level] for level in texts] == ordering.masks()


@given(subset_tables(3), st.booleans(), st.data())
def test_comparison(first: Table, constant: bool, data: st.DataObject) -> None:
    other = st.just(Fraction(1)) if constant else st.fractions(-3, 3, max_denominator=3)
    values = {s: data.draw(other if constant else st.just(v) | other) for s, v in first.items()}
    second = table_of(values, first.features)
    found = compare(first, second)
    for group, sign in ((found.lower, -1), (found.equal, 0), (found.higher, 1)):
        expected = [s for s in first if (first[s] > second[s]) - (first[s] < second[s]) == sign]
        assert sorted(map(sorted, group)) == sorted(map(sorted, expected))
    alike = literal.levels(dict(first)) == literal.levels(dict(second))
    assert found.same_ordering is alike is (first.ordering() == second.ordering())
    assert len({frozenset(pair) for pair in found.discordant_pairs}) == len(found.discordant_pairs)
    for a, b in found.discordant_pairs:
        signs = [(t[a] > t[b]) - (t[a] < t[b]) for t in (first, second)]
        assert signs[0] != signs[1]
        assert signs[0] <= 0


@given(subset_tables(3), st.data())
def test_a_loss_and_a_score_are_compared_from_the_best_subset_on(loss: Table, data: st.DataObject) -> None:
    """As the loss and the negated score are compared, which both fall as subsets get better."""
    values = {s: data.draw(st.just(-v) | st.fractions(-3, 3, max_denominator=3)) for s, v in loss.items()}
    score = table_of(values, loss.features, larger_is_better=True)
    negated = table_of({s: -v for s, v in score.items()}, loss.features)
    found = compare(loss, score)
    assert found.discordant_pairs == compare(loss, negated).discordant_pairs
    assert found.same_ordering is (loss.ordering() == score.ordering())
    assert "smaller is better in the first table, larger in the second" in str(found) or found.same_ordering


def test_a_comparison_prints_what_is_discordant() -> None:
    first = table_of({(): 2, ("a",): 1, ("b",): 2}, ["a", "b"])
    second = table_of({(): 2, ("a",): 3, ("b",): 2}, ["a", "b"])
    assert str(compare(first, second)).splitlines() == [
        "3 subsets: 1 with a lower value in the first table, 2 with the same, 0 with a higher one",
        "ordered differently, among neighbors in one of the orderings:",
        "  {a} < {}, in the second table >",
        "  {a} < {b}, in the second table >",
    ]
    assert str(compare(first, first)).endswith("both order the subsets alike")


def test_values_wider_than_a_word_are_compared_exactly() -> None:
    base = Fraction(1, 3**90)
    found = compare(*(table_of({(): v, ("a",): 2 * base}, ["a"]) for v in (base, base + Fraction(1, 5**99))))
    assert (found.lower, found.equal, found.higher) == ((frozenset(),), (frozenset({"a"}),), ())


# As frames, graphs, text, HTML and LaTeX.


@given(tables)
def test_frame_graph_and_text(table: Table) -> None:
    frame, graph = table.to_frame(), table.to_networkx()
    levels = {s: i for i, level in enumerate(literal.levels(dict(table))) for s in level}
    texts = {s: format_subset(mask_of(s, table.features), table.features) for s in table}
    rows = [(texts[s], len(s), value, levels[s]) for s, value in table.items()]
    assert list(frame.columns) == ["subset", "size", "value", "level"]
    assert list(frame.itertuples(index=False, name=None)) == rows
    assert {type(v) for v in frame["value"]} == {Fraction}
    assert list(graph) == list(table)
    assert all(graph.nodes[s] == {"value": table[s], "size": len(s), "rank": levels[s]} for s in graph)
    assert set(graph.edges) == {(s, t) for s in table for t in table if s < t and len(t) == len(s) + 1}
    for s, t, edge in graph.edges(data=True):
        assert edge == {"feature": next(iter(t - s)), "change": table[t] - table[s]}
    head, *lines = str(table).splitlines()
    assert head.split() == ["subset", "value", "V", "rounded"]
    assert [line.split("  ")[0] for line in lines] == [texts[s] for level in table.ordering() for s in level.subsets]


def test_names_are_disarmed_and_ties_share_a_level() -> None:
    page = table_of({("<i>&",): "1/3"}, ["<i>&"], name="<b>", symbol="<s>")._repr_html_()
    assert all(escaped in page for escaped in ("&lt;i&gt;&amp;", "&lt;b&gt;", "&lt;s&gt;"))
    page = table_of({(): 1, ("a",): 1, ("b",): 2}, ["a", "b"])._repr_html_()
    assert [page.count(f"<td>{level}</td><th>") for level in (1, 2, 3)] == [2, 1, 0]


def test_long_tables_are_cut_and_say_so() -> None:
    features = [f"X{i}" for i in range(1, 10)]
    table = table_of({s: len(s) for s in literal.subsets(features)}, features)
    seven = table.restrict(within=features[:7])
    assert str(seven).splitlines()[-1] == "... 64 more subsets"
    assert len(str(seven).splitlines()) == 66
    assert seven._repr_html_().endswith("<p>... 64 more subsets</p>")
    assert seven._repr_latex_() is None
    assert "..." not in str(table.restrict(within=features[:6]))
    assert str(table.ordering()) == repr(table.ordering()) == "<Ordering: 512 subsets in 10 levels>"


def test_numbers_of_any_length_are_shown_and_scores_from_the_largest() -> None:
    table = table_of({(): Fraction(1, 3**20000)}, ["a"])
    assert all("≈3.75756E-9543" in text for text in (str(table), table._repr_html_()))
    table = table_of({(): "1/2", ("a",): "3/4", ("b",): "2/3"}, ["a", "b"], larger_is_better=True)
    assert [line.split()[0] for line in str(table).splitlines()[1:]] == ["{a}", "{b}", "{}"]
    assert table.best_of_size(1).subsets == table.minimal_sets() == (frozenset({"a"}),)


def test_latex_in_full() -> None:
    """Names escaped, ties with an equals sign, the best value first, at any size; the formula parses."""
    table = table_of({(): "1/2", ("50%_&",): "1/3", ("b^",): "1/2"}, ["50%_&", "b^"], symbol="R")
    ordering = table.ordering().to_latex()
    assert ordering == r"\{\text{50\%\_\&}\} < \emptyset = \{\text{b\textasciicircum{}}\}"
    assert table.to_latex() == (
        r"\begin{aligned} R(\text{50\%\_\&}) &= \frac{1}{3} \\ R(\emptyset) &= \frac{1}{2} \\ "
        r"R(\text{b\textasciicircum{}}) &= \frac{1}{2} \end{aligned}"
    )
    assert table_of({("X1", "X12"): 1}, ["X1", "X12"], symbol="R").to_latex() == (
        r"\begin{aligned} R(X_1, X_{12}) &= 1 \end{aligned}"
    )
    assert r"\text{age}) &\approx 0.476487 \\ H(" in criterion_values(gallery.titanic(), "logarithmic").to_latex()
    wide = table_of(dict.fromkeys(itertools.combinations("abcdefgh", 3), 1), list("abcdefgh"))
    assert wide.to_latex().count(r"\\") == wide.ordering().to_latex().count("=") == 55
    parser = pytest.importorskip("matplotlib.mathtext").MathTextParser("path")
    parser.parse(f"${bayes_risks(gallery.titanic()).ordering().to_latex()}$")
