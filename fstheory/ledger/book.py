"""All entries of the ledger by their ids."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fstheory._display import Shown, few, listing
from fstheory.errors import InvalidValueError, unknown
from fstheory.ledger import ahmed_2015, beraha_2019, pena_nilsson_2010, sebban_nock_2002
from fstheory.ledger.entry import Entry, Paper

__all__ = ["Ledger", "claims"]


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


_PAPERS = (pena_nilsson_2010, beraha_2019, ahmed_2015, sebban_nock_2002)

claims = Ledger(entry for paper in _PAPERS for entry in paper.ENTRIES)
"""The ledger of the papers this project rests on."""


def _reduced(entry: Entry) -> tuple[Any, tuple[Any, ...]]:
    """Pickle an entry of the ledger by its id, so that also claims made inside of functions travel."""
    if claims.get(entry.id) is entry:
        return claims.__getitem__, (entry.id,)
    return Entry, tuple(dict(entry.needs) if name == "needs" else getattr(entry, name) for name in entry.__slots__)


copyreg.pickle(Entry, _reduced)
