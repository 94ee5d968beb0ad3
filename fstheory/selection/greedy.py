"""Set functions, and the choice of k features by a set function: exhaustively, greedily, or by single scores."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory import errors
from fstheory._support.exact import as_fraction, as_index, to_text
from fstheory._support.result import ByParts, FeatureData, Result, Rows, first_of
from fstheory.distributions.rows import (
    ROWS_PER_STATE,
    SUPPORT,
    Data,
    DataLike,
    Sample,
    as_data,
    cells_with,
    cells_without,
    expect_subsets,
    is_table,
    merged,
    require_few,
)
from fstheory.lattice.columns import EnclosedColumn
from fstheory.lattice.subsets import Subset, checked_size, mask_of, masks_by_size, names_of, subset_text
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criteria import as_criterion, criterion_value
from fstheory.measures.criterion import Criterion
from fstheory.measures.information import pair_informations
from fstheory.measures.regression import numeric_states
from fstheory.numbers.enclosure import ExactReal
from fstheory.numbers.logsum import LogSum

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure


Value: TypeAlias = Any
"""An exact number, a Fraction or an `ExactReal`. The values of one function are subtracted and compared exactly."""


_EVERY = "every value of the set function"


@dataclass(frozen=True, repr=False)
class SetFunction(Result, FeatureData):
    """An exact function of the subsets of some features. Each value is computed when it is needed and then kept.

    Attributes
    ----------
    features : tuple of str
        The names. Bit i of a mask stands for feature i.
    function : callable
        A function from a mask to an int, a Fraction or a LogSum. It is called at most once for each mask.
    larger_is_better : bool
        Whether the values are scores. Otherwise they are losses.

    Examples
    --------
    >>> coverage = SetFunction(("a", "b"), lambda mask: Fraction(mask.bit_count(), 2), name="share")
    >>> coverage.value({"a"}), coverage.gain(0b10, onto=0b01)
    (Fraction(1, 2), Fraction(1, 2))
    """

    features: tuple[str, ...]
    function: Callable[[int], Value]
    larger_is_better: bool = True
    name: str = "value"
    _known: dict[int, Value] = field(default_factory=dict, init=False, repr=False, compare=False)

    def at(self, mask: int) -> Value:
        """Return the value of the subset with this mask."""
        if not isinstance(mask, int):
            mask = as_index(mask, "mask")
        if mask not in self._known:
            if mask >> len(self.features):  # not 0 for a negative mask, either
                raise errors.unknown("the subset with mask", mask, [f"0 to {2 ** len(self.features) - 1}"])
            value = self.function(mask)
            self._known[mask] = value if isinstance(value, ExactReal) else as_fraction(value, _EVERY)
        return self._known[mask]

    @property
    def sample(self) -> Sample | None:
        """The sample from which the values are computed, or None if they come from a distribution or a table."""
        measured = self.function.d if isinstance(self.function, _Measured) else None
        return measured if isinstance(measured, Sample) else None

    def learn(self, mask: int, moved: Iterable[int]) -> None:
        """Compute the values of a subset with each of some features added, or with each removed.

        The rows of a sample are grouped for all these features at once. For a table of all cells, nothing is done.
        """
        measured = self.function
        if isinstance(measured, _Measured) and not is_table(s := measured.d):
            new = [i for i in moved if mask ^ 1 << i not in self._known]
            found = cells_without(s, mask, new) if new and mask >> new[0] & 1 else cells_with(s, mask, new)
            value_of = measured.criterion._of_states
            for i, cells in zip(new, found, strict=False):
                self._known[mask ^ 1 << i] = self.at(mask) if cells is None else value_of(merged(s, cells))

    def __str__(self) -> str:
        good = "more is better" if self.larger_is_better else "less is better"
        return f"{self.name} of the subsets of {first_of(self.features) or 'no features'}, {good}"

    def table(self) -> SubsetTable[Any]:
        """Return the values of all subsets."""
        if isinstance(self.function, _Measured | _Tabulated):
            return self.function.table()
        masks = np.sort(masks_by_size(len(self.features)))
        known = np.zeros(len(masks)), np.full(len(masks), np.inf)  # no enclosures, so all values are compared exactly
        column = EnclosedColumn(*known, self.at, masks)
        return SubsetTable(self.features, column, name=self.name, larger_is_better=self.larger_is_better)

    def value(self, subset: Subset) -> Value:
        """Return the value of a subset given by names."""
        return self.at(mask_of(subset, self.features))

    def benefit(self, mask: int) -> Value:
        """Return the value of a score, or the negated value of a loss. The larger, the better."""
        return self.at(mask) if self.larger_is_better else -self.at(mask)

    def gain(self, added: int, *, onto: int) -> Value:
        """Return how much the benefit rises if the features of `added`, a mask, are added to those of `onto`."""
        return self.benefit(onto | added) - self.benefit(onto)


@dataclass(frozen=True)
class _Measured:
    """The value of a criterion at the subset with a mask. Unlike a lambda, it can be compared and pickled."""

    d: Data
    criterion: Criterion[Any]

    def __call__(self, mask: int) -> Value:
        return self.criterion.value(self.d, names_of(mask, self.d.features))

    def table(self) -> SubsetTable[Any]:
        return self.criterion.table(self.d)


@dataclass(frozen=True)
class _Tabulated:
    """The value in a table at the subset with a mask. Unlike a bound method, it equals that of an equal table."""

    values: SubsetTable[Any]

    def __call__(self, mask: int) -> Value:
        return self.values.value_at(mask)

    def table(self) -> SubsetTable[Any]:
        return self.values


SetFunctionLike: TypeAlias = "SetFunction | SubsetTable[Any]"
"""The argument of functions about set functions: a `SetFunction`, or a table of all subsets."""

CriterionLike: TypeAlias = "Criterion[Any] | str | SetFunctionLike"
"""The argument of searches: a criterion or its name, or a set function over the features of the distribution."""


def as_set_function(f: SetFunctionLike, argument: str = "f") -> SetFunction:
    """Return a table of all subsets as a set function. A set function is returned as it is."""
    if isinstance(f, SetFunction):
        return f
    repair = "pass criterion.table(d)"
    table: SubsetTable[Any] = errors.require_type(f, SubsetTable, argument, "a SubsetTable", repair)
    complete = len(table) == 2 ** len(table.features)
    errors.require(complete, argument, "a table of all subsets", table, "pass it before it is restricted")
    return SetFunction(table.features, _Tabulated(table), table.larger_is_better, table.name)


def set_function(d: DataLike, criterion: CriterionLike) -> SetFunction:
    """Return the set function that a criterion defines on the feature subsets of a distribution.

    The values are computed when they are needed. A table or a set function may take the place of the criterion. It must
    be over the features of `d`.

    Examples
    --------
    >>> from fstheory import gallery
    >>> set_function(gallery.titanic(), "zero_one").value({"sex"})
    Fraction(493, 2201)
    """
    d = as_data(d)
    if isinstance(criterion, SetFunction | SubsetTable):
        made = as_set_function(criterion, "criterion")
        wanted, repair = f"over the features {d.features}", "make it of this distribution"
        errors.require(made.features == d.features, "criterion", wanted, made.features, repair)
        return made
    chosen = as_criterion(criterion)
    chosen.check(d.marginal(()) if isinstance(d, Sample) else d)
    return SetFunction(d.features, _Measured(d, chosen), chosen.larger_is_better, chosen.name)


@dataclass(frozen=True, repr=False)
class Step(Result):
    """One step of a search: the candidates, the value of each, and which one was chosen.

    Attributes
    ----------
    subset : frozenset of str
        The features before the step.
    values : tuple of pairs (feature, exact number or None)
        The candidates, each with its value. In a forward search it is the value of the subset with the candidate, and
        in a backward search the value without it. If features are scored alone, it is the score. A probability of
        Theorem 7 is None if the table has over 4096 weights.
    chosen : str
        The feature that was added or, in a backward search, removed.
    tied : tuple of str
        Every candidate with the best value, the chosen one first.
    made : bool
        Whether the feature was moved. If not, a test kept it, or a rule stopped the search.
    """

    subset: frozenset[str]
    values: tuple[tuple[str, Any], ...]
    chosen: str
    tied: tuple[str, ...]
    made: bool = True

    @property
    def candidates(self) -> dict[str, Any]:
        """The value of every candidate."""
        return dict(self.values)

    @property
    def value(self) -> Any:
        """The value of the chosen candidate."""
        return self.candidates[self.chosen]

    def __str__(self) -> str:
        write = functools.partial(to_text, digits=0, formula=False)
        others = [(name, value) for name, value in self.values if name != self.chosen]
        against = first_of(others, lambda pair: f"{pair[0]} {'the same' if pair[0] in self.tied else write(pair[1])}")
        line = f"{self.chosen} {write(self.value)}"
        return f"{line} against {against}" if against else line


@dataclass(frozen=True, repr=False)
class Selection(Rows):
    """The features that a method chose by a criterion.

    Attributes
    ----------
    features : tuple of str
        The chosen features in the order of choice. Backward and exhaustive search list them in the order that resolves
        ties.
    value : exact number or None
        The value of the chosen subset. If a ranking gives subsets no value, it is the score of the last feature.
    trace : tuple of Step
        The steps. Exhaustive search has none.
    subsets : tuple of frozenset of str
        Every best subset, if the search is exhaustive.
    function : SetFunction
        The function by which subsets were judged. If a ranking gives subsets no value, it is the Bayes risk.
    """

    method: str
    criterion: str
    features: tuple[str, ...]
    value: Value | None
    trace: tuple[Step, ...]
    subsets: tuple[frozenset[str], ...] = ()
    function: SetFunction = field(kw_only=True, compare=False)
    _derived = ("has_ties",)

    @property
    def has_ties(self) -> bool:
        """Whether candidates tied in some step, so that the order of the features decided."""
        return len(self.subsets) > 1 or any(len(step.tied) > 1 for step in self.trace)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets through which the search went. Exhaustive search has no path."""
        return (*(step.subset for step in self.trace), frozenset(self.features)) if self.trace else ()

    def plot(self, **options: Any) -> PlotFigure:
        """Draw the lattice of the values with the path of the search, or with the best subsets if there is no path.

        The options are those of `SubsetTable.plot`.
        """
        marks = {"path": self.path} if self.trace else {"optimal": self.subsets}
        return self.function.table().plot(**{**marks, **options})

    def __str__(self) -> str:
        value = "" if self.value is None else f", {self.criterion} {to_text(self.value, formula=False)}"
        head = f"{', '.join(self.features) or 'no features'} by {_TITLES[self.method]}{value}{on_sample(self.function)}"
        lines = [head, *(f"  {i}. {step}" for i, step in enumerate(self.trace, 1)), *decided_by_order(self.trace)]
        if len(self.subsets) > 1:
            names = self.function.features
            tied = first_of(self.subsets, lambda subset: subset_text(subset, names))
            lines.append(f"  {len(self.subsets)} subsets tie; the order of the features decided among {tied}")
        return "\n".join(lines)


