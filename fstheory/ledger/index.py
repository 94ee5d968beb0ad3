"""All entries by id, and certificates compared with their claims."""

from __future__ import annotations

import copyreg
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

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
    ahmed_2015_figures,
    ahmed_2015_greedy,
    ahmed_2015_rankings,
    beraha_2019,
    beraha_2019_classification,
    beraha_2019_experiments,
    beraha_2019_linear,
    beraha_2019_stopping,
    ng_1998,
    pena_nilsson_2010,
    sebban_nock_2002,
    sebban_nock_2002_null,
    sebban_nock_2002_tables,
)
from fstheory.ledger.entry import Entry, Paper
from fstheory.logic import Claim, Named, Shape
from fstheory.logic.nodes import to_json
from fstheory.points_checker import POINTS_FORMAT, CheckedPoints, check_points_certificate

__all__ = ["Ledger", "claims", "verify_certificate"]


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
    *(beraha_2019, beraha_2019_linear, beraha_2019_classification, beraha_2019_stopping, beraha_2019_experiments),
    *(ahmed_2015, ahmed_2015_rankings, ahmed_2015_greedy, ahmed_2015_figures),
    *(sebban_nock_2002, sebban_nock_2002_null, sebban_nock_2002_tables),
    ng_1998,
)

claims = Ledger(entry for section in _SECTIONS for entry in section.paper.entries)
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
    expected = claims[claim] if isinstance(claim, str) else claim
    if not isinstance(expected, Claim | Entry | None):
        raise InvalidTypeError(explain("claim", "a claim, or its id in the ledger", expected, "make one with @claim"))
    content = dict(certificate) if isinstance(certificate, Mapping) else read_certificate(certificate)
    if content.get("format") == POINTS_FORMAT:
        return _about_points(check_points_certificate(content), expected)
    checked = check_certificate(content)
    found, reason = _claim_named(checked.claim, expected)
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


def _about_points(checked: CheckedPoints, expected: Claim | Entry | None) -> CheckedPoints:
    if expected is not None and (not isinstance(expected, Entry) or expected.id != checked.claim or checked.without):
        name = expected.id if isinstance(expected, Entry) else expected.title
        raise CertificateError(explain("the certificate", f"about {name}", checked.summary, "leave the claim out"))
    return checked


def _claim_named(title: str, expected: Claim | Entry | None) -> tuple[Claim | None, str]:
    """Return the claim that a certificate of this title has to be about, or None and the reason why there is none."""
    entry = expected if isinstance(expected, Entry) else None
    if expected is None:
        entry = next((claims[key] for key in claims if title == key or title.startswith(f"{key} without ")), None)
        if entry is None:
            return None, "the ledger has no claim of this name, and none was given to compare it with"
    claim = entry.claim if entry else expected
    if not isinstance(claim, Claim):
        return None, f"this says nothing about the ledger's {entry and entry.id}, which has no claim to compare it with"
    if expected is None:
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
