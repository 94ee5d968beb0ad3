"""The registry of claims: the entries of all ledgers by id, and the comparison of certificates with their claims."""

from __future__ import annotations

import copyreg
import functools
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import entry_points
from itertools import groupby
from typing import Any

from fstheory import errors
from fstheory._support.result import Result, first_of, listing
from fstheory.checker.certificates import Checked, check_certificate, read_certificate
from fstheory.checker.points import POINTS_FORMAT
from fstheory.errors import CertificateError, require
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim, exchanged_in
from fstheory.logic.entry import Entry, Statements
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import to_json
from fstheory.logic.statement import Instance, Shape


class Ledger(Result, Mapping[str, Entry]):
    """A read-only mapping from ids to the entries of all registered ledgers.

    The papers of fstheory come first. The ledgers that other installed packages announce by the entry-point group
    ``fstheory.ledgers`` follow, and then the ledgers that `register` added. All are read when an entry is first used.

    Examples
    --------
    >>> claims["PN-M"].words
    'One more feature never makes the Bayes risk larger; so no superset has a larger one.'
    """

    def __init__(self) -> None:
        self._added: list[Statements] = []

    @functools.cached_property
    def _entries(self) -> dict[str, Entry]:
        return _by_id([*_installed(), *self._added])

    def _add(self, statements: Statements) -> None:
        self._entries = _by_id([*_installed(), *self._added, statements])  # refuses before anything is added
        self._added.append(statements)

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


_GROUP = "fstheory.ledgers"
claims = Ledger()
"""The ledger: all statements of all registered papers, by id."""


def register(statements: Statements) -> None:
    """Add the statements of a paper to `fstheory.claims` for this session.

    Afterwards `fstheory.prove`, `refute`, `audit`, `verify_certificate` and the pages find the statements by their ids.
    An installed package does not need this call: it names its `Statements` in the entry-point group
    ``fstheory.ledgers``.

    Raises
    ------
    InvalidValueError
        An id is already taken, or a claim has no entry in the file. Then nothing is added.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> from fstheory.logic import Statements
    >>> register(Statements("nowhere.toml"))
    Traceback (most recent call last):
        ...
    FileNotFoundError: [Errno 2] No such file or directory: 'nowhere.toml'
    """
    errors.require_type(
        statements, Statements, "statements", "the statements of a paper", "make them by Statements(file)"
    )
    claims._add(statements)


def _by_id(ledgers: Iterable[Statements]) -> dict[str, Entry]:
    """Return the entries of some ledgers by id. Refuse an id that occurs twice."""
    found: dict[str, Entry] = {}
    for entry in itertools.chain.from_iterable(statements.entries for statements in ledgers):
        require(entry.id not in found, "the ledger", "of distinct ids", entry.id, "rename one of the two entries")
        found[entry.id] = entry
    return found


@functools.cache
def _installed() -> tuple[Statements, ...]:
    """Return the ledgers that installed packages announce: those of fstheory first, then the others by name."""
    points = sorted(entry_points(group=_GROUP), key=lambda point: (not point.value.startswith("fstheory."), point.name))
    found: list[Statements] = []
    for point in points:
        try:
            loaded = point.load()
            found += [loaded] if isinstance(loaded, Statements) else loaded
        except Exception as error:
            error.add_note(f"while the ledger {point.name!r} was read, which {point.value} announces")
            raise
    return tuple(found)


def _reduced(entry: Entry) -> tuple[Any, tuple[Any, ...]]:
    """Pickle an entry of the ledger by its id.

    So an entry can be sent to a worker even if its claim was made inside a function, which pickle cannot store.
    """
    if claims.get(entry.id) is entry:
        return claims.__getitem__, (entry.id,)
    return Entry, tuple(dict(entry.needs) if name == "needs" else getattr(entry, name) for name in entry.__slots__)


copyreg.pickle(Entry, _reduced)


def find_claim(claim: Claim | Entry | str, without: str | Claim | Iterable[str | Claim] = ()) -> Claim:
    """Return the claim given as a claim, an entry or an id, without the assumptions named by `without`."""
    entry = claims[claim] if isinstance(claim, str) else claim
    found = entry.claim if isinstance(entry, Entry) else entry
    repair = "see its evidence in the ledger instead"
    require(found is not None, "claim", "an entry about one distribution", claim, repair)
    found = errors.require_type(found, Claim, "claim", "a claim, or its id in the ledger", "make one with @claim")
    several = (without,) if isinstance(without, str | Claim) else without
    dropped = tuple(errors.require_type(several, Iterable, "without", "names of assumptions", "write ['positive']"))
    return found.without(*dropped) if dropped else found


_WITHOUT = " without "  # stands between the name of a claim and those of dropped assumptions
_STEPS = 500_000  # the most steps for spelling a claim out: some seconds, however short the certificate is


