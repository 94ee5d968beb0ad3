"""The claims of an invented paper, as somebody else would write a ledger."""

from pathlib import Path

from fstheory import Model
from fstheory.logic import Formula, Statements

paper = Statements(Path(__file__).with_suffix(".toml"))


@paper.claim("DOE-1")
def useless_alone(m: Model, i: str, j: str) -> Formula:
    """Say that a feature which is worth nothing alone adds nothing to another feature."""
    alone, pair = m.risk({i}), m.risk({i, j})
    return m.implies(alone == m.risk(()), pair == m.risk({j}))


@paper.claim("DOE-2")
def pairs(m: Model, i: str, j: str) -> Formula:
    """Say that a pair of features is at least as good as each of them."""
    return m.risk({i, j}) <= m.risk({i})
