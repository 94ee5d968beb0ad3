"""Verify a certificate: its content by the checker, and that it is about the claim it names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from fstheory.checker import Checked, check_certificate
from fstheory.errors import CertificateError, NotLinearError, UnknownNameError
from fstheory.ledger.book import claims
from fstheory.logic import Certificate, Claim, Shape
from fstheory.logic.nodes import to_json
from fstheory.points_checker import POINTS_FORMAT, CheckedPoints, check_points_certificate

__all__ = ["verify_certificate"]


def verify_certificate(
    certificate: Mapping[str, Any] | str | os.PathLike[str], claim: Claim | None = None
) -> Checked | CheckedPoints:
    """Verify a certificate from the definitions, and that its statement is that of the claim it names.

    Parameters
    ----------
    certificate : Certificate, mapping or path
    claim : Claim, optional
        The claim it should be about; if not given, the claim of the ledger that it names. A certificate of a name
        that the ledger does not have is verified as it stands: what it says is true, whatever it is called.

    Returns
    -------
    Checked, or CheckedPoints for a certificate about a point set

    Raises
    ------
    CertificateError
        Something in it is wrong, or it is about another statement.

    Examples
    --------
    >>> from fstheory.gallery import titanic
    >>> from fstheory.logic import claim
    >>> @claim
    ... def useless(m, i):
    ...     return m.risk(i) == m.risk(())
    >>> verdict = useless.check(titanic())
    >>> print(verify_certificate(verdict.certificate, useless).kind)
    refuted
    """
    content = certificate if isinstance(certificate, Mapping) else Certificate.load(certificate)
    if content.get("format") == POINTS_FORMAT:
        if claim is not None:
            raise CertificateError("the certificate must be about distributions to be about a claim; leave claim out")
        return check_points_certificate(certificate)
    checked = check_certificate(certificate)
    name, *dropped = content["claim"].split(" without ")
    if claim is None:
        entry = claims.get(name)
        if entry is None or entry.claim is None:
            return checked
        claim = entry.claim
    elif claim.name != name:
        raise CertificateError(
            f"claim must be the one the certificate names, {name!r}, not {claim.name!r}; pass that one"
        )
    try:
        _require_same(content, claim.without(*(part for part in dropped if part not in claim.dropped)))
    except (NotLinearError, UnknownNameError) as error:
        raise CertificateError(f"the certificate cannot be about {claim.title}: {error}") from error
    return checked


def _require_same(content: Mapping[str, Any], claim: Claim) -> None:
    shape = Shape(tuple(content["shape"]["cardinalities"]), content["shape"]["classes"])
    statement = claim.statement(shape)
    assumed, shown = ([to_json(named.formula) for named in part] for part in (statement.assume, statement.show))
    said = [part["formula"] for part in content["show"]]
    complete = said == shown if content["kind"] == "proved" else said[0] in shown
    if [part["formula"] for part in content["assume"]] != assumed or not complete:
        raise CertificateError(
            f"the certificate must be about {claim.title} with {shape}, but its statement is another one; "
            "what it says may be true all the same: check_certificate tells"
        )