_TITLES = {
    "greedy-forward": "greedy forward selection",
    "greedy-backward": "greedy backward elimination",
    "score": "scores of single features",
    "exhaustive": "looking at every subset",
    "mrmr": "minimal redundancy and maximal relevance",
}


def on_sample(function: SetFunction) -> str:
    """Return the words that name the sample of a set function, or an empty text if it has none."""
    return f", on {function.sample.m:,} samples" if function.sample else ""


def decided_by_order(trace: Sequence[Step]) -> list[str]:
    """Return the line that lists the steps in which candidates tied, as a list. It is empty if nothing tied."""
    tied = [(i, step) for i, step in enumerate(trace, 1) if len(step.tied) > 1]
    listed = first_of(tied, lambda pair: f"step {pair[0]} ({', '.join(pair[1].tied)})")
    return [f"  ties, where the order of the features decided: {listed}"] if tied else []


def feature_order(order: Iterable[str] | None, features: tuple[str, ...]) -> tuple[int, ...]:
    """Return the feature indices in the given order. Without one, the order is that of `features`."""
    if order is None:
        return tuple(range(len(features)))
    repair = "a set has no order: pass a list" if isinstance(order, set | frozenset) else "pass a list"
    names = tuple(errors.require_listed(order, "order", "a sequence of feature names", repair, set, frozenset))
    left = names_of(2 ** len(features) - 1 & ~mask_of(names, features, "order"), features)
    errors.require(not left, "order", "of all features", names, f"add {', '.join(sorted(left))}")
    return tuple(features.index(name) for name in names)


