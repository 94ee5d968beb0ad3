"""Rationals and names in LaTeX."""

from __future__ import annotations

from fractions import Fraction

from fstheory._rational import format_fraction

__all__ = ["latex_fraction", "latex_text"]

_SPECIAL = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_SPECIAL |= {character: "\\" + character for character in "{}_&%$#"}


def latex_fraction(value: Fraction) -> str:
    r"""Write a rational in LaTeX, exactly.

    Examples
    --------
    >>> print(latex_fraction(Fraction(3, 8)))
    \frac{3}{8}
    """
    above, _, below = format_fraction(value).partition("/")
    return rf"\frac{{{above}}}{{{below}}}" if below else above


def latex_text(text: object) -> str:
    r"""Write any text upright inside a formula, its special characters escaped.

    Examples
    --------
    >>> print(latex_text("50%"))
    \text{50\%}
    """
    return r"\text{" + "".join(_SPECIAL.get(character, character) for character in str(text)) + "}"
