"""Making states from the labels of a table: missing values, bins, and tables in batches larger than memory.

Every change to the table is noted.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import accumulate, compress, pairwise
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from fstheory import errors
from fstheory._support.exact import as_index, exact_text, parse_fraction
from fstheory._support.files import as_path, as_source
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.progress import Listener, Progress
from fstheory._support.result import first_of
from fstheory._support.work import Workers, map_chunks
from fstheory.distributions import engines, tables
from fstheory.distributions.build import Label, sort_labels
from fstheory.distributions.counting import Rows, smallest
from fstheory.distributions.tables import MISSING, Column, Table
from fstheory.errors import InvalidValueError, Message, Named, explain, import_optional, repaired, require

_ROWS = 2**16  # rows that wait to be merged
_CELLS = 2**23  # of a file, which are read at a time
_LABEL_BYTES = 256  # bytes that a label takes at most in the first pass, unless it is a long text
_READ = "pass a function, such as lambda: pandas.read_csv(path, chunksize=100_000)"


Options: TypeAlias = "dict[str, Any]"
"""The options of `read_frame`."""
Places: TypeAlias = "Mapping[str, Mapping[Label | None, int]]"
"""For each column, the position of the state of each label."""

Missing: TypeAlias = Literal["drop", "label"]
"""What happens to a missing value: its row is dropped, or it becomes a state of its own."""

Bins: TypeAlias = "int | Mapping[Any, int | str | Sequence[Any]]"
"""The number of bins with about equally many rows, or by column (None: others) this number, edges or 'calendar'."""
CALENDAR = "calendar"
"""The bins of a column of dates that also gives the columns of its months and weekdays."""

_VALUES = 9  # a column with more values, each in equally many rows, may name groups of rows
MANY = 30  # a column with at most this many different values is always accepted as categories
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


def prepare(
    table: Table, bins: Bins | None, missing: Missing | None, decimal: str | None = None, kept: Iterable[str] = ()
) -> Table:
    """Return a table of states: with rows dropped, numbers in bins and missing values as states, as the options say.

    The columns `kept` are left as they are: their labels are declared as their states. A row with the count 0 is none.
    """
    if not isinstance(table, Margins) and table.counts.any():
        table = without_rows(table, table.counts == 0)
    if missing is not None:
        errors.require_choice(missing, "missing", get_args(Missing))
        table = _dropped(table, missing)
    tables.require_columns(kept, table.names)
    declared = {name: sort_labels(set(table.columns[table.names.index(name)][1]) - {None}) for name in kept}
    suspicions = tuple(_suspicions(table, kept))
    table = table._replace(states={**declared, **table.states})
    if decimal is not None:
        errors.require_choice(decimal, "decimal", (",", "."))
    columns = [_with_points(c, decimal, name) for c, name in zip(table.columns, table.names, strict=True)]
    if done := [name for name, old, new in zip(table.names, table.columns, columns, strict=True) if old is not new]:
        note = f"commas are {'decimal' if decimal == ',' else 'of thousands'} in {', '.join(done)}"
        table = table._replace(columns=columns, notes=(*table.notes, note))
    table = _labeled(table if bins is None else _binned(*_with_calendars(table, bins)))
    return table._replace(notes=(*table.notes, *suspicions))


_GROUPS = re.compile(
    r"(?:.*[\W_])?(?:ids?|key|patient|person|subject|customer|client|user|student|household|family)(?:[\W_].*)?",
    re.IGNORECASE,
)
_BELONG = ": do the rows with the same value belong together, as those of one person do? Then pass groups="


def _suspicions(table: Table, kept: Iterable[str]) -> Iterator[str]:
    """Yield a question for each feature whose values may name groups of rows: by its name, or by equal numbers."""
    for at, name in enumerate(table.names[:-1]):
        counts = table.seen(at)
        counts = counts[counts > 0]
        alike = len(counts) > _VALUES and counts.min() == counts.max()
        if name not in kept and 2 * len(counts) <= table.total and (alike or _GROUPS.fullmatch(name)):
            number = f"{counts[0]:,}" if alike else f"{table.total / len(counts):.1f}"
            option = f"{_BELONG}{name!r} (--groups {shlex.quote(name)})"
            yield f"{name} has {number} rows for each of its {len(counts):,} values{option}"


def is_suspicion(note: str) -> bool:
    """Return whether a note asks if the values of a column name groups of rows."""
    return _BELONG in note


def groups_in_note(note: str, names: Iterable[str]) -> str | None:
    """Return the first of some columns that a note suspects of naming groups of rows, or None."""
    return next((name for name in names if f"{_BELONG}{name!r} (" in note), None)


def _with_points(column: Column, decimal: str | None, name: str) -> Column:
    """Return a column in which numbers with commas are written with points only.

    `decimal` says whether the comma is decimal or separates thousands. If it is None, a column of numbers with both
    points and commas is refused.
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
        needed, repair = "of numbers with points or commas alone", Message("pass ", Named("decimal", mark))
        raise repaired(InvalidValueError(explain(f"column {name!r}", needed, both, repair)), decimal=mark)
    pointed = [None if label is None else str(label).replace(dropped, "").replace(mark, ".") for label in labels]
    return _merged(codes, pointed)


