"""The s-variate approximation: a criterion averaged over the small subsets of a large one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from fstheory._rational import as_index
from fstheory.distribution import JointDistribution
from fstheory.selection.set_function import CriterionLike, SetFunction, Value, difference, set_function
from fstheory.subsets import indices_of

__all__ = ["s_variate"]


@dataclass(frozen=True)
class _Average:
    """The mean value of the subsets of size s of the subset with a mask."""

    function: SetFunction
    size: int

    def __call__(self, mask: int) -> Value:
        members = indices_of(mask)
        chosen = itertools.combinations(members, min(self.size, len(members)))
        values = [self.function.at(sum(1 << i for i in subset)) for subset in chosen]
        total = values[0]
        for value in values[1:]:
            total = difference(total, -value)
        return total * Fraction(1, len(values))


def s_variate(d: JointDistribution, criterion: CriterionLike, s: int = 2) -> SetFunction:
    """Return the s-variate approximation of a criterion: its average over all subsets of s features.

    Parameters
    ----------
    d : JointDistribution
    criterion : Criterion, str, SubsetTable or SetFunction
    s : int
        At least 1.

    Returns
    -------
    SetFunction
        For `select`, forwards and backwards. A subset of fewer than s features has its own value, unapproximated.

    Raises
    ------
    InvalidTypeError, InvalidValueError, UnknownNameError
        `s` is no integer of at least 1, or there is no such criterion.

    Notes
    -----
    The paper does not say what a subset with fewer than s features is worth; with the rule above the first s steps of
    forward selection are those of the criterion itself. The approximation need not be monotone: with s = 1 a weak
    feature lowers the average. Complexity: one value of the criterion for each subset of J of size s, each remembered.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Section 3.2; Meyer, Schretter and Bontempi (2008).

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import s_variate, select
    >>> d = gallery.titanic()
    >>> pairs = s_variate(d, "zero_one", 2)
    >>> pairs.value(d.features), select(d, 2, pairs).features
    (Fraction(1576, 6603), ('sex', 'class'))
    """
    function = set_function(d, criterion)
    size = as_index(s, "s", at_least=1)

    return SetFunction(
        d.features, _Average(function, size), function.larger_is_better, f"{function.name}, {size}-variate"
    )
