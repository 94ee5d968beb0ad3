"""Make states of what a table holds, missing values and numbers too, and note what was done."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, compress, pairwise
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import as_index, exact_text, parse_fraction
from fstheory._support.result import first_of
from fstheory.distributions.build import Label, sort_labels
from fstheory.distributions.tables import MISSING, USUAL, Column, Table, require_columns
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    explain,
    repaired,
    require,
    require_choice,
    require_type,
    show,
)

Missing: TypeAlias = Literal["drop", "label"]
"""What becomes of a missing value: its row is dropped, or it is a state of its own."""

Bins: TypeAlias = "int | Mapping[Any, int | Sequence[Any]]"
"""How many bins of about equally many rows; or by column how many, or the edges; None is any other feature."""

MANY = 30  # different values that a column of categories may have without a question
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


def prepare(table: Table, bins: Bins | None, missing: Missing | None, decimal: str | None = None) -> Table:
    """Return a table of states: rows dropped, numbers in bins, missing values a state, as asked."""
    if missing is not None:
        require_choice(missing, "missing", get_args(Missing))
        table = _dropped(table, table.names if missing == "drop" else table.names[-1:])
    if decimal is not None:
        require_choice(decimal, "decimal", (",", "."))
    columns = [_with_points(c, decimal, name) for c, name in zip(table.columns, table.names, strict=True)]
    if done := [name for name, old, new in zip(table.names, table.columns, columns, strict=True) if old is not new]:
        note = f"commas are {'decimal' if decimal == ',' else 'of thousands'} in {', '.join(done)}"
        table = table._replace(columns=columns, notes=(*table.notes, note))
    return _labeled(table if bins is None else _binned(table, bins))


def _with_points(column: Column, decimal: str | None, name: str) -> Column:
    """Return a column of numbers with commas with points alone: the comma is decimal, or one of thousands.

    Where nobody has said which it is, numbers that have points and commas are refused.
    """
    codes, labels = column
    texts = [label for label in labels if isinstance(label, str)]
    both = next((text for text in texts if "," in text and (decimal or "." in text)), "")
    mark, dropped = sorted(",.", key=lambda mark: (mark != decimal, -both.rfind(mark)))
    thousands = rf"\s*[+-]?(\d*|\d{{1,3}}([{dropped}]\d{{3}})+)([{mark}]\d*)?(e[+-]?\d+)?\s*"
    if not both or not all(re.fullmatch(thousands, text, re.IGNORECASE | re.ASCII) for text in texts):
        fits = not both or decimal is None or not has_decimal_commas(texts)
        require(fits, "decimal", f"',' for column {name!r}", decimal, "or drop it")
        return column
    if decimal is None:
        needed, repair = "of numbers with points or commas alone", f"pass decimal={mark!r}"
        raise repaired(InvalidValueError(explain(f"column {name!r}", needed, both, repair)), decimal=mark)
    pointed = [None if label is None else str(label).replace(dropped, "").replace(mark, ".") for label in labels]
    return _merged(codes, pointed)


# -- Missing values, which are the label None until here.


def _holes(table: Table) -> dict[str, Any]:
    """Return by column which rows have no value there, of the columns that lack one."""
    columns = zip(table.names, table.columns, strict=True)
    found = {name: codes == labels.index(None) for name, (codes, labels) in columns if None in labels}
    return {name: where for name, where in found.items() if where.any()}


def _numbers_of_rows(table: Table, holes: Mapping[str, Any]) -> str:
    """Say in how many rows each column lacks a value."""
    return ", ".join(f"{name} ({int(table.counts[where].sum()):,})" for name, where in holes.items())


def _dropped(table: Table, names: Sequence[str]) -> Table:
    """Drop the rows that lack a value of some columns; of a class that is not known nothing can be learned."""
    holes = {name: where for name, where in _holes(table).items() if name in names}
    if not holes:
        return table
    lost = np.any(list(holes.values()), axis=0)
    target = table.names[-1]
    require(not (target in holes and holes[target].all()), "target", "a column with values", target, "name another")
    if lost.all():
        worst = max(holes, key=lambda name: int(holes[name].sum()))
        repair = f"pass missing='label', or leave_out=[{worst!r}]"
        error = InvalidValueError(explain("missing", "'label' where no row is complete", "drop", repair))
        raise repaired(error, missing="label")
    columns: list[Column] = []
    for codes, labels in table.columns:
        kept = codes[~lost]
        used = np.bincount(kept, minlength=len(labels)) > 0
        columns.append(((used.cumsum() - 1)[kept], list(compress(labels, used))))
    dropped = f"{int(table.counts[lost].sum()):,} of {int(table.counts.sum()):,} rows dropped"
    note = f"{dropped}, which have no value in {_numbers_of_rows(table, holes)}"
    return table._replace(columns=columns, counts=table.counts[~lost], notes=(*table.notes, note))


def _labeled(table: Table) -> Table:
    """Make a state of what is missing, the last of its column."""
    holes = _holes(table)
    columns, states = list(table.columns), dict(table.states)
    for name in holes:
        at = table.names.index(name)
        codes, labels = columns[at]
        known = states.get(name) or sort_labels(label for label in labels if label is not None)
        repair = "rename that label, or drop the rows by missing='drop'"
        require(MISSING not in known, f"column {name!r}", "without a label 'missing' of its own", MISSING, repair)
        states[name] = [*known, MISSING]
        columns[at] = codes, [MISSING if label is None else label for label in labels]
    notes = [f"{MISSING!r} is a state of {_numbers_of_rows(table, holes)}"] if holes else []
    return table._replace(columns=columns, states=states, notes=(*table.notes, *notes))


# -- Bins of numbers. A value at an edge belongs to the bin below it; the edges of quantile bins are values that occur.


def _binned(table: Table, bins: Bins) -> Table:
    plan = _plan(table, bins)
    columns, states, edges = list(table.columns), dict(table.states), []
    for name, (numbers, wanted) in plan.items():
        at = table.names.index(name)
        codes, labels = columns[at]
        if isinstance(wanted, Sequence):
            cuts = _given_edges(wanted, labels, name)
        else:
            counted: Counter[Fraction] = Counter()
            seen = np.zeros(len(labels), dtype=table.counts.dtype)
            np.add.at(seen, codes, table.counts)
            for label, times in zip(labels, seen.tolist(), strict=True):
                if label is not None:
                    counted[numbers[label]] += times
            written = {number: str(label).strip() for label, number in numbers.items()}
            cuts = {cut: written[cut] for cut in quantile_cuts(counted, as_index(wanted, f"bins[{name!r}]"))}
        if not cuts:
            continue
        words = _words(list(cuts.values()))
        order = list(cuts)
        moved = [None if label is None else words[bisect_left(order, numbers[label])] for label in labels]
        columns[at], states[name] = _merged(codes, moved), words
        comma = " (decimal commas)" if any(isinstance(label, str) and "," in label for label in labels) else ""
        edges.append(f"{name}{comma} {' | '.join(cuts.values())}")
    notes = [f"{_BINS}{'; '.join(edges)}"] if edges else []
    return table._replace(columns=columns, states=states, notes=(*table.notes, *notes))


_BINS = "bins, with these upper edges: "


def edges_told(note: str, states: Mapping[str, Sequence[Label]]) -> list[tuple[str, str]]:
    """Return the columns whose bins a note tells of, and the edges of each, as their states have them."""
    found = []
    for name, labels in states.items() if note.startswith(_BINS) else ():
        words = [str(label) for label in labels if label != MISSING]
        edges = " | ".join(word.rpartition(" ")[2] for word in words[:-1])
        if edges and words[0].startswith("at most ") and name in note and edges in note:
            found.append((name, edges))
    return found


def _plan(table: Table, bins: Bins) -> dict[str, tuple[dict[Label, Fraction], Any]]:
    """Return by column the numbers that its labels stand for, and how many bins are asked for, or which edges."""
    given: Mapping[Any, Any] = bins if isinstance(bins, Mapping) else {None: bins}
    require_columns([name for name in given if name is not None], table.names, bins=given)
    for name, wanted in given.items():
        argument = "bins" if name is None else f"bins[{name!r}]"
        if name is None or not isinstance(wanted, Sequence) or isinstance(wanted, str):
            as_index(wanted, argument, at_least=2)
    plan: dict[str, tuple[dict[Label, Fraction], Any]] = {}
    for name, (_, labels) in zip(table.names, table.columns, strict=True):
        values = [label for label in labels if label is not None]
        if name in given:
            numbers = numbers_of(values, name)
            if isinstance(given[name], Sequence) or len(set(numbers.values())) > given[name]:
                plan[name] = numbers, given[name]
        elif None in given and name != table.names[-1] and name not in table.states:
            numbers = numbers_if_any(values, name)
            if len(set(numbers.values())) > given[None] and not tells_rows_apart(values, int(table.counts.sum())):
                plan[name] = numbers, given[None]
    return plan


def tells_rows_apart(labels: Sequence[Label], rows: int) -> bool:
    """Say whether whole numbers name every row, or texts nearly every one, as an identifier does."""
    if rows <= MANY or 10 * len(labels) <= 9 * rows or any(isinstance(label, float) for label in labels):
        return False
    numbers = [number_of(_pointed(label)) for label in labels]
    return not any((number or 0) % 1 for number in numbers) and (len(labels) >= rows or None in numbers)


def refuse_identifiers(names: Sequence[str]) -> None:
    """Refuse columns, if there are any, whose states tell rows apart."""
    if names:
        error = InvalidValueError(
            f"features must have states that several rows share, not one for each row as {first_of(names)}; pass "
            f"leave_out={names}, or keep_continuous=True to keep all states (numbers: bins={{{names[0]!r}: 4}})"
        )
        raise repaired(error, leave_out=tuple(names))


def numbers_of(labels: Iterable[Label], name: str) -> dict[Label, Fraction]:
    """Return the numbers that the labels of a column stand for, exactly, or refuse the first that is none."""
    listed = list(labels)
    comma = has_decimal_commas(listed)
    found: dict[Label, Fraction] = {}
    for label in listed:
        number = number_of(_pointed(label) if comma else label)
        if number is None:
            usual = isinstance(label, str) and label.strip() in USUAL
            if isinstance(label, str) and _THOUSANDS.fullmatch(label.strip()):
                repair = "this may be a thousand, or a decimal: pass decimal='.' or decimal=','"
                error = InvalidValueError(explain(f"column {name!r}", "of numbers that can be told", label, repair))
                raise repaired(error, decimal=".")
            repair = "pass missing='label' or 'drop'" if usual else f"name other columns, or pass na=[{show(label)}]"
            error = InvalidValueError(explain(f"column {name!r}", "of numbers alone to make bins of it", label, repair))
            raise repaired(error, missing="label") if usual else repaired(error, missing="label", na=(label,))
        found[label] = number
    return found


def has_decimal_commas(labels: Iterable[object]) -> bool:
    """Say whether a comma in the numbers of a column is a decimal one.

    It is not where a point is one; and 1,234 may be a thousand, so another number has to tell.
    """
    texts = [label.strip() for label in labels if isinstance(label, str)]
    commas = [text for text in texts if "," in text]
    if any("." in text for text in texts) or all(map(_THOUSANDS.fullmatch, commas)):
        return False
    return all(number_of(_pointed(text)) is not None for text in commas)


def numbers_if_any(labels: Sequence[Label], name: str) -> dict[Label, Fraction]:
    """Return the numbers of a column where it holds numbers, and none where it holds categories.

    Where most of very many labels are numbers, and not all, somebody has to say what the others are.
    """
    try:
        return numbers_of(labels, name)
    except InvalidValueError:
        some = sum(number_of(_pointed(label)) is not None for label in labels)
        if len(labels) > MANY and 2 * some > len(labels):
            raise
        return {}


def _pointed(label: Label) -> Label:
    """Return a text with points for its commas."""
    return label.replace(",", ".") if isinstance(label, str) else label


def number_of(label: Label) -> Fraction | None:
    """Return the number that a label is or is the text of, exactly."""
    if isinstance(label, str):
        text = label.strip()
        return parse_fraction(f"0{text}" if text.startswith(".") else text) if _DECIMAL.fullmatch(text) else None
    if isinstance(label, bool) or not isinstance(label, int | float | Fraction | Decimal) or not math.isfinite(label):
        return None
    return Fraction(label)


def quantile_cuts(counted: Mapping[Fraction, int], number: int) -> list[Fraction]:
    """Return the upper edges of all bins but the last: values of which about j rows in `number` are at most so large.

    Equal values stay together. Of two values that are equally near to a share the smaller is taken; bins that would be
    empty do not arise, so there may be fewer than `number`.
    """
    common = math.lcm(*(value.denominator for value in counted))
    values = sorted(counted, key=lambda value: value.numerator * (common // value.denominator))  # as integers: faster
    reached = list(accumulate(number * counted[value] for value in values))[:-1]
    cuts = set()
    for j in range(1, number):
        share = j * sum(counted.values())
        above = bisect_left(reached, share)
        near = [at for at in (above - 1, above) if 0 <= at < len(reached)]
        cuts |= {min(near, key=lambda at: abs(reached[at] - share))} if near else set()
    return [values[at] for at in sorted(cuts)]


def _given_edges(wanted: Sequence[Any], labels: Sequence[Label], name: str) -> dict[Fraction, str]:
    """Return edges that a caller names, in the terms of the column: a float beside floats, a text beside texts."""
    argument = f"bins[{name!r}]"
    require(len(wanted), argument, "at least one edge", wanted, "name the value up to which the first bin goes")
    cuts: dict[Fraction, str] = {}
    for edge in wanted:
        number = number_of(
            require_type(edge, (int, float, Fraction, Decimal, str), argument, "of numbers", "pass [18, 65]")
        )
        require(number is not None, argument, "of numbers", edge, "pass [18, 65], say")
        assert number is not None
        for kind, other, repair in ((float, str, f"write '{edge}'"), (str, float, f"write {edge}")):
            if isinstance(edge, kind) and any(isinstance(label, other) for label in labels):
                raise InvalidTypeError(explain(argument, f"no {kind.__name__} beside a {other.__name__}", edge, repair))
        cuts[number] = exact_text(edge) if isinstance(edge, Fraction) else str(edge).strip()
    rises = len(cuts) == len(wanted) and all(low < high for low, high in pairwise(cuts))
    require(rises, argument, "of rising edges", list(wanted), "sort them, each once")
    return cuts


def _words(edges: Sequence[str]) -> list[str]:
    """Return the names of the bins between edges."""
    between = [f"over {low} to {high}" for low, high in pairwise(edges)]
    return [f"at most {edges[0]}", *between, f"over {edges[-1]}"]


def _merged(codes: Any, labels: Sequence[Label | None]) -> Column:
    """Return a column whose labels were given other names, where they may have become equal."""
    places: dict[Any, int] = {}
    moved = np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.int64)
    return moved[codes], list(places)
