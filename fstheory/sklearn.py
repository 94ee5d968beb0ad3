"""Selectors for scikit-learn. Each runs a method of the library on the rows and keeps its result."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import functools
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index
from fstheory._support.work import Workers
from fstheory.distributions.build import Label, is_missing
from fstheory.distributions.engines import collected
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.prepare import Bins, Missing, prepare, without_rows
from fstheory.distributions.rows import ROWS_PER_STATE, Data, Sample
from fstheory.distributions.tables import (
    Table,
    encode_rows as encode,
    is_any_frame,
    is_frame,
    range_edges,
    range_names,
    read_frame,
    row_counts,
)
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    MissingDependencyError,
    import_optional,
    install_hint,
    require,
    require_choice,
    show,
    warn_of,
)
from fstheory.lattice.importance import Importance, Kind
from fstheory.measures.criteria import as_criterion
from fstheory.measures.criterion import Criterion
from fstheory.points.certainty import CertaintyGainSelection, select_by_certainty_gain
from fstheory.points.mixed import MixedPoints
from fstheory.samples.design import DesignOptions
from fstheory.samples.fitting import Fitted, SupportedFeatures, fit, supported_features
from fstheory.samples.importance import importance
from fstheory.samples.law import Law, selection_law
from fstheory.samples.left_out import LeftOutLoss, left_out
from fstheory.samples.methods import FBS, FOS, Method, OrderedFS, PlugIn, StandardWrap
from fstheory.samples.relevance import Control, RelevantFeatures, relevant_features
from fstheory.selection.greedy import CriterionLike, Selection, Step, mrmr, select
from fstheory.selection.questions import Costs, best_questions
from fstheory.selection.stopping import CMISelection, StoppingRule, cmi_elimination, cmi_selection

try:
    import joblib
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.feature_selection import SelectorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingDependencyError(install_hint("fstheory.sklearn", "scikit-learn 1.7.2 or later", "learn")) from error

__all__ = [
    "BackwardSearchSelector", "BayesGreedySelector", "CMISelector", "CertaintyGainSelector",
    "ImportanceSelector", "ManyStatesWarning", "OneShotSelector", "QuestionTreeClassifier",
    "RelevantFeaturesSelector", "SupportedFeaturesSelector", "WrapperSelector",
]  # fmt: skip

_MANY = 30  # numbers with a fraction that a column of categories may have, as in `Sample`
_parameters = dataclasses.dataclass(kw_only=True, eq=False, repr=False)  # of an estimator, as scikit-learn has them
_Coded = tuple[npt.NDArray[np.int64], Sequence[Label]]


class ManyStatesWarning(UserWarning):
    """A column should be binned: it has more than 30 numbers with fractions, or fewer than 5 rows for each value."""


@_parameters
class _Parallel:
    """The parameter `n_jobs` of all selectors. It means the same as in joblib."""

    n_jobs: int | None = None

    @contextlib.contextmanager
    def _workers(self) -> Iterator[Workers]:
        """Yield the executor that joblib names. A Dask task that waits for other tasks leaves its place to them."""
        backend, count = joblib.parallel.get_active_backend()[0], joblib.effective_n_jobs(self.n_jobs)
        with backend.retrieval_context():
            if count > 1 and hasattr(backend, "client"):
                yield backend.client.get_executor()
            elif count > 1 and getattr(backend, "supports_sharedmem", False):
                yield functools.partial(ThreadPoolExecutor, count)
            else:
                yield count if isinstance(backend, tuple(joblib.parallel.BACKENDS.values())) else None


@_parameters
class _AtLeast:
    """The parameter `min_features` of the selectors that may keep no column."""

    min_features: int = 0


@_parameters
class _Prepared:
    """The parameters of all selectors on discrete rows that say how numbers and missing values become states."""

    bins: Bins | None = None
    missing: Missing | None = None


class ExactSelector(SelectorMixin, BaseEstimator, _Parallel, abc.ABC):  # type: ignore[misc]
    """The base class of the selectors. A selector runs a method of the library on the rows and keeps its result.

    `result_` is the result of the method, with the steps of its choice. `scores_` has an exact number for each column:
    its value in the first step. Forwards this is the value of the column alone, backwards the value of all other
    columns. `WrapperSelector` compares subsets and has no scores.

    `random_state` is an int, which is the seed that the method takes as `rng`, or anything else that scikit-learn
    accepts. `n_jobs` is the number of workers for long computations in `fit` and `law_`. With -1 it is the number of
    cores, and without a number `joblib.parallel_config` decides. The workers are processes, unless `parallel_config`
    names threads or Dask. No result depends on `n_jobs`.

    The next step of a pipeline refuses a table without columns. So selectors that may keep no column have the parameter
    `min_features`, the least number of columns (by default 0). If the method selects fewer columns, the best other
    columns are added with an `ArbitraryChoiceWarning`. The best are those with the best `scores_`; of equally good
    columns the first is added. `WrapperSelector` adds columns of the compared subset that has the least estimated risk
    among the subsets that are large enough. `result_` and `law_` describe the method without added columns.
    """

    result_: Any
    support_: npt.NDArray[np.bool_]
    scores_: npt.NDArray[Any]

    def fit(self, X: Any, y: Any) -> Self:
        """Select features.

        X is a DataFrame or an array without missing values. y has the class or number of each row.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, **about_rows: Any) -> Self:
        """Select features. `about_rows` has further values for each row."""
        X = _in_pandas(X)
        allowed = self._allows_missing
        if is_frame(X) and not allowed and (missing := X.columns[X.isna().any()].tolist()):  # NumPy cannot compare NA
            repair = "pass missing='label', or drop" if isinstance(self, SampleSelector) else "impute, or drop"
            raise InvalidValueError(f"Input X contains NaN, in the columns {missing}; {repair} these rows")
        refused = "mM" if getattr(self, "bins", None) is None else "m"  # bins make ranges of dates
        if is_frame(X) and (times := [name for name, kind in X.dtypes.items() if getattr(kind, "kind", "") in refused]):
            raise InvalidTypeError(f"Input X contains times, in the columns {times}; make numbers or strings of them")
        finite = "allow-nan" if allowed else True
        rows, labels = validate_data(self, _in_numpy(X), _in_numpy(y), dtype=None, ensure_all_finite=finite)
        _require_unrounded(X, rows, "X")
        if not self._regression:
            _require_unrounded(y, labels, "y")
        names = [*getattr(self, "feature_names_in_", (f"x{i}" for i in range(rows.shape[1])))]
        least = as_index(getattr(self, "min_features", 0), "min_features")
        require(least <= len(names), "min_features", f"at most {len(names)}, the number of columns", least, "lower it")
        self.result_ = self._choose(X if is_frame(X) else rows, names, labels, y, **about_rows)
        chosen = frozenset(self._kept())
        if added := [name for name in self._ranked(names, least) if name not in chosen][: max(0, least - len(chosen))]:
            few = f"fewer columns are selected, {len(chosen)}, than min_features={least}"
            warn_of([f"{few}: added are {', '.join(added)}, the best by the selector's own scores"])
        self.support_ = np.array([name in {*chosen, *added} for name in names])
        return self

    def _kept(self) -> Sequence[str]:
        """Return the columns that the method selects."""
        selected: Sequence[str] = self.result_.features
        return selected

    def _ranked(self, names: Sequence[str], least: int) -> list[str]:
        """Return the columns in the order in which they are added if fewer than `least` are selected."""
        del least
        worth = dict(zip(names, self.scores_, strict=True))
        known = [name for name in names if worth[name] is not None]
        unknown = [name for name in names if worth[name] is None]  # without a step they are as good
        return sorted(known, key=worth.__getitem__, reverse=self._larger_is_better) + unknown

    @property
    def _larger_is_better(self) -> bool:
        """Whether a larger score is better."""
        return True

    @abc.abstractmethod
    def _choose(self, table: Any, names: Sequence[str], labels: npt.NDArray[Any], y: Any, **about_rows: Any) -> Any:
        """Return the result of the method on a DataFrame or an array, with the classes that were read from y."""

    def _score(self, values: Iterable[Any]) -> None:
        """Keep the exact scores of the columns."""
        listed = list(values)
        self.scores_ = np.empty(len(listed), dtype=object)
        self.scores_[:] = listed

    def transform(self, X: Any) -> Any:
        """Return rows with the selected columns only."""
        X = _in_pandas(X)
        found = super().transform(_in_numpy(X))
        return X.loc[:, self.get_support()] if is_frame(found) and is_frame(X) else found

    def inverse_transform(self, X: Any) -> Any:
        """Return rows with the selected columns in their places, and zeros in all other columns."""
        if self.get_support().any():
            return super().inverse_transform(_in_numpy(X))
        return np.zeros((len(X), self.n_features_in_))  # scikit-learn refuses rows without columns

    @property
    def trace_(self) -> Sequence[Any]:
        """The steps of the method, in order, each with the exact values of its candidates."""
        check_is_fitted(self)
        return tuple(self.result_.trace)

    @property
    def _regression(self) -> bool:
        """Whether the class is a number to be predicted."""
        return False

    @property
    def _allows_missing(self) -> bool:
        """Whether columns may have missing values."""
        return False

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self._allows_missing
        return tags


