"""The report on a sample: it supports what it supports, and no form of it says that everything matters."""

import functools
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import fstheory as fs
from fstheory._support.result import Table
from fstheory.distributions.prepare import edges_in_note
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.lattice import series
from fstheory.reports import of_sample
from fstheory.reports.columns import ColumnAnswer, column_tables
from fstheory.reports.of_distribution import report
from fstheory.reports.of_sample import SampleReport
from fstheory.reports.page import Section, render_text
from tests.refusals import refusals
from tests.reports.test_forms import _Page
from tests.samples.test_fitting import drawn


@pytest.fixture(scope="module")
def found() -> SampleReport:
    return report(drawn(20, 2000, 8, states=4, wrong=0.189), name="eight columns")


def test_two_columns_matter_and_not_all_eight(found: SampleReport) -> None:
    """The least plug-in risk is that of all eight, almost 0; the truth is 0.189, of two."""
    everything, supported = found.everything, found.supported
    assert everything.plug_in < Fraction(2, 100) < Fraction(40, 100) < everything.left_out
    assert supported.features == ("X1", "X2")
    assert abs(found.path[1].left_out - Fraction(189, 1000)) < Fraction(2, 100)
    text = " ".join(found.summary(details=True).split())
    for part in (
        "2 of 8 columns tell something about Y. 2,000 rows support X1X2.",
        "Wrong for 19.6% (18 to 21%) of the rows; guessing without columns: 47.",
        "A sample of 2,000, not a distribution: 8 features",
        "So the choice itself is part of the test.",
        "each table of 5 features leaves fewer than 5 samples for each state",
        "After ≤ stands a proved bound on the p-value of all shuffles",
        "≤1E-",
    ):
        assert part in text
    assert all(f"{float(value):.4f}" in text for row in found.path for value in (row.plug_in, row.left_out))
    assert "minimal-optimal" not in text
    assert "tied with it" not in found.to_html()


def test_the_path_shows_how_the_risk_grows_too_small(found: SampleReport) -> None:
    first, pair, *_, last = found.path
    assert [set(row.features) for row in (first, pair, last)] == [set(), {"X1", "X2"}, set(found.sample.features)]
    plug_in = [row.plug_in for row in found.path]
    assert plug_in == sorted(plug_in, reverse=True)
    assert all(row.plug_in <= row.left_out for row in found.path)
    assert pair.permuted is not None
    assert pair.permuted > Fraction(45, 100)  # permuted labels say what the supported features are worth


@pytest.mark.parametrize(("rows", "folds"), [(3, None), (4, 2), (7, 3), (14, 5)])
def test_the_choice_is_tested_on_all_of_a_few_rows(rows: int, folds: int | None) -> None:
    procedure = report(fs.Sample([(i % 2, i % 3, i % 2) for i in range(rows)])).procedure
    assert (procedure and (procedure.tested, len(procedure.chosen))) == (folds and (rows, folds))


def test_the_first_words_are_for_people(found: SampleReport) -> None:
    first = str(found._sections[0])
    assert [word for word in ("plug-in", "permuted", "states", "leave-one-out") if word in first] == []
    rows = [(i % 7 == 0, i % 5, i % 35 == 0 or i % 700 == 1) for i in range(2800)]
    rare = report(fs.Sample(rows, features=["ill", "day"], target="y"))
    text = " ".join(rare.summary(details=True).split())
    assert "rows support {ill, day}. Wrong for" in text
    rare = report(fs.Sample([(i % 9 == 0, i % 2, i % 9 == 0 and i % 5 > 2) for i in range(900)], target="late"))
    text = " ".join(rare.summary(details=True).split())
    assert "This does not make fewer rows wrong." in text
    assert "the columns rank the first one higher in 9" in text
    blind = report(rare.sample, criterion="zero_one")
    with pytest.warns(fs.errors.ArbitraryChoiceWarning, match="tie under the 0-1 loss"):
        assert blind.supported == fs.samples.supported_features(rare.sample, rng=0, criterion="zero_one")
    assert "in report and supported_features (fstheory report --criterion)" in " ".join(
        blind.summary(details=True).split()
    )


def test_the_page_says_where_another_seed_may_decide_otherwise(found: SampleReport) -> None:
    assert "another seed gives the same columns" in " ".join(found.summary(details=True).split())
    *others, last = found.supported.steps
    supported = replace(found.supported, steps=(*others, replace(last, settled=False)))
    said = " ".join(replace(found, supported=supported).summary(details=True).split())
    assert said.count("Another seed may support other columns") == 2
    assert "not supported, open" in said


