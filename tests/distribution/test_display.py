"""How a distribution shows itself: exact while short, hostile names disarmed, long tables cut."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
from hypothesis import given

from fstheory import JointDistribution
from fstheory.testing import joint_distributions

HOSTILE = JointDistribution(
    [[1, 2], [3, 4]],
    features=["<b>&\"'</table>"],
    target="50%_$x^2~#{}\\",
    states={"<b>&\"'</table>": ["<script>", "&amp;"]},
)


class Table(HTMLParser):
    """Collects the tags of a page and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


@given(joint_distributions(named=True))
def test_html_is_well_formed_whatever_the_names(d: JointDistribution) -> None:
    page = Table(d._repr_html_())
    assert not page.open
    assert page.tags <= {"table", "caption", "tr", "th", "td", "p"}


def test_hostile_names_are_shown_as_they_are() -> None:
    page = Table(HOSTILE._repr_html_())
    assert "<script>" in page.cells
    assert "&amp;" in page.cells
    assert "50%_$x^2~#{}\\ = 0" in page.cells
    assert "2/5" in page.cells


@given(joint_distributions(named=True))
def test_latex_has_balanced_braces_and_no_live_character(d: JointDistribution) -> None:
    text = d._repr_latex_()
    if text is None:
        assert d.weights.size > 40 or d.total.bit_length() > 128
        return
    assert text.startswith("$\\begin{array}{")
    assert text.endswith("\\end{array}$")
    depth, previous = 0, ""
    for character in text[1:-1]:
        escaped = previous == "\\"
        if not escaped:
            depth += (character == "{") - (character == "}")
            assert depth >= 0
            assert character not in "$%#"
        previous = "" if escaped else character
    assert depth == 0


def test_latex_of_special_characters() -> None:
    text = HOSTILE._repr_latex_()
    assert text is not None
    assert r"\text{50\%\_\$x\textasciicircum{}2\textasciitilde{}\#\{\}\textbackslash{}=0}" in text
    assert r"\frac{2}{5}" in text


@given(joint_distributions())
def test_text_lists_every_state(d: JointDistribution) -> None:
    lines = str(d).splitlines()
    assert len(lines) == 1 + min(d.weights.size // len(d.classes), 40)
    assert len({len(line) for line in lines}) == 1
    assert lines[0].split() == [*d.features, *(f"Y={label}" for label in d.classes)]


def test_long_tables_are_cut_and_say_so() -> None:
    d = JointDistribution(np.ones((41, 2), dtype=int))
    assert str(d).splitlines()[-1] == "... 1 more states of the features"
    assert d._repr_html_().endswith("<p>... 1 more states of the features</p>")
    assert d._repr_html_().count("<tr>") == 41
    assert d._repr_latex_() is None
    assert "..." not in str(JointDistribution(np.ones((40, 2), dtype=int)))


def test_long_numbers_are_rounded_and_say_so() -> None:
    d = JointDistribution([3**20000, 1])
    assert str(d).split() == ["Y=0", "Y=1", "≈1.00000", "≈3.75756E-9543"]
    assert d._repr_latex_() is None


def test_without_features() -> None:
    assert str(JointDistribution([1, 3])).split() == ["Y=0", "Y=1", "1/4", "3/4"]
    assert JointDistribution([1, 3])._repr_latex_() == (
        r"$\begin{array}{|cc} \text{Y=0} & \text{Y=1} \\ \hline \frac{1}{4} & \frac{3}{4} \end{array}$"
    )
