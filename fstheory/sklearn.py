"""Selection by the relative certainty gain, which compares numbers as numbers."""

from __future__ import annotations

import abc
import functools
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index
from fstheory.distributions.build import Label, is_frame, is_missing
from fstheory.distributions.build import encode_rows as encode
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, Sample
from fstheory.errors import InvalidTypeError, InvalidValueError, MissingDependencyError, explain, require_choice, show
from fstheory.points.certainty import CertaintyGainSelection, select_by_certainty_gain
from fstheory.points.mixed import MixedPoints
from fstheory.samples.fitting import Fitted, fit
from fstheory.samples.law import Law, selection_law
from fstheory.samples.methods import FBS, FOS, Method, OrderedFS, PlugIn, StandardWrap
from fstheory.selection.greedy import CriterionLike, Selection, select
from fstheory.selection.scores import mrmr
from fstheory.selection.stopping import CMISelection, ErrorRule, StoppingRule, cmi_elimination, cmi_selection

__all__ = [
    "BackwardSearchSelector",
    "BayesGreedySelector",
    "CMISelector",
    "CertaintyGainSelector",
    "OneShotSelector",
    "WrapperSelector",
]


# -- What the selectors share: rows are read, a method of the library selects on them, and what it returned is kept.


try:
    from sklearn.base import BaseEstimator
    from sklearn.feature_selection import SelectorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingDependencyError(
        "fstheory.sklearn needs scikit-learn 1.6 or later; install it with: pip install '.[learn]' in the checkout of "
        "fstheory"
    ) from error

__all__ = ["ExactSelector", "ManyStatesWarning", "SampleSelector", "class_labels", "read_columns", "require_size"]
__all__ += ["seed_of"]

_MANY = 30  # numbers with a fraction that a column of categories may have, as in `Sample`
_ROWS_PER_STATE = 5  # with fewer rows in a state, what is most frequent there is mostly luck

_Coded = tuple[npt.NDArray[np.int64], Sequence[Label]]


class ManyStatesWarning(UserWarning):
    """A column has so many values that it was probably measured: each value is a state, so that it should be binned."""


class ExactSelector(SelectorMixin, BaseEstimator, abc.ABC):  # type: ignore[misc]
    """Base of the selectors: each fits by running a method of the library on the rows, and keeps what that returned.

    Attributes
    ----------
    result_ : Fitted, Selection, CMISelection or CertaintyGainSelection
        What the method returned: `print(selector.result_)` tells how it came to its choice.
    support_ : ndarray of bool
        Which columns were selected. `n_features_in_` and `feature_names_in_` are there as scikit-learn has them.

    Notes
    -----
    Rows and classes are checked as scikit-learn checks them, with its errors. `transform` only picks columns: values
    that were not seen before are passed on.

    Examples
    --------
    >>> from fstheory.sklearn import ExactSelector, OneShotSelector
    >>> isinstance(OneShotSelector(), ExactSelector)
    True
    """

    result_: Any
    support_: npt.NDArray[np.bool_]

    def fit(self, X: Any, y: Any) -> Self:
        """Select features on these rows.

        Parameters
        ----------
        X : DataFrame or two-dimensional array
            No value is missing.
        y : one-dimensional array
            The classes, two or more; for regression the numbers.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            As in scikit-learn: something is missing or infinite, lengths differ, `y` is continuous or one class; a
            parameter of the selector is not allowed.
        TooLargeError
            The method would look at too many subsets.

        Warns
        -----
        ManyStatesWarning
            Values are taken for states, and columns hold over 30 numbers with fractions, or fewer than 5 rows for each
            of their values.
        """
        if is_frame(X) and (missing := X.columns[X.isna().any()].tolist()):  # NumPy cannot compare pandas' NA
            raise InvalidValueError(f"Input X contains NaN, in the columns {missing}; drop these rows, or impute")
        if is_frame(X) and (times := [name for name, dtype in X.dtypes.items() if getattr(dtype, "kind", "") in "mM"]):
            raise InvalidTypeError(f"Input X contains times, in the columns {times}; make numbers or strings of them")
        rows, labels = validate_data(self, X, y, dtype=None)
        _require_unrounded(X, rows, "X")
        if not self._regression:
            _require_unrounded(y, labels, "y")
        names = [*getattr(self, "feature_names_in_", (f"x{i}" for i in range(rows.shape[1])))]
        self.result_ = self._choose(X if is_frame(X) else rows, names, labels, y)
        chosen = frozenset(self.result_.features)
        self.support_ = np.array([name in chosen for name in names])
        return self

    @abc.abstractmethod
    def _choose(self, table: Any, names: Sequence[str], labels: npt.NDArray[Any], y: Any) -> Any:
        """Return what the method of the library selects on a DataFrame or an array and the classes, read from y."""

    def inverse_transform(self, X: Any) -> Any:
        """Return rows with the columns selected in their places, and zeros in all others."""
        if self.get_support().any():
            return super().inverse_transform(X)
        return np.zeros((len(X), self.n_features_in_))  # scikit-learn refuses rows without columns

    @property
    def trace_(self) -> Sequence[Any]:
        """The steps of the method, in order; each says what the candidates were worth, exactly."""
        check_is_fitted(self)
        return tuple(self.result_.trace)

    @property
    def _regression(self) -> bool:
        """Whether the class is a number to be predicted."""
        return False

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = True
        return tags


