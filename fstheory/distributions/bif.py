"""The tables of a Bayesian network: checked, and as text in the formats BIF and XMLBIF."""

from __future__ import annotations

import gzip
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import product
from typing import TypeAlias
from xml.etree import ElementTree as ET

from fstheory._support.exact import as_fraction, decimal_text, exact_text
from fstheory._support.files import as_path
from fstheory._support.memory import require_cells
from fstheory._support.result import first_of
from fstheory.distributions.build import Label, clean_labels
from fstheory.errors import (
    InvalidFormatError,
    InvalidValueError,
    explain,
    require,
    require_flag,
    require_known,
    require_type,
)
from fstheory.lattice.subsets import feature_names

Node: TypeAlias = "tuple[str, tuple[str, ...], tuple[Label, ...], tuple[tuple[Fraction, ...], ...]]"
"""A name, its parents, its states, and p(state | parents): a row for every state of the parents, the last fastest."""

Definition: TypeAlias = "tuple[str, str, Sequence[str], Sequence[tuple[str, object, Sequence[object]]]]"
"""Where it stands, a variable, its parents; and where numbers stand, whose row they are (or `SLOWEST` ..), and they."""

SLOWEST, FASTEST, OTHERS = "table", "rows", "default"
"""All rows, the variable itself the slowest or the fastest; the row of all states of the parents that have no own."""


def checked_nodes(
    states: Mapping[str, tuple[str, Iterable[object]]], definitions: Iterable[Definition], normalize: bool
) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """Return the nodes in the order of their states, and the rows that were rescaled, or refuse them."""
    require_flag(normalize, "normalize", "pass True to rescale rows that do not sum to 1")
    require(states, "a network", "of at least one variable", "none", "add some")
    names = feature_names(states, "the variables")
    labels = {name: clean_labels(own, name) for name, (_, own) in states.items()}
    found: dict[str, Node] = {}
    off: list[str] = []
    for where, name, parents, entries in definitions:
        for i, other in enumerate((name, *parents)):
            require_known(other, f"{where}: variable", names)
            require(other not in (name, *parents)[:i], where, "a table of distinct variables", other, "name it once")
        require(name not in found, where, "the only table of its variable", name, "drop one of them")
        rows = _rows(where, name, [labels[parent] for parent in parents], labels[name], entries, off)
        found[name] = name, tuple(parents), labels[name], rows
    for name, (where, _) in states.items():
        require(name in found, where, "a variable with a table of probabilities", name, "add the table")
    try:
        TopologicalSorter({name: node[1] for name, node in found.items()}).prepare()
    except CycleError as error:
        raise InvalidValueError(explain("the arcs", "without a cycle", error.args[1][::-1], "drop one")) from None
    if off and not normalize:
        listed = f"as {len(off)} of them do not: {first_of(off, most=6)}"
        repair = "correct them, or pass normalize=True to rescale them"
        raise InvalidValueError(f"every row of probabilities must sum to exactly 1, {listed}; {repair}")
    return tuple(found[name] for name in names), tuple(f"rescaled to sum to 1: {row}" for row in off)


def _rows(
    where: str, name: str, parents: Sequence[Sequence[Label]], labels: Sequence[Label],
    entries: Sequence[tuple[str, object, Sequence[object]]], off: list[str],
) -> tuple[tuple[Fraction, ...], ...]:  # fmt: skip
    """Return the rows of one table, and note those that are rescaled."""
    size, count = len(labels), math.prod(map(len, parents))
    require_cells([count, size], f"{where}: the table of {name}", "give it fewer parents", 200)
    keys = dict.fromkeys(product(*parents))
    given: dict[object, tuple[str, Sequence[object]]] = {}
    for place, key, numbers in entries:
        whole = key in (SLOWEST, FASTEST)
        wanted = size * count if whole else size
        require(len(numbers) == wanted, place, f"{wanted} probabilities of {name}", len(numbers), "add or drop some")
        for i, own in enumerate(keys if whole else [key]):
            require(
                own in keys or own == OTHERS, place, f"a row for states of the parents of {name}", own, "correct it"
            )
            require(own not in given, place, "the only row for these states", own, "drop one of them")
            given[own] = place, numbers[i::count] if key == SLOWEST else numbers[i * size : (i + 1) * size]
    read = []
    for key in keys:
        place, row = given.get(key) or given.get(OTHERS) or (where, ())
        shown = f"{name} | {', '.join(map(str, key))}" if parents else name
        require(row, where, f"a table with a row for {shown}", "without it", "add it")
        weights = [as_fraction(number, f"{place}: p({shown})", at_least=0) for number in row]
        total = sum(weights, Fraction(0))
        require(total, f"{place}: p({shown})", "above 0 for some state", row, "correct it")
        off += [f"{place}: {shown} sums to {decimal_text(total, 12)}"] * (total != 1)
        read.append(tuple(weight / total for weight in weights))
    return tuple(read)


def read_nodes(path: str | os.PathLike[str], normalize: bool) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """Read BIF or XMLBIF, compressed by gzip or not."""
    data, name = as_path(path).read_bytes(), as_path(path).name
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        is_xml = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        text = "" if is_xml else data.decode("utf-8-sig")
    except (OSError, EOFError, ValueError) as error:  # UnicodeDecodeError, too
        needed = "text in UTF-8, or a whole gzip file of it"
        raise InvalidFormatError(explain(name, needed, str(error), "save it so, or fetch it again")) from error
    return checked_nodes(*(_parse_xml(data, name) if is_xml else _parse_bif(text, name)), normalize)


