"""Sets of features: frozensets in every respect but the order in which they are gone through."""

import copy
import hashlib
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstheory.logic.expressions import FeatureSet
from fstheory.logic.statement import Shape
from fstheory.papers.ledger import claims
from tests.house.source import ROOT

ORDER = ("X3", "X1", "X10", "X2")
SETS = st.frozensets(st.sampled_from(ORDER))


@given(SETS, SETS)
def test_it_is_a_frozenset(a: frozenset[str], b: frozenset[str]) -> None:
    kept = FeatureSet(a, ORDER)
    assert (kept, hash(kept), len(kept)) == (a, hash(a), len(a))
    for found, expected in (
        (kept | b, a | b),
        (kept & b, a & b),
        (kept - b, a - b),
        (kept ^ b, a ^ b),
        (b | kept, a | b),
        (b - kept, b - a),
        (kept.union(b, ["X1"]), a | b | {"X1"}),
        (kept.difference(b), a - b),
        (kept.intersection(b), a & b),
        (kept.symmetric_difference(b), a ^ b),
    ):
        assert isinstance(found, FeatureSet)
        assert found == expected
        assert list(found) == [name for name in ORDER if name in expected]
    assert (kept <= b, kept < b, kept.isdisjoint(b)) == (a <= b, a < b, a.isdisjoint(b))


@given(SETS)
def test_it_survives_copies(a: frozenset[str]) -> None:
    kept = FeatureSet(a, ORDER)
    for other in (copy.copy(kept), copy.deepcopy(kept), pickle.loads(pickle.dumps(kept)), kept.copy()):
        assert other == kept
        assert list(other) == list(kept)


def test_unknown_names_come_last_in_alphabetical_order() -> None:
    assert list(FeatureSet({"X2", "b", "a"}, ORDER)) == ["X2", "a", "b"]


def test_a_name_is_no_set() -> None:
    """A string would otherwise be taken for its letters."""
    with pytest.raises(TypeError):
        FeatureSet(ORDER, ORDER) - "X1"


def spelled_out() -> str:
    """Return a digest of what the claims of a paper say of a shape."""
    stated = [entry.claim for entry in claims.values() if entry.id.startswith("PN") and entry.claim]
    spelled = [claim.statement(Shape((2, 2))) for claim in stated]
    said = [repr([(part.name, part.where, part.formula) for part in (*s.assume, *s.show)]) for s in spelled]
    return hashlib.sha256("".join(said).encode()).hexdigest()


def test_the_statements_of_the_ledger_do_not_depend_on_the_hash_seed() -> None:
    code = "from tests.logic.test_feature_set import spelled_out; print(spelled_out())"
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    there = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env, cwd=ROOT)
    assert there.stdout.strip() == spelled_out()