SelectionMethod: TypeAlias = Literal["greedy-forward", "greedy-backward", "score", "exhaustive"]


def select(
    d: DataLike,
    k: int,
    criterion: CriterionLike = "zero_one",
    method: SelectionMethod = "greedy-forward",
    *,
    order: Iterable[str] | None = None,
) -> Selection:
    """Choose k features by a criterion.

    The four methods of Ahmed, Narasimhan and Agarwal (2015), Algorithm 1 and Section 4, are combinations of criterion
    and method. BayesGreedy and BayesScore take the loss of interest, and MIGreedy and MIScore take ``'logarithmic'``.
    Greedy forward selection need not find the best subset for any of these criteria: `compare_greedy` compares.
    Complexity: a forward search computes k(2n - k + 1)/2 values of the criterion, scores take n values, and the
    exhaustive search takes n choose k.

    Parameters
    ----------
    d : JointDistribution or Sample
        For a sample, the criterion is computed on the sample itself. If its rows do not decide a choice, an
        `ArbitraryChoiceWarning` says so. More than 2**18 subsets of a sample are refused.
    k : int
        The number of features to choose, from 0 to the number of all features.
    criterion : Criterion, str, SubsetTable or SetFunction
        The criterion, or the name of one that needs no parameter. A table or a set function gives the values directly.
    method : {'greedy-forward', 'greedy-backward', 'score', 'exhaustive'}
        * 'greedy-forward': add the feature that makes the chosen features best, k times.
        * 'greedy-backward': remove the feature without which the remaining features are best, until k are left.
        * 'score': judge every feature alone, and take the k best.
        * 'exhaustive': compare all subsets of k features.
    order : sequence of str, optional
        All features. Of equally good candidates, the first in this order is taken. Of equally good subsets, it is the
        first in the lexicographic order that it defines. The default is the order of ``d.features``.

    Returns
    -------
    Selection
        The chosen `features`, their `value`, and the steps with all candidates and ties.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(select(gallery.titanic(), 2))
    sex, class by greedy forward selection, 0-1 loss 477/2201 ≈ 0.2167
      1. sex 493/2201 against class 630/2201, age 706/2201
      2. class 477/2201 against age 493/2201
    """
    d = as_data(d)
    function = set_function(d, criterion)
    size = checked_size(k, len(d.features))
    sequence = feature_order(order, d.features)
    errors.require_choice(method, "method", get_args(SelectionMethod))
    if not is_table(d) and method == "exhaustive":
        require_few(d, math.comb(len(d.features), size), "k", k, "take a greedy method")
    elif not is_table(d) and method == "greedy-backward":
        require_few_removals(d, size, "k", k)
    search = functools.partial(_stepwise, method=method) if method != "exhaustive" else _exhaustive
    found = search(function, size, sequence)
    if isinstance(d, Sample) and isinstance(function.function, _Measured | _Tabulated):
        errors.warn_of(
            doubts_of_walk(d, found.trace, found.criterion, method) if found.trace else few_rows(d, found.features)
        )
    return found


