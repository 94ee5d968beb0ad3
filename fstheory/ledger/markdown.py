"""The audit as a page of Markdown: for the documentation, and for whoever wants to publish it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from fstheory.ledger.audit import Audit
from fstheory.ledger.book import claims
from fstheory.ledger.entry import KINDS, Entry, Evidence

__all__ = ["audit_markdown"]

Link = Callable[[str], str]


def audit_markdown(audited: Audit, *, link: Link | None = None, level: int = 2) -> str:
    """Return the audit as Markdown with LaTeX: a table of verdicts, then every statement with its evidence.

    Parameters
    ----------
    audited : Audit
    link : callable, optional
        From the file name of a certificate to what links to it; its name in code type if not given.
    level : int
        How many ``#`` begin the heading of a paper.

    Returns
    -------
    str

    Examples
    --------
    >>> from fstheory.ledger.audit import audit
    >>> print(audit_markdown(audit("PN-M")).splitlines()[4])
    | PN-M | Peña and Nilsson, Section 1 | true (M, P) |  |
    """
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
        lines += ["", f"{'#' * level} {paper.key} ({paper.year})", "", f"{paper.authors}, *{paper.title}*."]
        for entry in group:
            lines += ["", *_section(entry, link or _named, level + 1)]
    return "\n".join(lines) + "\n"


def _section(entry: Entry, link: Link, level: int) -> Iterator[str]:
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
    yield from _bullets(entry, link)
    if entry.remark:
        yield from ("", f"*{_escaped(entry.remark)}*")


def _bullets(entry: Entry, link: Link) -> Iterator[str]:
    for evidence in entry.evidence:
        yield f"- {_told(evidence, link)}"
    for name, evidence in entry.needs.items():
        needed = "needed" if evidence.kind == "R" else "not needed"
        yield f"- `{name}` is {needed}: {_told(evidence, link)}"


def _told(evidence: Evidence, link: Link) -> str:
    count = f", {evidence.count:,} of them" if evidence.count else ""
    parts = [f"{KINDS[evidence.kind]} ({_escaped(evidence.what)}{count})"]
    if evidence.certificate:
        content = evidence.load()
        if "weights" in content:
            parts.append(f"`{content['weights']}`")
        parts.append(link(evidence.certificate))
    if evidence.kind != "M":
        parts.append(f"`{evidence.reproduce}`")
    return "; ".join(parts)


def _verdict(entry: Entry) -> str:
    kinds: Iterable[str] = dict.fromkeys(evidence.kind for evidence in entry.evidence)
    denied = ", and the paper does not say so" if entry.status == "false" and not entry.printed else ""
    return f"{entry.status}{denied} ({', '.join(kinds)})" if entry.evidence else entry.status


def _named(name: str) -> str:
    return f"`{name}`"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("*", r"\*")