_WORDS = r'((?:"[^"]*"|[^{}()\[\];"])*)'
_PROPERTIES = r'(?: property\b (?:"[^"]*"|[^;"])*;)*'
_NETWORK, _VARIABLE, _PROBABILITY, _ENTRY, _END = (
    re.compile(form.replace(" ", r"\s*"))
    for form in (
        rf" network\b{_WORDS}\{{{_PROPERTIES} \}}",
        rf" variable\b{_WORDS}\{{{_PROPERTIES} type discrete \[{_WORDS}\] \{{{_WORDS}\}} ;{_PROPERTIES} \}}",
        rf" probability \({_WORDS}\) \{{{_PROPERTIES}",
        rf" (?:(table\b|default\b)|\({_WORDS}\)){_WORDS};{_PROPERTIES}",
        r" \}",
    )
)
_IGNORED = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?\*/|[,|]', re.DOTALL)
_BLANK = re.compile(r"\s*")
_States: TypeAlias = "dict[str, tuple[str, Sequence[str]]]"


def _parse_bif(text: str, path: str) -> tuple[_States, list[Definition]]:
    # comments, commas and bars stand for blanks
    text = _IGNORED.sub(lambda found: found[0] if found[0][0] == '"' else re.sub(r"\S", " ", found[0]), text).rstrip()
    states: _States = {}
    definitions: list[Definition] = []
    at, line = 0, 1

    def take(needed: str, *forms: re.Pattern[str]) -> tuple[str, re.Pattern[str], list[list[str]]]:
        """Return where the next form stands, which one it is, and the words of its groups."""
        nonlocal at, line
        start = _BLANK.match(text, at).end()  # type: ignore[union-attr]
        line += text.count("\n", at, start)
        where = f"{path}, line {line}"
        match = next((match for form in forms if (match := form.match(text, at))), None)
        if match is None:
            rest = " ".join(text[start : start + 60].split()) or "the end of the file"
            raise InvalidFormatError(explain(where, needed, rest, "correct it"))
        line += text.count("\n", start, match.end())
        at = match.end()
        groups = [[word.strip('"') for word in re.findall(r'"[^"]*"|[^\s"]+', group or "")] for group in match.groups()]
        return where, match.re, groups

    while at < len(text):
        where, form, ([*names], *more) = take(
            "a network, a variable with its discrete states, or a probability", _NETWORK, _VARIABLE, _PROBABILITY
        )
        if form is _VARIABLE:
            name, (count, own) = " ".join(names), more
            require(name not in states, where, "a variable of its own", name, "rename it", InvalidFormatError)
            needed = f"{' '.join(count)} states, as it says"
            require([str(len(own))] == count, where, needed, own, "correct the number", InvalidFormatError)
            states[name] = where, own
        elif form is _PROBABILITY:
            entries: list[tuple[str, object, Sequence[object]]] = []
            while (entry := take("a row of probabilities that ends in ';', or '}'", _ENTRY, _END))[1] is _ENTRY:
                place, _, (kind, key, numbers) = entry
                entries.append((place, kind[0] if kind else tuple(key), numbers))
            definitions.append((where, "".join(names[:1]), names[1:], entries))
    return states, definitions


def _parse_xml(data: bytes, path: str) -> tuple[_States, list[Definition]]:
    try:
        root = ET.fromstring(data)
    except ET.ParseError as error:
        where = f"{path}, line {error.position[0]}"
        raise InvalidFormatError(explain(where, "well-formed XML", str(error), "correct it")) from error

    def texts(node: ET.Element, *tags: str) -> list[str]:
        return [(part.text or "").strip() for part in node if part.tag in tags]

    states: _States = {}
    definitions: list[Definition] = []
    for node in root.iter():
        name = "".join(texts(node, "NAME", "FOR"))
        where = f"{path}, the {node.tag} {name}"
        if node.tag == "VARIABLE":
            require(name not in states, where, "a variable of its own", name, "rename it", InvalidFormatError)
            states[name] = where, texts(node, "OUTCOME", "VALUE")
        elif node.tag in ("DEFINITION", "PROBABILITY"):
            tables = [(where, FASTEST, text.split()) for text in texts(node, "TABLE")]
            definitions.append((where, name, texts(node, "GIVEN"), tables))
    return states, definitions


def bif_text(nodes: Sequence[Node]) -> str:
    """Return BIF: decimals where they are exact, else fractions, which few programs read."""
    blocks, tables = ["network unknown {\n}"], []
    for name, parents, states, rows in nodes:
        inside = ", ".join(map(_word, states))
        blocks.append(f"variable {_word(name)} {{\n  type discrete [ {len(states)} ] {{ {inside} }};\n}}")
        known = {other: own for other, _, own, _ in nodes}
        keys = product(*(known[parent] for parent in parents))
        starts = [f"({', '.join(map(_word, key))})" if parents else "table" for key in keys]
        lines = [f"  {start} {', '.join(map(_number, row))};" for start, row in zip(starts, rows, strict=True)]
        given = f" | {', '.join(map(_word, parents))}" if parents else ""
        tables.append("\n".join([f"probability ( {_word(name)}{given} ) {{", *lines, "}"]))
    return "\n".join([*blocks, *tables, ""])


def _word(label: object) -> str:
    text = require_type(label, str, "every name and state of a file", "a text", "name it")
    require('"' not in text, "every name and state of a file", "without quotes", text, "rename it")
    return text if re.fullmatch(r"\w[^\s{}()\[\];,|/]*", text) else f'"{text}"'


def _number(value: Fraction) -> str:
    places = next((k for k in range(value.denominator.bit_length()) if 10**k % value.denominator == 0), None)
    if not places:
        return exact_text(value)
    digits = str(value.numerator * 10**places // value.denominator).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}"
