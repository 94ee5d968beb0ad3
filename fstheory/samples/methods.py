"""The methods that select features on samples, each a value that says how it chooses, written once for a batch."""

from __future__ import annotations

import functools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, to_text
from fstheory._support.result import ByParts, Result
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, require, require_choice, require_type, unknown
from fstheory.lattice.columns import Integers
from fstheory.lattice.subsets import Subset, mask_of, masks_by_size, sizes
from fstheory.samples.inducers import (
    Inducer,
    checked,
    gains_over,
    learn,
    over_subsets,
    require_learnable,
    right_on,
)
from fstheory.samples.tables import Merging, gains_of, labels_of, marginals, risks_of

Ties: TypeAlias = Literal["first", "uniform"]
Estimate: TypeAlias = Literal["resubstitution", "leave-one-out", "leave-one-out-first-class"]
Reads: TypeAlias = Literal["contrasts", "left out", "counts", "parts"]


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Result):
    """What a method chooses on the samples of a batch; where ties are drawn, a sample has several rows.

    `rows` are the samples, `chosen` has a position for each row or a row of candidate masks, and `shares` are the
    probabilities of the rows given the sample, over the common denominator that the method states.
    """

    rows: Integers
    chosen: Integers
    shares: Integers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choice) and all(map(np.array_equal, vars(self).values(), vars(other).values()))

    __hash__ = None  # type: ignore[assignment]


def certain(chosen: Integers) -> Choice:
    """Return the choice of these in samples without ties."""
    return Choice(np.arange(len(chosen)), chosen, np.ones(len(chosen), dtype=np.int64))


def _whole(batch: int, denominator: int) -> Integers:
    """Return the shares of rows that nothing has split yet."""
    return np.full(batch, denominator, dtype=np.int64 if denominator < 2**62 else object)


