"""Backward search, one shot, wrappers, greedy search by any criterion, and walks by conditional mutual information."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

from fstheory._exact import Exact, as_fraction
from fstheory.distribution import Data, Sample
from fstheory.errors import InvalidValueError, explain, require_choice
from fstheory.samples import FBS, FOS, Fitted, Method, OrderedFS, PlugIn, StandardWrap, fit
from fstheory.selection import (
    CMISelection,
    ErrorRule,
    Selection,
    StoppingRule,
    cmi_elimination,
    cmi_selection,
    mrmr,
    select,
)
from fstheory.selection.set_functions import CriterionLike
from fstheory.sklearn.exact_selector import SampleSelector, require_size, seed_of

__all__ = ["BackwardSearchSelector", "BayesGreedySelector", "CMISelector", "OneShotSelector", "WrapperSelector"]


def held_out(holdout: Any, m: int) -> Any:
    """Return how many of m rows a fraction holds out, rounded down to a whole number of at least one."""
    value = as_fraction(holdout, "holdout")
    return max(1, int(value * m)) if 0 < value < 1 else value


class _Fitting(SampleSelector):
    """A selector that fits a method to a sample, by `fstheory.fit`."""

    random_state: Any

    def _select(self, sample: Sample) -> Fitted:
        return fit(sample, self._method(sample.m), rng=seed_of(self.random_state))


class OneShotSelector(_Fitting):
    """The one-shot method (FOS): keep each column without which alone the estimated risk rises by more than tau.

    Parameters
    ----------
    tau : exact number, default '1/20'
        Above 0; a string, an int or a Fraction, no float.
    estimate : {'resubstitution', 'leave-one-out'}
        Of the risk of the majority table over some columns. With many columns take leave-one-out: on the rows
        themselves a table that knows each row is always right.
    holdout : exact number, optional
        Estimate the risk on rows held out instead: their number, or, below 1, their share, rounded down.
    random_state : int, RandomState or None
        For rows held out. An int is the seed that `fstheory.fit` takes as `rng`.

    Attributes
    ----------
    result_ : Fitted
        What `fstheory.fit` returns for `fstheory.FOS`; the other attributes are those of `SampleSelector`.

    References
    ----------
    Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> from fstheory.sklearn import OneShotSelector
    >>> X = [["sun", 1], ["sun", 2], ["rain", 1], ["rain", 2], ["rain", 1], ["sun", 1]]
    >>> selector = OneShotSelector(tau="1/10").fit(X, ["dry", "dry", "wet", "wet", "wet", "dry"])
    >>> selector.get_support()
    array([ True, False])
    >>> [(step.dropped, step.estimate) for step in selector.trace_]
    [('x0', Fraction(1, 2)), ('x1', Fraction(0, 1))]
    """

    def __init__(
        self,
        *,
        tau: Exact = "1/20",
        estimate: str = "resubstitution",
        holdout: Exact | None = None,
        random_state: Any = None,
    ) -> None:
        self.tau = tau
        self.estimate = estimate
        self.holdout = holdout
        self.random_state = random_state

    def _method(self, m: int) -> Method:
        held = None if self.holdout is None else held_out(self.holdout, m)
        return FOS(tau=self.tau, ties="first", estimate=self.estimate, holdout=held)  # type: ignore[arg-type]


class BackwardSearchSelector(_Fitting):
    """Backward search (FBS): from all columns on, drop one while the estimated risk rises by at most tau.

    Parameters
    ----------
    tau : exact number, default '1/20'
        Above 0; a string, an int or a Fraction, no float.
    estimate : {'resubstitution', 'leave-one-out'}
        Of the risk of the majority table over some columns. With many columns take leave-one-out: on the rows
        themselves a table that knows each row is always right.
    holdout : exact number, optional
        Estimate the risk on rows held out instead: their number, or, below 1, their share, rounded down.
    ties : {'first', 'uniform'}
        Which of several columns that can be dropped is: the first, as printed, or one drawn among them.
    random_state : int, RandomState or None
        For rows held out and columns drawn. An int is the seed that `fstheory.fit` takes as `rng`.

    Attributes
    ----------
    result_ : Fitted
        What `fstheory.fit` returns for `fstheory.FBS`; the other attributes are those of `SampleSelector`.

    References
    ----------
    Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> from fstheory.sklearn import BackwardSearchSelector
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5
    >>> selector = BackwardSearchSelector(tau="1/10").fit(X, y)
    >>> print(selector.result_)
    FBS on 20 samples: x0x1, estimated risk 0
      without x0 (x1): 1/2, kept
      without x1 (x0): 1/2, kept
    >>> selector.law_(4)[{"x0", "x1"}]  # with four rows drawn from these
    Fraction(21, 32)
    """

    def __init__(
        self,
        *,
        tau: Exact = "1/20",
        estimate: str = "resubstitution",
        holdout: Exact | None = None,
        ties: str = "first",
        random_state: Any = None,
    ) -> None:
        self.tau = tau
        self.estimate = estimate
        self.holdout = holdout
        self.ties = ties
        self.random_state = random_state

    def _method(self, m: int) -> Method:
        held = None if self.holdout is None else held_out(self.holdout, m)
        return FBS(tau=self.tau, ties=self.ties, estimate=self.estimate, holdout=held)  # type: ignore[arg-type]


class WrapperSelector(_Fitting):
    """The wrappers of Ng: the majority table over some columns that makes the fewest errors on rows held out.

    Parameters
    ----------
    method : {'ordered', 'standard'}
        ORDERED-FS, where the rows held out decide among one subset of each size, the best in training; or
        STANDARD-WRAP, where they decide among all subsets.
    holdout : exact number, default '3/10'
        How many rows are held out or, below 1, which share, rounded down.
    ties : {'first', 'uniform'}
        Which of several subsets with equally many errors: the smallest and first, or one drawn among them.
    random_state : int, RandomState or None
        An int is the seed that `fstheory.fit` takes as `rng`.

    Attributes
    ----------
    result_ : Fitted
        What `fstheory.fit` returns: its `training` are the rows not held out. The other attributes are those of
        `SampleSelector`.

    Notes
    -----
    All subsets are looked at: at most 16 columns.

    References
    ----------
    Ng (1998), Sections 2.2 and 3.

    Examples
    --------
    >>> from fstheory.sklearn import WrapperSelector
    >>> X, y = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]] * 10, [0, 1, 1, 0] * 10
    >>> WrapperSelector(random_state=0).fit(X, y).get_support()
    array([ True,  True, False])
    """

    def __init__(
        self,
        *,
        method: Literal["ordered", "standard"] = "ordered",
        holdout: Exact = "3/10",
        ties: str = "first",
        random_state: Any = None,
    ) -> None:
        self.method = method
        self.holdout = holdout
        self.ties = ties
        self.random_state = random_state

    def _method(self, m: int) -> Method:
        require_choice(self.method, "method", ("ordered", "standard"))
        kind: Callable[..., Method] = OrderedFS if self.method == "ordered" else StandardWrap
        return kind(holdout=held_out(self.holdout, m), ties=self.ties)


class BayesGreedySelector(SampleSelector):
    """Greedy search by the Bayes risk or any other criterion, of the empirical distribution of the rows.

    Parameters
    ----------
    criterion : Criterion or str, default 'zero_one'
        One of `fstheory.criteria`, or the name of one that needs no parameter: 'logarithmic' orders subsets as
        mutual information does. Not used by mRMR.
    search : {'greedy', 'score', 'mrmr'}
        Column by column; each column judged alone; or minimal redundancy and maximal relevance.
    direction : {'forward', 'backward'}
        Of greedy search: add the best column, or drop the one without which the rest is best.
    n_features_to_select : int, optional
        Half of the columns, rounded down but at least one, if not given.

    Attributes
    ----------
    result_ : Selection
        What `fstheory.select` or `fstheory.selection.mrmr` returns: its features are in the order in which they were
        chosen. The other attributes are those of `SampleSelector`.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Algorithm 1 and Section 4; Peng, Long and Ding (2005).

    Examples
    --------
    >>> from fstheory.sklearn import BayesGreedySelector
    >>> X, y = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]] * 5, [0, 1, 1, 0] * 5
    >>> selector = BayesGreedySelector(n_features_to_select=2).fit(X, y)
    >>> print(selector.result_)
    x2, x0 by greedy forward selection, 0-1 loss 1/4 = 0.25, on 20 samples
      1. x2 1/4 against x0 1/2, x1 1/2
      2. x0 1/4 against x1 the same
      ties, where the order of the features decided: step 2 (x0, x1)
    >>> BayesGreedySelector(n_features_to_select=2, direction="backward").fit(X, y).get_support()
    array([ True,  True, False])
    """

    def __init__(
        self,
        *,
        criterion: CriterionLike = "zero_one",
        search: Literal["greedy", "score", "mrmr"] = "greedy",
        direction: Literal["forward", "backward"] = "forward",
        n_features_to_select: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.search = search
        self.direction = direction
        self.n_features_to_select = n_features_to_select

    def _select(self, sample: Sample) -> Selection:
        return self._by(self._size(len(sample.features)))(sample)

    def _size(self, n: int) -> int:
        """Return how many of n columns are selected, or refuse it."""
        if self.n_features_to_select is None:
            return max(1, n // 2)
        return require_size(self.n_features_to_select, n)

    def _by(self, size: int) -> Callable[[Data], Selection]:
        """Return the search for so many columns, as a function of a sample or a distribution."""
        require_choice(self.search, "search", ("greedy", "score", "mrmr"))
        require_choice(self.direction, "direction", ("forward", "backward"))
        if self.direction == "backward" and self.search != "greedy":
            repair = "each column is judged alone: there is one direction" if self.search == "score" else "mRMR adds"
            raise InvalidValueError(explain("direction", "'forward' unless search is 'greedy'", "backward", repair))
        if self.search == "mrmr":
            return functools.partial(mrmr, k=size)
        method = "score" if self.search == "score" else f"greedy-{self.direction}"
        return functools.partial(select, k=size, criterion=self.criterion, method=method)  # type: ignore[arg-type]

    def _method(self, m: int) -> Method:
        del m
        return PlugIn(select=self._by(len(self.result_.features)), name=self.result_.method)


class CMISelector(SampleSelector):
    """Elimination or selection by conditional mutual information with the class, until a stopping rule says enough.

    Parameters
    ----------
    direction : {'backward', 'forward'}
        Remove the column that tells least about the class given the others, or add the one that tells most.
    stop : StoppingRule, optional
        `fstheory.selection.ErrorRule`, `FeatureScoreRule`, `ScoreDifferenceRule` or `FeatureCountRule`; if not given,
        ``ErrorRule('1/10')``: the error may be at most 1/10 above that of all columns.
    problem : {'classification', 'regression'}
        Whether the error is that of predicting a class, or the mean squared error of predicting the number `y`.
    bound : exact number, optional
        For regression, B with ``|y| <= B``; the largest ``|y|`` there is, if not given.

    Attributes
    ----------
    result_ : CMISelection
        What `fstheory.cmi_elimination` or `fstheory.cmi_selection` returns, with the bounds on the error. The other
        attributes are those of `SampleSelector`.

    Notes
    -----
    Informations and errors are those of the empirical distribution of the rows. In regression the numbers in `y` are
    taken for the fractions that they are.

    References
    ----------
    Beraha et al. (2019), Sections IV and VI.

    Examples
    --------
    >>> from fstheory.selection import FeatureCountRule
    >>> from fstheory.sklearn import CMISelector
    >>> X, y = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]] * 5, [0, 1, 1, 0] * 5
    >>> CMISelector().fit(X, y).get_support()
    array([ True,  True, False])
    >>> CMISelector(direction="forward", stop=FeatureCountRule(1)).fit(X, y).result_.features
    ('x2',)
    """

    def __init__(
        self,
        *,
        direction: Literal["backward", "forward"] = "backward",
        stop: StoppingRule | None = None,
        problem: Literal["classification", "regression"] = "classification",
        bound: Exact | None = None,
    ) -> None:
        self.direction = direction
        self.stop = stop
        self.problem = problem
        self.bound = bound

    @property
    def _regression(self) -> bool:
        return bool(self.problem == "regression")

    def _select(self, sample: Sample) -> CMISelection:
        return self._by()(sample)

    def _by(self) -> Callable[[Data], CMISelection]:
        """Return the search, as a function of a sample or a distribution."""
        require_choice(self.direction, "direction", ("backward", "forward"))
        walk = cmi_elimination if self.direction == "backward" else cmi_selection
        stop = ErrorRule(Fraction(1, 10)) if self.stop is None else self.stop
        return functools.partial(walk, stop=stop, problem=self.problem, bound=self.bound)

    def _method(self, m: int) -> Method:
        del m
        return PlugIn(select=self._by(), name=f"CMI {self.direction}")
