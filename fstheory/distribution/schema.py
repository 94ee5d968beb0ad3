"""The exact, versioned JSON form of a distribution.

``{"schema": "fstheory/joint-distribution", "version": 1, "features": [{"name", "states"}, ..],
"target": {"name", "states"}, "probabilities": ["p/q", ..]}``; the probabilities stand in the order
of the cells, the last variable (the target) running fastest. State labels are strings, integers,
booleans, or lists of these (read back as tuples). Other names, and a name given twice, are refused.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np

from fstheory._exact import describe_total, format_fraction, integers_over, parse_fraction
from fstheory._files import parse_json
from fstheory.distribution.variables import DEEPEST, Label, Variables, make_variables
from fstheory.distribution.weights import Weights, integer_weights
from fstheory.errors import InvalidFormatError, InvalidTypeError, explain

__all__ = ["SCHEMA", "VERSION", "decode", "encode"]

SCHEMA = "fstheory/joint-distribution"
VERSION = 1
_LONGEST = 2**30  # characters: the table of 2**25 cells


def encode(variables: Variables, weights: Weights, total: int) -> str:
    """Return the JSON text of a distribution."""
    named = zip(variables.names, variables.labels, strict=True)
    axes = [{"name": name, "states": [_encode_label(label, name) for label in labels]} for name, labels in named]
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "features": axes[:-1],
        "target": axes[-1],
        "probabilities": [format_fraction(Fraction(int(weight), total)) for weight in weights.ravel()],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def decode(text: str) -> tuple[Variables, Weights]:
    """Read the JSON text of a distribution; return its variables and integer weights."""
    try:
        document = parse_json(text, _LONGEST)
    except ValueError as error:
        repair = "pass what to_json() wrote; numbers are integers or 'p/q' strings"
        raise InvalidFormatError(explain("text", f"JSON ({str(error)[:80]})", text, repair)) from error
    _expect(document, "the document", dict, "an object")
    if document.get("schema") != SCHEMA:
        raise InvalidFormatError(explain("schema", repr(SCHEMA), document.get("schema"), "pass a distribution's JSON"))
    version = document.get("version")
    if version != VERSION or isinstance(version, bool):
        requirement = f"{VERSION}, the version this fstheory reads"
        raise InvalidFormatError(explain("version", requirement, version, "upgrade fstheory"))
    _refuse_others(document, ("schema", "version", "features", "target", "probabilities"), "the document")
    features = _expect(document.get("features"), "features", list, "a list of objects")
    axes = [_decode_axis(axis, f"features[{i}]") for i, axis in enumerate(features)]
    axes.append(_decode_axis(document.get("target"), "target"))
    shape = tuple(len(states) for _, states in axes)
    cells = _decode_probabilities(document.get("probabilities"), math.prod(shape))
    try:
        variables = make_variables(shape, [name for name, _ in axes[:-1]], axes[-1][0], dict(axes))
        return variables, integer_weights(np.array(cells, dtype=object).reshape(shape))
    except (TypeError, ValueError) as error:
        raise InvalidFormatError(f"the document must describe a distribution: {error}") from error


def _decode_axis(axis: Any, place: str) -> tuple[str, list[Label]]:
    _expect(axis, place, dict, "an object with 'name' and 'states'")
    _refuse_others(axis, ("name", "states"), place)
    name = _expect(axis.get("name"), f"{place}.name", str, "a string")
    states = _expect(axis.get("states"), f"{place}.states", list, "a list of labels")
    return name, [_decode_label(label, f"{place}.states") for label in states]


def _decode_probabilities(entries: Any, expected: int) -> list[int]:
    _expect(entries, "probabilities", list, "a list of 'p/q' strings")
    if len(entries) != expected:
        raise InvalidFormatError(explain("probabilities", f"{expected} strings", len(entries), "one for each cell"))
    values = []
    for i, entry in enumerate(entries):
        _expect(entry, f"probabilities[{i}]", str, "a string 'p/q'")
        values.append(parse_fraction(entry, f"probabilities[{i}]"))
    cells, total = integers_over(values)
    if sum(cells) != total:
        amount = describe_total(Fraction(sum(cells), total))
        raise InvalidFormatError(f"probabilities must be a list that sums to exactly 1, not {amount}; correct it")
    return cells


def _expect(value: Any, place: str, kind: type, requirement: str) -> Any:
    if not isinstance(value, kind):
        raise InvalidFormatError(explain(place, requirement, value, "see the schema in fstheory.distribution.schema"))
    return value


def _refuse_others(found: dict[str, Any], known: tuple[str, ...], place: str) -> None:
    for name in found:
        if name not in known:
            raise InvalidFormatError(explain(f"the names in {place}", f"among {', '.join(known)}", name, "drop it"))


def _encode_label(label: Label, name: str) -> Any:
    if isinstance(label, str | int):
        return label
    if isinstance(label, tuple):
        return [_encode_label(part, name) for part in label]
    requirement = "strings, integers, booleans or tuples of these in JSON"
    raise InvalidTypeError(explain(f"states[{name!r}]", requirement, label, "relabel it"))


def _decode_label(label: Any, place: str, depth: int = 1) -> Label:
    if isinstance(label, str | int):
        return label
    if isinstance(label, list):
        if depth > DEEPEST:
            raise InvalidFormatError(f"{place} must be nested at most {DEEPEST} lists deep, not more; shorten it")
        return tuple([_decode_label(entry, place, depth + 1) for entry in label])
    raise InvalidFormatError(explain(place, "made of strings, integers, booleans or lists", label, "relabel it"))