class SampleSelector(ExactSelector):
    """Base of the selectors on discrete rows: each distinct value of a column is a state.

    Attributes
    ----------
    sample_ : Sample
        The rows that it was fitted to, the class last. The other attributes are those of `ExactSelector`.

    Notes
    -----
    Columns of strings, categories and objects are discrete as they are; the categories that a DataFrame declares are
    the states, in order. The order of the rows does not matter.

    `distribution_` and `law_` are methods, because scikit-learn reads every attribute to show an estimator.

    Examples
    --------
    >>> from fstheory.sklearn import OneShotSelector, SampleSelector
    >>> isinstance(OneShotSelector(), SampleSelector)
    True
    """

    sample_: Sample

    def _choose(self, table: Any, names: Sequence[str], labels: npt.NDArray[Any], y: Any) -> Any:
        columns, states = read_columns(table, names)
        wide = [name for name, (_, found) in zip(names, columns, strict=True) if _many(found, len(labels))]
        if wide:
            warnings.warn(
                f"each value is a state of its own, and there are very many in the columns {wide}: bin them first, by "
                "KBinsDiscretizer(encode='ordinal') in a pipeline, say",
                ManyStatesWarning,
                stacklevel=3,
            )
        columns.append(_numbers(y) if self._regression else _classes(labels))
        ones = np.ones(len(labels), dtype=np.int64)
        target = _target_name(y, names)
        self.sample_ = Sample._of_columns(columns, ones, [*names, target], keep_continuous=True, states=states)
        return self._select(self.sample_)

    def distribution_(self) -> JointDistribution:
        """Return the distribution of the rows: the probability of a combination is its share of them.

        Raises
        ------
        TooLargeError
            The table of all combinations does not fit in memory; ask ``selector.sample_.empirical(features)`` for few.
        """
        check_is_fitted(self)
        return self.sample_.empirical()

    def law_(self, m: int | None = None) -> Law[Fraction]:
        """Return the probability of every subset when this method selects on m rows drawn like those it was fitted to.

        The rows are drawn with replacement: it is the exact law of the bootstrap.

        Parameters
        ----------
        m : int, optional
            As many as it was fitted to, if not given.

        Raises
        ------
        TooLargeError
            There are too many tables of counts to go through; take a smaller m, or simulate with `fstheory.simulate`.
        """
        check_is_fitted(self)
        number = self.sample_.m if m is None else as_index(m, "m")
        return selection_law(self.distribution_(), number, self._method(number))

    @abc.abstractmethod
    def _select(self, sample: Sample) -> Any:
        """Return what the method of the library selects on a sample."""

    @abc.abstractmethod
    def _method(self, m: int) -> Method:
        """Return the method as one on m samples."""


def require_size(n_features_to_select: int, n: int) -> int:
    """Return how many of n columns are to be selected, or refuse it."""
    size = as_index(n_features_to_select, "n_features_to_select", at_least=1)
    if size > n:
        requirement = f"at most {n}, the number of columns"
        raise InvalidValueError(explain("n_features_to_select", requirement, size, "select fewer"))
    return size


