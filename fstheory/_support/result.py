"""`Result`, which makes text, HTML, LaTeX and JSON from fields, `Table`, which makes them from rows, and `Check`."""

from __future__ import annotations

import copyreg
import dataclasses
import functools
import html
import itertools
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from fstheory._support.exact import (
    Irrational,
    decimal_text,
    latex_approximation,
    latex_escaped,
    latex_text,
    latex_value,
    numbers_as_text,
    to_text,
)
from fstheory.errors import InvalidTypeError, explain, import_optional, show

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

_ROWS = 16  # rows of a listing
_LINES = 100  # lines in a notebook
_LONGEST = 4000  # characters of a line in a notebook
_REPR = 160  # characters of a repr
_WIDTH = 60  # characters of a line of text in LaTeX

copyreg.pickle(MappingProxyType, lambda proxy: (_read_only, (dict(proxy),)))


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return a read-only view of a mapping. Pickle needs this name, because it finds no name for the type."""
    return MappingProxyType(mapping)


_OF_FRAMES = re.compile(
    "T|agg|apply|columns|corr|describe|dtypes|groupby|head|hist|i?loc|idxmax|idxmin|index|max|mean|min|nlargest|nsmallest"
    "|query|shape|sort_values|std|tail|to_(csv|excel|numpy|string)|value_counts"
)
"""Attributes of pandas frames and series that users often try on a result."""


class Guide:
    """The base class of values whose errors name the right call for usual attributes of pandas and NumPy."""

    __slots__ = ()
    _instead: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """From a missing attribute to the call that does the same."""

    if not TYPE_CHECKING:  # a type checker knows the attributes

        def __getattr__(self, name: str) -> Any:
            """Refuse an attribute that does not exist, and name the call to use."""
            kind = type(self)
            known = hasattr(kind, "to_frame") and _OF_FRAMES.fullmatch(name)
            by_frame = f".to_frame().{name} of pandas" if known else ""
            call = kind._instead.get(name, by_frame)
            text = f"{kind.__name__!r} object has no attribute {name!r}" + (f"; use {call}" if call else "")
            raise AttributeError(text, name=name, obj=self)


class Result(Guide):
    r"""The base class of results. A notebook shows the text of a result, and its repr is the first line of the text.

    The text is made by ``__str__`` of the class. If a dataclass has no ``__str__``, its text lists the fields. The text
    of any other class without ``__str__`` is its repr.

    Examples
    --------
    >>> @dataclasses.dataclass(frozen=True, repr=False)
    ... class Risk(Result):
    ...     subset: frozenset[str]
    ...     value: Fraction
    >>> found = Risk(frozenset({"X1"}), Fraction(1, 3))
    >>> print(found)
    Risk
      subset: {X1}
      value:  1/3 ≈ 0.3333
    >>> found
    <Risk: subset {X1}, value 1/3 ≈ 0.3333>
    >>> found.to_dict()
    {'schema': 'fstheory/risk', 'version': 1, 'subset': ['X1'], 'value': '1/3'}
    """

    __slots__ = ()
    _derived: ClassVar[tuple[str, ...]] = ()
    """The properties that the JSON has in addition to the fields."""

    def __str__(self) -> str:
        return listing(type(self).__name__, _fields(self).items()) if dataclasses.is_dataclass(self) else repr(self)

    def __repr__(self) -> str:
        if type(self).__str__ is Result.__str__:
            text = ", ".join(f"{name} {value}" for name, value in _fields(self).items())
        else:
            text = str(self).partition("\n")[0]
        return f"<{type(self).__name__}: {_cut(text, _REPR)}>"

    def _repr_html_(self) -> str:
        lines = str(self).split("\n")
        shown = [html.escape(_cut(line, _LONGEST)) for line in lines[:_LINES]]
        rest = [f"... {len(lines) - _LINES} more lines"] if len(lines) > _LINES else []
        return f'<pre class="fstheory" style="white-space: pre-wrap">{chr(10).join(shown + rest)}</pre>'

    def to_latex(self) -> str:
        r"""Return the fields as a LaTeX array for math mode, one row for each field.

        Exact numbers and distributions are formulas. Everything else is text.
        """
        rows = self._rows_in_latex()
        return r"\begin{array}{ll} " + r" \\ ".join(rows) + r" \end{array}" if rows else latex_text(self)

    def _rows_in_latex(self) -> list[str]:
        """Return the rows of the LaTeX array: one for each field."""
        rows = []
        for name in _shown(self) if dataclasses.is_dataclass(self) else list[str]():
            value = getattr(self, name)
            plain = isinstance(value, Result) or not (isinstance(value, Fraction) or hasattr(value, "to_latex"))
            parts = textwrap.wrap(one_line(value, _features(self)), _WIDTH) or [""]
            cells = [latex_text(part) for part in parts] if plain else [latex_value(value)]
            rows += [f"{latex_text(name.replace('_', ' '))} & {cells[0]}", *(f" & {cell}" for cell in cells[1:])]
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON data: the name and the version of its schema, then its fields.

        Exact numbers are texts such as "3/8". Irrational numbers have terms and a decimal. Estimates have six digits.
        Subsets are lists. Mappings with keys that are not texts are lists of pairs. Distributions and samples are left
        out.
        """
        schema = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", type(self).__name__).lower()
        content: dict[str, Any] = numbers_as_text(self._content(_features(self)))
        return titled(schema, content)

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        """Return the fields as JSON data, in which exact numbers may still be numbers.

        A result without fields has its items, or its text.
        """
        if not dataclasses.is_dataclass(self):
            return _data(dict(self), features) if isinstance(self, Mapping) else {"text": str(self)}
        found = {name: value for name in _shown(self) if not _is_left_out(value := getattr(self, name))}
        found |= {name: getattr(self, name) for name in self._derived}
        return {name: _data(value, features) for name, value in found.items()}


