"""Certificates written down: nodes as JSON has them, statements, and the digest that makes a file of them."""

import copy
import hashlib
import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from fstheory.errors import CertificateError
from fstheory.logic.checker import check_certificate

Json: TypeAlias = Any
Node: TypeAlias = list[Any]
Content: TypeAlias = dict[str, Any]


def q(value: object) -> Node:
    return ["q", str(value)]


def P(states: Iterable[int | None], y: int | None = None) -> Node:
    return ["P", list(states), y]


def R(*features: int) -> Node:
    return ["R", list(features)]


def minus(a: Node, b: Node) -> Node:
    return ["+", a, ["*", q(-1), b]]


def instance(name: str, formula: Node, **where: Json) -> Content:
    return {"name": name, "where": where, "formula": formula}


def digest(content: Content) -> str:
    """Return the SHA-256 of the canonical JSON of everything but the digest."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def signed(content: Content, **changes: Json) -> Content:
    """Return a copy with changes and the digest that belongs to it."""
    copied = copy.deepcopy({**content, **changes})
    copied.pop("digest", None)
    return {**copied, "digest": digest(copied)}


def statement(
    kind: str, cardinalities: Sequence[int], classes: int, assume: Sequence[Content], show: Sequence[Content]
) -> Content:
    return {
        "format": "fstheory certificate",
        "version": 2,
        "kind": kind,
        "claim": "an example",
        "shape": {"cardinalities": list(cardinalities), "classes": classes},
        "assume": list(assume),
        "show": list(show),
    }


def at_weights(
    kind: str, weights: Json, show: Content, values: Sequence[Json], assume: Sequence[Content] = ()
) -> Content:
    """Return a certificate of one distribution, its shape and total those of the weights."""
    axes, part = [], weights
    while isinstance(part, list):
        axes.append(len(part))
        part = part[0]
    content = statement(kind, axes[:-1], axes[-1], assume, [show])
    return signed(content, weights=weights, total=_total(weights), values=list(values))


def _total(weights: Json) -> int:
    return sum(map(_total, weights)) if isinstance(weights, list) else int(weights)


def rejected(content: Content | Path, message: str) -> None:
    """Require that the certificate is rejected with a message that begins like this."""
    with pytest.raises(CertificateError) as error:
        check_certificate(content)
    assert str(error.value).startswith(message)
    assert str(error.value).endswith("; the certificate is rejected")


def states(cardinalities: Sequence[int]) -> list[tuple[int, ...]]:
    return list(itertools.product(*map(range, cardinalities)))


def positive(cardinalities: Sequence[int]) -> list[Content]:
    """Return the assumption that every state has a positive probability."""
    return [instance("positive", ["<", q(0), P(x)], x=list(x)) for x in states(cardinalities)]


def unique_maximum(cardinalities: Sequence[int], classes: int) -> list[Content]:
    """Return the assumption that in every state that is possible one class has the largest probability."""
    found = []
    for x in states(cardinalities):
        wins = [["and", *(["<", P(x, z), P(x, y)] for z in range(classes) if z != y)] for y in range(classes)]
        found.append(instance("unique_maximum", ["or", ["=", P(x), q(0)], *wins], x=list(x)))
    return found


def normal(formula: Node) -> Node:
    """Return a comparison, an "and" or an "or" of at least two parts (or none) that says the same."""
    kind, *parts = formula
    if kind == "not":
        return normal(denied(parts[0]))
    if kind == "implies":
        return ["or", ["not", parts[0]], parts[1]]
    if kind == "iff":
        a, b = parts
        return ["or", ["and", a, b], ["and", ["not", a], ["not", b]]]
    return ["and", *parts] if kind == "or" and len(parts) == 1 else formula


def denied(formula: Node) -> Node:
    """Return what says that a formula is false."""
    kind, *parts = formula
    if kind == "not":
        return list(parts[0])
    if kind in {"and", "or"}:
        return ["or" if kind == "and" else "and", *(["not", part] for part in parts)]
    a, b = parts
    if kind in {"<", "<="}:
        return ["<=" if kind == "<" else "<", b, a]
    if kind == "=":
        return ["or", ["<", a, b], ["<", b, a]]
    if kind == "implies":
        return ["and", a, ["not", b]]
    return ["or", ["and", a, ["not", b]], ["and", ["not", a], b]]
