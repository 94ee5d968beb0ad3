"""Laws by sample size: each point is the law or the simulation that it would be alone."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import fstheory as fs
from fstheory._support.exact import interval_text
from fstheory.errors import InvalidValueError
from fstheory.samples.law import risk_without_selection
from fstheory.samples.simulation import LawCurve, law_curve
from tests.samples.test_law import drawn

D = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
FOS = fs.FOS(tau="1/20")
ORDERED = fs.OrderedFS(holdout="1/4", ties="first")
WORK = 20_000  # up to some m between 8 and 20


def mixed(**options: Any) -> LawCurve:
    """Return a curve that is exact at first."""
    return law_curve(D, ORDERED, [20, 8, 4, 40], **{"work": WORK, "trials": 300, "rng": 5, **options})


def test_each_point_is_what_it_is_alone() -> None:
    curve = mixed()
    assert curve.ms == (4, 8, 20, 40)
    assert [point.engine for point in curve] == ["contrasts", "contrasts", "simulation", "simulation"]
    assert not curve.is_exact
    for m in (4, 8):
        assert curve[m] == fs.selection_law(D, m, ORDERED)
    for m in (20, 40):
        assert curve[m] == fs.simulate(D, m, ORDERED, trials=300, rng=np.random.default_rng([5, m]))
    for values in (curve.success, curve.expected_risk, curve.probability({"X1"})):
        assert [type(value) for value in values] == [Fraction, Fraction, float, float]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("kind", ["zeros", "ties", "unequal", "huge"])
@pytest.mark.parametrize(("cardinalities", "classes", "m"), [((2, 2), 2, 4), ((3,), 3, 3), ((), 2, 3), ((2, 2), 3, 2)])
def test_the_risk_without_selection(cardinalities: tuple[int, ...], classes: int, m: int, kind: str) -> None:
    """A sum over the states, against the law over all tables."""
    d = drawn(random.Random(f"{cardinalities} {kind}"), cardinalities, classes, kind)
    expected = [fs.selection_law(d, size, fs.NoSelection()).expected_risk for size in (0, 1, m)]
    assert [risk_without_selection(d, size) for size in (0, 1, m)] == expected
    assert law_curve(d, FOS, [m]).without_selection == (expected[-1],)


def test_the_text_tells_exact_from_estimated() -> None:
    head, four, _, twenty, _ = str(mixed()).splitlines()
    assert "Bayes risk 1/4 = 0.25" in head
    assert four.startswith("  m = 4:  ")
    assert four.endswith(f" ({float(mixed().without_selection[0] or 0):.4f}); exact, by contrasts")
    low, high = mixed()[20].success_interval()
    assert f"m = 20: {interval_text(low, high)}, " in twenty
    assert twenty.endswith("; from 300 trials")


@pytest.mark.thorough
def test_the_picture_shows_where_the_exact_curve_ends() -> None:
    curve = mixed()
    upper, lower = (cast("Any", axes) for axes in curve.plot().figure.axes)
    found = next(line for line in upper.containers if line.get_label() == "X1X2 = S*").lines[0]
    wanted = [float(p) for p in curve.probability({"X1", "X2"})]
    assert [list(found.get_xdata()), list(found.get_ydata())] == [[4, 8, 20, 40], wanted]
    hollow = [line for line in upper.lines if line.get_markerfacecolor() == "white"]
    assert any([list(line.get_xdata()), list(line.get_ydata())] == [[20, 40], wanted[2:]] for line in hollow)
    assert all(list(line.get_xdata()) == [20, 40] for line in hollow)
    lines = {line.get_label(): line.lines for line in lower.containers}
    low, high = curve[20].expected_risk_interval()
    assert np.allclose(lines["with selection"][2][0].get_segments()[2], [[20, low], [20, high]])
    assert list(lines["without selection"][0].get_ydata()) == [float(risk) for risk in curve.without_selection if risk]
    assert list(lines["Bayes risk"][0].get_ydata()) == [float(fs.bayes_risk(D, D.features))] * 4
    chosen = cast("Any", law_curve(D, FOS, [2]).plot(subsets=[["X2"]]).figure.axes[0])
    assert [line.get_label() for line in chosen.containers] == ["X2"]
    assert cast("Any", curve.plot().figure).legends[0].get_title().get_text() == "full: exact; open: estimated"


CALLS: list[fs.JointDistribution] = []


def interrupted(d: fs.JointDistribution) -> list[str]:
    CALLS.append(d)
    if len(CALLS) in (150, 380):
        raise KeyboardInterrupt
    return [d.features[int(d.weights.flat[0]) % 2]]


def test_a_curve_goes_on(tmp_path: Path) -> None:
    """It is stopped in the second point, and later in the third."""
    CALLS.clear()
    path, method = tmp_path / "curve.json", fs.PlugIn(select=interrupted)
    options: dict[str, Any] = {"work": 7 * 10**6, "trials": 40, "rng": 3, "resume": path}
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            law_curve(D, method, [2, 4, 6], **options)
    curve = law_curve(D, method, [2, 4, 6], **options)
    assert [point.engine for point in curve] == ["counts", "counts", "simulation"]
    assert curve == law_curve(D, method, [2, 4, 6], **{**options, "resume": None})
    with pytest.raises(InvalidValueError, match="it differs in m, engines:"):
        law_curve(D, method, [2, 4], **options)


def test_a_refusal_names_the_sizes_that_fit() -> None:
    with pytest.raises(InvalidValueError, match=r"not '9, 10'; of these, 8, 12 can: pass only such, or skip=True"):
        law_curve(D, ORDERED, [8, 9, 10, 12])
    assert law_curve(D, ORDERED, [8, 9, 10, 12], skip=True).ms == (8, 12)
