"""The written forms of a distribution: repr, plain text, HTML, LaTeX, and exact JSON, which is read back."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from operator import getitem
from typing import Any, TypeAlias

import numpy as np

from fstheory._support import exact
from fstheory._support.files import parse_json
from fstheory._support.result import Table, first_of, table_html, table_text
from fstheory.distributions.build import Label, Variables, Weights, fits_array, integer_weights, make_variables
from fstheory.distributions.counting import Rows
from fstheory.errors import InvalidFormatError, InvalidTypeError, explain, require
from fstheory.lattice.subsets import default_features

Distribution: TypeAlias = Any
"""A JointDistribution, which cannot be imported here: its module imports this one."""

_REPR_CELLS, _REPR_BITS = 64, 2048  # Python refuses to write integers of a few thousand digits
_ROWS = 40
_LATEX_CELLS, _LATEX_BITS = 40, 128
_DIGITS = 12  # a probability with more digits than this is shown as a rounded decimal


def to_repr(d: Distribution) -> str:
    """Return a repr that evaluates to an equal distribution, or a description of a large one."""
    name, variables, total = type(d).__name__, d._variables, d.total
    if not fits_array(variables, _REPR_CELLS) or total.bit_length() > _REPR_BITS:
        short = str(total) if total.bit_length() <= 64 else f"of {total.bit_length()} bits"
        return f"<{name} of {summary(variables)}; total weight {short}>"
    parts = [repr(d.weights.tolist())]
    if variables.features != default_features(len(variables.features)):
        parts.append(f"features={variables.features!r}")
    if variables.target != "Y":
        parts.append(f"target={variables.target!r}")
    named = zip(variables.names, variables.labels, strict=True)
    if states := {axis: labels for axis, labels in named if repr(labels) != repr(tuple(range(len(labels))))}:
        parts.append(f"states={states!r}")
    return f"{name}({', '.join(parts)})"


def summary(variables: Variables) -> str:
    """Return one line: the features with their numbers of states, and the target with its own."""
    *counts, classes = variables.shape
    inner = first_of(zip(variables.features, counts, strict=True), lambda pair: f"{pair[0]} ({pair[1]})", most=_ROWS)
    return f"{len(counts)} feature{'s' * (len(counts) != 1)}: {inner or 'none'}; target {variables.target} ({classes})"


def distribution_text(d: Distribution) -> str:
    """Return the table in plain text, one row per state of the features."""
    table, more = _table(d, "=")
    return "\n".join([*table_text(table), *more])


def to_html(d: Distribution) -> str:
    """Return an HTML table, one row per state of the features, one column per class."""
    table, more = _table(d, " = ")
    caption = f"p({', '.join(d._variables.names)})"
    return table_html(table._replace(numbers=()), caption=caption) + "".join(f"<p>{line}</p>" for line in more)


def _table(d: Distribution, equal: str) -> tuple[Table, list[str]]:
    """Return the table of the probabilities of the first states of the features, and lines about the rest.

    If not all states are shown, those of probability 0 are left out.
    """
    variables, total, every = d._variables, d.total, math.prod(d.cardinalities)
    names, labels = variables.features[:_ROWS], variables.labels[:_ROWS]
    head = (*names, *(f"{variables.target}{equal}{label}" for label in variables.labels[-1]))
    shown: Iterator[tuple[Iterable[Label], Any]]
    if fits_array(variables, _ROWS * len(d.classes)):
        number, shown = every, zip(itertools.product(*variables.labels[:-1]), d.weights.reshape(every, -1), strict=True)
    else:
        cells, state = d._counted().by_state(range(len(variables.features)))
        places = np.flatnonzero(cells.max(axis=-1))
        number, shown = len(places), ((map(getitem, labels, state(at)), cells[at]) for at in places[:_ROWS].tolist())
    rows = [
        (*map(str, state), *(exact.to_text(Fraction(weight, total), 0, _DIGITS) for weight in weights.tolist()))
        for state, weights in shown
    ]
    hidden, wide = max(number - _ROWS, 0), len(variables.features) - _ROWS
    impossible = "; those of probability 0 are left out" if number < every else ""
    more = [f"... {wide} more features"] * (wide > 0)
    more += [f"... {hidden} more states of the features{impossible}"] * bool(hidden or impossible)
    return Table(head, rows, range(len(head)), names=range(len(names))), more


def is_small(d: Distribution) -> bool:
    """Return whether a table is small enough to be shown as LaTeX in a notebook."""
    return bool(fits_array(d._variables, _LATEX_CELLS) and d.total.bit_length() <= _LATEX_BITS)


def to_latex(variables: Variables, weights: Weights, total: int) -> str:
    """Return a LaTeX array of all probabilities."""
    head = [*map(exact.latex_name, variables.features)]
    head += [f"{exact.latex_name(variables.target)} = {_latex_label(label)}" for label in variables.labels[-1]]
    states = zip(
        itertools.product(*variables.labels[:-1]), weights.reshape(-1, weights.shape[-1]).tolist(), strict=True
    )
    rows = [
        [*map(_latex_label, state), *(exact.latex_fraction(Fraction(weight, total)) for weight in cells)]
        for state, cells in states
    ]
    body = r" \\ ".join(" & ".join(row) for row in rows)
    columns = "c" * len(variables.features) + "|" + "c" * len(variables.labels[-1])
    return rf"\begin{{array}}{{{columns}}} {' & '.join(head)} \\ \hline {body} \end{{array}}"


def _latex_label(label: Label) -> str:
    return str(label) if type(label) is int else exact.latex_text(label)


# -- The exact, versioned JSON form of a distribution.


SCHEMA = "fstheory/joint-distribution"
VERSION, LISTED = 1, 2  # the table of all cells, and a list of those of positive probability
_LONGEST = 2**30  # the largest number of characters: a table of 2**25 cells


def encode(d: Distribution, listed: Rows | None) -> str:
    """Return the JSON text of a distribution: of all cells, or of those that are listed."""
    named = zip(d._variables.names, d._variables.labels, strict=True)
    axes = [{"name": name, "states": [_encode_label(label, name) for label in labels]} for name, labels in named]
    weights, total = d.weights.ravel() if listed is None else listed.counts, d.total
    document = {
        "schema": SCHEMA,
        "version": VERSION if listed is None else LISTED,
        "features": axes[:-1],
        "target": axes[-1],
        "probabilities": [exact.exact_text(Fraction(weight, total)) for weight in weights.tolist()],
    }
    if listed is not None:
        document["cells"] = list(zip(*(column.tolist() for column in listed.columns), strict=True))
    return json.dumps(document, ensure_ascii=False, indent=1 if listed is None else None)


def decode(text: str) -> tuple[Variables, Weights, Sequence[Any] | None]:
    """Return the variables and the integer weights of a distribution from its JSON text.

    If cells are listed, also return the columns of their states.
    """
    try:
        document = parse_json(text, _LONGEST, decimals=True)  # in labels
    except ValueError as error:
        repair = "pass what to_json() wrote; numbers are integers or 'p/q' strings"
        raise InvalidFormatError(explain("text", f"JSON ({str(error)[:80]})", text, repair)) from error
    if isinstance(document, list):
        return *_decode_table(document), None
    _expect(document, "the document", dict, "an object, or a nested table of weights")
    schema, version = document.get("schema"), document.get("version")
    require(schema == SCHEMA, "schema", repr(SCHEMA), schema, "pass a distribution's JSON", InvalidFormatError)
    if version not in (VERSION, LISTED) or type(version) is not int:
        requirement = f"{VERSION} or {LISTED}, the versions this fstheory reads"
        raise InvalidFormatError(explain("version", requirement, version, "upgrade fstheory"))
    known = ("schema", "version", "features", "target", "probabilities", *["cells"] * (version == LISTED))
    _refuse_others(document, known, "the document")
    features = _expect(document.get("features"), "features", list, "a list of objects")
    axes = [_decode_axis(axis, f"features[{i}]") for i, axis in enumerate(features)]
    axes.append(_decode_axis(document.get("target"), "target"))
    shape = tuple(len(states) for _, states in axes)
    listed = _decode_cells(document.get("cells"), shape) if version == LISTED else None
    expected = math.prod(shape) if listed is None else len(listed)
    weights = np.array(_decode_probabilities(document.get("probabilities"), expected), dtype=object)
    try:
        variables = make_variables(shape, [name for name, _ in axes[:-1]], axes[-1][0], dict(axes))
        if listed is None:
            return variables, integer_weights(weights.reshape(shape)), None
        return variables, weights, list(np.array(listed).reshape(len(listed), len(shape)).T)
    except (TypeError, ValueError) as error:
        raise InvalidFormatError(f"the document must describe a distribution: {error}") from error


def _decode_cells(cells: Any, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return cells, each as the positions of its states. All must be different."""
    found = {}
    for i, cell in enumerate(_expect(cells, "cells", list, "a list of cells")):
        place, needed = f"cells[{i}]", "the position of a state of each variable, and no cell twice"
        listed = tuple(_expect(cell, place, list, needed))
        fits = len(listed) == len(shape) and all(
            type(x) is int and 0 <= x < c for x, c in zip(listed, shape, strict=True)
        )
        require(fits and listed not in found, place, needed, cell, "see the schema", InvalidFormatError)
        found[listed] = i
    return list(found)


