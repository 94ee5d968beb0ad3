"""Certificates written down: nodes as JSON has them, statements, proofs, and the digest that makes a file of them."""

import copy
import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from fstheory._support.progress import Clock
from fstheory.checker.cases import by_class
from fstheory.checker.certificates import check_certificate
from fstheory.checker.reading import SampleSpace
from fstheory.errors import CertificateError
from fstheory.logic.expressions import from_json, to_json
from fstheory.logic.statement import Shape
from fstheory.proofs.cases import CaseSplit, TreeWriter
from fstheory.proofs.linear import Unknowns

Json: TypeAlias = Any
Node: TypeAlias = list[Any]
Content: TypeAlias = dict[str, Any]


def q(value: object) -> Node:
    return ["q", str(value)]


def P(states: Iterable[int | None], y: int | None = None) -> Node:
    return ["P", list(states), y]


def R(*features: int) -> Node:
    return ["R", list(features)]


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
    shape = {"cardinalities": list(cardinalities), "classes": classes}
    head = {"format": "fstheory certificate", "version": 2, "kind": kind, "claim": "an example", "shape": shape}
    return {**head, "assume": list(assume), "show": list(show)}


def at_weights(
    kind: str, weights: Json, show: Content, values: Sequence[Json], assume: Sequence[Content] = ()
) -> Content:
    """Return a certificate of one distribution, its shape and total those of the weights."""
    table = np.array(weights, dtype=object)
    content = statement(kind, table.shape[:-1], table.shape[-1], assume, [show])
    return signed(content, weights=weights, total=int(table.sum()), values=list(values))


def sparse(content: Content, *assumptions: str) -> Content:
    """Return a certificate of one distribution with the cells above 0 alone, and assumptions by their names."""
    table = np.array(content["weights"], dtype=object)
    cells = [[*map(int, place), table[tuple(place)]] for place in np.argwhere(table)]
    rest = {key: part for key, part in content.items() if key != "weights"}
    return signed(rest, version=4, cells=cells, assumptions=list(assumptions))


def rejected(content: Content | Path, message: str) -> None:
    """Require that the certificate is rejected with a message that begins like this."""
    with pytest.raises(CertificateError) as error:
        check_certificate(content)
    assert str(error.value).startswith(message)
    assert str(error.value).endswith("; the certificate is rejected")


def positive(cardinalities: Sequence[int]) -> list[Content]:
    """Return the assumption that every state has a positive probability."""
    states = itertools.product(*map(range, cardinalities))
    return [instance("positive", ["<", q(0), P(x)], x=list(x)) for x in states]


def unique_maximum(cardinalities: Sequence[int], classes: int) -> list[Content]:
    """Return the assumption that in every state that is possible one class has the largest probability."""
    found = []
    for x in itertools.product(*map(range, cardinalities)):
        wins = [["and", *(["<", P(x, z), P(x, y)] for z in range(classes) if z != y)] for y in range(classes)]
        found.append(instance("unique_maximum", ["or", ["=", P(x), q(0)], *wins], x=list(x)))
    return found


def prove(
    cardinalities: Sequence[int],
    classes: int,
    show: Sequence[Content],
    assume: Sequence[Content] = (),
    images: Mapping[int, Json] = {},
    *,
    kind: str = "tree",
) -> Content:
    """Return a certificate by the prover; `images` are the proofs of instances that are renamed others."""
    clock, unknowns = Clock(None, None), Unknowns(Shape(tuple(cardinalities), classes))
    content = {"cardinalities": tuple(cardinalities), "classes": classes}

    def read(part: Content) -> Any:
        formula = from_json(part["formula"])
        return formula if kind == "tree" else by_class(formula, SampleSpace(content))

    writer, assumed = TreeWriter(unknowns, clock), list(map(read, assume))
    proofs: list[Json] = []
    for i, part in enumerate(show):
        if i in images:
            proofs.append(images[i])
            continue
        split = CaseSplit(unknowns, assumed, read(part), clock)
        proofs.append({kind: writer.write(split.root, split.tree())})
    content = statement("proved", cardinalities, classes, assume, show)
    return signed(content, maxima=list(map(to_json, writer.maxima)), proofs=proofs)
