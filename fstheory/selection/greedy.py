"""Choosing k features by a criterion: exhaustive, greedy forward, greedy backward, by score."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from fstheory._display import Shown, few
from fstheory._exact import as_index, both, readable
from fstheory.distribution import Data, Sample, require_data, require_few
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require_choice
from fstheory.selection.set_functions import CriterionLike, SetFunction, Value, set_function
from fstheory.subsets import format_subset, mask_of, names_of

if TYPE_CHECKING:
    from fstheory.viz import LatticeFigure

__all__ = ["Selection", "SelectionMethod", "SelectionStep", "select"]


def feature_order(order: Iterable[str] | None, features: tuple[str, ...]) -> tuple[int, ...]:
    """Return the feature indices in the order asked for, that of `features` if none is."""
    if order is None:
        return tuple(range(len(features)))
    if isinstance(order, str | set | frozenset) or not isinstance(order, Iterable):
        repair = "a set has no order: pass a list" if isinstance(order, set | frozenset) else "pass a list"
        raise InvalidTypeError(explain("order", "a sequence of feature names", order, repair))
    names = tuple(order)
    mask = mask_of(names, features, "order")
    if mask != 2 ** len(features) - 1:
        left = sorted(names_of(2 ** len(features) - 1 & ~mask, features))
        raise InvalidValueError(explain("order", "of all features", names, f"add {', '.join(left)}"))
    return tuple(features.index(name) for name in names)


_TITLES = {
    "greedy-forward": "greedy forward selection",
    "greedy-backward": "greedy backward elimination",
    "score": "scores of single features",
    "exhaustive": "looking at every subset",
    "mrmr": "minimal redundancy and maximal relevance",
}


@dataclass(frozen=True, repr=False)
class SelectionStep(Shown):
    """One step of a selection: the candidates, what each was worth, and which was taken.

    Attributes
    ----------
    subset : frozenset of str
        The features before the step.
    values : tuple of pairs (feature, exact number)
        Forwards the value of the subset with the feature, backwards without it; of scores, the feature's.
    chosen : str
        The feature that was added or, backwards, taken out.
    tied : tuple of str
        Every candidate with the best value, the chosen one first.

    Examples
    --------
    >>> from fstheory import gallery
    >>> step = select(gallery.copies(), 1).trace[0]
    >>> step.chosen, step.tied, step.candidates["X2"]
    ('X1', ('X1', 'X2'), Fraction(1, 10))
    """

    subset: frozenset[str]
    values: tuple[tuple[str, Value], ...]
    chosen: str
    tied: tuple[str, ...]

    @property
    def candidates(self) -> dict[str, Value]:
        """The value of every candidate."""
        return dict(self.values)

    @property
    def value(self) -> Value:
        """The value of the chosen one."""
        return self.candidates[self.chosen]

    def __str__(self) -> str:
        others = [(name, value) for name, value in self.values if name != self.chosen]
        against = few(lambda other: f"{other[0]} {'the same' if other[0] in self.tied else shown(other[1])}", others)
        line = f"{self.chosen} {shown(self.value)}"
        return f"{line} against {against}" if against else line


@dataclass(frozen=True, repr=False)
class Selection(Shown):
    """The features that a method chose by a criterion.

    Attributes
    ----------
    method : str
    criterion : str
        Its name.
    features : tuple of str
        In the order in which they were chosen; of backward and exhaustive search in the order that resolves ties.
    value : Fraction, LogSum or None
        Of the chosen subset. Of rankings that give no subset a value, the score of the feature chosen last.
    trace : tuple of SelectionStep
        Empty for exhaustive search.
    subsets : tuple of frozenset of str
        Of exhaustive search, every subset that is best.
    function : SetFunction
        What the subsets were judged by, or for rankings that give no subset a value the Bayes risk: what `plot` draws.

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = select(gallery.xor(), 2, "zero_one", "exhaustive")
    >>> found.features, found.value
    (('X1', 'X2'), Fraction(0, 1))
    """

    method: str
    criterion: str
    features: tuple[str, ...]
    value: Value | None
    trace: tuple[SelectionStep, ...]
    subsets: tuple[frozenset[str], ...] = ()
    function: SetFunction = field(kw_only=True, compare=False)

    @property
    def has_ties(self) -> bool:
        """Whether an order of the features had to decide somewhere."""
        return len(self.subsets) > 1 or any(len(step.tied) > 1 for step in self.trace)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets that the search went through; of exhaustive search none."""
        return (*(step.subset for step in self.trace), frozenset(self.features)) if self.trace else ()

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the lattice of the values with the path of the search or, of exhaustive search, the best subsets.

        The options, which take precedence, and what is raised are those of `SubsetTable.plot`.
        """
        marks = {"path": self.path} if self.trace else {"optimal": self.subsets}
        return self.function.table().plot(**{**marks, **options})

    def __str__(self) -> str:
        worth = "" if self.value is None else f", {self.criterion} {shown(self.value, both)}"
        head = f"{', '.join(self.features) or 'no features'} by {_TITLES[self.method]}{worth}{on_sample(self.function)}"
        lines = [head, *(f"  {i}. {step}" for i, step in enumerate(self.trace, 1)), *decided_by_order(self.trace)]
        if len(self.subsets) > 1:
            names = self.function.features
            tied = few(lambda subset: format_subset(mask_of(subset, names), names), self.subsets)
            lines.append(f"  {len(self.subsets)} subsets tie; the order of the features decided among {tied}")
        return "\n".join(lines)


def on_sample(function: SetFunction) -> str:
    """Say on which sample a set function was measured, if it was on one."""
    return f", on {function.sample.m:,} samples" if function.sample else ""


def decided_by_order(trace: Sequence[SelectionStep]) -> list[str]:
    """Return the line that says where candidates tied and the order of the features decided, if they did."""
    tied = [(i, step) for i, step in enumerate(trace, 1) if len(step.tied) > 1]
    listed = few(lambda pair: f"step {pair[0]} ({', '.join(pair[1].tied)})", tied)
    return [f"  ties, where the order of the features decided: {listed}"] if tied else []


def shown(value: Value, rational: Callable[[Fraction], str] = readable) -> str:
    """Write an exact number for people: a rational exactly, a sum of logarithms as a decimal."""
    if isinstance(value, int | Fraction):
        return rational(Fraction(value))
    return rational(value.as_fraction()) if value.is_rational() else f"≈{value.decimal()}"


SelectionMethod: TypeAlias = Literal["greedy-forward", "greedy-backward", "score", "exhaustive"]


def select(
    d: Data,
    k: int,
    criterion: CriterionLike = "zero_one",
    method: SelectionMethod = "greedy-forward",
    *,
    order: Iterable[str] | None = None,
) -> Selection:
    """Choose k features by a criterion.

    Parameters
    ----------
    d : JointDistribution or Sample
        Of a sample, what is best on the sample itself; any number of columns.
    k : int
        Between 0 and the number of features.
    criterion : Criterion, str, SubsetTable or SetFunction
        One of `fstheory.criteria` or the name of one that needs no parameter; or a set function such as
        `s_variate` makes.
    method : {'greedy-forward', 'greedy-backward', 'score', 'exhaustive'}
        Add the best feature to those chosen, k times; take out the feature without which the rest is best, until k
        are left; judge every feature alone and take the k best; or look at every subset of k features.
    order : iterable of str, optional
        All features: of candidates that are equally good the first in this order is taken (of subsets the first in
        the lexicographic order it makes), that of ``d.features`` if not given.

    Returns
    -------
    Selection
        With the exact value of every candidate at every step, and the ties.

    Raises
    ------
    TooLargeError
        A sample has over 2**18 subsets of k features, and all are to be looked at.

    Notes
    -----
    The methods of Ahmed et al. are combinations: BayesGreedy is ``'greedy-forward'`` with the loss of interest,
    BayesScore ``'score'`` with it; MIGreedy and MIScore are the same with ``'logarithmic'``, as the conditional entropy
    orders subsets as mutual information does. Greedy forward selection is not optimal, for any of these criteria: see
    `compare_greedy`. Complexity: k(2n - k + 1)/2 values of the criterion forwards, n score by score, n choose k
    exhaustively; each at most a pass over the cells of `d`, or its distinct rows. Source: Ahmed, Narasimhan and Agarwal
    (2015), Algorithm 1 and Section 4.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.titanic()
    >>> print(select(d, 2))
    sex, class by greedy forward selection, 0-1 loss 477/2201 ≈ 0.2167
      1. sex 493/2201 against class 630/2201, age 706/2201
      2. class 477/2201 against age 493/2201
    >>> select(d, 1, "logarithmic", "score").features
    ('sex',)
    """
    require_data(d)
    function = set_function(d, criterion)
    size = checked_size(k, len(d.features))
    sequence = feature_order(order, d.features)
    require_choice(method, "method", get_args(SelectionMethod))
    if method == "exhaustive":
        if isinstance(d, Sample):
            require_few(math.comb(len(d.features), size), "k", k, "take a greedy method, or s.keep(features)")
        return _exhaustive(function, size, sequence)
    return _stepwise(function, size, sequence, method)


def checked_size(k: int, n: int) -> int:
    """Return the number of features to choose, or refuse it."""
    size = as_index(k, "k")
    if size > n:
        raise InvalidValueError(explain("k", f"between 0 and {n}, the number of features", k, "pass a smaller k"))
    return size


def chosen_step(subset: frozenset[str], scored: Sequence[tuple[str, Value]], larger_is_better: bool) -> SelectionStep:
    """Return the step that takes the best candidate; of several, the first."""
    best = (max if larger_is_better else min)(value for _, value in scored)
    tied = tuple(name for name, value in scored if value == best)
    return SelectionStep(subset, tuple(scored), tied[0], tied)


def _stepwise(f: SetFunction, k: int, sequence: tuple[int, ...], method: SelectionMethod) -> Selection:
    """Add the best feature k times, judged with those chosen or alone, or take one out until k are left."""
    trace: list[SelectionStep] = []
    backward = method == "greedy-backward"
    mask = 2 ** len(f.features) - 1 if backward else 0
    for _ in range(len(f.features) - k if backward else k):
        moved = [i for i in sequence if bool(mask >> i & 1) == backward]
        scored = [(f.features[i], f.at(1 << i if method == "score" else mask ^ 1 << i)) for i in moved]
        trace.append(chosen_step(names_of(mask, f.features), scored, f.larger_is_better))
        mask ^= 1 << f.features.index(trace[-1].chosen)
    names = _in_order(mask, f, sequence) if backward else tuple(step.chosen for step in trace)
    return Selection(method, f.name, names, f.at(mask), tuple(trace), function=f)


def _exhaustive(f: SetFunction, k: int, sequence: tuple[int, ...]) -> Selection:
    masks = [sum(1 << i for i in chosen) for chosen in itertools.combinations(sequence, k)]
    most = max(map(f.benefit, masks))
    best = [mask for mask in masks if f.benefit(mask) == most]
    subsets = tuple(names_of(mask, f.features) for mask in best)
    return Selection("exhaustive", f.name, _in_order(best[0], f, sequence), f.at(best[0]), (), subsets, function=f)


def _in_order(mask: int, f: SetFunction, sequence: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f.features[i] for i in sequence if mask >> i & 1)
