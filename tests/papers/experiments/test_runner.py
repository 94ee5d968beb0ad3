"""What all experiments owe: the same numbers whoever works on them and however often they are broken off; pictures."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.papers import experiments as ex
from fstheory.papers.experiments.runner import PLANS, Document, exact, known, mean, panel
from tests.house.source import ROOT
from tests.journals import steps
from tests.papers.experiments.runs import SMALL, small
from tests.refusals import refusals


@pytest.mark.thorough(2)
@pytest.mark.parametrize("name", PLANS)
def test_what_was_done_is_not_lost(name: str, tmp_path: Path) -> None:
    """Broken off after five steps and taken up by three threads: the same numbers, and no step is done twice."""
    whole, path, told = small(name), tmp_path / "trials.json", list[str]()

    def listen(text: str) -> None:
        told.append(text)
        if len(told) == 1 + 5:  # the first line says what it takes
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ex.run_experiment(name, settings=SMALL[name], resume=path, progress=listen)
    done = len(steps(path))
    assert done >= 5
    again: list[str] = []
    found = ex.run_experiment(
        name, settings=SMALL[name], resume=path, executor=ThreadPoolExecutor(3), progress=again.append
    )
    assert found == whole
    assert len(again) == 1 + len(steps(path)) - done
    with pytest.raises(InvalidValueError, match="it differs in seed: "):
        ex.run_experiment(name, settings=type(SMALL[name])(**{**vars(SMALL[name]), "seed": 1}), resume=path)


# -- what comes out


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.thorough(2)
def test_it_is_written_and_drawn(name: str, tmp_path: Path) -> None:
    """Every series is in the text, and if its panel is drawn in the last picture; the first figure is written."""
    found, text = small(name), str(small(name))
    for entry in found.document["figures"]:
        figure = entry["figure"]
        description = found.plot(figure).description if entry is found.document["figures"][-1] else ""
        for part in entry["panels"]:
            title = part["title"]
            assert title in text
            assert found.table(figure, title).replace("\n", "\n    ") in text
            for series, points in part["series"].items():
                assert not description or "row" not in part or series in description
                assert found.point(figure, title, series, points[0]["x"]) == points[0]
    first = ex.Experiment({**found.document, "figures": found.document["figures"][:1]})
    paths = first.save(tmp_path / "new")
    stem = str(next(iter(PLANS[name].figures))).replace("1", "figure-1", name != "sebban-nock-2002")
    assert [path.name for path in paths] == [f"{name}.json", f"{stem}.png", f"{stem}.svg"]
    assert json.loads(paths[0].read_text(encoding="utf-8")) == json.loads(json.dumps(first.document))


@pytest.mark.parametrize("name", PLANS)
def test_the_textbook_shows_the_full_settings(name: str) -> None:
    shown = json.loads((ROOT / "docs" / "textbook" / f"{name}.json").read_text(encoding="utf-8"))
    assert shown["settings"] == json.loads(json.dumps(vars(PLANS[name].settings())))


def test_the_text_has_a_row_for_each_series_or_name() -> None:
    one, two = mean("LED", [88.0, 89.0]) | {"printed": 88.0}, mean("Five", [50.0, 50.0])
    by_name = panel("right", "data", "percent", {"all": [one, two], "Z": [two]})
    by_number = panel("error", "m", "", {"bits": [exact(1, Fraction(1, 4))], "normal": [mean(1, [0.25, 0.26])]})
    figures = [{"figure": 1, "title": "Both", "panels": [by_name, by_number]}]
    assert str(ex.Experiment({"title": "Title", "figures": figures})).splitlines() == [
        "Title; means (standard errors in the last digits), = exact", "", "Both",
        "", "  right; percent", "    data             all        Z", "     LED  88.5(5) [88.0]",
        "    Five         50.0(0)  50.0(0)",
        "", "  error; see the lines", "         m         1", "      bits   = 0.250", "    normal  0.255(5)",
    ]  # fmt: skip


# -- pictures

EXACT, KNOWN = exact(1, Fraction(1, 4)), known(2, 0.5)
ESTIMATED = {"x": 2, "mean": 0.3, "low": 0.2, "high": 0.5}


def drawn(order: tuple[str, ...] = (), *parts: Document) -> list[Any]:
    """Return the axes of a figure with these panels."""
    figure = ex.Experiment({"order": order, "figures": [{"figure": 1, "title": "All", "panels": parts}]}).plot(1).figure
    names = [name for name in "abc" if any(name in part["series"] and "row" in part for part in parts)]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == names
    return list(figure.axes)


def marks(axes: Any) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return the faces and places of the marks of lines, but for grid lines."""
    lines = [line for line in axes.lines if line.get_marker() not in {"None", "", 0, 1, "|", "_"} and line.get_label()]
    return [(str(line.get_markerfacecolor()), [(float(x), float(y)) for x, y in line.get_xydata()]) for line in lines]


def test_full_marks_are_exact_and_open_ones_estimated() -> None:
    (axes,) = drawn((), panel("t", "m", "error", {"a": [EXACT, ESTIMATED], "b": [KNOWN]}, row=0, zero=True))
    full = [face for face, places in marks(axes) if (1.0, 0.25) in places]
    assert full == ["#0072B2"]
    assert ("white", [(2.0, 0.3)]) in marks(axes)
    assert all((2.0, 0.5) not in places for face, places in marks(axes) if face == "white")
    assert axes.get_ylim()[0] == 0
    assert axes.figure.legends[0].get_title().get_text() == "full: exact; open: estimated; bars: 95% intervals"
    (bars,) = [bar for bar in axes.collections if len(bar.get_segments()) == 2]
    assert bars.get_segments()[1].tolist() == [[2.0, 0.2], [2.0, 0.5]]


