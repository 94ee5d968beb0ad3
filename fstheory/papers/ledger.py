"""The audit: all entries by id with their verdicts, every certificate verified on the spot, as Markdown."""

from __future__ import annotations

import copyreg
import functools
import html
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeAlias

from fstheory import errors
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, first_of, listing
from fstheory._support.work import Workers, map_chunks
from fstheory.checker.cases import Checked, check_certificate, read_certificate
from fstheory.checker.points import POINTS_FORMAT, check_points_certificate
from fstheory.errors import CertificateError, require
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import to_json
from fstheory.logic.statement import Instance, Shape
from fstheory.papers import ahmed_2015, beraha_2019, classics, pena_nilsson_2010, sebban_nock_2002
from fstheory.papers.entry import KINDS, Entry, Evidence, Statements


class Ledger(Result, Mapping[str, Entry]):
    """The entries by id, in the order of the papers; a read-only mapping.

    Examples
    --------
    >>> claims["PN-M"].words
    'One more feature never makes the Bayes risk larger; so no superset has a larger one.'
    """

    def __init__(self, papers: Sequence[Statements]) -> None:
        self._papers = papers

    @functools.cached_property
    def _entries(self) -> dict[str, Entry]:
        """The entries, read when the first one is asked for."""
        found: dict[str, Entry] = {}
        for entry in itertools.chain.from_iterable(paper.entries for paper in self._papers):
            require(entry.id not in found, "the ledger", "of distinct ids", entry.id, "rename one of the two entries")
            found[entry.id] = entry
        return found

    def __getitem__(self, key: str) -> Entry:
        errors.require_known(key, "claim", self._entries)
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __str__(self) -> str:
        papers = ((paper, [e.id for e in group]) for paper, group in groupby(self.values(), lambda entry: entry.paper))
        rows = ((f"{paper.key} {paper.year}", f"{len(ids)}: {first_of(ids, str, 12)}") for paper, ids in papers)
        return listing(f"the ledger: {len(self)} statements, each by its id, claims['PN-3'] say", rows)

    def __reduce__(self) -> str:
        return "claims"

    def __repr__(self) -> str:
        return f"<the ledger: {len(self)} entries>"


_with_code = (pena_nilsson_2010, beraha_2019, ahmed_2015, sebban_nock_2002)
claims = Ledger([*(one.paper for one in _with_code), Statements("ng_1998"), classics.paper])
"""The ledger of the papers this project rests on."""


def _reduced(entry: Entry) -> tuple[Any, tuple[Any, ...]]:
    """Pickle an entry of the ledger by its id, so that also claims made inside of functions travel."""
    if claims.get(entry.id) is entry:
        return claims.__getitem__, (entry.id,)
    return Entry, tuple(dict(entry.needs) if name == "needs" else getattr(entry, name) for name in entry.__slots__)


copyreg.pickle(Entry, _reduced)


def find_claim(claim: Claim | Entry | str, without: str | Claim | Iterable[str | Claim] = ()) -> Claim:
    """Return the claim that is meant, without the assumptions that are to be dropped."""
    entry = claims[claim] if isinstance(claim, str) else claim
    found = entry.claim if isinstance(entry, Entry) else entry
    repair = "see its evidence in the ledger instead"
    require(found is not None, "claim", "an entry about one distribution", claim, repair)
    found = errors.require_type(found, Claim, "claim", "a claim, or its id in the ledger", "make one with @claim")
    several = (without,) if isinstance(without, str | Claim) else without
    dropped = tuple(errors.require_type(several, Iterable, "without", "names of assumptions", "write ['positive']"))
    return found.without(*dropped) if dropped else found


_STEPS = 200_000  # to spell a claim out; some seconds, however short the certificate is


