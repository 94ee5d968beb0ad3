"""A report states what the library answers, its forms state what the report does, and criteria stand side by side."""

from __future__ import annotations

import itertools
import json
import re
import sys
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import example, given, settings

from fstheory import JointDistribution, bayes_risk, bayes_risks, sample as draw_sample
from fstheory._support.exact import decimal_text
from fstheory._support.result import to_json
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError
from fstheory.measures.criteria import auc, balanced, gini, logarithmic, zero_one
from fstheory.reports import of_distribution
from fstheory.reports.explorer import explorer_page
from fstheory.reports.of_distribution import Disagreement, Report, report
from fstheory.samples.law import selection_law
from fstheory.selection.optimal import k_optimal, minimal_optimal
from fstheory.selection.relevant import markov_blankets, relevance
from fstheory.testing import joint_distributions
from tests.refusals import refusals

NAMES = ["titanic", "xor", "copies", "recoded", "ties", "pena-nilsson-example-1", "led", "berkeley"]


@pytest.fixture(scope="module", params=NAMES)
def found(request: pytest.FixtureRequest) -> Report:
    return report(gallery.load(request.param), name=request.param)


@pytest.mark.quick
def test_it_states_what_the_library_answers(found: Report) -> None:
    d = found.distribution
    assert found.risks == bayes_risks(d)
    optima = [k_optimal(d, k) for k in range(len(d.features) + 1)]
    assert [(x.value, x.subsets) for x in found.optima] == [(x.value, x.subsets) for x in optima]
    assert found.solutions == minimal_optimal(d, "exhaustive").solutions
    assert dict(found.methods) == {name: minimal_optimal(d, name) for name in ("backward", "one-shot", "resampling")}
    assert found.relevance == relevance(d)
    assert found.blankets == markov_blankets(d)
    assert (found.positive, found.unique_maximum) == (d.is_positive(), d.has_unique_maximum())


@pytest.mark.one_in(2)
def test_json_states_the_same(found: Report) -> None:
    d, document = found.distribution, json.loads(found.to_json(), parse_float=pytest.fail, parse_constant=pytest.fail)
    assert (document["schema"], document["version"], document["name"]) == ("fstheory/report", 1, found.name)
    assert JointDistribution.from_json(json.dumps(document["distribution"])) == d
    assert {frozenset(row["subset"]): Fraction(row["value"]) for row in document["risks"]["rows"]} == dict(found.risks)
    assert [frozenset(subset) for subset in document["solutions"]] == list(found.solutions)
    for name, method in found.methods.items():
        assert document[name.replace("-", "_")] == json.loads(json.dumps(to_json(method)))
        assert method.is_solution == (frozenset(method.features) in found.solutions)
    listed = [[frozenset(subset) for subset in best["subsets"]] for best in document["optima"]]
    assert listed == [list(level.subsets) for level in found.optima]
    assert [frozenset(blanket) for blanket in document["blankets"]] == list(found.blankets)
    for law, row in zip(found.laws, document["laws"], strict=True):
        assert (row["method"]["title"], row["m"], Fraction(row["success"])) == (law.method.title, law.m, law.success)
        assert Fraction(row["expected_risk"]) == law.expected_risk


@pytest.mark.one_in(2)
def test_laws_on_samples(found: Report) -> None:
    """Those that are cheap, rounded in the text, which fits a terminal."""
    d, text = found.distribution, found.summary()
    assert all(law == selection_law(d, law.m, law.method) for law in found.laws)
    assert max(map(len, text.splitlines())) <= 100
    assert "\0" not in text
    if len(d.classes) < 2 or not found.laws:
        assert "From m samples" not in text
    else:
        assert all(decimal_text(law.success, 4) in text for law in found.laws)
        assert ("What is missing takes too long" in text) == (len(found.laws) < 12)


def test_which_laws_are_cheap() -> None:
    assert [law.m for law in report(gallery.xor()).laws] == [10] * 4 + [20] * 4 + [40] * 4
    assert report(gallery.titanic()).laws == ()


def test_agreement_means_one_solution_that_all_methods_return() -> None:
    assert report(gallery.titanic()).agree
    copies = report(gallery.copies())
    assert (copies.agree, copies.is_unique, copies.guaranteed) == (False, False, False)
    assert "not of minimal risk" in copies.summary()
    assert "has 2 solutions, X1, X2, of Bayes risk" in copies.summary()
    assert "the conclusion of each theorem, use fstheory theorems." in " ".join(copies.summary().split())
    assert "the conclusion of each theorem, use <code>fstheory theorems</code>." in " ".join(copies.to_html().split())


class _Page(HTMLParser):
    """A page that closes what it opens, with its ids, addresses and text."""

    VOID = ("meta", "br", "hr", "img", "link", "wbr")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [tag] * (tag not in self.VOID)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name in {"src", "href", "xlink:href"}]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.one_in(4)
