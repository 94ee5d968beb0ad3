"""Importances in claims: their values at distributions, and statements of the literature decided for every size."""

from __future__ import annotations

import pytest

import fstheory as fs
from fstheory.errors import InvalidValueError, UnknownNameError
from fstheory.logic import Model, Refuted, Shape, truth, value
from tests.lattice.test_importance import KINDS, drawn
from tests.refusals import refusals


@pytest.mark.parametrize("seed", range(12))
def test_a_term_has_the_value_of_the_importance(seed: int) -> None:
    d = drawn(seed, most=3)
    m = Model(d)
    for i in d.features:
        for kind in KINDS:
            assert value(m.importance(i, kind), d) == fs.importance(d, kind)[i]
        found = fs.importance(d, criterion="logarithmic")
        assert value(m.shapley(i, criterion="information"), d) == found[i]
    for (i, j), interaction in fs.importance(d).interactions().items():
        assert value(m.interaction(i, j), d) == interaction == value(m.interaction(j, i), d)
    assert truth(m.submodular(), d) == bool(fs.selection.is_submodular(fs.bayes_risks(d)))


def test_words_on_copies_and_on_the_highest() -> None:
    d = fs.gallery.with_copy(fs.gallery.titanic(), "sex", "twin")
    m = Model(d)
    assert truth(m.copies("sex", "twin"), d)
    assert not truth(m.copies("sex", "age"), d)
    top = fs.importance(d).ranking()[0]
    assert truth(m.top(set(top), m.shapley), d)
    assert not truth(m.top({"age"}, m.shapley), d)
    alone = fs.importance(d.marginal(d.features[:2]))
    assert value(m.shapley("class", of=d.features[:2]), d) == alone["class"]


SAID = [key for key, entry in fs.claims.items() if entry.paper.file == "importance.toml"]
TRUE_OF_TWO = {"SH-7", "FY-3", "FY-3u", "FY-4", "CD-1", "CD-2", "CO-6", "CO-6p", "GR-1"}
"""Statements that are false, but true of two features."""


HARD = ("GE-5", "CO-5")


@pytest.mark.parametrize("key", [pytest.param(key, marks=[pytest.mark.thorough] * (key in HARD)) for key in SAID])
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.one_in(10)
def test_a_statement_of_the_literature_is_decided(key: str, n: int) -> None:
    """A refutation shows a distribution where the claim is false; a proof has a certificate."""
    claim = fs.claims[key].stated()
    found = fs.prove(claim, features=n)
    if isinstance(found, Refuted):
        assert claim.check(found.distribution).status == "refuted"
    else:
        assert fs.check_certificate(found.certificate)  # type: ignore[union-attr]
    is_false = fs.claims[key].status == "false"
    assert found.status == ("refuted" if is_false and not (n == 2 and key in TRUE_OF_TWO) else "proved")


test_refusals = refusals(
    [
        ("m.shapley('X3')", UnknownNameError, "feature", "does not exist"),
        ("m.shapley('X1', of=['X2'])", InvalidValueError, "i", "among the features X2"),
        ("m.shapley('X1', criterion='auc')", InvalidValueError, "criterion", "one of risk, information"),
        ("m.importance('X1', 'shapely')", UnknownNameError, "kind of importance", "does not exist"),
        ("m.interaction('X1', 'X1')", InvalidValueError, "j", "another feature than i"),
        ("m.top('X3', m.shapley)", UnknownNameError, "subset: feature", "does not exist"),
    ],
    {"m": Model(Shape((2, 2)))},
)