def seed_of(random_state: Any) -> int:
    """Return the seed that a random state stands for: an int itself; of what else scikit-learn takes, one drawn."""
    if isinstance(random_state, int | np.integer):
        return as_index(random_state, "random_state")
    return int(check_random_state(random_state).randint(2**31 - 1))


def class_labels(labels: npt.NDArray[Any]) -> list[int | str]:
    """Return the class of each row as an int or a text, or refuse the classes."""
    places, classes = _classes(labels)
    named = [label if isinstance(label, str) or type(label) is int else str(label) for label in classes]
    return [named[place] for place in places]


def read_columns(table: Any, names: Sequence[str]) -> tuple[list[_Coded], dict[str, list[Label]]]:
    """Return the columns of an array or a DataFrame as positions among labels, and the categories declared.

    Of columns of objects those that hold something missing, or no labels, are refused.
    """
    coded: list[_Coded] = []
    states: dict[str, list[Label]] = {}
    for i, name in enumerate(names):
        column = table.iloc[:, i] if is_frame(table) else table[:, i]
        if hasattr(column.dtype, "categories"):
            states[name] = list(column.dtype.categories)
        coded.append(_coded(np.asarray(column), f"column {name!r} of X"))
    return coded, states


def _coded(values: npt.NDArray[Any], argument: str) -> _Coded:
    """Return one column as positions in the list of its distinct labels, and that list."""
    if values.dtype != object:
        labels, places = np.unique(values, return_inverse=True)
        return places, labels.tolist()
    try:
        codes, found = encode(values.tolist(), argument)
    except InvalidTypeError:  # in the words of scikit-learn
        kinds = ", ".join(sorted({type(value).__name__ for value in values}))
        requirement = f"each argument must be a string or a number in {argument}"
        raise InvalidTypeError(f"{requirement}, not some of {kinds}; use strings as names of the states") from None
    except InvalidValueError as error:
        if not any(map(is_missing, values)):
            raise
        raise InvalidValueError(f"Input X contains NaN or None, in {argument}; drop these rows, or impute") from error
    order = sorted(range(len(found)), key=lambda i: (type(found[i]).__name__, repr(found[i])))  # not that of the rows
    return np.argsort(order)[codes], [found[i] for i in order]


def _classes(labels: npt.NDArray[Any]) -> _Coded:
    """Return the classes as positions among them, sorted."""
    if labels.dtype == object and 0 < sum(isinstance(label, str) for label in labels) < len(labels):
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise InvalidTypeError(f"y must be of labels of one type, not of {kinds}; name the classes by strings")
    check_classification_targets(labels)
    classes, places = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        found = show(classes.tolist()[0])
        raise InvalidValueError(f"y must be of 2 classes or more, got 1 class: {found}; there is nothing to predict")
    return places, classes.tolist()


def _require_unrounded(given: Any, array: npt.NDArray[Any], name: str) -> None:
    """Refuse lists whose integers an array holds as floats that may be others."""
    if array.dtype.kind == "f" and not hasattr(given, "dtype") and not is_frame(given) and abs(array).max() >= 2**53:
        repair = "pass a DataFrame, or name them by strings"
        raise InvalidValueError(explain(name, "of integers below 2**53 where NumPy makes floats", given, repair))


def _numbers(y: Any) -> _Coded:
    """Return the numbers in y as positions among them, each as the fraction that it is."""
    listed = np.asarray(y, dtype=object).ravel().tolist()  # as it was given: an array may have rounded integers
    exact = [
        Fraction(*x.as_integer_ratio()) if isinstance(x, float | np.floating) else as_fraction(x, f"y[{i}]")
        for i, x in enumerate(int(x) if isinstance(x, bool | np.bool_) else x for x in listed)
    ]
    numbers = sorted(set(exact))
    place = {number: i for i, number in enumerate(numbers)}
    return np.array([place[number] for number in exact], dtype=np.int64), list(numbers)


def _target_name(y: Any, names: Sequence[str]) -> str:
    """Return the name of the class: that of a Series, or y."""
    given = getattr(y, "name", None)
    name = given if isinstance(given, str) and given.strip() else "y"
    while name in names:
        name += "_"
    return name


def _many(labels: Sequence[Label], rows: int) -> bool:
    """Say whether a column has so many values that it was probably measured."""
    if len(labels) > _MANY and sum(isinstance(x, float) and x != int(x) for x in labels) > len(labels) // 2:
        return True
    return len(labels) > 2 and _ROWS_PER_STATE * len(labels) > rows