def verify_certificate(
    certificate: Mapping[str, Any] | str | os.PathLike[str], claim: Claim | Entry | str | None = None
) -> Checked:
    """Verify a certificate from the definitions, and that its statement is that of the claim it names.

    Parameters
    ----------
    certificate : Certificate, mapping or path-like
        A file is read once.
    claim : Claim, Entry or str, optional
        The claim it should be about, or its id in the ledger; if not given, the claim of the ledger that it names.

    Returns
    -------
    Checked
        With status "accepted" only if its statement is that of the claim. One that is true, but was compared with no
        claim, because the ledger has none of that name or none that can be spelled out, has the status "as it stands".
        One without formulas is "vacuous"; where there is only the word of solvers the status is "unverifiable".

    Raises
    ------
    CertificateError
        Something in it is wrong, or it is about another statement.

    Examples
    --------
    >>> from fstheory.distributions.gallery import titanic
    >>> from fstheory.logic import claim
    >>> @claim
    ... def useless(m, i):
    ...     return m.risk(i) == m.risk(())
    >>> certificate = useless.check(titanic()).certificate
    >>> verify_certificate(certificate, useless).status, verify_certificate(certificate).status
    ('accepted', 'as it stands')
    """
    expected = claims[claim] if isinstance(claim, str) else claim
    if not isinstance(expected, Claim | Entry | None):
        raise errors.InvalidTypeError(
            errors.explain("claim", "a claim, or its id in the ledger", expected, "make one with @claim")
        )
    content = dict(certificate) if isinstance(certificate, Mapping) else read_certificate(certificate)
    if content.get("format") == POINTS_FORMAT:
        return _about_points(check_points_certificate(content), expected)
    checked = check_certificate(content)
    found, reason = _claim_named(checked.claim, expected)
    if found is not None:
        try:
            _require_same(content, found)
        except (errors.ClaimError, errors.TooLargeError) as error:
            reason = f"the statement of {found.title} cannot be spelled out to compare it: {error}"
        else:
            if checked.status != "vacuous":
                return checked
            reason = f"{found.title}, spelled out for this shape, has none either: it is true whatever the distribution"
            return replace(checked, summary=f"{checked.summary}; {reason}")
    status = "as it stands" if checked else checked.status
    return replace(checked, status=status, summary=f"{checked.summary}; verified as it stands: {reason}")


def _about_points(checked: Checked, expected: Claim | Entry | None) -> Checked:
    if expected is not None and (not isinstance(expected, Entry) or expected.id != checked.claim):
        name = expected.id if isinstance(expected, Entry) else expected.title
        raise CertificateError(
            errors.explain("the certificate", f"about {name}", checked.summary, "leave the claim out")
        )
    return checked


def _claim_named(title: str, expected: Claim | Entry | None) -> tuple[Claim | None, str]:
    """Return the claim that a certificate of this title has to be about, or None and the reason why there is none."""
    entry = expected if isinstance(expected, Entry) else None
    name, *dropped = title.split(" without ")
    if expected is None:
        entry = claims.get(name)
        if entry is None:
            return None, "the ledger has no claim of this name, and none was given to compare it with"
    claim = entry.claim if entry else expected
    if not isinstance(claim, Claim):
        return None, f"this says nothing about the ledger's {entry and entry.id}, which has no claim to compare it with"
    if expected is None:
        try:
            claim = claim.without(*dropped)
        except errors.UnknownNameError as error:
            raise CertificateError(f"the certificate cannot be about {claim.title}: {error}") from error
    named = f"the one the certificate names, {title!r}"
    require(claim.title == title, "claim", named, claim.title, "pass that one", CertificateError)
    return claim, ""


def _require_same(content: Mapping[str, Any], claim: Claim) -> None:
    """Require the statement of the claim: assumptions and instances are spelled out one by one and compared at once."""
    written, classes = content["shape"], content["shape"]["classes"]
    every = "features" in written
    shape = EverySize(written["features"], classes) if every else Shape(tuple(written["cardinalities"]), classes)
    named = "assumptions" in content
    assumed, shown = claim.spelled_out(shape, steps=_STEPS, named=named)
    same = tuple(content.get("assumptions", ())) == (claim.by_name() if named else ())
    same = same and _are_same(content["assume"], assumed)
    if content["kind"] == "proved":
        same = same and _are_same(content["show"], shown)
    else:
        formula = _listed(content["show"][0]["formula"])
        same = same and any(to_json(instance.formula) == formula for instance in shown)
    if not same:
        raise CertificateError(
            f"the certificate must be about {claim.title} with {shape}, but its statement is another one; "
            "what it says may be true all the same: check_certificate tells"
        )


def _are_same(written: Iterable[Mapping[str, Any]], stated: Iterable[Instance]) -> bool:
    """Say whether the formulas are the same, in the same order; not one more is spelled out than needed."""
    pairs = itertools.zip_longest(written, stated)
    return all(one and other and _listed(one["formula"]) == to_json(other.formula) for one, other in pairs)


