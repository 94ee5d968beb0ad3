"""The report on a sample: it supports what it supports, and no form of it says that everything matters."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fstheory as fs
from fstheory.errors import InvalidTypeError, InvalidValueError
from fstheory.reports.of_distribution import report
from fstheory.reports.of_sample import SampleReport
from tests.refusals import refusals
from tests.reports.test_forms import _Page


def noisy(columns: int, rows: int = 5000) -> fs.Sample:
    """Draw columns of four states, of which the first two say what the class is in four rows of five."""
    rng = np.random.default_rng(20)
    x = rng.integers(0, 4, size=(rows, columns))
    y = (x[:, 0] + x[:, 1] + (rng.random(rows) < 0.189)) % 2
    return fs.Sample(np.column_stack([x, y]).tolist())


@pytest.fixture(scope="module")
def found() -> SampleReport:
    return report(noisy(12), name="twelve columns")


def test_two_columns_matter_and_not_all_twelve(found: SampleReport) -> None:
    """The least plug-in risk is that of all twelve, almost 0; the truth is 0.189, of two."""
    everything, supported = found.everything, found.supported
    assert everything.plug_in < Fraction(2, 100) < Fraction(40, 100) < everything.left_out
    assert supported.features == {"X1", "X2"}
    assert abs(supported.left_out - Fraction(189, 1000)) < Fraction(2, 100)
    text = found.summary()
    assert "This sample of 5,000 supports X1X2, with leave-one-out risk" in text
    assert "A sample of 5,000, not a distribution: 12 features" in text
    assert "leave-one-out risk is itself too small on average" in " ".join(text.split())
    assert "minimal-optimal" not in text
    assert "any 5 features leave fewer than 5 samples for each state" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100


def test_the_path_shows_how_the_risk_grows_too_small(found: SampleReport) -> None:
    first, pair, *_, last = found.path
    assert [set(row.features) for row in (first, pair, last)] == [set(), {"X1", "X2"}, set(found.sample.features)]
    plug_in = [row.plug_in for row in found.path]
    assert plug_in == sorted(plug_in, reverse=True)
    assert all(row.plug_in <= row.left_out for row in found.path)
    assert pair.permuted is not None
    assert pair.permuted > Fraction(45, 100)  # permuted labels say what the supported features are worth


def test_json_holds_exact_numbers(found: SampleReport) -> None:
    document = json.loads(found.to_json(), parse_float=pytest.fail)
    assert (document["schema"], document["version"], document["samples"]) == ("fstheory/sample-report", 1, 5000)
    assert document["supported"]["features"] == ["X1", "X2"]
    assert Fraction(document["supported"]["left_out"]) == found.supported.left_out
    assert Fraction(document["everything"]["plug_in"]) == found.everything.plug_in
    assert fs.bayes_risk(found.sample, {"X3"}) == Fraction(document["single"][2]["plug_in"])
    assert document["cannot_say"] == list(found.cannot_say)


def test_the_page_and_the_folder(found: SampleReport, tmp_path: object) -> None:
    page = _Page(found.to_html())
    assert len(page.ids) == len(set(page.ids)) == 5
    assert "What this sample cannot say" in page.text
    fs.report(fs.gallery.xor()).write(f"{tmp_path}/out")
    assert [path.name for path in found.write(f"{tmp_path}/out")] == ["report.html", "report.json"]


def test_the_best_of_each_size_are_those_of_all_that_are_carried() -> None:
    s = fs.sample(fs.gallery.titanic(), 300, rng=1)
    found = report(s)
    assert found.not_listed == ""
    for k, (best, (total, carried)) in enumerate(zip(found.by_size, found.looked_at, strict=True)):
        assert total >= carried >= len(best) > 0
        assert all(len(row.features) == k and row.states * 5 <= s.m for row in best)
        assert len({row.left_out for row in best}) == 1
    assert found == report(s)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=20))
def test_every_form_of_any_small_sample(rows: list[tuple[int, ...]]) -> None:
    found = report(fs.Sample(rows, states={"Y": [0, 1, 2]}))
    json.loads(found.to_json())
    _Page(found.to_html())
    assert max(map(len, found.summary().splitlines())) <= 100


def test_odd_names_and_no_features() -> None:
    found = report(fs.Sample([("<i>", 0), ("x", 1)], features=["<b>&"], target='"y"'), name="<script>")
    assert "<script" not in found.to_html()
    assert "supports no feature" in report(fs.Sample([(0,), (1,)])).summary()


test_refuses = refusals(
    [
        ("report([(0, 1)])", InvalidTypeError, "d", "a JointDistribution or a Sample"),
        ("report(s, rng=-1)", InvalidValueError, "rng", "at least 0"),
    ],
    {"report": report, "s": fs.Sample([(0, 1)])},
)
