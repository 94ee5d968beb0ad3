"""The ledgers of this package, which the entry-point group ``fstheory.ledgers`` announces to the registry of claims."""

from pathlib import Path

from fstheory.logic.entry import Statements
from fstheory.papers import (
    ahmed_2015,
    beraha_2019,
    classics,
    importance,
    pena_nilsson_2010,
    questions,
    sebban_nock_2002,
)

STATEMENTS = (
    pena_nilsson_2010.paper,
    beraha_2019.paper,
    ahmed_2015.paper,
    sebban_nock_2002.paper,
    Statements(Path(__file__).with_name("ng_1998.toml")),
    classics.paper,
    importance.paper,
    questions.paper,
)
"""The statements of the five papers, of the classics, on importances and on questions, in the order of the ledger."""