# -- Backward search, one shot, wrappers, greedy search by any criterion, and walks by conditional mutual information.


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
        One of `fstheory.measures.criteria`, or the name of one that needs no parameter: 'logarithmic' orders subsets as
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


# -- Selection by the relative certainty gain, which compares numbers as numbers.


class CertaintyGainSelector(ExactSelector):
    """Forward selection by the relative certainty gain: the columns in which neighbors agree about the class.

    Numbers are compared as numbers, and need no bins.

    Parameters
    ----------
    graph : {'mst', '1nn'}
        The minimum spanning tree of the rows, or the graph that joins each row to its nearest neighbor.
    null : {'moments', 'exact', 'permutation', 'printed'}
        What decides between columns, and stops the walk where it gets no better: z with the exact mean and variance
        under permutation of the classes; the exact p-value, for two classes on a tree; the p-value in a sample of
        permutations; z as the paper prints it.
    n_features_to_select : int, optional
        Stop when so many are selected, if not before.
    categorical : list of str, optional
        The columns whose values are categories; if not given, those of texts, of Booleans, and categorical ones.
    numbers : {'4 deviations', 'deviation', 'range', 'none'}
        What differences of numbers are divided by.
    categories : {'overlap', 'vdm1', 'vdm2', 'vdm3', 'squared vdm'}
        How categories differ. All but the first look at the classes, so that only the printed z is defined.
    ties : {'first', 'refuse', 'all'}
        Where equal distances leave more than one graph, or rows coincide: pairs count as ordered by the places of
        their rows; an error; or, for '1nn', every nearest neighbor is joined.
    trials : int, default 999
        How many permutations are drawn, for 'permutation'.
    random_state : int, RandomState or None
        For 'permutation'. An int is the seed that `select_by_certainty_gain` takes as `rng`.

    Attributes
    ----------
    result_ : CertaintyGainSelection
        What `fstheory.points.select_by_certainty_gain` returns; each step of `trace_` holds its graph, whose `null` is
        the law under permutation.
    points_ : MixedPoints
        The rows under their distance. The other attributes are those of `ExactSelector`.

    Notes
    -----
    Distances of floats are floats, and so is which of two is shorter. With ``ties='first'`` the order of the rows
    decides where distances are equal, as they are between rows with the same values.

    References
    ----------
    Sebban and Nock (2002), Section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from fstheory.sklearn import CertaintyGainSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> selector = CertaintyGainSelector().fit(X, X[:, 3] > 0)
    >>> selector.get_feature_names_out()
    array(['x3'], dtype=object)
    >>> selector.trace_[0].gain.p_value < 1e-15
    True
    """

    def __init__(
        self,
        *,
        graph: Literal["mst", "1nn"] = "mst",
        null: Literal["moments", "exact", "permutation", "printed"] = "moments",
        n_features_to_select: int | None = None,
        categorical: Sequence[str] | None = None,
        numbers: str = "4 deviations",
        categories: str = "overlap",
        ties: Literal["first", "refuse", "all"] = "first",
        trials: int = 999,
        random_state: Any = None,
    ) -> None:
        self.graph = graph
        self.null = null
        self.n_features_to_select = n_features_to_select
        self.categorical = categorical
        self.numbers = numbers
        self.categories = categories
        self.ties = ties
        self.trials = trials
        self.random_state = random_state

    def _choose(self, table: Any, names: Sequence[str], labels: Any, y: Any) -> CertaintyGainSelection:
        del y
        if is_frame(table):
            table = table.set_axis([*names], axis=1)
        read_columns(table, names)  # refuses what scikit-learn does
        most = None if self.n_features_to_select is None else require_size(self.n_features_to_select, len(names))
        options: Any = {"categorical": self.categorical, "numbers": self.numbers, "categories": self.categories}
        self.points_ = MixedPoints(table, class_labels(labels), features=names, **options)
        walk: Any = {"graph": self.graph, "null": self.null, "ties": self.ties, "max_features": most}
        if self.null == "permutation":
            walk |= {"trials": self.trials, "rng": seed_of(self.random_state)}
        return select_by_certainty_gain(self.points_, **walk)
