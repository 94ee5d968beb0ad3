"""One call for one subset, one for all of them, with any criterion, by object or by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from fstheory.criteria.criterion import Criterion
from fstheory.criteria.losses import balanced, zero_one
from fstheory.criteria.probabilities import gini, logarithmic, squared_error
from fstheory.criteria.ranking import auc, f_measure
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, explain, unknown
from fstheory.subsets import Subset
from fstheory.table import SubsetTable

__all__ = ["CRITERIA", "as_criterion", "criterion_value", "criterion_values"]

CRITERIA: Mapping[str, Callable[[], Criterion[Any]]] = MappingProxyType(
    {
        "zero_one": zero_one,
        "balanced": balanced,
        "logarithmic": logarithmic,
        "squared_error": squared_error,
        "gini": gini,
        "f_measure": f_measure,
        "auc": auc,
    }
)
"""The criteria that need no parameter, by name."""


def as_criterion(criterion: Criterion[Any] | str) -> Criterion[Any]:
    """Return the criterion of this name, or the one that is given.

    Raises
    ------
    UnknownNameError
        No criterion without parameters has this name.
    InvalidTypeError
        It is neither a name nor a criterion.

    Examples
    --------
    >>> print(as_criterion("zero_one"))
    0-1 loss
    """
    if isinstance(criterion, Criterion):
        return criterion
    if not isinstance(criterion, str):
        raise InvalidTypeError(
            explain("criterion", "a criterion or the name of one", criterion, "pass 'zero_one' or criteria.zero_one()")
        )
    if criterion not in CRITERIA:
        raise unknown("criterion", criterion, CRITERIA)
    return CRITERIA[criterion]()


def criterion_value(d: JointDistribution, criterion: Criterion[Any] | str, subset: Subset) -> Any:
    """Return the best value of a performance measure that a predictor reaches if it sees only these features.

    Parameters
    ----------
    d : JointDistribution
    criterion : Criterion or str
        One of `fstheory.criteria`, or the name of one that needs no parameter: ``"zero_one"``, ``"auc"``.
    subset : iterable of feature names, or one name

    Returns
    -------
    Fraction or LogSum
        A loss, or a score if ``criterion.larger_is_better``; exact.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        The criterion or the subset does not exist, or the measure is not defined for `d`.

    Notes
    -----
    Complexity: one pass over the cells of `d`, and for the AUC a sort of the states.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> criteria.criterion_value(gallery.titanic(), "zero_one", {"sex"})
    Fraction(493, 2201)
    """
    return as_criterion(criterion).value(d, subset)


def criterion_values(d: JointDistribution, criterion: Criterion[Any] | str, *, workers: int = 1) -> SubsetTable[Any]:
    """Return the best values of a performance measure for all 2**n feature subsets.

    Parameters
    ----------
    d : JointDistribution
    criterion : Criterion or str
        One of `fstheory.criteria`, or the name of one that needs no parameter.
    workers : int
        Threads to use where the values come from one sweep; the result does not depend on it.

    Returns
    -------
    SubsetTable
        It knows whether larger values are better: `best_of_size` and `minimal_sets` look for those.

    Raises
    ------
    TooLargeError
        The 2**n values do not fit in memory.
    InvalidTypeError, InvalidValueError, UnknownNameError
        The criterion does not exist, the measure is not defined for `d`, or `workers` is no integer of at least 1.

    Examples
    --------
    Mutual information and the Bayes risk choose different features (Ahmed et al., Example 1):

    >>> from fstheory import criteria, gallery
    >>> d = gallery.ahmed_example_1()
    >>> for name in ("zero_one", "logarithmic"):
    ...     print(criteria.criterion_values(d, name).best_of_size(1).subsets)
    (frozenset({'X1'}),)
    (frozenset({'X2'}),)
    """
    return as_criterion(criterion).table(d, workers=workers)
