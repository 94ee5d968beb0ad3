"""No result on a sample depends on names or on an order: of the classes, the columns, the states or the rows."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import fstheory as fs
from fstheory import sklearn as selectors
from fstheory.samples.fitting import supported_features
from fstheory.samples.left_out import left_out
from fstheory.samples.tables import table_risks

pytestmark = pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # rows are few, on purpose

FEATURES = ("X1", "X2", "X3", "X4")
SUBSETS = [(), ("X1",), ("X4",), ("X1", "X2"), ("X2", "X4"), FEATURES]


@dataclass
class Named:
    """Rows under other names; the functions say what is called how."""

    sample: fs.Sample
    new: dict[str, str]

    def subsets(self) -> list[frozenset[str]]:
        return [frozenset(self.new[name] for name in subset) for subset in SUBSETS]

    def old(self, value: Any) -> Any:
        """Return a value in which each feature has its first name, and what is a set has no order."""
        back = {name: first for first, name in self.new.items()}
        if isinstance(value, str):
            return back.get(value, value)
        if isinstance(value, dict):
            return {self.old(key): self.old(one) for key, one in value.items()}
        if isinstance(value, frozenset | set):
            return frozenset(map(self.old, value))
        return [self.old(one) for one in value] if isinstance(value, list | tuple) else value


def drawn(seed: int, m: int, classes: int) -> list[tuple[int, ...]]:
    """Draw rows in which X1 and X2 tell much about the class; nearly each row has a state of X4 of its own."""
    rng, rows = random.Random(seed), list[tuple[int, ...]]()
    for _ in range(m):
        x = (rng.randrange(2), rng.randrange(3), rng.randrange(2), rng.randrange(m))
        rows.append((*x, (x[0] + x[1]) * classes // 4 if rng.random() < 0.9 else rng.choice([0, 0, *range(classes)])))
    return rows


def renamed(rows: list[tuple[int, ...]], rng: random.Random | None, *, classes: bool = True) -> Named:
    """Shuffle rows and columns and give new names, if there is a generator: those of the classes change their order."""
    columns, shuffled = list(range(4)), list(rows)
    labels = {y: y for y in {row[-1] for row in rows}}
    names, states = list(FEATURES), [{x: x for x in range(len(rows))} for _ in range(4)]
    if rng is not None:
        rng.shuffle(columns)
        rng.shuffle(shuffled)
        if classes:
            labels = {y: -y for y in labels}
        names = [f"{rng.randrange(10**6)} {name}" for name in FEATURES]
        states = [dict(enumerate(rng.sample(range(len(rows)), len(rows)))) for _ in range(4)]
    told = [(*(states[i][row[i]] for i in columns), labels[row[-1]]) for row in shuffled]
    sample = fs.Sample(told, features=[names[i] for i in columns], keep_continuous=True)
    return Named(sample, dict(zip(FEATURES, names, strict=True)))


def estimates(named: Named) -> Any:
    found = [fs.samples.risk_estimates(named.sample, subset, folds=4) for subset in named.subsets()]
    return [(one.resubstitution, one.leave_one_out, one.cross_validated, one.baseline) for one in found]


def held_out(named: Named) -> Any:
    return [fs.samples.holdout_risk(named.sample, subset, named.sample.m // 3) for subset in named.subsets()]


def by_chance(named: Named) -> Any:
    found = [fs.samples.permutation_null(named.sample, subset, rng=0, permutations=1) for subset in named.subsets()]
    return [(one.observed, one.mean) for one in found]


def of_tables(named: Named) -> Any:
    return [table_risks(named.sample.cells(subset)) for subset in named.subsets()]


def rows_left_out(criterion: str, named: Named) -> Any:
    judge = left_out(named.sample, criterion)
    return [judge.value(named.sample.cells(subset)) for subset in named.subsets()]


def supported(criterion: str, named: Named) -> Any:
    found = supported_features(named.sample, rng=0, criterion=criterion)
    steps = [(step.added, step.left_out, step.plug_in, step.states) for step in found.steps if step.accepted]
    return set(found.features), found.left_out, found.plug_in, steps


def greedy(criterion: str, named: Named) -> Any:
    found = fs.select(named.sample, 2, criterion=criterion)
    return set(found.features), [step.value for step in found.trace]


def fitted(method: fs.FBS | fs.FOS, named: Named) -> Any:
    three = named.sample.keep({named.new[name] for name in FEATURES[:3]})  # with X4 several can be spared at first
    found = fs.fit(three, method, rng=0)
    return set(found.features), found.estimate, set(found.tied) if isinstance(method, fs.FOS) else None


def reported(named: Named) -> Any:
    found = fs.report(named.sample)
    best = [{frozenset(one.features): (one.states, one.plug_in, one.left_out) for one in row} for row in found.by_size]
    single = {frozenset(row.features): (row.plug_in, row.left_out) for row in found.single}
    return set(found.supported.features), best, single, found.everything.left_out, found.looked_at


def selected(selector: Any, named: Named) -> Any:
    rows = named.sample.codes.repeat(named.sample.counts, axis=0)
    names = named.sample.features
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", selectors.ManyStatesWarning)
        found = selector.fit(rows[:, :-1], np.array(named.sample.classes)[rows[:, -1]])
    chosen = {name for name, kept in zip(names, found.support_, strict=True) if kept}
    return chosen, dict(zip(names, found.scores_, strict=True))


def law(method: Any, named: Named) -> Any:
    three = named.sample.keep({named.new[name] for name in FEATURES[:3]})
    found = fs.selection_law(three.empirical(), 3, method)
    return {subset: found[subset] for subset, _ in found.outcomes}


CALLS: dict[str, Callable[[Named], Any]] = {
    "estimates": estimates,
    "holdout": held_out,
    "mean by chance": by_chance,
    "risks of tables": of_tables,
    **{f"left out, {name}": partial(rows_left_out, name) for name in ("zero_one", "balanced", "logarithmic", "gini")},
    **{f"supported, {name}": partial(supported, name) for name in ("zero_one", "balanced", "logarithmic")},
    **{f"select, {name}": partial(greedy, name) for name in ("zero_one", "logarithmic")},
    "FOS": partial(fitted, fs.FOS(tau="1/20")),
    "FBS": partial(fitted, fs.FBS(tau="1/20", ties="first")),
    "FOS, leave-one-out": partial(fitted, fs.FOS(tau="1/20", estimate="leave-one-out")),
    "report": reported,
    "supported features of scikit-learn": partial(selected, selectors.SupportedFeaturesSelector(random_state=0)),
    "greedy search of scikit-learn": partial(selected, selectors.BayesGreedySelector(criterion="logarithmic")),
    "one-shot method of scikit-learn": partial(selected, selectors.OneShotSelector()),
    "information of scikit-learn": partial(selected, selectors.CMISelector(direction="forward")),
    "law of FOS": partial(law, fs.FOS(tau="1/10")),
    "law of FOS, leave-one-out": partial(law, fs.FOS(tau="1/10", estimate="leave-one-out")),
    "law of FBS": partial(law, fs.FBS(tau="1/10", ties="uniform")),
}


@pytest.mark.one_in(9)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("m", "classes"), [(60, 2), (75, 3)])
def test_nothing_changes_but_names(call: str, m: int, classes: int) -> None:
    rows, rng = drawn(m, m, classes), random.Random(call)
    first = renamed(rows, None)
    wanted = first.old(CALLS[call](first))
    other = renamed(rows, rng)
    assert other.old(CALLS[call](other)) == wanted


@pytest.mark.parametrize("wrapper", [fs.OrderedFS, fs.StandardWrap])
def test_the_laws_of_wrappers_depend_on_the_order_of_the_classes_alone(wrapper: Any) -> None:
    """Their learner is that of the papers: the first of several classes that tie."""
    rows, rng, method = drawn(3, 40, 2), random.Random(0), wrapper(holdout=1, ties="uniform")
    first, other = renamed(rows, None), renamed(rows, rng, classes=False)
    assert other.old(law(method, other)) == first.old(law(method, first))
