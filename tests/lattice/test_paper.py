"""Drawings for a paper: their width, the size of their letters, and what a drawing of six features leaves out."""

import random

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

import fstheory as fs
from fstheory.lattice.figure import WIDTHS, PlotFigure, Width
from fstheory.lattice.graph import View
from tests.lattice.examples import risks
from tests.lattice.test_routes import crossings, drawn

SIX = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]


def drawings(width: Width) -> list[PlotFigure]:
    titanic = fs.gallery.titanic()
    one, other = random_pair(2, 1)
    return [
        fs.bayes_risks(titanic).plot(width=width),
        fs.bayes_risks(titanic).plot(width=width, view="risk"),
        fs.importance(titanic).plot(width=width, k=2),
        fs.phase_diagram(one, other).plot(width=width),
        fs.minimal_optimal(titanic).plot(width=width),
    ]


def random_pair(n: int, seed: int) -> list[fs.JointDistribution]:
    draw = random.Random(seed)
    cells = [[draw.randint(0, 9) for _ in range(2 ** (n + 1))] for _ in range(2)]
    return [fs.JointDistribution(np.array(row).reshape((2,) * (n + 1))) for row in cells]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("width", ["column", "page", 4.25])
def test_every_drawing_has_the_width_and_letters_of_a_paper(width: Width) -> None:
    for drawing in drawings(width):
        inches = WIDTHS[width] if isinstance(width, str) else width
        assert drawing.figure.get_size_inches()[0] == pytest.approx(inches)
        drawing.figure.draw_without_rendering()
        frame = drawing.figure.bbox
        texts = [text for text in drawing.figure.findobj(Text) if isinstance(text, Text)]
        written = [text for text in texts if text.get_text() and text.get_visible()]
        assert all(6 <= float(text.get_fontsize()) <= 12 for text in written)
        for axes in drawing.figure.axes:
            for text in axes.texts:
                box = text.get_window_extent()
                assert box.x0 >= -1, text
                assert box.x1 <= frame.x1 + 1, text


def drawn_masks(drawing: PlotFigure) -> set[str]:
    """Return the bitmasks of the subsets in the boxes of a drawing."""
    boxes, _ = drawn(drawing)
    return {mask for masks in boxes for mask in masks}


def mask_of_names(subset: frozenset[str]) -> str:
    return str(sum(1 << SIX.index(name) for name in subset))


@pytest.mark.parametrize("width", ["column", "page"])
@pytest.mark.parametrize("view", ["size", "risk"])
@pytest.mark.one_in(4)
def test_of_six_features_the_decisive_part_is_drawn_and_the_legend_counts_the_rest(width: Width, view: View) -> None:
    table = risks(6, 1, features=SIX)
    drawing = table.plot(width=width, view=view, best={"beta", "zeta"})
    texts = [text.get_text().replace("\n", " ") for text in drawing.figure.axes[0].texts]
    (caption,) = [text for text in texts if text.startswith("drawn:")]
    masks = drawn_masks(drawing)
    assert f"{64 - len(masks)} of 64 subsets are left out" in caption
    assert crossings(drawing) == []
    assert all(masks & set(map(mask_of_names, table.best_of_size(k).subsets)) for k in range(7))
    assert mask_of_names(frozenset({"beta", "zeta"})) in masks


def test_the_scores_of_a_decisive_part_are_the_largest() -> None:
    table = fs.SubsetTable.from_mapping(
        {subset: -value for subset, value in risks(6, 1, features=SIX).items()}, features=SIX, larger_is_better=True
    )
    (best,) = table.best_of_size(5).subsets
    assert mask_of_names(best) in drawn_masks(table.plot(width="column", view="risk"))


def test_lines_and_bars_differ_in_gray() -> None:
    figure = fs.phase_diagram(*random_pair(2, 1)).plot(width="column").figure
    looks = [(line.get_linestyle(), sum(to_rgb(line.get_color()))) for line in figure.axes[0].lines[:4]]
    assert len({style for style, _ in looks}) >= 2
    assert len(set(looks)) == 4