# -- Where chance or the order of the features decides what a sample selects, and not its rows.


def few_rows(
    sample: Sample, subset: Subset, start: str = "", less: str = "take fewer columns", *, least: int = ROWS_PER_STATE
) -> Iterator[str]:
    """Yield the warning that the states of a table have few rows each, if they have."""
    if (states := len(sample.cells(subset))) * least > sample.m:
        width = len(frozenset(subset))
        yield errors.Message(
            f"{start}the table of {width} column{'s' * (width != 1)} has {sample.m / states:.1f} rows for each state "
            f"that occurs, and chance decides: {less}, or ", SUPPORT,
        )  # fmt: skip


def doubts_of_walk(sample: Sample, trace: Sequence[Step], name: str, method: str) -> Iterator[str]:
    """Yield the warnings about a walk: the first step in which all candidates tied, and the first with few rows."""
    alone, named = method in ("score", "mrmr"), False
    for k, step in enumerate(trace, 1):
        less = "take fewer columns" if "backward" in method else f"stop at {k - 1}"
        table = {step.chosen} if alone else step.subset | {step.chosen}
        few = list(few_rows(sample, table, f"in step {k} ", "make fewer states of it" if len(table) == 1 else less))
        if few:
            yield from few
            return
        if step.made and 1 < len(step.tied) == len(step.values) and not named:
            apart = separating(sample, [{other} if alone else step.subset ^ {other} for other in step.tied])
            tied = f"in step {k} all {len(step.tied)} candidates tie under the {name}, and their order decides: "
            yield errors.Message(tied, apart)
            named = True