@pytest.mark.parametrize(("points", "rest", "marked"), [(12, [], True), (13, [], False), (13, [ESTIMATED], True)])
def test_a_long_line_has_marks_only_if_some_are_open(points: int, rest: list[Document], marked: bool) -> None:
    shown = [*rest, *(exact(x, Fraction(1, 4)) for x in range(3, points + 3))]
    (axes,) = drawn((), panel("t", "m", "error", {"a": shown}, row=0))
    line = next(line for line in axes.lines if len(line.get_xdata()) == len(shown))
    assert (line.get_markersize() > 0) == marked


def test_panels_stand_in_rows_and_a_name_has_one_color() -> None:
    """In the order of the document, in all figures; differences have a line at 0; what has no row is not drawn."""
    points = [{"x": x, "mean": y} for x, y in ((0.5, -1.0), (1.5, 1.0))]
    parts = [panel(t, "x", "y", {s: points}, row=r) for t, s, r in (("t", "b", 0), ("u", "a", 0), ("v", "b", 1))]
    axes = drawn(("a", "b"), *parts, panel("w", "x", "y", {"c": points}))[:4]
    assert [area.get_title() for area in axes] == ["t", "u", "v", ""]
    assert [face for area in axes for face, _ in marks(area)] == ["#56B4E9", "#0072B2", "#56B4E9"]
    assert any(list(line.get_ydata()) == [0, 0] for line in axes[0].lines)
    assert not axes[3].axison
    (bars,) = drawn((), panel("t", "n", "drawings", {"a": points, "b": points}, row=0, bars=True))
    assert [patch.get_height() for patch in bars.patches] == [-1.0, 1.0] * 2


test_bad_calls = refusals(
    [
        ("run_experiment('ng')", InvalidValueError, "name", "one of ahmed-2015, beraha-2019, ng-1998, sebban-nock-"),
        ("run_experiment('ng-1998', [6])", InvalidValueError, "figures", "some of 1, 2, 3, 4, 5"),
        ("run_experiment('ng-1998', 1)", InvalidTypeError, "figures", "a list"),
        ("run_experiment('ng-1998', settings=BerahaSettings())", InvalidTypeError, "settings", "NgSettings"),
        ("run_experiment('ng-1998', executor=0)", InvalidValueError, "executor", "at least 1"),
        ("run_experiment('ng-1998', resume=7)", InvalidTypeError, "resume", "path"),
        ("FOUND.plot(6)", UnknownNameError, "figure 6", "does not exist"),
        ("FOUND.point(3, 'bits', 'RCG', 10)", UnknownNameError, "series 'RCG'", "does not exist"),
        ("NgSettings(trials=1)", InvalidValueError, "trials", "at least 2"),
        ("NgSettings(features=(5, 63))", InvalidValueError, "features", "at most 62"),
        ("NgSettings(features=())", InvalidTypeError, "features", "a tuple of at least one"),
        ("NgSettings(all_features=2)", InvalidValueError, "all_features", "at least 3"),
        ("BerahaSettings(features=20)", InvalidValueError, "features", "at least 24"),
        ("BerahaSettings(distributions=60)", InvalidValueError, "distributions", "a multiple of 50"),
        ("AhmedSettings(widths=(0.0,))", InvalidValueError, "widths", "above 0"),
        ("expected_errors(D, 3, ['accuracy'])", InvalidValueError, "measures", "one of 0-1"),
        ("expected_errors(D, 90)", TooLargeError, "m", "small enough for a million tables"),
        ("expected_errors(D, 3, trials=1)", InvalidValueError, "trials", "at least 2"),
        ("expected_errors(THREE, 3)", InvalidValueError, "d", "of two classes that both occur"),
        ("TailProblem(2)", InvalidValueError, "useful", "at least 3"),
        ("TailProblem(3, 2)", InvalidValueError, "features", "at least 3"),
        ("TailProblem(3, 3, 'ball')", InvalidValueError, "region", "one of sum, squares"),
        ("TailProblem(3).bayes_error(4)", InvalidValueError, "chosen", "at most 3"),
        ("TailProblem(3).sample(0, rng=1)", InvalidValueError, "m", "at least 1"),
        ("TailProblem(3).sample(5, rng='x')", InvalidTypeError, "rng", "an integer"),
        ("tail_of_bits(2, 3, 1)", InvalidValueError, "features", "at least 3"),
        ("sign_disagreement([1], 0, [1, 0], 0)", InvalidValueError, "weights", "of shape (2,)"),
        ("sign_disagreement([1], 0, [0], 0)", InvalidValueError, "direction", "other than 0"),
        ("sign_disagreement([float('nan')], 0, [1], 0)", InvalidValueError, "weights", "finite numbers in one row"),
        ("sign_disagreement('abc', 0, [1], 0)", InvalidTypeError, "weights", "numbers"),
    ],
    lambda: {**vars(ex), "FOUND": small("ng-1998"), "D": fs.gallery.ahmed_example_1(), "THREE": fs.gallery.load("led")},
)


def test_a_frame_has_a_row_for_each_point() -> None:
    found = small("ng-1998")
    frame = found.to_frame()
    figures = found.document["figures"]
    series = [points for figure in figures for part in figure["panels"] for points in part["series"].values()]
    assert len(frame) == sum(map(len, series))
    assert {"figure", "panel", "series", "x"} <= {*frame.columns}
    row = frame[(frame.figure == 1) & (frame.series == "ORDERED-FS 3/10") & (frame.x == 2)].iloc[0]
    assert row.exact == found.point(1, row.panel, "ORDERED-FS 3/10", 2)["exact"]
