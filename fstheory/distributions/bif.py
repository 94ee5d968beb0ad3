"""The tables of a Bayesian network: checking them, reading BIF and XMLBIF, and writing BIF."""

from __future__ import annotations

import gzip
import math
import os
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Context, Decimal, Inexact, localcontext
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import product
from typing import Any, TypeAlias
from xml.etree import ElementTree as ET

from fstheory import errors
from fstheory._support.exact import as_fraction, decimal_text, exact_text
from fstheory._support.files import as_path
from fstheory._support.memory import require_cells
from fstheory._support.result import first_of
from fstheory.distributions.build import Label, clean_labels
from fstheory.errors import InvalidFormatError, InvalidValueError, explain, require, require_known, require_type
from fstheory.lattice.subsets import feature_names

Node: TypeAlias = "tuple[str, tuple[str, ...], tuple[Label, ...], tuple[tuple[Fraction, ...], ...]]"
"""A node: its name, its parents, its states, and p(state | parents)."""
# There is a row for every joint state of the parents, with the last parent running fastest.

States: TypeAlias = "Mapping[str, tuple[str, Iterable[object]]]"
Entries: TypeAlias = "Sequence[tuple[str, object, Sequence[object]]]"
"""Entries of a table: the place in the file, the states of the parents (or one of the words below), and the numbers."""
# `States` likewise holds the place in the file and the states of each variable.

_LONGEST = 2**26  # the largest size of a file, uncompressed; the largest networks in use have some million bytes

SLOWEST, FASTEST, OTHERS = "table", "rows", "default"
"""All rows, with the variable itself running slowest or fastest; the row for states of the parents without one."""

Tables: TypeAlias = "tuple[States, Sequence[tuple[str, str, Sequence[str], Entries]]]"
"""The states by variable, and the definitions: the place in the file, the variable, its parents, its entries."""


def checked_nodes(tables: Tables, normalize: bool) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """Return the checked nodes in the order in which the states are listed, and notes on rescaled rows."""
    require_type(normalize, bool, "normalize", "True or False", "pass True to rescale rows that do not sum to 1")
    states, definitions = tables
    require(states, "a network", "of at least one variable", "none", "add some")
    names, off, found = feature_names(states, "the variables"), list[str](), dict[str, Node]()
    labels = {name: clean_labels(own, name) for name, (_, own) in states.items()}
    for where, name, parents, entries in definitions:
        for i, other in enumerate((name, *parents)):
            require_known(other, f"{where}: variable", states if isinstance(other, str) else names)
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
        needed = f"every row of probabilities must sum to exactly 1, {listed}; correct them, or pass "
        text = errors.Message(needed, errors.Named("normalize", True), " to rescale them")
        raise errors.repaired(InvalidValueError(text), normalize=True)
    return tuple(found[name] for name in names), tuple(f"rescaled to sum to 1: {row}" for row in off)


def _rows(
    where: str, name: str, parents: Sequence[Sequence[Label]], labels: Sequence[Label], entries: Entries, off: list[str]
) -> tuple[tuple[Fraction, ...], ...]:
    """Return the rows of one table. Rows that do not sum to 1 are rescaled and noted in `off`."""
    size, count = len(labels), math.prod(map(len, parents))
    require_cells([count, size], f"{where}: the table of {name}", "give it fewer parents", 200)
    keys, given = dict.fromkeys(product(*parents)), dict[object, tuple[str, Sequence[object]]]()
    for place, key, numbers in entries:
        whole = key in (SLOWEST, FASTEST)
        wanted = size * count if whole else size
        require(len(numbers) == wanted, place, f"{wanted} probabilities of {name}", len(numbers), "add or drop some")
        for i, own in enumerate(keys if whole else [key]):
            needed = f"a row for states of the parents of {name}"
            require(own in keys or own == OTHERS, place, needed, own, "correct it")
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


