"""The audit: every statement of the ledger with its verdict, every certificate verified on the spot."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from fstheory._display import Shown
from fstheory.errors import CertificateError
from fstheory.ledger.book import claims
from fstheory.ledger.entry import Entry, Evidence
from fstheory.ledger.verify import verify_certificate

__all__ = ["Audit", "Audited", "audit"]


@dataclass(frozen=True, slots=True, repr=False)
class Audited(Shown):
    """One entry, audited.

    Attributes
    ----------
    entry : Entry
    verified : int
        How many of its certificates were verified.

    Examples
    --------
    >>> audited = audit("PN-3")[0]
    >>> audited.entry.id, audited.entry.status
    ('PN-3', 'true')
    """

    entry: Entry
    verified: int

    def __str__(self) -> str:
        return f"{self.entry.id:<6} {self.entry.place:<15} {self.verdict}"

    @property
    def verdict(self) -> str:
        """The verdict in a few words: true or false, and by which kinds of evidence."""
        return (
            f"{self.entry.status} ({', '.join(_said(evidence) for evidence in self.entry.evidence) or 'no evidence'})"
        )


class Audit(Sequence[Audited]):
    """The audited entries, in the order of the ledger; its text is a table.

    Examples
    --------
    >>> print(audit("PN-M"))  # doctest: +ELLIPSIS
    PN-M   Section 1       true ...
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: Sequence[Audited]) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> Audited: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Audited]: ...
    def __getitem__(self, index: int | slice) -> Audited | Sequence[Audited]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Audited]:
        return iter(self._rows)

    @property
    def verified(self) -> int:
        """How many certificates were verified in all."""
        return sum(row.verified for row in self._rows)

    def __str__(self) -> str:
        return "\n".join(map(str, self._rows))

    def __repr__(self) -> str:
        return f"<Audit: {len(self)} entries, {self.verified} certificates verified>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{title}</th>" for title in ("id", "paper", "place", "statement", "verdict"))
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in _cells(row))}</tr>" for row in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def audit(*ids: str) -> Audit:
    """Return the ledger, or some entries of it, with all of their certificates verified.

    Parameters
    ----------
    *ids : str
        The entries; all of them if none is named.

    Returns
    -------
    Audit

    Raises
    ------
    CertificateError
        A certificate of the ledger does not prove what it should; the message names the entry.
    UnknownNameError
        There is no entry of that id.

    Examples
    --------
    >>> len(audit("PN-3", "PN-4"))
    2
    """
    return Audit([_audited(claims[key]) for key in ids or claims])


def _audited(entry: Entry) -> Audited:
    evidence = [evidence for evidence in (*entry.evidence, *entry.needs.values()) if evidence.certificate]
    for piece in evidence:
        try:
            verify_certificate(piece.load())
        except CertificateError as error:
            raise CertificateError(f"{entry.id}, {piece.certificate}: {error}") from error
    return Audited(entry, len(evidence))


def _cells(row: Audited) -> tuple[str, ...]:
    entry = row.entry
    return entry.id, entry.paper.key, entry.place, entry.words, row.verdict


def _said(evidence: Evidence) -> str:
    many = f" {evidence.count:,}" if evidence.count else ""
    return f"{evidence.kind}{many}: {evidence.what}"