class SampleSelector(_Prepared, ExactSelector):
    """The base class of the selectors on discrete rows. `sample_` has a state for each distinct value or category.

    `bins` puts numbers into ranges and `missing` says what to do with missing values, as in `Sample.from_frame`: with
    ``bins=4`` each column of measured numbers has a state for each quarter of the rows; ``missing="label"`` makes a
    state of the missing values of a column, and ``missing="drop"`` leaves rows with missing values out of `fit`.
    `transform` returns the selected columns as they are.
    """

    sample_: Sample

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select features.

        X is a DataFrame or an array without missing values. y has the class or number of each row. `sample_weight` has
        the number of times that each row counts: a row with the weight 3 stands for three equal rows. Weights that are
        not whole numbers are refused.
        """
        return self._fit(X, y, sample_weight=sample_weight)

    def _choose(
        self,
        table: Any,
        names: Sequence[str],
        labels: npt.NDArray[Any],
        y: Any,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        **_: Any,
    ) -> Any:
        prepared = self.bins is not None or self.missing is not None
        columns, states = (_read_frame if prepared else _read_columns)(table, names)
        times = _times(sample_weight, len(labels))
        total = int(times.sum())
        ready = zip(names, columns, strict=True) if self.bins is None else ()
        wide = [name for name, (_, found) in ready if _many(found, total)]
        if wide:
            warnings.warn(
                f"each value is a state of its own, and there are very many in the columns {wide}: pass bins=4, or bin "
                "them before",
                ManyStatesWarning,
                stacklevel=4,
            )
        columns.append(_numbers(y) if self._regression else _classes(labels))
        target, own = _target_name(y, names), []
        if groups is not None:
            numbers = np.unique(_for_each(groups, "groups", len(labels)), return_inverse=True)[1]
            columns.insert(-1, _coded(numbers, "groups"))
            own = [_free("groups", [*names, target])]
        rows = without_rows(Table((*names, *own, target), columns, times, states), times == 0)
        if prepared:
            rows = prepare(rows, self.bins, self.missing, kept=[*own, target])
            needed = "numbers or edges for a selector, which selects among the given columns"
            require(
                len(rows.names) == len(names) + len(own) + 1, "bins", needed, self.bins, "pass 4 for columns of dates"
            )
        whole = Sample._of_table(rows, None, keep_continuous=True)
        self.sample_ = whole.keep(names) if own else whole
        return self._select(whole)

    @property
    def _allows_missing(self) -> bool:
        return self.missing is not None

    # methods, because scikit-learn reads every attribute to show an estimator
    def distribution_(self) -> JointDistribution:
        """Return the distribution of the rows.

        If it does not fit in memory, use ``sample_.empirical`` of a few columns.
        """
        check_is_fitted(self)
        return self.sample_.empirical()

    def law_(self, m: int | None = None) -> Law[Fraction]:
        """Return the law of the selected subset if this method selects on m rows that are drawn from these rows."""
        check_is_fitted(self)
        number = self.sample_.m if m is None else as_index(m, "m")
        method = self._method(number)  # which may refuse, before the distribution is made
        with self._workers() as executor:
            return selection_law(self.distribution_(), number, method, executor=executor)

    @abc.abstractmethod
    def _select(self, sample: Sample) -> Any:
        """Return the result of the method on a sample."""

    @abc.abstractmethod
    def _method(self, m: int) -> Method:
        """Return the method on m samples that has a law."""

    def _score_first(self, trace: Sequence[Step]) -> None:
        """Keep the scores of the columns in the first step of a walk, if it made a step."""
        first = trace[0].candidates if trace else {}
        self._score(first.get(name) for name in self.sample_.features)


def _in_pandas(given: Any) -> Any:
    """Return a DataFrame of polars, pyarrow or another library that narwhals supports as one of pandas."""
    if is_frame(given) or not is_any_frame(given):
        return given
    return collected(given).to_pandas()


def _in_numpy(given: Any) -> Any:
    """Return a frame or a Series with the types of NumPy in place of others, which scikit-learn would make floats."""
    if is_frame(given) and not all(isinstance(dtype, np.dtype) for dtype in given.dtypes):
        columns = {i: given.iloc[:, i].to_numpy() for i in range(given.shape[1])}
        return type(given)(columns, index=given.index).set_axis(given.columns, axis="columns")
    if is_frame(given) or not hasattr(given, "isna") or isinstance(given.dtype, np.dtype):
        return given
    if given.isna().any():
        raise InvalidValueError("Input y contains NaN; drop these rows")
    return given.to_numpy()


def _require_size(n_features_to_select: Any, n: int) -> int:
    """Return the number of columns to select: by default half of the n columns. A float is a share of them."""
    if n_features_to_select is None:
        return max(1, n // 2)
    if isinstance(n_features_to_select, float | np.floating):
        share = as_fraction(str(n_features_to_select), "n_features_to_select", above=0, at_most=1)
        return max(1, int(share * n))
    size = as_index(n_features_to_select, "n_features_to_select", at_least=1)
    require(size <= n, "n_features_to_select", f"at most {n}, the number of columns", size, "select fewer")
    return size


def _seed_of(random_state: Any) -> int:
    """Return the seed of a random state. If it is no int, a seed is drawn from it."""
    if isinstance(random_state, int | np.integer):
        return as_index(random_state, "random_state")
    return int(check_random_state(random_state).randint(2**31 - 1))


def _class_labels(labels: npt.NDArray[Any]) -> list[int | str]:
    places, classes = _classes(labels)
    named = [label if isinstance(label, str) or type(label) is int else str(label) for label in classes]
    return [named[place] for place in places]


def _read_columns(table: Any, names: Sequence[str]) -> tuple[list[_Coded], dict[str, list[Label]]]:
    """Return the columns of an array or a DataFrame as positions in lists of labels, and the declared categories."""
    coded: list[_Coded] = []
    states: dict[str, list[Label]] = {}
    for i, name in enumerate(names):
        column = table.iloc[:, i] if is_frame(table) else table[:, i]
        if hasattr(column.dtype, "categories"):
            states[name] = list(column.dtype.categories)
        coded.append(_coded(np.asarray(column), f"column {name!r} of X"))
    return coded, states


def _read_frame(table: Any, names: Sequence[str]) -> tuple[list[_Coded], dict[str, list[Label]]]:
    """Return the columns of an array or a DataFrame as `Sample.from_frame` reads them. A missing value is None."""
    pandas = import_optional("pandas", "data", "bins= and missing=")
    frame = table if is_frame(table) else pandas.DataFrame(table, columns=names)
    *others, last = names  # which takes the place of a target
    read = read_frame(frame.set_axis([*names], axis="columns"), last, others, missing="label")
    return list(read.columns), {name: list(labels) for name, labels in read.states.items()}


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
    """Return the classes as positions in the sorted list of classes, and that list."""
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
    """Refuse lists of integers that an array would hold as rounded floats."""
    rounded = array.dtype.kind == "f" and not hasattr(given, "dtype") and not is_frame(given)
    fits = not rounded or not (abs(array) >= 2**53).any()
    repair = "pass a DataFrame, or name them by strings"
    require(fits, name, "of integers below 2**53 where NumPy makes floats", given, repair)


def _numbers(y: Any) -> _Coded:
    """Return the numbers in y as positions in the list of distinct numbers, which are exact fractions."""
    listed = np.asarray(y, dtype=object).ravel().tolist()  # as it was given: an array may have rounded integers
    exact = [
        Fraction(*x.as_integer_ratio()) if isinstance(x, float | np.floating) else as_fraction(x, f"y[{i}]")
        for i, x in enumerate(int(x) if isinstance(x, bool | np.bool_) else x for x in listed)
    ]
    numbers = sorted(set(exact))
    place = {number: i for i, number in enumerate(numbers)}
    return np.array([place[number] for number in exact], dtype=np.int64), list(numbers)


def _for_each(given: Any, argument: str, rows: int) -> npt.NDArray[Any]:
    """Return an argument that has a value for each row as an array."""
    values = np.asarray(given)
    require(values.shape == (rows,), argument, f"of shape ({rows},)", values.shape, "pass one value for each row")
    return values


def _times(sample_weight: Any, rows: int) -> npt.NDArray[Any]:
    """Return how often each row counts."""
    if sample_weight is None:
        return np.ones(rows, dtype=np.int64)
    times = row_counts(_for_each(sample_weight, "sample_weight", rows).tolist(), "sample_weight")
    require(times.any(), "sample_weight", "above zero for some row", 0, "drop it")
    return times


def _target_name(y: Any, names: Sequence[str]) -> str:
    """Return the name of the class: the name of a Series, or else "y"."""
    given = getattr(y, "name", None)
    return _free(given if isinstance(given, str) and given.strip() else "y", names)


def _free(name: str, names: Sequence[str]) -> str:
    """Return the name, with as many underscores as make it differ from the others."""
    while name in names:
        name += "_"
    return name


def _many(labels: Sequence[Label], rows: int) -> bool:
    """Return whether a column has so many values that it was probably measured."""
    if len(labels) > _MANY and sum(isinstance(x, float) and x != int(x) for x in labels) > len(labels) // 2:
        return True
    return len(labels) > 2 and ROWS_PER_STATE * len(labels) > rows


# -- The selectors.


class _Fitting(_AtLeast, SampleSelector):
    """A selector that fits a method to a sample, by `fstheory.fit`."""

    holdout: Any
    random_state: Any

    def _select(self, sample: Sample) -> Fitted:
        with self._workers() as executor:
            found = fit(sample, self._method(sample.m), rng=_seed_of(self.random_state), executor=executor)
        if not isinstance(self, WrapperSelector):
            risks = {step.dropped: step.estimate for step in found.trace}
            self._score(risks[name] for name in sample.features)
        return found

    def _held_out(self, m: int) -> Any:
        """Return the number of held-out rows. A share of m is rounded down, but at least one row is held out."""
        value = None if self.holdout is None else as_fraction(self.holdout, "holdout")
        return max(1, int(value * m)) if value is not None and 0 < value < 1 else value


@_parameters
class BackwardSearchSelector(_Fitting):
    """Backward search (FBS): start with all columns, and drop one as long as the estimated risk rises by at most tau.

    Parameters
    ----------
    tau, estimate, inducer, holdout, ties, random_state
        As in `fstheory.FBS`. A holdout below 1 is a share of the rows, rounded down. With many columns, use the
        estimate 'leave-one-out'. Inducers other than 'majority' take few columns.

    Examples
    --------
    >>> from fstheory.sklearn import BackwardSearchSelector
    >>> BackwardSearchSelector().fit([[0], [1]] * 9, [0, 1] * 9).law_(4)[{"x0"}]  # for samples of four rows
    Fraction(7, 8)
    """

    tau: Exact = "1/20"
    estimate: str = "resubstitution"
    inducer: Any = "majority"
    holdout: Exact | None = None
    ties: str = "first"
    random_state: Any = None

    def _method(self, m: int) -> Method:
        held = self._held_out(m)
        ties: Any = self.ties
        return FBS(tau=self.tau, ties=ties, estimate=self.estimate, inducer=self.inducer, holdout=held)


@_parameters
class OneShotSelector(_Fitting):
    """The one-shot method (FOS): keep each column whose removal alone raises the estimated risk by more than tau.

    The parameters are those of `BackwardSearchSelector`.

    Examples
    --------
    >>> from fstheory.sklearn import OneShotSelector
    >>> OneShotSelector().fit([["sun"], ["rain"]] * 9, ["dry", "wet"] * 9).get_support()
    array([ True])
    """

    tau: Exact = "1/20"
    estimate: str = "resubstitution"
    inducer: Any = "majority"
    holdout: Exact | None = None
    random_state: Any = None

    def _method(self, m: int) -> Method:
        held = self._held_out(m)
        return FOS(tau=self.tau, estimate=self.estimate, inducer=self.inducer, holdout=held)


@_parameters
class WrapperSelector(_Fitting):
    """The wrappers of Ng: the subset whose classifier makes the fewest errors on held-out rows.

    There may be at most 16 columns.

    Parameters
    ----------
    method : {'ordered', 'standard'}
        ORDERED-FS compares one subset of each size, the best one in training. STANDARD-WRAP compares all subsets.
    inducer, holdout, ties, random_state
        As in `fstheory.OrderedFS`. A holdout below 1 is a share of the rows, rounded down.

    Examples
    --------
    >>> from fstheory.sklearn import WrapperSelector
    >>> WrapperSelector(random_state=0).fit([[0], [1]] * 10, [0, 1] * 10).get_support()
    array([ True])
    """

    method: Literal["ordered", "standard"] = "ordered"
    inducer: Any = "majority"
    holdout: Exact = "3/10"
    ties: str = "first"
    random_state: Any = None

    def _method(self, m: int) -> Method:
        require_choice(self.method, "method", ("ordered", "standard"))
        kind: Callable[..., Method] = OrderedFS if self.method == "ordered" else StandardWrap
        return kind(inducer=self.inducer, holdout=self._held_out(m), ties=self.ties)

    def _ranked(self, names: Sequence[str], least: int) -> list[str]:
        enough = (step for step in self.result_.trace if len(step.subset) >= least)
        best = min(enough, key=lambda step: step.estimate).subset
        return [name for name in names if name in best]


@_parameters
class BayesGreedySelector(SampleSelector):
    """Greedy search by the Bayes risk or another criterion on the empirical distribution of the rows.

    Parameters
    ----------
    criterion : Criterion or str, default 'zero_one'
        As in `fstheory.select`. mRMR does not use it.
    search : {'greedy', 'score', 'mrmr'}
        'greedy' chooses column by column, 'score' judges each column alone, 'mrmr' is minimal redundancy and maximal
        relevance.
    direction : {'forward', 'backward'}
        The direction of greedy search.
    n_features_to_select : int or float, optional
        By default half of the columns. A float is a share of the columns, rounded down, but at least one column.

    Examples
    --------
    >>> from fstheory.sklearn import BayesGreedySelector
    >>> X, y = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]] * 5, [0, 1, 1, 0] * 5
    >>> print(BayesGreedySelector(n_features_to_select=1).fit(X, y).result_)
    x2 by greedy forward selection, 0-1 loss 1/4 = 0.25, on 20 samples
      1. x2 1/4 against x0 1/2, x1 1/2
    """

    criterion: CriterionLike = "zero_one"
    search: Literal["greedy", "score", "mrmr"] = "greedy"
    direction: Literal["forward", "backward"] = "forward"
    n_features_to_select: float | None = None

    def _select(self, sample: Sample) -> Selection:
        found = self._by(_require_size(self.n_features_to_select, len(sample.features)))(sample)
        self._score_first(found.trace)
        return found

    def _by(self, size: int) -> Callable[[Data], Selection]:
        """Return the search for so many columns, as a function of a sample or a distribution."""
        require_choice(self.search, "search", ("greedy", "score", "mrmr"))
        require_choice(self.direction, "direction", ("forward", "backward"))
        fits = self.direction == "forward" or self.search == "greedy"
        repair = "each column is judged alone: there is one direction" if self.search == "score" else "mRMR adds"
        require(fits, "direction", "'forward' unless search is 'greedy'", self.direction, repair)
        if self.search == "mrmr":
            return functools.partial(mrmr, k=size)
        method = "score" if self.search == "score" else f"greedy-{self.direction}"
        return functools.partial(select, k=size, criterion=self.criterion, method=method)  # type: ignore[arg-type]

    def _method(self, m: int) -> Method:
        del m
        return PlugIn(select=self._by(len(self.result_.features)), name=self.result_.method)


@_parameters
class ImportanceSelector(SampleSelector):
    """The columns of highest importance, such as the Shapley value. Each row is predicted by the others.

    Use it if you have to rank columns. A ranking by any importance that treats all columns alike can lose everything if
    2 to n - 2 of the n columns are kept (Theorem 5 of Chapter 12 of the textbook). If one column is kept, or all but
    one, the Shapley value can lose the share (n - 2)/(n - 1) of all there is (Theorem 7). `price_` says what the
    ranking loses on these rows.

    Selectors that compare subsets lose less. `WrapperSelector` compares all subsets, or one of each size.
    `BayesGreedySelector`, `BackwardSearchSelector` and `CMISelector` compare subsets step by step, and
    `SupportedFeaturesSelector` tests each step. There may be at most 18 columns.

    Parameters
    ----------
    kind : {'shapley', 'banzhaf', 'loco', 'alone', 'mci', 'least'}, or a sequence of weights
        As in `fstheory.importance`. 'alone' finds the best single column, 'loco' the column that is best left out.
    criterion : Criterion or str, default 'zero_one'
        As in `fstheory.importance`.
    n_features_to_select : int or float, optional
        By default half of the columns. A float is a share of the columns, rounded down, but at least one column. If
        columns tie for the last places, the first of them are kept, with an `ArbitraryChoiceWarning`.

    Attributes
    ----------
    result_ : Importance
        The importance of each column. `scores_` has its numbers. There are no steps, so `trace_` is empty.
    price_ : Price
        What the ranking loses on these rows against the best subset of the same size.

    Examples
    --------
    The class is the exclusive or of two bits. The first is in columns x0 and x1, the second in x2, x3 and x4. Columns
    x0 and x1 tell nothing about the class. They predict each row by the majority of the others, which is wrong here.

    >>> from fstheory.sklearn import ImportanceSelector
    >>> X, y = [[a, a, b, b, b] for a in (0, 1) for b in (0, 1)] * 5, [0, 1, 1, 0] * 5
    >>> found = ImportanceSelector(n_features_to_select=2).fit(X, y)
    >>> print(found.price_)
    the 2 features of highest importance, x0x1, lose 1 against x0x2
    """

    kind: Kind | Sequence[Exact] = "shapley"
    criterion: Criterion[Any] | str = "zero_one"
    n_features_to_select: float | None = None

    def _select(self, sample: Sample) -> Importance:
        size = _require_size(self.n_features_to_select, len(sample.features))
        found = importance(sample, self.kind, criterion=self.criterion)
        self._score(found.values())
        self.price_ = found.price(size)
        if self.price_.ties:
            last = _highest(found, size)[-1]
            tied = next(group for group in found.ranking() if last in group)
            repair = "criterion='logarithmic' or another kind may tell them apart"
            warn_of([f"{', '.join(tied)} tie for the last places, and their order decides: {repair}"])
        return found

    def _kept(self) -> Sequence[str]:
        return _highest(self.result_, self.price_.k)

    @property
    def trace_(self) -> Sequence[Any]:
        """The empty sequence, because a ranking has no steps."""
        check_is_fitted(self)
        return ()

    def _method(self, m: int) -> Method:
        ranked = functools.partial(_of_highest, m, self.price_.k, self.kind, self.criterion)
        return PlugIn(select=ranked, name=f"the {self.price_.k} of highest importance")


def _highest(found: Importance, k: int) -> tuple[str, ...]:
    """Return the k features of highest importance. If features tie for the last places, the first are taken."""
    return tuple(name for group in found.ranking() for name in group)[:k]


def _of_highest(m: int, k: int, kind: Any, criterion: Any, d: JointDistribution) -> tuple[str, ...]:
    """Return the k features of highest importance in a sample of m rows that has the empirical distribution d."""
    counts = {row: int(m * probability) for row, probability in d.to_pmf().items()}
    names: Any = {"features": d.features, "target": d.target, "states": d.states}
    return _highest(importance(Sample.from_counts(counts, keep_continuous=True, **names), kind, criterion=criterion), k)


@_parameters
class CMISelector(_AtLeast, SampleSelector):
    """Elimination or selection by conditional mutual information with the class, until a stopping rule ends it.

    Parameters
    ----------
    direction : {'backward', 'forward'}
        Remove the column with the least information about the class given the others, or add the column with the most.
    stop : StoppingRule, optional
        If not given, ``ErrorRule('1/10')``.
    problem, bound
        As in `fstheory.cmi_elimination`.

    Examples
    --------
    >>> from fstheory.sklearn import CMISelector
    >>> CMISelector().fit([[0], [1]] * 10, [0, 1] * 10).result_.features
    ('x0',)
    """

    direction: Literal["backward", "forward"] = "backward"
    stop: StoppingRule | None = None
    problem: Literal["classification", "regression"] = "classification"
    bound: Exact | None = None

    @property
    def _regression(self) -> bool:
        return bool(self.problem == "regression")

    def _select(self, sample: Sample) -> CMISelection:
        found = self._by()(sample)
        self._score_first(found.trace)
        return found

    def _by(self) -> Callable[[Data], CMISelection]:
        """Return the search, as a function of a sample or a distribution."""
        require_choice(self.direction, "direction", ("backward", "forward"))
        walk = cmi_elimination if self.direction == "backward" else cmi_selection
        return functools.partial(walk, stop=self.stop, problem=self.problem, bound=self.bound)

    def _method(self, m: int) -> Method:
        del m
        return PlugIn(select=self._by(), name=f"CMI {self.direction}")


@_parameters
class _ByPermutations(_AtLeast, SampleSelector):
    """The base class of the selectors that test columns against permuted classes."""

    _tested: ClassVar[str]
    """The attribute of the result that holds the tests."""
    always: Sequence[str] = ()
    together: Sequence[Sequence[str]] = ()

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Select features.

        X, y and `sample_weight` are those of `SampleSelector.fit`. `groups` has the group of each row, such as the
        person. Rows of one group need not be independent of each other.
        """
        return self._fit(X, y, sample_weight=sample_weight, groups=groups)

    def _design(self, sample: Sample) -> DesignOptions:
        """Return the design of the rows. The column of groups, if there is one, is the last."""
        groups = sample.features[-1] if sample is not self.sample_ else None
        return {"groups": groups, "always": self.always, "together": self.together}

    def _kept(self) -> Sequence[str]:
        parts = {" & ".join(names): names for names in self.together}
        return (*self.always, *(part for name in self.result_.features for part in parts.get(name, (name,))))

    @property
    def trace_(self) -> Sequence[Any]:
        """All steps or columns that were tested, with the verdicts."""
        check_is_fitted(self)
        tested: Sequence[Any] = getattr(self.result_, self._tested)
        return tested

    def _method(self, m: int) -> Method:
        raise InvalidValueError(
            f"law_ is not known of permutations that are drawn, for m = {m}; fit samples of its rows"
        )


