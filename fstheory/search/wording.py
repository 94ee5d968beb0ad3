"""Terms in words and signs that a person reads, for messages."""

from __future__ import annotations

from fstheory._rational import readable
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Shape

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
    text = _text(term, shape.features)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def _text(term: Node, features: tuple[str, ...]) -> str:
    kind = term[0]
    if kind == "q":
        return readable(term[1])
    if kind == "P":
        cells = [f"{name}={state}" for name, state in zip(features, term[1], strict=True) if state is not None]
        cells += [] if term[2] is None else [f"Y={term[2]}"]
        return f"P({', '.join(cells)})"
    if kind == "R":
        return f"R({{{', '.join(features[i] for i in term[1])}}})"
    if kind == "H":
        return f"H({', '.join([*(features[i] for i in term[1]), *['Y'] * term[2]])})"
    parts = [_text(part, features) for part in term[1:]]
    if kind in {"+", "*", "/"}:
        bracketed = (
            f"({text})" if part[0] == "+" or (kind == "/" and part[0] in {"*", "/"}) else text
            for text, part in zip(parts, term[1:], strict=True)
        )
        return f" {kind} ".join(bracketed) or "0"
    return f"{kind}({', '.join(parts)})"
