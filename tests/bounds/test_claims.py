"""The survey of the paper's statements, on few distributions: what should hold holds, and what is false fails."""

from __future__ import annotations

from tests.bounds.check_claims import FALSE, count_failures


def test_survey() -> None:
    cases, ledger = count_failures(3, 60)
    assert cases == 8 + 28 + 112 + 60  # those of total 1, 2 and 3 that are in lowest terms, and those drawn
    assert set(ledger.failed) == FALSE - {"B-5 classification, with i_T"}  # which fails from 7 people on, and rarely
    assert set(ledger.checked) > FALSE
