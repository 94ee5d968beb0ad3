"""Tables as frames, graphs, text, HTML and LaTeX."""

import itertools
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given

from fstheory import SubsetTable, bayes_risks
from fstheory.distributions import gallery
from fstheory.lattice.subsets import format_subset, mask_of
from fstheory.testing import joint_distributions, subset_tables
from tests import literal


@given(subset_tables())
def test_frame_and_graph(table: SubsetTable[Fraction]) -> None:
    frame, graph = table.to_frame(), table.to_networkx()
    levels = {s: i for i, level in enumerate(literal.levels(dict(table))) for s in level}
    names = [format_subset(mask_of(s, table.features), table.features) for s in table]
    rows = [(name, len(s), value, levels[s]) for name, (s, value) in zip(names, table.items(), strict=True)]
    assert list(frame.columns) == ["subset", "size", "value", "level"]
    assert list(frame.itertuples(index=False, name=None)) == rows
    assert {type(v) for v in frame["value"]} == {Fraction}
    assert list(graph) == list(table)
    assert all(graph.nodes[s] == {"value": table[s], "size": len(s), "rank": levels[s]} for s in graph)
    assert set(graph.edges) == {(s, t) for s in table for t in table if s < t and len(t) == len(s) + 1}
    for s, t, edge in graph.edges(data=True):
        assert {edge["feature"]} == t - s
        assert edge["change"] == table[t] - table[s]


@given(joint_distributions())
def test_the_graph_of_all_risks_is_the_lattice(d: object) -> None:
    graph = bayes_risks(d).to_networkx()  # type: ignore[arg-type]
    n = len(graph.graph["features"])
    assert graph.number_of_edges() == n * 2 ** max(n - 1, 0)
    assert nx.is_directed_acyclic_graph(graph)
    assert all(edge["change"] <= 0 for _, _, edge in graph.edges(data=True))


@given(subset_tables())
def test_text_is_in_order(table: SubsetTable[Fraction]) -> None:
    lines = str(table).splitlines()
    assert lines[0].split() == ["subset", "value", "V", "rounded"]
    subsets = [mask_of(subset, table.features) for level in table.ordering() for subset in level.subsets]
    assert [line.split("  ")[0] for line in lines[1:]] == [format_subset(mask, table.features) for mask in subsets]


def test_names_are_disarmed_and_ties_share_a_level() -> None:
    table = SubsetTable.from_mapping({("<i>&", "50%_"): "1/3"}, features=["<i>&", "50%_"], name="<b>", symbol="<s>")
    page = table._repr_html_()
    for tag in ("<i>", "<b>", "<s>"):
        assert tag not in page
    assert "&lt;i&gt;&amp;" in page
    assert r"\text{\{<i>\&, 50\%\_\}}) &= \frac{1}{3}" in (table._repr_latex_() or "")
    page = SubsetTable.from_mapping({(): 1, ("a",): 1, ("b",): 2}, features=["a", "b"])._repr_html_()
    assert [page.count(f"<td>{level}</td><th>") for level in (1, 2, 3)] == [2, 1, 0]


def test_long_tables_are_cut_and_say_so() -> None:
    features = [f"X{i}" for i in range(1, 8)]
    table = SubsetTable.from_mapping({s: len(s) for s in literal.subsets(features)}, features=features)
    assert str(table).splitlines()[-1] == "... 64 more subsets"
    assert len(str(table).splitlines()) == 66
    assert table._repr_html_().endswith("<p>... 64 more subsets</p>")
    assert table._repr_latex_() is None
    assert str(table.restrict(within=features[:6])).count("\n") == 64
    assert "..." not in str(table.restrict(within=features[:6]))
    longer = [f"X{i}" for i in range(1, 10)]
    ordering = SubsetTable.from_mapping({s: len(s) for s in literal.subsets(longer)}, features=longer).ordering()
    assert str(ordering) == repr(ordering) == "<Ordering: 512 subsets in 10 levels>"


def test_numbers_of_any_length_are_shown() -> None:
    table = SubsetTable.from_mapping({(): Fraction(1, 3**20000)}, features=["a"])
    assert all("≈3.75756E-9543" in text for text in (str(table), table._repr_html_()))


def test_scores_are_listed_from_the_largest() -> None:
    values = {(): "1/2", ("a",): "3/4", ("b",): "2/3"}
    table = SubsetTable.from_mapping(values, features=["a", "b"], larger_is_better=True)
    assert [line.split()[0] for line in str(table).splitlines()[1:]] == ["{a}", "{b}", "{}"]
    assert table.best_of_size(1).subsets == (frozenset({"a"}),)
    assert table.minimal_sets() == (frozenset({"a"}),)


def test_latex_in_full() -> None:
    """Names escaped, ties with an equals sign, the best value first, at any size; the formula parses."""
    values = {(): "1/2", ("50%_&",): "1/3", ("b^",): "1/2"}
    table = SubsetTable.from_mapping(values, features=["50%_&", "b^"], symbol="R")
    ordering = table.ordering().to_latex()
    assert ordering == r"\text{\{50\%\_\&\}} < \text{\{\}} = \text{\{b\textasciicircum{}\}}"
    assert table.to_latex() == (
        r"\begin{aligned} R(\text{\{50\%\_\&\}}) &= \frac{1}{3} \\ R(\text{\{\}}) &= \frac{1}{2} \\ "
        r"R(\text{\{b\textasciicircum{}\}}) &= \frac{1}{2} \end{aligned}"
    )
    wide = SubsetTable.from_mapping(dict.fromkeys(itertools.combinations("abcdefgh", 3), 1), features=list("abcdefgh"))
    assert wide.to_latex().count(r"\\") == 55
    assert wide.ordering().to_latex().count("=") == 55
    parser = pytest.importorskip("matplotlib.mathtext").MathTextParser("path")
    parser.parse(f"${bayes_risks(gallery.titanic()).ordering().to_latex()}$")