class Rows(Result):
    """The base class of results that are a table: a sequence of results, such as the steps of a search."""

    __slots__ = ()
    _table: ClassVar[str] = "trace"
    """The attribute that holds the rows."""

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each step, or for each entry of another table.

        The columns are the attributes of the rows. Exact numbers and sets stay what they are.
        """
        rows = getattr(self, self._table)
        return frame_of({name: getattr(row, name) for name in (*_shown(row), *row._derived)} for row in rows)


class ByParts:
    """The base class of values that are equal if they have one type and equal `_parts`."""

    __slots__ = ()

    @property
    def _parts(self) -> Any:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return bool(self._parts == other._parts) if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts)


@dataclass(frozen=True, repr=False)
class OnColumns(Result):
    """The base class of results without data that still write features in the order of the columns."""

    _columns: tuple[str, ...] = field(default=(), repr=False, compare=False, kw_only=True)


class FeatureData(Guide):
    """The base class of distributions and samples. The JSON of a result leaves them out."""

    __slots__ = ()
    _items: ClassVar[str]
    """The advice for code that indexes the value, iterates over it or makes an array of it."""
    __array_ufunc__ = None  # comparing an array with it is comparing with one value

    def __array__(self, *of: object, **options: object) -> Any:
        """Refuse to become an array of NumPy, which would hold the value as its one element."""
        raise InvalidTypeError(f"a {type(self).__name__} is no array; {self._items}")

    def __getitem__(self, key: object) -> Any:
        """Refuse to look up an item, because there are none."""
        raise InvalidTypeError(f"a {type(self).__name__} has no items, so not [{show(key)}]; {self._items}")

    features: Any  # the names of the features, in order
    to_json: Any  # the method that returns the JSON text


def _shown(value: Any) -> list[str]:
    """Return the names of the fields that are shown: fields that are not private and not hidden by ``repr=False``."""
    return [field.name for field in dataclasses.fields(value) if field.repr and not field.name.startswith("_")]


def _is_left_out(value: Any) -> bool:
    """Return whether JSON leaves a value out: data, which have a file of their own, functions and estimators."""
    is_code = callable(value) or hasattr(value, "fit")
    return isinstance(value, FeatureData) or (is_code and not isinstance(value, Result))


def _features(value: Any) -> tuple[str, ...]:
    """Return the features of the data behind a result, in their order."""
    if isinstance(value, OnColumns) and value._columns:
        return value._columns
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    found: list[Any] = [getattr(value, field.name) for field in fields]
    return next((tuple(part.features) for part in found if isinstance(part, FeatureData)), ())


def titled(schema: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON document that begins with the name and the version of its schema."""
    return {"schema": f"fstheory/{schema}", "version": 1, **content}


