"""Numbers of more digits than CPython writes are shown rounded, and refused in words, by everything that is public."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

import fstheory as fs
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError
from tests.refusals import refusals

B = 10**5000
D = fs.JointDistribution([[[7 * B, 3 * B + 1], [7, 3 * B]], [[3 * B, 7], [3 * B + 5, 7 * B]]])
SMALL = fs.JointDistribution([[[7, 3], [1, 3]], [[2, 1], [4, 5]]])
FOS, T = fs.FOS(tau="1/20"), sympy.Symbol("t")
LONG = fs.linear_family(D, SMALL)
ENDS: dict[str, Any] = {"start": Fraction(B, 3 * B + 1), "end": Fraction(B, 2 * B + 1)}

SHOWN: dict[str, Callable[[], Any]] = {
    "distribution": lambda: D,
    "risks": lambda: fs.bayes_risks(D),
    "ordering": lambda: fs.bayes_risks(D).ordering(),
    "minimal optimal": lambda: fs.minimal_optimal(D),
    "k optimal": lambda: fs.k_optimal(D, 1),
    "relevance": lambda: fs.relevance(D),
    "information": lambda: fs.info(D, "I(Y; X1 | X2)"),
    "AUC": lambda: fs.criterion_values(D, "auc"),
    "logarithmic loss": lambda: fs.select(D, 2, "logarithmic"),
    "elimination": lambda: fs.cmi_elimination(D, fs.selection.ErrorRule("1/10")),
    "bound": lambda: fs.bounds.classification_bound(D, {"X1"}),
    "admissible tau": lambda: fs.admissible_tau(D, "FBS"),
    "exponent": lambda: fs.error_exponent(D, FOS),
    "law": lambda: fs.selection_law(D, 1, FOS),
    "curve": lambda: fs.samples.law_curve(D, FOS, [1]),
    "claim": lambda: fs.claims["B-3"].check(D),
    "report": lambda: fs.report(D),
    "family": lambda: fs.polynomial_family([[[1 + B * T, B], [T, 1]]], T, **ENDS),
    "phase diagram": lambda: fs.phase_diagram(LONG),
    "ordering at a parameter": lambda: fs.phase_diagram(LONG).ordering_at(Fraction(B, 3 * B + 1)),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.one_in(6)
def test_results_are_shown(name: str) -> None:
    found = SHOWN[name]()
    for form in ("__str__", "__repr__", "_repr_html_", "to_html", "to_latex", "to_json"):
        written = getattr(found, form, str)()
        assert written is None or " at 0x" not in written


@pytest.mark.thorough
def test_the_page_of_a_family(tmp_path: Path) -> None:
    page = fs.reports.explorer_page(fs.polynomial_family([[[1 + B * T, T], [T, 1]]], T, **ENDS))
    assert "1" + "0" * 5000 in page


test_what_is_refused_is_named = refusals(
    [
        ("fs.admissible_tau(D, 'FBS').limit(F(-B, 3))", InvalidValueError, "tau", "above 0, not '≈-3.33333E+4999'"),
        ("family([[[B * sqrt(T), T], [T, 1]]], T)", InvalidValueError, "weights", "not <Mul with very large"),
        ("family([[[B * T + Float(0.5), T], [T, 1]]], T)", InvalidTypeError, "weights", "not <Add with very large"),
        ("family([[[-B * T, T], [T, 1]]], T)", InvalidValueError, "weights", "nowhere negative"),
        ("family([[[T, T], [T, 1]]], T, start=END, end=START)", InvalidValueError, "end", "start = ≈0.500000,"),
        ("fs.gallery.xor(noise=F(B, 3))", InvalidValueError, "noise", "not '≈3.33333E+4999'"),
        ("fs.prove('PN-3', cardinalities=(B, 2))", TooLargeError, "", "'<an integer of 16610 bits> x 2 states"),
    ],
    {**vars(sympy), "fs": fs, "family": fs.polynomial_family, "F": Fraction, "B": B, "D": D, "T": T}
    | {name.upper(): value for name, value in ENDS.items()},
)


def test_the_exponent_of_weights_that_floats_do_not_reach_is_enclosed() -> None:
    """Cells of probability 10**-400 change nothing that a float sees, and no warning is given."""
    near = fs.JointDistribution([[[7, 3], [0, 3]], [[3, 0], [3, 7]]])
    far = fs.JointDistribution(near.weights.astype(object) * 10**400 + 1)
    one, other = (fs.error_exponent(d, FOS) for d in (near, far))
    assert one.lower is not None is not other.lower
    assert abs(one.lower - other.lower) < Fraction(1, 10**6)
