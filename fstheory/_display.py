"""How results show themselves: a text of bounded length, the same text in a notebook, and a repr of one line."""

from __future__ import annotations

import dataclasses
import html
import itertools
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from fstheory._exact import both

__all__ = ["Shown", "assigned", "few", "listing", "words"]

T = TypeVar("T")

_ROWS = 16  # of a listing
_LINES = 100  # in a notebook
_LONGEST = 4000  # of a line there
_REPR = 160


class Shown:
    r"""Base of the results: in a notebook they show their text, and their repr is its first line.

    The text is the ``__str__`` of the class; a dataclass that has none lists its fields, another one shows its repr.

    Examples
    --------
    >>> @dataclasses.dataclass(frozen=True, repr=False)
    ... class Risk(Shown):
    ...     subset: frozenset[str]
    ...     value: Fraction
    >>> found = Risk(frozenset({"X1"}), Fraction(1, 3))
    >>> print(found)
    Risk
      subset: {X1}
      value:  1/3 ≈ 0.3333
    >>> found
    <Risk: subset {X1}, value 1/3 ≈ 0.3333>
    >>> found._repr_html_()
    '<pre class="fstheory" style="white-space: pre-wrap">Risk\n  subset: {X1}\n  value:  1/3 ≈ 0.3333</pre>'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return listing(type(self).__name__, _fields(self).items()) if dataclasses.is_dataclass(self) else repr(self)

    def __repr__(self) -> str:
        if type(self).__str__ is Shown.__str__:
            text = ", ".join(f"{name} {value}" for name, value in _fields(self).items())
        else:
            text = str(self).partition("\n")[0]
        return f"<{type(self).__name__}: {_cut(text, _REPR)}>"

    def _repr_html_(self) -> str:
        lines = str(self).split("\n")
        shown = [html.escape(_cut(line, _LONGEST)) for line in lines[:_LINES]]
        rest = [f"... {len(lines) - _LINES} more lines"] if len(lines) > _LINES else []
        return f'<pre class="fstheory" style="white-space: pre-wrap">{chr(10).join(shown + rest)}</pre>'


def listing(head: str, rows: Iterable[tuple[str, str]], total: int = 0) -> str:
    """Write a heading and, indented below it, the first few of `total` names with their values."""
    shown = list(itertools.islice(rows, _ROWS))
    width = max((len(name) for name, _ in shown), default=0) + 1
    lines = [f"  {(name + ':').ljust(width)} {value}" for name, value in shown]
    rest = [f"  ... {total - len(shown)} more"] if total > len(shown) else []
    return "\n".join([head, *lines, *rest])


def few(write: Callable[[T], str], items: Iterable[T], most: int = 8) -> str:
    """Write the first few of some things, and how many there are besides."""
    listed = list(items)
    shown = ", ".join(map(write, listed[:most]))
    return shown + (f" and {len(listed) - most} more" if len(listed) > most else "")


def _fields(value: Any) -> dict[str, str]:
    shown = (field.name for field in dataclasses.fields(value) if not field.name.startswith("_"))
    return {name.replace("_", " "): words(getattr(value, name)) for name in shown}


def words(value: Any) -> str:
    """Write a value in one line."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Fraction):
        return both(value)
    if isinstance(value, frozenset):
        return f"{{{few(str, sorted(map(words, value)))}}}"
    if isinstance(value, tuple | list):
        return few(lambda part: f"({words(part)})" if isinstance(part, tuple) else words(part), value) or "none"
    if isinstance(value, Mapping) and not isinstance(value, Shown):
        return few(lambda item: f"{words(item[0])}: {words(item[1])}", value.items()) or "none"
    text = str(value)
    return _cut(repr(value) if "\n" in text else text, _REPR)


def assigned(state: Mapping[str, Any]) -> str:
    """Write a state of some features."""
    return ", ".join(f"{name}={label}" for name, label in state.items()) or "()"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 4] + " ..."
