"""The minimal-optimal problem, solved by each method of Peña and Nilsson (2010), and the k-optimal problem."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, to_text
from fstheory._support.result import Check, Rows, columns, first_of
from fstheory.distributions.build import Weights, fits_array
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import (
    DataLike,
    as_data,
    cells_at,
    cells_of_size,
    counted,
    is_table,
    require_few,
)
from fstheory.errors import require, require_choice
from fstheory.lattice.subsets import (
    checked_size,
    format_subset,
    indices_of,
    mask_of,
    names_of,
    ordered_names,
    subset_text,
)
from fstheory.lattice.table import Level
from fstheory.measures.risk import bayes_risk, bayes_risks
from fstheory.selection.greedy import CriterionLike, SetFunction, Step, chosen_step, feature_order, set_function
from fstheory.selection.relevant import bayes_labels, deciding, labeled_states

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure


Method: TypeAlias = Literal["backward", "forward", "one-shot", "resampling", "exhaustive"]

_TITLES = {
    "backward": "backward search (Table 1)",
    "forward": "forward search",
    "one-shot": "the one-shot method (Table 2)",
    "resampling": "resampling each feature (Theorem 7)",
    "exhaustive": "looking at every subset",
}
_THEOREM = {"backward": "Theorem 5", "one-shot": "Theorem 6", "resampling": "Theorem 7", "exhaustive": "Theorem 4"}
_TIES = "where classes tie, the classifier takes the first"
_ROWS = 64


def _promise(method: str, positive: bool, unique_maximum: bool) -> str:
    """Return the sentence that says what the theorems guarantee about the answer of a method."""
    if method == "forward":
        both = "Both assumptions hold, so there is only one solution, S*. " * (positive and unique_maximum)
        return (
            f"{both}Forward search stops where no step helps enough, so its answer is not guaranteed to be a solution."
        )
    if positive and unique_maximum:
        return f"Both assumptions hold, so this is S*, the only solution ({_THEOREM[method]})."
    failing = ["p(x) > 0 for every x"] * (not positive) + ["a single maximum of p(Y|x)"] * (not unique_maximum)
    return f"Without {' and '.join(failing)}, {_without(method, positive, unique_maximum)}."


def _without(method: str, positive: bool, unique_maximum: bool) -> str:
    if method == "exhaustive":
        return "there may be several solutions; the exhaustive method returns all of them"
    if method == "backward":
        return (
            "the answer is guaranteed to be a solution, a minimal set with minimal risk, but not to be the only one: "
            "another order of the features may end at another"
        )
    if method == "one-shot" or unique_maximum:
        known = "is the set of the features that all solutions share, which is a solution only if there is just one"
    elif positive:
        known = f"has minimal risk and holds every feature that all solutions share, but may not be minimal ({_TIES})"
    else:
        known = f"holds every feature that all solutions share, and no more is certain, not even minimal risk ({_TIES})"
    return f"the answer is not guaranteed to be a solution: it {known}"


@dataclass(frozen=True, repr=False)
class MinimalOptimal(Rows):
    """The answer of one method to the minimal-optimal problem.

    A *solution* is a subset that has minimal risk while none of its proper subsets has.

    Attributes
    ----------
    features : tuple of str
        The set that the method returned, in the order of the columns. If the solution is unique, it is S*. If there
        are several, it is the one at which the method arrived; the exhaustive method takes the smallest. One-shot,
        resampling and forward search may return a set that is no solution.
    trace : tuple of Step
        The tests of single features in order, `made` where the feature was removed. Their values are risks without the
        feature, or the probabilities of Theorem 7. Empty for the exhaustive method. Forward search begins with its
        steps forward, `made` where features were added, and the tests of its backward pass follow.
    iterations : int
        How often the loop ran (line 3 of Tables 1 and 2). For forward search it is the number of steps forward, and
        for the exhaustive method the number of subsets.
    solutions : tuple of frozenset of str
        All solutions if the method is exhaustive. Otherwise the set returned, if it is a solution, or nothing.
    criterion : str
        The name of the criterion by which forward search added features. Empty for the other methods.
    """

    distribution: JointDistribution
    method: Method
    features: tuple[str, ...]
    trace: tuple[Step, ...]
    iterations: int
    solutions: tuple[frozenset[str], ...] = ()
    criterion: str = ""

    _derived = ("risk", "guaranteed", "is_solution", "is_unique", "positive", "unique_maximum")

    def __post_init__(self) -> None:
        if not self.solutions and self.is_solution:
            object.__setattr__(self, "solutions", (frozenset(self.features),))

    @cached_property
    def positive(self) -> Check:
        """Whether p(x) > 0 for every x. If not, the check has a state where it fails."""
        return self.distribution.is_positive()

    @cached_property
    def unique_maximum(self) -> Check:
        """Whether p(Y|x) has a single maximum for every x with p(x) > 0.

        If not, the check has a state where classes tie.
        """
        return self.distribution.has_unique_maximum()

    @property
    def guaranteed(self) -> bool:
        """Whether a theorem guarantees that the answer is a solution.

        The exhaustive method always has this guarantee, and forward search never.
        """
        return self.method == "exhaustive" or (self._regular and self.method != "forward")

    @property
    def _regular(self) -> bool:
        return self.positive.holds and self.unique_maximum.holds

    @cached_property
    def risk(self) -> Fraction:
        """The Bayes risk of the set returned."""
        return bayes_risk(self.distribution, self.features)

    @cached_property
    def least_risk(self) -> Fraction:
        """The Bayes risk of all features. Every solution has this risk."""
        return bayes_risk(self.distribution, self.distribution.features)

    @cached_property
    def is_solution(self) -> bool:
        """Whether the set returned is a solution. This is checked unless the method itself makes it certain."""
        if self.method in {"backward", "exhaustive"} or self.guaranteed:
            return True
        best, without = _right_weights_at(self.distribution, mask_of(self.features, self.distribution.features))
        # By monotonicity single features are enough.
        return self.risk == self.least_risk and all(right < best for right in without)

    @cached_property
    def is_unique(self) -> bool:
        """Whether there is only one solution. This is so if and only if the set `common` has minimal risk."""
        return self._regular or bayes_risk(self.distribution, self.common) == self.least_risk

    @cached_property
    def common(self) -> frozenset[str]:
        """The features that all solutions share. They are the features whose removal raises the risk."""
        # If R(not Xi) = R(X), some solution lies within not Xi, so not all solutions have Xi. Conversely, if a solution
        # lacks Xi, it lies within not Xi, and the risk of not Xi is minimal.
        best, without = _right_weights_at(self.distribution, 2 ** len(self.distribution.features) - 1)
        found = zip(self.distribution.features, without, strict=True)
        return frozenset(name for name, right in found if right < best)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets through which the search went to the answer: from all features backward, or from none forward.

        One-shot, resampling and the exhaustive method have no path.
        """
        if self.method not in {"backward", "forward"}:
            return ()
        ends = (*(step.subset for step in self.trace if step.made), frozenset(self.features))
        between = (  # a step with look-ahead adds several features
            start | set(sorted(end - start)[:number])
            for start, end in pairwise(ends)
            for number in range(max(1, len(end - start)))
        )
        return (*between, ends[-1])

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The tests in words: the candidate, what was found and what followed."""
        up = self.iterations if self.method == "forward" else 0  # the steps forward come first
        added = [(step.chosen, self._with(step), "added" if step.made else "left out") for step in self.trace[:up]]
        tests = [(step.chosen, self._found(step), "removed" if step.made else "kept") for step in self.trace[up:]]
        return [*added, *tests]

    def _with(self, step: Step) -> str:
        name = "R =" if self.criterion == "0-1 loss" else self.criterion
        return f"{name} {to_text(step.value, digits=0, formula=False)} with it"

    def _found(self, step: Step) -> str:
        if self.method == "resampling":
            value = "> 0" if step.value is None else f"= {to_text(step.value, 0)}"
            return f"another class when measured again: P {value}"
        than = "the same" if step.made else f"above {to_text(self.least_risk, 0)}"
        return f"R = {to_text(step.value, 0)} without it" + f", {than}" * (self.method != "forward")

    def plot(self, **options: Any) -> PlotFigure:
        """Draw the lattice of risks with the solutions and the path. The options are those of `SubsetTable.plot`."""
        marks: dict[str, Any] = {}
        if self.solutions:
            marks |= {"best": frozenset(self.features)} if self.is_unique else {"minimal": self.solutions}
        if len(self.path) > 1:
            marks["path"] = self.path
        return bayes_risks(self.distribution).plot(**{**marks, **options})

    def __str__(self) -> str:
        sets = self.solutions if len(self.solutions) > 1 else (frozenset(self.features),)
        promise = _promise(self.method, self.positive.holds, self.unique_maximum.holds)
        lines = [f"{first_of(sets, self._name)} by {_TITLES[self.method]}, Bayes risk {to_text(self.risk)}", ""]
        lines += [f"{self.positive}.", f"{self.unique_maximum}.", promise, self._finding()]
        if rows := self.rows[:_ROWS]:
            lines += ["", "Tests:", *columns(rows, "  ")]
        return "\n".join(lines + [f"... {len(self.trace) - _ROWS} more tests"] * (len(self.trace) > _ROWS))

    def _finding(self) -> str:
        """Return the sentence that says whether the answer is a solution for this distribution, and the only one."""
        if self.is_solution and self.is_unique:
            return "Here it is a solution, and the only one."
        count = len(self.solutions) if self.method == "exhaustive" else "several"
        shared = self._name(self.common) if self.common else "no feature"
        several = f"{count} solutions, which share {shared}"
        if self.method == "exhaustive":
            return f"Here there are {several}."
        if self.is_solution:
            return f"Here it is a solution, one of {several}."
        there = "There is a single solution." if self.is_unique else f"There are {several}."
        if self.risk == self.least_risk:
            return f"Here it is no solution: its risk is minimal, but a smaller set has the same. {there}"
        risks = f"its risk is {to_text(self.risk, 0)}, that of all features {to_text(self.least_risk, 0)}"
        return f"Here it is no solution: {risks}. {there}"

    def _name(self, subset: frozenset[str]) -> str:
        return subset_text(subset, self.distribution.features)


def _right_weight(table: Weights) -> int:
    """Return the weight of the cells that the Bayes classifier over all states predicts correctly.

    The first axis of the table is that of the classes.
    """
    return int(reduce(np.maximum, table.reshape(len(table), -1)).sum())  # NumPy reduces short rows slowly


def _right_weights_at(d: JointDistribution, mask: int) -> tuple[int, list[int]]:
    """Return the weight that a subset predicts correctly, and those that it predicts without each of its features."""
    best, rows, axes = _right_weight(cells_at(d, mask).T), counted(d), indices_of(mask)
    without = rows.leave_one_out(axes, axes)
    return best, [best if others is None else _right_weight(rows.cells(others).T) for others in without]


def _test(subset: frozenset[str], feature: str, value: Fraction | None, removed: bool) -> Step:
    return Step(subset, ((feature, value),), feature, (feature,), removed)


def minimal_optimal(
    d: DistributionLike,
    method: Method = "backward",
    *,
    order: Iterable[str] | None = None,
    criterion: CriterionLike | None = None,
    look_ahead: int | None = None,
    tau: Exact | None = None,
) -> MinimalOptimal:
    """Find the minimal-optimal subset S*: a subset with minimal Bayes risk, none of whose proper subsets has it.

    If p(x) > 0 and p(Y|x) has a single maximum for all x, there is only one such subset, and every method but forward
    search returns it (Theorems 4 to 7). Otherwise there may be several solutions, and the methods differ:

    * backward search ends at a solution that depends on the order;
    * one-shot returns the intersection of all solutions, which is a solution only if there is just one;
    * resampling returns a superset of this intersection. If maxima are unique, it is the intersection itself. If
      p(x) > 0 for all x, it has minimal risk;
    * the exhaustive method returns all solutions.

    Forward search may miss the solution, and its answer says whether it is one. It adds the feature with which the
    criterion is best, as long as the criterion improves. Then it removes each feature that the risk can spare. No
    proper subset of its answer has the same risk. So the answer is a solution if and only if the features added have
    minimal risk. By the risk the search stops too early even if the class is the AND of two fair bits. By
    ``criterion="gini"`` or ``"logarithmic"`` it finds a solution if the distribution has local composition: given any
    features, others that tell nothing about the class alone tell nothing together. Features that are independent given
    the class are an example (textbook, Chapter 3).

    Complexity: at most n(n + 1)/2 passes over the table for backward search, as many values of the criterion and n
    risks more for forward search, n passes for one-shot and resampling, and the additions of `bayes_risks` for the
    exhaustive method, 3**n for binary features. Source: Peña and Nilsson (2010), Section 4, and Section 6 on forward
    search.

    Parameters
    ----------
    d : JointDistribution
        The distribution, or the name of one in the gallery.
    method : {'backward', 'forward', 'one-shot', 'resampling', 'exhaustive'}
        Backward search (Table 1), forward search with a backward pass, one-shot (Table 2), the characterization of
        Theorem 7, or all subsets.
    order : sequence of str, optional
        All features, in the order of the index i of Table 1. Forward search takes the first of equally good features
        in this order, and tests them in this order. The default is ``d.features``. The other methods take no order.
    criterion : Criterion, str, SubsetTable or SetFunction, optional
        The criterion by which forward search adds features, as in `select`. The default is ``'zero_one'``, the risk.
    look_ahead : int, optional
        If no feature improves the criterion alone, forward search tries pairs, and so on up to this number of
        features. The default is 1. By the risk, it finds a solution if some solution has no more features than this.
    tau : exact number, optional
        The tolerance of forward search. It adds features if the criterion improves by more than tau, and removes one if
        the risk rises by at most tau. The default is 0. Set it for a sample, with
        ``PlugIn(select=functools.partial(minimal_optimal, method="forward", criterion="gini", tau="1/20"))``.

    Returns
    -------
    MinimalOptimal
        The set that was found, the tests, and whether a theorem guarantees that the set is a solution.

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(minimal_optimal(gallery.xor(noise="1/10")))
    X1X2 by backward search (Table 1), Bayes risk 1/10 = 0.1
    <BLANKLINE>
    p(x) > 0 for every x: holds.
    p(Y|x) has a single maximum for every x with p(x) > 0: holds.
    Both assumptions hold, so this is S*, the only solution (Theorem 5).
    Here it is a solution, and the only one.
    <BLANKLINE>
    Tests:
      X1  R = 1/2 without it, above 1/10  kept
      X2  R = 1/2 without it, above 1/10  kept
    """
    d = as_distribution(d)
    require_choice(method, "method", get_args(Method))
    if method == "forward":
        f = set_function(d, "zero_one" if criterion is None else criterion)
        ahead = as_index(1 if look_ahead is None else look_ahead, "look_ahead", at_least=1)
        tolerance = as_fraction(0 if tau is None else tau, "tau", at_least=0, repair="pass 0 for known risks")
        return _forward_search(d, f, feature_order(order, d.features), ahead, tolerance)
    for name, value in (("criterion", criterion), ("look_ahead", look_ahead), ("tau", tau)):
        require(value is None, name, "left out unless the method is 'forward'", value, f"drop {name}")
    if method == "backward":
        return backward_search(d, order=order)
    repair = f"the method {method!r} has no order"
    require(order is None, "order", "left out unless the method is 'backward' or 'forward'", order, repair)
    return {"one-shot": one_shot, "resampling": resampling, "exhaustive": exhaustive_search}[method](d)


def backward_search(d: DistributionLike, *, order: Iterable[str] | None = None) -> MinimalOptimal:
    """Solve the minimal-optimal problem by backward search, exactly as in Table 1; see `minimal_optimal`."""
    d = as_distribution(d)
    sequence = feature_order(order, d.features)
    features, total = d.features, d.total
    mask, subset = 2 ** len(sequence) - 1, frozenset(features)  # 1: S = X
    rows, trace, iterations, kept = counted(d), list[Step](), len(sequence), list[int]()  # 2: i = 1
    best = _right_weight(cells_at(d, mask).T)
    # Before feature i is tested, S has the features that were kept and those from i on.
    for i, (feature, later) in enumerate(
        zip(sequence, rows.leave_one_out(sequence, sequence, later=True), strict=True)
    ):  # 3, 4
        right = best if later is None else _right_weight(rows.cells(rows.states_of(kept, later)).T)
        trace.append(_test(subset, features[feature], 1 - Fraction(right, total), right == best))
        if right < best:  # 5
            kept.append(feature)
            continue  # 9, 11
        mask, iterations = mask & ~(1 << feature), iterations + i + 1  # 6, 7: all features up to i are looked at again
        subset = names_of(mask, features)
        rows.expect([indices_of(mask)])
        for again in kept:  # kept once more: the risk without one of them rises further if S is smaller
            others = [other for other in kept if other != again]
            right = _right_weight(rows.cells(rows.states_of(others, later)).T)
            trace.append(_test(subset, features[again], 1 - Fraction(right, total), False))
    return MinimalOptimal(d, "backward", ordered_names(mask, features), tuple(trace), iterations)  # 12


def _forward_search(
    d: JointDistribution, f: SetFunction, sequence: tuple[int, ...], most: int, tau: Fraction
) -> MinimalOptimal:
    """Add features as long as the criterion improves by more than tau, then remove features that the risk can spare."""
    names, mask, number, trace = d.features, 0, 1, list[Step]()
    while number <= min(most, len(names) - mask.bit_count()):
        left = [i for i in sequence if not mask >> i & 1]
        if number == 1:
            f.learn(mask, left)
        added = [sum(1 << i for i in some) for some in combinations(left, number)]
        called = [names[m.bit_length() - 1] if number == 1 else format_subset(m, names) for m in added]
        values = [f.at(mask | m) for m in added]
        step = chosen_step(names_of(mask, names), list(zip(called, values, strict=True)), f.larger_is_better)
        best = added[values.index(step.value)]
        made = f.gain(best, onto=mask) > tau
        trace.append(replace(step, made=made))
        mask, number = (mask | best, 1) if made else (mask, number + 1)
    iterations, current = len(trace), bayes_risk(d, names_of(mask, names))
    for i in [i for i in sequence if mask >> i & 1]:  # one pass: a feature that is needed here is needed in each subset
        risk = bayes_risk(d, names_of(mask & ~(1 << i), names))
        trace.append(_test(names_of(mask, names), names[i], risk, risk <= current + tau))
        if trace[-1].made:
            mask, current = mask & ~(1 << i), risk
    return MinimalOptimal(d, "forward", ordered_names(mask, names), tuple(trace), iterations, criterion=f.name)


def one_shot(d: DistributionLike) -> MinimalOptimal:
    """Return every feature whose removal from the set of all features raises the risk: Table 2."""
    d = as_distribution(d)
    best, without = _right_weights_at(d, 2 ** len(d.features) - 1)
    everything, found = frozenset(d.features), zip(d.features, without, strict=True)
    tests = [_test(everything, name, 1 - Fraction(right, d.total), right == best) for name, right in found]
    return _by_tests(d, "one-shot", tests)


_SUMMED = 2**12  # the largest number of weights for which the probabilities of Theorem 7 are computed


def resampling(d: DistributionLike) -> MinimalOptimal:
    """Return the features that can change the class of the Bayes classifier if they are measured again (Theorem 7)."""
    d = as_distribution(d)
    everything, tests = frozenset(d.features), []
    for i, (name, decides) in enumerate(
        zip(d.features, deciding(labeled_states(counted(d), bayes_labels)), strict=True)
    ):
        removed, value = not decides, None
        if removed or fits_array(d._variables, _SUMMED):
            value = Fraction(0) if removed else _resampling_probability(d, bayes_labels(d.weights), i)
        tests.append(_test(everything, name, value, removed))
    return _by_tests(d, "resampling", tests)


def _by_tests(d: JointDistribution, method: Method, tests: list[Step]) -> MinimalOptimal:
    """Return the features that one test each keeps."""
    kept = tuple(step.chosen for step in tests if not step.made)
    return MinimalOptimal(d, method, kept, tuple(tests), len(tests))


def exhaustive_search(d: DistributionLike) -> MinimalOptimal:
    """Return every solution of the minimal-optimal problem, whatever the distribution (Section 4)."""
    d = as_distribution(d)
    solutions = bayes_risks(d).minimal_sets()
    first = ordered_names(mask_of(solutions[0], d.features), d.features)
    return MinimalOptimal(d, "exhaustive", first, (), 2 ** len(d.features), solutions)


def _resampling_probability(d: JointDistribution, labels: npt.NDArray[Any], axis: int) -> Fraction:
    """Return the probability that the Bayes classifier changes its class if one feature is measured again.

    The value is P(g*(not Xi, Xi) != g*(not Xi, Xi')) for the feature Xi and its second measurement Xi'. Given the other
    features, Xi and Xi' are independent and identically distributed. g* is the Bayes classifier over all features,
    with the given labels. Source: Peña and Nilsson (2010), Theorem 7.
    """
    fibers, masses = (np.moveaxis(table, axis, -1) for table in (labels, d.weights.sum(axis=-1)))
    exact = masses if d.total < 2**31 else masses.astype(object)  # products of two masses must not overflow
    whole = exact.sum(axis=-1)
    # For a state z of the other features, the probability of z and a change is
    # p(z) - (sum over the classes y of p(z, g* = y)**2) / p(z).
    same = sum(np.where(fibers == y, exact, 0).sum(axis=-1) ** 2 for y in range(len(d.classes)))
    changed: Counter[int] = Counter()  # p(z) times the probability of a change there, by the weight of z
    for weight, above in zip(np.ravel(whole).tolist(), np.ravel(whole**2 - same).tolist(), strict=True):
        changed[weight] += above
    return _sum([Fraction(above, weight) for weight, above in changed.items() if above]) / d.total


def _sum(terms: list[Fraction]) -> Fraction:
    """Add fractions by halves, so that few of the sums have large denominators."""
    if len(terms) <= 1:
        return terms[0] if terms else Fraction(0)
    middle = len(terms) // 2
    return _sum(terms[:middle]) + _sum(terms[middle:])


_PATH = 20_000  # the time of summing out features down to one subset, as a number of cells of the sweep
_SLOWER = 16  # the time of one cell of that subset, in the same unit


def k_optimal(d: DataLike, k: int) -> Level[Fraction]:
    """Find every subset of k features with the least Bayes risk, by an exhaustive search.

    The result is a `Level`: the least risk as its `value`, and the `subsets` that reach it. For a sample, the risk is
    that of the majority tables on the sample itself, and more than 2**18 subsets of k features are refused. Complexity:
    the sweep over all subsets takes prod(c_i + 1) additions for cardinalities c_i. If k is far from n/2, only the
    subsets of size k are examined. Source: Peña and Nilsson (2010), Section 3; Cover and Van Campenhout (1977).

    Examples
    --------
    >>> from fstheory import gallery
    >>> print(k_optimal(gallery.titanic(), 1))
    493/2201 ≈ 0.2240: {sex}
    >>> [sorted(subset) for subset in k_optimal(gallery.copies(3), 2).subsets]
    [['X1', 'X2'], ['X1', 'X3'], ['X2', 'X3']]
    """
    d = as_data(d)
    n, size = len(d.features), checked_size(k, len(d.features))
    if not is_table(d):
        require_few(d, math.comb(n, size), "k", k, "take select with a greedy method")
        pairs = ((mask, int(cells.max(axis=1).sum())) for mask, cells in cells_of_size(d, size, size))
        return _most_right(pairs, d.features, counted(d).total)
    typical = math.prod(d.cardinalities) ** (size / max(n, 1))  # of the cells of a subset of this size
    if math.comb(n, size) * (_PATH + _SLOWER * typical) < math.prod(c + 1 for c in d.cardinalities):
        return by_branching(d, size)
    return bayes_risks(d).best_of_size(size)


def by_branching(d: JointDistribution, k: int) -> Level[Fraction]:
    """Find the best subsets of k features, by summing out one feature after another, down to k features."""
    class_first = np.ascontiguousarray(np.moveaxis(d.weights, -1, 0))
    return _most_right(_right_weights(class_first, 0, len(d.features), k, 0), d.features, d.total)


def _most_right(pairs: Iterable[tuple[int, int]], features: tuple[str, ...], total: int) -> Level[Fraction]:
    """Return the level of the best masks, given pairs of a mask and the weight that is predicted correctly."""
    best, masks = -1, list[int]()
    for mask, right in pairs:
        if right > best:
            best, masks = right, []
        if right == best:
            masks.append(mask)
    subsets = tuple(names_of(mask, features) for mask in sorted(masks, key=indices_of))
    return Level(1 - Fraction(best, total), subsets, _columns=features)


def _right_weights(table: Weights, first: int, n: int, left: int, mask: int) -> Iterator[tuple[int, int]]:
    """Yield (mask, weight that is predicted correctly) of the subsets that keep `left` of the features from `first`."""
    if n - first == left:  # all features from `first` stay
        yield mask | (2**n - 2**first), _right_weight(table)
        return
    kept = table.ndim - 1 - (n - first)
    yield from _right_weights(table.sum(axis=1 + kept), first + 1, n, left, mask)
    if left:
        yield from _right_weights(table, first + 1, n, left - 1, mask | 1 << first)