def test_every_column_has_an_answer() -> None:
    """A column with few rows to a value is judged; a key is not; nothing is left out in silence."""
    maker = [k // 4 for k in range(40)]
    y = [k % 2 for k in maker]
    weak = [value ^ (k % 4 == 3) for k, value in enumerate(y)]
    rows = list(zip(maker, weak, [k % 3 for k in range(40)], range(40), y, strict=True))
    s = fs.Sample(rows, features=["maker", "weak", "noise", "id"], target="y", keep_continuous=True)
    found = report(s)
    answers = {column.feature: column.answer for column in found.columns}
    assert answers == {"maker": "needed", "weak": "replaceable", "noise": "no evidence", "id": "not judged"}
    assert found.columns[1].columns == ("maker",)
    text = " ".join(found.summary().split())
    assert "2 of 4 columns tell something about y. As far as 40 rows can tell, 1 of them is enough: {maker}." in text
    assert "a key, or numbers to be cut" in text
    assert "Which columns they support" not in text
    bits = report(fs.sample(fs.gallery.xor(), 80, rng=0))
    assert [column.answer for column in bits.columns] == ["needed", "needed"]


def test_wrong_shares_are_honest() -> None:
    """Leave-one-out said 100% wrong for these rows, and 50% for guessing."""
    found = report(fs.Sample([("ab"[i % 2], "mf"[i < 10]) for i in range(20)]))
    assert found.procedure is not None
    assert [found.procedure.tested, found.procedure.wrong, found.procedure.wrong_guesses] == [20, 10, 10]
    assert "100" not in found.summary()


def visits(*, varies: bool) -> pd.DataFrame:
    """Return five visits of each of 40 persons. The class is constant in each person, or each visit has its own."""
    rows = []
    for person in range(40):
        for visit in range(5):
            dose = (person + visit) % 3
            sick = (person * 7 + visit * 3 + dose) % 4 > 1 if varies else person % 2
            rows.append((100 + person, person % 2, dose, f"2026-0{1 + visit}-{1 + person % 28:02d}", int(sick)))
    return pd.DataFrame(rows, columns=["id", "new", "dose", "day", "sick"])


def words(found: SampleReport) -> str:
    return " ".join(found.summary(details=True).split())


def test_a_group_counts_as_one_row() -> None:
    found = report(visits(varies=False), target="sick", groups="id", always=["dose"], time="day", bins=4)
    assert (found.sample.m, found.sample.features, found.in_groups) == (40, ("new", "dose"), False)
    assert {column.feature: column.answer for column in found.columns} == {"new": "needed", "dose": "kept"}
    assert [row.features for row in found.path[:2]] == [(), ("dose",)]
    assert "1 of 2 columns tells something about sick beside dose." in words(found)
    assert "Each group of rows with the same id counts as one row: 40 groups." in words(found)
    assert "Anything, if this does not hold: The groups of rows with the same id must be independent" in words(found)
    assert "the rows were divided into periods by day" in words(found)
    assert "Columns were chosen on earlier rows and tested on later ones." in words(found)
    assert json.loads(found.to_json())["design"]["groups"] == "id"


def test_rows_of_one_time_are_not_said_to_be_predicted() -> None:
    text = str(report(visits(varies=True).assign(day=1), target="sick", time="day", bins=4).summary())
    assert "come later than others, so the choice cannot be tested on later ones." in text
    assert "Predicted by the other rows" not in text


def test_two_times_are_one_test_whatever_the_number_of_rows() -> None:
    found = report(visits(varies=True).assign(day=[0, 1] * 100), target="sick", time="day", bins=4)
    assert found.procedure is not None
    assert len(found.procedure.chosen) == 1
    assert "because there are many rows" not in words(found)


def test_rows_inside_groups() -> None:
    """Sections on single rows that are left out are not there, since the other rows of their group are not."""
    frame = visits(varies=True)
    found = report(frame, target="sick", groups="id", together=[["dose", "day"]], bins=4)
    assert found.in_groups
    assert found.procedure is not None
    assert (found.procedure.tested, found.procedure.independent) == (200, 40)
    assert "as if groups were independent trials" in words(found)
    assert "classes are permuted inside the groups" in words(found)
    assert "How the risk grows too small" not in words(found)
    few = report(frame.drop(columns="day")[:3].assign(sick=[0, 1, 0]), target="sick", groups="id")
    assert "The groups are too few, or the rows too many, to test the choice" in words(few)


@pytest.mark.thorough
def test_repeated_values_are_asked_about() -> None:
    """A column of persons is found before its numbers are cut, and a column that tells everything is asked about."""
    frame = visits(varies=False).drop(columns=["day"])
    found = words(report(frame, target="sick", bins=4))
    asked = "id has 5 rows for each of its 40 values: do the rows with the same value belong together"
    assert f"{asked}, as those of one person do? Then pass groups='id' (--groups id)." in found
    assert "new alone decides 100.0% of the rows: sick follows from it. Is new known before sick?" in found
    assert "leave_out=['new'] (--leave-out new)" in found
    assert "belong together" not in words(report(frame, target="sick", groups="id"))
    named = frame.rename(columns={"id": "patient"}).drop(index=[0])
    assert "patient has 5.0 rows for each of its 40 values" in words(report(named, target="sick", bins=4))
    mostly_one_row = named[:30].assign(patient=[*range(20), *range(10)])
    assert "belong together" not in words(report(mostly_one_row, target="sick", bins=4))
    no_evidence = report(pd.DataFrame({"new": [0, 1, 0, 1], "sick": [0, 1, 0, 1]}), target="sick")
    assert no_evidence.procedure is not None
    assert no_evidence.procedure.wrong_alone == (("new", Fraction(0)),)
    assert "known before" not in words(no_evidence)


def test_json_holds_exact_numbers(found: SampleReport) -> None:
    document = json.loads(found.to_json(), parse_float=pytest.fail)
    assert (document["schema"], document["version"], document["samples"]) == ("fstheory/sample-report", 1, 2000)
    assert document["supported"]["features"] == ["X1", "X2"]
    assert Fraction(document["path"][1]["left_out"]) == found.path[1].left_out
    assert document["supported"]["criterion"] == "logarithmic loss"
    assert Fraction(document["everything"]["plug_in"]) == found.everything.plug_in
    assert fs.bayes_risk(found.sample, {"X3"}) == Fraction(document["single"][2]["plug_in"])
    assert document["cannot_say"] == list(found.cannot_say)


def test_the_page_and_the_folder(found: SampleReport, tmp_path: Path) -> None:
    text = found.to_html()
    page = _Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert "What this sample cannot say" in page.text
    assert [text.count(tag) for tag in ("<h2", "<svg", 'class="long"')] == [6, len(found.pictures), 0]  # few rows
    names = ["report.html", "report.json", "risks.svg", "columns.svg"]
    assert [path.name for path in found.save(tmp_path / "out")] == names


def numbers(columns: int) -> fs.Sample:
    """Return a sample with as many columns in bins, one of which is the class and one has a name like an entry."""
    names = ["a 1; b", *(f"c{i}" for i in range(1, columns))]
    frame = pd.DataFrame({name: [(row * (i + 3)) % 41 / 2 for row in range(82)] for i, name in enumerate(names)})
    return fs.Sample.from_frame(frame.assign(y=frame["a 1; b"] > 13), target="y", bins=3)


@pytest.mark.browser
def test_names_of_33_letters_fit_a_phone(opened: Any) -> None:
    names = [f"expression_of_the_probe_number_{i:04d}" for i in range(3)]
    found = report(fs.Sample([(i % 2, i % 3, i % 5, i % 2) for i in range(60)], features=names, target="y"))
    page = opened(found.to_html(), {"viewport": {"width": 390, "height": 844}})
    assert page.locator(".scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("kind", ["arrow", "polars", "lazy"])
def test_a_frame_of_another_library_has_the_same_report(kind: str) -> None:
    frame = pd.DataFrame({"a": [i * 0.5 for i in range(40)], "b": list("uv") * 20, "y": [i // 20 for i in range(40)]})
    given: Any = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    if kind != "arrow":
        given = pytest.importorskip("polars").from_arrow(given)
    other = report(given.lazy() if kind == "lazy" else given, target="y", bins=4, rng=0)
    assert other.to_json() == report(frame, target="y", bins=4, rng=0).to_json()


@pytest.mark.thorough
def test_bins_of_many_columns_are_a_folded_table() -> None:
    s = numbers(14)
    found = report(s)
    told = edges_in_note(s.notes[0], s.states)
    assert [name for name, _ in told] == list(s.features)
    assert all(s.states[name][0] == f"at most {edges.split(' | ')[0]}" for name, edges in told)
    assert edges_in_note(s.notes[0], s.keep(["c1"]).states) == told[1:2]
    page, text = found.to_html(), " ".join(found.summary(details=True).split())
    assert "<summary>The upper edges of 14 columns</summary>" in page
    assert page.count('<details class="long"><summary>') == 3
    assert "details:not(.long)::details-content { content-visibility: visible; }" in page  # these are not printed
    assert f"Bins of 14 columns, with these upper edges: a 1; b {told[0][1]}; the JSON of the report has those" in text
    assert told[1][1] in page
    assert json.loads(found.to_json())["notes"] == list(s.notes)
    few = report(numbers(3))
    assert f"B{few.sample.notes[0][1:]}." in few.summary(details=True)
    assert "The upper edges" not in few.to_html()
    assert edges_in_note("2 of 3 rows dropped", s.states) == []


@pytest.mark.thorough
def test_the_pictures_are_of_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Widths of bars, points of curves: read back from what is drawn."""
    s = fs.sample(fs.gallery.titanic(), 40, rng=3)  # so few that plug-in and leave-one-out differ
    found, drawn = report(s), list[Any]()

    def kept(draw: Any, *parts: Any, **options: Any) -> Any:
        drawn.append(draw(*parts, **options))
        return drawn[-1]

    monkeypatch.setattr(of_sample, "draw_bars", functools.partial(kept, series.draw_bars))
    monkeypatch.setattr(series, "draw_curves", functools.partial(kept, series.draw_curves))
    assert len(found.pictures) == len(drawn) == 2
    (risk, information), (curves, *_) = sorted((plot.figure.axes for plot in drawn), key=lambda axes: -len(axes))
    shown = [tick.get_text() for tick in risk.get_yticklabels()]
    assert sorted(shown) == sorted(s.features)
    single = [next(row for row in found.single if name in row.features) for name in shown]
    widths = [bar.get_width() for bar in risk.patches]
    assert widths == sorted(widths) == [float(row.left_out) for row in single]
    bits = [float(fs.mutual_information(s, {name}, base=2)) for name in shown]
    assert [bar.get_width() for bar in information.patches] == bits
    assert [bool(bar.get_hatch()) for bar in risk.patches] == [name in found.supported.features for name in shown]
    lines = {line.get_label(): line.lines[0] for line in curves.containers}
    sizes = [len(row.features) for row in found.path]
    for label, key in {"plug-in": "plug_in", "leave-one-out": "left_out", "permuted labels": "permuted"}.items():
        assert list(lines[label].get_xdata()) == sizes
        assert list(lines[label].get_ydata()) == [float(getattr(row, key)) for row in found.path]


@pytest.mark.thorough
def test_the_best_of_each_size_are_those_of_all_that_are_carried() -> None:
    s = fs.sample(fs.gallery.titanic(), 300, rng=1)
    found = report(s)
    assert found.not_listed == ""
    for k, (best, (total, carried)) in enumerate(zip(found.by_size, found.looked_at, strict=True)):
        assert total >= carried >= len(best) > 0
        assert all(len(row.features) == k and row.states * 5 <= s.m for row in best)
        assert len({row.left_out for row in best}) == 1
    assert found == report(s)


@settings(max_examples=8)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=20))
@pytest.mark.thorough
def test_every_form_of_any_small_sample(rows: list[tuple[int, ...]]) -> None:
    found = report(fs.Sample(rows, states={"Y": [0, 1, 2]}))
    json.loads(found.to_json())
    _Page(found.to_html())
    assert max(map(len, found.summary(details=True).splitlines())) <= 100


@pytest.mark.thorough
def test_odd_names_and_no_features() -> None:
    found = report(fs.Sample([("<i>", 0), ("x", 1)], features=["<b>&"], target='"y"'), name="<script>")
    assert "<script" not in found.to_html()
    odd = report(fs.Sample([(0, 1, 0), (1, 1, 1)] * 9, features=["$\\frac{$", "--" * 99], target="]]>"))
    assert all(ET.fromstring(picture).tag.endswith("svg") for picture in odd.pictures.values())
    none = report(fs.Sample([(0,), (1,)]))
    assert (none.pictures, "No column shows in 2 rows" in none.summary(details=True)) == ({}, True)


test_refuses = refusals(
    [
        ("report([(0, 1)])", InvalidTypeError, "d", "a JointDistribution or a Sample"),
        ("report(s, rng=-1)", InvalidValueError, "rng", "at least 0"),
    ],
    {"report": report, "s": fs.Sample([(0, 1)])},
)


def test_one_feature_and_one_class() -> None:
    """The words agree in number, and a single class is named as the reason why nothing is supported."""
    text = str(fs.report(fs.Sample([(i % 2, i % 3 > 0) for i in range(30)])).summary(details=True))
    assert "The column takes 2 combinations of values" in " ".join(text.split())
    assert "1 features" not in text
    text = " ".join(
        str(fs.report(fs.Sample([(i % 2, i % 3, "only") for i in range(30)])).summary(details=True)).split()
    )
    assert (
        "But all columns tie under the logarithmic loss: Y has a single class in these rows, and nothing is to be"
        in text
    )
    assert "--criterion" not in text.partition("Which columns they support")[0]


def test_a_report_on_the_rows_of_a_frame() -> None:
    rows = [(i % 2, i % 3, i % 2) for i in range(12)]
    frame = pd.DataFrame(rows, columns=["a", "b", "y"])
    found = fs.report(frame, target="y")
    assert found.sample == fs.Sample.from_frame(frame, target="y")
    with pytest.raises(fs.InvalidTypeError, match=r"not a pandas DataFrame; pass Sample.from_frame"):
        fs.report(frame)
    with pytest.raises(
        fs.InvalidValueError, match="target must be left out unless d is a data frame, not 'y'; drop it"
    ):
        fs.report(found.sample, target="y")


@pytest.mark.thorough
def test_characters_that_turn_the_text_around_are_spelled_out() -> None:
    found = fs.report(fs.Sample([(0, 1), (1, 0)], features=["a\u202eb\u2028c"]))
    for page in (found.to_html(), fs.bayes_risks(found.sample.empirical()).plot().to_svg()):
        assert r"a\u202eb\u2028c" in page
        assert not set("\u202e\u2028") & set(page)


def test_a_terminal_has_the_first_of_many_columns_without_evidence() -> None:
    rows = [(f"c{i}", "no evidence") for i in range(14)]
    many = Table(("column", "answer"), rows, folded="14 columns without evidence")
    assert of_sample._short(many) == many._replace(rows=[*rows[:10], ("⋮ 4 more (all with --details)",)])
    assert of_sample._short(few := many._replace(rows=rows[:11])) == few
    assert of_sample._short(every := many._replace(folded="")) == every


def test_many_columns_without_evidence_are_named_in_a_line() -> None:
    rows = tuple(ColumnAnswer(f"c{i}", "no evidence", Fraction(1, 2), Fraction(1), (), "") for i in range(26))
    (table,) = column_tables(rows, Fraction(1, 2), numeric=False)
    assert table.folded == "26 columns without evidence: c0, c1, c2, c3, c4, c5, c6, c7 and 18 more"


def test_a_report_on_numbers_has_no_shares_of_wrong_rows() -> None:
    rows = [(i % 2, i % 3, 5 * (i % 2) + i % 7) for i in range(80)]
    found = report(fs.Sample(rows, features=["a", "b"], target="y", keep_continuous=True), criterion="squared_error")
    document = json.loads(found.to_json())
    assert "cannot_say" in document
    assert not {"path", "everything", "single", "by_size"} & document.keys()
    assert found.pictures == {}
    assert "with all features together 6 of 6 possible states occur" in words(found)


def test_the_advice_of_a_refusal_is_an_argument_of_the_report() -> None:
    frame = pd.DataFrame({"id": [f"P{i}" for i in range(40)], "a": list("uv") * 20, "y": [i % 2 for i in range(40)]})
    frame.loc[3, "a"] = None
    given: dict[str, Any] = {}
    for argument in ("missing", "leave_out"):
        with pytest.raises(InvalidValueError, match=f"{argument}=") as refused:
            report(frame, target="y", **given)
        given |= refused.value.options
    assert report(frame, target="y", **given).sample.features == ("a",)
    with pytest.raises(InvalidValueError, match="missing must be left out unless d is a data frame with a target"):
        report(fs.gallery.xor(), missing="drop")  # type: ignore[call-overload]


def test_a_table_that_is_too_wide_has_no_bars() -> None:
    """A bar is for the eye; a line that is broken inside a row is read by nobody."""
    head, long = ("column", "answer", "", "p"), "a" * 45
    narrow, wide = (
        render_text("t", "about", [Section("", [Table(head, [(name, name, "███", "0.1"), ("and others",)])])])
        for name in ("x", long)
    )
    assert "x       x       ███  0.1\nand others" in narrow
    assert f"{long}  {long}  0.1\nand others" in wide
    assert "█" not in wide
