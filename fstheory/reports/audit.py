"""The audit of the ledger: every entry with its verdict, every certificate verified, as a table and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, Table, table_html
from fstheory._support.work import Workers, map_chunks
from fstheory.coq.sources import recorded
from fstheory.logic.entry import KINDS, Entry, Evidence
from fstheory.logic.ledger import claims, verified

Link: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True, repr=False)
class Audited(Result):
    """One entry of the ledger after its certificates were verified.

    Attributes
    ----------
    entry : Entry
    verified : int
        The number of its certificates that were accepted.
    as_they_stand : tuple of str
        The files of its certificates that are true "as they stand": they could not be compared with the claim. See
        `fstheory.verify_certificate`.
    by_coq : tuple of str
        The files of its certificates whose theorems Coq has accepted. This is on record; Coq is not run.

    Examples
    --------
    >>> audited = audit("PN-3")[0]
    >>> audited.entry.id, audited.entry.status
    ('PN-3', 'true')
    """

    entry: Entry
    verified: int
    as_they_stand: tuple[str, ...] = ()
    by_coq: tuple[str, ...] = ()

    def __str__(self) -> str:
        others = f"; verified only as they stand: {', '.join(self.as_they_stand)}" if self.as_they_stand else ""
        all_files = self.verified + len(self.as_they_stand)
        coq = f"; Coq has accepted {len(self.by_coq)} of {all_files} certificates" if self.by_coq else ""
        return f"{self.entry.id:<6} {self.entry.place:<15} {self.verdict}{coq}{others}"

    @property
    def verdict(self) -> str:
        """The verdict in a few words: true or false, and the kinds of evidence for it."""
        many = ((evidence, f" {evidence.count:,}" if evidence.count else "") for evidence in self.entry.evidence)
        found = ", ".join(f"{evidence.kind}{count}: {evidence.what}" for evidence, count in many)
        return f"{self.entry.status} ({found or 'no evidence'})"


class Audit(tuple[Audited, ...]):
    """The audited entries, in the order of the ledger. The text is a table.

    Examples
    --------
    >>> print(audit("PN-M"))  # doctest: +ELLIPSIS
    PN-M   Section 1       true ...
    """

    __slots__ = ()

    @property
    def verified(self) -> int:
        """The number of certificates that were accepted, over all entries."""
        return sum(row.verified for row in self)

    @property
    def by_coq(self) -> tuple[str, ...]:
        """The files of the certificates whose theorems Coq has accepted."""
        return tuple(file for row in self for file in row.by_coq)

    @property
    def for_every_size(self) -> tuple[str, ...]:
        """The ids of the entries that are proved for all numbers of states."""
        of = ((row.entry.id, evidence.what) for row in self for evidence in row.entry.evidence if evidence.kind == "P")
        return tuple(dict.fromkeys(key for key, what in of if "any numbers of states" in what))

    @property
    def as_they_stand(self) -> tuple[str, ...]:
        """The files of the certificates that were verified only as they stand, without a claim to compare them with."""
        return tuple(file for row in self for file in row.as_they_stand)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Audit: {len(self)} entries, {self.verified} certificates verified>"

    def _repr_html_(self) -> str:
        rows = [(e.id, e.paper.key, e.place, e.words, row.verdict) for row in self for e in [row.entry]]
        return table_html(Table(("id", "paper", "place", "statement", "verdict"), rows))


def audit(*ids: str, executor: Workers = None, progress: Progress = None) -> Audit:
    """Return the ledger, or some of its entries, after verifying all of their certificates.

    Use it to see what is known about the statements of the papers, and to check the evidence yourself.

    Parameters
    ----------
    *ids : str
        The ids of the entries. By default, all entries are audited.
    executor, progress
        See `fstheory.refute`.

    Raises
    ------
    CertificateError
        A certificate does not prove the statement of its entry. The message names the entry.

    Examples
    --------
    >>> len(audit("PN-3", "PN-4"))
    2
    """
    entries, rows = [claims[key] for key in ids or claims], list[Audited]()
    with Clock(None, progress) as clock:
        clock.tell(f"takes {len(entries):,} entries")
        for row in map_chunks(audit_entry, entries, executor=executor):
            rows.append(row)
            clock.count(len(rows), len(entries), f"entries; {row.entry.id}")
    return Audit(rows)


def audit_entry(entry: Entry) -> Audited:
    """Verify the certificates of an entry, and return the entry with their number.

    Each certificate must prove or refute the claim of the entry, or the claim without an assumption.
    """
    files: dict[str, list[str]] = {"accepted": [], "as it stands": []}
    for file, _, checked in verified(entry):
        files[checked.status].append(file)
    by_coq = (one.certificate for one in (*entry.evidence, *entry.needs.values()) if coq_version(one))
    return Audited(entry, len(files["accepted"]), tuple(files["as it stands"]), tuple(filter(None, by_coq)))


def audit_markdown(audited: Audit, *, link: Link | None = None, level: int = 2) -> str:
    """Return the audit as Markdown with LaTeX: first a table of verdicts, then every statement with its evidence."""
    lines = [
        f"{'#' * level} All verdicts",
        "",
        "| statement | place | verdict | corrected or sharpened by |",
        "| --- | --- | --- | --- |",
    ]
    entries = [row.entry for row in audited]
    for entry in entries:
        better = ", ".join(other.id for other in claims.values() if other.corrects == entry.id)
        lines.append(f"| {entry.id} | {entry.paper.key}, {entry.place} | {_verdict(entry)} | {better} |")
    for paper, group in groupby(entries, key=lambda entry: entry.paper):
        source = f"{paper.authors}, *{paper.title}*{', ' * bool(paper.source)}{paper.source}."
        lines += ["", f"{'#' * level} {paper.key} ({paper.year})", "", source]
        for entry in group:
            lines += ["", *entry_markdown(entry, link or "`{}`".format, level + 1)]
    return "\n".join(lines) + "\n"


def entry_markdown(entry: Entry, link: Link, level: int) -> Iterator[str]:
    """Yield the lines of one entry: its place, its verdict, its statement and its evidence."""
    yield f"{'#' * level} {entry.id}: {entry.place}"
    yield ""
    correction = ""
    if entry.corrects:
        correction = f" {'Corrects' if claims[entry.corrects].status == 'false' else 'Sharpens'} {entry.corrects}."
    assumed = f" Assumes {' and '.join(f'`{name}`' for name in entry.assumptions)}." if entry.assumptions else ""
    yield f"**{entry.status.capitalize()}**{_verdict(entry)[len(entry.status) :]}. {entry.words}{assumed}{correction}"
    if entry.latex:
        yield from ("", "$$", entry.latex, "$$")
    yield ""
    for evidence in entry.evidence:
        yield f"- {_described(evidence, link)}"
    for name, evidence in entry.needs.items():
        yield f"- `{name}` is {'needed' if evidence.kind == 'R' else 'not needed'}: {_described(evidence, link)}"
    if entry.remark:
        yield from ("", f"*{_escaped(entry.remark)}*")


def coq_version(evidence: Evidence) -> str | None:
    """Return the version of Coq that accepted the theorem exported from a certificate, or None if none is on record.

    The record has the digests of the certificates that were compiled. Coq is not run.

    Examples
    --------
    >>> [coq_version(evidence) for evidence in claims["PN-M"].evidence[:2]]
    [None, '8.16']
    """
    return recorded().get(evidence.load()["digest"]) if evidence.certificate else None


def _described(evidence: Evidence, link: Link) -> str:
    """Return one piece of evidence as a line of Markdown."""
    count = f", {evidence.count:,} of them" if evidence.count else ""
    parts = [f"{KINDS[evidence.kind]} ({_escaped(evidence.what)}{count})"]
    if evidence.certificate:
        content = evidence.load()
        if "weights" in content:
            parts.append(f"`{content['weights']}`")
        parts.append(link(evidence.certificate))
        version = coq_version(evidence)
        parts += [f"Coq {version} has accepted it"] if version else []
    if evidence.kind != "M":
        parts.append(f"`{evidence.reproduce}`")
    return "; ".join(parts)


def _verdict(entry: Entry) -> str:
    """Return the status of an entry and the letters of its kinds of evidence, and whether Coq has accepted some."""
    kinds: Iterable[str] = dict.fromkeys(evidence.kind for evidence in entry.evidence)
    kinds = [*kinds, *["Coq"] * any(map(coq_version, entry.evidence))]
    denied = ", and the paper does not say so" if entry.status == "false" and not entry.printed else ""
    return f"{entry.status}{denied} ({', '.join(kinds)})" if entry.evidence else entry.status


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("*", r"\*")
