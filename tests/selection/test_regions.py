"""Families with several parameters: risks as expressions, and the curves where an ordering changes."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

import fstheory as fs
from fstheory.selection.family import Family, ParametricFamily
from fstheory.selection.phase_diagram import PhaseRegions
from tests import literal

P, Q = sympy.symbols("p q", positive=True)


HALF = sympy.Rational(1, 2)


def seen(*noises: Any, prior: Any = HALF) -> ParametricFamily:
    """Return the class seen through channels with some noises, all of them at most 1/2."""
    shape = (2,) * (len(noises) + 1)
    table = np.empty(shape, dtype=object)
    for *x, y in np.ndindex(shape):
        channels = [1 - noise if state == y else noise for state, noise in zip(x, noises, strict=True)]
        table[*x, y] = sympy.prod(channels) * (prior if y else 1 - prior)
    family: ParametricFamily = fs.polynomial_family(table.tolist(), [P, Q], end="1/2")
    return family


FAMILIES = {
    "two noises": seen(P, Q),
    "noise and prior": seen(P, sympy.Rational(1, 5), prior=Q),
    "the same noise twice": seen(P, P, prior=Q),
    "curved": fs.polynomial_family([[[1, P**2], [Q, P * Q]], [[P, Q**2], [1 - P, 1 - Q]]], [P, Q]),
    "three classes": fs.polynomial_family([[P, Q, 1 - P], [1 - Q, P * Q, Q]], [P, Q]),
    "touching": fs.polynomial_family([[1, 1 + (P - Q) ** 2], [2, 1]], [P, Q]),
    "quotients": fs.polynomial_family([[1 / (1 + P), P / (1 + P)], [Q, 1 / (2 + Q)]], [P, Q]),
}
DIAGRAMS: dict[str, PhaseRegions] = {}


@pytest.fixture(params=FAMILIES)
def diagram(request: pytest.FixtureRequest) -> PhaseRegions:
    if request.param not in DIAGRAMS:
        DIAGRAMS[request.param] = fs.phase_diagram(FAMILIES[request.param])
    return DIAGRAMS[request.param]


def point_in(family: ParametricFamily, rng: random.Random) -> tuple[Fraction, Fraction]:
    (a, b), (c, d) = family.ranges
    return a + (b - a) * Fraction(rng.randrange(1, 97), 97), c + (d - c) * Fraction(rng.randrange(1, 89), 89)


def by_definition(family: ParametricFamily, point: tuple[Fraction, Fraction]) -> dict[frozenset[str], Fraction]:
    """Return all risks at a point, from the expressions of the weights."""
    values = dict(zip(family.symbols, map(sympy.Rational, map(str, point)), strict=True))
    polynomials: list[Any] = family.weights.ravel().tolist()
    weights = [polynomial.as_expr().subs(values) for polynomial in polynomials]
    pmf = dict(zip(np.ndindex(family.weights.shape), [Fraction(str(w / sum(weights))) for w in weights], strict=True))
    return literal.risks(pmf, family.features)


@pytest.mark.one_in(4)
def test_risks_as_expressions(diagram: PhaseRegions) -> None:
    """The expression, the distribution at the point and the definition agree."""
    family, rng = diagram.family, random.Random(1)
    expressions: dict[frozenset[str], Any] = {}
    for _ in range(4):
        point = point_in(family, rng)
        risks = by_definition(family, point)
        table = fs.bayes_risks(family.at(dict(zip(family.symbols, point, strict=True))))
        for subset, value in risks.items():
            expression = expressions.setdefault(subset, family.risk(subset))
            at = dict(zip(family.symbols, map(sympy.Rational, map(str, point)), strict=True))
            assert expression.subs(at) == sympy.Rational(str(value)) == sympy.Rational(str(table[subset]))


@pytest.mark.one_in(4)
def test_an_ordering_changes_only_on_the_curves(diagram: PhaseRegions) -> None:
    """Along lines in any direction, every critical value lies on a curve, and every ordering is that of a region."""
    family, rng = diagram.family, random.Random(2)
    x, y = family.symbols
    (a, b), (c, d) = family.ranges
    orderings = {str(region.ordering) for region in diagram.regions}
    for _ in range(3):
        left, right = Fraction(rng.randrange(1, 60), 61), Fraction(rng.randrange(1, 60), 61)
        slope = (d - c) * (right - left) / (b - a)
        line = sympy.Rational(str(c + (d - c) * left)) + sympy.Rational(str(slope)) * (x - sympy.Rational(str(a)))
        along: Family = family.along({y: line})
        found = fs.phase_diagram(along)
        for value in found.critical_values:
            exact = sympy.sympify(value)
            assert any(sympy.simplify(curve.subs(y, line).subs(x, exact)) == 0 for curve in diagram.curves)
        assert {str(interval.ordering) for interval in found.intervals} <= orderings


@pytest.mark.one_in(4)
def test_each_region_has_its_ordering_at_its_samples(diagram: PhaseRegions) -> None:
    assert len({str(region.ordering) for region in diagram.regions}) == len(diagram.regions)
    signs = set()
    for region in diagram.regions:
        for point in region.samples:
            at = dict(zip(diagram.family.symbols, point, strict=True))
            assert str(fs.bayes_risks(diagram.family.at(at)).ordering()) == str(region.ordering)
            rational = {s: sympy.Rational(str(v)) for s, v in at.items()}
            values = [curve.subs(rational) for curve in diagram.curves]
            assert all(values), "a sample lies on no curve"
            signs.add(tuple(value > 0 for value in values))
    assert len(signs) == sum(len(region.samples) for region in diagram.regions)


@pytest.mark.thorough
def test_known_curves() -> None:
    """The better of two channels decides. A tie that is only touched is a curve, too."""
    assert [str(curve) for curve in fs.phase_diagram(FAMILIES["two noises"]).curves] == ["p - q"]
    assert [str(curve) for curve in fs.phase_diagram(FAMILIES["touching"]).curves] == ["p - q"]
    assert len(fs.phase_diagram(seen(P, Q, sympy.Rational(1, 4))).regions) == 12
    text = str(fs.phase_diagram(FAMILIES["two noises"]))
    assert "1. X1 = X1X2 < X2 < {}, as at p = " in text


def test_curves_that_few_lines_meet() -> None:
    """A circle beside the middle lines of the square, and a line that cuts a corner off."""
    circle = (P - sympy.Rational(3, 4)) ** 2 + (Q - sympy.Rational(3, 4)) ** 2 - sympy.Rational(1, 64)
    corner = Q - P - sympy.Rational(3, 4)
    for curve in (circle, corner):
        found = fs.phase_diagram(fs.polynomial_family([[1, 1 + curve / 4], [2, 1]], [P, Q]))
        assert [sympy.simplify(own / curve).is_number for own in found.curves] == [True]
        assert {str(region.ordering) for region in found.regions} == {"X1 < {}", "{} = X1"}


def test_the_symbol_keeps_its_name_and_its_assumptions() -> None:
    e = sympy.Symbol("e", positive=True)
    family: Family = fs.polynomial_family([[1 - e, e], [e**2, 2]], e, end="1/2")
    diagram = fs.phase_diagram(family)
    assert " < e < " in str(diagram)
    assert "degree 2 in e" in str(family)
    assert all(" e " in str(stretch) or "e = " in str(stretch) for stretch in diagram.minimal_sets())
    assert family.risk({"X1"}).free_symbols == {e}
    texts = "".join(text.get_text() for text in diagram.plot().figure.findobj() if hasattr(text, "get_text"))
    assert "e" in texts


@pytest.mark.thorough
def test_the_curves_are_drawn() -> None:
    plot = fs.phase_diagram(FAMILIES["noise and prior"]).plot()
    (axes,) = plot.figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("p", "q")
    assert len(axes.collections) == len(fs.phase_diagram(FAMILIES["noise and prior"]).curves)