def _decode_table(table: list[Any]) -> tuple[Variables, Weights]:
    """Return a table that a person typed, with the default names of the variables and states."""
    try:
        weights = integer_weights(table)
        return make_variables(weights.shape, None, None, None), weights
    except (TypeError, ValueError) as error:
        raise InvalidFormatError(str(error)) from error


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
        values.append(
            exact.parse_fraction(_expect(entry, place := f"probabilities[{i}]", str, "a string 'p/q'"), place)
        )
    cells, total = exact.integers_over(values)
    if sum(cells) != total:
        amount = exact.describe_total(Fraction(sum(cells), total))
        raise InvalidFormatError(f"probabilities must be a list that sums to exactly 1, not {amount}; correct it")
    return cells


def _expect(value: Any, place: str, kind: type, requirement: str) -> Any:
    if not isinstance(value, kind):
        raise InvalidFormatError(explain(place, requirement, value, "see the schema in fstheory.distributions.display"))
    return value


def _refuse_others(found: dict[str, Any], known: tuple[str, ...], place: str) -> None:
    for name in found:
        if name not in known:
            raise InvalidFormatError(explain(f"the names in {place}", f"among {', '.join(known)}", name, "drop it"))


def _encode_label(label: Label, name: str) -> Any:
    if _is_plain(label):
        return label
    if isinstance(label, tuple):
        return [_encode_label(part, name) for part in label]
    requirement = "strings, finite numbers, booleans or tuples of these in JSON"
    raise InvalidTypeError(explain(f"states[{name!r}]", requirement, label, "relabel it"))


def _is_plain(label: object) -> bool:
    """Return whether JSON can hold a label. A float is written as its shortest decimal, which is read as this float."""
    return isinstance(label, str | int) or (isinstance(label, float) and math.isfinite(label))


def _decode_label(label: Any, place: str) -> Label:
    if _is_plain(label):
        return label  # type: ignore[no-any-return]
    if isinstance(label, list):
        return tuple([_decode_label(entry, place) for entry in label])
    raise InvalidFormatError(explain(place, "made of strings, numbers, booleans or lists", label, "relabel it"))
