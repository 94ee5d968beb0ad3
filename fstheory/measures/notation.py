"""The usual notation of information theory: H(Y | X1), I(Y; X1, X2 | X3)."""

from __future__ import annotations

import json
import re

from fstheory._support.exact import Exact
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.errors import InvalidFormatError, explain, require_type
from fstheory.measures.information import conditional_entropy, conditional_mutual_information
from fstheory.numbers.logsum import LogSum

__all__ = ["info", "parse"]


_TOKEN = re.compile(r"""\s*(?:(?P<name>[^\W\d]\w*)|(?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<mark>[(),;|])|\Z)""")


def info(d: JointDistribution, quantity: str, *, base: Exact | None = None) -> LogSum:
    """Return a quantity that is written in the usual notation, in nats or to a `base`.

    It is ``"H(A)"``, ``"H(A | C)"``, ``"I(A; B)"`` or ``"I(A; B | C)"``, where A, B and C are names of variables
    separated by commas. A name that is no identifier is written in quotes: ``'H("height, cm")'``.

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
    reader = _Reader(require_type(quantity, str, "quantity", "a text", "write 'I(Y; X1 | X2)'"))
    kind = reader.name("H or I")
    if kind not in {"H", "I"}:
        reader.at = 0
        raise reader.error("H or I")
    reader.mark("(")
    first, second, given = reader.names(), [], []
    if kind == "I":
        reader.mark(";", ",")
        second = reader.names()
    if reader.follows("|"):
        given = reader.names()
    reader.mark(")", *([] if given else ["|"]), ",")
    if quantity[reader.at :].strip():
        raise reader.error("the end")
    return kind, first, second, given


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def names(self) -> list[str]:
        """Read names separated by commas."""
        found = [self.name("a name")]
        while self.follows(","):
            found.append(self.name("a name"))
        return found

    def name(self, wanted: str) -> str:
        """Read one name, quoted or not."""
        match = _TOKEN.match(self.text, self.at)
        name = match and (match["name"] or match["quoted"])
        if match is None or not name:
            raise self.error(wanted)
        if name[0] == '"':  # in double quotes what JSON escapes may be escaped
            try:
                name = str(json.loads(name, strict=False))
            except ValueError:
                raise self.error(f"{wanted} without unknown escapes") from None
        else:
            name = name.strip("'")
        self.at = match.end()
        return name

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

    def error(self, wanted: str) -> InvalidFormatError:
        """Return the error that points at the place where something else was wanted."""
        rest = self.text[self.at :].lstrip()
        place = len(self.text) - len(rest)
        found = f"{rest[0]!r} stands" if rest else "the text ends"
        repair = f"at position {place}, where {found}, write {wanted} (names that are not identifiers go in quotes)"
        return InvalidFormatError(explain("quantity", "like 'H(Y | X1)' or 'I(Y; X1, X2 | X3)'", self.text, repair))
