"""Which claim a person means: one of their own, an entry of the ledger, or its id."""

from __future__ import annotations

from collections.abc import Iterable

from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.ledger import Entry, claims
from fstheory.logic import Claim

__all__ = ["claim_asked"]


def claim_asked(claim: Claim | Entry | str, without: str | Claim | Iterable[str | Claim] = ()) -> Claim:
    """Return the claim that is meant, without the assumptions that are to be dropped.

    Raises
    ------
    UnknownNameError
        The ledger has no such entry, or the claim no such assumption.
    InvalidValueError
        The entry is not about one distribution, so it has no claim.
    InvalidTypeError
        It is neither a claim, an entry nor a text.

    Examples
    --------
    >>> claim_asked("PN-4", without="positive").title
    'PN-4 without positive'
    """
    entry = claims[claim] if isinstance(claim, str) else claim
    found = entry.claim if isinstance(entry, Entry) else entry
    if found is None:
        raise InvalidValueError(
            explain("claim", "an entry about one distribution", claim, "see its evidence in the ledger instead")
        )
    if not isinstance(found, Claim):
        raise InvalidTypeError(explain("claim", "a claim, or its id in the ledger", claim, "make one with @claim"))
    dropped = (without,) if isinstance(without, str | Claim) else tuple(without)
    return found.without(*dropped) if dropped else found