def separating(sample: Sample, subsets: Sequence[Subset]) -> str:
    """Return the words that name the criteria under which the subsets differ, or that say that there is one class.

    A criterion that needs every class to occur is tried only if every class occurs, so the words never fail.
    """
    occur = np.count_nonzero(sample.cells(()))
    if occur == 1:
        return f"{sample.target} has a single class in these rows, and nothing is to be predicted"
    weighing = ("balanced", "auc")[: 2 if occur == 2 else 1] if occur == len(sample.classes) else ()
    known = (*weighing, "logarithmic")
    values = ((name, map(functools.partial(criterion_value, sample, name), subsets)) for name in known)
    found = [name for name, own in values if any(map(functools.partial(operator.ne, next(own)), own))]
    named = [part for name in found for part in (" or ", errors.Named("criterion", name))][1:]
    return errors.Message(*(named or ["no criterion"]), " tells them apart")


def require_few_removals(s: Data, left: int, argument: str, value: object) -> None:
    """Refuse rows or cells whose removals of features, until `left` are left, would look at too many subsets."""
    number = math.comb(len(s.features) + 1, 2) - math.comb(left + 1, 2)
    require_few(s, number, argument, value, "add features instead of removing them")


def chosen_step(subset: frozenset[str], scored: Sequence[tuple[str, Value]], larger_is_better: bool) -> Step:
    """Return the step that takes the best candidate. If several are best, it takes the first."""
    best = (max if larger_is_better else min)(value for _, value in scored)
    tied = tuple(name for name, value in scored if value == best)
    return Step(subset, tuple(scored), tied[0], tied)


def _stepwise(f: SetFunction, k: int, sequence: tuple[int, ...], method: SelectionMethod) -> Selection:
    """Add the best feature k times, judged with the chosen features or alone, or remove features until k are left."""
    trace: list[Step] = []
    backward = method == "greedy-backward"
    mask = 2 ** len(f.features) - 1 if backward else 0
    for _ in range(len(f.features) - k if backward else k):
        moved = [i for i in sequence if bool(mask >> i & 1) == backward]
        f.learn(0 if method == "score" else mask, moved)
        scored = [(f.features[i], f.at(1 << i if method == "score" else mask ^ 1 << i)) for i in moved]
        trace.append(chosen_step(names_of(mask, f.features), scored, f.larger_is_better))
        mask ^= 1 << f.features.index(trace[-1].chosen)
    names = _in_order(mask, f, sequence) if backward else tuple(step.chosen for step in trace)
    return Selection(method, f.name, names, f.at(mask), tuple(trace), function=f)


def _exhaustive(f: SetFunction, k: int, sequence: tuple[int, ...]) -> Selection:
    masks = [sum(1 << i for i in chosen) for chosen in itertools.combinations(sequence, k)]
    if f.sample:
        expect_subsets(f.sample, masks)
    most = max(map(f.benefit, masks))
    best = [mask for mask in masks if f.benefit(mask) == most]
    subsets = tuple(names_of(mask, f.features) for mask in best)
    return Selection("exhaustive", f.name, _in_order(best[0], f, sequence), f.at(best[0]), (), subsets, function=f)


def _in_order(mask: int, f: SetFunction, sequence: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f.features[i] for i in sequence if mask >> i & 1)