@_parameters
class SupportedFeaturesSelector(_ByPermutations):
    """The columns that the rows support.

    A column is added as long as it does better than under permuted classes. Each row is predicted by the others.

    Parameters
    ----------
    criterion, familywise, permutations, merge, random_state, always, together
        As in `fstheory.samples.supported_features`, which has the same defaults. Groups of rows are passed to `fit`.

    Examples
    --------
    >>> from fstheory.sklearn import SupportedFeaturesSelector
    >>> X, y = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]] * 20, [0, 1, 1, 0] * 20
    >>> print(SupportedFeaturesSelector(random_state=0).fit(X, y).get_support())
    [ True  True False]
    """

    _tested = "steps"
    criterion: Criterion[Any] | str = "logarithmic"
    familywise: Exact = "1/20"
    permutations: int = 9999
    merge: bool = False
    random_state: Any = None

    @property
    def _larger_is_better(self) -> bool:
        return as_criterion(self.criterion).larger_is_better

    def _select(self, sample: Sample) -> SupportedFeatures:
        judge = left_out(self.sample_, self.criterion)
        self._score(judge.value(self.sample_.cells({name})) for name in self.sample_.features)
        options: Any = {"criterion": self.criterion, "familywise": self.familywise, "permutations": self.permutations}
        with self._workers() as executor:
            options |= {"merge": self.merge, "executor": executor, **self._design(sample)}
            return supported_features(sample, rng=_seed_of(self.random_state), **options)


