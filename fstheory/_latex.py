"""Rationals and names in LaTeX."""

from __future__ import annotations

from fractions import Fraction

from fstheory._rational import format_fraction, parse_fraction

__all__ = ["latex_approximation", "latex_fraction", "latex_shown", "latex_text"]

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


def latex_approximation(decimal: str) -> str:
    r"""Write a rounded decimal in LaTeX.

    Examples
    --------
    >>> print(latex_approximation("1.5E-84"))
    \approx 1.5 \cdot 10^{-84}
    """
    digits, _, exponent = decimal.partition("E")
    return rf"\approx {digits}" + (rf" \cdot 10^{{{int(exponent)}}}" if exponent else "")


def latex_shown(exact: str, decimal: str, rational: Fraction | None) -> str:
    r"""Write a number as a formula of its own: exactly, and as a rounded decimal.

    Examples
    --------
    >>> print(latex_shown(r"\log 2", "0.693147", None))
    $\log 2 \approx 0.693147$
    """
    if exact == decimal or exact.startswith(r"\approx"):
        return f"${exact}$"
    equal = rational is not None and parse_fraction(decimal) == rational
    return f"${exact} = {decimal}$" if equal else f"${exact} {latex_approximation(decimal)}$"


def latex_text(text: object) -> str:
    r"""Write any text upright inside a formula, its special characters escaped.

    Examples
    --------
    >>> print(latex_text("50%"))
    \text{50\%}
    """
    return r"\text{" + "".join(_SPECIAL.get(character, character) for character in str(text)) + "}"
