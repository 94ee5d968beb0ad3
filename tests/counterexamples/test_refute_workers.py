"""Several processes find what one finds."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fstheory.counterexamples import pool, shape_search, target
from fstheory.counterexamples.pool import Pool, serve
from fstheory.counterexamples.refute import refute
from fstheory.counterexamples.target import Ground, Opaque, Outcome, Piece
from fstheory.logic import Formula, Model, Shape, claim, positive, unique_maximum
from tests.counterexamples import statements


@claim(assume=[positive, unique_maximum])
def solution_is_unique(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@claim
def no_three_tenths(m: Model, i: str) -> Formula:
    return m.risk(i) * m.risk(i) != "9/100"


@claim
def total_below_five(m: Model) -> bool:
    return m.distribution.total < 5


@pytest.fixture
def in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "BATCH", 16)
    monkeypatch.setattr(shape_search, "_LEAST", 64)
    monkeypatch.setattr(pool, "_WORTH", 0.001)


@pytest.mark.usefixtures("in_small_steps")
@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("dropped", ["positive", "unique_maximum"])
def test_the_number_of_workers_does_not_matter(dropped: str, workers: int) -> None:
    options: dict[str, Any] = {"without": dropped, "cardinalities": (2, 2), "classes": 2}
    assert refute(solution_is_unique, **options, workers=workers) == refute(solution_is_unique, **options)


@pytest.mark.usefixtures("in_small_steps")
def test_processes_are_started_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    original = subprocess.Popen

    def popen(*arguments: Any, **options: Any) -> Any:
        started.append(original(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    monkeypatch.setattr(Ground, "search", _never_here_after_the_first)
    options: dict[str, Any] = {"cardinalities": (2, 2), "classes": 2, "max_total": 10}
    verdict = refute(no_three_tenths, **options, workers=2)
    assert verdict.status == "refuted"
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


_SEARCH = target.Target.search


def _never_here_after_the_first(self: Ground, piece: Piece) -> Outcome:
    assert piece.total <= 7, "this piece should have gone to another process"
    return _SEARCH(self, piece)


@pytest.mark.usefixtures("in_small_steps")
def test_a_process_that_dies_is_replaced_by_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_PROGRAM", "import sys; sys.stdin.buffer.read(1); sys.exit(3)")
    options: dict[str, Any] = {"cardinalities": (2, 2), "classes": 2, "max_total": 10}
    assert refute(no_three_tenths, **options, workers=2) == refute(no_three_tenths, **options)


def test_claims_that_cannot_be_sent_stay_here() -> None:
    with Pool(workers=2) as one:
        asked = Opaque(total_below_five, Shape((2,)))
        outcomes = dict(one.run(asked, (Piece(total, 0, 4) for total in range(1, 30))))
        assert not one._processes
    assert outcomes[Piece(1, 0, 4)].best is None


@pytest.mark.parametrize("seed", range(20))
def test_a_statement_survives_the_way_to_a_process(seed: int) -> None:
    rng = Random(seed)
    shape = statements.shape(rng)
    sent = Ground(statements.statement(rng, shape, statements.ENTROPIES))
    pieces = [Piece(total, start, start + 1) for total in (1, 3) for start in range(2)]
    pieces = [piece for piece in pieces if piece.stop <= shape.cells]
    out = io.BytesIO()
    serve(io.BytesIO(b"".join(map(pickle.dumps, [(sent.statement, sent.moves), *pieces]))), out)
    out.seek(0)
    assert [pickle.load(out) for _ in pieces] == list(map(sent.search, pieces))


def test_pieces_can_be_bounded() -> None:
    """Only counterexamples with fewer cells than are known are of interest."""
    searched = Ground(no_three_tenths.statement(Shape((2,))))
    assert searched.search(Piece(10, 0, 286)).best == (2, 3)
    assert searched.search(Piece(10, 0, 286, bound=3)).best == (2, 3)
    assert searched.search(Piece(10, 0, 286, bound=2)).best is None
    assert searched.at(10, 3) == (0, 0, 3, 7)


def test_a_piece_of_many_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least of all of them, wherever it is: the fewest cells, then the smallest rank."""
    statement = no_three_tenths.statement(Shape((2,)))
    every = [tuple(Ground(statement).at(10, rank)) for rank in range(286)]
    violations = [(sum(map(bool, w)), rank) for rank, w in enumerate(every) if Ground(statement).violated(w)]
    for batch in (1, 7, 50, 1000):
        monkeypatch.setattr(target, "BATCH", batch)
        for start in range(0, 286, 40):
            expected = min((v for v in violations if v[1] >= start), default=None)
            assert Ground(statement, ()).search(Piece(10, start, 286)).best == expected


def test_a_script_without_a_guard_can_use_workers(tmp_path: Path) -> None:
    """The processes do not import the program that starts them."""
    script = tmp_path / "script.py"
    script.write_text(
        "from tests.counterexamples.test_refute_workers import no_three_tenths, pool, refute\n"
        "pool._WORTH = 0.0\n"
        "print(refute(no_three_tenths, cardinalities=(2, 2), classes=2, max_total=10, workers=2).status)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    answer = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=environment)
    assert answer.stdout == "refuted\n"
