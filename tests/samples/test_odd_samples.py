"""Every public function on samples that nobody draws: it answers, or refuses in the library's own words."""

from __future__ import annotations

import inspect
import itertools
import math
import random
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest

import fstheory as fs
from fstheory import logic, samples, selection  # noqa: F401
from fstheory._support.result import Rows
from fstheory.distributions import rows
from fstheory.errors import ArbitraryChoiceWarning, FSTheoryError
from fstheory.measures import criteria
from fstheory.numbers.logsum import LogSum, log
from fstheory.selection.greedy import SelectionMethod
from fstheory.selection.optimal import Method
from tests import odd_samples
from tests.house.test_one_api import CLASSES, calls

TAKES_DATA = re.compile(r"(Sequence\[)?(JointDistribution|Data\b|DataLike|DistributionLike|Sample\b|SubsetTable)")
PUBLIC: dict[Callable[..., Any], str] = {
    call: place
    for place, call in calls()
    if place not in CLASSES and place.rpartition(".")[0] not in CLASSES
    if any(TAKES_DATA.match(str(one.annotation)) for one in inspect.signature(call).parameters.values())
}
SLOW = {"explorer_page", "explorer_data", "lattice_widget", "report", "simulate", "supported_features", "selection_law"}
SLOW |= {"law_curve", "samples_to_bound", "risk_bound", "error_exponent", "compare_greedy", "cmi_elimination"}

METHODS = [
    "FOS", "FBS", "NoSelection", fs.FOS(estimate="leave-one-out"), fs.FOS(holdout="1/2"), fs.FBS(holdout=1),
    fs.FBS(estimate="leave-one-out-first-class", ties="uniform"), fs.StandardWrap(holdout=1),
    fs.OrderedFS(holdout=1, ties="uniform"), fs.PlugIn(select=fs.minimal_optimal),
]  # fmt: skip
BY_TYPE: dict[str, list[Any]] = {
    "MethodLike": METHODS, "SelectionMethod": [*get_args(SelectionMethod)], "Method": [*get_args(Method)],
}  # fmt: skip
PLACEHOLDERS = {"d", "s", "sample", "subject", "first", "second", "p", "q", "components"}


def values(data: fs.Sample | fs.JointDistribution) -> dict[str, list[Any]]:
    """Return by the name of a parameter what is passed for it."""
    names, model = data.features, logic.Model(logic.Shape((2,)))
    first, labels = names[:1], data.states
    event = {name: labels[name][-1] for name in [*first, data.target]}
    return {name: [data] for name in PLACEHOLDERS - {"components"}} | {
        "components": [[data, data]], "weights": [["1/2", "1/2"]], "features": [{}, first, names],
        "feature": [*first, "X1"],
        "subset": [first, names], "removed": [first, (), names], "variables": [[data.target], names[:2]],
        "given": [first, event], "a": [first, names], "b": [names[1:2]], "c": [()], "order": [names, names[::-1]],
        "quantity": [f"H({data.target})"], "k": [1, 1, 0, min(len(names), 4)], "m": [2, 1], "ms": [[2]], "trials": [3],
        "rng": [0, 1], "holdout": ["1/2", 1, 2], "criterion": odd_samples.CRITERIA,
        "formula": [model.risk(()) <= model.risk("X1")], "term": [model.risk(())], "stop": [None],
        "target": [*first, "X1"], "name": ["new", *first], "of": [len], "labels": [{}, str],
        "limit": [3], "event": [event], "names": [{data.target: "Z"}], "kind": ["shapley", "loco", "mci"],
    }  # fmt: skip


OPTIONAL = {"criterion", "kind", "limit", "rng", "stop"}  # parameters that are passed though they have defaults