def mrmr(d: DataLike, k: int, *, order: Iterable[str] | None = None) -> Selection:
    """Choose k features by minimal redundancy and maximal relevance (mRMR).

    Each step adds the feature Xj with the largest I(Xj; Y) - (1/m) sum I(Xj; Xi) over the m features Xi chosen so far.
    The first step compares I(Xj; Y) alone. Of tied candidates, the first in `order` is taken. The result is a
    `Selection` whose `value` is the score of the last feature, in nats. Complexity: n + nk mutual informations of
    pairs, each a pass over the cells of `d` or its distinct rows. Source: Peng, Long and Ding (2005).

    Examples
    --------
    >>> from fstheory import gallery
    >>> mrmr(gallery.with_copy(gallery.titanic(), "sex"), 2).features
    ('sex', 'age')
    """
    d = as_data(d)
    size = checked_size(k, len(d.features))
    left = [d.features[i] for i in feature_order(order, d.features)]
    relevance = pair_informations(d, left, d.target)
    redundancy = dict.fromkeys(left, LogSum.of(0))
    chosen: list[str] = []
    trace: list[Step] = []
    for _ in range(size):
        share = Fraction(1, max(len(chosen), 1))
        scored = [(name, relevance[name] - redundancy[name] * share) for name in left]
        trace.append(chosen_step(frozenset(chosen), scored, True))
        latest = trace[-1].chosen
        chosen.append(latest)
        left.remove(latest)
        for name, value in pair_informations(d, left if len(chosen) < size else (), latest).items():
            redundancy[name] += value
    if isinstance(d, Sample):
        errors.warn_of(doubts_of_walk(d, trace, "score", "mrmr"))
    best = trace[-1].value if trace else None
    return Selection("mrmr", "score", tuple(chosen), best, tuple(trace), function=set_function(d, "zero_one"))


@functools.total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class FisherScore(ByParts, Result):
    """The Fisher score of one feature. It may be infinite, and it can still be compared with other scores.

    It is `between`, sum over y of p(y) (E[X | y] - E[X])**2, divided by `within`, sum over y of p(y) Var[X | y].
    """

    between: Fraction
    within: Fraction

    @property
    def is_infinite(self) -> bool:
        """Whether the class means differ and the classes have no spread."""
        return self.between > 0 and self.within == 0

    @property
    def value(self) -> Fraction:
        """The score between / within. It is 0 for a constant feature. An infinite score raises an error."""
        repair = "ask is_infinite first, or take the share"
        errors.require(not self.is_infinite, "the Fisher score", "finite", "infinite", repair)
        return self.between / self.within if self.within else Fraction(0)

    @property
    def share(self) -> Fraction:
        """The share of the variance that lies between the classes, F / (1 + F). It orders features as the score."""
        variance = self.between + self.within
        return self.between / variance if variance else Fraction(0)

    @property
    def _parts(self) -> Any:
        return self.share

    def __lt__(self, other: object) -> bool:
        return self.share < other.share if isinstance(other, FisherScore) else NotImplemented

    def __str__(self) -> str:
        return "infinite" if self.is_infinite else to_text(self.value, 0)


def fisher_scores(d: DataLike) -> dict[str, FisherScore]:
    """Return the exact Fisher score of every feature, the best first. Ties keep the order of the features.

    The states of the features must be numbers: integers, Fractions, decimals, or strings that write one. There may be
    any number of classes. Means and variances are those of the distribution, or of the empirical distribution of a
    sample:

        F(X) = sum p(y) (E[X | y] - E[X])**2  /  sum p(y) Var[X | y].

    The score is infinite if the classes have different means and no spread, and 0 for a constant feature. Source: Duda,
    Hart and Stork (2000); Gu, Li and Han (2011).

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> scores = fisher_scores(JointDistribution([[[2, 0], [1, 0]], [[1, 2], [0, 2]]]))
    >>> {name: str(score) for name, score in scores.items()}
    {'X1': '3/2', 'X2': '1/14'}
    """
    d = as_data(d)
    sampled = d.pair_counts() if isinstance(d, Sample) else {name: d.marginal({name}).weights for name in d.features}
    scores = {name: _score(numeric_states(d, name, "the Fisher score"), table) for name, table in sampled.items()}
    return {name: scores[name] for name in sorted(scores, key=scores.__getitem__, reverse=True)}


def _score(states: Sequence[Fraction], table: Any) -> FisherScore:
    mean = second = between = Fraction(0)
    total = sum(table.ravel().tolist())
    for column in table.T.tolist():
        if not (weight := Fraction(sum(column), total)):
            continue
        class_mean = sum((n * x for n, x in zip(column, states, strict=True)), Fraction(0)) / sum(column)
        square = sum((n * x * x for n, x in zip(column, states, strict=True)), Fraction(0)) / sum(column)
        mean += weight * class_mean
        second += weight * square
        between += weight * class_mean**2
    return FisherScore(between - mean**2, second - between)