def verify_certificate(
    certificate: Mapping[str, Any] | str | os.PathLike[str], claim: Claim | Entry | str | None = None
) -> Checked:
    """Verify a certificate from the definitions, and compare its statement with the claim that it names.

    Use it for a certificate that somebody gives you. `fstheory.check_certificate` verifies only what the certificate
    itself states; this function also verifies that the statement is that of the claim.

    Parameters
    ----------
    certificate : Certificate, mapping or path-like
        The certificate, or its file. A file is read once.
    claim : Claim, Entry or str, optional
        The claim that the certificate should be about, or the id of the claim in the ledger. By default it is the claim
        of the ledger that the certificate names.

    Returns
    -------
    Checked
        The status is one of these:

        - "accepted": the certificate is correct, and its statement is that of the claim.
        - "as it stands": the certificate is correct, but its statement was not compared with a claim. Either the ledger
          has no claim of that name, or the claim cannot be spelled out.
        - "vacuous": the statement has no formulas.
        - "unverifiable": the only evidence is the word of solvers.

    Raises
    ------
    CertificateError
        Something in the certificate is wrong, or the certificate is about another statement.

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
    checked = check_certificate(content)
    if content["format"] == POINTS_FORMAT:
        return _about_points(checked, expected)
    found, reason = _compared(content, expected)
    if found is not None:
        if checked.status != "vacuous":
            return checked
        reason = f"{found.title}, spelled out for this shape, has none either: it is true whatever the distribution"
        return replace(checked, summary=f"{checked.summary}; {reason}")
    status = "as it stands" if checked else checked.status
    return replace(checked, status=status, summary=f"{checked.summary}; verified as it stands: {reason}")


def require_registered(certificate: Mapping[str, Any]) -> None:
    """Require that a certificate, which the checker has accepted, is about the claim of the ledger that it names."""
    title = certificate["claim"]
    if certificate["format"] != POINTS_FORMAT and title.partition(_WITHOUT)[0] in claims:
        found, reason = _compared(certificate, None)
        repair = "give the claim another name"
        require(found is not None, "the certificate", f"about {title} of the ledger", reason, repair, CertificateError)


def _compared(content: Mapping[str, Any], expected: Claim | Entry | None) -> tuple[Claim | None, str]:
    """Compare the statement of a certificate with the claim that it must be about, and return this claim.

    If there is no such claim, or it cannot be spelled out, return None and the reason.
    """
    title, exchanged = exchanged_in(content["claim"])
    found, reason = _claim_named(title, expected)
    if found is not None:
        try:
            _require_same(content, found, exchanged)
        except (errors.ClaimError, errors.TooLargeError) as error:
            return None, f"the statement of {found.title} cannot be spelled out to compare it: {error}"
    return found, reason


def _about_points(checked: Checked, expected: Claim | Entry | None) -> Checked:
    """Return the result for a certificate on labeled points. Raise an error if it is about another claim."""
    if expected is not None and (not isinstance(expected, Entry) or expected.id != checked.claim):
        name = expected.id if isinstance(expected, Entry) else expected.title
        raise CertificateError(
            errors.explain("the certificate", f"about {name}", checked.summary, "leave the claim out")
        )
    return checked


def _claim_named(title: str, expected: Claim | Entry | None) -> tuple[Claim | None, str]:
    """Return the claim that a certificate of this title must be about.

    If there is no such claim, return None and the reason.
    """
    entry = expected if isinstance(expected, Entry) else None
    name, *dropped = title.split(_WITHOUT)
    if expected is None:
        entry = claims.get(name)
        if entry is None:
            return None, "the ledger has no claim of this name, and none was given to compare it with"
        about = "about the claim that it names"
        require(entry.claim, "the certificate", about, f"{name}, no claim on formulas", "rename it", CertificateError)
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


def _require_same(content: Mapping[str, Any], claim: Claim, exchanged: str | None) -> None:
    """Require that the statement of a certificate is that of the claim, with a feature and the class exchanged or not.

    The assumptions and instances of the claim are spelled out one by one, and each is compared at once.
    """
    written, classes = content["shape"], content["shape"]["classes"]
    every = "features" in written
    shape = EverySize(written["features"], classes) if every else Shape(tuple(written["cardinalities"]), classes)
    named = "assumptions" in content
    assumed, shown = claim.spelled_out(shape, steps=_STEPS, named=named, exchanged=exchanged)
    same = tuple(content.get("assumptions", ())) == (claim.by_name() if named else ())
    same = same and _are_same(content["assume"], assumed)
    if content["kind"] == "proved":
        same = same and _are_same(content["show"], shown)
    else:
        same = same and any(_is_same(content["show"][0], instance) for instance in shown)
    if not same:
        raise CertificateError(
            f"the certificate must be about {claim.title} with {shape}, but its statement is another one; "
            "what it says may be true all the same: check_certificate tells"
        )


def _are_same(written: Iterable[Mapping[str, Any]], stated: Iterable[Instance]) -> bool:
    """Return whether the instances are the same in the same order. Stop at the first difference."""
    return all(one and other and _is_same(one, other) for one, other in itertools.zip_longest(written, stated))


def _is_same(written: Mapping[str, Any], stated: Instance) -> bool:
    """Return whether an instance of a certificate has the name and the formula of an instance of a claim."""
    return written["name"] == stated.name and json.dumps(written["formula"]) == json.dumps(to_json(stated.formula))


def verified(entry: Entry) -> Iterator[tuple[str, Certificate, Checked]]:
    """Yield the certificates of an entry, each with its file and the result of verifying it.

    Raise a CertificateError that names the entry and the file if a certificate is rejected.
    """
    for without, evidence in (*((None, evidence) for evidence in entry.evidence), *entry.needs.items()):
        if evidence.certificate is None:
            continue
        # A certificate on labeled points names its statement itself, so its entry has no claim to weaken.
        weaker = entry.claim.without(without) if entry.claim and without else None
        try:
            certificate = evidence.load()
            checked = verify_certificate(certificate, weaker if without else entry)
            if checked.status not in {"accepted", "as it stands"}:
                raise CertificateError(checked.summary)
        except CertificateError as error:
            raise CertificateError(f"{entry.id}, {evidence.certificate}: {error}") from error
        yield evidence.certificate, certificate, checked
