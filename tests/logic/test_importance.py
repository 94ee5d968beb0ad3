"""Importances in claims: their values at distributions, and statements of the literature decided for every size."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import InvalidValueError, UnknownNameError
from fstheory.logic import Model, Refuted, Shape, truth, value
from tests.lattice.test_importance import KINDS, drawn
from tests.refusals import refusals

UNIQUE = ("positive", "unique_maximum")


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


def in_some(m: Any, i: str) -> Any:
    return m.any([m.minimal_optimal(s) for s in m.subsets() if i in s])


def others(m: Any, *names: str) -> list[str]:
    return [name for name in m.order if name not in names]


Body = Callable[..., Any]
#: The claim, the assumptions, and the verdicts for two and for three features.
STATEMENTS: dict[str, tuple[Body, tuple[str, ...], tuple[str, str]]] = {
    "the Shapley values add up": (
        lambda m: m.sum(map(m.shapley, m.order)) == m.risk(()) - m.risk(), (), ("proved", "proved")),
    "no Shapley value is negative": (lambda m, i: m.shapley(i) >= 0, (), ("proved", "proved")),
    "Shapley 0 iff MCI 0": (lambda m, i: m.iff(m.shapley(i) == 0, m.mci(i) == 0), (), ("proved", "proved")),
    "least <= Shapley <= MCI": (
        lambda m, i: (m.importance(i, "least") <= m.shapley(i)) & (m.shapley(i) <= m.mci(i)), (),
        ("proved", "proved")),
    "LOCO <= Shapley": (lambda m, i: m.loco(i) <= m.shapley(i), (), ("refuted", "refuted")),
    "Shapley <= alone": (lambda m, i: m.shapley(i) <= m.alone(i), (), ("refuted", "refuted")),
    "positive Shapley values belong to a solution": (
        lambda m, i: m.implies(m.shapley(i) > 0, in_some(m, i)), (), ("refuted", "refuted")),
    "... also if the solution is unique": (
        lambda m, i: m.implies(m.shapley(i) > 0, in_some(m, i)), UNIQUE, ("refuted", "refuted")),
    "members of a solution have positive ones": (
        lambda m, i: m.implies(in_some(m, i), m.shapley(i) > 0), (), ("proved", "proved")),
    "the largest is in a solution": (
        lambda m, i: in_some(m, i) | m.any(m.shapley(j) >= m.shapley(i) for j in others(m, i)), (),
        ("proved", "refuted")),
    "... also if the solution is unique (2)": (
        lambda m, i: in_some(m, i) | m.any(m.shapley(j) >= m.shapley(i) for j in others(m, i)), UNIQUE,
        ("proved", "refuted")),
    "the largest is best alone": (
        lambda m, i, j: i == j or m.implies(m.shapley(i) > m.shapley(j), m.risk({i}) <= m.risk({j})), (),
        ("proved", "refuted")),
    "the least is the best to drop": (
        lambda m, i, j: i == j or m.implies(
            m.shapley(i) < m.shapley(j), m.risk(m.features - {i}) <= m.risk(m.features - {j})), (),
        ("proved", "refuted")),
    "LOCO > 0 iff in S*": (
        lambda m, i, S: m.implies(m.minimal_optimal(S), (m.loco(i) > 0) if i in S else (m.loco(i) == 0)), UNIQUE,
        ("proved", "proved")),
    "LOCO > 0 iff in S*, positive alone": (
        lambda m, i, S: m.implies(m.minimal_optimal(S), (m.loco(i) > 0) if i in S else (m.loco(i) == 0)),
        ("positive",), ("refuted", "refuted")),
    "LOCO of copies is 0": (
        lambda m, i, j: i == j or m.implies(m.copies(i, j), (m.loco(i) == 0) & (m.loco(j) == 0)), (),
        ("proved", "proved")),
    "copies share what one had": (
        lambda m, i, j: i == j or m.implies(
            m.copies(i, j), m.shapley(i) + m.shapley(j) == m.shapley(i, of=others(m, j))), (),
        ("proved", "refuted")),
    "a copy has between 1/n and (n - 1)/n of it": (
        lambda m, i, j: i == j or m.implies(
            m.copies(i, j),
            (m.shapley(i) * len(m.order) >= m.shapley(i, of=others(m, j)))
            & (m.shapley(i) * len(m.order) <= m.shapley(i, of=others(m, j)) * (len(m.order) - 1))), (),
        ("proved", "proved")),
    "the MCI of a copy stays": (
        lambda m, i, j: i == j or m.implies(m.copies(i, j), m.mci(i) == m.mci(i, of=others(m, j))), (),
        ("proved", "proved")),
    "Shapley values do not grow when a feature goes": (
        lambda m, i, j: i == j or m.shapley(i, of=others(m, j)) <= m.shapley(i), (), ("refuted", "refuted")),
    "copies interact negatively or not at all": (
        lambda m, i, j: i == j or m.implies(m.copies(i, j), m.interaction(i, j) <= 0), (), ("proved", "proved")),
    "submodular: LOCO <= Shapley <= alone": (
        lambda m, i: m.implies(m.submodular(), (m.loco(i) <= m.shapley(i)) & (m.shapley(i) <= m.alone(i))), (),
        ("proved", "proved")),
    "the informations add up": (
        lambda m: m.sum(m.shapley(i, criterion="information") for i in m.order) == m.mutual_information(m.features),
        (), ("proved", "proved")),
    "no information 0 iff no Shapley value of the risk": (
        lambda m, i: m.implies(m.shapley(i, criterion="information") == 0, m.shapley(i) == 0), (),
        ("proved", "proved")),
}  # fmt: skip


@functools.cache
def made(name: str) -> fs.Claim:
    body, assumed, _ = STATEMENTS[name]
    return fs.claim(body, name=name, assume=[getattr(fs, assumption) for assumption in assumed])


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize("n", [2, 3])
def test_a_statement_of_the_literature_is_decided(name: str, n: int) -> None:
    """A refutation shows a distribution where the claim is false; a proof has a certificate."""
    found = fs.prove(made(name), features=n)
    assert found.status == STATEMENTS[name][2][n - 2]
    if isinstance(found, Refuted):
        assert made(name).check(found.distribution).status == "refuted"
    else:
        assert fs.check_certificate(found.certificate)  # type: ignore[union-attr]


test_refusals = refusals(
    [
        ("m.shapley('X3')", UnknownNameError, "feature", "does not exist"),
        ("m.shapley('X1', of=['X2'])", InvalidValueError, "i", "among the features X2"),
        ("m.shapley('X1', criterion='auc')", InvalidValueError, "criterion", "one of risk, information"),
        ("m.importance('X1', 'shapely')", UnknownNameError, "semivalue", "does not exist"),
        ("m.interaction('X1', 'X1')", InvalidValueError, "j", "another feature than i"),
        ("m.top('X3', m.shapley)", UnknownNameError, "subset: feature", "does not exist"),
    ],
    {"m": Model(Shape((2, 2))), "Fraction": Fraction},
)