def read_tables(path: str | os.PathLike[str]) -> Tables:
    """Return the tables in a BIF or XMLBIF file, which may be compressed by gzip."""
    name = as_path(path).name
    with as_path(path).open("rb") as file:
        is_compressed = file.peek(2).startswith(b"\x1f\x8b")
        try:
            data = (gzip.GzipFile(fileobj=file) if is_compressed else file).read(_LONGEST + 1)
            needed, repair = f"of at most {_LONGEST:,} bytes, uncompressed", "read a smaller network"
            require(len(data) <= _LONGEST, name, needed, "more", repair, errors.TooLargeError)
            is_xml = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
            return _parse_xml(ET.fromstring(data), name) if is_xml else _parse_bif(data.decode("utf-8-sig"), name)
        except (ET.ParseError, OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
            needed = "BIF or well-formed XML in UTF-8, or a complete gzip file of it"
            raise InvalidFormatError(explain(name, needed, str(error), "correct it, or download it again")) from error


# Quantifiers are possessive: in a truncated file, backtracking would take a time that doubles with each property.
_WORDS = r'((?:"[^"]*+"|[^{}()\[\];"])*+)'
_PROPERTIES = r'(?: property\b(?:"[^"]*+"|[^;"])*+;)*+'
_FORMS = (
    rf" network\b{_WORDS}\{{{_PROPERTIES} \}}",
    rf" variable\b{_WORDS}\{{{_PROPERTIES} type discrete \[{_WORDS}\] \{{{_WORDS}\}} ;{_PROPERTIES} \}}",
    rf" probability \({_WORDS}\) \{{{_PROPERTIES}",
    rf" (?:(table\b|default\b)|\({_WORDS}\)){_WORDS};{_PROPERTIES}",
    r" \}",
)
_NETWORK, _VARIABLE, _PROBABILITY, _ENTRY, _END = (re.compile(form.replace(" ", r"\s*+")) for form in _FORMS)
_BLANK, _IGNORED = re.compile(r"\s*"), re.compile(r'("[^"]*")|//[^\n]*|/\*.*?\*/|(/\*.*)|[,|]', re.DOTALL)


def _parse_bif(written: str, path: str) -> Tables:
    # Comments, commas and bars count as blanks. A comment without an end is kept, so that it is refused.
    text = _IGNORED.sub(lambda found: found[1] or found[2] or re.sub(r"\S", " ", found[0]), written).rstrip()
    states, definitions, at, line = dict[str, tuple[str, list[str]]](), [], 0, 1

    def take(needed: str, *forms: re.Pattern[str]) -> tuple[str, re.Pattern[str], list[list[str]]]:
        """Return the place of the next form, its pattern, and the words of its groups."""
        nonlocal at, line
        start = _BLANK.match(text, at).end()  # type: ignore[union-attr]
        line += text.count("\n", at, start)
        where, match = f"{path}, line {line}", next(filter(None, (form.match(text, at) for form in forms)), None)
        if match is None:
            rest = " ".join(written[start : start + 60].split()) or "the end of the file"
            raise InvalidFormatError(explain(where, needed, rest, "correct it"))
        line, at = line + text.count("\n", start, match.end()), match.end()
        groups = [re.findall(r'"[^"]*"|[^\s"]+', group or "") for group in match.groups()]
        return where, match.re, [[word.strip('"') for word in group] for group in groups]

    needed, ends = "a network, a variable with its discrete states, or a probability", "a row that ends in ';', or '}'"
    while at < len(text):
        where, form, (names, *more) = take(needed, _NETWORK, _VARIABLE, _PROBABILITY)
        if form is _VARIABLE:
            name, (count, own) = " ".join(names), more
            require(name not in states, where, "a variable of its own", name, "rename it", InvalidFormatError)
            says = f"{' '.join(count)} states, as it declares"
            require([str(len(own))] == count, where, says, own, "correct the number", InvalidFormatError)
            states[name] = where, own
        elif form is _PROBABILITY:
            entries: list[Any] = []
            while (entry := take(ends, _ENTRY, _END))[1] is _ENTRY:
                kind, key, numbers = entry[2]
                entries.append((entry[0], kind[0] if kind else tuple(key), numbers))
            definitions.append((where, "".join(names[:1]), names[1:], entries))
    return states, definitions


def _parse_xml(root: ET.Element, path: str) -> Tables:
    states, definitions = dict[str, tuple[str, list[str]]](), []
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]  # drop the namespace, here and for the parts, which come later
        texts = [(part.tag.rpartition("}")[2], (part.text or "").strip()) for part in node]
        name = "".join(text for tag, text in texts if tag in ("NAME", "FOR"))
        where = f"{path}, the {node.tag} {name}"
        if node.tag == "VARIABLE":
            kind, repair = node.get("TYPE", "nature"), "leave it out: only variables of nature have probabilities"
            require(kind == "nature", where, "a variable of type nature", kind, repair, InvalidFormatError)
            require(name not in states, where, "a variable of its own", name, "rename it", InvalidFormatError)
            states[name] = where, [text for tag, text in texts if tag in ("OUTCOME", "VALUE")]
        elif node.tag in ("DEFINITION", "PROBABILITY"):
            entries = [(where, FASTEST, text.split()) for tag, text in texts if tag == "TABLE"]
            definitions.append((where, name, [text for tag, text in texts if tag == "GIVEN"], entries))
    return states, definitions


def bif_text(nodes: Sequence[Node]) -> str:
    """Return the BIF text of nodes. Numbers without an exact decimal are fractions, which few programs read."""
    lines, known = ["network unknown {", "}"], {name: states for name, _, states, _ in nodes}
    for name, states in known.items():
        inside = ", ".join(map(_word, states))
        lines += [f"variable {_word(name)} {{", f"  type discrete [ {len(states)} ] {{ {inside} }};", "}"]
    for name, parents, _, rows in nodes:
        given = f" | {', '.join(map(_word, parents))}" if parents else ""
        lines += [f"probability ( {_word(name)}{given} ) {{"]
        for key, row in zip(product(*(known[parent] for parent in parents)), rows, strict=True):
            start = f"({', '.join(map(_word, key))})" if parents else "table"
            lines += [f"  {start} {', '.join(map(_number, row))};"]
        lines += ["}"]
    return "\n".join([*lines, ""])


def _word(label: object) -> str:
    text = require_type(label, str, "every name and state of a file", "a text", "name it")
    require('"' not in text, "every name and state of a file", "without quotes", text, "rename it")
    return text if re.fullmatch(r"\w[^\s{}()\[\];,|/]*", text) else f'"{text}"'


def _number(value: Fraction) -> str:
    try:
        with localcontext(Context(prec=400, traps=[Inexact])):
            return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    except Inexact:
        return exact_text(value)
