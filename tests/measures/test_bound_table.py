"""The table of all bounds: every bound as its own function gives it, for every set of removed features."""

from __future__ import annotations

import numpy as np
import pytest

import fstheory as fs
from fstheory.errors import FSTheoryError, TooLargeError, UnknownNameError


def test_the_table_has_every_bound_of_every_subset() -> None:
    d = fs.JointDistribution([[[3, 1], [1, 3]], [[2, 2], [0, 5]]])
    found = fs.bounds.table(d)
    assert len(found.rows) == 4 * len(fs.bounds.BOUNDS)
    sizes = [len(row.removed) for row in fs.bounds.table("titanic", bounds=["theorem-3"]).rows]
    assert sizes == [0, 1, 1, 1, 2, 2, 2, 3]
    for row in found.rows:
        removed = [name for name in d.features if name in row.removed]
        if row.check is None:
            with pytest.raises(FSTheoryError) as raised:
                fs.bounds.BOUNDS[row.bound](d, removed)
            assert (row.slack, row.reason) == (None, str(raised.value))
        else:
            assert row.check == fs.bounds.BOUNDS[row.bound](d, removed)
            assert row.slack == row.check.right - row.check.left
    assert list(found.to_frame()["slack"]) == [row.slack for row in found.rows]
    assert str(found).count("\n") >= sum(row.check is not None for row in found.rows)


def test_a_bound_for_numbers_says_why_it_does_not_apply_to_words() -> None:
    text = str(fs.bounds.table("titanic", {"sex"}))
    assert text.count("theorem-2-sharp, theorem-2-exact: the states of class must be exact numbers") == 1
    assert text.startswith("removed  bound")


def test_bad_calls_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="bound 'theorem-9' does not exist"):
        fs.bounds.table("xor", bounds=["theorem-9"])
    wide = fs.JointDistribution(np.ones((2,) * 12, dtype=int))
    with pytest.raises(TooLargeError, match="d must be of at most 10 features, not 11; name the removed features"):
        fs.bounds.table(wide)
    assert len(fs.bounds.table(wide, ["X1"], bounds=["theorem-3"]).rows) == 1