@_parameters
class RelevantFeaturesSelector(_ByPermutations):
    """All columns that tell something about the class, alone or beside one other column.

    Use it to keep every column that is worth a look, and no noise. `SupportedFeaturesSelector` keeps a small set.

    Parameters
    ----------
    familywise, permutations, control, random_state, always, together
        As in `fstheory.samples.relevant_features`, which has the same defaults. Groups of rows are passed to `fit`.

    Examples
    --------
    >>> from fstheory.sklearn import RelevantFeaturesSelector
    >>> X, y = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]] * 20, [0, 1, 1, 0] * 20
    >>> print(RelevantFeaturesSelector(random_state=0).fit(X, y).get_support())
    [ True  True  True]
    """

    _tested = "columns"
    familywise: Exact = "1/20"
    permutations: int = 19_999
    control: Control = "familywise"
    random_state: Any = None

    def _select(self, sample: Sample) -> RelevantFeatures:
        options: Any = {"familywise": self.familywise, "permutations": self.permutations, "control": self.control}
        options |= self._design(sample)
        found = relevant_features(sample, rng=_seed_of(self.random_state), **options)
        p = {column.feature: 1 if column.p is None else column.p for column in found.columns}
        joined = {part: " & ".join(names) for names in self.together for part in names}
        self._score(p[joined.get(name, name)] for name in self.sample_.features)
        return found

    @property
    def _larger_is_better(self) -> bool:
        return False


