"""TikZ pictures and booktabs tables: what is in them, and that LaTeX sets them."""

import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

import fstheory as fs
from fstheory.lattice.graph import View
from tests.lattice.examples import lattice, risks

HARD = ["50%_&", "b^{2}", r"a\b~", "#$x"]
VIEWS: tuple[View, ...] = ("size", "risk")
PATH = [{"class", "sex", "age"}, {"class", "sex"}, {"sex"}]


def compiled(folder: Path, body: str) -> str:
    """Return the log of pdflatex for a document with this body."""
    packages = r"\usepackage{tikz,booktabs,amsmath}\pagestyle{empty}"
    text = rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}"
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    return done.stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_pictures_and_tables_compile(tmp_path: Path) -> None:
    titanic = fs.gallery.titanic()
    table = fs.bayes_risks(titanic)
    hard = risks(4, 1, features=HARD)
    spread = lattice({mask: Fraction(2 ** (mask ^ 15)) - 1 for mask in range(16)})
    irrational = fs.criterion_values(titanic, "logarithmic")
    parts = [table.to_tikz(view=view, best={"class", "sex", "age"}, path=PATH, optimal=[{"sex"}]) for view in VIEWS]
    parts += [one.to_tikz(view=view) for one in (hard, spread, irrational) for view in VIEWS]
    parts += [risks(6, 1).to_tikz(width="column")]
    for one in (table, hard, irrational):
        parts += [one.to_latex(booktabs=True), one.ordering().to_latex(booktabs=True)]
    parts += [fs.importance(titanic).to_latex(booktabs=True)]
    log = compiled(tmp_path, "\n\n".join(parts))
    assert "Missing character" not in log


def test_a_picture_has_a_node_for_each_subset_and_a_line_for_each_edge() -> None:
    draw = random.Random(2)
    for _ in range(8):
        values = {mask: Fraction(draw.randint(0, 3), 4) for mask in range(2 ** draw.randint(1, 4))}
        text = lattice(values).to_tikz(best=[])
        nodes = re.findall(r"\\node\[subset.*\(s(\d+)\) at", text)
        assert sorted(map(int, nodes)) == sorted(values)
        expected = {
            ("tie" if values[small] == values[large] else "rise" if values[small] > values[large] else "fall",
             str(small), str(large))
            for small in values for large in values if small & large == small and (small ^ large).bit_count() == 1
        }  # fmt: skip
        assert set(re.findall(r"\\draw\[(tie|rise|fall)\] \(s(\d+)\).* -- \(s(\d+)\);", text)) == expected
        assert text.count("ringed, ") == 1  # of a subset; the style has no comma after its name


def test_a_picture_by_risk_has_marks_and_exact_heights() -> None:
    table = fs.bayes_risks(fs.gallery.titanic())
    text = table.to_tikz(view="risk", best={"class", "sex", "age"}, path=PATH)
    assert len(re.findall(r"\\draw\[search\]", text)) == 2
    assert re.search(r"\(s\d+\) -- \(-?\d.* -- \(s\d+\);", text)  # an edge bends around a box
    heights = {int(mask): float(y) for mask, y in re.findall(r"\(s(\d+)\) at \(.*?, (.*?)\)", text)}
    assert sorted(heights, key=heights.__getitem__) == sorted(heights, key=table.value_at)
    assert "search" not in table.to_tikz(view="risk").split("\n", 9)[-1]


def test_tables_have_rules_exact_fractions_and_escaped_names() -> None:
    table = fs.SubsetTable.from_mapping({(): "1/2", ("50%_&",): "1/3"}, features=["50%_&"], symbol="R")
    assert table.to_latex(booktabs=True).split("\n") == [
        r"\begin{tabular}{lrr}", r"\toprule", r"subset & $R$ & rounded \\", r"\midrule",
        r"$\{\text{50\%\_\&}\}$ & $\frac{1}{3}$ & $0.333333$ \\", r"$\emptyset$ & $\frac{1}{2}$ & $0.5$ \\",
        r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip
    ordering = fs.bayes_risks(fs.gallery.xor()).ordering().to_latex(booktabs=True)
    assert r"1 & $\emptyset, \{X_1\}, \{X_2\}$ & $\frac{1}{2}$ & $0.5$ \\" in ordering
    worth = fs.importance(fs.gallery.titanic()).to_latex(booktabs=True)
    assert r"1 & sex & $\frac{182}{2201}$ & $0.0826897$ \\" in worth
