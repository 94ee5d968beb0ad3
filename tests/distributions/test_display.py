"""How a distribution shows itself: exact while short, hostile names disarmed, long tables cut."""

import re
from xml.etree import ElementTree as ET

import numpy as np
from hypothesis import given

from fstheory import JointDistribution
from fstheory.testing import joint_distributions

NAME = "<b>&\"'</table>"
STATES = {NAME: ["<script>", "&amp;"]}
HOSTILE = JointDistribution([[1, 2], [3, 4]], features=[NAME], target="50%_$x^2~#{}\\", states=STATES)


def parsed(d: JointDistribution) -> ET.Element:
    return ET.fromstring(f"<div>{d._repr_html_()}</div>")


@given(joint_distributions(named=True))
def test_html_is_well_formed_whatever_the_names(d: JointDistribution) -> None:
    assert {element.tag for element in parsed(d).iter()} <= {"div", "table", "caption", "tr", "th", "td", "p"}


def test_hostile_names_are_shown_as_they_are() -> None:
    assert {"<script>", "&amp;", "50%_$x^2~#{}\\ = 0", "2/5"} <= {*parsed(HOSTILE).itertext()}


@given(joint_distributions(named=True))
def test_latex_has_balanced_braces_and_no_live_character(d: JointDistribution) -> None:
    text = d._repr_latex_()
    if text is None:
        assert d.weights.size > 40 or d.total.bit_length() > 128
        return
    assert text.startswith("$\\begin{array}{")
    assert text.endswith("\\end{array}$")
    depth = 0
    for character in re.sub(r"\\.", "", text[1:-1]):  # without what is escaped
        depth += (character == "{") - (character == "}")
        assert depth >= 0
        assert character not in "$%#"
    assert depth == 0


def test_latex_of_special_characters() -> None:
    text = str(HOSTILE._repr_latex_())
    assert r"\text{50\%\_\$x\textasciicircum{}2\textasciitilde{}\#\{\}\textbackslash{}=0}" in text
    assert r"\frac{2}{5}" in text


@given(joint_distributions())
def test_text_lists_every_state(d: JointDistribution) -> None:
    lines = str(d).splitlines()
    assert len(lines) == 1 + min(d.weights.size // len(d.classes), 40)
    assert len({len(line) for line in lines}) == 1
    assert lines[0].split() == [*d.features, *(f"Y={label}" for label in d.classes)]


def test_what_is_long_is_cut_or_rounded_and_says_so() -> None:
    number = JointDistribution([3**20000, 1])
    assert str(number).split() == ["Y=0", "Y=1", "≈1.00000", "≈3.75756E-9543"]
    assert number._repr_latex_() is None
    d = JointDistribution(np.ones((41, 2), dtype=int))
    assert str(d).splitlines()[-1] == "... 1 more states of the features"
    assert d._repr_html_().endswith("<p>... 1 more states of the features</p>")
    assert d._repr_html_().count("<tr>") == 41
    assert d._repr_latex_() is None
    assert "..." not in str(JointDistribution(np.ones((40, 2), dtype=int)))


def test_without_features() -> None:
    assert str(JointDistribution([1, 3])).split() == ["Y=0", "Y=1", "1/4", "3/4"]
    assert JointDistribution([1, 3])._repr_latex_() == (
        r"$\begin{array}{|cc} \text{Y=0} & \text{Y=1} \\ \hline \frac{1}{4} & \frac{3}{4} \end{array}$"
    )
