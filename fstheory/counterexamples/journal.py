"""The journal of a search: its steps, decided again when they are read.

That an earlier run found no counterexample cannot be seen without searching again, and who edits a file can also
correct its digest; so a search says what of its answer is the journal's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import CodeType
from typing import Any

from fstheory._journal import Journal, digest
from fstheory.counterexamples.enumerate import count
from fstheory.counterexamples.target import Target, lowest
from fstheory.logic.claim import Claim
from fstheory.logic.function import code_of
from fstheory.logic.statement import Statement
from fstheory.logic.symmetry import canonical_text

__all__ = ["SearchJournal", "fingerprint", "fingerprint_of_code"]

_MOST_TOTAL = 1000  # as for `max_total`


class SearchJournal(Journal):
    """The steps of one search that are done."""

    about = "search"
    version = 2

    def identify(self, step: str, fingerprint: Callable[[], str]) -> None:
        """Note the fingerprint of what a step is about, or compare it with the one that was noted."""
        if self._path is None:
            return
        known, here = self._done.get(step), fingerprint()
        if known is None:
            self.put(step, here)
        elif known != here:
            raise self.another("the claim was changed")

    def check(self, target: Target) -> None:
        """Compare the steps of a shape with what they can be, and decide its counterexamples again."""
        start = f"{target.shape}, "
        steps = {name.removeprefix(start): made for name, made in self._done.items() if name.startswith(start)}
        for step, made in steps.items():
            if not _is_possible(step, made, target):
                raise self.refusal(f"what it says of {start}{step[:40]!r} is not what a search finds")

    def shapes(self) -> set[str]:
        """Return the shapes that the file tells of, in words."""
        return {name.rpartition(", ")[0] for name in self._earlier}


def fingerprint(statement: Statement) -> str:
    """Return what tells a ground statement from others."""
    parts = (sorted(canonical_text(named.formula) for named in part) for part in (statement.assume, statement.show))
    return digest("\n\n".join(map("\n".join, parts)))


def fingerprint_of_code(claim: Claim) -> str:
    """Return what tells the functions of a claim and of its assumptions from others."""
    bodies = (code_of(part.body) for part in (claim, *claim.assumptions))
    return digest("|".join("" if code is None else _code(code) for code in bodies))


def _code(code: CodeType) -> str:
    return "\n".join([code.co_code.hex(), *map(_constant, code.co_consts), *code.co_names])


def _constant(value: object) -> str:
    if isinstance(value, CodeType):
        return _code(value)
    return str(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)  # sets have no order


def _is_possible(step: str, made: Any, target: Target) -> bool:
    """Say whether this can have come out of a step of the search of a shape."""
    kind, _, number = step.rpartition(" ")
    total = int(number) if re.fullmatch("[1-9][0-9]{,3999}", number) else 0
    if step == "claim":
        return isinstance(made, str)
    if kind == "total" and total:
        return _is_level(total, made, target)
    if not isinstance(made, list) or len(made) != 1:
        return False
    (found,) = made
    if step == "solver":  # None without an answer, [] without a counterexample
        return found is None or found == [] or _refutes(found, target)
    if kind == "totals up to" and total:
        return found == [] or (_refutes(found, target) and sum(lowest(found)) <= total)
    if kind == "least of total" and total:
        return _refutes(found, target) and sum(found) == total
    if step == "random":
        pair = isinstance(found, list) and len(found) == 2 and _is_count(found[1])
        return pair and (found[0] is None or _refutes(found[0], target))
    return step == "descent" and _refutes(found, target)


def _is_level(total: int, made: Any, target: Target) -> bool:
    if total > _MOST_TOTAL or not isinstance(made, dict) or made.keys() != {"next", "best", "decided"}:
        return False
    after, best, decided = made["next"], made["best"], made["decided"]
    if not _is_count(after) or not _is_count(decided) or not decided <= after <= count(target.shape.cells, total):
        return False
    if best is None:
        return True
    if not isinstance(best, list) or len(best) != 2 or not all(map(_is_count, best)) or not best[1] < after:
        return False
    weights = target.at(total, best[1])
    return best[0] == sum(weight > 0 for weight in weights) and target.violated(weights)


def _refutes(found: Any, target: Target) -> bool:
    """Decide again whether weights are a counterexample."""
    listed = isinstance(found, list) and len(found) == target.shape.cells and all(map(_is_count, found))
    return listed and any(found) and target.violated(tuple(found))


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0