def to_json(value: Any, features: Sequence[str] = ()) -> Any:
    """Return a value as JSON data, with the names of subsets in the order of `features`."""
    return numbers_as_text(_data(value, features))


def _data(value: Any, features: Sequence[str]) -> Any:
    """Return a value as JSON data, in which exact numbers are still numbers."""
    if value is None or isinstance(value, bool | str | int | Fraction):
        return value
    if isinstance(value, float):
        return f"{value:.6g}"
    if hasattr(value, "free_symbols"):  # an expression of SymPy
        return str(value)
    if hasattr(value, "is_rational"):
        return value.as_fraction() if value.is_rational() else value.to_dict()
    if isinstance(value, Result) and dataclasses.is_dataclass(value):
        return value._content(_features(value) or features)
    if isinstance(value, FeatureData):
        return json.loads(value.to_json())
    if isinstance(value, Mapping):
        pairs = [(_data(name, features), _data(part, features)) for name, part in value.items()]
        return dict(pairs) if all(isinstance(name, str) for name in value) else [list(pair) for pair in pairs]
    if isinstance(value, Result):
        return str(value)
    if isinstance(value, frozenset):
        return _data(in_order(value, features), ())
    if hasattr(value, "tolist"):  # an array or a number of NumPy
        return _data(value.tolist(), features)
    if isinstance(value, Iterable):
        return [_data(part, features) for part in value]
    kinds = "a string, an integer, a boolean or a tuple of these in JSON"
    raise InvalidTypeError(explain("every state", kinds, value, "relabel it"))


def listing(head: str, rows: Iterable[tuple[str, str]], total: int = 0) -> str:
    """Return a text with a heading and, indented below it, the first few of `total` names with their values."""
    shown = list(itertools.islice(rows, _ROWS))
    width = max((len(name) for name, _ in shown), default=0) + 1
    lines = [f"  {(name + ':').ljust(width)} {value}" for name, value in shown]
    rest = [f"  ... {total - len(shown)} more"] if total > len(shown) else []
    return "\n".join([head, *lines, *rest])


# -- Tables: one record of cells, from which text, HTML and LaTeX are made.


class Styled(NamedTuple):
    """Text in bold ("b"), italic ("i"), as code ("code") or pale ("faint")."""

    text: str
    style: str


class Sets(NamedTuple):
    """The names of some subsets of the features, and words such as " and 3 more" for the others, or none."""

    names: tuple[str, ...]
    more: str


class Formula(NamedTuple):
    """Text that is mathematics in LaTeX."""

    text: str
    latex: str


class Rounded(NamedTuple):
    """An exact number that is shown as a decimal."""

    value: Any


Piece: TypeAlias = str | Styled | Sets
Text: TypeAlias = Piece | tuple[Piece, ...]
Cell: TypeAlias = Text | Formula | Rounded | Fraction | Irrational
TIED = "\0"  # stands for a blank at which no line is broken
BREAK = "\v"  # splits a cell in two lines; no name has this character


class Table(NamedTuple):
    """A table. If `head` is empty, it has no head. A row of one cell spans all columns, if they are several.

    The columns in `numbers` are aligned to the right, and the cells of those in `names` name their rows. If `folded` is
    not empty, a long table is folded on the page, below these words.
    """

    head: tuple[Cell, ...]
    rows: Sequence[tuple[Cell, ...]]
    numbers: Collection[int] = ()
    folded: str = ""
    names: Collection[int] = (0,)


