"""A distribution that holds its cells of positive probability, against the same one that holds the table."""

import itertools
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings

import fstheory as fs
from fstheory import measures, selection
from fstheory.distributions import joint
from fstheory.errors import FSTheoryError
from fstheory.logic.evaluate import truth, value
from tests.selection.distributions import distributions

J = fs.JointDistribution


def listed(d: J) -> J:
    """Return the distribution with its cells of positive probability in place of the table."""
    rows = d._listed()
    return J._of_integers(rows.counts, d._variables, d.notes, rows.columns)


def subsets(d: J) -> Iterator[frozenset[str]]:
    for size in range(len(d.features) + 1):
        yield from map(frozenset, itertools.combinations(d.features, size))


def outcome(answer: Callable[..., Any], *given: Any) -> Any:
    """Return an answer, or the words of its refusal."""
    try:
        return answer(*given)
    except FSTheoryError as error:
        return type(error), str(error)


def of_each_state(d: J) -> list[Any]:
    events = [{name: label} for name, labels in d.states.items() for label in labels]
    return [(d.probability(event), outcome(d.condition, event), outcome(d.posterior, event)) for event in events]


def solved(d: J, method: Any) -> Any:
    found = fs.minimal_optimal(d, method)
    return found, str(found), found.is_solution, found.is_unique, found.common


ONE = ("zero_one", "auc", "balanced", "f_measure", "gini", "logarithmic", "squared_error")
METHODS = ("greedy-forward", "greedy-backward", "score", "exhaustive")
ANSWERS: dict[str, Callable[[J], Any]] = {
    "text": lambda d: (str(d), repr(d), d._repr_html_(), d._repr_latex_(), d.total, hash(d), d),
    "cells": lambda d: (d.support(), [d[x] for x in d.to_pmf()], d.weights, d.weights.dtype, d.to_frame().values),
    "assumptions": lambda d: (d.is_positive(), d.has_unique_maximum()),
    "marginals": lambda d: [(d.marginal(s), d.marginal(s).weights.tolist()) for s in subsets(d)],
    "events": of_each_state,
    "variables": lambda d: [(d.rename({n: "new"}), d.with_target(n), d.map_states(n, str)) for n in d.states],
    "merged": lambda d: [d.map_states(n, dict.fromkeys(x[1:], "b")) for n, x in d.states.items()],
    "derived": lambda d: d.with_feature("new", lambda x: len(set(x.values()))),
    "risks": lambda d: [fs.bayes_risk(d, s) for s in subsets(d)],
    "all risks": lambda d: list(fs.bayes_risks(d).items()),
    "informations": lambda d: [(fs.entropy(d, s), fs.mutual_information(d, s)) for s in subsets(d)],
    "conditional": lambda d: [measures.conditional_entropy(d, {d.target}, s) for s in subsets(d)],
    "criteria": lambda d: [outcome(fs.criterion_value, d, name, s) for name in ONE for s in subsets(d)],
    "tables": lambda d: [outcome(lambda *x: list(fs.criterion_values(*x).items()), d, name) for name in ONE],
    "small subsets": lambda d: list(fs.bayes_risks(d, max_size=1).items()),
    "classifiers": lambda d: [fs.bayes_classifier(d, s) for s in subsets(d)],
    "S*": lambda d: [solved(d, method) for method in ("backward", "forward", "one-shot", "resampling", "exhaustive")],
    "S* in another order": lambda d: fs.minimal_optimal(d, order=d.features[::-1]),
    "relevance": lambda d: (selection.relevance(d), selection.relevance(d).witnesses),
    "blankets": lambda d: (selection.markov_blankets(d), outcome(selection.markov_boundary, d)),
    "independence": lambda d: [
        selection.conditionally_independent(d, {n}, {d.target}, s - {n}) for n in d.features for s in subsets(d)
    ],
    "select": lambda d: [outcome(fs.select, d, len(d.features) // 2, c, m) for c in ONE for m in METHODS],
    "pairs": lambda d: (selection.mrmr(d, len(d.features)), outcome(selection.fisher_scores, d)),
    "best": lambda d: [selection.k_optimal(d, k) for k in range(len(d.features) + 1)],
    "drawn": lambda d: outcome(lambda d: fs.sample(d, 9, rng=0), d),
    "theorems": lambda d: [str(fs.theorems(d, ["PN-2", "PN-3", "PN-5"])) for _ in d.features[:1]],
    "terms": lambda d: (value(("P", (None,) * len(d.features), 0), d), truth(("<=", ("R", ()), ("q", 1)), d)),
}  # fmt: skip


def check_forms(d: J) -> None:
    answers = {name: answer(d) for name, answer in ANSWERS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint, "_FEW", -1)  # what is made of listed cells stays listed
        patch.setattr(joint, "_SPARSE", 0)
        for name, answer in ANSWERS.items():
            assert str(answer(listed(d))) == str(answers[name]), name
            assert name == "cells" or answer(listed(d)) == answers[name], name
        sparse = listed(d)
        text = sparse.to_json()
        assert json.loads(text)["version"] == 2
        assert J.from_json(text) == J.from_json(d.to_json()) == pickle.loads(pickle.dumps(sparse)) == sparse == d


@settings(max_examples=3)
@given(distributions())
def test_both_forms_answer_alike(d: J) -> None:
    check_forms(d)


@pytest.mark.thorough
@settings(max_examples=40)
@given(distributions())
def test_both_forms_answer_alike_at_many(d: J) -> None:
    check_forms(d)
