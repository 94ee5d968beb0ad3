"""A distribution that holds its cells of positive probability, against the same one that holds the table."""

import itertools
import json
import pickle
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import fstheory as fs
from fstheory import measures, selection
from fstheory.distributions import joint
from fstheory.distributions.counting import Table
from fstheory.errors import FSTheoryError, InvalidFormatError, TooLargeError
from fstheory.logic import Refuted
from fstheory.logic.evaluate import truth, value
from fstheory.selection.optimal import exhaustive_search
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
            found = answer(listed(d))
            assert str(found) == str(answers[name]) if name == "cells" else found == answers[name], name
        sparse = listed(d)
        text = sparse.to_json()
        assert json.loads(text)["version"] == 2
        assert J.from_json(text) == J.from_json(d.to_json()) == pickle.loads(pickle.dumps(sparse)) == sparse == d


def test_both_forms_answer_alike() -> None:
    check_forms(J([[[2**70, 1], [0, 3]], [[1, 1], [0, 0]]], states={"X2": ["a", "b"], "Y": [-1, 2]}))


@pytest.mark.thorough
@settings(max_examples=20)
@given(distributions())
def test_both_forms_answer_alike_at_many(d: J) -> None:
    check_forms(d)


def test_a_witness_names_the_first_two_states_that_differ() -> None:
    assert selection.relevance(J([[3, 1], [1, 3], [3, 1]])).witnesses["X1"].values == (0, 1)


def test_a_table_answers_for_columns_that_were_not_announced() -> None:
    weights = np.arange(24).reshape(2, 3, 2, 2)
    table = Table(weights)
    table.expect([[0], [2]])
    assert table.cells(table.states_of([2])).tolist() == weights.sum(axis=(0, 1)).tolist()
    assert table.cells(table.states_of([1])).tolist() == weights.sum(axis=(0, 2)).tolist()


# -- A distribution whose table of 2 * 4**40 cells fits nowhere.

NAMES = [f"c{i}" for i in range(40)]
ROWS = [[(row * (7 * i + 3) + row // (i + 1)) % 4 for i in range(40)] for row in range(300)]
WIDE = J.from_samples([(*row, row[1] < row[2]) for row in ROWS], features=NAMES, target="y")


def test_a_wide_distribution_is_asked_at_once() -> None:
    s = fs.Sample([(*row, row[1] < row[2]) for row in ROWS], features=NAMES, target="y")
    assert (
        s.empirical() == WIDE == J.from_pmf({x: Fraction(1, 300) for x in WIDE.support()}, features=NAMES, target="y")
    )
    for subset in ({"c1"}, {"c1", "c2"}, NAMES[:5], NAMES):
        assert fs.bayes_risk(WIDE, subset) == fs.bayes_risk(s, subset)
        assert fs.mutual_information(WIDE, subset) == fs.mutual_information(s, subset)
    assert fs.select(WIDE, 2).features == fs.select(s, 2).features
    assert list(fs.bayes_risks(WIDE, max_size=2).items()) == list(fs.bayes_risks(s, max_size=2).items())
    found = fs.minimal_optimal(WIDE)
    assert found.risk == 0 == fs.minimal_optimal(WIDE, order=NAMES[::-1]).risk
    assert all(fs.bayes_risk(WIDE, {*found.features} - {name}) > 0 for name in found.features)
    assert WIDE.condition(y=True).posterior(c1=0) == {False: 0, True: 1}
    assert WIDE.probability(c1={0, 1}) == fs.bayes_risk(WIDE, ()) * 0 + Fraction(sum(r[1] < 2 for r in ROWS), 300)
    assert J.from_json(WIDE.to_json()) == pickle.loads(pickle.dumps(WIDE)) == WIDE.rename(y="z").rename(z="y") == WIDE
    assert "... 260 more states of the features; those of probability 0 are left out" in str(WIDE)
    helps = fs.claim(lambda m, i: m.risk(m.features - {i}) >= m.risk(), name="helps")
    assert helps.check(WIDE)
    never = fs.claim(lambda m, i: m.risk({i}) > 0, name="never")
    refuted = never.check(J.from_samples([(i, 2 * i + i % 2, i % 2) for i in range(400)]))
    assert isinstance(refuted, Refuted)
    assert fs.check_certificate(refuted.certificate)


def test_the_first_impossible_state_is_named() -> None:
    """The states of all other features are (0, .., 0), and the last two features take all their states but one."""
    cells = {(*(0,) * 20, *x, 0): 1 for x in itertools.product(range(4), repeat=2) if x != (2, 1)} | {(1,) * 23: 1}
    check = J.from_counts(cells).is_positive()
    assert list((check.witness or {}).values()) == [*(0,) * 20, 2, 1]
    labels = {f"X{i}": [0] for i in range(1, 30)}
    assert listed(J.from_counts({(0,) * 29 + (1,): 1}, states=labels)).is_positive()


@pytest.mark.parametrize(
    "ask",
    [
        *(lambda d: d.weights, J.to_pmf, J.to_frame, J.to_latex, fs.bayes_classifier, selection.markov_blankets),
        *(measures.conditional_entropy_table, fs.bayes_risks, exhaustive_search),
    ],
)
def test_a_table_that_is_too_large_is_refused(ask: Callable[[J], Any]) -> None:
    words = (
        r"the table of all cells must .* not need .* or ask for few subsets: the 300 cells|take fewer features by d\.m"
    )
    with pytest.raises(TooLargeError, match=words):
        ask(WIDE)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"cells": [[0, ', '"cells": [[4, ', "cells[0] must be the position of a state of each variable"),
        ('"cells": [[0, ', '"cells": [[0.5, ', "cells[0] must be the position of a state"),
        ('"cells": [[0, ', '"cells": [[0, 0, ', "cells[0] must be the position of a state"),
        ('"cells": [[', '"cells": [3, [', "cells[0] must be the position of a state"),
        ('"cells": [[', '"cells": [[' + "0, 1, " * 20 + "0], [", "probabilities must be 301 strings, not 300"),
        ('"version": 2', '"version": 1', "among schema, version, features, target, probabilities, not 'cells'"),
        ('"probabilities": ["1/300', '"probabilities": ["1/301', "probabilities must be a list that sums to exactly 1"),
    ],
)
def test_bad_cells(old: str, new: str, words: str) -> None:
    text = WIDE.to_json()
    with pytest.raises(InvalidFormatError, match=re.escape(words)):
        J.from_json(text.replace(old, new, 1))


def test_no_cell_is_listed_twice() -> None:
    document = json.loads(WIDE.to_json())
    document["cells"][7] = document["cells"][3]
    with pytest.raises(InvalidFormatError, match=r"cells\[7\] must be .* no cell twice"):
        J.from_json(json.dumps(document))