def without_column(table: Table, left_out: int) -> Table:
    """Return a table without one of its columns."""
    head, *rows = ((*row[:left_out], *row[left_out + 1 :]) for row in (table.head, *table.rows))
    numbers, names = (
        tuple(i - (i > left_out) for i in columns if i != left_out) for columns in (table.numbers, table.names)
    )
    return Table(head, rows, numbers, table.folded, names)


def plain(cell: Cell) -> str:
    """Return a cell as text."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Styled | Formula):
        return cell.text
    if isinstance(cell, Rounded):
        return decimal_text(cell.value)
    if isinstance(cell, Sets):
        return ", ".join(name.replace(" ", TIED) for name in cell.names) + cell.more
    return "".join(map(plain, cell)) if isinstance(cell, tuple) else to_text(cell, 0)


def written(cell: Cell) -> str:
    """Return a cell as HTML."""
    if isinstance(cell, Sets):
        return ", ".join(map(_set_in_html, cell.names)) + cell.more
    if isinstance(cell, Styled):
        start, end = ('span class="faint"', "span") if cell.style == "faint" else (cell.style, cell.style)
        return f"<{start}>{html.escape(cell.text)}</{end}>"
    if isinstance(cell, tuple) and not isinstance(cell, Formula | Rounded):
        return "".join(map(written, cell))
    return html.escape(plain(cell)).replace(BREAK, "<br>")


_SUBSCRIPT = re.compile(r"([A-Za-z]+)([0-9]+)")


def _set_in_html(name: str) -> str:
    """Return the name of a subset as HTML: italic letters with subscripts, or names in braces."""
    if name.startswith("{"):
        words = html.escape(name).replace("_", "_<wbr>")  # where a long name may be broken
        return f'<span class="set words">{"∅" if name == "{}" else words}</span>'
    return '<span class="set">' + _SUBSCRIPT.sub(r"\1<sub>\2</sub><wbr>", name) + "</span>"


def _cell_in_latex(cell: Cell) -> str:
    """Return a cell as LaTeX."""
    if isinstance(cell, Formula):
        return f"${cell.latex}$"
    if isinstance(cell, Rounded):
        return "$" + latex_approximation(plain(cell)).removeprefix(r"\approx ") + "$"
    return latex_escaped(plain(cell)) if isinstance(cell, str | tuple) else f"${latex_value(cell)}$"


def table_text(table: Table, indent: str = "") -> list[str]:
    """Return the lines of an aligned table. If cells have two lines, each becomes a row with the head of its column."""
    head, *rows = (tuple(plain(cell).replace("\n", r"\n") for cell in row) for row in (table.head, *table.rows))
    if any(BREAK in cell for row in rows for cell in row):
        rows = [
            (row[0] if i == 1 else "", head[i], *cell.split(BREAK)) for row in rows for i, cell in enumerate(row) if i
        ]
        head = ()
    several = len(table.head) != 1
    aligned = [row for row in rows if not several or len(row) > 1]
    lines = columns([head, *aligned] if head else aligned, indent, table.numbers)
    for place, row in enumerate(rows, start=bool(head)):
        if several and len(row) == 1:
            lines.insert(place, indent + row[0])
    return lines


def table_html(table: Table, kind: str = "fstheory", caption: str = "") -> str:
    """Return a table as HTML of this class. A lone cell spans all columns."""

    def in_column(i: int, tag: str, cell: Cell) -> str:
        return f"{_opened(tag, 'number' * (i in table.numbers))}{written(cell)}</{tag}>"

    # A column without a name gets no header: a screen reader would announce an empty one.
    head = "".join(in_column(i, "th" if cell else "td", cell) for i, cell in enumerate(table.head))
    lines = [f"<caption>{html.escape(caption)}</caption>"] * bool(caption)
    lines += [f"<thead><tr>{head}</tr></thead>" if head else "", "<tbody>"]
    for row in table.rows:
        cells = "".join(in_column(i, "th" if i in table.names else "td", cell) for i, cell in enumerate(row))
        alone = f'<td class="faint" colspan="{len(table.head)}">{written(row[0])}</td>'
        lines.append(f"<tr>{alone if len(row) == 1 != len(table.head) else cells}</tr>")
    return "\n".join([_opened("table", kind), *lines, "</tbody></table>"])


def _opened(tag: str, kind: str) -> str:
    """Return the start of an element of HTML, with its class if it has one."""
    return f'<{tag} class="{kind}">' if kind else f"<{tag}>"


def table_latex(table: Table) -> str:
    """Return a table as LaTeX, with the rules of the package booktabs."""
    head, *lines = (" & ".join(map(_cell_in_latex, row)) + r" \\" for row in (table.head, *table.rows))
    kinds = "".join("lr"[i in table.numbers] for i in range(len(table.head)))
    body = [r"\toprule", head, r"\midrule", *lines, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}"])


def frame_of(cells: Any, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return a pandas DataFrame of rows, which are mappings or tuples, or of columns by name."""
    frame: pd.DataFrame = import_optional("pandas", "data", "to_frame()").DataFrame(cells, columns=columns)
    return frame