def fills(call: Callable[..., Any], chosen: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """Return the arguments of some calls, so that each value of each parameter is passed once."""
    lists = {}
    for name, one in inspect.signature(call).parameters.items():
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and name != "self":
            by_type = BY_TYPE.get(str(one.annotation)) if name == "method" else None
            if one.default is one.empty or name in OPTIONAL or by_type:
                lists[name] = by_type or chosen[name]
    longest = max(map(len, lists.values()), default=1)
    rows = itertools.islice(zip(*map(itertools.cycle, lists.values()), strict=True), longest) if lists else [()]
    return [dict(zip(lists, row, strict=True)) for row in rows]


def show(answer: Any) -> None:
    """Write an answer of ours in every form, and ask for all its properties."""
    if not type(answer).__module__.startswith("fstheory"):
        return
    for form in ("__str__", "__repr__", "_repr_html_", "to_dict", "to_latex"):
        getattr(answer, form, str)()
    if isinstance(answer, Rows):
        answer.to_frame()
    for name, _ in inspect.getmembers_static(type(answer), lambda one: isinstance(one, property)):
        if not name.startswith("_"):
            try:
                getattr(answer, name)
            except FSTheoryError as error:
                check(error)


def check(error: FSTheoryError) -> None:
    """Require a refusal of one line that is not too long to read."""
    assert "\n" not in str(error)
    assert len(str(error)) < 1500, str(error)


def require_own_words(call: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
    """Call a function: it answers, or refuses in the library's own words, and warns in no other words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            show(call(**arguments))
        except FSTheoryError as error:
            check(error)
    assert [str(one.message) for one in caught if one.category is not ArbitraryChoiceWarning] == []


def all_calls(s: fs.Sample) -> Iterator[tuple[Callable[..., Any], str, list[dict[str, Any]]]]:
    """Yield every public function and method with its name and the arguments of several calls, all about a sample."""
    data: list[fs.Sample | fs.JointDistribution] = [s]
    small = math.prod(s.cardinalities) * len(s.classes) < 500
    data.append(s.empirical() if small else s.keep(s.features[:1]).empirical())
    for one in data:
        chosen = values(one)
        for call, place in PUBLIC.items():
            yield call, place.rpartition(".")[2], fills(call, chosen)
        for name, call in inspect.getmembers(one, inspect.ismethod):
            if not name.startswith(("_", "from_", "load", "save")):
                yield call, name, fills(call, chosen)


def one_call_of_each(s: fs.Sample, seed: str) -> None:
    """Call each function once, except those that take long."""
    source = random.Random(seed)
    for call, place, arguments in all_calls(s):
        if place not in SLOW:
            require_own_words(call, source.choice(arguments))


def every_call(s: fs.Sample) -> None:
    """Make all calls."""
    for call, _, arguments in all_calls(s):
        for each in arguments:
            require_own_words(call, each)


@pytest.mark.one_in(18)
@pytest.mark.parametrize("name", odd_samples.SHAPES)
def test_odd_sizes(name: str) -> None:
    one_call_of_each(odd_samples.SHAPES[name](), name)


@pytest.mark.one_in(18)
@pytest.mark.parametrize("kind", odd_samples.LABELS)
def test_odd_labels(kind: str) -> None:
    one_call_of_each(odd_samples.labeled(kind), kind)


@pytest.mark.thorough(18)  # a case takes some five seconds
@pytest.mark.parametrize("name", odd_samples.SHAPES)
def test_every_call_on_odd_sizes(name: str) -> None:
    every_call(odd_samples.SHAPES[name]())


@pytest.mark.thorough(18)  # a case takes some five seconds
@pytest.mark.parametrize("kind", odd_samples.LABELS)
def test_every_call_on_odd_labels(kind: str) -> None:
    every_call(odd_samples.labeled(kind))


@pytest.mark.thorough(12)
@pytest.mark.parametrize("seed", range(60))
def test_several_oddities(seed: int) -> None:
    source = random.Random(seed)
    for call, _, arguments in all_calls(odd_samples.drawn(seed)):
        require_own_words(call, source.choice(arguments))


# -- What the generator has found.

UNUSED, MANY = odd_samples.SHAPES["the last class does not occur"](), odd_samples.SHAPES["10^13 rows of each"]()
RARE = fs.Sample([(0, 0, 0)] * 29 + [(0, 0, 1)], states={"Y": [0, 1, 2]})
FEW = fs.Sample([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (1, 1, 0), (0, 1, 0), (1, 0, 1)])
NUMBERS = fs.Sample([("a", "1e155"), ("a", "2e155"), ("b", "0"), ("b", "0"), ("b", "3e155")])


@pytest.mark.parametrize(
    "call",
    [
        "fs.select(UNUSED, 1)", "selection.mrmr(UNUSED, 1)", "fs.cmi_elimination(UNUSED)", "fs.fit(RARE, 'FOS')",
        "samples.supported_features(UNUSED, rng=0)",
    ],
)  # fmt: skip
def test_advice_about_a_class_that_does_not_occur(call: str) -> None:
    """The balanced loss has no value here, so no advice names it."""
    with pytest.warns(ArbitraryChoiceWarning, match="no criterion tells them apart"):
        eval(call)


def test_advice_names_a_criterion_that_has_a_value() -> None:
    s = fs.Sample([(i % 2, i // 2 % 2, int(i in (1, 3))) for i in range(40)], states={"Y": [0, 1, 2]})
    with pytest.warns(ArbitraryChoiceWarning, match="criterion='logarithmic' tells them apart"):
        assert fs.select(s, 1).has_ties


def test_the_work_of_an_importance_does_not_grow_with_the_rows() -> None:
    lost = sum((log(n + 1) * Fraction(n, MANY.m) for n in (10**13, 10**13 + 1)), LogSum.of(0))
    assert fs.importance(MANY, criterion="logarithmic").total == log(MANY.m + 1) - lost


def test_the_work_of_permutations_does_not_grow_with_the_rows() -> None:
    found = samples.permutation_null(MANY, {"X1"}, rng=0)
    assert found.observed == found.at_most == 0
    assert found.mean is None
    assert "the mean is not computed, because a state has too many rows" in str(found)


def test_the_work_of_a_method_does_not_grow_with_the_rows() -> None:
    for held in (10**12, 1):
        for method in (fs.FOS(holdout=held), fs.StandardWrap(holdout=held)):
            found = fs.fit(MANY, method, rng=0)
            assert found.estimate == 0
            assert found.training.m == MANY.m - held


def test_rows_are_drawn_without_replacement_by_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts have the multivariate hypergeometric law, here that of 3 out of 6 rows."""
    monkeypatch.setattr(rows, "_MOST_DRAWN", 0)  # as if these were too many rows for NumPy
    source, trials = np.random.default_rng(0), 5_000
    found = Counter(tuple(rows.draw_some(np.array([2, 3, 1]), 3, source).tolist()) for _ in range(trials))
    ways = {(a, b, c): math.comb(2, a) * math.comb(3, b) for a in range(3) for b in range(4) for c in (0, 1)}
    law = {counts: trials * number / 20 for counts, number in ways.items() if sum(counts) == 3}
    assert found.keys() == law.keys()
    assert all(abs(found[counts] - mean) < 4 * mean**0.5 for counts, mean in law.items())


def test_long_losses_are_left_out_as_short_ones() -> None:
    for unit in (10**19, odd_samples.LONG):
        scaled = fs.importance(FEW, criterion=criteria.loss_matrix([[0, unit], [unit, 0]]))
        assert scaled.numbers == tuple(number * unit for number in fs.importance(FEW).numbers)


def test_values_that_no_float_is_near_are_in_order() -> None:
    table = fs.criterion_values(NUMBERS, "squared_error")
    assert list(map(table.__getitem__, ((), {"X1"}))) == [
        fs.criterion_value(NUMBERS, "squared_error", subset) for subset in ((), {"X1"})
    ]
    assert table.best_of_size(0).value > table.best_of_size(1).value > 10**308
    assert str(table.ordering()) == "X1 < {}"
    found = fs.importance(table)
    assert found.to_frame()["rounded"].tolist() == [math.inf]
    with pytest.raises(fs.InvalidValueError, match="a value to draw must be below 1e300"):
        found.plot()


def test_a_base_near_1() -> None:
    d = fs.gallery.titanic()
    for bits in (60, 1100):
        base = 1 + Fraction(1, 2**bits)
        table = fs.measures.conditional_entropy_table(d, base=base)
        assert table.ordering() == fs.measures.conditional_entropy_table(d).ordering()
        assert table[{"sex"}] == fs.conditional_entropy(d, ["survived"], ["sex"], base=base)
    value = fs.numbers.LogSum([(1, 2)], base=1 + Fraction(1, 2**60))
    assert float(value) == float(Fraction(1, 2) + log(2) * 2**60)  # log(1 + x) = x - x**2 / 2 + ..


def test_refusals_are_short() -> None:
    s = odd_samples.labeled("fractions")
    for criterion in ("auc", criteria.loss_matrix([[0, 1], [1, 0]])):
        with pytest.raises(fs.InvalidValueError) as caught:
            fs.criterion_value(s, criterion, ())
        assert len(str(caught.value)) < 400


def test_a_formula_of_another_shape() -> None:
    model = logic.Model(logic.Shape((2, 2)))
    with pytest.raises(fs.InvalidValueError, match="d must be a distribution with every feature, state and class"):
        logic.value(model.risk("X2"), fs.JointDistribution([[1, 2], [2, 1]]))
