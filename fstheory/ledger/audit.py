"""The audit: all entries by id with their verdicts, every certificate verified on the spot, as Markdown."""

from __future__ import annotations

import copyreg
import html
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, overload

from fstheory._display import Shown, few, listing
from fstheory.checker import Checked, check_certificate, read_certificate
from fstheory.errors import (
    CertificateError,
    ClaimError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    explain,
    unknown,
)
from fstheory.ledger import (
    ahmed_2015,
    ahmed_2015_greedy,
    ahmed_2015_rankings,
    beraha_2019,
    beraha_2019_classification,
    beraha_2019_linear,
    beraha_2019_stopping,
    pena_nilsson_2010,
    sebban_nock_2002,
)
from fstheory.ledger.entry import KINDS, Entry, Evidence, Paper
from fstheory.logic import Claim, Named, Shape
from fstheory.logic.nodes import to_json
from fstheory.points_checker import POINTS_FORMAT, CheckedPoints, check_points_certificate

__all__ = ["Audit", "Audited", "Ledger", "audit", "audit_entry", "audit_markdown", "claims", "verify_certificate"]


class Ledger(Shown, Mapping[str, Entry]):
    """The entries by id, in the order of the papers; a read-only mapping.

    Examples
    --------
    >>> claims["PN-M"].words
    'One more feature never makes the Bayes risk larger; so no superset has a larger one.'
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries: dict[str, Entry] = {}
        for entry in entries:
            if entry.id in self._entries:
                raise InvalidValueError(f"the ledger must have distinct ids, not {entry.id} twice; rename one entry")
            self._entries[entry.id] = entry

    def __getitem__(self, key: str) -> Entry:
        try:
            return self._entries[key]
        except (KeyError, TypeError):
            raise unknown("claim", key, self._entries) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __str__(self) -> str:
        papers: dict[Paper, list[str]] = {entry.paper: [] for entry in self.values()}
        for entry in self.values():
            papers[entry.paper].append(entry.id)
        rows = ((f"{paper.key} {paper.year}", f"{len(ids)}: {few(str, ids, 12)}") for paper, ids in papers.items())
        return listing(f"the ledger: {len(self)} statements, each by its id, claims['PN-3'] say", rows)

    def __reduce__(self) -> str:
        return "claims"

    def __repr__(self) -> str:
        return f"<the ledger: {len(self)} entries>"


_SECTIONS = (
    pena_nilsson_2010,
    *(beraha_2019, beraha_2019_linear, beraha_2019_classification, beraha_2019_stopping),
    *(ahmed_2015, ahmed_2015_rankings, ahmed_2015_greedy),
    sebban_nock_2002,
)

claims = Ledger(entry for section in _SECTIONS for entry in section.ENTRIES)
"""The ledger of the papers this project rests on."""


def _reduced(entry: Entry) -> tuple[Any, tuple[Any, ...]]:
    """Pickle an entry of the ledger by its id, so that also claims made inside of functions travel."""
    if claims.get(entry.id) is entry:
        return claims.__getitem__, (entry.id,)
    return Entry, tuple(dict(entry.needs) if name == "needs" else getattr(entry, name) for name in entry.__slots__)


copyreg.pickle(Entry, _reduced)


_STEPS = 200_000  # to spell a claim out; some seconds, however short the certificate is


def verify_certificate(
    certificate: Mapping[str, Any] | str | os.PathLike[str], claim: Claim | Entry | str | None = None
) -> Checked | CheckedPoints:
    """Verify a certificate from the definitions, and that its statement is that of the claim it names.

    Parameters
    ----------
    certificate : Certificate, mapping or path-like
        A file is read once.
    claim : Claim, Entry or str, optional
        The claim it should be about, or its id in the ledger; if not given, the claim of the ledger that it names.

    Returns
    -------
    Checked, or CheckedPoints for a certificate about a point set
        With status "accepted" only if its statement is that of the claim. A statement that was compared with no claim,
        because the ledger has none of that name, or none that can be spelled out, has the status "as it stands": what
        the certificate says is true, whatever it is called. One without formulas is "vacuous", and where there is only
        the word of solvers the status is "unverifiable".

    Raises
    ------
    CertificateError
        Something in it is wrong, or it is about another statement.
    InvalidTypeError
        The certificate is neither a mapping nor a path, or the claim no claim.
    UnknownNameError
        The ledger has no such id.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> from fstheory.gallery import titanic
    >>> from fstheory.logic import claim
    >>> @claim
    ... def useless(m, i):
    ...     return m.risk(i) == m.risk(())
    >>> certificate = useless.check(titanic()).certificate
    >>> verify_certificate(certificate, useless).status, verify_certificate(certificate).status
    ('accepted', 'as it stands')
    """
    asked = claims[claim] if isinstance(claim, str) else claim
    if not isinstance(asked, Claim | Entry | None):
        raise InvalidTypeError(explain("claim", "a claim, or its id in the ledger", asked, "make one with @claim"))
    content = dict(certificate) if isinstance(certificate, Mapping) else read_certificate(certificate)
    if content.get("format") == POINTS_FORMAT:
        return _about_points(check_points_certificate(content), asked)
    checked = check_certificate(content)
    found, reason = _claim_named(checked.claim, asked)
    if found is not None:
        try:
            _require_same(content, found)
        except (ClaimError, TooLargeError) as error:
            reason = f"the statement of {found.title} cannot be spelled out to compare it: {error}"
        else:
            if checked.status != "vacuous":
                return checked
            reason = f"{found.title}, spelled out for this shape, has none either: it is true whatever the distribution"
            return replace(checked, summary=f"{checked.summary}; {reason}")
    status = "as it stands" if checked else checked.status
    return replace(checked, status=status, summary=f"{checked.summary}; verified as it stands: {reason}")


def _about_points(checked: CheckedPoints, asked: Claim | Entry | None) -> CheckedPoints:
    if asked is not None and (not isinstance(asked, Entry) or asked.id != checked.claim or checked.without):
        name = asked.id if isinstance(asked, Entry) else asked.title
        raise CertificateError(explain("the certificate", f"about {name}", checked.summary, "leave the claim out"))
    return checked


def _claim_named(title: str, asked: Claim | Entry | None) -> tuple[Claim | None, str]:
    """Return the claim that a certificate of this title has to be about, or None and the reason why there is none."""
    entry = asked if isinstance(asked, Entry) else None
    if asked is None:
        entry = next((claims[key] for key in claims if title == key or title.startswith(f"{key} without ")), None)
        if entry is None:
            return None, "the ledger has no claim of this name, and none was given to compare it with"
    claim = entry.claim if entry else asked
    if not isinstance(claim, Claim):
        return None, f"this says nothing about the ledger's {entry and entry.id}, which has no claim to compare it with"
    if asked is None:
        dropped = title.split(" without ")[1:]
        try:
            claim = claim.without(*dropped)
        except UnknownNameError as error:
            raise CertificateError(f"the certificate cannot be about {claim.title}: {error}") from error
    if claim.title != title:
        raise CertificateError(
            explain("claim", f"the one the certificate names, {title!r}", claim.title, "pass that one")
        )
    return claim, ""


def _require_same(content: Mapping[str, Any], claim: Claim) -> None:
    """Require the statement of the claim: assumptions and instances are spelled out one by one and compared at once."""
    shape = Shape(tuple(content["shape"]["cardinalities"]), content["shape"]["classes"])
    assumed, shown = claim.spelled_out(shape, steps=_STEPS)
    same = _are_same(content["assume"], assumed)
    if content["kind"] == "proved":
        same = same and _are_same(content["show"], shown)
    else:
        formula = _listed(content["show"][0]["formula"])
        same = same and any(to_json(named.formula) == formula for named in shown)
    if not same:
        raise CertificateError(
            f"the certificate must be about {claim.title} with {shape}, but its statement is another one; "
            "what it says may be true all the same: check_certificate tells"
        )


def _are_same(written: Iterable[Mapping[str, Any]], stated: Iterable[Named]) -> bool:
    """Say whether the formulas are the same, in the same order; not one more is spelled out than needed."""
    pairs = itertools.zip_longest(written, stated)
    return all(one and other and _listed(one["formula"]) == to_json(other.formula) for one, other in pairs)


def _listed(value: Any) -> Any:
    """Return nested lists, as JSON has them, where a mapping has tuples."""
    return [_listed(part) for part in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True, repr=False)
class Audited(Shown):
    """One entry, audited.

    Attributes
    ----------
    entry : Entry
    verified : int
        How many of its certificates were verified and are about its claim: those whose status is "accepted".
    as_they_stand : tuple of str
        The files of the others: what these say is true, but there is no claim to compare it with.
    """

    entry: Entry
    verified: int
    as_they_stand: tuple[str, ...] = ()

    def __str__(self) -> str:
        others = f"; verified only as they stand: {', '.join(self.as_they_stand)}" if self.as_they_stand else ""
        return f"{self.entry.id:<6} {self.entry.place:<15} {self.verdict}{others}"

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
        """How many certificates were accepted in all, each as evidence on its entry."""
        return sum(row.verified for row in self._rows)

    @property
    def as_they_stand(self) -> tuple[str, ...]:
        """The files of the certificates that were verified only as they stand."""
        return tuple(file for row in self._rows for file in row.as_they_stand)

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
    return Audit([audit_entry(claims[key]) for key in ids or claims])


def audit_entry(entry: Entry) -> Audited:
    """Verify the certificates of an entry: each proves or refutes its claim, perhaps without an assumption."""
    files: dict[str, list[str]] = {"accepted": [], "as it stands": []}
    for without, evidence in (*((None, evidence) for evidence in entry.evidence), *entry.needs.items()):
        if evidence.certificate is None:
            continue
        try:
            checked = verify_certificate(evidence.load(), _about(entry, without))
            if checked.status not in files:
                raise CertificateError(checked.summary)
        except CertificateError as error:
            raise CertificateError(f"{entry.id}, {evidence.certificate}: {error}") from error
        files[checked.status].append(evidence.certificate)
    return Audited(entry, len(files["accepted"]), tuple(files["as it stands"]))


def _about(entry: Entry, without: str | None) -> Claim | Entry | None:
    """Return what evidence has to be about, None for point sets without an assumption: these name it themselves."""
    if without is None:
        return entry
    return entry.claim.without(without) if entry.claim else None


def _cells(row: Audited) -> tuple[str, ...]:
    entry = row.entry
    return entry.id, entry.paper.key, entry.place, entry.words, row.verdict


def _said(evidence: Evidence) -> str:
    many = f" {evidence.count:,}" if evidence.count else ""
    return f"{evidence.kind}{many}: {evidence.what}"


Link = Callable[[str], str]


def audit_markdown(audited: Audit, *, link: Link | None = None, level: int = 2) -> str:
    """Return the audit as Markdown with LaTeX: a table of verdicts, then every statement with its evidence."""
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
            lines += ["", *_section(entry, link or _file_named, level + 1)]
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


def _file_named(name: str) -> str:
    return f"`{name}`"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("*", r"\*")