def columns(rows: Sequence[Sequence[str]], indent: str = "", numbers: Collection[int] = ()) -> list[str]:
    """Return the lines of a table. Columns are aligned to the left, and columns of numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    align = [str.rjust if i in numbers else str.ljust for i in range(len(widths))]
    lines = ("  ".join(put(cell, width) for put, cell, width in zip(align, row, widths, strict=True)) for row in rows)
    return [(indent + line).rstrip() for line in lines]


def first_of(items: Iterable[T], write: Callable[[T], str] = str, most: int = 8) -> str:
    """Return a text with the first few items and the number of the others."""
    listed = list(items)
    shown = ", ".join(map(write, listed[:most]))
    return shown + (f" and {len(listed) - most} more" if len(listed) > most else "")


def in_order(names: frozenset[Any], columns: Sequence[str] = ()) -> list[Any]:
    """Return the names in a set in the order of the columns. Other names come last, with X2 before X10."""
    known = [name for name in columns if name in names]
    return known + sorted(names.difference(known), key=_by_number)


def _by_number(name: Any) -> tuple[list[tuple[str, int, str]], str]:
    parts = re.findall(r"([^0-9]*)0*([0-9]*)", text := one_line(name))
    return [(before, len(number), number) for before, number in parts], text


def _fields(value: Any) -> dict[str, str]:
    return {name.replace("_", " "): one_line(getattr(value, name), _features(value)) for name in _shown(value)}


def one_line(value: Any, features: Sequence[str] = ()) -> str:
    """Return the text of a value in one line, with the names of subsets in the order of `features`."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int | Fraction):
        return to_text(value)
    if isinstance(value, frozenset):
        return f"{{{first_of(in_order(value, features), one_line)}}}"
    if isinstance(value, tuple | list):
        texts = [(one_line(part, features), isinstance(part, tuple | list)) for part in value]
        parts = [f"({text})" if is_nested else text for text, is_nested in texts]
        return first_of(parts) or "none"
    if isinstance(value, Mapping) and not isinstance(value, Result):
        return first_of(value.items(), lambda item: ": ".join(one_line(part, features) for part in item)) or "none"
    text = str(value)
    return _cut(repr(value) if "\n" in text else text, _REPR)


def assigned(state: Mapping[str, Any]) -> str:
    """Return the text of a joint state of some features."""
    return ", ".join(f"{name}={label}" for name, label in state.items()) or "()"


def either(verdicts: Iterable[Any]) -> str:
    """Return the text of verdicts that are equally good. A label that is True or False is written as states show it."""
    return " or ".join(str(label) if isinstance(label, bool) else one_line(label) for label in verdicts)