# -- Missing values. Up to here, their label is None.


def _holes(table: Table) -> dict[str, Any]:
    """Return, for each column with missing values, the rows where its value is missing."""
    columns = zip(table.names, table.columns, strict=True)
    found = {name: codes == labels.index(None) for name, (codes, labels) in columns if None in labels}
    return {name: where for name, where in found.items() if where.any()}


def _numbers_of_rows(holes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({number:,})" for name, number in holes.items())


def note_on_dropped(dropped: int, total: int, holes: Mapping[str, int], target: str) -> str:
    """Return a note on the dropped rows, with the number of missing values by column. Refuse to drop all rows."""
    require(holes.get(target) != total, "target", "a column with values", target, "name another")
    if dropped == total:
        most = [max(holes, key=holes.__getitem__)]
        repair = Message("pass ", Named("missing", "label"), ", or ", Named("leave_out", most))
        error = InvalidValueError(explain("missing", "'label' if no row is complete", "drop", repair))
        raise repaired(error, missing="label")
    return f"{dropped:,} of {total:,} rows dropped, which have no value in {_numbers_of_rows(holes)}"


def rows_to_drop(table: Table, missing: str | None) -> dict[str, Any]:
    """Return, by column, the rows that are dropped for a missing value: in any column, or with `label` in the class."""
    names = table.names[-1:] if missing == "label" else table.names
    return {name: where for name, where in _holes(table).items() if name in names}


def _dropped(table: Table, missing: str) -> Table:
    holes = rows_to_drop(table, missing)
    if not holes:
        return table
    lost = np.any(list(holes.values()), axis=0)
    numbers = {name: int(table.counts[where].sum()) for name, where in holes.items()}
    note = note_on_dropped(int(table.counts[lost].sum()), table.total, numbers, table.names[-1])
    return without_rows(table._replace(notes=(*table.notes, note)), lost)


def without_rows(table: Table, lost: npt.NDArray[Any]) -> Table:
    """Return the table without some rows, and without labels that no other row has."""
    if not lost.any():
        return table
    columns: list[Column] = []
    for codes, labels in table.columns:
        kept = codes[~lost]
        used = np.bincount(kept, minlength=len(labels)) > 0
        columns.append(((used.cumsum() - 1)[kept], list(compress(labels, used))))
    return table._replace(columns=columns, counts=table.counts[~lost])


def _labeled(table: Table) -> Table:
    """Return the table with missing values as a state, the last of its column."""
    holes = _holes(table)
    columns, states, numbers = list(table.columns), dict(table.states), {}
    for name in holes:
        at = table.names.index(name)
        codes, labels = columns[at]
        numbers[name] = int(table.seen(at)[labels.index(None)])
        known = states.get(name) or sort_labels(label for label in labels if label is not None)
        repair = Message("rename that label, or drop the rows by ", Named("missing", "drop"))
        require(MISSING not in known, f"column {name!r}", "without a label 'missing' of its own", MISSING, repair)
        states[name] = [*known, MISSING]
        columns[at] = codes, [MISSING if label is None else label for label in labels]
    notes = [f"{MISSING!r} is a state of {_numbers_of_rows(numbers)}"] if holes else []
    return table._replace(columns=columns, states=states, notes=(*table.notes, *notes))


# -- Bins of numbers. A value at an edge belongs to the bin below. The edges of quantile bins are values that occur.


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
            for label, times in zip(labels, table.seen(at).tolist(), strict=True):
                if label is not None:
                    counted[numbers[label]] += times
            written = {number: str(label).strip() for label, number in numbers.items()}
            cuts = {cut: written[cut] for cut in quantile_cuts(counted, as_index(wanted, f"bins[{name!r}]"))}
        if not cuts:
            continue
        order, edge = list(cuts), list(cuts.values())
        words = tables.range_names(edge)
        moved = [None if label is None else words[bisect_left(order, numbers[label])] for label in labels]
        columns[at], states[name] = _merged(codes, moved), words
        comma = " (decimal commas)" if any(isinstance(label, str) and "," in label for label in labels) else ""
        edges.append(f"{name}{comma} {' | '.join(edge)}")
    notes = [f"{_BINS}{'; '.join(edges)}"] if edges else []
    return table._replace(columns=columns, states=states, notes=(*table.notes, *notes))


_BINS = "bins, with these upper edges: "


def edges_in_note(note: str, states: Mapping[str, Sequence[Label]]) -> list[tuple[str, str]]:
    """Return the columns whose bins a note describes, and the edges of each, as its states write them."""
    found = []
    for name, labels in states.items() if note.startswith(_BINS) else ():
        edges = " | ".join(tables.edges_of([label for label in labels if label != MISSING]))
        if edges and name in note and edges in note:
            found.append((name, edges))
    return found


def _plan(table: Table, bins: Bins) -> dict[str, tuple[dict[Label, Fraction], Any]]:
    """Return, by column, the numbers of its labels, and the number of bins or the edges that are wanted."""
    given: Mapping[Any, Any] = bins if isinstance(bins, Mapping) else {None: bins}
    tables.require_columns([name for name in given if name is not None], table.names, bins=given)
    for name, wanted in given.items():
        argument = "bins" if name is None else f"bins[{name!r}]"
        if name is None or not isinstance(wanted, Sequence) or isinstance(wanted, str):
            as_index(wanted, argument, at_least=2)
    plan: dict[str, tuple[dict[Label, Fraction], Any]] = {}
    likely = "," if tables.SEMICOLONS in table.notes else "."  # where commas are decimal, they cannot separate cells
    for name, (_, labels) in zip(table.names, table.columns, strict=True):
        values = [label for label in labels if label is not None]
        if name in given:
            numbers = (not isinstance(given[name], Sequence) and times_of(values)) or numbers_of(values, name, likely)
            if isinstance(given[name], Sequence) or len(set(numbers.values())) > given[name]:
                plan[name] = numbers, given[name]
        elif None in given and name != table.names[-1] and name not in table.states:
            moments = times_of(values)
            numbers = moments or numbers_if_any(values, name, likely)
            many = len(set(numbers.values())) > given[None]
            if many and (moments or not tells_rows_apart(values, table.total)):
                plan[name] = numbers, given[None]
    return plan


# -- Dates. Columns of dates are cut like numbers, and with 'calendar' they also give their months and weekdays.

_DATE = re.compile(
    r"\s*(\d+)([-./])(\d+)\2(\d+)(?:[T ]\s*(\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?))?\s*", re.ASCII
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _moment(label: object, order: str) -> datetime | None:
    """Return the date and time that a label is, or that its text names with year, month and day in this order."""
    if isinstance(label, datetime):
        return label
    if isinstance(label, date):
        return datetime.combine(label, time())
    found = _DATE.fullmatch(label) if isinstance(label, str) else None
    parts = dict(zip(order, found.group(1, 3, 4), strict=True)) if found else {}
    if found is None or len(parts["y"]) != 4 or (found[2] == "." and order == "mdy"):
        return None
    try:
        day = date(*(int(parts[part]) for part in "ymd"))
        return datetime.combine(day, time.fromisoformat(found[5] or "00:00"))
    except ValueError:  # there is no such day
        return None


def moments_of(labels: Iterable[Label]) -> dict[Label, datetime]:
    """Return the date and time of each label. Return nothing unless all are dates, in exactly one notation."""
    listed, readings = list(labels), list[dict[Label, datetime]]()
    for order in ("ymd", "dmy", "mdy"):
        found = dict[Label, datetime]()
        for label in listed:
            if (moment := _moment(label, order)) is None:
                break
            found[label] = moment
        else:
            if found not in readings:
                readings.append(found)
    zones = {moment.tzinfo is None for moment in readings[0].values()} if len(readings) == 1 else ()
    return readings[0] if len(zones) == 1 else {}


def times_of(labels: Iterable[Label]) -> dict[Label, Fraction]:
    """Return the dates and times of a column of dates as numbers of nanoseconds. Return nothing for other columns."""
    return {label: Fraction(_nanoseconds(moment)) for label, moment in moments_of(labels).items()}


def _nanoseconds(moment: datetime) -> int:
    seconds = ((moment.toordinal() * 24 + moment.hour) * 60 + moment.minute) * 60 + moment.second
    own = 1000 * moment.microsecond + getattr(moment, "nanosecond", 0)  # pandas counts nanoseconds
    return seconds * 10**9 + own - 1000 * ((moment.utcoffset() or timedelta()) // timedelta(microseconds=1))


def _with_calendars(table: Table, bins: Bins) -> tuple[Table, Bins]:
    """Return the table with the months and weekdays of the columns of dates that ask for them, and the other bins.

    A month repeats if it occurs in two years, and a weekday if it occurs in two weeks. Others are left out.
    """
    given: Mapping[Any, Any] = bins if isinstance(bins, Mapping) else {}
    parts: list[tuple[int, str, Column]] = []
    states, notes = dict(table.states), []
    for at, (name, (codes, labels)) in enumerate(zip(table.names, table.columns, strict=True)):
        parts.append((at, name, (codes, labels)))
        if given.get(name) != CALENDAR:
            continue
        moments, argument = moments_of(label for label in labels if label is not None), f"bins[{name!r}]"
        needed = "a number of ranges, unless it is a feature of dates such as 2026-11-28"
        require(moments and name != table.names[-1], argument, needed, CALENDAR, "pass 4, say")
        for kind, words in (("month", _MONTHS), ("weekday", _WEEKDAYS)):
            months = kind == "month"
            found = {k: (m.month - 1, m.year) if months else (m.weekday(), m.toordinal()) for k, m in moments.items()}
            places = sorted({place for place, _ in found.values()})
            if 1 < len(places) < len({*found.values()}):
                new = f"{name}: {kind}"
                require(new not in table.names, argument, "a number beside a column of this name", new, "rename it")
                moved = [None if label is None else words[found[label][0]] for label in labels]
                parts.append((at, new, _merged(codes, moved)))
                states[new] = [words[place] for place in places]
        made = [repr(new) for origin, new, _ in parts if origin == at and new != name]
        if made:
            notes.append(
                f"{_DATES}{name} repeat, and also make {' and '.join(made)}{_ALONE}, pass "
                f"bins={{{name!r}: 4}} (--bins {shlex.quote(f'{name}=4')})"
            )
    origins, names, columns = zip(*parts, strict=True)
    counts: Any = [table.counts[at] for at in origins] if isinstance(table, Margins) else table.counts
    table = table._replace(names=names, columns=columns, counts=counts, states=states, notes=(*table.notes, *notes))
    number = given.get(None, 4)
    return table, {name: number if own == CALENDAR else own for name, own in given.items()} or bins


_DATES, _ALONE = "the dates of ", "; to have ranges of time alone"


def columns_read(names: Iterable[str], notes: Iterable[str]) -> list[str]:
    """Return the columns without those of months and weekdays that were made of dates, as the notes say."""
    made = [note.rpartition(_ALONE)[0] for note in notes if note.startswith(_DATES)]
    return [name for name in names if not any(repr(name) in note for note in made)]


def source_of(name: str, names: Container[str]) -> str:
    """Return the column of dates from which a column of months or weekdays was made, or else the column itself."""
    return name if name in names else name.rpartition(": ")[0]


def tells_rows_apart(labels: Sequence[Label], rows: int) -> bool:
    """Return whether a column is an identifier: whole numbers, all different, or texts of which nearly all differ."""
    if rows <= MANY or 10 * len(labels) <= 9 * rows or any(isinstance(label, float) for label in labels):
        return False
    numbers = [number_of(_pointed(label)) for label in labels]
    return not any((number or 0) % 1 for number in numbers) and (len(labels) >= rows or None in numbers)


def refuse_identifiers(names: Sequence[str]) -> None:
    """Refuse identifiers: columns with a state of its own for every row."""
    if names:
        text = Message(
            f"features must have states that several rows share, not one for each row as {first_of(names)}; pass ",
            Named("leave_out", names), ", or ", Named("keep_continuous", True), " to keep all states (for numbers ",
            Named("bins", {names[0]: 4}), ")",
        )  # fmt: skip
        raise repaired(InvalidValueError(text), leave_out=tuple(names))


def numbers_of(labels: Iterable[Label], name: str, likely: str = ".") -> dict[Label, Fraction]:
    """Return the exact numbers that the labels of a column stand for. Refuse the first label that is not a number.

    If nothing tells what commas mean, the `likely` decimal mark is advised.
    """
    listed = list(labels)
    comma = has_decimal_commas(listed)
    found: dict[Label, Fraction] = {}
    for label in listed:
        number = number_of(_pointed(label) if comma else label)
        if number is None:
            usual = isinstance(label, str) and label.strip() in tables.USUAL
            if isinstance(label, str) and _THOUSANDS.fullmatch(label.strip()):
                commas, points = (Named("decimal", mark) for mark in ",.")
                repair = Message("the comma may be decimal or separate thousands: pass ", commas, " or ", points)
                error = InvalidValueError(explain(f"column {name!r}", "of numbers that are unambiguous", label, repair))
                several = any(isinstance(other, str) and other.count(",") > 1 for other in listed)
                raise repaired(error, decimal="." if several else likely)
            repair = Message("name other columns, or pass ", Named("na", [label]))
            if usual:
                repair = Message("pass ", Named("missing", "label"), " or ", Named("missing", "drop"))
            error = InvalidValueError(explain(f"column {name!r}", "of numbers alone to make bins of it", label, repair))
            raise repaired(error, missing="label") if usual else repaired(error, missing="label", na=(label,))
        found[label] = number
    return found


def has_decimal_commas(labels: Iterable[object]) -> bool:
    """Return whether commas in the numbers of a column are decimal.

    They are not if the numbers also have points. A number such as 1,234 does not decide, because its comma may separate
    thousands. So another number has to decide.
    """
    texts = [label.strip() for label in labels if isinstance(label, str)]
    commas = [text for text in texts if "," in text]
    if any("." in text for text in texts) or all(map(_THOUSANDS.fullmatch, commas)):
        return False
    return all(number_of(_pointed(text)) is not None for text in commas)


def numbers_if_any(labels: Sequence[Label], name: str, likely: str = ".") -> dict[Label, Fraction]:
    """Return the numbers of a column of numbers, or nothing for a column of categories.

    If a column has many labels, and most but not all are numbers, it is refused: the caller has to explain the others.
    """
    try:
        return numbers_of(labels, name, likely)
    except InvalidValueError:
        some = sum(number_of(_pointed(label)) is not None for label in labels)
        if len(labels) > MANY and 2 * some > len(labels):
            raise
        return {}


def _pointed(label: Label) -> Label:
    return label.replace(",", ".") if isinstance(label, str) else label


def number_of(label: Label) -> Fraction | None:
    """Return the exact number that a label is, or that its text stands for. Return None if it is not a number."""
    if isinstance(label, str):
        text = label.strip()
        return parse_fraction(text) if _DECIMAL.fullmatch(text) else None
    if isinstance(label, bool) or not isinstance(label, int | float | Fraction | Decimal):
        return None
    is_finite = not isinstance(label, float | Decimal) or math.isfinite(label)  # an integer may be larger than a float
    return Fraction(label) if is_finite else None


def quantile_cuts(counted: Mapping[Fraction, int], number: int) -> list[Fraction]:
    """Return the upper edges of all bins but the last: about j / `number` of the rows are at most as large as edge j.

    Equal values stay together. If two values are equally near to a share, the smaller one is taken. Bins are never
    empty, so there may be fewer than `number`.
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
    """Return the edges that a caller gives. They must match the column: no floats for texts, no texts for floats."""
    argument = f"bins[{name!r}]"
    require(len(wanted), argument, "at least one edge", wanted, "give the upper edge of the first bin")
    cuts: dict[Fraction, str] = {}
    for edge in wanted:
        number = number_of(
            errors.require_type(edge, (int, float, Fraction, Decimal, str), argument, "of numbers", "pass [18, 65]")
        )
        require(number is not None, argument, "of numbers", edge, "pass [18, 65], for example")
        assert number is not None
        for kind, other, repair in ((float, str, f"write '{edge}'"), (str, float, f"write {edge}")):
            if isinstance(edge, kind) and any(isinstance(label, other) for label in labels):
                raise errors.InvalidTypeError(
                    explain(argument, f"no {kind.__name__} beside a {other.__name__}", edge, repair)
                )
        cuts[number] = exact_text(edge) if isinstance(edge, Fraction) else str(edge).strip()
    rises = len(cuts) == len(wanted) and all(low < high for low, high in pairwise(cuts))
    require(rises, argument, "of rising edges", list(wanted), "sort them and give each once")
    return cuts


def _merged(codes: Any, labels: Sequence[Label | None]) -> Column:
    """Return a column with new labels, of which some may be equal now."""
    places: dict[Any, int] = {}
    moved = np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.int64)
    return moved[codes], list(places)


# -- Batches.


class Margins(Table):
    """The margins of a table: the labels of each column by itself, and in `counts` how often each label occurs."""

    __slots__ = ()

    def seen(self, at: int) -> npt.NDArray[Any]:
        """Return how often each label of the column at this position was seen."""
        return Table(*self)._replace(counts=self.counts[at]).seen(at)

    @property
    def total(self) -> int:
        """The number of rows."""
        return int(self.counts[-1].sum())


class Batches:
    """Batches of rows that can be read repeatedly, by any workers."""

    def __init__(self, given: Any, options: Options, executor: Workers, progress: Progress, **text: Any) -> None:
        self._options = {**options, "leave_out": errors.as_names(options["leave_out"], "leave_out")}
        if options["features"] is not None:
            self._options["features"] = errors.as_names(options["features"], "features")
        self._map, self._listener = partial(map_chunks, executor=executor), Listener(progress)
        self._schema: Any = None  # of the chosen columns, if Arrow can count their rows
        is_text = isinstance(given, str | os.PathLike) and tables.kind_of(given) in (".csv", ".tsv")
        for name, value in text.items():
            require(is_text or value is None, name, "left out unless the batches are a CSV file", value, "drop it")
        if is_text:
            named = {name: self._options[name] for name in ("target", "features", "leave_out", "missing")}
            file = tables.CsvFile(as_path(given, "batches"), counts=self._options["count"], **named, **text)
            given = partial(tables.text_in_batches, file)
        self._parts = self._opened(_dataset(given) if isinstance(given, str | os.PathLike) else given)

    def _opened(self, given: Any) -> Callable[[], Iterable[Any]]:
        """Return a function that yields the batches.

        If columns are stored separately, only the chosen columns are read.
        """
        for own, parts in (("get_fragments", _row_groups), ("get_partition", _partitions)):  # of Arrow, of Dask
            if hasattr(given, own):
                existing = list(given.columns if hasattr(given, "columns") else given.schema.names)
                about = None if hasattr(given, "columns") else given.schema.pandas_metadata  # it names an index
                columns = [name for name in existing if name not in (about or {}).get("index_columns", ())]
                options = {name: self._options[name] for name in ("target", "features", "leave_out", "count")}
                chosen = tables.chosen_columns(columns, **options)
                self._options.update(features=chosen[:-1], leave_out=())
                chosen = chosen if options["count"] is None else (*chosen, options["count"])
                if parts is _row_groups:
                    self._schema = engines.countable(given.schema, chosen)
                return partial(parts, given, [*chosen])
        tables.refuse_frame(given, "batches")
        if isinstance(given, Iterator) or not (callable(given) or isinstance(given, Iterable)):
            needed = "readable twice: a list, a Parquet path, a Dask DataFrame or a function that makes an iterator"
            raise errors.InvalidTypeError(explain("batches", needed, given, _READ))
        return given if callable(given) else partial(iter, given)

    def _each(self, function: Callable[[Any], Any]) -> Iterator[Any]:
        with enough_memory("a batch", "let batches have fewer rows"):
            yield from self._map(function, self._parts())

    def distinct(self) -> Table | None:
        """Return the distinct rows of a dataset of Arrow, which counts them in one pass.

        Return None for other batches, and if most rows are distinct.
        """
        schema, count = self._schema, self._options["count"]
        if schema is None:
            return None

        def told(tell: Listener) -> Iterator[Any]:
            for number, part in enumerate(self._each(partial(engines.distinct_rows, schema, True)), 1):
                yield part
                tell(f"{number:,} parts of the rows counted")

        with self._listener as tell:
            found = engines.distinct_rows(schema, True, told(tell))
        if found is None:
            return None
        names, times = schema.names[: None if count is None else -1], engines.name_of_counts(schema.names)
        return tables.table_of(engines.opened(found), tuple(names), self._options["missing"], count, times)

    def survey(self) -> Margins:
        """Read the batches and return the margins, with labels in the order of a table of all rows."""
        seen: dict[str, dict[Any, tuple[Label | None, int]]] = {}
        states: Mapping[str, Any] = {}
        holes, rows, times, dropped, notes = Counter[str](), 0, 0, 0, dict[str, None]()
        with self._listener as tell:
            for looked in self._each(partial(_look, self._options)):
                for table, number, lost, where in looked:
                    notes |= dict.fromkeys(table.notes)
                    seen, states = seen or {name: {} for name in table.names}, states if seen else table.states
                    needed, repair = f"of the columns {tuple(seen)} each", "choose features"
                    require(seen.keys() == {*table.names}, "batches", needed, table.names, repair)
                    if where and self._options["missing"] is None:
                        name, (missed, first) = next(iter(where.items()))
                        raise tables.missing_in(name, f"{missed} or more", rows + first, self._options["target"])
                    holes.update({name: missed for name, (missed, _) in where.items()})
                    states = {name: labels for name, labels in states.items() if table.states.get(name) == labels}
                    for at, name in enumerate(table.names):
                        _enter(seen[name], table.columns[at][1], table.seen(at).tolist())
                    rows, times, dropped = rows + number, times + table.total + lost, dropped + lost
                labels = sum(map(len, seen.values()))
                widest = max(seen, key=lambda name: len(seen[name]), default="")
                repair = Message("pass ", Named("leave_out", [widest]), ", say")
                require_cells((labels,), "the labels of batches", repair, _LABEL_BYTES)
                tell(f"{rows:,} rows read, {labels:,} different labels")
        require(rows, "batches", "of at least one row", rows, "a sample is not empty")
        require(times, "the sum of the counts", "above 0", times, "a sample is not empty")
        lacking = {name: holes[name] for name in seen if holes[name]}
        own = [note_on_dropped(dropped, times, lacking, self._options["target"])] if lacking else []
        kept = [_labels(name, known) for name, known in seen.items()]
        columns = [(np.arange(len(pairs)), [label for label, _ in pairs]) for pairs in kept]
        counts: Any = [np.array([number for _, number in pairs]) for pairs in kept]
        return Margins(tuple(seen), columns, counts, states, (*notes, *own))

    def count(self, places: Places, shape: Sequence[int], total: int, subsets: Sequence[Sequence[int]]) -> list[Rows]:
        """Read the batches and return the distinct rows of each of some subsets of the columns."""
        parts = [[_no_rows(shape, axes)] for axes in subsets]
        with self._listener as tell:
            for found in self._each(partial(_count, self._options, places, shape, subsets)):
                for own, rows in zip(parts, found, strict=True):
                    own.append(rows)
                    if sum(map(len, own[1:])) > max(len(own[0]), _ROWS):
                        own[:] = [_together(own)]
                tell(f"{sum(rows.total for rows in parts[0]):,} of {total:,} rows counted")
        merged = list(map(_together, parts))
        again, repair = merged[0].total, "they are read several times and must not change"
        require(again == total, "batches", f"of {total:,} rows as before", again, repair)
        return merged


def _dataset(path: str | os.PathLike[str]) -> Any:
    arrow = import_optional("pyarrow.dataset", "arrow", "a Parquet dataset")
    try:
        kind = "feather" if tables.kind_of(path) in (".feather", ".arrow") else "parquet"
        return arrow.dataset(str(as_source(path, "batches").absolute()), format=kind, partitioning="hive")
    except (ValueError, FileNotFoundError) as error:  # of Arrow
        needed, repair = "CSV, Feather, or a file or folder of Parquet", f"for other files {_READ}"
        raise InvalidValueError(explain("batches", needed, str(path), repair)) from error


def _row_groups(dataset: Any, columns: list[str]) -> Iterator[Callable[[], Iterator[Any]]]:
    """Yield functions that read the separately readable parts of the files of an Arrow dataset."""
    rows = 1 + _CELLS // len(columns)
    options = {"columns": columns, "batch_size": rows, "batch_readahead": 1, "use_threads": False}
    for fragment in dataset.get_fragments():
        for group in fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]:
            yield partial(group.to_batches, schema=dataset.schema, **options)


def _partitions(frame: Any, columns: list[str]) -> Iterator[Callable[[], Any]]:
    """Yield functions that compute the partitions of a Dask DataFrame, each separately."""
    dask, chosen = import_optional("dask", "cluster", "a DataFrame of Dask"), frame[columns]
    for number in range(frame.npartitions):
        part = chosen.get_partition(number).optimize()
        yield partial(dask.get, dict(part.__dask_graph__()), part.__dask_keys__()[0])


def _tables(options: Options, part: Any) -> Iterator[Table]:
    """Yield the tables of a batch.

    A batch may be a function that returns one or more tables, which the worker calls.
    """
    found = part() if callable(part) else part
    for frame in found if isinstance(found, Iterator) else [found]:
        if type(frame).__name__ == "RecordBatch":  # of Arrow
            frame = import_optional("pyarrow", "arrow", "a record batch").Table.from_batches([frame])
        if not hasattr(frame, "columns") or len(frame):
            missing = options["missing"] or "label"
            yield frame if isinstance(frame, Table) else tables.read_frame(frame, **{**options, "missing": missing})


# -- The first pass: the labels of each column.


def _look(options: Options, part: Any) -> list[tuple[Margins, int, int, dict[str, tuple[int, int]]]]:
    """Return, for each table of a part, its margins, its rows, the dropped rows, and where values are missing."""
    looked = []
    for table in _tables(options, part):
        holes = rows_to_drop(table, options["missing"])
        dropped = np.any([np.zeros(len(table.counts), dtype=bool), *holes.values()], axis=0)
        rest = ~dropped if dropped.any() else slice(None)
        kept = [(codes[rest], labels) for codes, labels in table.columns]
        counted = table._replace(columns=kept, counts=table.counts[rest])
        counts: Any = [counted.seen(at) for at in range(len(kept))]
        columns = [(np.arange(len(labels)), labels) for _, labels in table.columns]
        where = {name: (int(table.counts[hole].sum()), int(hole.argmax())) for name, hole in holes.items()}
        states = {name: list(labels) for name, labels in table.states.items()}
        margins = Margins(table.names, columns, counts, states, table.notes)
        looked.append((margins, len(dropped), int(table.counts[dropped].sum()), where))
    return looked


def _enter(known: dict[Any, tuple[Label | None, int]], labels: Iterable[Label | None], counts: Iterable[int]) -> None:
    """Add labels to the labels of a column. The keys include the type, because Python takes some labels for equal."""
    for label, number in zip(labels, counts, strict=True):
        key = type(label), repr(label) if isinstance(label, tuple) else label
        known[key] = label, known.get(key, (label, 0))[1] + number


def _labels(name: str, known: Mapping[Any, tuple[Label | None, int]]) -> list[tuple[Label | None, int]]:
    """Return the labels of the rows that are kept, and how often each occurs. Refuse labels that do not go together."""
    kept = [pair for pair in known.values() if pair[1]]
    kinds, repair = {type(label) for label, _ in kept}, "read them as dtype='Int64' where integers may be missing, say"
    require(not {int, float} <= kinds, f"column {name!r}", "of integers or of floats in all batches", "both", repair)
    tables.encode_rows([label for label, _ in kept if label is not None], f"column {name!r}")
    return kept


# -- The later passes: counts of rows.


def _count(options: Options, places: Places, shape: Sequence[int], subsets: Sequence[Any], part: Any) -> list[Rows]:
    counted = [[_no_rows(shape, axes)] for axes in subsets]
    for table in _tables(options, part):
        read, columns = dict(zip(table.names, table.columns, strict=True)), []
        for name, place in places.items():
            found, labels = read[source_of(name, read)]
            columns.append(np.array([place.get(label, -1) for label in labels], dtype=np.int32)[found])
        kept = np.logical_and.reduce([column >= 0 for column in columns])
        kept = slice(None) if kept.all() else kept
        codes = [smallest(column[kept], states) for column, states in zip(columns, shape, strict=True)]
        for own, axes in zip(counted, subsets, strict=True):
            if len(codes[-1]):
                own.append(Rows([codes[axis] for axis in axes], table.counts[kept], own[0].shape).grouped())
    return list(map(_together, counted))


def _no_rows(shape: Sequence[int], axes: Sequence[int]) -> Rows:
    return Rows([np.empty(0, dtype=np.uint8) for _ in axes], None, [shape[axis] for axis in axes], distinct=True)


def _together(parts: Sequence[Rows]) -> Rows:
    repair = Message("choose fewer columns, or pass ", Named("keep", "counts"), " and ask of some at a time")
    shape, number = parts[0].shape, sum(map(len, parts))
    require_cells((number, len(shape)), "the different rows of batches", repair)
    if number == len(parts[0]):
        return parts[0]
    columns = [np.concatenate(column) for column in zip(*(part.columns for part in parts), strict=True)]
    return Rows(columns, np.concatenate([part.counts for part in parts]), shape).grouped()
