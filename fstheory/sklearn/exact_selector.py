"""What the selectors share: rows are read, a method of the library selects on them, and what it returned is kept."""

from __future__ import annotations

import abc
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from fstheory._exact import as_fraction, as_index
from fstheory.distribution import JointDistribution, Label, Sample
from fstheory.distribution.constructors import encode, is_frame
from fstheory.distribution.variables import is_missing
from fstheory.errors import InvalidTypeError, InvalidValueError, MissingDependencyError, explain, show
from fstheory.samples import Method, SelectionLaw, selection_law

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

    def law_(self, m: int | None = None) -> SelectionLaw:
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