def percent(share: Fraction | float) -> str:
    """Return a share of the people as a percentage."""
    return f"{float(100 * share):.3g}%"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 4] + " ..."


Relation = Literal["", "<=", "=="]


@dataclass(frozen=True, repr=False)
class Check(Result):
    """An exact decision whether a statement is true of a distribution, a set function or a search.

    Use it like a bool: it is true if the statement holds.

    Attributes
    ----------
    statement : str
        The statement, in the usual notation.
    holds : bool
        Whether the statement is true.
    witness : mapping, or None
        The first place where an assumption or a property fails: the state x of the features, or S, i and j.
    left, right : exact numbers, or None
        The two sides of a bound, or of a property of a set function at the witness. For a guarantee, the error and its
        limit. If a maximum is not unique, `left` holds the classes that tie at the witness.
    name, source, latex : str
        The name of a bound, the place where it is stated, and the statement in LaTeX.
    relation : "<=" or "==", or ""
        The relation of the two sides that a bound claims.
    failure : str
        How the statement fails, in words. Empty if it holds, or if it is a bound.

    Examples
    --------
    >>> from fstheory import JointDistribution, gallery
    >>> check = JointDistribution([[1, 1], [0, 3]]).has_unique_maximum()
    >>> bool(check), dict(check.witness), check.left
    (False, {'X1': 0}, (0, 1))
    >>> from fstheory.measures.bounds import classification_bound
    >>> check = classification_bound(gallery.titanic(), {"sex"})
    >>> print(check)
    Theorem 3: R(not A) <= R(X) + sqrt(2 nu(A)) holds: 0.275329 <= 0.654664, slack 0.379334
    """

    statement: str
    holds: bool
    witness: Mapping[str, Any] | None = field(default=None, hash=False)  # a mapping has no hash
    left: Any = None
    right: Any = None
    _: dataclasses.KW_ONLY
    name: str = ""
    source: str = ""
    relation: Relation = ""
    latex: str = ""
    failure: str = ""

    def __post_init__(self) -> None:
        if self.witness is not None:
            object.__setattr__(self, "witness", MappingProxyType(dict(self.witness)))

    @functools.cached_property
    def slack(self) -> Any:
        """The right side minus the left side, exact. It is negative if a bound fails."""
        return self.right - self.left

    @property
    def tight(self) -> bool:
        """Whether the two sides are equal."""
        return bool(self.left == self.right)

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        """Return the fields that are not empty. A bound also has `slack` and `tight`."""
        fields = {name: value for name, value in super()._content(features).items() if value not in (None, "")}
        fields.pop("failure", None)  # it repeats the witness in words
        return fields | ({"slack": to_json(self.slack), "tight": self.tight} if self.relation else {})

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "fails"
        if not self.relation:
            return f"{self.statement}: {verdict}{self.failure}"
        rational = isinstance(self.left, Fraction) and isinstance(self.right, Fraction)
        left, right, slack = (
            to_text(side, 0) if rational else decimal_text(side) for side in (self.left, self.right, self.slack)
        )
        relation = self.relation if self.holds else {"<=": ">", "==": "!="}[self.relation]
        rest = "" if self.relation == "==" and self.holds else f", slack {slack}"
        return f"{self.name}: {self.statement} {verdict}: {left} {relation} {right}{rest}"

    def _repr_html_(self) -> str | None:  # type: ignore[override]
        return None if self.relation else super()._repr_html_()  # a bound is shown as a formula

    def _repr_latex_(self) -> str | None:
        if not self.relation:
            return None
        true, false = {"<=": (r"\le", ">"), "==": ("=", r"\ne")}[self.relation]
        sign = true if self.holds else false
        values = f"{latex_value(self.left)} {sign} {latex_value(self.right)}"
        rounded = rf"{decimal_text(self.left)} {sign} {decimal_text(self.right)}"
        statement = self.latex or latex_text(self.statement)
        return rf"$\displaystyle {latex_text(self.name)}:\quad {statement},\quad {values}\quad ({rounded})$"
