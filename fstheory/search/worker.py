"""One process of a search: reads a statement, then pieces of work, a line of JSON each; writes what it finds.

The process ends when its input does, so also when the process that started it is killed.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from fstheory.logic.nodes import from_json, to_json
from fstheory.logic.statement import Named, Shape, Statement
from fstheory.search.target import Ground, Outcome, Piece

__all__ = ["dump_piece", "dump_target", "load_outcome", "main"]


def main() -> None:
    """Serve standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started this one
    serve(sys.stdin, sys.stdout)


def serve(source: TextIO, out: TextIO) -> None:
    """Answer every line of a stream.

    Examples
    --------
    >>> import io
    >>> from fstheory.logic import claim
    >>> @claim
    ... def useful(m, i):
    ...     return m.risk(i) < m.risk(())
    >>> target = Ground(useful.statement(Shape((2,))))
    >>> out = io.StringIO()
    >>> serve(io.StringIO(dump_target(target) + dump_piece(Piece(1, 0, 4))), out)
    >>> load_outcome(out.getvalue()).best
    (1, 0)
    """
    target: Ground | None = None
    for line in source:
        message = json.loads(line)
        if "show" in message:
            target = _load_target(message)
            continue
        if target is None:
            raise AssertionError("a statement comes first")
        outcome = target.search(Piece(*message["piece"]))
        out.write(json.dumps([outcome.best, outcome.decided, outcome.seconds]) + "\n")
        out.flush()


def dump_target(target: Ground) -> str:
    """Write a target as a line."""
    statement = target.statement
    message = {
        "shape": [list(statement.shape.cardinalities), statement.shape.classes],
        "assume": [to_json(named.formula) for named in statement.assume],
        "show": [to_json(named.formula) for named in statement.show],
        "moves": target.moves,
    }
    return json.dumps(message) + "\n"


def dump_piece(piece: Piece) -> str:
    """Write a piece of work as a line."""
    return json.dumps({"piece": [piece.total, piece.start, piece.stop, piece.bound]}) + "\n"


def load_outcome(line: str) -> Outcome:
    """Read what was found."""
    best, decided, seconds = json.loads(line)
    return Outcome(None if best is None else (best[0], best[1]), decided, seconds)


def _load_target(message: Mapping[str, Any]) -> Ground:
    cardinalities, classes = message["shape"]
    assume, show = (
        tuple(Named("", (), from_json(formula)) for formula in message[part]) for part in ("assume", "show")
    )
    statement = Statement("", Shape(tuple(cardinalities), classes), assume, show)
    return Ground(statement, tuple(map(tuple, message["moves"])))


if __name__ == "__main__":
    main()
