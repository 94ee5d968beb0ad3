"""What a formula says in terms of comparisons, "and" and "or"; negation goes one step inwards at a time."""

from __future__ import annotations

from fstheory.logic.nodes import Node

__all__ = ["unfolded"]


def unfolded(node: Node) -> Node:
    """Return a comparison, an "and" or an "or" that says the same.

    Examples
    --------
    >>> unfolded(("not", ("=", ("R", (0,)), ("R", ()))))
    ('or', ('<', ('R', (0,)), ('R', ())), ('<', ('R', ()), ('R', (0,))))
    """
    kind = node[0]
    if kind == "not":
        return _denied(node[1])
    if kind == "implies":
        return "or", ("not", node[1]), node[2]
    if kind == "iff":
        _, a, b = node
        return "or", ("and", a, b), ("and", ("not", a), ("not", b))
    return ("and", *node[1:]) if kind == "or" and len(node) == 2 else node


def _denied(node: Node) -> Node:
    kind, *parts = node
    if kind == "not":
        return "and", parts[0]
    if kind in {"and", "or"}:
        return unfolded(("or" if kind == "and" else "and", *(("not", part) for part in parts)))
    a, b = parts
    if kind == "<":
        return "<=", b, a
    if kind == "<=":
        return "<", b, a
    if kind == "=":
        return "or", ("<", a, b), ("<", b, a)
    if kind == "implies":
        return "and", a, ("not", b)
    return "or", ("and", a, ("not", b)), ("and", ("not", a), b)
