"""The language of claims, certificates and proofs: terms, formulas, linear forms, and their texts."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

ASSUMPTIONS = ("positive", "unique_maximum")  # that may be named instead of spelled out

Node: TypeAlias = "tuple[Any, ...]"
Coefficient: TypeAlias = "int | Fraction"  # nearly all are integers, which are faster
Form: TypeAlias = (
    "dict[int, Coefficient]"  # by unknown: cells or risks and entropies, then maxima; ONE has the constant
)
Fact: TypeAlias = "tuple[str, Form]"  # (">", form) says that the form is above 0; also ">=" and "="

ONE = -1

# Gini impurity, balanced loss, area under the curve, and share of the variance that is explained. This is no string,
# because a string contains texts that are no criteria, such as "" and "GB".
CRITERIA = ("G", "B", "A", "V")
# A constant, a probability, a risk, an entropy, a parameter, another criterion, and how many parts each has.
LEAVES = {"q": 1, "P": 2, "R": 1, "H": 2, "t": 1, **dict.fromkeys(CRITERIA, 1)}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
TERMS = {"+": (0, math.inf), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
TERMS |= {"max": (1, math.inf), "min": (1, math.inf), **{kind: (parts, parts) for kind, parts in LEAVES.items()}}
FORMULAS = {"and": (0, math.inf), "or": (0, math.inf), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))
_COMPOSED = (TERMS.keys() | FORMULAS.keys()) - LEAVES.keys()

_NUMBERS = frozenset(["max", "min", "log", "sqrt"])
_EMPTY = {"and": "true", "or": "false", "+": "0"}


def formula_text(node: Node, leaf: Callable[[Node], str]) -> str:
    """Return a term or a formula as text. `leaf` returns the text of a leaf."""
    kind, *parts = node
    if kind in LEAVES:
        return leaf(node)
    if kind in _NUMBERS:
        return f"{kind}({', '.join(formula_text(part, leaf) for part in parts)})"
    if not parts:
        return _EMPTY[kind]
    texts = []
    for part in parts:  # in parentheses unless it binds more tightly
        binds = part[0] in {*LEAVES, *_NUMBERS, "not"} or kind in COMPARISONS or (kind == "+" and part[0] in {"*", "/"})
        binds = binds or (part[0] in COMPARISONS and kind != "not")
        texts.append(formula_text(part, leaf) if binds else f"({formula_text(part, leaf)})")
    return f"not {texts[0]}" if kind == "not" else f" {kind} ".join(texts)


def leaf_text(leaf: Node, names: Sequence[str]) -> str:
    """Return a leaf as text, with the names of the features and of the class."""
    kind, *parts = leaf
    if kind in {"q", "t"}:
        return str(parts[0]) if kind == "q" or parts[0].isidentifier() else repr(parts[0])  # it may look like a formula
    if kind == "P":
        states = zip(names, (*parts[0], parts[1]), strict=True)
        return f"P({', '.join(f'{name}={state}' for name, state in states if state is not None)})"
    features = [names[i] for i in parts[0]]
    return f"H({', '.join(features + [names[-1]] * parts[1])})" if kind == "H" else f"{kind}({{{', '.join(features)}}})"


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, each before its parts."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if node[0] in _COMPOSED:
            stack.extend(reversed(node[1:]))


def compared(formula: Node) -> tuple[Node, ...]:
    """Return the two sides of every comparison in a formula, in order and without repetition."""
    return tuple(dict.fromkeys(side for node in walk(formula) if node[0] in COMPARISONS for side in node[1:]))


def of_itself(term: Node) -> tuple[Node, Node] | None:
    """Return p and p + 1 if a term is p log(p + 1 - p/p), which is p log p, or 0 if p is 0. Otherwise return None."""
    if term[0] == "*" and term[2][0] == "log" and term[2][1][0] == "+":
        p, ratio = term[1], ("/", term[1], term[1])
        parts = [part for part in term[2][1][1:] if part != ("*", ("q", -1), ratio)]
        return (p, ("+", *parts)) if len(parts) == len(term[2][1]) - 2 else None
    return None
