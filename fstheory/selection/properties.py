"""Monotone, submodular, supermodular: decided exactly, with a violating choice of features where not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fstheory._display import Shown
from fstheory.selection.chosen import shown
from fstheory.selection.set_function import SetFunction, SetFunctionLike, Value, as_set_function
from fstheory.subsets import format_subset, mask_of, masks_by_size, names_of

__all__ = ["SetFunctionCheck", "is_monotone", "is_submodular", "is_supermodular"]


@dataclass(frozen=True, repr=False)
class SetFunctionCheck(Shown):
    """Whether a set function has a property; true or false like a bool.

    Attributes
    ----------
    statement : str
        The property in words.
    holds : bool
    subset : frozenset of str, or None
        The first subset S, by size and lexicographically, where the property fails.
    added : tuple of str
        The features whose joining shows it: i, or i and j.
    gains : tuple of exact numbers
        What i adds to the benefit of S and, if there is a j, of S with j.
    features : tuple of str

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> from fstheory.selection import is_submodular
    >>> check = is_submodular(bayes_risks(gallery.xor()))
    >>> check.holds, sorted(check.subset), check.added, check.gains
    (False, [], ('X1', 'X2'), (Fraction(0, 1), Fraction(1, 2)))
    """

    statement: str
    holds: bool
    subset: frozenset[str] | None = None
    added: tuple[str, ...] = ()
    gains: tuple[Value, ...] = ()
    features: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds or self.subset is None:
            return f"{self.statement}: holds"
        onto = format_subset(mask_of(self.subset, self.features), self.features)
        found = f"{self.added[0]} adds {shown(self.gains[0])} to {onto}"
        if len(self.added) > 1:
            found += f" and {shown(self.gains[1])} once {self.added[1]} is there"
        return f"{self.statement}: fails, {found}"


def is_monotone(f: SetFunctionLike) -> SetFunctionCheck:
    """Decide whether no feature ever makes a subset worse.

    Parameters
    ----------
    f : SubsetTable or SetFunction
        Its benefit is looked at: the values of a score, the negated values of a loss.

    Returns
    -------
    SetFunctionCheck
        With a subset and a feature that makes it worse, where there are such.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `f` is neither, or a restricted table.

    Notes
    -----
    It is enough to look at single features. Complexity: n * 2**(n - 1) comparisons.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> from fstheory.selection import is_monotone
    >>> print(is_monotone(bayes_risks(gallery.titanic())))
    f(S) <= f(S + i): holds
    """
    function = as_set_function(f)
    statement = "f(S) <= f(S + i)"
    for mask, i in _steps(function):
        gain = function.gain(1 << i, onto=mask)
        if gain < 0:
            return _failure(statement, function, mask, (i,), (gain,))
    return SetFunctionCheck(statement, True)


def is_submodular(f: SetFunctionLike) -> SetFunctionCheck:
    """Decide whether what a feature adds never grows when other features are there: diminishing returns.

    Parameters
    ----------
    f : SubsetTable or SetFunction
        Its benefit is looked at: the values of a score, the negated values of a loss.

    Returns
    -------
    SetFunctionCheck
        With S, i and j such that i adds more to S + j than to S, where there are such.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `f` is neither, or a restricted table.

    Notes
    -----
    f is submodular if f(S + i) - f(S) >= f(S + i + j) - f(S + j) for all S and all i, j outside; that
    implies the same for larger sets in place of j. Of a monotone submodular f with f({}) = 0, greedy forward
    selection reaches the share 1 - 1/e of the best value (Nemhauser, Wolsey and Fisher 1978).
    Complexity: n(n - 1) * 2**(n - 3) comparisons.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> from fstheory.selection import is_submodular
    >>> print(is_submodular(bayes_risks(gallery.xor())))
    f(S + i) - f(S) >= f(S + i + j) - f(S + j): fails, X1 adds 0 to {} and 1/2 once X2 is there
    """
    return _second_differences(as_set_function(f), "f(S + i) - f(S) >= f(S + i + j) - f(S + j)", 1)


def is_supermodular(f: SetFunctionLike) -> SetFunctionCheck:
    """Decide whether what a feature adds never shrinks when other features are there: increasing returns.

    Parameters
    ----------
    f : SubsetTable or SetFunction
        Its benefit is looked at: the values of a score, the negated values of a loss.

    Returns
    -------
    SetFunctionCheck
        With S, i and j such that i adds less to S + j than to S, where there are such.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        `f` is neither, or a restricted table.

    Notes
    -----
    f is supermodular if its negation is submodular. Complexity: n(n - 1) * 2**(n - 3) comparisons.

    Examples
    --------
    >>> from fstheory import bayes_risks, gallery
    >>> from fstheory.selection import is_supermodular
    >>> bool(is_supermodular(bayes_risks(gallery.xor()))), bool(is_supermodular(bayes_risks(gallery.copies())))
    (True, False)
    """
    return _second_differences(as_set_function(f), "f(S + i) - f(S) <= f(S + i + j) - f(S + j)", -1)


def _second_differences(function: SetFunction, statement: str, sign: int) -> SetFunctionCheck:
    n = len(function.features)
    for mask, i in _steps(function):
        for j in range(i + 1, n):
            if mask >> j & 1:
                continue
            alone = function.gain(1 << i, onto=mask)
            beside = function.gain(1 << i, onto=mask | 1 << j)
            if alone < beside if sign > 0 else alone > beside:
                return _failure(statement, function, mask, (i, j), (alone, beside))
    return SetFunctionCheck(statement, True)


def _steps(function: SetFunction) -> Iterator[tuple[int, int]]:
    n = len(function.features)
    for mask in map(int, masks_by_size(n)):
        for i in range(n):
            if not mask >> i & 1:
                yield mask, i


def _failure(
    statement: str, function: SetFunction, mask: int, added: tuple[int, ...], gains: tuple[Value, ...]
) -> SetFunctionCheck:
    names = tuple(function.features[i] for i in added)
    return SetFunctionCheck(statement, False, names_of(mask, function.features), names, gains, function.features)
