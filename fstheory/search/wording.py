"""Terms as a person reads them, cut to what a message can hold."""

from __future__ import annotations

from fstheory.logic.nodes import Node
from fstheory.logic.statement import Shape
from fstheory.logic.text import text_of

__all__ = ["in_words"]

_LONGEST = 160


def in_words(term: Node, shape: Shape) -> str:
    """Return a term as text, cut if it is long.

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = ("q", Fraction(1, 2))
    >>> in_words(("*", ("R", (0, 1)), ("+", ("P", (None, 1), 0), half)), Shape((2, 2)))
    'R({X1, X2}) * (P(X2=1, Y=0) + 1/2)'
    >>> in_words(("log", ("max", ("H", (), True), half)), Shape((2,)))
    'log(max(H(Y), 1/2))'
    """
    text = text_of(term, shape)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."
