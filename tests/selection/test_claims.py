"""Section IV of Beraha et al. on every small distribution; `check_claims` runs the same further."""

from __future__ import annotations

from tests.selection.check_claims import count_failures


def test_survey() -> None:
    """Backward elimination keeps its promise; forward selection does where it can, and never where it cannot."""
    counts = count_failures(4)
    assert counts["distributions"] == 442  # 8 + 36 + 120 + 330 compositions, less 52 with a common divisor
    failed = {statement for statement, count in counts.items() if statement.endswith("fails") and count}
    assert failed == {
        "forward, printed, threshold reached, A_T fails",
        "forward, printed, threshold not reached, A_T fails",
        "forward, printed, threshold not reached, A_(T+1) fails",
    }
    missed = counts["forward, printed, threshold not reached"]
    assert counts["forward, printed, threshold not reached, A_(T+1) fails"] == missed