def test_the_page_is_well_formed_and_stands_alone(found: Report) -> None:
    text = found.to_html()
    page = _Page(text)
    headings = re.findall(r'<h2 id="([^"]*)">', text)
    assert len(headings) == text.count("<h2") >= 6
    assert page.links[: len(headings)] == [f"#{name}" for name in headings]
    assert len(page.ids) == len(set(page.ids))
    assert {link for link in page.links if not link.startswith("#")} == set()
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert text.count("<svg") == len(found.pictures)


def test_odd_names_are_shown_as_they_are() -> None:
    d = JointDistribution([[1, 2], [3, 4]], features=["<b>&"], target='"y"', states={"<b>&": ["<i>", "x"]})
    page = report(d, name="<script>alert(1)</script>").to_html()
    assert all(name in _Page(page).text for name in ("<script>alert(1)</script>", "<b>&"))
    assert "<script>alert" not in page


def test_characters_that_nobody_sees_are_escaped_in_the_whole_page() -> None:
    """The data of the lattice are JSON, which reads them back."""
    d = JointDistribution([[1, 2], [3, 4]], features=["a\u200b\\\u202eb<i>"])
    page = report(d, name="\u200bname").to_html()
    data = re.search(r'<script type="application/json" id="lattice-data">(.*?)</script>', page)
    assert not re.search("[\u200b\u202e]", page)
    assert all(text in page for text in ("<h1>\\u200bname</h1>", r"a\u200b\\u202eb&lt;i&gt;"))
    assert data
    assert json.loads(data[1])["features"] == list(d.features)


def test_pictures_are_those_of_the_library() -> None:
    found = report(gallery.titanic())
    optimal = [subset for level in found.optima for subset in level.subsets]
    expected = found.risks.plot(view="risk", best=found.solutions[0], optimal=optimal)
    assert list(found.pictures) == ["lattice.svg", "lattice-risk.svg"]
    assert found.pictures["lattice-risk.svg"] == expected.to_svg()


def test_without_matplotlib_there_are_pages_without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found, of_sample = report(gallery.titanic()), report(draw_sample(gallery.xor(), 20, rng=1))
    assert dict(found.pictures) == dict(of_sample.pictures) == {}
    hint = "needs matplotlib; install it with: pip install &#x27;.[viz]&#x27; in the checkout of fstheory"
    assert (found.to_html().count(hint), of_sample.to_html().count(hint)) == (1, 2)
    assert found.pages == {"lattice.html": explorer_page(gallery.titanic(), title=found.name, claims=False, samples=[])}


