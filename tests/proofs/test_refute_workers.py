"""Several processes find what one finds."""

import io
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fstheory.logic.statement import Shape
from fstheory.proofs.descent import ShapeRange
from fstheory.proofs.enumeration import Budget, FormulaTarget, FunctionTarget, Outcome, Piece, Pool, Target, serve
from fstheory.proofs.refutation import search
from tests.house import source
from tests.proofs import statements
from tests.proofs.claims import no_three_tenths, search_three_tenths, solution_is_unique, total_below_five

IN_SMALL_STEPS = Budget(batch=16, piece=64, start_after=0.001)


def test_the_number_of_workers_does_not_matter() -> None:
    claim, shapes = solution_is_unique.without("positive"), ShapeRange((2, 2), 2)
    assert search(claim, shapes, workers=2, budget=IN_SMALL_STEPS) == search(claim, shapes)


def start(monkeypatch: pytest.MonkeyPatch, *, killed: bool = False) -> list[subprocess.Popen[bytes]]:
    """Return the list of the processes that are going to be started."""
    started: list[subprocess.Popen[bytes]] = []
    original = subprocess.Popen

    def popen(*arguments: Any, **options: Any) -> Any:
        started.append(original(*arguments, **options))
        if killed:
            started[-1].kill()
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    return started


def test_processes_are_started_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    started, original = start(monkeypatch), Target.search

    def never_here_after_the_first(self: FormulaTarget, piece: Piece) -> Outcome:
        assert piece.total <= 7, "this piece should have gone to another process"
        return original(self, piece)

    monkeypatch.setattr(FormulaTarget, "search", never_here_after_the_first)
    assert search_three_tenths(IN_SMALL_STEPS, workers=2).status == "refuted"
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


def test_a_process_that_dies_is_replaced_by_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    started = start(monkeypatch, killed=True)
    assert search_three_tenths(IN_SMALL_STEPS, workers=2) == search_three_tenths()
    assert len(started) == 2


def test_claims_that_cannot_be_sent_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    started = start(monkeypatch)
    with Pool(workers=2, start_after=0) as pool:
        pieces = (Piece(total, 0, 4) for total in range(1, 30))
        outcomes = dict(pool.run(FunctionTarget(total_below_five, Shape((2,))), pieces))
    assert not started
    assert outcomes[Piece(1, 0, 4)].best is None


@statements.seeds(6, 20)
def test_a_statement_survives_the_way_to_a_process(seed: int) -> None:
    rng = Random(seed)
    shape = statements.shape(rng)
    sent = FormulaTarget(statements.statement(rng, shape, statements.ENTROPIES))
    pieces = [Piece(total, start, start + 1) for total in (1, 3) for start in range(min(2, shape.cells))]
    out = io.BytesIO()
    serve(io.BytesIO(b"".join(map(pickle.dumps, [sent, *pieces]))), out)
    out.seek(0)
    assert [pickle.load(out) for _ in pieces] == list(map(sent.search, pieces))


def test_pieces_can_be_bounded() -> None:
    """Only counterexamples with fewer cells than are known are of interest."""
    searched = FormulaTarget(no_three_tenths.statement(Shape((2,))))
    pieces = (Piece(10, 0, 286, bound=bound) for bound in (None, 3, 2))
    assert [searched.search(piece).best for piece in pieces] == [(2, 3), (2, 3), None]
    assert searched.at(10, 3) == (0, 0, 3, 7)


@pytest.mark.parametrize("batch", [1, 7, 50, 1000])
def test_a_piece_of_many_batches(batch: int) -> None:
    """The least of all of them, wherever it is: the fewest cells, then the smallest rank."""
    searched = FormulaTarget(no_three_tenths.statement(Shape((2,))), (), batch)
    every = enumerate(searched.at(10, rank) for rank in range(286))
    violations = [(sum(map(bool, w)), rank) for rank, w in every if searched.violated(w)]
    for start in range(0, 286, 40):
        expected = min((v for v in violations if v[1] >= start), default=None)
        assert searched.search(Piece(10, start, 286)).best == expected


@pytest.mark.thorough
def test_a_script_without_a_guard_can_use_workers(tmp_path: Path) -> None:
    """The processes do not import the program that starts them."""
    script = tmp_path / "script.py"
    script.write_text(
        "from fstheory.proofs.enumeration import Budget\nfrom tests.proofs.claims import search_three_tenths\n"
        "print(search_three_tenths(Budget(start_after=0.0), workers=2).status)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(source.ROOT)}
    answer = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=environment)
    assert answer.stdout == "refuted\n"
