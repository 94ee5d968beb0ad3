"""The usual notation of information theory: H(Y | X1), I(Y; X1, X2 | X3)."""

from __future__ import annotations

import json
import re

from fstheory._exact import Exact
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidFormatError, InvalidTypeError, explain
from fstheory.information.quantities import conditional_entropy, conditional_mutual_information
from fstheory.reals import LogSum

__all__ = ["info", "parse"]

_TOKEN = re.compile(r"""\s*(?:(?P<name>[^\W\d]\w*)|(?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<mark>[(),;|])|\Z)""")


def info(d: JointDistribution, quantity: str, *, base: Exact | None = None) -> LogSum:
    """Return a quantity that is written in the usual notation.

    Parameters
    ----------
    d : JointDistribution
    quantity : str
        ``"H(A)"``, ``"H(A | C)"``, ``"I(A; B)"`` or ``"I(A; B | C)"``, where A, B and C are names of variables
        separated by commas. A name that is no identifier is written in quotes: ``'H("height, cm")'``.
    base : exact number above 1, optional
        2 for bits; nats if not given.

    Returns
    -------
    LogSum

    Raises
    ------
    InvalidFormatError
        The text is nothing of this kind; the message says where it stops being so.
    InvalidTypeError, InvalidValueError, UnknownNameError
        `quantity` is no text, or it repeats a name in one place, or has one that does not exist.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.xor()
    >>> info(d, "I(Y; X1)") == 0, info(d, "I(Y; X1 | X2)", base=2) == 1, info(d, "H(Y | X1, X2)") == 0
    (True, True, True)
    """
    require_distribution(d)
    kind, first, second, given = parse(quantity)
    if kind == "H":
        return conditional_entropy(d, first, given, base=base)
    return conditional_mutual_information(d, first, second, given, base=base)


def parse(quantity: str) -> tuple[str, list[str], list[str], list[str]]:
    """Return the letter H or I, and the names before the semicolon, after it, and after the bar."""
    if not isinstance(quantity, str):
        raise InvalidTypeError(explain("quantity", "a text", quantity, "write 'I(Y; X1 | X2)'"))
    return _Reader(quantity).read()


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def read(self) -> tuple[str, list[str], list[str], list[str]]:
        """Read the whole text: a letter, lists of names between marks, and nothing after."""
        kind = self.name("H or I")
        if kind not in {"H", "I"}:
            raise self.error("H or I", start=len(self.text) - len(self.text.lstrip()))
        self.mark("(")
        first, second, given = self.names(), [], []
        if kind == "I":
            self.mark(";", ",")
            second = self.names()
        if self.follows("|"):
            given = self.names()
        self.mark(")", *([] if given else ["|"]), ",")
        if self.text[self.at :].strip():
            raise self.error("the end")
        return kind, first, second, given

    def names(self) -> list[str]:
        """Read names separated by commas."""
        found = [self.name("a name")]
        while self.follows(","):
            found.append(self.name("a name"))
        return found

    def name(self, wanted: str) -> str:
        """Read one name, quoted or not."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or not (match["name"] or match["quoted"]):
            raise self.error(wanted)
        found: str | None = match["name"]
        if found is None:
            found = self.unquoted(match["quoted"], wanted)
        self.at = match.end()
        return found

    def unquoted(self, quoted: str, wanted: str) -> str:
        """Take the quotes off; in double quotes what JSON escapes may be escaped."""
        if quoted[0] == "'":
            return quoted[1:-1]
        try:
            return str(json.loads(quoted, strict=False))
        except ValueError:
            raise self.error(f"{wanted} without unknown escapes") from None

    def follows(self, mark: str) -> bool:
        """Read this mark if it comes next."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or match["mark"] != mark:
            return False
        self.at = match.end()
        return True

    def mark(self, wanted: str, *others: str) -> None:
        """Read this mark, or say that it or one of the others is missing."""
        if not self.follows(wanted):
            raise self.error(" or ".join(repr(mark) for mark in (wanted, *others)))

    def error(self, wanted: str, start: int | None = None) -> InvalidFormatError:
        """Return the error that points at the place where something else was wanted."""
        rest = self.text[self.at :]
        place = self.at + len(rest) - len(rest.lstrip()) if start is None else start
        found = f"{self.text[place]!r} stands" if place < len(self.text) else "the text ends"
        return InvalidFormatError(
            explain(
                "quantity",
                "like 'H(Y | X1)' or 'I(Y; X1, X2 | X3)'",
                self.text,
                f"at position {place}, where {found}, write {wanted} (names that are not identifiers go in quotes)",
            )
        )
