"""The minimal-optimal problem by its definition: every minimal set among all subsets with minimal risk."""

from __future__ import annotations

from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.selection.result import MinimalOptimal

__all__ = ["exhaustive_search"]


def exhaustive_search(d: JointDistribution) -> MinimalOptimal:
    """Return every solution of the minimal-optimal problem, whatever the distribution.

    Parameters
    ----------
    d : JointDistribution

    Returns
    -------
    MinimalOptimal
        `solutions` holds every minimal set with minimal risk, by size and then lexicographically; `features` is
        the first of them.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory.

    Notes
    -----
    Complexity: the 3**n additions of `bayes_risks` (for binary features).

    References
    ----------
    Peña and Nilsson (2010), Section 4 and Theorem 4.

    Examples
    --------
    >>> from fstheory import gallery
    >>> [sorted(subset) for subset in exhaustive_search(gallery.recoded()).solutions]
    [['X3'], ['X1', 'X2']]
    """
    require_distribution(d)
    solutions = bayes_risks(d).minimal_sets()
    return MinimalOptimal(d, "exhaustive", solutions[0], (), 2 ** len(d.features), solutions)