@pytest.mark.thorough
def test_many_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond seven features there is no drawing; beyond twelve the JSON says that it is not complete."""
    eight = report(gallery.random((2,) * 8, rng=1))
    page = eight.to_html()
    assert "No drawing: of the 256 subsets at most 128 can be drawn" in page
    levels = [f'<td class="number">{decimal_text(level.value)}</td>' for level in eight.risks.ordering()]
    shown = [level in page for level in levels]
    assert (all(shown[:20]), all(shown[-4:]), sum(shown) < 60) == (True, True, True)
    assert f"⋮ {len(levels) - 24} more levels; <code>report.json</code> lists all subsets" in page
    assert page.count("<tr>") < 150
    assert not eight.pages
    assert list(report(gallery.random((2,) * 6, rng=1)).pictures) == ["lattice.svg", "lattice-risk.svg"]
    monkeypatch.setattr(of_distribution, "_METHODS", ())  # of 8,192 subsets their laws take seconds
    wide = report(JointDistribution([[[[[[[[[[[[[[1, 2]]]]]]]]]]]]]]))
    document = json.loads(wide.to_json())
    assert (document["risks"]["count"], len(document["risks"]["rows"])) == (2**13, 2**12)
    assert (wide.criteria, wide.disagreements) == ((), ())
    _Page(wide.to_html())


# -- the criteria side by side

BY_TITLE: dict[str, Any] = {
    "0-1 loss": zero_one(), "logarithmic loss": logarithmic(), "Gini impurity": gini(), "AUC": auc(),
    "balanced loss": balanced(),
}  # fmt: skip


def best(d: JointDistribution, title: str, k: int) -> tuple[Any, set[frozenset[str]]]:
    """Return the best value of k features and the subsets that have it, one value at a time."""
    values = {frozenset(s): BY_TITLE[title].value(d, s) for s in itertools.combinations(d.features, k)}
    value = (max if title == "AUC" else min)(values.values())
    return value, {subset for subset, found in values.items() if found == value}


@pytest.mark.thorough
def test_a_line_break_in_a_name_breaks_no_table() -> None:
    found = report(JointDistribution([[[1, 2], [3, 4]], [[1, 1], [2, 2]]], features=["two\nlines", "b"]))
    shown = found.summary()
    assert r"  two\nlines  R = 7/16 without it, the same  removed" in shown
    assert "logarithmic loss  the same  " in shown  # the second line of a cell stays
    _Page(found.to_html())


@settings(max_examples=12)
@given(joint_distributions(max_features=2, cardinalities=(1, 2), huge=False))
@example(JointDistribution([3]))
@example(JointDistribution([0, 2]))  # a class that never occurs has no AUC
@example(JointDistribution([[1, 1]]))
@example(JointDistribution([[[2**200, 1], [1, 3**150]]]))
@example(gallery.titanic())
@pytest.mark.thorough(2)
def test_every_form_of_any_distribution_and_the_criteria_by_definition(d: JointDistribution) -> None:
    found, expected = report(d), []
    if len(d.features) < 2:  # pictures of more take long
        _Page(found.to_html())
    assert json.loads(found.to_json())["agree"] is found.agree
    assert found.agree or not found.guaranteed
    assert max(map(len, found.summary().splitlines())) <= 100
    both = len(d.classes) == 2 and all(d.marginal(()).weights)
    assert [criterion.title for criterion in found.criteria] == list(BY_TITLE)[: 5 if both else 3]
    for (k, least), criterion in itertools.product(enumerate(found.optima), found.criteria):
        value, subsets = best(d, criterion.title, k)
        assert (criterion.optima[k].value, set(criterion.optima[k].subsets)) == (value, subsets)
        assert criterion.larger_is_better is (criterion.title == "AUC")
        risks = [bayes_risk(d, subset) for subset in subsets]
        if max(risks) > least.value:
            expected.append((k, criterion.title, max(risks), least.value, min(risks) > least.value))
    assert [(x.size, x.title, x.risk, x.least, x.always) for x in found.disagreements] == expected


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("d", "titles", "risks", "always", "sentence"),
    [
        (
            gallery.ahmed_example_1(), list(BY_TITLE)[1:], ("3/10", "1/4"), True,
            "Of 1 feature, the logarithmic loss, Gini impurity, AUC and balanced loss choose X2",
        ),
        (
            JointDistribution([[[0, 0], [0, 1]], [[2, 0], [2, 1]]]), ["AUC", "balanced loss"], ("1/3", "1/6"), False,
            "Of 1 feature, the AUC and balanced loss may choose X2",
        ),
    ],
)  # fmt: skip
def test_where_they_disagree_with_the_bayes_risk(
    d: JointDistribution, titles: list[str], risks: tuple[str, str], always: bool, sentence: str
) -> None:
    found, second = report(d), frozenset({"X2"})
    risk, least = map(Fraction, risks)
    assert found.disagreements == tuple(Disagreement(1, title, second, risk, least, always) for title in titles)
    assert f"{sentence}, of Bayes risk {risks[0]} where {risks[1]} is possible." in " ".join(found.summary().split())
    assert found.to_html().count("†") == len(titles) + 1  # each choice, and what it means


def test_where_they_agree_it_is_said_and_json_has_them_with_exact_values() -> None:
    xor = report(gallery.xor())
    assert (xor.disagreements, "†" in xor.to_html()) == ((), False)
    assert "also have the least Bayes risk" in xor.summary()
    found = report(gallery.titanic())
    document = json.loads(found.to_json())
    assert document["criteria"] == json.loads(json.dumps(to_json(found.criteria, found.distribution.features)))
    expected = {"size": 2, "title": "balanced loss", "subset": ["sex", "age"], "always": True}
    assert document["disagreements"] == [{**expected, "risk": "493/2201", "least": "477/2201"}]


@pytest.mark.thorough(2)
def test_large_distributions_are_not_compared() -> None:
    found = report(gallery.random((65, 65, 65), rng=1))
    assert (found.criteria, found.disagreements) == ((), ())
    for text in (found.summary(), found.to_html()):
        assert "up to 1024 subsets and 262144 cells" in " ".join(text.split())


HALVES = JointDistribution([[1, 2]], states={"Y": [Fraction(1, 2), Fraction(3, 2)]})


def test_what_a_ranking_loses_is_a_sentence_with_the_names_as_they_are() -> None:
    d = gallery.load("asia").rename({"bronc": "Bronc"})
    assert "The 2 features of highest importance, {smoke, Bronc}, lose" in " ".join(str(report(d)).split())
    assert "Here the features of highest Shapley value are a best choice" in " ".join(str(report("titanic")).split())


test_bad_calls = refusals(
    [
        ("report(7)", InvalidTypeError, "d ", "a JointDistribution or a Sample, not 7"),
        ("report(d, name=3)", InvalidTypeError, "name ", "a string, not 3"),
        ("report(d).to_json()", InvalidTypeError, "states['Y'] ", "strings"),
    ],
    {"report": report, "d": HALVES},
)
