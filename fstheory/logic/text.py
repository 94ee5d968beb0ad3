"""Terms and formulas as a person reads them, with the names of a shape or of a distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fstheory._rational import readable
from fstheory.distribution import JointDistribution
from fstheory.logic.nodes import Node
from fstheory.logic.statement import Shape

__all__ = ["text_of"]

Names: TypeAlias = "Shape | JointDistribution"

_ATOMS = frozenset(["q", "P", "R", "H", "max", "min", "log", "sqrt", "not"])


def text_of(node: Node, names: Names) -> str:
    """Return a term or a formula as text.

    Parameters
    ----------
    node : tuple
        See `fstheory.logic.nodes`.
    names : Shape or JointDistribution
        A shape names its features X1, .., Xn, the class Y and their states 0, 1, ...

    Examples
    --------
    >>> from fractions import Fraction
    >>> from fstheory.gallery import titanic
    >>> text_of(("P", (None, 0, None), 1), titanic())
    'P(sex=male, survived=yes)'
    >>> half = ("q", Fraction(1, 2))
    >>> less = ("<", ("R", (0, 1)), ("*", half, ("R", ())))
    >>> text_of(("or", less, ("not", ("=", ("H", (0,), True), half))), Shape((2, 2)))
    'R({X1, X2}) < 1/2 * R({}) or not (H(X1, Y) = 1/2)'
    """
    kind, *parts = node
    if kind == "q":
        return readable(parts[0])
    if kind == "P":
        return f"P({', '.join(_states(node, names))})"
    if kind == "R":
        return f"R({{{', '.join(names.features[i] for i in parts[0])}}})"
    if kind == "H":
        return f"H({', '.join([*(names.features[i] for i in parts[0]), *_target(node, names)])})"
    if kind in {"max", "min", "log", "sqrt"}:
        return f"{kind}({', '.join(text_of(part, names) for part in parts)})"
    bracketed = _bracketed(names)
    if kind == "not":
        return f"not {bracketed(parts[0])}"
    if kind in {"and", "or", "+"} and not parts:
        return {"and": "true", "or": "false", "+": "0"}[kind]
    if kind in {"<", "<=", "="}:
        return f" {kind} ".join(text_of(part, names) for part in parts)
    return f" {kind} ".join(text_of(part, names) if _binds(part, kind) else bracketed(part) for part in parts)


def _bracketed(names: Names) -> Callable[[Node], str]:
    return lambda node: text_of(node, names) if node[0] in _ATOMS else f"({text_of(node, names)})"


def _binds(part: Node, kind: str) -> bool:
    """Say whether a part of an operation needs no brackets."""
    if part[0] in _ATOMS:
        return True
    if kind in {"and", "or", "implies", "iff"}:
        return part[0] in {"<", "<=", "="}
    return kind == "+" and part[0] in {"*", "/"}


def _states(node: Node, names: Names) -> list[str]:
    _, states, y = node
    pairs = [(name, i) for name, i in zip(names.features, states, strict=True) if i is not None]
    if isinstance(names, Shape):
        return [f"{name}={i}" for name, i in pairs] + ([] if y is None else [f"Y={y}"])
    found = [f"{name}={names.states[name][i]}" for name, i in pairs]
    return found + ([] if y is None else [f"{names.target}={names.classes[y]}"])


def _target(node: Node, names: Names) -> list[str]:
    return [names.target if isinstance(names, JointDistribution) else "Y"] if node[0] == "H" and node[2] else []