@dataclass(frozen=True, kw_only=True, repr=False)
class Method(Result, ABC):
    """Base of the methods that select features on samples and end with a classifier over them.

    If several subsets do equally well, `ties` says which one is taken. "first" takes the one with fewer features, and
    among equal sizes the one whose features come first. "uniform" draws one of them. A method that meets no ties has no
    such argument.

    `inducer` is the learner. These are built in:

    - "majority", the majority table, as in the papers. If several classes tie in a state, the table predicts the first
      of them. In a state without training samples it predicts the first of all classes. So its risk on held-out
      samples, and the estimate "leave-one-out-first-class", depend on the order of the classes. The estimate
      "leave-one-out" does not: it is the one of `fstheory.samples.risk_estimates`.
    - "1-nn", "2-nn" and so on, the nearest neighbors by the number of features that differ. "sqrt-nn" takes as many
      neighbors as the root of the number of training samples, rounded down, so it is universally consistent. If too
      many samples are equally near, it is drawn which of them vote. If several classes have the most votes, one of
      them is drawn. So the classifier is randomized. The exact mean of its errors over the draws counts.
    - "naive-bayes", with the relative frequencies of the classes, and 1 added to each count of a state in a class. If
      several classes tie, it predicts the first.
    - "linear", the linear discriminant with the fewest training errors, for two classes and up to four binary
      features. If several have the fewest, it is the first one in the lexicographic order of the predictions.

    An inducer may also be a function. It takes an array of counts with an axis for each feature and the classes last,
    and returns the position of a class for each state. Or it is an estimator of scikit-learn: it is fitted to the
    positions of the states, and its laws are only simulated. Over no features, and if the training samples have only
    one class, an estimator is replaced by the majority.
    """

    ties: Ties = field(default="first", init=False, repr=False)
    inducer: Inducer = "majority"
    _derived = ("title",)

    def __post_init__(self) -> None:
        require_choice(self.ties, "ties", get_args(Ties))
        checked(self.inducer)
        if (holdout := getattr(self, "holdout", None)) is not None:
            held = as_fraction(holdout, "holdout", above=0, repair="hold out at least one sample")
            object.__setattr__(self, "holdout", held)

    @property
    def title(self) -> str:
        """The name of the method in results."""
        return self._named(type(self).__name__)

    def _named(self, name: str) -> str:
        return name if self.inducer == "majority" else f"{name} ({checked(self.inducer)})"

    @property
    def estimated_by(self) -> str:
        """The name of the estimate of a risk that the method compares. Its numbers are shown under this name."""
        if getattr(self, "holdout", None) is not None:
            return "held-out-first-class" if self.inducer == "majority" else "held-out"
        return getattr(self, "estimate", "resubstitution")

    @functools.cached_property
    def reads(self) -> Reads:
        """The part of a sample that the method needs.

        These are differences of counts, leave-one-out errors, all counts, or the counts of each part of the samples.
        """
        return "contrasts" if self.inducer == "majority" else "parts"

    def parts(self, m: int) -> list[int]:
        """Return the sizes of the parts of m samples: one part, the folds, or the training and the held-out samples."""
        if held := self.holdout_size(m):
            return [m - held, held]
        if not (estimate := self.estimated_by).endswith("-fold"):
            return [m]
        folds = int(estimate.removesuffix("-fold"))
        require(folds <= m, "m", f"at least {folds}, the number of folds", m, "take more samples")
        return [m // folds + (i < m % folds) for i in range(folds)]

    def holdout_size(self, m: int) -> int:
        """Return how many of m samples are held out. If the same samples train and estimate, it is 0."""
        holdout: Exact | None = getattr(self, "holdout", None)
        return 0 if holdout is None else held_out(holdout, m)

    def candidates(self, gains: Integers) -> Choice:
        """Return the subsets among which the held-out samples decide, after training. By default these are all."""
        return certain(np.broadcast_to(np.arange(gains.shape[1]), gains.shape))

    def candidate_denominator(self, n: int) -> int:
        """Return the common denominator of the shares of `candidates` with n features."""
        del n
        return 1

    def draw_candidates(self, gains: Integers, *, rng: np.random.Generator) -> Integers:
        """Return the candidates of each sample. If several tie, one of them is drawn."""
        del rng
        return self.candidates(gains).chosen

    def _merging(self, cardinalities: Sequence[int], m: int) -> Merging | None:
        """Return which contrasts of two classes act alike on m samples, or None if all are different."""
        del cardinalities, m
        return None

    def reads_subsets(self, n: int) -> Sequence[int] | None:
        """Return the masks of the subsets of n features whose gains `decide` reads. None stands for all of them."""
        del n
        return None

    @abstractmethod
    def decide(self, gains: Integers, m: int) -> Choice:
        """Choose among candidates by their gains, for many samples of the same size m.

        `gains` has a row for each sample and a column for each candidate. These are all subsets, in the order of their
        masks, or those that `candidates` returns. The gain of a candidate is the number of samples, out of m, on which
        it is right, minus the number on which the constant prediction of class 0 is right.
        """

    def denominator(self, candidates: int) -> int:
        """Return the common denominator of the shares of `decide` with so many candidates."""
        del candidates
        return 1


def as_tau(value: Exact) -> Fraction:
    """Return tau as an exact number. Raise an error unless it is above 0."""
    return as_fraction(value, "tau", above=0, repair="the paper asks for tau > 0: pass '1/20', say")


def held_out(holdout: Exact, m: int) -> int:
    """Return how many of m samples a number or a fraction holds out."""
    value = as_fraction(holdout, "holdout")
    held = value * m if value < 1 else value
    repair = f"{to_text(value, 0)} of {m} is {to_text(held)}: choose m so that it is whole, or pass a number of samples"
    require(held.denominator == 1, "holdout", "a whole number of samples", value, repair)
    repair = "keep samples to train on and to hold out"
    require(0 < held < m, "holdout", f"above 0 and below m = {m}", int(held), repair)
    return int(held)


_FOLDS = re.compile(r"([2-9]|[1-9]\d+)-fold")


@dataclass(frozen=True, kw_only=True, repr=False)
class _Backward(Method):
    """What FBS and FOS share: a feature is dropped if the estimated risk rises by at most tau."""

    tau: Exact = "1/20"
    estimate: Estimate | str = "resubstitution"
    holdout: Exact | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tau", as_tau(self.tau))
        if not (isinstance(self.estimate, str) and _FOLDS.fullmatch(self.estimate)):
            require_choice(self.estimate, "estimate", (*get_args(Estimate), "5-fold"))
        if self.holdout is not None:
            repair = f"with {self.estimate}, nothing is held out"
            require(self.estimate == "resubstitution", "holdout", "left out", self.holdout, repair)
        fits = self.inducer == "majority" or self.estimate != "leave-one-out-first-class"
        repair = "pass 'leave-one-out': an inducer has its own rule for ties"
        require(fits, "estimate", "another one for an inducer that is not the majority table", self.estimate, repair)

    @functools.cached_property
    def reads(self) -> Reads:
        """The part of a sample that the estimate needs."""
        if self.inducer != "majority" or self.estimate.endswith("-fold"):
            return "parts"
        return "contrasts" if self.estimate == "resubstitution" else "left out"

    def allowed(self, m: int) -> int:
        """Return by how many of m samples the errors may rise."""
        return math.floor(as_fraction(self.tau) * m)


@dataclass(frozen=True, kw_only=True, repr=False)
class FOS(_Backward):
    """The one-shot method on a sample: keep a feature if its removal alone raises the estimated risk by more than tau.

    A value of this class is the `method` of `fstheory.fit`, `fstheory.selection_law` and `fstheory.simulate`.

    Parameters
    ----------
    tau : exact number above 0
        The tolerance.
    inducer : str, function or estimator
        The learner, as in `fstheory.samples.methods.Method`: "majority", "1-nn", "sqrt-nn", "naive-bayes", "linear", a
        function of counts, or an estimator of scikit-learn.
    estimate : {'resubstitution', 'leave-one-out', 'leave-one-out-first-class', '5-fold'}
        How the risk of the classifier over a subset is estimated from the samples that trained it. Leave-one-out
        predicts each sample by the classifier that the other samples train. For the majority table, if several classes
        tie there, the mean of their errors counts. In a state without other samples, the majority of all others is
        predicted. The third estimate is that of the papers, for the majority table alone. It predicts the first of the
        classes that tie, and in a new state the first of all. "5-fold" is cross-validation: each fold is predicted by
        the classifier that the other folds train. Other numbers of folds are written alike.
    holdout : exact number, optional
        The number of samples held out or, below 1, the fraction of all. If given, the risk is estimated on these
        samples, and the others train. It goes with ``estimate="resubstitution"`` alone.

    Source: Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> law = fs.selection_law(d, 4, fs.FOS(tau="1/20"))
    >>> [int(law[subset] * 40**4) for subset in ([], ["X1"], ["X2"], ["X1", "X2"])]
    [1267108, 579212, 433552, 280128]
    """

    def _merging(self, cardinalities: Sequence[int], m: int) -> Merging | None:
        """Return what two binary features need to be compared, and their label if both are dropped.

        Let a be allowed. A loss is a sum over groups of states, each time of the smaller one of two sums: of the
        positive contrasts, and of the negative ones. So whether it exceeds a depends on the contrasts up to a + 1. If
        only one feature is dropped, the label of a state is that of the larger sum, and the smaller one is at most a.
        If both are dropped, the label is the sign of the sum of all four. A contrast above a has neighbors above -a, so
        the odd states sum to at least -2 a if an even one is above a: the sum of the even ones matters up to 2 a + 1.
        """
        a = self.allowed(m)
        alone, binary = len(cardinalities) == 1, tuple(cardinalities) == (2, 2)
        return Merging(a + 1, 2 * a + 1 if binary else None) if alone or binary else None

    def reads_subsets(self, n: int) -> Sequence[int]:
        """Return the masks of the subsets that are compared: all features, and all features but one."""
        full = 2**n - 1
        return [full, *(full ^ 1 << i for i in range(n))]

    def decide(self, gains: Integers, m: int) -> Choice:
        """For each sample, choose each feature without which the errors rise by more than tau times m.

        `gains` has a row for each sample and a column for each subset, by mask. It is explained at `Method.decide`.
        """
        full = gains.shape[1] - 1
        masks = np.zeros(len(gains), dtype=np.int64)
        for i in range(full.bit_length()):
            masks |= (gains[:, full] - gains[:, full ^ 1 << i] > self.allowed(m)).astype(np.int64) << i
        return certain(masks)


@dataclass(frozen=True, kw_only=True, repr=False)
class FBS(_Backward):
    """Backward search on a sample: drop one feature after another, as long as the estimated risk rises by at most tau.

    `tau`, `inducer`, `estimate` and `holdout` are as in `FOS`. If several features can be dropped, ``ties="first"``
    drops the one that comes first, as printed, and ``ties="uniform"`` draws one of them.

    Source: Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> law = fs.selection_law(d, 4, fs.FBS(tau="1/20", ties="first"))
    >>> [int(law[subset] * 40**4) for subset in ([], ["X1"], ["X2"], ["X1", "X2"])]
    [991476, 579212, 709184, 280128]
    """

    ties: Ties = "first"

    def _merging(self, cardinalities: Sequence[int], m: int) -> Merging:
        """Return that contrasts above n times the allowed loss act alike.

        A feature is dropped only if, wherever its states are merged, the smaller one of the sums of the positive and of
        the negative contrasts is at most allowed. So a contrast above k + allowed becomes one above k. The last feature
        needs 1 + allowed, and the labels need 1.
        """
        return Merging(len(cardinalities) * self.allowed(m) + 1)

    def decide(self, gains: Integers, m: int) -> Choice:
        """For each sample, drop features one by one, as long as the errors rise by at most tau times m.

        `gains` has a row for each sample and a column for each subset, by mask. It is explained at `Method.decide`.
        """
        batch, full = len(gains), gains.shape[1] - 1
        n, allowed = full.bit_length(), self.allowed(m)
        rows, masks, shares = np.arange(batch), np.full(batch, full), _whole(batch, self.denominator(full + 1))
        for _ in range(n):
            spared = np.zeros((len(rows), n), dtype=bool)
            for i in range(n):
                held = np.flatnonzero(masks >> i & 1)
                loss = gains[rows[held], masks[held]] - gains[rows[held], masks[held] ^ 1 << i]
                spared[held, i] = loss <= allowed
            ways = spared.sum(axis=1)
            if not ways.any():
                break
            if self.ties == "first":
                masks = np.where(ways > 0, masks & ~(1 << spared.argmax(axis=1)), masks)
                continue
            ended, (at, feature) = np.flatnonzero(ways == 0), np.nonzero(spared)
            rows = np.concatenate([rows[ended], rows[at]])
            shares = np.concatenate([shares[ended], shares[at] // ways[at]])
            masks = np.concatenate([masks[ended], masks[at] & ~(1 << feature)])
            first, places = np.unique(rows << n | masks, return_index=True, return_inverse=True)[1:]
            joined = np.zeros(len(first), dtype=shares.dtype)  # several paths lead to a subset
            np.add.at(joined, places, shares)
            rows, masks, shares = rows[first], masks[first], joined
        return Choice(rows, masks, shares)

    def denominator(self, candidates: int) -> int:
        """Return a common multiple of the products of the numbers of features that can be spared, step by step.

        If ties are drawn, each choice has a probability with this denominator.
        """
        n = candidates.bit_length() - 1
        return 1 if self.ties == "first" else math.prod(math.lcm(*range(1, k + 1)) for k in range(1, n + 1))


@dataclass(frozen=True, kw_only=True, repr=False)
class _Wrapper(Method):
    """What the two methods of Ng share: the candidate that is right on most of the samples held out is taken."""

    ties: Ties = "first"
    holdout: Exact = "3/10"

    def decide(self, gains: Integers, m: int) -> Choice:
        """For each sample, choose the candidate that is right most often on the held-out samples.

        `gains` has a row for each sample and a column for each candidate. It is explained at `Method.decide`.
        """
        del m
        if self.ties == "first":
            return certain(gains.argmax(axis=1))
        rows, chosen = np.nonzero(gains == gains.max(axis=1, keepdims=True))
        ways = np.bincount(rows, minlength=len(gains))
        return Choice(rows, chosen, _whole(len(rows), self.denominator(gains.shape[1])) // ways[rows])

    def denominator(self, candidates: int) -> int:
        """Return a common multiple of all numbers of candidates that may tie: the denominator of the draws."""
        return 1 if self.ties == "first" else math.lcm(*range(1, candidates + 1))


@dataclass(frozen=True, kw_only=True, repr=False)
class StandardWrap(_Wrapper):
    """STANDARD-WRAP: train a table over every subset, and take the one with the fewest errors on held-out samples.

    `holdout` is the number of samples held out or, below 1, the fraction of all. If several tables have the fewest
    errors, ``ties="first"`` takes the smallest subset, and ``ties="uniform"`` draws one. With another `inducer`, which
    is as in `FOS`, it trains other classifiers in place of tables.
    Source: Ng (1998), Section 2.2 and Theorem 2.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])  # the class is X1, flipped with probability 3/10
    >>> fs.selection_law(d, 6, fs.StandardWrap(holdout=2, ties="first")).expected_regret * 5 / 2  # without the noise
    Fraction(62309, 160000)
    """

    def candidates(self, gains: Integers) -> Choice:
        """Return all subsets, ordered by size, as the candidates for each sample."""
        order = masks_by_size(gains.shape[1].bit_length() - 1)
        return certain(np.broadcast_to(order, gains.shape))


@dataclass(frozen=True, kw_only=True, repr=False)
class OrderedFS(_Wrapper):
    """ORDERED-FS: find the subset of each size with the fewest training errors, and select one of these subsets.

    It selects the subset with the fewest errors on held-out samples, which trained no table.

    `holdout` is the number of samples held out or, below 1, the fraction of all. `ties` decides twice: among subsets of
    one size with equally many training errors, and among the candidates with equally many errors on the held-out
    samples. "first" takes the smallest subset, "uniform" draws one. `inducer` is as in `FOS`.
    Source: Ng (1998), Section 3 and Theorem 3.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])  # the class is X1, flipped with probability 3/10
    >>> fs.selection_law(d, 6, fs.OrderedFS(holdout=2, ties="uniform")).expected_regret * 5 / 2  # without the noise
    Fraction(230179669, 614400000)
    """

    def candidates(self, gains: Integers) -> Choice:
        """For each sample and each size, return a subset with the fewest training errors, or all that tie.

        `gains` has a row for each sample and a column for each subset, by mask. A gain is explained at `Method.decide`.
        """
        n = gains.shape[1].bit_length() - 1
        order = masks_by_size(n)
        rows, shares = np.arange(len(gains)), _whole(len(gains), self.candidate_denominator(n))
        chosen = np.zeros((len(gains), 0), dtype=np.int64)
        for size in range(n + 1):
            group = order[sizes(order) == size]
            values = gains[:, group]
            if self.ties == "first":
                chosen = np.column_stack([chosen, group[values.argmax(axis=1)]])
                continue
            tied = values == values.max(axis=1, keepdims=True)
            at, place = np.nonzero(tied[rows])
            rows, shares = rows[at], shares[at] // tied.sum(axis=1)[rows[at]]
            chosen = np.column_stack([chosen[at], group[place]])
        return Choice(rows, chosen, shares)

    def draw_candidates(self, gains: Integers, *, rng: np.random.Generator) -> Integers:
        """For each sample and each size, draw one of the subsets with the fewest training errors uniformly."""
        if self.ties == "first":
            return self.candidates(gains).chosen
        order, drawn = masks_by_size(gains.shape[1].bit_length() - 1), []
        for size in range(gains.shape[1].bit_length()):  # all ways to choose at once may be more than memory holds
            group = order[sizes(order) == size]
            tied = gains[:, group] == gains[:, group].max(axis=1, keepdims=True)
            wanted = rng.integers(0, tied.sum(axis=1))
            drawn.append(group[(tied.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)])
        return np.column_stack(drawn)

    def candidate_denominator(self, n: int) -> int:
        """Return a common multiple of the products of the numbers of subsets that may tie, size by size."""
        if self.ties == "first":
            return 1
        return math.prod(math.lcm(*range(1, math.comb(n, size) + 1)) for size in range(n + 1))


@dataclass(frozen=True, kw_only=True, repr=False)
class NoSelection(Method):
    """No selection: the majority table, or what another `inducer` learns, over all features from all samples.

    Compare other methods with it, to see whether selection helps at all.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> law = fs.selection_law(d, 4, fs.NoSelection())
    >>> law[d.features], law.expected_risk
    (Fraction(1, 1), Fraction(5670519, 12800000))
    """

    def reads_subsets(self, n: int) -> Sequence[int]:
        """Return an empty list, because no subsets are compared."""
        del n
        return []

    def decide(self, gains: Integers, m: int) -> Choice:
        """Choose all features for each sample, whatever the gains."""
        del m
        return certain(np.full(len(gains), gains.shape[1] - 1))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PlugIn(ByParts, Method):
    """Any selection on known distributions, applied to the empirical distribution of a sample.

    Use it to study a selection of your own, or one of this library that takes a distribution, on finite samples.
    `select` takes a JointDistribution. It returns the names of features, or an object that has them as `features`.
    `name` is its name in results.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> law = fs.selection_law(d, 4, fs.PlugIn(select=fs.minimal_optimal, name="backward search"))
    >>> law.success, law.engine
    (Fraction(4377, 40000), 'counts')
    """

    select: Callable[[JointDistribution], Any] = field(repr=False)
    name: str = "plug-in"

    @property
    def _parts(self) -> Any:
        name, f = (self.name, self.inducer), self.select  # two partial functions of the same parts are not equal
        return (name, f.func, f.args, *f.keywords.items()) if isinstance(f, functools.partial) else (name, f)

    def __post_init__(self) -> None:
        super().__post_init__()
        repair = "pass a function of a distribution, fs.minimal_optimal say"
        require(callable(self.select), "select", "a function", self.select, repair, InvalidTypeError)

    @property
    def title(self) -> str:
        """What the selection is called."""
        return self._named(self.name)

    @functools.cached_property
    def reads(self) -> Reads:
        """The part of a sample that the selection needs: all counts."""
        return "counts" if self.inducer == "majority" else "parts"

    def decide(self, gains: Integers, m: int) -> Choice:
        """Raise an error: the selection of the user needs all counts, and not only the gains."""
        raise NotImplementedError("a plug-in selection reads counts")

    def subset(self, d: JointDistribution, counts: Integers) -> int:
        """Return the mask that is selected on the empirical distribution of a table of counts, with the names of d."""
        empirical = JointDistribution(counts, features=d.features, target=d.target, states=d.states)
        selected = self.select(empirical)
        subset: Subset = selected if isinstance(selected, str | Iterable) else getattr(selected, "features", selected)
        return mask_of(subset, d.features, "what select returns")


MethodLike: TypeAlias = Method | str
"""A method on samples, or the name of its class."""


def as_method(method: MethodLike) -> Method:
    """Return the method that is given, or the one of this name with its defaults: "FOS" is ``FOS()``."""
    kinds = {kind.__name__: kind for kind in (FBS, FOS, NoSelection, OrderedFS, StandardWrap)}
    if isinstance(method, str) and method not in kinds:
        raise unknown("method", method, kinds)
    repair = "pass 'FOS' or fs.FOS()"
    given = kinds[method]() if isinstance(method, str) else method
    return require_type(given, Method, "method", "a method on samples or the name of one", repair)


def require_question(d: DistributionLike, m: int, method: Method) -> int:
    """Return the number of samples, or refuse to ask what a method selects on so many of a distribution."""
    d = as_distribution(d)
    least = 1 if isinstance(method, PlugIn) else 0  # no sample has no empirical distribution
    number = as_index(m, "m", at_least=least)
    require(len(d.classes) > 1, "d", "a distribution with two classes or more", d, "here is nothing to predict")
    require_learnable(method.inducer, (*d.cardinalities, len(d.classes)))
    method.parts(number)
    return number


def decide(method: Method, d: JointDistribution, m: int, contrasts: Integers, counts: Integers | None) -> Choice:
    """Return what a method that holds nothing out chooses on some samples; `counts` only if the method reads them."""
    masks = method.reads_subsets(len(d.features))
    if method.reads == "contrasts" or counts is None:
        return method.decide(gains_of(contrasts, masks), m)
    if isinstance(method, PlugIn):
        return _plugged_in(method, d, counts)
    return decide_on_parts(method, d, counts[:, None])


def _plugged_in(method: PlugIn, d: JointDistribution, counts: Integers) -> Choice:
    """Return what the selection of a caller chooses on the empirical distribution of each sample."""
    return certain(np.array([method.subset(d, table) for table in counts], dtype=np.int64))


def decide_on_parts(
    method: Method, d: JointDistribution, parts: Integers, rng: np.random.Generator | None = None
) -> Choice:
    """Return what a method chooses on parts of samples, of shape (batch, parts, *cardinalities, classes).

    With `rng`, candidates that tie after training are drawn.
    """
    inducer, m, masks = method.inducer, int(parts[0].sum()), method.reads_subsets(len(d.features))
    if isinstance(method, PlugIn):
        return _plugged_in(method, d, parts[:, 0])
    wanted = range(2 ** len(d.features)) if masks is None else masks
    gains, common = gains_over(inducer, method.estimated_by, parts, wanted)
    if not method.holdout_size(m):
        return method.decide(gains, m * common)
    trained = gains
    if isinstance(method, OrderedFS):
        trained, _ = gains_over(inducer, "resubstitution", parts[:, :1], wanted)
    options = method.candidates(trained) if rng is None else certain(method.draw_candidates(trained, rng=rng))
    scores = np.take_along_axis(gains[options.rows], options.chosen, axis=1)
    found = method.decide(scores, method.holdout_size(m) * common)
    rows = options.rows[found.rows]
    return Choice(rows, options.chosen[found.rows, found.chosen], options.shares[found.rows] * found.shares)


def denominator_of(method: Method, n: int) -> int:
    """Return the common denominator of the shares of what a method decides in the end, with n features."""
    return method.denominator(n + 1 if isinstance(method, OrderedFS) else 2**n)


def learned_risks(
    method: Method, d: JointDistribution, samples: Integers, choice: Choice
) -> Iterator[tuple[int, Integers, list[int | str], Integers]]:
    """Yield each chosen subset, the rows of the choice that have it, the distinct risks there, and each row's place.

    The samples are parts of counts if the method reads parts, and otherwise the contrasts of the samples that train.
    The risks are those of the learned classifiers, times the total weight of d. They are texts if they may be
    fractions.
    """
    masks = np.unique(choice.chosen).tolist()
    if method.reads != "parts":
        for mask, marginal in marginals(samples, masks):
            at = np.flatnonzero(choice.chosen == mask)
            risks = risks_of(d, mask, labels_of(marginal[choice.rows[at]]))
            distinct, places = np.unique(risks, return_inverse=True)
            yield mask, at, [int(risk) for risk in distinct], places
        return
    trains = samples[:, :1] if method.holdout_size(int(samples[0].sum())) else samples.sum(axis=1, keepdims=True)
    for mask, marginal in over_subsets(trains, masks):
        at = np.flatnonzero(choice.chosen == mask)
        shares, whole = learn(method.inducer, marginal[choice.rows[at], 0])
        weights = d.weights.sum(axis=tuple(i for i in range(len(d.features)) if not mask >> i & 1))
        weights = weights.astype(np.int64 if d.total * whole < 2**62 else object)
        right = right_on(np.broadcast_to(weights, (len(at), *weights.shape)), shares)
        distinct, places = np.unique(d.total * whole - right, return_inverse=True)
        yield mask, at, [str(Fraction(int(risk), whole)) for risk in distinct], places