@_parameters
class CertaintyGainSelector(_AtLeast, ExactSelector):
    """Forward selection by the relative certainty gain: it looks for columns in which neighbors agree about the class.

    Parameters
    ----------
    graph, null, ties, familywise, trials, random_state
        As in `fstheory.points.select_by_certainty_gain`, with two differences. If distances are equal, ``ties='first'``
        takes the row that stands first. A familywise of 1/20 keeps no column in at least 19 of 20 tables of pure noise.
        With None, the first column is always taken, as in the paper.
    n_features_to_select : int or float, optional
        The largest number of columns, or a share of the columns.
    categorical : list of str, optional
        The columns whose values are categories. By default these are columns of texts, of Booleans, and of the
        categorical type.
    numbers, categories
        How differences of numbers and of categories are measured, as in `fstheory.points.MixedPoints`. The points are
        kept as `points_`.

    Examples
    --------
    >>> import numpy as np
    >>> from fstheory.sklearn import CertaintyGainSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> CertaintyGainSelector().fit(X, X[:, 3] > 0).result_.features
    ('x3',)
    """

    graph: Literal["mst", "1nn"] = "mst"
    null: Literal["moments", "exact", "permutation", "printed", "Z"] = "moments"
    n_features_to_select: float | None = None
    categorical: Sequence[str] | None = None
    numbers: str = "4 deviations"
    categories: str = "overlap"
    ties: Literal["first", "refuse", "all"] = "first"
    familywise: Exact | None = "1/20"
    trials: int = 999
    random_state: Any = None

    def _choose(self, table: Any, names: Sequence[str], labels: Any, y: Any, **_: Any) -> CertaintyGainSelection:
        del y
        if is_frame(table):
            table = table.set_axis([*names], axis=1)
        _read_columns(table, names)  # refuses what scikit-learn does
        most = None if self.n_features_to_select is None else _require_size(self.n_features_to_select, len(names))
        options: Any = {"categorical": self.categorical, "numbers": self.numbers, "categories": self.categories}
        self.points_ = MixedPoints(table, _class_labels(labels), features=names, **options)
        walk: Any = {"graph": self.graph, "null": self.null, "ties": self.ties, "max_features": most}
        walk["familywise"] = self.familywise
        if self.null == "permutation" or self.familywise is not None:
            walk |= {"trials": self.trials, "rng": _seed_of(self.random_state)}
        with self._workers() as executor:
            found = select_by_certainty_gain(self.points_, executor=executor, **walk)
        self._score(found.trace[0].rivals[name] for name in names)
        return found