def _listed(value: Any) -> Any:
    """Return nested lists, as JSON has them, where a mapping has tuples."""
    return [_listed(part) for part in value] if isinstance(value, list | tuple) else value


# The audit: all entries by id with their verdicts, every certificate verified on the spot, as Markdown

Link: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True, repr=False)
class Audited(Result):
    """One entry, how many of its certificates were accepted, and the files of those that are true "as they stand".

    Examples
    --------
    >>> audited = audit("PN-3")[0]
    >>> audited.entry.id, audited.entry.status
    ('PN-3', 'true')
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
        many = ((evidence, f" {evidence.count:,}" if evidence.count else "") for evidence in self.entry.evidence)
        found = ", ".join(f"{evidence.kind}{count}: {evidence.what}" for evidence, count in many)
        return f"{self.entry.status} ({found or 'no evidence'})"


class Audit(tuple[Audited, ...]):
    """The audited entries, in the order of the ledger; its text is a table.

    Examples
    --------
    >>> print(audit("PN-M"))  # doctest: +ELLIPSIS
    PN-M   Section 1       true ...
    """

    __slots__ = ()

    @property
    def verified(self) -> int:
        """How many certificates were accepted in all, each as evidence on its entry."""
        return sum(row.verified for row in self)

    @property
    def for_every_size(self) -> tuple[str, ...]:
        """The ids of the entries that are proved for every number of states."""
        of = ((row.entry.id, evidence.what) for row in self for evidence in row.entry.evidence if evidence.kind == "P")
        return tuple(dict.fromkeys(key for key, what in of if "any numbers of states" in what))

    @property
    def as_they_stand(self) -> tuple[str, ...]:
        """The files of the certificates that were verified only as they stand."""
        return tuple(file for row in self for file in row.as_they_stand)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Audit: {len(self)} entries, {self.verified} certificates verified>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{title}</th>" for title in ("id", "paper", "place", "statement", "verdict"))
        cells = ((e.id, e.paper.key, e.place, e.words, row.verdict) for row in self for e in [row.entry])
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def audit(*ids: str, executor: Workers = None, progress: Progress = None) -> Audit:
    """Return the ledger, or some entries of it, with all of their certificates verified.

    Parameters
    ----------
    *ids : str
        The entries; all of them if none is named.
    executor, progress
        As in `fstheory.refute`.

    Raises
    ------
    CertificateError
        A certificate of the ledger does not prove what it should; the message names the entry.

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
    """Verify the certificates of an entry: each proves or refutes its claim, perhaps without an assumption."""
    files: dict[str, list[str]] = {"accepted": [], "as it stands": []}
    for file, _, checked in verified(entry):
        files[checked.status].append(file)
    return Audited(entry, len(files["accepted"]), tuple(files["as it stands"]))


def verified(entry: Entry) -> Iterator[tuple[str, Certificate, Checked]]:
    """Yield the certificates of an entry, each with its file and what verifying it found; none is rejected."""
    for without, evidence in (*((None, evidence) for evidence in entry.evidence), *entry.needs.items()):
        if evidence.certificate is None:
            continue
        weaker = entry.claim.without(without) if entry.claim and without else None  # on points they name it themselves
        try:
            certificate = evidence.load()
            checked = verify_certificate(certificate, weaker if without else entry)
            if checked.status not in {"accepted", "as it stands"}:
                raise CertificateError(checked.summary)
        except CertificateError as error:
            raise CertificateError(f"{entry.id}, {evidence.certificate}: {error}") from error
        yield evidence.certificate, certificate, checked


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
        source = f"{paper.authors}, *{paper.title}*{', ' * bool(paper.source)}{paper.source}."
        lines += ["", f"{'#' * level} {paper.key} ({paper.year})", "", source]
        for entry in group:
            lines += ["", *entry_markdown(entry, link or "`{}`".format, level + 1)]
    return "\n".join(lines) + "\n"


def entry_markdown(entry: Entry, link: Link, level: int) -> Iterator[str]:
    """Yield the lines on one entry: its place, its verdict, what it says, and the evidence."""
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


def _described(evidence: Evidence, link: Link) -> str:
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


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("*", r"\*")