# -- A classifier that asks one question after another.


@_parameters
class QuestionTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree that asks for one column after another, at a price. No tree of as many questions does better.

    The tree minimizes the share of wrong rows plus the mean cost of the questions, over all trees with at most `budget`
    questions. Each row is predicted by the majority of the other rows that gave the same answers. So a question must
    help rows that did not decide the prediction. Of several best trees, one with the fewest questions is taken.

    The tree is the best of very many, so `policy_.risk` is too small for new rows: use cross-validation.

    Parameters
    ----------
    budget : int, optional
        The largest number of questions for one row. With None, the computation goes through all subsets of the columns.
    costs : mapping from columns to exact numbers, or one exact number for each column, optional
        The cost of a question. A wrong prediction costs 1. Columns that are not named cost nothing.
    bins : int
        Numbers of more than `bins` values are grouped into this many ranges of about equally many rows.

    Attributes
    ----------
    policy_ : QuestionPolicy
        The tree, as `fstheory.best_questions` returns it.
    classes_, counts_ : arrays
        The classes, and how often each of them occurred among the training rows at each node of the tree. A new row
        with an answer that no training row gave is judged by the node where this answer is missing.

    Examples
    --------
    >>> from fstheory.sklearn import QuestionTreeClassifier
    >>> X, y = [["no", "low"], ["no", "high"], ["yes", "low"], ["yes", "high"]] * 5, [0, 0, 0, 1] * 5
    >>> found = QuestionTreeClassifier(costs="1/10").fit(X, y)
    >>> print(found.policy_)
    best policy with at most 2 questions: 0-1 loss, each row predicted by the others 0, expected cost 3/20 = 0.15, 3/2 = 1.5 questions on average
      ask x0 or x1 (100%)
        no: 0 (50%)
        yes: ask x1 (50%)
          high: 1 (25%)
          low: 0 (25%)
    asked: x0 100%, x1 50%
    >>> found.predict([["yes", "high"]])
    array([1])
    """  # noqa: E501

    budget: int | None = 3
    costs: Costs | None = None
    bins: int = 4

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree. X is a DataFrame or an array without missing values. y has the class of each row."""
        rows, labels = validate_data(self, _in_numpy(_in_pandas(X)), _in_numpy(y), dtype=None)
        names = [*getattr(self, "feature_names_in_", (f"x{i}" for i in range(rows.shape[1])))]
        target, classes = _target_name(y, names), _classes(labels)
        least, self.classes_ = as_index(self.bins, "bins", at_least=2), np.unique(labels)
        self._edges = [range_edges(column, least) for column in rows.T]
        columns = [_coded(self._answers(rows, i), f"column {name!r} of X") for i, name in enumerate(names)]
        ranges = {name: range_names(edges) for name, edges in zip(names, self._edges, strict=True) if edges}
        table = Table((*names, target), [*columns, classes], _times(None, len(rows)), ranges)
        s = Sample._of_table(table, None, keep_continuous=True)
        self.policy_ = best_questions(s.empirical(), LeftOutLoss.of(s), budget=self.budget, costs=self.costs)
        count = functools.partial(np.bincount, minlength=len(self.classes_))
        self.counts_ = np.array([count(classes[0][below]) for below in self._reached(rows)])
        return self

    def _answers(self, rows: npt.NDArray[Any], i: int) -> npt.NDArray[Any]:
        """Return the state of a column in each row."""
        found, edges = np.asarray(rows[:, i]), self._edges[i]
        return np.array(range_names(edges))[np.searchsorted(edges, found)] if edges else found

    def _reached(self, rows: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        """Return the rows that reach each node of the tree."""
        names = self.policy_.distribution.features
        return self.policy_.reached(len(rows), functools.cache(lambda name: self._answers(rows, names.index(name))))

    def predict_proba(self, X: Any) -> npt.NDArray[Any]:
        """Return, for each row, the shares of the classes among the training rows with the same answers."""
        check_is_fitted(self)
        rows = validate_data(self, _in_numpy(_in_pandas(X)), dtype=None, reset=False)
        counts = np.zeros((len(rows), len(self.classes_)))
        for own, below in zip(self.counts_, self._reached(rows), strict=True):  # a node comes before those below it
            counts[below] = own
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most frequent class among the training rows with the same answers, or the first of several."""
        return np.asarray([self.classes_[place] for place in self.predict_proba(X).argmax(axis=1)])
